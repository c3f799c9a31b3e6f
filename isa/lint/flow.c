/* SPDX-License-Identifier: Apache-2.0
 * The program as basic blocks. A word that is no instruction ends every path that meets it: it traps. */
#include <stdlib.h>

#include "isa/lint/internal.h"

enum kind { STRAIGHT, JUMPS, CALLS, LEAVES, UNKNOWN, CALLS_UNKNOWN };

static enum kind flow_kind(const struct insn *i) {
  int64_t target;
  if (!i->legal) return LEAVES;
  const bool named = heddle_isa_flow_target(&i->d, 0, &target);
  switch (heddle_isa_flow_of(&i->d)) {
  case ISA_FLOW_BRANCH:
    return named ? JUMPS : UNKNOWN;
  case ISA_FLOW_CALL:
    return named ? CALLS : CALLS_UNKNOWN;
  case ISA_FLOW_RETURN:
    return UNKNOWN;
  case ISA_FLOW_EXIT:
  case ISA_FLOW_TRAP:
    return LEAVES;
  default:
    return STRAIGHT;
  }
}

/* Where a branch goes to, or NOWHERE: it traps. */
static uint32_t target_of(const struct lint *l, uint32_t at) {
  int64_t pc = -1;
  if (!heddle_isa_flow_target(&l->insn[at].d, l->insn[at + 1].pc, &pc)) return NOWHERE;
  return pc < 0 || pc > UINT32_MAX ? NOWHERE : flow_insn(l, (uint32_t)pc);
}

static bool decode_all(struct lint *l) {
  l->insn = calloc((size_t)l->p->code_bytes / ISA_STEP + 1, sizeof *l->insn);
  if (!l->insn) return false;
  for (uint32_t pc = 0; pc < l->p->code_bytes; pc = heddle_program_next(l->p, pc)) {
    struct insn *i = &l->insn[l->insns++];
    i->pc = pc;
    i->legal = heddle_isa_decode(heddle_program_word(l->p, pc), &i->d);
  }
  l->insn[l->insns].pc = l->p->code_bytes;
  return true;
}

uint32_t flow_insn(const struct lint *l, uint32_t pc) {
  uint32_t low = 0, high = l->insns;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->insn[middle].pc < pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low < l->insns && l->insn[low].pc == pc ? low : NOWHERE;
}

static void mark_leaders(struct lint *l) {
  l->insn[0].leads = true;
  for (uint32_t k = 0; k < l->p->kernels; k++)
    if (flow_insn(l, l->p->kernel[k].entry_pc) != NOWHERE) l->insn[flow_insn(l, l->p->kernel[k].entry_pc)].leads = true;
  for (uint32_t i = 0; i < l->insns; i++) {
    const enum kind k = flow_kind(&l->insn[i]);
    if (k == STRAIGHT) continue;
    l->insn[i + 1].leads = true; /* there is one more than instructions */
    if (!l->insn[i].legal) l->insn[i].leads = true;
    const uint32_t t = k == JUMPS || k == CALLS ? target_of(l, i) : NOWHERE;
    if (t != NOWHERE) l->insn[t].leads = true;
  }
}

uint32_t flow_block(const struct lint *l, uint32_t insn) {
  uint32_t low = 0, high = l->blocks;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->block[middle].first <= insn)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void find_successors(const struct lint *l, struct block *b) {
  const uint32_t last = b->end - 1, next = b->end < l->insns ? flow_block(l, b->end) : NOWHERE;
  const struct insn *i = &l->insn[last];
  const enum kind k = flow_kind(i);
  const uint32_t target = k == JUMPS || k == CALLS ? target_of(l, last) : NOWHERE;
  b->succ[0] = i->legal && heddle_isa_flow_passes(&i->d) ? next : NOWHERE;
  b->succ[1] = target != NOWHERE ? flow_block(l, target) : NOWHERE;
  b->returns = k == CALLS || k == CALLS_UNKNOWN ? next : NOWHERE;
  b->open = k == UNKNOWN || k == CALLS_UNKNOWN;
}

bool flow_build(struct lint *l) {
  if (!decode_all(l)) return false;
  if (l->insns == 0) return true;
  mark_leaders(l);
  for (uint32_t i = 0; i < l->insns; i++) l->blocks += l->insn[i].leads;
  l->block = calloc(l->blocks, sizeof *l->block);
  if (!l->block) return false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->insns; i++) {
    if (l->insn[i].leads) l->block[n++].first = i;
    l->block[n - 1].end = i + 1;
  }
  for (uint32_t k = 0; k < l->blocks; k++) find_successors(l, &l->block[k]);
  return true;
}
