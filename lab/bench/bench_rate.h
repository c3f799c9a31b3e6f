/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle bench rate: the RTL against the limits of its configuration. Everything is counted in cycles of the device, so
 * that two runs of one build print the same.
 *
 * A figure takes four launches: a loop with a body of `units` and one with half as many. Each runs until one warp
 * has made `trips` or twice as many trips. The difference in trips gives the cost of a trip, with everything warm.
 * That of the bodies gives the cost of a unit inside a straight body: launch, first trip and the loop's own
 * instructions cancel out. The number of trips of all warps together follows from the count of issued instructions. */
#ifndef HEDDLE_TOOL_BENCH_RATE_H
#define HEDDLE_TOOL_BENCH_RATE_H

#include <stdio.h>

#include "run/cases/kernel_run.h"
#include "run/runner/runner.h"

/* Parts of a loop body. A unit is one instruction; of TAKEN a branch and the instruction that it leaps over. */
enum rate_body {
  RATE_FFMA,
  RATE_IADD3,
  RATE_I2F,
  RATE_MIXED, /* FFMA and IADD3 in turn */
  RATE_TAKEN,
  RATE_NOT_TAKEN,
  RATE_LDS,
  RATE_STS,
  RATE_LDG,
  /* Streams (bench_rate_kernels.c): a unit reads and writes 128 bits a lane. */
  RATE_READ,
  RATE_WRITE,
  RATE_COPY,
  RATE_ADD, /* of two vectors */
  /* From here on forms (bench_rate.c). */
  RATE_HFMA2,
  RATE_F2F_F32_F16,
  RATE_F2I_S32_F32,
  RATE_MUFU,
  RATE_DFMA,
  RATE_I2F_F64_U32,
  RATE_F2I_S64_F64,
  RATE_F2F_F64_F32,
  RATE_F2F_F32_F64,
  RATE_SHFL,
  RATE_VOTE,
  RATE_ATOMS,
  RATE_ATOMS_ONE,
  RATE_ATOMS_CAS,
  RATE_ATOMS_F32,
  RATE_ATOMS_CHAIN,
  RATE_LDS_CHAIN,
  RATE_ATOMG,
  RATE_ATOMG_ONE,
  RATE_ATOMG_CAS,
  RATE_ATOMG_F32,
  RATE_RED,
  RATE_ATOMG_CHAIN,
  RATE_LDG_CHAIN,
  RATE_LDL,
  RATE_STL,
  RATE_SPILL,
  RATE_LDGSTS,
  RATE_BY_HAND, /* the same in two instructions */
  RATE_HMMA,    /* of the largest shape: the unit's peak */
  RATE_UIADD3,
  RATE_ULDC,
  RATE_LDSM, /* four matrices */
  RATE_LDSM_CHAIN,
  RATE_BODIES
};

/* Condition for the next instruction of a chain. */
enum rate_way {
  RATE_STALLS, /* a stall count of the configuration */
  RATE_COUNTS, /* a dependency counter for each chain */
  RATE_LOADS,  /* no chains: results go to registers in turn, a counter for each few */
  RATE_LEAVES  /* there is no result */
};

/* Where R2, or R2:R3, leads before the loop. */
enum rate_start {
  RATE_AT_OWN,         /* a word of global memory for each thread */
  RATE_AT_ONE,         /* the same for all */
  RATE_AT_SELF,        /* 64 bits of global memory that hold their own address */
  RATE_AT_SHARED,      /* a word of shared memory for each lane */
  RATE_AT_SHARED_ONE,  /* the same for all */
  RATE_AT_SHARED_SELF, /* one that holds its own address */
  RATE_AT_ROWS,        /* 16 bytes of shared memory for each lane */
  RATE_AT_ROWS_SELF,   /* the first 16, which hold their own address, 0 */
  RATE_AT_UNIFORM,     /* nowhere; uniform registers have numbers of R4-R15 */
  RATE_AT_LOCAL        /* of a thread's local memory the first */
};

/* $d: the register, or pair, of the chain (U$d: the uniform one), or a load's destination. $a, $b: factors in other
 * banks than $d. $o: offset of one of sixteen words, in turn. */
struct rate_form {
  const char *text;
  const char *odd; /* what every other unit is instead; NULL: the same */
  uint32_t needs;  /* HEDDLE_PIPE_* */
  enum rate_way way;
  enum rate_start start;
  unsigned words; /* of $d */
};

const struct rate_form *rate_form(enum rate_body body);              /* NULL: it is none */
bool rate_there(const struct heddle_config *c, enum rate_body body); /* has the machine what it needs? */

struct rate_stream {
  unsigned loads, stores; /* of a unit, 512 bytes of a warp each */
  unsigned quads;         /* units of a warp under way */
  unsigned insns;         /* of a unit */
};

const struct rate_stream *rate_stream(enum rate_body body); /* NULL: it is none */

struct rate_shape {
  enum rate_body body;
  unsigned chains;    /* independent chains of a warp: 1 to 8 (both kinds of MIXED together) */
  unsigned warps;     /* of the one block */
  unsigned conflicts; /* FFMA: sources beside the first in one bank, 0 to 2; LDS: lanes of a bank, 1 and more */
};

/* The fewest cycles of the SM that an instruction of a form can take; 0: nothing says so. */
double rate_form_limit(const struct heddle_config *c, const struct rate_shape *s);

#define RATE_UNITS_STEP 24u   /* bodies are multiples of it: every number of chains divides it */
#define RATE_UNITS_MAX 192u   /* of the long body */
#define RATE_UNITS_SLOW 96u   /* ... of forms that take long */
#define RATE_UNITS_STREAM 48u /* ... of streams: as many a trip as keep the start of the next one small */
#define RATE_SHARED_MAX 4096u /* bytes of shared memory that a program uses */

/* ---- programs ---- */

unsigned rate_units(const struct heddle_config *c, enum rate_body body); /* of the long body: it fits the cache */
/* Cycles of a row of operands on the bus: more than one if its pipe has fewer lanes than the machine. MIXED: of the
 * slower of both. */
unsigned rate_passes(const struct heddle_config *c, enum rate_body body);
unsigned rate_busy(const struct heddle_config *c, enum rate_body body); /* ... all of an instruction's rows */
/* Issue to issue of dependent instructions: the configuration's count, or the beats where there are more; and the
 * cycles in which counts stop for passes. With row queues an instruction's own passes, and five cycles. */
unsigned rate_latency(const struct heddle_config *c, enum rate_body body);
/* Chains of a warp that count: with row queues the warp waits for its own rows, whatever they are for. */
unsigned rate_chains(const struct heddle_config *c, unsigned chains);
/* Stall count of unit `i` of the body: a round of chains as fast as it can be, then what is left of the latency. Rounds
 * of several warps so find places beside each other; spread over the latency they might meet for ever. */
unsigned rate_stall(const struct heddle_config *c, const struct rate_shape *s, unsigned i);
unsigned rate_trip_insns(enum rate_body body, unsigned units); /* instructions that a trip issues */
uint32_t rate_end(const struct heddle_program *p);             /* pc of the trap that ends it */
/* Assembly of kernel "rate" (u64 data, u32 trips, u32 stop): malloc'ed; NULL: no memory. */
char *rate_text(const struct heddle_config *c, const struct rate_shape *s, unsigned units, size_t *size);
/* Control codes: the counter that is waited for and that which is raised (7: none), the stall count. */
void rate_code(FILE *f, unsigned wait, unsigned counter, unsigned stall);

/* A stream: the text of unit `i`; bytes of global memory. The fewest cycles of the SM that a unit can take, which
 * are the beats of the busier channel. Share of so many accesses a unit in all beats of a channel, R or W. */
void rate_stream_unit(FILE *f, const struct heddle_config *c, const struct rate_shape *s, unsigned i, unsigned units);
unsigned rate_stream_bytes(const struct rate_shape *s, unsigned units);
double rate_stream_limit(const struct heddle_config *c, enum rate_body body);
double rate_stream_share(const struct heddle_config *c, unsigned accesses, double cycles);

/* ---- measurement ---- */

struct rate_request {
  struct run_options run; /* where; config is found */
  const char *only;       /* rows, with commas between; NULL: all */
  const char *json, *picture;
  uint64_t scale; /* of the kernels */
  bool little, check;
};

struct rate_figure {
  double cycles;              /* of the SM, a unit of one warp */
  double share[RUN_COUNTERS]; /* of the cycles of all warps, by enum heddle_counter; not of --little */
};

/* False after a message; *status then is the exit status. */
bool rate_measure(struct runner *r, const struct rate_request *q, const struct rate_shape *s, unsigned trips,
                  struct rate_figure *out, int *status);

/* ---- the table ---- */

#define RATE_NOTE 160u

struct rate_row {
  const char *name, *what;
  double cycles, limit;    /* a warp instruction, or of all the kernel; limit 0: there is none */
  double bytes;            /* that a unit of one warp moves; 0 but for global memory */
  double share_r, share_w; /* streams: of all beats of R and W; else 0 */
  unsigned latency;        /* of memory */
  double issued;           /* kernels, cold code: of the places for instructions; else 0 */
  double share[RUN_COUNTERS];
  char missing[RATE_NOTE]; /* why there is no figure; empty: there is one */
};

#define RATE_FAR 100u /* latency of memory in the rows with names that end in _100 */

#define RATE_KERNELS 3u
const char *rate_kernel_name(unsigned i); /* of the row: the kernel, or one of its forms */
/* Kernel `i`. False after a message; what this machine cannot run gives a row without figures. */
bool rate_kernel(struct runner *r, const struct rate_request *q, unsigned i, struct rate_row *out, int *status);

#define RATE_COLD 2u
const char *rate_cold_name(unsigned i);
/* Straight code that no cache has seen, on a machine of its own. False after a message. */
bool rate_cold(const struct rate_request *q, unsigned i, struct rate_row *out, int *status);

/* sgemm8x8 in the steady state: what a machine full of blocks does between one depth of the product and twice that. */
bool rate_steady(struct runner *r, const struct rate_request *q, struct rate_row *out, int *status);

int rate_table(const struct rate_request *q);

/* ---- Little's law ---- */

struct rate_point {
  unsigned warps, chains;
  double rate, law; /* warp instructions a cycle */
};
#define RATE_POINTS_MAX 64u

int rate_little(const struct rate_request *q);

/* The same of one SM of an NVIDIA H200 (tests/silicon/README.md): four schedulers, one instruction a cycle each. */
#define RATE_SILICON_MAX 128u
#define RATE_SILICON_LATENCY 4u
#define RATE_SILICON_PEAK 4u
unsigned rate_silicon(struct rate_point p[RATE_SILICON_MAX]); /* how many; 0 after a message */
/* Reads the text of a file, and changes it; `path` is for messages. */
unsigned rate_silicon_parse(char *text, const char *path, struct rate_point p[RATE_SILICON_MAX]);

#endif
