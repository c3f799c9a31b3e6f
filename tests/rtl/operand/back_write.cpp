// SPDX-License-Identifier: Apache-2.0
// Writes of registers and of predicates, and ends of instructions: what comes, and in which cycle.
#include "tests/rtl/operand/back_bench.h"

uint32_t Bench::wb_mask(unsigned b) const {
  unsigned at = b * lanes;
  uint32_t words[4]{};
  std::memcpy(words, &top->ret_wb_mask_o, std::min(sizeof words, sizeof top->ret_wb_mask_o));
  if (lanes == 32) return words[b];
  return words[at / 32] >> (at % 32) & ((1u << lanes) - 1);
}

void Bench::register_writes() {
  for (unsigned b = 0; b < 4; b++) {
    if (!(top->ret_wb_valid_o >> b & 1)) continue;
    unsigned w = top->ret_wb_slot_o >> (8 * b) & 0xff, gen = top->ret_wb_gen_o >> (8 * b) & 0xff;
    unsigned rd = top->ret_wb_rd_o >> (8 * b) & 0xff, beat = top->ret_wb_beat_o >> (8 * b) & 0xff;
    uint32_t seq = top->ret_wb_seq_o[b];
    auto it = writes_.find({w, seq, rd, beat});
    if (it == writes_.end() || gen != warps[w].gen) {
      error("unexpected write: warp %u seq %u R%u beat %u", w, seq, rd, beat);
      continue;
    }
    const Write &want = it->second;
    if (want.due != cycle)
      error("write in cycle %llu, not %llu", (unsigned long long)cycle, (unsigned long long)want.due);
    unsigned reg = warps[w].rbase + rd, row = reg / top->cfg_banks_o * beats + beat;
    if (reg % top->cfg_banks_o != b || (top->ret_wb_bank_o >> (8 * b) & 0xff) != b)
      error("write of R%u in bank %u", rd, b);
    if (uint16_t(top->ret_wb_row_o >> (16 * b)) != row) error("write of R%u in another row than %u", rd, row);
    if (wb_mask(b) != want.mask) error("write mask %x, not %x", wb_mask(b), want.mask);
    for (unsigned l = 0; l < lanes; l++) {
      uint32_t got = top->ret_wb_data_o[b * lanes + l];
      if ((want.mask >> l & 1) && got != want.data[beat * lanes + l])
        error("write of R%u lane %u: %08x, not %08x", rd, l, got, want.data[beat * lanes + l]);
    }
    writes_.erase(it);
    written++;
  }
  for (auto &w : writes_) {
    if (w.second.due < cycle) {
      error("write due in %llu did not come", (unsigned long long)w.second.due);
      writes_.erase(w.first);
      break;
    }
  }
}

void Bench::predicate_writes() {
  if (!top->ret_pwb_valid_o) return;
  auto it = preds_.find({top->ret_pwb_slot_o, top->ret_pwb_seq_o, top->ret_pwb_beat_o});
  if (it == preds_.end()) return error("unexpected predicate write");
  auto &p = it->second;
  uint32_t m = p[0];
  if (top->ret_pwb_mask_o != m || top->ret_pwb_pd0_o != p[1] || top->ret_pwb_pd1_o != p[2] || p[5] != uint32_t(cycle) ||
      (p[1] != ISA_PT && (top->ret_pwb_d0_o & m) != (p[3] & m)) ||
      (p[2] != ISA_PT && (top->ret_pwb_d1_o & m) != (p[4] & m))) {
    error("predicate write of warp %u seq %u beat %u", top->ret_pwb_slot_o, top->ret_pwb_seq_o, top->ret_pwb_beat_o);
  }
  preds_.erase(it);
}

void Bench::ends() {
  for (unsigned g = 0; g < 3; g++) {
    bool want = false;
    unsigned w = top->done_slot_o >> (8 * g) & 0xff;
    for (auto it = done_.begin(); it != done_.end(); ++it) {
      if ((top->cfg_group_o >> (8 * it->second.first) & 0xff) != g || it->second.second != cycle) continue;
      want = true;
      if (top->done_valid_o >> g & 1 &&
          (it->first[0] != w || (top->done_wbar_o >> (3 * g) & 7) != done_info_[it->first]))
        error("end of another instruction");
      done_.erase(it);
      break;
    }
    if (want != bool(top->done_valid_o >> g & 1)) error("end event of pipes %u: %d", g, !want);
  }
}
