// SPDX-License-Identifier: Apache-2.0
// Random control instructions of all warps against a plain model of isa/doc/03-divergence.md: after every instruction
// masks, barriers, result and hash must agree. With --fault N the same run must find a difference. --its: that unit, of
// which the cycles of a warp alone are checked, too. The prose leaves open in which order the paths of one release are
// pushed: here it is that in which they were parked, as the unit has it.
//   divergence_test [--steps N] [--seed S] [--its 1] [--fault N]
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>
#include <Vtop.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/divergence/divergence_ref.h"
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>

namespace {

struct Slot {
  Warp model, before;
  bool alive, busy, check_hash;
  Instruction in;
  Outcome expect;
  unsigned next_beat, delay, gen;
  uint32_t seq;
  uint64_t sent, last_beat;
  uint64_t hash_at;   // cycle from which the hash is asked for: issue does not ask earlier
  unsigned look, end; // barriers that are still to be looked at
  unsigned style;
};

std::mt19937_64 rng;
uint32_t rnd() {
  return uint32_t(rng());
}
unsigned below(unsigned n) {
  return n ? rnd() % n : 0;
}

struct Bench {
  std::unique_ptr<VerilatedContext> context{new VerilatedContext};
  std::unique_ptr<Vtop> top;
  std::vector<Slot> slots;
  unsigned lanes = 0, warps = 0, beats = 0;
  uint64_t cycle = 0, differences = 0;
  uint64_t looked = 0, can_start = 0;
  uint64_t count[OPS] = {}, done[OPS] = {}, traps[16] = {}, pops = 0, releases = 0, ended = 0, deepest = 0, again = 0;
  uint64_t turns = 0, waited = 0, worn_out = 0, places = 0, freed = 0;
  uint64_t followed[2] = {}; // jumps after which fetch is where the warp goes on; is not
  bool its = false;
  unsigned best[OPS], worst[OPS] = {};
  uint32_t code_bytes = 0;

  bool differ(const Slot &s, const char *what, uint64_t got, uint64_t want) {
    if (differences++ < 5)
      fprintf(stderr, "cycle %llu slot %u seq %u %s pc %x exec %x bx %u: %s is %llx, expected %llx\n",
              (unsigned long long)cycle, unsigned(&s - slots.data()), s.in.seq, op_name[s.in.op], s.in.pc, s.in.exec,
              s.in.bx, what, (unsigned long long)got, (unsigned long long)want);
    return false;
  }

  void tick() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    cycle++;
  }

  uint32_t subset(uint32_t mask) {
    switch (below(6)) {
    case 0:
      return mask;
    case 1:
      return mask & (mask - 1); // all but the lowest
    case 2:
      return mask & (0u - mask); // the lowest only
    case 3:
      return mask & rnd() & rnd();
    case 4:
      return below(8) ? mask & rnd() : 0;
    default:
      return mask & rnd();
    }
  }

  // Where lanes park that come to a barrier where others are: at their PC, or (`its`) at another.
  uint32_t place(const std::vector<Path> &paths, uint32_t own) {
    return its && below(2) ? own + 16 * below(64) : paths[its ? below(unsigned(paths.size())) : 0].pc;
  }

  // The next instruction of a warp: something that issue would let through.
  Instruction choose(Slot &s) {
    Warp &w = s.model;
    Instruction in = {};
    in.pc = w.pc + 16 * below(3);
    in.bx = below(s.style & 1 ? 16 : 3);
    in.seq = s.seq++;
    in.exec = subset(w.active);
    if (s.style & 4) { // towards a deep stack: peel lane after lane
      if (w.active & (w.active - 1)) {
        in.op = below(3) ? BRA : BRX;
        in.exec = w.active & (w.active - 1);
        in.off = in.op == BRA ? 64 : 0;
        return in;
      }
      if (below(100) < 2) s.style &= ~4u;
    }
    if (its && s.style & 16 && !w.waiting.empty()) { // a turn to its end
      if (below(200) == 0) s.style &= ~16u;
      in.op = below(4) ? BRA : CALL_REL;
      in.exec = below(4) ? w.active : 0;
      in.off = (below(200) - 100) * 16;
      return in;
    }
    const unsigned roll = below(130);
    const unsigned exits = s.style & 2 ? 3 : 12;
    if (roll < 30)
      in.op = below(4) ? BRA : CALL_REL;
    else if (roll < 42)
      in.op = Op(BRX + below(3));
    else if (roll < 60)
      in.op = BSSY;
    else if (roll < 82)
      in.op = BSYNC;
    else if (roll < 88)
      in.op = BREAK;
    else if (roll < 88 + exits)
      in.op = below(4) ? EXIT : KILL;
    else if (roll < 100)
      in.op = below(2) ? BRA : JMP;
    else if (roll < 114)
      in.op = WARPSYNC;
    else if (its && roll < 120)
      in.op = below(2) ? YIELD : NANOSLEEP;
    else
      in.op = Op(BMOV_SET + below(3));
    if (in.op == JMP) {
      in.off = (below(4) ? below(200) : rnd()) * 16; // issue lets no other address through
    } else if (in.op == BRA || in.op == CALL_REL) {
      // With short words the lowest bit is the size of what is parked: fetch lets no odd PC come this far.
      in.off = below(4) ? (below(200) - 100) * 16 : rnd() & (pc_step == 8 ? ~7u : ~0u);
    } else if (in.op == BSYNC) {
      // Lanes are members and all park at one PC; look for a barrier that has some of them.
      for (unsigned k = 0; k < 16 && (w.members[in.bx] & w.active) == 0; k++) in.bx = (in.bx + 1) % 16;
      in.exec = (below(4) ? w.active : subset(w.active)) & w.members[in.bx];
      // Under `its` each may park elsewhere: arms that share a barrier, mostly few lanes at a time.
      if (its && s.style & 8 && below(3)) in.exec &= 0u - in.exec;
      if (!w.at[in.bx].empty()) in.pc = place(w.at[in.bx], in.pc);
    } else if (in.op == WARPSYNC) {
      // Mostly all lanes that live, or those that the first to come named.
      uint32_t m = below(3) ? ~w.exited : in.exec | (~w.exited & rnd()) | (below(4) ? 0 : rnd());
      if (!w.at[W].empty() && below(100)) {
        m = w.members[W];
        in.pc = place(w.at[W], in.pc);
        in.exec &= m;
      }
      if (below(200) == 0) m &= rnd();
      in.off = rnd();
      for (unsigned l = 0; l < 32; l++) in.base[l] = below(4) ? m : rng();
      in.base[lowest(in.exec)] = (rng() & ~0xffffffffull) | m;
    } else if (in.op == BMOV_SET || in.op == NANOSLEEP) {
      in.off = rnd();
      const uint32_t all = w.members[in.bx] | w.parked(in.bx);
      for (unsigned l = 0; l < 32; l++) in.base[l] = below(3) ? all & ~(below(2) ? 0 : rnd()) : below(2) ? 0 : rng();
    } else if (in.op >= BRX && in.op <= RET) {
      in.off = below(3) ? 0 : rnd();
      uint64_t targets[4];
      for (auto &t : targets) t = below(code_bytes / pc_step) * pc_step;
      const unsigned kinds = 1 + below(4), bad = below(20);
      for (unsigned l = 0; l < 32; l++) {
        uint64_t t = targets[below(kinds)];
        if (bad == 0 && below(10) == 0) {
          const uint64_t wrong[4] = {t + 1 + below(pc_step - 1), code_bytes + 16 * below(1000),
                                     t | 1ull << (32 + below(32)), ~0ull << 4};
          t = wrong[below(4)];
        }
        if (!(in.exec >> l & 1) && below(2)) t = rng();
        in.base[l] = t - uint64_t(int64_t(int32_t(in.off)));
      }
    }
    return in;
  }

  void compare_lanes(const Slot &s) {
    const Warp &w = s.model;
    top->q_slot_i = uint8_t(&s - slots.data());
    top->eval();
    if (top->q_active_o != w.active) differ(s, "active", top->q_active_o, w.active);
    if (top->q_live_o != ~w.exited) differ(s, "live", top->q_live_o, ~w.exited);
  }

  // Barriers are looked at one a cycle: asked for in one, seen in the next.
  int looker = -1;
  void look() {
    if (looker >= 0) {
      Slot &s = slots[unsigned(looker)];
      const Warp &w = s.model;
      const unsigned x = s.look;
      top->q_slot_i = uint8_t(looker);
      top->q_bx_i = uint8_t(x);
      top->eval();
      if (top->q_members_o != w.members[x]) differ(s, "B", top->q_members_o, w.members[x]);
      if (top->q_parked_o != w.parked(x)) differ(s, "P", top->q_parked_o, w.parked(x));
      if (!its && !w.at[x].empty() && top->q_parkpc_o != w.at[x][0].pc)
        differ(s, "parkPC", top->q_parkpc_o, w.at[x][0].pc);
      looked++;
      if (++s.look >= s.end) looker = -1;
    }
    for (unsigned i = 0; i < warps && looker < 0; i++)
      if (slots[i].look < slots[i].end) looker = int(i);
    top->sel_valid_i = looker >= 0;
    top->sel_slot_i = uint8_t(looker >= 0 ? looker : int(below(warps)));
    top->sel_bx_i = uint8_t(looker >= 0 ? slots[unsigned(looker)].look : below(16));
  }

  // All barriers of a warp, or the one that its instruction named.
  void look_at(Slot &s, bool all) {
    s.look = all ? 0 : s.in.bx;
    s.end = all ? 16 : s.in.bx + 1;
  }

  void start_warp(Slot &s, uint32_t live) {
    s.model.its = its;
    s.model.start(live);
    s.alive = true;
    s.busy = false;
    s.check_hash = true;
    s.hash_at = cycle + 2;
    look_at(s, true);
    can_start = cycle + 4 + below(8); // the dispatcher takes more
    s.seq = 0;
    s.gen = (s.gen + 1) & 255;
    s.style = rnd();
    top->start_valid_i = 1;
    top->start_slot_i = uint8_t(&s - slots.data());
    top->start_live_i = live;
  }

  // The event of an instruction.
  void send(const Slot &s) {
    top->ctl_valid_i = 1;
    top->ctl_slot_i = uint8_t(&s - slots.data());
    top->ctl_gen_i = uint8_t(s.gen);
    top->ctl_seq_i = s.in.seq;
    top->ctl_op_i = uint8_t(s.in.op);
    top->ctl_pc_i = s.in.pc;
    top->ctl_short_i = size_at(s.in.pc) == 8;
    top->ctl_followed_i = s.in.followed;
    top->ctl_exec_i = s.in.exec;
    top->ctl_off_i = s.in.off;
    top->ctl_bx_i = uint8_t(s.in.bx);
  }

  bool run(uint64_t steps) {
    uint64_t finished = 0, idle = 0;
    while (finished < steps && differences == 0 && idle < 10000) {
      // What the last edge brought.
      top->start_valid_i = 0;
      top->ctl_valid_i = 0;
      top->br_valid_i = 0;
      top->eval();
      idle++;
      for (auto &s : slots) {
        if (!s.check_hash || cycle < s.hash_at) continue;
        s.check_hash = false;
        compare_lanes(s);
        if (top->q_hash_o != s.model.hash()) differ(s, "hash", top->q_hash_o, s.model.hash());
      }
      if (top->done_valid_o || top->trap_valid_o) {
        Slot &s = slots[top->done_valid_o ? top->done_slot_o : top->trap_slot_o];
        const Outcome &e = s.expect;
        if (!s.busy) differ(s, "busy", 0, 1);
        if (top->done_valid_o && top->trap_valid_o) differ(s, "both", 1, 0);
        if (bool(top->trap_valid_o) != e.trap) differ(s, "trap", top->trap_valid_o, e.trap);
        if (e.trap && top->trap_valid_o) {
          if (top->trap_cause_o != e.cause) differ(s, "cause", top->trap_cause_o, e.cause);
          if (top->trap_lanes_o != e.lanes) differ(s, "lanes", top->trap_lanes_o, e.lanes);
          if (top->trap_addr_o != e.addr) differ(s, "addr", top->trap_addr_o, e.addr);
          if (top->trap_pc_o != s.in.pc) differ(s, "trap pc", top->trap_pc_o, s.in.pc);
          if (top->trap_seq_o != s.in.seq) differ(s, "trap seq", top->trap_seq_o, s.in.seq);
          if (top->trap_gen_o != s.gen) differ(s, "trap gen", top->trap_gen_o, s.gen);
          traps[e.cause]++;
          s.alive = false;
        } else if (!e.trap) {
          if (bool(top->done_ended_o) != e.ended) differ(s, "ended", top->done_ended_o, e.ended);
          if (!e.ended && bool(top->done_redirect_o) != e.redirect)
            differ(s, "redirect", top->done_redirect_o, e.redirect);
          if (!e.ended && bool(top->done_moved_o) != e.moved) differ(s, "moved", top->done_moved_o, e.moved);
          if (!e.ended && top->done_pc_o != e.pc) differ(s, "pc", top->done_pc_o, e.pc);
          if (e.ended) {
            ended++;
            s.alive = false;
          }
        }
        compare_lanes(s);
        if (s.model.waited > waited) waited = s.model.waited;
        look_at(s, s.in.op == EXIT || s.in.op == KILL || s.in.op == YIELD || below(16) == 0);
        s.check_hash = true;
        s.hash_at = cycle + 2;
        s.busy = false;
        done[s.in.op]++;
        const unsigned took = unsigned(cycle - (reads(s.in.op) ? s.last_beat : s.sent));
        if (took < best[s.in.op]) best[s.in.op] = took;
        if (took > worst[s.in.op]) worst[s.in.op] = took;
        finished++;
        idle = 0;
      }

      look();

      // One control instruction a cycle at most.
      Slot &s = slots[below(warps)];
      if (s.alive && !s.busy && !s.check_hash && s.look >= s.end && below(8)) {
        s.in = choose(s);
        s.in.followed = (s.in.op == BRA || s.in.op == JMP || s.in.op == CALL_REL) && below(2);
        const size_t depth = s.model.waiting.size();
        s.expect = step(s.model, s.in, code_bytes);
        if (s.in.followed) followed[s.expect.redirect]++;
        if (s.model.waiting.size() > deepest) deepest = s.model.waiting.size();
        for (const auto &paths : s.model.at)
          if (paths.size() > places) places = paths.size();
        if (s.model.waiting.size() > depth + 2) freed++;
        if (depth && s.model.worn_out) worn_out++;
        if (s.in.op >= BRX && s.in.op <= RET && s.model.waiting.size() == depth + 2) again++;
        if (depth && s.model.waiting.size() >= depth && s.model.turn == 0 && s.in.exec) turns++;
        count[s.in.op]++;
        s.busy = true;
        s.sent = cycle;
        s.next_beat = 0;
        s.delay = below(6);
        send(s);
      }

      // One beat of register targets.
      Slot &t = slots[below(warps)];
      if (t.busy && reads(t.in.op) && t.next_beat < beats && t.sent != cycle) {
        if (t.delay) {
          t.delay--;
        } else {
          top->br_valid_i = 1;
          top->br_slot_i = uint8_t(&t - slots.data());
          top->br_beat_i = uint8_t(t.next_beat);
          for (unsigned l = 0; l < lanes; l++) {
            const uint64_t base = t.in.base[t.next_beat * lanes + l];
            top->br_lo_i[l] = uint32_t(base);
            top->br_hi_i[l] = uint32_t(base >> 32);
          }
          if (++t.next_beat == beats) t.last_beat = cycle;
        }
      }

      // Warps come to life at any time, above all when an instruction ends, while the hash may still have to be told of
      // its last step; but not when a trap is shown: a start would hold it up for a cycle.
      if (!top->trap_valid_o && cycle >= can_start && (top->done_valid_o || below(16) == 0)) {
        for (auto &n : slots) {
          if (n.alive || n.busy || n.check_hash || n.look < n.end) continue;
          start_warp(n, below(3) ? 0xffffffffu : (below(2) ? 0xffffffffu >> below(32) : rnd() | 1));
          break;
        }
      }
      tick();
    }
    if (finished < steps && differences == 0) {
      fprintf(stderr, "nothing finishes any more at cycle %llu\n", (unsigned long long)cycle);
      return false;
    }
    return differences == 0;
  }

  // One instruction of a warp alone, which reads nothing: it must take so many steps from its event to dv_done. A step
  // is a cycle, with a rank two.
  bool alone(Slot &s, Op op, uint32_t pc, uint32_t exec, unsigned steps) {
    const unsigned cycles = 1 + (top->rank_o ? 2 * steps : steps);
    s.in = {};
    s.in.op = op;
    s.in.pc = pc;
    s.in.exec = exec;
    s.in.seq = s.seq++;
    step(s.model, s.in, code_bytes);
    send(s);
    const uint64_t sent = cycle;
    tick();
    top->ctl_valid_i = 0;
    while (!top->done_valid_o && !top->trap_valid_o && cycle - sent < 1000) tick();
    if (!top->done_valid_o) return differ(s, "trap, or no end", 0, 1);
    if (cycle - sent != cycles) return differ(s, "cycles", cycle - sent, cycles);
    for (int i = 0; i < 4; i++) tick();
    compare_lanes(s);
    if (top->q_hash_o != s.model.hash()) differ(s, "hash", top->q_hash_o, s.model.hash());
    return differences == 0;
  }

  // The steps that divergence_steps promises: BSYNCs of one barrier at one PC; of `its`, at many.
  bool lone() {
    const uint32_t at = 0x1000;
    Slot &s = slots[0];
    start_warp(s, ~0u);
    tick();
    top->start_valid_i = 0;
    for (int i = 0; i < 4; i++) tick();
    bool ok = alone(s, BSSY, 0, ~0u, 1) && alone(s, BSYNC, at, 1, 1) && alone(s, BSYNC, at, 2, 1);
    unsigned listed = 0; // paths beside the first
    if (its) {
      // A step for each path that is looked at, if there are any, and one to park: lanes 2 to 29, each elsewhere.
      for (unsigned l = 2; l < 30 && ok; l++) {
        ok = alone(s, BSYNC, at + 16 * l, 1u << l, 2 + listed);
        listed++;
      }
      ok = ok && alone(s, BSYNC, at + 16 * 2, 1u << 30, 3); // the first one of them
    } else {
      ok = ok && alone(s, BSYNC, at, 0x7ffffffc, 1);
    }
    // All are released: each path is a step with two items; then a pop.
    if (its) {
      ok = ok && alone(s, BSYNC, at + 16 * 31, 1u << 31, 2 + listed + (listed + 2) + 2);
      ok = ok && alone(s, YIELD, at + 16, 3, 1 + 3);
    } else {
      ok = ok && alone(s, BSYNC, at, 1u << 31, 1 + 2);
    }
    ok = ok && alone(s, EXIT, s.model.pc, s.model.active & (0u - s.model.active), 1);
    for (int i = 0; i < 4; i++) tick();
    return ok;
  }

  // The shortest time of an instruction: two cycles, of one that reads a register four after its last beat; with a rank
  // one more.
  bool quick() {
    for (int op = 0; op < OPS; op++) {
      const unsigned want = (reads(Op(op)) ? 4 : 2) + top->rank_o;
      if (done[op] < 1000 || best[op] == want) continue;
      fprintf(stderr, "%s: %u cycles at best, expected %u\n", op_name[op], best[op], want);
      return false;
    }
    return true;
  }

  bool go(uint64_t seed, uint64_t steps, unsigned fault) {
    context->randReset(2);
    context->randSeed(int(seed & 0x7fffffff) | 1);
    if (fault != 0) heddle_fault() = fault;
    top.reset(new Vtop{context.get()});
    top->start_valid_i = top->ctl_valid_i = top->br_valid_i = top->sel_valid_i = 0;
    code_bytes = 16 * (64 + below(4096));
    top->code_bytes_i = code_bytes;
    top->its_i = its;
    top->rst_ni = 0;
    for (int i = 0; i < 4; i++) tick();
    top->rst_ni = 1;
    top->eval();
    lanes = top->lanes_o;
    pc_step = top->step_o;
    warps = top->warps_o;
    beats = 32 / lanes;
    slots.assign(warps, Slot{});
    for (auto &b : best) b = ~0u;
    bool ok = fault != 0 || lone();
    top->rst_ni = 0;
    tick();
    top->rst_ni = 1;
    top->eval();
    slots.assign(warps, Slot{});
    looker = -1;
    ok = ok && run(steps) && quick();
    top->final();
    return ok;
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t steps = args.number("--steps", 200000), seed = args.number("--seed", 1);
  const unsigned fault = args.small("--fault", 0);
  const bool its = args.small("--its", 0) != 0;
  args.all();
  rng.seed(seed);
  Bench bench;
  bench.its = its;
  bool ok = bench.go(seed, steps, fault);
  for (int op = 0; op < OPS; op++)
    printf("%-8s %8llu sent, %u to %u cycles\n", op_name[op], (unsigned long long)bench.count[op], bench.best[op],
           bench.worst[op]);
  printf(
      "barriers looked at %llu, ended %llu, bad targets %llu, deadlocks %llu, deepest stack %llu, double pushes %llu\n",
      (unsigned long long)bench.looked, (unsigned long long)bench.ended, (unsigned long long)bench.traps[TRAP_BAD_PC],
      (unsigned long long)bench.traps[TRAP_DEADLOCK], (unsigned long long)bench.deepest,
      (unsigned long long)bench.again);
  printf("paths at one barrier %llu, released into more than two %llu\n", (unsigned long long)bench.places,
         (unsigned long long)bench.freed);
  printf("misfits of WARPSYNC %llu, turns %llu, %llu of them of 64 instructions, a path waited for %llu instructions\n",
         (unsigned long long)bench.traps[TRAP_DIVERGENCE], (unsigned long long)bench.turns,
         (unsigned long long)bench.worn_out, (unsigned long long)bench.waited);
  printf("jumps followed %llu, in vain %llu\n", (unsigned long long)bench.followed[0],
         (unsigned long long)bench.followed[1]);
  if (!fault && steps >= 100000 && (bench.followed[0] < 1000 || bench.followed[1] < 1000)) {
    printf("too tame: few jumps were followed, or none in vain\n");
    ok = false;
  }
  if (its && bench.waited > 31 * TURN) {
    printf("a path waited too long\n");
    ok = false;
  }
  // Paths at one barrier: enough to need the list, and to walk it.
  if (its && !fault && steps >= 100000 && (bench.places < 8 || bench.freed < 10 || bench.worn_out < 10)) {
    printf("too tame: few lanes park apart, or few turns come to their end\n");
    ok = false;
  }
  if (fault) {
    printf("fault %u %s (seed %llu)\n", fault, ok ? "NOT found" : "found", (unsigned long long)seed);
    return ok ? 1 : 0;
  }
  printf("divergence: %s, %llu instructions, seed %llu\n", ok ? "passed" : "FAILED", (unsigned long long)steps,
         (unsigned long long)seed);
  return ok ? 0 : 1;
}
