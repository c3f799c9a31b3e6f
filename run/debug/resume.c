/* SPDX-License-Identifier: Apache-2.0
 * Running a launch until something stops it, and the way back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "run/debug/target.h"

/* Turns and saved states. There are at most POINTS of these: when no room is left every second one goes, and they are
 * made half as often from then on; so a step back costs at most as many steps forward as lie between two of them. */

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

/* The warp in slot w has executed n instructions; t->now counts them. */
static void history_note(struct history *h, const struct target *t, unsigned w, uint64_t n) {
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

/* Whose turn it is, and how many instructions are left of it; false: nothing has been executed. */
static bool history_turn(const struct history *h, unsigned *w, uint64_t *left) {
  if (h->turns == 0) return false;
  const struct turn *last = &h->turn[h->turns - 1];
  *w = last->slot;
  *left = HISTORY_TURN - (last->end - begin_of(h, h->turns - 1));
  return true;
}

/* At most so many instructions before a state is to be saved. */
static uint64_t history_room(const struct history *h, const struct target *t) {
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
    const enum heddle_error s = heddle_model_step(t->own, w, n, &done);
    t->now += done;
    n -= done;
    if (s != HEDDLE_SUCCESS || done == 0) return false;
  }
  return true;
}

bool history_go(struct history *h, struct target *t, uint64_t time) {
  unsigned k = h->points;
  while (k > 0 && h->point[k - 1].at > time) k--;
  if (k == 0 || heddle_model_restore(t->own, h->point[k - 1].state) != HEDDLE_SUCCESS) return false;
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
  if (heddle_model_restore(t->own, h->point[k].state) != HEDDLE_SUCCESS) return false;
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

static bool history_last(struct history *h, struct target *t, const struct history_look *look, uint64_t *time) {
  uint64_t end = t->now;
  for (unsigned k = h->points; k-- > 0;) {
    if (h->point[k].at >= end) continue;
    if (look_from(h, t, k, end, look, time)) return true;
    end = h->point[k].at;
  }
  return false;
}

/* Running a launch until something stops it, and back. */

enum { LOOK_UP = 1024 }; /* instructions between two questions whether to go on */

static bool can_go(const struct target *t, unsigned w, struct heddle_standing *s) {
  return heddle_warp_standing(t->m, w, s) && !s->ended && !s->waiting;
}

/* The warp that is next, and how many instructions of it there may be; false: none can go on. */
static bool next_warp(const struct target *t, unsigned *w, uint64_t *left, struct heddle_standing *s) {
  unsigned last = t->slots - 1;
  if (history_turn(t->history, &last, left) && *left > 0 && can_go(t, last, s)) {
    *w = last;
    return true;
  }
  *left = HISTORY_TURN;
  for (unsigned i = 1; i <= t->slots; i++) {
    *w = (last + i) % t->slots;
    if (can_go(t, *w, s)) return true;
  }
  return false;
}

/* Of the lanes that stop: the thread that a person has in view, else the lowest. */
static uint64_t told_thread(const struct target *t, unsigned w, uint32_t lanes) {
  const uint64_t first = target_thread(t, w, 0);
  if (t->focus >= first && t->focus - first < HEDDLE_LANES && (lanes >> (t->focus - first) & 1) != 0) return t->focus;
  return lanes != 0 ? first + (unsigned)__builtin_ctz(lanes) : target_first(t);
}

static struct target_stop stop_at(const struct target *t, enum target_why why, unsigned w, uint32_t lanes) {
  return (struct target_stop){.why = why, .thread = told_thread(t, w, lanes)};
}

/* At a breakpoint that stops these lanes. */
static struct target_stop stop_break(struct target *t, unsigned w, uint32_t lanes) {
  const struct target_stop stop = stop_at(t, TARGET_BREAK, w, lanes);
  const uint32_t told = UINT32_C(1) << (stop.thread - target_thread(t, w, 0));
  t->others = (struct target_others){.slot = w, .lanes = lanes & ~told};
  return stop;
}

bool target_tell_next(struct target *t, uint64_t thread, bool alone, struct target_stop *stop) {
  struct target_others *o = &t->others;
  unsigned w, lane;
  if (o->lanes == 0) return false;
  const uint32_t pc = target_pc(t, o->slot, (unsigned)__builtin_ctz(o->lanes));
  const uint32_t lanes = target_breaks(t, o->slot, pc, o->lanes);
  if (!target_is_kept(t, pc)) return false;
  if (alone && lanes == 0 && o->stepped == 0 && target_find(t, thread, &w, &lane) && w == o->slot) {
    o->stepped = thread; /* gdb has taken the breakpoint away for this step */
    *stop = (struct target_stop){.thread = thread};
    return true;
  }
  if (lanes == 0) return false;
  lane = (unsigned)__builtin_ctz(lanes);
  *o = (struct target_others){.slot = o->slot, .lanes = lanes & (lanes - 1)};
  *stop = (struct target_stop){.why = TARGET_BREAK, .thread = target_thread(t, o->slot, lane)};
  return true;
}

static struct target_stop fault(struct target *t, enum heddle_error s, unsigned w, uint32_t lanes) {
  const struct heddle_trap *trap = heddle_model_trap(t->m);
  if (s == HEDDLE_ERROR_TRAPPED)
    snprintf(t->fault, sizeof t->fault, "trap %s at pc 0x%" PRIx32 ", lanes 0x%08" PRIx32 ", address 0x%" PRIx64,
             heddle_cause_name(trap->cause), trap->pc, trap->lanes, trap->addr);
  else
    snprintf(t->fault, sizeof t->fault, "%s", heddle_model_diag(t->m));
  return stop_at(t, TARGET_FAULT, w, s == HEDDLE_ERROR_TRAPPED ? trap->lanes : lanes);
}

static struct target_stop end_model(struct target *t) {
  t->fault[0] = '\0';
  if (heddle_model_end(t->own) != HEDDLE_SUCCESS) snprintf(t->fault, sizeof t->fault, "%s", heddle_model_diag(t->m));
  return (struct target_stop){.why = TARGET_ENDED};
}

/* gdb expects to be told of a watched place before it is met, as its architecture does it; then it steps over that
 * instruction and looks what has become of the place. Backwards `time` is behind the access, for the same reason. */
static void before_access(struct target *t, uint64_t time) {
  struct target_stop nobody;
  (void)history_go(t->history, t, time);
  (void)target_met(t, &nobody); /* watched places are as they were */
}

/* n instructions of warp w, one if something is watched. True: *stop says what stopped it. */
static bool step_warp(struct target *t, unsigned w, const struct heddle_standing *s, uint64_t n,
                      struct target_stop *stop) {
  uint64_t done = 0;
  const enum heddle_error status = heddle_model_step(t->own, w, n, &done);
  t->now += done;
  history_note(t->history, t, w, done);
  if (status != HEDDLE_SUCCESS) {
    struct heddle_standing now;
    *stop = fault(t, status, w, heddle_warp_standing(t->m, w, &now) ? now.active : s->active);
    return true;
  }
  *stop = stop_at(t, TARGET_WATCH, w, s->active & target_lanes(t, w));
  if (t->watches > 0 && target_met(t, stop)) {
    before_access(t, t->now - 1);
    return true;
  }
  if (!heddle_grid_done(t->m)) return false;
  *stop = end_model(t);
  return true;
}

static bool is_interrupted(const struct target *t, uint64_t *count, struct target_stop *stop) {
  if (++*count % LOOK_UP != 0 || !t->interrupted || !t->interrupted(t->ctx)) return false;
  unsigned w, lane;
  *stop = (struct target_stop){.why = TARGET_INTERRUPTED,
                               .thread = target_find(t, t->focus, &w, &lane) ? t->focus : target_first(t)};
  return true;
}

static struct target_stop deadlock(struct target *t) {
  snprintf(t->fault, sizeof t->fault, "deadlock: no warp can go on; all wait at barriers");
  return (struct target_stop){.why = TARGET_FAULT, .thread = target_first(t)};
}

struct target_stop target_continue(struct target *t) {
  struct target_stop stop;
  struct heddle_standing s;
  unsigned w;
  uint64_t left, count = 0;
  while (!is_interrupted(t, &count, &stop)) {
    if (!next_warp(t, &w, &left, &s)) return deadlock(t);
    const uint32_t stops = target_breaks(t, w, s.pc, s.active);
    if (stops != 0) return stop_break(t, w, stops);
    const uint64_t room = history_room(t->history, t), free = left < room ? left : room;
    if (step_warp(t, w, &s, t->breaks == 0 && t->watches == 0 ? free : 1, &stop)) return stop;
  }
  return stop;
}

/* Those that are where the lane is. */
static uint32_t path_lanes(const struct target *t, unsigned w, unsigned lane) {
  struct heddle_path path[HEDDLE_LANES];
  const unsigned n = heddle_warp_paths(t->m, w, path);
  for (unsigned i = 0; i < n; i++)
    if ((path[i].lanes >> lane & 1) != 0) return path[i].lanes;
  return 0;
}

/* One instruction of every other warp. */
static bool run_others(struct target *t, unsigned but, bool *moved, struct target_stop *stop) {
  struct heddle_standing s;
  for (unsigned w = 0; w < t->slots; w++) {
    if (w == but || !can_go(t, w, &s)) continue;
    const uint32_t stops = target_breaks(t, w, s.pc, s.active);
    if (stops != 0) {
      *stop = stop_break(t, w, stops);
      return true;
    }
    if (step_warp(t, w, &s, 1, stop)) return true;
    *moved = true;
  }
  return false;
}

/* One instruction of the thread's warp, which may be of another path. *done: it was the thread's. */
static bool run_own(struct target *t, unsigned w, unsigned lane, bool *moved, bool *done, struct target_stop *stop) {
  struct heddle_standing s;
  *done = false;
  if (!can_go(t, w, &s)) return false;
  *done = (s.active >> lane & 1) != 0;
  const uint32_t stops = *done ? 0 : target_breaks(t, w, s.pc, s.active);
  if (stops != 0) {
    *stop = stop_break(t, w, stops);
    return true;
  }
  *moved = true;
  return step_warp(t, w, &s, 1, stop);
}

/* Behind an instruction of the thread: where it is now, out of [first, last) or at a breakpoint of its path? That is
 * told of the thread itself, if it stops there, or if others are not to go on. */
static bool step_ends(struct target *t, uint64_t thread, bool others, uint64_t first, uint64_t last,
                      struct target_stop *stop) {
  unsigned w, lane;
  struct heddle_standing s;
  *stop = (struct target_stop){.thread = thread};
  if (!target_find(t, thread, &w, &lane) || !heddle_warp_standing(t->m, w, &s)) return true;
  const uint32_t pc = target_pc(t, w, lane), own = UINT32_C(1) << lane;
  const uint32_t stops = s.waiting ? 0 : target_breaks(t, w, pc, path_lanes(t, w, lane));
  if ((stops & own) != 0) {
    t->others = (struct target_others){.slot = w, .lanes = stops & ~own};
    stop->why = TARGET_BREAK;
    return true;
  }
  if (stops == 0 || !others) return pc < first || pc >= last;
  *stop = stop_break(t, w, stops);
  return true;
}

struct target_stop target_step(struct target *t, uint64_t thread, bool others, uint64_t first, uint64_t last) {
  struct target_stop stop = {.why = TARGET_STEPPED, .thread = thread};
  uint64_t count = 0, turn = 0;
  unsigned w, lane;
  while (!is_interrupted(t, &count, &stop)) {
    bool moved = false, done;
    if (!target_find(t, thread, &w, &lane)) return (struct target_stop){.thread = target_first(t)};
    if (run_own(t, w, lane, &moved, &done, &stop)) return stop;
    if (!moved && !others) {
      snprintf(t->fault, sizeof t->fault, "thread %" PRIu64 " waits at a barrier for warps that are not to go on",
               thread);
      return (struct target_stop){.why = TARGET_STUCK, .thread = thread};
    }
    const bool theirs = others && (!moved || ++turn % HISTORY_TURN == 0);
    if (theirs && run_others(t, w, &moved, &stop)) return stop;
    if (!moved) return deadlock(t);
    if (done && step_ends(t, thread, others, first, last, &stop)) return stop;
  }
  return stop;
}

/* ---- backwards ---- */

struct back {
  uint64_t thread;
  bool step;
  struct target_stop stop; /* of the last hit */
};

static bool back_before(struct target *t, unsigned w, void *ctx) {
  struct back *b = ctx;
  struct heddle_standing s;
  if (!can_go(t, w, &s)) return false;
  if (b->step) {
    const uint64_t first = target_thread(t, w, 0);
    const bool own =
        b->thread >= first && b->thread - first < HEDDLE_LANES && (s.active >> (b->thread - first) & 1) != 0;
    if (own) b->stop = (struct target_stop){.thread = b->thread};
    return own;
  }
  const uint32_t stops = target_breaks(t, w, s.pc, s.active);
  if (stops == 0) return false;
  b->stop = stop_break(t, w, stops);
  return true;
}

static bool back_after(struct target *t, unsigned w, void *ctx) {
  struct back *b = ctx;
  struct heddle_standing s;
  const bool lives = heddle_warp_standing(t->m, w, &s);
  struct target_stop stop = stop_at(t, TARGET_WATCH, w, lives ? s.active : 0);
  if (b->step || t->watches == 0 || !target_met(t, &stop)) return false;
  b->stop = stop;
  return true;
}

static void back_begin(struct target *t, void *ctx) {
  struct target_stop nobody;
  (void)ctx;
  (void)target_met(t, &nobody);
}

struct target_stop target_back(struct target *t, uint64_t thread, bool step) {
  struct back b = {.thread = thread, .step = step};
  const struct history_look look = {back_before, back_after, back_begin, &b};
  uint64_t time = 0;
  const bool found = history_last(t->history, t, &look, &time);
  if (!found) {
    b.stop = (struct target_stop){.why = TARGET_BEGINNING};
    time = history_beginning(t->history);
  }
  if (b.stop.why == TARGET_WATCH) {
    before_access(t, time + 1);
    return b.stop;
  }
  if (!history_go(t->history, t, time)) {
    snprintf(t->fault, sizeof t->fault, "the state of a moment before cannot be restored");
    return (struct target_stop){.why = TARGET_FAULT, .thread = target_first(t)};
  }
  back_begin(t, NULL); /* watched places are as they were */
  unsigned w, lane;
  if (!target_find(t, b.stop.thread, &w, &lane)) b.stop.thread = target_first(t);
  return b.stop;
}
