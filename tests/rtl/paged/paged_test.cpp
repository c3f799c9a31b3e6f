// SPDX-License-Identifier: Apache-2.0
// Random memory instructions of launches with pages, and of some without, against mem_top. --rate: what pages cost, to
// the cycle.
// --fault N expects that fault (lab/verify/faults) to be found; --verbose tells each launch.
#include "cosim/verilator/fault_number.hpp"
#include "tests/rtl/arguments.h"
#include "tests/rtl/paged/paged_bench.h"

namespace {

// Until nothing is left of the launch; a machine that has been stopped begins anew.
void finish(Paged &b, unsigned number) {
  if (b.halts && !b.halted && b.rnd.one_in(2)) b.halted = true;
  b.clients = false;
  if (!b.drain()) return;
  b.change = 0;
  for (unsigned i = 0; (!b.asks.empty() || b.invalidating != Paged::REST) && i < 4000; i++) b.cycle();
  b.checks.that(b.asks.empty() && b.invalidating == Paged::REST, "the mmu comes to rest", b.asks.size());
  for (unsigned i = 0; i < 40; i++) b.cycle();
  b.checks.that(b.axi.data == b.memory, "memory equals the reference at the end", number);
  if (b.halted && b.rnd.one_in(2)) {
    b.halted = false;
    b.cycle();
  } else if (b.halted) {
    b.halted = false;
    b.reset();
  }
  // What is kept of this launch's space is forgotten before its number comes again.
  if (!b.rnd.one_in(2) && b.space < 240) return;
  b.pages_on = b.forget_all = b.forget_spaces = true;
  b.halts = false;
  b.invalidating = Paged::DRAIN;
  for (unsigned i = 0; b.invalidating != Paged::REST && i < 1000; i++) b.cycle();
  b.checks.that(b.invalidating == Paged::REST, "all is forgotten");
  b.forget_spaces = false;
}

void one_launch(Paged &b, unsigned number, bool verbose) {
  b.errors_on = b.rnd.one_in(5);
  b.axi.adversarial = !b.rnd.one_in(6);
  b.axi.latency = b.rnd.below(40);
  b.launch(false);
  b.wb_pressure = b.rnd.percent(50) ? 100 : 5 + b.rnd.below(96);
  b.op_pressure = b.rnd.percent(70) ? 100 : 5 + b.rnd.below(96);
  b.fetch_pressure = b.rnd.below(40);
  if (verbose)
    std::printf("cycle %llu: launch %u: pages %d trap %d fail %d halts %d absent %u late %u host %u spread %u change "
                "%u pages %zu\n",
                (unsigned long long)b.now, number, b.pages_on, b.fault_trap, b.fails, b.halts, b.absent, b.late,
                b.host_time, b.spread, b.change, b.used.size());
  const uint64_t until = b.instructions + 60 + b.rnd.below(300);
  b.progress = b.now;
  const uint64_t give_up = b.now + 40000;
  while (b.instructions < until && b.checks.failed == 0 && !b.halted && b.now < give_up) {
    if (b.queue.size() < 4) {
      if (b.pages_on)
        b.generate_paged();
      else
        b.generate();
    }
    b.cycle();
    if (!b.checks.that(b.now - b.progress < HANG, "progress")) return;
  }
  finish(b, number);
  b.clients = true;
}

} // namespace

void paged_rates(Paged &b);

// What is in flight, where something went wrong.
void tell(Paged &b) {
  std::printf("halted %d asks %zu listed %zu invalidating %d queue %zu\n", b.halted, b.asks.size(), b.listed.size(),
              b.invalidating, b.queue.size());
  for (unsigned s = 0; s < b.warps; s++)
    for (auto &p : b.warp[s].flight) {
      std::printf("  warp %u gen %u seq %u mem %u size %u expect %d exec %08x left %08x copy %08x checked %d sent %d",
                  s, p->gen, p->seq, p->mem, p->size, p->expect, p->exec, p->left, p->copy_left, p->checked, p->sent);
      for (unsigned l = 0; l < 32; l++)
        if (b.pages_on && p->in(l, GLOBAL) && p->left >> l & 1) {
          const Page &t = b.table(p->at[l] >> 12);
          std::printf(" %u:%llx(%d%d%d%d%s%d%d%d%d)", l, (unsigned long long)p->at[l] >> 7, t.there, t.writable,
                      t.malformed, t.error, t.told ? "t" : "", t.trap[0], t.trap[1], t.trap[2], t.trap[3]);
        }
      std::printf("\n");
    }
}

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1);
  const unsigned count = args.small("--count", 60), fault = args.small("--fault", 0);
  const bool rate = args.flag("--rate"), verbose = args.flag("--verbose");
  args.all();
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  if (fault) heddle_fault() = fault;
  auto b = std::make_unique<Paged>(seed);
  b->checks.quiet = fault != 0;
  b->reset();
  if (rate) {
    paged_rates(*b);
  } else {
    b->pages_on = false;
    b->fill_shared();
    b->plain = false;
    for (unsigned n = 0; n < count && b->checks.failed == 0; n++) one_launch(*b, n, verbose);
    if (verbose && b->checks.failed) tell(*b);
    if (fault == 0 && b->checks.failed == 0 && count >= 60)
      b->checks.that(b->page_traps > 20 && b->given_up > 10 && b->replays > 50 && b->invalidations > 50 &&
                         b->copies > 100,
                     "enough of everything");
    std::printf("paged: seed %llu: %llu instructions, %llu virtual lines' sectors, %llu faults, %llu replays, %llu "
                "traps of pages, "
                "%llu given up, %llu invalidations (at most %llu cycles), %llu copies, %llu cycles\n",
                (unsigned long long)seed, (unsigned long long)b->instructions, (unsigned long long)b->translated,
                (unsigned long long)b->faults, (unsigned long long)b->replays, (unsigned long long)b->page_traps,
                (unsigned long long)b->given_up, (unsigned long long)b->invalidations, (unsigned long long)b->longest,
                (unsigned long long)b->copies, (unsigned long long)b->now);
  }
  std::printf("paged: %llu checks, %llu failed\n", (unsigned long long)b->checks.done,
              (unsigned long long)b->checks.failed);
  if (fault) {
    std::printf("fault %u %s\n", fault, b->checks.failed ? "found" : "NOT FOUND");
    return b->checks.failed == 0;
  }
  return b->checks.failed != 0;
}
