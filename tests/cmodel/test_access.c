/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops over lanes of loads and stores (sem/access.c), in every build that
 * this processor can run, against one lane at a time.
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/rows.h"

#define BYTES 4096u
#define ROUNDS 300u

static const unsigned size_bytes[SEM_SIZES] = {1, 1, 2, 2, 4, 8, 16};

struct state {
  uint8_t memory[BYTES];
  uint32_t on[32], at[32], data[4][32], before[4][32], lanes;
};

/* One at least. */
static uint32_t some_lanes(uint64_t *seed) {
  const uint32_t any = rnd32(seed);
  return any | 1u << rnd32(seed) % 32;
}

static void random_state(struct state *s, uint64_t *seed, unsigned bytes, unsigned stride) {
  s->lanes = rnd32(seed) % 3 == 0 ? ~0u : rnd32(seed);
  const unsigned room = BYTES - 4 * stride - 16;
  for (unsigned i = 0; i < BYTES; i++) s->memory[i] = (uint8_t)rnd32(seed);
  for (unsigned i = 0; i < 32; i++) {
    s->on[i] = (s->lanes >> i & 1) != 0 ? ~0u : 0;
    const uint32_t below = rnd32(seed) % 2 == 0 ? 64 : room;
    s->at[i] = rnd32(seed) % below / bytes * bytes;
    for (unsigned k = 0; k < 4; k++) {
      s->data[k][i] = rnd32(seed);
      s->before[k][i] = rnd32(seed);
    }
  }
}

/* Word k of a lane whose bytes begin at `place`. */
static uint32_t word_at(const struct state *s, unsigned size, uint32_t place, unsigned stride, unsigned k) {
  const uint8_t *p = s->memory + place + stride * k;
  switch (size) {
  case SEM_U8:
    return p[0];
  case SEM_S8:
    return (uint32_t)(int32_t)(int8_t)p[0];
  case SEM_U16:
    return p[0] + 256u * p[1];
  case SEM_S16:
    return (uint32_t)(int32_t)(int16_t)(uint16_t)(p[0] + 256u * p[1]);
  default:
    return p[0] + 256u * p[1] + 65536u * p[2] + 16777216u * p[3];
  }
}

static void check_load(const struct state *s, const uint32_t got[4][32], unsigned size, const uint32_t place[32],
                       unsigned stride, const char *what) {
  const unsigned words = size_bytes[size] < 4 ? 1 : size_bytes[size] / 4;
  for (unsigned k = 0; k < 4; k++)
    for (unsigned i = 0; i < 32; i++) {
      const bool read = k < words && (s->lanes >> i & 1) != 0;
      const uint32_t want = read ? word_at(s, size, place[i], stride, k) : s->before[k][i];
      if (got[k][i] != want) fail_msg("%s size %u lane %u word %u: %08x, want %08x", what, size, i, k, got[k][i], want);
    }
}

static void loads(const struct sem_access_rows *rows, uint64_t *seed, unsigned size) {
  const unsigned bytes = size_bytes[size], stride = rnd32(seed) % 2 == 0 ? 4 : 128;
  struct state s;
  uint32_t d[4][32], line[32];
  random_state(&s, seed, bytes, stride);
  memcpy(d, s.before, sizeof d);
  rows->load_at[size](d[0], s.on, s.memory, s.at, stride);
  check_load(&s, (const uint32_t(*)[32])d, size, s.at, stride, "load_at");
  const uint32_t first = rnd32(seed) % (BYTES - 32 * bytes);
  for (unsigned i = 0; i < 32; i++) line[i] = first + i * bytes;
  memcpy(d, s.before, sizeof d);
  rows->load_line[size](d[0], s.on, s.memory + first);
  check_load(&s, (const uint32_t(*)[32])d, size, line, 4, "load_line");
}

/* Ascending lanes, byte by byte. */
static void store_reference(struct state *s, unsigned size, const uint32_t place[32], unsigned stride, uint32_t lanes) {
  for (unsigned i = 0; i < 32; i++)
    for (unsigned n = 0; n < size_bytes[size] && (lanes >> i & 1) != 0; n++)
      s->memory[place[i] + stride * (n / 4) + n % 4] = (uint8_t)(s->data[n / 4][i] >> (8 * (n % 4)));
}

static void stores(const struct sem_access_rows *rows, uint64_t *seed, unsigned size) {
  const unsigned bytes = size_bytes[size], stride = rnd32(seed) % 2 == 0 ? 4 : 128;
  struct state s, want;
  uint32_t line[32];
  random_state(&s, seed, bytes, stride);
  want = s;
  store_reference(&want, size, s.at, stride, s.lanes);
  rows->store_at[size](s.memory, s.at, s.data[0], s.lanes, stride);
  assert_memory_equal(s.memory, want.memory, BYTES);
  const uint32_t first = rnd32(seed) % (BYTES - 32 * bytes);
  for (unsigned i = 0; i < 32; i++) line[i] = first + i * bytes;
  store_reference(&want, size, line, 4, ~0u);
  rows->store_line[size](s.memory + first, s.data[0]);
  assert_memory_equal(s.memory, want.memory, BYTES);
}

/* Marks with few holes, of one bit or more. */
static void marks(const struct sem_access_rows *rows, uint64_t *seed, unsigned size) {
  const unsigned bytes = size_bytes[size], stride = rnd32(seed) % 2 == 0 ? 4 : 128;
  struct state s;
  random_state(&s, seed, bytes, stride);
  memset(s.memory, 0xff, BYTES);
  for (unsigned n = rnd32(seed) % 40; n > 0; n--) {
    const uint8_t bit = (uint8_t)(1u << rnd32(seed) % 8);
    s.memory[rnd32(seed) % BYTES] &= (uint8_t)~bit;
  }
  const uint32_t first = rnd32(seed) % (BYTES - 32 * bytes);
  bool hole_at = false, hole_line = false;
  for (unsigned i = 0; i < 32; i++)
    for (unsigned n = 0; n < bytes && (s.lanes >> i & 1) != 0; n++) {
      hole_at = hole_at || s.memory[s.at[i] + stride * (n / 4) + n % 4] != 0xff;
      hole_line = hole_line || s.memory[first + i * bytes + n] != 0xff;
    }
  assert_int_equal(rows->unset_at[size](s.on, s.memory, s.at, stride) != 0, hole_at);
  assert_int_equal(rows->unset_line[size](s.on, s.memory + first) != 0, hole_line);
}

static void rows_of_each_size(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (unsigned build = 0; build < 8; build++) {
    const struct sem_build *b = sem_build(build);
    for (unsigned n = 0; b != NULL && n < ROUNDS * SEM_SIZES; n++) {
      loads(b->access, &seed, n % SEM_SIZES);
      stores(b->access, &seed, n % SEM_SIZES);
      marks(b->access, &seed, n % SEM_SIZES);
    }
  }
}

/* ---- addresses ---- */

/* Addresses near a window of 32 bits; now and then a lane outside, or in a line, or all in one place. */
static void random_addresses(uint64_t *seed, const struct sem_place *p, uint32_t lo[32], uint32_t hi[32]) {
  const unsigned kind = rnd32(seed) % 4;
  const uint32_t start = rnd32(seed) % 8192 * 4, step = kind == 0 ? p->step : 4 * (rnd32(seed) % 5);
  for (unsigned i = 0; i < 32; i++) {
    const uint64_t place = p->from + (kind == 3 ? rnd32(seed) % 8192 * 4 : start + i * step);
    uint64_t address = place - p->delta;
    if (rnd32(seed) % 100 == 0) address ^= UINT64_C(1) << rnd32(seed) % 64;
    lo[i] = (uint32_t)address;
    hi[i] = (uint32_t)(address >> 32);
  }
}

static void locate_once(const struct sem_access_rows *rows, uint64_t *seed, bool wide) {
  struct sem_place p = {.delta = splitmix64(seed), .align = 3, .room = 65536};
  p.from = rnd32(seed) % 4096 * 4;
  uint32_t lo[32], hi[32], on[32], at[32], exec = some_lanes(seed);
  p.step = rnd32(seed) % 2 * 4;
  random_addresses(seed, &p, lo, hi);
  const unsigned first = (unsigned)__builtin_ctz(exec);
  p.line = lo[first] + (uint32_t)p.delta - first * p.step;
  uint32_t want = 0;
  for (unsigned i = 0; i < 32; i++) {
    const uint64_t sum = (lo[i] | (uint64_t)hi[i] << 32) + p.delta, place = wide ? sum : (uint32_t)sum;
    on[i] = (exec >> i & 1) != 0 ? ~0u : 0;
    if (on[i] == 0) continue;
    if (place < p.from || place > (uint64_t)p.from + p.room || place % 4 != 0) want |= SEM_FAULT;
    if ((uint32_t)place != p.line + i * p.step) want |= SEM_OFF_LINE;
  }
  const uint32_t found = wide ? rows->locate64(at, on, lo, hi, &p) : rows->locate32(at, on, lo, &p);
  assert_int_equal(found, want);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(at[i], on[i] & (lo[i] + (uint32_t)p.delta));
}

static void places(void **state) {
  (void)state;
  uint64_t seed = 12;
  for (unsigned build = 0; build < 8; build++) {
    const struct sem_build *b = sem_build(build);
    for (unsigned n = 0; b != NULL && n < 20000; n++) locate_once(b->access, &seed, n % 2 == 0);
  }
}

static void spans(void **state) {
  (void)state;
  uint64_t seed = 13;
  for (unsigned build = 0; build < 8; build++) {
    const struct sem_build *b = sem_build(build);
    for (unsigned n = 0; b != NULL && n < 2000; n++) {
      uint64_t addr[32], min = UINT64_MAX, max = 0, bits = 0, base = splitmix64(&seed);
      uint32_t on[32], at[32], mixed[32], exec = some_lanes(&seed);
      for (unsigned i = 0; i < 32; i++) {
        addr[i] = n % 3 == 0 ? splitmix64(&seed) : base + rnd32(&seed);
        on[i] = (exec >> i & 1) != 0 ? ~0u : 0;
        if (on[i] == 0) continue;
        min = addr[i] < min ? addr[i] : min;
        max = addr[i] > max ? addr[i] : max;
        bits |= addr[i];
      }
      const struct sem_span s = b->access->span(addr, on, addr[__builtin_ctz(exec)]);
      assert_true(s.min == min && s.max == max && s.bits == bits);
      b->access->places(at, on, addr, base);
      for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(at[i], on[i] & (uint32_t)(addr[i] - base));
        mixed[i] = at[i] &= 0xffffff;
      }
      b->access->interleave(mixed, on);
      for (unsigned i = 0; i < 32; i++) assert_int_equal(mixed[i], on[i] & (at[i] / 4 * 128 + 4 * i + at[i] % 4));
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_each_size),
      cmocka_unit_test(places),
      cmocka_unit_test(spans),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
