/* SPDX-License-Identifier: Apache-2.0
 * Warps of a launch in turns, on the model. */
#include "turns.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct run {
  struct turns *t;
  struct heddle_model *m;
  const struct heddle_launch *l;
  unsigned warps, warps_of_block;
  uint64_t next, blocks;
  bool live[TURNS_WARPS_MAX], ended[TURNS_WARPS_MAX];
  unsigned block_of[TURNS_WARPS_MAX]; /* block slot: that of the block's first warp slot */
  struct heddle_effect fx;
  struct heddle_performed done;
  const char *why;
};

static bool fail_turns(struct run *r, const char *why) {
  if (!r->why) r->why = why;
  return false;
}

static bool start_next_block(struct run *r) {
  uint8_t slot[TURNS_WARPS_MAX];
  unsigned n = 0;
  for (unsigned w = 0; w < r->warps && n < r->warps_of_block; w++)
    if (!r->live[w]) slot[n++] = (uint8_t)w;
  if (n < r->warps_of_block) return false;
  const uint32_t *g = r->l->grid;
  const uint32_t at[3] = {(uint32_t)(r->next % g[0]), (uint32_t)(r->next / g[0] % g[1]),
                          (uint32_t)(r->next / g[0] / g[1])};
  if (heddle_block_start(r->m, slot[0], at, slot, n) != HEDDLE_OK) return fail_turns(r, heddle_model_diag(r->m));
  for (unsigned i = 0; i < n; i++) r->live[slot[i]] = true, r->ended[slot[i]] = false, r->block_of[slot[i]] = slot[0];
  r->next++;
  return true;
}

static void end_finished_block(struct run *r, unsigned block) {
  for (unsigned w = 0; w < r->warps; w++)
    if (r->live[w] && r->block_of[w] == block && !r->ended[w]) return;
  if (heddle_block_end(r->m, block) != HEDDLE_OK) (void)fail_turns(r, heddle_model_diag(r->m));
  for (unsigned w = 0; w < r->warps; w++)
    if (r->block_of[w] == block) r->live[w] = false;
}

static bool note_issue(struct run *r, unsigned w, uint32_t pc) {
  struct turns_slot *s = &r->t->slot[w];
  if (++r->t->issued > TURNS_MOST) return fail_turns(r, "more instructions than can be kept");
  if (!array_room(&s->insn, &s->room, s->n + 1, sizeof *s->insn)) return fail_turns(r, "out of memory");
  s->insn[s->n++] = pc / ISA_STEP;
  return true;
}

static bool step_turn(struct run *r, unsigned w) {
  const enum heddle_status st = heddle_warp_issue(r->m, w, &r->fx);
  if (st == HEDDLE_TRAPPED || (st == HEDDLE_OK && r->fx.traps)) return fail_turns(r, "it traps");
  if (st != HEDDLE_OK) return fail_turns(r, heddle_model_diag(r->m));
  if (!note_issue(r, w, r->fx.pc)) return false;
  if (heddle_perform_whole(r->m, w, &r->fx, &r->done) != HEDDLE_OK) return fail_turns(r, heddle_model_diag(r->m));
  r->ended[w] = r->fx.warp_ended;
  if (r->fx.bar_wait || r->fx.warp_ended)
    for (unsigned id = 0; id < 16; id++) (void)heddle_barrier_release(r->m, r->block_of[w], id);
  if (r->fx.warp_ended) end_finished_block(r, r->block_of[w]);
  return !r->why;
}

static bool all_turns(struct run *r) {
  for (bool moved = true; moved && !r->why;) {
    moved = false;
    while (r->next < r->blocks && start_next_block(r)) {}
    for (unsigned w = 0; w < r->warps && !r->why; w++) {
      if (!r->live[w] || r->ended[w] || heddle_warp_waiting(r->m, w)) continue;
      moved = step_turn(r, w);
    }
  }
  if (!r->why && !heddle_grid_done(r->m)) return fail_turns(r, "its warps wait for each other");
  return !r->why;
}

bool turns_run(struct turns *t, const struct job *job, unsigned warps, uint8_t *image, char *why, size_t why_bytes) {
  const struct heddle_model_config c = {
      .size = sizeof c, .base = job->mem_base, .bytes = job->mem_bytes, .warp_slots = warps, .block_slots = warps};
  struct heddle_launch l = job->launch;
  struct run *r = calloc(1, sizeof *r);
  struct heddle_model *m = r ? heddle_model_new(&c) : NULL;
  bool ok = m != NULL && warps <= TURNS_WARPS_MAX;
  snprintf(why, why_bytes, "out of memory");
  if (ok) {
    *r = (struct run){.t = t, .m = m, .l = &l, .warps = warps};
    r->warps_of_block = (l.block[0] * l.block[1] * l.block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
    r->blocks = (uint64_t)l.grid[0] * l.grid[1] * l.grid[2];
    l.units = UINT32_MAX;
    t->warps = warps;
    job_store_inputs(job, heddle_model_memory(m));
    ok = r->warps_of_block <= warps ? heddle_model_launch(m, &l) == HEDDLE_OK || fail_turns(r, heddle_model_diag(m))
                                    : fail_turns(r, "a block has more warps than there are slots");
    ok = ok && all_turns(r);
    if (!ok) snprintf(why, why_bytes, "%s", r->why);
    if (ok) memcpy(image, heddle_model_memory(m), job->mem_bytes);
  }
  heddle_model_free(m);
  free(r);
  return ok;
}

void turns_clear(struct turns *t) {
  for (unsigned w = 0; w < TURNS_WARPS_MAX; w++) free(t->slot[w].insn);
  *t = (struct turns){0};
}
