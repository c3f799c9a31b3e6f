/* SPDX-License-Identifier: Apache-2.0
 * Functions of numbers where formats end: each of `borders` and its negative, of functions of several numbers each with
 * each. The true value is MPFR's; infinities, NaN and the sign of a zero are judged, too, and results below the least
 * normal number are as near as others. Exit status 3 if one is not. usage: borders f|d|fd [BORDERS.PTX] [ulp]
 * With a file those of OpenCL C, which borders.cl has compiled to; with `ulp` a line for each function: the greatest
 * error found. */
#include <cuda.h>

#include <cfloat>
#include <climits>
#include <cstring>
#include <limits>
#include <vector>

#include "borders.h"
#include "check.h"
#include "numbers.h"

/* ---- what the device is asked: whole numbers, second results ---- */

template <class T> __host__ __device__ static int large(T y) {
  return y != y ? 0 : y >= T(2147483647) ? INT_MAX : y <= T(-2147483647 - 1) ? INT_MIN : (int)y;
}
template <class T> __host__ __device__ static int whole(T y) {
  const int n = large(y);
  return n > 5000 ? 5000 : n < -5000 ? -5000 : n;
}
template <class T> __device__ static T pown(T x, int n) {
  return pow(x, n);
}
template <class T> __device__ static T sine_of(T x) {
  T s, c;
  sincos(x, &s, &c);
  return s;
}
template <class T> __device__ static T cosine_of(T x) {
  T s, c;
  sincos(x, &s, &c);
  return c;
}
/* ilogb's words for zero and NaN become those of logb. */
template <class T> __device__ static T exponent_of(T x) {
  const int e = ilogb(x);
  if (x != x) return e == INT_MIN ? x : T(0);
  if (x == 0) return e == INT_MIN ? T(-INFINITY) : T(0);
  return e == INT_MAX && isinf(x) ? fabs(x) : T(e);
}
template <class T> __device__ static T fraction_of(T x) {
  int e;
  return frexp(x, &e);
}
template <class T> __device__ static T power_of(T x) {
  int e;
  frexp(x, &e);
  return isinf(x) || isnan(x) ? T(0) : T(e);
}
template <class T> __device__ static T part_of(T x) {
  T whole;
  return modf(x, &whole);
}
template <class T> __device__ static T rounded_of(T x) {
  T whole;
  modf(x, &whole);
  return whole;
}
template <class T> __device__ static T rest_of(T x, T y) {
  int q;
  return remquo(x, y, &q);
}
/* Seven bits and the sign; nothing is said of it where there is no rest. */
template <class T> __device__ static T quotient_of(T x, T y) {
  int q = 0;
  const T rest = remquo(x, y, &q);
  return rest != rest ? rest : T(q < 0 ? -(-q & 127) : q & 127);
}

template <class T> __global__ void evaluate(int first, int n, const T *xs, const T *ys, const T *zs, T *results) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, which = first + blockIdx.y;
  if (i >= n) return;
  const T x = xs[i], y = ys[i], z = zs[i];
  T r = 0;
  int k = 0;
#define F(NAME, EXPRESSION, ...)                                                                                       \
  if (which == k++) r = EXPRESSION;
  FUNCTIONS(F, F, F)
#undef F
  results[blockIdx.y * n + i] = r;
}

/* ---- the truth, where MPFR has it by no name ---- */

static void unsigned_zero(mpfr_ptr r) {
  if (mpfr_zero_p(r)) mpfr_set_zero(r, 1);
}
static void quotient(mpfr_ptr r, mpfr_ptr x, mpfr_ptr y) {
  long q = 0;
  mpfr_remquo(r, &q, x, y, RN);
  if (!mpfr_nan_p(r)) mpfr_set_si(r, q < 0 ? -(-q & 127) : q & 127, RN);
}
static void logb_of(mpfr_ptr r, double x) {
  mpfr_set_d(r, logb(x), RN);
}
static void frexp_of(mpfr_ptr r, double x, bool exponent) {
  int e = 0;
  const double part = frexp(x, &e);
  mpfr_set_d(r, exponent ? (std::isfinite(x) ? e : 0) : part, RN);
}
static void copysign_of(mpfr_ptr r, double x, double y) {
  mpfr_set_d(r, copysign(x, y), RN);
  if (x != x) mpfr_set_nan(r);
}
template <class T> static void nextafter_of(mpfr_ptr r, T x, T y) {
  mpfr_set_d(r, (double)std::nextafter(x, y), RN);
}
static void scaled(mpfr_ptr r, mpfr_ptr x, int n) {
  mpfr_set(r, x, RN);
  mpfr_mul_2si(r, r, n, RN);
}
/* So long that nothing is rounded here. */
static void fma_of(mpfr_ptr r, mpfr_ptr x, mpfr_ptr y, mpfr_ptr z) {
  mpfr_set_prec(r, 5000);
  mpfr_fma(r, x, y, z, RN);
}
/* Of OpenCL C. */
template <class T> static void fract(mpfr_ptr r, T x) {
  const T part = std::isinf(x) ? std::copysign(T(0), x) : x - std::floor(x);
  mpfr_set_d(r, x == 0 ? x : part >= 1 ? std::nextafter(T(1), T(0)) : part, RN);
}
template <class T> static void lgamma_sign(mpfr_ptr r, mpfr_ptr x) {
  int sign = 0;
  mpfr_lgamma(r, &sign, x, RN);
  if (!mpfr_nan_p(r)) mpfr_set_si(r, mpfr_cmp_d(r, std::numeric_limits<T>::max()) > 0 ? 0 : sign, RN);
}
static void sign_of(mpfr_ptr r, double x) {
  mpfr_set_d(r, x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0, RN);
}
static void half_turns(mpfr_ptr r, double x, bool to_degrees) {
  mpfr_const_pi(r, RN);
  mpfr_div_ui(r, r, 180, RN);
  if (to_degrees) mpfr_ui_div(r, 1, r, RN);
  mpfr_mul_d(r, r, x, RN);
}
static void powr_of(mpfr_ptr r, double x, double y) {
  number X(x), Y(y);
  mpfr_powr(r, X, Y, RN);
  if (y != y) mpfr_set_nan(r);
}
static void rootn_of(mpfr_ptr r, mpfr_ptr x, int n) {
  mpfr_rootn_si(r, x, n, RN);
}
/* The one that is farther from 0, or nearer; of equal ones fmax or fmin. */
static void of_magnitude(mpfr_ptr r, double x, double y, int side) {
  const double a = side * fabs(x), b = side * fabs(y);
  mpfr_set_d(r, (a > b ? x : b > a ? y : side > 0 ? fmax(x, y) : fmin(x, y)) + 0, RN);
}

struct function {
  const char *name;
  int arguments;
  void (*exact)(mpfr_ptr r, double x, double y, double z);
  double granted;
};
template <class T> static const std::vector<function> &functions() {
#define ROW(NAME, ARGUMENTS, TRUTH, GRANTED)                                                                           \
  {#NAME, ARGUMENTS,                                                                                                   \
   [](mpfr_ptr r, double x, double y, double z) {                                                                      \
     number X(x), Y(y), Z(z);                                                                                          \
     int sign;                                                                                                         \
     (void)sign;                                                                                                       \
     TRUTH;                                                                                                            \
   },                                                                                                                  \
   GRANTED},
#define ROW1(NAME, EXPRESSION, TRUTH, GRANTED) ROW(NAME, 1, TRUTH, GRANTED)
#define ROW2(NAME, EXPRESSION, TRUTH, GRANTED) ROW(NAME, 2, TRUTH, GRANTED)
#define ROW3(NAME, EXPRESSION, TRUTH, GRANTED) ROW(NAME, 3, TRUTH, GRANTED)
  static const std::vector<function> table = {FUNCTIONS(ROW1, ROW2, ROW3) FUNCTIONS_OF_OPENCL(ROW1, ROW2, ROW3)};
  return table;
}
/* How many of them CUDA C has. */
#define ONE(...) +1
constexpr size_t common = 0 FUNCTIONS(ONE, ONE, ONE);

template <class T> static std::vector<T> borders() {
  typedef std::numeric_limits<T> in;
  const T least = in::denorm_min(), normal = in::min(), e = in::epsilon();
  std::vector<T> v = {0, least, 3 * least, normal / 1024, normal / 2, normal - least, normal, normal + least,
                      normal / e, T(1e-20), T(1e-5), T(0.25), T(0.5), 1 - e / 2, 1, 1 + e, T(1.5), T(M_PI_2), 2, T(2.5), 3, T(2 * M_PI), 10,
                      T(33.5), T(35.5), T(36.5), T(87.4), T(88.5), T(88.75), T(89.5), T(100.5), T(103.5), T(104.5),
                      T(126.5), 128, T(149.5), 151, T(170.5), T(172.5), T(185.5), 355, T(512.5), T(709.5), T(710), T(735.5),
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

/* Kernels of OpenCL C, for numbers and for vectors of two; none: those of CUDA C above. */
struct kernels {
  CUfunction one, two;
};

/* So many functions from the first on, at n places each. */
template <class T> static void run(const kernels *of, bool pairs, int first, unsigned functions, int n, T *at) {
  T *x = at, *y = at + n, *z = y + n, *results = z + n;
  int items = pairs ? n / 2 : n;
  void *words[] = {&first, &items, &x, &y, &z, &results};
  const dim3 blocks((unsigned)(items + 127) / 128, functions);
  if (!of) {
    evaluate<T><<<blocks, 128>>>(first, n, x, y, z, results);
    OK(cudaGetLastError());
    return;
  }
  const CUfunction f = pairs ? of->two : of->one;
  SAY(cuLaunchKernel(f, blocks.x, blocks.y, 1, 128, 1, 1, 0, nullptr, words, nullptr) == CUDA_SUCCESS);
}

/* Judges results, of numbers and of vectors; few are shown. Returns how many are wrong. */
template <class T>
static int judge(const function &f, const std::vector<T> *xyz, const T *const *results, int widths, bool ulp) {
  int wrong = 0;
  double worst = 0;
  for (size_t i = 0; i < xyz[0].size(); i++) {
    const double x = (double)xyz[0][i], y = (double)xyz[1][i], z = (double)xyz[2][i];
    number exact;
    f.exact(exact, x, y, z);
    for (int wide = 0; wide < widths; wide++) {
      const T got = results[wide][i];
      if (std::isfinite(got) && mpfr_number_p(exact)) worst = fmax(worst, distance(exact, got, false));
      if (right(exact, got, f.granted) || wrong++ > 5) continue;
      printf("%s(%.9g, %.9g, %.9g)%s is %.9g, not %.9g\n", f.name, x, y, z, wide ? " of two" : "", (double)got,
             mpfr_get_d(exact, RN));
    }
  }
  if (wrong) printf("%s: %d are wrong\n", f.name, wrong);
  if (ulp) printf("%-16s %8.2f of %g ulp\n", f.name, worst, f.granted);
  return wrong;
}

/* Functions FIRST to END, which have the same arguments. */
template <class T>
static int judge_run(const kernels *of, size_t first, size_t end, T *there, const std::vector<T> *xyz, bool ulp) {
  const size_t n = xyz[0].size(), count = end - first;
  const int widths = of ? 2 : 1;
  std::vector<T> results[2];
  int wrong = 0;
  for (size_t k = 0; k < 3; k++) OK(cudaMemcpy(there + k * n, xyz[k].data(), n * sizeof(T), cudaMemcpyHostToDevice));
  for (int wide = 0; wide < widths; wide++) {
    results[wide].resize(count * n);
    run<T>(of, wide, (int)first, (unsigned)count, (int)n, there);
    OK(cudaMemcpy(results[wide].data(), there + 3 * n, count * n * sizeof(T), cudaMemcpyDeviceToHost));
  }
  for (size_t k = 0; k < count; k++) {
    const T *const at[] = {results[0].data() + k * n, results[widths - 1].data() + k * n};
    wrong += judge<T>(functions<T>()[first + k], xyz, at, widths, ulp);
  }
  return wrong;
}

/* Returns how many are wrong. */
template <class T> static int judge_all(const kernels *of, bool ulp) {
  const std::vector<function> &table = functions<T>();
  const std::vector<T> v = borders<T>();
  const size_t n = v.size(), all = of ? table.size() : common;
  const std::vector<T> one[] = {v, v, v};
  std::vector<T> several[3];
  T *there;
  int wrong = 0;
  SAY(n % 2 == 0);
  for (size_t k = 0; k < n * n; k++) {
    several[0].push_back(v[k % n]);
    several[1].push_back(v[k / n]);
    several[2].push_back(v[(5 * (k % n) + 7 * (k / n)) % n]);
  }
  OK(cudaMalloc(&there, (3 + all) * n * n * sizeof(T)));
  for (size_t first = 0, end = 0; first < all; first = end) {
    const bool alone = table[first].arguments == 1;
    while (end < all && (table[end].arguments == 1) == alone) end++;
    wrong += judge_run<T>(of, first, end, there, alone ? one : several, ulp);
  }
  OK(cudaFree(there));
  printf("%s borders of %s\n", wrong ? "not all" : "all", sizeof(T) == 4 ? "float" : "double");
  return wrong;
}

/* Those of float and of double. */
static void load(const char *path, kernels *k) {
  CUmodule module;
  OK(cudaFree(nullptr)); // the context
  SAY(cuModuleLoad(&module, path) == CUDA_SUCCESS);
  SAY(cuModuleGetFunction(&k[0].one, module, "evaluate_f") == CUDA_SUCCESS);
  SAY(cuModuleGetFunction(&k[0].two, module, "evaluate_f2") == CUDA_SUCCESS);
  SAY(cuModuleGetFunction(&k[1].one, module, "evaluate_d") == CUDA_SUCCESS);
  SAY(cuModuleGetFunction(&k[1].two, module, "evaluate_d2") == CUDA_SUCCESS);
}

int main(int count, char **words) {
  const char *types = count > 1 ? words[1] : "";
  const bool ulp = count > 2 && strcmp(words[count - 1], "ulp") == 0;
  const char *path = count - ulp > 2 ? words[2] : nullptr;
  kernels k[2];
  if (path) load(path, k);
  const int f = strchr(types, 'f') ? judge_all<float>(path ? &k[0] : nullptr, ulp) : 0,
            d = strchr(types, 'd') ? judge_all<double>(path ? &k[1] : nullptr, ulp) : 0;
  return f || d ? 3 : 0;
}
