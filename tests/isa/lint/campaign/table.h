/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of the campaign for people and for programs. */
#ifndef HEDDLE_CAMPAIGN_TABLE_H
#define HEDDLE_CAMPAIGN_TABLE_H

#include <stdio.h>

#include "tests/isa/lint/campaign/campaign.h"

/* A line for each subject, a line for each class, totals, failures. `missed`: name what was flagged and never hit. */
void table_text(FILE *f, const struct campaign_options *o, const struct subjects *s, const struct tally *t,
                bool missed);
/* Failures of all subjects. */
unsigned table_failures(const struct subjects *s, const struct tally *t);
/* Classes that were run and never raised poison, but for those that may; each is named. */
unsigned table_unseen(FILE *f, const struct subjects *s, const struct tally *t);
bool table_json(const char *path, const struct campaign_options *o, const struct subjects *s, const struct tally *t);

#endif
