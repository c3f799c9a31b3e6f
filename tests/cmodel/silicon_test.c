/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction forms that equal one PTX operation (or a short, exact sequence)
 * against what an NVIDIA H200 returned: tests/silicon/ops, 2,048 inputs each.
 * Every form runs as a kernel: load a, b, c; the form; store d.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "machine.h"

#ifndef SILICON_DIR
#define SILICON_DIR "tests/silicon"
#endif
#define COUNT 2048u
#define STEP 0x8000u /* bytes between a, b, c and d in memory */

/* Registers of a form: a in R4:R5, b in R6:R7, c in R8:R9, d in R10:R11. */
enum { A = 4, B = 6, C = 8, D = 10 };

struct form {
  const char *name;
  const char *in; /* class of the inputs by slot: f = f32, i = i32, l = i64 */
  bool wide_result;
  struct isa_word w[3];
};

static void read_inputs(struct machine *x, const char *in) {
  for (unsigned slot = 0; in[slot] != '\0'; slot++) {
    static const char *const class_of[128] = {['f'] = "f32", ['i'] = "i32", ['l'] = "i64"};
    char path[512];
    (void)snprintf(path, sizeof path, "%s/ops/%s.%u.bin", SILICON_DIR, class_of[(unsigned char)in[slot]], slot);
    FILE *f = fopen(path, "rb");
    if (f == NULL) fail_msg("cannot read %s", path);
    const size_t size = in[slot] == 'l' ? 8 : 4;
    uint8_t *to = heddle_model_memory(x->model) + slot * STEP;
    for (unsigned i = 0; i < COUNT; i++) assert_int_equal(fread(to + 8 * i, size, 1, f), 1);
    (void)fclose(f);
  }
}

static void emit_form(struct machine *x, const struct form *f) {
  machine_emit(x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(x, s2r(1, ISA_SREG_SR_CTAID_X));
  machine_emit(x, WORD(ISA_ENC_IMAD_RIR, ISA_F_RD, 0, ISA_F_RA, 1, ISA_F_IMM, 128, ISA_F_RC, 0));
  machine_emit(x, mov_imm(2, (uint32_t)MEM_BASE));
  machine_emit(x, mov_imm(3, (uint32_t)(MEM_BASE >> 32)));
  machine_emit(x, WORD(ISA_ENC_IMAD_WIDE_RIR, ISA_F_RD, 2, ISA_F_RA, 0, ISA_F_IMM, 8, ISA_F_RC, 2));
  for (int slot = 0; f->in[slot] != '\0'; slot++)
    machine_emit(x, ldg((unsigned)(A + 2 * slot), 2, slot * (int)STEP, ISA_SIZE_64));
  machine_emit(x, mov_reg(D, ISA_RZ));
  machine_emit(x, mov_reg(D + 1, ISA_RZ));
  for (unsigned i = 0; i < 3 && (f->w[i].lo | f->w[i].hi) != 0; i++) machine_emit(x, f->w[i]);
  machine_emit(x, stg(2, 3 * (int)STEP, D, ISA_SIZE_64));
  machine_emit(x, exit_word());
}

static unsigned forms_run;

static void try_form(const struct form *f) {
  struct machine x;
  machine_init(&x);
  x.launch.grid[0] = COUNT / 128;
  x.launch.block[0] = 128;
  emit_form(&x, f);
  read_inputs(&x, f->in);
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  char path[512];
  (void)snprintf(path, sizeof path, "%s/ops/%s.gold.bin", SILICON_DIR, f->name);
  FILE *gold = fopen(path, "rb");
  if (gold == NULL) fail_msg("cannot read %s", path);
  for (unsigned i = 0; i < COUNT; i++) {
    uint64_t want = 0, got = 0;
    assert_int_equal(fread(&want, f->wide_result ? 8 : 4, 1, gold), 1);
    memcpy(&got, heddle_model_memory(x.model) + 3 * STEP + 8 * i, f->wide_result ? 8 : 4);
    if (want != got)
      fail_msg("%s [%u]: a=%08x b=%08x c=%08x gives %llx, silicon %llx", f->name, i, mem32(&x, 8 * i),
               mem32(&x, STEP + 8 * i), mem32(&x, 2 * STEP + 8 * i), (unsigned long long)got, (unsigned long long)want);
  }
  (void)fclose(gold);
  machine_free(&x);
  forms_run++;
}

#define ABC ISA_F_RD, D, ISA_F_RA, A, ISA_F_RB, B, ISA_F_RC, C
#define AB ISA_F_RD, D, ISA_F_RA, A, ISA_F_RB, B

/* d = P0 ? 1 : 0 */
static struct isa_word select_p0(void) {
  return WORD(ISA_ENC_SEL_RI, ISA_F_RD, D, ISA_F_RA, 1, ISA_F_IMM, 0, ISA_F_PS0, 0);
}

static const struct {
  const char *name;
  uint64_t rnd, irnd;
} rounding[4] = {{"rn", ISA_RND_RN, ISA_IRND_ROUND},
                 {"rm", ISA_RND_RM, ISA_IRND_FLOOR},
                 {"rp", ISA_RND_RP, ISA_IRND_CEIL},
                 {"rz", ISA_RND_RZ, ISA_IRND_TRUNC}};

static void fp32_arithmetic(void **state) {
  (void)state;
  char name[64];
  for (unsigned n = 0; n < 8; n++) {
    const uint64_t r = rounding[n / 2].rnd, z = n % 2 != 0 ? ISA_FTZ_FTZ : ISA_FTZ_NONE;
    const char *rn = rounding[n / 2].name, *ftz = n % 2 != 0 ? ".ftz" : "";
    (void)snprintf(name, sizeof name, "add.%s%s.f32", rn, ftz);
    try_form(&(struct form){name, "ff", false, {WORD(ISA_ENC_FADD_RR, AB, ISA_F_RND, r, ISA_F_FTZ, z)}});
    (void)snprintf(name, sizeof name, "mul.%s%s.f32", rn, ftz);
    try_form(&(struct form){name, "ff", false, {WORD(ISA_ENC_FMUL_RR, AB, ISA_F_RND, r, ISA_F_FTZ, z)}});
    (void)snprintf(name, sizeof name, "fma.%s%s.f32", rn, ftz);
    try_form(&(struct form){name, "fff", false, {WORD(ISA_ENC_FFMA_RRR, ABC, ISA_F_RND, r, ISA_F_FTZ, z)}});
  }
  const uint64_t s = ISA_SAT_SAT;
  try_form(&(struct form){"add.sat.f32", "ff", false, {WORD(ISA_ENC_FADD_RR, AB, ISA_F_SAT, s)}});
  try_form(&(struct form){"mul.sat.f32", "ff", false, {WORD(ISA_ENC_FMUL_RR, AB, ISA_F_SAT, s)}});
  try_form(&(struct form){"fma.sat.f32", "fff", false, {WORD(ISA_ENC_FFMA_RRR, ABC, ISA_F_SAT, s)}});
}

/* neg and abs as an addition of -0, and through FMNMX. */
static void fp32_signs(void **state) {
  (void)state;
  for (unsigned z = 0; z < 2; z++) {
    const uint64_t ftz = z != 0 ? ISA_FTZ_FTZ : ISA_FTZ_NONE;
    try_form(&(struct form){
        z != 0 ? "neg.ftz.f32" : "neg.f32",
        "f",
        false,
        {WORD(ISA_ENC_FADD_RR, ISA_F_RD, D, ISA_F_RA, A, ISA_F_NA, 1, ISA_F_RB, ISA_RZ, ISA_F_NB, 1, ISA_F_FTZ, ftz)}});
    try_form(&(struct form){
        z != 0 ? "abs.ftz.f32" : "abs.f32",
        "f",
        false,
        {WORD(ISA_ENC_FADD_RR, ISA_F_RD, D, ISA_F_RA, A, ISA_F_AA, 1, ISA_F_RB, ISA_RZ, ISA_F_NB, 1, ISA_F_FTZ, ftz)}});
    try_form(&(struct form){
        z != 0 ? "min.ftz.f32" : "min.f32", "ff", false, {WORD(ISA_ENC_FMNMX_RR, AB, ISA_F_PS0, 7, ISA_F_FTZ, ftz)}});
    try_form(&(struct form){
        z != 0 ? "max.ftz.f32" : "max.f32", "ff", false, {WORD(ISA_ENC_FMNMX_RR, AB, ISA_F_PS0, 15, ISA_F_FTZ, ftz)}});
  }
}

static void fp32_comparisons(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint64_t code;
  } c[] = {{"eq", ISA_FCMP_EQ},   {"ne", ISA_FCMP_NE},   {"lt", ISA_FCMP_LT},   {"le", ISA_FCMP_LE},
           {"gt", ISA_FCMP_GT},   {"ge", ISA_FCMP_GE},   {"equ", ISA_FCMP_EQU}, {"neu", ISA_FCMP_NEU},
           {"ltu", ISA_FCMP_LTU}, {"leu", ISA_FCMP_LEU}, {"gtu", ISA_FCMP_GTU}, {"geu", ISA_FCMP_GEU},
           {"num", ISA_FCMP_NUM}, {"nan", ISA_FCMP_NAN}};
  for (unsigned i = 0; i < 2 * sizeof c / sizeof c[0]; i++) {
    char name[64];
    const bool z = i % 2 != 0;
    (void)snprintf(name, sizeof name, "setp.%s%s.f32", c[i / 2].name, z ? ".ftz" : "");
    try_form(&(struct form){name,
                            "ff",
                            false,
                            {mov_imm(1, 1),
                             WORD(ISA_ENC_FSETP_PRR, ISA_F_PD0, 0, ISA_F_RA, A, ISA_F_RB, B, ISA_F_FCMP, c[i / 2].code,
                                  ISA_F_FTZ, z ? ISA_FTZ_FTZ : ISA_FTZ_NONE),
                             select_p0()}});
  }
}

static void conversions(void **state) {
  (void)state;
  for (unsigned n = 0; n < 8; n++) {
    char name[64];
    const bool u = n % 2 != 0;
    const uint64_t sign = u ? ISA_SIGN_U32 : ISA_SIGN_S32;
    (void)snprintf(name, sizeof name, "cvt.%s.f32.%s", rounding[n / 2].name, u ? "u32" : "s32");
    try_form(&(struct form){
        name,
        "i",
        false,
        {WORD(ISA_ENC_I2F_R, ISA_F_RD, D, ISA_F_RB, A, ISA_F_RND, rounding[n / 2].rnd, ISA_F_ISIGN, sign)}});
    (void)snprintf(name, sizeof name, "cvt.%si.%s.f32", rounding[n / 2].name, u ? "u32" : "s32");
    try_form(&(struct form){
        name,
        "f",
        false,
        {WORD(ISA_ENC_F2I_R, ISA_F_RD, D, ISA_F_RB, A, ISA_F_IRND, rounding[n / 2].irnd, ISA_F_DSIGN, sign)}});
  }
}

static void integer_sums(void **state) {
  (void)state;
  static const char *const names[2][3] = {{"add.s32", "add.u32", ""}, {"sub.s32", "sub.u32", ""}};
  for (unsigned sub = 0; sub < 2; sub++)
    for (unsigned u = 0; u < 2; u++)
      try_form(&(struct form){names[sub][u], "ii", false, {WORD(ISA_ENC_IADD3_RRR, AB, ISA_F_NB, sub)}});
  try_form(&(struct form){"neg.s32", "i", false, {WORD(ISA_ENC_IADD3_RRR, ISA_F_RD, D, ISA_F_RA, A, ISA_F_NA, 1)}});
  const struct isa_word lo = WORD(ISA_ENC_IADD3_RRR, AB, ISA_F_PD0, 1);
  const struct isa_word hi =
      WORD(ISA_ENC_IADD3_X_RRR, ISA_F_RD, D + 1, ISA_F_RA, A + 1, ISA_F_RB, B + 1, ISA_F_PS0, 1, ISA_F_PS1, 15);
  try_form(&(struct form){"add.s64", "ll", true, {lo, hi}});
  try_form(&(struct form){"add.u64", "ll", true, {lo, hi}});
  /* a - b: the carry of the low half is 1 unless it borrows, also when b is 0. */
  const struct isa_word slo = WORD(ISA_ENC_IADD3_RRR, AB, ISA_F_NB, 1, ISA_F_PD0, 1);
  const struct isa_word shi = WORD(ISA_ENC_IADD3_X_RRR, ISA_F_RD, D + 1, ISA_F_RA, A + 1, ISA_F_RB, B + 1, ISA_F_NB, 1,
                                   ISA_F_PS0, 1, ISA_F_PS1, 15);
  try_form(&(struct form){"sub.s64", "ll", true, {slo, shi}});
  try_form(&(struct form){"sub.u64", "ll", true, {slo, shi}});
}

static void integer_products(void **state) {
  (void)state;
  const uint64_t sign[2] = {ISA_SIGN_S32, ISA_SIGN_U32};
  static const char *const lo[] = {"mul.lo.s32", "mul.lo.u32"}, *const mad[] = {"mad.lo.s32", "mad.lo.u32"},
                           *const hi[] = {"mul.hi.s32", "mul.hi.u32"}, *const wide[] = {"mul.wide.s32", "mul.wide.u32"},
                           *const mad_hi[] = {"mad.hi.s32", "mad.hi.u32"};
  for (unsigned u = 0; u < 2; u++) {
    const struct isa_word w = WORD(ISA_ENC_IMAD_WIDE_RRR, AB, ISA_F_SIGN, sign[u]);
    const struct isa_word high = mov_reg(D, D + 1);
    try_form(&(struct form){lo[u], "ii", false, {WORD(ISA_ENC_IMAD_RRR, AB, ISA_F_SIGN, sign[u])}});
    try_form(&(struct form){mad[u], "iii", false, {WORD(ISA_ENC_IMAD_RRR, ABC, ISA_F_SIGN, sign[u])}});
    try_form(&(struct form){wide[u], "ii", true, {w}});
    try_form(&(struct form){hi[u], "ii", false, {w, high}});
    /* c as the high word of the addend: R8:R9 = {c, 0} swapped into R10:R11 = {0, c}. */
    try_form(
        &(struct form){mad_hi[u],
                       "iii",
                       false,
                       {mov_reg(D + 1, C), WORD(ISA_ENC_IMAD_WIDE_RRR, AB, ISA_F_RC, D, ISA_F_SIGN, sign[u]), high}});
  }
}

static void integer_order(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint64_t code;
  } c[] = {{"eq", ISA_ICMP_EQ}, {"ne", ISA_ICMP_NE}, {"lt", ISA_ICMP_LT},
           {"le", ISA_ICMP_LE}, {"gt", ISA_ICMP_GT}, {"ge", ISA_ICMP_GE}};
  for (unsigned i = 0; i < 12; i++) {
    char name[64];
    (void)snprintf(name, sizeof name, "setp.%s.%s", c[i / 2].name, i % 2 != 0 ? "u32" : "s32");
    try_form(&(struct form){name,
                            "ii",
                            false,
                            {mov_imm(1, 1),
                             WORD(ISA_ENC_ISETP_PRR, ISA_F_PD0, 0, ISA_F_RA, A, ISA_F_RB, B, ISA_F_ICMP, c[i / 2].code,
                                  ISA_F_SIGN, i % 2 != 0 ? ISA_SIGN_U32 : ISA_SIGN_S32),
                             select_p0()}});
  }
  static const char *const names[4] = {"min.s32", "min.u32", "max.s32", "max.u32"};
  for (unsigned i = 0; i < 4; i++)
    try_form(&(struct form){
        names[i],
        "ii",
        false,
        {WORD(ISA_ENC_IMNMX_RR, AB, ISA_F_SIGN, i % 2 != 0 ? ISA_SIGN_U32 : ISA_SIGN_S32, ISA_F_PS0, i < 2 ? 7 : 15)}});
}

static void logic(void **state) {
  (void)state;
  static const unsigned luts[6] = {0x80, 0xfe, 0x96, 0xe8, 0xca, 0x1b};
  for (unsigned i = 0; i < 6; i++) {
    char name[64];
    (void)snprintf(name, sizeof name, "lop3.b32.0x%02x", luts[i]);
    try_form(&(struct form){name, "iii", false, {WORD(ISA_ENC_LOP3_LUT_RRR, ABC, ISA_F_LUT, luts[i])}});
  }
  try_form(&(struct form){"and.b32", "ii", false, {WORD(ISA_ENC_LOP3_LUT_RRR, AB, ISA_F_LUT, 0xc0)}});
  try_form(&(struct form){"or.b32", "ii", false, {WORD(ISA_ENC_LOP3_LUT_RRR, AB, ISA_F_LUT, 0xfc)}});
  try_form(&(struct form){"xor.b32", "ii", false, {WORD(ISA_ENC_LOP3_LUT_RRR, AB, ISA_F_LUT, 0x3c)}});
  try_form(
      &(struct form){"not.b32", "i", false, {WORD(ISA_ENC_LOP3_LUT_RRR, ISA_F_RD, D, ISA_F_RA, A, ISA_F_LUT, 0x0f)}});
}

static struct isa_word shift(unsigned rd, unsigned lo, unsigned hi, unsigned amount, uint64_t type, uint64_t dir,
                             bool wrap, bool high) {
  return WORD(ISA_ENC_SHF_RRR, ISA_F_RD, rd, ISA_F_RA, lo, ISA_F_RC, hi, ISA_F_RB, amount, ISA_F_SHTYPE, type,
              ISA_F_SHDIR, dir, ISA_F_SHWRAP, wrap ? ISA_SHWRAP_W : ISA_SHWRAP_NONE, ISA_F_SHHI,
              high ? ISA_HI_HI : ISA_HI_NONE);
}

static void shifts(void **state) {
  (void)state;
  const uint64_t l = ISA_SHDIR_L, r = ISA_SHDIR_R, u32 = ISA_SHTYPE_U32, s64 = ISA_SHTYPE_S64, u64 = ISA_SHTYPE_U64;
  const unsigned z = ISA_RZ;
  try_form(&(struct form){"shl.b32", "ii", false, {shift(D, A, z, B, u32, l, false, false)}});
  try_form(&(struct form){"shr.u32", "ii", false, {shift(D, A, z, B, u32, r, false, false)}});
  try_form(&(struct form){"shr.s32", "ii", false, {shift(D, z, A, B, ISA_SHTYPE_S32, r, false, true)}});
  try_form(&(struct form){"shf.l.wrap.b32", "iii", false, {shift(D, A, B, C, u32, l, true, true)}});
  try_form(&(struct form){"shf.l.clamp.b32", "iii", false, {shift(D, A, B, C, u32, l, false, true)}});
  try_form(&(struct form){"shf.r.wrap.b32", "iii", false, {shift(D, A, B, C, u32, r, true, false)}});
  try_form(&(struct form){"shf.r.clamp.b32", "iii", false, {shift(D, A, B, C, u32, r, false, false)}});
  try_form(
      &(struct form){"shl.b64",
                     "li",
                     true,
                     {shift(D, A, A + 1, B, u64, l, false, false), shift(D + 1, A, A + 1, B, u64, l, false, true)}});
  try_form(
      &(struct form){"shr.u64",
                     "li",
                     true,
                     {shift(D, A, A + 1, B, u64, r, false, false), shift(D + 1, A, A + 1, B, u64, r, false, true)}});
  try_form(
      &(struct form){"shr.s64",
                     "li",
                     true,
                     {shift(D, A, A + 1, B, s64, r, false, false), shift(D + 1, A, A + 1, B, s64, r, false, true)}});
}

static void enough_forms(void **state) {
  (void)state;
  assert_true(forms_run >= 120);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fp32_arithmetic), cmocka_unit_test(fp32_signs),   cmocka_unit_test(fp32_comparisons),
      cmocka_unit_test(conversions),     cmocka_unit_test(integer_sums), cmocka_unit_test(integer_products),
      cmocka_unit_test(integer_order),   cmocka_unit_test(logic),        cmocka_unit_test(shifts),
      cmocka_unit_test(enough_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
