/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of the launch that is told: they wait, by warp slot and space, until their cut lets them be performed.
 */
#include <heddle/isa_tables.h>
#include "cosim/digest/internal.h"

#define LINE 128u

void run_fail(struct heddle_digest_judge *j, enum heddle_status s, const char *what) {
  j->over = true;
  switch (s) {
  case HEDDLE_UNDEFINED:
    judge_say(j, HEDDLE_DIGEST_UNDEFINED, "the program: %s", heddle_model_diag(j->model));
    break;
  case HEDDLE_NO_MEMORY:
    judge_say(j, HEDDLE_DIGEST_NO_MEMORY, "no memory for the model");
    break;
  default:
    judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "%s: the model refuses it: %s", what, heddle_model_diag(j->model));
    break;
  }
}

static void put_access(struct queue *q, uint32_t seq, uint32_t lanes, unsigned rd) {
  if (lanes != 0) q->at[(q->head + q->n++) % ACCESSES] = (struct access){seq, lanes, (uint8_t)rd};
}

/* A line each, that of the lowest lane first. */
static void put_lines(struct queue *q, const struct heddle_effect *fx, uint32_t lanes) {
  while (lanes != 0) {
    const uint64_t line = fx->mem_addr[__builtin_ctz(lanes)] / LINE;
    uint32_t in = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      if (fx->mem_addr[l] / LINE == line) in |= UINT32_C(1) << l;
    }
    put_access(q, fx->seq, in, fx->dec.rd);
    lanes &= ~in;
  }
}

static bool perform_access(struct heddle_digest_judge *j, unsigned slot, const struct access *a) {
  struct heddle_performed p;
  struct live *v = &j->live[slot];
  p.rd_words = 0;
  const enum heddle_status s = heddle_perform_values(j->model, slot, a->seq, a->lanes, &p);
  if (s != HEDDLE_OK) {
    run_fail(j, s, "an access");
    return false;
  }
  for (unsigned k = 0; k < p.rd_words; k++)
    if ((p.rd_done >> k & 1u) != 0) made_row(&v->made, a->seq, a->rd + k, p.rd_lanes, p.rd_value[k], p.rd_unknown[k]);
  return true;
}

/* What goes where. Nobody but the thread sees local memory: it is accessed at once. */
void run_accesses(struct heddle_digest_judge *j, unsigned slot, const struct heddle_effect *fx) {
  struct live *v = &j->live[slot];
  uint32_t in[3] = {0, 0, 0};
  for (uint32_t rest = fx->mem_lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t window = fx->mem_addr[l] >> 56;
    const unsigned space = fx->mem_space == ISA_SPACE_GENERIC  ? (unsigned)(window < 2 ? window : 2)
                           : fx->mem_space == ISA_SPACE_GLOBAL ? 0
                           : fx->mem_space == ISA_SPACE_SHARED ? 1
                                                               : 2;
    in[space] |= UINT32_C(1) << l;
  }
  put_lines(&v->queue[SPACE_GLOBAL], fx, in[0]);
  put_access(&v->queue[SPACE_SHARED], fx->seq, in[1], fx->dec.rd);
  const struct access local = {fx->seq, in[2], fx->dec.rd};
  if (in[2] != 0) (void)perform_access(j, slot, &local);
}

/* What no cut names comes last; of a launch without a good end it may not have been at all. */
static bool allowed(struct heddle_digest_judge *j, unsigned slot, enum space space) {
  bool named;
  if (!order_allows(&j->order[space], slot, &named)) return false;
  return named || run_good(j) || j->stage >= STAGE_UNNAMED || block_of(j, &j->live[slot])->ended;
}

bool run_perform(struct heddle_digest_judge *j, unsigned slot, enum space space) {
  struct queue *q = &j->live[slot].queue[space];
  bool moved = false;
  while (q->n != 0 && !run_over(j) && allowed(j, slot, space)) {
    if (!perform_access(j, slot, &q->at[q->head])) return false;
    q->head = (q->head + 1) % ACCESSES;
    q->n--;
    j->stats.accesses[space]++;
    order_performed(&j->order[space], slot);
    moved = true;
  }
  return moved;
}
