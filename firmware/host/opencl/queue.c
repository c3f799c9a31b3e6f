/* SPDX-License-Identifier: Apache-2.0
 *
 * Command queues, and a context's worker: a thread that runs commands, in the order in which they can begin. */
#include <stdlib.h>
#include <string.h>
#include "base/process.h"
#include "firmware/host/opencl/internal.h"

struct ocl_worker {
  struct ocl_worker *next; /* of those that are to be joined, or of all */
  struct ocl_worker *all;
  pthread_t thread;
  cl_event first, *end; /* what is to be done, in the order of submission */
  bool stop;
};

static struct ocl_worker *workers, *ended;
static bool closing;

/* x is under way, and e a launch that the device keeps behind it. */
static bool follows(const struct _cl_event *e, const struct _cl_event *x) {
  return x->launch.under_way && ocl_is_launch(e) && x->queue->device == e->queue->device;
}

/* An error of those it waits for is its own; CL_COMPLETE: it may begin; above that: not yet. */
static cl_int is_ready(const struct ocl_worker *w, const struct _cl_event *e) {
  cl_int status = CL_COMPLETE;
  for (cl_uint i = 0; i < e->wait_count; i++) {
    if (e->waits[i]->status > CL_COMPLETE && !follows(e, e->waits[i])) return e->waits[i]->status;
    if (e->waits[i]->status < 0) status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  const bool in_order = !(e->queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const struct _cl_event *x = w->first; x != e; x = x->next)
    if (x->queue == e->queue && (in_order || x->blocks || e->waits_for_all) && (status < 0 || !follows(e, x)))
      return CL_SUBMITTED;
  return status;
}

/* The first that may begin; *status: an error that it has already. */
static cl_event choose_command(const struct ocl_worker *w, cl_int *status) {
  for (cl_event e = w->first; e; e = e->next) {
    if (e->launch.under_way) continue;
    *status = is_ready(w, e);
    if (*status <= CL_COMPLETE) return e;
  }
  return NULL;
}

/* The device of one that is under way; NULL: none is. */
static cl_device_id busy(const struct ocl_worker *w) {
  for (const struct _cl_event *e = w->first; e; e = e->next)
    if (e->launch.under_way) return e->queue->device;
  return NULL;
}

static void unlist(struct ocl_worker *w, cl_event e) {
  cl_event *x = &w->first;
  while (*x != e) x = &(*x)->next;
  *x = e->next;
  if (w->end == &e->next) w->end = x;
}

void ocl_worker_done(cl_event e, cl_int status) {
  unlist(e->context->worker, e);
  ocl_event_status(e, status);
  ocl_drop(e);
}

/* Time is the device's: cycles that kernels took; anything else takes one, so that it has a place. CL_SUBMITTED: a
 * launch, whose event others may have ended by now. */
static cl_int run_command(cl_event e) {
  cl_device_id d = e->queue->device;
  const bool launch = ocl_is_launch(e);
  if (!e->run) return CL_COMPLETE;
  if (!launch) {
    ocl_enter();
    ocl_event_status(e, CL_RUNNING);
    ocl_unlock();
  }
  cl_int status = launch ? ocl_board_enter_behind(d) : ocl_board_enter(d);
  if (status != CL_SUCCESS) return status;
  if (!launch) e->time[2] = d->cycles;
  status = e->run(e);
  if (status <= CL_COMPLETE) e->time[3] = ++d->cycles;
  ocl_board_leave(d);
  return status;
}

static void do_one(cl_event e, cl_int status) {
  if (status == CL_COMPLETE) {
    ocl_unlock();
    status = run_command(e);
    ocl_enter();
    if (status > CL_COMPLETE) return;
    if (status < 0) e->queue->failed = true;
  }
  if (!e->run) e->time[2] = e->time[3] = e->queue->device->cycles;
  ocl_worker_done(e, status);
}

/* With more to come, only for a short time. */
static void look_at_launches(cl_device_id d) {
  enum { SHORT_MS = 1 };
  if (ocl_board_enter_behind(d) != CL_SUCCESS) return;
  ocl_launches_look(d, SHORT_MS);
  ocl_board_leave(d);
}

static void *run_commands(void *self) {
  struct ocl_worker *w = self;
  ocl_enter();
  while (!w->stop) {
    ocl_unlock();
    (void)ocl_run_calls(w);
    ocl_enter();
    if (w->stop) break;
    cl_int status = CL_COMPLETE;
    cl_event e = choose_command(w, &status);
    cl_device_id d = busy(w);
    if (e) {
      do_one(e, status);
    } else if (d) {
      ocl_unlock();
      look_at_launches(d);
      ocl_enter();
    } else if (!ocl_has_calls(w)) {
      ocl_wait();
    }
  }
  for (cl_device_id d = busy(w); d; d = busy(w)) { /* the program ends */
    ocl_unlock();
    if (ocl_board_enter(d) == CL_SUCCESS) ocl_board_leave(d);
    ocl_enter();
  }
  ocl_unlock();
  return NULL;
}

bool ocl_worker_start(cl_context c) {
  if (c->worker) return true;
  struct ocl_worker *w = calloc(1, sizeof *w);
  if (!w) return false;
  w->end = &w->first;
  if (!thread_start(&w->thread, run_commands, w)) {
    free(w);
    return false;
  }
  w->all = workers;
  workers = w;
  c->worker = w;
  return true;
}

void ocl_worker_add(cl_context c, cl_event e) {
  struct ocl_worker *w = c->worker;
  e->next = NULL;
  *w->end = e;
  w->end = &e->next;
  ocl_changed();
}

/* anything of it to be done */
static bool ocl_worker_has(const struct _cl_context *c, const struct _cl_command_queue *q) {
  for (const struct _cl_event *e = c->worker->first; e; e = e->next)
    if (e->queue == q) return true;
  return false;
}

static void forget_worker(struct ocl_worker *w) {
  for (struct ocl_worker **x = &workers; *x; x = &(*x)->all)
    if (*x == w) {
      *x = w->all;
      return;
    }
}

void ocl_worker_end(struct ocl_worker *w) {
  w->stop = true;
  forget_worker(w);
  w->next = ended;
  ended = w;
  ocl_changed();
}

/* A worker whose context went in its own hands is joined by whoever comes next. */
void ocl_workers_join(void) {
  for (;;) {
    ocl_enter();
    struct ocl_worker **x = &ended;
    while (*x && pthread_equal((*x)->thread, pthread_self())) x = &(*x)->next;
    struct ocl_worker *w = *x;
    if (w) *x = w->next;
    ocl_unlock();
    if (!w) return;
    (void)pthread_join(w->thread, NULL);
    free(w);
  }
}

bool ocl_is_closing(void) {
  ocl_enter();
  const bool c = closing;
  ocl_unlock();
  return c;
}

void ocl_workers_close(void) {
  ocl_enter();
  closing = true;
  while (workers) ocl_worker_end(workers);
  ocl_unlock();
  ocl_workers_join();
}

/* ---- command queues */

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
