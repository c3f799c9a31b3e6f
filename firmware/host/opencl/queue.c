/* SPDX-License-Identifier: Apache-2.0
 * Command queues. */
#include "firmware/host/opencl/internal.h"

#include <string.h>

#define ON_HOST (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
#define KNOWN (ON_HOST | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)

static cl_int check_bits(cl_command_queue_properties bits) {
  if (bits & ~(cl_command_queue_properties)KNOWN) return CL_INVALID_VALUE;
  return bits & ~(cl_command_queue_properties)ON_HOST ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS;
}

static cl_command_queue create_queue(cl_context c, cl_device_id d, cl_command_queue_properties bits, cl_int *error) {
  *error = !ocl_is(c, OCL_CONTEXT) ? CL_INVALID_CONTEXT : !ocl_has_device(c, d) ? CL_INVALID_DEVICE : check_bits(bits);
  if (*error != CL_SUCCESS) return NULL;
  cl_command_queue q = ocl_worker_start(c) ? ocl_new(OCL_QUEUE) : NULL;
  if (!q) {
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  q->context = c;
  ocl_hold(c);
  q->device = d;
  q->properties = bits;
  return q;
}

cl_command_queue clCreateCommandQueue(cl_context c, cl_device_id d, cl_command_queue_properties bits, cl_int *error) {
  cl_int e;
  ocl_enter();
  cl_command_queue q = create_queue(c, d, bits, &e);
  if (error) *error = e;
  (void)ocl_leave(e);
  return q;
}

static cl_int read_properties(const cl_queue_properties *p, cl_command_queue_properties *bits, cl_uint *count) {
  bool seen = false;
  *bits = 0;
  *count = 0;
  for (; p && p[*count] != 0; *count += 2) {
    if (p[*count] == CL_QUEUE_SIZE) return CL_INVALID_QUEUE_PROPERTIES; /* of queues on the device */
    if (p[*count] != CL_QUEUE_PROPERTIES || seen) return CL_INVALID_VALUE;
    seen = true;
    *bits = p[*count + 1];
  }
  if (p) ++*count;
  return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context c, cl_device_id d, const cl_queue_properties *p,
                                                    cl_int *error) {
  cl_command_queue_properties bits;
  cl_command_queue q = NULL;
  cl_uint count;
  cl_int e;
  ocl_enter();
  e = !ocl_is(c, OCL_CONTEXT) ? CL_INVALID_CONTEXT
      : !ocl_has_device(c, d) ? CL_INVALID_DEVICE
                              : read_properties(p, &bits, &count);
  if (e == CL_SUCCESS) q = create_queue(c, d, bits, &e);
  if (q) {
    if (p) memcpy(q->given, p, count * sizeof *p); /* at most one property, and the 0 */
    q->given_count = count;
  }
  if (error) *error = e;
  (void)ocl_leave(e);
  return q;
}

cl_int clRetainCommandQueue(cl_command_queue q) {
  ocl_enter();
  return ocl_leave(ocl_retain(q, OCL_QUEUE));
}

cl_int clReleaseCommandQueue(cl_command_queue q) {
  ocl_enter();
  return ocl_leave(ocl_release(q, OCL_QUEUE));
}

static cl_int answer_queue(const struct _cl_command_queue *q, cl_command_queue_info what, const struct ocl_answer *a) {
  switch (what) {
  case CL_QUEUE_CONTEXT:
    return ocl_answer_pointer(a, q->context);
  case CL_QUEUE_DEVICE:
    return ocl_answer_pointer(a, q->device);
  case CL_QUEUE_REFERENCE_COUNT:
    return ocl_answer_uint(a, q->o.refs);
  case CL_QUEUE_PROPERTIES:
    return ocl_answer_ulong(a, q->properties);
  case CL_QUEUE_SIZE:
    return CL_INVALID_COMMAND_QUEUE; /* none on the device */
  case CL_QUEUE_DEVICE_DEFAULT:
    return ocl_answer_pointer(a, NULL);
  case CL_QUEUE_PROPERTIES_ARRAY:
    return ocl_answer(a, q->given, q->given_count * sizeof *q->given);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info what, size_t room, void *to, size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  return ocl_leave(ocl_is(q, OCL_QUEUE) ? answer_queue(q, what, &a) : CL_INVALID_COMMAND_QUEUE);
}

/* Gone since OpenCL 1.1. */
cl_int clSetCommandQueueProperty(cl_command_queue q, cl_command_queue_properties bits, cl_bool enable,
                                 cl_command_queue_properties *old) {
  (void)bits, (void)enable, (void)old;
  ocl_enter();
  return ocl_leave(ocl_is(q, OCL_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE);
}

/* Commands begin by themselves. */
cl_int clFlush(cl_command_queue q) {
  ocl_enter();
  return ocl_leave(ocl_is(q, OCL_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE);
}

/* A command that failed on the way is told here, once: not all hosts look at events. */
cl_int clFinish(cl_command_queue q) {
  ocl_enter();
  if (!ocl_is(q, OCL_QUEUE)) return ocl_leave(CL_INVALID_COMMAND_QUEUE);
  ocl_hold(q);
  while (ocl_worker_has(q->context, q)) ocl_wait();
  const cl_int e = q->failed ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
  q->failed = false;
  ocl_drop(q);
  return ocl_leave(e);
}
