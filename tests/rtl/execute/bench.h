// SPDX-License-Identifier: Apache-2.0
// Drives one execute pipe (execute_tb.sv) and compares what leaves it with what the test expects.
// Vectors of one operation are packed into beats, one vector a lane from a random lane on. Beats follow each other at
// once or after bubbles; beats of several operations are in flight together. Errors are printed (the first few) and
// counted.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tests/rtl/pipe_bench.h"
#include "tests/rtl/tally.h"

class Vtop;

struct Vector {
  uint32_t a = 0, b = 0, c = 0, c_hi = 0;
  bool ps0 = false, ps1 = false, ps2 = false;
};

// Which results count, and what they must be.
struct Expected {
  bool has_lo = false, has_hi = false, has_pd0 = false, has_pd1 = false;
  uint32_t lo = 0, hi = 0;
  bool pd0 = false, pd1 = false;
  static Expected value(uint32_t v) {
    Expected e;
    e.has_lo = true;
    e.lo = v;
    return e;
  }
};

// Random vectors of each operation and mode, unless the command line says how many.
constexpr uint64_t VECTORS = 100000;

class Bench {
public:
  explicit Bench(const Options &options);
  ~Bench();
  void check(const Operation &op, const Vector &in, const Expected &want);
  int finish(const char *name); // drains, prints the counts, returns the exit status
  // The same; each operation and rounding must have so many vectors in a long run, which prints the counts.
  int finish_long(const char *name, const Options &options);
  uint64_t vectors() const { return vectors_; }
  uint64_t errors() const { return errors_; }

private:
  struct Beat {
    bool valid = false;
    Operation op{ISA_OP_MOV};
    unsigned first = 0; // lane of the first vector
    bool odd = false;   // fma: the first word goes to a bank of odd number
    std::vector<Vector> in;
    std::vector<Expected> want;
  };
  void flush();
  void cycle(Beat &&beat); // and those for which the beat stays at the inputs
  void edge(Beat &&beat);
  void compare(const Beat &beat);
  std::unique_ptr<Vtop> top_;
  Random random_;
  unsigned lanes_, ranks_, passes_;
  Beat open_;
  std::deque<Beat> flight_;
  uint64_t vectors_ = 0, beats_ = 0, errors_ = 0;
  Tally tally_;
};

// Measured results: operands and result of each element of an operation's file. Empty when there is no such file.
struct Measured {
  Vector in;
  uint32_t result;
};
std::vector<Measured> read_measured(const std::string &dir, const std::string &op, const char *classes);
// Lines `op a b c -> d` of nan.txt.
std::vector<Measured> read_nans(const std::string &dir, const std::string &op);

// FP32 operands: special values, and random ones near each other in exponent.
extern const std::vector<uint32_t> edges_f32, edges_i32;
uint32_t random_f32(Random &r);
uint32_t random_i32(Random &r);
