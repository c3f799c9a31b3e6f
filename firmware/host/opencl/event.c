/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands are events: what all have in common, those that do nothing else (markers, barriers), how far each is. */
#include <stdlib.h>
#include <string.h>
#include "firmware/host/opencl/internal.h"

static cl_int ocl_wait_for(cl_event e);

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

/* ---- how far a command is, who waits for it */

void ocl_event_gone(cl_event e) {
  for (cl_uint i = 0; i < e->wait_count; i++) ocl_drop(e->waits[i]);
  free(e->waits);
  for (struct ocl_call *c = e->callbacks, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  for (cl_uint i = 0; i < e->mem_count; i++) ocl_drop(e->mems[i]);
  free(e->mems);
  ocl_arguments_free(e->launch.argument, e->launch.arguments);
  ocl_drop(e->launch.kernel);
  ocl_drop(e->from);
  ocl_drop(e->to);
  ocl_drop(e->queue);
  ocl_drop(e->context);
}

/* ---- callbacks */

static void call_back(struct ocl_call *c) {
  void(CL_CALLBACK * f)(cl_event, cl_int, void *);
  f = (void(CL_CALLBACK *)(cl_event, cl_int, void *))c->function;
  f(c->handle, c->status, c->data);
  ocl_enter();
  ocl_drop(c->handle);
  ocl_unlock();
}

/* The event is held until its callback has been called. */
static void call_soon(cl_event e, const struct ocl_call *c) {
  struct ocl_call now = *c;
  now.status = e->status < 0 ? e->status : c->status;
  ocl_hold(e);
  if (!ocl_call_later(now)) ocl_drop(e);
}

void ocl_event_status(cl_event e, cl_int status) {
  e->status = status;
  for (struct ocl_call **c = &e->callbacks; *c;) {
    struct ocl_call *one = *c;
    if (one->status < status) {
      c = &one->next;
      continue;
    }
    *c = one->next;
    call_soon(e, one);
    free(one);
  }
  ocl_changed();
}

cl_int clSetEventCallback(cl_event e, cl_int status, void(CL_CALLBACK *f)(cl_event, cl_int, void *), void *data) {
  ocl_enter();
  if (!ocl_is(e, OCL_EVENT)) return ocl_leave(CL_INVALID_EVENT);
  if (!f || (status != CL_SUBMITTED && status != CL_RUNNING && status != CL_COMPLETE))
    return ocl_leave(CL_INVALID_VALUE);
  if (!ocl_worker_start(e->context)) return ocl_leave(CL_OUT_OF_HOST_MEMORY);
  const struct ocl_call now = {NULL, e->context->worker, call_back, (void (*)(void))f, e, data, status};
  if (e->status <= status) {
    call_soon(e, &now);
    return ocl_leave(CL_SUCCESS);
  }
  struct ocl_call *c = malloc(sizeof *c), **end = &e->callbacks;
  if (!c) return ocl_leave(CL_OUT_OF_HOST_MEMORY);
  *c = now;
  while (*end) end = &(*end)->next;
  *end = c;
  return ocl_leave(CL_SUCCESS);
}

/* ---- of the user */

cl_event clCreateUserEvent(cl_context c, cl_int *error) {
  cl_int e = CL_SUCCESS;
  cl_event event = NULL;
  ocl_enter();
  if (!ocl_is(c, OCL_CONTEXT))
    e = CL_INVALID_CONTEXT;
  else if (!(event = ocl_new(OCL_EVENT)))
    e = CL_OUT_OF_HOST_MEMORY;
  if (event) {
    event->context = c;
    ocl_hold(c);
    event->type = CL_COMMAND_USER;
    event->status = CL_SUBMITTED;
  }
  if (error) *error = e;
  (void)ocl_leave(e);
  return event;
}

cl_int clSetUserEventStatus(cl_event e, cl_int status) {
  ocl_enter();
  if (!ocl_is(e, OCL_EVENT) || e->queue) return ocl_leave(CL_INVALID_EVENT);
  if (status > CL_COMPLETE) return ocl_leave(CL_INVALID_VALUE);
  if (e->status <= CL_COMPLETE) return ocl_leave(CL_INVALID_OPERATION);
  ocl_event_status(e, status);
  return ocl_leave(CL_SUCCESS);
}

/* ---- counted, waited for, asked */

cl_int clRetainEvent(cl_event e) {
  ocl_enter();
  return ocl_leave(ocl_retain(e, OCL_EVENT));
}

cl_int clReleaseEvent(cl_event e) {
  ocl_enter();
  return ocl_leave(ocl_release(e, OCL_EVENT));
}

/* its status: CL_COMPLETE, or an error */
static cl_int ocl_wait_for(cl_event e) {
  ocl_hold(e);
  while (e->status > CL_COMPLETE) ocl_wait();
  const cl_int status = e->status;
  ocl_drop(e);
  return status;
}

static cl_int check_event_list(cl_uint count, const cl_event *list) {
  if (count == 0 || !list) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; i++) {
    if (!ocl_is(list[i], OCL_EVENT)) return CL_INVALID_EVENT;
    if (list[i]->context != list[0]->context) return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}

cl_int clWaitForEvents(cl_uint count, const cl_event *list) {
  ocl_enter();
  cl_int e = check_event_list(count, list);
  if (e != CL_SUCCESS) return ocl_leave(e);
  for (cl_uint i = 0; i < count; i++) ocl_hold(list[i]);
  for (cl_uint i = 0; i < count; i++)
    if (ocl_wait_for(list[i]) < 0) e = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++) ocl_drop(list[i]);
  return ocl_leave(e);
}

static cl_int answer_event(const struct _cl_event *e, cl_event_info what, const struct ocl_answer *a) {
  switch (what) {
  case CL_EVENT_COMMAND_QUEUE:
    return ocl_answer_pointer(a, e->queue);
  case CL_EVENT_CONTEXT:
    return ocl_answer_pointer(a, e->context);
  case CL_EVENT_COMMAND_TYPE:
    return ocl_answer_uint(a, e->type);
  case CL_EVENT_COMMAND_EXECUTION_STATUS:
    return ocl_answer(a, &e->status, sizeof e->status);
  case CL_EVENT_REFERENCE_COUNT:
    return ocl_answer_uint(a, e->o.refs);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t room, void *to, size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  return ocl_leave(ocl_is(e, OCL_EVENT) ? answer_event(e, what, &a) : CL_INVALID_EVENT);
}

cl_int clGetEventProfilingInfo(cl_event e, cl_profiling_info what, size_t room, void *to, size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  if (!ocl_is(e, OCL_EVENT)) return ocl_leave(CL_INVALID_EVENT);
  if (!e->queue || !(e->queue->properties & CL_QUEUE_PROFILING_ENABLE) || e->status != CL_COMPLETE)
    return ocl_leave(CL_PROFILING_INFO_NOT_AVAILABLE);
  cl_uint i = what - CL_PROFILING_COMMAND_QUEUED;
  if (what == CL_PROFILING_COMMAND_COMPLETE) i = 3; /* nothing is launched by kernels */
  return ocl_leave(i < 4 ? ocl_answer_ulong(&a, e->time[i]) : CL_INVALID_VALUE);
}
