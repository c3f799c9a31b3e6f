/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores of every size, at random: the loops over lanes (sem/access.c) in every build that this processor can
 * run, against one lane at a time; whole instructions in every space.
 */
#include <stdio.h>
#include <string.h>
#include "tests/cmodel/machine.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/step.h"
#include "tests/test.h"

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

/* Loads and stores of every size in every space: random masks, lanes in a
 * line, in one place, in disorder; alone and in lockstep, performed in random
 * portions, against plain arrays of bytes. */

/* Offsets in memory: what lanes access, then tables of one entry a lane. */
#define DATA_BYTES 0x1000u
#define ADDRESSES 0x8000
#define OPERANDS 0x9000
#define EXECUTES 0xa000
#define RESULTS 0xb000
#define SHARED_COPY 0xc000
#define LOCAL_COPY 0xd000
#define SHARED_START 0xe000
#define LOCAL_START 0xf000

#define SHARED_BYTES 1024u
#define LOCAL_BYTES 64u /* of each of 32 threads */

enum address_space { GLOBAL, SHARED, LOCAL, GENERIC, SPACES };

static const struct {
  const char *suffix;
  unsigned bytes;
  bool sign;
} sizes[] = {{".U8", 1, false}, {".S8", 1, true},  {".U16", 2, false}, {".S16", 2, true},
             {"", 4, false},    {".64", 8, false}, {".128", 16, false}};
#define SIZES (sizeof sizes / sizeof sizes[0])

struct access {
  enum address_space space;
  unsigned size;
  bool store;
  uint32_t exec;
  int offset;
  enum address_space of[32]; /* of each lane: GLOBAL, SHARED or LOCAL */
  uint32_t place[32];        /* byte there */
};

/* ---- the program ---- */

static void program(struct machine *x, const struct access *t) {
  static const char *const load[SPACES] = {"LDG.E", "LDS", "LDL", "LD.E"};
  static const char *const store[SPACES] = {"STG.E", "STS", "STL", "ST.E"};
  char text[4096], insn[128];
  const char *sign = t->offset < 0 ? "-" : "+";
  const int size = t->offset < 0 ? -t->offset : t->offset;
  if (t->store)
    (void)snprintf(insn, sizeof insn, "@P0 %s%s [R4%s0x%x], R8", store[t->space], sizes[t->size].suffix, sign, size);
  else
    (void)snprintf(insn, sizeof insn, "@P0 %s%s R8, [R4%s0x%x]", load[t->space], sizes[t->size].suffix, sign, size);
  (void)snprintf(text, sizeof text,
                 TEXT_ADDRESS "S2R R0, SR_LANEID ;\n"
                              "IMAD R1, R0, 0x10, RZ ;\n"
                              "IMAD.WIDE.U32 R16, R0, 0x10, R2 ;\n"
                              "LDG.E.64 R4, [R16+0x8000] ;\nLDG.E.128 R8, [R16+0x9000] ;\nLDG.E R14, [R16+0xa000] ;\n"
                              "ISETP.NE.U32.AND P0, PT, R14, 0x0, PT ;\n"
                              "LDG.E.128 R20, [R16+0xe000] ;\nSTS.128 [R1], R20 ;\n"
                              "LDG.E.128 R20, [R16+0xe200] ;\nSTS.128 [R1+0x200], R20 ;\n"
                              "LDG.E.128 R20, [R16+0xf000] ;\nSTL.128 [RZ], R20 ;\n"
                              "LDG.E.128 R20, [R16+0xf200] ;\nSTL.128 [RZ+0x10], R20 ;\n"
                              "LDG.E.128 R20, [R16+0xf400] ;\nSTL.128 [RZ+0x20], R20 ;\n"
                              "LDG.E.128 R20, [R16+0xf600] ;\nSTL.128 [RZ+0x30], R20 ;\n"
                              "%s ;\n"
                              "STG.E.128 [R16+0xb000], R8 ;\n"
                              "LDS.128 R20, [R1] ;\nSTG.E.128 [R16+0xc000], R20 ;\n"
                              "LDS.128 R20, [R1+0x200] ;\nSTG.E.128 [R16+0xc200], R20 ;\n"
                              "LDL.128 R20, [RZ] ;\nSTG.E.128 [R16+0xd000], R20 ;\n"
                              "LDL.128 R20, [RZ+0x10] ;\nSTG.E.128 [R16+0xd200], R20 ;\n"
                              "LDL.128 R20, [RZ+0x20] ;\nSTG.E.128 [R16+0xd400], R20 ;\n"
                              "LDL.128 R20, [RZ+0x30] ;\nSTG.E.128 [R16+0xd600], R20 ;\n"
                              "EXIT ;\n",
                 insn);
  machine_text(x, text);
}

/* ---- a case ---- */

static const uint32_t space_bytes[3] = {DATA_BYTES, SHARED_BYTES, LOCAL_BYTES};

static void random_access(struct access *t, uint64_t *seed) {
  t->space = (enum address_space)(rnd32(seed) % SPACES);
  t->size = rnd32(seed) % SIZES;
  t->store = rnd32(seed) % 2 == 0;
  const uint32_t some = rnd32(seed), dice = rnd32(seed) % 4;
  t->exec = dice == 0 ? some : dice == 1 ? ~0u >> some % 32 : ~0u;
  const unsigned bytes = sizes[t->size].bytes, kind = rnd32(seed) % 4;
  t->offset = ((int)(rnd32(seed) % 64) - 32) * (int)bytes;
  const enum address_space one = (enum address_space)(rnd32(seed) % 3); /* generic: often all lanes in one space */
  const uint32_t start = rnd32(seed);
  for (unsigned i = 0; i < 32; i++) {
    t->of[i] = t->space != GENERIC ? t->space : dice % 2 == 0 ? one : (enum address_space)(rnd32(seed) % 3);
    const uint32_t units = space_bytes[t->of[i]] / bytes;
    const uint32_t n = kind == 0 ? start + i : kind == 1 ? start : kind == 2 ? start + (i ^ 5) : rnd32(seed);
    t->place[i] = n % units * bytes;
    if (kind == 0 && start % units + 32 > units && t->of[i] != LOCAL) t->place[i] = i * bytes; /* no wrap */
  }
}

static void tables(struct machine *x, const struct access *t, uint64_t *seed) {
  uint8_t *m = heddle_model_memory(x->model);
  for (unsigned i = 0; i < 0x10000; i++) m[i] = (uint8_t)rnd32(seed);
  for (unsigned i = 0; i < 32; i++) {
    uint64_t address = t->place[i];
    if (t->of[i] == GLOBAL) address += MEM_BASE;
    if (t->space == GENERIC && t->of[i] != GLOBAL) address |= (uint64_t)t->of[i] << 56; /* 1 shared, 2 local */
    address -= (uint64_t)(int64_t)t->offset;
    set_mem32(x, ADDRESSES + 16 * i, (uint32_t)address);
    set_mem32(x, ADDRESSES + 16 * i + 4, (uint32_t)(address >> 32));
    set_mem32(x, EXECUTES + 16 * i, t->exec >> i & 1);
  }
}

/* ---- what must come out ---- */

struct world {
  uint8_t data[DATA_BYTES], shared[SHARED_BYTES], local[32][LOCAL_BYTES], result[32][16];
};

static uint8_t *byte_of(struct world *y, const struct access *t, unsigned lane) {
  if (t->of[lane] == GLOBAL) return y->data + t->place[lane];
  return (t->of[lane] == SHARED ? y->shared : y->local[lane]) + t->place[lane];
}

static void expect(struct world *y, const struct access *t, const uint8_t *m) {
  memcpy(y->data, m, DATA_BYTES);
  memcpy(y->shared, m + SHARED_START, SHARED_BYTES);
  for (unsigned i = 0; i < 32; i++) {
    for (unsigned k = 0; k < LOCAL_BYTES; k++) y->local[i][k] = m[LOCAL_START + k / 16 * 512 + 16 * i + k % 16];
    memcpy(y->result[i], m + OPERANDS + 16 * i, 16);
  }
  const unsigned bytes = sizes[t->size].bytes;
  for (unsigned i = 0; i < 32; i++) {
    uint8_t *p = byte_of(y, t, i);
    if ((t->exec >> i & 1) == 0) continue;
    if (t->store) {
      memcpy(p, y->result[i], bytes);
      continue;
    }
    const uint8_t above = sizes[t->size].sign && (p[bytes - 1] & 0x80) != 0 ? 0xff : 0;
    memcpy(y->result[i], p, bytes);
    for (unsigned k = bytes; k < 4; k++) y->result[i][k] = above;
  }
}

static void same(const char *what, unsigned lane, const uint8_t *got, const uint8_t *want, unsigned bytes,
                 const struct access *t) {
  for (unsigned k = 0; k < bytes; k++)
    if (got[k] != want[k])
      fail_msg("%s%u byte %u: %02x, want %02x (space %d size %u store %d exec %08x)", what, lane, k, got[k], want[k],
               (int)t->space, t->size, t->store, t->exec);
}

static void check(const struct world *y, const struct access *t, const uint8_t *m) {
  same("data", 0, m, y->data, DATA_BYTES, t);
  same("shared", 0, m + SHARED_COPY, y->shared, SHARED_BYTES, t);
  for (unsigned i = 0; i < 32; i++) {
    same("result of lane ", i, m + RESULTS + 16 * i, y->result[i], 16, t);
    for (unsigned k = 0; k < LOCAL_BYTES; k += 16)
      same("local of lane ", i, m + LOCAL_COPY + k / 16 * 512 + 16 * i, y->local[i] + k, 16, t);
  }
}

/* Portions of the lanes, as they come; what the model refuses goes with all the rest. */
static void run_lockstep(struct machine *x, uint64_t *seed) {
  static struct heddle_performed p;
  machine_lockstep(x);
  do {
    steps(x, 1);
    for (uint32_t rest = e.mem_lanes; rest != 0;) {
      uint32_t lanes = rest & rnd32(seed);
      if (lanes == 0 || heddle_perform(x->model, 0, e.seq, lanes, &p) != HEDDLE_SUCCESS) {
        lanes = rest;
        EXPECT(x, HEDDLE_SUCCESS, heddle_perform(x->model, 0, e.seq, lanes, &p));
      }
      rest &= ~lanes;
      assert_int_equal(p.finished, rest == 0);
    }
  } while (!e.warp_ended);
}

static void accesses(void **state) {
  (void)state;
  uint64_t seed = 31;
  struct machine x;
  machine_init(&x);
  x.launch.shared_bytes = SHARED_BYTES;
  x.launch.local_bytes = LOCAL_BYTES;
  for (unsigned n = 0; n < 4000; n++) {
    static struct world y;
    struct access t;
    random_access(&t, &seed);
    program(&x, &t);
    tables(&x, &t, &seed);
    expect(&y, &t, heddle_model_memory(x.model));
    if (n % 2 == 0)
      EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
    else
      run_lockstep(&x, &seed);
    check(&y, &t, heddle_model_memory(x.model));
  }
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_each_size), cmocka_unit_test(places),
                                     cmocka_unit_test(spans), cmocka_unit_test(accesses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
