/* SPDX-License-Identifier: Apache-2.0
 * Calls of printf become calls of a function that the module has. */
#include "printf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BODY "heddle_vprintf"
#define ARGUMENTS "heddle_printf_arguments"
#define PLACE "heddle_printf_place"

static const struct ptx_function *find_function(const struct ptx_module *m, const char *name) {
  const struct ptx_function *f = m->functions;
  while (f && strcmp(f->name, name) != 0) f = f->next;
  return f;
}

/* ---- clang 14, OpenCL: what is stored into the parameters is stored into an array instead, as a C structure ---- */

struct site {
  struct ptx_diag *d;
  struct ptx_module *m;
  struct ptx_scope *scope;
  struct ptx_statement *call;
};

static const struct ptx_variable *parameter(const struct ptx_scope *s, const char *name) {
  for (; s; s = s->outer)
    for (const struct ptx_variable *v = s->variables; v; v = v->next)
      if (v->space == PTX_PARAM && v->name == name) return v;
  return NULL;
}

/* Stores into that parameter. */
static void turn_stores(const struct site *x, const char *name, uint32_t at) {
  for (struct ptx_statement *t = x->scope->statements; t && t != x->call; t = t->next) {
    struct ptx_operand *o = &t->operand[0];
    if (t->kind != PTX_INSTRUCTION || t->words < 2 || strcmp(t->word[0], "st") != 0 || o->kind != PTX_OP_ADDRESS)
      continue;
    if (strcmp(t->word[1], "param") != 0 || o->element[0].name != name) continue;
    t->word[1] = ptx_intern(x->m->arena, "local", 5);
    o->element[0].name = ptx_intern(x->m->arena, ARGUMENTS, strlen(ARGUMENTS));
    o->bits += at;
  }
}

/* Where each lies, and how many bytes all have; -1: told. */
static int64_t place_arguments(const struct site *x, const struct ptx_operand *list) {
  uint64_t end = 0;
  for (unsigned k = 1; k < list->elements; k++) {
    const struct ptx_variable *v = parameter(x->scope, list->element[k].name);
    if (!v || v->bytes == 0 || v->bytes > 128 || (v->bytes & (v->bytes - 1)) != 0) {
      ptx_error(x->d, list->element[k].pos, "an argument of printf is no number, pointer or vector");
      return -1;
    }
    end = (end + v->bytes - 1) & ~(v->bytes - 1);
    turn_stores(x, v->name, (uint32_t)end);
    end += v->bytes;
  }
  return (int64_t)end;
}

/* Declarations and statements of a text that stand in front of the call from now on. */
static void put_before(const struct site *x, const char *text) {
  const struct ptx_module *made = ptx_parse(x->m->arena, x->d, text, strlen(text), x->m->file);
  struct ptx_scope *s = made->functions->body;
  struct ptx_statement **at = &x->scope->statements, *last = s->statements;
  struct ptx_variable *v = s->variables;
  while (*at != x->call) at = &(*at)->next;
  *at = last;
  for (struct ptx_statement *t = last; t; t = t->next) {
    t->pos = x->call->pos;
    last = t;
  }
  last->next = x->call;
  while (v->next) v = v->next;
  v->next = x->scope->variables;
  x->scope->variables = s->variables;
}

static void gather_arguments(const struct site *x, struct ptx_operand *list) {
  char text[640];
  const int64_t bytes = place_arguments(x, list);
  if (bytes < 0) return;
  snprintf(text, sizeof text,
           ".version 6.3\n.target sm_70\n.address_size 64\n.func site() {\n .local .align 16 .b8 " ARGUMENTS "[%" PRId64
           "];\n .reg .b64 %%heddle_printf_to;\n .param .b64 " PLACE ";\n mov.u64 %%heddle_printf_to, " ARGUMENTS
           ";\n cvta.local.u64 %%heddle_printf_to, %%heddle_printf_to;\n"
           " st.param.b64 [" PLACE "+0], %%heddle_printf_to;\n}\n",
           bytes > 0 ? bytes : 4);
  put_before(x, text);
  struct ptx_operand *two = ptx_alloc(x->m->arena, 2 * sizeof *two);
  two[0] = list->element[0];
  two[1] = (struct ptx_operand){
      .kind = PTX_OP_NAME, .pos = list->pos, .name = ptx_intern(x->m->arena, PLACE, strlen(PLACE))};
  list->element = two;
  list->elements = 2;
}

/* ---- all calls ---- */

static void turn_call(const struct site *x) {
  struct ptx_statement *t = x->call;
  const unsigned at = t->operands > 0 && t->operand[0].kind == PTX_OP_LIST ? 1 : 0;
  if (t->operands <= at || t->operand[at].kind != PTX_OP_NAME) return;
  struct ptx_operand *name = &t->operand[at], *list = t->operands > at + 1 ? &t->operand[at + 1] : NULL;
  const struct ptx_function *f = NULL;
  if (strcmp(name->name, "printf") == 0 || strcmp(name->name, "vprintf") == 0) f = find_function(x->m, name->name);
  if (!f || !f->declaration || !list || list->kind != PTX_OP_LIST || list->elements == 0) return;
  const bool by_values = strcmp(f->name, "printf") == 0 && (!f->parameters || !f->parameters->next);
  if (by_values) gather_arguments(x, list);
  name->name = ptx_intern(x->m->arena, BODY, strlen(BODY));
}

static void turn_scope(struct ptx_diag *d, struct ptx_module *m, struct ptx_scope *s) {
  for (struct ptx_statement *t = s->statements; t; t = t->next) {
    if (t->kind == PTX_BLOCK) turn_scope(d, m, t->scope);
    if (t->kind == PTX_INSTRUCTION && strcmp(t->word[0], "call") == 0) turn_call(&(struct site){d, m, s, t});
  }
}

void ptx_printf_calls(struct ptx_diag *d, struct ptx_module *m) {
  for (struct ptx_function *f = m->functions; f; f = f->next)
    if (f->body) turn_scope(d, m, f->body);
}
