/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/ only: frames of a board's bytes (docs/stream-format.md, "Frames"): their begins and ends, check words,
 * numbers. Their content is for others. Input is not trusted; nothing is allocated.
 */
#ifndef HEDDLE_COSIM_TRACE_STREAM_H
#define HEDDLE_COSIM_TRACE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>
#include <heddle/record.h>
#include <heddle/retire_stream.h>

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
uint64_t frame_number(const uint8_t *p, unsigned bytes);

/* Content of the frame that starts a launch. */
struct frame_start {
  uint32_t format;
  unsigned lanes, warps, blocks, banks, profile;
  bool lost;
};
/* False: no machine is like this. */
bool frame_start_of(const struct frame *f, struct frame_start *out);

/* A stream of retire records as a board sends it (docs/stream-format.md), decoded: bytes in, records out.
 *
 * Nothing in it is believed. Records are given out frame by frame, each after its check word and number were right.
 * After the first byte that is wrong, missing, or once too often, none are given out any more: the stream is lost, and
 * says where it could be read again. It was whole only if it has ended, and is not lost. */

#ifdef __cplusplus
extern "C" {
#endif

/* The clock that a kernel reads is so many cycles behind the stream's: stream_launch.sv sees the host's write first
 * (stream_pkg::CLOCK_BEHIND, asserted in simulation). The core of a judged stream has clock_ahead
 * -STREAM_CLOCK_BEHIND. */
#define STREAM_CLOCK_BEHIND UINT64_C(7)

struct stream_state {
  bool begun, ended; /* the frames that begin and end a launch have come */
  bool lost;
  char why[96];                         /* of the first loss */
  uint64_t lost_offset, lost_cycle;     /* bytes before the frame that was lost; cycle of the last record before it */
  bool again;                           /* the stream can be read again: */
  uint64_t again_offset, again_cycle;   /* from the frame there on, from that cycle on */
  uint64_t losses;                      /* how often it was lost */
  uint64_t bytes, frames, records;      /* that have come; frames and records that were right */
  uint64_t end_cycle, end_records;      /* as the end says */
  unsigned lanes, warps, blocks, banks; /* of the machine, as the stream says */
};

struct stream_decoder;
HEDDLE_API struct stream_decoder *heddle_stream_new(void); /* NULL: no memory */
HEDDLE_API void heddle_stream_free(struct stream_decoder *d);
/* Another launch follows: its state begins again, frame numbers go on. */
HEDDLE_API void heddle_stream_launch(struct stream_decoder *d);
/* Take bytes, up to the end of a frame at most; returns how many. Take all records before the next call. */
HEDDLE_API size_t heddle_stream_give(struct stream_decoder *d, const uint8_t *p, size_t n);
/* The next record. False: there is none before more bytes have come. */
HEDDLE_API bool heddle_stream_next(struct stream_decoder *d, struct heddle_retire_record *r);
/* No byte comes any more: a launch that has not ended is lost. */
HEDDLE_API void heddle_stream_over(struct stream_decoder *d);
HEDDLE_API const struct stream_state *heddle_stream_look(const struct stream_decoder *d);
/* The error, its place, and the place from which on it is right again, as a sentence. */
HEDDLE_API void heddle_stream_text(const struct stream_decoder *d, char *buf, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
