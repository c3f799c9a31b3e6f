/* SPDX-License-Identifier: Apache-2.0
 * The in-memory program; reading and writing are in program_load.c and program_save.c. */
#include "heddle/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void heddle_program_free(struct heddle_program *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->kernels; i++) free(p->kernel[i].param);
  free(p->kernel);
  free(p->code);
  free(p->konst);
  free(p);
}

const struct heddle_kernel *heddle_program_kernel(const struct heddle_program *p, const char *name) {
  for (uint32_t i = 0; i < p->kernels; i++)
    if (!p->kernel[i].is_function && strcmp(p->kernel[i].name, name) == 0) return &p->kernel[i];
  return NULL;
}

static uint64_t load_u64(const uint8_t *b) {
  uint64_t v = 0;
  for (int i = 7; i >= 0; i--) v = v << 8 | b[i];
  return v;
}

struct isa_word heddle_program_word(const struct heddle_program *p, uint32_t pc) {
  assert(pc % ISA_WORD_BYTES == 0 && pc < p->code_bytes);
  return (struct isa_word){.lo = load_u64(p->code + pc), .hi = load_u64(p->code + pc + 8)};
}
