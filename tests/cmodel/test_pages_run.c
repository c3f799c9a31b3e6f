/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches in an address space that go well, or trap (isa/doc/18-virtual-memory.md): lines, frames with two names,
 * stores that fault in part, copies, atomics, undefined bits, tables that the program itself changes, two spaces.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/observer.h>
#include "tests/test.h"
#include "tests/cmodel/machine.h"

enum { P = 1, L = 2, W = 4, G = 8, A = 16, D = 32 };

static void begin(struct space *s, const char *text) {
  space_init(s);
  space_text(s, text);
}

/* R0 = lane; R4:R5 = V + n lane. Four instructions. */
#define TEXT_SPREAD(n) TEXT_V "S2R R0, SR_LANEID ;\nIMAD.WIDE.U32 R4, R0, " #n ", R2 ;\n"

/* ---- lines */

/* Lanes go to four pages, in frames that are neither side by side nor in order; each byte comes where its lane's is. */
static void scattered(void **state) {
  static const unsigned frame[4] = {9, 2, 30, 5};
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x204) "LDG.E R6, [R4] ;\nIADD3 R6, R6, R0, RZ ;\nSTG.E [R4+0x8], R6 ;\nEXIT ;\n");
  for (unsigned i = 0; i < 5; i++) space_map(&s, V + 4096 * i, FRAME(i < 4 ? frame[i] : 40), W);
  for (unsigned i = 0; i < 32; i++) set_mem32(&s.x, frame[0x204 * i / 4096] * 4096 + 0x204 * i % 4096, 1000 * i);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  for (unsigned i = 0; i < 32; i++) {
    const unsigned at = 0x204 * i + 8;
    assert_int_equal(mem32(&s.x, (at / 4096 < 4 ? frame[at / 4096] : 40) * 4096 + at % 4096), 1001 * i);
  }
  space_free(&s);
}

/* Every size, alone in its lane; 16 bytes side by side lie in four lines. */
static void sizes(void **state) {
  static const char *const size[] = {".U8", ".S16", "", ".64", ".128"};
  (void)state;
  for (unsigned i = 0; i < 5; i++) {
    struct space s;
    char text[400];
    snprintf(text, sizeof text,
             TEXT_V "S2R R0, SR_LANEID ;\nIMAD.WIDE.U32 R4, R0, 0x%x, R2 ;\nLDG.E%s R8, [R4] ;\n"
                    "STG.E%s [R4+0x1000], R8 ;\nEXIT ;\n",
             1u << i, size[i], size[i]);
    begin(&s, text);
    space_map(&s, V, FRAME(7), 0);
    space_map(&s, V + 4096, FRAME(3), W);
    uint8_t *memory = heddle_model_memory(s.x.model);
    for (unsigned k = 0; k < 600; k++) memory[7 * 4096 + k] = (uint8_t)(k * 7 + 1);
    EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
    assert_memory_equal(memory + 3 * 4096, memory + 7 * 4096, 32u << i);
    assert_int_equal(memory[3 * 4096 + (32u << i)], 0);
    space_free(&s);
  }
}

/* Two virtual addresses of one frame are one place: each access sees what the one before it has done through the other
 * name, atomics too. */
static void aliases(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x4) "STG.E [R4], R0 ;\nLDG.E R6, [R4+0x1000] ;\nIADD3 R6, R6, 0x64, RZ ;\n"
                             "STG.E [R4+0x1000], R6 ;\nMOV R7, 0x1 ;\nATOMG.E.ADD R8, [R4], R7 ;\n"
                             "STG.E [R4+0x800], R8 ;\nEXIT ;\n");
  space_map(&s, V, FRAME(9), W);
  space_map(&s, V + 4096, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  for (unsigned i = 0; i < 32; i++) {
    assert_int_equal(mem32(&s.x, 9 * 4096 + 4 * i), i + 101);
    assert_int_equal(mem32(&s.x, 9 * 4096 + 0x800 + 4 * i), i + 100);
  }
  space_free(&s);
}

/* Lanes of one atomic that come by two names to one word: each one read-modify-write. */
static void atomic_by_two_names(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_V "S2R R0, SR_LANEID ;\nLOP3.LUT R1, R0, 0x1, RZ, 0xc0 ;\nIMAD.WIDE.U32 R4, R1, 0x1000, R2 ;\n"
                   "MOV R7, 0x1 ;\nATOMG.E.ADD R8, [R4], R7 ;\nIMAD.WIDE.U32 R4, R0, 0x4, R2 ;\n"
                   "STG.E [R4+0x80], R8 ;\nEXIT ;\n");
  space_map(&s, V, FRAME(9), W);
  space_map(&s, V + 4096, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  assert_int_equal(mem32(&s.x, 9 * 4096), 32);
  uint32_t seen = 0;
  for (unsigned i = 0; i < 32; i++) {
    seen |= 1u << mem32(&s.x, 9 * 4096 + 0x80 + 4 * i);
    if (i >= 2) /* ascending within a virtual line */
      assert_true(mem32(&s.x, 9 * 4096 + 0x80 + 4 * i) > mem32(&s.x, 9 * 4096 + 0x80 + 4 * (i - 2)));
  }
  assert_int_equal(seen, ~0u);
  space_free(&s);
}

/* ---- traps */

/* The trap is of the first line without its page: its first byte, all that wanted it. Of the instruction's lines each
 * takes effect as a whole or not at all; D shows only where a store was allowed. */
static void store_in_part(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x104) "STG.E [R4+0x40], R0 ;\nEXIT ;\n");
  space_map(&s, V, FRAME(9), W);
  space_map(&s, V + 4096, FRAME(8), 0);
  for (unsigned i = 0; i < 4096; i += 4) set_mem32(&s.x, 9 * 4096 + i, 0x5a5a5a5a);
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
  /* 0x40 + 0x104 * 15 = 0xf7c, the next lane's is 0x1080: the first in the second page, alone in its line. */
  expect_trap(&s.x, HEDDLE_TRAP_WRITE_PROTECTED, 0x40, 1u << 16, V + 0x1080);
  for (unsigned i = 0; i < 16; i++) {
    const uint32_t got = mem32(&s.x, 9 * 4096 + 0x40 + 0x104 * i);
    assert_true(got == i || got == 0x5a5a5a5a);
  }
  for (unsigned i = 0; i < 4096; i += 4) assert_int_equal(mem32(&s.x, 8 * 4096 + i), 0);
  assert_int_equal(get64(&s, space_entry(&s, V + 4096, 0)), FRAME(8) | P | L);
  space_free(&s);
}

/* All lanes of the line, whatever their order; a load writes no register of any lane. */
static void lanes_of_a_line(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_V "S2R R0, SR_LANEID ;\nLOP3.LUT R1, R0, 0x3, RZ, 0xc0 ;\nIMAD.WIDE.U32 R4, R1, 0x1010, R2 ;\n"
                   "LDG.E R6, [R4] ;\nEXIT ;\n");
  space_map(&s, V, FRAME(9), 0);
  space_map(&s, V + 4096, FRAME(8), 0); /* lanes 2, 6, 10 ... find nothing */
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
  expect_trap(&s.x, HEDDLE_TRAP_PAGE, 0x50, 0x44444444, V + 0x2000);
  space_free(&s);
}

/* An address that is wrong in any lane comes before every page. */
static void addresses_first(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x202) "LDG.E R6, [R4] ;\nEXIT ;\n");
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
  expect_trap(&s.x, HEDDLE_TRAP_MISALIGNED, 0x40, 0xaaaaaaaa, V + 0x202);
  space_free(&s);
}

/* ---- asynchronous copies, generic addresses, local memory */

static void copy(void **state) {
  (void)state;
  for (unsigned there = 0; there < 2; there++) {
    struct space s;
    begin(&s,
          TEXT_SPREAD(0x90) "IMAD R6, R0, 0x10, RZ ;\nLDGSTS.E.128 [R6], [R4] ;\nLDGDEPBAR ;\nDEPBAR.LE SB5, 0x0 ;\n"
                            "LDS R8, [R6+0x4] ;\nIMAD.WIDE.U32 R4, R0, 0x4, R2 ;\nSTG.E [R4], R8 ;\nEXIT ;\n");
    s.x.launch.shared_bytes = 512;
    space_map(&s, V, FRAME(9), W);
    if (there) space_map(&s, V + 4096, FRAME(4), 0);
    for (unsigned i = 0; i < 32; i++)
      set_mem32(&s.x, (0x90 * i + 4 < 4096 ? 9u : 4u) * 4096 + (0x90 * i + 4) % 4096, 7 * i);
    EXPECT(&s.x, there ? HEDDLE_SUCCESS : HEDDLE_ERROR_TRAPPED, space_run(&s));
    for (unsigned i = 0; i < 32 && there; i++) assert_int_equal(mem32(&s.x, 9 * 4096 + 4 * i), 7 * i);
    /* lane 28 has 0xfc0 to 0xfcf; 29: 0x1050 */
    if (!there) expect_trap(&s.x, HEDDLE_TRAP_PAGE, 0x50, 1u << 29, V + 0x1000);
    space_free(&s);
  }
}

/* Lanes 0 to 15 store to shared memory, 16 to 23 to their own, the others to a page; all through one instruction. */
static void generic(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_SPREAD(0x4) "MOV R8, R0 ;\nISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;\n"
                             "ISETP.LT.U32.AND P1, PT, R0, 0x18, PT ;\nIMAD R6, R0, 0x4, RZ ;\n"
                             "@P1 MOV R4, R6 ;\n@P1 MOV R5, 0x2000000 ;\n@P0 MOV R5, 0x1000000 ;\n"
                             "ST.E [R4], R8 ;\nLD.E R9, [R4] ;\nIMAD.WIDE.U32 R4, R0, 0x4, R2 ;\n"
                             "STG.E [R4+0x100], R9 ;\nEXIT ;\n");
  s.x.launch.shared_bytes = 256;
  s.x.launch.local_bytes = 256;
  space_map(&s, V, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  for (unsigned i = 0; i < 32; i++) {
    assert_int_equal(mem32(&s.x, 9 * 4096 + 4 * i), i < 24 ? 0 : i);
    assert_int_equal(mem32(&s.x, 9 * 4096 + 0x100 + 4 * i), i);
  }
  space_free(&s);
}

/* ---- undefined bits go to frames, whatever their names */

static void undefined_bits(void **state) {
  (void)state;
  for (unsigned cleared = 0; cleared < 2; cleared++) {
    struct space s;
    begin(&s, cleared ? TEXT_V
                  "STG.E [R2], R9 ;\nSTG.E [R2+0x1000], RZ ;\nLDG.E R4, [R2] ;\nSTG.E [R2+0x8], R4 ;\nEXIT ;\n"
                      : TEXT_V "STG.E [R2], R9 ;\nLDG.E R4, [R2+0x1000] ;\nISETP.EQ.AND P0, PT, R4, RZ, PT ;\n"
                               "@P0 BRA 0x0 ;\nEXIT ;\n");
    space_map(&s, V, FRAME(9), W);
    space_map(&s, V + 4096, FRAME(9), W);
    EXPECT(&s.x, cleared ? HEDDLE_SUCCESS : HEDDLE_ERROR_UNDEFINED, space_run(&s));
    if (!cleared) assert_string_equal(heddle_model_undefined(s.x.model)->origin, "R9");
    space_free(&s);
  }
  struct space s;
  begin(&s, TEXT_V "STG.E [R2], R9 ;\nEXIT ;\n");
  space_map(&s, V, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_ERROR_UNDEFINED, space_run(&s)); /* the host would read it */
  assert_true(heddle_model_undefined(s.x.model)->at_end);
  space_free(&s);
}

/* ---- tables that the program changes */

/* The table of level 0 for V is itself a page: a store there counts for the next access. R10 = the entry. */
static void own_tables(void **state) {
  struct space s;
  char text[600];
  (void)state;
  space_init(&s);
  space_map(&s, V, FRAME(9), W);
  const uint64_t entry = space_entry(&s, V, 0), table = entry / 4096 * 4096, next = FRAME(5) | P | L;
  space_map(&s, V + 0x10000, table, W);
  snprintf(text, sizeof text,
           TEXT_V "LDG.E R4, [R2] ;\nMOV R8, 0x%x ;\nMOV R9, 0x%x ;\nSTG.E.64 [R2+0x%x], R8 ;\nLDG.E R5, [R2] ;\n"
                  "STG.E [R2+0x%x], R4 ;\nSTG.E [R2+0x%x], R5 ;\nEXIT ;\n",
           (uint32_t)next, (uint32_t)(next >> 32), 0x10000 + (unsigned)(entry % 4096), 0x11000, 0x11004);
  space_map(&s, V + 0x11000, FRAME(20), W);
  space_text(&s, text);
  set_mem32(&s.x, 9 * 4096, 111);
  set_mem32(&s.x, 5 * 4096, 222);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  assert_int_equal(mem32(&s.x, 20 * 4096), 111);
  assert_int_equal(mem32(&s.x, 20 * 4096 + 4), 222);
  assert_int_equal(get64(&s, entry), next | A); /* as stored, and the next load */
  space_free(&s);
}

/* It takes its own code away, and goes on no further than to its end. */
static void own_code(void **state) {
  struct space s;
  char text[400];
  (void)state;
  space_init(&s);
  const uint64_t entry = space_entry(&s, CODE_PAGE + 4096, 0);
  space_map(&s, V, entry / 4096 * 4096, W);
  snprintf(text, sizeof text, TEXT_V "STG.E.64 [R2+0x%x], RZ ;\nNOP ;\nNOP ;\nEXIT ;\n", (unsigned)(entry % 4096));
  space_text(&s, text);
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
  expect_trap(&s.x, HEDDLE_TRAP_PAGE, 0x40, ~0u, CODE_PAGE + 4096);
  assert_int_equal(s.x.retired, 4);
  space_free(&s);
}

/* The program is decoded anew whenever pages of code or constants come and go, as often as that may be. */
static void decoded_again(void **state) {
  struct space s;
  (void)state;
  begin(&s,
        TEXT_V "LDC.64 R6, c[0x0][RZ+0x40] ;\nDADD R8, R6, c[0x0][0x40] ;\nLDG.E R4, [R2] ;\nSTG.E.64 [R2+0x8], R8 ;\n"
               "DADD R8, R8, c[0x0][0x88] ;\nSTG.E.64 [R2+0x10], R8 ;\nEXIT ;\n");
  s.x.launch.fault_trap = false;
  const double one = 1.0, two = 2.0;
  memcpy(s.x.bank + 0x40, &one, 8);
  memcpy(s.x.bank + 0x88, &two, 8);
  EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_run(&s));
  const uint64_t bank = space_entry(&s, BANK_PAGE + 4096, 0), code = space_entry(&s, CODE_PAGE, 0);
  const uint64_t was[2] = {get64(&s, bank), get64(&s, code)};
  for (unsigned i = 0; i < 24; i++) {
    put64(&s, bank, i % 2 == 0 ? 0 : was[0]);
    put64(&s, code, i % 3 == 0 ? 0 : was[1]); /* behind which it stands */
    EXPECT(&s.x, HEDDLE_ERROR_FAULTS, space_go_on(&s));
    expect_fault(&s, V, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_LOAD, 1);
    assert_true(heddle_model_issued(s.x.model, 0x30));
    assert_false(heddle_model_issued(s.x.model, 0x40));
  }
  space_map(&s, V, FRAME(9), W);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_go_on(&s));
  double got[2];
  memcpy(got, heddle_model_memory(s.x.model) + 9 * 4096 + 8, sizeof got);
  assert_true(got[0] == 2.0 && got[1] == 4.0);
  space_free(&s);
}

/* ---- two spaces */

/* One program, each time in another space: the page with G is the same in both, the others are not. */
static void two_spaces(void **state) {
  struct space s;
  (void)state;
  space_init(&s);
  space_text(&s, TEXT_V "LDG.E R4, [R2] ;\nLDG.E R5, [R2+0x1000] ;\nIADD3 R4, R4, R5, RZ ;\nSTG.E [R2+0x4], R4 ;\n"
                        "STG.E [R2+0x1004], R4 ;\nEXIT ;\n");
  uint64_t root[2];
  for (unsigned k = 0; k < 2; k++) {
    root[k] = k == 0 ? s.root : space_root(&s);
    space_map(&s, V, FRAME(10 + k), W);
    space_map(&s, V + 4096, FRAME(20), W | G);
    set_mem32(&s.x, (10 + k) * 4096, 100 * (k + 1));
  }
  set_mem32(&s.x, 20 * 4096, 7);
  for (unsigned k = 0; k < 3; k++) {
    s.x.launch.space = (uint8_t)(k % 2);
    s.x.launch.page_root = root[k % 2];
    EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
    const uint32_t sum = 7 + 100 * (k % 2 + 1);
    assert_int_equal(mem32(&s.x, (10 + k % 2) * 4096 + 4), sum);
    assert_int_equal(mem32(&s.x, 20 * 4096 + 4), sum);
  }
  assert_int_equal(mem32(&s.x, 10 * 4096 + 4), 107); /* of the first space, by the third launch */
  s.root = root[1];
  assert_int_equal(get64(&s, space_entry(&s, V + 4096, 0)), FRAME(20) | P | L | W | G | A | D);
  space_free(&s);
}

/* A launch without pages between them has physical addresses and regions. */
static void without_pages(void **state) {
  struct space s;
  (void)state;
  space_init(&s);
  space_text(&s, TEXT_ADDRESS "LDG.E R4, [R2] ;\nEXIT ;\n");
  s.x.launch.pages = false;
  EXPECT(&s.x, HEDDLE_SUCCESS, machine_run(&s.x));
  s.x.launch.pages = true;
  EXPECT(&s.x, HEDDLE_ERROR_TRAPPED, space_run(&s));
  expect_trap(&s.x, HEDDLE_TRAP_PAGE, 0x20, ~0u, MEM_BASE);
  space_free(&s);
}

/* ---- observers have the program's addresses */

static uint64_t told;

static uint32_t access(void *ctx, const struct heddle_observed_access *a) {
  const struct space *s = ctx;
  uint8_t byte[4] = {0};
  told = a->addr[0];
  assert_true(heddle_lane_memory(s->x.model, a->by.slot, 0, a->space, a->addr[0], 4, byte));
  assert_int_equal(byte[0], 77);
  assert_false(heddle_lane_memory(s->x.model, a->by.slot, 0, a->space, a->addr[0] + 4096, 4, byte));
  return a->by.lanes;
}

static void observer(void **state) {
  struct space s;
  (void)state;
  begin(&s, TEXT_V "LDG.E R4, [R2] ;\nEXIT ;\n");
  space_map(&s, V, FRAME(9), W);
  set_mem32(&s.x, 9 * 4096, 77);
  const struct heddle_observer o = {.size = sizeof o, .ctx = &s, .access = access};
  assert_int_equal(heddle_model_observe(s.x.model, &o), HEDDLE_SUCCESS);
  EXPECT(&s.x, HEDDLE_SUCCESS, space_run(&s));
  assert_int_equal(told, V);
  space_free(&s);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scattered),       cmocka_unit_test(sizes),
      cmocka_unit_test(aliases),         cmocka_unit_test(atomic_by_two_names),
      cmocka_unit_test(store_in_part),   cmocka_unit_test(lanes_of_a_line),
      cmocka_unit_test(addresses_first), cmocka_unit_test(copy),
      cmocka_unit_test(generic),         cmocka_unit_test(undefined_bits),
      cmocka_unit_test(own_tables),      cmocka_unit_test(own_code),
      cmocka_unit_test(decoded_again),   cmocka_unit_test(two_spaces),
      cmocka_unit_test(without_pages),   cmocka_unit_test(observer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
