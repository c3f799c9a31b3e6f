/* SPDX-License-Identifier: Apache-2.0
 * Building blocks of cases; their end. */
#include "case.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"

uint32_t case_word(uint64_t *s) {
  return (uint32_t)(splitmix64(s) >> 32);
}

float case_float(uint64_t *s) {
  uint32_t r = case_word(s);
  if (r % 29 == 0) return 0.0f;
  if (r % 31 == 0) return ldexpf((float)(int32_t)case_word(s), -165);
  return ldexpf((float)(int32_t)case_word(s), (int)(r % 40) - 51);
}

float case_between(uint64_t *s, float low, float high) {
  return low + (high - low) * ((float)(case_word(s) >> 8) * 0x1p-24f);
}

void *case_buffer(struct kernel_case *c, enum case_kind kind, size_t bytes) {
  assert(c->buffers < KERNEL_BUFFERS);
  struct kernel_buffer *b = &c->buffer[c->buffers++];
  b->bytes = bytes;
  b->read_only = kind == CASE_IN;
  b->noise = kind == CASE_OUT;
  b->init = calloc(1, bytes);
  b->expect = calloc(1, bytes);
  return b->init;
}

bool case_has_memory(const struct kernel_case *c) {
  for (unsigned i = 0; i < c->buffers; i++)
    if (!c->buffer[i].init || !c->buffer[i].expect) return false;
  return true;
}

void case_seal(struct kernel_case *c, uint64_t *s) {
  for (unsigned i = 0; i < c->buffers; i++) {
    struct kernel_buffer *b = &c->buffer[i];
    if (b->noise)
      for (size_t k = 0; k < b->bytes; k++) b->init[k] = (uint8_t)splitmix64(s);
    memcpy(b->expect, b->init, b->bytes);
  }
}

void *case_expect(struct kernel_case *c, unsigned number) {
  assert(number < c->buffers);
  return c->buffer[number].expect;
}

void case_near(struct kernel_case *c, unsigned number, double relative, double absolute) {
  assert(number < c->buffers);
  struct kernel_buffer *b = &c->buffer[number];
  b->compare = KERNEL_NEAR;
  b->relative = relative;
  b->absolute = absolute;
}

struct kernel_launch *case_launch(struct kernel_case *c, const char *entry) {
  assert(c->launches < KERNEL_LAUNCHES);
  struct kernel_launch *l = &c->launch[c->launches++];
  l->entry = entry;
  for (unsigned d = 0; d < 3; d++) l->grid[d] = l->block[d] = 1;
  return l;
}

void launch_line(struct kernel_launch *l, uint32_t threads, uint32_t block) {
  launch_plane(l, threads, 1, block, 1);
}

void launch_plane(struct kernel_launch *l, uint32_t width, uint32_t height, uint32_t block_x, uint32_t block_y) {
  l->block[0] = block_x;
  l->block[1] = block_y;
  l->grid[0] = (width + block_x - 1) / block_x;
  l->grid[1] = (height + block_y - 1) / block_y;
}

static struct kernel_arg *argument(struct kernel_launch *l, enum kernel_arg_kind kind) {
  assert(l->args < KERNEL_ARGS);
  struct kernel_arg *a = &l->arg[l->args++];
  a->kind = kind;
  return a;
}

void launch_buffer(struct kernel_launch *l, unsigned number) {
  argument(l, KERNEL_ARG_BUFFER)->buffer = number;
}

void launch_u32(struct kernel_launch *l, uint32_t v) {
  struct kernel_arg *a = argument(l, KERNEL_ARG_SCALAR);
  a->scalar = v;
  a->bytes = 4;
}

void launch_u64(struct kernel_launch *l, uint64_t v) {
  struct kernel_arg *a = argument(l, KERNEL_ARG_SCALAR);
  a->scalar = v;
  a->bytes = 8;
}

void launch_float(struct kernel_launch *l, float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  launch_u32(l, bits);
}

void launch_local(struct kernel_launch *l, unsigned bytes) {
  argument(l, KERNEL_ARG_LOCAL)->bytes = bytes;
}

void kernel_case_clear(struct kernel_case *c) {
  for (unsigned i = 0; i < c->buffers; i++) {
    free(c->buffer[i].init);
    free(c->buffer[i].expect);
  }
  memset(c, 0, sizeof *c);
}

static int by_word(const void *x, const void *y) {
  uint32_t a, b;
  memcpy(&a, x, 4);
  memcpy(&b, y, 4);
  return a < b ? -1 : a > b;
}

static uint8_t *sorted(const uint8_t *words, size_t bytes) {
  uint8_t *copy = malloc(bytes + 1);
  if (!copy) return NULL;
  memcpy(copy, words, bytes);
  qsort(copy, bytes / 4, 4, by_word);
  return copy;
}

static bool equal_bytes(const uint8_t *got, const uint8_t *want, size_t bytes, size_t *at) {
  for (*at = 0; *at < bytes; ++*at)
    if (got[*at] != want[*at]) return false;
  return true;
}

static bool near(const struct kernel_buffer *b, const uint8_t *got, size_t *at) {
  for (*at = 0; *at < b->bytes; *at += sizeof(float)) {
    float seen, wanted;
    memcpy(&seen, got + *at, sizeof seen);
    memcpy(&wanted, b->expect + *at, sizeof wanted);
    if (!(fabs((double)seen - wanted) <= b->relative * fabs((double)wanted) + b->absolute)) return false;
  }
  return true;
}

bool kernel_matches(const struct kernel_buffer *b, const uint8_t *got, size_t *at) {
  if (b->compare == KERNEL_NEAR) return near(b, got, at);
  if (b->compare == KERNEL_EXACT) return equal_bytes(got, b->expect, b->bytes, at);
  uint8_t *seen = sorted(got, b->bytes), *wanted = sorted(b->expect, b->bytes);
  *at = 0;
  const bool ok = seen && wanted && equal_bytes(seen, wanted, b->bytes, at);
  free(seen);
  free(wanted);
  return ok;
}
