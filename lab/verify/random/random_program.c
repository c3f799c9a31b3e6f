/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree of a random program: made here, written by random_write.c. Its directed streams, by the knobs that weigh
 * them.
 */
#include "random_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "base/array.h"
#include "base/splitmix64.h"
#include "lab/verify/random/node.h"
#include "lab/verify/random/streams.h"

/* The directed streams, by the knobs that weigh them. */

static const struct stream random_streams[] = {
    {KNOB_STREAM_FLOW, NULL, stream_flow, 70},
    {KNOB_STREAM_HAZARD, hazard_fits, stream_hazard, 22},
    {KNOB_STREAM_BARRIER, several_warps_stay, stream_barrier, 10},
    {KNOB_STREAM_TALK, several_warps_stay, stream_talk, 25},
    {KNOB_STREAM_CROWD, NULL, stream_crowd, 40},
    {KNOB_STREAM_CONSTANT, constant_fits, stream_constant, 12},
    {KNOB_STREAM_ADDRESS, NULL, stream_address, 30},
    {KNOB_STREAM_NUMBER, NULL, stream_number, 13},
    {KNOB_STREAM_AHEAD, ahead_fits, stream_ahead, 15},
    {KNOB_STREAM_LOCAL, local_fits, stream_local, 30},
    {KNOB_STREAM_EDGE, NULL, stream_edge, 40},
    {KNOB_STREAM_RELATION, NULL, stream_relation, 26},
    {KNOB_STREAM_REUSE, NULL, stream_reuse, 22},
    {KNOB_STREAM_DEPART, depart_fits, stream_depart, 4},
    {KNOB_STREAM_RELEASE, NULL, stream_release, 50},
    {KNOB_STREAM_SHARE, share_fits, stream_share, 40},
};
static const unsigned random_streams_count = sizeof random_streams / sizeof *random_streams;

/* For a program that is meant to trap: once. */
static const struct stream random_trap = {KNOB_PROGRAM_TRAPS, NULL, stream_trap, 8};

bool several_warps_stay(const struct random_program *p) {
  return random_warps(p) > 1 && !p->leaves;
}

static bool random_stream_fits(const struct random_program *p, const struct stream *s) {
  return !s->fits || s->fits(p);
}

/* The tree of a random program: made here, written by random_write.c. */

unsigned random_below(struct random_program *p, unsigned n) {
  return (unsigned)((splitmix64(&p->rng) >> 32) % n);
}
bool random_chance(struct random_program *p, unsigned percent) {
  return random_below(p, 100) < percent;
}
bool random_knob_chance(struct random_program *p, enum knob k) {
  return random_chance(p, p->knobs.value[k].high);
}
unsigned random_between(struct random_program *p, enum knob range) {
  const uint32_t low = p->knobs.value[range].low;
  return low + random_below(p, p->knobs.value[range].high - low + 1);
}

unsigned random_pick(struct random_program *p, const enum knob *of, unsigned n) {
  unsigned all = 0;
  for (unsigned i = 0; i < n; i++) all += p->knobs.value[of[i]].high;
  if (all == 0) return 0;
  unsigned at = random_below(p, all), i = 0;
  while (at >= p->knobs.value[of[i]].high) at -= p->knobs.value[of[i++]].high;
  return i;
}

unsigned random_data(struct random_program *p) {
  return REG_DATA + random_below(p, REG_DATA_COUNT);
}

static uint32_t new_node(struct random_program *p, enum node_kind kind) {
  if (p->nodes >= NODES_MAX) return NO_NODE;
  struct node *n = &p->node[p->nodes];
  *n = (struct node){.kind = kind, .child = NO_NODE, .child2 = NO_NODE, .next = NO_NODE, .id = p->nodes};
  return p->nodes++;
}

static uint32_t make_list(struct random_program *p, unsigned length, unsigned depth, bool in_function);

/* A predicate that holds for whole rows of lanes: guards that come out of arithmetic hardly ever do. */
static void random_rows(struct random_program *p, char *buf, size_t size) {
  static const uint8_t from[] = {16, 16, 16, 16, 8, 24, 4, 12, 20, 28};
  const unsigned row = from[random_below(p, sizeof from)], pd = random_below(p, PRED_DATA_COUNT);
  snprintf(buf, size, "ISETP.%s.U32.AND P%u, PT, R%u, 0x%x, PT ;\n", random_chance(p, 50) ? "LT" : "GE", pd, REG_LANE,
           row);
}

static uint32_t make_line(struct random_program *p, unsigned depth, bool in_function) {
  static const enum knob kinds[] = {KNOB_LINE_ARITHMETIC, KNOB_LINE_MEMORY, KNOB_LINE_HINT, KNOB_LINE_UNIFORM_LOAD};
  uint32_t n = new_node(p, NODE_LINE);
  if (n == NO_NODE) return n;
  char *text = p->node[n].text;
  const size_t size = sizeof p->node[n].text;
  p->place = !p->limits.its || depth == 0 ? PLACE_ANY : in_function ? PLACE_FUNCTION : PLACE_ARM;
  switch (random_pick(p, kinds, p->place == PLACE_ANY && random_has_uniform(p) ? 4 : 3)) {
  case 1:
    random_memory(p, text, size);
    break;
  case 2:
    random_hint(p, text, size);
    break;
  case 3:
    random_uniform_load(p, text, size);
    break;
  default:
    if (random_chance(p, 2))
      random_rows(p, text, size);
    else
      random_insn(p, text, size);
    break;
  }
  return n;
}

/* A function has no loops: it shares the loop counters with its callers. Under `its` arms have the barriers of their
 * depth in common, so that their masks are nobody's to save; WARPSYNC has one mask at a time. */
static bool node_fits(const struct random_program *p, enum node_kind kind, unsigned depth, bool in_function) {
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
static uint32_t make_block(struct random_program *p, enum node_kind kind, unsigned depth, bool in_function) {
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

static uint32_t make_leave(struct random_program *p) {
  uint32_t n = new_node(p, NODE_CONTROL);
  if (n == NO_NODE) return n;
  const char *sense = random_chance(p, 50) ? "!" : "", *how = random_chance(p, 70) ? "EXIT" : "KILL";
  snprintf(p->node[n].text, sizeof p->node[n].text, "@%sP%u %s ;\n", sense, random_below(p, PRED_DATA_COUNT), how);
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

/* What a list may be made of. Streams come last. */
static const struct choice {
  enum knob weight;
  enum node_kind kind;
} choices[] = {{KNOB_NODE_LINE, NODE_LINE},    {KNOB_NODE_IF, NODE_IF},           {KNOB_NODE_LOOP, NODE_LOOP},
               {KNOB_NODE_CALL, NODE_CALL},    {KNOB_NODE_JUMP, NODE_JUMP},       {KNOB_NODE_LOCK, NODE_LOCK},
               {KNOB_NODE_SAVE, NODE_SAVE},    {KNOB_NODE_SHARE, NODE_SHARE},     {KNOB_NODE_SYNC, NODE_SYNC},
               {KNOB_NODE_LEAVE, NODE_LEAVE},  {KNOB_NODE_BARRIER, NODE_BARRIER}, {KNOB_NODE_CONTROL, NODE_CONTROL},
               {KNOB_NODE_MATRIX, NODE_MATRIX}};
enum { TALL_PERCENT = 4 };
enum { CHOICES = sizeof choices / sizeof *choices, STREAMS_MOST = 16 };

static bool choice_fits(const struct random_program *p, enum node_kind kind, unsigned depth, bool in_function) {
  switch (kind) {
  case NODE_LINE:
    return true;
  case NODE_LEAVE:
    return p->leaves;
  case NODE_MATRIX:
    return depth == 0 && random_whole_warps(p) && !p->leaves;
  case NODE_BARRIER:
  case NODE_CONTROL:
    return depth == 0;
  default:
    return depth < random_levels(in_function) && node_fits(p, kind, depth, in_function);
  }
}

static uint32_t make_chosen(struct random_program *p, enum node_kind kind, unsigned depth, bool in_function) {
  switch (kind) {
  case NODE_LINE:
    return make_line(p, depth, in_function);
  case NODE_LEAVE:
    return make_leave(p);
  case NODE_MATRIX:
    return make_matrix(p);
  case NODE_BARRIER:
    return new_node(p, NODE_BARRIER);
  case NODE_CONTROL:
    return make_control(p);
  default:
    return make_block(p, kind, depth, in_function);
  }
}

static uint32_t make_stream(struct random_program *p, const struct stream *s) {
  uint32_t n = new_node(p, NODE_STREAM);
  if (n == NO_NODE) return n;
  p->node[n].stream = s;
  p->node[n].seed = splitmix64(&p->rng);
  return n;
}

static uint32_t make_any(struct random_program *p, unsigned depth, bool in_function) {
  enum knob weight[CHOICES + STREAMS_MOST];
  unsigned index[CHOICES + STREAMS_MOST], n = 0;
  for (unsigned i = 0; i < CHOICES; i++)
    if (choice_fits(p, choices[i].kind, depth, in_function)) index[n] = i, weight[n++] = choices[i].weight;
  for (unsigned i = 0; i < random_streams_count && depth == 0; i++)
    if (random_stream_fits(p, &random_streams[i])) index[n] = CHOICES + i, weight[n++] = random_streams[i].weight;
  const unsigned what = index[random_pick(p, weight, n)];
  if (what >= CHOICES) return make_stream(p, &random_streams[what - CHOICES]);
  return make_chosen(p, choices[what].kind, depth, in_function);
}

static void append_node(struct random_program *p, uint32_t list, uint32_t *last, uint32_t n) {
  if (*last == NO_NODE)
    p->node[list].child = n;
  else
    p->node[*last].next = n;
  *last = n;
}

static uint32_t make_list(struct random_program *p, unsigned length, unsigned depth, bool in_function) {
  uint32_t list = new_node(p, NODE_LIST);
  if (list == NO_NODE) return list;
  uint32_t last = NO_NODE;
  for (unsigned i = 0; i < length; i++) {
    uint32_t n = make_any(p, depth, in_function);
    if (n == NO_NODE) break;
    append_node(p, list, &last, n);
  }
  return list;
}

static unsigned list_executed(const struct random_program *p, uint32_t list);

static unsigned lines(const char *text) {
  unsigned n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

/* About how many instructions a warp executes: both arms, two trips. */
static unsigned node_executed(const struct random_program *p, const struct node *n) {
  const unsigned children = list_executed(p, n->child) + list_executed(p, n->child2);
  switch (n->kind) {
  case NODE_LINE:
  case NODE_CONTROL:
    return lines(n->text);
  case NODE_STREAM:
    return n->stream->executed;
  case NODE_LOOP:
    return 6 + 2 * (children + 4);
  case NODE_CALL:
    return 9 + list_executed(p, p->function[n->style >> 2 & 1]);
  case NODE_LOCK:
    return 40;
  case NODE_BARRIER:
    return 1;
  default:
    return 6 + children;
  }
}

static unsigned list_executed(const struct random_program *p, uint32_t list) {
  unsigned n = 0;
  if (list == NO_NODE) return 0;
  for (uint32_t i = p->node[list].child; i != NO_NODE; i = p->node[i].next) n += node_executed(p, &p->node[i]);
  return n;
}

/* A program that is meant to trap does so somewhere. */
static void make_body(struct random_program *p) {
  const unsigned wanted = p->brief ? 1 + random_below(p, 24) : random_between(p, KNOB_BODY_INSTRUCTIONS);
  unsigned trap_at = p->launch.trap != 0 ? random_below(p, wanted) : UINT32_MAX;
  uint32_t last = NO_NODE;
  p->body = new_node(p, NODE_LIST);
  for (unsigned made = 0; made < wanted || trap_at < wanted;) {
    const bool traps = made >= trap_at;
    const uint32_t n = traps ? make_stream(p, &random_trap) : make_any(p, 0, false);
    if (traps) trap_at = UINT32_MAX;
    if (n == NO_NODE) break;
    append_node(p, p->body, &last, n);
    made += node_executed(p, &p->node[n]);
  }
}

/* Apart from all else, so that a program for which it is not drawn is the same with and without it. */
static uint64_t draw_apart(uint64_t seed, uint64_t index, unsigned what) {
  return splitmix64_mix(splitmix64_mix(seed + what) ^ splitmix64_mix(~index));
}

static void make_apart(struct random_program *p, uint64_t seed, uint64_t index) {
  const uint64_t host = draw_apart(seed, index, 3);
  if (host % 100 < p->knobs.value[KNOB_PROGRAM_HOST].high) p->launch.host = host | 1;
  if (p->launch.host != 0) p->launch.others = (unsigned)(host / 100 % 3);
  p->fills = draw_apart(seed, index, 4) % 100 < p->knobs.value[KNOB_GRID_FILLS].high;
  p->tall = draw_apart(seed, index, 5) % 100 < TALL_PERCENT;
  const uint64_t exact = draw_apart(seed, index, 6), local = draw_apart(seed, index, 7);
  p->exact = exact % 100 < p->knobs.value[KNOB_OCCUPANCY_EXACT].high;
  p->fills = p->fills || (p->exact && exact / 100 % 2 != 0);
  p->last = (uint8_t)draw_apart(seed, index, 8);
  p->launch.apart = draw_apart(seed, index, 9) % 100 >= p->knobs.value[KNOB_LAUNCHES_QUEUE].high;
  if (local % 100 < p->knobs.value[KNOB_MEMORY_LOCAL].high) p->local_more = random_local_more(&p->limits, local / 100);
}

struct random_program *random_program_new(uint64_t seed, uint64_t index, const struct random_limits *limits) {
  struct random_program *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->limits = *limits;
  p->limits.knobs = NULL;
  if (limits->knobs)
    p->knobs = *limits->knobs;
  else
    random_knobs_default(&p->knobs);
  /* Seed and index each through the generator: a state that is a sum of theirs would lie a few steps from a
   * neighbour's. */
  make_apart(p, seed, index);
  uint64_t from_index = ~index;
  p->rng = splitmix64(&seed);
  p->rng ^= splitmix64(&from_index);
  p->brief = random_knob_chance(p, KNOB_PROGRAM_BRIEF);
  if (p->brief) p->fills = false;
  p->node = calloc(NODES_MAX, sizeof *p->node);
  if (!p->node || !random_make_launch(p)) {
    random_program_free(p);
    return NULL;
  }
  for (unsigned i = 0; i < 64; i++) p->constant[i] = (uint32_t)splitmix64(&p->rng);
  p->leaves = random_knob_chance(p, KNOB_PROGRAM_LEAVES);
  p->machine = random_knob_chance(p, KNOB_PROGRAM_MACHINE);
  p->races = random_has_async(p) && random_knob_chance(p, KNOB_PROGRAM_RACES);
  p->launch.order_dependent = p->machine || p->races;
  if (random_knob_chance(p, KNOB_PROGRAM_TRAPS) && !random_make_trap(p)) {
    random_program_free(p);
    return NULL;
  }
  for (unsigned f = 0; f < 2; f++) p->function[f] = make_list(p, 2 + random_below(p, 6), 1, true);
  make_body(p);
  return p;
}

void random_program_free(struct random_program *p) {
  if (!p) return;
  for (unsigned i = 0; i < 4; i++) free(p->bank[i]);
  free(p->input);
  free(p->node);
  free(p->text);
  free(p);
}

void random_program_set_host(struct random_program *p, uint64_t host, unsigned others) {
  p->launch.host = host;
  p->launch.others = others;
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
