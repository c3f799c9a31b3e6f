// SPDX-License-Identifier: Apache-2.0
// Beats of operands, branches and memory operations against the reference; memory results that were taken.
#include "tests/rtl/operand/back_bench.h"

template <typename D>
void Bench::operands(const char *what, const Instr &in, unsigned beat, unsigned want_used, unsigned used, uint32_t mask,
                     const D &data) {
  if (used != want_used) error("%s: used %x, not %x", what, used, want_used);
  if (mask != beat_mask(in.exec, beat)) error("%s: mask %x, not %x", what, mask, beat_mask(in.exec, beat));
  for (unsigned s = 0; s < kSlots; s++) {
    if (!(want_used >> s & 1)) continue;
    for (unsigned l = 0; l < lanes; l++) {
      uint32_t got = data[s * lanes + l], want = in.slot[s][beat * lanes + l];
      if (got != want) {
        error("%s: %s warp %u seq %u beat %u slot %u lane %u: %08x, not %08x", what,
              heddle_isa_op_name(heddle_isa_op(in.dec.op)), in.warp, in.seq, beat, s, l, got, want);
        return;
      }
    }
  }
}

void Bench::observe() {
  for (unsigned k = 0; k < 2; k++) bus_row(k);
  queue_beat();
  memory_row_taken();
  register_writes();
  predicate_writes();
  ends();
  taken_.erase(cycle);
}

// A row of a memory result is offered: it is taken unless its bank's port has a result of a fixed pipe.
void Bench::memory_row_taken() {
  if (row_now_ < 0) return;
  MemRow r = rows_[row_now_];
  Warp &wp = warps[r.warp];
  auto it = taken_.find(cycle);
  bool writes = r.rd != ISA_RZ && r.mask != 0;
  bool busy_port = it != taken_.end() && (it->second >> (wp.rbase + r.rd) % banks() & 1);
  if (bool(top->ls_wb_ready_o) != !(writes && busy_port)) error("memory row: ready is %d", int(top->ls_wb_ready_o));
  if (!top->ls_wb_ready_o) {
    waited_++;
    return;
  }
  waited_ = 0;
  rows_.erase(rows_.begin() + row_now_);
  row_now_ = -1;
  if (writes) writes_[{r.warp, r.seq, r.rd, r.beat}] = {r.mask, r.data, cycle};
  if (r.rd == ISA_RZ) return;
  for (unsigned l = 0; l < lanes; l++) {
    if (r.mask >> l & 1) wp.reg[r.rd][r.beat * lanes + l] = r.data[r.beat * lanes + l];
  }
  if (--rows_left_[{r.warp, r.seq, r.rd}] == 0) {
    wp.mem_pending[r.rd]--;
    wp.read_from[r.rd] = wp.write_from[r.rd] = 0;
  }
}

// A bus shows a row exactly when one was read two cycles ago: that one.
void Bench::bus_row(unsigned k) {
  auto &bus = reader_[k].bus;
  bool due = !bus.empty() && bus.front().at == cycle;
  BusRow row = due ? bus.front() : BusRow{};
  if (due) bus.pop_front();
  bool mem = due && row.in->mem();
  if ((top->ret_opg_valid_o >> k & 1) != (due && !mem) || (k == unsigned(two()) && bool(top->ret_opm_valid_o) != mem)) {
    error("row on bus %u: %d, of memory %d", k, top->ret_opg_valid_o >> k & 1, int(top->ret_opm_valid_o));
    return;
  }
  if ((top->op_disp_valid_o >> k & 1) != (due && row.last)) error("op_disp of bus %u", k);
  if (!queues() && k == unsigned(two())) branch_pass(due && row.in->dec.unit == ISA_UNIT_BR ? &row : nullptr);
  if (!due) return;
  const Instr &in = *row.in;
  if (row.last &&
      ((top->op_disp_slot_o >> 8 * k & 0xff) != in.warp || (top->op_disp_rbar_o >> 3 * k & 7) != in.dec.ctl.rbar))
    error("op_disp: slot or rbar");
  if (mem)
    memory_row(row);
  else
    general_row(k, row);
}

void Bench::general_row(unsigned k, const BusRow &row) {
  const Instr &in = *row.in;
  unsigned w = in.warp, beat = row.beat;
  if ((top->ret_opg_slot_o >> 8 * k & 0xff) != w || (top->ret_opg_gen_o >> 8 * k & 0xff) != warps[w].gen ||
      uint32_t(top->ret_opg_seq_o >> 32 * k) != in.seq || (top->ret_opg_beat_o >> 8 * k & 0xff) != beat)
    error("dispatch: warp %u seq %u beat %u", w, in.seq, beat);
  operands("dispatch", in, beat, in.used, top->ret_opg_used_o >> 8 * k & 0xff, uint32_t(top->ret_opg_mask_o >> 32 * k),
           &top->ret_opg_data_o[k * kSlots * lanes]);
  if (!rate_first_) rate_first_ = cycle, first_beat_latency = cycle - in.issued_at;
  rate_last_ = cycle;
  dispatched++;
  if (!queues()) results_due(row, cycle + in.lat - 1);
}

// A row is with its pipe, or will be in the next cycle: its results come in the cycle `due`.
void Bench::results_due(const BusRow &row, uint64_t due) {
  const Instr &in = *row.in;
  const unsigned w = in.warp, beat = row.beat;
  const uint32_t mask = beat_mask(in.exec, beat);
  if (in.fixed() && mask && in.dec.has_rd && in.dec.rd != ISA_RZ) {
    for (unsigned k = 0; k < in.dec.rd_words; k++)
      writes_[{w, in.seq, in.dec.rd + k, beat}] = {mask, in.result[k], due};
  }
  bool pd = (in.dec.has_pd0 && in.dec.pd0 != ISA_PT) || (in.dec.has_pd1 && in.dec.pd1 != ISA_PT);
  if (in.fixed() && mask && pd) {
    preds_[{w, in.seq, beat}] = {
        mask, in.dec.pd0, in.dec.pd1, beat_mask(in.d0, beat), beat_mask(in.d1, beat), static_cast<uint32_t>(due)};
  }
  if (!row.last) return;
  if (in.fixed()) done_[{w, in.seq}] = {in.dec.unit, due};
  done_info_[{w, in.seq}] = in.dec.ctl.wbar;
}

// Words of a port, of which a machine whose branches come lane by lane has one.
static uint32_t word_of(const IData &port, unsigned) {
  return port;
}
template <typename T> static uint32_t word_of(const T &port, unsigned l) {
  return port[l];
}

// A row of a register branch, or none; each is shown pass by pass.
void Bench::branch_pass(const BusRow *row) {
  if (row) branch_ = *row, branch_left_ = passes(*row->in);
  if (bool(top->op_br_valid_o) != (branch_left_ > 0)) error("row of a branch");
  if (branch_left_ == 0) return;
  const Instr &in = *branch_.in;
  const unsigned n = passes(in), pass = branch_.beat * n + n - branch_left_--;
  if (top->op_br_slot_o != in.warp || top->op_br_beat_o != pass) error("register branch: slot or beat");
  for (unsigned l = 0; l < lanes / n; l++) {
    unsigned at = pass * (lanes / n) + l;
    if (word_of(top->op_br_lo_o, l) != in.slot[0][at] || word_of(top->op_br_hi_o, l) != in.slot[1][at])
      error("branch target");
  }
}

// Of wide data the second row shows words 3 and 4, the first everything else.
void Bench::memory_row(const BusRow &row) {
  const Instr &in = *row.in;
  unsigned high = 3u << 4, used = row.second ? in.used & high : in.used & ~high;
  if (top->ret_opm_slot_o != in.warp || top->ret_opm_gen_o != warps[in.warp].gen || top->ret_opm_seq_o != in.seq ||
      top->ret_opm_beat_o != row.beat)
    error("memory: warp %u seq %u beat %u", unsigned(top->ret_opm_slot_o), unsigned(top->ret_opm_seq_o),
          unsigned(top->ret_opm_beat_o));
  operands("memory", in, row.beat, used, top->ret_opm_used_o, top->ret_opm_mask_o, top->ret_opm_data_o);
}

// Beats leave memory's queue in the order of issue, whole: a row that was on the bus is offered in the next cycle, with
// its other half where there are two (which lies one cycle after the first half at least), and until it is taken.
void Bench::queue_beat() {
  bool there = !mem_.empty() && mem_.front().at < cycle, must = false, places_back = false;
  if (there) {
    const MemBeat &b = mem_.front();
    uint64_t first = std::max(mem_taken_at_, b.first_at) + 1;
    must = cycle >= (b.in->two() ? std::max(first + 1, b.at + 1) : first);
    seen.backlog += mem_taken_at_ > b.at;
  }
  if ((must || mem_held_) && !top->op_mem_valid_o) error("a beat is not offered to the load/store unit");
  if (top->op_mem_valid_o && !there) error("a beat is offered before it is there");
  if (top->op_mem_valid_o && there) {
    MemBeat b = mem_.front();
    check_memop(b);
    mem_held_ = !top->op_mem_ready_i;
    if (top->op_mem_ready_i) {
      mem_.pop_front();
      mem_taken_at_ = cycle;
      mem_beats++;
      places_back = b.beat == beats - 1;
      unsigned n = places_back ? b.in->two() ? 2 : 1 : 0;
      if (top->op_leave_o != n) error("op_leave is %u, not %u", unsigned(top->op_leave_o), n);
      places_ -= n;
      if (places_back) plan_results(*b.in);
    }
  }
  if (!places_back && top->op_leave_o != 0) error("op_leave is %u", unsigned(top->op_leave_o));
}

void Bench::check_memop(const MemBeat &beat) {
  const Instr &in = *beat.in;
  for (unsigned s = 0; s < kSlots; s++) {
    for (unsigned l = 0; l < lanes; l++) {
      if ((in.used >> s & 1) && top->op_mem_data_o[s * lanes + l] != in.slot[s][beat.beat * lanes + l])
        error("memory data");
    }
  }
  const heddle_isa_op op = heddle_isa_op(in.dec.op);
  bool swap = op == ISA_OP_ATOMG_E_CAS, atom = op == ISA_OP_ATOMG_E || op == ISA_OP_ATOMS || op == ISA_OP_RED_E || swap;
  unsigned size = atom ? 4 : static_cast<unsigned>(heddle_isa_get(in.word, ISA_F_SIZE));
  uint32_t off = op == ISA_OP_LDC ? uint32_t(heddle_isa_get_signed(in.word, ISA_F_COFF16)) & 0xffffff
                                  : uint32_t(heddle_isa_get(in.word, ISA_F_OFF24));
  if (top->op_mem_slot_o != in.warp || top->op_mem_seq_o != in.seq || top->op_mem_beat_o != beat.beat ||
      top->op_mem_size_o != size || top->op_mem_off_o != off ||
      top->op_mem_rd_o != (in.dec.has_rd ? in.dec.rd : ISA_RZ) || top->op_mem_exec_o != in.exec ||
      top->op_mem_wbar_o != in.dec.ctl.wbar) {
    error("memop of %s", heddle_isa_op_name(op));
  }
  if (atom && top->op_mem_atom_o != (swap ? 63 : heddle_isa_get(in.word, ISA_F_AOP)))
    error("operation of %s", heddle_isa_op_name(op));
}

// The load/store unit has the whole instruction: its result comes some time.
void Bench::plan_results(const Instr &in) {
  if (!in.dec.has_rd || in.dec.rd == ISA_RZ) return;
  uint64_t delay = rnd.one_in(3) ? 0 : rnd.below(60);
  for (unsigned k = 0; k < in.dec.rd_words; k++) {
    Row data;
    for (auto &v : data) v = rnd.u32();
    for (unsigned b = 0; b < beats; b++) {
      rows_.push_back(
          {in.warp, in.dec.rd + k, b, in.seq, beat_mask(in.exec, b), warps[in.warp].gen, data, cycle + 2 + delay});
    }
    rows_left_[{in.warp, in.seq, in.dec.rd + k}] = beats;
  }
}
