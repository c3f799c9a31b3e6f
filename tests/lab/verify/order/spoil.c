/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways to spoil a stream, and the axiom that each of them breaks.
 */
#include "spoil.h"

#include <string.h>

#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/stream_find.h"

/* A store of one sector and, in its place, the younger one of the same warp: what they hold changes places, too. */
bool spoil_swap_stores(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_GLOBAL || s->r[i].u.global.access != HEDDLE_RECORD_STORE) continue;
    for (size_t j = i + 1; j < s->n; j++) {
      const struct heddle_record_global *a = &s->r[i].u.global, *b = &s->r[j].u.global;
      if (s->r[j].kind != HEDDLE_RECORD_GLOBAL || b->sector != a->sector || b->id.slot != a->id.slot) continue;
      if (b->id.gen != a->id.gen || b->id.seq <= a->id.seq || b->access != HEDDLE_RECORD_STORE) continue;
      stream_move(s, i, j);
      return true;
    }
  }
  return false;
}

/* Two stores of one warp to two places of shared memory: nobody could see their order, but it is promised. */
static const char program_two[] = ".kernel two\n"
                                  ".param u64 in\n"
                                  ".param u64 out\n"
                                  ".shared buf 1024\n"
                                  "        S2R R0, SR_LANEID ;\n"
                                  "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                                  "        STS [R3+buf], R0 ;\n"
                                  "        STS [R3+buf+0x200], R0 ;\n"
                                  "        EXIT ;\n"
                                  ".end\n";

static bool swap_places(struct stream *s) {
  RECORD_OR_FAIL(first, find_issue(s, 0, ISA_OP_STS));
  RECORD_OR_FAIL(second, next_issue(s, first));
  RECORD_OR_FAIL(a, of_insn(s, first, HEDDLE_RECORD_SHARED));
  RECORD_OR_FAIL(b, last_of_insn(s, second, HEDDLE_RECORD_SHARED));
  stream_move(s, a, b);
  return b > a;
}

/* A load that returns what was there before the latest write: the thread gets it, too. */
static bool stale_load(struct stream *s) {
  for (size_t i = find_kind(s, 0, HEDDLE_RECORD_SHARED); i != NOT_FOUND;
       i = find_kind(s, i + 1, HEDDLE_RECORD_SHARED)) {
    if (s->r[i].u.shared.access != HEDDLE_RECORD_LOAD) continue;
    s->r[i].u.shared.rdata[__builtin_ctz(s->r[i].u.shared.bank_en)] ^= 0x100;
    return true;
  }
  return false;
}

static bool load_result(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_LDG_E));
  s->r[i].u.write.data[1] ^= 0x40;
  return true;
}

static bool atomic_result(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_ATOMG_E));
  s->r[i].u.write.data[__builtin_ctz(s->r[i].u.write.mask)]++;
  return true;
}

static bool result_early(struct stream *s) {
  RECORD_OR_FAIL(issue, find_issue(s, 0, ISA_OP_LDG_E));
  RECORD_OR_FAIL(read, of_insn(s, issue, HEDDLE_RECORD_GLOBAL));
  RECORD_OR_FAIL(result, of_insn(s, issue, HEDDLE_RECORD_WRITE));
  if (result < read) return false;
  stream_move(s, result, read);
  return true;
}

static bool block_early(struct stream *s) {
  RECORD_OR_FAIL(end, find_kind(s, 0, HEDDLE_RECORD_BLOCK_END));
  for (size_t i = end; i-- > 0;)
    if (s->r[i].kind == HEDDLE_RECORD_ISSUE && is_op(&s->r[i], ISA_OP_EXIT)) {
      stream_move(s, end, i);
      return true;
    }
  return false;
}

static bool shared_overlap(struct stream *s) {
  RECORD_OR_FAIL(first, find_kind(s, 0, HEDDLE_RECORD_BLOCK_START));
  RECORD_OR_FAIL(second, find_kind(s, first + 1, HEDDLE_RECORD_BLOCK_START));
  s->r[second].u.block_start.shared_base = s->r[first].u.block_start.shared_base + 4;
  return true;
}

static bool sequence_gap(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_LDG_E));
  s->r[i].u.issue.id.seq++;
  return true;
}

static bool generation(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_GLOBAL));
  s->r[i].u.global.id.gen++;
  return true;
}

/* A store that is younger than what traps, performed as it would be: the highest lane's number at byte 8. */
static bool before_trap(struct stream *s) {
  if (!spoil_perform_after_trap(s)) return false;
  struct heddle_record_global *g = &s->r[find_kind(s, 0, HEDDLE_RECORD_TRAP) - 1].u.global;
  g->wstrb = 0xf00;
  g->wdata[8] = 31;
  return true;
}

static bool behind_trap(struct stream *s) {
  if (!before_trap(s)) return false;
  const size_t t = find_kind(s, 0, HEDDLE_RECORD_TRAP);
  stream_move(s, t, t - 1);
  return true;
}

static bool of_table(struct stream *s, const char *name) {
  for (unsigned k = 0; k < mutation_count; k++)
    if (strcmp(mutations[k].name, name) == 0) return mutations[k].spoil(s);
  return false;
}
static bool barrier_early(struct stream *s) {
  return of_table(s, "barrier_early");
}
static bool barrier_release(struct stream *s) {
  return of_table(s, "barrier_release");
}
static bool fence_access(struct stream *s) {
  return of_table(s, "fence_access");
}
static bool fence_result(struct stream *s) {
  return of_table(s, "fence_result");
}

const struct spoiled spoiled[] = {
    {"swap_stores", program_mix, false, spoil_swap_stores, ORDER_PROGRAM},
    {"order", program_mix, false, spoil_perform_order, ORDER_PROGRAM},
    {"order_shared", program_mix, false, spoil_perform_order_shared, ORDER_READS_FROM}, /* what is stored only later */
    {"swap_places", program_two, false, swap_places, ORDER_PROGRAM},
    {"stale_load", program_mix, false, stale_load, ORDER_READS_FROM},
    {"result", program_mix, false, spoil_perform_result, ORDER_READS_FROM},
    {"result_shared", program_mix, false, spoil_perform_result_shared, ORDER_ATOMICITY},
    {"result_atomic", program_mix, false, spoil_perform_result_atomic, ORDER_ATOMICITY},
    {"data", program_mix, false, spoil_perform_data, ORDER_STORED},
    {"data_shared", program_mix, false, spoil_perform_data_shared, ORDER_STORED},
    {"strobe", program_mix, false, spoil_perform_strobe, ORDER_STORED},
    {"strobe_shared", program_mix, false, spoil_perform_strobe_shared, ORDER_STORED},
    {"load_result", program_mix, false, load_result, ORDER_RESULT},
    {"atomic_result", program_mix, false, atomic_result, ORDER_RESULT},
    {"result_early", program_mix, false, result_early, ORDER_RESULT},
    {"stamp", program_mix, false, spoil_perform_stamp, ORDER_STAMP},
    {"stamp_bank", program_mix, false, spoil_perform_stamp_bank, ORDER_STAMP},
    {"access", program_mix, false, spoil_perform_access, ORDER_ONCE},
    {"double", program_mix, false, spoil_perform_double, ORDER_ONCE},
    {"extra", program_mix, false, spoil_perform_extra, ORDER_RECORD}, /* its operands are nobody's */
    {"missing", program_mix, false, spoil_perform_missing, ORDER_BLOCK},
    {"lanes", program_mix, false, spoil_perform_lanes, ORDER_TOGETHER},
    {"sector", program_mix, false, spoil_perform_sector, ORDER_PLACE},
    {"row", program_mix, false, spoil_perform_row, ORDER_PLACE},
    {"bank", program_mix, false, spoil_perform_bank, ORDER_PLACE},
    {"fence_access", program_mix, false, fence_access, ORDER_FENCE},
    {"fence_result", program_mix, false, fence_result, ORDER_FENCE},
    {"barrier_early", program_mix, false, barrier_early, ORDER_BARRIER},
    {"barrier_release", program_mix, false, barrier_release, ORDER_BARRIER},
    {"block_early", program_mix, false, block_early, ORDER_BLOCK},
    {"shared_overlap", program_mix, false, shared_overlap, ORDER_BLOCK},
    {"before_trap", program_address, true, before_trap, ORDER_TRAP},
    {"behind_trap", program_address, true, behind_trap, ORDER_TRAP},
    {"sequence_gap", program_mix, false, sequence_gap, ORDER_RECORD},
    {"generation", program_mix, false, generation, ORDER_RECORD}};
const unsigned spoiled_count = sizeof spoiled / sizeof *spoiled;
