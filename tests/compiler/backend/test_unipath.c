/* SPDX-License-Identifier: Apache-2.0
 *
 * The uniform datapath: the kernels of unipath_kernels.c on the model with either divergence unit. With everything on
 * the datapath that can go there, with what is worth while, and for the RTL, which must not see any of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include <heddle/ptx.h>
#include "tests/compiler/select/select_run.h"
#include "tests/compiler/backend/unipath_kernels.h"
#include "tests/test.h"

enum { THREADS_MAX = 96, BLOCKS = 3 };

/* ---- running them ---- */

static void show(void *ctx, const struct heddle_message *m) {
  if (!m->warning) print_error("%s: %u:%u: %s\n", (const char *)ctx, m->line, m->column, m->text);
}

/* Units of a machine without the uniform datapath. */
#define NO_UNIFORM (~(1u << ISA_UNIT_UNI))

static struct heddle_program *compile_text(const char *text, const char *name, enum heddle_ptx_target target, bool all,
                                           uint32_t units) {
  const struct heddle_ptx_options o = {.size = sizeof o,
                                       .target = target,
                                       .units = units,
                                       .level = 1,
                                       .without = UINT32_C(1) << HEDDLE_PTX_PASS_UNROLL,
                                       .stall = {4, 12, 4, 6, 6, 12},
                                       .message = show,
                                       .ctx = (void *)(uintptr_t)name,
                                       .all_uniform = all,
                                       .check = true};
  struct heddle_program *p;
  if (heddle_ptx_compile(text, strlen(text), name, &o, &p, NULL, NULL) != HEDDLE_SUCCESS)
    fail_msg("%s is refused", name);
  struct heddle_lint_options lint = {.size = sizeof lint};
  struct heddle_lint_totals totals = {.size = sizeof totals};
  if (heddle_lint(p, &lint, &totals) != HEDDLE_LINT_PROVEN) fail_msg("%s: %u findings", name, totals.findings);
  return p;
}

/* `units`: as in heddle_ptx_options. */
static struct heddle_program *compile_for(const struct unipath_kernel *k, enum heddle_ptx_target target, bool all,
                                          uint32_t units) {
  static const char frame[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 a, .param .u32 b, "
      ".param .u32 n)\n{\n.reg .pred %%p, %%q; .reg .b32 %%t, %%a, %%b, %%n, %%i, %%x, %%y, %%c, %%d, %%e, %%w;\n"
      ".reg .b64 %%at, %%o, %%la, %%lb, %%lc;\n"
      "mov.u32 %%t, %%tid.x; mov.u32 %%w, %%ctaid.x; mov.u32 %%x, %%ntid.x; mad.lo.u32 %%w, %%w, %%x, %%t;\n"
      "ld.param.u64 %%at, [out]; mul.wide.u32 %%o, %%w, 4; add.u64 %%at, %%at, %%o;\n"
      "ld.param.u32 %%a, [a]; ld.param.u32 %%b, [b]; ld.param.u32 %%n, [n];\n%s"
      "done: st.global.u32 [%%at], %%x; ret;\n}\n";
  char text[4096];
  (void)snprintf(text, sizeof text, frame, k->body);
  return compile_text(text, k->name, target, all, units);
}

static struct heddle_program *compile(const struct unipath_kernel *k, enum heddle_ptx_target target, bool all) {
  return compile_for(k, target, all, 0);
}

static unsigned count(const struct heddle_program *p, const char *name) {
  unsigned n = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (heddle_isa_decode(heddle_program_word(p, pc), &d))
      n += strcmp(heddle_isa_op_name((enum heddle_isa_op)d.op), name) == 0;
  }
  return n;
}

static void put(uint8_t *to, uint32_t v) {
  for (unsigned k = 0; k < 4; k++) to[k] = (uint8_t)(v >> (8 * k));
}

static void run(const struct heddle_program *p, const struct unipath_kernel *k, const struct unipath_arguments *a,
                uint32_t n, enum heddle_divergence unit, const char *what) {
  uint32_t memory[THREADS_MAX * BLOCKS] = {0};
  struct unipath_arguments given = *a;
  given.threads = n;
  uint8_t param[20] = {0};
  put(param + 8, a->a);
  put(param + 12, a->b);
  put(param + 16, a->n);
  const struct select_job job = {.global = (uint8_t *)memory,
                                 .bytes = sizeof memory,
                                 .blocks = BLOCKS,
                                 .threads = n,
                                 .param = param,
                                 .param_bytes = sizeof param,
                                 .unit = unit};
  const char *wrong = select_launch(p, &job);
  if (wrong) fail_msg("%s, %s, unit %d, %u threads: %s", k->name, what, (int)unit, n, wrong);
  for (uint32_t w = 0; w < n * BLOCKS; w++) {
    const uint32_t want = k->twin(w % n, w / n, &given);
    if (memory[w] != want)
      fail_msg("%s, %s, unit %d, %u threads, a %u, b %u, n %u: thread %u of block %u has 0x%x, not 0x%x", k->name, what,
               (int)unit, n, a->a, a->b, a->n, w % n, w / n, memory[w], want);
  }
}

static void run_all(const struct heddle_program *p, const struct unipath_kernel *k, const char *what) {
  static const struct unipath_arguments arguments[] = {{.a = 3, .b = 5, .n = 4},
                                                       {.a = 0xfffffff1, .b = 77, .n = 9},
                                                       {.a = 1000, .b = 12, .n = 1},
                                                       {.a = 5, .b = 0x80000000, .n = 7}};
  static const uint32_t sizes[] = {32, 96, 45, 7};
  for (unsigned s = 0; s < 4; s++)
    for (unsigned n = 0; n < 4; n++) {
      if (!k->its_only) run(p, k, &arguments[n], sizes[s], HEDDLE_STACK, what);
      run(p, k, &arguments[n], sizes[s], HEDDLE_ITS, what);
    }
}

static void paths(void **state) {
  (void)state;
  for (unsigned n = 0; n < UNIPATH_KERNELS; n++) {
    const struct unipath_kernel *k = &unipath_kernel[n];
    struct heddle_program *all = compile(k, HEDDLE_PTX_TARGET_MODEL, true),
                          *some = compile(k, HEDDLE_PTX_TARGET_MODEL, false);
    struct heddle_program *rtl = compile_for(k, HEDDLE_PTX_TARGET_RTL, true, NO_UNIFORM);
    if (count(all, k->has) == 0) fail_msg("%s has no %s", k->name, k->has);
    run_all(all, k, "everything");
    run_all(some, k, "what is worth while");
    run_all(rtl, k, "without the datapath");
    heddle_program_free(all);
    heddle_program_free(some);
    heddle_program_free(rtl);
  }
}

/* As long as the RTL lacks the datapath, programs for it have none of it. */
/* Words of p that the datapath executes. */
static unsigned uniform_words(const struct heddle_program *p) {
  unsigned n = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
    n += d.unit == ISA_UNIT_UNI;
  }
  return n;
}

/* A machine without the datapath gets none of its words; one that has it does. (REDUX, of the warp unit, has a uniform
 * result and no other way.) */
static void where_the_unit_is(void **state) {
  (void)state;
  unsigned named = 0;
  for (unsigned n = 0; n < UNIPATH_KERNELS; n++) {
    struct heddle_program *few = compile_for(&unipath_kernel[n], HEDDLE_PTX_TARGET_RTL, true, NO_UNIFORM);
    struct heddle_program *all = compile(&unipath_kernel[n], HEDDLE_PTX_TARGET_RTL, true);
    assert_int_equal(uniform_words(few), 0);
    named += uniform_words(all);
    heddle_program_free(few);
    heddle_program_free(all);
  }
  assert_true(named > UNIPATH_KERNELS);
}

/* ---- what is written where ---- */

/* Within `from` .. `to` (the first BSSY, the first BSYNC), no uniform register is written. */
static void nothing_apart(void **state) {
  (void)state;
  static const char *const parting[] = {"arms", "turns", "inside"};
  for (unsigned n = 0; n < UNIPATH_KERNELS; n++)
    for (unsigned k = 0; k < 3; k++) {
      bool apart = false, seen = false;
      if (strcmp(unipath_kernel[n].name, parting[k]) != 0) continue;
      struct heddle_program *p = compile(&unipath_kernel[n], HEDDLE_PTX_TARGET_MODEL, true);
      for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
        struct heddle_isa_dec d;
        assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
        if (d.op == ISA_OP_BSSY) apart = seen = true;
        if (apart && d.unit == ISA_UNIT_UNI) fail_msg("%s: pc 0x%x", unipath_kernel[n].name, pc);
        if (d.op == ISA_OP_BSYNC) apart = false;
      }
      assert_true(seen);
      heddle_program_free(p);
    }
}

/* A loop of `body` instructions over `sums` registers: `begin` has its label and makes %u, `end` its predicate %p, from
 * %t (the thread), %n (the parameter) and %i (0). Free it. */
static char *long_loop(unsigned sums, unsigned body, const char *begin, const char *end) {
  const size_t room = 1 << 16;
  char *all = malloc(room);
  assert_non_null(all);
  size_t at = (size_t)snprintf(
      all, room,
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
      ".reg .pred %%p; .reg .b32 %%t, %%i, %%n, %%u, %%s<%u>; .reg .b64 %%at;\n"
      "mov.u32 %%t, %%tid.x; ld.param.u64 %%at, [out]; ld.param.u32 %%n, [n]; mov.u32 %%i, 0;\n",
      sums);
  for (unsigned k = 0; k < sums; k++) at += (size_t)snprintf(all + at, room - at, "add.u32 %%s%u, %%t, %u;\n", k, k);
  at += (size_t)snprintf(all + at, room - at, "%s", begin);
  for (unsigned k = 0; k < body; k++)
    at += (size_t)snprintf(all + at, room - at, "mad.lo.u32 %%s%u, %%s%u, %%u, %%t;\n", k % sums, k % sums);
  at += (size_t)snprintf(all + at, room - at, "%s@%%p bra turn;\n", end);
  for (unsigned k = 0; k < sums; k++)
    at += (size_t)snprintf(all + at, room - at, "st.global.u32 [%%at+%u], %%s%u;\n", 4 * k, k);
  (void)snprintf(all + at, room - at, "ret;\n}\n");
  return all;
}

/* A counter and its bound: among many registers both leave the general ones, with the predicate of the loop, which
 * comes back for the branch; among few the counter alone, which its readers take as it is. */
static void worth_while(void **state) {
  (void)state;
  for (unsigned many = 0; many < 2; many++) {
    char *text = long_loop(many ? 64 : 8, 256, "mul.lo.u32 %n, %n, %n;\nturn: add.u32 %u, %t, %i;\n",
                           "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; ");
    struct heddle_program *with = compile_text(text, "worth", HEDDLE_PTX_TARGET_MODEL, false, 0);
    struct heddle_program *without = compile_text(text, "worth", HEDDLE_PTX_TARGET_RTL, false, NO_UNIFORM);
    const unsigned want = many;
    assert_true(count(with, "UISETP") == want && count(with, "UP2P") == want && count(with, "UIADD3") == 1);
    assert_true((count(with, "ULDC") > 0) == want && count(with, "UIMAD") == want);
    assert_true(with->kernel[0].regs < without->kernel[0].regs);
    heddle_program_free(with);
    heddle_program_free(without);
    free(text);
  }
}

/* What every reader would have to bring back stays. */
static void not_worth_while(void **state) {
  (void)state;
  static const char text[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
      ".reg .pred %p; .reg .b32 %t, %i, %x; .reg .b64 %at;\n"
      "ld.param.u64 %at, [out]; mov.u32 %t, %ctaid.x; mov.u32 %i, 0; mov.u32 %x, 0;\n"
      "turn: st.global.u32 [%at], %t; st.global.u32 [%at+4], %t; atom.global.add.u32 %x, [%at+8], %t;\n"
      "add.u32 %i, %i, %x; setp.lt.u32 %p, %i, 77; @%p bra turn; ret;\n}\n";
  struct heddle_program *p = compile_text(text, "not worth", HEDDLE_PTX_TARGET_MODEL, false, 0);
  assert_int_equal(select_count_uniform(p), 0);
  heddle_program_free(p);
}

/* A base that the loads of a loop cannot take: nothing is computed from it on the datapath only to come back. */
static void no_way_there_and_back(void **state) {
  (void)state;
  static const char text[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 a, .param .u32 "
      "n)\n"
      "{\n.reg .pred %p; .reg .b32 %t, %i, %j, %n, %x, %y; .reg .b64 %at, %a, %b, %c;\n"
      "ld.param.u64 %at, [out]; ld.param.u64 %a, [a]; ld.param.u32 %n, [n]; mov.u32 %t, %tid.x;\n"
      "mul.lo.u32 %j, %n, %n; mov.u32 %i, 0;\n"
      "turn: mad.wide.u32 %b, %i, 4, %a; mad.wide.u32 %c, %j, 4, %a; ld.global.u32 %x, [%b]; ld.global.u32 %y, [%c];\n"
      "mad.lo.u32 %t, %x, %y, %t; add.u32 %i, %i, 1; add.u32 %j, %j, 1; setp.lt.u32 %p, %i, %n; @%p bra turn;\n"
      "st.global.u32 [%at], %t; ret;\n}\n";
  struct heddle_program *p = compile_text(text, "there and back", HEDDLE_PTX_TARGET_MODEL, false, 0);
  struct heddle_program *all = compile_text(text, "there and back", HEDDLE_PTX_TARGET_MODEL, true, 0);
  assert_true(count(all, "UIMAD.WIDE") == 2 && count(all, "UP2P") == 1);
  assert_true(count(p, "UIMAD.WIDE") == 0 && count(p, "UP2P") == 0 && count(p, "IMAD.WIDE") == 2);
  assert_true(p->code_bytes < all->code_bytes);
  heddle_program_free(p);
  heddle_program_free(all);
}

/* A counter that one reader of a loop brings back: worth it where the loop is long among many registers; not where it
 * is short, nor where there are registers for everybody. */
static void worth_by_what_is_alive(void **state) {
  (void)state;
  static const struct { unsigned sums, body, goes; } loop[] = {{64, 512, 1}, {64, 96, 0}, {8, 512, 0}};
  for (unsigned n = 0; n < 3; n++) {
    char *text = long_loop(loop[n].sums, loop[n].body, "turn: mad.lo.u32 %u, %t, 12, %i;\n",
                           "add.u32 %i, %i, 4; setp.ne.u32 %p, %i, 400; ");
    struct heddle_program *p = compile_text(text, "alive", HEDDLE_PTX_TARGET_MODEL, false, 0);
    assert_int_equal(count(p, "UIADD3"), loop[n].goes);
    heddle_program_free(p);
    free(text);
  }
}

/* More than there are registers for, constants and values, all alive round a loop. */
static void crowded(void **state) {
  (void)state;
  enum { MANY = 150 };
  char *text = malloc(1 << 16);
  size_t at = 0, room = 1 << 16;
  at +=
      (size_t)snprintf(text + at, room - at,
                       ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 "
                       "a, .param .u32 b, .param .u32 n)\n{\n.reg .pred %%p, %%q<%d>; .reg .b32 %%t, %%x, %%i, %%n, "
                       "%%a<%d>; .reg .b64 %%at, %%o;\n",
                       MANY, MANY);
  at += (size_t)snprintf(text + at, room - at,
                         "mov.u32 %%t, %%tid.x; mov.u32 %%i, %%ctaid.x; mov.u32 %%x, %%ntid.x; mad.lo.u32 %%i, %%i, "
                         "%%x, %%t;\nld.param.u64 %%at, [out]; mul.wide.u32 %%o, %%i, 4; add.u64 %%at, %%at, %%o;\n"
                         "ld.param.u32 %%a0, [a]; ld.param.u32 %%a1, [b]; ld.param.u32 %%n, [n];\n");
  for (unsigned k = 2; k < MANY; k++)
    at += (size_t)snprintf(text + at, room - at, "mad.lo.u32 %%a%u, %%a%u, %u, %%a%u; setp.lt.u32 %%q%u, %%a%u, %%n;\n",
                           k, k - 1, 2 * k + 1, k - 2, k, k);
  at += (size_t)snprintf(text + at, room - at, "mov.u32 %%x, %%t; mov.u32 %%i, 0;\nturn:\n");
  for (unsigned k = 2; k < MANY; k++)
    at += (size_t)snprintf(text + at, room - at, "add.u32 %%x, %%x, %%a%u; @%%q%u xor.b32 %%x, %%x, %u;\n", k, k, k);
  (void)snprintf(text + at, room - at,
                 "add.u32 %%i, %%i, 1; setp.lt.u32 %%p, %%i, %%n; @%%p bra turn; st.global.u32 [%%at], %%x; ret;\n}\n");
  for (unsigned all = 0; all < 2; all++) {
    struct heddle_program *p = compile_text(text, "crowded", HEDDLE_PTX_TARGET_MODEL, all, 0);
    struct heddle_program *q = compile_text(text, "crowded", HEDDLE_PTX_TARGET_RTL, all, NO_UNIFORM);
    uint32_t got[2][32] = {{0}};
    uint8_t param[20] = {0};
    put(param + 8, 1234567);
    put(param + 12, 987);
    put(param + 16, 3000000000u);
    param[16] = 5, param[19] = 0, param[17] = param[18] = 0;
    assert_true(select_count_uniform(p) > 20);
    for (unsigned n = 0; n < 2; n++) {
      const struct select_job job = {.global = (uint8_t *)got[n],
                                     .bytes = sizeof got[n],
                                     .blocks = 1,
                                     .threads = 32,
                                     .param = param,
                                     .param_bytes = sizeof param};
      const char *wrong = select_launch(n ? q : p, &job);
      if (wrong) fail_msg("crowded: %s", wrong);
    }
    assert_memory_equal(got[0], got[1], sizeof got[0]);
    heddle_program_free(p);
    heddle_program_free(q);
  }
  free(text);
}

/* Behind the BSYNC of a circle that threads leave in different turns they are together: nobody must wait for anybody.
 */
static void together_behind(void **state) {
  (void)state;
  static const char text[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
      ".reg .pred %p; .reg .b32 %t, %i, %x; .reg .b64 %at;\n"
      "ld.param.u64 %at, [out]; mov.u32 %t, %tid.x; mov.u32 %i, 0; mov.u32 %x, 1;\n"
      "turn: mad.lo.u32 %x, %x, 3, %t; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %t; @%p bra turn;\n"
      "shfl.sync.bfly.b32 %x, %x, 1, 31, 0xffffffff; st.global.u32 [%at], %x; ret;\n}\n";
  struct heddle_program *p = compile_text(text, "together", HEDDLE_PTX_TARGET_RTL, false, 0);
  assert_int_equal(count(p, "SHFL"), 1);
  assert_int_equal(count(p, "BSYNC"), 1);
  assert_int_equal(count(p, "WARPSYNC"), 0);
  heddle_program_free(p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths),
                                     cmocka_unit_test(where_the_unit_is),
                                     cmocka_unit_test(nothing_apart),
                                     cmocka_unit_test(worth_while),
                                     cmocka_unit_test(not_worth_while),
                                     cmocka_unit_test(no_way_there_and_back),
                                     cmocka_unit_test(worth_by_what_is_alive),
                                     cmocka_unit_test(crowded),
                                     cmocka_unit_test(together_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
