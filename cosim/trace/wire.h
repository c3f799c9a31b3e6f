/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside trace/ only: little-endian numbers in bounded buffers, sections, the checksum.
 */
#ifndef HEDDLE_TRACE_WIRE_H
#define HEDDLE_TRACE_WIRE_H

#include <string.h>

#include <heddle/trace.h>

#define TRACE_MAGIC "HDLTRACE"
#define TRACE_MAGIC_STREAM "HDLBYTES" /* a stream in place of records */
#define TRACE_PART 65536u             /* bytes of a stream in a section, at most */
#define TRACE_PIECE 4096u             /* bytes of a piece of memory; pieces of zeros are left out */
#define TRACE_SECTION_MAX (17u << 20) /* the code section is the largest */
enum {
  TAG_HEADER = 'H',
  TAG_LAUNCH = 'L',
  TAG_CODE = 'C',
  TAG_BANK = 'B',
  TAG_MEMORY = 'M',
  TAG_GO = 'G',
  TAG_RECORD = 'R',
  TAG_STREAM = 'S',
  TAG_FINAL = 'F',
  TAG_END = 'E',
  TAG_FOOTER = 'Z'
};

/* Writing never passes `end`; reading past it sets `bad` and gives zeros. */
struct wire {
  uint8_t *at, *end;
  bool bad;
};

static inline void wire_bytes(struct wire *w, const void *p, size_t n) {
  if ((size_t)(w->end - w->at) < n) {
    w->bad = true;
    return;
  }
  memcpy(w->at, p, n);
  w->at += n;
}

static inline void wire_put(struct wire *w, uint64_t v, unsigned n) {
  uint8_t b[8];
  for (unsigned i = 0; i < n; i++) b[i] = (uint8_t)(v >> 8 * i);
  wire_bytes(w, b, n);
}

static inline void wire_take(struct wire *w, void *p, size_t n) {
  if ((size_t)(w->end - w->at) < n) {
    w->bad = true;
    memset(p, 0, n);
    return;
  }
  memcpy(p, w->at, n);
  w->at += n;
}

static inline uint64_t wire_get(struct wire *w, unsigned n) {
  uint8_t b[8] = {0};
  wire_take(w, b, n);
  uint64_t v = 0;
  for (unsigned i = 0; i < n; i++) v |= (uint64_t)b[i] << 8 * i;
  return v;
}

#define TRACE_SUM_START 0xcbf29ce484222325ull
/* FNV-1a over 64-bit pieces, then over the bytes that are left. */
static inline uint64_t trace_sum(uint64_t h, const uint8_t *p, size_t n) {
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t v;
    memcpy(&v, p, 8);
    h = (h ^ v) * 0x100000001b3ull;
    h ^= h >> 29;
  }
  for (; n > 0; p++, n--) h = (h ^ *p) * 0x100000001b3ull;
  return h;
}

#endif
