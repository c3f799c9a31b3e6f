/* SPDX-License-Identifier: Apache-2.0
 * Shared by the files of the driver API. Its calls are the runtime's where both have one. */
#ifndef HEDDLE_CUDA_DRIVER_API_H
#define HEDDLE_CUDA_DRIVER_API_H

#include "firmware/host/cuda/include/cuda.h"
#include "firmware/host/cuda/internal.h"

/* Takes a lock of its own: success where cuInit was called and a context is current. */
CUresult cuda_current(void);
CUresult cuda_result(cudaError_t e);

static inline void *cuda_pointer(CUdeviceptr address) {
  return (void *)(uintptr_t)address;
}

/* A call of the runtime, in a context. */
#define CUDA_IN_CONTEXT(call)                                                                                          \
  do {                                                                                                                 \
    const CUresult current_ = cuda_current();                                                                          \
    return current_ == CUDA_SUCCESS ? cuda_result(call) : current_;                                                    \
  } while (0)

#endif
