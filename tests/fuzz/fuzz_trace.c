/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes into the reader of retire traces. Every record that it yields is written and read back: the same record.
 */
#include <stdio.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include <heddle/trace.h>
#include "tests/fuzz/traces.h"

static void check_record(const struct heddle_retire_record *r, const struct heddle_trace_header *h) {
  uint8_t bytes[HEDDLE_TRACE_RECORD_MAX];
  struct heddle_retire_record back;
  struct heddle_message msg;
  const size_t n = heddle_trace_encode(r, h, 0, bytes);
  FUZZ_CHECK(n > 0 && n <= sizeof bytes, "a record of kind %u cannot be written", r->kind);
  FUZZ_CHECK(heddle_trace_decode(bytes, n, h, 0, &back, &msg) == HEDDLE_SUCCESS,
             "a written record of kind %u cannot be read: %s", r->kind, msg.text);
  FUZZ_CHECK(memcmp(r, &back, sizeof back) == 0, "a record of kind %u comes back changed", r->kind);
}

static void check_launch(const struct heddle_trace_reader *t) {
  const struct heddle_launch *l = heddle_trace_launched(t);
  uint64_t bytes = 0;
  FUZZ_CHECK(heddle_trace_memory(t, &bytes) != NULL && bytes <= HEDDLE_TRACE_MEMORY_MAX, "a launch without memory");
  FUZZ_CHECK(l->code != NULL && l->code_bytes % ISA_WORD_BYTES == 0, "a launch without code");
  for (unsigned i = 0; i < 4; i++)
    FUZZ_CHECK((l->cbank_bytes[i] == 0) == (l->cbank[i] == NULL), "constant bank %u has a size and no bytes", i);
}

int fuzz_trace(const uint8_t *data, size_t size) {
  struct heddle_message msg;
  if (trace_is_huge(data, size)) return 0;
  struct heddle_trace_reader *t;
  const enum heddle_error error = heddle_trace_open(fuzz_file("fuzz.trace", data, size), &t, &msg);
  FUZZ_CHECK((error == HEDDLE_SUCCESS) == (msg.text[0] == '\0'), "refused without a word, or the reverse");
  if (error != HEDDLE_SUCCESS) return 0;
  const struct heddle_trace_header *h = heddle_trace_read_header(t);
  struct heddle_retire_record r;
  for (;;) {
    const enum heddle_trace_item item = heddle_trace_next(t, &r);
    if (item == HEDDLE_TRACE_LAUNCH) check_launch(t);
    if (item == HEDDLE_TRACE_RECORD) check_record(&r, h);
    FUZZ_CHECK((item == HEDDLE_TRACE_ERROR) == (heddle_trace_error(t)[0] != '\0'),
               "an error without a word, or the reverse");
    if (item == HEDDLE_TRACE_DONE || item == HEDDLE_TRACE_ERROR) break;
  }
  heddle_trace_free(t);
  return 0;
}
