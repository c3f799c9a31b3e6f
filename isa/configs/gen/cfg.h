/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration files: `key = value` lines, every key exactly once.
 */
#ifndef HEDDLE_CFG_H
#define HEDDLE_CFG_H

#include "isa/gen/text.h"

/* Integer keys. */
enum cfg_key {
  CFG_LANES,
  CFG_LSU_LANES,
  CFG_PARTITIONS,
  CFG_WARPS,
  CFG_REGS,
  CFG_BANKS,
  CFG_COLLECTORS,
  CFG_IBUF,
  CFG_FETCH_WORDS,
  CFG_BLOCKS,
  CFG_SHARED_BYTES,
  CFG_SHARED_BANKS,
  CFG_SHARED_LANES,
  CFG_SHARED_RANKS,
  CFG_ICACHE_BYTES,
  CFG_ICACHE_MISSES,
  CFG_CCACHE_BYTES,
  CFG_CCACHE_MISSES,
  CFG_AXI_BITS,
  CFG_GMEM_LINES,
  CFG_GMEM_SLOTS,
  CFG_GMEM_ATOMS,
  CFG_L1_BYTES,
  CFG_L1_WAYS,
  CFG_SMS,
  CFG_L2_BYTES,
  CFG_L2_WAYS,
  CFG_L2_BANKS,
  CFG_LAUNCH_QUEUE,
  CFG_AXI_PORTS,
  CFG_MMU,
  CFG_ALU_LANES,
  CFG_FMA_LANES,
  CFG_CVT_LANES,
  CFG_SFU_LANES,
  CFG_FP64_LANES,
  CFG_TENSOR_CYCLES,
  CFG_ROW_QUEUES,
  CFG_OPERAND_LINES,
  CFG_DIVERGENCE_RANKS,
  CFG_LATENCY_ALU,
  CFG_LATENCY_FMA,
  CFG_LATENCY_CVT,
  CFG_LATENCY_HALF,
  CFG_STALL_ALU_REG,
  CFG_STALL_ALU_PRED,
  CFG_STALL_FMA_REG,
  CFG_STALL_CVT_REG,
  CFG_STALL_HALF_REG,
  CFG_STALL_UNI_REG,
  CFG_KEYS
};

enum cfg_sched { CFG_GTO, CFG_LRR, CFG_TWO_LEVEL }; /* enum heddle_policy less one */
/* enum heddle_pipe */
enum cfg_pipe {
  CFG_PIPE_ALU = 1,
  CFG_PIPE_FMA = 2,
  CFG_PIPE_CVT = 4,
  CFG_PIPE_HALF = 1 << 5,
  CFG_PIPE_FP64 = 1 << 6,
  CFG_PIPE_SFU = 1 << 7,
  CFG_PIPE_WARP = 1 << 8,
  CFG_PIPE_UNI = 1 << 9,
  CFG_PIPE_TENSOR = 1 << 10,
  CFG_PIPE_ASYNC = 1 << 26,
  CFG_PIPE_FATOM = 1 << 28
};
#define CFG_PIPES 11

struct cfg_pipe_name {
  const char *name;
  enum cfg_pipe pipe;
};
extern const struct cfg_pipe_name cfg_pipe_names[CFG_PIPES];

/* Pipes of fixed latency: the first names; their latencies are the keys from CFG_LATENCY_ALU on, in this order. */
#define CFG_FIXED 4

struct cfg {
  char name[TEXT_NAME_MAX];
  unsigned value[CFG_KEYS];
  enum cfg_sched sched;
  bool its;       /* the divergence unit `its` besides `stack` */
  unsigned pipes; /* OR of enum cfg_pipe */
  uint64_t hash, latency_hash;
};

/* Inclusive; pow2: powers of two only. */
struct cfg_range {
  unsigned low, high;
  bool pow2;
};
extern const struct cfg_range cfg_ranges[CFG_KEYS];
extern const char *const cfg_key_names[CFG_KEYS];

/* The fixed pipes of a machine; arrays go by a pipe's number, or by a group's.
 * Pipes of one latency that take rows from the operand bus are a group. One row is dispatched in a cycle, so they never
 * have a result in the same one. With row queues each pipe is a group by itself. */
struct cfg_fixed {
  unsigned pipes;             /* alu, fma, cvt, and those others that the machine has */
  unsigned number[CFG_FIXED]; /* of each name; CFG_FIXED where the machine lacks it */
  unsigned unit[CFG_FIXED];   /* enum heddle_isa_unit */
  unsigned latency[CFG_FIXED], passes[CFG_FIXED];
  unsigned group[CFG_FIXED];
  unsigned groups, leader[CFG_FIXED]; /* the first pipe of each group */
  unsigned ends;                      /* instructions that may end in one cycle: of each group one, or one in all */
};
struct cfg_fixed cfg_fixed(const struct cfg *c);

/* Read and check one file; its name without directory and `.cfg` becomes the configuration's. */
bool cfg_load(const char *path, struct cfg *c, struct diag *d);

void cfg_emit_sv(const struct cfg *c, FILE *f);
void cfg_emit_c(const struct cfg *c, unsigned n, FILE *f); /* the table of all */

#endif
