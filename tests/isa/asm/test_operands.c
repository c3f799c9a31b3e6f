/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands: what each may look like, how it is printed, what is refused; other spellings.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tests/isa/asm/asm_text.h"
#include "tests/test.h"

/* One instruction as text. */
static struct heddle_isa_word word_of(const char *text) {
  struct heddle_program *p = assemble_body(text);
  if (!p) fail_msg("%s: %u: %s", text, last.column, last.text);
  struct heddle_isa_word w = heddle_program_word(p, 0);
  heddle_program_free(p);
  return w;
}

static struct heddle_isa_dec decoded(const char *text) {
  struct heddle_isa_dec d;
  assert_true(heddle_isa_decode(word_of(text), &d));
  return d;
}

/* Printed as itself, or as the second text. */
struct spelling {
  const char *written, *printed;
};

static void check_spellings(const struct spelling *table, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const char *expected = table[i].printed ? table[i].printed : table[i].written;
    char text[256];
    heddle_disassemble(word_of(table[i].written), 0, text, sizeof text);
    assert_string_equal(text, expected);
    struct heddle_isa_word a = word_of(table[i].written), b = word_of(text);
    assert_true(a.lo == b.lo && a.hi == b.hi);
  }
}
#define CHECK_SPELLINGS(table) check_spellings(table, sizeof table / sizeof *table)

/* Refused at this column with a message that contains these words. */
struct refusal {
  const char *text;
  unsigned column;
  const char *words;
};

static void check_refusals(const struct refusal *table, size_t n) {
  for (size_t i = 0; i < n; i++) {
    struct heddle_program *p = assemble_body(table[i].text);
    if (p) fail_msg("accepted: %s", table[i].text);
    if (last.line != 2 || last.column != table[i].column || !strstr(last.text, table[i].words))
      fail_msg("%s: %u:%u: %s", table[i].text, last.line, last.column, last.text);
  }
}
#define CHECK_REFUSALS(table) check_refusals(table, sizeof table / sizeof *table)

static void uniform_registers(void **state) {
  (void)state;
  static const struct spelling table[] = {
      {"UIADD3 UR4, UR5, UR6, URZ", NULL},
      {"UIADD3 UR4, UP0, UPT, -UR5, 0x1, URZ", NULL},
      {"IADD3 R4, R5, -UR62, RZ", NULL},
      {"FADD R4, |R5|, -|UR0|", NULL},
      {"UMOV URZ, 0x5", NULL},
      {"MOV R4, URZ", NULL},
      {"ULDC UR4, c[0x0][0x160]", "ULDC UR4, c[0x0][URZ+0x160]"},
      {"ULDC.64 UR4, c[0x3][UR2-0x8]", NULL},
      {"REDUX.MAX.U32 UR4, R5", NULL},
  };
  CHECK_SPELLINGS(table);
  struct heddle_isa_dec d = decoded("IADD3 R4, R5, -UR62, RZ");
  assert_int_equal(d.src[1].kind, ISA_UREG);
  assert_int_equal(d.src[1].reg, 62);
  assert_true(d.src[1].neg);
  assert_false(d.rd_uniform);
  d = decoded("UMOV URZ, 0x5");
  assert_true(d.rd_uniform && d.rd == ISA_RZ);
}

static void uniform_mistakes(void **state) {
  (void)state;
  static const struct refusal table[] = {
      {"UMOV R4, UR5", 6, "expected a uniform register UR0-UR62 or URZ"},
      {"MOV UR4, R5", 5, "expected a register R0-R"},
      {"UMOV UR4, R5", 1, "UMOV has no form for these operands (R register, U uniform register"},
      {"FADD R4, UR5, R6", 1, "no form for these operands"},
      {"UMOV UR4, UR63", 11, "UR63: this instruction set has UR0-UR62 and URZ"},
      {"UMOV UR63, UR4", 6, "UR63: this instruction set has UR0-UR62 and URZ"},
      {"IADD3 R4, R5, UR6.reuse, RZ", 15, "only a general register has a reuse flag"},
      {"UISETP.LT.AND P0, UPT, UR4, UR5, UPT", 15, "expected a uniform predicate UP0-UP6 or UPT"},
      {"ISETP.LT.AND P0, PT, R4, R5, UPT", 30, "expected a predicate P0-P6 or PT"},
      {"@UP0 MOV R4, R5", 1, "MOV executes once for each thread: its guard is P0-P6 or PT"},
      {"@!P0 UMOV UR4, UR5", 1, "UMOV executes once for the warp: its guard is UP0-UP6 or UPT"},
      {"@UP7 UMOV UR4, UR5", 2, "expected a predicate P0-P6, PT, UP0-UP6 or UPT after '@'"},
  };
  CHECK_REFUSALS(table);
}

static void guards(void **state) {
  (void)state;
  static const struct spelling table[] = {
      {"@UP3 UMOV UR4, UR5", NULL}, {"@!UPT UMOV UR4, UR5", NULL},        {"@UPT UMOV UR4, UR5", "UMOV UR4, UR5"},
      {"@!P6 MOV R4, UR5", NULL},   {"@P0 VOTEU.ANY UR4, UP0, P1", NULL}, {"@PT MOV R4, R5", "MOV R4, R5"},
  };
  CHECK_SPELLINGS(table);
  struct heddle_isa_dec d = decoded("@!UP3 UMOV UR4, UR5");
  assert_true(d.uniform && d.guard.index == 3 && d.guard.neg);
}

static void optional_results(void **state) {
  (void)state;
  static const struct spelling table[] = {
      {"SHFL.BFLY P0, R4, R5, R6, R7", NULL},
      {"SHFL.BFLY PT, R4, R5, R6, R7", "SHFL.BFLY R4, R5, R6, R7"},
      {"VOTE.ALL R4, P0, !P1", NULL},
      {"VOTE.ALL RZ, P0, P1", "VOTE.ALL P0, P1"},
      {"VOTEU.EQ URZ, UP0, P1", "VOTEU.EQ UP0, P1"},
      {"VOTEU.EQ UR4, UPT, P1", NULL},
      {"MATCH.ALL.U64 P1, R4, R6", NULL},
      {"P2R R4, PR, R5, 0x7f", NULL},
      {"R2P PR, R4, R5", NULL},
      {"UR2UP UPR, UR4, UR5", NULL},
      {"DEPBAR.LE SB5, 0x3", NULL},
      {"DEPBAR.LE SB2 , 3", "DEPBAR.LE SB2, 0x3"},
      {"LDGSTS.E [R5], [R2]", NULL},
      {"@!P1 LDGSTS.E.64 [RZ], [RZ+0x10]", NULL},
      {"LDGSTS.E.128 [ R4 ] , [R2 - 16]", "LDGSTS.E.128 [R4], [R2-0x10]"},
      {"LDGSTS.E.32 [R4], [R2]", "LDGSTS.E [R4], [R2]"},
      {"LDGDEPBAR", NULL},
  };
  CHECK_SPELLINGS(table);
  assert_int_equal(heddle_isa_get(word_of("DEPBAR.LE SB5, 0x3"), ISA_F_SBN), 5);
  static const struct refusal bad[] = {
      {"R2P R4, R5", 5, "expected 'PR, '"},
      {"DEPBAR.LE 0x5, 0x3", 11, "expected a name of 'sbn'"},
      {"DEPBAR.LE SB6, 0x3", 11, "expected a name of 'sbn'"},
      {"LDGSTS.E [R4+0x10], [R2]", 13, "expected ']'"},
      {"LDGSTS.E.U8 [R4], [R2]", 1, "has a suffix that this instruction does not take"},
      {"LDGSTS.E R4, [R2]", 10, "expected '['"},
      {"LDGSTS.E [R4], [R3]", 1, "a register pair or quad"},
      {"LDGDEPBAR R4", 11, "unexpected text"},
  };
  CHECK_REFUSALS(bad);
}

static void parts(void **state) {
  (void)state;
  static const struct spelling table[] = {
      {"HADD2 R4, R5.H0_H0, R6.H1_H1", NULL},
      {"HADD2 R4, R5.H1_H0, R6", "HADD2 R4, R5, R6"},
      {"HADD2 R4, -|R5|.H1_H1.reuse, |R6|", NULL},
      {"HADD2 R4, -|R5.reuse|.H1_H1, |R6|", "HADD2 R4, -|R5|.H1_H1.reuse, |R6|"},
      {"HADD2 R4, R5.H0_H0.reuse, R6.reuse", NULL},
      {"FADD R4, |R5.reuse|, R6", "FADD R4, |R5|.reuse, R6"},
      {"HADD2 R4, R5, c[0x0][0x160].H0_H0", NULL},
      {"HADD2 R4, R5, -|c[0x0][0x160]|.H1_H1", NULL},
      {"HFMA2.RELU R4, R5.H0_H0, UR6.H1_H1, -RZ.H0_H0", NULL},
  };
  CHECK_SPELLINGS(table);
  struct heddle_isa_dec d = decoded("HADD2 R4, R5.H0_H0, R6.H1_H1");
  assert_int_equal(d.src[0].part, ISA_HALVES_H0_H0);
  assert_int_equal(d.src[1].part, ISA_HALVES_H1_H1);
  static const struct refusal bad[] = {
      {"HADD2 R4, R5.H0_H2, R6", 13, "expected ', '"},
      {"HADD2 R4, R5.H0_H00, R6", 13, "expected ', '"},
      {"FADD R4, R5.H0_H0, R6", 12, "expected ', '"},
      {"HADD2 R4, R5, 1.0.H0_H0", 16, "unexpected text"},
      {"HADD2 R4, |R5.H1_H1|, R6", 14, "missing the second '|'"},
  };
  CHECK_REFUSALS(bad);
}

static void short_immediates(void **state) {
  (void)state;
  static const struct spelling table[] = {
      {"SHFL.IDX R4, R5, 0x1f, 0x1fff", NULL},
      {"SHFL.IDX R4, R5, R6, 31", "SHFL.IDX R4, R5, R6, 0x1f"},
      {"SHFL.IDX R4, R5, 0b11, R6", "SHFL.IDX R4, R5, 0x3, R6"},
      {"SHFL.IDX R4, R5, R6, R7", NULL},
  };
  CHECK_SPELLINGS(table);
  struct heddle_isa_dec d = decoded("SHFL.IDX R4, R5, 0x1f, 0x1fff");
  assert_int_equal(d.enc, ISA_ENC_SHFL_SII);
  assert_int_equal(d.src[1].imm, 0x1f);
  assert_int_equal(d.src[2].imm, 0x1fff);
  static const struct refusal bad[] = {
      {"SHFL.IDX R4, R5, 0x20, 0x0", 18, "shb: 0x20 does not fit 5 bits"},
      {"SHFL.IDX R4, R5, 0x0, 0x2000", 23, "shc: 0x2000 does not fit 13 bits"},
      {"SHFL.IDX R4, R5, -1, 0x0", 18, "does not fit 5 bits"},
      {"SHFL.IDX R4, R5, c[0x0][0x160], 0x0", 1, "no form for these operands"},
  };
  CHECK_REFUSALS(bad);
}

static void wide_constants(void **state) {
  (void)state;
  static const struct spelling table[] = {
      {"DADD R4, R6, -|c[0x0][0x168]|", NULL},
      {"FADD R4, R6, c[0x1f][0x164]", NULL},
      {"I2F.S64 R4, c[0x0][0x168]", NULL},
  };
  CHECK_SPELLINGS(table);
  static const struct refusal bad[] = {
      {"DADD R4, R6, c[0x0][0x164]", 1, "a constant of that size, must start at a multiple of its size"},
      {"I2F.S64 R4, c[0x0][0x164]", 1, "a constant of that size, must start at a multiple of its size"},
      {"FADD R4, R6, c[0x20][0x164]", 14, "bank 0 to 31"},
      {"FADD R4, R6, c[0x0][0x162]", 14, "steps of 4"},
  };
  CHECK_REFUSALS(bad);
}

static void f64_immediates(void **state) {
  (void)state;
  static const struct spelling table[] = {
      {"DADD R4, R6, 1.5", NULL},
      {"DADD R4, R6, 1", "DADD R4, R6, 1.0"},
      {"DADD R4, R6, -0", "DADD R4, R6, -0.0"},
      {"DADD R4, R6, 0x3ff80000", "DADD R4, R6, 1.5"},
      {"DADD R4, R6, 0x3ff8000000000000", "DADD R4, R6, 1.5"},
      {"DADD R4, R6, -INF", "DADD R4, R6, 0xfff00000"},
      {"DADD R4, R6, QNAN", "DADD R4, R6, 0x7ff80000"},
      {"DADD R4, R6, 0x00000001", NULL}, /* a subnormal */
      {"DADD R4, R6, 4294967296", "DADD R4, R6, 4294967296.0"},
  };
  CHECK_SPELLINGS(table);
  assert_int_equal(decoded("DADD R4, R6, 1.5").src[1].imm, 0x3ff80000);
  static const struct refusal bad[] = {
      {"DADD R4, R6, 0.1", 14, "has more bits than the upper word"},
      {"DADD R4, R6, 1e300", 14, "has more bits"},
      {"DADD R4, R6, 1e400", 14, "has more bits"},
      {"DADD R4, R6, 0x3ff8000000000001", 14, "the lower word of 0x3ff8000000000001 is not zero"},
      {"DADD R4, R6, -|1.0|", 14, "a modifier on an immediate"},
  };
  CHECK_REFUSALS(bad);
}

/* The half nearest to v, ties to even, found by trying all of them. */
static uint32_t nearest_half(double v) {
  uint32_t best = 0;
  double best_error = INFINITY;
  for (uint32_t h = 0; h < 0x7c00; h++) {
    double x = h >> 10 ? ldexp((h & 1023) + 1024, (int)(h >> 10) - 25) : ldexp(h, -24), e = fabs(v - x);
    if (e < best_error || (e == best_error && h % 2 == 0)) {
      best = h;
      best_error = e;
    }
  }
  return best;
}

static void f16x2_immediates(void **state) {
  (void)state;
  static const struct spelling table[] = {
      {"HADD2 R4, R5, 1.5", NULL},
      {"HADD2 R4, R5, 0x3e003e00", "HADD2 R4, R5, 1.5"},
      {"HADD2 R4, R5, 0x3e003c00", NULL},
      {"HADD2 R4, R5, -2", "HADD2 R4, R5, -2.0"},
      {"HADD2 R4, R5, -0.0", NULL},
      {"HADD2 R4, R5, 65519", "HADD2 R4, R5, 65504.0"},
      {"HADD2 R4, R5, +INF", "HADD2 R4, R5, 0x7c007c00"},
      {"HADD2 R4, R5, QNAN", "HADD2 R4, R5, 0x7fff7fff"},
      {"HADD2 R4, R5, 5.9605e-08", NULL}, /* the smallest */
  };
  CHECK_SPELLINGS(table);
  static const char *const numbers[] = {"0",
                                        "0.1",
                                        "1.00048828125",
                                        "1.00146484375",
                                        "2047.5",
                                        "2048.5",
                                        "0.00006103516",
                                        "2.98e-8",
                                        "2.9802322387695312e-08",
                                        "8.940696716308594e-08",
                                        "3.1415926535",
                                        "1e-30",
                                        "1.000488281250001"};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char text[64];
    double v;
    snprintf(text, sizeof text, "HADD2 R4, R5, %s", numbers[i]);
    assert_int_equal(sscanf(numbers[i], "%lf", &v), 1);
    uint32_t h = nearest_half(v);
    assert_int_equal(decoded(text).src[1].imm, h << 16 | h);
  }
  static const struct refusal bad[] = {{"HADD2 R4, R5, 65520", 15, "does not fit a half; the largest is 65504"}};
  CHECK_REFUSALS(bad);
}

/* Every half prints as a decimal that reads back, or as hex. */
static void every_half_survives(void **state) {
  (void)state;
  struct heddle_isa_word w = word_of("HADD2 R4, R5, 1.0");
  for (uint32_t h = 0; h < 0x10000; h += 7) {
    char text[256];
    struct heddle_isa_word v = heddle_isa_put(w, ISA_F_IMM, h << 16 | h);
    heddle_disassemble(v, 0, text, sizeof text);
    struct heddle_isa_word back = word_of(text);
    assert_true(back.lo == v.lo && back.hi == v.hi);
  }
}

/* Text as disassemblers of real machines print it: the word of our own spelling, or a refusal that names one. */

static const struct same {
  const char *theirs, *ours;
} same[] = {
    {"IMAD.MOV.U32 R3, RZ, RZ, 0x4", "IMAD.U32 R3, RZ, RZ, 0x4"},
    {"IMAD.MOV R3, RZ, RZ, c[0x0][0x160]", "IMAD R3, RZ, RZ, c[0x0][0x160]"},
    {"IMAD.SHL.U32 R3, R4, 0x10, RZ", "IMAD.U32 R3, R4, 0x10, RZ"},
    {"IMAD.IADD R3, R4, 0x1, R5", "IMAD R3, R4, 0x1, R5"},
    {"IADD3 R2, P0, R4, c[0x0][0x160], RZ", "IADD3 R2, P0, PT, R4, c[0x0][0x160], RZ"},
    {"@!P0 IADD3.X R2, P1, R2, R15, RZ, P1, !PT", "@!P0 IADD3.X R2, P1, PT, R2, R15, RZ, P1, !PT"},
    {"UIADD3 UR4, UP0, UR4, UR5, URZ", "UIADD3 UR4, UP0, UPT, UR4, UR5, URZ"},
    {"ISETP.GE.AND.EX P0, PT, R5, RZ, PT, P1", "ISETP.EX.GE.AND P0, PT, R5, RZ, PT, P1"},
    {"ISETP.GE.U32.AND.EX P0, PT, R5, RZ, PT, P1", "ISETP.EX.GE.U32.AND P0, PT, R5, RZ, PT, P1"},
    {"FSETP.GEU.FTZ.AND P0, PT, |R2|, 1.5, PT", "FSETP.GEU.AND.FTZ P0, PT, |R2|, 1.5, PT"},
    {"F2I.FTZ.U32.TRUNC.NTZ R4, R5", "F2I.U32.TRUNC.FTZ R4, R5"},
    {"I2F.U32.RP R4, R5", "I2F.U32.RP R4, R5"},
    {"F2FP.PACK_AB R4, R5, R6", "F2FP.F16.F32.PACK_AB R4, R5, R6"},
    {"FCHK P0, R2, R3", "FCHK.DIVIDE P0, R2, R3"},
    {"LOP3.LUT R6, R4, 0x1f, RZ, 0xc0, !PT", "LOP3.LUT R6, R4, 0x1f, RZ, 0xc0"},
    {"LOP3.LUT P0, RZ, R4, 0x1, RZ, 0xc0, !PT", "LOP3.LUT P0, RZ, R4, 0x1, RZ, 0xc0"},
    {"ULOP3.LUT UR4, UR4, UR5, URZ, 0x3c, !UPT", "ULOP3.LUT UR4, UR4, UR5, URZ, 0x3c"},
    {"LEA.HI.X.SX32 R3, R0, c[0x0][0x164], 0x1, P0", "LEA.HI.X.SX32 R3, R0, c[0x0][0x164], RZ, 0x1, P0"},
    {"LDG.E R4, [R2.64]", "LDG.E R4, [R2]"},
    {"LDG.E.64.CONSTANT R4, [R2.64+0x10]", "LDG.E.64 R4, [R2+0x10]"},
    {"LDG.E.SYS R4, [R2]", "LDG.E R4, [R2]"},
    {"LDG.E.STRONG.SYS R4, [R2.64]", "LDG.E.STRONG.SYS R4, [R2]"},
    {"STG.E.64.SYS [R2.64+-0x8], R8", "STG.E.64 [R2-0x8], R8"},
    {"LDS.U.128 R4, [R6]", "LDS.128 R4, [R6]"},
    {"ATOMG.E.ADD.STRONG.GPU PT, R6, [R2], R4", "ATOMG.E.ADD.STRONG.GPU R6, [R2], R4"},
    {"ATOMG.E.CAS.STRONG.GPU PT, R4, [R2], R6, R7", "ATOMG.E.CAS.STRONG.GPU R4, [R2], R6, R7"},
    {"LDGSTS.E.BYPASS.128 [R5], [R2.64]", "LDGSTS.E.128 [R5], [R2]"},
    {"BAR.SYNC.DEFER_BLOCKING 0x0", "BAR.SYNC 0x0"},
    {"MEMBAR.SC.GPU", "MEMBAR.GPU"},
    {"CALL.REL.NOINC `(.L_x_0) ; .L_x_0: EXIT", "CALL.REL 0x10 ; EXIT"},
    {"BSSY B0, `(.L_x_0) ; .L_x_0: EXIT", "BSSY B0, here ; here: EXIT"},
    {"/*0010*/ MOV R1, c[0x0][0x28] ; /* 0x00000a0000017a02 */", "MOV R1, c[0x0][0x28]"},
    {"MOV /* here, too */ R1, R2 /**/ ;", "MOV R1, R2"},
};

static void same_word(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
    const struct heddle_isa_word a = word_of(same[k].theirs), b = word_of(same[k].ours);
    if (a.lo != b.lo || a.hi != b.hi) fail_msg("%s is not %s", same[k].theirs, same[k].ours);
  }
}

static const struct refusal refused[] = {
    {"IMAD.X R3, R1, 0x1, R5, P0", 1, "IADD3.X adds with a carry"},
    {"HADD2.F32 R4, -RZ, R5.H0_H0", 1, "F2F.F32.F16"},
    {"HFMA2.MMA R3, -RZ, RZ, 0, 2.384185791015625e-07", 25, "one immediate"},
    {"ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R3, [R2.64], R5", 1, "keep subnormal numbers"},
    {"ATOMG.E.ADD.STRONG.GPU P0, R3, [R2.64], R5", 24, "expected a register"},
    {"F2I.U64.TRUNC.NTZ R4, R6", 1, "NaN gives 0"},
    {"LDS R4, [R6.64]", 12, "expected a number"},
    {"LDS R4, [R6.X4+0x10]", 12, "no multiple of a register"},
    {"LDS R4, [R6+UR4]", 12, "add the uniform register before"},
    {"LDG.E R4, desc[UR4][R2.64]", 16, "no descriptor"},
    {"LOP3.LUT R6, R4, 0x1f, RZ, 0xc0, P1", 32, "no other predicate"},
    {"LEA.HI.X R3, R0, R4, 0x1, P0", 29, "expected"},
    {"IADD3 R2, P0, P1, P2, R4, R5, RZ", 29, "unexpected text"},
    {"RET.REL.NODEC R2 `(k)", 1, "RET Rn takes the address"},
    {"WARPSYNC.ALL", 1, "WARPSYNC 0xffffffff"},
    {"BMOV.32.CLEAR R4, B6", 1, "BMOV.GET"},
    {"CS2R.32 R2, SR_CLOCKLO", 1, "S2R"},
    {"FADD.EF R2, R3, R4", 1, "suffix"},
    {"LDG.E.CONSTANT.CONSTANTS R4, [R2]", 1, "suffix"},
    {"BRA `(.L_x_9)", 5, "not defined"},
    {"BRA `(L_x_0", 5, "expected a label"},
    {"MOV R1, R2 /* open", 12, "unexpected text"},
};

static void names_ours(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
    struct heddle_program *p = assemble_body(refused[k].text);
    if (p) fail_msg("accepted: %s", refused[k].text);
    if (last.line != 2 || last.column != refused[k].column || !strstr(last.text, refused[k].words))
      fail_msg("%s: %u:%u: %s", refused[k].text, last.line, last.column, last.text);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(uniform_registers),
                                     cmocka_unit_test(uniform_mistakes),
                                     cmocka_unit_test(guards),
                                     cmocka_unit_test(optional_results),
                                     cmocka_unit_test(parts),
                                     cmocka_unit_test(short_immediates),
                                     cmocka_unit_test(wide_constants),
                                     cmocka_unit_test(f64_immediates),
                                     cmocka_unit_test(f16x2_immediates),
                                     cmocka_unit_test(every_half_survives),
                                     cmocka_unit_test(same_word),
                                     cmocka_unit_test(names_ours)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
