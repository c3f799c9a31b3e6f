/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the reader of records only: what it knows of each warp slot.
 */
#ifndef DIVERGENCE_READER_H
#define DIVERGENCE_READER_H

#include "lab/study/divergence/streams.h"

#define AT_ANY (UINT32_MAX - 1) /* where a lane stands behind an indirect jump: the next record says */
#define AT_END (UINT32_MAX - 2) /* it has exited */
#define KEPT 64u                /* issues of a warp of which operands may still be shown */

struct slot {
  bool live;
  uint8_t gen;
  bool issued;
  uint32_t seq;
  size_t block;
  unsigned warp;
  uint32_t at[LANES];               /* word at which each lane stands, or AT_ANY, AT_END */
  uint32_t exec[KEPT], shown[KEPT]; /* of the last issues: who executes; of whom operands were shown */
};

struct streams_reader {
  struct streams *s;
  unsigned beat; /* lanes of one */
  uint32_t block_threads, block_warps;
  struct slot slot[HEDDLE_RECORD_WARPS];
  uint64_t launches, records;
  const struct heddle_retire_record *now;
  char why[STREAMS_WHY];
};

/* Keeps why, behind where the reader is; returns false. */
bool reader_refuse(struct streams_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool reader_issue(struct streams_reader *r, const struct heddle_record_issue *i);
/* Operands of an issue were shown of all lanes that execute it, or of none. */
bool reader_operands_whole(struct streams_reader *r, unsigned slot, uint32_t seq);
bool reader_operands(struct streams_reader *r, const struct heddle_record_operands *o);

#endif
