/* SPDX-License-Identifier: Apache-2.0
 * What all commands have in common, and those that do nothing else: markers, barriers. */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>
#include <string.h>

static cl_int check_wait_list(cl_context c, cl_uint count, const cl_event *list) {
  if ((count > 0) != (list != NULL)) return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++) {
    if (!ocl_is(list[i], OCL_EVENT)) return CL_INVALID_EVENT_WAIT_LIST;
    if (list[i]->context != c) return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}

static cl_event new_event(cl_command_queue q, cl_command_type type, cl_uint count) {
  cl_event e = ocl_new(OCL_EVENT);
  cl_event *waits = count > 0 ? calloc(count, sizeof(cl_event)) : NULL;
  if (!e || (count > 0 && !waits)) {
    free(waits);
    if (e) ocl_unref(e);
    return NULL;
  }
  e->context = q->context;
  ocl_hold(e->context);
  e->queue = q;
  ocl_hold(q);
  e->type = type;
  e->status = CL_QUEUED;
  e->waits = waits;
  e->wait_count = count;
  return e;
}

cl_int ocl_command(cl_command_queue q, cl_command_type type, cl_uint count, const cl_event *list, cl_event *out) {
  if (!ocl_is(q, OCL_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  const cl_int error = check_wait_list(q->context, count, list);
  if (error != CL_SUCCESS) return error;
  cl_event e = new_event(q, type, count);
  if (!e) return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < count; i++) {
    e->waits[i] = list[i];
    ocl_hold(list[i]);
  }
  *out = e;
  return CL_SUCCESS;
}

void ocl_command_forget(cl_event e) {
  ocl_unref(e);
}

static bool any_failed(const struct _cl_event *e) {
  for (cl_uint i = 0; i < e->wait_count; i++)
    if (e->waits[i]->status < 0) return true;
  return false;
}

cl_int ocl_submit(cl_event e, bool blocking, cl_event *event) {
  cl_int error = CL_SUCCESS;
  e->time[0] = e->time[1] = e->queue->device->cycles;
  ocl_hold(e); /* the worker's */
  ocl_event_status(e, CL_SUBMITTED);
  ocl_worker_add(e->context, e);
  if (blocking) error = ocl_wait_for(e);
  if (error == CL_COMPLETE) error = CL_SUCCESS;
  if (blocking && error != CL_SUCCESS && any_failed(e)) error = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (event && error == CL_SUCCESS)
    *event = e;
  else
    ocl_unref(e);
  return error;
}

/* ---- public */

static cl_int enqueue_marker(cl_command_queue q, bool barrier, cl_uint count, const cl_event *list, cl_event *event) {
  cl_event e;
  ocl_enter();
  const cl_int error = ocl_command(q, barrier ? CL_COMMAND_BARRIER : CL_COMMAND_MARKER, count, list, &e);
  if (error != CL_SUCCESS) return ocl_leave(error);
  e->waits_for_all = count == 0;
  e->blocks = barrier;
  return ocl_leave(ocl_submit(e, false, event));
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint count, const cl_event *list, cl_event *event) {
  return enqueue_marker(q, false, count, list, event);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint count, const cl_event *list, cl_event *event) {
  return enqueue_marker(q, true, count, list, event);
}

cl_int clEnqueueMarker(cl_command_queue q, cl_event *event) {
  return event ? enqueue_marker(q, false, 0, NULL, event) : CL_INVALID_VALUE;
}

cl_int clEnqueueBarrier(cl_command_queue q) {
  return enqueue_marker(q, true, 0, NULL, NULL);
}

cl_int clEnqueueWaitForEvents(cl_command_queue q, cl_uint count, const cl_event *list) {
  if (count == 0 || !list) return CL_INVALID_VALUE;
  const cl_int e = enqueue_marker(q, true, count, list, NULL);
  return e == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : e;
}

/* Kernels of the host: the device runs none. */
cl_int clEnqueueNativeKernel(cl_command_queue q, void(CL_CALLBACK *f)(void *), void *arguments, size_t bytes,
                             cl_uint mems, const cl_mem *list, const void **at, cl_uint count, const cl_event *waits,
                             cl_event *event) {
  (void)f, (void)arguments, (void)bytes, (void)mems, (void)list, (void)at, (void)count, (void)waits, (void)event;
  ocl_enter();
  return ocl_leave(ocl_is(q, OCL_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE);
}
