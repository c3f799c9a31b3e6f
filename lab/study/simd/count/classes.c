/* SPDX-License-Identifier: Apache-2.0
 * What each instruction is for. */
#include "classes.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define RULES_MAX 256u

struct rule {
  char pattern[32];
  enum simd_class what;
  enum simd_kind kind;
  unsigned element;
};
struct rules {
  struct rule rule[RULES_MAX];
  unsigned rules;
  char guarded[8][32];
  unsigned guards;
};

static bool find_word(const char *word, const char *const *names, unsigned n, unsigned *which) {
  for (*which = 0; *which < n; ++*which)
    if (strcmp(word, names[*which]) == 0) return true;
  return false;
}

static bool take_rule(struct rules *r, const char *line) {
  static const char *const kinds[] = {"scalar", "packed", "vector", "whole"};
  char pattern[32], what[16], kind[16];
  unsigned element = 0, c, k;
  const int n = sscanf(line, "%31s %15s %15s %u", pattern, what, kind, &element);
  if (n == 2 && strcmp(pattern, "guarded") == 0 && r->guards < 8) {
    (void)snprintf(r->guarded[r->guards++], sizeof r->guarded[0], "%s", what);
    return true;
  }
  if (n < 3 || r->rules == RULES_MAX || !find_word(what, simd_class_names, SIMD_CLASSES, &c) ||
      !find_word(kind, kinds, 4, &k))
    return false;
  if ((k == SIMD_PACKED) != (n == 4) || (n == 4 && element != 1 && element != 2 && element != 4 && element != 8))
    return false;
  struct rule *to = &r->rule[r->rules++];
  *to = (struct rule){.what = (enum simd_class)c, .kind = (enum simd_kind)k, .element = element};
  memcpy(to->pattern, pattern, sizeof pattern);
  return true;
}

static bool read_rules(struct rules *r, const char *file, char err[SIMD_ERROR]) {
  FILE *f = fopen(file, "r");
  if (!f) {
    (void)snprintf(err, SIMD_ERROR, "%s: %s", file, strerror(errno));
    return false;
  }
  char line[256];
  bool ok = true;
  for (unsigned n = 1; ok && fgets(line, sizeof line, f); n++) {
    line[strcspn(line, "#\n")] = '\0';
    ok = line[strspn(line, " \t")] == '\0' || take_rule(r, line);
    if (!ok) (void)snprintf(err, SIMD_ERROR, "%s:%u: expected PATTERN CLASS KIND [BYTES]: %.100s", file, n, line);
  }
  (void)fclose(f);
  return ok;
}

static bool apply(const struct rules *r, struct simd_insn *i) {
  for (unsigned n = 0; n < r->guards; n++) i->guarded = i->guarded || strstr(i->text, r->guarded[n]);
  for (unsigned n = 0; n < r->rules; n++)
    if (fnmatch(r->rule[n].pattern, i->mnemonic, 0) == 0) {
      i->what = r->rule[n].what;
      i->kind = r->rule[n].kind;
      i->element = r->rule[n].element;
      return true;
    }
  return false;
}

bool simd_classify(struct simd_listing *l, const char *file, char err[SIMD_ERROR]) {
  struct rules *r = calloc(1, sizeof *r);
  if (!r) {
    (void)snprintf(err, SIMD_ERROR, "out of memory");
    return false;
  }
  bool ok = read_rules(r, file, err);
  for (size_t i = 0; ok && i < l->insns; i++) {
    ok = apply(r, &l->insn[i]);
    if (!ok) (void)snprintf(err, SIMD_ERROR, "%s: no line for '%s': add one", file, l->insn[i].text);
  }
  free(r);
  return ok;
}
