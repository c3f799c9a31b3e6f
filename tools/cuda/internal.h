/* SPDX-License-Identifier: Apache-2.0
 * What the files of libheddle-cuda share: one process, one board, one queue. Functions of this header are called with
 * the lock held, which public ones take by cuda_enter and give by cuda_leave. */
#ifndef HEDDLE_CUDA_INTERNAL_H
#define HEDDLE_CUDA_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/driver.h>
#include "firmware/runtime/cc/include/cuda_runtime_api.h"

/* Registered by the host's code, before anything of the device is there. All owned by the image, but its text. */
struct cuda_entry {
  struct cuda_entry *next;
  const void *host; /* the stub of a kernel, the shadow of a variable */
  const char *name; /* in PTX */
};

/* One translation unit: PTX in the host program; a module from when something of it is first needed. */
struct cuda_image {
  struct cuda_image *next;
  const char *name, *ptx;
  size_t bytes;
  struct cuda_entry *kernels, *variables;
  struct heddle_module *module; /* NULL: not loaded */
};

/* An event's place in the queue. */
enum cuda_event_state { CUDA_EVENT_NEW, CUDA_EVENT_WAITS, CUDA_EVENT_DONE };
struct heddle_cuda_event {
  struct heddle_cuda_event *next;
  enum cuda_event_state state;
  uint64_t cycles; /* DONE: of all grids before it */
  bool timed;
};
struct heddle_cuda_stream {
  unsigned flags;
};

struct cuda_state {
  struct heddle_sim *sim;
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_context *context; /* NULL: not open, or reset */
  struct cuda_image *images;      /* in the order of registration */
  struct cuda_image *running;     /* NULL: no grid */
  struct heddle_cuda_event *events;
  uint64_t cycles;    /* of all grids that have ended */
  cudaError_t sticky; /* of a kernel that went wrong: until cudaDeviceReset */
  bool differs;       /* hardware and model do: the host stops */
};
extern struct cuda_state cuda;

void cuda_enter(void);
/* Notes the error for cudaGetLastError. Does not return once hardware and model differ: exit status 1. */
cudaError_t cuda_leave(cudaError_t e);
/* Without a note: what is told is no error of this call's (cudaErrorNotReady, a device that is not there). */
cudaError_t cuda_leave_silently(cudaError_t e);

/* The board is open, no kernel went wrong. */
cudaError_t cuda_ready(void);
/* ... and the grid has ended, what it printed is shown. */
cudaError_t cuda_settle(void);
/* The grid that may run is waited for; nothing is opened. */
cudaError_t cuda_finish(void);
void cuda_close(void);

/* A call of the driver that failed, in the words of CUDA; with its message on stderr if `what` says of which call. */
cudaError_t cuda_from_driver(enum heddle_error e, const char *what);
void cuda_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What is registered; loads the image. */
cudaError_t cuda_kernel(const void *host, struct heddle_function **out, struct cuda_image **image);
cudaError_t cuda_variable(const void *host, uint64_t *address, uint64_t *bytes);

/* What the module has printed, to stdout; its buffer begins again. */
void cuda_show_printed(struct cuda_image *image);

uint64_t cuda_attribute(enum heddle_attribute a);

/* Between host and device, as `kind` says; the grid has ended. */
cudaError_t cuda_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);

#endif
