/* SPDX-License-Identifier: Apache-2.0
 * The tree of a random program. */
#include <stdlib.h>
#include <string.h>

#include "tests/twin/ops.h"
#include "tests/twin/twin.h"
#include "base/splitmix64.h"

static uint32_t new_node(struct twin *t, enum twin_kind kind) {
  if (t->nodes >= TWIN_NODES) return TWIN_NO_NODE;
  struct twin_node *n = &t->node[t->nodes];
  memset(n, 0, sizeof *n);
  n->kind = (uint8_t)kind;
  n->guard = TWIN_NONE;
  n->child = n->child2 = n->next = n->to = TWIN_NO_NODE;
  return t->nodes++;
}

static uint32_t make_list(struct twin *t, const struct twin_scope *s, unsigned length);

/* A list inside of another one is shorter. */
static uint32_t inner(struct twin *t, const struct twin_scope *s, bool together) {
  struct twin_scope in = *s;
  in.depth++;
  in.together = together;
  in.barriers = false;
  return make_list(t, &in, 1 + twin_below(t, 7 >> (in.depth > 2 ? 2 : in.depth)));
}

static void draw(struct twin *t, const struct twin_scope *s, struct twin_node *n, const char *letters) {
  for (unsigned k = 0; letters[k]; k++) n->reg[k] = twin_register(t, s, letters[k]);
  for (unsigned k = 0; k < 6; k++) n->k[k] = (uint8_t)twin_below(t, 256);
}

/* ---- what one thread does ---- */

static void make_carry(struct twin *t, const struct twin_scope *s, struct twin_node *n) {
  draw(t, s, n, "");
  n->k[0] = (uint8_t)(2 + n->k[0] % 3); /* steps */
  n->k[1] = n->k[1] % 3;                /* sums, differences, sums of products */
  n->k[2] = n->k[2] & 1;                /* 64 bits */
  char c = n->k[2] ? 'd' : 'r';
  for (unsigned k = 0; k < 4; k++) n->dst[k] = (struct twin_operand){.cls = c, .reg = twin_register(t, s, c)};
  for (unsigned k = 0; k < 5; k++) {
    n->src[k] = (struct twin_operand){.cls = c, .reg = twin_register(t, s, c)};
    n->src[k].imm = k < 4 && twin_chance(t, 15);
    if (n->src[k].imm) n->src[k].bits = twin_integer(&t->rng, n->k[2] ? 8 : 4);
  }
}

static void make_loop(struct twin *t, const struct twin_scope *s, uint32_t at) {
  struct twin_scope in = *s;
  draw(t, s, &t->node[at], "rp");
  t->node[at].k[0] %= 3;
  t->node[at].k[1] = (uint8_t)(1 + t->node[at].k[1] % (s->depth > 1 ? 2 : 4));
  in.loop = at;
  uint32_t child = inner(t, &in, false);
  t->node[at].child = child;
}

static void make_switch(struct twin *t, const struct twin_scope *s, uint32_t at) {
  unsigned cases = 2 + twin_below(t, 4);
  uint32_t last = TWIN_NO_NODE;
  draw(t, s, &t->node[at], "r");
  for (unsigned k = 0; k < cases; k++) {
    uint32_t list = inner(t, s, false);
    if (list == TWIN_NO_NODE) return;
    if (last == TWIN_NO_NODE)
      t->node[at].child = list;
    else
      t->node[last].next = list;
    last = list;
  }
}

static void make_two(struct twin *t, const struct twin_scope *s, uint32_t at, bool together, unsigned second) {
  uint32_t child = inner(t, s, together), child2 = TWIN_NO_NODE;
  if (twin_chance(t, second)) child2 = inner(t, s, together);
  t->node[at].child = child;
  t->node[at].child2 = child2;
}

static enum twin_kind pick_alone(struct twin *t, const struct twin_scope *s) {
  unsigned dice = twin_below(t, 100);
  const bool flat = s->depth < 4, loops = s->loop != TWIN_NO_NODE;
  if (dice < 4) return N_CARRY;
  if (dice < 11 && flat) return N_IF;
  if (dice < 15 && flat) return N_LOOP;
  if (dice < 17 && flat) return N_SWITCH;
  if (dice < 19 && flat) return N_GOTO;
  if (dice < 22 && s->functions > 0) return N_CALL;
  if (dice < 23 && !s->in_function) return N_CAS;
  if (dice < 27 && loops) return N_BREAK;
  if (dice < 30 && loops) return N_CONTINUE;
  return dice < 33 && s->in_function ? N_RETURN : N_OP;
}

/* A single statement, or control flow of one thread. */
static uint32_t make_alone(struct twin *t, const struct twin_scope *s) {
  const enum twin_kind kind = pick_alone(t, s);
  uint32_t at = new_node(t, kind);
  if (at == TWIN_NO_NODE) return at;
  struct twin_node *n = &t->node[at];
  switch (kind) {
  case N_OP:
    twin_make_op(t, s, n);
    break;
  case N_CARRY:
    make_carry(t, s, n);
    break;
  case N_LOOP:
    make_loop(t, s, at);
    break;
  case N_SWITCH:
    make_switch(t, s, at);
    break;
  case N_IF:
  case N_GOTO:
    draw(t, s, n, "pp");
    make_two(t, s, at, false, kind == N_IF ? 55 : 100);
    break;
  case N_CALL:
    draw(t, s, n, "rdf");
    n->k[0] = (uint8_t)(n->k[0] % s->functions);
    n->reg[3] = twin_register(t, s, n->k[0] == 0 ? 'r' : n->k[0] == 1 ? 'd' : 'f');
    if (twin_chance(t, 20)) n->guard = twin_register(t, s, 'p');
    break;
  default:
    draw(t, s, n, kind == N_CAS ? "r" : "p");
    n->k[0] = (uint8_t)(n->k[0] % TWIN_CELLS);
    n->to = s->loop;
  }
  return at;
}

/* ---- what threads do together ---- */

static const struct {
  enum twin_kind kind;
  const char *registers;
  unsigned weight;
  bool barriers; /* wants all threads of the block */
} together[] = {{N_SHFL, "rprn", 5, false},     {N_VOTE, "rp", 5, false},       {N_MATCH, "rpr", 3, false},
                {N_REDUX, "rr", 4, false},      {N_ACTIVE, "r", 1, false},      {N_RED, "r", 4, false},
                {N_EXCHANGE, "rr", 4, true},    {N_BARRED, "rp", 3, true},      {N_CELL, "r", 3, true},
                {N_EXIT, "p", 1, true},         {N_TOGETHER_IF, "p", 3, false}, {N_TOGETHER_WHILE, "r", 2, false},
                {N_TOGETHER_LOOP, "", 3, false}};

static unsigned pick_together(struct twin *t, const struct twin_scope *s) {
  for (;;) {
    unsigned k = twin_below(t, sizeof together / sizeof *together);
    bool nests = together[k].kind == N_TOGETHER_IF || together[k].kind == N_TOGETHER_WHILE ||
                 together[k].kind == N_TOGETHER_LOOP;
    if (twin_below(t, 5) >= together[k].weight || (together[k].barriers && !s->barriers) || (nests && s->depth >= 2))
      continue;
    if (together[k].kind == N_EXIT && s->depth > 0) continue;
    return k;
  }
}

static uint32_t make_together(struct twin *t, const struct twin_scope *s) {
  unsigned which = pick_together(t, s);
  uint32_t at = new_node(t, together[which].kind);
  if (at == TWIN_NO_NODE) return at;
  struct twin_node *n = &t->node[at];
  draw(t, s, n, together[which].registers);
  if (n->kind == N_MATCH && n->k[1] & 1) n->reg[2] = twin_register(t, s, 'd');
  if (n->kind == N_TOGETHER_IF) make_two(t, s, at, true, 60);
  if (n->kind == N_TOGETHER_WHILE) {
    uint32_t child = inner(t, s, true);
    t->node[at].child = child;
  }
  if (n->kind == N_TOGETHER_LOOP) { /* as often for all: barriers inside, where they are outside */
    struct twin_scope in = *s;
    in.depth++;
    uint32_t child = make_list(t, &in, 1 + twin_below(t, 4));
    t->node[at].child = child;
  }
  return at;
}

/* Behind an access of memory some more beside it, in any order: what a compiler may make one of. The last of all. */
static uint32_t add_neighbours(struct twin *t, const struct twin_scope *s, uint32_t first) {
  uint32_t last = first;
  const unsigned way = 1 + 2 * twin_below(t, 2); /* up, or down */
  for (unsigned k = twin_chance(t, 40) ? 1 : 4; k < 4; k++) {
    uint32_t n = new_node(t, N_OP);
    if (n == TWIN_NO_NODE || !twin_make_neighbour(t, s, &t->node[n], &t->node[first], way * k)) break;
    t->node[n].next = TWIN_NO_NODE;
    t->node[last].next = n;
    last = n;
  }
  return last;
}

static uint32_t make_list(struct twin *t, const struct twin_scope *s, unsigned length) {
  uint32_t list = new_node(t, N_LIST), last = TWIN_NO_NODE;
  for (unsigned k = 0; k < length && list != TWIN_NO_NODE; k++) {
    uint32_t n = s->together && twin_chance(t, 22) ? make_together(t, s) : make_alone(t, s);
    if (n == TWIN_NO_NODE) break;
    if (last == TWIN_NO_NODE)
      t->node[list].child = n;
    else
      t->node[last].next = n;
    last = add_neighbours(t, s, n);
  }
  return list;
}

/* ---- the whole ---- */

/* What was to be there and did not come along. */
static void add_forced(struct twin *t, const struct twin_scope *s) {
  uint32_t last = TWIN_NO_NODE;
  for (uint32_t n = t->node[t->body].child; n != TWIN_NO_NODE; n = t->node[n].next) last = n;
  while (t->forced < t->forced_end) {
    uint32_t n = new_node(t, N_OP);
    if (n == TWIN_NO_NODE) return;
    twin_make_op(t, s, &t->node[n]);
    if (last == TWIN_NO_NODE)
      t->node[t->body].child = n;
    else
      t->node[last].next = n;
    last = n;
  }
}

static void make_shape(struct twin *t) {
  static const uint8_t blocks[] = {32, 64, 96, 33, 48, 100, 128, 7}, grids[] = {1, 2, 3, 4};
  static const uint8_t kernel[TWIN_CLASSES] = {4, 3, 8, 4, 3, 5, 6, 5, 5},
                       function[TWIN_CLASSES] = {4, 2, 5, 2, 2, 4, 4, 2, 3};
  t->block = blocks[twin_below(t, sizeof blocks)];
  t->grid = grids[twin_below(t, sizeof grids)];
  unsigned more = twin_chance(t, 30) ? 1 + twin_below(t, 3) : 1;
  for (unsigned c = 0; c < TWIN_CLASSES; c++) {
    t->count[c] = (uint8_t)(kernel[c] * (c == twin_class('p') ? 1 : more));
    t->fcount[c] = function[c];
    t->dumped[c] = twin_chance(t, 50) ? UINT64_MAX : splitmix64(&t->rng);
  }
  for (unsigned k = 0; k < TWIN_CONST; k += 8) {
    uint64_t v = k & 8 ? twin_integer(&t->rng, 8) : twin_float(&t->rng, k & 16 ? 8 : 4);
    for (unsigned b = 0; b < 8; b++) t->constant[k + b] = (uint8_t)(v >> (8 * b));
  }
  for (unsigned k = 0; k < TWIN_PARAMS; k++) t->param[k] = twin_integer(&t->rng, 8);
}

static void make_cells(struct twin *t) {
  static const struct twin_cell kinds[] = {{A_add, 4, false}, {A_add, 8, false}, {A_min, 4, true},  {A_max, 4, false},
                                           {A_and, 4, false}, {A_or, 4, false},  {A_xor, 4, false}, {A_inc, 4, false}};
  for (unsigned k = 0; k < TWIN_CELLS; k++) t->cell[k] = kinds[(k + t->index) % TWIN_CELLS];
}

enum { FORCED = 24 };

struct twin *twin_new(uint64_t seed, uint64_t index, unsigned nodes) {
  struct twin *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->seed = seed;
  t->index = index;
  uint64_t from_index = ~index;
  t->rng = splitmix64(&seed);
  t->rng ^= splitmix64(&from_index);
  t->node = calloc(TWIN_NODES, sizeof *t->node);
  if (!t->node) {
    free(t);
    return NULL;
  }
  make_shape(t);
  make_cells(t);
  t->forced = (unsigned)(index % twin_variants() * FORCED % twin_variants());
  t->forced_end = t->forced + FORCED;
  for (unsigned f = 0; f < TWIN_FUNCTIONS; f++) {
    const struct twin_scope s = {.in_function = true, .functions = f, .loop = TWIN_NO_NODE, .depth = 2};
    t->function[f] = make_list(t, &s, 3 + twin_below(t, 6));
  }
  const struct twin_scope s = {.functions = TWIN_FUNCTIONS, .loop = TWIN_NO_NODE, .together = true, .barriers = true};
  t->body = make_list(t, &s, nodes ? nodes : 15 + twin_below(t, 25));
  add_forced(t, &s);
  return t;
}

void twin_free(struct twin *t) {
  if (!t) return;
  free(t->node);
  free(t);
}

static unsigned list_size(const struct twin *t, uint32_t n) {
  unsigned size = 0;
  for (; n != TWIN_NO_NODE; n = t->node[n].next)
    if (!t->node[n].removed)
      size += (t->node[n].kind != N_LIST) + list_size(t, t->node[n].child) + list_size(t, t->node[n].child2);
  return size;
}

unsigned twin_size(const struct twin *t) {
  return list_size(t, t->body);
}

void twin_input(const struct twin *t, uint8_t *in) {
  uint64_t rng = t->seed ^ (t->index * 2654435761u + 12345);
  for (unsigned at = 0; at < TWIN_IN_BYTES;) {
    unsigned part = at / 1024 % 4, bytes = part == 0 || part == 2 ? 8 : part == 1 ? 4 : 2;
    uint64_t v = part == 0 ? twin_integer(&rng, rng & 1 ? 8 : 4) : twin_float(&rng, bytes);
    for (unsigned b = 0; b < bytes; b++) in[at++] = (uint8_t)(v >> (8 * b));
  }
}

void twin_cells(const struct twin *t, uint8_t *cell) {
  uint64_t rng = t->index;
  for (unsigned k = 0; k < TWIN_CELLS * 8; k++) cell[k] = (uint8_t)splitmix64(&rng);
}
