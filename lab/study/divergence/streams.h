/* SPDX-License-Identifier: Apache-2.0
 *
 * What each thread did, recovered from the records of a launch: the words that it came by, one after the other, and
 * whether it executed them (its guard). The records are judged on the way: a mask with a lane that cannot be there is
 * refused, and so is one that lacks a lane which must be.
 */
#ifndef DIVERGENCE_STREAMS_H
#define DIVERGENCE_STREAMS_H

#include "lab/study/divergence/code.h"
#include <heddle/record.h>
#include <heddle/trace.h>

#define LANES 32u

/* One issue, as it was recorded. */
struct issue {
  uint32_t word, active;
};

/* Each entry is a word, shifted by one, and in bit 0 whether the thread executed it. An indirect jump that a thread
 * came to several times, because others of its warp went elsewhere first, stands there once. */
struct thread_stream {
  uint32_t *at;
  size_t n, room;
};

static inline uint32_t stream_word(uint32_t entry) {
  return entry >> 1;
}
static inline bool stream_executes(uint32_t entry) {
  return (entry & 1) != 0;
}

struct warp_stream {
  uint32_t lanes; /* those that the warp starts with */
  struct issue *issue;
  size_t issues, room;
  struct thread_stream t[LANES];
};

struct block_stream {
  unsigned warps;
  struct warp_stream *warp;
};

struct streams {
  struct code code;
  uint8_t *bytes; /* of the code */
  uint32_t entry; /* word at which threads start */
  struct block_stream *block;
  size_t blocks, room;
  uint64_t issues;
};
void streams_free(struct streams *s);

/* Every thread's every entry, as one number: equal if each thread did the same. */
uint64_t streams_hash(const struct streams *s);

#define STREAMS_WHY 512u

/* Records of one launch after the other, into one streams after the other. */
struct streams_reader;
struct streams_reader *streams_reader_new(void);
void streams_reader_free(struct streams_reader *r);
/* The launch of which records will come; `lanes` of a beat. Into *s, which the caller frees, also on failure. */
bool streams_begin(struct streams_reader *r, const struct heddle_launch *l, unsigned lanes, struct streams *s);
bool streams_take(struct streams_reader *r, const struct heddle_retire_record *record);
bool streams_end(struct streams_reader *r);
/* After false: what is wrong and where, "launch 0, record 17, cycle 55: warp slot 3, seq 9, pc 0x0090: lane 4 ..." */
const char *streams_why(const struct streams_reader *r);

#endif
