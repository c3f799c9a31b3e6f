/* SPDX-License-Identifier: Apache-2.0
 *
 * Control and memory instructions: what kind each `sem=` name is. The work is
 * done by core/control.c, diverge*.c, block.c and memory*.c.
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
CONTROL(bar_arv, SEM_BAR_ARV);
CONTROL(jmp, SEM_JMP);
CONTROL(kill, SEM_EXIT);
CONTROL(bmov_get, SEM_BMOV_GET);
CONTROL(bmov_set, SEM_BMOV_SET);
CONTROL(warpsync, SEM_WARPSYNC);
CONTROL(yield, SEM_YIELD);
CONTROL(nanosleep, SEM_NANOSLEEP);
CONTROL(bpt, SEM_BPT);
CONTROL(cctl, SEM_NOP);   /* without caches there is nothing to prefetch or forget */
CONTROL(depbar, SEM_NOP); /* the model has no counters to wait for */

const struct sem_def SEM_DEF(bar_red) = {.kind = SEM_CONTROL, .control = SEM_BAR_RED, .reads_ps = true};
const struct sem_def SEM_DEF(bar_red_popc) = {.kind = SEM_CONTROL, .control = SEM_BAR_POPC, .reads_ps = true};

MEMORY(ldg, SEM_GLOBAL, SEM_LOAD);
MEMORY(stg, SEM_GLOBAL, SEM_STORE);
MEMORY(atomg, SEM_GLOBAL, SEM_ATOM);
MEMORY(red, SEM_GLOBAL, SEM_RED);
MEMORY(lds, SEM_SHARED, SEM_LOAD);
MEMORY(sts, SEM_SHARED, SEM_STORE);
MEMORY(atoms, SEM_SHARED, SEM_ATOM);
MEMORY(ldc, SEM_CONST, SEM_LOAD);
MEMORY(uldc, SEM_CONST, SEM_LOAD);
MEMORY(ldl, SEM_LOCAL, SEM_LOAD);
MEMORY(stl, SEM_LOCAL, SEM_STORE);
MEMORY(ld, SEM_GENERIC, SEM_LOAD);
MEMORY(st, SEM_GENERIC, SEM_STORE);
MEMORY(atom, SEM_GENERIC, SEM_ATOM);
MEMORY(atom_cas, SEM_GENERIC, SEM_CAS);
MEMORY(atomg_cas, SEM_GLOBAL, SEM_CAS);
MEMORY(atoms_cas, SEM_SHARED, SEM_CAS);

const struct sem_def SEM_DEF(ldsm) = {
    .kind = SEM_MEMORY, .space = SEM_SHARED, .access = SEM_LOAD_MATRIX, .whole_warp = true};
