/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the random program generator: one function for each directed stream. */
#ifndef HEDDLE_RANDOM_STREAMS_H
#define HEDDLE_RANDOM_STREAMS_H

#include "node.h"

void stream_flow(struct random_program *p, const struct node *n);

#endif
