/* SPDX-License-Identifier: Apache-2.0
 *
 * The .global variables of a module, as a program holds them: initialisers, the addresses in them, names. Where the
 * variables are is known when the program is loaded: an address of one of them is its place among them, and is noted.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/program.h>
#include "compiler/lower/lower.h"

struct filling {
  struct ptx_diag *d;
  const struct ptx_module *m;
  const struct lower_module *places;
  struct heddle_program *p;
};

static void *zeros(struct ptx_diag *d, size_t n, size_t each) {
  void *p = calloc(n + 1, each);
  if (!p) ptx_fatal(d, (struct ptx_pos){0, 0}, "out of memory");
  return p;
}

static void put_number(uint8_t *to, uint64_t v) {
  for (unsigned b = 0; b < 8; b++) to[b] = (uint8_t)(v >> (8 * b));
}

/* Of a function: known when it is compiled. Of a constant: its place in the bank. */
static void put_address(struct filling *f, const struct ptx_variable *v, const struct ptx_init_address *i,
                        uint32_t at) {
  struct call_node *n = f->m->calls ? call_node_named(f->m->calls, i->name) : NULL;
  const struct binding *b = names_find(f->places->names, i->name);
  const struct ptx_variable *to = b && b->kind == BIND_MEMORY ? b->variable : NULL;
  uint32_t offset = 0;
  if (n && n->out_of_line && !i->generic) {
    call_fixup_add(f->m->calls, CALL_FIX_GLOBAL, at, n, i->addend, 8);
  } else if (to && layout_get(f->places->globals, to, &offset)) {
    put_number(f->p->global + at, offset + (uint64_t)i->addend);
    f->p->address[f->p->addresses++] = at;
  } else if (to && !i->generic && layout_get(f->places->constants, to, &offset)) {
    put_number(f->p->global + at, offset + (uint64_t)i->addend);
  } else {
    ptx_error(f->d, v->pos, "the initialiser of '%s' may hold addresses of .global and .const variables, not %s%s",
              v->name, i->generic ? "the generic one of " : "that of ", i->name);
  }
}

/* In the order of their places, so that those of addresses ascend. */
static void put_initial(struct filling *f, const struct ptx_variable *v) {
  uint32_t offset;
  if (!v->init || !layout_get(f->places->globals, v, &offset)) return;
  if (v->bytes > 0) memcpy(f->p->global + offset, v->init, v->bytes);
  for (unsigned k = 0; k < v->init_addresses; k++) {
    const uint64_t at = v->init_address[k].at;
    if (at <= v->bytes && v->bytes - at >= 8) put_address(f, v, &v->init_address[k], offset + (uint32_t)at);
  }
}

static void put_name(struct filling *f, const struct ptx_variable *v) {
  uint32_t offset;
  if (!layout_get(f->places->globals, v, &offset)) return;
  struct heddle_global *g = &f->p->variable[f->p->variables++];
  g->name = heddle_program_name(f->p, v->name, strlen(v->name));
  if (!g->name) ptx_fatal(f->d, v->pos, "out of memory");
  g->offset = offset;
  g->size = (uint32_t)v->bytes;
}

void ir_globals(struct ptx_diag *d, struct ptx_module *m, struct heddle_program *p) {
  struct filling f = {d, m, lower_module_of(d, m), p};
  size_t names = 0, addresses = 0;
  if (ptx_errors(d) > 0) return;
  for (const struct ptx_variable *v = m->variables; v; v = v->next) {
    if (v->space != PTX_GLOBAL || v->is_extern) continue;
    addresses += v->init_addresses;
    if (++names > HEDDLE_GLOBALS_MAX) {
      ptx_error(d, v->pos, "more than %u .global variables", HEDDLE_GLOBALS_MAX);
      return;
    }
  }
  if (names == 0) return;
  p->global = zeros(d, f.places->global_initial, 1);
  p->variable = zeros(d, names, sizeof *p->variable);
  p->address = zeros(d, addresses, sizeof *p->address);
  p->global_initial = f.places->global_initial;
  p->global_bytes = f.places->global_bytes;
  for (const struct ptx_variable *v = m->variables; v; v = v->next) {
    if (v->space != PTX_GLOBAL) continue;
    put_initial(&f, v);
    put_name(&f, v);
  }
}
