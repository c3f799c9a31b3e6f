/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoilers of blocks, the warps and registers of them, and of traps.
 */
#ifndef HEDDLE_CONFORM_MUTATIONS_BLOCKS_H
#define HEDDLE_CONFORM_MUTATIONS_BLOCKS_H

#include "cosim/kit/conform/fake.h"

bool spoil_block_grid(struct stream *s);
bool spoil_block_double(struct stream *s);
bool spoil_block_slots(struct stream *s);
bool spoil_block_warps(struct stream *s);
bool spoil_block_shared(struct stream *s);
bool spoil_block_shared_far(struct stream *s);
bool spoil_registers_overlap(struct stream *s);
bool spoil_registers_far(struct stream *s);
bool spoil_registers_twice(struct stream *s);
bool spoil_registers_missing(struct stream *s);
bool spoil_warp_block(struct stream *s);
bool spoil_block_missing(struct stream *s);
bool spoil_block_end(struct stream *s);
bool spoil_trap_lanes(struct stream *s);
bool spoil_trap_addr(struct stream *s);
bool spoil_trap_missing(struct stream *s);
bool spoil_trap_unexpected(struct stream *s);
bool spoil_issue_after_trap(struct stream *s);
bool spoil_trap_early(struct stream *s);

#endif
