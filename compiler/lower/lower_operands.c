/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of statements as values: registers looked up, constants cut to their type, sizes checked. Kinds are not
 * checked (a .b32 register may hold a float), sizes are.
 */
#include "compiler/lower/lower.h"

#include <string.h>

static uint64_t cut(uint64_t bits, enum ptx_type t) {
  unsigned bytes = ptx_type_bytes(t);
  return bytes == 0 ? bits != 0 : bytes == 8 ? bits : bits & ((UINT64_C(1) << 8 * bytes) - 1);
}

/* ---- constants: NaNs keep their payload, which a C conversion would not promise ---- */

static uint64_t single_to_double(uint32_t bits) {
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (uint64_t)(bits >> 31) << 63 | UINT64_C(0x7ff) << 52 | (uint64_t)(bits & 0x7fffff) << 29;
  float f;
  memcpy(&f, &bits, sizeof f);
  double wide = (double)f;
  uint64_t out;
  memcpy(&out, &wide, sizeof out);
  return out;
}

static uint32_t narrowed(uint64_t bits) {
  if ((bits & INT64_MAX) > UINT64_C(0x7ff) << 52) {
    uint32_t payload = (uint32_t)(bits >> 29) & 0x7fffff;
    return (uint32_t)(bits >> 63) << 31 | 0x7f800000 | (payload ? payload : 0x400000);
  }
  double wide;
  memcpy(&wide, &bits, sizeof wide);
  float f = (float)wide;
  uint32_t out;
  memcpy(&out, &f, sizeof out);
  return out;
}

static bool float_constant(const struct ptx_operand *o, enum ptx_type t, uint64_t *bits) {
  bool single = o->kind == PTX_OP_F32;
  if (t == PTX_F32)
    *bits = single ? o->bits & UINT32_MAX : narrowed(o->bits);
  else if (t == PTX_F64)
    *bits = single ? single_to_double((uint32_t)o->bits) : o->bits;
  else if (t == PTX_B32 && single)
    *bits = o->bits & UINT32_MAX;
  else if (t == PTX_B64 && !single)
    *bits = o->bits;
  else
    return false;
  return true;
}

static const char *type_text(enum ptx_type t) {
  return t == PTX_PRED ? "pred" : ptx_type_word(t);
}

bool lower_constant(struct lower *l, const struct ptx_operand *o, enum ptx_type t, uint64_t *bits) {
  *bits = 0;
  if (o->kind == PTX_OP_INT) {
    if (lower_float(t))
      ptx_error(l->d, o->pos, "an integer constant stands where a .%s is wanted", type_text(t));
    else
      *bits = cut(o->bits, t);
    return true;
  }
  if (o->kind != PTX_OP_F32 && o->kind != PTX_OP_F64) return false;
  if (!float_constant(o, t, bits))
    ptx_error(l->d, o->pos, "a floating-point constant stands where a .%s is wanted", type_text(t));
  return true;
}

/* ---- registers ---- */

struct binding *lower_find(struct lower *l, const struct ptx_operand *o) {
  struct binding *b = names_find(l->frame->names, o->name);
  if (!b) b = names_find(l->module->names, o->name);
  if (!b) ptx_error(l->d, o->pos, "'%s' is not declared", o->name);
  return b;
}

struct ir_value *lower_register(struct lower *l, struct binding *b) {
  if (!b->value) {
    b->value = ir_value_new(l->f, ir_class_of(b->variable->type));
    b->value->name = b->name;
  }
  return b->value;
}

static const char *what_is(const struct binding *b) {
  static const char *const texts[] = {[BIND_REGISTER] = "a register",
                                      [BIND_VECTOR] = "a vector register",
                                      [BIND_SCALAR] = "a parameter variable",
                                      [BIND_MEMORY] = "a variable",
                                      [BIND_LABEL] = "a label",
                                      [BIND_TARGETS] = "a list of targets",
                                      [BIND_FUNCTION] = "a function",
                                      [BIND_OTHER] = "a list or prototype"};
  return texts[b->kind];
}

/* The register that an operand names; NULL: told. */
static struct binding *find_register(struct lower *l, const struct ptx_operand *o) {
  if (o->kind != PTX_OP_NAME) {
    ptx_error(l->d, o->pos, "a register is wanted here");
    return NULL;
  }
  struct binding *b = lower_find(l, o);
  if (!b || b->kind == BIND_REGISTER) return b;
  ptx_error(l->d, o->pos, "'%s' is %s, not a register", o->name, what_is(b));
  return NULL;
}

enum size_rule { EXACT, AT_LEAST };

static bool size_right(struct lower *l, const struct ptx_operand *o, enum ptx_type have, enum ptx_type t,
                       enum size_rule rule) {
  unsigned bytes = ptx_type_bytes(have), wanted = ptx_type_bytes(t);
  if ((have == PTX_PRED) == (t == PTX_PRED) && (bytes == wanted || (rule == AT_LEAST && bytes > wanted))) return true;
  ptx_error(l->d, o->pos, "'%s' is a .%s, where a .%s is wanted", o->name, type_text(have), type_text(t));
  return false;
}

static struct ir_operand zero(void) {
  return ir_bits(0);
}

/* The value in the class of its own register; *have: the register's type. */
static struct ir_operand read_value(struct lower *l, const struct ptx_operand *o, enum ptx_type t, enum size_rule rule,
                                    enum ptx_type *have) {
  struct ir_operand v;
  *have = t;
  if (o->kind == PTX_OP_SREG) {
    unsigned bytes;
    if (!lower_special(l, o, &v, &bytes)) return zero();
    *have = bytes == 8 ? PTX_B64 : PTX_B32;
    return size_right(l, o, *have, t, AT_LEAST) ? v : zero();
  }
  struct binding *b = find_register(l, o);
  if (!b) return zero();
  *have = b->variable->type;
  if (!size_right(l, o, *have, t, rule)) return zero();
  if (o->negate || (o->invert && t != PTX_PRED)) {
    ptx_error(l->d, o->pos, "'%s' cannot be %s here", o->name, o->negate ? "negated" : "inverted");
    return zero();
  }
  v = ir_use(lower_register(l, b));
  return o->invert ? lower_one(l, IR_NOT, PTX_PRED, v) : v;
}

static struct ir_operand read_as(struct lower *l, const struct ptx_operand *o, enum ptx_type t, enum size_rule rule) {
  uint64_t bits;
  enum ptx_type have;
  if (lower_constant(l, o, t, &bits)) return ir_bits(bits);
  if (o->kind != PTX_OP_NAME && o->kind != PTX_OP_SREG) {
    ptx_error(l->d, o->pos, "a register or a constant is wanted here");
    return zero();
  }
  struct ir_operand v = read_value(l, o, t, rule, &have);
  bool wide = ir_class_of(have) == IR_64 && ir_class_of(t) == IR_32 && v.kind == IR_VALUE;
  return wide ? lower_cvt(l, PTX_U32, PTX_U64, v) : v;
}

struct ir_operand lower_read(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  return read_as(l, o, t, EXACT);
}

struct ir_operand lower_read_low(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  return read_as(l, o, t, AT_LEAST);
}

struct ir_operand lower_read_extended(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  struct ir_operand v = lower_read(l, o, t);
  return lower_float(t) ? v : lower_extend(l, v, t, 4);
}

/* ---- destinations ---- */

static struct place write_as(struct lower *l, const struct ptx_operand *o, enum ptx_type t, enum size_rule rule) {
  struct place p = {NULL, ptx_type_bytes(t)};
  if (o->kind != PTX_OP_SINK) {
    struct binding *b = find_register(l, o);
    if (b && (o->negate || o->invert)) ptx_error(l->d, o->pos, "a destination has no sign");
    if (b && size_right(l, o, b->variable->type, t, rule))
      return (struct place){lower_register(l, b), ptx_type_bytes(b->variable->type)};
  }
  p.value = ir_value_new(l->f, ir_class_of(t));
  return p;
}

struct ir_value *lower_write(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  return write_as(l, o, t, EXACT).value;
}

struct place lower_write_wide(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  return write_as(l, o, t, AT_LEAST);
}
