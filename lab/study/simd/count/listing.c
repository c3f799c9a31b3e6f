/* SPDX-License-Identifier: Apache-2.0
 * A function as a list of instructions. */
#include "listing.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const char *const simd_class_names[SIMD_CLASSES] = {"float", "memory", "integer", "control",
                                                    "strip", "mask",   "move",    "nothing"};

struct simd_insn *simd_listing_add(struct simd_listing *l) {
  if (!array_room(&l->insn, &l->room, l->insns + 1, sizeof *l->insn)) return NULL;
  l->insn[l->insns] = (struct simd_insn){0};
  return &l->insn[l->insns++];
}

void simd_listing_free(struct simd_listing *l) {
  free(l->insn);
  *l = (struct simd_listing){0};
}

struct simd_insn *simd_listing_at(const struct simd_listing *l, uint64_t at) {
  size_t low = 0, high = l->insns;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (l->insn[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < l->insns && l->insn[low].at == at ? &l->insn[low] : NULL;
}

/* The bytes behind the address: "48 85 ff", or in groups, "06a05263", until a tab or two spaces. */
static unsigned hex_bytes(const char **at) {
  unsigned digits = 0;
  const char *p = *at;
  for (; isxdigit((unsigned char)*p) || (*p == ' ' && isxdigit((unsigned char)p[1])); p++) digits += *p != ' ';
  *at = p;
  return digits / 2;
}

static const char *skip(const char *p) {
  while (*p == ' ' || *p == '\t') p++;
  return p;
}

/* Operands with single spaces, without what follows as a comment or names the target of a branch again. */
static void take_insn_text(struct simd_insn *i, const char *p) {
  size_t n = strcspn(p, " \t\n");
  (void)snprintf(i->mnemonic, sizeof i->mnemonic, "%.*s", (int)n, p);
  n = 0;
  for (bool space = false; *p != '\0' && *p != '\n' && *p != '#' && *p != '<' && n + 2 < SIMD_TEXT; p++) {
    if (*p == ' ' || *p == '\t') {
      space = true;
      continue;
    }
    if (space && n > 0) i->text[n++] = ' ';
    space = false;
    i->text[n++] = *p;
  }
  i->text[n] = '\0';
}

static bool take_insn_line(struct simd_listing *l, const char *line, uint64_t *next, char err[SIMD_ERROR]) {
  char *colon;
  line = skip(line);
  const uint64_t at = strtoull(line, &colon, 16);
  if (colon == line || *colon != ':' || at < l->start || at >= l->start + l->bytes) return true;
  const char *p = skip(colon + 1);
  const unsigned bytes = hex_bytes(&p);
  p = skip(p);
  if (bytes == 0 || at != *next || *p == '\0' || *p == '\n') {
    (void)snprintf(err, SIMD_ERROR, "%s: the listing has no whole instruction at 0x%" PRIx64 ": %.60s", l->function,
                   *next, line);
    return false;
  }
  struct simd_insn *i = simd_listing_add(l);
  if (!i) {
    (void)snprintf(err, SIMD_ERROR, "%s: out of memory", l->function);
    return false;
  }
  i->at = at;
  i->bytes = bytes;
  take_insn_text(i, p);
  *next = at + bytes;
  return true;
}

bool simd_listing_read(struct simd_listing *l, FILE *from, char err[SIMD_ERROR]) {
  char line[512];
  uint64_t next = l->start;
  while (fgets(line, sizeof line, from))
    if (!take_insn_line(l, line, &next, err)) return false;
  if (next == l->start + l->bytes) return true;
  (void)snprintf(err, SIMD_ERROR, "%s: the listing ends at 0x%" PRIx64 ", the function at 0x%" PRIx64, l->function,
                 next, l->start + l->bytes);
  return false;
}
