// SPDX-License-Identifier: Apache-2.0
//
// retire_stream with random records on its port: what it should say, and the bytes that it says.
#ifndef HEDDLE_TESTS_STREAM_BENCH_HPP
#define HEDDLE_TESTS_STREAM_BENCH_HPP

#include <vector>

#include <Vtop.h>
#include "tests/lab/fpga/stream/pack.hpp"
#include <heddle/verilated_ports.hpp>
#include "tests/lab/fpga/stream/random_records.hpp"

extern "C" {
#include <heddle/record_banks.h>
}

namespace bench {

struct Bench {
  VerilatedContext context;
  Vtop top{&context};
  std::vector<uint8_t> bytes;
  std::vector<size_t> lost_at;       // bytes before one with st_lost_o
  std::vector<heddle_retire_record> shown;  // in their order, with their cycles
  uint64_t cycle = 0;                // since the start
  uint32_t gap = 1, busy = 0;

  void clock()
  {
    top.st_ready_i = busy == 0;
    top.clk_i = 0;
    top.eval();
    if (busy > 0)
      busy--;
    else if (top.st_valid_o) {
      if (top.st_lost_o) lost_at.push_back(bytes.size());
      bytes.push_back(top.st_data_o);
      busy = gap - 1;
    }
    top.clk_i = 1;
    top.eval();
    cycle++;
  }
  void quiet()
  {
    nothing(top.ret_sm_i);
    nothing(top.ret_bank_i);
    top.start_i = top.end_i = 0;
  }
  void reset()
  {
    quiet();
    top.rst_ni = 0;
    top.drop_i = 0;
    for (int i = 0; i < 4; i++) clock();
    top.rst_ni = 1;
    clock();
    bytes.clear();
  }
  void start()
  {
    shown.clear();
    top.start_i = 1;
    clock();
    top.start_i = 0;
    cycle = 0;
  }
  template <class P> void drive(P &port, const retire::place &place, const heddle_retire_record &r, unsigned k = 0)
  {
    put(port, place, r, k);
    keep(r);
  }
  void keep(const heddle_retire_record &r)
  {
    heddle_retire_record x = records::judged(r);
    x.cycle = cycle;
    if (x.kind == HEDDLE_RECORD_SHARED) heddle_record_spread_banks(&x.u.shared, records::BANKS);
    shown.push_back(x);
  }
  void writes(records::Maker &m, unsigned permille)
  {
    for (unsigned k = 0; k < 2; k++)
      if (m.r.permille(permille)) drive(top.ret_sm_i, at::write, m.make(HEDDLE_RECORD_WRITE), k);
  }
  // Each source shows something with so many per mille.
  void show(records::Maker &m, unsigned permille)
  {
    Random &r = m.r;
    quiet();
    static_assert(sizeof top.ret_sm_i == 4 * at::sm_words && sizeof top.ret_bank_i == 4 * at::bank_words, "as the port has it");
#define HEDDLE_SHOW_IN(port, name, KIND)                                                                              \
  if (r.permille(permille)) drive(top.port, at::name, m.make(HEDDLE_RECORD_##KIND));
#define HEDDLE_SHOW(name, KIND) HEDDLE_SHOW_IN(ret_sm_i, name, KIND)
    HEDDLE_SHOW(block_start, BLOCK_START)
    HEDDLE_SHOW_IN(ret_bank_i, global, GLOBAL)
    HEDDLE_SHOW(shared, SHARED)
    writes(m, permille);
    HEDDLE_SHOW(predicate, PREDICATE)
    if (r.one_in(2)) { // they come from one bus
      HEDDLE_SHOW(operands, OPERANDS)
    } else {
      HEDDLE_SHOW(operands_memory, OPERANDS_MEMORY)
    }
    HEDDLE_SHOW(barrier, BARRIER)
    HEDDLE_SHOW(issue, ISSUE)
    HEDDLE_SHOW(uniform_read, UNIFORM_READ)
    HEDDLE_SHOW(uniform_write, UNIFORM_WRITE)
    HEDDLE_SHOW(trap, TRAP)
    HEDDLE_SHOW(block_end, BLOCK_END)
#undef HEDDLE_SHOW
#undef HEDDLE_SHOW_IN
  }
  // The grid is over, and all of it said.
  void finish()
  {
    quiet();
    top.end_i = 1;
    clock();
    top.end_i = 0;
    for (size_t n = bytes.size(), calm = 0; calm < 3000 + 2 * gap; calm++) {
      clock();
      if (bytes.size() != n) calm = 0;
      n = bytes.size();
    }
  }
};

} // namespace bench

#endif
