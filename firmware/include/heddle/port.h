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

struct heddle_program;
struct heddle_kernel;
struct heddle_host_launch;

/* A launch, for a port that watches. Program and kernel live until its end is reported, the rest while `begins`
 * runs. */
struct heddle_seen_launch {
  const struct heddle_program *program;
  const struct heddle_kernel *kernel;
  const struct heddle_host_launch *registers; /* heddle/host.h */
  uint64_t globals;                           /* address of the module's variables; 0: none */
  void *const *params;                        /* a pointer to each parameter's value */
};

/* Reports to a port that watches, beside registers and memory (HEDDLE_RECORD and its like in docs/hosts.md). */
struct heddle_watch {
  size_t size; /* sizeof(struct heddle_watch) */
  void *self;
  /* A program was compiled from this PTX; NULL: the program is about to go. */
  void (*compiled)(void *self, const struct heddle_program *p, const char *ptx, size_t bytes);
  /* `bytes` at `at` are the host's, with the return address `caller`; 0 bytes: no longer. */
  void (*allocated)(void *self, uint64_t at, uint64_t bytes, const void *caller);
  /* Where the host allocated what begins at `at`, "main.cu:12". False: not known. */
  bool (*allocator)(void *self, uint64_t at, char *text, size_t bytes);
  /* This and `ends` may be NULL, both: it does not look at launches, and those may wait in the device's queue.
   * Everything is written but START. */
  void (*begins)(void *self, const struct heddle_seen_launch *l);
  /* End of the launch that began, or of one that did not: `kernel` is its name. `words` are empty if it ended well.
   * TIMEOUT: the host has stopped waiting. */
  void (*ends)(void *self, const char *kernel, enum heddle_error e, const char *words);
};

struct heddle_port {
  size_t size;                        /* sizeof(struct heddle_port) */
  void *self;                         /* of the port's maker; lives as long as it is used */
  const char *name;                   /* for people: "fpga board 0" */
  uint64_t memory_base, memory_bytes; /* device memory that the driver may hand out; multiples of 256 */

  /* Host registers (heddle/host_regs.h). False: the bus answered with an error, or not at all. */
  bool (*read32)(void *self, uint32_t reg, uint32_t *value);
  bool (*write32)(void *self, uint32_t reg, uint32_t value);

  /* Device memory, any alignment, inside the range above; when no grid runs, what was written is seen by the next one,
   * and what the last one wrote is read. Where launches are queued the driver writes while grids run, to what none of
   * those that have been started touches. With unified memory it reads and writes frames of pages while grids run,
   * which no cache has lines of any more. */
  bool (*read)(void *self, uint64_t addr, void *data, uint64_t bytes);
  bool (*write)(void *self, uint64_t addr, const void *data, uint64_t bytes);

  /* Let about so much time pass, or less if something happens. A simulation passes 100 clock cycles a microsecond. */
  void (*wait)(void *self, uint32_t microseconds);

  /* NULL: grids are not judged. Else called when STATUS reports an end, and its result counts before STATUS:
   * SUCCESS, or an error with a sentence in *why, valid until the next grid starts. */
  enum heddle_error (*verdict)(void *self, const char **why);

  const struct heddle_watch *watch; /* NULL: it does not look on. Lives as long as the port */
  uint64_t pad;                     /* bytes more that each allocation gets, for hosts that lean on luck */

  /* `wait` returns as soon as the interrupt line is high (rtl/gpu/README.md): the driver sets IRQ_MASK, and calls it
   * in place of polling. False: IRQ_MASK is left alone. */
  bool sleeps;
};

#ifdef __cplusplus
}
#endif

#endif
