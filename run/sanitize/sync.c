/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers and masks: who does not come. Most of it stops the model by itself, in a trap or a deadlock; what is told
 * here is who was expected, and where those are. */
#include "run/sanitize/checks.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "run/job/job.h"

#define BARRIER_W 16u

struct slot {
  uint32_t pc;    /* of its last BAR, or WARPSYNC */
  uint32_t whole; /* lanes that it began with */
  uint32_t live;  /* WARPSYNC: lanes that lived when the first came */
  uint32_t mask;
  uint32_t came; /* lanes that have come to it */
  /* Its last access, if that looked whether a phase of an mbarrier is over: else no lanes. */
  uint32_t look_pc, look_lanes;
  uint64_t look_addr;
};

struct sync {
  struct findings *to;
  const struct heddle_model *model;
  unsigned slots;
  struct slot slot[];
};

struct sync *sync_new(struct findings *to, const struct heddle_model *m, unsigned slots) {
  struct sync *s = calloc(1, sizeof *s + slots * sizeof *s->slot);
  if (!s) return NULL;
  s->to = to;
  s->model = m;
  s->slots = slots;
  return s;
}

void sync_free(struct sync *s) {
  free(s);
}

/* ---- findings */

static struct finding *add_missing(struct sync *s, uint32_t pc, uint32_t other, const char *does,
                                   const uint32_t ctaid[3], uint32_t warp, uint32_t lanes) {
  bool is_new;
  struct finding *x = findings_add(s->to, SANITIZE_SYNC, pc, other, &is_new);
  if (!x || !is_new) return NULL;
  for (unsigned k = 0; k < 2; k++) {
    x->at[k].does = does;
    x->at[k].warp = warp;
    x->at[k].lanes = lanes;
    memcpy(x->at[k].ctaid, ctaid, sizeof x->at[k].ctaid);
  }
  return x;
}

/* Is it of a language in which a barrier is one place in the source? Headers are of what includes them. */
static bool is_c(const struct sync *s) {
  const struct heddle_program *p = s->to->job->program;
  for (uint32_t k = 0; k < p->sources; k++) {
    const char *dot = strrchr(p->source[k], '.');
    if (dot && (strcmp(dot, ".cl") == 0 || strcmp(dot, ".cu") == 0)) return true;
  }
  return false;
}

/* ---- barriers that were complete */

static bool same_line(const struct sync *s, uint32_t a, uint32_t b) {
  const char *file[2];
  unsigned line[2];
  const struct heddle_program *p = s->to->job->program;
  if (!heddle_program_line(p, a, &file[0], &line[0]) || !heddle_program_line(p, b, &file[1], &line[1])) return true;
  return strcmp(file[0], file[1]) == 0 && line[0] == line[1];
}

/* Both C languages want all threads at one barrier of the source. */
static void different_places(struct sync *s, const struct heddle_event *e) {
  const unsigned first = (unsigned)__builtin_ctz(e->waiting);
  const uint32_t pc = s->slot[e->slots[first]].pc;
  for (uint32_t rest = e->waiting; rest != 0; rest &= rest - 1) {
    const unsigned w = (unsigned)__builtin_ctz(rest);
    const uint32_t other = s->slot[e->slots[w]].pc;
    if (same_line(s, pc, other)) continue;
    struct finding *x = add_missing(s, pc, other, "barrier", e->by.ctaid, first, s->slot[e->slots[first]].whole);
    if (!x) continue;
    x->places = 2;
    x->at[1].warp = w;
    x->at[1].lanes = s->slot[e->slots[w]].whole;
    snprintf(x->what, sizeof x->what, "warps of one block meet at different barriers");
  }
}

/* Both C languages want all threads, whatever the machine waits for. */
static void ended_before(struct sync *s, const struct heddle_event *e) {
  for (uint32_t k = 0; k < e->warps; k++) {
    const struct slot *w = &s->slot[e->slots[k]];
    struct heddle_standing st;
    if (!heddle_warp_standing(s->model, e->slots[k], &st)) continue;
    const uint32_t gone = st.exited & w->whole;
    const uint32_t pc = s->slot[e->slots[__builtin_ctz(e->waiting)]].pc;
    if (gone == 0) continue;
    struct finding *x = add_missing(s, pc, pc, "barrier", e->by.ctaid, k, gone);
    if (!x) continue;
    snprintf(x->what, sizeof x->what, "these threads of the block have ended and do not come to it");
    snprintf(x->more, sizeof x->more,
             "this machine lets the others pass; the language leaves it undefined: leave behind the barrier, or put it "
             "where all threads come");
  }
}

static void released(struct sync *s, const struct heddle_event *e) {
  if (e->waiting == 0 || e->count != 0) return; /* a part of the block, by number: the program's own affair */
  if (!is_c(s)) return;
  different_places(s, e);
  ended_before(s, e);
}

/* ---- WARPSYNC */

static void came(struct sync *s, const struct heddle_event *e) {
  struct slot *w = &s->slot[e->by.slot];
  w->pc = e->by.pc;
  if (e->dec->op != ISA_OP_WARPSYNC) return;
  if (w->came == 0) w->live = e->live;
  w->came |= e->by.lanes;
  w->mask = e->mask;
}

/* Lanes of the mask lived when the first came, and ended instead of coming. */
static void went_on(struct sync *s, const struct heddle_event *e) {
  struct slot *w = &s->slot[e->by.slot];
  const uint32_t never = w->mask & w->live & ~w->came;
  w->came = 0;
  if (never == 0) return;
  struct finding *x = add_missing(s, w->pc, w->pc, "warp sync", e->by.ctaid, e->by.warp, e->by.lanes);
  if (x)
    snprintf(x->what, sizeof x->what, "its mask 0x%08x names lanes 0x%08x, which end without coming to it", w->mask,
             never);
}

void sync_event(struct sync *s, const struct heddle_event *e) {
  switch (e->kind) {
  case HEDDLE_EVENT_BLOCK:
    for (uint32_t k = 0; k < e->warps; k++) {
      struct heddle_standing st;
      const bool lives = heddle_warp_standing(s->model, e->slots[k], &st);
      s->slot[e->slots[k]] = (struct slot){.whole = lives ? ~st.exited : 0};
    }
    break;
  case HEDDLE_EVENT_CONTROL:
    if (e->dec->op == ISA_OP_WARPSYNC || e->dec->op == ISA_OP_BAR_SYNC || e->dec->op == ISA_OP_BAR_RED ||
        e->dec->op == ISA_OP_BAR_RED_POPC)
      came(s, e);
    break;
  case HEDDLE_EVENT_RELEASE:
    released(s, e);
    break;
  case HEDDLE_EVENT_RECONVERGED:
    went_on(s, e);
    break;
  default:
    break;
  }
}

void sync_access(struct sync *s, const struct heddle_observed_access *a) {
  struct slot *w = &s->slot[a->by.slot];
  const bool looks = heddle_program_order(s->to->job->program, a->by.pc) == HEDDLE_ORDER_WAIT && a->by.lanes != 0;
  w->look_pc = a->by.pc;
  w->look_lanes = looks ? a->by.lanes : 0;
  w->look_addr = looks ? a->addr[__builtin_ctz(a->by.lanes)] & UINT32_MAX : 0;
}

/* ---- how it ended */

static bool find_warp(const struct sync *s, const uint32_t ctaid[3], uint32_t warp, struct heddle_standing *st,
                      unsigned *slot) {
  for (*slot = 0; *slot < s->slots; ++*slot)
    if (heddle_warp_standing(s->model, *slot, st) && st->index == warp &&
        memcmp(st->ctaid, ctaid, sizeof st->ctaid) == 0)
      return true;
  return false;
}

/* Lanes of the warp that stand elsewhere: at a barrier of their own, or before their turn. */
static bool stand_elsewhere(const struct heddle_standing *st, uint32_t *pc, uint32_t *lanes) {
  *pc = st->path_pc;
  *lanes = st->path_lanes;
  for (unsigned x = 0; x <= BARRIER_W && *lanes == 0; x++) {
    *pc = st->park_pc[x];
    *lanes = st->parked[x];
  }
  return *lanes != 0;
}

static void say_elsewhere(struct finding *x, const struct heddle_standing *st) {
  uint32_t pc, lanes;
  if (!stand_elsewhere(st, &pc, &lanes) || pc == x->at[0].pc) return;
  x->places = 2;
  x->at[1].pc = pc;
  x->at[1].does = "elsewhere";
  x->at[1].lanes = lanes;
}

static void trapped(struct sync *s) {
  const struct heddle_trap *t = heddle_model_trap(s->model);
  struct heddle_standing st;
  unsigned slot;
  const bool stands = find_warp(s, t->ctaid, t->warp_in_block, &st, &slot);
  struct finding *x;
  if (t->cause != HEDDLE_TRAP_BARRIER && t->cause != HEDDLE_TRAP_DIVERGENCE && t->cause != HEDDLE_TRAP_DEADLOCK) return;
  if (!stands || !(x = add_missing(s, t->pc, t->pc, "barrier", t->ctaid, t->warp_in_block, t->lanes))) return;
  const uint32_t elsewhere = ~st.exited & ~st.active;
  if (t->cause == HEDDLE_TRAP_BARRIER && elsewhere != 0) {
    snprintf(x->what, sizeof x->what, "reached by lanes 0x%08x of the warp without lanes 0x%08x, which are elsewhere",
             st.active, elsewhere);
    say_elsewhere(x, &st);
  } else if (t->cause == HEDDLE_TRAP_BARRIER) {
    snprintf(x->what, sizeof x->what, "its number of threads does not fit the block, or what others came with");
  } else if (t->cause == HEDDLE_TRAP_DIVERGENCE) {
    const struct slot *w = &s->slot[slot];
    x->at[0].does = x->at[1].does = "warp sync";
    snprintf(x->what, sizeof x->what,
             "executed by lanes 0x%08x that its mask 0x%08x does not name, or that another waits for", t->lanes,
             w->mask);
  } else {
    x->at[0].does = "end";
    snprintf(x->what, sizeof x->what, "all lanes 0x%08x of the warp wait for each other", t->lanes);
    say_elsewhere(x, &st);
  }
}

/* Whoever of the block has not come to the barrier. */
static void say_missing(struct sync *s, const struct heddle_standing *st, struct finding *x) {
  for (unsigned k = 0; k < s->slots; k++) {
    struct heddle_standing other;
    if (!heddle_warp_standing(s->model, k, &other) || memcmp(other.ctaid, st->ctaid, sizeof st->ctaid) != 0) continue;
    if ((st->bar_here >> other.index & 1) != 0 || other.ended) continue;
    x->places = 2;
    x->at[1] = (struct finding_place){.does = other.waiting ? "waits" : "runs",
                                      .pc = other.waiting ? other.bar_pc : other.pc,
                                      .warp = other.index,
                                      .lanes = other.active};
    memcpy(x->at[1].ctaid, other.ctaid, sizeof other.ctaid);
    return;
  }
}

/* A warp that asks again and again whether a phase is over, while some of its lanes may stand at `pc`. */
static void spins(struct sync *s, const struct slot *w, const struct heddle_standing *st, uint32_t pc, uint32_t lanes) {
  struct finding *x = add_missing(s, w->look_pc, w->look_pc, "waits", st->ctaid, st->index, w->look_lanes);
  if (!x) return;
  if (lanes != 0) {
    x->places = 2;
    x->at[1].pc = pc;
    x->at[1].does = "elsewhere";
    x->at[1].lanes = lanes;
  }
  x->has_address = true;
  x->address = w->look_addr;
  x->space = "shared";
  snprintf(x->what, sizeof x->what, "the phase of an mbarrier never ends");
  snprintf(x->more, sizeof x->more,
           "its count is larger than the arrivals that come, bytes are expected that do not come, or the parity is of "
           "another phase");
}

static void deadlocked(struct sync *s) {
  for (unsigned k = 0; k < s->slots; k++) {
    struct heddle_standing st;
    uint32_t pc = 0, lanes = 0;
    if (!heddle_warp_standing(s->model, k, &st) || st.ended || st.bar_reached) continue;
    const bool parked = stand_elsewhere(&st, &pc, &lanes);
    const bool looks = !st.waiting && s->slot[k].look_lanes != 0;
    if (looks) spins(s, &s->slot[k], &st, pc, parked ? lanes : 0);
    if (looks || (!st.waiting && !parked)) continue;
    struct finding *x = add_missing(s, st.waiting ? st.bar_pc : pc, st.waiting ? st.bar_pc : st.pc, "waits", st.ctaid,
                                    st.index, st.waiting ? st.active : lanes);
    if (!x) continue;
    if (st.waiting) {
      snprintf(x->what, sizeof x->what, "barrier %u, where %d of %u warps have come, never completes", st.bar_id,
               __builtin_popcount(st.bar_here), st.bar_needs);
      say_missing(s, &st, x);
    } else {
      x->places = 2;
      x->at[1].does = "runs";
      x->at[1].lanes = st.active;
      snprintf(x->what, sizeof x->what, "lanes 0x%08x wait for lanes 0x%08x, which spin", lanes, st.active);
    }
  }
}

void sync_ended(struct sync *s, enum heddle_error end) {
  if (end == HEDDLE_ERROR_TRAPPED) trapped(s);
  if (end == HEDDLE_ERROR_LIMIT && strncmp(heddle_model_diag(s->model), "deadlock", 8) == 0) deadlocked(s);
}
