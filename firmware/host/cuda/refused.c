/* SPDX-License-Identifier: Apache-2.0
 * What cuda_refused.h declares. */
#include "firmware/host/cuda/internal.h"

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
