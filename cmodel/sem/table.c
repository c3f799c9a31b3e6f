/* SPDX-License-Identifier: Apache-2.0
 *
 * What one build exports. Control and memory instructions, which core/ executes, are here as their kinds alone.
 */
#include "cmodel/sem/lane.h"
#include "gen/isa_sem.h"

/* Control and memory instructions: what kind each `sem=` name is. The work is
 * done by core/execute.c, diverge.c and memory*.c. */

#define CONTROL(name, what) const struct sem_def SEM_DEF(name) = {.kind = SEM_CONTROL, .control = (what)}
#define MEMORY(name) const struct sem_def SEM_DEF(name) = {.kind = SEM_MEMORY}

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
CONTROL(bar_red, SEM_BAR_RED);
CONTROL(bar_red_popc, SEM_BAR_POPC);
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
CONTROL(ldgdepbar, SEM_NOP);

MEMORY(ldg);
MEMORY(stg);
MEMORY(atomg);
MEMORY(red);
MEMORY(lds);
MEMORY(sts);
MEMORY(atoms);
MEMORY(ldc);
MEMORY(ldl);
MEMORY(stl);
MEMORY(ld);
MEMORY(st);
MEMORY(atom);
MEMORY(atom_cas);
MEMORY(atomg_cas);
MEMORY(atoms_cas);
MEMORY(ldgsts);

const struct sem_def SEM_DEF(ldsm) = {.kind = SEM_MEMORY, .whole_warp = true};

/* A `sem=` name of the ISA file without a definition
 * is a link error here. */

#define DECLARE(op, sem) extern const struct sem_def SEM_DEF(sem);
ISA_SEM_LIST(DECLARE)

#define ENTRY(op, sem) [ISA_OP_##op] = &SEM_DEF(sem),
static const struct sem_def *const table[] = {ISA_SEM_LIST(ENTRY)};

static void modify(uint32_t *d, const uint32_t *raw, uint32_t keep, uint32_t flip, uint32_t plus) {
  SEM_EACH_LANE(i) d[i] = ((raw[i] & keep) ^ flip) + plus;
}

extern const struct sem_access_rows SEM_CAT(sem_access_rows, SEM_BUILD);
extern const struct sem_build SEM_CAT(sem_build, SEM_BUILD);
const struct sem_build SEM_CAT(sem_build, SEM_BUILD) = {
    .op = table, .modify = modify, .access = &SEM_CAT(sem_access_rows, SEM_BUILD)};
