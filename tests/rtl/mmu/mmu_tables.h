// SPDX-License-Identifier: Apache-2.0
// Tables of pages as the chapter on virtual memory has them: what an entry is, and tables of a space with all that can
// be wrong with one. Written from the prose, not from the hardware.
#pragma once
#include <set>
#include <unordered_map>

#include "tests/rtl/memory/bench.h"

enum : uint64_t { P = 1, L = 2, W = 4, G = 8, A = 16, D = 32 };
enum Kind { ABSENT, PROTECTED, MALFORMED, ERROR };
enum What { TABLE, PAGE, FAULT };

struct Judged {
  What what;
  Kind kind;
};

// Judges an entry of this level by itself; whether it may be written is judged behind this.
inline Judged judge(uint64_t e, unsigned level) {
  if (!(e & P)) return {FAULT, ABSENT};
  const bool page = e & L;
  bool bad = (e & 0xe00) != 0 || e >> 40 != 0;
  bad |= page && level >= 2;
  bad |= !page && level == 0;
  bad |= page && level == 1 && (e >> 12 & 0x1ff) != 0;
  bad |= !page && (e & (W | G | A | D)) != 0;
  if (bad) return {FAULT, MALFORMED};
  return {page ? PAGE : TABLE, ABSENT};
}

constexpr unsigned FIRST_BIT[4] = {0, 9, 18, 27}; // of a page's number: what chooses an entry of each level

// Physical memory, as far as walks see it: words of eight bytes; lines of 128 bytes that answer with an error.
struct Memory {
  std::unordered_map<uint64_t, uint64_t> words;
  std::set<uint64_t> bad_lines;
  uint64_t &at(uint64_t word) { return words[word]; }
  bool fails(uint64_t word) const { return bad_lines.count(word / 16) != 0; }
};

struct Entry {
  uint64_t word;
  unsigned level;
  uint64_t child; // the table below, by frame
};

struct Space {
  uint64_t root = 0;           // PAGE_ROOT / 8,192
  std::vector<uint64_t> pages; // that programs use
  std::vector<Entry> entries;  // on the way to them
};

// Entries of all kinds; `good`: percent that are in order.
inline uint64_t random_entry(Random &rnd, const Entry &e, const std::vector<Space> &others, unsigned good) {
  const bool page = e.level == 0 || (e.level == 1 && (e.child == 0 || rnd.percent(30)));
  uint64_t frame = page ? rnd.next() & 0xfffffff : e.child;
  if (page && e.level == 1) frame &= ~uint64_t(0x1ff);
  uint64_t v = P | frame << 12 | (rnd.next() & 0x1c0);
  if (page) v |= L | (rnd.percent(70) ? W : 0) | (rnd.percent(20) ? G : 0) | (rnd.percent(50) ? A : 0);
  if (page && rnd.percent(40)) v |= D;
  if (rnd.percent(good)) return v;
  switch (rnd.below(5)) {
  case 0:
    return rnd.next() & ~uint64_t(P);
  case 1:
    return v ^ (uint64_t(1) << (1 + rnd.below(20)));
  case 2:
    return v | uint64_t(1) << (40 + rnd.below(24));
  case 3: // tables that meet, also in a ring
    return P | (others[rnd.below(static_cast<uint32_t>(others.size()))].root * 2 + rnd.below(2)) << 12;
  default:
    return v | uint64_t(1) << (9 + rnd.below(3));
  }
}

// A space of 48 pages of 4 KiB, or parts of larger ones, below a few entries of each level.
inline Space random_space(Random &rnd, Memory &memory, const std::vector<Space> &others, unsigned good) {
  Space s;
  s.root = rnd.next() & 0x7ffffff;
  std::vector<Space> known = others;
  known.push_back(s);
  auto put = [&](uint64_t word, unsigned level, uint64_t child) {
    s.entries.push_back({word, level, child});
    memory.at(word) = random_entry(rnd, s.entries.back(), known, good);
  };
  auto indices = [&](unsigned n, unsigned most) {
    std::set<uint64_t> chosen;
    while (chosen.size() < n) chosen.insert(rnd.below(most));
    return chosen;
  };
  for (uint64_t i3 : indices(2, 1024)) {
    const uint64_t t2 = 1 + (rnd.next() & 0xffffffe);
    put(s.root * 1024 + i3, 3, t2);
    for (uint64_t i2 : indices(2, 512)) {
      const uint64_t t1 = 1 + (rnd.next() & 0xffffffe);
      put(t2 * 512 + i2, 2, t1);
      for (uint64_t i1 : indices(3, 512)) {
        const uint64_t t0 = rnd.percent(25) ? 0 : 1 + (rnd.next() & 0xffffffe);
        put(t1 * 512 + i1, 1, t0);
        for (uint64_t i0 : indices(4, 512)) {
          if (t0) put(t0 * 512 + i0, 0, 0);
          s.pages.push_back(i3 << 27 | i2 << 18 | i1 << 9 | i0);
        }
      }
    }
  }
  return s;
}
