/* SPDX-License-Identifier: Apache-2.0
 *
 * It ends by a signal.
 */
#include <signal.h>
#include <stdio.h>

#include "tests/test.h"

int TEST_MAIN(int argc, char **argv) {
  puts("ends here");
  (void)fflush(stdout);
  return raise(SIGKILL);
}
