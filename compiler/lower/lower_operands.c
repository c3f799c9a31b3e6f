/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of statements as values: registers, constants, special registers, names.
 */
#include <string.h>
#include "compiler/lower/lower.h"

/* Special registers as sources. */

static const struct special {
  const char *name;
  uint8_t sreg, bytes;
} specials[] = {{"%tid.x", IR_TID_X, 4},
                {"%tid.y", IR_TID_Y, 4},
                {"%tid.z", IR_TID_Z, 4},
                {"%ntid.x", IR_NTID_X, 4},
                {"%ntid.y", IR_NTID_Y, 4},
                {"%ntid.z", IR_NTID_Z, 4},
                {"%ctaid.x", IR_CTAID_X, 4},
                {"%ctaid.y", IR_CTAID_Y, 4},
                {"%ctaid.z", IR_CTAID_Z, 4},
                {"%nctaid.x", IR_NCTAID_X, 4},
                {"%nctaid.y", IR_NCTAID_Y, 4},
                {"%nctaid.z", IR_NCTAID_Z, 4},
                {"%laneid", IR_LANEID, 4},
                {"%warpid", IR_WARPID, 4},
                {"%nwarpid", IR_NWARPID, 4},
                {"%smid", IR_SMID, 4},
                {"%nsmid", IR_NSMID, 4},
                {"%gridid", IR_GRIDID, 8},
                {"%lanemask_eq", IR_LANEMASK_EQ, 4},
                {"%lanemask_lt", IR_LANEMASK_LT, 4},
                {"%lanemask_le", IR_LANEMASK_LE, 4},
                {"%lanemask_gt", IR_LANEMASK_GT, 4},
                {"%lanemask_ge", IR_LANEMASK_GE, 4},
                {"%clock", IR_CLOCK, 4},
                {"%clock64", IR_CLOCK64, 8},
                {"%globaltimer", IR_CLOCK64, 8}, /* a cycle is a nanosecond */
                {"%globaltimer_lo", IR_CLOCK, 4},
                {"%total_smem_size", IR_SHARED_BYTES, 4},
                {"%aggr_smem_size", IR_SHARED_BYTES, 4},
                {"%dynamic_smem_size", IR_SHARED_BYTES, 4},
                {"%clusterid.x", IR_CTAID_X, 4}, /* a cluster is one block */
                {"%clusterid.y", IR_CTAID_Y, 4},
                {"%clusterid.z", IR_CTAID_Z, 4},
                {"%nclusterid.x", IR_NCTAID_X, 4},
                {"%nclusterid.y", IR_NCTAID_Y, 4},
                {"%nclusterid.z", IR_NCTAID_Z, 4},
                {"%envreg0", IR_ENVREG_0, 4},
                {"%envreg1", IR_ENVREG_1, 4},
                {"%envreg2", IR_ENVREG_2, 4},
                {"%envreg3", IR_ENVREG_3, 4}};

/* What is the same everywhere. */
static const struct {
  const char *name;
  uint32_t value;
} fixed[] = {{"%cluster_ctaid.x", 0},  {"%cluster_ctaid.y", 0},  {"%cluster_ctaid.z", 0},
             {"%cluster_nctaid.x", 1}, {"%cluster_nctaid.y", 1}, {"%cluster_nctaid.z", 1},
             {"%cluster_ctarank", 0},  {"%cluster_nctarank", 1}, {"%tid.w", 0},
             {"%ntid.w", 0},           {"%ctaid.w", 0},          {"%nctaid.w", 0}};

/* %envreg4 to %envreg31: the driver sets none. */
static bool is_environment(const char *name) {
  enum { LENGTH = 7, LEAST = 4, MOST = 31 };
  if (strncmp(name, "%envreg", LENGTH) != 0) return false;
  const char *n = name + LENGTH;
  size_t digits = strspn(n, "0123456789");
  if (digits == 0 || digits > 2 || n[digits] != '\0' || (n[0] == '0' && digits > 1)) return false;
  const int k = digits == 1 ? n[0] - '0' : (n[0] - '0') * 10 + n[1] - '0';
  return k >= LEAST && k <= MOST;
}

static bool is_fixed(const char *name, uint32_t *value) {
  *value = 0;
  for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
    if (strcmp(name, fixed[k].name) == 0) {
      *value = fixed[k].value;
      return true;
    }
  return is_environment(name);
}

static struct ir_operand read(struct lower *l, enum ir_sreg which, unsigned bytes) {
  enum ptx_type t = bytes == 8 ? PTX_U64 : PTX_U32;
  struct ir_insn *i = lower_temp(l, IR_SREG, t, ir_class_of(t), 0, NULL);
  i->sreg = (uint8_t)which;
  return lower_result(i);
}

/* What a launch adds to the kernel's own: all but what lies in front of dynamic variables. */
static struct ir_operand dynamic_shared(struct lower *l, struct ptx_pos pos) {
  static const struct ptx_variable first = {
      .name = "%dynamic_smem_size", .space = PTX_SHARED, .type = PTX_B8, .vector = 1, .align = 1, .is_extern = true};
  if (!layout_use(l, &first, pos)) return ir_bits(0);
  return lower_two(l, IR_SUB, PTX_U32, read(l, IR_SHARED_BYTES, 4), lower_variable(l, &first, 0, PTX_U32));
}

static bool lower_special(struct lower *l, const struct ptx_operand *o, struct ir_operand *value, unsigned *bytes) {
  if (strcmp(o->name, "%clock_hi") == 0 || strcmp(o->name, "%globaltimer_hi") == 0) {
    *bytes = 4;
    *value = lower_cvt(l, PTX_U32, PTX_U64, lower_two(l, IR_SHR, PTX_U64, read(l, IR_CLOCK64, 8), ir_bits(32)));
    return true;
  }
  if (strcmp(o->name, "%dynamic_smem_size") == 0) {
    *bytes = 4;
    *value = dynamic_shared(l, o->pos);
    return true;
  }
  uint32_t known;
  if (is_fixed(o->name, &known)) {
    *bytes = 4;
    *value = ir_bits(known);
    return true;
  }
  for (size_t k = 0; k < sizeof specials / sizeof *specials; k++) {
    if (strcmp(o->name, specials[k].name) != 0) continue;
    *bytes = specials[k].bytes;
    *value = read(l, (enum ir_sreg)specials[k].sreg, *bytes);
    return true;
  }
  ptx_error(l->d, o->pos, "the special register %s is not supported", o->name);
  return false;
}

const char *lower_special_name(unsigned k) {
  enum { READ = sizeof specials / sizeof *specials, FIXED = sizeof fixed / sizeof *fixed };
  if (k < READ) return specials[k].name;
  return k < READ + FIXED ? fixed[k - READ].name : k == READ + FIXED ? "%envreg4" : NULL;
}

/* Operands of statements as values: registers looked up, constants cut to their type, sizes checked. Kinds are not
 * checked (a .b32 register may hold a float), sizes are. */

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
      ptx_error(l->d, o->pos, "an integer constant is where a .%s is wanted", type_text(t));
    else
      *bits = cut(o->bits, t);
    return true;
  }
  if (o->kind != PTX_OP_F32 && o->kind != PTX_OP_F64) return false;
  if (!float_constant(o, t, bits))
    ptx_error(l->d, o->pos, "a floating-point constant is where a .%s is wanted", type_text(t));
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

/* Addresses of what has a name: variables of every space, functions. */

/* Local memory: what is added to the offset of a variable, a 32-bit value; NONE: nothing. */
static struct ir_operand local_base(struct lower *l, const struct ptx_variable *v) {
  if (v->space != PTX_LOCAL) return (struct ir_operand){.kind = IR_NONE};
  struct ir_value *reference = ptx_map_get(&l->reference, v);
  if (reference) return ir_use(reference);
  if (!l->f->framed) return (struct ir_operand){.kind = IR_NONE};
  struct ir_insn *i = lower_temp(l, IR_SREG, PTX_U32, IR_32, 0, NULL);
  i->sreg = IR_STACK;
  return lower_result(i);
}

/* .global: where the host put the module's variables, and the place among them. */
static struct ir_operand global_variable(struct lower *l, const struct ptx_variable *v, int64_t offset,
                                         enum ptx_type t) {
  struct ir_insn *i = lower_temp(l, IR_SREG, PTX_U64, IR_64, 0, NULL);
  i->sreg = IR_GLOBALS;
  const uint64_t at = ir_variable_offset(l->f, v) + (uint64_t)offset;
  const struct ir_operand a = at ? lower_two(l, IR_ADD, PTX_U64, lower_result(i), ir_bits(at)) : lower_result(i);
  return ptx_type_bytes(t) == 8 ? a : lower_cvt(l, PTX_U32, PTX_U64, a);
}

struct ir_operand lower_variable(struct lower *l, const struct ptx_variable *v, int64_t offset, enum ptx_type t) {
  if (v->space == PTX_GLOBAL) return global_variable(l, v, offset, t);
  struct ir_operand base = local_base(l, v);
  enum ptx_type own = base.kind == IR_NONE ? t : PTX_U32;
  struct ir_insn *i = lower_temp(l, IR_ADDRESS, own, ir_class_of(own), 0, NULL);
  i->place.variable = v;
  i->place.at = offset;
  if (base.kind == IR_NONE) return lower_result(i);
  struct ir_operand at = lower_two(l, IR_ADD, PTX_U32, base, lower_result(i));
  return ptx_type_bytes(t) == 8 ? lower_cvt(l, PTX_U64, PTX_U32, at) : at;
}

struct ir_operand lower_shared_pointer(struct lower *l, struct ir_operand at) {
  struct ir_insn *i = lower_temp(l, IR_GENERIC, PTX_U64, IR_64, 1, &at);
  i->memory.space = PTX_SHARED;
  return lower_result(i);
}

struct ir_operand lower_code_address(struct lower *l, const struct ptx_operand *o) {
  const struct binding *b = names_find(l->frame->names, o->name);
  if (!b) b = names_find(l->module->names, o->name);
  if (!b || b->kind != BIND_FUNCTION || !l->calls) return (struct ir_operand){.kind = IR_NONE};
  const struct call_node *n = call_node_of(l->calls, b->function);
  if (!n || !n->out_of_line) {
    ptx_error(l->d, o->pos,
              b->function->entry ? "'%s' is a kernel: it has no address here" : "'%s' has no body in this module",
              o->name);
    return ir_bits(0);
  }
  struct ir_insn *i = lower_temp(l, IR_CODE, PTX_B64, IR_64, 0, NULL);
  i->calling.function = b->function;
  i->calling.index = n->index;
  return lower_result(i);
}
