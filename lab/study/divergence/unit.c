/* SPDX-License-Identifier: Apache-2.0
 * The two units on the streams of a warp, issue by issue. */
#include "unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool unit_refuse(struct unit *u, const char *format, ...) {
  va_list ap;
  int n = snprintf(u->why->text, sizeof u->why->text, "%s: pc 0x%04x: ", u->its ? "its" : "stack",
                   u->active.word * ISA_STEP);
  va_start(ap, format);
  (void)vsnprintf(u->why->text + n, sizeof u->why->text - (size_t)n, format, ap);
  va_end(ap);
  return false;
}

/* Which of the active lanes execute the word; each of them must stand at it by its own stream. */
static bool look_at_lanes(struct unit *u, uint32_t *exec) {
  *exec = 0;
  for (uint32_t r = u->active.mask; r != 0; r &= r - 1) {
    const unsigned l = (unsigned)__builtin_ctz(r);
    const struct thread_stream *t = &u->warp->t[l];
    if (u->next[l] == t->n) return unit_refuse(u, "lane %u should be here and has ended", l);
    const uint32_t entry = t->at[u->next[l]++];
    if (stream_word(entry) != u->active.word)
      return unit_refuse(u, "lane %u should be here and is at pc 0x%04x", l, stream_word(entry) * ISA_STEP);
    if (stream_executes(entry)) *exec |= 1u << l;
  }
  return true;
}

static bool as_recorded(struct unit *u) {
  const size_t seq = u->seq;
  if (seq == u->warp->issues) return unit_refuse(u, "the record ends before the warp does, at seq %zu", seq);
  const struct issue *i = &u->warp->issue[seq];
  if (i->word == u->active.word && i->active == u->active.mask) return true;
  return unit_refuse(u, "seq %zu: by the unit's rules lanes 0x%08x issue; recorded are lanes 0x%08x at pc 0x%04x", seq,
                     u->active.mask, i->active, i->word * ISA_STEP);
}

static bool all_done(struct unit *u) {
  for (unsigned l = 0; l < LANES; l++)
    if (u->next[l] != u->warp->t[l].n) return unit_refuse(u, "lane %u has more to do when its warp ends", l);
  return true;
}

static void count_issue(struct unit *u, const struct code_word *w, unsigned lanes) {
  if (w->kind == CODE_BRANCH || w->kind == CODE_INDIRECT) u->branch[u->active.word].executed++;
  if (u->active.cause == CODE_NONE) return;
  u->branch[u->active.cause].within.issues++;
  u->branch[u->active.cause].within.lanes += lanes;
}

static bool replay_warp(struct unit *u, struct slots *out) {
  for (uint32_t exec; u->exited != UINT32_MAX;) {
    if (u->compare && !as_recorded(u)) return false;
    u->seq++;
    if (u->active.word >= u->code->words) return unit_refuse(u, "no code is there");
    const struct code_word *w = &u->code->at[u->active.word];
    if (!look_at_lanes(u, &exec)) return false;
    const unsigned lanes = (unsigned)__builtin_popcount(u->active.mask);
    out->issues++;
    out->lanes += lanes;
    if (u->branch != NULL) count_issue(u, w, lanes);
    if (exec == 0)
      u->active.word += w->step;
    else if (!unit_flow(u, w, exec))
      return false;
  }
  if (u->compare && u->seq != u->warp->issues)
    return unit_refuse(u, "recorded are %zu issues more", u->warp->issues - u->seq);
  return all_done(u);
}

bool replay_unit(const struct streams *s, bool its, bool compare, struct slots *out, struct branch *branch,
                 struct replay_why *why) {
  *out = (struct slots){0};
  for (size_t b = 0; b < s->blocks; b++)
    for (unsigned w = 0; w < s->block[b].warps; w++) {
      const struct warp_stream *warp = &s->block[b].warp[w];
      struct unit u = {.code = &s->code, .warp = warp, .branch = branch, .why = why, .its = its, .compare = compare};
      u.active = (struct path){warp->lanes, s->entry, CODE_NONE, 0};
      u.exited = ~warp->lanes;
      for (unsigned x = 0; x <= BARRIERS; x++) u.cause_at[x] = CODE_NONE;
      if (replay_warp(&u, out)) continue;
      char text[STREAMS_WHY];
      memcpy(text, why->text, sizeof text);
      (void)snprintf(why->text, sizeof why->text, "block %zu, warp %u, %.440s", b, w, text);
      return false;
    }
  return true;
}

struct thread_work streams_work(const struct streams *s) {
  struct thread_work sum = {0};
  for (size_t b = 0; b < s->blocks; b++)
    for (unsigned w = 0; w < s->block[b].warps; w++)
      for (unsigned l = 0; l < LANES; l++) {
        const struct thread_stream *t = &s->block[b].warp[w].t[l];
        sum.all += t->n;
        for (size_t i = 0; i < t->n; i++) sum.across += s->code.at[stream_word(t->at[i])].across;
      }
  return sum;
}
