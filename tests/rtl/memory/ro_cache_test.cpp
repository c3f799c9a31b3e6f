// SPDX-License-Identifier: Apache-2.0
// The read-only cache alone: random and local addresses, a memory that answers late and with bubbles, bus errors,
// contents that change before an invalidation. Every answer is compared with memory; hits must come one a cycle.
#include <memory>

#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

#ifndef OUT_BITS
#define OUT_BITS 32
#endif
#ifndef AXI_BITS
#define AXI_BITS 64
#endif

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1, cycles = 300000;
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  auto top = std::make_unique<Vtop>();
  Vtop &t = *top;
  Random rnd{seed};
  Checks checks;
  constexpr unsigned OUT = OUT_BITS / 8, AXI = AXI_BITS / 8;
  constexpr uint64_t BASE = 0x7f00000000u;
  std::vector<uint8_t> mem(1 << 15);
  for (auto &x : mem) x = static_cast<uint8_t>(rnd.u32());
  struct Request {
    uint64_t addr;
    bool skip;
    unsigned tag;
  };
  std::deque<Request> asked;
  std::deque<std::pair<uint64_t, unsigned>> sectors; // sector address, beats sent
  uint64_t err = ~0ull, at = BASE, answers = 0, fills = 0, pause = 0;
  unsigned streak = 0, best = 0;
  bool took = false;

  t.rq_valid_i = t.rd_ready_i = t.ax_valid_i = t.invalidate_i = t.stale_i = 0;
  t.rst_ni = 0;
  for (int i = 0; i < 3; i++) {
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
  }
  t.rst_ni = 1;
  for (uint64_t now = 0; now < cycles && checks.failed < 20; now++) {
    checks.cycle = now;
    bool local = now / 4096 % 2; // phases in which everything hits after a while
    t.invalidate_i = 0;
    if (now % 3000 == 0 && now) pause = 400;
    if (pause && --pause == 1) { // nothing is asked: memory changes, then the cache is emptied
      for (unsigned i = 0; i < 2000; i++) mem[rnd.below(static_cast<uint32_t>(mem.size()))] ^= 0x5a;
      err = rnd.percent(50) ? BASE + 32 * rnd.below(static_cast<uint32_t>(mem.size() / 32)) : ~0ull;
      t.invalidate_i = 1;
    }
    if (took) t.rq_valid_i = 0;
    took = false;
    if (!t.rq_valid_i && !pause && (local || rnd.percent(70))) {
      at = rnd.percent(local ? 0 : 20) ? BASE + rnd.below(static_cast<uint32_t>(mem.size())) : at + OUT;
      if (local && at >= BASE + 256) at = BASE;
      if (at + OUT > BASE + mem.size()) at = BASE;
      at -= at % OUT;
      t.rq_valid_i = 1;
      t.rq_addr_i = at / OUT;
      t.rq_skip_i = rnd.percent(5);
      t.rq_tag_i = rnd.below(2);
    }
    t.rd_ready_i = rnd.percent(60);
    t.ax_valid_i = !sectors.empty() && rnd.percent(50);
    if (t.ax_valid_i) {
      auto &s = sectors.front();
      std::memcpy(bytes(t.ax_data_i), &mem[s.first - BASE + s.second * AXI], AXI);
      t.ax_err_i = s.first == err;
    }
    t.eval();
    checks.that(!t.idle_o || (asked.empty() && sectors.empty()), "idle");
    if (t.rs_valid_o && checks.that(!asked.empty(), "an answer to a request")) {
      Request r = asked.front();
      asked.pop_front();
      answers++;
      bool bad = !r.skip && (r.addr & ~63ull) == (err & ~63ull);
      checks.that(t.rs_tag_o == r.tag, "tag", t.rs_tag_o, r.tag);
      checks.that(t.rs_err_o == bad, "bus error", r.addr, err);
      checks.that(t.rs_sector_o == r.addr >> 5, "sector", t.rs_sector_o, r.addr);
      if (!bad && !r.skip) checks.that(!std::memcmp(bytes(t.rs_data_o), &mem[r.addr - BASE], OUT), "data", r.addr);
      streak++;
    } else {
      streak = 0;
    }
    best = streak > best ? streak : best;
    if (t.rq_valid_i && t.rq_ready_o) {
      asked.push_back({at, t.rq_skip_i != 0, t.rq_tag_i});
      took = true;
    }
    if (t.ax_valid_i && ++sectors.front().second == 32 / AXI) sectors.pop_front();
    if (t.rd_valid_o && t.rd_ready_i) {
      sectors.push_back({uint64_t(t.rd_sector_o) << 5, 0});
      fills++;
      checks.that(sectors.size() <= 2, "two sectors at a time");
    }
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
  }
  checks.that(answers > cycles / 8, "answers", answers);
  checks.that(best > 500, "a hit every cycle", best);
  std::printf("ro_cache seed %llu: %llu answers, %llu sectors, longest run of hits %u, %llu checks, %llu failed\n",
              (unsigned long long)seed, (unsigned long long)answers, (unsigned long long)fills, best,
              (unsigned long long)checks.done, (unsigned long long)checks.failed);
  return checks.failed ? 1 : 0;
}
