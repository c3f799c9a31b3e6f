/* SPDX-License-Identifier: Apache-2.0
 * heddle kernels: the kernels of firmware/kernels against results computed by plain C. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heddle/asm.h"
#include "kernels.h"
#include "profile.h"
#include "result_json.h"
#include "runner.h"

static const char help[] =
    "usage: heddle kernels [NAME ...] [options]\n\n"
    "Assemble the kernels, run each several times with changed data at the same addresses, and compare all buffers "
    "with\n"
    "results computed by plain C on the host (in lockstep: after everything else has been compared).\n\n"
    "  --dir DIR          where NAME.s are (default: the source tree that this program was built from)\n"
    "  --launches N       launches a reset, each with its own data (default 3)\n"
    "  --seeds N          memory seeds, from --seed on (default 1)\n"
    "  --scale N          size: 0 small, 1 at least 10,000 warp instructions a kernel (default 1)\n" RUN_OPTIONS_HELP
    "\nexample: heddle kernels vecadd sgemm --on lockstep --config wide --seeds 8\n";

struct totals {
  unsigned kernels, failed;
  uint64_t launches, retired, cycles, checked, lanes, performs, divergent, barriers, differences, axi[8];
  uint32_t counter[RUN_COUNTERS];
};

struct request {
  struct run_options run;
  const char *dir;
  uint64_t launches, seeds, scale;
  struct totals sum;
  json_t *list;
};

static struct heddle_program *assemble(const struct request *q, const char *name) {
  char path[1024];
  size_t size;
  snprintf(path, sizeof path, "%s/%s.s", q->dir, name);
  uint8_t *text = tool_read_file(path, 1u << 20, &size);
  if (!text) return NULL;
  struct heddle_asm_options o = {.message = tool_message};
  tool_stalls(NULL, o.stall);
  struct heddle_program *p = heddle_assemble((const char *)text, size, path, &o);
  free(text);
  return p;
}

static bool make_job(struct job *j, const struct kernel_case *c, const struct heddle_program *p, const char *name) {
  char err[512];
  for (unsigned i = 0; i < c->args; i++) {
    const struct kernel_arg *a = &c->arg[i];
    if (a->is_buffer)
      job_add_buffer(j, a->init, a->bytes, true);
    else
      job_add_scalar(j, a->scalar, a->bytes_scalar);
  }
  if (job_build(j, p, name, c->grid, c->block, err, sizeof err)) return true;
  tool_error("%s: %s", name, err);
  return false;
}

static bool outputs_match(const struct kernel_case *c, const struct job *j, const uint8_t *image, char *why, size_t n) {
  for (unsigned i = 0; i < c->args; i++) {
    size_t at;
    if (!c->arg[i].is_buffer) continue;
    if (kernel_matches(&c->arg[i], image + (j->addr[i] - j->mem_base), &at)) continue;
    snprintf(why, n, "argument %u differs from the host's result at byte %zu", i, at);
    return false;
  }
  return true;
}

/* One launch; true when everything agreed. */
static bool one(struct request *q, struct runner *r, const struct kernel_info *k, const struct heddle_program *p,
                uint64_t seed, struct totals *t, char *why, size_t n) {
  struct kernel_case c;
  struct job j = {0};
  struct run_result result = {0};
  bool ok = kernel_prepare(k, seed, (unsigned)q->scale, &c) && make_job(&j, &c, p, k->name);
  uint8_t *image = ok ? malloc(j.mem_bytes) : NULL;
  if (image) {
    runner_run(r, &j, image, &result);
    if (result.report) fputs(result.report, stderr);
    if (result.status != RUN_OK) snprintf(why, n, "%s: %.300s", run_status_name(result.status), result.message);
    ok = result.status == RUN_OK && outputs_match(&c, &j, image, why, n);
    t->launches++;
    t->retired += result.retired;
    t->cycles += result.cycles;
    t->checked += result.stats.retired;
    t->lanes += result.stats.lanes_compared;
    t->performs += result.stats.performs;
    t->divergent += result.stats.divergent_branches;
    t->barriers += result.stats.barrier_waits;
    t->differences += result.stats.differences;
    for (unsigned i = 0; i < 8; i++) t->axi[i] += result.axi[i];
    for (unsigned i = 0; i < RUN_COUNTERS; i++) t->counter[i] += result.counter[i];
  }
  free(image);
  run_result_clear(&result);
  job_clear(&j);
  kernel_case_clear(&c);
  return ok && image;
}

static void add(struct totals *sum, const struct totals *t) {
  sum->kernels++;
  sum->launches += t->launches;
  sum->retired += t->retired;
  sum->cycles += t->cycles;
  sum->checked += t->checked;
  sum->lanes += t->lanes;
  sum->performs += t->performs;
  sum->divergent += t->divergent;
  sum->barriers += t->barriers;
  sum->differences += t->differences;
  for (unsigned i = 0; i < 8; i++) sum->axi[i] += t->axi[i];
}

static void print_line(const char *name, const struct totals *t, const char *verdict) {
  printf("%-10s %3" PRIu64 " launches %9" PRIu64 " warp instructions %10" PRIu64 " cycles %10" PRIu64 " lanes %8" PRIu64
         " performs %7" PRIu64 " divergent %6" PRIu64 " barrier waits  %s\n",
         name, t->launches, t->retired, t->cycles, t->lanes, t->performs, t->divergent, t->barriers, verdict);
  fflush(stdout);
}

static int kernel(struct request *q, const struct kernel_info *k) {
  struct totals t = {0};
  char why[512] = "";
  struct heddle_program *p = assemble(q, k->name);
  if (!p) return TOOL_USAGE;
  bool ok = true;
  int status = TOOL_OK;
  for (uint64_t s = 0; s < q->seeds && ok; s++) {
    struct run_options o = q->run;
    o.seed += s;
    struct runner *r = runner_new(&o, &status);
    if (!r) break;
    for (uint64_t l = 0; l < q->launches && ok; l++)
      ok = one(q, r, k, p, (q->run.seed + s) * 1000 + l, &t, why, sizeof why);
    runner_free(r);
  }
  heddle_program_free(p);
  if (status != TOOL_OK) return status;
  if (ok && q->run.on == ON_LOCKSTEP && (t.checked == 0 || t.checked != t.retired || t.performs == 0)) {
    ok = false;
    snprintf(why, sizeof why, "nothing was checked");
  }
  print_line(k->name, &t, ok ? "ok" : "FAILED");
  if (q->run.profile) profile_print(stdout, k->name, t.retired, t.cycles, t.counter);
  if (!ok) tool_error("%s (--config %s --seed %" PRIu64 "): %s", k->name, q->run.config_name, q->run.seed, why);
  add(&q->sum, &t);
  if (!ok) q->sum.failed++;
  json_array_append_new(q->list,
                        json_pack("{s:s, s:b, s:I, s:I, s:s}", "kernel", k->name, "ok", ok, "warp_instructions",
                                  (json_int_t)t.retired, "cycles", (json_int_t)t.cycles, "why", why));
  return TOOL_OK;
}

static int conclude(struct request *q) {
  const struct totals *s = &q->sum;
  if (q->run.on == ON_LOCKSTEP)
    printf("axi: %" PRIu64 " writes of data before address, %" PRIu64
           " reads reordered across ids, cycles held AW %" PRIu64 " W %" PRIu64 " B %" PRIu64 " AR %" PRIu64
           " R %" PRIu64 " (B and R by the memory's side)\n",
           s->axi[AXI_COUNT_W_BEFORE_AW], s->axi[AXI_COUNT_R_REORDERED], s->axi[AXI_COUNT_HELD],
           s->axi[AXI_COUNT_HELD + 1], s->axi[AXI_COUNT_HELD + 2], s->axi[AXI_COUNT_HELD + 3],
           s->axi[AXI_COUNT_HELD + 4]);
  printf("total: %u kernels, %" PRIu64 " warp instructions retired, %" PRIu64 " checked, %" PRIu64
         " lanes compared, %" PRIu64 " performs, %" PRIu64 " divergent branches, %" PRIu64 " barrier waits, %" PRIu64
         " differences\n",
         s->kernels, s->retired, s->checked, s->lanes, s->performs, s->divergent, s->barriers, s->differences);
  printf("%u passed, %u failed\n", s->kernels - s->failed, s->failed);
  if (q->run.json) {
    json_t *root = result_header(&q->run);
    json_object_set(root, "kernels", q->list);
    if (!result_dump(q->run.json, root)) return TOOL_USAGE;
  }
  return s->failed || s->kernels == 0 ? TOOL_DIFFERENCE : TOOL_OK;
}

static int take_count(const char *name, uint64_t *slot) {
  if (tool_number(optarg, 1000000, slot)) return TOOL_OK;
  return tool_usage("kernels", "--%s %s: expected a number", name, optarg);
}

static int parse(struct request *q, int argc, char **argv) {
  static const struct option options[] = {{"dir", required_argument, NULL, 'd'},
                                          {"launches", required_argument, NULL, 'l'},
                                          {"seeds", required_argument, NULL, 's'},
                                          {"scale", required_argument, NULL, 'x'},
                                          RUN_LONG_OPTIONS,
                                          {NULL, 0, NULL, 0}};
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    int status = TOOL_OK;
    switch (o) {
    case 'd':
      q->dir = optarg;
      break;
    case 'l':
      status = take_count("launches", &q->launches);
      break;
    case 's':
      status = take_count("seeds", &q->seeds);
      break;
    case 'x':
      status = take_count("scale", &q->scale);
      break;
    default:
      status = run_options_take(&q->run, "kernels", o, optarg);
      break;
    }
    if (status != TOOL_OK) return status;
  }
  return run_options_finish(&q->run, "kernels");
}

static int run(int argc, char **argv) {
  struct request q = {.dir = KERNEL_DIR, .launches = 3, .seeds = 1, .scale = 1, .list = json_array()};
  run_options_init(&q.run);
  int status = parse(&q, argc, argv);
  for (int i = optind; i < argc && status == TOOL_OK; i++)
    if (!kernel_find(argv[i])) status = tool_usage("kernels", "no kernel '%s'", argv[i]);
  for (const struct kernel_info *k = kernel_table; k->name && status == TOOL_OK; k++) {
    bool wanted = optind == argc;
    for (int i = optind; i < argc; i++) wanted = wanted || strcmp(argv[i], k->name) == 0;
    if (wanted) status = kernel(&q, k);
  }
  if (status == TOOL_OK) status = conclude(&q);
  json_decref(q.list);
  return status;
}

const struct tool_command cmd_kernels = {"kernels", "run the kernels of firmware/kernels against host results", help,
                                         run};
