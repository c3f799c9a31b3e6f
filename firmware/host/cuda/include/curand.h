/* SPDX-License-Identifier: Apache-2.0
 * cuRAND as a host calls it: types, so that a program compiles which has curand_kernel.h beside it. The functions are
 * not there, and a call of one stops the compilation. */
#ifndef HEDDLE_CURAND_H
#define HEDDLE_CURAND_H

#include "cuda_runtime_api.h"

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;
typedef struct curandGenerator_st *curandGenerator_t;

#define __HEDDLE_NO_GENERATOR(NAME)                                                                                    \
  __attribute__((unavailable("generators of the host are not there: curand_kernel.h has those of kernels")))           \
  curandStatus_t NAME
#ifdef __cplusplus
extern "C" {
#endif
__HEDDLE_NO_GENERATOR(curandCreateGenerator)(curandGenerator_t *generator, curandRngType_t type);
__HEDDLE_NO_GENERATOR(curandCreateGeneratorHost)(curandGenerator_t *generator, curandRngType_t type);
__HEDDLE_NO_GENERATOR(curandDestroyGenerator)(curandGenerator_t generator);
__HEDDLE_NO_GENERATOR(curandSetPseudoRandomGeneratorSeed)(curandGenerator_t generator, unsigned long long seed);
__HEDDLE_NO_GENERATOR(curandSetGeneratorOffset)(curandGenerator_t generator, unsigned long long offset);
__HEDDLE_NO_GENERATOR(curandSetStream)(curandGenerator_t generator, cudaStream_t stream);
__HEDDLE_NO_GENERATOR(curandGenerate)(curandGenerator_t generator, unsigned *to, size_t n);
__HEDDLE_NO_GENERATOR(curandGenerateUniform)(curandGenerator_t generator, float *to, size_t n);
__HEDDLE_NO_GENERATOR(curandGenerateUniformDouble)(curandGenerator_t generator, double *to, size_t n);
__HEDDLE_NO_GENERATOR(curandGenerateNormal)
(curandGenerator_t generator, float *to, size_t n, float mean, float deviation);
__HEDDLE_NO_GENERATOR(curandGenerateNormalDouble)
(curandGenerator_t generator, double *to, size_t n, double mean, double deviation);
#ifdef __cplusplus
}
#endif

#endif
