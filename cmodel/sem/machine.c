/* SPDX-License-Identifier: Apache-2.0
 *
 * Control and memory instructions: what kind each `sem=` name is. The work is
 * done by core/diverge.c, core/barrier.c and core/memory.c.
 */
#include "lane.h"

#define CONTROL(name, what) const struct sem_def SEM_DEF(name) = {.kind = SEM_CONTROL, .control = (what)}
#define MEMORY(name, where, how)                                                                                       \
  const struct sem_def SEM_DEF(name) = {.kind = SEM_MEMORY, .space = (where), .access = (how)}

CONTROL(nop, SEM_NOP);
CONTROL(membar, SEM_MEMBAR);
CONTROL(bra, SEM_BRA);
CONTROL(call, SEM_BRA);
CONTROL(brx, SEM_BRX);
CONTROL(call_abs, SEM_BRX);
CONTROL(ret, SEM_BRX);
CONTROL(bssy, SEM_BSSY);
CONTROL(bsync, SEM_BSYNC);
CONTROL(break, SEM_BREAK);
CONTROL(exit, SEM_EXIT);
CONTROL(bar_sync, SEM_BAR_SYNC);

MEMORY(ldg, SEM_GLOBAL, SEM_LOAD);
MEMORY(stg, SEM_GLOBAL, SEM_STORE);
MEMORY(atomg, SEM_GLOBAL, SEM_ATOM);
MEMORY(red, SEM_GLOBAL, SEM_RED);
MEMORY(lds, SEM_SHARED, SEM_LOAD);
MEMORY(sts, SEM_SHARED, SEM_STORE);
MEMORY(atoms, SEM_SHARED, SEM_ATOM);
MEMORY(ldc, SEM_CONST, SEM_LOAD);
