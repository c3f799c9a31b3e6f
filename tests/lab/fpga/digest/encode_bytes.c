/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries in, bytes out: nibbles in frames.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "tests/lab/fpga/digest/encode.h"
#include "base/splitmix64.h"

enum { FULL = 192 };

struct frame {
  uint8_t at[512];
  size_t nibbles;
};

static void nibble(struct frame *f, unsigned v) {
  uint8_t *at = &f->at[f->nibbles / 2];
  assert(f->nibbles / 2 < sizeof f->at);
  *at = (uint8_t)(f->nibbles % 2 == 0 ? v & 15u : *at | v << 4);
  f->nibbles++;
}

static void bytes(struct frame *f, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < 2 * n; i++) nibble(f, (unsigned)(v >> 4 * i) & 15u);
}

static void counted(struct frame *f, uint32_t v) {
  for (; v >= 128; v >>= 7) bytes(f, (v & 127u) | 128u, 1);
  bytes(f, v, 1);
}

static void entry(struct frame *f, const struct heddle_digest_entry *e) {
  nibble(f, e->code);
  nibble(f, e->slot);
  switch (e->code) {
  case HEDDLE_DIGEST_MARK_GLOBAL:
  case HEDDLE_DIGEST_MARK_SHARED:
    counted(f, 2 * e->count + (e->more ? 1 : 0));
    break;
  case HEDDLE_DIGEST_NEXT:
    bytes(f, e->sum[0], 4);
    break;
  case HEDDLE_DIGEST_CORRECTION:
    bytes(f, e->window, 2);
    bytes(f, e->sum[0], 4);
    break;
  case HEDDLE_DIGEST_WARP_END:
    bytes(f, e->count, 4);
    bytes(f, e->sum[0], 4);
    bytes(f, e->sum[1], 4);
    break;
  case HEDDLE_DIGEST_CLOCK:
    bytes(f, e->value, 6);
    break;
  case HEDDLE_DIGEST_BLOCK_START:
    bytes(f, e->warps, 2);
    for (unsigned i = 0; i < 3; i++) counted(f, e->ctaid[i]);
    break;
  case HEDDLE_DIGEST_TRAP:
    bytes(f, e->seq, 4);
    bytes(f, e->pc, 4);
    bytes(f, e->lanes, 4);
    bytes(f, e->cause, 1);
    bytes(f, e->value, 8);
    break;
  default:
    break;
  }
}

static uint32_t check_word(uint32_t crc, const uint8_t *p, size_t n) {
  for (; n > 0; p++, n--) {
    crc ^= *p;
    for (unsigned i = 0; i < 8; i++) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return crc;
}

static void put(struct encode_bytes *o, uint8_t b) {
  const bool has_room = array_room(&o->at, &o->room, o->n + 1, 1);
  assert(has_room);
  o->at[o->n++] = b;
}

static void escaped(struct encode_bytes *o, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const bool flag = p[i] == 0xc0, esc = p[i] == 0xdb;
    if (flag || esc) put(o, 0xdb);
    put(o, flag ? 0xdc : esc ? 0xdd : p[i]);
  }
}

static void frame(struct encode_bytes *o, unsigned type, uint32_t *number, const uint8_t *p, size_t n) {
  uint8_t head[5] = {(uint8_t)(16u | type)}, check[4];
  for (unsigned i = 0; i < 4; i++) head[1 + i] = (uint8_t)(*number >> 8 * i);
  const uint32_t crc = ~check_word(check_word(UINT32_MAX, head, sizeof head), p, n);
  for (unsigned i = 0; i < 4; i++) check[i] = (uint8_t)(crc >> 8 * i);
  escaped(o, head, sizeof head);
  escaped(o, p, n);
  escaped(o, check, sizeof check);
  put(o, 0xc0);
  ++*number;
}

static void little(uint8_t *p, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}

void encode_bytes(const struct encode_config *c, const struct heddle_digest_entry *e, size_t n, uint32_t *number,
                  struct encode_bytes *out) {
  uint8_t start[10] = {0}, end[10] = {0};
  const uint8_t sync[9] = {0};
  uint64_t rng = c->seed;
  struct frame f = {.nibbles = 0};
  little(start, HEDDLE_DIGEST_FORMAT, 4);
  start[4] = (uint8_t)c->lanes;
  start[5] = (uint8_t)c->warps;
  start[6] = (uint8_t)c->blocks;
  start[7] = (uint8_t)c->banks;
  start[8] = HEDDLE_DIGEST_PROFILE;
  frame(out, 2, number, start, sizeof start);
  for (size_t i = 0; i < n; i++) {
    entry(&f, &e[i]);
    const unsigned draw = (unsigned)(splitmix64(&rng) >> 40) % 64;
    if (i + 1 < n && f.nibbles < 2 * FULL && draw != 0) continue;
    nibble(&f, 15);
    frame(out, 1, number, f.at, (f.nibbles + 1) / 2);
    f.nibbles = 0;
    if (draw == 0) frame(out, 3, number, sync, sizeof sync);
  }
  little(end + 6, n, 4);
  frame(out, 4, number, end, sizeof end);
}
