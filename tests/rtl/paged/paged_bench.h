// SPDX-License-Identifier: Apache-2.0
// The bench of memory (tests/rtl/memory) with pages: virtual addresses of global memory, tables that change. An mmu
// answers late and in any order; a host brings pages, takes them away and ends waits; a machine is stopped.
//   paged_mmu.cpp     tables, answers, the host, invalidations
//   paged_end.cpp     accesses of virtual lines, copies, traps, ends without an effect
//   paged_test.cpp    random launches, rates, main
#pragma once
#include <set>

#include "tests/rtl/memory/mem_bench.h"

enum Fault { ABSENT, PROTECTED, MALFORMED, ERROR };
constexpr unsigned PAGE_FAULT = 12;

struct Page {
  bool there = true, writable = true, malformed = false, error = false; // error: of memory, at its tables
  bool dirty = false;
  uint64_t frame = 0;
  struct Old { // before an invalidation that is under way
    uint64_t frame;
    bool writable;
  };
  std::vector<Old> old;
  bool told = false;              // a fault of it came to the host
  bool any[4] = {};               // a fault of this kind was answered in this launch,
  bool trap[4] = {};              // ... and was to be a trap
  std::set<uint64_t> frames_seen; // of this launch
};

struct Ask {
  uint64_t page, due;
  unsigned who, space;
  bool write, lists;
  bool read = false; // of code or constants, which are at their addresses
};

class Paged : public Bench {
public:
  explicit Paged(uint64_t seed) : Bench(seed) {}

  // ---- the launch, as it is drawn
  bool plain = true; // the next one is drawn without pages
  bool pages_on = true, fault_trap = false, fails = false, halts = false;
  unsigned absent = 0, late = 20, host_time = 200, spread = 30,
           change = 0; // percent, cycles, cycles, percent, per mille
  unsigned most_flight = 6;
  unsigned space = 0;
  std::vector<uint64_t> used; // pages that instructions like

  void launch(bool whole_shared) override;

  // ---- tables (paged_mmu.cpp)
  std::map<uint64_t, Page> small, big; // by page, by page of 2 MiB
  bool is_big(uint64_t page) const { return big.count(page >> 9) != 0; }
  Page &table(uint64_t page);
  uint64_t frame_of(uint64_t page, uint64_t frame) const { return is_big(page) ? frame | (page & 0x1ff) : frame; }
  // May an access of this page be performed at this frame?
  bool legal(uint64_t page, uint64_t frame, bool write);
  bool translated_ever(uint64_t page, bool write);

  // ---- the mmu and the host (paged_mmu.cpp)
  std::vector<Ask> asks;
  std::set<uint64_t> listed;
  bool failed_once = false, erred = false; // erred: a wait for a page ends in an error, without a request
  enum { REST, DRAIN, WAIT } invalidating = REST;
  unsigned owed = 0; // channels that have not acknowledged the invalidation
  uint64_t wait_from = 0, replays = 0, faults = 0, invalidations = 0, longest = 0;
  bool forget_all = false, forget_spaces = false;
  uint64_t last_request = 0, last_answer = 0, last_ask = 0;
  uint64_t forget_page = 0;
  void drive_more() override;
  void sample_more() override;
  void answer(const Ask &a);
  void change_pages();

  // ---- instructions
  unsigned judge_global(const Instr &x, uint64_t a) const override;
  size_t byte_at(uint64_t a) const override;
  void global_range(const Instr &x, uint64_t *lo, uint64_t *n) override;
  void make_copy(Instr &x);
  void generate_paged();

  // ---- what happens (paged_end.cpp)
  std::map<uint64_t, uint32_t> muted; // by warp slot and generation: the first that was dropped
  uint64_t page_traps = 0, given_up = 0, copies = 0, translated = 0;
  bool halted = false;
  void on_gmem(const heddle_line_port_record &r) override;
  void on_shared() override;
  void on_done() override;
  bool may_die(const Instr &x);
  bool line_failing_at(const Instr &x, uint64_t line, uint64_t frame) const;
  bool end_by_page(const Ref &p);
  uint32_t of_line(const Instr &x, uint64_t line) const;
};
