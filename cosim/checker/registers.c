/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of registers, predicates and the uniform datapath: what is read, what is written.
 */
#include "cosim/checker/internal.h"
#include "cosim/checker/pages.h"

/* Operands-read records: what the hardware feeds its pipes must be the model's register values. */

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

/* Write-port records: every destination register of every executing lane exactly once, with the model's value. */

static bool check_register(struct heddle_checker *c, const struct heddle_record_write *r, unsigned *word) {
  const struct entry *e = c->e;
  const unsigned k = (unsigned)r->rd - e->rd;
  *word = k;
  if (k < e->rd_words) return true;
  *word = 4;
  return !checker_on(c, HEDDLE_CHECKER_WRITEBACK_REGISTER) ||
         differ(c, HEDDLE_CHECKER_WRITEBACK_REGISTER, "register", "R%u is not a destination (R%u, %u words)", r->rd,
                e->rd, e->rd_words);
}

/* Where the register lies: consecutive ones in different banks, a row for each beat. */
static bool check_row(struct heddle_checker *c, const struct heddle_record_write *r) {
  const unsigned reg = c->w->reg_base + r->rd, group = reg >> c->bank_shift;
  const unsigned bank = reg - (group << c->bank_shift), row = group * (HEDDLE_RECORD_LANES / c->cfg.lanes) + r->beat;
  if (!heddle_record_shows(c->cfg.hidden, HEDDLE_RECORD_WARP_START))
    return true; /* which says where a warp's registers begin */
  if (!shows(c, HEDDLE_RECORD_OPTION_WRITE_BANK) || !shows(c, HEDDLE_RECORD_OPTION_WRITE_ROW)) return true;
  if (c->cfg.banks == 0 || (r->bank == bank && r->row == row) || !checker_on(c, HEDDLE_CHECKER_WRITEBACK_ROW))
    return true;
  return differ(c, HEDDLE_CHECKER_WRITEBACK_ROW, "row", "R%u beat %u is in bank %u row %u; written is bank %u row %u",
                r->rd, r->beat, bank, row, r->bank, r->row);
}

/* Instructions without a result, address traps included, write nothing. */
static bool check_write_extra(struct heddle_checker *c, uint32_t lanes) {
  const struct entry *e = c->e;
  const uint32_t may = e->rd_words == 0 || e->traps ? 0 : e->exec;
  return no_lanes(c, HEDDLE_CHECKER_WRITEBACK_EXTRA, "write", lanes & ~may, "a write of a lane that is not to write");
}

static bool check_write_double(struct heddle_checker *c, unsigned word, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_WRITEBACK_DOUBLE, "write", lanes & ~c->e->wb_open[word], "written a second time");
}

static bool check_early(struct heddle_checker *c, unsigned word, uint32_t lanes) {
  const struct entry *e = c->e;
  uint32_t early = lanes & ~entry_known(e, word);
  for (unsigned rest = e->owes & OWES_OPERANDS; rest != 0; rest &= rest - 1)
    early |= lanes & e->ops_open[__builtin_ctz(rest)];
  return no_lanes(c, HEDDLE_CHECKER_WRITEBACK_EARLY, "write", early,
                  e->fx.bar_wait ? "written before its barrier was released"
                                 : "written before its operands were read or its access was performed");
}

static bool check_write_value(struct heddle_checker *c, const struct heddle_record_write *r, unsigned word,
                              uint32_t lanes) {
  const uint32_t *want = c->e->fx.rd_value[word];
  const unsigned first = r->beat * c->cfg.lanes;
  const struct unknown_row u = {c->e->fx.rd_unknown[word], c->e->fx.rd_bits[word]};
  const uint32_t bad = lanes_that_differ(c, lanes, want, r->data, first, u);
  if (bad == 0 || !checker_on(c, HEDDLE_CHECKER_WRITEBACK_VALUE)) return true;
  char name[8];
  snprintf(name, sizeof name, "R%u", r->rd);
  return differ_lanes(c, HEDDLE_CHECKER_WRITEBACK_VALUE, name, bad, want, r->data, first);
}

bool judge_write(struct heddle_checker *c, const struct heddle_record_write *r) {
  uint32_t lanes;
  unsigned word;
  if (!identify(c, &r->id) || !beat_lanes(c, r->beat, r->mask, &lanes)) return false;
  if (shows(c, HEDDLE_RECORD_OPTION_WRITE_PORT) && r->port >= HEDDLE_RECORD_PORTS)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "port", "no write port %u", r->port);
  if (lanes == 0 && r->id.seq < c->w->next_seq) return true; /* says nothing */
  if (!identify_entry(c, r->id.seq) || !paging_constant(c, lanes) || !check_write_extra(c, lanes) ||
      !check_register(c, r, &word))
    return false;
  if (word > 3) return true; /* only when that check is switched off */
  if (!check_row(c, r) || !check_write_double(c, word, lanes) || !check_early(c, word, lanes) ||
      !poison_write(c, r->rd, lanes) || !check_write_value(c, r, word, lanes))
    return false;
  if (!poison_shadow(c, r->rd, lanes)) return false;
  c->stats.lanes_compared += count_lanes(lanes);
  ledger_write(c->w, c->e, word, lanes);
  if (c->cache != NULL && entry_is_memory(c->e)) cache_access_over(c, c->w);
  ledger_close_words(c, c->w, c->e);
  return true;
}

/* Predicate-write records: each predicate destination of each executing lane exactly once. */

#define NO_DEST HEDDLE_RECORD_PREDICATES

/* Which of the instruction's destinations the predicate is: of two of one name the second, which wins. */
static unsigned predicate_destination(const struct entry *e, unsigned index) {
  for (unsigned i = HEDDLE_RECORD_PREDICATES; i-- > 0;)
    if (((unsigned)e->pd_written >> i & 1u) != 0 && e->pd[i] == index) return i;
  return NO_DEST;
}

/* A later entry of the same predicate is the one that is kept. */
static bool hidden(const struct heddle_record_predicate *r, unsigned k) {
  for (unsigned i = k + 1; i < HEDDLE_RECORD_PREDICATES; i++)
    if (((unsigned)r->used >> i & 1u) != 0 && r->value[i].index == r->value[k].index) return true;
  return false;
}

static bool check_predicate_number(struct heddle_checker *c, unsigned index) {
  if (predicate_destination(c->e, index) != NO_DEST || !checker_on(c, HEDDLE_CHECKER_PREDICATE_REGISTER)) return true;
  return differ(c, HEDDLE_CHECKER_PREDICATE_REGISTER, "predicate", "P%u is not a destination", index);
}

static bool check_predicate_extra(struct heddle_checker *c, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_PREDICATE_EXTRA, "predicate", lanes & ~c->e->exec,
                  "a predicate write of lanes that do not execute");
}

/* R2P: each lane names its predicates itself. */
static bool check_named(struct heddle_checker *c, unsigned i, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_PREDICATE_EXTRA, "predicate", lanes & ~entry_pd_lanes(c->e, i),
                  "a write of a predicate that these lanes do not name");
}

static bool check_predicate_double(struct heddle_checker *c, unsigned i, uint32_t lanes) {
  const uint32_t again = lanes & c->e->exec & ~c->e->pd_open[i];
  return no_lanes(c, HEDDLE_CHECKER_PREDICATE_DOUBLE, "predicate", again, "written a second time");
}

/* The result of BAR.RED is known when its barrier has been released. */
static bool check_predicate_early(struct heddle_checker *c, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_WRITEBACK_EARLY, "predicate", lanes & ~c->e->known,
                  "written before its barrier was released");
}

static bool check_predicate_value(struct heddle_checker *c, unsigned i, uint32_t lanes, uint32_t got) {
  const uint32_t bad = (entry_pd_value(c->e, i) ^ got) & judged_lanes(c, lanes, entry_pd_unknown(c->e, i));
  if (bad == 0 || !checker_on(c, HEDDLE_CHECKER_PREDICATE_VALUE)) return true;
  const unsigned p = c->e->pd[i];
  char name[8];
  snprintf(name, sizeof name, "P%u", p);
  uint32_t want_row[HEDDLE_RECORD_LANES], got_row[HEDDLE_RECORD_LANES];
  for (unsigned k = 0; k < HEDDLE_RECORD_LANES; k++) {
    want_row[k] = entry_pd_value(c->e, i) >> k & 1u;
    got_row[k] = got >> k & 1u;
  }
  return differ_lanes(c, HEDDLE_CHECKER_PREDICATE_VALUE, name, bad, want_row, got_row, 0);
}

static bool judge_one(struct heddle_checker *c, unsigned index, uint32_t lanes, uint32_t got) {
  const unsigned i = predicate_destination(c->e, index);
  if (!check_predicate_extra(c, lanes) || !check_predicate_number(c, index)) return false;
  if (i == NO_DEST) return true; /* only when that check is switched off */
  if (!check_named(c, i, lanes)) return false;
  if (!check_predicate_double(c, i, lanes) || !check_predicate_early(c, lanes) || !poison_predicate(c, index, lanes) ||
      !check_predicate_value(c, i, lanes, got))
    return false;
  ledger_predicate(c->w, c->e, i, lanes);
  return poison_late(c, index, lanes);
}

/* The lanes of each entry; all: of any. */
static bool read_lanes(struct heddle_checker *c, const struct heddle_record_predicate *r,
                       uint32_t lanes[HEDDLE_RECORD_PREDICATES], uint32_t *all) {
  *all = 0;
  if (r->used >> HEDDLE_RECORD_PREDICATES != 0) return differ(c, HEDDLE_CHECKER_RECORD_FORM, "used", "no such entry");
  for (unsigned rest = r->used; rest != 0; rest &= rest - 1) {
    const unsigned k = (unsigned)__builtin_ctz(rest);
    if (r->value[k].index >= ISA_PT) return differ(c, HEDDLE_CHECKER_RECORD_FORM, "predicate", "no such predicate");
    if (!beat_lanes(c, r->beat, r->value[k].mask, &lanes[k])) return false;
    *all |= lanes[k];
  }
  return true;
}

bool judge_predicate(struct heddle_checker *c, const struct heddle_record_predicate *r) {
  uint32_t lanes[HEDDLE_RECORD_PREDICATES], all;
  if (!identify(c, &r->id) || !read_lanes(c, r, lanes, &all)) return false;
  if (all == 0 && r->id.seq < c->w->next_seq) return true; /* says nothing */
  if (!identify_entry(c, r->id.seq)) return false;
  const unsigned first = r->beat * c->cfg.lanes;
  for (unsigned rest = r->used; rest != 0; rest &= rest - 1) {
    const unsigned k = (unsigned)__builtin_ctz(rest);
    if (!hidden(r, k) && !judge_one(c, r->value[k].index, lanes[k], r->value[k].data << first)) return false;
  }
  ledger_close_words(c, c->w, c->e);
  return true;
}

/* Records of the uniform datapath: its operands as they are read, and every uniform result exactly once. A uniform
 * value is one word a warp: what is owed of it is owed in lane 0. */

/* The bits that are compared, where the model calls some of the word undefined; the word is counted. */
static uint32_t known_bits(struct heddle_checker *c, uint32_t unknown, const uint32_t *bits) {
  return judged_lanes(c, UNIFORM_LANE, unknown) != 0 ? ~0u : ~bits[0];
}

/* ---- operands ---- */

static bool check_uniform_operand(struct heddle_checker *c, unsigned slot, const char *name, uint32_t got) {
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
  if ((e->ops_any & OWES_OPERAND(slot)) == 0 && !check_uniform_operand(c, slot, name[k], r->data[k])) return false;
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

static bool check_uniform_early(struct heddle_checker *c) {
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
    return no_lanes(c, HEDDLE_CHECKER_WRITEBACK_EXTRA, name, UNIFORM_LANE, "a write of no instruction");
  if (place >= PLACES || word >= e->rd_words)
    return !checker_on(c, HEDDLE_CHECKER_WRITEBACK_REGISTER) ||
           differ(c, HEDDLE_CHECKER_WRITEBACK_REGISTER, name, "is not a destination");
  const uint32_t again = UNIFORM_LANE & ~e->wb_open[word];
  if (!no_lanes(c, HEDDLE_CHECKER_WRITEBACK_DOUBLE, name, again, "written a second time") || !check_uniform_early(c) ||
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
  if (!no_lanes(c, HEDDLE_CHECKER_PREDICATE_DOUBLE, name, again, "written a second time") || !check_uniform_early(c) ||
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
