// SPDX-License-Identifier: Apache-2.0
// The parts of issue that keep an order or a table, each against a plain list: the first trap in issue order is found
// whatever order the traps arrive in, the scoreboard refuses exactly the dependent instructions, dependency counters
// and plane counters count.
#include <algorithm>
#include <cstring>
#include <deque>
#include <set>
#include <vector>

#include <Vtop.h>
#include <verilated.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/issue/words.h"

namespace {

uint64_t checks = 0;
unsigned failures = 0;
uint64_t now = 0;

void check(bool ok, const char *what) {
  checks++;
  if (!ok && failures++ < 10) std::printf("cycle %llu: %s\n", (unsigned long long)now, what);
}

// Rows of n bits, the first at bit 0, into a port however wide.
template <typename T> void put_rows(T &port, const std::vector<uint64_t> &rows, unsigned n) {
  uint32_t words[8]{};
  static_assert(sizeof port <= sizeof words, "rows of a port");
  for (size_t r = 0; r < rows.size(); r++)
    for (unsigned b = 0; b < n; b++) {
      size_t at = r * n + b;
      words[at / 32] |= uint32_t(rows[r] >> b & 1) << at % 32;
    }
  std::memcpy(static_cast<void *>(&port), words, sizeof port);
}

void tick(Vtop &top) {
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  top.eval();
  now++;
}

void reset(Vtop &top) {
  top.rst_ni = 0;
  top.add_valid_i = top.mem_pass_i = top.mem_trap_i = top.ctl_pass_i = top.ctl_trap_i = top.taken_i = 0;
  top.there_i = top.alloc_i = top.done_valid_i = 0;
  top.raise_valid_i = top.disp_valid_i = top.lower_valid_i = 0;
  top.pc_clear_i = 0;
  put_rows(top.pc_up_i, {0}, 1);
  put_rows(top.pc_down_i, {0}, 1);
  top.clk_i = 0;
  top.eval();
  tick(top);
  tick(top);
  top.rst_ni = 1;
  top.eval();
}

struct Item {
  unsigned slot;
  bool ctl, trap;
  uint64_t order;
};

// Every instruction gets its outcome at once; the oldest of the wanted kind and warp is resolved at random times.
uint64_t test_order(Vtop &top, Random &rnd, unsigned rounds) {
  uint64_t overtaken = 0;
  for (unsigned r = 0; r < rounds; r++) {
    reset(top);
    unsigned n = top.cfg_warps_o;
    std::vector<Item> open;
    uint64_t order = 0, first_seen = ~UINT64_C(0), best = ~UINT64_C(0);
    bool taken = false;
    std::set<unsigned> in_ctl, dead;
    uint64_t truth = ~UINT64_C(0);
    unsigned rate = 1 + rnd.below(20);
    size_t before = 0; // entries in the cycle before: full is judged then
    for (unsigned t = 0; t < 2000; t++) {
      top.add_valid_i = 0;
      Item add{};
      bool adding = false;
      if (!taken && !top.full_o && open.size() < 8 && rnd.percent(60)) {
        add = Item{rnd.below(n), rnd.percent(40), rnd.percent(rate), order};
        if (!in_ctl.count(add.slot)) {
          adding = true;
          top.add_valid_i = 1;
          top.add_slot_i = add.slot;
          top.add_ctl_i = add.ctl;
        }
      }
      top.mem_pass_i = top.mem_trap_i = top.ctl_pass_i = top.ctl_trap_i = 0;
      top.taken_i = taken;
      const Item *traps[2] = {nullptr, nullptr};
      Item kept[2];
      std::vector<size_t> gone;
      // One memory and one control event a cycle; memory operations of a warp in order.
      for (int kind = 0; kind < 2; kind++) {
        if (!rnd.percent(50) || open.empty()) continue;
        size_t k = rnd.below(unsigned(open.size()));
        if (open[k].ctl != bool(kind)) continue;
        bool older = false;
        for (size_t j = 0; j < k; j++) older |= open[j].slot == open[k].slot && open[j].ctl == open[k].ctl;
        if (older) continue;
        Item it = open[k];
        gone.push_back(k);
        bool refused = !it.ctl && dead.count(it.slot);
        if (refused) continue;
        if (it.trap) {
          kept[kind] = it;
          traps[kind] = &kept[kind];
          if (!it.ctl) dead.insert(it.slot);
          (kind ? top.ctl_trap_i : top.mem_trap_i) = 1;
          if (kind)
            top.ctl_trap_slot_i = it.slot;
          else
            top.mem_trap_slot_i = it.slot;
        } else {
          if (kind) {
            top.ctl_pass_i = 1;
            top.ctl_pass_slot_i = it.slot;
            in_ctl.erase(it.slot);
          } else {
            top.mem_pass_i = 1;
            top.mem_pass_slot_i = it.slot;
          }
        }
      }
      top.eval();
      check(top.full_o == 0 || before >= 6, "full too early");
      before = open.size();
      for (int kind = 0; kind < 2; kind++) {
        bool hit = kind ? top.ctl_first_o : top.mem_first_o;
        if (hit && !traps[kind]) check(false, "a first trap where there was none");
        if (traps[kind] && first_seen == ~UINT64_C(0)) first_seen = traps[kind]->order;
      }
      if (top.ctl_first_o && traps[1])
        best = traps[1]->order;
      else if (top.mem_first_o && traps[0])
        best = traps[0]->order;
      for (auto *p : traps)
        if (p) truth = std::min(truth, p->order);
      check(best == truth, "the first trap so far");
      std::sort(gone.rbegin(), gone.rend());
      for (size_t g : gone) open.erase(open.begin() + long(g));
      if (adding) {
        open.push_back(add);
        order++;
        if (add.ctl) in_ctl.insert(add.slot);
      }
      taken |= traps[0] || traps[1];
      tick(top);
      if (taken) {
        uint64_t older = 0;
        for (auto &i : open) older += i.order < best;
        check(bool(top.empty_o) == (older == 0), "settled");
        if (older == 0) break;
      } else {
        check(bool(top.empty_o) == open.empty(), "empty");
      }
    }
    overtaken += first_seen != best;
  }
  return overtaken;
}

struct Pending {
  unsigned slot;
  heddle_isa_dec d;
  bool rd;
};

// Registers by number, uniform ones from kUni on; predicates as a set, uniform ones above the seven others.
constexpr unsigned kUni = 256, kPreds = 0x7f;

unsigned preds_of(bool uni, unsigned set) {
  return (set & kPreds) << (uni ? 7 : 0);
}

// Predicates that an instruction writes: R2P and UR2UP all of a kind.
bool writes_all(const heddle_isa_dec &d) {
  return d.op == ISA_OP_R2P || d.op == ISA_OP_UR2UP;
}

unsigned written_preds(const heddle_isa_dec &d) {
  if (writes_all(d)) return preds_of(d.op == ISA_OP_UR2UP, kPreds);
  return preds_of(d.pd_uniform, 1u << d.pd0 | 1u << d.pd1);
}

// Predicates that it reads or writes.
unsigned used_preds(const heddle_isa_dec &d) {
  unsigned set = preds_of(d.uniform, 1u << d.guard.index) | written_preds(d);
  for (auto &p : d.ps) set |= preds_of(d.ps_uniform, 1u << p.index);
  if (d.op == ISA_OP_P2R || d.op == ISA_OP_UP2UR) set |= preds_of(d.op == ISA_OP_UP2UR, kPreds);
  return set;
}

std::set<unsigned> written_regs(const heddle_isa_dec &d) {
  std::set<unsigned> regs;
  if (d.has_rd && d.rd != ISA_RZ)
    for (unsigned i = 0; i < d.rd_words; i++) regs.insert((d.rd_uniform ? kUni : 0) + d.rd + i);
  return regs;
}

std::set<unsigned> used_regs(const heddle_isa_dec &d) {
  std::set<unsigned> regs = written_regs(d);
  for (auto &s : d.src)
    if ((s.kind == ISA_REG || s.kind == ISA_UREG) && s.reg != ISA_RZ)
      for (unsigned i = 0; i < s.words; i++) regs.insert((s.kind == ISA_UREG ? kUni : 0) + s.reg + i);
  return regs;
}

// Any word; where the machine has uniform registers, at times one of a unit that uses many of them.
heddle_isa_dec draw(Random &rnd, bool uni) {
  heddle_isa_dec d;
  const uint32_t units = !uni ? kAllUnits & ~(1u << ISA_UNIT_UNI) : rnd.percent(30) ? 1u << ISA_UNIT_UNI : kAllUnits;
  heddle_isa_decode(random_legal(rnd, rnd.percent(50) ? 8 : 255, 15, true, units), &d);
  return d;
}

// The ends of a cycle, an entry a port.
struct Ends {
  std::vector<uint64_t> valid, slot, has_rd, rd_uni, rd, pd_uni, pd0, pd1, preds;
  void add(const Pending *p) {
    const heddle_isa_dec none{}, &d = p ? p->d : none;
    valid.push_back(p != nullptr);
    slot.push_back(p ? p->slot : 0);
    has_rd.push_back(d.has_rd);
    rd_uni.push_back(d.rd_uniform);
    rd.push_back(d.rd);
    preds.push_back(writes_all(d));
    pd_uni.push_back(d.op == ISA_OP_UR2UP || d.pd_uniform);
    pd0.push_back(d.pd0);
    pd1.push_back(d.pd1);
  }
  void drive(Vtop &top, unsigned slot_bits) const {
    put_rows(top.done_valid_i, valid, 1);
    put_rows(top.done_slot_i, slot, slot_bits);
    put_rows(top.done_has_rd_i, has_rd, 1);
    put_rows(top.done_rd_uni_i, rd_uni, 1);
    put_rows(top.done_rd_i, rd, 8);
    put_rows(top.done_preds_i, preds, 1);
    put_rows(top.done_pd_uni_i, pd_uni, 1);
    put_rows(top.done_pd0_i, pd0, 3);
    put_rows(top.done_pd1_i, pd1, 3);
  }
};

// What the instructions of a warp that have no result yet have in common with its next one.
struct Meets {
  unsigned entries = 0; // that they take
  bool any = false, uni_reg = false, uni_pred = false;
  void add(const heddle_isa_dec &pending, const heddle_isa_dec &next) {
    const unsigned preds = used_preds(next) & written_preds(pending);
    const std::set<unsigned> use = used_regs(next), written = written_regs(pending);
    entries += !written.empty();
    for (unsigned r : written) {
      any |= use.count(r) != 0;
      uni_reg |= r >= kUni && use.count(r) != 0;
    }
    any |= preds != 0;
    uni_pred |= (preds & ~kPreds) != 0;
  }
};

// Heads come, are looked at one a cycle, and may be selected when nothing that they need is pending, be it of the
// instruction in S1, which issues or goes back. Exact in each cycle.
void test_scoreboard(Vtop &top, Random &rnd, uint64_t cycles) {
  reset(top);
  const unsigned n = top.cfg_warps_o;
  unsigned bits = 0;
  while ((1u << bits) < n) bits++;
  std::vector<heddle_isa_dec> head(n);
  std::vector<unsigned> age(n); // cycles that it has not been looked at
  uint64_t there = 0, seen = 0;
  std::vector<Pending> open, s1; // without a result; one or none
  uint64_t held = 0, crowded = 0, behind = 0, uni_regs = 0, uni_preds = 0, issued = 0;
  for (uint64_t t = 0; t < cycles; t++) {
    for (unsigned w = 0; w < n; w++) {
      if ((there >> w & 1) || !rnd.percent(70)) continue;
      head[w] = draw(rnd, top.cfg_uni_o);
      there |= UINT64_C(1) << w;
      age[w] = 0;
    }
    // ---- what must be held
    uint64_t waits = 0;
    for (unsigned w = 0; w < n; w++) {
      if (!(there >> w & 1)) continue;
      Meets m;
      for (auto &p : open)
        if (p.slot == w) m.add(p.d, head[w]);
      const bool alone = m.any;
      for (auto &p : s1)
        if (p.slot == w) m.add(p.d, head[w]);
      const bool full = m.entries == 4 && !written_regs(head[w]).empty();
      if (!(seen >> w & 1)) continue;
      if (m.any || full) waits |= UINT64_C(1) << w;
      held += m.any;
      behind += m.any && !alone;
      crowded += full && !m.any;
      uni_regs += m.uni_reg;
      uni_preds += m.uni_pred;
    }
    // ---- ends; S1 issues, goes back, or stands
    uint64_t moves = 0;
    std::vector<size_t> ends;
    Ends told;
    for (unsigned port = 0; port < top.cfg_ends_o; port++) {
      const Pending *end = nullptr;
      if (!open.empty() && rnd.percent(t / 500 % 2 ? 5 : 30)) {
        const size_t k = rnd.below(unsigned(open.size()));
        if (std::find(ends.begin(), ends.end(), k) == ends.end()) {
          ends.push_back(k);
          end = &open[k];
        }
      }
      told.add(end);
    }
    told.drive(top, bits);
    const bool full = !s1.empty(), issues = full && rnd.percent(60), back = full && !issues && rnd.percent(10);
    top.there_i = there;
    top.here_i = full ? UINT64_C(1) << s1[0].slot : 0;
    top.s1_slot_i = full ? s1[0].slot : rnd.below(n);
    top.s1_word_lo_i = full ? s1[0].d.word.lo : 0;
    top.s1_word_hi_i = full ? s1[0].d.word.hi : 0;
    top.alloc_i = issues;
    top.moves_i = 0;
    top.eval();
    const uint64_t mask = there & ~seen;
    check((uint64_t(top.hold_o) & there) == ((waits | ~seen) & there), "held");
    check((uint64_t(top.waits_o) & there) == waits, "waits");
    if (mask != 0) check(mask >> top.look_slot_o & 1, "looked at one that needs none");
    const heddle_isa_dec &looked = head[top.look_slot_o];
    top.look_word_lo_i = looked.word.lo;
    top.look_word_hi_i = looked.word.hi;
    const uint64_t look = mask != 0 ? UINT64_C(1) << top.look_slot_o : 0;
    for (unsigned w = 0; w < n; w++)
      if (mask >> w & 1) check(age[w]++ < n, "a head that is not looked at in its turn");
    // ---- one is selected, some are flushed
    const uint64_t may = there & ~uint64_t(top.hold_o);
    unsigned chosen = n;
    if ((!full || issues) && rnd.percent(80))
      for (unsigned k = 0, from = rnd.below(n); k < n; k++)
        if (may >> (from + k) % n & 1) chosen = (from + k) % n;
    if (chosen < n) moves |= UINT64_C(1) << chosen;
    if (back) moves |= UINT64_C(1) << s1[0].slot;
    const unsigned flushed = rnd.percent(2) ? rnd.below(n) : n;
    const bool flush = flushed < n && flushed != chosen && !(full && s1[0].slot == flushed);
    if (flush) moves |= UINT64_C(1) << flushed;
    top.moves_i = moves;
    top.eval();
    seen = (seen | look) & ~moves;
    std::sort(ends.rbegin(), ends.rend());
    for (size_t k : ends) open.erase(open.begin() + long(k));
    if (issues) {
      issued++;
      if (!written_regs(s1[0].d).empty() || written_preds(s1[0].d) != 0) open.push_back(s1[0]);
    }
    if (back) {
      head[s1[0].slot] = s1[0].d;
      there |= UINT64_C(1) << s1[0].slot;
      age[s1[0].slot] = 0;
    }
    if (issues || back) s1.clear();
    if (flush) there &= ~(UINT64_C(1) << flushed);
    if (chosen < n) {
      s1.push_back({chosen, head[chosen], !written_regs(head[chosen]).empty()});
      there &= ~(UINT64_C(1) << chosen);
      if (rnd.percent(80)) {
        head[chosen] = draw(rnd, top.cfg_uni_o);
        there |= UINT64_C(1) << chosen;
        age[chosen] = 0;
      }
    }
    tick(top);
  }
  if (top.cfg_uni_o)
    check(uni_regs > cycles / 1000 && uni_preds > cycles / 1000, "too few dependencies by uniform ones");
  check(held > cycles / 100 && behind > cycles / 100, "too few dependent instructions to mean anything");
  check(crowded > cycles / 1000, "too few warps with all their entries taken");
  check(issued > cycles / 10, "too few instructions");
}

// Byte w of a vector of bytes, however wide Verilator makes the port.
template <typename T> unsigned byte_of(const T &port, unsigned w) {
  unsigned char b;
  std::memcpy(&b, reinterpret_cast<const unsigned char *>(&port) + w, 1);
  return b;
}

void test_counters(Vtop &top, Random &rnd, uint64_t cycles) {
  reset(top);
  unsigned n = top.cfg_warps_o, bits = 0;
  while ((1u << bits) < n) bits++;
  std::vector<std::vector<int>> count(n, std::vector<int>(6, 0));
  int highest = 0;
  uint64_t refused = 0;
  for (uint64_t t = 0; t < cycles; t++) {
    bool fill = t / 2000 % 2 == 0; // up for a while, then down
    auto next = count;
    top.raise_valid_i = rnd.percent(fill ? 95 : 30);
    unsigned s = rnd.below(n > 2 ? 2 : n), wb = rnd.below(8), rb = rnd.below(8);
    if (wb == 6) wb = 7;
    if (rb == 6) rb = 7;
    bool near = (wb < 6 && count[s][wb] >= 62) || (rb < 6 && count[s][rb] >= 62);
    if (near) top.raise_valid_i = 0;
    top.raise_slot_i = s;
    top.raise_wbar_i = wb;
    top.raise_rbar_i = rb;
    if (top.raise_valid_i) {
      if (wb < 6) next[s][wb]++;
      if (rb < 6) next[s][rb]++;
    }
    top.disp_valid_i = 0;
    top.lower_valid_i = 0;
    uint64_t slots = 0, bars = 0;
    auto avail = count;
    for (unsigned port = 0; port <= top.cfg_ends_o; port++) {
      unsigned k = rnd.below(n > 2 ? 2 : n), b = rnd.below(8);
      if (b == 6) b = 7;
      bool valid = rnd.percent(fill ? 8 : 60) && (b == 7 || avail[k][b] > 0);
      if (port == 0) {
        top.disp_slot_i = k;
        top.disp_rbar_i = b;
        top.disp_valid_i = valid;
      } else {
        slots |= uint64_t(k) << ((port - 1) * bits);
        bars |= uint64_t(b) << ((port - 1) * 3);
        top.lower_valid_i |= unsigned(valid) << (port - 1);
      }
      if (valid && b < 6) {
        avail[k][b]--;
        next[k][b]--;
      }
    }
    put(top.done_slot_i, slots);
    put(top.lower_wbar_i, bars);
    // Is a counter above a limit, mostly one near it; and which warps has DEPBAR refused, and none of their counters
    // fallen since?
    const unsigned qs = rnd.below(n), qb = rnd.below(6);
    const int limit = std::min(63, std::max(0, count[qs][qb] + int(rnd.below(5)) - 2));
    top.q_slot_i = qs;
    top.q_bar_i = qb;
    top.q_limit_i = unsigned(limit);
    top.eval();
    check(bool(top.above_o) == (count[qs][qb] > limit), "counter above a limit");
    check(uint64_t(top.refused_o) == refused, "warps that DEPBAR refused");
    uint64_t falls = 0;
    for (unsigned w = 0; w < n; w++)
      if (avail[w] != count[w]) falls |= UINT64_C(1) << w;
    const uint64_t now = rnd.percent(20) ? UINT64_C(1) << rnd.below(n) : 0;
    top.refused_i = now;
    refused = (refused | now) & ~falls;
    for (unsigned w = 0; w < n; w++) {
      unsigned nz = 0, nf = 0;
      for (unsigned b = 0; b < 6; b++) {
        nz |= unsigned(count[w][b] != 0) << b;
        nf |= unsigned(count[w][b] >= 62) << b;
        highest = std::max(highest, count[w][b]);
      }
      check(byte_of(top.nonzero_o, w) == nz, "counter zero");
      check(byte_of(top.near_full_o, w) == nf, "counter nearly full");
    }
    count = next;
    tick(top);
  }
  check(highest == 63, "a counter that reaches 63");
}

// Plane b of the counters.
uint64_t plane_of(const Vtop &top, unsigned b) {
  uint64_t all = 0;
  std::memcpy(&all, &top.pc_plane_o, sizeof top.pc_plane_o < 8 ? sizeof top.pc_plane_o : 8);
  const unsigned n = top.cfg_warps_o;
  return all >> (b * n) & ((UINT64_C(1) << n) - 1);
}

void check_planes(Vtop &top, const std::vector<int> &count, int *highest) {
  for (unsigned w = 0; w < count.size(); w++) {
    int c = count[w];
    *highest = std::max(*highest, c);
    check(bool(top.pc_nonzero_o >> w & 1) == (c != 0), "planes: zero");
    check(bool(top.pc_high_o >> w & 1) == (c >= 12), "planes: one of the four highest values");
    check(bool(top.pc_near_full_o >> w & 1) == (c >= 14), "planes: nearly full");
    check(bool(top.pc_full_o >> w & 1) == (c == 15), "planes: full");
    unsigned value = 0;
    for (unsigned b = 0; b < 4; b++) value |= unsigned(plane_of(top, b) >> w & 1) << b;
    check(int(value) == c, "planes: the counter itself");
  }
}

// Counters of four bits: up to two rises and five falls in a cycle, and every flag.
void test_planes(Vtop &top, Random &rnd, uint64_t cycles) {
  reset(top);
  unsigned n = top.cfg_warps_o;
  std::vector<int> count(n, 0);
  int highest = 0;
  for (uint64_t t = 0; t < cycles; t++) {
    bool fill = t / 40 % 2 == 0;
    uint64_t clear = rnd.one_in(50) ? UINT64_C(1) << rnd.below(n) : 0;
    std::vector<uint64_t> up(2, 0), down(5, 0);
    for (unsigned w = 0; w < n; w++) {
      int next = count[w];
      for (auto &e : up)
        if (next < 15 && rnd.percent(fill ? 60 : 10)) e |= UINT64_C(1) << w, next++;
      for (auto &e : down)
        if (next > 0 && rnd.percent(fill ? 10 : 50)) e |= UINT64_C(1) << w, next--;
      count[w] = clear >> w & 1 ? 0 : next;
    }
    put(top.pc_clear_i, clear);
    put_rows(top.pc_up_i, up, n);
    put_rows(top.pc_down_i, down, n);
    tick(top);
    check_planes(top, count, &highest);
    check(top.pc_below_o == 0, "planes: no counter fell below zero");
  }
  check(highest == 15, "a plane counter that reaches its highest value");
  // One fall too many.
  unsigned w = rnd.below(n);
  put(top.pc_clear_i, UINT64_C(1) << w);
  put_rows(top.pc_up_i, {0}, 1);
  put_rows(top.pc_down_i, std::vector<uint64_t>(5, 0), n);
  tick(top);
  put(top.pc_clear_i, 0);
  put_rows(top.pc_down_i, {UINT64_C(1) << w, 0, 0, 0, 0}, n);
  tick(top);
  check(uint64_t(top.pc_below_o) == UINT64_C(1) << w, "planes: a fall below zero is told");
}

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1), cycles = args.number("--cycles", 20000);
  args.all();
  Verilated::commandArgs(argc, argv);
  Verilated::randReset(2);
  Verilated::randSeed(int(seed));
  Vtop top;
  Random rnd{seed};
  uint64_t overtaken = test_order(top, rnd, unsigned(cycles / 50));
  check(overtaken > 10, "too few traps that were overtaken by an older one");
  test_scoreboard(top, rnd, cycles);
  test_counters(top, rnd, cycles);
  test_planes(top, rnd, cycles);
  top.final();
  std::printf("seed %llu: %llu checks, %llu traps overtaken, %u failures\n", (unsigned long long)seed,
              (unsigned long long)checks, (unsigned long long)overtaken, failures);
  return failures != 0;
}
