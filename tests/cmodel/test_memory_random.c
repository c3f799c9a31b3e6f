/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores of every size in every space: random masks, lanes in a
 * line, in one place, in disorder; alone and in lockstep, performed in random
 * portions, against plain arrays of bytes.
 */
#include <stdio.h>
#include <string.h>

#include "tests/cmodel/assembly.h"
#include "tests/test.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/step.h"

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

enum space { GLOBAL, SHARED, LOCAL, GENERIC, SPACES };

static const struct {
  const char *suffix;
  unsigned bytes;
  bool sign;
} sizes[] = {{".U8", 1, false}, {".S8", 1, true},  {".U16", 2, false}, {".S16", 2, true},
             {"", 4, false},    {".64", 8, false}, {".128", 16, false}};
#define SIZES (sizeof sizes / sizeof sizes[0])

struct access {
  enum space space;
  unsigned size;
  bool store;
  uint32_t exec;
  int offset;
  enum space of[32];  /* of each lane: GLOBAL, SHARED or LOCAL */
  uint32_t place[32]; /* byte there */
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
  t->space = (enum space)(rnd32(seed) % SPACES);
  t->size = rnd32(seed) % SIZES;
  t->store = rnd32(seed) % 2 == 0;
  const uint32_t some = rnd32(seed), dice = rnd32(seed) % 4;
  t->exec = dice == 0 ? some : dice == 1 ? ~0u >> some % 32 : ~0u;
  const unsigned bytes = sizes[t->size].bytes, kind = rnd32(seed) % 4;
  t->offset = ((int)(rnd32(seed) % 64) - 32) * (int)bytes;
  const enum space one = (enum space)(rnd32(seed) % 3); /* generic: often all lanes in one space */
  const uint32_t start = rnd32(seed);
  for (unsigned i = 0; i < 32; i++) {
    t->of[i] = t->space != GENERIC ? t->space : dice % 2 == 0 ? one : (enum space)(rnd32(seed) % 3);
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
      if (lanes == 0 || heddle_perform(x->model, 0, e.seq, lanes, &p) != HEDDLE_OK) {
        lanes = rest;
        EXPECT(x, HEDDLE_OK, heddle_perform(x->model, 0, e.seq, lanes, &p));
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
      EXPECT(&x, HEDDLE_OK, machine_run(&x));
    else
      run_lockstep(&x, &seed);
    check(&y, &t, heddle_model_memory(x.model));
  }
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(accesses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
