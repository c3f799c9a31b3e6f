/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoilers of the uniform datapath's records, of program_uniform.
 */
#ifndef HEDDLE_CONFORM_MUTATIONS_UNIFORM_H
#define HEDDLE_CONFORM_MUTATIONS_UNIFORM_H

#include "cosim/kit/conform/fake.h"

bool spoil_uniform_read_value(struct stream *s);
bool spoil_uniform_read_extra(struct stream *s);
bool spoil_uniform_read_twice(struct stream *s);
bool spoil_uniform_read_missing(struct stream *s);
bool spoil_uniform_read_word(struct stream *s);
bool spoil_uniform_write_value(struct stream *s);
bool spoil_uniform_write_register(struct stream *s);
bool spoil_uniform_write_twice(struct stream *s);
bool spoil_uniform_write_missing(struct stream *s);
bool spoil_uniform_write_early(struct stream *s);
bool spoil_uniform_write_word(struct stream *s);
bool spoil_uniform_write_place(struct stream *s);
bool spoil_uniform_write_upt(struct stream *s);
bool spoil_uniform_predicate_value(struct stream *s);
bool spoil_uniform_predicate_register(struct stream *s);
bool spoil_uniform_predicate_twice(struct stream *s);
bool spoil_uniform_raw(struct stream *s);
bool spoil_uniform_pred_raw(struct stream *s);
bool spoil_uniform_all_raw(struct stream *s);

#endif
