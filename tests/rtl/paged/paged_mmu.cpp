// SPDX-License-Identifier: Apache-2.0
// Tables, the mmu and the host: answers late and in any order, faults that are listed, REPLAY and FAIL, pages that move
// while the launch runs, invalidations.
#include "tests/rtl/paged/paged_bench.h"

namespace {

constexpr uint64_t FIRST_FRAME = (BASE + DATA) >> 12, FRAMES = 8, PARTS = 0x1ff;

void draw(Random &rnd, Page &p, unsigned absent, bool big) {
  p.frame = big ? FIRST_FRAME & ~PARTS : FIRST_FRAME + rnd.below(FRAMES);
  p.there = !rnd.percent(absent);
  p.writable = !rnd.percent(absent / 2);
  p.malformed = rnd.percent(absent / 8);
  p.error = rnd.percent(absent / 8);
}

} // namespace

Page &Paged::table(uint64_t page) {
  auto b = big.find(page >> 9);
  if (b != big.end()) return b->second;
  auto it = small.find(page);
  if (it == small.end()) {
    it = small.emplace(page, Page{}).first;
    draw(rnd, it->second, absent, false);
  }
  return it->second;
}

bool Paged::legal(uint64_t page, uint64_t frame, bool write) {
  const Page &p = table(page);
  if (p.there && !p.malformed && !p.error && frame_of(page, p.frame) == frame && (p.writable || !write)) return true;
  for (const Page::Old &o : p.old)
    if (frame_of(page, o.frame) == frame && (o.writable || !write)) return true;
  return false;
}

bool Paged::translated_ever(uint64_t page, bool write) {
  const Page &p = table(page);
  return (p.there && !p.malformed && !p.error && (p.writable || !write)) || !p.frames_seen.empty();
}

void Paged::launch(bool whole_shared) {
  pages_on = !plain && !rnd.one_in(8);
  fault_trap = rnd.one_in(4);
  fails = rnd.one_in(3);
  halts = !plain && rnd.one_in(4);
  absent = rnd.one_in(3) ? 0 : rnd.below(50);
  late = 1 + rnd.below(rnd.one_in(2) ? 10 : 150);
  host_time = 5 + rnd.below(600);
  spread = rnd.below(101);
  change = rnd.one_in(2) ? 0 : 1 + rnd.below(15);
  most_flight = 1 + rnd.below(8);
  space = (space + 1 + rnd.below(5)) & 255;
  small.clear();
  big.clear();
  used.clear();
  asks.clear();
  listed.clear();
  muted.clear();
  failed_once = erred = halted = false;
  invalidating = REST;
  const unsigned count = rnd.one_in(4) ? 40 : 1 + rnd.below(10);
  for (unsigned i = 0; i < count; i++) used.push_back(rnd.next() & 0x1fffffffff);
  if (rnd.one_in(2)) {
    const uint64_t high = rnd.next() & 0xfffffff;
    Page p;
    draw(rnd, p, absent / 2, true);
    big.emplace(high, p);
    for (unsigned i = 0; i < FRAMES; i++) used.push_back(high << 9 | ((FIRST_FRAME + i) & PARTS));
  }
  top.pages_i = pages_on;
  top.fault_trap_i = fault_trap;
  top.space_i = static_cast<uint8_t>(space);
  Bench::launch(whole_shared);
}

void Paged::answer(const Ask &a) {
  top.answer_read_i = a.read;
  if (a.read) {
    top.answer_valid_i = 1;
    top.answer_space_i = static_cast<uint8_t>(a.space);
    top.answer_page_i = a.page;
    top.answer_who_i = static_cast<uint8_t>(a.who);
    top.answer_fault_i = top.answer_lists_i = top.answer_big_i = 0;
    top.answer_frame_i = static_cast<uint32_t>(a.page);
    return;
  }
  Page &p = table(a.page);
  unsigned kind = 4;
  if (p.error)
    kind = ERROR, erred = true;
  else if (!p.there)
    kind = ABSENT;
  else if (p.malformed)
    kind = MALFORMED;
  else if (a.write && !p.writable)
    kind = PROTECTED;
  const bool fault = kind < 4, lists = a.lists && kind != ERROR;
  top.answer_valid_i = 1;
  last_answer = now;
  top.answer_space_i = static_cast<uint8_t>(a.space);
  top.answer_page_i = a.page;
  top.answer_who_i = static_cast<uint8_t>(a.who);
  top.answer_fault_i = fault;
  top.answer_kind_i = static_cast<uint8_t>(fault ? kind : rnd.below(4));
  top.answer_lists_i = lists;
  top.answer_frame_i = static_cast<uint32_t>(p.frame);
  top.answer_big_i = is_big(a.page);
  if (a.write && !fault) p.dirty = true;
  top.answer_stores_i = p.writable && p.dirty;
  if (!fault) p.frames_seen.insert(p.frame);
  if (!fault) return;
  faults++;
  p.any[kind] = true;
  if (lists)
    listed.insert(a.page), p.told = true;
  else
    p.trap[kind] = true;
}

// Some pages go, come, or move; what was there before is good until the invalidation is over.
void Paged::change_pages() {
  forget_all = rnd.one_in(2);
  forget_page = used[rnd.below(static_cast<uint32_t>(used.size()))];
  auto change_one = [&](Page &p, bool of_2m) {
    if (p.there && !p.malformed && !p.error) p.old.push_back({p.frame, p.writable});
    draw(rnd, p, absent, of_2m);
    p.dirty = false;
  };
  if (!forget_all) return change_one(table(forget_page), is_big(forget_page));
  for (auto &s : small)
    if (rnd.one_in(2)) change_one(s.second, false);
  for (auto &b : big)
    if (rnd.one_in(2)) change_one(b.second, true);
}

void Paged::drive_more() {
  top.answer_valid_i = top.replay_i = top.fail_i = top.forgets_i = 0;
  top.halt_i = halted;
  top.ask_ready_i = invalidating != DRAIN && rnd.percent(70);
  top.read_ready_i = invalidating != DRAIN && rnd.percent(70);
  if (!pages_on) return;
  if (halts && !halted && (rnd.permille(1) || (!listed.empty() && rnd.one_in(200)))) halted = true;
  if (invalidating == REST && !halted && rnd.permille(change)) {
    change_pages();
    invalidating = DRAIN;
    top.ask_ready_i = top.read_ready_i = 0;
  }
  for (size_t k = 0; k < asks.size(); k++) {
    if (asks[k].due > now) continue;
    const Ask a = asks[k];
    asks.erase(asks.begin() + static_cast<long>(k));
    answer(a);
    return;
  }
  if (invalidating == DRAIN && asks.empty() && rnd.one_in(8)) {
    top.forgets_i = 1;
    top.forget_what_i = static_cast<uint8_t>((forget_all ? 1 : 0) | (forget_spaces || rnd.one_in(2) ? 2 : 0));
    top.forget_space_i = static_cast<uint8_t>(space);
    top.forget_page_i = forget_page;
    invalidating = WAIT;
    owed = 3;
    wait_from = now;
    invalidations++;
    return;
  }
  if (listed.empty() || !rnd.one_in(host_time)) return;
  for (uint64_t p : listed)
    if (!rnd.one_in(4)) table(p).there = table(p).writable = true, table(p).malformed = false;
  listed.clear();
  replays++;
  top.replay_i = 1;
  top.fail_i = fails && rnd.one_in(2);
  failed_once |= top.fail_i;
}

void Paged::sample_more() {
  if (!checks.that(!(top.ask_valid_o || top.read_valid_o) || pages_on, "without pages nothing is asked for")) return;
  if (top.lq_valid_o && top.lq_kind_o < 3) last_request = now;
  if (top.ask_valid_o && top.ask_ready_i) {
    last_ask = now;
    checks.that(top.ask_space_o == space, "the space of the launch", top.ask_space_o, space);
    checks.that(top.ask_lists_o ? !fault_trap : fault_trap || failed_once || erred || halted,
                "a fault is a trap where it is to be one");
    asks.push_back({top.ask_page_o, now + 1 + rnd.below(late), top.ask_who_o, top.ask_space_o, top.ask_write_o != 0,
                    top.ask_lists_o != 0});
  }
  if (top.read_valid_o && top.read_ready_i) {
    checks.that(top.read_space_o == space, "the space of the launch", top.read_space_o, space);
    asks.push_back({top.read_page_o, now + 1 + rnd.below(late), top.read_who_o, top.read_space_o, false, false, true});
  }
  if (!top.forgotten_o) return;
  if (!checks.that(invalidating == WAIT, "only who was asked says that it has forgotten")) return;
  checks.that((top.forgotten_o & ~owed) == 0, "it is said once", top.forgotten_o, owed);
  if (top.forgotten_o & 1) longest = std::max(longest, now - wait_from);
  owed &= ~top.forgotten_o;
  if (owed) return;
  invalidating = REST;
  for (auto &s : small) s.second.old.clear();
  for (auto &b : big) b.second.old.clear();
}
