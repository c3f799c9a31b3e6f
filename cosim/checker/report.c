/* SPDX-License-Identifier: Apache-2.0
 *
 * The first difference for people; who waits for what, for watchdogs.
 */
#include <inttypes.h>
#include <string.h>

#include "cosim/checker/signature.h"
#include "cosim/checker/waiting.h"

/* The disassembler counts relative targets from a long word behind `pc`; behind a short one the next lies nearer. */
static uint32_t pc_as_long(const struct heddle_checker *c, uint32_t pc) {
  struct heddle_isa_word w;
  uint32_t bytes;
  if (pc % ISA_STEP != 0 || pc >= c->launch->code_bytes || c->launch->code == NULL) return pc;
  (void)heddle_isa_fetch(c->launch->code, pc, &w, &bytes);
  return pc + bytes - ISA_WORD_BYTES;
}

void checker_disassemble(const struct heddle_checker *c, struct heddle_isa_word w, uint32_t pc, char *buf,
                         size_t bytes) {
  buf[0] = '\0';
  if (c->cfg.disasm != NULL)
    c->cfg.disasm(c->cfg.disasm_ctx, w, pc_as_long(c, pc), buf, bytes);
  else
    snprintf(buf, bytes, "%016" PRIx64 "_%016" PRIx64, w.hi, w.lo);
}

static void print_lanes(FILE *f, const struct heddle_checker_difference *d) {
  if (d->lanes == 0) return;
  fprintf(f, "  lanes     0x%08x\n", d->lanes);
  const bool values = memcmp(d->expected, d->got, sizeof d->got) != 0;
  for (unsigned i = 0; values && i < HEDDLE_RECORD_LANES; i++)
    if ((d->lanes >> i & 1u) != 0)
      fprintf(f, "    lane %2u  expected 0x%08x  got 0x%08x\n", i, d->expected[i], d->got[i]);
}

static void print_history(const struct heddle_checker *c, const struct warp *w, FILE *f) {
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

static void print_place(const struct heddle_checker *c, const struct heddle_checker_difference *d, FILE *f) {
  if (!d->has_warp) return;
  char text[160];
  checker_disassemble(c, d->word, d->pc, text, sizeof text);
  char sm[SM_TEXT];
  fprintf(f, "  warp      %sslot %u generation %u, warp %u of block (%u,%u,%u) in block slot %u\n",
          sm_text(c, d->sm, sm), d->slot, d->gen, d->warp_in_block, d->ctaid[0], d->ctaid[1], d->ctaid[2], d->bslot);
  fprintf(f, "  at        seq %u pc 0x%x  %s\n", d->seq, d->pc, text);
}

/* How old a write must be for a read to have seen it: what the device says, and the judgement of order rests on. */
static void print_ages(const struct heddle_checker *c, FILE *f) {
  fprintf(f, "  ages      a register write is seen after %u cycles", c->stats.read_age);
  if (c->stats.pred_age != 0)
    fprintf(f, ", a predicate's after %u\n", c->stats.pred_age);
  else
    fprintf(f, "; of predicates' the device does not say it\n");
}

/* What was not judged is said, whatever the verdict is. */
static void print_profile(const struct heddle_checker *c, FILE *f) {
  char hidden[256];
  heddle_record_hidden_text(c->cfg.hidden, hidden, sizeof hidden);
  if (hidden[0] != '\0')
    fprintf(f, "  profile   %s; not judged: %s\n", heddle_record_profile_name(c->cfg.hidden), hidden);
}

static void print_signature(const struct heddle_checker_difference *d, FILE *f) {
  struct signature s;
  char text[SIGNATURE_BYTES];
  signature_of(d, &s);
  fprintf(f, "  signature %s\n", signature_text(&s, text));
}

void heddle_checker_report_text(const struct heddle_checker *c, FILE *f) {
  const struct heddle_checker_difference *d = &c->first;
  if (d->kind == HEDDLE_CHECKER_NONE) {
    fprintf(f, "no difference: %" PRIu64 " warp instructions issued, %" PRIu64 " retired, %" PRIu64 " lanes compared\n",
            c->stats.issued, c->stats.retired, c->stats.lanes_compared);
    print_profile(c, f);
    print_ages(c, f);
    return;
  }
  fprintf(f, "difference: %s (%s) in cycle %" PRIu64 "\n  %s\n", heddle_checker_kind_name(d->kind),
          heddle_checker_kind_what(d->kind), d->cycle, d->note);
  print_place(c, d, f);
  if (d->lanes == 0 && d->expected_value != d->got_value)
    fprintf(f, "  model     %s = 0x%" PRIx64 "\n  device    %s = 0x%" PRIx64 "\n", d->subject, d->expected_value,
            d->subject, d->got_value);
  print_lanes(f, d);
  if (d->has_record) {
    char text[3072];
    heddle_record_text(&d->record, c->cfg.lanes, c->cfg.hidden, text, sizeof text);
    char sm[SM_TEXT];
    fprintf(f, "  record    %s%s\n", sm_text(c, heddle_record_sm(&d->record), sm), text);
  }
  print_profile(c, f);
  print_ages(c, f);
  print_signature(d, f);
  if (d->has_warp) print_history(c, &sm_numbered(c, d->sm)->warp[d->slot], f);
  if (is_watchdog(d->kind)) heddle_checker_waiting_text(c, f);
}

static void print_sentence(void *sink, const char *sentence) {
  fprintf(sink, "    awaits %s\n", sentence);
}

static void waiting_warp(const struct heddle_checker *c, const struct warp *w, FILE *f) {
  const uint32_t *id = warp_block(w)->ctaid;
  struct heddle_standing s;
  char text[160], sm[SM_TEXT];
  if (!heddle_warp_standing(c->model, warp_at(c, w), &s)) return;
  waiting_instruction(c, s.pc, text, sizeof text);
  fprintf(f, "  %swarp slot %u (warp %u of block (%u,%u,%u)): ", sm_text(c, w->sm->number, sm), warp_slot(w), w->index,
          id[0], id[1], id[2]);
  if (s.ended)
    fprintf(f, "has ended");
  else
    fprintf(f, "next seq %u pc 0x%x lanes 0x%08x  %s", s.seq, s.pc, s.active, text);
  fprintf(f, "; last moved in cycle %" PRIu64 "\n", w->moved);
  waiting_each(c, w, &s, print_sentence, f);
}

void heddle_checker_waiting_text(const struct heddle_checker *c, FILE *f) {
  fprintf(f, "who waits for what: %" PRIu64 " of %" PRIu64 " blocks started, %" PRIu64 " ended\n", c->blocks_started,
          c->grid_blocks, c->blocks_ended);
  for (unsigned i = 0; i < c->warps; i++)
    if (c->warp[i].live) waiting_warp(c, &c->warp[i], f);
}
