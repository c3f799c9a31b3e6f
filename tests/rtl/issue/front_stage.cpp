// SPDX-License-Identifier: Apache-2.0
// The two cycles of issue: who is selected, who stands in the check stage and leaves it, and (in runs of one warp with
// nothing else in its way) the exact cycle of every instruction.
#include "tests/rtl/issue/front_bench.h"

// Before the records of a cycle: does what stands at the operand stage follow from them?
void Bench::observe_stage() {
  observe_selection();
  if (opt.distance) observe_distance();
}

// S1 is left when the operand stage is ready: issued, trapped, or refused; a refused instruction's follower, selected
// already, is void. What needs a result that is under way does not come there (scoreboard).
void Bench::observe_selection() {
  int stood = s1;
  // A result of a barrier comes without a record, and even after a halt.
  bool comes = stood >= 0 && w[stood].redo;
  bool lives = stood >= 0 && ready && (!halt_before || comes);
  int issues = top.ret_issue_valid_o ? int(top.ret_issue_slot_o) : comes && top.is_new_o ? int(top.uop_slot_o) : -1;
  check(issues < 0 || (lives && issues == stood), "issue of what does not stand in the check stage", unsigned(issues));
  bool refused = lives && issues < 0 && !top.is_halt_o;
  heddle_isa_dec d;
  const bool depbar = refused && decode_at(w[stood].pc, &d) && d.op == ISA_OP_DEPBAR_LE;
  if (refused) check(opt.pages || depbar, "neither issued nor trapped", unsigned(stood));
  if (opt.scoreboard) {
    const Warp &x = w[now % warps];
    seen.held += decode_at(x.pc, &d) && clashes(x, d);
  }
  seen.depbars += depbar;
  seen.refused += refused;
  seen.followers += refused && selected == stood;
  seen.next_cycle += issues >= 0 && selected == issues;
  if (top.is_halt_o && !halt_before && s1 >= 0) {
    bool traps = top.ls_trap_valid_i && unsigned(s1) == top.ls_trap_slot_i;
    seen.trap_in_s1 += traps;
  }
  if (halt_before && !comes)
    s1 = selected;
  else if (ready || stood < 0)
    s1 = refused && selected == stood ? -1 : selected;
}

// Without holds, what a stall count is between two instructions of a lone warp that read operands.
unsigned Bench::alone(unsigned stall) const {
  if (queues()) return beats + 2 + std::max(stall, 2u);
  if (two() && stall == beats + 1) return beats + (exact.count > 1); // it is issued early, and read a cycle later
  if (two()) return stall <= beats ? beats : beats + 1 + std::max(stall - beats, 2u);
  return std::max(stall, beats);
}

// Stall counts run from issue to issue in cycles without a hold; selection is the last of them. What stands in the
// check stage issues as soon as the operand stage is ready.
void Bench::observe_distance() {
  uint64_t at = now - 1;
  bool issues = top.ret_issue_valid_o;
  if (exact.on) check(issues == (exact.here && ready), issues ? "issued too early" : "issued too late", 0);
  const unsigned made_long = ISA_STEP != 16; // a cycle in which short words are made long
  // Long words are there in time. With short ones room is taken for two, so that the next place may come late: it is
  // selected as soon as it is there.
  auto there = [&] { return ISA_STEP == 16 || (!exact.came.empty() && exact.came.front() + 1 + made_long <= at); };
  if (!issues) {
    if (exact.on && !exact.here && (apart() ? !exact.queued : !hold)) {
      exact.left -= exact.left > 0;
      exact.here = exact.left == 0 && there();
    }
    return;
  }
  if (exact.came.empty()) return fail("issued before it arrived", 0);
  const uint64_t first = exact.came.front() + 2 + made_long; // a word that is waited for is selected in the next cycle
  exact.came.pop_front();
  if (exact.on && fixed_stall) // without holds
    check(at == std::max(exact.last + alone(fixed_stall), ISA_STEP == 16 ? 0 : first), "distance", 0);
  if (!exact.on) check(at == first, "first instruction", 0);
  seen.late += at == first;
  exact.on = true;
  exact.count++;
  exact.last = at;
  heddle_isa_dec d;
  heddle_isa_decode({top.ret_issue_word_lo_o, top.ret_issue_word_hi_o}, &d);
  exact.left = (d.ctl.stall ? d.ctl.stall : 1) - 1u;
  const Warp &x = w[0];
  if (two() && collects(d))
    exact.left = exact.left > beats ? exact.left - beats : 0; // from its last row
  else if (two() && (x.unread != 0 || x.read_end + 1 >= now)) // from the last row before it, and one more
    exact.left += x.unread == 0 && x.read_end == now ? 2 : 1;
  exact.here = exact.left == 0 && there() && !(apart() && collects(d));
}

// One warp: every stall count alone and without holds, then any counts with and without holds.
int Bench::distances() {
  for (unsigned k = 0; k < 19; k++) {
    fixed_stall = k < 15 ? k + 1 : 0;
    reset();
    hold_rate = k < 16 ? 0 : 30 * (k - 15);
    exact = {};
    while (exact.count + 1 < program && failures == 0) {
      clock();
      if (now - last_issue > 200) fail("nothing issues any more", 0);
    }
    if (failures) break;
  }
  std::printf("distances: %llu instructions of one warp, %llu checks, %u failures\n", (unsigned long long)issued,
              (unsigned long long)checks, failures);
  top.final();
  if (ISA_STEP == 16) return failures != 0;
  std::printf("%llu short words, %llu of them the second of two; %llu were waited for\n",
              (unsigned long long)seen.is_short, (unsigned long long)seen.second, (unsigned long long)seen.late);
  return failures != 0 || seen.is_short < 1000 || seen.second < 500 || seen.late < 500 || seen.late + 500 > issued;
}
