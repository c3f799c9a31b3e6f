/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding regions; see converge.h.
 */
#include "compiler/calls/call.h"
#include "compiler/converge/converge.h"

/* Where ways from a branch join: labels, one for each way out of it, are carried along the edges, blocks in reverse
 * postorder; where two different ones arrive, there is a join, and a new label (after J. Rosemann and others, "An
 * abstract interpretation for SPMD divergence on reducible control flow graphs", 2021). In loops with several entries
 * joins may be found that are none: more is then taken to differ than does. */

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

/* Finding regions; see converge.h. */

enum { INNER_UNKNOWN, INNER_NOTHING, INNER_HOLDS }; /* regions.inner */

/* A WARPSYNC of all lanes; not of some, which come from the same side of a branch: a region may hold it. */
static bool region_wants_all(const struct ir_insn *i) {
  bool whole = i->op == IR_WARPSYNC && i->src[0].kind == IR_CONST && (uint32_t)i->src[0].bits == UINT32_MAX;
  return i->op == IR_BAR || whole || (i->op == IR_CALL && i->calling.has_bar);
}

/* Lanes wait for each other here, or may have to. */
static bool lanes_meet(const struct ir_insn *i) {
  return i->op == IR_WARPSYNC || i->op == IR_SHFL || i->op == IR_VOTE || i->op == IR_MATCH || i->op == IR_REDUX;
}

static bool has_meetings(const struct ir_function *f) {
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next)
      if (lanes_meet(i) || region_wants_all(i)) return true;
  return false;
}

static bool waits_for_memory(const struct ir_function *f) {
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next)
      if (i->op == IR_ATOM || (i->op == IR_LD && (i->memory.is_volatile || i->memory.strength != IR_WEAK))) return true;
  return false;
}

struct ir_insn *region_call(const struct ir_block *b) {
  struct ir_insn *i = b->last && b->last->op == IR_BR ? b->last->prev : NULL;
  return i && i->op == IR_CALL ? i : NULL;
}

/* A return leads to where such a barrier may follow. */
static bool leads_to_all(const struct ir_function *f, const struct ir_insn *i) {
  return i->op == IR_RET && f->node && (f->node->before_bar || f->node->has_bar);
}

/* Something that another thread may wait for. */
static bool tells_others(const struct ir_function *f, const struct ir_insn *i) {
  const struct call_node *n = i->op == IR_CALL ? call_node_of(f->calls, i->calling.function) : NULL;
  return (i->op == IR_ST && i->memory.space != PTX_LOCAL) || i->op == IR_ATOM || i->op == IR_RET || (n && n->strong);
}

/* ... and nothing of that kind comes behind it in its block. */
static bool tells_last(const struct ir_function *f, const struct ir_insn *i) {
  if (!tells_others(f, i)) return false;
  for (i = i->next; i; i = i->next)
    if (tells_others(f, i)) return false;
  return true;
}

/* A block of its own for what wants all, and for calls: ways end there, and begin behind it. And where lanes meet and
 * some may wait for memory, ends of blocks behind what those wait for: put_off. */
static void cut_round(struct ir_function *f) {
  const bool polls = waits_for_memory(f), meetings = polls && has_meetings(f);
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = pass_body(b); i; i = i->next) {
      bool wants = region_wants_all(i) || i->op == IR_CALL || (polls && lanes_meet(i)), first = i == pass_body(b);
      bool behind = meetings && !wants && i->next && tells_last(f, i);
      if (((wants && first) || behind) && i->next->op == IR_BR) break;
      if (!wants && !behind) continue;
      pass_cut(f, first || behind ? i->next : i);
      break; /* the rest is the next block */
    }
}

void region_prepare(struct ir_function *f) {
  cut_round(f);
  pass_loops_tidy(f);
}

/* Back from what is in work[]. */
static void mark_before(struct regions *g, bool *mark, uint32_t depth) {
  while (depth) {
    const struct ir_block *b = g->work[--depth];
    for (unsigned k = 0; k < b->preds; k++)
      if (!mark[b->pred[k]->id]) {
        mark[b->pred[k]->id] = true;
        g->work[depth++] = b->pred[k];
      }
  }
}

static void mark_meeting(struct regions *g) {
  uint32_t depth = 0;
  for (uint32_t k = 0; k < g->order->count; k++) {
    struct ir_block *b = g->order->block[k];
    for (const struct ir_insn *i = b->first; i; i = i->next) g->meeting[b->id] = g->meeting[b->id] || lanes_meet(i);
    if (g->meeting[b->id]) g->work[depth++] = b;
  }
  mark_before(g, g->meeting, depth);
}

static void mark_early(struct regions *g) {
  uint32_t depth = 0;
  bool *wants = ptx_alloc(g->f->arena, g->f->blocks);
  for (uint32_t k = 0; k < g->order->count; k++) {
    struct ir_block *b = g->order->block[k];
    for (const struct ir_insn *i = b->first; i; i = i->next)
      wants[b->id] = wants[b->id] || region_wants_all(i) || leads_to_all(g->f, i);
    g->early[b->id] = wants[b->id];
    if (wants[b->id]) g->work[depth++] = b;
  }
  if (depth == 0) return;
  mark_before(g, g->early, depth);
  g->post_early = pass_postdominators(g->f, g->order, g->early, wants);
}

struct regions *region_new(struct ir_function *f) {
  struct ptx_arena *a = f->arena;
  struct regions *g = ptx_alloc(a, sizeof *g);
  g->f = f;
  g->order = pass_order(f);
  g->dom = pass_dominators(f, g->order);
  g->post = pass_postdominators(f, g->order, NULL, NULL);
  g->loop = pass_loops(f, g->order);
  g->by_id = ptx_alloc(a, ((size_t)f->blocks + 1) * sizeof(struct ir_block *));
  for (uint32_t k = 0; k < g->order->count; k++) g->by_id[g->order->block[k]->id] = g->order->block[k];
  g->early = ptx_alloc(a, f->blocks);
  g->meeting = ptx_alloc(a, f->blocks);
  g->polls = ptx_alloc(a, f->blocks);
  g->holds = ptx_alloc(a, f->blocks);
  g->inner = ptx_alloc(a, f->blocks);
  g->lost = ptx_alloc(a, f->blocks);
  g->loose = ptx_alloc(a, f->blocks);
  g->seen = ptx_alloc(a, f->blocks * sizeof *g->seen);
  g->work = ptx_alloc(a, ((size_t)f->blocks + 1) * sizeof(struct ir_block *));
  g->budget = UINT64_C(1) << 24;
  mark_early(g);
  mark_meeting(g);
  return g;
}

static bool spend(struct regions *g) {
  if (g->budget == 0) return false;
  g->budget--;
  return true;
}

/* Is there a way from `to` back to it without `from`? By search; for loops with several entries only. */
static bool returns_without(struct regions *g, const struct ir_block *from, const struct ir_block *to) {
  uint32_t depth = 0;
  g->seen[from->id] = ++g->stamp;
  g->work[depth++] = g->by_id[to->id];
  while (depth) {
    const struct ir_block *b = g->work[--depth];
    for (unsigned k = 0; k < b->succs; k++) {
      struct ir_block *s = b->succ[k];
      if (!spend(g) || (s == to && from != to)) return true;
      if (g->seen[s->id] == g->stamp) continue;
      g->seen[s->id] = g->stamp;
      g->work[depth++] = s;
    }
  }
  return false;
}

/* Rule 2. In a loop with one entry every way round passes its header; if `from` lies in the loop, the header dominates
 * it, and then every way from the header to `to` passes it. */
static bool comes_round(struct regions *g, const struct ir_block *from, const struct ir_block *to) {
  const struct pass_loop *l = g->loop[to->id];
  if (!l) return true;
  if (l->irreducible) return !returns_without(g, from, to);
  return pass_loop_inside(g->loop[from->id], l);
}

/* Up the two trees until all rules hold. */
static bool settle_region(struct regions *g, const struct pass_tree *post, uint32_t from, uint32_t to,
                          struct region *r) {
  while (to != PASS_NONE && to != post->root && spend(g)) {
    if (!pass_above(g->dom, from, to) || from == to) {
      from = g->dom->parent[from];
      if (from == PASS_NONE) return false;
    } else if (!pass_above(post, to, from) || !comes_round(g, g->by_id[from], g->by_id[to])) {
      to = post->parent[to];
    } else {
      r->from = g->by_id[from];
      r->to = g->by_id[to];
      return true;
    }
  }
  return false;
}

/* The block in front of a loop; of one with several entries the last that all ways into it pass. */
static struct ir_block *front(const struct regions *g, const struct pass_loop *l) {
  uint32_t at = l->header->id;
  while (l->irreducible && at != PASS_NONE && pass_loop_inside(g->loop[at], l)) at = g->dom->parent[at];
  if (l->irreducible) return at == PASS_NONE ? NULL : g->by_id[at];
  for (unsigned k = 0; k < l->header->preds; k++)
    if (!pass_loop_inside(g->loop[l->header->pred[k]->id], l)) return l->header->pred[k];
  return NULL;
}

/* Out of loops that `to` is not in: arming once in front of the loop does as well as in every turn. */
static void hoist(struct regions *g, const struct pass_tree *post, struct region *r) {
  struct ir_block *best = NULL;
  for (const struct pass_loop *l = g->loop[r->from->id]; l && !pass_loop_inside(g->loop[r->to->id], l); l = l->outer) {
    struct ir_block *p = front(g, l);
    if (p && g->early[p->id] == g->early[r->from->id] && pass_above(post, r->to->id, p->id) &&
        pass_above(g->dom, p->id, r->from->id) && comes_round(g, p, r->to))
      best = p;
  }
  if (best) r->from = best;
}

static bool starts_with_wanting(const struct ir_block *b) {
  const struct ir_insn *i = pass_body(b);
  return i && (region_wants_all(i) || lanes_meet(i));
}

/* Is there a place where lanes meet on a way from `at` to `end`? */
static bool meets_before(struct regions *g, struct ir_block *at, const struct ir_block *end) {
  uint32_t depth = 0;
  g->seen[at->id] = ++g->stamp;
  g->work[depth++] = at;
  while (depth) {
    const struct ir_block *b = g->work[--depth];
    for (const struct ir_insn *i = b->first; i; i = i->next)
      if (!spend(g) || lanes_meet(i)) return true;
    for (unsigned k = 0; k < b->succs; k++) {
      if (b->succ[k] == end || g->seen[b->succ[k]->id] == g->stamp) continue;
      g->seen[b->succ[k]->id] = g->stamp;
      g->work[depth++] = b->succ[k];
    }
  }
  return false;
}

/* Who has got what he waited for must be able to do what others wait for: they meet only in front of the next BAR, or
 * of where lanes meet (a loop with such a place inside included). */
static void put_off(struct regions *g, const struct pass_tree *post, struct region *r) {
  struct region later;
  while (!starts_with_wanting(r->to) && settle_region(g, post, r->from->id, post->parent[r->to->id], &later) &&
         !meets_before(g, r->to, later.to))
    *r = later;
}

/* Is there such a thing on a way on from `to`, before the region begins again? */
static bool tells_behind(struct regions *g, const struct region *r) {
  uint32_t depth = 0;
  g->seen[r->from->id] = g->seen[r->to->id] = ++g->stamp;
  g->work[depth++] = r->to;
  while (depth) {
    const struct ir_block *b = g->work[--depth];
    for (const struct ir_insn *i = b->first; i; i = i->next)
      if (!spend(g) || tells_others(g->f, i)) return true;
    for (unsigned k = 0; k < b->succs; k++) {
      if (g->seen[b->succ[k]->id] == g->stamp) continue;
      g->seen[b->succ[k]->id] = g->stamp;
      g->work[depth++] = b->succ[k];
    }
  }
  return false;
}

/* Who has got what he waited for waits for those who still do only when he has given it back. */
static bool put_behind(struct regions *g, const struct pass_tree *post, struct region *r) {
  while (tells_behind(g, r)) {
    struct region later;
    if (!settle_region(g, post, r->from->id, post->parent[r->to->id], &later)) return false;
    *r = later;
  }
  return true;
}

/* Is there a branch inside whose threads may have got what others wait for? Found once for each branch x. */
static bool holds_inside(struct regions *g, const struct ir_block *x, const struct region *r) {
  if (!g->holders || g->inner[x->id]) return g->inner[x->id] == INNER_HOLDS;
  uint32_t depth = 0;
  g->inner[x->id] = INNER_NOTHING;
  g->seen[r->to->id] = g->seen[r->from->id] = ++g->stamp;
  g->work[depth++] = r->from;
  while (depth) {
    const struct ir_block *b = g->work[--depth];
    if (!spend(g) || g->holds[b->id]) g->inner[x->id] = INNER_HOLDS;
    for (unsigned k = 0; k < b->succs; k++) {
      if (g->seen[b->succ[k]->id] == g->stamp) continue;
      g->seen[b->succ[k]->id] = g->stamp;
      g->work[depth++] = b->succ[k];
    }
  }
  return g->inner[x->id] == INNER_HOLDS;
}

bool region_find(struct regions *g, const struct ir_block *x, struct region *r) {
  const bool early = g->early[x->id];
  const struct pass_tree *post = early ? g->post_early : g->post;
  r->barrier = -1;
  r->loose = false;
  if (g->lost[x->id] || !settle_region(g, post, x->id, post->parent[x->id], r)) return false;
  if (!early && g->early[r->from->id]) return false;
  const bool holds = g->holds[x->id] || holds_inside(g, x, r);
  if ((early || g->meeting[x->id]) && (holds || g->polls[x->id])) {
    put_off(g, post, r);
    if (early && !g->f->entry && !starts_with_wanting(r->to))
      return false; /* the caller brings them together, in front of it */
  } else if (holds && !put_behind(g, post, r)) {
    return false;
  }
  hoist(g, post, r);
  return true;
}
