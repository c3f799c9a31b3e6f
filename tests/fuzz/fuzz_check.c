/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes into the check of a recorded trace: reader, model and checker together. Whatever the trace says happened, the
 * answer is an outcome with words.
 */
#include <stdio.h>

#include "tests/fuzz/fuzz.h"
#include <heddle/session.h>
#include "tests/fuzz/traces.h"

int fuzz_check(const uint8_t *data, size_t size) {
  struct heddle_session_result r = {.size = sizeof r};
  if (trace_is_huge(data, size)) return 0;
  static FILE *sink; /* the report is made and dropped */
  if (sink == NULL) sink = fopen("/dev/null", "w");
  FUZZ_CHECK(sink != NULL, "no /dev/null");
  const enum heddle_session_outcome o =
      heddle_session_check_trace(fuzz_file("fuzz.trace", data, size), NULL, 0, NULL, NULL, &r, sink);
  FUZZ_CHECK(o == HEDDLE_SESSION_OK || o == HEDDLE_SESSION_TRAPPED || r.message[0] != '\0', "outcome %d without a word",
             (int)o);
  return 0;
}
