/* SPDX-License-Identifier: Apache-2.0
 * Jobs on the RTL, alone or in lockstep, through a session of cosim/. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/options/cov_run.h"
#include <heddle/asm.h>
#include "cosim/checker/report.h"
#include <heddle/session.h>
#include "run/profile/profiler.h"
#include "run/runner/fidelity.h"
#include "run/runner/paged.h"
#include "run/runner/process_copy.h"
#include "run/runner/runner_internal.h"
#include "waves/waves.h"

/* One range of global memory serves the jobs of a runner, as long as they lie in the same place and fit. */
struct session_runner {
  struct run_options options;
  struct heddle_session *session;
  uint64_t base, bytes, host_seed;
  struct heddle_axi_mem_stats before;
  struct cov_run *cov;       /* --cov, or NULL */
  struct profiler *profiler; /* --profile-out, or NULL */
  struct paged *paged;       /* --pages: of the job that runs, or NULL */
  struct heddle_launch launch;
};

static void disassemble_retired(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, buf, bytes);
}

static bool exchange_session_entry(void *session, uint64_t at, uint64_t entry) {
  uint64_t was;
  return heddle_session_exchange(session, at, entry, &was);
}

static bool serve_pages(void *ctx, struct heddle_session *s, const struct heddle_page_fault *f, unsigned n) {
  const struct session_runner *r = ctx;
  return r->paged && paged_serve(r->paged, f, n, exchange_session_entry, s);
}

static enum heddle_error open_run_session(struct session_runner *r, const struct job *job, struct heddle_message *msg) {
  const struct run_options *o = &r->options;
  struct heddle_session_config c = {.size = sizeof c,
                                    .mode = o->on == ON_RTL ? HEDDLE_SESSION_RTL : HEDDLE_SESSION_LOCKSTEP,
                                    .backend = o->on == ON_SYSTEMC ? "systemc" : "verilator",
                                    .config = o->config_name,
                                    .scoreboard = o->scoreboard,
                                    .its = o->its,
                                    .sched = o->sched,
                                    .tell = (enum heddle_tell)o->undefined,
                                    .seed = o->init_seed != 0 ? o->init_seed : o->seed,
                                    .memory_seed = o->memory_seed != 0 ? o->memory_seed : o->seed,
                                    .ready_seed = o->ready_seed != 0 ? o->ready_seed : o->seed,
                                    .adversarial = !o->calm,
                                    .latency = o->latency,
                                    .withhold_ready = o->withhold_ready,
                                    .fault = o->fault,
                                    .beside = o->beside,
                                    .max_cycles = o->max_cycles,
                                    .memory_base = r->base,
                                    .memory_bytes = r->bytes,
                                    .host_seed = r->host_seed,
                                    .error_in = job->error_in,
                                    .error_base = job->error_base,
                                    .error_limit = job->error_limit,
                                    .wave = o->wave,
                                    .wave_last = o->wave_last,
                                    .copies = &process_copies,
                                    .trace = o->trace,
                                    .command = o->command,
                                    .l1 = o->l1,
                                    .stream = o->stream,
                                    .stream_gap = o->stream_gap,
                                    .stream_drop = o->stream_drop,
                                    .pages = serve_pages,
                                    .pages_ctx = r,
                                    .disasm = disassemble_retired};
  cov_run_watch(r->cov, &c);
  profiler_watch(r->profiler, &c);
  return heddle_session_open(&c, &r->session, msg);
}

/* SystemC builds its platform once a process, and is left alone. */
bool runner_keep_device(const struct run_options *o) {
  const struct heddle_session_config c = {
      .size = sizeof c, .mode = HEDDLE_SESSION_RTL, .config = o->config_name, .fault = o->fault, .wave = o->wave};
  struct heddle_message msg;
  if ((o->on != ON_RTL && o->on != ON_LOCKSTEP) || heddle_session_keep_device(&c, &msg) == HEDDLE_SUCCESS) return true;
  tool_error("%s", msg.text);
  return false;
}

struct session_runner *session_runner_new(const struct run_options *o) {
  struct session_runner *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->options = *o;
  if (o->cov && !(r->cov = cov_run_new(o))) {
    free(r);
    return NULL;
  }
  if (o->profile_out && !(r->profiler = profiler_new(&r->options))) {
    session_runner_free(r);
    return NULL;
  }
  return r;
}

void session_runner_free(struct session_runner *r) {
  if (!r) return;
  if (heddle_session_close(r->session, NULL) != HEDDLE_SUCCESS) tool_error("the trace could not be completed");
  cov_run_closed(r->cov);
  cov_run_free(r->cov);
  profiler_free(r->profiler);
  free(r);
}

const struct heddle_model *session_runner_model(const struct session_runner *r) {
  return r->session ? heddle_session_model(r->session) : NULL;
}

static enum run_status status_of_outcome(enum heddle_session_outcome o) {
  switch (o) {
  case HEDDLE_SESSION_OK:
    return RUN_OK;
  case HEDDLE_SESSION_TRAPPED:
    return RUN_TRAP;
  case HEDDLE_SESSION_UNDEFINED:
    return RUN_UNDEFINED;
  case HEDDLE_SESSION_LIMIT:
  case HEDDLE_SESSION_HUNG:
    return RUN_LIMIT;
  case HEDDLE_SESSION_REFUSED:
    return RUN_BAD_INPUT;
  case HEDDLE_SESSION_FAILED:
    return RUN_MISSING;
  default:
    return RUN_DIFFERENCE;
  }
}

/* The session, large enough for this job, and where it wants its memory. */
static bool prepare_session(struct session_runner *r, const struct job *job, struct run_result *out) {
  uint64_t base = job->mem_base, bytes = job->mem_bytes;
  if (r->paged) paged_memory(r->paged, &base, &bytes);
  const bool same = r->host_seed == job->host_seed && r->base == base;
  if (r->session && same && r->bytes >= bytes) {
    heddle_session_errors(r->session, job->error_in, job->error_base, job->error_limit);
    return true;
  }
  (void)heddle_session_close(r->session, NULL);
  cov_run_closed(r->cov);
  memset(&r->before, 0, sizeof r->before);
  r->host_seed = job->host_seed;
  r->base = base;
  const bool larger = r->options.single || bytes > JOB_BYTES_LEAST;
  r->bytes = larger ? bytes : JOB_BYTES_LEAST;
  struct heddle_message msg;
  if (open_run_session(r, job, &msg) == HEDDLE_SUCCESS) return true;
  snprintf(out->message, sizeof out->message, "%s", msg.text);
  out->status = RUN_MISSING;
  run_diagnose(out, "missing", (struct heddle_isa_word){0}, "");
  return false;
}

/* What the session says about its last run, and by which name such a failure goes (a difference's report has it). */
static char *report_of_run(const struct heddle_session *s, enum heddle_session_outcome o,
                           const struct signature *name) {
  char signature[SIGNATURE_BYTES];
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  heddle_session_report_text(s, f);
  if (o != HEDDLE_SESSION_DIFFERENCE) fprintf(f, "  signature %s\n", signature_text(name, signature));
  fclose(f);
  return text;
}

/* The memory counts since its device was opened; a result holds what this job added. */
static void take_axi(struct session_runner *r, const struct heddle_axi_mem_stats *now, struct run_result *out) {
  out->axi[AXI_COUNT_W_BEFORE_AW] = now->w_before_aw - r->before.w_before_aw;
  out->axi[AXI_COUNT_R_REORDERED] = now->r_reordered - r->before.r_reordered;
  for (unsigned i = 0; i < HEDDLE_AXI_CHANNELS; i++) out->axi[AXI_COUNT_HELD + i] = now->held[i] - r->before.held[i];
  r->before = *now;
}

/* What GTKWave opens the wave with, and Surfer shows words by. */
static void save_view(const struct session_runner *r, const struct job *job, const struct heddle_session_result *s) {
  char err[512];
  const struct wave_place place = {.first_issue = s->first_issue,
                                   .difference = s->outcome == HEDDLE_SESSION_DIFFERENCE ? s->difference.cycle : 0};
  const struct heddle_program *p = job->program;
  if (!wave_save(r->options.wave, r->options.config, place, err, sizeof err) ||
      !wave_save_words(r->options.wave, p->code, p->code_bytes, err, sizeof err))
    tool_error("%s", err);
}

/* --wave-last: what has come of it. */
static void tell_wave(const struct run_options *o, const struct heddle_session_result *s, uint64_t stopped) {
  if (s->wave_wrong[0] != '\0')
    tool_error("%s: %s", o->wave, s->wave_wrong);
  else if (s->wave_from != 0)
    tool_log("wave: %s has the failure in cycle %" PRIu64 " and the %" PRIu64 " before it", o->wave, stopped,
             stopped - s->wave_from);
  else if (o->wave && o->wave_last != 0 && s->outcome != HEDDLE_SESSION_OK)
    tool_log("wave: %s is not written: the launch ended before its first cycle", o->wave);
}

/* Words of the device are the same wherever it was built; those about its bus without the cycle and the address, which
 * another program has elsewhere. */
static const char *place_in(const char *message, char *words, size_t size) {
  const char *slash = strrchr(message, '/'), *from = slash ? slash + 1 : message;
  size_t n = 0;
  if (strncmp(from, "AXI: ", 5) != 0) return from;
  while (*from && n + 1 < size) {
    const bool number = *from >= '0' && *from <= '9';
    words[n++] = number ? '#' : *from++;
    if (number) from += strspn(from, "0123456789abcdefx");
  }
  words[n] = '\0';
  return words;
}

static void diagnose(struct run_result *out, enum heddle_session_outcome o, const struct heddle_session_result *s,
                     const struct job *job, const struct heddle_model *m) {
  const struct heddle_isa_word none = {0};
  char words[128];
  if (o == HEDDLE_SESSION_TRAPPED)
    run_diagnose_trap(out, job);
  else if (o == HEDDLE_SESSION_UNDEFINED)
    run_diagnose_undefined(out, job, heddle_model_undefined(m));
  else if (o == HEDDLE_SESSION_DIFFERENCE)
    signature_of(&s->difference, &out->diagnosis);
  else if (o != HEDDLE_SESSION_OK)
    run_diagnose(out, heddle_session_outcome_name(o), none,
                 o == HEDDLE_SESSION_DEVICE ? place_in(s->message, words, sizeof words) : "");
  if (o == HEDDLE_SESSION_DIFFERENCE) run_fault_difference(out, &s->difference);
}

/* --profile-out: of a run that came to its end. */
static void take_profile(struct session_runner *r, struct run_result *out) {
  char why[512];
  if (!r->profiler || (out->status != RUN_OK && out->status != RUN_TRAP)) return;
  const bool counted = profiler_is_counted(r->profiler, why, sizeof why);
  if (counted && profiler_write(r->profiler, why, sizeof why)) return;
  out->status = counted ? RUN_MISSING : RUN_DIFFERENCE;
  snprintf(out->message, sizeof out->message, "%s", why);
  run_diagnose(out, "profile", (struct heddle_isa_word){0}, "");
}

/* What a launch adds, of several; `first`: the device's cycle in which the first instruction of all issued. */
static void add_launch(struct run_result *out, const struct heddle_session_result *s, uint64_t *first) {
  const unsigned n = out->launches++;
  if (n == 0) *first = s->first_issue;
  if (out->each) out->each[n] = s->cycles;
  out->apart = n > 0 && s->first_issue != 0 ? (s->first_issue - *first) / n : 0;
}

static enum heddle_session_outcome run_apart(struct session_runner *r, const struct job *job,
                                             struct heddle_session_result *s, struct run_result *out) {
  enum heddle_session_outcome o = HEDDLE_SESSION_OK;
  uint64_t first = 0;
  for (unsigned i = 0; (i == 0 || i < job->launches) && o == HEDDLE_SESSION_OK; i++) {
    o = heddle_session_run(r->session, &r->launch, s);
    out->retired += s->insns;
    out->cycles += s->cycles;
    for (unsigned k = 0; k < RUN_COUNTERS; k++) out->counter[k] += s->counter[k];
    issued_add(&r->options, job, heddle_session_model(r->session), out);
    if (r->profiler && (o == HEDDLE_SESSION_OK || o == HEDDLE_SESSION_TRAPPED))
      profiler_launched(r->profiler, r->session, s);
    if (job->launches > 1 && o == HEDDLE_SESSION_OK) add_launch(out, s, &first);
  }
  return o;
}

/* The last that ran, or the one that failed. */
static const struct heddle_session_result *last_of(const struct heddle_session_result *s, unsigned n) {
  while (n > 1 && s[n - 1].outcome == HEDDLE_SESSION_NOT_RUN) n--;
  return &s[n - 1];
}

/* So many in one call, with a result each; the device's queue holds fewer. */
#define TOGETHER 1024u

static enum heddle_session_outcome run_queue(struct session_runner *r, const struct job *job,
                                             struct heddle_session_result *s, struct run_result *out) {
  const unsigned most = job->launches < TOGETHER ? job->launches : TOGETHER;
  bool counted = true, events = true; /* of each */
  struct heddle_session_result *each = calloc(most, sizeof *each);
  struct heddle_launch *launch = calloc(most, sizeof *launch);
  enum heddle_session_outcome o = each && launch ? HEDDLE_SESSION_OK : HEDDLE_SESSION_FAILED;
  uint64_t first = 0;
  *s = (struct heddle_session_result){.size = sizeof *s, .outcome = o, .message = "no memory"};
  if (each) each->size = sizeof *each;
  for (unsigned i = 0; launch && i < most; i++) launch[i] = r->launch;
  for (unsigned done = 0, n; done < job->launches && o == HEDDLE_SESSION_OK; done += n) {
    n = job->launches - done < most ? job->launches - done : most;
    o = heddle_session_run_queue(r->session, launch, n, each);
    for (unsigned i = 0; i < n && each[i].outcome != HEDDLE_SESSION_NOT_RUN; i++) {
      out->retired += each[i].insns;
      out->cycles += each[i].cycles;
      for (unsigned k = 0; k < RUN_COUNTERS; k++) out->counter[k] += each[i].counter[k];
      counted = counted && each[i].insns != 0;
      events = events && each[i].counter[HEDDLE_COUNTER_ISSUED] != 0;
      if (each[i].outcome == HEDDLE_SESSION_OK) add_launch(out, &each[i], &first);
    }
    *s = *last_of(each, n);
  }
  if (!counted) out->retired = 0;
  if (!events) memset(out->counter, 0, sizeof out->counter);
  free(each);
  free(launch);
  return o;
}

/* The launches of a job, memory as each left it; *s is of the last one. What is asked of each before the next begins
 * (event counters, a profile, what has issued) the queue of a device cannot tell. */
static enum heddle_session_outcome run_launches(struct session_runner *r, const struct job *job,
                                                struct heddle_session_result *s, struct run_result *out) {
  const bool apart = job->launches < 2 || job->apart || r->profiler || r->options.profile || r->options.issued;
  if (job->launches > 1) out->each = calloc(job->launches, sizeof *out->each);
  if (r->profiler) profiler_begin(r->profiler, job);
  return apart ? run_apart(r, job, s, out) : run_queue(r, job, s, out);
}

/* The session's memory and its launch. */
static bool store_launch(struct session_runner *r, const struct job *job) {
  uint8_t *memory = heddle_session_memory(r->session);
  r->launch = job->launch;
  memset(memory, 0, r->bytes);
  if (r->paged) return paged_store(r->paged, memory, &r->launch);
  job_store_inputs(job, memory);
  return true;
}

static void run_stored(struct session_runner *r, const struct job *job, uint8_t *image, struct run_result *out) {
  struct heddle_session_result s = {.size = sizeof s};
  const enum heddle_session_outcome o = run_launches(r, job, &s, out);
  out->status = status_of_outcome(o);
  out->trap = s.trap;
  out->uncounted = s.cycles == 0;
  out->stats = s.checked;
  take_axi(r, &s.memory, out);
  snprintf(out->message, sizeof out->message, "%s", s.message);
  diagnose(out, o, &s, job, heddle_session_model(r->session));
  if (o == HEDDLE_SESSION_HUNG && strncmp(s.message, "deadlock", 8) == 0)
    run_fault_deadlock(out, heddle_session_model(r->session), HEDDLE_RECORD_WARPS);
  if (o != HEDDLE_SESSION_OK && o != HEDDLE_SESSION_TRAPPED && o != HEDDLE_SESSION_UNDEFINED) {
    out->report = report_of_run(r->session, o, &out->diagnosis);
    out->report_json = session_report_json(r->session);
  }
  out->stopped = s.failed;
  take_profile(r, out);
  if (r->options.wave && (r->options.wave_last == 0 || s.wave_from != 0)) save_view(r, job, &s);
  tell_wave(&r->options, &s, out->stopped);
  if (image && r->paged)
    paged_load(r->paged, heddle_session_memory(r->session), image);
  else if (image)
    memcpy(image, heddle_session_memory(r->session), job->mem_bytes);
}

void session_runner_run(struct session_runner *r, const struct job *job, uint8_t *image, struct run_result *out) {
  const unsigned pages = job->physical ? 0 : r->options.pages;
  if (pages != 0) r->paged = paged_new(job, pages);
  if (pages != 0 && !r->paged) {
    out->status = RUN_BAD_INPUT;
    snprintf(out->message, sizeof out->message, "out of memory");
  } else if (prepare_session(r, job, out)) {
    if (store_launch(r, job))
      run_stored(r, job, image, out);
    else
      out->status = RUN_MISSING;
  }
  paged_free(r->paged);
  r->paged = NULL;
}
