/* SPDX-License-Identifier: Apache-2.0
 * cuBLAS's functions against loops of the host, with numbers whose sums are exact in any order; double where the
 * device has it. */
#include <cublas_v2.h>

#include <cmath>
#include <vector>

#include "check.h"

#define BLAS(call, wanted) SAY((call) == CUBLAS_STATUS_##wanted)
enum { N = 300, M = 13, K = 21, P = 10, LD = 24 };

/* The functions of one type under one name. */
template <typename T> struct of;
#define OF(T, S, IS)                                                                                                   \
  template <> struct of<T> {                                                                                           \
    static constexpr auto axpy = cublas##S##axpy;                                                                      \
    static constexpr auto copy = cublas##S##copy;                                                                      \
    static constexpr auto scal = cublas##S##scal;                                                                      \
    static constexpr auto dot = cublas##S##dot;                                                                        \
    static constexpr auto nrm2 = cublas##S##nrm2;                                                                      \
    static constexpr auto asum = cublas##S##asum;                                                                      \
    static constexpr auto amax = cublas##IS##amax;                                                                     \
    static constexpr auto gemv = cublas##S##gemv;                                                                      \
    static constexpr auto geam = cublas##S##geam;                                                                      \
    static constexpr auto gemm = cublas##S##gemm;                                                                      \
    static constexpr auto gemmBatched = cublas##S##gemmBatched;                                                        \
    static constexpr auto gemmStridedBatched = cublas##S##gemmStridedBatched;                                          \
  }
OF(float, S, Is);
OF(double, D, Id);

static cublasHandle_t handle;

/* The same on both sides. */
template <typename T> struct both {
  std::vector<T> host;
  T *there;
  both(int n, int seed) : host(n) {
    for (int i = 0; i < n; i++) host[i] = T((i * 7 + seed * 5) % 17 - 8);
    OK(cudaMalloc(&there, n * sizeof(T)));
    BLAS(cublasSetVector(n, sizeof(T), host.data(), 1, there, 1), SUCCESS);
  }
  ~both() {
    OK(cudaFree(there));
  }
  void is_as_host() const {
    std::vector<T> got(host.size());
    BLAS(cublasGetVector(int(host.size()), sizeof(T), there, 1, got.data(), 1), SUCCESS);
    SAY(got == host);
  }
};

template <typename T> static void vectors() {
  both<T> x(2 * N, 1), y(3 * N, 2);
  const T a = 3, half = T(0.5);
  BLAS(of<T>::axpy(handle, N, &a, x.there, 2, y.there, 3), SUCCESS);
  for (int i = 0; i < N; i++) y.host[3 * i] += a * x.host[2 * i];
  y.is_as_host();
  BLAS(of<T>::axpy(handle, N, &a, x.there, -1, y.there, 1), SUCCESS); /* from behind */
  for (int i = 0; i < N; i++) y.host[i] += a * x.host[N - 1 - i];
  y.is_as_host();
  BLAS(of<T>::scal(handle, N, &half, y.there, 2), SUCCESS);
  for (int i = 0; i < N; i++) y.host[2 * i] *= half;
  y.is_as_host();
  BLAS(of<T>::copy(handle, N, x.there, 1, y.there, -2), SUCCESS);
  for (int i = 0; i < N; i++) y.host[2 * (N - 1 - i)] = x.host[i];
  y.is_as_host();
}

template <typename T> static void sums() {
  both<T> x(N, 3), y(2 * N, 4);
  T got, want = 0, squares = 0, magnitudes = 0, *there;
  int where, first = 0;
  for (int i = 0; i < N; i++) {
    want += x.host[i] * y.host[2 * i];
    squares += x.host[i] * x.host[i];
    magnitudes += std::fabs(x.host[i]);
    if (std::fabs(x.host[i]) > std::fabs(x.host[first])) first = i;
  }
  BLAS(of<T>::dot(handle, N, x.there, 1, y.there, 2, &got), SUCCESS);
  SAY(got == want);
  BLAS(of<T>::asum(handle, N, x.there, 1, &got), SUCCESS);
  SAY(got == magnitudes);
  BLAS(of<T>::nrm2(handle, N, x.there, 1, &got), SUCCESS);
  SAY(got == std::sqrt(squares));
  BLAS(of<T>::amax(handle, N, x.there, 1, &where), SUCCESS);
  SAY(where == first + 1);
  /* squares that overflow, and that are 0 */
  for (int shift : {std::numeric_limits<T>::max_exponent - 20, std::numeric_limits<T>::min_exponent + 2}) {
    const T by = std::ldexp(T(1), shift);
    BLAS(of<T>::scal(handle, N, &by, x.there, 1), SUCCESS);
    BLAS(of<T>::nrm2(handle, N, x.there, 1, &got), SUCCESS);
    SAY(got == std::ldexp(std::sqrt(squares), shift));
    BLAS(cublasSetVector(N, sizeof(T), x.host.data(), 1, x.there, 1), SUCCESS);
  }
  BLAS(of<T>::dot(handle, 0, x.there, 1, y.there, 2, &got), SUCCESS);
  SAY(got == 0);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), SUCCESS);
  OK(cudaMalloc(&there, sizeof *there));
  BLAS(of<T>::dot(handle, N, x.there, 1, y.there, 2, there), SUCCESS);
  BLAS(of<T>::scal(handle, 1, there, x.there, 1), SUCCESS); /* by what is there */
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST), SUCCESS);
  x.host[0] *= want;
  x.is_as_host();
  OK(cudaFree(there));
}

/* Element (i, j) of what an operation makes of a matrix. */
template <typename T> static T at(const std::vector<T> &a, cublasOperation_t op, int i, int j) {
  return op == CUBLAS_OP_N ? a[i + j * LD] : a[j + i * LD];
}

template <typename T> static void products(cublasOperation_t op_a, cublasOperation_t op_b) {
  both<T> a(2 * LD * LD, 5), b(2 * LD * LD, 6), c(2 * LD * P, 7);
  const T alpha = 2, beta = -3, zero = 0;
  const T *as[] = {a.there, a.there + LD * LD}, *bs[] = {b.there + LD * LD, b.there}, **there;
  T *cs[] = {c.there, c.there + LD * P}, nan = T(NAN);
  const auto fill = [&](int from_a, int from_b, int to, T by) {
    const std::vector<T> pa(a.host.begin() + from_a * LD * LD, a.host.end()),
        pb(b.host.begin() + from_b * LD * LD, b.host.end());
    for (int i = 0; i < M; i++)
      for (int j = 0; j < P; j++) {
        T sum = 0, &out = c.host[to * LD * P + i + j * LD];
        for (int k = 0; k < K; k++) sum += at(pa, op_a, i, k) * at(pb, op_b, k, j);
        out = by == 0 ? alpha * sum : alpha * sum + by * out;
      }
  };
  BLAS(of<T>::gemm(handle, op_a, op_b, M, P, K, &alpha, a.there, LD, b.there, LD, &beta, c.there, LD), SUCCESS);
  fill(0, 0, 0, beta);
  c.is_as_host();
  OK(cudaMemcpy(c.there, &nan, sizeof nan, cudaMemcpyHostToDevice)); /* is not read */
  BLAS(of<T>::gemmStridedBatched(handle, op_a, op_b, M, P, K, &alpha, a.there, LD, LD * LD, b.there, LD, LD * LD, &zero,
                                 c.there, LD, LD * P, 2),
       SUCCESS);
  fill(0, 0, 0, zero);
  fill(1, 1, 1, zero);
  c.is_as_host();
  OK(cudaMalloc(&there, sizeof as + sizeof bs + sizeof cs));
  OK(cudaMemcpy(there, as, sizeof as, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(there + 2, bs, sizeof bs, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(there + 4, cs, sizeof cs, cudaMemcpyHostToDevice));
  BLAS(of<T>::gemmBatched(handle, op_a, op_b, M, P, K, &alpha, there, LD, there + 2, LD, &beta, (T **)there + 4, LD, 2),
       SUCCESS);
  fill(0, 1, 0, beta);
  fill(1, 0, 1, beta);
  c.is_as_host();
  OK(cudaFree(there));
  BLAS(of<T>::geam(handle, op_a, op_b, M, P, &alpha, a.there, LD, &beta, b.there, LD, c.there, LD), SUCCESS);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < P; j++) c.host[i + j * LD] = alpha * at(a.host, op_a, i, j) + beta * at(b.host, op_b, i, j);
  c.is_as_host();
  both<T> x(2 * LD, 8), y(2 * LD, 9);
  const int rows = op_a == CUBLAS_OP_N ? M : K, columns = op_a == CUBLAS_OP_N ? K : M;
  BLAS(of<T>::gemv(handle, op_a, M, K, &alpha, a.there, LD, x.there, 2, &beta, y.there, -1), SUCCESS);
  for (int i = 0; i < rows; i++) {
    T sum = 0, &out = y.host[rows - 1 - i];
    for (int j = 0; j < columns; j++) sum += at(a.host, op_a, i, j) * x.host[2 * j];
    out = alpha * sum + beta * out;
  }
  y.is_as_host();
}

static void misuse() {
  float one = 1, *there;
  OK(cudaMalloc(&there, 64));
  BLAS(cublasSaxpy((cublasHandle_t)&one, 1, &one, there, 1, there, 1), NOT_INITIALIZED);
  BLAS(cublasSaxpy(handle, -1, &one, there, 1, there, 1), INVALID_VALUE);
  BLAS(cublasSaxpy(handle, 1, NULL, there, 1, there, 1), INVALID_VALUE);
  BLAS(cublasSdot(handle, 1, there, 1, there, 1, NULL), INVALID_VALUE);
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, there, 3, there, 4, &one, there, 4), INVALID_VALUE);
  BLAS(cublasSgemm(handle, cublasOperation_t(9), CUBLAS_OP_N, 4, 4, 4, &one, there, 4, there, 4, &one, there, 4),
       INVALID_VALUE);
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, there, CUDA_R_16F, 4, there, CUDA_R_16F, 4, &one,
                    there, CUDA_R_16F, 4, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT),
       NOT_SUPPORTED);
  BLAS(cublasSetMatrix(4, 4, 4, &one, 3, there, 4), INVALID_VALUE);
  OK(cudaFree(there));
}

template <typename T> static void all() {
  vectors<T>();
  sums<T>();
  for (cublasOperation_t a : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (cublasOperation_t b : {CUBLAS_OP_N, CUBLAS_OP_T}) products<T>(a, b);
}

int main() {
  double one = 1, *there;
  BLAS(cublasCreate(&handle), SUCCESS);
  all<float>();
  misuse();
  OK(cudaMalloc(&there, sizeof one));
  OK(cudaMemcpy(there, &one, sizeof one, cudaMemcpyHostToDevice));
  const cublasStatus_t wide = cublasDscal(handle, 1, &one, there, 1);
  OK(cudaFree(there));
  if (wide != CUBLAS_STATUS_ARCH_MISMATCH) all<double>();
  BLAS(cublasDestroy(handle), SUCCESS);
  BLAS(cublasDestroy(handle), NOT_INITIALIZED);
  puts(wide == CUBLAS_STATUS_SUCCESS ? "float and double" : "float");
}
