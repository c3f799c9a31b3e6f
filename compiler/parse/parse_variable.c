/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of variables, registers and parameters, and their values.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "compiler/parse/parse.h"

/* Values of variables: numbers and addresses, in braces for arrays and vectors. As in C, the braces of inner rows may
 * be left out, and what is not given is zero. */

struct filler {
  struct ptx_parser *p;
  struct ptx_variable *v;
  struct ptx_shape *shape;
  uint64_t row[PTX_DIMENSIONS_MAX + 2]; /* scalars in one element of the dimension before; row[dims] = 1 */
  uint64_t given;                       /* scalars up to the last value */
  uint8_t *bytes;
  uint64_t room; /* bytes */
  unsigned address_room;
};

static bool refuse_value(struct filler *f, struct ptx_pos at, const char *why) {
  ptx_error(f->p->diag, at, "%s", why);
  return false;
}

/* Bytes of scalar `at`; NULL with an error when there are too many. */
static uint8_t *place_scalar(struct filler *f, uint64_t at, struct ptx_pos pos) {
  const unsigned size = ptx_type_bytes(f->v->type);
  if ((at + 1) * size > PTX_INITIALISED_MAX) {
    ptx_error(f->p->diag, pos, "more than %d bytes of values are not supported", PTX_INITIALISED_MAX);
    return NULL;
  }
  if ((at + 1) * size > f->room) {
    uint64_t room = f->room > 0 ? f->room * 2 : 64;
    while (room < (at + 1) * size) room *= 2;
    uint8_t *bytes = ptx_alloc(f->p->arena, room);
    if (f->room > 0) memcpy(bytes, f->bytes, f->room);
    f->bytes = bytes;
    f->room = room;
  }
  return f->bytes + at * size;
}

static void put_bits(struct filler *f, uint8_t *to, uint64_t bits) {
  for (unsigned i = 0; i < ptx_type_bytes(f->v->type); i++) to[i] = (uint8_t)(bits >> 8 * i);
}

/* Cut to the type, with a warning when that changes the number; upper bits that are all ones are a sign, also those
 * of ~0, which is unsigned. */
static bool put_integer(struct filler *f, const struct ptx_constant *c, uint8_t *to) {
  const unsigned width = 8 * ptx_type_bytes(f->v->type);
  if (f->v->type >= PTX_F16) return refuse_value(f, c->pos, "expected a floating-point constant");
  const uint64_t high = width < 64 ? c->bits >> (width - 1) : 0;
  const bool is_negative = high == UINT64_MAX >> (width - 1);
  if (width < 64 && high > 1 && !is_negative) ptx_warning(f->p->diag, c->pos, "this number is cut to %u bits", width);
  put_bits(f, to, c->bits);
  return true;
}

static bool put_double(struct filler *f, const struct ptx_constant *c, uint8_t *to) {
  double d;
  memcpy(&d, &c->bits, sizeof d);
  if (f->v->type == PTX_F64 || f->v->type == PTX_B64) {
    put_bits(f, to, c->bits);
    return true;
  }
  if (f->v->type != PTX_F32) return refuse_value(f, c->pos, "a floating-point constant in a variable of another type");
  const float s = (float)d;
  uint32_t bits;
  memcpy(&bits, &s, sizeof bits);
  if (isinf(s) && !isinf(d)) return refuse_value(f, c->pos, "this number does not fit a float");
  put_bits(f, to, bits);
  return true;
}

static bool put_single(struct filler *f, const struct ptx_constant *c, uint8_t *to) {
  if (f->v->type != PTX_F32 && f->v->type != PTX_B32)
    return refuse_value(f, c->pos, "a single-precision constant in a variable of another type");
  put_bits(f, to, c->bits);
  return true;
}

static bool fill_constant(struct filler *f, uint64_t at) {
  struct ptx_constant c;
  if (!ptx_parse_expression(f->p, &c)) return false;
  if (ptx_is(f->p, '(')) return refuse_value(f, c.pos, "masked addresses, 0xff(x), are not supported");
  uint8_t *to = place_scalar(f, at, c.pos);
  if (to == NULL) return false;
  if (c.kind == PTX_C_F32) return put_single(f, &c, to);
  return c.kind == PTX_C_F64 ? put_double(f, &c, to) : put_integer(f, &c, to);
}

static struct ptx_init_address *new_address(struct filler *f) {
  struct ptx_variable *v = f->v;
  if (v->init_addresses == f->address_room) {
    f->address_room = f->address_room > 0 ? f->address_room * 2 : 4;
    struct ptx_init_address *more = ptx_alloc(f->p->arena, f->address_room * sizeof *more);
    if (v->init_addresses > 0) memcpy(more, v->init_address, v->init_addresses * sizeof *more);
    v->init_address = more;
  }
  return &v->init_address[v->init_addresses++];
}

/* name, name + 4, generic(name), generic(name) + 4. */
static bool fill_address(struct filler *f, uint64_t at) {
  struct ptx_parser *p = f->p;
  const struct ptx_pos pos = p->now.pos;
  const bool generic = ptx_is_name(p, "generic") && ptx_peek(p)->kind == PTX_T_PUNCT && ptx_peek(p)->punct == '(';
  uint64_t addend = 0;
  if (ptx_type_bytes(f->v->type) != 8 || f->v->type >= PTX_F16)
    return refuse_value(f, pos, "an address needs a .b64, .u64 or .s64 variable");
  if (generic) {
    ptx_next(p);
    ptx_next(p);
  }
  const char *name = ptx_take_name(p, "a variable");
  if (name == NULL || (generic && !ptx_expect(p, ')', "behind the variable"))) return false;
  if ((ptx_is(p, '+') || ptx_is(p, '-')) && !ptx_parse_integer(p, &addend)) return false;
  if (place_scalar(f, at, pos) == NULL) return false;
  *new_address(f) =
      (struct ptx_init_address){.at = at * 8, .name = name, .addend = (int64_t)addend, .generic = generic};
  return true;
}

static bool scalar(struct filler *f, uint64_t at) {
  const bool is_name = f->p->now.kind == PTX_T_NAME && !ptx_is_name(f->p, "WARP_SZ");
  if (!(is_name ? fill_address(f, at) : fill_constant(f, at))) return false;
  if (f->given < at + 1) f->given = at + 1;
  return true;
}

/* { ... } of dimension `level`, whose first scalar is `first`. */
static bool braces(struct filler *f, unsigned level, uint64_t first) {
  struct ptx_parser *p = f->p;
  const bool endless = level == 0 && f->shape->open;
  const uint64_t end = first + f->row[level];
  uint64_t at = first;
  ptx_next(p);
  p->braces++;
  while (!ptx_is(p, '}')) {
    if (!endless && at >= end) return refuse_value(f, p->now.pos, "more values than elements");
    if (at > PTX_INITIALISED_MAX) return place_scalar(f, at, p->now.pos) != NULL;
    if (!ptx_is(p, '{')) {
      if (!scalar(f, at++)) return false;
    } else {
      const uint64_t row = level + 1 < f->shape->dims ? f->row[level + 1] : 0;
      if (row == 0 || (at - first) % row != 0)
        return refuse_value(f, p->now.pos, "this brace does not fit the dimensions");
      if (!braces(f, level + 1, at)) return false;
      at += row;
      if (f->given < at) f->given = at;
    }
    if (!ptx_take(p, ',')) break;
  }
  if (!ptx_expect(p, '}', "behind the values")) return false;
  p->braces--;
  return true;
}

/* The size that the values give, and the bytes of the whole variable. */
static bool finish_variable(struct filler *f, struct ptx_pos at) {
  struct ptx_variable *v = f->v;
  const unsigned size = ptx_type_bytes(v->type);
  if (f->shape->open) {
    f->shape->dim[0] = f->row[1] > 0 ? (f->given + f->row[1] - 1) / f->row[1] : 0;
    v->elements = f->shape->dim[0] * f->row[1] / v->vector;
    v->bytes = v->elements * v->vector * size;
  }
  if (v->bytes > PTX_INITIALISED_MAX) {
    ptx_error(f->p->diag, at, "more than %d bytes of values are not supported", PTX_INITIALISED_MAX);
    return false;
  }
  uint8_t *bytes = ptx_alloc(f->p->arena, v->bytes);
  const uint64_t have = f->given * size < v->bytes ? f->given * size : v->bytes;
  if (have > 0) memcpy(bytes, f->bytes, have < f->room ? have : f->room);
  v->init = bytes;
  return true;
}

/* `now`: behind '='. Sets the bytes of `v`; of an open shape also the first dimension. */
static bool ptx_parse_initialiser(struct ptx_parser *p, struct ptx_variable *v, struct ptx_shape *shape) {
  struct filler f = {.p = p, .v = v, .shape = shape};
  const struct ptx_pos at = p->now.pos;
  f.row[shape->dims] = 1;
  for (unsigned i = shape->dims; i-- > 0;) f.row[i] = f.row[i + 1] * shape->dim[i];
  if (shape->dims == 0) {
    if (!scalar(&f, 0)) return false;
  } else {
    if (!ptx_is(p, '{')) return ptx_wrong(p, "'{' and values");
    if (!braces(&f, 0, 0)) return false;
  }
  return finish_variable(&f, at);
}

/* Declarations of variables, registers and parameters. */

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
