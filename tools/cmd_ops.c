/* SPDX-License-Identifier: Apache-2.0
 * heddle ops: a folder of PTX instruction forms with what hardware returned (tests/silicon/README.md). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/job/elements.h"
#include "run/cases/form.h"
#include "run/programs/source.h"
#include "run/cases/suite.h"

static const struct tool_group groups[] = {{NULL, suite_list_options}, {"How it runs:", run_option_table}, {0}};
static const char *const usage[] = {"DIR [options]", NULL};
static const char *const examples[] = {"heddle ops tests/silicon/ops --on model --jobs 2", NULL};
static const char about[] =
    "Run the instruction forms of DIR/ops.json. Entry k of OP.ptx or OP.s, or of the kernel "
    "that is made of the form's `ptx` where there is no such file, computes d[i] = op(a[i], "
    "b[i], c[i]). Every bit of d must be as in OP.gold.bin. rsqrt.approx.f64 is held to its "
    "bound, and the largest error is printed. A file of data that is not in DIR is taken from the "
    "archive DIR/data.zip. --max-cycles is 100,000,000 by default.";

enum { BLOCK = 128, COUNT_MAX = 1 << 20, CLASSES = 4 };

static const char *const class_names[CLASSES] = {"f32", "f64", "i32", "i64"};

/* f32 f64 i32 i64: what the inputs of a type are called. */
static const char *class_of_type(const char *type) {
  const unsigned width = element_width(type);
  if (width < 4) return NULL;
  return class_names[(element_is_float(type) ? 0 : 2) + (width == 8)];
}

struct form {
  const char *name, *type[4]; /* a b c d; NULL: the form has no such operand */
  const char *statement;      /* "ptx" of the list, or NULL */
  unsigned width[4];
  uint8_t *in[3], *gold;
  struct heddle_program *program;
  struct job job;
  uint8_t *image;
};

/* Elements of every form. */
static size_t count_of(const struct suite_list *q) {
  return (size_t)json_integer_value(json_object_get(q->root, "count"));
}

/* Whole blocks run: what lies behind the last element is zeros. */
static size_t padded(const struct suite_list *q) {
  return (count_of(q) + BLOCK - 1) / BLOCK * BLOCK;
}

static bool load_operand(const struct suite_list *q, struct form *f, unsigned slot, struct suite_verdict *v) {
  char name[64], why[512];
  const char *type = f->type[slot], *class = class_of_type(type);
  if (!type) return true;
  if (!class) {
    suite_fail(v, "operand type '%s' is not supported", type);
    return false;
  }
  f->width[slot] = element_width(type);
  snprintf(name, sizeof name, "%s.%u.bin", class, slot);
  uint8_t *data = element_file(q->dir, name, count_of(q) * f->width[slot], why, sizeof why);
  if (!data) {
    suite_fail(v, "%s", why);
    return false;
  }
  f->in[slot] = calloc(padded(q), f->width[slot]);
  if (f->in[slot]) memcpy(f->in[slot], data, count_of(q) * f->width[slot]);
  free(data);
  if (!f->in[slot]) suite_fail(v, "out of memory");
  return f->in[slot] != NULL;
}

static bool load_golden(const struct suite_list *q, struct form *f, struct suite_verdict *v) {
  char name[300], why[512];
  f->width[3] = element_width(f->type[3]);
  if (!class_of_type(f->type[3])) {
    suite_fail(v, "result type '%s' is not supported", f->type[3] ? f->type[3] : "");
    return false;
  }
  snprintf(name, sizeof name, "%s.gold.bin", f->name);
  f->gold = element_file(q->dir, name, count_of(q) * f->width[3], why, sizeof why);
  if (!f->gold) suite_fail(v, "golden file: %s", why);
  return f->gold != NULL;
}

static bool load_program(const struct suite_list *q, struct form *f, struct suite_verdict *v) {
  char path[4096];
  struct heddle_message m;
  if (f->name[0] == '\0' || strchr(f->name, '/')) {
    suite_fail(v, "'%s' is no name of a form", f->name);
    return false;
  }
  static const char *const ends[] = {"ptx", "s"};
  bool there = false;
  for (unsigned i = 0; i < 2 && !there; i++) {
    snprintf(path, sizeof path, "%s/%s.%s", q->dir, f->name, ends[i]);
    there = access(path, F_OK) == 0;
  }
  char *text = there || !f->statement || !f->statement[0] ? NULL : form_source(f->type, f->statement);
  const struct source_options with = run_source(&q->run);
  f->program = text ? source_compile(text, f->name, &with, &m) : source_load_with(path, &with, &m);
  free(text);
  if (!f->program) suite_fail(v, "%s:%u:%u: %s", m.file, m.line, m.column, m.text);
  return f->program != NULL;
}

static bool build_job(const struct suite_list *q, struct form *f, struct suite_verdict *v) {
  const uint32_t grid[3] = {(uint32_t)(padded(q) / BLOCK), 1, 1}, block[3] = {BLOCK, 1, 1};
  char err[512] = "out of memory";
  for (unsigned i = 0; i < 3; i++)
    if (f->type[i])
      job_add_buffer(&f->job, f->in[i], padded(q) * f->width[i], false);
    else
      job_add_scalar(&f->job, 0, 8);
  /* An element that nobody writes must not look right. */
  uint8_t *first = malloc(padded(q) * f->width[3]);
  if (first) memset(first, 0xa5, padded(q) * f->width[3]);
  bool ok = first && job_add_buffer(&f->job, first, padded(q) * f->width[3], true);
  if (ok) f->job.arg[3].owned = first;
  if (!ok) free(first);
  ok = ok && job_build(&f->job, f->program, "k", grid, block, err, sizeof err);
  f->image = ok ? malloc(f->job.mem_bytes) : NULL;
  if (!f->image) suite_fail(v, "%s", err);
  return f->image != NULL;
}

static void tell_difference(const struct suite_list *q, const struct form *f, const uint8_t *got, size_t at,
                            struct suite_verdict *v) {
  char g[64], w[64], in[3][80] = {"", "", ""}, text[64];
  size_t differ = 0;
  for (size_t i = at; i < count_of(q); i++)
    differ += memcmp(got + i * f->width[3], f->gold + i * f->width[3], f->width[3]) != 0;
  for (unsigned k = 0; k < 3; k++)
    if (f->type[k])
      snprintf(in[k], sizeof in[k], "%s%c = %s", k > 0 ? ", " : "", "abc"[k],
               element_text(f->type[k], element_at(f->in[k], f->width[k], at), text, sizeof text));
  suite_fail(v, "element %zu: got %s, want %s; %s%s%s (%zu of %zu elements differ)", at,
             element_text(f->type[3], element_at(got, f->width[3], at), g, sizeof g),
             element_text(f->type[3], element_at(f->gold, f->width[3], at), w, sizeof w), in[0], in[1], in[2], differ,
             count_of(q));
}

static void compare_form(const struct suite_list *q, const struct form *f, struct suite_verdict *v) {
  const uint8_t *got = f->image + (f->job.addr[3] - f->job.mem_base);
  const struct form_bound *b = form_bound_of(f->name);
  const size_t at = b ? form_bound_check(b, f->in[0], got, f->gold, count_of(q), v->note, sizeof v->note)
                      : element_difference(got, f->gold, f->width[3], count_of(q));
  if (at < count_of(q)) tell_difference(q, f, got, at, v);
}

static void judge_form(void *ctx, size_t item, struct runner *runner, struct suite_verdict *v) {
  const struct suite_list *q = ctx;
  const json_t *op = q->item[item];
  struct form f = {.name = suite_list_name(ctx, item), .statement = suite_list_text(op, "ptx")};
  static const char *const keys[4] = {"a", "b", "c", "d"};
  bool ok = true;
  for (unsigned i = 0; i < 4; i++) f.type[i] = suite_list_text(op, keys[i]);
  for (unsigned i = 0; i < 3 && ok; i++) ok = load_operand(q, &f, i, v);
  ok = ok && load_golden(q, &f, v) && load_program(q, &f, v) && build_job(q, &f, v);
  if (ok && suite_can_run(v, &q->run, &f.job)) {
    struct run_result r = {0};
    runner_run(runner, &f.job, f.image, &r);
    if (!suite_take_result(v, &r, f.program)) compare_form(q, &f, v);
    suite_list_compared(q, item, f.program, &r, v, count_of(q));
    run_result_clear(&r);
  } else if (!ok) {
    v->status = RUN_BAD_INPUT;
  }
  free(f.image);
  job_clear(&f.job);
  heddle_program_free(f.program);
  for (unsigned i = 0; i < 3; i++) free(f.in[i]);
  free(f.gold);
}

static const char *check_count(struct suite_list *q) {
  const json_int_t count = json_integer_value(json_object_get(q->root, "count"));
  return count < 1 || count > COUNT_MAX ? "a \"count\" of elements" : NULL;
}

static int ops_main(int argc, char **argv) {
  static const struct suite_list_kind kind = {.command = "ops",
                                              .what = "forms",
                                              .file = "ops.json",
                                              .list = "ops",
                                              .name = "op",
                                              .head = check_count,
                                              .one = judge_form};
  return suite_list_main(&kind, NULL, argc, argv);
}

const struct tool_command cmd_ops = {
    "ops", "run a folder of PTX instruction forms against golden results", ops_main, usage, about, groups, examples,
    NULL};
