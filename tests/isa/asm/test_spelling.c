/* SPDX-License-Identifier: Apache-2.0
 * Text as disassemblers of real machines print it: the word of our own spelling, or a refusal that names one. */
#include <string.h>

#include "tests/test.h"
#include "tests/isa/asm/asm_text.h"

static struct heddle_isa_word word_of(const char *text) {
  struct heddle_program *p = assemble_body(text);
  if (!p) fail_msg("%s: %u: %s", text, last.column, last.text);
  struct heddle_isa_word w = heddle_program_word(p, 0);
  heddle_program_free(p);
  return w;
}

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

static const struct refusal {
  const char *text;
  unsigned column;
  const char *words;
} refused[] = {
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_word), cmocka_unit_test(names_ours)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
