// SPDX-License-Identifier: Apache-2.0
// Drives the FP64 unit (fp64_tb.sv) with whole warp instructions and compares all outputs with what the test expects:
// rows and predicates in order, lanes, identity, exactly one end an instruction. Vectors of one operation fill the
// executing lanes of an instruction; masks, bubbles, and back-pressure are random. Errors are printed (the first few)
// and counted.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tests/rtl/pipe_bench.h"
#include "tests/rtl/tally.h"

class Vtop;

struct Vector {
  uint64_t a = 0, b = 0, c = 0;
  bool ps0 = false;
};

// A result of one or two words, or two predicates.
struct Expected {
  unsigned words = 0;
  uint64_t value = 0;
  bool pd0 = false, pd1 = false;
  static Expected pair(uint64_t v) { return {2, v, false, false}; }
  static Expected word(uint64_t v) { return {1, v & 0xffffffffu, false, false}; }
  static Expected predicates(bool p, bool q) { return {0, 0, p, q}; }
};

class Bench {
public:
  explicit Bench(const Options &options);
  ~Bench();
  void check(const Operation &op, const Vector &in, const Expected &want);
  void drain(); // until everything that was checked has left
  void rates(); // latency and throughput are what the header of fp64_unit says
  // Drains, prints the counts, returns the exit status. In a long run each operation and rounding must have so many
  // vectors with results that count, and is printed.
  int finish(const char *name, const Options &options);
  uint64_t vectors() const { return vectors_; }

private:
  static constexpr unsigned WARP = 32;
  struct Instruction {
    Operation op{ISA_OP_DADD};
    uint32_t seq = 0, exec = 0, ps0 = 0, rbase = 0;
    uint8_t rd = 255, rd_n = 0, pd0 = 7, pd1 = 7, wbar = 7;
    std::array<Vector, WARP> in{};
    std::array<Expected, WARP> want{};
  };
  struct Delivery {
    Instruction i;
    bool row = false, pred = false, last = false;
    unsigned beat = 0, word = 0;
  };
  void open(const Operation &op, const Expected &like);
  void send();
  void expect(const Instruction &i);
  void cycle();
  void drive();
  void look();
  bool same(const Delivery &d);
  void complain(const Delivery &d);
  uint32_t lanes_of(const Instruction &i, unsigned beat) const;
  uint64_t steady(uint32_t exec);

  std::unique_ptr<Vtop> top_;
  Random random_;
  unsigned lanes_, beats_, working_, passes_;
  bool calm_ = false; // no bubbles, everything taken at once
  Instruction open_;
  bool is_open_ = false;
  uint32_t room_ = 0; // executing lanes of the open instruction without a vector
  std::deque<Instruction> input_;
  unsigned beat_ = 0;
  bool standing_ = false, held_ = false;
  std::deque<Delivery> output_;
  uint32_t seq_ = 0;
  uint64_t now_ = 0, taken_at_ = 0, valid_at_ = 0, quiet_ = 0;
  uint64_t vectors_ = 0, instructions_ = 0, errors_ = 0;
  Tally tally_;
  std::vector<uint64_t> takes_;
};
