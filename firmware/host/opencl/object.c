/* SPDX-License-Identifier: Apache-2.0
 * Handles: made, counted, let go; the lock over them. */
#include "firmware/host/opencl/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

cl_int ocl_invalid(enum ocl_kind kind) {
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
