// SPDX-License-Identifier: Apache-2.0
// The scheduling policies as the headers of rtl/issue/ say them, with plain lists. Each is called once a cycle with the
// warps that can go (bit i: warp i), and answers with the one that goes, or -1.
#pragma once
#include <algorithm>
#include <cstdint>
#include <heddle/host_regs.h>
#include <memory>
#include <vector>

struct Inputs {
  uint64_t eligible, waits_long, yield;
  int start; // a warp, or -1
};

inline bool has(uint64_t set, int warp) {
  return warp >= 0 && (set >> warp & 1) != 0;
}

// The first of `set` from warp `from` on, from the last back to the first; -1: it is empty.
inline int next_of(uint64_t set, int from, int warps) {
  for (int i = 0; i < warps; i++)
    if (has(set, (from + i) % warps)) return (from + i) % warps;
  return -1;
}

struct Policy {
  int warps;
  explicit Policy(int n) : warps(n) {}
  virtual ~Policy() = default;
  virtual int cycle(const Inputs &in) = 0;
  // Picks of others (two levels: cycles) that a warp which can always go may see; `gave_way`: it gave a yield hint.
  virtual uint64_t bound(bool gave_way) const = 0;
};

struct Lrr : Policy {
  int last = -1;
  uint64_t shy = 0;
  using Policy::Policy;
  int pick(uint64_t can, uint64_t yield) {
    int one = next_of((can & ~shy) != 0 ? can & ~shy : can, last + 1, warps);
    // Those that yielded and are alone: the lowest.
    if (can != 0 && (can & ~shy) == 0) one = next_of(can, 0, warps);
    if (one >= 0) last = one, shy = 0;
    shy |= yield;
    return one;
  }
  int cycle(const Inputs &in) override { return pick(in.eligible, in.yield); }
  uint64_t bound(bool gave_way) const override { return uint64_t(warps) - 1 + gave_way; }
};

struct Gto : Policy {
  uint64_t limit, picks = 0;
  std::vector<int> age; // oldest first
  int greedy = -1, turn = 0;
  bool owed = false;
  Gto(int n, uint64_t every) : Policy(n), limit(every) {
    for (int i = 0; i < n; i++) age.push_back(i);
  }
  int cycle(const Inputs &in) override {
    int one = has(in.eligible, greedy) ? greedy : -1;
    for (size_t i = 0; i < age.size() && one < 0; i++)
      if (has(in.eligible, age[i])) one = age[i];
    if (one >= 0 && ++picks % limit == 0) {
      greedy = next_of(in.eligible, turn, warps);
      turn = (greedy + 1) % warps;
      owed = true;
    } else if (one >= 0) {
      greedy = has(in.yield, one) ? -1 : one;
      owed = false;
    } else if (!owed && has(in.yield, greedy)) {
      greedy = -1;
    }
    if (in.start >= 0) {
      age.erase(std::find(age.begin(), age.end(), in.start));
      age.push_back(in.start);
    }
    return one;
  }
  uint64_t bound(bool) const override { return uint64_t(warps) * limit; }
};

struct TwoLevel : Policy {
  size_t size;
  uint64_t limit, kept_out = 0;
  std::vector<int> members, outside; // in the order in which they came
  Lrr inner;
  TwoLevel(int n, size_t most, uint64_t every) : Policy(n), size(most), limit(every), inner(n) {
    for (int i = 0; i < n; i++) outside.push_back(i);
  }
  static void move(std::vector<int> &from, std::vector<int> &to, int warp) {
    from.erase(std::find(from.begin(), from.end(), warp));
    to.push_back(warp);
  }
  int cycle(const Inputs &in) override {
    uint64_t inside = 0;
    for (int w : members) inside |= UINT64_C(1) << w;
    int one = inner.pick(in.eligible & inside, in.yield);
    // The warp that leaves: the lowest of those that wait long.
    int leaver = next_of(in.waits_long & inside, 0, warps), comer = -1;
    for (size_t i = 0; i < outside.size() && comer < 0; i++)
      if (!has(in.waits_long, outside[i])) comer = outside[i];
    bool room = members.size() < size || leaver >= 0;
    if (room || comer < 0)
      kept_out = 0;
    else if (++kept_out == limit)
      kept_out = 0, leaver = members.front();
    if (!room) comer = -1;
    if (comer >= 0) move(outside, members, comer);
    if (leaver >= 0) move(members, outside, leaver);
    started(in.start);
    return one;
  }
  void started(int warp) {
    if (warp < 0) return;
    auto &list = std::find(members.begin(), members.end(), warp) != members.end() ? members : outside;
    move(list, list, warp);
  }
  uint64_t bound(bool gave_way) const override { return (uint64_t(warps) - size) * (limit + 1) + 2 * size + gave_way; }
};

// The model of a policy (HEDDLE_POLICY_*) for so many warps.
inline std::unique_ptr<Policy> policy_model(unsigned policy, int warps, size_t active, uint64_t limit) {
  switch (policy) {
  case HEDDLE_POLICY_GTO:
    return std::make_unique<Gto>(warps, limit);
  case HEDDLE_POLICY_LRR:
    return std::make_unique<Lrr>(warps);
  case HEDDLE_POLICY_TWO_LEVEL:
    return std::make_unique<TwoLevel>(warps, active, limit);
  default:
    return nullptr;
  }
}
