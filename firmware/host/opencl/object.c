/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles: made, counted, let go; the lock over them; answers to queries; contexts. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "firmware/host/opencl/internal.h"

static void ocl_context_gone(cl_context c);

/* ---- answers to queries */

cl_int ocl_answer(const struct ocl_answer *a, const void *value, size_t bytes) {
  if (a->to && a->room < bytes) return CL_INVALID_VALUE;
  if (a->to && bytes > 0) memcpy(a->to, value, bytes);
  if (a->bytes) *a->bytes = bytes;
  return CL_SUCCESS;
}

cl_int ocl_answer_uint(const struct ocl_answer *a, cl_uint v) {
  return ocl_answer(a, &v, sizeof v);
}

cl_int ocl_answer_ulong(const struct ocl_answer *a, cl_ulong v) {
  return ocl_answer(a, &v, sizeof v);
}

cl_int ocl_answer_size(const struct ocl_answer *a, size_t v) {
  return ocl_answer(a, &v, sizeof v);
}

cl_int ocl_answer_text(const struct ocl_answer *a, const char *text) {
  return ocl_answer(a, text, strlen(text) + 1);
}

cl_int ocl_answer_pointer(const struct ocl_answer *a, const void *p) {
  return ocl_answer(a, &p, sizeof p);
}

void ocl_say(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  (void)fflush(stdout);
  fputs("heddle-opencl: ", stderr);
  vfprintf(stderr, format, ap);
  fputc('\n', stderr);
  va_end(ap);
}

/* ---- handles, and the lock over them */

/* So many released handles of a kind wait before one is used again: a host that uses one of them is told so. */
enum { QUARANTINE = 256, MARK = 0x4f434c00 };

static const struct {
  size_t bytes;
  cl_int invalid;
} kinds[OCL_KINDS] = {
    [OCL_CONTEXT] = {sizeof(struct _cl_context), CL_INVALID_CONTEXT},
    [OCL_QUEUE] = {sizeof(struct _cl_command_queue), CL_INVALID_COMMAND_QUEUE},
    [OCL_MEM] = {sizeof(struct _cl_mem), CL_INVALID_MEM_OBJECT},
    [OCL_PROGRAM] = {sizeof(struct _cl_program), CL_INVALID_PROGRAM},
    [OCL_KERNEL] = {sizeof(struct _cl_kernel), CL_INVALID_KERNEL},
    [OCL_EVENT] = {sizeof(struct _cl_event), CL_INVALID_EVENT},
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static struct {
  struct ocl_object *first, *last;
  unsigned count;
} released[OCL_KINDS];

static struct ocl_call *calls; /* in the order of what happened */

void ocl_enter(void) {
  (void)pthread_mutex_lock(&lock);
}

void ocl_unlock(void) {
  (void)pthread_mutex_unlock(&lock);
}

cl_int ocl_leave(cl_int e) {
  ocl_unlock();
  (void)ocl_run_calls(NULL);
  ocl_workers_join();
  return e;
}

void ocl_wait(void) {
  (void)pthread_cond_wait(&change, &lock);
}

void ocl_changed(void) {
  (void)pthread_cond_broadcast(&change);
}

/* ---- calls back */

bool ocl_call_later(struct ocl_call c) {
  struct ocl_call *later = malloc(sizeof *later), **end = &calls;
  if (!later) return false;
  *later = c;
  later->next = NULL;
  while (*end) end = &(*end)->next;
  *end = later;
  ocl_changed();
  return true;
}

bool ocl_has_calls(const struct ocl_worker *self) {
  const struct ocl_call *c = calls;
  while (c && c->by && c->by != self) c = c->next;
  return c != NULL;
}

static struct ocl_call *take_call(const struct ocl_worker *self) {
  struct ocl_call **c = &calls;
  while (*c && (*c)->by && (*c)->by != self) c = &(*c)->next;
  struct ocl_call *one = *c;
  if (one) *c = one->next;
  return one;
}

bool ocl_run_calls(struct ocl_worker *self) {
  bool any = false;
  for (;;) {
    ocl_enter();
    struct ocl_call *c = take_call(self);
    ocl_unlock();
    if (!c) return any;
    c->call(c);
    free(c);
    any = true;
  }
}

/* ---- made, counted, let go */

static cl_int ocl_invalid(enum ocl_kind kind) {
  return kinds[kind].invalid;
}

void *ocl_new(enum ocl_kind kind) {
  struct ocl_object *o = NULL;
  if (released[kind].count > QUARANTINE) {
    o = released[kind].first;
    released[kind].first = o->next;
    released[kind].count--;
  } else {
    o = malloc(kinds[kind].bytes);
    if (!o) return NULL;
  }
  memset(o, 0, kinds[kind].bytes);
  o->dispatch = &ocl_dispatch;
  o->mark = MARK | (uint32_t)kind;
  o->refs = 1;
  return o;
}

bool ocl_is(const void *handle, enum ocl_kind kind) {
  const struct ocl_object *o = handle;
  return o && o->mark == (MARK | (uint32_t)kind);
}

static void remember_released(struct ocl_object *o, enum ocl_kind kind) {
  o->mark = 0;
  o->next = NULL;
  if (released[kind].count == 0)
    released[kind].first = o;
  else
    released[kind].last->next = o;
  released[kind].last = o;
  released[kind].count++;
}

static void gone(struct ocl_object *o) {
  const enum ocl_kind kind = (enum ocl_kind)(o->mark & 0xff);
  o->holds++; /* it is looked at while it goes */
  switch (kind) {
  case OCL_CONTEXT:
    ocl_context_gone((cl_context)(void *)o);
    break;
  case OCL_QUEUE:
    ocl_drop(((cl_command_queue)(void *)o)->context);
    break;
  case OCL_MEM:
    ocl_mem_gone((cl_mem)(void *)o);
    break;
  case OCL_PROGRAM:
    ocl_program_gone((cl_program)(void *)o);
    break;
  case OCL_KERNEL:
    ocl_kernel_gone((cl_kernel)(void *)o);
    break;
  case OCL_EVENT:
    ocl_event_gone((cl_event)(void *)o);
    break;
  default:
    break;
  }
  remember_released(o, kind);
}

static void free_unused(struct ocl_object *o) {
  if (o->refs == 0 && o->holds == 0) gone(o);
}

void ocl_hold(void *handle) {
  ((struct ocl_object *)handle)->holds++;
}

void ocl_drop(void *handle) {
  if (!handle) return;
  struct ocl_object *o = handle;
  o->holds--;
  free_unused(o);
}

void ocl_unref(void *handle) {
  struct ocl_object *o = handle;
  o->refs--;
  free_unused(o);
}

cl_int ocl_retain(void *handle, enum ocl_kind kind) {
  if (!ocl_is(handle, kind)) return ocl_invalid(kind);
  ((struct ocl_object *)handle)->refs++;
  return CL_SUCCESS;
}

/* One that only other objects hold is not the host's to release. */
cl_int ocl_release(void *handle, enum ocl_kind kind) {
  if (!ocl_is(handle, kind) || ((struct ocl_object *)handle)->refs == 0) return ocl_invalid(kind);
  ocl_unref(handle);
  return CL_SUCCESS;
}

/* At the end of the program: threads first, then boards, then memory of released handles. */
__attribute__((destructor)) static void close_at_exit(void) {
  ocl_workers_close();
  (void)fflush(stdout); /* what the host said comes before what boards say */
  ocl_boards_close();
  for (struct ocl_call *c = calls, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  for (unsigned k = 0; k < OCL_KINDS; k++)
    for (struct ocl_object *o = released[k].first, *next; o; o = next) {
      next = o->next;
      free(o);
    }
}

/* ---- contexts */

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

static void ocl_context_gone(cl_context c) {
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
