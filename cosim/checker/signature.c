/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures of failures.
 */
#include "signature.h"

#include <stdio.h>
#include <string.h>

#include <heddle/isa_tables.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_plain(char c) {
  return is_letter(c) || is_digit(c) || (c != '\0' && strchr("._-#/", c) != NULL);
}

void signature_op(struct heddle_isa_word word, char *op, size_t bytes) {
  struct heddle_isa_dec d;
  if (word.lo == 0 && word.hi == 0)
    op[0] = '\0';
  else if (!heddle_isa_decode(word, &d))
    snprintf(op, bytes, "illegal");
  else
    snprintf(op, bytes, "%s/%s", heddle_isa_op_name((enum heddle_isa_op)d.op),
             heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->format);
}

/* What the report names, up to " = " and without numbers: "operand a.0 = R2" is "operand a". */
static void subject_class(const char *subject, char *what, size_t bytes) {
  const char *equals = strstr(subject, " = "), *end = equals != NULL ? equals : subject + strlen(subject);
  size_t n = 0;
  for (const char *p = subject; p < end && n + 1 < bytes;) {
    if (is_digit(*p)) {
      p += p[0] == '0' && p[1] == 'x' ? 2 + strspn(p + 2, "0123456789abcdef") : strspn(p, "0123456789");
      continue;
    }
    if (is_letter(*p))
      what[n++] = *p;
    else if (n != 0 && what[n - 1] != ' ')
      what[n++] = ' ';
    p++;
  }
  while (n != 0 && what[n - 1] == ' ') n--;
  what[n] = '\0';
}

/* The cause that a difference about a trap speaks of. */
static const char *cause_in(const struct heddle_checker_difference *d) {
  if (strncmp(heddle_checker_kind_name(d->kind), "trap.", 5) != 0 && d->kind != HEDDLE_CHECKER_ISSUE_TRAP) return NULL;
  for (int c = HEDDLE_TRAP_NONE + 1; c < HEDDLE_CAUSES; c++)
    if (strstr(d->note, heddle_cause_name((enum heddle_cause)c)) != NULL)
      return heddle_cause_name((enum heddle_cause)c);
  return NULL;
}

void signature_of(const struct heddle_checker_difference *d, struct signature *s) {
  memset(s, 0, sizeof *s);
  snprintf(s->kind, sizeof s->kind, "%s", heddle_checker_kind_name(d->kind));
  if (d->has_warp) signature_op(d->word, s->op, sizeof s->op);
  const char *cause = cause_in(d);
  if (cause != NULL)
    snprintf(s->what, sizeof s->what, "%s", cause);
  else
    subject_class(d->subject, s->what, sizeof s->what);
}

/* One part: whatever is not plain becomes an underline. */
static size_t put_part(char *buf, size_t n, const char *part) {
  buf[n++] = ':';
  if (*part == '\0') buf[n++] = '-';
  for (; *part != '\0'; part++) buf[n++] = is_plain(*part) ? *part : '_';
  return n;
}

const char *signature_text(const struct signature *s, char buf[SIGNATURE_BYTES]) {
  _Static_assert(sizeof s->kind + sizeof s->op + sizeof s->what + 8 <= SIGNATURE_BYTES, "a signature has no room");
  size_t n = (size_t)snprintf(buf, 8, "s%d", SIGNATURE_VERSION);
  n = put_part(buf, n, s->kind);
  n = put_part(buf, n, s->op);
  n = put_part(buf, n, s->what);
  buf[n] = '\0';
  return buf;
}

bool signature_equal(const struct signature *a, const struct signature *b) {
  return strcmp(a->kind, b->kind) == 0 && strcmp(a->op, b->op) == 0 && strcmp(a->what, b->what) == 0;
}

enum signature_form signature_check(const char *text, size_t length) {
  unsigned parts = 0;
  size_t at = 1, digits = 0, most[] = {0, 47, 31, 95}, part = 0;
  if (length >= SIGNATURE_BYTES || length < 2 || text[0] != 's') return SIGNATURE_MALFORMED;
  while (at < length && is_digit(text[at])) at++, digits++;
  if (digits == 0 || digits > 4 || at == length || text[at] != ':') return SIGNATURE_MALFORMED;
  char version[8];
  snprintf(version, sizeof version, "%d", SIGNATURE_VERSION);
  if (digits != strlen(version) || memcmp(text + 1, version, digits) != 0) return SIGNATURE_OTHER_VERSION;
  for (; at < length; at++) {
    if (text[at] == ':') {
      if ((parts != 0 && part == 0) || ++parts > 3) return SIGNATURE_MALFORMED;
      part = 0;
    } else if (!is_plain(text[at]) || ++part > most[parts]) {
      return SIGNATURE_MALFORMED;
    }
  }
  return parts == 3 && part != 0 ? SIGNATURE_OK : SIGNATURE_MALFORMED;
}
