/* SPDX-License-Identifier: Apache-2.0
 * Frames of the link. */
#include "frame.h"

#include <assert.h>

/* CRC-32 of IEEE 802.3 over `n` bytes, behind `crc` (0 at first). */
static uint32_t frame_crc(uint32_t crc, const uint8_t *bytes, size_t n) {
  crc = ~crc;
  for (size_t i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (unsigned b = 0; b < 8; b++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

uint32_t frame_u32(const uint8_t *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

uint64_t frame_u64(const uint8_t *b) {
  return frame_u32(b) | (uint64_t)frame_u32(b + 4) << 32;
}

void frame_put(uint8_t *bytes, uint64_t value, unsigned n) {
  for (unsigned i = 0; i < n; i++) bytes[i] = (uint8_t)(value >> 8 * i);
}

static size_t escaped(uint8_t *wire, size_t at, const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const uint8_t b = bytes[i];
    if (b != FRAME_END && b != FRAME_ESC) {
      wire[at++] = b;
      continue;
    }
    wire[at++] = FRAME_ESC;
    wire[at++] = b == FRAME_END ? FRAME_ESC_END : FRAME_ESC_ESC;
  }
  return at;
}

size_t frame_encode(uint8_t channel, uint32_t seq, const uint8_t *payload, size_t n, uint8_t wire[FRAME_WIRE]) {
  uint8_t head[FRAME_HEAD] = {channel}, tail[FRAME_TAIL];
  size_t at = 0;
  assert(n <= FRAME_PAYLOAD);
  frame_put(head + 1, seq, 4);
  frame_put(head + 5, n, 2);
  frame_put(tail, frame_crc(frame_crc(0, head, sizeof head), payload, n), 4);
  wire[at++] = FRAME_END;
  at = escaped(wire, at, head, sizeof head);
  at = escaped(wire, at, payload, n);
  at = escaped(wire, at, tail, sizeof tail);
  wire[at++] = FRAME_END;
  return at;
}

static bool frame_whole(const struct frame_reader *r) {
  if (r->wrong || r->escape || r->n < FRAME_HEAD + FRAME_TAIL) return false;
  const size_t length = r->bytes[5] | (size_t)r->bytes[6] << 8;
  if (r->n != FRAME_HEAD + length + FRAME_TAIL) return false;
  return frame_crc(0, r->bytes, r->n - FRAME_TAIL) == frame_u32(r->bytes + r->n - FRAME_TAIL);
}

static bool end_frame(struct frame_reader *r, struct frame *f) {
  const bool right = frame_whole(r), some = r->n > 0 || r->escape || r->wrong;
  if (right)
    *f = (struct frame){.channel = r->bytes[0],
                        .seq = frame_u32(r->bytes + 1),
                        .payload = r->bytes + FRAME_HEAD,
                        .n = r->n - FRAME_HEAD - FRAME_TAIL};
  r->bad += some && !right;
  r->n = 0;
  r->escape = r->wrong = false;
  return right;
}

bool frame_read(struct frame_reader *r, uint8_t byte, struct frame *f) {
  if (byte == FRAME_END) return end_frame(r, f);
  if (byte == FRAME_ESC && !r->escape) {
    r->escape = true;
    return false;
  }
  if (r->escape) {
    if (byte != FRAME_ESC_END && byte != FRAME_ESC_ESC) r->wrong = true;
    byte = byte == FRAME_ESC_END ? FRAME_END : FRAME_ESC;
    r->escape = false;
  }
  if (r->n == sizeof r->bytes)
    r->wrong = true;
  else
    r->bytes[r->n++] = byte;
  return false;
}
