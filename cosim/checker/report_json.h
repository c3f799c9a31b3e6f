/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports as values of jansson, which are the caller's. Within this tree only: installed headers know no jansson. */
#ifndef HEDDLE_REPORT_JSON_H
#define HEDDLE_REPORT_JSON_H

#include <jansson.h>

#include <heddle/checker.h>
#include <heddle/session.h>

/* Of what cosim/schema/difference.json describes. */
#define REPORT_JSON_VERSION 1

/* heddle_checker_report_text: {"statistics": {...}, "difference": null or {...}}. */
json_t *checker_report_json(const struct heddle_checker *c);
/* heddle_checker_waiting_text: [{"slot", "warp", "block", "seq", "pc", "instruction", "moved", "awaits": ["...", ...]},
 * ...].
 */
json_t *checker_waiting_json(const struct heddle_checker *c);
/* heddle_session_report_text; see the schema. */
json_t *session_report_json(const struct heddle_session *s);
/* heddle_session_check_trace with its report for programs in *report, NULL where there is none to be had. */
enum heddle_session_outcome session_check_trace_json(const char *path, const uint8_t *code, uint32_t code_bytes,
                                                     heddle_checker_disasm_fn disasm, void *disasm_ctx,
                                                     struct heddle_session_result *r, FILE *sink, json_t **report);

#endif
