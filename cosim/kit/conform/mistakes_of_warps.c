/* SPDX-License-Identifier: Apache-2.0
 *
 * What adapters do wrong with what a warp does by itself: identity, issue, registers, operands, predicates.
 */
#include "cosim/kit/conform/mistakes.h"

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

const struct conform_mistake conform_mistakes_of_warps[] = {
    {"gen_from_0", "counts generations of a slot from 0", "identity", "the first warp of a slot is generation 1",
     MIX_P0, HEDDLE_CHECKER_IDENTITY_GEN, gen_from_0, false, 0},
    {"gens_go_on", "counts generations on over launches", "launches", "they begin again at 1", MIX_P0,
     HEDDLE_CHECKER_IDENTITY_GEN, gens_go_on, false, 2},
    {"seq_from_1", "counts instructions of a warp from 1", "identity", "a warp's first instruction is `seq` 0", MIX_P0,
     HEDDLE_CHECKER_SEQUENCE_GAP, seq_from_1, false, 0},
    {"partition_0", "shows partition 0 everywhere, and declares two", "identity",
     "warp slot w is of partition w mod n; declare 1 where there are none", MIX_P0, HEDDLE_CHECKER_IDENTITY_PARTITION,
     partition_0, false, 0},
    {"annulled_hidden", "does not show instructions whose guard is false in all lanes", "`issue`",
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
    {"write_all_lanes", "forgets that lanes are inactive", "`write`", "`mask` has executing lanes alone", MIX_P0,
     HEDDLE_CHECKER_WRITEBACK_EXTRA, write_all_lanes, false, 0},
    {"write_mask_of_warp", "shows a beat's lanes at their place in the warp", "`write`",
     "bit i is entry i: lane beat * lanes + i", MIX_P0, HEDDLE_CHECKER_RECORD_FORM, write_mask_of_warp, false, 0},
    {"beats_turned", "counts beats from the top", "`write`", "beat 0 has lane 0", MIX_P0,
     HEDDLE_CHECKER_WRITEBACK_VALUE, beats_turned, false, 0},
    {"entries_turned", "turns the lanes of a beat round", "`write`", "entry 0 is the lowest lane", MIX_P0,
     HEDDLE_CHECKER_WRITEBACK_VALUE, entries_turned, false, 0},
    {"write_twice", "shows a write in each cycle that it stands at the port", "`write`", "once, when it is taken",
     MIX_P0, HEDDLE_CHECKER_WRITEBACK_DOUBLE, write_twice, false, 0},
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
    {"predicates_forgotten", "says that it shows predicates, and shows none", "`predicate`",
     "declare the kind as hidden, or show it", MIX, HEDDLE_CHECKER_POISON_PRED_RAW, predicates_forgotten, false, 0},
    {"access_before_issue", "shows an access before the issue", "`global`", "after the issue", MIX_P0,
     HEDDLE_CHECKER_SEQUENCE_UNKNOWN, access_before_issue, false, 0},
    {0},
};
