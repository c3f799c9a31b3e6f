/* SPDX-License-Identifier: Apache-2.0
 * twins_cl: random OpenCL C, compiled by clang to PTX and run on the model, and compiled as C and run here. */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/twin/opencl/cl.h"
#include <heddle/ptx.h>
#include "run/cases/suite.h"

enum { BATCH = 16, SECONDS = 600, TEXT_MAX = 64 << 20 };
typedef void (*native_kernel)(uint32_t id, const uint32_t *in, uint32_t *out);

struct request {
  struct run_options run;
  uint64_t programs, first;
  const char *clang, *bitcode, *keep;
  bool print;
  void *library;
  struct heddle_program *program[4]; /* clang at -O0, -O2; each compiled by us at both levels */
  size_t from;
  unsigned batch;
  char name[32];
};

static const struct tool_option own[] = {
    {"programs", "N", "how many (default 32)", 'n', NULL},
    {"only", "N", "one program", 'o', NULL},
    {"print", NULL, "its text, and no more", 'p', NULL},
    {"keep", "DIR", "leave the files of the last batch there", 'k', NULL},
    {"clang", "CMD", "the compiler (default clang-14, or clang-19 without it)", 'c', NULL},
    {"bitcode", "FILE", "libclc (default /usr/lib/clc/nvptx64--nvidiacl.bc)", 'b', NULL},
    {"help", NULL, "this", 'h', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {"How it runs:", run_option_table}, {0}};
static const char help[] = "usage: twins_cl [options]\n\nRandom OpenCL C: clang's PTX (-O0 and -O2), compiled at both "
                           "levels and run on the model, against the same text as C.\n";

static unsigned stride(const struct request *q) {
  return q->run.jobs < q->programs ? q->run.jobs : (unsigned)q->programs;
}

static const char *name_of(void *ctx, size_t item) {
  struct request *q = ctx;
  (void)snprintf(q->name, sizeof q->name, "%" PRIu64, q->first + item);
  return q->name;
}

static bool execute(char *const *words) {
  pid_t child = fork();
  if (child == 0) {
    execvp(words[0], words);
    _exit(127);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#define W(text) ((char *)(text))
static bool to_ptx(const struct request *q, const char *from, const char *to, const char *level) {
  char *const words[] = {W(q->clang),
                         W(level),
                         W("-w"),
                         W("-x"),
                         W("cl"),
                         W("-cl-std=CL1.2"),
                         W("-cl-fp32-correctly-rounded-divide-sqrt"),
                         W("-target"),
                         W("nvptx64--nvidiacl"),
                         W("-Xclang"),
                         W("-target-feature"),
                         W("-Xclang"),
                         W("+ptx63"),
                         W("-Xclang"),
                         W("-target-cpu"),
                         W("-Xclang"),
                         W("sm_70"),
                         W("-Xclang"),
                         W("-finclude-default-header"),
                         W("-Xclang"),
                         W("-mlink-builtin-bitcode"),
                         W("-Xclang"),
                         W(q->bitcode),
                         W("-S"),
                         W("-o"),
                         W(to),
                         W(from),
                         NULL};
  return execute(words);
}
static bool to_native(const char *from, const char *to) {
  char *const words[] = {W(TWIN_CC),
                         W("-std=c11"),
                         W("-w"),
                         W("-O1"),
                         W("-ffp-contract=off"),
                         W("-fwrapv"),
                         W("-fno-strict-aliasing"),
                         W("-shared"),
                         W("-fPIC"),
                         W("-x"),
                         W("c"),
                         W("-o"),
                         W(to),
                         W(from),
                         W("-lm"),
                         NULL};
  return execute(words);
}

static void take_message(void *ctx, const struct heddle_message *m) {
  struct suite_verdict *v = ctx;
  if (!m->warning) suite_fail(v, "line %u column %u: %s", m->line, m->column, m->text);
}

static void drop(struct request *q) {
  if (q->library) (void)dlclose(q->library);
  q->library = NULL;
  for (unsigned k = 0; k < 4; k++) {
    heddle_program_free(q->program[k]);
    q->program[k] = NULL;
  }
}

static bool compile(struct request *q, unsigned which, const char *path, struct suite_verdict *v) {
  size_t size;
  uint8_t *text = tool_read_file(path, TEXT_MAX, &size);
  if (!text) return false;
  struct heddle_ptx_options o = {
      .size = sizeof o, .level = which & 1, .message = take_message, .ctx = v, .check = true};
  (void)tool_stalls(NULL, o.stall);
  (void)heddle_ptx_compile((const char *)text, size, path, &o, &q->program[which], NULL, NULL);
  if (!q->program[which] && v->passed) suite_fail(v, "%s does not compile", path);
  free(text);
  return q->program[which] != NULL;
}

static bool write_text(const struct request *q, const char *path, size_t item) {
  FILE *to = fopen(path, "w");
  if (!to) return false;
  cl_head(to);
  for (unsigned k = 0; k < q->batch; k++) cl_write(q->run.seed, q->first + item + (size_t)k * stride(q), k, to);
  return fclose(to) == 0;
}

static bool make_all(struct request *q, const char *dir, size_t item, struct suite_verdict *v) {
  char text[400], so[400], ptx[2][400];
  (void)snprintf(text, sizeof text, "%s/twin.cl", dir);
  (void)snprintf(so, sizeof so, "%s/twin.so", dir);
  bool right = write_text(q, text, item);
  for (unsigned k = 0; k < 2; k++) {
    (void)snprintf(ptx[k], sizeof ptx[k], "%s/twin%u.ptx", dir, 2 * k);
    right = right && to_ptx(q, text, ptx[k], k ? "-O2" : "-O0");
  }
  right = right && to_native(text, so) && (q->library = dlopen(so, RTLD_NOW | RTLD_LOCAL)) != NULL;
  if (!right) suite_fail(v, "clang or cc did not compile");
  for (unsigned k = 0; k < 4 && right; k++) right = compile(q, k, ptx[k / 2], v);
  if (!q->keep) {
    (void)unlink(text), (void)unlink(so), (void)unlink(ptx[0]), (void)unlink(ptx[1]);
    (void)rmdir(dir);
  }
  return right;
}

static bool load_batch(struct request *q, size_t item, struct suite_verdict *v) {
  char dir[] = "/tmp/heddle-twin.XXXXXX";
  drop(q);
  q->from = item;
  q->batch = 0;
  for (size_t k = item; k < q->programs && q->batch < BATCH; k += stride(q)) q->batch++;
  if (!q->keep && !mkdtemp(dir)) {
    suite_fail(v, "no place for files in /tmp");
    return false;
  }
  return make_all(q, q->keep ? q->keep : dir, item, v);
}

static void run(struct request *q, unsigned which, unsigned place, const uint32_t *in, const uint32_t *want,
                struct runner *runner, struct suite_verdict *v) {
  static const char *const how[] = {"clang -O0, ours -O0", "clang -O0, ours -O2", "clang -O2, ours -O0",
                                    "clang -O2, ours -O2"};
  const uint32_t grid[3] = {CL_THREADS / CL_BLOCK, 1, 1}, block[3] = {CL_BLOCK, 1, 1};
  struct job job = {0};
  struct run_result r = {0};
  char err[400] = "no memory", name[16];
  size_t bytes = sizeof(uint32_t) * CL_THREADS * CL_OUT_WORDS;
  (void)snprintf(name, sizeof name, "k%u", place);
  bool right = job_add_buffer(&job, (const uint8_t *)in, sizeof(uint32_t) * CL_IN_WORDS, false) &&
               job_add_buffer(&job, NULL, bytes, true) &&
               job_build(&job, q->program[which], name, grid, block, err, sizeof err);
  uint8_t *image = right ? malloc(job.mem_bytes) : NULL;
  if (image) {
    runner_run(runner, &job, image, &r);
    const uint8_t *got = image + (job.addr[1] - job.mem_base);
    if (!suite_take_result(v, &r, q->program[which]) && memcmp(got, want, bytes) != 0) {
      unsigned k = 0;
      while (memcmp(got + 4 * k, want + k, 4) == 0) k++;
      suite_fail(v, "%s: thread %u word %u differs", how[which], k / CL_OUT_WORDS, k % CL_OUT_WORDS);
    }
  } else {
    suite_fail(v, "%s", err);
  }
  run_result_clear(&r);
  job_clear(&job);
  free(image);
}

static void one(void *ctx, size_t item, struct runner *runner, struct suite_verdict *v) {
  struct request *q = ctx;
  uint32_t in[CL_IN_WORDS], want[CL_THREADS * CL_OUT_WORDS] = {0};
  size_t place = (item - q->from) / stride(q);
  (void)alarm(SECONDS);
  if (!q->library || item < q->from || place >= q->batch) {
    if (!load_batch(q, item, v)) return drop(q);
    place = 0;
  }
  char name[16];
  native_kernel native;
  (void)snprintf(name, sizeof name, "k%zu", place);
  void *at = dlsym(q->library, name);
  memcpy(&native, &at, sizeof native);
  cl_input(q->run.seed, q->first + item, in);
  for (uint32_t t = 0; t < CL_THREADS; t++) native(t, in, want);
  for (unsigned which = 0; which < 4 && v->passed; which++) run(q, which, (unsigned)place, in, want, runner, v);
  (void)alarm(0);
}

static int take(struct request *q, int o, const char *value) {
  switch (o) {
  case 'n':
    return tool_number(value, 1000000, &q->programs) ? TOOL_OK : tool_usage("twins_cl", "--programs %s", value);
  case 'o':
    q->programs = 1;
    return tool_number(value, UINT32_MAX, &q->first) ? TOOL_OK : tool_usage("twins_cl", "--only %s", value);
  case 'p':
    q->print = true;
    return TOOL_OK;
  case 'k':
    q->keep = value;
    return TOOL_OK;
  case 'c':
    q->clang = value;
    return TOOL_OK;
  case 'b':
    q->bitcode = value;
    return TOOL_OK;
  case 'h':
    fputs(help, stdout);
    tool_options_text(stdout, groups);
    exit(TOOL_OK);
  default:
    return run_options_take(&q->run, "twins_cl", o, value);
  }
}

static const char *clang_here(void) {
  char *const probe[] = {W("sh"), W("-c"), W("command -v clang-14 >/dev/null"), NULL};
  return execute(probe) ? "clang-14" : "clang-19";
}

int main(int argc, char **argv) {
  struct request q = {.programs = 32, .bitcode = "/usr/lib/clc/nvptx64--nvidiacl.bc"};
  run_options_init(&q.run);
  q.run.on = ON_MODEL;
  int status = TOOL_OK;
  for (int o; status == TOOL_OK && (o = tool_option_next("twins_cl", groups, argc, argv)) != -1;)
    status = take(&q, o, optarg);
  if (!q.run.max_cycles) q.run.max_cycles = 20000000;
  if (status == TOOL_OK) status = run_options_finish(&q.run, "twins_cl");
  if (status != TOOL_OK) return status;
  if (q.print) {
    cl_head(stdout);
    cl_write(q.run.seed, q.first, 0, stdout);
    return TOOL_OK;
  }
  if (!q.clang) q.clang = clang_here();
  char *const probe[] = {W("sh"),    W("-c"),      W("command -v \"$0\" >/dev/null && test -f \"$1\""),
                         W(q.clang), W(q.bitcode), NULL};
  if (!execute(probe)) {
    tool_error("%s or %s is not installed: nothing is run", q.clang, q.bitcode);
    return TOOL_MISSING;
  }
  const struct suite s = {.command = "twins_cl",
                          .what = "programs",
                          .dir = "",
                          .again = argv[0],
                          .run = &q.run,
                          .items = q.programs,
                          .name = name_of,
                          .one = one,
                          .ctx = &q};
  return suite_run(&s);
}
