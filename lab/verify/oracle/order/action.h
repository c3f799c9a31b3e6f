/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory accesses of an instruction's word, and its use of the bytes that are there.
 */
#ifndef ORDER_ACTION_H
#define ORDER_ACTION_H

#include <heddle/isa_tables.h>

#define ACTION_OPERANDS 6u

enum act { ACT_NONE, ACT_LOAD, ACT_STORE, ACT_ATOMIC, ACT_MATRIX, ACT_COPY }; /* COPY: LDGSTS, b a shared address */
struct action {
  enum act act;
  uint8_t space;    /* enum heddle_isa_space */
  uint8_t bytes;    /* of each lane */
  uint8_t words;    /* registers of its result, 0: none */
  uint8_t rd;       /* first of them */
  uint8_t size;     /* loads: ISA_SIZE_* */
  uint8_t aop;      /* atomics: ISA_AOP_* */
  bool cas, wide;   /* wide: the address is a register pair */
  bool strong;      /* at GPU scope: passes a cache by */
  bool copy;        /* LDGSTS, of its load and of its store */
  bool turned;      /* LDSM.MT88 */
  uint8_t matrices; /* LDSM */
  int32_t offset;
  /* Registers of operand words: a 0 and 1, b 2 and 3 (stores to 5), c 4 and 5; ISA_RZ: none, or zero. */
  uint8_t reg[ACTION_OPERANDS];
};
/* False: the word is illegal, or accesses no memory with an order that others see. */
bool order_action_of(struct heddle_isa_word w, struct action *a);
/* Word k of a load's result, from the bytes that were read. */
uint32_t order_action_word(const struct action *a, const uint8_t *bytes, unsigned k);
/* action.c: the new value at p (a->bytes of it); b, c: operands, low word first. */
void order_atomic_apply(const struct action *a, uint8_t *p, const uint32_t b[2], const uint32_t c[2]);

#endif
