/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: straight code. Most instructions of most programs are row operations under PT that read single
 * registers or constants and write one register. Runs of them go through a loop of their own, over a record of one
 * cache line each; program counter, sequence number, budget and definedness are settled once a run.
 */
#ifndef HEDDLE_CORE_STRAIGHT_H
#define HEDDLE_CORE_STRAIGHT_H

#include "cmodel/core/execute.h"

struct straight {
  sem_fn *fn;
  const struct sem_par *par;
  uintptr_t source[3]; /* address of the row; in the warp: its offset there */
  uint8_t in_warp[3];
  uint16_t row[3]; /* rows that must be defined */
  uint16_t rd;
  uint16_t length;    /* how many of these follow each other from here on; 0: not one of them */
  uint16_t ins, outs; /* head of a run: rows that it reads before it writes them, rows that it writes */
  uint32_t list;      /* head of a run: where those stand in heddle_model.run_rows, ins first; else 0 */
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

static inline const uint32_t *straight_source(const struct warp *w, const struct straight *s, unsigned k) {
  return (const uint32_t *)(s->source[k] + (s->in_warp[k] != 0 ? (uintptr_t)w : 0));
}

static inline void straight_step(struct warp *w, const struct straight *s, struct sem_io *io) {
  s->fn(w->row[s->rd], straight_source(w, s, 0), straight_source(w, s, 1), straight_source(w, s, 2), io, s->par);
}

/* Is all defined that a run reads? */
static inline bool straight_ready(const struct heddle_model *m, const struct warp *w, const struct straight *head) {
  const uint16_t *row = m->run_rows + head->list;
  uint32_t defined = ALL_LANES;
  for (unsigned i = 0; i < head->ins; i++) defined &= w->defined[row[i]];
  return (w->active & ~defined) == 0;
}

/* At most n instructions for the active lanes, each checked; how many were done. It ends before one that reads
 * something undefined, which the general path then tells. */
static inline unsigned straight_checked(struct warp *w, const struct straight *s, unsigned n, struct sem_io *io) {
  for (unsigned i = 0; i < n; i++, s++) {
    const uint32_t defined = w->defined[s->row[0]] & w->defined[s->row[1]] & w->defined[s->row[2]];
    if (__builtin_expect((io->exec & ~defined) != 0, 0)) return i;
    straight_step(w, s, io);
    w->defined[s->rd] |= io->exec;
  }
  return n;
}

static inline unsigned straight_run(const struct heddle_model *m, struct warp *w, const struct straight *s, unsigned n,
                                    struct sem_io *io) {
  io->exec = w->active;
  io->on = on_row(w, io->exec);
  if (s->list == 0 || n < s->length || !straight_ready(m, w, s)) return straight_checked(w, s, n, io);
  for (unsigned i = 0; i < n; i++) straight_step(w, s + i, io);
  const uint16_t *out = m->run_rows + s->list + s->ins;
  for (unsigned i = 0; i < s->outs; i++) w->defined[out[i]] |= io->exec;
  return n;
}

#endif
