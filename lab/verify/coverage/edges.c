/* SPDX-License-Identifier: Apache-2.0
 *
 * Edges: where accesses lie in their window, which constant banks are asked for, who traps for what, how operands that
 * are compared relate. Instructions that trap count like others. */
#include "lab/verify/coverage/collect.h"

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
