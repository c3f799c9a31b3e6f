/* SPDX-License-Identifier: Apache-2.0 */
#include "mufu_forms.h"

#include <string.h>

#include "tests/cmodel/words.h"

const struct mufu_form mufu_forms[MUFU_FORMS] = {
    {"rcp.approx.ftz.f32", ISA_MUFU_RCP, false, ALWAYS_PLAIN, 1, 1, 0},
    {"rsqrt.approx.ftz.f32", ISA_MUFU_RSQ, false, ALWAYS_PLAIN, 1, 1, 0},
    {"sqrt.approx.ftz.f32", ISA_MUFU_SQRT, false, ALWAYS_PLAIN, 1, 1, 0},
    {"ex2.approx.ftz.f32", ISA_MUFU_EX2, false, ALWAYS_PLAIN, 1, 1, 0},
    {"lg2.approx.ftz.f32", ISA_MUFU_LG2, false, ALWAYS_PLAIN, 1, 1, 0},
    {"sin.approx.ftz.f32", ISA_MUFU_SIN, true, ALWAYS_PLAIN, 1, 1, 0},
    {"cos.approx.ftz.f32", ISA_MUFU_COS, true, ALWAYS_PLAIN, 1, 1, 0},
    {"tanh.approx.f32", ISA_MUFU_TANH, false, ALWAYS_PLAIN, 1, 1, 0},
    {"rcp.approx.f32", ISA_MUFU_RCP, false, TINY_OR_HUGE, 0x1p24f, 0x1p24f, 0},
    {"rsqrt.approx.f32", ISA_MUFU_RSQ, false, TINY, 0x1p24f, 0x1p12f, 0},
    {"sqrt.approx.f32", ISA_MUFU_SQRT, false, TINY, 0x1p24f, 0x1p-12f, 0},
    {"lg2.approx.f32", ISA_MUFU_LG2, false, TINY, 0x1p24f, 1, -24},
    {"ex2.approx.f32", ISA_MUFU_EX2, false, BELOW_126, 0.5f, 0, 0},
};

#define INVERSE_2PI 0x3e22f983u
#define HUGE_SCALE 0x1p-2f /* of arguments above 2^126, before and after */

bool mufu_ops_get(struct mufu_ops *ops, uint64_t function, unsigned build) {
  return row_op_get(&ops->mufu, WORD(ISA_ENC_MUFU_R, ISA_F_MUFU, function), build) &&
         row_op_get(&ops->fmul, WORD(ISA_ENC_FMUL_RR), build) &&
         row_op_get(&ops->fmul_rz, WORD(ISA_ENC_FMUL_RR, ISA_F_RND, ISA_RND_RZ), build) &&
         row_op_get(&ops->fadd, WORD(ISA_ENC_FADD_RR), build);
}

static uint32_t bits(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

static bool is_subnormal(uint32_t u) {
  return (u & 0x7f800000u) == 0 && (u & 0x7fffffffu) != 0;
}

/* A lane's factors and addend; plain: 1, 1 and -0. */
static void lane_scales(const struct mufu_form *f, uint32_t x, uint32_t *in, uint32_t *out, uint32_t *plus) {
  const uint32_t magnitude = x & 0x7fffffffu;
  const bool below = f->when == BELOW_126 && x > 0xc2fc0000u && x <= 0xff800000u;
  const bool huge = f->when == TINY_OR_HUGE && magnitude > 0x7e800000u;
  const bool tiny = (f->when == TINY || f->when == TINY_OR_HUGE) && is_subnormal(x);
  *in = bits(below || tiny ? f->in : (huge ? HUGE_SCALE : 1));
  *out = bits(tiny ? f->out : (huge ? HUGE_SCALE : 1));
  *plus = bits(tiny && f->plus != 0 ? f->plus : -0.0f);
}

/* Multiplying by 1 and adding -0 changes nothing but a NaN, and MUFU has only one of these. */
static void scaled(const struct mufu_form *f, const struct mufu_ops *ops, uint32_t result[32], const uint32_t x[32]) {
  _Alignas(64) uint32_t in[32], out[32], plus[32], y[32];
  for (unsigned i = 0; i < 32; i++) lane_scales(f, x[i], &in[i], &out[i], &plus[i]);
  row_op_run(&ops->fmul, y, x, in, NULL);
  row_op_run(&ops->mufu, y, NULL, y, NULL);
  if (f->when == BELOW_126)
    for (unsigned i = 0; i < 32; i++) out[i] = in[i] == bits(0.5f) ? y[i] : bits(1);
  row_op_run(&ops->fmul, y, y, out, NULL);
  row_op_run(&ops->fadd, result, y, plus, NULL);
}

void mufu_form_run(const struct mufu_form *f, const struct mufu_ops *ops, uint32_t result[32], const uint32_t x[32]) {
  _Alignas(64) uint32_t y[32];
  if (f->when != ALWAYS_PLAIN) {
    scaled(f, ops, result, x);
  } else if (f->turns) {
    for (unsigned i = 0; i < 32; i++) y[i] = INVERSE_2PI;
    row_op_run(&ops->fmul_rz, y, x, y, NULL);
    row_op_run(&ops->mufu, result, NULL, y, NULL);
  } else {
    row_op_run(&ops->mufu, result, NULL, x, NULL);
  }
}
