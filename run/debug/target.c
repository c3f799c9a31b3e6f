/* SPDX-License-Identifier: Apache-2.0
 * Threads and memory of a launch on the model. */
#include "target.h"

#include <stdio.h>
#include <string.h>

#include "run/debug/history.h"

bool target_begin(struct target *t, struct heddle_model *m, const struct job *job, unsigned slots, char *err,
                  size_t n) {
  memset(t, 0, sizeof *t);
  t->m = t->own = m;
  t->job = job;
  t->slots = slots;
  if (heddle_model_begin(m) != HEDDLE_OK) {
    snprintf(err, n, "%s", heddle_model_diag(m));
    return false;
  }
  t->history = history_new(t);
  if (!t->history) snprintf(err, n, "out of memory");
  return t->history != NULL;
}

void target_freeze(struct target *t, const struct heddle_model *m, const struct job *job, unsigned slots) {
  memset(t, 0, sizeof *t);
  t->m = m;
  t->job = job;
  t->slots = slots;
}

void target_end(struct target *t) {
  history_free(t->history);
  t->history = NULL;
}

/* ---- threads ---- */

static uint64_t block_threads(const struct target *t) {
  const uint32_t *b = t->job->launch.block;
  return (uint64_t)b[0] * b[1] * b[2];
}

static uint64_t first_thread(const struct target *t, const struct heddle_standing *s) {
  const uint32_t *g = t->job->launch.grid;
  const uint64_t block = s->ctaid[0] + g[0] * (s->ctaid[1] + (uint64_t)g[1] * s->ctaid[2]);
  return 1 + block * block_threads(t) + (uint64_t)s->index * HEDDLE_LANES;
}

uint64_t target_thread(const struct target *t, unsigned slot, unsigned lane) {
  struct heddle_standing s;
  return heddle_warp_standing(t->m, slot, &s) ? first_thread(t, &s) + lane : 0;
}

uint32_t target_lanes(const struct target *t, unsigned slot) {
  struct heddle_standing s;
  return heddle_warp_standing(t->m, slot, &s) && !s.ended ? ~s.exited : 0;
}

bool target_find(const struct target *t, uint64_t thread, unsigned *slot, unsigned *lane) {
  for (unsigned w = 0; w < t->slots; w++) {
    struct heddle_standing s;
    if (!heddle_warp_standing(t->m, w, &s) || s.ended) continue;
    const uint64_t first = first_thread(t, &s);
    if (thread < first || thread - first >= HEDDLE_LANES || (s.exited >> (thread - first) & 1) != 0) continue;
    *slot = w;
    *lane = (unsigned)(thread - first);
    return true;
  }
  return false;
}

uint64_t target_first(const struct target *t) {
  uint64_t first = 0;
  for (unsigned w = 0; w < t->slots; w++) {
    const uint32_t lanes = target_lanes(t, w);
    const uint64_t thread = lanes != 0 ? target_thread(t, w, (unsigned)__builtin_ctz(lanes)) : 0;
    if (thread != 0 && (first == 0 || thread < first)) first = thread;
  }
  return first;
}

uint32_t target_pc(const struct target *t, unsigned slot, unsigned lane) {
  struct heddle_standing s;
  struct heddle_path path[HEDDLE_LANES];
  const unsigned n = heddle_warp_paths(t->m, slot, path);
  if (heddle_warp_standing(t->m, slot, &s) && s.waiting) return s.bar_pc;
  for (unsigned i = 0; i < n; i++)
    if ((path[i].lanes >> lane & 1) != 0) return path[i].pc;
  return 0;
}

uint32_t target_told_pc(const struct target *t, unsigned slot, unsigned lane) {
  const struct heddle_program *p = t->job->program;
  uint32_t pc = target_pc(t, slot, lane);
  if (t->others.stepped == 0 || target_thread(t, slot, lane) != t->others.stepped) return pc;
  for (bool taken = true; taken && heddle_program_next(p, pc) < p->code_bytes;) {
    pc = heddle_program_next(p, pc);
    taken = false;
    for (unsigned i = 0; i < t->breaks; i++) taken = taken || t->brk[i].pc == pc;
  }
  return pc;
}

const char *target_name(const struct target *t, unsigned slot, unsigned lane, char *text, size_t n) {
  struct heddle_standing s;
  if (!heddle_warp_standing(t->m, slot, &s)) return "";
  snprintf(text, n, "block (%u,%u,%u) warp %u lane %u", s.ctaid[0], s.ctaid[1], s.ctaid[2], s.index, lane);
  return text;
}

/* ---- memory ---- */

struct place {
  unsigned space;
  uint64_t at;
};

static bool split_address(uint64_t address, struct place *p) {
  static const int spaces[] = {ISA_SPACE_GLOBAL, ISA_SPACE_SHARED, ISA_SPACE_LOCAL, -1, ISA_SPACE_CONST};
  const unsigned window = (unsigned)(address >> 56);
  if (window >= sizeof spaces / sizeof *spaces || spaces[window] < 0) return false;
  *p = (struct place){(unsigned)spaces[window], address & 0x00ffffffffffffff};
  return true;
}

/* What the names say of the thread: read only. */
static size_t look_names(const struct target *t, unsigned slot, unsigned lane, uint64_t at, uint8_t *out, size_t n) {
  uint8_t all[TARGET_NAMES_COUNT * TARGET_NAMES_STEP] = {0};
  if (at >= sizeof all) return 0;
  if (n > sizeof all - at) n = sizeof all - (size_t)at;
  for (unsigned i = 0; i < TARGET_NAMES_COUNT; i++)
    if (!target_place(t, slot, lane, i, all + (size_t)i * TARGET_NAMES_STEP)) return 0;
  memcpy(out, all + at, n);
  return n;
}

size_t target_look(const struct target *t, unsigned slot, unsigned lane, uint64_t address, uint8_t *out, size_t n) {
  const struct heddle_program *p = t->job->program;
  struct place at;
  if (address >> 56 == TARGET_NAMES >> 56) return look_names(t, slot, lane, address - TARGET_NAMES, out, n);
  if (!split_address(address, &at)) return 0;
  if (heddle_look(t->m, slot, lane, at.space, at.at, out, n)) return n;
  size_t done = 0;
  while (done < n && heddle_look(t->m, slot, lane, at.space, at.at + done, out + done, 1)) done++;
  for (; done < n && address < p->code_bytes && address + done < p->code_bytes; done++)
    out[done] = p->code[address + done]; /* global memory begins behind what code there can be */
  return done;
}

bool target_put(struct target *t, unsigned slot, unsigned lane, uint64_t address, const uint8_t *in, size_t n) {
  struct place at;
  if (!t->own || !split_address(address, &at) || !heddle_put(t->own, slot, lane, at.space, at.at, in, n)) return false;
  history_changed(t->history, t);
  return true;
}
