/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the back end, behind the allocator: which registers an instruction reads from the banks.
 */
#ifndef HEDDLE_COMPILER_BACKEND_BANKS_H
#define HEDDLE_COMPILER_BACKEND_BANKS_H

#include "compiler/ir/mir.h"

enum { BANKS = 4, BANK_READS_MAX = 8 };

/* An instruction as the banks see it: general registers of a, b, c and of the result, and how many each is. */
struct bank_use {
  uint8_t reg[4], words[4]; /* no words: it is no general register */
};

/* Instructions before this one: the last one, the one before it. NULL: unknown. */
struct bank_before {
  const struct bank_use *last, *earlier;
};

struct bank_use bank_use_of(const struct mir_function *f, const struct mir_insn *i);
/* Numbers of the registers that i reads from the banks, each once. A register that the last instruction has in the
 * same place, unchanged, is in the reuse cache. at_once: only if the earlier one had it too, for with one beat an
 * instruction the last one's operand is not there yet. */
unsigned bank_reads(struct bank_before before, bool at_once, const struct bank_use *i, unsigned number[BANK_READS_MAX]);
/* Cycles a beat more than one that these reads take, for a bank gives a word a cycle: those of both kinds of machines
 * together. */
unsigned bank_conflicts(struct bank_before before, const struct bank_use *i);

#endif
