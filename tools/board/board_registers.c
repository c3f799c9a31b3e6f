/* SPDX-License-Identifier: Apache-2.0
 * The registers of a core at the other end of a line. */
#include "board_registers.h"

#include <stdio.h>

#include <heddle/host_regs.h>

enum { POLLS = 100, POLL_MS = 5, FIRST = HEDDLE_REG_GRID_X, ROUNDS = 3 };

struct tried {
  struct board *b;
  char *seen;
  size_t size;
};

static bool answered(struct tried *t, enum board_status s) {
  if (s != BOARD_OK) snprintf(t->seen, t->size, "%s: %s", board_status_text(s), board_link_message(t->b->link));
  return s == BOARD_OK;
}

/* Of each its own value in the last round, so that one that lands elsewhere shows; zeros behind it. */
static uint32_t test_value(uint32_t reg, unsigned round) {
  static const uint32_t pattern[] = {0xffffffff, 0x55555555};
  return round < 2 ? pattern[round] : round < ROUNDS ? (reg + 1) * 0x9e3779b9u : 0;
}

/* Every register of a launch; *count of them. */
static bool hold(struct tried *t, unsigned round, unsigned *count) {
  uint32_t kept, got = 0;
  for (uint32_t r = FIRST; r < HEDDLE_REG_LAUNCHES; r += 4)
    if (heddle_host_regs_kept(r, 0, &kept) && !answered(t, board_link_write32(t->b->link, r, test_value(r, round))))
      return false;
  *count = 0;
  for (uint32_t r = FIRST; r < HEDDLE_REG_LAUNCHES; r += 4) {
    if (!heddle_host_regs_kept(r, test_value(r, round), &kept)) continue;
    if (!answered(t, board_link_read32(t->b->link, r, &got))) return false;
    ++*count;
    if (got == kept) continue;
    snprintf(t->seen, t->size, "0x%03x holds 0x%08x, not 0x%08x", r, got, kept);
    return false;
  }
  return true;
}

/* A launch of no blocks: a core refuses it, registers alone run it. */
static bool grid(struct tried *t, bool *core) {
  const uint32_t refused = HEDDLE_STATUS_REFUSED | HEDDLE_REFUSE_GRID << HEDDLE_STATUS_REFUSE_SHIFT;
  const uint32_t ends = HEDDLE_STATUS_DONE | HEDDLE_STATUS_REFUSED | HEDDLE_STATUS_TRAPPED;
  uint32_t status = 0;
  if (!answered(t, board_link_write32(t->b->link, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START))) return false;
  for (unsigned i = 0; i < POLLS && !(status & ends); i++) {
    if (!answered(t, board_link_poll(t->b->link, POLL_MS))) return false;
    if (!answered(t, board_link_read32(t->b->link, HEDDLE_REG_STATUS, &status))) return false;
  }
  if (!answered(t, board_link_write32(t->b->link, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT))) return false;
  *core = status == refused;
  if (status == refused || status == HEDDLE_STATUS_DONE) return true;
  snprintf(t->seen, t->size, "STATUS 0x%x after a grid of no blocks", status);
  return false;
}

bool board_registers(struct board *b, bool *core, char *seen, size_t size) {
  struct tried t = {b, seen, size};
  uint32_t id = 0, version = 0;
  if (!answered(&t, board_link_read32(b->link, HEDDLE_REG_ID, &id))) return false;
  if (!answered(&t, board_link_read32(b->link, HEDDLE_REG_VERSION, &version))) return false;
  if (id != HEDDLE_ID || version >> 16 != HEDDLE_VERSION >> 16) {
    snprintf(seen, size, "ID 0x%08x, version 0x%x: these are no core's of this release", id, version);
    return false;
  }
  unsigned count = 0;
  for (unsigned round = 0; round <= ROUNDS; round++)
    if (!hold(&t, round, &count)) return false;
  if (!grid(&t, core)) return false;
  snprintf(seen, size, "%u hold %u values each; %s", count, ROUNDS + 1u,
           *core ? "the core refuses a grid of no blocks" : "a grid began and ended; there is no core behind them");
  return true;
}
