/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of heddle bench rate that are more than a form: code that no cache has seen, streams, kernels.
 */
#include <math.h>
#include <stdlib.h>

#include <heddle/asm.h>
#include <heddle/host_regs.h>
#include "base/minmax.h"
#include "firmware/kernels/case.h"
#include "lab/bench/bench_rate.h"
#include "run/cases/kernel_run.h"
#include "run/command/tool.h"

static bool rate_kernel_fits(const struct heddle_config *m, const struct heddle_program *p, const struct kernel_case *c,
                             char *why, size_t n);

/* Straight code that no cache has seen, in heddle bench rate: how fast instructions come from memory. Each launch
 * resets the machine; that of a program less that of one half as long leaves out the start, and what the first line
 * takes. */

#define WORDS 120u    /* of the shorter program; the longer one fits all instruction caches but tiny's */
#define LATENCY 100u  /* cycles until memory answers, unless more are asked for */
#define REGISTERS 16u /* results, in turn */

static const struct {
  const char *name, *what;
  unsigned warps; /* at most */
} rows[RATE_COLD] = {{"cold_one", "one warp, straight code from memory, 100 cycles away", 1},
                     {"cold_eight", "eight warps, the same straight code from memory, 100 cycles away", 8}};

const char *rate_cold_name(unsigned i) {
  return rows[i].name;
}

static struct heddle_program *assemble_cold(const struct heddle_config *c, unsigned words) {
  size_t size = 0;
  char *text = NULL;
  struct heddle_asm_options o = {.size = sizeof o, .message = tool_message, .long_words = true};
  (void)tool_stalls(c->name, o.stall);
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return NULL;
  fprintf(f, ".kernel cold\n.param u64 data\n");
  for (unsigned i = 0; i < words; i++) fprintf(f, "  IADD3 R%u, RZ, 0x%x, RZ ;\n", i % REGISTERS, i);
  fprintf(f, "  EXIT ;\n.end\n");
  struct heddle_program *p = NULL;
  if (fclose(f) == 0) (void)heddle_assemble(text, size, "bench rate", &o, &p);
  free(text);
  return p;
}

/* Cycles and counters of a launch are added, or with `sign` -1 taken off. */
static bool launch_cold(struct runner *r, const struct heddle_config *c, unsigned warps, unsigned words, double sign,
                        struct rate_row *out, int *status) {
  const uint32_t grid[3] = {1, 1, 1}, block[3] = {warps * HEDDLE_LANES, 1, 1};
  struct heddle_program *p = assemble_cold(c, words);
  struct job j = {0};
  struct run_result result = {.status = RUN_BAD_INPUT};
  if (p != NULL && job_add_buffer(&j, NULL, 4, true) &&
      job_build(&j, p, "cold", grid, block, result.message, sizeof result.message))
    runner_run(r, &j, NULL, &result);
  out->cycles += sign * (double)result.cycles;
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) out->share[i] += sign * (double)result.counter[i];
  const bool ok = result.status == RUN_OK;
  *status = ok ? TOOL_OK : run_exit_status(result.status);
  if (result.report != NULL) fputs(result.report, stderr);
  if (!ok) tool_error("bench rate: %s: %s", run_status_name(result.status), result.message);
  job_clear(&j);
  run_result_clear(&result);
  heddle_program_free(p);
  return ok;
}

bool rate_cold(const struct rate_request *q, unsigned i, struct rate_row *out, int *status) {
  const struct heddle_config *c = q->run.config;
  const unsigned warps = c->warps < rows[i].warps ? c->warps : rows[i].warps;
  const unsigned parts = warps < c->partitions ? warps : c->partitions; /* that have one of them */
  const double places = (double)rate_busy(c, RATE_IADD3) / parts;       /* cycles for each instruction */
  struct run_options run = q->run;
  if (run.latency < LATENCY) run.latency = LATENCY;
  *out = (struct rate_row){.name = rows[i].name, .what = rows[i].what, .latency = run.latency};
  struct runner *r = runner_new(&run, status);
  bool ok = r != NULL && launch_cold(r, c, warps, 2 * WORDS, 1, out, status) &&
            launch_cold(r, c, warps, WORDS, -1, out, status);
  if (r != NULL) runner_free(r);
  if (!ok) return false;
  double all = 0;
  for (unsigned k = 0; k < HEDDLE_COUNTERS; k++) all += out->share[k];
  out->limit = out->share[HEDDLE_COUNTER_ISSUED] * places;
  out->issued = out->limit / out->cycles;
  for (unsigned k = 0; k < HEDDLE_COUNTERS; k++) out->share[k] /= all;
  return true;
}

/* Streams of heddle bench rate: global memory 128 bits a lane at a time, beside what the channels of AXI can carry.
 *
 * A warp keeps several quads of registers in turn, a dependency counter for each. What a unit stores was loaded when
 * the loop last came by that quad, so loads and stores are under way at all times; each unit has addresses of its own.
 */

#define FIRST 8u /* R8: the first quad */
#define NONE 7u
#define ACCESS 512u /* bytes of a warp */

static const struct rate_stream streams[RATE_BODIES] = {
    [RATE_READ] = {1, 0, 6, 1}, [RATE_WRITE] = {0, 1, 1, 1}, [RATE_COPY] = {1, 1, 6, 2}, [RATE_ADD] = {2, 1, 4, 7}};

const struct rate_stream *rate_stream(enum rate_body body) {
  return streams[body].insns != 0 ? &streams[body] : NULL;
}

unsigned rate_stream_bytes(const struct rate_shape *s, unsigned units) {
  const struct rate_stream *t = rate_stream(s->body);
  return (t->loads + t->stores) * units * s->warps * ACCESS;
}

double rate_stream_share(const struct heddle_config *c, unsigned accesses, double cycles) {
  return accesses * ACCESS / (cycles * c->axi_ports * c->axi_bits / 8);
}

/* An SM's channel to memory is as wide as one port. */
double rate_stream_limit(const struct heddle_config *c, enum rate_body body) {
  const struct rate_stream *t = rate_stream(body);
  return (t->loads > t->stores ? t->loads : t->stores) * ACCESS * 8.0 / c->axi_bits;
}

void rate_stream_unit(FILE *f, const struct heddle_config *c, const struct rate_shape *s, unsigned i, unsigned units) {
  const struct rate_stream *t = rate_stream(s->body);
  const unsigned k = i % t->quads, quads = t->loads > 1 ? t->loads : 1, r = FIRST + 4 * k * quads,
                 area = units * s->warps * ACCESS, at = i * s->warps * ACCESS;
  for (unsigned j = 0; s->body == RATE_ADD && j < 4; j++) { /* waits for both quads once */
    rate_code(f, j == 0 ? k : NONE, NONE, j < 3 ? 1 : c->stall_fma_reg);
    fprintf(f, "FADD R%u, R%u, R%u ;\n  ", r + j, r + j, r + 4 + j);
  }
  if (t->stores != 0) {
    rate_code(f, s->body == RATE_COPY ? k : NONE, NONE, 1);
    fprintf(f, "STG.E.128 [R2+0x%x], R%u ;\n", t->loads * area + at, r);
  }
  for (unsigned j = 0; j < t->loads; j++) {
    rate_code(f, t->stores == 0 ? k : NONE, k, 1);
    fprintf(f, "LDG.E.128 R%u, [R2+0x%x] ;\n", r + 4 * j, j * area + at);
  }
}

/* sgemm8x8 in the steady state, in heddle bench rate. The machine is given exactly the blocks that it holds at a time,
 * a square of results each, and runs twice: products of DEPTH terms and of twice as many. Launch, first tiles and the
 * stores of results are the same in both; what differs is DEPTH terms a result, and the cycles for them. */

#define DEPTH 64u
#define SIDE 64u /* results of a block, each way */
#define WARPS 2u /* of a block */

/* Blocks that are there at a time. A partition's registers are a part of the SM's, and each warp lies in one. */
static unsigned resident(const struct heddle_config *m, const struct heddle_kernel *k) {
  const unsigned in_partition = m->regs / m->partitions / k->regs;
  const unsigned warps = min_u32(in_partition * m->partitions, m->warps) / WARPS;
  return min_u32(min_u32(warps, m->blocks), m->shared_bytes / k->shared_bytes);
}

/* As square as that number of blocks can be. */
static unsigned rows_of_blocks(unsigned blocks) {
  unsigned rows = 1;
  for (unsigned r = 2; r * r <= blocks; r++)
    if (blocks % r == 0) rows = r;
  return rows;
}

static void fill_floats(float *to, size_t count, float value) {
  for (size_t i = 0; i < count; i++) to[i] = value;
}

/* Of ones, so that each result is the depth. */
static bool make_product(struct kernel_case *c, unsigned blocks, unsigned depth) {
  const size_t m = (size_t)SIDE * rows_of_blocks(blocks), n = (size_t)SIDE * (blocks / rows_of_blocks(blocks));
  uint64_t noise = 1;
  float *a = case_buffer(c, CASE_IN, m * depth * sizeof *a), *b = case_buffer(c, CASE_IN, n * depth * sizeof *b);
  (void)case_buffer(c, CASE_OUT, m * n * sizeof *a);
  if (!case_has_memory(c)) return false;
  fill_floats(a, m * depth, 1.0f);
  fill_floats(b, n * depth, 1.0f);
  case_seal(c, &noise);
  fill_floats(case_expect(c, 2), m * n, (float)depth);
  struct kernel_launch *l = case_launch(c, "sgemm8x8");
  launch_plane(l, (uint32_t)n / 8, (uint32_t)m / 8, 8, 8);
  for (unsigned i = 0; i < 3; i++) launch_buffer(l, i);
  launch_u32(l, (uint32_t)m);
  launch_u32(l, (uint32_t)n);
  launch_u32(l, depth);
  launch_float(l, 1.0f);
  launch_float(l, 0.0f);
  return true;
}

/* One of the two runs. A machine that cannot: *t is left alone and the row says why. */
static bool run_products(struct runner *r, const struct rate_request *q, const struct heddle_program *p, unsigned depth,
                         struct kernel_totals *t, struct rate_row *out, int *status) {
  char why[512] = "out of memory";
  struct kernel_case c = {0};
  const struct heddle_kernel *k = heddle_program_kernel(p, "sgemm8x8");
  bool ok = k != NULL && make_product(&c, 1, depth);
  const bool fits = ok && rate_kernel_fits(q->run.config, p, &c, out->missing, sizeof out->missing);
  if (fits) {
    kernel_case_clear(&c);
    c = (struct kernel_case){0};
    ok = make_product(&c, resident(q->run.config, k), depth) && kernel_run(r, p, &c, t, why, sizeof why);
  }
  kernel_case_clear(&c);
  *status = ok ? TOOL_OK : TOOL_DIFFERENCE;
  if (!ok) tool_error("bench rate: %s: %s", out->name, why);
  return ok;
}

static void fill_steady_row(const struct heddle_config *m, const struct kernel_totals *once,
                            const struct kernel_totals *twice, unsigned blocks, struct rate_row *out) {
  double all = 0;
  out->cycles = (double)twice->cycles - (double)once->cycles;
  out->limit = (double)blocks * SIDE * SIDE * DEPTH / (m->fma_lanes * m->partitions);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    all += out->share[i] = (double)twice->counter[i] - (double)once->counter[i];
  out->issued = out->share[HEDDLE_COUNTER_ISSUED] * m->beats / (out->cycles * m->partitions);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) out->share[i] /= all;
}

bool rate_steady(struct runner *r, const struct rate_request *q, struct rate_row *out, int *status) {
  const struct heddle_config *m = q->run.config;
  const struct source_options with = {
      .target = HEDDLE_PTX_TARGET_RTL, .level = 1, .units = heddle_config_units(m), .config = m->name};
  struct kernel_totals once = {0}, twice = {0};
  char folder[4096];
  *status = TOOL_MISSING;
  if (!data_path("kernels", folder, sizeof folder)) return false;
  *status = TOOL_USAGE;
  struct heddle_program *p = kernel_program(folder, kernel_find("sgemm8x8"), KERNEL_ASM, &with);
  const bool ok = p != NULL && run_products(r, q, p, DEPTH, &once, out, status) &&
                  (out->missing[0] != '\0' || run_products(r, q, p, 2 * DEPTH, &twice, out, status));
  if (ok && out->missing[0] == '\0')
    fill_steady_row(m, &once, &twice, resident(m, heddle_program_kernel(p, "sgemm8x8")), out);
  heddle_program_free(p);
  return ok;
}

/* Whole kernels in heddle bench rate: the multiply-adds that their results need, against what the lanes could do. */

static const struct {
  const char *name, *kernel, *what;
  enum kernel_form form; /* of the program; the case is always that of the one by hand, so that figures compare */
  bool cube;             /* the fourth argument is the size of square matrices; else m, n, k are the fourth to sixth */
  unsigned larger;       /* added to the scale: a figure that compares wants 128 x 128 x 128 at least */
} kernel_rows[RATE_KERNELS] = {
    {"sgemm", "sgemm", "by hand, 2 results a thread", KERNEL_ASM, true, 0},
    {"sgemm8x8", "sgemm8x8", "by hand, 8 x 8 results a thread, whole tiles", KERNEL_ASM, false, 1},
    {"sgemm8x8_ptx", "sgemm8x8", "compiled, 8 x 8 results a thread, whole tiles", KERNEL_PTX, false, 1}};

const char *rate_kernel_name(unsigned i) {
  return kernel_rows[i].name;
}

/* Multiply-adds of the products that the launches of a case ask for: n^3, or m n k. */
static double multiply_adds(bool cube, const struct kernel_case *c) {
  double sum = 0;
  for (unsigned i = 0; i < c->launches; i++) {
    const struct kernel_arg *a = c->launch[i].arg;
    const double first = (double)a[3].scalar;
    sum += cube ? first * first * first : first * (double)a[4].scalar * (double)a[5].scalar;
  }
  return sum;
}

/* Does one block of each launch find room on the machine, and has it the instructions? False: why. */
static bool rate_kernel_fits(const struct heddle_config *m, const struct heddle_program *p, const struct kernel_case *c,
                             char *why, size_t n) {
  if (rtl_lack(p, heddle_config_units(m), why, n) > 0) {
    snprintf(why, n, "the machine lacks instructions of it");
    return false;
  }
  for (unsigned i = 0; i < c->launches; i++) {
    const struct kernel_launch *l = &c->launch[i];
    const struct heddle_kernel *k = heddle_program_kernel(p, l->entry);
    const unsigned warps = (l->block[0] * l->block[1] * l->block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
    if (k != NULL && warps <= m->warps && warps * k->regs <= m->regs && k->shared_bytes <= m->shared_bytes) continue;
    snprintf(why, n, "a block takes %u registers, %u bytes shared", k != NULL ? warps * k->regs : 0,
             k != NULL ? k->shared_bytes : 0);
    return false;
  }
  return true;
}

static void fill_kernel_row(const struct heddle_config *m, const struct kernel_totals *t, struct rate_row *out) {
  double all = 0;
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) all += (double)t->counter[i];
  out->cycles = (double)t->cycles;
  out->issued = (double)t->counter[HEDDLE_COUNTER_ISSUED] * m->beats / ((double)t->cycles * m->partitions);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) out->share[i] = all > 0 ? (double)t->counter[i] / all : 0;
}

bool rate_kernel(struct runner *r, const struct rate_request *q, unsigned i, struct rate_row *out, int *status) {
  const struct heddle_config *m = q->run.config;
  const struct kernel_info *k = kernel_find(kernel_rows[i].kernel);
  const struct source_options with = {
      .target = HEDDLE_PTX_TARGET_RTL, .level = 1, .units = heddle_config_units(m), .config = m->name};
  struct kernel_case c = {0};
  struct kernel_totals t = {0};
  char folder[4096], why[512] = "out of memory";
  *out = (struct rate_row){.name = kernel_rows[i].name, .what = kernel_rows[i].what};
  *status = TOOL_MISSING;
  if (!data_path("kernels", folder, sizeof folder)) return false;
  *status = TOOL_USAGE;
  struct heddle_program *p = kernel_program(folder, k, kernel_rows[i].form, &with);
  bool ok = p != NULL && kernel_prepare(k, KERNEL_ASM, 1, (unsigned)q->scale + kernel_rows[i].larger, &c);
  if (ok && rate_kernel_fits(m, p, &c, out->missing, sizeof out->missing)) {
    ok = kernel_run(r, p, &c, &t, why, sizeof why);
    if (!ok) *status = TOOL_DIFFERENCE;
    if (!ok) tool_error("bench rate: %s: %s", kernel_rows[i].name, why);
    out->limit = multiply_adds(kernel_rows[i].cube, &c) / (m->fma_lanes * m->partitions);
    if (ok) fill_kernel_row(m, &t, out);
  }
  kernel_case_clear(&c);
  heddle_program_free(p);
  if (ok) *status = TOOL_OK;
  return ok;
}
