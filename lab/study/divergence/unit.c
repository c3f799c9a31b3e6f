/* SPDX-License-Identifier: Apache-2.0
 *
 * The two units on the streams of a warp, issue by issue.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "lab/study/divergence/streams.h"

#define BARRIERS 16u
#define MEET_W BARRIERS /* the one of WARPSYNC */
#define TURN 64u        /* its: so many instructions that move lanes are a turn */

struct path {
  uint32_t mask, word;
  uint32_t cause;   /* the branch that parted it from others, or CODE_NONE */
  uint32_t release; /* its: number of the release that it comes from; 0: from none */
};

struct unit {
  const struct code *code;
  const struct warp_stream *warp;
  struct branch *branch;
  struct replay_why *why;
  bool its;
  struct path active, wait[LANES + 1]; /* the last one is the top; its: the first is whose turn it is next */
  unsigned waiting, turn;
  uint32_t releases;
  bool compare;
  size_t seq; /* of the next issue */
  uint32_t exited, member[BARRIERS + 1], parked[BARRIERS + 1];
  uint32_t parked_at[LANES];       /* the word at which a lane is parked */
  uint32_t cause_at[BARRIERS + 1]; /* the cause of the path that ran its BSSY */
  size_t next[LANES];              /* entry of a lane's stream */
};

static bool unit_refuse(struct unit *u, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What instructions do to masks and paths, by the rules of isa/doc/03-divergence.md. */

static unsigned lowest(uint32_t mask) {
  return (unsigned)__builtin_ctz(mask);
}

static void push_path(struct unit *u, uint32_t mask, uint32_t word, uint32_t cause) {
  if (mask != 0) u->wait[u->waiting++] = (struct path){mask, word, cause, 0};
}

/* its: in which order the paths of one release wait is not fixed. The record says it; it may say no more than that. */
static unsigned front(const struct unit *u) {
  const uint32_t release = u->wait[0].release;
  if (!u->compare || release == 0 || u->seq >= u->warp->issues) return 0;
  for (unsigned k = 0; k < u->waiting && u->wait[k].release == release; k++)
    if (u->wait[k].mask == u->warp->issue[u->seq].active) return k;
  return 0;
}

/* The path whose turn it is: the top of the stack, or the front of the queue. */
static void take_path(struct unit *u) {
  unsigned k = u->its ? front(u) : u->waiting - 1;
  u->active = u->wait[k];
  u->turn = 0;
  for (u->waiting--; k < u->waiting; k++) u->wait[k] = u->wait[k + 1];
}

static bool pop(struct unit *u) {
  if (u->active.mask != 0) return true;
  if (u->waiting != 0) return take_path(u), true;
  return u->exited == UINT32_MAX || unit_refuse(u, "all lanes that live are parked");
}

/* Members that are parked at x go on, those of one place together. */
static void release_parked(struct unit *u, unsigned x) {
  uint32_t rest = u->parked[x] & u->member[x];
  u->parked[x] &= ~rest;
  u->member[x] &= ~rest;
  if (x == MEET_W && u->parked[x] == 0) u->member[x] = 0;
  u->releases++;
  while (rest != 0) {
    const uint32_t at = u->parked_at[lowest(rest)];
    uint32_t same = 0;
    for (uint32_t r = rest; r != 0; r &= r - 1)
      if (u->parked_at[lowest(r)] == at) same |= r & (0 - r);
    push_path(u, same, at + u->code->at[at].step, u->cause_at[x]);
    u->wait[u->waiting - 1].release = u->releases;
    rest &= ~same;
  }
}

static void check_release(struct unit *u, unsigned x) {
  const bool some = (u->parked[x] & u->member[x]) != 0;
  if (some && (u->member[x] & ~u->exited & ~u->parked[x]) == 0) release_parked(u, x);
}

/* Lanes `go` leave the active path for `word`, and run first; the others stay, at the next word or (`again`) here. */
static void part_lanes(struct unit *u, uint32_t exec, uint32_t go, uint32_t word) {
  const uint32_t here = u->active.word, passed = u->active.mask & ~exec, again = exec & ~go;
  const bool apart = (passed | again) != 0;
  const uint32_t cause = apart ? here : u->active.cause;
  push_path(u, passed, here + u->code->at[here].step, cause);
  push_path(u, again, here, cause);
  u->active = (struct path){go, word, cause, 0};
  if (u->branch == NULL || !apart) return;
  struct branch *b = &u->branch[here];
  b->diverged++;
  b->taken += (unsigned)__builtin_popcount(go);
  b->passed += (unsigned)__builtin_popcount(passed | again);
}

/* Lanes with another target than the lowest one's come again. */
static void indirect(struct unit *u, uint32_t exec) {
  uint32_t target = CODE_NONE, go = 0;
  for (uint32_t r = exec; r != 0; r &= r - 1) {
    const unsigned l = lowest(r);
    const struct thread_stream *t = &u->warp->t[l];
    const uint32_t to = u->next[l] < t->n ? stream_word(t->at[u->next[l]]) : CODE_NONE;
    if (go == 0) target = to;
    if (to == target) go |= 1u << l;
  }
  for (uint32_t r = exec & ~go; r != 0; r &= r - 1) u->next[lowest(r)]--;
  part_lanes(u, exec, go, target);
}

static bool park_lanes(struct unit *u, unsigned x, uint32_t exec) {
  const uint32_t here = u->active.word;
  if ((exec & ~u->member[x]) != 0) return unit_refuse(u, "lanes 0x%x are no members of the barrier", exec);
  for (uint32_t r = exec; r != 0; r &= r - 1) u->parked_at[lowest(r)] = here;
  u->parked[x] |= exec;
  u->active.mask &= ~exec;
  u->active.word += u->code->at[u->active.word].step;
  check_release(u, x);
  return pop(u);
}

static bool exit_lanes(struct unit *u, uint32_t exec) {
  u->exited |= exec;
  u->active.mask &= ~exec;
  u->active.word += u->code->at[u->active.word].step;
  for (unsigned x = 0; x <= BARRIERS; x++) check_release(u, x);
  return pop(u);
}

/* its: who is parked where all other members have exited, are parked or yield, goes on. */
static void yield(struct unit *u, uint32_t exec) {
  for (unsigned x = 0; x < BARRIERS && u->its; x++) {
    const uint32_t awaited = u->member[x] & ~u->exited & ~u->parked[x] & ~exec;
    if ((u->parked[x] & u->member[x]) != 0 && awaited == 0) release_parked(u, x);
  }
  u->active.word += u->code->at[u->active.word].step;
}

static bool carry_out_word(struct unit *u, const struct code_word *w, uint32_t exec) {
  switch ((enum code_kind)w->kind) {
  case CODE_BRANCH:
    return part_lanes(u, exec, exec, w->target), true;
  case CODE_INDIRECT:
    return indirect(u, exec), true;
  case CODE_EXIT:
    return exit_lanes(u, exec);
  case CODE_BSYNC:
    return park_lanes(u, w->x, exec);
  case CODE_WARPSYNC:
    u->member[MEET_W] = w->target;
    u->cause_at[MEET_W] = CODE_NONE;
    return park_lanes(u, MEET_W, exec);
  case CODE_YIELD:
    return yield(u, exec), true;
  case CODE_BREAK:
    u->member[w->x] &= ~exec;
    check_release(u, w->x);
    break;
  case CODE_BSSY:
    u->member[w->x] |= exec;
    u->cause_at[w->x] = u->active.cause;
    break;
  default:
    break;
  }
  u->active.word += u->code->at[u->active.word].step;
  return true;
}

/* Instructions that move lanes: those of which a turn has TURN. */
static bool moves(const struct code_word *w) {
  return w->kind != CODE_PLAIN && w->kind != CODE_BSSY && w->kind != CODE_BARRIER;
}

/* An instruction that some lane executes; lanes' streams stand behind it. */
static bool unit_flow(struct unit *u, const struct code_word *w, uint32_t exec) {
  if (!moves(w)) return carry_out_word(u, w, exec);
  if (u->turn < TURN) u->turn++;
  if (!carry_out_word(u, w, exec)) return false;
  const bool over = u->turn == TURN || w->kind == CODE_YIELD || w->kind == CODE_SLEEP;
  if (!u->its || !over || u->waiting == 0) return true;
  push_path(u, u->active.mask, u->active.word, u->active.cause);
  take_path(u);
  return true;
}

static bool unit_refuse(struct unit *u, const char *format, ...) {
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
