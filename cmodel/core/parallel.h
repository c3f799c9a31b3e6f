/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: blocks on several threads.
 */
#ifndef HEDDLE_CORE_PARALLEL_H
#define HEDDLE_CORE_PARALLEL_H

#include <stdatomic.h>

#include "cmodel/core/state.h"

/* Where the workers of one run get their blocks. */
struct block_queue {
  uint64_t blocks;
  _Atomic uint64_t next;    /* number of the next block */
  atomic_bool stop;         /* a thread has failed: begin no more */
  uint8_t *memory, *before; /* global memory; its pages as they were */
  uint64_t bytes;
  _Atomic unsigned char *page; /* of each page: whether that is kept */
};

/* The whole grid on m->threads threads. False: it cannot or did not run that way; the model is as after the launch. */
bool parallel_run(struct heddle_model *m, uint64_t limit, uint64_t *retired);

/* Before a store to global memory, `place` bytes from its start. Outside of it: nothing. */
void parallel_keep(struct block_queue *q, uint64_t place, uint64_t bytes);

/* ---- run.c ---- */
/* Blocks of the grid, or of the queue, one after the other in the model's slots, until there are none. GOES_ON: some
 * are left, and from `pause` on a round of turns has ended. */
enum heddle_error run_blocks(struct heddle_model *m, uint64_t limit, uint64_t pause, uint64_t *retired);

#endif
