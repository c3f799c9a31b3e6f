// SPDX-License-Identifier: Apache-2.0
// Fetch and instruction buffer against straight-line expectation: every entry that is read is the next word of its
// warp's path, whatever the cache's delays and however often the warp is redirected, ended and started, and its
// instructions refused; the head moves on with the selection; flags and legality agree with the C decoder; a PC
// outside the code shows only once everything before it was read; nobody starves.
#include <deque>
#include <string>
#include <vector>

#include "Vtop.h"
#include "verilated.h"
#include "../issue/words.h"

namespace {

struct Path {
  bool alive = false;
  uint32_t pc = 0;
  uint64_t since = 0; // nothing to read since
};

uint64_t checks = 0, now = 0;
unsigned failures = 0;

void check(bool ok, const char *what, unsigned warp) {
  checks++;
  if (!ok && failures++ < 10) std::printf("cycle %llu warp %u: %s\n", (unsigned long long)now, warp, what);
}

void tick(Vtop &top) {
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  top.eval();
  now++;
}

// The flags as the documents say, packed like issue_pkg::head_t.
uint32_t flags(isa_word word, const isa_dec &d) {
  bool mem = d.unit == ISA_UNIT_MEM, br = d.unit == ISA_UNIT_BR;
  bool collect = !br || d.src[0].kind == ISA_REG;
  bool drain = d.op == ISA_OP_MEMBAR || d.op == ISA_OP_BAR_SYNC;
  bool ordered = mem || (br && !drain && d.op != ISA_OP_NOP);
  bool cst = false;
  for (auto &s : d.src) cst |= s.kind == ISA_CONST;
  uint32_t raise = 0;
  if (!br && d.ctl.wbar < 6) raise |= 1u << d.ctl.wbar;
  if (collect && d.ctl.rbar < 6) raise |= 1u << d.ctl.rbar;
  bool two = mem && d.src[1].kind == ISA_REG && d.src[1].words > 2;
  bool alone = drain || (br && d.op != ISA_OP_NOP);
  return uint32_t(collect && !mem) << 23 | uint32_t(mem) << 22 | uint32_t(two) << 21 | uint32_t(alone) << 20 |
         uint32_t(d.ctl.stall > 1) << 19 | uint32_t(ordered) << 18 | uint32_t(drain) << 17 | uint32_t(cst) << 16 |
         uint32_t(isa_get(word, ISA_F_BX)) << 12 | uint32_t(d.ctl.wait) << 6 | raise;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t seed = 1, cycles = 200000;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string a = argv[i];
    if (a == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 0);
    if (a == "--cycles") cycles = std::strtoull(argv[i + 1], nullptr, 0);
  }
  Verilated::commandArgs(argc, argv);
  Verilated::randReset(2);
  Verilated::randSeed(int(seed));
  Vtop top;
  Random rnd{seed};

  const int regs = 32;
  std::vector<isa_word> code;
  std::vector<bool> error;
  for (unsigned i = 0; i < 300; i++) {
    isa_word x = random_legal(rnd, rnd.percent(90) ? regs : 255, 15, true);
    if (rnd.percent(20)) (rnd.percent(50) ? x.lo : x.hi) ^= UINT64_C(1) << rnd.below(64);
    if (rnd.percent(3)) x.lo = rnd.next();
    code.push_back(x);
    error.push_back(rnd.percent(2));
  }

  top.rst_ni = 0;
  top.fault_i = 0;
  top.code_bytes_i = uint32_t(code.size() * 16);
  top.regs_i = regs;
  top.entry_pc_i = 0;
  top.start_valid_i = top.done_valid_i = top.rsp_valid_i = top.halt_i = 0;
  top.sel_i = top.pop_i = top.back_i = 0;
  top.clk_i = 0;
  top.eval();
  tick(top);
  tick(top);
  top.rst_ni = 1;
  top.eval();

  unsigned warps = top.cfg_warps_o;
  std::vector<Path> w(warps);
  std::deque<std::pair<uint32_t, uint64_t>> cache;
  int s1 = -1; // the warp whose instruction stands in the check stage
  uint64_t popped = 0, refused = 0, followers = 0, void_followers = 0, outside_read = 0, flushed = 0, bad = 0;
  bool held = false;
  uint32_t held_pc = 0;
  auto in_code = [&](uint32_t pc) { return pc % 16 == 0 && pc / 16 < code.size(); };
  // Flags of a warp's head, whose word lies at pc.
  auto check_head = [&](unsigned s, uint32_t pc) {
    if (!in_code(pc)) return check(false, "an entry outside the code", s);
    isa_word word = code[pc / 16];
    isa_dec d;
    bool legal = isa_decode(word, &d) && isa_in_rtl(&d) && isa_max_reg(&d) < regs;
    check(!legal || top.head_o[s] == flags(word, d), "flags", s);
  };
  // Somebody with an entry, or with a PC outside the code.
  auto select = [&]() {
    unsigned s = rnd.below(warps);
    for (unsigned i = 0; i < warps; i++, s = (s + 1) % warps)
      if ((top.valid_o | top.bad_pc_o) >> s & 1) return int(s);
    return -1;
  };

  for (uint64_t t = 0; t < cycles && failures == 0; t++) {
    unsigned delay = 1 + (t / 1000) % 15;
    top.start_valid_i = top.done_valid_i = 0;
    top.pop_i = top.sel_i = 0;
    top.slot_i = s1 >= 0 ? unsigned(s1) : rnd.below(warps);
    // The cache.
    if (held) check(top.req_valid_o && top.req_pc_o == held_pc, "request not held", 0);
    top.req_ready_i = rnd.percent(70);
    held = top.req_valid_o && !top.req_ready_i;
    held_pc = top.req_pc_o;
    top.rsp_valid_i = 0;
    if (!cache.empty() && cache.front().second <= now) {
      uint32_t k = cache.front().first;
      top.rsp_valid_i = 1;
      top.rsp_err_i = error[k];
      top.rsp_word_i[0] = uint32_t(code[k].lo);
      top.rsp_word_i[1] = uint32_t(code[k].lo >> 32);
      top.rsp_word_i[2] = uint32_t(code[k].hi);
      top.rsp_word_i[3] = uint32_t(code[k].hi >> 32);
      cache.pop_front();
    }
    if (top.req_valid_o && top.req_ready_i) {
      check(in_code(top.req_pc_o), "asked outside the code", 0);
      cache.push_back({in_code(top.req_pc_o) ? top.req_pc_o / 16 : 0, now + 1 + rnd.below(delay)});
    }
    top.eval();

    // What was selected is read, and taken or refused; in the same cycle the next one is selected.
    int event = -1, next = -1;
    top.back_i = 0;
    if (s1 >= 0) {
      Path &x = w[unsigned(s1)];
      unsigned s = unsigned(s1);
      check(top.pc_o == x.pc, "pc", s);
      bool taken = false, back = false;
      if (in_code(x.pc)) {
        isa_word word = code[x.pc / 16];
        isa_dec d;
        bool legal = isa_decode(word, &d) && isa_in_rtl(&d) && isa_max_reg(&d) < regs;
        check(top.word_lo_o == word.lo && top.word_hi_o == word.hi, "word", s);
        check(bool(top.illegal_o) == !legal || error[x.pc / 16], "legality", s);
        check(bool(top.bus_err_o) == error[x.pc / 16], "bus error", s);
        taken = rnd.percent(70);
        back = !taken && rnd.percent(50);
      } else {
        outside_read++; // it has no entry: nothing to take, nothing to give back
        back = false;
      }
      bool stays = in_code(x.pc) && !taken && !back; // the operand stage is busy
      if (!stays && rnd.percent(60)) {
        next = rnd.percent(50) && (top.valid_o >> s & 1) ? s1 : select();
        if (next >= 0 && (top.valid_o >> next & 1))
          check_head(unsigned(next), w[unsigned(next)].pc + (next == s1 ? 16 : 0));
      }
      if (next >= 0) put(top.sel_i, UINT64_C(1) << next);
      followers += next == s1 && taken;
      void_followers += next == s1 && back;
      if (taken) {
        put(top.pop_i, UINT64_C(1) << s);
        x.pc += 16;
        x.since = now;
        popped++;
        // A control instruction: the warp goes elsewhere, a little later at times.
        if (next != s1 && rnd.percent(15)) event = s1;
      }
      if (back) {
        put(top.back_i, UINT64_C(1) << s);
        refused++;
        if (next == s1) next = -1; // void
      }
      if (stays) next = s1;
    }
    s1 = next;

    // Redirects and ends only when nothing of the warp stands in the check stage.
    top.eval();
    tick(top);
    top.pop_i = top.sel_i = top.back_i = 0;
    if (event < 0 && rnd.percent(3)) event = int(rnd.below(warps));
    if (event >= 0 && event == s1) event = -1;
    if (event >= 0 && w[unsigned(event)].alive) {
      Path &x = w[unsigned(event)];
      bool ends = rnd.percent(10), jump = !ends && rnd.percent(80);
      top.done_valid_i = 1;
      top.done_slot_i = unsigned(event);
      top.done_redirect_i = jump;
      top.done_ended_i = ends;
      top.done_pc_i = rnd.percent(5)   ? 16 * (290 + rnd.below(20))
                      : rnd.percent(3) ? rnd.below(4800)
                                       : 16 * rnd.below(unsigned(code.size()));
      if (jump) x.pc = top.done_pc_i;
      if (ends) x.alive = false;
      flushed += jump || ends;
      x.since = now + 1;
    } else if (rnd.percent(10)) {
      unsigned s = rnd.below(warps);
      if (!w[s].alive) {
        top.start_valid_i = 1;
        top.start_slot_i = s;
        top.entry_pc_i = 16 * rnd.below(unsigned(code.size()));
        w[s].alive = true;
        w[s].pc = top.entry_pc_i;
        w[s].since = now + 1;
      }
    }
    top.rsp_valid_i = 0;
    top.req_ready_i = 0;
    if (top.req_valid_o) {
      if (held) check(top.req_pc_o == held_pc, "request not held", 0);
      held = true;
      held_pc = top.req_pc_o;
    }
    top.eval();
    tick(top);
    top.done_valid_i = top.start_valid_i = 0;
    top.eval();

    for (unsigned s = 0; s < warps; s++) {
      bool valid = top.valid_o >> s & 1, outside = top.bad_pc_o >> s & 1;
      bool there = int(s) == s1 && in_code(w[s].pc); // its oldest entry stands in the check stage
      check(!valid || w[s].alive, "entry of a dead warp", s);
      check(!outside || (w[s].alive && !in_code(w[s].pc)), "bad pc reported wrongly", s);
      check(!valid || in_code(w[s].pc + (there ? 16 : 0)), "entry outside the code", s);
      check(!outside || !there, "bad pc before everything else was taken", s);
      bad += outside;
      if (w[s].alive && !valid && !outside && !there) check(now - w[s].since < 60 * warps + 40 * delay, "starves", s);
    }
    // Select somebody, if the check stage is free.
    if (s1 < 0) {
      s1 = select();
      if (s1 >= 0) {
        put(top.sel_i, UINT64_C(1) << s1);
        if (top.valid_o >> s1 & 1) check_head(unsigned(s1), w[unsigned(s1)].pc);
      }
    }
    // A cycle in which nothing else happens moves the selection on.
    held = top.req_valid_o;
    held_pc = top.req_pc_o;
    top.eval();
    tick(top);
    top.sel_i = 0;
    top.eval();
  }
  top.final();
  std::printf("seed %llu: %llu words, %llu refused, %llu followers taken, %llu void, %llu flushes, "
              "%llu cycles outside the code, %llu of them selected, %llu checks, %u failures\n",
              (unsigned long long)seed, (unsigned long long)popped, (unsigned long long)refused,
              (unsigned long long)followers, (unsigned long long)void_followers, (unsigned long long)flushed,
              (unsigned long long)bad, (unsigned long long)outside_read, (unsigned long long)checks, failures);
  return failures != 0 || popped < cycles / 20 || refused < 100 || followers < 100 || void_followers < 20 ||
         outside_read < 10 || flushed < 100 || bad < 10;
}
