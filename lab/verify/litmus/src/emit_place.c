/* SPDX-License-Identifier: Apache-2.0
 * Where the threads of a test are in its kernel. */
#include "lab/verify/litmus/src/litmus_emit.h"

static bool same_warp(const struct test *t, unsigned a, unsigned b) {
  return t->thread[a].cta == t->thread[b].cta && t->thread[a].warp == t->thread[b].warp;
}

bool emit_by_lane(const struct test *t) {
  for (unsigned k = 1; k < t->threads; k++)
    if (same_warp(t, 0, k)) return true;
  return false;
}

bool emit_shared(const struct test *t) {
  for (unsigned k = 0; k < t->locs; k++)
    if (t->shared[k]) return true;
  return false;
}

unsigned emit_warps(const struct test *t) {
  unsigned most = 0;
  for (unsigned k = 0; k < t->threads; k++)
    if (t->thread[k].warp + 1u > most) most = t->thread[k].warp + 1u;
  return most;
}

unsigned emit_comers(const struct test *t, unsigned thread, unsigned barrier) {
  unsigned n = 0;
  for (unsigned k = 0; k < t->threads; k++) {
    bool comes = false;
    for (unsigned j = 0; t->thread[k].cta == t->thread[thread].cta && j < t->thread[k].insns; j++)
      comes |= t->thread[k].insn[j].kind == TEST_BAR && t->thread[k].insn[j].barrier == barrier;
    n += comes;
  }
  return n;
}

unsigned emit_first_register(const struct test *t, unsigned thread) {
  unsigned n = 0;
  for (unsigned k = 0; k < thread; k++) n += t->thread[k].regs;
  return n;
}

const char *emit_shape(const struct test *t, unsigned groups, struct emit_shape *s) {
  const bool lanes = emit_by_lane(t);
  unsigned ctas = 0, shared = 0, barriers = 0;
  for (unsigned k = 0; k < t->threads; k++) {
    if (t->thread[k].cta + 1u > ctas) ctas = t->thread[k].cta + 1u;
    for (unsigned j = 0; j < t->thread[k].insns; j++) barriers += t->thread[k].insn[j].kind == TEST_BAR;
    for (unsigned j = 0; j < k; j++)
      if (same_warp(t, j, k) != lanes) return "its threads are neither all in one warp nor all in their own";
  }
  for (unsigned k = 0; k < t->locs; k++) shared += t->shared[k];
  if (lanes && barriers != 0) return "lanes of one warp cannot come to a barrier by themselves";
  if (shared != 0 && ctas != 1) return "shared memory is one block's";
  if (shared + barriers != 0 && test_has(t, TEST_LAUNCH))
    return "no launch keeps shared memory, or who is at a barrier";
  *s = (struct emit_shape){.grid = {ctas, groups, 1},
                           .block = {32, lanes ? 1 : emit_warps(t), 1},
                           .per_group = lanes ? 32u / t->threads : 32u,
                           .registers = emit_first_register(t, t->threads)};
  return NULL;
}
