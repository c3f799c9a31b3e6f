/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into the judge of lists (docs/order-list.md): whatever it says, the answer is an outcome with words; what holds
 * holds in a second reading, too.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "lab/verify/oracle/order/order.h"

int fuzz_order(const uint8_t *data, size_t size) {
  static const char first[] = "heddle-order-list";
  struct order_result r, again;
  const struct order_options o = {.accesses = 400};
  if (size < sizeof first - 1 || memcmp(data, first, sizeof first - 1) != 0) return 0; /* a trace: fuzz_order_trace.c */
  const char *path = fuzz_file("fuzz.list", data, size);
  const enum order_outcome out = order_check(path, &o, &r);
  FUZZ_CHECK(r.list, "a list was not taken for one");
  FUZZ_CHECK(out == ORDER_HOLDS || r.what[0] != '\0', "outcome %d without a word", (int)out);
  FUZZ_CHECK(out != ORDER_BROKEN || r.axiom != ORDER_AXIOM_NONE, "broken without an axiom");
  FUZZ_CHECK(order_check(path, &o, &again) == out && strcmp(r.what, again.what) == 0, "two verdicts on one list");
  return 0;
}
