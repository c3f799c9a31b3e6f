/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoilers of accesses and of the order between instructions.
 */
#ifndef HEDDLE_CONFORM_MUTATIONS_ORDER_H
#define HEDDLE_CONFORM_MUTATIONS_ORDER_H

#include "cosim/kit/conform/fake.h"

bool spoil_perform_access(struct stream *s);
bool spoil_perform_lanes(struct stream *s);
bool spoil_perform_double(struct stream *s);
bool spoil_perform_sector(struct stream *s);
bool spoil_perform_row(struct stream *s);
bool spoil_perform_bank(struct stream *s);
bool spoil_perform_strobe(struct stream *s);
bool spoil_perform_strobe_shared(struct stream *s);
bool spoil_perform_data(struct stream *s);
bool spoil_perform_data_shared(struct stream *s);
bool spoil_perform_result(struct stream *s);
bool spoil_perform_result_shared(struct stream *s);
bool spoil_perform_result_atomic(struct stream *s);
bool spoil_perform_missing(struct stream *s);
bool spoil_perform_extra(struct stream *s);
bool spoil_perform_collide(struct stream *s);
bool spoil_perform_order(struct stream *s);
bool spoil_perform_order_shared(struct stream *s);
bool spoil_perform_stamp(struct stream *s);
bool spoil_perform_stamp_bank(struct stream *s);
bool spoil_perform_after_trap(struct stream *s);
bool spoil_poison_raw(struct stream *s);
bool spoil_poison_raw_cycle(struct stream *s);
bool spoil_poison_raw_raced(struct stream *s);
bool spoil_poison_pending(struct stream *s);
bool spoil_poison_war(struct stream *s);
bool spoil_poison_waw(struct stream *s);
bool spoil_poison_pred_raw(struct stream *s);
bool spoil_poison_pred_waw(struct stream *s);

#endif
