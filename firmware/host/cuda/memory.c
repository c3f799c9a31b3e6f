/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the device. A pointer of the device is its address there: the board's memory ends far below where a host
 * program lies (heddle-nvcc links it so that it can lie anywhere), which is how cudaMemcpyDefault tells.
 * Copies, fills, variables of programs. */
#include <string.h>
#include <sys/mman.h>
#include "firmware/host/cuda/internal.h"

enum { ROW = 256 };

cudaError_t cuda_allocate(void **pointer, uint64_t bytes) {
  uint64_t at = 0;
  if (!pointer) return cudaErrorInvalidValue;
  cudaError_t e = cuda_ready();
  if (e == cudaSuccess && bytes > 0) e = cuda_from_queue(heddle_mem_alloc(cuda.context, bytes, &at), NULL);
  if (e == cudaSuccess) *pointer = (void *)(uintptr_t)at;
  return e;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  cuda_enter();
  return cuda_leave(cuda_allocate(pointer, bytes));
}

static cudaError_t allocate_rows(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (!pitch || width > SIZE_MAX - ROW) return cudaErrorInvalidValue;
  const size_t row = (width + ROW - 1) / ROW * ROW;
  if (height > 0 && row > SIZE_MAX / height) return cudaErrorMemoryAllocation;
  const cudaError_t e = cuda_allocate(pointer, row * height);
  if (e == cudaSuccess) *pitch = row;
  return e;
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  cuda_enter();
  return cuda_leave(allocate_rows(pointer, pitch, width, height));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent) {
  struct cudaPitchedPtr p = {.xsize = extent.width, .ysize = extent.height};
  cuda_enter();
  if (!pointer) return cuda_leave(cudaErrorInvalidValue);
  if (extent.depth > 0 && extent.height > SIZE_MAX / extent.depth) return cuda_leave(cudaErrorMemoryAllocation);
  const cudaError_t e = allocate_rows(&p.ptr, &p.pitch, extent.width, extent.height * extent.depth);
  if (e == cudaSuccess) *pointer = p;
  return cuda_leave(e);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  cuda_enter();
  return cuda_leave(cuda_is_stream(stream) ? cuda_allocate(pointer, bytes) : cudaErrorInvalidResourceHandle);
}

static cudaError_t cuda_release(void *pointer) {
  const struct cuda_block *b;
  const cudaError_t e = cuda_settle();
  if (e != cudaSuccess || cuda_release_managed(pointer)) return e;
  b = cuda_twin(pointer); /* is freed with its block alone */
  return b ? cudaErrorInvalidValue
           : cuda_from_driver(heddle_mem_free(cuda.context, (uint64_t)(uintptr_t)pointer), NULL);
}

cudaError_t cudaFree(void *pointer) {
  cuda_enter();
  return cuda_leave(cuda_release(pointer));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  cuda_enter();
  return cuda_leave(cuda_is_stream(stream) ? cuda_release(pointer) : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
  uint64_t f = 0, t = 0;
  cuda_enter();
  if (!free_bytes || !total) return cuda_leave(cudaErrorInvalidValue);
  cudaError_t e = cuda_ready();
  if (e == cudaSuccess) e = cuda_from_driver(heddle_mem_info(cuda.context, &f, &t), NULL);
  if (e != cudaSuccess) return cuda_leave(e);
  *free_bytes = f;
  *total = t;
  return cuda_leave(e);
}

/* ---- copies and fills. Each is done when it returns, as a copy from pageable memory may be */

static uint64_t address_of(const void *pointer) {
  return (uint64_t)(uintptr_t)pointer;
}

static bool is_low(const void *pointer) {
  return address_of(pointer) < cuda_attribute(HEDDLE_ATTRIBUTE_MEMORY_BYTES);
}

/* An address that the host has not, among those of the device. */
static bool is_device_only(const void *pointer) {
  enum { PAGE = 4096 };
  unsigned char there;
  return is_low(pointer) && mincore((void *)(uintptr_t)(address_of(pointer) / PAGE * PAGE), 1, &there) != 0;
}

/* Valgrind loads programs low: there an address can be both. Then it is the device's where something is allocated. */
static bool is_device(const void *pointer) {
  char byte;
  return is_low(pointer) && (is_device_only(pointer) || heddle_memcpy_to_host(cuda.context, &byte, address_of(pointer),
                                                                              sizeof byte) == HEDDLE_SUCCESS);
}

/* One end of a copy. What has a twin is copied at home. */
struct end {
  char *at;
  bool on_host;
};

static cudaError_t find_end(const void *pointer, size_t bytes, bool on_host, struct end *out) {
  const struct cuda_block *b = cuda_twin(pointer);
  *out = (struct end){(char *)(uintptr_t)pointer, on_host};
  if (!b) return on_host && is_device_only(pointer) ? cudaErrorInvalidValue : cudaSuccess;
  const uint64_t offset = address_of(pointer) - b->device;
  *out = (struct end){b->host + offset, true};
  return bytes <= b->bytes - offset ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t copy_between(struct end to, struct end from, size_t bytes) {
  enum heddle_error e = HEDDLE_SUCCESS;
  if (to.on_host && from.on_host)
    memmove(to.at, from.at, bytes);
  else if (to.on_host)
    e = heddle_memcpy_to_host(cuda.context, to.at, address_of(from.at), bytes);
  else if (from.on_host)
    e = heddle_memcpy_to_device(cuda.context, address_of(to.at), from.at, bytes);
  else
    e = heddle_memcpy_on_device(cuda.context, address_of(to.at), address_of(from.at), bytes);
  return cuda_from_driver(e, NULL);
}

cudaError_t cuda_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  struct end there, here;
  if (kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  if (!to || !from) return cudaErrorInvalidValue;
  const bool by_address = kind == cudaMemcpyDefault;
  const bool to_host = by_address ? !is_device(to) : kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
  const bool from_host = by_address ? !is_device(from) : kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
  cudaError_t e = find_end(to, bytes, to_host, &there);
  if (e == cudaSuccess) e = find_end(from, bytes, from_host, &here);
  return e == cudaSuccess ? copy_between(there, here, bytes) : e;
}

static cudaError_t cuda_fill(void *to, int value, size_t bytes) {
  struct end there;
  if (bytes == 0) return cudaSuccess;
  const cudaError_t e = find_end(to, bytes, false, &there);
  if (e != cudaSuccess) return e;
  if (!there.on_host)
    return cuda_from_driver(heddle_memset8(cuda.context, address_of(there.at), (uint8_t)value, bytes), NULL);
  memset(there.at, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  cuda_enter();
  const cudaError_t e = cuda_settle();
  return cuda_leave(e == cudaSuccess ? cuda_copy(to, from, bytes, kind) : e);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemcpy(to, from, bytes, kind) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  if (to_device == 0 && from_device == 0) return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
  cuda_enter();
  return cuda_leave(cudaErrorInvalidDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemcpyPeer(to, to_device, from, from_device, bytes) : cudaErrorInvalidResourceHandle;
}

/* ---- rows and slices */

/* One side of rows: where they begin, and how far apart they and slices of them are. */
struct rows {
  const char *at;
  size_t pitch, slice;
};

static cudaError_t copy_rows(const struct rows *to, const struct rows *from, struct cudaExtent e,
                             enum cudaMemcpyKind kind) {
  cudaError_t c = cuda_settle();
  if (c == cudaSuccess && (e.width > to->pitch || e.width > from->pitch) && e.height * e.depth > 1)
    c = cudaErrorInvalidPitchValue;
  for (size_t z = 0; z < e.depth; z++)
    for (size_t y = 0; y < e.height && c == cudaSuccess; y++)
      c = cuda_copy((void *)(uintptr_t)(to->at + z * to->slice + y * to->pitch),
                    from->at + z * from->slice + y * from->pitch, e.width, kind);
  return c;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  cuda_enter();
  return cuda_leave(copy_rows(&(struct rows){to, to_pitch, 0}, &(struct rows){from, from_pitch, 0},
                              (struct cudaExtent){width, height, 1}, kind));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind)
                            : cudaErrorInvalidResourceHandle;
}

static struct rows rows_of_pitched(const struct cudaPitchedPtr *p, const struct cudaPos *at) {
  const size_t slice = p->pitch * p->ysize;
  return (struct rows){(const char *)p->ptr + at->x + at->y * p->pitch + at->z * slice, p->pitch, slice};
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
  if (p && (p->srcArray || p->dstArray)) return cuda_refused("cudaMemcpy3D of an array");
  cuda_enter();
  if (!p || !p->srcPtr.ptr || !p->dstPtr.ptr) return cuda_leave(cudaErrorInvalidValue);
  const struct rows to = rows_of_pitched(&p->dstPtr, &p->dstPos), from = rows_of_pitched(&p->srcPtr, &p->srcPos);
  return cuda_leave(copy_rows(&to, &from, p->extent, p->kind));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemcpy3D(p) : cudaErrorInvalidResourceHandle;
}

/* ---- fills */

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  cuda_enter();
  const cudaError_t e = cuda_settle();
  return cuda_leave(e == cudaSuccess ? cuda_fill(to, value, bytes) : e);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemset(to, value, bytes) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent e) {
  cuda_enter();
  cudaError_t c = cuda_settle();
  if (c == cudaSuccess && e.width > to.pitch && e.height * e.depth > 1) c = cudaErrorInvalidPitchValue;
  for (size_t z = 0; z < e.depth; z++)
    for (size_t y = 0; y < e.height && c == cudaSuccess; y++)
      c = cuda_fill((char *)to.ptr + (z * to.ysize + y) * to.pitch, value, e.width);
  return cuda_leave(c);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent e, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemset3D(to, value, e) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset3D((struct cudaPitchedPtr){to, pitch, width, height}, value, (struct cudaExtent){width, height, 1});
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemset2D(to, pitch, value, width, height) : cudaErrorInvalidResourceHandle;
}

/* ---- variables of programs: copies to and from them */

/* Where bytes of one lie. */
static cudaError_t part_of(const void *symbol, size_t bytes, size_t offset, void **at) {
  uint64_t address = 0, size = 0;
  cudaError_t e = cuda_settle();
  if (e == cudaSuccess) e = cuda_variable(symbol, &address, &size);
  if (e == cudaSuccess && (offset > size || bytes > size - offset)) e = cudaErrorInvalidValue;
  if (e == cudaSuccess) *at = (void *)(uintptr_t)(address + offset);
  return e;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  void *at = NULL;
  cuda_enter();
  const bool fits = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
  cudaError_t e = fits ? part_of(symbol, bytes, offset, &at) : cudaErrorInvalidMemcpyDirection;
  if (e == cudaSuccess) e = cuda_copy(at, from, bytes, kind);
  return cuda_leave(e);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  void *at = NULL;
  cuda_enter();
  const bool fits = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
  cudaError_t e = fits ? part_of(symbol, bytes, offset, &at) : cudaErrorInvalidMemcpyDirection;
  if (e == cudaSuccess) e = cuda_copy(to, at, bytes, kind);
  return cuda_leave(e);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  cuda_enter();
  return cuda_leave(address ? part_of(symbol, 0, 0, address) : cudaErrorInvalidValue);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  uint64_t address = 0, size = 0;
  cuda_enter();
  cudaError_t e = bytes ? cuda_ready() : cudaErrorInvalidValue;
  if (e == cudaSuccess) e = cuda_variable(symbol, &address, &size);
  if (e == cudaSuccess) *bytes = size;
  return cuda_leave(e);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemcpyToSymbol(symbol, from, bytes, offset, kind) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind) : cudaErrorInvalidResourceHandle;
}
