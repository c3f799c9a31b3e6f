/* SPDX-License-Identifier: Apache-2.0
 *
 * What a suite says: progress, failures, the closing line, files. */
#ifndef HEDDLE_SUITE_REPORT_H
#define HEDDLE_SUITE_REPORT_H

#include "run/cases/suite.h"
#include "run/job/waivers.h"

/* A line that overwrites itself on a terminal; nothing else where. */
void suite_progress(const struct suite *s, size_t said);
/* Everything about all verdicts, by item; the exit status. `w`: failures that are known; NULL: none are. */
int suite_report(const struct suite *s, const struct suite_verdict *verdict, struct waivers *w);

#endif
