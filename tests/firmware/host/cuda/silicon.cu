/* SPDX-License-Identifier: Apache-2.0
 * usage: silicon FOLDER
 * The kernels of tests/silicon/kernels in CUDA C, on the inputs that an H200 had: each buffer must equal what it
 * returned, byte for byte. FOLDER holds the files of data.zip. */
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"

__global__ void vecadd(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void saxpy(float alpha, const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = fmaf(alpha, x[i], y[i]);
}

__global__ void ifelse(double *x, const double *y, const double *z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] != 0)
    x[i] = x[i] - y[i];
  else
    x[i] = z[i];
}

__global__ void reduce(const int *in, int *out, int n) {
  __shared__ int tmp[256];
  const int l = threadIdx.x, i = blockIdx.x * blockDim.x + l;
  tmp[l] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (l < s) tmp[l] += tmp[l + s];
    __syncthreads();
  }
  if (l == 0) out[blockIdx.x] = tmp[0];
}

template <int T> __global__ void sgemm(const float *A, const float *B, float *C, int n) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0;
  for (int k = 0; k < n; k += T) {
    As[ty][tx] = A[row * n + k + tx];
    Bs[ty][tx] = B[(k + ty) * n + col];
    __syncthreads();
    for (int j = 0; j < T; j++) acc = fmaf(As[ty][j], Bs[j][tx], acc);
    __syncthreads();
  }
  C[row * n + col] = acc;
}

__global__ void histogram(const unsigned char *in, int *bins, int n) {
  __shared__ int h[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x) h[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&h[in[i] & 63], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) atomicAdd(&bins[i], h[i]);
}

__global__ void mandelbrot(int *out, int w, int h, int maxit) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= h) return;
  const float cx = -2.0f + 3.0f * px / w, cy = -1.5f + 3.0f * py / h;
  float x = 0, y = 0;
  int it = 0;
  while (it < maxit && x * x + y * y < 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    it++;
  }
  out[py * w + px] = it;
}

__global__ void transpose(const unsigned *in, unsigned *out, int n) {
  __shared__ unsigned tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

static std::string folder;

static std::vector<char> contents(const std::string &name) {
  FILE *f = fopen((folder + "/" + name).c_str(), "rb");
  if (!f) return {};
  std::vector<char> all;
  char part[4096];
  while (const size_t n = fread(part, 1, sizeof part, f)) all.insert(all.end(), part, part + n);
  fclose(f);
  return all;
}

/* A buffer of the device with what the case's file of that number holds; it is compared when it goes. */
struct buffer {
  std::string name;
  void *at = nullptr;
  size_t bytes;
  buffer(const char *kernel, int slot) : name(kernel + std::string(".") + std::to_string(slot)) {
    const std::vector<char> in = contents(name + ".bin");
    bytes = in.size();
    SAY(bytes > 0);
    OK(cudaMalloc(&at, bytes));
    OK(cudaMemcpy(at, in.data(), bytes, cudaMemcpyHostToDevice));
  }
  ~buffer() {
    const std::vector<char> gold = contents(name + ".gold.bin");
    std::vector<char> got(bytes);
    OK(cudaMemcpy(got.data(), at, bytes, cudaMemcpyDeviceToHost));
    OK(cudaFree(at));
    if (gold.empty()) return;
    SAY(gold.size() == bytes);
    const bool same = memcmp(gold.data(), got.data(), bytes) == 0;
    printf("%s: %zu bytes %s\n", name.c_str(), bytes, same ? "equal" : "differ");
    if (!same) exit(1);
  }
  template <typename T> operator T *() const { return static_cast<T *>(at); }
};

int main(int argc, char **argv) {
  SAY(argc == 2);
  folder = argv[1];
  {
    const buffer a("vecadd", 0), b("vecadd", 1), c("vecadd", 2);
    vecadd<<<8, 128>>>(a, b, c, 1000);
  }
  {
    const buffer x("saxpy", 1), y("saxpy", 2);
    saxpy<<<4, 64>>>(2.5f, x, y, 1000);
  }
  {
    const buffer in("reduce", 0), out("reduce", 1);
    reduce<<<4, 256>>>(in, out, 1000);
  }
  {
    const buffer a("sgemm", 0), b("sgemm", 1), c("sgemm", 2);
    sgemm<16><<<dim3(4, 4), dim3(16, 16)>>>(a, b, c, 64);
  }
  {
    const buffer in("histogram", 0), bins("histogram", 1);
    histogram<<<4, 96>>>(in, bins, 3000);
  }
  {
    const buffer out("mandelbrot", 0);
    mandelbrot<<<dim3(4, 8), dim3(16, 8)>>>(out, 64, 64, 64);
  }
  {
    const buffer in("transpose", 0), out("transpose", 1);
    transpose<<<dim3(4, 4), dim3(16, 16)>>>(in, out, 64);
  }
  {
    const buffer x("ifelse", 0), y("ifelse", 1), z("ifelse", 2); /* FP64 last: not every machine has it */
    ifelse<<<4, 128>>>(x, y, z);
  }
}
