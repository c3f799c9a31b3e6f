/* SPDX-License-Identifier: Apache-2.0
 * Numbers of 8 bits: every one of them as the specification defines it; every half, each double near a boundary and any
 * float become the nearest, found by a search among all 256. On the device what is on the host. usage: fp8 [some] */
#include <cuda_fp8.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"

/* Of the specification, table 1: sign, exponent, mantissa; NAN, INFINITY and the subnormal numbers. */
static double value_of(int code, bool e4m3) {
  const int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const int e = (code & 0x7f) >> fraction, m = code & ((1 << fraction) - 1);
  double r = e ? ldexp((1 << fraction) + m, e - bias - fraction) : ldexp(m, 1 - bias - fraction);
  if (e4m3 && (code & 0x7f) == 0x7f) r = NAN;
  if (!e4m3 && e == 31) r = m ? NAN : INFINITY;
  return code & 0x80 ? -r : r;
}
/* Among all codes, of x's sign; of two as near the even one. Beyond the greatest as if the next were there. */
static int nearest(double x, bool e4m3, bool saturate) {
  const int sign = std::signbit(x) ? 0x80 : 0, most = e4m3 ? 0x7e : 0x7b, over = saturate ? most : most + 1;
  const double a = std::fmin(fabs(x), 1e6); /* what is far beyond is as far from all */
  if (std::isnan(x)) return 0x7f;
  int best = 0;
  for (int code = 0; code <= most + 1; code++) {
    const double v = code <= most ? value_of(code, e4m3) : (e4m3 ? 480.0 : 65536.0), w = value_of(best, e4m3);
    const double off = fabs(v - a), least = best <= most ? fabs(w - a) : INFINITY;
    if (off < least || (off == least && code % 2 == 0)) best = code;
  }
  return sign | (best > most ? over : best);
}

/* Of each operand: two kinds, saturated or not, of it as float, as double; as half and bfloat16. */
constexpr int results = 10;
__host__ __device__ void convert(double x, unsigned char *r, bool doubles) {
  const float f = (float)x;
  r[0] = __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E4M3);
  r[1] = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3);
  r[2] = __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E5M2);
  r[3] = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2);
  if (!doubles) return;
  r[4] = __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E4M3);
  r[5] = __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
  r[6] = __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E5M2);
  r[7] = __nv_fp8_e5m2(x).__x;
  r[8] = __nv_fp8_e4m3(__half(f)).__x;
  r[9] = __nv_fp8_e5m2(__nv_bfloat16(f)).__x;
}
static void want(double x, unsigned char *r) {
  const double f = (float)x, values[results] = {f, f, f, f, x, x, x, x, (float)__half(f), (float)__nv_bfloat16(f)};
  for (int k = 0; k < results; k++) {
    const bool e4m3 = k == 8 || (k < 8 && k / 2 % 2 == 0);
    r[k] = (unsigned char)nearest(values[k], e4m3, k > 7 || k % 2);
    /* What nvcc's host code made of doubles that are no numbers, on the host of an H100. */
    if (std::isnan(x) && k / 4 == 1) r[k] = !std::signbit(x) ? 0x7f : e4m3 ? 0xff : 0xfe;
  }
}
template <class T> __global__ void kernel(const T *in, unsigned char *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  convert(in[i], out + results * i, sizeof(T) == 8);
}

/* Every half; between each two neighbours the tie, and what is next to it as double and as float; any float. */
static std::vector<double> operands() {
  std::vector<double> in;
  for (int h = 0; h < 65536; h++) in.push_back((float)__half(__half_raw{(unsigned short)h}));
  for (bool e4m3 : {true, false})
    for (int code = 0; code < 0x7f; code++) {
      const double v = value_of(code, e4m3), w = value_of(code + 1, e4m3);
      double tie = std::isfinite(v + w) ? (v + w) / 2 : e4m3 ? 464 : 61440;
      for (double x : {tie, nextafter(tie, 0), nextafter(tie, 1e9), (double)nextafterf((float)tie, 0),
                       (double)nextafterf((float)tie, 1e9f)})
        in.insert(in.end(), {x, -x});
    }
  in.insert(in.end(), {1e300, -1e300, 1e-300, -5e-324, 3.5e38, -1e39});
  uint64_t state = 11;
  while (in.size() % 128 || in.size() < 90000) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const uint32_t bits = (uint32_t)(state >> 32);
    float f;
    memcpy(&f, &bits, sizeof f);
    in.push_back(f);
  }
  return in;
}
template <class T> static void on_device(const std::vector<double> &in) {
  const std::vector<T> operands(in.begin(), in.end());
  std::vector<unsigned char> got(results * in.size());
  T *from;
  unsigned char *to;
  OK(cudaMalloc(&from, in.size() * sizeof *from));
  OK(cudaMalloc(&to, got.size()));
  OK(cudaMemcpy(from, operands.data(), in.size() * sizeof *from, cudaMemcpyHostToDevice));
  kernel<<<(unsigned)in.size() / 128, 128>>>(from, to);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got.data(), to, got.size(), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < in.size(); i++) {
    unsigned char here[results];
    convert((double)operands[i], here, true);
    for (int k = 0; k < (sizeof(T) == 8 ? results : 4); k++)
      if (here[k] != got[results * i + (size_t)k]) {
        fprintf(stderr, "%d of %a: %02x here, %02x there\n", k, (double)operands[i], here[k],
                got[results * i + (size_t)k]);
        exit(3);
      }
  }
  OK(cudaFree(from));
  OK(cudaFree(to));
}

/* NaN is NaN; else the bits, with the sign of zero. */
static bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}
static void every_code() {
  for (int code = 0; code < 256; code++) {
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    a.__x = b.__x = (unsigned char)code;
    SAY(same((float)a, value_of(code, true)) && same((float)b, value_of(code, false)));
    SAY(same((double)(__half)a, value_of(code, true)) && same((double)(__nv_bfloat16)b, value_of(code, false)));
    const __half2_raw pair = __nv_cvt_fp8x2_to_halfraw2((unsigned short)(code | (255 - code) << 8), __NV_E5M2);
    SAY(same((float)__half(__half_raw{pair.x}), value_of(code, false)));
    SAY(same((float)__half(__half_raw{pair.y}), value_of(255 - code, false)));
  }
  const __nv_fp8x4_e4m3 four(float4{1, -2, 1000, 0.3f});
  SAY(four.__x == 0x2a7ec038);
  const float4 back = (float4)four;
  SAY(back.x == 1 && back.y == -2 && back.z == 448 && back.w == 0.3125f);
  SAY(__nv_fp8x2_e5m2(double2{1.25, -1e9}).__x == 0xfb3d && (int)__nv_fp8_e5m2(-9) == -8);
}

int main(int count, char **) {
  std::vector<double> in = operands();
  if (count > 1) { /* where hardware is simulated: of floats, the last ones */
    on_device<float>(std::vector<double>(in.end() - 256, in.end()));
  } else {
    every_code();
    for (double x : in) {
      unsigned char exact[results], found[results];
      want(x, exact);
      convert(x, found, true);
      if (memcmp(exact, found, results) == 0) continue;
      fprintf(stderr, "%a:", x);
      for (int k = 0; k < results; k++) fprintf(stderr, " %02x %02x,", found[k], exact[k]);
      fprintf(stderr, " found and exact\n");
      return 3;
    }
    on_device<double>(in);
  }
  puts("every byte");
}
