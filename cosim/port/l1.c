/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache: its beginning and end, a cycle, and the order of what it shows. See l1_port.h for the contract.
 */
#include <stdlib.h>
#include <string.h>

#include "cosim/port/l1_internal.h"

void heddle_l1_usual(struct l1_options *o, unsigned bits, unsigned tags, unsigned atoms) {
  *o = (struct l1_options){
      .bits = bits, .tags = tags, .atoms = atoms, .bytes = 16384, .ways = 4, .mshrs = 8, .epoch_bits = 4};
}

static bool is_power_of_two(uint64_t v) {
  return v != 0 && (v & (v - 1)) == 0;
}

static bool options_ok(const struct l1_options *o) {
  const bool channel = is_power_of_two(o->bits) && o->bits >= 32 && o->bits <= 8 * HEDDLE_LINE_PORT_MAX_BYTES &&
                       o->tags >= 1 && o->atoms >= 1 && o->atoms <= o->tags && o->sm < HEDDLE_LINE_PORT_MAX_SMS;
  const bool array = is_power_of_two(o->ways) && o->ways <= 64 && is_power_of_two(o->bytes) &&
                     o->bytes >= HEDDLE_LINE_PORT_LINE * o->ways && o->bytes <= 1u << 20;
  return channel && array && o->mshrs >= 1 && o->mshrs <= L1_MAX_MSHRS &&
         heddle_l1_tags(o) <= HEDDLE_LINE_PORT_MAX_TAGS && o->epoch_bits >= 1 && o->epoch_bits <= 16 && o->bug < BUGS;
}

unsigned heddle_l1_tags(const struct l1_options *o) {
  return o->tags + o->mshrs;
}

static bool allocate_cache(struct l1 *c) {
  const unsigned tags = c->o.tags;
  c->access = calloc(tags, sizeof *c->access);
  c->queue.item = calloc(2 * (size_t)tags, sizeof *c->queue.item);
  c->leaving = calloc(heddle_l1_tags(&c->o) + 1, sizeof *c->leaving);
  c->ways = calloc((size_t)c->sets * c->o.ways, sizeof *c->ways);
  c->fence = calloc(L1_FENCES, sizeof *c->fence);
  return c->access != NULL && c->queue.item != NULL && c->leaving != NULL && c->ways != NULL && c->fence != NULL;
}

struct l1 *heddle_l1_new(const struct l1_options *o) {
  if (!options_ok(o)) return NULL;
  struct l1 *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->o = *o;
  c->bytes = o->bits / 8;
  c->beats = HEDDLE_LINE_PORT_LINE / c->bytes;
  c->sets = o->bytes / HEDDLE_LINE_PORT_LINE / o->ways;
  if (!allocate_cache(c)) {
    heddle_l1_free(c);
    return NULL;
  }
  c->answers.item = c->queue.item + o->tags;
  heddle_l1_reset(c);
  return c;
}

void heddle_l1_free(struct l1 *c) {
  if (c == NULL) return;
  free(c->access);
  free(c->queue.item);
  free(c->leaving);
  free(c->ways);
  free(c->fence);
  free(c);
}

void heddle_l1_reset(struct l1 *c) {
  if (!c->fresh && !bug(c, BUG_LAUNCH_KEEPS)) l1_empty(c);
  for (unsigned t = 0; t < c->o.tags; t++) c->access[t].where = FREE;
  memset(&c->in, 0, sizeof c->in);
  memset(&c->out, 0, sizeof c->out);
  memset(&c->heard, 0, sizeof c->heard);
  memset(&c->ask, 0, sizeof c->ask);
  memset(&c->gathered, 0, sizeof c->gathered);
  memset(c->fill, 0, sizeof c->fill);
  c->queue.count = c->answers.count = c->leaves = c->fences = c->busy = c->events = 0;
  c->leaves_now = false;
  c->credits = c->atoms = 0;
  c->room = c->o.tags;
  c->room_atoms = c->o.atoms;
  c->number = 0;
  c->ended = -1;
  c->fresh = true;
}

const struct heddle_line_port_out *heddle_l1_show(const struct l1 *c) {
  return &c->out;
}
const struct heddle_line_port_in *heddle_l1_ask(const struct l1 *c) {
  return &c->ask;
}
void heddle_l1_offer(struct l1 *c, const struct heddle_line_port_in *in) {
  c->in = *in;
}
void heddle_l1_hear(struct l1 *c, const struct heddle_line_port_out *out) {
  c->heard = *out;
}
unsigned heddle_l1_events(const struct l1 *c, const struct l1_event **first) {
  *first = c->event;
  return c->events;
}
const char *heddle_l1_error(const struct l1 *c) {
  return c->error[0] != 0 ? c->error : NULL;
}
const struct l1_stats *heddle_l1_statistics(const struct l1 *c) {
  return &c->stats;
}
bool heddle_l1_idle(const struct l1 *c) {
  return c->busy == 0 && c->fences == 0;
}

/* After the others of its kind and of those that go before it. */
struct l1_event *l1_event(struct l1 *c, enum l1_event_kind kind, const struct access *who) {
  unsigned at = c->events < L1_EVENTS ? c->events : L1_EVENTS - 1;
  while (at != 0 && c->event[at - 1].kind > (uint8_t)kind) at--;
  if (c->events == L1_EVENTS) c->events--; /* there are never so many */
  memmove(&c->event[at + 1], &c->event[at], (c->events - at) * sizeof *c->event);
  c->events++;
  struct l1_event *e = &c->event[at];
  *e = (struct l1_event){.kind = (uint8_t)kind};
  if (who == NULL) return e;
  e->slot = who->r.slot;
  e->gen = who->r.gen;
  e->seq = who->r.seq;
  e->line = who->name.key;
  e->is_local = who->name.is_local;
  return e;
}

/* A launch that asks for nothing, or that is refused, shows nothing. */
static void show_launch(struct l1 *c) {
  const bool asks = c->in.request_valid && c->in.request.kind != HEDDLE_LINE_PORT_FETCH;
  if (!c->fresh || (!asks && c->fences == 0)) return;
  c->fresh = false;
  struct l1_event *e = l1_event(c, L1_DROP, NULL);
  e->all = true;
  e->cause = L1_LAUNCH;
}

/* Nothing comes, nothing is under way, no credit is left to give. */
static bool rests(const struct l1 *c) {
  return c->busy == 0 && c->fences == 0 && c->ended < 0 && c->room == 0 && c->room_atoms == 0 && !c->out.credit_valid &&
         !c->in.write_valid && !c->in.request_valid && !c->heard.credit_valid;
}

/* The order is that of what a cycle shows: what memory has done, then what empties, then what passes. */
void heddle_l1_clock(struct l1 *c) {
  c->cycle++;
  c->events = 0;
  if (rests(c)) return;
  show_launch(c);
  l1_take(c);
  l1_listen(c);
  l1_serve(c);
  l1_fences(c);
  l1_pass(c);
  l1_send(c);
  l1_answer(c);
  memset(&c->heard, 0, sizeof c->heard);
  c->in.write_valid = c->in.request_valid = c->in.answer_ready = false;
  if (heddle_l1_idle(c))
    c->moved = c->cycle;
  else if (c->cycle - c->moved > L1_STILL)
    l1_still(c);
}
