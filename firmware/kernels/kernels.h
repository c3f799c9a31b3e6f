/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of this folder with inputs and the memory that they must leave behind, computed by plain C on the host.
 * A case is one use of a kernel: buffers, and one or several launches over them, one after the other. */
#ifndef HEDDLE_KERNELS_H
#define HEDDLE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sources of a kernel: NAME.s; NAME.ptx and O0/NAME.ptx, which clang made from NAME.cl (build.sh). */
enum kernel_form { KERNEL_ASM, KERNEL_PTX, KERNEL_PTX_O0, KERNEL_FORMS };

enum kernel_compare {
  KERNEL_EXACT,       /* equals `expect` byte by byte */
  KERNEL_PERMUTATION, /* 32-bit words: the same multiset as `expect`, any order (results of racing atomics) */
  KERNEL_NEAR         /* floats: |got - expect| <= relative * |expect| + absolute; NaN equals nothing */
};

struct kernel_buffer {
  uint8_t *init, *expect; /* contents before the first launch and after the last; owned */
  size_t bytes;
  enum kernel_compare compare;
  double relative, absolute; /* of KERNEL_NEAR */
  bool read_only;            /* a write must trap */
  bool noise;                /* starts as noise */
};

enum kernel_arg_kind {
  KERNEL_ARG_BUFFER, /* the buffer's address */
  KERNEL_ARG_SCALAR,
  KERNEL_ARG_LOCAL /* dynamic shared memory of the block, `bytes` of it: its address behind the static part */
};

struct kernel_arg {
  enum kernel_arg_kind kind;
  unsigned buffer; /* index */
  uint64_t scalar; /* raw bits */
  unsigned bytes;  /* scalar: 1, 2, 4 or 8; local: any */
};

enum { KERNEL_ARGS = 16, KERNEL_BUFFERS = 16, KERNEL_LAUNCHES = 64 };

struct kernel_launch {
  const char *entry;
  uint32_t grid[3], block[3];
  struct kernel_arg arg[KERNEL_ARGS];
  unsigned args;
};

struct kernel_case {
  struct kernel_buffer buffer[KERNEL_BUFFERS];
  unsigned buffers;
  struct kernel_launch launch[KERNEL_LAUNCHES];
  unsigned launches;
};

typedef bool kernel_prepare_fn(struct kernel_case *c, uint64_t seed, unsigned scale);

struct kernel_info {
  const char *name;
  const char *what;
  kernel_prepare_fn *assembly; /* NULL: there is no NAME.s */
  kernel_prepare_fn *compiled; /* NULL: there is no NAME.ptx */
};

/* All kernels; ends with a NULL name. */
extern const struct kernel_info kernel_table[];
const struct kernel_info *kernel_find(const char *name);

bool kernel_has(const struct kernel_info *k, enum kernel_form form);
const char *kernel_form_name(enum kernel_form form); /* "asm", "ptx", "O0" */
/* The form's file below this folder. */
void kernel_file(const struct kernel_info *k, enum kernel_form form, char *path, size_t size);

/* Inputs and expected memory. `scale` 1 gives at least 10,000 warp instructions; 0 a small case for quick tests.
 * The same seed gives the same case. False: no memory. */
bool kernel_prepare(const struct kernel_info *k, enum kernel_form form, uint64_t seed, unsigned scale,
                    struct kernel_case *c);
void kernel_case_clear(struct kernel_case *c);

/* Does `got` (b->bytes bytes) hold what b expects? On failure *at = first wrong byte. */
bool kernel_matches(const struct kernel_buffer *b, const uint8_t *got, size_t *at);

#endif
