/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API: modules and kernels (PTX that a program brings along or makes), memory, streams, events. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/module_ptx.h>
#include <heddle/program.h>
#include "base/file.h"
#include "firmware/host/cuda/driver.h"

struct heddle_cuda_function {
  struct heddle_cuda_function *next;
  struct heddle_cuda_module *module;
  struct heddle_function *function;
};

struct heddle_cuda_module {
  struct heddle_cuda_module *next;
  struct cuda_image image; /* of which the module is loaded */
  struct heddle_cuda_function *functions;
};

static struct heddle_cuda_module *modules; /* with the lock held */

static struct heddle_cuda_module **link_of_module(CUmodule module) {
  for (struct heddle_cuda_module **m = &modules; *m; m = &(*m)->next)
    if (*m == module) return m;
  return NULL;
}

static bool is_function(CUfunction function) {
  for (const struct heddle_cuda_module *m = modules; m; m = m->next)
    for (const struct heddle_cuda_function *f = m->functions; f; f = f->next)
      if (f == function) return true;
  return false;
}

static void drop_module(struct heddle_cuda_module **link) {
  struct heddle_cuda_module *m = *link;
  *link = m->next;
  while (m->functions) {
    struct heddle_cuda_function *f = m->functions;
    m->functions = f->next;
    free(f);
  }
  free(m);
}

void cuda_drop_modules(void) {
  while (modules) drop_module(&modules);
}

static CUresult leave_silently(cudaError_t e) {
  return cuda_result(cuda_leave_silently(e));
}

/* ---- load */

/* The words of a failure, where the caller has room for them. */
static void fill_log(unsigned count, const CUjit_option *options, void **values, const char *words) {
  char *to = NULL;
  size_t bytes = 0;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) to = values[i];
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) bytes = (unsigned)(uintptr_t)values[i];
    if (options[i] == CU_JIT_INFO_LOG_BUFFER && values[i]) *(char *)values[i] = '\0';
  }
  if (to && bytes > 0) snprintf(to, bytes, "%s", words);
}

static cudaError_t load_module(CUmodule *out, const struct cuda_image *from) {
  struct heddle_cuda_module *m = calloc(1, sizeof *m);
  if (!m) return cudaErrorMemoryAllocation;
  cudaError_t e = cuda_settle();
  if (e == cudaSuccess) e = cuda_compile(from, &m->image.module, NULL);
  if (e != cudaSuccess) {
    free(m);
    return e;
  }
  m->image.name = "module";
  m->next = modules;
  *out = modules = m;
  return cudaSuccess;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values) {
  static const char version[] = ".version";
  struct cuda_image from = {.name = "ptx"};
  if (!module || !image || (count > 0 && (!options || !values))) return CUDA_ERROR_INVALID_VALUE;
  CUresult e = cuda_current();
  if (e != CUDA_SUCCESS) return e;
  cuda_take_apart(image, &from);
  if (!from.ptx) from.ptx = image, from.bytes = strlen(image);
  if (from.bytes == 0 || !memmem(from.ptx, from.bytes, version, sizeof version - 1)) return CUDA_ERROR_INVALID_IMAGE;
  cuda_enter();
  const cudaError_t c = load_module(module, &from);
  fill_log(count, options, values, c == cudaErrorInvalidPtx ? heddle_context_message(cuda.context) : "");
  return leave_silently(c);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
  if (!module || !path) return CUDA_ERROR_INVALID_VALUE;
  const CUresult current = cuda_current();
  if (current != CUDA_SUCCESS) return current;
  size_t size;
  enum file_end end;
  char *text = file_read(path, SIZE_MAX, &size, &end);
  const CUresult e = text                     ? cuModuleLoadData(module, text)
                     : end == FILE_NOT_OPENED ? CUDA_ERROR_FILE_NOT_FOUND
                     : end == FILE_NO_MEMORY  ? CUDA_ERROR_OUT_OF_MEMORY
                                              : CUDA_ERROR_INVALID_IMAGE;
  free(text);
  return e;
}

CUresult cuModuleUnload(CUmodule module) {
  const CUresult current = cuda_current();
  if (current != CUDA_SUCCESS) return current;
  cuda_enter();
  struct heddle_cuda_module **link = link_of_module(module);
  if (!link) return leave_silently(cudaErrorInvalidResourceHandle);
  cudaError_t e = cuda_settle();
  if (e == cudaSuccess) e = cuda_from_driver(heddle_module_unload(module->image.module), NULL);
  if (e == cudaSuccess) drop_module(link);
  return leave_silently(e);
}

/* ---- what is in it */

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  if (!function || !name) return CUDA_ERROR_INVALID_VALUE;
  const CUresult current = cuda_current();
  if (current != CUDA_SUCCESS) return current;
  struct heddle_function *found = NULL;
  cuda_enter();
  if (!link_of_module(module)) return leave_silently(cudaErrorInvalidResourceHandle);
  if (heddle_module_function(module->image.module, name, &found) != HEDDLE_SUCCESS)
    return leave_silently(cudaErrorSymbolNotFound);
  struct heddle_cuda_function *f = module->functions;
  while (f && f->function != found) f = f->next;
  if (!f) {
    f = malloc(sizeof *f);
    if (!f) return leave_silently(cudaErrorMemoryAllocation);
    *f = (struct heddle_cuda_function){module->functions, module, found};
    module->functions = f;
  }
  *function = f;
  return leave_silently(cudaSuccess);
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  uint64_t at = 0, size = 0;
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  const CUresult current = cuda_current();
  if (current != CUDA_SUCCESS) return current;
  cuda_enter();
  if (!link_of_module(module)) return leave_silently(cudaErrorInvalidResourceHandle);
  if (heddle_module_global(module->image.module, name, &at, &size) != HEDDLE_SUCCESS)
    return leave_silently(cudaErrorSymbolNotFound);
  if (address) *address = at;
  if (bytes) *bytes = size;
  return leave_silently(cudaSuccess);
}

static cudaError_t describe(CUfunction function, struct heddle_function_info *k) {
  if (!is_function(function)) return cudaErrorInvalidResourceHandle;
  return cuda_from_driver(heddle_function_describe(function->function, k), NULL);
}

static cudaError_t attribute_of(const struct cudaFuncAttributes *a, CUfunction_attribute attribute, int *value) {
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    return *value = a->maxThreadsPerBlock, cudaSuccess;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    return *value = (int)a->sharedSizeBytes, cudaSuccess;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    return *value = (int)a->constSizeBytes, cudaSuccess;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    return *value = (int)a->localSizeBytes, cudaSuccess;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    return *value = a->numRegs, cudaSuccess;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    return *value = a->ptxVersion, cudaSuccess;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    return *value = a->binaryVersion, cudaSuccess;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return *value = a->maxDynamicSharedSizeBytes, cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  struct heddle_function_info k;
  struct cudaFuncAttributes a;
  cuda_enter();
  cudaError_t e = value ? describe(function, &k) : cudaErrorInvalidValue;
  if (e != cudaSuccess) return leave_silently(e);
  cuda_function_attributes(&a, &k);
  return leave_silently(attribute_of(&a, attribute, value));
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  struct heddle_function_info k;
  cuda_enter();
  const cudaError_t e = describe(function, &k);
  return leave_silently(e == cudaSuccess ? cuda_set_attribute(&k, (enum cudaFuncAttribute)attribute, value) : e);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared) {
  struct heddle_function_info k;
  cuda_enter();
  const cudaError_t e = blocks && threads > 0 ? describe(function, &k) : cudaErrorInvalidValue;
  if (e == cudaSuccess) *blocks = (int)cuda_blocks_of(&k, (uint64_t)threads, shared);
  return leave_silently(e);
}

/* ---- launches */

/* The arguments in a buffer that is laid out as the kernel has them: pointers to each. */
static cudaError_t unpack(CUfunction f, void **extra, void ***arguments) {
  const char *buffer = NULL;
  size_t bytes = 0;
  struct heddle_function_info k;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *(const size_t *)extra[1];
    else
      return cudaErrorInvalidValue;
  }
  const struct heddle_program *p = heddle_module_program(f->module->image.module);
  const cudaError_t e = cuda_from_driver(heddle_function_describe(f->function, &k), NULL);
  const struct heddle_kernel *kernel = e == cudaSuccess ? heddle_program_kernel(p, k.name) : NULL;
  if (!kernel || !buffer) return cudaErrorInvalidValue;
  void **all = malloc((kernel->params + 1u) * sizeof *all);
  if (!all) return cudaErrorMemoryAllocation;
  for (uint32_t i = 0; i < kernel->params; i++) {
    const struct heddle_param *q = &kernel->param[i];
    if (q->offset > bytes || q->size > bytes - q->offset) return free(all), cudaErrorInvalidValue;
    all[i] = (void *)(uintptr_t)(buffer + q->offset);
  }
  *arguments = all;
  return cudaSuccess;
}

static CUresult launch_function(CUfunction f, dim3 grid, dim3 block, size_t shared, CUstream stream, void **arguments,
                                void **extra, bool cooperative) {
  void **unpacked = NULL;
  const CUresult current = cuda_current();
  if (current != CUDA_SUCCESS) return current;
  cuda_enter();
  cudaError_t e = is_function(f) && cuda_is_stream(stream) ? cuda_ready() : cudaErrorInvalidResourceHandle;
  if (e == cudaSuccess && arguments && extra) e = cudaErrorInvalidValue;
  if (e == cudaSuccess && extra) e = unpack(f, extra, &unpacked);
  if (e == cudaSuccess && cooperative) e = cuda_fits_at_once(f->function, grid, block, shared);
  if (e == cudaSuccess)
    e = cuda_start(f->function, &f->module->image, grid, block, extra ? unpacked : arguments, shared);
  free(unpacked);
  return leave_silently(e);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **arguments,
                        void **extra) {
  return launch_function(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z}, shared, stream,
                         arguments, extra, false);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void **arguments) {
  return launch_function(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z}, shared, stream,
                         arguments, NULL, true);
}

/* Memory, streams and events are the runtime's, in a context. */

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
