/* SPDX-License-Identifier: Apache-2.0
 * Shared by the files of libheddle-cuda: one process, one board, one queue. Functions of this header are called with
 * the lock held, which public ones take by cuda_enter and release by cuda_leave. */
#ifndef HEDDLE_CUDA_INTERNAL_H
#define HEDDLE_CUDA_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/driver.h>
#include "firmware/host/cuda/include/cuda_runtime_api.h"

/* Registered by the host's code, before anything of the device is there. All owned by the image, but its text. */
struct cuda_entry {
  struct cuda_entry *next;
  const void *host;     /* the stub of a kernel, the shadow of a variable */
  const char *name;     /* in PTX */
  size_t bytes;         /* of a variable */
  bool managed, shared; /* __managed__; and it has its twin */
};

/* One translation unit: PTX in the host program; a module from when something of it is first needed. */
struct cuda_image {
  struct cuda_image *next;
  const char *name, *ptx;
  size_t bytes;
  struct cuda_entry *kernels, *variables;
  struct heddle_module *module; /* NULL: not loaded */
  struct cuda_image *behind;    /* in the list of streams with kernels under way, */
  bool runs;                    /* ... if it is one */
};

/* An event's place in the queue. */
enum cuda_event_state { CUDA_EVENT_NEW, CUDA_EVENT_WAITS, CUDA_EVENT_DONE };
struct heddle_cuda_event {
  struct heddle_cuda_event *next;
  enum cuda_event_state state;
  uint64_t launch; /* the last one before it; */
  uint64_t cycles; /* DONE: of all grids up to that */
  bool timed;
};
struct heddle_cuda_stream {
  struct heddle_cuda_stream *next;
  unsigned flags;
  int priority;
};

/* Host memory of the runtime, and its twin on the device where it has one (shared.c). */
enum cuda_block_kind {
  CUDA_BLOCK_HOST,       /* cudaHostAlloc: malloc */
  CUDA_BLOCK_MAPPED,     /* the same, mapped: as managed */
  CUDA_BLOCK_REGISTERED, /* the program's own */
  CUDA_BLOCK_MANAGED,    /* cudaMallocManaged */
  CUDA_BLOCK_VARIABLE    /* __managed__: the program's, its twin the module's */
};
struct cuda_block {
  struct cuda_block *next;
  enum cuda_block_kind kind;
  char *host;
  size_t bytes;
  uint64_t device; /* 0: no twin; MAPPED and MANAGED: as host */
  uint64_t held;   /* the allocation of the twin */
  bool unified;    /* MAPPED and MANAGED where the device has an MMU: no twin, pages of it come and go */
  unsigned flags;
};

struct cuda_state {
  struct heddle_sim *sim;
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_context *context; /* NULL: not open, or reset */
  struct cuda_image *images;      /* in the order of registration */
  struct cuda_image *running;     /* of which kernels are under way, the latest first; NULL: no grid is */
  struct heddle_cuda_event *events;
  struct heddle_cuda_stream *streams;
  struct cuda_block *blocks;
  bool away;           /* what twins hold is on the device: at launch it goes, when a call has waited it comes home */
  uint64_t launches;   /* of this context */
  uint32_t heap_bytes; /* of malloc in kernels; 0: not set */
  cudaError_t sticky;  /* of a kernel that went wrong: until cudaDeviceReset */
  bool differs;        /* hardware and model do: the host stops */
};
extern struct cuda_state cuda;

void cuda_enter(void);
/* Notes the error for cudaGetLastError. Does not return once hardware and model differ: exit status 1. */
cudaError_t cuda_leave(cudaError_t e);
/* Without a note: the result is no error of this call's (cudaErrorNotReady, a device that is not there). */
cudaError_t cuda_leave_silently(cudaError_t e);

/* NotSupported, with the call's name on stderr. */
cudaError_t cuda_refused(const char *call);

/* The board is open, no kernel went wrong. */
cudaError_t cuda_ready(void);
/* ... and all grids have ended, what they printed is shown, what host and device share is at home. */
cudaError_t cuda_settle(void);
/* Grids that may run are waited for; nothing is opened. */
cudaError_t cuda_finish(void);
/* As cuda_from_driver, of a call that may have met the end of grids: theirs is sticky. */
cudaError_t cuda_from_queue(enum heddle_error e, const char *what);
/* Those that have one by now: after every launch. */
void cuda_date_events(void);

/* A call of the driver that failed, in the words of CUDA; with its message on stderr if `what` says of which call. */
cudaError_t cuda_from_driver(enum heddle_error e, const char *what);
void cuda_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Registered objects; loads the image. */
cudaError_t cuda_kernel(const void *host, struct heddle_function **out, struct cuda_image **image);
cudaError_t cuda_variable(const void *host, uint64_t *address, uint64_t *bytes);

/* Printed output of the module, to stdout; its buffer begins again. */
void cuda_show_printed(struct cuda_image *image);
/* The module of an image; `what` is its name in messages. */
cudaError_t cuda_compile(const struct cuda_image *image, struct heddle_module **module, const char *what);

uint64_t cuda_attribute(enum heddle_attribute a);

/* Between host and device, as `kind` says; settled. */
cudaError_t cuda_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
/* Opens the context first (cuda_ready). */
cudaError_t cuda_allocate(void **pointer, uint64_t bytes);

/* Memory shared by host and device (shared.c). The host's address for one of a twin; NULL: it is of none. */
const struct cuda_block *cuda_twin(const void *pointer);
extern const struct heddle_unified cuda_unified; /* where the driver gets such memory */
cudaError_t cuda_send_shared(void);
cudaError_t cuda_fetch_shared(void);
bool cuda_release_managed(void *pointer); /* false: there is none */
void cuda_drop_shared(void);
/* A __managed__ variable: it begins with the device's content. Removed before its module ends. */
cudaError_t cuda_share_variable(void *host, uint64_t device, size_t bytes);
void cuda_forget_variable(const void *host);
void cuda_drop_streams(void); /* and events */

/* Blocks of so many threads that an SM holds at once (device.c). */
uint64_t cuda_blocks_of(const struct heddle_function_info *k, uint64_t threads, uint64_t shared);
void cuda_function_attributes(struct cudaFuncAttributes *out, const struct heddle_function_info *k);
cudaError_t cuda_set_attribute(const struct heddle_function_info *k, enum cudaFuncAttribute attribute, int value);
cudaError_t cuda_fits_at_once(const struct heddle_function *f, dim3 grid, dim3 block, size_t shared);
/* PTX in an image of heddle-nvcc; nothing where it is none. */
void cuda_take_apart(const void *data, struct cuda_image *image);
void cuda_drop_modules(void); /* those of the driver API */
void cuda_drop_blas(void);    /* kernels and room of cuBLAS */

/* NULL, one of the two that are always there, or one that was made. */
bool cuda_is_stream(cudaStream_t stream);
/* The same without the lock held, and noted as an error where it is not: for calls that are others in a stream. */
bool cuda_known(cudaStream_t stream);
cudaError_t cuda_start(struct heddle_function *f, struct cuda_image *image, dim3 grid, dim3 block, void **arguments,
                       size_t shared);

#endif
