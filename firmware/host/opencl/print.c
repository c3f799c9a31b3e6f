/* SPDX-License-Identifier: Apache-2.0
 * What kernels print: to stdout, when their launch has ended. */
#include "firmware/host/opencl/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include <heddle/printf.h>

static bool read_device(void *ctx, uint64_t at, void *to, size_t bytes) {
  return heddle_memcpy_to_host(ctx, to, at, bytes) == HEDDLE_SUCCESS;
}

static void put_stdout(void *ctx, const char *text, size_t bytes) {
  (void)ctx;
  (void)fwrite(text, 1, bytes, stdout);
}

void ocl_show_printed(cl_device_id d, struct heddle_module *m) {
  enum { HEAD = 16 };
  struct heddle_context *c = d->context;
  uint64_t at = 0, bytes = 0;
  uint32_t taken = 0;
  if (heddle_module_global(m, HEDDLE_PRINTF_VARIABLE, &at, &bytes) != HEDDLE_SUCCESS ||
      heddle_memcpy_to_host(c, &taken, at, sizeof taken) != HEDDLE_SUCCESS || taken == 0)
    return;
  const size_t used = bytes - HEAD < taken ? bytes : HEAD + taken; /* the rest is zeros */
  uint8_t *copy = malloc(used);
  if (!copy || heddle_memcpy_to_host(c, copy, at, used) != HEDDLE_SUCCESS) return free(copy);
  const struct heddle_printf h = {sizeof h, heddle_module_program(m), read_device, put_stdout, c};
  const struct heddle_printf_totals t = heddle_printf_text(&h, copy, used);
  (void)fflush(stdout);
  if (t.lost > 0) ocl_say("printf: %u of %u messages found no room", t.lost, t.lost + t.messages);
  free(copy);
  (void)heddle_memset8(c, at, 0, used);
}
