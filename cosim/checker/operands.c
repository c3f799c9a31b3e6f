/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands-read records: what the hardware feeds its pipes must be the model's register values.
 */
#include "cosim/checker/internal.h"

static const char *slot_name(const struct entry *e, unsigned slot, char *buf, size_t bytes) {
  const unsigned reg = e->slot.reg[slot];
  const char op = (char)('a' + e->slot.op[slot]);
  if (reg == NO_REG)
    snprintf(buf, bytes, "operand %c.%u", op, e->slot.word[slot]);
  else
    snprintf(buf, bytes, "operand %c.%u = R%u", op, e->slot.word[slot], reg);
  return buf;
}

static bool check_port(struct heddle_checker *c, bool memory_bus) {
  return !heddle_record_shows(c->cfg.hidden, HEDDLE_RECORD_OPERANDS_MEMORY) ||
         same(c, HEDDLE_CHECKER_OPERAND_PORT, "bus of queued units", c->e->slot.collected, memory_bus);
}

/* Which words the rows are, as a mask. */
static bool read_words(struct heddle_checker *c, const struct heddle_record_operands *r, unsigned *words) {
  *words = 0;
  if (r->used >> HEDDLE_RECORD_ROWS != 0) return differ(c, HEDDLE_CHECKER_RECORD_FORM, "used", "no such row");
  for (unsigned rest = r->used; rest != 0; rest &= rest - 1) {
    const unsigned index = r->index[__builtin_ctz(rest)];
    if (index >= HEDDLE_RECORD_WORDS || (*words >> index & 1u) != 0)
      return differ(c, HEDDLE_CHECKER_RECORD_FORM, "index", "operand word %u: twice in a record, or there is none",
                    index);
    *words |= 1u << index;
  }
  return true;
}

static bool check_words(struct heddle_checker *c, unsigned words) {
  return no_lanes(c, HEDDLE_CHECKER_OPERAND_EXTRA, "operand slots", words & ~(unsigned)c->e->slot.want,
                  "operand slots that the instruction does not have");
}

static bool check_operand_extra(struct heddle_checker *c, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_OPERAND_EXTRA, "operand lanes", lanes & ~c->e->exec,
                  "operands of lanes that do not execute");
}

static bool check_operand_double(struct heddle_checker *c, unsigned slot, uint32_t lanes) {
  const uint32_t again = lanes & c->e->exec & ~c->e->ops_open[slot];
  return no_lanes(c, HEDDLE_CHECKER_OPERAND_DOUBLE, "operand", again, "read a second time");
}

static bool check_operand_value(struct heddle_checker *c, const struct heddle_record_operands *r, unsigned row,
                                uint32_t lanes) {
  const struct entry *e = c->e;
  const unsigned slot = r->index[row];
  const uint32_t *want = e->fx.src[e->slot.op[slot]][e->slot.word[slot]];
  const unsigned first = r->beat * c->cfg.lanes;
  const struct unknown_row u = {e->fx.src_unknown[e->slot.op[slot]],
                                e->fx.src_bits[e->slot.op[slot]][e->slot.word[slot]]};
  const uint32_t bad = lanes_that_differ(c, lanes, want, r->data[row], first, u);
  if (bad == 0 || (e->ops_any & OWES_OPERAND(slot)) != 0 || !checker_on(c, HEDDLE_CHECKER_OPERAND_VALUE)) return true;
  if (poison_raced(c, slot, bad)) return false;
  char name[32];
  return differ_lanes(c, HEDDLE_CHECKER_OPERAND_VALUE, slot_name(e, slot, name, sizeof name), bad, want, r->data[row],
                      first);
}

static bool judge_row(struct heddle_checker *c, const struct heddle_record_operands *r, unsigned row, uint32_t lanes) {
  const unsigned slot = r->index[row];
  if (((unsigned)c->e->slot.want >> slot & 1u) == 0) return true; /* only when that check is switched off */
  if (!check_operand_double(c, slot, lanes) || !poison_read(c, slot, lanes) || !check_operand_value(c, r, row, lanes))
    return false;
  c->stats.lanes_compared += count_lanes(lanes);
  ledger_read(c->w, c->e, slot, lanes);
  return true;
}

bool judge_operands(struct heddle_checker *c, const struct heddle_record_operands *r, bool memory_bus) {
  uint32_t lanes;
  unsigned words;
  if (!identify(c, &r->id) || !beat_lanes(c, r->beat, r->mask, &lanes) || !read_words(c, r, &words)) return false;
  if ((lanes == 0 || words == 0) && r->id.seq < c->w->next_seq) return true; /* says nothing */
  if (!identify_entry(c, r->id.seq)) return false;
  if (!check_port(c, memory_bus) || !check_words(c, words) || !check_operand_extra(c, lanes)) return false;
  for (unsigned rest = r->used; rest != 0; rest &= rest - 1)
    if (!judge_row(c, r, (unsigned)__builtin_ctz(rest), lanes)) return false;
  ledger_close_words(c, c->w, c->e);
  return true;
}
