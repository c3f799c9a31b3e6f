// SPDX-License-Identifier: Apache-2.0
// Memory behind the walker's request channel, and what each walk must do there: the accesses that it makes, in their
// order, and what it then finds.
#include "tests/rtl/mmu/mmu_bench.h"

#include <algorithm>

namespace {
// The entry of a page in a table of this level, by the table's frame.
uint64_t entry_at(uint64_t table, uint64_t page, unsigned level) {
  return table * 512 + (page >> FIRST_BIT[level] & (level == 3 ? 1023 : 511));
}
} // namespace

void Bench::begin_walk() {
  for (unsigned t = 0; t < walks; t++) {
    if (!(top.start_o >> t & 1)) continue;
    checks.that(walk[t].next == Walk::NONE, "a walk begins where none is", t);
    for (unsigned o = 0; o < walks; o++)
      checks.that(walk[o].next == Walk::NONE || walk[o].page != top.start_page_o, "a page is walked for once at a time",
                  top.start_page_o);
    checks.that(top.start_number_o == next_number && top.start_space_o == space, "a walk is told with number and space",
                top.start_number_o);
    walk[t] = {
        Walk::READ, next_number++,         3, top.start_page_o, entry_at(spaces[space].root * 2, top.start_page_o, 3),
        0,          top.start_write_o != 0};
    for (Failed &f : failed)
      if (f.tag == t && f.until > now) f.until = now;
    starts.push_back(now);
    met.walks++;
  }
}

void Bench::take_request() {
  if (top.lw_valid_o) {
    checks.that(top.lw_atom_o && top.lw_lane_o == 0 && top.lw_piece_o == pieces.size() * 32 / bits,
                "a beat of operands in its turn", top.lw_piece_o);
    for (unsigned i = 0; i < std::min(bits, 128u) / 32; i++) pieces.push_back(word(bytes(top.lw_data_o), i));
  }
  if (!top.lq_valid_o) return;
  Request r{};
  r.tag = top.lq_tag_o;
  r.swap = top.lq_kind_o == 2 && top.lq_swap_o;
  r.exchange = top.lq_kind_o == 2 && top.lq_exchange_o;
  r.number = top.lq_seq_o;
  r.level = top.lq_slot_o;
  r.came = now;
  checks.that(top.lq_plain_o && top.lq_scope_o == 2, "a request of one lane, strong at GPU scope", top.lq_scope_o);
  checks.that(credits > 0, "a request with a credit");
  if (credits) credits--;
  if (r.swap || r.exchange) {
    checks.that(atom_credits > 0, "an atomic with a credit of its own");
    if (atom_credits) atom_credits--;
    const size_t words = r.swap || bits >= 128 ? 4 : 2;
    checks.that(pieces.size() == words && top.lw_valid_o, "all operands, the last with the request", pieces.size());
    pieces.resize(4);
    r.b = pieces[0] | pieces[1] << 32;
    r.c = pieces[2] | pieces[3] << 32;
    checks.that(top.lw_place_o == (r.exchange ? ex_word : walk[r.tag % 16].word) % 16 * 2, "its place", top.lw_place_o);
  } else {
    checks.that(top.lq_kind_o == 0 && pieces.empty() && !top.lw_valid_o, "a load", top.lq_kind_o);
  }
  pieces.clear();
  for (const Request &q : queue) checks.that(q.tag != r.tag, "a tag stands for one request at a time", r.tag);
  if (r.exchange) {
    checks.that(r.tag == walks && r.number == exchanges && r.b == ex_value && exchanging, "the host's exchange",
                r.number);
    checks.that(top.lq_gen_o == 1, "an exchange says that it is one");
    r.word = ex_word;
    exchanges++;
  } else if (checks.that(r.tag < walks, "a tag of a walk", r.tag)) {
    Walk &w = walk[r.tag];
    checks.that(w.next == (r.swap ? Walk::SWAP : Walk::READ), "the access that the walk wants", w.next, r.swap);
    checks.that(r.number == w.number && r.level == w.level && top.lq_gen_o == 0, "a request says whose it is", r.number,
                r.level);
    r.word = w.word;
  }
  unsigned sector = 0;
  while (sector < 3 && !(top.lq_sectors_o >> sector & 1)) sector++;
  checks.that(top.lq_line_o * 4 + sector == r.word / 4, "the entry's place", top.lq_line_o * 4 + sector, r.word / 4);
  queue.push_back(r);
}

void Bench::fails(Walk &w, Kind kind) {
  w.next = Walk::NONE;
  met.faults[kind]++;
  failed.push_back({space, w.page, kind, now, w.write, static_cast<unsigned>(&w - walk)});
  if (failed.size() > 2000) failed.pop_front();
}

// What an entry of the walk is, and what follows.
void Bench::judged(Walk &w, uint64_t value) {
  const Judged j = judge(value, w.level);
  w.entry = value;
  if (j.what == FAULT) {
    fails(w, j.kind);
  } else if (j.what == TABLE) {
    w.level--;
    w.word = entry_at(value >> 12 & 0xfffffff, w.page, w.level);
    w.next = Walk::READ;
  } else if (w.write && !(value & W)) {
    fails(w, PROTECTED);
  } else if (!(value & A) || (w.write && !(value & D))) {
    w.next = Walk::SWAP;
  } else {
    w.next = Walk::NONE;
    const Found f{
        space, w.page, w.level == 1, (value & G) != 0, (value & W) != 0 && (value & D) != 0, value >> 12 & 0xfffffff};
    met.large += f.large;
    met.shared += f.shared;
    if (std::find(found.begin(), found.end(), f) == found.end()) found.push_back(f);
  }
}

void Bench::perform_swap(Request &r, Walk &w) {
  checks.that(r.b == w.entry, "a swap from what was read", r.b, w.entry);
  checks.that(r.c == (w.entry | A | (w.write ? uint64_t(D) : 0)), "to the same with A, or A and D", r.c, w.entry);
  met.swaps++;
  if (memory.at(r.word) == r.b)
    memory.at(r.word) = r.c;
  else
    met.lost_swaps++;
  judged(w, memory.at(r.word));
}

void Bench::perform(Request &r) {
  r.performed = true;
  r.err = memory.fails(r.word);
  r.value = memory.at(r.word);
  met.errors += r.err;
  if (r.exchange) {
    ex_err = r.err;
    ex_old = r.value;
    if (!r.err) memory.at(r.word) = r.b;
  } else if (r.err) {
    fails(walk[r.tag], ERROR);
  } else if (r.swap) {
    perform_swap(r, walk[r.tag]);
  } else {
    judged(walk[r.tag], r.value);
  }
  if (r.swap || r.exchange || (r.err && rnd.percent(50))) return;
  const unsigned beat = static_cast<unsigned>(r.word % 16 * 64 / bits);
  const unsigned n = bits < 256 ? 256 / bits : 1, first = beat / n * n;
  for (unsigned i = 0; i < n; i++) r.beats.insert(r.beats.begin() + rnd.below(i + 1), first + i);
  // For rates: what counts alone, so that no two walks want the bus.
  if (latency && bits >= 64) r.beats = {beat};
  if (latency && bits == 32) r.beats = {beat, beat + 1};
}

void Bench::drive_memory() {
  top.lc_valid_i = top.ld_valid_i = top.la_valid_i = 0;
  if ((owed || owed_atoms) && (latency || rnd.percent(50))) {
    const bool atom = !owed || (owed_atoms && rnd.percent(50));
    top.lc_valid_i = 1;
    top.lc_atom_i = atom;
    (atom ? owed_atoms : owed)--;
    (atom ? atom_credits : credits)++;
  }
  // Performed in the order in which those of a line came.
  for (size_t i = 0; i < queue.size(); i++) {
    Request &r = queue[i];
    bool first = !r.performed;
    for (size_t k = 0; k < i; k++) first &= queue[k].performed || queue[k].word / 16 != r.word / 16;
    if (first && (latency ? now - r.came >= 1 : rnd.percent(answer_percent))) perform(r);
  }
  // A beat of one that was performed.
  for (Request &r : queue) {
    if (!r.performed || r.beats.empty() || !(latency ? now - r.came + r.beats.size() >= latency : rnd.percent(70)))
      continue;
    top.ld_valid_i = 1;
    top.ld_tag_i = static_cast<uint8_t>(r.tag);
    top.ld_beat_i = static_cast<uint8_t>(r.beats.front());
    const uint64_t base = r.word / 16 * 16;
    for (unsigned i = 0; i < bits / 32; i++) {
      const uint64_t w = base + (r.beats.front() * bits / 32 + i) / 2;
      const uint64_t v = w == r.word ? r.value : memory.words.count(w) ? memory.at(w) : rnd.next();
      set_word(bytes(top.ld_data_i), i, static_cast<uint32_t>((r.beats.front() * bits / 32 + i) % 2 ? v >> 32 : v));
    }
    r.beats.erase(r.beats.begin());
    break;
  }
  // An answer: what was there, or an end.
  ending = nullptr;
  for (Request &r : queue) {
    if (!r.performed || !r.beats.empty() || (top.ld_valid_i && top.ld_tag_i == r.tag)) continue;
    const bool old = (r.swap || r.exchange) && !r.err && !r.old_sent;
    if (!(latency ? now - r.came >= latency - old : rnd.percent(60))) continue;
    top.la_valid_i = 1;
    top.la_tag_i = static_cast<uint8_t>(r.tag);
    top.la_done_i = !old;
    top.la_err_i = !old && r.err;
    top.la_old_i = old ? r.value : rnd.next();
    r.old_sent = true;
    if (!old) ending = &r;
    break;
  }
}

void Bench::look_memory() {
  begin_walk();
  checks.that(top.la_ready_o, "answers are taken");
  checks.that(top.rec_valid_o == (ending != nullptr), "a record with each end");
  if (ending) {
    const Request &r = *ending;
    checks.that(top.rec_number_o == r.number && top.rec_swap_o == r.swap && top.rec_exchange_o == r.exchange &&
                    top.rec_err_o == r.err && (r.exchange || top.rec_level_o == r.level),
                "a record says what ended", top.rec_number_o, r.number);
    owed++;
    owed_atoms += r.swap || r.exchange;
    for (auto i = queue.begin(); i != queue.end(); ++i)
      if (&*i == ending) {
        queue.erase(i);
        break;
      }
    ending = nullptr;
  }
  take_request();
}
