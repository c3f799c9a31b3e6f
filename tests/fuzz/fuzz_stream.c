/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes into the decoder of streams: as they are, and as what is in frames whose numbers and check words are right,
 * since chance finds none. However the bytes are cut, the same comes of them; what comes can be written into a trace.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "heddle/retire_stream.h"
#include "heddle/stream.h"
#include "heddle/trace.h"

enum { FRAMES_MAX = 64, PAYLOAD_MAX = 700 };

static uint32_t check_word(const uint8_t *p, size_t n) {
  uint32_t crc = UINT32_MAX;
  for (; n > 0; p++, n--) {
    crc ^= *p;
    for (unsigned i = 0; i < 8; i++) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

static size_t escaped(uint8_t *to, const uint8_t *p, size_t n) {
  size_t at = 0;
  for (size_t i = 0; i < n; i++) {
    const bool flag = p[i] == 0xc0, esc = p[i] == 0xdb;
    if (flag || esc) to[at++] = 0xdb;
    to[at++] = flag ? 0xdc : esc ? 0xdd : p[i];
  }
  to[at++] = 0xc0;
  return at;
}

/* A frame: its type, then what is in it; a start gets the format that is read here. */
static size_t frame(uint8_t *to, unsigned type, uint32_t number, const uint8_t *p, size_t n) {
  uint8_t f[PAYLOAD_MAX + 16];
  f[0] = (uint8_t)(16u | (type & 15u));
  for (unsigned i = 0; i < 4; i++) f[1 + i] = (uint8_t)(number >> 8 * i);
  memcpy(f + 5, p, n);
  if (type == 2 && n == 10)
    for (unsigned i = 0; i < 4; i++) f[5 + i] = (uint8_t)(STREAM_FORMAT >> 8 * i);
  const uint32_t check = check_word(f, 5 + n);
  for (unsigned i = 0; i < 4; i++) f[5 + n + i] = (uint8_t)(check >> 8 * i);
  return escaped(to, f, 9 + n);
}

/* Type (1), length (2), bytes; again. */
static uint8_t *framed(const uint8_t *data, size_t size, size_t *out) {
  uint8_t *to = malloc(2 * size + FRAMES_MAX * 32 + 64);
  size_t at = 0;
  uint32_t number = 0;
  while (to != NULL && size >= 3 && number < FRAMES_MAX) {
    size_t n = (size_t)data[1] | (size_t)data[2] << 8;
    const unsigned type = data[0];
    data += 3;
    size -= 3;
    if (n > size) n = size;
    if (n > PAYLOAD_MAX) n = PAYLOAD_MAX;
    at += frame(to + at, type, number++, data, n);
    data += n;
    size -= n;
  }
  *out = at;
  return to;
}

static void check_record(const struct retire_record *r, unsigned lanes) {
  const struct trace_header h = {.lanes = lanes, .hidden = RECORD_HIDDEN_P1};
  uint8_t bytes[TRACE_RECORD_MAX];
  struct retire_record back;
  char why[128];
  const size_t n = trace_encode(r, &h, r->cycle, bytes);
  FUZZ_CHECK(n > 0, "a record of kind %u cannot be written", r->kind);
  FUZZ_CHECK(trace_decode(bytes, n, &h, r->cycle, &back, why, sizeof why), "a record of kind %u is refused: %s",
             r->kind, why);
}

/* A number for all that came. */
static uint64_t decode(const uint8_t *p, size_t n, size_t step, struct stream_state *out) {
  struct stream_decoder *d = stream_new();
  struct retire_record r;
  uint64_t sum = 0, given = 0;
  FUZZ_CHECK(d != NULL, "no memory");
  stream_launch(d);
  for (size_t at = 0; at < n;) {
    const size_t part = n - at < step ? n - at : step, took = stream_give(d, p + at, part);
    FUZZ_CHECK(took != 0 && took <= part, "%zu of %zu bytes are taken", took, part);
    at += took;
    while (stream_next(d, &r)) {
      FUZZ_CHECK(!stream_look(d)->lost, "a record behind a loss");
      check_record(&r, stream_look(d)->lanes);
      sum = sum * 31 + r.kind + r.cycle + r.u.write.mask;
      given++;
    }
  }
  stream_over(d);
  *out = *stream_look(d);
  FUZZ_CHECK(out->lost || (out->ended && given == out->records), "neither whole nor lost");
  char text[256];
  stream_text(d, text, sizeof text);
  FUZZ_CHECK(text[0] != '\0', "no word of it");
  stream_free(d);
  return sum;
}

static void both_ways(const uint8_t *p, size_t n) {
  struct stream_state whole, cut;
  const uint64_t sum = decode(p, n, n + 1, &whole);
  FUZZ_CHECK(sum == decode(p, n, 3, &cut), "other records when the bytes come three by three");
  FUZZ_CHECK(whole.lost == cut.lost && whole.records == cut.records && strcmp(whole.why, cut.why) == 0,
             "another verdict when the bytes come three by three");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t n;
  both_ways(data, size);
  uint8_t *p = framed(data, size, &n);
  if (p != NULL) both_ways(p, n);
  free(p);
  return 0;
}
