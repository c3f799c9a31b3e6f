/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch as hardware takes it: constant bank 0 in memory, and what the host registers hold. The one way to write
 * both; the driver, lockstep sessions and test benches say where the bytes go. Offsets: isa/abi. */
#ifndef HEDDLE_HOST_H
#define HEDDLE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>
#include <heddle/host_regs.h>
#include <heddle/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a block may be (isa/doc/06-abi.md) */

#define HEDDLE_BLOCK_XY_MAX 1024u /* threads */
#define HEDDLE_BLOCK_Z_MAX 64u
#define HEDDLE_BLOCK_THREADS_MAX 1024u

/* HEDDLE_REFUSE_GRID, _BLOCK or _NONE. Further limits depend on the device. */
HEDDLE_API enum heddle_refuse heddle_host_check_shape(const uint32_t grid[3], const uint32_t block[3]);

/* LAUNCH_SHAPE: the kernel does not take such blocks (struct heddle_promise). Each launch is held to this, beside
 * heddle_host_check_shape. The words have no full stop: "kernel 'rows' requires blocks of 32x4x1 (.reqntid); the launch
 * has 16x8x1". */
HEDDLE_API enum heddle_error heddle_host_check_block(const struct heddle_kernel *k, const uint32_t block[3],
                                                     struct heddle_message *msg);
/* INVALID_VALUE: parameter i, with its bytes at `value`, is less aligned than the kernel promises. */
HEDDLE_API enum heddle_error heddle_host_check_address(const struct heddle_kernel *k, uint32_t i, const void *value,
                                                       struct heddle_message *msg);
/* The threads that a block of it may have: what it promises, or HEDDLE_BLOCK_THREADS_MAX. */
HEDDLE_API uint32_t heddle_host_block_threads(const struct heddle_promise *p);

/* ---- constant bank 0 */

/* Bytes of the bank of a kernel: a multiple of 16. */
HEDDLE_API uint32_t heddle_bank0_bytes(const struct heddle_kernel *k);

/* Everything but the parameters, which become 0. `bank` has heddle_bank0_bytes(k) bytes; `globals` is the address of
 * the module's variables, 0 without any. */
HEDDLE_API void heddle_bank0_fill(uint8_t *bank, const struct heddle_kernel *k, const uint32_t grid[3],
                                  const uint32_t block[3], uint64_t globals);

/* The words behind %envreg0 to 3; zeros until then. */
HEDDLE_API void heddle_bank0_environment(uint8_t *bank, const uint32_t words[4]);

/* Bytes of shared memory of a block, for %total_smem_size and %dynamic_smem_size; 0 until then. */
HEDDLE_API void heddle_bank0_shared(uint8_t *bank, uint32_t bytes);

/* Parameter i: the kernel's k->param[i].size bytes, as device memory has them (little-endian). */
HEDDLE_API void heddle_bank0_param(uint8_t *bank, const struct heddle_kernel *k, uint32_t i, const void *value);

/* ---- host registers */

/* The launch registers. A bank of 0 bytes and a region with limit 0 are absent. */
struct heddle_host_launch {
  size_t size; /* sizeof(struct heddle_host_launch) */
  uint32_t grid[3], block[3], entry_pc, regs, shared_bytes;
  uint32_t mode; /* HEDDLE_MODE_* */
  uint64_t code_base;
  uint32_t code_bytes;
  uint32_t region_write; /* bit i: region i may be written */
  uint64_t local_base;   /* local memory of all warp slots */
  uint32_t local_bytes;  /* of a thread */
  uint64_t cbank_base[HEDDLE_CBANKS];
  uint32_t cbank_bytes[HEDDLE_CBANKS];
  uint64_t region_base[HEDDLE_REGIONS], region_limit[HEDDLE_REGIONS];
  uint64_t page_root; /* this and `space` count, and are written and read, where `mode` has HEDDLE_MODE_PAGES */
  uint32_t space;
};

/* A register is written or read through a function, which is handed `self`; false from it ends the whole: BUS.
 * INVALID_VALUE: a launch of another release. Writing does not start the grid. */
typedef bool (*heddle_host_write)(void *self, uint32_t reg, uint32_t value);
typedef bool (*heddle_host_read)(void *self, uint32_t reg, uint32_t *value);
HEDDLE_API enum heddle_error heddle_host_launch_write(const struct heddle_host_launch *l, heddle_host_write write32,
                                                      void *self);
/* The same where the registers hold `was`: only words that change are written. */
HEDDLE_API enum heddle_error heddle_host_launch_change(const struct heddle_host_launch *l,
                                                       const struct heddle_host_launch *was, heddle_host_write write32,
                                                       void *self);
HEDDLE_API enum heddle_error heddle_host_launch_read(struct heddle_host_launch *l, heddle_host_read read32, void *self);

#ifdef __cplusplus
}
#endif

#endif
