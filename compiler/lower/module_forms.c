/* SPDX-License-Identifier: Apache-2.0
 *
 * What a module has in another form before any of it is lowered. Variables in .const or .global that a function
 * declares are the module's, under a name with the function's in front. And constants have no generic addresses, since
 * bank 3 is no memory: where a module asks for one, all its constants are .global variables, and what reads them reads
 * global memory. So are they where one has no value: a host must write it; and for a debugger, which sees one memory.
 * An alias is the function that it stands for.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/program.h>
#include "compiler/lower/lower_frame.h"

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
