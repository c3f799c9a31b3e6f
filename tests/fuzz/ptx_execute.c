/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_execute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include <heddle/host.h>
#include "base/splitmix64.h"

#define BASE UINT64_C(0x7f40000000)
enum { STRIDE = 4096, DYNAMIC_SHARED = 256, BANK_MAX = HEDDLE_BANK0_PARAMS + (8 << 10) };

static void put_param(uint8_t *bank, const struct heddle_param *p, unsigned k) {
  const uint64_t pointer = BASE + (uint64_t)k * STRIDE % (EXECUTE_BYTES - STRIDE) + STRIDE / 2;
  uint8_t *at = bank + HEDDLE_BANK0_PARAMS + p->offset;
  if (p->size == 8)
    memcpy(at, &pointer, 8);
  else
    for (uint32_t b = 0; b < p->size; b++) at[b] = b == 0 ? (uint8_t)(k * 5 + 3) : 0;
}

/* Module variables lie in the second half; what does not fit there has no place, and traps. */
static uint64_t put_globals(const struct heddle_program *p, uint8_t *memory) {
  enum { AT = EXECUTE_BYTES / 2 };
  if (p->global_bytes == 0 || p->global_bytes > EXECUTE_BYTES - AT) return 0;
  heddle_program_fill_globals(p, BASE + AT, memory + AT);
  return BASE + AT;
}

/* Bank 0; its size. */
static uint32_t fill_bank(uint8_t *bank, const struct heddle_kernel *k, const struct heddle_launch *l,
                          uint64_t globals) {
  const uint32_t bytes = heddle_bank0_bytes(k);
  FUZZ_CHECK(bytes <= BANK_MAX, "%u bytes of parameters", k->param_bytes);
  heddle_bank0_fill(bank, k, l->grid, l->block, globals);
  for (uint32_t i = 0; i < k->params; i++) {
    FUZZ_CHECK(k->param[i].offset + k->param[i].size <= k->param_bytes, "parameter %u lies outside", i);
    put_param(bank, &k->param[i], i);
  }
  return bytes;
}

/* Small integers, ordinary floats, and noise. */
static void fill_memory(uint8_t *memory) {
  uint64_t state = 1;
  for (size_t at = 0; at < EXECUTE_BYTES; at += 8) {
    uint64_t v = splitmix64(&state);
    if (v % 3 == 0) v = v >> 32 & 0x3f0000003f;
    if (v % 3 == 1) v = (v & UINT64_C(0x007fff00007fff00)) | UINT64_C(0x3f8000003f800000);
    memcpy(memory + at, &v, 8);
  }
}

static void launch(struct heddle_model *m, const struct heddle_program *p, const struct heddle_kernel *k,
                   uint32_t threads, uint64_t most_insns, struct execution *out) {
  uint8_t bank[BANK_MAX] = {0};
  struct heddle_launch l = {.size = sizeof l,
                            .grid = {1, 1, 1},
                            .block = {threads, 1, 1},
                            .entry_pc = k->entry_pc,
                            .regs = k->regs,
                            .shared_bytes = k->shared_bytes + DYNAMIC_SHARED,
                            .code = p->code,
                            .code_bytes = p->code_bytes,
                            .region = {{BASE, BASE + EXECUTE_BYTES, true}},
                            .regions = 1,
                            .units = ~0u,
                            .local_bytes = k->local_bytes};
  fill_memory(heddle_model_memory(m));
  l.cbank[0] = bank;
  l.cbank_bytes[0] = fill_bank(bank, k, &l, put_globals(p, heddle_model_memory(m)));
  l.cbank[3] = p->konst;
  l.cbank_bytes[3] = p->const_bytes;
  out->status = heddle_model_launch(m, &l);
  FUZZ_CHECK(out->status == HEDDLE_OK, "%s cannot be launched: %s", k->name, heddle_model_diag(m));
  out->status = heddle_model_run(m, most_insns, NULL);
  snprintf(out->diag, sizeof out->diag, "%s", heddle_model_diag(m));
}

void execute(const struct heddle_program *p, const struct heddle_kernel *k, uint32_t threads, uint64_t most_insns,
             struct execution *out) {
  const struct heddle_model_config c = {
      .size = sizeof c, .base = BASE, .bytes = EXECUTE_BYTES, .warp_slots = 4, .block_slots = 1};
  struct heddle_model *m = heddle_model_new(&c);
  FUZZ_CHECK(m != NULL, "no memory for the model");
  memset(out, 0, sizeof *out);
  launch(m, p, k, threads, most_insns, out);
  if (out->status == HEDDLE_TRAPPED) out->trap = *heddle_model_trap(m);
  memcpy(out->memory, heddle_model_memory(m), EXECUTE_BYTES);
  heddle_model_free(m);
}
