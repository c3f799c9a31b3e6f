/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant expressions: operators and precedence of C over 64-bit integers, signed or not, and doubles; both kinds
 * do not mix. What C leaves open is defined: integers wrap, % is unsigned, a shift by 64 or more leaves only the sign.
 */
#include "compiler/parse/parse.h"

#include <string.h>

enum { WARP_SIZE = 32 };

static const struct operation {
  unsigned punct;
  uint8_t level; /* the higher, the closer it binds */
} operations[] = {
    {'*', 10},
    {'/', 10},
    {'%', 10},
    {'+', 9},
    {'-', 9},
    {PTX_TWO('<', '<'), 8},
    {PTX_TWO('>', '>'), 8},
    {'<', 7},
    {'>', 7},
    {PTX_TWO('<', '='), 7},
    {PTX_TWO('>', '='), 7},
    {PTX_TWO('=', '='), 6},
    {PTX_TWO('!', '='), 6},
    {'&', 5},
    {'^', 4},
    {'|', 3},
    {PTX_TWO('&', '&'), 2},
    {PTX_TWO('|', '|'), 1},
};

static const struct operation *operation_of(const struct ptx_token *t) {
  if (t->kind != PTX_T_PUNCT) return NULL;
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
    if (operations[i].punct == t->punct) return &operations[i];
  return NULL;
}

static bool is_integer(const struct ptx_constant *c) {
  return c->kind == PTX_C_S64 || c->kind == PTX_C_U64;
}

static bool refuse_constant(struct ptx_parser *p, struct ptx_pos at, const char *why) {
  ptx_error(p->diag, at, "%s", why);
  return false;
}

static double as_double(const struct ptx_constant *c) {
  double d;
  memcpy(&d, &c->bits, sizeof d);
  return d;
}

static bool set_double(struct ptx_constant *c, double d) {
  c->kind = PTX_C_F64;
  memcpy(&c->bits, &d, sizeof d);
  return true;
}

static bool set_truth(struct ptx_constant *c, bool truth) {
  c->kind = PTX_C_S64;
  c->bits = truth;
  return true;
}

static bool shift_right(struct ptx_constant *a, uint64_t by) {
  const bool fill = a->kind == PTX_C_S64 && a->bits >> 63 != 0;
  if (by >= 64)
    a->bits = fill ? UINT64_MAX : 0;
  else if (by > 0)
    a->bits = a->bits >> by | (fill ? UINT64_MAX << (64 - by) : 0);
  return true;
}

static bool divide_constants(struct ptx_parser *p, struct ptx_constant *a, const struct ptx_constant *b,
                             bool is_signed) {
  if (b->bits == 0) return refuse_constant(p, a->pos, "division by zero");
  if (!is_signed)
    a->bits /= b->bits;
  else if (b->bits == UINT64_MAX)
    a->bits = 0 - a->bits; /* by -1: also of the smallest number */
  else
    a->bits = (uint64_t)((int64_t)a->bits / (int64_t)b->bits);
  return true;
}

static bool remainder_of(struct ptx_parser *p, struct ptx_constant *a, const struct ptx_constant *b) {
  if (b->bits == 0) return refuse_constant(p, a->pos, "division by zero");
  a->kind = PTX_C_S64;
  a->bits %= b->bits;
  return true;
}

/* Operators that make a truth value; false when `op` is none. */
static bool compare_integers(unsigned op, struct ptx_constant *a, const struct ptx_constant *b, bool is_signed) {
  const uint64_t flip = is_signed ? UINT64_C(1) << 63 : 0, x = a->bits ^ flip, y = b->bits ^ flip;
  switch (op) {
  case '<':
    return set_truth(a, x < y);
  case '>':
    return set_truth(a, x > y);
  case PTX_TWO('<', '='):
    return set_truth(a, x <= y);
  case PTX_TWO('>', '='):
    return set_truth(a, x >= y);
  case PTX_TWO('=', '='):
    return set_truth(a, x == y);
  case PTX_TWO('!', '='):
    return set_truth(a, x != y);
  case PTX_TWO('&', '&'):
    return set_truth(a, a->bits != 0 && b->bits != 0);
  case PTX_TWO('|', '|'):
    return set_truth(a, a->bits != 0 || b->bits != 0);
  default:
    return false;
  }
}

static bool apply_integers(struct ptx_parser *p, unsigned op, struct ptx_constant *a, const struct ptx_constant *b) {
  const bool is_signed = a->kind == PTX_C_S64 && b->kind == PTX_C_S64;
  if (compare_integers(op, a, b, is_signed)) return true;
  if (op == PTX_TWO('>', '>')) return shift_right(a, b->bits);
  if (op == PTX_TWO('<', '<')) {
    a->bits = b->bits < 64 ? a->bits << b->bits : 0;
    return true;
  }
  if (op == '%') return remainder_of(p, a, b);
  a->kind = is_signed ? PTX_C_S64 : PTX_C_U64;
  switch (op) {
  case '*':
    a->bits *= b->bits;
    return true;
  case '/':
    return divide_constants(p, a, b, is_signed);
  case '+':
    a->bits += b->bits;
    return true;
  case '-':
    a->bits -= b->bits;
    return true;
  case '&':
    a->bits &= b->bits;
    return true;
  case '^':
    a->bits ^= b->bits;
    return true;
  default:
    a->bits |= b->bits;
    return true;
  }
}

static bool apply_doubles(struct ptx_parser *p, unsigned op, struct ptx_constant *a, const struct ptx_constant *b) {
  const double x = as_double(a), y = as_double(b);
  switch (op) {
  case '*':
    return set_double(a, x * y);
  case '/':
    return y != 0 ? set_double(a, x / y) : refuse_constant(p, a->pos, "division by zero");
  case '+':
    return set_double(a, x + y);
  case '-':
    return set_double(a, x - y);
  case '<':
    return set_truth(a, x < y);
  case '>':
    return set_truth(a, x > y);
  case PTX_TWO('<', '='):
    return set_truth(a, x <= y);
  case PTX_TWO('>', '='):
    return set_truth(a, x >= y);
  case PTX_TWO('=', '='):
    return set_truth(a, x == y);
  case PTX_TWO('!', '='):
    return set_truth(a, x != y);
  default:
    return refuse_constant(p, a->pos, "this operator is for integers");
  }
}

static bool alone(struct ptx_parser *p, const struct ptx_constant *c) {
  return c->kind != PTX_C_F32 || refuse_constant(p, c->pos, "a 0f constant must be alone, not in an expression");
}

static bool same_kind(struct ptx_parser *p, const struct ptx_constant *a, const struct ptx_constant *b) {
  if (!alone(p, a) || !alone(p, b)) return false;
  return is_integer(a) == is_integer(b) ||
         refuse_constant(p, a->pos, "an integer and a floating-point constant in one expression");
}

static bool unary(struct ptx_parser *p, struct ptx_constant *c);

static bool cast_or_parentheses(struct ptx_parser *p, struct ptx_constant *c) {
  const bool is_signed = ptx_is_word(p, "s64");
  if (p->now.kind != PTX_T_WORD) return ptx_parse_expression(p, c) && ptx_expect(p, ')', "behind the expression");
  if (!is_signed && !ptx_is_word(p, "u64")) return ptx_wrong(p, "a cast, (.s64) or (.u64)");
  ptx_next(p);
  if (!ptx_expect(p, ')', "behind the cast") || !unary(p, c)) return false;
  if (!is_integer(c)) return refuse_constant(p, c->pos, "only integers can be cast");
  c->kind = is_signed ? PTX_C_S64 : PTX_C_U64;
  return true;
}

static bool apply_sign(struct ptx_parser *p, unsigned op, struct ptx_constant *c) {
  if (!alone(p, c)) return false;
  if (op == '+') return true;
  if (op == '-' && c->kind == PTX_C_F64) return set_double(c, -as_double(c));
  if (!is_integer(c)) return refuse_constant(p, c->pos, "this operator is for integers");
  if (op == '!') return set_truth(c, c->bits == 0);
  c->bits = op == '-' ? 0 - c->bits : ~c->bits;
  if (op == '~') c->kind = PTX_C_U64;
  return true;
}

static bool primary(struct ptx_parser *p, struct ptx_constant *c) {
  const struct ptx_token *t = &p->now;
  c->bits = t->bits;
  if (t->kind == PTX_T_INT)
    c->kind = t->is_unsigned ? PTX_C_U64 : PTX_C_S64;
  else if (t->kind == PTX_T_F32)
    c->kind = PTX_C_F32;
  else if (t->kind == PTX_T_F64)
    c->kind = PTX_C_F64;
  else if (ptx_is_name(p, "WARP_SZ"))
    *c = (struct ptx_constant){.kind = PTX_C_S64, .pos = c->pos, .bits = WARP_SIZE};
  else
    return ptx_wrong(p, "a constant");
  ptx_next(p);
  return true;
}

static bool unary(struct ptx_parser *p, struct ptx_constant *c) {
  c->pos = p->now.pos;
  const unsigned op = p->now.kind == PTX_T_PUNCT ? p->now.punct : 0;
  if (op == 0 || op > 0xff || strchr("+-!~(", (int)op) == NULL) return primary(p, c);
  const struct ptx_pos pos = c->pos;
  if (!ptx_enter(p)) return false;
  ptx_next(p);
  const bool ok = op == '(' ? cast_or_parentheses(p, c) : unary(p, c) && apply_sign(p, op, c);
  ptx_leave(p);
  c->pos = pos;
  return ok;
}

/* Operators of `level` and higher. */
static bool binary(struct ptx_parser *p, struct ptx_constant *a, unsigned level) {
  if (!unary(p, a)) return false;
  for (const struct operation *o; (o = operation_of(&p->now)) != NULL && o->level >= level;) {
    struct ptx_constant b;
    ptx_next(p);
    if (!binary(p, &b, o->level + 1u) || !same_kind(p, a, &b)) return false;
    if (!(is_integer(a) ? apply_integers : apply_doubles)(p, o->punct, a, &b)) return false;
  }
  return true;
}

/* Behind the '?'. */
static bool parse_choice(struct ptx_parser *p, struct ptx_constant *c) {
  struct ptx_constant a, b;
  if (!is_integer(c)) return refuse_constant(p, c->pos, "the condition of ?: must be an integer");
  if (!ptx_enter(p)) return false;
  const bool ok =
      ptx_parse_expression(p, &a) && ptx_expect(p, ':', "of ?:") && ptx_parse_expression(p, &b) && same_kind(p, &a, &b);
  ptx_leave(p);
  if (!ok) return false;
  const bool is_unsigned = a.kind == PTX_C_U64 || b.kind == PTX_C_U64;
  c->bits = c->bits != 0 ? a.bits : b.bits;
  c->kind = is_unsigned ? PTX_C_U64 : a.kind;
  return true;
}

bool ptx_parse_expression(struct ptx_parser *p, struct ptx_constant *c) {
  if (!binary(p, c, 1)) return false;
  return !ptx_take(p, '?') || parse_choice(p, c);
}

bool ptx_parse_integer(struct ptx_parser *p, uint64_t *bits) {
  struct ptx_constant c;
  if (!ptx_parse_expression(p, &c)) return false;
  *bits = c.bits;
  return is_integer(&c) || refuse_constant(p, c.pos, "expected an integer");
}

bool ptx_parse_number(struct ptx_parser *p, const char *what, uint64_t most, uint64_t *value) {
  if (p->now.kind != PTX_T_INT) return ptx_wrong(p, what);
  *value = p->now.bits;
  if (*value > most) {
    ptx_error(p->diag, p->now.pos, "%s is too large: at most %llu", what, (unsigned long long)most);
    return false;
  }
  ptx_next(p);
  return true;
}
