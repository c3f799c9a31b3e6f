/* SPDX-License-Identifier: Apache-2.0
 * Knobs by name: text in, numbers within their limits out. */
#include "knobs.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct info {
  const char *name;
  uint32_t least, most;
  bool range;
};

static const struct info infos[KNOBS] = {
#define ONE(id, name, least, most) {name, least, most, false},
#define TWO(id, name, least, most) {name, least, most, true},
    RANDOM_KNOBS(ONE, TWO)
#undef ONE
#undef TWO
};

/* Made of default.knobs when this is built. */
extern const char random_default_knobs[];

struct reader {
  const char *at, *end, *line; /* line: where it starts */
  const char *file;            /* NULL: one setting, without a place */
  unsigned number;
  char *err;
  size_t err_size;
};

const char *random_knob_name(enum knob k) {
  return infos[k].name;
}

const char *random_knobs_default_text(void) {
  return random_default_knobs;
}

static bool knob_wrong(const struct reader *r, const char *at, const char *what, const char *detail, size_t length) {
  char place[300] = "";
  if (r->file)
    (void)snprintf(place, sizeof place, "%.200s:%u:%u: error: ", r->file, r->number, (unsigned)(at - r->line) + 1);
  if (length > 60) length = 60;
  (void)snprintf(r->err, r->err_size, "%s%s%s%.*s%s", place, what, length ? " '" : "", (int)length, detail,
                 length ? "'" : "");
  for (char *c = r->err; *c; c++)
    if (!isprint((unsigned char)*c)) *c = '?';
  return false;
}

static void skip_blanks(struct reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '.' || c == '_';
}

static bool read_name(struct reader *r, enum knob *k) {
  const char *from = r->at;
  while (r->at < r->end && in_name(*r->at)) r->at++;
  const size_t length = (size_t)(r->at - from);
  if (length == 0) return knob_wrong(r, from, "expected the name of a knob", NULL, 0);
  for (unsigned i = 0; i < KNOBS; i++) {
    if (strlen(infos[i].name) != length || memcmp(infos[i].name, from, length) != 0) continue;
    *k = (enum knob)i;
    return true;
  }
  return knob_wrong(r, from, "there is no knob (lab/verify/random/default.knobs lists all):", from, length);
}

static bool read_number(struct reader *r, const struct info *i, uint32_t *v) {
  const char *from = r->at;
  uint64_t n = 0;
  for (; r->at < r->end && isdigit((unsigned char)*r->at); r->at++)
    if (n <= UINT32_MAX) n = n * 10 + (unsigned)(*r->at - '0');
  if (r->at == from) return knob_wrong(r, from, "expected a number", NULL, 0);
  if (n < i->least || n > i->most) {
    char limits[120];
    (void)snprintf(limits, sizeof limits, "%s is from %u to %u, not", i->name, i->least, i->most);
    return knob_wrong(r, from, limits, from, (size_t)(r->at - from));
  }
  *v = (uint32_t)n;
  return true;
}

/* NAME = LOW or LOW..HIGH, and nothing after it but a comment. */
static bool read_setting(struct reader *r, struct random_knobs *k) {
  enum knob id = (enum knob)0;
  if (!read_name(r, &id)) return false;
  skip_blanks(r);
  if (r->at == r->end || *r->at != '=') return knob_wrong(r, r->at, "expected '=' after", infos[id].name, 60);
  r->at++;
  skip_blanks(r);
  const char *from = r->at;
  uint32_t low, high;
  if (!read_number(r, &infos[id], &low)) return false;
  high = low;
  if (r->end - r->at >= 2 && r->at[0] == '.' && r->at[1] == '.') {
    if (!infos[id].range) return knob_wrong(r, r->at, "one number, no range, is what belongs to", infos[id].name, 60);
    r->at += 2;
    if (!read_number(r, &infos[id], &high)) return false;
    if (high < low) return knob_wrong(r, from, "the range ends before it starts:", from, (size_t)(r->at - from));
  }
  skip_blanks(r);
  if (r->at < r->end && *r->at != '#' && *r->at != '\n')
    return knob_wrong(r, r->at, "expected the end of the line, or '#' and a comment", NULL, 0);
  k->value[id].low = low;
  k->value[id].high = high;
  return true;
}

bool random_knobs_read(struct random_knobs *k, const char *text, size_t size, const char *file, char *err,
                       size_t err_size) {
  struct random_knobs made = *k;
  struct reader r = {text, text + size, text, file, 1, err, err_size};
  if (size > KNOB_TEXT_MAX) return knob_wrong(&r, text, "the file is larger than 64 KiB", NULL, 0);
  while (r.at < r.end) {
    skip_blanks(&r);
    if (r.at < r.end && *r.at != '#' && *r.at != '\n' && !read_setting(&r, &made)) return false;
    while (r.at < r.end && *r.at != '\n') r.at++;
    if (r.at < r.end) r.at++;
    r.line = r.at;
    r.number++;
  }
  *k = made;
  return true;
}

bool random_knobs_set(struct random_knobs *k, const char *setting, char *err, size_t err_size) {
  struct random_knobs made = *k;
  struct reader r = {setting, setting + strlen(setting), setting, NULL, 1, err, err_size};
  if (!read_setting(&r, &made)) return false;
  if (r.at != r.end) return knob_wrong(&r, r.at, "expected nothing after the value of", setting, strlen(setting));
  *k = made;
  return true;
}

/* The text is our own, and a test holds it against the list: what is wrong with it is a mistake of this library. */
void random_knobs_default(struct random_knobs *k) {
  char err[400] = "";
  memset(k, 0, sizeof *k);
  const bool good =
      random_knobs_read(k, random_default_knobs, strlen(random_default_knobs), "default.knobs", err, sizeof err);
  assert(good);
  (void)good;
}
