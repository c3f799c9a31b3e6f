/* SPDX-License-Identifier: Apache-2.0
 *
 * As many failures as an exit status takes for none.
 */
#include <stdio.h>

#include "tests/test.h"

int TEST_MAIN(int argc, char **argv) {
  puts("256 failed");
  return 256;
}
