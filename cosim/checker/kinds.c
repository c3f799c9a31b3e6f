/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of checks: stable names, and what each compares.
 */
#include <heddle/checker.h>

static const char *const name[CHECKER_KIND_COUNT + 1] = {
#define X(id, text, what) text,
    CHECKER_KINDS(X)
#undef X
        "none"};

static const char *const what_of[CHECKER_KIND_COUNT + 1] = {
#define X(id, text, what) what,
    CHECKER_KINDS(X)
#undef X
        "no difference"};

const char *checker_kind_name(enum checker_kind k) {
  return k < CHECKER_KIND_COUNT ? name[k] : name[CHECKER_NONE];
}
const char *checker_kind_what(enum checker_kind k) {
  return k < CHECKER_KIND_COUNT ? what_of[k] : what_of[CHECKER_NONE];
}
