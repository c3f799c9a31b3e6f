/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/ only: frames of a board's bytes (docs/stream-format.md, "Frames"): where they begin and end, their
 * check words, their numbers. What is in them is somebody else's. Nothing is believed; nothing is allocated.
 */
#ifndef HEDDLE_TRACE_FRAMES_H
#define HEDDLE_TRACE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX 1024u /* bytes; a frame of 192 takes nothing further, and nothing that it takes has 500 */
#define FRAME_START_BYTES 10u

enum frame_type { FRAME_DATA = 1, FRAME_START = 2, FRAME_SYNC = 3, FRAME_END = 4 };

struct frames {
  uint8_t data[FRAME_MAX];
  size_t used;
  bool escaped, overrun;
  bool known; /* the number of the next frame */
  uint32_t number;
  uint64_t bytes, offset; /* that have been given; those before the present frame */
};

struct frame {
  enum frame_type type; /* or another number below 16 */
  const uint8_t *at;    /* what the type has */
  size_t n;
};

enum frame_state {
  FRAME_RIGHT,
  FRAME_AFTER_GAP, /* itself right, but not the one that was due */
  FRAME_WRONG
};

/* Takes bytes up to the end of a frame at most, and returns how many; *whole: one has ended, frames_take has it. */
size_t frames_give(struct frames *f, const uint8_t *p, size_t n, bool *whole);
/* The frame that has just ended. *why says what is wrong, where it is not FRAME_RIGHT. */
enum frame_state frames_take(struct frames *f, struct frame *out, const char **why);
/* The next one begins. */
void frames_next(struct frames *f);
/* Bytes have come of a frame that has not ended. */
bool frames_open(const struct frames *f);

/* CRC-32, reflected, 0xedb88320. */
uint32_t frame_check(const uint8_t *p, size_t n);
uint64_t frame_number(const uint8_t *p, unsigned bytes);

/* What the frame says that starts a launch. */
struct frame_start {
  uint32_t format;
  unsigned lanes, warps, blocks, banks, profile;
  bool lost;
};
/* False: no machine is like this. */
bool frame_start_of(const struct frame *f, struct frame_start *out);

#endif
