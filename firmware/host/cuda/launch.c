/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels: the images that a host program brings along, what stands in <<<>>>, launches, and what kernels print. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/explain.h>
#include <heddle/host.h>
#include <heddle/module_ptx.h>
#include <heddle/printf.h>
#include "firmware/host/cuda/internal.h"

/* What clang's host code calls before main and at the end. A handle is the image's. */
// NOLINTBEGIN(bugprone-reserved-identifier): the names are clang's
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
                            void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t bytes,
                       int constant, int global);
/* What cuda_runtime.h calls before those: where the section of managed variables lies; each file, the same. */
void __cudaRegisterManaged(const void *from, const void *to);
// NOLINTEND(bugprone-reserved-identifier)

/* ---- what a host program brings along: images of PTX, the names of kernels and variables in them */

/* What clang hands over: where heddle-nvcc's image lies. */
struct wrapper {
  int32_t magic, version;
  const char *image;
  void *unused;
};

/* heddle-nvcc writes it: magic, two numbers in eight bytes each (little end first), name with a zero, PTX. */
#define IMAGE_MAGIC "HEDDLPTX"
enum { WRAPPER_MAGIC = 0x466243b1, NUMBER = 8, HEAD = 24 };

static uint64_t number_of_bytes(const char *p) {
  uint64_t v = 0;
  for (unsigned i = 0; i < NUMBER; i++) v |= (uint64_t)(unsigned char)p[i] << (8 * i);
  return v;
}

void cuda_take_apart(const void *data, struct cuda_image *image) {
  const char *at = data;
  if (strncmp(at, IMAGE_MAGIC, NUMBER) != 0) return;
  image->name = at + HEAD;
  image->ptx = at + HEAD + number_of_bytes(at + NUMBER);
  image->bytes = number_of_bytes(at + 2u * NUMBER);
}

/* An image of another compiler has no PTX: told when something of it is needed. */
static struct cuda_image *image_of(const struct wrapper *w) {
  struct cuda_image *i = calloc(1, sizeof *i);
  if (!i) return NULL;
  i->name = "image";
  if (w && w->magic == WRAPPER_MAGIC && w->image) cuda_take_apart(w->image, i);
  return i;
}

/* Managed variables get their twins. */
static cudaError_t share_variables(struct cuda_image *image) {
  cudaError_t e = cudaSuccess;
  for (struct cuda_entry *v = image->variables; v && e == cudaSuccess; v = v->next) {
    uint64_t at = 0;
    if (!v->managed || v->shared || heddle_module_global(image->module, v->name, &at, NULL) != HEDDLE_SUCCESS) continue;
    e = cuda_share_variable((void *)(uintptr_t)v->host, at, v->bytes);
    v->shared = e == cudaSuccess;
  }
  return e;
}

cudaError_t cuda_compile(const struct cuda_image *image, struct heddle_module **module, const char *what) {
  const struct heddle_ptx_options o = {.size = sizeof o, .level = 1, .heap_bytes = cuda.heap_bytes};
  const enum heddle_error e = heddle_module_load_ptx(cuda.context, image->ptx, image->bytes, image->name, &o, module);
  return cuda_from_driver(e, what);
}

static cudaError_t load_image(struct cuda_image *image) {
  if (image->module) return share_variables(image);
  if (!image->ptx) {
    cuda_say("an image that heddle-nvcc did not make");
    return cudaErrorInvalidKernelImage;
  }
  for (struct cuda_entry *v = image->variables; v; v = v->next) v->shared = false;
  cudaError_t e = cuda_finish();
  if (e == cudaSuccess) e = cuda_fetch_shared();
  if (e == cudaSuccess) e = cuda_compile(image, &image->module, image->name);
  return e == cudaSuccess ? share_variables(image) : e;
}

void **__cudaRegisterFatBinary(void *wrapper) {
  cuda_enter();
  struct cuda_image *image = image_of(wrapper), **end = &cuda.images;
  while (*end) end = &(*end)->next;
  *end = image;
  (void)cuda_leave_silently(cudaSuccess);
  return (void **)image;
}

/* The host may read a managed variable from now on. All else is done when something of the image is needed. */
void __cudaRegisterFatBinaryEnd(void **handle) {
  struct cuda_image *image = (struct cuda_image *)handle;
  if (!image) return;
  cuda_enter();
  bool any = false;
  for (const struct cuda_entry *v = image->variables; v; v = v->next) any |= v->managed;
  (void)cuda_leave_silently(any && cuda_ready() == cudaSuccess ? load_image(image) : cudaSuccess);
}

/* Where the linker has put the managed variables of a program or of a shared library. */
static struct range { const char *from, *to; } * managed;
static unsigned ranges;

void __cudaRegisterManaged(const void *from, const void *to) {
  unsigned i = 0;
  cuda_enter();
  while (i < ranges && managed[i].from != from) i++;
  const bool is_new = from != to && i == ranges;
  struct range *more = is_new ? realloc(managed, (ranges + 1) * sizeof *managed) : NULL;
  if (more) {
    managed = more;
    managed[ranges++] = (struct range){from, to};
  }
  (void)cuda_leave(is_new && !more ? cudaErrorMemoryAllocation : cudaSuccess);
}

static bool is_managed(const char *host) {
  for (unsigned i = 0; i < ranges; i++)
    if (host >= managed[i].from && host < managed[i].to) return true;
  return false;
}

static void free_entries(struct cuda_entry *e) {
  while (e) {
    struct cuda_entry *next = e->next;
    if (e->managed) cuda_forget_variable(e->host);
    free(e);
    e = next;
  }
}

void __cudaUnregisterFatBinary(void **handle) {
  struct cuda_image *image = (struct cuda_image *)handle;
  if (!image) return;
  cuda_enter();
  (void)cuda_finish();
  for (struct cuda_image **i = &cuda.images; *i; i = &(*i)->next)
    if (*i == image) {
      *i = image->next;
      break;
    }
  if (image->module) (void)heddle_module_unload(image->module);
  free_entries(image->kernels);
  free_entries(image->variables);
  free(image);
  if (!cuda.images) {
    free(managed);
    managed = NULL;
    ranges = 0;
  }
  (void)cuda_leave_silently(cudaSuccess);
}

static void add_host_entry(struct cuda_entry **list, const void *host, const char *name, size_t bytes) {
  struct cuda_entry *e = malloc(sizeof *e);
  if (!e) return; /* told as a kernel that nobody registered */
  *e = (struct cuda_entry){.next = *list, .host = host, .name = name, .bytes = bytes, .managed = is_managed(host)};
  *list = e;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
                            void *bid, void *block, void *grid, int *warp) {
  struct cuda_image *image = (struct cuda_image *)handle;
  (void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  if (!image) return;
  cuda_enter();
  add_host_entry(&image->kernels, host, name, 0);
  (void)cuda_leave_silently(cudaSuccess);
}

void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t bytes,
                       int constant, int global) {
  struct cuda_image *image = (struct cuda_image *)handle;
  (void)address, (void)external, (void)constant, (void)global;
  if (!image) return;
  cuda_enter();
  add_host_entry(&image->variables, host, name, bytes);
  (void)cuda_leave_silently(cudaSuccess);
}

/* ---- found by what the host calls it */

static const struct cuda_entry *find_host_entry(bool kernel, const void *host, struct cuda_image **image) {
  for (*image = cuda.images; *image; *image = (*image)->next)
    for (const struct cuda_entry *e = kernel ? (*image)->kernels : (*image)->variables; e; e = e->next)
      if (e->host == host) return e;
  return NULL;
}

cudaError_t cuda_kernel(const void *host, struct heddle_function **out, struct cuda_image **image) {
  const struct cuda_entry *k = find_host_entry(true, host, image);
  if (!k) return cudaErrorInvalidDeviceFunction;
  const cudaError_t e = load_image(*image);
  if (e != cudaSuccess) return e;
  return heddle_module_function((*image)->module, k->name, out) == HEDDLE_SUCCESS ? cudaSuccess
                                                                                  : cudaErrorInvalidDeviceFunction;
}

cudaError_t cuda_variable(const void *host, uint64_t *address, uint64_t *bytes) {
  struct cuda_image *image;
  const struct cuda_entry *v = find_host_entry(false, host, &image);
  if (!v) return cudaErrorInvalidSymbol;
  const cudaError_t e = load_image(image);
  if (e != cudaSuccess) return e;
  return heddle_module_global(image->module, v->name, address, bytes) == HEDDLE_SUCCESS ? cudaSuccess
                                                                                        : cudaErrorInvalidSymbol;
}

/* ---- what kernels print: shown when their grid has ended */

static bool read_device(void *ctx, uint64_t at, void *to, size_t bytes) {
  (void)ctx;
  return heddle_memcpy_to_host(cuda.context, to, at, bytes) == HEDDLE_SUCCESS;
}

static void put_stdout(void *ctx, const char *text, size_t bytes) {
  (void)ctx;
  (void)fwrite(text, 1, bytes, stdout);
}

static bool cuda_prints(const struct cuda_image *image) {
  return heddle_module_global(image->module, HEDDLE_PRINTF_VARIABLE, NULL, NULL) == HEDDLE_SUCCESS;
}

void cuda_show_printed(struct cuda_image *image) {
  enum { HEAD = 16 };
  uint64_t at = 0, bytes = 0;
  uint32_t taken = 0;
  if (heddle_module_global(image->module, HEDDLE_PRINTF_VARIABLE, &at, &bytes) != HEDDLE_SUCCESS ||
      heddle_memcpy_to_host(cuda.context, &taken, at, sizeof taken) != HEDDLE_SUCCESS || taken == 0)
    return;
  const size_t used = bytes - HEAD < taken ? bytes : HEAD + taken; /* the rest is zeros */
  uint8_t *copy = malloc(used);
  if (!copy || heddle_memcpy_to_host(cuda.context, copy, at, used) != HEDDLE_SUCCESS) return free(copy);
  const struct heddle_printf h = {
      .size = sizeof h, .program = heddle_module_program(image->module), .read = read_device, .put = put_stdout};
  const struct heddle_printf_totals t = heddle_printf_text(&h, copy, used);
  (void)fflush(stdout);
  if (t.lost > 0) cuda_say("printf: %u of %u messages found no room", t.lost, t.lost + t.messages);
  free(copy);
  (void)heddle_memset8(cuda.context, at, 0, used);
}

/* ---- what stands in <<<>>>, and launches */

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
