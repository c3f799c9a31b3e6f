/* SPDX-License-Identifier: Apache-2.0
 *
 * The value that a tree of branches looks at, and what becomes of it in comparisons. */
#include <stdlib.h>

#include "compiler/optimise/switch.h"

enum { DEEP = 4 };

static const struct ir_insn *definition(const struct ir_operand *o) {
  const struct ir_insn *d = o->kind == IR_VALUE ? o->value->def : NULL;
  return d && !d->guard ? d : NULL;
}

static bool is_word(uint8_t t) {
  return t == PTX_U32 || t == PTX_S32 || t == PTX_B32;
}

static bool is_sum(const struct ir_insn *d) {
  return (d->op == IR_ADD || d->op == IR_SUB) && is_word(d->type) && d->src[1].kind == IR_CONST;
}

static bool is_extension(const struct ir_insn *d) {
  return d->op == IR_CVT && is_word(d->type) &&
         (d->type2 == PTX_U8 || d->type2 == PTX_S8 || d->type2 == PTX_U16 || d->type2 == PTX_S16);
}

static uint32_t extend_narrow(uint8_t t, uint32_t x) {
  switch (t) {
  case PTX_U8:
    return x & 0xff;
  case PTX_S8:
    return (uint32_t)(int32_t)(int8_t)(x & 0xff);
  case PTX_U16:
    return x & 0xffff;
  default:
    return (uint32_t)(int32_t)(int16_t)(x & 0xffff);
  }
}

/* Of an operand, where the tree's value is x. */
static bool value_at(const struct tree *t, const struct ir_operand *o, uint32_t x, unsigned depth, uint32_t *out) {
  if (o->kind == IR_CONST) *out = (uint32_t)o->bits;
  if (o->kind == IR_VALUE && o->value == t->value) *out = x;
  if (o->kind == IR_CONST || (o->kind == IR_VALUE && o->value == t->value)) return true;
  const struct ir_insn *d = definition(o);
  uint32_t a;
  if (!d || depth == DEEP || !(is_sum(d) || is_extension(d)) || !value_at(t, &d->src[0], x, depth + 1, &a))
    return false;
  if (is_extension(d))
    *out = extend_narrow(d->type2, a);
  else
    *out = d->op == IR_ADD ? a + (uint32_t)d->src[1].bits : a - (uint32_t)d->src[1].bits;
  return true;
}

static bool compared(uint8_t cmp, bool less, bool equal, bool *out) {
  switch (cmp) {
  case IR_EQ:
    *out = equal;
    return true;
  case IR_NE:
    *out = !equal;
    return true;
  case IR_LT:
    *out = less;
    return true;
  case IR_LE:
    *out = less || equal;
    return true;
  case IR_GT:
    *out = !less && !equal;
    return true;
  case IR_GE:
    *out = !less;
    return true;
  default:
    return false;
  }
}

const struct ir_insn *switch_comparison(const struct ir_block *b) {
  const struct ir_insn *c = b->last && b->last->op == IR_CBR ? definition(&b->last->src[0]) : NULL;
  const bool right = c && c->op == IR_SETP && is_word(c->type) && c->sources == 2 && c->comparison.combine == IR_B_NONE;
  return right ? c : NULL;
}

/* Which way b goes, where the tree's value is x; NULL: it depends on something else. */
struct ir_block *switch_goes_to(struct tree *t, const struct ir_block *b, uint32_t x) {
  const struct ir_insn *c = switch_comparison(b);
  uint32_t l, r;
  bool holds;
  t->work++;
  if (!c || !value_at(t, &c->src[0], x, 0, &l) || !value_at(t, &c->src[1], x, 0, &r)) return NULL;
  const bool less = c->type == PTX_S32 ? (int32_t)l < (int32_t)r : l < r;
  if (!compared(c->comparison.cmp, less, l == r, &holds)) return NULL;
  const bool second = b->last->src[0].value == c->dst[0] ? !holds : holds; /* dst[1]: the other way round */
  return b->succ[second != b->last->invert ? 1 : 0];
}

/* What the first comparison looks at, behind sums and extensions. */
struct ir_value *switch_looked_at(const struct ir_block *root) {
  const struct ir_insn *c = switch_comparison(root), *d;
  if (!c || c->src[0].kind != IR_VALUE) return NULL;
  const struct ir_operand *o = &c->src[0];
  while ((d = definition(o)) != NULL && (is_sum(d) || is_extension(d)) && d->src[0].kind == IR_VALUE) o = &d->src[0];
  return o->value->class == IR_32 ? o->value : NULL;
}

static int by_size(const void *x, const void *y) {
  const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return a < b ? -1 : a > b;
}

/* The constant that is added to the tree's value; false: it is not as simple as that. */
static bool offset_of(const struct tree *t, const struct ir_operand *o, uint32_t *offset) {
  const struct ir_insn *d;
  *offset = 0;
  for (unsigned depth = 0; o->kind == IR_VALUE && o->value != t->value; depth++) {
    if ((d = definition(o)) == NULL || !is_sum(d) || depth == DEEP) return false;
    *offset += d->op == IR_ADD ? (uint32_t)d->src[1].bits : -(uint32_t)d->src[1].bits;
    o = &d->src[0];
  }
  return o->kind == IR_VALUE;
}

/* At most 5 a block and 256. */
uint32_t switch_changes(struct tree *t) {
  const struct ir_insn *d = t->value->def;
  uint32_t n = 0, *at = t->change;
  if (d && !d->guard && d->op == IR_LD && (d->type == PTX_U8 || d->type == PTX_S8)) {
    for (uint32_t x = 0; x < 256; x++) at[n++] = extend_narrow(d->type, x);
  } else {
    at[n++] = 0;
    for (unsigned k = 0; k < t->blocks; k++) {
      const struct ir_insn *c = switch_comparison(t->block[k]);
      uint32_t offset;
      if (c->src[1].kind != IR_CONST || !offset_of(t, &c->src[0], &offset)) return 0;
      const uint32_t equal = (uint32_t)c->src[1].bits - offset;
      at[n++] = equal;
      at[n++] = equal + 1;
      at[n++] = 0u - offset;
      at[n++] = 0x80000000u - offset;
    }
  }
  qsort(at, n, sizeof *at, by_size);
  return n;
}

bool switch_is_step(const struct ir_insn *i) {
  return !i->guard && (i->op == IR_SETP || is_sum(i) || is_extension(i));
}
