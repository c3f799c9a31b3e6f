// SPDX-License-Identifier: Apache-2.0
// Fetch and instruction buffer against straight-line expectation: every entry that is read is the next word of its
// warp's path, whatever the cache's delays and however often the warp is redirected, ended and started; flags and
// legality agree with the C decoder; a PC outside the code shows only once everything before it was read; nobody
// starves.
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
  return uint32_t(collect && !mem) << 20 | uint32_t(mem) << 19 | uint32_t(ordered) << 18 | uint32_t(drain) << 17 |
         uint32_t(cst) << 16 | uint32_t(isa_get(word, ISA_F_BX)) << 12 | uint32_t(d.ctl.wait) << 6 | raise;
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
  top.sel_i = top.pop_i = 0;
  top.clk_i = 0;
  top.eval();
  tick(top);
  tick(top);
  top.rst_ni = 1;
  top.eval();

  unsigned warps = top.cfg_warps_o;
  std::vector<Path> w(warps);
  std::deque<std::pair<uint32_t, uint64_t>> cache;
  int s1 = -1; // warp that was selected in the last cycle
  uint64_t popped = 0, flushed = 0, bad = 0;
  bool held = false;
  uint32_t held_pc = 0;
  auto in_code = [&](uint32_t pc) { return pc % 16 == 0 && pc / 16 < code.size(); };

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

    // What was selected is read, and perhaps taken.
    int event = -1;
    if (s1 >= 0) {
      Path &x = w[unsigned(s1)];
      unsigned s = unsigned(s1);
      check(top.pc_o == x.pc, "pc", s);
      if (in_code(x.pc)) {
        isa_word word = code[x.pc / 16];
        isa_dec d;
        bool legal = isa_decode(word, &d) && isa_in_rtl(&d) && isa_max_reg(&d) < regs;
        check(top.word_lo_o == word.lo && top.word_hi_o == word.hi, "word", s);
        check(bool(top.illegal_o) == !legal || error[x.pc / 16], "legality", s);
        check(bool(top.bus_err_o) == error[x.pc / 16], "bus error", s);
        check(!legal || top.head_o[s] == flags(word, d), "flags", s);
        if (rnd.percent(80)) {
          put(top.pop_i, UINT64_C(1) << s);
          x.pc += 16;
          x.since = now;
          popped++;
          // A control instruction: the warp goes elsewhere, a little later at times.
          if (rnd.percent(15)) event = s1;
        }
      } else {
        check(false, "an entry outside the code", s);
      }
    }
    s1 = -1;

    // Redirects and ends only when the warp is not being read; here: right behind the pop, or any time.
    top.eval();
    tick(top);
    top.pop_i = 0;
    if (event < 0 && rnd.percent(3)) event = int(rnd.below(warps));
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
      check(!valid || w[s].alive, "entry of a dead warp", s);
      check(!outside || (w[s].alive && !in_code(w[s].pc)), "bad pc reported wrongly", s);
      check(!valid || in_code(w[s].pc), "entry outside the code", s);
      bad += outside;
      if (w[s].alive && !valid && !outside) check(now - w[s].since < 60 * warps + 40 * delay, "starves", s);
    }
    // Select somebody.
    unsigned s = rnd.below(warps);
    for (unsigned i = 0; i < warps; i++, s = (s + 1) % warps)
      if (top.valid_o >> s & 1) {
        put(top.sel_i, UINT64_C(1) << s);
        s1 = int(s);
        break;
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
  std::printf("seed %llu: %llu words, %llu flushes, %llu cycles outside the code, %llu checks, %u failures\n",
              (unsigned long long)seed, (unsigned long long)popped, (unsigned long long)flushed,
              (unsigned long long)bad, (unsigned long long)checks, failures);
  return failures != 0 || popped < cycles / 20 || flushed < 100 || bad < 10;
}
