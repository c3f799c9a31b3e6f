/* SPDX-License-Identifier: Apache-2.0
 *
 * Warps of the small machine: what they issue, wait for, and when it ends.
 */
#include <stdlib.h>

#include "tests/lab/verify/order/play_internal.h"

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

/* Its own accesses, but for those to local memory: what BAR and a fence of CTA scope wait for. */
static bool own_performed(const struct machine *m, unsigned slot) {
  for (unsigned k = 0; k < m->insns; k++) {
    const struct insn *i = &m->insn[k];
    if (i->slot == slot && i->open != 0 && (stage_accesses(i->op) || i->op == STAGE_SHARED_STORE)) return false;
  }
  return true;
}

/* They may go on; `passes`: as soon as all has passed. */
static bool goes_on(struct machine *m, unsigned slot, enum play_fault passes) {
  const bool performed = own_performed(m, slot);
  if (!performed && !(faulty(m, passes) && has_passed(m, slot))) return false;
  m->wrong += !performed;
  return true;
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
  if (i->op == STAGE_CTA && !goes_on(m, slot, PLAY_CTA_PASSES)) return false;
  if (i->op == STAGE_GPU && !(has_passed(m, slot) && has_performed(m, slot, i->issued))) return false;
  const bool keeps = faulty(m, i->op == STAGE_GPU ? PLAY_FENCE_KEEPS : PLAY_EMPTY_KEEPS);
  if (i->op != STAGE_CTA && !(m->lazy && keeps))
    stage_drop_all(m->st, slot, i->seq, i->op == STAGE_GPU ? HEDDLE_RECORD_DROP_FENCE : HEDDLE_RECORD_DROP_EMPTYING);
  if (i->op != STAGE_CTA) play_shut_all(m, shuts, keeps);
  stage_fence(m->st, slot, i->seq,
              i->op == STAGE_CTA   ? HEDDLE_RECORD_SCOPE_CTA
              : i->op == STAGE_GPU ? HEDDLE_RECORD_SCOPE_GPU
                                   : HEDDLE_RECORD_SCOPE_EMPTYING);
  m->fence[slot] = 0;
  return true;
}

static bool release(struct machine *m) {
  const unsigned block = rnd(m, WARPS / 2);
  if (m->at_bar[2 * block] == 0 || m->at_bar[2 * block + 1] == 0) return false;
  m->at_bar[2 * block] = m->at_bar[2 * block + 1] = 0;
  stage_barrier(m->st, block);
  if (m->lazy && !faulty(m, PLAY_BARRIER_KEEPS)) play_spread(m, block);
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
  if (i.op == STAGE_BAR && !goes_on(m, slot, PLAY_BAR_PASSES)) return false;
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
  static bool (*const event[])(struct machine *) = {
      issue,    play_pass, play_pass, play_memory, play_memory, play_memory, play_local_memory, play_ack,
      play_ack, play_come, answer,    answer,      shared,      fence,       release,           end};
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
