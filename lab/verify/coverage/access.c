/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: shared, global, asynchronous copies, and edges of what may be accessed.
 */
#include <string.h>
#include "lab/verify/coverage/internal.h"

/* Asynchronous copies: how they load, who else is under way when they store, what waits for them. */

static struct cov_async *find_async(struct cov_collector *k, const struct heddle_record_id *id) {
  for (unsigned i = 0; i < k->asyncs; i++)
    if (k->async[i].slot == id->slot && k->async[i].seq == id->seq) return &k->async[i];
  return NULL;
}

static bool copies(const struct word *d) {
  return d != NULL && d->d.op == ISA_OP_LDGSTS_E;
}

void copies_load(struct cov_collector *k, const struct word *d, const struct heddle_record_id *id,
                 enum async_load how) {
  if (!copies(d)) return;
  struct cov_async *a = find_async(k, id);
  if (a == NULL && k->asyncs < ASYNCS_MOST) {
    a = &k->async[k->asyncs++];
    *a = (struct cov_async){.slot = id->slot, .seq = id->seq};
  }
  if (a != NULL) a->loaded |= 1u << how;
}

/* Its first store; who else of the warp has loaded, and not stored. */
void copies_store(struct cov_collector *k, struct cov_warp *w, const struct word *d,
                  const struct heddle_record_id *id) {
  static const uint8_t loaded[8] = {ASYNC_MIXED, ASYNC_HIT,   ASYNC_WAITED, ASYNC_MIXED,
                                    ASYNC_BY,    ASYNC_MIXED, ASYNC_MIXED,  ASYNC_MIXED};
  struct cov_async *a = copies(d) ? find_async(k, id) : NULL;
  bool others = false;
  if (a == NULL) return;
  for (unsigned i = 0; i < k->asyncs; i++) others |= k->async[i].slot == id->slot && k->async[i].seq != id->seq;
  HIT(k->c, G_COPY, loaded[a->loaded % 8], others);
  *a = k->async[--k->asyncs];
  w->copied++;
}

/* DEPBAR waits before it issues, a fence until it is done. */
void copies_issue(struct cov_collector *k, struct cov_warp *w, const struct word *d, bool executes) {
  const bool came = w->copied != w->copied_before[0];
  if (executes && w->copied + k->asyncs != 0 && d->d.op == ISA_OP_DEPBAR_LE)
    HIT(k->c, G_AWAIT, heddle_isa_get(d->d.word, ISA_F_SBK) == 0 ? 0 : 1, came);
  w->copied_before[1] = w->copied_before[0];
  w->copied_before[0] = w->copied;
}

void copies_fence(struct cov_collector *k, const struct cov_warp *w, const struct heddle_record_fence *r) {
  if (r->scope == HEDDLE_RECORD_SCOPE_GPU && w->copied + k->asyncs != 0)
    HIT(k->c, G_AWAIT, 2, w->copied != w->copied_before[1]);
}

/* Edges: where accesses lie in their window, which constant banks are asked for, who traps for what, how operands that
 * are compared relate. Instructions that trap count like others. */

/* What an address is held against: [base, limit), and how far around it counts. */
struct window {
  uint64_t base, limit;
};
#define AROUND 64u

static unsigned place_in(const struct window *w, uint64_t at, unsigned bytes) {
  if (at == w->base && at + bytes <= w->limit) return AT_FIRST;
  if (at >= w->base && at + bytes <= w->limit) return at + 2ull * bytes > w->limit ? AT_LAST : AT_INSIDE;
  if (at >= w->base && at < w->limit) return AT_ACROSS;
  if (at >= w->limit && at - w->limit < AROUND) return AT_BEHIND;
  return at < w->base && w->base - at <= AROUND ? AT_BELOW : PLACES_OF_WINDOW;
}

/* The region that holds the address, or that it lies beside. */
static unsigned count_region(const struct cov_collector *k, uint64_t at, unsigned bytes, unsigned *place) {
  unsigned found = WIN_WRITABLE;
  *place = PLACES_OF_WINDOW;
  for (unsigned i = 0; i < k->launch.regions; i++) {
    const struct heddle_region *r = &k->launch.region[i];
    const struct window w = {r->base, r->limit};
    const unsigned p = place_in(&w, at, bytes);
    if (p == PLACES_OF_WINDOW || (*place != PLACES_OF_WINDOW && p > AT_LAST)) continue;
    *place = p;
    found = r->writable ? WIN_WRITABLE : WIN_READ_ONLY;
  }
  return found;
}

/* Bits above the window's own are a place of their own. */
static unsigned locate(const struct cov_collector *k, const struct word *d, uint64_t at, unsigned *place) {
  const bool generic = d->space == ISA_SPACE_GENERIC;
  const unsigned space = generic ? (unsigned)(at >> 56) : 0;
  const bool shared = d->space == ISA_SPACE_SHARED || (generic && space == 1);
  if (!shared && d->space != ISA_SPACE_LOCAL && !(generic && space == 2)) {
    unsigned w = count_region(k, at, d->bytes, place);
    if (at >> 40 != 0) *place = AT_UPPER, w = WIN_WRITABLE;
    return generic ? w + WIN_GENERIC : w;
  }
  const struct window w = {UINT64_C(1) << 32,
                           (UINT64_C(1) << 32) + (shared ? k->launch.shared_bytes : k->launch.local_bytes)};
  const uint32_t low = (uint32_t)at;
  *place = place_in(&w, w.base + low, d->bytes);
  if (low >= 0u - AROUND) *place = AT_BELOW; /* addresses are modulo 2^32 */
  if (generic && (at >> 32 & 0xffffff) != 0) *place = AT_UPPER;
  return (shared ? WIN_SHARED : WIN_LOCAL) + (generic ? WIN_GENERIC : 0u);
}

static void count_bank(struct cov_collector *k, unsigned by, unsigned bank, uint32_t off, unsigned bytes) {
  static const uint8_t above[] = {4, 5, 5, 6, 6, 6, 6}; /* banks by fours, from 4 on */
  const struct window w = {0, bank < 4 ? k->launch.cbank_bytes[bank] : 0};
  const unsigned place = bank < 4 ? place_in(&w, off, bytes) : (unsigned)AT_BEHIND;
  if (place > AT_BEHIND) return;
  HIT(k->c, G_BANK, by, bank < 4 ? bank : above[(bank - 4) / 4 % 7], place);
}

void edges_access(struct cov_collector *k, const struct word *d, const struct stash *s) {
  const bool wide = d->d.src[0].words == 2, constant = d->space == ISA_SPACE_CONST;
  const int64_t off = constant ? (int64_t)heddle_isa_get_signed(d->d.word, ISA_F_COFF16)
                               : heddle_isa_get_signed(d->d.word, ISA_F_OFF24);
  for (uint32_t rest = s->exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t low = (d->want & 1) != 0 ? s->data[0][l] : 0, high = wide && (d->want & 2) != 0 ? s->data[1][l] : 0;
    const uint64_t sum = (low | high << 32) + (uint64_t)off, at = wide ? sum : (uint32_t)sum;
    unsigned place;
    if (at % d->bytes != 0) continue;
    if (constant) {
      count_bank(k, BANK_LOAD, d->d.cbank, (uint32_t)at, d->bytes);
      continue;
    }
    const unsigned w = locate(k, d, at, &place);
    if (place < PLACES_OF_WINDOW) HIT(k->c, G_EDGE, w, d->access, place);
  }
}

static bool constant_operand(const struct word *d) {
  for (unsigned o = 0; o < 3; o++)
    if (d->d.src[o].kind == ISA_CONST) return true;
  return false;
}

/* A constant operand is judged as the word issues, or traps. */
void edges_issue(struct cov_collector *k, const struct word *d) {
  if (constant_operand(d)) count_bank(k, BANK_OPERAND, d->d.cbank, (uint32_t)heddle_isa_get(d->d.word, ISA_F_COFF), 4);
}

/* Whose trap it is: of the word itself, of a constant operand, of an access. */
static unsigned who_traps(const struct cov_collector *k, const struct word *d, const struct heddle_record_trap *r) {
  static const uint8_t spaces[] = {[ISA_SPACE_GLOBAL] = WHO_GLOBAL,
                                   [ISA_SPACE_SHARED] = WHO_SHARED,
                                   [ISA_SPACE_CONST] = WHO_CONSTANT,
                                   [ISA_SPACE_LOCAL] = WHO_LOCAL,
                                   [ISA_SPACE_GENERIC] = WHO_GENERIC};
  const bool bus = r->cause == HEDDLE_TRAP_BUS;
  const uint64_t code = r->addr - k->launch.code_at;
  if (bus && code < k->launch.code_bytes + HEDDLE_LINE) return WHO_WORD;
  if (d->access == GA_ATOM && d->space == ISA_SPACE_GENERIC) return WHO_GENERIC_ATOM;
  if (d->bytes != 0 && d->space != ISA_SPACE_NONE)
    return d->space == ISA_SPACE_GLOBAL ? WHO_GLOBAL + (d->access == GA_LOAD    ? 0u
                                                        : d->access == GA_STORE ? 1u
                                                                                : 2u)
                                        : spaces[d->space];
  return constant_operand(d) ? WHO_OPERAND : WHO_WORD;
}

void edges_trap(struct cov_collector *k, const struct heddle_record_trap *r) {
  static const uint8_t causes[HEDDLE_CAUSES] = {[HEDDLE_TRAP_MISALIGNED] = 1,
                                                [HEDDLE_TRAP_OUT_OF_RANGE] = 2,
                                                [HEDDLE_TRAP_WRITE_PROTECTED] = 3,
                                                [HEDDLE_TRAP_CONST_RANGE] = 4,
                                                [HEDDLE_TRAP_BUS] = 5};
  const uint32_t at = r->pc / ISA_STEP;
  if (r->cause >= HEDDLE_CAUSES || causes[r->cause] == 0 || at >= k->words || !k->word[at].legal) return;
  const struct word *d = &k->word[at];
  const unsigned who = who_traps(k, d, r);
  HIT(k->c, G_WHO, causes[r->cause] - 1u, who);
  if (r->cause == HEDDLE_TRAP_CONST_RANGE && who == WHO_OPERAND) edges_issue(k, d);
}

static unsigned relate_values(uint32_t a, uint32_t b) {
  if (a == b) return REL_EQUAL;
  if (a == b + 1) return REL_ABOVE;
  if (a + 1 == b) return REL_BELOW;
  if ((a ^ b) == 1u << 31) return REL_SIGN;
  if (a == 0u - b) return REL_NEGATED;
  return a == ~b ? REL_INVERTED : REL_OTHER;
}

void edges_relation(struct cov_collector *k, const struct word *d, const struct stash *s) {
  if (d->related == NOT_HERE) return;
  for (uint32_t rest = s->exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    HIT(k->c, G_RELATION, d->related, relate_values(s->data[0][l], s->data[2][l]));
  }
}

/* Shared and global memory. */

/* ---- shared: a warp's accesses end in order, so the next one closes the last */

void access_shared_end(struct cov_collector *k, struct cov_warp *w) {
  static const uint8_t access[] = {[GA_LOAD] = SA_LOAD, [GA_STORE] = SA_STORE, [GA_ATOM] = SA_ATOM, [GA_RED] = SA_ATOM};
  const struct word *d = w->passing ? word_of(k, w, w->pass_seq) : NULL;
  unsigned most = 0;
  for (unsigned i = 0; i < ROWS_MOST; i++) most = w->passes[i] > most ? w->passes[i] : most;
  w->passing = false;
  if (d == NULL || !d->legal || most == 0) return;
  const unsigned a = d->d.op == ISA_OP_LDSM_16    ? (unsigned)SA_MATRIX
                     : d->d.op == ISA_OP_LDGSTS_E ? (unsigned)SA_STORE
                                                  : access[d->access];
  HIT(k->c, G_SHARED, a, width_of(d->bytes), spread_of(most < 32 ? most : 32));
}

void access_shared(struct cov_collector *k, struct cov_warp *w, const struct heddle_record_shared *r) {
  if (w->passing && w->pass_seq != r->id.seq) access_shared_end(k, w);
  if (!w->passing) memset(w->passes, 0, sizeof w->passes);
  w->passing = true;
  w->pass_seq = r->id.seq;
  w->passes[(unsigned)__builtin_ctz(r->lanes) / k->c->machine->lsu_lanes % ROWS_MOST]++;
}

/* ---- global: neighbours at the point of order */

void access_global(struct cov_collector *k, const struct heddle_record_global *r) {
  const struct heddle_record_global *b = &k->before;
  if (k->has_before) {
    const bool warp = b->id.slot == r->id.slot && b->id.gen == r->id.gen;
    const unsigned who = !warp ? 2 : b->id.seq == r->id.seq ? 0 : 1;
    const unsigned where = b->sector == r->sector ? 0 : b->sector / 4 == r->sector / 4 ? 1 : 2;
    HIT(k->c, G_ORDER, b->access, r->access, who, where);
  }
  k->has_before = true;
  k->before.id = r->id;
  k->before.sector = r->sector;
  k->before.access = r->access;
}

/* ---- global: addresses */

struct reach {
  uint64_t at[HEDDLE_LANES];
  unsigned lanes;
};

/* False: some lane traps, or goes elsewhere by a generic address. */
static bool find_reach(const struct word *d, const struct stash *s, struct reach *a) {
  const int64_t off = heddle_isa_get_signed(d->d.word, ISA_F_OFF24);
  const bool wide = d->d.src[0].words == 2;
  a->lanes = 0;
  for (uint32_t rest = s->exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t base = s->data[0][l] | (wide ? (uint64_t)s->data[1][l] << 32 : 0);
    const uint64_t at = base + (uint64_t)off;
    if (at >> 40 != 0 || at % d->bytes != 0) return false;
    a->at[a->lanes++] = at;
  }
  return a->lanes != 0;
}

static unsigned sectors_of(const struct reach *a) {
  unsigned n = 0;
  for (unsigned i = 0; i < a->lanes; i++) {
    unsigned k = 0;
    while (k < i && a->at[k] / 32 != a->at[i] / 32) k++;
    n += k == i;
  }
  return n;
}

/* Aligned accesses of one width overlap where they are the same. */
static bool overlap(const struct reach *a) {
  for (unsigned i = 1; i < a->lanes; i++)
    for (unsigned k = 0; k < i; k++)
      if (a->at[k] == a->at[i]) return true;
  return false;
}

void access_addresses(struct cov_collector *k, const struct word *d, const struct stash *s) {
  struct reach a;
  if (!find_reach(d, s, &a)) return;
  const unsigned begins = a.at[0] % 128 == 0 ? 0 : a.at[0] % 32 == 0 ? 1 : 2;
  HIT(k->c, G_GLOBAL, d->access, width_of(d->bytes), spread_of(sectors_of(&a)), begins, overlap(&a));
}
