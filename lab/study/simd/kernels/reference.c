/* SPDX-License-Identifier: Apache-2.0
 * What each kernel must compute, an element at a time and with the C library's fma, and how many floating-point
 * operations that takes: writes DIR/NAME.bin, the inputs of Heddle's kernels, and the numbers as JSON to standard
 * output.
 * usage: reference DIR     example: reference /tmp */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

static const char *dir;

static void save(const char *name, const void *from, size_t bytes) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s.bin", dir, name);
  FILE *f = fopen(path, "wb");
  if (f && fwrite(from, 1, bytes, f) == bytes && fclose(f) == 0) return;
  fprintf(stderr, "reference: %s: cannot be written\n", path);
  exit(2);
}

static void print_case(const char *name, long results, long operations, const char *end) {
  printf("  \"%s\": {\"results\": %ld, \"operations\": %ld}%s\n", name, results, operations, end);
}

static void do_daxpy(void) {
  static double x[DAXPY_N], y[DAXPY_N];
  input_doubles(x, DAXPY_N, 1);
  input_doubles(y, DAXPY_N, 2);
  save("daxpy.x", x, sizeof x);
  save("daxpy.y", y, sizeof y);
  for (long i = 0; i < DAXPY_N; i++) y[i] = fma(DAXPY_A, x[i], y[i]);
  save("daxpy", y, sizeof y);
  print_case("daxpy", DAXPY_N, DAXPY_N, ",");
}

static void do_stencil(void) {
  static float in[STENCIL_H][STENCIL_W], out[STENCIL_H][STENCIL_W];
  input_floats(&in[0][0], STENCIL_H * STENCIL_W, 3);
  for (long r = 1; r < STENCIL_H - 1; r++) {
    for (long c = 1; c < STENCIL_W - 1; c++) {
      const float vertical = in[r - 1][c] + in[r + 1][c], horizontal = in[r][c - 1] + in[r][c + 1];
      out[r][c] = fmaf(STENCIL_RIM, vertical + horizontal, STENCIL_CENTRE * in[r][c]);
    }
  }
  save("stencil.in", in, sizeof in);
  save("stencil", out, sizeof out);
  const long results = (STENCIL_H - 2) * (STENCIL_W - 2);
  print_case("stencil", results, 5 * results, ",");
}

static void do_sgemm(void) {
  static float a[SGEMM_M][SGEMM_K], b[SGEMM_K][SGEMM_N], c[SGEMM_M][SGEMM_N];
  input_floats(&a[0][0], SGEMM_M * SGEMM_K, 4);
  input_floats(&b[0][0], SGEMM_K * SGEMM_N, 5);
  for (long i = 0; i < SGEMM_M; i++)
    for (long j = 0; j < SGEMM_N; j++)
      for (long k = 0; k < SGEMM_K; k++) c[i][j] = fmaf(a[i][k], b[k][j], c[i][j]);
  save("sgemm.a", a, sizeof a);
  save("sgemm.b", b, sizeof b);
  save("sgemm", c, sizeof c);
  save("sgemm4", c, sizeof c);
  print_case("sgemm", SGEMM_M * SGEMM_N, SGEMM_M * SGEMM_N * SGEMM_K, ",");
  print_case("sgemm4", SGEMM_M * SGEMM_N, SGEMM_M * SGEMM_N * SGEMM_K, ",");
}

/* Steps of one point; a step that stays inside is seven operations, the one that leaves three. */
static int steps_of(float cr, float ci, long *operations) {
  float x = 0, y = 0;
  for (int n = 0; n < MANDEL_LIMIT; n++) {
    const float xx = x * x, yy = y * y;
    *operations += 3;
    if (!(xx + yy <= 4)) return n;
    *operations += 4;
    y = fmaf(2, x * y, ci);
    x = (xx - yy) + cr;
  }
  return MANDEL_LIMIT;
}

static void do_mandel(void) {
  static float cx[MANDEL_W], cy[MANDEL_H];
  static int count[MANDEL_H][MANDEL_W];
  long operations = 0;
  input_line(cx, MANDEL_W, -2, 0.03125f);
  input_line(cy, MANDEL_H, -1.125f, 0.125f);
  for (long r = 0; r < MANDEL_H; r++)
    for (long i = 0; i < MANDEL_W; i++) count[r][i] = steps_of(cx[i], cy[r], &operations);
  save("mandel.cx", cx, sizeof cx);
  save("mandel.cy", cy, sizeof cy);
  save("mandel", count, sizeof count);
  print_case("mandel", MANDEL_H * MANDEL_W, operations, "");
}

int main(int argc, char **argv) {
  if (argc != 2 || strcmp(argv[1], "--help") == 0) {
    fputs("usage: reference DIR     example: reference /tmp\n", stderr);
    return 2;
  }
  dir = argv[1];
  puts("{");
  do_daxpy();
  do_stencil();
  do_sgemm();
  do_mandel();
  puts("}");
  return 0;
}
