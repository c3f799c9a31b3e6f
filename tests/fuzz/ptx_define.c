/* SPDX-License-Identifier: Apache-2.0
 *
 * Every declared register gets a value where it is declared. A program in which nothing is read before it is written
 * must do the same at every level, which one with such reads need not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/ptx_text.h"
#include "base/splitmix64.h"

enum { VALUES_MOST = 256, VALUE_BYTES = 320 };

/* "mov.b32 %r3, 5;" and the like; characters, 0 where there is no such register. */
static int value(char *out, const char *name, int length, enum ptx_type type, int number, uint64_t *state) {
  const unsigned zeros = text_pick(state, 63);
  const uint64_t noise = splitmix64(state) >> zeros;
  char which[16] = "";
  if (number >= 0) snprintf(which, sizeof which, "%d", number);
  const char *word = ptx_type_word(type);
  if (length > 200) return 0;
  if (type == PTX_PRED)
    return snprintf(out, VALUE_BYTES, " setp.ne.u32 %.*s%s, %u, 0;", length, name, which, (unsigned)(noise & 1));
  if (type == PTX_F32)
    return snprintf(out, VALUE_BYTES, " mov.f32 %.*s%s, 0f%08X;", length, name, which, (unsigned)noise);
  if (type == PTX_F64)
    return snprintf(out, VALUE_BYTES, " mov.f64 %.*s%s, 0d%016llX;", length, name, which, (unsigned long long)noise);
  const unsigned bytes = ptx_type_bytes(type);
  const uint64_t bits = bytes < 8 ? noise & ((UINT64_C(1) << 8 * bytes) - 1) : noise;
  if (bytes == 1) return snprintf(out, VALUE_BYTES, " cvt.u8.u32 %.*s%s, %u;", length, name, which, (unsigned)bits);
  if (type == PTX_F16 || type == PTX_F16X2) word = type == PTX_F16 ? "b16" : "b32";
  return snprintf(out, VALUE_BYTES, " mov.%s %.*s%s, 0x%llx;", word, length, name, which, (unsigned long long)bits);
}

/* Behind the declaration that ends before byte `to`. */
static size_t values(const struct text *t, size_t from, size_t to, uint64_t *state, char *out) {
  size_t used = 0;
  for (unsigned k = 0; k < t->registers; k++) {
    const struct text_register *r = &t->reg[k];
    const struct text_token *n = &t->token[r->name];
    const char *name = (const char *)t->data + n->at;
    if (n->at < from || n->at >= to) continue;
    for (int i = r->count > 0 ? 0 : -1; i < (int)r->count && i < VALUES_MOST; i++)
      used += (size_t)value(out + used, name, (int)n->size, r->type, i, state);
  }
  return used;
}

char *text_define(const uint8_t *data, size_t size, uint64_t *state, size_t *bytes) {
  struct text *t = malloc(sizeof *t);
  uint8_t *copy = malloc(size + 1);
  if (t == NULL || copy == NULL) abort();
  memcpy(copy, data, size);
  text_read(t, copy, size, size);
  size_t room = size, used = 0, at = 0;
  for (unsigned k = 0; k < t->registers; k++)
    room += VALUE_BYTES * (t->reg[k].count < VALUES_MOST ? t->reg[k].count + 1 : VALUES_MOST);
  char *out = malloc(room + 1);
  if (out == NULL) abort();
  for (unsigned k = 0; k < t->statements; k++) {
    if (!text_is(t, t->statement[k].first, ".reg")) continue;
    const size_t to = text_end(t, t->statement[k]);
    memcpy(out + used, copy + at, to - at);
    used += to - at;
    used += values(t, text_begin(t, t->statement[k]), to, state, out + used);
    at = to;
  }
  memcpy(out + used, copy + at, size - at);
  *bytes = used + size - at;
  free(copy);
  free(t);
  return out;
}
