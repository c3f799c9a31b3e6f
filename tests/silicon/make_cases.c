/* SPDX-License-Identifier: Apache-2.0
 *
 * make_cases SILICON DIR: DIR/nan, DIR/mma, DIR/halves, DIR/fp8.
 */
#include "make_cases.h"

#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: make_cases SILICON DIR\n"), 2;
  make_nan_cases(argv[1], argv[2]);
  make_mma_cases(argv[1], argv[2]);
  make_table_cases(argv[1], argv[2]);
  return 0;
}
