/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoilers of what a record names: slots, machines, barriers, causes that there are not.
 */
#ifndef HEDDLE_CONFORM_MUTATIONS_FORM_H
#define HEDDLE_CONFORM_MUTATIONS_FORM_H

#include "cosim/kit/conform/fake.h"

bool spoil_form_block_slot(struct stream *s);
bool spoil_form_block_machine(struct stream *s);
bool spoil_form_warp_seq(struct stream *s);
bool spoil_form_barrier(struct stream *s);
bool spoil_form_barrier_block(struct stream *s);
bool spoil_form_barrier_dead(struct stream *s);
bool spoil_form_barrier_machine(struct stream *s);
bool spoil_form_cause(struct stream *s);
bool spoil_form_cause_none(struct stream *s);
bool spoil_form_rows(struct stream *s);
bool spoil_form_cycle(struct stream *s);
bool spoil_form_cycle_far(struct stream *s);
bool spoil_generation_first(struct stream *s);
bool spoil_generation_stays(struct stream *s);

#endif
