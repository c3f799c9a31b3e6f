/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments and results of a call, inlined or not: what stands for a formal parameter, and on which side. */
#include "compiler/lower/lower.h"

#include <string.h>

/* The caller's variable in local memory that an operand names. */
const struct ptx_variable *lower_array_passed(struct lower *l, const struct ptx_operand *o,
                                              const struct ptx_variable *formal) {
  struct binding *b = o->kind == PTX_OP_NAME ? lower_find(l, o) : NULL;
  if (b && b->kind == BIND_MEMORY && b->variable->space == PTX_LOCAL && b->variable->bytes >= formal->bytes)
    return b->variable;
  if (b || o->kind != PTX_OP_NAME)
    ptx_error(l->d, o->pos, "a .param variable of %llu bytes is wanted for '%s'", (unsigned long long)formal->bytes,
              formal->name);
  return NULL;
}

struct ir_operand lower_argument(struct lower *l, const struct ptx_operand *o, const struct ptx_variable *formal) {
  struct binding *b = o->kind == PTX_OP_NAME ? names_find(l->frame->names, o->name) : NULL;
  if (!b || b->kind != BIND_SCALAR) return lower_read(l, o, formal->type);
  if (b->variable->bytes != formal->bytes)
    ptx_error(l->d, o->pos, "'%s' and '%s' differ in size", o->name, formal->name);
  return ir_use(lower_register(l, b));
}

struct binding *lower_formal(struct lower *l, struct names *names, struct lower_scope *scope,
                             const struct ptx_variable *v) {
  struct binding *b = names_bind(l->a, names, scope, v->name);
  lower_work(l, v->pos);
  if (!b) {
    ptx_error(l->d, v->pos, "'%s' is declared twice", v->name);
    return NULL;
  }
  b->kind = call_in_memory(v) ? BIND_MEMORY : v->space == PTX_PARAM ? BIND_SCALAR : BIND_REGISTER;
  b->variable = v;
  if (b->kind == BIND_REGISTER && (v->vector > 1 || v->array))
    ptx_error(l->d, v->pos, "'%s': a vector as a parameter is not supported", v->name);
  return b;
}

/* In the caller's frame again. */
void lower_result_to(struct lower *l, const struct ptx_operand *o, const struct ptx_variable *formal,
                     struct ir_operand value) {
  struct binding *to = o->kind == PTX_OP_NAME ? names_find(l->frame->names, o->name) : NULL;
  if (!to || to->kind != BIND_SCALAR)
    lower_copy(l, lower_write(l, o, formal->type), value);
  else if (to->variable->bytes != formal->bytes)
    ptx_error(l->d, o->pos, "'%s' and '%s' differ in size", o->name, formal->name);
  else
    lower_copy(l, lower_register(l, to), value);
}

/* ---- a scalar whose address the callee takes lies in local memory ---- */

static void move_to_memory(struct lower *l, struct binding *b) {
  struct ptx_variable *memory = ptx_alloc(l->a, sizeof *memory);
  *memory = *b->variable;
  memory->space = PTX_LOCAL;
  layout_local(l, memory);
  struct address at = {.space = PTX_LOCAL, .base = lower_variable(l, memory, 0, PTX_U32)};
  lower_store(l, at, memory->type, ir_use(lower_register(l, b)));
  b->kind = BIND_MEMORY;
  b->variable = memory;
}

void lower_find_addresses(struct lower *l, const struct names *names, const struct ptx_scope *s) {
  for (const struct ptx_statement *t = s->statements; t; t = t->next) {
    if (t->kind == PTX_BLOCK) lower_find_addresses(l, names, t->scope);
    if (t->kind != PTX_INSTRUCTION || t->operands != 2 ||
        (strcmp(t->word[0], "mov") != 0 && strcmp(t->word[0], "cvta") != 0))
      continue;
    const struct ptx_operand *o = &t->operand[1];
    struct binding *b = o->kind == PTX_OP_NAME || o->kind == PTX_OP_SYMBOL ? names_find(names, o->name) : NULL;
    if (b && b->kind == BIND_SCALAR) move_to_memory(l, b);
  }
}
