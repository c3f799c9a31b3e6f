/* SPDX-License-Identifier: Apache-2.0
 *
 * A small machine with a cache: play.h. A copy carries the warps that may not join it any more (`closed`): of a machine
 * that keeps its promise none or all.
 */
#include "play.h"

#include <stdlib.h>
#include <string.h>

#include "splitmix64.h"

enum { WARPS = 4, LINES = 4, SECTORS = 16, OPS = 26, INSNS = WARPS * (OPS + 1), FILLS = 512, FLYING = 5, LOCAL = 2 };
#define ALL 0xffffu

struct fill {
  unsigned line, asked, taken;
  bool come, local;
  unsigned slot, word;          /* local */
  unsigned closed[4], ought[4]; /* ought: who should not join */
  uint32_t words[4][8];
};

struct entry { /* of the cache, a sector each */
  bool valid;
  unsigned closed, ought;
  uint32_t number, words[8];
};

struct insn {
  unsigned slot;
  enum stage_op op;
  uint32_t seq, exec, open, owed, addr[32], data[32], got[32], waits[32];
  unsigned to_pass, passed, sectors[LINES], left[LINES], acked; /* by line */
  uint64_t at[LINES], issued;                                   /* cycle in which a line passed; it issued */
};

struct request {
  bool fill;
  unsigned who, sectors; /* number of the fill, or instruction */
};

struct machine {
  struct stage *st;
  uint64_t seed;
  enum play_fault fault;
  bool lazy;
  unsigned room, wrong;
  struct insn insn[INSNS];
  unsigned insns, ops[WARPS], at_bar[WARPS], fence[WARPS]; /* fence: 1 + instruction */
  bool exited[WARPS], ended[WARPS / 2];
  struct fill fill[FILLS];
  uint32_t next;
  struct entry entry[SECTORS];
  struct request queue[LINES][INSNS * 2];
  unsigned head[LINES], tail[LINES];
  uint32_t local[WARPS][LOCAL][8];
  bool there[WARPS][LOCAL]; /* in the cache */
};

static unsigned rnd(struct machine *m, unsigned n) {
  return (unsigned)(splitmix64(&m->seed) % n);
}

static bool faulty(struct machine *m, enum play_fault f) {
  return m->fault == f;
}

static bool stores(const struct insn *i) {
  return i->op == STAGE_STORE || i->op == STAGE_ATOMIC || i->op == STAGE_REDUCE;
}

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
  e->ought |= warps;
  if (come) e->closed |= warps;
  if (e->closed == ALL) e->valid = false;
  for (uint32_t n = 1; n < m->next; n++) {
    struct fill *f = &m->fill[n];
    if (f->local || f->line != sector / 4) continue;
    f->ought[sector % 4] |= warps;
    if (under_way) f->closed[sector % 4] |= warps;
  }
}

static void shut_all(struct machine *m, unsigned warps, bool keeps) {
  for (unsigned s = 0; s < SECTORS; s++) shut(m, s, warps, !keeps, !keeps);
}

/* A barrier tells each of a block what the others have written. */
static void spread(struct machine *m, unsigned block) {
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
        if ((lanes >> l & 1u) != 0)
          i->got[l] = (faulty(m, PLAY_NEW_BYTES) ? m->st->memory + sector * 8 : e->words)[i->addr[l] % 8];
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
  if (wait.used != 0) stage_visit(m->st, RECORD_MERGE, i->slot, i->seq, STAGE_LINE0 + line, &wait, false);
  if (hit.used != 0) stage_visit(m->st, RECORD_HIT, i->slot, i->seq, STAGE_LINE0 + line, &hit, false);
}

static void pass_by(struct machine *m, unsigned who, unsigned line) {
  struct insn *i = &m->insn[who];
  const bool store = i->op == STAGE_STORE;
  const enum record_cause cause = store                   ? RECORD_DROP_STORE
                                  : i->op == STAGE_STRONG ? RECORD_DROP_STRONG
                                                          : RECORD_DROP_ATOMIC;
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
    stage_visit(m->st, RECORD_HIT, i->slot, i->seq, line, &v, true);
    i->open = 0;
    return;
  }
  v.number[0] = m->next++;
  m->fill[v.number[0]] = (struct fill){.asked = 1, .local = true, .slot = i->slot, .word = word};
  for (unsigned l = 0; l < 8; l++) i->waits[l] = v.number[0];
  stage_visit(m->st, RECORD_MERGE, i->slot, i->seq, line, &v, true);
}

/* Program order: the oldest that has not passed. */
static bool pass(struct machine *m) {
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

static bool memory(struct machine *m) {
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

static bool local_memory(struct machine *m) {
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

static bool ack(struct machine *m) {
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
    if (!faulty(m, PLAY_EVICT_SILENT)) stage_drop(m->st, 0, 0, STAGE_LINE0 + s / 4, 1u << s % 4, RECORD_DROP_REPLACED);
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
    const struct entry *e = &m->entry[i->addr[l] / 8];
    i->got[l] = (faulty(m, PLAY_OLD_BYTES) ? e->words : f->words[s])[i->addr[l] % 8];
  }
  if (v.lanes == 0) return;
  i->open &= ~v.lanes;
  stage_visit(m->st, RECORD_HIT, i->slot, i->seq,
              f->local ? ((uint64_t)f->slot << 18) + f->word : STAGE_LINE0 + f->line, &v, f->local);
}

static bool come(struct machine *m) {
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
    if ((f->asked >> s & 1u) == 0 || f->closed[s] == ALL) continue;
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

static bool answer(struct machine *m) {
  const unsigned k = rnd(m, m->insns + 1);
  struct insn *i = &m->insn[k];
  if (k == m->insns || i->owed == 0 || i->open != 0) return false;
  if (faulty(m, PLAY_OTHER_LANE) && (i->exec & 3u) == 3 && i->op == STAGE_LOAD) i->got[0] = i->got[1];
  stage_write(m->st, i->slot, i->seq, i->owed, i->got);
  i->owed = 0;
  return true;
}

static bool shared(struct machine *m) {
  for (unsigned k = 0; k < m->insns; k++) {
    struct insn *i = &m->insn[k];
    if (i->op != STAGE_SHARED_STORE || i->open == 0) continue;
    stage_shared(m->st, i->slot, i->seq, i->addr[0], i->data[0]);
    i->open = 0;
    return true;
  }
  return false;
}

/* ---- fences, barriers ---- */

static bool has_passed(const struct machine *m, unsigned slot) {
  for (unsigned k = 0; k < m->insns; k++) {
    const struct insn *i = &m->insn[k];
    if (i->slot == slot && (i->to_pass != 0 || (i->op == STAGE_SHARED_STORE && i->open != 0))) return false;
  }
  return true;
}

/* Of what has not passed, or is open in shared memory, anything that is judged. */
static bool has_stores(const struct machine *m, unsigned slot) {
  for (unsigned k = 0; k < m->insns; k++) {
    const struct insn *i = &m->insn[k];
    if (i->slot == slot && ((i->to_pass != 0 && stores(i)) || (i->op == STAGE_SHARED_STORE && i->open != 0)))
      return true;
  }
  return false;
}

/* Stores of all warps that have passed, and loads of its own. */
static bool has_performed(struct machine *m, unsigned slot, uint64_t issued) {
  bool waits = false;
  for (unsigned k = 0; k < m->insns; k++) {
    const struct insn *i = &m->insn[k];
    bool open = false, unknown = false;
    for (unsigned line = 0; line < LINES && stores(i); line++) {
      if ((i->passed >> line & 1u) == 0 || (i->at[line] >= issued && i->slot != slot)) continue;
      open |= i->left[line] != 0;
      unknown |= (i->acked >> line & 1u) == 0;
    }
    const bool load = i->slot == slot && (i->open | i->owed) != 0 && !stores(i) && i->op != STAGE_LOCAL_STORE;
    if (faulty(m, PLAY_FENCE_STORES) ? false : open || (unknown && !faulty(m, PLAY_FENCE_ACKS))) return false;
    if (load && !faulty(m, PLAY_FENCE_LOADS)) return false;
    waits |= open || unknown || load;
  }
  m->wrong += waits;
  return true;
}

static bool fence(struct machine *m) {
  const unsigned slot = rnd(m, WARPS);
  if (m->fence[slot] == 0) return false;
  const struct insn *i = &m->insn[m->fence[slot] - 1];
  const unsigned shuts = m->lazy ? 1u << slot : ALL;
  if (i->op != STAGE_EMPTY && !has_passed(m, slot)) {
    if (i->op != STAGE_CTA || !faulty(m, PLAY_CTA_PASSES)) return false;
    m->wrong += has_stores(m, slot);
  }
  if (i->op == STAGE_GPU && !has_performed(m, slot, i->issued)) return false;
  const bool keeps = faulty(m, i->op == STAGE_GPU ? PLAY_FENCE_KEEPS : PLAY_EMPTY_KEEPS);
  if (i->op != STAGE_CTA && !m->lazy)
    stage_drop_all(m->st, slot, i->seq, i->op == STAGE_GPU ? RECORD_DROP_FENCE : RECORD_DROP_EMPTYING);
  if (i->op != STAGE_CTA) shut_all(m, shuts, keeps);
  stage_fence(m->st, slot, i->seq,
              i->op == STAGE_CTA   ? RECORD_SCOPE_CTA
              : i->op == STAGE_GPU ? RECORD_SCOPE_GPU
                                   : RECORD_SCOPE_EMPTYING);
  m->fence[slot] = 0;
  return true;
}

static bool release(struct machine *m) {
  const unsigned block = rnd(m, WARPS / 2);
  if (m->at_bar[2 * block] == 0 || m->at_bar[2 * block + 1] == 0) return false;
  m->at_bar[2 * block] = m->at_bar[2 * block + 1] = 0;
  stage_barrier(m->st, block);
  if (m->lazy && !faulty(m, PLAY_BARRIER_KEEPS)) spread(m, block);
  return true;
}

/* ---- warps ---- */

static enum stage_op choose(struct machine *m, unsigned n) {
  static const enum stage_op of[] = {
      STAGE_LOAD,   STAGE_LOAD,       STAGE_LOAD,   STAGE_LOAD,       STAGE_LOAD,        STAGE_LOAD,
      STAGE_LOAD,   STAGE_STORE,      STAGE_STORE,  STAGE_STORE,      STAGE_STORE,       STAGE_STRONG,
      STAGE_STRONG, STAGE_ATOMIC,     STAGE_REDUCE, STAGE_CTA,        STAGE_GPU,         STAGE_GPU,
      STAGE_EMPTY,  STAGE_LOCAL_LOAD, STAGE_LOAD,   STAGE_LOCAL_LOAD, STAGE_LOCAL_STORE, STAGE_SHARED_STORE};
  if (n == OPS) return STAGE_EXIT;
  if (m->lazy && n % 7 != 6 && rnd(m, 6) == 0) return STAGE_GPU; /* who promises nothing lives by fences */
  return n % 7 == 6 ? STAGE_BAR : of[rnd(m, sizeof of / sizeof *of)];
}

static void prepare(struct machine *m, struct insn *i) {
  const bool global = stage_accesses(i->op), local = i->op == STAGE_LOCAL_LOAD || i->op == STAGE_LOCAL_STORE;
  const unsigned near = rnd(m, 3) == 0 ? STAGE_WORDS : 24, word = rnd(m, LOCAL), row = rnd(m, near / 8) * 8;
  const bool own = rnd(m, 2) == 0; /* each lane its word of a sector */
  i->exec = i->op == STAGE_SHARED_STORE ? 1 : 1 + rnd(m, 255);
  for (unsigned l = 0; l < 8; l++) {
    i->addr[l] = global ? (own ? row + l : rnd(m, near)) : local ? word : rnd(m, 64);
    i->data[l] = (uint32_t)splitmix64(&m->seed);
    const unsigned sector = i->addr[l] / 8;
    if (global && (i->exec >> l & 1u) != 0) i->sectors[sector / 4] |= 1u << sector % 4;
  }
  i->open = i->exec;
  i->owed = stage_gives(i->op) ? i->exec : 0;
  for (unsigned line = 0; line < LINES; line++) {
    i->left[line] = i->sectors[line];
    if (i->sectors[line] != 0) i->to_pass |= 1u << line;
  }
  if (local) i->to_pass = 1;
}

static bool issue(struct machine *m) {
  const unsigned slot = rnd(m, WARPS);
  unsigned flying = 0;
  if (m->exited[slot] || m->fence[slot] != 0 || m->at_bar[slot] != 0) return false;
  for (unsigned k = 0; k < m->insns; k++)
    flying += m->insn[k].slot == slot && (m->insn[k].open | m->insn[k].owed | m->insn[k].to_pass) != 0;
  if (flying >= FLYING) return false;
  struct insn i = {.slot = slot, .op = choose(m, m->ops[slot])};
  if (i.op == STAGE_BAR && !has_passed(m, slot)) {
    if (!faulty(m, PLAY_BAR_PASSES)) return false;
    m->wrong += has_stores(m, slot);
  }
  m->ops[slot]++;
  if (i.op == STAGE_BAR || i.op == STAGE_EXIT || i.op == STAGE_CTA || i.op == STAGE_GPU) {
    i.seq = stage_issue(m->st, slot, i.op, ~0u, NULL, NULL);
  } else if (i.op == STAGE_EMPTY) {
    i.seq = stage_issue(m->st, slot, i.op, 1, i.addr, NULL);
  } else {
    prepare(m, &i);
    i.seq = stage_issue(m->st, slot, i.op, i.exec, i.addr, stage_gives(i.op) && !stores(&i) ? NULL : i.data);
  }
  i.issued = m->st->cycle;
  m->insn[m->insns++] = i;
  if (i.op == STAGE_BAR) m->at_bar[slot] = 1;
  if (i.op == STAGE_EXIT) m->exited[slot] = true;
  if (i.op == STAGE_CTA || i.op == STAGE_GPU || i.op == STAGE_EMPTY) m->fence[slot] = m->insns;
  return true;
}

static bool end(struct machine *m) {
  const unsigned b = rnd(m, WARPS / 2);
  if (m->ended[b] || !m->exited[2 * b] || !m->exited[2 * b + 1]) return false;
  for (unsigned k = 0; k < m->insns; k++)
    if (m->insn[k].slot / 2 == b && (m->insn[k].open | m->insn[k].owed) != 0) return false;
  stage_block_end(m->st, b);
  return m->ended[b] = true;
}

static bool over(const struct machine *m) {
  for (unsigned k = 0; k < m->insns; k++)
    for (unsigned line = 0; line < LINES; line++)
      if (stores(&m->insn[k]) && m->insn[k].sectors[line] != 0 && (m->insn[k].acked >> line & 1u) == 0) return false;
  return m->ended[0] && m->ended[1];
}

bool play(struct stage *st, uint64_t seed, enum play_fault fault, bool lazy, unsigned *wrong) {
  static bool (*const event[])(struct machine *) = {issue, pass, pass,   memory, memory, memory, local_memory, ack,
                                                    ack,   come, answer, answer, shared, fence,  release,      end};
  struct machine *m = calloc(1, sizeof *m);
  if (m == NULL) return false;
  stage_open(st, 2, 2);
  *m = (struct machine){.st = st, .seed = seed, .fault = fault, .lazy = lazy, .next = 1};
  m->room = st->sectors = 2 + rnd(m, 8);
  if (lazy) st->promises = 0;
  unsigned steps = 0;
  while (!over(m) && steps < 200000) {
    steps++;
    (void)event[rnd(m, sizeof event / sizeof *event)](m);
  }
  *wrong = m->wrong;
  free(m);
  return steps < 200000;
}
