// SPDX-License-Identifier: Apache-2.0
// Random launches against the plain meaning of a grid (cta_bench.h); launches that must be refused; partitions that get
// warps in turns, slots that are all used, and a warp as often as the header says; halts, and what a launch after one
// is like.
//   cta_test [--launches N] [--seed S] [--fault N]      (with --fault the same run must find a difference)
#include <cstdlib>
#include "tests/rtl/arguments.h"
#include "tests/rtl/cta/cta_bench.h"
#include "cosim/verilator/fault_number.hpp"

using namespace cta;

namespace {

struct Driver : Bench {
  // Many blocks of warps that stay: they take every block slot, or all places for warps that whole blocks can have, in
  // every partition as many.
  bool fill(unsigned nwarps, unsigned rows) {
    l = {{100, 1, 1}, {32 * nwarps, 1, 1}, rows, 0};
    if (nwarps > places()) return true;
    stay = 4000;
    most = widest_gap = 0;
    const bool ok = run();
    stay = 0;
    if (most * nwarps > 1) same("cycles from warp to warp while there is room", widest_gap, steps());
    same("blocks at once", most, std::min(blocks, places() / nwarps));
    return ok && differences == 0;
  }
  bool fill() {
    bool ok = true;
    for (unsigned nwarps = 1; nwarps <= 3; nwarps++)
      for (unsigned rows : {1u, std::min(255u, regs / 3)}) ok = ok && fill(nwarps, rows);
    return ok;
  }

  bool one() {
    choose();
    return run();
  }

  void begin() {
    ended = halted = false;
    launch_started = next_block = 0;
    for (auto &w : warp) w.gen = 0; // they count anew in each launch, without a reset before it
    top->grid_x_i = l.grid[0], top->grid_y_i = l.grid[1], top->grid_z_i = l.grid[2];
    top->block_x_i = uint16_t(l.block[0]), top->block_y_i = uint16_t(l.block[1]), top->block_z_i = uint16_t(l.block[2]);
    top->regs_i = uint16_t(l.regs);
    top->shared_bytes_i = l.shared;
    if (top->busy_o) differ("busy before go", 1, 0);
    top->go_i = 1;
    tick();
    top->go_i = 0;
    launches++;
  }

  // Idle: no warp lives. A starting warp is seen busy in its first cycle already.
  void idle() {
    uint32_t mask = ~0u;
    for (unsigned s = 0; s < warps; s++) {
      if (warp[s].alive && cycle >= warp[s].ends) {
        warp[s].alive = false;
        block[warp[s].block].ended |= 1u << s;
      }
      if (warp[s].alive) mask &= ~(1u << s);
    }
    top->idle_i = mask;
    top->eval();
  }

  bool run() {
    const unsigned refuse = refusal();
    const uint64_t total = uint64_t(l.grid[0]) * l.grid[1] * l.grid[2], began = cycle;
    begin();
    for (;;) {
      look();
      idle();
      if (differences) return false;
      if (top->grid_done_o) break;
      if (cycle - began > 2000000) return differ("cycles without an end", cycle - began, 0);
      tick();
    }
    same("refusal", top->refuse_o, refuse);
    refused[refuse]++;
    same("blocks", next_block, refuse ? 0 : total);
    for (auto &b : block)
      if (b.alive) differ("a block that lives on", b.number, 0);
    const unsigned pause = below(4);
    tick();
    if (top->busy_o || top->grid_done_o) differ("busy after the end", 1, 0);
    for (unsigned i = 0; i < pause; i++) tick();
    return differences == 0;
  }

  // A warp that lives traps in this cycle. Its partition says so at once, the SM to all a cycle later if there are
  // several. Of its block, or of all, every warp may be idle in that very cycle: nothing may end for it.
  void trap(unsigned s) {
    const unsigned idle_now = below(4);
    for (auto &w : warp)
      if (w.alive && (idle_now == 2 || (idle_now == 1 && w.block == warp[s].block))) w.ends = cycle;
    if (idle_now == 3) warp[s].ends = cycle;
    top->is_halt_i = uint8_t(1u << s % partitions);
    top->sm_halt_i = partitions == 1;
    halted = true;
    halts++;
  }

  // Some warp that lives; without any, `warps`.
  unsigned living() const {
    std::vector<unsigned> those;
    for (unsigned s = 0; s < warps; s++)
      if (warp[s].alive && warp[s].ends > cycle) those.push_back(s);
    return those.empty() ? warps : those[below(unsigned(those.size()))];
  }

  // From the first cycle of a halt on no block begins or ends, whoever becomes idle, and the grid does not; a block
  // that has begun still starts its warps. So until the reset, after which all is as new.
  bool halt() {
    do choose();
    while (refusal() != 0);
    begin();
    const uint64_t from = cycle + below(600);
    for (uint64_t quiet = 0; quiet < steps() * warps + 500;) {
      look();
      const unsigned s = halted || (cycle < from && !last_of_grid()) ? warps : living();
      if (s < warps) trap(s);
      idle();
      if (!top->busy_o) differ("idle after a halt", 0, 1);
      if (top->grid_done_o) differ("a grid that is over after a halt", 1, 0);
      if (differences) return false;
      quiet += halted;
      tick();
      top->sm_halt_i = halted;
      if (halted && below(20) == 0) top->is_halt_i |= uint8_t(1u << below(partitions)); // others have traps, too
    }
    for (auto &b : block)
      if (b.alive) same("warps of a block that has begun", b.started, b.warps);
    reset();
    return differences == 0;
  }

  // The last block has begun, and soon the grid may be over: a trap comes now or never.
  bool last_of_grid() const { return next_block == uint64_t(l.grid[0]) * l.grid[1] * l.grid[2]; }

  void reset() {
    top->go_i = top->is_halt_i = top->sm_halt_i = 0;
    top->idle_i = ~0u;
    top->rst_ni = 0;
    for (int i = 0; i < 4; i++) tick();
    top->rst_ni = 1;
    top->eval();
    if (top->busy_o || top->grid_done_o) differ("busy after a reset", 1, 0);
    block.assign(blocks, Block());
    warp.assign(warps, Warp());
  }

  bool go(uint64_t seed, uint64_t n, unsigned fault) {
    context->randReset(2);
    context->randSeed(int(seed & 0x7fffffff) | 1);
    if (fault != 0) heddle_fault() = fault;
    top.reset(new Vtop{context.get()});
    top->eval();
    lanes = top->cfg_lanes_o, warps = top->cfg_warps_o, partitions = top->cfg_partitions_o, regs = top->cfg_regs_o,
    blocks = top->cfg_blocks_o, shared = top->cfg_shared_o;
    reset();
    bool ok = fill();
    same("cycles from warp to warp at best", least_gap, steps());
    ok = ok && differences == 0;
    for (uint64_t i = 0; i < n && ok; i++) ok = one() && (i % 4 != 0 || halt());
    top->final();
    return ok && differences == 0;
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t launches = args.number("--launches", 300), seed = args.number("--seed", 1);
  const unsigned fault = args.small("--fault", 0);
  args.all();
  rng.seed(seed);
  Driver b;
  const bool ok = b.go(seed, launches, fault);
  printf("%llu launches (accepted %llu; refused: grid %llu, block %llu, warps %llu, registers %llu, shared %llu; "
         "halts %llu), %llu warps, %llu rows, up to %llu blocks at once, a warp every %llu cycles at best\n",
         (unsigned long long)b.launches, (unsigned long long)b.refused[0], (unsigned long long)b.refused[1],
         (unsigned long long)b.refused[2], (unsigned long long)b.refused[3], (unsigned long long)b.refused[4],
         (unsigned long long)b.refused[5], (unsigned long long)b.halts, (unsigned long long)b.started,
         (unsigned long long)b.rows, (unsigned long long)b.most, (unsigned long long)b.least_gap);
  if (fault) {
    printf("fault %u %s (seed %llu)\n", fault, ok ? "NOT found" : "found", (unsigned long long)seed);
    return ok ? 1 : 0;
  }
  printf("cta: %s, seed %llu\n", ok ? "passed" : "FAILED", (unsigned long long)seed);
  return ok ? 0 : 1;
}
