/* SPDX-License-Identifier: Apache-2.0
 *
 * All that the driver sees of hardware. The same driver runs over memory-mapped registers of a board, over Verilated
 * RTL and over the model (cosim/platform has the last two, and both in lockstep). */
#ifndef HEDDLE_PORT_H
#define HEDDLE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>
#include <heddle/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_port {
  size_t size;                        /* sizeof(struct heddle_port) */
  void *self;                         /* of the one who made the port; lives as long as it is used */
  const char *name;                   /* for people: "fpga board 0" */
  uint64_t memory_base, memory_bytes; /* device memory that the driver may hand out; multiples of 256 */

  /* Host registers (heddle/host_regs.h). False: the bus answered with an error, or not at all. */
  bool (*read32)(void *self, uint32_t reg, uint32_t *value);
  bool (*write32)(void *self, uint32_t reg, uint32_t value);

  /* Device memory, any alignment, inside the range above; when no grid runs, what was written is seen by the next one,
   * and what the last one wrote is read. */
  bool (*read)(void *self, uint64_t addr, void *data, uint64_t bytes);
  bool (*write)(void *self, uint64_t addr, const void *data, uint64_t bytes);

  /* Let about so much time pass, or less if something happens. A simulation passes 100 clock cycles a microsecond. */
  void (*wait)(void *self, uint32_t microseconds);

  /* NULL: nobody judges grids. Else asked when STATUS says that one has ended, and believed before STATUS is: SUCCESS,
   * or an error of which *why becomes a sentence, valid until the next grid starts. */
  enum heddle_error (*verdict)(void *self, const char **why);
};

#ifdef __cplusplus
}
#endif

#endif
