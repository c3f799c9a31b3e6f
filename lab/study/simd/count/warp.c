/* SPDX-License-Identifier: Apache-2.0
 * Counting on Heddle's model. */
#include "warp.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>

#define INSNS_MAX 100000000u

static bool add_word(struct simd_listing *l, const struct heddle_program *p, uint32_t pc) {
  struct heddle_isa_dec d;
  const struct heddle_isa_word w = heddle_program_word(p, pc);
  struct simd_insn *i = heddle_isa_decode(w, &d) ? simd_listing_add(l) : NULL;
  if (!i) return false;
  i->at = pc;
  i->bytes = heddle_program_next(p, pc) - pc;
  (void)snprintf(i->mnemonic, sizeof i->mnemonic, "%s", heddle_isa_op_name((enum heddle_isa_op)d.op));
  (void)heddle_disassemble_at(p, pc, i->text, sizeof i->text);
  return true;
}

bool simd_warp_listing(struct simd_listing *l, const struct heddle_program *p, const struct heddle_kernel *k,
                       char err[SIMD_ERROR]) {
  uint32_t end = p->code_bytes;
  for (uint32_t i = 0; i < p->kernels; i++)
    if (p->kernel[i].entry_pc > k->entry_pc && p->kernel[i].entry_pc < end) end = p->kernel[i].entry_pc;
  (void)snprintf(l->function, sizeof l->function, "%.63s", k->name);
  l->start = k->entry_pc;
  l->bytes = end - k->entry_pc;
  for (uint32_t pc = k->entry_pc; pc < end; pc = heddle_program_next(p, pc))
    if (!add_word(l, p, pc)) {
      (void)snprintf(err, SIMD_ERROR, "%s: no instruction at 0x%x, or no memory", l->function, pc);
      return false;
    }
  return true;
}

struct grid {
  struct simd_listing *l;
  struct heddle_model *m;
  unsigned warps; /* of a block */
  uint64_t issued;
  char *err;
};

static bool stop_grid(struct grid *g, const char *why) {
  const char *diag = heddle_model_diag(g->m);
  (void)snprintf(g->err, SIMD_ERROR, "%s: %s (%.*s)", g->l->function, why, (int)strcspn(diag, "\n"), diag);
  return false;
}

static bool count_effect(struct grid *g, const struct heddle_effect *e) {
  struct simd_insn *i = simd_listing_at(g->l, e->pc);
  if (!i) return stop_grid(g, "it leaves its code: the study has no functions");
  i->executed++;
  if (i->kind == SIMD_SCALAR) return true;
  i->width += HEDDLE_LANES;
  i->lanes += (unsigned)__builtin_popcount(e->exec);
  return true;
}

/* Until the warp ends. */
static bool run_warp(struct grid *g, unsigned w) {
  struct heddle_effect e;
  struct heddle_performed done;
  do {
    if (++g->issued > INSNS_MAX) return stop_grid(g, "too many instructions");
    if (heddle_warp_waiting(g->m, w)) return stop_grid(g, "it waits at a barrier: the study has none");
    if (heddle_warp_issue(g->m, w, &e) != HEDDLE_OK || e.traps) return stop_grid(g, "the program is at fault");
    if (!count_effect(g, &e)) return false;
    if (heddle_perform_whole(g->m, w, &e, &done) != HEDDLE_OK) return stop_grid(g, "an access cannot be performed");
  } while (!e.warp_ended);
  return true;
}

static bool run_model_block(struct grid *g, const uint32_t at[3]) {
  uint8_t slot[32];
  for (unsigned w = 0; w < g->warps; w++) slot[w] = (uint8_t)w;
  if (heddle_block_start(g->m, 0, at, slot, g->warps) != HEDDLE_OK) return stop_grid(g, "a block does not start");
  for (unsigned w = 0; w < g->warps; w++)
    if (!run_warp(g, w)) return false;
  return heddle_block_end(g->m, 0) == HEDDLE_OK || stop_grid(g, "a block does not end");
}

bool simd_warp_run(struct simd_listing *l, struct heddle_model *m, const struct heddle_launch *launch,
                   char err[SIMD_ERROR]) {
  const uint32_t *n = launch->grid, threads = launch->block[0] * launch->block[1] * launch->block[2];
  struct grid g = {.l = l, .m = m, .warps = (threads + HEDDLE_LANES - 1) / HEDDLE_LANES, .err = err};
  if (g.warps > 32) return stop_grid(&g, "a block has at most 32 warps");
  for (uint32_t z = 0; z < n[2]; z++)
    for (uint32_t y = 0; y < n[1]; y++)
      for (uint32_t x = 0; x < n[0]; x++)
        if (!run_model_block(&g, (const uint32_t[3]){x, y, z})) return false;
  return heddle_model_end(m) == HEDDLE_OK || stop_grid(&g, "it leaves undefined memory");
}
