// SPDX-License-Identifier: Apache-2.0
// The end of the late-result channel in a partition: rows and ends of random instructions come in, banks are taken by
// others at random. Every lane is written once, in its own cycle, with its own value; an end comes a cycle after the
// last write of all that came before it, not earlier, and not later where no bank was taken and ends were not held up.
// Then the promised rates.
// --spoil N: what is spoilt on its way to or from the bench must be found: 1 the second register write says the other
// beat, 2 every row is said to be the last, 3 every second end is lost.
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

uint32_t word_of(uint32_t seq, unsigned word, unsigned lane) {
  uint64_t state = seq * 256u + word * 64u + lane;
  return static_cast<uint32_t>(splitmix64(&state) >> 32);
}

// What came on the channel, and which lanes of it have not been written.
struct Item {
  uint32_t seq = 0, mask = 0; // of the row
  uint32_t left = 0;          // of the warp
  unsigned slot = 0, rbase = 0, rd = 0, rd_n = 0, word = 0, row = 0, wbar = 0;
  bool is_row = false, last = false, has_rd = false;
  unsigned bank(unsigned banks) const { return (rbase + rd + word) % banks; }
};

struct Bench {
  Vtop top;
  Random rnd{5};
  uint64_t checks = 0, now = 0, failed = 0, rows = 0, ends = 0, writes = 0, pairs = 0;
  bool quiet = false;
  unsigned lanes = 0, width = 0, ports = 0, banks = 0, warps = 0, parts = 0; // parts: beats of a row, at least one
  std::deque<Item> stream;                                                   // of the instruction that comes
  std::deque<Item> open; // came, and not all of it has been written or ended
  Item end;              // expected now
  bool end_due = false, offered = false;
  uint32_t seq = 0;
  unsigned busy_rate = 30, fill = 100, hold_rate = 0;
  bool wide_only = false, same_bank = false, ends_only = false;
  unsigned spoil = 0;
  bool odd_end = false;

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
    top.late_valid_i = 0;
    top.wb_ready_i = 0;
    top.done_hold_i = 0;
    top.rst_ni = 0;
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
    lanes = top.cfg_lanes_o;
    width = top.cfg_width_o;
    ports = top.cfg_ports_o;
    banks = top.cfg_banks_o;
    warps = top.cfg_warps_o;
    parts = width > lanes ? width / lanes : 1;
  }

  uint32_t lanes_of(uint32_t exec, unsigned row) const {
    return width == 32 ? exec : exec >> (row * width) & ((1u << width) - 1);
  }

  // An instruction as the load/store unit sends it: rows with lanes, register by register; the end with the last of
  // them, or alone.
  void instruction() {
    Item x;
    x.seq = seq++;
    x.slot = rnd.below(warps);
    x.rbase = rnd.below(64);
    x.rd = same_bank ? 0 : rnd.below(240);
    if (same_bank) x.rbase = 0;
    if (wide_only) x.rbase = x.rd = 0; // neighbours lie in different banks
    x.rd_n = wide_only ? 3 : same_bank ? 0 : rnd.below(4);
    x.wbar = rnd.below(8);
    x.has_rd = !ends_only && (wide_only || same_bank || rnd.percent(80));
    uint32_t exec = wide_only || same_bank || rnd.percent(60) ? 0xffffffffu : rnd.u32() & rnd.u32();
    if (!wide_only && !same_bank && rnd.percent(20)) exec &= rnd.percent(50) ? 0xffffu : 0xffff0000u;
    for (unsigned k = 0; k < 32 / width && x.has_rd; k++)
      for (unsigned w = 0; w <= x.rd_n; w++) {
        x.row = k;
        x.word = w;
        x.is_row = true;
        x.mask = lanes_of(exec, k);
        x.left = x.mask << k * width;
        if (x.mask) stream.push_back(x);
      }
    x.last = true;
    if (!stream.empty() && (wide_only || same_bank || rnd.percent(90))) {
      stream.back().last = true;
    } else {
      x.is_row = false;
      x.mask = x.left = 0;
      stream.push_back(x);
    }
  }

  void drive() {
    if (stream.empty()) instruction();
    if (!offered) offered = rnd.percent(fill);
    top.late_valid_i = offered;
    if (!offered) return;
    const Item &x = stream.front();
    top.late_slot_i = static_cast<uint8_t>(x.slot);
    top.late_seq_i = x.seq;
    top.late_is_row_i = x.is_row;
    top.late_rbase_i = static_cast<uint16_t>(x.rbase);
    top.late_word_i = static_cast<uint8_t>(x.word);
    top.late_row_i = static_cast<uint8_t>(x.row);
    top.late_last_i = x.last || spoil == 2;
    top.late_wbar_i = static_cast<uint8_t>(x.wbar);
    top.late_has_rd_i = x.has_rd;
    top.late_rd_i = static_cast<uint8_t>(x.rd);
    top.late_rd_n_i = static_cast<uint8_t>(x.rd_n);
    std::memcpy(&top.late_mask_i, &x.mask, sizeof top.late_mask_i);
    for (unsigned l = 0; l < width; l++) top.late_data_i[l] = word_of(x.seq, x.word, x.row * width + l);
  }

  uint32_t lane_mask(unsigned port) const {
    uint32_t all;
    if (lanes == 32) {
      std::memcpy(&all, reinterpret_cast<const uint8_t *>(&top.wb_mask_o) + 4 * port, 4);
      return all;
    }
    std::memcpy(&all, &top.wb_mask_o, sizeof top.wb_mask_o < 4 ? sizeof top.wb_mask_o : 4);
    return all >> (port * lanes) & ((1u << lanes) - 1);
  }

  template <class P> uint32_t field(const P &port, unsigned i, unsigned width_of) const {
    uint32_t v = 0;
    std::memcpy(&v, reinterpret_cast<const uint8_t *>(&port) + i * width_of / 8, width_of / 8);
    return v;
  }

  // What comes out, as the bench sees it.
  unsigned beat_of(unsigned i) const { return field(top.wb_beat_o, i, 8) ^ unsigned(spoil == 1 && i == ports - 1); }
  bool done_valid() const { return top.done_valid_o && !(spoil == 3 && odd_end); }

  // Register write i of this cycle: the oldest that has lanes left is 0's, the next one 1's. Its bank.
  unsigned on_write(unsigned i, std::deque<Item> &all) {
    Item *x = nullptr;
    for (size_t k = 0; k < all.size() && k < 2; k++)
      if (all[k].is_row && all[k].seq == field(top.wb_seq_o, i, 32) &&
          all[k].rd + all[k].word == field(top.wb_rd_o, i, 8) &&
          (parts > 1 ? all[k].row == beat_of(i) / parts : all[k].row * width / lanes == beat_of(i)))
        x = &all[k];
    check(x != nullptr, "a write of one of the two oldest rows", field(top.wb_seq_o, i, 32), field(top.wb_rd_o, i, 8));
    if (x == nullptr) return banks;
    const unsigned beat = beat_of(i);
    const uint32_t all_lanes = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    const uint32_t of_warp = x->mask << x->row * width;
    const uint32_t want = of_warp >> beat * lanes & all_lanes, got = lane_mask(i);
    check(x == &all[i], "the first writes of the oldest row", i);
    check(got == want && want != 0, "the lanes of a beat", got, want);
    check((x->left >> beat * lanes & all_lanes) == want, "a beat once", beat);
    check(field(top.wb_slot_o, i, 8) == x->slot && field(top.wb_rbase_o, i, 16) == x->rbase, "whose register", x->slot);
    for (unsigned l = 0; l < lanes; l++)
      if (want >> l & 1)
        check(top.wb_data_o[i * lanes + l] == word_of(x->seq, x->word, beat * lanes + l), "value of a lane", beat, l);
    if (top.wb_ready_i >> i & 1) {
      x->left &= ~(all_lanes << beat * lanes);
      writes++;
    }
    return x->bank(banks);
  }

  // Banks that others write in this cycle: what is offered there waits.
  unsigned ready_of() {
    unsigned busy = 0, ready = 0;
    for (unsigned k = 0; k < banks; k++) busy |= unsigned(rnd.percent(busy_rate)) << k;
    for (unsigned i = 0; i < ports; i++) {
      const unsigned bank = (field(top.wb_rbase_o, i, 16) + field(top.wb_rd_o, i, 8)) % banks;
      ready |= unsigned(!(top.wb_valid_o >> i & 1) || !(busy >> bank & 1)) << i;
    }
    return ready;
  }

  void look_at_end() {
    check(done_valid() == end_due, "an end a cycle after its last write", done_valid(), end_due);
    if (!done_valid() || !end_due) return;
    check(top.done_slot_o == end.slot / SM_PARTITIONS && top.done_wbar_o == end.wbar &&
              top.done_has_rd_o == end.has_rd && top.done_rd_o == end.rd && top.done_rd_n_o == end.rd_n,
          "what ends", top.done_slot_o, end.slot);
    ends++;
  }

  // Whatever has lanes left is offered, of the next row unless both lie in one bank.
  void look_at_writes() {
    const bool first = !open.empty() && open[0].left != 0 && !(parts == 1 && held(open[0]));
    const bool second =
        ports == 2 && open.size() > 1 && open[1].left != 0 && !(first && open[0].bank(banks) == open[1].bank(banks));
    check(top.wb_valid_o == (unsigned(first) | unsigned(second) << 1), "what is offered", top.wb_valid_o);
    unsigned bank[2] = {99, 99};
    for (unsigned i = 0; i < ports; i++)
      if (top.wb_valid_o >> i & 1) bank[i] = on_write(i, open);
    check(bank[0] != bank[1] || bank[0] == 99, "two writes in different banks", bank[0]);
    pairs += ports == 2 && (top.wb_valid_o & top.wb_ready_i & 3) == 3;
  }

  // An instruction may not end in this cycle; where nothing is kept, its row waits too.
  bool held(const Item &x) const { return top.done_hold_i && x.last; }

  // The oldest leaves with its last lane; its end is told in the next cycle.
  void leave() {
    end_due = false;
    if (open.empty() || open[0].left != 0 || held(open[0])) return;
    end = open[0];
    end_due = end.last;
    rows += end.is_row;
    open.pop_front();
  }

  void cycle() {
    drive();
    top.done_hold_i = rnd.percent(hold_rate);
    top.eval();
    top.wb_ready_i = static_cast<uint8_t>(ready_of());
    top.eval();
    look_at_end();
    // A row that is a beat is not kept: it is here while it is offered, and comes when it is written.
    const bool comes = top.late_valid_i && top.late_ready_o, passes = parts == 1 && top.late_valid_i;
    if (comes || passes) open.push_back(stream.front());
    look_at_writes();
    leave();
    if (passes && !comes) check(open.size() == 1, "a row that is not taken stays", open.size());
    if (passes && !comes) open.clear();
    if (comes) {
      stream.pop_front();
      offered = false;
    }
    check(open.size() <= (parts == 1 ? 0u : 2u), "two wait at the most", open.size());
    odd_end ^= top.done_valid_o;
    edge();
  }

  // Rows in so many cycles when no bank is taken.
  void hold(const char *name, uint64_t promised) {
    busy_rate = hold_rate = 0;
    fill = 100;
    for (unsigned i = 0; i < 100; i++) cycle();
    const uint64_t before = rows + (ends_only ? ends : 0);
    for (unsigned i = 0; i < 960; i++) cycle();
    const uint64_t got = rows + (ends_only ? ends : 0) - before;
    std::printf("%-36s %llu in 960 cycles, promised %llu\n", name, (unsigned long long)got,
                (unsigned long long)promised);
    check(got == promised, name, got, promised);
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
  for (unsigned i = 0; i < 250000 && b->failed < 20; i++) {
    if (i % 64 == 0) {
      const unsigned rates[] = {0, 10, 30, 70};
      b->busy_rate = rates[b->rnd.below(4)];
      b->fill = b->rnd.percent(50) ? 100 : 1 + b->rnd.below(99);
      b->hold_rate = b->rnd.percent(50) ? 0 : b->rnd.below(60);
    }
    b->cycle();
  }
  if (b->failed == 0) {
    b->wide_only = true;
    b->hold("rows of four registers", 960);
    b->wide_only = false;
    b->same_bank = true;
    b->hold("rows of one register", 960 / b->parts);
    b->same_bank = false;
    b->ends_only = true;
    b->hold("ends alone", 960);
  }
  std::printf("late rows: %llu rows, %llu writes, %llu cycles with two, %llu ends, %llu checks, %llu failed\n",
              (unsigned long long)b->rows, (unsigned long long)b->writes, (unsigned long long)b->pairs,
              (unsigned long long)b->ends, (unsigned long long)b->checks, (unsigned long long)b->failed);
  if (spoil) return b->failed ? 0 : 1;
  const bool enough = b->rows > 10000 && b->ends > 10000 && (b->ports == 1 || b->pairs > 1000);
  return b->failed || !enough ? 1 : 0;
}
