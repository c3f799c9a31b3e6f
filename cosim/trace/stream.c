/* SPDX-License-Identifier: Apache-2.0
 *
 * The frames of a stream: where they begin and end, whether they are right, and what is said of a loss.
 * What is in a frame of records stands in stream_words.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream_internal.h"

enum { FLAG = 0xc0, ESC = 0xdb, ESC_FLAG = 0xdc, ESC_ESC = 0xdd, VERSION = 1 };
enum { HEAD = 5, CHECK = 4 };
enum { FRAME_DATA = 1, FRAME_START = 2, FRAME_SYNC = 3, FRAME_END = 4 };

struct stream_decoder *stream_new(void) {
  return calloc(1, sizeof(struct stream_decoder));
}

void stream_free(struct stream_decoder *d) {
  free(d);
}

void stream_launch(struct stream_decoder *d) {
  const uint64_t bytes = d->state.bytes;
  d->state = (struct stream_state){.bytes = bytes};
  d->words.open = false;
}

const struct stream_state *stream_look(const struct stream_decoder *d) {
  return &d->state;
}

void stream_lose(struct stream_decoder *d, const char *why) {
  struct stream_state *s = &d->state;
  s->losses++;
  d->hunting = true; /* until a frame says that one may begin there */
  d->words.open = false;
  if (s->lost) return;
  s->lost = true;
  s->lost_offset = d->frame_offset;
  s->lost_cycle = d->words.cycle;
  snprintf(s->why, sizeof s->why, "%s", why);
}

/* CRC-32, reflected, 0xedb88320. */
static uint32_t check_word(const uint8_t *p, size_t n) {
  uint32_t crc = UINT32_MAX;
  for (; n > 0; p++, n--) {
    crc ^= *p;
    for (unsigned i = 0; i < 8; i++) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

static uint64_t number(const uint8_t *p, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)p[i] << 8 * i;
  return v;
}

/* A size that a record's arrays have room for. */
static bool sane(unsigned v, unsigned most) {
  return v != 0 && v <= most && (v & (v - 1)) == 0;
}

static bool take_start(struct stream_decoder *d, const uint8_t *p, size_t n) {
  struct stream_state *s = &d->state;
  if (n != 10) return false;
  if (number(p, 4) != STREAM_FORMAT || p[8] != STREAM_PROFILE) {
    stream_lose(d, "it was made of other records than this program reads");
    d->foreign = true;
    return true;
  }
  if (!sane(p[4], RECORD_LANES) || p[4] < 4 || p[5] == 0 || p[5] > RECORD_WARPS || p[6] == 0 || p[6] > RECORD_WARPS ||
      !sane(p[7], RECORD_BANKS) || p[9] > 1)
    return false;
  if (s->begun) stream_lose(d, "a launch begins before the one before has ended");
  if (p[9] != 0) stream_lose(d, "records were lost at the start");
  s->begun = true;
  s->lanes = p[4];
  s->warps = p[5];
  s->blocks = p[6];
  s->banks = p[7];
  words_begin(&d->words, 0);
  d->words.lanes = p[4];
  d->words.banks = p[7];
  return true;
}

static bool take_sync(struct stream_decoder *d, const uint8_t *p, size_t n) {
  if (n != 9 || p[8] > 1 || d->words.lanes == 0) return false;
  const uint64_t cycle = number(p, 8);
  if (p[8] != 0)
    stream_lose(d, "the core found no room for its records");
  else if (!d->hunting && cycle != d->words.cycle)
    stream_lose(d, "a place to begin at is another than where it stands");
  words_begin(&d->words, cycle);
  return true;
}

static bool take_end(struct stream_decoder *d, const uint8_t *p, size_t n) {
  struct stream_state *s = &d->state;
  if (n != 10) return false;
  s->end_cycle = number(p, 6);
  s->end_records = number(p + 6, 4);
  if (!s->lost && (s->end_records != (uint32_t)s->records || s->end_cycle < d->words.cycle))
    stream_lose(d, "it ends with other counts than what has come");
  s->ended = true;
  return true;
}

/* A frame whose check word and number are right. False: it is none of ours. */
static bool take(struct stream_decoder *d, unsigned type, const uint8_t *p, size_t n) {
  struct stream_state *s = &d->state;
  if (type == FRAME_START || type == FRAME_SYNC) {
    if (type == FRAME_SYNC && !s->begun && !d->hunting) return false;
    if (!(type == FRAME_START ? take_start(d, p, n) : take_sync(d, p, n))) return false;
    d->hunting = d->foreign;
    if (s->lost && !s->again && !d->foreign) {
      s->again = true;
      s->again_offset = d->frame_offset;
      s->again_cycle = d->words.cycle;
    }
    return true;
  }
  if (d->hunting) return true; /* lost already */
  if (!s->begun || s->ended) return false;
  if (type == FRAME_END) return take_end(d, p, n);
  words_frame(&d->words, p, n);
  return true;
}

static void frame(struct stream_decoder *d) {
  const size_t n = d->used;
  const uint8_t *p = d->frame;
  struct stream_state *s = &d->state;
  const uint32_t want = d->number;
  if (d->escaped || d->overrun || n < HEAD + CHECK || number(p + n - CHECK, CHECK) != check_word(p, n - CHECK))
    return stream_lose(d, n == 0 ? "an empty frame" : "a frame whose check word is wrong");
  if (p[0] >> 4 != VERSION) return stream_lose(d, "a frame of another version");
  const uint32_t got = (uint32_t)number(p + 1, 4);
  d->number = got + 1;
  if (d->known && got != want) stream_lose(d, "frames are missing, or come again");
  if (!d->known && (p[0] & 15u) != FRAME_START && !s->lost) stream_lose(d, "it does not begin with a start");
  d->known = true;
  if (s->ended) return stream_lose(d, "a frame after the end");
  if (!take(d, p[0] & 15u, p + HEAD, n - HEAD - CHECK)) return stream_lose(d, "a frame that cannot be");
  s->frames++;
}

size_t stream_give(struct stream_decoder *d, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const uint8_t b = p[i];
    d->state.bytes++;
    if (b == FLAG) {
      frame(d);
      d->used = 0;
      d->escaped = d->overrun = false;
      d->frame_offset = d->state.bytes;
      return i + 1;
    }
    if (!d->escaped && b == ESC) {
      d->escaped = true;
      continue;
    }
    uint8_t v = b;
    if (d->escaped) v = b == ESC_FLAG ? FLAG : ESC;
    if ((d->escaped && b != ESC_FLAG && b != ESC_ESC) || d->used == sizeof d->frame)
      d->overrun = true;
    else
      d->frame[d->used++] = v;
    d->escaped = false;
  }
  return n;
}

/* What a frame says is lost as a whole where it cannot be read: its check word was right, so who wrote it is wrong. */
bool stream_next(struct stream_decoder *d, struct retire_record *r) {
  const char *why = NULL;
  while (words_next(&d->words, r, &why)) {
    d->state.records++;
    if (!d->state.lost) return true; /* behind a loss they are counted */
  }
  if (why != NULL) stream_lose(d, why);
  return false;
}

void stream_over(struct stream_decoder *d) {
  if (d->used != 0 || d->escaped)
    stream_lose(d, "it breaks off inside a frame");
  else if (!d->state.ended && !d->state.lost)
    stream_lose(d, d->state.begun ? "it breaks off: nothing says that this is the end" : "it is empty");
}

void stream_text(const struct stream_decoder *d, char *buf, size_t bytes) {
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
