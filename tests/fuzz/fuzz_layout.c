/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into the reader of layouts. What is accepted is emitted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "isa/abi/gen/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct layout l;
  struct diag d = {0};
  const bool ok = layout_load(fuzz_file("fuzz.layout", data, size), &l, &d);
  FUZZ_CHECK(ok != d.failed && (ok || d.text[0] != '\0'), "refused without a word, or the reverse");
  if (!ok) return 0;
  char *text = NULL;
  size_t bytes = 0;
  FILE *f = open_memstream(&text, &bytes);
  FUZZ_CHECK(f != NULL, "no memory for the generated text");
  layout_emit_c(&l, f);
  layout_emit_sv(&l, f);
  layout_emit_markdown(&l, f);
  FUZZ_CHECK(fclose(f) == 0 && bytes > 0, "nothing generated");
  free(text);
  return 0;
}
