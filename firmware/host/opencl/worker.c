/* SPDX-License-Identifier: Apache-2.0
 * A context's worker: a thread that runs commands, in the order in which they can begin. */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>

#include "base/process.h"

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

bool ocl_worker_has(const struct _cl_context *c, const struct _cl_command_queue *q) {
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
