/* SPDX-License-Identifier: Apache-2.0
 * Random numbers inside of kernels, by cuRAND's names: integers and uniform numbers are those of an H100, bit for bit.
 * Quasirandom numbers, MTGP32 and tables of discrete distributions are not there. */
#ifndef HEDDLE_CURAND_KERNEL_H
#define HEDDLE_CURAND_KERNEL_H

#include <curand/mrg32k3a.h>
#include <curand/philox.h>
#include <curand/poisson.h>
#include <curand/xorwow.h>

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#endif
