/* SPDX-License-Identifier: Apache-2.0
 * What words do to lanes, from the instruction set's tables. */
#include "code.h"

#include "base/array.h"
#include <heddle/isa_tables.h>

static uint8_t sync_kind(const struct heddle_isa_dec *d) {
  switch (d->op) {
  case ISA_OP_BSYNC:
    return CODE_BSYNC;
  case ISA_OP_BREAK:
    return CODE_BREAK;
  case ISA_OP_WARPSYNC:
    return d->src[1].kind == ISA_IMM ? CODE_WARPSYNC : CODE_STRANGE;
  case ISA_OP_YIELD:
    return CODE_YIELD;
  case ISA_OP_NANOSLEEP:
    return CODE_SLEEP;
  default:
    return CODE_STRANGE;
  }
}

static uint8_t next_kind(const struct heddle_isa_dec *d) {
  switch (d->op) {
  case ISA_OP_BSSY:
    return CODE_BSSY;
  case ISA_OP_BAR_SYNC:
    return heddle_isa_get(d->word, ISA_F_BARCNT) == 0 ? CODE_BARRIER : CODE_STRANGE;
  case ISA_OP_BAR_ARV:
  case ISA_OP_BAR_RED:
  case ISA_OP_BAR_RED_POPC:
  case ISA_OP_BMOV_GET:
    return CODE_STRANGE;
  default:
    return CODE_PLAIN;
  }
}

static uint8_t kind_of_word(const struct heddle_isa_dec *d, bool direct) {
  switch ((enum heddle_isa_flow)heddle_isa_instr_info((enum heddle_isa_op)d->op)->flow) {
  case ISA_FLOW_SYNC:
    return sync_kind(d);
  case ISA_FLOW_BRANCH:
  case ISA_FLOW_CALL:
  case ISA_FLOW_RETURN:
    return direct ? CODE_BRANCH : CODE_INDIRECT;
  case ISA_FLOW_EXIT:
    return CODE_EXIT;
  case ISA_FLOW_TRAP:
    return CODE_STRANGE;
  default:
    return next_kind(d);
  }
}

static struct code_word read_code_word(const uint8_t *code, uint32_t pc) {
  struct heddle_isa_dec d;
  struct heddle_isa_word word;
  uint32_t bytes;
  const bool begins = heddle_isa_fetch(code, pc, &word, &bytes);
  struct code_word w = {
      .kind = CODE_ILLEGAL, .step = (uint8_t)(bytes / ISA_STEP), .target = CODE_NONE, .meet = CODE_NONE};
  int64_t target = -1;
  if (!begins || !heddle_isa_decode(word, &d)) return w;
  const bool direct = heddle_isa_flow_target(&d, pc + bytes, &target);
  w.kind = kind_of_word(&d, direct);
  w.guarded = d.guard.index != ISA_PT;
  w.never = !w.guarded && d.guard.neg;
  w.uniform = d.uniform;
  w.across = d.unit == ISA_UNIT_WARP || d.unit == ISA_UNIT_TENSOR;
  w.call = heddle_isa_instr_info((enum heddle_isa_op)d.op)->flow == ISA_FLOW_CALL;
  if (w.kind == CODE_BARRIER)
    w.x = (uint8_t)heddle_isa_get(d.word, ISA_F_BARID);
  else if (w.kind == CODE_BSSY || w.kind == CODE_BSYNC || w.kind == CODE_BREAK)
    w.x = (uint8_t)heddle_isa_get(d.word, ISA_F_BX);
  if (w.kind == CODE_BRANCH && target >= 0 && target <= UINT32_MAX && target % ISA_STEP == 0)
    w.target = (uint32_t)target / ISA_STEP;
  if (w.kind == CODE_WARPSYNC) w.target = d.src[1].imm;
  return w;
}

bool code_read(struct code *c, const uint8_t *bytes, uint32_t size) {
  *c = (struct code){.words = size / ISA_STEP};
  c->at = calloc((size_t)c->words + 1, sizeof *c->at);
  if (c->at == NULL) return false;
  for (uint32_t w = 0; w < c->words; w++) c->at[w] = read_code_word(bytes, w * ISA_STEP);
  return true;
}

void code_free(struct code *c) {
  free(c->at);
  free(c->way);
  *c = (struct code){0};
}

bool code_saw(struct code *c, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < c->ways; i++)
    if (c->way[i].from == from && c->way[i].to == to) return true;
  if (!array_room(&c->way, &c->ways_room, c->ways + 1, sizeof *c->way)) return false;
  c->way[c->ways++] = (struct code_way){from, to};
  return true;
}

const char *code_refusal(const struct code *c, uint32_t w, const uint8_t *bytes) {
  struct heddle_isa_dec d;
  struct heddle_isa_word word;
  uint32_t length;
  if (c->at[w].kind != CODE_STRANGE) return NULL;
  if (!heddle_isa_fetch(bytes, w * ISA_STEP, &word, &length) || !heddle_isa_decode(word, &d)) return NULL;
  switch (d.op) {
  case ISA_OP_BMOV_GET:
  case ISA_OP_BMOV_SET:
    return "BMOV moves barriers through registers, which no issue record shows";
  case ISA_OP_WARPSYNC:
    return "WARPSYNC takes its mask from a register, which no issue record shows";
  case ISA_OP_BPT_TRAP:
    return "BPT.TRAP stops the grid";
  default:
    return "barriers with a count, arrivals and reductions at barriers are not modelled";
  }
}
