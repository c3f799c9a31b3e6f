// SPDX-License-Identifier: Apache-2.0
//
// digest_engine alone: items of any warp and place, two side by side, results up to hundreds of instructions late, and
// instructions of any number, so that windows are counted past 2^16. What it tells, and what is left in it, are the
// sums that the page asks for. usage: rtl_digest_engine SEED ROUNDS
#include <deque>
#include <map>

#include <Vtop.h>
#include "tests/lab/fpga/digest/entries.hpp"
#include "tests/lab/fpga/digest/field.hpp"
#include <heddle/verilated_ports.hpp>
#include "tests/rtl/random.h"

namespace {

using digest::fail;
constexpr unsigned WARPS = 8, PIPES = 2, ITEM = 82;

struct Item {
  unsigned slot, kind, place, beat;
  uint32_t seq, r;
};

struct Warp {
  uint32_t first = 0, next = 0;
  std::map<uint32_t, uint32_t> sum; // of each window
  std::map<uint32_t, uint32_t> told;
  uint32_t ahead = 0; // windows that have been told
};

struct Bench {
  VerilatedContext context;
  Vtop top{&context};
  Random &r;
  std::vector<Warp> warp{WARPS};
  uint64_t entry = 0; // the first chunk of one, and how many nibbles
  unsigned nibbles = 0, corrections = 0, windows = 0;
  unsigned ready = 50;

  explicit Bench(Random &random) : r(random) {}

  void put(unsigned pipe, const Item &i) {
    uint32_t word[6];
    ports::slice(word, top.it_i, 0, 6);
    const auto bits = [&](unsigned at, unsigned n, uint32_t v) {
      for (unsigned k = 0; k < n; k++) {
        const unsigned b = pipe * ITEM + at + k;
        word[b / 32] = (word[b / 32] & ~(1u << b % 32)) | (v >> k & 1) << b % 32;
      }
    };
    bits(0, 32, i.r);
    bits(32, 5, i.beat);
    bits(37, 8, i.place);
    bits(45, 2, i.kind);
    bits(47, 32, i.seq);
    bits(79, 3, i.slot);
    ports::drive_words(top.it_i, word, 6);
    top.it_valid_i |= static_cast<uint8_t>(1u << pipe);
  }

  void chunk(uint64_t c) { // ends, nibbles less one, data
    if (nibbles == 0) entry = 0;
    const unsigned n = (c >> 32 & 7) + 1;
    const uint64_t data = c & (n == 8 ? 0xffffffff : (1u << 4 * n) - 1);
    if (4 * nibbles + 4 * n > 64) fail("an entry that is too long");
    entry |= data << 4 * nibbles;
    nibbles += n;
    if (!(c >> 35 & 1)) return;
    const unsigned code = entry & 15, slot = entry >> 4 & 15;
    Warp &w = warp.at(slot);
    if (code == 2 && nibbles == 10) {
      w.told[(w.first == 0 ? 0 : w.first / 64 - 2) + w.ahead++] ^= static_cast<uint32_t>(entry >> 8);
      windows++;
    } else if (code == 3 && nibbles == 14) {
      const uint32_t low = entry >> 8 & 0xffff;
      uint32_t k = (w.next - 1) / 64;
      while ((k & 0xffff) != low) k--;
      if ((w.next - 1) / 64 - k < 2) fail("a correction of a window that has not been sent");
      w.told[k] ^= static_cast<uint32_t>(entry >> 24);
      corrections++;
    } else {
      fail("an entry of code " + std::to_string(code));
    }
    nibbles = 0;
  }

  // False: nothing was taken.
  bool clock() {
    top.ch_ready_i = r.percent(ready);
    top.clk_i = 0;
    top.eval();
    if (top.ch_valid_o && top.ch_ready_i) chunk(top.ch_o);
    const bool took = top.it_ready_o;
    top.clk_i = 1;
    top.eval();
    return took;
  }
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  Random r{std::strtoull(argv[1], nullptr, 0)};
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(r.u32() >> 1));
  Bench b(r);
  for (int round = 0; round < std::atoi(argv[2]); round++) {
    b.top.rst_ni = 0;
    b.top.it_valid_i = 0;
    b.clock();
    b.top.rst_ni = 1;
    b.ready = 1 + r.below(100);
    const unsigned wait = r.one_in(2) ? 40 : 2000; // cycles that a result takes at most
    // Numbers near the places where their low bits begin anew.
    static const uint32_t bases[] = {0, 0, 1u << 16, 1u << 22, 3u << 22, 1u << 31};
    for (Warp &w : b.warp) {
      w = Warp{};
      const uint32_t base = bases[r.below(6)];
      w.first = w.next = base == 0 ? 0 : base - 64 * r.below(6);
    }
    std::deque<std::pair<unsigned, Item>> pending; // cycles to wait
    for (unsigned cycle = 0; cycle < 12000 || !pending.empty(); cycle++) {
      Item item[PIPES];
      bool there[PIPES] = {}, begins = false;
      const unsigned slot = r.below(WARPS);
      Warp &w = b.warp[slot];
      if (cycle < 12000 && r.one_in(4)) {
        item[0] = {slot, 0, 0, 0, w.next, r.u32()};
        there[0] = true;
        begins = w.next % 64 == 0;
        for (unsigned n = r.below(9); n > 0; n--)
          pending.push_back({r.below(wait), {slot, 1 + r.below(3), r.below(256), r.below(32), w.next, r.u32()}});
      }
      for (unsigned p = there[0] ? 1 : 0; p < PIPES && !(begins && p == 1); p++) {
        if (r.one_in(3)) continue;
        for (size_t i = 0; i < pending.size(); i++)
          if (pending[i].first == 0) {
            item[p] = pending[i].second;
            there[p] = true;
            pending.erase(pending.begin() + static_cast<long>(i));
            break;
          }
      }
      b.top.it_valid_i = 0;
      for (unsigned p = 0; p < PIPES; p++)
        if (there[p]) b.put(p, item[p]);
      while (!b.clock()) continue;
      for (unsigned p = 0; p < PIPES; p++)
        if (there[p]) {
          const Item &i = item[p];
          Warp &x = b.warp[i.slot];
          if (i.kind == 0) x.next++;
          x.sum[i.seq / 64] ^= digest::multiply(digest::place_number(i.seq, i.kind, i.place, i.beat), i.r);
        }
      for (auto &x : pending)
        if (x.first > 0) x.first--;
    }
    b.top.it_valid_i = 0;
    for (int i = 0; i < 2000; i++) b.clock();
    if (!b.top.idle_o) fail("it does not come to rest");
    for (unsigned s = 0; s < WARPS; s++) {
      Warp &w = b.warp[s];
      if (w.next == w.first) continue;
      const uint32_t first = w.first / 64, last = (w.next - 1) / 64;
      b.top.peek_slot_i = s;
      for (unsigned k = 0; k < 2; k++) {
        b.top.peek_last_i = k;
        b.clock();
        if (b.top.peek_seq_o != w.next - 1) fail("the last instruction");
        if (last - first >= 1 - k && b.top.peek_digest_o != w.sum[last - 1 + k]) fail("a window that is left");
      }
      // A window is told for each that has begun two after it; those before `first` were there by chance.
      const uint32_t expect = w.first == 0 ? (last >= 2 ? last - 1 : 0) : last - first + 1;
      if (w.ahead != expect) fail("windows that are told: " + std::to_string(w.ahead));
      for (uint32_t k = first; k + 2 <= last; k++)
        if (w.told[k] != w.sum[k]) fail("a window that was told");
    }
  }
  if (b.windows == 0 || b.corrections == 0) fail("nothing was told, or nothing late");
  std::printf("%u windows, %u corrections\n", b.windows, b.corrections);
  return 0;
}
