/* SPDX-License-Identifier: Apache-2.0
 *
 * Records in, entries out; entries in, bytes out.
 */
#include "encode.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "base/array.h"
#include "base/splitmix64.h"

/* Entries in, bytes out: nibbles in frames. */

enum { FULL = 192 };

struct frame {
  uint8_t at[512];
  size_t nibbles;
};

static void nibble(struct frame *f, unsigned v) {
  uint8_t *at = &f->at[f->nibbles / 2];
  assert(f->nibbles / 2 < sizeof f->at);
  *at = (uint8_t)(f->nibbles % 2 == 0 ? v & 15u : *at | v << 4);
  f->nibbles++;
}

static void bytes(struct frame *f, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < 2 * n; i++) nibble(f, (unsigned)(v >> 4 * i) & 15u);
}

static void counted(struct frame *f, uint32_t v) {
  for (; v >= 128; v >>= 7) bytes(f, (v & 127u) | 128u, 1);
  bytes(f, v, 1);
}

static void entry(struct frame *f, const struct heddle_digest_entry *e) {
  nibble(f, e->code);
  nibble(f, e->slot);
  switch (e->code) {
  case HEDDLE_DIGEST_MARK_GLOBAL:
  case HEDDLE_DIGEST_MARK_SHARED:
    counted(f, 2 * e->count + (e->more ? 1 : 0));
    break;
  case HEDDLE_DIGEST_NEXT:
    bytes(f, e->sum[0], 4);
    break;
  case HEDDLE_DIGEST_CORRECTION:
    bytes(f, e->window, 2);
    bytes(f, e->sum[0], 4);
    break;
  case HEDDLE_DIGEST_WARP_END:
    bytes(f, e->count, 4);
    bytes(f, e->sum[0], 4);
    bytes(f, e->sum[1], 4);
    break;
  case HEDDLE_DIGEST_CLOCK:
    bytes(f, e->value, 6);
    break;
  case HEDDLE_DIGEST_BLOCK_START:
    bytes(f, e->warps, 2);
    for (unsigned i = 0; i < 3; i++) counted(f, e->ctaid[i]);
    break;
  case HEDDLE_DIGEST_TRAP:
    bytes(f, e->seq, 4);
    bytes(f, e->pc, 4);
    bytes(f, e->lanes, 4);
    bytes(f, e->cause, 1);
    bytes(f, e->value, 8);
    break;
  default:
    break;
  }
}

static uint32_t check_word(uint32_t crc, const uint8_t *p, size_t n) {
  for (; n > 0; p++, n--) {
    crc ^= *p;
    for (unsigned i = 0; i < 8; i++) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return crc;
}

static void put(struct encode_bytes *o, uint8_t b) {
  const bool has_room = array_room(&o->at, &o->room, o->n + 1, 1);
  assert(has_room);
  o->at[o->n++] = b;
}

static void escaped(struct encode_bytes *o, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const bool flag = p[i] == 0xc0, esc = p[i] == 0xdb;
    if (flag || esc) put(o, 0xdb);
    put(o, flag ? 0xdc : esc ? 0xdd : p[i]);
  }
}

static void frame(struct encode_bytes *o, unsigned type, uint32_t *number, const uint8_t *p, size_t n) {
  uint8_t head[5] = {(uint8_t)(16u | type)}, check[4];
  for (unsigned i = 0; i < 4; i++) head[1 + i] = (uint8_t)(*number >> 8 * i);
  const uint32_t crc = ~check_word(check_word(UINT32_MAX, head, sizeof head), p, n);
  for (unsigned i = 0; i < 4; i++) check[i] = (uint8_t)(crc >> 8 * i);
  escaped(o, head, sizeof head);
  escaped(o, p, n);
  escaped(o, check, sizeof check);
  put(o, 0xc0);
  ++*number;
}

static void little(uint8_t *p, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}

void encode_bytes(const struct encode_config *c, const struct heddle_digest_entry *e, size_t n, uint32_t *number,
                  struct encode_bytes *out) {
  uint8_t start[10] = {0}, end[10] = {0};
  const uint8_t sync[9] = {0};
  uint64_t rng = c->seed;
  struct frame f = {.nibbles = 0};
  little(start, HEDDLE_DIGEST_FORMAT, 4);
  start[4] = (uint8_t)c->lanes;
  start[5] = (uint8_t)c->warps;
  start[6] = (uint8_t)c->blocks;
  start[7] = (uint8_t)c->banks;
  start[8] = HEDDLE_DIGEST_PROFILE;
  frame(out, 2, number, start, sizeof start);
  for (size_t i = 0; i < n; i++) {
    entry(&f, &e[i]);
    const unsigned draw = (unsigned)(splitmix64(&rng) >> 40) % 64;
    if (i + 1 < n && f.nibbles < 2 * FULL && draw != 0) continue;
    nibble(&f, 15);
    frame(out, 1, number, f.at, (f.nibbles + 1) / 2);
    f.nibbles = 0;
    if (draw == 0) frame(out, 3, number, sync, sizeof sync);
  }
  little(end + 6, n, 4);
  frame(out, 4, number, end, sizeof end);
}

/* Records in, entries out. */

enum { SPACES = 2, LINES = 32, SECTOR = 32, FORCED = 512 };

/* What has been accessed since the last cut. */
struct touch {
  uint64_t sector;
  uint32_t read, written; /* bytes */
  uint32_t seq;
  uint8_t slot;
};

struct late {
  uint32_t window, sum;
  uint8_t slot;
};

struct slot {
  bool live;
  uint32_t insns, told; /* windows */
  uint32_t *sum;
  size_t sums, room;
  uint32_t since[SPACES]; /* accesses since the last cut */
  uint32_t seq[SPACES];   /* the last instruction that accessed, and its lines */
  uint64_t line[SPACES][LINES];
  unsigned lines[SPACES];
};

struct encoder {
  struct encode_config cfg;
  uint64_t rng;
  struct slot slot[HEDDLE_DIGEST_SLOTS];
  uint64_t block[HEDDLE_DIGEST_SLOTS]; /* its warps */
  struct touch *touch[SPACES];
  size_t touches[SPACES], touch_room[SPACES];
  struct late *late;
  size_t lates, late_room;
  struct heddle_digest_entry *out;
  size_t n, room;
  bool torn, unordered;
};

struct encoder *encode_new(const struct encode_config *c) {
  struct encoder *e = calloc(1, sizeof *e);
  assert(e != NULL && c->warps <= HEDDLE_DIGEST_SLOTS && c->blocks <= HEDDLE_DIGEST_SLOTS);
  e->cfg = *c;
  e->rng = c->seed;
  return e;
}

void encode_free(struct encoder *e) {
  for (unsigned i = 0; i < HEDDLE_DIGEST_SLOTS; i++) free(e->slot[i].sum);
  for (unsigned s = 0; s < SPACES; s++) free(e->touch[s]);
  free(e->late);
  free(e->out);
  free(e);
}

static bool chance_of(struct encoder *e, unsigned some, unsigned of) {
  return some != 0 && (splitmix64(&e->rng) >> 40) % of < some;
}

static bool chance(struct encoder *e, unsigned of256) {
  return chance_of(e, of256, 256);
}

static void emit(struct encoder *e, struct heddle_digest_entry d) {
  const bool has_room = array_room(&e->out, &e->room, e->n + 1, sizeof *e->out);
  assert(has_room);
  e->out[e->n++] = d;
}

/* ---- windows ---- */

static uint32_t *sum_of(struct encoder *e, unsigned slot, uint32_t window) {
  struct slot *s = &e->slot[slot];
  const bool has_room = array_room(&s->sum, &s->room, (size_t)window + 1, sizeof *s->sum);
  assert(has_room);
  while (s->sums <= window) s->sum[s->sums++] = 0;
  return &s->sum[window];
}

static void add(struct encoder *e, unsigned slot, uint32_t window, uint32_t sum) {
  struct slot *s = &e->slot[slot];
  *sum_of(e, slot, window) ^= sum;
  if (window >= s->told || sum == 0) return;
  emit(e, (struct heddle_digest_entry){
              .code = HEDDLE_DIGEST_CORRECTION, .slot = (uint8_t)slot, .window = (uint16_t)window, .sum = {sum}});
}

/* Some of what was put off comes now; of a slot that ends, all. */
static void come(struct encoder *e, unsigned all_of) {
  for (size_t i = 0; i < e->lates;) {
    const struct late l = e->late[i];
    if (l.slot != all_of && !chance_of(e, 1, 2048)) {
      i++;
      continue;
    }
    e->late[i] = e->late[--e->lates];
    add(e, l.slot, l.window, l.sum);
  }
}

static void item(struct encoder *e, const struct heddle_record_id *id, enum heddle_digest_kind kind, unsigned place,
                 unsigned beat, const uint32_t *d, unsigned n) {
  const uint32_t sum = heddle_digest_item(id->seq, kind, place, beat, d, n), window = id->seq / HEDDLE_DIGEST_WINDOW;
  if (kind == HEDDLE_DIGEST_ISSUE || !chance(e, e->cfg.late)) {
    add(e, id->slot, window, sum);
    return;
  }
  const bool has_room = array_room(&e->late, &e->late_room, e->lates + 1, sizeof *e->late);
  assert(has_room);
  e->late[e->lates++] = (struct late){window, sum, id->slot};
}

static bool reads_clock(const struct heddle_record_issue *r) {
  struct heddle_isa_dec d;
  if (!heddle_isa_decode((struct heddle_isa_word){r->word[0], r->word[1]}, &d)) return false;
  const enum heddle_isa_field f = d.op == ISA_OP_CS2R ? ISA_F_SREG2 : d.op == ISA_OP_S2UR ? ISA_F_USREG : ISA_F_SREG;
  if (d.op != ISA_OP_S2R && d.op != ISA_OP_CS2R && d.op != ISA_OP_S2UR) return false;
  const uint64_t which = heddle_isa_get(d.word, f);
  return which == ISA_SREG_SR_CLOCKLO || which == ISA_SREG_SR_CLOCKHI;
}

static void issue(struct encoder *e, const struct heddle_record_issue *r) {
  struct slot *s = &e->slot[r->id.slot];
  uint32_t d[6] = {r->pc, r->active, r->exec};
  for (unsigned i = 0; i < 3; i++) d[3 + i] = r->ps[i] & r->exec;
  s->insns = r->id.seq + 1;
  if (r->id.seq % HEDDLE_DIGEST_WINDOW == 0 && r->id.seq >= 2 * HEDDLE_DIGEST_WINDOW)
    emit(e, (struct heddle_digest_entry){
                .code = HEDDLE_DIGEST_NEXT, .slot = r->id.slot, .sum = {*sum_of(e, r->id.slot, s->told++)}});
  if (reads_clock(r))
    emit(e, (struct heddle_digest_entry){.code = HEDDLE_DIGEST_CLOCK, .slot = r->id.slot, .value = r->clock});
  item(e, &r->id, HEDDLE_DIGEST_ISSUE, 0, 0, d, 6);
}

static void row(struct encoder *e, const struct heddle_record_write *r) {
  uint32_t d[HEDDLE_RECORD_LANES + 1];
  for (unsigned i = 0; i < e->cfg.lanes; i++) d[i] = (r->mask >> i & 1u) != 0 ? r->data[i] : 0;
  d[e->cfg.lanes] = r->mask;
  item(e, &r->id, HEDDLE_DIGEST_WRITE, r->rd, r->beat, d, e->cfg.lanes + 1);
}

static void predicate(struct encoder *e, const struct heddle_record_predicate *r) {
  for (unsigned k = 0; k < HEDDLE_RECORD_PREDICATES; k++) {
    bool later = false;
    if ((r->used >> k & 1u) == 0) continue;
    for (unsigned i = k + 1; i < HEDDLE_RECORD_PREDICATES; i++)
      later = later || ((r->used >> i & 1u) != 0 && r->value[i].index == r->value[k].index);
    const uint32_t d[2] = {r->value[k].data & r->value[k].mask, r->value[k].mask};
    if (!later) item(e, &r->id, HEDDLE_DIGEST_PREDICATE, r->value[k].index, r->beat, d, 2);
  }
}

static void uniform(struct encoder *e, const struct heddle_record_uniform_write *r) {
  for (unsigned k = 0; k < HEDDLE_RECORD_RESULT; k++) {
    const uint32_t d[2] = {r->data[k], 1};
    if ((r->used >> k & 1u) != 0) item(e, &r->id, HEDDLE_DIGEST_UNIFORM, r->rd + k, 0, d, 2);
  }
  const uint32_t d[2] = {r->value & r->pred, r->pred};
  if (r->pred != 0) item(e, &r->id, HEDDLE_DIGEST_UNIFORM, 255, 1, d, 2);
}

/* ---- the order of memory ---- */

/* The access in progress, if there is one, is not in it; nor is what it has touched behind it. */
static void cut(struct encoder *e, unsigned space, const struct heddle_record_id *now, uint32_t in_progress) {
  unsigned last = HEDDLE_DIGEST_SLOTS;
  size_t kept = 0;
  e->slot[now->slot].since[space] -= in_progress;
  for (unsigned i = 0; i < HEDDLE_DIGEST_SLOTS; i++)
    if (e->slot[i].since[space] != 0) last = i;
  for (unsigned i = 0; i < HEDDLE_DIGEST_SLOTS; i++) {
    if (e->slot[i].since[space] == 0 || e->cfg.never_cuts) continue;
    emit(e, (struct heddle_digest_entry){.code = space == 0 ? HEDDLE_DIGEST_MARK_GLOBAL : HEDDLE_DIGEST_MARK_SHARED,
                                         .slot = (uint8_t)i,
                                         .count = e->slot[i].since[space],
                                         .more = i != last});
    e->slot[i].since[space] = 0;
  }
  e->slot[now->slot].since[space] += in_progress;
  for (size_t i = 0; i < e->touches[space]; i++) {
    const struct touch *t = &e->touch[space][i];
    if (in_progress != 0 && t->slot == now->slot && t->seq == now->seq) e->touch[space][kept++] = *t;
  }
  e->touches[space] = kept;
}

static bool meets(const struct encoder *e, unsigned space, const struct touch *t) {
  for (size_t i = 0; i < e->touches[space]; i++) {
    const struct touch *o = &e->touch[space][i];
    if (o->slot == t->slot || o->sector != t->sector) continue;
    if (((o->read | o->written) & t->written) != 0 || (o->written & t->read) != 0) return true;
  }
  return false;
}

static void touch(struct encoder *e, unsigned space, const struct touch *t) {
  const bool has_room = array_room(&e->touch[space], &e->touch_room[space], e->touches[space] + 1, sizeof *t);
  assert(has_room);
  e->touch[space][e->touches[space]++] = *t;
}

/* Is this part of an access that has been counted? */
static bool known(struct encoder *e, struct slot *s, unsigned space, uint32_t seq, uint64_t line) {
  e->unordered = e->unordered || (s->seq[space] != UINT32_MAX && seq < s->seq[space]);
  if (s->seq[space] != seq) s->lines[space] = 0;
  s->seq[space] = seq;
  for (unsigned i = 0; i < s->lines[space]; i++)
    if (s->line[space][i] == line) return true;
  assert(s->lines[space] < LINES);
  s->line[space][s->lines[space]++] = line;
  return false;
}

/* Others that met it in the midst of a line would have to be told apart; nobody does that. */
static bool torn(const struct encoder *e, unsigned space, const struct heddle_record_id *id) {
  const size_t n = e->touches[space];
  return n != 0 && e->touch[space][n - 1].slot != id->slot;
}

static void access_of(struct encoder *e, unsigned space, const struct heddle_record_id *id, uint64_t line,
                      const struct touch *t) {
  struct slot *s = &e->slot[id->slot];
  const bool met = meets(e, space, t);
  if (known(e, s, space, id->seq, line)) {
    if (met) {
      e->torn = e->torn || torn(e, space, id);
      cut(e, space, id, 1);
    }
  } else {
    if (met || e->touches[space] >= FORCED || chance(e, e->cfg.cuts)) cut(e, space, id, 0);
    s->since[space]++;
  }
  touch(e, space, t);
}

static void global(struct encoder *e, const struct heddle_record_global *r) {
  if (r->access > HEDDLE_RECORD_ATOMIC) return; /* local memory */
  const struct touch t = {.sector = r->sector,
                          .read = r->access == HEDDLE_RECORD_STORE ? 0 : UINT32_MAX,
                          .written = r->wstrb,
                          .seq = r->id.seq,
                          .slot = r->id.slot};
  access_of(e, 0, &r->id, r->sector / 4, &t);
}

/* A word is a sector here. */
static void shared(struct encoder *e, const struct heddle_record_shared *r) {
  for (unsigned b = 0; b < HEDDLE_RECORD_BANKS; b++) {
    if ((r->bank_en >> b & 1u) == 0) continue;
    const struct touch t = {.sector = (uint64_t)r->row[b] * HEDDLE_RECORD_BANKS + b,
                            .read = r->access == HEDDLE_RECORD_STORE ? 0 : UINT32_MAX,
                            .written = r->access == HEDDLE_RECORD_LOAD ? 0 : r->wstrb[b],
                            .seq = r->id.seq,
                            .slot = r->id.slot};
    access_of(e, 1, &r->id, 0, &t);
  }
}

/* ---- blocks ---- */

static void block_starts(struct encoder *e, const struct heddle_record_block_start *r) {
  struct heddle_digest_entry d = {.code = HEDDLE_DIGEST_BLOCK_START, .slot = r->bslot, .warps = (uint16_t)r->warps};
  memcpy(d.ctaid, r->ctaid, sizeof d.ctaid);
  e->block[r->bslot] = r->warps;
  for (unsigned i = 0; i < HEDDLE_DIGEST_SLOTS; i++) {
    struct slot *s = &e->slot[i];
    if ((r->warps >> i & 1u) == 0) continue;
    s->live = true;
    s->insns = s->told = 0;
    s->sums = 0;
    s->seq[0] = s->seq[1] = UINT32_MAX;
  }
  emit(e, d);
}

static void block_ends(struct encoder *e, const struct heddle_record_block_end *r) {
  for (unsigned i = 0; i < HEDDLE_DIGEST_SLOTS; i++) {
    struct slot *s = &e->slot[i];
    if ((e->block[r->bslot] >> i & 1u) == 0) continue;
    come(e, i);
    struct heddle_digest_entry d = {.code = HEDDLE_DIGEST_WARP_END, .slot = (uint8_t)i, .count = s->insns};
    const uint32_t windows = (s->insns + HEDDLE_DIGEST_WINDOW - 1) / HEDDLE_DIGEST_WINDOW;
    for (unsigned k = 0; k < 2 && k < windows; k++) d.sum[1 - k] = *sum_of(e, i, windows - 1 - k);
    emit(e, d);
    s->live = false;
  }
  emit(e, (struct heddle_digest_entry){.code = HEDDLE_DIGEST_BLOCK_END, .slot = r->bslot});
}

static void trap(struct encoder *e, const struct heddle_record_trap *r) {
  for (unsigned i = 0; i < HEDDLE_DIGEST_SLOTS; i++) come(e, i);
  emit(e, (struct heddle_digest_entry){.code = HEDDLE_DIGEST_TRAP,
                                       .slot = r->id.slot,
                                       .seq = r->id.seq,
                                       .pc = r->pc,
                                       .lanes = r->lanes,
                                       .cause = r->cause,
                                       .value = r->addr});
}

void encode_record(struct encoder *e, const struct heddle_retire_record *r) {
  come(e, HEDDLE_DIGEST_SLOTS);
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_ISSUE:
    issue(e, &r->u.issue);
    break;
  case HEDDLE_RECORD_WRITE:
    row(e, &r->u.write);
    break;
  case HEDDLE_RECORD_PREDICATE:
    predicate(e, &r->u.predicate);
    break;
  case HEDDLE_RECORD_UNIFORM_WRITE:
    uniform(e, &r->u.uniform_write);
    break;
  case HEDDLE_RECORD_GLOBAL:
    global(e, &r->u.global);
    break;
  case HEDDLE_RECORD_SHARED:
    shared(e, &r->u.shared);
    break;
  case HEDDLE_RECORD_BLOCK_START:
    block_starts(e, &r->u.block_start);
    break;
  case HEDDLE_RECORD_BLOCK_END:
    block_ends(e, &r->u.block_end);
    break;
  case HEDDLE_RECORD_TRAP:
    trap(e, &r->u.trap);
    break;
  default:
    break;
  }
}

struct heddle_digest_entry *encode_entries(struct encoder *e, size_t *n) {
  *n = e->n;
  return e->out;
}

bool encode_whole_lines(const struct encoder *e) {
  return !e->torn;
}

bool encode_in_order(const struct encoder *e) {
  return !e->unordered;
}
