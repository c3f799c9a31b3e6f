/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine configurations that were built, one for each isa/configs/NAME.cfg.
 * The SystemVerilog package cfg_pkg of each comes from the same file.
 */
#ifndef HEDDLE_CONFIG_H
#define HEDDLE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of heddle_config.pipes: bit u is unit u of the ISA file (enum heddle_isa_unit). Memory and control are always
 * there. */
enum heddle_pipe {
  HEDDLE_PIPE_ALU = 1,
  HEDDLE_PIPE_FMA = 2,
  HEDDLE_PIPE_CVT = 4,
  HEDDLE_PIPE_HALF = 1 << 5,
  HEDDLE_PIPE_FP64 = 1 << 6,
  HEDDLE_PIPE_SFU = 1 << 7,
  HEDDLE_PIPE_WARP = 1 << 8,
  HEDDLE_PIPE_UNI = 1 << 9,
  HEDDLE_PIPE_TENSOR = 1 << 10,
  HEDDLE_PIPE_ASYNC = 1 << 26,          /* ISA_PART_ASYNC: asynchronous copies */
  HEDDLE_PIPE_FATOM = 1 << 28,          /* ISA_PART_FATOM: atomics that add floats */
  HEDDLE_PIPES_ALWAYS = 1 << 3 | 1 << 4 /* memory and control: no file names them */
};

struct heddle_config {
  const char *name;
  unsigned lanes; /* 4, 8, 16 or 32; a warp takes 32 / lanes beats */
  unsigned beats;
  unsigned lsu_lanes;   /* of the load/store unit, which all partitions share */
  unsigned partitions;  /* of an SM; warp slot w belongs to partition w mod partitions */
  unsigned warps;       /* resident warps per SM */
  unsigned regs;        /* warp registers (32 lanes x 32 bits) in the register file */
  unsigned banks;       /* of the register file */
  unsigned collectors;  /* places of memory's queue of instructions with operands, and of the other units' */
  unsigned ibuf;        /* buffered instructions per warp */
  unsigned fetch_words; /* instructions in an answer of the instruction cache: 1, 2 or 4 */
  unsigned blocks;      /* resident blocks per SM */
  unsigned shared_bytes, icache_bytes, ccache_bytes;
  unsigned icache_misses, ccache_misses; /* lines on their way from memory */
  unsigned shared_banks;                 /* of shared memory, a word wide each */
  unsigned shared_lanes;                 /* of a pass of shared memory: lsu_lanes, or 1 (word by word) */
  unsigned shared_ranks;                 /* between a word of it and what an atomic makes of the word: 0 or 1 */
  unsigned axi_bits;
  unsigned gmem_lines;       /* requests of the load/store unit in flight, a line each */
  unsigned gmem_slots;       /* global instructions in flight */
  unsigned gmem_atoms;       /* atomics among the requests in flight */
  unsigned l1_bytes;         /* of the cache before the request channel; 0: there is none */
  unsigned l1_ways;          /* ... lines of a set */
  unsigned sms;              /* SMs; what is above is of each */
  unsigned l2_bytes;         /* of the cache that all SMs share, in all its banks; 0: there is none */
  unsigned l2_ways;          /* ... lines of a set */
  unsigned l2_banks;         /* ... banks by line; 1 where there is none */
  unsigned launch_queue;     /* launches that may wait behind the one that runs */
  unsigned axi_ports;        /* to memory: bank b is behind port b mod axi_ports */
  unsigned mmu;              /* 1: translates addresses (isa/doc/18-virtual-memory.md) */
  unsigned alu_lanes;        /* lanes a cycle of a partition's pipe alu */
  unsigned fma_lanes;        /* ... of fma */
  unsigned cvt_lanes;        /* ... of cvt */
  unsigned sfu_lanes;        /* lanes a cycle of a partition's unit sfu; 0: it has none */
  unsigned fp64_lanes;       /* ... of fp64 */
  unsigned tensor_cycles;    /* of a partition's unit tensor for an HMMA.16816: 8, 16 or 32; 0: it has none */
  unsigned row_queues;       /* instructions with rows in front of alu with cvt, and of fma; 0: on the bus */
  unsigned operand_lines;    /* instructions with operands being read at a time: 1 or 2 */
  unsigned divergence_ranks; /* between a warp's masks and what a step of divergence makes of them: 0 or 1 */
  unsigned sched;            /* enum heddle_policy (heddle/host_regs.h), but DEFAULT */
  bool its;                  /* has the divergence unit `its`, too */
  unsigned pipes;            /* OR of enum heddle_pipe */
  unsigned latency_alu, latency_fma, latency_cvt; /* cycles from operand dispatch to register-file write */
  unsigned stall_alu_reg, stall_alu_pred;         /* smallest stall count that makes a dependent */
  unsigned stall_fma_reg, stall_cvt_reg;          /* instruction of the same warp see the result */
  unsigned latency_half, stall_half_reg;          /* 0 without pipe half; its predicates are as late as alu's */
  unsigned stall_uni_reg;                         /* 0 without unit uni; of its predicates, too */
  unsigned latency_max;                           /* the largest of its latencies */
  uint64_t hash;                                  /* of every key; equals cfg_pkg::CFG_HASH */
  uint64_t latency_hash; /* of latencies and stalls: what control codes rely on; cfg_pkg::LATENCY_HASH */
};

/* All its units, a bit per enum heddle_isa_unit, and ISA_PART_ASYNC, ISA_PART_FATOM. */
static inline uint32_t heddle_config_units(const struct heddle_config *c) {
  return c->pipes | HEDDLE_PIPES_ALWAYS;
}

/* A partition's units of variable latency: cycles for which an instruction keeps them; cycles from its issue to the
 * issue of a dependent one, without conflicts. 0: there is no such unit. `heddle bench rate` compares the hardware
 * with them. */
HEDDLE_API unsigned heddle_config_sfu_busy(const struct heddle_config *c);
HEDDLE_API unsigned heddle_config_sfu_latency(const struct heddle_config *c);
HEDDLE_API unsigned heddle_config_fp64_busy(const struct heddle_config *c);
HEDDLE_API unsigned heddle_config_fp64_latency(const struct heddle_config *c);

/* Those of this build never change: any thread may look at them at any time. */
HEDDLE_API size_t heddle_config_count(void);

/* The i-th configuration of this build in alphabetical order; NULL when i is too large. */
HEDDLE_API const struct heddle_config *heddle_config_at(size_t i);

/* By name ("tiny"); NULL when there is none. */
HEDDLE_API const struct heddle_config *heddle_config_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
