/* SPDX-License-Identifier: Apache-2.0
 *
 * A module as text that parses to the same module, and whether two say the same.
 */
#include <inttypes.h>
#include <string.h>
#include "compiler/ir/ast.h"

/* A module as text that parses to the same module. Ranges and dimensions are written out, constants as raw bits. */

static void print_operand(const struct ptx_operand *o, FILE *to);

static void print_elements(const struct ptx_operand *o, const char *between, FILE *to) {
  for (unsigned i = 0; i < o->elements; i++) {
    if (i > 0) fputs(between, to);
    print_operand(&o->element[i], to);
  }
}

static void print_offset(uint64_t bits, FILE *to) {
  if (bits != 0) fprintf(to, "+%" PRId64, (int64_t)bits);
}

static void print_name(const struct ptx_operand *o, FILE *to) {
  fprintf(to, "%s%s%s", o->negate ? "-" : "", o->invert ? "!" : "", o->name);
  if (o->kind == PTX_OP_SYMBOL) print_offset(o->bits, to);
}

static void print_enclosed(const struct ptx_operand *o, const char *open, const char *close, FILE *to) {
  fputs(open, to);
  print_elements(o, ", ", to);
  if (o->kind == PTX_OP_ADDRESS) print_offset(o->bits, to);
  fputs(close, to);
}

static void print_operand(const struct ptx_operand *o, FILE *to) {
  switch (o->kind) {
  case PTX_OP_NAME:
  case PTX_OP_SREG:
  case PTX_OP_SYMBOL:
    print_name(o, to);
    break;
  case PTX_OP_SINK:
    fputs("_", to);
    break;
  case PTX_OP_INT:
    fprintf(to, "0x%" PRIx64, o->bits);
    break;
  case PTX_OP_F32:
    fprintf(to, "0f%08" PRIX64, o->bits);
    break;
  case PTX_OP_F64:
    fprintf(to, "0d%016" PRIX64, o->bits);
    break;
  case PTX_OP_ADDRESS:
    print_enclosed(o, "[", "]", to);
    break;
  case PTX_OP_VECTOR:
    print_enclosed(o, "{", "}", to);
    break;
  case PTX_OP_LIST:
    print_enclosed(o, "(", ")", to);
    break;
  case PTX_OP_PAIR:
    print_elements(o, "|", to);
    break;
  }
}

static uint64_t element_bits(const struct ptx_variable *v, uint64_t at) {
  const unsigned size = ptx_type_bytes(v->type);
  uint64_t bits = 0;
  for (unsigned i = 0; i < size; i++) bits |= (uint64_t)v->init[at * size + i] << 8 * i;
  return bits;
}

/* Scalar `at`; the addresses are in order, *next is the first that is not written. */
static void print_scalar(const struct ptx_variable *v, uint64_t at, unsigned *next, FILE *to) {
  const uint64_t bits = element_bits(v, at);
  if (*next < v->init_addresses && v->init_address[*next].at == at * ptx_type_bytes(v->type)) {
    const struct ptx_init_address *a = &v->init_address[(*next)++];
    fprintf(to, a->generic ? "generic(%s)" : "%s", a->name);
    print_offset((uint64_t)a->addend, to);
  } else if (v->type == PTX_F32) {
    fprintf(to, "0f%08" PRIX64, bits);
  } else if (v->type == PTX_F64) {
    fprintf(to, "0d%016" PRIX64, bits);
  } else {
    fprintf(to, "0x%" PRIx64, bits);
  }
}

static void print_values(const struct ptx_variable *v, FILE *to) {
  unsigned next = 0;
  const uint64_t scalars = v->elements * v->vector;
  const bool braces = v->array || v->vector > 1;
  fputs(braces ? " = {" : " = ", to);
  for (uint64_t i = 0; i < scalars; i++) {
    if (i > 0) fputs(", ", to);
    print_scalar(v, i, &next, to);
  }
  if (braces) fputs("}", to);
}

static void print_variable(const struct ptx_variable *v, FILE *to) {
  fprintf(to, ".%s", ptx_space_word(v->space));
  if (v->align != 0) fprintf(to, " .align %" PRIu32, v->align);
  if (v->vector > 1) fprintf(to, " .v%u", v->vector);
  fprintf(to, " .%s ", ptx_type_word(v->type));
  if (v->ptr_space != PTX_GENERIC || v->ptr_align != 0) {
    fputs(".ptr ", to);
    if (v->ptr_space != PTX_GENERIC) fprintf(to, ".%s ", ptx_space_word(v->ptr_space));
    if (v->ptr_align != 0) fprintf(to, ".align %" PRIu32 " ", v->ptr_align);
  }
  fputs(v->name, to);
  if (v->array) fprintf(to, "[%" PRIu64 "]", v->elements);
  if (v->init != NULL) print_values(v, to);
}

static void print_parameters(const struct ptx_variable *v, FILE *to) {
  fputs("(", to);
  for (; v != NULL; v = v->next) {
    print_variable(v, to);
    if (v->next != NULL) fputs(", ", to);
  }
  fputs(")", to);
}

static void print_size(const char *word, const unsigned size[3], FILE *to) {
  if (size[0] != 0) fprintf(to, " .%s %u, %u, %u", word, size[0], size[1], size[2]);
}

static void print_header(const struct ptx_function *f, FILE *to) {
  if (f->results != NULL) print_parameters(f->results, to);
  fprintf(to, " %s ", f->name);
  print_parameters(f->parameters, to);
  print_size("maxntid", f->maxntid, to);
  print_size("reqntid", f->reqntid, to);
  if (f->minnctapersm != 0) fprintf(to, " .minnctapersm %u", f->minnctapersm);
  if (f->maxnreg != 0) fprintf(to, " .maxnreg %u", f->maxnreg);
}

static void print_instruction(const struct ptx_statement *s, FILE *to) {
  if (s->guard != NULL) fprintf(to, "@%s%s ", s->guard_invert ? "!" : "", s->guard);
  for (unsigned i = 0; i < s->words; i++) fprintf(to, "%s%s", i > 0 ? "." : "", s->word[i]);
  for (unsigned i = 0; i < s->operands; i++) {
    fputs(i > 0 ? ", " : " ", to);
    print_operand(&s->operand[i], to);
  }
  fputs(";\n", to);
}

static void print_scope(const struct ptx_scope *scope, FILE *to);

static void print_statement(const struct ptx_statement *s, FILE *to) {
  switch (s->kind) {
  case PTX_INSTRUCTION:
    print_instruction(s, to);
    break;
  case PTX_LABEL:
    fprintf(to, "%s:\n", s->name);
    break;
  case PTX_BRANCH_TARGETS:
  case PTX_CALL_TARGETS:
    fprintf(to, "%s: .%s ", s->name, s->kind == PTX_CALL_TARGETS ? "calltargets" : "branchtargets");
    print_elements(&s->operand[0], ", ", to);
    fputs(";\n", to);
    break;
  case PTX_BLOCK:
    print_scope(s->scope, to);
    break;
  case PTX_CALL_PROTOTYPE:
    fprintf(to, "%s: .callprototype ", s->name);
    print_header(s->prototype, to);
    fputs(";\n", to);
    break;
  }
}

static void print_variables(const struct ptx_variable *v, FILE *to) {
  for (; v != NULL; v = v->next) {
    if (v->is_extern) fputs(".extern ", to);
    print_variable(v, to);
    fputs(";\n", to);
  }
}

static void print_scope(const struct ptx_scope *scope, FILE *to) {
  fputs("{\n", to);
  print_variables(scope->variables, to);
  for (const struct ptx_statement *s = scope->statements; s != NULL; s = s->next) print_statement(s, to);
  fputs("}\n", to);
}

/* They are kept in the opposite order. */
static void print_aliases(const struct ptx_alias *a, FILE *to) {
  if (!a) return;
  print_aliases(a->next, to);
  fprintf(to, ".alias %s, %s;\n", a->name, a->of);
}

void ptx_print(const struct ptx_module *m, FILE *to) {
  fprintf(to, ".version %u.%u\n.target %s\n.address_size %u\n", m->version / 10, m->version % 10, m->target,
          m->address_size);
  print_variables(m->variables, to);
  for (const struct ptx_function *f = m->functions; f != NULL; f = f->next) {
    fputs(f->entry ? ".entry " : ".func ", to);
    print_header(f, to);
    if (f->declaration)
      fputs(";\n", to);
    else
      print_scope(f->body, to);
  }
  print_aliases(m->aliases, to);
}

/* Whether two modules say the same, positions aside. Names compare as pointers: both come from one arena. */

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
