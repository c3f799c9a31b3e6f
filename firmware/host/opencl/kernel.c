/* SPDX-License-Identifier: Apache-2.0
 * Kernels: made, given arguments, asked. */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>
#include <string.h>

void ocl_arguments_free(struct ocl_argument *a, cl_uint count) {
  for (cl_uint i = 0; a && i < count; i++) {
    free(a[i].value);
    ocl_drop(a[i].mem);
  }
  free(a);
}

void ocl_kernel_gone(cl_kernel k) {
  ocl_arguments_free(k->argument, k->info->arguments);
  k->program->kernels--;
  ocl_drop(k->program);
}

static const struct ocl_kernel_info *find_kernel(const struct ocl_kernels *all, const char *name) {
  for (cl_uint i = 0; i < all->count; i++)
    if (strcmp(all->at[i].name, name) == 0) return &all->at[i];
  return NULL;
}

static cl_kernel create_kernel(cl_program p, const struct ocl_kernel_info *info) {
  cl_kernel k = ocl_new(OCL_KERNEL);
  struct ocl_argument *arguments = calloc(info->arguments + 1, sizeof *arguments);
  if (!k || !arguments) {
    free(arguments);
    return NULL; /* a handle without a program cannot go: it stays */
  }
  k->program = p;
  ocl_hold(p);
  p->kernels++;
  k->info = info;
  k->argument = arguments;
  return k;
}

/* Kernels of the first device that has an executable. */
static cl_int kernels_of(cl_program p, const struct ocl_kernels **all) {
  *all = NULL;
  if (!ocl_is(p, OCL_PROGRAM)) return CL_INVALID_PROGRAM;
  for (cl_uint i = 0; i < p->devices && !*all; i++)
    if (ocl_is_executable(&p->build[i])) *all = &p->build[i].kernels;
  return *all ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
}

cl_kernel clCreateKernel(cl_program p, const char *name, cl_int *error) {
  const struct ocl_kernels *all;
  const struct ocl_kernel_info *info = NULL;
  cl_kernel k = NULL;
  ocl_enter();
  cl_int e = kernels_of(p, &all);
  if (e == CL_SUCCESS && !name) e = CL_INVALID_VALUE;
  if (e == CL_SUCCESS && !(info = find_kernel(all, name))) e = CL_INVALID_KERNEL_NAME;
  if (e == CL_SUCCESS && !(k = create_kernel(p, info))) e = CL_OUT_OF_HOST_MEMORY;
  if (error) *error = e;
  (void)ocl_leave(e);
  return k;
}

cl_int clCreateKernelsInProgram(cl_program p, cl_uint room, cl_kernel *kernels, cl_uint *number) {
  const struct ocl_kernels *all;
  ocl_enter();
  cl_int e = kernels_of(p, &all);
  if (e == CL_SUCCESS && kernels && room < all->count) e = CL_INVALID_VALUE;
  for (cl_uint i = 0; e == CL_SUCCESS && kernels && i < all->count; i++) {
    kernels[i] = create_kernel(p, &all->at[i]);
    if (!kernels[i]) e = CL_OUT_OF_HOST_MEMORY;
  }
  if (e == CL_SUCCESS && number) *number = all->count;
  return ocl_leave(e);
}

static bool copy_argument(struct ocl_argument *to, const struct ocl_argument *from) {
  *to = *from;
  if (from->value) {
    to->value = malloc(from->bytes);
    if (!to->value) return false;
    memcpy(to->value, from->value, from->bytes);
  }
  if (to->mem) ocl_hold(to->mem);
  return true;
}

struct ocl_argument *ocl_arguments_copy(const struct ocl_argument *from, cl_uint count) {
  struct ocl_argument *a = calloc(count + 1, sizeof *a);
  for (cl_uint i = 0; a && i < count; i++)
    if (!copy_argument(&a[i], &from[i])) {
      a[i] = (struct ocl_argument){0};
      ocl_arguments_free(a, count);
      return NULL;
    }
  return a;
}

cl_kernel clCloneKernel(cl_kernel from, cl_int *error) {
  cl_int e = CL_SUCCESS;
  cl_kernel k = NULL;
  ocl_enter();
  if (!ocl_is(from, OCL_KERNEL)) e = CL_INVALID_KERNEL;
  struct ocl_argument *a = e == CL_SUCCESS ? ocl_arguments_copy(from->argument, from->info->arguments) : NULL;
  if (a) k = create_kernel(from->program, from->info);
  if (k) {
    free(k->argument);
    k->argument = a;
  } else if (e == CL_SUCCESS) {
    ocl_arguments_free(a, from->info->arguments);
    e = CL_OUT_OF_HOST_MEMORY;
  }
  if (error) *error = e;
  (void)ocl_leave(e);
  return k;
}

cl_int clRetainKernel(cl_kernel k) {
  ocl_enter();
  return ocl_leave(ocl_retain(k, OCL_KERNEL));
}

cl_int clReleaseKernel(cl_kernel k) {
  ocl_enter();
  return ocl_leave(ocl_release(k, OCL_KERNEL));
}

/* ---- arguments */

/* A pointer's type ends with a star, or is of local memory. */
static bool is_pointer(const struct ocl_kernel_argument *a) {
  return a->space != CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

static size_t bytes_of_argument(const struct _cl_kernel *k, cl_uint i) {
  for (cl_uint d = 0; d < k->program->devices; d++) {
    const struct heddle_kernel *code = ocl_kernel_code(k, k->program->device[d]);
    if (code && i < code->params) return code->param[i].size;
  }
  return 0;
}

static cl_int check_pointer(const struct _cl_kernel *k, const struct ocl_kernel_argument *a, size_t bytes,
                            const void *value, cl_mem *mem) {
  *mem = NULL;
  if (a->space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
    if (value) return CL_INVALID_ARG_VALUE;
    return bytes == 0 ? CL_INVALID_ARG_SIZE : CL_SUCCESS;
  }
  if (bytes != sizeof(cl_mem)) return CL_INVALID_ARG_SIZE;
  if (value) memcpy(mem, value, sizeof(cl_mem));
  if (!*mem) return CL_SUCCESS;
  return ocl_is(*mem, OCL_MEM) && (*mem)->context == k->program->context ? CL_SUCCESS : CL_INVALID_MEM_OBJECT;
}

static cl_int set_argument(cl_kernel k, cl_uint i, size_t bytes, const void *value) {
  if (!ocl_is(k, OCL_KERNEL)) return CL_INVALID_KERNEL;
  if (i >= k->info->arguments) return CL_INVALID_ARG_INDEX;
  const struct ocl_kernel_argument *a = &k->info->argument[i];
  struct ocl_argument next = {.set = true, .bytes = bytes};
  if (is_pointer(a)) {
    const cl_int e = check_pointer(k, a, bytes, value, &next.mem);
    if (e != CL_SUCCESS) return e;
    if (next.mem) ocl_hold(next.mem);
  } else {
    if (!value) return CL_INVALID_ARG_VALUE;
    if (bytes != bytes_of_argument(k, i)) return CL_INVALID_ARG_SIZE;
    next.value = malloc(bytes);
    if (!next.value) return CL_OUT_OF_HOST_MEMORY;
    memcpy(next.value, value, bytes);
  }
  free(k->argument[i].value);
  ocl_drop(k->argument[i].mem);
  k->argument[i] = next;
  return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel k, cl_uint i, size_t bytes, const void *value) {
  ocl_enter();
  return ocl_leave(set_argument(k, i, bytes, value));
}

/* ---- asked */

static cl_int answer_kernel(const struct _cl_kernel *k, cl_kernel_info what, const struct ocl_answer *a) {
  switch (what) {
  case CL_KERNEL_FUNCTION_NAME:
    return ocl_answer_text(a, k->info->name);
  case CL_KERNEL_NUM_ARGS:
    return ocl_answer_uint(a, k->info->arguments);
  case CL_KERNEL_REFERENCE_COUNT:
    return ocl_answer_uint(a, k->o.refs);
  case CL_KERNEL_CONTEXT:
    return ocl_answer_pointer(a, k->program->context);
  case CL_KERNEL_PROGRAM:
    return ocl_answer_pointer(a, k->program);
  case CL_KERNEL_ATTRIBUTES:
    return ocl_answer_text(a, k->info->attributes);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetKernelInfo(cl_kernel k, cl_kernel_info what, size_t room, void *to, size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  return ocl_leave(ocl_is(k, OCL_KERNEL) ? answer_kernel(k, what, &a) : CL_INVALID_KERNEL);
}

cl_int clGetKernelArgInfo(cl_kernel k, cl_uint i, cl_kernel_arg_info what, size_t room, void *to, size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  if (!ocl_is(k, OCL_KERNEL)) return ocl_leave(CL_INVALID_KERNEL);
  if (i >= k->info->arguments) return ocl_leave(CL_INVALID_ARG_INDEX);
  const struct ocl_kernel_argument *x = &k->info->argument[i];
  if (!x->name || k->program->of_binary) return ocl_leave(CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
  switch (what) {
  case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
    return ocl_leave(ocl_answer_uint(&a, x->space));
  case CL_KERNEL_ARG_ACCESS_QUALIFIER:
    return ocl_leave(ocl_answer_uint(&a, CL_KERNEL_ARG_ACCESS_NONE));
  case CL_KERNEL_ARG_TYPE_NAME:
    return ocl_leave(ocl_answer_text(&a, x->type));
  case CL_KERNEL_ARG_TYPE_QUALIFIER:
    return ocl_leave(ocl_answer_ulong(&a, x->qualifiers));
  case CL_KERNEL_ARG_NAME:
    return ocl_leave(ocl_answer_text(&a, x->name));
  default:
    return ocl_leave(CL_INVALID_VALUE);
  }
}

const struct heddle_kernel *ocl_kernel_code(const struct _cl_kernel *k, cl_device_id d) {
  const struct ocl_build *b = ocl_build_of(k->program, d);
  return b && b->loaded ? heddle_program_kernel(b->loaded, k->info->name) : NULL;
}

size_t ocl_kernel_threads(const struct heddle_kernel *k, const struct _cl_device_id *d) {
  const uint32_t grid[3] = {1, 1, 1};
  for (uint32_t n = (uint32_t)ocl_max_threads(d); n >= OCL_WARP; n -= OCL_WARP) {
    const uint32_t block[3] = {n, 1, 1};
    if (heddle_machine_refuses(&d->machine, grid, block, k->regs, 0) == HEDDLE_REFUSE_NONE) return n;
  }
  return 0;
}

size_t ocl_local_bytes(const struct ocl_kernel_info *info, const struct ocl_argument *a, size_t own) {
  size_t bytes = own;
  for (cl_uint i = 0; i < info->arguments; i++)
    if (info->argument[i].space == CL_KERNEL_ARG_ADDRESS_LOCAL && a[i].set)
      bytes = (bytes + OCL_LOCAL_ALIGN - 1) / OCL_LOCAL_ALIGN * OCL_LOCAL_ALIGN + a[i].bytes;
  return bytes;
}

static cl_int answer_group(const struct _cl_kernel *k, cl_device_id d, cl_kernel_work_group_info what,
                           const struct ocl_answer *a) {
  const struct heddle_kernel *code = ocl_kernel_code(k, d);
  if (!code) return CL_INVALID_DEVICE;
  switch (what) {
  case CL_KERNEL_WORK_GROUP_SIZE:
    return ocl_answer_size(a, ocl_kernel_threads(code, d));
  case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
    return ocl_answer(a, k->info->required, sizeof k->info->required);
  case CL_KERNEL_LOCAL_MEM_SIZE:
    return ocl_answer_ulong(a, ocl_local_bytes(k->info, k->argument, code->shared_bytes));
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return ocl_answer_size(a, OCL_WARP);
  case CL_KERNEL_PRIVATE_MEM_SIZE:
    return ocl_answer_ulong(a, code->local_bytes);
  default:
    return CL_INVALID_VALUE; /* CL_KERNEL_GLOBAL_WORK_SIZE among them: no built-in kernel, no custom device */
  }
}

cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t room, void *to,
                                size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  if (!ocl_is(k, OCL_KERNEL)) return ocl_leave(CL_INVALID_KERNEL);
  if (!d && k->program->devices == 1) d = k->program->device[0];
  return ocl_leave(ocl_build_of(k->program, d) ? answer_group(k, d, what, &a) : CL_INVALID_DEVICE);
}
