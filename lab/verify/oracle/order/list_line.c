/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of a list, words, numbers. The text may be hostile: nothing of it is kept longer than a line.
 */
#include <stdarg.h>
#include <string.h>

#include "lab/verify/oracle/order/order_list.h"

bool list_line_fail(const struct list_line *l, unsigned k, const char *format, ...) {
  char said[240];
  va_list ap;
  va_start(ap, format);
  (void)vsnprintf(said, sizeof said, format, ap);
  va_end(ap);
  l->o->r->outcome = ORDER_REFUSED;
  (void)snprintf(l->o->r->what, sizeof l->o->r->what, "%.300s:%u:%u: error: %s", l->o->path, l->number,
                 k <= l->words ? l->column[k] : 1, said);
  return false;
}

/* A character of a word, or a blank; the rest of the line behind '#' may hold anything. */
static bool printable(int c) {
  return c == '\t' || c == '\r' || (c >= ' ' && c < 127);
}

/* Bytes up to the line's end, without a comment. *n: how many; false at the end of the file, or refused. */
static bool take_line_text(struct list_line *l, size_t *n) {
  bool comment = false;
  *n = 0;
  l->words = 0;
  l->column[0] = 1;
  l->number++;
  int c = getc(l->f);
  if (c == EOF) return false;
  if (l->number == UINT32_MAX) return list_line_fail(l, 0, "too many lines; cut the list");
  for (; c != EOF && c != '\n'; c = getc(l->f)) {
    if (c == '#') comment = true;
    if (comment) continue;
    l->column[0] = (unsigned)*n + 1;
    if (!printable(c)) return list_line_fail(l, 0, "byte 0x%02x; a list is plain text", (unsigned)c);
    if (*n == LINE_BYTES - 1) return list_line_fail(l, 0, "the line is longer than %d bytes", LINE_BYTES - 1);
    l->text[(*n)++] = (char)c;
  }
  l->text[*n] = '\0';
  return true;
}

static bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static bool split_line(struct list_line *l, size_t n) {
  for (size_t k = 0; k < n;) {
    while (k < n && blank(l->text[k])) l->text[k++] = '\0';
    if (k == n) break;
    l->column[l->words] = (unsigned)k + 1;
    if (l->words == LINE_WORDS)
      return list_line_fail(l, LINE_WORDS, "more than %d words; an event is a line of its own", LINE_WORDS);
    l->word[l->words++] = l->text + k;
    while (k < n && !blank(l->text[k])) k++;
  }
  l->column[l->words] = (unsigned)n + 1;
  l->word[l->words] = "";
  return true;
}

bool list_line_next(struct list_line *l) {
  size_t n;
  l->taken = 0;
  do {
    if (!take_line_text(l, &n) || !split_line(l, n)) return false;
  } while (l->words == 0);
  return true;
}

const char *list_line_word(struct list_line *l, const char *what) {
  if (l->taken < l->words) return l->word[l->taken++];
  (void)list_line_fail(l, l->words, "%s is missing", what);
  return NULL;
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

bool list_line_number(struct list_line *l, const char *what, uint64_t most, uint64_t *value) {
  const char *w = list_line_word(l, what);
  if (w == NULL) return false;
  const unsigned base = w[0] == '0' && w[1] == 'x' ? 16 : 10;
  const char *p = base == 16 ? w + 2 : w;
  bool ok = *p != '\0';
  uint64_t v = 0;
  for (; ok && *p != '\0'; p++) {
    const unsigned d = (unsigned)digit_of(*p);
    ok = d < base;
    if (!ok) break;
    if (v > (most - (d < most ? d : most)) / base || d > most)
      return list_line_fail(l, l->taken - 1, "%s %s is above %llu", what, w, (unsigned long long)most);
    v = v * base + d;
  }
  *value = v;
  return ok || list_line_fail(l, l->taken - 1, "%s '%s' is no number; write 12 or 0x1c", what, w);
}

bool list_line_value(struct list_line *l, const char *what, unsigned bytes, uint8_t *value) {
  const char *w = list_line_word(l, what);
  memset(value, 0, bytes);
  if (w == NULL) return false;
  const size_t n = strlen(w);
  if (w[0] != '0' || w[1] != 'x' || n == 2)
    return list_line_fail(l, l->taken - 1, "%s '%s' is no hexadecimal number; write 0x1c", what, w);
  if (n - 2 > 2 * (size_t)bytes)
    return list_line_fail(l, l->taken - 1, "%s has %zu digits; %u bytes hold %u: name more bytes, or drop digits", what,
                          n - 2, bytes, 2 * bytes);
  for (size_t k = 0; k < n - 2; k++) {
    const int d = digit_of(w[n - 1 - k]);
    if (d == 16) return list_line_fail(l, l->taken - 1, "%s '%s' is no hexadecimal number; write 0x1c", what, w);
    value[k / 2] |= (uint8_t)(d << 4 * (k % 2));
  }
  return true;
}

bool list_line_place(struct list_line *l, uint8_t *space, uint64_t *at, uint8_t *bytes) {
  static const struct {
    const char *word;
    uint8_t space;
  } name[] = {{"global:", ISA_SPACE_GLOBAL}, {"shared:", ISA_SPACE_SHARED}, {"local:", ISA_SPACE_LOCAL}};
  uint64_t n;
  *space = ISA_SPACE_GLOBAL;
  for (unsigned k = 0; k < 3 && l->taken < l->words; k++) {
    const size_t length = strlen(name[k].word);
    if (strncmp(l->word[l->taken], name[k].word, length) != 0) continue;
    *space = name[k].space;
    l->word[l->taken] += length;
    break;
  }
  if (!list_line_number(l, "the address", UINT64_MAX, at) || !list_line_number(l, "the number of bytes", 32, &n))
    return false;
  *bytes = (uint8_t)n;
  if (n == 0) return list_line_fail(l, l->taken - 1, "an access of no bytes; drop the line");
  if (*at % PLACE_BYTES + n > PLACE_BYTES)
    return list_line_fail(l, l->taken - 1, "bytes 0x%llx to 0x%llx are in two sectors of 32; write an event for each",
                          (unsigned long long)*at, (unsigned long long)(*at + n - 1));
  return true;
}

bool list_line_over(const struct list_line *l) {
  return l->taken == l->words ||
         list_line_fail(l, l->taken, "'%.40s' is one word too many, or not known here", l->word[l->taken]);
}
