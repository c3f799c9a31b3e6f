/* SPDX-License-Identifier: Apache-2.0
 * The order of instructions before allocation: nothing passes what it depends on, loads come early, pressure is kept.
 * Dependences are found here by comparing every pair of instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "compiler/ir/diag.h"
#include "compiler/backend/live.h"
#include "base/splitmix64.h"

static const uint8_t stall[8] = {5, 6, 6, 6, 6, 12};
enum { INSNS_MAX = 1200, FREE = 56 /* words that cost nothing */ };

struct bench {
  struct ptx_arena *arena;
  struct ptx_diag diag;
  struct mir_function *f;
  struct mir_builder m;
  uint64_t state;
  struct mir_operand word[24], pair[8], pred[5];
};

static uint32_t draw(struct bench *b, uint32_t below) {
  return (uint32_t)(splitmix64(&b->state) >> 33) % below;
}

static struct bench *begin(uint32_t seed) {
  struct bench *b = calloc(1, sizeof *b);
  b->arena = ptx_arena_new((size_t)64 << 20);
  ptx_diag_init(&b->diag, "presched", NULL, NULL);
  if (setjmp(b->diag.exit)) fail_msg("given up");
  b->state = seed;
  b->f = ptx_alloc(b->arena, sizeof *b->f);
  *b->f = (struct mir_function){.name = "k", .arena = b->arena, .diag = &b->diag};
  b->f->first = mir_block_new(b->f);
  b->m = (struct mir_builder){.f = b->f, .b = b->f->first};
  for (unsigned k = 0; k < 24; k++) b->word[k] = mir_new(b->f, MIR_R, 1);
  for (unsigned k = 0; k < 8; k++) b->pair[k] = mir_new(b->f, MIR_R, 2);
  for (unsigned k = 0; k < 5; k++) b->pred[k] = mir_new(b->f, MIR_P, 1);
  return b;
}

static void end(struct bench *b) {
  ptx_arena_free(b->arena);
  free(b);
}

static struct mir_insn *add(struct bench *b, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand x,
                            struct mir_operand y, struct mir_operand z) {
  return mir_add(&b->m, op, rd, x, y, z);
}

static struct mir_operand any_word(struct bench *b) {
  unsigned k = draw(b, 40);
  return k < 24 ? b->word[k] : mir_part(b->pair[(k - 24) / 2], k % 2, 1);
}

static void address(struct bench *b, struct mir_insn *i) {
  mir_set(i, ISA_F_OFF24, 4 * draw(b, 6));
}

static void any_insn(struct bench *b) {
  struct mir_operand none = mir_none(), pair = b->pair[draw(b, 8)], word = any_word(b);
  struct mir_operand rd, first, second;
  struct mir_insn *i = NULL;
  switch (draw(b, 16)) {
  case 0:
    i = add(b, ISA_OP_LDG_E, any_word(b), pair, none, none);
    address(b, i);
    break;
  case 1:
    i = add(b, ISA_OP_STG_E, none, pair, any_word(b), none);
    address(b, i);
    break;
  case 2:
    i = add(b, ISA_OP_LDS, any_word(b), word, none, none);
    address(b, i);
    break;
  case 3:
    i = add(b, ISA_OP_STS, none, word, any_word(b), none);
    address(b, i);
    break;
  case 4:
    rd = any_word(b);
    i = add(b, draw(b, 2) ? ISA_OP_LD_E : ISA_OP_LDG_E, rd, pair, none, none);
    break;
  case 5:
    rd = any_word(b);
    i = add(b, ISA_OP_ATOMS, rd, word, any_word(b), none);
    break;
  case 6:
    if (draw(b, 3) == 0) i = add(b, ISA_OP_BAR_SYNC, none, none, none, none);
    break;
  case 7:
    i = add(b, ISA_OP_SHFL, any_word(b), word, mir_imm(1), mir_imm(31));
    break;
  case 8:
    if (draw(b, 6) == 0) i = add(b, ISA_OP_BSYNC, none, none, none, none);
    break;
  case 9:
    first = any_word(b), second = any_word(b);
    i = add(b, ISA_OP_IMAD_WIDE, pair, first, second, b->pair[draw(b, 8)]);
    break;
  case 10:
    i = add(b, ISA_OP_ISETP, none, word, any_word(b), none);
    i->pd[0] = b->pred[draw(b, 5)];
    break;
  default:
    rd = any_word(b), first = any_word(b), second = any_word(b);
    i = add(b, ISA_OP_IADD3, rd, word, first, second);
    break;
  }
  if (!i || i->op == ISA_OP_BAR_SYNC || i->op == ISA_OP_BSYNC) return;
  i->ordered = draw(b, 10) == 0 && heddle_isa_instr_info((enum heddle_isa_op)i->op)->mem != ISA_MEM_NONE;
  if (draw(b, 5)) return;
  i->guard = b->pred[draw(b, 5)];
  i->keeps_old = draw(b, 2);
}

static bool same_word(const struct mir_operand *x, const struct mir_operand *y) {
  return x->reg == y->reg && x->sub < y->sub + y->words && y->sub < x->sub + x->words;
}

static bool meet(struct mir_operand **x, unsigned n, struct mir_operand **y, unsigned m) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned j = 0; j < m; j++)
      if (same_word(x[k], y[j])) return true;
  return false;
}

static bool registers_depend(struct mir_insn *a, struct mir_insn *b) {
  struct mir_operand *ra[LIVE_USES_MAX], *wa[LIVE_DEFS_MAX], *rb[LIVE_USES_MAX], *wb[LIVE_DEFS_MAX];
  unsigned nra = live_uses(a, ra), nwa = live_defs(a, wa), nrb = live_uses(b, rb), nwb = live_defs(b, wb);
  return meet(wa, nwa, rb, nrb) || meet(ra, nra, wb, nwb) || meet(wa, nwa, wb, nwb);
}

/* Which memory an instruction may touch: 1 global, 2 shared; generic is both. */
static unsigned touches(const struct mir_insn *i) {
  switch (i->op) {
  case ISA_OP_LDG_E:
  case ISA_OP_STG_E:
    return 1;
  case ISA_OP_LDS:
  case ISA_OP_STS:
  case ISA_OP_ATOMS:
    return 2;
  case ISA_OP_LD_E:
    return 3;
  default:
    return 0;
  }
}

static bool stores(const struct mir_insn *i) {
  return i->op == ISA_OP_STG_E || i->op == ISA_OP_STS || i->op == ISA_OP_ATOMS;
}

static int64_t offset(const struct mir_insn *i) {
  for (unsigned k = 0; k < i->fields; k++)
    if (i->field[k].field == ISA_F_OFF24) return (int64_t)i->field[k].value;
  return 0;
}

/* May the two be exchanged? Both access memory; `list` is the original order. */
static bool memory_depends(struct mir_insn **list, unsigned a, unsigned b) {
  struct mir_insn *x = list[a], *y = list[b];
  bool strict = x->ordered || x->op == ISA_OP_ATOMS || y->ordered || y->op == ISA_OP_ATOMS;
  if ((x->ordered || x->op == ISA_OP_ATOMS) && (y->ordered || y->op == ISA_OP_ATOMS)) return true;
  if (!(touches(x) & touches(y))) return false;
  if (strict) return true;
  if (!stores(x) && !stores(y)) return false;
  if (x->src[0].reg != y->src[0].reg || x->src[0].sub != y->src[0].sub || offset(x) == offset(y)) return true;
  for (unsigned k = a; k < b; k++) { /* the base must not change */
    struct mir_operand *w[LIVE_DEFS_MAX], *base = &x->src[0];
    if (meet(w, live_defs(list[k], w), &base, 1)) return true;
  }
  return false;
}

static bool depends(struct mir_insn **list, unsigned a, unsigned b) {
  struct mir_insn *x = list[a], *y = list[b];
  if (x->op == ISA_OP_BSYNC || y->op == ISA_OP_BSYNC) return true;
  if (registers_depend(x, y)) return true;
  bool bx = x->op == ISA_OP_BAR_SYNC, by = y->op == ISA_OP_BAR_SYNC, sx = x->op == ISA_OP_SHFL,
       sy = y->op == ISA_OP_SHFL;
  if ((bx || sx) && (by || sy)) return true;
  if ((bx && touches(y)) || (by && touches(x))) return true;
  return touches(x) && touches(y) && memory_depends(list, a, b);
}

/* The words of general registers alive at one time, at most. */
static unsigned most_alive(struct mir_function *f) {
  struct liveness *l = live_ranges(f);
  unsigned *count = calloc(2 * l->numbers + 2, sizeof *count), most = 0;
  for (uint32_t w = 0; w < l->words; w++)
    for (const struct live_range *r = l->word[w].ranges; r && f->vreg[l->reg[w]].class == MIR_R; r = r->next)
      for (uint32_t p = r->start; p <= r->end; p++)
        if (++count[p] > most) most = count[p];
  free(count);
  return most;
}

static unsigned list_of(struct bench *b, struct mir_insn **list) {
  unsigned n = 0;
  for (struct mir_insn *i = b->f->first->first; i; i = i->next) list[n++] = i;
  return n;
}

static void dependences_are_kept(void **state) {
  (void)state;
  unsigned moved = 0;
  for (uint32_t seed = 1; seed <= 60; seed++) {
    struct bench *b = begin(seed);
    struct mir_insn *before[INSNS_MAX], *after[INSNS_MAX];
    unsigned size = seed % 10 ? 20 + 5 * seed % 150 : 1000;
    for (unsigned k = 0; k < size; k++) any_insn(b);
    for (unsigned k = 0; k < 24; k++) { /* keep them alive */
      struct mir_insn *i = add(b, ISA_OP_STG_E, mir_none(), b->pair[0], b->word[k], mir_none());
      mir_set(i, ISA_F_OFF24, 64 + 4 * k);
    }
    add(b, ISA_OP_EXIT, mir_none(), mir_none(), mir_none(), mir_none());
    unsigned n = list_of(b, before), most = most_alive(b->f);
    mir_schedule(b->f, stall, 0);
    assert_int_equal(list_of(b, after), n);
    for (unsigned k = 0; k < n; k++) {
      after[k]->mark = k;
      moved += after[k] != before[k];
    }
    for (unsigned y = 0; y < n; y++)
      for (unsigned x = 0; x < y; x++)
        if (before[x]->mark > before[y]->mark && depends(before, x, y))
          fail_msg("seed %u: instruction %u passed %u", seed, y, x);
    for (unsigned k = 0; k < n; k++) assert_true(k == 0 || after[k]->prev == after[k - 1]);
    assert_true(most_alive(b->f) <= (most > FREE ? most : FREE) + 2); /* results that nobody reads do not count there */
    end(b);
  }
  assert_true(moved > 1000);
}

static void loads_come_first(void **state) {
  (void)state;
  struct bench *b = begin(1);
  struct mir_operand sum = b->word[0];
  add(b, ISA_OP_MOV, sum, mir_none(), mir_zero(), mir_none());
  for (unsigned k = 1; k < 6; k++) {
    address(b, add(b, ISA_OP_LDG_E, b->word[k], b->pair[0], mir_none(), mir_none()));
    add(b, ISA_OP_FADD, sum, sum, b->word[k], mir_none());
  }
  add(b, ISA_OP_STG_E, mir_none(), b->pair[0], sum, mir_none());
  add(b, ISA_OP_EXIT, mir_none(), mir_none(), mir_none(), mir_none());
  mir_schedule(b->f, stall, 0);
  unsigned at = 0, last_load = 0, first_add = 99;
  for (struct mir_insn *i = b->f->first->first; i; i = i->next, at++) {
    if (i->op == ISA_OP_LDG_E) last_load = at;
    if (i->op == ISA_OP_FADD && first_add == 99) first_add = at;
  }
  assert_true(last_load < first_add);
  end(b);
}

/* 160 independent loads, each used once: as many in flight as the limit allows, not all. */
static void pressure_is_bounded(void **state) {
  (void)state;
  static const unsigned limits[] = {0, 16, 40}, most_of[] = {FREE, 14, 35};
  for (unsigned l = 0; l < 3; l++) {
    struct bench *b = begin(1);
    for (unsigned k = 0; k < 160; k++) {
      struct mir_operand x = mir_new(b->f, MIR_R, 1), y = mir_new(b->f, MIR_R, 1);
      address(b, add(b, ISA_OP_LDS, x, b->word[0], mir_none(), mir_none()));
      add(b, ISA_OP_FADD, y, x, x, mir_none());
      mir_set(add(b, ISA_OP_STG_E, mir_none(), b->pair[0], y, mir_none()), ISA_F_OFF24, 4 * k);
    }
    add(b, ISA_OP_EXIT, mir_none(), mir_none(), mir_none(), mir_none());
    mir_schedule(b->f, stall, limits[l]);
    unsigned most = most_alive(b->f);
    assert_true(most <= most_of[l]);
    assert_true(most >= most_of[l] - most_of[l] / 4 - 1);
    end(b);
  }
}

/* A barrier waits until loads are done; what can be computed from the first of them meanwhile stands before it. */
static void work_before_a_barrier(void **state) {
  (void)state;
  struct bench *b = begin(1);
  struct mir_operand sum = b->word[0];
  add(b, ISA_OP_MOV, sum, mir_none(), mir_zero(), mir_none());
  for (unsigned k = 1; k < 9; k++)
    mir_set(add(b, ISA_OP_LDS, b->word[k], b->word[9], mir_none(), mir_none()), ISA_F_OFF24, 4 * k);
  for (unsigned k = 1; k < 9; k++) add(b, ISA_OP_FADD, sum, sum, b->word[k], mir_none());
  add(b, ISA_OP_BAR_SYNC, mir_none(), mir_none(), mir_none(), mir_none());
  add(b, ISA_OP_STS, mir_none(), b->word[9], sum, mir_none());
  add(b, ISA_OP_EXIT, mir_none(), mir_none(), mir_none(), mir_none());
  mir_schedule(b->f, stall, 0);
  unsigned loads = 0, adds = 0;
  struct mir_insn *i = b->f->first->first;
  for (; i->op != ISA_OP_BAR_SYNC; i = i->next) {
    loads += i->op == ISA_OP_LDS;
    adds += i->op == ISA_OP_FADD;
  }
  assert_int_equal(loads, 8);
  assert_true(adds > 0);
  end(b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(dependences_are_kept), cmocka_unit_test(loads_come_first),
                                     cmocka_unit_test(pressure_is_bounded), cmocka_unit_test(work_before_a_barrier)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
