// SPDX-License-Identifier: Apache-2.0
// Random programs through `front`, with caches, operand stage, pipes, load/store unit, divergence and barriers played
// by the bench: any delays, any order that the contract allows. The bench keeps its own idea of every warp (decoded
// with the C library) and checks each issue record and uop against it: order, masks, predicates, stall distance,
// counters, drains, room, scoreboard, and which trap is the first. `--speed` measures the issue rate instead.
#include <cstring>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "Vtop.h"
#include "verilated.h"
#include "words.h"

namespace {

constexpr unsigned MAX_WARPS = 64;
enum Cause {
  ILLEGAL = 1,
  BAD_PC = 2,
  MISALIGNED = 3,
  CONST_RANGE = 6,
  DIVERGENCE = 7,
  DEADLOCK = 8,
  BARRIER = 9,
  BUS = 10
};

struct Options {
  uint64_t seed = 1, cycles = 20000;
  bool traps = false, scoreboard = false, speed = false;
  unsigned fault = 0;
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
  isa_dec d{};
  uint32_t exec = 0, pc = 0, seq = 0;
  unsigned gen = 0;
  uint64_t when = 0, order = 0, last = 0;
  bool trap = false, mem = false, ctl = false, regs_read = false, refused = false, checked = false;
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
  bool collecting = false, ctl = false, at_bar = false;
  uint64_t free_at = 0; // earliest cycle of the next one in the check stage
  unsigned last_stall = 1;
  int mem = 0, fixed = 0;
  std::vector<Dest> pending;
  bool killed = false;
};

class Bench {
public:
  explicit Bench(const Options &o) : opt(o), rnd{o.seed * 7919 + 17} {}
  int run();

private:
  Options opt;
  Random rnd;
  Vtop top;
  uint64_t now = 0, checks = 0, issued = 0, order = 0, last_issue = 0, grids = 0, traps_seen = 0;
  unsigned failures = 0;
  unsigned lanes = 0, beats = 0, warps = 0, lat[3]{};
  std::vector<isa_word> code;
  uint32_t bank_bytes[32]{};
  int regs = 32;
  Warp w[MAX_WARPS];
  unsigned gen[MAX_WARPS]{};
  std::deque<std::pair<uint32_t, uint64_t>> ic;
  std::deque<std::pair<uint32_t, uint64_t>> cc;
  std::deque<Op> gen_in, mem_in;          // in collectors
  std::deque<Op> gen_out, fix;            // on the dispatch bus; in pipes
  std::deque<Op> mem_out, lsu_check, lsu; // dispatching; being checked; being performed
  std::deque<Op> ctl;
  std::vector<std::pair<unsigned, uint64_t>> bar_wait;
  unsigned gen_entries = 3, mem_entries = 2;
  uint64_t gen_bus_free = 0, mem_bus_free = 0;
  std::vector<Op> trapping; // issued and bound to trap
  unsigned ic_delay = 4, cc_delay = 4, busy_delay = 6;
  bool done = false, halted = false;
  Trap at_halt[MAX_WARPS]; // what each warp's next instruction raises, as things stood when issue stopped
  uint32_t trap_rate = 4;  // of 1000 memory and control instructions
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
  bool no_word(uint32_t pc) { return opt.traps && hash32(pc, uint32_t(opt.seed)) % 400 == 0; } // bus error
  bool in_code(uint32_t pc) { return pc % 16 == 0 && pc / 16 < code.size(); }
  uint64_t later(unsigned n) { return now + 1 + (opt.speed ? 0 : rnd.below(n)); }

  void make_program();
  void reset();
  void reroll(unsigned s);
  void start_some();
  uint32_t guard_of(const Warp &x, isa_pred p) {
    uint32_t v = p.index == 7 ? 0xffffffffu : x.pred[p.index];
    return p.neg ? ~v : v;
  }
  Trap precise(unsigned s);
  bool misuse(unsigned slot, unsigned id, unsigned count) {
    return opt.traps && hash32(id * 4096 + count, slot) % 200 == 0;
  }
  bool is_ctl(const isa_dec &d) {
    return d.unit == ISA_UNIT_BR && d.op != ISA_OP_NOP && d.op != ISA_OP_MEMBAR && d.op != ISA_OP_BAR_SYNC;
  }
  void observe();
  void record(unsigned s);
  void drive();
  void drive_operand();
  void drive_pipes();
  void drive_lsu();
  void drive_ctl();
  void queries();
  void finish_trap();
  void check_counters();
  struct Event {
    int kind; // 0 pred beat, 1 dispatched, 2 counter falls, 3 memory done, 4 fixed done, 5 control done, 6 release, 7
              // start
    Op op;
    unsigned a, b;
    uint32_t x, y;
  };
  std::vector<Event> events; // of the last cycle, applied before the next but after its record
  void apply();
};

void Bench::make_program() {
  unsigned n = opt.speed ? 64 : 40 + rnd.below(200);
  code.clear();
  for (unsigned i = 0; i + 1 < n; i++) {
    isa_word x;
    for (;;) {
      x = random_legal(rnd, regs, 15, true);
      isa_dec d;
      isa_decode(x, &d);
      if (opt.speed) {
        if (d.op != ISA_OP_IADD3 || d.src[1].kind != ISA_REG || d.src[2].kind != ISA_REG) continue;
        x = isa_put(x, ISA_F_PG, ISA_PT);
        x = isa_put(x, ISA_F_STALL, 1);
        x = isa_put(x, ISA_F_WBAR, 7);
        x = isa_put(x, ISA_F_RBAR, 7);
        x = isa_put(x, ISA_F_WAIT, 0);
        x = isa_put(x, ISA_F_YIELD, 0);
        break;
      }
      // Without traps a barrier is only met by whole warps, or by none of its lanes.
      if (d.op == ISA_OP_BAR_SYNC && !opt.traps) x = isa_put(x, ISA_F_PG, rnd.percent(50) ? ISA_PT : ISA_PT | 8);
      if (d.unit == ISA_UNIT_BR && rnd.percent(40)) continue;
      break;
    }
    if (opt.traps && rnd.permille(4)) {
      unsigned bit = rnd.below(128);
      (bit < 64 ? x.lo : x.hi) ^= UINT64_C(1) << (bit % 64);
    }
    if (opt.traps && rnd.permille(4)) x = isa_put(x, ISA_F_RA, rnd.below(256));
    code.push_back(x);
  }
  // The last word branches away.
  for (;;) {
    isa_word x = random_legal(rnd, regs, 15, false);
    isa_dec d;
    isa_decode(x, &d);
    if (d.op == ISA_OP_BRA) {
      code.push_back(isa_put(x, ISA_F_STALL, 1));
      break;
    }
  }
}

void Bench::reset() {
  top.rst_ni = 0;
  top.fault_i = opt.fault;
  for (unsigned s = 0; s < MAX_WARPS; s++) w[s] = Warp();
  ic.clear();
  cc.clear();
  gen_in.clear();
  mem_in.clear();
  gen_out.clear();
  fix.clear();
  mem_out.clear();
  lsu_check.clear();
  lsu.clear();
  ctl.clear();
  bar_wait.clear();
  trapping.clear();
  events.clear();
  gen_bus_free = mem_bus_free = 0;
  order = 0;
  done = halted = false;
  regs = 8 + rnd.below(40);
  make_program();
  for (unsigned b = 0; b < 32; b++) bank_bytes[b] = 512;
  if (opt.traps) bank_bytes[rnd.below(2)] = 240 + 4 * rnd.below(8);
  ic_delay = opt.speed ? 1 : 1 + rnd.below(12);
  cc_delay = 1 + rnd.below(20);
  busy_delay = 1 + rnd.below(rnd.percent(50) ? 30 : 4);
  trap_rate = rnd.percent(50) ? 4 : 150;
  gen_entries = opt.speed ? 8 : 1 + rnd.below(4);
  mem_entries = 1 + rnd.below(3);
  top.launch_entry_pc_i = opt.speed ? 0 : 16 * rnd.below(unsigned(code.size()));
  top.launch_code_bytes_i = uint32_t(code.size() * 16);
  top.launch_regs_i = regs;
  top.launch_code_base_i = 0x1230000;
  top.launch_scoreboard_i = opt.scoreboard;
  top.ct_start_valid_i = 0;
  top.ic_rsp_valid_i = 0;
  top.cc_cst_valid_i = 0;
  top.op_disp_valid_i = 0;
  top.wb_done_valid_i = 0;
  top.wb_pred_valid_i = 0;
  top.ls_checked_valid_i = 0;
  top.ls_done_valid_i = 0;
  top.ls_trap_valid_i = 0;
  top.dv_done_valid_i = 0;
  top.dv_trap_valid_i = 0;
  top.ba_release_valid_i = 0;
  top.ret_ready_i = 1;
  for (int i = 0; i < 3; i++) {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
    now++;
  }
  top.clk_i = 0;
  top.rst_ni = 1;
  top.eval();
  lanes = top.cfg_lanes_o;
  beats = top.cfg_beats_o;
  warps = top.cfg_warps_o;
  lat[0] = top.cfg_latency_alu_o;
  lat[1] = top.cfg_latency_fma_o;
  lat[2] = top.cfg_latency_cvt_o;
  // Predicates are undefined until written: write them all.
  for (unsigned s = 0; s < warps; s++)
    for (unsigned p = 0; p < 7; p++) {
      w[s].pred[p] = rnd.u32();
      for (unsigned b = 0; b < beats; b++) {
        uint32_t ones = lanes == 32 ? ~0u : (1u << lanes) - 1;
        top.wb_pred_valid_i = 1;
        top.wb_pred_slot_i = s;
        top.wb_pred_beat_i = b;
        top.wb_pred_mask_i = ones;
        top.wb_pred_pd0_i = p;
        top.wb_pred_pd1_i = 7;
        top.wb_pred_d0_i = w[s].pred[p] >> (b * lanes) & ones;
        top.clk_i = 1;
        top.eval();
        top.clk_i = 0;
        top.eval();
        now++;
      }
    }
  top.wb_pred_valid_i = 0;
  last_issue = now;
  grid_issued = grid_alive = 0;
  grids++;
}

void Bench::reroll(unsigned s) {
  Warp &x = w[s];
  x.live = opt.speed ? ~0u : rnd.u32() | 1u << rnd.below(32);
  x.active = x.live;
  if (opt.traps && rnd.percent(10)) x.live |= rnd.u32();
  for (unsigned b = 0; b < 16; b++) {
    x.members[b] = opt.traps && rnd.percent(5) ? rnd.u32() | rnd.u32() : ~0u;
    x.parked[b] = opt.traps && rnd.percent(3) ? rnd.u32() : 0;
    x.parkpc[b] = opt.traps && rnd.percent(3) ? 16 * rnd.below(unsigned(code.size())) : x.pc;
  }
  x.hash = rnd.next();
}

void Bench::start_some() {
  top.ct_start_valid_i = 0;
  if (top.is_halt_o || !(opt.speed || rnd.percent(10))) return;
  unsigned s = opt.speed ? 0 : rnd.below(warps);
  unsigned limit = opt.speed ? unsigned(opt.seed) : warps; // in a speed run the seed is the number of warps
  for (unsigned i = 0; i < warps; i++, s = (s + 1) % warps) {
    if (s >= limit || w[s].alive || !(top.is_idle_o >> s & 1)) continue;
    check(w[s].mem == 0 && w[s].fixed == 0 && !w[s].collecting && !w[s].ctl, "idle with something in flight", s);
    top.ct_start_valid_i = 1;
    top.ct_start_slot_i = s;
    Event e{};
    e.kind = 7;
    e.a = s;
    gen[s] = (gen[s] + 1) & 255;
    Warp x = Warp();
    x.gen = gen[s];
    x.pc = top.launch_entry_pc_i;
    x.rbase = rnd.below(65536);
    for (unsigned k = 0; k < 3; k++) x.ctaid[k] = rnd.u32();
    x.alive = true;
    std::memcpy(x.pred, w[s].pred, sizeof x.pred);
    w[s] = x;
    w[s].alive = false; // until the event counts
    reroll(s);
    top.ct_start_gen_i = x.gen;
    top.ct_start_rbase_i = x.rbase;
    top.ct_start_ctaid_x_i = x.ctaid[0];
    top.ct_start_ctaid_y_i = x.ctaid[1];
    top.ct_start_ctaid_z_i = x.ctaid[2];
    events.push_back(e);
    return;
  }
}

// The precise trap that the warp's next instruction raises (cause 0: none).
Trap Bench::precise(unsigned s) {
  Warp &x = w[s];
  Trap t;
  t.slot = s;
  t.gen = x.gen;
  t.seq = x.seq;
  t.pc = x.pc;
  t.lanes = x.active;
  if (!in_code(x.pc)) {
    t.cause = BAD_PC;
    t.addr = x.pc;
    return t;
  }
  if (no_word(x.pc)) {
    t.cause = BUS;
    t.addr = (0x1230000u + x.pc) & ~31u;
    return t;
  }
  isa_dec d;
  if (!isa_decode(code[x.pc / 16], &d) || !isa_in_rtl(&d) || isa_max_reg(&d) >= regs) {
    t.cause = ILLEGAL;
    return t;
  }
  for (unsigned i = 0; i < 3; i++)
    if (d.src[i].kind == ISA_CONST && d.coff + 4u > bank_bytes[d.cbank]) {
      t.cause = CONST_RANGE;
      t.addr = d.coff;
      return t;
    }
  uint32_t exec = x.active & guard_of(x, d.guard);
  if (d.op == ISA_OP_BSYNC) {
    unsigned b = unsigned(isa_get(d.word, ISA_F_BX));
    if (exec & ~x.members[b]) {
      t.cause = DIVERGENCE;
      t.lanes = exec & ~x.members[b];
    } else if (exec && x.parked[b] && x.parkpc[b] != x.pc) {
      t.cause = DIVERGENCE;
      t.lanes = exec;
    }
  }
  if (d.op == ISA_OP_BAR_SYNC && exec &&
      (exec != x.live || misuse(s, unsigned(isa_get(d.word, ISA_F_BARID)), unsigned(isa_get(d.word, ISA_F_BARCNT)))))
    t.cause = BARRIER;
  return t;
}

void Bench::record(unsigned s) {
  Warp &x = w[s];
  uint64_t at = now - 1; // cycle in which it stood in the check stage
  issued++;
  grid_issued++;
  last_issue = now;
  check(x.alive, "issue of a dead warp", s);
  check(!x.ctl, "issue before the control instruction is finished", s);
  check(!x.at_bar, "issue while waiting at a barrier", s);
  check(!x.collecting, "issue before the last instruction left its collector", s);
  check(at >= x.free_at, "stall count not respected", s);
  check(top.ret_issue_gen_o == x.gen, "generation", s);
  check(top.ret_issue_seq_o == x.seq, "sequence", s);
  check(top.ret_issue_pc_o == x.pc, "pc", s);
  Trap t = precise(s);
  check(t.cause == 0, "issued, but had to trap", s);
  if (!in_code(x.pc)) return;
  isa_word word = code[x.pc / 16];
  check(top.ret_issue_word_lo_o == word.lo && top.ret_issue_word_hi_o == word.hi, "word", s);
  check(top.ret_issue_active_o == x.active, "active mask", s);
  check(top.ret_issue_dhash_o == x.hash, "divergence hash", s);
  isa_dec d;
  if (!isa_decode(word, &d)) return;
  uint32_t exec = x.active & guard_of(x, d.guard);
  uint32_t ps[3];
  for (unsigned i = 0; i < 3; i++) ps[i] = guard_of(x, d.ps[i]);
  check(top.ret_issue_exec_o == exec, "executing lanes", s);
  check(top.ret_issue_ps0_o == ps[0] && top.ret_issue_ps1_o == ps[1] && top.ret_issue_ps2_o == ps[2],
        "source predicates", s);
  for (unsigned n = 0; n < 6; n++)
    if (d.ctl.wait >> n & 1) check(x.count[n] == 0, "wait mask not respected", s);

  bool br = d.unit == ISA_UNIT_BR;
  bool collect = !br || d.src[0].kind == ISA_REG;
  bool drain = d.op == ISA_OP_MEMBAR || d.op == ISA_OP_BAR_SYNC;
  if (drain) check(x.mem == 0, "memory operations not performed before MEMBAR or BAR", s);
  if (opt.scoreboard) {
    std::set<unsigned> use;
    unsigned preds = 1u << d.guard.index | 1u << d.ps[0].index | 1u << d.ps[1].index | 1u << d.ps[2].index;
    for (auto &src : d.src)
      if (src.kind == ISA_REG && src.reg != ISA_RZ)
        for (unsigned i = 0; i < src.words; i++) use.insert(src.reg + i);
    if (d.has_rd && d.rd != ISA_RZ)
      for (unsigned i = 0; i < d.rd_words; i++) use.insert(d.rd + i);
    preds = (preds | 1u << d.pd0 | 1u << d.pd1) & 0x7f;
    bool clash = false;
    for (auto &p : x.pending) {
      if (p.has_rd)
        for (unsigned i = 0; i < p.n; i++) clash |= use.count(p.rd + i) != 0;
      clash |= (preds & (1u << p.pd0 | 1u << p.pd1)) != 0;
    }
    check(!clash, "scoreboard let a dependent instruction pass", s);
  }

  // The uop.
  check(bool(top.is_valid_o) == collect, "uop valid", s);
  check(bool(top.is_ctl_valid_o) == is_ctl(d), "control valid", s);
  check(top.uop_slot_o == s && top.uop_gen_o == x.gen && top.uop_seq_o == x.seq && top.uop_pc_o == x.pc &&
            top.uop_exec_o == exec && top.uop_word_lo_o == word.lo && top.uop_word_hi_o == word.hi &&
            top.uop_rbase_o == x.rbase && top.uop_ps0_o == ps[0] && top.uop_ps1_o == ps[1] && top.uop_ps2_o == ps[2],
        "uop fields", s);
  for (unsigned i = 0; i < 3; i++) {
    if (d.src[i].kind == ISA_CONST) check(top.uop_sval_o == constant(d.cbank, d.coff), "constant operand", s);
    if (d.src[i].kind == ISA_IMM) check(top.uop_sval_o == d.imm, "immediate operand", s);
  }
  if (d.op == ISA_OP_S2R) {
    unsigned sreg = unsigned(isa_get(word, ISA_F_SREG));
    for (unsigned k = 0; k < 3; k++)
      if (sreg == ISA_SREG_SR_CTAID_X + k) check(top.uop_sval_o == x.ctaid[k], "block index", s);
  }

  // What it sets going.
  Op op;
  op.slot = s;
  op.d = d;
  op.exec = exec;
  op.pc = x.pc;
  op.seq = x.seq;
  op.gen = x.gen;
  op.order = order++;
  op.mem = d.unit == ISA_UNIT_MEM;
  op.ctl = is_ctl(d);
  op.trap = opt.traps && exec != 0 && (op.mem || op.ctl) && rnd.permille(trap_rate);
  x.seq++;
  x.pc += 16;
  x.last_stall = d.ctl.stall == 0 ? 1 : d.ctl.stall;
  x.collecting = collect;
  x.free_at = collect ? 0 : at + x.last_stall;
  x.ctl = op.ctl;
  x.mem += op.mem;
  x.fixed += !op.mem && !br;
  if (collect) {
    if (!br && d.ctl.wbar < 6) x.count[d.ctl.wbar]++;
    if (d.ctl.rbar < 6) x.count[d.ctl.rbar]++;
    for (int c : x.count) check(c <= 63, "dependency counter past 63", s);
    if (!br && ((d.has_rd && d.rd != ISA_RZ) || d.pd0 < 7 || d.pd1 < 7))
      x.pending.push_back({d.has_rd && d.rd != ISA_RZ, d.rd, d.rd_words, d.pd0, d.pd1});
    op.when = later(busy_delay);
    (op.mem ? mem_in : gen_in).push_back(op);
    check(op.mem ? mem_in.size() + mem_out.size() <= mem_entries : gen_in.size() + gen_out.size() <= gen_entries,
          "no free collector", s);
  }
  if (op.ctl) {
    op.regs_read = !collect;
    op.when = later(busy_delay);
    ctl.push_back(op);
  }
  if (op.trap) trapping.push_back(op);
}

// What was driven in the last cycle takes effect, after the record of an instruction that was judged in that cycle.
void Bench::apply() {
  for (auto &e : events) {
    Warp &x = w[e.kind == 7 ? e.a : e.op.slot];
    switch (e.kind) {
    case 0: {
      uint32_t mask = (lanes == 32 ? ~0u : (1u << lanes) - 1) << (e.a * lanes);
      mask &= e.op.exec;
      if (e.op.d.pd0 < 7) x.pred[e.op.d.pd0] = (x.pred[e.op.d.pd0] & ~mask) | (e.x & mask);
      if (e.op.d.pd1 < 7) x.pred[e.op.d.pd1] = (x.pred[e.op.d.pd1] & ~mask) | (e.y & mask);
      break;
    }
    case 1:
      x.collecting = false;
      x.free_at = now - 1 + x.last_stall;
      if (e.op.d.ctl.rbar < 6) x.count[e.op.d.ctl.rbar]--;
      break;
    case 3:
    case 4: {
      (e.kind == 3 ? x.mem : x.fixed)--;
      if (e.op.d.ctl.wbar < 6) x.count[e.op.d.ctl.wbar]--;
      for (size_t i = 0; i < x.pending.size(); i++) {
        Dest &p = x.pending[i];
        bool rd = e.op.d.has_rd && e.op.d.rd != ISA_RZ;
        if (p.has_rd == rd && (!rd || p.rd == e.op.d.rd) && p.pd0 == e.op.d.pd0 && p.pd1 == e.op.d.pd1) {
          x.pending.erase(x.pending.begin() + long(i));
          break;
        }
      }
      break;
    }
    case 5:
      x.ctl = false;
      if (e.a) x.pc = e.x;
      if (e.b) x.alive = false;
      reroll(e.op.slot);
      break;
    case 6:
      x.at_bar = false;
      break;
    case 7:
      x.alive = true;
      break;
    default:
      break;
    }
  }
  events.clear();
}

void Bench::drive_operand() {
  top.op_disp_valid_i = 0;
  uint32_t slots[2]{}, rbar[2]{};
  unsigned valid = 0;
  // A collector that is ready takes the bus for `beats` cycles.
  for (int port = 0; port < 2; port++) {
    auto &in = port ? mem_in : gen_in;
    auto &out = port ? mem_out : gen_out;
    uint64_t &bus = port ? mem_bus_free : gen_bus_free;
    for (size_t i = 0; i < in.size() && bus <= now; i++) {
      if (in[i].when >= now) continue;
      Op op = in[i];
      in.erase(in.begin() + long(i));
      op.last = now + beats - 1;
      bus = now + beats;
      out.push_back(op);
      break;
    }
    for (size_t i = 0; i < out.size(); i++) {
      if (out[i].last != now) continue;
      Op op = out[i];
      out.erase(out.begin() + long(i));
      valid |= 1u << port;
      slots[port] = op.slot;
      rbar[port] = op.d.ctl.rbar;
      Event e{};
      e.kind = 1;
      e.op = op;
      events.push_back(e);
      if (port) {
        op.when = later(busy_delay);
        lsu_check.push_back(op);
      } else if (op.d.unit == ISA_UNIT_BR) {
        for (auto &c : ctl)
          if (c.slot == op.slot) c.regs_read = true;
      } else {
        fix.push_back(op);
      }
      break;
    }
  }
  unsigned wbits = 0;
  while ((1u << wbits) < warps) wbits++;
  if (wbits == 0) wbits = 1;
  top.op_disp_valid_i = valid;
  top.op_disp_slot_i = slots[0] | slots[1] << wbits;
  top.op_disp_rbar_i = rbar[0] | rbar[1] << 3;
}

void Bench::drive_pipes() {
  unsigned wbits = 0;
  while ((1u << wbits) < warps) wbits++;
  top.wb_done_valid_i = 0;
  top.wb_pred_valid_i = 0;
  uint64_t slot = 0, wbar = 0, has = 0, rd = 0, rdn = 0, pd0 = 0, pd1 = 0, valid = 0;
  for (size_t i = 0; i < fix.size();) {
    Op &op = fix[i];
    unsigned unit = op.d.unit;
    uint64_t written = op.last + lat[unit]; // cycle of the last row
    if ((op.d.pd0 < 7 || op.d.pd1 < 7) && now + beats > written && now <= written) {
      unsigned beat = unsigned(beats - 1 - (written - now));
      uint32_t d0 = rnd.u32(), d1 = rnd.u32();
      if (op.d.pd0 == op.d.pd1) d0 = d1;
      uint32_t ones = lanes == 32 ? ~0u : (1u << lanes) - 1;
      top.wb_pred_valid_i = 1;
      top.wb_pred_slot_i = op.slot;
      top.wb_pred_beat_i = beat;
      top.wb_pred_mask_i = op.exec >> (beat * lanes) & ones;
      top.wb_pred_pd0_i = op.d.pd0;
      top.wb_pred_pd1_i = op.d.pd1;
      top.wb_pred_d0_i = (op.d.pd0 == op.d.pd1 ? ~d0 : d0) >> (beat * lanes) & ones;
      top.wb_pred_d1_i = d1 >> (beat * lanes) & ones;
      Event e{};
      e.kind = 0;
      e.op = op;
      e.a = beat;
      e.x = d0;
      e.y = d1;
      events.push_back(e);
    }
    if (written == now) {
      valid |= 1u << unit;
      slot |= uint64_t(op.slot) << (unit * wbits);
      wbar |= uint64_t(op.d.ctl.wbar) << (unit * 3);
      has |= uint64_t(op.d.has_rd) << unit;
      rd |= uint64_t(op.d.rd) << (unit * 8);
      rdn |= uint64_t(op.d.rd_words - 1u) << (unit * 2);
      pd0 |= uint64_t(op.d.pd0) << (unit * 3);
      pd1 |= uint64_t(op.d.pd1) << (unit * 3);
      Event e{};
      e.kind = 4;
      e.op = op;
      events.push_back(e);
      fix.erase(fix.begin() + long(i));
    } else {
      i++;
    }
  }
  top.wb_done_valid_i = uint8_t(valid);
  put(top.wb_done_slot_i, slot);
  top.wb_done_wbar_i = uint16_t(wbar);
  top.wb_done_has_rd_i = uint8_t(has);
  top.wb_done_rd_i = uint32_t(rd);
  top.wb_done_rd_n_i = uint8_t(rdn);
  top.wb_done_pd0_i = uint16_t(pd0);
  top.wb_done_pd1_i = uint16_t(pd1);
}

void Bench::drive_lsu() {
  top.ls_checked_valid_i = 0;
  top.ls_done_valid_i = 0;
  top.ls_trap_valid_i = 0;
  if (!lsu_check.empty() && lsu_check.front().when <= now) {
    Op op = lsu_check.front();
    lsu_check.pop_front();
    op.refused = w[op.slot].killed;
    if (op.refused) op.trap = false;
    if (op.trap) w[op.slot].killed = true;
    if (!op.refused && !op.trap) {
      top.ls_checked_valid_i = 1;
      top.ls_checked_slot_i = op.slot;
    }
    op.when = later(busy_delay * 2);
    // The ends of trapped and refused ones stay in order, and nothing else may overtake in this bench.
    if (op.trap || op.refused)
      for (auto &o : lsu)
        if (o.slot == op.slot && op.when <= o.when) op.when = o.when + 1;
    lsu.push_back(op);
    return;
  }
  for (size_t i = 0; i < lsu.size(); i++) {
    if (lsu[i].when > now) continue;
    Op op = lsu[i];
    bool behind = false;
    for (size_t j = 0; j < i; j++)
      behind |= lsu[j].slot == op.slot && (lsu[j].trap || lsu[j].refused || op.trap || op.refused);
    if (behind) continue;
    lsu.erase(lsu.begin() + long(i));
    top.ls_done_valid_i = 1;
    top.ls_done_slot_i = op.slot;
    top.ls_done_wbar_i = op.d.ctl.wbar;
    top.ls_done_has_rd_i = op.d.has_rd;
    top.ls_done_rd_i = op.d.rd;
    top.ls_done_rd_n_i = op.d.rd_words - 1;
    if (op.trap) {
      top.ls_trap_valid_i = 1;
      top.ls_trap_cause_i = MISALIGNED;
      top.ls_trap_slot_i = op.slot;
      top.ls_trap_gen_i = op.gen;
      top.ls_trap_seq_i = op.seq;
      top.ls_trap_pc_i = op.pc;
      top.ls_trap_lanes_i = op.exec;
      top.ls_trap_addr_i = hash32(op.seq, op.pc);
    }
    Event e{};
    e.kind = 3;
    e.op = op;
    events.push_back(e);
    return;
  }
}

void Bench::drive_ctl() {
  top.dv_done_valid_i = 0;
  top.dv_trap_valid_i = 0;
  for (size_t i = 0; i < ctl.size(); i++) {
    Op op = ctl[i];
    if (!op.regs_read || op.when > now) continue;
    ctl.erase(ctl.begin() + long(i));
    if (op.trap) {
      top.dv_trap_valid_i = 1;
      top.dv_trap_cause_i = DEADLOCK;
      top.dv_trap_slot_i = op.slot;
      top.dv_trap_gen_i = op.gen;
      top.dv_trap_seq_i = op.seq;
      top.dv_trap_pc_i = op.pc;
      top.dv_trap_lanes_i = 0;
      top.dv_trap_addr_i = 0;
      return;
    }
    Event e{};
    e.kind = 5;
    e.op = op;
    e.b = !opt.speed && rnd.percent(4);
    e.a = !e.b && (rnd.percent(60) || op.pc / 16 + 1 == code.size());
    e.x = opt.traps && rnd.permille(5) ? rnd.u32() % 8192 : 16 * rnd.below(unsigned(code.size()));
    if (opt.speed) e.x = 0;
    top.dv_done_valid_i = 1;
    top.dv_done_slot_i = op.slot;
    top.dv_done_redirect_i = e.a;
    top.dv_done_pc_i = e.a ? e.x : rnd.u32();
    top.dv_done_ended_i = e.b;
    events.push_back(e);
    return;
  }
}

void Bench::drive() {
  start_some();
  // Caches.
  top.if_req_ready_i = opt.speed || rnd.percent(80);
  top.ic_rsp_valid_i = 0;
  if (!ic.empty() && ic.front().second <= now) {
    isa_word x = code[ic.front().first / 16];
    top.ic_rsp_valid_i = 1;
    top.ic_rsp_err_i = no_word(ic.front().first);
    top.ic_rsp_word_i[0] = uint32_t(x.lo);
    top.ic_rsp_word_i[1] = uint32_t(x.lo >> 32);
    top.ic_rsp_word_i[2] = uint32_t(x.hi);
    top.ic_rsp_word_i[3] = uint32_t(x.hi >> 32);
    ic.pop_front();
  }
  if (top.if_req_valid_o && top.if_req_ready_i) {
    check(in_code(top.if_req_pc_o), "asked for a word outside the code", 0);
    ic.push_back({in_code(top.if_req_pc_o) ? top.if_req_pc_o : 0, later(ic_delay)});
  }
  top.if_cst_ready_i = rnd.percent(80);
  top.cc_cst_valid_i = 0;
  if (!cc.empty() && cc.front().second <= now) {
    uint32_t where = cc.front().first, bank = where >> 16, off = where & 0xffff;
    top.cc_cst_valid_i = 1;
    top.cc_cst_data_i = constant(bank, off);
    top.cc_cst_range_i = off + 4 > bank_bytes[bank];
    cc.pop_front();
  }
  if (top.if_cst_valid_o && top.if_cst_ready_i)
    cc.push_back({uint32_t(top.if_cst_bank_o) << 16 | top.if_cst_off_o, later(cc_delay)});

  top.op_free_gen_i = gen_entries - gen_in.size() - gen_out.size();
  top.op_free_mem_i = mem_entries - mem_in.size() - mem_out.size();
  // The uop of this cycle has been entered already, but the ports count it only from the next cycle on.
  if (top.is_valid_o) {
    isa_dec d;
    isa_decode({top.uop_word_lo_o, top.uop_word_hi_o}, &d);
    if (d.unit == ISA_UNIT_MEM)
      top.op_free_mem_i = top.op_free_mem_i + 1;
    else
      top.op_free_gen_i = top.op_free_gen_i + 1;
  }
  drive_operand();
  drive_pipes();
  drive_lsu();
  drive_ctl();

  // Barriers: whoever waits long enough goes on.
  top.ba_release_valid_i = 0;
  top.ba_release_warps_i = 0;
  uint64_t out = 0;
  for (size_t i = 0; i < bar_wait.size();) {
    if (bar_wait[i].second <= now) {
      out |= UINT64_C(1) << bar_wait[i].first;
      Event e{};
      e.kind = 6;
      e.op.slot = bar_wait[i].first;
      events.push_back(e);
      bar_wait.erase(bar_wait.begin() + long(i));
    } else {
      i++;
    }
  }
  if (out) {
    top.ba_release_valid_i = 1;
    put(top.ba_release_warps_i, out);
  }
  top.ret_ready_i = opt.speed || rnd.percent(95);
}

// Combinational answers in the check stage.
void Bench::queries() {
  top.eval();
  Warp &x = w[top.is_q_slot_o];
  top.dv_q_active_i = x.active;
  top.dv_q_live_i = x.live;
  top.dv_q_hash_i = x.hash;
  top.dv_q_members_i = x.members[top.is_q_bx_o];
  top.dv_q_parked_i = x.parked[top.is_q_bx_o];
  top.dv_q_parkpc_i = x.parkpc[top.is_q_bx_o];
  top.ba_misuse_i = misuse(top.is_bar_slot_o, top.is_bar_id_o, top.is_bar_count_o);
  top.eval();
  if (top.is_bar_valid_o && !top.ba_misuse_i) {
    unsigned s = top.is_bar_slot_o;
    isa_dec d;
    bool ok = in_code(w[s].pc) && isa_decode(code[w[s].pc / 16], &d) && d.op == ISA_OP_BAR_SYNC;
    check(ok && isa_get(d.word, ISA_F_BARID) == top.is_bar_id_o && isa_get(d.word, ISA_F_BARCNT) == top.is_bar_count_o,
          "barrier arrival", s);
    check(!w[s].at_bar, "second arrival", s);
    bar_wait.push_back({s, now + 2 + rnd.below(busy_delay)});
  }
}

void Bench::observe() {
  if (top.is_halt_o && !halted) {
    halted = true;
    for (unsigned s = 0; s < warps; s++) at_halt[s] = precise(s);
  }
  if (top.ret_issue_valid_o) {
    record(top.ret_issue_slot_o);
    isa_dec d;
    // An arrival: its warp waits from the record on.
    if (isa_decode({top.ret_issue_word_lo_o, top.ret_issue_word_hi_o}, &d) && d.op == ISA_OP_BAR_SYNC &&
        top.ret_issue_exec_o != 0)
      w[top.ret_issue_slot_o].at_bar = true;
  } else {
    check(!top.is_valid_o && !top.is_ctl_valid_o, "uop without a record", 0);
  }
  apply();
  for (unsigned s = 0; s < warps; s++) grid_alive += w[s].alive;
}

// Every live warp is counted in one class each cycle; the counters lag a few cycles.
void Bench::check_counters() {
  uint64_t sum = 0, issued = 0;
  for (unsigned i = 0; i < 16; i++) {
    top.is_cnt_index_i = i;
    top.eval();
    sum += top.is_cnt_o;
    if (i == 0) issued = top.is_cnt_o;
  }
  check(issued <= grid_issued && issued + 4 >= grid_issued, "counter of issued instructions", 0);
  check(sum <= grid_alive + 4 * warps && sum + 4 * warps >= grid_alive, "sum of the counters", 0);
}

void Bench::finish_trap() {
  // The first in issue order among those that were bound to trap (not counting refused ones), else the precise one.
  const Op *first = nullptr;
  for (auto &o : trapping) {
    bool refused = false;
    for (auto &p : trapping) refused |= p.mem && o.mem && p.slot == o.slot && p.order < o.order;
    if (!refused && (!first || o.order < first->order)) first = &o;
  }
  unsigned s = top.is_trap_slot_o;
  traps_seen++;
  cause_count[top.is_trap_cause_o & 15]++;
  if (first) {
    check(top.is_trap_cause_o == unsigned(first->mem ? MISALIGNED : DEADLOCK), "trap: cause", s);
    check(s == first->slot && top.is_trap_seq_o == first->seq && top.is_trap_gen_o == first->gen &&
              top.is_trap_pc_o == first->pc,
          "trap: not the first in issue order", s);
  } else {
    Trap t = at_halt[s];
    check(t.cause != 0 && t.cause == top.is_trap_cause_o, "trap: precise cause", s);
    check(t.gen == top.is_trap_gen_o && t.seq == top.is_trap_seq_o && t.pc == top.is_trap_pc_o, "trap: identity", s);
    check(t.lanes == top.is_trap_lanes_o, "trap: lanes", s);
    check(t.addr == top.is_trap_addr_o, "trap: address", s);
  }
  check(gen_in.empty() && mem_in.empty() && gen_out.empty() && mem_out.empty() && fix.empty() && lsu_check.empty() &&
            lsu.empty() && ctl.empty(),
        "trap reported before everything drained", s);
  done = true;
}

int Bench::run() {
  uint64_t halted_at = 0, end = now + opt.cycles, busy_from = 0, issued_from = 0;
  reset();
  uint64_t stop = now + 1000 + rnd.below(5000);
  while (now < end && failures == 0) {
    observe();
    drive();
    queries();
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    now++;
    if (opt.speed && now == 400) {
      busy_from = now;
      issued_from = issued;
    }
    if (top.is_halt_o && halted_at == 0) halted_at = now;
    if (!opt.traps && (top.is_halt_o || top.is_trap_valid_o)) {
      std::printf("trap cause %u\n", top.is_trap_cause_o);
      fail("unexpected trap", top.is_trap_slot_o);
    }
    if (top.is_trap_valid_o) finish_trap();
    if (halted_at && now - halted_at > 3000 && !done) fail("halted but never drained", 0);
    if (!halted_at && now - last_issue > 2000) fail("nothing issues any more", 0);
    if (done || (!opt.speed && now > stop && !halted_at)) {
      check_counters();
      reset();
      halted_at = 0;
      stop = now + 1000 + rnd.below(5000);
    }
  }
  std::printf("seed %llu: %llu cycles, %llu grids, %llu instructions, %llu traps, %llu checks, %u failures\n",
              (unsigned long long)opt.seed, (unsigned long long)now, (unsigned long long)grids,
              (unsigned long long)issued, (unsigned long long)traps_seen, (unsigned long long)checks, failures);
  if (opt.traps) {
    std::printf("causes:");
    for (unsigned c = 1; c < 16; c++)
      if (cause_count[c]) std::printf(" %u:%llu", c, (unsigned long long)cause_count[c]);
    std::printf("\n");
  }
  if (opt.speed) {
    double rate = double(issued - issued_from) / double(now - busy_from);
    std::printf("%llu warps, %u beats: %.3f instructions a cycle\n", (unsigned long long)opt.seed, beats, rate);
  }
  top.final();
  return failures == 0 && issued > 100 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  Options o;
  unsigned seeds = 1;
  for (int i = 1; i < argc; i++) {
    std::string a = argv[i];
    auto value = [&]() { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 0) : 0; };
    if (a == "--seed")
      o.seed = value();
    else if (a == "--seeds")
      seeds = unsigned(value());
    else if (a == "--cycles")
      o.cycles = value();
    else if (a == "--fault")
      o.fault = unsigned(value());
    else if (a == "--traps")
      o.traps = true;
    else if (a == "--scoreboard")
      o.scoreboard = true;
    else if (a == "--speed")
      o.speed = true;
  }
  int bad = 0;
  for (unsigned k = 0; k < seeds; k++) {
    Verilated::randReset(2);
    Verilated::randSeed(int(o.seed));
    Bench *b = new Bench(o);
    bad |= b->run();
    delete b;
    o.seed++;
  }
  return bad;
}
