// SPDX-License-Identifier: Apache-2.0
// The back half of an SM against an independent account of registers. Random instructions of several warps issue as
// early as their dependencies allow (the rule is may_issue), with random back-pressure and random memory results. Every
// operand, write, predicate, branch and memory record is compared; each must come exactly once, rows and writes in the
// one cycle that the order of issue leaves them.
//   back_instruction.cpp  random instructions, and when one may be issued
//   back_reference.cpp    operands and results of an instruction from the account of registers
//   back_reader.cpp       which cycle reads what: rows, bank conflicts, write ports, the reuse cache
//   back_queue.cpp        rows that wait in queues, where the machine has them: which leaves in this cycle
//   back_drive.cpp        reset, starts of warps, issue, rows of memory results, and the cycle
//   back_record.cpp       beats of operands, branches and memory operations
//   back_write.cpp        writes of registers and predicates, ends of instructions
//   back_test.cpp         random runs, sustained rates, faults, command line
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <Vtop.h>
#include "tests/rtl/random.h"
#include <verilated.h>
extern "C" {
#include <heddle/isa_tables.h>
}

constexpr unsigned kSlots = 6, kRegs = 24; // registers that a warp uses; few, so that dependencies are frequent

using Row = std::array<uint32_t, 32>;

struct Instr {
  heddle_isa_enc enc{};
  heddle_isa_word word{};
  heddle_isa_dec dec{};
  uint32_t seq = 0, exec = 0, ps[3]{}, sval = 0;
  unsigned warp = 0;
  unsigned used = 0;
  Row slot[kSlots]{}; // expected operands
  Row result[4]{};    // expected words of rd
  uint32_t d0 = 0, d1 = 0;
  unsigned lat = 0;
  uint64_t issued_at = 0;
  bool hit[3]{}, fill[3]{}; // operands a, b, c that hit the reuse cache; that fill it
  bool fixed() const { return dec.unit <= ISA_UNIT_CVT; }
  bool mem() const { return dec.unit == ISA_UNIT_MEM; }
  // More than two words of data: a beat is two rows, the instruction takes two places.
  // Two rows a beat: more than two words of data, or a compare-and-swap's new value.
  bool two() const {
    return mem() && ((dec.src[1].kind == ISA_REG && dec.src[1].words > 2) || dec.src[2].kind == ISA_REG);
  }
};
using Shared = std::shared_ptr<Instr>;

// A row on its way to the bus, and a beat on its way through memory's queue.
struct BusRow {
  Shared in;
  unsigned beat;
  bool second, last;
  uint64_t at;
};
struct MemBeat {
  Shared in;
  unsigned beat;
  uint64_t first_at, at; // cycles in which its rows are on the bus
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
  // Counted in cycles without a hold: when a reader of the register may be issued; a later writer, less its latency.
  uint64_t read_from[kRegs]{}, write_from[kRegs]{};
  bool unread[kRegs]{};          // with two readers: its writer is late, has no count for that, and is still read
  unsigned mem_pending[kRegs]{}; // memory results still to come
  bool queued = false;     // an instruction's last row has not left its queue; of two readers none has let it go on
  uint64_t issue_from = 0; // ... the first cycle in which the next one may issue
  bool kept[2][3]{};       // the reuse cache of each reader
  unsigned kept_reg[2][3]{};
};

struct MemRow {
  unsigned warp, rd, beat;
  uint32_t seq, mask;
  uint8_t gen;
  Row data;
  uint64_t not_before;
};

// Constraints between the fields of an instruction.
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
  // Events without which the checks mean nothing.
  struct Seen {
    uint64_t hits, drops, late, shorter, conflicts, three_reads, port_holds, two_places, backlog, kept, both, waiting,
        elsewhere;
  } seen{};

  // ---- runs (back_test.cpp)
  void random_run(uint64_t count);
  unsigned banks() const { return top->cfg_banks_o; }
  unsigned passes_of_alu() const { return top->cfg_alu_passes_o; }
  bool makes_passes() const {
    return top->cfg_alu_passes_o > 1 || top->cfg_fma_passes_o > 1 || top->cfg_cvt_passes_o > 1;
  }
  unsigned queue_room() const { return top->cfg_queues_o; } // instructions that one holds
  bool queues() const { return queue_room() != 0; }
  bool two() const { return top->cfg_readers_o == 2; }
  uint64_t rate(unsigned instrs, unsigned ra, unsigned rb, unsigned rc, unsigned n_warps);

private:
  using Fill = std::function<void(Instr &)>;

  std::unique_ptr<VerilatedContext> ctx;
  std::unique_ptr<Vtop> top;
  unsigned fault_;
  // The operand stage: of each reader the instruction that is read, at its place; of two the one in front.
  struct Reader {
    Shared now, front;
    bool second = false;
    unsigned beat = 0, left = 0;  // beat of the row that is read; its words that are still to be read
    unsigned spent = 0, kept = 0; // cycles that it has taken; in which no row may be completed: the bus is not free
    std::deque<BusRow> bus;       // rows that were read
  } reader_[2];
  bool new_ = false;
  bool asks_ = false, kept_port_ = false; // the first of two requests ports in this cycle; has done so for long
  unsigned turn_ = 0, refused_ = 0;       // of two: with the turn at the banks; how often the first has found no port
  uint64_t active_ = 0;                   // cycles without a hold, before this one
  BusRow branch_{};                       // register branch with a row shown, in so many passes more
  unsigned branch_left_ = 0;
  struct Line { // with row queues: of alu and cvt, of fma and branches
    std::deque<BusRow> rows;
    unsigned left = 0;   // passes of the row that has left last, still to come
    unsigned inside = 0; // instructions issued, last row not yet gone
  } line_[2];
  std::deque<MemBeat> mem_;                                              // beats in memory's queue
  unsigned places_ = 0;                                                  // of it, taken
  uint64_t mem_taken_at_ = 0;                                            // when the last beat left them
  bool mem_held_ = false;                                                // a beat was offered and not taken
  std::map<uint64_t, uint32_t> taken_;                                   // cycle: banks with a result of a fixed pipe
  std::map<uint64_t, std::vector<std::pair<unsigned, unsigned>>> drops_; // cycle: (warp, register) written then
  unsigned waited_ = 0; // cycles that the row of a memory result has been refused
  bool issuing_ = true;
  std::unique_ptr<Instr> forced_;
  // (warp, seq, rd, beat) of each write that must still come
  std::map<std::array<uint32_t, 4>, Write> writes_;
  std::map<std::array<uint32_t, 3>, std::array<uint32_t, 6>> preds_;      // (warp, seq, beat): mask pd0 pd1 d0 d1 due
  std::map<std::array<uint32_t, 2>, std::pair<unsigned, uint64_t>> done_; // (warp, seq) in order: unit, cycle
  std::vector<MemRow> rows_;
  int row_now_ = -1;
  uint64_t rate_first_ = 0, rate_last_ = 0;
  unsigned last_warp_ = 0;
  std::map<std::array<uint32_t, 3>, unsigned> rows_left_;     // (warp, seq, rd): beats of a memory result to come
  std::map<std::array<uint32_t, 2>, unsigned> done_info_;     // (warp, seq): barrier that the end releases
  std::vector<std::pair<heddle_isa_field, unsigned>> sticky_; // registers to use again

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

  void put(Instr &in, heddle_isa_field f, uint64_t v) const { in.word = heddle_isa_put(in.word, f, v); }

  // ---- the neighbours, and the cycle (back_drive.cpp)
  void clear_inputs();
  void edge();
  template <typename T> void set_packed11(T *port, const Row &row, unsigned beat);
  void drive_row(const MemRow &r);
  void start_warp(unsigned w);
  bool busy();
  void drive_now();
  void issue(std::unique_ptr<Instr> in);
  void choose(bool random);
  void step(bool random);

  // ---- which cycle reads what (back_reader.cpp)
  uint32_t ports(const Instr &in) const;
  unsigned reads(const Instr &in, bool second, bool with_hits) const;
  unsigned bank_of(const Instr &in, bool second, unsigned word) const;
  unsigned words(const Instr &in, bool second) const;
  uint32_t wants(const Reader &r) const;
  bool ports_free(const Instr &in);
  bool read_row();
  bool step_row(Reader &r, uint32_t free, const Instr *first);
  void row_done(Reader &r);
  void start(Reader &r, const Shared &in);
  void two_step();
  bool starved(uint32_t ports) const;
  void ask_reuse(Instr &in);
  void drop_written();

  // ---- rows in queues (back_queue.cpp)
  unsigned line_of(const Instr &in) const { return in.dec.unit == ISA_UNIT_FMA || in.dec.unit == ISA_UNIT_BR; }
  bool leaves(unsigned k);
  void leave(unsigned k);
  void queues_step();

  // ---- making instructions (back_instruction.cpp)
  std::unique_ptr<Instr> make(unsigned w, heddle_isa_enc enc, const Fill &fill);
  unsigned reg(unsigned words);
  void random_field(Instr &i, heddle_isa_field f, const Shape &shape);
  void repeat_registers(Instr &i, const heddle_isa_encoding *e);
  void random_fields(Instr &i, heddle_isa_enc enc);
  std::unique_ptr<Instr> random_instr(unsigned w);
  template <typename F> void each_reg(const Instr &in, F f);
  bool may_issue(const Instr &in);

  // ---- the reference (back_reference.cpp)
  unsigned latency(const Instr &in) const;
  unsigned passes(const Instr &in) const; // of a beat in its pipe
  void compute(Instr &in);

  // ---- beats (back_record.cpp)
  template <typename D>
  void operands(const char *what, const Instr &in, unsigned beat, unsigned want_used, unsigned used, uint32_t mask,
                const D &data);
  void observe();
  void memory_row_taken();
  void bus_row(unsigned k);
  void general_row(unsigned k, const BusRow &row);
  void results_due(const BusRow &row, uint64_t due);
  void branch_pass(const BusRow *row);
  void memory_row(const BusRow &row);
  void queue_beat();
  void check_memop(const MemBeat &beat);
  void plan_results(const Instr &in);

  // ---- writes and ends (back_write.cpp)
  uint32_t wb_mask(unsigned b) const;
  void register_writes();
  void predicate_writes();
  void ends();
};
