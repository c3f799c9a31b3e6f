/* SPDX-License-Identifier: Apache-2.0
 *
 * Which convergence barrier a region gets; the reasons are in converge.c.
 *
 * A region is open at a block inside it. Regions are taken in an order in which those that are open where another is
 * armed come before it (armed afresh: in a loop it may be open anyhow each time it is armed again); where there is no
 * such order (loops can make regions that begin inside each other), the first of the circle is given up.
 *
 * A block can lie in as many regions that have barriers as there are barriers (fifteen in the base). When the regions
 * hold many times more blocks than there are, most will have to do without anyhow: the rest is not looked at.
 */
#include "compiler/converge/converge.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>

enum { INSIDES_EACH = 64, INSIDES_MORE = 1 << 16 };

struct node {
  struct region *r;
  uint32_t place;           /* in the order of outer before inner, as the dominators tell */
  struct ir_block **inside; /* its beginning with them (it is armed at its end), its end not */
  uint32_t insides;
  struct link {
    struct node *n;
    bool outlived; /* held_by: this one ends outside that one */
    struct link *next;
  } * holds, *held_by; /* regions that begin where this one is open; that are open where it begins */
  const struct node *mark;
  uint32_t waits; /* held_by that are not done */
  bool done, dropped;
};

struct order {
  struct converge *c;
  struct node *node;
  uint32_t nodes;
  uint64_t total;
  struct link **begins; /* by block id: the nodes that begin there */
  struct node **ready;  /* a heap by place */
  uint32_t readies;
  bool meetings;
};

void converge_new(struct converge *c) {
  struct ptx_arena *a = c->f->arena;
  uint32_t blocks = c->f->blocks;
  c->region = ptx_alloc(a, ((size_t)blocks + 1) * sizeof *c->region);
  c->ending = ptx_alloc(a, blocks * sizeof(struct region *));
  c->waited = ptx_alloc(a, blocks);
  c->busy = ptx_alloc(a, blocks * sizeof *c->busy);
  c->avoided = ptx_alloc(a, blocks * sizeof *c->avoided);
  c->seen = ptx_alloc(a, blocks * sizeof *c->seen);
  c->work = ptx_alloc(a, ((size_t)blocks + 1) * sizeof(struct ir_block *));
}

static void link_add(struct order *o, struct link **list, struct node *n) {
  struct link *l = ptx_alloc(o->c->f->arena, sizeof *l);
  *l = (struct link){.n = n, .next = *list};
  *list = l;
}

/* ---- what is inside ---- */

static uint32_t enter(struct converge *c, struct ir_block *b, uint32_t count) {
  if (c->seen[b->id] == c->stamp) return count;
  c->seen[b->id] = c->stamp;
  c->work[count] = b;
  return count + 1;
}

static void collect_inside(struct order *o, struct node *n) {
  struct converge *c = o->c;
  c->stamp++;
  uint32_t count = enter(c, n->r->from, 0);
  for (uint32_t k = 0; k < count; k++)
    for (unsigned s = 0; s < c->work[k]->succs; s++)
      if (c->work[k]->succ[s] != n->r->to) count = enter(c, c->work[k]->succ[s], count);
  n->inside = ptx_alloc(c->f->arena, (count + 1) * sizeof(struct ir_block *));
  memcpy(n->inside, c->work, count * sizeof(struct ir_block *));
  n->insides = count;
  o->total += count;
}

static bool is_inside(const struct converge *c, const struct ir_block *b) {
  return c->seen[b->id] == c->stamp;
}

/* After collect_inside(n): the regions that begin inside. */
static void find_held(struct order *o, struct node *n) {
  for (uint32_t k = 0; k < n->insides; k++)
    for (struct link *l = o->begins[n->inside[k]->id]; l; l = l->next) {
      if (l->n == n) continue;
      link_add(o, &n->holds, l->n);
      link_add(o, &l->n->held_by, n);
      l->n->held_by->outlived = !is_inside(o->c, l->n->r->to);
    }
}

/* Of two that begin inside each other: where n dominates the other's beginning and is not ended inside it, n was open
 * before the other was, and is not armed afresh. */
static void drop_rearmed(const struct order *o, struct node *n) {
  for (struct link *l = n->holds; l; l = l->next) l->n->mark = n;
  for (struct link **at = &n->held_by; *at;) {
    const struct link *l = *at;
    bool again = l->n->mark == n && l->outlived && pass_above(o->c->g->dom, n->r->from->id, l->n->r->from->id);
    if (again)
      *at = l->next;
    else
      at = &(*at)->next;
  }
}

/* ---- the order ---- */

static int outer_first(const void *a, const void *b) {
  const struct node *x = a, *y = b;
  return (x->place > y->place) - (x->place < y->place);
}

/* `holds` again, from what is left in `held_by`. */
static void find_waits(struct order *o) {
  for (uint32_t k = 0; k < o->nodes; k++) o->node[k].holds = NULL;
  for (uint32_t k = 0; k < o->nodes; k++)
    for (struct link *l = o->node[k].held_by; l; l = l->next) {
      link_add(o, &l->n->holds, &o->node[k]);
      o->node[k].waits++;
    }
}

/* Operations whose lanes wait for each other (or may have to). */
static bool has_meetings(const struct ir_function *f) {
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next)
      if (i->op == IR_WARPSYNC || i->op == IR_SHFL || i->op == IR_VOTE || i->op == IR_MATCH || i->op == IR_REDUX ||
          i->op == IR_MMA || i->op == IR_LDSM)
        return true;
  return false;
}

static struct order order_new(struct converge *c) {
  struct order o = {.c = c, .meetings = has_meetings(c->f)};
  struct ptx_arena *a = c->f->arena;
  o.node = ptx_alloc(a, ((size_t)c->regions + 1) * sizeof *o.node);
  o.begins = ptx_alloc(a, c->f->blocks * sizeof(struct link *));
  o.ready = ptx_alloc(a, ((size_t)c->regions + 1) * sizeof(struct node *));
  for (uint32_t k = 0; k < c->regions; k++) {
    struct region *r = &c->region[k];
    if (r->barrier == REGION_IDLE) continue;
    r->barrier = REGION_NONE;
    r->loose = false;
    o.node[o.nodes++] = (struct node){.r = r, .place = c->g->dom->in[r->from->id]};
  }
  qsort(o.node, o.nodes, sizeof *o.node, outer_first);
  for (uint32_t k = 0; k < o.nodes; k++) {
    o.node[k].place = k;
    link_add(&o, &o.begins[o.node[k].r->from->id], &o.node[k]);
  }
  for (uint32_t k = 0; k < o.nodes; k++) {
    o.node[k].dropped = o.total > (uint64_t)INSIDES_EACH * c->f->blocks + INSIDES_MORE;
    if (o.node[k].dropped) continue;
    collect_inside(&o, &o.node[k]);
    find_held(&o, &o.node[k]);
  }
  for (uint32_t k = 0; k < o.nodes; k++) drop_rearmed(&o, &o.node[k]);
  find_waits(&o);
  return o;
}

static void ready_push(struct order *o, struct node *n) {
  uint32_t at = o->readies++;
  for (; at && o->ready[(at - 1) / 2]->place > n->place; at = (at - 1) / 2) o->ready[at] = o->ready[(at - 1) / 2];
  o->ready[at] = n;
}

static struct node *ready_pop(struct order *o) {
  struct node *top = o->ready[0], *last = o->ready[--o->readies];
  uint32_t at = 0;
  for (uint32_t next; (next = 2 * at + 1) < o->readies; at = next) {
    if (next + 1 < o->readies && o->ready[next + 1]->place < o->ready[next]->place) next++;
    if (o->ready[next]->place >= last->place) break;
    o->ready[at] = o->ready[next];
  }
  o->ready[at] = last;
  return top;
}

/* ---- barriers ---- */

static void finish_region(struct order *o, struct node *n) {
  n->done = true;
  for (struct link *l = n->holds; l; l = l->next)
    if (--l->n->waits == 0 && !l->n->done) ready_push(o, l->n);
}

/* Does a region that is open where n begins end inside n? Then threads could wait in one while others wait in the
 * other. */
static bool crosses(struct order *o, const struct node *n) {
  struct converge *c = o->c;
  c->stamp++;
  for (uint32_t k = 0; k < n->insides; k++) c->seen[n->inside[k]->id] = c->stamp;
  for (const struct link *l = n->held_by; l; l = l->next)
    if (!l->n->dropped && is_inside(c, l->n->r->to)) return true;
  return false;
}

/* Those of regions: the last is that of expansions (expand.h). */
static int barriers(void) {
  return (int)heddle_isa_convergence_barriers() - 1;
}

/* Half of all are for regions without a call; the ranks of the others are one fewer. */
int converge_call_ranks(void) {
  return barriers() / 2;
}

int converge_number(const struct ir_function *f, int rank) {
  if (!f->framed) return rank;
  return rank < converge_call_ranks() ? converge_call_ranks() + 1 + rank : rank - converge_call_ranks();
}

struct ranks {
  int first, end; /* end <= first: none */
};

/* In code with calls: regions that hold one have the lower ranks, and do without when it may lead back here. */
static struct ranks ranks_of(const struct converge *c, const struct node *n) {
  if (!c->f->framed) return (struct ranks){0, barriers()};
  struct ranks r = {converge_call_ranks(), barriers()};
  for (uint32_t k = 0; k < n->insides; k++) {
    const struct ir_insn *i = region_call(n->inside[k]);
    const struct call_node *to = i ? call_node_of(c->f->calls, i->calling.function) : NULL;
    if (!to) continue;
    if (to->component == c->f->node->component) return (struct ranks){0, 0};
    r = (struct ranks){(int)c->f->node->first_rank, converge_call_ranks()};
  }
  return r;
}

/* A YIELD inside may let threads go on before the others are there. Where they then arm the same barrier again and wait
 * for the others by other means (WARPSYNC), those would wait for them at the first: all that comes behind is to have
 * other barriers, if there are any. Returns how many blocks c->work has. */
static uint32_t behind_loose(const struct order *o, const struct node *n) {
  struct converge *c = o->c;
  bool loose = false;
  for (uint32_t k = 0; k < n->insides; k++) loose = loose || c->yields[n->inside[k]->id] || c->opens[n->inside[k]->id];
  if (!loose || !o->meetings) return 0;
  c->stamp++;
  uint32_t count = enter(c, n->r->to, 0);
  for (uint32_t k = 0; k < count; k++)
    for (unsigned s = 0; s < c->work[k]->succs; s++) count = enter(c, c->work[k]->succ[s], count);
  return count;
}

static int first_free(int from, int end, uint16_t busy) {
  while (from < end && (busy >> from & 1)) from++;
  return from;
}

static void assign(struct order *o, struct node *n) {
  struct converge *c = o->c;
  const struct ranks ranks = ranks_of(c, n);
  int barrier = ranks.first;
  uint16_t busy = 0, later = 0;
  for (const struct link *l = n->held_by; l; l = l->next)
    if (!l->n->dropped && l->n->r->barrier >= barrier) barrier = l->n->r->barrier + 1;
  for (uint32_t k = 0; k < n->insides; k++) busy |= c->busy[n->inside[k]->id];
  n->dropped = n->dropped || first_free(barrier, ranks.end, busy) >= ranks.end || crosses(o, n);
  if (n->dropped) return;
  const uint32_t behind = behind_loose(o, n);
  for (uint32_t k = 0; k < behind; k++) later |= c->busy[c->work[k]->id] | c->avoided[c->work[k]->id];
  for (uint32_t k = 0; k < n->insides; k++) later |= c->avoided[n->inside[k]->id];
  int apart = first_free(barrier, ranks.end, busy | later);
  barrier = apart < ranks.end ? apart : first_free(barrier, ranks.end, busy);
  for (uint32_t k = 0; k < behind; k++) c->avoided[c->work[k]->id] |= (uint16_t)(1u << barrier);
  n->r->barrier = barrier;
  for (uint32_t k = 0; k < n->insides; k++) {
    uint32_t id = n->inside[k]->id;
    c->busy[id] |= (uint16_t)(1u << barrier);
    if (c->g->early[n->r->to->id]) c->waited[id] = true;
    if (c->yields[id] || c->opens[id]) n->r->loose = true;
  }
}

void converge_barriers(struct converge *c) {
  struct order o = order_new(c);
  memset(c->busy, 0, c->f->blocks * sizeof *c->busy);
  memset(c->avoided, 0, c->f->blocks * sizeof *c->avoided);
  memset(c->waited, 0, c->f->blocks * sizeof *c->waited);
  for (uint32_t k = 0; k < o.nodes; k++)
    if (!o.node[k].waits) ready_push(&o, &o.node[k]);
  for (uint32_t k = 0; k < o.nodes; k++) {
    while (o.readies) {
      struct node *n = ready_pop(&o);
      assign(&o, n);
      finish_region(&o, n);
    }
    if (o.node[k].done) continue;
    o.node[k].dropped = true; /* of a circle */
    finish_region(&o, &o.node[k]);
  }
}
