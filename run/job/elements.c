/* SPDX-License-Identifier: Apache-2.0
 * Columns of numbers, and NumPy's files of them. */
#include "elements.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/case_data.h"

static const struct {
  const char *name;
  unsigned width;
  char kind; /* float, signed, unsigned, bits */
} types[] = {{"f16", 2, 'b'},    {"f32", 4, 'f'},    {"f64", 8, 'f'},    {"b8", 1, 'b'},      {"b16", 2, 'b'},
             {"b32", 4, 'b'},    {"b64", 8, 'b'},    {"u8", 1, 'u'},     {"u16", 2, 'u'},     {"u32", 4, 'u'},
             {"u64", 8, 'u'},    {"s8", 1, 's'},     {"s16", 2, 's'},    {"s32", 4, 's'},     {"s64", 8, 's'},
             {"int8", 1, 's'},   {"int16", 2, 's'},  {"int32", 4, 's'},  {"int64", 8, 's'},   {"uint8", 1, 'u'},
             {"uint16", 2, 'u'}, {"uint32", 4, 'u'}, {"uint64", 8, 'u'}, {"float16", 2, 'b'}, {"float32", 4, 'f'},
             {"float64", 8, 'f'}};

static size_t find_type(const char *type) {
  size_t i = 0;
  while (i < sizeof types / sizeof *types && (!type || strcmp(types[i].name, type) != 0)) i++;
  return i;
}

unsigned element_width(const char *type) {
  const size_t i = find_type(type);
  return i < sizeof types / sizeof *types ? types[i].width : 0;
}

bool element_is_float(const char *type) {
  const size_t i = find_type(type);
  return i < sizeof types / sizeof *types && types[i].kind == 'f';
}

uint64_t element_at(const uint8_t *column, unsigned width, size_t index) {
  uint64_t v = 0;
  for (unsigned b = 0; b < width; b++) v |= (uint64_t)column[index * width + b] << (8 * b);
  return v;
}

const char *element_text(const char *type, uint64_t bits, char *buf, size_t size) {
  const size_t i = find_type(type);
  const unsigned width = element_width(type);
  const char kind = i < sizeof types / sizeof *types ? types[i].kind : 'b';
  double number;
  if (kind == 'f' && width == 4) {
    float f;
    const uint32_t word = (uint32_t)bits;
    memcpy(&f, &word, sizeof f);
    number = (double)f;
  } else {
    memcpy(&number, &bits, sizeof number);
  }
  const unsigned unused = 64 - 8 * width;
  if (kind == 'f')
    snprintf(buf, size, "0x%0*" PRIx64 " (%.*g)", (int)width * 2, bits, width == 4 ? 9 : 17, number);
  else if (kind == 's')
    snprintf(buf, size, "0x%0*" PRIx64 " (%" PRId64 ")", (int)width * 2, bits, (int64_t)(bits << unused) >> unused);
  else if (kind == 'u')
    snprintf(buf, size, "0x%0*" PRIx64 " (%" PRIu64 ")", (int)width * 2, bits, bits);
  else
    snprintf(buf, size, "0x%0*" PRIx64, (int)width * 2, bits);
  return buf;
}

/* In units of its last place it is a whole number: rint rounds it. */
uint16_t element_half(double v) {
  const uint16_t sign = signbit(v) ? 0x8000 : 0;
  int exponent;
  if (isnan(v)) return 0x7fff;
  v = fabs(v);
  if (v == 0) return sign;
  if (v >= 65520) return sign | 0x7c00; /* infinite, or rounded up to it */
  (void)frexp(v, &exponent);
  if (exponent < -13) exponent = -13; /* subnormal: the last place is 2^-24 */
  const uint16_t digits = (uint16_t)rint(ldexp(v, 11 - exponent));
  return (uint16_t)(sign | (digits + (exponent + 13) * 1024)); /* the leading digit counts in the exponent */
}

double element_half_value(uint16_t half) {
  const int exponent = half >> 10 & 31, digits = half & 1023;
  double v = exponent == 0 ? ldexp(digits, -24) : ldexp(digits + 1024, exponent - 25);
  if (exponent == 31) v = digits ? (double)NAN : (double)INFINITY;
  return half >> 15 ? -v : v;
}

size_t element_difference(const uint8_t *got, const uint8_t *want, unsigned width, size_t count) {
  size_t i = 0;
  while (i < count && memcmp(got + i * width, want + i * width, width) == 0) i++;
  return i;
}

uint8_t *element_file(const char *dir, const char *name, size_t bytes, char *why, size_t size) {
  size_t n = 0;
  uint8_t *data = case_data_read(dir, name, bytes, &n, why, size);
  if (!data || n == bytes) return data;
  snprintf(why, size, "%s: fewer than the %zu bytes it must have", name, bytes);
  free(data);
  return NULL;
}

/* .npy: 6 bytes of magic, 2 of version, the length of the header (2 bytes, from version 2 on 4), the header, which is
 * text: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } and blanks. */

static const char magic[6] = "\x93NUMPY";

static const struct {
  const char *descr, *type;
} npy_types[] = {{"f2", "f16"}, {"f4", "f32"}, {"f8", "f64"}, {"i1", "s8"},  {"i2", "s16"}, {"i4", "s32"},
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
  for (size_t i = 0; i < sizeof npy_types / sizeof *npy_types; i++) {
    if (memcmp(c->at + 1, npy_types[i].descr, 2) != 0) continue;
    if (order != '<' && (order != '|' || npy_types[i].descr[1] != '1')) return false;
    snprintf(a->type, sizeof a->type, "%s", npy_types[i].type);
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
  size_t i = sizeof npy_types / sizeof *npy_types - 1;
  while (i > 0 && strcmp(npy_types[i].type, type) != 0) i--;
  for (size_t k = 0; k < i; k++)
    if (strcmp(npy_types[k].type, type) == 0) i = k;
  const bool known = strcmp(npy_types[i].type, type) == 0;
  const char *descr = known ? npy_types[i].descr : "u1";
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
