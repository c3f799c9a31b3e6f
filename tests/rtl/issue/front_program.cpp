// SPDX-License-Identifier: Apache-2.0
// Random programs, reset, and starts of warps.
#include <cstring>

#include "tests/rtl/issue/front_bench.h"

// An instruction that waits for nothing but its stall count. NOP reads no operands; it comes only with counts that
// leave fetch the time for the next words.
heddle_isa_word Bench::lone_word(unsigned stall) {
  for (;;) {
    heddle_isa_word x = random_legal(rnd, regs, 15, true, top.cfg_units_o);
    heddle_isa_dec d;
    heddle_isa_decode(x, &d);
    bool nop = opt.distance && !fixed_stall && stall >= 8 && rnd.percent(20);
    if (nop ? d.op != ISA_OP_NOP : d.op != ISA_OP_IADD3 || d.src[1].kind != ISA_REG || d.src[2].kind != ISA_REG)
      continue;
    x = heddle_isa_put(x, ISA_F_PG, ISA_PT);
    x = heddle_isa_put(x, ISA_F_STALL, stall);
    x = heddle_isa_put(x, ISA_F_WBAR, 7);
    x = heddle_isa_put(x, ISA_F_RBAR, 7);
    x = heddle_isa_put(x, ISA_F_WAIT, 0);
    x = heddle_isa_put(x, ISA_F_YIELD, 0);
    return x;
  }
}

// Such a word that has a short form, with its stall count where a short word can say it, else the other one.
heddle_isa_word Bench::lone_short(heddle_isa_word other) {
  for (unsigned tries = 0; tries < 2000; tries++) {
    uint64_t half = rnd.next() | UINT64_C(1) << 63;
    for (unsigned at = 0; at < 32; at += 8)
      half = (half & ~(UINT64_C(255) << at)) | uint64_t(rnd.below(unsigned(regs))) << at;
    heddle_isa_word x = heddle_isa_lengthen(half);
    heddle_isa_dec d;
    if (!heddle_isa_decode(x, &d) || d.op != ISA_OP_IADD3 || d.src[1].kind != ISA_REG || d.src[2].kind != ISA_REG)
      continue;
    for (heddle_isa_field f : {ISA_F_PG, ISA_F_STALL, ISA_F_WBAR, ISA_F_RBAR, ISA_F_WAIT, ISA_F_YIELD})
      x = heddle_isa_put(x, f, heddle_isa_get(other, f));
    if (heddle_isa_shorten(x, &half)) return x;
  }
  return other;
}

void Bench::make_program() {
  unsigned n = opt.speed ? 64 : opt.distance ? 400 : 40 + rnd.below(200);
  // Some programs are mostly memory, with MEMBAR and BAR right after it.
  bool memory = rnd.percent(40), after = false;
  unsigned raised = 7; // by the last memory instruction
  code.clear();
  for (unsigned i = 0; i + 1 < n; i++) {
    heddle_isa_word x;
    if (opt.lone()) {
      code.push_back(lone_word(opt.speed ? 1 : fixed_stall ? fixed_stall : rnd.below(16)));
      if (ISA_STEP != 16 && opt.distance && rnd.percent(80)) code.back() = lone_short(code.back());
      continue;
    }
    bool drain = memory && after && rnd.percent(15);
    bool depbar = !drain && after && rnd.percent(10);
    for (;;) {
      x = random_legal(rnd, regs, 15, true, top.cfg_units_o);
      if (ISA_STEP != 16 && !drain && !depbar && rnd.percent(memory ? 10 : 60))
        (void)random_short(rnd, regs, top.cfg_units_o, &x);
      heddle_isa_dec d;
      heddle_isa_decode(x, &d);
      if (d.op == ISA_OP_R2P) continue; // its pipe would write all predicates: not played here
      if (drain && !is_drain(d)) continue;
      if (depbar && d.op != ISA_OP_DEPBAR_LE) continue;
      if (memory && !drain && !depbar && d.unit != ISA_UNIT_MEM && rnd.percent(80)) continue;
      after = d.unit == ISA_UNIT_MEM;
      if (d.op == ISA_OP_DEPBAR_LE && rnd.percent(80)) x = heddle_isa_put(x, ISA_F_SBK, rnd.below(2));
      // Where long words take the room of two, and come late, it waits for what was raised last, or for nothing.
      if (ISA_STEP != 16 && depbar && raised < 6)
        x = heddle_isa_put(heddle_isa_put(x, ISA_F_SBN, raised), ISA_F_SBK, 0);
      if (after) raised = d.ctl.wbar;
      // Without traps a barrier is only met by whole warps, or by none of its lanes.
      if (is_bar(d) && !opt.traps) x = heddle_isa_put(x, ISA_F_PG, rnd.percent(50) ? ISA_PT : ISA_PT | 8);
      // ... and so are matrices, which want all 32 lanes.
      if (is_matrix(d) && (!opt.traps || rnd.percent(80)))
        x = heddle_isa_put(x, ISA_F_PG, whole && rnd.percent(60) ? ISA_PT : ISA_PT | 8);
      // Without traps, and mostly with them: jumps to words, breakpoints that no lane executes.
      if (d.op == ISA_OP_JMP && (!opt.traps || rnd.percent(80)))
        x = heddle_isa_put(x, ISA_F_ABS32, heddle_isa_get(x, ISA_F_ABS32) & ~uint64_t{ISA_STEP - 1});
      if (d.op == ISA_OP_BPT_TRAP && (!opt.traps || rnd.percent(80))) x = heddle_isa_put(x, ISA_F_PG, ISA_PT | 8);
      if (d.unit == ISA_UNIT_BR && !drain && !depbar && rnd.percent(40)) continue;
      break;
    }
    if (opt.traps && rnd.permille(4)) {
      unsigned bit = rnd.below(128);
      (bit < 64 ? x.lo : x.hi) ^= UINT64_C(1) << (bit % 64);
    }
    if (opt.traps && rnd.permille(4)) x = heddle_isa_put(x, ISA_F_RA, rnd.below(256));
    code.push_back(x);
  }
  // The last word branches away.
  for (;;) {
    heddle_isa_word x = random_legal(rnd, regs, 15, false, top.cfg_units_o);
    heddle_isa_dec d;
    heddle_isa_decode(x, &d);
    if (d.op == ISA_OP_BRA) {
      code.push_back(heddle_isa_put(x, ISA_F_STALL, 1));
      break;
    }
  }
  pack_program();
}

// A short word that stands for no instruction.
uint64_t Bench::absent_short() {
  for (;;) {
    const uint64_t half = rnd.next() | UINT64_C(1) << 63;
    heddle_isa_dec d;
    if (!heddle_isa_decode(heddle_isa_lengthen(half), &d)) return half;
  }
}

// Two words that follow each other and have short forms become a pair, where there are such.
void Bench::pack_program() {
  program = code.size();
  if (ISA_STEP == 16 || opt.speed) return aim_jumps();
  std::vector<heddle_isa_word> packed;
  for (size_t i = 0; i < code.size(); i++) {
    uint64_t first, second;
    if (i + 1 < code.size() && rnd.percent(80) && heddle_isa_shorten(code[i], &first) &&
        heddle_isa_shorten(code[i + 1], &second)) {
      if (opt.traps && rnd.permille(10))
        first = absent_short() & (rnd.percent(50) ? ~UINT64_C(0) : ~(UINT64_C(1) << 63));
      if (opt.traps && rnd.permille(10)) second = absent_short();
      packed.push_back({first, second});
      i++;
    } else {
      packed.push_back(code[i]);
    }
  }
  code = packed;
  aim_jumps();
}

// Direct jumps mostly lead to instructions. Of short words as they come: few do.
void Bench::aim_jumps() {
  for (size_t i = 0; i < code.size(); i++) {
    const auto pc = uint32_t(16 * i);
    heddle_isa_dec d;
    if (code[i].hi >> 63 || !decode_at(pc, &d) || !is_direct(d) || (opt.traps && rnd.percent(10))) continue;
    const uint32_t to = random_pc();
    code[i] = d.op == ISA_OP_JMP ? heddle_isa_put(code[i], ISA_F_ABS32, to)
                                 : heddle_isa_put(code[i], ISA_F_REL, to - next_pc(pc));
  }
}

void Bench::reset() {
  top.rst_ni = 0;
  for (unsigned s = 0; s < MAX_WARPS; s++) w[s] = Warp();
  ic.clear();
  cc.clear();
  for (auto &r : reader) r = {};
  for (auto &l : line) l = {};
  pred.clear();
  fix.clear();
  for (auto &q : waiting) q.clear();
  late.clear();
  places[0] = places[1] = 0;
  ready = true;
  hold = halt_before = false;
  selected = s1 = -1;
  active = 0;
  lsu_check.clear();
  lsu.clear();
  ctl.clear();
  bar_wait.clear();
  trapping.clear();
  events.clear();
  order = 0;
  done = halted = false;
  regs = 8 + rnd.below(40);
  whole = opt.lone() || rnd.percent(30);
  top.eval(); // the machine's units are outputs
  make_program();
  for (unsigned b = 0; b < 32; b++) bank_bytes[b] = 512;
  if (opt.traps) bank_bytes[rnd.below(2)] = 240 + 4 * rnd.below(8);
  ic_delay = opt.lone() ? 1 : 1 + rnd.below(12);
  cc_delay = 1 + rnd.below(20);
  busy_delay = 1 + rnd.below(rnd.percent(50) ? 30 : 4);
  trap_rate = rnd.percent(50) ? 4 : 150;
  hold_rate = opt.lone() ? 0 : rnd.percent(30) ? 0 : rnd.below(60);
  top.launch_entry_pc_i = opt.lone() ? 0 : random_pc();
  top.launch_code_bytes_i = code_bytes();
  top.launch_regs_i = regs;
  top.launch_code_base_i = 0x1230000 + 16 * rnd.below(4);
  top.launch_scoreboard_i = opt.scoreboard;
  reset_pages();
  top.ct_start_valid_i = 0;
  top.ic_rsp_valid_i = 0;
  top.cc_cst_valid_i = 0;
  top.op_disp_valid_i = 0;
  top.op_ready_i = 3;
  top.op_hold_i = 0;
  top.op_leave_i = 0;
  top.op_gone_i = top.op_done_i = 0;
  top.wb_done_valid_i = 0;
  top.wb_pred_valid_i = 0;
  top.ls_checked_valid_i = 0;
  top.lt_done_valid_i = 0;
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
  x.live = whole ? ~0u : rnd.u32() | 1u << rnd.below(32);
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
  if (top.is_halt_o || !(opt.lone() || rnd.percent(10))) return;
  unsigned s = opt.lone() ? 0 : rnd.below(warps);
  unsigned limit = opt.distance ? 1
                   : opt.speed  ? unsigned(opt.seed)
                                : warps; // in a speed run the seed is the number of warps
  for (unsigned i = 0; i < warps; i++, s = (s + 1) % warps) {
    if (s >= limit || w[s].alive || !(top.is_idle_o >> s & 1)) continue;
    check(w[s].mem == 0 && w[s].fixed == 0 && !w[s].ctl && !reads(s), "idle with something in flight", s);
    top.ct_start_valid_i = 1;
    top.ct_start_slot_i = s;
    Event e{};
    e.kind = STARTED;
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
