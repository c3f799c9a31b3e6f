/* SPDX-License-Identifier: Apache-2.0
 * Two halfwords or four bytes in a word (__vadd2, __vadd4 …), and the functions of dynamic programming (__vimax3_s32
 * …). A lane is W bits wide; what is said of a lane holds for all, since no carry goes from one to the next. */
#ifndef HEDDLE_CUDA_SIMD_H
#define HEDDLE_CUDA_SIMD_H

/* The lowest and the highest bit of each lane; all bits of a lane with its highest in M, which has no others. */
template <int W> constexpr unsigned __heddle_low = W == 16 ? 0x00010001u : 0x01010101u;
template <int W> constexpr unsigned __heddle_high = __heddle_low<W> << (W - 1);
template <int W> __HEDDLE_MAKE unsigned __heddle_fill(unsigned m) {
  return m | (m - (m >> (W - 1)));
}
template <int W> __HEDDLE_MAKE unsigned __heddle_negative(unsigned a) {
  return __heddle_fill<W>(a & __heddle_high<W>);
}
__HEDDLE_MAKE unsigned __heddle_choose(unsigned mask, unsigned a, unsigned b) {
  return (a & mask) | (b & ~mask);
}

/* ---- sums and differences; of those that saturate the carry or the overflow is in the highest bit */

template <int W> __HEDDLE_MAKE unsigned __heddle_vadd(unsigned a, unsigned b) {
  const unsigned h = __heddle_high<W>;
  return ((a & ~h) + (b & ~h)) ^ ((a ^ b) & h);
}
template <int W> __HEDDLE_MAKE unsigned __heddle_vsub(unsigned a, unsigned b) {
  const unsigned h = __heddle_high<W>;
  return ((a | h) - (b & ~h)) ^ ((a ^ ~b) & h);
}
/* The limit on the side of a. */
template <int W> __HEDDLE_MAKE unsigned __heddle_limit(unsigned overflow, unsigned a, unsigned result) {
  const unsigned h = __heddle_high<W>;
  return __heddle_choose(__heddle_fill<W>(overflow & h), __heddle_negative<W>(a) ^ ~h, result);
}
template <int W> __HEDDLE_MAKE unsigned __heddle_vaddss(unsigned a, unsigned b) {
  const unsigned s = __heddle_vadd<W>(a, b);
  return __heddle_limit<W>(~(a ^ b) & (a ^ s), a, s);
}
template <int W> __HEDDLE_MAKE unsigned __heddle_vsubss(unsigned a, unsigned b) {
  const unsigned d = __heddle_vsub<W>(a, b);
  return __heddle_limit<W>((a ^ b) & (a ^ d), a, d);
}
template <int W> __HEDDLE_MAKE unsigned __heddle_vaddus(unsigned a, unsigned b) {
  const unsigned s = __heddle_vadd<W>(a, b);
  return s | __heddle_negative<W>((a & b) | ((a | b) & ~s));
}
/* All bits where a < b, which is where a - b borrows; of signed lanes, with the highest bit turned over. */
template <int W> __HEDDLE_MAKE unsigned __heddle_vcmpltu(unsigned a, unsigned b) {
  return __heddle_negative<W>((~a & b) | (~(a ^ b) & __heddle_vsub<W>(a, b)));
}
template <int W> __HEDDLE_MAKE unsigned __heddle_vcmplts(unsigned a, unsigned b) {
  return __heddle_vcmpltu<W>(a ^ __heddle_high<W>, b ^ __heddle_high<W>);
}
template <int W> __HEDDLE_MAKE unsigned __heddle_vcmpne(unsigned a, unsigned b) {
  const unsigned x = a ^ b, h = __heddle_high<W>;
  return __heddle_negative<W>(((x & ~h) + ~h) | x);
}
/* Negative where MASK is set. */
template <int W> __HEDDLE_MAKE unsigned __heddle_turn(unsigned a, unsigned mask) {
  return (a ^ mask) + (mask & __heddle_low<W>);
}
template <int W> __HEDDLE_MAKE unsigned __heddle_vabs(unsigned a) {
  return __heddle_turn<W>(a, __heddle_negative<W>(a));
}
/* (a + b) / 2, downwards. */
template <int W> __HEDDLE_MAKE unsigned __heddle_vhaddu(unsigned a, unsigned b) {
  return (a & b) + (((a ^ b) >> 1) & ~__heddle_high<W>);
}
/* Away from zero. */
template <int W> __HEDDLE_MAKE unsigned __heddle_vavgs(unsigned a, unsigned b) {
  const unsigned h = __heddle_high<W>, down = __heddle_vhaddu<W>(a ^ h, b ^ h) ^ h;
  return down + ((a ^ b) & ~(down >> (W - 1)) & __heddle_low<W>);
}
template <int W> __HEDDLE_MAKE unsigned __heddle_total(unsigned a) {
  if (W == 8) a = (a & 0x00ff00ff) + (a >> 8 & 0x00ff00ff);
  return (a & 0xffff) + (a >> 16);
}

/* Both widths of a name: EXPRESSION by W. */
#define __HEDDLE_LANES1(NAME, EXPRESSION)                                                                              \
  template <int W> __heddle_fn unsigned __heddle_of_##NAME(unsigned a) {                                               \
    return EXPRESSION;                                                                                                 \
  }                                                                                                                    \
  __heddle_fn unsigned NAME##2(unsigned a) {                                                                           \
    return __heddle_of_##NAME<16>(a);                                                                                  \
  }                                                                                                                    \
  __heddle_fn unsigned NAME##4(unsigned a) {                                                                           \
    return __heddle_of_##NAME<8>(a);                                                                                   \
  }
#define __HEDDLE_LANES2(NAME, EXPRESSION)                                                                              \
  template <int W> __heddle_fn unsigned __heddle_of_##NAME(unsigned a, unsigned b) {                                   \
    return EXPRESSION;                                                                                                 \
  }                                                                                                                    \
  __heddle_fn unsigned NAME##2(unsigned a, unsigned b) {                                                               \
    return __heddle_of_##NAME<16>(a, b);                                                                               \
  }                                                                                                                    \
  __heddle_fn unsigned NAME##4(unsigned a, unsigned b) {                                                               \
    return __heddle_of_##NAME<8>(a, b);                                                                                \
  }
__HEDDLE_LANES1(__vabs, __heddle_vabs<W>(a))
__HEDDLE_LANES1(__vabsss, __heddle_vabs<W>(a) - ((__heddle_vabs<W>(a) >> (W - 1)) & __heddle_low<W>))
__HEDDLE_LANES1(__vneg, __heddle_vsub<W>(0, a))
__HEDDLE_LANES1(__vnegss, __heddle_vsubss<W>(0, a))
__HEDDLE_LANES2(__vadd, __heddle_vadd<W>(a, b))
__HEDDLE_LANES2(__vaddss, __heddle_vaddss<W>(a, b))
__HEDDLE_LANES2(__vaddus, __heddle_vaddus<W>(a, b))
__HEDDLE_LANES2(__vsub, __heddle_vsub<W>(a, b))
__HEDDLE_LANES2(__vsubss, __heddle_vsubss<W>(a, b))
__HEDDLE_LANES2(__vsubus, __heddle_vsub<W>(a, b) & ~__heddle_vcmpltu<W>(a, b))
__HEDDLE_LANES2(__vabsdiffs, __heddle_turn<W>(__heddle_vsub<W>(a, b), __heddle_vcmplts<W>(a, b)))
__HEDDLE_LANES2(__vabsdiffu, __heddle_turn<W>(__heddle_vsub<W>(a, b), __heddle_vcmpltu<W>(a, b)))
__HEDDLE_LANES2(__vsads, __heddle_total<W>(__heddle_of___vabsdiffs<W>(a, b)))
__HEDDLE_LANES2(__vsadu, __heddle_total<W>(__heddle_of___vabsdiffu<W>(a, b)))
__HEDDLE_LANES2(__vhaddu, __heddle_vhaddu<W>(a, b))
__HEDDLE_LANES2(__vavgu, (a | b) - (((a ^ b) >> 1) & ~__heddle_high<W>))
__HEDDLE_LANES2(__vavgs, __heddle_vavgs<W>(a, b))
__HEDDLE_LANES2(__vmaxs, __heddle_choose(__heddle_vcmplts<W>(a, b), b, a))
__HEDDLE_LANES2(__vmaxu, __heddle_choose(__heddle_vcmpltu<W>(a, b), b, a))
__HEDDLE_LANES2(__vmins, __heddle_choose(__heddle_vcmplts<W>(a, b), a, b))
__HEDDLE_LANES2(__vminu, __heddle_choose(__heddle_vcmpltu<W>(a, b), a, b))
/* All bits of a lane, and one. */
#define __HEDDLE_COMPARISON(HOW, EXPRESSION)                                                                           \
  __HEDDLE_LANES2(__vcmp##HOW, EXPRESSION)                                                                             \
  __HEDDLE_LANES2(__vset##HOW, __heddle_of___vcmp##HOW<W>(a, b) & __heddle_low<W>)
__HEDDLE_COMPARISON(eq, ~__heddle_vcmpne<W>(a, b))
__HEDDLE_COMPARISON(ne, __heddle_vcmpne<W>(a, b))
__HEDDLE_COMPARISON(lts, __heddle_vcmplts<W>(a, b))
__HEDDLE_COMPARISON(ltu, __heddle_vcmpltu<W>(a, b))
__HEDDLE_COMPARISON(gts, __heddle_vcmplts<W>(b, a))
__HEDDLE_COMPARISON(gtu, __heddle_vcmpltu<W>(b, a))
__HEDDLE_COMPARISON(ges, ~__heddle_vcmplts<W>(a, b))
__HEDDLE_COMPARISON(geu, ~__heddle_vcmpltu<W>(a, b))
__HEDDLE_COMPARISON(les, ~__heddle_vcmplts<W>(b, a))
__HEDDLE_COMPARISON(leu, ~__heddle_vcmpltu<W>(b, a))

/* ---- dynamic programming, of hosts too: a lesser or greater one of two or three, of a sum, never below zero */

__HEDDLE_MAKE unsigned __heddle_vabove(unsigned a) {
  return a & ~__heddle_negative<16>(a);
}
__HEDDLE_MAKE int __heddle_above(int a) {
  return a < 0 ? 0 : a;
}
/* The lesser or equal of two, a; and its choice. NAME: min or max, FIRST: all bits where a is it. */
#define __HEDDLE_BEST(NAME, KIND, TYPE, ADD, FIRST)                                                                    \
  __HEDDLE_MAKE TYPE __heddle_##NAME##_##KIND(TYPE a, TYPE b) {                                                        \
    const unsigned first = FIRST;                                                                                      \
    return (TYPE)__heddle_choose(first, (unsigned)a, (unsigned)b);                                                     \
  }                                                                                                                    \
  __HEDDLE_MAKE TYPE __vi##NAME##3_##KIND(TYPE a, TYPE b, TYPE c) {                                                    \
    return __heddle_##NAME##_##KIND(__heddle_##NAME##_##KIND(a, b), c);                                                \
  }                                                                                                                    \
  __HEDDLE_MAKE TYPE __viadd##NAME##_##KIND(TYPE a, TYPE b, TYPE c) {                                                  \
    return __heddle_##NAME##_##KIND((TYPE)ADD, c);                                                                     \
  }
#define __HEDDLE_BEST_ABOVE(NAME, KIND, TYPE, ABOVE)                                                                   \
  __HEDDLE_MAKE TYPE __vi##NAME##_##KIND##_relu(TYPE a, TYPE b) {                                                      \
    return ABOVE(__heddle_##NAME##_##KIND(a, b));                                                                      \
  }                                                                                                                    \
  __HEDDLE_MAKE TYPE __vi##NAME##3_##KIND##_relu(TYPE a, TYPE b, TYPE c) {                                             \
    return ABOVE(__vi##NAME##3_##KIND(a, b, c));                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE TYPE __viadd##NAME##_##KIND##_relu(TYPE a, TYPE b, TYPE c) {                                           \
    return ABOVE(__viadd##NAME##_##KIND(a, b, c));                                                                     \
  }
#define __HEDDLE_BEST_WORD(NAME, KIND, TYPE, ORDER)                                                                    \
  __HEDDLE_BEST(NAME, KIND, TYPE, ((unsigned)a + (unsigned)b), a ORDER b ? ~0u : 0)                                    \
  __HEDDLE_MAKE TYPE __vib##NAME##_##KIND(TYPE a, TYPE b, bool *first) {                                               \
    *first = a ORDER b;                                                                                                \
    return *first ? a : b;                                                                                             \
  }
#define __HEDDLE_BEST_PAIR(NAME, KIND, FIRST)                                                                          \
  __HEDDLE_BEST(NAME, KIND, unsigned, __heddle_vadd<16>(a, b), FIRST)                                                  \
  __HEDDLE_MAKE unsigned __vib##NAME##_##KIND(unsigned a, unsigned b, bool *first_high, bool *first_low) {             \
    const unsigned first = FIRST;                                                                                      \
    *first_high = first >> 31;                                                                                         \
    *first_low = first & 1;                                                                                            \
    return __heddle_choose(first, a, b);                                                                               \
  }
__HEDDLE_BEST_WORD(max, s32, int, >=)
__HEDDLE_BEST_WORD(min, s32, int, <=)
__HEDDLE_BEST_WORD(max, u32, unsigned, >=)
__HEDDLE_BEST_WORD(min, u32, unsigned, <=)
__HEDDLE_BEST_PAIR(max, s16x2, ~__heddle_vcmplts<16>(a, b))
__HEDDLE_BEST_PAIR(min, s16x2, ~__heddle_vcmplts<16>(b, a))
__HEDDLE_BEST_PAIR(max, u16x2, ~__heddle_vcmpltu<16>(a, b))
__HEDDLE_BEST_PAIR(min, u16x2, ~__heddle_vcmpltu<16>(b, a))
__HEDDLE_BEST_ABOVE(max, s32, int, __heddle_above)
__HEDDLE_BEST_ABOVE(min, s32, int, __heddle_above)
__HEDDLE_BEST_ABOVE(max, s16x2, unsigned, __heddle_vabove)
__HEDDLE_BEST_ABOVE(min, s16x2, unsigned, __heddle_vabove)

#endif
