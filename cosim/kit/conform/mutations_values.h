/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoilers of what is read and written: operands, registers, predicates.
 */
#ifndef HEDDLE_CONFORM_MUTATIONS_VALUES_H
#define HEDDLE_CONFORM_MUTATIONS_VALUES_H

#include "cosim/kit/conform/fake.h"

bool spoil_operand_value(struct stream *s);
bool spoil_operand_special(struct stream *s);
bool spoil_operand_slot(struct stream *s);
bool spoil_operand_twice(struct stream *s);
bool spoil_operand_absent(struct stream *s);
bool spoil_operand_double(struct stream *s);
bool spoil_operand_port(struct stream *s);
bool spoil_operand_missing(struct stream *s);
bool spoil_operand_lane(struct stream *s);
bool spoil_write_value(struct stream *s);
bool spoil_write_load(struct stream *s);
bool spoil_write_register(struct stream *s);
bool spoil_write_double(struct stream *s);
bool spoil_write_missing(struct stream *s);
bool spoil_write_nothing(struct stream *s);
bool spoil_write_lane(struct stream *s);
bool spoil_write_before_read(struct stream *s);
bool spoil_write_before_perform(struct stream *s);
bool spoil_write_row(struct stream *s);
bool spoil_write_bank(struct stream *s);
bool spoil_write_port(struct stream *s);
bool spoil_writes_at_once(struct stream *s);
bool spoil_predicate_value(struct stream *s);
bool spoil_predicate_register(struct stream *s);
bool spoil_predicate_double(struct stream *s);
bool spoil_predicate_missing(struct stream *s);
bool spoil_predicate_lane(struct stream *s);

#endif
