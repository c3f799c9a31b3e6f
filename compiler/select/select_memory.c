/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, stores, prefetches, fences, atomics, asynchronous copies.
 */
#include <heddle/hazard.h>
#include <heddle/program.h>
#include "compiler/select/select.h"

/* Loads, stores, prefetches, fences. */

static bool offset_fits(int64_t x) {
  return heddle_isa_field_fits(ISA_F_OFF24, x);
}

/* A 64-bit base plus what does not fit the instruction. */
static struct mir_operand moved_pair(struct select *s, struct mir_operand base, uint64_t by) {
  struct mir_operand r = sel_new(s, 2), carry = sel_new_predicate(s);
  if (base.kind == MIR_ZERO) return mir_wide(&s->m, by);
  sel_iadd(s, mir_word(r, 0), carry, mir_word(base, 0), sel_imm((uint32_t)by), mir_zero());
  sel_iaddx(s, mir_word(r, 1), mir_none(), mir_word(base, 1), sel_imm((uint32_t)(by >> 32)), mir_zero(), carry);
  return r;
}

static struct sel_address wide_address(struct select *s, struct ir_operand o, int64_t imm) {
  struct sel_address a = {.offset = imm};
  if (o.kind == IR_CONST) {
    a.base = mir_zero();
    a.offset = (int64_t)(o.bits + (uint64_t)imm);
  } else {
    a.base = sel_pair(s, o);
  }
  if (!offset_fits(a.offset)) {
    a.base = moved_pair(s, a.base, (uint64_t)a.offset);
    a.offset = 0;
  }
  return a;
}

/* 32-bit addresses wrap, as the machine's do. */
static struct sel_address short_address(struct select *s, struct ir_operand o, int64_t imm) {
  struct sel_address a = {.base = sel_low(s, o), .offset = (int32_t)imm};
  if (a.base.kind == MIR_IMM) {
    a.offset = (int32_t)(a.base.imm + (uint32_t)imm);
    a.base = mir_zero();
  }
  a.base = sel_reg(s, a.base);
  if (!offset_fits(a.offset)) {
    struct mir_operand r = sel_new(s, 1);
    sel_iadd(s, r, mir_none(), a.base, sel_imm((uint32_t)a.offset), mir_zero());
    a = (struct sel_address){r, 0};
  }
  return a;
}

struct sel_address sel_address(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (i->memory.space == PTX_GLOBAL || i->memory.space == PTX_GENERIC)
    return wide_address(s, i->src[0], i->memory.offset);
  return short_address(s, i->src[0], i->memory.offset);
}

void sel_set_address(struct mir_insn *m, struct sel_address a) {
  mir_set(m, ISA_F_OFF24, (uint64_t)a.offset);
}

/* ---- loads and stores ---- */

/* ISA_SIZE_*, or -1. */
static int access_size(const struct ir_insn *i) {
  const unsigned bytes = ptx_type_bytes((enum ptx_type)i->type),
                 all = bytes * (i->memory.vector ? i->memory.vector : 1);
  const bool is_signed = sel_is_signed(i->type);
  if (i->memory.vector > 1 && bytes < 4) return -1;
  switch (all) {
  case 1:
    return is_signed ? ISA_SIZE_S8 : ISA_SIZE_U8;
  case 2:
    return is_signed ? ISA_SIZE_S16 : ISA_SIZE_U16;
  case 4:
    return ISA_SIZE_32;
  case 8:
    return ISA_SIZE_64;
  case 16:
    return ISA_SIZE_128;
  default:
    return -1;
  }
}

struct access {
  enum heddle_isa_op load, store;
  bool has_strength;
};

static bool access_of(unsigned space, struct access *a) {
  switch (space) {
  case PTX_GLOBAL:
    *a = (struct access){ISA_OP_LDG_E, ISA_OP_STG_E, true};
    return true;
  case PTX_SHARED:
    *a = (struct access){ISA_OP_LDS, ISA_OP_STS, false};
    return true;
  case PTX_LOCAL:
    *a = (struct access){ISA_OP_LDL, ISA_OP_STL, false};
    return true;
  case PTX_GENERIC:
    *a = (struct access){ISA_OP_LD_E, ISA_OP_ST_E, true};
    return true;
  default:
    return false;
  }
}

static void finish_access(struct select *s, struct mir_insn *m, int size, bool has_strength) {
  const struct ir_insn *i = s->insn;
  const bool strong = i->memory.space == PTX_SHARED && i->memory.strength != IR_WEAK;
  m->order = i->memory.order || !strong ? i->memory.order : HEDDLE_ORDER_STRONG;
  mir_set(m, ISA_F_SIZE, (uint64_t)size);
  if (has_strength) mir_set(m, ISA_F_STRONG, i->memory.strength);
  m->ordered = i->memory.is_volatile || i->memory.strength != IR_WEAK;
}

static unsigned access_words(const struct ir_insn *i) {
  const unsigned bytes = ptx_type_bytes((enum ptx_type)i->type) * (i->memory.vector ? i->memory.vector : 1);
  return bytes <= 4 ? 1 : bytes / 4;
}

/* The register that a load fills. */
static struct mir_operand load_register(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (i->memory.vector > 1) return sel_new(s, access_words(i));
  return access_words(i) == 2 ? sel_dst_pair(s, 0) : sel_dst(s, 0);
}

/* As many words of an element of a vector as a destination has. */
static struct mir_operand element(struct select *s, struct mir_operand r, unsigned k, unsigned words) {
  return mir_part(r, k * ptx_type_bytes((enum ptx_type)s->insn->type) / 4, words);
}

/* Elements of a vector are the words of its register. */
static void hand_out(struct select *s, struct mir_operand r) {
  const struct ir_insn *i = s->insn;
  const unsigned each = ptx_type_bytes((enum ptx_type)i->type) / 4;
  for (unsigned k = 0; i->memory.vector > 1 && k < i->dsts; k++) {
    struct mir_operand part = element(s, r, k, each);
    if (!sel_is(s, k, part)) sel_mov(s, sel_dst(s, k), part);
  }
}

static bool keeps_all(struct select *s) {
  const struct ir_insn *i = s->insn;
  for (unsigned k = 0; k < i->dsts; k++)
    if (sel_may_stand(s, k) || !sel_keeps_old(s, k)) return false;
  return i->memory.vector > 1;
}

/* A vector under a guard whose elements keep their old values takes these along, so that they are its words on both
 * ways: copies without a guard, which are no instructions in the end. `before`: in front of the load. */
static void carry_old(struct select *s, struct mir_operand r, bool before) {
  const struct mir_operand guard = s->m.guard;
  s->m.guard = mir_none();
  for (unsigned k = 0; k < s->insn->dsts; k++) {
    const struct sel_value *v = sel_value(s, s->insn->dst[k]);
    const bool wanted = v->uses > 0 && (s->insn->dst[k]->class != IR_64 || (v->wants & SEL_BOTH));
    if (!wanted) continue; /* what made the old value is left out */
    struct mir_operand d = sel_dst(s, k), part = element(s, r, k, d.words);
    if (before)
      sel_mov(s, part, d);
    else
      sel_mov(s, d, part);
  }
  s->m.guard = guard;
}

/* A word (or two) of a constant bank at a known place is an operand. */
static bool constant_operand(struct select *s, unsigned bank, int64_t at) {
  const struct ir_insn *i = s->insn;
  const unsigned bytes = ptx_type_bytes((enum ptx_type)i->type);
  if (i->memory.vector > 1 || bytes < 4 || at < 0 || at % bytes || at + bytes > HEDDLE_CONST_MAX ||
      !heddle_isa_field_fits(ISA_F_COFF, at + bytes - 1) || i->memory.is_volatile)
    return false;
  struct mir_operand x = mir_const(bank, (uint32_t)at, bytes / 4);
  const struct sel_value *v = sel_value(s, i->dst[0]);
  bool pairs = bytes == 8 && (v->wants & SEL_PAIR) && v->uses > 1;
  if (pairs || !sel_is(s, 0, x)) sel_mov(s, sel_dst(s, 0), x);
  return true;
}

static void load_constant(struct select *s, int size) {
  const struct ir_insn *i = s->insn;
  const unsigned bank = i->memory.space == PTX_CONST ? 3 : 0;
  const int64_t imm = i->memory.offset + (bank ? 0 : (int64_t)HEDDLE_BANK0_PARAMS);
  struct mir_operand base = sel_low(s, i->src[0]);
  if (base.kind == MIR_ZERO || base.kind == MIR_IMM) {
    int64_t at = (int32_t)((base.kind == MIR_IMM ? base.imm : 0) + (uint32_t)imm);
    if (constant_operand(s, bank, at)) return;
  }
  base = sel_reg(s, base);
  int64_t offset = imm;
  if (!heddle_isa_field_fits(ISA_F_COFF16, offset)) {
    struct mir_operand r = sel_new(s, 1);
    sel_iadd(s, r, mir_none(), base, sel_imm((uint32_t)offset), mir_zero());
    base = r;
    offset = 0;
  }
  struct mir_operand r = load_register(s);
  struct mir_insn *m = sel_add(s, ISA_OP_LDC, r, base, mir_none(), mir_none());
  mir_set(m, ISA_F_CBANK, bank);
  mir_set(m, ISA_F_COFF16, (uint64_t)offset);
  finish_access(s, m, size, false);
  hand_out(s, r);
}

void select_ld(struct select *s) {
  const struct ir_insn *i = s->insn;
  const int size = access_size(i);
  struct access access;
  if (size < 0) {
    sel_refuse(s, "vectors of this type");
  } else if (i->memory.space == PTX_CONST || i->memory.space == PTX_PARAM) {
    load_constant(s, size);
  } else if (!access_of(i->memory.space, &access)) {
    sel_refuse(s, "the .%s space", ptx_space_word((enum ptx_space)i->memory.space));
  } else {
    struct sel_address a = sel_address(s);
    const bool carries = keeps_all(s);
    struct mir_operand r = load_register(s);
    if (carries) carry_old(s, r, true);
    struct mir_insn *m = sel_add(s, access.load, r, a.base, mir_none(), mir_none());
    sel_set_address(m, a);
    finish_access(s, m, size, access.has_strength);
    m->keeps_old |= carries;
    if (carries)
      carry_old(s, r, false);
    else
      hand_out(s, r);
  }
}

static struct mir_operand stored(struct select *s) {
  const struct ir_insn *i = s->insn;
  const unsigned words = access_words(i), vector = i->memory.vector ? i->memory.vector : 1, each = words / vector;
  if (vector == 1) return words == 2 ? sel_pair(s, i->src[1]) : sel_reg(s, sel_low(s, i->src[1]));
  struct mir_operand r = sel_new(s, words);
  for (unsigned k = 0; k < vector; k++)
    for (unsigned w = 0; w < each; w++) sel_mov(s, mir_word(r, k * each + w), sel_word(s, i->src[1 + k], w));
  return r;
}

void select_st(struct select *s) {
  const struct ir_insn *i = s->insn;
  const int size = access_size(i);
  struct access access;
  if (size < 0) {
    sel_refuse(s, "vectors of this type");
  } else if (!access_of(i->memory.space, &access)) {
    sel_refuse(s, "the .%s space", ptx_space_word((enum ptx_space)i->memory.space));
  } else {
    struct mir_operand x = stored(s);
    struct sel_address a = sel_address(s);
    struct mir_insn *m = sel_add(s, access.store, mir_none(), a.base, x, mir_none());
    sel_set_address(m, a);
    finish_access(s, m, size, access.has_strength);
  }
}

/* A hint: only where there is something to fetch from. */
void select_prefetch(struct select *s) {
  if (s->insn->memory.space != PTX_GLOBAL) return;
  struct sel_address a = sel_address(s);
  struct mir_insn *m = sel_add(s, ISA_OP_CCTL_E, mir_none(), a.base, mir_none(), mir_none());
  sel_set_address(m, a);
  mir_set(m, ISA_F_CCTL, ISA_CCTL_PF);
}

void select_fence(struct select *s) {
  const uint8_t strength = s->insn->memory.strength;
  unsigned scope = strength == IR_SYS ? ISA_SCOPE_SYS : strength == IR_GPU ? ISA_SCOPE_GPU : ISA_SCOPE_CTA;
  struct mir_insn *m = sel_add(s, ISA_OP_MEMBAR, mir_none(), mir_none(), mir_none(), mir_none());
  mir_set(m, ISA_F_SCOPE, scope);
  m->order = s->insn->memory.order;
}

/* Atomic operations on memory. */

static const char *const names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"};

static int of_sum(unsigned type) {
  switch (type) {
  case PTX_F32:
    return ISA_AOP_ADD_F32;
  case PTX_F64:
    return ISA_AOP_ADD_F64;
  case PTX_F16X2:
    return ISA_AOP_ADD_F16X2;
  default:
    return sel_is_float(type) ? -1 : sel_is_64(type) ? ISA_AOP_ADD_64 : ISA_AOP_ADD;
  }
}

static int of_order(unsigned type, bool max) {
  switch (type) {
  case PTX_U32:
  case PTX_B32:
    return max ? ISA_AOP_MAX : ISA_AOP_MIN;
  case PTX_S32:
    return max ? ISA_AOP_MAX_S32 : ISA_AOP_MIN_S32;
  case PTX_U64:
  case PTX_B64:
    return max ? ISA_AOP_MAX_U64 : ISA_AOP_MIN_U64;
  case PTX_S64:
    return max ? ISA_AOP_MAX_S64 : ISA_AOP_MIN_S64;
  default:
    return -1;
  }
}

/* ISA_AOP_*, or -1. RED has the same numbers where it has the operation. */
static int code(const struct ir_insn *i) {
  const bool wide = sel_is_64(i->type);
  if (ptx_type_bytes((enum ptx_type)i->type) < 4) return -1;
  switch (i->memory.atom) {
  case IR_A_ADD:
    return of_sum(i->type);
  case IR_A_MIN:
  case IR_A_MAX:
    return of_order(i->type, i->memory.atom == IR_A_MAX);
  case IR_A_INC:
    return wide ? -1 : ISA_AOP_INC;
  case IR_A_DEC:
    return wide ? -1 : ISA_AOP_DEC;
  case IR_A_AND:
    return wide ? ISA_AOP_AND_64 : ISA_AOP_AND;
  case IR_A_OR:
    return wide ? ISA_AOP_OR_64 : ISA_AOP_OR;
  case IR_A_XOR:
    return wide ? ISA_AOP_XOR_64 : ISA_AOP_XOR;
  case IR_A_EXCH:
    return wide ? ISA_AOP_EXCH_64 : ISA_AOP_EXCH;
  default:
    return -1;
  }
}

static struct mir_operand data_operand(struct select *s, unsigned k) {
  const struct ir_insn *i = s->insn;
  return sel_is_64(i->type) ? sel_pair(s, i->src[k]) : sel_reg(s, sel_low(s, i->src[k]));
}

/* Every atomic operation is at least relaxed at the scope of the GPU, as PTX has it. */
static void finish_atomic(struct select *s, struct mir_insn *m, struct sel_address a) {
  const struct ir_insn *i = s->insn;
  sel_set_address(m, a);
  m->order = i->memory.order;
  if (i->memory.space != PTX_SHARED)
    mir_set(m, ISA_F_STRONG, i->memory.strength == IR_WEAK ? ISA_STRONG_STRONG_GPU : i->memory.strength);
  m->ordered = i->memory.is_volatile || i->memory.strength == IR_SYS;
}

static void swap(struct select *s, struct mir_operand rd) {
  const struct ir_insn *i = s->insn;
  enum heddle_isa_op op = i->memory.space == PTX_GLOBAL   ? ISA_OP_ATOMG_E_CAS
                          : i->memory.space == PTX_SHARED ? ISA_OP_ATOMS_CAS
                                                          : ISA_OP_ATOM_E_CAS;
  struct mir_operand b = data_operand(s, 1), c = data_operand(s, 2);
  struct sel_address a = sel_address(s);
  struct mir_insn *m = sel_add(s, op, rd, a.base, b, c);
  mir_set(m, ISA_F_CAS, sel_is_64(i->type) ? ISA_CAS_64 : ISA_CAS_32);
  finish_atomic(s, m, a);
}

static bool refuses_atomic(struct select *s, int op) {
  const struct ir_insn *i = s->insn;
  const bool cas = i->memory.atom == IR_A_CAS && ptx_type_bytes((enum ptx_type)i->type) >= 4 && i->sources == 3;
  if (i->memory.space != PTX_GLOBAL && i->memory.space != PTX_SHARED && i->memory.space != PTX_GENERIC)
    sel_refuse(s, ".%s in the .%s space", i->memory.atom < 10 ? names[i->memory.atom] : "?",
               ptx_space_word((enum ptx_space)i->memory.space));
  else if (op < 0 && !cas)
    sel_refuse(s, ".%s of this type is not supported", i->memory.atom < 10 ? names[i->memory.atom] : "?");
  else
    return false;
  return true;
}

/* ATOM, RED */
void select_atom(struct select *s) {
  const struct ir_insn *i = s->insn;
  const int op = code(i);
  if (refuses_atomic(s, op)) return;
  const bool read = i->dsts > 0 && sel_value(s, i->dst[0])->uses > 0;
  struct mir_operand rd = !read ? mir_zero() : sel_is_64(i->type) ? sel_dst_pair(s, 0) : sel_dst(s, 0);
  if (i->memory.atom == IR_A_CAS) {
    swap(s, rd);
    return;
  }
  struct mir_operand b = data_operand(s, 1), none = mir_none();
  struct sel_address a = sel_address(s);
  struct mir_insn *m;
  if (!read && i->memory.space == PTX_GLOBAL && i->memory.atom != IR_A_EXCH) {
    m = sel_add(s, ISA_OP_RED_E, none, a.base, b, none);
    mir_set(m, ISA_F_ROP, (uint64_t)op);
  } else {
    m = sel_add(s,
                i->memory.space == PTX_GLOBAL   ? ISA_OP_ATOMG_E
                : i->memory.space == PTX_SHARED ? ISA_OP_ATOMS
                                                : ISA_OP_ATOM_E,
                rd, a.base, b, none);
    mir_set(m, ISA_F_AOP, (uint64_t)op);
  }
  finish_atomic(s, m, a);
}

/* Asynchronous copies, and groups of them by a counter of their own (isa/doc/14-asynchronous-copies.md). */

void select_async_copy(struct select *s) {
  static const uint8_t sizes[5] = {[1] = ISA_CSIZE_32, [2] = ISA_CSIZE_64, [4] = ISA_CSIZE_128};
  const struct ir_insn *i = s->insn;
  const struct sel_address a = sel_address(s);
  const struct mir_operand to = sel_reg(s, sel_low(s, i->src[1]));
  struct mir_insn *m = sel_add(s, ISA_OP_LDGSTS_E, mir_none(), a.base, to, mir_none());
  sel_set_address(m, a);
  mir_set(m, ISA_F_CSIZE, sizes[i->memory.vector > 1 ? i->memory.vector : 1]);
}

void select_async_close(struct select *s) {
  (void)sel_add(s, ISA_OP_LDGDEPBAR, mir_none(), mir_none(), mir_none(), mir_none());
}

void select_async_wait(struct select *s) {
  const uint64_t left = s->insn->src[0].bits, most = (uint64_t)heddle_isa_field_most(ISA_F_SBK);
  struct mir_insn *m = sel_add(s, ISA_OP_DEPBAR_LE, mir_none(), mir_none(), mir_none(), mir_none());
  mir_set(m, ISA_F_SBN, HEDDLE_HAZARD_GROUPS);
  mir_set(m, ISA_F_SBK, left < most ? left : most); /* fewer is as good */
}
