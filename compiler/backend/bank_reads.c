/* SPDX-License-Identifier: Apache-2.0
 * What an instruction reads from the banks of registers. */
#include "bank_reads.h"

enum { RESULT = 3 };

static void note_bank_slot(const struct mir_function *f, const struct mir_insn *i, const struct mir_operand *x,
                           unsigned slot, struct bank_use *u) {
  if (x->kind != MIR_REG || x->class != MIR_R) return;
  u->reg[slot] = (uint8_t)(f->vreg[x->reg].phys + x->sub);
  u->words[slot] = (uint8_t)mir_words(i, slot);
}

struct bank_use bank_use_of(const struct mir_function *f, const struct mir_insn *i) {
  struct bank_use u = {.words = {0}};
  for (unsigned slot = 0; slot < RESULT; slot++) note_bank_slot(f, i, &i->src[slot], slot, &u);
  note_bank_slot(f, i, &i->rd, RESULT, &u);
  return u;
}

/* Does p leave the register in the reuse cache for others that name it in the same place? */
static bool leaves_cached(const struct bank_use *p, unsigned slot, unsigned reg) {
  if (!p || p->words[slot] != 1 || p->reg[slot] != reg) return false;
  return reg < p->reg[RESULT] || reg >= (unsigned)p->reg[RESULT] + p->words[RESULT];
}

unsigned bank_reads(struct bank_before before, bool at_once, const struct bank_use *i,
                    unsigned number[BANK_READS_MAX]) {
  unsigned n = 0;
  for (unsigned slot = 0; slot < RESULT; slot++)
    for (unsigned w = 0; w < i->words[slot] && n < BANK_READS_MAX; w++) {
      const unsigned r = (unsigned)i->reg[slot] + w;
      bool seen = i->words[slot] == 1 && leaves_cached(before.last, slot, r) &&
                  (!at_once || leaves_cached(before.earlier, slot, r));
      for (unsigned j = 0; j < n; j++) seen = seen || number[j] == r;
      if (!seen) number[n++] = r;
    }
  return n;
}

static unsigned conflicts(struct bank_before before, bool at_once, const struct bank_use *i) {
  unsigned number[BANK_READS_MAX], in[BANKS] = {0}, most = 1;
  const unsigned n = bank_reads(before, at_once, i, number);
  for (unsigned k = 0; k < n; k++)
    if (++in[number[k] % BANKS] > most) most = in[number[k] % BANKS];
  return most - 1;
}

unsigned bank_conflicts(struct bank_before before, const struct bank_use *i) {
  return conflicts(before, false, i) + conflicts(before, true, i);
}
