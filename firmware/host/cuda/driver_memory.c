/* SPDX-License-Identifier: Apache-2.0
 * The driver API's memory, streams and events: the runtime's, in a context. */
#include "firmware/host/cuda/driver.h"

/* ---- memory */

/* 0 bytes are an error here. */
CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  void *p = NULL;
  if (!address || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  CUresult e = cuda_current();
  if (e == CUDA_SUCCESS) e = cuda_result(cudaMalloc(&p, bytes));
  if (e == CUDA_SUCCESS) *address = (CUdeviceptr)(uintptr_t)p;
  return e;
}

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element) {
  void *p = NULL;
  if (!address || width == 0 || height == 0 || (element != 4 && element != 8 && element != 16))
    return CUDA_ERROR_INVALID_VALUE;
  CUresult e = cuda_current();
  if (e == CUDA_SUCCESS) e = cuda_result(cudaMallocPitch(&p, pitch, width, height));
  if (e == CUDA_SUCCESS) *address = (CUdeviceptr)(uintptr_t)p;
  return e;
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  void *p = NULL;
  if (!address) return CUDA_ERROR_INVALID_VALUE;
  CUresult e = cuda_current();
  if (e == CUDA_SUCCESS) e = cuda_result(cudaMallocManaged(&p, bytes, flags));
  if (e == CUDA_SUCCESS) *address = (CUdeviceptr)(uintptr_t)p;
  return e;
}

CUresult cuMemAllocHost(void **pointer, size_t bytes) {
  CUDA_IN_CONTEXT(cudaMallocHost(pointer, bytes));
}
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  CUDA_IN_CONTEXT(cudaHostAlloc(pointer, bytes, flags));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *pointer, unsigned flags) {
  void *p = NULL;
  if (!address) return CUDA_ERROR_INVALID_VALUE;
  CUresult e = cuda_current();
  if (e == CUDA_SUCCESS) e = cuda_result(cudaHostGetDevicePointer(&p, pointer, flags));
  if (e == CUDA_SUCCESS) *address = (CUdeviceptr)(uintptr_t)p;
  return e;
}
CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned flags) {
  CUDA_IN_CONTEXT(cudaHostRegister(pointer, bytes, flags));
}
CUresult cuMemHostUnregister(void *pointer) {
  CUDA_IN_CONTEXT(cudaHostUnregister(pointer));
}
CUresult cuMemFree(CUdeviceptr address) {
  CUDA_IN_CONTEXT(cudaFree(cuda_pointer(address)));
}
CUresult cuMemFreeHost(void *pointer) {
  CUDA_IN_CONTEXT(cudaFreeHost(pointer));
}
CUresult cuMemGetInfo(size_t *free, size_t *total) {
  CUDA_IN_CONTEXT(cudaMemGetInfo(free, total));
}

/* ---- copies and fills */

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  CUDA_IN_CONTEXT(cudaMemcpy(cuda_pointer(to), cuda_pointer(from), bytes, cudaMemcpyDefault));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  CUDA_IN_CONTEXT(cudaMemcpy(cuda_pointer(to), from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  CUDA_IN_CONTEXT(cudaMemcpy(to, cuda_pointer(from), bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  CUDA_IN_CONTEXT(cudaMemcpy(cuda_pointer(to), cuda_pointer(from), bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  CUDA_IN_CONTEXT(cudaMemcpyAsync(cuda_pointer(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  CUDA_IN_CONTEXT(cudaMemcpyAsync(to, cuda_pointer(from), bytes, cudaMemcpyDeviceToHost, stream));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  CUDA_IN_CONTEXT(cudaMemcpyAsync(cuda_pointer(to), cuda_pointer(from), bytes, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  CUDA_IN_CONTEXT(cudaMemset(cuda_pointer(to), value, count));
}

static cudaError_t fill_words(CUdeviceptr to, uint32_t value, size_t words) {
  cuda_enter();
  cudaError_t e = to % sizeof value == 0 && words <= SIZE_MAX / sizeof value ? cuda_settle() : cudaErrorInvalidValue;
  const bool twin = e == cudaSuccess && cuda_twin(cuda_pointer(to));
  if (e == cudaSuccess && !twin && words > 0)
    e = cuda_from_driver(heddle_memset32(cuda.context, to, value, words), NULL);
  for (size_t i = 0; twin && e == cudaSuccess && i < words; i++)
    e = cuda_copy(cuda_pointer(to + i * sizeof value), &value, sizeof value, cudaMemcpyHostToDevice);
  return cuda_leave(e);
}

/* A half word at each end, words between. */
static cudaError_t fill_halves(CUdeviceptr to, uint16_t value, size_t count) {
  enum { HALF = sizeof value, WORD = 4 };
  if (to % HALF != 0 || count > SIZE_MAX / HALF) return cudaErrorInvalidValue;
  const size_t first = to % WORD != 0 && count > 0, last = (count - first) % 2, words = (count - first) / 2;
  cudaError_t e = first ? cudaMemcpy(cuda_pointer(to), &value, HALF, cudaMemcpyHostToDevice) : cudaSuccess;
  if (e == cudaSuccess) e = fill_words(to + first * HALF, value * 0x10001u, words);
  if (e == cudaSuccess && last)
    e = cudaMemcpy(cuda_pointer(to + (count - 1) * HALF), &value, HALF, cudaMemcpyHostToDevice);
  return e;
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  CUDA_IN_CONTEXT(fill_halves(to, value, count));
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  CUDA_IN_CONTEXT(fill_words(to, value, count));
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  CUDA_IN_CONTEXT(cudaMemsetAsync(cuda_pointer(to), value, count, stream));
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  CUDA_IN_CONTEXT(cuda_known(stream) ? fill_words(to, value, count) : cudaErrorInvalidResourceHandle);
}

/* ---- streams and events */

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  CUDA_IN_CONTEXT(cudaStreamCreateWithFlags(stream, flags));
}
CUresult cuStreamDestroy(CUstream stream) {
  CUDA_IN_CONTEXT(cudaStreamDestroy(stream));
}
CUresult cuStreamSynchronize(CUstream stream) {
  CUDA_IN_CONTEXT(cudaStreamSynchronize(stream));
}
CUresult cuStreamQuery(CUstream stream) {
  CUDA_IN_CONTEXT(cudaStreamQuery(stream));
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  CUDA_IN_CONTEXT(cudaStreamWaitEvent(stream, event, flags));
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  CUDA_IN_CONTEXT(cudaLaunchHostFunc(stream, function, data));
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
  CUDA_IN_CONTEXT(cudaEventCreateWithFlags(event, flags));
}
CUresult cuEventDestroy(CUevent event) {
  CUDA_IN_CONTEXT(cudaEventDestroy(event));
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  CUDA_IN_CONTEXT(cudaEventRecord(event, stream));
}
CUresult cuEventSynchronize(CUevent event) {
  CUDA_IN_CONTEXT(cudaEventSynchronize(event));
}
CUresult cuEventQuery(CUevent event) {
  CUDA_IN_CONTEXT(cudaEventQuery(event));
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
  CUDA_IN_CONTEXT(cudaEventElapsedTime(milliseconds, from, to));
}
