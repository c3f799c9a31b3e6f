/* SPDX-License-Identifier: Apache-2.0
 * Memory that host and device share. Managed memory of a device with an MMU is the driver's (heddle_mem_alloc_unified).
 * Else there is no such thing in the hardware: a block of the host has a twin on the device. A launch brings all of
 * them there; the first call that waits for the device brings them back. In between managed memory is closed to the
 * host, which else would read and write what is out of date. Managed memory has the device's address in the host, too:
 * the board's memory ends far below where a program lies. */
#include "firmware/host/cuda/internal.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* ... with a twin at its address. */
static bool is_managed(const struct cuda_block *b) {
  return !b->unified && (b->kind == CUDA_BLOCK_MANAGED || b->kind == CUDA_BLOCK_MAPPED);
}

static bool has_twin(const struct cuda_block *b) {
  return b->device != 0 && !b->unified;
}

static size_t pages(size_t bytes) {
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* ---- the list */

static struct cuda_block *block_at(const void *host) {
  for (struct cuda_block *b = cuda.blocks; b; b = b->next)
    if ((const char *)host >= b->host && (size_t)((const char *)host - b->host) < b->bytes) return b;
  return NULL;
}

const struct cuda_block *cuda_twin(const void *pointer) {
  const uint64_t at = (uint64_t)(uintptr_t)pointer;
  for (const struct cuda_block *b = cuda.blocks; b; b = b->next)
    if (b->device != 0 && at >= b->device && at - b->device < b->bytes) return b;
  return NULL;
}

static struct cuda_block *add_block(enum cuda_block_kind kind, void *host, size_t bytes, unsigned flags) {
  struct cuda_block *b = malloc(sizeof *b);
  if (!b) return NULL;
  *b = (struct cuda_block){.next = cuda.blocks, .kind = kind, .host = host, .bytes = bytes, .flags = flags};
  return cuda.blocks = b;
}

/* The twin's memory is freed where there is still a context. */
static void drop_block(struct cuda_block *b, bool with_twin) {
  for (struct cuda_block **link = &cuda.blocks; *link; link = &(*link)->next)
    if (*link == b) {
      *link = b->next;
      break;
    }
  if (with_twin && b->held != 0) (void)heddle_mem_free(cuda.context, b->held);
  if (is_managed(b)) (void)munmap(b->host, pages(b->bytes));
  if (b->kind == CUDA_BLOCK_HOST) free(b->host);
  free(b);
}

void cuda_drop_shared(void) {
  while (cuda.blocks) drop_block(cuda.blocks, false);
  cuda.away = false;
}

/* ---- there and back */

cudaError_t cuda_send_shared(void) {
  cudaError_t e = cudaSuccess;
  if (cuda.away) return e;
  for (struct cuda_block *b = cuda.blocks; b && e == cudaSuccess; b = b->next)
    if (has_twin(b))
      e = cuda_from_driver(heddle_memcpy_to_device(cuda.context, b->device, b->host, b->bytes), "shared memory");
  for (struct cuda_block *b = cuda.blocks; b && e == cudaSuccess; b = b->next)
    if (is_managed(b)) (void)mprotect(b->host, pages(b->bytes), PROT_NONE);
  cuda.away = e == cudaSuccess;
  return e;
}

cudaError_t cuda_fetch_shared(void) {
  cudaError_t e = cudaSuccess;
  if (!cuda.away) return e;
  cuda.away = false;
  for (struct cuda_block *b = cuda.blocks; b; b = b->next) {
    if (!has_twin(b)) continue;
    if (is_managed(b)) (void)mprotect(b->host, pages(b->bytes), PROT_READ | PROT_WRITE);
    if (e == cudaSuccess)
      e = cuda_from_driver(heddle_memcpy_to_host(cuda.context, b->host, b->device, b->bytes), "shared memory");
  }
  return e;
}

/* ---- variables */

cudaError_t cuda_share_variable(void *host, uint64_t device, size_t bytes) {
  struct cuda_block *b = add_block(CUDA_BLOCK_VARIABLE, host, bytes, 0);
  if (!b) return cudaErrorMemoryAllocation;
  b->device = device;
  return cuda_from_driver(heddle_memcpy_to_host(cuda.context, host, device, bytes), "a managed variable");
}

void cuda_forget_variable(const void *host) {
  struct cuda_block *b = block_at(host);
  if (b && b->kind == CUDA_BLOCK_VARIABLE && b->host == host) drop_block(b, false);
}

/* ---- managed memory */

static void *take_unified(void *self, uint64_t bytes) {
  (void)self;
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at != MAP_FAILED ? at : NULL;
}

static void give_unified(void *self, void *at, uint64_t bytes) {
  (void)self;
  (void)munmap(at, bytes);
}

const struct heddle_unified cuda_unified = {.size = sizeof cuda_unified, .take = take_unified, .give = give_unified};

/* More than the device has, too. */
static cudaError_t allocate_unified(void **pointer, size_t bytes, enum cuda_block_kind kind, unsigned flags) {
  uint64_t at = 0;
  void *host = NULL;
  const cudaError_t e = cuda_from_driver(heddle_mem_alloc_unified(cuda.context, bytes, &at, &host), NULL);
  if (e != cudaSuccess) return e;
  struct cuda_block *b = add_block(kind, host, bytes, flags);
  if (!b) {
    (void)heddle_mem_free(cuda.context, at);
    return cudaErrorMemoryAllocation;
  }
  b->unified = true;
  b->held = b->device = at;
  *pointer = host;
  return cudaSuccess;
}

/* Memory of the device whose addresses are free in the host; what lies where they are not is held until one is found.
 */
static cudaError_t take_both(size_t bytes, uint64_t *held, void **at) {
  enum { TRIES = 64, STEP = 1 << 20 };
  uint64_t missed[TRIES];
  unsigned n = 0;
  cudaError_t e = cudaSuccess;
  *at = MAP_FAILED;
  while (n < TRIES) {
    void *where = NULL;
    e = cuda_allocate(&where, pages(bytes) + PAGE);
    if (e != cudaSuccess) break;
    *held = (uint64_t)(uintptr_t)where;
    where = (void *)pages((size_t)*held);
    *at = mmap(where, pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (*at == where) break;
    if (*at != MAP_FAILED) (void)munmap(*at, pages(bytes)); /* an old kernel takes the flag for a wish */
    *at = MAP_FAILED;
    missed[n++] = *held;
    e = cuda_allocate(&where, STEP);
    if (e != cudaSuccess || n == TRIES) break;
    missed[n++] = (uint64_t)(uintptr_t)where;
  }
  if (n == TRIES) cuda_say("the addresses of %d places in the device's memory are taken in the host", TRIES / 2);
  while (n > 0) (void)heddle_mem_free(cuda.context, missed[--n]);
  return *at != MAP_FAILED ? cudaSuccess : e != cudaSuccess ? e : cudaErrorMemoryAllocation;
}

static cudaError_t allocate_managed(void **pointer, size_t bytes, enum cuda_block_kind kind, unsigned flags) {
  uint64_t held = 0;
  void *at;
  cudaError_t e = cuda_settle();
  if (e != cudaSuccess) return e;
  if (cuda_attribute(HEDDLE_ATTRIBUTE_UNITS) & HEDDLE_CAP_UNITS_MMU)
    return allocate_unified(pointer, bytes, kind, flags);
  if (bytes > cuda_attribute(HEDDLE_ATTRIBUTE_MEMORY_BYTES)) return cudaErrorMemoryAllocation;
  e = take_both(bytes, &held, &at);
  if (e != cudaSuccess) return e;
  struct cuda_block *b = add_block(kind, at, bytes, flags);
  if (!b) {
    (void)munmap(at, pages(bytes));
    (void)heddle_mem_free(cuda.context, held);
    return cudaErrorMemoryAllocation;
  }
  b->held = held;
  b->device = (uint64_t)(uintptr_t)at;
  *pointer = at;
  return cudaSuccess;
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  cuda_enter();
  if (!pointer || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return cuda_leave(cudaErrorInvalidValue);
  return cuda_leave(allocate_managed(pointer, bytes, CUDA_BLOCK_MANAGED, flags));
}

bool cuda_release_managed(void *pointer) {
  struct cuda_block *b = block_at(pointer);
  if (!b || b->kind != CUDA_BLOCK_MANAGED || b->host != pointer) return false;
  drop_block(b, true);
  return true;
}

/* Hints about managed memory, which have no effect: there is one place where it can be, or pages come when a kernel
 * asks for them. */
static cudaError_t hint(const void *pointer, size_t bytes, int device) {
  const struct cuda_block *b = block_at(pointer);
  const cudaError_t e = cuda_ready();
  if (e != cudaSuccess) return e;
  if (device != 0 && device != cudaCpuDeviceId) return cudaErrorInvalidDevice;
  const bool is = b && b->kind == CUDA_BLOCK_MANAGED && bytes <= b->bytes - (size_t)((const char *)pointer - b->host);
  return is ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream) {
  cuda_enter();
  return cuda_leave(cuda_is_stream(stream) ? hint(pointer, bytes, device) : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device) {
  cuda_enter();
  const bool is = advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy;
  return cuda_leave(is ? hint(pointer, bytes, device) : cudaErrorInvalidValue);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags) {
  (void)flags;
  cuda_enter();
  return cuda_leave(cuda_is_stream(stream) ? hint(pointer, bytes, 0) : cudaErrorInvalidResourceHandle);
}

/* ---- of the host: no copy goes faster for it */

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  cuda_enter();
  if (!pointer || (flags & ~(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)))
    return cuda_leave(cudaErrorInvalidValue);
  *pointer = NULL;
  if (bytes == 0) return cuda_leave(cudaSuccess);
  if (flags & cudaHostAllocMapped) return cuda_leave(allocate_managed(pointer, bytes, CUDA_BLOCK_MAPPED, flags));
  void *host = malloc(bytes);
  if (!host || !add_block(CUDA_BLOCK_HOST, host, bytes, flags)) {
    free(host);
    return cuda_leave(cudaErrorMemoryAllocation);
  }
  *pointer = host;
  return cuda_leave(cudaSuccess);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

/* What the device may still read is waited for. */
static cudaError_t release_block(void *pointer, bool registered) {
  struct cuda_block *b = block_at(pointer);
  if (!b || b->host != pointer || b->kind >= CUDA_BLOCK_MANAGED || registered != (b->kind == CUDA_BLOCK_REGISTERED))
    return registered ? cudaErrorHostMemoryNotRegistered : cudaErrorInvalidValue;
  const cudaError_t e = b->device != 0 ? cuda_settle() : cudaSuccess;
  drop_block(b, e == cudaSuccess);
  return e;
}

cudaError_t cudaFreeHost(void *pointer) {
  cuda_enter();
  return cuda_leave(pointer ? release_block(pointer, false) : cudaSuccess);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  enum {
    ALL = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly
  };
  cuda_enter();
  if (!pointer || bytes == 0 || (flags & ~(unsigned)ALL)) return cuda_leave(cudaErrorInvalidValue);
  const cudaError_t e = cuda_ready();
  if (e != cudaSuccess) return cuda_leave(e);
  if (block_at(pointer) || block_at((char *)pointer + bytes - 1))
    return cuda_leave(cudaErrorHostMemoryAlreadyRegistered);
  const bool added = add_block(CUDA_BLOCK_REGISTERED, pointer, bytes, flags) != NULL;
  return cuda_leave(added ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *pointer) {
  cuda_enter();
  return cuda_leave(pointer ? release_block(pointer, true) : cudaErrorInvalidValue);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  cuda_enter();
  struct cuda_block *b = block_at(host);
  if (!device || flags != 0 || !b || b->kind >= CUDA_BLOCK_MANAGED) return cuda_leave(cudaErrorInvalidValue);
  cudaError_t e = cuda_settle();
  if (e == cudaSuccess && b->device == 0) {
    void *at = NULL;
    e = cuda_allocate(&at, b->bytes);
    if (e == cudaSuccess) b->held = b->device = (uint64_t)(uintptr_t)at;
  }
  if (e == cudaSuccess) *device = (void *)(uintptr_t)(b->device + (uint64_t)((char *)host - b->host));
  return cuda_leave(e);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  cuda_enter();
  const struct cuda_block *b = block_at(host);
  if (!flags || !b || b->kind >= CUDA_BLOCK_MANAGED) return cuda_leave(cudaErrorInvalidValue);
  *flags = b->flags;
  return cuda_leave(cudaSuccess);
}

static void describe(struct cudaPointerAttributes *out, const struct cuda_block *b, const void *pointer) {
  static const enum cudaMemoryType types[] = {cudaMemoryTypeHost, cudaMemoryTypeHost, cudaMemoryTypeHost,
                                              cudaMemoryTypeManaged, cudaMemoryTypeManaged};
  const bool of_host = block_at(pointer) == b;
  const size_t offset = (size_t)((uint64_t)(uintptr_t)pointer - (of_host ? (uint64_t)(uintptr_t)b->host : b->device));
  *out = (struct cudaPointerAttributes){.type = types[b->kind], .hostPointer = b->host + offset};
  if (b->device != 0) out->devicePointer = (void *)(uintptr_t)(b->device + offset);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *pointer) {
  char byte;
  cuda_enter();
  if (!out) return cuda_leave(cudaErrorInvalidValue);
  const cudaError_t e = cuda_settle();
  if (e != cudaSuccess) return cuda_leave(e);
  const struct cuda_block *b = block_at(pointer);
  if (!b) b = cuda_twin(pointer);
  if (b)
    describe(out, b, pointer);
  else if (heddle_memcpy_to_host(cuda.context, &byte, (uint64_t)(uintptr_t)pointer, 1) == HEDDLE_SUCCESS)
    *out = (struct cudaPointerAttributes){.type = cudaMemoryTypeDevice, .devicePointer = (void *)(uintptr_t)pointer};
  else
    *out = (struct cudaPointerAttributes){.device = cudaInvalidDeviceId};
  return cuda_leave(cudaSuccess);
}
