/* SPDX-License-Identifier: Apache-2.0
 * Vectors, by CUDA's name for them. */
#include "cuda_vectors.h"
