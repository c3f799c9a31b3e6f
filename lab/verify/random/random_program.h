/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs, made from the instruction set's own tables: an instruction that is added to the ISA file is
 * reached without a change here. A program is a tree of nodes, so that it can be shrunk by leaving nodes out.
 *
 * Shape: a thread sets up registers and predicates from its number and from constants. A random body follows:
 * straight code, if/else, loops of data-dependent trip counts and early exits, partial calls, jumps through
 * registers, locks, private and colliding accesses, atomics, barriers, matrices. At the end all
 * registers, predicates and the block's shared memory are stored. Results do not depend on the order in which warps
 * run, unless the launch says so; those of programs for `its` not on that of a warp's paths either. How often what is
 * drawn is a matter of knobs (knobs.h, default.knobs).
 */
#ifndef HEDDLE_RANDOM_PROGRAM_H
#define HEDDLE_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random_program;
struct random_knobs;

struct random_limits {
  unsigned max_threads; /* of a block: what the configurations at hand can hold */
  unsigned max_regs;    /* registers a thread */
  unsigned max_shared;  /* bytes a block */
  unsigned warp_regs;   /* registers of all warps that the machine holds at a time; 0: not known */
  unsigned partitions;  /* that have as many of them and of warps each; 0: not known */
  unsigned sms;         /* 0: one, or not known */
  unsigned max_local;   /* bytes of local memory a thread; 0: no more than programs need */
  uint32_t units;       /* bit per enum heddle_isa_unit, ISA_PART_...: what the configurations at hand have; 0 = all */
  bool its;             /* for that divergence unit alone; else for both, but under `stack` with one result */
  uint64_t base;        /* where the buffers begin, a multiple of 4096; 0: drawn */
  uint8_t stall[8];     /* by enum heddle_stall, of the one configuration; all zero: no codes by hand */
  const struct random_knobs *knobs; /* copied; NULL: default.knobs */
};

/* Program `index` of `seed`: the same for the same numbers, whatever else runs. NULL: no memory. */
struct random_program *random_program_new(uint64_t seed, uint64_t index, const struct random_limits *limits);
void random_program_free(struct random_program *p);

/* Assembly text, terminated; owned by the program and valid until the next call on it. */
const char *random_program_text(struct random_program *p);

enum random_errors {
  RANDOM_ERRORS_OUT,
  RANDOM_ERRORS_CODE,
  RANDOM_ERRORS_BANK1,
  RANDOM_ERRORS_BANK2,
  RANDOM_ERRORS_LOCAL
};

/* Launch: one kernel `fuzz`, parameters u64 out (a buffer of zeros), u64 input (read only). The buffers belong to
 * the program. */
#define RANDOM_MORE 14u /* with `out` and the input as many regions as the host's table has */
struct random_launch {
  uint32_t grid[3], block[3];
  size_t out_bytes, input_bytes;
  uint64_t base; /* where the buffers begin in the 40-bit space, a multiple of 4096 */
  const uint8_t *input;
  unsigned more; /* regions of their own, more0, more1 ...: of few bytes; read only, as the input begins, or zeros */
  uint32_t more_bytes[RANDOM_MORE];
  uint32_t more_writable; /* bits */
  const uint8_t *bank[4]; /* constant banks 1 and 2, bank_bytes each; NULL: there is none. 0 and 3 are the program's */
  uint32_t bank_bytes[4];
  unsigned launches;            /* one after the other, without a reset; memory stays as the one before left it */
  bool apart;                   /* each begins when the host has seen the end of the one before, also with a queue */
  enum random_errors error_in;  /* memory with errors is there */
  size_t error_at, error_bytes; /* of `out`, a bank or local memory; of the code error_at bytes before its end; 0, 0:
                                 * nothing. The model alone runs on */
  unsigned trap;        /* enum heddle_cause: it is meant to end in this trap, and memory is not compared; 0: none */
  uint64_t host;        /* not 0: from it the host draws what it does beside the launches, which it must answer for */
  unsigned others;      /* that many other programs (of seeds of their own) the device runs before it; with host only */
  bool order_dependent; /* what it leaves depends on order or machine: lockstep judges it, the model alone cannot */
};
const struct random_launch *random_program_launch(const struct random_program *p);
/* Instead of what was drawn: launch.host and launch.others. */
void random_program_set_host(struct random_program *p, uint64_t host, unsigned others);

/* Has a machine with these units such a form, so that programs draw it? Takes an enum heddle_isa_enc. */
bool random_draws(uint32_t units, unsigned enc);

/* Shrinking: nodes that can be left out are numbered 0 .. count-1 (removed ones keep their number). */
unsigned random_program_nodes(const struct random_program *p);
bool random_program_has(const struct random_program *p, unsigned node);
void random_program_remove(struct random_program *p, unsigned node, bool removed);
unsigned random_program_size(const struct random_program *p); /* instructions of the body that are left */

#endif
