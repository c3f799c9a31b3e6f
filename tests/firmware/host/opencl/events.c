/* SPDX-License-Identifier: Apache-2.0
 * Events: of users, callbacks, queues without an order, markers and barriers, times. */
#include "tests/firmware/host/opencl/check.h"

#include <pthread.h>

static const char source[] = "kernel void put(global int *x, int i, int v) { x[i] = v; }\n"
                             "kernel void take(global int *x, int i, int j) { x[i] = x[j] + 1; }\n";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void CL_CALLBACK heard(cl_event e, cl_int status, void *data) {
  CHECK(e);
  pthread_mutex_lock(&lock);
  *(cl_int *)data = status;
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&lock);
}

static void wait_until(const cl_int *what, cl_int status) {
  pthread_mutex_lock(&lock);
  while (*what != status) pthread_cond_wait(&change, &lock);
  pthread_mutex_unlock(&lock);
}

static cl_event run(const struct host *h, cl_kernel k, cl_mem m, cl_int i, cl_int v, cl_uint n, const cl_event *list) {
  cl_event e;
  const size_t one = 1;
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  OK(clSetKernelArg(k, 1, sizeof i, &i));
  OK(clSetKernelArg(k, 2, sizeof v, &v));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &one, &one, n, list, &e));
  return e;
}

/* The first waits for the user; the second, which came later, does not: the queue has no order. */
static void without_order(const struct host *h, cl_program p) {
  cl_int x[4] = {0}, heard_run = 1, heard_end = 1, heard_user = 1;
  cl_mem m = host_buffer(h, sizeof x, x);
  cl_kernel put = host_kernel(p, "put"), take = host_kernel(p, "take");
  cl_event user = host_user_event(h), e[4];
  e[0] = run(h, take, m, 0, 1, 1, &user);
  e[1] = run(h, put, m, 1, 41, 0, NULL);
  OK(clSetEventCallback(e[0], CL_RUNNING, heard, &heard_run));
  OK(clSetEventCallback(e[0], CL_COMPLETE, heard, &heard_end));
  OK(clSetEventCallback(user, CL_COMPLETE, heard, &heard_user));
  OK(clWaitForEvents(1, &e[1]));
  CHECK(host_status(e[0]) == CL_SUBMITTED && host_status(e[1]) == CL_COMPLETE);
  OK(clEnqueueMarkerWithWaitList(h->queue, 0, NULL, &e[2]));
  OK(clEnqueueBarrierWithWaitList(h->queue, 0, NULL, &e[3]));
  cl_event late = run(h, put, m, 2, 5, 0, NULL);
  CHECK(host_status(e[2]) > CL_COMPLETE && host_status(e[3]) > CL_COMPLETE && host_status(late) > CL_COMPLETE);
  OK(clSetUserEventStatus(user, CL_COMPLETE));
  IS(clSetUserEventStatus(user, CL_COMPLETE), CL_INVALID_OPERATION);
  OK(clFinish(h->queue));
  wait_until(&heard_run, CL_RUNNING);
  wait_until(&heard_end, CL_COMPLETE);
  wait_until(&heard_user, CL_COMPLETE);
  host_read(h, m, sizeof x, x);
  CHECK(x[0] == 42 && x[1] == 41 && x[2] == 5);
  for (unsigned i = 0; i < 4; i++) OK(clReleaseEvent(e[i]));
  OK(clReleaseEvent(late));
  OK(clReleaseEvent(user));
  OK(clReleaseKernel(put));
  OK(clReleaseKernel(take));
  OK(clReleaseMemObject(m));
}

/* What waits for something that failed fails, and runs nothing. */
static void failed(const struct host *h, cl_program p) {
  cl_int x[2] = {7, 7}, heard_end = 1;
  cl_mem m = host_buffer(h, sizeof x, x);
  cl_kernel put = host_kernel(p, "put");
  cl_event user = host_user_event(h), e = run(h, put, m, 0, 1, 1, &user), next = run(h, put, m, 1, 2, 1, &e);
  OK(clSetEventCallback(next, CL_COMPLETE, heard, &heard_end));
  OK(clSetUserEventStatus(user, -77));
  IS(clWaitForEvents(1, &user), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  IS(clWaitForEvents(1, &next), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(host_status(user) == -77 && host_status(next) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  wait_until(&heard_end, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  host_read(h, m, sizeof x, x);
  CHECK(x[0] == 7 && x[1] == 7);
  IS(clEnqueueReadBuffer(h->queue, m, CL_TRUE, 0, sizeof x, x, 1, &user, NULL),
     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  OK(clReleaseEvent(user));
  OK(clReleaseEvent(e));
  OK(clReleaseEvent(next));
  OK(clReleaseKernel(put));
  OK(clReleaseMemObject(m));
}

static void times(const struct host *h, cl_program p) {
  const cl_profiling_info what[4] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                     CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
  cl_int x[2] = {0};
  cl_ulong t[2][4];
  cl_mem m = host_buffer(h, sizeof x, x);
  cl_kernel put = host_kernel(p, "put");
  cl_event e[2] = {run(h, put, m, 0, 1, 0, NULL), NULL};
  OK(clFinish(h->queue));
  e[1] = run(h, put, m, 0, 1, 0, NULL);
  OK(clFinish(h->queue));
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < 4; i++) OK(clGetEventProfilingInfo(e[k], what[i], sizeof(cl_ulong), &t[k][i], NULL));
  for (unsigned k = 0; k < 2; k++) CHECK(t[k][0] <= t[k][1] && t[k][1] <= t[k][2] && t[k][2] + 1 < t[k][3]);
  CHECK(t[0][3] <= t[1][0]);
  OK(clReleaseEvent(e[0]));
  OK(clReleaseEvent(e[1]));
  OK(clReleaseKernel(put));
  OK(clReleaseMemObject(m));
}

int main(void) {
  struct host h = host_open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  cl_program p = host_build(&h, source, NULL);
  without_order(&h, p);
  failed(&h, p);
  times(&h, p);
  OK(clReleaseProgram(p));
  host_close(&h);
  puts("events: well");
  return 0;
}
