/* SPDX-License-Identifier: Apache-2.0
 * Kernels: arguments of all kinds, where a work item is, kernels that call kernels, copies of kernels, printf. */
#include "tests/firmware/host/opencl/check.h"

static const char source[] =
    "typedef struct { int a; float b; } pair;\n"
    "kernel void add(global const float *a, global const float *b, global float *c) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  c[i] = a[i] + b[i];\n"
    "}\n"
    "kernel void values(pair p, float3 v, char c, ulong u, constant int *k, local int *x, local float4 *y,\n"
    "                   global float *out) {\n"
    "  const int i = get_local_id(0), n = get_local_size(0);\n"
    "  x[i] = i;\n"
    "  y[i] = (float4)(10 * i);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[get_global_id(0)] = p.a + p.b + v.z + c + (float)u + k[i] + x[n - 1 - i] + y[n - 1 - i].w;\n"
    "}\n"
    "kernel void where(global uint *out) {\n"
    "  const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "  const size_t at = ((z - get_global_offset(2)) * get_global_size(1) + y - get_global_offset(1)) *\n"
    "                    get_global_size(0) + x - get_global_offset(0);\n"
    "  out[at] = x | y << 8 | z << 16 | get_work_dim() << 24;\n"
    "}\n"
    "#define ABSENT(d) (get_global_size(d) != 1 || get_local_size(d) != 1 || get_num_groups(d) != 1 || \\\n"
    "                   get_global_id(d) || get_local_id(d) || get_group_id(d) || get_global_offset(d))\n"
    "kernel void absent(global uint *out, uint d) {\n"
    "  if (ABSENT(d) || ABSENT(3) || ABSENT(255) || ABSENT(0xffffffffu)) atomic_inc(out);\n"
    "  if (get_global_size(0) != 6) atomic_inc(out);\n"
    "}\n"
    "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }\n"
    "kernel void calls(global int *x, int n) {\n"
    "  twice(x);\n"
    "  if (n > 1) twice(x);\n"
    "  x[get_global_id(0)] += 1;\n"
    "}\n"
    "kernel void says(int n) { if (get_global_id(0) == 3) printf(\"%d and %s\\n\", n, \"words\"); }\n";

static void add(const struct host *h, cl_program p) {
  enum { N = 96 };
  float a[N], b[N], c[N];
  const size_t global = N, local = 32;
  for (unsigned i = 0; i < N; i++) {
    a[i] = (float)i;
    b[i] = 0.5f * (float)i;
  }
  cl_mem m[3] = {host_buffer(h, sizeof a, a), host_buffer(h, sizeof b, b), host_buffer(h, sizeof c, NULL)};
  cl_kernel k = host_kernel(p, "add");
  for (cl_uint i = 0; i < 3; i++) OK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
  host_read(h, m[2], sizeof c, c);
  for (unsigned i = 0; i < N; i++) CHECK(c[i] == a[i] + b[i]);
  /* The same with no local size, and with buffers that the queue alone holds. */
  OK(clEnqueueFillBuffer(h->queue, m[2], &(cl_uint){0}, 4, 0, sizeof c, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clReleaseKernel(k));
  host_read(h, m[2], sizeof c, c);
  for (unsigned i = 0; i < N; i++) CHECK(c[i] == a[i] + b[i]);
  for (cl_uint i = 0; i < 3; i++) OK(clReleaseMemObject(m[i]));
}

static void values(const struct host *h, cl_program p) {
  enum { N = 8 };
  const struct {
    cl_int a;
    cl_float b;
  } pair = {3, 0.25f};
  const cl_float3 v = {{1, 2, 7}};
  const cl_char c = -5;
  const cl_ulong u = 1000;
  cl_int k_values[N];
  float out[2 * N];
  const size_t global = 2 * N, local = N;
  for (int i = 0; i < N; i++) k_values[i] = 100000 * i;
  cl_mem constants = host_buffer(h, sizeof k_values, k_values), result = host_buffer(h, sizeof out, NULL);
  cl_kernel k = host_kernel(p, "values");
  OK(clSetKernelArg(k, 0, sizeof pair, &pair));
  OK(clSetKernelArg(k, 1, sizeof v, &v));
  OK(clSetKernelArg(k, 2, sizeof c, &c));
  OK(clSetKernelArg(k, 3, sizeof u, &u));
  OK(clSetKernelArg(k, 4, sizeof constants, &constants));
  OK(clSetKernelArg(k, 5, N * sizeof(cl_int), NULL));
  OK(clSetKernelArg(k, 6, N * sizeof(cl_float4), NULL));
  OK(clSetKernelArg(k, 7, sizeof result, &result));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
  host_read(h, result, sizeof out, out);
  for (int i = 0; i < 2 * N; i++) {
    const int j = N - 1 - i % N;
    CHECK(out[i] == 3 + 0.25f + 7 - 5 + 1000 + (float)(100000 * (i % N)) + (float)j + (float)(10 * j));
  }
  OK(clReleaseKernel(k));
  OK(clReleaseMemObject(constants));
  OK(clReleaseMemObject(result));
}

static void where_with(const struct host *h, cl_kernel k, cl_mem m, cl_uint dimensions, const size_t *offset) {
  const size_t global[3] = {6, dimensions > 1 ? 4 : 1, dimensions > 2 ? 2 : 1},
               local[3] = {3, dimensions > 1 ? 2 : 1, 1};
  cl_uint out[6 * 4 * 2];
  OK(clEnqueueNDRangeKernel(h->queue, k, dimensions, offset, global, local, 0, NULL, NULL));
  host_read(h, m, global[0] * global[1] * global[2] * sizeof *out, out);
  for (size_t z = 0; z < global[2]; z++)
    for (size_t y = 0; y < global[1]; y++)
      for (size_t x = 0; x < global[0]; x++) {
        const size_t at[3] = {x + (offset ? offset[0] : 0), y + (offset && dimensions > 1 ? offset[1] : 0),
                              z + (offset && dimensions > 2 ? offset[2] : 0)};
        CHECK(out[(z * global[1] + y) * global[0] + x] == (at[0] | at[1] << 8 | at[2] << 16 | dimensions << 24));
      }
}

static void where(const struct host *h, cl_program p) {
  const size_t offset[3] = {5, 11, 17};
  cl_mem m = host_buffer(h, 6 * 4 * 2 * 4, NULL);
  cl_kernel k = host_kernel(p, "where");
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  for (cl_uint d = 1; d <= 3; d++) {
    where_with(h, k, m, d, NULL);
    where_with(h, k, m, d, offset);
  }
  OK(clReleaseKernel(k));
  OK(clReleaseMemObject(m));
}

/* A dimension that the launch has not, and those that none has: one place, at 0. */
static void absent(const struct host *h, cl_program p) {
  const size_t offset[2] = {5, 11}, global[2] = {6, 4}, local[2] = {3, 2};
  const cl_uint none = 0, beyond[] = {1, 2, 3, 4, 255, 0x80000000u, 0xffffffffu};
  cl_uint out;
  cl_mem m = host_buffer(h, sizeof none, &none);
  cl_kernel k = host_kernel(p, "absent");
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  for (cl_uint dimensions = 1; dimensions <= 2; dimensions++)
    for (size_t b = dimensions - 1; b < sizeof beyond / sizeof *beyond; b++) {
      OK(clSetKernelArg(k, 1, sizeof *beyond, &beyond[b]));
      OK(clEnqueueNDRangeKernel(h->queue, k, dimensions, offset, global, local, 0, NULL, NULL));
    }
  host_read(h, m, sizeof out, &out);
  CHECK(out == 0);
  OK(clReleaseKernel(k));
  OK(clReleaseMemObject(m));
}

/* Arguments of a copy are its own. */
static void calls(const struct host *h, cl_program p) {
  enum { N = 8 };
  cl_int x[N], n = 1, e;
  const size_t global = N;
  for (int i = 0; i < N; i++) x[i] = i;
  cl_mem m = host_buffer(h, sizeof x, x);
  cl_kernel k = host_kernel(p, "calls");
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  OK(clSetKernelArg(k, 1, sizeof n, &n));
  cl_kernel copy = clCloneKernel(k, &e);
  OK(e);
  n = 2;
  OK(clSetKernelArg(copy, 1, sizeof n, &n));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(h->queue, copy, 1, NULL, &global, NULL, 0, NULL, NULL));
  host_read(h, m, sizeof x, x);
  for (int i = 0; i < N; i++) CHECK(x[i] == (2 * i + 1) * 4 + 1);
  OK(clReleaseKernel(k));
  OK(clReleaseKernel(copy));
  OK(clReleaseMemObject(m));
}

static void says(const struct host *h, cl_program p) {
  const size_t global = 8;
  const cl_int n = -7;
  cl_kernel k = host_kernel(p, "says");
  OK(clSetKernelArg(k, 0, sizeof n, &n));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(h->queue));
  OK(clReleaseKernel(k));
}

/* What 2.0 and 3.0 have and 1.2 has not, on eight work items in two dimensions. */
static void language(const struct host *h, const char *std) {
  enum { N = 8 };
  static const char newer[] = "kernel void newer(global uint *out, global uint *in, global atomic_uint *sum) {\n"
                              "  const size_t i = get_global_linear_id();\n"
                              "  out[i] = ctz(in[i]) | ctz((uchar)in[i]) << 8 | get_local_linear_id() << 16 |\n"
                              "           get_enqueued_local_size(1) << 24;\n"
                              "  atomic_fetch_add_explicit(sum, i, memory_order_acq_rel, memory_scope_device);\n"
                              "}\n";
  cl_uint in[N] = {0, 1, 2, 0x80000000, 0x100, 0x60, 0xff0000, 0x80}, out[N], sum = 5;
  static const cl_uint zeros[N] = {32, 0, 1, 31, 8, 5, 16, 7}, of_byte[N] = {8, 0, 1, 8, 8, 5, 8, 7};
  const size_t offset[2] = {3, 5}, global[2] = {4, 2}, local[2] = {2, 2};
  cl_program p = host_build(h, newer, std);
  cl_kernel k = host_kernel(p, "newer");
  cl_mem m[3] = {host_buffer(h, sizeof out, NULL), host_buffer(h, sizeof in, in), host_buffer(h, sizeof sum, &sum)};
  for (cl_uint i = 0; i < 3; i++) OK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
  OK(clEnqueueNDRangeKernel(h->queue, k, 2, offset, global, local, 0, NULL, NULL));
  host_read(h, m[0], sizeof out, out);
  for (cl_uint i = 0; i < N; i++) {
    const cl_uint x = i % 4, y = i / 4;
    CHECK(out[i] == (zeros[i] | of_byte[i] << 8 | (x % 2 + 2 * y) << 16 | 2u << 24));
  }
  host_read(h, m[2], sizeof sum, &sum);
  CHECK(sum == 5 + N * (N - 1) / 2);
  for (cl_uint i = 0; i < 3; i++) OK(clReleaseMemObject(m[i]));
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(p));
}

int main(void) {
  struct host h = host_open(0);
  cl_program p = host_build(&h, source, NULL);
  add(&h, p);
  values(&h, p);
  where(&h, p);
  absent(&h, p);
  calls(&h, p);
  says(&h, p);
  language(&h, "-cl-std=CL2.0");
  language(&h, "-cl-std=CL3.0");
  OK(clReleaseProgram(p));
  host_close(&h);
  puts("kernels: well");
  return 0;
}
