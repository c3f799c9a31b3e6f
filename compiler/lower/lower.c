/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's statements to a graph: scopes, labels, and one statement after the other.
 */
#include "lower.h"

#include <heddle/program.h>

/* ---- declarations ---- */

static struct binding *bind(struct lower *l, struct lower_scope *scope, const char *name, struct ptx_pos pos) {
  struct binding *b = names_bind(l->a, l->frame->names, scope, name);
  lower_work(l, pos);
  if (!b) {
    ptx_error(l->d, pos, "'%s' is declared twice", name);
    return NULL;
  }
  b->pos = pos;
  return b;
}

/* "v.x" of the vector register v is a register as any other. */
static void bind_parts(struct lower *l, struct lower_scope *scope, struct binding *whole,
                       const struct ptx_variable *v) {
  static const char letters[] = "xyzw";
  whole->kind = BIND_VECTOR;
  for (unsigned k = 0; k < v->vector && k < 4; k++) {
    char text[HEDDLE_SYMBOL_MAX + 3];
    int n = snprintf(text, sizeof text, "%s.%c", v->name, letters[k]);
    if (n >= (int)sizeof text) {
      ptx_error(l->d, v->pos, "the name of a vector register is too long");
      return;
    }
    struct binding *part = bind(l, scope, ptx_intern(l->text, text, (size_t)n), v->pos);
    if (!part) return;
    part->kind = BIND_REGISTER;
    part->variable = v;
    whole->part[k] = part;
  }
}

static const struct ptx_variable *two_of_64(struct lower *l, const struct ptx_variable *v) {
  struct ptx_variable *pair = ptx_alloc(l->a, sizeof *pair);
  *pair = *v;
  pair->type = PTX_B64;
  pair->vector = 2;
  return pair;
}

static bool is_scalar(const struct ptx_variable *v) {
  return !v->array && v->vector <= 1 && v->type != PTX_PRED;
}

/* A variable of its own for each time the block is lowered: a body inlined twice has its local memory twice. */
static const struct ptx_variable *local_instance(struct lower *l, const struct ptx_variable *v) {
  struct ptx_variable *mine = ptx_alloc(l->a, sizeof *mine);
  *mine = *v;
  mine->space = PTX_LOCAL;
  layout_local(l, mine);
  lower_apart(l, mine);
  return mine;
}

static void declare(struct lower *l, struct lower_scope *scope, const struct ptx_variable *v) {
  struct binding *b = bind(l, scope, v->name, v->pos);
  if (!b) return;
  b->variable = v;
  b->kind = BIND_MEMORY;
  switch (v->space) {
  case PTX_REG:
    b->kind = BIND_REGISTER;
    if (v->array) ptx_error(l->d, v->pos, "'%s': an array of registers is not supported", v->name);
    if (v->type == PTX_B128) b->variable = v = two_of_64(l, v);
    if (v->vector > 1) bind_parts(l, scope, b, v);
    break;
  case PTX_PARAM:
    if (is_scalar(v))
      b->kind = BIND_SCALAR;
    else
      b->variable = local_instance(l, v);
    break;
  case PTX_LOCAL:
    b->variable = local_instance(l, v);
    break;
  case PTX_CONST:
  case PTX_GLOBAL:
    if (v->of_module) b->variable = v->of_module;
    break;
  default: /* .shared: placed where it is used */
    break;
  }
}

static void bind_statement(struct lower *l, struct lower_scope *scope, const struct ptx_statement *s) {
  if (s->kind == PTX_INSTRUCTION || s->kind == PTX_BLOCK) return;
  struct binding *b = bind(l, scope, s->name, s->pos);
  if (!b) return;
  b->statement = s;
  if (s->kind == PTX_LABEL) {
    b->kind = BIND_LABEL;
    b->block = ir_block_new(l->f);
  } else {
    b->kind = s->kind == PTX_BRANCH_TARGETS ? BIND_TARGETS : BIND_OTHER;
  }
}

/* ---- statements ---- */

static void label(struct lower *l, const struct ptx_statement *s) {
  struct binding *b = names_find(l->frame->names, s->name);
  if (!b || b->statement != s) return; /* declared twice: told */
  if (l->block) lower_goto(l, b->block);
  lower_start(l, b->block);
}

static void lower_statement(struct lower *l, const struct ptx_statement *s) {
  const bool own = l->own_lines == 0 || s->pos.line <= l->own_lines;
  if (own) l->pos = s->pos;
  l->in_library = !own && l->shared_gap != 0;
  lower_work(l, s->pos);
  if (s->kind == PTX_INSTRUCTION)
    lower_instruction(l, s);
  else if (s->kind == PTX_LABEL)
    label(l, s);
  else if (s->kind == PTX_BLOCK)
    l->body(l, s->scope);
}

static void body(struct lower *l, const struct ptx_scope *s) {
  struct lower_scope *scope = ptx_alloc(l->a, sizeof *scope);
  uint32_t local_at = l->local_at;
  lower_enter(l, l->pos);
  for (const struct ptx_variable *v = s->variables; v; v = v->next) declare(l, scope, v);
  for (const struct ptx_statement *t = s->statements; t; t = t->next) bind_statement(l, scope, t);
  for (const struct ptx_statement *t = s->statements; t; t = t->next) lower_statement(l, t);
  names_leave(l->frame->names, scope);
  if (l->shared_gap == 0) l->local_at = local_at; /* else each place is of one array */
  l->depth--;
}

/* ---- the kernel, or a function that is not inlined ---- */

static void bind_parameters(struct lower *l, const struct ptx_function *k) {
  struct lower_scope *scope = ptx_alloc(l->a, sizeof *scope);
  layout_parameters(l, k);
  for (const struct ptx_variable *v = k->parameters; v; v = v->next) {
    struct binding *b = bind(l, scope, v->name, v->pos);
    if (!b) continue;
    b->kind = BIND_MEMORY;
    b->variable = v;
    if (v->space != PTX_PARAM) ptx_error(l->d, v->pos, "'%s': a parameter of an entry must be a .param", v->name);
  }
}

static struct ir_function *function_new(struct ptx_arena *a, struct ptx_diag *d, const struct ptx_function *k,
                                        struct call_graph *g) {
  struct ir_function *f = ptx_alloc(a, sizeof *f);
  f->source = k;
  f->name = k->name;
  f->entry = k->entry;
  f->calls = g;
  f->node = g ? call_node_of(g, k) : NULL;
  f->framed = !k->entry || (f->node && f->node->makes_calls);
  f->arena = a;
  f->diag = d;
  f->layout = layout_new(a);
  f->first = ir_block_new(f);
  return f;
}

struct ir_function *ir_lower(struct ptx_arena *a, struct ptx_diag *d, struct ptx_module *m,
                             const struct ptx_function *k) {
  unsigned before = ptx_errors(d);
  struct lower_module *module = lower_module_of(d, m);
  const struct call_node *node = m->calls ? call_node_of(m->calls, k) : NULL;
  if (k->declaration || !(k->entry || (node && node->out_of_line))) {
    ptx_error(d, k->pos, "'%s' is not a kernel with a body", k->name);
    return NULL;
  }
  struct ir_function *f = function_new(a, d, k, m->calls);
  struct frame frame = {.function = k, .names = names_new(a), .after = k->entry ? NULL : ir_block_new(f)};
  struct lower l = {.f = f,
                    .a = a,
                    .text = m->arena,
                    .d = d,
                    .module = module,
                    .calls = m->calls,
                    .copies = m->copies,
                    .whole_pointers = m->whole_pointers,
                    .shared_gap = m->shared_gap,
                    .tables = m->tables,
                    .own_lines = m->own_lines,
                    .body = body,
                    .frame = &frame,
                    .block = f->first,
                    .placed = f->first,
                    .pos = k->pos};
  layout_shared_first(&l);
  if (k->entry)
    bind_parameters(&l, k);
  else
    lower_bind_arguments(&l, k);
  lower_stack_begin(&l, k);
  body(&l, k->body);
  if (!k->entry)
    lower_return(&l, k);
  else if (l.block)
    lower_ret(&l, NULL);
  layout_shared_last(&l);
  f->divergent_exit = l.exits > 1;
  return ptx_errors(d) == before ? f : NULL;
}
