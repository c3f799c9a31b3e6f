// SPDX-License-Identifier: Apache-2.0
// Pages of code and constants that go away and come again: the host is told of a page only by a warp whose next
// instruction wants it; whoever is told to wait does so until REPLAY, and goes on behind it; nobody else waits. With
// --traps some pages never come: launches in which that is a trap at once, and FAIL.
#include "tests/rtl/issue/front_bench.h"

uint32_t Bench::some_page() {
  if (rnd.percent(60)) return page_of_word(16 * rnd.below(unsigned(code.size())));
  return page_of_constant(rnd.below(4), 4 * rnd.below(128));
}

void Bench::reset_pages() {
  top.mu_replay_i = top.mu_fail_i = 0;
  list.clear();
  places_of.clear();
  fault_trap = opt.pages && opt.traps && rnd.percent(30);
  top.launch_fault_trap_i = fault_trap;
  host_delay = 1 + rnd.below(rnd.percent(50) ? 8 : 100);
  leave_rate = 20 + rnd.below(300);
  if (fault_trap)
    for (unsigned n = rnd.below(3); n > 0; n--) places_of[some_page()] = AWAY;
}

// REPLAY, or FAIL: then what has not come is lost. Pages leave whenever they like.
void Bench::host_acts() {
  top.mu_replay_i = top.mu_fail_i = 0;
  for (auto &x : ic)
    if (!x.judged && x.judge <= now) look_up(x, page_of_word(x.what));
  for (auto &x : cc)
    if (!x.judged && x.judge <= now) look_up(x, page_of_constant(x.what >> 16, x.what & 0xffff));
  if (list.empty() ? rnd.one_in(300) : rnd.one_in(host_delay)) {
    const bool fail = opt.traps && rnd.percent(10);
    for (uint32_t page : list) {
      if (place_of(page) == LOST) continue;
      if (rnd.percent(fail ? 50 : 70))
        places_of.erase(page);
      else if (fail)
        places_of[page] = LOST;
    }
    list.clear();
    top.mu_replay_i = 1;
    top.mu_fail_i = fail;
  }
  if (!fault_trap && rnd.one_in(leave_rate)) {
    const uint32_t page = some_page();
    if (place_of(page) == HERE) places_of[page] = AWAY;
  }
}

void Bench::look_up(Owed &x, uint32_t page) {
  x.judged = true;
  x.absent = place_of(page) != HERE;
  if (!x.absent) return;
  if (!x.lists) {
    seen.quiet++;
    return;
  }
  list.insert(page);
  (page >> 31 ? seen.listed_cst : seen.listed)++;
}

void Bench::asked_for_word() {
  if (!opt.pages) return;
  Owed &x = ic.back();
  x.judged = false;
  x.judge = now + rnd.below(uint32_t(x.due - now));
  x.lists = top.if_req_lists_o;
  if (!x.lists) return;
  check(!fault_trap, "the host is asked, but a fault is a trap", x.warp);
  check(w[x.warp].alive && w[x.warp].pc / 16 == x.what / 16, "the host is asked for a word that does not come next",
        x.warp);
}

void Bench::asked_for_constant() {
  if (!opt.pages) return;
  Owed &x = cc.back();
  x.judged = false;
  x.judge = now + rnd.below(uint32_t(x.due - now));
  x.lists = top.if_cst_lists_o;
  if (!x.lists) return;
  unsigned entries = 2; // numbers of an entry in a tag
  while (entries < top.cfg_ibuf_o) entries *= 2;
  const unsigned s = x.tag / entries % slots();
  heddle_isa_dec d;
  const bool has = decode_at(w[s].pc, &d);
  const unsigned bank = x.what >> 16, off = x.what & 0xffff;
  bool own = false;
  for (unsigned i = 0; has && i < 3; i++)
    own |= d.src[i].kind == ISA_CONST && d.cbank == bank && off >= (d.coff & 0xfffcu) &&
           off < (d.coff & 0xfffcu) + 4u * d.src[i].words;
  check(!fault_trap, "the host is asked, but a fault is a trap", s);
  check(w[s].alive && own, "the host is asked for a constant of an instruction that does not come next", s);
}

// Nobody is forgotten: a warp that lives issues, whatever became of its pages.
void Bench::check_progress() {
  for (unsigned s = 0; s < warps; s++)
    if (w[s].alive && !w[s].at_bar && now - w[s].moved_at > 6000) fail("a warp that issues no more", s);
}
