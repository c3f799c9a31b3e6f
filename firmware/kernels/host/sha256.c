/* SPDX-License-Identifier: Apache-2.0
 * Digests of messages of many lengths, by way of a padded copy of each. The constants are made as FIPS 180-4 says:
 * fractions of the roots of primes. */
#include <string.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

#define LONGEST 150

/* 32 bits of the fraction of a root, exactly: the largest r with r^root <= prime * 2^(32 root) */
static uint32_t fraction(uint32_t prime, unsigned root) {
  const unsigned __int128 limit = (unsigned __int128)prime << (32 * root);
  uint64_t r = 0;
  for (int bit = 36; bit >= 0; bit--) {
    const unsigned __int128 t = r | (uint64_t)1 << bit;
    if ((root == 2 ? t * t : t * t * t) <= limit) r = (uint64_t)t;
  }
  return (uint32_t)r;
}

struct constants {
  uint32_t start[8], round[64];
};

static void make_constants(struct constants *k) {
  unsigned found = 0;
  for (uint32_t n = 2; found < 64; n++) {
    bool prime = true;
    for (uint32_t d = 2; d * d <= n && prime; d++) prime = n % d != 0;
    if (!prime) continue;
    if (found < 8) k->start[found] = fraction(n, 2);
    k->round[found++] = fraction(n, 3);
  }
}

static uint32_t right(uint32_t x, unsigned n) {
  return x >> n | x << (32 - n);
}

static void block(const struct constants *k, uint32_t h[8], const uint8_t *p) {
  uint32_t w[64], v[8];
  for (unsigned i = 0; i < 16; i++)
    w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
  for (unsigned i = 16; i < 64; i++) {
    const uint32_t s0 = right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3;
    const uint32_t s1 = right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  memcpy(v, h, sizeof v);
  for (unsigned i = 0; i < 64; i++) {
    const uint32_t s1 = right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25);
    const uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    const uint32_t t1 = v[7] + s1 + choice + k->round[i] + w[i];
    const uint32_t s0 = right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22);
    const uint32_t majority = (v[0] & v[1]) | (v[2] & (v[0] | v[1]));
    memmove(v + 1, v, 7 * sizeof v[0]);
    v[4] += t1;
    v[0] = t1 + s0 + majority;
  }
  for (unsigned i = 0; i < 8; i++) h[i] += v[i];
}

static void digest(const struct constants *k, const uint8_t *message, uint32_t size, uint8_t *out) {
  uint8_t padded[LONGEST + 73] = {0};
  const uint32_t bytes = (size + 9 + 63) / 64 * 64;
  uint32_t h[8];
  memcpy(padded, message, size);
  memcpy(h, k->start, sizeof h);
  padded[size] = 0x80;
  for (unsigned i = 0; i < 4; i++) padded[bytes - 1 - i] = (uint8_t)(size << 3 >> 8 * i);
  for (uint32_t at = 0; at < bytes; at += 64) block(k, h, padded + at);
  for (unsigned i = 0; i < 32; i++) out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

bool sha256_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 150 * scale : 70;
  uint8_t *data = case_buffer(c, CASE_IN, n * LONGEST);
  uint32_t *start = case_buffer(c, CASE_IN, (n + 1) * 4);
  case_buffer(c, CASE_OUT, n * 32);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n * LONGEST; i++) data[i] = (uint8_t)case_word(&seed);
  memcpy(data, "abc", 3); // NOLINT(bugprone-not-null-terminated-result): bytes, no string
  /* First "abc", "", and the lengths at which padding needs one block more; then any. */
  static const uint32_t first[] = {3, 0, 55, 56, 63, 64, 119, 120};
  for (uint32_t i = 0; i < n; i++) start[i + 1] = start[i] + (i < 8 ? first[i] : case_word(&seed) % (LONGEST + 1));
  case_seal(c, &seed);
  struct constants k;
  make_constants(&k);
  uint8_t *out = case_expect(c, 2);
  for (uint32_t i = 0; i < n; i++) digest(&k, data + start[i], start[i + 1] - start[i], out + 32 * i);
  struct kernel_launch *l = case_launch(c, "sha256");
  launch_line(l, n, 64);
  for (unsigned b = 0; b < 3; b++) launch_buffer(l, b);
  launch_u32(l, n);
  return true;
}
