/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two modules say the same, positions aside. Names compare as pointers: both come from one arena.
 */
#include "compiler/ir/ast.h"

#include <string.h>

#define SAME(what, holds)                                                                                              \
  if (!(holds)) return what

static const char *differ_bytes(const struct ptx_variable *a, const struct ptx_variable *b) {
  SAME("values", (a->init == NULL) == (b->init == NULL));
  SAME("addresses in values", a->init_addresses == b->init_addresses);
  if (a->init != NULL) SAME("values", a->bytes == b->bytes && memcmp(a->init, b->init, a->bytes) == 0);
  for (unsigned i = 0; i < a->init_addresses; i++) {
    const struct ptx_init_address *x = &a->init_address[i], *y = &b->init_address[i];
    SAME("an address in values",
         x->at == y->at && x->name == y->name && x->addend == y->addend && x->generic == y->generic);
  }
  return NULL;
}

static const char *differ_variable(const struct ptx_variable *a, const struct ptx_variable *b) {
  SAME("the name of a variable", a->name == b->name);
  SAME("the space of a variable", a->space == b->space);
  SAME("the type of a variable", a->type == b->type && a->vector == b->vector);
  SAME("the alignment of a variable", a->align == b->align);
  SAME("the size of a variable", a->array == b->array && a->elements == b->elements && a->bytes == b->bytes);
  SAME(".extern of a variable", a->is_extern == b->is_extern);
  SAME(".ptr of a parameter", a->ptr_space == b->ptr_space && a->ptr_align == b->ptr_align);
  return differ_bytes(a, b);
}

static const char *differ_variables(const struct ptx_variable *a, const struct ptx_variable *b) {
  const char *what = NULL;
  for (; a != NULL && b != NULL && what == NULL; a = a->next, b = b->next) what = differ_variable(a, b);
  return what != NULL || a == b ? what : "the number of variables";
}

static const char *differ_operands(const struct ptx_operand *a, unsigned an, const struct ptx_operand *b, unsigned bn) {
  const char *what = NULL;
  SAME("the number of operands", an == bn);
  for (unsigned i = 0; i < an && what == NULL; i++) {
    const struct ptx_operand *x = &a[i], *y = &b[i];
    SAME("the kind of an operand", x->kind == y->kind);
    SAME("the name of an operand", x->name == y->name);
    SAME("the sign of an operand", x->negate == y->negate && x->invert == y->invert);
    SAME("the bits of an operand", x->bits == y->bits);
    what = differ_operands(x->element, x->elements, y->element, y->elements);
  }
  return what;
}

static const char *differ_function(const struct ptx_function *a, const struct ptx_function *b);
static const char *differ_scope(const struct ptx_scope *a, const struct ptx_scope *b);

static const char *differ_statement(const struct ptx_statement *a, const struct ptx_statement *b) {
  SAME("the kind of a statement", a->kind == b->kind);
  SAME("the guard of an instruction", a->guard == b->guard && a->guard_invert == b->guard_invert);
  SAME("the name of a statement", a->name == b->name);
  SAME("an opcode", a->words == b->words && memcmp(a->word, b->word, a->words * sizeof a->word[0]) == 0);
  if (a->kind == PTX_BLOCK) return differ_scope(a->scope, b->scope);
  if (a->kind == PTX_CALL_PROTOTYPE) return differ_function(a->prototype, b->prototype);
  return differ_operands(a->operand, a->operands, b->operand, b->operands);
}

static const char *differ_scope(const struct ptx_scope *a, const struct ptx_scope *b) {
  const char *what = differ_variables(a->variables, b->variables);
  const struct ptx_statement *s = a->statements, *t = b->statements;
  for (; s != NULL && t != NULL && what == NULL; s = s->next, t = t->next) what = differ_statement(s, t);
  return what != NULL || s == t ? what : "the number of statements";
}

static const char *differ_function(const struct ptx_function *a, const struct ptx_function *b) {
  SAME("the name of a function", a->name == b->name);
  SAME("the kind of a function", a->entry == b->entry && a->declaration == b->declaration);
  SAME("a limit of a function", memcmp(a->maxntid, b->maxntid, sizeof a->maxntid) == 0 &&
                                    memcmp(a->reqntid, b->reqntid, sizeof a->reqntid) == 0 &&
                                    a->maxnreg == b->maxnreg && a->minnctapersm == b->minnctapersm);
  const char *what = differ_variables(a->parameters, b->parameters);
  if (what == NULL) what = differ_variables(a->results, b->results);
  return what != NULL || a->declaration ? what : differ_scope(a->body, b->body);
}

const char *ptx_differ(const struct ptx_module *a, const struct ptx_module *b) {
  SAME("the version", a->version == b->version);
  SAME("the target", strcmp(a->target, b->target) == 0 && a->address_size == b->address_size);
  const char *what = differ_variables(a->variables, b->variables);
  const struct ptx_function *f = a->functions, *g = b->functions;
  for (; f != NULL && g != NULL && what == NULL; f = f->next, g = g->next) what = differ_function(f, g);
  const struct ptx_alias *x = a->aliases, *y = b->aliases;
  for (; x != NULL && y != NULL && what == NULL; x = x->next, y = y->next)
    if (x->name != y->name || x->of != y->of) what = "an alias";
  if (what == NULL && x != y) what = "the number of aliases";
  return what != NULL || f == g ? what : "the number of functions";
}
