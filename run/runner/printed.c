/* SPDX-License-Identifier: Apache-2.0
 * What a launch has printed. */
#include "printed.h"

#include <string.h>

#include <heddle/printf.h>
#include "run/command/tool.h"

struct memory {
  const struct job *job;
  const uint8_t *image;
};

static bool read(void *ctx, uint64_t addr, void *to, size_t bytes) {
  const struct memory *m = ctx;
  const uint64_t at = addr - m->job->mem_base;
  if (addr < m->job->mem_base || at > m->job->mem_bytes || bytes > m->job->mem_bytes - at) return false;
  memcpy(to, m->image + at, bytes);
  return true;
}

static void put_printed(void *ctx, const char *text, size_t bytes) {
  (void)ctx;
  (void)fwrite(text, 1, bytes, stdout);
}

void printed_show(const struct job *j, const uint8_t *image, struct run_result *r) {
  const bool ended = image && (r->status == RUN_OK || r->status == RUN_TRAP);
  const struct heddle_global *v = heddle_program_global(j->program, HEDDLE_PRINTF_VARIABLE);
  if (!ended || !v || j->global_addr == 0) return;
  struct memory m = {j, image};
  const struct heddle_printf h = {.size = sizeof h, .program = j->program, .read = read, .put = put_printed, .ctx = &m};
  const struct heddle_printf_totals t =
      heddle_printf_text(&h, image + (j->global_addr + v->offset - j->mem_base), v->size);
  (void)fflush(stdout);
  r->printed = t.messages;
  r->unprinted = t.lost;
  if (t.lost > 0)
    tool_log("printf: %u of %u messages found no room in %u bytes; --printf BYTES gives them more", t.lost,
             t.lost + t.messages, v->size - 16);
}
