/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoiled record streams: each must be stopped by one particular check.
 */
#ifndef HEDDLE_CONFORM_MUTATIONS_H
#define HEDDLE_CONFORM_MUTATIONS_H

#include "cosim/kit/conform/fake.h"

enum test_program {
  PROGRAM_MIX,
  PROGRAM_ILLEGAL,
  PROGRAM_ADDRESS,
  PROGRAM_TARGET,
  PROGRAM_UNDEFINED,
  PROGRAM_UNIFORM,
  PROGRAM_LOCAL, /* local_mutations alone */
  PROGRAM_COUNT
};

struct mutation {
  const char *name;
  enum heddle_checker_kind expect;
  enum test_program program;
  bool (*spoil)(struct stream *s); /* false: the stream has no place for it (a fault of the test) */
};

extern const struct mutation mutations[];
extern const unsigned mutation_count;

/* Spoilers of blocks, the warps and registers of them, and of traps. */

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

/* Spoilers of what a record names: slots, machines, barriers, causes that there are not. */

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

/* Spoilers of local memory: of one block of 32 threads, three accesses of a warp under way at once, seed 3. */

extern const struct mutation local_mutations[];
extern const unsigned local_mutation_count;

/* Spoilers of accesses and of the order between instructions. */

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

/* Spoilers of the uniform datapath's records, of program_uniform. */

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

/* Spoilers of what is read and written: operands, registers, predicates. */

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
