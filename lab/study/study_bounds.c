/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle study bounds: how near each kernel comes to what the machine allows.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/session.h>
#include "base/array.h"
#include "base/minmax.h"
#include "lab/study/study.h"
#include "run/cases/kernel_run.h"
#include "run/command/json_out.h"
#include "run/command/tool.h"
#include "run/profile/bounds.h"
#include "run/runner/conclude.h"
#include "run/runner/runner.h"

/* Kernels for the study of bounds: in lockstep, so that what is counted has been compared. */

#define ROW 4u /* blocks, one after the other, of which all but the first find warm caches */

struct run_into {
  const struct bounds_request *q;
  struct bounded *b;
  struct bounds_counts *counts;
  bool on; /* this launch counts */
};

static void look_at_record(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                           const struct heddle_retire_record *r) {
  const struct run_into *to = ctx;
  (void)m;
  (void)l;
  if (r != NULL && to->on) bounds_look(to->counts, r);
}

static struct heddle_session *open_lockstep(struct run_into *to, const struct job *j, char *why, size_t n) {
  const struct run_options *o = &to->q->run;
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_LOCKSTEP,
                                          .config = o->config_name,
                                          .scoreboard = o->scoreboard,
                                          .its = o->its,
                                          .sched = o->sched,
                                          .seed = o->seed,
                                          .latency = o->latency,
                                          .max_cycles = o->max_cycles,
                                          .memory_base = j->mem_base,
                                          .memory_bytes = j->mem_bytes,
                                          .observe = look_at_record,
                                          .observe_ctx = to};
  struct heddle_session *s;
  struct heddle_message msg;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) snprintf(why, n, "%s", msg.text);
  return s;
}

static bool run_in_session(struct heddle_session *s, const struct job *j, const struct heddle_launch *l,
                           struct heddle_session_result *r, char *why, size_t n) {
  memset(heddle_session_memory(s), 0, j->mem_bytes);
  job_store_inputs(j, heddle_session_memory(s));
  if (heddle_session_run(s, l, r) == HEDDLE_SESSION_OK) return true;
  snprintf(why, n, "%s: %.300s", heddle_session_outcome_name(r->outcome), r->message);
  return false;
}

/* How many blocks of a launch the machine holds at a time; one at least: it ran. */
static unsigned resident(const struct heddle_config *m, const struct heddle_launch *l, unsigned warps) {
  const unsigned places = min_u32(m->warps, m->partitions * (m->regs / m->partitions / (l->regs != 0 ? l->regs : 1)));
  const unsigned shared = l->shared_bytes != 0 ? m->shared_bytes / l->shared_bytes : m->blocks;
  const unsigned blocks = min_u32(min_u32(m->blocks, places / warps), shared);
  return blocks != 0 ? blocks : 1;
}

/* The first blocks of a launch, n at most along one side of its grid. */
static struct heddle_launch first_blocks(const struct heddle_launch *l, unsigned n) {
  struct heddle_launch some = *l;
  const unsigned side = l->grid[0] > 1 ? 0 : l->grid[1] > 1 ? 1 : 2;
  for (unsigned i = 0; i < 3; i++) some.grid[i] = i == side ? min_u32(n, l->grid[i]) : 1;
  return some;
}

/* What a block takes alone: the first one, for which every cache is cold, and those after it. */
struct alone {
  double first, later;
};

/* Blocks that want all shared memory come one after the other. */
static bool measure_alone(struct heddle_session *s, const struct job *j, const struct heddle_config *m, struct alone *a,
                          struct heddle_session_result *last, char *why, size_t n) {
  struct heddle_launch one = first_blocks(&j->launch, 1), row = first_blocks(&j->launch, ROW);
  const unsigned more = row.grid[0] * row.grid[1] * row.grid[2] - 1;
  if (!run_in_session(s, j, &one, last, why, n)) return false;
  a->first = a->later = (double)last->cycles;
  row.shared_bytes = m->shared_bytes;
  if (more == 0) return true;
  if (!run_in_session(s, j, &row, last, why, n)) return false;
  a->later = ((double)last->cycles - a->first) / more;
  return true;
}

/* Of blocks that are there at the same time each waits for itself alone; rounds of them follow each other. */
static void add_latency(struct bounded *b, const struct heddle_config *m, const struct heddle_launch *l,
                        const struct alone *a) {
  const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  const unsigned warps = (l->block[0] * l->block[1] * l->block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
  const unsigned together = resident(m, l, warps) * m->sms;
  const uint64_t rounds = (blocks + together - 1) / together;
  b->bound[BOUND_LATENCY] += a->first + (double)(rounds - 1) * a->later;
  b->warps = warps * (blocks < together ? (unsigned)blocks : together);
  b->slots = m->warps * m->sms;
}

static bool launch_bounded(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why, size_t n) {
  struct run_into *to = ctx;
  (void)number;
  struct heddle_session *s = open_lockstep(to, j, why, n);
  if (s == NULL) return false;
  const struct heddle_config *m = to->q->run.config;
  struct heddle_session_result before = {.size = sizeof before}, all = {.size = sizeof all};
  struct alone alone;
  to->on = false;
  bool ok = measure_alone(s, j, m, &alone, &before, why, n);
  to->on = true;
  bounds_counts_begin(to->counts);
  ok = ok && run_in_session(s, j, &j->launch, &all, why, n);
  if (ok) {
    const double reads = (double)(all.memory.read_beats - before.memory.read_beats),
                 writes = (double)(all.memory.write_beats - before.memory.write_beats);
    to->b->cycles += all.cycles;
    to->b->issued += all.insns;
    to->b->bytes += (uint64_t)(reads + writes) * m->axi_bits / 8;
    to->b->bound[BOUND_READ] += reads / m->axi_ports;
    to->b->bound[BOUND_WRITE] += writes / m->axi_ports;
    add_latency(to->b, m, &j->launch, &alone);
    memcpy(image, heddle_session_memory(s), j->mem_bytes);
  }
  (void)heddle_session_close(s, NULL);
  return ok;
}

/* A count that a run went below is a count that is wrong. */
static bool bound_holds(const struct bounded *b, char *why, size_t n) {
  const enum bound holds = bounds_holds(b);
  if ((double)b->cycles >= b->bound[holds]) return true;
  snprintf(why, n, "%llu cycles, but %s alone takes %.0f: the bound is wrong", (unsigned long long)b->cycles,
           bound_name(holds), b->bound[holds]);
  return false;
}

int bounds_kernel(const struct bounds_request *q, const struct kernel_info *k, const char *dir, struct bounded *b) {
  char why[1024] = "no memory";
  const enum kernel_form form = kernel_has(k, KERNEL_ASM) ? KERNEL_ASM : KERNEL_PTX;
  struct run_into to = {.q = q, .b = b, .counts = bounds_counts_new(q->run.config)};
  struct heddle_machine is = {.size = sizeof is};
  run_machine(&q->run, &is);
  snprintf(b->name, sizeof b->name, form == KERNEL_ASM ? "%s" : "%s.%s", k->name, kernel_form_name(form));
  struct source_options with = run_source(&q->run);
  with.level = 1;
  struct heddle_program *p = kernel_program(dir, k, form, &with);
  if (p == NULL) return TOOL_USAGE;
  struct kernel_case *c = malloc(sizeof *c);
  bool ok = c != NULL && to.counts != NULL && kernel_prepare(k, form, q->run.seed * 1000, (unsigned)q->scale, c);
  if (ok && !kernel_lacks(&is, p, c, b->lacks, sizeof b->lacks)) {
    ok = kernel_case_run(p, c, launch_bounded, &to, why, sizeof why);
    bounds_count(to.counts, b);
    ok = ok && bound_holds(b, why, sizeof why);
  }
  if (c != NULL) kernel_case_clear(c);
  free(c);
  bounds_counts_free(to.counts);
  heddle_program_free(p);
  if (!ok) tool_error("%s: %s", b->name, why);
  return ok ? TOOL_OK : TOOL_DIFFERENCE;
}

/* heddle study bounds in words: Markdown, and JSON. */

static double share_of_bound(const struct bounded *b, enum bound i) {
  return b->cycles != 0 ? b->bound[i] / (double)b->cycles : 0;
}

static void write_bound_row(FILE *f, const struct bounded *b, bool shared) {
  const enum bound holds = bounds_holds(b);
  const double cycles = b->cycles != 0 ? (double)b->cycles : 1;
  fprintf(f, "| %s | %" PRIu64 " | %.1f | %s | %.2f | %.2f | %.2f | %.2f |", b->name, b->cycles,
          (double)b->lanes / cycles, bound_name(holds), share_of_bound(b, holds), share_of_bound(b, BOUND_LATENCY),
          share_of_bound(b, BOUND_OPERANDS), share_of_bound(b, BOUND_ROWS));
  if (shared)
    fprintf(f, " %.2f | %.2f | %.2f |", share_of_bound(b, BOUND_L1), share_of_bound(b, BOUND_CHANNEL),
            share_of_bound(b, BOUND_BANK));
  fprintf(f, " %.2f | %.2f | %u of %u |\n", share_of_bound(b, BOUND_READ), share_of_bound(b, BOUND_WRITE), b->warps,
          b->slots);
}

void bounds_table(FILE *f, const struct bounds *s) {
  const bool shared = s->shared;
  fprintf(f, "| kernel | cycles | lanes a cycle | bound | its share | latency | operands | rows |%s R | W | warps |\n",
          shared ? " L1 | channel | bank |" : "");
  fprintf(f, "|---|---|---|---|---|---|---|---|%s---|---|---|\n", shared ? "---|---|---|" : "");
  for (size_t k = 0; k < s->n; k++)
    if (s->of[k].lacks[0] == '\0') write_bound_row(f, &s->of[k], shared);
  for (size_t k = 0; k < s->n; k++)
    if (s->of[k].lacks[0] != '\0') fprintf(f, "\n%s is not among them: %s\n", s->of[k].name, s->of[k].lacks);
}

static json_t *bounded_json(const struct bounded *b) {
  if (b->lacks[0] != '\0') return json_pack("{s:s, s:s}", "kernel", b->name, "lacking", b->lacks);
  json_t *bound = json_object();
  for (unsigned i = 0; i < BOUNDS; i++) (void)json_object_set_new(bound, bound_name(i), json_real(b->bound[i]));
  return json_pack("{s:s, s:I, s:I, s:I, s:I, s:i, s:s, s:o}", "kernel", b->name, "cycles", (json_int_t)b->cycles,
                   "issued", (json_int_t)b->issued, "lanes", (json_int_t)b->lanes, "bytes", (json_int_t)b->bytes,
                   "warps", (int)b->warps, "holds", bound_name(bounds_holds(b)), "bounds", bound);
}

json_t *bounds_json(const struct bounds_request *q, const struct bounds *s) {
  json_t *root = result_header(&q->run), *list = json_array();
  for (size_t k = 0; k < s->n; k++) (void)json_array_append_new(list, bounded_json(&s->of[k]));
  (void)json_object_set_new(root, "study", json_string("bounds"));
  (void)json_object_set_new(root, "latency", json_integer((json_int_t)q->run.latency));
  (void)json_object_set_new(root, "kernels", list);
  return root;
}

/* The picture of heddle study bounds: the roofline with each kernel on it, and how near each comes to its two bounds.
 */

static bool drawn(const struct bounded *b) {
  return b->lacks[0] == '\0' && b->cycles != 0 && b->bytes != 0;
}

static void points(FILE *f, const struct bounds *s) {
  fputs("$roof << END\n", f);
  for (size_t k = 0; k < s->n; k++) {
    const struct bounded *b = &s->of[k];
    if (!drawn(b)) continue;
    fprintf(f, "\"%s\" %.6f %.6f\n", b->name, (double)b->lanes / (double)b->bytes,
            (double)b->lanes / (double)b->cycles);
  }
  fputs("END\n$shares << END\n", f);
  for (size_t k = 0; k < s->n; k++) {
    const struct bounded *b = &s->of[k];
    if (!drawn(b)) continue;
    const enum bound holds = bounds_holds(b);
    fprintf(f, "\"%s (%s)\" %.6f %.6f\n", b->name, bound_name(holds), b->bound[holds] / (double)b->cycles,
            b->bound[BOUND_LATENCY] / (double)b->cycles);
  }
  fputs("END\n", f);
}

static void script(FILE *f, const char *picture, const struct heddle_config *m, const struct bounds *s) {
  const double peak = (double)m->lanes * m->partitions, wide = m->axi_ports * m->axi_bits / 8.0;
  fputs("set terminal pngcairo size 1500,1150 font 'DejaVu Sans,12' background rgb 'white' noenhanced\nset output ", f);
  picture_path(f, picture);
  fputs("\nset multiplot layout 2,1\nset grid lc rgb '#d8d8d8' lt 1\nset border 3\nset tics nomirror out\n", f);
  points(f, s);
  fprintf(f,
          "set title 'Roofline of %s: lanes that execute, over bytes on AXI'\nset logscale xy 2\n"
          "set xlabel 'lane instructions a byte'\nset ylabel 'lane instructions a cycle'\nset key left top\n"
          "set xrange [0.015625:1024]\nset yrange [0.25:%g]\n"
          "plot (x * %g < %g ? x * %g : %g) lc rgb '#d55e00' lw 2 title 'R and W full, or all lanes', "
          "(x * %g < %g ? x * %g : %g) lc rgb '#999999' dt 2 title 'one of them', "
          "$roof using 2:3 with points pt 7 lc rgb '#0072b2' notitle, "
          "'' using 2:3:1 with labels offset 0.6,0.6 left font ',10' notitle\n",
          m->name, peak * 2, 2 * wide, peak, 2 * wide, peak, wide, peak, wide, peak);
  fputs("unset logscale\nset autoscale\nunset xlabel\nset title 'What each kernel takes, as the share that its bounds "
        "are of it'\nset style data histograms\nset style histogram clustered gap 1\nset style fill solid border rgb "
        "'white'\nset xtics rotate by -35\nset yrange [0:*]\nset ylabel 'bound / cycles'\nset key outside top center "
        "horizontal\n"
        "plot $shares using 2:xtic(1) title 'throughput: what is counted' lc rgb '#0072b2', '' using 3 title "
        "'latency: a block alone' lc rgb '#56b4e9', 1 with lines lc rgb '#444444' dt 2 notitle\nunset multiplot\n"
        "set output\n",
        f);
}

int bounds_plot(const char *picture, const struct heddle_config *m, const struct bounds *s) {
  bool any = false;
  for (size_t k = 0; k < s->n; k++) any = any || drawn(&s->of[k]);
  if (!any) {
    tool_log("no picture: no kernel ran");
    return TOOL_OK;
  }
  FILE *f = tmpfile();
  if (f == NULL) {
    tool_error("-o: no temporary file");
    return TOOL_USAGE;
  }
  script(f, picture, m, s);
  const bool ok = picture_gnuplot(f);
  if (!ok) tool_error("%s: gnuplot could not write it", picture);
  fclose(f);
  return ok ? TOOL_OK : TOOL_USAGE;
}

/* heddle study bounds: options, and one kernel after the other. */

const struct tool_option study_bounds_options[] = {
    {"config", "NAME", "machine (default fpga)", 'c', NULL},
    {"scale", "N", "size: 0 small, 1 (default) at least 10,000 warp instructions a kernel", 'x', NULL},
    {"seed", "N", "of the inputs (default 1)", 's', NULL},
    {"latency", "N", "memory answers after exactly N cycles (default 100)", 'l', NULL},
    {"max-cycles", "N", "limit of a launch", 'm', NULL},
    {"o", "DIR", "also write DIR/bounds.md and DIR/bounds.png there, the latter by gnuplot", 'o', NULL},
    {"json", "FILE", "the same as JSON (-: on stdout)", 'j', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, study_bounds_options}, {0}};

static int take_bounds_option(struct bounds_request *q, int option) {
  uint64_t n = 0;
  int status = TOOL_OK;
  switch (option) {
  case 'c':
    return run_options_take(&q->run, "study", RUN_OPTION_CONFIG, optarg);
  case 's':
    return run_options_take(&q->run, "study", RUN_OPTION_SEED, optarg);
  case 'm':
    return run_options_take(&q->run, "study", RUN_OPTION_MAX_CYCLES, optarg);
  case 'x':
    return study_number("scale", optarg, 0, 1000000, &q->scale);
  case 'l':
    status = study_number("latency", optarg, 1, 100000, &n);
    q->run.latency = (uint32_t)n;
    return status;
  case 'o':
    return q->out = optarg, TOOL_OK;
  case 'j':
    return q->run.json = json_out_take(optarg), TOOL_OK;
  default:
    return TOOL_USAGE;
  }
}

static int parse_bounds_options(struct bounds_request *q, int argc, char **argv) {
  optind = 1;
  for (int o; (o = tool_option_next("study", groups, argc, argv)) != -1;) {
    const int status = take_bounds_option(q, o);
    if (status != TOOL_OK) return status;
  }
  const int named = study_named(argc, argv);
  return named == TOOL_OK ? run_options_finish(&q->run, "study") : named;
}

struct into {
  const struct bounds_request *q;
  struct bounds *s;
};

static int study_bounds_kernel(void *ctx, const struct kernel_info *k, const char *dir) {
  const struct into *to = ctx;
  struct bounds *s = to->s;
  if (!array_room(&s->of, &s->room, s->n + 1, sizeof *s->of)) return tool_error("no memory"), TOOL_USAGE;
  s->of[s->n] = (struct bounded){.lacks = ""};
  return bounds_kernel(to->q, k, dir, &s->of[s->n++]);
}

static void print_bounds(const void *ctx, FILE *f) {
  bounds_table(f, ctx);
}

static int tell_bounds(const struct bounds_request *q, const struct bounds *s) {
  char picture[4352];
  print_bounds(s, stdout);
  if (q->run.json != NULL && !json_out_dump(q->run.json, bounds_json(q, s))) return TOOL_USAGE;
  if (q->out == NULL) return TOOL_OK;
  const int status = study_page(q->out, "bounds", print_bounds, s);
  snprintf(picture, sizeof picture, "%.4000s/bounds.png", q->out);
  return status == TOOL_OK ? bounds_plot(picture, q->run.config, s) : status;
}

int study_bounds(int argc, char **argv) {
  struct bounds_request q = {.scale = 1};
  struct bounds s = {0};
  struct into to = {&q, &s};
  run_options_init(&q.run);
  q.run.on = ON_LOCKSTEP;
  q.run.calm = true;
  q.run.latency = 100;
  int status = parse_bounds_options(&q, argc, argv);
  if (status == TOOL_OK) s.shared = q.run.config->l2_bytes != 0;
  if (status == TOOL_OK) status = study_folder(q.out);
  if (status == TOOL_OK && !runner_keep_device(&q.run)) status = TOOL_MISSING;
  if (status == TOOL_OK) status = study_kernels(argc, argv, study_bounds_kernel, &to);
  if (status == TOOL_OK) status = tell_bounds(&q, &s);
  free(s.of);
  return status;
}
