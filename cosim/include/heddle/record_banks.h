/* SPDX-License-Identifier: Apache-2.0
 *
 * A record has HEDDLE_RECORD_BANKS banks of shared memory, whatever the machine has: word w is in bank w mod
 * HEDDLE_RECORD_BANKS, row w / HEDDLE_RECORD_BANKS. The words of one pass of fewer banks never meet there. */
#ifndef HEDDLE_RECORD_BANKS_H
#define HEDDLE_RECORD_BANKS_H

#include <heddle/record.h>

/* A pass as a machine of `banks` banks (a power of two, at most HEDDLE_RECORD_BANKS) shows it becomes one of
 * HEDDLE_RECORD_BANKS. */
static inline void heddle_record_spread_banks(struct heddle_record_shared *r, unsigned banks) {
  if (banks == HEDDLE_RECORD_BANKS) return;
  const struct heddle_record_shared from = *r;
  r->bank_en = 0;
  for (uint32_t rest = from.bank_en & ((1u << banks) - 1); rest != 0; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest), word = from.row[i] * banks + i, to = word % HEDDLE_RECORD_BANKS;
    r->bank_en |= 1u << to;
    r->row[to] = (uint16_t)(word / HEDDLE_RECORD_BANKS);
    r->wstrb[to] = from.wstrb[i];
    r->wdata[to] = from.wdata[i];
    r->rdata[to] = from.rdata[i];
  }
}

#endif
