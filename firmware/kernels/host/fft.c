/* SPDX-License-Identifier: Apache-2.0
 * Transforms of 512 points, forwards and backwards, each bit by the table of fft_table.h. */
#include <math.h>
#include <string.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/fft_table.h"
#include "firmware/kernels/host/host.h"

struct point {
  float re, im;
};

static struct point plus(struct point a, struct point b) {
  return (struct point){a.re + b.re, a.im + b.im};
}

static struct point minus(struct point a, struct point b) {
  return (struct point){a.re - b.re, a.im - b.im};
}

static struct point times_root(struct point a, float re, float im) {
  return (struct point){fmaf(a.re, re, -(a.im * im)), fmaf(a.re, im, a.im * re)};
}

/* times e^(-2 pi i k / 8), k below 4 */
static struct point turn(struct point a, unsigned k) {
  const float h = FFT_ROOT_HALF;
  if (k == 1) return (struct point){(a.re + a.im) * h, (a.im - a.re) * h};
  if (k == 2) return (struct point){a.im, -a.re};
  if (k == 3) return (struct point){(a.im - a.re) * h, -((a.re + a.im) * h)};
  return a;
}

/* The transform of n = 2, 4 or 8 points `stride` apart, by halving: even and odd results apart. */
static void small(const struct point *v, unsigned n, struct point *out, unsigned stride) {
  struct point even[4], odd[4];
  if (n == 1) {
    *out = *v;
    return;
  }
  for (unsigned i = 0; i < n / 2; i++) {
    even[i] = plus(v[i], v[i + n / 2]);
    odd[i] = turn(minus(v[i], v[i + n / 2]), i * 8 / n);
  }
  small(even, n / 2, out, 2 * stride);
  small(odd, n / 2, out + stride, 2 * stride);
}

static void transform(const struct point *in, struct point *out) {
  static const float cosine[FFT_POINTS] = {FFT_COSINES};
  struct point from[FFT_POINTS], v[8], w[8];
  memcpy(from, in, sizeof from);
  for (unsigned done = 1; done < FFT_POINTS; done *= 8) {
    for (unsigned t = 0; t < FFT_POINTS / 8; t++) {
      for (unsigned i = 0; i < 8; i++) {
        const unsigned k = i * (t % done) * (FFT_POINTS / 8 / done);
        v[i] = from[t + i * FFT_POINTS / 8];
        if (i && done > 1) v[i] = times_root(v[i], cosine[k], cosine[(k + FFT_POINTS / 4) % FFT_POINTS]);
      }
      small(v, 8, w, 1);
      for (unsigned i = 0; i < 8; i++) out[t / done * done * 8 + t % done + i * done] = w[i];
    }
    memcpy(from, out, sizeof from);
  }
}

static void backwards(const struct point *in, struct point *out) {
  struct point swapped[FFT_POINTS], w[FFT_POINTS];
  for (unsigned i = 0; i < FFT_POINTS; i++) swapped[i] = (struct point){in[i].im, in[i].re};
  transform(swapped, w);
  for (unsigned i = 0; i < FFT_POINTS; i++)
    out[i] = (struct point){w[i].im * (1.0f / FFT_POINTS), w[i].re * (1.0f / FFT_POINTS)};
}

static void launch_transform(struct kernel_case *c, unsigned from, unsigned to, uint32_t inverse, uint32_t blocks) {
  struct kernel_launch *l = case_launch(c, "fft");
  launch_line(l, blocks * FFT_POINTS / 8, FFT_POINTS / 8);
  launch_buffer(l, from);
  launch_buffer(l, to);
  launch_u32(l, inverse);
}

bool fft_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t blocks = scale ? 6 * scale : 2, n = blocks * FFT_POINTS;
  struct point *in = case_buffer(c, CASE_IN, n * sizeof *in);
  case_buffer(c, CASE_OUT, n * sizeof *in);
  case_buffer(c, CASE_OUT, n * sizeof *in);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) {
    const float re = case_between(&seed, -1.0f, 1.0f), im = case_between(&seed, -1.0f, 1.0f);
    in[i] = (struct point){re, im};
  }
  case_seal(c, &seed);
  struct point *there = case_expect(c, 1), *back = case_expect(c, 2);
  for (uint32_t b = 0; b < n; b += FFT_POINTS) {
    transform(in + b, there + b);
    backwards(there + b, back + b);
  }
  launch_transform(c, 0, 1, 0, blocks);
  launch_transform(c, 1, 2, 1, blocks);
  return true;
}
