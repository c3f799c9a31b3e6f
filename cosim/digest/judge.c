/* SPDX-License-Identifier: Apache-2.0
 *
 * The judge of a launch: takes what is told, lets the model execute it, compares, and has words for what is wrong.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include "base/options.h"
#include "cosim/digest/internal.h"
#include "isa/lib/message.h"

/* Words: who waits for what, and which windows are wrong. */

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
    fprintf(f, "goes on in the model; the core has reported no more");
    break;
  default:
    fprintf(f, "could issue");
    break;
  }
}

/* judge.c; NULL: no memory */
static char *waiting_text(const struct heddle_digest_judge *j) {
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
  if (j->next_block < j->told.blocks) fprintf(f, "  block %zu of those reported awaits its slots\n", j->next_block);
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
  if (j->waiting != NULL) fprintf(sink, "waiting\n%s", j->waiting);
}

/* The judge of a launch: takes what is told, lets the model execute it, compares. */

const char *heddle_digest_outcome_name(enum heddle_digest_outcome o) {
  static const char *const name[] = {
      [HEDDLE_DIGEST_PASS] = "ok",     [HEDDLE_DIGEST_DIFFERENCE] = "difference", [HEDDLE_DIGEST_TRAPPED] = "trapped",
      [HEDDLE_DIGEST_LOST] = "lost",   [HEDDLE_DIGEST_UNDEFINED] = "undefined",   [HEDDLE_DIGEST_REFUSED] = "refused",
      [HEDDLE_DIGEST_LIMIT] = "limit", [HEDDLE_DIGEST_NO_MEMORY] = "no memory"};
  return name[o];
}

const char *heddle_digest_reason_text(enum heddle_digest_reason r) {
  static const char *const text[] = {[HEDDLE_DIGEST_WRONG_SUM] = "another digest",
                                     [HEDDLE_DIGEST_WRONG_COUNT] = "another number of instructions",
                                     [HEDDLE_DIGEST_WRONG_TRAP] = "another trap",
                                     [HEDDLE_DIGEST_WRONG_STUCK] = "it stops here",
                                     [HEDDLE_DIGEST_WRONG_CLOCK] = "another read of the clock"};
  return text[r];
}

/* The first word is what counts. */
void judge_say(struct heddle_digest_judge *j, enum heddle_digest_outcome o, const char *fmt, ...) {
  if (j->outcome != HEDDLE_DIGEST_PASS) return;
  va_list ap;
  j->outcome = o;
  va_start(ap, fmt);
  vsnprintf(j->message, sizeof j->message, fmt, ap);
  va_end(ap);
}

/* NULL: digests are for it; else what they are not for. */
static const char *refused(const struct heddle_digest_machine *m, const struct heddle_launch *l) {
  const bool beats = m->lanes == 4 || m->lanes == 8 || m->lanes == 16 || m->lanes == 32;
  if (!beats || m->warp_slots == 0 || m->warp_slots > HEDDLE_DIGEST_SLOTS || m->block_slots == 0 ||
      m->block_slots > HEDDLE_DIGEST_SLOTS)
    return "a machine of more than 16 warp slots or 16 block slots";
  if (l->errors.limit != 0) return "a memory that answers with errors";
  return (l->units >> ISA_PART_ASYNC & 1u) != 0 ? "a machine with asynchronous copies" : NULL;
}

enum heddle_error heddle_digest_judge_new(const struct heddle_digest_machine *m, const struct heddle_launch *launch,
                                          uint64_t base, const uint8_t *memory, uint64_t bytes,
                                          const struct heddle_digest_limits *limits, struct heddle_digest_judge **out,
                                          struct heddle_message *msg) {
  struct heddle_digest_machine machine;
  struct heddle_digest_limits most = {.size = sizeof most};
  struct heddle_launch own;
  const struct heddle_launch *l = &own;
  *out = NULL;
  message_clear(msg);
  if (!options_take(&machine, sizeof machine, m) || !options_take(&own, sizeof own, launch) ||
      (limits != NULL && !options_take(&most, sizeof most, limits)))
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL, "a launch, machine or limits " OPTIONS_FOREIGN);
  const char *no = refused(&machine, l);
  if (no != NULL)
    return message_fail(msg, HEDDLE_ERROR_NOT_SUPPORTED, NULL, "digests are not for %s (docs/digest-format.md)", no);
  struct heddle_digest_judge *j = calloc(1, sizeof *j);
  if (j == NULL) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory for the judge");
  j->machine = machine;
  j->taken = own;
  j->launch = &j->taken;
  j->base = base;
  j->memory = memory;
  j->bytes = bytes;
  j->limit = most.instructions;
  j->told.most = most.bytes != 0 ? (size_t)most.bytes : (size_t)1 << 30;
  const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  j->told.warps_each =
      threads > HEDDLE_DIGEST_SLOTS * HEDDLE_LANES ? UINT32_MAX : (unsigned)((threads + 31) / HEDDLE_LANES);
  j->live = calloc(HEDDLE_DIGEST_SLOTS, sizeof *j->live);
  if (j->live == NULL) {
    heddle_digest_judge_free(j);
    return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory for the judge");
  }
  *out = j;
  return HEDDLE_SUCCESS;
}

static void live_clear(struct heddle_digest_judge *j) {
  for (unsigned i = 0; i < HEDDLE_DIGEST_SLOTS && j->live != NULL; i++) made_clear(&j->live[i].made);
}

void heddle_digest_judge_free(struct heddle_digest_judge *j) {
  if (j == NULL) return;
  live_clear(j);
  told_clear(&j->told);
  heddle_model_free(j->model);
  free(j->live);
  free(j->wrong);
  free(j->waiting);
  free(j);
}

bool heddle_digest_judge_entry(struct heddle_digest_judge *j, const struct heddle_digest_entry *e) {
  return told_entry(&j->told, e);
}

void judge_wrong(struct heddle_digest_judge *j, enum heddle_digest_reason why, size_t warp, uint32_t window,
                 uint32_t instructions, const struct made *made, uint32_t told, uint32_t got) {
  if (!ROOM(j->wrong, j->wrongs, j->wrong_room)) return;
  const struct told_warp *w = &j->told.warp[warp];
  struct heddle_digest_wrong *x = &j->wrong[j->wrongs++];
  *x = (struct heddle_digest_wrong){.reason = why,
                                    .warp = w->index,
                                    .window = window,
                                    .instructions = instructions,
                                    .pc_low = UINT32_MAX,
                                    .told = told,
                                    .made = got};
  memcpy(x->ctaid, j->told.block[w->block].ctaid, sizeof x->ctaid);
  if (window >= made->windows) return;
  x->pc_low = made->window[window].low;
  x->pc_high = made->window[window].high;
}

/* ---- windows ---- */

/* The oldest access that is still to be performed; what it brings is in no digest yet. */
static uint64_t oldest(const struct live *v) {
  uint64_t seq = UINT64_MAX;
  for (unsigned s = 0; s < SPACES; s++)
    if (v->queue[s].n != 0 && v->queue[s].at[v->queue[s].head].seq < seq) seq = v->queue[s].at[v->queue[s].head].seq;
  if (v->reduces && v->red_seq < seq) seq = v->red_seq;
  return seq;
}

/* Window k, of which n instructions have issued in the model. */
static void judge_window(struct heddle_digest_judge *j, const struct live *v, size_t k, uint32_t n) {
  static const struct made_window none = {.low = UINT32_MAX};
  const struct told_warp *w = &j->told.warp[v->warp];
  const struct made_window *m = k < v->made.windows ? &v->made.window[k] : &none;
  const uint32_t told = k < w->sums ? w->sum[k] : 0;
  j->stats.windows++;
  if (m->unknown)
    j->stats.windows_unjudged++;
  else if (told == m->sum && k < w->sums && n != 0)
    j->stats.windows_right++;
  else
    judge_wrong(j, HEDDLE_DIGEST_WRONG_SUM, v->warp, (uint32_t)k, n, &v->made, told, m->sum);
}

static uint32_t in_window(uint32_t insns, size_t k) {
  const uint64_t first = (uint64_t)k * HEDDLE_DIGEST_WINDOW;
  if (insns <= first) return 0;
  return insns - first < HEDDLE_DIGEST_WINDOW ? (uint32_t)(insns - first) : HEDDLE_DIGEST_WINDOW;
}

void judge_warp(struct heddle_digest_judge *j, const struct live *v) {
  const struct told_warp *w = &j->told.warp[v->warp];
  const uint64_t open = oldest(v);
  const size_t all = w->ended && v->made.windows > w->sums ? v->made.windows : w->sums;
  const bool whole = w->ended && v->ended && open == UINT64_MAX;
  for (size_t k = 0; k < all; k++) {
    const uint64_t end = (uint64_t)(k + 1) * HEDDLE_DIGEST_WINDOW;
    if (whole || (end <= v->issued && end <= open)) {
      judge_window(j, v, k, in_window(v->issued, k));
    } else if (k < w->sums) {
      j->stats.windows++;
      j->stats.windows_unjudged++;
    }
  }
  if (whole && w->insns != v->issued)
    judge_wrong(j, HEDDLE_DIGEST_WRONG_COUNT, v->warp,
                (v->issued < w->insns ? v->issued : w->insns) / HEDDLE_DIGEST_WINDOW, HEDDLE_DIGEST_WINDOW, &v->made,
                w->insns, v->issued);
  if (whole && w->clocks != v->clocks)
    judge_wrong(j, HEDDLE_DIGEST_WRONG_CLOCK, v->warp, (v->issued - 1) / HEDDLE_DIGEST_WINDOW, HEDDLE_DIGEST_WINDOW,
                &v->made, (uint32_t)w->clocks, (uint32_t)v->clocks);
}

/* What lives when it stops. Behind a loss late results may be missing of what was told, and nothing is said of it; but
 * if what was told cannot be, it is wrong in any case, and these say where. */
static void judge_living(struct heddle_digest_judge *j) {
  const bool judged = j->whole || j->told.wrong[0] != '\0';
  for (unsigned slot = 0; slot < HEDDLE_DIGEST_SLOTS; slot++) {
    const struct live *v = &j->live[slot];
    if (!v->used) continue;
    const struct told_warp *w = &j->told.warp[v->warp];
    if (judged) judge_warp(j, v);
    if (judged) continue;
    j->stats.windows += w->sums;
    j->stats.windows_unjudged += w->sums;
  }
  for (size_t i = 0; i < j->told.warps; i++)
    if (j->told.warp[i].block >= j->next_block) j->stats.windows_unjudged += j->told.warp[i].sums;
}

/* ---- the end ---- */

static bool begin_model(struct heddle_digest_judge *j) {
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = j->base,
                                        .bytes = j->bytes,
                                        .warp_slots = j->machine.warp_slots,
                                        .block_slots = j->machine.block_slots};
  heddle_model_free(j->model);
  j->model = heddle_model_new(&c);
  live_clear(j);
  for (unsigned i = 0; i < HEDDLE_DIGEST_SLOTS; i++) {
    j->live[i] = (struct live){.made = {.lanes = j->machine.lanes}};
    j->block_live[i] = false;
  }
  j->next_block = j->blocks_ended = j->wrongs = 0;
  j->stage = 0;
  j->again = j->trap_due = j->trap_seen = false;
  j->stats =
      (struct heddle_digest_stats){.marks = j->told.mark[0].n + j->told.mark[1].n, .corrections = j->told.corrections};
  if (j->model == NULL) {
    judge_say(j, HEDDLE_DIGEST_NO_MEMORY, "no memory for the model");
    return false;
  }
  memcpy(heddle_model_memory(j->model), j->memory, j->bytes);
  const enum heddle_error s = heddle_model_launch(j->model, j->launch);
  if (s != HEDDLE_SUCCESS)
    judge_say(j, HEDDLE_DIGEST_REFUSED, "the model refuses the launch: %s", heddle_model_diag(j->model));
  return s == HEDDLE_SUCCESS;
}

static bool same_trap(const struct heddle_trap *t, const struct heddle_digest_entry *e, const struct told *told) {
  const struct told_warp *w = &told->warp[told->trap_warp];
  return memcmp(t->ctaid, told->block[w->block].ctaid, sizeof t->ctaid) == 0 && t->warp_in_block == w->index &&
         t->cause == (enum heddle_cause)e->cause && t->seq == e->seq && t->pc == e->pc && t->lanes == e->lanes &&
         t->addr == e->value;
}

static void judge_trap(struct heddle_digest_judge *j) {
  const struct heddle_digest_entry *e = &j->told.trap;
  const struct heddle_trap *t = heddle_model_trap(j->model);
  static const struct made none;
  if (!j->told.trapped || (j->trap_seen && same_trap(t, e, &j->told))) return;
  judge_wrong(j, HEDDLE_DIGEST_WRONG_TRAP, j->told.trap_warp, e->seq / HEDDLE_DIGEST_WINDOW, HEDDLE_DIGEST_WINDOW,
              &none, 0, 0);
  if (j->trap_seen)
    judge_say(
        j, HEDDLE_DIGEST_DIFFERENCE,
        "the trap: reported %s at pc 0x%x, lanes 0x%08x, address 0x%llx; the model's is %s at pc 0x%x, lanes 0x%08x, "
        "address 0x%llx",
        heddle_cause_name((enum heddle_cause)e->cause), e->pc, e->lanes, (unsigned long long)e->value,
        heddle_cause_name(t->cause), t->pc, t->lanes, (unsigned long long)t->addr);
  else
    judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "a trap that the model does not raise: %s at seq %u pc 0x%x",
              heddle_cause_name((enum heddle_cause)e->cause), e->seq, e->pc);
}

static void judge_memory(struct heddle_digest_judge *j, const uint8_t *after) {
  const uint8_t *mine = heddle_model_memory(j->model), *defined = heddle_model_defined(j->model);
  if (heddle_model_end(j->model) != HEDDLE_SUCCESS) {
    judge_say(j, HEDDLE_DIGEST_UNDEFINED, "the program: %s", heddle_model_diag(j->model));
    return;
  }
  if (after == NULL) return;
  j->stats.memory_compared = true;
  uint64_t wrong = 0, at = 0;
  for (uint64_t i = j->bytes; i-- > 0;)
    if (((mine[i] ^ after[i]) & (defined == NULL ? 0xff : defined[i])) != 0) {
      at = i;
      wrong++;
    }
  if (wrong != 0)
    judge_say(j, HEDDLE_DIGEST_DIFFERENCE,
              "memory at the end: %llu byte(s) differ; the first at 0x%llx: expected 0x%02x, "
              "got 0x%02x",
              (unsigned long long)wrong, (unsigned long long)(j->base + at), mine[at], after[at]);
}

static void judge_order(struct heddle_digest_judge *j) {
  static const char *const name[] = {"global", "shared"};
  for (unsigned s = 0; s < SPACES; s++) {
    j->stats.cuts[s] = j->order[s].cuts;
    if (j->order[s].wrong != NULL) judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "%s memory: %s", name[s], j->order[s].wrong);
    if (j->whole && !j->told.trapped && !j->stuck && !j->over && j->order[s].cut != 0)
      judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "%s memory: a cut names %llu accesses that no warp makes", name[s],
                (unsigned long long)j->order[s].left_all);
  }
}

static void judge_stuck(struct heddle_digest_judge *j) {
  if (!j->stuck) return;
  j->waiting = waiting_text(j);
  if (!j->whole) return; /* what is missing may be what was lost */
  for (unsigned slot = 0; slot < HEDDLE_DIGEST_SLOTS; slot++) {
    const struct live *v = &j->live[slot];
    if (v->used && !v->ended)
      judge_wrong(j, HEDDLE_DIGEST_WRONG_STUCK, v->warp, v->issued / HEDDLE_DIGEST_WINDOW, HEDDLE_DIGEST_WINDOW,
                  &v->made, 0, v->issued);
  }
  judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "the reported order cannot be obeyed");
}

/* After the run: all that is to be said, the most telling first. */
static void conclude_launch(struct heddle_digest_judge *j, const uint8_t *after) {
  const bool program = j->outcome == HEDDLE_DIGEST_UNDEFINED;
  judge_living(j);
  if (j->wrongs != 0 && (program || j->outcome == HEDDLE_DIGEST_DIFFERENCE))
    j->outcome = HEDDLE_DIGEST_PASS; /* they say it */
  if (j->wrongs != 0)
    judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "%zu window(s) of %llu are wrong", j->wrongs,
              (unsigned long long)j->stats.windows);
  judge_stuck(j);
  judge_order(j);
  if (!j->over || j->trap_seen) judge_trap(j);
  if (j->over || !j->whole || j->told.trapped || j->outcome != HEDDLE_DIGEST_PASS) return;
  if (!heddle_grid_done(j->model)) {
    judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "it ends, and not every block of the grid has started");
    return;
  }
  judge_memory(j, after);
}

enum heddle_digest_outcome heddle_digest_judge_finish(struct heddle_digest_judge *j, bool whole, const uint8_t *after) {
  struct told *t = &j->told;
  j->whole = whole && t->wrong[0] == '\0';
  if (t->no_memory) judge_say(j, HEDDLE_DIGEST_NO_MEMORY, "no memory for the report");
  if (t->too_much)
    judge_say(j, HEDDLE_DIGEST_LIMIT, "the report is longer than the %zu bytes that are kept of it", t->most);
  do {
    if (j->outcome == HEDDLE_DIGEST_PASS && begin_model(j)) run_launch_told(j);
  } while (j->again);
  if (j->model != NULL && j->outcome != HEDDLE_DIGEST_NO_MEMORY && j->outcome != HEDDLE_DIGEST_LIMIT &&
      j->outcome != HEDDLE_DIGEST_REFUSED)
    conclude_launch(j, after);
  if (t->wrong[0] != '\0') judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "the report cannot be: %s", t->wrong);
  if (j->outcome == HEDDLE_DIGEST_PASS && t->trapped) {
    const struct heddle_trap *p = heddle_model_trap(j->model);
    judge_say(j, HEDDLE_DIGEST_TRAPPED, "trap %s at pc 0x%x", heddle_cause_name(p->cause), p->pc);
  }
  if (!whole && j->outcome == HEDDLE_DIGEST_PASS) judge_say(j, HEDDLE_DIGEST_LOST, "not all of the launch has come");
  return j->outcome;
}

const char *heddle_digest_judge_message(const struct heddle_digest_judge *j) {
  return j->message;
}

const struct heddle_digest_stats *heddle_digest_judge_stats(const struct heddle_digest_judge *j) {
  return &j->stats;
}

const struct heddle_digest_wrong *heddle_digest_judge_wrong(const struct heddle_digest_judge *j, size_t *n) {
  *n = j->wrongs;
  return j->wrong;
}

const char *heddle_digest_judge_waiting(const struct heddle_digest_judge *j) {
  return j->waiting != NULL ? j->waiting : "";
}

const struct heddle_trap *heddle_digest_judge_trap(const struct heddle_digest_judge *j) {
  static const struct heddle_trap none;
  return j->model != NULL ? heddle_model_trap(j->model) : &none;
}
