/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/marks_flow.c and marks_rules.c only: one execution of a row operation with an undefined source.
 *
 * A rule is a function from marks and values of the sources to the undefined bits of the results. Sound: a bit that it
 * leaves out may not depend on an undefined one. sem_def.marks names an operation's rule.
 */
#ifndef HEDDLE_CORE_MARKS_FLOW_H
#define HEDDLE_CORE_MARKS_FLOW_H

#include "cmodel/core/execute.h"
#include "cmodel/core/marks.h"

#define PREDS_NAMED 7u /* P0 ... P6 */

struct mark_flow {
  const struct dop *op;
  uint32_t exec, written; /* written: lanes that get results; exec, but all when executing lanes make a uniform one */
  bool warp_wide;         /* the operation looks at other lanes */
  /* sources, in executing lanes */
  const uint32_t *value[3]; /* word 0 of the operands after abs and neg: */
  alignas(64) uint32_t room[3][HEDDLE_LANES];
  struct mark_rows src[3]; /* as they are after abs and neg, too */
  uint32_t ps[3], ps_bad[3];
  uint64_t ps_from[3][HEDDLE_LANES];
  /* P2R: those that it reads; R2P: what it writes is undefined in the lanes p_bad */
  uint32_t p[PREDS_NAMED], p_bad[PREDS_NAMED];
  uint64_t p_from[PREDS_NAMED][HEDDLE_LANES];
  /* results: begin as 0. An origin of 0 stands for that of the first source with a mark */
  struct mark_rows rd;
  uint32_t pd_bad[2];
};

typedef void flow_rule(struct mark_flow *f);

/* All bits from the lowest one of x up: those of a sum to which the bits of x are added. */
static inline uint32_t flow_up(uint32_t x) {
  return x | (0u - x);
}
static inline uint64_t flow_up64(uint64_t x) {
  return x | (UINT64_C(0) - x);
}

/* Executing lanes in which operand k has a mark among the bits `mask` of word 0; in which it has any. */
uint32_t flow_marked(const struct mark_flow *f, unsigned k, uint32_t mask);
uint32_t flow_marked_any(const struct mark_flow *f, unsigned k);
/* All results of these lanes are undefined. */
void flow_spoil(struct mark_flow *f, uint32_t lanes);

/* marks_rules.c: what moves, chooses and combines bits */
flow_rule flow_copy, flow_shift, flow_extend, flow_bytes, flow_shuffle, flow_select, flow_table, flow_predicates,
    flow_predicate, flow_pack_predicates, flow_unpack_predicates, flow_vote;
/* what computes */
flow_rule flow_sum, flow_shifted_sum, flow_shifted_sum_high, flow_product, flow_product_high, flow_compare,
    flow_compare_words, flow_halves, flow_compare_halves, flow_pack_halves, flow_integer, flow_float, flow_matrix,
    flow_all;

#endif
