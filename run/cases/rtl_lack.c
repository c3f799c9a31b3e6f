/* SPDX-License-Identifier: Apache-2.0
 * Words that the RTL does not know, by name. */
#include "rtl_lack.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/isa.h>

enum { NAME_MAX_BYTES = 64, NAMES_MAX = 256 };

/* "[B------:R-:W0:-:S04] @P0 LDG.E R2, [R4] ;" -> "LDG.E" */
static void mnemonic(struct heddle_isa_word w, char name[NAME_MAX_BYTES]) {
  char text[256];
  heddle_disassemble(w, 0, text, sizeof text);
  const char *at = text;
  if (*at == '[') at = strchr(at, ']') ? strchr(at, ']') + 1 : at;
  at += strspn(at, " ");
  if (*at == '@') at += strcspn(at, " ");
  at += strspn(at, " ");
  snprintf(name, NAME_MAX_BYTES, "%.*s", (int)strcspn(at, " ;"), at);
}

static bool is_known(char seen[][NAME_MAX_BYTES], unsigned n, const char *name) {
  for (unsigned i = 0; i < n; i++)
    if (strcmp(seen[i], name) == 0) return true;
  return false;
}

static int by_mnemonic(const void *a, const void *b) {
  return strcmp(a, b);
}

static void join_names(char seen[][NAME_MAX_BYTES], unsigned n, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < n; i++) {
    const size_t more = strlen(seen[i]) + 2;
    if (used + more + sizeof ", ..." > size) {
      snprintf(text + used, size - used, ", ...");
      return;
    }
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", seen[i]);
  }
}

unsigned rtl_lack(const struct heddle_program *p, uint32_t units, char *text, size_t size) {
  char seen[NAMES_MAX][NAME_MAX_BYTES], name[NAME_MAX_BYTES];
  unsigned n = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    const struct heddle_isa_word w = heddle_program_word(p, pc);
    if (!heddle_isa_decode(w, &d) || heddle_isa_in_machine(&d, units)) continue;
    mnemonic(w, name);
    if (n == NAMES_MAX || is_known(seen, n, name)) continue;
    memcpy(seen[n++], name, sizeof name);
  }
  qsort(seen, n, sizeof *seen, by_mnemonic);
  join_names(seen, n, text, size);
  return n;
}
