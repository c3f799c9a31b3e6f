/* SPDX-License-Identifier: Apache-2.0
 *
 * FP16 pairs, FP64 and conversions against what an NVIDIA H200 returned: those
 * PTX forms of tests/silicon/ops and of nan.txt that are one instruction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/words.h"

#include "tests/silicon/form_file.h"

#define COUNT 2048u

/* A PTX form as an instruction. */
struct form {
  struct heddle_isa_word word;
  unsigned operands;
  unsigned bits, result_bits; /* of each operand (16: in both halves), of the result; 1: a predicate */
  bool in_b;                  /* the only operand is b; otherwise a, with -0 as b */
  bool minimum, is_signed;    /* of integer results */
};

/* ---- names ---- */

/* Is `part` one of the parts of the name, which dots separate? */
static bool has(const char *name, const char *part) {
  const size_t n = strlen(part);
  for (const char *p = name; (p = strstr(p, part)) != NULL; p++)
    if ((p == name || p[-1] == '.') && (p[n] == '.' || p[n] == '\0')) return true;
  return false;
}

static unsigned bits_of_type(const char *type) {
  return (unsigned)strtoul(type + 1, NULL, 10);
}

static uint64_t rounding(const char *name, const char *suffix, const uint64_t code[4]) {
  static const char *const direction[4] = {"rn", "rm", "rp", "rz"};
  char part[8];
  for (unsigned n = 0; n < 4; n++) {
    (void)snprintf(part, sizeof part, "%s%s", direction[n], suffix);
    if (has(name, part)) return code[n];
  }
  return code[0];
}

static uint64_t rnd_of(const char *name) {
  static const uint64_t code[4] = {ISA_RND_RN, ISA_RND_RM, ISA_RND_RP, ISA_RND_RZ};
  return rounding(name, "", code);
}

static uint64_t irnd_of(const char *name) {
  static const uint64_t code[4] = {ISA_IRND_ROUND, ISA_IRND_FLOOR, ISA_IRND_CEIL, ISA_IRND_TRUNC};
  return rounding(name, "i", code);
}

static uint64_t itype_of(const char *type) {
  static const uint64_t code[2][4] = {{ISA_ITYPE_S8, ISA_ITYPE_S16, ISA_ITYPE_S32, ISA_ITYPE_S64},
                                      {ISA_ITYPE_U8, ISA_ITYPE_U16, ISA_ITYPE_U32, ISA_ITYPE_U64}};
  const unsigned bits = bits_of_type(type);
  return code[type[0] == 'u'][bits == 8 ? 0 : (bits == 16 ? 1 : (bits == 32 ? 2 : 3))];
}

/* FP types have the same codes in all their sets. */
static uint64_t ftype_of(const char *type) {
  const unsigned bits = bits_of_type(type);
  return bits == 16 ? ISA_FTYPE_F16 : (bits == 64 ? ISA_FTYPE_F64 : ISA_FTYPE_F32);
}

/* ---- forms ---- */

/* cvt....TO.FROM */
static void convert(const char *name, struct form *f) {
  const char *from = strrchr(name, '.') + 1, *to = from - 2;
  while (to[-1] != '.') to--;
  const uint64_t ftz = has(name, "ftz") ? ISA_FTZ_FTZ : ISA_FTZ_NONE;
  f->operands = 1;
  f->in_b = true;
  f->bits = bits_of_type(from);
  f->result_bits = bits_of_type(to);
  f->is_signed = to[0] == 's';
  if (from[0] != 'f')
    f->word = WORD(ISA_ENC_I2F_R, ISA_F_FLT, ftype_of(to), ISA_F_ISRC, itype_of(from), ISA_F_RND, rnd_of(name));
  else if (to[0] != 'f')
    f->word = WORD(ISA_ENC_F2I_R, ISA_F_FLT, ftype_of(from), ISA_F_DINT, itype_of(to), ISA_F_IRND, irnd_of(name),
                   ISA_F_FTZ, ftz);
  else if (f->bits == f->result_bits)
    f->word = WORD(ISA_ENC_FRND_R, ISA_F_RINT, ftype_of(from), ISA_F_IRND, irnd_of(name), ISA_F_FTZ, ftz);
  else
    f->word = WORD(ISA_ENC_F2F_R, ISA_F_FDST, ftype_of(to), ISA_F_FSRC, ftype_of(from), ISA_F_RND, rnd_of(name),
                   ISA_F_FTZ, ftz);
}

static bool half(const char *name, struct form *f) {
  const uint64_t ftz = has(name, "ftz") ? ISA_FTZ_FTZ : ISA_FTZ_NONE;
  f->bits = f->result_bits = has(name, "f16") ? 16 : 32;
  f->operands = has(name, "fma") ? 3 : 2;
  f->minimum = has(name, "min");
  if (has(name, "fma"))
    f->word = WORD(ISA_ENC_HFMA2_RRR, ISA_F_FTZ, ftz, ISA_F_SAT, has(name, "sat") ? ISA_SAT_SAT : ISA_SAT_NONE,
                   ISA_F_RELU, has(name, "relu") ? ISA_RELU_RELU : ISA_RELU_NONE);
  else if (has(name, "mul"))
    f->word = WORD(ISA_ENC_HMUL2_RR, ISA_F_FTZ, ftz);
  else if (has(name, "min") || has(name, "max"))
    f->word = WORD(ISA_ENC_HMNMX2_RR, ISA_F_FTZ, ftz);
  else if (has(name, "add"))
    f->word = WORD(ISA_ENC_HADD2_RR, ISA_F_FTZ, ftz);
  else
    return false;
  return true;
}

static uint64_t relation_of(const char *name) {
  static const struct {
    const char *name;
    uint64_t code;
  } all[] = {{"eq", ISA_FCMP_EQ},   {"ne", ISA_FCMP_NE},   {"lt", ISA_FCMP_LT},   {"le", ISA_FCMP_LE},
             {"gt", ISA_FCMP_GT},   {"ge", ISA_FCMP_GE},   {"equ", ISA_FCMP_EQU}, {"neu", ISA_FCMP_NEU},
             {"ltu", ISA_FCMP_LTU}, {"leu", ISA_FCMP_LEU}, {"gtu", ISA_FCMP_GTU}, {"geu", ISA_FCMP_GEU},
             {"num", ISA_FCMP_NUM}, {"nan", ISA_FCMP_NAN}};
  for (unsigned n = 0; n < sizeof all / sizeof all[0]; n++)
    if (has(name, all[n].name)) return all[n].code;
  return ISA_FCMP_F;
}

static bool fp64(const char *name, struct form *f) {
  const uint64_t rnd = rnd_of(name);
  f->bits = f->result_bits = 64;
  f->operands = has(name, "fma") ? 3 : (has(name, "abs") || has(name, "neg") ? 1 : 2);
  f->minimum = has(name, "min");
  if (has(name, "fma"))
    f->word = WORD(ISA_ENC_DFMA_RRR, ISA_F_RND, rnd);
  else if (has(name, "mul"))
    f->word = WORD(ISA_ENC_DMUL_RR, ISA_F_RND, rnd);
  else if (has(name, "min") || has(name, "max"))
    f->word = WORD(ISA_ENC_DMNMX_RR, ISA_F_NB, 0);
  else if (has(name, "add") || has(name, "sub"))
    f->word = WORD(ISA_ENC_DADD_RR, ISA_F_RND, rnd, ISA_F_NB, has(name, "sub"));
  else if (has(name, "abs") || has(name, "neg"))
    f->word = WORD(ISA_ENC_DADD_RR, ISA_F_AA, has(name, "abs"), ISA_F_NA, has(name, "neg"));
  else if (has(name, "setp"))
    f->word = WORD(ISA_ENC_DSETP_PRR, ISA_F_FCMP, relation_of(name));
  else
    return false;
  if (has(name, "setp")) f->result_bits = 1;
  return true;
}

/* The machine puts signs on halves before an operation sees them: such forms are left to whole programs. */
static bool find_form(const char *name, struct form *f) {
  memset(f, 0, sizeof *f);
  if (strcmp(name, "cvt.ftz.f64.f32") == 0)
    return false; /* two there: a flush, which makes NaNs canonical, comes first */
  if (strncmp(name, "cvt.", 4) == 0) {
    convert(name, f);
    return true;
  }
  if (has(name, "f64")) return fp64(name, f);
  return (has(name, "f16") || has(name, "f16x2")) && half(name, f);
}

/* ---- rows ---- */

static void put(uint32_t low[32], uint32_t high[32], unsigned k, const struct form *f, uint64_t v) {
  low[k] = f->bits == 16 ? (uint32_t)(v & 0xffffu) * 0x10001u : (uint32_t)v;
  high[k] = (uint32_t)(v >> 32);
}

static void put_case(struct rows *r, unsigned k, const struct form *f, const uint64_t v[3], uint64_t result) {
  static const uint64_t minus_zero[65] = {[16] = 0x8000u, [32] = 0x80008000u, [64] = UINT64_C(1) << 63};
  const uint64_t second = f->operands == 1 ? minus_zero[f->bits] : v[1];
  put(r->a, r->a_up[0], k, f, v[0]);
  put(r->b, r->b_up[0], k, f, f->in_b ? v[0] : second);
  put(r->c[0], r->c[1], k, f, v[2]);
  if (f->result_bits < 32 && f->is_signed)
    result = ((result ^ 0x8000u) - 0x8000u) & 0xffffffffu; /* the file has 16 bits */
  if (f->result_bits == 16 && !f->in_b) result *= 0x10001u;
  r->d[0][k] = (uint32_t)result;
  r->d[1][k] = (uint32_t)(result >> 32);
  r->pd[0] = (r->pd[0] & ~(1u << k)) | (uint32_t)(result & 1) << k;
}

static void check(struct rows *r, const struct form *f, const char *name) {
  r->word = f->word;
  r->d_words = f->result_bits == 1 ? 0 : (f->result_bits == 64 ? 2 : 1);
  r->n_pd = f->result_bits == 1 ? 1 : 0;
  r->ps[0] = f->result_bits == 1 || f->minimum ? ~0u : 0;
  rows_check(r, name);
}

/* ---- ops ---- */

static void read_file(uint64_t to[COUNT], const char *name, unsigned bytes) {
  char path[512];
  (void)snprintf(path, sizeof path, "%s/ops/%s", SILICON_DIR, name);
  FILE *file = form_file_open(path);
  for (unsigned i = 0; i < COUNT; i++) {
    to[i] = 0;
    assert_int_equal(fread(&to[i], bytes, 1, file), 1);
  }
  (void)fclose(file);
}

static void try_op(const char *op, const struct form *f) {
  static uint64_t in[3][COUNT], gold[COUNT];
  char name[128];
  const char *last = strrchr(op, '.');
  const bool floats = last[1] == 'f' && strcmp(last, ".f16x2") != 0 && strcmp(last, ".f16") != 0;
  const bool wide = f->bits == 64;
  for (unsigned slot = 0; slot < f->operands; slot++) {
    (void)snprintf(name, sizeof name, "%s%s.%u.bin", floats ? "f" : "i", wide ? "64" : "32", slot);
    read_file(in[slot], name, wide ? 8 : 4);
  }
  (void)snprintf(name, sizeof name, "%s.gold.bin", op);
  read_file(gold, name, f->result_bits == 64 ? 8 : 4);
  for (unsigned n = 0; n < COUNT; n += 32) {
    struct rows rows = {0};
    for (unsigned k = 0; k < 32; k++)
      put_case(&rows, k, f, (const uint64_t[3]){in[0][n + k], in[1][n + k], in[2][n + k]}, gold[n + k]);
    check(&rows, f, op);
  }
}

/* Every form there is a result of: forms.txt has a line of each. */
static void ops(void **state) {
  (void)state;
  FILE *list = fopen(SILICON_DIR "/forms.txt", "r");
  assert_non_null(list);
  char line[1024], name[128];
  unsigned tried = 0;
  while (fgets(line, sizeof line, list) != NULL) {
    struct form f;
    if (line[0] == '#' || sscanf(line, "%127s", name) != 1 || !find_form(name, &f)) continue;
    try_op(name, &f);
    tried++;
  }
  (void)fclose(list);
  assert_int_equal(tried, 124);
}

/* ---- nan.txt ---- */

static void nans(void **state) {
  (void)state;
  FILE *file = form_file_open(SILICON_DIR "/nan.txt");
  assert_non_null(file);
  char line[256];
  unsigned tried = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    char name[64];
    int at = 0;
    struct form f;
    if (line[0] == '#' || sscanf(line, "%63s%n", name, &at) != 1 || !find_form(name, &f)) continue;
    uint64_t v[3] = {0};
    char *p = line + at;
    for (unsigned k = 0; k < f.operands; k++) v[k] = strtoull(p, &p, 16);
    assert_memory_equal(p, " -> ", 4);
    const uint64_t result = strtoull(p + 4, NULL, 16);
    struct rows rows = {0};
    for (unsigned k = 0; k < 32; k++) put_case(&rows, k, &f, v, result);
    check(&rows, &f, line);
    tried++;
  }
  (void)fclose(file);
  assert_int_equal(tried, 3971);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ops), cmocka_unit_test(nans)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
