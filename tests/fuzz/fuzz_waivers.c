/* SPDX-License-Identifier: Apache-2.0
 *
 * Text as a file of waivers. What is taken is in range, matches itself, and is taken again as the same when it is
 * written; what is refused has words and a line that is there. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "run/job/waivers.h"

static size_t lines_of(const uint8_t *data, size_t size) {
  size_t lines = 1;
  for (size_t i = 0; i < size; i++) lines += data[i] == '\n';
  return lines;
}

static void check(struct waivers *w, size_t lines) {
  for (size_t i = 0; i < w->waivers; i++) {
    const struct waiver *v = &w->waiver[i];
    FUZZ_CHECK(signature_check(v->signature, strlen(v->signature)) == SIGNATURE_OK, "no signature: %s", v->signature);
    FUZZ_CHECK(strlen(v->until) == 10 && v->reason[0] != '\0', "no day or no reason");
    FUZZ_CHECK(strlen(v->reason) <= WAIVER_REASON && v->line >= 1 && v->line <= lines, "out of range");
    FUZZ_CHECK(waivers_match(w, v->signature) == (v->expired ? NULL : v), "another one matches it");
  }
  json_t *j = waivers_json(w);
  FUZZ_CHECK(json_array_size(json_object_get(j, "unused")) == 0, "no JSON, or one did not match itself");
  json_decref(j);
}

/* Written in its own form it is the same. */
static void check_written(const struct waivers *w) {
  char *text = NULL;
  size_t size = 0;
  struct heddle_message m;
  FILE *f = open_memstream(&text, &size);
  FUZZ_CHECK(f != NULL, "no memory");
  for (size_t i = 0; i < w->waivers; i++)
    fprintf(f, "%s %s %s\n", w->waiver[i].signature, w->waiver[i].until, w->waiver[i].reason);
  fclose(f);
  struct waivers *again = waivers_parse(text, size, "again", "2026-11-24", &m);
  FUZZ_CHECK(again != NULL && again->waivers == w->waivers, "what was written is refused: %s", m.text);
  for (size_t i = 0; i < w->waivers; i++)
    FUZZ_CHECK(strcmp(again->waiver[i].reason, w->waiver[i].reason) == 0 &&
                   again->waiver[i].expired == w->waiver[i].expired,
               "what was written reads otherwise");
  waivers_free(again);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct heddle_message m;
  const size_t lines = lines_of(data, size);
  struct waivers *w = waivers_parse((const char *)data, size, "fuzz", "2026-11-24", &m);
  FUZZ_CHECK((w == NULL) == (m.text[0] != '\0'), "refused without a word, or the reverse");
  if (!w) {
    FUZZ_CHECK(m.line >= 1 && m.line <= lines, "line %u of %zu", m.line, lines);
    return 0;
  }
  FUZZ_CHECK(w->waivers <= WAIVERS_MAX, "too many");
  check(w, lines);
  check_written(w);
  waivers_free(w);
  return 0;
}
