/* SPDX-License-Identifier: Apache-2.0
 * Shared by the files of cuBLAS: handles, and launches of library/blas.cu. */
#ifndef HEDDLE_CUDA_BLAS_H
#define HEDDLE_CUDA_BLAS_H

#include "firmware/host/cuda/include/cublas_v2.h"
#include "firmware/host/cuda/internal.h"

/* As the kernels have them (library/blas.cu). */
struct blas_scalar {
  union {
    float s;
    double d;
  } value;
  const void *at;
};
struct blas_matrix {
  const void *at, *each;
  int64_t di, dj, stride;
};

/* Numbers of doubles in the room that sums leave their parts in. */
enum { BLAS_PARTS = 64, BLAS_ROOM = BLAS_PARTS + 2 };

struct blas {
  cublasHandle_t handle;
  bool wide;  /* double, else float */
  void *room; /* BLAS_ROOM doubles of the device */
};

/* Takes the lock, and finds that the handle is one, and device and kernels are there; where not, gives it back. */
cublasStatus_t blas_enter(struct blas *b, cublasHandle_t handle, bool wide);
cublasStatus_t blas_leave(const struct blas *b, cudaError_t e);
/* The kernel of that name for the type; its error is noted by blas_leave. */
cudaError_t blas_launch(const struct blas *b, const char *name, dim3 grid, void **arguments);
/* A number that the caller gives by a pointer to host or device; false: by none. */
bool blas_scalar(const struct blas *b, const void *from, struct blas_scalar *out);
bool blas_results_on_device(const struct blas *b);

static inline size_t blas_size(const struct blas *b) {
  return b->wide ? sizeof(double) : sizeof(float);
}

/* The functions for both types; blas_kernels.c. */
cublasStatus_t blas_axpy(cublasHandle_t h, bool wide, int n, const void *alpha, const void *x, int incx, void *y,
                         int incy);
cublasStatus_t blas_copy(cublasHandle_t h, bool wide, int n, const void *x, int incx, void *y, int incy);
cublasStatus_t blas_scal(cublasHandle_t h, bool wide, int n, const void *alpha, void *x, int incx);
enum blas_sum { BLAS_DOT, BLAS_NRM2, BLAS_LARGEST, BLAS_ASUM }; /* numbers are the kernel's */
cublasStatus_t blas_sum(cublasHandle_t h, bool wide, enum blas_sum what, int n, const void *x, int incx, const void *y,
                        int incy, void *result);
cublasStatus_t blas_amax(cublasHandle_t h, bool wide, int n, const void *x, int incx, int *result);
cublasStatus_t blas_gemv(cublasHandle_t h, bool wide, cublasOperation_t op, int m, int n, const void *alpha,
                         const void *a, int lda, const void *x, int incx, const void *beta, void *y, int incy);
/* Operands of a product: the address of each matrix, or of the pointers to each of the batch. */
struct blas_operand {
  cublasOperation_t op;
  const void *at, *each;
  int ld;
  int64_t stride;
};
struct blas_product {
  int m, n, k, batch;
  const void *alpha, *beta;
  struct blas_operand a, b, c;
};
cublasStatus_t blas_geam(cublasHandle_t h, bool wide, const struct blas_product *p);
cublasStatus_t blas_gemm(cublasHandle_t h, bool wide, const struct blas_product *p);

#endif
