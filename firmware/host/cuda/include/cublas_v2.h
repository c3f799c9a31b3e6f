/* SPDX-License-Identifier: Apache-2.0
 *
 * The commonest functions of cuBLAS, in C and C++, for float and double: libheddle-cuda has them, as kernels of its own
 * on the device. Matrices are stored by columns. Products are fused multiply-adds in order; a sum over a vector depends
 * on its length alone. All else is missing; cublasGemmEx and cublasDotEx take these two types alone.
 */
#ifndef HEDDLE_CUBLAS_V2_H
#define HEDDLE_CUBLAS_V2_H

#include "cuda_runtime_api.h"
#include "library_types.h"

#ifdef __cplusplus
#include "cuComplex.h"
extern "C" {
#endif

#define CUBLASAPI
#define CUBLASWINAPI

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef struct heddle_cublas *cublasHandle_t;

const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode); /* there is one arithmetic */
cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb);

// NOLINTBEGIN(bugprone-macro-parentheses): types
#define HEDDLE_CUBLAS_OF(T, S, IS)                                                                                     \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y, int incy);  \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy);                  \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx);                        \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result);  \
  cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result);                       \
  cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T *x, int incx, T *result);                       \
  cublasStatus_t cublas##IS##amax(cublasHandle_t handle, int n, const T *x, int incx, int *result);                    \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T *alpha,            \
                                 const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy);            \
  cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,  \
                                 const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c,        \
                                 int ldc);                                                                             \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,  \
                                 int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, \
                                 int ldc);                                                                             \
  cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,  \
                                        int n, int k, const T *alpha, const T *const a[], int lda, const T *const b[], \
                                        int ldb, const T *beta, T *const c[], int ldc, int batch);                     \
  cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,  \
                                               int m, int n, int k, const T *alpha, const T *a, int lda,               \
                                               long long a_stride, const T *b, int ldb, long long b_stride,            \
                                               const T *beta, T *c, int ldc, long long c_stride, int batch);
HEDDLE_CUBLAS_OF(float, S, Is)
HEDDLE_CUBLAS_OF(double, D, Id)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                            const void *alpha, const void *a, cudaDataType_t a_type, int lda, const void *b,
                            cudaDataType_t b_type, int ldb, const void *beta, void *c, cudaDataType_t c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType_t x_type, int incx, const void *y,
                           cudaDataType_t y_type, int incy, void *result, cudaDataType_t result_type,
                           cudaDataType_t compute);
// NOLINTEND(bugprone-macro-parentheses)

#ifdef __cplusplus
}
#endif

#endif
