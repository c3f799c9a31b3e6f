/* SPDX-License-Identifier: Apache-2.0 */
#include "expand_run.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/model.h>

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
  enum heddle_status s = heddle_model_launch(x->model, &launch);
  if (s == HEDDLE_OK) s = heddle_model_run(x->model, 0, &retired);
  if (s != HEDDLE_OK)
    fail_msg("status %d: %s (trap %s at 0x%x)", (int)s, heddle_model_diag(x->model),
             heddle_cause_name(heddle_model_trap(x->model)->cause), heddle_model_trap(x->model)->pc);
  memcpy(d, memory + 2 * PART, n * x->job.width[2]);
  return retired - (n < 32 ? 1 : blocks * BLOCK / 32) * x->frame;
}

unsigned expand_size(const struct expand_machine *x) {
  return x->words - x->frame;
}
