/* SPDX-License-Identifier: Apache-2.0
 * The registers of a core at the other end of a line. */
#include "board_registers.h"

#include <stdio.h>

#include <heddle/host_regs.h>
#include "tools/tool.h"

enum { POLLS = 100, POLL_MS = 5, FIRST = HEDDLE_REG_GRID_X, ROUNDS = 3 };

static bool answered(struct board *b, enum board_status s) {
  if (s != BOARD_OK) tool_error("registers: %s: %s", board_status_text(s), board_link_message(b->link));
  return s == BOARD_OK;
}

/* Of each its own value in the last round, so that one that lands elsewhere shows; zeros behind it. */
static uint32_t value(uint32_t reg, unsigned round) {
  static const uint32_t pattern[] = {0xffffffff, 0x55555555};
  return round < 2 ? pattern[round] : round < ROUNDS ? (reg + 1) * 0x9e3779b9u : 0;
}

/* Every register of a launch; *count of them. */
static bool hold(struct board *b, unsigned round, unsigned *count) {
  uint32_t kept, got = 0;
  for (uint32_t r = FIRST; r < HEDDLE_REG_LAUNCHES; r += 4)
    if (heddle_host_regs_kept(r, 0, &kept) && !answered(b, board_link_write32(b->link, r, value(r, round))))
      return false;
  *count = 0;
  for (uint32_t r = FIRST; r < HEDDLE_REG_LAUNCHES; r += 4) {
    if (!heddle_host_regs_kept(r, value(r, round), &kept)) continue;
    if (!answered(b, board_link_read32(b->link, r, &got))) return false;
    ++*count;
    if (got == kept) continue;
    printf("registers: 0x%03x holds 0x%08x, not 0x%08x\n", r, got, kept);
    return false;
  }
  return true;
}

/* A launch of no blocks: a core refuses it, registers alone run it. */
static bool grid(struct board *b) {
  const uint32_t refused = HEDDLE_STATUS_REFUSED | HEDDLE_REFUSE_GRID << HEDDLE_STATUS_REFUSE_SHIFT;
  const uint32_t ends = HEDDLE_STATUS_DONE | HEDDLE_STATUS_REFUSED | HEDDLE_STATUS_TRAPPED;
  uint32_t status = 0;
  if (!answered(b, board_link_write32(b->link, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START))) return false;
  for (unsigned i = 0; i < POLLS && !(status & ends); i++) {
    if (!answered(b, board_link_poll(b->link, POLL_MS))) return false;
    if (!answered(b, board_link_read32(b->link, HEDDLE_REG_STATUS, &status))) return false;
  }
  if (!answered(b, board_link_write32(b->link, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT))) return false;
  if (status == refused)
    printf("registers: the core refuses a grid of no blocks\n");
  else if (status == HEDDLE_STATUS_DONE)
    printf("registers: a grid began and ended; there is no core behind them\n");
  else
    printf("registers: STATUS 0x%x after a grid of no blocks\n", status);
  return status == refused || status == HEDDLE_STATUS_DONE;
}

bool board_registers(struct board *b) {
  uint32_t id = 0, version = 0;
  if (!answered(b, board_link_read32(b->link, HEDDLE_REG_ID, &id))) return false;
  if (!answered(b, board_link_read32(b->link, HEDDLE_REG_VERSION, &version))) return false;
  if (id != HEDDLE_ID || version >> 16 != HEDDLE_VERSION >> 16) {
    tool_error("registers: ID 0x%08x, version 0x%x: these are no core's of this release", id, version);
    return false;
  }
  unsigned count = 0;
  for (unsigned round = 0; round <= ROUNDS; round++)
    if (!hold(b, round, &count)) return false;
  printf("registers: %u hold %u values each\n", count, ROUNDS + 1u);
  return grid(b);
}
