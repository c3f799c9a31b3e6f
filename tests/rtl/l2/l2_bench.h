// SPDX-License-Identifier: Apache-2.0
// The bench of `l2_bank`: SMs that keep the channel's rules, a reference, checks of all outputs; memory compared after
// each flush. The reference performs a request at its first output (a beat, a value, a record, an end), and requires
// that all before it of its line have been performed.
//   l2_request.cpp  random requests and their beats
//   l2_check.cpp    credits, beats, answers, records
//   l2_test.cpp     the cycle, and random requests of all kinds
//   l2_rate.cpp     latency and throughput (--rate)
#pragma once
#include <map>
#include <memory>

#include <Vtop.h>
#include "tests/rtl/memory/atomics.h"
#include "tests/rtl/order/line_memory.h"
#include <verilated.h>

enum Kind { LOAD, STORE, ATOM, FETCH, FILL, KINDS };
constexpr unsigned ALL = CACHE ? 31 : 15; // a bit a kind
constexpr uint64_t BASE = 0x0900000000u;
constexpr uint64_t LINES = 1ull << 33; // of all addresses
constexpr unsigned WRITTEN = 200;      // lines, and as many for refills of lines without writes

// A beat of lw_.
struct WriteBeat {
  bool atom;
  unsigned lane, place, piece, beat;
  bool strb[LINE];
  uint8_t data[LINE];
};

struct Request {
  unsigned kind, sm, tag, slot, gen, op = 0; // tag: {sm, tag}
  uint32_t seq, lanes, sectors;
  uint64_t line;
  unsigned at[32], place[32]; // of each lane: its sector; of an atomic the word of the line
  bool wide = false, gives = false, local = false, failing = false, performed = false, refused = false,
       wstrb[LINE] = {};
  unsigned word = 0;
  uint64_t operand[32], swap[32], old[32];        // of an atomic
  uint8_t bytes[LINE], before[LINE], after[LINE]; // of a store: what it writes
  std::deque<WriteBeat> beats;                    // that are to be sent
  // Outputs so far.
  uint32_t got = 0, answered = 0; // beats, lanes
  uint64_t got_at = 0, first_at = 0, shown_at = 0, accepted_at = 0;
  unsigned shown = 0; // sectors
  bool ended = false;
};
using Pointer = std::shared_ptr<Request>;

struct Bench {
  Vtop top;
  Random rnd;
  Checks checks;
  unsigned bits, tags, all_tags, tag_w, sms, entries, atoms, warps, banks, sets, ways, beats, beat_bytes;
  std::unique_ptr<LineMemory<Vtop>> axi;
  std::vector<uint8_t> memory; // the reference
  std::vector<bool> known;     // of lines that cannot be read: bytes that have been written
  std::vector<uint64_t> lost;  // lines with a failed write-back, in order
  uint64_t now = 0, progress = 0, sent = 0, records = 0, stamp = 0;
  unsigned credits = 0, atom_credits = 0;
  uint64_t given = 0, given_atoms = 0, sent_atoms = 0;
  std::vector<Pointer> by_tag;                // in flight
  std::map<uint64_t, std::deque<Pointer>> on; // of each line those that have not been performed, in order
  Pointer offer, walking;                     // being sent; with sectors being shown
  unsigned beat_percent = 80, answer_percent = 100, take_percent = 100;
  bool flush = false;
  bool keep = false; // of a flush: its lines stay; which they are
  uint64_t flush_base = 0, flush_limit = LINES;
  bool held = false, beat_held = false; // an answer, a beat waits
  uint64_t held_value = 0, beat_value = 0, lost_at = 0;
  // Events of the cycle before this one.
  struct {
    bool asked, ar, aw, w, r, r_last, b, ld, done, record;
  } seen{};

  // The random requests.
  unsigned lines = 4, kinds = ALL; // hot lines; a bit a kind
  bool plain = false;              // whole lines, a beat a row, and no gaps: for rates
  bool one_word = false;           // all lanes of an atomic change one
  bool value = false;              // they want what they found
  unsigned plain_op = ISA_AOP_ADD;
  uint32_t atom_lanes = ~0u; // those of an atomic
  unsigned first_line = 0, plain_lines = WRITTEN;
  uint64_t next_line = 0;

  bool unreadable(uint64_t line) const { return line * LINE >= axi->err_base && line * LINE < axi->err_limit; }

  uint64_t met[COMPARE_SWAP + 1] = {}, swapped = 0, together = 0, beat_and_request = 0, errors = 0, errors_known = 0,
                              kept = 0, gaps = 0, fills = 0, flushes = 0, ends = 0, spared = 0, beside = 0;
  std::vector<bool> since; // of memory: bytes that a request has written since the last flush that kept all

  explicit Bench(uint64_t seed);
  void reset();
  void cycle(bool more); // more: begin requests
  bool busy() const;
  void quiet();   // until all has ended
  void flushed(); // until memory has all, which is compared
  // Lines from base to limit alone, and they stay or not; others are neither written nor evicted.
  void flushed_range(bool keeps, uint64_t base, uint64_t limit);
  void host_writes(); // bytes that no SM has written since, then all lines are evicted
  bool performs(Request &r);
  uint8_t *bytes_of(uint64_t line);

  // order_request.cpp
  Pointer make();
  void accept();
  void send(bool more);
  // order_check.cpp
  void check();

private:
  void store_beats(Request &r);
  void atom_beats(Request &r);
  void credit();
  void beat();
  void answer();
  void refused(Request &r);
  uint64_t flush_over(); // cycles that it took
  void record();
};

int rates(Bench &b);
