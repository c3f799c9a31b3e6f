/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream of retire records as a board sends it (docs/stream-format.md), decoded: bytes in, records out.
 *
 * Nothing in it is believed. Records are given out frame by frame, each after its check word and number were right.
 * After the first byte that is wrong, missing, or once too often, none are given out any more: the stream is lost, and
 * says where it could be read again. It was whole only if it has ended, and is not lost.
 */
#ifndef HEDDLE_STREAM_H
#define HEDDLE_STREAM_H

#include <heddle/api.h>
#include <heddle/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The clock that a kernel reads is so many cycles behind the stream's: stream_launch.sv sees the host's write first
 * (stream_pkg::CLOCK_BEHIND, asserted in simulation). A core whose stream is judged has clock_ahead
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
/* Another launch follows: what state says begins anew, frame numbers go on. */
HEDDLE_API void heddle_stream_launch(struct stream_decoder *d);
/* Take bytes, up to the end of a frame at most; returns how many. Take all records before the next call. */
HEDDLE_API size_t heddle_stream_give(struct stream_decoder *d, const uint8_t *p, size_t n);
/* The next record. False: there is none before more bytes have come. */
HEDDLE_API bool heddle_stream_next(struct stream_decoder *d, struct heddle_retire_record *r);
/* No byte comes any more: a launch that has not ended is lost. */
HEDDLE_API void heddle_stream_over(struct stream_decoder *d);
HEDDLE_API const struct stream_state *heddle_stream_look(const struct stream_decoder *d);
/* What is wrong, where, and from where on it is right again, as a sentence. */
HEDDLE_API void heddle_stream_text(const struct stream_decoder *d, char *buf, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
