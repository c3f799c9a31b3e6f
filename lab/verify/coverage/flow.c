/* SPDX-License-Identifier: Apache-2.0
 *
 * Where lanes go: splits, releases, named barriers. What the records leave out (which lanes are parked, how many paths
 * wait) the model says, as it stands right after the instruction. */
#include <string.h>

#include "lab/verify/coverage/collect.h"

static void count_split(struct cov_collector *k, const struct cov_warp *w, const struct word *d,
                        const struct heddle_record_issue *r, const struct heddle_standing *now) {
  const unsigned more = now->paths > w->depth ? now->paths - w->depth : 0;
  const bool whole = r->exec == r->active;
  if (r->exec != 0 && !whole && more == 0) return; /* a bad target: it takes no effect */
  const unsigned outcome = r->exec == 0               ? OUT_NONE
                           : more > (whole ? 0u : 1u) ? OUT_TARGETS
                           : whole                    ? OUT_ALL
                                                      : OUT_PART;
  HIT(k->c, G_SPLIT, d->split, outcome, depth_of(w->depth));
}

static bool release_cause(unsigned op, unsigned *by) {
  static const struct {
    uint16_t op;
    uint8_t by;
  } known[] = {{ISA_OP_BSYNC, REL_BSYNC}, {ISA_OP_BREAK, REL_BREAK},       {ISA_OP_EXIT, REL_EXIT},
               {ISA_OP_KILL, REL_KILL},   {ISA_OP_WARPSYNC, REL_WARPSYNC}, {ISA_OP_BMOV_SET, REL_BMOV},
               {ISA_OP_YIELD, REL_YIELD}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].op == op) {
      *by = known[i].by;
      return true;
    }
  return false;
}

/* Lanes that were parked, or came to park, and are not. */
static uint32_t released(const struct cov_warp *w, const struct word *d, const struct heddle_record_issue *r,
                         unsigned by, const struct heddle_standing *now) {
  uint32_t lanes = 0;
  for (unsigned x = 0; x < 17; x++) lanes |= w->parked[x] & ~now->parked[x];
  const bool parks = by == REL_BSYNC || by == REL_WARPSYNC;
  const unsigned x = by == REL_BSYNC ? (unsigned)heddle_isa_get(d->d.word, ISA_F_BX) : 16;
  const bool trapped = now->pc == r->pc && now->active == r->active; /* a mask that does not fit: no effect */
  if (parks && !trapped) lanes |= r->exec & ~now->parked[x & 31];
  return lanes & ~now->exited;
}

static void count_release(struct cov_collector *k, const struct cov_warp *w, const struct word *d,
                          const struct heddle_record_issue *r, const struct heddle_standing *now) {
  unsigned by;
  if (r->exec == 0 || !release_cause(d->d.op, &by)) return;
  const uint32_t lanes = released(w, d, r, by, now);
  if (lanes == 0) return;
  const unsigned how_many = lanes == ~now->exited ? 2 : (lanes & (lanes - 1)) != 0 ? 1 : 0;
  HIT(k->c, G_RELEASE, by, depth_of(w->depth), how_many, k->its);
}

static void note_end(struct cov_collector *k, const struct cov_warp *w) {
  struct cov_block *b = &k->block[w->bslot];
  b->ended++;
  for (unsigned i = 0; i < NAMED_BARRIERS; i++)
    if (b->bar[i].arrived && !b->bar[i].given) b->bar[i].last = BY_EXIT;
}

static void note_arrival(struct cov_collector *k, const struct cov_warp *w, const struct word *d) {
  static const uint16_t op[] = {ISA_OP_BAR_SYNC, ISA_OP_BAR_ARV, ISA_OP_BAR_RED, ISA_OP_BAR_RED_POPC};
  for (unsigned by = 0; by < sizeof op / sizeof *op; by++) {
    if (op[by] != d->d.op) continue;
    struct named_barrier *b = &k->block[w->bslot].bar[heddle_isa_get(d->d.word, ISA_F_BARID) % NAMED_BARRIERS];
    *b = (struct named_barrier){(uint8_t)by, true, heddle_isa_get(d->d.word, ISA_F_BARCNT) != 0};
  }
}

void flow_issue(struct cov_collector *k, const struct heddle_model *m, struct cov_warp *w, const struct word *d,
                const struct heddle_record_issue *r) {
  struct heddle_standing now;
  unsigned by;
  if (r->exec != 0) note_arrival(k, w, d);
  if (d->split == NOT_HERE && !release_cause(d->d.op, &by)) return;
  if (!heddle_warp_standing(m, r->id.slot, &now)) return;
  if (d->split != NOT_HERE) count_split(k, w, d, r, &now);
  count_release(k, w, d, r, &now);
  if (now.ended) note_end(k, w);
  w->depth = now.paths;
  memcpy(w->parked, now.parked, sizeof w->parked);
}

void flow_barrier(struct cov_collector *k, const struct heddle_record_barrier *r) {
  if (r->bslot >= k->c->machine->blocks || r->id >= NAMED_BARRIERS) return;
  struct cov_block *b = &k->block[r->bslot];
  struct named_barrier *bar = &b->bar[r->id];
  if (bar->arrived) HIT(k->c, G_BARRIER, bar->last, b->ended < 2 ? b->ended : 2, bar->given);
  bar->arrived = false;
}
