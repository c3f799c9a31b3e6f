/* SPDX-License-Identifier: Apache-2.0
 *
 * Between runner.c and its back ends. */
#ifndef HEDDLE_RUNNER_INTERNAL_H
#define HEDDLE_RUNNER_INTERNAL_H

#include <heddle/trace.h>
#include "run/runner/runner.h"

/* The diagnosis of what the checker did not name; no word (all zero): no instruction. */
void run_diagnose(struct run_result *out, const char *kind, struct heddle_isa_word word, const char *what);
void run_diagnose_trap(struct run_result *out, const struct job *job);
void run_diagnose_undefined(struct run_result *out, const struct job *job, const struct heddle_undefined *u);

/* ---- runner.c: fills out->fault */
void run_fault_difference(struct run_result *out, const struct heddle_checker_difference *d);
/* Live warps in the model's slots; NULL: it is unknown which wait. */
void run_fault_deadlock(struct run_result *out, const struct heddle_model *m, unsigned slots);

struct session_runner;
struct session_runner *session_runner_new(const struct run_options *o);
void session_runner_free(struct session_runner *r);
void session_runner_run(struct session_runner *r, const struct job *job, uint8_t *image, struct run_result *out);

const struct heddle_model *session_runner_model(const struct session_runner *r); /* NULL: there is no session yet */

/* A board at the other end of a line. NULL: message on stderr, *status says why. */
struct board_runner;
struct board_runner *board_runner_new(const struct run_options *o, int *status);
void board_runner_free(struct board_runner *r);
uint64_t board_runner_memory_base(const struct board_runner *r);
void board_runner_run(struct board_runner *r, const struct job *job, uint8_t *image, struct run_result *out);

/* The model of --config or the whole one, the job's launch on it under that observer; *slots: warps that it has room
 * for. NULL: message in err. */
struct heddle_observer;
struct heddle_model *model_launched(const struct run_options *o, const struct job *job,
                                    const struct heddle_observer *observer, unsigned *slots, char *err, size_t n);

/* `trace` (may be NULL): gets the launch and what it leaves, without records, if it ends well. */
void run_job_on_model(const struct run_options *o, const struct job *job, uint8_t *image, struct run_result *out,
                      struct heddle_trace_writer *trace);
struct heddle_trace_writer *model_trace(const struct run_options *o); /* NULL: message on stderr */

#endif
