/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of variables: numbers and addresses, in braces for arrays and vectors. As in C, the braces of inner rows may
 * be left out, and what is not given is zero.
 */
#include "compiler/parse/parse.h"

#include <math.h>
#include <string.h>

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

bool ptx_parse_initialiser(struct ptx_parser *p, struct ptx_variable *v, struct ptx_shape *shape) {
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
