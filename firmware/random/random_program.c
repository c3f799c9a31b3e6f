/* SPDX-License-Identifier: Apache-2.0
 * The tree of a random program: made here, written by random_write.c. */
#include "random_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "heddle/isa_tables.h"
#include "node.h"
#include "splitmix64.h"

unsigned random_below(struct random_program *p, unsigned n) {
  return (unsigned)((splitmix64(&p->rng) >> 32) % n);
}
bool random_chance(struct random_program *p, unsigned percent) {
  return random_below(p, 100) < percent;
}

static uint32_t new_node(struct random_program *p, enum node_kind kind) {
  if (p->nodes >= NODES_MAX) return NO_NODE;
  struct node *n = &p->node[p->nodes];
  *n = (struct node){.kind = kind, .child = NO_NODE, .child2 = NO_NODE, .next = NO_NODE, .id = p->nodes};
  return p->nodes++;
}

static uint32_t make_list(struct random_program *p, unsigned length, unsigned depth, bool in_function);

static uint32_t make_line(struct random_program *p, unsigned depth, bool in_function) {
  uint32_t n = new_node(p, NODE_LINE);
  if (n == NO_NODE) return n;
  p->place = !p->limits.its || depth == 0 ? PLACE_ANY : in_function ? PLACE_FUNCTION : PLACE_ARM;
  if (random_chance(p, 4))
    random_hint(p, p->node[n].text, sizeof p->node[n].text);
  else if (p->place == PLACE_ANY && random_has_uniform(p) && random_chance(p, 5))
    random_uniform_load(p, p->node[n].text, sizeof p->node[n].text);
  else if (random_chance(p, 22))
    random_memory(p, p->node[n].text, sizeof p->node[n].text);
  else
    random_insn(p, p->node[n].text, sizeof p->node[n].text);
  return n;
}

/* A function has no loops: it shares the loop counters with its callers. Under `its` arms have the barriers of their
 * depth in common, so that their masks are nobody's to save; WARPSYNC has one mask at a time. */
static bool fits(const struct random_program *p, enum node_kind kind, unsigned depth, bool in_function) {
  const bool first = depth == 0 && !in_function, its = p->limits.its;
  switch (kind) {
  case NODE_LOOP:
  case NODE_CALL:
  case NODE_JUMP:
    return !in_function;
  case NODE_SAVE:
    return first || !its;
  case NODE_SHARE:
    return its;
  case NODE_SYNC:
    return first && its;
  default:
    return true;
  }
}

static bool two_arms(struct random_program *p, enum node_kind kind) {
  const bool must = kind == NODE_JUMP || kind == NODE_SHARE || kind == NODE_SYNC;
  return must || ((kind == NODE_IF || kind == NODE_SAVE) && random_chance(p, 60));
}

/* An if/else, a loop, a call, a jump through a register, a lock ... Nested lists get shorter. */
static uint32_t make_block(struct random_program *p, unsigned depth, bool in_function) {
  static const enum node_kind kinds[] = {NODE_IF,   NODE_IF,   NODE_LOOP, NODE_LOOP,  NODE_CALL,
                                         NODE_JUMP, NODE_LOCK, NODE_SAVE, NODE_SHARE, NODE_SYNC};
  enum node_kind kind;
  do kind = kinds[random_below(p, sizeof kinds / sizeof *kinds)];
  while (!fits(p, kind, depth, in_function));
  uint32_t n = new_node(p, kind);
  if (n == NO_NODE) return n;
  unsigned length = 1 + random_below(p, 8 >> depth);
  uint8_t pred = (uint8_t)random_below(p, PRED_DATA_COUNT), trips = (uint8_t)(1 + random_below(p, 3));
  uint8_t style = (uint8_t)random_below(p, 8), lock = (uint8_t)random_below(p, LOCKS);
  uint32_t child = kind == NODE_CALL || kind == NODE_LOCK ? NO_NODE : make_list(p, length, depth + 1, in_function);
  uint32_t child2 = NO_NODE;
  if (two_arms(p, kind)) child2 = make_list(p, 1 + random_below(p, 8 >> depth), depth + 1, in_function);
  struct node *b = &p->node[n];
  b->child = child;
  b->child2 = child2;
  b->depth = (uint8_t)depth;
  b->pred = pred;
  b->trips = trips;
  b->style = style;
  b->lock = lock;
  return n;
}

static uint32_t make_control(struct random_program *p) {
  uint32_t n = new_node(p, NODE_CONTROL);
  if (n != NO_NODE) random_control(p, p->node[n].text, sizeof p->node[n].text);
  return n;
}

static uint32_t make_matrix(struct random_program *p) {
  uint32_t n = new_node(p, NODE_LINE);
  if (n != NO_NODE) random_matrix(p, p->node[n].text, sizeof p->node[n].text);
  return n;
}

static uint32_t make_list(struct random_program *p, unsigned length, unsigned depth, bool in_function) {
  uint32_t list = new_node(p, NODE_LIST);
  if (list == NO_NODE) return list;
  uint32_t last = NO_NODE;
  for (unsigned i = 0; i < length; i++) {
    uint32_t n;
    if (depth == 0 && random_chance(p, 6))
      n = new_node(p, NODE_BARRIER);
    else if (depth == 0 && random_chance(p, 8))
      n = make_control(p);
    else if (depth == 0 && random_whole_warps(p) && random_chance(p, 8))
      n = make_matrix(p);
    else if (depth < 3 && random_chance(p, depth == 0 ? 16 : 12))
      n = make_block(p, depth, in_function);
    else
      n = make_line(p, depth, in_function);
    if (n == NO_NODE) break;
    if (last == NO_NODE)
      p->node[list].child = n;
    else
      p->node[last].next = n;
    last = n;
  }
  return list;
}

static void make_launch(struct random_program *p) {
  struct random_launch *l = &p->launch;
  static const uint8_t shapes[][3] = {{32, 1, 1}, {64, 1, 1},  {24, 2, 1}, {8, 4, 3},
                                      {33, 1, 1}, {128, 1, 1}, {16, 4, 2}, {5, 7, 2}};
  unsigned most = p->limits.max_threads < 128 ? p->limits.max_threads : 128;
  const uint8_t *s;
  do s = shapes[random_below(p, sizeof shapes / sizeof *shapes)];
  while ((unsigned)s[0] * s[1] * s[2] > most);
  for (unsigned d = 0; d < 3; d++) l->block[d] = s[d];
  l->grid[0] = 1 + random_below(p, 3);
  l->grid[1] = random_chance(p, 25) ? 2 : 1;
  l->grid[2] = 1;
  size_t threads = (size_t)s[0] * s[1] * s[2], blocks = (size_t)l->grid[0] * l->grid[1];
  size_t warps = (threads + 31) / 32;
  l->out_bytes = blocks * threads * OUT_THREAD_BYTES;
  l->scratch_bytes =
      SCRATCH_GRID_BYTES + blocks * warps * (SCRATCH_WARP_BYTES + SCRATCH_LOCK_BYTES + 32 * SCRATCH_THREAD_BYTES);
  l->input_bytes = INPUT_WORDS * 4;
  l->input_seed = splitmix64(&p->rng);
}

struct random_program *random_program_new(uint64_t seed, uint64_t index, const struct random_limits *limits) {
  struct random_program *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->limits = *limits;
  /* Seed and index each through the generator: a state that is a sum of theirs would lie a few steps from a
   * neighbour's. */
  uint64_t from_index = ~index;
  p->rng = splitmix64(&seed);
  p->rng ^= splitmix64(&from_index);
  p->node = calloc(NODES_MAX, sizeof *p->node);
  if (!p->node) {
    random_program_free(p);
    return NULL;
  }
  make_launch(p);
  for (unsigned i = 0; i < 64; i++) p->constant[i] = (uint32_t)splitmix64(&p->rng);
  unsigned nodes = limits->nodes > 0 ? limits->nodes : 10 + random_below(p, 30);
  p->ending = (uint8_t)random_below(p, 32);
  for (unsigned f = 0; f < 2; f++) p->function[f] = make_list(p, 2 + random_below(p, 6), 1, true);
  p->body = make_list(p, nodes, 0, false);
  return p;
}

void random_program_free(struct random_program *p) {
  if (!p) return;
  free(p->node);
  free(p->text);
  free(p);
}

const struct random_launch *random_program_launch(const struct random_program *p) {
  return &p->launch;
}
unsigned random_program_nodes(const struct random_program *p) {
  return p->nodes;
}
bool random_program_has(const struct random_program *p, unsigned node) {
  return !p->node[node].removed;
}
void random_program_remove(struct random_program *p, unsigned node, bool removed) {
  p->node[node].removed = removed;
}

static unsigned list_size(const struct random_program *p, uint32_t list) {
  unsigned n = 0;
  if (list == NO_NODE || p->node[list].removed) return 0;
  for (uint32_t i = p->node[list].child; i != NO_NODE; i = p->node[i].next)
    if (!p->node[i].removed) n += 1 + list_size(p, p->node[i].child) + list_size(p, p->node[i].child2);
  return n;
}

unsigned random_program_size(const struct random_program *p) {
  return list_size(p, p->body);
}

void random_emit(struct random_program *p, const char *format, ...) {
  if (!array_room(&p->text, &p->room, p->used + 512, 1)) {
    p->out_of_memory = true;
    return;
  }
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(p->text + p->used, p->room - p->used, format, ap);
  va_end(ap);
  if (n > 0) p->used += (size_t)n;
}

const char *random_program_text(struct random_program *p) {
  p->used = 0;
  random_write(p);
  return p->out_of_memory ? "" : p->text;
}
