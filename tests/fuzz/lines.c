/* SPDX-License-Identifier: Apache-2.0
 *
 * A mutator for languages of lines: doubles and drops lines, and repeats a character up to where names and
 * lists have their limits. Every other time libFuzzer's own mutations.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "base/splitmix64.h"

enum { REPEAT_MAX = 300 };

struct piece {
  size_t at, size;
};

/* The line that holds byte `at`, with its newline. */
static struct piece line_of(const uint8_t *data, size_t size, size_t at) {
  size_t first = at, end = at;
  while (first > 0 && data[first - 1] != '\n') first--;
  while (end < size && data[end] != '\n') end++;
  return (struct piece){first, (end < size ? end + 1 : end) - first};
}

static size_t drop(uint8_t *data, size_t size, struct piece p) {
  memmove(data + p.at, data + p.at + p.size, size - p.at - p.size);
  return size - p.size;
}

/* A copy of the line in front of the line `to`. */
static size_t copy(uint8_t *data, size_t size, size_t most, struct piece p, size_t to) {
  uint8_t line[512];
  if (p.size > sizeof line || p.size > most - size) return 0;
  memcpy(line, data + p.at, p.size);
  memmove(data + to + p.size, data + to, size - to);
  memcpy(data + to, line, p.size);
  return size + p.size;
}

static size_t repeat(uint8_t *data, size_t size, size_t most, size_t at, size_t times) {
  if (times > most - size) times = most - size;
  memmove(data + at + times, data + at, size - at);
  memset(data + at, data[at + times], times);
  return size + times;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  uint64_t state = seed;
  size_t made = 0;
  const unsigned way = (unsigned)(splitmix64(&state) % 8);
  if (way < 4 && size > 0 && size <= most) {
    const size_t at = (size_t)(splitmix64(&state) % size);
    const struct piece p = line_of(data, size, at);
    const size_t to = line_of(data, size, (size_t)(splitmix64(&state) % size)).at;
    const size_t few = (size_t)(splitmix64(&state) % 4) + 1, many = (size_t)(splitmix64(&state) % REPEAT_MAX) + 1;
    if (way == 0) made = drop(data, size, p);
    if (way == 1 || way == 2) made = copy(data, size, most, p, to);
    if (way == 3) made = repeat(data, size, most, at, (splitmix64(&state) & 1) != 0 ? few : many);
  }
  return made > 0 ? made : LLVMFuzzerMutate(data, size, most);
}
