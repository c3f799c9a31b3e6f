/* SPDX-License-Identifier: Apache-2.0
 * A case of a kernel on a device of the driver's. */
#include "board_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/cases/kernel_run.h"
#include "run/command/data.h"

enum { LOCAL_ALIGN = 128 };

bool board_program_save(const struct heddle_program *p, char path[TEMPORARY_PATH]) {
  struct heddle_message m;
  if (!p || !temporary_file(path, "board")) return false;
  if (heddle_program_save(p, path, &m)) return true;
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
    snprintf(r->why, r->bytes, "stopped, since the verdict stands");
    return false;
  }
  if (r->patience->given_up) {
    snprintf(r->why, r->bytes, "the grid has not ended, and was given up after %llu s (--limit)",
             (unsigned long long)r->patience->seconds);
    if (r->patience->stalled)
      snprintf(r->why, r->bytes, "the grid has not ended, and was given up: nothing comes any more");
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
