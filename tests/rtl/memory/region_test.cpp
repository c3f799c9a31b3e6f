// SPDX-License-Identifier: Apache-2.0
// The region check alone: random tables (overlapping, empty, byte-granular) against a plain search of the table for
// each lane; then buffers in turns, which must cost nothing.
#include <memory>

#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1;
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  auto top = std::make_unique<Vtop>();
  Vtop &t = *top;
  Random rnd{seed};
  Checks checks;
  uint64_t base[16] = {}, limit[16] = {}, cycles = 0, beats = 0, good = 0, bad = 0;
  uint32_t write = 0;
  unsigned lanes = LANES;
  // The table answers in the same cycle.
  auto settle = [&] {
    t.eval();
    t.region_base_i = base[t.region_index_o];
    t.region_limit_i = limit[t.region_index_o];
    t.eval();
  };
  auto clock = [&] {
    settle();
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
    cycles++;
  };
  t.need_i = 0;
  std::memset(&t.flat_i, 0, sizeof t.flat_i);
  std::memset(&t.flat_limit_i, 0, sizeof t.flat_limit_i);
  t.invalidate_i = t.beat_done_i = 0;
  t.arrive_i = t.arrive_pc_i = t.pc_i = 0;
  t.rst_ni = 0;
  clock();
  clock();
  t.rst_ni = 1;
  for (unsigned table = 0; table < 200; table++) {
    uint64_t origin = rnd.next() & 0xfffffff000u;
    write = rnd.u32() & 0xffff;
    for (unsigned i = 0; i < 16; i++) {
      base[i] = (origin + rnd.below(4096)) & 0xffffffffffu;
      limit[i] = rnd.percent(25) ? 0 : base[i] + rnd.below(i % 2 ? 64 : 1024);
      if (table % 10 == 0 && i == 3) base[i] = 0xffffffff00u, limit[i] = 0x10000000000u; // up to the last byte
    }
    t.region_write_i = static_cast<uint16_t>(write);
    t.invalidate_i = 1;
    clock();
    t.invalidate_i = 0;
    for (unsigned k = 0; k < 200 && checks.failed < 20; k++, beats++) {
      uint32_t need = lanes == 32 ? rnd.u32() : rnd.u32() & ((1u << lanes) - 1), range = 0, protect = 0;
      unsigned size = 1u << rnd.below(5), spread = rnd.percent(50) ? 16 : 4096;
      bool w = rnd.percent(50);
      uint64_t at = rnd.percent(10) ? 0xffffffff00u : origin + rnd.below(4096);
      for (unsigned l = 0; l < lanes; l++) {
        uint64_t a = (at + rnd.below(spread)) & 0xffffffffffu & ~uint64_t(size - 1);
        put_bits(bytes(t.first_i), 40 * l, 40, a);
        bool in = false, ok = false;
        for (unsigned i = 0; i < 16; i++)
          if (limit[i] && a >= base[i] && a + size <= limit[i]) {
            in = true;
            ok = ok || !w || (write >> i & 1);
          }
        if (!(need >> l & 1)) continue;
        if (!in)
          range |= 1u << l;
        else if (!ok)
          protect |= 1u << l;
        ok ? good++ : bad++;
      }
      if (rnd.percent(70)) { // a beat of another instruction
        t.pc_i = t.arrive_pc_i = rnd.below(16);
        t.arrive_i = 1;
        clock();
        t.arrive_i = 0;
      }
      t.need_i = need;
      t.write_i = w;
      t.size_mask_i = static_cast<uint8_t>(size - 1);
      settle();
      uint64_t from = cycles;
      while (!t.pass_o && cycles - from < 200) clock();
      checks.that(t.pass_o, "decided in the end", need);
      checks.that(cycles - from <= 16, "a cycle for each region of the table at most", cycles - from);
      checks.that(t.range_o == range, "in no region", t.range_o, range);
      checks.that(t.protect_o == protect, "not writable", t.protect_o, protect);
      t.beat_done_i = 1;
      clock();
      t.beat_done_i = 0;
      t.need_i = 0;
      if (rnd.percent(30)) clock();
    }
  }
  // Sixteen buffers, one region each in the table's other order, and sixteen instructions that go to them in turns:
  // after the first round no beat waits, and after a new launch it is learnt again.
  for (unsigned launch = 0; launch < 2; launch++) {
    for (unsigned i = 0; i < 16; i++) base[i] = 0x1000 * ((15 - i) ^ launch), limit[i] = base[i] + 0x1000;
    t.region_write_i = 0xffff;
    t.invalidate_i = 1;
    clock();
    t.invalidate_i = 0;
    for (unsigned k = 0; k < 20; k++) clock(); // what was known is forgotten meanwhile
    for (unsigned k = 0; k < 16 * 8; k++) {
      t.need_i = 0;
      t.arrive_i = 1;
      t.arrive_pc_i = t.pc_i = k % 16;
      clock();
      t.arrive_i = 0;
      for (unsigned l = 0; l < lanes; l++) put_bits(bytes(t.first_i), 40 * l, 40, 0x1000 * (k % 16) + 16 * l);
      t.need_i = (1ull << lanes) - 1;
      t.size_mask_i = 15;
      uint64_t from = cycles;
      settle();
      while (!t.pass_o && cycles - from < 200) clock();
      checks.that(!t.range_o && !t.protect_o, "inside", t.range_o, t.protect_o);
      if (k >= 16) checks.that(cycles == from, "a buffer that is known costs nothing", k, cycles - from);
      t.beat_done_i = 1;
      clock();
      t.beat_done_i = 0;
    }
  }
  std::printf(
      "region seed %llu: %llu beats, %llu lanes pass, %llu do not, %.2f cycles a beat, %llu checks, %llu failed\n",
      (unsigned long long)seed, (unsigned long long)beats, (unsigned long long)good, (unsigned long long)bad,
      double(cycles) / double(beats), (unsigned long long)checks.done, (unsigned long long)checks.failed);
  return checks.failed || !good || !bad ? 1 : 0;
}
