/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle bench rate: forms, how a figure is taken, and the options.
 */
#include "bench_rate.h"

#include <math.h>
#include <stdlib.h>

#include <heddle/asm.h>
#include <heddle/host_regs.h>
#include <heddle/isa.h>
#include "lab/bench/bench.h"

/* Forms of heddle bench rate: instructions that a row runs as they stand here, and the fewest cycles that the
 * configuration allows each. A row of another pipe is a line in forms[], one in bench_rate_table.c, and its limit. */

#define HALF HEDDLE_PIPE_HALF
#define SFU HEDDLE_PIPE_SFU
#define FP64 HEDDLE_PIPE_FP64
#define WARP HEDDLE_PIPE_WARP
#define UNI HEDDLE_PIPE_UNI

static const struct rate_form forms[RATE_BODIES] = {
    [RATE_HFMA2] = {"HFMA2 $d, $a, $b, $d", NULL, HALF, RATE_STALLS, RATE_AT_OWN, 1},
    [RATE_F2F_F32_F16] = {"F2F.F32.F16 $d, $d", NULL, HEDDLE_PIPE_CVT, RATE_STALLS, RATE_AT_OWN, 1},
    [RATE_F2I_S32_F32] = {"F2I.S32.F32 $d, $d", NULL, HEDDLE_PIPE_CVT, RATE_STALLS, RATE_AT_OWN, 1},
    [RATE_MUFU] = {"MUFU.RCP $d, $d", NULL, SFU, RATE_COUNTS, RATE_AT_OWN, 1},
    [RATE_DFMA] = {"DFMA $d, R4, R6, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_I2F_F64_U32] = {"I2F.F64.U32 $d, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_F2I_S64_F64] = {"F2I.S64.F64 $d, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_F2F_F64_F32] = {"F2F.F64.F32 $d, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_F2F_F32_F64] = {"F2F.F32.F64 $d, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_SHFL] = {"SHFL.BFLY PT, $d, $d, 0x1, 0x1f", NULL, WARP, RATE_COUNTS, RATE_AT_OWN, 1},
    [RATE_VOTE] = {"VOTE.ANY $d, PT, PT", NULL, WARP, RATE_COUNTS, RATE_AT_OWN, 1},
    [RATE_HMMA] = {"HMMA.16816.F32 $d, R4, R40, $d", NULL, HEDDLE_PIPE_TENSOR, RATE_COUNTS, RATE_AT_OWN, 4},
    [RATE_UIADD3] = {"UIADD3 U$d, U$d, UR4, URZ", NULL, UNI, RATE_STALLS, RATE_AT_UNIFORM, 1},
    [RATE_ULDC] = {"ULDC U$d, c[0x0][0x0]", NULL, UNI, RATE_STALLS, RATE_AT_UNIFORM, 1},
    [RATE_LDSM] = {"LDSM.16.M88.4 $d, [R2]", NULL, 0, RATE_COUNTS, RATE_AT_ROWS, 4},
    [RATE_LDSM_CHAIN] = {"LDSM.16.M88.1 R2, [R2]", NULL, 0, RATE_COUNTS, RATE_AT_ROWS_SELF, 1},
    [RATE_ATOMS] = {"ATOMS.ADD $d, [R2], R4", NULL, 0, RATE_LOADS, RATE_AT_SHARED, 1},
    [RATE_ATOMS_ONE] = {"ATOMS.ADD $d, [R2], R4", NULL, 0, RATE_LOADS, RATE_AT_SHARED_ONE, 1},
    [RATE_ATOMS_CAS] = {"ATOMS.CAS $d, [R2], R4, R5", NULL, 0, RATE_LOADS, RATE_AT_SHARED, 1},
    [RATE_ATOMS_F32] = {"ATOMS.ADD.F32 $d, [R2], RZ", NULL, HEDDLE_PIPE_FATOM, RATE_LOADS, RATE_AT_SHARED, 1},
    [RATE_ATOMS_CHAIN] = {"ATOMS.ADD R2, [R2], RZ", NULL, 0, RATE_COUNTS, RATE_AT_SHARED_SELF, 1},
    [RATE_LDS_CHAIN] = {"LDS R2, [R2]", NULL, 0, RATE_COUNTS, RATE_AT_SHARED_SELF, 1},
    [RATE_ATOMG] = {"ATOMG.E.ADD $d, [R2], R4", NULL, 0, RATE_LOADS, RATE_AT_OWN, 1},
    [RATE_ATOMG_ONE] = {"ATOMG.E.ADD $d, [R2], R4", NULL, 0, RATE_LOADS, RATE_AT_ONE, 1},
    [RATE_ATOMG_CAS] = {"ATOMG.E.CAS $d, [R2], R4, R5", NULL, 0, RATE_LOADS, RATE_AT_OWN, 1},
    [RATE_ATOMG_F32] = {"ATOMG.E.ADD.F32 $d, [R2], RZ", NULL, HEDDLE_PIPE_FATOM, RATE_LOADS, RATE_AT_OWN, 1},
    [RATE_RED] = {"RED.E.ADD [R2], R4", NULL, 0, RATE_LEAVES, RATE_AT_OWN, 1},
    [RATE_ATOMG_CHAIN] = {"ATOMG.E.EXCH.64 R2, [R2], R2", NULL, 0, RATE_COUNTS, RATE_AT_SELF, 1},
    [RATE_LDG_CHAIN] = {"LDG.E.64 R2, [R2]", NULL, 0, RATE_COUNTS, RATE_AT_SELF, 1},
    [RATE_LDL] = {"LDL $d, [R2+$o]", NULL, 0, RATE_LOADS, RATE_AT_LOCAL, 1},
    [RATE_STL] = {"STL [R2+$o], R4", NULL, 0, RATE_LEAVES, RATE_AT_LOCAL, 1},
    [RATE_LDGSTS] = {"LDGSTS.E [RZ], [R2]", NULL, HEDDLE_PIPE_ASYNC, RATE_LEAVES, RATE_AT_OWN, 1},
    [RATE_BY_HAND] = {"STS [RZ], $d", "LDG.E $d, [R2]", HEDDLE_PIPE_ASYNC, RATE_LOADS, RATE_AT_OWN, 1},
    [RATE_SPILL] = {"STL [R2+$o], R4", "LDL $d, [R2+$o]", 0, RATE_LOADS, RATE_AT_LOCAL, 1},
};

const struct rate_form *rate_form(enum rate_body body) {
  return forms[body].text != NULL ? &forms[body] : NULL;
}

bool rate_there(const struct heddle_config *c, enum rate_body body) {
  const struct rate_form *f = rate_form(body);
  return f == NULL || (f->needs & ~heddle_config_units(c)) == 0;
}

/* ---- what the units' headers in rtl/ promise ---- */

#define SHFL_WAY 8u /* of a SHFL beside its beats: from issue into the unit, and back to the counter */
#define VOTE_WAY 7u
#define LDS_WAY 13u
#define ATOM_ADD 4u    /* cycles of a float sum without shifts */
#define MATRICES 4u    /* of an LDSM */
#define NARROW_PASS 4u /* cycles of a pass of 128 bits a lane where rows have fewer than 16 lanes */
#define SECTOR_BITS 256u
#define SECTORS 4u   /* of 32 words: a line */
#define LINE_MORE 5u /* cycles of order_atom for a line, beside its lanes */

/* A partition's unit: for how long an instruction keeps it, and from issue to the issue of what needs its result. */
static bool of_unit(const struct heddle_config *c, enum rate_body body, unsigned *busy, unsigned *latency) {
  switch (body) {
  case RATE_MUFU:
    *busy = heddle_config_sfu_busy(c);
    *latency = heddle_config_sfu_latency(c);
    return true;
  case RATE_DFMA:
  case RATE_I2F_F64_U32:
  case RATE_F2I_S64_F64:
  case RATE_F2F_F64_F32:
  case RATE_F2F_F32_F64:
    *busy = heddle_config_fp64_busy(c);
    *latency = heddle_config_fp64_latency(c);
    return true;
  case RATE_SHFL:
    *busy = 5 * c->beats + 2;
    *latency = 5 * c->beats + SHFL_WAY;
    return true;
  case RATE_VOTE:
    *busy = 2 * c->beats + 1;
    *latency = 2 * c->beats + VOTE_WAY;
    return true;
  case RATE_HMMA:
    *busy = c->tensor_cycles;
    *latency = 0; /* no row asks */
    return true;
  case RATE_UIADD3: /* reads no beats: one a cycle */
    *busy = 1;
    *latency = rate_latency(c, body);
    return true;
  case RATE_HFMA2:
  case RATE_F2F_F32_F16:
  case RATE_F2I_S32_F32:
    *busy = c->beats * rate_passes(c, body);
    *latency = rate_latency(c, body);
    return true;
  default:
    return false;
  }
}

/* Shared memory that serves a lane a pass, a word a cycle: the steps of all lanes (rtl/memory/shm_walk.sv). */
static double of_serial(const struct heddle_config *c, enum rate_body body) {
  switch (body) {
  case RATE_ATOMS:
  case RATE_ATOMS_ONE:
    return (2 + c->shared_ranks) * HEDDLE_LANES;
  case RATE_ATOMS_CAS:
    return (3 + c->shared_ranks) * HEDDLE_LANES;
  case RATE_LDSM:
    return MATRICES * 32;
  case RATE_LDS_CHAIN: /* into the unit; the rows leave between the passes */
    return c->beats + HEDDLE_LANES + LDS_WAY - 1 + c->shared_ranks;
  default:
    return 0;
  }
}

/* The SM's load/store unit. A pass of an atomic in shared memory takes two cycles and one for a rank, of a
 * compare-and-swap three, of floats three and for each word a sum and one. In front of global memory a lane takes a
 * cycle, of floats a sum and one, and each line five more. A word of local memory is a line: four sectors. */
static double of_memory(const struct heddle_config *c, enum rate_body body) {
  const unsigned rows = HEDDLE_LANES / c->lsu_lanes, bus = SECTOR_BITS / c->axi_bits;
  const double serial = c->shared_lanes == 1 ? of_serial(c, body) : 0;
  const bool whole = c->l1_bytes != 0 && c->lsu_lanes == HEDDLE_LANES;
  if (serial > 0) return serial;
  switch (body) {
  case RATE_ATOMS:
    return fmax((2 + c->shared_ranks) * rows, (double)c->beats / c->partitions);
  case RATE_ATOMS_ONE:
    return (2 + c->shared_ranks) * HEDDLE_LANES;
  case RATE_ATOMS_CAS:
    return fmax(3 * rows, (double)c->beats / c->partitions);
  case RATE_ATOMS_F32:
    return 3 * rows + HEDDLE_LANES * (ATOM_ADD + 1);
  case RATE_LDSM: /* bytes by those that a pass has */
    return MATRICES * 128.0 / (4 * c->shared_banks) * (c->lsu_lanes >= 16 ? 1 : NARROW_PASS);
  case RATE_LDS_CHAIN:
    return 2 * fmax(c->beats, rows) + LDS_WAY; /* into the unit and out of it */
  case RATE_ATOMG:
  case RATE_ATOMG_CAS:
  case RATE_RED:
  case RATE_ATOMG_ONE:
    return HEDDLE_LANES + LINE_MORE;
  case RATE_ATOMG_F32:
    return HEDDLE_LANES * (ATOM_ADD + 1) + LINE_MORE;
  case RATE_LDL: /* what is read again lies in the cache, which gives whole lines to 32 lanes */
    return whole ? 1 : SECTORS * bus;
  case RATE_STL:
    return SECTORS * bus;
  case RATE_LDGSTS: /* of a line that is there */
  case RATE_BY_HAND:
    return whole ? fmax(1, (double)c->beats / c->partitions) : 0;
  case RATE_SPILL: /* both ways at once; a sector a cycle ends */
    return whole ? SECTORS * bus / 2.0 : fmax(SECTORS, SECTORS * bus / 2.0);
  default:
    return 0;
  }
}

double rate_form_limit(const struct heddle_config *c, const struct rate_shape *s) {
  unsigned busy, latency;
  if (!of_unit(c, s->body, &busy, &latency)) return of_memory(c, s->body);
  if (s->chains == 1 && s->warps == 1) return latency;
  /* A uniform instruction a cycle of each partition, if so many are fetched. */
  return fmax((double)busy / c->partitions, s->body == RATE_UIADD3 ? 1.0 / c->fetch_words : 0);
}

/* A figure of heddle bench rate: four launches and their second difference. */

/* Cycles and counters of a launch, or of a difference of two. */
struct counted {
  int64_t cycles, counter[RUN_COUNTERS];
};

/* How often the body is gone through, and whether the first warp that is done ends the grid. */
struct trips {
  unsigned number;
  bool stop;
};

static struct counted less(const struct counted *a, const struct counted *b) {
  struct counted d = {.cycles = a->cycles - b->cycles};
  for (unsigned i = 0; i < RUN_COUNTERS; i++) d.counter[i] = a->counter[i] - b->counter[i];
  return d;
}

static struct heddle_program *assemble_shape(const struct rate_request *q, const struct rate_shape *s, unsigned units) {
  size_t size = 0;
  struct heddle_asm_options o = {.size = sizeof o, .message = tool_message, .long_words = true};
  char *text = rate_text(q->run.config, s, units, &size);
  struct heddle_program *p = NULL;
  (void)tool_stalls(q->run.config->name, o.stall);
  if (text != NULL) (void)heddle_assemble(text, size, "bench rate", &o, &p);
  free(text);
  return p;
}

static bool ended_well(const struct run_result *r, const struct heddle_program *p, bool stop) {
  return stop ? r->status == RUN_TRAP && r->trap.pc == rate_end(p) : r->status == RUN_OK;
}

static bool launch_trips(struct runner *r, const struct heddle_program *p, const struct rate_shape *s, unsigned units,
                         struct trips t, struct counted *out, int *status) {
  const uint32_t grid[3] = {1, 1, 1}, block[3] = {s->warps * HEDDLE_LANES, 1, 1};
  struct job j = {0};
  struct run_result result = {.status = RUN_BAD_INPUT};
  const uint64_t bytes = rate_stream(s->body) != NULL ? rate_stream_bytes(s, units)
                                                      : (s->body == RATE_LDG ? (uint64_t)units : 1) * block[0] * 4;
  if (job_add_buffer(&j, NULL, bytes, s->body != RATE_LDG && s->body != RATE_READ) && job_add_scalar(&j, t.number, 4) &&
      job_add_scalar(&j, t.stop, 4) && job_build(&j, p, "rate", grid, block, result.message, sizeof result.message))
    runner_run(r, &j, NULL, &result);
  out->cycles = (int64_t)result.cycles;
  for (unsigned i = 0; i < RUN_COUNTERS; i++) out->counter[i] = (int64_t)result.counter[i];
  const bool ok = ended_well(&result, p, t.stop);
  *status = ok ? TOOL_OK : result.status == RUN_OK ? TOOL_DIFFERENCE : run_exit_status(result.status);
  if (result.report != NULL) fputs(result.report, stderr);
  if (!ok) tool_error("bench rate: %s: %s", run_status_name(result.status), result.message);
  job_clear(&j);
  run_result_clear(&result);
  return ok;
}

/* What as many trips again cost. */
static bool again(struct runner *r, const struct heddle_program *p, const struct rate_shape *s, unsigned units,
                  struct trips t, struct counted *out, int *status) {
  struct counted once, twice;
  const struct trips more = {2 * t.number, t.stop};
  if (!launch_trips(r, p, s, units, t, &once, status) || !launch_trips(r, p, s, units, more, &twice, status))
    return false;
  *out = less(&twice, &once);
  return true;
}

/* Cycles of the SM for one trip of one warp, and the shares of all warps' time. The grid ends while all warps are
 * there; but event counters run on until the host sees that, so the shares come from launches that end by themselves.
 */
static bool measure_trip(struct runner *r, const struct rate_request *q, const struct rate_shape *s, unsigned units,
                         unsigned trips, double *cycles, double *share, int *status) {
  const struct trips stop = {trips, s->warps > 1}, whole = {trips, false};
  struct counted d;
  struct heddle_program *p = assemble_shape(q, s, units);
  *status = TOOL_USAGE;
  bool ok = p != NULL && again(r, p, s, units, stop, &d, status);
  if (ok) *cycles = (double)d.cycles * rate_trip_insns(s->body, units) / (double)d.counter[HEDDLE_COUNTER_ISSUED];
  if (ok && share != NULL && stop.stop) ok = again(r, p, s, units, whole, &d, status);
  heddle_program_free(p);
  double all = 0;
  for (unsigned i = 0; ok && share != NULL && i < HEDDLE_COUNTERS; i++) all += (double)d.counter[i];
  for (unsigned i = 0; ok && share != NULL && i < RUN_COUNTERS; i++) share[i] = (double)d.counter[i] / all;
  return ok;
}

bool rate_measure(struct runner *r, const struct rate_request *q, const struct rate_shape *s, unsigned trips,
                  struct rate_figure *out, int *status) {
  double whole, half;
  const unsigned units = rate_units(q->run.config, s->body), fewer = units / 2;
  double *share = q->little ? NULL : out->share;
  if (!measure_trip(r, q, s, units, trips, &whole, share, status) ||
      !measure_trip(r, q, s, fewer, trips, &half, NULL, status))
    return false;
  out->cycles = (whole - half) / (units - fewer);
  return true;
}

/* heddle bench rate: its options. */

enum { SCALE_MOST = 64, LATENCY_MOST = 10000 };
enum { OPTION_ONLY = 1, OPTION_SCALE, OPTION_LATENCY, OPTION_LITTLE, OPTION_PICTURE, OPTION_CHECK };

const struct tool_option bench_rate_options[] = {
    {"config", "NAME", "machine configuration (default: wide)", RUN_OPTION_CONFIG, NULL},
    {"dep", "MODE", "control (default) or scoreboard", RUN_OPTION_DEP, "control scoreboard"},
    {"on", "WHERE", "rtl (default) or lockstep, which takes as many cycles", RUN_OPTION_ON, "rtl lockstep"},
    {"json", "FILE", "figures as JSON (-: on stdout)", RUN_OPTION_JSON, NULL},
    {"scale", "N", "size of the kernels (default 1)", OPTION_SCALE, NULL},
    {"only", "NAME,...", "these rows", OPTION_ONLY, NULL},
    {"latency", "N", "memory answers after exactly N cycles (default 1); rows that end in _100: after 100",
     OPTION_LATENCY, NULL},
    {"little", NULL, "FFMA by warps and chains instead: is it min(warps x chains / latency, 1 / beats)?", OPTION_LITTLE,
     NULL},
    {"check", NULL, "with --little: exit status 1 when a point is more than 3% off", OPTION_CHECK, NULL},
    {"picture", "FILE.png", "with --little: the same as a picture, beside an NVIDIA H200; takes gnuplot",
     OPTION_PICTURE, NULL},
    {0}};

static int take_rate_option(struct rate_request *q, int option, const char *value) {
  uint64_t v = 0;
  switch (option) {
  case OPTION_ONLY:
    q->only = value;
    return TOOL_OK;
  case OPTION_SCALE:
    return tool_number(value, SCALE_MOST, &q->scale)
               ? TOOL_OK
               : tool_usage("bench", "--scale %s: expected a number up to %d", value, SCALE_MOST);
  case OPTION_LATENCY:
    if (!tool_number(value, LATENCY_MOST, &v) || v == 0)
      return tool_usage("bench", "--latency %s: expected 1 to %d cycles", value, LATENCY_MOST);
    q->run.latency = (uint32_t)v;
    return TOOL_OK;
  case OPTION_LITTLE:
    q->little = true;
    return TOOL_OK;
  case OPTION_PICTURE:
    q->picture = value;
    return TOOL_OK;
  case OPTION_CHECK:
    q->check = true;
    return TOOL_OK;
  case RUN_OPTION_ON:
  case RUN_OPTION_CONFIG:
  case RUN_OPTION_DEP:
  case RUN_OPTION_JSON:
    return run_options_take(&q->run, "bench", option, value);
  default:
    return TOOL_USAGE;
  }
}

/* What does not go together. */
static int check_rate_options(const struct rate_request *q) {
  if (q->run.on != ON_RTL && q->run.on != ON_LOCKSTEP)
    return tool_usage("bench", "rate: --on %s has no cycles; expected rtl or lockstep", run_on_name(q->run.on));
  if ((q->picture != NULL || q->check) && !q->little)
    return tool_usage("bench", "rate: --picture and --check are of --little");
  if (q->little && q->only != NULL) return tool_usage("bench", "rate: --little has no rows for --only");
  return TOOL_OK;
}

static int parse_rate_options(struct rate_request *q, int argc, char **argv) {
  static const struct tool_group groups[] = {{NULL, bench_rate_options}, {0}};
  for (int o; (o = tool_option_next("bench", groups, argc, argv)) != -1;) {
    const int status = take_rate_option(q, o, optarg);
    if (status != TOOL_OK) return status;
  }
  if (optind < argc) return tool_usage("bench", "rate: '%s' is not an option", argv[optind]);
  const int status = run_options_finish(&q->run, "bench");
  return status != TOOL_OK ? status : check_rate_options(q);
}

int bench_rate(int argc, char **argv) {
  struct rate_request q = {.scale = 1};
  run_options_init(&q.run);
  q.run.on = ON_RTL;
  q.run.config_name = "wide";
  q.run.calm = true;
  const int status = parse_rate_options(&q, argc, argv);
  q.json = q.run.json;
  if (status != TOOL_OK) return status;
  return q.little ? rate_little(&q) : rate_table(&q);
}
