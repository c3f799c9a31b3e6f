/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass over the banks in loops over all lanes, without branches: compilers make vectors of them.
 */
#include "pass.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

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

bool pass_place(struct pass *p, const struct heddle_record_shared *r, const uint64_t *addr, uint64_t base,
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

bool pass_shows(const struct pass *p, const uint32_t *banks, const uint32_t (*want)[HEDDLE_RECORD_LANES]) {
  return words_wrong(p, banks, want) == 0;
}
