/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: a usual pass over the banks of shared memory, all lanes at once.
 *
 * Usual: words of the SM's memory are words of the block, and no lane's bytes leave a row of the banks. Then a lane is
 * told by the bank of its first word; the others follow.
 */
#ifndef HEDDLE_CHECKER_PASS_H
#define HEDDLE_CHECKER_PASS_H

#include <stdbool.h>

#include <heddle/record.h>

struct pass {
  bool usual;
  unsigned words, bytes;               /* words that a lane touches, bytes of the first one */
  uint32_t mask;                       /* the bits of a word that count */
  uint32_t on[HEDDLE_RECORD_LANES];    /* all ones: the lane takes part */
  uint32_t bank[HEDDLE_RECORD_LANES];  /* of its first word */
  uint32_t shift[HEDDLE_RECORD_LANES]; /* of its first byte in that, in bits */
};

/* Where the lanes of the record lie: accesses of `bytes` at base + addr. False, and not usual: some word's bank is not
 * enabled with that word's row, or another bank is; or the pass is an unusual one. */
bool pass_place(struct pass *p, const struct heddle_record_shared *r, const uint64_t *addr, uint64_t base,
                unsigned bytes);

/* Do the banks show want[word][lane] in all lanes of a usual pass? */
bool pass_shows(const struct pass *p, const uint32_t *banks, const uint32_t (*want)[HEDDLE_RECORD_LANES]);

#endif
