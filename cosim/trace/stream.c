/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream frame by frame, the records in a frame, and what is said of a loss.
 */
#include "stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/record.h>
#include <heddle/record_banks.h>

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

/* Frames: bytes in, what is between two ends out, once its check word was right. */

enum { FLAG = 0xc0, ESC = 0xdb, ESC_FLAG = 0xdc, ESC_ESC = 0xdd, VERSION = 1 };
enum { HEAD = 5, CHECK = 4 };

static uint32_t frame_check(const uint8_t *p, size_t n) {
  uint32_t crc = UINT32_MAX;
  for (; n > 0; p++, n--) {
    crc ^= *p;
    for (unsigned i = 0; i < 8; i++) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

uint64_t frame_number(const uint8_t *p, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)p[i] << 8 * i;
  return v;
}

/* A size that a record's arrays have room for. */
static bool sane(unsigned v, unsigned most) {
  return v != 0 && v <= most && (v & (v - 1)) == 0;
}

bool frame_start_of(const struct frame *f, struct frame_start *out) {
  const uint8_t *p = f->at;
  if (f->n != FRAME_START_BYTES) return false;
  *out = (struct frame_start){.format = (uint32_t)frame_number(p, 4),
                              .lanes = p[4],
                              .warps = p[5],
                              .blocks = p[6],
                              .banks = p[7],
                              .profile = p[8],
                              .lost = p[9] != 0};
  return p[9] <= 1 && sane(p[4], HEDDLE_RECORD_LANES) && p[4] >= 4 && p[5] != 0 && p[5] <= HEDDLE_RECORD_WARPS &&
         p[6] != 0 && p[6] <= HEDDLE_RECORD_WARPS && sane(p[7], HEDDLE_RECORD_BANKS);
}

size_t frames_give(struct frames *f, const uint8_t *p, size_t n, bool *whole) {
  *whole = false;
  for (size_t i = 0; i < n; i++) {
    const uint8_t b = p[i];
    f->bytes++;
    if (b == FLAG) {
      *whole = true;
      return i + 1;
    }
    if (!f->escaped && b == ESC) {
      f->escaped = true;
      continue;
    }
    uint8_t v = b;
    if (f->escaped) v = b == ESC_FLAG ? FLAG : ESC;
    if ((f->escaped && b != ESC_FLAG && b != ESC_ESC) || f->used == sizeof f->data)
      f->overrun = true;
    else
      f->data[f->used++] = v;
    f->escaped = false;
  }
  return n;
}

enum frame_state frames_take(struct frames *f, struct frame *out, const char **why) {
  const size_t n = f->used;
  const uint8_t *p = f->data;
  *why = n == 0 ? "an empty frame" : "a frame with a wrong check word";
  if (f->escaped || f->overrun || n < HEAD + CHECK || frame_number(p + n - CHECK, CHECK) != frame_check(p, n - CHECK))
    return FRAME_WRONG;
  *why = "a frame of another version";
  if (p[0] >> 4 != VERSION) return FRAME_WRONG;
  const uint32_t got = (uint32_t)frame_number(p + 1, 4);
  const bool gap = f->known && got != f->number;
  *why = gap ? "frames are missing, or come again" : NULL;
  f->known = true;
  f->number = got + 1;
  *out = (struct frame){(enum frame_type)(p[0] & 15u), p + HEAD, n - HEAD - CHECK};
  return gap ? FRAME_AFTER_GAP : FRAME_RIGHT;
}

void frames_next(struct frames *f) {
  f->used = 0;
  f->escaped = f->overrun = false;
  f->offset = f->bytes;
}

bool frames_open(const struct frames *f) {
  return f->used != 0 || f->escaped;
}

/* The records in a frame of a stream: nibbles, of which words are made by what stood in their context before. The table
 * is generated from cosim/retire/retire.records, as the RTL's is (lab/fpga/board/stream/stream_code.sv is the other
 * side). */

/* As stream_pkg.sv has them. */
enum code { SAME1, SAME2, SAME4, STEP, ZERO, TURN, U4, D4, U8, D8, U16, S16, D16, H16, U24, RAW };
enum { CODE_TIME = 14, CODE_LAST = 15, GAP_LONG = 15, KEY_LOW = 4, KEY_BITS = 7 };

static void words_begin(struct stream_words *w, uint64_t cycle) {
  memset(w->prev, 0, sizeof w->prev);
  memset(w->step, 0, sizeof w->step);
  w->cycle = cycle;
  w->left = 0;
  w->open = false;
}

static void words_frame(struct stream_words *w, const uint8_t *p, size_t n) {
  w->at = p;
  w->left = 2 * n;
  w->high = false;
  w->open = true;
}

static bool nibble(struct stream_words *w, unsigned *v) {
  if (w->left == 0) return false;
  *v = w->high ? *w->at >> 4 : *w->at & 15u;
  if (w->high) w->at++;
  w->high = !w->high;
  w->left--;
  return true;
}

/* The lowest comes first. */
static bool nibbles(struct stream_words *w, unsigned n, uint32_t *v) {
  *v = 0;
  for (unsigned i = 0; i < n; i++) {
    unsigned x;
    if (!nibble(w, &x)) return false;
    *v |= x << 4 * i;
  }
  return true;
}

static uint32_t sign_extended(uint32_t v, unsigned bits) {
  const uint32_t sign = UINT32_C(1) << (bits - 1);
  return (v ^ sign) - sign;
}

/* One word of what is expected at `c`. `same`: words that are still to be the same. */
static bool decode_word(struct stream_words *w, unsigned c, unsigned *same, uint32_t *out) {
  static const uint8_t follow[16] = {0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 4, 4, 4, 4, 6, 8};
  const uint32_t prev = w->prev[c];
  uint32_t v = prev, data;
  if (*same > 0) {
    --*same;
  } else {
    unsigned code;
    if (!nibble(w, &code) || !nibbles(w, follow[code], &data)) return false;
    switch ((enum code)code) {
    case SAME1:
      break;
    case SAME2:
      *same = 1;
      break;
    case SAME4:
      *same = 3;
      break;
    case STEP:
      v = prev + w->step[c];
      break;
    case ZERO:
      v = 0;
      break;
    case TURN:
      v = (prev << 1 | (prev >> (w->lanes - 1) & 1u)) & (UINT32_MAX >> (32 - w->lanes));
      break;
    case D4:
      v = prev + sign_extended(data, 4);
      break;
    case D8:
      v = prev + sign_extended(data, 8);
      break;
    case D16:
      v = prev + sign_extended(data, 16);
      break;
    case S16:
      v = sign_extended(data, 16);
      break;
    case H16:
      v = data << 16;
      break;
    default:
      v = data;
      break;
    }
  }
  /* Only the contexts of their own have a step. */
  w->step[c] = c < STREAM_KEYS ? 0 : v - prev;
  w->prev[c] = v;
  *out = v;
  return true;
}

static uint64_t field_at(const uint8_t *body, unsigned offset, unsigned bytes) {
  uint64_t v = 0;
  memcpy(&v, body + offset, bytes);
  return v;
}

static unsigned part_size(const struct stream_words *w, int dim, unsigned fixed, unsigned per) {
  if (dim < 0) return fixed;
  return (dim == HEDDLE_RECORD_DIM_LANES ? w->lanes : w->banks) / per;
}

static unsigned context_of(const struct heddle_stream_part *p, const uint8_t *body, unsigned row, unsigned column) {
  if (p->of_bytes != 0) {
    const unsigned key = (unsigned)(field_at(body, p->of, p->of_bytes) >> KEY_LOW) & ((1u << KEY_BITS) - 1);
    return 4 * key + column % 4;
  }
  const unsigned by = p->by == HEDDLE_STREAM_BY_COLUMN ? column : p->by == HEDDLE_STREAM_BY_ROW ? row : 0;
  return STREAM_KEYS + p->context + by;
}

static bool decode_part(struct stream_words *w, const struct heddle_stream_part *p, uint8_t *body, unsigned *same) {
  const unsigned rows = part_size(w, p->row_dim, p->rows, 1);
  const unsigned columns = part_size(w, p->column_dim, p->columns, (unsigned)p->per);
  const uint64_t when = p->when_bytes != 0 ? field_at(body, p->when, p->when_bytes) : UINT64_MAX;
  const uint64_t lanes = p->lanes_bytes != 0 ? field_at(body, p->lanes, p->lanes_bytes) : UINT64_MAX;
  for (unsigned i = 0; i < rows; i++)
    for (unsigned k = 0; k < columns; k++) {
      uint32_t v;
      if ((when >> i & 1u) == 0 || (lanes >> k & 1u) == 0) continue;
      if (!decode_word(w, context_of(p, body, i, k), same, &v)) return false;
      memcpy(body + p->offset + i * p->row_step + 4 * k, &v, 4);
    }
  return true;
}

/* As records have it: 32 banks, and zero where none is accessed. */
static void pass_of(struct heddle_record_shared *r, unsigned banks) {
  heddle_record_spread_banks(r, banks);
  for (unsigned i = 0; i < HEDDLE_RECORD_BANKS; i++) {
    if ((r->bank_en >> i & 1u) != 0) continue;
    r->row[i] = 0;
    r->wstrb[i] = 0;
    r->wdata[i] = r->rdata[i] = 0;
  }
}

static bool gap(struct stream_words *w, uint32_t *cycles) {
  unsigned v;
  if (!nibble(w, &v)) return false;
  *cycles = v;
  return v != GAP_LONG || nibbles(w, 8, cycles);
}

/* False: the frame is through, or (why) is not what it should be. */
static bool words_next(struct stream_words *w, struct heddle_retire_record *r, const char **why) {
  unsigned code, same = 0, rest;
  uint32_t cycles;
  do {
    if (!w->open) return false;
    *why = "a frame that ends inside a record";
    if (!nibble(w, &code)) return false;
    if (code == CODE_LAST) {
      const bool clean = w->left == 0 || (w->left == 1 && nibble(w, &rest) && rest == 0);
      w->open = false;
      *why = clean ? NULL : "something behind the end of a frame";
      return false;
    }
    if (!gap(w, &cycles)) return false;
    w->cycle += cycles;
  } while (code == CODE_TIME);
  *why = "a record of no kind";
  if (code >= HEDDLE_STREAM_KINDS) return false;
  const struct heddle_stream_kind *k = &stream_kinds[code];
  memset(r, 0, sizeof *r);
  r->kind = k->kind;
  r->cycle = w->cycle;
  *why = "a frame that ends inside a record";
  for (unsigned i = 0; i < k->parts; i++)
    if (!decode_part(w, &stream_parts[k->first + i], (uint8_t *)&r->u, &same)) return false;
  *why = "a record with more words than it has";
  if (same != 0) return false;
  if (r->kind == HEDDLE_RECORD_SHARED) pass_of(&r->u.shared, w->banks);
  *why = NULL;
  return true;
}

/* A stream frame by frame (stream.h), and what is said of a loss. What is in a frame of records stands in
 * stream.c. */

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

static void stream_lose(struct stream_decoder *d, const char *why) {
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
    stream_lose(d, "a place to begin at is another than the present one");
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
