/* SPDX-License-Identifier: Apache-2.0
 * Modules and kernels of the driver API: PTX that a program brings along or makes. */
#include "firmware/host/cuda/driver.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/module_ptx.h>
#include <heddle/program.h>
#include "base/file.h"

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
