/* SPDX-License-Identifier: Apache-2.0
 * The table of heddle bench rate. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/bench_rate.h"
#include <heddle/host_regs.h>
#include "run/command/json_out.h"
#include "run/job/result.h"
#include "run/runner/conclude.h"

#define TRIPS 4u
#define LONG 16u /* cycles: what takes more makes fewer trips, of so many warps */
#define LONG_WARPS 4u
#define ALL 0u           /* warps: as many as the machine has */
#define FEW UINT_MAX     /* ... as keep a unit busy, which loads and several chains of a warp do: */
#define FEW_PARTITION 2u /* of a partition, but at least LONG_WARPS */

struct entry {
  const char *name;
  struct rate_shape shape;
  const char *what;
};

static const struct entry entries[] = {
    {"ffma_ilp", {RATE_FFMA, 8, 1, 0}, "one warp, 8 chains of FFMA"},
    {"ffma_full", {RATE_FFMA, 8, ALL, 0}, "all warps, 8 chains of FFMA"},
    {"mixed_pipes", {RATE_MIXED, 8, ALL, 0}, "all warps, FFMA, IADD3 in turn"},
    {"ffma_chain", {RATE_FFMA, 1, 1, 0}, "one warp, 1 chain of FFMA"},
    {"alu_chain", {RATE_IADD3, 1, 1, 0}, "one warp, 1 chain of IADD3"},
    {"cvt_chain", {RATE_I2F, 1, 1, 0}, "one warp, 1 chain of I2F"},
    {"bank_conflict_1", {RATE_FFMA, 8, ALL, 1}, "FFMA, 2 sources in one bank"},
    {"bank_conflict_2", {RATE_FFMA, 8, ALL, 2}, "FFMA, 3 sources in one bank"},
    {"branch_taken", {RATE_TAKEN, 0, 1, 0}, "one warp, BRA over a NOP"},
    {"branch_not_taken", {RATE_NOT_TAKEN, 0, 1, 0}, "one warp, BRA, guard false"},
    {"shared_load", {RATE_LDS, 0, FEW, 1}, "LDS, each lane its own bank"},
    {"shared_conflict_2", {RATE_LDS, 0, FEW, 2}, "LDS, 2 lanes in a bank"},
    {"shared_conflict_4", {RATE_LDS, 0, FEW, 4}, "LDS, 4 lanes in a bank"},
    {"shared_conflict_8", {RATE_LDS, 0, FEW, 8}, "LDS, 8 lanes in a bank"},
    {"shared_conflict_32", {RATE_LDS, 0, FEW, 32}, "LDS, 32 lanes in a bank"},
    {"shared_store", {RATE_STS, 0, FEW, 1}, "STS, each lane its own bank"},
    {"global_load_stream", {RATE_LDG, 0, FEW, 0}, "LDG in a row"},
    {"half_full", {RATE_HFMA2, 8, ALL, 0}, "all warps, 8 chains of HFMA2"},
    {"half_chain", {RATE_HFMA2, 1, 1, 0}, "one warp, 1 chain of HFMA2"},
    {"cvt_f32_f16", {RATE_F2F_F32_F16, 8, ALL, 0}, "F2F.F32.F16, 8 chains"},
    {"cvt_s32_f32", {RATE_F2I_S32_F32, 8, ALL, 0}, "F2I.S32.F32, 8 chains"},
    {"cvt_f64_u32", {RATE_I2F_F64_U32, 4, FEW, 0}, "I2F.F64.U32, 4 chains"},
    {"cvt_s64_f64", {RATE_F2I_S64_F64, 4, FEW, 0}, "F2I.S64.F64, 4 chains"},
    {"cvt_f64_f32", {RATE_F2F_F64_F32, 4, FEW, 0}, "F2F.F64.F32, 4 chains"},
    {"cvt_f32_f64", {RATE_F2F_F32_F64, 4, FEW, 0}, "F2F.F32.F64, 4 chains"},
    {"sfu_full", {RATE_MUFU, 4, FEW, 0}, "MUFU, 4 chains"},
    {"sfu_chain", {RATE_MUFU, 1, 1, 0}, "one warp, 1 chain of MUFU"},
    {"fp64_full", {RATE_DFMA, 4, FEW, 0}, "DFMA, 4 chains"},
    {"fp64_chain", {RATE_DFMA, 1, 1, 0}, "one warp, 1 chain of DFMA"},
    {"shfl_full", {RATE_SHFL, 4, FEW, 0}, "SHFL, 4 chains"},
    {"shfl_chain", {RATE_SHFL, 1, 1, 0}, "one warp, 1 chain of SHFL"},
    {"vote_full", {RATE_VOTE, 4, FEW, 0}, "VOTE, 4 chains"},
    {"vote_chain", {RATE_VOTE, 1, 1, 0}, "one warp, 1 chain of VOTE"},
    {"hmma_stream", {RATE_HMMA, 6, FEW, 0}, "HMMA.16816, 6 of a warp at once"},
    {"uniform_full", {RATE_UIADD3, 8, ALL, 0}, "all warps, 8 chains of UIADD3"},
    {"uniform_chain", {RATE_UIADD3, 1, 1, 0}, "one warp, 1 chain of UIADD3"},
    {"uniform_load", {RATE_ULDC, 1, 1, 0}, "one warp, ULDC"},
    {"matrix_load", {RATE_LDSM, 6, FEW, 0}, "LDSM of 4 matrices, 6 of a warp at once"},
    {"matrix_chain", {RATE_LDSM_CHAIN, 1, 1, 0}, "one warp, LDSM of its own address"},
    {"shared_chain", {RATE_LDS_CHAIN, 1, 1, 0}, "one warp, LDS of its own address"},
    {"global_chain", {RATE_LDG_CHAIN, 1, 1, 0}, "one warp, LDG.64 of its own address"},
    {"atoms_own", {RATE_ATOMS, 0, FEW, 0}, "ATOMS.ADD, 32 words"},
    {"atoms_one", {RATE_ATOMS_ONE, 0, FEW, 0}, "ATOMS.ADD, one word"},
    {"atoms_cas", {RATE_ATOMS_CAS, 0, FEW, 0}, "ATOMS.CAS, 32 words"},
    {"atoms_f32", {RATE_ATOMS_F32, 0, FEW, 0}, "ATOMS.ADD.F32 of zero, 32 words"},
    {"atoms_chain", {RATE_ATOMS_CHAIN, 1, 1, 0}, "one warp, ATOMS.ADD, one word"},
    {"atomg_own", {RATE_ATOMG, 0, FEW, 0}, "ATOMG.ADD, 32 words a warp"},
    {"atomg_one", {RATE_ATOMG_ONE, 0, FEW, 0}, "ATOMG.ADD, one word"},
    {"atomg_cas", {RATE_ATOMG_CAS, 0, FEW, 0}, "ATOMG.CAS, 32 words a warp"},
    {"atomg_f32", {RATE_ATOMG_F32, 0, FEW, 0}, "ATOMG.ADD.F32 of zero, 32 words a warp"},
    {"red_own", {RATE_RED, 0, FEW, 0}, "RED.ADD, 32 words a warp"},
    {"atomg_chain", {RATE_ATOMG_CHAIN, 1, 1, 0}, "one warp, ATOMG.EXCH.64, one word"},
    {"local_load", {RATE_LDL, 0, FEW, 0}, "LDL"},
    {"local_store", {RATE_STL, 0, FEW, 0}, "STL"},
    {"local_spill", {RATE_SPILL, 0, FEW, 0}, "STL, LDL in turn"},
    {"copy_word", {RATE_LDGSTS, 0, FEW, 0}, "LDGSTS of a word that is there"},
    {"copy_by_hand", {RATE_BY_HAND, 0, FEW, 0}, "STS, LDG in turn"},
    {"stream_read", {RATE_READ, 0, FEW, 0}, "LDG.128"},
    {"stream_write", {RATE_WRITE, 0, FEW, 0}, "STG.128"},
    {"stream_copy", {RATE_COPY, 0, FEW, 0}, "LDG.128, STG.128"},
    {"stream_add", {RATE_ADD, 0, FEW, 0}, "2 LDG.128, 4 FADD, STG.128"},
};
#define ENTRIES (sizeof entries / sizeof *entries)

/* With memory at RATE_FAR, whatever --latency says. */
static const struct entry far_entries[] = {
    {"stream_read_100", {RATE_READ, 0, FEW, 0}, "LDG.128"},
    {"stream_write_100", {RATE_WRITE, 0, FEW, 0}, "STG.128"},
    {"stream_copy_100", {RATE_COPY, 0, FEW, 0}, "LDG.128, STG.128"},
    {"stream_add_100", {RATE_ADD, 0, FEW, 0}, "2 LDG.128, 4 FADD, STG.128"},
};
#define FAR_ENTRIES (sizeof far_entries / sizeof *far_entries)

static const struct {
  const char *name, *what;
  bool far;
} steady[] = {{"sgemm8x8_steady", "full of blocks, start and end left out", false},
              {"sgemm8x8_steady_100", "full of blocks, start and end left out", true}};
#define STEADY (sizeof steady / sizeof *steady)
#define ROWS_MAX (ENTRIES + FAR_ENTRIES + RATE_COLD + RATE_KERNELS + STEADY)

/* One for memory as --latency says, one for RATE_FAR; each is made when a row asks for it. */
struct runners {
  struct runner *at[2];
};

static struct runner *runner_at(struct runners *r, const struct rate_request *q, bool far, int *status) {
  struct run_options o = q->run;
  if (far) o.latency = RATE_FAR;
  if (r->at[far] == NULL) r->at[far] = runner_new(&o, status);
  return r->at[far];
}

static unsigned latency_of(const struct rate_request *q, bool far) {
  return far ? RATE_FAR : q->run.latency != 0 ? q->run.latency : 1;
}

/* With row queues the pipes make their passes side by side, and the bus takes conflicts beside them. */
static double queued_limit(const struct heddle_config *c, const struct rate_shape *s) {
  const unsigned fma = rate_passes(c, RATE_FFMA), alu = rate_passes(c, RATE_IADD3);
  if (s->body == RATE_MIXED) return c->beats * fmax(1, fmax(fma, alu) / 2.0);
  if (s->warps == 1) return rate_latency(c, s->body) + s->conflicts;
  return c->beats * fmax(rate_passes(c, s->body), 1 + s->conflicts) / c->partitions;
}

/* The fewest cycles of the SM that a unit can take; 0: nothing says so. */
static double limit_of(const struct heddle_config *c, const struct rate_shape *s) {
  const double beats = (double)c->beats / (s->warps == 1 ? 1 : c->partitions); /* one warp is in one partition */
  const bool arithmetic = s->body == RATE_FFMA || s->body == RATE_IADD3 || s->body == RATE_I2F || s->body == RATE_MIXED;
  if (arithmetic && c->row_queues != 0) return queued_limit(c, s);
  switch (s->body) {
  case RATE_FFMA:
  case RATE_IADD3:
  case RATE_I2F:
    return s->chains == 1 ? rate_latency(c, s->body) : beats * (rate_passes(c, s->body) + s->conflicts);
  case RATE_MIXED: /* in turn */
    if (c->operand_lines == 2) return beats * fmax(rate_passes(c, RATE_FFMA), rate_passes(c, RATE_IADD3)) / 2;
    return beats * (rate_passes(c, RATE_FFMA) + rate_passes(c, RATE_IADD3)) / 2;
  case RATE_LDS:
  case RATE_STS:
    if (c->shared_lanes == 1) return HEDDLE_LANES; /* a word a cycle */
    return fmax((double)HEDDLE_LANES * s->conflicts / c->shared_banks, beats);
  case RATE_LDG:
    return HEDDLE_LANES * 32.0 / c->axi_bits;
  case RATE_READ:
  case RATE_WRITE:
  case RATE_COPY:
  case RATE_ADD:
    return rate_stream_limit(c, s->body);
  default:
    return rate_form_limit(c, s);
  }
}

static unsigned warps_of(const struct heddle_config *c, const struct rate_shape *s, double limit) {
  const unsigned parts = FEW_PARTITION * c->partitions, few = limit > LONG || parts < LONG_WARPS ? LONG_WARPS : parts;
  if (s->warps == FEW) return c->warps < few ? c->warps : few;
  return s->warps == ALL ? c->warps : s->warps;
}

/* Four trips and eight; two and four tell the difference of what takes long, and more would take minutes. What takes
 * few cycles in memory is measured for longer, and so is what takes long in a unit that takes few at once: there the
 * instructions under way at the end are a good part of all. */
static unsigned trips_of(const struct rate_shape *s, double limit) {
  const struct rate_form *form = rate_form(s->body);
  if (rate_stream(s->body) != NULL) return limit > LONG ? TRIPS / 2 : 2 * TRIPS;
  if (form == NULL) return s->conflicts >= 4 ? TRIPS / 2 : TRIPS;
  if (limit > LONG && s->warps == FEW) return form->way == RATE_COUNTS ? 2 * TRIPS : TRIPS / 2;
  return form->way == RATE_LOADS || form->way == RATE_LEAVES ? 2 * TRIPS : TRIPS;
}

static bool measure_row(struct runners *both, const struct rate_request *q, const struct entry *e, bool far,
                        struct rate_row *out, int *status) {
  const struct heddle_config *c = q->run.config;
  struct rate_shape s = e->shape;
  struct rate_figure f;
  const struct rate_stream *t = rate_stream(s.body);
  *out = (struct rate_row){.name = e->name, .what = e->what, .limit = limit_of(c, &s), .latency = latency_of(q, far)};
  if (!rate_there(c, s.body)) {
    snprintf(out->missing, sizeof out->missing, "the machine has no such unit");
    return true;
  }
  if (s.body == RATE_LDS && s.conflicts > c->lsu_lanes) {
    snprintf(out->missing, sizeof out->missing, "a row of the load/store unit has %u lanes only", c->lsu_lanes);
    return true;
  }
  const unsigned trips = trips_of(&s, out->limit);
  s.warps = warps_of(c, &s, out->limit);
  struct runner *r = runner_at(both, q, far, status);
  if (r == NULL || !rate_measure(r, q, &s, trips, &f, status)) return false;
  out->cycles = f.cycles;
  if (s.body == RATE_LDG) out->bytes = HEDDLE_LANES * 4;
  if (t != NULL) {
    out->share_r = rate_stream_share(c, t->loads, f.cycles);
    out->share_w = rate_stream_share(c, t->stores, f.cycles);
  }
  memcpy(out->share, f.share, sizeof out->share);
  return true;
}

/* Is `name` the first item of a list? */
static bool is_item(const char *list, const char *name) {
  const size_t n = strcspn(list, ",");
  return strlen(name) == n && memcmp(list, name, n) == 0;
}

static const char *next_item(const char *list) {
  const char *comma = strchr(list, ',');
  return comma == NULL ? NULL : comma + 1;
}

static bool wanted(const struct rate_request *q, const char *name) {
  if (q->only == NULL) return true;
  for (const char *list = q->only; list != NULL; list = next_item(list))
    if (is_item(list, name)) return true;
  return false;
}

static bool is_row(const char *item) {
  bool known = false;
  for (size_t i = 0; i < ENTRIES; i++) known = known || is_item(item, entries[i].name);
  for (size_t i = 0; i < FAR_ENTRIES; i++) known = known || is_item(item, far_entries[i].name);
  for (unsigned i = 0; i < RATE_COLD; i++) known = known || is_item(item, rate_cold_name(i));
  for (unsigned i = 0; i < RATE_KERNELS; i++) known = known || is_item(item, rate_kernel_name(i));
  for (size_t i = 0; i < STEADY; i++) known = known || is_item(item, steady[i].name);
  return known;
}

/* Every row that is wanted. False after a message. */
static bool measure_rows(struct runners *both, const struct rate_request *q, struct rate_row *row, size_t *rows,
                         int *status) {
  bool ok = true;
  for (size_t i = 0; i < ENTRIES && ok; i++)
    if (wanted(q, entries[i].name)) ok = measure_row(both, q, &entries[i], false, &row[(*rows)++], status);
  for (size_t i = 0; i < FAR_ENTRIES && ok; i++)
    if (wanted(q, far_entries[i].name)) ok = measure_row(both, q, &far_entries[i], true, &row[(*rows)++], status);
  for (unsigned i = 0; i < RATE_COLD && ok; i++)
    if (wanted(q, rate_cold_name(i))) ok = rate_cold(q, i, &row[(*rows)++], status);
  for (unsigned i = 0; i < RATE_KERNELS && ok; i++) {
    if (!wanted(q, rate_kernel_name(i))) continue;
    struct runner *r = runner_at(both, q, false, status);
    ok = r != NULL && rate_kernel(r, q, i, &row[*rows], status);
    row[(*rows)++].latency = latency_of(q, false);
  }
  for (size_t i = 0; i < STEADY && ok; i++) {
    if (!wanted(q, steady[i].name)) continue;
    struct runner *r = runner_at(both, q, steady[i].far, status);
    row[*rows] =
        (struct rate_row){.name = steady[i].name, .what = steady[i].what, .latency = latency_of(q, steady[i].far)};
    ok = r != NULL && rate_steady(r, q, &row[(*rows)++], status);
  }
  return ok;
}

/* Why warps waited, the `count` longest parts of their time. */
static void print_reasons(const struct rate_row *r, unsigned count) {
  double share[HEDDLE_COUNTERS];
  memcpy(share, r->share, sizeof share);
  share[HEDDLE_COUNTER_ISSUED] = share[HEDDLE_COUNTER_NOT_SELECTED] = 0; /* they were ready */
  for (unsigned k = 0; k < count; k++) {
    unsigned longest = 0;
    for (unsigned i = 1; i < HEDDLE_COUNTERS; i++)
      if (share[i] > share[longest]) longest = i;
    if (share[longest] < 0.005) break;
    printf("%s %s %.0f%%", k > 0 ? "," : ";", profile_name(longest), 100 * share[longest]);
    share[longest] = 0;
  }
  putchar('\n');
}

static void print_kernel(const struct rate_row *r) {
  printf("%-18s %8.0f %8.0f %8.3f  %s; %.3f of the places for instructions used\n", r->name, r->cycles, r->limit,
         r->limit / r->cycles, r->what, r->issued);
  printf("%21swarps: issued %.0f%%, ready %.0f%%", "", 100 * r->share[HEDDLE_COUNTER_ISSUED],
         100 * r->share[HEDDLE_COUNTER_NOT_SELECTED]);
  print_reasons(r, HEDDLE_COUNTERS);
}

static void print_row(const struct rate_row *r) {
  if (r->missing[0] != '\0') {
    printf("%-18s %8s %8s %8s  no: %s\n", r->name, "-", "-", "-", r->missing);
  } else if (r->issued > 0) {
    print_kernel(r);
  } else {
    printf("%-18s %8.3f", r->name, r->cycles);
    if (r->limit > 0)
      printf(" %8.3f %8.3f  %s", r->limit, r->limit / r->cycles, r->what);
    else
      printf(" %8s %8s  %s", "-", "-", r->what);
    if (r->bytes > 0) printf(", %.1f bytes a cycle", r->bytes / r->cycles);
    if (r->share_r > 0) printf(", %.3f of R", r->share_r);
    if (r->share_w > 0) printf(", %.3f of W", r->share_w);
    print_reasons(r, 2);
  }
}

static json_t *row_json(const struct rate_row *r) {
  json_t *o = json_pack("{s:s, s:s}", "name", r->name, "what", r->what), *share = json_object();
  if (r->missing[0] != '\0') {
    (void)json_object_set_new(o, "missing", json_string(r->missing));
    json_decref(share);
    return o;
  }
  (void)json_object_set_new(o, "latency", json_integer(r->latency));
  (void)json_object_set_new(o, "cycles", json_real(r->cycles));
  (void)json_object_set_new(o, "limit", r->limit > 0 ? json_real(r->limit) : json_null());
  (void)json_object_set_new(o, "fraction", r->limit > 0 ? json_real(r->limit / r->cycles) : json_null());
  if (r->issued > 0) (void)json_object_set_new(o, "issued", json_real(r->issued));
  if (r->bytes > 0) (void)json_object_set_new(o, "bytes_per_cycle", json_real(r->bytes / r->cycles));
  if (r->share_r > 0) (void)json_object_set_new(o, "share_of_r", json_real(r->share_r));
  if (r->share_w > 0) (void)json_object_set_new(o, "share_of_w", json_real(r->share_w));
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    (void)json_object_set_new(share, profile_name(i), json_real(r->share[i]));
  (void)json_object_set_new(o, "warp_cycles", share);
  return o;
}

static int report_table(const struct rate_request *q, const struct rate_row *row, size_t rows) {
  const struct heddle_config *c = q->run.config;
  const char *dep = q->run.scoreboard ? "scoreboard" : "control";
  printf("%s: %u lanes, %u beat%s a warp instruction, %u warps; --dep %s\n"
         "cycles a warp instruction (kernels, cold code: in all); the fewest there can be; how near it comes to them;\n"
         "what runs (where it says no number of warps on as many as keep the unit busy), and why warps waited, in "
         "parts of their time\n\n",
         c->name, c->lanes, c->beats, c->beats > 1 ? "s" : "", c->warps, dep);
  printf("%-18s %8s %8s %8s\n", "name", "cycles", "limit", "fraction");
  for (size_t i = 0; i < rows; i++) print_row(&row[i]);
  if (q->json == NULL) return TOOL_OK;
  json_t *list = json_array();
  for (size_t i = 0; i < rows; i++) (void)json_array_append_new(list, row_json(&row[i]));
  json_t *root =
      json_pack("{s:s, s:s, s:s, s:I, s:I, s:o}", "config", c->name, "dep", dep, "on", run_on_name(q->run.on),
                "latency", (json_int_t)q->run.latency, "scale", (json_int_t)q->scale, "rates", list);
  return json_out_dump(q->json, root) ? TOOL_OK : TOOL_USAGE;
}

static int no_such_row(const char *item) {
  fprintf(stderr, "heddle: error: no rate '%.*s'; there are:", (int)strcspn(item, ","), item);
  for (size_t i = 0; i < ENTRIES; i++) fprintf(stderr, " %s", entries[i].name);
  for (size_t i = 0; i < FAR_ENTRIES; i++) fprintf(stderr, " %s", far_entries[i].name);
  for (unsigned i = 0; i < RATE_COLD; i++) fprintf(stderr, " %s", rate_cold_name(i));
  for (unsigned i = 0; i < RATE_KERNELS; i++) fprintf(stderr, " %s", rate_kernel_name(i));
  for (size_t i = 0; i < STEADY; i++) fprintf(stderr, " %s", steady[i].name);
  fputc('\n', stderr);
  return TOOL_USAGE;
}

int rate_table(const struct rate_request *q) {
  struct rate_row row[ROWS_MAX];
  size_t rows = 0;
  int status;
  for (const char *list = q->only; list != NULL; list = next_item(list))
    if (!is_row(list)) return no_such_row(list);
  struct runners both = {0};
  const bool ok = measure_rows(&both, q, row, &rows, &status);
  for (unsigned i = 0; i < 2; i++) runner_free(both.at[i]);
  return ok ? report_table(q, row, rows) : status;
}
