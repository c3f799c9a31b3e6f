/* SPDX-License-Identifier: Apache-2.0
 * --bus-errors. */
#include "bus_errors.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/command/tool.h"

/* "0x102000", "code+0x40", "bank1+0x40", "local+0x800" */
static bool errors_from(struct job *j, const char *text, char **end, unsigned long long *at) {
  static const char *const from[] = {"", "code+", "bank0+", "bank1+", "bank2+", "bank3+", "local+"};
  unsigned in = HEDDLE_ERRORS_IN - 1;
  while (in > 0 && strncmp(text, from[in], strlen(from[in])) != 0) in--;
  text += strlen(from[in]);
  j->error_in = (enum heddle_errors_in)in;
  errno = 0;
  *at = strtoull(text, end, 0);
  return *text >= '0' && *text <= '9' && errno == 0 && *at < UINT64_C(1) << (in == 0 ? 40 : 24);
}

int bus_errors_take(struct job *j, const char *text) {
  char *end;
  unsigned long long at;
  uint64_t bytes;
  if (errors_from(j, text, &end, &at) && *end == ':' && tool_number(end + 1, JOB_BYTES_MAX, &bytes) && bytes > 0) {
    j->error_base = at;
    j->error_limit = at + bytes;
    return TOOL_OK;
  }
  return tool_usage(
      "run",
      "--bus-errors %s: expected ADDRESS:BYTES, code+OFFSET:BYTES, local+OFFSET:BYTES or bank0+OFFSET:BYTES (to "
      "bank3), an address of 40 bits, an offset of 24, up to %u bytes",
      text, JOB_BYTES_MAX);
}

bool bus_errors_fit(const struct job *j) {
  uint64_t most = UINT64_MAX;
  if (j->error_in == HEDDLE_ERRORS_CODE) most = j->launch.code_bytes;
  if (j->error_in >= HEDDLE_ERRORS_BANK0 && j->error_in < HEDDLE_ERRORS_LOCAL)
    most = j->launch.cbank_bytes[j->error_in - HEDDLE_ERRORS_BANK0];
  if (j->error_limit <= most) return true;
  tool_error("--bus-errors: %s has %" PRIu64 " bytes", j->error_in == HEDDLE_ERRORS_CODE ? "the code" : "that bank",
             most);
  return false;
}
