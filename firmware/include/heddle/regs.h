/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the host port (AXI4-Lite, 32-bit words, little-endian): byte offsets, bits, values.
 * What they mean is the table in rtl/gpu/README.md; the RTL side is rtl/gpu/host_regs_pkg.sv. All are whole-word
 * accesses. */
#ifndef HEDDLE_REGS_H
#define HEDDLE_REGS_H

/* Identity and capabilities (read only). 64-bit values: low word, then high word. */
#define HEDDLE_REG_ID 0x000u
#define HEDDLE_REG_VERSION 0x004u
#define HEDDLE_REG_CAP_LANES 0x008u
#define HEDDLE_REG_CAP_WARPS 0x00cu
#define HEDDLE_REG_CAP_REGS 0x010u
#define HEDDLE_REG_CAP_SHARED 0x014u
#define HEDDLE_REG_CAP_BLOCKS 0x018u
#define HEDDLE_REG_CAP_AXI_BITS 0x01cu
#define HEDDLE_REG_CFG_HASH 0x020u
#define HEDDLE_REG_ISA_HASH 0x028u
#define HEDDLE_REG_LATENCY_HASH 0x030u
#define HEDDLE_REG_CAP_UNITS 0x038u
#define HEDDLE_REG_CAP_COUNTERS 0x03cu

#define HEDDLE_ID 0x4845444cu      /* "HEDL" */
#define HEDDLE_VERSION 0x00010000u /* major in the upper half */
#define HEDDLE_UNIT_ALU 0x1u
#define HEDDLE_UNIT_FMA 0x2u
#define HEDDLE_UNIT_CVT 0x4u
#define HEDDLE_UNIT_LOCAL 0x80000000u /* local memory: bank 0 says how much (isa/doc/06-abi.md); no RTL has it yet */

/* Control (write only, reads 0) and status (read only). */
#define HEDDLE_REG_CONTROL 0x040u
#define HEDDLE_CONTROL_START 0x1u
#define HEDDLE_CONTROL_ABORT 0x2u

#define HEDDLE_REG_STATUS 0x044u
#define HEDDLE_STATUS_RUNNING 0x01u
#define HEDDLE_STATUS_DONE 0x02u
#define HEDDLE_STATUS_TRAPPED 0x04u
#define HEDDLE_STATUS_REFUSED 0x08u
#define HEDDLE_STATUS_DRAINING 0x10u
#define HEDDLE_STATUS_REFUSE_SHIFT 8
#define HEDDLE_STATUS_REFUSE_MASK 0xf00u

enum heddle_refuse {
  HEDDLE_REFUSE_NONE = 0,
  HEDDLE_REFUSE_GRID = 1,  /* a grid dimension is 0 */
  HEDDLE_REFUSE_BLOCK = 2, /* a block dimension is 0 or too large, or more than 1,024 threads */
  HEDDLE_REFUSE_WARPS = 3, /* more warps than warp slots */
  HEDDLE_REFUSE_REGS = 4,  /* registers a thread not in 1..255, or the block's do not fit */
  HEDDLE_REFUSE_SHARED = 5 /* shared memory of a block does not fit */
};

/* Cycles of the grid; read the low word first, it keeps the high word for the next read. */
#define HEDDLE_REG_CYCLES_LO 0x048u
#define HEDDLE_REG_CYCLES_HI 0x04cu

/* Event counters of the grid, one word each (warp cycles but for the first). */
#define HEDDLE_REG_COUNTER(n) (0x080u + 4u * (unsigned)(n))
enum heddle_counter {
  HEDDLE_COUNTER_ISSUED = 0,       /* warp instructions issued */
  HEDDLE_COUNTER_NOT_SELECTED = 1, /* eligible, but another warp went */
  HEDDLE_COUNTER_WAIT = 2,         /* wait mask or scoreboard */
  HEDDLE_COUNTER_STALL = 3,        /* stall count */
  HEDDLE_COUNTER_PIPE = 4,         /* no collector free, or operands being collected */
  HEDDLE_COUNTER_FETCH = 5,        /* no instruction there */
  HEDDLE_COUNTER_SYNC = 6,         /* barrier, control instruction, draining memory accesses */
  HEDDLE_COUNTER_MEMORY = 7,       /* memory pipe full */
  HEDDLE_COUNTER_CONST = 8,        /* constant operand not there */
  HEDDLE_COUNTER_OTHER = 9,        /* trap, or retire port not ready */
  HEDDLE_COUNTERS = 10
};

/* The trap that stopped the grid (valid while STATUS says trapped; cause as in isa/doc/05-barriers-traps.md). */
#define HEDDLE_REG_TRAP_CAUSE 0x0c0u
#define HEDDLE_REG_TRAP_CTAID_X 0x0c4u
#define HEDDLE_REG_TRAP_CTAID_Y 0x0c8u
#define HEDDLE_REG_TRAP_CTAID_Z 0x0ccu
#define HEDDLE_REG_TRAP_WARP 0x0d0u /* warp of the block */
#define HEDDLE_REG_TRAP_SLOT 0x0d4u /* warp slot 7:0, generation 15:8 */
#define HEDDLE_REG_TRAP_SEQ 0x0d8u
#define HEDDLE_REG_TRAP_PC 0x0dcu
#define HEDDLE_REG_TRAP_LANES 0x0e0u
#define HEDDLE_REG_TRAP_ADDR_LO 0x0e4u
#define HEDDLE_REG_TRAP_ADDR_HI 0x0e8u

/* The launch (read and write; writes are dropped while a grid runs). */
#define HEDDLE_REG_GRID_X 0x100u
#define HEDDLE_REG_GRID_Y 0x104u
#define HEDDLE_REG_GRID_Z 0x108u
#define HEDDLE_REG_BLOCK_X 0x10cu
#define HEDDLE_REG_BLOCK_Y 0x110u
#define HEDDLE_REG_BLOCK_Z 0x114u
#define HEDDLE_REG_ENTRY_PC 0x118u
#define HEDDLE_REG_REGS 0x11cu
#define HEDDLE_REG_SHARED_BYTES 0x120u
#define HEDDLE_REG_CODE_BASE_LO 0x124u
#define HEDDLE_REG_CODE_BASE_HI 0x128u
#define HEDDLE_REG_CODE_BYTES 0x12cu
#define HEDDLE_REG_MODE 0x130u
#define HEDDLE_MODE_SCOREBOARD 0x1u    /* else control codes are trusted */
#define HEDDLE_REG_REGION_WRITE 0x134u /* bit i: region i may be written */

/* Constant bank i (0..3): base, bytes. */
#define HEDDLE_REG_CBANK_BASE_LO(i) (0x140u + 16u * (unsigned)(i))
#define HEDDLE_REG_CBANK_BASE_HI(i) (0x144u + 16u * (unsigned)(i))
#define HEDDLE_REG_CBANK_BYTES(i) (0x148u + 16u * (unsigned)(i))
#define HEDDLE_CBANKS 4u

/* Region i (0..15) of global memory: base, limit (exclusive; 0 = unused). */
#define HEDDLE_REG_REGION_BASE_LO(i) (0x200u + 16u * (unsigned)(i))
#define HEDDLE_REG_REGION_BASE_HI(i) (0x204u + 16u * (unsigned)(i))
#define HEDDLE_REG_REGION_LIMIT_LO(i) (0x208u + 16u * (unsigned)(i))
#define HEDDLE_REG_REGION_LIMIT_HI(i) (0x20cu + 16u * (unsigned)(i))
#define HEDDLE_REGIONS 16u

#define HEDDLE_REG_BYTES 0x1000u /* size of the port's address range */

#endif
