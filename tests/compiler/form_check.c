/* SPDX-License-Identifier: Apache-2.0 */
#include "form_check.h"

#include <stdio.h>
#include <string.h>

#include "tests/compiler/select_run.h"
#include "tests/test.h"
#include "base/splitmix64.h"

#define BASE UINT64_C(0x7f00000000)
enum { THREADS = 512, WORDS = 4 };

static const uint32_t edges[] = {0,          1,          2,          31,         32,         33,         0x7f,
                                 0x80,       0xff,       0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffffff,
                                 0x80000000, 0x80000001, 0xffffffff, 0x3f803f80, 0xbf80bf80, 0x7f807f80, 0xff80ff80,
                                 0x7fc07fc0, 0x00010001, 0x80018001, 0x007f007f, 0x00800080, 0x7f7f7f7f, 0xff7fff7f,
                                 0x3f808000, 0x3f807fff, 0x3f818000, 0x3f801000, 0x3f800fff, 0x3f803000, 0x7f7fffff};

static uint32_t memory[THREADS][WORDS];

static void fill(void) {
  uint64_t state = 12345;
  for (unsigned n = 0; n < THREADS; n++)
    for (unsigned k = 0; k < WORDS; k++) {
      const uint64_t drawn = splitmix64(&state);
      const uint32_t random = (uint32_t)(drawn >> 32), which = (uint32_t)(drawn >> 20 & 0xfff);
      memory[n][k] = which & 1 ? random : edges[(which >> 1) % (sizeof edges / sizeof *edges)];
    }
}

static void in_machine(const struct heddle_program *p, uint32_t units, const char *text) {
  for (uint32_t pc = 0; pc < p->code_bytes && units != 0; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(heddle_program_word(p, pc), &d) || !heddle_isa_in_machine(&d, units))
      fail_msg("units 0x%x lack what is at 0x%x of: %s", units, pc, text);
  }
}

/* `all_there`: every word must be the machine's. */
static void check(const struct form *f, uint32_t units, bool all_there) {
  char text[2000];
  uint8_t param[8];
  for (unsigned k = 0; k < 8; k++) param[k] = (uint8_t)(BASE >> (8 * k));
  (void)snprintf(text, sizeof text,
                 ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"
                 ".reg .b32 %%r<8>; .reg .b64 %%d<4>; .reg .b16 %%h<8>; .reg .f32 %%f<8>; .reg .pred %%p<4>;\n"
                 "mov.u32 %%r0, %%tid.x; ld.param.u64 %%d0, [base]; mad.wide.u32 %%d0, %%r0, 16, %%d0;\n"
                 "ld.global.v4.b32 {%%r2, %%r3, %%r4, %%r5}, [%%d0]; mov.b32 %%f3, %%r3; mov.b32 %%f4, %%r4;\n"
                 "%s\nst.global.b32 [%%d0], %%r2; ret; }\n",
                 f->text);
  for (unsigned level = 0; level < 2; level++) {
    struct heddle_program *p = select_compile_for(text, level, units, f->text);
    if (all_there) in_machine(p, units, f->text);
    fill();
    const struct select_job job = {.base = BASE,
                                   .global = (uint8_t *)memory,
                                   .bytes = sizeof memory,
                                   .blocks = 1,
                                   .threads = THREADS,
                                   .param = param,
                                   .param_bytes = sizeof param};
    const char *wrong = select_launch(p, &job);
    if (wrong) fail_msg("%s\n%s", wrong, f->text);
    for (unsigned n = 0; n < THREADS; n++) {
      const uint32_t *m = memory[n], wanted = f->is(m[1], m[2], m[3]);
      if (m[0] != wanted) fail_msg("%s\nof %08x %08x %08x: %08x, not %08x", f->text, m[1], m[2], m[3], m[0], wanted);
    }
    heddle_program_free(p);
  }
}

void form_check_for(const struct form *f, uint32_t units) {
  check(f, units, true);
}

void form_check(const struct form *f) {
  check(f, 0, true);
  check(f, SELECT_LEAST, false); /* takes sequences instead, where there are any */
}
