/* SPDX-License-Identifier: Apache-2.0
 * Kernels: what stands in <<<>>>, and launches. */
#include "firmware/host/cuda/internal.h"

#include <heddle/explain.h>
#include <heddle/host.h>

/* Between <<<>>> and the stub of the kernel; each thread's own. Arguments may hold launches of their own. */
struct configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
enum { CONFIGURATIONS_MAX = 16 };
static _Thread_local struct configuration pushed[CONFIGURATIONS_MAX];
static _Thread_local unsigned depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  if (depth == CONFIGURATIONS_MAX) { /* the stub is not called */
    cuda_enter();
    cuda_say("a launch among the arguments of %d others, one in the other: it is left out", CONFIGURATIONS_MAX);
    return (unsigned)cuda_leave(cudaErrorLaunchOutOfResources);
  }
  pushed[depth++] = (struct configuration){grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, cudaStream_t *stream) {
  if (depth == 0) return cudaErrorMissingConfiguration;
  const struct configuration *c = &pushed[--depth];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  *stream = c->stream;
  return cudaSuccess;
}

/* It waits in the device's queue, if there is one, but behind a kernel that may have printed: that is shown first, and
 * its buffer begins again. So at most the latest image prints. */
cudaError_t cuda_start(struct heddle_function *f, struct cuda_image *image, dim3 grid, dim3 block, void **arguments,
                       size_t shared) {
  struct heddle_function_info info = {.name = "kernel"};
  char name[400];
  if (shared > UINT32_MAX) return cudaErrorInvalidValue;
  (void)heddle_function_describe(f, &info);
  if (info.params > 0 && !arguments) return cudaErrorInvalidValue;
  cudaError_t e = cuda.running && cuda_prints(cuda.running) ? cuda_finish() : cudaSuccess;
  if (e == cudaSuccess) e = cuda_send_shared();
  if (e != cudaSuccess) return e;
  e = cuda_from_queue(heddle_function_launch(f, (struct heddle_size){grid.x, grid.y, grid.z},
                                             (struct heddle_size){block.x, block.y, block.z}, (uint32_t)shared,
                                             arguments),
                      heddle_name_text(info.name, name, sizeof name));
  /* A block that is possible, and not what the kernel promises: so do the drivers of CUDA call it. */
  const uint32_t sizes[2][3] = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}};
  const bool possible = heddle_host_check_shape(sizes[0], sizes[1]) == HEDDLE_REFUSE_NONE;
  if (e == cudaErrorInvalidConfiguration && possible) e = cudaErrorInvalidValue;
  if (e != cudaSuccess) return e;
  cuda.launches++;
  cuda_date_events();
  if (image->runs) return e;
  image->runs = true;
  image->behind = cuda.running;
  cuda.running = image;
  return e;
}

/* All blocks of a grid that cooperates must be there at once: they wait for each other. */
cudaError_t cuda_fits_at_once(const struct heddle_function *f, dim3 grid, dim3 block, size_t shared) {
  struct heddle_function_info info;
  const cudaError_t e = cuda_from_driver(heddle_function_describe(f, &info), "a kernel");
  if (e != cudaSuccess) return e;
  const uint64_t room =
      cuda_blocks_of(&info, (uint64_t)block.x * block.y * block.z, shared) * cuda_attribute(HEDDLE_ATTRIBUTE_SMS);
  return (uint64_t)grid.x * grid.y <= room && (uint64_t)grid.x * grid.y * grid.z <= room
             ? cudaSuccess
             : cudaErrorCooperativeLaunchTooLarge;
}

static cudaError_t launch_configured(const void *kernel, const struct configuration *c, void **arguments,
                                     bool cooperative) {
  struct heddle_function *f;
  struct cuda_image *image;
  if (!cuda_is_stream(c->stream)) return cudaErrorInvalidResourceHandle;
  cudaError_t e = cuda_ready();
  if (e == cudaSuccess) e = cuda_kernel(kernel, &f, &image);
  if (e == cudaSuccess && cooperative) e = cuda_fits_at_once(f, c->grid, c->block, c->shared);
  return e == cudaSuccess ? cuda_start(f, image, c->grid, c->block, arguments, c->shared) : e;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream) {
  cuda_enter();
  return cuda_leave(launch_configured(kernel, &(struct configuration){grid, block, shared, stream}, arguments, false));
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                        cudaStream_t stream) {
  cuda_enter();
  return cuda_leave(launch_configured(kernel, &(struct configuration){grid, block, shared, stream}, arguments, true));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *kernel, void **arguments) {
  bool cooperative = false;
  cuda_enter();
  if (!c || (c->numAttrs > 0 && !c->attrs)) return cuda_leave(cudaErrorInvalidValue);
  for (unsigned i = 0; i < c->numAttrs; i++) {
    if (c->attrs[i].id == cudaLaunchAttributeIgnore) continue;
    if (c->attrs[i].id != cudaLaunchAttributeCooperative) return cuda_leave(cudaErrorNotSupported);
    cooperative = c->attrs[i].val.cooperative != 0;
  }
  const struct configuration how = {c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream};
  return cuda_leave(launch_configured(kernel, &how, arguments, cooperative));
}
