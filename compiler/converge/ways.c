/* SPDX-License-Identifier: Apache-2.0
 *
 * Where ways from a branch join: labels, one for each way out of it, are carried along the edges, blocks in reverse
 * postorder; where two different ones arrive, there is a join, and a new label (after J. Rosemann and others, "An
 * abstract interpretation for SPMD divergence on reducible control flow graphs", 2021). In loops with several entries
 * joins may be found that are none: more is then taken to differ than does.
 */
#include "compiler/converge/region.h"

struct ways *ways_new(struct regions *g) {
  struct ptx_arena *a = g->f->arena;
  uint32_t blocks = g->f->blocks;
  struct ways *w = ptx_alloc(a, sizeof *w);
  *w = (struct ways){.g = g, .budget = UINT64_C(1) << 23};
  w->join = ptx_alloc(a, ((size_t)blocks + 1) * sizeof(struct ir_block *));
  w->tear = ptx_alloc(a, ((size_t)blocks + 1) * sizeof(struct ir_block *));
  w->visit = ptx_alloc(a, ((size_t)blocks + 1) * sizeof(struct ir_block *));
  w->circle = ptx_alloc(a, ((size_t)blocks + 1) * sizeof(struct ir_block *));
  w->turned = ptx_alloc(a, blocks * sizeof *w->turned);
  w->joined = ptx_alloc(a, blocks);
  w->loose = ptx_alloc(a, blocks);
  w->queued = ptx_alloc(a, blocks);
  w->label = ptx_alloc(a, blocks * sizeof *w->label);
  w->round = ptx_alloc(a, blocks * sizeof *w->round);
  w->heap = ptx_alloc(a, ((size_t)blocks + 1) * sizeof *w->heap);
  return w;
}

static void heap_push(struct ways *w, uint32_t rank) {
  uint32_t at = w->heap_size++;
  for (; at && w->heap[(at - 1) / 2] > rank; at = (at - 1) / 2) w->heap[at] = w->heap[(at - 1) / 2];
  w->heap[at] = rank;
}

static uint32_t heap_pop(struct ways *w) {
  uint32_t top = w->heap[0], last = w->heap[--w->heap_size], at = 0;
  for (uint32_t next; (next = 2 * at + 1) < w->heap_size; at = next) {
    if (next + 1 < w->heap_size && w->heap[next + 1] < w->heap[next]) next++;
    if (w->heap[next] >= last) break;
    w->heap[at] = w->heap[next];
  }
  w->heap[at] = last;
  return top;
}

static void look_again(struct ways *w, const struct ir_block *b) {
  if (w->queued[b->id]) return;
  w->queued[b->id] = true;
  heap_push(w, w->g->order->rank[b->id]);
}

/* A way with this label gets to b. */
static void bring_label(struct ways *w, struct ir_block *b, uint32_t label, bool loose, const struct ir_block *end) {
  uint32_t id = b->id;
  if (w->round[id] != w->now) {
    w->round[id] = w->now;
    w->label[id] = label;
    w->joined[id] = w->loose[id] = false;
    if (b != end) {
      w->visit[w->visits++] = b;
      look_again(w, b);
    }
  }
  if (!w->joined[id] && w->label[id] != label) {
    w->joined[id] = true;
    w->label[id] = id + w->g->f->blocks; /* a label of its own */
    w->join[w->joins++] = w->g->by_id[id];
    loose = true;
    if (b != end) look_again(w, b);
  }
  if (b == end || !loose || w->loose[id]) return;
  w->loose[id] = true;
  w->tear[w->tears++] = w->g->by_id[id];
  look_again(w, b);
}

/* Blocks on ways from x back to x: backwards among those that were seen. */
static void find_circle(struct ways *w, struct ir_block *x, const struct ir_block *end) {
  w->circles = 0;
  if (w->round[x->id] != w->now) return;
  w->turned[x->id] = w->now;
  w->circle[w->circles++] = x;
  for (uint32_t k = 0; k < w->circles; k++) {
    const struct ir_block *b = w->circle[k];
    for (unsigned p = 0; p < b->preds; p++) {
      struct ir_block *from = b->pred[p];
      w->budget -= w->budget > 0;
      if (from == end || w->round[from->id] != w->now || w->turned[from->id] == w->now) continue;
      w->turned[from->id] = w->now;
      w->circle[w->circles++] = from;
    }
  }
}

bool ways_follow(struct ways *w, struct ir_block *x, const struct ir_block *end) {
  w->now++;
  w->joins = w->tears = w->visits = 0;
  const bool call = region_call(x) != NULL; /* who has come back goes on, while others are still there */
  for (unsigned k = 0; k < x->succs; k++) bring_label(w, x->succ[k], x->succ[k]->id, call, end);
  while (w->heap_size && w->budget) {
    struct ir_block *b = w->g->order->block[heap_pop(w)];
    w->queued[b->id] = false;
    for (unsigned k = 0; k < b->succs; k++) {
      w->budget -= w->budget > 0;
      /* Round a loop to the branch itself: its ways have their labels. */
      if (b == x && w->round[b->succ[k]->id] == w->now)
        bring_label(w, b->succ[k], w->label[b->succ[k]->id], w->loose[b->id], end);
      else
        bring_label(w, b->succ[k], w->label[b->id], w->loose[b->id], end);
    }
  }
  while (w->heap_size) w->queued[w->g->order->block[heap_pop(w)]->id] = false;
  find_circle(w, x, end);
  return w->budget > 0;
}
