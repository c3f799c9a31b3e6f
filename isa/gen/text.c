/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

bool diag_fail(struct diag *d, struct pos at, const char *fmt, ...) {
  if (d->failed) return false;
  d->failed = true;
  int n = 0;
  if (at.line != 0)
    n = snprintf(d->text, sizeof d->text, "%s:%u: error: ", at.file, at.line);
  else
    n = snprintf(d->text, sizeof d->text, "%s: error: ", at.file);
  if (n < 0 || (size_t)n >= sizeof d->text) return false;
  va_list ap;
  va_start(ap, fmt);
  (void)vsnprintf(d->text + n, sizeof d->text - (size_t)n, fmt, ap);
  va_end(ap);
  return false;
}

char *text_read(const char *path, struct pos at, struct diag *d) {
  size_t n;
  enum file_end end;
  char *text = file_read(path, TEXT_FILE_MAX, &n, &end);
  if (end == FILE_NOT_OPENED)
    diag_fail(d, at, "cannot open '%s': %s", path, strerror(errno));
  else if (end == FILE_NOT_READ)
    diag_fail(d, at, "cannot read '%s': %s", path, strerror(errno));
  else if (end == FILE_NO_MEMORY)
    diag_fail(d, at, "out of memory reading '%s'", path);
  else if (end == FILE_TOO_LARGE)
    diag_fail(d, at, "'%s' is larger than %d bytes; split it with import", path, TEXT_FILE_MAX);
  else if (strlen(text) != n)
    diag_fail(d, at, "'%s' holds a NUL byte; it must be plain text", path);
  if (!d->failed) return text;
  free(text);
  return NULL;
}

/* Cut l->buf into words in place. */
static bool split_words(struct line *l, struct diag *d) {
  char *p = l->buf;
  for (;;) {
    while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    if (*p == '\0' || *p == '#') return true;
    if (l->n == TEXT_WORDS_MAX)
      return diag_fail(d, l->at, "more than %d words in one line; split the declaration", TEXT_WORDS_MAX);
    bool quoted = *p == '"';
    if (quoted) p++;
    l->quoted[l->n] = quoted;
    l->word[l->n++] = p;
    if (quoted) {
      while (*p != '\0' && *p != '"') p++;
      if (*p == '\0') return diag_fail(d, l->at, "string is not closed; add the missing \"");
    } else {
      while (*p != '\0' && *p != ' ' && *p != '\t' && *p != '\r' && *p != '#') p++;
      if (*p == '#') {
        *p = '\0';
        return true;
      }
      if (*p == '\0') return true;
    }
    *p++ = '\0';
  }
}

bool text_line(const char **cursor, struct line *l, struct diag *d) {
  const char *s = *cursor;
  if (*s == '\0') return false;
  size_t n = strcspn(s, "\n");
  l->at.line++;
  l->n = 0;
  if (n >= TEXT_LINE_MAX) return diag_fail(d, l->at, "line is longer than %d bytes", TEXT_LINE_MAX - 1);
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)s[i];
    if (c < ' ' && c != '\t' && c != '\r')
      return diag_fail(d, l->at, "control character 0x%02x; the file must be plain text", c);
  }
  memcpy(l->buf, s, n);
  l->buf[n] = '\0';
  *cursor = s[n] == '\n' ? s + n + 1 : s + n;
  return split_words(l, d);
}

bool text_number(const char *s, uint64_t *out) {
  unsigned base = 10;
  if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    base = 16;
    s += 2;
  }
  if (*s == '\0') return false;
  uint64_t v = 0;
  for (; *s != '\0'; s++) {
    int c = tolower((unsigned char)*s);
    unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10u
                                            : 99u;
    if (digit >= base || v > (UINT64_MAX - digit) / base) return false;
    v = v * base + digit;
  }
  *out = v;
  return true;
}

bool text_is_name(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_') return false;
  size_t n = 0;
  for (; s[n] != '\0'; n++)
    if (!isalnum((unsigned char)s[n]) && s[n] != '_' && s[n] != '.') return false;
  return n < TEXT_NAME_MAX;
}

uint64_t text_hash(uint64_t h, const char *s) {
  for (; *s != '\0'; s++) h = (h ^ (unsigned char)*s) * 0x100000001b3u;
  return h;
}

FILE *text_create(const char *dir, const char *name, struct diag *d) {
  char path[TEXT_PATH_MAX];
  struct pos at = {name, 0};
  int n = snprintf(path, sizeof path, "%s/%s", dir, name);
  if (n < 0 || (size_t)n >= sizeof path) {
    diag_fail(d, at, "output path is too long");
    return NULL;
  }
  char *last = strrchr(name, '/') == NULL ? NULL : strrchr(path, '/');
  if (last != NULL) { /* the folder that `name` names, below one that is there */
    *last = '\0';
    (void)mkdir(path, 0777);
    *last = '/';
  }
  FILE *f = fopen(path, "w");
  if (f == NULL) diag_fail(d, at, "cannot write '%s': %s", path, strerror(errno));
  return f;
}

bool text_close(FILE *f, const char *name, struct diag *d) {
  bool bad = ferror(f) != 0;
  if (fclose(f) != 0) bad = true;
  struct pos at = {name, 0};
  return bad ? diag_fail(d, at, "writing failed: %s", strerror(errno)) : true;
}
