/* SPDX-License-Identifier: Apache-2.0
 *
 * Short words, and where instructions lie (isa/doc/13-short-words.md).
 */
#include "isa/lib/isa_internal.h"

#define PAIR (UINT64_C(1) << 63) /* of the upper half of a place, and of each short word */
#define HALF_BYTES 8u

static uint64_t bits_of(uint64_t v, unsigned lo, unsigned n) {
  return v >> lo & ((UINT64_C(1) << n) - 1);
}

static uint64_t sign_extend(uint64_t v, unsigned bits) {
  const uint64_t sign = UINT64_C(1) << (bits - 1);
  return (v ^ sign) - sign;
}

static struct heddle_isa_word either(struct heddle_isa_word a, struct heddle_isa_word b) {
  return (struct heddle_isa_word){a.lo | b.lo, a.hi | b.hi};
}

static bool equal(struct heddle_isa_word a, struct heddle_isa_word b) {
  return a.lo == b.lo && a.hi == b.hi;
}

/* The number of a short word, or its register b, in its place. */
static struct heddle_isa_word number_of(uint64_t s, enum short_kind kind) {
  const struct heddle_isa_word zero = {0, 0};
  const uint64_t twenty = bits_of(s, 32, 12) << 8 | bits_of(s, 16, 8);
  switch (kind) {
  case SHORT_INT:
    return heddle_isa_put(zero, ISA_F_IMM, sign_extend(twenty, 20));
  case SHORT_HIGH:
    return heddle_isa_put(zero, ISA_F_IMM, twenty << 12);
  case SHORT_OFFSET:
    return heddle_isa_put(heddle_isa_put(zero, ISA_F_OFF24, sign_extend(bits_of(s, 32, 12), 12)), ISA_F_RB,
                          bits_of(s, 16, 8));
  case SHORT_CONST:
    return heddle_isa_put(heddle_isa_put(zero, ISA_F_COFF, (bits_of(s, 32, 6) << 8 | bits_of(s, 16, 8)) << 2),
                          ISA_F_CBANK, bits_of(s, 38, 5));
  default:
    return heddle_isa_put(zero, ISA_F_RB, bits_of(s, 16, 8));
  }
}

struct heddle_isa_word heddle_isa_lengthen(uint64_t s) {
  struct heddle_isa_word w = {0, 0};
  const unsigned row = (unsigned)bits_of(s, 55, 8), code = (unsigned)bits_of(s, 48, 7);
  if ((s & PAIR) == 0 || row >= isa_short_row_count) return w;
  w = heddle_isa_put(w, ISA_F_PG, bits_of(s, 44, 4));
  w = heddle_isa_put(w, ISA_F_RC, bits_of(s, 24, 8));
  w = heddle_isa_put(w, ISA_F_RA, bits_of(s, 8, 8));
  w = heddle_isa_put(w, ISA_F_RD, bits_of(s, 0, 8));
  if (code < isa_short_code_count) w = either(w, isa_short_codes[code]);
  return either(either(w, isa_short_rows[row].bits), number_of(s, (enum short_kind)isa_short_rows[row].kind));
}

/* The other way, of a word that has a number of this kind. */
static uint64_t number_in(struct heddle_isa_word w, enum short_kind kind) {
  uint64_t v = 0;
  switch (kind) {
  case SHORT_INT:
  case SHORT_HIGH:
    v = heddle_isa_get(w, ISA_F_IMM) >> (kind == SHORT_HIGH ? 12 : 0);
    return bits_of(v, 8, 12) << 32 | bits_of(v, 0, 8) << 16;
  case SHORT_OFFSET:
    return bits_of(heddle_isa_get(w, ISA_F_OFF24), 0, 12) << 32 | heddle_isa_get(w, ISA_F_RB) << 16;
  case SHORT_CONST:
    v = heddle_isa_get(w, ISA_F_COFF) >> 2;
    return bits_of(v, 8, 6) << 32 | bits_of(v, 0, 8) << 16 | heddle_isa_get(w, ISA_F_CBANK) << 38;
  default:
    return heddle_isa_get(w, ISA_F_RB) << 16;
  }
}

/* One more than the row of the word's control code; 0: there is none. */
static unsigned code_in(struct heddle_isa_word w) {
  const struct heddle_isa_word code = {w.lo & isa_short_code_mask.lo, w.hi & isa_short_code_mask.hi};
  for (unsigned i = 0; i < isa_short_code_count; i++)
    if (equal(code, isa_short_codes[i])) return i + 1;
  return 0;
}

bool heddle_isa_shorten(struct heddle_isa_word w, uint64_t *word) {
  const unsigned code = code_in(w);
  if (code == 0) return false;
  const uint64_t rest = PAIR | (uint64_t)(code - 1) << 48 | heddle_isa_get(w, ISA_F_PG) << 44 |
                        heddle_isa_get(w, ISA_F_RC) << 24 | heddle_isa_get(w, ISA_F_RA) << 8 |
                        heddle_isa_get(w, ISA_F_RD);
  for (unsigned i = 0; i < isa_short_row_count; i++) {
    const struct short_row *r = &isa_short_rows[i];
    if ((r->bits.lo & ~w.lo) != 0 || (r->bits.hi & ~w.hi) != 0) continue;
    const uint64_t s = rest | (uint64_t)i << 55 | number_in(w, (enum short_kind)r->kind);
    if (!equal(heddle_isa_lengthen(s), w)) continue;
    *word = s;
    return true;
  }
  return false;
}

/* ---- places */

static bool is_pair(struct heddle_isa_word place) {
  return ISA_STEP < ISA_WORD_BYTES && (place.hi & PAIR) != 0;
}

bool heddle_isa_fetch(const uint8_t *code, uint32_t pc, struct heddle_isa_word *w, uint32_t *bytes) {
  const uint32_t at = pc % ISA_WORD_BYTES;
  const struct heddle_isa_word place = heddle_isa_word_load(code + (pc - at));
  if (is_pair(place)) {
    *w = heddle_isa_lengthen(at == 0 ? place.lo : place.hi);
    *bytes = HALF_BYTES;
    return true;
  }
  *w = place;
  *bytes = ISA_WORD_BYTES - at;
  return at == 0;
}

bool heddle_isa_replace(uint8_t *code, uint32_t pc, struct heddle_isa_word w) {
  const uint32_t at = pc % ISA_WORD_BYTES;
  struct heddle_isa_word place = heddle_isa_word_load(code + (pc - at));
  if (is_pair(place)) {
    if (!heddle_isa_shorten(w, at == 0 ? &place.lo : &place.hi)) return false;
    w = place;
  }
  heddle_isa_word_store(code + (pc - at), w);
  return true;
}

uint32_t heddle_isa_before(const uint8_t *code, uint32_t pc) {
  if (pc % ISA_WORD_BYTES != 0) return pc - pc % ISA_WORD_BYTES;
  return pc - (is_pair(heddle_isa_word_load(code + pc - ISA_WORD_BYTES)) ? HALF_BYTES : ISA_WORD_BYTES);
}
