/* SPDX-License-Identifier: Apache-2.0
 *
 * What adapters do wrong with what warps share: memory, barriers, blocks, traps, time.
 */
#include "cosim/kit/conform/mistakes.h"

/* ---- memory ---- */

static bool sector_as_address(struct stream *s) {
  EACH(s, HEDDLE_RECORD_GLOBAL) s->r[i].u.global.sector *= HEDDLE_RECORD_SECTOR;
  return true;
}
static bool strobe_full(struct stream *s) {
  EACH(s, HEDDLE_RECORD_GLOBAL) s->r[i].u.global.wstrb = s->r[i].u.global.access == HEDDLE_RECORD_LOAD ? 0 : ~0u;
  return true;
}
static bool local_without_slot(struct stream *s) {
  EACH(s, HEDDLE_RECORD_GLOBAL)
  if (s->r[i].u.global.access >= HEDDLE_RECORD_LOCAL_LOAD) s->r[i].u.global.sector &= (1u << 20) - 1;
  return true;
}
static bool atomic_operand(struct stream *s) {
  EACH(s, HEDDLE_RECORD_GLOBAL)
  for (unsigned k = 0; s->r[i].u.global.access == HEDDLE_RECORD_ATOMIC && k < HEDDLE_RECORD_SECTOR; k++)
    s->r[i].u.global.wdata[k] = k % 4 == 0 ? 2 : 0;
  return true;
}
static bool store_by_lane(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_retire_record *r = &s->r[i];
    const uint32_t lanes = r->u.global.lanes;
    if (r->kind != HEDDLE_RECORD_GLOBAL || r->u.global.access != HEDDLE_RECORD_STORE || (lanes & (lanes - 1)) == 0)
      continue;
    struct heddle_retire_record first = *r;
    first.u.global.lanes = lanes & -lanes;
    r->u.global.lanes = lanes & (lanes - 1);
    stream_insert(s, i, &first);
  }
  return true;
}

/* A store is shown at its issue, and in truth came after a load of another warp. */
static bool store_at_issue(struct stream *s) {
  for (size_t j = 0; j < s->n; j++) {
    const struct heddle_record_global *store = &s->r[j].u.global;
    if (s->r[j].kind != HEDDLE_RECORD_GLOBAL || store->access != HEDDLE_RECORD_STORE) continue;
    size_t issue = j;
    while (issue-- > 0 && !(s->r[issue].kind == HEDDLE_RECORD_ISSUE && same_insn(id_at(s, issue), &store->id)))
      continue;
    for (size_t i = issue + 1; i < j; i++) {
      const struct heddle_record_global *load = &s->r[i].u.global;
      if (s->r[i].kind != HEDDLE_RECORD_GLOBAL || load->access != HEDDLE_RECORD_LOAD || load->id.slot == store->id.slot)
        continue;
      if (load->sector != store->sector) continue;
      stream_move(s, j, issue + 1);
      return true;
    }
  }
  return false;
}
static bool load_result_early(struct stream *s) {
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_WRITE) continue;
    size_t g = i;
    while (g-- > 0 && !(s->r[g].kind == HEDDLE_RECORD_GLOBAL && same_insn(id_at(s, g), id_at(s, i)))) continue;
    if (g == NOT_FOUND) continue;
    while (g > 0 && s->r[g - 1].kind == HEDDLE_RECORD_GLOBAL && same_insn(id_at(s, g - 1), id_at(s, i))) g--;
    stream_move(s, i, g);
    any = true;
  }
  return any;
}
static bool shared_without_base(struct stream *s) {
  uint32_t base[HEDDLE_RECORD_WARPS] = {0};
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_record_shared *x = &s->r[i].u.shared;
    for (unsigned w = 0; s->r[i].kind == HEDDLE_RECORD_BLOCK_START && w < HEDDLE_RECORD_WARPS; w++)
      if ((s->r[i].u.block_start.warps >> w & 1u) != 0) base[w] = s->r[i].u.block_start.shared_base;
    if (s->r[i].kind != HEDDLE_RECORD_SHARED) continue;
    for (unsigned b = 0; b < HEDDLE_RECORD_BANKS; b++) x->row[b] = (uint16_t)(x->row[b] - base[x->id.slot] / 128);
    any = any || base[x->id.slot] != 0;
  }
  return any;
}

/* ---- blocks, barriers, traps, cycles ---- */

static bool barrier_at_arrival(struct stream *s) {
  RECORD_OR_FAIL(bar, find_kind(s, 0, HEDDLE_RECORD_BARRIER));
  RECORD_OR_FAIL(arrive, find_issue(s, 0, ISA_OP_BAR_SYNC));
  stream_move(s, bar, arrive + 1);
  return bar > arrive + 1;
}
static bool barrier_never(struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->r[i].kind == HEDDLE_RECORD_BARRIER) stream_drop(s, i--);
  return true;
}
/* All that the last warp owes still comes behind the block's end. */
static bool end_at_exit(struct stream *s) {
  RECORD_OR_FAIL(end, find_kind(s, 0, HEDDLE_RECORD_BLOCK_END));
  size_t exit = end;
  while (exit-- > 0 && !is_op(&s->r[exit], ISA_OP_EXIT)) continue;
  stream_move(s, end, exit + 1);
  return end > exit + 1;
}
static bool trap_at_once(struct stream *s) {
  RECORD_OR_FAIL(t, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  size_t issue = t;
  while (issue-- > 0 && !(s->r[issue].kind == HEDDLE_RECORD_ISSUE && same_insn(id_at(s, issue), id_at(s, t)))) continue;
  if (issue == NOT_FOUND) return false;
  stream_move(s, t, issue + 1);
  return true;
}
static bool trap_issues(struct stream *s) {
  RECORD_OR_FAIL(t, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  const struct heddle_record_trap trap = s->r[t].u.trap;
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE, .cycle = s->r[t].cycle};
  r.u.issue = (struct heddle_record_issue){.id = trap.id, .pc = trap.pc, .active = ~0u, .exec = ~0u};
  stream_insert(s, t, &r);
  return true;
}
static bool cycle_of_issue(struct stream *s) {
  EACH(s, HEDDLE_RECORD_WRITE) s->r[i].cycle -= 2;
  return true;
}
static bool as_it_is(struct stream *s) {
  (void)s;
  return true;
}

/* Two warps, one address: what they load depends on the order. */
static const char race[] = ".kernel race\n.param u64 in\n.param u64 out\n"
                           "        S2R R0, SR_TID.X ;\n"
                           "        MOV R4, c[0x0][in] ;\n"
                           "        MOV R5, c[0x0][in+4] ;\n"
                           "        STG.E [R4], R0 ;\n"
                           "        LDG.E R8, [R4] ;\n"
                           "        MOV R6, c[0x0][out] ;\n"
                           "        MOV R7, c[0x0][out+4] ;\n"
                           "        IMAD.WIDE R6, R0, 0x4, R6 ;\n"
                           "        STG.E [R6], R8 ;\n"
                           "        EXIT ;\n.end\n";
const struct conform_mistake conform_mistakes_of_blocks[] = {
    {"sector_as_address", "shows an address for a sector", "`global`", "sector = byte address / 32", MIX_P0,
     HEDDLE_CHECKER_PERFORM_ADDRESS, sector_as_address, false, 0},
    {"strobe_full", "strobes all bytes of a sector", "`global`", "`wstrb` has the bytes that are written", MIX_P0,
     HEDDLE_CHECKER_PERFORM_STROBE, strobe_full, false, 0},
    {"store_by_lane", "shows a store lane by lane", "`global`", "all lanes of a sector in one record", MIX_P0,
     HEDDLE_CHECKER_PERFORM_LANES, store_by_lane, false, 0},
    {"store_at_issue", "shows a store at its issue", "`global`", "when all others see it", IN(race, 1, 64, 0),
     HEDDLE_CHECKER_PERFORM_RESULT, store_at_issue, false, 0},
    {"atomic_operand", "shows an atomic's operand as what was written", "`global`",
     "`wdata` is the result, `rdata` what was there", MIX_P0, HEDDLE_CHECKER_PERFORM_DATA, atomic_operand, false, 0},
    {"local_without_slot", "forgets the slot in the sector of local memory", "`global`",
     "sector = (slot * 2^18 + word) * 4 + lane / 8", IN(program_local, 1, 50, 0), HEDDLE_CHECKER_PERFORM_ADDRESS,
     local_without_slot, false, 0},
    {"load_result_early", "shows a load's result before its access", "`global`", "the access is shown when it reads",
     MIX_P0, HEDDLE_CHECKER_WRITEBACK_EARLY, load_result_early, false, 0},
    {"shared_without_base", "counts rows from the block's own memory", "`shared`", "the block's base is included",
     IN(program_mix, 2, 64, 0), HEDDLE_CHECKER_PERFORM_ADDRESS, shared_without_base, false, 0},
    {"barrier_at_arrival", "shows a barrier when the first warp arrives", "`barrier`", "after the last arrival", MIX_P0,
     HEDDLE_CHECKER_BARRIER_RELEASE, barrier_at_arrival, false, 0},
    {"barrier_never", "shows no barriers", "`barrier`", "each release is a record", MIX_P0,
     HEDDLE_CHECKER_BARRIER_EARLY, barrier_never, false, 0},
    {"end_at_exit", "shows a block's end at the last EXIT", "`block_end`", "when all that is owed has been shown",
     MIX_P0, HEDDLE_CHECKER_PERFORM_MISSING, end_at_exit, false, 0},
    {"trap_at_once", "shows a trap before older instructions are through", "`trap`", "it is the last record",
     IN(program_address, 1, 32, 0), HEDDLE_CHECKER_TRAP_LATE, trap_at_once, false, 0},
    {"trap_issues", "shows an issue of what traps precisely", "`issue`", "there is none", IN(program_illegal, 1, 32, 0),
     HEDDLE_CHECKER_ISSUE_TRAP, trap_issues, false, 0},
    {"cycle_of_issue", "shows cycles of the past", "order", "cycles never fall", MIX_P0, HEDDLE_CHECKER_RECORD_FORM,
     cycle_of_issue, false, 0},
    {"memory_forgotten", "leaves memory out at the end of a trace", "end", "all of it, but for pieces of zeros", MIX_P0,
     HEDDLE_CHECKER_MEMORY_FINAL, as_it_is, true, 0},
    {0},
};
