/* SPDX-License-Identifier: Apache-2.0 */
#include "traces.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "cosim/trace/wire.h"
#include "base/splitmix64.h"

enum { HEAD = 5, MAGIC = 8, FOOTER = 24, SECTIONS_MAX = 4096, MEMORY_MAX = 1 << 22, BLOCKS_MAX = 1 << 16 };
/* Of a record (cosim/trace/writer.c): bytes before its body, and where these tell its size. */
enum { RECORD_HEAD = 12, RECORD_SIZE = 2 };
/* Places in the payload of a launch section (cosim/trace/writer.c). */
enum { LAUNCH_GRID = 0, LAUNCH_BYTES = 72, LAUNCH_FIXED = 80 };

struct section {
  size_t at, length; /* of the head; of the payload */
  uint8_t tag;
};

static uint64_t get(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n; i++) v |= (uint64_t)p[i] << 8 * i;
  return v;
}

static void put(uint8_t *p, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}

/* The section at `at`, whole; false at the end or where it is cut off. */
static bool section(const uint8_t *data, size_t size, size_t at, struct section *s) {
  if (size < HEAD || at > size - HEAD) return false;
  *s = (struct section){at, (size_t)get(data + at + 1, 4), data[at]};
  return s->length <= size - at - HEAD;
}

static size_t next(const struct section *s) {
  return s->at + HEAD + s->length;
}

bool trace_is_huge(const uint8_t *data, size_t size) {
  struct section s;
  for (size_t at = MAGIC; section(data, size, at, &s); at = next(&s)) {
    const uint8_t *p = data + at + HEAD;
    if (s.tag != TAG_LAUNCH || s.length < LAUNCH_FIXED) continue;
    uint64_t blocks = 1;
    for (unsigned i = 0; i < 3; i++) {
      const uint64_t n = get(p + LAUNCH_GRID + 4 * i, 4);
      blocks = n > BLOCKS_MAX ? BLOCKS_MAX + 1 : blocks * n;
      if (blocks > BLOCKS_MAX) return true;
    }
    if (get(p + LAUNCH_BYTES, 8) > MEMORY_MAX && get(p + LAUNCH_BYTES, 8) <= HEDDLE_TRACE_MEMORY_MAX) return true;
  }
  return false;
}

/* Recompute counts and checksum of the first footer. */
static void trace_mend(uint8_t *data, size_t size) {
  uint64_t sum = trace_sum(TRACE_SUM_START, data, size < MAGIC ? size : MAGIC), launches = 0, records = 0;
  struct section s;
  for (size_t at = MAGIC; section(data, size, at, &s); at = next(&s)) {
    launches += s.tag == TAG_LAUNCH;
    /* What a record says of its own size is right: else nothing after it would be reached. */
    if (s.tag == TAG_RECORD && s.length >= RECORD_HEAD)
      put(data + s.at + HEAD + RECORD_SIZE, s.length - RECORD_HEAD, 2);
    records += s.tag == TAG_RECORD;
    if (s.tag == TAG_FOOTER && s.length == FOOTER) {
      put(data + at + HEAD, launches, 8);
      put(data + at + HEAD + 8, records, 8);
      put(data + at + HEAD + 16, sum, 8);
      return;
    }
    sum = trace_sum(sum, data + at, HEAD);
    sum = trace_sum(sum, data + at + HEAD, s.length);
  }
}

/* Some section, each with the same chance. */
static bool pick(const uint8_t *data, size_t size, uint64_t *state, struct section *out) {
  struct section s;
  unsigned n = 0;
  for (size_t at = MAGIC; n < SECTIONS_MAX && section(data, size, at, &s); at = next(&s))
    if (splitmix64(state) % ++n == 0) *out = s;
  return n > 0;
}

/* The bytes of the section become `length` bytes: what follows moves. The new size, or 0 when there is no room. */
static size_t resize(uint8_t *data, size_t size, size_t most, const struct section *s, size_t length) {
  const size_t behind = next(s), room = size - s->length;
  if (length > most || room > most - length) return 0;
  memmove(data + s->at + HEAD + length, data + behind, size - behind);
  put(data + s->at + 1, length, 4);
  return room + length;
}

static size_t change(uint8_t *data, size_t size, size_t most, const struct section *s) {
  uint8_t copy[HEDDLE_TRACE_RECORD_MAX + 16];
  size_t n = s->length < HEDDLE_TRACE_RECORD_MAX ? s->length : HEDDLE_TRACE_RECORD_MAX;
  memcpy(copy, data + s->at + HEAD, n);
  const size_t to = LLVMFuzzerMutate(copy, n, s->length > n ? n : n + 16);
  const size_t length = s->length > n ? s->length : to; /* long ones keep their length */
  const size_t made = resize(data, size, most, s, length);
  if (made > 0) memcpy(data + s->at + HEAD, copy, to);
  return made;
}

static size_t drop(uint8_t *data, size_t size, const struct section *s) {
  memmove(data + s->at, data + next(s), size - next(s));
  return size - HEAD - s->length;
}

static size_t twice(uint8_t *data, size_t size, size_t most, const struct section *s) {
  const size_t n = HEAD + s->length;
  if (n > most - size) return 0;
  memmove(data + s->at + n, data + s->at, size - s->at);
  return size + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  uint64_t state = seed;
  struct section s = {0};
  size_t made = 0;
  const unsigned way = (unsigned)(splitmix64(&state) % 8);
  if (way > 0 && pick(data, size, &state, &s))
    made = way == 1 ? drop(data, size, &s) : way == 2 ? twice(data, size, most, &s) : change(data, size, most, &s);
  if (made == 0) made = LLVMFuzzerMutate(data, size, most);
  if (splitmix64(&state) % 16 != 0) trace_mend(data, made);
  return made;
}
