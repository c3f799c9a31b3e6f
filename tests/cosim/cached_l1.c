/* SPDX-License-Identifier: Apache-2.0
 *
 * The L1 of the SM that is played at random, and what lies between it and memory.
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/cached_sm_internal.h"
#include <heddle/isa_tables.h>

/* ---- the cache */

static struct place *find(struct sm *m, uint64_t sector, bool local) {
  for (unsigned i = 0; i < ROOM; i++)
    if (m->place[i].valid && m->place[i].sector == sector && m->place[i].local == local) return &m->place[i];
  return NULL;
}

static void install(struct sm *m, uint64_t sector, bool local, uint32_t number) {
  struct place *p = find(m, sector, local);
  for (unsigned i = 0; i < ROOM && p == NULL; i++)
    if (!m->place[i].valid) p = &m->place[i];
  if (p == NULL) {
    p = &m->place[sm_draw(m, ROOM)];
    m->out->replaced++;
    if (!sm_wrong(m, SM_REPLACED_SILENT, 2))
      cached_give_up(m->x, HEDDLE_RECORD_DROP_REPLACED, p->sector / 4, 1u << p->sector % 4, p->local);
    if (sm_wrong(m, SM_READS_REPLACED, 2)) return; /* the new one is not kept, and the old one stays */
  }
  *p = (struct place){true, local, sector, number};
}

static void send(struct sm *m, struct op o) {
  assert_true(m->ops < OPS);
  o.pass = ++m->pass;
  m->op[m->ops++] = o;
}

static struct request *joinable(struct sm *m, uint64_t line, unsigned s, bool local) {
  for (unsigned i = 0; i < REQUESTS; i++) {
    struct request *r = &m->request[i];
    if (!r->used || r->line != line || r->local != local || (r->asked >> s & 1) == 0 || r->waiters == WAITERS) continue;
    if ((r->closed >> s & 1) == 0 || sm_wrong(m, SM_JOINS_OVERTAKEN, 1)) return r;
  }
  return NULL;
}

static struct request *ask(struct sm *m, uint64_t line, bool local) {
  for (unsigned i = 0; i < REQUESTS; i++) {
    struct request *r = &m->request[i];
    if (r->used) continue;
    *r = (struct request){.used = true, .local = local, .line = line, .number = ++m->number};
    if (m->number > 3 && sm_wrong(m, SM_NUMBER_SKIPS, 10)) r->number = ++m->number;
    return r;
  }
  return NULL;
}

static void wait_for(struct request *r, unsigned warp, uint32_t seq, unsigned s) {
  struct waiter *w = r->waiters > 0 ? &r->waiter[r->waiters - 1] : NULL;
  if (w == NULL || w->warp != warp || w->seq != seq) {
    w = &r->waiter[r->waiters++];
    *w = (struct waiter){warp, seq, 0};
  }
  w->sectors |= 1u << s;
}

/* Who finds sectors reads them; for the others it waits. False: there is no room to ask, and nothing has happened. */
static bool load(struct sm *m, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors, bool local) {
  uint32_t have[4] = {0}, want[4] = {0};
  unsigned hit = 0, missed = 0;
  struct request *fresh = NULL;
  for (unsigned s = 0; s < 4; s++)
    if ((sectors >> s & 1) != 0 && find(m, 4 * line + s, local) == NULL && joinable(m, line, s, local) == NULL)
      missed |= 1;
  for (unsigned i = 0; i < REQUESTS && missed != 0; i++)
    if (!m->request[i].used) missed = 0;
  if (missed != 0) return false;
  for (unsigned s = 0; s < 4; s++) {
    const struct place *p = (sectors >> s & 1) != 0 ? find(m, 4 * line + s, local) : NULL;
    if (p != NULL) hit |= 1u << s, have[s] = p->number;
    if (p != NULL || (sectors >> s & 1) == 0) continue;
    struct request *r = joinable(m, line, s, local);
    if (r != NULL) m->out->joins++;
    if (r == NULL) {
      if (fresh == NULL) fresh = ask(m, line, local);
      r = fresh;
      r->asked |= 1u << s;
    }
    wait_for(r, warp, seq, s);
    missed |= 1u << s, want[s] = r->number;
  }
  if (missed != 0) cached_merges(m->x, warp, seq, line, missed, want, local);
  if (fresh != NULL)
    send(m, (struct op){.kind = OP_FILL,
                        .request = (unsigned)(fresh - m->request),
                        .line = line,
                        .left = fresh->asked,
                        .local = local});
  if (hit != 0) m->out->hits++;
  if (hit != 0) cached_hits(m->x, warp, seq, line, hit, have, local);
  return true;
}

/* Stores, atomics, strong loads: the sectors are given up, and the access goes on. */
static void pass_by(struct sm *m, unsigned warp, const struct cached_insn *i, uint64_t line, unsigned sectors) {
  const bool store = i->kind == HEDDLE_ACCESS_STORE, load = i->kind == HEDDLE_ACCESS_LOAD;
  const enum sm_fault keeps = store ? SM_STORE_KEEPS : load ? SM_STRONG_KEEPS : SM_ATOMIC_KEEPS;
  for (unsigned s = 0; s < 4; s++) {
    struct place *p = (sectors >> s & 1) != 0 ? find(m, 4 * line + s, false) : NULL;
    if (p != NULL && !sm_wrong(m, keeps, 1)) p->valid = false;
  }
  for (unsigned k = 0; k < REQUESTS; k++)
    if (m->request[k].used && m->request[k].line == line && !m->request[k].local) m->request[k].closed |= sectors;
  if (!(store && sm_wrong(m, SM_DROP_SILENT, 4))) cached_drop(m->x, warp, i->seq, line, sectors);
  send(m, (struct op){.kind = OP_ACCESS, .warp = warp, .seq = i->seq, .line = line, .left = sectors, .writes = !load});
}

static void store_local(struct sm *m, unsigned warp, const struct cached_insn *i, uint64_t line, unsigned sectors) {
  for (unsigned s = 0; s < 4; s++)
    if ((sectors >> s & 1) != 0 && find(m, 4 * line + s, true) == NULL) install(m, 4 * line + s, true, 0);
  for (unsigned k = 0; k < REQUESTS; k++)
    if (m->request[k].used && m->request[k].line == line && m->request[k].local) m->request[k].closed |= sectors;
  send(m,
       (struct op){.kind = OP_LOCAL_STORE, .warp = warp, .seq = i->seq, .line = line, .left = sectors, .local = true});
}

static bool is_strong(const struct cached_insn *i) {
  return i->local == 0 && i->kind == HEDDLE_ACCESS_LOAD &&
         heddle_isa_get(i->word, ISA_F_STRONG) >= ISA_STRONG_STRONG_GPU;
}

/* The line of the instruction's lowest lane that has not passed: sectors of it that are not under way. */
static uint64_t next_line(unsigned warp, const struct cached_insn *i, uint32_t passed) {
  for (unsigned l = 0; l < 32; l++)
    if ((i->exec & ~passed) >> l & 1)
      return i->local != 0 ? (uint64_t)(warp % CACHED_WARPS) << 18 | i->addr[l] / 4 : i->addr[l] / 128;
  return UINT64_MAX;
}

static void mark_passed(struct sm_warp *w, const struct cached_insn *i, uint64_t line) {
  for (unsigned l = 0; l < 32; l++)
    if (i->local != 0 ? i->addr[l] / 4 == (line & 0x3ffff) : i->addr[l] / 128 == line) w->passed[0] |= 1u << l;
}

/* The oldest access of the warp passes, or a line of it. */
void sm_pass(struct sm *m, unsigned warp) {
  struct sm_warp *w = &m->warp[warp];
  if (w->queued == 0) return;
  const uint32_t seq = w->queue[0];
  struct cached_insn *i = cached_find(m->x, warp, seq);
  assert_non_null(i);
  const bool local = i->local != 0;
  const uint64_t line = next_line(warp, i, w->passed[0]);
  const uint32_t exec = i->exec;
  const struct cached_insn was = *i;
  const unsigned sectors = cached_sectors(i, line, local);
  if (i->kind == HEDDLE_ACCESS_LOAD && !is_strong(i)) {
    if (!load(m, warp, seq, line, sectors, local)) return;
  } else if (local) {
    store_local(m, warp, i, line, sectors);
  } else {
    pass_by(m, warp, i, line, sectors);
  }
  mark_passed(w, &was, line);
  if ((exec & ~w->passed[0]) != 0) return;
  for (unsigned k = 0; k + 1 < w->queued; k++) {
    w->queue[k] = w->queue[k + 1];
    w->passed[k] = w->passed[k + 1];
  }
  w->queued--;
}

/* ---- memory */

static void deliver(struct sm *m, struct request *r) {
  uint32_t number[4];
  for (unsigned s = 0; s < 4; s++) {
    number[s] = r->number;
    if ((r->asked >> s & 1) == 0) continue;
    if ((r->closed >> s & 1) != 0) m->out->overtaken++;
    if ((r->closed >> s & 1) == 0 || (!r->local && sm_wrong(m, SM_OVERTAKEN_STAYS, 1)))
      install(m, 4 * r->line + s, r->local, r->number);
  }
  for (unsigned k = 0; k < REQUESTS && !r->local; k++) {
    const struct request *o = &m->request[k];
    if (o != r && o->used && o->line == r->line && !o->local && sm_wrong(m, SM_WRONG_COPY, 1))
      for (unsigned s = 0; s < 4; s++) number[s] = o->number;
  }
  for (unsigned k = 0; k < r->waiters; k++)
    cached_hits(m->x, r->waiter[k].warp, r->waiter[k].seq, r->line, r->waiter[k].sectors, number, r->local);
  r->used = false;
}

static void take_out(struct sm *m, unsigned n) {
  memmove(&m->op[n], &m->op[n + 1], (m->ops - n - 1) * sizeof *m->op);
  m->ops--;
}

/* May it go before all that set out earlier? Those of its line it does not overtake. */
static bool its_turn(struct sm *m, unsigned n) {
  for (unsigned k = 0; k < n; k++) {
    const struct op *o = &m->op[k];
    const bool beside =
        o->kind == OP_ACK || (m->op[n].kind == OP_ACK) || (o->kind == OP_ANSWER) != (m->op[n].kind == OP_ANSWER);
    if (o->line != m->op[n].line || o->local != m->op[n].local || beside) continue;
    if (!(m->op[n].kind == OP_FILL && o->kind == OP_ACCESS && sm_wrong(m, SM_FILL_OVERTAKES, 1))) return false;
  }
  return true;
}

static void perform(struct sm *m, unsigned n) {
  struct op *o = &m->op[n], was;
  const unsigned s = (unsigned)__builtin_ctz(o->left);
  if (o->writes && o->left != 0 && (o->left & (o->left - 1)) != 0 && sm_wrong(m, SM_ACK_EARLY, 3))
    cached_ack(m->x, o->warp, o->seq, o->line);
  o->left &= o->left - 1;
  was = *o;
  if (was.kind == OP_FILL) {
    cached_fill(m->x, m->request[was.request].number, 4 * was.line + s, was.local);
    if (sm_wrong(m, SM_FILL_TWICE, 20)) {
      struct heddle_retire_record r = {.kind = HEDDLE_RECORD_FILL};
      r.u.fill = (struct heddle_record_fill){.sector = 4 * was.line + s,
                                             .number = m->request[was.request].number,
                                             .sm = (uint8_t)m->at,
                                             .bank = (uint8_t)(was.line % m->x->banks),
                                             .is_local = was.local};
      cached_show(m->x, &r);
    }
  } else if (was.kind == OP_ACCESS) {
    cached_global(m->x, was.warp, was.seq, 4 * was.line + s);
  } else {
    cached_local_store(m->x, was.warp, was.seq, 4 * was.line + s);
  }
  if (was.left != 0) return;
  if (was.kind == OP_ACCESS && was.writes) { /* it keeps its place: fences ask what passed when */
    o->kind = OP_ACK;
    return;
  }
  take_out(m, n);
  if (was.kind == OP_FILL) {
    was.kind = OP_ANSWER;
    send(m, was);
  }
}

void sm_memory(struct sm *m) {
  if (m->ops == 0) return;
  const unsigned n = sm_draw(m, m->ops);
  struct op *o = &m->op[n];
  if (!its_turn(m, n)) return;
  if (o->kind == OP_ACK) {
    const bool lost = sm_wrong(m, SM_ACK_LOST, 8);
    if (!lost) cached_ack(m->x, o->warp, o->seq, o->line);
    if (sm_wrong(m, SM_ACK_TWICE, 8)) cached_ack(m->x, o->warp, o->seq, o->line);
    take_out(m, n);
  } else if (o->kind == OP_ANSWER) {
    struct request *r = &m->request[o->request];
    take_out(m, n);
    deliver(m, r);
  } else {
    perform(m, n);
  }
}
