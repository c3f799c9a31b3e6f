/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS: handles, and how a function of it becomes a launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/module_ptx.h>
#include "firmware/host/cuda/blas.h"

extern const char heddle_cuda_blas_ptx[]; /* of library/blas.cu */

struct heddle_cublas {
  struct heddle_cublas *next;
  cudaStream_t stream;
  cublasPointerMode_t mode;
};

/* With the lock held. Kernels and room are the context's. */
static struct heddle_cublas *handles;
static struct cuda_image image = {.name = "cublas (PTX)"};
static void *room;

void cuda_drop_blas(void) {
  image.module = NULL;
  room = NULL;
}

__attribute__((destructor)) static void forget(void) {
  while (handles) {
    struct heddle_cublas *h = handles;
    handles = h->next;
    free(h);
  }
}

static cublasStatus_t cublas_status(cudaError_t e) {
  switch (e) {
  case cudaSuccess:
    return CUBLAS_STATUS_SUCCESS;
  case cudaErrorInvalidValue:
    return CUBLAS_STATUS_INVALID_VALUE;
  case cudaErrorMemoryAllocation:
    return CUBLAS_STATUS_ALLOC_FAILED;
  case cudaErrorNoKernelImageForDevice:
    return CUBLAS_STATUS_ARCH_MISMATCH;
  case cudaErrorNoDevice:
  case cudaErrorInitializationError:
  case cudaErrorInvalidResourceHandle:
    return CUBLAS_STATUS_NOT_INITIALIZED;
  default:
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

static struct heddle_cublas **link_of_handle(cublasHandle_t handle) {
  for (struct heddle_cublas **h = &handles; *h; h = &(*h)->next)
    if (*h == handle) return h;
  return NULL;
}

/* ---- launches */

static cudaError_t load_blas(void) {
  cudaError_t e = cudaSuccess;
  if (!image.module)
    e = cuda_from_driver(heddle_module_load_ptx(cuda.context, heddle_cuda_blas_ptx, strlen(heddle_cuda_blas_ptx),
                                                image.name, NULL, &image.module),
                         image.name);
  if (e == cudaSuccess && !room) e = cuda_allocate(&room, BLAS_ROOM * sizeof(double));
  return e;
}

cublasStatus_t blas_enter(struct blas *b, cublasHandle_t handle, bool wide) {
  cuda_enter();
  cudaError_t e = handle && link_of_handle(handle) ? cuda_settle() : cudaErrorInvalidResourceHandle;
  if (e == cudaSuccess) e = load_blas();
  *b = (struct blas){handle, wide, room};
  return e == cudaSuccess ? CUBLAS_STATUS_SUCCESS : cublas_status(cuda_leave_silently(e));
}

cublasStatus_t blas_leave(const struct blas *b, cudaError_t e) {
  (void)b;
  return cublas_status(cuda_leave_silently(e));
}

cudaError_t blas_launch(const struct blas *b, const char *name, dim3 grid, void **arguments) {
  enum { THREADS = 64 }; /* library/blas.cu */
  char full[32];
  struct heddle_function *f;
  snprintf(full, sizeof full, "%c%s", b->wide ? 'd' : 's', name);
  if (heddle_module_function(image.module, full, &f) != HEDDLE_SUCCESS) return cudaErrorInvalidDeviceFunction;
  return cuda_start(f, &image, grid, (dim3){THREADS, 1, 1}, arguments, 0);
}

bool blas_scalar(const struct blas *b, const void *from, struct blas_scalar *out) {
  *out = (struct blas_scalar){.at = NULL};
  if (!from) return false;
  if (b->handle->mode == CUBLAS_POINTER_MODE_DEVICE)
    out->at = from;
  else
    memcpy(&out->value, from, blas_size(b));
  return true;
}

bool blas_results_on_device(const struct blas *b) {
  return b->handle->mode == CUBLAS_POINTER_MODE_DEVICE;
}

/* ---- handles */

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  cuda_enter();
  const cudaError_t e = cuda_ready();
  struct heddle_cublas *h = e == cudaSuccess ? calloc(1, sizeof *h) : NULL;
  if (!h) return cublas_status(cuda_leave_silently(e == cudaSuccess ? cudaErrorMemoryAllocation : e));
  h->next = handles;
  *handle = handles = h;
  return cublas_status(cuda_leave_silently(cudaSuccess));
}

/* The handle's entry with the lock held, or none without. */
static struct heddle_cublas *lock(cublasHandle_t handle) {
  cuda_enter();
  if (handle && link_of_handle(handle)) return handle;
  (void)cuda_leave_silently(cudaSuccess);
  return NULL;
}

static cublasStatus_t unlock(bool well) {
  (void)cuda_leave_silently(cudaSuccess);
  return well ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!lock(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  *link_of_handle(handle) = handle->next;
  free(handle);
  return unlock(true);
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) {
  if (!lock(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (version) *version = CUDART_VERSION;
  return unlock(version != NULL);
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (!lock(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool is = cuda_is_stream(stream);
  if (is) handle->stream = stream;
  return unlock(is);
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
  if (!lock(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (stream) *stream = handle->stream;
  return unlock(stream != NULL);
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (!lock(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool is = mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE;
  if (is) handle->mode = mode;
  return unlock(is);
}

cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode) {
  if (!lock(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode) *mode = handle->mode;
  return unlock(mode != NULL);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  if (!lock(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  return unlock(mode <= CUBLAS_TF32_TENSOR_OP_MATH);
}

/* ---- words */

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define NAME(s)                                                                                                        \
  case s:                                                                                                              \
    return #s
    NAME(CUBLAS_STATUS_SUCCESS);
    NAME(CUBLAS_STATUS_NOT_INITIALIZED);
    NAME(CUBLAS_STATUS_ALLOC_FAILED);
    NAME(CUBLAS_STATUS_INVALID_VALUE);
    NAME(CUBLAS_STATUS_ARCH_MISMATCH);
    NAME(CUBLAS_STATUS_MAPPING_ERROR);
    NAME(CUBLAS_STATUS_EXECUTION_FAILED);
    NAME(CUBLAS_STATUS_INTERNAL_ERROR);
    NAME(CUBLAS_STATUS_NOT_SUPPORTED);
    NAME(CUBLAS_STATUS_LICENSE_ERROR);
#undef NAME
  }
  return "CUBLAS_STATUS unknown";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  return cublasGetStatusName(status);
}

/* ---- the names of cublas_v2.h, for both types */

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
