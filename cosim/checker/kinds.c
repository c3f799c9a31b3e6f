/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of checks: stable names, and what each compares.
 */
#include <heddle/checker.h>

static const char *const name[HEDDLE_CHECKER_KIND_COUNT + 1] = {
#define X(id, text, what) text,
    HEDDLE_CHECKER_KINDS(X)
#undef X
        "none"};

static const char *const what_of[HEDDLE_CHECKER_KIND_COUNT + 1] = {
#define X(id, text, what) what,
    HEDDLE_CHECKER_KINDS(X)
#undef X
        "no difference"};

const char *heddle_checker_kind_name(enum heddle_checker_kind k) {
  return k < HEDDLE_CHECKER_KIND_COUNT ? name[k] : name[HEDDLE_CHECKER_NONE];
}
const char *heddle_checker_kind_what(enum heddle_checker_kind k) {
  return k < HEDDLE_CHECKER_KIND_COUNT ? what_of[k] : what_of[HEDDLE_CHECKER_NONE];
}
