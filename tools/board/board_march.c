/* SPDX-License-Identifier: Apache-2.0
 * The march test of a board. */
#include "board_march.h"

#include <inttypes.h>
#include <stdio.h>

enum { REG_ID = 0, REG_START = 4, REG_WORDS = 8, REG_ERRORS = 12, REG_FIRST = 16, REG_WANT = 20, REG_GOT = 28 };
enum { MARCH_ID = 0x4d524348, DONE = 2, PATTERNS = 7, POLL_MS = 20 };

struct march {
  struct board *b;
  char *seen;
  size_t size;
};

static bool answered(struct march *m, enum board_status s) {
  if (s != BOARD_OK) snprintf(m->seen, m->size, "%s: %s", board_status_text(s), board_link_message(m->b->link));
  return s == BOARD_OK;
}

static bool read64(struct march *m, uint32_t reg, uint64_t *value) {
  uint32_t low = 0, high = 0;
  if (!answered(m, board_link_read32(m->b->link, reg, &low)) ||
      !answered(m, board_link_read32(m->b->link, reg + 4, &high)))
    return false;
  *value = low | (uint64_t)high << 32;
  return true;
}

static bool pattern(struct march *m, unsigned number) {
  uint32_t status = 0, errors = 0, first = 0;
  uint64_t want = 0, got = 0;
  if (!answered(m, board_link_write32(m->b->link, REG_START, number))) return false;
  while (!(status & DONE)) {
    if (!answered(m, board_link_poll(m->b->link, POLL_MS))) return false;
    if (!answered(m, board_link_read32(m->b->link, REG_START, &status))) return false;
  }
  if (!answered(m, board_link_read32(m->b->link, REG_ERRORS, &errors))) return false;
  if (errors == 0) return true;
  if (!answered(m, board_link_read32(m->b->link, REG_FIRST, &first)) || !read64(m, REG_WANT, &want) ||
      !read64(m, REG_GOT, &got))
    return false;
  snprintf(m->seen, m->size,
           "pattern %u: %u words differ, the first at 0x%08x: expected %016" PRIx64 ", got %016" PRIx64, number, errors,
           first, want, got);
  return false;
}

bool board_march(struct board *b, uint64_t words, char *seen, size_t size) {
  struct march m = {b, seen, size};
  uint32_t id = 0;
  if (!answered(&m, board_link_read32(b->link, REG_ID, &id))) return false;
  if (id != MARCH_ID) {
    snprintf(seen, size, "this board has no march test (it answers 0x%08x)", id);
    return false;
  }
  if (words > b->id.memory_bytes / 8) words = b->id.memory_bytes / 8;
  if (!answered(&m, board_link_write32(b->link, REG_WORDS, (uint32_t)words))) return false;
  for (unsigned i = 0; i < PATTERNS; i++)
    if (!pattern(&m, i)) return false;
  snprintf(seen, size, "%" PRIu64 " words, %u patterns, no difference", words, (unsigned)PATTERNS);
  return true;
}
