/* SPDX-License-Identifier: Apache-2.0
 * The assembler's language: errors with their places, control codes, and text that survives the way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/asm.h"
#include "heddle/isa_tables.h"

static struct heddle_message last;
static unsigned errors, warnings;

static void note(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  if (m->warning) {
    warnings++;
  } else if (errors++ > 0) {
    return; /* keep the first error */
  }
  last = *m;
}

static struct heddle_program *assemble(const char *text) {
  struct heddle_asm_options o = {.stall = {5, 6, 8, 6}, .message = note};
  errors = warnings = 0;
  memset(&last, 0, sizeof last);
  return heddle_assemble(text, strlen(text), "t.s", &o);
}

static void expect_error(const char *text, unsigned line, unsigned column, const char *words) {
  struct heddle_program *p = assemble(text);
  assert_null(p);
  assert_int_equal(last.line, line);
  assert_int_equal(last.column, column);
  if (!strstr(last.text, words)) fail_msg("'%s' does not contain '%s'", last.text, words);
}

static void errors_name_their_place(void **state) {
  (void)state;
  expect_error("MOV R0, R1 ;\n", 1, 1, "outside a kernel");
  expect_error(".kernel k\n  FROB R0, R1 ;\n.end\n", 2, 3, "unknown instruction 'FROB'");
  expect_error(".kernel k\n  FADD.RX R0, R1, R2 ;\n.end\n", 2, 3, "suffix");
  expect_error(".kernel k\n  MOV R255, R1 ;\n.end\n", 2, 7, "R0-R254");
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
}

static struct isa_dec decode_at(const struct heddle_program *p, unsigned index) {
  struct isa_dec d;
  assert_true(isa_decode(heddle_program_word(p, index * ISA_WORD_BYTES), &d));
  return d;
}

static void fixed_latency_results_get_stalls(void **state) {
  (void)state;
  struct heddle_program *p = assemble(".kernel k\n FADD R1, R2, R3 ;\n MOV R4, R5 ;\n IADD3 R6, R1, R4, RZ ;\n"
                                      " ISETP.LT.AND P0, PT, R6, R1, PT ;\n@P0 EXIT ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  assert_int_equal(warnings, 0);
  unsigned s0 = decode_at(p, 0).ctl.stall, s1 = decode_at(p, 1).ctl.stall;
  assert_true(s0 + s1 >= 8); /* FADD to IADD3 */
  assert_true(s1 >= 5);      /* MOV to IADD3 */
  assert_int_equal(decode_at(p, 2).ctl.stall, 5);
  assert_int_equal(decode_at(p, 3).ctl.stall, 6); /* predicate to guard */
  heddle_program_free(p);
}

static void memory_results_get_counters(void **state) {
  (void)state;
  struct heddle_program *p = assemble(".kernel k\n LDG.E R4, [R2] ;\n LDS.64 R6, [R8] ;\n FADD R9, R4, R4 ;\n"
                                      " MOV R7, R9 ;\n STG.E [R2], R9 ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  struct isa_dec ldg = decode_at(p, 0), lds = decode_at(p, 1), fadd = decode_at(p, 2), mov = decode_at(p, 3);
  assert_true(ldg.ctl.wbar < 6);
  assert_true(lds.ctl.wbar < 6);
  assert_int_not_equal(ldg.ctl.wbar, lds.ctl.wbar);
  assert_int_equal(fadd.ctl.wait, 1u << ldg.ctl.wbar);
  assert_int_equal(mov.ctl.wait, 1u << lds.ctl.wbar); /* R7 is the second word of the pair */
  assert_int_equal(decode_at(p, 4).ctl.wbar, 7);
  heddle_program_free(p);
}

static void blocks_end_with_everything_ready(void **state) {
  (void)state;
  struct heddle_program *p = assemble(".kernel k\n LDG.E R4, [R2] ;\n FADD R1, R2, R3 ;\n BRA next ;\nnext:\n"
                                      " FADD R5, R4, R1 ;\n MOV R6, R5 ;\nlabel:\n MOV R7, R6 ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  struct isa_dec ldg = decode_at(p, 0), fadd = decode_at(p, 1), bra = decode_at(p, 2);
  assert_int_equal(bra.ctl.wait, 1u << ldg.ctl.wbar);
  assert_true(fadd.ctl.stall + bra.ctl.stall >= 8);
  assert_int_equal(decode_at(p, 3).ctl.wait, 0);
  assert_true(decode_at(p, 4).ctl.stall >= 5);
  heddle_program_free(p);
}

static void written_codes_are_kept_and_checked(void **state) {
  (void)state;
  struct heddle_program *p = assemble(".kernel k\n [B--2---:R1:W0:Y:S09] LDG.E R4, [R2] ;\n"
                                      " [B------:R-:W-:-:S01] FADD R5, R4, R4 ;\n EXIT ;\n.end\n");
  assert_non_null(p);
  struct isa_ctl c = decode_at(p, 0).ctl;
  assert_int_equal(c.wait, 4);
  assert_int_equal(c.rbar, 1);
  assert_int_equal(c.wbar, 0);
  assert_true(c.yield);
  assert_int_equal(c.stall, 9);
  assert_true(warnings > 0);
  heddle_program_free(p);
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
    assert_int_equal(p->kernel[i].param_bytes, q->kernel[i].param_bytes);
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
}

static uint64_t mix(uint64_t *s) {
  uint64_t z = (*s += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Word -> text -> word, for every encoding with random fields; words that a random field made illegal go as .word. */
static void every_encoding_survives_text(void **state) {
  (void)state;
  uint64_t seed = 7;
  unsigned legal = 0;
  for (unsigned e = 0; e < ISA_ENC_COUNT; e++) {
    const struct isa_encoding *enc = isa_encoding_info((enum isa_enc)e);
    for (unsigned round = 0; round < 200; round++) {
      struct isa_word w = enc->match;
      for (unsigned f = 0; f < enc->n_fields; f++) {
        enum isa_field id = (enum isa_field)enc->fields[f];
        uint64_t v = mix(&seed);
        if (isa_field_info(id)->kind == ISA_K_REL) v &= 0xfffff0; /* a target that can exist */
        if (isa_field_info(id)->kind == ISA_K_COFF || isa_field_info(id)->kind == ISA_K_CBANK) v &= 3, v <<= 2;
        if (isa_field_info(id)->kind == ISA_K_CBANK) v >>= 2;
        if (isa_field_info(id)->kind == ISA_K_REUSE) v &= 0; /* reuse of an operand that is no register has no text */
        uint64_t mask = isa_field_width(id) == 64 ? ~(uint64_t)0 : ((uint64_t)1 << isa_field_width(id)) - 1;
        w = isa_put(w, id, v & mask);
      }
      struct isa_dec d;
      if (!isa_decode(w, &d)) continue;
      legal++;
      char body[256], ctl[64], text[512];
      heddle_disassemble(w, 0x4000, body, sizeof body);
      heddle_control_text(&d.ctl, ctl, sizeof ctl);
      snprintf(text, sizeof text, ".kernel k\n.word 0x0\n%s %s ;\n.end\n", ctl, body);
      struct heddle_program *p = assemble(text);
      if (!p) fail_msg("%s: %s", body, last.text);
      struct isa_word got = heddle_program_word(p, ISA_WORD_BYTES);
      /* relative targets were printed for 0x4000 and read at 0x10 */
      for (unsigned f = 0; f < enc->n_fields; f++)
        if (isa_field_info((enum isa_field)enc->fields[f])->kind == ISA_K_REL)
          got = isa_put(got, (enum isa_field)enc->fields[f], isa_get(w, (enum isa_field)enc->fields[f]));
      if (got.lo != w.lo || got.hi != w.hi)
        fail_msg("%s: %016llx%016llx became %016llx%016llx", body, (unsigned long long)w.hi, (unsigned long long)w.lo,
                 (unsigned long long)got.hi, (unsigned long long)got.lo);
      heddle_program_free(p);
    }
  }
  assert_true(legal > ISA_ENC_COUNT * 20);
}

static void data_directives(void **state) {
  (void)state;
  struct heddle_program *p =
      assemble(".const t u32 1, 0x203\n.const u u8 7\n.equ N 0x40\n.kernel k\n.param u8 a\n.param u64 b\n.param f32 c\n"
               ".shared x 4\n.shared y 64\n MOV R0, c[0x3][t+4] ;\n MOV R1, y ;\n MOV R2, N+1 ;\n MOV R3, c[0x0][b] ;\n"
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
  assert_int_equal(p->kernel[0].regs, 5);
  assert_same_after_listing(p);
  heddle_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_name_their_place),
      cmocka_unit_test(fixed_latency_results_get_stalls),
      cmocka_unit_test(memory_results_get_counters),
      cmocka_unit_test(blocks_end_with_everything_ready),
      cmocka_unit_test(written_codes_are_kept_and_checked),
      cmocka_unit_test(kernels_survive_the_listing),
      cmocka_unit_test(every_encoding_survives_text),
      cmocka_unit_test(data_directives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
