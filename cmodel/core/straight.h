/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: straight code: row operations, loads, stores and atomics, which change no mask and end no turn.
 * Runs of them go through a loop of their own, over a record of one cache line each; program counter, sequence number,
 * budget and definedness are settled once a run. Most instructions of most programs are plain ones: under PT,
 * registers or constants as they are, no predicates. These are a call, and nothing else.
 */
#ifndef HEDDLE_CORE_STRAIGHT_H
#define HEDDLE_CORE_STRAIGHT_H

#include "cmodel/core/execute.h"

/* ROW_LOAD, ROW_STORE: unless the lanes are side by side in shared or global memory, as OTHER. */
enum straight_kind { STRAIGHT_PLAIN, STRAIGHT_LOAD, STRAIGHT_STORE, STRAIGHT_OTHER };

struct straight {
  alignas(64) const struct dop *op;
  union {
    sem_fn *fn;
    sem_load_row *load;
    sem_store_row *store;
  };
  uintptr_t source[3]; /* address of the row; in the warp: its offset there. Operands; of a load or store the address,
                        * what is stored, the upper word of the address, or NULL */
  int8_t in_warp[3];   /* -1: in the warp; else 0 */
  uint8_t kind;        /* enum straight_kind */
  uint32_t result;     /* offset of the result's first row in the warp */
  uint16_t length;     /* how many of these follow each other from here on; 0: not one of them */
  uint16_t ins, outs;  /* head of a run: what it reads before it writes it; what all but OTHER write */
  uint32_t list;       /* head of a run: its place in heddle_model.run_rows, ins first; else 0 */
};

/* After every instruction has been decoded. False: no memory. */
bool straight_decode(struct heddle_model *m);

/* The instruction of op `i`; the op of instruction `k`, behind the last one m->ops. */
static inline uint32_t line_at(const struct heddle_model *m, uint32_t i) {
  return ISA_STEP == ISA_WORD_BYTES ? i : m->line[i];
}
static inline uint32_t place_of(const struct heddle_model *m, uint32_t k) {
  return ISA_STEP == ISA_WORD_BYTES ? k : m->place[k];
}

/* Bytes that `done` instructions from `k` on take. */
static inline uint32_t straight_bytes(const struct heddle_model *m, uint32_t k, unsigned done) {
  return ISA_STEP == ISA_WORD_BYTES ? done * ISA_WORD_BYTES : (place_of(m, k + done) - place_of(m, k)) * ISA_STEP;
}

/* `n` instructions from `k` on have issued. In between there is none that has not if the first and the last have. */
static inline void note_issued(struct heddle_model *m, uint32_t k, uint32_t n) {
  uint8_t *at = m->issued + k;
  if (__atomic_load_n(at, __ATOMIC_RELAXED) & __atomic_load_n(at + n - 1, __ATOMIC_RELAXED)) return;
  for (uint32_t i = 0; i < n; i++) __atomic_store_n(at + i, 1, __ATOMIC_RELAXED);
}

/* Instructions that are not plain. False: nothing has happened, and the general path goes on. */
bool straight_other(struct heddle_model *m, struct warp *w, const struct straight *s, struct sem_io *io);
/* Writes of the first n instructions of a run, for the active lanes. */
void straight_settle(struct warp *w, const struct straight *s, unsigned n);
/* Writes of the whole run. */
void straight_end(const struct heddle_model *m, struct warp *w, const struct straight *s);

static inline const uint32_t *straight_source(const struct warp *w, const struct straight *s, unsigned k) {
  return (const uint32_t *)(s->source[k] + ((uintptr_t)w & (uintptr_t)(intptr_t)s->in_warp[k]));
}

static inline uint32_t *straight_result(struct warp *w, const struct straight *s) {
  return (uint32_t *)((uintptr_t)w + s->result);
}

static inline void straight_plain(struct warp *w, const struct straight *s, struct sem_io *io) {
  s->fn(straight_result(w, s), straight_source(w, s, 0), straight_source(w, s, 1), straight_source(w, s, 2), io,
        &s->op->par);
}

/* The active lanes execute. */
static inline void straight_lanes(struct warp *w, struct sem_io *io) {
  io->exec = w->active;
  io->on = on_row(w, w->active);
}

/* One instruction, which reads nothing undefined. */
static inline bool straight_step(struct heddle_model *m, struct warp *w, const struct straight *s, struct sem_io *io) {
  if (__builtin_expect(s->kind == STRAIGHT_PLAIN, 1)) {
    straight_plain(w, s, io);
    return true;
  }
  const bool done = straight_other(m, w, s, io);
  straight_lanes(w, io);
  return done;
}

static inline bool straight_settled(const struct warp *w, const struct straight *head) {
  const unsigned k = head->list % SETTLED;
  return w->settled[k].run == head->list && (w->active & ~w->settled[k].lanes) == 0;
}

/* Is all defined that a run reads? */
static inline bool straight_ready(const struct heddle_model *m, const struct warp *w, const struct straight *head) {
  if (straight_settled(w, head)) return true;
  const uint16_t *in = m->run_rows + head->list;
  uint32_t defined = ALL_LANES;
  for (unsigned i = 0; i < head->ins; i++) defined &= w->all_defined[in[i]];
  return (w->active & ~defined) == 0;
}

/* At most n instructions, each checked; returns their number. It ends before one that reads something undefined,
 * which the general path then reports. */
static inline unsigned straight_checked(struct heddle_model *m, struct warp *w, const struct straight *s, unsigned n,
                                        struct sem_io *io) {
  for (unsigned i = 0; i < n; i++) {
    const struct dop *op = s[i].op;
    const uint32_t lost = issue_lanes(w, op) & ~w->pred_defined[op->guard];
    if (lost != 0 || !sources_defined(w, op, guard_lanes(w, op)) || !straight_step(m, w, s + i, io)) return i;
    straight_settle(w, s + i, 1);
  }
  return n;
}

static inline unsigned straight_run(struct heddle_model *m, struct warp *w, const struct straight *s, unsigned n,
                                    struct sem_io *io) {
  unsigned done = 0;
  straight_lanes(w, io);
  if (s->list == 0 || !straight_ready(m, w, s)) return straight_checked(m, w, s, n, io);
  while (done < n && straight_step(m, w, s + done, io)) done++;
  if (__builtin_expect(done < s->length, 0)) {
    straight_settle(w, s, done);
    return done;
  }
  if (!straight_settled(w, s)) straight_end(m, w, s);
  return done;
}

#endif
