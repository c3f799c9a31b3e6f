/* SPDX-License-Identifier: Apache-2.0
 * Functions of numbers where formats end: each of `borders` and its negative, of functions of two numbers each with
 * each. The true value is MPFR's; infinities, NaN and the sign of a zero are judged, too, and results below the least
 * normal number are as near as others. Exit status 3 if one is not. usage: borders f|d */
#include <cfloat>
#include <cstring>
#include <limits>
#include <vector>

#include "check.h"
#include "numbers.h"

/* NAME, device's expression, statement of r's truth, ulp that are granted (0.5: rounded once). */
#define FUNCTIONS1(F)                                                                                                  \
  F(sqrt, sqrt(x), mpfr_sqrt(r, X, RN), 0.5)                                                                           \
  F(rsqrt, rsqrt(x), (mpfr_rec_sqrt(r, X, RN), mpfr_copysign(r, r, x == 0 ? X : r, RN)), 2)                            \
  F(cbrt, cbrt(x), mpfr_cbrt(r, X, RN), 2)                                                                             \
  F(exp, exp(x), mpfr_exp(r, X, RN), 3)                                                                                \
  F(exp2, exp2(x), mpfr_exp2(r, X, RN), 3)                                                                             \
  F(exp10, exp10(x), mpfr_exp10(r, X, RN), 3)                                                                          \
  F(expm1, expm1(x), mpfr_expm1(r, X, RN), 3)                                                                          \
  F(log, log(x), mpfr_log(r, X, RN), 3)                                                                                \
  F(log2, log2(x), mpfr_log2(r, X, RN), 3)                                                                             \
  F(log10, log10(x), mpfr_log10(r, X, RN), 3)                                                                          \
  F(log1p, log1p(x), mpfr_log1p(r, X, RN), 2)                                                                          \
  F(sin, sin(x), mpfr_sin(r, X, RN), 4)                                                                                \
  F(cos, cos(x), mpfr_cos(r, X, RN), 4)                                                                                \
  F(tan, tan(x), mpfr_tan(r, X, RN), 5)                                                                                \
  F(sinpi, sinpi(x), turned(r, x, mpfr_sin), 4)                                                                        \
  F(cospi, cospi(x), turned(r, x, mpfr_cos), 4)                                                                        \
  F(asin, asin(x), mpfr_asin(r, X, RN), 4)                                                                             \
  F(acos, acos(x), mpfr_acos(r, X, RN), 4)                                                                             \
  F(atan, atan(x), mpfr_atan(r, X, RN), 5)                                                                             \
  F(sinh, sinh(x), mpfr_sinh(r, X, RN), 4)                                                                             \
  F(cosh, cosh(x), mpfr_cosh(r, X, RN), 4)                                                                             \
  F(tanh, tanh(x), mpfr_tanh(r, X, RN), 5)                                                                             \
  F(asinh, asinh(x), mpfr_asinh(r, X, RN), 4)                                                                          \
  F(acosh, acosh(x), mpfr_acosh(r, X, RN), 4)                                                                          \
  F(atanh, atanh(x), mpfr_atanh(r, X, RN), 5)                                                                          \
  F(erf, erf(x), mpfr_erf(r, X, RN), 16)                                                                               \
  F(erfc, erfc(x), mpfr_erfc(r, X, RN), 16)                                                                            \
  F(tgamma, tgamma(x), mpfr_gamma(r, X, RN), 16)                                                                       \
  F(lgamma, lgamma(x), (mpfr_lgamma(r, &sign, X, RN)), 16)                                                             \
  F(logb, logb(x), logb_of(r, x), 0.5)                                                                                 \
  F(rint, rint(x), mpfr_rint(r, X, RN), 0.5)                                                                           \
  F(round, round(x), mpfr_round(r, X), 0.5)                                                                            \
  F(floor, floor(x), mpfr_floor(r, X), 0.5)                                                                            \
  F(ceil, ceil(x), mpfr_ceil(r, X), 0.5)                                                                               \
  F(trunc, trunc(x), mpfr_trunc(r, X), 0.5)
#define FUNCTIONS2(F)                                                                                                  \
  F(pow, pow(x, y), mpfr_pow(r, X, Y, RN), 16)                                                                         \
  F(atan2, atan2(x, y), mpfr_atan2(r, X, Y, RN), 6)                                                                    \
  F(hypot, hypot(x, y), mpfr_hypot(r, X, Y, RN), 4)                                                                    \
  F(fmod, fmod(x, y), mpfr_fmod(r, X, Y, RN), 0.5)                                                                     \
  F(remainder, remainder(x, y), mpfr_remainder(r, X, Y, RN), 0.5)                                                      \
  F(remquo, rest_of(x, y), mpfr_remainder(r, X, Y, RN), 0.5)                                                           \
  F(remquo quotient, quotient_of(x, y), quotient(r, X, Y), 0.5)                                                        \
  F(fdim, fdim(x, y), mpfr_dim(r, X, Y, RN), 0.5)                                                                      \
  F(ldexp, ldexp(x, whole(y)), (mpfr_set(r, X, RN), mpfr_mul_2si(r, r, whole(y), RN)), 0.5)                            \
  F(scalbn, scalbn(x, whole(y)), (mpfr_set(r, X, RN), mpfr_mul_2si(r, r, whole(y), RN)), 0.5)                          \
  F(mul, x *y, mpfr_mul(r, X, Y, RN), 0.5)                                                                             \
  F(div, x / y, mpfr_div(r, X, Y, RN), 0.5)

template <class T> __host__ __device__ static int whole(T y) {
  return y != y ? 0 : y > T(5000) ? 5000 : y < T(-5000) ? -5000 : (int)y;
}
template <class T> __device__ static T rest_of(T x, T y) {
  int q;
  return remquo(x, y, &q);
}
/* Three bits and the sign; nothing is said of it where there is no rest. */
template <class T> __device__ static T quotient_of(T x, T y) {
  int q = 0;
  const T rest = remquo(x, y, &q);
  return rest != rest ? rest : T(q < 0 ? -(-q & 7) : q & 7);
}
static void quotient(mpfr_ptr r, mpfr_ptr x, mpfr_ptr y) {
  long q = 0;
  mpfr_remquo(r, &q, x, y, RN);
  if (!mpfr_nan_p(r)) mpfr_set_si(r, q < 0 ? -(-q & 7) : q & 7, RN);
}
static void logb_of(mpfr_ptr r, double x) {
  mpfr_set_d(r, logb(x), RN);
}
/* Of pi x, whose whole turns are taken off first; a zero has the sign of x, where it is a sine. */
static void turned(mpfr_ptr r, double x, int (*of)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
  const double part = fmod(x, 2);
  number pi;
  mpfr_const_pi(pi, RN);
  mpfr_mul_d(r, pi, part, RN);
  of(r, r, RN);
  if (of == mpfr_sin && fmod(x, 1) == 0) mpfr_set_d(r, copysign(0, x), RN);
  if (of == mpfr_cos && fabs(fmod(x, 1)) == 0.5) mpfr_set_d(r, 0, RN);
}

template <class T> __global__ void evaluate(int which, int n, const T *xs, const T *ys, T *results) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T x = xs[i], y = ys[i];
  T r = 0;
  int k = 0;
#define F(NAME, EXPRESSION, ...)                                                                                       \
  if (which == k++) r = EXPRESSION;
  FUNCTIONS1(F)
  FUNCTIONS2(F)
#undef F
  results[i] = r;
}

static const struct function {
  const char *name;
  int arguments;
  void (*exact)(mpfr_ptr r, double x, double y);
  double granted;
} table[] = {
#define ROW(NAME, ARGUMENTS, TRUTH, GRANTED)                                                                           \
  {#NAME, ARGUMENTS,                                                                                                   \
   [](mpfr_ptr r, double x, double y) {                                                                                \
     number X(x), Y(y);                                                                                                \
     int sign;                                                                                                         \
     (void)sign;                                                                                                       \
     TRUTH;                                                                                                            \
   },                                                                                                                  \
   GRANTED},
#define F(NAME, EXPRESSION, TRUTH, GRANTED) ROW(NAME, 1, TRUTH, GRANTED)
    FUNCTIONS1(F)
#undef F
#define F(NAME, EXPRESSION, TRUTH, GRANTED) ROW(NAME, 2, TRUTH, GRANTED)
        FUNCTIONS2(F)
#undef F
};

template <class T> static std::vector<T> borders() {
  typedef std::numeric_limits<T> in;
  const T least = in::denorm_min(), normal = in::min(), e = in::epsilon();
  std::vector<T> v = {0, least, 3 * least, normal / 1024, normal / 2, normal - least, normal, normal + least,
                      normal / e, T(1e-20), T(1e-5), T(0.25), T(0.5), 1 - e / 2, 1, 1 + e, T(1.5), 2, T(2.5), 3, 10,
                      T(33.5), T(35.5), T(36.5), T(87.4), T(88.5), T(88.75), T(89.5), T(100.5), T(103.5), T(104.5),
                      T(126.5), 128, T(149.5), 151, T(170.5), T(172.5), T(185.5), T(512.5), T(709.5), T(710), T(735.5),
                      T(746), T(1022.5), T(1074.5), 1076, T(1e5) + T(0.5), 1 / e - T(0.5), 1 / e, 2 / e + 2, T(1e10),
                      T(1e30), 1 / normal, in::max() / 2, in::max(), in::infinity(), in::quiet_NaN()};
  for (size_t k = v.size(); k-- > 0;) v.push_back(-v[k]);
  return v;
}

/* A NaN, an infinity, a zero: just that, with its sign; else as near as is granted. */
template <class T> static bool right(mpfr_ptr exact, T got, double granted) {
  if (mpfr_nan_p(exact)) return got != got;
  const T nearest = sizeof(T) == 4 ? (T)mpfr_get_flt(exact, RN) : (T)mpfr_get_d(exact, RN);
  if (got == nearest) return got != 0 || std::signbit(got) == std::signbit(nearest);
  if (granted <= 0.5 || got != got || mpfr_inf_p(exact) || mpfr_zero_p(exact)) return false;
  if (std::signbit(got) != std::signbit(nearest)) return false;
  if (std::isinf(got)) return fabs(nearest) > std::numeric_limits<T>::max() / T(1.000001);
  return distance(exact, got, false) <= granted;
}

template <class T> static int judge(size_t which, T *there, const std::vector<T> &x, const std::vector<T> &y) {
  const function &f = table[which];
  const int n = (int)x.size();
  std::vector<T> r(x.size());
  int wrong = 0;
  OK(cudaMemcpy(there, x.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(there + n, y.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  evaluate<T><<<(n + 127) / 128, 128>>>((int)which, n, there, there + n, there + 2 * n);
  OK(cudaGetLastError());
  OK(cudaMemcpy(r.data(), there + 2 * n, n * sizeof(T), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    number exact;
    f.exact(exact, (double)x[i], (double)y[i]);
    if (right(exact, r[i], f.granted)) continue;
    if (wrong++ < 6)
      printf("%s(%.9g, %.9g) is %.9g, not %.9g\n", f.name, (double)x[i], (double)y[i], (double)r[i],
             mpfr_get_d(exact, RN));
  }
  if (wrong) printf("%s: %d of %d are wrong\n", f.name, wrong, n);
  return wrong;
}

template <class T> static int judge_all() {
  const std::vector<T> v = borders<T>();
  const size_t n = v.size();
  std::vector<T> x, y;
  T *there;
  int wrong = 0;
  for (size_t k = 0; k < n * n; k++) x.push_back(v[k % n]), y.push_back(v[k / n]);
  OK(cudaMalloc(&there, 3 * n * n * sizeof(T)));
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    wrong += table[k].arguments == 1 ? judge<T>(k, there, v, v) : judge<T>(k, there, x, y);
  OK(cudaFree(there));
  if (!wrong) printf("all borders\n");
  return wrong ? 3 : 0;
}

int main(int count, char **words) {
  return count > 1 && strcmp(words[1], "f") == 0 ? judge_all<float>() : judge_all<double>();
}
