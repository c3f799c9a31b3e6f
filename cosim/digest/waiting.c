/* SPDX-License-Identifier: Apache-2.0
 *
 * Words: who waits for what, and which windows are wrong.
 */
#include <inttypes.h>

#include "cosim/digest/internal.h"

static const char *const space_name[] = {"global", "shared"};

static void tell_queue(FILE *f, const struct heddle_digest_judge *j, unsigned slot) {
  for (unsigned s = 0; s < SPACES; s++) {
    const struct queue *q = &j->live[slot].queue[s];
    const struct order *o = &j->order[s];
    if (q->n == 0) continue;
    fprintf(f, "; seq %u is to access %s memory, cut %" PRIu64 " is not over", q->at[q->head].seq, space_name[s],
            o->cut);
  }
}

static void tell_stand(FILE *f, const struct heddle_digest_judge *j, unsigned slot) {
  const struct live *v = &j->live[slot];
  struct heddle_standing s;
  if (v->ended || v->stopped || !heddle_warp_standing(j->model, slot, &s)) {
    fprintf(f, "%s", v->ended ? "has ended" : "has trapped");
    return;
  }
  fprintf(f, "seq %u pc 0x%x ", s.seq, s.pc);
  switch (v->stands) {
  case STAND_BARRIER:
    fprintf(f, "waits at barrier %u, where %u of %u warps are", s.bar_id, (unsigned)__builtin_popcount(s.bar_here),
            s.bar_needs);
    break;
  case STAND_RESULT:
    fprintf(f, "waits for the result of an access");
    break;
  case STAND_DRAIN:
    fprintf(f, "waits until its accesses are performed");
    break;
  case STAND_FULL:
    fprintf(f, "has %u accesses under way", ACCESSES);
    break;
  case STAND_TOLD:
    fprintf(f, "goes on in the model; the core has told no more");
    break;
  default:
    fprintf(f, "could issue");
    break;
  }
}

char *waiting_text(const struct heddle_digest_judge *j) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return NULL;
  for (unsigned slot = 0; slot < HEDDLE_DIGEST_SLOTS; slot++) {
    const struct live *v = &j->live[slot];
    if (!v->used) continue;
    const struct told_warp *w = &j->told.warp[v->warp];
    const uint32_t *id = j->told.block[w->block].ctaid;
    fprintf(f, "  warp %u of block (%u,%u,%u) in slot %u: ", w->index, id[0], id[1], id[2], slot);
    tell_stand(f, j, slot);
    tell_queue(f, j, slot);
    fprintf(f, "\n");
  }
  for (unsigned s = 0; s < SPACES; s++) {
    const struct order *o = &j->order[s];
    if (o->cut == 0) continue;
    fprintf(f, "  %s memory: cut %" PRIu64 " awaits", space_name[s], o->cut);
    for (unsigned slot = 0; slot < HEDDLE_DIGEST_SLOTS; slot++)
      if (o->left[slot] != 0) fprintf(f, " %u of slot %u", o->left[slot], slot);
    fprintf(f, "\n");
  }
  if (j->next_block < j->told.blocks) fprintf(f, "  block %zu of those told awaits its slots\n", j->next_block);
  fclose(f);
  return text;
}

static void tell_wrong(FILE *f, const struct heddle_digest_wrong *x) {
  char block[40], seq[40], pc[40] = "-";
  const uint32_t first = x->window * HEDDLE_DIGEST_WINDOW;
  snprintf(block, sizeof block, "(%u,%u,%u)", x->ctaid[0], x->ctaid[1], x->ctaid[2]);
  snprintf(seq, sizeof seq, "%u to %u", first,
           first + (x->instructions != 0 ? x->instructions : HEDDLE_DIGEST_WINDOW) - 1);
  if (x->pc_low <= x->pc_high) snprintf(pc, sizeof pc, "0x%x to 0x%x", x->pc_low, x->pc_high);
  fprintf(f, "  %-14s %4u %7u  %-16s %-22s ", block, x->warp, x->window, seq, pc);
  if (x->reason == HEDDLE_DIGEST_WRONG_SUM)
    fprintf(f, "expected %08x, got %08x\n", x->made, x->told);
  else if (x->reason == HEDDLE_DIGEST_WRONG_COUNT)
    fprintf(f, "expected %u instructions in all, got %u\n", x->made, x->told);
  else
    fprintf(f, "%s\n", heddle_digest_reason_text(x->reason));
}

void heddle_digest_judge_report(const struct heddle_digest_judge *j, FILE *sink, size_t most) {
  if (j->wrongs != 0)
    fprintf(sink, "wrong windows\n  %-14s %4s %7s  %-16s %-22s digest\n", "block", "warp", "window", "seq", "pc");
  for (size_t i = 0; i < j->wrongs && i < most; i++) tell_wrong(sink, &j->wrong[i]);
  if (j->wrongs > most) fprintf(sink, "  ... and %zu more\n", j->wrongs - most);
  if (j->waiting != NULL) fprintf(sink, "who waits for what\n%s", j->waiting);
}
