// SPDX-License-Identifier: Apache-2.0
// Random memory instructions against mem_top. --fault N expects that fault (lab/verify/faults) to be found; --perf
// measures latency and throughput instead, --rate holds the rates that are promised.
#include "tests/rtl/arguments.h"
#include "tests/rtl/memory/mem_bench.h"
#include "cosim/verilator/fault_number.hpp"

namespace {

int random_test(Bench &b, uint64_t count, bool fault) {
  b.fill_shared();
  unsigned phase = 0;
  while (b.instructions < count && b.checks.failed == 0) {
    b.errors_on = !fault && phase % 4 == 3;
    b.axi.adversarial = phase % 8 != 5;
    b.axi.latency = b.rnd.below(40);
    b.launch(false);
    b.wb_pressure = b.rnd.percent(50) ? 100 : 5 + b.rnd.below(96);
    b.op_pressure = b.rnd.percent(70) ? 100 : 5 + b.rnd.below(96);
    b.fetch_pressure = b.rnd.below(101);
    uint64_t until = b.instructions + 300 + b.rnd.below(600);
    b.progress = b.now;
    while (b.instructions < until && b.checks.failed == 0) {
      if (b.queue.size() < 4) b.generate();
      b.cycle();
      if (!b.checks.that(b.now - b.progress < HANG, "progress")) break;
    }
    if (!b.drain()) break;
    b.checks.that(b.axi.data == b.memory, "memory equals the reference at the end", phase);
    phase++;
  }
  return b.checks.failed ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1), count = args.number("--count", 20000);
  const unsigned fault = args.small("--fault", 0);
  const bool perf = args.flag("--perf"), rate = args.flag("--rate");
  args.all();
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  if (fault) heddle_fault() = fault;
  auto b = std::make_unique<Bench>(seed);
  b->checks.quiet = fault != 0;
  b->reset();
  if (perf || rate) {
    if (perf)
      measure(*b);
    else
      rates(*b);
    return b->checks.failed ? 1 : 0;
  }
  int rc = random_test(*b, count, fault != 0);
  std::printf("seed %llu: %llu instructions, %llu records, %llu traps, %llu refused, %llu fetches, %llu constants, "
              "%llu cycles, "
              "%llu checks, %llu failed\n",
              (unsigned long long)seed, (unsigned long long)b->instructions, (unsigned long long)b->records,
              (unsigned long long)b->traps, (unsigned long long)b->refused, (unsigned long long)b->fetches,
              (unsigned long long)b->constants, (unsigned long long)b->now, (unsigned long long)b->checks.done,
              (unsigned long long)b->checks.failed);
  if (fault) {
    std::printf("fault %u %s\n", fault, rc ? "found" : "NOT FOUND");
    return rc ? 0 : 1;
  }
  return rc;
}
