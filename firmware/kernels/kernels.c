/* SPDX-License-Identifier: Apache-2.0
 * Inputs and expected results, in plain C that shares nothing with the model. */
#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 */
static uint64_t next(uint64_t *s) {
  uint64_t z = (*s += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint32_t next32(uint64_t *s) {
  return (uint32_t)(next(s) >> 32);
}

/* Finite floats over a wide range, with zeros and subnormals now and then. */
static float next_float(uint64_t *s) {
  uint32_t r = next32(s);
  if (r % 29 == 0) return 0.0f;
  if (r % 31 == 0) return ldexpf((float)(int32_t)next32(s), -165);
  return ldexpf((float)(int32_t)next32(s), (int)(r % 40) - 51);
}

static uint8_t *add_buffer(struct kernel_case *c, size_t bytes) {
  struct kernel_arg *a = &c->arg[c->args++];
  a->is_buffer = true;
  a->bytes = bytes;
  a->init = calloc(1, bytes);
  a->expect = calloc(1, bytes);
  return a->init;
}

static void add_u32(struct kernel_case *c, uint32_t v) {
  struct kernel_arg *a = &c->arg[c->args++];
  a->scalar = v;
  a->bytes_scalar = 4;
}

static bool have_memory(const struct kernel_case *c) {
  for (unsigned i = 0; i < c->args; i++)
    if (c->arg[i].is_buffer && (!c->arg[i].init || !c->arg[i].expect)) return false;
  return true;
}

/* Inputs stay as they are; outputs start as noise so that a lost store shows. */
static void seal_inputs(struct kernel_case *c, unsigned first_output, uint64_t *s) {
  for (unsigned i = 0; i < c->args; i++) {
    struct kernel_arg *a = &c->arg[i];
    if (!a->is_buffer) continue;
    if (i >= first_output)
      for (size_t b = 0; b < a->bytes; b++) a->init[b] = (uint8_t)next(s);
    memcpy(a->expect, a->init, a->bytes);
  }
}

static void line_of_blocks(struct kernel_case *c, uint32_t n, uint32_t block) {
  for (unsigned d = 0; d < 3; d++) c->grid[d] = c->block[d] = 1;
  c->block[0] = block;
  c->grid[0] = (n + block - 1) / block;
}

static bool vecadd(struct kernel_case *c, uint64_t seed, unsigned scale) {
  uint32_t n = scale ? 17003 * scale : 1003;
  line_of_blocks(c, n, 128);
  float *a = (float *)add_buffer(c, n * 4), *b = (float *)add_buffer(c, n * 4);
  add_buffer(c, n * 4);
  add_u32(c, n);
  if (!have_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) a[i] = next_float(&seed), b[i] = next_float(&seed);
  seal_inputs(c, 2, &seed);
  float *out = (float *)c->arg[2].expect;
  for (uint32_t i = 0; i < n; i++) out[i] = a[i] + b[i];
  return true;
}

static bool ifelse(struct kernel_case *c, uint64_t seed, unsigned scale) {
  uint32_t n = scale ? 13007 * scale : 709;
  line_of_blocks(c, n, 96);
  float *x = (float *)add_buffer(c, n * 4), *y = (float *)add_buffer(c, n * 4), *z = (float *)add_buffer(c, n * 4);
  add_u32(c, n);
  if (!have_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) {
    x[i] = next32(&seed) % 3 ? next_float(&seed) : 0.0f;
    y[i] = next_float(&seed);
    z[i] = next_float(&seed);
  }
  seal_inputs(c, 3, &seed);
  float *out = (float *)c->arg[0].expect;
  for (uint32_t i = 0; i < n; i++) out[i] = x[i] != 0.0f ? x[i] - y[i] : z[i];
  return true;
}

static uint32_t nested_step(uint32_t v) {
  v = 3 * v + 1;
  return v & 4 ? v ^ 0x10 : v;
}

static uint32_t nested_one(uint32_t v) {
  uint32_t acc = 0, steps = 0;
  if ((v & 3) == 0) return 7;
  while (steps < 40 && v > 1) {
    acc += v & 0xff;
    if (acc > 2000) return ~acc;
    v = v & 1 ? nested_step(v) : v >> 1;
    steps++;
  }
  return acc + (steps << 16);
}

static bool nested(struct kernel_case *c, uint64_t seed, unsigned scale) {
  uint32_t n = scale ? 1501 * scale : 301;
  line_of_blocks(c, n, 64);
  uint32_t *in = (uint32_t *)add_buffer(c, n * 4);
  add_buffer(c, n * 4);
  add_u32(c, n);
  if (!have_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) in[i] = next32(&seed) >> (next32(&seed) % 32);
  seal_inputs(c, 1, &seed);
  uint32_t *out = (uint32_t *)c->arg[1].expect;
  for (uint32_t i = 0; i < n; i++) out[i] = nested_one(in[i]);
  return true;
}

static bool reduce(struct kernel_case *c, uint64_t seed, unsigned scale) {
  uint32_t n = scale ? 4001 * scale : 1000;
  line_of_blocks(c, n, 128);
  float *in = (float *)add_buffer(c, n * 4);
  add_buffer(c, c->grid[0] * 4);
  add_u32(c, n);
  if (!have_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) in[i] = next_float(&seed);
  seal_inputs(c, 1, &seed);
  float *out = (float *)c->arg[1].expect;
  for (uint32_t b = 0; b < c->grid[0]; b++) {
    float s[128];
    for (uint32_t t = 0; t < 128; t++) s[t] = b * 128 + t < n ? in[b * 128 + t] : 0.0f;
    for (uint32_t stride = 64; stride > 0; stride /= 2)
      for (uint32_t t = 0; t < stride; t++) s[t] = s[t] + s[t + stride];
    out[b] = s[0];
  }
  return true;
}

static bool sgemm(struct kernel_case *c, uint64_t seed, unsigned scale) {
  uint32_t n = scale ? 64 : 48;
  for (unsigned step = 1; step < scale; step++) n += 32;
  c->grid[0] = c->grid[1] = n / 16;
  c->block[0] = 16;
  c->block[1] = 8;
  c->grid[2] = c->block[2] = 1;
  float *a = (float *)add_buffer(c, n * n * 4), *b = (float *)add_buffer(c, n * n * 4);
  add_buffer(c, n * n * 4);
  add_u32(c, n);
  if (!have_memory(c)) return false;
  for (uint32_t i = 0; i < n * n; i++) a[i] = next_float(&seed), b[i] = next_float(&seed);
  seal_inputs(c, 2, &seed);
  float *out = (float *)c->arg[2].expect;
  for (uint32_t y = 0; y < n; y++)
    for (uint32_t x = 0; x < n; x++) {
      float sum = 0.0f;
      for (uint32_t k = 0; k < n; k++) sum = fmaf(a[y * n + k], b[k * n + x], sum);
      out[y * n + x] = sum;
    }
  return true;
}

static bool histogram(struct kernel_case *c, uint64_t seed, unsigned scale) {
  uint32_t n = scale ? 11003 * scale : 700;
  line_of_blocks(c, n, 96);
  uint8_t *data = add_buffer(c, n);
  uint32_t *bins = (uint32_t *)add_buffer(c, 64 * 4), *total = (uint32_t *)add_buffer(c, 4);
  uint32_t *ticket = (uint32_t *)add_buffer(c, n * 4);
  add_u32(c, n);
  if (!have_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) data[i] = (uint8_t)(next32(&seed) % 5 ? next32(&seed) : 9);
  for (uint32_t i = 0; i < 64; i++) bins[i] = next32(&seed);
  *total = next32(&seed);
  seal_inputs(c, 4, &seed);
  bins = (uint32_t *)c->arg[1].expect;
  ticket = (uint32_t *)c->arg[3].expect;
  for (uint32_t i = 0; i < n; i++) {
    bins[data[i] & 63]++;
    ticket[i] = *total + i;
  }
  *(uint32_t *)c->arg[2].expect += n;
  c->arg[3].compare = KERNEL_PERMUTATION;
  return true;
}

static bool permute(struct kernel_case *c, uint64_t seed, unsigned scale) {
  uint32_t n = scale ? 18503 * scale : 901;
  line_of_blocks(c, n, 64);
  add_buffer(c, n * 4);
  uint32_t *b = (uint32_t *)add_buffer(c, n * 4), *index = (uint32_t *)add_buffer(c, n * 4);
  add_u32(c, n);
  if (!have_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) b[i] = next32(&seed), index[i] = i;
  for (uint32_t i = n - 1; i > 0; i--) {
    uint32_t j = next32(&seed) % (i + 1), t = index[i];
    index[i] = index[j];
    index[j] = t;
  }
  uint64_t s = seed;
  seal_inputs(c, 4, &seed);
  for (size_t i = 0; i < n * 4; i++) c->arg[0].init[i] = (uint8_t)next(&s);
  uint32_t *out = (uint32_t *)c->arg[0].expect;
  for (uint32_t i = 0; i < n; i++) out[i] = b[index[i]];
  return true;
}

const struct kernel_info kernel_table[] = {
    {"vecadd", "vector add with an odd tail", vecadd},
    {"ifelse", "the textbook's divergent conditional", ifelse},
    {"nested", "nested divergence, data-dependent loop, BREAK, a call by part of a warp", nested},
    {"reduce", "tree reduction in shared memory with barriers", reduce},
    {"sgemm", "tiled matrix multiply", sgemm},
    {"histogram", "shared and global atomics", histogram},
    {"permute", "a[i] = b[c[i]]: uncoalesced loads", permute},
    {NULL, NULL, NULL}};

const struct kernel_info *kernel_find(const char *name) {
  for (const struct kernel_info *k = kernel_table; k->name; k++)
    if (strcmp(k->name, name) == 0) return k;
  return NULL;
}

bool kernel_prepare(const struct kernel_info *k, uint64_t seed, unsigned scale, struct kernel_case *c) {
  memset(c, 0, sizeof *c);
  /* Different kernels and seeds must not share a stream of numbers. */
  for (const char *p = k->name; *p; p++) seed = (seed ^ (uint64_t)(unsigned char)*p) * 0x100000001b3u;
  if (k->prepare(c, seed, scale)) return true;
  kernel_case_clear(c);
  return false;
}

void kernel_case_clear(struct kernel_case *c) {
  for (unsigned i = 0; i < c->args; i++) {
    free(c->arg[i].init);
    free(c->arg[i].expect);
  }
  memset(c, 0, sizeof *c);
}

static int by_value(const void *x, const void *y) {
  uint32_t a, b;
  memcpy(&a, x, 4);
  memcpy(&b, y, 4);
  return a < b ? -1 : a > b;
}

bool kernel_matches(const struct kernel_arg *arg, const uint8_t *got, size_t *at) {
  const uint8_t *seen = got;
  uint8_t *sorted = NULL;
  uint8_t *wanted = NULL;
  if (arg->compare == KERNEL_PERMUTATION) {
    sorted = malloc(arg->bytes + 1);
    wanted = malloc(arg->bytes + 1);
    if (!sorted || !wanted) {
      free(sorted);
      free(wanted);
      *at = 0;
      return false;
    }
    memcpy(sorted, got, arg->bytes);
    memcpy(wanted, arg->expect, arg->bytes);
    qsort(sorted, arg->bytes / 4, 4, by_value);
    qsort(wanted, arg->bytes / 4, 4, by_value);
    seen = sorted;
  }
  const uint8_t *expect = wanted ? wanted : arg->expect;
  bool same = true;
  for (size_t i = 0; i < arg->bytes && same; i++) {
    *at = i;
    same = seen[i] == expect[i];
  }
  free(sorted);
  free(wanted);
  return same;
}
