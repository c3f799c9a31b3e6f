/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants and variables of a module: what takes another form, and their bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/program.h>
#include "compiler/lower/lower.h"

/* The bytes of a module's constant bank: initialisers, and the addresses of other constants in them. */

/* Of a function: known when it is compiled. */
static bool put_code(struct call_graph *g, const struct ptx_variable *v, const struct ptx_init_address *i,
                     uint32_t offset) {
  struct call_node *n = g ? call_node_named(g, i->name) : NULL;
  unsigned width = ptx_type_bytes(v->type);
  if (!n || !n->out_of_line || i->generic || width != 8 || i->at > v->bytes || width > v->bytes - i->at) return false;
  call_fixup_add(g, CALL_FIX_CONST, offset + (uint32_t)i->at, n, i->addend, width);
  return true;
}

static void put_constant_address(struct ptx_diag *d, const struct lower_module *m, const struct ptx_variable *v,
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
        put_constant_address(d, made, v, &v->init_address[k], all + offset);
  }
  return all;
}

bool ir_constant_offset(const struct ptx_module *m, const char *name, uint32_t *offset) {
  const struct binding *b = m->lowering ? names_find(m->lowering->names, name) : NULL;
  return b && b->kind == BIND_MEMORY && layout_get(m->lowering->constants, b->variable, offset);
}

/* The .global variables of a module, as a program holds them: initialisers, the addresses in them, names. Where the
 * variables are is known when the program is loaded: an address of one of them is its place among them, and is noted.
 */

struct filling {
  struct ptx_diag *d;
  const struct ptx_module *m;
  const struct lower_module *places;
  struct heddle_program *p;
};

static void *zeros(struct ptx_diag *d, size_t n, size_t each) {
  void *p = calloc(n + 1, each);
  if (!p) ptx_no_memory(d, (struct ptx_pos){0, 0});
  return p;
}

static void put_number(uint8_t *to, uint64_t v) {
  for (unsigned b = 0; b < 8; b++) to[b] = (uint8_t)(v >> (8 * b));
}

/* Of a function: known when it is compiled. Of a constant: its place in the bank. */
static void put_global_address(struct filling *f, const struct ptx_variable *v, const struct ptx_init_address *i,
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
    if (at <= v->bytes && v->bytes - at >= 8) put_global_address(f, v, &v->init_address[k], offset + (uint32_t)at);
  }
}

static void put_name(struct filling *f, const struct ptx_variable *v) {
  uint32_t offset;
  if (!layout_get(f->places->globals, v, &offset)) return;
  struct heddle_global *g = &f->p->variable[f->p->variables++];
  g->name = heddle_program_name(f->p, v->name, strlen(v->name));
  if (!g->name) ptx_no_memory(f->d, v->pos);
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

/* What a module has in another form before any of it is lowered. Variables in .const or .global that a function
 * declares are the module's, under a name with the function's in front. And constants have no generic addresses, since
 * bank 3 is no memory: where a module asks for one, all its constants are .global variables, and what reads them reads
 * global memory. So are they where one has no value: a host must write it; and for a debugger, which sees one memory.
 * An alias is the function that it stands for. */

struct walk {
  struct ptx_module *m;
  const struct ptx_function *f;
  struct ptx_variable **last; /* where the module's next variable hangs */
  bool takes_generic;
  unsigned names;
};

/* ---- variables inside of functions ---- */

static void hoist(struct walk *w, struct ptx_variable *v) {
  char name[HEDDLE_SYMBOL_MAX];
  struct ptx_variable *of_module = ptx_alloc(w->m->arena, sizeof *v);
  const int n = snprintf(name, sizeof name, "%.2000s$%.2000s$%u", w->f->name, v->name, w->names++);
  *of_module = *v;
  of_module->name = ptx_intern(w->m->arena, name, (size_t)n);
  of_module->next = NULL;
  v->of_module = *w->last = of_module;
  w->last = &of_module->next;
}

static bool is_constant(const struct ptx_variable *v) {
  return v->space == PTX_CONST;
}

/* ---- constants ---- */

static bool says(const struct ptx_statement *s, const char *word) {
  for (unsigned k = 1; k < s->words; k++)
    if (strcmp(s->word[k], word) == 0) return true;
  return false;
}

static bool takes_generic(const struct ptx_statement *s) {
  return strcmp(s->word[0], "cvta") == 0 && says(s, "const");
}

static bool initialiser_takes_generic(const struct ptx_module *m, const struct ptx_variable *v) {
  for (unsigned k = 0; k < v->init_addresses; k++)
    for (const struct ptx_variable *c = m->variables; c && v->init_address[k].generic; c = c->next)
      if (is_constant(c) && c->name == v->init_address[k].name) return true;
  return false;
}

static bool is_wanted(const struct walk *w) {
  bool wanted = w->takes_generic || w->m->whole_pointers;
  for (const struct ptx_variable *v = w->m->variables; v; v = v->next)
    wanted = wanted || (is_constant(v) && !v->init && !v->is_extern) || initialiser_takes_generic(w->m, v);
  return wanted;
}

static void read_global(struct walk *w, struct ptx_statement *s) {
  if (strcmp(s->word[0], "isspacep") == 0) return; /* asks where among the variables: lower_mov.c */
  for (unsigned k = 1; k < s->words; k++)
    if (strcmp(s->word[k], "const") == 0) s->word[k] = ptx_intern(w->m->arena, "global", 6);
}

/* ---- aliases ---- */

static const char *stands_for(const struct ptx_module *m, const char *name) {
  for (const struct ptx_alias *a = m->aliases; a; a = a->next)
    if (a->name == name) return a->of;
  return name;
}

static void rename_operand(const struct ptx_module *m, struct ptx_operand *o) {
  if (o->name) o->name = stands_for(m, o->name);
  for (unsigned k = 0; k < o->elements; k++) rename_operand(m, &o->element[k]);
}

static void check_aliases(struct ptx_diag *d, const struct ptx_module *m) {
  for (const struct ptx_alias *a = m->aliases; a; a = a->next) {
    const struct ptx_function *f = m->functions;
    while (f && (f->name != a->of || f->declaration || f->entry)) f = f->next;
    if (!f) ptx_error(d, a->pos, "'%s': no function '%s' with a body is in this module", a->name, a->of);
  }
  for (struct ptx_variable *v = m->variables; v && m->aliases; v = v->next)
    for (unsigned k = 0; k < v->init_addresses; k++) v->init_address[k].name = stands_for(m, v->init_address[k].name);
}

/* ---- all of it ---- */

static void each(struct walk *w, struct ptx_scope *s, bool second) {
  for (struct ptx_variable *v = s->variables; v && !second; v = v->next)
    if (v->space == PTX_CONST || v->space == PTX_GLOBAL) hoist(w, v);
  for (struct ptx_statement *t = s->statements; t; t = t->next) {
    if (t->kind == PTX_BLOCK) each(w, t->scope, second);
    for (unsigned k = 0; k < t->operands && w->m->aliases && !second; k++) rename_operand(w->m, &t->operand[k]);
    if (t->kind != PTX_INSTRUCTION) continue;
    w->takes_generic = w->takes_generic || takes_generic(t);
    if (second) read_global(w, t);
  }
}

static void each_function(struct walk *w, bool second) {
  for (struct ptx_function *f = w->m->functions; f; f = f->next) {
    w->f = f;
    if (f->body) each(w, f->body, second);
  }
}

void ir_module_forms(struct ptx_diag *d, struct ptx_module *m) {
  lower_take_tables(m);
  struct walk w = {.m = m, .last = &m->variables};
  while (*w.last) w.last = &(*w.last)->next;
  check_aliases(d, m);
  each_function(&w, false);
  if (!is_wanted(&w)) return;
  each_function(&w, true);
  for (struct ptx_variable *v = m->variables; v; v = v->next) {
    if (!is_constant(v)) continue;
    v->space = PTX_GLOBAL;
    v->was_constant = true;
  }
}
