// SPDX-License-Identifier: Apache-2.0
// The host of the bench: changes entries under way, invalidates, reads the list of faults, replays; and what each of
// these must do.
#include "tests/rtl/mmu/mmu_bench.h"

void Bench::drive_host() {
  top.invalidate_i = top.exchange_i = 0;
  top.forgotten_i = 0;
  const Space &s = spaces[space];
  // A change of an entry: at once by somebody else, or by EXCHANGE.
  if (rnd.permille(change_permille)) {
    const Entry &e = s.entries[rnd.below(static_cast<uint32_t>(s.entries.size()))];
    // An entry of 4 KiB that is about to be used, more often: then swaps find something else.
    const unsigned t = rnd.below(walks);
    const bool hot = walk[t].next == Walk::SWAP && rnd.percent(70);
    const Entry what = hot ? Entry{walk[t].word, walk[t].level, 0} : e;
    const uint64_t v = random_entry(rnd, what, spaces, 85);
    if (rnd.percent(60)) {
      memory.at(what.word) = hot && rnd.percent(50) ? memory.at(what.word) ^ 64 : v;
    } else if (!exchanging) {
      exchanging = true;
      ex_word = what.word;
      ex_value = v;
      top.exchange_i = 1;
      top.exchange_word_i = ex_word;
      top.exchange_value_i = ex_value;
    }
  }
  if (exchange_now) {
    exchange_now = false;
    exchanging = true;
    top.exchange_i = 1;
    top.exchange_word_i = ex_word;
    top.exchange_value_i = ex_value;
  }
  if (rnd.permille(change_permille / 4)) {
    const uint64_t line = s.entries[rnd.below(static_cast<uint32_t>(s.entries.size()))].word / 16;
    if (memory.bad_lines.size() > 3) memory.bad_lines.clear();
    memory.bad_lines.insert(line);
  }
  if (!forgetting && (forget_now || rnd.permille(forget_permille))) {
    forgetting = true;
    forget_at = 0;
    forgotten = 0;
    inv_all_spaces = forget_now || rnd.percent(40);
    inv_all_pages = forget_now ? forget_all_pages : rnd.percent(40);
    forget_now = false;
    inv_space = rnd.percent(70) ? space : rnd.below(static_cast<uint32_t>(spaces.size()));
    inv_page = s.pages[rnd.below(static_cast<uint32_t>(s.pages.size()))] ^ (rnd.percent(20) ? rnd.below(512) : 0);
    top.invalidate_i = 1;
    top.inv_all_spaces_i = inv_all_spaces;
    top.inv_all_pages_i = inv_all_pages;
    top.inv_space_i = static_cast<uint8_t>(inv_space);
    top.inv_page_i = inv_page;
  }
  // SMs say that what they translated before has been performed.
  if (forgetting && forget_at)
    for (unsigned c = 0; c < channels; c++)
      if (!(forgotten >> c & 1) && now > forget_at && rnd.percent(20)) {
        forgotten |= 1u << c;
        set_bit(top.forgotten_i, c, true);
      }
  if (!replay_under_way && !top.replay_valid_i && rnd.permille(replay_permille)) {
    top.replay_valid_i = 1;
    top.replay_fail_i = rnd.percent(30);
  }
}

// What an invalidation covers is not known any more.
void Bench::forget_old() {
  std::vector<Found> left;
  for (const Found &f : found) {
    const bool page = f.large ? f.page >> 9 == inv_page >> 9 : f.page == inv_page;
    const bool by_page = !inv_all_pages && page && (inv_all_spaces || f.shared || f.space == inv_space);
    const bool by_space = inv_all_pages && (inv_all_spaces || (f.space == inv_space && !f.shared));
    if (!by_page && !by_space) left.push_back(f);
  }
  found.swap(left);
  last_forget = now;
  met.forgets++;
}

void Bench::look_host() {
  // An exchange that has ended.
  if (exchanging && !top.exchanging_o && !top.exchange_i) {
    checks.that(top.exchange_err_o == ex_err && (ex_err || top.exchange_old_o == ex_old), "what an exchange has found",
                top.exchange_old_o, ex_old);
    exchanging = false;
    met.exchanges++;
  }
  // An invalidation: when SMs hear of it no walk is under way, and it is over when all have answered.
  checks.that(!top.forget_valid_o || (forgetting && !forget_at), "SMs hear once of an invalidation");
  if (top.forget_valid_o) {
    forget_at = now;
    for (unsigned t = 0; t < walks; t++)
      checks.that(walk[t].next == Walk::NONE, "no walk is under way when SMs hear of an invalidation", t);
  }
  if (forgetting && !top.invalidate_i) {
    const bool all = forget_at && forgotten == (1u << channels) - 1;
    checks.that(top.invalidating_o || all, "an invalidation is over when all SMs have said so");
    if (!top.invalidating_o) forgetting = false;
  }
  // Micro-TLBs forget a cycle after they hear of it, and outcomes are seen a cycle after a lookup.
  if (forget_at && now == forget_at + 1) forget_old();
  // The list: what comes to it.
  if (top.replay_valid_i && top.replay_ready_o) {
    list.clear();
    replay_under_way = true;
    replay_seen = now;
  }
  while (!(top.replay_valid_i && top.replay_ready_o) && list.size() < top.fault_count_o) {
    top.fault_at_i = static_cast<uint8_t>(list.size());
    top.eval();
    const Failed f{top.fault_space_o, top.fault_page_o, Kind(top.fault_kind_o), now, top.fault_write_o != 0, 0};
    bool meant = false;
    for (const Failed &o : failed)
      meant |= o.space == f.space && o.page == f.page && o.kind == f.kind && o.write == f.write;
    checks.that(meant, "a page in the list has had this fault", f.page, f.kind);
    for (const Failed &o : list)
      checks.that(o.space != f.space || o.page != f.page, "a page stands once in the list", f.page);
    checks.that(top.fault_added_o, "a page that comes is said to come");
    list.push_back(f);
    moved = now;
  }
  checks.that(list.size() == top.fault_count_o || top.replay_valid_i, "the list keeps what it has", list.size(),
              top.fault_count_o);
  checks.that(!replay_under_way || now <= replay_seen + 3, "a replay that was taken comes", replay_seen);
  checks.that(!top.replay_o || (replay_under_way && now == replay_seen + 3), "a replay three cycles after it is taken",
              now - replay_seen);
}
