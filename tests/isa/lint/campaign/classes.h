/* SPDX-License-Identifier: Apache-2.0
 *
 * Classes of hazards: which unit makes the result, where it lies, and who comes too early. */
#ifndef HEDDLE_CAMPAIGN_CLASSES_H
#define HEDDLE_CAMPAIGN_CLASSES_H

#include <heddle/checker.h>
#include <heddle/lint.h>

enum hazard_file { FILE_R, FILE_P, FILE_UNIFORM, FILES };
enum hazard_use {
  USE_OPERAND,
  USE_ADDRESS,
  USE_DATA,   /* what a store or an atomic takes along */
  USE_TARGET, /* of a branch through a register */
  USE_GUARD,
  USE_PREDICATE, /* as a source */
  USE_WRITE,     /* written again */
  USE_LEAVE,     /* on its way where an indirect branch leads */
  USES
};

/* One number for a class: unit, file, use; behind them DEPBAR. */
enum { CLASS_DEPBAR = (int)ISA_UNIT_COUNT * FILES * USES, CLASSES };

unsigned class_of(const struct heddle_program *p, const struct heddle_lint_finding *f);
/* Hazards by the table of latencies that today's machines (rtl/issue/README.md) cannot show. A fixed-latency result
 * that another one overtakes, or that outlives a branch through a register: the pipes are too short for either. A
 * conversion used by a memory instruction: one cycle is all that its stall count can lack, and memory operands are read
 * one later. */
bool class_out_of_reach(unsigned class);
void class_name(unsigned class, char *buf, size_t size);

bool poison_is(enum heddle_checker_kind k);
/* Does this finding foretell that poison? `exactly`: at that instruction, else at that register anywhere. */
bool poison_foretold(const struct heddle_lint_finding *f, const struct heddle_checker_difference *d, bool exactly);

#endif
