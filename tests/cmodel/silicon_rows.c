/* SPDX-License-Identifier: Apache-2.0 */
#include "silicon_rows.h"

#include <stdio.h>
#include <string.h>

#include "tests/test.h"

#include "tests/silicon/form_file.h"

void silicon_read(uint32_t to[SILICON_COUNT], const char *name) {
  char path[512];
  (void)snprintf(path, sizeof path, "%s/ops/%s", SILICON_DIR, name);
  FILE *f = form_file_open(path);
  for (unsigned i = 0; i < SILICON_COUNT; i++) {
    uint8_t byte[4];
    assert_int_equal(fread(byte, sizeof byte, 1, f), 1);
    to[i] = byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
  }
  (void)fclose(f);
}

static uint32_t *operand(struct rows *r, char name) {
  return name == 'a' ? r->a : (name == 'b' ? r->b : r->c[name == 'C']);
}

void silicon_rows(const char *op, const char *class, struct heddle_isa_word word, const char *to, bool ps0) {
  static uint32_t in[3][SILICON_COUNT], gold[SILICON_COUNT];
  char name[128];
  for (unsigned slot = 0; to[slot] != '\0'; slot++) {
    (void)snprintf(name, sizeof name, "%s.%u.bin", class, slot);
    silicon_read(in[slot], name);
  }
  (void)snprintf(name, sizeof name, "%s.gold.bin", op);
  silicon_read(gold, name);
  for (unsigned n = 0; n < SILICON_COUNT; n += 32) {
    struct rows rows = {.word = word, .d_words = 1, .ps = {ps0 ? ~0u : 0}};
    for (unsigned slot = 0; to[slot] != '\0'; slot++) memcpy(operand(&rows, to[slot]), in[slot] + n, sizeof rows.a);
    memcpy(rows.d[0], gold + n, sizeof rows.d[0]);
    rows_check(&rows, op);
  }
}
