/* SPDX-License-Identifier: Apache-2.0
 *
 * The walk of page tables (isa/doc/18-virtual-memory.md): where entries are read, what each bit does, what becomes of
 * A and D; tables that nobody should write, of which nothing but the fault may come.
 */
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"
#include "tests/test.h"
#include "tests/cmodel/machine.h"

enum { P = 1, L = 2, W = 4, G = 8, A = 16, D = 32 };

#define DATA 3u /* frame of the data */
/* Lane 0 alone loads or stores at V; then the warp ends. */
#define TEXT_ONE TEXT_V "S2R R0, SR_LANEID ;\nISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;\n"
#define LOADS TEXT_ONE "@P0 LDG.E R5, [R2] ;\nEXIT ;\n"
#define STORES TEXT_ONE "MOV R5, 0x77 ;\n@P0 STG.E [R2], R5 ;\nEXIT ;\n"
#define ADDS TEXT_ONE "MOV R5, 0x1 ;\n@P0 ATOMG.E.ADD R6, [R2], R5 ;\nEXIT ;\n"
#define LOAD_PC 0x40u
#define STORE_PC 0x50u

static void begin(struct space *s, const char *text) {
  space_init(s);
  space_text(s, text);
  space_map(s, V, FRAME(DATA), W);
}

/* ---- where entries are read */

/* Each level is chosen by its own bits: the tables written word by word, the highest and the lowest entry of each. */
static void levels(void **state) {
  static const uint64_t at[] = {0,
                                UINT64_C(0x1fffffffff000),
                                UINT64_C(0x1000000000000),
                                UINT64_C(0x8000000000),
                                UINT64_C(0x40000000),
                                0x200000,
                                0x1000};
  (void)state;
  for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
    struct space s;
    space_init(&s);
    space_text(&s, "MOV R2, c[0x0][0x0] ;\nMOV R3, c[0x0][0x4] ;\nLDG.E R5, [R2+0x8] ;\n"
                   "MOV R6, c[0x0][0x8] ;\nMOV R7, c[0x0][0xc] ;\nSTG.E [R6], R5 ;\nEXIT ;\n");
    const uint64_t v = at[i], to = V;
    memcpy(s.x.bank, &v, 8);
    memcpy(s.x.bank + 8, &to, 8);
    space_map(&s, V, FRAME(DATA), W);
    const uint64_t three = s.root + 8 * (v / UINT64_C(0x8000000000));
    if ((get64(&s, three) & P) == 0) {
      put64(&s, three, FRAME(10) | P);
      put64(&s, FRAME(10) + 8 * (v / 0x40000000 % 512), FRAME(12) | P);
      put64(&s, FRAME(12) + 8 * (v / 0x200000 % 512), FRAME(14) | P);
      put64(&s, FRAME(14) + 8 * (v / 0x1000 % 512), FRAME(20) | P | L);
    } else { /* this entry of the root is that of code and constants, too */
      space_map(&s, v, FRAME(20), 0);
    }
    set_mem32(&s.x, 20 * 4096 + 8, 0x1234 + i);
    EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
    assert_int_equal(mem32(&s.x, DATA * 4096), 0x1234 + i);
    space_free(&s);
  }
}

/* Bits 63:49 must be 0, generic ones 55:49; judged with misaligned before any walk. */
static void upper_bits(void **state) {
  static const struct {
    const char *text;
    enum heddle_cause cause;
    uint64_t addr;
  } bad[] = {{"MOV R2, RZ ;\nMOV R3, 0x20000 ;\nLDG.E R5, [R2] ;\nEXIT ;\n", HEDDLE_TRAP_OUT_OF_RANGE,
              UINT64_C(0x2000000000000)},
             {"MOV R2, RZ ;\nMOV R3, 0x20000 ;\nLD.E R5, [R2] ;\nEXIT ;\n", HEDDLE_TRAP_OUT_OF_RANGE,
              UINT64_C(0x2000000000000)},
             {"MOV R2, RZ ;\nMOV R3, 0x80000000 ;\nLDG.E R5, [R2] ;\nEXIT ;\n", HEDDLE_TRAP_OUT_OF_RANGE,
              UINT64_C(0x8000000000000000)},
             {"MOV R2, 0x2 ;\nMOV R3, 0x20000 ;\nLDG.E R5, [R2] ;\nEXIT ;\n", HEDDLE_TRAP_MISALIGNED,
              UINT64_C(0x2000000000002)}};
  (void)state;
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct space s;
    space_init(&s);
    space_text(&s, bad[i].text);
    EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
    expect_trap(&s.x, bad[i].cause, 0x20, ~0u, bad[i].addr);
    space_free(&s);
  }
}

/* The last byte of the space is one. */
static void last_byte(void **state) {
  struct space s;
  (void)state;
  begin(&s, "MOV R2, 0xfffffffc ;\nMOV R3, 0x1ffff ;\nLDG.E R5, [R2] ;\n" TEXT_V "STG.E [R2], R5 ;\nEXIT ;\n");
  space_map(&s, UINT64_C(0x1fffffffff000), FRAME(9), 0);
  set_mem32(&s.x, 9 * 4096 + 4092, 55);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  assert_int_equal(mem32(&s.x, DATA * 4096), 55);
  space_free(&s);
}

/* A page of 2 MiB: all of bits 20:0 are the address's. Of it only what lies in memory can be used. */
static void big_page(void **state) {
  const uint64_t big = UINT64_C(0x1555580000000);
  struct space s;
  (void)state;
  begin(&s, "MOV R2, 0x80005004 ;\nMOV R3, 0x15555 ;\nLDG.E R5, [R2] ;\nSTG.E [R2+0x4], R5 ;\n"
            "LDG.E R5, [R2+0x100000] ;\nEXIT ;\n");
  assert_int_equal(heddle_pages_map(&s.tables, s.root, big, MEM_BASE, HEDDLE_PAGE_BIG, W), HEDDLE_SUCCESS);
  set_mem32(&s.x, 0x5004, 99);
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
  assert_int_equal(mem32(&s.x, 0x5008), 99);
  expect_trap(&s.x, HEDDLE_TRAP_BUS, 0x40, ~0u, big + 0x105000);
  assert_int_equal(get64(&s, space_entry(&s, big, 1)), MEM_BASE | P | L | W | A | D);
  space_free(&s);
}

/* ---- A and D */

/* From what entries are to what they become; bits 8:6 and G are left alone. */
static void accessed_dirty(void **state) {
  static const struct {
    const char *text;
    uint64_t before, after;
  } c[] = {{LOADS, 0, A},
           {LOADS, W, W | A},
           {LOADS, W | D, W | A | D},
           {LOADS, A, A},
           {STORES, W, W | A | D},
           {STORES, W | A, W | A | D},
           {STORES, W | D, W | A | D},
           {STORES, W | A | D | G | 0x1c0, W | A | D | G | 0x1c0},
           {ADDS, W | G | 0x140, W | A | D | G | 0x140}};
  (void)state;
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    struct space s;
    space_init(&s);
    space_text(&s, c[i].text);
    space_map(&s, V, FRAME(DATA), c[i].before);
    space_map(&s, V + 4096, FRAME(DATA + 1), W); /* nobody goes there */
    EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
    assert_int_equal(get64(&s, space_entry(&s, V, 0)), FRAME(DATA) | P | L | c[i].after);
    assert_int_equal(get64(&s, space_entry(&s, V + 4096, 0)), FRAME(DATA + 1) | P | L | W);
    for (unsigned level = 1; level <= 3; level++) /* of tables none of both */
      assert_int_equal(get64(&s, space_entry(&s, V, level)) & ~HEDDLE_ENTRY_PLACE, P);
    space_free(&s);
  }
}

/* D also for an atomic that stores what was there, and for a store of nothing new. */
static void dirty_unchanged(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_ONE "@P0 ATOMG.E.ADD R6, [R2], RZ ;\nEXIT ;\n");
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  assert_int_equal(get64(&s, space_entry(&s, V, 0)), FRAME(DATA) | P | L | W | A | D);
  assert_int_equal(mem32(&s.x, DATA * 4096), 0);
  space_free(&s);
}

/* ---- hostile tables */

struct hostile {
  const char *what;
  unsigned level; /* whose entry on the way to V is written; 4: the root is elsewhere */
  uint64_t entry; /* MINE stands for where that entry's own table lies, THERE for what the entry holds */
  enum heddle_page_kind kind;
};

#define MINE UINT64_C(0xdead0000)
#define THERE UINT64_C(0xbeef0000)
#define OUTSIDE UINT64_C(0x9000000000) /* no memory */

static const struct hostile hostile[] = {
    {"root outside", 4, OUTSIDE, HEDDLE_PAGE_ERROR},
    {"root at the end of 40 bits", 4, UINT64_C(0xffffffe000), HEDDLE_PAGE_ERROR},
    {"3 absent", 3, 0, HEDDLE_PAGE_ABSENT},
    {"3 absent, all other bits", 3, ~UINT64_C(1), HEDDLE_PAGE_ABSENT},
    {"3 a page", 3, THERE | L | P, HEDDLE_PAGE_MALFORMED},
    {"3 with bit 9", 3, THERE | 0x200 | P, HEDDLE_PAGE_MALFORMED},
    {"3 with bit 40", 3, THERE | UINT64_C(1) << 40 | P, HEDDLE_PAGE_MALFORMED},
    {"3 a table outside", 3, OUTSIDE | P, HEDDLE_PAGE_ERROR},
    {"2 absent", 2, W | A | D, HEDDLE_PAGE_ABSENT},
    {"2 a page", 2, THERE | L | P, HEDDLE_PAGE_MALFORMED},
    {"2 with W", 2, THERE | W | P, HEDDLE_PAGE_MALFORMED},
    {"2 with A", 2, THERE | A | P, HEDDLE_PAGE_MALFORMED},
    {"2 with bit 63", 2, THERE | UINT64_C(1) << 63 | P, HEDDLE_PAGE_MALFORMED},
    {"1 absent", 1, 0x1c0, HEDDLE_PAGE_ABSENT},
    {"1 with G", 1, THERE | G | P, HEDDLE_PAGE_MALFORMED},
    {"1 with D", 1, THERE | D | P, HEDDLE_PAGE_MALFORMED},
    {"1 a page at no multiple of 2 MiB", 1, FRAME(DATA) | L | W | P, HEDDLE_PAGE_MALFORMED},
    {"1 such a page, by the lowest bit", 1, (MEM_BASE + 0x1000) | L | W | P, HEDDLE_PAGE_MALFORMED},
    {"1 such a page, half way", 1, UINT64_C(0x200100000) | L | W | P, HEDDLE_PAGE_MALFORMED},
    {"1 a page outside", 1, UINT64_C(0x9000000000) | L | W | P, HEDDLE_PAGE_ERROR},
    {"1 a table outside", 1, OUTSIDE | P, HEDDLE_PAGE_ERROR},
    {"0 absent", 0, ~UINT64_C(1), HEDDLE_PAGE_ABSENT},
    {"0 a table", 0, FRAME(DATA) | P, HEDDLE_PAGE_MALFORMED},
    {"0 itself as a table", 0, MINE | P, HEDDLE_PAGE_MALFORMED},
    {"0 with bit 11", 0, FRAME(DATA) | 0x800 | L | W | P, HEDDLE_PAGE_MALFORMED},
    {"0 with bit 62", 0, FRAME(DATA) | UINT64_C(1) << 62 | L | W | P, HEDDLE_PAGE_MALFORMED},
    {"0 a page outside", 0, OUTSIDE | L | W | P, HEDDLE_PAGE_ERROR},
    {"0 a page behind the end", 0, (MEM_BASE + MEM_BYTES) | L | W | P, HEDDLE_PAGE_ERROR},
    {"0 a page before the beginning", 0, (MEM_BASE - 4096) | L | W | P, HEDDLE_PAGE_ERROR},
    /* The entry of the root that the walk takes again is that of V at each level, if it is one: no loop is endless. */
    {"1 its own table", 1, MINE | P, HEDDLE_PAGE_ABSENT},
    {"2 its own table", 2, MINE | P, HEDDLE_PAGE_ABSENT},
    {"3 the root", 3, MINE | P, HEDDLE_PAGE_ABSENT},
};

static enum heddle_cause cause(enum heddle_page_kind k) {
  return k == HEDDLE_PAGE_ERROR ? HEDDLE_TRAP_BUS : HEDDLE_TRAP_PAGE;
}

/* Loads and stores trap, or their warp waits, but for an error; memory is as it was, but for A of code and constants.
 */
static void one_hostile(const struct hostile *h, bool stores, bool may_trap) {
  const bool traps = may_trap || h->kind == HEDDLE_PAGE_ERROR;
  struct space s;
  uint8_t *before = malloc(MEM_BYTES);
  begin(&s, stores ? STORES : LOADS);
  s.x.launch.fault_trap = may_trap;
  if (h->level < 4) {
    const uint64_t at = space_entry(&s, V, h->level), mine = at / 4096 * 4096,
                   there = get64(&s, at) & HEDDLE_ENTRY_PLACE;
    const uint64_t low = h->entry & (UINT64_C(0xffff) | ~UINT64_C(0xffffffff));
    const bool is_mine = (h->entry & UINT64_C(0xffff0000)) == MINE,
               is_there = (h->entry & UINT64_C(0xffff0000)) == THERE;
    put64(&s, at, is_mine ? (h->level == 3 ? s.root : mine) | low : is_there ? there | low : h->entry);
  }
  EXPECT(&s.x, HEDDLE_SUCCESS, space_start(&s)); /* and A of code and constants is set */
  memcpy(before, heddle_model_memory(s.x.model), MEM_BYTES);
  const enum heddle_error got = space_go_on(&s);
  if (got != (traps ? HEDDLE_ERROR_TRAPPED : HEDDLE_ERROR_FAULTS)) fail_msg("%s: status %d", h->what, (int)got);
  if (traps && heddle_model_trap(s.x.model)->cause != cause(h->kind))
    fail_msg("%s: %s", h->what, heddle_cause_name(heddle_model_trap(s.x.model)->cause));
  if (traps) expect_trap(&s.x, cause(h->kind), stores ? STORE_PC : LOAD_PC, 1, V);
  struct heddle_page_fault f;
  if (!traps && (heddle_model_faults(s.x.model, &f, 1) != 1 || f.kind != h->kind))
    fail_msg("%s: kind %d", h->what, (int)f.kind);
  if (!traps) expect_fault(&s, V, h->kind, stores ? HEDDLE_PAGE_STORE : HEDDLE_PAGE_LOAD, 1);
  if (memcmp(before, heddle_model_memory(s.x.model), MEM_BYTES) != 0) fail_msg("%s: memory has changed", h->what);
  free(before);
  space_free(&s);
}

static void hostile_tables(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof hostile / sizeof *hostile; i++)
    for (unsigned how = 0; how < 4 && hostile[i].level < 4; how++) one_hostile(&hostile[i], how & 1, how & 2);
}

/* Without a root that can be read not even code can. */
static void hostile_root(void **state) {
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    struct space s;
    begin(&s, LOADS);
    s.x.launch.page_root = hostile[i].entry;
    EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
    expect_trap(&s.x, HEDDLE_TRAP_BUS, 0, ~0u, CODE_AT / 32 * 32);
    space_free(&s);
  }
}

/* Tables that lead back to themselves and are well formed end, too: a level is never looked at twice. */
static void loop_to_a_page(void **state) {
  struct space s;
  (void)state;
  begin(&s, LOADS);
  /* The entry of level 1 for V leads to its own table, where at level 0 another entry counts: it is made a page. */
  const uint64_t one = space_entry(&s, V, 1), mine = one / 4096 * 4096, zero = mine + 8 * (V / 4096 % 512);
  assert_int_not_equal(one, zero);
  put64(&s, one, mine | P);
  put64(&s, zero, FRAME(DATA) | P | L);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  assert_int_equal(get64(&s, zero), FRAME(DATA) | P | L | A);
  assert_int_equal(get64(&s, one), mine | P);
  space_free(&s);
}

/* ---- random tables */

#define RANDOM 100u /* the first of eight frames that are tables of any level, and pages */

static bool read_any(void *self, uint64_t at, uint64_t *entry) {
  if (at < MEM_BASE || at > MEM_BASE + MEM_BYTES - 8) return false;
  *entry = get64(self, at);
  return true;
}

/* Mostly one that could be. */
static uint64_t random_entry(uint64_t *state) {
  static const uint64_t odd[] = {W, G, A, D, 0x200, 0x400, 0x800, UINT64_C(1) << 40, UINT64_C(1) << 63, 0x40, 0x100};
  const uint64_t r = splitmix64(state);
  uint64_t e = r % 16 == 0 ? OUTSIDE : r % 16 < 3 ? MEM_BASE : FRAME(RANDOM + (r >> 8) % 8);
  e |= (r >> 16) % 12 == 0 ? 0 : P;
  if ((r >> 24) % 2 != 0) e |= L | ((r >> 25) & (W | G | A | D));
  return (r >> 32) % 8 == 0 ? e | odd[(r >> 40) % (sizeof odd / sizeof *odd)] : e;
}

/* As the host's own walk says: the trap, or what a load or a store leaves in all of memory. */
static void as_the_host(struct space *s, bool stores, unsigned ends[5]) {
  static uint8_t want[MEM_BYTES];
  static const enum heddle_cause causes[5] = {HEDDLE_TRAP_NONE, HEDDLE_TRAP_PAGE, HEDDLE_TRAP_PAGE, HEDDLE_TRAP_BUS,
                                              HEDDLE_TRAP_WRITE_PROTECTED};
  const struct heddle_page_memory any = {.size = sizeof any, .self = s, .read = read_any};
  struct heddle_page found = {.size = sizeof found};
  EXPECT(&s->x, HEDDLE_SUCCESS, space_start(s));
  memcpy(want, heddle_model_memory(s->x.model), MEM_BYTES);
  const enum heddle_error e = heddle_pages_find(&any, s->root, V, &found);
  const bool outside = found.at / 4096 * 4096 < MEM_BASE || found.at / 4096 * 4096 >= MEM_BASE + MEM_BYTES;
  const bool kept = stores && (found.entry & W) == 0;
  const unsigned end = e == HEDDLE_ERROR_INVALID_ADDRESS  ? 1
                       : e == HEDDLE_ERROR_INVALID_IMAGE  ? 2
                       : e == HEDDLE_ERROR_BUS || outside ? 3
                       : kept                             ? 4
                                                          : 0;
  ends[end]++;
  EXPECT(&s->x, end == 0 ? HEDDLE_SUCCESS : HEDDLE_ERROR_TRAPPED, space_go_on(s));
  assert_int_equal(heddle_model_trap(s->x.model)->cause, causes[end]);
  if (end == 0) {
    const uint64_t after = found.entry | A | (stores ? D : 0);
    for (unsigned k = 0; k < 8; k++) want[found.entry_at - MEM_BASE + k] = (uint8_t)(after >> (8 * k));
    for (unsigned k = 0; k < 4 && stores; k++) want[found.at - MEM_BASE + k] = k == 0 ? 0x77 : 0;
  }
  assert_int_equal(memcmp(want, heddle_model_memory(s->x.model), MEM_BYTES), 0);
}

static void random_tables(void **state) {
  static const unsigned index[] = {0x155, 1, 3}; /* of V at levels 2, 1 and 0; at level 3 it is 0x2aa */
  uint64_t seed = 77;
  unsigned ends[5] = {0};
  struct space s;
  (void)state;
  space_init(&s);
  for (unsigned n = 0; n < 1500; n++) {
    space_text(&s, n % 2 != 0 ? STORES : LOADS);
    for (unsigned k = 0; k < 8; k++)
      for (unsigned i = 0; i < 3; i++) put64(&s, FRAME(RANDOM + k) + 8 * index[i], random_entry(&seed));
    put64(&s, s.root + 8 * 0x2aa, FRAME(RANDOM) | P);
    as_the_host(&s, n % 2 != 0, ends);
  }
  for (unsigned k = 0; k < 5; k++) assert_in_range(ends[k], 10, 1500); /* each end has been seen */
  space_free(&s);
}

/* W is judged behind all others; protected pages are left as they are. */
static void protection(void **state) {
  static const char *const text[] = {STORES, ADDS, TEXT_ONE "MOV R5, 0x1 ;\n@P0 RED.E.ADD [R2], R5 ;\nEXIT ;\n",
                                     TEXT_ONE "MOV R5, 0x1 ;\n@P0 ATOMG.E.CAS R6, [R2], R5, R5 ;\nEXIT ;\n",
                                     TEXT_ONE "MOV R5, 0x1 ;\n@P0 ST.E [R2], R5 ;\nEXIT ;\n"};
  (void)state;
  for (unsigned i = 0; i < sizeof text / sizeof *text; i++)
    for (unsigned outside = 0; outside < 2; outside++) {
      struct space s;
      space_init(&s);
      space_text(&s, text[i]);
      space_map(&s, V, outside ? OUTSIDE : FRAME(DATA), 0);
      EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
      expect_trap(&s.x, outside ? HEDDLE_TRAP_BUS : HEDDLE_TRAP_WRITE_PROTECTED, STORE_PC, 1, V);
      assert_int_equal(get64(&s, space_entry(&s, V, 0)), (outside ? OUTSIDE : FRAME(DATA)) | P | L);
      space_free(&s);
    }
}

/* What a launch cannot be. */
static void refused(void **state) {
  struct space s;
  (void)state;
  begin(&s, LOADS);
  struct heddle_launch *l = &s.x.launch;
  l->page_root = s.root + 4096;
  EXPECT(&s.x, HEDDLE_ERROR_INVALID_VALUE, space_start(&s));
  l->page_root = UINT64_C(1) << 40;
  EXPECT(&s.x, HEDDLE_ERROR_INVALID_VALUE, space_start(&s));
  l->page_root = s.root;
  l->code_at = (UINT64_C(1) << 40) - 16;
  EXPECT(&s.x, HEDDLE_ERROR_INVALID_VALUE, space_start(&s));
  l->code_at = CODE_AT;
  l->cbank_at[0] = (UINT64_C(1) << 40) - 16;
  EXPECT(&s.x, HEDDLE_ERROR_INVALID_VALUE, space_start(&s));
  l->cbank_at[0] = BANK_AT;
  EXPECT(&s.x, HEDDLE_SUCCESS, space_start(&s));
  static const uint32_t first[3];
  static const uint8_t slot[1];
  static struct heddle_effect e;
  EXPECT(&s.x, HEDDLE_SUCCESS, heddle_block_start(s.x.model, 0, first, slot, 1));
  EXPECT(&s.x, HEDDLE_ERROR_STATE, heddle_warp_issue(s.x.model, 0, &e));
  space_free(&s);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels),         cmocka_unit_test(upper_bits),     cmocka_unit_test(last_byte),
      cmocka_unit_test(big_page),       cmocka_unit_test(accessed_dirty), cmocka_unit_test(dirty_unchanged),
      cmocka_unit_test(hostile_tables), cmocka_unit_test(hostile_root),   cmocka_unit_test(loop_to_a_page),
      cmocka_unit_test(random_tables),  cmocka_unit_test(protection),     cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
