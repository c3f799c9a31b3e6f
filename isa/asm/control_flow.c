/* SPDX-License-Identifier: Apache-2.0
 * Basic blocks of a stretch of code. Only branches make edges: an instruction that parks threads (BSYNC, WARPSYNC) lets
 * each of them go on at the next word, whatever others do meanwhile. */
#include <stdlib.h>

#include "isa/asm/control.h"

struct search {
  unsigned place;
  bool found;
};

static void match_place(void *ctx, unsigned place) {
  struct search *s = ctx;
  s->found = s->found || s->place == place;
}

bool control_touches(const struct heddle_isa_dec *d, unsigned place) {
  struct search s = {.place = place};
  heddle_hazard_each_source(d, match_place, &s);
  heddle_hazard_each_reg_result(d, match_place, &s);
  heddle_hazard_each_pred_result(d, match_place, &s);
  return s.found;
}

enum kind { STRAIGHT, JUMPS, LEAVES, UNKNOWN };

static enum kind flow_kind(const struct heddle_isa_dec *d) {
  int64_t target;
  switch (heddle_isa_flow_of(d)) {
  case ISA_FLOW_NEXT:
  case ISA_FLOW_SYNC:
    return STRAIGHT;
  case ISA_FLOW_EXIT:
  case ISA_FLOW_TRAP:
    return LEAVES;
  case ISA_FLOW_BRANCH: /* what names an absolute address may go out of the stretch */
    return heddle_isa_flow_target(d, 0, &target) && heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_REL)
               ? JUMPS
               : UNKNOWN;
  default:
    return UNKNOWN;
  }
}

/* The instruction that a branch at `at` goes to, or CONTROL_NOWHERE. */
static uint32_t target_of(const struct control_code *c, uint32_t at) {
  int64_t t = -1;
  if (!heddle_isa_flow_target(&c->insn[at].d, (at + 1) * ISA_WORD_BYTES, &t)) return CONTROL_NOWHERE;
  return t >= 0 && t / ISA_WORD_BYTES < c->insns ? (uint32_t)(t / ISA_WORD_BYTES) : CONTROL_NOWHERE;
}

static void mark_leaders(struct control_code *c) {
  for (uint32_t i = 0; i < c->insns; i++) {
    enum kind k = flow_kind(&c->insn[i].d);
    if (k == STRAIGHT) continue;
    if (i + 1 < c->insns) c->insn[i + 1].leads = true;
    if (k == JUMPS && target_of(c, i) != CONTROL_NOWHERE) c->insn[target_of(c, i)].leads = true;
  }
  if (c->insns > 0) c->insn[0].leads = true;
}

static uint32_t block_at(const struct control_code *c, uint32_t insn) {
  uint32_t low = 0, high = c->blocks;
  if (insn >= c->insns) return CONTROL_NOWHERE;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (c->block[middle].first <= insn)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void find_successors(const struct control_code *c, struct control_block *b) {
  const uint32_t last = b->end - 1;
  const enum kind k = flow_kind(&c->insn[last].d);
  const bool falls = heddle_isa_flow_passes(&c->insn[last].d);
  b->succ[0] = falls ? block_at(c, b->end) : CONTROL_NOWHERE;
  b->succ[1] = k == JUMPS ? block_at(c, target_of(c, last)) : CONTROL_NOWHERE;
  b->open = k == UNKNOWN || (falls && b->succ[0] == CONTROL_NOWHERE) || (k == JUMPS && b->succ[1] == CONTROL_NOWHERE);
}

bool control_flow(struct control_code *c) {
  mark_leaders(c);
  for (uint32_t i = 0; i < c->insns; i++) c->blocks += c->insn[i].leads;
  c->block = calloc(c->blocks + 1, sizeof *c->block);
  if (!c->block) return false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->insns; i++) {
    if (c->insn[i].leads) c->block[n++].first = i;
    c->block[n - 1].end = i + 1;
  }
  for (uint32_t k = 0; k < c->blocks; k++) find_successors(c, &c->block[k]);
  return true;
}
