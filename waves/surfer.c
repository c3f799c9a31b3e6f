/* SPDX-License-Identifier: Apache-2.0
 * A mapping of Surfer: the words of one program, and their assembly. */
#include "waves/surfer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/isa.h>

static int compare_isa_words(const void *a, const void *b) {
  const struct heddle_isa_word *x = a, *y = b;
  if (x->hi != y->hi) return x->hi < y->hi ? -1 : 1;
  return x->lo == y->lo ? 0 : x->lo < y->lo ? -1 : 1;
}

static void write_words(FILE *f, const char *wave, struct heddle_isa_word *w, size_t n) {
  const char *slash = strrchr(wave, '/');
  char text[256];
  fprintf(f, "Name = Heddle words of %s\nBits = 128\n", slash ? slash + 1 : wave);
  qsort(w, n, sizeof *w, compare_isa_words);
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && compare_isa_words(&w[i - 1], &w[i]) == 0) continue;
    heddle_disassemble(w[i], 0, text, sizeof text);
    fprintf(f, "0x%016llx%016llx %s\n", (unsigned long long)w[i].hi, (unsigned long long)w[i].lo, text);
  }
}

bool wave_save_words(const char *wave, const uint8_t *code, uint32_t code_bytes, char *err, size_t err_bytes) {
  char path[4096];
  struct heddle_isa_word *w = malloc((code_bytes / ISA_STEP + 1) * sizeof *w);
  size_t n = 0;
  for (uint32_t pc = 0, bytes; w && pc < code_bytes; pc += bytes)
    if (heddle_isa_fetch(code, pc, &w[n], &bytes)) n++;
  (void)snprintf(path, sizeof path, "%s.surfer", wave);
  FILE *f = w ? fopen(path, "w") : NULL;
  if (f) write_words(f, wave, w, n);
  const bool ok = f && fclose(f) == 0;
  if (!ok) snprintf(err, err_bytes, "%s: cannot be written: %s", path, strerror(errno));
  free(w);
  return ok;
}
