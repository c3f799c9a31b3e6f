// SPDX-License-Identifier: Apache-2.0
// Random arrivals of every kind, ends and new blocks against a plain model of isa/doc/05-barriers-traps.md: misuse at
// each arrival, every release exactly once, with the right warps and sums, in time. A turn takes two cycles; the
// release comes two cycles after an arrival. With --fault N the same run must find a difference.
//   barrier_test [--steps N] [--seed S] [--fault N]
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>
#include <Vtop.h>
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>
#include "tests/rtl/arguments.h"

namespace {

enum Kind { SYNC, ARV, RED };

struct Release {
  unsigned bslot, id;
  uint32_t warps;
  unsigned sum;
  bool all, red;
  uint64_t since;
};

struct Block {
  bool alive = false;
  uint32_t warps = 0, live = 0;
  uint32_t waiting[16] = {}, gone[16] = {};
  unsigned count[16] = {}, sum[16] = {};
  bool all[16] = {}, red[16] = {};
};

struct Arrival {
  bool there = false, picked = false;
  unsigned warp, id, count, sum;
  Kind kind;
  bool all;
};

std::mt19937_64 rng;
uint32_t rnd() {
  return uint32_t(rng());
}
unsigned below(unsigned n) {
  return rnd() % n;
}
unsigned ones(uint32_t m) {
  return unsigned(__builtin_popcount(m));
}

struct Bench {
  std::unique_ptr<VerilatedContext> context{new VerilatedContext};
  std::unique_ptr<Vtop> top;
  std::vector<Block> blocks;
  std::vector<Release> due;
  std::vector<int> owner; // block of a warp slot, -1 = none
  uint32_t waits = 0;     // warps that wait (until the unit releases them)
  unsigned warps = 0;
  Arrival arrival;
  uint64_t arrivals[3] = {}, reduced = 0, by_arrivals = 0, held = 0;
  uint64_t cycle = 0, differences = 0, misuses = 0, releases = 0, ends = 0, starts = 0, by_end = 0;
  unsigned worst = 0, best = ~0u;

  void differ(const char *what, unsigned long long got, unsigned long long want) {
    if (differences++ < 5)
      fprintf(stderr, "cycle %llu: %s is %llx, expected %llx\n", (unsigned long long)cycle, what, got, want);
  }

  void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    cycle++;
  }

  bool misuse(const Block &b, const Arrival &a) const {
    if (a.count % 32 || (a.kind == ARV && a.count == 0)) return true;
    if (a.count / 32 > ones(b.warps)) return true;
    if (b.gone[a.id] >> a.warp & 1) return true;
    return (b.waiting[a.id] | b.gone[a.id]) && b.count[a.id] != a.count;
  }

  void come(Block &b, const Arrival &a) {
    if (!(b.waiting[a.id] | b.gone[a.id])) {
      b.sum[a.id] = 0;
      b.all[a.id] = true;
      b.red[a.id] = false;
    }
    (a.kind == ARV ? b.gone : b.waiting)[a.id] |= 1u << a.warp;
    b.count[a.id] = a.count;
    if (a.kind == RED) {
      b.red[a.id] = true;
      b.sum[a.id] += a.sum;
      b.all[a.id] &= a.all;
    }
    if (a.kind != ARV) waits |= 1u << a.warp;
    arrivals[a.kind]++;
  }

  void settle(unsigned bslot) {
    Block &b = blocks[bslot];
    for (unsigned id = 0; id < 16; id++) {
      const uint32_t there = b.waiting[id] | b.gone[id];
      if (!there) continue;
      const unsigned expected = b.count[id] ? b.count[id] / 32 : ones(b.live);
      if (ones(there) < expected) continue;
      due.push_back({bslot, id, b.waiting[id], b.sum[id], b.all[id], b.red[id], cycle});
      by_arrivals += b.waiting[id] == 0;
      b.waiting[id] = b.gone[id] = 0;
    }
  }

  void take_release() {
    if (!top->release_valid_o) return;
    for (size_t i = 0; i < due.size(); i++) {
      if (due[i].bslot != top->release_bslot_o || due[i].id != top->release_id_o) continue;
      if (due[i].warps != top->release_warps_o) differ("released warps", top->release_warps_o, due[i].warps);
      if (due[i].red && due[i].sum != top->release_sum_o) differ("sum", top->release_sum_o, due[i].sum);
      if (due[i].red && due[i].all != bool(top->release_all_o)) differ("all", top->release_all_o, due[i].all);
      reduced += due[i].red;
      waits &= ~due[i].warps;
      const unsigned took = unsigned(cycle - due[i].since);
      worst = took > worst ? took : worst;
      best = took < best ? took : best;
      due.erase(due.begin() + long(i));
      releases++;
      return;
    }
    differ("release of a barrier that is not complete, warps", top->release_warps_o, 0);
  }

  void start_block() {
    uint32_t free = 0;
    for (unsigned w = 0; w < warps; w++)
      if (owner[w] < 0) free |= 1u << w;
    const unsigned bslot = below(unsigned(blocks.size()));
    if (blocks[bslot].alive || !free) return;
    uint32_t mask = 0;
    const unsigned want = below(2) ? ones(free) : 1 + below(ones(free));
    for (unsigned w = 0; w < warps && ones(mask) < want; w++)
      if (free >> w & 1) mask |= 1u << w;
    blocks[bslot] = Block();
    blocks[bslot].alive = true;
    blocks[bslot].warps = blocks[bslot].live = mask;
    for (unsigned w = 0; w < warps; w++)
      if (mask >> w & 1) owner[w] = int(bslot);
    top->blk_valid_i = 1;
    top->blk_bslot_i = uint8_t(bslot);
    top->blk_warps_i = mask;
    starts++;
  }

  // Somebody who may arrive somewhere: mostly as those before him want it.
  void think() {
    const unsigned w = below(warps);
    if (arrival.there || owner[w] < 0 || waits >> w & 1 || !(blocks[unsigned(owner[w])].live >> w & 1)) return;
    const Block &b = blocks[unsigned(owner[w])];
    Arrival a;
    a.there = true;
    a.warp = w;
    a.kind = below(3) ? Kind(2 * below(2)) : ARV;
    a.id = below(8) ? below(3) : below(16);
    a.count = (b.waiting[a.id] | b.gone[a.id]) ? b.count[a.id]
              : a.kind == ARV || below(3) == 0 ? 32 * (1 + below(ones(b.warps)))
                                               : 0;
    if (below(12) == 0) a.count = below(2) ? 32 * below(128) : below(4096);
    a.sum = below(33);
    a.all = below(4) != 0;
    arrival = a;
  }

  // A turn: picked in one cycle, granted in the next; it may pass without an arrival.
  void turn() {
    top->pick_i = top->ask_i = top->bar_valid_i = 0;
    if (!arrival.there) return;
    top->bar_slot_i = uint8_t(arrival.warp);
    top->bar_kind_i = uint8_t(arrival.kind);
    top->bar_id_i = uint8_t(arrival.id);
    top->bar_count_i = uint16_t(arrival.count);
    top->bar_sum_i = uint16_t(arrival.kind == RED ? arrival.sum : below(2048)); // no bit above its 11
    top->bar_all_i = arrival.kind == RED ? arrival.all : below(2);
    if (!arrival.picked) {
      top->eval();
      held += top->hold_o;
      arrival.picked = top->pick_i = !top->hold_o && below(4);
      return;
    }
    arrival.picked = false;
    if (below(10) == 0) return; // nobody asks any more
    top->ask_i = 1;
    top->eval();
    const unsigned bslot = unsigned(owner[arrival.warp]);
    Block &b = blocks[bslot];
    const bool bad = misuse(b, arrival);
    if (bool(top->misuse_o) != bad) differ("misuse", top->misuse_o, bad);
    misuses += bad;
    if (!bad && below(6) == 0) return; // not yet
    // A misuse is shown to the unit in half of the cases: it must be ignored.
    top->bar_valid_i = bad ? below(2) : 1;
    if (!bad) {
      come(b, arrival);
      settle(bslot);
    }
    arrival.there = false;
  }

  bool run(uint64_t steps) {
    unsigned quiet = 0;
    while (cycle < steps && differences == 0) {
      top->blk_valid_i = top->done_valid_i = top->done_ended_i = 0;
      top->pick_i = top->ask_i = top->bar_valid_i = 0;
      top->eval();
      take_release();
      for (auto &r : due)
        if (cycle - r.since > 200) differ("a release that does not come, warps", 0, r.warps);
      if (!due.empty() && !top->busy_o && cycle > due.back().since) differ("busy while a release is due", 0, 1);

      const uint32_t waits_now = waits;
      const unsigned w = arrival.there ? arrival.warp : warps, e = below(warps);
      quiet++;
      if (below(2)) think();
      if (arrival.there) quiet = 0;
      turn();
      if (e != w && !(arrival.there && arrival.warp == e) && owner[e] >= 0 && !(waits_now >> e & 1) &&
          (blocks[unsigned(owner[e])].live >> e & 1) && below(6) == 0) {
        const unsigned bslot = unsigned(owner[e]);
        blocks[bslot].live &= ~(1u << e);
        top->done_valid_i = 1;
        top->done_slot_i = uint8_t(e);
        top->done_ended_i = 1;
        ends++;
        const size_t before = due.size();
        settle(bslot);
        by_end += due.size() - before;
        quiet = 0;
      } else if (below(4) == 0) {
        top->done_valid_i = 1; // other control instructions mean nothing here
        top->done_slot_i = uint8_t(below(warps));
      }
      // Blocks whose warps have ended go; a block that hangs (an explicit count that can't be reached) is replaced.
      for (auto &b : blocks) {
        const unsigned bslot = unsigned(&b - blocks.data());
        bool pending = false;
        for (auto &r : due) pending |= r.bslot == bslot;
        if (!b.alive || pending || (b.live != 0 && quiet < 60)) continue;
        if (b.live && (b.live & ~waits)) continue;
        if (arrival.there && owner[arrival.warp] == int(bslot)) continue;
        b.alive = false;
        for (unsigned i = 0; i < warps; i++)
          if (owner[i] == int(bslot)) owner[i] = -1;
        waits &= ~b.warps;
      }
      if (below(30) == 0) start_block();
      tick();
    }
    return differences == 0;
  }

  bool go(uint64_t seed, uint64_t steps, unsigned fault) {
    context->randReset(2);
    context->randSeed(int(seed & 0x7fffffff) | 1);
    if (fault != 0) heddle_fault() = fault;
    top.reset(new Vtop{context.get()});
    top->blk_valid_i = top->pick_i = top->ask_i = top->bar_valid_i = top->done_valid_i = 0;
    top->rst_ni = 0;
    for (int i = 0; i < 4; i++) tick();
    top->rst_ni = 1;
    top->eval();
    warps = top->warps_o;
    owner.assign(warps, -1);
    blocks.assign(4, Block());
    const bool ok = run(steps);
    top->final();
    return ok;
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t steps = args.number("--steps", 300000), seed = args.number("--seed", 1);
  const unsigned fault = args.small("--fault", 0);
  args.all();
  rng.seed(seed);
  Bench b;
  const bool ok = b.go(seed, steps, fault);
  printf("%llu blocks, arrivals: %llu SYNC, %llu ARV, %llu RED; %llu misuses, %llu ends, %llu turns held up\n",
         (unsigned long long)b.starts, (unsigned long long)b.arrivals[SYNC], (unsigned long long)b.arrivals[ARV],
         (unsigned long long)b.arrivals[RED], (unsigned long long)b.misuses, (unsigned long long)b.ends,
         (unsigned long long)b.held);
  printf("%llu releases: %llu by an end, %llu with sums, %llu of nobody; %u to %u cycles\n",
         (unsigned long long)b.releases, (unsigned long long)b.by_end, (unsigned long long)b.reduced,
         (unsigned long long)b.by_arrivals, b.best, b.worst);
  if (!fault && ok && (b.best != 2 || b.reduced < 1000 || b.by_arrivals < 100 || b.by_end < 100)) {
    printf("too little of something, or not two cycles after an arrival\n");
    return 1;
  }
  if (fault) {
    printf("fault %u %s (seed %llu)\n", fault, ok ? "NOT found" : "found", (unsigned long long)seed);
    return ok ? 1 : 0;
  }
  printf("barrier: %s, %llu cycles, seed %llu\n", ok ? "passed" : "FAILED", (unsigned long long)steps,
         (unsigned long long)seed);
  return ok ? 0 : 1;
}
