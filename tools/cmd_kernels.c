/* SPDX-License-Identifier: Apache-2.0
 * heddle kernels: the kernels of firmware/kernels against results computed by plain C. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/command/tool.h"
#include "run/command/json_out.h"
#include "run/cases/kernel_run.h"
#include "run/job/result.h"
#include "run/runner/conclude.h"
#include "run/job/waivers.h"

static const struct tool_option own[] = {
    {"form", "FORM",
     "asm (NAME.s), ptx (NAME.ptx, clang -O2), O0 (O0/NAME.ptx, clang -O0), all, or each kernel's first of these "
     "(default)",
     'f', "asm ptx O0 all"},
    {"list", NULL, "run nothing; say what the RTL lacks for each", 'i', NULL},
    {"level", "N", "of the PTX compiler: 0 straightforward code, 1 everything on (default 1)", 'v', "0 1"},
    {"no-inline", NULL, "it compiles every function by itself", 'n', NULL},
    {"without", "PASSES", "it leaves these passes out (heddle ptx --help)", 'w', NULL},
    {"dir", "DIR", "where the kernels are (default: those that belong to this program)", 'd', NULL},
    {"programs", "DIR", "take DIR/NAME.FORM.elf, made before, in place of the source", 'e', NULL},
    {"launches", "N", "runs a reset, each with its own data (default 3)", 'l', NULL},
    {"seeds", "N", "memory seeds, from --seed on (default 1)", 's', NULL},
    {"scale", "N", "size: 0 small, 1 at least 10,000 warp instructions a kernel (default 1)", 'x', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {"How it runs:", run_option_table}, {0}};
static const char *const usage[] = {"[NAME ...] [options]", NULL};
static const char *const examples[] = {"heddle kernels vecadd sgemm --on lockstep --config wide --seeds 8", NULL};
static const char about[] =
    "Make programs of the kernels (assembled from NAME.s, compiled from the PTX that clang made of NAME.cl). Run each "
    "several times with changed data at the same addresses, and compare all buffers with results of plain C "
    "on the host (in lockstep: after all else). If the RTL lacks instructions of a program, "
    "they are listed, and the kernel counts neither as passed nor as failed. So does one "
    "with blocks that find no room in the machine. --trace, "
    "--stream and --wave: of several runs that of a kernel's form and seed goes to FILE.NAME.FORM.SEED.";

enum { FORM_FIRST = KERNEL_FORMS, FORM_ALL };

struct request {
  struct run_options run;
  const char *dir, *programs;
  uint64_t launches, seeds, scale, level;
  unsigned form; /* enum kernel_form, FORM_FIRST, FORM_ALL */
  bool only_list, no_inline;
  uint32_t without; /* passes of the compiler */
  bool several;     /* runs: kernels, forms or seeds */
  struct kernel_totals sum;
  struct waivers *waivers;
  unsigned waived;
  json_t *list;
};

static bool prepare_and_run(struct request *q, struct runner *r, const struct kernel_info *k, enum kernel_form form,
                            const struct heddle_program *p, uint64_t seed, struct kernel_totals *t, char *why,
                            size_t n) {
  struct kernel_case *c = malloc(sizeof *c);
  bool ok = c && kernel_prepare(k, form, seed, (unsigned)q->scale, c);
  if (!ok) snprintf(why, n, "out of memory");
  if (ok) {
    ok = kernel_run(r, p, c, t, why, n);
    kernel_case_clear(c);
  }
  free(c);
  return ok;
}

static void add_totals(struct kernel_totals *sum, const struct kernel_totals *t) {
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
  for (unsigned i = 0; i < RUN_COUNTERS; i++) sum->counter[i] += t->counter[i];
}

static void print_line(const char *name, const struct kernel_totals *t, const char *verdict) {
  printf("%-16s %3" PRIu64 " launches %9" PRIu64 " warp instructions %10" PRIu64 " cycles %10" PRIu64 " lanes %8" PRIu64
         " performs %7" PRIu64 " divergent %6" PRIu64 " barrier waits  %s\n",
         name, t->launches, t->retired, t->cycles, t->lanes, t->performs, t->divergent, t->barriers, verdict);
  fflush(stdout);
}

/* Failed, or failed as is known. Of a failure without a signature, a wrong result, nothing is known. */
static void count_failure(struct request *q, const char *name, const struct kernel_totals *t, json_t *j) {
  char signature[SIGNATURE_BYTES];
  const bool named = t->diagnosis.kind[0] != '\0';
  if (named) (void)json_object_set_new(j, "diagnosis", result_diagnosis(&t->diagnosis));
  const struct waiver *w = named ? waivers_match(q->waivers, signature_text(&t->diagnosis, signature)) : NULL;
  q->sum.failed += !w;
  q->waived += w != NULL;
  if (!w) return;
  waiver_tell(w, name);
  (void)json_object_set_new(j, "waived", waiver_json(w));
}

static void report_kernel(struct request *q, const char *name, const struct kernel_totals *t, uint64_t seed, bool ok,
                          const char *why) {
  print_line(name, t, ok ? "ok" : "FAILED");
  if (q->run.profile) profile_print(stdout, name, t->retired, t->cycles, t->counter);
  if (!ok) tool_error("%s (--config %s --seed %" PRIu64 "): %s", name, q->run.config_name, seed, why);
  add_totals(&q->sum, t);
  q->sum.kernels++;
  json_t *j = json_pack("{s:s, s:b, s:I, s:I}", "kernel", name, "ok", ok, "warp_instructions", (json_int_t)t->retired,
                        "cycles", (json_int_t)t->cycles);
  (void)json_object_set_new(j, "counters", result_counters(&q->run, t->retired, t->cycles, t->counter));
  if (!ok) (void)json_object_set_new(j, "why", json_string(why));
  if (!ok) count_failure(q, name, t, j);
  (void)json_array_append_new(q->list, j);
}

/* FILE for one run, FILE.NAME.FORM.SEED for one of several; false: no room. */
static bool file_of_run(const struct request *q, const char **file, const struct kernel_info *k, enum kernel_form form,
                        uint64_t seed, char *buf, size_t size) {
  if (!*file || !q->several) return true;
  const int n = snprintf(buf, size, "%s.%s.%s.%" PRIu64, *file, k->name, kernel_form_name(form), seed);
  if (n < 0 || (size_t)n >= size) {
    tool_error("%.80s...: the file's name is too long", *file);
    return false;
  }
  *file = buf;
  return true;
}

/* The launches of one seed, on a device of their own. *ok: they are right. The exit status: could they run? */
static int run_seed(struct request *q, const struct kernel_info *k, enum kernel_form form,
                    const struct heddle_program *p, const struct run_options *o, struct kernel_totals *t, bool *ok,
                    char *why, size_t n) {
  int status;
  struct runner *r = runner_new(o, &status);
  if (!r) return status;
  for (uint64_t l = 0; l < q->launches && *ok; l++)
    *ok = prepare_and_run(q, r, k, form, p, o->seed * 1000 + l, t, why, n);
  runner_free(r);
  return TOOL_OK;
}

static int run_seeds(struct request *q, const struct kernel_info *k, enum kernel_form form,
                     const struct heddle_program *p, const char *name) {
  struct kernel_totals t = {0};
  char why[512] = "", trace[4096], wave[4096], stream[4096];
  bool ok = true;
  uint64_t last = q->run.seed;
  for (uint64_t s = 0; s < q->seeds && ok; s++) {
    struct run_options o = q->run;
    last = o.seed += s;
    if (!file_of_run(q, &o.trace, k, form, o.seed, trace, sizeof trace) ||
        !file_of_run(q, &o.wave, k, form, o.seed, wave, sizeof wave) ||
        !file_of_run(q, &o.stream, k, form, o.seed, stream, sizeof stream))
      return TOOL_USAGE;
    struct kernel_totals of = {0};
    const int status = run_seed(q, k, form, p, &o, &of, &ok, why, sizeof why);
    if (status != TOOL_OK) return status;
    add_totals(&t, &of);
    t.diagnosis = of.diagnosis;
  }
  if (ok && q->run.on == ON_LOCKSTEP && (t.checked == 0 || t.checked != t.retired || t.performs == 0)) {
    ok = false;
    snprintf(why, sizeof why, "nothing was checked");
  }
  report_kernel(q, name, &t, last, ok, why);
  return TOOL_OK;
}

/* Without the device: what is known beforehand. */
static void list_kernel(const struct kernel_info *k, enum kernel_form form, const char *lack) {
  printf("%s %s: %s%s\n", k->name, kernel_form_name(form), lack[0] ? "lacks " : "runs", lack);
}

static void list_lacking(struct request *q, const char *name, const char *says, unsigned *count, const char *lack) {
  printf("%-16s %s %s\n", name, says, lack);
  ++*count;
  (void)json_array_append_new(q->list, json_pack("{s:s, s:b, s:s}", "kernel", name, "ok", false, "lacking", lack));
}

/* Of a machine by name: what a block asks for, and it has no room for. */
static bool unfit(const struct request *q, const struct kernel_info *k, enum kernel_form form,
                  const struct heddle_program *p, char *text, size_t size) {
  struct heddle_machine m = {.size = sizeof m};
  struct kernel_case *c = malloc(sizeof *c);
  const bool made = c && kernel_prepare(k, form, q->run.seed * 1000, (unsigned)q->scale, c);
  run_machine(&q->run, &m);
  const bool lacks = made && kernel_lacks(&m, p, c, text, size);
  if (made) kernel_case_clear(c);
  free(c);
  return lacks;
}

static struct heddle_program *ready_made(const struct request *q, const struct kernel_info *k, enum kernel_form form) {
  char path[4352];
  struct heddle_program *p;
  struct heddle_message m;
  snprintf(path, sizeof path, "%s/%s.%s.elf", q->programs, k->name, kernel_form_name(form));
  if (heddle_program_load(path, &p, &m) == HEDDLE_SUCCESS) return p;
  tool_message(NULL, &m);
  return NULL;
}

static int run_kernel(struct request *q, const struct kernel_info *k, enum kernel_form form) {
  char name[160], lack[2048];
  snprintf(name, sizeof name, form == KERNEL_ASM ? "%s" : "%s.%s", k->name, kernel_form_name(form));
  struct source_options with = run_source(&q->run);
  if (q->only_list) with.target = HEDDLE_PTX_TARGET_RTL, with.units = UINT32_MAX;
  with.level = (unsigned)q->level;
  with.no_inline = q->no_inline;
  with.without = q->without;
  struct heddle_program *p = q->programs ? ready_made(q, k, form) : kernel_program(q->dir, k, form, &with);
  if (!p) return TOOL_USAGE;
  int status = TOOL_OK;
  const bool lacking = rtl_lack(p, with.units, lack, sizeof lack) > 0;
  if (q->only_list)
    list_kernel(k, form, lack);
  else if (!run_on_whole(&q->run) && lacking)
    list_lacking(q, name, "not on the RTL, which lacks", &q->sum.lacking, lack);
  else if (!run_on_whole(&q->run) && unfit(q, k, form, p, lack, sizeof lack))
    list_lacking(q, name, "does not fit:", &q->sum.unfit, lack);
  else
    status = run_seeds(q, k, form, p, name);
  heddle_program_free(p);
  return status;
}

static int forms(struct request *q, const struct kernel_info *k) {
  int status = TOOL_OK;
  bool first = true;
  for (unsigned f = 0; f < KERNEL_FORMS && status == TOOL_OK; f++) {
    if (!kernel_has(k, (enum kernel_form)f)) continue;
    if (q->form == f || q->form == FORM_ALL || (q->form == FORM_FIRST && first))
      status = run_kernel(q, k, (enum kernel_form)f);
    first = false;
  }
  return status;
}

static int conclude_kernels(struct request *q) {
  const struct kernel_totals *s = &q->sum;
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
  if (s->lacking > 0) printf("%u more need instructions that the RTL lacks\n", s->lacking);
  if (s->unfit > 0) printf("%u more do not fit %s\n", s->unfit, q->run.config_name);
  const unsigned passed = s->kernels - s->failed - q->waived;
  waivers_tell(q->waivers, false);
  printf("%u passed, %u failed", passed, s->failed);
  if (q->waivers) printf(", %u waived", q->waived);
  printf("\n");
  if (q->run.json) {
    json_t *root = result_header(&q->run);
    json_object_set(root, "kernels", q->list);
    json_object_set_new(root, "counters", result_counters(&q->run, s->retired, s->cycles, s->counter));
    json_object_set_new(root, "passed", json_integer(passed));
    json_object_set_new(root, "failed", json_integer(s->failed));
    json_object_set_new(root, "waived", json_integer(q->waived));
    if (!json_out_dump(q->run.json, root)) return TOOL_USAGE;
  }
  return passed < s->kernels || s->kernels == 0 ? TOOL_DIFFERENCE : TOOL_OK;
}

static int take_kernels_count(const char *name, uint64_t *slot) {
  if (tool_number(optarg, 1000000, slot)) return TOOL_OK;
  return tool_usage("kernels", "--%s %s: expected a number", name, optarg);
}

static int take_form(struct request *q, const char *name) {
  for (unsigned f = 0; f < KERNEL_FORMS; f++)
    if (strcmp(name, kernel_form_name((enum kernel_form)f)) == 0) {
      q->form = f;
      return TOOL_OK;
    }
  q->form = FORM_ALL;
  return strcmp(name, "all") == 0 ? TOOL_OK : tool_usage("kernels", "--form %s: expected asm, ptx, O0 or all", name);
}

static int take_level(struct request *q, const char *text) {
  if (tool_number(text, 1, &q->level)) return TOOL_OK;
  return tool_usage("kernels", "--level %s: expected 0 or 1", text);
}

static int parse_kernels_options(struct request *q, int argc, char **argv) {
  for (int o; (o = tool_option_next("kernels", groups, argc, argv)) != -1;) {
    int status = TOOL_OK;
    switch (o) {
    case 'd':
      q->dir = optarg;
      break;
    case 'e':
      q->programs = optarg;
      break;
    case 'f':
      status = take_form(q, optarg);
      break;
    case 'i':
      q->only_list = true;
      break;
    case 'n':
      q->no_inline = true;
      break;
    case 'w':
      if (heddle_ptx_passes(optarg, &q->without, NULL) != HEDDLE_SUCCESS)
        status = tool_usage("kernels", "--without %s: no such pass", optarg);
      break;
    case 'v':
      status = take_level(q, optarg);
      break;
    case 'l':
      status = take_kernels_count("launches", &q->launches);
      break;
    case 's':
      status = take_kernels_count("seeds", &q->seeds);
      break;
    case 'x':
      status = take_kernels_count("scale", &q->scale);
      break;
    default:
      status = run_options_take(&q->run, "kernels", o, optarg);
      break;
    }
    if (status != TOOL_OK) return status;
  }
  q->several = argc - optind != 1 || q->form == FORM_ALL || q->seeds > 1;
  const int status = run_options_serve(q->run.on, "kernels", groups, argc, argv);
  return status == TOOL_OK ? run_options_finish(&q->run, "kernels") : status;
}

static int kernels_main(int argc, char **argv) {
  char folder[4096];
  struct request q = {.launches = 3, .seeds = 1, .scale = 1, .level = 1, .form = FORM_FIRST, .list = json_array()};
  run_options_init(&q.run);
  int status = parse_kernels_options(&q, argc, argv);
  if (status == TOOL_OK && !q.dir) {
    q.dir = folder;
    if (!data_path("kernels", folder, sizeof folder)) status = TOOL_MISSING;
  }
  for (int i = optind; i < argc && status == TOOL_OK; i++)
    if (!kernel_find(argv[i])) status = tool_usage("kernels", "no kernel '%s'", argv[i]);
  if (status == TOOL_OK) status = waivers_open(q.run.waivers, &q.waivers);
  if (status == TOOL_OK && !q.only_list && !runner_keep_device(&q.run)) status = TOOL_MISSING;
  for (const struct kernel_info *k = kernel_table; k->name && status == TOOL_OK; k++) {
    bool wanted = optind == argc;
    for (int i = optind; i < argc; i++) wanted = wanted || strcmp(argv[i], k->name) == 0;
    if (wanted) status = forms(&q, k);
  }
  if (status == TOOL_OK && !q.only_list) status = conclude_kernels(&q);
  json_decref(q.list);
  waivers_free(q.waivers);
  return status;
}

const struct tool_command cmd_kernels = {
    "kernels", "run the kernels of firmware/kernels against host results", kernels_main, usage, about, groups, examples,
    NULL};
