/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes into the run of a trace's launches thread by thread: whatever the trace says, the answer is an outcome with
 * words, after a bounded number of instructions.
 */
#include "tests/fuzz/fuzz.h"
#include "lab/verify/oracle/threads/threads.h"
#include "tests/fuzz/traces.h"

int fuzz_threads(const uint8_t *data, size_t size) {
  struct threads_result r;
  const struct threads_options o = {.steps = 200000, .seed = 1};
  if (trace_is_huge(data, size)) return 0;
  const enum threads_outcome out = threads_check(fuzz_file("fuzz.threads", data, size), &o, &r);
  FUZZ_CHECK(out == THREADS_SAME || r.what[0] != '\0', "outcome %d without a word", (int)out);
  return 0;
}
