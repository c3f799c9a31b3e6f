/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of variables, registers and parameters.
 */
#include "compiler/parse/parse.h"

#include <stdio.h>
#include <string.h>

enum { ALIGN_MAX = 1 << 16 };

static bool refuse_variable(struct ptx_parser *p, struct ptx_pos at, const char *why) {
  ptx_error(p->diag, at, "%s", why);
  return false;
}

/* The state space that `now` names; GENERIC when none. */
static enum ptx_space space_here(struct ptx_parser *p) {
  return p->now.kind == PTX_T_WORD ? ptx_space_of_word(ptx_intern_token(p, &p->now)) : PTX_GENERIC;
}

static bool alignment(struct ptx_parser *p, uint32_t *align) {
  const struct ptx_pos at = p->now.pos;
  uint64_t n;
  if (!ptx_parse_number(p, "an alignment", ALIGN_MAX, &n)) return false;
  if (n == 0 || (n & (n - 1)) != 0) return refuse_variable(p, at, "an alignment must be a power of two");
  *align = (uint32_t)n;
  return true;
}

/* Behind .ptr: where the parameter points, and how that is aligned. */
static bool pointer(struct ptx_parser *p, struct ptx_variable *v) {
  const struct ptx_pos at = p->now.pos;
  v->ptr_space = space_here(p);
  if (v->ptr_space != PTX_GENERIC) {
    if (v->ptr_space == PTX_REG || v->ptr_space == PTX_SREG || v->ptr_space == PTX_PARAM)
      return refuse_variable(p, at, "nothing points there");
    ptx_next(p);
  }
  if (!ptx_is_word(p, "align")) return true;
  ptx_next(p);
  return alignment(p, &v->ptr_align);
}

/* One word in front of the name. */
static bool qualifier(struct ptx_parser *p, struct ptx_variable *v, bool parameter) {
  const struct ptx_token t = p->now;
  const char *word = ptx_intern_token(p, &t);
  const enum ptx_type type = ptx_type_of_word(word);
  ptx_next(p);
  if (strcmp(word, "align") == 0) return alignment(p, &v->align);
  if (strcmp(word, "ptr") == 0 && parameter) return pointer(p, v);
  if (strcmp(word, "v2") == 0 || strcmp(word, "v4") == 0) {
    if (v->vector != 1) return refuse_variable(p, t.pos, "a second vector size");
    v->vector = word[1] == '2' ? 2 : 4;
    return true;
  }
  if (type == PTX_NO_TYPE) {
    ptx_error(p->diag, t.pos, "'.%.60s' is not supported in a declaration of this space", word);
    return false;
  }
  if (v->type != PTX_NO_TYPE) return refuse_variable(p, t.pos, "a second type");
  v->type = type;
  return true;
}

/* Space, alignment, vector size and type: what all names of a declaration share. */
static bool qualifiers(struct ptx_parser *p, struct ptx_variable *v, bool parameter) {
  const struct ptx_pos at = p->now.pos;
  *v = (struct ptx_variable){.space = space_here(p), .vector = 1};
  ptx_next(p);
  while (p->now.kind == PTX_T_WORD)
    if (!qualifier(p, v, parameter)) return false;
  if (v->type == PTX_NO_TYPE) return ptx_wrong(p, "a type");
  if (v->type == PTX_PRED && (v->space != PTX_REG || v->vector > 1))
    return refuse_variable(p, at, "predicates are scalar registers only");
  if (v->type == PTX_B128 && (v->space != PTX_REG || parameter))
    return refuse_variable(p, at, ".b128 is for registers only");
  if (v->vector * ptx_type_bytes(v->type) > 16) return refuse_variable(p, at, "a vector has at most 16 bytes");
  if (v->align == 0) v->align = v->vector * ptx_type_bytes(v->type);
  return true;
}

/* [n][m]... behind a name. */
static bool dimensions(struct ptx_parser *p, struct ptx_variable *v, struct ptx_shape *s) {
  const struct ptx_pos at = p->now.pos;
  uint64_t most = 1; /* with 1 for empty dimensions, so that no product runs over */
  for (; ptx_take(p, '['); s->dims++) {
    if (s->dims == PTX_DIMENSIONS_MAX)
      return refuse_variable(p, p->now.pos, "more than 8 dimensions are not supported");
    if (s->dims == 0 && ptx_take(p, ']')) {
      s->open = true;
      continue;
    }
    if (!ptx_parse_integer(p, &s->dim[s->dims]) || !ptx_expect(p, ']', "behind the dimension")) return false;
  }
  v->array = s->dims > 0;
  v->elements = 1;
  for (unsigned i = 0; i < s->dims; i++) {
    if (s->dim[i] > PTX_VARIABLE_MAX / 16 / most) return refuse_variable(p, at, "this array is too large");
    if (s->dim[i] > 0) most *= s->dim[i];
    v->elements *= s->dim[i];
  }
  if (v->vector > 1) s->dim[s->dims++] = v->vector;
  v->bytes = v->elements * v->vector * ptx_type_bytes(v->type);
  return true;
}

static bool initialised(struct ptx_parser *p, struct ptx_variable *v, struct ptx_shape *s) {
  const struct ptx_pos at = p->now.pos;
  if (!ptx_take(p, '=')) {
    if (s->open && !v->is_extern) return refuse_variable(p, v->pos, "an array without a size needs .extern or values");
    return true;
  }
  if (v->is_extern) return refuse_variable(p, at, "an external variable has no values");
  if (v->space != PTX_GLOBAL && v->space != PTX_CONST)
    return refuse_variable(p, at, "only .global and .const variables have values");
  if (v->type == PTX_F16 || v->type == PTX_F16X2)
    return refuse_variable(p, at, "values of .f16 and .f16x2 variables are not supported");
  return ptx_parse_initialiser(p, v, s);
}

static bool count_registers(struct ptx_parser *p, struct ptx_pos at, uint64_t n) {
  if (n <= PTX_REGISTERS_MAX - p->registers) {
    p->registers += (uint32_t)n;
    return true;
  }
  ptx_error(p->diag, at, "more than %d registers in a function", PTX_REGISTERS_MAX);
  return false;
}

/* "%r<5>": all five, in one piece. Behind the '<'. */
static bool declare_range(struct ptx_parser *p, const struct ptx_variable *like, const struct ptx_token *name,
                          struct ptx_variable ***tail) {
  char text[PTX_RANGE_NAME_MAX + 16];
  uint64_t n;
  if (!ptx_parse_number(p, "a number of registers", UINT32_MAX, &n) ||
      !ptx_expect(p, '>', "behind the number of registers"))
    return false;
  if (name->length > PTX_RANGE_NAME_MAX) return refuse_variable(p, name->pos, "this name is too long for a range");
  if (!count_registers(p, name->pos, n)) return false;
  struct ptx_variable *v = ptx_alloc(p->arena, n * sizeof *v);
  memcpy(text, name->text, name->length);
  for (uint64_t i = 0; i < n; i++, v++) {
    const int digits = snprintf(text + name->length, 16, "%u", (unsigned)i);
    *v = *like;
    v->name = ptx_intern(p->arena, text, name->length + (size_t)digits);
    **tail = v;
    *tail = &v->next;
  }
  return true;
}

/* One name of a declaration. */
static bool declarator(struct ptx_parser *p, const struct ptx_variable *like, struct ptx_variable ***tail) {
  const struct ptx_token name = p->now;
  struct ptx_shape shape = {0};
  struct ptx_variable one = *like;
  one.pos = name.pos;
  one.elements = 1;
  one.bytes = (uint64_t)one.vector * ptx_type_bytes(one.type);
  if (name.kind != PTX_T_NAME) return ptx_wrong(p, "a name");
  ptx_next(p);
  if (one.space == PTX_REG) {
    if (ptx_take(p, '<')) return declare_range(p, &one, &name, tail);
    if (ptx_is(p, '[')) return refuse_variable(p, p->now.pos, "registers have no arrays");
    if (!count_registers(p, name.pos, 1)) return false;
  } else if (!dimensions(p, &one, &shape)) {
    return false;
  }
  if (!initialised(p, &one, &shape)) return false;
  struct ptx_variable *v = ptx_alloc(p->arena, sizeof *v);
  *v = one;
  v->name = ptx_intern_token(p, &name);
  **tail = v;
  *tail = &v->next;
  return true;
}

bool ptx_parse_variables(struct ptx_parser *p, bool is_extern, struct ptx_variable ***tail) {
  struct ptx_variable like;
  if (!qualifiers(p, &like, false)) return false;
  like.is_extern = is_extern;
  do {
    if (!declarator(p, &like, tail)) return false;
  } while (ptx_take(p, ','));
  return ptx_expect(p, ';', "behind the declaration");
}

static bool parameter(struct ptx_parser *p, struct ptx_variable ***tail) {
  struct ptx_variable like;
  const enum ptx_space space = space_here(p);
  if (space != PTX_PARAM && space != PTX_REG) return ptx_wrong(p, "a parameter, .param or .reg");
  if (!qualifiers(p, &like, true)) return false;
  const struct ptx_pos at = p->now.pos;
  struct ptx_variable **before = *tail;
  if (!declarator(p, &like, tail)) return false;
  return (*before != NULL && (*before)->next == NULL) || refuse_variable(p, at, "a parameter is one register");
}

bool ptx_parse_parameters(struct ptx_parser *p, struct ptx_variable **list) {
  struct ptx_variable **tail = list;
  ptx_next(p);
  if (ptx_take(p, ')')) return true;
  do {
    if (!parameter(p, &tail)) return false;
  } while (ptx_take(p, ','));
  return ptx_expect(p, ')', "behind the parameters");
}
