/* SPDX-License-Identifier: Apache-2.0
 * Hosts that do it wrong: each is told the specification's error, and the device works afterwards. */
#include "tests/firmware/host/opencl/check.h"

static const char source[] =
    "kernel void put(global int *x) { x[get_global_id(0)] = get_global_id(0) + 1; }\n"
    "kernel void beyond(global int *x) { x[get_global_id(0) + 100000000] = 1; }\n"
    "kernel void bent(global char *x) { *(global int *)(x + 1 + get_global_id(0)) = 1; }\n"
    "kernel void room(global int *x, local int *y) { y[get_local_id(0)] = 1; x[0] = y[0]; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight(global int *x) { x[get_global_id(0)] = 1; }\n";

struct all {
  struct host h;
  cl_program program;
  cl_mem m;
  cl_kernel k;
};

static const size_t eight = 8, zero, seven = 7, huge = SIZE_MAX / 2;

static cl_int run(struct all *a, const char *name, const size_t *global, const size_t *local) {
  cl_kernel k = host_kernel(a->program, name);
  OK(clSetKernelArg(k, 0, sizeof a->m, &a->m));
  const cl_int e = clEnqueueNDRangeKernel(a->h.queue, k, 1, NULL, global, local, 0, NULL, NULL);
  OK(clReleaseKernel(k));
  return e;
}

static void no_handles(struct all *a) {
  cl_int e;
  IS(clReleaseMemObject(NULL), CL_INVALID_MEM_OBJECT);
  IS(clEnqueueReadBuffer(a->h.queue, NULL, CL_TRUE, 0, 4, &e, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  IS(clFinish(NULL), CL_INVALID_COMMAND_QUEUE);
  CHECK(!clCreateKernel(NULL, "put", &e) && e == CL_INVALID_PROGRAM);
}

/* A handle of one kind where another belongs. */
static void other_handles(struct all *a) {
  int x;
  IS(clEnqueueReadBuffer(a->h.queue, (cl_mem)a->k, CL_TRUE, 0, 4, &x, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  IS(clSetKernelArg((cl_kernel)a->m, 0, 4, &x), CL_INVALID_KERNEL);
  IS(clReleaseContext((cl_context)a->h.queue), CL_INVALID_CONTEXT);
  IS(clWaitForEvents(1, (cl_event *)&a->m), CL_INVALID_EVENT);
}

static void released_twice(struct all *a) {
  cl_mem m = host_buffer(&a->h, 64, NULL);
  OK(clReleaseMemObject(m));
  IS(clReleaseMemObject(m), CL_INVALID_MEM_OBJECT);
}

static void used_after_release(struct all *a) {
  int x = 0;
  cl_mem m = host_buffer(&a->h, 64, NULL);
  OK(clReleaseMemObject(m));
  IS(clEnqueueWriteBuffer(a->h.queue, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
  IS(clSetKernelArg(a->k, 0, sizeof m, &m), CL_INVALID_MEM_OBJECT);
}

/* What a kernel was given it keeps. */
static void released_while_set(struct all *a) {
  int x[8];
  cl_mem m = host_buffer(&a->h, sizeof x, NULL);
  OK(clSetKernelArg(a->k, 0, sizeof m, &m));
  OK(clReleaseMemObject(m));
  OK(clEnqueueNDRangeKernel(a->h.queue, a->k, 1, NULL, &eight, NULL, 0, NULL, NULL));
  OK(clFinish(a->h.queue));
  OK(clSetKernelArg(a->k, 0, sizeof a->m, &a->m));
  IS(clReleaseMemObject(m), CL_INVALID_MEM_OBJECT);
}

static void sizes_that_overflow(struct all *a) {
  int x;
  const size_t at[3] = {SIZE_MAX - 2, 1, 0}, size[3] = {4, 2, 1}, origin[3] = {0};
  IS(clEnqueueReadBuffer(a->h.queue, a->m, CL_TRUE, SIZE_MAX - 2, 4, &x, 0, NULL, NULL), CL_INVALID_VALUE);
  IS(clEnqueueReadBuffer(a->h.queue, a->m, CL_TRUE, 4, SIZE_MAX - 2, &x, 0, NULL, NULL), CL_INVALID_VALUE);
  IS(clEnqueueReadBufferRect(a->h.queue, a->m, CL_TRUE, at, origin, size, 0, 0, 0, 0, &x, 0, NULL, NULL),
     CL_INVALID_VALUE);
  IS(clEnqueueReadBufferRect(a->h.queue, a->m, CL_TRUE, origin, origin, size, SIZE_MAX, 0, 0, 0, &x, 0, NULL, NULL),
     CL_INVALID_VALUE);
  IS(clEnqueueCopyBuffer(a->h.queue, a->m, a->m, SIZE_MAX, 1, 2, 0, NULL, NULL), CL_INVALID_VALUE);
}

static void too_large(struct all *a) {
  cl_int e;
  CHECK(!clCreateBuffer(a->h.context, 0, 0, NULL, &e) && e == CL_INVALID_BUFFER_SIZE);
  CHECK(!clCreateBuffer(a->h.context, 0, SIZE_MAX, NULL, &e) && e == CL_INVALID_BUFFER_SIZE);
}

static void memory_ends(struct all *a) {
  enum { MOST = 64 };
  cl_mem m[MOST];
  cl_int e = CL_SUCCESS;
  cl_ulong whole;
  unsigned n = 0;
  OK(clGetDeviceInfo(a->h.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof whole, &whole, NULL));
  while (n < MOST && (m[n] = clCreateBuffer(a->h.context, 0, (size_t)whole / 8, NULL, &e))) n++;
  CHECK(n > 0 && n < MOST && e == CL_MEM_OBJECT_ALLOCATION_FAILURE);
  while (n > 0) OK(clReleaseMemObject(m[--n]));
}

static void no_argument(struct all *a) {
  cl_kernel k = host_kernel(a->program, "put");
  IS(clEnqueueNDRangeKernel(a->h.queue, k, 1, NULL, &eight, NULL, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
  OK(clReleaseKernel(k));
}

static void wrong_arguments(struct all *a) {
  int x = 0;
  IS(clSetKernelArg(a->k, 1, sizeof a->m, &a->m), CL_INVALID_ARG_INDEX);
  IS(clSetKernelArg(a->k, 0, 4, &x), CL_INVALID_ARG_SIZE);
  IS(clSetKernelArg(a->k, 0, sizeof(cl_mem), &a->h.queue), CL_INVALID_MEM_OBJECT);
}

static void wrong_names(struct all *a) {
  cl_int e;
  CHECK(!clCreateKernel(a->program, "nobody", &e) && e == CL_INVALID_KERNEL_NAME);
  CHECK(!clCreateKernel(a->program, NULL, &e) && e == CL_INVALID_VALUE);
}

static void wrong_groups(struct all *a) {
  IS(run(a, "put", &eight, &seven), CL_INVALID_WORK_GROUP_SIZE);
  IS(run(a, "put", &eight, &zero), CL_INVALID_WORK_GROUP_SIZE);
  IS(run(a, "put", &huge, &huge), CL_INVALID_WORK_ITEM_SIZE);
  IS(run(a, "eight", &seven, &seven), CL_INVALID_WORK_GROUP_SIZE);
  IS(run(a, "eight", &seven, NULL), CL_INVALID_WORK_GROUP_SIZE);
  OK(run(a, "eight", &eight, NULL));
}

static void wrong_dimensions(struct all *a) {
  const size_t four[4] = {1, 1, 1, 1}, offset = SIZE_MAX - 3;
  IS(clEnqueueNDRangeKernel(a->h.queue, a->k, 0, NULL, four, NULL, 0, NULL, NULL), CL_INVALID_WORK_DIMENSION);
  IS(clEnqueueNDRangeKernel(a->h.queue, a->k, 4, NULL, four, NULL, 0, NULL, NULL), CL_INVALID_WORK_DIMENSION);
  IS(clEnqueueNDRangeKernel(a->h.queue, a->k, 1, &offset, &eight, NULL, 0, NULL, NULL), CL_INVALID_GLOBAL_OFFSET);
  OK(clEnqueueNDRangeKernel(a->h.queue, a->k, 1, NULL, &zero, NULL, 0, NULL, NULL)); /* since 2.1 it does nothing */
}

static void no_room_in_group(struct all *a) {
  cl_ulong has;
  OK(clGetDeviceInfo(a->h.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof has, &has, NULL));
  cl_kernel k = host_kernel(a->program, "room");
  OK(clSetKernelArg(k, 0, sizeof a->m, &a->m));
  IS(clSetKernelArg(k, 1, 0, NULL), CL_INVALID_ARG_SIZE);
  OK(clSetKernelArg(k, 1, has + 4, NULL));
  IS(clEnqueueNDRangeKernel(a->h.queue, k, 1, NULL, &eight, NULL, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
  OK(clReleaseKernel(k));
}

static void traps_outside(struct all *a) {
  OK(run(a, "beyond", &eight, NULL));
  IS(clFinish(a->h.queue), CL_OUT_OF_RESOURCES);
  OK(clFinish(a->h.queue)); /* told once */
}

static void traps_misaligned(struct all *a) {
  cl_event e;
  cl_kernel k = host_kernel(a->program, "bent");
  OK(clSetKernelArg(k, 0, sizeof a->m, &a->m));
  OK(clEnqueueNDRangeKernel(a->h.queue, k, 1, NULL, &eight, NULL, 0, NULL, &e));
  IS(clWaitForEvents(1, &e), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(host_status(e) == CL_OUT_OF_RESOURCES);
  IS(clFinish(a->h.queue), CL_OUT_OF_RESOURCES);
  OK(clReleaseEvent(e));
  OK(clReleaseKernel(k));
}

static void wrong_lists(struct all *a) {
  cl_event e = host_user_event(&a->h), list[2] = {e, NULL};
  int x;
  IS(clEnqueueReadBuffer(a->h.queue, a->m, CL_TRUE, 0, 4, &x, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
  IS(clEnqueueReadBuffer(a->h.queue, a->m, CL_TRUE, 0, 4, &x, 0, list, NULL), CL_INVALID_EVENT_WAIT_LIST);
  IS(clEnqueueReadBuffer(a->h.queue, a->m, CL_TRUE, 0, 4, &x, 2, list, NULL), CL_INVALID_EVENT_WAIT_LIST);
  IS(clSetUserEventStatus(e, 1), CL_INVALID_VALUE);
  OK(clReleaseEvent(e));
  IS(clSetUserEventStatus(e, 0), CL_INVALID_EVENT);
}

/* Objects of two contexts do not meet. */
static void two_contexts(struct all *a) {
  int x;
  struct host other = host_open(0);
  cl_mem m = host_buffer(&other, 64, NULL);
  cl_event e = host_user_event(&other);
  IS(clEnqueueReadBuffer(a->h.queue, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL), CL_INVALID_CONTEXT);
  IS(clEnqueueReadBuffer(a->h.queue, a->m, CL_TRUE, 0, 4, &x, 1, &e, NULL), CL_INVALID_CONTEXT);
  IS(clEnqueueNDRangeKernel(other.queue, a->k, 1, NULL, &eight, NULL, 0, NULL, NULL), CL_INVALID_CONTEXT);
  OK(clReleaseMemObject(m));
  OK(clReleaseEvent(e));
  host_close(&other);
}

static void wrong_properties(struct all *a) {
  cl_int e;
  const cl_context_properties bad[] = {77, 1, 0};
  const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
  CHECK(!clCreateContext(bad, 1, &a->h.device, NULL, NULL, &e) && e == CL_INVALID_PROPERTY);
  CHECK(!clCreateContext(NULL, 1, &a->h.device, NULL, a, &e) && e == CL_INVALID_VALUE);
  CHECK(!clCreateCommandQueueWithProperties(a->h.context, a->h.device, on_device, &e) &&
        e == CL_INVALID_QUEUE_PROPERTIES);
}

static void small_answers(struct all *a) {
  char c;
  size_t n;
  IS(clGetDeviceInfo(a->h.device, CL_DEVICE_NAME, 1, &c, NULL), CL_INVALID_VALUE);
  OK(clGetDeviceInfo(a->h.device, CL_DEVICE_NAME, 0, NULL, &n));
  CHECK(n > 1);
  IS(clGetContextInfo(a->h.context, 0x7777, 0, NULL, &n), CL_INVALID_VALUE);
  IS(clGetEventProfilingInfo((cl_event)a->k, CL_PROFILING_COMMAND_END, 8, &n, NULL), CL_INVALID_EVENT);
}

/* A context whose objects stay behind: nothing of it is touched again. */
static void leaves_open(struct all *a) {
  struct host other = host_open(0);
  cl_mem m = host_buffer(&other, 64, NULL);
  OK(clReleaseContext(other.context));
  OK(clReleaseCommandQueue(other.queue));
  OK(clReleaseMemObject(m));
  IS(clReleaseContext(other.context), CL_INVALID_CONTEXT);
  (void)a;
}

static void (*const hosts[])(struct all *) = {
    no_handles,       other_handles,    released_twice, used_after_release, released_while_set, sizes_that_overflow,
    too_large,        memory_ends,      no_argument,    wrong_arguments,    wrong_names,        wrong_groups,
    wrong_dimensions, no_room_in_group, traps_outside,  traps_misaligned,   wrong_lists,        two_contexts,
    wrong_properties, small_answers,    leaves_open,
};
enum { HOSTS = sizeof hosts / sizeof *hosts };

static void still_works(struct all *a) {
  int x[8] = {0};
  OK(clEnqueueFillBuffer(a->h.queue, a->m, x, 4, 0, sizeof x, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(a->h.queue, a->k, 1, NULL, &eight, NULL, 0, NULL, NULL));
  host_read(&a->h, a->m, sizeof x, x);
  for (int i = 0; i < 8; i++) CHECK(x[i] == i + 1);
}

int main(void) {
  struct all a = {.h = host_open(0)};
  a.program = host_build(&a.h, source, NULL);
  a.m = host_buffer(&a.h, 64, NULL);
  a.k = host_kernel(a.program, "put");
  OK(clSetKernelArg(a.k, 0, sizeof a.m, &a.m));
  for (unsigned i = 0; i < HOSTS; i++) {
    hosts[i](&a);
    still_works(&a);
  }
  OK(clReleaseKernel(a.k));
  OK(clReleaseMemObject(a.m));
  OK(clReleaseProgram(a.program));
  host_close(&a.h);
  printf("bad: %u well\n", HOSTS);
  return 0;
}
