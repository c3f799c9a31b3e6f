/* SPDX-License-Identifier: Apache-2.0
 * Programs: errors of sources, options, headers, links, libraries, binaries, what is known of arguments. */
#define _GNU_SOURCE /* memmem */
#include "tests/firmware/host/opencl/check.h"

#define INLINE "inline int same(int x) { return x; }\n" /* in two objects of a link */
static const char one[] =
    INLINE "int helper(int x);\n"
           "kernel void k(global int *out) { out[get_global_id(0)] = helper(same(get_global_id(0))); }\n";
static const char caller[] =
    "kernel void k(global int *out);\nkernel void calls(global int *out) { k(out); out[get_global_id(0)] += 1; }\n";
static const char two[] = INLINE "#include \"deep/triple.h\"\nint helper(int x) { return TRIPLE(same(x)); }\n";
static const char header[] = "#define TRIPLE(x) (3 * (x))\n";

static cl_program of_source(const struct host *h, const char *source) {
  cl_int e;
  cl_program p = clCreateProgramWithSource(h->context, 1, &source, NULL, &e);
  OK(e);
  return p;
}

static void runs(const struct host *h, cl_program p, const char *name, int times, int more) {
  cl_int out[16];
  const size_t global = 16;
  cl_mem m = host_buffer(h, sizeof out, NULL);
  cl_kernel k = host_kernel(p, name);
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
  host_read(h, m, sizeof out, out);
  for (int i = 0; i < 16; i++) CHECK(out[i] == times * i + more);
  OK(clReleaseKernel(k));
  OK(clReleaseMemObject(m));
}

static cl_program_binary_type type_of(const struct host *h, cl_program p) {
  cl_program_binary_type t;
  OK(clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BINARY_TYPE, sizeof t, &t, NULL));
  return t;
}

static void CL_CALLBACK built(cl_program p, void *data) {
  CHECK(p);
  ++*(int *)data;
}

/* Two objects, one of which includes; then one of them as a library. */
static void links(const struct host *h) {
  cl_int e;
  int heard = 0;
  const char *name = "deep/triple.h";
  cl_program object[2] = {of_source(h, one), of_source(h, two)}, include = of_source(h, header);
  OK(clCompileProgram(object[0], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  OK(clCompileProgram(object[1], 1, &h->device, "-DX=1", 1, &include, &name, built, &heard));
  CHECK(heard == 1 && type_of(h, object[1]) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  cl_kernel none = clCreateKernel(object[0], "k", &e);
  CHECK(!none && e == CL_INVALID_PROGRAM_EXECUTABLE);
  cl_program whole = clLinkProgram(h->context, 0, NULL, NULL, 2, object, built, &heard, &e);
  OK(e);
  CHECK(heard == 2 && type_of(h, whole) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  runs(h, whole, "k", 3, 0);
  OK(clReleaseProgram(whole));
  cl_program library = clLinkProgram(h->context, 1, &h->device, "-create-library", 1, &object[1], NULL, NULL, &e);
  OK(e);
  CHECK(type_of(h, library) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
  cl_program parts[2] = {object[0], library};
  whole = clLinkProgram(h->context, 0, NULL, NULL, 2, parts, NULL, NULL, &e);
  OK(e);
  runs(h, whole, "k", 3, 0);
  OK(clReleaseProgram(whole));
  /* A kernel of another object is called. */
  cl_program three[3] = {object[0], object[1], of_source(h, caller)};
  OK(clCompileProgram(three[2], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  whole = clLinkProgram(h->context, 0, NULL, NULL, 3, three, NULL, NULL, &e);
  OK(e);
  runs(h, whole, "calls", 3, 1);
  OK(clReleaseProgram(three[2]));
  OK(clReleaseProgram(whole));
  /* A function that nobody has. */
  whole = clLinkProgram(h->context, 0, NULL, NULL, 1, object, NULL, NULL, &e);
  CHECK(whole && e == CL_LINK_PROGRAM_FAILURE);
  OK(clReleaseProgram(whole));
  CHECK(!clLinkProgram(h->context, 0, NULL, "-cl-std=CL1.2", 1, object, NULL, NULL, &e) &&
        e == CL_INVALID_LINKER_OPTIONS);
  OK(clReleaseProgram(library));
  OK(clReleaseProgram(include));
  for (unsigned i = 0; i < 2; i++) OK(clReleaseProgram(object[i]));
}

static void errors(const struct host *h) {
  char log[4096];
  cl_build_status status;
  cl_program p =
      of_source(h, "inline int same(int x) { return x; } kernel void k(global int *x) { x[0] = same(nobody); }");
  IS(clBuildProgram(p, 0, NULL, "-nonsense", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
  IS(clBuildProgram(p, 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
  IS(clBuildProgram(p, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  OK(clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  OK(clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  CHECK(status == CL_BUILD_ERROR && strstr(log, "1:81: error: use of undeclared identifier 'nobody'"));
  /* The same program, built well with a macro; not again while a kernel is there. */
  OK(clBuildProgram(p, 0, NULL, "-D nobody=4 -cl-std=CL3.0", NULL, NULL));
  OK(clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BUILD_OPTIONS, sizeof log, log, NULL));
  CHECK(strcmp(log, "-D nobody=4 -cl-std=CL3.0") == 0);
  cl_kernel k = host_kernel(p, "k");
  IS(clBuildProgram(p, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
  OK(clReleaseKernel(k));
  OK(clBuildProgram(p, 0, NULL, "-D 'nobody=4 + 1' -cl-opt-disable -Werror", NULL, NULL));
  OK(clReleaseProgram(p));
}

static void binaries(const struct host *h) {
  cl_int e, status;
  size_t size;
  cl_program p =
      host_build(h, "kernel void k(global int *out) { out[get_global_id(0)] = 7 * get_global_id(0); }", NULL);
  OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *bytes = malloc(size);
  OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
  OK(clReleaseProgram(p));
  const unsigned char *from = bytes;
  p = clCreateProgramWithBinary(h->context, 1, &h->device, &size, &from, &status, &e);
  OK(e);
  OK(status);
  OK(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
  runs(h, p, "k", 7, 0);
  OK(clReleaseProgram(p));
  /* Cut, and with each byte of the first hundred changed. */
  for (size_t n = 1; n < size; n = 2 * n + 1)
    CHECK(!clCreateProgramWithBinary(h->context, 1, &h->device, &n, &from, &status, &e) && e == CL_INVALID_BINARY);
  for (size_t i = 0; i < 100; i++) {
    bytes[i] ^= 0x41;
    CHECK(!clCreateProgramWithBinary(h->context, 1, &h->device, &size, &from, NULL, &e) && e == CL_INVALID_BINARY);
    bytes[i] ^= 0x41;
  }
  free(bytes);
}

/* The work-group size that a kernel requires is in its code, too: each launch of that is held to it. */
static void required(const struct host *h) {
  static const char said[] = ".reqntid 8, 2, 1";
  size_t size;
  cl_program p = host_build(h,
                            "kernel void any(global int *out) { out[0] = 1; }\n"
                            "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void k(global int *out) {\n"
                            "out[get_local_id(1) * 8 + get_local_id(0)] = 1; }",
                            NULL);
  OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *bytes = malloc(size);
  OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
  const char *at = memmem(bytes, size, said, sizeof said - 1), *k = memmem(bytes, size, ".entry k", 8);
  CHECK(at && k && at > k && !memmem(at + 1, size - (size_t)(at + 1 - (char *)bytes), ".reqntid", 8));
  free(bytes);
  OK(clReleaseProgram(p));
}

static void arguments(const struct host *h) {
  char text[100];
  size_t sizes[3];
  cl_kernel_arg_address_qualifier space;
  cl_kernel_arg_type_qualifier bits;
  static const char source[] =
      "kernel __attribute__((reqd_work_group_size(4,2,1))) __attribute__((vec_type_hint(uint4)))\n"
      "void k(global const float4 *restrict a, constant uchar *b, local int *c, size_t d,\n"
      "volatile global int *e) {}";
  cl_program p = of_source(h, source);
  /* size_t is no type of arguments. */
  IS(clBuildProgram(p, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
  OK(clBuildProgram(p, 0, NULL, "-Dsize_t=ulong -cl-kernel-arg-info", NULL, NULL));
  cl_kernel k = host_kernel(p, "k");
  OK(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
  CHECK(strcmp(text, "reqd_work_group_size(4,2,1) vec_type_hint(uint4)") == 0);
  OK(clGetKernelWorkGroupInfo(k, h->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL));
  CHECK(sizes[0] == 4 && sizes[1] == 2 && sizes[2] == 1);
  OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
  CHECK(strcmp(text, "float4*") == 0);
  OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof bits, &bits, NULL));
  CHECK(bits == (CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT));
  OK(clGetKernelArgInfo(k, 4, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof bits, &bits, NULL));
  CHECK(bits == CL_KERNEL_ARG_TYPE_VOLATILE);
  OK(clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
  CHECK(space == CL_KERNEL_ARG_ADDRESS_CONSTANT);
  OK(clGetKernelArgInfo(k, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
  CHECK(space == CL_KERNEL_ARG_ADDRESS_LOCAL);
  OK(clGetKernelArgInfo(k, 3, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
  CHECK(strcmp(text, "d") == 0);
  IS(clGetKernelArgInfo(k, 5, CL_KERNEL_ARG_NAME, sizeof text, text, NULL), CL_INVALID_ARG_INDEX);
  OK(clReleaseKernel(k));
  OK(clBuildProgram(p, 0, NULL, "-Dsize_t=ulong", NULL, NULL));
  k = host_kernel(p, "k");
  IS(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL), CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(p));
}

int main(void) {
  struct host h = host_open(0);
  errors(&h);
  links(&h);
  binaries(&h);
  required(&h);
  arguments(&h);
  host_close(&h);
  puts("programs: well");
  return 0;
}
