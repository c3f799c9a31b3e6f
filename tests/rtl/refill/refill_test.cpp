// SPDX-License-Identifier: Apache-2.0
// Refills of instructions, constant operands and LDC on pages that come late, never, or after the host has been asked:
// each answer brings the bytes of its virtual address, from a frame that the page had since the last invalidation, or a
// fault that the page had; whoever waits for the host is told of its page; what is read ahead raises nothing; nobody is
// forgotten. --rate: how many cycles what takes, exactly, and that nobody waits for another's page.
//   rtl_refill_NAME [--seed N] [--cycles N] [--rate] [--fault N]
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <Vtop.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/memory/bench.h"
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>

namespace {

constexpr uint64_t CODE = 0x4000000000u, BANK = 0x70fff00000u; // virtual, and without pages physical
constexpr unsigned CODE_PAGES = 6, BANK_PAGES = 4, WARPS = 4, BUS = 1, PAGE = 2;
enum { ABSENT, PROTECTED, MALFORMED, ERROR };

uint32_t word_at(uint64_t address) {
  const uint64_t x = (address / 4 + 0x1234567) * 0x9e3779b97f4a7c15u;
  return static_cast<uint32_t>((x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u >> 32);
}

struct Page {
  bool there = true, listed = false;
  unsigned kind = ABSENT; // while it is not there
  uint32_t frame = 0;
  uint64_t faulted = 0, erred = 0; // when the mmu last said so; that memory has answered with an error
  bool big = false;
};

struct Ask {
  uint64_t page, due;
  unsigned who, space;
  bool lists;
};

struct Flight {
  unsigned cache, number, sent = 0;
  uint64_t address, due;
};

struct Want { // a word of code or of the bank that somebody waits for
  uint64_t address = 0, asked = 0, replays = 0;
  unsigned tag = 0;
  bool lists = false;
};

struct Load { // LDC
  unsigned seq = 0, words = 1, beat = 0;
  uint32_t exec = 0;
  uint64_t begun = 0, fails = 0;
  std::vector<uint16_t> off;
  std::vector<std::pair<unsigned, unsigned>> rows; // beats and words that are to come
};

struct Bench {
  Vtop top;
  Random rnd;
  Checks checks;
  std::map<uint64_t, Page> pages;
  std::map<uint32_t, std::pair<uint64_t, bool>> frames; // page; the host has it back
  std::deque<Ask> asks;
  std::deque<Flight> flights;
  std::deque<Want> fetched[WARPS], again[WARPS]; // under way; to be asked for with the list, behind a REPLAY if need be
  std::map<unsigned, Want> constants;
  std::deque<Want> constants_again;
  std::deque<Load> loads;
  std::optional<Want> offered_fetch, offered_constant;
  uint64_t now = 0, replays = 0, fails = 0, answers = 0, faults = 0, told = 0, moved = 0, ldc_done = 0, ldc_traps = 0,
           launches = 0;
  uint64_t listed_asks = 0, quiet_faults = 0, stray_until = 0;
  unsigned lanes = 0, beats = 0, seq = 0, epoch[WARPS]{};
  unsigned late = 20, memory = 30, absent = 10, host = 60, ready = 80, spread = 30, wrong = 0;
  bool ldc_final = false; // FAIL has found it waiting
  unsigned ldc_waits = 0, strays = 0;
  bool pages_on = true, trap_mode = false, quiet = false, stopped = false, was_quiet = false;
  uint64_t rests = 0;
  enum { CALM, HOLD, FORGETTING } forget = CALM;
  std::vector<uint32_t> taken; // frames that are the host's again when the invalidation is over
  uint64_t forget_at = 0;
  uint32_t large_code = 0, large_bank = 0;

  explicit Bench(uint64_t seed) : rnd{seed * 31 + 5} {
    if (seed % 4 == 2) large_code = 512 * (1 + rnd.below(1000));
    if (seed % 4 == 3) large_bank = 512 * (1 + rnd.below(1000));
    Verilated::randReset(2);
    Verilated::randSeed(static_cast<int>(seed) + 1);
    top.if_valid_i = top.cst_valid_i = top.ldc_valid_i = top.go_i = top.replay_i = top.fail_i = top.stop_i = 0;
    top.answer_valid_i = top.forget_i = 0;
    top.beat_valid_i = top.done_valid_i = 0;
    top.tr_ready_i = top.ask_ready_i = top.res_ready_i = 0;
    top.code_base_i = CODE;
    top.code_bytes_i = CODE_PAGES * 4096;
    top.cbank_base_i = BANK;
    top.space_i = 7;
    top.trap_i = 0;
    top.pages_i = 1;
    top.rst_ni = 0;
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
    edge();
    lanes = top.cfg_lanes_o;
    beats = 32 / lanes;
    for (unsigned i = 0; i < CODE_PAGES; i++) give(CODE / 4096 + i);
    for (unsigned i = 0; i < BANK_PAGES; i++) give(BANK / 4096 + i);
  }

  bool check(bool ok, const char *what, uint64_t a = 0, uint64_t b = 0) {
    checks.cycle = now;
    return checks.that(ok, what, a, b);
  }
  void edge() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    now++;
  }

  // A page of 2 MiB, which stays: all of the code's, or the bank's.
  uint32_t large(uint64_t page) const { return page / 512 == CODE / 4096 / 512 ? large_code : large_bank; }

  // ---- the host's pages
  // -------------------------------------------------------------------------------------------------
  void give(uint64_t page) {
    Page &p = pages[page];
    p.there = true;
    p.listed = false;
    p.big = large(page) != 0;
    do p.frame = p.big ? large(page) : rnd.below(1u << 28);
    while (frames.count(p.frame + static_cast<uint32_t>(p.big ? page % 512 : 0)));
    frames[p.frame + static_cast<uint32_t>(p.big ? page % 512 : 0)] = {page, false};
  }
  void take(uint64_t page) {
    Page &p = pages[page];
    if (!p.there || p.big) return;
    p.there = false;
    p.kind = rnd.percent(wrong) ? ERROR : rnd.percent(15) ? MALFORMED : ABSENT;
    taken.push_back(p.frame);
    moved++;
  }
  uint64_t some_page() {
    return rnd.percent(60) ? CODE / 4096 + rnd.below(CODE_PAGES) : BANK / 4096 + rnd.below(BANK_PAGES);
  }

  void host_acts() {
    top.replay_i = top.fail_i = top.forget_i = 0;
    bool any = false;
    for (auto &[n, p] : pages) any |= p.listed;
    for (auto &[n, p] : pages) // of an error of memory nobody is told
      if (!p.there && p.kind == ERROR && rnd.one_in(400)) give(n);
    if (!stopped && (any ? rnd.one_in(host) : rnd.one_in(900))) {
      for (auto &[n, p] : pages) {
        if (p.listed && rnd.percent(80)) give(n);
        p.listed = false;
      }
      top.replay_i = 1;
      replays++;
      if (rnd.one_in(8)) {
        top.fail_i = 1;
        fails++;
      }
    }
    switch (forget) {
    case CALM:
      if (rnd.one_in(150)) forget = HOLD;
      break;
    case HOLD: // channels are held until nothing is under way
      if (!asks.empty()) break;
      for (unsigned n = rnd.below(4); n > 0; n--)
        if (rnd.percent(absent * 5)) take(some_page());
      for (auto &[n, p] : pages) { // to another frame
        if (!p.there || p.big || !rnd.one_in(8)) continue;
        taken.push_back(p.frame);
        give(n);
      }
      top.forget_i = 1;
      top.forget_all_i = 1;
      forget_at = now;
      forget = FORGETTING;
      break;
    default:
      if (top.forgotten_o) {
        for (uint32_t f : taken) frames[f].second = true;
        taken.clear();
        forget = CALM;
      }
      check(now - forget_at < 3000, "an invalidation that does not end");
    }
  }

  // ---- mmu
  // ----------------------------------------------------------------------------------------------------------------
  bool wanted(uint64_t page) { // somebody waits who may ask the host
    for (auto &q : fetched)
      for (auto &x : q)
        if (x.lists && x.address / 4096 == page) return true;
    for (auto &[t, x] : constants)
      if (x.lists && x.address / 4096 == page) return true;
    if (offered_fetch && offered_fetch->lists && offered_fetch->address / 4096 == page) return true;
    if (offered_constant && offered_constant->lists && offered_constant->address / 4096 == page) return true;
    if (trap_mode || loads.empty() || ldc_final) return false;
    for (unsigned l = 0; l < 32; l++)
      for (unsigned w = 0; w < loads.front().words; w++)
        if ((loads.front().exec >> l & 1) && (BANK + loads.front().off[l] + 4 * w) / 4096 == page) return true;
    return false;
  }
  void mmu_acts() {
    top.answer_valid_i = 0;
    if (forget != FORGETTING || now > forget_at + 1) {
      for (size_t i = 0; i < asks.size(); i++) {
        if (asks[i].due > now || !rnd.percent(60)) continue;
        const Ask a = asks[i];
        asks.erase(asks.begin() + long(i));
        Page &p = pages[a.page];
        top.answer_valid_i = 1;
        top.answer_space_i = uint8_t(a.space);
        top.answer_page_i = a.page;
        top.answer_who_i = uint8_t(a.who);
        top.answer_frame_i = p.frame;
        top.answer_big_i = p.big;
        top.answer_shared_i = rnd.one_in(3);
        // What a store's walk has found, or one that was under way without the list, is an answer as well.
        const bool other = rnd.one_in(12), joined = rnd.one_in(6);
        top.answer_fault_i = !p.there || other;
        top.answer_kind_i = uint8_t(p.there ? PROTECTED : p.kind);
        top.answer_lists_i = 0;
        if (!p.there) {
          p.faulted = now;
          if (p.kind == ERROR) p.erred = now;
          if (a.lists && !joined && p.kind != ERROR) {
            top.answer_lists_i = 1;
            p.listed = true;
            told++;
          } else if (!a.lists) {
            quiet_faults++;
          }
        }
        break;
      }
    }
    top.ask_ready_i = forget == CALM && rnd.percent(ready);
  }

  void mmu_hears() {
    if (top.ask_valid_o && top.ask_ready_i) {
      const uint64_t page = top.ask_page_o;
      check(pages.count(page), "a page of nobody", page);
      check(top.ask_space_o == top.space_i || now < stray_until, "the space", top.ask_space_o);
      if (top.ask_lists_o) check(wanted(page), "the host is asked for what nobody waits for", page);
      listed_asks += top.ask_lists_o;
      asks.push_back({page, now + 2 + rnd.below(late), top.ask_who_o, top.ask_space_o, bool(top.ask_lists_o)});
    }
  }

  // ---- memory
  // ---------------------------------------------------------------------------------------------------------------
  bool broken(uint64_t address) { return wrong != 0 && word_at(address / 64 * 64 + 3) % 67 == 0; }
  void memory_acts() {
    top.beat_valid_i = top.done_valid_i = 0;
    const unsigned bytes_beat = top.cfg_bits_o / 8, count = 64 / bytes_beat;
    std::vector<size_t> due;
    for (size_t i = 0; i < flights.size(); i++)
      if (flights[i].due <= now && flights[i].sent < count) due.push_back(i);
    if (!due.empty() && rnd.percent(90)) {
      Flight &f = flights[due[rnd.below(uint32_t(due.size()))]];
      top.beat_valid_i = uint8_t(1u << f.cache);
      top.beat_number_i = uint8_t(f.number);
      top.beat_i = uint8_t(f.sent);
      for (unsigned k = 0; k < bytes_beat / 4; k++)
        set_word(bytes(top.data_i), k, word_at(f.address + f.sent * bytes_beat + 4 * k));
      f.sent++;
      f.due = now + 1;
    }
    for (size_t i = 0; i < flights.size(); i++) {
      if (flights[i].sent < count || flights[i].due > now) continue;
      top.done_valid_i = uint8_t(1u << flights[i].cache);
      top.done_number_i = uint8_t(flights[i].number);
      top.err_i = broken(flights[i].address);
      flights.erase(flights.begin() + long(i));
      break;
    }
    top.tr_ready_i = uint8_t(rnd.percent(ready) ? 1u << rnd.below(2) : 0);
  }

  void memory_hears() {
    for (unsigned c = 0; c < 2; c++) {
      if (!(top.tr_valid_o >> c & 1) || !(top.tr_ready_i >> c & 1)) continue;
      const uint64_t half = top.tr_half_o[2 * c] | uint64_t(top.tr_half_o[2 * c + 1]) << 32;
      const auto frame = static_cast<uint32_t>(half >> 6);
      uint64_t address = half << 6;
      const auto it = frames.find(frame);
      if (it != frames.end()) {
        check(pages_on || ++strays <= 1, "a translated address without pages",
              half); // one may stand before the channel
        check(!it->second.second, "a frame that the host has back", frame);
        address = it->second.first << 12 | (half & 63) << 6;
      } else {
        check(!pages_on, "an address that no page has", half);
      }
      check((address >> 36 == CODE >> 36) == (c == 0), "the cache of an address", address, c);
      const unsigned number = bytes(top.tr_number_o)[c];
      for (auto &f : flights) check(f.cache != c || f.number != number, "a number twice", number);
      check(number < (c ? top.cfg_ccache_o : top.cfg_icache_o), "a number", number);
      flights.push_back({c, number, 0, address, now + 2 + rnd.below(memory)});
    }
  }

  // ---- who asks
  // ---------------------------------------------------------------------------------------------------------------
  uint64_t code_address() {
    for (auto &q : again) // the line before one that somebody comes back for, whose lines ahead are asked for
      if (!q.empty() && rnd.one_in(6) && q.front().address % 4096 >= 64) return q.front().address - 64;
    const uint64_t page = rnd.percent(70) ? rnd.below(2) : rnd.below(CODE_PAGES);
    return CODE + page * 4096 + (rnd.percent(50) ? rnd.below(8) : rnd.below(256)) * 16;
  }
  uint64_t bank_address() {
    const uint64_t page = rnd.percent(60) ? 0 : rnd.below(BANK_PAGES);
    return BANK + page * 4096 + (rnd.percent(60) ? rnd.below(40) : rnd.below(1024)) * 4;
  }
  // An answer: data, or a fault that its page has had. What has no page and is wanted comes again.
  void judge(const Want &x, unsigned err, bool right, std::deque<Want> &later) {
    answers++;
    const Page &p = pages[x.address / 4096];
    if (err == 0) {
      check(right, "data", x.address);
      return;
    }
    faults++;
    if (err == BUS) {
      check(broken(x.address) || (p.erred != 0 && p.erred + 40 >= x.asked), "an error of nobody", x.address);
      return;
    }
    check(err == PAGE && pages_on && p.faulted + 40 >= x.asked && p.faulted != 0, "a fault that the page has not had",
          x.address, err);
    check(!x.lists || x.replays != replays || p.listed, "whoever waits for the host is not in its list",
          x.address / 4096);
    if (x.lists || rnd.percent(60)) { // wanted: with the list from now on
      Want y = x;
      y.replays = x.lists ? x.replays : ~0ull;
      y.lists = true;
      later.push_back(y);
    }
  }
  // One that has been in the list since the last REPLAY waits; what FAIL found comes no more, now and then.
  bool ripe(const Want &x) { return x.replays != replays; }

  void fetch_acts() {
    if (top.ic_valid_o) {
      auto &q = fetched[top.ic_tag_o % WARPS];
      if (check(!q.empty() && q.front().tag == top.ic_tag_o, "an answer out of order", top.ic_tag_o)) {
        const Want x = q.front();
        q.pop_front();
        uint64_t word;
        std::memcpy(&word, bytes(top.ic_word_o), 8);
        judge(x, top.ic_err_o, word == (word_at(x.address) | uint64_t(word_at(x.address + 4)) << 32),
              again[x.tag % WARPS]);
      }
    }
    if (!offered_fetch && !stopped && rnd.percent(spread)) {
      const unsigned w = rnd.below(WARPS);
      Want x;
      if (!again[w].empty()) {
        if (ripe(again[w].front()) && fetched[w].empty()) {
          x = again[w].front();
          again[w].pop_front();
        }
      } else if (!quiet && fetched[w].size() < 2) {
        x.address = code_address();
      }
      if (x.address) {
        x.tag = w + WARPS * (epoch[w]++ % 4);
        x.asked = now;
        x.replays = replays;
        offered_fetch = x;
      }
    }
    top.if_valid_i = bool(offered_fetch);
    if (offered_fetch) {
      if (!offered_fetch->asked) offered_fetch->asked = now;
      top.if_pc_i = static_cast<uint32_t>(offered_fetch->address - CODE);
      top.if_tag_i = uint8_t(offered_fetch->tag);
      top.if_lists_i = offered_fetch->lists;
    }
  }

  void constant_acts() {
    if (top.cc_valid_o) {
      const auto it = constants.find(top.cc_tag_o);
      if (check(it != constants.end(), "a constant of nobody", top.cc_tag_o)) {
        const Want x = it->second;
        constants.erase(it);
        judge(x, top.cc_err_o, top.cc_data_o == word_at(x.address), constants_again);
      }
    }
    if (!offered_constant && !stopped && constants.size() < 6 && rnd.percent(spread)) {
      Want x;
      if (!constants_again.empty() && ripe(constants_again.front()) && rnd.percent(50)) {
        x = constants_again.front();
        constants_again.pop_front();
      } else if (!quiet && constants_again.size() < 8) {
        x.address = bank_address();
      }
      if (x.address) {
        do x.tag = rnd.below(8);
        while (constants.count(x.tag));
        x.asked = now;
        x.replays = replays;
        offered_constant = x;
      }
    }
    top.cst_valid_i = bool(offered_constant);
    if (offered_constant) {
      top.cst_off_i = static_cast<uint16_t>(offered_constant->address - BANK);
      top.cst_tag_i = uint8_t(offered_constant->tag);
      top.cst_lists_i = offered_constant->lists;
    }
  }

  std::optional<Load> arriving;
  void ldc_acts() {
    top.res_ready_i = rnd.percent(ready);
    top.ldc_valid_i = 0;
    if (!arriving && !quiet && !stopped && loads.size() < 2 && rnd.percent(4)) {
      Load x;
      x.seq = seq++;
      x.words = rnd.percent(60) ? 1 : rnd.percent(50) ? 2 : 4;
      x.exec = rnd.percent(50) ? ~0u : rnd.u32() & rnd.u32();
      x.begun = now;
      x.fails = fails;
      const uint64_t base = bank_address();
      const unsigned step = rnd.percent(50) ? 0 : rnd.percent(50) ? 4 * x.words : 1024;
      for (unsigned l = 0; l < 32; l++)
        x.off.push_back(
            static_cast<uint16_t>((base - BANK + l * step) % (BANK_PAGES * 4096) / (4 * x.words) * (4 * x.words)));
      for (unsigned b = 0; b < beats; b++)
        for (unsigned k = 0; k < x.words; k++)
          if (x.exec >> (b * lanes) & ((1ull << lanes) - 1)) x.rows.push_back({b, k});
      arriving = x;
    }
    if (arriving && top.ldc_room_o) {
      Load &x = *arriving;
      top.ldc_valid_i = 1;
      top.ldc_beat_i = uint8_t(x.beat);
      top.ldc_last_i = x.beat == beats - 1;
      for (unsigned l = 0; l < lanes; l++) {
        const uint16_t off = x.off[x.beat * lanes + l];
        std::memcpy(bytes(top.ldc_off_i) + 2 * l, &off, 2);
      }
      top.ldc_exec_i = x.exec;
      top.ldc_seq_i = uint8_t(x.seq);
      top.ldc_words_i = uint8_t(x.words - 1);
      if (++x.beat == beats) {
        loads.push_back(x);
        arriving.reset();
      }
    }
  }

  void rows_leave() {
    if (top.res_valid_o && top.res_ready_i && check(!loads.empty(), "a row of nobody")) {
      Load &x = loads.front();
      check(top.res_seq_o == (x.seq & 255), "whose row", top.res_seq_o, x.seq);
      if (top.res_row_o) {
        const std::pair<unsigned, unsigned> at{top.res_beat_o, top.res_word_o};
        const auto it = std::find(x.rows.begin(), x.rows.end(), at);
        check(it != x.rows.end(), "a row twice, or of no lane", at.first, at.second);
        if (it != x.rows.end()) x.rows.erase(it);
        check(top.res_mask_o == (x.exec >> (at.first * lanes) & ((1ull << lanes) - 1)), "lanes of a row",
              top.res_mask_o);
        for (unsigned l = 0; l < lanes; l++)
          if (top.res_mask_o >> l & 1)
            check(word(bytes(top.res_data_o), l) == word_at(BANK + x.off[at.first * lanes + l] + 4 * at.second),
                  "a word of LDC", at.first * lanes + l, x.off[at.first * lanes + l]);
      }
      if (top.res_last_o) {
        if (top.res_trap_o) {
          bool own = false; // it is the sector of a lane's word
          for (unsigned l = 0; l < 32; l++)
            for (unsigned k = 0; k < x.words; k++)
              own |= (x.exec >> l & 1) && (BANK + x.off[l] + 4 * k) / 32 * 32 == top.res_addr_o;
          const Page &p = pages[top.res_addr_o / 4096];
          check(own, "the address of a trap", top.res_addr_o);
          if (top.res_cause_o == 12)
            check(pages_on && p.faulted != 0 && (trap_mode || x.fails != fails), "a page_fault of LDC", top.res_addr_o,
                  x.fails);
          else
            check(top.res_cause_o == 10 && (broken(top.res_addr_o) || (p.erred != 0 && p.erred + 40 >= x.begun)),
                  "a bus_error of LDC", top.res_addr_o);
          ldc_traps++;
        } else {
          check(x.rows.empty() || stopped, "rows that LDC owes", x.rows.size());
        }
        ldc_done++;
        loads.pop_front();
        if (!loads.empty()) loads.front().fails = fails;
      }
    }
  }

  // What was taken in this cycle.
  void taken_now() {
    if (top.if_valid_i && top.if_ready_o) {
      fetched[offered_fetch->tag % WARPS].push_back(*offered_fetch);
      offered_fetch.reset();
    }
    if (top.cst_valid_i && top.cst_ready_o) {
      constants[offered_constant->tag] = *offered_constant;
      offered_constant.reset();
    }
    // What has come to rest asks for nothing, whatever was asked for ahead.
    if (was_quiet && !top.if_valid_i && !top.cst_valid_i && loads.empty() && !arriving)
      check(top.tr_valid_o == 0 && !top.ask_valid_o, "a refill after all were quiet");
    mmu_hears();
    memory_hears();
    rows_leave();
    // LDC that waits for the host has told it.
    ldc_waits = top.ldc_waits_o ? ldc_waits + 1 : 0;
    if (ldc_waits > 1 && !loads.empty()) {
      bool listed = false;
      for (unsigned l = 0; l < 32; l++)
        for (unsigned k = 0; k < loads.front().words; k++)
          listed |= (loads.front().exec >> l & 1) && pages[(BANK + loads.front().off[l] + 4 * k) / 4096].listed;
      check(listed || top.replay_i || stopped, "LDC waits for what the host does not know");
    }
    if (top.fail_i && top.ldc_waits_o) ldc_final = true;
    if (top.res_valid_o) ldc_final = false;
    was_quiet = top.quiet_o && !top.if_valid_i && !top.cst_valid_i && loads.empty() && !arriving;
    rests += was_quiet;
  }

  void cycle() {
    top.eval();
    host_acts();
    mmu_acts();
    memory_acts();
    fetch_acts();
    constant_acts();
    ldc_acts();
    top.stop_i = stopped;
    top.eval();
    taken_now();
    edge();
  }
  bool idle() {
    bool busy = arriving || !loads.empty() || !constants.empty() || !constants_again.empty() || offered_fetch ||
                offered_constant;
    for (unsigned w = 0; w < WARPS; w++) busy = busy || !fetched[w].empty() || !again[w].empty();
    return !busy;
  }
  void rest(const char *what) {
    quiet = true;
    for (uint64_t until = now + 60000; !idle() && now < until;) cycle();
    check(idle(), what);
    quiet = false;
  }
  // Another launch: with pages or without, in another space. Refills that were read ahead may be under way.
  void launch() {
    rest("somebody waits for ever");
    // The machine waits until nothing is under way; what it does not wait for goes nowhere.
    quiet = true;
    while (forget != CALM) cycle();
    if (rnd.percent(60)) {
      for (uint64_t until = now + 3000; !was_quiet && now < until;) cycle();
      check(was_quiet, "it does not come to rest");
    }
    quiet = false;
    pages_on = rnd.percent(65);
    trap_mode = rnd.percent(30);
    top.go_i = 1;
    top.space_i = uint8_t(rnd.below(256));
    top.pages_i = pages_on;
    top.trap_i = trap_mode;
    stray_until = now + 400;
    strays = 0;
    cycle();
    top.go_i = 0;
    late = 1 + rnd.below(rnd.percent(50) ? 10 : 120);
    memory = 1 + rnd.below(60);
    host = 1 + rnd.below(rnd.percent(50) ? 20 : 150);
    ready = 20 + rnd.below(80);
    spread = 2 + rnd.below(90);
    absent = rnd.below(20);
    wrong = rnd.percent(25) ? 30 : 0;
    launches++;
  }
  void random(uint64_t cycles);
  void stop();
  void rates();
};

void Bench::random(uint64_t cycles) {
  const uint64_t end = now + cycles;
  while (now < end && checks.failed == 0) {
    launch();
    for (uint64_t until = now + 2000 + rnd.below(4000); now < until && checks.failed == 0;) cycle();
  }
  if (checks.failed == 0) rest("somebody waits for ever at the end");
}

// What waits in LDC when the SM stops ends, without a row and without a trap.
void Bench::stop() {
  rest("before the stop");
  if (large_bank) return; // its pages stay
  while (forget != CALM) cycle();
  pages_on = true;
  trap_mode = false;
  wrong = 0;
  top.trap_i = 0;
  top.pages_i = 1;
  for (auto &[n, p] : pages)
    if (!p.there) give(n);
  forget = HOLD;
  while (forget != CALM) {
    absent = 0;
    for (unsigned i = 0; i < BANK_PAGES; i++) take(BANK / 4096 + i);
    cycle();
  }
  host = 1u << 30;
  for (unsigned i = 0; i < BANK_PAGES; i++) take(BANK / 4096 + i);
  quiet = false;
  spread = 0;
  const uint64_t traps = ldc_traps;
  for (uint64_t until = now + 3000; now < until && loads.empty();) cycle();
  for (int i = 0; i < 600; i++) cycle();
  check(!loads.empty(), "LDC does not wait for its page");
  quiet = stopped = true;
  for (uint64_t until = now + 6000; now < until && !(loads.empty() && !arriving);) cycle();
  check(loads.empty(), "LDC outlives the SM");
  check(ldc_traps == traps, "a trap of what has died");
}

// Cycles, exactly: memory answers at once, the mmu only when it is told to.
void Bench::rates() {
  struct {
    uint64_t refill = 0, answer = 0;
  } seen;
  top.tr_ready_i = 3;
  top.ask_ready_i = 1;
  top.res_ready_i = 1;
  bool mmu_on = true;
  std::map<unsigned, unsigned> got[2]; // answers, by tag
  uint64_t refilled[2] = {};
  auto step = [&] {
    top.eval();
    top.answer_valid_i = 0;
    if (top.ask_valid_o)
      asks.push_back({top.ask_page_o, now + 1, top.ask_who_o, top.ask_space_o, bool(top.ask_lists_o)});
    for (size_t i = 0; i < asks.size(); i++) {
      const Ask a = asks[i];
      if (a.due > now || (!mmu_on && a.page >= CODE / 4096 + 4 && a.page < CODE / 4096 + CODE_PAGES)) continue;
      asks.erase(asks.begin() + long(i));
      Page &p = pages[a.page];
      top.answer_valid_i = 1;
      top.answer_space_i = uint8_t(a.space);
      top.answer_page_i = a.page;
      top.answer_who_i = uint8_t(a.who);
      top.answer_fault_i = 0;
      top.answer_frame_i = p.frame;
      top.answer_big_i = p.big;
      top.answer_shared_i = 0;
      break;
    }
    const unsigned count = 512 / top.cfg_bits_o, bytes_beat = top.cfg_bits_o / 8;
    top.beat_valid_i = top.done_valid_i = 0;
    if (!flights.empty() && flights.front().due <= now) {
      Flight &f = flights.front();
      if (f.sent < count) {
        top.beat_valid_i = uint8_t(1u << f.cache);
        top.beat_number_i = uint8_t(f.number);
        top.beat_i = uint8_t(f.sent);
        for (unsigned k = 0; k < bytes_beat / 4; k++)
          set_word(bytes(top.data_i), k, word_at(f.address + f.sent * bytes_beat + 4 * k));
        f.sent++;
      } else {
        top.done_valid_i = uint8_t(1u << f.cache);
        top.done_number_i = uint8_t(f.number);
        top.err_i = 0;
        flights.pop_front();
      }
    }
    top.eval();
    for (unsigned c = 0; c < 2; c++)
      if (top.tr_valid_o >> c & 1) {
        const uint64_t half = top.tr_half_o[2 * c] | uint64_t(top.tr_half_o[2 * c + 1]) << 32;
        const auto it = frames.find(static_cast<uint32_t>(half >> 6));
        const uint64_t address = it == frames.end() ? half << 6 : it->second.first << 12 | (half & 63) << 6;
        flights.push_back({c, bytes(top.tr_number_o)[c], 0, address, now + 5});
        refilled[c]++;
        if (!seen.refill) seen.refill = now;
      }
    if (top.ic_valid_o) got[0][top.ic_tag_o]++;
    if (top.cc_valid_o) got[1][top.cc_tag_o]++;
    if ((top.ic_valid_o || top.cc_valid_o) && !seen.answer) seen.answer = now;
    edge();
  };
  auto settle = [&](unsigned n) {
    for (unsigned i = 0; i < n; i++) step();
  };
  // One constant, from its request: to the refill on the channel, to the answer.
  auto constant = [&](uint64_t off, unsigned tag, bool lists = false) {
    top.cst_valid_i = 1;
    top.cst_off_i = uint16_t(off);
    top.cst_tag_i = uint8_t(tag);
    top.cst_lists_i = lists;
    top.eval();
    while (!top.cst_ready_o) step();
    seen = {};
    const uint64_t from = now;
    step();
    top.cst_valid_i = 0;
    for (int i = 0; i < 200 && !seen.answer; i++) step();
    return std::pair<uint64_t, uint64_t>{seen.refill ? seen.refill - from : 0, seen.answer - from};
  };
  auto launch_with = [&](bool on) {
    settle(100);
    top.pages_i = on;
    top.go_i = 1;
    step();
    top.go_i = 0;
    settle(10);
  };
  launch_with(false);
  const auto plain = constant(0, 1), plain_hit = constant(4, 2);
  launch_with(true);
  const auto walked = constant(0, 1); // its page has to come
  const auto at_hand = constant(64, 2), hit = constant(68, 3);
  std::printf("a constant: refill %llu, answer %llu cycles behind the request; with its page at hand %llu, %llu; with "
              "the page to "
              "come %llu, %llu, of which the mmu has 1; a hit %llu, %llu\n",
              (unsigned long long)plain.first, (unsigned long long)plain.second, (unsigned long long)at_hand.first,
              (unsigned long long)at_hand.second, (unsigned long long)walked.first, (unsigned long long)walked.second,
              (unsigned long long)plain_hit.second, (unsigned long long)hit.second);
  check(at_hand.first == plain.first + 1 && at_hand.second == plain.second + 1,
        "a refill with its page at hand takes one cycle more", at_hand.first, plain.first);
  check(hit.second == plain_hit.second, "a hit takes as long as ever", hit.second, plain_hit.second);
  check(walked.first == plain.first + 5, "a refill whose page comes a cycle after it was asked for", walked.first,
        plain.first);

  // A warp's page does not come: hits, and the other cache's refills, go on; with several places this cache's, too.
  auto fetch = [&](uint64_t pc, unsigned tag) {
    top.if_valid_i = 1;
    top.if_pc_i = uint32_t(pc);
    top.if_tag_i = uint8_t(tag);
    top.if_lists_i = 0;
    top.eval();
    while (!top.if_ready_o) step();
    step();
    top.if_valid_i = 0;
  };
  fetch(0, 1);
  settle(200);
  mmu_on = false;
  got[0].clear();
  fetch(4 * 4096 + 4032, 0); // waits; no line is ahead of it, which would wait, too
  settle(20);
  check(got[0].empty(), "it waits for its page");
  unsigned done = 0;
  for (unsigned i = 0; i < 24; i++) {
    const auto x = constant(8192 + 64 * i, i % 8);
    done += seen.answer != 0 && x.second <= plain.second + 6;
  }
  check(done == 24, "refills of constants beside a page that does not come", done);
  for (unsigned i = 0; i < 8; i++) fetch(16 * (i % 4), 1 + i % 3);
  settle(20);
  unsigned hits = 0;
  for (unsigned w = 1; w < WARPS; w++) hits += got[0][w];
  check(hits == 8, "hits beside a page that does not come", hits);
  if (top.cfg_icache_o >
      1) { // its line is asked for, and comes; answers of those that wait are given in the order in which they do
    const uint64_t before = refilled[0];
    fetch(2 * 4096 + 1024, 1);
    settle(60);
    check(refilled[0] > before && flights.empty(), "another line beside a page that does not come",
          refilled[0] - before);
  }
  check(got[0][0] == 0, "it still waits");
  mmu_on = true;
  settle(100);
  check(got[0][0] == 1, "it has come");

  // What waits for its page as a launch begins goes nowhere.
  launch_with(true);
  mmu_on = false;
  fetch(5 * 4096 + 4032, 0);
  settle(20);
  const uint64_t before = refilled[0];
  top.pages_i = 0;
  top.go_i = 1;
  step();
  top.go_i = 0;
  mmu_on = true;
  settle(100);
  check(refilled[0] == before, "what waited as a launch began goes on", refilled[0] - before);
  check(top.quiet_o, "it comes to rest");
}

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1), cycles = args.number("--cycles", 300000);
  const bool rate = args.flag("--rate");
  if (const unsigned fault = args.small("--fault", 0)) heddle_fault() = fault;
  args.all();
  auto bench = std::make_unique<Bench>(seed);
  if (rate) {
    bench->rates();
  } else {
    bench->random(cycles);
    if (bench->checks.failed == 0) bench->stop();
    std::printf("seed %llu: %llu cycles, %llu launches, %llu answers, %llu of them faults; %llu pages taken away, %llu "
                "faults told to the "
                "host, %llu not; %llu REPLAY, %llu of them FAIL; %llu LDC, %llu traps\n",
                (unsigned long long)seed, (unsigned long long)bench->now, (unsigned long long)bench->launches,
                (unsigned long long)bench->answers, (unsigned long long)bench->faults, (unsigned long long)bench->moved,
                (unsigned long long)bench->told, (unsigned long long)bench->quiet_faults,
                (unsigned long long)bench->replays, (unsigned long long)bench->fails,
                (unsigned long long)bench->ldc_done, (unsigned long long)bench->ldc_traps);
    if (cycles >= 300000 && bench->checks.failed == 0 && seed % 4 < 2) // both code and bank have pages that go away
      bench->check(bench->answers > 2000 && bench->told > 50 && bench->quiet_faults > 50 && bench->moved > 50 &&
                       bench->ldc_done > 100 && bench->ldc_traps > 2 && bench->fails > 5,
                   "too little of something to mean anything");
  }
  std::printf("%llu checks, %llu failed\n", (unsigned long long)bench->checks.done,
              (unsigned long long)bench->checks.failed);
  bench->top.final();
  return bench->checks.failed != 0;
}
