/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the scheduler: which memory accesses and which operations across lanes keep their order. */
#ifndef HEDDLE_PTX_SCHED_MEMORY_H
#define HEDDLE_PTX_SCHED_MEMORY_H

#include "compiler/ir/mir.h"

struct sched_access {
  uint8_t spaces;              /* mask; 0: no memory access */
  bool writes, strong, across; /* across: speaks with other lanes or warps */
  bool fence;                  /* all memory accesses stay on their side */
  uint32_t base;               /* value of the address register, or UINT32_MAX for none */
  int64_t offset;
  uint32_t bytes;
};

struct sched_access sched_access_of(const struct mir_insn *i);
/* Must the second stay behind the first? */
bool sched_conflict(const struct sched_access *first, const struct sched_access *second);
/* Cycles until a result of a unit without fixed latency is there, roughly. */
uint32_t sched_guess(const struct mir_function *f, const struct mir_insn *i);

#endif
