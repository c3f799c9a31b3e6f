/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside trace/ only: the decoder of a stream.
 */
#ifndef HEDDLE_STREAM_INTERNAL_H
#define HEDDLE_STREAM_INTERNAL_H

#include "cosim/trace/frames.h"
#include <heddle/retire_stream.h>
#include "cosim/trace/stream.h"

#define STREAM_KEYS 512u /* contexts that stand by bits 10:4 of a key, four words each */

/* The words of records: what is left of a frame, and what each is expected by. */
struct stream_words {
  const uint8_t *at;
  size_t left; /* nibbles */
  bool high;   /* the next one is the upper half of *at */
  bool open;   /* a frame whose last nibble has not come */
  uint64_t cycle;
  unsigned lanes, banks; /* 0: not known */
  uint32_t prev[STREAM_KEYS + HEDDLE_STREAM_CONTEXTS], step[STREAM_KEYS + HEDDLE_STREAM_CONTEXTS];
};

struct stream_decoder {
  struct stream_state state;
  struct frames frames;
  bool hunting, foreign;
  struct stream_words words;
};

void words_begin(struct stream_words *w, uint64_t cycle);
void words_frame(struct stream_words *w, const uint8_t *p, size_t n);
/* False: the frame is through, or (why) is not what it should be. */
bool words_next(struct stream_words *w, struct heddle_retire_record *r, const char **why);

void stream_lose(struct stream_decoder *d, const char *why);

#endif
