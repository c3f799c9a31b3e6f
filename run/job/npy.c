/* SPDX-License-Identifier: Apache-2.0
 * .npy: 6 bytes of magic, 2 of version, the length of the header (2 bytes, from version 2 on 4), the header, which is
 * text: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } and blanks. */
#include "npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/elements.h"

static const char magic[6] = "\x93NUMPY";

static const struct {
  const char *descr, *type;
} types[] = {{"f2", "f16"}, {"f4", "f32"}, {"f8", "f64"}, {"i1", "s8"},  {"i2", "s16"}, {"i4", "s32"},
             {"i8", "s64"}, {"u1", "u8"},  {"u2", "u16"}, {"u4", "u32"}, {"u8", "u64"}, {"b1", "u8"},
             {"u1", "b8"},  {"u2", "b16"}, {"u4", "b32"}, {"u8", "b64"}};

bool npy_is_name(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".npy") == 0;
}

struct cursor {
  const char *at, *end;
};

static void blanks(struct cursor *c) {
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\n')) c->at++;
}

static bool takes(struct cursor *c, const char *word) {
  const size_t n = strlen(word);
  blanks(c);
  if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0) return false;
  c->at += n;
  return true;
}

/* '<f4': little-endian, or of one byte. */
static bool take_descr(struct cursor *c, struct npy_array *a) {
  if (!takes(c, "'") || c->end - c->at < 4 || c->at[3] != '\'') return false;
  const char order = c->at[0];
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (memcmp(c->at + 1, types[i].descr, 2) != 0) continue;
    if (order != '<' && (order != '|' || types[i].descr[1] != '1')) return false;
    snprintf(a->type, sizeof a->type, "%s", types[i].type);
    c->at += 4;
    return true;
  }
  return false;
}

static bool take_size(struct cursor *c, uint64_t *n) {
  blanks(c);
  const char *first = c->at;
  for (*n = 0; c->at < c->end && *c->at >= '0' && *c->at <= '9' && c->at - first < 15; c->at++)
    *n = *n * 10 + (uint64_t)(*c->at - '0');
  return c->at > first;
}

/* (), (5,), (3, 4) */
static bool take_shape(struct cursor *c, struct npy_array *a) {
  if (!takes(c, "(")) return false;
  for (a->dims = 0; !takes(c, ")"); a->dims++) {
    if (a->dims == NPY_DIMS || !take_size(c, &a->shape[a->dims])) return false;
    if (takes(c, ",")) continue;
    a->dims++;
    return takes(c, ")");
  }
  return true;
}

static const char *read_npy_header(struct cursor c, struct npy_array *a) {
  unsigned seen = 0;
  if (!takes(&c, "{")) return "its header is no dictionary";
  while (!takes(&c, "}")) {
    if (takes(&c, "'descr':")) {
      if (!take_descr(&c, a)) return "its elements are not little-endian numbers of 1 to 8 bytes";
      seen |= 1;
    } else if (takes(&c, "'fortran_order':")) {
      if (!takes(&c, "False")) return "it is in Fortran's order: numpy.ascontiguousarray turns it";
      seen |= 2;
    } else if (takes(&c, "'shape':")) {
      if (!take_shape(&c, a)) return "its shape cannot be read";
      seen |= 4;
    } else {
      return "its header cannot be read";
    }
    (void)takes(&c, ",");
  }
  return seen == 7 ? NULL : "its header lacks descr, fortran_order or shape";
}

/* How many bytes the shape says; false: more than there could be. */
static bool bytes_of_shape(const struct npy_array *a, size_t most, size_t *bytes) {
  *bytes = element_width(a->type);
  for (unsigned d = 0; d < a->dims; d++)
    if (a->shape[d] == 0) *bytes = 0;
  for (unsigned d = 0; d < a->dims && *bytes != 0; d++) {
    if (a->shape[d] > most / *bytes) return false;
    *bytes *= (size_t)a->shape[d];
  }
  return true;
}

const uint8_t *npy_read(const uint8_t *file, size_t size, struct npy_array *a, size_t *bytes, const char **why) {
  memset(a, 0, sizeof *a);
  *why = "it does not begin as a .npy file does";
  if (size < 12 || memcmp(file, magic, sizeof magic) != 0 || file[6] < 1 || file[6] > 3) return NULL;
  const size_t first = file[6] == 1 ? 10 : 12;
  size_t length = file[8] | (size_t)file[9] << 8;
  if (first == 12) length |= (size_t)file[10] << 16 | (size_t)file[11] << 24;
  *why = "its header is longer than the file";
  if (length > size - first) return NULL;
  const char *text = (const char *)file + first;
  *why = read_npy_header((struct cursor){text, text + length}, a);
  if (*why) return NULL;
  const size_t left = size - first - length;
  *why = "it does not hold as many numbers as its shape says";
  if (!bytes_of_shape(a, left, bytes) || *bytes != left) return NULL;
  *why = NULL;
  return file + first + length;
}

/* The first of that type: truth values are read, not written. */
static const char *descr_of(const char *type, char buf[4]) {
  size_t i = sizeof types / sizeof *types - 1;
  while (i > 0 && strcmp(types[i].type, type) != 0) i--;
  for (size_t k = 0; k < i; k++)
    if (strcmp(types[k].type, type) == 0) i = k;
  const bool known = strcmp(types[i].type, type) == 0;
  const char *descr = known ? types[i].descr : "u1";
  snprintf(buf, 4, "%c%.2s", descr[1] == '1' ? '|' : '<', descr);
  return buf;
}

size_t npy_head(const struct npy_array *a, char head[NPY_HEAD]) {
  char descr[4], *text = head + 10;
  const size_t room = NPY_HEAD - 10;
  int n = snprintf(text, room, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr_of(a->type, descr));
  for (unsigned d = 0; d < a->dims; d++) n += snprintf(text + n, room - (size_t)n, "%" PRIu64 ", ", a->shape[d]);
  n += snprintf(text + n, room - (size_t)n, "), }");
  while ((n + 10) % 64 != 63) text[n++] = ' ';
  text[n++] = '\n';
  memcpy(head, magic, sizeof magic);
  head[6] = 1;
  head[7] = 0;
  head[8] = (char)(n & 0xff);
  head[9] = (char)(n >> 8);
  return 10 + (size_t)n;
}
