/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of the small machine: they pass its cache, reach memory, come back.
 */
#include <string.h>

#include "tests/lab/verify/order/play_internal.h"

static uint32_t lanes_in(const struct insn *i, unsigned sector) {
  uint32_t lanes = 0;
  for (unsigned l = 0; l < 8; l++)
    if ((i->exec >> l & 1u) != 0 && i->addr[l] / 8 == sector) lanes |= 1u << l;
  return lanes;
}

/* ---- who may join ---- */

/* What has come, what is under way: each is closed as it ought to be, or it is not. */
static void shut(struct machine *m, unsigned sector, unsigned warps, bool come, bool under_way) {
  struct entry *e = &m->entry[sector];
  e->ought |= m->lazy ? ALL : warps; /* a drop gives up what has come, in any machine */
  if (come) e->closed |= m->lazy ? ALL : warps;
  if (e->closed == ALL) e->valid = false;
  for (uint32_t n = 1; n < m->next; n++) {
    struct fill *f = &m->fill[n];
    if (f->local || f->line != sector / 4) continue;
    f->ought[sector % 4] |= warps;
    if (under_way) f->closed[sector % 4] |= warps;
    if (come) f->dropped |= 1u << sector % 4;
  }
}

void play_shut_all(struct machine *m, unsigned warps, bool keeps) {
  for (unsigned s = 0; s < SECTORS; s++) shut(m, s, warps, !keeps, !keeps);
}

void play_spread(struct machine *m, unsigned block) {
  const unsigned warps = 3u << 2 * block;
  for (unsigned s = 0; s < SECTORS; s++)
    if ((m->entry[s].closed & warps) != 0) m->entry[s].closed |= warps;
  for (uint32_t n = 1; n < m->next; n++)
    for (unsigned s = 0; s < 4; s++)
      if ((m->fill[n].closed[s] & warps) != 0) m->fill[n].closed[s] |= warps;
}

/* ---- an access passes ---- */

static void push(struct machine *m, unsigned line, bool fill, unsigned who, unsigned sectors) {
  m->queue[line][m->tail[line]++] = (struct request){fill, who, sectors};
}

static uint32_t under_way(const struct machine *m, unsigned sector, unsigned slot) {
  for (uint32_t n = m->next - 1; n > 0; n--) {
    const struct fill *f = &m->fill[n];
    if (!f->local && !f->come && f->line == sector / 4 && (f->asked >> sector % 4 & 1u) != 0)
      if ((f->closed[sector % 4] >> slot & 1u) == 0) return n;
  }
  return 0;
}

static void pass_load(struct machine *m, unsigned who, unsigned line) {
  struct insn *i = &m->insn[who];
  struct stage_visit wait = {.lanes = 0}, hit = {.lanes = 0};
  uint32_t asks = 0;
  for (unsigned s = 0; s < 4; s++) {
    const unsigned sector = line * 4 + s;
    const uint32_t lanes = lanes_in(i, sector);
    const struct entry *e = &m->entry[sector];
    const uint32_t joins = under_way(m, sector, i->slot);
    if (lanes == 0) continue;
    if (joins != 0) m->wrong += m->fill[joins].ought[s] >> i->slot & 1u;
    if (joins == 0 && e->valid && (e->closed >> i->slot & 1u) == 0) {
      m->wrong += e->ought >> i->slot & 1u;
      hit.lanes |= lanes;
      hit.used |= (uint8_t)(1u << s);
      hit.number[s] = e->number;
      for (unsigned l = 0; l < 8; l++)
        if ((lanes >> l & 1u) != 0) i->got[l] = e->words[i->addr[l] % 8];
      i->open &= ~lanes;
      continue;
    }
    if (joins == 0 && asks == 0) {
      if (faulty(m, PLAY_NUMBER) && rnd(m, 8) == 0) m->next++;
      asks = m->next++;
      m->fill[asks] = (struct fill){.line = line};
    }
    const uint32_t n = joins != 0 ? joins : asks;
    if (joins == 0) m->fill[n].asked |= 1u << s;
    wait.lanes |= lanes;
    wait.used |= (uint8_t)(1u << s);
    wait.number[s] = n;
    for (unsigned l = 0; l < 8; l++)
      if ((lanes >> l & 1u) != 0) i->waits[l] = n;
  }
  if (asks != 0) push(m, line, true, asks, m->fill[asks].asked);
  if (wait.used != 0) stage_visit(m->st, HEDDLE_RECORD_MERGE, i->slot, i->seq, STAGE_LINE0 + line, &wait, false);
  if (hit.used != 0) stage_visit(m->st, HEDDLE_RECORD_HIT, i->slot, i->seq, STAGE_LINE0 + line, &hit, false);
}

static void pass_by(struct machine *m, unsigned who, unsigned line) {
  struct insn *i = &m->insn[who];
  const bool store = i->op == STAGE_STORE;
  const enum heddle_record_cause cause = store                   ? HEDDLE_RECORD_DROP_STORE
                                         : i->op == STAGE_STRONG ? HEDDLE_RECORD_DROP_STRONG
                                                                 : HEDDLE_RECORD_DROP_ATOMIC;
  const bool keeps = store ? faulty(m, PLAY_STORE_KEEPS) : faulty(m, PLAY_STRONG_KEEPS);
  const bool silent = store && faulty(m, PLAY_DROP_SILENT);
  m->wrong += silent;
  if (!silent) stage_drop(m->st, i->slot, i->seq, STAGE_LINE0 + line, i->sectors[line], cause);
  for (unsigned s = 0; s < 4; s++)
    if ((i->sectors[line] >> s & 1u) != 0)
      shut(m, line * 4 + s, m->lazy ? 1u << i->slot : ALL, !keeps, !keeps && !(store && faulty(m, PLAY_STORE_JOINS)));
  push(m, line, false, who, i->sectors[line]);
  if (stores(i) && faulty(m, PLAY_ACK_EARLY)) {
    stage_ack(m->st, i->slot, i->seq, STAGE_LINE0 + line);
    i->acked |= 1u << line;
    m->wrong++;
  }
}

static void pass_local(struct machine *m, unsigned who) {
  struct insn *i = &m->insn[who];
  const unsigned word = i->addr[0];
  struct stage_visit v = {.lanes = i->exec, .used = 1};
  if (i->op == STAGE_LOCAL_STORE) {
    for (unsigned l = 0; l < 8; l++)
      if ((i->exec >> l & 1u) != 0) m->local[i->slot][word][l] = i->data[l];
    m->there[i->slot][word] = true;
    return;
  }
  memcpy(i->got, m->local[i->slot][word], sizeof m->local[0][0]);
  const uint64_t line = ((uint64_t)i->slot << 18) + word;
  if (m->there[i->slot][word]) {
    stage_visit(m->st, HEDDLE_RECORD_HIT, i->slot, i->seq, line, &v, true);
    i->open = 0;
    return;
  }
  v.number[0] = m->next++;
  m->fill[v.number[0]] = (struct fill){.asked = 1, .local = true, .slot = i->slot, .word = word};
  for (unsigned l = 0; l < 8; l++) i->waits[l] = v.number[0];
  stage_visit(m->st, HEDDLE_RECORD_MERGE, i->slot, i->seq, line, &v, true);
}

/* Program order: the oldest that has not passed. */
bool play_pass(struct machine *m) {
  const unsigned slot = rnd(m, WARPS);
  for (unsigned k = 0; k < m->insns; k++) {
    struct insn *i = &m->insn[k];
    if (i->slot != slot || i->to_pass == 0) continue;
    const unsigned line = (unsigned)__builtin_ctz(i->to_pass);
    i->to_pass &= i->to_pass - 1;
    i->passed |= 1u << line;
    i->at[line] = m->st->cycle;
    if (i->op == STAGE_LOAD)
      pass_load(m, k, line);
    else if (stage_accesses(i->op))
      pass_by(m, k, line);
    else
      pass_local(m, k);
    return true;
  }
  return false;
}

/* ---- memory ---- */

static void perform(struct machine *m, struct request *q, unsigned line, unsigned s) {
  const unsigned sector = line * 4 + s;
  if (q->fill) {
    struct fill *f = &m->fill[q->who];
    memcpy(f->words[s], &m->st->memory[sector * 8], 32);
    f->taken |= 1u << s;
    stage_fill(m->st, STAGE_SECTOR0 + sector, q->who + (faulty(m, PLAY_SECTOR) && rnd(m, 8) == 0), false);
    return;
  }
  struct insn *i = &m->insn[q->who];
  stage_global(m->st, i->slot, i->seq, i->op, STAGE_SECTOR0 + sector, lanes_in(i, sector), i->addr, i->data, i->got);
  i->open &= ~lanes_in(i, sector);
  i->left[line] &= ~(1u << s);
}

bool play_memory(struct machine *m) {
  const unsigned line = rnd(m, LINES), at = m->head[line];
  if (at == m->tail[line]) return false;
  if (faulty(m, PLAY_OVERTAKES) && at + 1 < m->tail[line] && m->queue[line][at].sectors != 0) {
    const struct request first = m->queue[line][at];
    m->queue[line][at] = m->queue[line][at + 1];
    m->queue[line][at + 1] = first;
  }
  struct request *q = &m->queue[line][at];
  perform(m, q, line, (unsigned)__builtin_ctz(q->sectors));
  q->sectors &= q->sectors - 1;
  if (q->sectors == 0) m->head[line]++;
  return true;
}

bool play_local_memory(struct machine *m) {
  for (unsigned k = 0; k < m->insns; k++) {
    struct insn *i = &m->insn[k];
    if (i->op != STAGE_LOCAL_STORE || i->open == 0 || i->to_pass != 0) continue;
    stage_local(m->st, i->slot, i->seq, i->addr[0], i->exec, i->data);
    i->open = 0;
    return true;
  }
  for (uint32_t n = 1; n < m->next; n++) {
    struct fill *f = &m->fill[n];
    if (!f->local || f->taken != 0) continue;
    stage_fill(m->st, (((uint64_t)f->slot << 18) + f->word) * 4, n, true);
    f->taken = 1;
    return true;
  }
  return false;
}

bool play_ack(struct machine *m) {
  const unsigned k = rnd(m, m->insns + 1), line = rnd(m, LINES);
  struct insn *i = &m->insn[k];
  if (k == m->insns || !stores(i) || i->sectors[line] == 0 || i->left[line] != 0 || (i->acked >> line & 1u) != 0)
    return false;
  i->acked |= 1u << line;
  const bool lost = faulty(m, PLAY_ACK_LOST) && rnd(m, 16) == 0;
  m->wrong += lost;
  if (!lost) stage_ack(m->st, i->slot, i->seq, STAGE_LINE0 + line);
  return true;
}

/* ---- a fill comes ---- */

static void make_room(struct machine *m) {
  unsigned valid = 0;
  for (unsigned s = 0; s < SECTORS; s++) valid += m->entry[s].valid;
  for (unsigned s = rnd(m, SECTORS); valid >= m->room; s = (s + 1) % SECTORS) {
    if (!m->entry[s].valid) continue;
    shut(m, s, ALL, true, true);
    valid--;
    if (!faulty(m, PLAY_EVICT_SILENT))
      stage_drop(m->st, 0, 0, STAGE_LINE0 + s / 4, 1u << s % 4, HEDDLE_RECORD_DROP_REPLACED);
  }
}

static void serve(struct machine *m, struct insn *i, const struct fill *f, uint32_t n) {
  struct stage_visit v = {.lanes = 0};
  for (unsigned l = 0; l < 8; l++) {
    if ((i->open >> l & 1u) == 0 || i->waits[l] != n) continue;
    const unsigned s = f->local ? 0 : i->addr[l] / 8 % 4;
    v.lanes |= 1u << l;
    v.used |= (uint8_t)(1u << s);
    v.number[s] = n;
    if (f->local) continue;
    const uint32_t *from = faulty(m, PLAY_OLD_BYTES)   ? m->entry[i->addr[l] / 8].words
                           : faulty(m, PLAY_NEW_BYTES) ? m->st->memory + i->addr[l] / 8 * 8
                                                       : f->words[s];
    i->got[l] = from[i->addr[l] % 8];
  }
  if (v.lanes == 0) return;
  i->open &= ~v.lanes;
  stage_visit(m->st, HEDDLE_RECORD_HIT, i->slot, i->seq,
              f->local ? ((uint64_t)f->slot << 18) + f->word : STAGE_LINE0 + f->line, &v, f->local);
}

bool play_come(struct machine *m) {
  const unsigned line = rnd(m, LINES + 1); /* the last: local memory */
  uint32_t n = 1;
  while (n < m->next &&
         (m->fill[n].come || m->fill[n].asked == 0 || (m->fill[n].local ? line != LINES : m->fill[n].line != line)))
    n++;
  struct fill *f = &m->fill[n];
  if (n == m->next || f->taken != f->asked) return false;
  f->come = true;
  unsigned keeps = 0;
  for (unsigned s = 0; s < 4 && !f->local; s++) {
    if ((f->asked >> s & 1u) == 0 || f->closed[s] == ALL || (m->lazy && (f->dropped >> s & 1u) != 0)) continue;
    struct entry *e = &m->entry[f->line * 4 + s];
    if (!e->valid) make_room(m);
    e->valid = true; /* its place is taken: who waits is served first */
    keeps |= 1u << s;
  }
  for (unsigned k = 0; k < m->insns; k++)
    if (m->insn[k].open != 0) serve(m, &m->insn[k], f, n);
  for (unsigned s = 0; s < 4; s++)
    if ((keeps >> s & 1u) != 0) {
      struct entry *e = &m->entry[f->line * 4 + s];
      *e = (struct entry){.valid = e->valid, .closed = f->closed[s], .ought = f->ought[s], .number = n};
      memcpy(e->words, f->words[s], sizeof e->words);
    }
  return true;
}
