// SPDX-License-Identifier: Apache-2.0
// Streams of accesses on micro-TLBs, the mmu behind them, memory that answers when it likes, and a host that changes
// tables, invalidates, replays. Each walk is followed at memory: its entries are judged here a second time.
#pragma once
#include <memory>

#include <Vtop.h>
#include <verilated.h>
#include "tests/rtl/mmu/mmu_tables.h"

constexpr unsigned MOST_CHANNELS = 8, WARPS = 24, PLACES_OF_LIST = 16;

// A translation that a walk has found.
struct Found {
  uint64_t space, page; // of 2 MiB: its first 4 KiB
  bool large, shared, stores;
  uint64_t frame;
  bool operator==(const Found &o) const {
    return space == o.space && page == o.page && large == o.large && shared == o.shared && stores == o.stores &&
           frame == o.frame;
  }
  bool covers(uint64_t s, uint64_t p) const {
    return (shared || s == space) && (large ? p >> 9 == page >> 9 : p == page);
  }
};

// A walk that has ended in a fault; a page of the list.
struct Failed {
  uint64_t space, page;
  Kind kind;
  uint64_t at;
  bool write;
  unsigned tag = 0;
  uint64_t until = ~uint64_t(0); // its tag begins another walk
};

struct Request {
  unsigned tag;
  bool swap, exchange;
  uint64_t word, b, c;
  uint32_t number;
  unsigned level;
  uint64_t came, value = 0;
  bool performed = false, err = false;
  std::vector<unsigned> beats; // that are still to be sent
  bool old_sent = false;
};

// The walk that a tag of the channel makes: which access comes next.
struct Walk {
  enum Next { NONE, READ, SWAP } next = NONE;
  uint32_t number = 0;
  unsigned level = 0;
  uint64_t page = 0, word = 0, entry = 0;
  bool write = false;
};

struct Warp {
  enum State { REST, WANT, LOOKED, WAIT, FULL, PARKED } state = REST;
  uint64_t page = 0, since = 0, came = 0, ended = 0; // the first lookup; the answer; the hit
  bool write = false, lists = true;
  int who = -1;   // waits for this place
  int again = -1; // that place has come, and is kept until it has been looked up
};

struct Place {
  uint64_t began = 0;
  bool kept = false;
  unsigned left = 0, waiting = 0;
};

struct Channel {
  Warp warp[WARPS];
  Place place[16];
  int looked = -1;    // the warp of the outcome that comes
  uint64_t freed = 0; // the last done
  std::deque<unsigned> done;
};

struct Bench {
  Vtop top;
  Random rnd;
  Checks checks;
  Memory memory;
  unsigned channels, places, walks, bits, tags, atoms, sets;
  uint64_t now = 0, moved = 0;

  // The launch: the spaces, one of them current.
  std::vector<Space> spaces;
  unsigned space = 0;
  Channel channel[MOST_CHANNELS];
  bool begins = true; // warps begin accesses
  uint32_t first_page = 0;
  unsigned look_percent = 80, write_percent = 30, lists_percent = 60;

  // mmu_memory.cpp
  std::deque<Request> queue;
  std::vector<uint64_t> pieces; // of operands that came
  unsigned credits = 0, atom_credits = 0, owed = 0, owed_atoms = 0;
  unsigned latency = 0; // fixed, 0: any
  unsigned answer_percent = 60;
  Walk walk[16];
  uint32_t next_number = 0, exchanges = 0;
  std::vector<Found> found;
  std::deque<Failed> failed;
  Request *ending = nullptr; // the end that is shown in this cycle
  std::vector<uint64_t> starts;

  // The host.
  unsigned change_permille = 0, forget_permille = 0, replay_permille = 0;
  std::vector<Failed> list; // as it should be
  bool replay_under_way = false;
  uint64_t replay_seen = 0;
  bool forgetting = false, forget_now = false, forget_all_pages = true, exchange_now = false;
  uint64_t forget_at = 0, last_forget = 0;
  unsigned forgotten = 0; // a bit a channel that has said so
  bool inv_all_spaces = false, inv_all_pages = false;
  uint64_t inv_space = 0, inv_page = 0;
  bool exchanging = false;
  uint64_t ex_word = 0, ex_value = 0, ex_old = 0;
  bool ex_err = false, ex_done = false;

  struct {
    uint64_t hits, walks, faults[4], swaps, lost_swaps, large, shared, joined, full, parked, traps, replays, fails,
        forgets, exchanges, again_hits, upgrades, errors, lookups;
  } met{};

  explicit Bench(uint64_t seed);
  void reset();
  void cycle();

  // mmu_memory.cpp
  void drive_memory();
  void look_memory();

private:
  void take_request();
  void perform(Request &r);
  void perform_swap(Request &r, Walk &w);
  void begin_walk();
  void judged(Walk &w, uint64_t value);
  void fails(Walk &w, Kind kind);
  void drive_channel(unsigned c);
  void look_channel(unsigned c);
  void outcome(unsigned c);
  void came(unsigned c);
  void drive_host();
  void look_host();
  void forget_old();
};

template <class T> inline bool bit_of(const T &port, unsigned i) {
  return bytes(port)[i / 8] >> (i % 8) & 1;
}
template <class T> inline void set_bit(T &port, unsigned i, bool v) {
  put_bits(bytes(port), i, 1, v);
}
template <class T> inline uint64_t long_of(const T &port, unsigned i) {
  uint64_t v;
  std::memcpy(&v, bytes(port) + 8 * i, 8);
  return v;
}
template <class T> inline void set_long(T &port, unsigned i, uint64_t v) {
  std::memcpy(bytes(port) + 8 * i, &v, 8);
}

int rates(Bench &b); // mmu_rate.cpp
