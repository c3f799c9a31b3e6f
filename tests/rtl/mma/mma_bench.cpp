// SPDX-License-Identifier: Apache-2.0
#include "mma_bench.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <Vtop.h>
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>
#include "tests/rtl/arguments.h"

namespace {
constexpr unsigned WARP = 32;
}

Options::Options(int argc, char **argv) {
  Arguments args(argc, argv);
  full = args.flag("--full");
  seed = args.number("--seed", seed);
  fault = args.small("--fault", fault);
  silicon = args.text("--silicon");
  args.all();
  if (silicon.empty()) {
    std::fprintf(stderr, "%s: where are the measured results? Give --silicon DIR (tests/silicon)\n", argv[0]);
    std::exit(2);
  }
}

Bench::Bench(const Options &options) : random_{options.seed ^ 0x33au} {
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
  cycles_ = top_->cfg_cycles_o;
  beats_ = WARP / lanes_;
}

Bench::~Bench() {
  top_->final();
}

// ---- Instructions --------------------------------------------------------------------------------
// With a random destination; registers that it does not have are full of anything.
Bench::Job &Bench::open(const Instruction &i) {
  made_ = Job{};
  made_.what = &i;
  made_.seq = seq_++;
  made_.exec = ~0u;
  made_.rbase = random_.below(65536);
  made_.wbar = static_cast<uint8_t>(random_.below(8));
  made_.rd = static_cast<uint8_t>(random_.below(63) * 4);
  made_.rows_wanted = 0;
  for (unsigned b = 0; b < beats_; b++)
    for (unsigned w = 0; w < result_words(i); w++) made_.rows_wanted |= 1ull << (4 * b + w);
  for (Registers *r : {&made_.in.a, &made_.in.b, &made_.in.c})
    for (auto &reg : *r)
      for (uint32_t &word : reg) word = random_.u32();
  return made_;
}

void Bench::send() {
  instructions_++;
  input_.push_back(made_);
  output_.push_back(made_);
  while (input_.size() > 3) cycle();
}

void Bench::check(const Instruction &i, const Tile &tile, const std::vector<uint64_t> &d) {
  Job &j = open(i);
  place(i, tile, &j.in);
  j.d = d;
  send();
}

void Bench::check_nothing(const Instruction &i, bool dropped) {
  Job &j = open(i);
  j.rows_wanted = 0;
  if (dropped)
    j.rd = 255;
  else
    j.exec = 0;
  send();
}

// ---- Cycles --------------------------------------------------------------------------------------
void Bench::drive() {
  const bool offer = !input_.empty() && (standing_ || calm_ || !random_.one_in(8));
  top_->op_valid_i = offer;
  if (offer && !standing_) {
    const Job &j = input_.front();
    const heddle_isa_word word = j.what->word();
    top_->op_op_i = static_cast<CData>(j.what->op);
    top_->op_word_i[0] = static_cast<uint32_t>(word.lo);
    top_->op_word_i[1] = static_cast<uint32_t>(word.lo >> 32);
    top_->op_word_i[2] = static_cast<uint32_t>(word.hi);
    top_->op_word_i[3] = static_cast<uint32_t>(word.hi >> 32);
    top_->op_seq_i = j.seq;
    top_->op_exec_i = j.exec;
    top_->op_rd_i = j.rd;
    top_->op_rd_n_i = static_cast<CData>(result_words(*j.what) - 1);
    top_->op_wbar_i = j.wbar;
    top_->op_rbase_i = static_cast<SData>(j.rbase);
    top_->op_beat_i = static_cast<CData>(beat_);
    const auto &in = j.in;
    const std::array<uint32_t, 32> *const slots[10] = {&in.a[0], &in.a[1], &in.b[0], &in.b[1], &in.c[0],
                                                       &in.c[1], &in.a[2], &in.a[3], &in.c[2], &in.c[3]};
    for (unsigned s = 0; s < 10; s++)
      for (unsigned l = 0; l < lanes_; l++) top_->op_data_i[s * lanes_ + l] = (*slots[s])[beat_ * lanes_ + l];
  } else if (!offer) {
    // What stands at the inputs while nothing is offered must not matter.
    top_->op_op_i = static_cast<CData>(ISA_OP_HMMA_16816_F32 + random_.below(10));
    top_->op_exec_i = random_.u32();
    top_->op_data_i[random_.below(10 * lanes_)] = random_.u32();
  }
  standing_ = offer;
  top_->lr_ready_i = calm_ || !random_.one_in(3);
}

void Bench::complain(const Job &j, const char *what) {
  if (errors_++ >= 20) return;
  std::printf("%s, sequence %u: %s; row %d of beat %u, word %u, end %d, sequence %u\n", j.what->name, j.seq, what,
              top_->lr_row_o, top_->lr_beat_o, top_->lr_word_o, top_->lr_last_o, top_->lr_seq_o);
}

void Bench::look_at(Job &j) {
  if (top_->lr_seq_o != j.seq || top_->lr_rd_o != j.rd || top_->lr_rd_n_o != result_words(*j.what) - 1 ||
      top_->lr_wbar_o != j.wbar || top_->lr_rbase_o != j.rbase || top_->lr_pred_o)
    complain(j, "a result of another instruction");
  if (top_->lr_row_o) {
    const unsigned beat = top_->lr_beat_o, word = top_->lr_word_o;
    const uint64_t bit = beat < beats_ ? 1ull << (4 * beat + word) : 0;
    const uint32_t all = lanes_ == 32 ? ~0u : (1u << lanes_) - 1;
    if ((bit & j.rows_wanted) == 0 || (bit & j.rows) != 0)
      complain(j, "a row too many");
    else if (top_->lr_mask_o != all)
      complain(j, "lanes are missing");
    else {
      for (unsigned l = 0; l < lanes_; l++) {
        const uint32_t want = result_word(*j.what, j.d, beat * lanes_ + l, word), got = top_->lr_data_o[l];
        if (got == want) continue;
        complain(j, "a wrong word");
        if (errors_ <= 20) std::printf("  lane %u: got %08x, expected %08x\n", beat * lanes_ + l, got, want);
        break;
      }
    }
    j.rows |= bit;
  }
  if (top_->lr_last_o && j.rows != j.rows_wanted) complain(j, "the end comes before all rows");
}

void Bench::look() {
  if (top_->op_valid_i && top_->op_ready_o) {
    standing_ = false;
    taken_at_ = now_;
    if (++beat_ == beats_) {
      beat_ = 0;
      input_.pop_front();
    }
  }
  if (held_ && !top_->lr_valid_o && errors_++ < 20) std::printf("a result that was not taken has gone\n");
  held_ = top_->lr_valid_o && !top_->lr_ready_i;
  if (top_->lr_valid_o && valid_at_ == 0) valid_at_ = now_;
  if (!top_->lr_valid_o || !top_->lr_ready_i) return;
  if (output_.empty()) {
    if (errors_++ < 20) std::printf("a result of nothing, sequence %u\n", top_->lr_seq_o);
    return;
  }
  look_at(output_.front());
  if (top_->lr_last_o) {
    ends_.push_back(now_);
    output_.pop_front();
  }
}

void Bench::cycle() {
  drive();
  top_->clk_i = 0;
  top_->eval();
  look();
  top_->clk_i = 1;
  top_->eval();
  now_++;
}

void Bench::drain() {
  for (uint64_t limit = now_ + 100000; (!input_.empty() || !output_.empty()) && now_ < limit;) cycle();
  for (unsigned i = 0; i < 64; i++) cycle(); // nothing more comes
  if (input_.empty() && output_.empty()) return;
  std::printf("the unit has stopped: %zu instructions not taken, %zu without an end\n", input_.size(), output_.size());
  errors_++;
  input_.clear();
  output_.clear();
}

// ---- Latency and throughput ----------------------------------------------------------------------
void Bench::expect(const char *what, double got, double want) {
  std::printf("  %-28s %g\n", what, got);
  if (std::fabs(got - want) < 1e-9) return;
  std::printf("  ... expected %g\n", want);
  errors_++;
}

// Cycles between the ends of instructions that follow each other without a gap; some before them fill the unit.
double Bench::spacing(const Instruction &i) {
  constexpr unsigned FILL = 8, COUNT = 64;
  drain();
  ends_.clear();
  const Tile zeros{std::vector<uint64_t>(i.m * i.k), std::vector<uint64_t>(i.k * i.n),
                   std::vector<uint64_t>(i.m * i.n)};
  for (unsigned n = 0; n <= FILL + COUNT; n++) check(i, zeros, zeros.c);
  drain();
  return ends_.size() > FILL + COUNT ? static_cast<double>(ends_[FILL + COUNT] - ends_[FILL]) / COUNT : 0;
}

// From the cycle in which the last beat is taken to that of the first row.
uint64_t Bench::latency(const Instruction &i, bool nothing) {
  drain();
  valid_at_ = 0;
  const Tile zeros{std::vector<uint64_t>(i.m * i.k), std::vector<uint64_t>(i.k * i.n),
                   std::vector<uint64_t>(i.m * i.n)};
  if (nothing)
    check_nothing(i, false);
  else
    check(i, zeros, zeros.c);
  drain();
  return valid_at_ - taken_at_;
}

void Bench::rates() {
  calm_ = true;
  const unsigned groups = lanes_ * cycles_ / 128, pass = std::max(cycles_, 10u);
  std::printf("%u lanes, %u cycles a pass: latency to the first row, cycles between instructions\n", lanes_, cycles_);
  const auto both = [&](const char *name, double wait, double every) {
    const Instruction &i = find(name);
    std::printf(" %s\n", name);
    expect("latency", static_cast<double>(latency(i, false)), wait);
    expect("cycles", spacing(i), every);
  };
  both("f16k16_f32", 15 + groups, cycles_);
  both("f16k16_f16", 15 + 2 * groups, cycles_);
  both("tf32k4_f32", 15 + groups, cycles_);
  both("i16_s8s8", 15 + groups, cycles_);
  both("i32_s8s8", 15 + groups + pass, pass + cycles_);
  both("e4m3_f32", 15 + groups + pass, pass + cycles_);
  both("f64", 8 + 2 * groups + 3 * cycles_, 4 * cycles_);
  expect("latency of an end alone", static_cast<double>(latency(find("f16k16_f32"), true)), 16);
  // What matters: a dense stream of the largest HMMA comes within 5 % of the peak.
  const double share = cycles_ / spacing(find("f16k16_f32"));
  std::printf("  %-28s %g of the peak\n", "a stream of HMMA.16816", share);
  if (!(share >= 0.95)) {
    std::printf("  ... expected 0.95 or more\n");
    errors_++;
  }
  calm_ = false;
}

int Bench::finish(const char *name) {
  drain();
  std::printf("%s: %llu instructions, %llu cycles, %llu errors\n", name, static_cast<unsigned long long>(instructions_),
              static_cast<unsigned long long>(now_), static_cast<unsigned long long>(errors_));
  return errors_ == 0 && instructions_ != 0 ? 0 : 1;
}
