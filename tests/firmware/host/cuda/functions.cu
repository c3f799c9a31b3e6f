/* SPDX-License-Identifier: Apache-2.0
 * How far functions of numbers are from the true value, which MPFR computes: a line for each, as in the table of
 * docs/cuda-device.md; exit status 3 if one is further off than is said here. usage: functions f|d */
#include <cstring>
#include <vector>

#include "check.h"
#include "numbers.h"

constexpr int points = 1024;
/* r: the function of x and y; at is what the device found. */
typedef void (*truth)(mpfr_ptr r, double x, double y, double at);

/* Newton's steps for erf(r) = x, or erfc(r) = x, from what is nearly right. */
static void inverse(mpfr_ptr r, mpfr_ptr x, double at, bool complement) {
  number value, slope, root;
  mpfr_const_pi(root, RN);
  mpfr_sqrt(root, root, RN);
  mpfr_set_d(r, at, RN);
  for (int step = 0; step < 12; step++) {
    complement ? mpfr_erfc(value, r, RN) : mpfr_erf(value, r, RN);
    mpfr_sub(value, value, x, RN);
    mpfr_sqr(slope, r, RN);
    mpfr_neg(slope, slope, RN);
    mpfr_exp(slope, slope, RN);
    mpfr_div(slope, slope, root, RN);
    mpfr_mul_si(slope, slope, complement ? -2 : 2, RN);
    mpfr_div(value, value, slope, RN);
    mpfr_sub(r, r, value, RN);
  }
}
/* The power series of I of order n. */
static void bessel_i(mpfr_ptr r, double x, int n) {
  number term(1), square(x);
  if (n) mpfr_set_d(term, x / 2, RN);
  mpfr_sqr(square, square, RN);
  mpfr_div_ui(square, square, 4, RN);
  mpfr_set_ui(r, 0, RN);
  for (unsigned k = 1; k < 4000; k++) {
    mpfr_add(r, r, term, RN);
    mpfr_mul(term, term, square, RN);
    mpfr_div_ui(term, term, k, RN);
    mpfr_div_ui(term, term, k + (unsigned)n, RN);
  }
}
static void normcdf_of(mpfr_ptr r, double x) {
  number half(0.5);
  mpfr_sqrt(half, half, RN);
  mpfr_mul_d(r, half, -x, RN);
  mpfr_erfc(r, r, RN);
  mpfr_div_ui(r, r, 2, RN);
}
static void pi_times(mpfr_ptr r, double x) {
  mpfr_const_pi(r, RN);
  mpfr_mul_d(r, r, x, RN);
}

enum { EVEN, GEOMETRIC }; /* how arguments lie between the two ends */
/* NAME, device's expression, order of arguments, from, to, how, statement of r's truth, limit float, limit double; limits
 * in ulp, or if they are below 0 the greatest absolute error in units of 2^-24 and 2^-53. */
#define FUNCTIONS(F)                                                                                                   \
  F(sqrt, sqrt(x), 1e-30, 1e30, GEOMETRIC, mpfr_sqrt(r, X, RN), 0.5, 0.5)                                              \
  F(rsqrt, rsqrt(x), 1e-30, 1e30, GEOMETRIC, mpfr_rec_sqrt(r, X, RN), 1.6, 1.7)                                        \
  F(cbrt, cbrt(x), 1e-30, 1e30, GEOMETRIC, mpfr_cbrt(r, X, RN), 0.6, 0.6)                                              \
  F(rcbrt, rcbrt(x), 1e-30, 1e30, GEOMETRIC, (mpfr_cbrt(r, X, RN), mpfr_ui_div(r, 1, r, RN)), 1.8, 1.6)                \
  F(exp, exp(x), -80, 80, EVEN, mpfr_exp(r, X, RN), 1, 0.7)                                                            \
  F(exp2, exp2(x), -120, 120, EVEN, mpfr_exp2(r, X, RN), 1, 0.7)                                                       \
  F(exp10, exp10(x), -37, 37, EVEN, mpfr_exp10(r, X, RN), 1.3, 0.7)                                                    \
  F(expm1, expm1(x), -2, 2, EVEN, mpfr_expm1(r, X, RN), 0.8, 1)                                                        \
  F(log, log(x), 1e-30, 1e30, GEOMETRIC, mpfr_log(r, X, RN), 1.4, 1.7)                                                 \
  F(log2, log2(x), 1e-30, 1e30, GEOMETRIC, mpfr_log2(r, X, RN), 0.6, 0.6)                                              \
  F(log10, log10(x), 1e-30, 1e30, GEOMETRIC, mpfr_log10(r, X, RN), 0.6, 0.6)                                           \
  F(log1p, log1p(x), 1e-10, 1e10, GEOMETRIC, mpfr_log1p(r, X, RN), 0.7, 0.6)                                           \
  F(sin, sin(x), -1000, 1000, EVEN, mpfr_sin(r, X, RN), 1.7, 1.6)                                                      \
  F(cos, cos(x), -1000, 1000, EVEN, mpfr_cos(r, X, RN), 1.5, 1.6)                                                      \
  F(tan, tan(x), -1000, 1000, EVEN, mpfr_tan(r, X, RN), 3.6, 2.6)                                                      \
  F(sinpi, sinpi(x), -100, 100, EVEN, (pi_times(r, x), mpfr_sin(r, r, RN)), 1.6, 1.9)                                  \
  F(cospi, cospi(x), -100, 100, EVEN, (pi_times(r, x), mpfr_cos(r, r, RN)), 2, 1.3)                                    \
  F(asin, asin(x), -1, 1, EVEN, mpfr_asin(r, X, RN), 0.9, 0.9)                                                         \
  F(acos, acos(x), -1, 1, EVEN, mpfr_acos(r, X, RN), 1.5, 0.9)                                                         \
  F(atan, atan(x), -100, 100, EVEN, mpfr_atan(r, X, RN), 1.3, 0.9)                                                     \
  F(atan2, atan2(x, y), -10, 10, EVEN, mpfr_atan2(r, X, Y, RN), 2.2, 0.6)                                              \
  F(sinh, sinh(x), -80, 80, EVEN, mpfr_sinh(r, X, RN), 1.8, 1.2)                                                       \
  F(cosh, cosh(x), -80, 80, EVEN, mpfr_cosh(r, X, RN), 1.7, 1.2)                                                       \
  F(tanh, tanh(x), -10, 10, EVEN, mpfr_tanh(r, X, RN), 2.4, 0.8)                                                       \
  F(asinh, asinh(x), -100, 100, EVEN, mpfr_asinh(r, X, RN), 1.7, 0.8)                                                  \
  F(acosh, acosh(x), 1.001, 1000, GEOMETRIC, mpfr_acosh(r, X, RN), 1.2, 1.2)                                           \
  F(atanh, atanh(x), -0.999, 0.999, EVEN, mpfr_atanh(r, X, RN), 1, 1)                                                  \
  F(pow, pow(x, y), 0.01, 10, EVEN, mpfr_pow(r, X, Y, RN), 0.7, 0.7)                                                   \
  F(hypot, hypot(x, y), -1e10, 1e10, EVEN, mpfr_hypot(r, X, Y, RN), 1, 1.2)                                            \
  F(rhypot, rhypot(x, y), -1e10, 1e10, EVEN, (mpfr_hypot(r, X, Y, RN), mpfr_ui_div(r, 1, r, RN)), 2, 1.9)              \
  F(norm3d, norm3(x, y, x), -1e10, 1e10, EVEN, norm_of(r, x, y, x, 0), 1.1, 1.1)                                       \
  F(norm4d, norm4(x, y, x, y), -1e10, 1e10, EVEN, norm_of(r, x, y, x, y), 1.3, 1.2)                                    \
  F(erf, erf(x), -4, 4, EVEN, mpfr_erf(r, X, RN), 0.8, 0.8)                                                            \
  F(erfc, erfc(x), -4, 9, EVEN, mpfr_erfc(r, X, RN), 3, 2.5)                                                           \
  F(erfcx, erfcx(x), -5, 1000, EVEN, erfcx_of(r, x), 2.1, 2.2)                                                         \
  F(erfinv, erfinv(x), -1, 1, EVEN, inverse(r, X, at, false), 2.1, 2.1)                                                \
  F(erfcinv, erfcinv(x), 1e-35, 1, GEOMETRIC, inverse(r, X, at, true), 2.3, 3.7)                                       \
  F(normcdf, normcdf(x), -12, 5, EVEN, normcdf_of(r, x), 3.9, 3.3)                                                     \
  F(normcdfinv, normcdfinv(x), 1e-35, 1, GEOMETRIC, normcdfinv_of(r, x, at), 2.8, 3.8)                                 \
  F(tgamma, tgamma(x), 0.01, 30, EVEN, mpfr_gamma(r, X, RN), 1.7, 1.6)                                                 \
  F(lgamma, lgamma(x), 3, 1000, EVEN, mpfr_lngamma(r, X, RN), 2.4, 2.5)                                                \
  F(j0, j0(x), 0, 100, EVEN, mpfr_j0(r, X, RN), -6.3, -6.4)                                                            \
  F(j1, j1(x), 0, 100, EVEN, mpfr_j1(r, X, RN), -2.9, -2.6)                                                            \
  F(jn 3, jn_of(3, x), 0, 50, EVEN, mpfr_jn(r, 3, X, RN), -2, -1.8)                                                    \
  F(y0, y0(x), 0.01, 100, EVEN, mpfr_y0(r, X, RN), -17.2, -7)                                                          \
  F(y1, y1(x), 0.5, 100, EVEN, mpfr_y1(r, X, RN), -2.5, -2.6)                                                          \
  F(yn 3, yn_of(3, x), 2, 50, EVEN, mpfr_yn(r, 3, X, RN), -4.6, -4.3)                                                  \
  F(cyl_bessel_i0, cyl_bessel_i0(x), 0, 80, EVEN, bessel_i(r, x, 0), 3.9, 4.3)                                         \
  F(cyl_bessel_i1, cyl_bessel_i1(x), 0.001, 80, EVEN, bessel_i(r, x, 1), 5.1, 4.2)                                     \
  F(__frsqrt_rn, once(x, __frsqrt_rn), 1e-30, 1e30, GEOMETRIC, mpfr_rec_sqrt(r, X, RN), 0.5, 0)                        \
  F(__expf, once(x, __expf), -10, 10, EVEN, mpfr_exp(r, X, RN), 7.5, 0)                                                \
  F(__logf, once(x, __logf), 2, 1000, GEOMETRIC, mpfr_log(r, X, RN), 2.1, 0)                                           \
  F(__sinf, once(x, __sinf), -3.14, 3.14, EVEN, mpfr_sin(r, X, RN), -6.3, 0)                                           \
  F(__cosf, once(x, __cosf), -3.14, 3.14, EVEN, mpfr_cos(r, X, RN), -6.9, 0)                                           \
  F(__powf, once2(x, y, __powf), 0.1, 10, EVEN, mpfr_pow(r, X, Y, RN), 32.4, 0)

static void norm_of(mpfr_ptr r, double a, double b, double c, double d) {
  mpfr_set_ui(r, 0, RN);
  for (double x : {a, b, c, d}) {
    number square(x);
    mpfr_sqr(square, square, RN);
    mpfr_add(r, r, square, RN);
  }
  mpfr_sqrt(r, r, RN);
}
static void erfcx_of(mpfr_ptr r, double x) {
  number square(x);
  mpfr_sqr(square, square, RN);
  mpfr_exp(square, square, RN);
  mpfr_set_d(r, x, RN);
  mpfr_erfc(r, r, RN);
  mpfr_mul(r, r, square, RN);
}
static void normcdfinv_of(mpfr_ptr r, double x, double at) {
  number twice(2 * x), root(2);
  inverse(r, twice, -at / sqrt(2), true);
  mpfr_sqrt(root, root, RN);
  mpfr_mul(r, r, root, RN);
  mpfr_neg(r, r, RN);
}

__device__ float norm3(float a, float b, float c) {
  return norm3df(a, b, c);
}
__device__ double norm3(double a, double b, double c) {
  return norm3d(a, b, c);
}
__device__ float norm4(float a, float b, float c, float d) {
  return norm4df(a, b, c, d);
}
__device__ double norm4(double a, double b, double c, double d) {
  return norm4d(a, b, c, d);
}
__device__ float jn_of(int n, float x) {
  return jnf(n, x);
}
__device__ double jn_of(int n, double x) {
  return jn(n, x);
}
__device__ float yn_of(int n, float x) {
  return ynf(n, x);
}
__device__ double yn_of(int n, double x) {
  return yn(n, x);
}
/* What there is of float alone. */
template <class F> __device__ float once(float x, F f) {
  return f(x);
}
template <class F> __device__ double once(double, F) {
  return 0;
}
template <class F> __device__ float once2(float x, float y, F f) {
  return f(x, y);
}
template <class F> __device__ double once2(double, double, F) {
  return 0;
}

template <class T> __global__ void evaluate(int which, const T *xs, const T *ys, T *results) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T x = xs[i], y = ys[i];
  T r = 0;
  int k = 0;
#define F(NAME, EXPRESSION, ...)                                                                                       \
  if (which == k++) r = EXPRESSION;
  FUNCTIONS(F)
#undef F
  results[i] = r;
}

struct function {
  const char *name;
  double low, high;
  int how;
  truth exact;
  double limit_f, limit_d;
};
static const function table[] = {
#define F(NAME, EXPRESSION, LOW, HIGH, HOW, TRUTH, LIMIT_F, LIMIT_D)                                                   \
  {#NAME, LOW, HIGH, HOW,                                                                                              \
   [](mpfr_ptr r, double x, double y, double at) {                                                                     \
     number X(x), Y(y);                                                                                                \
     (void)at;                                                                                                         \
     TRUTH;                                                                                                            \
   },                                                                                                                  \
   LIMIT_F, LIMIT_D},
    FUNCTIONS(F)
#undef F
};

static double argument(const function &f) {
  static unsigned long long state = 1;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  const double part = (double)(state >> 11) / 9007199254740992.0;
  return f.how == GEOMETRIC ? f.low * pow(f.high / f.low, part) : f.low + (f.high - f.low) * part;
}
template <class T> static bool measure(int which, T *there) {
  const function &f = table[which];
  const double limit = sizeof(T) == 4 ? f.limit_f : f.limit_d;
  std::vector<T> x(points), y(points), r(points);
  if (limit == 0) return true;
  for (T &v : x) v = (T)argument(f);
  for (T &v : y) v = (T)argument(f);
  OK(cudaMemcpy(there, x.data(), points * sizeof(T), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(there + points, y.data(), points * sizeof(T), cudaMemcpyHostToDevice));
  evaluate<T><<<points / 128, 128>>>(which, there, there + points, there + 2 * points);
  OK(cudaMemcpy(r.data(), there + 2 * points, points * sizeof(T), cudaMemcpyDeviceToHost));
  double worst = 0, at = 0;
  for (int i = 0; i < points; i++) {
    number exact;
    f.exact(exact, (double)x[i], (double)y[i], (double)r[i]);
    const double off = distance(exact, r[i], limit < 0);
    if (off > worst || i == 0) worst = off, at = (double)x[i];
  }
  const bool well = worst <= fabs(limit);
  printf("| `%s` | %g to %g | %.2f %s | %.9g |%s\n", f.name, f.low, f.high, worst,
         limit < 0 ? (sizeof(T) == 4 ? "2^-24" : "2^-53") : "ulp", at, well ? "" : " further than is said");
  return well;
}
template <class T> static int measure_all() {
  T *there;
  int wrong = 0;
  OK(cudaMalloc(&there, 3 * points * sizeof(T)));
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) wrong += !measure((int)k, there);
  OK(cudaFree(there));
  return wrong ? 3 : 0;
}

int main(int count, char **words) {
  return count > 1 && strcmp(words[1], "f") == 0 ? measure_all<float>() : measure_all<double>();
}
