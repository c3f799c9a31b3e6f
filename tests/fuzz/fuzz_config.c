/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into the reader of machine configurations. What is accepted is emitted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "isa/configs/gen/cfg.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct cfg c;
  const bool ok = cfg_load(fuzz_file("fuzz.cfg", data, size), &c, &d);
  FUZZ_CHECK(ok != d.failed && (ok || d.text[0] != '\0'), "refused without a word, or the reverse");
  if (!ok) return 0;
  char *text = NULL;
  size_t bytes = 0;
  FILE *f = open_memstream(&text, &bytes);
  FUZZ_CHECK(f != NULL, "no memory for the generated text");
  cfg_emit_sv(&c, f);
  cfg_emit_c(&c, 1, f);
  FUZZ_CHECK(fclose(f) == 0 && bytes > 0, "nothing generated");
  free(text);
  return 0;
}
