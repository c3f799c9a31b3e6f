/* SPDX-License-Identifier: Apache-2.0
 *
 * Which build of the operations this processor can run.
 */
#include "cmodel/sem/sem.h"

extern const struct sem_build sem_build_base;
#ifdef SEM_HAVE_X86_LEVELS
extern const struct sem_build sem_build_v3;
extern const struct sem_build sem_build_v4;
#endif

const struct sem_build *sem_build(unsigned n) {
  switch (n) {
  case 0:
    return &sem_build_base;
#ifdef SEM_HAVE_X86_LEVELS
  case 1:
    return __builtin_cpu_supports("x86-64-v3") ? &sem_build_v3 : NULL;
  case 2:
    return __builtin_cpu_supports("x86-64-v4") ? &sem_build_v4 : NULL;
#endif
  default:
    return NULL;
  }
}

const struct sem_build *sem_best(void) {
  for (unsigned n = 2; n > 0; n--) {
    const struct sem_build *t = sem_build(n);
    if (t != NULL) return t;
  }
  return &sem_build_base;
}
