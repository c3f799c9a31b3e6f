/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program printed: first a buffer of 256 bytes, then global memory from 64 KiB on. All of it is text in the end,
 * of bounded length. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include <heddle/printf.h>

enum { BUFFER = 256, FIRST = 65536, CHARACTERS_MOST = 1 << 20 };

struct memory {
  const uint8_t *bytes;
  size_t size, characters;
};

static bool read(void *ctx, uint64_t addr, void *to, size_t bytes) {
  const struct memory *m = ctx;
  if (addr < FIRST || addr - FIRST > m->size || bytes > m->size - (addr - FIRST)) return false;
  memcpy(to, m->bytes + (addr - FIRST), bytes);
  return true;
}

static void put(void *ctx, const char *text, size_t bytes) {
  struct memory *m = ctx;
  for (size_t k = 0; k < bytes; k++) m->characters += text[k] != '\0' || bytes == 1 || k > 0 || text[0] == '\0';
}

int fuzz_printf(const uint8_t *data, size_t size) {
  static uint8_t konst[64] = "constant %d %s\n";
  const struct heddle_program p = {.konst = konst, .const_bytes = sizeof konst};
  const size_t n = size < BUFFER ? size : BUFFER;
  struct memory m = {.bytes = data + n, .size = size - n};
  const struct heddle_printf h = {.size = sizeof h, .program = &p, .read = read, .put = put, .ctx = &m};
  const struct heddle_printf_totals t = heddle_printf_text(&h, data, n);
  FUZZ_CHECK(t.messages <= BUFFER / 16, "more messages than there is room for");
  FUZZ_CHECK(m.characters <= (size_t)CHARACTERS_MOST * (t.messages + 1), "%zu characters", m.characters);
  return 0;
}
