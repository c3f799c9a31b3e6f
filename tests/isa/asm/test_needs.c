/* SPDX-License-Identifier: Apache-2.0
 * What kernels need: along the ways that a launch may take, as notes say it, and notes that lie. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"

#include <heddle/asm.h>
#include <heddle/isa_tables.h>
#include <heddle/needs.h>

#define UNIT(u) (1u << ISA_UNIT_##u)

static const char text[] =
    ".kernel plain\n IADD3 R0, RZ, 0x1, RZ ;\n EXIT ;\n FADD R0, R0, R0 ;\n.end\n" /* never reached */
    ".func sine\n MUFU.SIN R4, R4 ;\n RET R20 ;\n.end\n"
    ".kernel calls\n@P0 BRA over ;\n EXIT ;\nover:\n CALL.REL sine ;\n VOTE.ALL P0, P0 ;\n EXIT ;\n.end\n"
    ".kernel uniform\n UMOV UR5, 0x7 ;\n MOV R1, UR5 ;\n EXIT ;\n.end\n"
    ".kernel guest\n IADD3 R0, R1, UR40, RZ ;\n EXIT ;\n.end\n" /* a uniform operand of another unit */
    ".kernel anywhere\n BRX R2 ;\n DADD R2, R2, R2 ;\n EXIT ;\n.end\n"
    ".kernel adds\n ATOMG.E.ADD.F32 R6, [R2], R5 ;\n EXIT ;\n.end\n"
    ".kernel copies\n LDGSTS.E [R4], [R2] ;\n LDGDEPBAR ;\n EXIT ;\n.end\n"
    ".kernel parks\n BSSY B0, far ;\n EXIT ;\nfar:\n HADD2 R2, R2, R2 ;\n EXIT ;\n.end\n";

static struct heddle_program *program;
static uint8_t image[1 << 16];
static size_t image_size;

static void complain(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  fprintf(stderr, "%s:%u: %s\n", m->file, m->line, m->text);
}

static int make(void **state) {
  (void)state;
  struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}, .message = complain, .long_words = true};
  char path[] = "/tmp/heddle-test-XXXXXX";
  struct heddle_message m;
  program = heddle_assemble(text, sizeof text - 1, "t.s", &o);
  const int fd = program ? mkstemp(path) : -1;
  if (fd < 0) return -1;
  close(fd);
  const bool ok = heddle_program_save(program, path, &m);
  FILE *f = fopen(path, "rb");
  image_size = f ? fread(image, 1, sizeof image, f) : 0;
  if (f) fclose(f);
  unlink(path);
  return ok && image_size > 0 ? 0 : -1;
}

static int drop(void **state) {
  (void)state;
  heddle_program_free(program);
  return 0;
}

static const struct {
  const char *kernel;
  uint32_t units, uniform_regs;
} wants[] = {{"plain", UNIT(ALU) | UNIT(BR), 0},
             {"calls", UNIT(BR) | UNIT(SFU) | UNIT(WARP), 0},
             {"uniform", UNIT(ALU) | UNIT(BR) | UNIT(UNI), 6},
             {"guest", UNIT(ALU) | UNIT(BR) | UNIT(UNI), 41},
             {"anywhere", UNIT(BR) | UNIT(FP64) | UNIT(SFU), 0},
             {"adds", UNIT(MEM) | UNIT(BR) | 1u << ISA_PART_FATOM, 0},
             {"copies", UNIT(MEM) | UNIT(BR) | 1u << ISA_PART_ASYNC, 0},
             {"parks", UNIT(BR) | UNIT(HALF), 0}};
enum { WANTS = sizeof wants / sizeof *wants };

static void words_say_what_they_need(void **state) {
  (void)state;
  for (size_t i = 0; i < WANTS; i++) {
    const struct heddle_kernel *k = heddle_program_kernel(program, wants[i].kernel);
    struct heddle_needs n;
    assert_non_null(k);
    assert_true(heddle_kernel_needs(program, k, &n));
    if (n.units != wants[i].units) fail_msg("%s: 0x%x, not 0x%x", k->name, n.units, wants[i].units);
    assert_int_equal(n.uniform_regs, wants[i].uniform_regs);
  }
}

static void the_first_of_them_is_found(void **state) {
  (void)state;
  const struct heddle_kernel *k = heddle_program_kernel(program, "calls");
  uint32_t words = 9;
  assert_int_equal(heddle_kernel_first(program, k, UNIT(SFU), &words), 0x30); /* in the function */
  assert_int_equal(words, 1);
  assert_int_equal(heddle_kernel_first(program, k, UNIT(TENSOR), &words), UINT32_MAX);
  assert_int_equal(words, 0);
  k = heddle_program_kernel(program, "uniform");
  assert_int_equal(heddle_kernel_first(program, k, UNIT(UNI), &words), k->entry_pc);
  assert_int_equal(words, 2);
}

static void files_say_the_same(void **state) {
  (void)state;
  struct heddle_program *p;
  struct heddle_message m;
  assert_true(heddle_program_load_memory(image, image_size, "x.elf", &p, &m));
  for (size_t i = 0; i < WANTS; i++) {
    const struct heddle_kernel *k = heddle_program_kernel(p, wants[i].kernel);
    assert_true(k->noted);
    assert_int_equal(k->needs.units, wants[i].units);
    assert_int_equal(k->needs.uniform_regs, wants[i].uniform_regs);
  }
  heddle_program_free(p);
}

/* Where the note of kernel `uniform` has its names: its version is 16 bytes before. */
static uint8_t *names_of_uniform(uint8_t *copy) {
  static const char names[] = "alu br uni";
  memcpy(copy, image, image_size);
  for (size_t i = 0; i + sizeof names <= image_size; i++)
    if (memcmp(copy + i, names, sizeof names) == 0) return copy + i;
  return NULL;
}

static void load(const uint8_t *bytes, const char *refused) {
  struct heddle_program *p;
  struct heddle_message m;
  const bool ok = heddle_program_load_memory(bytes, image_size, "x.elf", &p, &m);
  assert_int_equal(ok, refused == NULL);
  if (refused && !strstr(m.text, refused)) fail_msg("'%s' does not contain '%s'", m.text, refused);
  heddle_program_free(p);
}

static void broken_notes_are_refused(void **state) {
  (void)state;
  static uint8_t copy[sizeof image];
  uint8_t *at = names_of_uniform(copy);
  assert_non_null(at);
  load(copy, NULL);
  memcpy(at, "alu br unx", 10);
  load(copy, "kernel uniform: note of needs: a name of a unit is unknown");
  memcpy(at, "alu br alu", 10);
  load(copy, "stands twice");
  memcpy(at, "alu br    ", 10);
  load(copy, "is unknown");
  memset(at + 10, 'x', 2); /* two bytes of NUL are all that ends them */
  load(copy, "do not end");
  at = names_of_uniform(copy);
  at[-4] = 64;
  load(copy, "more uniform registers");
  at = names_of_uniform(copy);
  at[-8] = at[-7] = at[-6] = 0xff;
  load(copy, "belongs to no kernel");
  at = names_of_uniform(copy);
  at[-12] = 2; /* a later version says nothing here */
  load(copy, NULL);
}

static void names_and_bits_are_the_same(void **state) {
  (void)state;
  uint32_t units;
  char names[80], cut[6];
  const uint32_t all = UNIT(ALU) | UNIT(UNI) | 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM | 1u << ISA_PART_MODEL;
  heddle_needs_text(all, names, sizeof names);
  assert_string_equal(names, "alu uni async model fatom");
  assert_true(heddle_needs_parse(names, &units));
  assert_int_equal(units, all);
  heddle_needs_text(units, cut, sizeof cut);
  assert_string_equal(cut, "alu u");
  heddle_needs_text(0, names, sizeof names);
  assert_string_equal(names, "");
  assert_true(heddle_needs_parse("", &units));
  assert_int_equal(units, 0);
  assert_false(heddle_needs_parse(" alu", &units));
}

/* A branch through a register may go to any word: a million of them are looked at once each. */
static void many_open_branches_take_no_time(void **state) {
  (void)state;
  const struct heddle_kernel *any = heddle_program_kernel(program, "anywhere");
  const struct heddle_isa_word branch = heddle_program_word(program, any->entry_pc);
  struct heddle_kernel kernel[2] = {{.name = "a", .regs = 8}, {.name = "b", .entry_pc = HEDDLE_CODE_MAX / 2}};
  struct heddle_program p = {.code_bytes = HEDDLE_CODE_MAX, .kernel = kernel, .kernels = 2};
  struct heddle_needs n;
  uint32_t words = 0;
  p.code = malloc(HEDDLE_CODE_MAX);
  assert_non_null(p.code);
  for (uint32_t at = 0; at < HEDDLE_CODE_MAX; at += ISA_WORD_BYTES) heddle_isa_word_store(p.code + at, branch);
  assert_true(heddle_kernel_needs(&p, &kernel[0], &n));
  assert_int_equal(n.units, UNIT(BR));
  assert_int_equal(heddle_kernel_first(&p, &kernel[0], UNIT(BR), &words), 0);
  assert_int_equal(words, HEDDLE_CODE_MAX / 2 / ISA_WORD_BYTES);
  free(p.code);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_say_what_they_need),    cmocka_unit_test(the_first_of_them_is_found),
      cmocka_unit_test(files_say_the_same),          cmocka_unit_test(broken_notes_are_refused),
      cmocka_unit_test(names_and_bits_are_the_same), cmocka_unit_test(many_open_branches_take_no_time)};
  return cmocka_run_group_tests(tests, make, drop);
}
