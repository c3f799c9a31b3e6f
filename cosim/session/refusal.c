/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that the device must refuse, and those that it must not (isa/abi/host_regs.layout, "REFUSE").
 */
#include "cosim/session/internal.h"

static bool block_is_none(const struct heddle_launch *l) {
  const uint32_t *b = l->block;
  return b[0] == 0 || b[1] == 0 || b[2] == 0 || b[0] > 1024 || b[1] > 1024 || b[2] > 64 ||
         (uint64_t)b[0] * b[1] * b[2] > 1024;
}

/* Warps of `regs` registers each that find room: in every partition as many. */
static uint32_t room_for(const struct heddle_config *m, uint32_t regs) {
  const uint32_t places = m->warps / m->partitions, fit = m->regs / m->partitions / regs;
  return m->partitions * (fit < places ? fit : places);
}

uint32_t session_refusal(const struct heddle_config *m, const struct heddle_launch *l) {
  if (l->grid[0] == 0 || l->grid[1] == 0 || l->grid[2] == 0) return HEDDLE_REFUSE_GRID;
  if (block_is_none(l)) return HEDDLE_REFUSE_BLOCK;
  const uint32_t warps = (l->block[0] * l->block[1] * l->block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
  if (warps > m->warps) return HEDDLE_REFUSE_WARPS;
  if (l->regs == 0 || l->regs > 255 || warps > room_for(m, l->regs)) return HEDDLE_REFUSE_REGS;
  return l->shared_bytes > m->shared_bytes ? HEDDLE_REFUSE_SHARED : HEDDLE_REFUSE_NONE;
}

/* With what the block asks for and what the machine has. */
static enum heddle_session_outcome tell_refusal(struct heddle_session *s, const struct heddle_config *m) {
  const struct heddle_launch *l = &s->launch;
  const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  const unsigned warps = (unsigned)((threads + HEDDLE_LANES - 1) / HEDDLE_LANES), reason = s->result.refuse;
  if (m != NULL && reason == HEDDLE_REFUSE_WARPS)
    return session_say(s, HEDDLE_SESSION_REFUSED,
                       "the device refuses the launch: a block has %u warps, %s has room for %u", warps, m->name,
                       m->warps);
  if (m != NULL && reason == HEDDLE_REFUSE_REGS)
    return session_say(s, HEDDLE_SESSION_REFUSED,
                       "the device refuses the launch: a block has %u warps of %u registers, %s has %u warp registers",
                       warps, l->regs, m->name, m->regs);
  if (m != NULL && reason == HEDDLE_REFUSE_SHARED)
    return session_say(s, HEDDLE_SESSION_REFUSED,
                       "the device refuses the launch: a block has %u bytes of shared memory, %s has %u",
                       l->shared_bytes, m->name, m->shared_bytes);
  return session_say(s, HEDDLE_SESSION_REFUSED, "the device refuses the launch: %s",
                     reason == HEDDLE_REFUSE_GRID    ? "a grid dimension is 0"
                     : reason == HEDDLE_REFUSE_BLOCK ? "a block dimension is 0 or too large, or more than 1,024 threads"
                                                     : "the block does not fit");
}

static const char *reason_name(uint32_t reason) {
  static const char *const name[] = {"nothing",   "its grid",      "its block",
                                     "its warps", "its registers", "its shared memory"};
  return reason < sizeof name / sizeof *name ? name[reason] : "a reason that there is not";
}

enum heddle_session_outcome judge_refusal(struct heddle_session *s, uint32_t status) {
  const struct heddle_config *m = heddle_dut_core(s->device) == NULL ? session_machine(s) : NULL;
  const uint32_t must = m != NULL ? session_refusal(m, &s->launch) : s->result.refuse, did = s->result.refuse;
  if (must != did)
    return session_say(s, HEDDLE_SESSION_DEVICE,
                       "STATUS says that the launch is refused for %s; by what %s has room for: %s", reason_name(did),
                       m->name, reason_name(must));
  return (status & HEDDLE_STATUS_REFUSED) == 0 ? HEDDLE_SESSION_OK : tell_refusal(s, m);
}
