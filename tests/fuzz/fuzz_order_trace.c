/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes into the judge of a trace's order, whatever its profile: the answer is an outcome with words; what holds holds
 * in a second reading, too.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "lab/verify/oracle/order/order.h"
#include "tests/fuzz/traces.h"

int fuzz_order_trace(const uint8_t *data, size_t size) {
  struct order_result r, again;
  const struct order_options o = {.accesses = 100000};
  if (trace_is_huge(data, size)) return 0;
  const char *path = fuzz_file("fuzz.ordered", data, size);
  const enum order_outcome out = order_check(path, &o, &r);
  FUZZ_CHECK(out == ORDER_HOLDS || r.what[0] != '\0', "outcome %d without a word", (int)out);
  FUZZ_CHECK(out != ORDER_BROKEN || r.axiom != ORDER_AXIOM_NONE, "broken without an axiom");
  FUZZ_CHECK(order_check(path, &o, &again) == out && strcmp(r.what, again.what) == 0, "two verdicts on one trace");
  return 0;
}
