/* SPDX-License-Identifier: Apache-2.0
 * Lines of instructions: of assembly, looked up, through a file and back, out of damaged bytes. */
#define _GNU_SOURCE /* memmem */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"

#include <heddle/asm.h>

static void expect_line(const struct heddle_program *p, uint32_t pc, const char *file, unsigned line) {
  const char *name = NULL;
  unsigned got = 0;
  const bool known = heddle_program_line(p, pc, &name, &got);
  if (known != (line != 0)) fail_msg("0x%x: a line is %s", pc, known ? "known" : "not known");
  if (line != 0 && (got != line || strcmp(name, file) != 0))
    fail_msg("0x%x: %s:%u, expected %s:%u", pc, name, got, file, line);
}

static struct heddle_program *assembled(void) {
  static const char text[] = ".kernel k\n\n MOV R7, 0x1 ; MOV R6, 0x2 ;\nback: // here\n  MOV R5, 0x3 ;\n"
                             " .word 0x0 ;\n EXIT ;\n.end\n.func f\n RET R20 ;\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}, .long_words = true};
  struct heddle_program *p = heddle_assemble(text, sizeof text - 1, "dir/t.s", &o);
  assert_non_null(p);
  return p;
}

static void expect_lines(const struct heddle_program *p) {
  static const unsigned want[] = {3, 3, 5, 6, 7, 10, 0};
  for (uint32_t i = 0; i < sizeof want / sizeof *want; i++) expect_line(p, i * ISA_WORD_BYTES, "dir/t.s", want[i]);
}

static struct heddle_program *through_a_file(struct heddle_program *p) {
  char path[] = "/tmp/heddle-test-XXXXXX";
  const int fd = mkstemp(path);
  struct heddle_message m;
  struct heddle_program *q;
  assert_true(fd >= 0);
  close(fd);
  assert_true(heddle_program_save(p, path, &m));
  assert_true(heddle_program_load(path, &q, &m));
  unlink(path);
  heddle_program_free(p);
  return q;
}

static void assembly_has_lines(void **state) {
  (void)state;
  struct heddle_program *p = assembled();
  expect_lines(p);
  p = through_a_file(p);
  expect_lines(p);
  heddle_program_drop_lines(p);
  expect_line(p, 0, "", 0);
  p = through_a_file(p);
  expect_line(p, 0, "", 0);
  assert_int_equal(p->sources, 0);
  heddle_program_free(p);
}

/* Steps forth and back, near and far, from file to file, with words of which nobody knows. */
static void all_steps_come_back(void **state) {
  (void)state;
  enum { WORDS = 20000 };
  struct heddle_program *p = assembled();
  static const struct heddle_line row[] = {
      {0x10, 0, 1},    {0x20, 1, 9},     {0x30, 1, 4},      {0x40, 0, 100000}, {0x50, 2, 3},
      {0x100, 2, 0},   {0x110, 1, 7},    {0x11000, 1, 20},  {0x11010, 1, 11},  {0x11020, 1, 0x7fffffff},
      {0x11030, 1, 1}, {0x20000, 0, 63}, {0x20010, 0, 127}, {0x20020, 0, 64}};
  heddle_program_drop_lines(p);
  p->code = realloc(p->code, WORDS * ISA_WORD_BYTES);
  assert_non_null(p->code);
  for (uint32_t i = 1; i < WORDS; i++) memcpy(p->code + i * ISA_WORD_BYTES, p->code, ISA_WORD_BYTES);
  p->code_bytes = WORDS * ISA_WORD_BYTES;
  assert_int_equal(heddle_program_add_source(p, "a.cl"), 0);
  assert_int_equal(heddle_program_add_source(p, "/b/b.h"), 1);
  assert_int_equal(heddle_program_add_source(p, "c c.h"), 2);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    assert_true(heddle_program_add_line(p, row[i].pc, row[i].source, row[i].line));
  p = through_a_file(p);
  assert_int_equal(p->sources, 3);
  expect_line(p, 0, "", 0);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    expect_line(p, row[i].pc, p->source[row[i].source], row[i].line);
    if (i > 0) expect_line(p, row[i].pc - ISA_WORD_BYTES, p->source[row[i - 1].source], row[i - 1].line);
  }
  expect_line(p, p->code_bytes - ISA_WORD_BYTES, "a.cl", 64);
  expect_line(p, p->code_bytes, "", 0);
  heddle_program_free(p);
}

/* Whatever byte of .debug_line is wrong, the program loads, and what it says of lines lies in its code. */
static void damaged_lines_are_survived(void **state) {
  (void)state;
  static uint8_t image[1 << 16], copy[1 << 16];
  char path[] = "/tmp/heddle-test-XXXXXX";
  const int fd = mkstemp(path);
  struct heddle_program *p = assembled();
  struct heddle_message m;
  assert_true(fd >= 0 && heddle_program_save(p, path, &m));
  heddle_program_free(p);
  const ssize_t size = read(fd, image, sizeof image);
  close(fd);
  unlink(path);
  uint8_t *line = memmem(image, (size_t)size, "dir/t.s\0\0\0\0", 11);
  assert_non_null(line);
  unsigned without = 0;
  for (uint8_t *at = line - 32; at < line + 60; at++)
    for (unsigned v = 0; v < 256; v++) {
      memcpy(copy, image, (size_t)size);
      copy[at - image] = (uint8_t)v;
      if (!heddle_program_load_memory(copy, (size_t)size, "x.elf", &p, &m)) continue;
      for (uint32_t i = 0; i < p->lines; i++) {
        assert_true(p->line[i].pc <= p->code_bytes && p->line[i].source < p->sources);
        assert_true(i == 0 || p->line[i].pc > p->line[i - 1].pc);
      }
      without += p->lines == 0;
      heddle_program_free(p);
    }
  assert_true(without > 1000);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(assembly_has_lines),
      cmocka_unit_test(all_steps_come_back),
      cmocka_unit_test(damaged_lines_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
