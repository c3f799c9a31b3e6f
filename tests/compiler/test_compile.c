/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole kernels, and a host without memory for them.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include <heddle/model.h>
#include <heddle/ptx.h>
#include "tests/silicon/form_file.h"
#include "tests/test.h"

/* Whole kernels: PTX as clang writes it, compiled, run on the model, against what an NVIDIA H200 left in memory. At
 * every level, with plenty of registers and with hardly any, with both ways of divergence; control codes proven. */

#define BASE UINT64_C(0x7f40000000)
enum { PART = 64 << 10, ARGS_MAX = 8, BANK = HEDDLE_BANK0_PARAMS + 64 };

struct way {
  unsigned level, max_regs;
  enum heddle_divergence divergence;
};

struct argument {
  uint8_t *want; /* after the run; NULL: nothing is compared */
  size_t bytes;
};

struct run {
  const char *name;
  const struct way *way;
  struct heddle_model *model;
  uint8_t bank[BANK];
  struct heddle_launch launch;
  struct argument arg[ARGS_MAX];
};

static char *read_file(const char *name, size_t *size) {
  char path[512];
  snprintf(path, sizeof path, "%s/kernels/%s", SILICON_DIR, name);
  FILE *f = form_file_open(path);
  char *bytes = calloc(1, PART + 1);
  *size = fread(bytes, 1, PART, f);
  fclose(f);
  return bytes;
}

static void show(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  fprintf(stderr, "%s:%u:%u: %s\n", m->file, m->line, m->column, m->text);
}

static struct heddle_program *compile(const char *ptx, const struct way *w) {
  static const uint8_t stall[8] = {5, 6, 8, 6, 6, 12};
  struct heddle_ptx_options o = {
      .size = sizeof o, .level = w->level, .max_regs = w->max_regs, .message = show, .check = true};
  size_t size;
  char *text = read_file(ptx, &size);
  memcpy(o.stall, stall, sizeof o.stall);
  struct heddle_program *p;
  if (heddle_ptx_compile(text, size, ptx, &o, &p, NULL, NULL) != HEDDLE_SUCCESS) fail_msg("%s is not compiled", ptx);
  struct heddle_lint_options lint = {.size = sizeof lint};
  struct heddle_lint_totals totals = {.size = sizeof totals};
  if (heddle_lint(p, &lint, &totals) != HEDDLE_LINT_PROVEN) fail_msg("%s: %u findings", ptx, totals.findings);
  free(text);
  return p;
}

/* Argument k of the kernel: its bytes in the parameter block, its buffer in memory. */
static void put_argument(struct run *r, const struct heddle_param *p, unsigned k, json_t *a) {
  uint64_t value = BASE + (uint64_t)k * PART;
  const char *buffer = json_string_value(json_object_get(a, "buffer"));
  const char *golden = json_string_value(json_object_get(a, "golden"));
  uint8_t *memory = heddle_model_memory(r->model) + k * PART;
  if (!buffer) {
    value = strtoull(json_string_value(json_object_get(a, "bits")), NULL, 16);
  } else {
    char *bytes = read_file(buffer, &r->arg[k].bytes);
    memcpy(memory, bytes, r->arg[k].bytes);
    free(bytes);
  }
  if (golden) {
    size_t size;
    r->arg[k].want = (uint8_t *)read_file(golden, &size);
    assert_int_equal(size, r->arg[k].bytes);
  }
  memcpy(r->bank + HEDDLE_BANK0_PARAMS + p->offset, &value, p->size);
}

static void put_size(struct run *r, json_t *list, uint32_t size[3], unsigned at) {
  for (unsigned k = 0; k < 3; k++) {
    size[k] = (uint32_t)json_integer_value(json_array_get(list, k));
    memcpy(r->bank + at + 4 * k, &size[k], 4);
  }
}

static void fill(struct run *r, const struct heddle_program *p, const struct heddle_kernel *k, json_t *c) {
  json_t *args = json_object_get(c, "args");
  assert_int_equal(json_array_size(args), k->params);
  for (unsigned i = 0; i < k->params; i++) put_argument(r, &k->param[i], i, json_array_get(args, i));
  put_size(r, json_object_get(c, "block"), r->launch.block, HEDDLE_BANK0_NTID_X);
  put_size(r, json_object_get(c, "grid"), r->launch.grid, HEDDLE_BANK0_NCTAID_X);
  memcpy(r->bank + HEDDLE_BANK0_STACK, &k->local_bytes, 4);
  r->launch.size = sizeof r->launch;
  r->launch.entry_pc = k->entry_pc;
  r->launch.regs = k->regs;
  r->launch.shared_bytes = k->shared_bytes;
  r->launch.local_bytes = k->local_bytes;
  r->launch.code = p->code;
  r->launch.code_bytes = p->code_bytes;
  r->launch.cbank[0] = r->bank;
  r->launch.cbank_bytes[0] = BANK;
  r->launch.region[0] = (struct heddle_region){BASE, BASE + ARGS_MAX * PART, true};
  r->launch.regions = 1;
  r->launch.units = ~0u;
}

static void compare(const struct run *r) {
  for (unsigned k = 0; k < ARGS_MAX; k++) {
    const uint8_t *got = heddle_model_memory(r->model) + k * PART;
    for (size_t b = 0; r->arg[k].want && b < r->arg[k].bytes; b++)
      if (got[b] != r->arg[k].want[b])
        fail_msg("%s, -O%u, %u registers: argument %u, byte %zu: 0x%02x instead of 0x%02x", r->name, r->way->level,
                 r->way->max_regs, k, b, got[b], r->arg[k].want[b]);
  }
}

static void run_case(json_t *c, const struct way *w) {
  struct run r = {.name = json_string_value(json_object_get(c, "name")), .way = w};
  struct heddle_program *p = compile(json_string_value(json_object_get(c, "ptx")), w);
  const struct heddle_kernel *k = heddle_program_kernel(p, json_string_value(json_object_get(c, "kernel")));
  assert_non_null(k);
  assert_true(w->max_regs == 0 || k->regs <= w->max_regs);
  struct heddle_model_config config = {.size = sizeof config,
                                       .base = BASE,
                                       .bytes = ARGS_MAX * PART,
                                       .warp_slots = 64,
                                       .block_slots = 16,
                                       .divergence = w->divergence};
  r.model = heddle_model_new(&config);
  assert_non_null(r.model);
  fill(&r, p, k, c);
  enum heddle_error s = heddle_model_launch(r.model, &r.launch);
  if (s == HEDDLE_SUCCESS) s = heddle_model_run(r.model, 50000000, NULL);
  if (s != HEDDLE_SUCCESS)
    fail_msg("%s, -O%u, %u registers, divergence %d: status %d: %s; trap %s at 0x%x", r.name, w->level, w->max_regs,
             w->divergence, s, heddle_model_diag(r.model), heddle_cause_name(heddle_model_trap(r.model)->cause),
             heddle_model_trap(r.model)->pc);
  compare(&r);
  for (unsigned a = 0; a < ARGS_MAX; a++) free(r.arg[a].want);
  heddle_model_free(r.model);
  heddle_program_free(p);
}

static void kernels_match_silicon(void **state) {
  (void)state;
  static const struct way ways[] = {{1, 0, HEDDLE_STACK}, {1, 0, HEDDLE_ITS},    {0, 0, HEDDLE_STACK},
                                    {0, 0, HEDDLE_ITS},   {1, 10, HEDDLE_STACK}, {0, 10, HEDDLE_ITS}};
  json_error_t error;
  json_t *root = json_load_file(SILICON_DIR "/kernels/cases.json", 0, &error);
  if (!root) fail_msg("%s", error.text);
  json_t *cases = json_object_get(root, "cases");
  assert_true(json_array_size(cases) >= 8);
  for (size_t k = 0; k < json_array_size(cases); k++)
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) run_case(json_array_get(cases, k), &ways[w]);
  json_decref(root);
}

struct message {
  unsigned count;
  struct heddle_message first;
};

static void take(void *ctx, const struct heddle_message *m) {
  struct message *x = ctx;
  if (x->count++ == 0) x->first = *m;
}

static struct heddle_program *compile_text(const char *text, struct message *m, struct heddle_ptx_figures **figures,
                                           size_t *kernels) {
  struct heddle_ptx_options o = {.size = sizeof o, .level = 1, .message = take, .ctx = m, .check = true};
  struct heddle_program *p;
  (void)heddle_ptx_compile(text, strlen(text), "t.ptx", &o, &p, figures, kernels);
  return p;
}

#define HEAD ".version 6.3\n.target sm_70\n.address_size 64\n"

/* .maxntid is the product of its sizes, whatever it comes to; a wish is no promise of the block. */
static void kernels_promise_what_their_source_does(void **state) {
  (void)state;
  static const char text[] = HEAD ".entry shape() .reqntid 32, 4 { ret; }\n"
                                  ".entry most() .maxntid 16, 4, 2 .minnctapersm 3 { ret; }\n"
                                  ".entry huge() .maxntid 2147483647, 2147483647, 2147483647 { ret; }\n"
                                  ".entry none() .maxnreg 24 .maxclusterrank 1 { ret; }\n";
  static const char pointers[] = HEAD ".entry k(.param .u64 .ptr .global .align 4 a, .param .u64 .ptr .align 8 b, "
                                      ".param .u64 .ptr .shared .align 64 c, .param .u64 d) { ret; }\n";
  static const uint32_t align[] = {0, 8, 16, 0};
  static const struct heddle_promise right[] = {
      {{32, 4, 1}, 0, 0}, {{0, 0, 0}, 128, 3}, {{0, 0, 0}, HEDDLE_PROMISE_MAX, 0}, {{0, 0, 0}, 0, 0}};
  struct message m = {0};
  struct heddle_program *p = compile_text(text, &m, NULL, NULL);
  if (!p) fail_msg("%s", m.first.text);
  for (unsigned i = 0; i < 4; i++) assert_memory_equal(&p->kernel[i].promise, &right[i], sizeof right[i]);
  heddle_program_free(p);
  p = compile_text(pointers, &m, NULL, NULL);
  if (!p) fail_msg("%s", m.first.text);
  for (unsigned i = 0; i < 4; i++) assert_int_equal(p->kernel[0].param[i].align, align[i]);
  heddle_program_free(p);
}

static void programs_have_all_kernels(void **state) {
  (void)state;
  static const char text[] = HEAD ".const .align 4 .b32 table[2] = {5, 6};\n"
                                  ".entry first(.param .u32 n, .param .u64 p) .maxnreg 24 { ret; }\n"
                                  ".entry second() { ret; }\n";
  struct message m = {0};
  struct heddle_ptx_figures *figures = NULL;
  size_t kernels = 0;
  struct heddle_program *p = compile_text(text, &m, &figures, &kernels);
  if (!p) fail_msg("%s", m.first.text);
  assert_int_equal(m.count, 0);
  assert_int_equal(p->kernels, 2);
  assert_int_equal(kernels, 2);
  assert_string_equal(figures[1].name, "second");
  const struct heddle_kernel *k = heddle_program_kernel(p, "first");
  assert_int_equal(k->params, 2);
  assert_string_equal(k->param[1].name, "p");
  assert_int_equal(k->param[1].offset, 8);
  assert_int_equal(k->param[1].size, 8);
  assert_int_equal(k->param_bytes, 16);
  assert_int_equal(heddle_program_kernel(p, "second")->entry_pc, p->code_bytes / 2);
  assert_int_equal(p->const_bytes, 256); /* whole rows */
  assert_memory_equal(p->konst, "\5\0\0\0\6\0\0\0\0\0\0\0\0\0\0", 16);
  assert_int_equal(p->isa_hash, heddle_isa_hash());
  free(figures);
  heddle_program_free(p);
}

/* Templates have long names, and compilers put a kernel's in front of its parameters'. */
static void names_may_be_long(void **state) {
  (void)state;
  static char text[3 * HEDDLE_SYMBOL_MAX + 200], name[HEDDLE_NAME_MAX + 2];
  struct message m = {0};
  memset(name, 'n', HEDDLE_NAME_MAX);
  snprintf(text, sizeof text, HEAD ".global .u32 %s_v;\n.entry %s(.param .u32 %s_p) { ret; }\n", name, name, name);
  struct heddle_program *p = compile_text(text, &m, NULL, NULL);
  if (!p) fail_msg("%s", m.first.text);
  const struct heddle_kernel *k = heddle_program_kernel(p, name);
  assert_non_null(k);
  assert_true(strncmp(k->param[0].name, name, HEDDLE_NAME_MAX) == 0);
  assert_string_equal(k->param[0].name + HEDDLE_NAME_MAX, "_p");
  assert_string_equal(p->variable[0].name + HEDDLE_NAME_MAX, "_v");
  heddle_program_free(p);
  name[HEDDLE_NAME_MAX] = 'n'; /* one too many; of the name in a message both ends are there */
  snprintf(text, sizeof text, HEAD ".entry %s() { ret; }\n", name);
  assert_null(compile_text(text, &m, NULL, NULL));
  assert_string_equal(m.first.text, "a name of more than 4096 characters");
  snprintf(text, sizeof text, HEAD ".entry k() { bra $%sZ; }\n", name);
  m = (struct message){0};
  assert_null(compile_text(text, &m, NULL, NULL));
  assert_non_null(strstr(m.first.text, "nnn...nnn"));
  assert_non_null(strstr(m.first.text, "nZ'"));
}

static void errors_have_a_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
    unsigned line;
  } table[] = {{HEAD ".func f() { ret; }", "no .entry", 0},
               {HEAD ".entry k()\n{\n  frobnicate.u32 %r1;\n}", "frobnicate", 6},
               {"garbage", "", 1},
               {"", "", 0}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    struct message m = {0};
    struct heddle_ptx_figures *figures = (struct heddle_ptx_figures *)&m;
    size_t kernels = 7;
    assert_null(compile_text(table[k].text, &m, &figures, &kernels));
    assert_null(figures);
    assert_int_equal(kernels, 0);
    assert_true(m.count > 0);
    if (!strstr(m.first.text, table[k].words)) fail_msg("%zu: %s", k, m.first.text);
    if (table[k].line) assert_int_equal(m.first.line, table[k].line);
  }
}

/* A host without memory, at each place where the compiler asks for some: heddle_ptx_compile returns HOST_MEMORY with a
 * message, and nothing that it took stays taken. A stage that gives up jumps to that one entry (compiler/ir/diag.h), so
 * this holds that no jump passes it, and that none passes over memory that nobody frees then. */

enum { HELD_MAX = 1 << 16 };

static struct {
  bool counts;
  unsigned long asked, fails; /* allocations so far; which of them fails, and all behind it; 0: none */
  void *held[HELD_MAX];
  unsigned holds, messages;
} h;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void __wrap_free(void *p);

static bool refused(void) {
  return h.counts && h.fails != 0 && ++h.asked >= h.fails;
}

static void *hold(void *p) {
  if (h.counts && p != NULL && h.holds < HELD_MAX) h.held[h.holds++] = p;
  return p;
}

static void let_go(const void *p) {
  for (unsigned i = h.holds; h.counts && p != NULL && i-- > 0;)
    if (h.held[i] == p) {
      h.held[i] = h.held[--h.holds];
      return;
    }
}

void *__wrap_malloc(size_t bytes) {
  return refused() ? NULL : hold(__real_malloc(bytes));
}
void *__wrap_calloc(size_t n, size_t bytes) {
  return refused() ? NULL : hold(__real_calloc(n, bytes));
}
void *__wrap_realloc(void *p, size_t bytes) {
  if (refused()) return NULL;
  let_go(p);
  return hold(__real_realloc(p, bytes));
}
void __wrap_free(void *p) {
  let_go(p);
  __real_free(p);
}

static void hear(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  h.messages += !m->warning;
}

/* A module variable with an address, a constant, a loop, a call, lines: each stage has something to do. */
static const char text[] =
    ".version 6.3\n.target sm_70\n.address_size 64\n.file 1 \"x.cu\"\n"
    ".global .align 8 .u64 place[2] = {generic(place), 7};\n"
    ".const .align 4 .u32 c[2] = {3, 4};\n"
    ".func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %r<3>;\n"
    "ld.param.u32 %r1, [a];\nadd.s32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n"
    ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n"
    ".reg .b64 %rd<4>;\n.shared .align 4 .b8 s[64];\n.loc 1 3 1\n"
    "ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\nld.const.u32 %r6, [c+4];\n"
    "again:\nadd.s32 %r2, %r2, 1;\n{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r2;\n"
    "call.uni (r), twice, (a);\nld.param.b32 %r3, [r];\n}\nadd.s32 %r6, %r6, %r3;\n"
    "setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra again;\nst.global.u32 [%rd1], %r6;\nret;\n}\n";

/* The first that fails; 0: none. */
static enum heddle_error compile_short(unsigned long fails, bool gaps, struct heddle_program **p) {
  const struct heddle_ptx_options o = {
      .size = sizeof o, .level = 1, .message = hear, .no_inline = true, .check = true, .shared_gap = gaps ? 16 : 0};
  struct heddle_ptx_figures *figures;
  size_t kernels;
  h.asked = h.holds = h.messages = 0;
  h.fails = fails;
  h.counts = true;
  const enum heddle_error e = heddle_ptx_compile(text, strlen(text), "x.ptx", &o, p, &figures, &kernels);
  h.fails = 0;
  free(figures);
  return e;
}

static void each_allocation_fails_once(void **state) {
  (void)state;
  for (unsigned gaps = 0; gaps < 2; gaps++) {
    unsigned long n = 1;
    struct heddle_program *p;
    for (enum heddle_error e; (e = compile_short(n, gaps == 1, &p)) != HEDDLE_SUCCESS; n++) {
      h.counts = false;
      if (e != HEDDLE_ERROR_HOST_MEMORY || p != NULL) fail_msg("allocation %lu: %s", n, heddle_error_text(e));
      if (h.holds != 0) fail_msg("allocation %lu: %u stay", n, h.holds);
      if (h.messages == 0) fail_msg("allocation %lu: no word", n);
      assert_in_range(n, 1, 100000);
    }
    assert_true(h.asked < n); /* all that it asked for was there */
    heddle_program_free(p);
    h.counts = false;
    assert_int_equal(h.holds, 0);
    assert_true(n > 20);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_match_silicon),     cmocka_unit_test(kernels_promise_what_their_source_does),
      cmocka_unit_test(programs_have_all_kernels), cmocka_unit_test(names_may_be_long),
      cmocka_unit_test(errors_have_a_place),       cmocka_unit_test(each_allocation_fails_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
