/* SPDX-License-Identifier: Apache-2.0
 *
 * What came of it, in the same words for every entry.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/checker/report_json.h"
#include "cosim/attach/attached.h"

static enum heddle_verdict_kind verdict_kind(const struct heddle_attach *a) {
  if (a->state == ATTACH_WRONG) return a->wrong;
  const bool over = a->state == ATTACH_OVER || (a->state == ATTACH_BETWEEN && a->file == NULL);
  return over && a->total.launches != 0 ? HEDDLE_VERDICT_OK : HEDDLE_VERDICT_UNFINISHED;
}

static bool has_difference(const struct heddle_attach *a) {
  return a->checker != NULL && heddle_checker_first(a->checker)->kind != HEDDLE_CHECKER_NONE;
}

static void print_end(const struct heddle_attach *a, enum heddle_verdict_kind kind, FILE *f) {
  const struct heddle_verdict *t = &a->total;
  static const char *const word[] = {"ok", "difference", "program", "unfinished", "misuse"};
  fprintf(f, "%s: %s", a->name, word[kind]);
  if (kind == HEDDLE_VERDICT_UNFINISHED && a->state != ATTACH_WRONG)
    fprintf(f, ": %s",
            a->state == ATTACH_RUNNING ? "a launch was not judged to its end"
            : a->state == ATTACH_EMPTY ? "nothing was launched"
                                       : "launches of the file are left");
  if (kind != HEDDLE_VERDICT_OK && a->message[0] != '\0') fprintf(f, ": %s", a->message);
  fprintf(f,
          "\n  %" PRIu64 " launch(es), %" PRIu64 " records, %" PRIu64 " warp instructions, %" PRIu64
          " lanes compared, %" PRIu64 " accesses\n",
          t->launches, t->records, t->retired, t->lanes_compared, t->performs);
  if (t->skipped != 0) fprintf(f, "  %" PRIu64 " launch(es) skipped: not judged\n", t->skipped);
  fprintf(f, "  profile %s", heddle_record_profile_name(a->core.hidden));
  fprintf(f, a->hidden[0] != '\0' ? "; not judged: %s\n" : "\n", a->hidden);
}

static char *attach_report(const struct heddle_attach *a, enum heddle_verdict_kind kind) {
  char *text = NULL;
  size_t bytes;
  FILE *f = open_memstream(&text, &bytes);
  if (f == NULL) return NULL;
  if (has_difference(a))
    heddle_checker_report_text(a->checker, f);
  else if (a->state == ATTACH_WRONG && a->checker != NULL && a->wrong == HEDDLE_VERDICT_PROGRAM)
    heddle_checker_waiting_text(a->checker, f);
  print_end(a, kind, f);
  return fclose(f) == 0 ? text : NULL;
}

void heddle_attach_verdict_sized(struct heddle_attach *a, struct heddle_verdict *out, size_t bytes) {
  struct heddle_verdict v = a->total;
  v.kind = verdict_kind(a);
  free(a->report);
  a->report = attach_report(a, v.kind);
  v.profile = heddle_record_profile_name(a->core.hidden);
  v.not_judged = a->hidden;
  v.difference = has_difference(a) ? heddle_checker_kind_name(heddle_checker_first(a->checker)->kind) : "";
  v.report = a->report != NULL ? a->report : "no memory for a report\n";
  memcpy(out, &v, bytes < sizeof v ? bytes : sizeof v);
}

char *heddle_attach_verdict_json(struct heddle_attach *a) {
  if (!has_difference(a)) return NULL;
  json_t *j = checker_report_json(a->checker);
  char *text = j != NULL ? json_dumps(j, JSON_INDENT(2)) : NULL;
  json_decref(j);
  return text;
}
