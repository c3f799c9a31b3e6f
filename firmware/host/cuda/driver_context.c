/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API's errors, device and contexts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "firmware/host/cuda/driver.h"

/* ---- errors: the runtime's numbers, but where the runtime alone has one */

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

/* ---- the device, and contexts. There is one context behind all handles. */

struct heddle_cuda_context {
  struct heddle_cuda_context *next;
};

enum { DEPTH = 32 };
static bool initialised;
static struct heddle_cuda_context primary, *contexts; /* those of cuCtxCreate; with the lock held */
static _Thread_local struct heddle_cuda_context *stack[DEPTH];
static _Thread_local unsigned depth;

static struct heddle_cuda_context **link_of_context(CUcontext context) {
  for (struct heddle_cuda_context **c = &contexts; *c; c = &(*c)->next)
    if (*c == context) return c;
  return NULL;
}

static bool is_context(CUcontext c) {
  return c == &primary || (c && link_of_context(c));
}

/* The primary one is current to threads of a program that uses the runtime, too. */
static CUcontext current(void) {
  if (depth > 0) return stack[depth - 1];
  return cuda.context ? &primary : NULL;
}

CUresult cuda_current(void) {
  cuda_enter();
  const CUcontext c = current();
  const CUresult e = !initialised && !cuda.context ? CUDA_ERROR_NOT_INITIALIZED
                     : !c                          ? CUDA_ERROR_INVALID_CONTEXT
                     : !is_context(c)              ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                                   : CUDA_SUCCESS;
  (void)cuda_leave_silently(cudaSuccess);
  return e;
}

/* The board is opened, and no context: a program that uses the runtime beside this has one already. */
CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  cuda_enter();
  const bool had = cuda.context != NULL;
  CUresult e = cuda_result(cuda_leave_silently(cuda_ready()));
  if (e == CUDA_SUCCESS && !had) e = cuda_result(cudaDeviceReset());
  initialised = initialised || e == CUDA_SUCCESS;
  return e;
}

CUresult cuDriverGetVersion(int *version) {
  return cuda_result(cudaDriverGetVersion(version));
}

/* ---- the device */

static CUresult of_device(const void *out, CUdevice device) {
  if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetCount(int *count) {
  const CUresult e = of_device(count, 0);
  return e == CUDA_SUCCESS ? cuda_result(cudaGetDeviceCount(count)) : e;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  const CUresult e = of_device(device, ordinal);
  if (e == CUDA_SUCCESS) *device = ordinal;
  return e;
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
  const CUresult e = of_device(name, device);
  if (e != CUDA_SUCCESS || bytes <= 0) return e != CUDA_SUCCESS ? e : CUDA_ERROR_INVALID_VALUE;
  cuda_enter();
  snprintf(name, (size_t)bytes, "%s", heddle_device_name(cuda.device));
  (void)cuda_leave_silently(cudaSuccess);
  return CUDA_SUCCESS;
}

/* Of the configuration: two boards of the same have the same. */
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  const CUresult e = of_device(uuid, device);
  if (e != CUDA_SUCCESS) return e;
  cuda_enter();
  const uint64_t hash[2] = {cuda_attribute(HEDDLE_ATTRIBUTE_CONFIG_HASH), cuda_attribute(HEDDLE_ATTRIBUTE_ISA_HASH)};
  memcpy(uuid->bytes, hash, sizeof hash);
  (void)cuda_leave_silently(cudaSuccess);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  const CUresult e = of_device(value, device);
  return e == CUDA_SUCCESS ? cuda_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device)) : e;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  const CUresult e = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return e == CUDA_SUCCESS ? cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) : e;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  const CUresult e = of_device(bytes, device);
  if (e != CUDA_SUCCESS) return e;
  cuda_enter();
  *bytes = cuda_attribute(HEDDLE_ATTRIBUTE_MEMORY_BYTES);
  (void)cuda_leave_silently(cudaSuccess);
  return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  const CUresult e = of_device(can, device);
  return e == CUDA_SUCCESS ? cuda_result(cudaDeviceCanAccessPeer(can, device, peer)) : e;
}

/* ---- contexts */

static CUresult push_context(CUcontext c) {
  if (depth == DEPTH) {
    cuda_say("a stack of %d contexts takes no more: cuCtxPopCurrent", DEPTH);
    return CUDA_ERROR_INVALID_VALUE;
  }
  stack[depth++] = c;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CUresult e = of_device(context, device);
  if (e == CUDA_SUCCESS) e = cuda_result(cudaSetDevice(device));
  if (e == CUDA_SUCCESS) *context = &primary;
  return e;
}

/* What it holds goes at the end, or when it is reset. */
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return of_device(&device, device);
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  const CUresult e = of_device(&device, device);
  return e == CUDA_SUCCESS ? cuda_result(cudaDeviceReset()) : e;
}

CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  CUresult e = of_device(context, device);
  if (e != CUDA_SUCCESS || flags > 0x1f) return e != CUDA_SUCCESS ? e : CUDA_ERROR_INVALID_VALUE;
  cuda_enter();
  e = cuda_result(cuda_ready());
  struct heddle_cuda_context *c = e == CUDA_SUCCESS ? calloc(1, sizeof *c) : NULL;
  if (e == CUDA_SUCCESS) e = c ? push_context(c) : CUDA_ERROR_OUT_OF_MEMORY;
  if (e == CUDA_SUCCESS) {
    c->next = contexts;
    *context = contexts = c;
  } else {
    free(c);
  }
  (void)cuda_leave_silently(cudaSuccess);
  return e;
}

CUresult cuCtxDestroy(CUcontext context) {
  cuda_enter();
  struct heddle_cuda_context **link = context ? link_of_context(context) : NULL;
  if (link) {
    *link = context->next;
    if (depth > 0 && stack[depth - 1] == context) depth--;
    free(context);
  }
  const bool last = link && !contexts;
  (void)cuda_leave_silently(cudaSuccess);
  if (!link) return CUDA_ERROR_INVALID_CONTEXT;
  return last ? cuda_result(cudaDeviceReset()) : CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
  cuda_enter();
  const CUresult e = is_context(context) ? push_context(context) : CUDA_ERROR_INVALID_CONTEXT;
  (void)cuda_leave_silently(cudaSuccess);
  return e;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
  if (depth == 0) return CUDA_ERROR_INVALID_CONTEXT;
  depth--;
  if (context) *context = stack[depth];
  return CUDA_SUCCESS;
}

/* Instead of the one on top; NULL: none. */
CUresult cuCtxSetCurrent(CUcontext context) {
  if (depth > 0) depth--;
  return context ? cuCtxPushCurrent(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  cuda_enter();
  *context = current();
  (void)cuda_leave_silently(cudaSuccess);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  CUDA_IN_CONTEXT(cudaGetDevice(device));
}

CUresult cuCtxSynchronize(void) {
  CUDA_IN_CONTEXT(cudaDeviceSynchronize());
}

__attribute__((destructor)) static void forget(void) {
  while (contexts) {
    struct heddle_cuda_context *c = contexts;
    contexts = c->next;
    free(c);
  }
}
