/* SPDX-License-Identifier: Apache-2.0
 *
 * Steering: knobs of the random programs, raised by the share of holes in the groups that they serve. */
#include <inttypes.h>

#include "internal.h"

/* What each knob is worth by default, at most, and which groups ask for it (firmware/random/default.knobs). */
static const struct {
  const char *knob;
  unsigned usual, most;
  uint32_t groups;
} known[] = {
    {"stream.hazard", 10, 1000, 1u << G_HAZARD | 1u << G_CODE},
    {"stream.flow", 3, 1000, 1u << G_SPLIT | 1u << G_RELEASE},
    {"stream.barrier", 3, 1000, 1u << G_BARRIER},
    {"stream.talk", 3, 1000, 1u << G_ORDER},
    {"line.memory", 22, 1000, 1u << G_SHARED | 1u << G_GLOBAL},
    {"operand.edge", 45, 100, 1u << G_NUMBER | 1u << G_PAIR},
    {"operand.guarded", 30, 100, 1u << G_FORM},
    {"program.traps", 6, 100, 1u << G_TRAP},
    {"block.ragged", 20, 1000, 1u << G_SHAPE},
    {"block.full", 5, 1000, 1u << G_SHAPE},
};

/* Five times as much where nothing has been hit. */
static unsigned raised(unsigned usual, unsigned most, uint32_t holes, uint32_t asked) {
  const uint64_t v = asked == 0 ? usual : usual + (uint64_t)usual * 4 * holes / asked;
  return v > most ? most : (unsigned)v;
}

static void print_groups(const struct cov *c, const struct cov_exclusions *x, FILE *sink) {
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    uint32_t holes = 0, asked = 0;
    for (unsigned id = 0; id < GROUPS; id++) {
      if ((known[i].groups >> id & 1) == 0) continue;
      const struct cov_sum s = cov_sum(c, x, id);
      holes += s.asked - s.hit;
      asked += s.asked;
    }
    fprintf(sink, "%s=%u\n", known[i].knob, raised(known[i].usual, known[i].most, holes, asked));
  }
}

/* Of an instruction's bins in group form: how many are asked for, and how many are holes. */
static void op_holes(const struct cov *c, const struct cov_exclusions *x, unsigned op, uint32_t *asked,
                     uint32_t *holes) {
  const struct isa_instr *i = isa_instr_info((enum isa_op)op);
  const unsigned first = c->menu.first[i->first_enc], end = c->menu.first[i->first_enc + i->n_encs];
  *asked = *holes = 0;
  for (uint32_t b = first * MASKS; b < end * MASKS; b++) {
    if (c->group[G_FORM].never[b] != NULL || cov_excluded(x, G_FORM, b) != NULL) continue;
    ++*asked;
    *holes += c->group[G_FORM].count[b] == 0;
  }
}

void cov_weights(const struct cov *c, const struct cov_exclusions *x, bool instructions, FILE *sink) {
  print_groups(c, x, sink);
  for (unsigned op = 0; instructions && op < ISA_OP_COUNT; op++) {
    uint32_t asked, holes;
    op_holes(c, x, op, &asked, &holes);
    if (asked != 0) fprintf(sink, "op.%s=%u\n", isa_op_name((enum isa_op)op), raised(100, 1000, holes, asked));
  }
}
