/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the random program generator: one function for each directed stream. */
#ifndef HEDDLE_RANDOM_STREAMS_H
#define HEDDLE_RANDOM_STREAMS_H

#include "node.h"

bool hazard_fits(const struct random_program *p);
void stream_hazard(struct random_program *p, const struct node *n);
void stream_flow(struct random_program *p, const struct node *n);

#endif
