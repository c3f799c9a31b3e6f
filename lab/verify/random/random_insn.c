/* SPDX-License-Identifier: Apache-2.0
 *
 * One random arithmetic instruction from the ISA tables; matrix instructions for whole warps.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/isa_tables.h>
#include "base/splitmix64.h"
#include "lab/verify/random/node.h"

/* Random matrix instructions, for whole warps: loads out of the bytes of shared memory that the lanes of a warp have in
 * common and each on its own, and what unit tensor does. */

/* All lanes or none: always, never, or as a predicate says that all of them have alike. */
static const char *draw_guard(struct random_program *p, char buf[80]) {
  const bool first = random_chance(p, 50), no = random_chance(p, 50);
  buf[0] = '\0';
  if (random_chance(p, 5))
    (void)snprintf(buf, 80, "@!PT ");
  else if (random_chance(p, 20))
    (void)snprintf(buf, 80, "ISETP.%s.U32.AND P6, PT, R%u, RZ, PT ;\n@%sP6 ", first ? "EQ" : "GE", REG_WARP_INDEX,
                   no ? "!" : "");
  return buf;
}

/* Rows in order, each lane's own bytes; or anywhere in the warp's common ones, where they meet; or one for all lanes,
 * of the block's first warp. */
static void load_matrix(struct random_program *p, char *buf, size_t size) {
  const unsigned matrices = 1u << random_below(p, 3), off = 16 * random_below(p, 3);
  const unsigned rd = REG_DATA + random_below(p, REG_DATA_COUNT / matrices) * matrices;
  const char *turned = random_chance(p, 50) ? ".MT88" : ".M88";
  char to[8], g[80];
  (void)snprintf(to, sizeof to, "R%u", rd);
  if (random_chance(p, 4)) (void)snprintf(to, sizeof to, "RZ");
  switch (random_below(p, 8)) {
  case 0:
    (void)snprintf(buf, size, "ISETP.EQ.U32.AND P6, PT, R%u, RZ, PT ;\n@P6 LDSM.16%s.%u %s, [RZ+0x%x] ;\n",
                   REG_WARP_INDEX, turned, matrices, to, off);
    break;
  case 1:
    (void)snprintf(buf, size, "IADD3 R%u, R%u, 0x100, RZ ;\n%sLDSM.16%s.%u %s, [R%u-0x%x] ;\n", REG_ADDRESS + 3,
                   REG_SHARED, draw_guard(p, g), turned, matrices, to, REG_ADDRESS + 3, 0x100 - SHARED_AT);
    break;
  case 2:
  case 3:
  case 4:
    (void)snprintf(buf, size, "%sLDSM.16%s.%u %s, [R%u+0x%x] ;\n", draw_guard(p, g), turned, matrices, to, REG_SHARED,
                   SHARED_AT);
    break;
  default: {
    const char *guard = draw_guard(p, g);
    (void)snprintf(buf, size,
                   "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nIADD3 R%u, R%u, R%u, RZ ;\n%sLDSM.16%s.%u %s, [R%u+0x%x] ;\n",
                   REG_ADDRESS + 2, random_data(p), (SHARED_WARP_BYTES / 2 - 1) & ~15u, REG_ADDRESS + 3,
                   REG_ADDRESS + 2, REG_WARP_SHARED, guard, turned, matrices, to, REG_ADDRESS + 3, off);
    break;
  }
  }
}

/* The word draws whether always or never. */
static void multiply_matrix(struct random_program *p, char *buf, size_t size) {
  char insn[240], g[80] = "";
  random_insn_tensor(p, insn, sizeof insn);
  (void)snprintf(buf, size, "%s%s", insn[0] == '@' ? "" : draw_guard(p, g), insn);
}

/* A product, then the same with the first subtracted: of each sum nothing is left, and the sign is that of nothing. */
static void cancel(struct random_program *p, char *buf, size_t size) {
  enum { TUPLES = REG_DATA_COUNT / 4 };
  const unsigned place = random_below(p, TUPLES), d = REG_DATA + 4 * place;
  const unsigned a = REG_DATA + 4 * ((place + 1 + random_below(p, TUPLES - 1)) % TUPLES);
  const unsigned b = REG_DATA + 4 * ((place + 1 + random_below(p, TUPLES - 1)) % TUPLES);
  int n = snprintf(buf, size, "QMMA.16832.F32.E4M3.E4M3 R%u, R%u, R%u, RZ ;\n", d, a, b);
  for (unsigned i = 0; i < 4; i++)
    n += snprintf(buf + n, size - (size_t)n, "LOP3.LUT R%u, R%u, 0x80000000, RZ, 0x3c ;\n", d + i, d + i);
  (void)snprintf(buf + n, size - (size_t)n, "QMMA.16832.F32.E4M3.E4M3 R%u, R%u, R%u, R%u ;\n", d, a, b, d);
}

void random_matrix(struct random_program *p, char *buf, size_t size) {
  if (!random_has(p, ISA_UNIT_TENSOR) || !random_chance(p, 60))
    load_matrix(p, buf, size);
  else if (random_chance(p, 6))
    cancel(p, buf, size);
  else
    multiply_matrix(p, buf, size);
}

/* One random arithmetic instruction from the ISA tables. */

/* Numbers at which arithmetic changes its mind. */
uint32_t random_edge(struct random_program *p) {
  static const uint32_t edge[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x00800001,
                                  0x80800000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x7f7fffff, 0xff7fffff,
                                  0x7f800000, 0xff800000, 0x7fc00000, 0x7fffffff, 0xffffffff, 0x7f800001, 0x4f000000,
                                  0xcf000000, 0x4effffff, 0x4f800000, 0x4b000000, 0x4b800000, 0x3f000000, 0x3effffff,
                                  0x34000000, 0x33800000, 0x3c007bff, 0x7c00fc00, 0x04000001, 0x7ff00000, 0x7fefffff,
                                  0x00100000, 0x3ff00000, 0xfff80000, 0x41e00000, 0xc3e00000, 0x0000001f, 0x00000020,
                                  0x0000003f, 0x00000040, 0xfffffffe, 0x0000ffff};
  static const uint8_t to_half[] = {80, 81, 81, 82, 83, 101, 102, 103, 112, 113, 142, 143}; /* exponents */
  const uint32_t r = (uint32_t)splitmix64(&p->rng);
  switch (r % 6) {
  case 0:
    return 0x3f000000u + (r >> 8 & 0x1ffffff); /* floats around 1 */
  case 1:
    return (r >> 8) & 0xff;
  case 2: /* where a half is denormal, zero, and no more than sticky bits */
    if (r >> 30 == 0) return (r >> 8 & 0x7fffff) | (uint32_t)to_half[random_below(p, sizeof to_half)] << 23;
    return edge[random_below(p, sizeof edge / sizeof *edge)];
  default:
    return edge[random_below(p, sizeof edge / sizeof *edge)];
  }
}

static uint32_t immediate(struct random_program *p) {
  if (p->related && random_chance(p, 50)) return p->related_value - 1 + random_below(p, 3);
  if (random_chance(p, 6)) return random_chance(p, 50) ? 0 : UINT32_MAX;
  return random_knob_chance(p, KNOB_OPERAND_EDGE) ? random_edge(p) : (uint32_t)splitmix64(&p->rng);
}

/* For stream_hazard.c: three registers of a bank, whatever bank that is; pairs and quads among them. */
static unsigned crowded(struct random_program *p, unsigned words) {
  const unsigned bank = (p->crowd_at + random_below(p, p->crowd_banks)) % 4, four = random_below(p, 3);
  return REG_DATA + (4 * four + bank) / words * words;
}

static unsigned data_register(struct random_program *p, unsigned words) {
  if (p->crowd_banks != 0) return crowded(p, words);
  return REG_DATA + random_below(p, (p->dense ? 8 : REG_DATA_COUNT) / words) * words;
}

unsigned random_related(struct random_program *p, unsigned words) {
  const unsigned quad = random_below(p, 2);
  return REG_STREAM + 4 * quad + p->related_at / words * words;
}

static unsigned source_register(struct random_program *p, unsigned words) {
  return p->related ? random_related(p, words) : data_register(p, words);
}

static unsigned uniform_register(struct random_program *p, unsigned words) {
  return random_below(p, (p->dense ? 4 : UREG_DATA_COUNT) / words) * words;
}

/* That it is inverted: a predicate of 8 and more. */
static uint64_t inverted(struct random_program *p, uint64_t predicate) {
  return predicate | (random_chance(p, 50) ? 8u : 0u);
}

static uint64_t random_field(struct random_program *p, const struct heddle_isa_field_info *f,
                             enum heddle_isa_field id) {
  uint64_t v;
  switch (f->kind) {
  case ISA_K_PRED_WRITE:
    return random_chance(p, 30) ? ISA_PT : random_below(p, PRED_DATA_COUNT);
  case ISA_K_PRED_READ:
    return inverted(p, random_chance(p, 30) ? ISA_PT : random_below(p, PRED_DATA_COUNT));
  case ISA_K_GUARD:
    if (random_chance(p, 3)) return ISA_PT | 8u;
    if (!random_knob_chance(p, KNOB_OPERAND_GUARDED)) return ISA_PT;
    return inverted(p, random_below(p, PRED_DATA_COUNT));
  case ISA_K_UPRED_WRITE:
    return random_below(p, ISA_PT + 1);
  case ISA_K_UPRED_READ:
    return inverted(p, random_below(p, ISA_PT + 1));
  case ISA_K_UGUARD:
    if (random_chance(p, 2)) return ISA_PT | 8u;
    return !random_knob_chance(p, KNOB_OPERAND_GUARDED) ? ISA_PT : inverted(p, random_below(p, ISA_PT));
  case ISA_K_NEG:
  case ISA_K_ABS:
    return random_below(p, 2);
  default:
    break;
  }
  uint64_t mask = ((uint64_t)1 << heddle_isa_field_width(id)) - 1;
  if (f->kind == ISA_K_UINT && random_chance(p, 8)) {
    v = random_chance(p, 50) ? 0 : mask;
    if (heddle_isa_field_legal(id, v)) return v;
  }
  do v = splitmix64(&p->rng) & mask;
  while (!heddle_isa_field_legal(id, v));
  return v;
}

/* Registers of an operand, some of them as another field of the word says. */
static unsigned slot_words(struct heddle_isa_word w, const struct heddle_isa_slot *s) {
  if (s->words != 0) return s->words;
  const enum heddle_isa_field f = (enum heddle_isa_field)s->words_field;
  return heddle_isa_set_info((enum heddle_isa_set_id)heddle_isa_field_info(f)->set)->words[heddle_isa_get(w, f)];
}

/* Most often of the program's own 256 bytes; an FP64 number may begin with the last word, which is judged later. */
static struct heddle_isa_word constant_operand(struct random_program *p, const struct heddle_isa_encoding *enc,
                                               struct heddle_isa_word w) {
  unsigned bank = 3, bytes = 256;
  const unsigned other = 1 + random_below(p, 2);
  if (random_chance(p, 10)) bank = 0, bytes = BANK0_BYTES;
  if (bank == 3 && p->bank_used[other] > 0 && random_chance(p, 15)) bank = other, bytes = p->bank_used[other] - 4;
  w = heddle_isa_put(w, (enum heddle_isa_field)enc->cbank, bank);
  return heddle_isa_put(w, (enum heddle_isa_field)enc->coff, 4u * random_below(p, bytes / 4));
}

static struct heddle_isa_word fill_operand(struct random_program *p, const struct heddle_isa_encoding *enc, unsigned o,
                                           struct heddle_isa_word w) {
  const struct heddle_isa_slot *s = &enc->src[o];
  const bool reg = s->kind == ISA_REG || s->kind == ISA_UREG;
  const uint64_t zero = reg ? ((uint64_t)1 << heddle_isa_field_width((enum heddle_isa_field)s->field)) - 1 : 0;
  switch (s->kind) {
  case ISA_REG:
    w = heddle_isa_put(w, (enum heddle_isa_field)s->field,
                       random_knob_chance(p, KNOB_OPERAND_ZERO) ? zero : source_register(p, slot_words(w, s)));
    if (enc->reuse != ISA_FIELD_NONE &&
        (p->crowd_banks != 0 ? random_chance(p, 60) : random_knob_chance(p, KNOB_OPERAND_REUSE)) &&
        heddle_isa_get(w, (enum heddle_isa_field)s->field) != zero)
      w = heddle_isa_put(w, (enum heddle_isa_field)enc->reuse,
                         heddle_isa_get(w, (enum heddle_isa_field)enc->reuse) | (uint64_t)1 << o);
    break;
  case ISA_UREG:
    w = heddle_isa_put(w, (enum heddle_isa_field)s->field,
                       random_knob_chance(p, KNOB_OPERAND_ZERO) ? zero : uniform_register(p, slot_words(w, s)));
    break;
  case ISA_IMM:
    w = heddle_isa_put(w, (enum heddle_isa_field)s->field, immediate(p));
    break;
  case ISA_CONST:
    w = constant_operand(p, enc, w);
    break;
  default:
    break;
  }
  return w;
}

static bool is_control_code(unsigned kind) {
  return kind >= ISA_K_STALL && kind <= ISA_K_REUSE;
}

static struct heddle_isa_word fill_word(struct random_program *p, const struct heddle_isa_encoding *enc) {
  struct heddle_isa_word w = enc->match;
  if (p->related) p->related_at = random_below(p, 4);
  for (unsigned i = 0; i < enc->n_fields; i++) {
    enum heddle_isa_field id = (enum heddle_isa_field)enc->fields[i];
    const struct heddle_isa_field_info *f = heddle_isa_field_info(id);
    if (!is_control_code(f->kind)) w = heddle_isa_put(w, id, random_field(p, f, id));
  }
  for (unsigned o = 0; o < 3; o++) w = fill_operand(p, enc, o, w);
  if (enc->rd.kind == ISA_REG) {
    const unsigned rd = random_chance(p, 4) ? ISA_RZ : data_register(p, slot_words(w, &enc->rd));
    w = heddle_isa_put(w, (enum heddle_isa_field)enc->rd.field, rd);
  }
  if (enc->rd.kind == ISA_UREG) {
    const enum heddle_isa_field rd = (enum heddle_isa_field)enc->rd.field;
    const unsigned none = (1u << heddle_isa_field_width(rd)) - 1; /* URZ */
    w = heddle_isa_put(w, rd, random_chance(p, 4) ? none : uniform_register(p, slot_words(w, &enc->rd)));
  }
  w = heddle_isa_put(w, (enum heddle_isa_field)enc->wbar, 7);
  return heddle_isa_put(w, (enum heddle_isa_field)enc->rbar, 7);
}

/* Does it read what is the machine's own: clocks, warp slots, how many there are? The model alone has others. */
static bool reads_machine(const struct heddle_isa_dec *d) {
  if (heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_SREG2))
    return heddle_isa_get(d->word, ISA_F_SREG2) != ISA_SREG2_SRZ;
  const bool uniform = heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_USREG);
  if (!uniform && !heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_SREG)) return false;
  switch (heddle_isa_get(d->word, uniform ? ISA_F_USREG : ISA_F_SREG)) { /* the same numbers */
  case ISA_SREG_SR_WARPID:
  case ISA_SREG_SR_SMID:
  case ISA_SREG_SR_NWARPID:
  case ISA_SREG_SR_NSMID:
  case ISA_SREG_SR_CLOCKLO:
  case ISA_SREG_SR_CLOCKHI:
    return true;
  default:
    return false;
  }
}

static bool is_uniform(const struct heddle_isa_encoding *enc) {
  bool any = enc->uniform || enc->pd_uniform || enc->ps_uniform || enc->rd.kind == ISA_UREG;
  for (unsigned o = 0; o < 3; o++) any = any || enc->src[o].kind == ISA_UREG;
  return any;
}

static bool fits_place(const struct random_program *p, const struct heddle_isa_dec *d) {
  if (p->place == PLACE_FUNCTION && d->unit == ISA_UNIT_WARP) return false;
  return p->place == PLACE_ANY || !is_uniform(heddle_isa_encoding_info((enum heddle_isa_enc)d->enc));
}

/* Trapping is for programs that are meant to. */
bool random_draws(uint32_t units, unsigned enc) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)enc);
  const struct heddle_isa_instr *in = heddle_isa_instr_info((enum heddle_isa_op)e->op);
  const bool copy = e->op == ISA_OP_LDGSTS_E || e->op == ISA_OP_LDGDEPBAR;
  const bool always = (in->unit == ISA_UNIT_MEM && !copy) || in->unit == ISA_UNIT_BR;
  const bool there = always || (units >> (copy ? ISA_PART_ASYNC : in->unit) & 1) != 0;
  return there && !e->only_model && (!is_uniform(e) || (units >> ISA_UNIT_UNI & 1) != 0);
}

static uint32_t units_of(const struct random_program *p) {
  return p->limits.units != 0 ? p->limits.units : UINT32_MAX;
}

bool random_has_uniform(const struct random_program *p) {
  return (units_of(p) >> ISA_UNIT_UNI & 1) != 0;
}

bool random_has(const struct random_program *p, unsigned unit) {
  if ((units_of(p) >> unit & 1u) == 0) return false;
  for (unsigned op = 0; op < ISA_OP_COUNT; op++) {
    const struct heddle_isa_instr *in = heddle_isa_instr_info((enum heddle_isa_op)op);
    if (in->unit == unit && !heddle_isa_encoding_info((enum heddle_isa_enc)in->first_enc)->only_model) return true;
  }
  return false;
}

static bool anywhere(enum heddle_isa_unit unit) {
  return unit != ISA_UNIT_MEM && unit != ISA_UNIT_BR && unit != ISA_UNIT_TENSOR;
}

/* What is drawn: anything, matrices, what has operands of one floating-point format, what is of one unit. */
enum wanted { ANYTHING, MATRICES, NUMBERS, OF_UNIT };

static bool takes_numbers(const struct heddle_isa_instr *in, unsigned format) {
  if (in->unit == ISA_UNIT_CVT) return true;
  return in->imm == format || (in->unit == ISA_UNIT_SFU && format == ISA_IMM_F32);
}

/* `which`: of a format or a unit. */
static bool is_wanted(const struct heddle_isa_instr *in, enum wanted what, unsigned which) {
  if (what == MATRICES) return in->unit == ISA_UNIT_TENSOR;
  if (!anywhere(in->unit) || in->mem != 0) return false;
  if (what == OF_UNIT) return in->unit == which;
  return what == ANYTHING || takes_numbers(in, which);
}

/* A machine may have next to nothing of what is wanted: then nothing is done. */
enum { TRIES = 100000 };

static void draw_insn(struct random_program *p, char *buf, size_t size, enum wanted what, unsigned which) {
  snprintf(buf, size, "NOP ;\n");
  for (unsigned tries = 0; tries < TRIES; tries++) {
    enum heddle_isa_op op = (enum heddle_isa_op)random_below(p, ISA_OP_COUNT);
    const struct heddle_isa_instr *in = heddle_isa_instr_info(op);
    if (!is_wanted(in, what, which)) continue;
    enum heddle_isa_enc e = (enum heddle_isa_enc)(in->first_enc + random_below(p, in->n_encs));
    struct heddle_isa_word w = fill_word(p, heddle_isa_encoding_info(e));
    /* A matrix wants all lanes, or none. */
    if (what == MATRICES) w = heddle_isa_put(w, ISA_F_PG, random_chance(p, 90) ? ISA_PT : ISA_PT | 8u);
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(w, &d) || !heddle_isa_in_machine(&d, units_of(p)) || (reads_machine(&d) && !p->machine) ||
        !fits_place(p, &d))
      continue;
    unsigned n = heddle_disassemble(w, 0, buf, size);
    snprintf(buf + n, size - n, " ;\n");
    return;
  }
}

void random_insn(struct random_program *p, char *buf, size_t size) {
  draw_insn(p, buf, size, ANYTHING, 0);
}

void random_insn_tensor(struct random_program *p, char *buf, size_t size) {
  draw_insn(p, buf, size, MATRICES, 0);
}

void random_insn_unit(struct random_program *p, unsigned unit, char *buf, size_t size) {
  draw_insn(p, buf, size, OF_UNIT, unit);
}

void random_insn_number(struct random_program *p, unsigned format, char *buf, size_t size) {
  draw_insn(p, buf, size, NUMBERS, format);
}
