/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that blackscholes.cl and its twin in C share: C and OpenCL C. */
#ifndef HEDDLE_BLACKSCHOLES_H
#define HEDDLE_BLACKSCHOLES_H

/* exp x = 2^n exp r, n = round(x log2 e), r = x - n ln 2, |r| <= 0.35: Taylor, its last term below 2^-25 */
#define BS_LOG2_E 0x1.715476p+0f
#define BS_LN2_HIGH 0x1.62e400p-1f /* 9 bits fewer than a float has: n times it is exact */
#define BS_LN2_LOW 0x1.7f7d1cp-20f
#define BS_EXP2 0.5f
#define BS_EXP3 (1.0f / 6)
#define BS_EXP4 (1.0f / 24)
#define BS_EXP5 (1.0f / 120)
#define BS_EXP6 (1.0f / 720)
#define BS_EXP7 (1.0f / 5040)

/* log x = n ln 2 + 2 atanh s, s = (m - 1) / (m + 1), x = 2^n m, m within root 2 of 1 */
#define BS_LOG3 (2.0f / 3)
#define BS_LOG5 (2.0f / 5)
#define BS_LOG7 (2.0f / 7)
#define BS_LOG9 (2.0f / 9)

/* Abramowitz and Stegun 26.2.17: the tail of the normal distribution, error below 7.5e-8 */
#define BS_CND_P 0.2316419f
#define BS_CND1 0.319381530f
#define BS_CND2 (-0.356563782f)
#define BS_CND3 1.781477937f
#define BS_CND4 (-1.821255978f)
#define BS_CND5 1.330274429f
#define BS_ROOT_2PI 0.39894228040143267794f /* 1 / sqrt(2 pi) */

#endif
