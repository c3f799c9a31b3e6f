/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames: bytes in, what is between two ends out, once its check word was right.
 */
#include "frames.h"
#include <heddle/record.h>

enum { FLAG = 0xc0, ESC = 0xdb, ESC_FLAG = 0xdc, ESC_ESC = 0xdd, VERSION = 1 };
enum { HEAD = 5, CHECK = 4 };

uint32_t frame_check(const uint8_t *p, size_t n) {
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
  *why = n == 0 ? "an empty frame" : "a frame whose check word is wrong";
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
