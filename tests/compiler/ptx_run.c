/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels written as PTX, run on the model.
 */
#include "ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include "base/splitmix64.h"
#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

#define FORMS_BASE UINT64_C(0x7f00000000)
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
  for (unsigned k = 0; k < 8; k++) param[k] = (uint8_t)(FORMS_BASE >> (8 * k));
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
    const struct select_job job = {.base = FORMS_BASE,
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

/* Running what test_call*.c compile. */

#define CALLS_BASE UINT64_C(0x7f40000000)
enum { MEMORY = 64 << 10, BANK = HEDDLE_BANK0_PARAMS + 16, STEPS_MOST = 20000000, STACK = 16 << 10 };

const struct calls_way calls_ways[] = {
    {1, 0, false, HEDDLE_STACK, STACK}, {1, 0, false, HEDDLE_ITS, STACK},   {0, 0, false, HEDDLE_STACK, STACK},
    {1, 0, true, HEDDLE_STACK, STACK},  {1, 0, true, HEDDLE_ITS, STACK},    {0, 0, true, HEDDLE_STACK, STACK},
    {0, 0, true, HEDDLE_ITS, STACK},    {1, 24, true, HEDDLE_STACK, STACK}, {0, 22, true, HEDDLE_ITS, STACK}};
const unsigned calls_ways_count = sizeof calls_ways / sizeof *calls_ways;

static void take(void *ctx, const struct heddle_message *m) {
  struct calls_message *x = ctx;
  if (m->warning) return;
  if (x->count++ == 0) x->first = *m;
}

struct heddle_program *calls_compile(const char *text, size_t size, const struct calls_way *w, struct calls_message *m,
                                     struct heddle_ptx_figures **figures, size_t *count) {
  static const uint8_t stall[8] = {5, 6, 8, 6, 6, 12};
  struct heddle_ptx_options o = {.size = sizeof o,
                                 .level = w->level,
                                 .max_regs = w->max_regs,
                                 .no_inline = w->no_inline,
                                 .stack_bytes = w->stack_bytes,
                                 .message = take,
                                 .ctx = m,
                                 .check = true};
  memcpy(o.stall, stall, sizeof o.stall);
  struct heddle_program *p;
  (void)heddle_ptx_compile(text, size, "t.ptx", &o, &p, figures, count);
  return p;
}

static void launch(struct heddle_model *model, const struct heddle_program *p, const struct heddle_kernel *k,
                   unsigned threads, const uint8_t bank[BANK]) {
  struct heddle_launch l = {.size = sizeof l,
                            .grid = {1, 1, 1},
                            .block = {threads, 1, 1},
                            .entry_pc = k->entry_pc,
                            .regs = k->regs,
                            .shared_bytes = k->shared_bytes,
                            .local_bytes = k->local_bytes,
                            .code = p->code,
                            .code_bytes = p->code_bytes,
                            .cbank = {bank, NULL, NULL, p->konst},
                            .cbank_bytes = {BANK, 0, 0, p->const_bytes},
                            .region = {{CALLS_BASE, CALLS_BASE + MEMORY, true}},
                            .regions = 1,
                            .units = ~0u};
  if (heddle_model_launch(model, &l) != HEDDLE_SUCCESS) fail_msg("%s: %s", k->name, heddle_model_diag(model));
}

/* Module variables lie in the upper half. */
static void put_globals(const struct heddle_program *p, uint8_t bank[BANK], uint8_t *memory) {
  const uint64_t at = CALLS_BASE + MEMORY / 2;
  assert_true(p->global_bytes <= MEMORY / 2);
  heddle_program_fill_globals(p, at, memory + MEMORY / 2);
  if (p->global_bytes > 0) memcpy(bank + HEDDLE_BANK0_GLOBALS, &at, 8);
}

enum heddle_error calls_run(const char *text, size_t size, const struct calls_way *w, const char *kernel,
                            unsigned threads, void *buffer, size_t bytes, uint32_t n, enum heddle_cause *cause) {
  struct calls_message m = {0};
  struct heddle_lint_options none = {.size = sizeof none};
  struct heddle_lint_totals totals = {.size = sizeof totals};
  struct heddle_program *p = calls_compile(text, size, w, &m, NULL, NULL);
  if (!p) fail_msg("%u:%u: %s", m.first.line, m.first.column, m.first.text);
  if (heddle_lint(p, &none, &totals) != HEDDLE_LINT_PROVEN) fail_msg("%s: %u findings", kernel, totals.findings);
  const struct heddle_kernel *k = heddle_program_kernel(p, kernel);
  assert_non_null(k);
  assert_true(w->max_regs == 0 || k->regs <= w->max_regs);
  struct heddle_model_config config = {.size = sizeof config,
                                       .base = CALLS_BASE,
                                       .bytes = MEMORY,
                                       .warp_slots = 8,
                                       .block_slots = 1,
                                       .divergence = w->divergence};
  struct heddle_model *model = heddle_model_new(&config);
  assert_non_null(model);
  uint8_t bank[BANK] = {0};
  const uint64_t base = CALLS_BASE;
  memcpy(bank, &threads, 4);
  memcpy(bank + HEDDLE_BANK0_STACK, &k->local_bytes, 4);
  put_globals(p, bank, heddle_model_memory(model));
  memcpy(bank + HEDDLE_BANK0_PARAMS, &base, 8);
  memcpy(bank + HEDDLE_BANK0_PARAMS + 8, &n, 4);
  launch(model, p, k, threads, bank);
  enum heddle_error s = heddle_model_run(model, STEPS_MOST, NULL);
  *cause = s == HEDDLE_ERROR_TRAPPED ? heddle_model_trap(model)->cause : (enum heddle_cause)0;
  if (s != HEDDLE_SUCCESS && s != HEDDLE_ERROR_TRAPPED)
    fail_msg("%s: status %d: %s", kernel, s, heddle_model_diag(model));
  memcpy(buffer, heddle_model_memory(model), bytes);
  heddle_model_free(model);
  heddle_program_free(p);
  return s;
}

void calls_expect(const char *text, const char *kernel, unsigned threads, const uint32_t *want, size_t words) {
  uint32_t *got = calloc(words, 4);
  for (unsigned k = 0; k < calls_ways_count; k++) {
    const struct calls_way *w = &calls_ways[k];
    enum heddle_cause cause;
    if (calls_run(text, strlen(text), w, kernel, threads, got, 4 * words, 7, &cause) != HEDDLE_SUCCESS)
      fail_msg("%s, way %u: trap %s", kernel, k, heddle_cause_name(cause));
    for (size_t i = 0; i < words; i++)
      if (got[i] != want[i]) fail_msg("%s, way %u: word %zu is 0x%x instead of 0x%x", kernel, k, i, got[i], want[i]);
  }
  free(got);
}
