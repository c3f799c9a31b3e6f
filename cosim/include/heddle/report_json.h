/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports as values of jansson, which are the caller's. Within this tree only: installed headers know no jansson. */
#ifndef HEDDLE_REPORT_JSON_H
#define HEDDLE_REPORT_JSON_H

#include <jansson.h>

#include "heddle/checker.h"
#include "heddle/session.h"

/* checker_report_text: {"statistics": {...}, "difference": null or {...}}. */
json_t *checker_report_json(const struct checker *c);
/* checker_waiting_text: [{"slot", "warp", "block", "seq", "pc", "instruction", "moved", "awaits": ["...", ...]}, ...].
 */
json_t *checker_waiting_json(const struct checker *c);
/* session_report_text. */
json_t *session_report_json(const struct session *s);

#endif
