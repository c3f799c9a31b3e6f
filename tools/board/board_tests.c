/* SPDX-License-Identifier: Apache-2.0
 * What a board is asked to do: a case of a kernel, a march test of its memory, its registers. */
#include "board_tests.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/host_regs.h>
#include "run/cases/kernel_run.h"
#include "run/command/tool.h"

/* A case of a kernel on a device of the driver's. */

enum { LOCAL_ALIGN = 128 };

bool board_program_save(const struct heddle_program *p, char path[TEMPORARY_PATH]) {
  struct heddle_message m;
  if (!p || !temporary_file(path, "board")) return false;
  if (heddle_program_save(p, path, &m) == HEDDLE_SUCCESS) return true;
  tool_message(NULL, &m);
  temporary_remove(path);
  return false;
}

bool board_kernel_save(const struct kernel_info *k, enum kernel_form form, char path[TEMPORARY_PATH]) {
  char folder[4096];
  if (!data_path("kernels", folder, sizeof folder)) return false;
  const struct source_options with = {.target = HEDDLE_PTX_TARGET_RTL, .level = 1, .config = NULL};
  struct heddle_program *p = kernel_program(folder, k, form, &with);
  const bool ok = board_program_save(p, path);
  heddle_program_free(p);
  return ok;
}

struct running {
  struct heddle_context *context;
  struct heddle_module *module;
  const struct kernel_case *k;
  uint64_t at[KERNEL_BUFFERS];
  struct board_patience *patience;
  struct board_totals *totals;
  bool lacking;
  char *why;
  size_t bytes;
};

static bool ok(struct running *r, enum heddle_error e, const char *doing) {
  if (e == HEDDLE_SUCCESS) return true;
  r->lacking = e == HEDDLE_ERROR_NOT_SUPPORTED || e == HEDDLE_ERROR_LAUNCH_LIMITS;
  snprintf(r->why, r->bytes, "%s: %s: %s", doing, heddle_error_text(e), heddle_context_message(r->context));
  return false;
}

static bool send_buffers(struct running *r) {
  for (unsigned i = 0; i < r->k->buffers; i++) {
    const struct kernel_buffer *b = &r->k->buffer[i];
    if (!ok(r, heddle_mem_alloc(r->context, b->bytes, &r->at[i]), "memory")) return false;
    if (!ok(r, heddle_memcpy_to_device(r->context, r->at[i], b->init, b->bytes), "to the board")) return false;
  }
  return true;
}

/* What a launch's arguments are, and its dynamic shared memory, behind what the kernel has of its own. */
static uint32_t arguments(const struct running *r, const struct kernel_launch *l, uint32_t shared,
                          uint64_t value[KERNEL_ARGS], void *param[KERNEL_ARGS]) {
  uint32_t end = shared;
  for (unsigned i = 0; i < l->args; i++) {
    const struct kernel_arg *a = &l->arg[i];
    value[i] = a->kind == KERNEL_ARG_BUFFER ? r->at[a->buffer] : a->scalar;
    if (a->kind == KERNEL_ARG_LOCAL) {
      value[i] = (end + LOCAL_ALIGN - 1) / LOCAL_ALIGN * LOCAL_ALIGN;
      end = (uint32_t)value[i] + a->bytes;
    }
    param[i] = &value[i];
  }
  return end - shared;
}

static bool start_kernel(struct running *r, const struct kernel_launch *l) {
  struct heddle_function *f;
  struct heddle_function_info info;
  struct heddle_statistics s;
  uint64_t value[KERNEL_ARGS];
  void *param[KERNEL_ARGS];
  if (!ok(r, heddle_module_function(r->module, l->entry, &f), l->entry)) return false;
  if (!ok(r, heddle_function_describe(f, &info), l->entry)) return false;
  const uint32_t dynamic = arguments(r, l, info.shared_bytes, value, param);
  if (!ok(r,
          heddle_function_launch(f, (struct heddle_size){l->grid[0], l->grid[1], l->grid[2]},
                                 (struct heddle_size){l->block[0], l->block[1], l->block[2]}, dynamic, param),
          l->entry))
    return false;
  const enum heddle_error e = board_wait(r->context, r->patience);
  if (e == HEDDLE_ERROR_TRAPPED && r->patience->judge && board_judge_wrong(r->patience->judge)) {
    snprintf(r->why, r->bytes, "stopped, since the verdict is final");
    return false;
  }
  if (r->patience->given_up) {
    snprintf(r->why, r->bytes, "the grid has not ended, and was stopped after %llu s (--limit)",
             (unsigned long long)r->patience->seconds);
    if (r->patience->stalled)
      snprintf(r->why, r->bytes, "the grid has not ended, and was stopped: nothing comes any more");
    return false;
  }
  if (!ok(r, e, l->entry)) return false;
  if (!ok(r, heddle_statistics_last(r->context, &s), l->entry)) return false;
  r->totals->launches++;
  r->totals->cycles += s.cycles;
  r->totals->retired += s.counter[0];
  return true;
}

static bool compare_buffers(struct running *r) {
  for (unsigned i = 0; i < r->k->buffers; i++) {
    const struct kernel_buffer *b = &r->k->buffer[i];
    size_t at;
    uint8_t *got = malloc(b->bytes);
    bool right = got != NULL && ok(r, heddle_memcpy_to_host(r->context, got, r->at[i], b->bytes), "from the board");
    if (right && !kernel_matches(b, got, &at)) {
      snprintf(r->why, r->bytes, "buffer %u differs at byte %zu: got 0x%02x, expected 0x%02x", i, at, got[at],
               b->expect[at]);
      right = false;
    }
    free(got);
    if (!right) return false;
  }
  return true;
}

bool board_kernel_run(struct heddle_context *c, const char *elf, const struct kernel_case *k, struct board_patience *p,
                      struct board_totals *t, bool *lacking, char *why, size_t bytes) {
  struct running r = {.context = c, .k = k, .patience = p, .totals = t, .why = why, .bytes = bytes};
  bool right = ok(&r, heddle_module_load(c, elf, &r.module), "loading") && send_buffers(&r);
  for (unsigned i = 0; i < k->launches && right; i++) right = start_kernel(&r, &k->launch[i]);
  right = right && compare_buffers(&r);
  for (unsigned i = 0; i < k->buffers; i++) (void)heddle_mem_free(c, r.at[i]);
  if (r.module) (void)heddle_module_unload(r.module);
  *lacking = r.lacking;
  return right;
}

/* The march test of a board. */

enum { REG_ID = 0, REG_START = 4, REG_WORDS = 8, REG_ERRORS = 12, REG_FIRST = 16, REG_WANT = 20, REG_GOT = 28 };
enum { MARCH_ID = 0x4d524348, DONE = 2, PATTERNS = 7, MARCH_POLL_MS = 20 };

/* A board that is asked, and what is seen of it. */
struct tried {
  struct board *b;
  char *seen;
  size_t size;
};

static bool answered(struct tried *t, enum board_status s) {
  if (s != BOARD_OK) snprintf(t->seen, t->size, "%s: %s", board_status_text(s), board_link_message(t->b->link));
  return s == BOARD_OK;
}

static bool read64(struct tried *m, uint32_t reg, uint64_t *value) {
  uint32_t low = 0, high = 0;
  if (!answered(m, board_link_read32(m->b->link, reg, &low)) ||
      !answered(m, board_link_read32(m->b->link, reg + 4, &high)))
    return false;
  *value = low | (uint64_t)high << 32;
  return true;
}

static bool pattern(struct tried *m, unsigned number) {
  uint32_t status = 0, errors = 0, first = 0;
  uint64_t want = 0, got = 0;
  if (!answered(m, board_link_write32(m->b->link, REG_START, number))) return false;
  while (!(status & DONE)) {
    if (!answered(m, board_link_poll(m->b->link, MARCH_POLL_MS))) return false;
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
  struct tried m = {b, seen, size};
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

/* The registers of a core. */

enum { POLLS = 100, CORE_POLL_MS = 5, FIRST = HEDDLE_REG_GRID_X, ROUNDS = 3 };

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
    if (!answered(t, board_link_poll(t->b->link, CORE_POLL_MS))) return false;
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
