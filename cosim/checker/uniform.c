/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of the uniform datapath: its operands as they are read, and every uniform result exactly once. A uniform
 * value is one word a warp: what is owed of it is owed in lane 0.
 */
#include "cosim/checker/internal.h"
#include "cosim/checker/pages.h"

/* The bits that are compared, where the model calls some of the word undefined; the word is counted. */
static uint32_t known_bits(struct heddle_checker *c, uint32_t unknown, const uint32_t *bits) {
  return judged_lanes(c, UNIFORM_LANE, unknown) != 0 ? ~0u : ~bits[0];
}

/* ---- operands ---- */

static bool check_operand_value(struct heddle_checker *c, unsigned slot, const char *name, uint32_t got) {
  const struct entry *e = c->e;
  const unsigned op = e->slot.op[slot], word = e->slot.word[slot];
  const uint32_t known = known_bits(c, e->fx.src_unknown[op], e->fx.src_bits[op][word]);
  return same(c, HEDDLE_CHECKER_OPERAND_VALUE, name, e->fx.src[op][word][0] & known, got & known);
}

static bool check_operand(struct heddle_checker *c, const struct heddle_record_uniform_read *r, unsigned k) {
  static const uint8_t slot_of[HEDDLE_RECORD_UNIFORM] = {0, 2, 4, 5};
  static const char *const name[HEDDLE_RECORD_UNIFORM] = {"operand a", "operand b", "operand c", "operand c.1"};
  struct entry *e = c->e;
  const unsigned slot = slot_of[k];
  if (((unsigned)e->slot.want >> slot & 1u) == 0 || !e->fx.dec.uniform)
    return !checker_on(c, HEDDLE_CHECKER_OPERAND_EXTRA) ||
           differ(c, HEDDLE_CHECKER_OPERAND_EXTRA, name[k], "a uniform operand that the instruction does not have");
  const uint32_t again = UNIFORM_LANE & ~e->ops_open[slot];
  if (!no_lanes(c, HEDDLE_CHECKER_OPERAND_DOUBLE, name[k], again, "read a second time")) return false;
  if ((e->ops_any & OWES_OPERAND(slot)) == 0 && !check_operand_value(c, slot, name[k], r->data[k])) return false;
  c->stats.lanes_compared++;
  ledger_read(c->w, e, slot, UNIFORM_LANE);
  return true;
}

bool judge_uniform_read(struct heddle_checker *c, const struct heddle_record_uniform_read *r) {
  if (!identify(c, &r->id) || !identify_entry(c, r->id.seq)) return false;
  if (r->used >> HEDDLE_RECORD_UNIFORM != 0) return differ(c, HEDDLE_CHECKER_RECORD_FORM, "used", "no such word");
  for (unsigned rest = r->used; rest != 0; rest &= rest - 1)
    if (!check_operand(c, r, (unsigned)__builtin_ctz(rest))) return false;
  ledger_close_words(c, c->w, c->e);
  return true;
}

/* ---- results ---- */

static bool check_early(struct heddle_checker *c) {
  const struct entry *e = c->e;
  return no_lanes(c, HEDDLE_CHECKER_WRITEBACK_EARLY, "write", (e->owes & OWES_OPERANDS) != 0 ? UNIFORM_LANE : 0,
                  "written before its operands were read");
}

static bool check_word_value(struct heddle_checker *c, unsigned word, const char *name, uint32_t got) {
  const struct heddle_effect *fx = &c->e->fx;
  const uint32_t known = known_bits(c, fx->rd_unknown[word], fx->rd_bits[word]);
  return same(c, HEDDLE_CHECKER_WRITEBACK_VALUE, name, fx->rd_value[word][0] & known, got & known);
}

static bool check_word(struct heddle_checker *c, const struct heddle_record_uniform_write *r, unsigned k) {
  struct entry *e = c->e;
  const unsigned place = PLACE_UR + r->rd + k, word = place - e->rd;
  char name[8];
  snprintf(name, sizeof name, "UR%u", r->rd + k);
  if (e->rd_words == 0 || e->traps)
    return no_lanes(c, HEDDLE_CHECKER_WRITEBACK_EXTRA, name, UNIFORM_LANE, "a write that nobody asked for");
  if (place >= PLACES || word >= e->rd_words)
    return !checker_on(c, HEDDLE_CHECKER_WRITEBACK_REGISTER) ||
           differ(c, HEDDLE_CHECKER_WRITEBACK_REGISTER, name, "is not a destination");
  const uint32_t again = UNIFORM_LANE & ~e->wb_open[word];
  if (!no_lanes(c, HEDDLE_CHECKER_WRITEBACK_DOUBLE, name, again, "written a second time") || !check_early(c) ||
      !poison_uniform_write(c, place) || !check_word_value(c, word, name, r->data[k]))
    return false;
  c->stats.lanes_compared++;
  ledger_write(c->w, e, word, UNIFORM_LANE);
  return poison_late(c, 2 * PLACE_UP + r->rd + k, UNIFORM_LANE);
}

/* Which of the instruction's destinations UPp is: of two of one name the second, which wins. */
static unsigned uniform_destination(const struct entry *e, unsigned p) {
  for (unsigned i = HEDDLE_RECORD_PREDICATES; i-- > 0;)
    if (((unsigned)e->pd_written >> i & 1u) != 0 && e->pd[i] == PLACE_UP + p) return i;
  return HEDDLE_RECORD_PREDICATES;
}

static bool check_predicate(struct heddle_checker *c, unsigned p, unsigned got) {
  struct entry *e = c->e;
  const unsigned i = uniform_destination(e, p);
  char name[8];
  snprintf(name, sizeof name, "UP%u", p);
  if (i == HEDDLE_RECORD_PREDICATES)
    return !checker_on(c, HEDDLE_CHECKER_PREDICATE_REGISTER) ||
           differ(c, HEDDLE_CHECKER_PREDICATE_REGISTER, name, "is not a destination");
  const uint32_t again = UNIFORM_LANE & ~e->pd_open[i];
  if (!no_lanes(c, HEDDLE_CHECKER_PREDICATE_DOUBLE, name, again, "written a second time") || !check_early(c) ||
      !poison_predicate(c, PLACE_UP + p, UNIFORM_LANE) ||
      (judged_lanes(c, UNIFORM_LANE, entry_pd_unknown(e, i)) != 0 &&
       !same(c, HEDDLE_CHECKER_PREDICATE_VALUE, name, entry_pd_value(e, i) & UNIFORM_LANE, got)))
    return false;
  ledger_predicate(c->w, e, i, UNIFORM_LANE);
  return poison_late(c, PLACE_UP + p, UNIFORM_LANE);
}

bool judge_uniform_write(struct heddle_checker *c, const struct heddle_record_uniform_write *r) {
  if (!identify(c, &r->id) || !identify_entry(c, r->id.seq) || !paging_constant(c, ~0u)) return false;
  if (r->used >> HEDDLE_RECORD_RESULT != 0 || r->pred >> ISA_PT != 0 || (r->used != 0 && r->rd >= 63))
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "used", "no such word, register or predicate");
  for (unsigned rest = r->used; rest != 0; rest &= rest - 1)
    if (!check_word(c, r, (unsigned)__builtin_ctz(rest))) return false;
  for (unsigned rest = r->pred; rest != 0; rest &= rest - 1) {
    const unsigned p = (unsigned)__builtin_ctz(rest);
    if (!check_predicate(c, p, (unsigned)r->value >> p & 1u)) return false;
  }
  ledger_close_words(c, c->w, c->e);
  return true;
}
