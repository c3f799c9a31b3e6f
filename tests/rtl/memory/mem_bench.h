// SPDX-License-Identifier: Apache-2.0
// The bench of mem_top: random memory instructions of all warps, instruction fetches and constant operands beside them.
// The reference lives here: records say when an access happens (never what it reads); memory, shared memory, results,
// traps and ends of instructions are computed from the instructions.
//   mem_launch.cpp       regions, code and constants of a grid; starts of warps; reset
//   mem_instruction.cpp  random instructions, and what the reference expects of each
//   mem_record.cpp       accesses where they take effect
//   mem_end.cpp          rows of results, checks, traps, ends
//   mem_clock.cpp        the other clients, and the cycle
//   mem_perf.cpp         latency and throughput (--perf)
//   mem_rate.cpp         rates that are promised (--rate)
#pragma once
#include <algorithm>
#include <map>
#include <memory>

#include <Vtop.h>
#include "tests/rtl/memory/bench.h"
#include "tests/rtl/memory/port_memory.h"
#include <heddle/isa.h>
#include <verilated.h>

enum Mem {
  GLOAD = ISA_MEM_GLOBAL_LOAD,
  GSTORE = ISA_MEM_GLOBAL_STORE,
  SLOAD = ISA_MEM_SHARED_LOAD,
  SSTORE = ISA_MEM_SHARED_STORE,
  CLOAD = ISA_MEM_CONST_LOAD,
  GATOM = ISA_MEM_GLOBAL_ATOM,
  SATOM = ISA_MEM_SHARED_ATOM,
  GRED = ISA_MEM_GLOBAL_RED,
  LLOAD = ISA_MEM_LOCAL_LOAD,
  LSTORE = ISA_MEM_LOCAL_STORE,
  ELOAD = ISA_MEM_GENERIC_LOAD,
  ESTORE = ISA_MEM_GENERIC_STORE,
  EATOM = ISA_MEM_GENERIC_ATOM,
  GCOPY = ISA_MEM_GLOBAL_COPY,
  NOTHING = ISA_MEM_NONE // CCTL
};
enum Space { GLOBAL, SHARED, LOCAL, CONSTANT, NOWHERE };
enum Expect { NORMAL, EMPTY, TRAP, REFUSED };
enum Cause { MISALIGNED = 3, OUT_OF_RANGE, WRITE_PROTECTED, CONST_RANGE, BUS = 10 };

constexpr uint64_t BASE = 0x1234500000u;
constexpr size_t MEMORY = 1 << 17;
constexpr unsigned CODE = 0x4000, CODE_BYTES = 0x4000; // offsets in memory
constexpr unsigned CONSTS = 0x8000, CONST_BYTES = 0x4000;
constexpr unsigned DATA = 0xc000;
constexpr unsigned LOCALS = 0x14000, LOCALS_BYTES = 0xc000;

// LDSM, as core_pkg has it in the place of an atomic's operation: a shared load of 128 bits by the lanes with
// addresses.
constexpr unsigned MATRIX = 1, MATRIX_TURNED = 3;

struct Region {
  uint64_t base, limit;
  bool write;
};

struct Instr {
  unsigned slot, gen, mem, size, cbank, rd, rd_n, wbar, rbase;
  unsigned atom = 0; // of an atomic; of LDSM: MATRIX, MATRIX_TURNED
  uint32_t seq, pc, exec, off;
  uint64_t addr[32]; // as the unit must form it
  Space space[32];   // where each lane goes, and the address there
  uint64_t at[32];
  uint32_t a_lo[32], a_hi[32], data[32][4];
  Expect expect;
  unsigned cause;
  uint32_t lanes;
  uint64_t trap_addr;
  bool error = false, may_refuse = false;
  // progress
  uint32_t copy_left = 0, far[32] = {}; // of an asynchronous copy: lanes to be written, their shared addresses
  uint32_t left = 0, local_left[4] = {}, result[32][4] = {}, rows[4] = {}; // rows: lanes
  uint32_t read[32][4] = {};                                               // of LDSM, what each lane has read
  uint64_t last_row = 0;
  bool checked = false, done = false, sent = false;
  unsigned bytes() const { return size < 2 ? 1 : size < 4 ? 2 : size == 4 ? 4 : size == 5 ? 8 : 16; }
  unsigned words() const { return size == 5 ? 2 : size == 6 ? 4 : 1; }
  bool generic() const { return mem == ELOAD || mem == ESTORE || mem == EATOM; }
  bool global() const { return mem == GLOAD || mem == GSTORE || mem == GATOM || mem == GRED || mem == GCOPY; }
  bool shared() const { return mem == SLOAD || mem == SSTORE || mem == SATOM; }
  bool local() const { return mem == LLOAD || mem == LSTORE; }
  bool atomic() const { return mem == GATOM || mem == SATOM || mem == GRED || mem == EATOM; }
  bool matrix() const { return mem == SLOAD && atom != 0; }
  uint32_t written() const { return matrix() && exec ? 0xffffffffu : exec; } // lanes that get results
  bool store() const { return mem == GSTORE || mem == SSTORE || mem == LSTORE || mem == ESTORE; }
  bool returns() const { return !store() && mem != GRED && mem != GCOPY && mem != NOTHING; }
  bool in(unsigned l, Space s) const { return (exec >> l & 1) && space[l] == s; }
  unsigned kind() const { return store() ? 1 : atomic() ? 2 : 0; }
};
using Ref = std::shared_ptr<Instr>;

// Cycles without a sign of progress: an LDC of 32 lanes and four words may miss for each of these, in a slow memory.
constexpr uint64_t HANG = 200000;

class Bench {
public:
  Vtop top;
  Random rnd;
  Checks checks;
  PortMemory<Vtop> axi;
  unsigned lanes, beats, warps, shared_size, banks;
  std::vector<uint8_t> memory, shared; // the reference
  std::vector<Region> regions;
  uint32_t shared_bytes = 0, local_bytes = 0;
  uint64_t code_base = 0, cbank_base[4] = {};
  uint32_t cbank_bytes[4] = {};
  struct Warp {
    unsigned gen = 0, shm_base = 0, refused = 0;
    uint32_t seq = 0;
    bool live = false, dead = false, maybe = false;
    std::deque<Ref> flight, unchecked;
  };
  std::vector<Warp> warp;
  std::map<uint64_t, Ref> by_id;
  std::deque<Ref> queue; // to send
  unsigned beat = 0;
  uint64_t now = 0, instructions = 0, traps = 0, refused = 0, progress = 0, fetches = 0, constants = 0, records = 0;
  unsigned wb_pressure = 80, fetch_pressure = 50;
  bool errors_on = false;
  struct End { // taken in the cycle before
    bool valid = false, row, has_rd;
    unsigned slot, gen;
    uint32_t seq;
    unsigned wbar, rd, rd_n;
  } ended;

  explicit Bench(uint64_t seed);
  virtual ~Bench() = default;

  // ---- launch (mem_launch.cpp)
  virtual void launch(bool whole_shared);
  void start(unsigned s, unsigned shm_base);

  // ---- instructions (mem_instruction.cpp)
  static uint64_t key(unsigned slot, unsigned gen, uint32_t seq) {
    return (uint64_t(slot) << 40) | (uint64_t(gen) << 32) | seq;
  }
  bool failing(uint64_t a) const { return a >= axi.err_base && a < axi.err_limit; }

  // The region table's answer: 0 fine, else the cause.
  virtual unsigned judge_global(const Instr &x, uint64_t a) const;
  unsigned judge(const Instr &x, unsigned l) const;
  // Space and address there of an address as it was formed.
  void find_space(Instr &x, unsigned l) const;
  // The place of a byte of a thread's local memory.
  size_t local_at(unsigned slot, unsigned lane, uint64_t a) const {
    return LOCALS + slot * 32 * local_bytes + a / 4 * 128 + lane * 4 + a % 4;
  }
  // The byte of `memory` at an address; the range of global addresses, for place().
  virtual size_t byte_at(uint64_t a) const { return a - BASE; }
  virtual void global_range(const Instr &x, uint64_t *lo, uint64_t *n);
  Ref make(unsigned s, unsigned mem, unsigned size);
  // Makes it an LDSM of n matrices.
  static void make_matrix(Instr &x, unsigned n, bool turned);
  // Its results, from the rows that the lanes have read.
  static void scatter(Instr &x);

  // Where the lanes go: mostly good places of the space, with patterns that collide, broadcast, stride or scatter.
  void place(Instr &x);
  // Operand a of each lane, so that its sum with the offset is the address.
  void operands(Instr &x);
  void submit(Ref p);
  bool range_failing(uint64_t from, uint64_t to) const { return from < axi.err_limit && to > axi.err_base; }
  // For a refill of half a line.
  bool line_failing(uint64_t a) const { return range_failing(a & ~63ull, (a | 63) + 1); }
  // For an instruction's part of the line of its lane l: from the first sector of its lanes to the last.
  bool request_failing(const Instr &x, unsigned l) const;

  // A lane's registers from the bytes at its address.
  static void update(Instr &x, unsigned l, uint8_t *m); // an atomic
  static void load(Instr &x, unsigned l, const uint8_t *m);
  static void load_word(Instr &x, unsigned l, unsigned w, const uint8_t *m);
  void generate();

  // ---- records (mem_record.cpp, mem_end.cpp)
  Ref find(unsigned slot, unsigned gen, uint32_t seq, const char *what);
  virtual void on_gmem(const heddle_line_port_record &r);
  // Lanes of one sector at this byte of memory.
  void perform(Instr &x, uint32_t group, size_t at, const heddle_line_port_record &r);
  void on_local(Instr &x, const heddle_line_port_record &r);
  virtual void on_shared();
  void on_shared(Instr &x, const Ref &p);
  void on_late();
  void on_row();
  bool complete(const Instr &x) const;
  void finish(const Ref &p);
  virtual void on_done();
  void check_global_error(const Instr &x);
  void check_constant_error(const Instr &x);
  void on_checked();

  // ---- fetch and constant operands (mem_clock.cpp)
  static constexpr uint32_t CODE_USED = 0x3000;
  std::deque<std::pair<unsigned, uint32_t>> fetch_queue; // warp, PC: answers come in order for each
  struct Constant {
    unsigned tag, bank, off;
  };
  std::deque<Constant> const_queue; // tags of their own: answers come in any order
  uint32_t next_pc = 0;
  void drive_clients();
  void sample_clients();
  bool took_fetch = false, took_const = false, took_op = false;
  bool clients = true;

  // ---- the clock (mem_clock.cpp)
  void drive_op();
  unsigned op_pressure = 100;
  void cycle();
  // Before and behind the evaluation of a cycle's inputs.
  virtual void drive_more() {}
  virtual void sample_more() {}
  bool held = false;
  uint64_t held_value = 0, last_sent = 0;
  uint64_t late_hash();
  bool in_flight() const { return !by_id.empty() || !queue.empty() || !fetch_queue.empty() || !const_queue.empty(); }

  // Until nothing is left; false when it hangs.
  bool drain();
  void reset();
  void cycle_raw();

  // All of shared memory gets defined contents.
  void fill_shared();
};

// Prints a table; changes the bench's regions and pressures.
void measure(Bench &b);

// Checks each promised rate; changes the bench as measure() does.
void rates(Bench &b);
