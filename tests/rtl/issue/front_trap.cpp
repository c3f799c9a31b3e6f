// SPDX-License-Identifier: Apache-2.0
// The precise trap that a warp's next instruction raises, and which trap the grid must end with.
#include "tests/rtl/issue/front_bench.h"

// The precise trap that the warp's next instruction raises (cause 0: none); with `pages` what has none counts.
Trap Bench::precise(unsigned s, bool pages) {
  Warp &x = w[s];
  Trap t;
  t.slot = s;
  t.gen = x.gen;
  t.seq = x.seq;
  t.pc = x.pc;
  t.lanes = x.active;
  if (!in_code(x.pc)) {
    t.cause = BAD_PC;
    t.addr = x.pc;
    return t;
  }
  if (pages && lost(page_of_word(x.pc))) {
    t.cause = PAGE_FAULT;
    t.addr = (top.launch_code_base_i + x.pc) & ~31ull;
    return t;
  }
  if (no_word(x.pc)) {
    t.cause = BUS;
    t.addr = (top.launch_code_base_i + x.pc) & ~31ull;
    return t;
  }
  heddle_isa_dec d;
  if (!decode_at(x.pc, &d) || !heddle_isa_in_machine(&d, top.cfg_units_o) || heddle_isa_max_reg(&d) >= regs) {
    t.cause = ILLEGAL;
    return t;
  }
  for (unsigned i = 0; i < 3; i++)
    if (d.src[i].kind == ISA_CONST && d.coff + 4u * d.src[i].words > bank_bytes[d.cbank]) {
      t.cause = CONST_RANGE;
      t.addr = d.coff;
      return t;
    }
  for (unsigned i = 0; i < 3; i++)
    for (unsigned k = 0; d.src[i].kind == ISA_CONST && k < d.src[i].words; k++)
      if (no_constant(d.cbank, d.coff + 4 * k) || (pages && lost(page_of_constant(d.cbank, d.coff + 4 * k)))) {
        t.cause = pages && lost(page_of_constant(d.cbank, d.coff + 4 * k)) ? PAGE_FAULT : BUS;
        t.addr = d.coff;
        return t;
      }
  uint32_t exec = x.active & guard_of(x, d.guard);
  if (d.op == ISA_OP_BSYNC) {
    unsigned b = unsigned(heddle_isa_get(d.word, ISA_F_BX));
    if (exec & ~x.members[b]) {
      t.cause = DIVERGENCE;
      t.lanes = exec & ~x.members[b];
    } else if (exec && x.parked[b] && x.parkpc[b] != x.pc) {
      t.cause = DIVERGENCE;
      t.lanes = exec;
    }
  }
  if (is_matrix(d) && exec && ~exec) { // all 32 lanes, or none
    t.cause = DIVERGENCE;
    t.lanes = ~exec;
  }
  if (is_bar(d) && exec &&
      (exec != x.live ||
       misuse(s, unsigned(heddle_isa_get(d.word, ISA_F_BARID)), unsigned(heddle_isa_get(d.word, ISA_F_BARCNT)))))
    t.cause = BARRIER;
  if (d.op == ISA_OP_JMP && exec != 0 && heddle_isa_get(d.word, ISA_F_ABS32) % ISA_STEP != 0) {
    t.cause = BAD_PC;
    t.addr = heddle_isa_get(d.word, ISA_F_ABS32);
    t.lanes = exec;
  }
  if (d.op == ISA_OP_BPT_TRAP && exec != 0) {
    t.cause = BREAKPOINT;
    t.lanes = exec;
  }
  return t;
}

void Bench::finish_trap() {
  // The first in issue order among those that were bound to trap (not counting refused ones), else the precise one.
  const Op *first = nullptr;
  for (auto &o : trapping) {
    bool refused = false;
    for (auto &p : trapping) refused |= p.mem && o.mem && p.slot == o.slot && p.order < o.order;
    if (!refused && (!first || o.order < first->order)) first = &o;
  }
  unsigned s = top.is_trap_slot_o;
  traps_seen++;
  cause_count[top.is_trap_cause_o & 15]++;
  if (first) {
    check(top.is_trap_cause_o == unsigned(first->mem ? MISALIGNED : DEADLOCK), "trap: cause", s);
    check(s == first->slot && top.is_trap_seq_o == first->seq && top.is_trap_gen_o == first->gen &&
              top.is_trap_pc_o == first->pc,
          "trap: not the first in issue order", s);
  } else {
    const bool page = top.is_trap_cause_o == PAGE_FAULT; // its word may have come before its page went away
    Trap t = page ? at_halt_page[s] : at_halt[s];
    seen.page_traps += page;
    check(t.cause != 0 && t.cause == top.is_trap_cause_o, "trap: precise cause", s);
    check(t.gen == top.is_trap_gen_o && t.seq == top.is_trap_seq_o && t.pc == top.is_trap_pc_o, "trap: identity", s);
    check(t.lanes == top.is_trap_lanes_o, "trap: lanes", s);
    check(t.addr == top.is_trap_addr_o, "trap: address", s);
    heddle_isa_dec d;
    heddle_isa_word x;
    uint32_t bytes;
    const bool begins = in_code(t.pc) && word_at(t.pc, &x, &bytes);
    seen.middle += t.cause == ILLEGAL && !begins;
    seen.absent += t.cause == ILLEGAL && begins && bytes != 16 && !heddle_isa_decode(x, &d);
    seen.torn += t.cause == DIVERGENCE && decode_at(t.pc, &d) && is_matrix(d);
  }
  check(!reads() && pred.empty() && waiting[0].empty() && waiting[1].empty() && fix.empty() && lsu_check.empty() &&
            lsu.empty() && ctl.empty(),
        "trap reported before everything drained", s);
  for (unsigned i = 0; i < warps; i++) check(!w[i].redo || w[i].at_bar, "trap reported before a result was written", i);
  done = true;
}
