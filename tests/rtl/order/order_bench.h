// SPDX-License-Identifier: Apache-2.0
// The bench of `order`: an SM that keeps the channel's rules, a reference, checks of all outputs. The reference does
// a request when it is accepted: values, answers and records are known beforehand, at any timing of AXI.
//   order_request.cpp  random requests and their beats
//   order_check.cpp    credits, beats, answers, records
//   order_test.cpp     the cycle, and random requests of all kinds
//   order_rate.cpp     latency and throughput (--rate)
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
constexpr unsigned WRITTEN = 200; // lines, and as many for refills

// A beat of lw_.
struct WriteBeat {
  bool atom;
  unsigned lane, place, piece, beat;
  bool strb[LINE];
  uint8_t data[LINE];
};

struct Request {
  unsigned kind, tag, slot, gen, op = 0;
  uint32_t seq, lanes, sectors;
  uint64_t line;
  unsigned at[32], place[32]; // of each lane: its sector; of an atomic the word of the line
  bool wide = false, gives = false, local = false, failing = false, wstrb[LINE] = {};
  unsigned word = 0;
  uint64_t operand[32], swap[32], old[32]; // of an atomic
  uint8_t before[LINE], after[LINE];
  std::deque<WriteBeat> beats; // that are to be sent
  // Outputs so far.
  uint32_t got = 0, answered = 0; // beats, lanes
  uint64_t got_at = 0, shown_at = 0, accepted_at = 0;
  unsigned shown = 0; // sectors
  bool ended = false;
};
using Pointer = std::shared_ptr<Request>;

struct Bench {
  Vtop top;
  Random rnd;
  Checks checks;
  unsigned bits, tags, atoms, warps, beats, beat_bytes;
  std::unique_ptr<LineMemory<Vtop>> axi;
  std::vector<uint8_t> memory; // the reference
  uint64_t now = 0, progress = 0, sent = 0, records = 0, stamp = 0;
  unsigned credits = 0, atom_credits = 0;
  uint64_t given = 0, given_atoms = 0, sent_atoms = 0;
  std::vector<Pointer> by_tag;                // in flight
  std::map<uint64_t, std::deque<Pointer>> on; // of each line those that have not been shown, in order
  Pointer offer, walking;                     // being sent; with sectors being shown
  unsigned beat_percent = 80, answer_percent = 100;
  // Events of the cycle before this one.
  struct {
    bool asked, ar, aw, w, r, r_last, b, ld, done;
  } seen{};

  // The random requests.
  unsigned lines = 4, kinds = ALL; // hot lines; a bit a kind
  bool plain = false;              // whole lines, a beat a row, and no gaps: for rates
  bool one_line = false;           // of one warp, all of one line
  uint64_t next_line = 0;

  uint64_t met[COMPARE_SWAP + 1] = {}, swapped = 0, together = 0, beat_and_request = 0, errors = 0, gaps = 0, fills = 0;

  explicit Bench(uint64_t seed);
  void reset();
  void cycle(bool more); // more: begin requests
  bool busy() const;
  void quiet(); // until all has ended

  // order_request.cpp
  Pointer make();
  void accept();
  void send(bool more);
  // order_check.cpp
  void check();

private:
  void store_beats(Request &r);
  void atom_beats(Request &r);
  void perform(Request &r);
  void credit();
  void beat();
  void answer();
  void record();
};

int rates(Bench &b);
