/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowering of calls that stay calls, and of functions that are called so: call_layout says where arguments and results
 * are. Arrays are passed by the address of the caller's variable (the PTX rules let a .param of a call be used for that
 * call alone); predicates as 1 or 0.
 */
#include "compiler/lower/lower.h"

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

void lower_real_call(struct lower *l, const struct insn *in, const struct call_site *c) {
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
