/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix_words.h"

#include <string.h>

#include "tests/cmodel/words.h"

static bool hmma_word(const char *name, struct heddle_isa_word *w) {
  static const struct {
    const char *name;
    enum heddle_isa_enc enc;
  } hmma[] = {{"f16k16_f32", ISA_ENC_HMMA_16816_F32_RRR},
              {"f16k8_f32", ISA_ENC_HMMA_1688_F32_RRR},
              {"bf16k16_f32", ISA_ENC_HMMA_16816_F32_RRR},
              {"bf16k8_f32", ISA_ENC_HMMA_1688_F32_RRR},
              {"f16k16_f16", ISA_ENC_HMMA_16816_F16_RRR},
              {"f16k8_f16", ISA_ENC_HMMA_1688_F16_RRR},
              {"tf32k8_f32", ISA_ENC_HMMA_1688_F32_TF32_RRR},
              {"tf32k4_f32", ISA_ENC_HMMA_1684_F32_TF32_RRR},
              {"f64", ISA_ENC_DMMA_884_RRR}};
  for (unsigned i = 0; i < sizeof hmma / sizeof hmma[0]; i++)
    if (strcmp(name, hmma[i].name) == 0) {
      *w = WORD(hmma[i].enc);
      if (name[0] == 'b') *w = heddle_isa_put(*w, ISA_F_HMMA, ISA_HMMA_BF16);
      return true;
    }
  return false;
}

/* i16_ or i32_, then s8 or u8 for A and for B, then perhaps _sat. */
static bool imma_word(const char *name, struct heddle_isa_word *w) {
  if (strlen(name) < 8 || (strncmp(name, "i16_", 4) != 0 && strncmp(name, "i32_", 4) != 0)) return false;
  *w = WORD(name[1] == '3' ? ISA_ENC_IMMA_16832_RRR : ISA_ENC_IMMA_16816_RRR, ISA_F_I8A,
            name[4] == 's' ? ISA_BYTE8_S8 : ISA_BYTE8_U8, ISA_F_I8B, name[6] == 's' ? ISA_BYTE8_S8 : ISA_BYTE8_U8,
            ISA_F_SAT, strcmp(name + 8, "_sat") == 0 ? ISA_SAT_SAT : ISA_SAT_NONE);
  return true;
}

/* The format of A, then that of B when it is another one. */
static bool qmma_word(const char *name, struct heddle_isa_word *w) {
  static const char *const names[4] = {"e4m3_f32", "e4m3e5m2_f32", "e5m2e4m3_f32", "e5m2_f32"};
  for (unsigned i = 0; i < 4; i++)
    if (strcmp(name, names[i]) == 0) {
      *w = WORD(ISA_ENC_QMMA_16832_F32_RRR, ISA_F_FP8A, i / 2 != 0 ? ISA_FP8_E5M2 : ISA_FP8_E4M3, ISA_F_FP8B,
                i % 2 != 0 ? ISA_FP8_E5M2 : ISA_FP8_E4M3);
      return true;
    }
  return false;
}

bool matrix_word(const char *name, struct heddle_isa_word *w) {
  return hmma_word(name, w) || imma_word(name, w) || qmma_word(name, w);
}

uint64_t matrix_float(uint64_t n, unsigned fraction_bits, unsigned bias) {
  if (n == 0) return 0;
  unsigned top = 0;
  while (n >> (top + 1) != 0) top++;
  const uint64_t below = n - (UINT64_C(1) << top);
  const uint64_t fraction = top <= fraction_bits ? below << (fraction_bits - top) : below >> (top - fraction_bits);
  return (uint64_t)(bias + top) << fraction_bits | fraction;
}

static uint64_t as_f16(uint64_t n) {
  return matrix_float(n, 10, 15);
}

static uint64_t as_bf16(uint64_t n) {
  return matrix_float(n, 7, 127);
}

static uint64_t as_f32(uint64_t n) {
  return matrix_float(n, 23, 127);
}

static uint64_t as_f64(uint64_t n) {
  return matrix_float(n, 52, 1023);
}

static uint64_t as_e4m3(uint64_t n) {
  return matrix_float(n, 3, 7);
}

static uint64_t as_e5m2(uint64_t n) {
  return matrix_float(n, 2, 15);
}

static uint64_t as_integer(uint64_t n) {
  return n;
}

/* Sums of up to 32 products stay below 2^24, those of F16 accumulators below 2^11. */
const struct matrix_kind matrix_kinds[] = {
    {"f16k16_f32", {16, 8, 16, 16, 32}, 512, as_f16, as_f32},
    {"f16k8_f32", {16, 8, 8, 16, 32}, 512, as_f16, as_f32},
    {"f16k16_f16", {16, 8, 16, 16, 16}, 11, as_f16, as_f16},
    {"f16k8_f16", {16, 8, 8, 16, 16}, 15, as_f16, as_f16},
    {"bf16k16_f32", {16, 8, 16, 16, 32}, 255, as_bf16, as_f32},
    {"bf16k8_f32", {16, 8, 8, 16, 32}, 255, as_bf16, as_f32},
    {"tf32k8_f32", {16, 8, 8, 32, 32}, 512, as_f32, as_f32},
    {"tf32k4_f32", {16, 8, 4, 32, 32}, 512, as_f32, as_f32},
    {"i16_u8u8", {16, 8, 16, 8, 32}, 255, as_integer, as_integer},
    {"i32_u8u8", {16, 8, 32, 8, 32}, 255, as_integer, as_integer},
    {"i32_s8s8_sat", {16, 8, 32, 8, 32}, 127, as_integer, as_integer},
    {"e4m3_f32", {16, 8, 32, 8, 32}, 15, as_e4m3, as_f32},
    {"e5m2_f32", {16, 8, 32, 8, 32}, 7, as_e5m2, as_f32},
    {"f64", {8, 8, 4, 64, 64}, 1000, as_f64, as_f64},
};
const unsigned matrix_kinds_count = sizeof matrix_kinds / sizeof matrix_kinds[0];
