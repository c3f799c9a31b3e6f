/* SPDX-License-Identifier: Apache-2.0
 *
 * A core of your own as a device: what `heddle run`, `kernels`, `fuzz` and `campaign` do with our machines they do with
 * yours, by its name: --config NAME.
 *
 * Write a shared object `verilator_NAME.so` that exports one table, `heddle_core_ops`, and put it into the folder of
 * devices (HEDDLE_DEVICES, or beside ours). Host registers, memory and the rest are made around it: it has a clock, a
 * memory, and shows records (docs/retire-port.md). examples/barrel has one in about a hundred lines.
 */
#ifndef HEDDLE_CORE_H
#define HEDDLE_CORE_H

#include <heddle/attach.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_core_options {
  size_t size; /* sizeof(struct heddle_core_options) */
  /* Memory of the core: `bytes` bytes at `addr`, at most 128 at a time, any alignment. False: memory answers with an
   * error (no such address, or the test wants one), and nothing has happened. The core chooses the time; let it
   * depend on `seed`, unless `latency` gives it. Bit i of a store's `strobe` (two words): byte i is written; NULL:
   * all are. */
  void *memory;
  bool (*load)(void *memory, uint64_t addr, void *to, unsigned bytes);
  bool (*store)(void *memory, uint64_t addr, const void *from, const uint64_t *strobe, unsigned bytes);
  /* Records of the core. Its cycle is the number of clocks since create. Those of one cycle in the order of kinds. */
  void *sink;
  void (*record)(void *sink, const struct heddle_retire_record *r);
  void (*port)(void *sink, unsigned kind, const uint32_t *word, size_t words); /* as heddle_attach_port */
  uint64_t seed;                                                               /* initial state, latencies */
  uint64_t ready_seed; /* not 0: the core is to be held back at random, if it can be */
  unsigned fault;      /* a bug to switch on; 0: none */
  uint32_t latency;    /* not 0: memory is always ready, and so many cycles are between a request and its answer */
};

#define HEDDLE_CORE_ABI 4u
struct heddle_core_ops {
  uint32_t abi;
  const struct heddle_core *(*describe)(void);
  void *(*create)(const struct heddle_core_options *o); /* NULL: no memory, or options that it cannot serve */
  void (*free)(void *self);
  /* Reset, and begin this launch: code, constants and global memory are in memory already. */
  void (*launch)(void *self, const struct heddle_image *image);
  void (*clock)(void *self);                /* one cycle; never before the first launch, which resets */
  bool (*ended)(const void *self);          /* the launch is over, trapped or not, and all it wrote is in memory */
  const char *(*failure)(const void *self); /* an assertion inside failed: its words; NULL: none. May be NULL */
  /* Begin a wave in this file (FST), or end it (NULL), at any time. False: it can't be written. NULL: this build makes
   * none. `heddle --wave` and --wave-last open the device NAME_wave, built for it; with the latter a copy of
   * the process begins it, in which no thread of the core's own goes on. */
  bool (*wave)(void *self, const char *path);
};

#ifdef __cplusplus
}
#endif

#endif
