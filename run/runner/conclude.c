/* SPDX-License-Identifier: Apache-2.0
 * What a run says at its end. */
#include "conclude.h"

#include <stdio.h>
#include <string.h>

#include "run/job/explained.h"
#include "run/command/json_out.h"
#include "run/job/counters.h"
#include "run/sanitize/findings.h"

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
