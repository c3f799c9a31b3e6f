/* SPDX-License-Identifier: Apache-2.0
 * From PTX's orders to MEMBARs. */
#include <string.h>

#include "lab/verify/litmus/src/litmus_mapping.h"

static enum mapping_word membar_word(const struct test_insn *i) {
  if (i->kind == TEST_FENCE) return i->sem == SEM_SC ? MAPPING_FENCE_SC : MAPPING_FENCE_ACQ_REL;
  if (i->sem == SEM_ACQ_REL) return MAPPING_ATOM_ACQ_REL;
  return i->kind == TEST_LOAD ? MAPPING_LD_ACQUIRE : MAPPING_ATOM_ACQUIRE;
}

enum mapping_word mapping_word(const char *name) {
  static const char *const word[MAPPING_WORDS] = {"ld.acquire", "atom.acquire", "atom.acq_rel", "fence.acq_rel",
                                                  "fence.sc"};
  unsigned k = 0;
  while (k < MAPPING_WORDS && strcmp(name, word[k]) != 0) k++;
  return (enum mapping_word)k;
}

uint8_t mapping_before(const struct test_insn *i) {
  return test_accesses(i) && (i->sem == SEM_RELEASE || i->sem == SEM_ACQ_REL) ? i->scope : MAPPING_NONE;
}

uint8_t mapping_behind(const struct test_insn *i, unsigned narrow) {
  const bool acquires = test_accesses(i) && (i->sem == SEM_ACQUIRE || i->sem == SEM_ACQ_REL);
  if (!acquires && i->kind != TEST_FENCE) return MAPPING_NONE;
  if (i->scope != SCOPE_CTA || (narrow >> membar_word(i) & 1u) != 0) return i->scope;
  return SCOPE_GPU;
}
