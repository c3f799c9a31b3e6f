/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream frame by frame (frames.h), and what is said of a loss. What is in a frame of records stands in
 * stream_words.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/trace/stream_internal.h"

struct stream_decoder *heddle_stream_new(void) {
  return calloc(1, sizeof(struct stream_decoder));
}

void heddle_stream_free(struct stream_decoder *d) {
  free(d);
}

void heddle_stream_launch(struct stream_decoder *d) {
  d->state = (struct stream_state){.bytes = d->frames.bytes};
  d->words.open = false;
}

const struct stream_state *heddle_stream_look(const struct stream_decoder *d) {
  return &d->state;
}

void stream_lose(struct stream_decoder *d, const char *why) {
  struct stream_state *s = &d->state;
  s->losses++;
  d->hunting = true; /* until a frame says that one may begin there */
  d->words.open = false;
  if (s->lost) return;
  s->lost = true;
  s->lost_offset = d->frames.offset;
  s->lost_cycle = d->words.cycle;
  snprintf(s->why, sizeof s->why, "%s", why);
}

static bool take_start(struct stream_decoder *d, const struct frame *f) {
  struct stream_state *s = &d->state;
  struct frame_start of;
  const bool sane = frame_start_of(f, &of);
  if (f->n == FRAME_START_BYTES && (of.format != HEDDLE_STREAM_FORMAT || of.profile != HEDDLE_STREAM_PROFILE)) {
    stream_lose(d, "it was made of other records than this program reads");
    d->foreign = true;
    return true;
  }
  if (!sane) return false;
  if (s->begun) stream_lose(d, "a launch begins before the one before has ended");
  if (of.lost) stream_lose(d, "records were lost at the start");
  s->begun = true;
  s->lanes = of.lanes;
  s->warps = of.warps;
  s->blocks = of.blocks;
  s->banks = of.banks;
  words_begin(&d->words, 0);
  d->words.lanes = of.lanes;
  d->words.banks = of.banks;
  return true;
}

static bool take_sync(struct stream_decoder *d, const struct frame *f) {
  if (f->n != 9 || f->at[8] > 1 || d->words.lanes == 0) return false;
  const uint64_t cycle = frame_number(f->at, 8);
  if (f->at[8] != 0)
    stream_lose(d, "the core found no room for its records");
  else if (!d->hunting && cycle != d->words.cycle)
    stream_lose(d, "a place to begin at is another than where it stands");
  words_begin(&d->words, cycle);
  return true;
}

static bool take_end(struct stream_decoder *d, const struct frame *f) {
  struct stream_state *s = &d->state;
  if (f->n != 10) return false;
  s->end_cycle = frame_number(f->at, 6);
  s->end_records = frame_number(f->at + 6, 4);
  if (!s->lost && (s->end_records != (uint32_t)s->records || s->end_cycle < d->words.cycle))
    stream_lose(d, "it ends with other counts than what has come");
  s->ended = true;
  return true;
}

/* A frame whose check word and number are right. False: it is none of ours. */
static bool take_frame(struct stream_decoder *d, const struct frame *f) {
  struct stream_state *s = &d->state;
  if (f->type == FRAME_START || f->type == FRAME_SYNC) {
    if (f->type == FRAME_SYNC && !s->begun && !d->hunting) return false;
    if (!(f->type == FRAME_START ? take_start(d, f) : take_sync(d, f))) return false;
    d->hunting = d->foreign;
    if (s->lost && !s->again && !d->foreign) {
      s->again = true;
      s->again_offset = d->frames.offset;
      s->again_cycle = d->words.cycle;
    }
    return true;
  }
  if (d->hunting) return true; /* lost already */
  if (!s->begun || s->ended) return false;
  if (f->type == FRAME_END) return take_end(d, f);
  words_frame(&d->words, f->at, f->n);
  return true;
}

static void frame(struct stream_decoder *d) {
  struct stream_state *s = &d->state;
  struct frame f;
  const char *why;
  const bool first = !d->frames.known;
  const enum frame_state got = frames_take(&d->frames, &f, &why);
  if (got != FRAME_RIGHT) stream_lose(d, why);
  if (got == FRAME_WRONG) return;
  if (first && f.type != FRAME_START && !s->lost) stream_lose(d, "it does not begin with a start");
  if (s->ended) return stream_lose(d, "a frame after the end");
  if (!take_frame(d, &f)) return stream_lose(d, "a frame that cannot be");
  s->frames++;
}

size_t heddle_stream_give(struct stream_decoder *d, const uint8_t *p, size_t n) {
  bool whole;
  const size_t took = frames_give(&d->frames, p, n, &whole);
  d->state.bytes = d->frames.bytes;
  if (whole) {
    frame(d);
    frames_next(&d->frames);
  }
  return took;
}

/* What a frame says is lost as a whole where it cannot be read: its check word was right, so who wrote it is wrong. */
bool heddle_stream_next(struct stream_decoder *d, struct heddle_retire_record *r) {
  const char *why = NULL;
  while (words_next(&d->words, r, &why)) {
    d->state.records++;
    if (!d->state.lost) return true; /* behind a loss they are counted */
  }
  if (why != NULL) stream_lose(d, why);
  return false;
}

void heddle_stream_over(struct stream_decoder *d) {
  if (frames_open(&d->frames))
    stream_lose(d, "it breaks off inside a frame");
  else if (!d->state.ended && !d->state.lost)
    stream_lose(d, d->state.begun ? "it breaks off: nothing says that this is the end" : "it is empty");
}

void heddle_stream_text(const struct stream_decoder *d, char *buf, size_t bytes) {
  const struct stream_state *s = &d->state;
  if (!s->lost) {
    snprintf(buf, bytes, "%" PRIu64 " bytes, %" PRIu64 " records, nothing lost", s->bytes, s->records);
    return;
  }
  const int n = snprintf(buf, bytes, "lost behind byte %" PRIu64 ", after cycle %" PRIu64 ": %s; ", s->lost_offset,
                         s->lost_cycle, s->why);
  if (n < 0 || (size_t)n >= bytes) return;
  if (s->again)
    snprintf(buf + n, bytes - (size_t)n, "to be read again from byte %" PRIu64 ", cycle %" PRIu64 " on",
             s->again_offset, s->again_cycle);
  else
    snprintf(buf + n, bytes - (size_t)n, "it cannot be read again behind that");
}
