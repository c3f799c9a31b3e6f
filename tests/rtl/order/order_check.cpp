// SPDX-License-Identifier: Apache-2.0
// What the device answers, held to what the reference knows.
#include "tests/rtl/order/order_bench.h"

namespace {
bool reads(const Request &r) {
  return r.kind == LOAD || r.kind == FETCH || r.kind == FILL;
}
} // namespace

void Bench::credit() {
  if (!top.lc_valid_o) return;
  if (top.lc_atom_o) {
    atom_credits++;
    given_atoms++;
    checks.that(given_atoms <= atoms + sent_atoms && atom_credits <= atoms, "no more credits for atomics than room");
  } else {
    credits++;
    given++;
    checks.that(given <= tags + sent && credits <= tags, "no more credits than room", given, sent);
  }
}

void Bench::beat() {
  if (!top.ld_valid_o) return;
  progress = now;
  Pointer p = top.ld_tag_o < tags ? by_tag[top.ld_tag_o] : nullptr;
  if (!checks.that(p && reads(*p), "a beat of a load in flight", top.ld_tag_o)) return;
  Request &r = *p;
  const unsigned i = top.ld_beat_o;
  if (!checks.that(i < beats && !(r.got >> i & 1), "a beat once", r.seq, i)) return;
  r.got |= 1u << i;
  r.got_at = now;
  bool asked = false;
  for (unsigned k = 0; k < beat_bytes; k++) {
    const unsigned at = i * beat_bytes + k;
    if (!(r.sectors >> at / 32 & 1)) continue;
    asked = true;
    if (!r.failing) checks.that(bytes(top.ld_data_o)[k] == r.before[at], "data of a load", r.seq, at);
  }
  checks.that(asked, "a beat of a sector that was asked for", r.seq, i);
}

void Bench::answer() {
  if (!top.la_valid_o || !top.la_ready_i) return;
  progress = now;
  Pointer p = top.la_tag_o < tags ? by_tag[top.la_tag_o] : nullptr;
  if (!checks.that(p != nullptr, "an answer to a request in flight", top.la_tag_o)) return;
  Request &r = *p;
  if (!top.la_done_o) {
    const unsigned l = top.la_lane_o;
    if (!checks.that(r.kind == ATOM && r.gives && !r.failing, "a value that is wanted", r.seq)) return;
    checks.that(r.lanes >> l & 1 && !(r.answered >> l), "lanes once, ascending", r.seq, l);
    r.answered |= 1u << l;
    const uint64_t mask = r.wide ? ~0ull : 0xffffffffu;
    checks.that((top.la_old_o & mask) == r.old[l], "what a lane found", top.la_old_o & mask, r.old[l]);
    return;
  }
  checks.that(top.la_err_o == r.failing, "error of an answer", r.seq);
  if (reads(r)) {
    uint32_t want = 0;
    for (unsigned i = 0; i < LINE; i++)
      if (r.sectors >> i / 32 & 1) want |= 1u << i / beat_bytes;
    checks.that(r.got == want && r.got_at < now, "an end after all beats", r.seq, r.got);
  }
  if (r.gives && !r.failing) checks.that(r.answered == r.lanes, "an end after all lanes", r.answered, r.lanes);
  const unsigned shown = r.failing || r.kind == FETCH ? 0 : static_cast<unsigned>(__builtin_popcount(r.sectors));
  checks.that(r.shown == shown && (!shown || r.shown_at < now), "an end after its records", r.seq, r.shown);
  r.ended = true;
  by_tag[r.tag] = nullptr;
}

// Records: sectors of a request in one go, ascending; of a line in the order of requests.
void Bench::record() {
  if (!top.rec_valid_o) return;
  records++;
  progress = now;
  Pointer p;
  for (auto &q : by_tag)
    if (q && q->seq == (top.rec_fill_o ? top.rec_number_o : top.rec_seq_o)) p = q;
  if (!checks.that(p && !p->failing && p->kind != FETCH, "a record of a request in flight", top.rec_seq_o)) return;
  Request &r = *p;
  checks.that(top.rec_fill_o == (r.kind == FILL ? r.sectors : 0) && top.rec_same_o, "a fill is one, of all its sectors",
              r.seq);
  const unsigned total = static_cast<unsigned>(__builtin_popcount(r.sectors));
  if (!checks.that(r.shown < total && (!walking || walking == p), "sectors once, in one go", r.seq)) return;
  unsigned s = 0, n = r.shown;
  for (;; s++)
    if (r.sectors >> s & 1 && n-- == 0) break;
  if (r.shown == 0) {
    auto &line = on[r.line];
    checks.that(!line.empty() && line.front() == p, "records of a line in order", r.seq);
    if (!line.empty()) line.pop_front();
  }
  r.shown += r.kind == FILL ? total : 1;
  r.shown_at = now;
  walking = r.shown == total ? nullptr : p;

  uint32_t lanes = 0;
  for (unsigned l = 0; l < 32; l++)
    if (r.lanes >> l & 1 && r.at[l] == s) lanes |= 1u << l;
  const uint64_t sector = r.local ? ((uint64_t(r.slot) << 18 | r.word) << 2) + s : r.line * 4 + s;
  checks.that(top.rec_sm_o == 5, "whose", r.seq);
  checks.that(top.rec_sector_o == sector, "sector of a record", top.rec_sector_o, sector);
  checks.that(top.rec_bank_o == 3 && top.rec_stamp_o > stamp, "bank, and a stamp that rises", top.rec_stamp_o, stamp);
  stamp = top.rec_stamp_o;
  checks.that(top.rec_access_o == (r.kind == FILL ? 0 : r.kind) + (r.local ? 3 : 0), "access of a record", r.seq,
              top.rec_access_o);
  if (r.kind == FILL) return; // nobody's, and without data
  checks.that(top.rec_slot_o == r.slot && top.rec_gen_o == r.gen, "who", r.seq);
  checks.that(top.rec_lanes_o == lanes, "lanes of a record", top.rec_lanes_o, lanes);
  for (unsigned i = 0; i < 32; i++) {
    const bool strb = r.kind != LOAD && r.wstrb[32 * s + i];
    checks.that((top.rec_wstrb_o >> i & 1) == strb, "strobes of a record", r.seq, 32 * s + i);
    checks.that(bytes(top.rec_wdata_o)[i] == (strb ? r.after[32 * s + i] : 0), "written data of a record", r.seq, i);
    checks.that(bytes(top.rec_rdata_o)[i] == (r.kind != STORE ? r.before[32 * s + i] : 0), "read data of a record",
                r.seq, i);
  }
}

void Bench::check() {
  record();
  credit();
  beat();
  answer();
}
