// SPDX-License-Identifier: Apache-2.0
// A plain model of a warp's control state, written from isa/doc/03-divergence.md for divergence_test alone: masks,
// waiting paths, barriers, turns of `its`, and what each control instruction does to them.
#ifndef DIVERGENCE_REF_H
#define DIVERGENCE_REF_H
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

enum Op {
  BRA,
  CALL_REL,
  BRX,
  CALL_ABS,
  RET,
  BSSY,
  BSYNC,
  BREAK,
  EXIT,
  JMP,
  KILL,
  WARPSYNC,
  BMOV_SET,
  BMOV_GET,
  BMOV_CLEAR,
  YIELD,
  NANOSLEEP,
  OPS
};
const char *const op_name[OPS] = {
    "BRA", "CALL.REL", "BRX",      "CALL.ABS", "RET",      "BSSY",           "BSYNC", "BREAK",    "EXIT",
    "JMP", "KILL",     "WARPSYNC", "BMOV.SET", "BMOV.GET", "BMOV.GET.CLEAR", "YIELD", "NANOSLEEP"};
const unsigned TRAP_BAD_PC = 2, TRAP_DIVERGENCE = 7, TRAP_DEADLOCK = 8;
const unsigned W = 16;    // the barrier of WARPSYNC
const unsigned TURN = 64; // instructions of a turn of `its`

// The unit of a PC, and the distance to the next instruction: with short words 8 or 16 bytes, whatever
// the place says.
unsigned pc_step = 16;
uint32_t size_at(uint32_t pc) {
  return pc_step == 8 && (pc % 16 == 8 || (pc / 16 * 0x9e3779b1u) >> 31) ? 8 : 16;
}

// It reads a register, or an immediate that comes the same way.
bool reads(Op op) {
  return (op >= BRX && op <= RET) || op == WARPSYNC || op == BMOV_SET || op == NANOSLEEP;
}
// It counts towards the end of a turn: whatever does not just go on at the next word.
bool counts(Op op) {
  return op != BSSY && op != BMOV_GET && op != BMOV_CLEAR;
}

struct Path {
  uint32_t mask, pc;
  uint64_t since; // instructions that had counted when it began to wait
};

struct Warp {
  uint32_t active, pc, exited;
  std::vector<Path> waiting;
  uint32_t members[W + 1];
  std::vector<Path> at[W + 1]; // the paths that are parked at a barrier; of `stack` one at most
  bool its;
  unsigned turn;    // instructions of this turn
  uint64_t counted; // of all turns
  uint64_t waited;  // the longest wait that has ended
  bool worn_out;    // the last instruction was the 64th of its turn

  void start(uint32_t live) {
    active = live;
    exited = ~live;
    pc = 0;
    waiting.clear();
    turn = 0;
    counted = waited = 0;
    memset(members, 0, sizeof members);
    for (auto &paths : at) paths.clear();
  }

  uint32_t parked(unsigned x) const {
    uint32_t lanes = 0;
    for (const Path &path : at[x]) lanes |= path.mask;
    return lanes;
  }

  // Lanes park at x: with those that are there with the same PC, or (`stack`, where issue lets nothing else through)
  // anyhow.
  void park(unsigned x, uint32_t lanes, uint32_t here) {
    for (Path &path : at[x])
      if (path.pc == here) {
        path.mask |= lanes;
        return;
      }
    at[x].push_back({lanes, here, 0});
  }

  uint64_t hash() const {
    uint64_t sum = 0;
    auto add = [&](unsigned tag, uint32_t at, uint32_t mask, unsigned r) {
      if (mask == 0) return;
      uint64_t item = uint64_t(tag) << 56 | uint64_t(at & 0xffffff) << 32 | mask;
      r %= 64;
      sum ^= r ? (item << r | item >> (64 - r)) : item;
    };
    for (unsigned d = 0; d < waiting.size(); d++) {
      const unsigned name = its ? unsigned(__builtin_ctz(waiting[d].mask)) : d;
      add(0x80 + name, waiting[d].pc, waiting[d].mask, 2 * name + 1);
    }
    for (unsigned x = 0; x < 16; x++) {
      add(0x20 + x, 0, members[x], 3 * x + 2);
      for (const Path &path : at[x]) add(0x40 + x, path.pc, path.mask, 3 * x + 17);
    }
    add(0x30, 0, members[W], 50);
    for (const Path &path : at[W]) add(0x50, path.pc, path.mask, 53);
    add(0x10, 0, exited, 7);
    return sum;
  }

  void push(uint32_t mask, uint32_t where) { waiting.push_back({mask, where, counted}); }

  Path pop() {
    const auto next = its ? waiting.begin() : waiting.end() - 1;
    const Path path = *next;
    waiting.erase(next);
    turn = 0;
    if (counted - path.since > waited) waited = counted - path.since;
    return path;
  }
};

struct Outcome {
  bool trap, ended;
  bool moved;    // it goes on elsewhere than behind the instruction
  bool redirect; // ... than where fetch is
  unsigned cause;
  uint32_t lanes, pc;
  uint64_t addr;
};

struct Instruction {
  Op op;
  uint32_t pc, exec, off, seq;
  unsigned bx;
  bool followed; // a direct jump that fetch has followed to its target
  uint64_t base[32];
};

uint64_t target_of(const Instruction &in, unsigned lane) {
  return in.base[lane] + uint64_t(int64_t(int32_t(in.off)));
}

// `yielding` lanes need not be waited for.
void release_check(Warp &w, unsigned x, uint32_t yielding = 0) {
  const uint32_t parked = w.parked(x), go = parked & w.members[x];
  if (go == 0) return;
  if ((w.members[x] & ~w.exited & ~parked & ~yielding) != 0) return;
  w.members[x] = x == W ? 0 : w.members[x] & ~go;
  std::vector<Path> stay;
  for (Path path : w.at[x]) {
    if (path.mask & go) w.push(path.mask & go, path.pc + size_at(path.pc));
    path.mask &= ~go;
    if (path.mask) stay.push_back(path);
  }
  w.at[x] = stay;
}

unsigned lowest(uint32_t mask) {
  return mask ? unsigned(__builtin_ctz(mask)) : 0;
}

// Effect of one instruction; `w` is only changed when it has one.
Outcome step(Warp &w, const Instruction &in, uint32_t code_bytes) {
  Outcome out = {};
  const uint32_t next = in.pc + size_at(in.pc), rest = w.active & ~in.exec;
  const uint32_t value = uint32_t(in.base[lowest(in.exec)]); // of the lowest executing lane
  bool jump = false, over = false, there = false; // there: lanes take the jump, and no other path comes first
  w.worn_out = false;
  w.pc = next;
  switch (in.op) {
  case BRA:
  case CALL_REL:
  case JMP:
    if (in.exec == 0) break;
    if (rest) w.push(rest, next);
    w.active = in.exec;
    w.pc = in.op == JMP ? in.off : next + in.off;
    jump = there = true;
    break;
  case BRX:
  case CALL_ABS:
  case RET: {
    if (in.exec == 0) break;
    uint32_t bad = 0, same = 0;
    int first = -1, first_bad = -1;
    for (int l = 0; l < 32; l++) {
      if (!(in.exec >> l & 1)) continue;
      const uint64_t t = target_of(in, unsigned(l));
      if (t >> 32 || t % pc_step || t >= code_bytes) {
        bad |= 1u << l;
        if (first_bad < 0) first_bad = l;
      }
      if (first < 0) first = l;
      if (t == target_of(in, unsigned(first))) same |= 1u << l;
    }
    if (bad) {
      out.trap = true;
      out.cause = TRAP_BAD_PC;
      out.lanes = bad;
      out.addr = target_of(in, unsigned(first_bad));
      return out;
    }
    if (rest) w.push(rest, next);
    if (in.exec & ~same) w.push(in.exec & ~same, in.pc);
    w.active = same;
    w.pc = uint32_t(target_of(in, unsigned(first)));
    jump = true;
    break;
  }
  case BSSY:
    w.members[in.bx] |= in.exec;
    break;
  case BSYNC:
    if (in.exec == 0) break;
    w.park(in.bx, in.exec, in.pc);
    w.active = rest;
    release_check(w, in.bx);
    break;
  case WARPSYNC:
    if (in.exec == 0) break;
    if ((in.exec & ~value) || (!w.at[W].empty() && (w.members[W] != value || (!w.its && w.at[W][0].pc != in.pc)))) {
      out.trap = true;
      out.cause = TRAP_DIVERGENCE;
      out.lanes = in.exec & ~value ? in.exec & ~value : in.exec;
      return out;
    }
    w.members[W] = value;
    w.park(W, in.exec, in.pc);
    w.active = rest;
    release_check(w, W);
    break;
  case BREAK:
    w.members[in.bx] &= ~in.exec;
    release_check(w, in.bx);
    break;
  case BMOV_SET:
    if (in.exec == 0) break;
    w.members[in.bx] = value;
    release_check(w, in.bx);
    break;
  case BMOV_GET:
    break;
  case BMOV_CLEAR:
    if (in.exec) w.members[in.bx] = 0;
    break;
  case YIELD:
    for (unsigned x = 0; x < 16 && w.its && in.exec; x++) release_check(w, x, in.exec);
    over = true;
    break;
  case NANOSLEEP:
    over = true;
    break;
  default:
    w.exited |= in.exec;
    w.active = rest;
    for (unsigned x = 0; x <= W; x++) release_check(w, x);
    break;
  }
  if (in.exec && counts(in.op)) {
    w.counted++;
    if (w.turn == TURN - 1) over = w.worn_out = true;
    if (w.turn < TURN - 1) w.turn++;
  }
  if (w.its && over && in.exec && w.active && !w.waiting.empty()) {
    w.push(w.active, w.pc);
    w.active = 0;
  }
  if (w.active == 0) {
    if (!w.waiting.empty()) {
      const Path path = w.pop();
      w.active = path.mask;
      w.pc = path.pc;
      jump = w.pc != next;
      there = false;
    } else if (~w.exited) {
      out.trap = true;
      out.cause = TRAP_DEADLOCK;
      out.lanes = ~w.exited;
      return out;
    } else {
      out.ended = true;
    }
  }
  out.moved = jump;
  out.redirect = in.followed ? !there : jump;
  out.pc = w.pc;
  return out;
}

} // namespace
#endif
