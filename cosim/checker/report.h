/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of differences, and reports for programs.
 */
#ifndef HEDDLE_COSIM_CHECKER_REPORT_H
#define HEDDLE_COSIM_CHECKER_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include <heddle/checker.h>
#include <heddle/isa.h>
#include <heddle/session.h>

/* Name of a failure, the same in every run that shows it: of the bug, not of the run. Failures are put into buckets by
 * it, and waived by it. It holds only parts that stay the same when the program shrinks, under another seed, on another
 * machine. So it has no cycle, warp, lane, address, register number or value, and no machine. Within this tree only.
 *   s1:KIND:OP:WHAT       s1:writeback.value:IADD3/RIR:R
 *   s1     version of these rules: a signature of another version is another signature
 *   KIND   the checker's name of the difference; else "hung", "device", "trap", "alone.memory" ...
 *   OP     mnemonic as the ISA file has it, and the format of its operands; "illegal": no encoding; "-": no instruction
 *   WHAT   the class of the difference: the report's name without its numbers ("R", "P", "byte", "operand_a"); of a
 *          trap its cause; "-": none
 * Each part is letters, digits and the signs ._-#/ alone. */

#define SIGNATURE_VERSION 1
#define SIGNATURE_BYTES 192u

/* The parts as words; the text makes them fit. All empty: nothing failed. */
struct signature {
  char kind[48];
  char op[32];
  char what[96];
};

/* The signature of a difference. */
void signature_of(const struct heddle_checker_difference *d, struct signature *s);
/* "IADD3/RIR", "illegal"; of no word (all zero) "". */
void signature_op(struct heddle_isa_word word, char *op, size_t bytes);
/* Returns buf. */
const char *signature_text(const struct signature *s, char buf[SIGNATURE_BYTES]);
bool signature_equal(const struct signature *a, const struct signature *b);

enum signature_form { SIGNATURE_OK, SIGNATURE_MALFORMED, SIGNATURE_OTHER_VERSION };
/* Is this text of `length` characters one that signature_text could have written? */
enum signature_form signature_check(const char *text, size_t length);

/* Reports as values of jansson, which are the caller's. Within this tree only: installed headers have no jansson. */

/* A value as cosim/schema/difference.json describes it. */
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
