// SPDX-License-Identifier: Apache-2.0
// Lines of many warps on pages that come late, never, or after the host has been asked: each lane of each instruction
// goes on exactly once, at the frame that its page has had, or dies; a warp's instructions go on in their order;
// nobody waits for another warp's page; each instruction ends once. --rate: how many cycles what takes, exactly.
// --fault N: a fault of the RTL (lab/verify/faults) must be found.
// Over 400 lines, since it is coalescer, line_request, mmu and host at once.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include <Vtop.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/memory/bench.h"
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>

namespace {

constexpr uint64_t LOCAL = 1ull << 63;

struct Instruction {
  unsigned warp = 0, slot = 0;
  bool write = false;
  std::array<uint64_t, 32> key{}; // of each lane
  uint32_t exec = 0, gone = 0;    // lanes; those that have gone on
  bool closed = false, dead = false;

  uint64_t number = 0;
};

struct Page {
  bool there = true, writable = true, error = false; // error: of memory, at its tables
  uint32_t frame = 0;
  bool handed = false; // the frame has been an answer
  unsigned kind = 4;   // of the last fault that was to be a trap
};

struct Ask {
  uint64_t page, due;
  unsigned who;
  bool write, lists;
};

struct Walk { // rows of an instruction as the coalescer sends them
  Instruction *of;
  struct Row {
    unsigned row;
    uint32_t lanes;
    bool first, final_row, last;
    uint64_t key;
  };
  std::deque<Row> rows;
  bool again = false;
};

struct Failed {};

struct Bench {
  Vtop top;
  Random rnd;
  Checks checks;
  unsigned lanes = 0, beats = 0, warps = 0, slots = 0;
  std::vector<std::unique_ptr<Instruction>> all;
  std::vector<Instruction *> in_slot;
  std::deque<Instruction *> order;                // to be walked for the first time
  std::vector<std::deque<Instruction *>> program; // of each warp: not ended, oldest first
  std::map<uint64_t, Page> pages;
  std::deque<Ask> asks;
  std::set<uint64_t> listed; // pages that the host knows of
  Walk walk{nullptr, {}, false};
  Instruction *line_of = nullptr; // line_request's
  uint64_t line_frame = 0;
  uint64_t now = 0, number = 0, ended = 0, died = 0, put_off = 0;
  unsigned most_pages = 12, late = 20, ready = 80, absent = 0, host = 200, local = 10, spread = 60;
  bool stopped = false, trap_mode = false, failing = false;

  explicit Bench(uint64_t seed) : rnd{seed} {}

  // What comes behind something wrong means nothing.
  void that(bool ok, const char *what, uint64_t a = 0, uint64_t b = 0) {
    if (!checks.that(ok, what, a, b)) throw Failed{};
  }

  void clock() {
    top.clk_i = 1, top.eval();
    top.clk_i = 0, top.eval();
    now++;
    checks.cycle = now;
  }

  void reset() {
    top.clk_i = 0, top.rst_ni = 0;
    top.co_valid_i = top.rt_ready_i = top.tr_ready_i = top.dead_ready_i = top.ask_ready_i = top.answer_valid_i = 0;
    top.forget_valid_i = top.replay_i = top.fail_i = top.stop_i = top.trap_i = 0;
    top.pages_i = 1;
    top.eval();
    for (int i = 0; i < 3; i++) clock();
    top.rst_ni = 1;
    lanes = top.cfg_lanes_o, warps = top.cfg_warps_o, slots = top.cfg_slots_o;
    beats = 32 / lanes;
    in_slot.assign(slots, nullptr);
    program.resize(warps);
  }

  // Pages with little in common, bit by bit.
  static uint64_t far(uint64_t page) { return page * 0x1357924683 & 0x1fffffffff; }

  Page &page_of(uint64_t page) {
    auto it = pages.find(page);
    if (it == pages.end()) {
      Page p;
      p.frame = rnd.u32() & 0xfffffff;
      p.there = !rnd.percent(absent);
      p.writable = !rnd.percent(absent);
      p.error = rnd.percent(absent / 8);
      it = pages.emplace(page, p).first;
    }
    return it->second;
  }

  // A warp's next instruction: its lanes on a few lines of a few pages.
  void issue() {
    std::vector<unsigned> open;
    for (unsigned s = 0; s < slots; s++)
      if (!in_slot[s]) open.push_back(s);
    if (open.empty()) return;
    const unsigned warp = rnd.below(warps);
    if (program[warp].size() >= std::max(1u, slots / warps)) return;
    all.push_back(std::make_unique<Instruction>());
    Instruction *i = all.back().get();
    i->warp = warp;
    i->slot = open[rnd.below(static_cast<uint32_t>(open.size()))];
    i->write = rnd.one_in(3);
    i->exec = rnd.one_in(4) ? 1u << rnd.below(32) : rnd.one_in(3) ? rnd.u32() : 0xffffffff;
    if (!i->exec) i->exec = 1;
    const uint64_t base = rnd.below(most_pages);
    const uint64_t line = rnd.below(32);
    for (unsigned l = 0; l < 32; l++) {
      const uint64_t page = rnd.percent(spread) ? base : rnd.below(most_pages);
      i->key[l] = rnd.percent(local) ? LOCAL | rnd.below(64) : far(page) << 5 | (rnd.one_in(2) ? line : rnd.below(32));
    }
    i->number = number++;
    in_slot[i->slot] = i;
    program[i->warp].push_back(i);
    order.push_back(i);
  }

  // As the coalescer walks: the line of the lowest lane that is left, rows with lanes that are left, the last one
  // named.
  void make_walk(Instruction *i, uint32_t left) {
    walk.of = i;
    walk.rows.clear();
    while (left) {
      const uint64_t key = i->key[static_cast<unsigned>(__builtin_ctz(left))];
      const unsigned from = static_cast<unsigned>(__builtin_ctz(left)) / lanes;
      unsigned to = from;
      uint32_t taken = 0;
      for (unsigned r = from; r < beats; r++)
        for (unsigned k = 0; k < lanes; k++)
          if (left >> (r * lanes + k) & 1) to = r;
      bool first = true;
      for (unsigned r = from; r <= to; r++) {
        uint32_t row = 0, waits = 0;
        for (unsigned k = 0; k < lanes; k++) {
          const unsigned l = r * lanes + k;
          if (!(left >> l & 1)) continue;
          waits |= 1u << k;
          if (i->key[l] == key) row |= 1u << k, taken |= 1u << l;
        }
        if (!waits || (!row && r != to)) continue;
        walk.rows.push_back({r, row, first, r == to, false, key});
        first = false;
      }
      left &= ~taken;
    }
    walk.rows.back().last = true;
  }

  void drive_coalescer() {
    top.rt_ready_i = 0;
    if (walk.rows.empty()) {
      if (top.rt_valid_o) { // before anything new
        Instruction *i = in_slot[top.rt_slot_o];
        uint32_t left = 0;
        for (unsigned r = 0; r < beats; r++) {
          if (!(top.rt_rows_o >> r & 1)) continue;
          top.lf_row_i = static_cast<uint16_t>(top.rt_slot_o * beats + r);
          top.eval();
          that(top.lf_lanes_o != 0, "a row that was put off has lanes");
          left |= top.lf_lanes_o << (r * lanes);
        }
        that(i != nullptr && !i->dead, "what is walked again has not ended");
        if (!i) return;
        that(i == program[i->warp].front(), "the oldest of its warp is walked again", i->number);
        that(left == (i->exec & ~i->gone), "lanes that were put off are those that have not gone on", left,
             i->exec & ~i->gone);
        that(top.rt_beat_o == static_cast<unsigned>(__builtin_ctz(top.rt_rows_o)), "the first row of them");
        make_walk(i, left);
        walk.again = true;
        top.rt_ready_i = 1;
        put_off++;
      } else if (!order.empty()) {
        make_walk(order.front(), order.front()->exec);
        walk.again = false;
        order.pop_front();
      }
    }
    top.co_valid_i = !walk.rows.empty();
    if (walk.rows.empty()) return;
    const auto &r = walk.rows.front();
    top.co_slot_i = static_cast<uint8_t>(walk.of->slot);
    top.co_warp_i = static_cast<uint8_t>(walk.of->warp);
    top.co_write_i = walk.of->write;
    top.co_again_i = walk.again;
    top.co_row_i = static_cast<uint8_t>(r.row);
    top.co_lanes_i = r.lanes;
    top.co_first_i = r.first;
    top.co_final_i = r.final_row;
    top.co_last_i = r.last;
    top.co_key_i = r.first ? r.key : rnd.next();
  }

  // All older instructions of the warp have gone on: of global memory.
  bool older_gone(const Instruction *i) const {
    for (const Instruction *o : program[i->warp]) {
      if (o == i) return true;
      for (unsigned l = 0; l < 32; l++)
        if ((o->exec & ~o->gone) >> l & 1 && !(o->key[l] & LOCAL) && !o->dead) return false;
    }
    return true;
  }

  void look_at_rows() {
    if (!top.tr_valid_o || !top.tr_ready_i) return;
    Instruction *i = in_slot[top.tr_slot_o];
    that(i != nullptr && !i->closed, "a row is of an instruction that has not ended");
    if (!i) return;
    const uint32_t row = top.tr_lanes_o << (top.tr_row_o * lanes);
    if (top.tr_first_o) {
      that(line_of == nullptr, "a line begins when the one before is whole");
      line_of = i;
      line_frame = top.tr_key_o;
    }
    that(line_of == i, "rows of a line follow each other");
    that((row & i->gone) == 0 && (row & ~i->exec) == 0, "a lane goes on once", row, i->gone);
    for (unsigned l = 0; l < 32; l++) {
      if (!(row >> l & 1)) continue;
      that(top.tr_line_o == i->key[l], "the line as it came", top.tr_line_o, i->key[l]);
      if (i->key[l] & LOCAL || !top.pages_i) {
        const uint64_t same = i->key[l] & (LOCAL | 0x1ffffffff); // without pages none is longer
        that(line_frame == same, "lines that are not translated stay as they are", line_frame, same);
        continue;
      }
      that((line_frame & 31) == (i->key[l] & 31), "the line in its page");
      const Page &p = page_of(i->key[l] >> 5);
      that(p.handed && line_frame >> 5 == p.frame, "the frame of its page", line_frame >> 5, p.frame);
      that(!i->write || p.writable, "a store goes where it may");
      that(older_gone(i), "older lines of its warp have gone on", i->number);
    }
    i->gone |= row;
    if (top.tr_final_o) line_of = nullptr;
    if (top.tr_last_o && top.tr_final_o) {
      that(i->gone == i->exec, "an instruction that ends has sent all its lanes", i->gone, i->exec);
      end(i);
    }
  }

  void look_at_dead() {
    if (!top.dead_valid_o || !top.dead_ready_i) return;
    Instruction *i = in_slot[top.dead_slot_o];
    that(i != nullptr, "one that dies was there");
    if (!i) return;
    const uint32_t left = i->exec & ~i->gone;
    uint32_t want = 0;
    const uint64_t line = left ? i->key[static_cast<unsigned>(__builtin_ctz(left))] : 0;
    for (unsigned l = 0; l < 32; l++)
      if (left >> l & 1 && i->key[l] == line) want |= 1u << l;
    that(top.dead_lanes_o == want, "lanes of its first line", top.dead_lanes_o, want);
    that(top.dead_line_o == line, "which line", top.dead_line_o, line);
    that(i == program[i->warp].front(), "the oldest of its warp dies");
    if (top.dead_fault_o) {
      const Page &p = page_of(line >> 5);
      that(trap_mode || p.error || may_trap.count(line >> 5), "it dies of what was to be a trap");
      that(top.dead_kind_o == p.kind, "how its page faults", top.dead_kind_o, p.kind);
    } else {
      that(stopped, "without a fault it dies of a stop alone");
    }
    i->dead = true;
    died++;
    end(i);
  }

  void end(Instruction *i) {
    if (i->closed) return;
    i->closed = true;
    auto &p = program[i->warp];
    p.erase(std::find(p.begin(), p.end(), i));
    in_slot[i->slot] = nullptr;
    ended++;
  }

  void drive_mmu() {
    top.ask_ready_i = rnd.percent(70);
    top.forget_valid_i = 0;
    top.answer_valid_i = 0;
    for (size_t k = 0; k < asks.size(); k++) {
      if (asks[k].due > now) continue;
      const Ask a = asks[k];
      asks.erase(asks.begin() + static_cast<long>(k));
      Page &p = page_of(a.page);
      const bool fault = p.error || !p.there || (a.write && !p.writable), lists = a.lists && !p.error;
      top.answer_valid_i = 1;
      top.answer_page_i = a.page;
      top.answer_who_i = static_cast<uint8_t>(a.who);
      top.answer_fault_i = fault;
      top.answer_kind_i = p.error ? 3 : p.there ? 1 : 0;
      top.answer_lists_i = lists;
      top.answer_stores_i = a.write || (p.writable && rnd.one_in(3));
      top.answer_frame_i = p.frame;
      if (fault && lists) listed.insert(a.page);
      if (fault) p.kind = top.answer_kind_i;
      if (p.error) erred = 4;
      p.handed |= !fault;
      return;
    }
  }

  // The host serves pages, one look at a time. What it says comes as late as answers do.
  void drive_host() {
    top.replay_i = says_replay;
    top.fail_i = says_fail;
    // What faults of their lines that are left is a trap. For one that dies, of an error or a stop, nobody is asked.
    const bool dies = stopped || erred != 0;
    for (unsigned w = 0; w < warps && (says_fail || dies); w++)
      if (top.blocked_o >> w & 1 && !program[w].empty())
        for (unsigned l = 0; l < 32; l++) {
          if (says_fail) may_trap.insert(program[w].front()->key[l] >> 5);
          if (dies) unasked.insert(program[w].front()->key[l] >> 5);
        }
    erred -= erred != 0;
    says_replay = says_fail = false;
    if (listed.empty() || trap_mode || stopped || !rnd.one_in(host)) return;
    for (uint64_t p : listed)
      if (!rnd.one_in(4)) page_of(p).there = page_of(p).writable = true;
    listed.clear();
    says_replay = true;
    says_fail = failing && rnd.one_in(2);
  }
  bool says_replay = false, says_fail = false;
  unsigned erred = 0;                   // cycles in which who waits may learn of an error of memory
  std::set<uint64_t> may_trap, unasked; // pages that the host will not be asked about: behind FAIL, by one that dies

  void cycle(bool more) {
    if (more && rnd.percent(50)) issue();
    drive_coalescer();
    drive_mmu();
    drive_host();
    top.tr_ready_i = rnd.percent(ready);
    top.dead_ready_i = rnd.percent(ready);
    top.trap_i = trap_mode;
    top.stop_i = stopped;
    top.eval();
    if (top.ask_valid_o && top.ask_ready_i)
      that(top.ask_lists_o || trap_mode || may_trap.count(top.ask_page_o) || unasked.count(top.ask_page_o),
           "a fault is a trap where it is to be one"),
          asks.push_back(
              {top.ask_page_o, now + 1 + rnd.below(late), top.ask_who_o, top.ask_write_o != 0, top.ask_lists_o != 0});
    const bool sent = top.co_valid_i && top.co_ready_o;
    look_at_rows();
    look_at_dead();
    // A warp that waits holds nobody else up: rows of others are taken.
    if (top.co_valid_i && !top.co_ready_o && top.tr_ready_i && top.dead_ready_i && !came_late)
      stuck++;
    else
      stuck = 0;
    that(stuck < 6, "rows are taken while others wait", stuck);
    came_late = top.answer_valid_i || top.forget_valid_i;
    clock();
    if (sent) walk.rows.pop_front();
  }
  bool came_late = false;
  unsigned stuck = 0;

  void quiet() {
    host = 5;
    const uint64_t until = now + 60000;
    auto busy = [&] {
      for (auto &p : program)
        if (!p.empty()) return true;
      return !walk.rows.empty();
    };
    while (busy() && now < until) cycle(false);
    that(!busy(), "all ends");
    for (unsigned i = 0; i < 40 || (!asks.empty() && i < 400); i++) cycle(false);
    // While it is stopped, warps of which something has been given up stay shut.
    that((top.blocked_o == 0 || stopped) && !top.rt_valid_o, "nobody waits any more", top.blocked_o);
    that(asks.empty(), "all that was asked has been answered");
  }

  // Each round with other pages, and another temper of all around it.
  void random(unsigned count) {
    for (unsigned round = 0; round < count; round++) {
      pages.clear();
      top.answer_valid_i = top.co_valid_i = top.rt_ready_i = top.replay_i = 0;
      top.forget_valid_i = 1;
      clock();
      top.forget_valid_i = 0;
      for (int i = 0; i < 8; i++) clock();
      listed.clear();
      may_trap.clear();
      unasked.clear();
      most_pages = 1 + rnd.below(rnd.one_in(2) ? 8 : 60);
      late = 1 + rnd.below(rnd.one_in(2) ? 8 : 150);
      ready = 20 + rnd.below(81);
      absent = rnd.one_in(3) ? 0 : rnd.below(50);
      host = 5 + rnd.below(300);
      spread = rnd.below(101);
      if (rnd.one_in(4))
        most_pages = 60, spread = 0, late = 1 + rnd.below(12), absent = 0; // more than the micro-TLB has
      trap_mode = rnd.one_in(5);
      failing = rnd.one_in(3);
      top.pages_i = !rnd.one_in(12);
      for (unsigned k = 40 + rnd.below(400); k > 0; k--) cycle(true);
      if (rnd.one_in(6)) {
        stopped = true;
        quiet();
        stopped = false;
      } else {
        quiet();
      }
    }
  }
};

// Rows of lines at hand: one a cycle, each a cycle later.
void rates(Bench &b) {
  b.local = 0;
  b.most_pages = 1;
  b.ready = b.spread = 100;
  b.late = 1;
  for (int i = 0; i < 400; i++) b.cycle(i < 200);
  b.quiet();
  uint64_t rows = 0, cycles = 0;
  for (int i = 0; i < 1000; i++) {
    for (int k = 0; k < 30 && b.order.size() < 3; k++) b.issue();
    b.drive_coalescer();
    b.top.tr_ready_i = 1;
    b.top.answer_valid_i = 0;
    b.top.eval();
    b.look_at_rows();
    const bool sent = b.top.co_valid_i && b.top.co_ready_o;
    if (i > 20 && b.top.co_valid_i) cycles++, rows += sent;
    b.clock();
    if (!sent) continue;
    b.walk.rows.pop_front();
    b.that(b.top.tr_valid_o != 0, "a row at hand is there a cycle later");
  }
  b.that(cycles > 900 && rows == cycles, "a row a cycle", rows, cycles);
  std::printf("translate: %llu rows in %llu cycles\n", (unsigned long long)rows, (unsigned long long)cycles);
}

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1);
  const unsigned count = args.small("--count", 200), fault = args.small("--fault", 0);
  const bool rate = args.flag("--rate");
  args.all();
  if (fault != 0) heddle_fault() = fault;
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  Bench b(seed);
  b.reset();
  try {
    if (rate)
      rates(b);
    else
      b.random(count);
  } catch (Failed) {}
  if (!rate) {
    std::printf("translate: %llu instructions, %llu of them died, %llu walked again, %llu cycles\n",
                static_cast<unsigned long long>(b.ended), static_cast<unsigned long long>(b.died),
                static_cast<unsigned long long>(b.put_off), static_cast<unsigned long long>(b.now));
    if (b.checks.failed == 0)
      b.that(b.ended > count * 4 && b.died > count / 20 && b.put_off > count * 4, "enough of everything");
  }
  std::printf("translate: %llu checks, %llu failed\n", static_cast<unsigned long long>(b.checks.done),
              static_cast<unsigned long long>(b.checks.failed));
  return (b.checks.failed != 0) != (fault != 0);
}
