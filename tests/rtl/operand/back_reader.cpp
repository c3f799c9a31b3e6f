// SPDX-License-Identifier: Apache-2.0
// Which cycle reads what. Operands are read strictly in the order of issue, one row at a time; a row takes as many
// cycles as the most words that it reads from one bank, one at least, and waits in its last cycle for the write ports
// of its results. Words that lie in the reuse cache are not read from a bank. A row of pipe alu, fma or cvt stands on
// the bus for as many cycles as the pipe makes passes, and nothing is read before; or waits in a queue
// (back_queue.cpp).
#include "tests/rtl/operand/back_bench.h"

// Write ports that each beat of it needs.
uint32_t Bench::ports(const Instr &in) const {
  if (!in.fixed() || !in.dec.has_rd || in.dec.rd == ISA_RZ) return 0;
  uint32_t p = 0;
  for (unsigned k = 0; k < in.dec.rd_words; k++) p |= 1u << (warps[in.warp].rbase + in.dec.rd + k) % banks();
  return p;
}

// Cycles that a row takes to be read.
unsigned Bench::reads(const Instr &in, bool second, bool with_hits) const {
  unsigned in_bank[8]{}, most = 1;
  for (unsigned s = 0; s < 3; s++) {
    const heddle_isa_src &src = in.dec.src[s];
    if (src.kind != ISA_REG || src.reg == ISA_RZ) continue;
    if (!in.mem() && with_hits && in.hit[s]) continue;
    for (unsigned k = 0; k < src.words; k++) {
      // Of memory's words the first row has the address and two of data, the second the other two, or c.
      if (in.mem() && second != (s == 2 || (s == 1 && k >= 2))) continue;
      most = std::max(most, ++in_bank[(warps[in.warp].rbase + src.reg + k) % banks()]);
    }
  }
  return most;
}

// A memory row has waited 8 cycles for one of these.
bool Bench::starved(uint32_t ports) const {
  if (waited_ < 8 || row_now_ < 0) return false;
  const MemRow &r = rows_[row_now_];
  return ports >> (warps[r.warp].rbase + r.rd) % banks() & 1;
}

// Nothing else is written through its ports in the cycle of its results, and no memory row has waited for one. With
// queues that is asked of a row when it leaves.
bool Bench::ports_free(const Instr &in) {
  if (queues()) return true;
  uint32_t p = ports(in);
  if (starved(p)) return false;
  auto it = taken_.find(cycle + 1 + in.lat);
  return it == taken_.end() || !(it->second & p);
}

// The last words of a row are read: it is on the bus in two cycles.
void Bench::row_done() {
  Instr &in = *now_;
  bool of_beat = second_ || !in.two(), last = of_beat && beat_ == beats - 1;
  uint64_t at = cycle + 2;
  bus_.push_back({now_, beat_, second_, last, at});
  if (queues()) {
    if (!in.mem()) line_[line_of(in)].rows.push_back({now_, beat_, false, last, at});
  } else if (ports(in)) {
    taken_[at + in.lat - 1] |= ports(in);
    for (unsigned k = 0; k < in.dec.rd_words; k++) drops_[at + in.lat - 1].push_back({in.warp, in.dec.rd + k});
  }
  if (in.mem()) {
    if (!second_)
      mem_.push_back({now_, beat_, at, in.two() ? ~0ull : at});
    else
      mem_.back().at = at;
  }
  spent_ = 0;
  kept_ = queues() ? 0 : passes(in) - 1;
  second_ = in.two() && !second_;
  if (of_beat) beat_++;
}

// One cycle of the stage: what it must say of itself. True while stall counts stand still.
bool Bench::read_row() {
  const bool kept = kept_ > 0;
  kept_ -= kept;
  seen.kept += kept;
  bool hold = kept, ready = !kept;
  if (now_ && !kept) {
    spent_++;
    unsigned n = reads(*now_, second_, true);
    bool read = spent_ >= n, complete = read && ports_free(*now_);
    if (spent_ == 1) {
      seen.shorter += n < reads(*now_, second_, false);
      seen.conflicts += n == 2;
      seen.three_reads += n >= 3;
    }
    seen.port_holds += read && !complete;
    hold = !complete;
    if (complete) row_done();
    ready = complete && beat_ == beats;
  }
  if (bool(top->op_hold_o) != hold) error("op_hold is %d", int(top->op_hold_o));
  if (bool(top->op_ready_o) != ready) error("op_ready is %d", int(top->op_ready_o));
  return hold;
}

// An instruction issues: which operands it finds in the reuse cache, which it leaves there. With one beat an
// instruction the row of the one that is read now is not there yet.
void Bench::ask_reuse(Instr &in) {
  Warp &wp = warps[in.warp];
  if (in.mem()) return;
  for (unsigned p = 0; p < 3; p++) {
    const heddle_isa_src &src = in.dec.src[p];
    if (src.kind != ISA_REG || src.reg == ISA_RZ || src.words != 1) continue;
    bool there = wp.kept[p] && wp.kept_reg[p] == src.reg;
    bool late = beats == 1 && now_ && !now_->mem() && now_->warp == in.warp && now_->fill[p];
    in.hit[p] = there && !late;
    in.fill[p] = (in.dec.ctl.reuse >> p & 1) && !in.hit[p];
    seen.hits += in.hit[p];
    seen.late += there && late;
    if (in.fill[p]) wp.kept[p] = true, wp.kept_reg[p] = src.reg;
  }
}

// Entries whose register is written in this cycle drop, whatever the mask; of a late row a cycle after.
void Bench::drop_written() {
  auto it = drops_.find(cycle);
  if (it == drops_.end()) return;
  for (auto &d : it->second) {
    Warp &wp = warps[d.first];
    for (unsigned p = 0; p < 3; p++) {
      seen.drops += wp.kept[p] && wp.kept_reg[p] == d.second;
      if (wp.kept_reg[p] == d.second) wp.kept[p] = false;
    }
  }
  drops_.erase(it);
}
