// SPDX-License-Identifier: Apache-2.0
// Accesses of virtual lines where they take effect, copies on their way to shared memory, traps of pages, and what has
// been given up.
#include "tests/rtl/paged/paged_bench.h"

unsigned Paged::judge_global(const Instr &x, uint64_t a) const {
  if (!pages_on) return Bench::judge_global(x, a);
  if (a % x.bytes()) return MISALIGNED;
  return a >> 49 ? OUT_OF_RANGE : 0;
}

// Somewhere among the data, for operands of atomics.
size_t Paged::byte_at(uint64_t a) const {
  return pages_on ? DATA + (a & 0xfff) : Bench::byte_at(a);
}

void Paged::global_range(const Instr &x, uint64_t *lo, uint64_t *n) {
  if (!pages_on) return Bench::global_range(x, lo, n);
  *lo = used[rnd.below(static_cast<uint32_t>(used.size()))] << 12 | (rnd.percent(70) ? 128 * rnd.below(32) : 0);
  *n = 4096 - (*lo & 0xfff);
  if (rnd.percent(60) && *n > 256) *n = 256;
}

// An asynchronous copy: each lane's place in shared memory.
void Paged::make_copy(Instr &x) {
  x.atom = 0;
  x.rd = 0;
  x.rd_n = x.words() - 1;
  const uint32_t places = shared_bytes / x.bytes(), at = rnd.below(places);
  const bool apart = rnd.one_in(2);
  for (unsigned l = 0; l < 32; l++) {
    x.far[l] = (apart ? (at + l) % places : rnd.below(places)) * x.bytes();
    x.data[l][0] = x.far[l];
  }
  x.copy_left = x.exec;
}

void Paged::generate_paged() {
  const unsigned s = rnd.below(warps);
  Warp &w = warp[s];
  if (w.dead && w.refused++ >= 2) {
    if (w.flight.empty() && !halted) start(s, w.shm_base);
    return;
  }
  if (w.flight.size() >= most_flight || halted) return;
  static const unsigned kinds[] = {GLOAD, GLOAD,  GLOAD, GLOAD, GSTORE, GSTORE, GATOM,  GRED,  LLOAD, LSTORE, ELOAD,
                                   ELOAD, ESTORE, EATOM, GCOPY, GCOPY,  SLOAD,  SSTORE, SATOM, CLOAD, NOTHING};
  Ref p = make(s, kinds[rnd.below(sizeof kinds / sizeof *kinds)], rnd.percent(40) ? 4 : rnd.below(7));
  if (p->mem == GCOPY) p->size = 4 + rnd.below(3);
  place(*p);
  // Some lanes are on another page.
  for (unsigned l = 0; l < 32 && pages_on && (p->global() || p->generic()); l++)
    if (rnd.percent(spread) && p->addr[l] >> 49 == 0)
      p->addr[l] = used[rnd.below(static_cast<uint32_t>(used.size()))] << 12 | (p->addr[l] & 0xfff);
  if (p->global() || p->generic()) operands(*p);
  if (p->mem == GCOPY) {
    make_copy(*p);
    if (rnd.one_in(3)) p->atom = 1, p->exec = 0, p->copy_left = 0; // LDGDEPBAR
  }
  w.maybe = true; // another one of the warp may trap
  submit(p);
  if (pages_on && (p->global() || p->generic())) p->error = false; // which lines fail is known when they are translated
  if (p->expect != NORMAL) p->copy_left = 0;
  if (p->expect == NORMAL && p->mem == GCOPY) copies++;
}

// Lanes of global memory in a virtual line.
uint32_t Paged::of_line(const Instr &x, uint64_t line) const {
  uint32_t group = 0;
  for (unsigned l = 0; l < 32; l++)
    if (x.in(l, GLOBAL) && x.at[l] >> 7 == line) group |= 1u << l;
  return group;
}

// Of what an instruction wants of a virtual line that lies in this frame: from the first sector of its lanes to the
// last.
bool Paged::line_failing_at(const Instr &x, uint64_t line, uint64_t frame) const {
  uint64_t from = ~uint64_t(0), to = 0;
  for (unsigned l = 0; l < 32; l++) {
    if (!x.in(l, GLOBAL) || x.at[l] >> 7 != line) continue;
    const uint64_t a = frame << 12 | (x.at[l] & 0xfff);
    from = std::min(from, a & ~uint64_t(31));
    to = std::max(to, (a | 31) + 1);
  }
  return from < BASE || to > BASE + MEMORY || range_failing(from, to); // there is no other memory
}

// Lines of it that are left may be given up, or have failed, and its end is still to come.
bool Paged::may_die(const Instr &x) {
  if (halted) return true;
  for (unsigned l = 0; l < 32; l++) {
    if (!x.in(l, GLOBAL) || !(x.left >> l & 1)) continue;
    const uint64_t page = x.at[l] >> 12;
    const Page &p = table(page);
    for (unsigned k = ABSENT; k <= ERROR; k++)
      if (p.trap[k] || (failed_once && p.any[k])) return true;
    for (uint64_t f : p.frames_seen)
      if (line_failing_at(x, x.at[l] >> 7, frame_of(page, f))) return true;
  }
  return false;
}

void Paged::on_gmem(const heddle_line_port_record &r) {
  if (!pages_on || r.access >= 3) return Bench::on_gmem(r);
  records++;
  progress = now;
  Ref p = find(r.slot, r.gen, r.seq, "global record of an instruction in flight");
  if (!p) return;
  Instr &x = *p;
  const uint64_t sector = uint64_t(r.sector) << 5;
  if (!checks.that(r.lanes != 0 && x.in(static_cast<unsigned>(__builtin_ctz(r.lanes)), GLOBAL),
                   "lanes of global memory", r.lanes))
    return;
  const uint64_t wanted = x.at[__builtin_ctz(r.lanes)] >> 5; // virtual sector
  const uint64_t page = wanted >> 7;
  uint32_t group = 0;
  for (unsigned l = 0; l < 32; l++)
    if (x.in(l, GLOBAL) && x.at[l] >> 5 == wanted) group |= 1u << l;
  const bool write = x.kind() != 0;
  if (!checks.that(x.expect == NORMAL && x.checked && r.access == x.kind(), "global record kind", x.mem, x.expect))
    return;
  if (!checks.that(r.lanes == group && (x.left & group) == group, "global record lanes", r.lanes, group)) return;
  checks.that((sector & 0xfff) == (wanted << 5 & 0xfff), "the place in its page", sector, wanted);
  if (!checks.that(legal(page, sector >> 12, write), "the frame of its page", page, sector >> 12)) return;
  checks.that(!failing(sector), "no record of a failed access", sector);
  translated++;
  auto m = muted.find(x.slot << 8 | x.gen);
  checks.that(m == muted.end() || x.seq < m->second, "nothing goes on behind what was given up", x.seq);
  for (auto &o : warp[x.slot].flight) {
    if (o == p) break;
    for (unsigned l = 0; l < 32 && o->expect == NORMAL && !may_die(*o); l++) {
      if (!(o->left >> l & 1) || !o->in(l, GLOBAL)) continue;
      const uint64_t older = o->at[l];
      checks.that(translated_ever(older >> 12, o->kind() != 0), "older lines of its warp have gone on", o->seq, x.seq);
      if ((older >> 5 & 127) != (sector >> 5 & 127) || table(older >> 12).old.size() != 0) continue;
      checks.that(!legal(older >> 12, sector >> 12, o->kind() != 0), "a warp's accesses to one sector in order", o->seq,
                  x.seq);
    }
  }
  perform(x, group, sector - BASE, r);
}

void Paged::on_shared() {
  Ref p = find(top.shm_slot_o, top.shm_gen_o, top.shm_seq_o, "shared record of an instruction in flight");
  if (!p || p->mem != GCOPY) return Bench::on_shared();
  records++;
  progress = now;
  checks.that(!(p->left & top.shm_lanes_o), "a copy is written when it has been read", p->left, top.shm_lanes_o);
  Instr view = *p;
  view.mem = SSTORE;
  view.left = p->copy_left;
  for (unsigned l = 0; l < 32; l++) {
    view.space[l] = SHARED;
    view.at[l] = p->far[l];
    std::memcpy(view.data[l], p->result[l], sizeof view.data[l]);
  }
  Bench::on_shared(view, p);
  p->copy_left = view.left;
}

// A trap of a page, a bus error of a translated line, or an end without an effect in a machine that has been stopped.
bool Paged::end_by_page(const Ref &p) {
  Instr &x = *p;
  Warp &w = warp[x.slot];
  if (x.expect != NORMAL) return false;
  if (!top.trap_valid_o) {
    // What waited as the machine was stopped.
    if (!halted || !x.checked || complete(x)) return false;
    const uint64_t who = x.slot << 8 | x.gen;
    bool waited = muted.count(who) != 0 && muted[who] < x.seq;
    for (auto &o : w.flight) { // itself, or one before it that has not ended yet
      for (unsigned l = 0; l < 32 && o->expect == NORMAL; l++)
        if (o->in(l, GLOBAL) && (o->left >> l & 1)) waited |= table(o->at[l] >> 12).told;
      if (o == p) break;
    }
    uint32_t shared_lanes = 0; // which have had their rows
    for (unsigned l = 0; l < 32; l++)
      if (x.in(l, SHARED)) shared_lanes |= 1u << l;
    checks.that(waited && !(x.rows[0] & ~shared_lanes) && !ended.row,
                "what is given up waited for the host, and has no rows", x.seq);
    if (!muted.count(who) || muted[who] > x.seq) muted[who] = x.seq;
    given_up++;
  } else {
    const unsigned cause = top.trap_cause_o;
    if (!x.global() && !x.generic()) return false;
    if (cause != BUS && cause != PAGE_FAULT && cause != WRITE_PROTECTED) return false;
    const uint64_t line = top.trap_addr_o >> 7;
    const uint32_t group = of_line(x, line);
    const Page &t = table(line >> 5);
    checks.that(top.trap_addr_o % 128 == 0 && group, "the first byte of a virtual line", top.trap_addr_o);
    checks.that(top.trap_lanes_o == group, "lanes of the line at fault", top.trap_lanes_o, group);
    checks.that((x.left & group) == group, "nothing of that line was performed", x.left, group);
    bool due = false;
    // Behind a FAIL what shares the walk of one that comes to the host dies of its fault.
    auto faulted = [&](Fault k) { return t.trap[k] || (failed_once && t.any[k]); };
    if (cause == PAGE_FAULT) due = faulted(ABSENT) || faulted(MALFORMED);
    if (cause == WRITE_PROTECTED) due = faulted(PROTECTED) && x.kind() != 0;
    if (cause == BUS) {
      due = t.trap[ERROR];
      for (uint64_t f : t.frames_seen) due |= line_failing_at(x, line, frame_of(line >> 5, f));
    }
    checks.that(due, "a fault of that kind was to be a trap", cause, line);
    checks.that(top.trap_slot_o == x.slot && top.trap_gen_o == x.gen && top.trap_seq_o == x.seq &&
                    top.trap_pc_o == x.pc && !ended.row,
                "the trap of what ended, without a row", x.slot, x.pc);
    traps++;
    page_traps++;
    w.dead = true;
    if (halts && rnd.one_in(2)) halted = true;
  }
  // Its other lines have taken effect or not, each as a whole.
  for (unsigned l = 0; l < 32; l++) {
    if (!x.in(l, GLOBAL)) continue;
    const uint32_t g = of_line(x, x.at[l] >> 7);
    checks.that((x.left & g) == 0 || (x.left & g) == g, "a line as a whole", x.left, g);
  }
  checks.that(x.sent, "an end of what has been sent", x.seq);
  finish(p);
  return true;
}

void Paged::on_done() {
  if (pages_on) {
    Ref p = find(ended.slot, ended.gen, ended.seq, "end of an instruction in flight");
    if (!p) return;
    if (p->mem == GCOPY && p->atom == 1 && !top.trap_valid_o)
      for (auto &o : warp[p->slot].flight) {
        if (o == p) break;
        checks.that(o->mem != GCOPY || o->expect != NORMAL || !p->checked, "a group ends behind its copies", o->seq,
                    p->seq);
      }
    if (end_by_page(p)) return;
  }
  Bench::on_done();
}
