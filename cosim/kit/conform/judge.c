/* SPDX-License-Identifier: Apache-2.0
 *
 * Every trace of the list against the model: is that said of it which must be said?
 */
#include <jansson.h>
#include <string.h>

#include "cosim/kit/conform/conform.h"
#include <heddle/session.h>

static const char *member_word(const json_t *j, const char *name) {
  const char *text = json_string_value(json_object_get(j, name));
  return text != NULL ? text : "";
}

static void judge_listed_trace(const char *dir, const json_t *want, FILE *out, struct conform_result *r,
                               uint64_t *kinds) {
  char path[1024];
  struct heddle_session_result s = {.size = sizeof s};
  snprintf(path, sizeof path, "%s/%s", dir, member_word(want, "file"));
  const char *outcome = heddle_session_outcome_name(heddle_session_check_trace(path, NULL, 0, NULL, NULL, &s, NULL));
  const bool differs = strcmp(outcome, "difference") == 0;
  const char *kind = s.difference.kind != HEDDLE_CHECKER_NONE ? heddle_checker_kind_name(s.difference.kind) : "";
  r->traces++;
  if (differs && s.difference.has_record && HEDDLE_RECORD_IS_KIND(s.difference.record.kind))
    *kinds |= UINT64_C(1) << s.difference.record.kind;
  if (strcmp(outcome, member_word(want, "outcome")) == 0 && strcmp(kind, member_word(want, "kind")) == 0) return;
  r->wrong++;
  fprintf(out, "%s: %s %s must come, and %s %s came: %s\n", member_word(want, "file"), member_word(want, "outcome"),
          member_word(want, "kind"), outcome, kind, differs ? s.difference.note : s.message);
}

bool conform_check(const char *dir, FILE *out, struct conform_result *r, char *why, size_t why_bytes) {
  char path[1024];
  json_error_t error;
  uint64_t kinds = 0;
  *r = (struct conform_result){0};
  snprintf(path, sizeof path, "%s/verdicts.json", dir);
  json_t *list = json_load_file(path, 0, &error);
  if (!json_is_array(list)) {
    snprintf(why, why_bytes, "%s: %s", path, list == NULL ? error.text : "no list");
    json_decref(list);
    return false;
  }
  for (size_t i = 0; i < json_array_size(list); i++) judge_listed_trace(dir, json_array_get(list, i), out, r, &kinds);
  r->kinds = (unsigned)__builtin_popcountll(kinds);
  json_decref(list);
  return true;
}
