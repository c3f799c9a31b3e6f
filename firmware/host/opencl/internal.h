/* SPDX-License-Identifier: Apache-2.0
 * Shared by the files of libheddle-opencl.
 *
 * One lock over all handles: public functions take it by ocl_enter and release it by ocl_leave; functions of this
 * header are called with it held unless marked "unlocked". Long work (a kernel, a copy, clang) runs without it: a
 * worker thread for each context runs commands, one after the other; a board has a lock of its own. A thread that
 * holds both took the board's first. */
#ifndef HEDDLE_OPENCL_INTERNAL_H
#define HEDDLE_OPENCL_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <heddle/driver.h>
#include <heddle/sim.h>
#include "base/text.h"

/* ---- handles (object.c) */

enum ocl_kind { OCL_CONTEXT, OCL_QUEUE, OCL_MEM, OCL_PROGRAM, OCL_KERNEL, OCL_EVENT, OCL_KINDS };

/* The first member of each handle. Released ones stay in memory of a handle, so that a loader and these functions
 * may read a wrong one; a mark shows whether it is there. */
struct ocl_object {
  const struct _cl_icd_dispatch *dispatch;
  uint32_t mark;           /* of its kind; 0: released */
  cl_uint refs, holds;     /* of the host; of other objects and of commands. Gone when both are 0 */
  struct ocl_object *next; /* of released ones */
};

void ocl_enter(void);
/* Gives e back; without the lock, calls what has to be called and ends threads of contexts that have gone. */
cl_int ocl_leave(cl_int e);
void ocl_unlock(void); /* that alone: for holders of a board */
/* Waits until something changes: an event, a context. */
void ocl_wait(void);
void ocl_changed(void);
bool ocl_is_closing(void); /* unlocked: the program ends */

/* Zeros, with one reference; NULL: no memory. */
void *ocl_new(enum ocl_kind kind);
bool ocl_is(const void *handle, enum ocl_kind kind);
cl_int ocl_retain(void *handle, enum ocl_kind kind);
cl_int ocl_release(void *handle, enum ocl_kind kind);
void ocl_hold(void *handle);
void ocl_drop(void *handle);  /* NULL is fine */
void ocl_unref(void *handle); /* the reference that ocl_new gave */

/* Called back without the lock, soon: by that worker, or at the end of an ocl_leave. False: no memory. */
struct ocl_worker;
struct ocl_call {
  struct ocl_call *next;
  struct ocl_worker *by; /* NULL: any thread */
  void (*call)(struct ocl_call *c);
  void (*function)(void);
  void *handle, *data;
  cl_int status;
};
bool ocl_call_later(struct ocl_call c);
bool ocl_has_calls(const struct ocl_worker *self);
bool ocl_run_calls(struct ocl_worker *self); /* unlocked; whether there was one */

/* ---- answers to queries (object.c) */

struct ocl_answer {
  size_t room; /* of the caller */
  void *to;
  size_t *bytes;
};
cl_int ocl_answer(const struct ocl_answer *a, const void *value, size_t bytes);
cl_int ocl_answer_uint(const struct ocl_answer *a, cl_uint v);
cl_int ocl_answer_ulong(const struct ocl_answer *a, cl_ulong v);
cl_int ocl_answer_size(const struct ocl_answer *a, size_t v);
cl_int ocl_answer_text(const struct ocl_answer *a, const char *text);
cl_int ocl_answer_pointer(const struct ocl_answer *a, const void *p);

/* ---- devices and their boards (device.c, board.c) */

enum { OCL_DEVICES_MAX = 1024, OCL_WARP = 32, OCL_LOCAL_ALIGN = 128 };
enum { OCL_PIECE_MS = 10 }; /* of a wait for the device: so that a program can end while a kernel does not */

struct ocl_garbage; /* memory of a board that is freed when the board is idle */

struct _cl_device_id {
  const struct _cl_icd_dispatch *dispatch;
  const char *name;              /* of the board */
  struct heddle_machine machine; /* once it is known */
  bool known;
  uint64_t memory_bytes;
  /* The board: with the lock below. */
  pthread_mutex_t lock;
  struct heddle_sim *sim;
  struct heddle_system *system;
  struct heddle_context *context; /* NULL: not open */
  uint64_t cycles;                /* device time: of all that ran */
  cl_event under_way, *last;      /* launches that wait in its queue, or run; the one in front first */
  uint64_t launches, until;       /* of the context; cycles of those that are not under way any more */
  struct ocl_garbage *garbage;    /* with ocl_enter's */
};

extern struct _cl_platform_id { const struct _cl_icd_dispatch *dispatch; } ocl_platform;
extern const struct _cl_icd_dispatch ocl_dispatch;

unsigned ocl_devices(void); /* how many; listed once */
cl_device_id ocl_device(unsigned i);
bool ocl_is_device(const void *handle);
/* Its properties: from its configuration, else from the board, which is opened. False: it cannot be opened.
 * Unlocked. */
bool ocl_know(cl_device_id d);
cl_ulong ocl_max_alloc(const struct _cl_device_id *d);
bool ocl_is_full(const struct _cl_device_id *d);
bool ocl_has_fp64(const struct _cl_device_id *d);
size_t ocl_max_threads(const struct _cl_device_id *d);

/* Board functions: unlocked, between ocl_board_enter (which opens it; CL_DEVICE_NOT_AVAILABLE) and _leave. Nothing is
 * under way then; what goes behind launches that are enters by the other. */
cl_int ocl_board_enter(cl_device_id d);
cl_int ocl_board_enter_behind(cl_device_id d);
void ocl_board_leave(cl_device_id d);
void ocl_boards_close(void);
/* A driver's error in the words of OpenCL; with its message to the people in charge if `what` says of which call. */
cl_int ocl_from_driver(cl_device_id d, enum heddle_error e, cl_context c, const char *what);
/* Memory or a module goes back as soon as the board is free. Needs ocl_enter. */
void ocl_discard(cl_device_id d, uint64_t address, struct heddle_module *m);
void ocl_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- contexts and queues (object.c, queue.c) */

typedef void(CL_CALLBACK *ocl_notify)(const char *, const void *, size_t, void *);

struct _cl_context {
  struct ocl_object o;
  cl_device_id device[OCL_DEVICES_MAX];
  cl_uint devices;
  cl_context_properties properties[8];
  cl_uint property_count; /* with the 0 */
  ocl_notify notify;
  void *notify_data;
  struct ocl_call *destructors; /* the last registered first */
  struct ocl_worker *worker;    /* NULL: none yet */
};

struct _cl_command_queue {
  struct ocl_object o;
  cl_context context;
  cl_device_id device;
  cl_command_queue_properties properties;
  cl_queue_properties given[8];
  cl_uint given_count;
  bool failed; /* a command did, since the last clFinish */
};

bool ocl_has_device(const struct _cl_context *c, const void *device);

/* ---- memory (mem.c) */

struct ocl_mapping {
  struct ocl_mapping *next;
  void *at;
  size_t offset, bytes;
  cl_map_flags flags;
};

struct _cl_mem {
  struct ocl_object o;
  cl_context context;
  cl_mem parent; /* of a sub-buffer */
  cl_mem_flags flags;
  size_t bytes, offset;
  void *host; /* of the host, with CL_MEM_USE_HOST_PTR */
  cl_mem_properties properties[4];
  cl_uint property_count;
  /* For a buffer that is no part of another: */
  cl_device_id home; /* the context that has its memory; NULL: none yet */
  uint64_t address;
  uint8_t *shadow; /* where it is mapped; NULL: never was, or `host` is it */
  struct ocl_mapping *mappings;
  cl_uint map_count;
  struct ocl_call *destructors;
};

void ocl_mem_gone(cl_mem m);
/* The device address, brought to that device if it is elsewhere. Unlocked, board entered. */
cl_int ocl_mem_place(cl_mem m, cl_device_id d, uint64_t *address);
cl_mem ocl_mem_root(cl_mem m, size_t *offset);
/* Is it a buffer of that context (else CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT), aligned for the device? */
cl_int ocl_mem_check(cl_mem m, cl_command_queue q);

/* ---- commands, which are events (event.c, queue.c) */

struct ocl_region { /* of clEnqueue...Rect, and of a plain copy: one row */
  size_t from[3], to[3], size[3], from_row, from_slice, to_row, to_slice;
};

struct ocl_argument {
  bool set;
  size_t bytes; /* of a value; of local memory */
  void *value;  /* owned */
  cl_mem mem;   /* held */
};

struct ocl_launch {
  cl_kernel kernel; /* held */
  struct ocl_argument *argument;
  cl_uint arguments, dimensions;
  struct heddle_size grid, block;
  uint32_t environment[4]; /* dimensions, global offset */
  bool empty;
  bool under_way;  /* it has been started on the device, and its end has not been seen. Then, with the board: */
  cl_event behind; /* the next one there */
  uint64_t number; /* of the launch, for the driver */
};

struct _cl_event {
  struct ocl_object o;
  cl_context context;
  cl_command_queue queue; /* NULL: of the user */
  cl_command_type type;
  cl_int status;
  struct _cl_event *next; /* in the context's list of what is to be done */
  cl_event *waits;        /* held */
  cl_uint wait_count;
  bool waits_for_all; /* of its queue, that came before */
  bool blocks;        /* all of its queue that come later */
  struct ocl_call *callbacks;
  cl_ulong time[4];                  /* queued, submitted, start, end */
  cl_int (*run)(struct _cl_event *); /* unlocked, board entered. CL_SUBMITTED: not over yet */
  /* Subject of the event: */
  cl_mem from, to; /* held */
  const uint8_t *host_from;
  uint8_t *host_to;
  struct ocl_region region;
  uint8_t pattern[128];
  size_t pattern_bytes;
  struct ocl_mapping mapping;
  cl_mem *mems; /* held */
  cl_uint mem_count;
  struct ocl_launch launch;
};

/* Checks queue and wait list. *out: a command with what all have in common, not yet in the list. */
cl_int ocl_command(cl_command_queue q, cl_command_type type, cl_uint count, const cl_event *list, cl_event *out);
/* Into the list; if `blocking` waits for its end, without the lock. *event may be NULL. */
cl_int ocl_submit(cl_event e, bool blocking, cl_event *event);
void ocl_command_forget(cl_event e); /* one that was not submitted */
void ocl_event_gone(cl_event e);
void ocl_event_status(cl_event e, cl_int status); /* with callbacks, wakes */

bool ocl_worker_start(cl_context c);
void ocl_worker_add(cl_context c, cl_event e);
void ocl_worker_done(cl_event e, cl_int status); /* it is no longer to be done */
void ocl_worker_end(struct ocl_worker *w);       /* ended when ocl_leave is unlocked */
void ocl_workers_join(void);                     /* unlocked */
void ocl_workers_close(void);                    /* unlocked, at the end of the program */

/* ---- programs (program.c, compile.c, build.c, metadata.c, binary.c) */

struct ocl_kernel_argument {
  char *type, *name; /* owned; without a name it was not requested at compile time */
  cl_kernel_arg_address_qualifier space;
  cl_kernel_arg_type_qualifier qualifiers;
};
struct ocl_kernel_info {
  char *name, *attributes; /* owned */
  struct ocl_kernel_argument *argument;
  cl_uint arguments;
  size_t required[3]; /* work-group size; 0: any */
};
struct ocl_kernels {
  struct ocl_kernel_info *at;
  cl_uint count;
};

/* For one device. */
struct ocl_build {
  cl_build_status status;
  cl_program_binary_type type;
  char *options;               /* owned, NULL: none */
  struct text log, meta, body; /* body: LLVM's text of a compiled object or library, PTX of an executable */
  struct ocl_kernels kernels;
  struct heddle_program *code;         /* until it is loaded */
  struct heddle_module *module;        /* on the board */
  const struct heddle_program *loaded; /* of either */
};

struct _cl_program {
  struct ocl_object o;
  cl_context context;
  cl_device_id device[OCL_DEVICES_MAX];
  cl_uint devices;
  char *source; /* owned; NULL: of binaries, or linked */
  bool of_binary;
  struct ocl_build build[OCL_DEVICES_MAX];
  cl_uint kernels; /* handles to kernels of it */
  bool busy;       /* a build is under way */
};

struct ocl_header {
  const char *name, *text;
};

cl_program ocl_program_new(cl_context c, cl_uint n, const cl_device_id *devices);
void ocl_program_gone(cl_program p);
struct ocl_build *ocl_build_of(cl_program p, const void *device);
bool ocl_is_executable(const struct ocl_build *b);
void ocl_build_clear(struct ocl_build *b, cl_device_id d);
/* Unlocked. An object from source; an executable or library from objects. False: the log says why. */
bool ocl_clang_compile(cl_device_id d, const char *source, const char *options, const struct ocl_header *headers,
                       cl_uint count, struct ocl_build *b);
bool ocl_clang_link(cl_device_id d, const struct text *const *objects, size_t count, const char *options, bool library,
                    struct ocl_build *b);
/* Makes machine code of b->body and kernels of b->meta. */
bool ocl_build_finish(cl_device_id d, struct ocl_build *b);
/* Splits options, quotes as a shell has them; false: an unknown option of OpenCL. */
struct ocl_words {
  char **at; /* owned, with all words */
  size_t count;
};
bool ocl_options_split(const char *text, struct ocl_words *w);
void ocl_words_free(struct ocl_words *w);

/* Parts of LLVM's text about kernels; the rest is skipped. */
bool ocl_meta_extract(const char *ir, struct text *meta);
bool ocl_meta_parse(const char *meta, struct ocl_kernels *out);
void ocl_kernels_free(struct ocl_kernels *k);
/* Kernels of the program have the expected arguments, and pointers are of a pointer's size. A launch passes the
 * driver as many values, and no binary may make it read others. */
bool ocl_meta_fits(const struct ocl_kernels *k, const struct heddle_program *p);
/* LLVM's text of an object: inline functions keep their bodies, once in a link. C has such a body for calls that become
 * copies only, with another one elsewhere; OpenCL's hosts have none elsewhere. And PTX is to say required work-group
 * sizes (firmware/host/opencl/ir_required.h). False: no memory. */
bool ocl_ir_finish(struct text *ir);
/* Kernels that kernels call, in any of the objects of a link; then each object with copies of those as functions. */
struct ocl_names {
  char **at; /* owned */
  size_t count;
};
bool ocl_ir_calls(const char *ir, struct ocl_names *names);
bool ocl_ir_callable(const char *ir, const struct ocl_names *called, struct text *out);
void ocl_names_free(struct ocl_names *n);

/* By content; false: not there. Unlocked. */
struct ocl_key {
  uint64_t word[2];
};
void ocl_key_start(struct ocl_key *k);
void ocl_key_add(struct ocl_key *k, const void *data, size_t bytes);
bool ocl_cache_get(const struct ocl_key *k, struct text *out);
void ocl_cache_put(const struct ocl_key *k, const char *data, size_t bytes);

/* A binary of a build, and back; false: it is none. */
bool ocl_binary_make(const struct ocl_build *b, struct text *out);
bool ocl_binary_take(const unsigned char *data, size_t bytes, struct ocl_build *b);

/* ---- kernels (kernel.c, launch.c, board.c) */

struct _cl_kernel {
  struct ocl_object o;
  cl_program program;                 /* held */
  const struct ocl_kernel_info *info; /* of the program's first device that has it; the program does not change */
  struct ocl_argument *argument;
};

void ocl_kernel_gone(cl_kernel k);
struct ocl_argument *ocl_arguments_copy(const struct ocl_argument *from, cl_uint count);
void ocl_arguments_free(struct ocl_argument *a, cl_uint count);
/* Machine code of it for a device; NULL: none. */
const struct heddle_kernel *ocl_kernel_code(const struct _cl_kernel *k, cl_device_id d);
size_t ocl_kernel_threads(const struct heddle_kernel *k, const struct _cl_device_id *d); /* of a work-group, at most */
/* With the kernel's own bytes and what is set as local arguments. */
size_t ocl_local_bytes(const struct ocl_kernel_info *info, const struct ocl_argument *a, size_t own);
/* Launches: entered by ocl_board_enter_behind where ocl_is_launch. */
bool ocl_is_launch(const struct _cl_event *e);
/* Board functions: let time pass, at most so much, and update events of launches; until none is left. */
void ocl_launches_look(cl_device_id d, uint32_t milliseconds);
void ocl_launches_end(cl_device_id d);
void ocl_show_printed(cl_device_id d, struct heddle_module *m); /* unlocked, board entered */

#endif
