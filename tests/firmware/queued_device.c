/* SPDX-License-Identifier: Apache-2.0
 * The queue by hand: registers as the host wrote them, launches given to the model one by one. */
#include "tests/firmware/queued_device.h"
#include "tests/test.h"

#include <string.h>

#include <heddle/pages.h>

#define BAD (HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED)

static bool works(struct queued_device *q) {
  return q->left < 0 || q->left-- != 0;
}

static bool inner_reg(void *self, uint32_t reg, uint32_t value) {
  const struct queued_device *q = self;
  return q->inner.write32(q->inner.self, reg, value);
}

static bool host_reg(void *self, uint32_t reg, uint32_t *value) {
  const struct queued_device *q = self;
  *value = q->reg[reg / 4];
  return true;
}

static uint32_t inner_read(const struct queued_device *q, uint32_t reg) {
  uint32_t v = 0;
  assert_true(q->inner.read32(q->inner.self, reg, &v));
  return v;
}

/* The next number; without `how` it was given up. */
static void count_end(struct queued_device *q, uint32_t how, uint64_t cycles) {
  const uint32_t number = ++q->ended, at = number % HEDDLE_ENDED_KEPT;
  q->how[at] = number << HEDDLE_ENDED_HOW_NUMBER_SHIFT | how;
  q->cycles[at] = cycles;
}

static void begin_front(struct queued_device *q) {
  assert_int_equal(heddle_host_launch_write(&q->launch[0], inner_reg, q), HEDDLE_SUCCESS);
  assert_true(inner_reg(q, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START));
  q->begun = true;
}

static void end_front(struct queued_device *q) {
  if (!q->begun) begin_front(q);
  q->inner.wait(q->inner.self, 1);
  const uint32_t status = inner_read(q, HEDDLE_REG_STATUS);
  if ((status & HEDDLE_STATUS_RUNNING) != 0) {
    assert_int_not_equal(inner_read(q, HEDDLE_REG_FAULTS), 0);
    return;
  }
  q->begun = false;
  count_end(q, status & (BAD | HEDDLE_STATUS_DONE), inner_read(q, HEDDLE_REG_CYCLES));
  q->waiting--;
  memmove(q->launch, q->launch + 1, q->waiting * sizeof *q->launch);
  if (q->waiting == 0 || (status & BAD) != 0) q->status = status;
  if (q->waiting == 0) q->holds = q->frames = 0;
}

/* ---- frames */

static uint64_t inner_read64(const struct queued_device *q, uint32_t reg) {
  return (uint64_t)inner_read(q, reg + 4) << 32 | inner_read(q, reg);
}

static enum queued_step *step_of(struct queued_device *q, uint64_t entry) {
  const uint64_t at = entry & HEDDLE_ENTRY_PLACE;
  unsigned i = 0;
  while (i < q->frames && q->frame[i].at != at) i++;
  assert_true(i < QUEUED_FRAMES);
  if (i == q->frames) {
    q->frames++;
    q->frame[i].at = at;
    q->frame[i].step = QUEUED_UNKNOWN;
  }
  return &q->frame[i].step;
}

static bool is_page(uint64_t entry) {
  return (entry & HEDDLE_ENTRY_PRESENT) != 0 && (entry & HEDDLE_ENTRY_PAGE) != 0;
}

static void exchanged(struct queued_device *q) {
  const uint64_t entry = inner_read64(q, HEDDLE_REG_ENTRY_VALUE), old = inner_read64(q, HEDDLE_REG_ENTRY_OLD);
  assert_true(q->begun);
  if (is_page(old)) *step_of(q, old) = QUEUED_ABSENT;
  if (!is_page(entry)) return;
  assert_true(*step_of(q, entry) == QUEUED_UNKNOWN || *step_of(q, entry) == QUEUED_OUT);
  *step_of(q, entry) = QUEUED_MAPPED;
}

static void invalidated(struct queued_device *q) {
  q->invalidations++;
  for (unsigned i = 0; i < q->frames; i++)
    if (q->frame[i].step == QUEUED_ABSENT) q->frame[i].step = QUEUED_FORGOTTEN;
}

static void emptied(struct queued_device *q, uint32_t value) {
  const uint64_t base = (uint64_t)q->cache[1] << 32 | q->cache[0], limit = (uint64_t)q->cache[3] << 32 | q->cache[2];
  q->flushes++;
  assert_true(q->l2 != 0 && (value & HEDDLE_CONTROL_FLUSH) != 0 && (value & HEDDLE_CONTROL_EMPTY) != 0);
  for (unsigned i = 0; i < q->frames; i++) {
    if (q->frame[i].at < base || q->frame[i].at + HEDDLE_PAGE_SMALL > limit) continue;
    assert_true(q->frame[i].step == QUEUED_FORGOTTEN);
    q->frame[i].step = QUEUED_OUT;
    q->taken++;
  }
}

static void control_pages(struct queued_device *q, uint32_t value) {
  assert_true(inner_reg(q, HEDDLE_REG_CONTROL, value));
  if (value & HEDDLE_CONTROL_EXCHANGE) exchanged(q);
  if (value & HEDDLE_CONTROL_INVALIDATE) invalidated(q);
  if (value & (HEDDLE_CONTROL_FLUSH | HEDDLE_CONTROL_EMPTY)) emptied(q, value);
  q->replays += (value & (HEDDLE_CONTROL_REPLAY | HEDDLE_CONTROL_FAIL)) != 0;
}

/* Memory is the host's, but frames that may be a page's, here or in a cache. */
static void check_frames(const struct queued_device *q, uint64_t addr, uint64_t bytes) {
  for (unsigned i = 0; i < q->frames; i++)
    if (addr < q->frame[i].at + HEDDLE_PAGE_SMALL && addr + bytes > q->frame[i].at)
      assert_true(q->frame[i].step == QUEUED_OUT || q->frame[i].step == QUEUED_UNKNOWN);
}

/* ---- launches */

static void hold(struct queued_device *q, uint64_t at, uint64_t bytes) {
  assert_true(q->holds < QUEUED_HELD);
  q->held[q->holds].at = at;
  q->held[q->holds++].bytes = bytes;
}

static void start(struct queued_device *q) {
  if (q->race && q->waiting == 1) end_front(q);
  assert_true(q->waiting <= QUEUED_DEPTH); /* not full */
  struct heddle_host_launch *l = &q->launch[q->waiting];
  l->size = sizeof *l;
  assert_int_equal(heddle_host_launch_read(l, host_reg, q), HEDDLE_SUCCESS);
  hold(q, l->cbank_base[0], l->cbank_bytes[0]);
  hold(q, l->local_base, (uint64_t)l->local_bytes * 32 * 32);
  if (q->waiting == 0 || (q->status & BAD) == 0) q->status = HEDDLE_STATUS_RUNNING;
  q->waiting++;
  q->launches++;
}

static void abort_all(struct queued_device *q) {
  assert_true(inner_reg(q, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT));
  for (; q->waiting > 0; q->waiting--) count_end(q, 0, 0);
  q->status = 0;
  q->holds = q->frames = 0;
  q->begun = false;
}

static bool write32(void *self, uint32_t reg, uint32_t value) {
  struct queued_device *q = self;
  q->writes++;
  if (!works(q)) return false;
  if (reg == HEDDLE_REG_IRQ_MASK) {
    q->mask = value;
    q->mask_words++;
  }
  if (reg >= HEDDLE_REG_GRID_X && reg < HEDDLE_REG_LAUNCHES)
    q->reg[reg / 4] = value;
  else if (reg >= HEDDLE_REG_CACHE_BASE && reg < HEDDLE_REG_CACHE_LIMIT + 8)
    q->cache[(reg - HEDDLE_REG_CACHE_BASE) / 4] = value;
  else if (reg != HEDDLE_REG_CONTROL)
    return inner_reg(q, reg, value);
  else if (value == HEDDLE_CONTROL_ABORT)
    abort_all(q);
  else if (value == HEDDLE_CONTROL_START)
    start(q);
  else
    control_pages(q, value);
  return true;
}

static bool read32(void *self, uint32_t reg, uint32_t *value) {
  struct queued_device *q = self;
  q->reads++;
  if (!works(q)) return false;
  *value = inner_read(q, reg);
  if (reg == HEDDLE_REG_CAP_QUEUE) *value = QUEUED_DEPTH;
  if (reg == HEDDLE_REG_CAP_L2) *value = q->l2;
  if (reg == HEDDLE_REG_STATUS) *value = q->status;
  if (reg == HEDDLE_REG_LAUNCHES) *value = q->launches;
  if (reg == HEDDLE_REG_ENDED) *value = q->ended;
  for (unsigned i = 0; i < HEDDLE_ENDED_KEPT; i++) {
    if (reg == HEDDLE_REG_ENDED_HOW(i)) *value = q->how[i];
    if (reg == HEDDLE_REG_ENDED_CYCLES(i)) *value = (uint32_t)q->cycles[i];
  }
  if (reg >= HEDDLE_REG_TRAP_CAUSE && reg <= HEDDLE_REG_TRAP_SM && q->status == HEDDLE_STATUS_RUNNING) *value = 0;
  return true;
}

static bool read_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  struct queued_device *q = self;
  assert_true(q->waiting == 0 || q->begun);
  if (q->waiting > 0) check_frames(q, addr, bytes);
  return works(q) && q->inner.read(q->inner.self, addr, data, bytes);
}

static bool write_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  struct queued_device *q = self;
  for (unsigned i = 0; i < q->holds; i++)
    assert_true(addr + bytes <= q->held[i].at || addr >= q->held[i].at + q->held[i].bytes);
  if (q->waiting > 0) check_frames(q, addr, bytes);
  for (unsigned i = 0; i < q->waiting; i++)
    for (unsigned k = 0; k < HEDDLE_REGIONS; k++)
      assert_true(addr + bytes <= q->launch[i].region_base[k] || addr >= q->launch[i].region_limit[k]);
  return works(q) && q->inner.write(q->inner.self, addr, data, bytes);
}

static void wait_for(void *self, uint32_t microseconds) {
  struct queued_device *q = self;
  (void)microseconds;
  q->waits++;
  if (q->waiting > 0 && (q->status & BAD) == 0) end_front(q);
}

void queued_device_bind(struct queued_device *q, uint32_t before, struct heddle_port *port) {
  q->left = -1;
  q->launches = q->ended = before;
  *port = q->inner;
  port->self = q;
  port->read32 = read32;
  port->write32 = write32;
  port->read = read_memory;
  port->write = write_memory;
  port->wait = wait_for;
  port->verdict = NULL;
}
