/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler's language: errors with their places, directives, and text that survives the way back; lines of source.
 */
#define _GNU_SOURCE /* memmem */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/asm.h>
#include "base/splitmix64.h"
#include "tests/isa/asm/asm_text.h"
#include "tests/test.h"

static void errors_name_their_place(void **state) {
  (void)state;
  expect_error("MOV R0, R1 ;\n", 1, 1, "outside a kernel");
  expect_error(".kernel k\n  FROB R0, R1 ;\n.end\n", 2, 3, "unknown instruction 'FROB'");
  expect_error(".kernel k\n  FADD.RX R0, R1, R2 ;\n.end\n", 2, 3, "suffix");
  char registers[16]; /* as many as the field holds, less RZ */
  snprintf(registers, sizeof registers, "R0-R%u ", (unsigned)heddle_isa_field_default(ISA_F_RD) - 1);
  expect_error(".kernel k\n  MOV R255, R1 ;\n.end\n", 2, 7, registers);
  expect_error(".kernel k\n  MOV R0, -R1 ;\n.end\n", 2, 11, "does not allow '-'");
  expect_error(".kernel k\n  LDG.E.64 R1, [R2] ;\n.end\n", 2, 3, "multiple of its size");
  expect_error(".kernel k\n  LDG.E R1, [R3] ;\n.end\n", 2, 3, "multiple of its size");
  expect_error(".kernel k\n  FFMA R1, 1.0, R2, R3 ;\n.end\n", 2, 3, "no form for these operands");
  expect_error(".kernel k\n  BRA nowhere ;\n.end\n", 2, 7, "'nowhere' is not defined");
  expect_error(".kernel k\n  MOV R0, c[0x0][0x2] ;\n.end\n", 2, 11, "steps of 4");
  expect_error(".kernel k\n  MOV R0, 0x100000000 ;\n.end\n", 2, 11, "32 bits");
  expect_error(".kernel k\n  LDG.E R1, [R2+0x800000] ;\n.end\n", 2, 16, "24 bits");
  expect_error(".kernel k\n  [B------:R-:W6:-:S01] NOP ;\n.end\n", 2, 3, "control code");
  expect_error(".kernel k\n  NOP x ;\n.end\n", 2, 7, "unexpected text");
  expect_error(".kernel k\n  NOP ;\n", 3, 1, "'.end' is missing");
  expect_error(".kernel k\n.shared a 4\n.shared a 4\n NOP ;\n.end\n", 0, 0, "defined twice");
  expect_error("", 0, 0, "no instructions");
  expect_error(".kernel k\n.local 524289\n EXIT ;\n.end\n", 2, 8, "at most 524288");
  expect_error(".func f\n.local 16\n EXIT ;\n.end\n", 2, 8, "belongs to a kernel");
  expect_error(".func f\n.shared x 16\n EXIT ;\n.end\n", 2, 2, "belongs to a kernel");
  expect_error(".func f\n.param u32 x\n EXIT ;\n.end\n", 2, 2, "belongs to a kernel");
  expect_error(".kernel k\n EXIT ;\n.end\n.kernel e\n.end\n", 6, 1, "'e' has no instructions");
  if (heddle_isa_field_width(ISA_F_RD) == 8) /* an encoding with fewer registers has no R254 at all */
    expect_error(".kernel k\n LDG.E.64 R254, [R2] ;\n.end\n", 2, 2, "beyond R254");
  expect_error(".kernel k\n.reqntid 32 4\n EXIT ;\n.end\n", 2, 14, "expected a number of the block");
  expect_error(".kernel k\n.maxntid 0\n EXIT ;\n.end\n", 2, 10, "this number must not be 0");
  expect_error(".kernel k\n.minnctapersm 2147483648\n EXIT ;\n.end\n", 2, 15, "at most 2147483647");
  expect_error(".func f\n.maxntid 4\n EXIT ;\n.end\n", 2, 2, "'.maxntid' belongs to a kernel");
  expect_error(".kernel k\n.param u32 n align 8\n EXIT ;\n.end\n", 2, 14, "behind an address of 64 bits");
  expect_error(".kernel k\n.param u64 n align 24\n EXIT ;\n.end\n", 2, 20, "expected an alignment, at most 16");
  static char text[2 * HEDDLE_SYMBOL_MAX];
  snprintf(text, sizeof text, ".kernel k%0*u\n EXIT ;\n.end\n", (int)HEDDLE_NAME_MAX, 0);
  expect_error(text, 1, 9, "a name of more than 4096 characters");
  snprintf(text, sizeof text, ".kernel k\n BRA k%0*u ;\n.end\n", (int)HEDDLE_SYMBOL_MAX, 0);
  expect_error(text, 2, 2, "a name of more than 4352 characters");
  expect_error(".kernel k\n BRA 0x8000000000000000 ;\n.end\n", 2, 6, "no code address");
}

static void listing_put(void *ctx, const char *text) {
  char *out = ctx;
  assert_true(strlen(out) + strlen(text) < 60000);
  strcat(out, text);
}

static void assert_same_after_listing(const struct heddle_program *p) {
  static char text[60000];
  text[0] = 0;
  heddle_disassemble_program(p, listing_put, text);
  struct heddle_program *q = assemble(text);
  if (!q) fail_msg("listing, line %u: %s", last.line, last.text);
  assert_int_equal(p->code_bytes, q->code_bytes);
  assert_memory_equal(p->code, q->code, p->code_bytes);
  assert_int_equal(p->const_bytes, q->const_bytes);
  assert_memory_equal(p->konst, q->konst, p->const_bytes);
  assert_int_equal(p->kernels, q->kernels);
  for (uint32_t i = 0; i < p->kernels; i++) {
    assert_string_equal(p->kernel[i].name, q->kernel[i].name);
    assert_int_equal(p->kernel[i].is_function, q->kernel[i].is_function);
    assert_int_equal(p->kernel[i].regs, p->kernel[i].is_function ? 0 : q->kernel[i].regs);
    assert_int_equal(p->kernel[i].shared_bytes, q->kernel[i].shared_bytes);
    assert_int_equal(p->kernel[i].barriers, q->kernel[i].barriers);
    assert_int_equal(p->kernel[i].param_bytes, q->kernel[i].param_bytes);
    assert_int_equal(p->kernel[i].local_bytes, q->kernel[i].local_bytes);
    assert_memory_equal(&p->kernel[i].promise, &q->kernel[i].promise, sizeof p->kernel[i].promise);
    for (uint32_t k = 0; k < p->kernel[i].params; k++)
      assert_int_equal(p->kernel[i].param[k].align, q->kernel[i].param[k].align);
    if (!p->kernel[i].is_function) assert_memory_equal(p->kernel[i].stall, q->kernel[i].stall, 8);
  }
  heddle_program_free(q);
}

static void kernels_survive_the_listing(void **state) {
  (void)state;
  static const char *const names[] = {"vecadd", "ifelse", "nested", "reduce", "sgemm", "histogram", "permute"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    char path[512];
    static char text[60000];
    snprintf(path, sizeof path, "%s/%s.s", KERNEL_DIR, names[i]);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    struct heddle_program *p = assemble(text);
    assert_non_null(p);
    assert_int_equal(warnings, 0);
    assert_same_after_listing(p);
    heddle_program_free(p);
  }
  struct heddle_program *p = assemble(".kernel k\n.param u64 a align 8\n.param u64 b\n.param u64 c align 16\n"
                                      ".reqntid 2147483647 4 1\n.maxntid 200\n.minnctapersm 3\n EXIT ;\n.end\n"
                                      ".kernel l\n EXIT ;\n.end\n");
  assert_non_null(p);
  assert_true(p->kernel[0].promise.block[0] == HEDDLE_PROMISE_MAX && p->kernel[0].param[2].align == 16);
  assert_same_after_listing(p);
  heddle_program_free(p);
}

/* A random value that its field may hold; registers are often quads, so that wide operands are legal. */
static uint64_t random_value(enum heddle_isa_field f, uint64_t *seed) {
  unsigned kind = heddle_isa_field_info(f)->kind;
  uint64_t ones = heddle_isa_field_width(f) == 64 ? ~(uint64_t)0 : ((uint64_t)1 << heddle_isa_field_width(f)) - 1;
  uint64_t v = splitmix64(seed) & ones;
  const char *prefix = heddle_isa_kind_prefix(kind);
  if (prefix && prefix[strlen(prefix) - 1] == 'R' && v != ones && splitmix64(seed) % 4 != 0) v &= ~(uint64_t)3;
  if (kind == ISA_K_REL) v &= 0xfffff0; /* a target that can exist */
  if (kind == ISA_K_COFF) v &= splitmix64(seed) % 2 ? ~(uint64_t)15 : ~(uint64_t)3;
  while (!heddle_isa_field_legal(f, v)) v = (v + 1) & ones;
  return v;
}

static struct heddle_isa_word random_word(const struct heddle_isa_encoding *enc, uint64_t *seed) {
  struct heddle_isa_word w = enc->match;
  for (unsigned i = 0; i < enc->n_fields; i++) {
    enum heddle_isa_field f = (enum heddle_isa_field)enc->fields[i];
    uint64_t v = random_value(f, seed);
    for (unsigned o = 0; o < 3; o++) /* reuse of an operand that is no register has no text */
      if (heddle_isa_field_info(f)->kind == ISA_K_REUSE && enc->src[o].kind != ISA_REG) v &= ~(uint64_t)(1u << o);
    if (heddle_isa_field_info(f)->kind == ISA_K_REUSE) v &= 7;
    w = heddle_isa_put(w, f, v);
  }
  return w;
}

static void assert_survives_text(struct heddle_isa_word w, const struct heddle_isa_dec *d) {
  char body[256], ctl[64], text[512];
  heddle_disassemble(w, ISA_WORD_BYTES, body, sizeof body);
  heddle_control_text(&d->ctl, ctl, sizeof ctl);
  snprintf(text, sizeof text, ".word 0x0\n%s %s ;", ctl, body);
  struct heddle_program *p = assemble_body(text);
  if (!p) fail_msg("%s: %s", body, last.text);
  struct heddle_isa_word got = heddle_program_word(p, ISA_WORD_BYTES);
  if (got.lo != w.lo || got.hi != w.hi)
    fail_msg("%s: %016llx%016llx became %016llx%016llx", body, (unsigned long long)w.hi, (unsigned long long)w.lo,
             (unsigned long long)got.hi, (unsigned long long)got.lo);
  heddle_program_free(p);
}

/* Word -> text -> word, for every encoding with random fields, the control code's too. */
static void every_encoding_survives_text(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (unsigned e = 0; e < ISA_ENC_COUNT; e++) {
    const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)e);
    unsigned legal = 0;
    for (unsigned round = 0; round < 200; round++) {
      struct heddle_isa_word w = random_word(enc, &seed);
      struct heddle_isa_dec d;
      if (!heddle_isa_decode(w, &d)) continue;             /* a wide operand that is not aligned */
      if (heddle_isa_max_reg(&d) >= (int)ISA_RZ) continue; /* no kernel has it: not to be written */
      assert_int_equal(d.enc, e);
      legal++;
      assert_survives_text(w, &d);
    }
    if (legal < 20)
      fail_msg("%s %s: %u legal words", heddle_isa_op_name((enum heddle_isa_op)enc->op), enc->format, legal);
  }
}

static void assert_word_survives_the_listing(struct heddle_isa_word w) {
  char text[96];
  snprintf(text, sizeof text, ".regs 255\n.word 0x%016llx%016llx ;", (unsigned long long)w.hi,
           (unsigned long long)w.lo);
  struct heddle_program *p = assemble_body(text);
  assert_non_null(p);
  assert_same_after_listing(p);
  heddle_program_free(p);
}

/* Reuse flags of what is no register, a pair beyond the last: the listing keeps them as .word. */
static void words_without_text_survive_the_listing(void **state) {
  (void)state;
  for (unsigned e = 0; e < ISA_ENC_COUNT; e++) {
    const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)e);
    if (enc->reuse == ISA_FIELD_NONE || enc->n_fields == 0) continue;
    uint64_t seed = e;
    assert_word_survives_the_listing(heddle_isa_put(random_word(enc, &seed), (enum heddle_isa_field)enc->reuse, 7));
  }
  struct heddle_program *p = assemble_body("IMAD.WIDE R4, R6, R7, R8 ;");
  assert_non_null(p);
  struct heddle_isa_word w = heddle_program_word(p, 0);
  assert_word_survives_the_listing(heddle_isa_put(w, ISA_F_RD, heddle_isa_field_default(ISA_F_RD) - 1));
  heddle_program_free(p);
}

static void data_directives(void **state) {
  (void)state;
  struct heddle_program *p =
      assemble(".const t u32 1, 0x203\n.const u u8 7\n.equ N 0x40\n.kernel k\n.param u8 a\n.param u64 b\n.param f32 c\n"
               ".shared x 4\n.local 100\n.shared y 64\n MOV R0, c[0x3][t+4] ;\n MOV R1, y ;\n MOV R2, N+1 ;\n MOV R3, "
               "c[0x0][b] ;\n"
               "here:\n MOV R4, here ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  assert_int_equal(p->const_bytes, 9);
  static const uint8_t bytes[9] = {1, 0, 0, 0, 3, 2, 0, 0, 7};
  assert_memory_equal(p->konst, bytes, 9);
  assert_int_equal(decode_at(p, 0).cbank, 3);
  assert_int_equal(decode_at(p, 0).coff, 4);
  assert_int_equal(decode_at(p, 1).imm, 16);
  assert_int_equal(decode_at(p, 2).imm, 0x41);
  assert_int_equal(decode_at(p, 3).coff, 0x168);
  assert_int_equal(decode_at(p, 4).imm, 0x40);
  assert_int_equal(p->kernel[0].param_bytes, 20);
  assert_int_equal(p->kernel[0].shared_bytes, 80);
  assert_int_equal(p->kernel[0].local_bytes, 112);
  assert_int_equal(p->kernel[0].regs, 5);
  assert_same_after_listing(p);
  heddle_program_free(p);
}

/* What is said counts, 0 too; else what the file uses. */
static void barriers_are_counted(void **state) {
  (void)state;
  struct heddle_program *p =
      assemble(".kernel a\n BAR.SYNC 0x3 ;\n EXIT ;\n.end\n.kernel b\n.barriers 0\n EXIT ;\n.end\n"
               ".kernel c\n.barriers 2\n EXIT ;\n.end\n.func d\n.barriers 9\n EXIT ;\n.end\n");
  assert_non_null(p);
  static const uint32_t want[3] = {4, 0, 2};
  for (unsigned k = 0; k < 3; k++) assert_int_equal(p->kernel[k].barriers, want[k]);
  p->kernel[3].barriers = 0; /* a function is a symbol only */
  assert_same_after_listing(p);
  heddle_program_free(p);
}

/* Lines of instructions: of assembly, looked up, through a file and back, out of damaged bytes. */

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
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, sizeof text - 1, "dir/t.s", &o, &p), HEDDLE_SUCCESS);
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
  assert_int_equal(heddle_program_save(p, path, &m), HEDDLE_SUCCESS);
  assert_int_equal(heddle_program_load(path, &q, &m), HEDDLE_SUCCESS);
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
  for (uint32_t i = 0, source; i < 3; i++) {
    static const char *const file[] = {"a.cl", "/b/b.h", "c c.h"};
    assert_int_equal(heddle_program_add_source(p, file[i], &source), HEDDLE_SUCCESS);
    assert_int_equal(source, i);
  }
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    assert_int_equal(heddle_program_add_line(p, row[i].pc, row[i].source, row[i].line), HEDDLE_SUCCESS);
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
  assert_true(fd >= 0 && heddle_program_save(p, path, &m) == HEDDLE_SUCCESS);
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
      if (heddle_program_load_memory(copy, (size_t)size, "x.elf", &p, &m) != HEDDLE_SUCCESS) continue;
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(barriers_are_counted),
                                     cmocka_unit_test(errors_name_their_place),
                                     cmocka_unit_test(kernels_survive_the_listing),
                                     cmocka_unit_test(every_encoding_survives_text),
                                     cmocka_unit_test(words_without_text_survive_the_listing),
                                     cmocka_unit_test(data_directives),
                                     cmocka_unit_test(assembly_has_lines),
                                     cmocka_unit_test(all_steps_come_back),
                                     cmocka_unit_test(damaged_lines_are_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
