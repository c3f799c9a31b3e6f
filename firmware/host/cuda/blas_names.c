/* SPDX-License-Identifier: Apache-2.0
 * The names of cublas_v2.h, for both types. */
#include "firmware/host/cuda/blas.h"

// NOLINTBEGIN(bugprone-macro-parentheses): types
#define FUNCTIONS(T, S, IS, wide)                                                                                      \
  cublasStatus_t cublas##S##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy) {      \
    return blas_axpy(h, wide, n, alpha, x, incx, y, incy);                                                             \
  }                                                                                                                    \
  cublasStatus_t cublas##S##copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) {                      \
    return blas_copy(h, wide, n, x, incx, y, incy);                                                                    \
  }                                                                                                                    \
  cublasStatus_t cublas##S##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx) {                            \
    return blas_scal(h, wide, n, alpha, x, incx);                                                                      \
  }                                                                                                                    \
  cublasStatus_t cublas##S##dot(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result) {      \
    return blas_sum(h, wide, BLAS_DOT, n, x, incx, y, incy, result);                                                   \
  }                                                                                                                    \
  cublasStatus_t cublas##S##nrm2(cublasHandle_t h, int n, const T *x, int incx, T *result) {                           \
    return blas_sum(h, wide, BLAS_NRM2, n, x, incx, NULL, 0, result);                                                  \
  }                                                                                                                    \
  cublasStatus_t cublas##S##asum(cublasHandle_t h, int n, const T *x, int incx, T *result) {                           \
    return blas_sum(h, wide, BLAS_ASUM, n, x, incx, NULL, 0, result);                                                  \
  }                                                                                                                    \
  cublasStatus_t cublas##IS##amax(cublasHandle_t h, int n, const T *x, int incx, int *result) {                        \
    return blas_amax(h, wide, n, x, incx, result);                                                                     \
  }                                                                                                                    \
  cublasStatus_t cublas##S##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a,     \
                                 int lda, const T *x, int incx, const T *beta, T *y, int incy) {                       \
    return blas_gemv(h, wide, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                                        \
  }                                                                                                                    \
  cublasStatus_t cublas##S##geam(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,       \
                                 const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c,        \
                                 int ldc) {                                                                            \
    return blas_geam(h, wide,                                                                                          \
                     &(struct blas_product){m,                                                                         \
                                            n,                                                                         \
                                            0,                                                                         \
                                            1,                                                                         \
                                            alpha,                                                                     \
                                            beta,                                                                      \
                                            {op_a, a, NULL, lda, 0},                                                   \
                                            {op_b, b, NULL, ldb, 0},                                                   \
                                            {CUBLAS_OP_N, c, NULL, ldc, 0}});                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##S##gemm(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,       \
                                 int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, \
                                 int ldc) {                                                                            \
    return blas_gemm(h, wide,                                                                                          \
                     &(struct blas_product){m,                                                                         \
                                            n,                                                                         \
                                            k,                                                                         \
                                            1,                                                                         \
                                            alpha,                                                                     \
                                            beta,                                                                      \
                                            {op_a, a, NULL, lda, 0},                                                   \
                                            {op_b, b, NULL, ldb, 0},                                                   \
                                            {CUBLAS_OP_N, c, NULL, ldc, 0}});                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##S##gemmBatched(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m,       \
                                        int n, int k, const T *alpha, const T *const a[], int lda, const T *const b[], \
                                        int ldb, const T *beta, T *const c[], int ldc, int batch) {                    \
    return blas_gemm(h, wide,                                                                                          \
                     &(struct blas_product){m,                                                                         \
                                            n,                                                                         \
                                            k,                                                                         \
                                            batch,                                                                     \
                                            alpha,                                                                     \
                                            beta,                                                                      \
                                            {op_a, NULL, a, lda, 0},                                                   \
                                            {op_b, NULL, b, ldb, 0},                                                   \
                                            {CUBLAS_OP_N, NULL, c, ldc, 0}});                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b,       \
                                               int m, int n, int k, const T *alpha, const T *a, int lda,               \
                                               long long a_stride, const T *b, int ldb, long long b_stride,            \
                                               const T *beta, T *c, int ldc, long long c_stride, int batch) {          \
    return blas_gemm(h, wide,                                                                                          \
                     &(struct blas_product){m,                                                                         \
                                            n,                                                                         \
                                            k,                                                                         \
                                            batch,                                                                     \
                                            alpha,                                                                     \
                                            beta,                                                                      \
                                            {op_a, a, NULL, lda, a_stride},                                            \
                                            {op_b, b, NULL, ldb, b_stride},                                            \
                                            {CUBLAS_OP_N, c, NULL, ldc, c_stride}});                                   \
  }
FUNCTIONS(float, S, Is, false)
FUNCTIONS(double, D, Id, true)

/* ---- types by number: those two */

static bool is_type(cudaDataType_t t) {
  return t == CUDA_R_32F || t == CUDA_R_64F;
}

static cublasStatus_t refuse_call(const char *call) {
  (void)cuda_refused(call);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                            const void *alpha, const void *a, cudaDataType_t a_type, int lda, const void *b,
                            cudaDataType_t b_type, int ldb, const void *beta, void *c, cudaDataType_t c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  (void)algorithm; /* there is one */
  const bool wide = a_type == CUDA_R_64F;
  const bool computes =
      wide ? compute == CUBLAS_COMPUTE_64F : compute == CUBLAS_COMPUTE_32F || compute >= CUBLAS_COMPUTE_32F_FAST_16F;
  if (!is_type(a_type) || b_type != a_type || c_type != a_type || !computes)
    return refuse_call("cublasGemmEx of other types than float and double");
  return blas_gemm(
      handle, wide,
      &(struct blas_product){
          m, n, k, 1, alpha, beta, {op_a, a, NULL, lda, 0}, {op_b, b, NULL, ldb, 0}, {CUBLAS_OP_N, c, NULL, ldc, 0}});
}

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType_t x_type, int incx, const void *y,
                           cudaDataType_t y_type, int incy, void *result, cudaDataType_t result_type,
                           cudaDataType_t compute) {
  if (!is_type(x_type) || y_type != x_type || result_type != x_type || compute != x_type)
    return refuse_call("cublasDotEx of other types than float and double");
  return blas_sum(handle, x_type == CUDA_R_64F, BLAS_DOT, n, x, incx, y, incy, result);
}
// NOLINTEND(bugprone-macro-parentheses)
