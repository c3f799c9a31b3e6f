/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration files: `key = value` lines, every key exactly once.
 */
#ifndef HEDDLE_CFG_H
#define HEDDLE_CFG_H

#include "isa/gen/text.h"

/* Integer keys in the order of the hash, the latencies and stall counts last: NAME, name, least, largest, powers of two
 * only. A stall count has four bits. */
#define CFG_KEY_LIST(KEY)                                                                                              \
  KEY(LANES, lanes, 4, 32, true)                                                                                       \
  KEY(LSU_LANES, lsu_lanes, 4, 32, true)                                                                               \
  KEY(PARTITIONS, partitions, 1, 4, true)                                                                              \
  KEY(WARPS, warps, 1, 64, false)                                                                                      \
  KEY(REGS, regs, 64, 65536, false)                                                                                    \
  KEY(BANKS, banks, 2, 4, true)                                                                                        \
  KEY(COLLECTORS, collectors, 2, 8, false)                                                                             \
  KEY(IBUF, ibuf, 2, 16, true)                                                                                         \
  KEY(FETCH_WORDS, fetch_words, 1, 4, true)                                                                            \
  KEY(BLOCKS, blocks, 1, 32, false)                                                                                    \
  KEY(SHARED_BYTES, shared_bytes, 1024, 131072, true)                                                                  \
  KEY(SHARED_BANKS, shared_banks, 4, 32, true)                                                                         \
  KEY(SHARED_LANES, shared_lanes, 1, 32, true)                                                                         \
  KEY(SHARED_RANKS, shared_ranks, 0, 1, false)                                                                         \
  KEY(ICACHE_BYTES, icache_bytes, 512, 1048576, true)                                                                  \
  KEY(ICACHE_MISSES, icache_misses, 1, 8, false)                                                                       \
  KEY(CCACHE_BYTES, ccache_bytes, 256, 65536, true)                                                                    \
  KEY(CCACHE_MISSES, ccache_misses, 1, 8, false)                                                                       \
  KEY(AXI_BITS, axi_bits, 32, 1024, true)                                                                              \
  KEY(GMEM_LINES, gmem_lines, 1, 128, false)                                                                           \
  KEY(GMEM_SLOTS, gmem_slots, 2, 64, true)                                                                             \
  KEY(GMEM_ATOMS, gmem_atoms, 1, 32, true)                                                                             \
  KEY(L1_BYTES, l1_bytes, 0, 65536, true)                                                                              \
  KEY(L1_WAYS, l1_ways, 0, 8, true)                                                                                    \
  KEY(SMS, sms, 1, 16, false)                                                                                          \
  KEY(L2_BYTES, l2_bytes, 0, 4194304, true)                                                                            \
  KEY(L2_WAYS, l2_ways, 0, 16, true)                                                                                   \
  KEY(L2_BANKS, l2_banks, 1, 8, true)                                                                                  \
  KEY(LAUNCH_QUEUE, launch_queue, 0, 8, true)                                                                          \
  KEY(AXI_PORTS, axi_ports, 1, 4, true)                                                                                \
  KEY(MMU, mmu, 0, 1, false)                                                                                           \
  KEY(ALU_LANES, alu_lanes, 1, 32, true)                                                                               \
  KEY(FMA_LANES, fma_lanes, 1, 32, true)                                                                               \
  KEY(CVT_LANES, cvt_lanes, 1, 32, true)                                                                               \
  KEY(SFU_LANES, sfu_lanes, 0, 32, true)                                                                               \
  KEY(FP64_LANES, fp64_lanes, 0, 32, true)                                                                             \
  KEY(TENSOR_CYCLES, tensor_cycles, 0, 32, true)                                                                       \
  KEY(ROW_QUEUES, row_queues, 0, 4, true)                                                                              \
  KEY(OPERAND_LINES, operand_lines, 1, 2, false)                                                                       \
  KEY(DIVERGENCE_RANKS, divergence_ranks, 0, 1, false)                                                                 \
  KEY(LATENCY_ALU, latency_alu, 1, 63, false)                                                                          \
  KEY(LATENCY_FMA, latency_fma, 1, 63, false)                                                                          \
  KEY(LATENCY_CVT, latency_cvt, 1, 63, false)                                                                          \
  KEY(LATENCY_HALF, latency_half, 0, 63, false)                                                                        \
  KEY(STALL_ALU_REG, stall_alu_reg, 1, 15, false)                                                                      \
  KEY(STALL_ALU_PRED, stall_alu_pred, 1, 15, false)                                                                    \
  KEY(STALL_FMA_REG, stall_fma_reg, 1, 15, false)                                                                      \
  KEY(STALL_CVT_REG, stall_cvt_reg, 1, 15, false)                                                                      \
  KEY(STALL_HALF_REG, stall_half_reg, 0, 15, false)                                                                    \
  KEY(STALL_UNI_REG, stall_uni_reg, 0, 15, false)

#define CFG_KEY_NUMBER(NAME, name, least, largest, pow2) CFG_##NAME,
enum cfg_key { CFG_KEY_LIST(CFG_KEY_NUMBER) CFG_KEYS };

/* enum heddle_pipe: NAME, name, bit. Pipes of fixed latency come first, in the order of their latencies in the keys. */
#define CFG_PIPE_LIST(PIPE)                                                                                            \
  PIPE(ALU, alu, 0)                                                                                                    \
  PIPE(FMA, fma, 1)                                                                                                    \
  PIPE(CVT, cvt, 2)                                                                                                    \
  PIPE(HALF, half, 5)                                                                                                  \
  PIPE(FP64, fp64, 6)                                                                                                  \
  PIPE(SFU, sfu, 7)                                                                                                    \
  PIPE(WARP, warp, 8)                                                                                                  \
  PIPE(UNI, uni, 9)                                                                                                    \
  PIPE(TENSOR, tensor, 10)                                                                                             \
  PIPE(FATOM, fatom, 28)                                                                                               \
  PIPE(ASYNC, async, 26)

/* Pipes of fixed latency: NAME, whether every machine has it, the key of the lanes that it takes a cycle (CFG_KEYS:
 * all). */
#define CFG_FIXED_LIST(FIXED)                                                                                          \
  FIXED(ALU, true, CFG_ALU_LANES)                                                                                      \
  FIXED(FMA, true, CFG_FMA_LANES)                                                                                      \
  FIXED(CVT, true, CFG_CVT_LANES)                                                                                      \
  FIXED(HALF, false, CFG_KEYS)

#define CFG_PIPE_BIT(NAME, name, bit) CFG_PIPE_##NAME = 1 << (bit),
enum cfg_pipe { CFG_PIPE_LIST(CFG_PIPE_BIT) };
#define CFG_PIPE_NUMBER(NAME, name, bit) CFG_NUMBER_##NAME,
enum { CFG_PIPE_LIST(CFG_PIPE_NUMBER) CFG_PIPES };

struct cfg_pipe_name {
  const char *name;
  enum cfg_pipe pipe;
};
extern const struct cfg_pipe_name cfg_pipe_names[CFG_PIPES];

#define CFG_FIXED_NUMBER(NAME, always, lanes) CFG_FIXED_##NAME,
enum { CFG_FIXED_LIST(CFG_FIXED_NUMBER) CFG_FIXED };

struct cfg {
  char name[TEXT_NAME_MAX];
  unsigned value[CFG_KEYS];
  unsigned sched; /* enum heddle_policy, but DEFAULT */
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
 * Pipes of one latency that take rows from the operand bus are a group. One row is dispatched in a cycle, so they
 * never have a result in the same one. With row queues each pipe is a group by itself. */
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
