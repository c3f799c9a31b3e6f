/* SPDX-License-Identifier: Apache-2.0
 * What instructions do to masks and paths, by the rules of isa/doc/03-divergence.md. */
#include "lab/study/divergence/unit.h"

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

bool unit_flow(struct unit *u, const struct code_word *w, uint32_t exec) {
  if (!moves(w)) return carry_out_word(u, w, exec);
  if (u->turn < TURN) u->turn++;
  if (!carry_out_word(u, w, exec)) return false;
  const bool over = u->turn == TURN || w->kind == CODE_YIELD || w->kind == CODE_SLEEP;
  if (!u->its || !over || u->waiting == 0) return true;
  push_path(u, u->active.mask, u->active.word, u->active.cause);
  take_path(u);
  return true;
}
