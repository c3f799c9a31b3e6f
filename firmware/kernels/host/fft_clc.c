/* SPDX-License-Identifier: Apache-2.0
 * Transforms of 256 points with sin and cos of the OpenCL library: within a bound of the sum that defines them, in
 * double precision. */
#include <math.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

#define POINTS 256u

static void transform(const float *in, float *out, double sign, double factor) {
  double c[POINTS], s[POINTS];
  for (unsigned k = 0; k < POINTS; k++) {
    c[k] = cos(k * 2 * 3.14159265358979323846 / POINTS);
    s[k] = sign * sin(k * 2 * 3.14159265358979323846 / POINTS);
  }
  for (unsigned k = 0; k < POINTS; k++) {
    double re = 0.0, im = 0.0;
    for (unsigned i = 0; i < POINTS; i++) {
      const double x = in[2 * i], y = in[2 * i + 1];
      re += x * c[i * k % POINTS] - y * s[i * k % POINTS];
      im += x * s[i * k % POINTS] + y * c[i * k % POINTS];
    }
    out[2 * k] = (float)(re * factor);
    out[2 * k + 1] = (float)(im * factor);
  }
}

bool fft_clc_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t blocks = scale ? 4 * scale : 2, n = blocks * POINTS;
  float *in = case_buffer(c, CASE_IN, 8 * n);
  case_buffer(c, CASE_OUT, 8 * n);
  case_buffer(c, CASE_OUT, 8 * n);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < 2 * n; i++) in[i] = case_between(&seed, -1.0f, 1.0f);
  case_seal(c, &seed);
  for (uint32_t b = 0; b < 2 * n; b += 2 * POINTS) {
    transform(in + b, (float *)case_expect(c, 1) + b, -1.0, 1.0);
    transform(in + b, (float *)case_expect(c, 2) + b, 1.0, 1.0 / POINTS);
  }
  /* Eight passes, each adding an error of about 3 * 2^-24 of values up to 16 times (root of 256) the inputs. */
  case_near(c, 1, 0x1p-22, 16 * 0x1p-20);
  case_near(c, 2, 0x1p-22, 16.0 / POINTS * 0x1p-20);
  for (unsigned inverse = 0; inverse < 2; inverse++) {
    struct kernel_launch *l = case_launch(c, "fft_clc");
    launch_line(l, n / 2, POINTS / 2);
    launch_buffer(l, 0);
    launch_buffer(l, 1 + inverse);
    launch_u32(l, inverse);
  }
  return true;
}
