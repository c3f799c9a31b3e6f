// SPDX-License-Identifier: Apache-2.0
// Rows of results, checks, traps and ends of instructions.
#include "tests/rtl/memory/mem_bench.h"

void Bench::on_late() {
  progress = now;
  checks.that(top.late_is_row_o || top.late_last_o, "a late result is a row or an end", top.late_seq_o);
  checks.that(!top.late_uni_o, "no result of a uniform register: the machine has none", top.late_seq_o);
  if (top.late_is_row_o) on_row();
  if (top.late_last_o)
    ended = {true,           bool(top.late_is_row_o), bool(top.late_has_rd_o), top.late_slot_o, top.late_gen_o,
             top.late_seq_o, top.late_wbar_o,         top.late_rd_o,           top.late_rd_n_o};
}

void Bench::on_row() {
  Ref p = find(top.late_slot_o, top.late_gen_o, top.late_seq_o, "row of an instruction in flight");
  if (!p) return;
  Instr &x = *p;
  unsigned w = top.late_word_o, k = top.late_row_o;
  if (!checks.that(x.expect == NORMAL && x.returns() && x.rd != 255 && top.late_rd_o == x.rd && w <= x.rd_n &&
                       k < beats,
                   "row of a register that is wanted", x.rd, top.late_rd_o))
    return;
  uint32_t all = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1, mask = (x.written() >> (k * lanes)) & all;
  // A generic instruction's lanes in shared memory have rows of their own.
  if (x.generic()) mask &= top.late_mask_o;
  checks.that(top.late_mask_o == mask && mask, "row mask", top.late_mask_o, mask);
  checks.that(top.late_rbase_o == x.rbase, "row base", top.late_rbase_o, x.rbase);
  checks.that(!(x.rows[w] & mask << (k * lanes)), "a row once", k, w);
  x.rows[w] |= mask << (k * lanes);
  x.last_row = now;
  for (unsigned l = 0; l < lanes; l++) {
    if (!(mask >> l & 1)) continue;
    unsigned lane = k * lanes + l;
    checks.that(!(x.matrix() ? x.left >> 8 * w & 0xff : x.left >> lane & 1), "a row after its accesses", lane);
    if (!(x.error && x.mem == CLOAD))
      checks.that(word(bytes(top.late_data_o), l) == x.result[lane][w], "row data", word(bytes(top.late_data_o), l),
                  x.result[lane][w]);
  }
}

bool Bench::complete(const Instr &x) const {
  if (x.left || x.copy_left || !x.checked) return false;
  if (!x.returns() || x.rd == 255) return true;
  for (unsigned w = 0; w <= x.rd_n; w++)
    if (x.rows[w] != x.written()) return false;
  return x.last_row < now;
}

void Bench::finish(const Ref &p) {
  Warp &w = warp[p->slot];
  p->done = true;
  for (size_t i = 0; i < w.flight.size(); i++)
    if (w.flight[i] == p) w.flight.erase(w.flight.begin() + static_cast<long>(i--));
  for (size_t i = 0; i < w.unchecked.size(); i++)
    if (w.unchecked[i] == p) w.unchecked.erase(w.unchecked.begin() + static_cast<long>(i--));
  by_id.erase(key(p->slot, p->gen, p->seq));
}

// The line whose answer was an error, with the lanes that want it; those of other lines were performed.
void Bench::check_global_error(const Instr &x) {
  uint32_t group = 0;
  for (unsigned l = 0; l < 32; l++)
    if (x.in(l, GLOBAL) && x.at[l] / 128 == top.trap_addr_o / 128 && request_failing(x, l)) group |= 1u << l;
  checks.that(top.trap_addr_o % 128 == 0 && group, "line of the bus error", top.trap_addr_o);
  checks.that(top.trap_lanes_o == group, "lanes of the bus error", top.trap_lanes_o, group);
  for (unsigned l = 0; l < 32; l++)
    if (x.left >> l & 1) checks.that(x.in(l, GLOBAL) && request_failing(x, l), "the other lines were performed", l);
}

// Of constants all lanes, and the sector of a word that one of them wants, in a line that met an error.
void Bench::check_constant_error(const Instr &x) {
  bool wanted = false;
  for (unsigned l = 0; l < 32; l++)
    for (unsigned k = 0; (x.exec >> l & 1) && k < x.words(); k++) {
      const uint64_t a = cbank_base[x.cbank] + x.addr[l] + 4 * k;
      wanted |= line_failing(a) && top.trap_addr_o == (a & ~31ull);
    }
  checks.that(wanted, "sector of a constant that met an error", top.trap_addr_o);
  checks.that(top.trap_lanes_o == x.exec, "lanes of the bus error", top.trap_lanes_o, x.exec);
}

void Bench::on_done() {
  Ref p = find(ended.slot, ended.gen, ended.seq, "end of an instruction in flight");
  if (!p) return;
  Instr &x = *p;
  Warp &w = warp[x.slot];
  bool has = x.returns() && x.rd != 255;
  checks.that(ended.wbar == x.wbar && ended.has_rd == has && ended.rd == x.rd &&
                  (ended.rd_n == x.rd_n || x.mem == GCOPY),
              "what ends with an instruction", ended.wbar, ended.rd);
  if (top.trap_valid_o) {
    traps++;
    checks.that(top.trap_slot_o == x.slot && top.trap_gen_o == x.gen && top.trap_seq_o == x.seq &&
                    top.trap_pc_o == x.pc && !ended.row,
                "the trap of what ended, without a row", x.slot, x.pc);
    if (x.expect == NORMAL && x.error) {
      checks.that(top.trap_cause_o == BUS, "bus error", top.trap_cause_o, top.trap_addr_o);
      if (x.mem == CLOAD)
        check_constant_error(x);
      else
        check_global_error(x);
      w.dead = true;
    } else {
      checks.that(x.expect == TRAP, "a trap was due", x.expect, x.mem);
      checks.that(top.trap_cause_o == x.cause, "cause", top.trap_cause_o, x.cause);
      checks.that(top.trap_lanes_o == x.lanes, "lanes at fault", top.trap_lanes_o, x.lanes);
      checks.that(top.trap_addr_o == x.trap_addr, "address", top.trap_addr_o, x.trap_addr);
      checks.that(!x.checked && !w.unchecked.empty() && w.unchecked.front() == p, "a trap in order", x.seq);
    }
    finish(p);
    return;
  }
  bool untouched = x.left == (x.mem == CLOAD || x.mem == NOTHING ? 0 : x.exec) && !x.rows[0] && !x.checked;
  bool ready = x.expect == REFUSED || (x.expect == EMPTY && (x.checked || x.may_refuse)) ||
               (x.expect == TRAP && x.may_refuse) ||
               (x.expect == NORMAL && ((complete(x) && !x.error) || (x.may_refuse && untouched)));
  checks.that(x.sent && ready, "an end of an instruction that is complete", x.slot, x.seq);
  if (x.expect == REFUSED) refused++;
  finish(p);
}

void Bench::on_checked() {
  Warp &w = warp[top.checked_slot_o];
  if (!checks.that(!w.unchecked.empty(), "a check of an instruction", top.checked_slot_o)) return;
  Ref p = w.unchecked.front();
  checks.that(p->sent && p->expect != TRAP, "checked in order", p->seq, p->expect);
  p->checked = true;
  w.unchecked.pop_front();
}
