/* SPDX-License-Identifier: Apache-2.0
 * Packing: what becomes pairs, and that all that names a place moves along. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/asm.h>
#include <heddle/lint.h>
#include <heddle/isa_tables.h>
#include "tests/test.h"
#include "tests/isa/asm/same_program.h"

static struct heddle_program *made(const char *text, bool long_words) {
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}, .long_words = long_words};
  struct heddle_program *p;
  if (heddle_assemble(text, strlen(text), "t.s", &o, &p) != HEDDLE_SUCCESS) fail_msg("does not assemble:\n%s", text);
  return p;
}

static struct packed_counts both(const char *text) {
  struct heddle_program *l = made(text, true), *k = made(text, false);
  const struct packed_counts c = expect_same_program(text, l, k);
  heddle_program_free(l);
  heddle_program_free(k);
  return c;
}

/* Words that compilers write: they have short forms in any table that is of use. */
#define MOVES "MOV R4, 0x1 ;\nMOV R5, 0x2 ;\nMOV R6, 0x3 ;\nMOV R7, 0x4 ;\n"

static void pairs_are_made(void **state) {
  (void)state;
  const struct packed_counts c = both(".kernel k\n" MOVES MOVES "EXIT ;\n.end\n");
  assert_in_range(c.paired, 4, 8);
}

/* A short word's control code is a row of a table: it is not scheduled again, and nothing is changed. */
static void pairs_stay_scheduled(void **state) {
  (void)state;
  static const char text[] = ".kernel k\n" MOVES MOVES "EXIT ;\n.end\n";
  static const uint8_t stall[8] = {15, 15, 15, 15, 15, 15, 15, 15};
  struct heddle_program *p = made(text, false), *same = made(text, false), *words = made(text, true);
  assert_int_equal(heddle_schedule(p, 0, p->code_bytes, stall, NULL), HEDDLE_ERROR_INVALID_IMAGE);
  assert_memory_equal(p->code, same->code, p->code_bytes);
  assert_int_equal(heddle_schedule(words, 0, words->code_bytes, stall, NULL), HEDDLE_SUCCESS);
  heddle_program_free(p);
  heddle_program_free(same);
  heddle_program_free(words);
}

static void pack_off(void **state) {
  (void)state;
  const struct packed_counts off = both(".pack off\n.kernel k\n" MOVES MOVES "EXIT ;\n.end\n");
  assert_int_equal(off.paired, 0);
  const struct packed_counts again = both(".kernel k\n.pack off\n" MOVES ".pack on\n" MOVES "EXIT ;\n.end\n");
  const struct packed_counts on = both(".kernel k\n" MOVES MOVES "EXIT ;\n.end\n");
  assert_true(again.paired > 0 && again.paired < on.paired);
}

/* Kernels and functions begin places, whatever lies before them. */
static void entries(void **state) {
  (void)state;
  const struct packed_counts c =
      both(".kernel a\n" MOVES "MOV R8, 0x5 ;\nEXIT ;\n.end\n.kernel b\nMOV R4, 0x1 ;\n" MOVES
           "CALL.REL f ;\nEXIT ;\n.end\n.func f\n" MOVES "RET R20 ;\n.end\n");
  assert_true(c.paired > 0);
}

/* Branches both ways, over pairs. */
static void branches(void **state) {
  (void)state;
  const struct packed_counts c = both(".kernel k\nBSSY B0, out ;\nback:\n" MOVES "@P0 BRA fore ;\n" MOVES "BRA back ;\n"
                                      "fore:\n" MOVES "@P1 BRA back ;\nout:\nBSYNC B0 ;\nEXIT ;\n.end\n");
  assert_true(c.paired > 0);
}

/* A label is an address wherever it stands; what is between two labels is as much as it is. */
static void labels(void **state) {
  (void)state;
  static const char text[] = ".kernel k\n" MOVES MOVES "here:\nMOV R4, here ;\nMOV R5, there-here ;\nMOV R6, there ;\n"
                             "JMP there ;\n" MOVES "there:\nBRX R2 there ;\nEXIT ;\n.end\n.const c u32 there, 0\n";
  struct heddle_program *p = made(text, false), *l = made(text, true);
  uint32_t here = UINT32_MAX, there = UINT32_MAX, n = 0, imm[3] = {0};
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc), n++) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
    if (n == 8) here = pc;
    if (n >= 8 && n < 11) imm[n - 8] = d.imm;
    if (n == 11) assert_int_equal(d.op, ISA_OP_JMP);
    if (n == 16) there = pc;
    if (n == 16) assert_int_equal(heddle_isa_get(d.word, ISA_F_OFF32), there);
  }
  assert_true(p->code_bytes < l->code_bytes);
  assert_int_equal(imm[0], here);
  assert_int_equal(imm[1], there - here);
  assert_int_equal(imm[2], there);
  assert_int_equal(p->konst[0] | p->konst[1] << 8, there);
  heddle_program_free(p);
  heddle_program_free(l);
}

static void add(void *ctx, const char *text) {
  FILE *f = ctx;
  fputs(text, f);
}

/* The listing assembles to the same bytes, where something stays long too. */
static void listing(void **state) {
  (void)state;
  static const char *const texts[] = {".kernel k\n" MOVES "@P0 BRA out ;\n" MOVES "out:\nEXIT ;\n.end\n",
                                      ".kernel k\n.pack off\n" MOVES ".pack on\nMOV R8, 0x1 ;\n" MOVES
                                      "EXIT ;\n.end\n.func f\n" MOVES "RET R20 ;\n.end\n"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct heddle_program *p = made(texts[i], false);
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    heddle_disassemble_program(p, add, f);
    fclose(f);
    struct heddle_program *q = made(text, false);
    if (p->code_bytes != q->code_bytes || memcmp(p->code, q->code, p->code_bytes) != 0)
      fail_msg("other code:\n%s", text);
    free(text);
    heddle_program_free(p);
    heddle_program_free(q);
  }
}

static void silent(void *ctx, const struct heddle_lint_finding *f) {
  unsigned *n = ctx;
  (void)f;
  ++*n;
}

/* Through a file and back: the same code, lines, entries; and lint proves it. */
static void files(void **state) {
  (void)state;
  struct heddle_program *p =
      made(".kernel a\n" MOVES "back:\nIADD3 R4, R4, 0x1, R5 ;\nLDG.E R6, [R2] ;\n@P0 BRA back ;\n"
           "STG.E [R2], R6 ;\nEXIT ;\n.end\n.kernel b\n" MOVES "EXIT ;\n.end\n",
           false);
  char path[] = "/tmp/heddle-test-XXXXXX";
  const int fd = mkstemp(path);
  struct heddle_message m;
  struct heddle_program *q = NULL;
  unsigned findings = 0;
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(heddle_program_save(p, path, &m), HEDDLE_SUCCESS);
  assert_int_equal(heddle_program_load(path, &q, &m), HEDDLE_SUCCESS);
  unlink(path);
  assert_int_equal(p->code_bytes, q->code_bytes);
  assert_memory_equal(p->code, q->code, p->code_bytes);
  assert_int_equal(p->lines, q->lines);
  for (uint32_t i = 0; i < p->lines; i++) assert_int_equal(p->line[i].pc, q->line[i].pc);
  assert_int_equal(p->kernel[1].entry_pc, q->kernel[1].entry_pc);
  const struct heddle_lint_options o = {.size = sizeof o, .finding = silent, .ctx = &findings};
  assert_int_equal(heddle_lint(q, &o, NULL), HEDDLE_LINT_PROVEN);
  assert_int_equal(findings, 0);
  heddle_program_free(p);
  heddle_program_free(q);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_made), cmocka_unit_test(pairs_stay_scheduled),
      cmocka_unit_test(pack_off),       cmocka_unit_test(entries),
      cmocka_unit_test(branches),       cmocka_unit_test(labels),
      cmocka_unit_test(listing),        cmocka_unit_test(files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
