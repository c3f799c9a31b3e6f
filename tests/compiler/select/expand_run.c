/* SPDX-License-Identifier: Apache-2.0
 *
 * Expansions under test: run on the model, compared with silicon and with the host.
 */
#include "expand_run.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/model.h>
#include "tests/silicon/form_file.h"
#include "tests/test.h"

#define BASE UINT64_C(0x10000000)
#define PART (8u * EXPAND_MOST)
enum { BLOCK = 128, CODE_MOST = 1024 };

struct expand_machine {
  struct expand_job job;
  struct ptx_arena *arena;
  struct mir_function f;
  struct heddle_model *model;
  uint8_t code[16 * CODE_MOST];
  unsigned words, frame;
};

static void move(struct mir_builder *m, struct mir_operand d, uint32_t v) {
  mir_add(m, ISA_OP_MOV, d, mir_none(), mir_imm(v), mir_none());
}

static struct mir_operand special(struct mir_builder *m, unsigned which) {
  struct mir_operand r = mir_new(m->f, MIR_R, 1);
  mir_set(mir_add(m, ISA_OP_S2R, r, mir_none(), mir_none(), mir_none()), ISA_F_SREG, which);
  return r;
}

/* Address of element `index` of array `part`. */
static struct mir_operand address(struct mir_builder *m, struct mir_operand index, unsigned part, unsigned width) {
  struct mir_operand p = mir_new(m->f, MIR_R, 2);
  move(m, mir_word(p, 0), (uint32_t)BASE + part * PART);
  move(m, mir_word(p, 1), (uint32_t)(BASE >> 32));
  mir_set(mir_add(m, ISA_OP_IMAD_WIDE, p, index, mir_imm(width), p), ISA_F_SIGN, ISA_SIGN_U32);
  return p;
}

static struct mir_operand load(struct mir_builder *m, struct mir_operand index, unsigned part, unsigned width) {
  struct mir_operand p = address(m, index, part, width), r = mir_new(m->f, MIR_R, width / 4);
  mir_set(mir_add(m, ISA_OP_LDG_E, r, p, mir_none(), mir_none()), ISA_F_SIZE, width == 8 ? ISA_SIZE_64 : ISA_SIZE_32);
  return r;
}

static void build(struct expand_machine *x) {
  struct mir_builder m = {.f = &x->f};
  m.b = x->f.first = mir_block_new(&x->f);
  struct mir_operand tid = special(&m, ISA_SREG_SR_TID_X), block = special(&m, ISA_SREG_SR_CTAID_X);
  struct mir_operand index = mir_new(&x->f, MIR_R, 1), a, b = mir_none(), d;
  mir_add(&m, ISA_OP_IMAD, index, block, mir_imm(BLOCK), tid);
  struct mir_operand at = address(&m, index, 2, x->job.width[2]);
  if (x->job.guarded) {
    struct mir_insn *i = mir_add(&m, ISA_OP_LOP3_LUT, mir_zero(), index, mir_imm(1), mir_zero());
    mir_set(i, ISA_F_LUT, 0xc0);
    m.guard = i->pd[0] = mir_new(&x->f, MIR_P, 1);
  }
  a = load(&m, index, 0, x->job.width[0]);
  if (x->job.width[1]) b = load(&m, index, 1, x->job.width[1]);
  for (struct mir_insn *i = m.b->first; i; i = i->next) x->frame++;
  d = x->job.build(&m, x->job.ctx, a, b);
  mir_set(mir_add(&m, ISA_OP_STG_E, mir_none(), at, d, mir_none()), ISA_F_SIZE,
          x->job.width[2] == 8 ? ISA_SIZE_64 : ISA_SIZE_32);
  m.guard = mir_none();
  mir_add(&m, ISA_OP_EXIT, mir_none(), mir_none(), mir_none(), mir_none());
  x->frame += 2;
}

/* First and last line of each predicate; code runs from top to bottom. */
static void lines_of(const struct mir_insn *i, unsigned line, unsigned *first, unsigned *last) {
  const struct mir_operand *all[] = {&i->guard, &i->pd[0], &i->pd[1], &i->ps[0], &i->ps[1], &i->ps[2]};
  for (unsigned k = 0; k < 6; k++) {
    if (all[k]->kind != MIR_REG) continue;
    if (first[all[k]->reg] == 0) first[all[k]->reg] = line;
    last[all[k]->reg] = line;
  }
}

static void allocate_predicates(struct mir_function *f) {
  unsigned *first = ptx_alloc(f->arena, f->vregs * sizeof *first), *last = ptx_alloc(f->arena, f->vregs * sizeof *last);
  unsigned until[7] = {0}, line = 1;
  for (struct mir_block *b = f->first; b; b = b->next)
    for (struct mir_insn *i = b->first; i; i = i->next) lines_of(i, line++, first, last);
  for (unsigned n = 1; n < line; n++)
    for (uint32_t v = 0; v < f->vregs; v++) {
      if (f->vreg[v].class != MIR_P || first[v] != n) continue;
      for (int16_t p = 0; p < 7 && f->vreg[v].phys < 0; p++)
        if (until[p] < n) {
          f->vreg[v].phys = p;
          until[p] = last[v];
        }
    }
}

static unsigned allocate(struct mir_function *f) {
  unsigned next = 0;
  for (unsigned words = 4; words; words /= 2)
    for (uint32_t v = 0; v < f->vregs; v++)
      if (f->vreg[v].class == MIR_R && f->vreg[v].words == words) {
        f->vreg[v].phys = (int16_t)next;
        next += words;
      }
  allocate_predicates(f);
  assert_true(next <= 255);
  return next;
}

static void encode(struct expand_machine *x) {
  unsigned *start = ptx_alloc(x->arena, x->f.blocks * sizeof *start);
  for (struct mir_block *b = x->f.first; b; b = b->next) {
    start[b->id] = 16 * x->words;
    for (struct mir_insn *i = b->first; i; i = i->next) x->words++;
  }
  assert_true(x->words <= CODE_MOST);
  uint32_t pc = 0;
  for (struct mir_block *b = x->f.first; b; b = b->next)
    for (struct mir_insn *i = b->first; i; i = i->next, pc += 16) {
      struct heddle_isa_word w;
      if (!mir_encode(&x->f, i, pc, i->target ? start[i->target->id] : 0, &w)) {
        mir_print_insn(&x->f, i, stderr);
        fail_msg(" does not encode");
      }
      heddle_isa_word_store(x->code + pc, w);
    }
}

struct expand_machine *expand_new(const struct expand_job *job) {
  struct expand_machine *x = calloc(1, sizeof *x);
  assert_non_null(x);
  x->job = *job;
  x->arena = ptx_arena_new((size_t)64 << 20);
  x->f = (struct mir_function){.name = "expansion", .arena = x->arena, .whole_machine = !job->rtl};
  build(x);
  mir_substitute(&x->f);
  const char *wrong = mir_check(&x->f, false);
  if (wrong) fail_msg("%s", wrong);
  unsigned regs = allocate(&x->f);
  wrong = mir_check(&x->f, true);
  if (wrong) fail_msg("%s", wrong);
  x->f.local_bytes = regs; /* kept here for the launch */
  encode(x);
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = BASE,
                                        .bytes = 3 * PART,
                                        .warp_slots = 64,
                                        .block_slots = 8,
                                        .divergence = job->guarded ? HEDDLE_ITS : HEDDLE_STACK};
  x->model = heddle_model_new(&c);
  assert_non_null(x->model);
  return x;
}

void expand_free(struct expand_machine *x) {
  heddle_model_free(x->model);
  ptx_arena_free(x->arena);
  free(x);
}

uint64_t expand_apply(struct expand_machine *x, const void *a, const void *b, void *d, size_t n) {
  assert_true(n > 0 && n <= EXPAND_MOST);
  uint8_t *memory = heddle_model_memory(x->model);
  const size_t blocks = (n + BLOCK - 1) / BLOCK, whole = blocks * BLOCK;
  memset(memory, 0, whole * x->job.width[0]);
  memcpy(memory, a, n * x->job.width[0]);
  memset(memory + PART, 0, whole * x->job.width[1]);
  if (b) memcpy(memory + PART, b, n * x->job.width[1]);
  memset(memory + 2 * PART, 0xa5, whole * x->job.width[2]);
  const struct heddle_launch launch = {.size = sizeof launch,
                                       .grid = {(uint32_t)blocks, 1, 1},
                                       .block = {n < 32 ? (uint32_t)n : BLOCK, 1, 1},
                                       .regs = x->f.local_bytes,
                                       .code = x->code,
                                       .code_bytes = 16 * x->words,
                                       .region = {{BASE, BASE + 3 * PART, true}},
                                       .regions = 1,
                                       .units = ~0u};
  uint64_t retired = 0;
  enum heddle_error s = heddle_model_launch(x->model, &launch);
  if (s == HEDDLE_SUCCESS) s = heddle_model_run(x->model, 0, &retired);
  if (s != HEDDLE_SUCCESS)
    fail_msg("status %d: %s (trap %s at 0x%x)", (int)s, heddle_model_diag(x->model),
             heddle_cause_name(heddle_model_trap(x->model)->cause), heddle_model_trap(x->model)->pc);
  memcpy(d, memory + 2 * PART, n * x->job.width[2]);
  return retired - (n < 32 ? 1 : blocks * BLOCK / 32) * x->frame;
}

unsigned expand_size(const struct expand_machine *x) {
  return x->words - x->frame;
}

static const struct {
  const char *name;
  enum ir_op op;
} operations[] = {{"div.", IR_DIV}, {"rcp.", IR_RCP}, {"sqrt.", IR_SQRT}, {"rsqrt.", IR_RSQRT}, {"ex2.", IR_EX2},
                  {"lg2.", IR_LG2}, {"sin.", IR_SIN}, {"cos.", IR_COS},   {"tanh.", IR_TANH}};
static const char *const directions[] = {".rn", ".rm", ".rp", ".rz"};
enum { OPERATIONS = sizeof operations / sizeof *operations, SILICON = 2048 };

struct expand_float expand_float_named(const char *name) {
  struct expand_float o = {.i = {.op = IR_OPS}};
  for (unsigned k = 0; k < OPERATIONS; k++)
    if (strncmp(name, operations[k].name, strlen(operations[k].name)) == 0) o.i.op = (uint16_t)operations[k].op;
  assert_true(o.i.op != IR_OPS);
  for (unsigned k = 0; k < 4; k++)
    if (strstr(name, directions[k])) o.i.arithmetic.round = (uint8_t)k;
  o.i.type = strstr(name, ".f64") ? PTX_F64 : PTX_F32;
  o.i.arithmetic.ftz = strstr(name, ".ftz") != NULL;
  o.i.arithmetic.approx = strstr(name, ".approx") != NULL;
  o.i.arithmetic.full = strstr(name, ".full") != NULL;
  return o;
}

const char *expand_float_name(const struct expand_float *o, char text[32]) {
  const char *op = "?";
  for (unsigned k = 0; k < OPERATIONS; k++)
    if (operations[k].op == (enum ir_op)o->i.op) op = operations[k].name;
  snprintf(text, 32, "%.*s%s%s.f%u", (int)strlen(op) - 1, op,
           o->i.arithmetic.approx ? ".approx"
           : o->i.arithmetic.full ? ".full"
                                  : directions[o->i.arithmetic.round],
           o->i.arithmetic.ftz ? ".ftz" : "", o->i.type == PTX_F64 ? 64 : 32);
  return text;
}

static struct mir_operand build_float(struct mir_builder *m, const void *ctx, struct mir_operand a,
                                      struct mir_operand b) {
  const struct expand_float *o = ctx;
  const bool wide = o->i.type == PTX_F64;
  switch ((enum ir_op)o->i.op) {
  case IR_DIV:
    return wide ? expand_div_f64(m, &o->i, a, b) : expand_div_f32(m, &o->i, a, b);
  case IR_RCP:
    return wide ? expand_rcp_f64(m, &o->i, a) : expand_rcp_f32(m, &o->i, a);
  case IR_SQRT:
    return wide ? expand_sqrt_f64(m, &o->i, a) : expand_sqrt_f32(m, &o->i, a);
  default:
    return wide ? expand_rsqrt_f64(m, &o->i, a) : expand_special_f32(m, &o->i, a);
  }
}

struct expand_machine *expand_float_new(const struct expand_float *o, bool guarded) {
  const unsigned w = o->i.type == PTX_F64 ? 8 : 4;
  const struct expand_job job = {
      .build = build_float, .ctx = o, .width = {w, o->i.op == IR_DIV ? w : 0, w}, .rtl = o->rtl, .guarded = guarded};
  return expand_new(&job);
}

unsigned expand_float_fast(const struct expand_float *o) {
  enum { N = 31 };
  double wide[2][N], got[N];
  float narrow[2][N];
  for (unsigned k = 0; k < N; k++) {
    wide[0][k] = narrow[0][k] = 1.5f;
    wide[1][k] = narrow[1][k] = 3.0f;
  }
  struct expand_machine *x = expand_float_new(o, false);
  const bool f64 = o->i.type == PTX_F64;
  uint64_t n = expand_apply(x, f64 ? (void *)wide[0] : narrow[0], f64 ? (void *)wide[1] : narrow[1], got, N);
  expand_free(x);
  return (unsigned)n;
}

static void *contents(const char *directory, const char *file, const char *suffix, size_t bytes) {
  char path[512];
  snprintf(path, sizeof path, "%s/ops/%s%s", directory, file, suffix);
  return form_file_bytes(path, bytes);
}

static void compare(const char *name, const uint8_t *got, const uint8_t *want, unsigned width, unsigned step) {
  for (unsigned k = step - 1; k < SILICON; k += step)
    if (memcmp(got + k * width, want + k * width, width) != 0) {
      uint64_t g = 0, w = 0;
      memcpy(&g, got + k * width, width);
      memcpy(&w, want + k * width, width);
      fail_msg("%s[%u]: got %llx, silicon %llx", name, k, (unsigned long long)g, (unsigned long long)w);
    }
}

void expand_float_silicon(const char *directory, const char *name) {
  const struct expand_float o = expand_float_named(name);
  const unsigned w = o.i.type == PTX_F64 ? 8 : 4;
  uint8_t *a = contents(directory, w == 8 ? "f64" : "f32", ".0.bin", SILICON * w);
  uint8_t *b = contents(directory, w == 8 ? "f64" : "f32", ".1.bin", SILICON * w);
  uint8_t *want = contents(directory, name, ".gold.bin", SILICON * w), *got = malloc(SILICON * w);
  assert_non_null(got);
  for (unsigned guarded = 0; guarded < 2; guarded++) {
    struct expand_machine *x = expand_float_new(&o, guarded);
    expand_apply(x, a, b, got, SILICON);
    compare(name, got, want, w, 1 + guarded);
    if (!guarded) print_message("%-22s 2048 equal; %2u straight of %u\n", name, expand_float_fast(&o), expand_size(x));
    expand_free(x);
  }
  free(a);
  free(b);
  free(want);
  free(got);
}

/* Division and root by the host's processor, which has the four rounding directions of IEEE 754. */

static const int direction[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

static float number32(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static uint32_t flushed(uint32_t x) {
  return (x & 0x7f800000) ? x : x & 0x80000000;
}

/* Volatile: computed here and now, in the direction that is set. */
static uint32_t result32(const struct expand_float *o, float a, float b) {
  volatile float x = a, y = b, z;
  z = o->i.op == IR_DIV ? x / y : o->i.op == IR_RCP ? 1.0f / x : sqrtf(x);
  uint32_t u;
  float f = z;
  memcpy(&u, &f, sizeof u);
  return isnan(f) ? 0x7fffffff : u;
}

/* .ftz: zero if the quotient, rounded to 24 bits as if there were no least exponent, is below 2^-126. Operands of
 * quotients near there can be scaled by 2^64 upwards. */
static uint32_t ieee32(const struct expand_float *o, uint32_t a, uint32_t b) {
  if (!o->i.arithmetic.ftz) return result32(o, number32(a), number32(b));
  const float x = number32(flushed(a)), y = number32(flushed(b));
  const uint32_t u = result32(o, x, y);
  if ((u & 0x7fffffff) > 0x00800000 || (u & 0x7fffffff) == 0 || o->i.op == IR_SQRT) return u;
  struct expand_float divide = *o;
  divide.i.op = IR_DIV;
  const float dividend = o->i.op == IR_DIV ? x : 1.0f, divisor = o->i.op == IR_DIV ? y : x;
  const uint32_t scaled = fabsf(dividend) < 0x1p60f ? result32(&divide, dividend * 0x1p64f, divisor)
                                                    : result32(&divide, dividend, divisor * 0x1p-64f);
  return fabsf(number32(scaled)) < 0x1p-62f ? u & 0x80000000 : (u & 0x80000000) | 0x00800000;
}

static uint64_t ieee64(const struct expand_float *o, uint64_t a, uint64_t b) {
  double x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  volatile double p = x, q = y, z;
  z = o->i.op == IR_DIV ? p / q : o->i.op == IR_RCP ? 1.0 / p : sqrt(p);
  uint64_t u;
  double d = z;
  memcpy(&u, &d, sizeof u);
  return u;
}

void expand_judge32(const struct expand_float *o, struct expand_machine *x, const uint32_t *a, const uint32_t *b,
                    unsigned n) {
  static uint32_t got[EXPAND_MOST];
  char name[32];
  expand_apply(x, a, b, got, n);
  fesetround(direction[o->i.arithmetic.round]);
  for (unsigned k = 0; k < n; k++) {
    const uint32_t want = ieee32(o, a[k], b ? b[k] : 0);
    if (got[k] != want)
      fail_msg("%s %08x %08x: got %08x, want %08x", expand_float_name(o, name), a[k], b ? b[k] : 0, got[k], want);
  }
  fesetround(FE_TONEAREST);
}

static bool is_nan(uint64_t x) {
  return (x & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff) << 52;
}

void expand_judge64(const struct expand_float *o, struct expand_machine *x, const uint64_t *a, const uint64_t *b,
                    unsigned n) {
  static uint64_t got[EXPAND_MOST];
  char name[32];
  expand_apply(x, a, b, got, n);
  fesetround(direction[o->i.arithmetic.round]);
  for (unsigned k = 0; k < n; k++) {
    const uint64_t second = b ? b[k] : 0, want = ieee64(o, a[k], second);
    if (got[k] != want && !(is_nan(want) && is_nan(got[k])))
      fail_msg("%s %016llx %016llx: got %016llx, want %016llx", expand_float_name(o, name), (unsigned long long)a[k],
               (unsigned long long)second, (unsigned long long)got[k], (unsigned long long)want);
  }
  fesetround(FE_TONEAREST);
}
