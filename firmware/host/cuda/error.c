/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors: names, words, and which of the driver's is which; calls that are declared and not there. */
#include "firmware/host/cuda/internal.h"

static const struct {
  cudaError_t error;
  const char *name, *words;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorCudartUnloading, "cudaErrorCudartUnloading", "driver shutting down"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidHostPointer, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidTexture, "cudaErrorInvalidTexture", "invalid texture reference"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver", "driver version is insufficient for runtime version"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable", "device busy or unavailable"},
    {cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration", "launch without a configuration"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no device can be opened"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidKernelImage, "cudaErrorInvalidKernelImage", "not an image of heddle-nvcc"},
    {cudaErrorDeviceUninitialized, "cudaErrorDeviceUninitialized", "invalid device context"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "the device lacks a unit that the kernel needs"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error"},
    {cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit", "limit is not supported"},
    {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {cudaErrorInvalidPtx, "cudaErrorInvalidPtx", "the kernel's PTX cannot be compiled"},
    {cudaErrorInvalidSource, "cudaErrorInvalidSource", "device kernel image is invalid"},
    {cudaErrorFileNotFound, "cudaErrorFileNotFound", "file not found"},
    {cudaErrorOperatingSystem, "cudaErrorOperatingSystem", "OS call failed"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorSymbolNotFound, "cudaErrorSymbolNotFound", "named symbol not found"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the kernel does not go on"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {cudaErrorSetOnActiveProcess, "cudaErrorSetOnActiveProcess", "cannot be set while the device is active"},
    {cudaErrorContextIsDestroyed, "cudaErrorContextIsDestroyed", "context is destroyed"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the memory is already registered"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered", "the memory is not registered"},
    {cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorInvalidAddressSpace, "cudaErrorInvalidAddressSpace", "operation not supported on this address space"},
    {cudaErrorInvalidPc, "cudaErrorInvalidPc", "invalid program counter"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in a cooperative launch"},
    {cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorSystemNotReady, "cudaErrorSystemNotReady", "system not yet initialized"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when a stream is capturing"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

const char *cudaGetErrorName(cudaError_t error) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].error == error) return errors[i].name;
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].error == error) return errors[i].words;
  return "unrecognized error code";
}

/* By the numbers of causes (isa/doc/05-barriers-traps.md). */
static cudaError_t from_trap(void) {
  enum { ILLEGAL = 1, BAD_PC, MISALIGNED, OUT_OF_RANGE, WRITE_PROTECTED, CONST_RANGE, PAGE_FAULT = 12 };
  struct heddle_trap_info t;
  if (heddle_trap_last(cuda.context, &t) != HEDDLE_SUCCESS) return cudaErrorLaunchFailure;
  switch (t.cause) {
  case ILLEGAL:
    return cudaErrorIllegalInstruction;
  case BAD_PC:
    return cudaErrorInvalidPc;
  case MISALIGNED:
    return cudaErrorMisalignedAddress;
  case OUT_OF_RANGE:
  case WRITE_PROTECTED:
  case CONST_RANGE:
  case PAGE_FAULT:
    return cudaErrorIllegalAddress;
  default:
    return cudaErrorLaunchFailure;
  }
}

static cudaError_t from_error(enum heddle_error e) {
  switch (e) {
  case HEDDLE_SUCCESS:
    return cudaSuccess;
  case HEDDLE_ERROR_INVALID_VALUE:
  case HEDDLE_ERROR_INVALID_ADDRESS:
    return cudaErrorInvalidValue;
  case HEDDLE_ERROR_HOST_MEMORY:
  case HEDDLE_ERROR_OUT_OF_MEMORY:
  case HEDDLE_ERROR_TOO_FRAGMENTED:
    return cudaErrorMemoryAllocation;
  case HEDDLE_ERROR_INVALID_IMAGE:
    return cudaErrorInvalidPtx;
  case HEDDLE_ERROR_LAUNCH_SHAPE:
    return cudaErrorInvalidConfiguration;
  case HEDDLE_ERROR_LAUNCH_LIMITS:
  case HEDDLE_ERROR_REFUSED:
    return cudaErrorLaunchOutOfResources;
  case HEDDLE_ERROR_NOT_SUPPORTED:
    return cudaErrorNoKernelImageForDevice;
  case HEDDLE_ERROR_LIMIT:
  case HEDDLE_ERROR_TIMEOUT:
    return cudaErrorLaunchTimeout;
  case HEDDLE_ERROR_TRAPPED:
    return from_trap();
  case HEDDLE_ERROR_UNDEFINED:
  case HEDDLE_ERROR_DIFFERENCE:
    return cudaErrorLaunchFailure;
  default:
    return cudaErrorUnknown;
  }
}

cudaError_t cuda_from_driver(enum heddle_error e, const char *what) {
  if (e == HEDDLE_SUCCESS) return cudaSuccess;
  const cudaError_t c = from_error(e);
  if (what && cuda.context) cuda_say("%s: %s: %s", what, heddle_error_text(e), heddle_context_message(cuda.context));
  return c;
}

/* ---- what cuda_refused.h declares */

/* Nothing is done with any of them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
// NOLINTBEGIN(misc-unused-parameters)

/* Nothing of it can have been made: to free none is no error. */
static cudaError_t freed(const void *what, const char *name) {
  return what ? cuda_refused(name) : cudaSuccess;
}

/* ---- arrays */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width, size_t height,
                            unsigned flags) {
  return cuda_refused(__func__);
}
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                              unsigned flags) {
  return cuda_refused(__func__);
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent extent, unsigned levels, unsigned flags) {
  return cuda_refused(__func__);
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_t array, unsigned number) {
  return cuda_refused(__func__);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return freed(array, __func__);
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return freed(array, __func__);
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  return cuda_refused(__func__);
}
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  return cuda_refused(__func__);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
  return cuda_refused(__func__);
}
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind) {
  return cuda_refused(__func__);
}

/* ---- textures and surfaces */

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view) {
  return cuda_refused(__func__);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return cuda_refused(__func__);
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource) {
  return cuda_refused(__func__);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return cuda_refused(__func__);
}

/* ---- graphs */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  return cuda_refused(__func__);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  return cuda_refused(__func__);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  if (!status) return cudaErrorInvalidValue;
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
  return cuda_refused(__func__);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, cudaGraphNode_t *node, char *log,
                                 size_t bytes) {
  return cuda_refused(__func__);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  return cuda_refused(__func__);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  return cuda_refused(__func__);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return cuda_refused(__func__);
}

/* ---- memory of several processes, pools */

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
  return cuda_refused(__func__);
}
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return cuda_refused(__func__);
}
cudaError_t cudaIpcCloseMemHandle(void *pointer) {
  return cuda_refused(__func__);
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  return cuda_refused(__func__);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  return cuda_refused(__func__);
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return cuda_refused(__func__);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cuda_refused(__func__);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
  return cuda_refused(__func__);
}
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cuda_refused(__func__);
}
// NOLINTEND(misc-unused-parameters)
