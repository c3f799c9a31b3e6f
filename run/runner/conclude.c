/* SPDX-License-Identifier: Apache-2.0
 * What becomes of a result: JSON, what was printed, the same launch again after digests, the last words. */
#include "conclude.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heddle/host_regs.h>
#include <heddle/model.h>
#include <heddle/printf.h>
#include "run/board/digest.h"
#include "run/command/json_out.h"
#include "run/command/tool.h"
#include "run/job/result.h"
#include "run/sanitize/findings.h"

/* Results as JSON. */

json_t *result_header(const struct run_options *o) {
  json_t *j = json_pack("{s:s, s:s?, s:s, s:s, s:o}", "on", run_on_name(o->on), "config",
                        run_on_whole(o) ? NULL : o->config_name, "dep", o->scoreboard ? "scoreboard" : "control", "div",
                        o->its ? "its" : "stack", "seed", json_out_seed(o->seed));
  if (j && o->sched != HEDDLE_POLICY_DEFAULT) (void)json_object_set_new(j, "sched", json_string(run_sched_name(o)));
  const char *undefined = run_undefined_name(o);
  if (j && o->undefined != HEDDLE_TELL_USES) (void)json_object_set_new(j, "undefined", json_string(undefined));
  return j;
}

/* null: nobody has counted them (struct run_result). */
static json_t *retired_json(uint64_t retired, uint64_t cycles) {
  return retired == 0 && cycles != 0 ? json_null() : json_integer((json_int_t)retired);
}

json_t *result_counters(const struct run_options *o, uint64_t retired, uint64_t cycles, const uint64_t *counter) {
  const bool counted = o->on != ON_MODEL && counter[HEDDLE_COUNTER_ISSUED] != 0;
  json_t *j = counted ? profile_json(counter) : json_object();
  (void)json_object_set_new(j, "warp_instructions", retired_json(retired, cycles));
  (void)json_object_set_new(j, "cycles", json_integer((json_int_t)cycles));
  return j;
}

json_t *result_diagnosis(const struct signature *d) {
  char text[SIGNATURE_BYTES];
  return json_pack("{s:s, s:s, s:s, s:s}", "kind", d->kind, "op", d->op, "detail", d->what, "signature",
                   signature_text(d, text));
}

/* NULL: no memory */
static json_t *result_json(const struct job *job, const struct run_result *r) {
  const struct heddle_checker_stats *s = &r->stats;
  json_t *j = json_pack("{s:s, s:o, s:I, s:s}", "status", run_status_name(r->status), "warp_instructions",
                        retired_json(r->retired, r->cycles), "cycles", (json_int_t)r->cycles, "message", r->message);
  if (!j) return NULL;
  if (r->status == RUN_TRAP)
    json_object_set_new(j, "trap",
                        json_pack("{s:s, s:[iii], s:i, s:I, s:I, s:I, s:o}", "cause", heddle_cause_name(r->trap.cause),
                                  "block", (int)r->trap.ctaid[0], (int)r->trap.ctaid[1], (int)r->trap.ctaid[2], "warp",
                                  (int)r->trap.warp_in_block, "sequence", (json_int_t)r->trap.seq, "pc",
                                  (json_int_t)r->trap.pc, "lanes", (json_int_t)r->trap.lanes, "address",
                                  json_sprintf("0x%" PRIx64, r->trap.addr))); /* all 64 bits */
  json_t *each = r->each ? json_array() : NULL;
  for (unsigned i = 0; i < r->launches && each; i++)
    (void)json_array_append_new(each, json_integer((json_int_t)r->each[i]));
  if (each) (void)json_object_set_new(j, "launch_cycles", each);
  char hidden[256];
  heddle_record_hidden_text(s->hidden, hidden, sizeof hidden);
  if (s->records > 0)
    json_object_set_new(j, "checked",
                        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:i, s:s, s:s}", "warp_instructions",
                                  (json_int_t)s->retired, "lanes", (json_int_t)s->lanes_compared, "lanes_unjudged",
                                  (json_int_t)s->lanes_unjudged, "performs", (json_int_t)s->performs,
                                  "divergent_branches", (json_int_t)s->divergent_branches, "barrier_waits",
                                  (json_int_t)s->barrier_waits, "differences", (json_int_t)s->differences, "read_age",
                                  (int)s->read_age, "pred_age", (int)s->pred_age, "profile",
                                  heddle_record_profile_name(s->hidden), "not_judged", hidden));
  if (r->printed + r->unprinted > 0)
    json_object_set_new(j, "printf",
                        json_pack("{s:I, s:I}", "messages", (json_int_t)r->printed, "lost", (json_int_t)r->unprinted));
  if (r->diagnosis.kind[0] != '\0') json_object_set_new(j, "diagnosis", result_diagnosis(&r->diagnosis));
  json_t *fault = job ? explained_json(job, r) : NULL;
  if (fault) json_object_set_new(j, "fault", fault);
  if (r->findings) json_object_set_new(j, "sanitizer", findings_json(r->findings));
  if (r->refused) json_object_set(j, "refused", r->refused);
  if (r->fidelity) json_object_set(j, "fidelity", r->fidelity);
  if (r->digests) json_object_set(j, "digests", r->digests);
  if (r->report) json_object_set_new(j, "report", json_string(r->report));
  if (r->report_json) json_object_set(j, "difference", r->report_json);
  return j;
}

bool result_write_json(const char *path, const struct run_options *o, const struct job *job, const struct run_result *r,
                       const struct waiver *waived, int exit_status) {
  json_t *root = result_header(o);
  json_object_set_new(root, "exit", json_integer(exit_status));
  json_object_set_new(root, "counters", result_counters(o, r->retired, r->cycles, r->counter));
  json_object_set_new(root, "result", result_json(job, r));
  if (waived) json_object_set_new(root, "waived", waiver_json(waived));
  return json_out_dump(path, root);
}

/* What a launch has printed. */

struct memory {
  const struct job *job;
  const uint8_t *image;
};

static bool read(void *ctx, uint64_t addr, void *to, size_t bytes) {
  const struct memory *m = ctx;
  const uint64_t at = addr - m->job->mem_base;
  if (addr < m->job->mem_base || at > m->job->mem_bytes || bytes > m->job->mem_bytes - at) return false;
  memcpy(to, m->image + at, bytes);
  return true;
}

static void put_printed(void *ctx, const char *text, size_t bytes) {
  (void)ctx;
  (void)fwrite(text, 1, bytes, stdout);
}

void printed_show(const struct job *j, const uint8_t *image, struct run_result *r) {
  const bool ended = image && (r->status == RUN_OK || r->status == RUN_TRAP);
  const struct heddle_global *v = heddle_program_global(j->program, HEDDLE_PRINTF_VARIABLE);
  if (!ended || !v || j->global_addr == 0) return;
  struct memory m = {j, image};
  const struct heddle_printf h = {.size = sizeof h, .program = j->program, .read = read, .put = put_printed, .ctx = &m};
  const struct heddle_printf_totals t =
      heddle_printf_text(&h, image + (j->global_addr + v->offset - j->mem_base), v->size);
  (void)fflush(stdout);
  r->printed = t.messages;
  r->unprinted = t.lost;
  if (t.lost > 0)
    tool_log("printf: %u of %u messages found no room in %u bytes; --printf BYTES gives them more", t.lost,
             t.lost + t.messages, v->size - 16);
}

/* Digests that are wrong, and the launch again with the full stream. */

static const char digest[] = "_digest", stream[] = "_stream";

/* "tiny_digest" to "tiny_stream"; false: no device of digests. */
static bool other_device(const char *name, char *to, size_t room) {
  const size_t n = strlen(name), tail = sizeof digest - 1;
  if (n <= tail || strcmp(name + n - tail, digest) != 0) return false;
  return (size_t)snprintf(to, room, "%.*s%s", (int)(n - tail), name, stream) < room;
}

int run_replay_check(const struct run_options *o, const char *file) {
  char name[64];
  if (!file) return TOOL_OK;
  if (!o->stream) return tool_usage("run", "--replay needs --stream FILE, which gets the digests");
  if (o->on != ON_RTL && o->on != ON_LOCKSTEP) return tool_usage("run", "--replay: with --on rtl or lockstep");
  if (other_device(o->config_name, name, sizeof name)) return TOOL_OK;
  return tool_usage("run", "--replay is for a device of variant digest: --config tiny_digest");
}

/* The same launch, fault and seeds included, unjudged; its stream goes to `file`. */
static int again(const struct run_options *o, const struct job *job, const char *file) {
  char name[64];
  int status;
  struct run_result result;
  struct run_options full = *o;
  (void)other_device(o->config_name, name, sizeof name);
  full.config_name = name;
  full.on = ON_RTL;
  full.stream = file;
  full.trace = full.wave = full.cov = full.json = NULL;
  full.wave_last = 0;
  full.profile = full.beside = false;
  struct runner *r = runner_new(&full, &status);
  if (!r) return status;
  runner_run(r, job, NULL, &result);
  runner_free(r);
  const bool ran = result.status != RUN_MISSING && result.status != RUN_BAD_INPUT;
  if (!ran) tool_error("the launch could not be run on %s: %s", name, result.message);
  run_result_clear(&result);
  return ran ? TOOL_OK : TOOL_MISSING;
}

int run_replay(const struct run_options *o, const struct job *job, const char *file, int status, json_t **json) {
  struct check_digest c = {.file = o->stream, .program = job->program};
  int verdict = check_digest(&c);
  if (c.digest.outcome == HEDDLE_DIGEST_DIFFERENCE) {
    const int ran = again(o, job, file);
    if (ran == TOOL_OK) check_digest_replay(&c, file);
    if (ran != TOOL_OK) verdict = ran;
  }
  *json = check_digest_json(&c);
  check_digest_clear(&c);
  if (status == TOOL_DIFFERENCE) return status; /* lockstep has found one, whatever of the digests has come */
  return verdict == TOOL_OK || verdict == TOOL_TRAPPED ? status : verdict;
}

/* What a run says at its end. */

static void print_trap(const struct heddle_trap *t) {
  tool_log("trap %s: block %u,%u,%u warp %u lanes 0x%08x pc 0x%04x sequence %u address 0x%llx",
           heddle_cause_name(t->cause), t->ctaid[0], t->ctaid[1], t->ctaid[2], t->warp_in_block, t->lanes, t->pc,
           t->seq, (unsigned long long)t->addr);
}

/* What is wrong, once: a difference is told by the report. */
static void say_wrong(const struct run_result *r) {
  if (r->status == RUN_DIFFERENCE && r->report)
    json_out_error(r->message);
  else
    tool_error("%s", r->message);
}

/* Several launches, in a line; cycles of each where they are few. */
static void tell_launches(const struct run_result *r) {
  enum { FEW = 8 };
  char apart[96] = "", each[FEW * 24] = "";
  size_t n = 0;
  if (r->launches < 2) return;
  if (r->apart != 0)
    snprintf(apart, sizeof apart, ", %llu cycles from the first instruction of one to that of the next",
             (unsigned long long)r->apart);
  for (unsigned i = 0; r->each && i < r->launches && r->launches <= FEW; i++)
    n += (size_t)snprintf(each + n, sizeof each - n, "%s%llu", i == 0 ? "; cycles of each: " : ", ",
                          (unsigned long long)r->each[i]);
  tool_log("launches: %u%s%s", r->launches, apart, each);
}

int run_conclude(const struct run_options *o, const struct job *j, const char *expect_trap, const struct run_result *r,
                 const uint8_t *image, const struct waiver *waived) {
  /* On the model alone the explanation of a deadlock says all that the report does. */
  if (r->report && (o->on != ON_MODEL || r->fault.fault.waits == 0)) fputs(r->report, stderr);
  if (o->profile) profile_print(stdout, j->kernel->name, r->retired, r->cycles, r->counter);
  if (r->status == RUN_TRAP) print_trap(&r->trap);
  if (r->findings) findings_print(stderr, r->findings);
  if (r->status != RUN_OK && r->status != RUN_TRAP && r->status != RUN_FOUND) say_wrong(r);
  explained_print(stderr, j, r);
  if (waived) waiver_tell(waived, NULL);
  const bool ended = r->status == RUN_OK || r->status == RUN_TRAP || r->status == RUN_FOUND;
  if (ended && !job_save_outputs(j, image)) return TOOL_USAGE;
  int status = run_exit_status(r->status);
  if (status == TOOL_LIMIT && r->findings && r->findings->count > 0) status = TOOL_TRAPPED;
  if (expect_trap && (status == TOOL_TRAPPED || status == TOOL_OK)) {
    bool same = status == TOOL_TRAPPED && strcmp(expect_trap, heddle_cause_name(r->trap.cause)) == 0;
    if (!same)
      tool_error("expected trap %s, saw %s", expect_trap,
                 status == TOOL_OK ? "none" : heddle_cause_name(r->trap.cause));
    status = same ? TOOL_OK : TOOL_DIFFERENCE;
  }
  if (r->status == RUN_MISSING || r->status == RUN_BAD_INPUT) return status; /* nothing ran */
  char modes[64], config[80], ages[32] = "", hidden[256], retired[40] = "", counts[80] = "";
  if (r->stats.records != 0) snprintf(ages, sizeof ages, "; ages %u, %u", r->stats.read_age, r->stats.pred_age);
  if (r->retired != 0 || r->cycles == 0)
    snprintf(retired, sizeof retired, "%llu warp instructions, ", (unsigned long long)r->retired);
  if (!r->uncounted) snprintf(counts, sizeof counts, "%s%llu cycles; ", retired, (unsigned long long)r->cycles);
  tool_log("%s: %s--on %s%s --dep %s%s --seed %llu%s%s", run_status_name(r->status), counts, run_on_name(o->on),
           run_config_text(o, config), o->scoreboard ? "scoreboard" : "control", run_modes_text(o, modes),
           (unsigned long long)o->seed, ages, waived ? "; 1 waived" : "");
  tell_launches(r);
  if (o->wave_last != 0 && r->status == RUN_OK)
    tool_log("wave: %s is not written: nothing failed; without --wave-last a wave has the whole launch", o->wave);
  heddle_record_hidden_text(r->stats.hidden, hidden, sizeof hidden);
  if (hidden[0]) tool_log("profile %s; not judged: %s", heddle_record_profile_name(r->stats.hidden), hidden);
  return status;
}
