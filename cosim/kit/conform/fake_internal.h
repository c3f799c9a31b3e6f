/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the fake implementation.
 */
#ifndef HEDDLE_CONFORM_FAKE_INTERNAL_H
#define HEDDLE_CONFORM_FAKE_INTERNAL_H

#include <assert.h>
#include <string.h>

#include "cosim/kit/conform/fake.h"

#define DEFERRED 8u /* unless the configuration says otherwise */

struct put_off {
  struct heddle_effect fx;
  uint8_t slot;
  bool loaded; /* of a copy: it is to be stored */
};

struct lane_warp {
  bool live, ended;
  uint8_t gen, bslot;
  unsigned n;
  struct put_off *later;
};

struct fake {
  const struct fake_program *p;
  struct fake_config cfg;
  struct stream *s;
  struct heddle_model *m;
  struct lane_warp warp[HEDDLE_RECORD_WARPS];
  bool block_live[HEDDLE_RECORD_WARPS];
  uint64_t block_warps[HEDDLE_RECORD_WARPS];
  uint64_t cycle, rng;
  uint32_t next_block, blocks;
  bool stop;
};

void emit(struct fake *f, struct heddle_retire_record *r);
struct heddle_record_id id_of(const struct fake *f, unsigned slot, uint32_t seq);
uint16_t reg_base_of(const struct fake *f, unsigned slot);
void emit_issue(struct fake *f, unsigned slot, const struct heddle_effect *fx);
void emit_operands(struct fake *f, unsigned slot, const struct heddle_effect *fx);
void emit_writes(struct fake *f, unsigned slot, const struct heddle_effect *fx);
void emit_predicates(struct fake *f, unsigned slot, const struct heddle_effect *fx);
void drain_one(struct fake *f, unsigned slot);
void drain(struct fake *f, unsigned slot);

#endif
