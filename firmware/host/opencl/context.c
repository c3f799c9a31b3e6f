/* SPDX-License-Identifier: Apache-2.0
 * Contexts. */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>
#include <string.h>

bool ocl_has_device(const struct _cl_context *c, const void *device) {
  for (cl_uint i = 0; i < c->devices; i++)
    if (c->device[i] == device) return true;
  return false;
}

static void call_destructor(struct ocl_call *c) {
  void(CL_CALLBACK * f)(cl_context, void *);
  f = (void(CL_CALLBACK *)(cl_context, void *))c->function;
  f(c->handle, c->data);
}

void ocl_context_gone(cl_context c) {
  for (struct ocl_call *d = c->destructors, *next; d; d = next) {
    next = d->next;
    (void)ocl_call_later(*d);
    free(d);
  }
  if (c->worker) ocl_worker_end(c->worker);
}

/* Which platform, and no sharing with anybody. */
static cl_int take_properties(cl_context c, const cl_context_properties *p) {
  enum { ROOM = sizeof c->properties / sizeof *c->properties };
  bool platform = false, sync = false;
  for (cl_uint i = 0; p && p[i] != 0; i += 2) {
    if (i + 2 >= ROOM) return CL_INVALID_PROPERTY;
    bool *seen = p[i] == CL_CONTEXT_PLATFORM ? &platform : p[i] == CL_CONTEXT_INTEROP_USER_SYNC ? &sync : NULL;
    if (!seen || *seen) return CL_INVALID_PROPERTY;
    *seen = true;
    if (seen == &platform && p[i + 1] != (cl_context_properties)(uintptr_t)&ocl_platform) return CL_INVALID_PLATFORM;
    if (seen == &sync && p[i + 1] != CL_TRUE && p[i + 1] != CL_FALSE) return CL_INVALID_PROPERTY;
    memcpy(c->properties + i, p + i, 2 * sizeof *p);
    c->property_count = i + 2;
  }
  if (p) c->property_count++;
  return CL_SUCCESS;
}

static cl_int take_devices(cl_context c, cl_uint n, const cl_device_id *devices) {
  for (cl_uint i = 0; i < n; i++) {
    if (!ocl_is_device(devices[i])) return CL_INVALID_DEVICE;
    if (!ocl_has_device(c, devices[i])) c->device[c->devices++] = devices[i];
  }
  return CL_SUCCESS;
}

/* Boards are opened here: who has a context has its devices. */
static cl_int open_boards(cl_uint n, const cl_device_id *devices) {
  for (cl_uint i = 0; i < n; i++) {
    if (!ocl_is_device(devices[i])) return CL_INVALID_DEVICE;
    const cl_int e = ocl_board_enter(devices[i]);
    if (e != CL_SUCCESS) return e;
    ocl_board_leave(devices[i]);
  }
  return CL_SUCCESS;
}

static cl_context create_context(const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
                                 ocl_notify notify, void *data, cl_int *error) {
  ocl_enter();
  cl_context c = ocl_new(OCL_CONTEXT);
  *error = c ? take_properties(c, properties) : CL_OUT_OF_HOST_MEMORY;
  if (*error == CL_SUCCESS) *error = take_devices(c, n, devices);
  if (c) c->notify = notify, c->notify_data = data;
  if (c && *error != CL_SUCCESS) ocl_unref(c), c = NULL;
  (void)ocl_leave(CL_SUCCESS);
  if (!c) return NULL;
  *error = open_boards(n, devices);
  if (*error == CL_SUCCESS) return c;
  (void)clReleaseContext(c);
  return NULL;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
                           ocl_notify notify, void *data, cl_int *error) {
  cl_int e = CL_SUCCESS;
  cl_context c = NULL;
  if (!devices || n == 0 || n > OCL_DEVICES_MAX || (!notify && data))
    e = CL_INVALID_VALUE;
  else
    c = create_context(properties, n, devices, notify, data, &e);
  if (error) *error = e;
  return c;
}

cl_context clCreateContextFromType(const cl_context_properties *properties, cl_device_type type, ocl_notify notify,
                                   void *data, cl_int *error) {
  cl_device_id devices[OCL_DEVICES_MAX];
  cl_uint n = 0;
  cl_int e = clGetDeviceIDs(NULL, type, OCL_DEVICES_MAX, devices, &n);
  if (e == CL_SUCCESS) {
    const cl_uint chosen = type == CL_DEVICE_TYPE_DEFAULT ? 1 : n;
    return clCreateContext(properties, chosen, devices, notify, data, error);
  }
  if (error) *error = e;
  return NULL;
}

cl_int clRetainContext(cl_context c) {
  ocl_enter();
  return ocl_leave(ocl_retain(c, OCL_CONTEXT));
}

cl_int clReleaseContext(cl_context c) {
  ocl_enter();
  return ocl_leave(ocl_release(c, OCL_CONTEXT));
}

static cl_int answer_context(const struct _cl_context *c, cl_context_info what, const struct ocl_answer *a) {
  switch (what) {
  case CL_CONTEXT_REFERENCE_COUNT:
    return ocl_answer_uint(a, c->o.refs);
  case CL_CONTEXT_NUM_DEVICES:
    return ocl_answer_uint(a, c->devices);
  case CL_CONTEXT_DEVICES:
    return ocl_answer(a, c->device, c->devices * sizeof *c->device);
  case CL_CONTEXT_PROPERTIES:
    return ocl_answer(a, c->properties, c->property_count * sizeof *c->properties);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetContextInfo(cl_context c, cl_context_info what, size_t room, void *to, size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  return ocl_leave(ocl_is(c, OCL_CONTEXT) ? answer_context(c, what, &a) : CL_INVALID_CONTEXT);
}

cl_int clSetContextDestructorCallback(cl_context c, void(CL_CALLBACK *f)(cl_context, void *), void *data) {
  ocl_enter();
  if (!ocl_is(c, OCL_CONTEXT)) return ocl_leave(CL_INVALID_CONTEXT);
  if (!f) return ocl_leave(CL_INVALID_VALUE);
  struct ocl_call *d = malloc(sizeof *d);
  if (!d) return ocl_leave(CL_OUT_OF_HOST_MEMORY);
  *d = (struct ocl_call){c->destructors, NULL, call_destructor, (void (*)(void))f, c, data, CL_SUCCESS};
  c->destructors = d;
  return ocl_leave(CL_SUCCESS);
}
