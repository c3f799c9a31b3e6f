/* SPDX-License-Identifier: Apache-2.0
 * Kernels of a queue in order, which follow each other on the device: results, what their events tell and when, times;
 * one that goes wrong among them; copies and kernels that print between them. */
#include "tests/firmware/host/opencl/check.h"

#include <pthread.h>

enum { KERNELS = 20, WORDS = 32 };

static const char source[] = "kernel void next(global int *x, int i) { x[i + 1] = x[i] + 1; }\n"
                             "kernel void beyond(global int *x, int i) { x[i + 100000000] = 1; }\n";
static const char says[] = "kernel void says(global int *x, int i) { printf(\"x is %d\\n\", x[i]); }\n";

/* ---- what callbacks tell, in their order */

struct told {
  cl_int kernel, status;
};
static struct told told[4 * KERNELS];
static unsigned count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void CL_CALLBACK heard(cl_event e, cl_int status, void *kernel) {
  CHECK(e);
  pthread_mutex_lock(&lock);
  CHECK(count < sizeof told / sizeof *told);
  told[count++] = (struct told){(cl_int)(intptr_t)kernel, status};
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&lock);
}

static void wait_until_told(unsigned n) {
  pthread_mutex_lock(&lock);
  while (count < n) pthread_cond_wait(&change, &lock);
  CHECK(count == n);
  pthread_mutex_unlock(&lock);
}

/* ---- */

static cl_event run(const struct host *h, cl_program p, const char *name, cl_mem m, cl_int i, cl_event behind) {
  cl_kernel k = host_kernel(p, name);
  const size_t one = 1;
  cl_event e;
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  OK(clSetKernelArg(k, 1, sizeof i, &i));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &one, &one, behind != NULL, behind ? &behind : NULL, &e));
  OK(clReleaseKernel(k));
  return e;
}

static void listen(cl_event e, unsigned i) {
  void *kernel = (void *)(uintptr_t)i;
  OK(clSetEventCallback(e, CL_RUNNING, heard, kernel));
  OK(clSetEventCallback(e, CL_COMPLETE, heard, kernel));
}

static cl_mem words(const struct host *h, cl_int first) {
  const cl_int x[WORDS] = {first};
  return host_buffer(h, sizeof x, x);
}

static cl_ulong when(cl_event e, cl_profiling_info what) {
  cl_ulong t;
  OK(clGetEventProfilingInfo(e, what, sizeof t, &t, NULL));
  return t;
}

static void let_go(cl_event *e, unsigned n) {
  for (unsigned i = 0; i < n; i++) OK(clReleaseEvent(e[i]));
}

/* Each begins when the one before has ended, by its callbacks and by its times. */
static void one_behind_the_other(const struct host *h, cl_program p) {
  cl_event e[KERNELS + 1] = {host_user_event(h)};
  cl_int x[WORDS];
  cl_mem m = words(h, 7);
  count = 0;
  for (unsigned i = 0; i < KERNELS; i++) e[i + 1] = run(h, p, "next", m, (cl_int)i, i == 0 ? e[0] : NULL);
  for (unsigned i = 0; i < KERNELS; i++) listen(e[i + 1], i);
  for (unsigned i = 0; i < KERNELS; i++) CHECK(host_status(e[i + 1]) == CL_SUBMITTED);
  OK(clSetUserEventStatus(e[0], CL_COMPLETE));
  OK(clFinish(h->queue));
  wait_until_told(2 * KERNELS);
  for (unsigned i = 0; i < KERNELS; i++) {
    CHECK(told[2 * i].kernel == (cl_int)i && told[2 * i].status == CL_RUNNING);
    CHECK(told[2 * i + 1].kernel == (cl_int)i && told[2 * i + 1].status == CL_COMPLETE);
    CHECK(when(e[i + 1], CL_PROFILING_COMMAND_START) + 1 < when(e[i + 1], CL_PROFILING_COMMAND_END));
    if (i > 0) CHECK(when(e[i], CL_PROFILING_COMMAND_END) <= when(e[i + 1], CL_PROFILING_COMMAND_START));
  }
  host_read(h, m, sizeof x, x);
  for (cl_int i = 0; i <= KERNELS; i++) CHECK(x[i] == 7 + i);
  let_go(e, KERNELS + 1);
  OK(clReleaseMemObject(m));
}

/* The third goes wrong: it alone, what waits for it by a list, and, once, the queue are told. The others run. */
static void one_goes_wrong(const struct host *h, cl_program p) {
  enum { ALL = 7, BAD = 2, WAITS = 5 };
  cl_event e[ALL + 1] = {host_user_event(h)};
  cl_int x[WORDS], i = 0;
  cl_mem m = words(h, 1);
  count = 0;
  for (unsigned k = 0; k < ALL; k++) {
    const bool bad = k == BAD;
    e[k + 1] = run(h, p, bad ? "beyond" : "next", m, i, k == 0 ? e[0] : k == WAITS ? e[BAD + 1] : NULL);
    i += !bad && k != WAITS;
  }
  for (unsigned k = 0; k < ALL; k++) listen(e[k + 1], k);
  OK(clSetUserEventStatus(e[0], CL_COMPLETE));
  IS(clFinish(h->queue), CL_OUT_OF_RESOURCES);
  OK(clFinish(h->queue));
  wait_until_told(2 * ALL);
  for (unsigned k = 0; k < ALL; k++) {
    const cl_int end = k == BAD     ? CL_OUT_OF_RESOURCES
                       : k == WAITS ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                                    : CL_COMPLETE;
    CHECK(told[2 * k].kernel == (cl_int)k && told[2 * k + 1].kernel == (cl_int)k);
    CHECK(told[2 * k].status == (k == WAITS ? end : CL_RUNNING) && told[2 * k + 1].status == end);
    CHECK(host_status(e[k + 1]) == end);
  }
  host_read(h, m, sizeof x, x);
  for (cl_int k = 0; k < WORDS; k++) CHECK(x[k] == (k <= i ? 1 + k : 0));
  let_go(e, ALL + 1);
  OK(clReleaseMemObject(m));
}

/* Copies wait for kernels, and kernels for them; what is printed is of its time. */
static void others_between(const struct host *h, cl_program p) {
  cl_program printing = host_build(h, says, NULL);
  cl_int x[2] = {0}, y = 40;
  cl_event e[7];
  cl_mem m = words(h, 2);
  e[0] = run(h, p, "next", m, 0, NULL);
  e[1] = run(h, printing, "says", m, 1, NULL);
  e[2] = run(h, p, "next", m, 1, NULL);
  OK(clEnqueueReadBuffer(h->queue, m, CL_FALSE, 4, sizeof x, x, 0, NULL, &e[3]));
  OK(clEnqueueWriteBuffer(h->queue, m, CL_FALSE, 8, sizeof y, &y, 0, NULL, &e[4]));
  e[5] = run(h, p, "next", m, 2, NULL);
  e[6] = run(h, printing, "says", m, 3, NULL);
  OK(clWaitForEvents(7, e));
  CHECK(x[0] == 3 && x[1] == 4);
  let_go(e, 7);
  OK(clReleaseMemObject(m));
  OK(clReleaseProgram(printing));
}

int main(void) {
  struct host h = host_open(CL_QUEUE_PROFILING_ENABLE);
  cl_program p = host_build(&h, source, NULL);
  one_behind_the_other(&h, p);
  one_goes_wrong(&h, p);
  others_between(&h, p);
  OK(clReleaseProgram(p));
  host_close(&h);
  puts("queue: well");
  return 0;
}
