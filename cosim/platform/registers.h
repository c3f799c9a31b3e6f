/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/platform: the register map (isa/abi/host_regs.layout) as words, for ports behind which no hardware
 * answers the host. */
#ifndef HEDDLE_PLATFORM_REGISTERS_H
#define HEDDLE_PLATFORM_REGISTERS_H

#include <heddle/host.h>
#include <heddle/model.h>

/* A page of the list of faults, as FAULT_PAGE and FAULT_INFO have it. */
struct registers_fault {
  uint64_t page;
  uint32_t info;
};

struct registers {
  uint32_t word[HEDDLE_REG_BYTES / 4]; /* as the host sees them */
  bool pending;                        /* START has been written, nothing runs yet */
  bool abort;                          /* ABORT has been written: the runner of the grid stops it, and clears this */
  /* Where CAP_UNITS has MMU, and a grid runs: its runner executes the written command, and clears it. */
  bool replay, fail, exchange;
  struct registers_fault fault[HEDDLE_FAULT_PLACES]; /* FAULTS of them */
};

void registers_set(struct registers *r, uint32_t reg, uint32_t value);
void registers_set64(struct registers *r, uint32_t reg, uint64_t value);

/* A write of the host. False: the bus answers with an error. Launch registers stay while STATUS says RUNNING. There
 * are no caches and no cached translations: FLUSH, EMPTY and INVALIDATE are done at once. */
bool registers_write32(struct registers *r, uint32_t reg, uint32_t value);
bool registers_read32(const struct registers *r, uint32_t reg, uint32_t *value);

/* Values of the launch registers. */
void registers_launch(const struct registers *r, struct heddle_host_launch *out);

/* The list of faults, at most HEDDLE_FAULT_PLACES; IRQ_CAUSE says so. */
void registers_faults(struct registers *r, const struct registers_fault *list, unsigned count);
/* EXCHANGE: where and what; what was there, or `bad`. */
uint64_t registers_get64(const struct registers *r, uint32_t reg);
void registers_exchanged(struct registers *r, bool bad, uint64_t old);

/* End of the grid. Undefined data, which hardware would not detect, shows as a trap without a cause. */
void registers_done(struct registers *r);
void registers_refused(struct registers *r, uint32_t why); /* enum heddle_refuse */
void registers_trapped(struct registers *r, const struct heddle_trap *t);
void registers_undefined(struct registers *r, const struct heddle_undefined *u);

#endif
