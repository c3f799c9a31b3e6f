/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: warp 0 stepped by hand, and the divergence hash from a
 * description of the state.
 */
#ifndef HEDDLE_TEST_STEP_H
#define HEDDLE_TEST_STEP_H

#include "tests/test.h"
#include "tests/cmodel/machine.h"

/* Effect of the latest issue. */
static struct heddle_effect e;

/* Issue once; the instruction must start at pc with this active mask. */
static inline void step(struct machine *x, uint32_t pc, uint32_t active) {
  EXPECT(x, HEDDLE_SUCCESS, heddle_warp_issue(x->model, 0, &e));
  if (e.pc != pc || e.active != active)
    fail_msg("seq %u: pc 0x%x active 0x%08x, want pc 0x%x active 0x%08x", e.seq, e.pc, e.active, pc, active);
}

static inline void steps(struct machine *x, unsigned n) {
  while (n-- > 0) EXPECT(x, HEDDLE_SUCCESS, heddle_warp_issue(x->model, 0, &e));
}

/* The path of these lanes, named by the lowest one, is chosen and issues. */
static inline void pick(struct machine *x, uint32_t pc, uint32_t active) {
  EXPECT(x, HEDDLE_SUCCESS, heddle_warp_choose(x->model, 0, (unsigned)__builtin_ctz(active)));
  step(x, pc, active);
}

static inline void precise(struct machine *x, enum heddle_cause cause, uint32_t pc, uint32_t lanes, uint64_t addr) {
  EXPECT(x, HEDDLE_ERROR_TRAPPED, heddle_warp_issue(x->model, 0, &e));
  expect_trap(x, cause, pc, lanes, addr);
  EXPECT(x, HEDDLE_ERROR_STATE, heddle_warp_issue(x->model, 0, &e));
}

/* Found after the operand has been read: the instruction has its issue record and no effect; its warp goes no further.
 */
static inline void after_operand(struct machine *x, enum heddle_cause cause, uint32_t pc, uint32_t lanes) {
  EXPECT(x, HEDDLE_SUCCESS, heddle_warp_issue(x->model, 0, &e));
  assert_true(e.traps);
  expect_trap(x, cause, pc, lanes, 0);
  EXPECT(x, HEDDLE_ERROR_STATE, heddle_warp_issue(x->model, 0, &e));
}

/* P0 = lane < n, R0 = lane: two instructions. */
static inline void emit_lane_below(struct machine *x, unsigned pred, uint32_t n) {
  machine_emit(x, s2r(0, ISA_SREG_SR_LANEID));
  machine_emit(x, isetp(pred, ISA_ICMP_LT, 0, n));
}

static inline uint32_t at(const struct machine *x) {
  return 16 * x->n;
}

/* ---- the hash, computed from a description of the state ---- */

static inline uint64_t item(unsigned tag, uint32_t pc, uint32_t mask, unsigned r) {
  uint64_t v = ((uint64_t)tag << 24 | (pc & 0xffffff)) << 32 | mask;
  for (r %= 64; r > 0 && mask != 0; r--) v = v << 1 | v >> 63;
  return mask != 0 ? v : 0;
}
/* `stack`: d is the depth; `its`: the lowest lane of mask. */
static inline uint64_t waiting(unsigned d, uint32_t pc, uint32_t mask) {
  return item(0x80 + d, pc, mask, 2 * d + 1);
}
static inline uint64_t member(unsigned b, uint32_t mask) {
  return item(0x20 + b, 0, mask, 3 * b + 2);
}
static inline uint64_t parked(unsigned b, uint32_t pc, uint32_t mask) {
  return item(0x40 + b, pc, mask, 3 * b + 17);
}
static inline uint64_t exited(uint32_t mask) {
  return item(0x10, 0, mask, 7);
}

static inline uint64_t member_w(uint32_t mask) {
  return item(0x30, 0, mask, 50);
}
static inline uint64_t parked_w(uint32_t pc, uint32_t mask) {
  return item(0x50, pc, mask, 53);
}

static inline void expect_hash(uint64_t want) {
  if (e.dhash != want)
    fail_msg("seq %u pc 0x%x: hash %016llx, want %016llx", e.seq, e.pc, (unsigned long long)e.dhash,
             (unsigned long long)want);
}

#endif
