/* SPDX-License-Identifier: Apache-2.0
 *
 * What rides along with operands, and what selection refuses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>
#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

/* Negations, absolute values and halves of registers that ride along with the operation which reads them change no bit:
 * the same PTX once as it is, once with every such operand carried through volatile memory, where nothing rides along.
 * The operations by themselves are held against silicon in test_ops.c. */

#define BASE UINT64_C(0x7f00000000)
enum { VALUES = 16, THREADS = VALUES * VALUES, RECORD = 32, RESULT = 16 };

struct width {
  const char *type, *bits, *reg;
  unsigned bytes;
  uint64_t value[VALUES];
};
static const struct width widths[] = {
    {"f32",
     "b32",
     "%r",
     4,
     {0x00000000, 0x80000000, 0x3f800000, 0xc0200000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
      0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0xff9abcde, 0x4f000001, 0x3eaaaaab}},
    {"f64",
     "b64",
     "%d",
     8,
     {0, UINT64_C(1) << 63, 0x3ff0000000000000, 0xc004000000000000, 1, 0x800fffffffffffff, 0x0010000000000000,
      0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000012345,
      0x7ff0000000000001, 0xfff4abcdef012345, 0x41e0000000200000, 0x3fd5555555555555}},
    {"f16",
     "b16",
     "%h",
     2,
     {0x0000, 0x8000, 0x3c00, 0xc100, 0x0001, 0x83ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xfe12, 0x7c01, 0xfd55,
      0x6400, 0x3555}}};

/* S: the type; B: its bits; x, y: operands, z: y with the chain of signs; the result goes to %o. */
static const char *const uses[] = {"add.S %o, %x, %z;",
                                   "sub.S %o, %x, %z;",
                                   "sub.S %o, %z, %x;",
                                   "mul.S %o, %z, %x;",
                                   "fma.rn.S %o, %z, %x, %y;",
                                   "fma.rn.S %o, %x, %y, %z;",
                                   "min.S %o, %z, %x;",
                                   "max.S %o, %x, %z;",
                                   "neg.S %o, %z;",
                                   "abs.S %o, %z;",
                                   "setp.lt.S %p1, %z, %x; selp.B %o, %x, %y, %p1;",
                                   "setp.neu.S %p1, %x, %z; selp.B %o, %z, %y, %p1;",
                                   "mov.B %o, %z;"};
static const char *const uses_32[] = {"add.ftz.f32 %o, %x, %z;",
                                      "fma.rn.ftz.f32 %o, %z, %x, %z;",
                                      "div.rn.f32 %o, %x, %z;",
                                      "div.rn.f32 %o, %z, %x;",
                                      "sqrt.rn.f32 %o, %z;",
                                      "cvt.rni.s32.f32 %o, %z;",
                                      "cvt.rni.f32.f32 %o, %z;",
                                      "cvt.f64.f32 %d9, %z; cvt.rz.f32.f64 %o, %d9; mov.b64 {%r9, %o}, %d9;",
                                      "cvt.rn.f16.f32 %h9, %z; cvt.u32.u16 %o, %h9;",
                                      "ex2.approx.f32 %o, %z;",
                                      "copysign.f32 %o, %z, %x;",
                                      "min.ftz.f32 %o, %z, %x;",
                                      "rcp.approx.ftz.f32 %o, %z;",
                                      "add.sat.f32 %o, %z, %x;"};
static const char *const uses_64[] = {"div.rn.f64 %o, %x, %z;",
                                      "sqrt.rn.f64 %o, %z;",
                                      "cvt.rzi.s64.f64 %o, %z;",
                                      "cvt.rni.f64.f64 %o, %z;",
                                      "cvt.rn.f32.f64 %r9, %z; mov.b64 %o, {%r9, %r9};",
                                      "fma.rz.f64 %o, %z, %x, %z;",
                                      "copysign.f64 %o, %x, %z;"};
static const char *const chains[] = {
    "neg.S %z, %y;",     "abs.S %z, %y;",    "abs.S %z, %y; neg.S %z, %z;", "neg.S %z, %y; abs.S %z, %z;",
    "neg.ftz.S %z, %y;", "abs.ftz.S %z, %y;"};

/* The template's names. */
static void put_names(char *to, size_t size, const char *from, const struct width *w, bool through) {
  size_t at = 0;
  for (; *from && at + 20 < size; from++) {
    const char *word = NULL;
    char name[8];
    if (*from == 'S') word = w->type;
    if (*from == 'B') word = w->bits;
    if (*from == '%' && (from[1] == 'x' || from[1] == 'y' || from[1] == 'z' || from[1] == 'o')) {
      (void)snprintf(name, sizeof name, "%s%c", w->reg,
                     from[1] == 'x'   ? '1'
                     : from[1] == 'y' ? '2'
                     : from[1] == 'z' ? (through ? '4' : '3')
                                      : '5');
      word = name;
      from++;
    }
    if (word)
      at += (size_t)snprintf(to + at, size - at, "%s", word);
    else
      to[at++] = *from;
  }
  to[at] = '\0';
}

static void run(const char *text, uint8_t *memory, unsigned level) {
  struct heddle_program *p = select_compile(text, level, text);
  uint8_t param[8];
  for (unsigned k = 0; k < 8; k++) param[k] = (uint8_t)(BASE >> (8 * k));
  const struct select_job job = {.base = BASE,
                                 .global = memory,
                                 .bytes = THREADS * RECORD,
                                 .blocks = 1,
                                 .threads = THREADS,
                                 .param = param,
                                 .param_bytes = 8};
  const char *wrong = select_launch(p, &job);
  if (wrong) fail_msg("%s\n%s", wrong, text);
  heddle_program_free(p);
}

static void fill(uint8_t *memory, const struct width *w) {
  memset(memory, 0, THREADS * RECORD);
  for (unsigned t = 0; t < THREADS; t++)
    for (unsigned k = 0; k < 2; k++)
      for (unsigned b = 0; b < w->bytes; b++)
        memory[t * RECORD + 8 * k + b] = (uint8_t)(w->value[k ? t / VALUES : t % VALUES] >> (8 * b));
}

static void write_text(char *text, size_t size, const struct width *w, const char *chain, const char *use,
                       bool through) {
  char made[300], used[300], carried[300] = "";
  put_names(made, sizeof made, chain, w, false);
  put_names(used, sizeof used, use, w, through);
  if (through)
    (void)snprintf(carried, sizeof carried, "st.volatile.shared.%s [%%r8], %s3; ld.volatile.shared.%s %s4, [%%r8];",
                   w->bits, w->reg, w->bits, w->reg);
  (void)snprintf(
      text, size,
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"
      ".reg .b16 %%h<12>; .reg .b32 %%r<12>; .reg .b64 %%d<12>; .reg .pred %%p<4>; .shared .align 8 .b8 there[%d];\n"
      "mov.u32 %%r0, %%tid.x; ld.param.u64 %%d0, [base]; mad.wide.u32 %%d0, %%r0, %d, %%d0; mov.u32 %%r8, there; "
      "mad.lo.u32 %%r8, %%r0, 8, %%r8;\n"
      "ld.global.%s %s1, [%%d0]; ld.global.%s %s2, [%%d0+8];\n%s\n%s\n%s\nst.global.%s [%%d0+%d], %s5; ret; }\n",
      8 * THREADS, RECORD, w->bits, w->reg, w->bits, w->reg, made, carried, used, w->bits, RESULT, w->reg);
}

static void compare(const struct width *w, const char *chain, const char *use) {
  char direct[2000], through[2000];
  uint8_t a[THREADS * RECORD], b[THREADS * RECORD];
  write_text(direct, sizeof direct, w, chain, use, false);
  write_text(through, sizeof through, w, chain, use, true);
  for (unsigned level = 0; level < 2; level++) {
    fill(a, w);
    fill(b, w);
    run(direct, a, level);
    run(through, b, level);
    for (unsigned t = 0; t < THREADS; t++)
      if (memcmp(a + t * RECORD, b + t * RECORD, RECORD) != 0)
        fail_msg("values %u, %u of\n%s", t % VALUES, t / VALUES, direct);
  }
}

static void all(const struct width *w, const char *const *list, size_t n) {
  for (size_t k = 0; k < n; k++)
    for (size_t c = 0; c < sizeof chains / sizeof *chains - (w->bytes == 8 ? 2 : 0); c++)
      compare(w, chains[c], list[k]);
}
#define ALL(w, list) all(w, list, sizeof(list) / sizeof(list)[0])

static void singles(void **state) {
  (void)state;
  ALL(&widths[0], uses);
  ALL(&widths[0], uses_32);
}

static void doubles(void **state) {
  (void)state;
  ALL(&widths[1], uses);
  ALL(&widths[1], uses_64);
}

static void halves(void **state) {
  static const char *const parts[] = {"mov.b32 %r3, {%x, %y}; mov.b32 {%h9, %z}, %r3;",
                                      "mov.b32 %r3, {%y, %x}; mov.b32 {%z, %h9}, %r3;"};
  static const char *const more[] = {"add.f16 %o, %z, %x;", "fma.rn.f16 %o, %z, %z, %x;",
                                     "cvt.f32.f16 %r9, %z; cvt.rn.f16.f32 %o, %r9;", "min.f16 %o, %x, %z;"};
  (void)state;
  ALL(&widths[2], uses);
  for (unsigned k = 0; k < 2; k++)
    for (unsigned n = 0; n < 4; n++) compare(&widths[2], parts[k], more[n]);
}

/* What selection refuses, by name and at its place; and that a guarded result which is read elsewhere is no read of an
 * unwritten register. */

#define HEAD                                                                                                           \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"                             \
  ".reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p<4>; .reg .f32 %f<4>;\n"
#define TAIL "\nret; }\n"

struct first {
  struct heddle_message m;
  unsigned count;
};

static void keep(void *ctx, const struct heddle_message *m) {
  struct first *f = ctx;
  if (m->warning) return;
  if (f->count++ == 0) f->m = *m;
}

/* The body is line 6. */
static void refused(const char *body, unsigned column, const char *part) {
  char text[2000];
  struct first f = {.count = 0};
  const struct heddle_ptx_options o = {
      .size = sizeof o, .level = 1, .stall = {4, 12, 4, 6, 6, 12}, .message = keep, .ctx = &f, .check = true};
  (void)snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
  struct heddle_program *p;
  if (heddle_ptx_compile(text, strlen(text), "k", &o, &p, NULL, NULL) != HEDDLE_ERROR_INVALID_IMAGE)
    fail_msg("not refused: %s", body);
  if (f.count == 0 || f.m.line != 6 || f.m.column != column || !strstr(f.m.text, part))
    fail_msg("%s\n%u messages; %u:%u: %s", body, f.count, f.m.line, f.m.column, f.m.text);
}

static void by_name(void **state) {
  (void)state;
  refused("mov.u64 %d1, %gridid; st.shared.u64 [0], %d1;", 1, "%gridid");
  refused("mov.u32 %r1, %tid.x; bar.sync %r1, %r1;", 22, "must be constant");
  refused("bar.sync 0, 40;", 1, "32");
}

static void guarded_results(void **state) {
  static const char *const bodies[] = {
      "@%p1 ld.global.u32 %r6, [%d0+4]; add.u32 %r5, %r5, %r6; @%p1 st.global.u32 [%d0+12], %r5;",
      "@%p1 setp.gt.u32 %p2, %r5, 3; selp.b32 %r6, %r5, 9, %p2; @%p1 st.global.u32 [%d0+12], %r6;",
      "@%p1 ld.global.u64 %d3, [%d0]; shr.u64 %d3, %d3, 7; cvt.u32.u64 %r5, %d3; @%p1 st.global.u32 [%d0+12], %r5;",
      ("@!%p1 bra L; ld.global.u32 %r6, [%d0+4]; add.u32 %r5, %r5, %r6; st.global.u32 [%d0+12], %r5; L: st.global.u32 "
       "[%d0+8], %r5;")};
  (void)state;
  for (unsigned k = 0; k < sizeof bodies / sizeof *bodies; k++)
    for (unsigned level = 0; level < 2; level++) {
      char text[2000];
      uint32_t memory[32][4];
      uint8_t param[8];
      for (unsigned b = 0; b < 8; b++) param[b] = (uint8_t)(BASE >> (8 * b));
      for (unsigned n = 0; n < 32; n++) memory[n][0] = memory[n][1] = n;
      (void)snprintf(text, sizeof text,
                     "%smov.u32 %%r0, %%tid.x; ld.param.u64 %%d0, [base]; mad.wide.u32 %%d0, %%r0, 16, %%d0; "
                     "ld.global.u32 %%r5, [%%d0];\n"
                     "setp.lt.u32 %%p1, %%r5, 5; %s%s",
                     HEAD, bodies[k], TAIL);
      struct heddle_program *p = select_compile(text, level, bodies[k]);
      const struct select_job job = {.base = BASE,
                                     .global = (uint8_t *)memory,
                                     .bytes = sizeof memory,
                                     .blocks = 1,
                                     .threads = 32,
                                     .param = param,
                                     .param_bytes = 8};
      const char *wrong = select_launch(p, &job);
      if (wrong) fail_msg("%s\n%s", wrong, bodies[k]);
      heddle_program_free(p);
    }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(singles), cmocka_unit_test(doubles), cmocka_unit_test(halves),
                                     cmocka_unit_test(by_name), cmocka_unit_test(guarded_results)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
