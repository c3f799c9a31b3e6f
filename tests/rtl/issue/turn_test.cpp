// SPDX-License-Identifier: Apache-2.0
// Turns at the barriers and the SM's decision about traps, against what their headers say: one partition is picked, and
// granted in the next cycle, everyone after all others at the latest, with its own arrival; the first partition that
// halts names the trap, the lowest of one cycle, valid when all have drained, the halt of all a cycle after the first.
// --fault N: what is harmed between the parts and their checks must be found. 1: the arrival of partition 0 is seen,
// whoever's turn it is; 2: a trap before all have drained; 3: partitions have each other's traps.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <Vtop.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/random.h"
#include <verilated.h>

namespace {

uint64_t checks = 0, now = 0;
unsigned failures = 0, harm = 0;
bool quiet = false;

void check(bool ok, const char *what, unsigned p = 0) {
  checks++;
  if (!ok && failures++ < 10 && !quiet) std::printf("cycle %llu: %s (%u)\n", (unsigned long long)now, what, p);
}

void edge(Vtop &top) {
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  top.eval();
  now++;
}

void reset(Vtop &top) {
  top.bar_ask_i = top.bar_valid_i = top.halt_i = top.drained_i = top.trap_valid_i = 0;
  top.rst_ni = 0;
  edge(top);
  edge(top);
  top.rst_ni = 1;
}

template <class P> void put(P &port, unsigned at, unsigned width, uint64_t value) {
  uint8_t *b = reinterpret_cast<uint8_t *>(&port);
  for (unsigned i = 0; i < width; i++) {
    const unsigned bit = at * width + i;
    b[bit / 8] = static_cast<uint8_t>((b[bit / 8] & ~(1u << bit % 8)) | unsigned(value >> i & 1) << bit % 8);
  }
}

// Partitions ask, and leave once granted, at once or later; some give up. Returns how often two and more asked.
uint64_t test_turns(Vtop &top, Random &rnd, unsigned cycles) {
  struct {
    bool asks = false, leaves = false;
    unsigned slot = 0, id = 0, count = 0, waited = 0;
  } part[PARTITIONS];
  uint64_t met = 0;
  unsigned rate = 50, asked = 0; // who asked when somebody was picked, in the cycle before
  unsigned picked[3] = {};       // what was shown then
  for (unsigned i = 0; i < cycles; i++) {
    if (i % 64 == 0) rate = rnd.percent(30) ? 100 : 1 + rnd.below(99);
    unsigned asking = 0, valid = 0;
    for (unsigned p = 0; p < PARTITIONS; p++) {
      auto &x = part[p];
      if (!x.asks && rnd.percent(rate)) {
        x.asks = true;
        x.slot = rnd.below(SLOTS);
        x.id = rnd.below(16);
        x.count = rnd.below(4096);
      }
      x.leaves = x.asks && rnd.percent(rate == 100 ? 100 : 70);
      put(top.bar_slot_i, p, 8, x.slot);
      put(top.bar_id_i, p, 4, x.id);
      put(top.bar_count_i, p, 12, x.count);
      asking |= unsigned(x.asks) << p;
      valid |= unsigned(x.leaves) << p;
    }
    top.bar_ask_i = static_cast<uint8_t>(asking);
    top.bar_valid_i = 0;
    const bool hold = rnd.percent(10);
    top.bar_hold_i = hold;
    top.eval();
    // An instruction leaves only where it was granted.
    const unsigned grant = top.bar_grant_o;
    top.bar_valid_i = static_cast<uint8_t>(valid & grant);
    top.eval();
    check((grant != 0) == (asked != 0) && !(grant & (grant - 1)) && !(grant & ~asked),
          "one of those that asked is granted a cycle after the pick", grant);
    check(top.bt_pick_o == (asking != 0 && asked == 0 && !hold), "somebody is picked, unless it is somebody's turn");
    check(top.bt_ask_o == ((asking & grant) != 0), "the question of who was granted");
    check(top.bt_valid_o == ((valid & grant) != 0), "the arrival of who was granted");
    met += (asking & (asking - 1)) != 0;
    asked = top.bt_pick_o ? asking : 0;
    const unsigned shown[3] = {top.bt_slot_o, harm == 1 ? part[0].id : unsigned(top.bt_id_o), top.bt_count_o};
    for (unsigned p = 0; p < PARTITIONS; p++) {
      auto &x = part[p];
      const bool granted = grant >> p & 1;
      if (granted) {
        check(shown[0] == x.slot && shown[1] == x.id && shown[2] == x.count, "its own barrier", p);
        check(std::memcmp(picked, shown, sizeof picked) == 0, "the barrier that was picked", p);
      }
      x.waited = !x.asks || granted ? 0 : x.waited + (grant != 0);
      check(x.waited < PARTITIONS, "granted after all others at the latest", p);
      if (granted && x.leaves) x.asks = false;
    }
    std::memcpy(picked, shown, sizeof picked);
    edge(top);
  }
  return met;
}

// Grids that end by traps: some partitions halt, in the same cycle or later; all drain; then the trap is there.
uint64_t test_traps(Vtop &top, Random &rnd, unsigned grids) {
  uint64_t together = 0;
  for (unsigned g = 0; g < grids && failures < 10; g++) {
    reset(top);
    unsigned at[PARTITIONS], drains[PARTITIONS], first = 0, last = 0;
    for (unsigned p = 0; p < PARTITIONS; p++) {
      at[p] = rnd.percent(80) ? 3 + rnd.below(4) : 1000; // 1000: it has no trap
      const unsigned to = harm == 3 ? (p + PARTITIONS - 1) % PARTITIONS : p;
      put(top.trap_pc_i, to, 32, g * 16 + p);
      put(top.trap_addr_i, to, 64, (uint64_t(g) << 32) + p);
    }
    at[rnd.below(PARTITIONS)] = 4;
    for (unsigned p = 1; p < PARTITIONS; p++)
      if (at[p] < at[first]) first = p;
    for (unsigned p = 0; p < PARTITIONS; p++) {
      together += p != first && at[p] == at[first];
      drains[p] = at[first] + 1 + rnd.below(12);
      if (drains[p] > last) last = drains[p];
    }
    unsigned halted = 0;
    for (unsigned i = 0; i < last + 4; i++) {
      unsigned drained = 0, valid = 0;
      for (unsigned p = 0; p < PARTITIONS; p++) {
        if (i >= at[p]) halted |= 1u << p;
        drained |= unsigned(i >= drains[p]) << p;
        // Its own trap stands once all of it has drained.
        valid |= unsigned(i >= drains[p] && i > at[p]) << p;
      }
      top.halt_i = static_cast<uint8_t>(halted);
      top.drained_i = static_cast<uint8_t>(drained);
      top.trap_valid_i = static_cast<uint8_t>(valid);
      top.eval();
      check(top.halt_o == (i > at[first]), "all halt a cycle after the first", i);
      const bool there = harm == 2 ? top.halt_o && valid != 0 : top.trap_valid_o != 0;
      check(there == (i >= last && i > at[first]), "valid when all have drained", i);
      if (there)
        check(top.trap_pc_o == g * 16 + first && top.trap_addr_o == (uint64_t(g) << 32) + first,
              "the trap of the first, the lowest of one cycle", first);
      edge(top);
    }
  }
  return together;
}

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  harm = args.small("--fault", 0);
  args.all();
  quiet = harm != 0;
  Verilated::randReset(2);
  Verilated::randSeed(1);
  auto top = std::make_unique<Vtop>();
  Random rnd{3};
  reset(*top);
  const uint64_t met = test_turns(*top, rnd, 100000), together = test_traps(*top, rnd, 5000);
  if (harm == 0 && PARTITIONS > 1) check(met > 1000 && together > 100, "partitions met");
  std::printf("turns and traps of %u partitions: %llu checks, %u failed\n", PARTITIONS, (unsigned long long)checks,
              failures);
  return harm ? failures == 0 : failures != 0;
}
