/* SPDX-License-Identifier: Apache-2.0
 * Threads that call at once: one context with a queue for each, objects that come and go, callbacks, a build each. */
#include "tests/firmware/host/opencl/check.h"

#include <pthread.h>

enum { THREADS = 6, ROUNDS = 12, N = 32 };

static struct host shared;
static cl_program program;

static const char source[] = "kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static unsigned heard;

static void CL_CALLBACK hear(cl_event e, cl_int status, void *data) {
  (void)e, (void)data;
  CHECK(status == CL_COMPLETE);
  pthread_mutex_lock(&lock);
  heard++;
  pthread_cond_signal(&change);
  pthread_mutex_unlock(&lock);
}

static void one_round(struct host *h, cl_kernel k, int number) {
  int x[N] = {0};
  const size_t global = N;
  cl_event gate = host_user_event(h), e[2];
  cl_mem m = host_buffer(h, sizeof x, x);
  OK(clSetKernelArg(k, 0, sizeof m, &m));
  OK(clSetKernelArg(k, 1, sizeof number, &number));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, NULL, 1, &gate, &e[0]));
  OK(clEnqueueNDRangeKernel(h->queue, k, 1, NULL, &global, NULL, 1, &e[0], &e[1]));
  OK(clSetEventCallback(e[1], CL_COMPLETE, hear, NULL));
  OK(clReleaseMemObject(m)); /* the kernel has it */
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clEnqueueReadBuffer(h->queue, m, CL_TRUE, 0, sizeof x, x, 1, &e[1], NULL));
  for (int i = 0; i < N; i++) CHECK(x[i] == 2 * number);
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(e[0]));
  OK(clReleaseEvent(e[1]));
}

static void *work(void *data) {
  const int number = *(int *)data;
  struct host h = shared;
  char own[200];
  cl_int e;
  h.queue = clCreateCommandQueueWithProperties(h.context, h.device, NULL, &e);
  OK(e);
  cl_kernel k = host_kernel(program, "add");
  for (int i = 0; i < ROUNDS; i++) one_round(&h, k, 100 * number + i);
  OK(clReleaseKernel(k));
  snprintf(own, sizeof own, "kernel void add(global int *x, int n) { x[get_global_id(0)] += n + %d - %d; }", number,
           number);
  cl_program p = host_build(&h, own, NULL);
  k = host_kernel(p, "add");
  one_round(&h, k, number);
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(p));
  OK(clReleaseCommandQueue(h.queue));
  return NULL;
}

int main(void) {
  pthread_t thread[THREADS];
  int number[THREADS];
  shared = host_open(0);
  program = host_build(&shared, source, NULL);
  for (int i = 0; i < THREADS; i++) {
    number[i] = i + 1;
    CHECK(pthread_create(&thread[i], NULL, work, &number[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) CHECK(pthread_join(thread[i], NULL) == 0);
  OK(clReleaseProgram(program));
  pthread_mutex_lock(&lock);
  while (heard < THREADS * (ROUNDS + 1)) pthread_cond_wait(&change, &lock);
  pthread_mutex_unlock(&lock);
  host_close(&shared);
  printf("threads: well\n");
  return 0;
}
