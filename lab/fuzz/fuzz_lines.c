/* SPDX-License-Identifier: Apache-2.0
 * Lines of assembly. */
#include "fuzz_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool worth_keeping(const char *at, size_t n) {
  while (n > 0 && isspace((unsigned char)*at)) at++, n--;
  return n > 0 && strncmp(at, "//", 2) != 0 && *at != '#';
}

bool fuzz_lines_init(struct fuzz_lines *l, const char *text) {
  unsigned most = 1;
  for (const char *c = text; *c; c++) most += *c == '\n';
  l->lines = 0;
  l->line = calloc(most, sizeof *l->line);
  l->gone = calloc(most, sizeof *l->gone);
  if (!l->line || !l->gone) return false;
  for (const char *c = text; *c;) {
    const size_t n = strcspn(c, "\n");
    if (worth_keeping(c, n) && !(l->line[l->lines++] = strndup(c, n))) return false;
    c += n + (c[n] == '\n');
  }
  return true;
}

void fuzz_lines_clear(struct fuzz_lines *l) {
  for (unsigned i = 0; l->line && i < l->lines; i++) free(l->line[i]);
  free(l->line);
  free(l->gone);
  memset(l, 0, sizeof *l);
}

bool fuzz_lines_copy(struct fuzz_lines *to, const struct fuzz_lines *from) {
  to->lines = 0;
  to->line = calloc(from->lines + 1, sizeof *to->line);
  to->gone = calloc(from->lines + 1, sizeof *to->gone);
  bool ok = to->line && to->gone;
  for (unsigned i = 0; ok && i < from->lines; i++) {
    ok = (to->line[i] = strdup(from->line[i])) != NULL;
    to->gone[i] = from->gone[i];
    to->lines += ok;
  }
  if (!ok) fuzz_lines_clear(to);
  return ok;
}

void fuzz_lines_compact(struct fuzz_lines *l) {
  unsigned n = 0;
  for (unsigned i = 0; i < l->lines; i++) {
    if (l->gone[i])
      free(l->line[i]);
    else
      l->line[n++] = l->line[i];
  }
  l->lines = n;
  memset(l->gone, 0, n * sizeof *l->gone);
}

bool fuzz_lines_set(struct fuzz_lines *l, unsigned i, const char *text) {
  char *copy = strdup(text);
  if (!copy) {
    fuzz_lines_clear(l);
    return false;
  }
  free(l->line[i]);
  l->line[i] = copy;
  return true;
}

char *fuzz_lines_text(const struct fuzz_lines *l) {
  size_t bytes = 1;
  for (unsigned i = 0; i < l->lines; i++) bytes += l->gone[i] ? 0 : strlen(l->line[i]) + 1;
  char *text = malloc(bytes), *to = text;
  if (!text) return NULL;
  for (unsigned i = 0; i < l->lines; i++) {
    if (l->gone[i]) continue;
    const size_t n = strlen(l->line[i]);
    memcpy(to, l->line[i], n);
    to[n] = '\n';
    to += n + 1;
  }
  *to = '\0';
  return text;
}

bool fuzz_lines_is_instruction(const char *line) {
  return strchr(line, ';') != NULL;
}

bool fuzz_lines_live(const struct fuzz_lines *l, unsigned i) {
  return !l->gone[i] && fuzz_lines_is_instruction(l->line[i]);
}

unsigned fuzz_lines_instructions(const struct fuzz_lines *l) {
  unsigned n = 0;
  for (unsigned i = 0; i < l->lines; i++) n += !l->gone[i] && fuzz_lines_is_instruction(l->line[i]);
  return n;
}

/* The next place at or after `at` where `word` stands as a whole word. */
static const char *find_word(const char *at, const char *start, const char *word) {
  const size_t n = strlen(word);
  for (const char *c = strstr(at, word); c; c = strstr(c + 1, word))
    if ((c == start || !in_word(c[-1])) && !in_word(c[n])) return c;
  return NULL;
}

char *fuzz_line_renamed(const char *line, const char *from, const char *to, int which) {
  const size_t n = strlen(from), m = strlen(to);
  unsigned found = 0;
  for (const char *c = line; (c = find_word(c, line, from)) != NULL; c += n) found++;
  if (found == 0 || which >= (int)found) return NULL;
  char *text = malloc(strlen(line) + found * m + 1), *put = text;
  if (!text) return NULL;
  const char *at = line;
  int k = 0;
  for (const char *c = line; (c = find_word(c, line, from)) != NULL; c += n, k++) {
    if (which >= 0 && k != which) continue;
    memcpy(put, at, (size_t)(c - at));
    put += c - at;
    memcpy(put, to, m);
    put += m;
    at = c + n;
  }
  memcpy(put, at, strlen(at) + 1);
  return text;
}

bool fuzz_line_names(const char *line, const char *name) {
  return find_word(line, line, name) != NULL;
}

bool fuzz_lines_name(const struct fuzz_lines *l, const char *name) {
  for (unsigned i = 0; i < l->lines; i++)
    if (fuzz_lines_live(l, i) && fuzz_line_names(l->line[i], name)) return true;
  return false;
}

const char *fuzz_line_register(const char *at, const char *start, char name[8]) {
  for (const char *c = at; *c; c++) {
    if (*c != 'R' || (c != start && in_word(c[-1])) || !isdigit((unsigned char)c[1])) continue;
    const size_t n = 1 + strspn(c + 1, "0123456789");
    if (n > 4 || in_word(c[n])) continue;
    memcpy(name, c, n);
    name[n] = '\0';
    return c + n;
  }
  return NULL;
}

/* What stands after the mnemonic. */
static const char *first_operand(const char *c) {
  if (*c == '[') c += strcspn(c, "]") + (strchr(c, ']') != NULL); /* a control code */
  c += strspn(c, " ");
  if (*c == '@') c += strcspn(c, " ");
  c += strspn(c, " ");
  c += strcspn(c, " ");
  return c + strspn(c, " ");
}

bool fuzz_line_writes(const char *line, char name[8]) {
  if (!fuzz_lines_is_instruction(line)) return false;
  const char *c = first_operand(line), *end = *c == 'R' ? fuzz_line_register(c, line, name) : NULL;
  return end && end == c + strlen(name);
}

bool fuzz_line_writes_predicate(const char *line, char name[8]) {
  const char *c = first_operand(line);
  if (!fuzz_lines_is_instruction(line) || c[0] != 'P' || c[1] < '0' || c[1] > '6' || c[2] != ',') return false;
  memcpy(name, c, 2);
  name[2] = '\0';
  return true;
}
