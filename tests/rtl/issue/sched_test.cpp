// SPDX-License-Identifier: Apache-2.0
// Every scheduling policy, built in and chosen by the strap, against sched_model.h, and against the longest wait that
// its header allows a warp which can always go: in random traffic, with warps that always can, and with all of them,
// where the wait must come near to what is allowed.
//   rtl_sched_CONFIG [--seed N] [--cycles N]

#include <Vtop.h>
#include <heddle/host_regs.h>
#include <iterator>
#include "tests/rtl/arguments.h"
#include "tests/rtl/issue/sched_model.h"
#include <verilated.h>
#include "tests/rtl/issue/words.h"

namespace {

enum Traffic { ANYTHING, STUBBORN, EVERYBODY, TRAFFICS };
const char *const traffic_names[] = {"anything", "stubborn", "everybody"};
const char *const policy_names[] = {HEDDLE_POLICY_NAMES};

struct Bench {
  Vtop top;
  Random rnd;
  uint64_t all = 0, checks = 0, now = 0;
  unsigned failures = 0;
  int warps = 0, last = -1; // last: picked a cycle ago

  explicit Bench(uint64_t seed) : rnd{seed} {}

  void check(bool ok, const char *policy, const char *what) {
    checks++;
    if (!ok && failures++ < 10) std::printf("cycle %llu: %s: %s\n", (unsigned long long)now, policy, what);
  }

  // take: the check stage can take an instruction; without it a pick counts for nothing.
  void drive(const Inputs &in, bool take = true) {
    top.take_i = take;
    put(top.eligible_i, in.eligible);
    put(top.long_i, in.waits_long);
    put(top.yield_i, in.yield);
    put(top.start_i, in.start < 0 ? 0 : UINT64_C(1) << in.start);
  }

  void tick() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    now++;
  }

  void reset(unsigned sched) {
    drive(Inputs{0, 0, 0, -1});
    top.sched_i = sched;
    top.rst_ni = 0;
    top.clk_i = 0;
    top.eval();
    tick();
    tick();
    top.rst_ni = 1;
    top.eval();
    warps = top.warps_o;
    all = warps == 64 ? ~UINT64_C(0) : (UINT64_C(1) << warps) - 1;
    last = -1;
  }

  std::unique_ptr<Policy> model(unsigned sched) {
    return policy_model(sched == HEDDLE_POLICY_DEFAULT ? top.sched_o : sched, warps, top.active_o, top.limit_o);
  }

  // Hints come from warps that were picked, but for one in fifty.
  Inputs draw(Traffic traffic, uint64_t stubborn, bool seldom_long) {
    Inputs in{all, 0, 0, -1};
    if (traffic != EVERYBODY) {
      in.eligible = rnd.next() & (rnd.percent(50) ? rnd.next() : ~UINT64_C(0)) & all;
      in.waits_long = rnd.next() & (rnd.percent(70) ? rnd.next() : ~UINT64_C(0)) & ~in.eligible & all;
      if (last >= 0 && rnd.percent(30)) in.yield = UINT64_C(1) << last;
    }
    if (traffic == ANYTHING) {
      if (rnd.percent(2)) in.yield |= UINT64_C(1) << rnd.below(unsigned(warps));
      if (rnd.percent(5)) in.start = int(rnd.below(unsigned(warps)));
    } else if (traffic == STUBBORN) {
      in.eligible |= stubborn;
      in.waits_long &= ~stubborn;
      if (seldom_long && !rnd.percent(2)) in.waits_long = 0;
    }
    return in;
  }

  // How long each warp has been able to go without going, and whether it gave a hint since it went.
  struct Wait {
    uint64_t cycles = 0;
    bool gave_way = false;
  };

  // The longest wait that was seen.
  uint64_t waited(std::vector<Wait> &wait, const Policy &p, const Inputs &in, int picked, const char *name) {
    uint64_t longest = 0;
    for (int w = 0; w < warps; w++) {
      if (picked == w) wait[size_t(w)] = Wait{};
      if (has(in.yield, w)) wait[size_t(w)].gave_way = true;
      if (picked == w) continue;
      wait[size_t(w)].cycles = has(in.eligible, w) ? wait[size_t(w)].cycles + 1 : 0;
      check(wait[size_t(w)].cycles <= p.bound(wait[size_t(w)].gave_way), name,
            "a warp waits longer than its policy allows");
      longest = std::max(longest, wait[size_t(w)].cycles);
    }
    return longest;
  }

  void run(unsigned sched, Traffic traffic, uint64_t cycles) {
    reset(sched);
    auto want = model(sched);
    std::vector<Wait> wait(size_t(warps), Wait{});
    const uint64_t stubborn = rnd.next() & rnd.next() & all;
    const bool seldom_long = rnd.percent(50);
    uint64_t longest = 0, picks = 0;
    for (uint64_t t = 0; t < cycles; t++) {
      Inputs in = draw(traffic, stubborn, seldom_long);
      const bool take = traffic != ANYTHING || !rnd.percent(20);
      drive(in, take);
      top.eval();
      if (!take) in.eligible = 0;
      const int one = want->cycle(in);
      const uint64_t sel = one < 0 ? 0 : UINT64_C(1) << one;
      check(uint64_t(top.sel_o[2 * sched]) + (uint64_t(top.sel_o[2 * sched + 1]) << 32) == sel, policy_names[sched],
            "another warp than the policy says");
      check(uint64_t(top.strap_sel_o) == sel, policy_names[sched], "the strap does not choose this policy");
      // With hints and starts of warps that went nowhere there is no bound.
      if (traffic != ANYTHING) longest = std::max(longest, waited(wait, *want, in, one, policy_names[sched]));
      picks += one >= 0;
      last = one;
      tick();
    }
    check(picks > cycles / 2, policy_names[sched], "too few picks");
    // Nine tenths of the allowed: the bound means something.
    if (traffic == EVERYBODY)
      check(10 * longest >= 9 * want->bound(false) - 10, policy_names[sched], "the bound is far from what can happen");
    std::printf("%-8s %-9s longest wait %5llu of %llu\n", policy_names[sched], traffic_names[traffic],
                (unsigned long long)longest, (unsigned long long)want->bound(traffic != EVERYBODY));
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1), cycles = args.number("--cycles", 20000);
  args.all();
  Verilated::commandArgs(argc, argv);
  Verilated::randReset(2);
  Verilated::randSeed(int(seed));
  auto b = std::make_unique<Bench>(seed);
  for (unsigned sched = 0; sched < std::size(policy_names); sched++) {
    for (unsigned traffic = 0; traffic < TRAFFICS; traffic++)
      for (unsigned round = 0; round < 5; round++) b->run(sched, Traffic(traffic), cycles / 5);
  }
  b->top.final();
  std::printf("seed %llu: %llu checks, %u failures\n", (unsigned long long)seed, (unsigned long long)b->checks,
              b->failures);
  return b->failures != 0;
}
