/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls: arguments and results; callees inlined; calls that stay calls.
 */
#include <string.h>
#include "compiler/lower/lower.h"

static void lower_real_call(struct lower *l, const struct insn *in, const struct call_site *c);

/* Arguments and results of a call, inlined or not: what stands for a formal parameter, and on which side. */

/* The caller's variable in local memory that an operand names. */
static const struct ptx_variable *lower_array_passed(struct lower *l, const struct ptx_operand *o,
                                                     const struct ptx_variable *formal) {
  struct binding *b = o->kind == PTX_OP_NAME ? lower_find(l, o) : NULL;
  if (b && b->kind == BIND_MEMORY && b->variable->space == PTX_LOCAL && b->variable->bytes >= formal->bytes)
    return b->variable;
  if (b || o->kind != PTX_OP_NAME)
    ptx_error(l->d, o->pos, "a .param variable of %llu bytes is wanted for '%s'", (unsigned long long)formal->bytes,
              formal->name);
  return NULL;
}

static struct ir_operand lower_argument(struct lower *l, const struct ptx_operand *o,
                                        const struct ptx_variable *formal) {
  struct binding *b = o->kind == PTX_OP_NAME ? names_find(l->frame->names, o->name) : NULL;
  if (!b || b->kind != BIND_SCALAR) return lower_read(l, o, formal->type);
  if (b->variable->bytes != formal->bytes)
    ptx_error(l->d, o->pos, "'%s' and '%s' differ in size", o->name, formal->name);
  return ir_use(lower_register(l, b));
}

/* Binds a parameter or result in the frame of a callee; NULL: told. */
static struct binding *lower_formal(struct lower *l, struct names *names, struct lower_scope *scope,
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
static void lower_result_to(struct lower *l, const struct ptx_operand *o, const struct ptx_variable *formal,
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

/* Scalars whose address the body takes move to local memory. */
static void lower_find_addresses(struct lower *l, const struct names *names, const struct ptx_scope *s) {
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

/* Calls: the callee's body is lowered where the call stands, with names of its own. Scalars are passed as values,
 * copied in before and out behind; arrays (structures by value) lie in local memory, and the callee's parameter is the
 * caller's variable: the PTX rules let a .param of a call be used for that call alone. */

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

/* Lowering of calls that stay calls, and of functions that are called so: call_layout says where arguments and results
 * are. Arrays are passed by the address of the caller's variable (the PTX rules let a .param of a call be used for that
 * call alone); predicates as 1 or 0. */

static enum ptx_type word_type(struct call_place p) {
  return p.wide ? PTX_B64 : PTX_B32;
}

/* ---- a call ---- */

struct passing { /* of one call */
  struct call_layout y;
  struct ir_operand source[IR_SRC_MAX];
  unsigned sources;
  uint16_t wide;
  struct ir_operand rest; /* address of what does not fit into registers */
};

static struct ir_operand in_word(struct lower *l, const struct ptx_variable *v, struct ir_operand x) {
  if (v->type != PTX_PRED) return x;
  return lower_three(l, IR_SELP, PTX_B32, ir_bits(1), ir_bits(0), x);
}

static void pass_value(struct lower *l, struct passing *p, struct call_place place, struct ir_operand value) {
  if (place.stacked) {
    lower_store(l, (struct address){.space = PTX_LOCAL, .base = p->rest, .offset = place.at}, word_type(place), value);
    return;
  }
  p->wide = (uint16_t)(p->wide | place.wide << p->sources);
  p->source[p->sources++] = value;
}

static void pass_array(struct lower *l, struct passing *p, struct call_place place, const struct ptx_operand *o,
                       const struct ptx_variable *formal) {
  const struct ptx_variable *v = lower_array_passed(l, o, formal);
  pass_value(l, p, place, v ? lower_variable(l, v, 0, PTX_U32) : ir_bits(0));
}

/* Those that have no register are stored first: their address goes behind all others. */
static void pass_all(struct lower *l, struct passing *p, const struct call_site *c) {
  uint32_t k = 0, r = 0;
  for (const struct ptx_variable *v = c->function->parameters; v; v = v->next, k++) {
    const struct ptx_operand *o = &c->arguments->element[k];
    if (p->y.place[k].address)
      pass_array(l, p, p->y.place[k], o, v);
    else
      pass_value(l, p, p->y.place[k], in_word(l, v, lower_argument(l, o, v)));
  }
  for (const struct ptx_variable *v = c->function->results; v; v = v->next, r++)
    if (call_in_memory(v)) pass_array(l, p, p->y.place[k++], &c->results->element[r], v);
  if (p->y.stacked_bytes) pass_value(l, p, (struct call_place){0}, p->rest);
}

static struct ir_operand rest_of(struct lower *l, uint32_t bytes) {
  struct ptx_variable *v = ptx_alloc(l->a, sizeof *v);
  *v = (struct ptx_variable){.name = "arguments",
                             .pos = l->pos,
                             .space = PTX_LOCAL,
                             .type = PTX_B8,
                             .align = 8,
                             .array = true,
                             .elements = bytes,
                             .bytes = bytes,
                             .vector = 1};
  layout_local(l, v);
  return lower_variable(l, v, 0, PTX_U32);
}

static void take_call_results(struct lower *l, const struct call_site *c, const struct ir_insn *i) {
  uint32_t k = 0, r = 0;
  for (const struct ptx_variable *v = c->function->results; v; v = v->next, r++) {
    if (call_in_memory(v)) continue;
    struct ir_operand x = ir_use(i->dst[k++]);
    if (v->type == PTX_PRED) {
      struct ir_insn *s = lower_temp(l, IR_SETP, PTX_U32, IR_PRED, 2, (struct ir_operand[]){x, ir_bits(0)});
      s->comparison.cmp = IR_NE;
      x = lower_result(s);
    }
    lower_result_to(l, &c->results->element[r], v, x);
  }
}

static void lower_real_call(struct lower *l, const struct insn *in, const struct call_site *c) {
  struct passing p = {0};
  const uint32_t local_at = l->local_at;
  struct ir_operand target = {.kind = IR_NONE};
  const char *wrong = call_layout(l->a, c->function, &p.y);
  if (wrong) {
    lower_refuse(l, in, "'%s' %s", c->function->name, wrong);
    return;
  }
  if (c->target) target = lower_read(l, c->target, PTX_B64);
  if (p.y.stacked_bytes) p.rest = rest_of(l, p.y.stacked_bytes);
  if (c->target) pass_value(l, &p, (struct call_place){.wide = true}, target);
  pass_all(l, &p, c);
  struct ir_insn *i = lower_emit(l, IR_CALL, PTX_NO_TYPE);
  i->calling.function = c->target ? NULL : c->function;
  i->calling.wide = p.wide;
  const struct call_node *n = call_node_of(l->calls, i->calling.function);
  i->calling.has_bar = n && n->has_bar;
  i->calling.spins = n && n->spins;
  for (unsigned k = 0; k < p.sources; k++) lower_src(i, p.source[k]);
  for (uint32_t k = 0; k < p.y.results; k++) lower_dst(i, ir_value_new(l->f, p.y.result[k].wide ? IR_64 : IR_32));
  take_call_results(l, c, i);
  l->local_at = local_at;
}

/* ---- the function ---- */

static struct ir_operand argument(struct lower *l, struct call_place p, struct ir_operand rest) {
  if (p.stacked) return lower_load(l, (struct address){.space = PTX_LOCAL, .base = rest, .offset = p.at}, word_type(p));
  struct ir_insn *i = lower_temp(l, IR_ARGUMENT, word_type(p), ir_class_of(word_type(p)), 0, NULL);
  i->place.at = p.at;
  return lower_result(i);
}

static void bind_array(struct lower *l, struct binding *b, struct ir_operand address) {
  struct ptx_variable *v = ptx_alloc(l->a, sizeof *v);
  *v = *b->variable;
  v->space = PTX_LOCAL;
  b->variable = v;
  layout_put(l->a, l->f->layout, v, 0);
  ptx_map_put(l->a, &l->reference, v, address.value);
}

static void bind_scalar(struct lower *l, struct binding *b, struct ir_operand x) {
  if (b->variable->type == PTX_PRED) {
    struct ir_insn *s = lower_temp(l, IR_SETP, PTX_U32, IR_PRED, 2, (struct ir_operand[]){x, ir_bits(0)});
    s->comparison.cmp = IR_NE;
    x = lower_result(s);
  }
  lower_copy(l, lower_register(l, b), x);
}

void lower_bind_arguments(struct lower *l, const struct ptx_function *f) {
  struct lower_scope *scope = ptx_alloc(l->a, sizeof *scope);
  struct call_layout y;
  const char *wrong = call_layout(l->a, f, &y);
  if (wrong) ptx_fatal(l->d, f->pos, "'%s' %s", f->name, wrong);
  struct ir_operand rest = {.kind = IR_NONE},
                    *x = ptx_alloc(l->a, ((size_t)y.arguments + y.memory_results + 1) * sizeof *x);
  if (y.stacked_bytes) rest = argument(l, (struct call_place){.at = y.stacked_word}, rest);
  for (uint32_t k = 0; k < y.arguments + y.memory_results; k++) x[k] = argument(l, y.place[k], rest);
  uint32_t k = 0;
  for (const struct ptx_variable *v = f->parameters; v; v = v->next, k++) {
    struct binding *b = lower_formal(l, l->frame->names, scope, v);
    if (b && b->kind == BIND_MEMORY)
      bind_array(l, b, x[k]);
    else if (b)
      bind_scalar(l, b, x[k]);
  }
  lower_find_addresses(l, l->frame->names, f->body); /* results are not bound yet */
  for (const struct ptx_variable *v = f->results; v; v = v->next) {
    struct binding *b = lower_formal(l, l->frame->names, scope, v);
    if (b && b->kind == BIND_MEMORY) bind_array(l, b, x[k]);
    k += call_in_memory(v);
  }
}

void lower_return(struct lower *l, const struct ptx_function *f) {
  struct ir_operand x[IR_DST_MAX];
  unsigned n = 0;
  uint16_t wide = 0;
  l->guard = NULL;
  if (l->block) lower_goto(l, l->frame->after);
  lower_start(l, l->frame->after);
  lower_stack_end(l, l->frame);
  for (const struct ptx_variable *v = f->results; v; v = v->next) {
    struct binding *b = names_find(l->frame->names, v->name);
    if (!b || call_in_memory(v) || n == IR_DST_MAX) continue;
    wide = (uint16_t)(wide | (ptx_type_bytes(v->type) == 8) << n);
    x[n++] = in_word(l, v, ir_use(lower_register(l, b)));
  }
  struct ir_insn *i = lower_emit(l, IR_RET, PTX_NO_TYPE);
  i->calling.wide = wide;
  for (unsigned k = 0; k < n; k++) lower_src(i, x[k]);
  l->block = NULL;
}
