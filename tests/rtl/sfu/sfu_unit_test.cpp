// SPDX-License-Identifier: Apache-2.0
// The special-function unit as its neighbours see it: which answers come, in which order, with what in which lanes
// (results of an H200, tests/silicon), whoever is slow; then latency and throughput as the unit's header states them.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <Vtop.h>
#include <heddle/isa_gen.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/random.h"
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>
extern "C" {
#include <heddle/isa.h>
}

#include "tests/rtl/silicon_data.h"

namespace {

constexpr uint8_t rz = 255;

// Operands and results of one function.
struct Known {
  unsigned mufu;
  std::vector<uint32_t> in, out;
};

template <typename T> std::vector<T> file(const std::string &path, size_t least) {
  const std::vector<T> v = read_elements<T>(path);
  if (v.size() < least) {
    std::fprintf(stderr, "sfu: %s: %zu numbers, %zu are needed\n", path.c_str(), v.size(), least);
    std::exit(2);
  }
  return v;
}

std::vector<Known> measured(const std::string &silicon) {
  static const struct {
    unsigned mufu;
    const char *form;
  } words[] = {{ISA_MUFU_RCP, "rcp.approx.ftz.f32"},
               {ISA_MUFU_RSQ, "rsqrt.approx.ftz.f32"},
               {ISA_MUFU_EX2, "ex2.approx.ftz.f32"},
               {ISA_MUFU_LG2, "lg2.approx.ftz.f32"},
               {ISA_MUFU_TANH, "tanh.approx.f32"}};
  static const unsigned halves[] = {ISA_MUFU_EX2_F16, ISA_MUFU_TANH_F16, ISA_MUFU_EX2_BF16, ISA_MUFU_TANH_BF16};
  std::vector<Known> all;
  const std::vector<uint32_t> in = file<uint32_t>(silicon + "/ops/f32.0.bin", 2048);
  for (const auto &w : words)
    all.push_back({w.mufu, in, file<uint32_t>(silicon + "/ops/" + w.form + ".gold.bin", in.size())});
  const std::vector<uint16_t> results = file<uint16_t>(silicon + "/mufu/half_unary.bin", 4 * 65536);
  for (unsigned k = 0; k < 4; k++) {
    Known known{halves[k], std::vector<uint32_t>(65536), std::vector<uint32_t>(65536)};
    for (uint32_t i = 0; i < 65536; i++) known.in[i] = i, known.out[i] = results[k * 65536 + i];
    all.push_back(known);
  }
  return all;
}

struct Beat {
  unsigned mufu = 0;
  uint32_t seq = 0, exec = 0, mask = 0; // mask: the beat's lanes
  uint8_t rd = 0, wbar = 0, beat = 0;
  uint16_t rbase = 0;
  bool row = false, last = false; // of the answer
  std::vector<uint32_t> in, out;
};

class Test {
public:
  Test(const std::string &silicon, unsigned fault);
  ~Test() { top_->final(); }
  void random(unsigned instructions, unsigned idle_percent, unsigned slow_percent);
  void timing();
  int finish() const;

private:
  void instruction(uint32_t exec, bool drop);
  void cycle(bool offer, bool ready);
  void drive(const Beat &b);
  void compare(const Beat &b);
  void expect(bool ok, const char *what, uint64_t got, uint64_t want);
  bool answer_is_held();
  uint32_t lanes_in_use();

  std::unique_ptr<Vtop> top_;
  std::vector<Known> known_;
  Random r_{1};
  unsigned lanes_ = 0, beats_ = 0, passes_ = 0, ranks_ = 0;
  uint32_t seq_ = 0;
  std::deque<Beat> todo_;     // to be taken
  std::deque<Beat> expected_; // taken, answers to come
  uint64_t now_ = 0, taken_at_ = 0, offered_at_ = 0;
  bool offering_ = false;        // the last cycle's answer was not taken
  std::vector<uint32_t> before_; // and was this
  uint64_t answers_ = 0, checks_ = 0, failed_ = 0;
};

Test::Test(const std::string &silicon, unsigned fault) : known_(measured(silicon)) {
  Verilated::randReset(2);
  Verilated::randSeed(1);
  if (fault != 0) heddle_fault() = fault;
  top_ = std::make_unique<Vtop>();
  top_->op_valid_i = 0;
  top_->lr_ready_i = 0;
  top_->rst_ni = 0;
  for (unsigned i = 0; i < 8; i++) {
    top_->clk_i = i & 1;
    top_->eval();
  }
  top_->rst_ni = 1;
  lanes_ = top_->lanes_o, beats_ = top_->beats_o, passes_ = top_->passes_o, ranks_ = top_->ranks_o;
}

void Test::expect(bool ok, const char *what, uint64_t got, uint64_t want) {
  checks_++;
  if (!ok && failed_++ < 20)
    std::printf("cycle %" PRIu64 ": %s: got %" PRIx64 ", expected %" PRIx64 "\n", now_, what, got, want);
}

// Appends the beats of an instruction to what is to be taken.
void Test::instruction(uint32_t exec, bool drop) {
  const Known &known = known_[r_.below(static_cast<uint32_t>(known_.size()))];
  Beat b;
  b.mufu = known.mufu;
  b.seq = seq_++;
  b.exec = exec;
  b.rd = drop ? rz : static_cast<uint8_t>(r_.below(rz));
  b.wbar = static_cast<uint8_t>(r_.below(8));
  b.rbase = static_cast<uint16_t>(r_.u32());
  for (unsigned k = 0; k < beats_; k++) {
    b.beat = static_cast<uint8_t>(k);
    b.mask = lanes_ == 32 ? exec : exec >> (k * lanes_) & ((1u << lanes_) - 1);
    b.row = b.mask != 0 && !drop;
    b.last = k + 1 == beats_;
    b.in.resize(lanes_), b.out.resize(lanes_);
    for (unsigned l = 0; l < lanes_; l++) {
      const uint32_t i = r_.below(static_cast<uint32_t>(known.in.size()));
      b.in[l] = known.in[i], b.out[l] = known.out[i];
    }
    todo_.push_back(b);
  }
}

void Test::drive(const Beat &b) {
  const heddle_isa_word word = heddle_isa_put(heddle_isa_word{0, 0}, ISA_F_MUFU, b.mufu);
  const uint64_t parts[2] = {word.lo, word.hi};
  std::memcpy(&top_->op_word_i[0], parts, sizeof parts);
  top_->op_seq_i = b.seq;
  top_->op_exec_i = b.exec;
  top_->op_rd_i = b.rd;
  top_->op_wbar_i = b.wbar;
  top_->op_rbase_i = b.rbase;
  top_->op_beat_i = b.beat;
  for (unsigned l = 0; l < lanes_; l++) top_->op_b_i[l] = b.in[l];
}

void Test::compare(const Beat &b) {
  answers_++;
  expect(top_->lr_seq_o == b.seq, "sequence", top_->lr_seq_o, b.seq);
  expect(top_->lr_beat_o == b.beat, "beat", top_->lr_beat_o, b.beat);
  expect(top_->lr_row_o == b.row, "row", top_->lr_row_o, b.row);
  expect(top_->lr_last_o == b.last, "last", top_->lr_last_o, b.last);
  expect(top_->lr_pred_o == 0, "predicates", top_->lr_pred_o, 0);
  expect(top_->lr_word_o == 0, "word", top_->lr_word_o, 0);
  expect(top_->lr_rd_o == b.rd, "register", top_->lr_rd_o, b.rd);
  expect(top_->lr_wbar_o == b.wbar, "counter", top_->lr_wbar_o, b.wbar);
  expect(top_->lr_rbase_o == b.rbase, "base", top_->lr_rbase_o, b.rbase);
  if (!b.row) return;
  expect(top_->lr_mask_o == b.mask, "lanes", top_->lr_mask_o, b.mask);
  for (unsigned l = 0; l < lanes_; l++)
    if (b.mask >> l & 1) expect(top_->lr_data_o[l] == b.out[l], "result", top_->lr_data_o[l], b.out[l]);
}

// An answer that was not taken stands as it stood.
bool Test::answer_is_held() {
  std::vector<uint32_t> now(&top_->lr_data_o[0], &top_->lr_data_o[0] + lanes_);
  now.insert(now.end(), {top_->lr_seq_o, top_->lr_mask_o, top_->lr_beat_o, top_->lr_row_o, top_->lr_last_o});
  const bool held = !offering_ || (top_->lr_valid_o && now == before_);
  before_ = now;
  return held;
}

// One cycle: offers the next beat or not, takes an answer or not.
void Test::cycle(bool offer, bool ready) {
  top_->clk_i = 0;
  top_->op_valid_i = offer && !todo_.empty();
  top_->lr_ready_i = ready;
  if (top_->op_valid_i) drive(todo_.front());
  top_->eval();
  expect(answer_is_held(), "an answer left alone changed", 1, 0);
  if (top_->lr_valid_o && !offering_) offered_at_ = now_;
  offering_ = top_->lr_valid_o && !ready;
  if (top_->lr_valid_o && ready) {
    expect(!expected_.empty(), "an answer that nothing asked for", 1, 0);
    if (!expected_.empty()) compare(expected_.front()), expected_.pop_front();
  }
  if (top_->op_valid_i && top_->op_ready_o) {
    taken_at_ = now_;
    if (todo_.front().row || todo_.front().last) expected_.push_back(todo_.front());
    todo_.pop_front();
  }
  top_->clk_i = 1;
  top_->eval();
  now_++;
}

uint32_t Test::lanes_in_use() {
  switch (r_.below(6)) {
  case 0:
    return 0;
  case 1:
    return 1u << r_.below(32);
  case 2:
    return 0xffffu << r_.below(32);
  case 3:
    return r_.u32() & r_.u32() & r_.u32();
  case 4:
    return r_.u32();
  default:
    return 0xffffffff;
  }
}

void Test::random(unsigned instructions, unsigned idle_percent, unsigned slow_percent) {
  for (unsigned k = 0; k < instructions; k++) instruction(lanes_in_use(), r_.one_in(8));
  const uint64_t limit = now_ + uint64_t{instructions} * beats_ * (passes_ + 2) * 100 / (100 - slow_percent) * 2 + 1000;
  bool offer = false;
  while ((!todo_.empty() || !expected_.empty()) && now_ < limit) {
    const size_t left = todo_.size();
    offer = offer || !r_.percent(idle_percent); // once offered, it stays
    cycle(offer, !r_.percent(slow_percent));
    if (todo_.size() != left) offer = false;
  }
  expect(todo_.empty() && expected_.empty(), "beats without an answer", todo_.size() + expected_.size(), 0);
  for (unsigned i = 0; i < 64; i++) cycle(false, true); // nothing more comes
}

void Test::timing() {
  // One beat alone: the others of its instruction follow after it has been answered.
  instruction(0xffffffff, false);
  while (todo_.size() == beats_) cycle(true, true);
  const uint64_t taken = taken_at_;
  while (!expected_.empty()) cycle(false, true);
  expect(offered_at_ - taken == passes_ + ranks_ + 1, "latency", offered_at_ - taken, passes_ + ranks_ + 1);
  while (!todo_.empty() || !expected_.empty()) cycle(true, true);

  // Many: from the first that is taken to the last.
  constexpr unsigned many = 64;
  const unsigned each = passes_ > 1 ? passes_ : 2;
  for (unsigned k = 0; k < many; k++) instruction(0xffffffff, false);
  const uint64_t fill = passes_ + ranks_ + 1;
  const size_t all = todo_.size();
  while (todo_.size() == all) cycle(true, true);
  const uint64_t first = taken_at_;
  while (!todo_.empty() || !expected_.empty()) cycle(true, true);
  const uint64_t took = offered_at_ - first, want = fill + (all - 1) * each;
  expect(took == want, "cycles from the first beat to the last answer", took, want);
  std::printf("sfu_unit: %zu beats of %u lanes in %" PRIu64 " cycles, the first in %" PRIu64 "\n", all, lanes_, took,
              fill);
}

int Test::finish() const {
  std::printf("sfu_unit: %" PRIu64 " answers, %" PRIu64 " checks, %" PRIu64 " failed\n", answers_, checks_, failed_);
  return failed_ == 0 && answers_ != 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const std::string silicon = args.text("--silicon");
  const unsigned fault = args.small("--fault", 0);
  args.all();
  if (silicon.empty()) {
    std::fprintf(stderr, "usage: %s --silicon DIR [--fault N]\n", argv[0]);
    return 2;
  }
  Test test(silicon, fault);
  test.timing();
  test.random(3000, 0, 0);
  test.random(3000, 50, 20);
  test.random(3000, 10, 80);
  test.random(1000, 90, 0);
  return test.finish();
}
