// SPDX-License-Identifier: Apache-2.0
//
// The bytes of docs/digest-format.md as entries; whatever the page does not allow ends the test.
#ifndef HEDDLE_TESTS_DIGEST_ENTRIES_HPP
#define HEDDLE_TESTS_DIGEST_ENTRIES_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace digest {

[[noreturn]] inline void fail(const std::string &what) {
  std::printf("FAILED: %s\n", what.c_str());
  std::exit(1);
}

struct Entry {
  unsigned code, slot;
  std::vector<uint64_t> value; // in the order of the page
};

// A launch, from its first frame to its end or the next one's start.
struct Told {
  unsigned lanes, warps, blocks, banks;
  bool lost_at_start = false, lost = false, ended = false;
  size_t lost_after = 0; // entries before it
  uint64_t end_cycle = 0, end_records = 0;
  std::vector<Entry> entries;
};

class Reader {
public:
  // Launches of all bytes that a core has sent; frames are numbered from `number` on.
  static std::vector<Told> read(const std::vector<uint8_t> &bytes, uint32_t &number) {
    Reader r;
    r.next = number;
    std::vector<uint8_t> frame;
    for (size_t i = 0; i < bytes.size(); i++) {
      if (bytes[i] == 0xc0) {
        r.take(frame);
        frame.clear();
      } else if (bytes[i] == 0xdb) {
        if (++i == bytes.size() || (bytes[i] != 0xdc && bytes[i] != 0xdd)) fail("an escape that is none");
        frame.push_back(bytes[i] == 0xdc ? 0xc0 : 0xdb);
      } else {
        frame.push_back(bytes[i]);
      }
    }
    if (!frame.empty()) fail("bytes behind the last frame");
    number = r.next;
    return r.launches;
  }

private:
  std::vector<Told> launches;
  uint32_t next = 0;

  static uint64_t little(const uint8_t *p, unsigned n) {
    uint64_t v = 0;
    for (unsigned i = n; i-- > 0;) v = v << 8 | p[i];
    return v;
  }
  static uint32_t check_word(const uint8_t *p, size_t n) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < n; i++) {
      crc ^= p[i];
      for (int k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
  }

  void take(const std::vector<uint8_t> &f) {
    if (f.size() < 9 || f[0] >> 4 != 1) fail("a frame without a header");
    const size_t n = f.size() - 4;
    if (check_word(f.data(), n) != little(f.data() + n, 4)) fail("a check word");
    if (little(f.data() + 1, 4) != next++) fail("the number of a frame");
    const uint8_t *body = f.data() + 5;
    const unsigned type = f[0] & 15;
    if (type == 2) {
      if (n != 15 || little(body, 4) != 0x44474401 || body[8] != 128) fail("the start of a launch");
      Told t{};
      t.lanes = body[4], t.warps = body[5], t.blocks = body[6], t.banks = body[7];
      t.lost_at_start = body[9] != 0;
      launches.push_back(t);
      return;
    }
    if (launches.empty()) fail("no launch has begun");
    Told &t = launches.back();
    if (t.ended) fail("a frame behind the end");
    if (type == 1) {
      entries(t, body, n - 5);
    } else if (type == 3) {
      if (n != 14 || body[8] != 1 || t.lost) fail("a place to begin at, without need");
      t.lost = true;
      t.lost_after = t.entries.size();
    } else if (type == 4) {
      if (n != 15) fail("the end of a launch");
      t.ended = true;
      t.end_cycle = little(body, 6);
      t.end_records = little(body + 6, 4);
    } else {
      fail("a type of frame");
    }
  }

  // Nibbles of a frame.
  const uint8_t *at = nullptr;
  size_t nibbles = 0, here = 0;
  unsigned nibble() {
    if (here == nibbles) fail("a frame ends inside an entry");
    const unsigned v = at[here / 2] >> 4 * (here % 2) & 15;
    here++;
    return v;
  }
  uint64_t number(unsigned bytes) {
    uint64_t v = 0;
    for (unsigned i = 0; i < 2 * bytes; i++) v |= static_cast<uint64_t>(nibble()) << 4 * i;
    return v;
  }
  uint64_t count() {
    uint64_t v = 0;
    for (unsigned i = 0;; i++) {
      const uint64_t b = number(1);
      v |= (b & 127) << 7 * i;
      if (b < 128) return v;
      if (i == 4) fail("a count of more than five bytes");
    }
  }

  void entries(Told &t, const uint8_t *p, size_t n) {
    static const std::vector<unsigned> sizes[9] = {{0}, {0},          {4}, {2, 4},         {4, 4, 4},
                                                   {6}, {2, 0, 0, 0}, {},  {4, 4, 4, 1, 8}};
    at = p;
    nibbles = 2 * n;
    here = 0;
    for (;;) {
      const unsigned code = nibble();
      if (code == 15) break;
      if (code > 8) fail("a code of nothing");
      Entry e{code, nibble(), {}};
      for (unsigned bytes : sizes[code]) e.value.push_back(bytes != 0 ? number(bytes) : count());
      if (t.lost || t.lost_at_start) fail("entries behind a loss");
      t.entries.push_back(e);
    }
    if (here < nibbles && nibble() != 0) fail("what is left of a frame");
    if (here != nibbles) fail("a frame is longer than its entries");
  }
};

} // namespace digest

#endif
