/* SPDX-License-Identifier: Apache-2.0
 * Turns and saved states. There are at most POINTS of these: when no room is left every second one goes, and they are
 * made half as often from then on; so a step back costs at most as many steps forward as lie between two of them. */
#include "run/debug/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { POINTS = 64, FIRST_INTERVAL = 16384, TURNS_MAX = 1 << 22 };

struct turn {
  uint64_t end; /* the number of the instruction behind it */
  unsigned slot;
};

struct point {
  uint64_t at;
  struct heddle_saved *state;
};

struct history {
  struct point point[POINTS];
  unsigned points;
  uint64_t interval, start; /* start: of the first turn that is known */
  struct turn *turn;
  size_t turns, room;
};

static struct point *last_point(struct history *h) {
  return &h->point[h->points - 1];
}

static void thin_out(struct history *h) {
  unsigned kept = 0;
  for (unsigned i = 0; i < h->points; i++) {
    if (i % 2 == 0)
      h->point[kept++] = h->point[i];
    else
      heddle_saved_free(h->point[i].state);
  }
  h->points = kept;
  h->interval *= 2;
}

static bool add_point(struct history *h, const struct target *t) {
  if (h->points == POINTS) thin_out(h);
  struct heddle_saved *s = heddle_model_save(t->m, h->points > 0 ? last_point(h)->state : NULL);
  if (!s) return false;
  h->point[h->points++] = (struct point){t->now, s};
  return true;
}

static void drop_points(struct history *h, unsigned first) {
  while (h->points > first) heddle_saved_free(h->point[--h->points].state);
}

struct history *history_new(const struct target *t) {
  struct history *h = calloc(1, sizeof *h);
  if (!h) return NULL;
  h->interval = FIRST_INTERVAL;
  h->start = t->now;
  if (add_point(h, t)) return h;
  free(h);
  return NULL;
}

void history_free(struct history *h) {
  if (!h) return;
  drop_points(h, 0);
  free(h->turn);
  free(h);
}

/* Only from now on. */
static void start_again(struct history *h, const struct target *t) {
  drop_points(h, 0);
  h->turns = 0;
  h->start = t->now;
  (void)add_point(h, t); /* without it there is no way back from here */
}

static uint64_t begin_of(const struct history *h, size_t i) {
  return i > 0 ? h->turn[i - 1].end : h->start;
}

void history_note(struct history *h, const struct target *t, unsigned w, uint64_t n) {
  if (n == 0) return;
  struct turn *last = h->turns > 0 ? &h->turn[h->turns - 1] : NULL;
  if (last && last->slot == w && last->end - begin_of(h, h->turns - 1) + n <= HISTORY_TURN) {
    last->end += n;
  } else if (h->turns < TURNS_MAX && array_room(&h->turn, &h->room, h->turns + 1, sizeof *h->turn)) {
    h->turn[h->turns++] = (struct turn){t->now, w};
  } else {
    start_again(h, t);
    return;
  }
  if (h->points == 0 || t->now - last_point(h)->at >= h->interval) (void)add_point(h, t);
}

void history_changed(struct history *h, const struct target *t) {
  if (h->points > 0 && last_point(h)->at == t->now) drop_points(h, h->points - 1);
  if (!add_point(h, t)) start_again(h, t);
}

bool history_turn(const struct history *h, unsigned *w, uint64_t *left) {
  if (h->turns == 0) return false;
  const struct turn *last = &h->turn[h->turns - 1];
  *w = last->slot;
  *left = HISTORY_TURN - (last->end - begin_of(h, h->turns - 1));
  return true;
}

uint64_t history_room(const struct history *h, const struct target *t) {
  const uint64_t since = h->points > 0 ? t->now - h->point[h->points - 1].at : 0;
  return since < h->interval ? h->interval - since : 1;
}

uint64_t history_beginning(const struct history *h) {
  return h->points > 0 ? h->point[0].at : UINT64_MAX;
}

/* The turn that instruction `time` belongs to. */
static size_t turn_of(const struct history *h, uint64_t time) {
  size_t low = 0, high = h->turns;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (h->turn[middle].end > time)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* As it was done before; a barrier on the way ends a step of the model, not the turn. */
static bool repeat_steps(struct target *t, unsigned w, uint64_t n) {
  while (n > 0) {
    uint64_t done = 0;
    const enum heddle_status s = heddle_model_step(t->own, w, n, &done);
    t->now += done;
    n -= done;
    if (s != HEDDLE_OK || done == 0) return false;
  }
  return true;
}

bool history_go(struct history *h, struct target *t, uint64_t time) {
  unsigned k = h->points;
  while (k > 0 && h->point[k - 1].at > time) k--;
  if (k == 0 || heddle_model_restore(t->own, h->point[k - 1].state) != HEDDLE_OK) return false;
  t->now = h->point[k - 1].at;
  for (size_t i = turn_of(h, t->now); t->now < time; i++) {
    const uint64_t end = h->turn[i].end < time ? h->turn[i].end : time;
    if (!repeat_steps(t, h->turn[i].slot, end - t->now)) return false;
  }
  drop_points(h, k);
  h->turns = turn_of(h, time);
  if (begin_of(h, h->turns) < time) h->turn[h->turns++].end = time;
  return true;
}

/* From saved state k to `end`. True: a moment was found. */
static bool look_from(struct history *h, struct target *t, unsigned k, uint64_t end, const struct history_look *look,
                      uint64_t *time) {
  bool found = false;
  if (heddle_model_restore(t->own, h->point[k].state) != HEDDLE_OK) return false;
  t->now = h->point[k].at;
  look->begin(t, look->ctx);
  for (size_t i = turn_of(h, t->now); t->now < end; i++) {
    while (t->now < h->turn[i].end && t->now < end) {
      const uint64_t now = t->now;
      bool hit = look->before(t, h->turn[i].slot, look->ctx);
      if (!repeat_steps(t, h->turn[i].slot, 1)) return found;
      hit = look->after(t, h->turn[i].slot, look->ctx) || hit;
      if (hit) *time = now;
      found = found || hit;
    }
  }
  return found;
}

bool history_last(struct history *h, struct target *t, const struct history_look *look, uint64_t *time) {
  uint64_t end = t->now;
  for (unsigned k = h->points; k-- > 0;) {
    if (h->point[k].at >= end) continue;
    if (look_from(h, t, k, end, look, time)) return true;
    end = h->point[k].at;
  }
  return false;
}
