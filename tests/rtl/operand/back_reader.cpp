// SPDX-License-Identifier: Apache-2.0
// Which cycle reads what. Operands are read strictly in the order of issue, one row at a time; a row takes as many
// cycles as the most words that it reads from one bank, one at least, and waits in its last cycle for the write ports
// of its results. Words that lie in the reuse cache are not read from a bank. A row of pipe alu, fma or cvt stands on
// the bus for as many cycles as the pipe makes passes, and nothing is read before; or waits in a queue
// (back_queue.cpp). Two readers share the banks: one that has not the turn reads early what words a and b of its row
// lie elsewhere.
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

// Words of a row by their place on the bus: the bank of one, banks() if it is not read.
unsigned Bench::bank_of(const Instr &in, bool second, unsigned word) const {
  unsigned s = word, k = 0;
  if (in.mem()) {
    s = second && in.dec.src[2].kind == ISA_REG ? 2 : word < 2 ? 0 : 1;
    k = s == 2 ? word - 2 : word % 2 + (second ? 2 : 0);
    if (second && word < 2) return banks();
  } else if (word == 3) {
    s = in.dec.src[0].words > 1 ? 0 : 2, k = 1;
  }
  const heddle_isa_src &src = in.dec.src[s];
  if (src.kind != ISA_REG || src.reg == ISA_RZ || k >= src.words || (!in.mem() && in.hit[s])) return banks();
  return (warps[in.warp].rbase + src.reg + k) % banks();
}

unsigned Bench::words(const Instr &in, bool second) const {
  unsigned all = 0;
  for (unsigned w = 0; w < 4; w++) all |= unsigned(bank_of(in, second, w) < banks()) << w;
  return all;
}

uint32_t Bench::wants(const Reader &r) const {
  uint32_t want = 0;
  for (unsigned w = 0; r.now && r.kept == 0 && w < 4; w++)
    if (r.left >> w & 1) want |= 1u << bank_of(*r.now, r.second, w);
  return want;
}

// It is read from the next cycle on.
void Bench::start(Reader &r, const Shared &in) {
  ask_reuse(*in);
  r.now = in;
  r.beat = r.spent = 0;
  r.second = false;
  r.left = words(*in, false);
}

// The last words of a row are read: it is on the bus in two cycles.
void Bench::row_done(Reader &r) {
  Instr &in = *r.now;
  bool of_beat = r.second || !in.two(), last = of_beat && r.beat == beats - 1;
  uint64_t at = cycle + 2;
  r.bus.push_back({r.now, r.beat, r.second, last, at});
  if (queues()) {
    if (!in.mem()) line_[line_of(in)].rows.push_back({r.now, r.beat, false, last, at});
  } else if (ports(in)) {
    taken_[at + in.lat - 1] |= ports(in);
    for (unsigned k = 0; k < in.dec.rd_words; k++) drops_[at + in.lat - 1].push_back({in.warp, in.dec.rd + k});
  }
  if (in.mem()) {
    if (!r.second)
      mem_.push_back({r.now, r.beat, at, in.two() ? ~0ull : at});
    else
      mem_.back().at = at;
  }
  r.spent = 0;
  r.kept = queues() ? 0 : passes(in) - 1;
  r.second = in.two() && !r.second;
  r.left = words(in, r.second);
  if (of_beat) r.beat++;
}

// One cycle of a row: true if it is completed. Of words that want one bank, or one that the other reader has, a and b
// are read before the others. `first`: what the first of two readers reads, whose row may ask for ports in this cycle,
// too.
bool Bench::step_row(Reader &r, uint32_t free, const Instr *first) {
  const Instr &in = *r.now;
  unsigned bank[4], most = 0;
  bool all = true;
  for (unsigned w = 0; w < 4; w++) {
    bank[w] = r.left >> w & 1 ? bank_of(in, r.second, w) : banks() + w;
    all &= bank[w] >= banks() || (free >> bank[w] & 1);
  }
  unsigned clash[2]{};
  for (unsigned w = 0; w < 2; w++)
    for (unsigned v = w + 1; v < 4; v++) clash[w] |= unsigned(bank[w] == bank[v]) << v;
  most = clash[0] | clash[1];
  if (r.spent++ == 0) {
    const unsigned n = reads(in, r.second, true);
    seen.shorter += n < reads(in, r.second, false);
    seen.conflicts += n == 2;
    seen.three_reads += n >= 3;
  }
  if (most == 0 && all) {
    bool ok = ports_free(in);
    if (first && (ports(in) & ports(*first)) && (kept_port_ || (asks_ && in.lat == first->lat))) ok = false;
    seen.port_holds += !ok;
    if (two() && &r == reader_) {
      asks_ = in.fixed();
      refused_ = ok ? 0 : std::min(refused_ + (asks_ ? 1 : 0), 8u);
    }
    return ok;
  }
  seen.elsewhere += !all;
  const auto may = [&](unsigned w) { return bank[w] < banks() && (free >> bank[w] & 1); };
  const bool a = all ? clash[0] != 0 : may(0);
  const bool b = !(clash[0] & 2) && (all ? clash[1] != 0 : may(1));
  r.left &= ~(unsigned(a) | unsigned(b) << 1);
  return false;
}

// Two readers: what each may read, and the one in front goes on as the last row before it is read, and of its warp's.
void Bench::two_step() {
  const uint32_t want[2] = {wants(reader_[0]), wants(reader_[1])};
  const Shared before[2] = {reader_[0].now, reader_[1].now};
  Shared last[2]; // read to their ends in this cycle
  bool free[2];
  unsigned gone = 0, done = 0, ready = 0;
  asks_ = false;
  kept_port_ = refused_ >= 8;
  for (unsigned k = 0; k < 2; k++) {
    Reader &r = reader_[k];
    bool busy = r.kept > 0;
    seen.kept += busy;
    r.kept -= busy;
    if (r.now && !busy) {
      const Shared in = r.now;
      const unsigned beat = r.beat;
      busy = !step_row(r, turn_ == k ? ~0u : ~want[1 - k], k == 1 ? before[0].get() : nullptr);
      if (!busy) row_done(r);
      if (!busy && r.beat != beat) {
        // A count of more than a cycle beyond the beats runs from the last row on.
        const unsigned stall = in->dec.ctl.stall;
        done |= unsigned(beat == beats - 1) << k;
        for (unsigned w = 0; beat == beats - 1 && in->dec.has_rd && in->dec.rd != ISA_RZ && w < in->dec.rd_words; w++)
          warps[in->warp].unread[in->dec.rd + w] = false;
        if (beat == (stall <= beats + 1 ? beats - 4 : beats - 1)) {
          gone |= 1u << k;
          warps[in->warp].queued = false;
          warps[in->warp].issue_from = cycle + (stall > beats + 2 ? stall - beats : 2);
        }
        if ((top->op_gone_slot_o >> 8 * k & 0xff) != in->warp) error("reader %u: another warp", k);
      }
      if (r.now && r.beat == beats) last[k] = std::move(r.now), r.now.reset();
    }
    free[k] = !busy && !r.now;
  }
  for (unsigned k = 0; k < 2; k++) {
    Reader &r = reader_[k];
    if (!r.front || !free[k]) continue;
    bool waits = false; // what its warp has issued before is read, or was to its end now with a count above BEATS
    for (unsigned i = 0; i < 2; i++) {
      const Shared &o = last[i] ? last[i] : before[i];
      waits |= o && o->warp == r.front->warp && (!last[i] || o->dec.ctl.stall > beats);
    }
    if (waits) continue;
    ready |= 1u << k;
    start(r, r.front);
    r.front.reset();
  }
  if (want[0] & want[1]) turn_ = 1 - turn_;
  if (top->op_hold_o) error("op_hold with two readers");
  if (top->op_ready_o != ready) error("op_ready is %u, not %u", unsigned(top->op_ready_o), ready);
  if (top->op_gone_o != gone) error("op_gone is %u, not %u", unsigned(top->op_gone_o), gone);
  if (top->op_done_o != done) error("op_done is %u, not %u", unsigned(top->op_done_o), done);
}

// One cycle of the stage: what it must say of itself. True while stall counts stand still.
bool Bench::read_row() {
  if (two()) {
    two_step();
    return false;
  }
  Reader &r = reader_[0];
  const bool kept = r.kept > 0;
  r.kept -= kept;
  seen.kept += kept;
  bool hold = kept, ready = !kept;
  if (r.now && !kept) {
    hold = !step_row(r, ~0u, nullptr);
    if (!hold) row_done(r);
    ready = !hold && r.beat == beats;
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
  const unsigned k = two() && line_of(in);
  const Shared &now = reader_[0].now;
  for (unsigned p = 0; p < 3; p++) {
    const heddle_isa_src &src = in.dec.src[p];
    if (src.kind != ISA_REG || src.reg == ISA_RZ || src.words != 1) continue;
    bool there = wp.kept[k][p] && wp.kept_reg[k][p] == src.reg;
    bool late = beats == 1 && now && !now->mem() && now->warp == in.warp && now->fill[p];
    in.hit[p] = there && !late;
    in.fill[p] = (in.dec.ctl.reuse >> p & 1) && !in.hit[p];
    seen.hits += in.hit[p];
    seen.late += there && late;
    if (in.fill[p]) wp.kept[k][p] = true, wp.kept_reg[k][p] = src.reg;
  }
}

// Entries whose register is written in this cycle drop, whatever the mask; of a late row a cycle after.
void Bench::drop_written() {
  auto it = drops_.find(cycle);
  if (it == drops_.end()) return;
  for (auto &d : it->second) {
    Warp &wp = warps[d.first];
    for (unsigned k = 0; k < 2; k++) {
      for (unsigned p = 0; p < 3; p++) {
        seen.drops += wp.kept[k][p] && wp.kept_reg[k][p] == d.second;
        if (wp.kept_reg[k][p] == d.second) wp.kept[k][p] = false;
      }
    }
  }
  drops_.erase(it);
}
