/* SPDX-License-Identifier: Apache-2.0
 * heddle cases: a folder of kernels with what hardware returned (tests/silicon/README.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/elements.h"
#include "run/programs/source.h"
#include "run/cases/suite.h"

static const struct tool_group groups[] = {{NULL, suite_list_options}, {"How it runs:", run_option_table}, {0}};
static const char *const usage[] = {"DIR [options]", NULL};
static const char *const examples[] = {"heddle cases tests/silicon/kernels --on lockstep --config fpga", NULL};
static const char about[] =
    "Run the kernels of DIR/cases.json: each is compiled (.ptx), assembled (.s) or loaded (.elf), and launched. Every "
    "buffer that has a golden file must equal it, byte for byte; the others must be as they were. A case may have "
    "\"shared\": BYTES, dynamic shared memory. Its arguments may be {\"local\": BYTES}, addresses of more of it, or "
    "{\"bytes\": HEX}, a structure. \"memory\" is what a recorded launch had at its "
    "addresses (HEDDLE_RECORD). A file of data "
    "that is not in DIR is taken from the archive DIR/data.zip. --max-cycles is 100,000,000 by default.";

struct arg {
  const char *type, *file, *golden; /* a scalar has no file */
  unsigned width;
  size_t count;
  uint64_t bits;
  bool written;
  uint8_t *gold; /* what it must be afterwards */
};

/* Of a launch that was recorded: bytes at an address. */
struct memory {
  const char *file, *golden;
  uint8_t *gold; /* NULL: what is there afterwards is not compared */
};

struct kernel_run {
  struct arg arg[JOB_ARGS_MAX];
  unsigned args;
  struct memory memory[JOB_BUFFERS_MAX];
  unsigned memories;
  struct heddle_program *program;
  struct job job;
  uint8_t *image;
};

static bool fail_case(struct suite_verdict *v, const char *what, const char *detail) {
  suite_fail(v, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
  return false;
}

static bool read_sizes(const json_t *c, const char *key, uint32_t size[3]) {
  const json_t *list = json_object_get(c, key);
  if (json_array_size(list) != 3) return false;
  for (size_t d = 0; d < 3; d++) {
    const json_int_t n = json_integer_value(json_array_get(list, d));
    if (n < 1 || n > 0x7fffffff) return false;
    size[d] = (uint32_t)n;
  }
  return true;
}

static bool take_scalar(struct kernel_run *k, struct arg *a, const json_t *j, struct suite_verdict *v) {
  const char *bits = suite_list_text(j, "bits");
  a->type = suite_list_text(j, "scalar");
  a->width = element_width(a->type);
  const uint64_t most = a->width >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * a->width)) - 1;
  if (a->width == 0) return fail_case(v, "scalar type is not supported", a->type);
  if (!bits || !tool_number(bits, most, &a->bits))
    return fail_case(v, "scalar without bits that fit its type", a->type);
  return job_add_scalar(&k->job, a->bits, a->width) || fail_case(v, "too many arguments", NULL);
}

/* A member that is a number of bytes of shared memory. */
static bool read_shared(const json_t *j, const char *key, uint32_t *bytes) {
  const json_t *n = json_object_get(j, key);
  const json_int_t v = json_integer_value(n);
  *bytes = (uint32_t)v;
  return !n || (json_is_integer(n) && v >= 0 && v <= JOB_SHARED_MAX);
}

static bool take_local(struct kernel_run *k, struct arg *a, const json_t *j, struct suite_verdict *v) {
  uint32_t bytes;
  a->type = "b64";
  if (!read_shared(j, "local", &bytes) || bytes == 0) return fail_case(v, "bytes of \"local\"", NULL);
  return job_add_local(&k->job, bytes) || fail_case(v, "too many arguments", NULL);
}

static bool take_buffer(const struct suite_list *q, struct kernel_run *k, struct arg *a, const json_t *j,
                        struct suite_verdict *v) {
  char why[512];
  const json_int_t count = json_integer_value(json_object_get(j, "count"));
  const char *kind = suite_list_text(j, "kind");
  a->file = suite_list_text(j, "buffer");
  a->type = suite_list_text(j, "type");
  a->golden = suite_list_text(j, "golden");
  a->width = element_width(a->type);
  if (a->width == 0) return fail_case(v, "buffer type is not supported", a->type);
  if (count < 1 || (uint64_t)count > JOB_BYTES_MAX / a->width) return fail_case(v, "count of a buffer", a->file);
  a->count = (size_t)count;
  const bool in = kind && strcmp(kind, "in") == 0;
  a->written = kind && (strcmp(kind, "out") == 0 || strcmp(kind, "inout") == 0);
  if (!in && !a->written) return fail_case(v, "kind of a buffer is not in, out or inout", a->file);
  if (a->written && !a->golden) return fail_case(v, "buffer that is written has no golden file", a->file);
  uint8_t *data = element_file(q->dir, a->file, a->count * a->width, why, sizeof why);
  if (!data) return fail_case(v, why, NULL);
  if (!job_add_buffer(&k->job, data, a->count * a->width, a->written)) {
    free(data);
    return fail_case(v, "too many arguments", NULL);
  }
  k->job.arg[k->job.args - 1].owned = data;
  if (!a->golden) return true;
  a->gold = element_file(q->dir, a->golden, a->count * a->width, why, sizeof why);
  return a->gold != NULL || fail_case(v, "golden file", why);
}

static unsigned digit(char c) {
  return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

/* {"bytes": "0a1b..."}: a structure as it lies in memory. */
static bool take_bytes(struct kernel_run *k, struct arg *a, const json_t *j, struct suite_verdict *v) {
  const char *text = suite_list_text(j, "bytes");
  const size_t n = strlen(text), count = n / 2;
  a->type = "b8";
  uint8_t *to = malloc(count + 1);
  if (!to || n % 2 != 0 || strspn(text, "0123456789abcdefABCDEF") != n || !job_add_struct(&k->job, to, count)) {
    free(to);
    return fail_case(v, "two hexadecimal digits a byte in \"bytes\", or too many arguments", NULL);
  }
  for (size_t i = 0; i < count; i++) to[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  return true;
}

static bool take_args(const struct suite_list *q, struct kernel_run *k, const json_t *c, struct suite_verdict *v) {
  const json_t *list = json_object_get(c, "args");
  if (!json_is_array(list)) return fail_case(v, "no list \"args\"", NULL);
  if (json_array_size(list) > JOB_ARGS_MAX) return fail_case(v, "too many arguments", NULL);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *j = json_array_get(list, i);
    struct arg *a = &k->arg[k->args++];
    const bool ok = json_object_get(j, "local")    ? take_local(k, a, j, v)
                    : suite_list_text(j, "buffer") ? take_buffer(q, k, a, j, v)
                    : suite_list_text(j, "bytes")  ? take_bytes(k, a, j, v)
                                                   : take_scalar(k, a, j, v);
    if (!ok) return false;
  }
  return true;
}

static bool read_address(const json_t *j, uint64_t *at) {
  const char *text = suite_list_text(j, "at");
  return text && tool_number(text, UINT64_MAX, at);
}

static bool take_place(const struct suite_list *q, struct kernel_run *k, const json_t *j, struct suite_verdict *v) {
  char why[512];
  uint64_t at;
  struct memory *m = &k->memory[k->memories];
  const json_int_t count = json_integer_value(json_object_get(j, "count"));
  m->file = suite_list_text(j, "buffer");
  m->golden = suite_list_text(j, "golden");
  if (!m->file || !read_address(j, &at)) return fail_case(v, "memory without \"buffer\" and \"at\"", m->file);
  if (count < 1 || count > JOB_BYTES_MAX) return fail_case(v, "count of memory", m->file);
  uint8_t *data = element_file(q->dir, m->file, (size_t)count, why, sizeof why);
  if (!data) return fail_case(v, why, NULL);
  if (!job_add_place(&k->job, at, data, (uint64_t)count)) {
    free(data);
    return fail_case(v, "memory has to be ascending, without overlap, of 40 bits", m->file);
  }
  k->memories++;
  if (m->golden) m->gold = element_file(q->dir, m->golden, (size_t)count, why, sizeof why);
  return !m->golden || m->gold || fail_case(v, "golden file", why);
}

static bool take_memory(const struct suite_list *q, struct kernel_run *k, const json_t *c, struct suite_verdict *v) {
  const json_t *list = json_object_get(c, "memory"), *variables = json_object_get(c, "variables");
  if (json_array_size(list) > JOB_BUFFERS_MAX) return fail_case(v, "more than 16 pieces of memory", NULL);
  for (size_t i = 0; i < json_array_size(list); i++)
    if (!take_place(q, k, json_array_get(list, i), v)) return false;
  if (!variables) return true;
  if (!read_address(variables, &k->job.variables_at)) return fail_case(v, "variables without \"at\"", NULL);
  return json_integer_value(json_object_get(variables, "bytes")) == (json_int_t)k->program->global_bytes ||
         fail_case(v, "the program's variables have another size than those that were recorded", NULL);
}

static bool take_program(const struct suite_list *q, struct kernel_run *k, const json_t *c, struct suite_verdict *v) {
  char path[4096];
  struct heddle_message m;
  const char *name = suite_list_text(c, "ptx");
  if (!name || name[0] == '/' || strstr(name, "..")) return fail_case(v, "no file \"ptx\" in the folder", name);
  snprintf(path, sizeof path, "%s/%s", q->dir, name);
  const struct source_options with = run_source(&q->run);
  k->program = source_load_with(path, &with, &m);
  if (!k->program) suite_fail(v, "%s:%u:%u: %s", m.file, m.line, m.column, m.text);
  return k->program != NULL;
}

static bool build_case(const struct suite_list *q, struct kernel_run *k, const json_t *c, struct suite_verdict *v) {
  uint32_t grid[3], block[3];
  char err[512] = "out of memory";
  const char *kernel = suite_list_text(c, "kernel"), *compare = suite_list_text(c, "compare");
  if (!kernel) return fail_case(v, "no \"kernel\"", NULL);
  if (compare && strcmp(compare, "exact") != 0) return fail_case(v, "comparison is not supported", compare);
  if (!read_sizes(c, "grid", grid) || !read_sizes(c, "block", block)) return fail_case(v, "grid or block sizes", NULL);
  if (!read_shared(c, "shared", &k->job.dynamic_shared)) return fail_case(v, "bytes of \"shared\"", NULL);
  if (!take_program(q, k, c, v) || !take_args(q, k, c, v) || !take_memory(q, k, c, v)) return false;
  const bool ok = job_build(&k->job, k->program, kernel, grid, block, err, sizeof err);
  k->image = ok ? malloc(k->job.mem_bytes) : NULL;
  return k->image != NULL || fail_case(v, err, NULL);
}

/* Scalars, and what the other buffers held at this place. */
static void tell_inputs(const struct kernel_run *k, size_t at, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < k->args && used < size; i++) {
    const struct arg *a = &k->arg[i];
    char value[64];
    if (a->file && at >= a->count) continue;
    const uint64_t bits = a->file ? element_at(k->job.arg[i].init, a->width, at) : a->bits;
    const int n = snprintf(text + used, size - used, "%sargument %u%s = %s", used > 0 ? ", " : "", i,
                           a->file ? " there" : "", element_text(a->type, bits, value, sizeof value));
    if (n > 0) used += (size_t)n;
  }
}

static bool compare_outputs(const struct kernel_run *k, struct suite_verdict *v) {
  for (unsigned i = 0; i < k->args; i++) {
    const struct arg *a = &k->arg[i];
    if (!a->file) continue;
    const uint8_t *got = k->image + (k->job.addr[i] - k->job.mem_base), *want = a->gold ? a->gold : k->job.arg[i].init;
    const size_t at = element_difference(got, want, a->width, a->count);
    if (at == a->count) continue;
    char g[64], w[64], inputs[400];
    size_t differ = 0;
    for (size_t e = at; e < a->count; e++) differ += memcmp(got + e * a->width, want + e * a->width, a->width) != 0;
    tell_inputs(k, at, inputs, sizeof inputs);
    suite_fail(v, "argument %u (%s), element %zu: got %s, want %s; inputs: %s (%zu of %zu elements differ)", i,
               a->golden ? a->golden : a->file, at, element_text(a->type, element_at(got, a->width, at), g, sizeof g),
               element_text(a->type, element_at(want, a->width, at), w, sizeof w), inputs, differ, a->count);
    return false;
  }
  return true;
}

static bool compare_memory(const struct kernel_run *k, struct suite_verdict *v) {
  for (unsigned i = 0; i < k->memories; i++) {
    const struct job_place *p = &k->job.place[i];
    const uint8_t *got = k->image + (p->at - k->job.mem_base), *want = k->memory[i].gold;
    const size_t at = want ? element_difference(got, want, 1, p->bytes) : p->bytes;
    if (at == p->bytes) continue;
    size_t differ = 0;
    for (size_t e = at; e < p->bytes; e++) differ += got[e] != want[e];
    suite_fail(v, "memory at 0x%" PRIx64 ", byte %zu: got 0x%02x, want 0x%02x of %s (%zu of %" PRIu64 " bytes differ)",
               p->at + at, at, got[at], want[at], k->memory[i].golden, differ, p->bytes);
    return false;
  }
  return true;
}

static uint64_t threads(const struct job *j) {
  const struct heddle_launch *l = &j->launch;
  return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] * l->block[0] * l->block[1] * l->block[2];
}

static void judge_case(void *ctx, size_t item, struct runner *runner, struct suite_verdict *v) {
  const struct suite_list *q = ctx;
  struct kernel_run *k = calloc(1, sizeof *k);
  if (!k) {
    suite_fail(v, "out of memory");
    return;
  }
  const bool ok = build_case(q, k, q->item[item], v);
  if (ok && suite_can_run(v, &q->run, &k->job)) {
    struct run_result r = {0};
    runner_run(runner, &k->job, k->image, &r);
    if (!suite_take_result(v, &r, k->program)) (void)(compare_outputs(k, v) && compare_memory(k, v));
    suite_list_compared(q, item, k->program, &r, v, threads(&k->job));
    run_result_clear(&r);
  }
  if (!ok) v->status = RUN_BAD_INPUT;
  for (unsigned i = 0; i < k->args; i++) free(k->arg[i].gold);
  for (unsigned i = 0; i < k->memories; i++) free(k->memory[i].gold);
  free(k->image);
  job_clear(&k->job);
  heddle_program_free(k->program);
  free(k);
}

static int cases_main(int argc, char **argv) {
  static const struct suite_list_kind kind = {
      .command = "cases", .what = "cases", .file = "cases.json", .list = "cases", .name = "name", .one = judge_case};
  return suite_list_main(&kind, NULL, argc, argv);
}

const struct tool_command cmd_cases = {
    "cases", "run a folder of kernels against golden results", cases_main, usage, about, groups, examples, NULL};
