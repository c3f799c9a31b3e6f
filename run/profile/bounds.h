/* SPDX-License-Identifier: Apache-2.0
 * Inside heddle study bounds: what a kernel took on the RTL, and what could not have been less. */
#ifndef HEDDLE_RUN_PROFILE_BOUNDS_H
#define HEDDLE_RUN_PROFILE_BOUNDS_H

#include <jansson.h>
#include <stdio.h>

#include <heddle/isa.h>
#include <heddle/record.h>
#include "firmware/kernels/kernels.h"
#include "run/options/options.h"

/* Lower bounds of a kernel, in cycles. All but the last are counted: nothing can be faster. A resource of each SM,
 * or of each bank of memory, is counted for each, and the busiest one bounds. */
enum bound {
  BOUND_ISSUE,     /* an instruction a cycle from each partition's scheduler */
  BOUND_OPERANDS,  /* 32 / lanes cycles of a partition's operand bus each, of two buses the busier, but for control and
                      uniform instructions */
  BOUND_REGISTERS, /* the register file's busiest bank: a row of a register a cycle, of what no reuse cache gives */
  BOUND_ALU,       /* each pipe: as many cycles as it takes for a warp's lanes */
  BOUND_FMA,
  BOUND_CVT,
  BOUND_HALF,
  BOUND_SFU,
  BOUND_FP64,
  BOUND_TENSOR,  /* HMMA.16816 alone is counted */
  BOUND_ROWS,    /* the load/store unit: a row of its lanes a cycle */
  BOUND_SHARED,  /* a pass over the banks of shared memory a cycle */
  BOUND_ATOMICS, /* of global memory, a lane a cycle at each bank */
  BOUND_L1, /* the cache of an SM: a load a cycle, or a beat of the channel where the LSU has fewer than 32 lanes */
  BOUND_CHANNEL, /* between an SM and the crossbar: a beat a cycle, to the SM or from it */
  BOUND_BANK,    /* of the cache that SMs share: a row, of AXI's width, a cycle; 0 where there is none */
  BOUND_READ,    /* beats of AXI's channels R and W */
  BOUND_WRITE,
  BOUND_LATENCY, /* Volkov's: a block alone, as often as the machine has to be filled. Measured alone, not counted */
  BOUNDS
};
const char *bound_name(enum bound b);

struct bounds_request {
  struct run_options run;
  uint64_t scale;
  const char *out; /* -o */
};

struct bounded {
  char name[192];                        /* "spmv.ptx" */
  char lacks[2048];                      /* what the machine lacks for it; else it has run */
  uint64_t cycles, issued, lanes, bytes; /* lanes: that executed, over all instructions; bytes: on R and W */
  unsigned warps, slots;                 /* of the last launch at a time, at most; of the machine: all SMs */
  double bound[BOUNDS];
};

struct bounds {
  struct bounded *of;
  size_t n, room;
  bool shared; /* SMs share a cache: the table has the traffic between */
};

/* bounds.c: what an SM reads of its register file, bank by bank, all partitions together. */
struct registers {
  unsigned banks;
  uint64_t bank[32];
  uint8_t kept[256][3]; /* the reuse cache of each warp slot: registers of the places a, b, c; ISA_RZ: none */
};

/* bounds.c: the counted bounds of launches, from their records. */
struct bounds_counts;
struct bounds_counts *bounds_counts_new(const struct heddle_config *m); /* NULL: no memory */
void bounds_counts_free(struct bounds_counts *c);
void bounds_counts_begin(struct bounds_counts *c); /* of a launch */
void bounds_look(struct bounds_counts *c, const struct heddle_retire_record *r);
void bounds_count(const struct bounds_counts *c, struct bounded *b); /* what the busiest of each part takes */

/* study_bounds.c: one kernel in lockstep, each launch once with its first block alone and once whole. An exit status.
 */
int bounds_kernel(const struct bounds_request *q, const struct kernel_info *k, const char *dir, struct bounded *b);
enum bound bounds_holds(const struct bounded *b); /* the greatest of those that are counted */

/* Markdown, and JSON; a picture */
void bounds_table(FILE *f, const struct bounds *s);
json_t *bounds_json(const struct bounds_request *q, const struct bounds *s);
int bounds_plot(const char *picture, const struct heddle_config *m, const struct bounds *s);

#endif
