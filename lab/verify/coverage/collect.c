/* SPDX-License-Identifier: Apache-2.0
 *
 * From records to bins.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/verify/coverage/internal.h"

/* Who is there at a time: blocks, and the warp slots that they hold in each partition. */

static unsigned class_of_warps(unsigned n) {
  return n < 4 ? n - 1 : n < 8 ? 3 : 4;
}

/* Warp slots of a machine follow each other over its partitions. */
static uint64_t slots_of(const struct heddle_config *m, unsigned partition) {
  uint64_t slots = 0;
  for (unsigned s = partition; s < m->warps; s += m->partitions) slots |= UINT64_C(1) << s;
  return slots;
}

static void room_begin(struct cov_collector *k, const struct heddle_record_block_start *r) {
  const struct heddle_config *m = k->c->machine;
  unsigned resident = 0;
  uint64_t held = 0;
  if (r->bslot >= m->blocks || r->warps == 0) return;
  k->block[r->bslot] = (struct cov_block){.resident = true, .slots = r->warps};
  for (unsigned b = 0; b < m->blocks; b++) {
    resident += k->block[b].resident;
    held |= k->block[b].slots;
  }
  HIT(k->c, G_RESIDENT, class_of_warps((unsigned)__builtin_popcountll(r->warps)), spread_of(resident));
  for (unsigned p = 0; p < m->partitions; p++) {
    const uint64_t mine = slots_of(m, p);
    if ((r->warps & mine) != 0) HIT(k->c, G_HELD, p, (unsigned)__builtin_popcountll(held & mine) - 1);
  }
}

static void room_end(struct cov_collector *k, const struct heddle_record_block_end *r) {
  if (r->bslot >= k->c->machine->blocks) return;
  k->block[r->bslot].resident = false;
  k->block[r->bslot].slots = 0;
}

/* Where lanes go: splits, releases, named barriers. What the records leave out (which lanes are parked, how many paths
 * wait) the model says, as it stands right after the instruction. */

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

static void flow_issue(struct cov_collector *k, const struct heddle_model *m, struct cov_warp *w, const struct word *d,
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

static void flow_barrier(struct cov_collector *k, const struct heddle_record_barrier *r) {
  if (r->bslot >= k->c->machine->blocks || r->id >= NAMED_BARRIERS) return;
  struct cov_block *b = &k->block[r->bslot];
  struct named_barrier *bar = &b->bar[r->id];
  if (bar->arrived) HIT(k->c, G_BARRIER, bar->last, b->ended < 2 ? b->ended : 2, bar->given);
  bar->arrived = false;
}

struct cov_collector *cov_collector_new(struct cov *into, bool scoreboard, bool its) {
  struct cov_collector *k = calloc(1, sizeof *k);
  if (k == NULL) return NULL;
  *k = (struct cov_collector){.c = into, .scoreboard = scoreboard, .its = its};
  k->warp = calloc(into->machine->warps, sizeof *k->warp);
  k->block = calloc(into->machine->blocks, sizeof *k->block);
  if (k->warp != NULL && k->block != NULL && l1_new(k)) return k;
  cov_collector_free(k);
  return NULL;
}

static void launch_end(struct cov_collector *k) {
  for (unsigned w = 0; w < k->c->machine->warps; w++) {
    access_shared_end(k, &k->warp[w]);
    for (unsigned i = 0; i < STASHES; i++) k->lost += k->warp[w].stash[i].open;
  }
  words_count(k);
}

void cov_collector_free(struct cov_collector *k) {
  if (k == NULL) return;
  if (k->warp != NULL && k->block != NULL) launch_end(k);
  l1_free(k);
  free(k->word);
  free(k->warp);
  free(k->block);
  free(k);
}

uint64_t cov_lost(const struct cov_collector *k) {
  uint64_t lost = k->lost;
  for (unsigned w = 0; w < k->c->machine->warps; w++)
    for (unsigned i = 0; i < STASHES; i++) lost += k->warp[w].stash[i].open;
  return lost;
}

static unsigned extent_of(const uint32_t n[3]) {
  return n[2] > 1 ? 2 : n[1] > 1 ? 1 : 0;
}

static void count_shape(struct cov_collector *k, const struct heddle_launch *l) {
  const struct heddle_config *m = k->c->machine;
  const uint64_t t = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  const uint64_t most = m->warps * 32 < 1024 ? m->warps * 32 : 1024;
  const unsigned threads = t == 1 ? 0 : t < 32 ? 1 : t == 32 ? 2 : t >= most ? 5 : t % 32 != 0 ? 3 : 4;
  const uint64_t by_warps = m->warps / ((t + 31) / 32), room = by_warps < m->blocks ? by_warps : m->blocks;
  HIT(k->c, G_BLOCK, threads, extent_of(l->block));
  HIT(k->c, G_GRID, blocks == 1 ? 0 : blocks <= room ? 1 : 2, extent_of(l->grid));
}

static void launch_begin(struct cov_collector *k, const struct heddle_launch *l) {
  launch_end(k);
  memset(k->warp, 0, k->c->machine->warps * sizeof *k->warp);
  memset(k->block, 0, k->c->machine->blocks * sizeof *k->block);
  k->completed = 0;
  k->has_before = false;
  k->asyncs = 0;
  l1_launch(k);
  if (!words_decode(k, l)) return;
  k->c->launches++;
  count_shape(k, l);
}

/* ---- records */

static struct cov_warp *warp_of(struct cov_collector *k, const struct heddle_record_id *id) {
  return id->slot < k->c->machine->warps ? &k->warp[id->slot] : NULL;
}

static const struct word *word_of_id(const struct cov_collector *k, const struct heddle_record_id *id) {
  return id->slot < k->c->machine->warps ? word_of(k, &k->warp[id->slot], id->seq) : NULL;
}

static enum mask_class mask_of(const struct cov_collector *k, uint32_t exec) {
  const unsigned lanes = k->c->machine->lanes;
  const uint32_t row = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
  if (exec == 0) return MASK_NONE;
  if (exec == UINT32_MAX) return MASK_ALL;
  if ((exec & (exec - 1)) == 0) return MASK_ONE;
  for (unsigned at = 0; at < 32; at += lanes)
    if ((exec >> at & row) != 0 && (exec >> at & row) != row) return MASK_SOME;
  return MASK_BEATS;
}

/* Of each operand the nearest writer. */
static void count_hazards(struct cov_collector *k, const struct cov_warp *w, const struct word *d, uint32_t seq) {
  unsigned unit[PLACES];
  uint32_t near[PLACES] = {0};
  for (unsigned i = 0; i < d->reads; i++) {
    const unsigned at = d->source[i], place = d->place[i];
    if (!w->written[at]) continue;
    const uint32_t distance = seq - w->writer[at];
    if (near[place] != 0 && near[place] <= distance) continue;
    near[place] = distance;
    unit[place] = w->writer_unit[at];
  }
  for (unsigned p = 0; p < PLACES; p++)
    if (near[p] != 0)
      HIT(k->c, G_HAZARD, unit[p], d->unit, p, near[p] < DISTANCES ? near[p] - 1 : DISTANCES - 1, k->scoreboard);
}

static void note_results(struct cov_warp *w, const struct word *d, uint32_t seq) {
  for (unsigned i = 0; i < d->writes; i++) {
    w->written[d->result[i]] = true;
    w->writer[d->result[i]] = seq;
    w->writer_unit[d->result[i]] = d->unit;
  }
}

static void open_stash(struct cov_collector *k, struct cov_warp *w, const struct word *d,
                       const struct heddle_record_issue *r) {
  struct stash *s = &w->stash[r->id.seq % STASHES];
  k->lost += s->open;
  s->open = true;
  s->seq = r->id.seq;
  s->exec = r->exec;
  s->word = (uint32_t)(d - k->word);
  memset(s->got, 0, sizeof s->got);
}

static void on_issue(struct cov_collector *k, const struct heddle_model *m, const struct heddle_record_issue *r) {
  struct cov_warp *w = warp_of(k, &r->id);
  const uint32_t at = r->pc / ISA_STEP;
  k->completed = 0;
  l1_issue(k, r->id.slot);
  if (w == NULL || at >= k->words || !k->word[at].legal) return;
  struct word *d = &k->word[at];
  d->hits[mask_of(k, r->exec)]++;
  w->ring[r->id.seq % RING] = at;
  w->ring_seq[r->id.seq % RING] = r->id.seq;
  if (r->exec != 0) {
    count_hazards(k, w, d, r->id.seq);
    note_results(w, d, r->id.seq);
    if (d->want != 0) open_stash(k, w, d, r);
    if (d->want == 0 && d->bytes != 0) edges_access(k, d, &(struct stash){.exec = r->exec});
  }
  edges_issue(k, d);
  copies_issue(k, w, d, r->exec != 0);
  if (d->d.unit == ISA_UNIT_BR) flow_issue(k, m, w, d, r);
}

static bool stash_full(const struct stash *s, unsigned want) {
  for (unsigned i = 0; i < OPERAND_WORDS; i++)
    if ((want >> i & 1) != 0 && (s->exec & ~s->got[i]) != 0) return false;
  return true;
}

static void close_stash(struct cov_collector *k, struct stash *s) {
  const struct word *d = &k->word[s->word];
  s->open = false;
  if (d->bytes != 0 && (d->space == ISA_SPACE_GLOBAL || d->space == ISA_SPACE_GENERIC)) access_addresses(k, d, s);
  if (d->bytes != 0) edges_access(k, d, s);
  edges_relation(k, d, s);
  numbers_count(k, d, s);
}

/* A row shows the lanes of its mask. */
static void take_lanes(uint32_t *to, const uint32_t *row, uint32_t mask) {
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    to[l] = row[l];
  }
}

static void on_operands(struct cov_collector *k, const struct heddle_record_operands *r) {
  struct cov_warp *w = warp_of(k, &r->id);
  struct stash *s = w != NULL ? &w->stash[r->id.seq % STASHES] : NULL;
  const unsigned lanes = k->c->machine->lanes, first = r->beat * lanes;
  if (s == NULL || !s->open || s->seq != r->id.seq || first + lanes > HEDDLE_LANES) return;
  const struct word *d = &k->word[s->word];
  for (unsigned i = 0; i < HEDDLE_RECORD_ROWS; i++) {
    const unsigned word = r->index[i];
    if ((r->used >> i & 1) == 0 || word >= OPERAND_WORDS || (d->want >> word & 1) == 0) continue;
    take_lanes(&s->data[word][first], r->data[i], r->mask);
    s->got[word] |= r->mask << first;
  }
  if (stash_full(s, d->want)) close_stash(k, s);
}

static void on_trap(struct cov_collector *k, const struct heddle_record_trap *r) {
  if (r->cause == HEDDLE_TRAP_NONE || r->cause >= COV_CAUSES) return;
  edges_trap(k, r);
  if (k->completed == 0) HIT(k->c, G_TRAP, r->cause - 1u, 0);
  for (unsigned f = 1; f < FLIGHTS; f++)
    if ((k->completed >> f & 1) != 0) HIT(k->c, G_TRAP, r->cause - 1u, f);
}

static void on_warp_start(struct cov_collector *k, const struct heddle_record_warp_start *r) {
  struct cov_warp *w = warp_of(k, &r->id);
  if (w == NULL || r->bslot >= k->c->machine->blocks) return;
  access_shared_end(k, w);
  for (unsigned i = 0; i < STASHES; i++) k->lost += w->stash[i].open;
  memset(w, 0, sizeof *w);
  w->bslot = r->bslot;
  l1_warp_starts(k, r->id.slot);
}

static void on_shared(struct cov_collector *k, const struct heddle_record_shared *r) {
  struct cov_warp *w = warp_of(k, &r->id);
  k->completed |= 1u << 2;
  if (w == NULL || r->lanes == 0) return;
  access_shared(k, w, r);
  if (r->access == HEDDLE_RECORD_STORE) copies_store(k, w, word_of(k, w, r->id.seq), &r->id);
}

static void on_global(struct cov_collector *k, const struct heddle_record_global *r) {
  if (r->access < KINDS) k->completed |= 1u << (3 + r->access);
  if (r->access < KINDS) access_global(k, r);
  if (r->access == HEDDLE_RECORD_LOCAL_STORE) l1_local_store(k, r);
  if (r->access == HEDDLE_RECORD_LOAD) copies_load(k, word_of_id(k, &r->id), &r->id, ASYNC_BY);
}

static void on_cache(struct cov_collector *k, const struct heddle_retire_record *r) {
  const struct heddle_record_merge *m = &r->u.merge; /* of a hit, too */
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_MERGE:
    copies_load(k, word_of_id(k, &m->id), &m->id, ASYNC_WAITED);
    l1_merge(k, word_of_id(k, &m->id), m, r->cycle);
    break;
  case HEDDLE_RECORD_HIT:
    l1_hit(k, word_of_id(k, &m->id), m, r->cycle);
    break;
  case HEDDLE_RECORD_FILL:
    l1_fill(k, &r->u.fill);
    break;
  case HEDDLE_RECORD_DROP:
    l1_drop(k, word_of_id(k, &r->u.drop.id), &r->u.drop);
    break;
  case HEDDLE_RECORD_ACK:
    l1_ack(k, &r->u.ack);
    break;
  case HEDDLE_RECORD_FENCE:
    l1_fence(k, &r->u.fence);
    if (warp_of(k, &r->u.fence.id) != NULL) copies_fence(k, warp_of(k, &r->u.fence.id), &r->u.fence);
    break;
  default:
    break;
  }
}

void cov_observe(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                 const struct heddle_retire_record *r) {
  struct cov_collector *k = ctx;
  if (r == NULL) {
    launch_begin(k, l);
    return;
  }
  if (!k->sm_known) k->sm = heddle_record_sm(r);
  k->sm_known = true;
  if (heddle_record_sm(r) != k->sm) return; /* of several SMs one is looked at: they are alike */
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_ISSUE:
    on_issue(k, m, &r->u.issue);
    break;
  case HEDDLE_RECORD_OPERANDS:
  case HEDDLE_RECORD_OPERANDS_MEMORY:
    on_operands(k, &r->u.operands);
    break;
  case HEDDLE_RECORD_WRITE:
    k->completed |= 1u << 1;
    break;
  case HEDDLE_RECORD_SHARED:
    on_shared(k, &r->u.shared);
    break;
  case HEDDLE_RECORD_GLOBAL:
    on_global(k, &r->u.global);
    break;
  case HEDDLE_RECORD_WARP_START:
    on_warp_start(k, &r->u.warp_start);
    break;
  case HEDDLE_RECORD_BLOCK_START:
    room_begin(k, &r->u.block_start);
    break;
  case HEDDLE_RECORD_BLOCK_END:
    room_end(k, &r->u.block_end);
    break;
  case HEDDLE_RECORD_BARRIER:
    flow_barrier(k, &r->u.barrier);
    break;
  case HEDDLE_RECORD_TRAP:
    on_trap(k, &r->u.trap);
    break;
  default:
    on_cache(k, r);
    break;
  }
}

void cov_launch_alone(struct cov_collector *k, const struct heddle_launch *l) {
  launch_begin(k, l);
  if (k->words != 0) k->c->alone++;
}

void cov_issue_alone(struct cov_collector *k, const struct heddle_model *m, unsigned slot,
                     const struct heddle_effect *e) {
  if (slot >= k->c->machine->warps) return;
  struct cov_warp *w = &k->warp[slot];
  struct stash *s = &w->stash[e->seq % STASHES];
  if (e->seq == 0) memset(w, 0, sizeof *w);
  on_issue(k, m,
           &(struct heddle_record_issue){
               .id = {.slot = (uint8_t)slot, .seq = e->seq}, .pc = e->pc, .active = e->active, .exec = e->exec});
  if (!s->open || s->seq != e->seq) return;
  for (unsigned i = 0; i < OPERAND_WORDS; i++) memcpy(s->data[i], e->src[i / 2][i % 2], sizeof s->data[i]);
  close_stash(k, s);
}
