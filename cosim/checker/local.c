/* SPDX-License-Identifier: Apache-2.0
 *
 * Local memory: nobody but its thread sees it, so the moment of an access cannot be told from another one that keeps
 * the thread's own order. The model performs it at the issue; records then show each word of each lane once, where it
 * lies and with its value.
 */
#include <stdlib.h>
#include <string.h>
#include "cosim/checker/internal.h"

static void local_image_store(struct heddle_checker *c, const struct heddle_record_global *r, unsigned k,
                              unsigned bytes);

static unsigned words_of_access(const struct entry *e) {
  return e->mem_bytes > 4 ? e->mem_bytes / 4u : 1;
}

bool local_issue(struct heddle_checker *c) {
  struct entry *e = c->e;
  if (e->in_local == 0) return true;
  if (!perform_values(c, e->in_local)) return false;
  for (unsigned k = 0; k < words_of_access(e); k++) e->local_open[k] = e->in_local;
  return true;
}

/* A sector: the slot of its warp, a word of a thread, eight lanes. */
struct place {
  uint64_t slot;
  uint32_t word, lanes;
};

static struct place place_of_sector(uint64_t sector) {
  return (struct place){sector >> (LOCAL_WORDS_W + 2), (uint32_t)(sector >> 2) & ((1u << LOCAL_WORDS_W) - 1),
                        0xffu << (sector % 4 * 8)};
}

/* Of `lanes`, those whose access has that word. */
static uint32_t lanes_of_word(const struct entry *e, uint32_t lanes, uint32_t word) {
  uint32_t in = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (word - (uint32_t)e->fx.mem_addr[l] / 4 < words_of_access(e)) in |= lane_bit(l);
  }
  return in;
}

uint32_t local_lanes(const struct heddle_checker *c, const struct entry *e, uint64_t sector) {
  const struct place p = place_of_sector(sector);
  if (p.slot != warp_slot(c->w)) return 0;
  return lanes_of_word(e, e->local_open[p.word % words_of_access(e)] & p.lanes, p.word);
}

uint64_t local_sector(const struct warp *w, const struct entry *e, unsigned lane, unsigned k) {
  const uint64_t slot = warp_slot(w), word = e->fx.mem_addr[lane] / 4 + k;
  return (slot << LOCAL_WORDS_W | word) * 4 + lane / 8;
}

/* Slices of the warp slots follow each other, those of an SM behind those of the one before; in a slice a word of all
 * threads after the other. */
uint64_t local_at(const struct heddle_checker *c, const struct warp *w, uint64_t sector) {
  const struct place p = place_of_sector(sector);
  const uint64_t slot = (uint64_t)(w->sm->warp - c->warp) + p.slot;
  return c->launch->local_at + ((slot * (c->launch->local_bytes / 4) + p.word) * 4 + sector % 4) * HEDDLE_RECORD_SECTOR;
}

static bool check_address(struct heddle_checker *c, const struct heddle_record_global *r, const struct place *p) {
  const uint32_t bad = r->lanes & ~(lanes_of_word(c->e, r->lanes, p->word) & p->lanes);
  if (!same(c, HEDDLE_CHECKER_PERFORM_ADDRESS, "slice of local memory", r->id.slot, p->slot)) return false;
  if (bad == 0 || !checker_on(c, HEDDLE_CHECKER_PERFORM_ADDRESS)) return true;
  const unsigned l = (unsigned)__builtin_ctz(bad);
  return differ_mask(c, HEDDLE_CHECKER_PERFORM_ADDRESS, "word of local memory", bad,
                     "lane %u accesses byte 0x%llx; the record shows word 0x%x of lanes 0x%08x", l,
                     (unsigned long long)c->e->fx.mem_addr[l], p->word, p->lanes);
}

static bool check_local_double(struct heddle_checker *c, const struct heddle_record_global *r, unsigned k) {
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_DOUBLE, "access", r->lanes & ~c->e->local_open[k],
                  "performed a second time");
}

static bool check_local_lanes(struct heddle_checker *c, const struct heddle_record_global *r) {
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_LANES, "sector", local_lanes(c, c->e, r->sector) & ~r->lanes,
                  "lanes of this sector are left out: they are performed together");
}

/* Lanes of an older access to one word whose line memory has answered with an error: nobody waits for them. */
static bool never_performed(const struct heddle_checker *c, const struct entry *o, uint32_t lanes, uint32_t word) {
  const unsigned lane = (unsigned)__builtin_ctz(lanes);
  return c->launch->errors.limit != 0 && word_errs(c, c->w, o, lane, word - (uint32_t)o->fx.mem_addr[lane] / 4);
}

/* In front of a cache loads read what older stores have not shown yet, and nobody waits for older loads. */
static bool check_order(struct heddle_checker *c, const struct heddle_record_global *r) {
  if (!checker_on(c, HEDDLE_CHECKER_PERFORM_ORDER) || (c->cache != NULL && r->access == HEDDLE_RECORD_LOCAL_LOAD))
    return true;
  struct entry *o;
  for (struct walk it = walk_open(c->w); (o = walk_next(c->w, &it)) != NULL;) {
    if (c->cache != NULL && o->mem_kind == HEDDLE_ACCESS_LOAD) continue;
    const uint32_t in = o->seq >= c->e->seq || o->in_local == 0 ? 0 : local_lanes(c, o, r->sector);
    if (in != 0 && !never_performed(c, o, in, place_of_sector(r->sector).word))
      return differ_mask(c, HEDDLE_CHECKER_PERFORM_ORDER, "local memory", in,
                         "the older seq %u (pc 0x%x) has not performed its access to sector 0x%llx", o->seq, o->pc,
                         (unsigned long long)r->sector);
  }
  return true;
}

/* Where the lane's bytes lie in the sector, and how many of them this record shows. */
static unsigned first_byte(const struct entry *e, unsigned lane) {
  return lane % 8 * 4 + (unsigned)(e->fx.mem_addr[lane] % 4);
}

static unsigned byte_count(const struct entry *e) {
  return e->mem_bytes < 4 ? e->mem_bytes : 4;
}

static bool check_strobe(struct heddle_checker *c, const struct heddle_record_global *r) {
  uint32_t want = 0;
  if (r->access == HEDDLE_RECORD_LOCAL_LOAD) return true;
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1)
    want |= ((1u << byte_count(c->e)) - 1) << first_byte(c->e, (unsigned)__builtin_ctz(rest));
  return same(c, HEDDLE_CHECKER_PERFORM_STROBE, "byte strobes", want, r->wstrb);
}

/* What the lanes store, or have loaded, against the record's bytes. */
static bool compare_local_words(struct heddle_checker *c, enum heddle_checker_kind kind, uint32_t lanes,
                                const uint8_t *bytes, const uint32_t *want, struct unknown_row u) {
  uint32_t bad = 0, e[HEDDLE_RECORD_LANES] = {0}, g[HEDDLE_RECORD_LANES] = {0};
  (void)judged_lanes(c, lanes, u.lanes);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    memcpy(&e[l], &want[l], byte_count(c->e));
    memcpy(&g[l], bytes + first_byte(c->e, l), byte_count(c->e));
    if (((e[l] ^ g[l]) & ~((u.lanes >> l & 1) != 0 ? u.bits[l] : 0)) != 0) bad |= lane_bit(l);
  }
  return bad == 0 || !checker_on(c, kind) || differ_lanes(c, kind, "word of local memory", bad, e, g, 0);
}

static bool check_local_value(struct heddle_checker *c, const struct heddle_record_global *r, unsigned k) {
  const struct entry *e = c->e;
  if (r->access == HEDDLE_RECORD_LOCAL_STORE)
    return compare_local_words(c, HEDDLE_CHECKER_PERFORM_DATA, r->lanes, r->wdata, e->fx.src[1][k],
                               (struct unknown_row){e->fx.src_unknown[1], e->fx.src_bits[1][k]});
  if (k >= e->rd_words) return true;
  return compare_local_words(c, HEDDLE_CHECKER_PERFORM_RESULT, r->lanes, r->rdata, e->fx.rd_value[k],
                             (struct unknown_row){e->fx.rd_unknown[k], e->fx.rd_bits[k]});
}

/* A lane has performed when its last word has. */
static void pay(struct heddle_checker *c, const struct heddle_record_global *r, unsigned k) {
  struct entry *e = c->e;
  uint32_t left = 0;
  e->local_open[k] &= ~r->lanes;
  for (unsigned i = 0; i < 4; i++) left |= e->local_open[i];
  const uint32_t done = r->lanes & ~left;
  e->known |= done;
  ledger_perform(c->w, e, done);
  ledger_close_words(c, c->w, e);
}

bool local_read(struct heddle_checker *c, const struct heddle_record_global *r) {
  const struct place p = place_of_sector(r->sector);
  const unsigned k = p.word % words_of_access(c->e);
  if (!check_address(c, r, &p) || !check_local_double(c, r, k) || !check_local_lanes(c, r)) return false;
  pay(c, r, k);
  return true;
}

bool judge_local(struct heddle_checker *c, const struct heddle_record_global *r) {
  const struct place p = place_of_sector(r->sector);
  if (!identify_entry(c, r->id.seq) ||
      !perform_admit(c, ISA_SPACE_LOCAL, r->access - HEDDLE_RECORD_LOCAL_LOAD, r->lanes))
    return false;
  if (c->cache != NULL) cache_counts(c, bank_of(c, r->bank));
  const unsigned k = p.word % words_of_access(c->e);
  if (!check_address(c, r, &p) || !check_local_double(c, r, k) || !check_local_lanes(c, r) || !check_order(c, r) ||
      !check_stamp(c, r))
    return false;
  if (!check_strobe(c, r) || !check_local_value(c, r, k)) return false;
  if (r->access == HEDDLE_RECORD_LOCAL_STORE) local_image_store(c, r, k, byte_count(c->e));
  pay(c, r, k);
  return true;
}

/* What the local memory of all warp slots must hold at the end: what stores wrote, each in the slice of its SM and
 * slot, in the order in which they were performed; elsewhere what it held before. The values are the model's. */

/* Of a byte: 0, nobody has stored; else STORED and the bits that are defined. */
enum { STORED = 0x100, DEFINED = 0xff };

bool local_image_allocate(struct heddle_checker *c) {
  struct local_image *i = &c->local_image;
  i->bytes = (uint64_t)c->warps * c->launch->local_bytes * HEDDLE_RECORD_LANES;
  if (i->bytes == 0) return true;
  i->is = calloc(1, i->bytes);
  i->how = calloc(i->bytes, sizeof *i->how);
  return i->is != NULL && i->how != NULL;
}

void local_image_free(struct heddle_checker *c) {
  free(c->local_image.is);
  free(c->local_image.how);
}

/* Word k of the record's lanes is performed, `bytes` of it. */
static void local_image_store(struct heddle_checker *c, const struct heddle_record_global *r, unsigned k,
                              unsigned bytes) {
  struct local_image *i = &c->local_image;
  const struct entry *e = c->e;
  const uint64_t at = local_at(c, c->w, r->sector) - c->launch->local_at;
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t first = at + l % 8 * 4 + e->fx.mem_addr[l] % 4;
    if (first + bytes > i->bytes) continue; /* only when a check of addresses is switched off */
    const uint32_t open = (e->fx.src_unknown[1] >> l & 1) != 0 ? e->fx.src_bits[1][k][l] : 0;
    for (unsigned b = 0; b < bytes; b++) {
      i->is[first + b] = (uint8_t)(e->fx.src[1][k][l] >> 8 * b);
      i->how[first + b] = (uint16_t)(STORED | (~open >> 8 * b & DEFINED));
    }
  }
}

/* What was stored there, or what was there before. */
static uint8_t expected(const struct local_image *i, const uint8_t *before, uint64_t at) {
  return i->how[at] == 0 ? before[at] : i->is[at];
}

static bool wrong_at(const struct heddle_checker *c, const uint8_t *before, const uint8_t *after, uint64_t at) {
  const struct local_image *i = &c->local_image;
  const unsigned bits = i->how[at] == 0 ? DEFINED : i->how[at] & DEFINED;
  if (((after[at] ^ expected(i, before, at)) & bits) == 0) return false;
  return !c->cfg.writes_back || c->missing == NULL || !c->missing(c->missing_ctx, c->launch->local_at + at);
}

bool heddle_checker_local(struct heddle_checker *c, const uint8_t *before, const uint8_t *after) {
  const struct local_image *i = &c->local_image;
  const uint64_t base = c->launch->local_at;
  uint64_t at = 0, wrong = 0;
  if (c->first.kind != HEDDLE_CHECKER_NONE) return false;
  c->w = NULL;
  c->e = NULL;
  c->stats.bytes_compared += i->bytes;
  for (uint64_t b = i->bytes; b-- > 0 && checker_on(c, HEDDLE_CHECKER_MEMORY_FINAL);) {
    if (!wrong_at(c, before, after, b)) continue;
    at = b;
    wrong++;
  }
  if (wrong == 0) return true;
  char subject[48];
  snprintf(subject, sizeof subject, "byte 0x%llx", (unsigned long long)(base + at));
  (void)differ(c, HEDDLE_CHECKER_MEMORY_FINAL, subject,
               "%llu byte(s) of local memory differ; the first at 0x%llx%s: expected 0x%02x, got 0x%02x",
               (unsigned long long)wrong, (unsigned long long)(base + at),
               i->how[at] == 0 ? ", where no thread has stored" : "", expected(i, before, at), after[at]);
  c->first.cycle = c->last_cycle;
  return false;
}
