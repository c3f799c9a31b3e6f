/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction words: decoding, fields, where a word leads, what it needs of a machine. Errors in words.
 */
#include <assert.h>
#include <stddef.h>

#include <heddle/error.h>
#include <heddle/isa.h>
#include <heddle/isa_tables.h>
#include "isa/lib/isa_internal.h"

/* Errors in words. */

const char *heddle_error_text(enum heddle_error e) {
  static const char *const text[HEDDLE_ERRORS_ALL] = {
      [HEDDLE_SUCCESS] = "success",
      [HEDDLE_ERROR_INVALID_VALUE] = "an argument is not valid",
      [HEDDLE_ERROR_HOST_MEMORY] = "the host has no memory left",
      [HEDDLE_ERROR_OUT_OF_MEMORY] = "the device has no memory left",
      [HEDDLE_ERROR_NO_DEVICE] = "no such device",
      [HEDDLE_ERROR_DEVICE_BUSY] = "the device is in use",
      [HEDDLE_ERROR_WRONG_DEVICE] = "no Heddle of this version and instruction set",
      [HEDDLE_ERROR_BUS] = "the device does not answer",
      [HEDDLE_ERROR_FILE] = "the file cannot be read",
      [HEDDLE_ERROR_INVALID_IMAGE] = "no program of this instruction set",
      [HEDDLE_ERROR_NOT_FOUND] = "nothing has this name",
      [HEDDLE_ERROR_INVALID_ADDRESS] = "the address range is in no allocation",
      [HEDDLE_ERROR_LAUNCH_SHAPE] = "grid or block sizes are not possible",
      [HEDDLE_ERROR_LAUNCH_LIMITS] = "a block needs more than the device has",
      [HEDDLE_ERROR_NOT_SUPPORTED] = "the kernel needs what the device lacks",
      [HEDDLE_ERROR_TOO_FRAGMENTED] = "allocations are between code: too many regions",
      [HEDDLE_ERROR_NOT_READY] = "the grid runs",
      [HEDDLE_ERROR_TIMEOUT] = "the grid did not end in time",
      [HEDDLE_ERROR_TRAPPED] = "the program trapped",
      [HEDDLE_ERROR_REFUSED] = "the device refuses the launch",
      [HEDDLE_ERROR_LIMIT] = "a limit, or nothing can go on",
      [HEDDLE_ERROR_UNDEFINED] = "the program reads a value never written",
      [HEDDLE_ERROR_PENDING] = "a result is not there yet",
      [HEDDLE_ERROR_STATE] = "not possible in this state",
      [HEDDLE_ERROR_DIFFERENCE] = "hardware and model differ",
      [HEDDLE_ERROR_FAULTS] = "pages are waited for",
  };
  return (unsigned)e < HEDDLE_ERRORS_ALL ? text[e] : "unknown error";
}

struct heddle_isa_word heddle_isa_word_load(const uint8_t *at) {
  struct heddle_isa_word w = {0, 0};
  for (unsigned b = 0; b < 8; b++) {
    w.lo |= (uint64_t)at[b] << (8 * b);
    w.hi |= (uint64_t)at[8 + b] << (8 * b);
  }
  return w;
}

void heddle_isa_word_store(uint8_t *at, struct heddle_isa_word w) {
  for (unsigned b = 0; b < 8; b++) {
    at[b] = (uint8_t)(w.lo >> (8 * b));
    at[8 + b] = (uint8_t)(w.hi >> (8 * b));
  }
}

static uint64_t extract(struct heddle_isa_word w, unsigned f) {
  const struct heddle_isa_field_info *fi = &isa_field_table[f];
  unsigned width = fi->hi - fi->lo + 1u;
  uint64_t v = fi->lo >= 64 ? w.hi >> (fi->lo - 64) : w.lo >> fi->lo;
  if (fi->lo < 64 && fi->hi >= 64) v |= w.hi << (64 - fi->lo); /* lo > 0 here, or the field has over 64 bits */
  return width >= 64 ? v : v & ((UINT64_C(1) << width) - 1);
}

static uint64_t extract_or(struct heddle_isa_word w, unsigned f, uint64_t otherwise) {
  return f == ISA_FIELD_NONE ? otherwise : extract(w, f);
}

uint64_t heddle_isa_get(struct heddle_isa_word w, enum heddle_isa_field f) {
  assert((unsigned)f < ISA_F_COUNT);
  return extract(w, f);
}

int64_t heddle_isa_get_signed(struct heddle_isa_word w, enum heddle_isa_field f) {
  uint64_t v = heddle_isa_get(w, f);
  uint64_t sign = UINT64_C(1) << (isa_field_table[f].hi - isa_field_table[f].lo);
  uint64_t extended = (v ^ sign) - sign;
  return extended > INT64_MAX ? -(int64_t)(~extended) - 1 : (int64_t)extended;
}

struct heddle_isa_word heddle_isa_put(struct heddle_isa_word w, enum heddle_isa_field f, uint64_t v) {
  assert((unsigned)f < ISA_F_COUNT);
  const struct heddle_isa_field_info *fi = &isa_field_table[f];
  unsigned width = fi->hi - fi->lo + 1u;
  uint64_t ones = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
  v &= ones;
  if (fi->lo >= 64) {
    w.hi = (w.hi & ~(ones << (fi->lo - 64))) | v << (fi->lo - 64);
    return w;
  }
  w.lo = (w.lo & ~(ones << fi->lo)) | v << fi->lo;
  if (fi->hi >= 64) w.hi = (w.hi & ~(ones >> (64 - fi->lo))) | v >> (64 - fi->lo);
  return w;
}

/* First encoding of the word's opcode, or ISA_ENC_NONE. */
static unsigned first_enc(struct heddle_isa_word w) {
  unsigned key = 0;
  for (unsigned i = 0; i < isa_key_field_count; i++) {
    const struct heddle_isa_field_info *fi = &isa_field_table[isa_key_fields[i]];
    key = key << (fi->hi - fi->lo + 1u) | (unsigned)extract(w, isa_key_fields[i]);
  }
  return isa_key_table[key];
}

static bool agrees(struct heddle_isa_word w, struct heddle_isa_word mask, struct heddle_isa_word match) {
  return (((w.lo ^ match.lo) & mask.lo) | ((w.hi ^ match.hi) & mask.hi)) == 0;
}

bool heddle_isa_nearest(struct heddle_isa_word w, enum heddle_isa_enc *enc) {
  for (unsigned e = first_enc(w); e != ISA_ENC_NONE; e = isa_encoding_table[e].next)
    if (agrees(w, isa_encoding_table[e].fixed, isa_encoding_table[e].match)) {
      *enc = (enum heddle_isa_enc)e;
      return true;
    }
  return false;
}

bool heddle_isa_field_legal(enum heddle_isa_field f, uint64_t value) {
  const struct heddle_isa_field_info *fi = &isa_field_table[f];
  unsigned width = fi->hi - fi->lo + 1u;
  if (width < 64 && value >> width != 0) return false;
  if (fi->kind == ISA_K_SBSET) return value != 6;
  if (fi->kind == ISA_K_COFF) return value % 4 == 0;
  if (fi->kind == ISA_K_SET) return (isa_set_table[fi->set].legal[value / 64] >> value % 64 & 1) != 0;
  return true;
}

/* A register number; all ones is RZ (or URZ) in a field of any width. */
static uint8_t get_reg(struct heddle_isa_word w, unsigned f) {
  uint64_t v = extract(w, f);
  uint64_t ones = (UINT64_C(1) << (isa_field_table[f].hi - isa_field_table[f].lo + 1)) - 1;
  return v == ones ? ISA_RZ : (uint8_t)v;
}

static uint8_t get_words(struct heddle_isa_word w, const struct heddle_isa_slot *s) {
  if (s->words != 0) return s->words;
  uint64_t v = extract(w, s->words_field);
  uint8_t n = isa_set_table[isa_field_table[s->words_field].set].words[v];
  return n == 0 ? 1 : n; /* unassigned values are refused elsewhere */
}

static bool is_register(const struct heddle_isa_slot *s) {
  return s->kind == ISA_REG || s->kind == ISA_UREG;
}

static struct heddle_isa_src get_src(struct heddle_isa_word w, const struct heddle_isa_slot *s) {
  struct heddle_isa_src r = {.kind = s->kind, .reg = ISA_RZ, .words = 1};
  if (s->kind == ISA_NONE) return r;
  r.words = get_words(w, s);
  if (is_register(s)) r.reg = get_reg(w, s->field);
  if (s->kind == ISA_IMM) r.imm = (uint32_t)extract(w, s->field);
  r.part = (uint8_t)extract_or(w, s->part, 0);
  r.neg = extract_or(w, s->neg, 0) != 0;
  r.abs = extract_or(w, s->abs, 0) != 0;
  return r;
}

static struct heddle_isa_pred get_pred(struct heddle_isa_word w, unsigned f) {
  uint64_t v = extract_or(w, f, ISA_PT);
  return (struct heddle_isa_pred){.index = (uint8_t)(v & 7), .neg = (v & 8) != 0};
}

/* At a multiple of its size. General registers are bounded by the kernel's count; uniform ones have none, so that a
 * wide one must not reach URZ. */
static bool register_fits(const struct heddle_isa_slot *s, uint8_t reg, uint8_t words) {
  if (reg == ISA_RZ) return true;
  if (reg % words != 0) return false;
  if (s->kind != ISA_UREG) return true;
  const struct heddle_isa_field_info *fi = &isa_field_table[s->field];
  return reg + words <= (1u << (fi->hi - fi->lo + 1u)) - 1u;
}

static void get_dst(struct heddle_isa_dec *d, const struct heddle_isa_encoding *e) {
  d->has_rd = is_register(&e->rd);
  d->rd_uniform = e->rd.kind == ISA_UREG;
  d->rd = d->has_rd ? get_reg(d->word, e->rd.field) : ISA_RZ;
  d->rd_words = d->has_rd ? get_words(d->word, &e->rd) : 1;
  d->has_pd0 = e->pd[0] != ISA_FIELD_NONE;
  d->has_pd1 = e->pd[1] != ISA_FIELD_NONE;
  d->pd_uniform = e->pd_uniform;
  d->pd0 = (uint8_t)extract_or(d->word, e->pd[0], ISA_PT);
  d->pd1 = (uint8_t)extract_or(d->word, e->pd[1], ISA_PT);
}

static struct heddle_isa_ctl get_ctl(struct heddle_isa_word w, const struct heddle_isa_encoding *e) {
  return (struct heddle_isa_ctl){.stall = (uint8_t)extract_or(w, e->stall, 0),
                                 .wbar = (uint8_t)extract_or(w, e->wbar, 7),
                                 .rbar = (uint8_t)extract_or(w, e->rbar, 7),
                                 .wait = (uint8_t)extract_or(w, e->wait, 0),
                                 .reuse = (uint8_t)extract_or(w, e->reuse, 0),
                                 .yield = extract_or(w, e->yield, 0) != 0};
}

/* The unit of a word whose operands are known. */
static uint8_t get_unit(const struct heddle_isa_dec *d) {
  const struct heddle_isa_instr *in = &isa_instr_table[d->op];
  bool wide = d->rd_words > 1;
  for (unsigned i = 0; i < 3; i++) wide = wide || d->src[i].words > 1;
  return wide ? in->wide_unit : in->unit;
}

static void fill_decoded(struct heddle_isa_dec *d, struct heddle_isa_word w, unsigned enc) {
  const struct heddle_isa_encoding *e = &isa_encoding_table[enc];
  *d = (struct heddle_isa_dec){.word = w, .enc = (uint16_t)enc, .op = e->op};
  d->guard = get_pred(w, e->guard);
  d->uniform = e->uniform;
  d->ps_uniform = e->ps_uniform;
  get_dst(d, e);
  for (unsigned i = 0; i < 3; i++) {
    d->ps[i] = get_pred(w, e->ps[i]);
    d->src[i] = get_src(w, &e->src[i]);
  }
  d->imm = (uint32_t)extract_or(w, e->imm, 0);
  d->cbank = (uint8_t)extract_or(w, e->cbank, 0);
  d->coff = e->coff == ISA_FIELD_NONE ? 0 : (uint16_t)heddle_isa_value(w, (enum heddle_isa_field)e->coff);
  d->ctl = get_ctl(w, e);
  d->unit = get_unit(d);
}

bool heddle_isa_decode(struct heddle_isa_word w, struct heddle_isa_dec *d) {
  unsigned enc = first_enc(w);
  while (enc != ISA_ENC_NONE && !agrees(w, isa_encoding_table[enc].mask, isa_encoding_table[enc].match))
    enc = isa_encoding_table[enc].next;
  if (enc == ISA_ENC_NONE) return false;
  const struct heddle_isa_encoding *e = &isa_encoding_table[enc];
  for (unsigned i = 0; i < e->n_checks; i++)
    if (!heddle_isa_field_legal((enum heddle_isa_field)e->checks[i], extract(w, e->checks[i]))) return false;
  struct heddle_isa_dec t;
  fill_decoded(&t, w, enc);
  if (!register_fits(&e->rd, t.rd, t.rd_words)) return false;
  for (unsigned i = 0; i < 3; i++)
    if (!register_fits(&e->src[i], t.src[i].reg, t.src[i].words) ||
        (t.src[i].kind == ISA_CONST && t.coff % (4u * t.src[i].words) != 0))
      return false;
  *d = t;
  return true;
}

bool heddle_isa_in_rtl(const struct heddle_isa_dec *d) {
  const struct heddle_isa_encoding *e = &isa_encoding_table[d->enc];
  if (e->only_model) return false;
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct heddle_isa_field_info *fi = &isa_field_table[e->fields[i]];
    if (fi->kind != ISA_K_SET) continue;
    uint64_t v = extract(d->word, e->fields[i]);
    if ((isa_set_table[fi->set].rtl[v / 64] >> v % 64 & 1) == 0) return false;
  }
  return true;
}

static int last_reg(uint8_t reg, uint8_t words) {
  return reg == ISA_RZ ? -1 : reg + words - 1;
}

int heddle_isa_max_reg(const struct heddle_isa_dec *d) {
  int most = d->rd_uniform ? -1 : last_reg(d->rd, d->rd_words);
  for (unsigned i = 0; i < 3; i++) {
    int last = d->src[i].kind == ISA_REG ? last_reg(d->src[i].reg, d->src[i].words) : -1;
    if (last > most) most = last;
  }
  return most;
}

/* Where a decoded word leads, from what the ISA file says of its instruction. */

static bool is_guarded(const struct heddle_isa_dec *d) {
  return d->guard.index != ISA_PT || d->guard.neg;
}

static bool is_never(const struct heddle_isa_dec *d) {
  return d->guard.index == ISA_PT && d->guard.neg;
}

enum heddle_isa_flow heddle_isa_flow_of(const struct heddle_isa_dec *d) {
  return is_never(d) ? ISA_FLOW_NEXT : (enum heddle_isa_flow)heddle_isa_instr_info((enum heddle_isa_op)d->op)->flow;
}

bool heddle_isa_flow_passes(const struct heddle_isa_dec *d) {
  const enum heddle_isa_flow f = heddle_isa_flow_of(d);
  return f == ISA_FLOW_NEXT || f == ISA_FLOW_SYNC || is_guarded(d);
}

bool heddle_isa_flow_target(const struct heddle_isa_dec *d, uint32_t next, int64_t *target) {
  const enum heddle_isa_flow f = heddle_isa_flow_of(d);
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  if (f != ISA_FLOW_BRANCH && f != ISA_FLOW_CALL) return false;
  if (e->src[0].kind != ISA_NONE) return false; /* a register says it */
  *target = heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_ABS32)
                ? (int64_t)heddle_isa_get(d->word, ISA_F_ABS32)
                : (int64_t)next + heddle_isa_get_signed(d->word, ISA_F_REL);
  return true;
}

/* What a machine must have to execute a word. */

bool heddle_isa_adds_floats(const struct heddle_isa_dec *d) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  for (unsigned i = 0; i < e->n_fields; i++) {
    if (e->fields[i] != ISA_F_AOP && e->fields[i] != ISA_F_ROP) continue;
    const uint64_t v = heddle_isa_get(d->word, (enum heddle_isa_field)e->fields[i]);
    if (e->fields[i] == ISA_F_AOP) return v == ISA_AOP_ADD_F32 || v == ISA_AOP_ADD_F64 || v == ISA_AOP_ADD_F16X2;
    return v == ISA_ROP_ADD_F32 || v == ISA_ROP_ADD_F64 || v == ISA_ROP_ADD_F16X2;
  }
  return false;
}

bool heddle_isa_is_async(const struct heddle_isa_dec *d) {
  return d->op == ISA_OP_LDGSTS_E || d->op == ISA_OP_LDGDEPBAR;
}

static bool names_uniform(const struct heddle_isa_dec *d) {
  bool any = d->uniform || d->rd_uniform || d->pd_uniform || d->ps_uniform;
  for (unsigned i = 0; i < 3; i++) any = any || d->src[i].kind == ISA_UREG;
  return any;
}

/* Of what any machine of RTL may have or not. */
static uint32_t needs_units(const struct heddle_isa_dec *d) {
  const uint32_t uniform = names_uniform(d) ? 1u << ISA_UNIT_UNI : 0;
  const uint32_t adders = heddle_isa_adds_floats(d) ? 1u << ISA_PART_FATOM : 0;
  const uint32_t copies = heddle_isa_is_async(d) ? 1u << ISA_PART_ASYNC : 0;
  return 1u << d->unit | uniform | adders | copies;
}

uint32_t heddle_isa_needs(const struct heddle_isa_dec *d) {
  return needs_units(d) | (heddle_isa_in_rtl(d) ? 0 : 1u << ISA_PART_MODEL);
}

const char *heddle_isa_need_name(unsigned bit) {
  if (bit < ISA_UNIT_COUNT) return heddle_isa_unit_name((enum heddle_isa_unit)bit);
  if (bit == ISA_PART_ASYNC) return "async";
  return bit == ISA_PART_FATOM ? "fatom" : bit == ISA_PART_MODEL ? "model" : NULL;
}

bool heddle_isa_has_units(const struct heddle_isa_dec *d, uint32_t units) {
  return (needs_units(d) & ~units) == 0;
}

bool heddle_isa_in_machine(const struct heddle_isa_dec *d, uint32_t units) {
  return heddle_isa_has_units(d, units) && heddle_isa_in_rtl(d);
}

static int last_uniform(uint8_t reg, uint8_t words) {
  return reg == ISA_RZ ? -1 : reg + words - 1;
}

int heddle_isa_max_uniform(const struct heddle_isa_dec *d) {
  int most = d->has_rd && d->rd_uniform ? last_uniform(d->rd, d->rd_words) : -1;
  for (unsigned i = 0; i < 3; i++) {
    const int last = d->src[i].kind == ISA_UREG ? last_uniform(d->src[i].reg, d->src[i].words) : -1;
    if (last > most) most = last;
  }
  return most;
}
