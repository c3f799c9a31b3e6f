/* SPDX-License-Identifier: Apache-2.0
 *
 * The queue in between (session_between.h).
 */
#include "tests/cosim/session/session_between.h"

#include <string.h>

#include "tests/test.h"

#define SLOTS (HEDDLE_ENDED_KEPT + 1)
#define LOOK 16u /* cycles */

static struct queue_between *asked;

static const struct heddle_dut_info *info(void) {
  return heddle_dut_describe(asked->device);
}

static uint32_t under_way(const struct queue_between *b) {
  return b->launches - b->ended + (b->stopped ? 1 : 0);
}

static bool is_launch(uint32_t reg) {
  return reg >= HEDDLE_REG_GRID_X && reg < HEDDLE_REG_GRID_X + 4 * QUEUE_WORDS;
}

/* A word that is no launch register is written all the same: it is dropped. */
static bool begin(struct queue_between *b) {
  const uint32_t number = b->ended + 1;
  bool ok = true;
  for (uint32_t i = 0; ok && i < QUEUE_WORDS; i++) {
    const uint32_t reg = HEDDLE_REG_GRID_X + 4 * i;
    uint32_t value = b->slot[number % SLOTS][i];
    if (number == b->number && b->wrong == QUEUE_OTHER_GRID && reg == HEDDLE_REG_GRID_X) value++;
    ok = reg >= HEDDLE_REG_CACHE_COUNTER(0) && reg < HEDDLE_REG_REGION_BASE(0)
             ? true
             : heddle_dut_write32(b->device, reg, value);
  }
  b->running = true;
  return ok && heddle_dut_write32(b->device, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
}

/* The one in front may have ended: then the next begins. */
static bool look(struct queue_between *b) {
  uint32_t status = 0, lo = 0, hi = 0;
  if (!b->running) return true;
  if (!heddle_dut_read32(b->device, HEDDLE_REG_STATUS, &status)) return false;
  if ((status & (HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED)) == 0) return true;
  if (!heddle_dut_read32(b->device, HEDDLE_REG_CYCLES, &lo) || !heddle_dut_read32(b->device, HEDDLE_REG_CYCLES_HI, &hi))
    return false;
  const uint32_t number = ++b->ended, at = number % HEDDLE_ENDED_KEPT;
  const bool errs = number == b->number;
  b->how[at] = (number + (errs && b->wrong == QUEUE_OTHER_NUMBER)) << 8 | (status & 15);
  if (errs && b->wrong == QUEUE_OTHER_HOW) b->how[at] ^= HEDDLE_STATUS_DONE;
  b->cycles[at] = ((uint64_t)hi << 32 | lo) + (errs && b->wrong == QUEUE_OTHER_CYCLES ? 5000 : 0);
  b->running = false;
  b->stopped = (status & HEDDLE_STATUS_DONE) == 0;
  if (b->number == number + 1 && b->wrong == QUEUE_LEFT_OUT && b->launches > number) {
    b->ended++;
    b->how[b->ended % HEDDLE_ENDED_KEPT] = b->ended << 8 | HEDDLE_STATUS_DONE;
  }
  return b->stopped || b->launches == b->ended || begin(b);
}

static void drop(struct queue_between *b) {
  b->ended = b->launches;
  b->running = b->stopped = false;
}

static void reset(void *self) {
  struct queue_between *b = self;
  heddle_dut_reset(b->device);
  drop(b);
  b->launches = b->ended = 0;
  memset(b->stage, 0, sizeof b->stage);
}

static bool control(struct queue_between *b, uint32_t what) {
  if ((what & HEDDLE_CONTROL_ABORT) != 0) {
    drop(b);
    return heddle_dut_write32(b->device, HEDDLE_REG_CONTROL, what);
  }
  if ((what & HEDDLE_CONTROL_START) == 0 || under_way(b) == SLOTS) return true;
  const bool waits = b->launches != b->ended;
  memcpy(b->slot[++b->launches % SLOTS], b->stage, sizeof b->stage);
  if (!waits) b->stopped = false; /* a launch from idle */
  if (under_way(b) > b->most) b->most = under_way(b);
  return waits || begin(b);
}

static bool host_write(void *self, uint32_t addr, uint32_t data) {
  struct queue_between *b = self;
  if (is_launch(addr)) b->stage[(addr - HEDDLE_REG_GRID_X) / 4] = data;
  if (is_launch(addr)) return look(b);
  return look(b) && (addr == HEDDLE_REG_CONTROL ? control(b, data) : heddle_dut_write32(b->device, addr, data));
}

static uint32_t status_of(const struct queue_between *b, uint32_t status) {
  const uint32_t n = under_way(b);
  if (b->running) status = HEDDLE_STATUS_RUNNING;
  if (n > 1) status |= HEDDLE_STATUS_WAITING;
  return n == SLOTS ? status | HEDDLE_STATUS_FULL : status;
}

static bool host_read(void *self, uint32_t addr, uint32_t *data) {
  struct queue_between *b = self;
  const uint32_t at = (addr - HEDDLE_REG_ENDED_CYCLES(0)) / 16 % HEDDLE_ENDED_KEPT, word = addr % 16;
  if (!look(b) || !heddle_dut_read32(b->device, addr, data)) return false;
  if (addr == HEDDLE_REG_STATUS) *data = status_of(b, *data);
  if (addr == HEDDLE_REG_CAP_QUEUE) *data = HEDDLE_ENDED_KEPT;
  if (addr == HEDDLE_REG_LAUNCHES) *data = b->launches;
  if (addr == HEDDLE_REG_ENDED) *data = b->ended;
  if (addr < HEDDLE_REG_ENDED_CYCLES(0) || addr >= HEDDLE_REG_ENDED_CYCLES(0) + 16 * HEDDLE_ENDED_KEPT) return true;
  *data = word == 0 ? (uint32_t)b->cycles[at] : word == 4 ? (uint32_t)(b->cycles[at] >> 32) : b->how[at];
  return true;
}

static uint64_t step(void *self, uint64_t cycles) {
  struct queue_between *b = self;
  const uint64_t n = cycles < LOOK ? cycles : LOOK, done = heddle_dut_step(b->device, n);
  return look(b) ? done : 0;
}
static const struct heddle_retire_record *records(void *self, size_t *count) {
  return heddle_dut_records(((struct queue_between *)self)->device, count);
}
static const struct heddle_retire_record *take(void *self, size_t *count) {
  return heddle_dut_records_take(((struct queue_between *)self)->device, count);
}
static void clear(void *self) {
  heddle_dut_records_clear(((struct queue_between *)self)->device);
}
static struct heddle_axi_mem *memory(void *self) {
  return (struct heddle_axi_mem *)heddle_dut_memory(((struct queue_between *)self)->device);
}
static uint64_t cycle(void *self) {
  return heddle_dut_cycle(((struct queue_between *)self)->device);
}
static const char *failure(void *self) {
  return heddle_dut_failure(((struct queue_between *)self)->device);
}

static const struct heddle_dut_ops ops = {.abi = HEDDLE_DUT_ABI,
                                          .info = info,
                                          .reset = reset,
                                          .host_write = host_write,
                                          .host_read = host_read,
                                          .step = step,
                                          .records = records,
                                          .take = take,
                                          .clear = clear,
                                          .memory = memory,
                                          .cycle = cycle,
                                          .failure = failure};

struct heddle_dut *queue_between_open(struct queue_between *b, const char *config, uint64_t base, uint64_t bytes,
                                      uint64_t seed) {
  struct heddle_axi_mem_config m = {.size = sizeof m, .base = base, .bytes = bytes};
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = seed, .records = true};
  heddle_axi_mem_adversarial(&m, seed);
  asked = b;
  struct heddle_message msg;
  if (heddle_dut_open(NULL, "verilator", config, &o, &b->device, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  return heddle_dut_wrap(&ops, b);
}

void queue_between_close(struct queue_between *b, struct heddle_dut *d) {
  heddle_dut_free(d);
  heddle_dut_free(b->device);
}
