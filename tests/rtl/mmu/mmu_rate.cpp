// SPDX-License-Identifier: Apache-2.0
// Latencies and rates, held to what README.md of rtl/mmu promises: each follows from the steps that are listed there.
#include "tests/rtl/mmu/mmu_bench.h"

namespace {
constexpr uint64_t ROOT = 0x1234567, FRAME = 0xabcde00;

bool same(Bench &b, const char *what, uint64_t is, uint64_t promised) {
  std::printf("%-72s %llu\n", what, (unsigned long long)is);
  return b.checks.that(is == promised, what, is, promised);
}

// A page of 4 KiB, or the 2 MiB around it, by way of tables at frames that follow from its number.
void map(Bench &b, uint64_t page, bool large, uint64_t flags) {
  const uint64_t t2 = 0x100 + (page >> 27), t1 = 0x2000 + (page >> 18 & 0xfff), t0 = 0x40000 + (page >> 9 & 0xffff);
  b.memory.at(ROOT * 1024 + (page >> 27)) = t2 << 12 | P;
  b.memory.at(t2 * 512 + (page >> 18 & 511)) = t1 << 12 | P;
  b.memory.at(t1 * 512 + (page >> 9 & 511)) = large ? FRAME << 12 | P | L | flags : t0 << 12 | P;
  if (!large) b.memory.at(t0 * 512 + (page & 511)) = (FRAME + (page & 511)) << 12 | P | L | flags;
}

// An access by itself: cycles from its first lookup to the answer, and to the outcome that is a hit.
struct Times {
  uint64_t answer, hit;
};
Times one(Bench &b, uint64_t page, bool write) {
  Warp &w = b.channel[0].warp[0];
  w = Warp{};
  w.page = page;
  w.write = write;
  w.state = Warp::WANT;
  for (unsigned i = 0; i < 2000 && w.state != Warp::REST; i++) b.cycle();
  b.checks.that(w.state == Warp::REST, "an access ends", page);
  for (unsigned i = 0; i < 10; i++) b.cycle();
  return {w.came ? w.came - w.since : 0, w.ended - w.since};
}

// Hits in so many cycles of a stream of them.
uint64_t stream(Bench &b, unsigned cycles) {
  b.begins = true;
  b.write_percent = 0;
  b.spaces[b.space].pages = {0x1000, 0x1001, 0x1002, 0x1003};
  for (unsigned i = 0; i < 2000; i++) b.cycle();
  const uint64_t before = b.met.hits;
  for (unsigned i = 0; i < cycles; i++) b.cycle();
  const uint64_t hits = b.met.hits - before;
  b.begins = false;
  for (unsigned i = 0; i < 50; i++) b.cycle();
  return hits / b.channels;
}

// Cycles from the host's event to that in which SMs hear of an invalidation.
uint64_t forget(Bench &b, bool all) {
  b.forget_now = true;
  b.forget_all_pages = all;
  const uint64_t begun = b.now;
  while (b.forget_now || b.forgetting) b.cycle();
  return b.forget_at - begun;
}

uint64_t exchange(Bench &b) {
  b.ex_word = FRAME * 512;
  b.ex_value = 7;
  b.exchange_now = true;
  const uint64_t begun = b.now;
  while (b.exchange_now || b.exchanging) b.cycle();
  return b.now - 1 - begun;
}
} // namespace

int rates(Bench &b) {
  b.spaces[0].root = ROOT;
  b.top.root_i = ROOT;
  b.begins = false;
  b.look_percent = 100;
  // Pages that share no set, and nothing in the micro-TLB.
  for (uint64_t i = 0; i < 64; i++) map(b, 0x1000 + i, false, A | D | W);
  for (unsigned i = 0; i < 1000; i++) b.cycle();
  for (uint64_t latency : {20, 50}) {
    b.latency = static_cast<unsigned>(latency);
    const uint64_t access = latency + 3, more = b.bits == 32 ? 3 : b.bits == 64 ? 1 : 0;
    forget(b, true);
    std::printf("memory answers after %llu cycles\n", (unsigned long long)latency);
    Times t = one(b, 0x1000, false);
    same(b, "walk of four: lookup to the answer", t.answer, 4 * access + 8);
    same(b, "... to its hit", t.hit, 4 * access + 10);
    same(b, "hit", one(b, 0x1000, true).hit, 1);
    for (uint64_t i = 1; i < 9; i++) one(b, 0x1000 + i, false); // other places are taken
    same(b, "hit in the shared translations: lookup to the answer", one(b, 0x1000, false).answer, 4);
    map(b, 0x1e0000123, false, W);
    same(b, "walk with a swap: lookup to the answer", one(b, 0x1e0000123, true).answer, 5 * access - 1 + more + 8);
    map(b, 0x0e0020045, true, A | W);
    same(b, "walk of 2 MiB: lookup to the answer", one(b, 0x0e0020045, false).answer, 3 * access + 8);
    same(b, "another 4 KiB of it: hit", one(b, 0x0e0020146, false).hit, 1);
    same(b, "a store to it, which sets D: lookup to the answer", one(b, 0x0e0020145, true).answer,
         4 * access - 1 + more + 8);
    same(b, "a store to another 4 KiB of it: hit", one(b, 0x0e0020047, true).hit, 1);
    same(b, "exchange: from the host's event until it is over", exchange(b), latency + 3 + (b.bits == 32));
    // Three pages at once: the third begins when the first is over.
    forget(b, true);
    b.starts.clear();
    for (unsigned i = 0; i < b.walks + 1; i++) {
      Warp &w = b.channel[0].warp[i];
      w = Warp{};
      w.page = 0x1010 + i;
      w.state = Warp::WANT;
    }
    for (unsigned i = 0; i < 1000; i++) b.cycle();
    if (b.checks.that(b.starts.size() == b.walks + 1, "walks", b.starts.size()) && b.bits > 32) {
      same(b, "walks begin side by side", b.starts[1] - b.starts[0], b.walks > 1 ? 1 : 4 * access + 6);
      if (b.walks == 2)
        same(b, "a walk of four to the one that takes its turn", b.starts[2] - b.starts[0], 4 * access + 8);
    }
    // Every channel wants one page: one walk.
    forget(b, true);
    b.starts.clear();
    for (unsigned c = 0; c < b.channels; c++) {
      Warp &w = b.channel[c].warp[0];
      w = Warp{};
      w.page = 0x1020;
      w.state = Warp::WANT;
    }
    for (unsigned i = 0; i < 1000; i++) b.cycle();
    same(b, "one page, asked for by all: walks", b.starts.size(), 1);
    uint64_t last = 0;
    for (unsigned c = 0; c < b.channels; c++)
      last = std::max(last, b.channel[c].warp[0].came - b.channel[c].warp[0].since);
    // An answer a cycle, but that behind what is kept of the first.
    same(b, "... lookup to the last answer", last, 4 * access + 8 + (b.channels > 1 ? b.channels : 0));
  }
  same(b, "hits in 1,000 cycles, a channel", stream(b, 1000), 1000);
  same(b, "invalidation at rest, of all: until SMs hear of it", forget(b, true), b.sets + 5);
  same(b, "... of a page", forget(b, false), 6);
  std::printf("%llu checks, %llu failed\n", (unsigned long long)b.checks.done, (unsigned long long)b.checks.failed);
  return b.checks.failed ? 1 : 0;
}
