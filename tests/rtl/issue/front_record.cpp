// SPDX-License-Identifier: Apache-2.0
// Each issue record and uop against the idea of its warp: order, masks, predicates, stall distance, counters, drains,
// room, scoreboard; and what the neighbours' answers change in it.
#include <set>

#include "tests/rtl/issue/front_bench.h"

// May this warp issue now, and is it the instruction that comes next?
void Bench::check_turn(const Warp &x, unsigned s) {
  check(x.alive, "issue of a dead warp", s);
  check(!x.ctl, "issue before the control instruction is finished", s);
  check(!x.at_bar && !x.redo, "issue while waiting at a barrier", s);
  check(ready, "issue while the operand stage was busy", s);
  check(!x.queued, "issue while rows wait in a queue", s);
  check(!x.reads_none, "issue while operands are to be read, and the last one read none", s);
  check(active - x.issued_at >= x.last_stall, "stall count not respected", s);
  check(top.ret_issue_gen_o == x.gen, "generation", s);
  check(top.ret_issue_seq_o == x.seq, "sequence", s);
  check(top.ret_issue_pc_o == x.pc, "pc", s);
}

// Does it use what an instruction under way will write?
bool Bench::clashes(const Warp &x, const heddle_isa_dec &d) {
  std::set<unsigned> use;
  unsigned preds = 1u << d.guard.index | 1u << d.ps[0].index | 1u << d.ps[1].index | 1u << d.ps[2].index;
  for (auto &src : d.src)
    if (src.kind == ISA_REG && src.reg != ISA_RZ)
      for (unsigned i = 0; i < src.words; i++) use.insert(src.reg + i);
  if (d.has_rd && d.rd != ISA_RZ)
    for (unsigned i = 0; i < d.rd_words; i++) use.insert(d.rd + i);
  preds = (preds | 1u << d.pd0 | 1u << d.pd1 | (d.op == ISA_OP_P2R ? 0x7fu : 0u)) & 0x7f;
  bool clash = false;
  for (auto &p : x.pending) {
    if (p.has_rd)
      for (unsigned i = 0; i < p.n; i++) clash |= use.count(p.rd + i) != 0;
    clash |= (preds & (1u << p.pd0 | 1u << p.pd1)) != 0;
  }
  return clash;
}

void Bench::check_uop(const Warp &x, unsigned s, const heddle_isa_dec &d, uint32_t exec, const uint32_t ps[3]) {
  const heddle_isa_word &word = d.word;
  const bool waits = is_red(d) && exec != 0; // comes again for its result
  check(bool(top.is_new_o) == (collects(d) && !waits), "uop valid", s);
  check(bool(top.is_ctl_valid_o) == is_ctl(d), "control valid", s);
  check(top.uop_slot_o == s && top.uop_gen_o == x.gen && top.uop_seq_o == x.seq && top.uop_pc_o == x.pc &&
            top.uop_exec_o == exec && top.uop_word_lo_o == word.lo && top.uop_word_hi_o == word.hi &&
            top.uop_rbase_o == x.rbase && top.uop_ps0_o == ps[0] && top.uop_ps1_o == ps[1] && top.uop_ps2_o == ps[2],
        "uop fields", s);
  check(top.uop_short_o == (next_pc(x.pc) - x.pc != 16), "uop's size", s);
  for (unsigned i = 0; i < 3; i++) {
    const bool pair = d.src[i].words == 2;
    if (d.src[i].kind == ISA_CONST)
      check(top.uop_sval_o == constant(d.cbank, d.coff) &&
                (!pair || top.uop_sval_hi_o == constant(d.cbank, d.coff + 4u)),
            "constant operand", s);
    if (d.src[i].kind == ISA_IMM && !heddle_isa_enc_owns((heddle_isa_enc)d.enc, ISA_F_IMM))
      check((i == 1 ? top.uop_sval_o : top.uop_sval_hi_o) == d.src[i].imm, "short immediate", s);
    else if (d.src[i].kind == ISA_IMM)
      check(top.uop_sval_o == (pair ? 0 : d.imm) && (!pair || top.uop_sval_hi_o == d.imm), "immediate operand", s);
  }
  if (d.op == ISA_OP_BMOV_GET)
    check(top.uop_sval_o == x.members[heddle_isa_get(word, ISA_F_BXS)], "members of a barrier", s);
  const uint64_t clock = top.ret_issue_clock_o;
  if (d.op == ISA_OP_CS2R) {
    const uint64_t pair = heddle_isa_get(word, ISA_F_SREG2) == ISA_SREG2_SR_CLOCKLO ? clock : 0;
    check(top.uop_sval_o == uint32_t(pair) && top.uop_sval_hi_o == pair >> 32, "pair of special registers", s);
  }
  if (d.op == ISA_OP_S2R) {
    unsigned sreg = unsigned(heddle_isa_get(word, ISA_F_SREG));
    for (unsigned k = 0; k < 3; k++)
      if (sreg == ISA_SREG_SR_CTAID_X + k) check(top.uop_sval_o == x.ctaid[k], "block index", s);
    if (sreg == ISA_SREG_SR_WARPID) check(top.uop_sval_o == s, "warp slot", s);
    if (sreg == ISA_SREG_SR_NWARPID) check(top.uop_sval_o == top.cfg_warps_o, "number of warp slots", s);
    if (sreg == ISA_SREG_SRZ) check(top.uop_sval_o == 0, "zero", s);
    if (sreg == ISA_SREG_SR_SMID) check(top.uop_sval_o == 5, "number of the SM", s);
    if (sreg == ISA_SREG_SR_NSMID) check(top.uop_sval_o == 256, "number of SMs", s);
    if (sreg == ISA_SREG_SR_CLOCKLO) check(top.uop_sval_o == uint32_t(clock), "clock", s);
    if (sreg == ISA_SREG_SR_CLOCKHI) check(top.uop_sval_o == clock >> 32, "clock", s);
  }
}

// The operand stage takes it.
void Bench::collect(Warp &x, const Op &op) {
  const heddle_isa_dec &d = op.d;
  const bool plain = d.unit == ISA_UNIT_BR && !is_result(d);
  x.fixed += !op.coll && !plain;
  if (!plain && d.ctl.wbar < 6) x.count[d.ctl.wbar]++, x.raised |= 1u << d.ctl.wbar;
  if (d.ctl.rbar < 6) x.count[d.ctl.rbar]++, x.raised |= 1u << d.ctl.rbar;
  for (int c : x.count) check(c <= 63, "dependency counter past 63", op.slot);
  if (!plain && ((d.has_rd && d.rd != ISA_RZ) || d.pd0 < 7 || d.pd1 < 7))
    x.pending.push_back({d.has_rd && d.rd != ISA_RZ, d.rd, d.rd_words, d.pd0, d.pd1});
  if (queues() && !op.coll) {
    check(++line[line_of(d)].inside <= top.cfg_queues_o, "no room in the queue", op.slot);
    x.queued = true;
  }
  Reader &to = reader[two() && (op.coll || line_of(d)) ? 1 : 0];
  check(two() ? !to.waits : !to.reading, "the operand stage has an instruction already", op.slot);
  if (two()) {
    to.waits = x.queued = true;
    x.unread++;
    to.front = op;
    return;
  }
  to.reading = true;
  to.read = op;
  to.row = 0;
  to.delay = rnd.percent(hold_rate) ? 1 + rnd.below(3) : 0;
}

// A BAR.RED comes for the result of its barrier: no record, everything else as of an instruction that issues now.
void Bench::redo(unsigned s) {
  Warp &x = w[s];
  check(x.redo, "uop without a record", s);
  if (!x.redo) return;
  const Op &op = x.red_op;
  check(!x.at_bar, "a result before the barrier is complete", s);
  check(ready, "issue while the operand stage was busy", s);
  check(top.is_new_o && !top.is_ctl_valid_o, "uop of a result", s);
  check(top.uop_slot_o == s && top.uop_gen_o == op.gen && top.uop_seq_o == op.seq && top.uop_pc_o == op.pc &&
            top.uop_exec_o == op.exec && top.uop_word_lo_o == op.d.word.lo && top.uop_word_hi_o == op.d.word.hi,
        "fields of a result's uop", s);
  const bool any = heddle_isa_get(op.d.word, ISA_F_BARRED) != 0;
  const unsigned want = op.d.op == ISA_OP_BAR_RED_POPC ? x.red_sum : any ? x.red_sum != 0 : x.red_all;
  check(top.uop_sval_o == want, "result of a barrier", s);
  x.redo = false;
  x.issued_at = active;
  seen.results++;
  collect(x, op);
}

// What an issued instruction sets going.
void Bench::set_going(unsigned s, const heddle_isa_dec &d, uint32_t exec) {
  Warp &x = w[s];
  bool br = d.unit == ISA_UNIT_BR;
  Op op;
  op.slot = s;
  op.d = d;
  op.exec = exec;
  op.ps0 = guard_of(x, d.ps[0]);
  op.pc = x.pc;
  op.seq = x.seq;
  op.gen = x.gen;
  op.order = order++;
  op.mem = d.unit == ISA_UNIT_MEM;
  op.coll = ::collected(d);
  op.ctl = is_ctl(d);
  op.followed = op.ctl && top.uop_followed_o;
  op.target = direct_target(d, next_pc(op.pc));
  check(!op.followed || is_direct(d), "followed what is no direct jump", s);
  op.trap = opt.traps && exec != 0 && (op.mem || (op.ctl && !is_result(d))) && rnd.permille(trap_rate);
  x.seq++;
  seen.second += op.pc % 16 != 0;
  x.pc = next_pc(x.pc);
  seen.is_short += x.pc - op.pc != 16;
  seen.jumped += x.led && op.pc % 16 != 0;
  x.led = false;
  x.last_stall = d.ctl.stall == 0 ? 1 : d.ctl.stall;
  x.issued_at = active;
  x.ctl = op.ctl;
  x.mem += op.coll;
  x.was_mem = op.coll;
  x.raised = 0;
  // Its count begins when all operands before it are read, perhaps in this cycle, one after the issue.
  if (two() && (!collects(d) || (is_red(d) && exec != 0))) {
    x.reads_none = x.unread != 0;
    x.issued_at += x.unread == 0 && x.read_end == now;
  }
  // What arrives at a barrier for a result is handed on when it has one.
  if (is_red(d) && exec != 0) {
    x.redo = true;
    x.red_op = op;
  } else if (collects(d)) {
    collect(x, op);
  }
  if (op.coll) {
    const unsigned k = unit_queue(d);
    places[k] += wide(d);
    seen.two_places += wide(d) == 2;
    seen.units += k;
    seen.beside += places[!k] == top.cfg_collectors_o;
    check(places[k] <= top.cfg_collectors_o, "no place in its unit's queue", s);
  }
  if (op.ctl) {
    op.regs_read = !collects(d) || is_result(d);
    op.when = later(busy_delay);
    ctl.push_back(op);
  }
  if (op.trap) trapping.push_back(op);
}

// Counters that it waits for; and memory operations, where it drains them.
void Bench::check_counters_of(const Warp &x, unsigned s, const heddle_isa_dec &d) {
  for (unsigned n = 0; n < 6; n++)
    if (d.ctl.wait >> n & 1) check(x.count[n] == 0, "wait mask not respected", s);
  seen.waits += (d.ctl.wait & x.raised) != 0;
  bool drain = is_drain(d);
  if (d.op == ISA_OP_DEPBAR_LE) {
    const unsigned n = unsigned(heddle_isa_get(d.word, ISA_F_SBN)), k = unsigned(heddle_isa_get(d.word, ISA_F_SBK));
    check(x.count[n] <= int(k), "DEPBAR did not wait", s);
  }
  if (drain) check(x.mem == 0, "memory operations not performed before MEMBAR or BAR", s);
  seen.drains += drain && x.was_mem;
}

void Bench::record(unsigned s) {
  Warp &x = w[s];
  issued++;
  grid_issued++;
  last_issue = now;
  x.moved_at = now;
  seen.passed += !list.empty();
  check_turn(x, s);
  Trap t = precise(s);
  check(t.cause == 0, "issued, but had to trap", s);
  if (!in_code(x.pc)) return;
  heddle_isa_word word;
  uint32_t bytes;
  (void)word_at(x.pc, &word, &bytes);
  check(top.ret_issue_word_lo_o == word.lo && top.ret_issue_word_hi_o == word.hi, "word", s);
  check(top.ret_issue_active_o == x.active, "active mask", s);
  check(top.ret_issue_dhash_o == x.hash, "divergence hash", s);
  check(top.ret_issue_clock_o == top.clock_o - 1, "clock", s);
  heddle_isa_dec d;
  if (!heddle_isa_decode(word, &d)) return;
  uint32_t exec = x.active & guard_of(x, d.guard);
  uint32_t ps[3];
  for (unsigned i = 0; i < 3; i++) ps[i] = guard_of(x, d.ps[i]);
  check(top.ret_issue_exec_o == exec, "executing lanes", s);
  check(top.ret_issue_ps0_o == ps[0] && top.ret_issue_ps1_o == ps[1] && top.ret_issue_ps2_o == ps[2],
        "source predicates", s);
  seen.matrices += is_matrix(d) && exec != 0;
  check_counters_of(x, s, d);
  if (opt.scoreboard) check(!clashes(x, d), "scoreboard let a dependent instruction pass", s);
  check_uop(x, s, d, exec, ps);
  set_going(s, d, exec);
}

// What was driven in the last cycle takes effect, after the record of an instruction that was judged in that cycle.
void Bench::apply() {
  for (auto &e : events) {
    Warp &x = w[e.kind == STARTED ? e.a : e.op.slot];
    switch (e.kind) {
    case PRED_BEAT: {
      uint32_t mask = (lanes == 32 ? ~0u : (1u << lanes) - 1) << (e.a * lanes);
      mask &= e.op.exec;
      if (e.op.d.pd0 < 7) x.pred[e.op.d.pd0] = (x.pred[e.op.d.pd0] & ~mask) | (e.x & mask);
      if (e.op.d.pd1 < 7) x.pred[e.op.d.pd1] = (x.pred[e.op.d.pd1] & ~mask) | (e.y & mask);
      break;
    }
    case DISPATCHED:
      if (e.op.d.ctl.rbar < 6) x.count[e.op.d.ctl.rbar]--;
      break;
    case MEMORY_DONE:
    case FIXED_DONE: {
      (e.kind == MEMORY_DONE ? x.mem : x.fixed)--;
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
    case CONTROL_DONE:
      x.ctl = false;
      if (e.a) x.pc = e.x;
      x.led = e.a;
      if (e.b) x.alive = false;
      reroll(e.op.slot);
      break;
    case RELEASED:
      x.at_bar = false;
      break;
    case STARTED:
      x.alive = true;
      x.moved_at = now;
      break;
    }
  }
  events.clear();
}
