/* SPDX-License-Identifier: Apache-2.0
 * Kernels of cublas_v2.h (blas.c launches them): matrices by columns, sums with fused multiply-adds, in an order that
 * depends on sizes alone. Blocks have 64 threads, so that the smallest machine can run them.
 * A number is what `value` says, or where `at` points to: the two pointer modes. */

#define global extern "C" __attribute__((global)) void
#define device static __attribute__((device, always_inline)) inline
#define shared static __attribute__((shared))

typedef long long index_t;

enum { THREADS = 64, TILE = 8 };

device unsigned tid() {
  return __nvvm_read_ptx_sreg_tid_x();
}
device void barrier() {
  asm volatile("bar.sync 0;" ::: "memory");
}
device index_t first() {
  return index_t(__nvvm_read_ptx_sreg_ctaid_x()) * THREADS + tid();
}
device index_t step() {
  return index_t(__nvvm_read_ptx_sreg_nctaid_x()) * THREADS;
}

template <typename T> struct scalar {
  T value;
  const T *at;
};
template <typename T> device T get(scalar<T> s) {
  return s.at ? *s.at : s.value;
}

device float fused(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
device double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
template <typename T> device T absolute(T x) {
  return x < 0 ? -x : x;
}

/* ---- element by element; element i of x is x[i * dx] */

template <typename T>
device void axpy(index_t n, scalar<T> alpha, const T *x, index_t dx, T *y, index_t dy) {
  const T a = get(alpha);
  for (index_t i = first(); i < n; i += step()) y[i * dy] = fused(a, x[i * dx], y[i * dy]);
}
template <typename T> device void copy(index_t n, const T *x, index_t dx, T *y, index_t dy) {
  for (index_t i = first(); i < n; i += step()) y[i * dy] = x[i * dx];
}
template <typename T> device void scal(index_t n, scalar<T> alpha, T *x, index_t dx) {
  const T a = get(alpha);
  for (index_t i = first(); i < n; i += step()) x[i * dx] *= a;
}

/* ---- sums: each block leaves its own in part[block]; one block then adds them */

enum { DOT, SQUARES, LARGEST, MAGNITUDES };

/* The power of two below |x|, so that no square overflows and division is exact; 1 for 0 and what is not finite. */
device float scale_of(float largest) {
  const unsigned e = __builtin_bit_cast(unsigned, largest) & 0x7f800000u;
  return largest == 0 || e == 0x7f800000u ? 1.0f : __builtin_bit_cast(float, e == 0 ? 0x00800000u : e);
}
device double scale_of(double largest) {
  const unsigned long long e = __builtin_bit_cast(unsigned long long, largest) & 0x7ff0000000000000ull;
  return largest == 0 || e == 0x7ff0000000000000ull
             ? 1.0
             : __builtin_bit_cast(double, e == 0 ? 0x0010000000000000ull : e);
}

template <typename T> device T join(int what, T a, T b) {
  return what == LARGEST ? (a > b ? a : b) : a + b;
}

template <typename T> device void join_block(int what, T sum, T *out) {
  shared T room[THREADS];
  room[tid()] = sum;
  for (unsigned half = THREADS / 2; half > 0; half /= 2) {
    barrier();
    if (tid() < half) room[tid()] = join(what, room[tid()], room[tid() + half]);
  }
  if (tid() == 0) *out = room[0];
}

template <typename T>
device void partial(int what, index_t n, const T *x, index_t dx, const T *y, index_t dy, const T *largest, T *part) {
  const T scale = what == SQUARES ? scale_of(*largest) : T(1);
  T sum = 0;
  for (index_t i = first(); i < n; i += step()) {
    const T v = x[i * dx], s = v / scale;
    sum = what == DOT       ? fused(v, y[i * dy], sum)
          : what == SQUARES ? fused(s, s, sum)
                            : join(what, sum, absolute(v));
  }
  join_block(what, sum, part + __nvvm_read_ptx_sreg_ctaid_x());
}

device float root(float x) {
  float r;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
device double root(double x) {
  double r;
  asm("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(x));
  return r;
}

template <typename T> device void total(int what, int parts, const T *part, const T *largest, T *out) {
  T sum = 0;
  for (int i = int(tid()); i < parts; i += THREADS) sum = join(what, sum, part[i]);
  join_block(what, sum, out);
  if (what == SQUARES && tid() == 0) *out = scale_of(*largest) * root(*out);
}

/* The first of the largest magnitudes, counted from 1. One block. */
template <typename T> device void amax(index_t n, const T *x, index_t dx, int *out) {
  shared T most[THREADS];
  shared int where[THREADS];
  T m = -1;
  int w = 0;
  for (index_t i = tid(); i < n; i += THREADS)
    if (absolute(x[i * dx]) > m) m = absolute(x[i * dx]), w = int(i) + 1;
  most[tid()] = m;
  where[tid()] = w;
  for (unsigned half = THREADS / 2; half > 0; half /= 2) {
    barrier();
    if (tid() >= half) continue;
    const unsigned o = tid() + half;
    const bool other = most[o] > most[tid()] || (most[o] == most[tid()] && where[o] < where[tid()] && where[o] > 0);
    if (other) most[tid()] = most[o], where[tid()] = where[o];
  }
  if (tid() == 0) *out = where[0];
}

/* ---- matrices: element (i, j) is a[i * di + j * dj] */

template <typename T> struct matrix {
  const T *at;
  const T *const *each; /* of a batch: not NULL, where each begins */
  index_t di, dj, stride;
};
template <typename T> device const T *begin(matrix<T> m, unsigned z) {
  return m.each ? m.each[z] : m.at + z * m.stride;
}

/* y = alpha a x + beta y, a thread an element. y is not read where beta is 0. */
template <typename T>
device void gemv(index_t m, index_t n, scalar<T> alpha, matrix<T> a, const T *x, index_t dx, scalar<T> beta, T *y,
                 index_t dy) {
  const T by = get(alpha), keep = get(beta);
  for (index_t i = first(); i < m; i += step()) {
    T sum = 0;
    for (index_t j = 0; j < n; j++) sum = fused(a.at[i * a.di + j * a.dj], x[j * dx], sum);
    y[i * dy] = keep == 0 ? by * sum : fused(keep, y[i * dy], by * sum);
  }
}

/* c = alpha a + beta b, a row of blocks a column. */
template <typename T>
device void geam(index_t m, scalar<T> alpha, matrix<T> a, scalar<T> beta, matrix<T> b, T *c, index_t ldc) {
  const T by = get(alpha), and_by = get(beta);
  const index_t j = __nvvm_read_ptx_sreg_ctaid_y();
  for (index_t i = first(); i < m; i += step()) {
    const T left = by == 0 ? T(0) : by * a.at[i * a.di + j * a.dj];
    c[i + j * ldc] = and_by == 0 ? left : fused(and_by, b.at[i * b.di + j * b.dj], left);
  }
}

/* c = alpha a b + beta c: a block a tile of c, the sums along k in order. c is not read where beta is 0. */
template <typename T>
device void gemm(index_t m, index_t n, index_t k, scalar<T> alpha, matrix<T> a, matrix<T> b, scalar<T> beta,
                 matrix<T> c) {
  shared T left[TILE][TILE + 1], right[TILE][TILE + 1];
  const unsigned x = tid() % TILE, y = tid() / TILE, z = __nvvm_read_ptx_sreg_ctaid_z();
  const index_t i = index_t(__nvvm_read_ptx_sreg_ctaid_x()) * TILE + x,
                j = index_t(__nvvm_read_ptx_sreg_ctaid_y()) * TILE + y;
  const T *pa = begin(a, z), *pb = begin(b, z), by = get(alpha), keep = get(beta);
  T sum = 0;
  for (index_t l = 0; l < k; l += TILE) {
    left[y][x] = i < m && l + y < k ? pa[i * a.di + (l + y) * a.dj] : T(0);
    right[x][y] = j < n && l + x < k ? pb[(l + x) * b.di + j * b.dj] : T(0);
    barrier();
    for (unsigned t = 0; t < TILE; t++) sum = fused(left[t][x], right[t][y], sum);
    barrier();
  }
  if (i >= m || j >= n) return;
  T *out = const_cast<T *>(begin(c, z)) + i + j * c.dj;
  *out = keep == 0 ? by * sum : fused(keep, *out, by * sum);
}

/* ---- the kernels, of both types */

#define KERNELS(T, t)                                                                                                  \
  global t##axpy(index_t n, scalar<T> alpha, const T *x, index_t dx, T *y, index_t dy) {                               \
    axpy(n, alpha, x, dx, y, dy);                                                                                      \
  }                                                                                                                    \
  global t##copy(index_t n, const T *x, index_t dx, T *y, index_t dy) {                                                \
    copy(n, x, dx, y, dy);                                                                                             \
  }                                                                                                                    \
  global t##scal(index_t n, scalar<T> alpha, T *x, index_t dx) {                                                       \
    scal(n, alpha, x, dx);                                                                                             \
  }                                                                                                                    \
  global t##partial(int what, index_t n, const T *x, index_t dx, const T *y, index_t dy, const T *largest, T *part) {  \
    partial(what, n, x, dx, y, dy, largest, part);                                                                     \
  }                                                                                                                    \
  global t##total(int what, int parts, const T *part, const T *largest, T *out) {                                      \
    total(what, parts, part, largest, out);                                                                            \
  }                                                                                                                    \
  global t##amax(index_t n, const T *x, index_t dx, int *out) {                                                        \
    amax(n, x, dx, out);                                                                                               \
  }                                                                                                                    \
  global t##gemv(index_t m, index_t n, scalar<T> alpha, matrix<T> a, const T *x, index_t dx, scalar<T> beta, T *y,     \
                 index_t dy) {                                                                                         \
    gemv(m, n, alpha, a, x, dx, beta, y, dy);                                                                          \
  }                                                                                                                    \
  global t##geam(index_t m, scalar<T> alpha, matrix<T> a, scalar<T> beta, matrix<T> b, T *c, index_t ldc) { \
    geam(m, alpha, a, beta, b, c, ldc);                                                                             \
  }                                                                                                                    \
  global t##gemm(index_t m, index_t n, index_t k, scalar<T> alpha, matrix<T> a, matrix<T> b, scalar<T> beta,           \
                 matrix<T> c) {                                                                                        \
    gemm(m, n, k, alpha, a, b, beta, c);                                                                               \
  }
KERNELS(float, s)
KERNELS(double, d)
