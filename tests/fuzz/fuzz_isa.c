/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into the reader of ISA files. A line "=== NAME" begins another file, which the first may import. What is
 * accepted goes through every emitter, since those trust the checks.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/gen/emit.h"
#include "tests/fuzz/fuzz.h"

static const char marker[] = "\n=== ";

/* A full instruction set takes the emitters a tenth of a second, and every build has them emit one. */
enum { EMIT_MAX = 64 };

/* Imports stay in our folder: neither a terminal nor a pipe is opened by accident. */
static bool leaves_folder(const char *text) {
  for (const char *p = text; (p = strstr(p, "import")) != NULL; p++)
    if (memchr(p, '/', strcspn(p, "\n")) != NULL) return true;
  return false;
}

/* The name behind a marker, or false when it is none that we make a file of. */
static bool take_name(const char *p, char *name, size_t size) {
  size_t n = strcspn(p, "\n");
  if (n == 0 || n >= size || p[0] == '.') return false;
  for (size_t i = 0; i < n; i++)
    if (!isalnum((unsigned char)p[i]) && p[i] != '.' && p[i] != '_') return false;
  memcpy(name, p, n);
  name[n] = '\0';
  return strcmp(name, "fuzz.isa") != 0;
}

/* Write the files; the names of all but the first come into `names`. Returns how many. */
static unsigned write_files(const char *text, char names[4][24]) {
  const char *p = text;
  char name[24] = "fuzz.isa";
  unsigned n = 0;
  for (;;) {
    const char *end = strstr(p, marker);
    while (end != NULL && (n == 4 || !take_name(end + strlen(marker), names[n], sizeof names[n])))
      end = strstr(end + 1, marker);
    (void)fuzz_file(name, p, end == NULL ? strlen(p) : (size_t)(end - p) + 1);
    if (end == NULL) return n;
    snprintf(name, sizeof name, "%s", names[n++]);
    p = end + strlen(marker) + strlen(name);
  }
}

static void emit_all(const struct spec *s, FILE *f) {
  spec_canonical(s, f);
  emit_gen_h(s, f);
  emit_sem_h(s, f);
  emit_tables(s, f);
  emit_sv(s, f);
  emit_manual(s, f);
  emit_vectors(s, f);
  emit_wave_ops(s, f);
  emit_wave_units(s, f);
}

static void load(void) {
  struct diag d = {0};
  char *text = NULL;
  size_t size = 0;
  struct spec *s = spec_load(fuzz_path("fuzz.isa"), &d);
  FUZZ_CHECK((s == NULL) == d.failed && (s != NULL || d.text[0] != '\0'), "refused without a word, or the reverse");
  if (s == NULL) return;
  if (s->n_encs > EMIT_MAX) {
    spec_free(s);
    return;
  }
  FILE *f = open_memstream(&text, &size);
  FUZZ_CHECK(f != NULL, "no memory for the generated text");
  emit_all(s, f);
  FUZZ_CHECK(fclose(f) == 0 && size > 0, "nothing generated");
  free(text);
  spec_free(s);
}

int fuzz_isa(const uint8_t *data, size_t size) {
  char names[4][24];
  char *text = malloc(size + 1);
  FUZZ_CHECK(text != NULL, "no memory");
  memcpy(text, data, size);
  text[size] = '\0';
  if (leaves_folder(text)) {
    free(text);
    return 0;
  }
  unsigned n = write_files(text, names);
  load();
  for (unsigned i = 0; i < n; i++) (void)remove(fuzz_path(names[i]));
  free(text);
  return 0;
}
