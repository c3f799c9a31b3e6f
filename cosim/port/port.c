/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory system behind the request channel: its state, and what happens in a cycle. See line_port.h for the
 * contract.
 */
#include <stdlib.h>
#include <string.h>
#include "base/options.h"
#include "cosim/port/internal.h"

static void line_port_remove(struct list *l, unsigned i);

/* What memory drives in a cycle: a credit, a beat, an answer, of one SM. */

static bool held(struct heddle_line_port *p, uint16_t per_mille) {
  return per_mille != 0 && line_port_draw(p, 1000) < per_mille;
}

/* The n-th bit that is set. */
static unsigned nth_bit(uint32_t mask, unsigned n) {
  for (; n != 0; n--) mask &= mask - 1;
  return (unsigned)__builtin_ctz(mask);
}

/* Both kinds in turns, while there are both. */
static void give_credit(struct heddle_line_port *p, struct channel *c) {
  const bool some = c->room != 0, some_atom = c->room_atoms != 0, last = c->out.credit_valid && c->out.credit_atom;
  c->out.credit_valid = (some || some_atom) && !held(p, p->o.hold_credit);
  if (!c->out.credit_valid) return;
  c->out.credit_atom = some_atom && (!some || !last);
  if (c->out.credit_atom) {
    c->room_atoms--;
    c->atoms++;
  } else {
    c->room--;
    c->credits++;
  }
}

static bool has_beat(const struct heddle_line_port *p, const struct entry *e) {
  (void)p;
  return e->beats_left != 0;
}

/* An end comes in a later cycle than the last beat, an answer in a later one than the records. */
static bool has_answer(const struct heddle_line_port *p, const struct entry *e) {
  return e->performed < p->cycle && e->beats_left == 0 && (!reads(e) || e->last_beat < p->cycle);
}

/* One of those that have something: the first, or any. False: none has. */
static bool choose_entry(struct heddle_line_port *p, const struct list *l,
                         bool (*has)(const struct heddle_line_port *p, const struct entry *e), unsigned *out) {
  unsigned found = 0;
  for (unsigned i = 0; i < l->count; i++) {
    if (!has(p, l->item[i])) continue;
    found++;
    if (found == 1 || line_port_draw(p, found) == 0) *out = i;
    if (!p->o.interleave) return true;
  }
  return found != 0;
}

static void junk_bytes(struct heddle_line_port *p, uint8_t *data, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) data[i] = (uint8_t)line_port_draw(p, 256);
}

static void send_beat(struct heddle_line_port *p, struct channel *c) {
  unsigned i = 0;
  c->out.read_valid = c->answers.count != 0 && !held(p, p->o.hold_read) && choose_entry(p, &c->answers, has_beat, &i);
  if (!c->out.read_valid) return;
  struct entry *e = c->answers.item[i];
  const unsigned n = (unsigned)__builtin_popcount(e->beats_left);
  const unsigned k = nth_bit(e->beats_left, p->o.interleave ? line_port_draw(p, n) : 0);
  e->beats_left &= ~(1u << k);
  e->last_beat = p->cycle;
  c->out.read.tag = e->r.tag;
  c->out.read.beat = (uint8_t)k;
  memcpy(c->out.read.data, e->data + k * p->bytes, p->bytes);
  for (unsigned s = 0; s < HEDDLE_LINE_PORT_SECTORS && p->o.junk; s++) {
    const bool asked = (e->r.sectors >> s & 1) != 0 && !e->err;
    const unsigned size = p->bytes < HEDDLE_LINE_PORT_SECTOR ? p->bytes : HEDDLE_LINE_PORT_SECTOR;
    if (asked || (beat_sectors(p, k) >> s & 1u) == 0) continue;
    junk_bytes(p, c->out.read.data + (s * HEDDLE_LINE_PORT_SECTOR) % p->bytes, size);
  }
  p->stats.read_beats++;
}

static void send_answer(struct heddle_line_port *p, struct channel *c) {
  unsigned i = 0;
  if (c->out.answer_valid) return; /* stands until it is taken */
  c->out.answer_valid =
      c->answers.count != 0 && !held(p, p->o.hold_answer) && choose_entry(p, &c->answers, has_answer, &i);
  if (!c->out.answer_valid) return;
  struct entry *e = c->answers.item[i];
  p->stats.answers++;
  c->out.answer = (struct heddle_line_port_answer){.tag = e->r.tag};
  if (e->lanes_left != 0) {
    const unsigned l = nth_bit(e->lanes_left, 0);
    e->lanes_left &= e->lanes_left - 1;
    c->out.answer.lane = (uint8_t)l;
    c->out.answer.old = e->old[l];
    return;
  }
  c->out.answer.done = true;
  c->out.answer.err = e->err;
  line_port_remove(&c->answers, i);
}

void heddle_line_port_answer(struct heddle_line_port *p, struct channel *c) {
  give_credit(p, c);
  send_beat(p, c);
  send_answer(p, c);
}

/* The memory system behind the request channel: its state, and what happens in a cycle. See line_port.h for the
 * contract. */

void heddle_line_port_calm(struct heddle_line_port_options *o, unsigned bits, uint32_t latency) {
  const struct heddle_line_port_options own = {.bits = bits, .sms = 1, .latency = latency, .latency_max = latency};
  options_give(o, sizeof own, &own);
}

void heddle_line_port_adversarial(struct heddle_line_port_options *o, unsigned bits, uint64_t seed) {
  const struct heddle_line_port_options own = {.bits = bits,
                                               .sms = 1,
                                               .latency = 1,
                                               .latency_max = 60,
                                               .seed = seed,
                                               .reorder = true,
                                               .interleave = true,
                                               .junk = true,
                                               .hold_credit = 300,
                                               .hold_read = 200,
                                               .hold_answer = 250};
  options_give(o, sizeof own, &own);
}

static bool time_ok(const struct heddle_line_port_options *o) {
  return o->latency >= 1 && o->latency <= o->latency_max && o->hold_credit < 1000 && o->hold_read < 1000 &&
         o->hold_answer < 1000;
}

static bool options_ok(const struct heddle_line_port_options *o) {
  const unsigned b = o->bits;
  const bool width = b >= 32 && b <= 8 * HEDDLE_LINE_PORT_MAX_BYTES && (b & (b - 1)) == 0;
  const bool room = o->tags >= 1 && o->tags <= HEDDLE_LINE_PORT_MAX_TAGS && o->credits <= o->tags && o->atoms >= 1 &&
                    o->atoms <= (o->credits != 0 ? o->credits : o->tags);
  const bool place = o->bytes != 0 && o->base % HEDDLE_LINE_PORT_LINE == 0 && o->bytes % HEDDLE_LINE_PORT_LINE == 0 &&
                     o->bytes <= UINT64_C(1) << 40 && o->base <= (UINT64_C(1) << 40) - o->bytes;
  return width && room && place && time_ok(o) && o->sms >= 1 && o->sms <= HEDDLE_LINE_PORT_MAX_SMS &&
         (o->memory.read == NULL) == (o->memory.write == NULL);
}

static bool allocate_port(struct heddle_line_port *p) {
  const size_t entries = (size_t)p->o.sms * p->o.tags;
  p->own = p->o.memory.read == NULL && p->o.contents == NULL;
  p->contents = p->own ? calloc(1, p->o.bytes) : p->o.memory.read != NULL ? NULL : p->o.contents;
  p->sm = calloc(p->o.sms, sizeof *p->sm);
  p->entries = calloc(entries, sizeof *p->entries);
  p->items = calloc(2 * entries, sizeof(struct entry *));
  p->record = calloc((size_t)p->o.sms * HEDDLE_LINE_PORT_SECTORS, sizeof *p->record);
  return (p->contents != NULL || p->o.memory.read != NULL) && p->sm != NULL && p->entries != NULL && p->items != NULL &&
         p->record != NULL;
}

static void link_channels(struct heddle_line_port *p) {
  p->waits.item = p->items;
  for (unsigned n = 0; n < p->o.sms; n++) {
    p->sm[n].entry = p->entries + (size_t)n * p->o.tags;
    p->sm[n].answers.item = p->items + (size_t)(p->o.sms + n) * p->o.tags;
  }
}

struct heddle_line_port *heddle_line_port_new(const struct heddle_line_port_options *given) {
  struct heddle_line_port_options own;
  const struct heddle_line_port_options *o = &own;
  if (!options_take(&own, sizeof own, given) || !options_ok(o)) return NULL;
  struct heddle_line_port *p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;
  p->o = *o;
  if (p->o.credits == 0) p->o.credits = o->tags;
  p->bytes = o->bits / 8;
  p->beats = HEDDLE_LINE_PORT_LINE / p->bytes;
  p->rng = o->seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull;
  if (!allocate_port(p)) {
    heddle_line_port_free(p);
    return NULL;
  }
  link_channels(p);
  heddle_line_port_reset(p);
  return p;
}

void heddle_line_port_free(struct heddle_line_port *p) {
  if (p == NULL) return;
  if (p->own) free(p->contents);
  free(p->sm);
  free(p->entries);
  free(p->items);
  free(p->record);
  free(p);
}

void heddle_line_port_reset(struct heddle_line_port *p) {
  p->waits.count = 0;
  p->records = 0;
  for (unsigned n = 0; n < p->o.sms; n++) {
    struct channel *c = &p->sm[n];
    for (unsigned t = 0; t < p->o.tags; t++) c->entry[t].used = false;
    memset(&c->out, 0, sizeof c->out);
    memset(&c->in, 0, sizeof c->in);
    memset(&c->gathered, 0, sizeof c->gathered);
    c->answers.count = 0;
    c->credits = c->atoms = 0;
    c->room = p->o.credits;
    c->room_atoms = p->o.atoms;
  }
}

bool heddle_line_port_retime(struct heddle_line_port *p, const struct heddle_line_port_options *given) {
  struct heddle_line_port_options own;
  const struct heddle_line_port_options *o = &own;
  if (!options_take(&own, sizeof own, given) || !time_ok(o)) return false;
  p->o.latency = o->latency;
  p->o.latency_max = o->latency_max;
  p->o.reorder = o->reorder;
  p->o.interleave = o->interleave;
  p->o.junk = o->junk;
  p->o.hold_credit = o->hold_credit;
  p->o.hold_read = o->hold_read;
  p->o.hold_answer = o->hold_answer;
  memcpy(p->o.error, o->error, sizeof p->o.error);
  return true;
}

const struct heddle_line_port_out *heddle_line_port_show(const struct heddle_line_port *p, unsigned sm) {
  return &p->sm[sm].out;
}
unsigned heddle_line_port_records(const struct heddle_line_port *p, const struct heddle_line_port_record **first) {
  *first = p->record;
  return p->records;
}
uint64_t heddle_line_port_cycle(const struct heddle_line_port *p) {
  return p->cycle;
}
uint8_t *heddle_line_port_contents(struct heddle_line_port *p) {
  return p->contents;
}
const char *heddle_line_port_error(const struct heddle_line_port *p) {
  return p->stats.broken != 0 ? p->error : NULL;
}
const struct heddle_line_port_stats *heddle_line_port_statistics(const struct heddle_line_port *p) {
  return &p->stats;
}

bool heddle_line_port_idle(const struct heddle_line_port *p) {
  bool idle = p->waits.count == 0;
  for (unsigned n = 0; n < p->o.sms; n++) {
    const struct channel *c = &p->sm[n];
    idle = idle && c->answers.count == 0 && !c->out.answer_valid && c->gathered.beats == 0;
  }
  return idle;
}

uint32_t line_port_draw(struct heddle_line_port *p, uint32_t below) {
  p->rng ^= p->rng << 13;
  p->rng ^= p->rng >> 7;
  p->rng ^= p->rng << 17;
  return (uint32_t)((p->rng >> 32) * below >> 32);
}

static void line_port_remove(struct list *l, unsigned i) {
  memmove(&l->item[i], &l->item[i + 1], (--l->count - i) * sizeof(struct entry *));
}

void heddle_line_port_offer(struct heddle_line_port *p, unsigned sm, const struct heddle_line_port_in *in) {
  p->sm[sm].in = *in;
}

/* ---- what an SM has driven ---------------------------------------------------------------------- */

/* The end of a request: its tag and its room are free. */
static void take_answer(struct channel *c) {
  if (!c->out.answer_valid || !c->in.answer_ready) return;
  c->out.answer_valid = false;
  if (!c->out.answer.done) return;
  struct entry *e = &c->entry[c->out.answer.tag];
  e->used = false;
  c->room++;
  if (e->r.kind == HEDDLE_LINE_PORT_ATOM) c->room_atoms++;
}

static void take_operand(struct gathered *g, const struct heddle_line_port_write *w, unsigned bytes) {
  const unsigned size = bytes < 16 ? bytes : 16;
  g->lanes |= 1u << w->lane;
  g->pieces[w->lane] |= (uint8_t)(1u << w->piece);
  g->place[w->lane] = w->place;
  memcpy(g->operand[w->lane] + w->piece * size, w->data, size);
}

void line_port_gather(struct gathered *g, const struct heddle_line_port_write *w, unsigned bytes) {
  if (g->beats++ == 0) g->atom = w->atom;
  if (w->atom) {
    take_operand(g, w, bytes);
    return;
  }
  for (unsigned i = 0; i < bytes; i++) {
    const unsigned at = w->beat * bytes + i;
    if ((w->strb[i / 64] >> i % 64 & 1u) == 0) continue;
    g->data[at] = w->data[i];
    g->strb[at / 64] |= UINT64_C(1) << at % 64;
  }
}

static void take_write(struct heddle_line_port *p, unsigned n) {
  struct gathered *g = &p->sm[n].gathered;
  const struct heddle_line_port_write *w = &p->sm[n].in.write;
  p->stats.write_beats++;
  if (!line_port_check_write(p, n, w)) {
    g->broken = true;
    return;
  }
  line_port_gather(g, w, p->bytes);
}

static uint32_t time_of(struct heddle_line_port *p, const struct heddle_line_port_request *r) {
  if (p->o.memory.time != NULL) {
    const uint32_t t = p->o.memory.time(p->o.memory.context, r, p->cycle);
    return t != 0 ? t : 1;
  }
  const uint32_t span = p->o.latency_max - p->o.latency;
  return p->o.latency + (span != 0 ? line_port_draw(p, span + 1) : 0);
}

static void take_request(struct heddle_line_port *p, unsigned n) {
  struct channel *c = &p->sm[n];
  const struct heddle_line_port_request *r = &c->in.request;
  if (!c->gathered.broken && line_port_check_request(p, n, r)) {
    struct entry *e = &c->entry[r->tag];
    e->used = true;
    e->r = *r;
    e->w = c->gathered;
    e->came = p->cycle;
    e->due = p->cycle + time_of(p, r);
    c->credits--;
    if (r->kind == HEDDLE_LINE_PORT_ATOM) c->atoms--;
    p->stats.requests[r->kind]++;
    p->waits.item[p->waits.count++] = e;
  }
  memset(&c->gathered, 0, sizeof c->gathered);
}

/* ---- requests are performed --------------------------------------------------------------------- */

/* Requests of one line keep their order; loads of different warps need not, and nothing of two SMs that only reads. */
static bool ordered(const struct entry *a, const struct entry *b) {
  if (a->r.line != b->r.line) return false;
  if (!reads(a) || !reads(b)) return true;
  if (a->r.kind == HEDDLE_LINE_PORT_FETCH || b->r.kind == HEDDLE_LINE_PORT_FETCH || a->r.sm != b->r.sm) return false;
  return a->r.kind == HEDDLE_LINE_PORT_FILL || b->r.kind == HEDDLE_LINE_PORT_FILL || a->r.slot == b->r.slot;
}

static bool blocked(const struct heddle_line_port *p, unsigned i) {
  if (!p->o.reorder) return i != 0;
  for (unsigned k = 0; k < i; k++)
    if (ordered(p->waits.item[k], p->waits.item[i])) return true;
  return false;
}

static void perform_due(struct heddle_line_port *p) {
  unsigned left = p->o.sms;
  p->records = 0;
  for (unsigned i = 0; i < p->waits.count && left != 0;) {
    struct entry *e = p->waits.item[i];
    const bool go = e->due <= p->cycle && !blocked(p, i);
    if (!go && !p->o.reorder) return;
    if (!go) {
      i++;
      continue;
    }
    line_port_perform(p, e);
    line_port_remove(&p->waits, i);
    if (i != 0) p->stats.passed++;
    struct list *l = &p->sm[e->r.sm].answers;
    l->item[l->count++] = e;
    left--;
  }
}

void heddle_line_port_clock(struct heddle_line_port *p) {
  for (unsigned n = 0; n < p->o.sms; n++) {
    struct channel *c = &p->sm[n];
    take_answer(c);
    if (c->in.write_valid) take_write(p, n);
    if (c->in.request_valid) take_request(p, n);
    c->in.write_valid = c->in.request_valid = c->in.answer_ready = false;
  }
  p->cycle++;
  perform_due(p);
  for (unsigned n = 0; n < p->o.sms; n++) heddle_line_port_answer(p, &p->sm[n]);
}
