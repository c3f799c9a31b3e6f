/* SPDX-License-Identifier: Apache-2.0
 * Where memory answers with errors, in programs that are meant to trap there. */
#include <stdlib.h>

#include "verify/random/node.h"
#include "isa/util/splitmix64.h"

/* In the local memory of warp slot 0, which some warp has: of thread 0 a word that nobody else uses, and what lies
 * beside it. Word w of lane l lies at 128 w + 4 l. */
static void place_local(struct random_launch *l, struct random_program *p) {
  const unsigned first = LOCAL_BYTES + LOCAL_STACK_BYTES, word = first / 4 + random_below(p, LOCAL_ERROR_BYTES / 4);
  const unsigned back = random_below(p, 128 * word - 32 * first + 1), more = random_below(p, 256);
  l->error_in = RANDOM_ERRORS_LOCAL;
  l->error_at = 128 * word - back;
  l->error_bytes = back + 1 + more;
  p->error_word = word;
}

/* Sectors after `out`, lines after a bank's end, or the last words of the code. */
bool random_place_errors(struct random_program *p) {
  struct random_launch *l = &p->launch;
  const unsigned b = 1 + random_below(p, 2);
  if (random_chance(p, 30)) {
    p->tail = TAIL_ERRORS;
    l->error_in = RANDOM_ERRORS_CODE;
    l->error_at = 16 * (1 + random_below(p, 3));
    l->error_bytes = 1 + random_below(p, (unsigned)l->error_at);
    return true;
  }
  if (random_chance(p, 15)) {
    place_local(l, p);
    return true;
  }
  if (p->bank_used[b] == 0 || random_chance(p, 50)) {
    l->error_at = l->out_bytes;
    l->error_bytes = ERROR_BYTES;
    l->out_bytes += ERROR_BYTES;
    return true;
  }
  l->error_in = b == 1 ? RANDOM_ERRORS_BANK1 : RANDOM_ERRORS_BANK2;
  l->error_at = (p->bank_used[b] + BANK_LINE - 1) / BANK_LINE * BANK_LINE;
  l->bank_bytes[b] = (uint32_t)(l->error_at + 3 * BANK_LINE); /* errors are in the first, or in the first two */
  uint8_t *bytes = realloc(p->bank[b], l->bank_bytes[b]);
  if (!bytes) return false;
  l->bank[b] = p->bank[b] = bytes;
  for (uint32_t i = p->bank_used[b]; i < l->bank_bytes[b]; i++) bytes[i] = (uint8_t)splitmix64(&p->rng);
  l->error_at += random_below(p, BANK_LINE); /* in the first line, and often in the second */
  l->error_bytes = 1 + random_below(p, random_chance(p, 50) ? 8 : BANK_LINE); /* a part of a line, or of two */
  return true;
}
