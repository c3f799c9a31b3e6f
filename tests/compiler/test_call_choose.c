/* SPDX-License-Identifier: Apache-2.0
 * Which functions stay out of line, how arguments are laid out, what a kernel needs with all it calls, what is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/calls/call.h"
#include "tests/compiler/ptx_run.h"
#include "tests/compiler/parse/parsed.h"
#include "tests/test.h"

#define BIG 300 /* statements: not small */

struct graph {
  struct parsed p;
  struct call_graph *g;
};

static void graph_of(struct graph *x, const char *text, bool all) {
  assert_non_null(parsed_text(&x->p, text));
  x->g = call_graph_new(x->p.module);
  call_choose(x->g, all, 0);
}

/* "f" inlined, "F" not, by the order of the text; functions have names of one letter. */
static void expect_choice(const char *text, bool all, const char *want) {
  struct graph x;
  graph_of(&x, text, all);
  char got[64] = "";
  for (uint32_t k = 0; k + 1 < x.g->nodes; k++) {
    const struct call_node *n = &x.g->node[k];
    if (n->function->entry) continue;
    got[strlen(got)] = (char)(n->function->name[0] - (n->out_of_line ? 'a' - 'A' : 0));
  }
  assert_string_equal(got, want);
  parsed_free(&x.p);
}

/* A function with n statements that calls each letter of `calls`. */
static void function(FILE *to, char name, unsigned n, const char *calls) {
  fprintf(to, ".func %c() { .reg .u32 r; ", name);
  for (unsigned k = 0; k < n; k++) fputs("add.u32 r, r, 1; ", to);
  for (; *calls; calls++) fprintf(to, "call %c; ", *calls);
  fputs("ret; }\n", to);
}

static void choices(void **state) {
  (void)state;
  expect_choice(HEAD ".func f() { ret; } .func g() { call f; call f; ret; } .entry k() { call f; call g; ret; }", false,
                "fg");
  expect_choice(HEAD ".func f() { ret; } .func g() { call f; call f; ret; } .entry k() { call f; call g; ret; }", true,
                "FG");
  expect_choice(HEAD ".func f() { call f; ret; } .func g() { call f; ret; } .entry k() { call g; ret; }", false, "Fg");
  expect_choice(HEAD ".func h(); .func f() { call h; ret; } .func h() { call f; ret; } .entry k() { call f; ret; }",
                false, "FH");
  expect_choice(HEAD ".func f() { ret; } .func g() { ret; } .entry k() { .reg .u64 a; mov.u64 a, f; call g; ret; }",
                false, "Fg");
  expect_choice(HEAD ".func f() { ret; } .const .u64 t[1] = {f}; .entry k() { ret; }", false, "F");
  /* a register that is called like a function is a register */
  expect_choice(HEAD ".func f() { ret; } .entry k() { .reg .u64 f; mov.u64 f, 5; ret; }", false, "f");
  /* through a register it may call whatever has an address: itself too */
  expect_choice(HEAD ".func f() { .reg .u64 a; P: .callprototype _ (); call a, P; ret; } .func g() { ret; }\n"
                     ".entry k() { .reg .u64 a; mov.u64 a, f; call g; call g; ret; }",
                false, "Fg");
  /* dynamic shared memory lies elsewhere in each kernel */
  expect_choice(HEAD ".extern .shared .b8 s[]; .func f() { .reg .u64 a; mov.u64 a, s; ret; } .entry k() { call f; }",
                true, "f");
}

/* What is called once is inlined however long; what is called often when that costs little. */
static void growth(void **state) {
  (void)state;
  static const struct {
    unsigned statements, sites;
    bool out;
  } table[] = {{20000, 1, false}, {10, 3000, false}, {60, 3000, false}, {BIG, 2, false},
               {BIG, 13, false},  {BIG, 14, true},   {2100, 2, true}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    FILE *to;
    char *calls = calloc(table[k].sites + 1, 1), *text = NULL;
    size_t size;
    memset(calls, 'f', table[k].sites);
    to = open_memstream(&text, &size);
    fputs(HEAD, to);
    function(to, 'f', table[k].statements, "");
    function(to, 'g', 1, calls);
    fputs(".entry k() { call g; ret; }", to);
    fclose(to);
    expect_choice(text, false, table[k].out ? "Fg" : "fg");
    free(text);
    free(calls);
  }
}

/* Each function calls the next one twice. */
static char *chain_text(unsigned length) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  fputs(HEAD ".func (.reg .u32 r) f0(.reg .u32 a) { mad.lo.u32 r, a, 5, 1; ret; }\n", to);
  for (unsigned k = 1; k < length; k++)
    fprintf(to,
            ".func (.reg .u32 r) f%u(.reg .u32 a) { .reg .u32 x; call (x), f%u, (a); add.u32 x, x, %u; call (r), f%u, "
            "(x); ret; }\n",
            k, k - 1, k, k - 1);
  fprintf(to,
          ".entry k(.param .u64 out, .param .u32 n) { .reg .u32 t, x; .reg .u64 a, b; ld.param.u64 a, [out];\n"
          "mov.u32 t, %%tid.x; call (x), f%u, (t); mul.wide.u32 b, t, 4; add.u64 a, a, b; st.global.u32 [a], x; ret; }",
          length - 1);
  fclose(to);
  return text;
}

static uint32_t chain_value(unsigned k, uint32_t a) {
  return k == 0 ? a * 5 + 1 : chain_value(k - 1, chain_value(k - 1, a) + k);
}

/* The code stays in proportion to the text, whatever is called how often, and computes what it says. */
static void chain(void **state) {
  (void)state;
  static const struct calls_way plain = {1, 0, false, HEDDLE_STACK, 0};
  for (unsigned length = 2; length <= 60; length += 2) {
    struct calls_message m = {0};
    char *text = chain_text(length);
    struct heddle_program *p = calls_compile(text, strlen(text), &plain, &m, NULL, NULL);
    if (!p) fail_msg("%s", m.first.text);
    if (length > 12) assert_true(p->code_bytes < 1000 * 16 * length);
    heddle_program_free(p);
    uint32_t want[32];
    for (uint32_t t = 0; t < 32; t++) want[t] = length <= 12 ? chain_value(length - 1, t) : 0;
    if (length <= 12) calls_expect(text, "k", 32, want, 32);
    free(text);
  }
}

/* ---- what a kernel needs */

static const struct heddle_kernel *kernel_of(const struct heddle_program *p, const char *name) {
  const struct heddle_kernel *k = heddle_program_kernel(p, name);
  assert_non_null(k);
  return k;
}

/* Registers, barriers and stack of all that a kernel may come to call, and of nothing else. */
static void needs(void **state) {
  (void)state;
  static const char text[] = HEAD
      ".func small() { ret; }\n"
      ".func deep() { .local .align 16 .b8 a[992]; .reg .u32 r; st.local.u32 [a], 1; call small; ld.local.u32 r, [a];\n"
      "bar.sync 3; ret; }\n"
      ".func again() { call again; ret; }\n"
      ".entry none() { ret; }\n.entry leaf() { call small; ret; }\n.entry far() { call deep; ret; }\n"
      ".entry loop() { call again; ret; }\n";
  static const struct calls_way way = {1, 0, true, HEDDLE_STACK, 2048};
  struct calls_message m = {0};
  struct heddle_ptx_figures *figures = NULL;
  size_t count = 0, functions = 0;
  struct heddle_program *p = calls_compile(text, sizeof text - 1, &way, &m, &figures, &count);
  if (!p) fail_msg("%s", m.first.text);
  assert_int_equal(kernel_of(p, "none")->local_bytes, 0);
  assert_int_equal(kernel_of(p, "leaf")->local_bytes, 0);
  assert_in_range(kernel_of(p, "far")->local_bytes, 1000, 1024); /* the array, the return address */
  assert_int_equal(kernel_of(p, "loop")->local_bytes, 2048);
  assert_int_equal(kernel_of(p, "leaf")->barriers, 0);
  assert_int_equal(kernel_of(p, "far")->barriers, 4);
  assert_int_equal(kernel_of(p, "loop")->barriers, 0);
  assert_true(kernel_of(p, "none")->regs < CALL_REGISTERS && kernel_of(p, "leaf")->regs >= CALL_REGISTERS);
  assert_int_equal(count, 7);
  for (size_t k = 0; k < count; k++) {
    functions += figures[k].is_function;
    if (figures[k].is_function || figures[k].local_bytes == 0) continue;
    assert_int_equal(figures[k].local_bytes, kernel_of(p, figures[k].name)->local_bytes);
  }
  assert_int_equal(functions, 3);
  free(figures);
  heddle_program_free(p);
}

/* ---- what is refused */

#define RECURSIVE ".func f(.param .b32 a) { call f, (a); ret; }\n"

static void errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
    unsigned max_regs, line;
  } table[] = {
      {HEAD RECURSIVE ".entry k() { call f; ret; }", "'f' is declared with other parameters", 0, 2},
      {HEAD RECURSIVE ".entry k() { .reg .u64 x; call f, (x); ret; }", "x", 0, 2},
      {HEAD RECURSIVE ".entry k() { .param .b32 a;\ncall (a), f, (a); ret; }", "'f' is declared with other", 0, 3},
      {HEAD ".extern .func g();\n.entry k() { call g; ret; }", "'g' has no body", 0, 2},
      {HEAD "\n.entry k() { .reg .u64 a; mov.u64 a, k; ret; }", "'k' is a kernel", 0, 2},
      {HEAD ".extern .func g();\n.entry k() { .reg .u64 a; mov.u64 a, g; ret; }", "'g' has no body", 0, 2},
      {HEAD "\n.entry k() { .reg .u64 a; call a; ret; }", "wants a .callprototype", 0, 2},
      {HEAD "\n.entry k() { .reg .u64 a; call a, k; ret; }", "wants a .callprototype", 0, 2},
      {HEAD "\n.entry k() { .reg .u32 a; P: .callprototype _ (); call a, P; ret; }", "where a .b64 is wanted", 0, 2},
      {HEAD "\n.entry k() { .reg .u64 a; .param .b32 x; P: .callprototype _ (); call a, (x), P; ret; }",
       "declared with other parameters", 0, 2},
      {HEAD
       ".extern .shared .b8 s[];\n.func f() { .reg .u64 a; mov.u64 a, s; call f; ret; }\n.entry k() { call f; ret; }",
       "dynamic shared memory in a function that is not inlined", 0, 1},
      {HEAD ".func f() { .local .b8 a[500000]; .local .b8 b[400000]; call f; ret; } .entry k() { call f; ret; }",
       "local variables of 'f'", 0, 1},
      {HEAD
       ".func f() { .local .b8 a[300000]; .reg .u32 r; st.local.u8 [a], r; call g; ret; }\n"
       ".func g() { .local .b8 a[300000]; .reg .u32 r; st.local.u8 [a], r; call f; ret; } .entry k() { call f; ret; }",
       "bytes of local memory", 0, 2},
      {HEAD RECURSIVE ".entry k() { .param .b32 a; call f, (a); ret; }", "needs 22 registers for calls; 16", 16, 2},
      {HEAD ".func (.reg .u32 a, .reg .u32 b, .reg .u32 c, .reg .u32 d, .reg .u32 e, .reg .u32 g, .reg .u32 h,\n"
            ".reg .u32 i, .reg .u32 j) f() { call (a, b, c, d, e, g, h, i, j), f; ret; }\n"
            ".entry k() { .reg .u32 a; call (a, a, a, a, a, a, a, a, a), f; ret; }",
       "more than 8 results", 0, 3},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    struct calls_message m = {0};
    const struct calls_way w = {1, table[k].max_regs, false, HEDDLE_STACK, 0};
    struct heddle_program *p = calls_compile(table[k].text, strlen(table[k].text), &w, &m, NULL, NULL);
    if (p || !strstr(m.first.text, table[k].words) || m.first.line != table[k].line)
      fail_msg("%zu: line %u: %s; wanted line %u: %s", k, m.first.line, p ? "compiled" : m.first.text, table[k].line,
               table[k].words);
  }
}

/* With fewer registers than the convention names, whatever can be inlined is. */
static void few_registers(void **state) {
  (void)state;
  static const char text[] =
      HEAD ".func (.param .b32 r) f(.param .b32 a) { .reg .u32 x; ld.param.u32 x, [a]; mad.lo.u32 x, x, x, 1;\n"
           "st.param.b32 [r], x; ret; }\n"
           ".func (.param .b32 r) g(.param .b32 a) { .reg .u32 x; .param .b32 b; ld.param.u32 x, [a];\n"
           "st.param.b32 [b], x; call (r), f, (b); ret; }\n"
           ".entry k(.param .u64 out, .param .u32 n) .maxnreg 16 { .reg .u32 x, y; .reg .u64 d, e; .param .b32 a, r;\n"
           "ld.param.u64 d, [out]; mov.u32 x, %tid.x; mul.wide.u32 e, x, 4; add.u64 d, d, e; st.param.b32 [a], x;\n"
           "call (r), g, (a); ld.param.u32 y, [r]; st.global.u32 [d], y; ret; }\n";
  uint32_t want[32];
  for (uint32_t t = 0; t < 32; t++) want[t] = t * t + 1;
  calls_expect(text, "k", 32, want, 32);
  struct graph x;
  assert_non_null(parsed_text(&x.p, text));
  x.g = call_graph_new(x.p.module);
  call_choose(x.g, true, 0);
  for (uint32_t k = 0; k + 1 < x.g->nodes; k++) assert_false(x.g->node[k].out_of_line);
  parsed_free(&x.p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(choices), cmocka_unit_test(growth),
                                     cmocka_unit_test(chain),   cmocka_unit_test(needs),
                                     cmocka_unit_test(errors),  cmocka_unit_test(few_registers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
