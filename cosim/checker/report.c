/* SPDX-License-Identifier: Apache-2.0
 *
 * The first difference for people (text) and for programs (JSON); who waits for what, for watchdogs.
 */
#include <inttypes.h>
#include <string.h>

#include "internal.h"

static void disassemble(const struct checker *c, struct isa_word w, uint32_t pc, char *buf, size_t bytes) {
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
    disassemble(c, p->word, p->pc, text, sizeof text);
    if (open) owed_text(p->entry, owed, sizeof owed);
    fprintf(f, "    %6u %8" PRIu64 " 0x%05x %08x %08x  %s%s%s\n", p->seq, p->cycle, p->pc, p->active, p->exec, text,
            open ? "   ; open:" : "", owed);
  }
}

static void print_place(const struct checker *c, const struct checker_difference *d, FILE *f) {
  if (!d->has_warp) return;
  char text[160];
  disassemble(c, d->word, d->pc, text, sizeof text);
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

/* Strings of ours hold no control characters except, perhaps, from a disassembler. */
static void json_string(FILE *f, const char *s) {
  fputc('"', f);
  for (; *s != '\0'; s++) {
    const unsigned char ch = (unsigned char)*s;
    if (ch == '"' || ch == '\\')
      fprintf(f, "\\%c", ch);
    else if (ch < 0x20)
      fprintf(f, "\\u%04x", ch);
    else
      fputc(ch, f);
  }
  fputc('"', f);
}

static void json_lanes(FILE *f, const char *name, uint32_t lanes, const uint32_t *v) {
  fprintf(f, ",\"%s\":{", name);
  const char *comma = "";
  for (unsigned i = 0; i < RECORD_LANES; i++) {
    if ((lanes >> i & 1u) == 0) continue;
    fprintf(f, "%s\"%u\":\"0x%08x\"", comma, i, v[i]);
    comma = ",";
  }
  fputc('}', f);
}

static void json_warp(const struct checker *c, const struct checker_difference *d, FILE *f) {
  char text[160];
  disassemble(c, d->word, d->pc, text, sizeof text);
  fprintf(f,
          ",\"slot\":%u,\"generation\":%u,\"block\":[%u,%u,%u],\"warp\":%u,\"seq\":%u,\"pc\":\"0x%x\",\"word\":\"%"
          "016" PRIx64 "%016" PRIx64 "\",\"instruction\":",
          d->slot, d->gen, d->ctaid[0], d->ctaid[1], d->ctaid[2], d->warp_in_block, d->seq, d->pc, d->word.hi,
          d->word.lo);
  json_string(f, text);
}

static void json_statistics(const struct checker_stats *s, FILE *f) {
  fprintf(f,
          "\"records\":%" PRIu64 ",\"issued\":%" PRIu64 ",\"retired\":%" PRIu64 ",\"lanes_executed\":%" PRIu64
          ",\"lanes_compared\":%" PRIu64 ",\"performs\":%" PRIu64 ",\"bytes_compared\":%" PRIu64
          ",\"divergent_branches\":%" PRIu64 ",\"barrier_waits\":%" PRIu64 ",\"blocks\":%" PRIu64
          ",\"differences\":%" PRIu64,
          s->records, s->issued, s->retired, s->lanes_executed, s->lanes_compared, s->performs, s->bytes_compared,
          s->divergent_branches, s->barrier_waits, s->blocks, s->differences);
}

void checker_report_json(const struct checker *c, FILE *f) {
  const struct checker_difference *d = &c->first;
  fprintf(f, "{\"statistics\":{");
  json_statistics(&c->stats, f);
  fprintf(f, "},\"difference\":");
  if (d->kind == CHECKER_NONE) {
    fprintf(f, "null}");
    return;
  }
  fprintf(f, "{\"kind\":\"%s\",\"cycle\":%" PRIu64 ",\"subject\":", checker_kind_name(d->kind), d->cycle);
  json_string(f, d->subject);
  fprintf(f, ",\"note\":");
  json_string(f, d->note);
  if (d->has_warp) json_warp(c, d, f);
  fprintf(f, ",\"lanes\":\"0x%08x\"", d->lanes);
  if (d->lanes != 0) {
    json_lanes(f, "expected", d->lanes, d->expected);
    json_lanes(f, "got", d->lanes, d->got);
  } else {
    fprintf(f, ",\"expected\":\"0x%" PRIx64 "\",\"got\":\"0x%" PRIx64 "\"", d->expected_value, d->got_value);
  }
  if (d->has_record) {
    char text[3072];
    record_text(&d->record, c->cfg.lanes, text, sizeof text);
    fprintf(f, ",\"record\":");
    json_string(f, text);
  }
  fprintf(f, "}}");
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
  for (unsigned it = 0; (e = ledger_next(it_warp, &it)) != NULL;) {
    char text[160], owed[160];
    disassemble(c, e->word, e->pc, text, sizeof text);
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
