/* SPDX-License-Identifier: Apache-2.0
 * Results as JSON. */
#include "result_json.h"
#include "run/job/explained.h"
#include "run/command/json_out.h"
#include "run/job/counters.h"
#include "run/sanitize/findings.h"

#include <inttypes.h>

#include <heddle/host_regs.h>
#include <heddle/model.h>

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

json_t *result_json(const struct job *job, const struct run_result *r) {
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
