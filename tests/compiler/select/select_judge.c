/* SPDX-License-Identifier: Apache-2.0
 *
 * One operation of the graph, judged in many settings.
 */
#include "select_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/compiler/graph/ir_warp.h"
#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

/* What operations compute that ir_eval.c leaves out, from PTX's definitions. */

static unsigned bits_of_type(unsigned type) {
  return 8 * ptx_type_bytes((enum ptx_type)type);
}

static uint64_t mask_of(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

typedef unsigned __int128 big;

/* ADDC SUBC MADC: sums of all bits; what is above them is the carry, or below zero the borrow. */
static bool carries(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  const unsigned bits = bits_of_type(i->type), fixed = i->op == IR_MADC ? 3 : 2;
  const uint64_t in = i->sources > fixed ? s[fixed] & 1 : 0;
  big x = s[0], r;
  if (i->op == IR_SUBC) {
    r = x - s[1] - in;
    d[1] = x < (big)s[1] + in;
  } else if (i->op == IR_ADDC) {
    r = x + s[1] + in;
    d[1] = (uint64_t)(r >> bits) & 1;
  } else {
    struct ir_insn product = {.op = i->arithmetic.high ? IR_MULHI : IR_MUL, .type = i->type, .sources = 2, .dsts = 1};
    uint64_t p;
    if (!ir_eval(&product, s, &p)) return false;
    r = (big)p + s[2] + in;
    d[1] = (uint64_t)(r >> bits) & 1;
  }
  d[0] = (uint64_t)r & mask_of(bits);
  return true;
}

/* The special ways of PRMT, as the manual's table has them: byte n of {b, a} for each byte of the result. */
static bool permute(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  static const uint8_t table[7][4] = {[IR_PRMT_F4E] = {0x10, 0x11, 0x12, 0x13},
                                      [IR_PRMT_B4E] = {0x10, 0x17, 0x16, 0x15},
                                      [IR_PRMT_RC8] = {0x10, 0x10, 0x10, 0x10}};
  const unsigned n = s[2] & 3;
  uint64_t v = s[0] | s[1] << 32;
  d[0] = 0;
  for (unsigned k = 0; k < 4; k++) {
    unsigned from = 0;
    if (i->permute <= IR_PRMT_RC8)
      from = (n + table[i->permute][k]) & 7;
    else if (i->permute == IR_PRMT_ECL)
      from = k > n ? k : n;
    else if (i->permute == IR_PRMT_ECR)
      from = k < n ? k : n;
    else
      from = 2 * (n & 1) + (k & 1);
    d[0] |= (v >> (8 * from) & 0xff) << (8 * k);
  }
  return i->permute != IR_PRMT_INDEX;
}

static int64_t byte(uint64_t x, unsigned k, unsigned type) {
  uint8_t b = (uint8_t)(x >> (8 * k));
  return type == PTX_S32 ? (int8_t)b : b;
}

static bool dot(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  int64_t sum = (int64_t)s[2];
  for (unsigned k = 0; k < 4; k++) sum += byte(s[0], k, i->type) * byte(s[1], k, i->type2);
  d[0] = (uint64_t)sum & UINT32_MAX;
  return true;
}

static bool class_of_number(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  int c;
  if (i->type == PTX_F64) {
    double x;
    memcpy(&x, &s[0], 8);
    c = fpclassify(x);
  } else {
    float x;
    memcpy(&x, &s[0], 4);
    c = fpclassify(x);
  }
  const bool is[] = {[IR_TESTP_FINITE] = c != FP_NAN && c != FP_INFINITE,
                     [IR_TESTP_INFINITE] = c == FP_INFINITE,
                     [IR_TESTP_NUMBER] = c != FP_NAN,
                     [IR_TESTP_NOTANUMBER] = c == FP_NAN,
                     [IR_TESTP_NORMAL] = c == FP_NORMAL || c == FP_ZERO, /* as silicon says */
                     [IR_TESTP_SUBNORMAL] = c == FP_SUBNORMAL};
  d[0] = is[i->test];
  return true;
}

static bool is_nan(unsigned type, uint64_t x) {
  if (type == PTX_F64) return (x & INT64_MAX) > UINT64_C(0x7ff0000000000000);
  return (x & INT32_MAX) > 0x7f800000;
}

/* Bits 63:56 of a generic address name the space (isa/doc/04-memory.md). */
static bool space(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  d[0] = s[0] >> 56 == (i->memory.space == PTX_GLOBAL ? 0u : i->memory.space == PTX_SHARED ? 1u : 2u);
  return true;
}

bool select_expect(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  const uint64_t sign = i->type == PTX_F64 ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
  switch (i->op) {
  case IR_ADDC:
  case IR_SUBC:
  case IR_MADC:
    return carries(i, s, d);
  case IR_DP4A:
    return dot(i, s, d);
  case IR_TESTP:
    return class_of_number(i, s, d);
  case IR_COPYSIGN:
    return d[0] = (s[0] & sign) | (s[1] & ~sign), true;
  case IR_ISSPACEP:
    return space(i, s, d);
  default:
    if (i->op == IR_PRMT && i->permute != IR_PRMT_INDEX) return permute(i, s, d);
    if (!ir_eval(i, s, d)) return false;
    /* NaNs: tests/silicon/nan.txt, by way of PTX, in test_ops.c. */
    return (i->type != PTX_F32 && i->type != PTX_F64) || i->op == IR_SETP || i->op == IR_SELP || !is_nan(i->type, d[0]);
  }
}

/* A thread's record: its sources, then its results. Parameters: one of each class. */
enum { RECORD = 64, RESULTS = 32, BLOCK = 128, PARAM = 16 };
#define BASE UINT64_C(0x7f00000000)
#define BEFORE UINT64_C(0x5a5a1234a5a5fedc) /* in a guarded destination */

struct build {
  struct ir_function *f;
  struct ir_block *b;
  struct ir_value *base;
};

static enum ir_class class_of(char letter) {
  return letter == 'p' ? IR_PRED : letter == 'd' ? IR_64 : IR_32;
}

static enum ptx_type bits_of(enum ir_class c) {
  return c == IR_PRED ? PTX_PRED : c == IR_64 ? PTX_B64 : PTX_B32;
}

static struct ir_insn *add(struct build *m, enum ir_op op, enum ptx_type t, struct ir_value *dst) {
  struct ir_insn *i = ir_insn_new(m->f, op, t, (struct ptx_pos){1, 1});
  if (dst) i->dst[i->dsts++] = dst;
  ir_append(m->b, i);
  return i;
}

static void source(struct ir_insn *i, struct ir_operand o) {
  i->src[i->sources++] = o;
}

/* base = BASE + 64 * (tid + 128 * ctaid) */
static void begin(struct build *m) {
  struct ir_value *tid = ir_value_new(m->f, IR_32), *cta = ir_value_new(m->f, IR_32), *at = ir_value_new(m->f, IR_32);
  m->base = ir_value_new(m->f, IR_64);
  add(m, IR_SREG, PTX_U32, tid)->sreg = IR_TID_X;
  add(m, IR_SREG, PTX_U32, cta)->sreg = IR_CTAID_X;
  struct ir_insn *i = add(m, IR_MAD, PTX_U32, at);
  source(i, ir_use(cta));
  source(i, ir_bits(BLOCK));
  source(i, ir_use(tid));
  i = add(m, IR_MADWIDE, PTX_U32, m->base);
  source(i, ir_use(at));
  source(i, ir_bits(RECORD));
  source(i, ir_bits(BASE));
}

static struct ir_value *load(struct build *m, unsigned k, enum ir_class c) {
  struct ir_value *v = ir_value_new(m->f, c == IR_64 ? IR_64 : IR_32);
  struct ir_insn *i = add(m, IR_LD, c == IR_64 ? PTX_U64 : PTX_U32, v);
  i->memory.space = PTX_GLOBAL;
  source(i, ir_use(m->base));
  i->memory.offset = 8 * k;
  if (c != IR_PRED) return v;
  struct ir_value *bit = ir_value_new(m->f, IR_32), *p = ir_value_new(m->f, IR_PRED);
  i = add(m, IR_AND, PTX_B32, bit);
  source(i, ir_use(v));
  source(i, ir_bits(1));
  i = add(m, IR_SETP, PTX_U32, p);
  source(i, ir_use(bit));
  source(i, ir_bits(0));
  i->comparison.cmp = IR_NE;
  return p;
}

static struct ir_value *parameter(struct build *m, enum ir_class c) {
  struct ir_value *v = ir_value_new(m->f, c);
  add(m, IR_PARAM, c == IR_64 ? PTX_U64 : PTX_U32, v)->place.at = c == IR_64 ? 8 : 0;
  m->f->param_bytes = PARAM;
  return v;
}

static void store(struct build *m, unsigned k, struct ir_value *v, bool low) {
  enum ir_class c = v->class;
  if (c == IR_PRED || (c == IR_64 && low)) {
    struct ir_value *word = ir_value_new(m->f, IR_32);
    struct ir_insn *i = add(m, c == IR_PRED ? IR_SELP : IR_CVT, PTX_U32, word);
    if (c == IR_PRED) {
      source(i, ir_bits(1));
      source(i, ir_bits(0));
    }
    i->type2 = c == IR_PRED ? PTX_NO_TYPE : PTX_U64;
    source(i, ir_use(v));
    v = word;
  }
  struct ir_insn *i = add(m, IR_ST, v->class == IR_64 ? PTX_B64 : PTX_B32, NULL);
  i->memory.space = PTX_GLOBAL;
  i->memory.offset = RESULTS + 8 * (int64_t)k;
  source(i, ir_use(m->base));
  source(i, ir_use(v));
}

static void copy(struct build *m, struct ir_value *to, struct ir_operand from) {
  source(add(m, IR_COPY, bits_of(to->class), to), from);
}

/* As ir_from_ssa says where values come from. */
static void find_definitions(struct ir_function *f) {
  for (unsigned pass = 0; pass < 2; pass++)
    for (struct ir_insn *i = f->first->first; i; i = i->next)
      for (unsigned k = 0; k < i->dsts; k++) {
        struct ir_value *v = i->dst[k];
        if (pass == 0)
          v->mark = 0, v->def = NULL;
        else
          v->def = v->mark++ ? NULL : i;
      }
}

static uint64_t class_mask(char letter) {
  return letter == 'p' ? 1 : letter == 'd' ? UINT64_MAX : UINT32_MAX;
}

uint64_t select_mask(const struct select_case *c, unsigned k) {
  return c->dst[k] == 'w' && c->i.type == PTX_F16 && c->i.op != IR_CVT ? 0xffff : class_mask(c->dst[k]);
}

static struct ir_function *build(struct ptx_arena *a, const struct select_case *c, enum select_setting setting,
                                 unsigned which, uint64_t constant) {
  struct build m = {.f = ptx_alloc(a, sizeof *m.f)};
  struct ir_value *guard = NULL, *x[JUDGE_SOURCES];
  struct ir_insn *i = ptx_alloc(a, sizeof *i);
  *m.f = (struct ir_function){.name = "one", .entry = true, .arena = a};
  m.b = m.f->first = ir_block_new(m.f);
  begin(&m);
  *i = c->i;
  for (unsigned k = 0; k < i->sources; k++) {
    enum ir_class class = class_of(c->src[k]);
    bool here = k == which;
    if (here && setting == SETTING_CONSTANT) {
      i->src[k] = ir_bits(constant & class_mask(c->src[k]));
      continue;
    }
    x[k] = here && setting == SETTING_PARAM ? parameter(&m, class) : load(&m, k, class);
    if (here && setting == SETTING_VARIABLE) {
      struct ir_value *v = ir_value_new(m.f, class);
      copy(&m, v, ir_use(x[k]));
      x[k] = i->dst[0] = v;
    }
    i->src[k] = ir_use(x[k]);
  }
  for (unsigned k = 0; k < i->dsts; k++)
    if (!i->dst[k]) i->dst[k] = ir_value_new(m.f, class_of(c->dst[k]));
  if (setting == SETTING_GUARDED) {
    guard = load(&m, 3, IR_PRED);
    i->guard = guard;
    i->guard_invert = which & 1;
    for (unsigned k = 0; k < i->dsts; k++) {
      copy(&m, i->dst[k], ir_bits(BEFORE & class_mask(c->dst[k])));
      i->old[k] = ir_use(i->dst[k]);
    }
  }
  ir_append(m.b, i);
  for (unsigned k = 0; k < i->dsts; k++) store(&m, k, i->dst[k], setting == SETTING_LOW);
  add(&m, IR_EXIT, PTX_NO_TYPE, NULL);
  find_definitions(m.f);
  return m.f;
}

static uint64_t get(const uint8_t *from, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned k = 0; k < bytes; k++) v |= (uint64_t)from[k] << (8 * k);
  return v;
}

static void put(uint8_t *to, uint64_t v) {
  for (unsigned k = 0; k < 8; k++) to[k] = (uint8_t)(v >> (8 * k));
}

struct trial {
  const struct select_case *c;
  enum select_setting setting;
  unsigned source;
  uint64_t constant;
};

static void judge(const struct trial *t, const uint64_t *in, const uint8_t *record,
                  bool (*expect)(const struct ir_insn *i, const uint64_t *src, uint64_t *dst)) {
  const struct select_case *c = t->c;
  uint64_t src[JUDGE_SOURCES] = {0}, want[2] = {BEFORE, BEFORE};
  for (unsigned k = 0; k < c->i.sources; k++) {
    bool other = k == t->source && (t->setting == SETTING_CONSTANT || t->setting == SETTING_PARAM);
    src[k] = (other ? t->constant : in[k]) & class_mask(c->src[k]);
  }
  bool runs = t->setting != SETTING_GUARDED || (in[3] & 1) != (t->source & 1);
  if (runs && !expect(&c->i, src, want)) return;
  for (unsigned k = 0; k < c->i.dsts; k++) {
    uint64_t mask = runs ? select_mask(c, k) : class_mask(c->dst[k]);
    if (t->setting == SETTING_LOW) mask &= UINT32_MAX;
    uint64_t got = get(record + RESULTS + 8 * k, mask > UINT32_MAX ? 8 : 4);
    if ((got & mask) == (want[k] & mask)) continue;
    fail_msg("%s.%s.%s, setting %d of source %u: result %u of %llx, %llx, %llx, %llx is %llx, not %llx",
             ir_op_name((enum ir_op)c->i.op), ptx_type_word((enum ptx_type)c->i.type),
             ptx_type_word((enum ptx_type)c->i.type2), (int)t->setting, t->source, k, (unsigned long long)src[0],
             (unsigned long long)src[1], (unsigned long long)src[2], (unsigned long long)src[3],
             (unsigned long long)(got & mask), (unsigned long long)(want[k] & mask));
  }
}

void select_try(const struct select_case *c, enum select_setting setting, unsigned source, uint64_t constant,
                const uint64_t in[JUDGE_THREADS][JUDGE_SOURCES],
                bool (*expect)(const struct ir_insn *i, const uint64_t *src, uint64_t *dst)) {
  struct ptx_arena *a = ptx_arena_new((size_t)64 << 20);
  struct select_made made = select_make(build(a, c, setting, source, constant));
  if (!made.p)
    fail_msg("%s.%s: %s", ir_op_name((enum ir_op)c->i.op), ptx_type_word((enum ptx_type)c->i.type), made.message);
  uint8_t *memory = calloc(JUDGE_THREADS, RECORD), param[PARAM];
  put(param, constant);
  put(param + 8, constant);
  for (unsigned t = 0; t < JUDGE_THREADS; t++)
    for (unsigned k = 0; k < JUDGE_SOURCES; k++) put(memory + t * RECORD + 8 * k, in[t][k]);
  const struct select_job job = {.base = BASE,
                                 .global = memory,
                                 .bytes = JUDGE_THREADS * RECORD,
                                 .blocks = JUDGE_THREADS / BLOCK,
                                 .threads = BLOCK,
                                 .param = param,
                                 .param_bytes = PARAM};
  const char *wrong = select_launch(made.p, &job);
  if (wrong) fail_msg("%s.%s: %s", ir_op_name((enum ir_op)c->i.op), ptx_type_word((enum ptx_type)c->i.type), wrong);
  const struct trial trial = {c, setting, source, constant};
  for (unsigned t = 0; t < JUDGE_THREADS; t++) judge(&trial, in[t], memory + t * RECORD, expect);
  free(memory);
  heddle_program_free(made.p);
  ptx_arena_free(a);
}
