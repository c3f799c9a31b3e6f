/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls: the callee's body is lowered where the call stands, with names of its own. Scalars are passed as values,
 * copied in before and out behind; arrays (structures by value) lie in local memory, and the callee's parameter is the
 * caller's variable: the PTX rules let a .param of a call be used for that call alone.
 */
#include "compiler/lower/lower.h"

#include <string.h>

static bool refuse_call(struct lower *l, const struct insn *in, const struct ptx_operand *o, const struct binding *b) {
  if (!b) return false;
  if (b->kind != BIND_FUNCTION)
    lower_refuse(l, in, "'%s' is no function", o->name);
  else if (b->function->declaration)
    lower_refuse(l, in, "'%s' has no body in this module", o->name);
  else if (b->function->entry)
    lower_refuse(l, in, "'%s' is a kernel", o->name);
  else
    return true;
  return false;
}

/* What a .callprototype, or the first of .calltargets, says of the callees of an indirect call; NULL: told. */
static const struct ptx_function *read_prototype(struct lower *l, const struct insn *in, const struct ptx_operand *o) {
  struct binding *b = o && o->kind == PTX_OP_NAME ? lower_find(l, o) : NULL;
  const struct ptx_statement *s = b && b->kind == BIND_OTHER ? b->statement : NULL;
  if (s && s->kind == PTX_CALL_PROTOTYPE) return s->prototype;
  if (s && s->operands == 1 && s->operand[0].elements > 0 && s->operand[0].element[0].kind == PTX_OP_NAME) {
    const struct binding *first = lower_find(l, &s->operand[0].element[0]);
    if (!first || first->kind == BIND_FUNCTION) return first ? first->function : NULL;
  }
  if (b || !o || o->kind != PTX_OP_NAME)
    lower_refuse(l, in, "a call through a register wants a .callprototype or .calltargets as its last operand");
  return NULL;
}

static bool read_callee(struct lower *l, const struct insn *in, struct call_site *c, const struct ptx_operand *name,
                        const struct ptx_operand *last) {
  const struct binding *b = lower_find(l, name);
  if (b && b->kind == BIND_REGISTER) {
    c->target = name;
    c->function = read_prototype(l, in, last);
    if (c->function && !l->calls) lower_refuse(l, in, "'%s': a call through a register is not supported", name->name);
    return c->function != NULL && l->calls;
  }
  if (!refuse_call(l, in, name, b)) return false;
  c->function = b->function;
  if (!last) return true;
  lower_refuse(l, in, "an operand too many");
  return false;
}

static bool read_call(struct lower *l, const struct insn *in, struct call_site *c) {
  unsigned k = 0;
  *c = (struct call_site){0};
  if (k < in->operands && in->o[k].kind == PTX_OP_LIST) c->results = &in->o[k++];
  if (k == in->operands || in->o[k].kind != PTX_OP_NAME) {
    lower_refuse(l, in, "the name of a function is wanted");
    return false;
  }
  const struct ptx_operand *name = &in->o[k++];
  if (k < in->operands && in->o[k].kind == PTX_OP_LIST) c->arguments = &in->o[k++];
  const struct ptx_operand *last = k < in->operands ? &in->o[k++] : NULL;
  if (k == in->operands) return read_callee(l, in, c, name, last);
  lower_refuse(l, in, "an operand too many");
  return false;
}

/* Is the callee being lowered already? The message names the way round. */
static bool is_recursive(struct lower *l, const struct insn *in, const struct ptx_function *callee) {
  const struct frame *at = l->frame;
  while (at && at->function != callee) at = at->caller;
  if (!at) return false;
  char chain[160] = "";
  size_t used = 0;
  for (const struct frame *f = l->frame; f && used < sizeof chain; f = f == at ? NULL : f->caller) {
    int n = snprintf(chain + used, sizeof chain - used, " <- %s", f->function->name);
    used += n > 0 ? (size_t)n : 0;
  }
  lower_refuse(l, in, "recursion is not supported: %s%s", callee->name, chain);
  return true;
}

/* Are there n? (Counted no further than that: every call costs what it is long.) */
static bool has_count(const struct ptx_variable *v, unsigned n) {
  for (; v && n; v = v->next) n--;
  return !v && !n;
}

static bool counts_match(struct lower *l, const struct insn *in, const struct call_site *c) {
  unsigned arguments = c->arguments ? c->arguments->elements : 0, results = c->results ? c->results->elements : 0;
  if (has_count(c->function->parameters, arguments) && has_count(c->function->results, results)) return true;
  lower_refuse(l, in, "'%s' is declared with other parameters or results than these %u and %u", c->function->name,
               arguments, results);
  return false;
}

/* ---- parameters ---- */

/* In the caller's frame: values into fresh variables. */
static void pass_arguments(struct lower *l, const struct call_site *c, struct names *names, struct lower_scope *scope) {
  unsigned k = 0;
  for (const struct ptx_variable *v = c->function->parameters; v; v = v->next, k++) {
    struct binding *b = lower_formal(l, names, scope, v);
    if (!b) continue;
    if (b->kind == BIND_MEMORY) {
      const struct ptx_variable *memory = lower_array_passed(l, &c->arguments->element[k], v);
      if (memory) b->variable = memory;
    } else {
      struct ir_operand value = lower_argument(l, &c->arguments->element[k], v);
      lower_copy(l, lower_register(l, b), value);
    }
  }
}

static void bind_results(struct lower *l, const struct call_site *c, struct names *names, struct lower_scope *scope) {
  unsigned k = 0;
  for (const struct ptx_variable *v = c->function->results; v; v = v->next, k++) {
    struct binding *b = lower_formal(l, names, scope, v);
    if (!b || b->kind != BIND_MEMORY) continue;
    const struct ptx_variable *memory = lower_array_passed(l, &c->results->element[k], v);
    if (memory) b->variable = memory;
  }
}

static void take_results(struct lower *l, const struct call_site *c, const struct names *names) {
  unsigned k = 0;
  for (const struct ptx_variable *v = c->function->results; v; v = v->next, k++) {
    struct binding *from = names_find(names, v->name);
    if (!from || from->kind == BIND_MEMORY) continue;
    lower_result_to(l, &c->results->element[k], v, ir_use(lower_register(l, from)));
  }
}

/* ---- the call ---- */

static void inline_body(struct lower *l, const struct call_site *c) {
  struct frame frame = {
      .function = c->function, .names = names_new(l->a), .after = ir_block_new(l->f), .caller = l->frame};
  struct lower_scope *inputs = ptx_alloc(l->a, sizeof *inputs);
  struct ptx_pos pos = l->pos;
  uint32_t local_at = l->local_at;
  pass_arguments(l, c, frame.names, inputs);
  lower_find_addresses(l, frame.names, c->function->body); /* of inputs: results are not bound yet */
  bind_results(l, c, frame.names, inputs);
  l->frame = &frame;
  lower_stack_begin(l, c->function);
  l->body(l, c->function->body);
  l->frame = frame.caller;
  l->pos = pos;
  if (l->shared_gap == 0) l->local_at = local_at;
  l->guard = NULL;
  if (l->block) lower_goto(l, frame.after);
  lower_start(l, frame.after);
  lower_stack_end(l, &frame);
  take_results(l, c, frame.names);
}

static bool stays_out(const struct lower *l, const struct call_site *c) {
  const struct call_node *n = l->calls && !c->target ? call_node_of(l->calls, c->function) : NULL;
  return c->target || (n && n->out_of_line);
}

void lower_call(struct lower *l, const struct insn *in) {
  struct call_site c;
  if (!read_call(l, in, &c) || !counts_match(l, in, &c)) return;
  const bool real = stays_out(l, &c);
  if (!real && is_recursive(l, in, c.function)) return;
  lower_enter(l, in->s->pos);
  struct ir_block *after = lower_split(l);
  if (real)
    lower_real_call(l, in, &c);
  else
    inline_body(l, &c);
  lower_rejoin(l, after);
  l->depth--;
}
