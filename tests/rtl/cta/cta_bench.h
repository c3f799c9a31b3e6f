// SPDX-License-Identifier: Apache-2.0
// A dispatcher of blocks on the bench. It must show every block once and in order, warps in free slots, divided ids,
// registers and shared memory that no other resident block has, live masks, ends. After a halt
// no block begins and none ends. How it is driven: cta_test.cpp.
#ifndef HEDDLE_TESTS_CTA_BENCH_H
#define HEDDLE_TESTS_CTA_BENCH_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>
#include <Vtop.h>
#include <verilated.h>

namespace cta {

inline std::mt19937_64 rng;
inline uint32_t rnd() {
  return uint32_t(rng());
}
inline unsigned below(unsigned n) {
  return rnd() % n;
}
inline unsigned ones(uint32_t m) {
  return unsigned(__builtin_popcount(m));
}

struct Launch {
  uint32_t grid[3], block[3], regs, shared;
};
struct Block {
  bool alive;
  uint64_t number;
  uint32_t warps, started, ended, shm_base;
  unsigned shm_size;
};
struct Warp {
  bool alive;
  unsigned block, rbase, gen;
  uint64_t ends;
  uint32_t tid[32];
  unsigned beats;
};

struct Bench {
  std::unique_ptr<VerilatedContext> context{new VerilatedContext};
  std::unique_ptr<Vtop> top;
  unsigned lanes = 0, warps = 0, partitions = 0, regs = 0, blocks = 0, shared = 0;
  std::vector<Block> block;
  std::vector<Warp> warp;
  uint64_t cycle = 0, differences = 0, launches = 0, refused[16] = {}, halts = 0, started = 0, rows = 0, most = 0,
           launch_started = 0;
  uint64_t least_gap = ~0ull, last_start = 0;
  uint64_t widest_gap = 0; // from warp to warp, while there is room
  unsigned stay = 0;       // cycles that a warp lives; 0: by chance
  bool ended = false;      // a block of this launch
  bool halted = false;     // a warp of it has trapped
  uint64_t next_block = 0; // of this launch
  Launch l = {};

  bool differ(const char *what, unsigned long long got, unsigned long long want) {
    if (differences++ < 5)
      fprintf(stderr, "cycle %llu: %s is %llx, expected %llx (grid %u,%u,%u block %u,%u,%u regs %u shared %u)\n",
              (unsigned long long)cycle, what, got, want, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1],
              l.block[2], l.regs, l.shared);
    return false;
  }
  void same(const char *what, unsigned long long got, unsigned long long want) {
    if (got != want) differ(what, got, want);
  }

  void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    cycle++;
  }

  uint64_t threads() const { return uint64_t(l.block[0]) * l.block[1] * l.block[2]; }

  // Warps that the SM holds, as far as registers go.
  unsigned places() const { return partitions * std::min(warps / partitions, regs / l.regs); }
  // Cycles from warp to warp at best, as the header of cta_dispatch says.
  unsigned steps() const { return 32 / std::min(8u, std::max(1u, lanes * partitions / 4)); }

  // Blocks of one launch take partitions in turns, while none has ended.
  void turns(uint64_t number, uint32_t mask, unsigned nwarps) {
    std::vector<unsigned> got(partitions), want(partitions);
    for (unsigned s = 0; s < warps; s++)
      if (mask >> s & 1) got[s % partitions]++;
    for (unsigned i = 0; i < nwarps; i++) want[(number * nwarps + i) % partitions]++;
    for (unsigned p = 0; p < partitions; p++) same("warps of a partition", got[p], want[p]);
  }

  unsigned refusal() const {
    if (!l.grid[0] || !l.grid[1] || !l.grid[2]) return 1;
    if (!threads() || l.block[0] > 1024 || l.block[1] > 1024 || l.block[2] > 64 || threads() > 1024) return 2;
    const unsigned n = unsigned((threads() + 31) / 32);
    if (n > warps) return 3;
    if (l.regs < 1 || l.regs > 255 || n > places()) return 4;
    if ((l.shared + 127) / 128 * 128 > shared) return 5;
    return 0;
  }

  void choose() {
    for (auto &g : l.grid) g = below(4) ? 1 + below(5) : 1;
    switch (below(5)) {
    case 0:
      l.block[0] = 1 + below(1024), l.block[1] = l.block[2] = 1;
      break;
    case 1:
      l.block[0] = 1 + below(7), l.block[1] = 1 + below(7), l.block[2] = 1 + below(7);
      break;
    case 2:
      l.block[0] = 1 + below(40), l.block[1] = 1 + below(20), l.block[2] = 1 + below(4);
      break;
    case 3:
      l.block[0] = 32 * (1 + below(4)), l.block[1] = 1 + below(3), l.block[2] = 1;
      break;
    default:
      l.block[0] = 1, l.block[1] = 1 + below(60), l.block[2] = 1 + below(8);
      break;
    }
    while (threads() > 32 * warps && below(10)) l.block[below(3)] = 1;
    l.regs = 1 + below(below(3) ? 40 : 255);
    l.shared = below(3) ? below(4000) : (below(2) ? 0 : below(shared + shared / 4));
    if (below(30) == 0) l.grid[below(3)] = 0;
    if (below(30) == 0) l.block[below(3)] = below(2048);
    if (below(30) == 0) l.block[below(3)] = 0; // each of them is refused by itself
    if (below(40) == 0) l.regs = below(2) ? 0 : 256 + below(200);
    if (below(40) == 0) l.shared = 0xffff80 + below(128);
  }

  // State after the last edge. Order inside a cycle: block end is looked at last.
  void look() {
    const uint64_t before = differences;
    if (top->blk_valid_o) look_block();
    if (top->tid_valid_o && differences == before) look_ids();
    if (top->start_valid_o && differences == before) look_start();
    if (top->end_valid_o && differences == before) look_end();
  }

  unsigned nwarps() const { return unsigned((threads() + 31) / 32); }

  void look_block() {
    const unsigned b = top->blk_bslot_o;
    if (halted) differ("a block begins after a halt", b, 0);
    if (b >= blocks || block[b].alive) {
      differ("block slot in use", b, 0);
      return;
    }
    same("ctaid.x", top->blk_ctaid_x_o, next_block % l.grid[0]);
    same("ctaid.y", top->blk_ctaid_y_o, next_block / l.grid[0] % l.grid[1]);
    same("ctaid.z", top->blk_ctaid_z_o, next_block / l.grid[0] / l.grid[1]);
    same("warps of the block", ones(top->blk_warps_o), nwarps());
    uint32_t taken = 0;
    for (auto &o : block)
      if (o.alive) taken |= o.warps;
    same("warp slots in use", top->blk_warps_o & taken, 0);
    if (!ended) turns(next_block, top->blk_warps_o, nwarps());
    Block nb = {true, next_block, top->blk_warps_o, 0, 0, top->blk_shm_base_o, l.shared};
    same("shared base alignment", nb.shm_base % 128, 0);
    if (nb.shm_base + l.shared > shared) differ("shared memory beyond the end", nb.shm_base, shared);
    for (auto &o : block)
      if (o.alive && l.shared && nb.shm_base < o.shm_base + o.shm_size && o.shm_base < nb.shm_base + l.shared)
        differ("shared memory in use", nb.shm_base, o.shm_base);
    block[b] = nb;
    next_block++;
    unsigned alive = 0;
    for (auto &o : block) alive += o.alive;
    if (alive > most) most = alive;
  }

  void look_ids() {
    const unsigned s = top->tid_slot_o;
    if (s >= warps || warp[s].alive) {
      differ("thread ids of a running warp", s, 0);
      return;
    }
    same("beat", top->tid_beat_o, warp[s].beats);
    for (unsigned i = 0; i < lanes; i++) {
      const unsigned lane = top->tid_beat_o * lanes + i;
      if (lane < 32)
        warp[s].tid[lane] = top->tid_x_o[i] % 2048 + top->tid_y_o[i] % 2048 * 2048 + (top->tid_z_o[i] << 22);
    }
    warp[s].beats++;
    rows++;
  }

  void look_lanes(const Warp &w, unsigned index) {
    for (unsigned lane = 0; lane < 32; lane++) {
      const uint64_t n = index * 32 + lane;
      const bool live = n < threads();
      if ((top->start_live_o >> lane & 1) != live) differ("live mask", top->start_live_o, lane);
      if (!live) continue;
      same("tid.x", w.tid[lane] % 2048, n % l.block[0]);
      same("tid.y", w.tid[lane] / 2048 % 2048, n / l.block[0] % l.block[1]);
      same("tid.z", w.tid[lane] >> 22, n / l.block[0] / l.block[1]);
    }
  }

  void look_start() {
    const unsigned s = top->start_slot_o, b = top->start_bslot_o;
    if (s >= warps || b >= blocks || warp[s].alive || !block[b].alive) {
      differ("start of a warp", s, b);
      return;
    }
    Block &mine = block[b];
    if (!(mine.warps >> s & 1) || (mine.started >> s & 1)) differ("a warp of another block starts", s, mine.warps);
    const unsigned index = ones(mine.started);
    if (mine.started >> s) differ("warps start out of order", s, mine.started);
    mine.started |= 1u << s;
    same("start ctaid.x", top->start_ctaid_x_o, mine.number % l.grid[0]);
    same("start ctaid.y", top->start_ctaid_y_o, mine.number / l.grid[0] % l.grid[1]);
    same("start ctaid.z", top->start_ctaid_z_o, mine.number / l.grid[0] / l.grid[1]);
    same("nwarps", top->start_nwarps_o, nwarps());
    same("shared base", top->start_shm_base_o, mine.shm_base);
    same("rows of thread ids", warp[s].beats, 32 / lanes);
    look_lanes(warp[s], index);
    if (top->start_rbase_o + l.regs > regs) differ("registers beyond the end", top->start_rbase_o, regs);
    for (auto &o : warp)
      if (o.alive && (&o - warp.data()) % partitions == s % partitions && top->start_rbase_o < o.rbase + l.regs &&
          o.rbase < top->start_rbase_o + l.regs)
        differ("registers in use", top->start_rbase_o, o.rbase);
    same("generation", top->start_gen_o, (warp[s].gen + 1) & 255);
    warp[s].gen = top->start_gen_o;
    warp[s].alive = true;
    warp[s].block = b;
    warp[s].rbase = top->start_rbase_o;
    warp[s].ends = cycle + 1 + (stay ? stay : below(3) ? below(400) : below(4));
    warp[s].beats = 0;
    if (cycle - last_start < least_gap) least_gap = cycle - last_start;
    if (launch_started++ && !ended && cycle - last_start > widest_gap) widest_gap = cycle - last_start;
    last_start = cycle;
    started++;
  }

  void look_end() {
    const unsigned b = top->end_bslot_o;
    if (halted) differ("a block ends after a halt", b, 0);
    if (b >= blocks || !block[b].alive) {
      differ("end of a block slot", b, 0);
      return;
    }
    same("block ends with warps not started", block[b].started, block[b].warps);
    same("block ends with warps not ended", block[b].ended, block[b].warps);
    block[b].alive = false;
    ended = true;
  }
};

} // namespace cta

#endif
