/* SPDX-License-Identifier: Apache-2.0
 * Two steps of n bodies with exact roots, each bit known; one with the approximate root, within a bound of what double
 * precision gives. */
#include <math.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

#define STEP 0.01f
#define SOFTENING 0.05f

struct body {
  float x, y, z, w; /* mass; of speeds: not used */
};

static void step_bodies(const struct body *at, struct body *speed, struct body *next, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    float a[3] = {0.0f, 0.0f, 0.0f};
    for (uint32_t j = 0; j < n; j++) {
      const float d[3] = {at[j].x - at[i].x, at[j].y - at[i].y, at[j].z - at[i].z};
      const float square = fmaf(d[0], d[0], fmaf(d[1], d[1], fmaf(d[2], d[2], SOFTENING)));
      const float r = 1.0f / sqrtf(square), cube = r * r * r, pull = at[j].w * cube;
      for (unsigned k = 0; k < 3; k++) a[k] = fmaf(d[k], pull, a[k]);
    }
    speed[i].x = fmaf(a[0], STEP, speed[i].x);
    speed[i].y = fmaf(a[1], STEP, speed[i].y);
    speed[i].z = fmaf(a[2], STEP, speed[i].z);
    next[i].x = fmaf(speed[i].x, STEP, at[i].x);
    next[i].y = fmaf(speed[i].y, STEP, at[i].y);
    next[i].z = fmaf(speed[i].z, STEP, at[i].z);
    next[i].w = at[i].w;
  }
}

static void step_precise(const struct body *at, struct body *speed, struct body *next, uint32_t n) {
  const double dt = STEP, softening = SOFTENING;
  for (uint32_t i = 0; i < n; i++) {
    double a[3] = {0.0, 0.0, 0.0};
    for (uint32_t j = 0; j < n; j++) {
      const double d[3] = {(double)at[j].x - at[i].x, (double)at[j].y - at[i].y, (double)at[j].z - at[i].z};
      const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening;
      for (unsigned k = 0; k < 3; k++) a[k] += d[k] * at[j].w / (square * sqrt(square));
    }
    const double v[3] = {speed[i].x + a[0] * dt, speed[i].y + a[1] * dt, speed[i].z + a[2] * dt};
    speed[i] = (struct body){(float)v[0], (float)v[1], (float)v[2], speed[i].w};
    next[i] = (struct body){(float)(at[i].x + v[0] * dt), (float)(at[i].y + v[1] * dt), (float)(at[i].z + v[2] * dt),
                            at[i].w};
  }
}

static void launch_bodies(struct kernel_case *c, const char *entry, const unsigned buffer[3], uint32_t n) {
  struct kernel_launch *l = case_launch(c, entry);
  launch_line(l, n, 64);
  for (unsigned k = 0; k < 3; k++) launch_buffer(l, buffer[k]);
  launch_u32(l, n);
  launch_float(l, STEP);
  launch_float(l, SOFTENING);
}

static struct body random_body(uint64_t *seed, float range, float w) {
  const float x = case_between(seed, -range, range), y = case_between(seed, -range, range);
  const float z = case_between(seed, -range, range);
  return (struct body){x, y, z, w};
}

bool nbody_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 150 * scale : 70;
  /* positions, speeds of both ways, positions after one and two exact steps, after one by the approximate root */
  struct body *at = case_buffer(c, CASE_IN, n * sizeof *at);
  struct body *speed = case_buffer(c, CASE_INOUT, n * sizeof *at), *other = case_buffer(c, CASE_INOUT, n * sizeof *at);
  for (unsigned k = 0; k < 3; k++) case_buffer(c, CASE_OUT, n * sizeof *at);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) {
    at[i] = random_body(&seed, 4.0f, case_between(&seed, 0.1f, 2.0f));
    other[i] = speed[i] = random_body(&seed, 0.5f, case_between(&seed, 0.0f, 1.0f));
  }
  case_seal(c, &seed);
  step_bodies(at, case_expect(c, 1), case_expect(c, 3), n);
  step_bodies(case_expect(c, 3), case_expect(c, 1), case_expect(c, 4), n);
  step_precise(at, case_expect(c, 2), case_expect(c, 5), n);
  /* A sum of n terms, each with an error of a few 2^-24 and most of them below 1; times STEP. */
  const double pull = 0x1p-22 * n * STEP;
  case_near(c, 2, 0x1p-23, pull);
  case_near(c, 5, 0x1p-23, pull * STEP);
  launch_bodies(c, "nbody", (const unsigned[]){0, 1, 3}, n);
  launch_bodies(c, "nbody", (const unsigned[]){3, 1, 4}, n);
  launch_bodies(c, "nbody_rsqrt", (const unsigned[]){0, 2, 5}, n);
  return true;
}
