/* SPDX-License-Identifier: Apache-2.0
 * heddle study divergence --json. */
#include "lab/study/divergence_study.h"

#include "run/command/json_out.h"
#include "run/runner/conclude.h"

static json_t *slots(const struct slots *s, uint64_t issues) {
  return json_pack("{s:I, s:I}", "slots", (json_int_t)issues, "lanes", (json_int_t)s->lanes);
}

static json_t *branch_json(const struct studied *s, uint32_t word) {
  const struct branch *b = &s->d.branch[word];
  char line[256];
  return json_pack("{s:i, s:s, s:I, s:I, s:I, s:I, s:o}", "pc", (int)(word * ISA_STEP), "line",
                   divergence_line(s, word, line, sizeof line), "executed", (json_int_t)b->executed, "diverged",
                   (json_int_t)b->diverged, "lanes_taken", (json_int_t)b->taken, "lanes_passed", (json_int_t)b->passed,
                   "apart", slots(&b->within, b->within.issues));
}

static json_t *machine(const struct divergence *d) {
  json_t *j = json_object();
  for (unsigned its = 0; its < 2; its++)
    if (d->run[its].launches != 0)
      (void)json_object_set_new(j, its ? "its" : "stack", json_integer((json_int_t)d->run[its].issues));
  return j;
}

static json_t *studied_json(const struct studied *s) {
  const struct divergence *d = &s->d;
  if (s->lacks[0] != '\0') return json_pack("{s:s, s:s}", "kernel", s->name, "lacking", s->lacks);
  json_t *list = json_array();
  for (uint32_t w = 0; w < d->words; w++)
    if (d->branch[w].diverged != 0) (void)json_array_append_new(list, branch_json(s, w));
  json_t *j =
      json_pack("{s:s, s:I, s:o, s:b, s:I, s:I, s:I, s:o}", "kernel", s->name, "launches",
                (json_int_t)(d->run[0].launches + d->run[1].launches), "retired", machine(d), "same_threads",
                d->run[1].launches == 0 || divergence_same_threads(d), "thread_instructions", (json_int_t)d->work.all,
                "across_lanes", (json_int_t)d->work.across, "barriers_apart", (json_int_t)d->apart, "branches", list);
  for (unsigned r = 0; r < RULES; r++)
    (void)json_object_set_new(j, rule_name((enum rule)r), slots(&d->slots[r], divergence_slots(s, (enum rule)r)));
  return j;
}

json_t *divergence_json(const struct divergence_request *q, const struct study *s) {
  json_t *root = result_header(&q->run), *list = json_array();
  for (size_t k = 0; k < s->n; k++) (void)json_array_append_new(list, studied_json(&s->of[k]));
  (void)json_object_set_new(root, "study", json_string("divergence"));
  (void)json_object_set_new(root, "policy", json_string(q->how.formation.policy == POLICY_PC ? "pc" : "majority"));
  (void)json_object_set_new(root, "join", json_string(q->how.formation.any ? "any" : "last"));
  (void)json_object_set_new(root, "pool", json_integer(q->how.formation.warps));
  (void)json_object_set_new(root, "kernels", list);
  return root;
}
