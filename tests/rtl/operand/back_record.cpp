// SPDX-License-Identifier: Apache-2.0
// Beats of operands, branches and memory operations against the reference; memory results that were taken.
#include "back_bench.h"

bool Bench::who(const char *what, unsigned slot, unsigned gen, uint32_t seq, unsigned beat) {
  Warp &wp = warps.at(slot % warps.size());
  if (slot >= warps.size() || !wp.now || wp.now->seq != seq || wp.gen != gen || wp.now->next_beat != beat) {
    error("%s: unexpected: warp %u gen %u seq %u beat %u", what, slot, gen, seq, beat);
    return false;
  }
  return true;
}

template <typename D>
void Bench::operands(const char *what, const Instr &in, unsigned beat, unsigned used, uint32_t mask, const D &data) {
  if (used != in.used) error("%s: used %x, not %x", what, used, in.used);
  if (mask != beat_mask(in.exec, beat)) error("%s: mask %x, not %x", what, mask, beat_mask(in.exec, beat));
  for (unsigned s = 0; s < kSlots; s++) {
    if (!(in.used >> s & 1)) continue;
    for (unsigned l = 0; l < lanes; l++) {
      uint32_t got = data[s * lanes + l], want = in.slot[s][beat * lanes + l];
      if (got != want) {
        error("%s: %s warp %u seq %u beat %u slot %u lane %u: %08x, not %08x", what, isa_op_name(isa_op(in.dec.op)),
              in.warp, in.seq, beat, s, l, got, want);
        return;
      }
    }
  }
}

void Bench::observe() {
  if (top->ret_opg_valid_o &&
      who("dispatch", top->ret_opg_slot_o, top->ret_opg_gen_o, top->ret_opg_seq_o, top->ret_opg_beat_o)) {
    general_beat(top->ret_opg_slot_o);
  } else if (top->op_disp_valid_o & 1) {
    if (!errors) error("dispatched without a beat");
  }
  if (top->ret_opm_valid_o &&
      who("memory", top->ret_opm_slot_o, top->ret_opm_gen_o, top->ret_opm_seq_o, top->ret_opm_beat_o)) {
    memory_beat(top->ret_opm_slot_o);
  }
  if (row_now_ >= 0 && top->ls_wb_ready_o) {
    MemRow r = rows_[row_now_];
    rows_.erase(rows_.begin() + row_now_);
    row_now_ = -1;
    Warp &wp = warps[r.warp];
    if (r.rd != ISA_RZ && r.mask) writes_[{r.warp, r.seq, r.rd, r.beat}] = {r.mask, r.data, cycle};
    if (r.rd != ISA_RZ) {
      for (unsigned l = 0; l < lanes; l++) {
        if (r.mask >> l & 1) wp.reg[r.rd][r.beat * lanes + l] = r.data[r.beat * lanes + l];
      }
      if (--rows_left_[{r.warp, r.seq, r.rd}] == 0) {
        wp.mem_pending[r.rd]--;
        wp.reg_at[r.rd] = cycle;
      }
    }
  }
  register_writes();
  predicate_writes();
  ends();
}

void Bench::general_beat(unsigned w) {
  Warp &wp = warps[w];
  Instr &in = *wp.now;
  unsigned beat = in.next_beat++;
  if (in.dec.unit == ISA_UNIT_MEM) error("memory instruction on the general bus");
  operands("dispatch", in, beat, top->ret_opg_used_o, top->ret_opg_mask_o, top->ret_opg_data_o);
  if (!rate_first_) rate_first_ = cycle, first_beat_latency = cycle - issued_at_;
  rate_last_ = cycle;
  dispatched++;
  uint32_t mask = beat_mask(in.exec, beat);
  if (in.dec.unit == ISA_UNIT_BR) {
    if (!top->op_br_valid_o || top->op_br_slot_o != w || top->op_br_beat_o != beat)
      error("register branch beat missing");
    for (unsigned l = 0; l < lanes; l++) {
      if (top->op_br_lo_o[l] != in.slot[0][beat * lanes + l] || top->op_br_hi_o[l] != in.slot[1][beat * lanes + l])
        error("branch target");
    }
  } else if (top->op_br_valid_o) {
    error("branch beat of another unit");
  }
  uint64_t due = cycle + in.lat - 1;
  if (in.fixed() && mask && in.dec.has_rd && in.dec.rd != ISA_RZ) {
    for (unsigned k = 0; k < in.dec.rd_words; k++)
      writes_[{w, in.seq, in.dec.rd + k, beat}] = {mask, in.result[k], due};
  }
  bool pd = (in.dec.has_pd0 && in.dec.pd0 != ISA_PT) || (in.dec.has_pd1 && in.dec.pd1 != ISA_PT);
  if (in.fixed() && mask && pd) {
    preds_[{w, in.seq, beat}] = {
        mask, in.dec.pd0, in.dec.pd1, beat_mask(in.d0, beat), beat_mask(in.d1, beat), static_cast<uint32_t>(due)};
  }
  bool last = beat == beats - 1;
  if (last != (top->op_disp_valid_o & 1)) error("dispatched event at beat %u", beat);
  if (!last) return;
  if ((top->op_disp_slot_o & 0xff) != w || (top->op_disp_rbar_o & 7) != in.dec.ctl.rbar)
    error("dispatched event: slot or rbar");
  if (in.fixed()) {
    done_[{w, in.seq}] = {in.dec.unit, due};
    if (in.dec.has_rd && in.dec.rd != ISA_RZ) {
      // The smallest distance: a reader arrives so that its beat k is read after beat k of this one was written.
      for (unsigned k = 0; k < in.dec.rd_words; k++) {
        wp.reg_at[in.dec.rd + k] = cycle + std::max(1, int(in.lat) - int(beats));
      }
    }
  }
  done_info_[{w, in.seq}] = in.dec.ctl.wbar;
  wp.free_at = cycle + 1;
  wp.now.reset();
}

void Bench::memory_beat(unsigned w) {
  Warp &wp = warps[w];
  Instr &in = *wp.now;
  unsigned beat = in.next_beat++;
  mem_beats++;
  if (in.dec.unit != ISA_UNIT_MEM) error("general instruction on the memory bus");
  operands("memory", in, beat, top->ret_opm_used_o, top->ret_opm_mask_o, top->ret_opm_data_o);
  for (unsigned s = 0; s < kSlots; s++) {
    for (unsigned l = 0; l < lanes; l++) {
      if ((in.used >> s & 1) && top->op_mem_data_o[s * lanes + l] != in.slot[s][beat * lanes + l]) error("memory data");
    }
  }
  const isa_op op = isa_op(in.dec.op);
  bool atom = op == ISA_OP_ATOMG_E || op == ISA_OP_ATOMS || op == ISA_OP_RED_E;
  unsigned size = atom ? 4 : static_cast<unsigned>(isa_get(in.word, ISA_F_SIZE));
  uint32_t off = op == ISA_OP_LDC ? uint32_t(isa_get_signed(in.word, ISA_F_COFF16)) & 0xffffff
                                  : uint32_t(isa_get(in.word, ISA_F_OFF24));
  if (top->op_mem_slot_o != w || top->op_mem_seq_o != in.seq || top->op_mem_beat_o != beat ||
      top->op_mem_size_o != size || top->op_mem_off_o != off ||
      top->op_mem_rd_o != (in.dec.has_rd ? in.dec.rd : ISA_RZ) || top->op_mem_exec_o != in.exec ||
      top->op_mem_wbar_o != in.dec.ctl.wbar) {
    error("memop of %s", isa_op_name(op));
  }
  bool last = beat == beats - 1;
  if (last != (top->op_disp_valid_o >> 1 & 1)) error("memory dispatched event at beat %u", beat);
  if (!last) return;
  if ((top->op_disp_slot_o >> 8 & 0xff) != w || (top->op_disp_rbar_o >> 3 & 7) != in.dec.ctl.rbar)
    error("memory dispatched event");
  if (in.dec.has_rd && in.dec.rd != ISA_RZ) {
    uint64_t delay = rnd.one_in(3) ? 0 : rnd.below(60);
    for (unsigned k = 0; k < in.dec.rd_words; k++) {
      Row data;
      for (auto &v : data) v = rnd.u32();
      for (unsigned b = 0; b < beats; b++) {
        rows_.push_back({w, in.dec.rd + k, b, in.seq, beat_mask(in.exec, b), wp.gen, data, cycle + 2 + delay});
      }
      rows_left_[{w, in.seq, in.dec.rd + k}] = beats;
      wp.reg_at[in.dec.rd + k] = ~0ull;
    }
  }
  wp.free_at = cycle + 1;
  wp.now.reset();
}
