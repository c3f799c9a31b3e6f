/* SPDX-License-Identifier: Apache-2.0
 * Random machine functions, interpreted and run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/model.h>
#include "tests/compiler/backend/random_mir.h"

enum { STEPS_MAX = 1000000 };
static const uint64_t base_address = 0x10000;

uint32_t random_param(unsigned word) {
  return word == 0 ? (uint32_t)base_address : word == 1 ? (uint32_t)(base_address >> 32) : 0x9e3779b9u * word + 7;
}

struct machine {
  const struct mir_function *f;
  uint32_t (*r)[4]; /* by virtual register */
  bool *p;
  uint32_t thread;
  uint32_t slot[RANDOM_SLOT / 4]; /* of shared memory */
  uint8_t *out;
  const char *error;
};

static uint32_t word_of(struct machine *m, const struct mir_operand *x, unsigned w) {
  switch (x->kind) {
  case MIR_REG:
    return m->r[x->reg][x->sub + w];
  case MIR_IMM:
    return w == 0 ? x->imm : 0;
  case MIR_CONST:
    return random_param((x->offset - HEDDLE_BANK0_PARAMS) / 4 + w);
  default:
    return 0;
  }
}

static bool pred_of(const struct machine *m, const struct mir_operand *x) {
  return (x->kind == MIR_REG ? m->p[x->reg] : true) != x->neg;
}

static uint64_t field_of(const struct mir_insn *i, enum heddle_isa_field f) {
  for (unsigned k = 0; k < i->fields; k++)
    if (i->field[k].field == f) return i->field[k].value;
  return 0;
}

static bool compare(unsigned how, bool is_signed, uint32_t a, uint32_t b) {
  bool less = is_signed ? (int32_t)a < (int32_t)b : a < b, equal = a == b;
  bool table[8] = {false, less, equal, less || equal, !less && !equal, !equal, !less, true};
  return table[how];
}

static bool combine(unsigned how, bool x, bool y) {
  return how == ISA_BOOL_AND ? x && y : how == ISA_BOOL_OR ? x || y : x != y;
}

/* The terms of IADD3: -x is 2^32 - x. */
static uint64_t term(struct machine *m, const struct mir_operand *x) {
  uint32_t v = word_of(m, x, 0);
  return x->neg ? (UINT64_C(1) << 32) - v : v;
}

struct result {
  uint32_t r[4];
  bool p[2];
};

static void wide(struct machine *m, const struct mir_insn *i, struct result *o) {
  uint32_t a = word_of(m, &i->src[0], 0), b = word_of(m, &i->src[1], 0);
  uint64_t c = word_of(m, &i->src[2], 0) | (uint64_t)word_of(m, &i->src[2], 1) << 32;
  uint64_t product =
      field_of(i, ISA_F_SIGN) == ISA_SIGN_U32 ? (uint64_t)a * b : (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
  o->r[0] = (uint32_t)(product + c);
  o->r[1] = (uint32_t)((product + c) >> 32);
}

static uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, unsigned lut) {
  uint32_t r = 0;
  for (unsigned k = 0; k < 32; k++)
    r |= (uint32_t)(lut >> ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1)) & 1) << k;
  return r;
}

static void store(struct machine *m, const struct mir_insn *i) {
  uint32_t at = word_of(m, &i->src[0], 0) - (uint32_t)base_address + (uint32_t)field_of(i, ISA_F_OFF24);
  for (unsigned w = 0; w < i->src[1].words; w++) {
    uint32_t v = word_of(m, &i->src[1], w);
    if (at + 4 * w + 4 <= RANDOM_THREADS * RANDOM_BYTES)
      memcpy(m->out + at + 4 * w, &v, 4);
    else
      m->error = "a store outside";
  }
}

static void shared(struct machine *m, const struct mir_insn *i, struct result *o) {
  uint32_t at = word_of(m, &i->src[0], 0) + (uint32_t)field_of(i, ISA_F_OFF24) - m->thread * RANDOM_SLOT;
  const struct mir_operand *x = i->op == ISA_OP_LDS ? &i->rd : &i->src[1];
  for (unsigned w = 0; w < x->words; w++) {
    if (at / 4 + w >= RANDOM_SLOT / 4)
      m->error = "another thread's shared memory";
    else if (i->op == ISA_OP_LDS)
      o->r[w] = m->slot[at / 4 + w];
    else
      m->slot[at / 4 + w] = word_of(m, x, w);
  }
}

static void compute(struct machine *m, const struct mir_insn *i, struct result *o) {
  const uint32_t a = word_of(m, &i->src[0], 0), b = word_of(m, &i->src[1], 0), c = word_of(m, &i->src[2], 0);
  const bool s = pred_of(m, &i->ps[0]);
  uint64_t t;
  unsigned index;
  switch (i->op) {
  case ISA_OP_MOV:
    o->r[0] = b;
    break;
  case ISA_OP_S2R:
    o->r[0] = m->thread;
    break;
  case ISA_OP_SEL:
    o->r[0] = s ? a : b;
    break;
  case ISA_OP_IMAD:
    o->r[0] = a * b + (i->src[2].neg ? 0u - c : c);
    break;
  case ISA_OP_IMAD_WIDE:
    wide(m, i, o);
    break;
  case ISA_OP_LOP3_LUT:
    o->r[0] = lop3(a, b, c, (unsigned)field_of(i, ISA_F_LUT));
    break;
  case ISA_OP_IADD3:
    t = term(m, &i->src[0]) + term(m, &i->src[1]) + term(m, &i->src[2]);
    o->r[0] = (uint32_t)t;
    o->p[0] = t >= UINT64_C(1) << 32;
    o->p[1] = t >= UINT64_C(2) << 32;
    break;
  case ISA_OP_ISETP:
    o->p[1] = !(o->p[0] = compare((unsigned)field_of(i, ISA_F_ICMP), field_of(i, ISA_F_SIGN) == 0, a, b));
    for (unsigned k = 0; k < 2; k++) o->p[k] = combine((unsigned)field_of(i, ISA_F_BOOL), o->p[k], s);
    break;
  case ISA_OP_PLOP3_LUT:
    index = (unsigned)s << 2 | (unsigned)pred_of(m, &i->ps[1]) << 1 | (unsigned)pred_of(m, &i->ps[2]);
    o->p[0] = field_of(i, ISA_F_PLUT0) >> index & 1;
    o->p[1] = field_of(i, ISA_F_PLUT1) >> index & 1;
    break;
  case ISA_OP_STG_E:
    store(m, i);
    break;
  case ISA_OP_STS:
  case ISA_OP_LDS:
    shared(m, i, o);
    break;
  case ISA_OP_LDC:
    o->r[0] = random_param(((uint32_t)field_of(i, ISA_F_COFF16) - HEDDLE_BANK0_PARAMS) / 4);
    break;
  default:
    m->error = "an operation that the interpreter does not know";
    break;
  }
}

static void step(struct machine *m, const struct mir_insn *i) {
  struct result o = {0};
  compute(m, i, &o);
  if (i->rd.kind == MIR_REG)
    for (unsigned w = 0; w < i->rd.words; w++) m->r[i->rd.reg][i->rd.sub + w] = o.r[w];
  for (unsigned k = 0; k < 2; k++)
    if (i->pd[k].kind == MIR_REG) m->p[i->pd[k].reg] = o.p[k];
}

static void run_thread(struct machine *m) {
  const struct mir_block *b = m->f->first;
  const struct mir_insn *i = b->first;
  for (unsigned steps = 0; steps < STEPS_MAX && !m->error; steps++) {
    while (b && !i) {
      b = b->next;
      i = b ? b->first : NULL;
    }
    if (!i) {
      m->error = "the end is missing";
      return;
    }
    bool does = i->guard.kind != MIR_REG || pred_of(m, &i->guard);
    if (does && i->op == ISA_OP_EXIT) return;
    if (does && i->op == ISA_OP_BRA) {
      b = i->target;
      i = b->first;
      continue;
    }
    if (does && i->op != ISA_OP_BRA) step(m, i);
    i = i->next;
  }
  if (!m->error) m->error = "no end in sight";
}

bool random_interpret(const struct mir_function *f, uint8_t *out) {
  struct machine m = {.f = f, .out = out};
  m.r = calloc(f->vregs + 1, sizeof *m.r);
  m.p = calloc(f->vregs + 1, sizeof *m.p);
  memset(out, 0, RANDOM_THREADS * RANDOM_BYTES);
  for (m.thread = 0; m.thread < RANDOM_THREADS && !m.error; m.thread++) run_thread(&m);
  if (m.error) fprintf(stderr, "%s\n", m.error);
  free(m.r);
  free(m.p);
  return !m.error;
}

const char *random_run(const struct heddle_program *p, uint8_t *out) {
  static const struct heddle_model_config config = {.size = sizeof config,
                                                    .base = 0x10000,
                                                    .bytes = RANDOM_THREADS * RANDOM_BYTES,
                                                    .warp_slots = 8,
                                                    .block_slots = 1};
  const struct heddle_kernel *k = heddle_program_kernel(p, "random");
  if (!k) return "no kernel";
  uint8_t bank[HEDDLE_BANK0_PARAMS + 4 * RANDOM_PARAMS] = {
      RANDOM_THREADS, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (unsigned w = 0; w < RANDOM_PARAMS; w++) {
    uint32_t v = random_param(w);
    memcpy(bank + HEDDLE_BANK0_PARAMS + 4 * w, &v, 4);
  }
  struct heddle_launch l = {.size = sizeof l,
                            .grid = {1, 1, 1},
                            .block = {RANDOM_THREADS, 1, 1},
                            .entry_pc = k->entry_pc,
                            .regs = k->regs,
                            .code = p->code,
                            .code_bytes = p->code_bytes,
                            .cbank = {bank},
                            .cbank_bytes = {sizeof bank},
                            .region = {{0x10000, 0x10000 + RANDOM_THREADS * RANDOM_BYTES, true}},
                            .regions = 1,
                            .units = ~0u,
                            .local_bytes = k->local_bytes,
                            .shared_bytes = k->shared_bytes};
  struct heddle_model *m = heddle_model_new(&config);
  if (!m) return "no memory";
  static char why[512];
  enum heddle_error s = heddle_model_launch(m, &l);
  if (s == HEDDLE_SUCCESS) s = heddle_model_run(m, 100000000, NULL);
  if (s != HEDDLE_SUCCESS)
    snprintf(why, sizeof why, "status %d: %s; trap %s at 0x%x", s, heddle_model_diag(m),
             heddle_cause_name(heddle_model_trap(m)->cause), heddle_model_trap(m)->pc);
  memcpy(out, heddle_model_memory(m), RANDOM_THREADS * RANDOM_BYTES);
  heddle_model_free(m);
  return s == HEDDLE_SUCCESS ? NULL : why;
}
