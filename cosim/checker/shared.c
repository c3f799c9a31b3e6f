/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared-memory perform records: one pass over the 32 banks.
 */
#include "cosim/checker/internal.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <string.h>

/* A usual pass over the banks of shared memory, all lanes at once.
 *
 * Usual: words of the SM's memory are words of the block, and no lane's bytes leave a row of the banks. Then a lane is
 * told by the bank of its first word; the others follow. */

struct pass {
  bool usual;
  unsigned words, bytes;               /* words that a lane touches, bytes of the first one */
  uint32_t mask;                       /* the bits of a word that count */
  uint32_t on[HEDDLE_RECORD_LANES];    /* all ones: the lane takes part */
  uint32_t bank[HEDDLE_RECORD_LANES];  /* of its first word */
  uint32_t shift[HEDDLE_RECORD_LANES]; /* of its first byte in that, in bits */
};

/* Loops over all lanes, without branches: compilers make vectors of them. */

/* GCC chooses between clones before main; sanitizers and clang's fuzzers are not ready for that. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&          \
    !defined(__SANITIZE_THREAD__)
#define FOR_EACH_MACHINE __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_MACHINE
#endif

#define BASE_MOST (1u << 30) /* sums of a base and an address stay in 32 bits: the model has checked the address */

/* Bits of what is wrong with the lanes' first words. */
FOR_EACH_MACHINE
static uint32_t first_words(struct pass *p, uint32_t lanes, const uint64_t *addr, uint32_t base, uint32_t *row,
                            uint32_t *banks) {
  const uint32_t last = HEDDLE_RECORD_BANKS - p->words, part = p->bytes - 1;
  const uint32_t touched = p->words >= 32 ? ~0u : (1u << p->words) - 1;
  uint32_t wrong = 0, all = 0;
  for (unsigned l = 0; l < HEDDLE_RECORD_LANES; l++) {
    const uint32_t on = 0u - (lanes >> l & 1u), first = ((uint32_t)addr[l] + base) & on;
    const uint32_t bank = first / 4 % HEDDLE_RECORD_BANKS;
    p->on[l] = on;
    p->bank[l] = bank;
    p->shift[l] = first % 4 * 8;
    row[l] = first / 4 / HEDDLE_RECORD_BANKS;
    wrong |= (first & part) | (bank > last && on != 0 ? 1u : 0u);
    all |= touched << bank & on;
  }
  *banks = all;
  return wrong;
}

/* Word k of each lane, from what the banks show. */
static inline void lane_words(const struct pass *p, const uint32_t *banks, unsigned k, uint32_t *to) {
#ifdef __AVX512F__
  _Static_assert(HEDDLE_RECORD_BANKS == 32, "two registers, of which five bits choose");
  const __m512i low = _mm512_loadu_si512(banks), high = _mm512_loadu_si512(banks + 16);
  for (unsigned l = 0; l < HEDDLE_RECORD_LANES; l += 16) {
    const __m512i at = _mm512_add_epi32(_mm512_loadu_si512(p->bank + l), _mm512_set1_epi32((int)k));
    _mm512_storeu_si512(to + l, _mm512_permutex2var_epi32(low, at, high));
  }
#else
  for (unsigned l = 0; l < HEDDLE_RECORD_LANES; l++) to[l] = banks[(p->bank[l] + k) % HEDDLE_RECORD_BANKS];
#endif
}

FOR_EACH_MACHINE
static uint32_t rows_wrong(const struct pass *p, const uint32_t *row, const uint32_t *shown) {
  uint32_t wrong = 0, got[HEDDLE_RECORD_LANES];
  for (unsigned k = 0; k < p->words; k++) {
    lane_words(p, shown, k, got);
    for (unsigned l = 0; l < HEDDLE_RECORD_LANES; l++) wrong |= (got[l] ^ row[l]) & p->on[l];
  }
  return wrong;
}

/* Where the lanes of the record lie: accesses of `bytes` at base + addr. False, and not usual: some word's bank is not
 * enabled with that word's row, or another bank is; or the pass is an unusual one. */
static bool pass_place(struct pass *p, const struct heddle_record_shared *r, const uint64_t *addr, uint64_t base,
                       unsigned bytes) {
  uint32_t row[HEDDLE_RECORD_LANES], shown[HEDDLE_RECORD_BANKS], banks;
  p->usual = false;
  if (bytes == 0 || bytes > 16 || base % 4 != 0 || base > BASE_MOST) return false;
  p->bytes = bytes < 4 ? bytes : 4;
  p->words = bytes / p->bytes;
  p->mask = p->bytes == 4 ? ~0u : (1u << 8 * p->bytes) - 1;
  if (first_words(p, r->lanes, addr, (uint32_t)base, row, &banks) != 0 || banks != r->bank_en) return false;
  for (unsigned b = 0; b < HEDDLE_RECORD_BANKS; b++) shown[b] = r->row[b];
  p->usual = rows_wrong(p, row, shown) == 0;
  return p->usual;
}

FOR_EACH_MACHINE
static uint32_t words_wrong(const struct pass *p, const uint32_t *banks, const uint32_t (*want)[HEDDLE_RECORD_LANES]) {
  uint32_t wrong = 0, got[HEDDLE_RECORD_LANES];
  for (unsigned k = 0; k < p->words; k++) {
    lane_words(p, banks, k, got);
    for (unsigned l = 0; l < HEDDLE_RECORD_LANES; l++) wrong |= (want[k][l] ^ got[l] >> p->shift[l]) & p->on[l];
  }
  return wrong & p->mask;
}

/* Do the banks show want[word][lane] in all lanes of a usual pass? */
static bool pass_shows(const struct pass *p, const uint32_t *banks, const uint32_t (*want)[HEDDLE_RECORD_LANES]) {
  return words_wrong(p, banks, want) == 0;
}

/* Shared-memory perform records: one pass over the 32 banks. */

/* Word index in the SM's shared memory of byte `at` of a lane's access. */
static uint64_t shared_word(const struct heddle_checker *c, unsigned lane, unsigned at) {
  return (warp_block(c->w)->shared_base + entry_shared_addr(c->e)[lane] + at) / 4;
}

static bool lane_address(struct heddle_checker *c, const struct heddle_record_shared *r, unsigned lane,
                         uint32_t *banks) {
  for (unsigned at = 0; at < c->e->mem_bytes; at += 4) {
    const uint64_t word = shared_word(c, lane, at);
    const unsigned bank = (unsigned)(word % HEDDLE_RECORD_BANKS);
    *banks |= lane_bit(bank);
    if ((r->bank_en >> bank & 1u) != 0 && r->row[bank] == word / HEDDLE_RECORD_BANKS) continue;
    if (!checker_on(c, HEDDLE_CHECKER_PERFORM_ADDRESS)) continue;
    return differ_mask(c, HEDDLE_CHECKER_PERFORM_ADDRESS, "bank and row", lane_bit(lane),
                       "lane %u accesses bank %u row %llu (byte 0x%llx of its block); the record: bank %s, row %u",
                       lane, bank, (unsigned long long)(word / HEDDLE_RECORD_BANKS),
                       (unsigned long long)entry_shared_addr(c->e)[lane] + at,
                       (r->bank_en >> bank & 1u) != 0 ? "enabled" : "not enabled", r->row[bank]);
  }
  return true;
}

static bool check_address(struct heddle_checker *c, const struct heddle_record_shared *r, struct pass *u) {
  if (pass_place(u, r, entry_shared_addr(c->e), warp_block(c->w)->shared_base, c->e->mem_bytes)) return true;
  uint32_t banks = 0;
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1)
    if (!lane_address(c, r, (unsigned)__builtin_ctz(rest), &banks)) return false;
  return same(c, HEDDLE_CHECKER_PERFORM_ADDRESS, "banks enabled", banks, r->bank_en);
}

/* Lanes of an older access of the warp to shared memory, those that touch bytes of `lanes`. */
static uint32_t same_bytes(const struct entry *e, uint32_t lanes, const struct entry *o) {
  const uint64_t *mine = entry_shared_addr(e);
  uint32_t found = 0;
  for (uint32_t rest = o->mem_open & o->in_shared; rest != 0; rest &= rest - 1) {
    const unsigned k = (unsigned)__builtin_ctz(rest);
    for (uint32_t l = lanes; l != 0; l &= l - 1) {
      const uint64_t x = mine[__builtin_ctz(l)], y = o->fx.mem_addr[k];
      if (x < y + o->mem_bytes && y < x + e->mem_bytes) found |= lane_bit(k);
    }
  }
  return found;
}

/* A warp's accesses to shared memory are performed in program order; a copy's store behind those of its bytes. Nobody
 * waits for a copy. */
static bool check_order(struct heddle_checker *c, uint32_t lanes) {
  const bool copies = entry_copies(c->e);
  if (c->w->open_shared < (copies ? 1 : 2) || !checker_on(c, HEDDLE_CHECKER_PERFORM_ORDER)) return true;
  struct entry *o;
  for (struct walk it = walk_open(c->w); (o = walk_next(c->w, &it)) != NULL;) {
    if (o->seq >= c->e->seq || (o->mem_open & o->in_shared) == 0) continue;
    const uint32_t first = copies ? same_bytes(c->e, lanes, o) : o->mem_open & o->in_shared;
    if (first != 0)
      return differ_mask(c, HEDDLE_CHECKER_PERFORM_ORDER, "shared memory", first,
                         "the older seq %u (pc 0x%x) is not wholly performed", o->seq, o->pc);
  }
  return true;
}

/* A copy stores what it has loaded. */
static bool check_loaded(struct heddle_checker *c, uint32_t lanes) {
  return !entry_copies(c->e) || no_lanes(c, HEDDLE_CHECKER_PERFORM_ORDER, "copy", lanes & c->e->mem_open,
                                         "stored before they have been loaded");
}

static bool overlap(const struct entry *e, unsigned a, unsigned b) {
  const uint64_t x = entry_shared_addr(e)[a], y = entry_shared_addr(e)[b];
  return x < y + e->mem_bytes && y < x + e->mem_bytes;
}

/* Of lanes that collide, the highest wins (stores) and the lowest goes first (atomics): a lower lane may not be left
 * over. */
static bool check_pass_lanes(struct heddle_checker *c, const struct heddle_record_shared *r) {
  const uint32_t left = entry_shared_open(c->e) & ~r->lanes;
  if (left == 0 || r->access == HEDDLE_RECORD_LOAD || !checker_on(c, HEDDLE_CHECKER_PERFORM_LANES)) return true;
  for (uint32_t a = left; a != 0; a &= a - 1) {
    const unsigned low = (unsigned)__builtin_ctz(a);
    const uint32_t above = low == 31 ? 0 : r->lanes & ~0u << (low + 1);
    for (uint32_t b = above; b != 0; b &= b - 1)
      if (overlap(c->e, low, (unsigned)__builtin_ctz(b)))
        return differ_mask(c, HEDDLE_CHECKER_PERFORM_LANES, "pass", lane_bit(low),
                           "lane %u is left over though lane %d touches the same bytes", low, __builtin_ctz(b));
  }
  return true;
}

static void expect_strobes(const struct heddle_checker *c, unsigned lane, const struct pass *u,
                           uint8_t want[HEDDLE_RECORD_BANKS]) {
  if (u->usual && u->bytes == 4) {
    for (unsigned k = 0; k < u->words; k++) want[u->bank[lane] + k] = 15;
    return;
  }
  for (unsigned at = 0; at < c->e->mem_bytes; at++) {
    const unsigned bank = (unsigned)(shared_word(c, lane, at) % HEDDLE_RECORD_BANKS);
    want[bank] = (uint8_t)(want[bank] | 1u << ((entry_shared_addr(c->e)[lane] + at) % 4));
  }
}

static bool check_strobe(struct heddle_checker *c, const struct heddle_record_shared *r, const struct pass *u) {
  if (r->access == HEDDLE_RECORD_LOAD || !checker_on(c, HEDDLE_CHECKER_PERFORM_STROBE)) return true;
  uint8_t want[HEDDLE_RECORD_BANKS] = {0};
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1) expect_strobes(c, (unsigned)__builtin_ctz(rest), u, want);
  if (memcmp(want, r->wstrb, sizeof want) == 0) return true;
  for (unsigned b = 0; b < HEDDLE_RECORD_BANKS; b++)
    if ((r->bank_en >> b & 1u) != 0 && want[b] != r->wstrb[b])
      return differ(c, HEDDLE_CHECKER_PERFORM_STROBE, "byte strobes", "bank %u: expected 0x%x, got 0x%x", b, want[b],
                    r->wstrb[b]);
  return true;
}

/* The lane's bytes as the record's banks show them: 16 at most, which compilers cannot know of mem_bytes. */
static void gather_lane(const struct heddle_checker *c, const uint32_t *banks, unsigned lane, uint8_t out[16]) {
  for (unsigned at = 0; at < c->e->mem_bytes && at < 16; at++) {
    const uint32_t word = banks[shared_word(c, lane, at) % HEDDLE_RECORD_BANKS];
    out[at] = (uint8_t)(word >> 8 * ((entry_shared_addr(c->e)[lane] + at) % 4));
  }
}

/* The bytes of a lane are what the banks show. */
static inline bool lane_agrees(const struct pass *u, const uint32_t *banks, unsigned lane, const uint8_t *want) {
  const uint32_t *got = banks + u->bank[lane];
  uint32_t wrong = 0, word;
  for (unsigned k = 0; k < u->words; k++) {
    memcpy(&word, want + 4 * k, 4);
    wrong |= word ^ got[k] >> u->shift[lane];
  }
  return (wrong & u->mask) == 0;
}

static bool compare_lane(struct heddle_checker *c, enum heddle_checker_kind k, const uint32_t *banks, unsigned lane,
                         const uint8_t *want) {
  uint8_t got[16] = {0};
  gather_lane(c, banks, lane, got);
  if (known_bytes_agree(&c->performed, lane, got, want)) return true;
  uint32_t e[HEDDLE_RECORD_LANES] = {0}, g[HEDDLE_RECORD_LANES] = {0};
  unsigned at = 0;
  while (at + 4u < c->e->mem_bytes && memcmp(want + at, got + at, 4) == 0) at += 4;
  const unsigned n = c->e->mem_bytes < 4 ? c->e->mem_bytes : 4;
  memcpy(&e[lane], want + at, n);
  memcpy(&g[lane], got + at, n);
  char subject[48];
  snprintf(subject, sizeof subject, "shared byte 0x%llx", (unsigned long long)entry_shared_addr(c->e)[lane] + at);
  return differ_lanes(c, k, subject, lane_bit(lane), e, g, 0);
}

static bool compare_lanes(struct heddle_checker *c, enum heddle_checker_kind k, const uint32_t *banks, uint32_t lanes,
                          const struct pass *u, uint8_t (*want)[16]) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (u->usual && lane_agrees(u, banks, l, want[l])) continue;
    if (!compare_lane(c, k, banks, l, want[l])) return false;
  }
  return true;
}

/* What the lanes' locations hold now is what the banks show, in all lanes at once. */
static bool shows_bytes(const struct pass *u, const uint32_t *banks, uint8_t (*want)[16]) {
  uint32_t row[4][HEDDLE_RECORD_LANES];
  if (!u->usual) return false;
  for (unsigned k = 0; k < u->words && k < 4; k++)
    for (unsigned l = 0; l < HEDDLE_RECORD_LANES; l++) memcpy(&row[k][l], want[l] + 4 * k, 4);
  return pass_shows(u, banks, (const uint32_t(*)[HEDDLE_RECORD_LANES])row);
}

static bool check_data(struct heddle_checker *c, const struct heddle_record_shared *r, const struct pass *u) {
  if (r->access == HEDDLE_RECORD_LOAD || !checker_on(c, HEDDLE_CHECKER_PERFORM_DATA)) return true;
  const uint32_t lanes = judged_lanes(c, r->lanes, c->performed.bytes_unknown);
  if (lanes == r->lanes && shows_bytes(u, r->wdata, c->performed.new_bytes)) return true;
  return compare_lanes(c, HEDDLE_CHECKER_PERFORM_DATA, r->wdata, r->lanes, u, c->performed.new_bytes);
}

/* Of an atomic's lanes those that come first at their bank: the record shows the word before the first one. */
static uint32_t first_lanes(const struct heddle_checker *c, uint32_t lanes) {
  uint32_t seen = 0, first = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint32_t bank = lane_bit((unsigned)(shared_word(c, l, 0) % HEDDLE_RECORD_BANKS));
    if ((seen & bank) == 0) first |= lane_bit(l);
    seen |= bank;
  }
  return first;
}

/* The registers of a load are the words that it read; whatever is not in order is said in bytes. */
static bool check_load(struct heddle_checker *c, const struct heddle_record_shared *r, const struct pass *u) {
  struct heddle_performed *p = &c->performed;
  const bool row = perform_loads_row(c);
  const uint32_t lanes = judged_lanes(c, r->lanes, p->bytes_unknown);
  if (row && lanes == r->lanes && u->usual && u->words == p->rd_words &&
      pass_shows(u, r->rdata, (const uint32_t(*)[32])p->rd_value))
    return true;
  if (row) perform_row_bytes(c, r->lanes);
  return compare_lanes(c, HEDDLE_CHECKER_PERFORM_RESULT, r->rdata, r->lanes, u, p->old_bytes);
}

static bool check_result(struct heddle_checker *c, const struct heddle_record_shared *r, const struct pass *u) {
  if (r->access == HEDDLE_RECORD_STORE || !checker_on(c, HEDDLE_CHECKER_PERFORM_RESULT)) return true;
  if (r->access == HEDDLE_RECORD_LOAD) return check_load(c, r, u);
  return compare_lanes(c, HEDDLE_CHECKER_PERFORM_RESULT, r->rdata, first_lanes(c, r->lanes), u, c->performed.old_bytes);
}

bool judge_shared(struct heddle_checker *c, const struct heddle_record_shared *r) {
  struct pass u;
  if (!identify(c, &r->id)) return false;
  if (r->access > HEDDLE_RECORD_ATOMIC || r->lanes == 0)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "access", "no lane, or no such access");
  if (!identify_entry(c, r->id.seq) || !perform_admit(c, ISA_SPACE_SHARED, r->access, r->lanes) ||
      !check_order(c, r->lanes) || !check_loaded(c, r->lanes) || !check_address(c, r, &u) || !check_pass_lanes(c, r) ||
      !(entry_copies(c->e) ? perform_store(c, r->lanes) : perform_do(c, r->lanes)))
    return false;
  if (!check_strobe(c, r, &u) || !check_data(c, r, &u) || !check_result(c, r, &u)) return false;
  ledger_close_words(c, c->w, c->e);
  return true;
}
