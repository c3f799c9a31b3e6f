/* SPDX-License-Identifier: Apache-2.0
 * heddle bench rtl: the RTL with its retire port unconnected against the same RTL in lockstep; interleaved runs, CPU
 * time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "heddle/asm.h"
#include "heddle/session.h"
#include "kernel_run.h"
#include "result_json.h"

struct prepared {
  const struct bench_request *q;
  struct heddle_program *program;
  struct kernel_case c;
  struct job job;
};

struct sample {
  double seconds;
  uint64_t cycles, insns;
};

static bool prepare(struct prepared *p) {
  char path[1024], err[512];
  size_t size;
  const struct kernel_info *k = kernel_find(p->q->kernel);
  struct heddle_asm_options o = {.message = tool_message};
  if (!k || !kernel_has(k, KERNEL_ASM)) {
    tool_error("no kernel '%s' in assembly", p->q->kernel);
    return false;
  }
  tool_stalls(p->q->config, o.stall);
  snprintf(path, sizeof path, "%s/%s.s", KERNEL_DIR, k->name);
  uint8_t *text = tool_read_file(path, 1u << 20, &size);
  if (!text) return false;
  p->program = heddle_assemble((const char *)text, size, path, &o);
  free(text);
  if (!p->program || !kernel_prepare(k, KERNEL_ASM, 1, (unsigned)p->q->scale, &p->c)) return false;
  if (kernel_job(&p->job, p->program, &p->c, 0, NULL, err, sizeof err)) return true;
  tool_error("%s", err);
  return false;
}

static void store(void *ctx, uint64_t addr, const void *data, uint64_t bytes) {
  memcpy((uint8_t *)ctx + (addr - JOB_BASE), data, bytes);
}

static struct session *open_session(const struct prepared *p, enum session_mode mode, const char *variant) {
  char name[64], err[512];
  snprintf(name, sizeof name, "%s%s", p->q->config, variant);
  struct session_config c = {.mode = mode,
                             .config = name,
                             .seed = 1,
                             .memory_base = JOB_BASE,
                             .memory_bytes = p->job.mem_bytes,
                             .warp_slots = 32,
                             .block_slots = 32};
  struct session *s = session_open(&c, err, sizeof err);
  if (!s) tool_error("%s", err);
  return s;
}

static bool measure(const struct prepared *p, struct session *s, struct sample *out) {
  struct session_result r;
  memset(session_memory(s), 0, p->job.mem_bytes);
  job_store_inputs(&p->job, store, session_memory(s));
  double start = bench_cpu_seconds();
  enum session_outcome o = session_run(s, &p->job.launch, &r);
  out->seconds = bench_cpu_seconds() - start;
  out->cycles = r.cycles;
  out->insns = r.insns;
  if (o != SESSION_OK) tool_error("%s: %s", session_outcome_name(o), r.message);
  return o == SESSION_OK;
}

static int compare(const struct prepared *p) {
  const struct bench_request *q = p->q;
  struct session *bare = open_session(p, SESSION_RTL, "_bare"), *full = open_session(p, SESSION_LOCKSTEP, "_fast");
  double alone[BENCH_RUNS_MAX], checked[BENCH_RUNS_MAX], ratio[BENCH_RUNS_MAX];
  struct sample a = {0}, c = {0};
  bool ok = bare && full && measure(p, bare, &a) && measure(p, full, &c); /* warm up */
  for (uint64_t i = 0; ok && i < q->runs; i++) {
    ok = measure(p, bare, &a) && measure(p, full, &c);
    alone[i] = (double)a.cycles / a.seconds;
    checked[i] = (double)c.cycles / c.seconds;
    ratio[i] = c.seconds / a.seconds * (double)a.cycles / (double)c.cycles;
  }
  if (bare) session_close(bare);
  if (full) session_close(full);
  if (!ok) return bare && full ? TOOL_DIFFERENCE : TOOL_MISSING;
  double ma = bench_median(alone, q->runs), mc = bench_median(checked, q->runs), mr = bench_median(ratio, q->runs);
  double ipc = (double)c.insns / (double)c.cycles;
  printf("%s on %s: %" PRIu64 " cycles, %" PRIu64 " warp instructions, IPC %.3f; %" PRIu64 " runs in turn, CPU time\n",
         q->kernel, q->config, c.cycles, c.insns, ipc, q->runs);
  printf("retire port unconnected  %10.0f cycles/s (median)\n", ma);
  printf("lockstep                 %10.0f cycles/s (median)  %.0f warp instructions/s\n", mc, mc * ipc);
  printf("cost of lockstep         %10.3f times (median of pairs, %.3f to %.3f)\n", mr, ratio[0], ratio[q->runs - 1]);
  return bench_json(q, json_pack("{s:i, s:s, s:s, s:f, s:f, s:f, s:f, s:I}", "version", 1, "config", q->config,
                                 "kernel", q->kernel, "ipc", ipc, "bare_cycles_per_second", ma,
                                 "lockstep_cycles_per_second", mc, "ratio", mr, "cycles", (json_int_t)c.cycles));
}

int bench_rtl(const struct bench_request *q) {
  struct prepared p = {.q = q};
  const int status = prepare(&p) ? compare(&p) : TOOL_USAGE;
  job_clear(&p.job);
  kernel_case_clear(&p.c);
  heddle_program_free(p.program);
  return status;
}
