/* SPDX-License-Identifier: Apache-2.0
 *
 * What one build exports. A `sem=` name of the ISA file without a definition
 * is a link error here.
 */
#include "gen/isa_sem.h"
#include "cmodel/sem/lane.h"

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
