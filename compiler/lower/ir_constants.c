/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a module's constant bank: initialisers, and the addresses of other constants in them.
 */
#include <string.h>

#include "compiler/lower/lower.h"

/* Of a function: known when it is compiled. */
static bool put_code(struct call_graph *g, const struct ptx_variable *v, const struct ptx_init_address *i,
                     uint32_t offset) {
  struct call_node *n = g ? call_node_named(g, i->name) : NULL;
  unsigned width = ptx_type_bytes(v->type);
  if (!n || !n->out_of_line || i->generic || width != 8 || i->at > v->bytes || width > v->bytes - i->at) return false;
  call_fixup_add(g, CALL_FIX_CONST, offset + (uint32_t)i->at, n, i->addend, width);
  return true;
}

static void put_address(struct ptx_diag *d, const struct lower_module *m, const struct ptx_variable *v,
                        const struct ptx_init_address *i, uint8_t *bytes) {
  const struct binding *b = names_find(m->names, i->name);
  unsigned width = ptx_type_bytes(v->type);
  uint32_t offset = 0;
  bool known = b && b->kind == BIND_MEMORY && layout_get(m->constants, b->variable, &offset);
  if (!known || i->generic || width < 4 || i->at > v->bytes || width > v->bytes - i->at) {
    ptx_error(d, v->pos, "the initialiser of '%s' may hold addresses of .const variables alone, not %s%s", v->name,
              i->generic ? "the generic one of " : "that of ", i->name);
    return;
  }
  uint64_t address = offset + (uint64_t)i->addend;
  for (unsigned k = 0; k < width; k++) bytes[i->at + k] = (uint8_t)(address >> 8 * k);
}

const uint8_t *ir_constants(struct ptx_arena *a, struct ptx_diag *d, struct ptx_module *m, uint32_t *bytes) {
  struct lower_module *made = lower_module_of(d, m);
  *bytes = made->constant_bytes;
  uint8_t *all = *bytes ? ptx_alloc(a, *bytes) : NULL;
  for (const struct ptx_variable *v = m->variables; v && all; v = v->next) {
    uint32_t offset;
    if (!layout_get(made->constants, v, &offset)) continue;
    if (v->init) memcpy(all + offset, v->init, v->bytes);
    for (unsigned k = 0; k < v->init_addresses; k++)
      if (!put_code(m->calls, v, &v->init_address[k], offset))
        put_address(d, made, v, &v->init_address[k], all + offset);
  }
  return all;
}

bool ir_constant_offset(const struct ptx_module *m, const char *name, uint32_t *offset) {
  const struct binding *b = m->lowering ? names_find(m->lowering->names, name) : NULL;
  return b && b->kind == BIND_MEMORY && layout_get(m->lowering->constants, b->variable, offset);
}
