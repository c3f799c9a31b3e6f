/* SPDX-License-Identifier: Apache-2.0
 * Columns of numbers. */
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
