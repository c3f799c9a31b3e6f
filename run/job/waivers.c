/* SPDX-License-Identifier: Apache-2.0
 * Known failures: the text of a file of waivers, which failures they are for, and what is said of them. */
#include "waivers.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/command/tool.h"

/* The text of a file of waivers. It comes from outside: whatever it holds, it is taken whole or refused with a line. */

#define LINE_MOST (SIGNATURE_BYTES + 16u + WAIVER_REASON) /* characters */

struct reader {
  struct waivers *w;
  const char *today;
  unsigned line;
  struct heddle_message *m;
};

static bool refuse_line(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refuse_line(struct reader *r, const char *format, ...) {
  va_list ap;
  r->m->line = r->line;
  va_start(ap, format);
  (void)vsnprintf(r->m->text, sizeof r->m->text, format, ap);
  va_end(ap);
  return false;
}

static unsigned number_of_digits(const char *at, unsigned digits) {
  unsigned v = 0;
  while (digits-- > 0) v = v * 10 + (unsigned)(*at++ - '0');
  return v;
}

static bool is_date(const char *at, size_t n) {
  static const char form[] = "dddd-dd-dd";
  if (n != sizeof form - 1) return false;
  for (size_t i = 0; i < n; i++)
    if (form[i] == 'd' ? at[i] < '0' || at[i] > '9' : at[i] != '-') return false;
  return true;
}

static bool is_day(const char *date) {
  static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const unsigned year = number_of_digits(date, 4), month = number_of_digits(date + 5, 2),
                 day = number_of_digits(date + 8, 2);
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (month < 1 || month > 12) return false;
  return day >= 1 && day <= days[month - 1] + (unsigned)(leap && month == 2);
}

static bool blank(char c) {
  return c == ' ' || c == '\t';
}

/* The next word of the line: its length; *at stands at its begin, and may be at the end. */
static size_t next_word(const char **at, const char *end) {
  size_t n = 0;
  while (*at < end && blank(**at)) (*at)++;
  while (*at + n < end && !blank((*at)[n])) n++;
  return n;
}

/* A trap that model and machine agree on, a program that does not fit: no fault of the machine's. */
static bool of_program(const char *signature) {
  return strncmp(signature, "s1:trap:", 8) == 0 || strncmp(signature, "s1:refused:", 11) == 0;
}

static bool take_signature(struct reader *r, struct waiver *v, const char *at, size_t n) {
  const enum signature_form form = signature_check(at, n);
  if (form == SIGNATURE_MALFORMED) return refuse_line(r, "'%.60s' is no signature", v->signature);
  if (form == SIGNATURE_OTHER_VERSION)
    return refuse_line(r, "'%.60s' is of another version; signatures begin with s%d here", v->signature,
                       SIGNATURE_VERSION);
  if (of_program(v->signature))
    return refuse_line(r, "'%.60s': what a program does wrong by itself is nobody's to waive", v->signature);
  for (size_t i = 0; i < r->w->waivers; i++)
    if (strcmp(r->w->waiver[i].signature, v->signature) == 0)
      return refuse_line(r, "this signature is waived in line %u already", r->w->waiver[i].line);
  return true;
}

static bool take_waiver(struct reader *r, const char *at, const char *end) {
  if (r->w->waivers == WAIVERS_MAX) return refuse_line(r, "more than %u waivers", WAIVERS_MAX);
  struct waiver *v = &r->w->waiver[r->w->waivers];
  size_t n = next_word(&at, end);
  (void)snprintf(v->signature, sizeof v->signature, "%.*s", (int)n, at);
  if (!take_signature(r, v, at, n)) return false;
  at += n;
  n = next_word(&at, end);
  if (!is_date(at, n)) return refuse_line(r, "expected the last day on which the waiver holds, YYYY-MM-DD");
  (void)snprintf(v->until, sizeof v->until, "%.*s", (int)n, at);
  if (!is_day(v->until)) return refuse_line(r, "there is no day %s", v->until);
  at += n;
  (void)next_word(&at, end);
  while (end > at && blank(end[-1])) end--;
  if (at == end) return refuse_line(r, "a waiver has a reason");
  if ((size_t)(end - at) > WAIVER_REASON) return refuse_line(r, "a reason has at most %u characters", WAIVER_REASON);
  (void)snprintf(v->reason, sizeof v->reason, "%.*s", (int)(end - at), at);
  v->line = r->line;
  v->expired = strcmp(v->until, r->today) < 0;
  v->matches = 0;
  r->w->waivers++;
  return true;
}

static bool take_lines(struct reader *r, const char *text, size_t size) {
  for (const char *at = text, *end = text + size, *next; at < end; at = next) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    next = stop < end ? stop + 1 : end;
    r->line++;
    if (stop > at && stop[-1] == '\r') stop--;
    if ((size_t)(stop - at) > LINE_MOST) return refuse_line(r, "a line has at most %u characters", LINE_MOST);
    for (const char *c = at; c < stop; c++)
      if ((*c < ' ' || *c > '~') && *c != '\t')
        return refuse_line(r, "byte 0x%02x: not printable ASCII", (unsigned char)*c);
    const char *first = at;
    if (next_word(&first, stop) == 0 || *first == '#') continue;
    if (!take_waiver(r, first, stop)) return false;
  }
  return true;
}

struct waivers *waivers_parse(const char *text, size_t size, const char *file, const char *today,
                              struct heddle_message *m) {
  struct waivers *w = calloc(1, sizeof *w);
  struct reader r = {.w = w, .today = today, .m = m};
  *m = (struct heddle_message){0};
  (void)snprintf(m->file, sizeof m->file, "%.255s", file);
  if (w) w->waiver = calloc(WAIVERS_MAX, sizeof *w->waiver);
  bool ok = w && w->waiver;
  if (!ok) (void)refuse_line(&r, "out of memory");
  if (ok) (void)snprintf(w->file, sizeof w->file, "%.255s", file);
  ok = ok && take_lines(&r, text, size);
  if (ok) return w;
  waivers_free(w);
  return NULL;
}

/* Waivers: which failures they are for, and what is said of them. */

static void today_text(char text[11]) {
  const time_t now = time(NULL);
  struct tm t;
  (void)gmtime_r(&now, &t);
  (void)strftime(text, 11, "%Y-%m-%d", &t);
}

int waivers_open(const char *path, struct waivers **out) {
  char today[11] = "";
  size_t size;
  struct heddle_message m;
  *out = NULL;
  if (!path) return TOOL_OK;
  uint8_t *text = tool_read_file(path, WAIVERS_BYTES, &size);
  if (!text) return TOOL_USAGE;
  today_text(today);
  *out = waivers_parse((const char *)text, size, path, today, &m);
  if (!*out) tool_message(NULL, &m);
  free(text);
  return *out ? TOOL_OK : TOOL_USAGE;
}

void waivers_free(struct waivers *w) {
  if (!w) return;
  free(w->waiver);
  free(w);
}

const struct waiver *waivers_match(struct waivers *w, const char *signature) {
  for (size_t i = 0; w && i < w->waivers; i++) {
    struct waiver *v = &w->waiver[i];
    if (strcmp(v->signature, signature) != 0) continue;
    v->matches++;
    return v->expired ? NULL : v;
  }
  return NULL;
}

void waiver_tell(const struct waiver *w, const char *name) {
  tool_log("waived: %s%s%s until %s: %s", name ? name : "", name ? ": " : "", w->signature, w->until, w->reason);
}

void waivers_tell(const struct waivers *w, bool unused) {
  for (size_t i = 0; w && i < w->waivers; i++) {
    const struct waiver *v = &w->waiver[i];
    if (v->expired) tool_log("%s:%u: the waiver of %s has expired on %s", w->file, v->line, v->signature, v->until);
    if (unused && v->matches == 0) tool_log("%s:%u: no failure has the signature %s", w->file, v->line, v->signature);
  }
}

json_t *waiver_json(const struct waiver *w) {
  return json_pack("{s:s, s:s}", "until", w->until, "reason", w->reason);
}

json_t *waivers_json(const struct waivers *w) {
  if (!w) return json_null();
  json_t *expired = json_array(), *unused = json_array();
  for (size_t i = 0; i < w->waivers; i++) {
    const struct waiver *v = &w->waiver[i];
    if (v->expired) (void)json_array_append_new(expired, json_string(v->signature));
    if (v->matches == 0) (void)json_array_append_new(unused, json_string(v->signature));
  }
  return json_pack("{s:s, s:o, s:o}", "file", w->file, "expired", expired, "unused", unused);
}
