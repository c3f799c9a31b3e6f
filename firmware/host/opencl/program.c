/* SPDX-License-Identifier: Apache-2.0
 * Programs: made, counted, asked. */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>
#include <string.h>

void ocl_build_clear(struct ocl_build *b, cl_device_id d) {
  free(b->options);
  text_free(&b->log);
  text_free(&b->meta);
  text_free(&b->body);
  ocl_kernels_free(&b->kernels);
  heddle_program_free(b->code);
  if (b->module) ocl_discard(d, 0, b->module);
  *b = (struct ocl_build){.status = CL_BUILD_NONE};
}

void ocl_program_gone(cl_program p) {
  for (cl_uint i = 0; i < p->devices; i++) ocl_build_clear(&p->build[i], p->device[i]);
  free(p->source);
  ocl_drop(p->context);
}

struct ocl_build *ocl_build_of(cl_program p, const void *device) {
  for (cl_uint i = 0; i < p->devices; i++)
    if (p->device[i] == device) return &p->build[i];
  return NULL;
}

cl_program ocl_program_new(cl_context c, cl_uint n, const cl_device_id *devices) {
  cl_program p = ocl_new(OCL_PROGRAM);
  if (!p) return NULL;
  p->context = c;
  ocl_hold(c);
  p->devices = n;
  for (cl_uint i = 0; i < n; i++) {
    p->device[i] = devices[i];
    p->build[i].status = CL_BUILD_NONE;
  }
  return p;
}

/* ---- of source */

static char *join_strings(cl_uint count, const char **strings, const size_t *lengths) {
  struct text t = {0};
  bool well = text_put(&t, "");
  for (cl_uint i = 0; well && i < count; i++) {
    const size_t n = lengths && lengths[i] > 0 ? lengths[i] : strlen(strings[i]);
    well = text_add(&t, strings[i], strnlen(strings[i], n));
  }
  if (!well) text_free(&t);
  return t.at;
}

static cl_program of_source(cl_context c, cl_uint count, const char **strings, const size_t *lengths, cl_int *error) {
  if (!ocl_is(c, OCL_CONTEXT)) return *error = CL_INVALID_CONTEXT, NULL;
  *error = count == 0 || !strings ? CL_INVALID_VALUE : CL_SUCCESS;
  for (cl_uint i = 0; *error == CL_SUCCESS && i < count; i++)
    if (!strings[i]) *error = CL_INVALID_VALUE;
  if (*error != CL_SUCCESS) return NULL;
  cl_program p = ocl_program_new(c, c->devices, c->device);
  if (p) p->source = join_strings(count, strings, lengths);
  if (p && !p->source) ocl_unref(p), p = NULL;
  if (!p) *error = CL_OUT_OF_HOST_MEMORY;
  return p;
}

cl_program clCreateProgramWithSource(cl_context c, cl_uint count, const char **strings, const size_t *lengths,
                                     cl_int *error) {
  cl_int e;
  ocl_enter();
  cl_program p = of_source(c, count, strings, lengths, &e);
  if (error) *error = e;
  (void)ocl_leave(e);
  return p;
}

/* ---- of binaries */

static cl_int check_binaries(cl_context c, cl_uint n, const cl_device_id *devices, const size_t *lengths,
                             const unsigned char **binaries) {
  if (!ocl_is(c, OCL_CONTEXT)) return CL_INVALID_CONTEXT;
  if (n == 0 || n > OCL_DEVICES_MAX || !devices || !lengths || !binaries) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < n; i++)
    if (!ocl_has_device(c, devices[i])) return CL_INVALID_DEVICE;
  for (cl_uint i = 0; i < n; i++)
    if (lengths[i] == 0 || !binaries[i]) return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

static cl_program of_binaries(cl_context c, cl_uint n, const cl_device_id *devices, const size_t *lengths,
                              const unsigned char **binaries, cl_int *each, cl_int *error) {
  *error = check_binaries(c, n, devices, lengths, binaries);
  if (*error != CL_SUCCESS) return NULL;
  cl_program p = ocl_program_new(c, n, devices);
  if (!p) return *error = CL_OUT_OF_HOST_MEMORY, NULL;
  p->of_binary = true;
  for (cl_uint i = 0; i < n; i++) {
    const bool well = ocl_binary_take(binaries[i], lengths[i], &p->build[i]);
    if (!well) *error = CL_INVALID_BINARY;
    if (each) each[i] = well ? CL_SUCCESS : CL_INVALID_BINARY;
  }
  if (*error == CL_SUCCESS) return p;
  ocl_unref(p);
  return NULL;
}

cl_program clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id *devices, const size_t *lengths,
                                     const unsigned char **binaries, cl_int *each, cl_int *error) {
  cl_int e;
  ocl_enter();
  cl_program p = of_binaries(c, n, devices, lengths, binaries, each, &e);
  if (error) *error = e;
  (void)ocl_leave(e);
  return p;
}

/* ---- counted, asked */

cl_int clRetainProgram(cl_program p) {
  ocl_enter();
  return ocl_leave(ocl_retain(p, OCL_PROGRAM));
}

cl_int clReleaseProgram(cl_program p) {
  ocl_enter();
  return ocl_leave(ocl_release(p, OCL_PROGRAM));
}

bool ocl_is_executable(const struct ocl_build *b) {
  return b->status == CL_BUILD_SUCCESS && b->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

/* Kernels of the first device for which it is built. */
static const struct ocl_kernels *kernels_of(const struct _cl_program *p) {
  for (cl_uint i = 0; i < p->devices; i++)
    if (ocl_is_executable(&p->build[i])) return &p->build[i].kernels;
  return NULL;
}

static cl_int answer_names(const struct _cl_program *p, bool number, const struct ocl_answer *a) {
  const struct ocl_kernels *k = kernels_of(p);
  struct text t = {0};
  if (!k) return CL_INVALID_PROGRAM_EXECUTABLE;
  if (number) return ocl_answer_size(a, k->count);
  bool well = text_put(&t, "");
  for (cl_uint i = 0; well && i < k->count; i++) well = (i == 0 || text_put(&t, ";")) && text_put(&t, k->at[i].name);
  const cl_int e = well ? ocl_answer_text(a, t.at) : CL_OUT_OF_HOST_MEMORY;
  text_free(&t);
  return e;
}

static bool binary_of_build(const struct ocl_build *b, struct text *t) {
  return b->type == CL_PROGRAM_BINARY_TYPE_NONE || !b->body.at || ocl_binary_make(b, t);
}

/* Sizes, or the binaries themselves, to where the host's pointers say. */
static cl_int answer_binaries(const struct _cl_program *p, bool sizes, const struct ocl_answer *a) {
  size_t size[OCL_DEVICES_MAX];
  if (!sizes && a->to && a->room < p->devices * sizeof(unsigned char *)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < p->devices; i++) {
    struct text t = {0};
    const bool well = binary_of_build(&p->build[i], &t);
    size[i] = t.bytes;
    unsigned char *to = !sizes && a->to ? ((unsigned char **)a->to)[i] : NULL;
    if (well && to && t.bytes > 0) memcpy(to, t.at, t.bytes);
    text_free(&t);
    if (!well) return CL_OUT_OF_HOST_MEMORY;
  }
  if (sizes) return ocl_answer(a, size, p->devices * sizeof *size);
  if (a->bytes) *a->bytes = p->devices * sizeof(unsigned char *);
  return CL_SUCCESS;
}

static cl_int answer_program(const struct _cl_program *p, cl_program_info what, const struct ocl_answer *a) {
  switch (what) {
  case CL_PROGRAM_REFERENCE_COUNT:
    return ocl_answer_uint(a, p->o.refs);
  case CL_PROGRAM_CONTEXT:
    return ocl_answer_pointer(a, p->context);
  case CL_PROGRAM_NUM_DEVICES:
    return ocl_answer_uint(a, p->devices);
  case CL_PROGRAM_DEVICES:
    return ocl_answer(a, p->device, p->devices * sizeof *p->device);
  case CL_PROGRAM_SOURCE:
    return ocl_answer_text(a, p->source ? p->source : "");
  case CL_PROGRAM_BINARY_SIZES:
    return answer_binaries(p, true, a);
  case CL_PROGRAM_BINARIES:
    return answer_binaries(p, false, a);
  case CL_PROGRAM_NUM_KERNELS:
    return answer_names(p, true, a);
  case CL_PROGRAM_KERNEL_NAMES:
    return answer_names(p, false, a);
  case CL_PROGRAM_IL:
    return ocl_answer(a, NULL, 0);
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
  case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
    return ocl_answer_uint(a, CL_FALSE);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetProgramInfo(cl_program p, cl_program_info what, size_t room, void *to, size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  return ocl_leave(ocl_is(p, OCL_PROGRAM) ? answer_program(p, what, &a) : CL_INVALID_PROGRAM);
}

static cl_int answer_build(const struct ocl_build *b, cl_program_build_info what, const struct ocl_answer *a) {
  switch (what) {
  case CL_PROGRAM_BUILD_STATUS:
    return ocl_answer(a, &b->status, sizeof b->status);
  case CL_PROGRAM_BUILD_OPTIONS:
    return ocl_answer_text(a, b->options ? b->options : "");
  case CL_PROGRAM_BUILD_LOG:
    return ocl_answer_text(a, b->log.at ? b->log.at : "");
  case CL_PROGRAM_BINARY_TYPE:
    return ocl_answer(a, &b->type, sizeof b->type);
  case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
    return ocl_answer_size(a, 0);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what, size_t room, void *to,
                             size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  if (!ocl_is(p, OCL_PROGRAM)) return ocl_leave(CL_INVALID_PROGRAM);
  const struct ocl_build *b = ocl_build_of(p, d);
  return ocl_leave(b ? answer_build(b, what, &a) : CL_INVALID_DEVICE);
}

cl_int clSetProgramReleaseCallback(cl_program p, void(CL_CALLBACK *f)(cl_program, void *), void *data) {
  (void)data;
  ocl_enter();
  if (!ocl_is(p, OCL_PROGRAM)) return ocl_leave(CL_INVALID_PROGRAM);
  if (!f) return ocl_leave(CL_INVALID_VALUE);
  return ocl_leave(CL_INVALID_OPERATION); /* no device has variables with destructors */
}
