/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache: its words, the side of the SM, a cycle, and the order of what it shows. See l1_port.h for the contract.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cosim/port/l1_internal.h"

/* The cache in words: its bugs, its options, who waits for what when nothing moves. */

static const struct {
  const char *name, *meaning, *breaks;
} bugs[BUGS] = {
#define X(id, name, meaning, breaks) [BUG_##id] = {name, meaning, breaks},
    L1_BUGS(X)
#undef X
};

const char *heddle_l1_bug_name(unsigned n) {
  return n < BUGS ? bugs[n].name : NULL;
}
const char *heddle_l1_bug_meaning(unsigned n) {
  return n < BUGS ? bugs[n].meaning : NULL;
}

unsigned heddle_l1_bug_find(const char *name) {
  for (unsigned i = 1; i < BUGS; i++)
    if (strcmp(bugs[i].name, name) == 0) return i;
  return 0;
}

/* ---- options ------------------------------------------------------------------------------------ */

static bool option_number(const char *text, unsigned *v) {
  char *end;
  const unsigned long n = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != 0 || n > UINT32_MAX) return false;
  *v = (unsigned)n;
  return true;
}

static bool take_l1_option(struct l1_options *o, const char *word, char *err, size_t err_bytes) {
  const struct {
    const char *name;
    unsigned *to;
  } known[] = {{"ways=", &o->ways}, {"mshrs=", &o->mshrs}, {"epoch=", &o->epoch_bits}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strncmp(word, known[i].name, strlen(known[i].name)) == 0 &&
        option_number(word + strlen(known[i].name), known[i].to))
      return true;
  if (strncmp(word, "bug=", 4) == 0) {
    o->bug = heddle_l1_bug_find(word + 4);
    if (o->bug != 0) return true;
    snprintf(err, err_bytes, "there is no bug '%s' of the L1", word + 4);
    return false;
  }
  snprintf(err, err_bytes, "'%s' is none of ways=N, mshrs=N, epoch=N, bug=NAME", word);
  return false;
}

/* Words between commas, one after the other; what is after the last one is NULL. */
static char *next_word(char **rest) {
  char *word = *rest;
  if (word == NULL) return NULL;
  const size_t n = strcspn(word, ",");
  *rest = word[n] == 0 ? NULL : word + n + 1;
  word[n] = 0;
  return word;
}

bool heddle_l1_parse(struct l1_options *o, const char *text, char *err, size_t err_bytes) {
  char copy[200], *rest = copy;
  if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy) {
    snprintf(err, err_bytes, "too long");
    return false;
  }
  const char *word = next_word(&rest);
  unsigned bytes = 0;
  if (!option_number(word, &bytes)) {
    snprintf(err, err_bytes, "'%s' is no number of bytes", word);
    return false;
  }
  o->bytes = bytes;
  while ((word = next_word(&rest)) != NULL)
    if (!take_l1_option(o, word, err, err_bytes)) return false;
  struct l1 *c = heddle_l1_new(o);
  if (c == NULL)
    snprintf(err, err_bytes,
             "an L1 has 2^n bytes from 128 * ways to 1 MiB, 1 to 64 ways (2^n), 1 to %u mshrs, epochs of 1 to 16 bits",
             L1_MAX_MSHRS);
  heddle_l1_free(c);
  return c != NULL;
}

/* ---- who waits ---------------------------------------------------------------------------------- */

static void append_error(struct l1 *c, const char *text) {
  const size_t n = strlen(c->error);
  snprintf(c->error + n, sizeof c->error - n, "%s", text);
}

static void add_access(struct l1 *c, const struct access *e) {
  static const char *const what[] = {"", "for its pass", "for fills", "for memory", "for the SM"};
  char text[120];
  snprintf(text, sizeof text, "; tag %u (slot %u seq %u line 0x%llx) %s", e->r.tag, e->r.slot, e->r.seq,
           (unsigned long long)e->name.key, what[e->where]);
  append_error(c, text);
}

/* l1.c */
/* says who waits for what */
static void l1_still(struct l1 *c) {
  if (c->error[0] != 0) return;
  snprintf(c->error, sizeof c->error,
           "cycle %llu: L1 of SM %u: nothing has moved for %u cycles; %u fences wait, %u are to leave with credits %u "
           "+ %u; these wait:",
           (unsigned long long)c->cycle, c->o.sm, L1_STILL, c->fences, c->leaves, c->credits, c->atoms);
  for (unsigned t = 0; t < c->o.tags; t++)
    if (c->access[t].where != FREE) add_access(c, &c->access[t]);
}

/* What the SM drives: beats, requests, and that it takes an answer. */

static bool broken(struct l1 *c, unsigned tag, const char *what) {
  if (c->error[0] == 0)
    snprintf(c->error, sizeof c->error, "cycle %llu: SM %u: tag %u: %s", (unsigned long long)c->cycle, c->o.sm, tag,
             what);
  return false;
}

/* The rest of the channel's rules is the memory's to check, of requests that come to it. */
static bool check_request(struct l1 *c, const struct heddle_line_port_request *r) {
  unsigned stored = 0;
  for (unsigned s = 0; s < SECTORS; s++)
    if (sector_strobes(c->gathered.strb, s) != 0) stored |= 1u << s;
  if (r->tag >= c->o.tags) return broken(c, r->tag, "there is no such tag");
  if (c->access[r->tag].where != FREE) return broken(c, r->tag, "its request has not ended");
  if (r->kind > HEDDLE_LINE_PORT_FETCH || r->sectors == 0 || r->sectors > 15)
    return broken(c, r->tag, "a kind or sectors that there are none of");
  if (r->kind == HEDDLE_LINE_PORT_STORE && (c->gathered.atom || stored != r->sectors))
    return broken(c, r->tag, "a store to other sectors than its beats");
  if (r->slot >= L1_MAX_SLOTS) return broken(c, r->tag, "there is no such warp slot");
  return true;
}

static void take_answer(struct l1 *c) {
  if (!c->out.answer_valid || !c->in.answer_ready) return;
  c->out.answer_valid = false;
  c->moved = c->cycle;
  if (!c->out.answer.done) return;
  struct access *e = &c->access[c->out.answer.tag];
  e->where = FREE;
  c->busy--;
  c->room++;
  if (e->r.kind == HEDDLE_LINE_PORT_ATOM) c->room_atoms++;
}

static void widen_strobes(struct heddle_line_port_write *w) {
  for (unsigned i = 0; i < HEDDLE_LINE_PORT_MAX_BYTES; i += 4)
    if ((w->strb[i / 64] >> i % 64 & 15u) != 0) w->strb[i / 64] |= UINT64_C(15) << i % 64;
}

static void first_wins(const struct l1 *c, struct heddle_line_port_write *w) {
  for (unsigned i = 0; i < c->bytes; i++) {
    const unsigned at = w->beat * c->bytes + i;
    if ((c->gathered.strb[at / 64] >> at % 64 & 1u) != 0) w->strb[i / 64] &= ~(UINT64_C(1) << i % 64);
  }
}

static void take_write(struct l1 *c) {
  struct heddle_line_port_write *w = &c->in.write;
  if (w->lane >= LANES || w->place >= WORDS || (w->atom ? w->piece * c->bytes >= 16 : w->beat >= c->beats)) {
    (void)broken(c, 0, "a beat of a place that there is none of");
    return;
  }
  if (bug(c, BUG_STROBES_WIDE) && !w->atom) widen_strobes(w);
  if (bug(c, BUG_MERGE_LOST) && !w->atom) first_wins(c, w);
  line_port_gather(&c->gathered, w, c->bytes);
}

static void take_request(struct l1 *c) {
  const struct heddle_line_port_request *r = &c->in.request;
  if (check_request(c, r)) {
    struct access *e = &c->access[r->tag];
    memset(e, 0, sizeof *e);
    e->where = QUEUED;
    e->r = *r;
    e->w = c->gathered;
    c->queue.item[c->queue.count++] = r->tag;
    c->busy++;
    c->moved = c->cycle;
  }
  memset(&c->gathered, 0, sizeof c->gathered);
}

/* l1.c: what the SM drives */
static void l1_take(struct l1 *c) {
  take_answer(c);
  if (c->in.write_valid) take_write(c);
  if (c->in.request_valid) take_request(c);
}

/* What the SM is told in a cycle: a credit, a beat, an answer. */

static bool gives_data(const struct access *e) {
  return (e->r.kind == HEDDLE_LINE_PORT_LOAD || e->r.kind == HEDDLE_LINE_PORT_FETCH) && !e->err;
}

static unsigned sectors_of(const struct l1 *c, unsigned k) {
  const unsigned first = k * c->bytes / HEDDLE_LINE_PORT_SECTOR,
                 last = ((k + 1) * c->bytes - 1) / HEDDLE_LINE_PORT_SECTOR;
  return ((2u << last) - 1) & ~((1u << first) - 1);
}

void l1_ready(struct l1 *c, struct access *e) {
  e->where = READY;
  e->beats_left = 0;
  e->last_beat = 0;
  for (unsigned k = 0; k < c->beats && gives_data(e); k++)
    if ((sectors_of(c, k) & e->r.sectors) != 0) e->beats_left |= 1u << k;
  e->lanes_left = e->r.kind == HEDDLE_LINE_PORT_ATOM && e->r.gives && !e->err ? e->r.lanes : 0;
  c->answers.item[c->answers.count++] = e->r.tag;
}

/* Both kinds in turns, while there are both. */
static void give_credit(struct l1 *c) {
  const bool some = c->room != 0, some_atom = c->room_atoms != 0, last = c->out.credit_valid && c->out.credit_atom;
  c->out.credit_valid = some || some_atom;
  if (!c->out.credit_valid) return;
  c->out.credit_atom = some_atom && (!some || !last);
  if (c->out.credit_atom)
    c->room_atoms--;
  else
    c->room--;
}

static void send_beat(struct l1 *c) {
  c->out.read_valid = false;
  for (unsigned i = 0; i < c->answers.count && !c->out.read_valid; i++) {
    struct access *e = &c->access[c->answers.item[i]];
    if (e->beats_left == 0) continue;
    const unsigned k = (unsigned)__builtin_ctz(e->beats_left);
    e->beats_left &= e->beats_left - 1;
    e->last_beat = c->cycle;
    c->out.read_valid = true;
    c->out.read.tag = e->r.tag;
    c->out.read.beat = (uint8_t)k;
    memcpy(c->out.read.data, e->data + k * c->bytes, c->bytes);
  }
}

static void give_answer(struct l1 *c, unsigned i, struct access *e) {
  c->out.answer_valid = true;
  c->out.answer = (struct heddle_line_port_answer){.tag = e->r.tag};
  if (e->lanes_left != 0) {
    const unsigned l = (unsigned)__builtin_ctz(e->lanes_left);
    e->lanes_left &= e->lanes_left - 1;
    c->out.answer.lane = (uint8_t)l;
    c->out.answer.old = e->old[l];
    return;
  }
  c->out.answer.done = true;
  c->out.answer.err = e->err;
  memmove(&c->answers.item[i], &c->answers.item[i + 1], (--c->answers.count - i) * sizeof *c->answers.item);
}

/* An end comes in a later cycle than the last beat; what was not taken stands. */
static void send_answer(struct l1 *c) {
  for (unsigned i = 0; i < c->answers.count && !c->out.answer_valid; i++) {
    struct access *e = &c->access[c->answers.item[i]];
    if (e->beats_left == 0 && (!gives_data(e) || e->last_beat < c->cycle)) give_answer(c, i, e);
  }
}

static void l1_answer(struct l1 *c) {
  give_credit(c);
  send_beat(c);
  send_answer(c);
}

/* The cache: its beginning and end, a cycle, and the order of what it shows. See l1_port.h for the contract. */

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
