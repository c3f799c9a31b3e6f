/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into the assembler. What it accepts is listed and assembled again: the same program.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/checks.h"

int fuzz_assemble(const uint8_t *data, size_t size) {
  struct heddle_program *p = fuzz_assembled(data, size, NULL);
  if (p == NULL) return 0;
  fuzz_listing(p);
  heddle_program_free(p);
  return 0;
}
