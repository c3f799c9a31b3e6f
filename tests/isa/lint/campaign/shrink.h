/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest part of a case that still executes, in some lane, every instruction that the whole case does. */
#ifndef HEDDLE_CAMPAIGN_SHRINK_H
#define HEDDLE_CAMPAIGN_SHRINK_H

#include "tests/isa/lint/campaign/subject.h"

/* First the whole case runs on the model, which must leave the memory that the case expects. Then the grids of s->c are
 * cut as far as possible, and what its buffers must hold afterwards is what the model leaves. Returns the instructions
 * that no lane executes; reached[i]: instruction i is executed (room for all words of the program). False: why. */
bool shrink_case(struct subject *s, bool *reached, unsigned *idle, char *why, size_t size);

#endif
