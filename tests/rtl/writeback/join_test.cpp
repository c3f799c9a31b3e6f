// SPDX-License-Identifier: Apache-2.0
// Late results of memory and of a partition's unit, at the ports that they share: random rows, predicates and ends of
// both, banks and the predicate port taken by others at random. Every row, predicate and end comes once, a unit's
// result whole in one cycle, an end not before its writes; nobody waits for the other for long. Uniform results, of
// either, leave by a port of their own. Then what each gets while both have all that they want. --spoil N: what is
// spoilt on its way to the bench must be found: 1 the second write says the other beat, 2 every second end is lost, 3
// every second predicate write is.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>

#include <Vtop.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/random.h"
#include <verilated.h>

namespace {

// A row of memory with its beats, or a result of the unit; an end of either.
struct Item {
  uint32_t seq = 0, mask = 0, left = 0; // left: lanes that have not been written; of memory, of the warp
  unsigned rbase = 0, rd = 0, word = 0, row = 0, pd0 = 7, pd1 = 7, wbar = 7;
  bool is_row = false, pred = false, last = false, uni = false;
  bool uni_write() const { return uni && (is_row || pred); }
  unsigned bank(unsigned banks) const { return (rbase + rd + word) % banks; }
};

struct Bench {
  Vtop top;
  Random rnd{11};
  uint64_t checks = 0, now = 0, failed = 0, memory_rows = 0, unit_rows = 0, preds = 0, ends = 0, both = 0, unis = 0;
  unsigned lanes = 0, width = 0, ports = 0, banks = 0, parts = 0, longest_unit = 0, longest_memory = 0, unit_waits = 0,
           memory_waits = 0, ready = 0; // ready: ports whose bank nobody else writes in this cycle
  unsigned busy_rate = 30, pred_rate = 30, memory_rate = 60, unit_rate = 60;
  bool quiet = false, same_bank = false, ends_only = false;
  unsigned spoil = 0;
  bool odd_end = false, odd_pred = false;
  std::deque<Item> memory; // the one that is offered and those that the channel took, oldest first
  Item offered, unit;
  bool has_offered = false, has_unit = false, took_end = false;
  std::deque<Item> owed; // ends that must be told
  uint32_t seq = 0;

  void check(bool ok, const char *what, uint64_t a = 0, uint64_t b = 0) {
    checks++;
    if (!ok && failed++ < 10 && !quiet)
      std::printf("cycle %llu: %s (%llx, %llx)\n", (unsigned long long)now, what, (unsigned long long)a,
                  (unsigned long long)b);
  }
  void edge() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    now++;
  }
  void reset() {
    top.clk_i = 0;
    top.late_valid_i = top.lr_valid_i = 0;
    top.wb_free_i = 0;
    top.pred_ready_i = 0;
    top.uni_ready_i = 0;
    top.rst_ni = 0;
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
    lanes = top.cfg_lanes_o;
    width = top.cfg_width_o;
    ports = top.cfg_ports_o;
    banks = top.cfg_banks_o;
    parts = width > lanes ? width / lanes : 1;
  }
  static uint32_t ones(unsigned n) { return n == 32 ? ~0u : (1u << n) - 1; }

  Item random_item(bool of_unit) {
    Item x;
    x.seq = seq++;
    x.rbase = same_bank ? 0 : rnd.below(64);
    x.rd = same_bank ? 0 : rnd.one_in(20) && of_unit ? 255 : rnd.below(240);
    x.word = of_unit && !same_bank ? rnd.below(2) : 0;
    x.wbar = of_unit ? rnd.below(8) : x.seq % 7;
    x.is_row = !ends_only && (same_bank || !rnd.one_in(4));
    x.last = ends_only || !x.is_row || rnd.percent(40);
    x.row = rnd.below(32 / (of_unit ? lanes : width));
    x.mask = same_bank || rnd.percent(60) ? ones(of_unit ? lanes : width) : rnd.u32() & ones(of_unit ? lanes : width);
    if (!of_unit && x.mask == 0) x.mask = 1;
    if (of_unit && !ends_only && !same_bank && rnd.percent(40)) {
      x.pred = true;
      x.pd0 = rnd.below(8);
      x.pd1 = rnd.below(8);
    }
    if (top.cfg_uniform_o && !ends_only && !same_bank && rnd.percent(15)) {
      x.uni = true;
      x.rd = rnd.below(63);
      x.word = x.row = 0;
      x.mask = 1;
      x.pd1 = 7;
    }
    x.left = !x.is_row ? 0 : of_unit ? x.mask : x.mask << x.row * width;
    if (of_unit && (x.rd == 255 || x.uni)) x.left = 0;
    return x;
  }

  void drive() {
    if (!has_offered && rnd.percent(memory_rate)) has_offered = true, offered = random_item(false);
    if (!has_unit && rnd.percent(unit_rate)) has_unit = true, unit = random_item(true);
    top.late_valid_i = has_offered;
    top.late_seq_i = offered.seq;
    top.late_is_row_i = offered.is_row;
    top.late_rbase_i = static_cast<uint16_t>(offered.rbase);
    top.late_row_i = static_cast<uint8_t>(offered.row);
    top.late_last_i = offered.last;
    top.late_rd_i = static_cast<uint8_t>(offered.rd);
    std::memcpy(&top.late_mask_i, &offered.mask, sizeof top.late_mask_i);
    top.late_uni_i = offered.uni;
    top.lr_uni_i = unit.uni;
    top.uni_ready_i = rnd.percent(70);
    top.lr_valid_i = has_unit;
    top.lr_seq_i = unit.seq;
    top.lr_row_i = unit.is_row;
    top.lr_pred_i = unit.pred;
    top.lr_last_i = unit.last;
    top.lr_beat_i = static_cast<uint8_t>(unit.row);
    top.lr_word_i = static_cast<uint8_t>(unit.word);
    top.lr_rd_i = static_cast<uint8_t>(unit.rd);
    top.lr_rbase_i = static_cast<uint16_t>(unit.rbase);
    top.lr_pd0_i = static_cast<uint8_t>(unit.pd0);
    top.lr_pd1_i = static_cast<uint8_t>(unit.pd1);
    top.lr_wbar_i = static_cast<uint8_t>(unit.wbar);
    std::memcpy(&top.lr_mask_i, &unit.mask, sizeof top.lr_mask_i);
    top.pred_ready_i = !rnd.percent(pred_rate);
  }

  template <class P> static uint32_t field(const P &port, unsigned i, unsigned bits) {
    uint32_t v = 0;
    std::memcpy(&v, reinterpret_cast<const uint8_t *>(&port) + i * bits / 8, bits / 8);
    return v;
  }
  uint32_t lane_mask(unsigned i) const {
    if (lanes == 32) return field(top.wb_mask_o, i, 32);
    uint32_t all = 0;
    std::memcpy(&all, &top.wb_mask_o, sizeof top.wb_mask_o < 4 ? sizeof top.wb_mask_o : 4);
    return all >> (i * lanes) & ones(lanes);
  }

  // What comes out, as the bench sees it.
  unsigned beat_of(unsigned i) const { return field(top.wb_beat_o, i, 8) ^ unsigned(spoil == 1 && i == ports - 1); }
  bool done_valid() const { return top.done_valid_o && !(spoil == 2 && odd_end); }
  bool pred_valid() const { return top.pred_valid_o && !(spoil == 3 && odd_pred); }

  // Banks that others write in this cycle.
  void choose_ready() {
    unsigned busy = 0;
    for (unsigned k = 0; k < banks; k++) busy |= unsigned(rnd.percent(busy_rate)) << k;
    ready = 0;
    for (unsigned i = 0; i < ports; i++) {
      const unsigned bank = (field(top.wb_rbase_o, i, 16) + field(top.wb_rd_o, i, 8)) % banks;
      ready |= unsigned(!(busy >> bank & 1)) << i;
    }
    top.wb_free_i = static_cast<uint8_t>(~busy & ones(banks));
  }

  // The writes that take place in this cycle. Was the unit's row one of them?
  bool writes() {
    bool of_unit = false;
    unsigned used[2] = {99, 99};
    for (unsigned i = 0; i < ports; i++) {
      if (!(top.wb_valid_o >> i & 1)) continue;
      const uint32_t number = field(top.wb_seq_o, i, 32), beat = beat_of(i);
      used[i] = (field(top.wb_rbase_o, i, 16) + field(top.wb_rd_o, i, 8)) % banks;
      if (!(ready >> i & 1)) continue;
      if (has_unit && number == unit.seq) {
        check(!of_unit, "a unit's row twice in a cycle", number);
        check(unit.left != 0 && lane_mask(i) == unit.mask && beat == unit.row &&
                  field(top.wb_rd_o, i, 8) == ((unit.rd + unit.word) & 0xff) &&
                  field(top.wb_rbase_o, i, 16) == unit.rbase && field(top.wb_data_o, i, 32) == ~unit.seq,
              "a unit's row", number, beat);
        of_unit = true;
        unit_rows++;
        continue;
      }
      Item *x = nullptr;
      for (auto &m : memory)
        if (m.seq == number) x = &m;
      check(x != nullptr && !x->uni && (parts > 1 ? x->row == beat / parts : x->row * width / lanes == beat),
            "whose row", number, beat);
      if (x == nullptr) continue;
      const uint32_t here = ones(lanes) << beat * lanes & x->mask << x->row * width;
      check((x->left & here) == here && lane_mask(i) == here >> beat * lanes && here != 0 &&
                field(top.wb_rd_o, i, 8) == x->rd && field(top.wb_data_o, i, 32) == number,
            "a beat of memory, once", number, beat);
      x->left &= ~here;
      memory_rows++;
    }
    check(used[0] != used[1] || used[0] == 99, "two rows in one bank", used[0]);
    both += ports == 2 && (top.wb_valid_o & ready & 3) == 3;
    return of_unit;
  }

  // The uniform write of this cycle. Was it the unit's?
  bool uniform_write() {
    if (!top.uni_valid_o || !top.uni_ready_i) return false;
    unis++;
    if (has_unit && top.uni_seq_o == unit.seq) {
      check(unit.uni && bool(top.uni_row_o) == unit.is_row && top.uni_pd0_o == (unit.pred ? unit.pd0 : 7) &&
                (!unit.is_row || (top.uni_rd_o == unit.rd && top.uni_data_o == ~unit.seq)),
            "a unit's uniform result", unit.seq);
      return true;
    }
    for (auto &m : memory) {
      if (m.seq != top.uni_seq_o) continue;
      check(m.uni && m.left == 1 && top.uni_row_o && top.uni_pd0_o == 7 && top.uni_rd_o == m.rd &&
                top.uni_data_o == m.seq,
            "a uniform word of memory, once", m.seq);
      m.left = 0;
      return false;
    }
    check(false, "a uniform result of nobody", top.uni_seq_o);
    return false;
  }

  void unit_result(bool row, bool uniform) {
    const bool wants = has_unit && unit.left != 0;
    const bool pred = has_unit && !unit.uni && unit.pred && (unit.pd0 != 7 || unit.pd1 != 7) && unit.mask != 0;
    check(bool(top.pred_ask_o) == pred, "predicates ask", unit.seq);
    const bool taken = has_unit && top.lr_ready_o;
    check(row == (taken && wants), "the row with the result", unit.seq, row);
    check(uniform == (taken && unit.uni_write()), "the uniform write with the result", unit.seq, uniform);
    check(pred_valid() == (taken && pred), "the predicates with the result", unit.seq);
    check(!(taken && pred) || top.pred_ready_i, "predicates in a cycle that was not theirs", unit.seq);
    preds += taken && pred;
    if (!has_unit || taken) {
      unit_waits = 0;
    } else if (++unit_waits > longest_unit) {
      longest_unit = unit_waits;
    }
    if (!taken) return;
    if (unit.last) owed.push_back(unit);
    has_unit = false;
  }

  // An end: of the oldest memory instruction whose rows have gone, or of a unit's that has been taken; a cycle later at
  // least.
  void look_at_end() {
    if (!done_valid()) return;
    ends++;
    for (size_t i = 0; i < owed.size(); i++) {
      const Item &x = owed[i];
      if (top.done_wbar_o != x.wbar || top.done_rd_o != x.rd || top.done_pd0_o != x.pd0 || top.done_pd1_o != x.pd1 ||
          bool(top.done_has_rd_o) != (x.rd != 255))
        continue;
      owed.erase(owed.begin() + long(i));
      return;
    }
    check(false, "an end of nobody", top.done_rd_o, top.done_wbar_o);
  }

  void cycle() {
    drive();
    top.eval();
    choose_ready();
    top.eval();
    look_at_end();
    const bool comes = has_offered && top.late_ready_o;
    if (has_offered) memory.push_back(offered);
    const bool uniform = uniform_write(), row = writes();
    unit_result(row, uniform);
    if (has_offered && !comes) {
      check(parts > 1 || memory.back().left == offered.left, "a row that is written is taken", offered.seq);
      memory.pop_back();
    }
    memory_waits = has_offered && !comes ? memory_waits + 1 : 0;
    if (memory_waits > longest_memory) longest_memory = memory_waits;
    if (comes) has_offered = false;
    while (!memory.empty() && memory.front().left == 0) {
      if (memory.front().last) owed.push_back(memory.front());
      memory.pop_front();
    }
    check(owed.size() <= 5, "ends that are not told", owed.size());
    odd_end ^= top.done_valid_o;
    odd_pred ^= top.pred_valid_o;
    edge();
  }

  void fair(const char *name, bool one_bank, bool only_ends) {
    busy_rate = pred_rate = 0;
    memory_rate = unit_rate = 100;
    same_bank = one_bank;
    ends_only = only_ends;
    for (unsigned i = 0; i < 50; i++) cycle();
    const uint64_t m = memory_rows, u = unit_rows, e = ends;
    longest_unit = longest_memory = 0;
    for (unsigned i = 0; i < 1000; i++) cycle();
    std::printf("%-24s memory %llu rows, unit %llu rows, %llu ends in 1,000 cycles; waits %u and %u\n", name,
                (unsigned long long)(memory_rows - m), (unsigned long long)(unit_rows - u),
                (unsigned long long)(ends - e), longest_memory, longest_unit);
    if (one_bank) check(memory_rows - m == 500 && unit_rows - u == 500, "half of the bank each");
    if (only_ends) check(ends - e >= 999 && ends - e <= 1001, "an end a cycle");
    check(longest_unit <= 2 && longest_memory <= 2 * parts, "who waits for how long", longest_unit, longest_memory);
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const unsigned spoil = args.small("--spoil", 0);
  args.all();
  Verilated::randReset(2);
  Verilated::randSeed(1);
  auto b = std::make_unique<Bench>();
  b->spoil = spoil;
  b->quiet = spoil != 0;
  b->reset();
  for (unsigned i = 0; i < 200000 && b->failed < 20; i++) {
    if (i % 64 == 0) {
      const unsigned rates[] = {0, 20, 60, 100};
      b->busy_rate = rates[b->rnd.below(3)];
      b->pred_rate = rates[b->rnd.below(3)];
      b->memory_rate = rates[b->rnd.below(4)];
      b->unit_rate = rates[b->rnd.below(4)];
    }
    b->cycle();
  }
  if (b->failed == 0) {
    b->fair("one bank", true, false);
    b->fair("ends alone", false, true);
  }
  std::printf(
      "late join: %llu rows of memory, %llu of the unit, %llu predicate writes, %llu ends, %llu cycles with two rows, "
      "%llu checks, %llu failed\n",
      (unsigned long long)b->memory_rows, (unsigned long long)b->unit_rows, (unsigned long long)b->preds,
      (unsigned long long)b->ends, (unsigned long long)b->both, (unsigned long long)b->checks,
      (unsigned long long)b->failed);
  if (spoil) return b->failed ? 0 : 1;
  std::printf("late join: %llu uniform results\n", (unsigned long long)b->unis);
  const bool enough = (!b->top.cfg_uniform_o || b->unis > 5000) && b->memory_rows > 10000 && b->unit_rows > 10000 &&
                      b->preds > 5000 && b->ends > 10000 && (b->ports == 1 || b->both > 1000);
  return b->failed || !enough ? 1 : 0;
}
