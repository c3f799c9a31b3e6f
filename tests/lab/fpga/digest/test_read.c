/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of digests and their reader.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/digest.h>
#include "base/splitmix64.h"
#include "tests/lab/fpga/digest/encode.h"
#include "tests/test.h"

/* The arithmetic of digests against the page's own words, computed another way: products as polynomials of 64 bits,
 * divided at the end. */

/* x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1 */
static uint64_t modulus(void) {
  static const unsigned powers[] = {32, 26, 23, 22, 16, 12, 11, 10, 8, 7, 5, 4, 2, 1, 0};
  uint64_t p = 0;
  for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) p |= UINT64_C(1) << powers[i];
  return p;
}

static uint32_t remainder_of(uint64_t v) {
  for (unsigned i = 64; i-- > 32;)
    if ((v >> i & 1u) != 0) v ^= modulus() << (i - 32);
  return (uint32_t)v;
}

static uint32_t times(uint32_t a, uint32_t b) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 32; i++)
    if ((b >> i & 1u) != 0) v ^= (uint64_t)a << i;
  return remainder_of(v);
}

/* By the page: r = d0 + x^8 d1 + x^16 d2 + ..., term by term. */
static uint32_t by_the_page(uint32_t seq, unsigned kind, unsigned place, unsigned beat, const uint32_t *d, unsigned n) {
  uint32_t r = 0, power = 1;
  for (unsigned i = 0; i < n; i++) {
    r ^= times(power, d[i]);
    power = times(power, 1u << 8);
  }
  const uint64_t t = (seq % 65536u) * UINT64_C(65536) + kind * 16384u + place * 32u + beat;
  const uint64_t whole = UINT64_C(1) << 32, inner = 60133u * (t / 65536u) % whole;
  const uint64_t u = (40503u * (t % 65536u) + inner % 65536u * 65536u + inner / 65536u + UINT64_C(0x9e3779b9)) % whole;
  const uint64_t p = u % 65536u * (u / 65536u);
  const uint64_t g = (p + (u * 2048u % whole + u / (whole / 2048u))) % whole ^ (p % 65536u * 65536u + p / 65536u) ^ u;
  return times(g == 0 ? 1 : (uint32_t)g, r);
}

static void random_items(void **state) {
  uint64_t rng = 1;
  (void)state;
  for (unsigned i = 0; i < 20000; i++) {
    uint32_t d[33];
    const unsigned n = 1 + (unsigned)(splitmix64(&rng) % 33);
    for (unsigned k = 0; k < n; k++) d[k] = (uint32_t)splitmix64(&rng);
    const uint32_t seq = (uint32_t)splitmix64(&rng);
    const unsigned kind = (unsigned)(splitmix64(&rng) % 4), place = (unsigned)(splitmix64(&rng) % 256),
                   beat = (unsigned)(splitmix64(&rng) % 32);
    assert_int_equal(heddle_digest_item(seq, (enum heddle_digest_kind)kind, place, beat, d, n),
                     by_the_page(seq, kind, place, beat, d, n));
  }
}

/* A row in two parts is the row. */
static void parts(void **state) {
  uint64_t rng = 2;
  (void)state;
  for (unsigned i = 0; i < 1000; i++) {
    uint32_t whole[5], one[5], two[5];
    const uint32_t mask = (uint32_t)splitmix64(&rng) & 15u, half = (uint32_t)splitmix64(&rng) & mask;
    for (unsigned k = 0; k < 4; k++) {
      const uint32_t v = (uint32_t)splitmix64(&rng);
      whole[k] = (mask >> k & 1u) != 0 ? v : 0;
      one[k] = (half >> k & 1u) != 0 ? v : 0;
      two[k] = ((mask & ~half) >> k & 1u) != 0 ? v : 0;
    }
    whole[4] = mask;
    one[4] = half;
    two[4] = mask & ~half;
    assert_int_equal(heddle_digest_item(i, HEDDLE_DIGEST_WRITE, 9, 3, whole, 5),
                     heddle_digest_item(i, HEDDLE_DIGEST_WRITE, 9, 3, one, 5) ^
                         heddle_digest_item(i, HEDDLE_DIGEST_WRITE, 9, 3, two, 5));
  }
}

/* A single wrong bit changes a digest, wherever it is; so does the same error twice, in two beats or instructions. */
static void errors(void **state) {
  (void)state;
  for (unsigned bit = 0; bit < 33 * 32; bit++) {
    uint32_t d[33] = {0};
    d[bit / 32] = UINT32_C(1) << bit % 32;
    const uint32_t here = heddle_digest_item(7, HEDDLE_DIGEST_WRITE, 4, 0, d, 33);
    assert_int_not_equal(here, 0);
    for (unsigned beat = 1; beat < 32; beat++)
      assert_int_not_equal(here, heddle_digest_item(7, HEDDLE_DIGEST_WRITE, 4, beat, d, 33));
    for (uint32_t seq = 8; seq < 8 + HEDDLE_DIGEST_WINDOW; seq++)
      assert_int_not_equal(here, heddle_digest_item(seq, HEDDLE_DIGEST_WRITE, 4, 0, d, 33));
  }
}

/* The same error in all lanes of all beats of several instructions next to each other: a digest that is right by chance
 * is one of 2^32. */
static void many_errors(void **state) {
  (void)state;
  for (uint32_t seq = 0; seq < 4000; seq++)
    for (unsigned place = 0; place < 32; place += 5) {
      uint32_t sum = 0;
      const uint32_t d[5] = {1, 1, 1, 1, 0};
      for (uint32_t n = 0; n < 8; n++) {
        for (unsigned beat = 0; beat < 8; beat++)
          sum ^= heddle_digest_item(seq + n, HEDDLE_DIGEST_WRITE, place, beat, d, 5);
        if (sum == 0) fail_msg("seq %u to %u, register %u: cancels", seq, seq + n, place);
      }
    }
}

/* The reader: what was written is read, however the bytes come; whatever a link does to them is a loss, and is told. */

enum { ENTRIES = 400 };

static const struct encode_config machine = {.lanes = 4, .warps = 8, .blocks = 8, .banks = 4, .seed = 3};

/* Every code with every field, numbers of every length. */
static struct heddle_digest_entry entry_of(uint64_t *rng) {
  struct heddle_digest_entry e = {.code = (enum heddle_digest_code)(splitmix64(rng) % HEDDLE_DIGEST_CODES)};
  e.slot = (uint8_t)(splitmix64(rng) % 8);
  const unsigned bits = 1 + (unsigned)(splitmix64(rng) % 30);
  const uint32_t some = (uint32_t)(splitmix64(rng) >> (64 - bits));
  switch (e.code) {
  case HEDDLE_DIGEST_MARK_GLOBAL:
  case HEDDLE_DIGEST_MARK_SHARED:
    e.count = some + 1;
    e.more = splitmix64(rng) % 2 != 0;
    break;
  case HEDDLE_DIGEST_WARP_END:
    e.count = some;
    e.sum[1] = (uint32_t)splitmix64(rng);
    e.sum[0] = (uint32_t)splitmix64(rng);
    break;
  case HEDDLE_DIGEST_CORRECTION:
    e.window = (uint16_t)splitmix64(rng);
    e.sum[0] = (uint32_t)splitmix64(rng);
    break;
  case HEDDLE_DIGEST_NEXT:
    e.sum[0] = (uint32_t)splitmix64(rng);
    break;
  case HEDDLE_DIGEST_CLOCK:
    e.value = splitmix64(rng) >> 16;
    break;
  case HEDDLE_DIGEST_BLOCK_START:
    e.warps = (uint16_t)splitmix64(rng);
    for (unsigned i = 0; i < 3; i++) e.ctaid[i] = some >> i;
    break;
  case HEDDLE_DIGEST_TRAP:
    e.seq = some;
    e.pc = (uint32_t)splitmix64(rng);
    e.lanes = (uint32_t)splitmix64(rng);
    e.cause = (uint8_t)splitmix64(rng);
    e.value = splitmix64(rng);
    break;
  default:
    break;
  }
  return e;
}

struct sample {
  struct heddle_digest_entry e[ENTRIES];
  struct encode_bytes b;
};

static void make(struct sample *s, uint64_t seed) {
  uint64_t rng = seed;
  uint32_t number = (uint32_t)seed;
  memset(s, 0, sizeof *s);
  for (size_t i = 0; i < ENTRIES; i++) s->e[i] = entry_of(&rng);
  struct encode_config c = machine;
  c.seed = seed;
  encode_bytes(&c, s->e, ENTRIES, &number, &s->b);
}

static bool same(const struct heddle_digest_entry *a, const struct heddle_digest_entry *b) {
  return a->code == b->code && a->slot == b->slot && a->more == b->more && a->cause == b->cause &&
         a->window == b->window && a->warps == b->warps && a->count == b->count && a->sum[0] == b->sum[0] &&
         a->sum[1] == b->sum[1] && memcmp(a->ctaid, b->ctaid, sizeof a->ctaid) == 0 && a->seq == b->seq &&
         a->pc == b->pc && a->lanes == b->lanes && a->value == b->value;
}

/* How many entries came before the end or a loss; each must be the sample's. */
static size_t read_back(const struct sample *s, const uint8_t *p, size_t n, size_t step,
                        struct heddle_digest_state *out) {
  struct heddle_digest_decoder *d = heddle_digest_new();
  struct heddle_digest_entry e;
  size_t came = 0;
  assert_non_null(d);
  heddle_digest_launch(d);
  for (size_t at = 0; at < n;) {
    const size_t part = n - at < step ? n - at : step;
    at += heddle_digest_give(d, p + at, part);
    while (heddle_digest_next(d, &e)) {
      assert_true(came < ENTRIES && same(&e, &s->e[came]));
      came++;
    }
  }
  heddle_digest_over(d);
  *out = *heddle_digest_look(d);
  heddle_digest_free(d);
  return came;
}

static void right(void **state) {
  struct sample s;
  struct heddle_digest_state st;
  (void)state;
  for (uint64_t seed = 1; seed <= 50; seed++) {
    make(&s, seed);
    assert_true(heddle_digest_begins(s.b.at, s.b.n));
    for (size_t step = 1; step <= s.b.n + 1; step = step * 7 + 1) {
      assert_int_equal(read_back(&s, s.b.at, s.b.n, step, &st), ENTRIES);
      assert_true(st.ended && !st.lost);
      assert_true(st.lanes == 4 && st.warps == 8 && st.blocks == 8 && st.banks == 4);
    }
    free(s.b.at);
  }
}

/* At place `at`: a byte changed, lost, twice, the rest gone, or swapped with the next. Length 0: it changes nothing. */
static size_t spoil(const struct sample *s, size_t at, unsigned how, uint8_t *to) {
  const uint8_t *p = s->b.at;
  const size_t n = s->b.n;
  memcpy(to, p, n);
  switch (how) {
  case 0:
    to[at] = (uint8_t)(to[at] ^ 1u << at % 8);
    return n;
  case 1:
    memmove(to + at, p + at + 1, n - at - 1);
    return n - 1;
  case 2:
    memcpy(to + at + 1, p + at, n - at);
    return n + 1;
  case 3:
    return at;
  default:
    if (at + 1 == n || p[at] == p[at + 1]) return 0;
    to[at] = p[at + 1];
    to[at + 1] = p[at];
    return n;
  }
}

static void every_byte(void **state) {
  struct sample s;
  struct heddle_digest_state st;
  (void)state;
  make(&s, 5);
  uint8_t *to = malloc(s.b.n + 1);
  assert_non_null(to);
  for (size_t at = 0; at < s.b.n; at++)
    for (unsigned how = 0; how < 5; how++) {
      const size_t n = spoil(&s, at, how, to);
      if (n == 0 && how != 3) continue;
      (void)read_back(&s, to, n, n + 1, &st);
      if (!st.lost) fail_msg("byte %zu, spoiled in way %u, is no loss", at, how);
      assert_true(st.why[0] != '\0' && st.lost_offset <= st.bytes);
    }
  free(to);
  free(s.b.at);
}

/* A whole frame lost, and one twice. */
static void frames(void **state) {
  struct sample s;
  struct heddle_digest_state st;
  (void)state;
  make(&s, 6);
  uint8_t *to = malloc(2 * s.b.n);
  assert_non_null(to);
  size_t from = 0;
  for (size_t i = 0; i < s.b.n; i++) {
    if (s.b.at[i] != 0xc0) continue;
    const size_t end = i + 1, length = end - from;
    memcpy(to, s.b.at, from);
    memcpy(to + from, s.b.at + end, s.b.n - end);
    (void)read_back(&s, to, s.b.n - length, s.b.n, &st);
    assert_true(st.lost);
    memcpy(to, s.b.at, end);
    memcpy(to + end, s.b.at + from, s.b.n - from);
    (void)read_back(&s, to, s.b.n + length, s.b.n, &st);
    assert_true(st.lost);
    from = end;
  }
  free(to);
  free(s.b.at);
}

/* What is no launch of digests is told apart at its first frame. */
static void others(void **state) {
  struct sample s;
  (void)state;
  make(&s, 7);
  assert_false(heddle_digest_begins(s.b.at, 5));
  s.b.at[5] ^= 1; /* the format, under the same check word */
  assert_false(heddle_digest_begins(s.b.at, s.b.n));
  free(s.b.at);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_items), cmocka_unit_test(parts),
                                     cmocka_unit_test(errors),       cmocka_unit_test(many_errors),
                                     cmocka_unit_test(right),        cmocka_unit_test(every_byte),
                                     cmocka_unit_test(frames),       cmocka_unit_test(others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
