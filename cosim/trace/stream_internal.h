/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside trace/ only: the decoder of a stream.
 */
#ifndef HEDDLE_STREAM_INTERNAL_H
#define HEDDLE_STREAM_INTERNAL_H

#include "heddle/retire_stream.h"
#include "heddle/stream.h"

#define STREAM_FRAME_MAX 1024u /* bytes; a frame of 192 takes no further record, and no record has 500 */
#define STREAM_KEYS 512u       /* contexts that stand by bits 10:4 of a key, four words each */

/* The words of records: what is left of a frame, and what each is expected by. */
struct stream_words {
  const uint8_t *at;
  size_t left; /* nibbles */
  bool high;   /* the next one is the upper half of *at */
  bool open;   /* a frame whose last nibble has not come */
  uint64_t cycle;
  unsigned lanes, banks; /* 0: not known */
  uint32_t prev[STREAM_KEYS + STREAM_CONTEXTS], step[STREAM_KEYS + STREAM_CONTEXTS];
};

struct stream_decoder {
  struct stream_state state;
  uint8_t frame[STREAM_FRAME_MAX];
  size_t used;
  bool escaped, overrun;
  bool known; /* the number of the next frame */
  bool hunting, foreign;
  uint32_t number;
  uint64_t frame_offset;
  struct stream_words words;
};

void words_begin(struct stream_words *w, uint64_t cycle);
void words_frame(struct stream_words *w, const uint8_t *p, size_t n);
/* False: the frame is through, or (why) is not what it should be. */
bool words_next(struct stream_words *w, struct retire_record *r, const char **why);

void stream_lose(struct stream_decoder *d, const char *why);

#endif
