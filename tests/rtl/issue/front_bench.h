// SPDX-License-Identifier: Apache-2.0
// The bench of `front`: caches, operand stage, pipes, load/store unit, divergence and barriers are played by it, with
// any delays and any order that the contract allows. It keeps its own idea of every warp, decoded with the C library.
//   front_program.cpp  random programs, reset, starts of warps
//   front_record.cpp   each issue record and uop against that idea
//   front_trap.cpp     the precise trap of a warp, and the one that the grid ends with
//   front_stage.cpp    the warp that is selected and in the check stage, and the exact distance of two instructions
//   front_operand.cpp  the operand stage and the queues of units, cycle by cycle
//   front_pages.cpp    with --pages: words and constants without a page, and the host that brings them
//   front_drive.cpp    what the other neighbours answer
//   front_test.cpp     the clock, counters, command line
#pragma once
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <Vtop.h>
#include <verilated.h>
#include "tests/rtl/issue/words.h"

constexpr unsigned MAX_WARPS = 64;
enum Cause {
  ILLEGAL = 1,
  BAD_PC = 2,
  MISALIGNED = 3,
  CONST_RANGE = 6,
  DIVERGENCE = 7,
  DEADLOCK = 8,
  BARRIER = 9,
  BUS = 10,
  BREAKPOINT = 11,
  PAGE_FAULT = 12
};

struct Options {
  uint64_t seed = 1, cycles = 20000;
  bool traps = false, scoreboard = false, speed = false, distance = false, pages = false;
  bool lone() const { return speed || distance; } // nothing but the stage itself takes time
};

// Events without which the checks mean nothing.
struct Seen {
  uint64_t is_short = 0, second = 0;   // short words, those 8 bytes into a place
  uint64_t jumped = 0;                 // ... to which a jump or a start led
  uint64_t middle = 0, absent = 0;     // traps: inside a long word; of short words that stand for no instruction
  uint64_t late = 0;                   // of a lone warp: instructions that issue as soon as they are there
  uint64_t next_cycle = 0;             // instructions selected while their warp's last one was in the check stage
  uint64_t waits = 0;                  // waits for a counter that the instruction just before raised
  uint64_t drains = 0;                 // MEMBAR, BAR right after a memory instruction
  uint64_t results = 0;                // of BAR.RED
  uint64_t depbars = 0;                // refused: a counter is too high for DEPBAR
  uint64_t matrices = 0;               // executed: instructions that want all 32 lanes
  uint64_t torn = 0;                   // ... and traps of those that have not got them
  uint64_t held = 0;                   // scoreboard: cycles of one warp that needs results under way next
  uint64_t refused = 0;                // by DEPBAR's counter, or for want of a page
  uint64_t followers = 0;              // ... with the next one of the warp selected already
  uint64_t two_places = 0;             // instructions with two places of their unit's queue
  uint64_t crowded = 0;                // cycles with all places of such a queue taken
  uint64_t units = 0;                  // instructions of the partition's units, where it has any
  uint64_t beside = 0;                 // instructions for one of them while all places of the other were taken
  uint64_t trap_in_s1 = 0;             // traps of a warp with its next instruction in the check stage
  uint64_t holds = 0;                  // cycles in which stall counts did not change
  uint64_t followed = 0;               // jumps that fetch had followed, and that were taken
  uint64_t recalled = 0;               // ... and were not
  uint64_t quiet = 0;                  // faults of words and constants without an entry in the host's list
  uint64_t listed = 0, listed_cst = 0; // ... that came to its list: of words, of constants
  uint64_t passed = 0;                 // instructions of other warps while one waited for the host
  uint64_t page_traps = 0;             // for want of a page
};

struct Trap {
  unsigned cause = 0, slot = 0, gen = 0;
  uint32_t seq = 0, pc = 0, lanes = 0;
  uint64_t addr = 0;
};

struct Dest {
  bool has_rd;
  unsigned rd, n, pd0, pd1;
};

struct Op { // an issued instruction that is still under way
  unsigned slot = 0;
  heddle_isa_dec d{};
  uint32_t exec = 0, pc = 0, seq = 0;
  unsigned gen = 0;
  uint32_t ps0 = 0;
  uint64_t when = 0, order = 0, last = 0; // last: cycle in which its last row is on the bus
  unsigned pred_beats = 0;                // of a unit of the partition: beats of predicates that have been written
  bool followed = false;                  // a jump: fetch has gone on at its target
  uint32_t target = 0;
  bool trap = false, mem = false, coll = false, // mem: load/store unit; coll: collected, for it or another
      ctl = false, regs_read = false, refused = false, checked = false;
};

struct Row { // of an instruction: the cycle in which it is on the bus, or written
  Op op;
  unsigned number = 0;
  bool last = false;
  uint64_t at = 0;
};

struct Warp {
  bool alive = false;
  unsigned gen = 0;
  uint32_t seq = 0, pc = 0, active = 0, live = 0, rbase = 0;
  uint32_t ctaid[3]{};
  uint32_t pred[7]{};
  uint32_t members[16]{}, parked[16]{}, parkpc[16]{};
  uint64_t hash = 0;
  int count[6]{};
  // the last instruction
  bool ctl = false, at_bar = false, was_mem = false;
  bool redo = false;    // a BAR.RED that has arrived, and comes once more for its result
  unsigned red_sum = 0; // the sum of the barrier's release
  bool red_all = false;
  uint64_t issued_at = 0;  // counted in cycles without a hold
  bool queued = false;     // its instruction has rows in a queue; with two readers: its reader has not let it go on
  unsigned unread = 0;     // ... instructions of it that are not read to their ends
  uint64_t read_end = 0;   // ... when the last of them was
  bool reads_none = false; // ... its last one read no operands, while there were some
  unsigned last_stall = 0, raised = 0;
  int mem = 0, fixed = 0;
  std::vector<Dest> pending;
  bool killed = false;
  uint64_t moved_at = 0; // started, or issued
  bool led = true;       // a start or a jump led to pc
  Op red_op;             // of redo
};

class Bench {
public:
  Bench(const Options &o, Seen *what) : opt(o), rnd{o.seed * 7919 + 17}, seen(*what) {}
  int run();
  int distances();

private:
  Options opt;
  Random rnd;
  Seen &seen;
  Vtop top;
  uint64_t now = 0, checks = 0, issued = 0, order = 0, last_issue = 0, grids = 0, traps_seen = 0;
  unsigned failures = 0;
  unsigned lanes = 0, beats = 0, warps = 0, lat[3]{};
  std::vector<heddle_isa_word> code;
  uint64_t program = 0; // instructions in it
  uint32_t bank_bytes[32]{};
  int regs = 32;
  bool whole = false; // all warps of the grid have 32 lanes
  Warp w[MAX_WARPS];
  unsigned gen[MAX_WARPS]{};
  struct Owed { // by a cache: answer, earliest cycle, warp
    uint32_t what;
    uint64_t due;
    unsigned tag, warp;
    bool lists;     // a fault of its page comes to the list
    uint64_t judge; // when its page is looked up
    bool absent, judged;
  };
  std::deque<Owed> ic, cc;
  unsigned slots() const { // numbers of warps in a tag
    unsigned n = 2;
    while (n < warps) n *= 2;
    return n;
  }
  bool next_answer(std::deque<Owed> &cache, Owed *x);
  // The operand stage: of each reader the instruction that is read, rows on their way to the bus; of two the one in
  // front.
  struct Reader {
    bool reading = false, waits = false, ends = false,
         soon = false; // ends: its last row was read in this cycle; soon: its warp goes on three beats before its last
                       // row is read
    Op read{}, front{};
    unsigned row = 0, delay = 0;
    std::deque<Row> bus;
  } reader[2];
  struct { // with row queues: of alu and cvt, of fma and branches
    std::deque<Row> rows;
    unsigned left = 0, inside = 0; // cycles until the next row may leave; instructions
  } line[2];
  std::deque<Row> pred;          // rows of predicates on their way through the pipe
  std::deque<Op> fix;            // in pipes
  std::deque<Op> waiting[2];     // in the queue of memory, of the partition's units, all rows there
  std::deque<Op> lsu_check, lsu; // being checked; being performed
  std::deque<Op> late;           // in a unit of the partition, which writes predicates, and ends as memory does
  unsigned places[2] = {};       // taken in each of these queues
  unsigned hold_rate = 0;        // holds in a hundred rows
  // State of the last cycle, and the check stage.
  bool ready = true, hold = false, halt_before = false;
  int selected = -1, s1 = -1;
  uint64_t active = 0; // cycles without a hold
  std::deque<Op> ctl;
  std::vector<std::pair<unsigned, uint64_t>> bar_wait;
  // The exact distance: the lone warp's next instruction.
  struct {
    bool on = false, here = false, queued = false; // queued: rows of it waited in the last cycle
    unsigned left = 0, stall = 0;
    uint64_t last = 0, count = 0;
    std::deque<uint64_t> came; // cycles in which those that have not issued arrived
  } exact;
  unsigned fixed_stall = 0;
  std::vector<Op> trapping; // issued and bound to trap
  unsigned ic_delay = 4, cc_delay = 4, busy_delay = 6;
  bool done = false, halted = false;
  Trap at_halt[MAX_WARPS],
      at_halt_page[MAX_WARPS]; // what each warp's next instruction raises, in the state in which issue stopped
  uint32_t trap_rate = 4;      // of 1000 memory and control instructions
  uint64_t cause_count[16]{};
  uint64_t grid_issued = 0, grid_alive = 0; // of this grid: instructions, cycles summed over live warps

  void fail(const char *what, unsigned slot) {
    if (failures++ < 10)
      std::printf("cycle %llu warp %u pc 0x%x: %s\n", (unsigned long long)now, slot, slot < MAX_WARPS ? w[slot].pc : 0,
                  what);
  }
  void check(bool ok, const char *what, unsigned slot) {
    checks++;
    if (!ok) fail(what, slot);
  }
  static uint32_t hash32(uint32_t a, uint32_t b) {
    uint64_t x = (uint64_t(a) << 32 | b) * 0x9e3779b97f4a7c15u;
    return uint32_t((x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u >> 32);
  }
  uint32_t constant(unsigned bank, unsigned off) { return hash32(bank * 77 + 5, off); }
  // A bus error, of a line of the cache.
  bool no_word(uint32_t pc) {
    uint32_t line = uint32_t((pc + top.launch_code_base_i) / 64);
    return opt.traps && hash32(line, uint32_t(opt.seed)) % 400 == 0;
  }
  bool no_constant(unsigned bank, unsigned off) {
    return opt.traps && hash32(bank * 31 + off / 64, uint32_t(opt.seed) + 9) % 300 == 0;
  }
  // `code` is the content of memory, 16 bytes each: a long word or two short ones.
  uint32_t code_bytes() const { return uint32_t(code.size() * sizeof code[0]); }
  bool in_code(uint32_t pc) { return pc % ISA_STEP == 0 && pc < code_bytes(); }
  // The instruction at a PC in the code; false: none begins there.
  bool word_at(uint32_t pc, heddle_isa_word *x, uint32_t *bytes) {
    return heddle_isa_fetch(reinterpret_cast<const uint8_t *>(code.data()), pc, x, bytes);
  }
  bool decode_at(uint32_t pc, heddle_isa_dec *d) {
    heddle_isa_word x;
    uint32_t bytes;
    return in_code(pc) && word_at(pc, &x, &bytes) && heddle_isa_decode(x, d);
  }
  uint32_t next_pc(uint32_t pc) {
    heddle_isa_word x;
    uint32_t bytes;
    (void)word_at(pc, &x, &bytes);
    return pc + bytes;
  }
  // Where an instruction begins; with traps also into one.
  uint32_t random_pc() {
    const uint32_t pc = 16 * rnd.below(unsigned(code.size()));
    if (ISA_STEP == 16 || rnd.percent(50)) return pc;
    return pc + (code[pc / 16].hi >> 63 || (opt.traps && rnd.percent(5)) ? ISA_STEP : 0);
  }
  uint64_t later(unsigned n) { return now + 1 + (opt.lone() ? 0 : rnd.below(n)); }

  void make_program();
  void pack_program();
  void aim_jumps();
  uint64_t absent_short();
  void reset();
  void reroll(unsigned s);
  void start_some();
  uint32_t guard_of(const Warp &x, heddle_isa_pred p) {
    uint32_t v = p.index == 7 ? 0xffffffffu : x.pred[p.index];
    return p.neg ? ~v : v;
  }
  // Pages: of code and of constants, numbers apart. Absent ones come after their entry in the list, or never (lost).
  enum Place { HERE, AWAY, LOST };
  std::map<uint32_t, Place> places_of; // those that are not here
  std::set<uint32_t> list;
  unsigned host_delay = 20, leave_rate = 100;
  bool fault_trap = false;
  uint32_t page_of_word(uint32_t pc) const { return uint32_t((pc + top.launch_code_base_i) / 128); }
  uint32_t page_of_constant(unsigned bank, unsigned off) const { return 1u << 31 | bank << 16 | off / 64; }
  Place place_of(uint32_t page) const {
    const auto it = places_of.find(page);
    return it == places_of.end() ? HERE : it->second;
  }
  bool lost(uint32_t page) const { return place_of(page) == LOST || (fault_trap && place_of(page) == AWAY); }
  void reset_pages();
  void host_acts();
  void look_up(Owed &x, uint32_t page);
  void asked_for_word();
  void asked_for_constant();
  void check_progress();
  uint32_t some_page();

  Trap precise(unsigned s, bool pages = false);
  bool misuse(unsigned slot, unsigned id, unsigned count) {
    return opt.traps && hash32(id * 4096 + count, slot) % 200 == 0;
  }
  static bool is_red(const heddle_isa_dec &d) { return d.op == ISA_OP_BAR_RED || d.op == ISA_OP_BAR_RED_POPC; }
  static bool is_bar(const heddle_isa_dec &d) { return is_red(d) || d.op == ISA_OP_BAR_SYNC || d.op == ISA_OP_BAR_ARV; }
  static bool is_drain(const heddle_isa_dec &d) { return is_bar(d) || d.op == ISA_OP_MEMBAR; }
  static bool is_ctl(const heddle_isa_dec &d) {
    return d.unit == ISA_UNIT_BR && d.op != ISA_OP_NOP && d.op != ISA_OP_YIELD && d.op != ISA_OP_DEPBAR_LE &&
           !is_drain(d);
  }
  // A control instruction with a result that the ALU writes.
  static bool is_result(const heddle_isa_dec &d) { return is_red(d) || d.op == ISA_OP_BMOV_GET; }
  static unsigned pipe(const heddle_isa_dec &d) { return is_result(d) ? unsigned(ISA_UNIT_ALU) : unsigned(d.unit); }
  void observe();
  void record(unsigned s);
  void check_turn(const Warp &x, unsigned s);
  void check_counters_of(const Warp &x, unsigned s, const heddle_isa_dec &d);
  bool clashes(const Warp &x, const heddle_isa_dec &d);
  void check_uop(const Warp &x, unsigned s, const heddle_isa_dec &d, uint32_t exec, const uint32_t ps[3]);
  void set_going(unsigned s, const heddle_isa_dec &d, uint32_t exec);
  void collect(Warp &x, const Op &op);
  void redo(unsigned s);
  // It has register operands, or goes to a pipe: the operand stage reads it.
  static bool collects(const heddle_isa_dec &d) {
    return d.unit != ISA_UNIT_BR || is_result(d) || d.src[0].kind == ISA_REG || d.src[1].kind == ISA_REG ||
           d.src[1].kind == ISA_IMM;
  }
  // Rows of a beat, and places in its unit's queue.
  static unsigned wide(const heddle_isa_dec &d) { return rows_of_beat(d); }
  void observe_stage();
  void observe_selection();
  void observe_distance();
  void drive();
  void answer(uint32_t pc);
  void arrives(uint32_t pc);
  heddle_isa_word lone_word(unsigned stall);
  heddle_isa_word lone_short(heddle_isa_word other);
  void drive_operand();
  void read_row(Reader &r);
  void next_row(Reader &r);
  void go_on(Reader &r);
  void goes(unsigned k, const Op &op, unsigned least);
  void rows_on_bus(unsigned k);
  void row_at_pipe(Row r, uint64_t at);
  void rows_leave();
  bool queues() const { return top.cfg_queues_o != 0; }
  bool two() const { return top.cfg_readers_o == 2; }
  unsigned alone(unsigned stall) const;
  bool reads(unsigned slot = MAX_WARPS) const { // an instruction of this warp, or any, is read or in front
    for (auto &r : reader)
      if ((r.waits && (slot == MAX_WARPS || r.front.slot == slot)) ||
          (r.reading && (slot == MAX_WARPS || r.read.slot == slot)) || (slot == MAX_WARPS && !r.bus.empty()))
        return true;
    return false;
  }
  bool apart() const { return queues() || two(); } // each warp is held by its own rows alone
  static unsigned line_of(const heddle_isa_dec &d) { return pipe(d) == ISA_UNIT_FMA || pipe(d) == ISA_UNIT_BR; }
  void leave_queue(unsigned k);
  void late_predicates();
  void pred_beat(const Op &op, unsigned beat);
  void drive_pipes();
  void drive_lsu();
  void drive_ctl();
  void queries();
  void clock();
  void finish_trap();
  void check_counters();
  enum Kind { PRED_BEAT, DISPATCHED, MEMORY_DONE, FIXED_DONE, CONTROL_DONE, RELEASED, STARTED };
  struct Event {
    Kind kind;
    Op op;
    unsigned a, b;
    uint32_t x, y;
  };
  std::vector<Event> events; // of the last cycle, applied before the next but after its record
  void apply();
};
