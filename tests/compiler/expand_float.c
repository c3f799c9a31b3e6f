/* SPDX-License-Identifier: Apache-2.0 */
#include "expand_float.h"

#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/silicon/form_file.h"

static const struct {
  const char *name;
  enum ir_op op;
} operations[] = {{"div.", IR_DIV}, {"rcp.", IR_RCP}, {"sqrt.", IR_SQRT}, {"rsqrt.", IR_RSQRT}, {"ex2.", IR_EX2},
                  {"lg2.", IR_LG2}, {"sin.", IR_SIN}, {"cos.", IR_COS},   {"tanh.", IR_TANH}};
static const char *const directions[] = {".rn", ".rm", ".rp", ".rz"};
enum { OPERATIONS = sizeof operations / sizeof *operations, SILICON = 2048 };

struct expand_float expand_float_named(const char *name) {
  struct expand_float o = {.i = {.op = IR_OPS}};
  for (unsigned k = 0; k < OPERATIONS; k++)
    if (strncmp(name, operations[k].name, strlen(operations[k].name)) == 0) o.i.op = (uint16_t)operations[k].op;
  assert_true(o.i.op != IR_OPS);
  for (unsigned k = 0; k < 4; k++)
    if (strstr(name, directions[k])) o.i.arithmetic.round = (uint8_t)k;
  o.i.type = strstr(name, ".f64") ? PTX_F64 : PTX_F32;
  o.i.arithmetic.ftz = strstr(name, ".ftz") != NULL;
  o.i.arithmetic.approx = strstr(name, ".approx") != NULL;
  o.i.arithmetic.full = strstr(name, ".full") != NULL;
  return o;
}

const char *expand_float_name(const struct expand_float *o, char text[32]) {
  const char *op = "?";
  for (unsigned k = 0; k < OPERATIONS; k++)
    if (operations[k].op == (enum ir_op)o->i.op) op = operations[k].name;
  snprintf(text, 32, "%.*s%s%s.f%u", (int)strlen(op) - 1, op,
           o->i.arithmetic.approx ? ".approx"
           : o->i.arithmetic.full ? ".full"
                                  : directions[o->i.arithmetic.round],
           o->i.arithmetic.ftz ? ".ftz" : "", o->i.type == PTX_F64 ? 64 : 32);
  return text;
}

static struct mir_operand build(struct mir_builder *m, const void *ctx, struct mir_operand a, struct mir_operand b) {
  const struct expand_float *o = ctx;
  const bool wide = o->i.type == PTX_F64;
  switch ((enum ir_op)o->i.op) {
  case IR_DIV:
    return wide ? expand_div_f64(m, &o->i, a, b) : expand_div_f32(m, &o->i, a, b);
  case IR_RCP:
    return wide ? expand_rcp_f64(m, &o->i, a) : expand_rcp_f32(m, &o->i, a);
  case IR_SQRT:
    return wide ? expand_sqrt_f64(m, &o->i, a) : expand_sqrt_f32(m, &o->i, a);
  default:
    return wide ? expand_rsqrt_f64(m, &o->i, a) : expand_special_f32(m, &o->i, a);
  }
}

struct expand_machine *expand_float_new(const struct expand_float *o, bool guarded) {
  const unsigned w = o->i.type == PTX_F64 ? 8 : 4;
  const struct expand_job job = {
      .build = build, .ctx = o, .width = {w, o->i.op == IR_DIV ? w : 0, w}, .rtl = o->rtl, .guarded = guarded};
  return expand_new(&job);
}

unsigned expand_float_fast(const struct expand_float *o) {
  enum { N = 31 };
  double wide[2][N], got[N];
  float narrow[2][N];
  for (unsigned k = 0; k < N; k++) {
    wide[0][k] = narrow[0][k] = 1.5f;
    wide[1][k] = narrow[1][k] = 3.0f;
  }
  struct expand_machine *x = expand_float_new(o, false);
  const bool f64 = o->i.type == PTX_F64;
  uint64_t n = expand_apply(x, f64 ? (void *)wide[0] : narrow[0], f64 ? (void *)wide[1] : narrow[1], got, N);
  expand_free(x);
  return (unsigned)n;
}

static void *contents(const char *directory, const char *file, const char *suffix, size_t bytes) {
  char path[512];
  snprintf(path, sizeof path, "%s/ops/%s%s", directory, file, suffix);
  return form_file_bytes(path, bytes);
}

static void compare(const char *name, const uint8_t *got, const uint8_t *want, unsigned width, unsigned step) {
  for (unsigned k = step - 1; k < SILICON; k += step)
    if (memcmp(got + k * width, want + k * width, width) != 0) {
      uint64_t g = 0, w = 0;
      memcpy(&g, got + k * width, width);
      memcpy(&w, want + k * width, width);
      fail_msg("%s[%u]: got %llx, silicon %llx", name, k, (unsigned long long)g, (unsigned long long)w);
    }
}

void expand_float_silicon(const char *directory, const char *name) {
  const struct expand_float o = expand_float_named(name);
  const unsigned w = o.i.type == PTX_F64 ? 8 : 4;
  uint8_t *a = contents(directory, w == 8 ? "f64" : "f32", ".0.bin", SILICON * w);
  uint8_t *b = contents(directory, w == 8 ? "f64" : "f32", ".1.bin", SILICON * w);
  uint8_t *want = contents(directory, name, ".gold.bin", SILICON * w), *got = malloc(SILICON * w);
  assert_non_null(got);
  for (unsigned guarded = 0; guarded < 2; guarded++) {
    struct expand_machine *x = expand_float_new(&o, guarded);
    expand_apply(x, a, b, got, SILICON);
    compare(name, got, want, w, 1 + guarded);
    if (!guarded) print_message("%-22s 2048 equal; %2u straight of %u\n", name, expand_float_fast(&o), expand_size(x));
    expand_free(x);
  }
  free(a);
  free(b);
  free(want);
  free(got);
}
