/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernels do what cuBLAS has: of vectors, sums, of matrices. */
#include "firmware/host/cuda/blas.h"

/* ---- vectors, element by element */

enum { THREADS = 64, BLOCKS_MAX = 1024 };

static dim3 element_blocks(int n, unsigned most) {
  const unsigned blocks = ((unsigned)n + THREADS - 1) / THREADS;
  return (dim3){blocks < most ? blocks : most, 1, 1};
}

/* Element 0: with a negative step it is the last in memory. */
static const void *start_of(const struct blas *b, const void *x, int n, int64_t inc) {
  return (const char *)x + (inc < 0 ? (size_t)((1 - (int64_t)n) * inc) * blas_size(b) : 0);
}

cublasStatus_t blas_axpy(cublasHandle_t h, bool wide, int n, const void *alpha, const void *x, int incx, void *y,
                         int incy) {
  struct blas b;
  struct blas_scalar a;
  int64_t count = n, dx = incx, dy = incy;
  const cublasStatus_t s = blas_enter(&b, h, wide);
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  if (n < 0 || incy == 0 || !blas_scalar(&b, alpha, &a)) return blas_leave(&b, cudaErrorInvalidValue);
  const void *from = start_of(&b, x, n, dx), *to = start_of(&b, y, n, dy);
  void *arguments[] = {&count, &a, &from, &dx, &to, &dy};
  return blas_leave(&b, n == 0 ? cudaSuccess : blas_launch(&b, "axpy", element_blocks(n, BLOCKS_MAX), arguments));
}

cublasStatus_t blas_copy(cublasHandle_t h, bool wide, int n, const void *x, int incx, void *y, int incy) {
  struct blas b;
  int64_t count = n, dx = incx, dy = incy;
  const cublasStatus_t s = blas_enter(&b, h, wide);
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  if (n < 0 || incy == 0) return blas_leave(&b, cudaErrorInvalidValue);
  const void *from = start_of(&b, x, n, dx), *to = start_of(&b, y, n, dy);
  void *arguments[] = {&count, &from, &dx, &to, &dy};
  return blas_leave(&b, n == 0 ? cudaSuccess : blas_launch(&b, "copy", element_blocks(n, BLOCKS_MAX), arguments));
}

cublasStatus_t blas_scal(cublasHandle_t h, bool wide, int n, const void *alpha, void *x, int incx) {
  struct blas b;
  struct blas_scalar a;
  int64_t count = n, dx = incx;
  const cublasStatus_t s = blas_enter(&b, h, wide);
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  if (!blas_scalar(&b, alpha, &a)) return blas_leave(&b, cudaErrorInvalidValue);
  void *arguments[] = {&count, &a, &x, &dx};
  const bool none = n <= 0 || incx <= 0;
  return blas_leave(&b, none ? cudaSuccess : blas_launch(&b, "scal", element_blocks(n, BLOCKS_MAX), arguments));
}

/* ---- sums */

/* Where a result goes: to the device, or by `at` there to the host. */
static cudaError_t give_result(const struct blas *b, void *result, const void *at, size_t bytes) {
  if (blas_results_on_device(b)) return cudaSuccess;
  const cudaError_t e = cuda_settle();
  return e == cudaSuccess ? cuda_copy(result, at, bytes, cudaMemcpyDeviceToHost) : e;
}

/* The result of nothing. */
static cudaError_t give_zero(const struct blas *b, void *result, size_t bytes) {
  static const double zero;
  return cuda_copy(result, &zero, bytes, blas_results_on_device(b) ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost);
}

struct vectors {
  int64_t n, dx, dy;
  const void *x, *y;
};

/* Two launches: parts, and what they are together, which goes to `out`. */
static cudaError_t reduce_vectors(const struct blas *b, int what, struct vectors v, const void *largest, void *out) {
  const dim3 grid = element_blocks((int)v.n, BLAS_PARTS);
  void *parts = b->room;
  int count = (int)grid.x;
  void *arguments[] = {&what, &v.n, &v.x, &v.dx, &v.y, &v.dy, &largest, &parts};
  const cudaError_t e = blas_launch(b, "partial", grid, arguments);
  void *rest[] = {&what, &count, &parts, &largest, &out};
  return e == cudaSuccess ? blas_launch(b, "total", (dim3){1, 1, 1}, rest) : e;
}

cublasStatus_t blas_sum(cublasHandle_t h, bool wide, enum blas_sum what, int n, const void *x, int incx, const void *y,
                        int incy, void *result) {
  struct blas b;
  const cublasStatus_t s = blas_enter(&b, h, wide);
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  if (!result) return blas_leave(&b, cudaErrorInvalidValue);
  if (n <= 0 || (what != BLAS_DOT && incx <= 0)) return blas_leave(&b, give_zero(&b, result, blas_size(&b)));
  double *scalars = (double *)b.room + BLAS_PARTS;
  void *out = blas_results_on_device(&b) ? result : scalars;
  const struct vectors v = {n, incx, incy, start_of(&b, x, n, incx), y ? start_of(&b, y, n, incy) : NULL};
  cudaError_t e = cudaSuccess;
  if (what == BLAS_NRM2) e = reduce_vectors(&b, BLAS_LARGEST, v, NULL, scalars + 1);
  if (e == cudaSuccess) e = reduce_vectors(&b, (int)what, v, scalars + 1, out);
  return blas_leave(&b, e == cudaSuccess ? give_result(&b, result, out, blas_size(&b)) : e);
}

cublasStatus_t blas_amax(cublasHandle_t h, bool wide, int n, const void *x, int incx, int *result) {
  struct blas b;
  int64_t count = n, dx = incx;
  const cublasStatus_t s = blas_enter(&b, h, wide);
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  if (!result) return blas_leave(&b, cudaErrorInvalidValue);
  if (n <= 0 || incx <= 0) return blas_leave(&b, give_zero(&b, result, sizeof *result));
  void *out = blas_results_on_device(&b) ? (void *)result : b.room, *arguments[] = {&count, &x, &dx, &out};
  const cudaError_t e = blas_launch(&b, "amax", (dim3){1, 1, 1}, arguments);
  return blas_leave(&b, e == cudaSuccess ? give_result(&b, result, out, sizeof *result) : e);
}

/* ---- between host and device */

static cublasStatus_t copy_columns(int rows, int columns, int bytes, const void *from, int64_t from_step, void *to,
                                   int64_t to_step, enum cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || bytes <= 0 || from_step < 1 || to_step < 1) return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const size_t size = (size_t)bytes, width = (size_t)rows * size;
  return cudaMemcpy2D(to, (size_t)to_step * size, from, (size_t)from_step * size, width, (size_t)columns, kind) ==
                 cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}

/* A vector is a matrix of one row. */
cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy) {
  return copy_columns(1, n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void *x, int incx, void *y, int incy) {
  return copy_columns(1, n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb) {
  if (lda < rows || ldb < rows) return CUBLAS_STATUS_INVALID_VALUE;
  return copy_columns(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb) {
  if (lda < rows || ldb < rows) return CUBLAS_STATUS_INVALID_VALUE;
  return copy_columns(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}

/* ---- matrices */

enum { TILE = 8 };

static bool is_operation(cublasOperation_t op) {
  return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

/* What it is after its operation has `rows` and `columns`. */
static bool describe_matrix(const struct blas_operand *o, int rows, int columns, struct blas_matrix *out) {
  const int least = o->op == CUBLAS_OP_N ? rows : columns;
  *out = (struct blas_matrix){.at = o->at, .each = o->each, .di = 1, .dj = o->ld, .stride = o->stride};
  if (o->op != CUBLAS_OP_N) {
    out->di = o->ld;
    out->dj = 1;
  }
  return is_operation(o->op) && o->ld >= (least > 1 ? least : 1);
}

static unsigned row_blocks(int64_t n) {
  const int64_t blocks = (n + THREADS - 1) / THREADS;
  return blocks < BLOCKS_MAX ? (unsigned)blocks : BLOCKS_MAX;
}

cublasStatus_t blas_gemv(cublasHandle_t h, bool wide, cublasOperation_t op, int m, int n, const void *alpha,
                         const void *a, int lda, const void *x, int incx, const void *beta, void *y, int incy) {
  struct blas b;
  struct blas_scalar by, keep;
  struct blas_matrix matrix;
  const cublasStatus_t s = blas_enter(&b, h, wide);
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
  const bool well = m >= 0 && n >= 0 && incx != 0 && incy != 0 &&
                    describe_matrix(&(struct blas_operand){.op = op, .at = a, .ld = lda}, rows, columns, &matrix) &&
                    blas_scalar(&b, alpha, &by) && blas_scalar(&b, beta, &keep);
  if (!well) return blas_leave(&b, cudaErrorInvalidValue);
  if (rows == 0) return blas_leave(&b, cudaSuccess);
  int64_t m64 = rows, n64 = columns, dx = incx, dy = incy;
  const char *from = (const char *)x + (dx < 0 ? (size_t)((1 - n64) * dx) * blas_size(&b) : 0);
  char *to = (char *)y + (dy < 0 ? (size_t)((1 - m64) * dy) * blas_size(&b) : 0);
  void *arguments[] = {&m64, &n64, &by, &matrix, &from, &dx, &keep, &to, &dy};
  return blas_leave(&b, blas_launch(&b, "gemv", (dim3){row_blocks(rows), 1, 1}, arguments));
}

cublasStatus_t blas_geam(cublasHandle_t h, bool wide, const struct blas_product *p) {
  struct blas b;
  struct blas_scalar by, and_by;
  struct blas_matrix left, right;
  const cublasStatus_t s = blas_enter(&b, h, wide);
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  const bool well = p->m >= 0 && p->n >= 0 && p->c.ld >= (p->m > 1 ? p->m : 1) &&
                    describe_matrix(&p->a, p->m, p->n, &left) && describe_matrix(&p->b, p->m, p->n, &right) &&
                    blas_scalar(&b, p->alpha, &by) && blas_scalar(&b, p->beta, &and_by);
  if (!well) return blas_leave(&b, cudaErrorInvalidValue);
  int64_t m = p->m, ldc = p->c.ld;
  const void *c = p->c.at;
  void *arguments[] = {&m, &by, &left, &and_by, &right, &c, &ldc};
  const bool none = m == 0 || p->n == 0;
  const dim3 grid = {row_blocks(m), (unsigned)p->n, 1};
  return blas_leave(&b, none ? cudaSuccess : blas_launch(&b, "geam", grid, arguments));
}

cublasStatus_t blas_gemm(cublasHandle_t h, bool wide, const struct blas_product *p) {
  struct blas b;
  struct blas_scalar by, keep;
  struct blas_matrix left, right, out;
  const cublasStatus_t s = blas_enter(&b, h, wide);
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  const bool well = p->m >= 0 && p->n >= 0 && p->k >= 0 && p->batch >= 0 && describe_matrix(&p->a, p->m, p->k, &left) &&
                    describe_matrix(&p->b, p->k, p->n, &right) && describe_matrix(&p->c, p->m, p->n, &out) &&
                    blas_scalar(&b, p->alpha, &by) && blas_scalar(&b, p->beta, &keep);
  if (!well) return blas_leave(&b, cudaErrorInvalidValue);
  if (p->m == 0 || p->n == 0 || p->batch == 0) return blas_leave(&b, cudaSuccess);
  int64_t m = p->m, n = p->n, k = p->k;
  const dim3 grid = {((unsigned)p->m + TILE - 1) / TILE, ((unsigned)p->n + TILE - 1) / TILE, (unsigned)p->batch};
  void *arguments[] = {&m, &n, &k, &by, &left, &right, &keep, &out};
  return blas_leave(&b, blas_launch(&b, "gemm", grid, arguments));
}
