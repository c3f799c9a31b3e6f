/* SPDX-License-Identifier: Apache-2.0 */
#include "convert_cases.h"

const uint64_t rnd_code[4] = {ISA_RND_RN, ISA_RND_RM, ISA_RND_RP, ISA_RND_RZ};
const uint64_t irnd_code[4] = {ISA_IRND_ROUND, ISA_IRND_FLOOR, ISA_IRND_CEIL, ISA_IRND_TRUNC};
const char *const format_name[3] = {"F16", "F32", "F64"};
const uint64_t ftype_code[3] = {ISA_FTYPE_F16, ISA_FTYPE_F32, ISA_FTYPE_F64};
const uint64_t fto_code[3] = {ISA_FTO_F16, ISA_FTO_F32, ISA_FTO_F64};
const uint64_t rint_code[3] = {ISA_RINT_F16, ISA_RINT_F32, ISA_RINT_F64};

struct mods random_mods(uint64_t *seed) {
  const uint32_t r = rnd32(seed) >> 4;
  return (struct mods){(r & 1) != 0, (r & 2) != 0, (r & 4) != 0, (r & 8) != 0, (r & 16) != 0, (r & 32) != 0};
}

struct heddle_isa_word with_signs(struct heddle_isa_word w, const struct mods *m) {
  return heddle_isa_put(heddle_isa_put(w, ISA_F_NB, m->neg), ISA_F_AB, m->abs);
}

uint64_t with_signs_applied(enum ref_format f, uint64_t u, const struct mods *m) {
  if (m->abs) u &= ~ref_info[f].sign;
  return m->neg ? u ^ ref_info[f].sign : u;
}

void put_source(struct rows *rows, unsigned k, unsigned bits, uint64_t v, bool high, uint64_t *seed) {
  rows->b[k] = (uint32_t)v;
  rows->b_up[0][k] = (uint32_t)(v >> 32);
  if (bits == 16) rows->b[k] = high ? (uint32_t)v << 16 | rnd32(seed) >> 16 : (uint32_t)v | rnd32(seed) << 16;
  if (bits == 8) rows->b[k] = (uint32_t)v | rnd32(seed) << 8;
}

void put_result(struct rows *rows, unsigned k, uint64_t v) {
  rows->d[0][k] = (uint32_t)v;
  rows->d[1][k] = (uint32_t)(v >> 32);
}

bool float_case(enum ref_format f, enum ref_format to, unsigned long n, unsigned long random, uint64_t *seed,
                uint64_t *u) {
  uint64_t v[3] = {0};
  if (f == REF_F16) {
    *u = n & 0xffffu;
    return n < 0x10000u;
  }
  const bool more = ref_case(f, 1, n, random, seed, v);
  *u = v[0];
  if (f <= to || rnd32(seed) % 4 != 0) return more;
  mpfr_t x;
  ref_init(x, f);
  ref_set(x, to, ref_random(to, seed));
  *u = ref_bits(x, 0, f, MPFR_RNDN, false) + rnd32(seed) % 3 - 1; /* at, or beside, a number of the destination */
  if (rnd32(seed) % 2 != 0) *u += UINT64_C(1) << (ref_info[f].digits - ref_info[to].digits - 1); /* a tie */
  *u &= ~UINT64_C(0) >> (64 - ref_info[f].bits);
  mpfr_clear(x);
  return more;
}

unsigned float_turns(enum ref_format f, unsigned long random) {
  return f == REF_F16 ? 1 + (unsigned)(random / 25000) : 1;
}
