/* SPDX-License-Identifier: Apache-2.0
 * Jobs on the model alone. */
#include <stdlib.h>
#include <string.h>

#include <heddle/isa.h>
#include <heddle/observer.h>
#include "run/runner/fidelity.h"
#include "run/runner/paged.h"
#include "run/runner/runner_internal.h"
#include "run/sanitize/sanitize.h"

/* The first line is the message; what the warps do follows in the report. */
static void say_diag(struct run_result *out, const char *diag) {
  const size_t first = strcspn(diag, "\n");
  snprintf(out->message, sizeof out->message, "%.*s", (int)first, diag);
  if (diag[first] == '\0') return;
  const size_t size = strlen(diag) + 2;
  out->report = malloc(size);
  if (out->report) snprintf(out->report, size, "%s\n", diag);
}

struct heddle_trace_writer *model_trace(const struct run_options *o) {
  struct heddle_message msg;
  struct heddle_machine is = {.size = sizeof is};
  run_machine(o, &is);
  struct heddle_trace_header h = {.size = sizeof h,
                                  .isa_hash = heddle_isa_hash(),
                                  .config_hash = is.config_hash,
                                  .lanes = is.lanes,
                                  .warp_slots = is.warps,
                                  .block_slots = is.blocks,
                                  .sms = is.sms,
                                  .shown = is.sms,
                                  .shared_bytes = is.shared_bytes,
                                  .scoreboard = o->scoreboard,
                                  .its = o->its};
  snprintf(h.config, sizeof h.config, "%s", run_on_whole(o) ? "model" : o->config_name);
  snprintf(h.command, sizeof h.command, "%s", o->command ? o->command : "");
  struct heddle_trace_writer *w;
  if (heddle_trace_create(o->trace, &h, &w, &msg) != HEDDLE_SUCCESS) tool_error("%s", msg.text);
  return w;
}

/* A launch without records: what was there before it, what it left. */
static bool trace_whole(struct heddle_trace_writer *trace, const struct heddle_launch *l, const struct job *job,
                        const uint8_t *before, const uint8_t *after) {
  (void)heddle_trace_launch(trace, l, job->mem_base, before, job->mem_bytes, NULL);
  return heddle_trace_launch_end(trace, after, 0, NULL) == HEDDLE_SUCCESS;
}

/* Where initialisation is checked, at the store that brings it to memory, unless --undefined says otherwise. */
static enum heddle_tell tell_of(const struct run_options *o) {
  const bool init = (o->sanitize >> SANITIZE_INIT & 1) != 0;
  return init && !o->undefined_given ? HEDDLE_TELL_STORES : (enum heddle_tell)o->undefined;
}

static bool exchange_model_entry(void *model, uint64_t at, uint64_t entry) {
  uint64_t was;
  return heddle_entry_exchange(model, at, entry, &was) == HEDDLE_SUCCESS;
}

/* Pages that it waits for come. */
static enum heddle_error run_served(struct heddle_model *m, struct paged *paged, uint64_t limit, uint64_t *retired) {
  struct heddle_page_fault f[64];
  enum heddle_error s = HEDDLE_ERROR_FAULTS;
  *retired = 0;
  while (s == HEDDLE_ERROR_FAULTS) {
    uint64_t insns = 0;
    s = heddle_model_run(m, limit, &insns);
    *retired += insns;
    if (s != HEDDLE_ERROR_FAULTS) break;
    const unsigned n = heddle_model_faults(m, f, 64);
    if (!paged_serve(paged, f, n < 64 ? n : 64, exchange_model_entry, m)) heddle_model_fail(m);
  }
  return s;
}

/* One launch, observed if `s` is not NULL. */
static enum heddle_error launch_once(struct heddle_model *m, const struct heddle_launch *l, struct sanitizer *s,
                                     unsigned slots, uint64_t limit, struct paged *paged, uint64_t *retired) {
  if (s && !sanitizer_launch(s, m, l, slots)) return HEDDLE_ERROR_HOST_MEMORY;
  enum heddle_error status = heddle_model_launch(m, l);
  if (status == HEDDLE_SUCCESS && paged) status = run_served(m, paged, limit, retired);
  if (status == HEDDLE_SUCCESS && !paged) status = heddle_model_run(m, limit, retired);
  if (s) sanitizer_launched(s, status);
  return status;
}

static void put_findings(struct run_result *out, struct sanitizer *s) {
  char line[700];
  if (!s) return;
  out->findings = sanitizer_end(s);
  if (out->findings->count == 0) return;
  if (out->status == RUN_OK) out->status = RUN_FOUND;
  finding_line(out->findings, &out->findings->finding[0], line, sizeof line);
  if (out->status == RUN_FOUND)
    snprintf(out->message, sizeof out->message, "%zu findings; the first: %s", out->findings->count, line);
}

/* With the job's inputs in its memory, and its launch for this machine; `paged`, or NULL: in its address space. NULL:
 * no memory. */
static struct heddle_model *model_new(const struct run_options *o, const struct job *job, struct paged *paged,
                                      struct heddle_launch *launch, unsigned *slots) {
  struct heddle_machine is = {.size = sizeof is};
  uint64_t base = job->mem_base, bytes = job->mem_bytes;
  run_machine(o, &is);
  if (paged) paged_memory(paged, &base, &bytes);
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = base,
                                        .bytes = bytes,
                                        .warp_slots = is.warps,
                                        .block_slots = is.blocks,
                                        .sms = is.sms,
                                        .shown = is.sms,
                                        .threads = o->threads,
                                        .divergence = o->its ? HEDDLE_ITS : HEDDLE_STACK,
                                        .tell = tell_of(o)};
  struct heddle_model *m = heddle_model_new(&c);
  if (!m) return NULL;
  *launch = job->launch;
  if (!paged)
    job_store_inputs(job, heddle_model_memory(m));
  else if (!paged_store(paged, heddle_model_memory(m), launch)) {
    heddle_model_free(m);
    return NULL;
  }
  launch->units = is.units; /* what it lacks traps, as on the RTL */
  launch->rtl_only = (is.units >> ISA_PART_MODEL & 1) == 0;
  *slots = c.warp_slots * (c.shown != 0 ? c.shown : 1);
  return m;
}

struct heddle_model *model_launched(const struct run_options *o, const struct job *job,
                                    const struct heddle_observer *observer, unsigned *slots, char *err, size_t n) {
  struct heddle_launch launch = {.size = sizeof launch};
  struct heddle_model *m = model_new(o, job, NULL, &launch, slots);
  if (!m) snprintf(err, n, "out of memory");
  if (!m) return NULL;
  if (heddle_model_observe(m, observer) == HEDDLE_SUCCESS && heddle_model_launch(m, &launch) == HEDDLE_SUCCESS)
    return m;
  snprintf(err, n, "%s", heddle_model_diag(m));
  heddle_model_free(m);
  return NULL;
}

void run_job_on_model(const struct run_options *o, const struct job *job, uint8_t *image, struct run_result *out,
                      struct heddle_trace_writer *trace) {
  unsigned slots;
  struct heddle_launch launch = {.size = sizeof launch};
  const unsigned pages = job->physical ? 0 : o->pages;
  struct paged *paged = pages != 0 ? paged_new(job, pages) : NULL;
  struct heddle_model *m = pages == 0 || paged ? model_new(o, job, paged, &launch, &slots) : NULL;
  if (!m) {
    paged_free(paged);
    out->status = RUN_BAD_INPUT;
    snprintf(out->message, sizeof out->message, "out of memory");
    return;
  }
  uint8_t *memory = heddle_model_memory(m);
  enum heddle_error s = HEDDLE_SUCCESS;
  struct sanitizer *sanitizer = o->sanitize != 0 ? sanitizer_new(o->sanitize, job) : NULL;
  uint8_t *before = trace ? malloc(job->mem_bytes) : NULL;
  bool traced = !trace || before;
  for (unsigned i = 0; s == HEDDLE_SUCCESS && (i == 0 || i < job->launches); i++) {
    uint64_t retired = 0;
    if (before) memcpy(before, memory, job->mem_bytes);
    s = launch_once(m, &launch, sanitizer, slots, o->max_cycles, paged, &retired);
    out->retired += retired;
    issued_add(o, job, m, out);
    const bool ended = s == HEDDLE_SUCCESS || s == HEDDLE_ERROR_TRAPPED;
    if (before && ended) traced = trace_whole(trace, &launch, job, before, memory) && traced;
  }
  switch (s) {
  case HEDDLE_SUCCESS:
    out->status = RUN_OK;
    break;
  case HEDDLE_ERROR_TRAPPED:
    out->status = RUN_TRAP;
    out->trap = *heddle_model_trap(m);
    run_diagnose_trap(out, job);
    break;
  case HEDDLE_ERROR_LIMIT:
    out->status = RUN_LIMIT;
    run_diagnose(out, "limit", (struct heddle_isa_word){0}, "");
    if (strncmp(heddle_model_diag(m), "deadlock", 8) == 0) run_fault_deadlock(out, m, slots);
    break;
  case HEDDLE_ERROR_UNDEFINED:
    out->status = RUN_UNDEFINED;
    run_diagnose_undefined(out, job, heddle_model_undefined(m));
    break;
  default:
    out->status = RUN_BAD_INPUT;
    run_diagnose(out, "refused", (struct heddle_isa_word){0}, "");
    break;
  }
  if (s != HEDDLE_SUCCESS) say_diag(out, heddle_model_diag(m));
  put_findings(out, sanitizer);
  if (!traced) {
    out->status = RUN_MISSING;
    snprintf(out->message, sizeof out->message, "the trace cannot be written");
  }
  free(before);
  if (image && paged)
    paged_load(paged, memory, image);
  else if (image)
    memcpy(image, memory, job->mem_bytes);
  paged_free(paged);
  heddle_model_free(m);
}
