/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that modules call and have no body of.
 */
#include "library.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heddle/program.h>

/* Calls of printf become calls of a function that the module has. */

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

/* Bodies of functions that modules lack, put behind their text. */

/* of library/NAME.cu */
extern const char ptx_library_assert[], ptx_library_heap[], ptx_library_heap_checked[], ptx_library_printf[];

enum { PRINTF_BYTES = 64 << 10, HEAP_BYTES = 8 << 20, HEAP_UNIT = 16, VARIABLES_MAX = 256 };

static void assert_variables(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]) {
  (void)o;
  snprintf(text, VARIABLES_MAX, "\n.global .align 4 .u32 heddle_asserted;\n");
}

static void heap_variables(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]) {
  const uint32_t wanted = o->heap_bytes ? o->heap_bytes : HEAP_BYTES;
  const uint32_t spread = o->shared_gap && wanted <= HEDDLE_GLOBAL_MAX / 8 ? 4 : 1; /* blocks that stand apart */
  const uint32_t units = (spread * wanted + HEAP_UNIT - 1) / HEAP_UNIT;
  snprintf(text, VARIABLES_MAX,
           "\n.global .align 4 .u32 heddle_heap_units = %" PRIu32 ";\n.global .align 16 .b8 heddle_heap[%" PRIu32
           "];\n",
           units, units * HEAP_UNIT);
}

static void printf_variables(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]) {
  const uint32_t bytes = ((o->printf_bytes ? o->printf_bytes : PRINTF_BYTES) + 7) & ~7u;
  snprintf(text, VARIABLES_MAX,
           "\n.global .align 4 .u32 heddle_printf_room = %" PRIu32 ";\n.global .align 8 .b8 heddle_printf[%" PRIu32
           "];\n",
           bytes, bytes + 16);
}

static void no_variables(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]) {
  (void)o;
  text[0] = '\0';
}

/* What tables of virtual functions hold where a class has none. */
static const char pure_virtual[] = ".address_size 64\n.visible .func __cxa_pure_virtual() { trap; ret; }\n";
static const char deleted_virtual[] = ".address_size 64\n.visible .func __cxa_deleted_virtual() { trap; ret; }\n";

/* What needs another one stands in front of it. */
static const struct part {
  const char *names[2];
  const char *text, *checked; /* checked: for sanitizers, where that is another one */
  const char *needs;          /* NULL, or the first name of another */
  void (*variables)(const struct heddle_ptx_options *o, char text[VARIABLES_MAX]);
} parts[] = {{{"__assertfail", NULL}, ptx_library_assert, ptx_library_assert, "printf", assert_variables},
             {{"malloc", "free"}, ptx_library_heap, ptx_library_heap_checked, NULL, heap_variables},
             {{"__cxa_pure_virtual", NULL}, pure_virtual, pure_virtual, NULL, no_variables},
             {{"__cxa_deleted_virtual", NULL}, deleted_virtual, deleted_virtual, NULL, no_variables},
             {{"printf", "vprintf"}, ptx_library_printf, ptx_library_printf, NULL, printf_variables}};
enum { PARTS = sizeof parts / sizeof *parts };

static bool lacks(const struct ptx_module *m, const char *name) {
  const struct ptx_function *f = m->functions;
  bool declared = false;
  for (; f; f = f->next) {
    if (!name || strcmp(f->name, name) != 0) continue;
    if (!f->declaration) return false;
    declared = true;
  }
  return declared;
}

/* Behind a text that has a head already. */
static const char *joined(const struct ptx_module *m, const char *text, size_t *size, const char *variables,
                          const char *body) {
  static const char head_end[] = ".address_size 64";
  body = strstr(body, head_end) + sizeof head_end - 1;
  const size_t bytes = *size + strlen(variables) + strlen(body) + 1;
  char *all = ptx_alloc(m->arena, bytes);
  *size = (size_t)snprintf(all, bytes, "%.*s%s%s", (int)*size, text, variables, body);
  return all;
}

const char *ptx_library_text(struct ptx_diag *d, const struct ptx_module *m, const struct heddle_ptx_options *o,
                             const char *text, size_t *size) {
  const char *all = NULL, *needed = NULL;
  if (o->heap_bytes > HEDDLE_GLOBAL_MAX) ptx_fatal(d, (struct ptx_pos){0, 0}, "a heap has 64 MiB at most");
  for (unsigned k = 0; k < PARTS; k++) {
    char variables[VARIABLES_MAX];
    const struct part *p = &parts[k];
    if (!lacks(m, p->names[0]) && !lacks(m, p->names[1]) && !(needed && strcmp(needed, p->names[0]) == 0)) continue;
    p->variables(o, variables);
    all = joined(m, all ? all : text, size, variables, o->shared_gap ? p->checked : p->text);
    if (p->needs) needed = p->needs;
  }
  return all;
}
