/* SPDX-License-Identifier: Apache-2.0
 *
 * What adapters do wrong: the table of docs/retire-port.md.
 */
#include "cosim/kit/conform/conform.h"
#include "cosim/kit/conform/set.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/stream_find.h"

static inline struct heddle_record_id *id_at(struct stream *s, size_t i) {
  return (struct heddle_record_id *)heddle_record_id_of(&s->r[i]); /* of a record of ours */
}

/* Each record of that kind: number i. */
#define EACH(s, kind) for (size_t i = find_kind((s), 0, (kind)); i != NOT_FOUND; i = find_kind((s), i + 1, (kind)))

/* A program, its blocks, threads, the profile. */
#define IN(program, blocks, threads, profile) program, blocks, threads, profile
#define MIX IN(program_mix, 1, 64, 1)
#define MIX_P0 IN(program_mix, 1, 64, 0)

/* What adapters do wrong with what a warp does by itself: identity, issue, registers, operands, predicates. */

/* ---- identity ---- */

static bool gen_from_0(struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    if (id_at(s, i) != NULL) id_at(s, i)->gen--;
  return true;
}
static bool seq_from_1(struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    if (id_at(s, i) != NULL && s->r[i].kind != HEDDLE_RECORD_WARP_START) id_at(s, i)->seq++;
  return true;
}
static bool partition_0(struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    if (id_at(s, i) != NULL) id_at(s, i)->partition = 0;
  return true;
}

/* Instructions whose guard is false in all lanes: they are not shown; `count`: nor counted. */
static bool without_annulled(struct stream *s, bool count) {
  unsigned gone[HEDDLE_RECORD_WARPS] = {0};
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_record_id *id = id_at(s, i);
    if (id == NULL) continue;
    if (count) id->seq -= gone[id->slot];
    if (s->r[i].kind != HEDDLE_RECORD_ISSUE || s->r[i].u.issue.exec != 0) continue;
    any = true;
    gone[id->slot]++;
    stream_drop(s, i--);
  }
  return any;
}
static bool annulled_hidden(struct stream *s) {
  return without_annulled(s, false);
}
static bool annulled_uncounted(struct stream *s) {
  return without_annulled(s, true);
}

static bool gens_go_on(struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    if (id_at(s, i) != NULL) id_at(s, i)->gen++;
  return true;
}

/* ---- issue ---- */

static bool exec_without_guard(struct stream *s) {
  EACH(s, HEDDLE_RECORD_ISSUE) s->r[i].u.issue.exec = s->r[i].u.issue.active;
  return true;
}
static bool active_all(struct stream *s) {
  EACH(s, HEDDLE_RECORD_ISSUE) s->r[i].u.issue.active = ~0u;
  return true;
}
static bool ps_raw(struct stream *s) {
  EACH(s, HEDDLE_RECORD_ISSUE)
  if (is_op(&s->r[i], ISA_OP_SEL)) s->r[i].u.issue.ps[0] ^= ~0u; /* SEL ..., !P1 */
  return true;
}
static bool word_swapped(struct stream *s) {
  EACH(s, HEDDLE_RECORD_ISSUE) {
    const uint64_t low = s->r[i].u.issue.word[0];
    s->r[i].u.issue.word[0] = s->r[i].u.issue.word[1];
    s->r[i].u.issue.word[1] = low;
  }
  return true;
}
static bool pc_in_words(struct stream *s) {
  EACH(s, HEDDLE_RECORD_ISSUE) s->r[i].u.issue.pc /= 16;
  return true;
}

/* ---- registers ---- */

static bool writes_at_issue(struct stream *s) {
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_WRITE) continue;
    size_t issue = i;
    while (issue-- > 0 && !(s->r[issue].kind == HEDDLE_RECORD_ISSUE && same_insn(id_at(s, issue), id_at(s, i))))
      continue;
    any = any || issue + 1 < i;
    stream_move(s, i, issue + 1);
  }
  return any;
}
static bool write_all_lanes(struct stream *s) {
  EACH(s, HEDDLE_RECORD_WRITE) s->r[i].u.write.mask = 0xff;
  return true;
}
static bool write_mask_of_warp(struct stream *s) {
  EACH(s, HEDDLE_RECORD_WRITE) s->r[i].u.write.mask <<= 8 * s->r[i].u.write.beat;
  return true;
}
static bool beats_turned(struct stream *s) {
  EACH(s, HEDDLE_RECORD_WRITE) s->r[i].u.write.beat = (uint8_t)(3 - s->r[i].u.write.beat);
  return true;
}
static bool entries_turned(struct stream *s) {
  EACH(s, HEDDLE_RECORD_WRITE)
  for (unsigned k = 0; k < 4; k++) {
    const uint32_t v = s->r[i].u.write.data[k];
    s->r[i].u.write.data[k] = s->r[i].u.write.data[7 - k];
    s->r[i].u.write.data[7 - k] = v;
  }
  return true;
}
static bool write_twice(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_WRITE) continue;
    stream_insert(s, i, &s->r[i]);
    i++;
  }
  return true;
}
static bool write_rz(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_PREDICATE) continue; /* of IADD3 RZ, P3, ... */
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_WRITE, .cycle = s->r[i].cycle};
    r.u.write = (struct heddle_record_write){
        .id = s->r[i].u.predicate.id, .rd = 255, .beat = s->r[i].u.predicate.beat, .mask = 0xff};
    stream_insert(s, i++, &r);
  }
  return true;
}
static bool last_beat_missing(struct stream *s) {
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_WRITE || s->r[i].u.write.beat != 3) continue;
    any = true;
    stream_drop(s, i--);
  }
  return any;
}
static bool uniform_as_write(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_UNIFORM_WRITE || s->r[i].u.uniform_write.used == 0) continue;
    const struct heddle_record_uniform_write u = s->r[i].u.uniform_write;
    s->r[i].kind = HEDDLE_RECORD_WRITE;
    s->r[i].u.write = (struct heddle_record_write){.id = u.id, .rd = u.rd, .mask = 1, .data = {u.data[0]}};
  }
  return true;
}

/* ---- operands, predicates ---- */

/* Word `index` of this operation is not shown. */
static bool without_word(struct stream *s, enum heddle_isa_op op, unsigned index) {
  bool any = false;
  EACH(s, HEDDLE_RECORD_ISSUE) {
    if (!is_op(&s->r[i], op)) continue;
    for (size_t k = i + 1; k < s->n; k++) {
      struct heddle_record_operands *o = &s->r[k].u.operands;
      if (s->r[k].kind != HEDDLE_RECORD_OPERANDS || !same_insn(id_at(s, k), id_at(s, i))) continue;
      for (unsigned row = 0; row < HEDDLE_RECORD_ROWS; row++)
        if (((unsigned)o->used >> row & 1u) != 0 && o->index[row] == index)
          o->used = (uint8_t)(o->used & ~(1u << row)), any = true;
    }
  }
  return any;
}
static bool immediate_missing(struct stream *s) {
  return without_word(s, ISA_OP_MOV, 2);
}
static bool rz_missing(struct stream *s) {
  return without_word(s, ISA_OP_IADD3, 4); /* IADD3 ..., RZ */
}
static bool operand_negated(struct stream *s) {
  EACH(s, HEDDLE_RECORD_ISSUE) {
    if (!is_op(&s->r[i], ISA_OP_IADD3)) continue; /* IADD3 R12, R8, -R9, R10 */
    for (size_t k = of_insn(s, i, HEDDLE_RECORD_OPERANDS); k != NOT_FOUND && k < s->n; k++)
      if (s->r[k].kind == HEDDLE_RECORD_OPERANDS && same_insn(id_at(s, k), id_at(s, i)))
        for (unsigned l = 0; l < 8; l++) s->r[k].u.operands.data[1][l] = -s->r[k].u.operands.data[1][l];
  }
  return true;
}
static bool predicate_pt(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_record_predicate *p = &s->r[i].u.predicate;
    if (s->r[i].kind != HEDDLE_RECORD_PREDICATE || p->used != 1) continue;
    p->used = 3;
    p->value[1] = (struct heddle_record_predicate_value){.mask = 0xff, .data = 0xff, .index = 7};
  }
  return true;
}
static bool predicates_forgotten(struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->r[i].kind == HEDDLE_RECORD_PREDICATE) stream_drop(s, i--);
  return true;
}

/* Each record of this kind goes before the issue of its instruction. */
static bool before_issue(struct stream *s, uint32_t kind) {
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != kind) continue;
    size_t issue = i;
    while (issue-- > 0 && !(s->r[issue].kind == HEDDLE_RECORD_ISSUE && same_insn(id_at(s, issue), id_at(s, i))))
      continue;
    if (issue == NOT_FOUND) continue;
    stream_move(s, i, issue);
    any = true;
  }
  return any;
}
static bool operands_before_issue(struct stream *s) {
  return before_issue(s, HEDDLE_RECORD_OPERANDS);
}
static bool access_before_issue(struct stream *s) {
  return before_issue(s, HEDDLE_RECORD_GLOBAL);
}

static const char minus[] = ".kernel minus\n"
                            "        S2R R8, SR_TID.X ;\n"
                            "        S2R R9, SR_LANEID ;\n"
                            "        IADD3 R12, R8, -R9, R8 ;\n"
                            "        EXIT ;\n.end\n";

static const char zero[] = ".kernel zero\n"
                           "        S2R R0, SR_TID.X ;\n"
                           "        IADD3 RZ, P3, PT, R0, -0x5, RZ ;\n"
                           "        EXIT ;\n.end\n";

static const struct conform_mistake mistakes_of_warps[] = {
    {"gen_from_0", "counts generations of a slot from 0", "identity", "the first warp of a slot is generation 1",
     MIX_P0, HEDDLE_CHECKER_IDENTITY_GEN, gen_from_0, false, 0},
    {"gens_go_on", "counts generations on over launches", "launches", "they begin again at 1", MIX_P0,
     HEDDLE_CHECKER_IDENTITY_GEN, gens_go_on, false, 2},
    {"seq_from_1", "counts instructions of a warp from 1", "identity", "a warp's first instruction is `seq` 0", MIX_P0,
     HEDDLE_CHECKER_SEQUENCE_GAP, seq_from_1, false, 0},
    {"partition_0", "shows partition 0 everywhere, and declares two", "identity",
     "warp slot w is of partition w mod n; declare 1 where there are none", MIX_P0, HEDDLE_CHECKER_IDENTITY_PARTITION,
     partition_0, false, 0},
    {"annulled_hidden", "does not show instructions with a guard false in all lanes", "`issue`",
     "they issue like others, with `exec` 0", MIX_P0, HEDDLE_CHECKER_SEQUENCE_GAP, annulled_hidden, false, 0},
    {"annulled_uncounted", "neither shows nor counts them", "`issue`", "they have a `seq` like others", MIX_P0,
     HEDDLE_CHECKER_ISSUE_PC, annulled_uncounted, false, 0},
    {"exec_without_guard", "shows active lanes as executing ones", "`issue`", "`exec` is `active` and the guard",
     MIX_P0, HEDDLE_CHECKER_ISSUE_EXEC, exec_without_guard, false, 0},
    {"active_all", "shows all 32 lanes of a warp that has fewer threads", "`issue`",
     "lanes without a thread, and ended ones, are not active", IN(program_few, 1, 33, 0), HEDDLE_CHECKER_ISSUE_ACTIVE,
     active_all, false, 0},
    {"ps_raw", "shows source predicates before negation", "`issue`", "`ps` has the negation applied", MIX,
     HEDDLE_CHECKER_ISSUE_PS, ps_raw, false, 0},
    {"word_swapped", "shows the upper half of the word first", "`issue`", "`word[0]` has bits 63:0", MIX_P0,
     HEDDLE_CHECKER_ISSUE_WORD, word_swapped, false, 0},
    {"pc_in_words", "counts the PC in words", "`issue`", "the PC is a byte address in the code", MIX_P0,
     HEDDLE_CHECKER_ISSUE_PC, pc_in_words, false, 0},
    {"writes_at_issue", "shows writes before operands", "`write`", "a result is shown when it is written", MIX,
     HEDDLE_CHECKER_WRITEBACK_EARLY, writes_at_issue, false, 0},
    {"write_all_lanes", "shows inactive lanes too", "`write`", "`mask` has executing lanes alone", MIX_P0,
     HEDDLE_CHECKER_WRITEBACK_EXTRA, write_all_lanes, false, 0},
    {"write_mask_of_warp", "shows a beat's lanes at their place in the warp", "`write`",
     "bit i is entry i: lane beat * lanes + i", MIX_P0, HEDDLE_CHECKER_RECORD_FORM, write_mask_of_warp, false, 0},
    {"beats_turned", "counts beats from the top", "`write`", "beat 0 has lane 0", MIX_P0,
     HEDDLE_CHECKER_WRITEBACK_VALUE, beats_turned, false, 0},
    {"entries_turned", "turns the lanes of a beat round", "`write`", "entry 0 is the lowest lane", MIX_P0,
     HEDDLE_CHECKER_WRITEBACK_VALUE, entries_turned, false, 0},
    {"write_twice", "shows a write in each cycle that it is at the port", "`write`", "once, when it is taken", MIX_P0,
     HEDDLE_CHECKER_WRITEBACK_DOUBLE, write_twice, false, 0},
    {"write_rz", "shows writes to RZ", "`write`", "leave them out", IN(zero, 1, 64, 1), HEDDLE_CHECKER_WRITEBACK_EXTRA,
     write_rz, false, 0},
    {"last_beat_missing", "loses the last beat", "`write`", "every executing lane is shown once", MIX,
     HEDDLE_CHECKER_POISON_RAW, last_beat_missing, false, 0},
    {"uniform_as_write", "shows uniform results as `write`", "`uniform_write`", "they have a kind of their own",
     IN(program_uniform, 1, 64, 0), HEDDLE_CHECKER_WRITEBACK_REGISTER, uniform_as_write, false, 0},
    {"immediate_missing", "shows no immediates", "`operands`", "immediates, constants and RZ are operands", MIX,
     HEDDLE_CHECKER_WRITEBACK_EARLY, immediate_missing, false, 0},
    {"rz_missing", "shows no RZ", "`operands`", "RZ is shown as zero", MIX, HEDDLE_CHECKER_WRITEBACK_EARLY, rz_missing,
     false, 0},
    {"operand_negated", "shows operands after negation", "`operands`", "words are raw", IN(minus, 1, 64, 1),
     HEDDLE_CHECKER_OPERAND_VALUE, operand_negated, false, 0},
    {"operands_before_issue", "shows operands before the issue", "`operands`", "with the issue or after it", MIX,
     HEDDLE_CHECKER_SEQUENCE_UNKNOWN, operands_before_issue, false, 0},
    {"predicate_pt", "shows writes to PT", "`predicate`", "leave them out", MIX, HEDDLE_CHECKER_RECORD_FORM,
     predicate_pt, false, 0},
    {"predicates_forgotten", "declares predicates, and shows none", "`predicate`",
     "declare the kind as hidden, or show it", MIX, HEDDLE_CHECKER_POISON_PRED_RAW, predicates_forgotten, false, 0},
    {"access_before_issue", "shows an access before the issue", "`global`", "after the issue", MIX_P0,
     HEDDLE_CHECKER_SEQUENCE_UNKNOWN, access_before_issue, false, 0},
    {0},
};

/* What adapters do wrong with what warps share: memory, barriers, blocks, traps, time. */

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

static const struct conform_mistake mistakes_of_blocks[] = {
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
    {"local_without_slot", "leaves the slot out of the sector of local memory", "`global`",
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

const struct conform_mistake *const conform_mistake_tables[] = {mistakes_of_warps, mistakes_of_blocks, NULL};

void conform_mistakes(FILE *out) {
  fprintf(out, "| an adapter that | says at | profile | message | instead |\n|---|---|---|---|---|\n");
  for (unsigned i = 0; conform_mistake_tables[i] != NULL; i++)
    for (const struct conform_mistake *m = conform_mistake_tables[i]; m->name != NULL; m++)
      fprintf(out, "| %s | %s | P%u | `%s` | %s |\n", m->does, m->rule, m->profile, heddle_checker_kind_name(m->expect),
              m->mend);
}
