/* SPDX-License-Identifier: Apache-2.0
 * __half and __nv_bfloat16: what the device's instructions give is in every bit what the host comes to in double. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>
#include <vector>

#include "check.h"

constexpr int results = 32, rows = 4096;

template <class T, class T2> __device__ __host__ void everything(T a, T b, T c, unsigned short *out) {
  int k = 0;
  const T2 p(a, b), q(b, c);
  auto put = [&](T v) { out[k++] = v.__x; };
  put(a + b);
  put(a - b);
  put(a * b);
  put(a / b);
  put(__hfma(a, b, c));
  put(__hmin(a, b));
  put(__hmax(a, b));
  put(__hmin_nan(a, b));
  put(__hmax_nan(a, b));
  put(-a);
  put(__habs(a));
  put(hsqrt(a));
  put(__hadd_sat(a, b));
  put(__hfma_relu(a, b, c));
  put(hrint(a));
  put(hfloor(b));
  put(T((double)(float)a * 1.000001));
  put(T((int)(a.__x * 65537u)));
  put((p + q).y);
  put((p - q).x);
  put((p * q).x);
  put((p / q).y);
  put(__hfma2(p, q, p).y);
  put(__hmax2(p, q).x);
  put(T((float)(a < b) + 2 * (a == b) + 4 * __hltu(a, b) + 8 * (p != q) + 16 * __hne(a, c)));
  put(__heq2(p, q).x);
  put(T((float)__hisnan(a) + 2 * __hisinf(b)));
  put(T(std::is_same<T, __half>::value ? (float)__nv_bfloat16(a) : (float)__half(a)));
  while (k < results) out[k++] = 0;
}
template <class T, class T2> __global__ void kernel(const unsigned short *in, unsigned short *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T a, b, c;
  a.__x = in[3 * i];
  b.__x = in[3 * i + 1];
  c.__x = in[3 * i + 2];
  everything<T, T2>(a, b, c, out + results * i);
}
/* Any bits; near 1, small, and close to the one before more often than by chance. */
static std::vector<unsigned short> operands() {
  std::vector<unsigned short> in(3 * rows);
  unsigned long long state = 7;
  for (size_t i = 0; i < in.size(); i++) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const unsigned how = state >> 60;
    in[i] = (unsigned short)(state >> 40);
    if (how == 1 && i) in[i] = in[i - 1] ^ (state >> 58 & 1);
    if (how == 2) in[i] = (in[i] & 0x8000) | (state >> 20 & 0xff);
    if (how > 7) in[i] = (in[i] & 0x81ff) | 0x3c00;
  }
  return in;
}
template <class T, class T2> static void compare(const char *name) {
  const std::vector<unsigned short> in = operands();
  std::vector<unsigned short> want(results * rows), got(results * rows);
  unsigned short *from, *to;
  OK(cudaMalloc(&from, in.size() * 2));
  OK(cudaMalloc(&to, got.size() * 2));
  OK(cudaMemcpy(from, in.data(), in.size() * 2, cudaMemcpyHostToDevice));
  kernel<T, T2><<<rows / 64, 64>>>(from, to);
  OK(cudaMemcpy(got.data(), to, got.size() * 2, cudaMemcpyDeviceToHost));
  for (int i = 0; i < rows; i++) {
    T v[3];
    for (int k = 0; k < 3; k++) v[k].__x = in[3 * i + k];
    everything<T, T2>(v[0], v[1], v[2], &want[results * i]);
  }
  for (int i = 0; i < results * rows; i++)
    if (want[i] != got[i]) {
      const unsigned short *row = &in[i / results * 3];
      fprintf(stderr, "%s, result %d of %04x %04x %04x: %04x here, %04x there\n", name, i % results, row[0], row[1],
              row[2], want[i], got[i]);
      exit(3);
    }
  OK(cudaFree(from));
  OK(cudaFree(to));
}

int main() {
  compare<__half, __half2>("half");
  compare<__nv_bfloat16, __nv_bfloat162>("bfloat16");
  puts("every bit");
}
