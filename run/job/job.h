/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch as a person or a table describes it, laid out in device memory: buffers, constant bank 0, regions. It makes
 * the model's struct heddle_launch (docs/how-a-launch-travels.md, A 3). */
#ifndef HEDDLE_JOB_H
#define HEDDLE_JOB_H

#include <stdio.h>

#include <heddle/model.h>
#include <heddle/program.h>
#include "run/job/elements.h"

#define JOB_ARGS_MAX HEDDLE_PARAMS_MAX
#define JOB_BASE 0x100000u   /* first byte of global memory that buffers may use */
#define JOB_GUARD 4096u      /* unmapped bytes between buffers, so that a stray access traps */
#define JOB_SHARED_GUARD 64u /* bytes between dynamic shared arrays, where there is a guard */
#define JOB_BUFFERS_MAX 16u  /* the hardware's region table */
#define JOB_BYTES_MAX (256u << 20)
#define JOB_BYTES_LEAST (4u << 20) /* of a session's global memory, whatever a job needs */
#define JOB_SHARED_MAX (1u << 20)  /* bytes of shared memory of a block, static and dynamic */

enum job_arg_kind {
  JOB_SCALAR,
  JOB_BUFFER, /* its address is the argument */
  JOB_LOCAL,  /* `bytes` of dynamic shared memory: their address is the argument */
  JOB_STRUCT  /* `bytes` bytes of `init` are the argument */
};

struct job_arg {
  enum job_arg_kind kind;
  bool writable;
  uint64_t bits;        /* scalar: raw bits */
  unsigned size;        /* scalar: bytes 1, 2, 4, 8 */
  const uint8_t *init;  /* buffer: first contents, or NULL for zeros; structure: its bytes; borrowed */
  uint64_t bytes;       /* of all that is no scalar */
  const char *out_file; /* where the contents go afterwards, "-" as text on stdout; NULL: nowhere */
  struct npy_array out; /* type of the elements; "": bytes, written as they are */
  uint8_t *owned;       /* contents read from a file */
};

/* Memory at a given address: of a host's launch that is run again. */
struct job_place {
  uint64_t at, bytes;
  uint8_t *init; /* first contents; owned by the job */
};

struct job {
  const struct heddle_program *program; /* borrowed */
  const struct heddle_kernel *kernel;
  struct job_arg arg[JOB_ARGS_MAX];
  unsigned args;
  struct job_place place[JOB_BUFFERS_MAX]; /* ascending; then there are no buffers among the arguments */
  unsigned places;
  uint64_t variables_at;        /* with places: addresses of module variables in one of them; 0: none */
  uint64_t addr[JOB_ARGS_MAX];  /* of buffers, and of dynamic shared memory */
  uint32_t dynamic_shared;      /* bytes behind the kernel's own, in front of those of arguments */
  uint64_t guard;               /* unmapped bytes behind each buffer; 0: JOB_GUARD. Not 0: dynamic shared arrays are
                                 * apart, too */
  uint64_t base;                /* where it may begin, a multiple of 4096; 0: JOB_BASE */
  uint64_t mem_base, mem_bytes; /* global memory that must exist */
  uint8_t *cbank0;
  uint64_t global_addr; /* of the program's module variables; 0: it has none */
  uint8_t *global;      /* how they begin: as the program says, unless the caller changes it behind job_build */
  enum heddle_errors_in error_in;   /* what the next two are counted from */
  uint64_t error_base, error_limit; /* where memory answers with errors, on a device; both 0: nowhere */
  uint64_t host_seed;               /* on a device: from it the host draws what it does beside them; 0: nothing */
  bool physical;                    /* whatever --pages says */
  uint64_t alias;                   /* --pages: its memory has a second name so many bytes on (paged.h); 0: none */
  unsigned launches;                /* of the same, one after the other, memory as it was left; 0: one */
  bool apart;                       /* none is begun before the one before it has ended */
  struct heddle_launch launch;      /* complete after job_build; points into the job and the program */
};

/* "u32:5" "s32:-1" "f16:1" "f32:2.5" "f64:1e3" "bits32:0x7" "bits64:0x..." "struct:FILE" "local:BYTES" "in:FILE"
 * "out:BYTES:FILE" "inout:FILE:FILE", the last two with :TYPE in front of the last file. False: message in err. */
bool job_add_arg(struct job *j, const char *text, char *err, size_t err_bytes);
bool job_add_scalar(struct job *j, uint64_t bits, unsigned size);
bool job_add_buffer(struct job *j, const uint8_t *init, uint64_t bytes, bool writable);
bool job_add_local(struct job *j, uint64_t bytes);
bool job_add_struct(struct job *j, uint8_t *bytes, uint64_t count); /* the job's from now on; false: it is not */
bool job_add_place(struct job *j, uint64_t at, uint8_t *init, uint64_t bytes); /* the same */

/* The kernel of that name; without a name the only one. NULL: message in err. */
const struct heddle_kernel *job_kernel(const struct heddle_program *p, const char *name, char *err, size_t err_bytes);
/* Fills launch; kernel may be NULL where there is one. grid and block as in the launch; units = bit per enum
 * heddle_isa_unit.
 */
bool job_build(struct job *j, const struct heddle_program *p, const char *kernel, const uint32_t grid[3],
               const uint32_t block[3], char *err, size_t err_bytes);

/* Both have global memory [mem_base, mem_base + mem_bytes) as an image. Into it: the first contents of every buffer
 * and of module variables. From it: out-files, and printed output. */
void job_store_inputs(const struct job *j, uint8_t *image);
bool job_save_outputs(const struct job *j, const uint8_t *image);
void job_clear(struct job *j);

#endif
