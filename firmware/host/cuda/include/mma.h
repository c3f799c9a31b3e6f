/* SPDX-License-Identifier: Apache-2.0
 * Products of small matrices by a warp, nvcuda::wmma, over PTX's wmma: of halves in three shapes with sums of halves
 * or floats; of bfloat16 and of bytes in one. The places of elements in a fragment are unspecified. */
#ifndef HEDDLE_MMA_H
#define HEDDLE_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment;
template <class T, int count> struct heddle_elements {
  typedef T element_type, storage_element_type;
  static constexpr int num_elements = count;
  T x[count];
};
template <class Fragment, class V> __heddle_fn void fill_fragment(Fragment &f, const V &v) {
#pragma unroll
  for (auto &x : f.x) x = (typename Fragment::element_type)v;
}

/* Registers of an instruction by their count, as operands and as its text has them. */
#define __HEDDLE_OUT2(r) "=r"(r[0]), "=r"(r[1])
#define __HEDDLE_OUT4(r) __HEDDLE_OUT2(r), "=r"(r[2]), "=r"(r[3])
#define __HEDDLE_OUT8(r) __HEDDLE_OUT4(r), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
#define __HEDDLE_IN2(r) "r"(r[0]), "r"(r[1])
#define __HEDDLE_IN4(r) __HEDDLE_IN2(r), "r"(r[2]), "r"(r[3])
#define __HEDDLE_IN8(r) __HEDDLE_IN4(r), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
#define __HEDDLE_LOADED2 "{%0, %1}, [%2], %3;"
#define __HEDDLE_LOADED4 "{%0, %1, %2, %3}, [%4], %5;"
#define __HEDDLE_LOADED8 "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
#define __HEDDLE_STORED4 "[%0], {%2, %3, %4, %5}, %1;"
#define __HEDDLE_STORED8 "[%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;"
/* Sums in eight or four registers, factors in eight, four or two. */
#define __HEDDLE_SUM8 "{%0, %1, %2, %3, %4, %5, %6, %7}, "
#define __HEDDLE_MULTIPLIED8_8                                                                                         \
  __HEDDLE_SUM8 "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, "                   \
                "{%24, %25, %26, %27, %28, %29, %30, %31};"
#define __HEDDLE_MULTIPLIED8_4                                                                                         \
  __HEDDLE_SUM8 "{%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"
#define __HEDDLE_MULTIPLIED8_2 __HEDDLE_SUM8 "{%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
#define __HEDDLE_MULTIPLIED4_8                                                                                         \
  "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, "                   \
  "{%20, %21, %22, %23};"

/* A factor: NAME a or b, R registers. */
#define __HEDDLE_LOAD_FACTOR(USE, NAME, M, N, K, T, PTX, R, LAYOUT, L)                                                 \
  __heddle_fn void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT> &f, const T *from, unsigned stride) {            \
    unsigned r[R];                                                                                                     \
    __asm__ volatile("wmma.load." NAME ".sync.aligned." L ".m" #M "n" #N "k" #K "." PTX " " __HEDDLE_LOADED##R         \
                     : __HEDDLE_OUT##R(r)                                                                              \
                     : "l"(from), "r"(stride)                                                                          \
                     : "memory");                                                                                      \
    memcpy(f.x, r, sizeof r);                                                                                          \
  }
#define __HEDDLE_FACTORS(M, N, K, T, PTX, R)                                                                           \
  template <class Layout>                                                                                              \
  struct fragment<matrix_a, M, N, K, T, Layout> : heddle_elements<T, R * 4 / (int)sizeof(T)> {};                       \
  template <class Layout>                                                                                              \
  struct fragment<matrix_b, M, N, K, T, Layout> : heddle_elements<T, R * 4 / (int)sizeof(T)> {};                       \
  __HEDDLE_LOAD_FACTOR(matrix_a, "a", M, N, K, T, PTX, R, row_major, "row")                                            \
  __HEDDLE_LOAD_FACTOR(matrix_a, "a", M, N, K, T, PTX, R, col_major, "col")                                            \
  __HEDDLE_LOAD_FACTOR(matrix_b, "b", M, N, K, T, PTX, R, row_major, "row")                                            \
  __HEDDLE_LOAD_FACTOR(matrix_b, "b", M, N, K, T, PTX, R, col_major, "col")

/* Sums: loaded and stored in a layout that is said there. */
#define __HEDDLE_MOVE_SUM(M, N, K, T, PTX, R, LAYOUT)                                                                  \
  __heddle_fn void heddle_load_##LAYOUT(fragment<accumulator, M, N, K, T> &f, const T *from, unsigned stride) {        \
    unsigned r[R];                                                                                                     \
    __asm__ volatile("wmma.load.c.sync.aligned." #LAYOUT ".m" #M "n" #N "k" #K "." PTX " " __HEDDLE_LOADED##R          \
                     : __HEDDLE_OUT##R(r)                                                                              \
                     : "l"(from), "r"(stride)                                                                          \
                     : "memory");                                                                                      \
    memcpy(f.x, r, sizeof r);                                                                                          \
  }                                                                                                                    \
  __heddle_fn void heddle_store_##LAYOUT(T *to, const fragment<accumulator, M, N, K, T> &f, unsigned stride) {         \
    unsigned r[R];                                                                                                     \
    memcpy(r, f.x, sizeof r);                                                                                          \
    __asm__ volatile("wmma.store.d.sync.aligned." #LAYOUT ".m" #M "n" #N "k" #K "." PTX                                \
                     " " __HEDDLE_STORED##R ::"l"(to),                                                                 \
                     "r"(stride), __HEDDLE_IN##R(r)                                                                    \
                     : "memory");                                                                                      \
  }
#define __HEDDLE_SUMS(M, N, K, T, PTX, R)                                                                              \
  template <> struct fragment<accumulator, M, N, K, T, void> : heddle_elements<T, R * 4 / (int)sizeof(T)> {};          \
  __HEDDLE_MOVE_SUM(M, N, K, T, PTX, R, row)                                                                           \
  __HEDDLE_MOVE_SUM(M, N, K, T, PTX, R, col)                                                                           \
  __heddle_fn void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *from, unsigned stride,              \
                                    layout_t layout) {                                                                 \
    if (layout == mem_row_major)                                                                                       \
      heddle_load_row(f, from, stride);                                                                                \
    else                                                                                                               \
      heddle_load_col(f, from, stride);                                                                                \
  }                                                                                                                    \
  __heddle_fn void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &f, unsigned stride,               \
                                     layout_t layout) {                                                                \
    if (layout == mem_row_major)                                                                                       \
      heddle_store_row(to, f, stride);                                                                                 \
    else                                                                                                               \
      heddle_store_col(to, f, stride);                                                                                 \
  }

/* d = a b + c */
#define __HEDDLE_MULTIPLY(M, N, K, T, R, S, RS, HOW, A, LA, B, LB)                                                     \
  __heddle_fn void mma_sync(fragment<accumulator, M, N, K, S> &d, const fragment<matrix_a, M, N, K, T, A> &a,          \
                            const fragment<matrix_b, M, N, K, T, B> &b, const fragment<accumulator, M, N, K, S> &c) {  \
    unsigned rd[RS], ra[R], rb[R], rc[RS];                                                                             \
    memcpy(ra, a.x, sizeof ra);                                                                                        \
    memcpy(rb, b.x, sizeof rb);                                                                                        \
    memcpy(rc, c.x, sizeof rc);                                                                                        \
    __asm__ volatile("wmma.mma.sync.aligned." LA "." LB ".m" #M "n" #N "k" #K HOW " " __HEDDLE_MULTIPLIED##RS##_##R    \
                     : __HEDDLE_OUT##RS(rd)                                                                            \
                     : __HEDDLE_IN##R(ra), __HEDDLE_IN##R(rb), __HEDDLE_IN##RS(rc));                                   \
    memcpy(d.x, rd, sizeof rd);                                                                                        \
  }
#define __HEDDLE_PRODUCTS(M, N, K, T, R, S, RS, HOW)                                                                   \
  __HEDDLE_MULTIPLY(M, N, K, T, R, S, RS, HOW, row_major, "row", row_major, "row")                                     \
  __HEDDLE_MULTIPLY(M, N, K, T, R, S, RS, HOW, row_major, "row", col_major, "col")                                     \
  __HEDDLE_MULTIPLY(M, N, K, T, R, S, RS, HOW, col_major, "col", row_major, "row")                                     \
  __HEDDLE_MULTIPLY(M, N, K, T, R, S, RS, HOW, col_major, "col", col_major, "col")

#define __HEDDLE_WMMA_HALVES(M, N, K)                                                                                  \
  __HEDDLE_FACTORS(M, N, K, __half, "f16", 8)                                                                          \
  __HEDDLE_SUMS(M, N, K, __half, "f16", 4)                                                                             \
  __HEDDLE_SUMS(M, N, K, float, "f32", 8)                                                                              \
  __HEDDLE_PRODUCTS(M, N, K, __half, 8, __half, 4, ".f16.f16")                                                         \
  __HEDDLE_PRODUCTS(M, N, K, __half, 8, float, 8, ".f32.f32")
__HEDDLE_WMMA_HALVES(16, 16, 16)
__HEDDLE_WMMA_HALVES(32, 8, 16)
__HEDDLE_WMMA_HALVES(8, 32, 16)
__HEDDLE_FACTORS(16, 16, 16, __nv_bfloat16, "bf16", 4)
__HEDDLE_PRODUCTS(16, 16, 16, __nv_bfloat16, 4, float, 8, ".f32.bf16.bf16.f32")
__HEDDLE_SUMS(16, 16, 16, int, "s32", 8)
__HEDDLE_FACTORS(16, 16, 16, signed char, "s8", 2)
__HEDDLE_PRODUCTS(16, 16, 16, signed char, 2, int, 8, ".s32.s8.s8.s32")
__HEDDLE_FACTORS(16, 16, 16, unsigned char, "u8", 2)
__HEDDLE_PRODUCTS(16, 16, 16, unsigned char, 2, int, 8, ".s32.u8.u8.s32")

} // namespace wmma
} // namespace nvcuda

#endif
