/* SPDX-License-Identifier: Apache-2.0
 * Common to the OpenCL hosts of these tests. */
#ifndef HEDDLE_TEST_OPENCL_CHECK_H
#define HEDDLE_TEST_OPENCL_CHECK_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(X)                                                                                                       \
  do {                                                                                                                 \
    if (!(X)) {                                                                                                        \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #X);                                                                   \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)
/* A call and its error. */
#define IS(X, E)                                                                                                       \
  do {                                                                                                                 \
    const cl_int is_ = (X);                                                                                            \
    if (is_ != (E)) {                                                                                                  \
      printf("%s:%d: %s is %d, expected %d\n", __FILE__, __LINE__, #X, is_, (int)(E));                                 \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)
#define OK(X) IS(X, CL_SUCCESS)

struct host {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
};

static inline struct host host_open(cl_command_queue_properties bits) {
  struct host h;
  cl_int e;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, bits, 0};
  OK(clGetPlatformIDs(1, &h.platform, NULL));
  OK(clGetDeviceIDs(h.platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL));
  h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &e);
  OK(e);
  h.queue = clCreateCommandQueueWithProperties(h.context, h.device, properties, &e);
  OK(e);
  return h;
}

static inline void host_close(struct host *h) {
  OK(clReleaseCommandQueue(h->queue));
  OK(clReleaseContext(h->context));
}

static inline cl_program host_build(const struct host *h, const char *source, const char *options) {
  cl_int e;
  cl_program p = clCreateProgramWithSource(h->context, 1, &source, NULL, &e);
  OK(e);
  e = clBuildProgram(p, 0, NULL, options, NULL, NULL);
  if (e != CL_SUCCESS) {
    char log[8192] = "";
    (void)clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("%s\n", log);
  }
  OK(e);
  return p;
}

static inline cl_kernel host_kernel(cl_program p, const char *name) {
  cl_int e;
  cl_kernel k = clCreateKernel(p, name, &e);
  OK(e);
  return k;
}

static inline cl_mem host_buffer(const struct host *h, size_t bytes, const void *from) {
  cl_int e;
  cl_mem m = clCreateBuffer(h->context, CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0), bytes,
                            (void *)(uintptr_t)from, &e);
  OK(e);
  return m;
}

static inline void host_read(const struct host *h, cl_mem m, size_t bytes, void *to) {
  OK(clEnqueueReadBuffer(h->queue, m, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

static inline cl_event host_user_event(const struct host *h) {
  cl_int e;
  cl_event event = clCreateUserEvent(h->context, &e);
  OK(e);
  return event;
}

static inline cl_int host_status(cl_event e) {
  cl_int status;
  OK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

#endif
