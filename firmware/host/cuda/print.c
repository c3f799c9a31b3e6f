/* SPDX-License-Identifier: Apache-2.0
 * What kernels print: shown when their grid has ended. */
#include "firmware/host/cuda/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/printf.h>

static bool read_device(void *ctx, uint64_t at, void *to, size_t bytes) {
  (void)ctx;
  return heddle_memcpy_to_host(cuda.context, to, at, bytes) == HEDDLE_SUCCESS;
}

static void put_stdout(void *ctx, const char *text, size_t bytes) {
  (void)ctx;
  (void)fwrite(text, 1, bytes, stdout);
}

bool cuda_prints(const struct cuda_image *image) {
  return heddle_module_global(image->module, HEDDLE_PRINTF_VARIABLE, NULL, NULL) == HEDDLE_SUCCESS;
}

void cuda_show_printed(struct cuda_image *image) {
  enum { HEAD = 16 };
  uint64_t at = 0, bytes = 0;
  uint32_t taken = 0;
  if (heddle_module_global(image->module, HEDDLE_PRINTF_VARIABLE, &at, &bytes) != HEDDLE_SUCCESS ||
      heddle_memcpy_to_host(cuda.context, &taken, at, sizeof taken) != HEDDLE_SUCCESS || taken == 0)
    return;
  const size_t used = bytes - HEAD < taken ? bytes : HEAD + taken; /* the rest is zeros */
  uint8_t *copy = malloc(used);
  if (!copy || heddle_memcpy_to_host(cuda.context, copy, at, used) != HEDDLE_SUCCESS) return free(copy);
  const struct heddle_printf h = {
      .size = sizeof h, .program = heddle_module_program(image->module), .read = read_device, .put = put_stdout};
  const struct heddle_printf_totals t = heddle_printf_text(&h, copy, used);
  (void)fflush(stdout);
  if (t.lost > 0) cuda_say("printf: %u of %u messages found no room", t.lost, t.lost + t.messages);
  free(copy);
  (void)heddle_memset8(cuda.context, at, 0, used);
}
