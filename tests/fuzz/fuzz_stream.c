/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes into the decoder of streams: as they are, and as what is in frames whose numbers and check words are right,
 * since chance finds none. However the bytes are cut, the same comes of them; what comes can be written into a trace.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include <heddle/retire_stream.h>
#include "cosim/trace/stream.h"
#include <heddle/trace.h>

static void check_record(const struct heddle_retire_record *r, unsigned lanes) {
  const struct heddle_trace_header h = {.size = sizeof h, .lanes = lanes, .hidden = HEDDLE_RECORD_HIDDEN_P1};
  uint8_t bytes[HEDDLE_TRACE_RECORD_MAX];
  struct heddle_retire_record back;
  struct heddle_message msg;
  const size_t n = heddle_trace_encode(r, &h, r->cycle, bytes);
  FUZZ_CHECK(n > 0, "a record of kind %u cannot be written", r->kind);
  FUZZ_CHECK(heddle_trace_decode(bytes, n, &h, r->cycle, &back, &msg) == HEDDLE_SUCCESS,
             "a record of kind %u is refused: %s", r->kind, msg.text);
}

/* A number for all that came. */
static uint64_t decode(const uint8_t *p, size_t n, size_t step, struct stream_state *out) {
  struct stream_decoder *d = heddle_stream_new();
  struct heddle_retire_record r;
  uint64_t sum = 0, given = 0;
  FUZZ_CHECK(d != NULL, "no memory");
  heddle_stream_launch(d);
  for (size_t at = 0; at < n;) {
    const size_t part = n - at < step ? n - at : step, took = heddle_stream_give(d, p + at, part);
    FUZZ_CHECK(took != 0 && took <= part, "%zu of %zu bytes are taken", took, part);
    at += took;
    while (heddle_stream_next(d, &r)) {
      FUZZ_CHECK(!heddle_stream_look(d)->lost, "a record behind a loss");
      check_record(&r, heddle_stream_look(d)->lanes);
      sum = sum * 31 + r.kind + r.cycle + r.u.write.mask;
      given++;
    }
  }
  heddle_stream_over(d);
  *out = *heddle_stream_look(d);
  FUZZ_CHECK(out->lost || (out->ended && given == out->records), "neither whole nor lost");
  char text[256];
  heddle_stream_text(d, text, sizeof text);
  FUZZ_CHECK(text[0] != '\0', "no word of it");
  heddle_stream_free(d);
  return sum;
}

static void both_ways(const uint8_t *p, size_t n) {
  struct stream_state whole, cut;
  const uint64_t sum = decode(p, n, n + 1, &whole);
  FUZZ_CHECK(sum == decode(p, n, 3, &cut), "other records when the bytes come three by three");
  FUZZ_CHECK(whole.lost == cut.lost && whole.records == cut.records && strcmp(whole.why, cut.why) == 0,
             "another verdict when the bytes come three by three");
}

int fuzz_stream(const uint8_t *data, size_t size) {
  size_t n;
  both_ways(data, size);
  uint8_t *p = fuzz_framed(data, size, HEDDLE_STREAM_FORMAT, HEDDLE_STREAM_PROFILE, &n);
  if (p != NULL) both_ways(p, n);
  free(p);
  return 0;
}
