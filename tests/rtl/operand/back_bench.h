// SPDX-License-Identifier: Apache-2.0
// The back half of an SM against an independent account of registers: random instructions of several warps, issued as
// early as their dependencies allow (the rule is may_issue), random back-pressure, random memory results. Every
// operand, write, predicate, branch and memory record is compared; each must come exactly once.
//   back_instruction.cpp  random instructions, and when one may be issued
//   back_reference.cpp    operands and results of an instruction from the account of registers
//   back_drive.cpp        reset, starts of warps, issue, rows of memory results, and the cycle
//   back_record.cpp       beats of operands, branches and memory operations
//   back_write.cpp        writes of registers and predicates, ends of instructions
//   back_test.cpp         random runs, sustained rates, injected faults, command line
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "Vtop.h"
#include "random.h"
#include "verilated.h"
extern "C" {
#include "heddle/isa_tables.h"
}

constexpr unsigned kSlots = 6, kRegs = 24; // registers that a warp uses; few, so that dependencies are frequent

using Row = std::array<uint32_t, 32>;

struct Instr {
  isa_enc enc{};
  isa_word word{};
  isa_dec dec{};
  uint32_t seq = 0, exec = 0, ps[3]{}, sval = 0;
  unsigned warp = 0;
  unsigned used = 0;
  Row slot[kSlots]{}; // expected operands
  Row result[4]{};    // expected words of rd
  uint32_t d0 = 0, d1 = 0;
  unsigned next_beat = 0, lat = 0;
  bool fixed() const { return dec.unit <= ISA_UNIT_CVT; }
};

struct Write {
  uint32_t mask;
  Row data;
  uint64_t due; // exact cycle, 0 = any
};

struct Warp {
  Row reg[kRegs]{}, tid[3]{};
  uint8_t gen = 1;
  uint32_t seq = 0;
  unsigned rbase = 0;
  std::unique_ptr<Instr> now;    // in the operand stage
  uint64_t free_at = 0;          // first cycle in which the next instruction may be issued
  uint64_t reg_at[kRegs]{};      // first cycle in which an instruction that uses the register may be issued
  unsigned mem_pending[kRegs]{}; // memory rows still to come
};

struct MemRow {
  unsigned warp, rd, beat;
  uint32_t seq, mask;
  uint8_t gen;
  Row data;
  uint64_t not_before;
};

// What the fields of an instruction must agree on.
struct Shape {
  unsigned size = 0;
  bool sized = false, wide = false, pair_a = false;
  unsigned words() const { return !sized ? 1 : size == 5 ? 2 : size == 6 ? 4 : 1; }
};

class Bench {
public:
  Bench(uint64_t seed, unsigned fault);

  unsigned errors = 0;
  uint64_t cycle = 0, issued = 0, dispatched = 0, written = 0, mem_beats = 0;
  Random rnd;
  unsigned lanes = 0, beats = 0;
  std::vector<Warp> warps;
  uint64_t first_beat_latency = 0;

  // ---- runs (back_test.cpp)
  void random_run(uint64_t count);
  unsigned banks() const { return top->cfg_banks_o; }
  uint64_t rate(unsigned instrs, unsigned ra, unsigned rb, unsigned rc, unsigned n_warps);

private:
  using Fill = std::function<void(Instr &)>;

  std::unique_ptr<VerilatedContext> ctx;
  std::unique_ptr<Vtop> top;
  unsigned fault_;
  bool issuing_ = true;
  std::unique_ptr<Instr> forced_;
  // (warp, seq, rd, beat) of each write that must still come
  std::map<std::array<uint32_t, 4>, Write> writes_;
  std::map<std::array<uint32_t, 3>, std::array<uint32_t, 6>> preds_;      // (warp, seq, beat): mask pd0 pd1 d0 d1 due
  std::map<std::array<uint32_t, 2>, std::pair<unsigned, uint64_t>> done_; // (warp, seq) in order: unit, cycle
  std::vector<MemRow> rows_;
  int row_now_ = -1;
  uint64_t rate_first_ = 0, rate_last_ = 0;
  uint64_t issued_at_ = 0;
  std::map<std::array<uint32_t, 3>, unsigned> rows_left_; // (warp, seq, rd): beats of a memory result to come
  std::map<std::array<uint32_t, 2>, unsigned> done_info_; // (warp, seq): barrier that the end releases
  std::vector<std::pair<isa_field, unsigned>> sticky_;    // registers to use again

  template <typename... A> void error(const char *format, A... args) {
    if (errors++ < 5 && !fault_) {
      std::fprintf(stderr, "cycle %llu: ", static_cast<unsigned long long>(cycle));
      std::fprintf(stderr, format, args...);
      std::fputc('\n', stderr);
    }
  }

  uint32_t beat_mask(uint32_t all, unsigned beat) const {
    return (all >> (beat * lanes)) & (lanes == 32 ? ~0u : (1u << lanes) - 1);
  }

  void put(Instr &in, isa_field f, uint64_t v) const { in.word = isa_put(in.word, f, v); }

  // ---- the neighbours, and the cycle (back_drive.cpp)
  void clear_inputs();
  void edge();
  template <typename T> void set_packed11(T *port, const Row &row, unsigned beat);
  void drive_row(const MemRow &r);
  void start_warp(unsigned w);
  bool busy();
  void issue(std::unique_ptr<Instr> in);
  void step(bool random);

  // ---- making instructions (back_instruction.cpp)
  std::unique_ptr<Instr> make(unsigned w, isa_enc enc, const Fill &fill);
  unsigned reg(unsigned words);
  void random_field(Instr &i, isa_field f, const Shape &shape);
  void repeat_registers(Instr &i, const isa_encoding *e);
  void random_fields(Instr &i, isa_enc enc);
  std::unique_ptr<Instr> random_instr(unsigned w);
  template <typename F> void each_reg(const Instr &in, F f);
  bool may_issue(const Instr &in, bool may_mem, bool may_gen);

  // ---- the reference (back_reference.cpp)
  void compute(Instr &in);

  // ---- beats (back_record.cpp)
  bool who(const char *what, unsigned slot, unsigned gen, uint32_t seq, unsigned beat);
  template <typename D>
  void operands(const char *what, const Instr &in, unsigned beat, unsigned used, uint32_t mask, const D &data);
  void observe();
  void general_beat(unsigned w);
  void memory_beat(unsigned w);

  // ---- writes and ends (back_write.cpp)
  uint32_t wb_mask(unsigned b) const;
  void register_writes();
  void predicate_writes();
  void ends();
};
