// SPDX-License-Identifier: Apache-2.0
// Drives the matrix unit (mma_tb.sv) with whole instructions and compares every row that leaves it: lanes, identity,
// each row once, one end, in the order of the instructions. Bubbles and back-pressure are random. Errors are printed
// (the first few) and counted.
#pragma once
#include <deque>
#include <memory>
#include <string>

#include "tests/rtl/mma/matrix.h"
#include "tests/rtl/random.h"

class Vtop;

struct Options {
  bool full = false;
  uint64_t seed = 1;
  unsigned fault = 0;  // lab/verify/faults: the run must then fail
  std::string silicon; // directory of measured results
  Options(int argc, char **argv);
};

class Bench {
public:
  explicit Bench(const Options &options);
  ~Bench();
  // D row by row.
  void check(const Instruction &i, const Tile &tile, const std::vector<uint64_t> &d);
  void check_nothing(const Instruction &i, bool dropped); // no lane executes, or the result is dropped
  void drain();                                           // until everything that was checked has left
  void rates();                                           // latency and throughput are what mma_unit's header says
  int finish(const char *name);
  Random &random() { return random_; }

private:
  struct Job {
    const Instruction *what = nullptr;
    Operands in;
    std::vector<uint64_t> d;
    uint32_t seq = 0, exec = 0, rbase = 0;
    uint8_t rd = 0, wbar = 7;
    uint64_t rows = 0; // that have come: bit beat * 4 + word
    uint64_t rows_wanted = 0;
  };
  Job &open(const Instruction &i);
  void send();
  void cycle();
  void drive();
  void look();
  void look_at(Job &j);
  void complain(const Job &j, const char *what);
  double spacing(const Instruction &i);
  uint64_t latency(const Instruction &i, bool nothing);
  void expect(const char *what, double got, double want);

  std::unique_ptr<Vtop> top_;
  Random random_;
  unsigned lanes_, beats_, cycles_;
  bool calm_ = false; // no bubbles, everything taken at once
  std::deque<Job> input_, output_;
  Job made_;
  unsigned beat_ = 0;
  bool standing_ = false, held_ = false;
  uint32_t seq_ = 0;
  uint64_t now_ = 0, taken_at_ = 0, valid_at_ = 0, instructions_ = 0, errors_ = 0;
  std::vector<uint64_t> ends_;
};
