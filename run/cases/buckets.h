/* SPDX-License-Identifier: Apache-2.0
 *
 * Failures by signature (cosim/checker/report.h). A bucket is a member of a JSON object, under its signature:
 *   count      failures
 *   why, repeat, and what else its owner tells: of the first of them
 *   smallest   a file that shows it, where one was made small; instructions: that are left in it
 *   waived     {"until", "reason"}, where it is known */
#ifndef HEDDLE_BUCKETS_H
#define HEDDLE_BUCKETS_H

#include <jansson.h>

#include "run/job/waivers.h"

/* Counts a failure; `first`, which is let go, becomes the bucket if it is the first one. Returns the bucket. */
json_t *bucket_add(json_t *buckets, const char *signature, json_t *first);
/* Marks those that are waived, and counts their failures with the waiver. How many failures these are. */
json_int_t buckets_waive(json_t *buckets, struct waivers *w);
/* On stdout: "3 x s1:...", and of each how it is repeated. */
void buckets_print(json_t *buckets);

#endif
