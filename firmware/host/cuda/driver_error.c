/* SPDX-License-Identifier: Apache-2.0
 * Errors of the driver API: the runtime's numbers, but where the runtime alone has one. */
#include "firmware/host/cuda/driver.h"

static const struct {
  CUresult error;
  const char *name;
} names[] = {
#define NAME(e)                                                                                                        \
  { e, #e }
    NAME(CUDA_SUCCESS),
    NAME(CUDA_ERROR_INVALID_VALUE),
    NAME(CUDA_ERROR_OUT_OF_MEMORY),
    NAME(CUDA_ERROR_NOT_INITIALIZED),
    NAME(CUDA_ERROR_DEINITIALIZED),
    NAME(CUDA_ERROR_NO_DEVICE),
    NAME(CUDA_ERROR_INVALID_DEVICE),
    NAME(CUDA_ERROR_INVALID_IMAGE),
    NAME(CUDA_ERROR_INVALID_CONTEXT),
    NAME(CUDA_ERROR_NO_BINARY_FOR_GPU),
    NAME(CUDA_ERROR_UNSUPPORTED_LIMIT),
    NAME(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED),
    NAME(CUDA_ERROR_INVALID_PTX),
    NAME(CUDA_ERROR_INVALID_SOURCE),
    NAME(CUDA_ERROR_FILE_NOT_FOUND),
    NAME(CUDA_ERROR_OPERATING_SYSTEM),
    NAME(CUDA_ERROR_INVALID_HANDLE),
    NAME(CUDA_ERROR_NOT_FOUND),
    NAME(CUDA_ERROR_NOT_READY),
    NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
    NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    NAME(CUDA_ERROR_LAUNCH_TIMEOUT),
    NAME(CUDA_ERROR_CONTEXT_IS_DESTROYED),
    NAME(CUDA_ERROR_ASSERT),
    NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    NAME(CUDA_ERROR_MISALIGNED_ADDRESS),
    NAME(CUDA_ERROR_INVALID_PC),
    NAME(CUDA_ERROR_LAUNCH_FAILED),
    NAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    NAME(CUDA_ERROR_NOT_PERMITTED),
    NAME(CUDA_ERROR_NOT_SUPPORTED),
    NAME(CUDA_ERROR_UNKNOWN),
#undef NAME
};

static const char *name_of_error(CUresult error) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].error == error) return names[i].name;
  return NULL;
}

CUresult cuda_result(cudaError_t e) {
  switch (e) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidMemcpyDirection:
    return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  default:
    return name_of_error((CUresult)e) ? (CUresult)e : CUDA_ERROR_UNKNOWN;
  }
}

CUresult cuGetErrorName(CUresult error, const char **name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  *name = name_of_error(error);
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **words) {
  if (!words) return CUDA_ERROR_INVALID_VALUE;
  *words = name_of_error(error) ? cudaGetErrorString((cudaError_t)error) : NULL;
  return *words ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
