/* SPDX-License-Identifier: Apache-2.0
 * Matrices of cuBLAS. */
#include "firmware/host/cuda/blas.h"

enum { THREADS = 64, TILE = 8, BLOCKS_MAX = 1024 };

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

static unsigned blocks_for(int64_t n) {
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
  return blas_leave(&b, blas_launch(&b, "gemv", (dim3){blocks_for(rows), 1, 1}, arguments));
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
  const dim3 grid = {blocks_for(m), (unsigned)p->n, 1};
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
