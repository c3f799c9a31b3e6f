/* SPDX-License-Identifier: Apache-2.0
 *
 * Names, and where the variables that they mean lie.
 */
#include <string.h>

#include <heddle/program.h>
#include "compiler/lower/lower.h"

struct ir_layout {
  struct map offsets; /* variable -> offset, as a number */
  uint32_t dynamic_align;
  bool dynamic; /* a dynamic shared variable is used */
  struct ir_shared *shared;
  const struct ir_own *own;
};

/* What names mean: one table for the module, one for each body under lowering. A name bound in an inner block hides the
 * one outside until the block ends. */

struct names {
  struct map map; /* name -> struct binding; NULL when its scope has ended */
};

struct names *names_new(struct ptx_arena *a) {
  return ptx_alloc(a, sizeof(struct names));
}

struct binding *names_find(const struct names *n, const char *name) {
  return ptx_map_get(&n->map, name);
}

struct binding *names_bind(struct ptx_arena *a, struct names *n, struct lower_scope *scope, const char *name) {
  struct binding *outside = names_find(n, name);
  if (outside && outside->scope == scope) return NULL;
  struct binding *b = ptx_alloc(a, sizeof *b);
  b->name = name;
  b->scope = scope;
  b->hidden = outside;
  b->sibling = scope->bindings;
  scope->bindings = b;
  ptx_map_put(a, &n->map, name, b);
  return b;
}

void names_leave(struct names *n, struct lower_scope *scope) {
  for (struct binding *b = scope->bindings; b; b = b->sibling)
    *map_find(&n->map, (uintptr_t)b->name, 0) = (uintptr_t)b->hidden;
}

/* For sanitizers: a thread's own arrays stand apart, and where they are. clang makes one variable of a function's
 * arrays, its depot; a driver that has put room between them says how it is cut in a variable `heddle_locals_FUNCTION`
 * (run/programs/cc.c): a number of parts; for each its bytes, its bytes with the room behind it, its
 * alignment, 64 bits each; their names, each with a zero behind it. */

#define TABLE "heddle_locals_"
#define DEPOT "__local_depot"

enum { NUMBERS = 3, PARTS_MOST = 4096 };

void lower_take_tables(struct ptx_module *m) {
  struct ptx_variable **last = &m->tables;
  for (struct ptx_variable **at = &m->variables; *at;) {
    struct ptx_variable *v = *at;
    if (strncmp(v->name, TABLE, sizeof TABLE - 1) != 0 || !v->init) {
      at = &v->next;
      continue;
    }
    *at = v->next;
    v->next = NULL;
    *last = v;
    last = &v->next;
  }
}

static const struct ptx_variable *table_of(const struct lower *l) {
  const struct ptx_variable *v = l->tables;
  while (v && strcmp(v->name + sizeof TABLE - 1, l->frame->function->name) != 0) v = v->next;
  return v;
}

static uint64_t table_number(const struct ptx_variable *v, uint64_t k) {
  uint64_t n = 0;
  for (unsigned b = 8; b-- > 0;) n = n << 8 | v->init[8 * k + b];
  return n;
}

static void add_own(struct lower *l, const char *name, uint32_t at, uint32_t bytes, uint32_t gap) {
  struct ir_own *o = ptx_alloc(l->a, sizeof *o);
  *o = (struct ir_own){.name = name, .offset = at, .bytes = bytes, .gap = gap, .next = l->f->layout->own};
  l->f->layout->own = o;
}

/* Where part k begins behind `at`; false: it is not one of v's. */
static bool place_part(const struct ptx_variable *table, const struct ptx_variable *v, uint64_t k, uint64_t *at) {
  const uint64_t bytes = table_number(table, NUMBERS * k + 1), whole = table_number(table, NUMBERS * k + 2),
                 align = table_number(table, NUMBERS * k + 3);
  if (align == 0 || align > v->bytes || bytes > whole || whole > v->bytes) return false;
  *at = (*at + align - 1) / align * align;
  return *at <= v->bytes - whole;
}

/* The parts fill the variable but for its last alignment: then they lie as the table says. */
static bool parts_fit(const struct ptx_variable *table, const struct ptx_variable *v) {
  const uint64_t n = table->bytes >= 8 ? table_number(table, 0) : 0;
  uint64_t at = 0;
  if (n > PARTS_MOST || table->bytes < 8 * (1 + NUMBERS * n)) return false;
  for (uint64_t k = 0; k < n; k++) {
    if (!place_part(table, v, k, &at)) return false;
    at += table_number(table, NUMBERS * k + 2);
  }
  return v->align != 0 && (at + v->align - 1) / v->align * v->align == v->bytes;
}

static void add_parts(struct lower *l, const struct ptx_variable *table, const struct ptx_variable *v, uint32_t first) {
  const uint64_t n = table_number(table, 0);
  const char *name = (const char *)table->init + 8 * (1 + NUMBERS * n);
  const char *end = (const char *)table->init + table->bytes;
  uint64_t at = 0;
  for (uint64_t k = 0; k < n && place_part(table, v, k, &at); k++) {
    const uint64_t bytes = table_number(table, NUMBERS * k + 1), whole = table_number(table, NUMBERS * k + 2);
    const size_t length = strnlen(name, (size_t)(end - name));
    if (whole > bytes)
      add_own(l, ptx_intern(l->a, name, length), first + (uint32_t)at, (uint32_t)bytes, (uint32_t)(whole - bytes));
    name += length + (name + length < end);
    at += whole;
  }
}

void lower_apart(struct lower *l, const struct ptx_variable *v) {
  uint32_t offset;
  if (l->shared_gap == 0 || !layout_get(l->f->layout, v, &offset)) return;
  const bool depot = strncmp(v->name, DEPOT, sizeof DEPOT - 1) == 0;
  const struct ptx_variable *table = depot ? table_of(l) : NULL;
  if (table && parts_fit(table, v)) add_parts(l, table, v, offset);
  if (!depot) add_own(l, v->name, offset, (uint32_t)v->bytes, l->shared_gap);
  l->local_at += l->shared_gap;
}

/* Where variables lie. Shared variables of a kernel from 0 in the order of their first use; local ones on a stack of
 * calls and blocks; constants of the module in bank 3, in their order; its .global variables in a place of their own;
 * kernel parameters as a C struct. */

enum {
  SHARED_MOST = 16 << 20,
  LOCAL_MOST = 512 << 10,
  CONST_MOST = 64 << 10,
  VECTOR_ALIGN = 16,
  PARAM_MOST = 4352, /* as PTX has it before version 8.1 */
  DYNAMIC_ALIGN = 16
};

struct ir_layout *layout_new(struct ptx_arena *a) {
  struct ir_layout *y = ptx_alloc(a, sizeof *y);
  y->dynamic_align = DYNAMIC_ALIGN;
  return y;
}

void layout_put(struct ptx_arena *a, struct ir_layout *y, const struct ptx_variable *v, uint32_t offset) {
  ptx_map_put(a, &y->offsets, v, (void *)(uintptr_t)offset);
}

bool layout_get(const struct ir_layout *y, const struct ptx_variable *v, uint32_t *offset) {
  const bool placed = ptx_map_has(&y->offsets, v);
  if (placed) *offset = (uint32_t)(uintptr_t)ptx_map_get(&y->offsets, v);
  return placed;
}

static uint64_t aligned(uint64_t at, uint32_t align) {
  return align > 1 ? (at + align - 1) / align * align : at;
}

/* Takes v's bytes behind *end, which moves on; false when that passes `most`. */
static bool reserve_bytes(const struct ptx_variable *v, uint32_t *end, uint32_t most, uint32_t *offset) {
  uint64_t at = aligned(*end, v->align);
  if (at > most || v->bytes > most - at) return false;
  *offset = (uint32_t)at;
  *end = (uint32_t)(at + v->bytes);
  return true;
}

/* The same, at a multiple of 16 bytes if it has as many: several accesses become one (widen.c), and tables of bytes are
 * read by vectors (libclc does), whatever alignment they were declared with. */
static bool take_aligned(const struct ptx_variable *v, uint32_t *end, uint32_t most, uint32_t *offset) {
  if (v->bytes >= VECTOR_ALIGN) *end = (uint32_t)aligned(*end, VECTOR_ALIGN);
  return reserve_bytes(v, end, most, offset);
}

uint32_t ir_variable_offset(const struct ir_function *f, const struct ptx_variable *v) {
  uint32_t offset = 0;
  if (v->space == PTX_SHARED && v->is_extern) return (uint32_t)aligned(f->shared_bytes, f->layout->dynamic_align);
  layout_get(f->layout, v, &offset);
  return offset;
}

void layout_parameters(struct lower *l, const struct ptx_function *k) {
  uint32_t end = 0, offset = 0;
  for (const struct ptx_variable *v = k->parameters; v; v = v->next) {
    if (!reserve_bytes(v, &end, PARAM_MOST, &offset)) {
      ptx_error(l->d, v->pos, "the parameters of '%s' have more than %d bytes", k->name, PARAM_MOST);
      return;
    }
    layout_put(l->a, l->f->layout, v, offset);
  }
  l->f->param_bytes = end;
}

void layout_local(struct lower *l, const struct ptx_variable *v) {
  uint32_t offset = 0;
  if (!take_aligned(v, &l->local_at, LOCAL_MOST, &offset)) {
    ptx_error(l->d, v->pos, "the local variables of '%s' have more than %d bytes", l->f->name, LOCAL_MOST);
    return;
  }
  if (l->local_at > l->f->local_bytes) l->f->local_bytes = l->local_at;
  layout_put(l->a, l->f->layout, v, offset);
}

static bool use_shared(struct lower *l, const struct ptx_variable *v) {
  uint32_t offset = 0;
  if (v->is_extern && !l->f->entry) {
    ptx_error(l->d, v->pos, "'%s': dynamic shared memory in a function that is not inlined ('%s') is not supported",
              v->name, l->f->name);
    return false;
  }
  if (v->is_extern) { /* all dynamic ones lie at the same place */
    if (v->align > l->f->layout->dynamic_align) l->f->layout->dynamic_align = v->align;
    l->f->layout->dynamic = true;
    return true;
  }
  if (layout_get(l->f->layout, v, &offset)) return true;
  if (!take_aligned(v, &l->f->shared_bytes, SHARED_MOST, &offset)) {
    ptx_error(l->d, v->pos, "the shared variables of '%s' have more than %d bytes", l->f->name, SHARED_MOST);
    return false;
  }
  layout_put(l->a, l->f->layout, v, offset);
  struct ir_shared *s = ptx_alloc(l->a, sizeof *s);
  *s = (struct ir_shared){.variable = v, .offset = offset, .next = l->f->layout->shared};
  l->f->layout->shared = s;
  l->f->shared_bytes += l->shared_gap;
  return true;
}

const struct ir_shared *ir_shared_variables(const struct ir_function *f) {
  return f->layout->shared;
}

const struct ir_own *ir_own_arrays(const struct ir_function *f) {
  return f->layout->own;
}

void layout_shared_last(struct lower *l) {
  if (l->f->layout->dynamic) l->f->shared_bytes = (uint32_t)aligned(l->f->shared_bytes, l->f->layout->dynamic_align);
}

static void use_named(struct lower *l, const struct ptx_operand *o) {
  const struct binding *b = o->name ? names_find(l->module->names, o->name) : NULL;
  if (b && b->kind == BIND_MEMORY && b->variable->space == PTX_SHARED && !b->variable->is_extern)
    (void)use_shared(l, b->variable);
  for (unsigned k = 0; k < o->elements; k++) use_named(l, &o->element[k]);
}

static void use_scope(struct lower *l, const struct ptx_scope *s) {
  for (const struct ptx_variable *v = s->variables; v; v = v->next)
    if (v->space == PTX_SHARED && !v->is_extern) (void)use_shared(l, v);
  for (const struct ptx_statement *t = s->statements; t; t = t->next) {
    lower_work(l, t->pos);
    if (t->kind == PTX_BLOCK) use_scope(l, t->scope);
    for (unsigned k = 0; t->kind == PTX_INSTRUCTION && k < t->operands; k++) use_named(l, &t->operand[k]);
  }
}

/* All that they name, whether a kernel reaches it or not. */
void layout_shared_first(struct lower *l) {
  if (!l->f->framed || !l->calls) return;
  for (uint32_t k = 0; k < l->calls->nodes; k++) {
    const struct call_node *n = &l->calls->node[k];
    if (n->function && n->reached && !n->function->entry) use_scope(l, n->function->body);
  }
}

bool layout_use(struct lower *l, const struct ptx_variable *v, struct ptx_pos pos) {
  uint32_t offset = 0;
  if (v->space == PTX_SHARED) return use_shared(l, v);
  if (layout_get(l->f->layout, v, &offset)) return true;
  if ((v->space == PTX_CONST && layout_get(l->module->constants, v, &offset)) ||
      (v->space == PTX_GLOBAL && layout_get(l->module->globals, v, &offset))) {
    layout_put(l->a, l->f->layout, v, offset);
    return true;
  }
  if (v->is_extern)
    ptx_error(l->d, pos, "'%s' is only declared in this module", v->name);
  else
    ptx_error(l->d, pos, "'%s': a .%s variable cannot be here", v->name, ptx_space_word(v->space));
  return false;
}

/* ---- the module ---- */

static void place_global(struct ptx_arena *a, struct ptx_diag *d, struct lower_module *made,
                         const struct ptx_variable *v) {
  uint32_t offset;
  if (v->align > HEDDLE_GLOBAL_ALIGN)
    ptx_error(d, v->pos, "'%s': a .global variable cannot be aligned to more than %u bytes", v->name,
              HEDDLE_GLOBAL_ALIGN);
  else if (take_aligned(v, &made->global_bytes, v->init ? HEDDLE_GLOBAL_INITIAL_MAX : HEDDLE_GLOBAL_MAX, &offset))
    layout_put(a, made->globals, v, offset);
  else
    ptx_error(d, v->pos, "the module's .global variables have more than %u bytes%s",
              v->init ? HEDDLE_GLOBAL_INITIAL_MAX : HEDDLE_GLOBAL_MAX, v->init ? " with values" : "");
}

/* Those that were constants first, then those with values: the file holds no others. */
static void place_globals(struct ptx_arena *a, struct ptx_diag *d, struct lower_module *made,
                          const struct ptx_variable *all) {
  made->globals = layout_new(a);
  for (const struct ptx_variable *v = all; v; v = v->next)
    if (v->was_constant && !v->is_extern) place_global(a, d, made, v);
  made->once_constant = made->global_bytes;
  for (const struct ptx_variable *v = all; v; v = v->next)
    if (v->space == PTX_GLOBAL && !v->is_extern && !v->was_constant && v->init) place_global(a, d, made, v);
  made->global_initial = made->global_bytes;
  for (const struct ptx_variable *v = all; v; v = v->next)
    if (v->space == PTX_GLOBAL && !v->is_extern && !v->was_constant && !v->init) place_global(a, d, made, v);
}

static void bind_variable(struct ptx_arena *a, struct ptx_diag *d, struct lower_module *m, struct lower_scope *s,
                          const struct ptx_variable *v) {
  struct binding *b = names_bind(a, m->names, s, v->name);
  if (!b) {
    b = names_find(m->names, v->name);
    bool again = b->kind == BIND_MEMORY && (b->variable->is_extern || v->is_extern);
    if (!again) ptx_error(d, v->pos, "'%s' is declared twice", v->name);
    if (!again || v->is_extern) return;
  }
  b->kind = BIND_MEMORY;
  b->variable = v;
}

static void bind_function(struct ptx_arena *a, struct ptx_diag *d, struct lower_module *m, struct lower_scope *s,
                          const struct ptx_function *f) {
  struct binding *b = names_bind(a, m->names, s, f->name);
  if (!b) {
    b = names_find(m->names, f->name);
    bool again = b->kind == BIND_FUNCTION && (b->function->declaration || f->declaration);
    if (!again) ptx_error(d, f->pos, "'%s' is declared twice", f->name);
    if (!again || f->declaration) return;
  }
  b->kind = BIND_FUNCTION;
  b->function = f;
}

struct lower_module *lower_module_of(struct ptx_diag *d, struct ptx_module *m) {
  struct ptx_arena *a = m->arena; /* a kernel's own may be gone when the next one is lowered */
  if (m->lowering) return m->lowering;
  struct lower_module *made = m->lowering = ptx_alloc(a, sizeof *made);
  struct lower_scope *scope = ptx_alloc(a, sizeof *scope);
  made->names = names_new(a);
  made->constants = layout_new(a);
  for (const struct ptx_variable *v = m->variables; v; v = v->next) bind_variable(a, d, made, scope, v);
  for (const struct ptx_function *f = m->functions; f; f = f->next) bind_function(a, d, made, scope, f);
  place_globals(a, d, made, m->variables);
  for (const struct ptx_variable *v = m->variables; v; v = v->next) {
    uint32_t offset;
    if (v->space != PTX_CONST || v->is_extern) continue;
    if (!take_aligned(v, &made->constant_bytes, CONST_MOST, &offset)) {
      ptx_error(d, v->pos, "the module's constants have more than %d bytes", CONST_MOST);
      return made;
    }
    layout_put(a, made->constants, v, offset);
  }
  return made;
}
