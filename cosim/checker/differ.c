/* SPDX-License-Identifier: Apache-2.0
 *
 * The first difference, as a structure.
 */
#include <stdarg.h>
#include <string.h>

#include "cosim/checker/internal.h"

static void describe_warp(struct heddle_checker *c, struct heddle_checker_difference *d) {
  const struct warp *w = c->w;
  if (w == NULL) return;
  d->has_warp = true;
  d->sm = w->sm->number;
  d->slot = warp_slot(w);
  d->gen = w->gen;
  d->bslot = w->bslot;
  d->warp_in_block = w->index;
  memcpy(d->ctaid, warp_block(w)->ctaid, sizeof d->ctaid);
  if (c->e != NULL) {
    d->seq = c->e->seq;
    d->pc = c->e->pc;
    /* Of what was refused at its issue the entry has no word of its own yet. */
    if (!code_word(c, d->pc, &d->word)) d->word = (struct heddle_isa_word){0, 0};
  } else if (c->now != NULL && heddle_record_id_of(c->now) != NULL) {
    d->seq = heddle_record_id_of(c->now)->seq;
  }
}

static struct heddle_checker_difference *begin_difference(struct heddle_checker *c, enum heddle_checker_kind k,
                                                          const char *subject) {
  struct heddle_checker_difference *d = &c->first;
  c->stats.differences++;
  if (d->kind != HEDDLE_CHECKER_NONE) return NULL;
  memset(d, 0, sizeof *d);
  d->kind = k;
  d->sms = c->sms;
  snprintf(d->subject, sizeof d->subject, "%s", subject);
  if (c->now != NULL) {
    d->has_record = true;
    d->record = *c->now;
    d->cycle = c->now->cycle;
  }
  describe_warp(c, d);
  return d;
}

static void note_of(struct heddle_checker_difference *d, const char *note, va_list ap) {
  vsnprintf(d->note, sizeof d->note, note, ap);
}

bool differ(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, const char *note, ...) {
  struct heddle_checker_difference *d = begin_difference(c, k, subject);
  va_list ap;
  va_start(ap, note);
  if (d != NULL) note_of(d, note, ap);
  va_end(ap);
  return false;
}

bool differ_value(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint64_t expected,
                  uint64_t got) {
  struct heddle_checker_difference *d = begin_difference(c, k, subject);
  if (d == NULL) return false;
  d->expected_value = expected;
  d->got_value = got;
  snprintf(d->note, sizeof d->note, "%s: expected 0x%llx, got 0x%llx", subject, (unsigned long long)expected,
           (unsigned long long)got);
  return false;
}

bool differ_lanes(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint32_t lanes,
                  const uint32_t *expected, const uint32_t *got, unsigned first) {
  struct heddle_checker_difference *d = begin_difference(c, k, subject);
  if (d == NULL) return false;
  d->lanes = lanes;
  for (unsigned i = first; i < HEDDLE_RECORD_LANES; i++) {
    if ((lanes & lane_bit(i)) == 0) continue;
    d->expected[i] = expected[i];
    d->got[i] = got[i - first];
  }
  const unsigned low = lanes != 0 ? (unsigned)__builtin_ctz(lanes) : 0;
  snprintf(d->note, sizeof d->note, "%s: %d lane(s) differ; lane %u: expected 0x%08x, got 0x%08x", subject,
           __builtin_popcount(lanes), low, d->expected[low], d->got[low]);
  return false;
}

bool differ_mask(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint32_t lanes,
                 const char *note, ...) {
  struct heddle_checker_difference *d = begin_difference(c, k, subject);
  va_list ap;
  va_start(ap, note);
  if (d != NULL) {
    d->lanes = lanes;
    note_of(d, note, ap);
  }
  va_end(ap);
  return false;
}
