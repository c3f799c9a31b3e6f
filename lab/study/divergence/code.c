/* SPDX-License-Identifier: Apache-2.0
 *
 * What words do to lanes, from the instruction set's tables, and where ways meet again.
 */
#include <stdlib.h>

#include <heddle/isa_tables.h>
#include "base/array.h"
#include "lab/study/divergence/streams.h"

/* Immediate post-dominators: K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the
 * graph turned round. A node is a word; one more, behind the last word, stands for the end. */

/* Edges of the graph, sorted by `to`: the ways back from each node. */
struct back {
  uint32_t *first, *from; /* of node n: from[first[n]] to from[first[n + 1] - 1] */
  uint32_t *order;        /* nodes that reach the end, each behind what is nearer to it */
  uint32_t *rank;         /* of a node in `order`; CODE_NONE: it does not reach the end */
  uint32_t *meet;
  uint32_t nodes, ordered;
};

/* Where word w may lead: at most two places, or (-1) the ways that were seen. */
static int successors(const struct code *c, uint32_t w, uint32_t to[2]) {
  const struct code_word *i = &c->at[w];
  const uint32_t end = c->words, next = w + i->step;
  int n = 0;
  if (i->kind == CODE_ILLEGAL) return to[n++] = end, n;
  if (i->kind == CODE_INDIRECT && !i->call && !i->never) return -1;
  if (i->kind == CODE_BRANCH && !i->call && !i->never) to[n++] = i->target < end ? i->target : end;
  if (i->kind == CODE_EXIT && !i->never) to[n++] = end;
  if (n == 0 || i->guarded) to[n++] = next;
  return n;
}

/* Calls `edge` for every edge. */
static void each_edge(const struct code *c, void (*edge)(struct back *b, uint32_t from, uint32_t to), struct back *b) {
  for (uint32_t w = 0; w < c->words; w++) {
    uint32_t to[2];
    const int n = successors(c, w, to);
    for (int k = 0; k < n; k++) edge(b, w, to[k]);
    if (n >= 0) continue;
    bool seen = false;
    for (size_t k = 0; k < c->ways; k++)
      if (c->way[k].from == w) seen = true, edge(b, w, c->way[k].to);
    if (!seen) edge(b, w, c->words);
    if (c->at[w].guarded) edge(b, w, w + c->at[w].step);
  }
}

static void count_edge(struct back *b, uint32_t from, uint32_t to) {
  (void)from;
  b->first[to + 1]++;
}

static void put_edge(struct back *b, uint32_t from, uint32_t to) {
  b->from[b->rank[to]++] = from; /* rank serves as the place of the next one */
}

/* Depth first from the end, without recursion; a node is done when all behind it are. */
static void put_in_order(struct back *b, uint32_t *stack, uint32_t *at) {
  uint32_t depth = 0, done = b->nodes;
  for (uint32_t n = 0; n < b->nodes; n++) b->rank[n] = CODE_NONE, at[n] = b->first[n];
  stack[depth++] = b->nodes - 1;
  b->rank[b->nodes - 1] = 0;
  while (depth > 0) {
    const uint32_t n = stack[depth - 1];
    if (at[n] == b->first[n + 1]) {
      b->order[--done] = n;
      depth--;
      continue;
    }
    const uint32_t m = b->from[at[n]++];
    if (b->rank[m] != CODE_NONE) continue;
    b->rank[m] = 0;
    stack[depth++] = m;
  }
  b->ordered = b->nodes - done;
  for (uint32_t k = 0; k < b->ordered; k++) b->order[k] = b->order[done + k];
  for (uint32_t k = 0; k < b->ordered; k++) b->rank[b->order[k]] = k;
}

static uint32_t nearest_common(const struct back *b, uint32_t p, uint32_t q) {
  while (p != q) {
    while (b->rank[p] > b->rank[q]) p = b->meet[p];
    while (b->rank[q] > b->rank[p]) q = b->meet[q];
  }
  return p;
}

/* The new meeting of word w, from what its successors have; CODE_NONE: none has any yet. */
static uint32_t meeting(const struct code *c, const struct back *b, uint32_t w) {
  uint32_t to[2], found = CODE_NONE;
  const int n = successors(c, w, to);
  for (int k = 0; k < n; k++)
    if (b->meet[to[k]] != CODE_NONE) found = found == CODE_NONE ? to[k] : nearest_common(b, found, to[k]);
  if (n >= 0) return found;
  bool seen = false;
  for (size_t k = 0; k < c->ways; k++) {
    if (c->way[k].from != w) continue;
    seen = true;
    const uint32_t t = c->way[k].to;
    if (b->meet[t] != CODE_NONE) found = found == CODE_NONE ? t : nearest_common(b, found, t);
  }
  if (!seen) found = c->words;
  const uint32_t next = w + c->at[w].step;
  if (c->at[w].guarded && b->meet[next] != CODE_NONE)
    found = found == CODE_NONE ? next : nearest_common(b, found, next);
  return found;
}

static void settle_meetings(const struct code *c, struct back *b) {
  const uint32_t end = b->nodes - 1;
  for (uint32_t n = 0; n < b->nodes; n++) b->meet[n] = CODE_NONE;
  b->meet[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 1; k < b->ordered; k++) { /* order[0] is the end */
      const uint32_t w = b->order[k], m = meeting(c, b, w);
      if (m != b->meet[w]) b->meet[w] = m, changed = true;
    }
  }
}

static bool solve(struct code *c, struct back *b, uint32_t *stack, uint32_t *at) {
  each_edge(c, count_edge, b);
  for (uint32_t n = 0; n < b->nodes; n++) b->first[n + 1] += b->first[n];
  b->from = malloc(((size_t)b->first[b->nodes] + 1) * sizeof *b->from);
  if (b->from == NULL) return false;
  for (uint32_t n = 0; n < b->nodes; n++) b->rank[n] = b->first[n];
  each_edge(c, put_edge, b);
  put_in_order(b, stack, at);
  settle_meetings(c, b);
  for (uint32_t w = 0; w < c->words; w++) c->at[w].meet = b->meet[w] < c->words ? b->meet[w] : CODE_NONE;
  free(b->from);
  return true;
}

bool code_find_meets(struct code *c) {
  struct back b = {.nodes = c->words + 1};
  const size_t n = (size_t)b.nodes + 1;
  uint32_t *room = calloc(6 * n, sizeof *room);
  if (room == NULL) return false;
  b.first = room;
  b.order = room + n;
  b.rank = room + 2 * n;
  b.meet = room + 3 * n;
  const bool ok = solve(c, &b, room + 4 * n, room + 5 * n);
  free(room);
  return ok;
}

/* What words do to lanes, from the instruction set's tables. */

static uint8_t sync_kind(const struct heddle_isa_dec *d) {
  switch (d->op) {
  case ISA_OP_BSYNC:
    return CODE_BSYNC;
  case ISA_OP_BREAK:
    return CODE_BREAK;
  case ISA_OP_WARPSYNC:
    return d->src[1].kind == ISA_IMM ? CODE_WARPSYNC : CODE_STRANGE;
  case ISA_OP_YIELD:
    return CODE_YIELD;
  case ISA_OP_NANOSLEEP:
    return CODE_SLEEP;
  default:
    return CODE_STRANGE;
  }
}

static uint8_t next_kind(const struct heddle_isa_dec *d) {
  switch (d->op) {
  case ISA_OP_BSSY:
    return CODE_BSSY;
  case ISA_OP_BAR_SYNC:
    return heddle_isa_get(d->word, ISA_F_BARCNT) == 0 ? CODE_BARRIER : CODE_STRANGE;
  case ISA_OP_BAR_ARV:
  case ISA_OP_BAR_RED:
  case ISA_OP_BAR_RED_POPC:
  case ISA_OP_BMOV_GET:
    return CODE_STRANGE;
  default:
    return CODE_PLAIN;
  }
}

static uint8_t kind_of_word(const struct heddle_isa_dec *d, bool direct) {
  switch ((enum heddle_isa_flow)heddle_isa_instr_info((enum heddle_isa_op)d->op)->flow) {
  case ISA_FLOW_SYNC:
    return sync_kind(d);
  case ISA_FLOW_BRANCH:
  case ISA_FLOW_CALL:
  case ISA_FLOW_RETURN:
    return direct ? CODE_BRANCH : CODE_INDIRECT;
  case ISA_FLOW_EXIT:
    return CODE_EXIT;
  case ISA_FLOW_TRAP:
    return CODE_STRANGE;
  default:
    return next_kind(d);
  }
}

static struct code_word read_code_word(const uint8_t *code, uint32_t pc) {
  struct heddle_isa_dec d;
  struct heddle_isa_word word;
  uint32_t bytes;
  const bool begins = heddle_isa_fetch(code, pc, &word, &bytes);
  struct code_word w = {
      .kind = CODE_ILLEGAL, .step = (uint8_t)(bytes / ISA_STEP), .target = CODE_NONE, .meet = CODE_NONE};
  int64_t target = -1;
  if (!begins || !heddle_isa_decode(word, &d)) return w;
  const bool direct = heddle_isa_flow_target(&d, pc + bytes, &target);
  w.kind = kind_of_word(&d, direct);
  w.guarded = d.guard.index != ISA_PT;
  w.never = !w.guarded && d.guard.neg;
  w.uniform = d.uniform;
  w.across = d.unit == ISA_UNIT_WARP || d.unit == ISA_UNIT_TENSOR;
  w.call = heddle_isa_instr_info((enum heddle_isa_op)d.op)->flow == ISA_FLOW_CALL;
  if (w.kind == CODE_BARRIER)
    w.x = (uint8_t)heddle_isa_get(d.word, ISA_F_BARID);
  else if (w.kind == CODE_BSSY || w.kind == CODE_BSYNC || w.kind == CODE_BREAK)
    w.x = (uint8_t)heddle_isa_get(d.word, ISA_F_BX);
  if (w.kind == CODE_BRANCH && target >= 0 && target <= UINT32_MAX && target % ISA_STEP == 0)
    w.target = (uint32_t)target / ISA_STEP;
  if (w.kind == CODE_WARPSYNC) w.target = d.src[1].imm;
  return w;
}

bool code_read(struct code *c, const uint8_t *bytes, uint32_t size) {
  *c = (struct code){.words = size / ISA_STEP};
  c->at = calloc((size_t)c->words + 1, sizeof *c->at);
  if (c->at == NULL) return false;
  for (uint32_t w = 0; w < c->words; w++) c->at[w] = read_code_word(bytes, w * ISA_STEP);
  return true;
}

void code_free(struct code *c) {
  free(c->at);
  free(c->way);
  *c = (struct code){0};
}

bool code_saw(struct code *c, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < c->ways; i++)
    if (c->way[i].from == from && c->way[i].to == to) return true;
  if (!array_room(&c->way, &c->ways_room, c->ways + 1, sizeof *c->way)) return false;
  c->way[c->ways++] = (struct code_way){from, to};
  return true;
}

const char *code_refusal(const struct code *c, uint32_t w, const uint8_t *bytes) {
  struct heddle_isa_dec d;
  struct heddle_isa_word word;
  uint32_t length;
  if (c->at[w].kind != CODE_STRANGE) return NULL;
  if (!heddle_isa_fetch(bytes, w * ISA_STEP, &word, &length) || !heddle_isa_decode(word, &d)) return NULL;
  switch (d.op) {
  case ISA_OP_BMOV_GET:
  case ISA_OP_BMOV_SET:
    return "BMOV moves barriers through registers, which no issue record shows";
  case ISA_OP_WARPSYNC:
    return "WARPSYNC takes its mask from a register, which no issue record shows";
  case ISA_OP_BPT_TRAP:
    return "BPT.TRAP stops the grid";
  default:
    return "barriers with a count, arrivals and reductions at barriers are not modelled";
  }
}
