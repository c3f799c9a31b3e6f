/* SPDX-License-Identifier: Apache-2.0
 *
 * Steering: knobs of the random programs, raised by the share of holes in the groups that they serve. */
#include "lab/verify/coverage/internal.h"
#include "lab/verify/random/knobs.h"

#define BIT(id) (UINT64_C(1) << (id))

/* Knobs, what they are at most, and the groups that ask for them. */
static const struct {
  enum knob knob;
  unsigned most;
  uint64_t groups;
} known[] = {
    {KNOB_STREAM_HAZARD, KNOB_WEIGHT_MAX, BIT(G_HAZARD) | BIT(G_CODE)},
    {KNOB_STREAM_FLOW, KNOB_WEIGHT_MAX, BIT(G_SPLIT) | BIT(G_RELEASE)},
    {KNOB_STREAM_RELEASE, KNOB_WEIGHT_MAX, BIT(G_SPLIT) | BIT(G_RELEASE)},
    {KNOB_STREAM_ADDRESS, KNOB_WEIGHT_MAX, BIT(G_SHARED) | BIT(G_GLOBAL)},
    {KNOB_STREAM_NUMBER, KNOB_WEIGHT_MAX, BIT(G_NUMBER) | BIT(G_PAIR)},
    {KNOB_PROGRAM_ENDS, 90, BIT(G_BARRIER)},
    {KNOB_STREAM_BARRIER, KNOB_WEIGHT_MAX, BIT(G_BARRIER)},
    {KNOB_STREAM_TALK, KNOB_WEIGHT_MAX, BIT(G_ORDER)},
    {KNOB_STREAM_CROWD, KNOB_WEIGHT_MAX,
     BIT(G_JOIN) | BIT(G_FILL) | BIT(G_DROP) | BIT(G_FENCE) | BIT(G_HIT) | BIT(G_LOCAL)},
    {KNOB_NODE_CONTROL, KNOB_WEIGHT_MAX, BIT(G_BARRIER) | BIT(G_RELEASE)},
    {KNOB_LINE_MEMORY, KNOB_WEIGHT_MAX, BIT(G_SHARED) | BIT(G_GLOBAL)},
    {KNOB_OPERAND_EDGE, 90, BIT(G_NUMBER) | BIT(G_PAIR)},
    {KNOB_OPERAND_GUARDED, 90, BIT(G_LANES)},
    {KNOB_PROGRAM_TRAPS, 50, BIT(G_TRAP) | BIT(G_WHO) | BIT(G_EDGE) | BIT(G_BANK)},
    {KNOB_TRAPS_EDGES, 90, BIT(G_WHO) | BIT(G_EDGE) | BIT(G_BANK)},
    {KNOB_MEMORY_EDGES, 90, BIT(G_EDGE)},
    {KNOB_STREAM_EDGE, KNOB_WEIGHT_MAX, BIT(G_EDGE) | BIT(G_BANK)},
    {KNOB_STREAM_RELATION, KNOB_WEIGHT_MAX, BIT(G_RELATION)},
    {KNOB_BLOCK_RAGGED, KNOB_WEIGHT_MAX, BIT(G_BLOCK)},
    {KNOB_BLOCK_FULL, KNOB_WEIGHT_MAX, BIT(G_BLOCK)},
    {KNOB_GRID_FILLS, 90, BIT(G_RESIDENT) | BIT(G_HELD)},
};

#define SWITCHED_ON 10u

/* Five times as much where nothing has been hit; what is usually off is on while there are holes. */
static unsigned raised(unsigned usual, unsigned most, uint32_t holes, uint32_t asked) {
  if (usual == 0 && holes != 0) usual = SWITCHED_ON;
  const uint64_t v = asked == 0 ? usual : usual + (uint64_t)usual * 4 * holes / asked;
  return v > most ? most : (unsigned)v;
}

void cov_weights(const struct cov *c, const struct cov_exclusions *x, FILE *sink) {
  struct random_knobs usual;
  random_knobs_default(&usual);
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    uint32_t holes = 0, asked = 0;
    for (unsigned id = 0; id < GROUPS; id++) {
      if ((known[i].groups >> id & 1) == 0) continue;
      const struct cov_sum s = cov_sum(c, x, id);
      holes += s.asked - s.hit;
      asked += s.asked;
    }
    fprintf(sink, "%s=%u\n", random_knob_name(known[i].knob),
            raised(usual.value[known[i].knob].low, known[i].most, holes, asked));
  }
}
