/* SPDX-License-Identifier: Apache-2.0
 *
 * Write-port records: every destination register of every executing lane exactly once, with the model's value.
 */
#include "cosim/checker/cache.h"
#include "cosim/checker/pages.h"

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
  return differ(c, HEDDLE_CHECKER_WRITEBACK_ROW, "row", "R%u beat %u lies in bank %u row %u; written is bank %u row %u",
                r->rd, r->beat, bank, row, r->bank, r->row);
}

/* Instructions without a result, address traps included, write nothing. */
static bool check_write_extra(struct heddle_checker *c, uint32_t lanes) {
  const struct entry *e = c->e;
  const uint32_t may = e->rd_words == 0 || e->traps ? 0 : e->exec;
  return no_lanes(c, HEDDLE_CHECKER_WRITEBACK_EXTRA, "write", lanes & ~may, "a write that no lane asked for");
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
