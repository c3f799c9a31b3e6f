/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into the readers of what tables are generated from: machine configurations, layouts, records files. What is
 * accepted is emitted.
 */
#include <stdio.h>
#include <stdlib.h>
#include "cosim/retire/gen/records.h"
#include "isa/abi/gen/layout.h"
#include "isa/configs/gen/cfg.h"
#include "tests/fuzz/fuzz.h"

/* Text into the reader of machine configurations. What is accepted is emitted. */
int fuzz_config(const uint8_t *data, size_t size) {
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

/* Text into the reader of layouts. What is accepted is emitted. */
int fuzz_layout(const uint8_t *data, size_t size) {
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

/* Text into the reader of records files. What is accepted is emitted. */
int fuzz_records(const uint8_t *data, size_t size) {
  static struct records r;
  struct diag d = {0};
  const bool ok = records_load(fuzz_file("fuzz.records", data, size), &r, &d);
  FUZZ_CHECK(ok != d.failed && (ok || d.text[0] != '\0'), "refused without a word, or the reverse");
  if (!ok) return 0;
  for (unsigned i = 0; i < r.fields; i++)
    FUZZ_CHECK(r.field[i].size > 0 && r.field[i].offset < RECORDS_BYTES_MAX, "a field that lies nowhere");
  char *text = NULL;
  size_t bytes = 0;
  FILE *f = open_memstream(&text, &bytes);
  FUZZ_CHECK(f != NULL, "no memory for the generated text");
  records_emit_c(&r, f);
  records_emit_table(&r, f);
  records_emit_cpp(&r, f);
  records_emit_sv(&r, f);
  records_emit_markdown(&r, f);
  records_emit_python(&r, f);
  FUZZ_CHECK(fclose(f) == 0 && bytes > 0, "nothing generated");
  free(text);
  return 0;
}
