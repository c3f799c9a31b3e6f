// SPDX-License-Identifier: Apache-2.0
#include "fp64_bench.h"

#include <algorithm>
#include <cstdio>

#include <Vtop.h>
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>

Bench::Bench(const Options &options) : random_{options.seed ^ 0xf64u} {
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(options.seed));
  if (options.fault != 0) heddle_fault() = options.fault;
  top_ = std::make_unique<Vtop>();
  top_->op_valid_i = 0;
  top_->lr_ready_i = 0;
  top_->rst_ni = 0;
  for (int i = 0; i < 4; i++) {
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
  }
  top_->rst_ni = 1;
  lanes_ = top_->cfg_lanes_o;
  working_ = top_->cfg_working_o;
  passes_ = top_->cfg_passes_o;
  beats_ = WARP / lanes_;
}

Bench::~Bench() {
  top_->final();
}

uint32_t Bench::lanes_of(const Instruction &i, unsigned beat) const {
  const uint32_t all = lanes_ == 32 ? ~0u : (1u << lanes_) - 1;
  return i.exec >> (beat * lanes_) & all;
}

// ---- Instructions --------------------------------------------------------------------------------
// One of the operation, with random lanes and destination.
void Bench::open(const Operation &op, const Expected &like) {
  Instruction i;
  i.op = op;
  i.seq = seq_++;
  i.exec = random_.one_in(2)   ? ~0u
           : random_.one_in(8) ? 0
           : random_.one_in(3) ? 1u << random_.below(32)
                               : random_.u32();
  i.rbase = random_.below(65536);
  i.wbar = static_cast<uint8_t>(random_.one_in(3) ? 7 : random_.below(6));
  const bool drop = random_.one_in(32);
  if (like.words > 0 && !drop) {
    i.rd = static_cast<uint8_t>(random_.below(254) & ~1u);
    i.rd_n = static_cast<uint8_t>(like.words - 1);
  } else if (like.words == 0 && !drop) {
    i.pd0 = static_cast<uint8_t>(random_.below(7));
    i.pd1 = static_cast<uint8_t>(random_.below(8));
  }
  for (Vector &v : i.in) v = {random_.next(), random_.next(), random_.next(), random_.one_in(2)};
  open_ = i;
  room_ = i.exec;
  is_open_ = true;
}

void Bench::check(const Operation &op, const Vector &in, const Expected &want) {
  if (is_open_ && (!(open_.op == op) || room_ == 0)) send();
  while (!is_open_ || room_ == 0) {
    if (is_open_) send(); // an instruction that no lane executes
    open(op, want);
  }
  const unsigned lane = static_cast<unsigned>(__builtin_ctz(room_));
  room_ &= room_ - 1;
  open_.in[lane] = in;
  open_.want[lane] = want;
  vectors_++;
}

void Bench::send() {
  open_.exec &= ~room_;
  for (unsigned l = 0; l < WARP; l++) open_.ps0 |= static_cast<uint32_t>(open_.in[l].ps0) << l;
  is_open_ = false;
  if (open_.rd != 255 || open_.pd0 != 7) tally_.add(open_.op, static_cast<uint64_t>(__builtin_popcount(open_.exec)));
  instructions_++;
  input_.push_back(open_);
  expect(open_);
  while (input_.size() > 3) cycle();
}

// What must leave for it, in order.
void Bench::expect(const Instruction &i) {
  const bool predicates = i.pd0 != 7 || i.pd1 != 7;
  for (unsigned b = 0; b < beats_; b++) {
    std::vector<Delivery> of_beat;
    Delivery d;
    d.i = i;
    d.beat = b;
    if (lanes_of(i, b) != 0 && i.rd != 255) {
      d.row = true;
      for (d.word = 0; d.word <= i.rd_n; d.word++) of_beat.push_back(d);
    } else if (lanes_of(i, b) != 0 && predicates) {
      d.pred = true;
      of_beat.push_back(d);
    }
    if (b == beats_ - 1) {
      if (of_beat.empty()) of_beat.push_back(d);
      of_beat.back().last = true;
    }
    output_.insert(output_.end(), of_beat.begin(), of_beat.end());
  }
}

// ---- Cycles --------------------------------------------------------------------------------------
void Bench::drive() {
  const bool offer = !input_.empty() && (standing_ || calm_ || !random_.one_in(8));
  top_->op_valid_i = offer;
  if (offer && !standing_) {
    const Instruction &i = input_.front();
    top_->op_op_i = static_cast<CData>(i.op.op);
    top_->op_neg_i = static_cast<CData>(i.op.neg);
    top_->op_abs_i = static_cast<CData>(i.op.abs);
    top_->op_word_i[0] = static_cast<uint32_t>(i.op.word.lo);
    top_->op_word_i[1] = static_cast<uint32_t>(i.op.word.lo >> 32);
    top_->op_word_i[2] = static_cast<uint32_t>(i.op.word.hi);
    top_->op_word_i[3] = static_cast<uint32_t>(i.op.word.hi >> 32);
    top_->op_seq_i = i.seq;
    top_->op_exec_i = i.exec;
    top_->op_ps0_i = i.ps0;
    top_->op_rd_i = i.rd;
    top_->op_rd_n_i = i.rd_n;
    top_->op_pd0_i = i.pd0;
    top_->op_pd1_i = i.pd1;
    top_->op_wbar_i = i.wbar;
    top_->op_rbase_i = static_cast<SData>(i.rbase);
    top_->op_beat_i = static_cast<CData>(beat_);
    for (unsigned l = 0; l < lanes_; l++) {
      const Vector &v = i.in[beat_ * lanes_ + l];
      const uint64_t operand[3] = {v.a, v.b, v.c};
      for (unsigned s = 0; s < 6; s++)
        top_->op_data_i[s * lanes_ + l] = static_cast<uint32_t>(operand[s / 2] >> 32 * (s % 2));
    }
  } else if (!offer) {
    // What stands at the inputs while nothing is offered must not matter.
    top_->op_op_i = static_cast<CData>(random_.below(60));
    top_->op_exec_i = random_.u32();
    top_->op_data_i[0] = random_.u32();
  }
  standing_ = offer;
  top_->lr_ready_i = calm_ || !random_.one_in(3);
}

void Bench::look() {
  if (top_->op_valid_i && top_->op_ready_o) {
    standing_ = false;
    taken_at_ = now_;
    takes_.push_back(now_);
    if (++beat_ == beats_) {
      beat_ = 0;
      input_.pop_front();
    }
  }
  if (held_ && !top_->lr_valid_o && errors_++ < 20) std::printf("a result that was not taken has gone\n");
  held_ = top_->lr_valid_o && !top_->lr_ready_i;
  quiet_ = top_->lr_valid_o || !input_.empty() ? 0 : quiet_ + 1;
  if (!top_->lr_valid_o) return;
  if (valid_at_ == 0) valid_at_ = now_;
  if (output_.empty()) {
    if (errors_++ < 20) std::printf("a result that nothing is expected for, sequence %u\n", top_->lr_seq_o);
    return;
  }
  if (!same(output_.front())) complain(output_.front());
  if (top_->lr_ready_i) output_.pop_front();
}

void Bench::cycle() {
  top_->clk_i = 0;
  drive();
  top_->eval();
  look();
  top_->clk_i = 1;
  top_->eval();
  now_++;
}

bool Bench::same(const Delivery &d) {
  const Instruction &i = d.i;
  bool ok = top_->lr_seq_o == i.seq && top_->lr_row_o == d.row && top_->lr_pred_o == d.pred &&
            top_->lr_last_o == d.last && top_->lr_wbar_o == i.wbar && top_->lr_rbase_o == i.rbase &&
            top_->lr_rd_o == i.rd && top_->lr_rd_n_o == i.rd_n && top_->lr_pd0_o == i.pd0 && top_->lr_pd1_o == i.pd1;
  if (!d.row && !d.pred) return ok;
  ok = ok && top_->lr_beat_o == d.beat && top_->lr_word_o == d.word && top_->lr_mask_o == lanes_of(i, d.beat);
  for (unsigned l = 0; l < lanes_; l++) {
    if (!(lanes_of(i, d.beat) >> l & 1)) continue;
    const Expected &w = i.want[d.beat * lanes_ + l];
    if (d.row) ok = ok && top_->lr_data_o[l] == static_cast<uint32_t>(w.value >> 32 * d.word);
    if (d.pred) ok = ok && (top_->lr_d0_o >> l & 1) == w.pd0 && (top_->lr_d1_o >> l & 1) == w.pd1;
  }
  return ok;
}

void Bench::complain(const Delivery &d) {
  if (errors_++ >= 20) return;
  const Instruction &i = d.i;
  std::printf(
      "%s word %016llx%016llx neg %u abs %u sequence %u (got %u) row %d (%d) pred %d (%d) last %d (%d) beat %u (%u) "
      "word %u (%u) mask %x (%x)\n",
      heddle_isa_op_name(i.op.op), static_cast<unsigned long long>(i.op.word.hi),
      static_cast<unsigned long long>(i.op.word.lo), i.op.neg, i.op.abs, i.seq, top_->lr_seq_o, d.row, top_->lr_row_o,
      d.pred, top_->lr_pred_o, d.last, top_->lr_last_o, d.beat, top_->lr_beat_o, d.word, top_->lr_word_o,
      lanes_of(i, d.beat), top_->lr_mask_o);
  for (unsigned l = 0; l < lanes_; l++) {
    const Expected &w = i.want[d.beat * lanes_ + l];
    const Vector &v = i.in[d.beat * lanes_ + l];
    const bool p = top_->lr_d0_o >> l & 1, q = top_->lr_d1_o >> l & 1;
    const bool wrong =
        d.row ? top_->lr_data_o[l] != static_cast<uint32_t>(w.value >> 32 * d.word) : p != w.pd0 || q != w.pd1;
    if (!(lanes_of(i, d.beat) >> l & 1) || !wrong) continue;
    std::printf("  lane %u: a %016llx b %016llx c %016llx ps %d: got %08x %d %d, expected %016llx %d %d\n", l,
                static_cast<unsigned long long>(v.a), static_cast<unsigned long long>(v.b),
                static_cast<unsigned long long>(v.c), v.ps0, top_->lr_data_o[l], p, q,
                static_cast<unsigned long long>(w.value), w.pd0, w.pd1);
    break;
  }
}

void Bench::drain() {
  if (is_open_) send();
  for (uint64_t limit = now_ + 100000; (!input_.empty() || !output_.empty()) && now_ < limit;) cycle();
  for (unsigned i = 0; i < 64; i++) cycle(); // nothing more comes
  if (!input_.empty() || !output_.empty()) {
    std::printf("the unit has stopped: %zu instructions not taken, %zu results missing\n", input_.size(),
                output_.size());
    errors_++;
    input_.clear();
    output_.clear();
  }
}

// ---- Latency and throughput ----------------------------------------------------------------------
// Cycles that 64 instructions with these lanes take at the input, each beat taken as soon as it can be. Some before
// them fill the unit.
uint64_t Bench::steady(uint32_t exec) {
  constexpr unsigned FILL = 8;
  drain();
  takes_.clear();
  for (unsigned n = 0; n < FILL + 65; n++) {
    Instruction i;
    i.op = Operation(ISA_OP_DMUL);
    i.seq = seq_++;
    i.exec = exec;
    i.rd = 2;
    i.rd_n = 1;
    for (unsigned l = 0; l < WARP; l++) {
      i.in[l] = {0x4000000000000000u, 0x4008000000000000u + l, 0, false}; // 2 * (3 + l quanta)
      i.want[l] = Expected::pair(0x4018000000000000u + l);
    }
    input_.push_back(i);
    expect(i);
  }
  drain();
  return takes_.size() == (FILL + 65) * beats_ ? takes_[(FILL + 64) * beats_] - takes_[FILL * beats_] : 0;
}

void Bench::rates() {
  calm_ = true;
  const unsigned groups = lanes_ / working_, least = std::max(passes_, 3u);
  const uint32_t one = working_ == 32 ? ~0u : (1u << working_) - 1;
  uint32_t one_a_beat = 0;
  for (unsigned b = 0; b < beats_; b++) one_a_beat |= one << (b * lanes_);
  const uint64_t full = steady(~0u), sparse = steady(one_a_beat);
  const uint64_t full_want = 64ull * beats_ * ((groups - 1) * passes_ + least), sparse_want = 64ull * beats_ * least;
  // One group of the last beat alone: from the cycle in which it is taken to that of its first row.
  drain();
  valid_at_ = 0;
  Instruction i;
  i.op = Operation(ISA_OP_DMUL);
  i.seq = seq_++;
  i.exec = 1u << (WARP - 1);
  i.rd = 4;
  i.rd_n = 1;
  i.in[WARP - 1] = {0x4000000000000000u, 0x4008000000000000u, 0, false};
  i.want[WARP - 1] = Expected::pair(0x4018000000000000u);
  input_.push_back(i);
  expect(i);
  drain();
  const uint64_t latency = valid_at_ - taken_at_;
  std::printf(
      "fp64: %u of %u lanes, %u passes: latency %llu, a full beat every %g cycles, one of a single group every %g\n",
      working_, lanes_, passes_, static_cast<unsigned long long>(latency), static_cast<double>(full) / (64.0 * beats_),
      static_cast<double>(sparse) / (64.0 * beats_));
  if (latency != passes_ + 6 || full != full_want || sparse != sparse_want) {
    std::printf(
        "expected: latency %u, %llu cycles for 64 full instructions (got %llu), %llu for sparse ones (got %llu)\n",
        passes_ + 6, static_cast<unsigned long long>(full_want), static_cast<unsigned long long>(full),
        static_cast<unsigned long long>(sparse_want), static_cast<unsigned long long>(sparse));
    errors_++;
  }
  calm_ = false;
}

int Bench::finish(const char *name, const Options &options) {
  drain();
  std::printf("%s: %llu vectors in %llu warp instructions, %llu cycles, %llu errors\n", name,
              static_cast<unsigned long long>(vectors_), static_cast<unsigned long long>(instructions_),
              static_cast<unsigned long long>(now_), static_cast<unsigned long long>(errors_));
  if (options.full) tally_.print(name);
  const bool enough = !options.full || tally_.lacking(name, Options::LONG) == 0;
  return errors_ == 0 && vectors_ != 0 && enough ? 0 : 1;
}
