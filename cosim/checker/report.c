/* SPDX-License-Identifier: Apache-2.0
 *
 * The first difference for people; who waits for what, for watchdogs.
 */
#include <inttypes.h>
#include <string.h>

#include "internal.h"

void checker_disassemble(const struct checker *c, struct isa_word w, uint32_t pc, char *buf, size_t bytes) {
  buf[0] = '\0';
  if (c->cfg.disasm != NULL)
    c->cfg.disasm(c->cfg.disasm_ctx, w, pc, buf, bytes);
  else
    snprintf(buf, bytes, "%016" PRIx64 "_%016" PRIx64, w.hi, w.lo);
}

static void print_lanes(FILE *f, const struct checker_difference *d) {
  if (d->lanes == 0) return;
  fprintf(f, "  lanes     0x%08x\n", d->lanes);
  const bool values = memcmp(d->expected, d->got, sizeof d->got) != 0;
  for (unsigned i = 0; values && i < RECORD_LANES; i++)
    if ((d->lanes >> i & 1u) != 0)
      fprintf(f, "    lane %2u  expected 0x%08x  got 0x%08x\n", i, d->expected[i], d->got[i]);
}

/* What the entry still owes, in a few words. */
static void owed_text(const struct entry *e, char *buf, size_t bytes) {
  uint32_t ops = 0, wb = 0;
  for (unsigned i = 0; i < RECORD_SLOTS; i++) ops |= e->ops_open[i];
  for (unsigned i = 0; i < 4; i++) wb |= e->wb_open[i];
  const uint32_t pd = e->pd_open[0] | e->pd_open[1];
  buf[0] = '\0';
  size_t n = 0;
  const struct {
    const char *what;
    uint32_t lanes;
  } owed[4] = {{"operands", ops}, {"access", e->mem_open}, {"result", wb}, {"predicate", pd}};
  for (unsigned i = 0; i < 4 && n < bytes; i++)
    if (owed[i].lanes != 0) n += (size_t)snprintf(buf + n, bytes - n, " %s 0x%08x", owed[i].what, owed[i].lanes);
}

static void print_history(const struct checker *c, const struct warp *w, FILE *f) {
  const uint32_t from = w->next_seq > RING ? w->next_seq - RING : 0;
  fprintf(f, "  history of the warp (seq, cycle, pc, active, executing; open: what is still owed)\n");
  for (uint32_t s = from; s <= w->next_seq; s++) {
    const struct past *p = &w->ring[s % RING];
    if (!p->valid || p->seq != s) continue;
    const bool open = p->entry != NULL && p->entry->open;
    char text[160], owed[160] = "";
    checker_disassemble(c, p->word, p->pc, text, sizeof text);
    if (open) owed_text(p->entry, owed, sizeof owed);
    fprintf(f, "    %6u %8" PRIu64 " 0x%05x %08x %08x  %s%s%s\n", p->seq, p->cycle, p->pc, p->active, p->exec, text,
            open ? "   ; open:" : "", owed);
  }
}

static void print_place(const struct checker *c, const struct checker_difference *d, FILE *f) {
  if (!d->has_warp) return;
  char text[160];
  checker_disassemble(c, d->word, d->pc, text, sizeof text);
  fprintf(f, "  warp      slot %u generation %u, warp %u of block (%u,%u,%u) in block slot %u\n", d->slot, d->gen,
          d->warp_in_block, d->ctaid[0], d->ctaid[1], d->ctaid[2], d->bslot);
  fprintf(f, "  at        seq %u pc 0x%x  %s\n", d->seq, d->pc, text);
}

void checker_report_text(const struct checker *c, FILE *f) {
  const struct checker_difference *d = &c->first;
  if (d->kind == CHECKER_NONE) {
    fprintf(f, "no difference: %" PRIu64 " warp instructions issued, %" PRIu64 " retired, %" PRIu64 " lanes compared\n",
            c->stats.issued, c->stats.retired, c->stats.lanes_compared);
    return;
  }
  fprintf(f, "difference: %s (%s) in cycle %" PRIu64 "\n  %s\n", checker_kind_name(d->kind), checker_kind_what(d->kind),
          d->cycle, d->note);
  print_place(c, d, f);
  if (d->lanes == 0 && d->expected_value != d->got_value)
    fprintf(f, "  model     %s = 0x%" PRIx64 "\n  device    %s = 0x%" PRIx64 "\n", d->subject, d->expected_value,
            d->subject, d->got_value);
  print_lanes(f, d);
  if (d->has_record) {
    char text[3072];
    record_text(&d->record, c->cfg.lanes, text, sizeof text);
    fprintf(f, "  record    %s\n", text);
  }
  if (d->has_warp) print_history(c, &c->warp[d->slot], f);
}

static void waiting_warp(const struct checker *c, const struct warp *w, unsigned slot, FILE *f) {
  const uint32_t *id = c->block[w->bslot].ctaid;
  fprintf(f, "  warp slot %u (warp %u of block (%u,%u,%u)): next seq %u", slot, w->index, id[0], id[1], id[2],
          w->next_seq);
  if (heddle_warp_waiting(c->model, slot)) fprintf(f, ", waits at a barrier");
  if (w->open_count == 0) fprintf(f, ", nothing in flight");
  fputc('\n', f);
  struct warp *it_warp = (struct warp *)(uintptr_t)w; /* the iterator only reads */
  const struct entry *e;
  for (struct walk it = walk_open(it_warp); (e = walk_next(it_warp, &it)) != NULL;) {
    char text[160], owed[160];
    checker_disassemble(c, e->word, e->pc, text, sizeof text);
    owed_text(e, owed, sizeof owed);
    fprintf(f, "    seq %u pc 0x%x issued in cycle %" PRIu64 "  %s  awaits%s\n", e->seq, e->pc, e->cycle, text, owed);
  }
}

void checker_waiting_text(const struct checker *c, FILE *f) {
  fprintf(f, "who waits for what: %" PRIu64 " of %" PRIu64 " blocks started, %" PRIu64 " ended\n", c->blocks_started,
          c->grid_blocks, c->blocks_ended);
  for (unsigned i = 0; i < c->cfg.warp_slots; i++)
    if (c->warp[i].live) waiting_warp(c, &c->warp[i], i, f);
}
