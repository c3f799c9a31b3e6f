/* SPDX-License-Identifier: Apache-2.0
 * Where memory answers with errors, in programs that are meant to trap there. */
#include <stdlib.h>

#include "lab/verify/random/node.h"
#include "base/splitmix64.h"

/* In the local memory of a warp slot that the first block has: of thread 0 a word that nobody else uses, and what lies
 * beside it. Word w of lane l lies at 128 w + 4 l. */
static void place_local(struct random_launch *l, struct random_program *p) {
  if (p->local_more > LOCAL_ERROR_BYTES) p->local_more -= LOCAL_ERROR_BYTES; /* there may be no more */
  const unsigned first = random_local(p), slot = random_below(p, random_warps(p));
  const unsigned word = first / 4 + random_below(p, LOCAL_ERROR_BYTES / 4);
  const unsigned back = random_below(p, 128 * word - 32 * first + 1), more = random_below(p, 256);
  l->error_in = RANDOM_ERRORS_LOCAL;
  l->error_at = (size_t)slot * 32 * (first + LOCAL_ERROR_BYTES) + 128 * word - back;
  l->error_bytes = back + 1 + more;
  p->error_word = word;
}

/* Behind all else in `out`: a line's worth of bytes, or some of them, which accesses then meet first. */
static void place_out(struct random_launch *l, struct random_program *p) {
  const unsigned from = ((unsigned)l->out_bytes + 15) / 16 * 16, part = 16 * random_below(p, ERROR_BYTES / 16);
  l->error_at = from;
  l->error_bytes = ERROR_BYTES;
  if (random_chance(p, 50)) {
    l->error_at += part;
    l->error_bytes = 1 + random_below(p, ERROR_BYTES - part);
  }
  l->out_bytes = from + ERROR_BYTES + ERROR_BEHIND;
}

/* Sectors after `out`, lines after a bank's end, or the last words of the code. */
bool random_place_errors(struct random_program *p) {
  struct random_launch *l = &p->launch;
  const unsigned b = 1 + random_below(p, 2);
  if (random_chance(p, 20)) {
    p->tail = TAIL_ERRORS;
    l->error_in = RANDOM_ERRORS_CODE;
    l->error_at = 16 * (1 + random_below(p, 3));
    l->error_bytes = 1 + random_below(p, (unsigned)l->error_at);
    return true;
  }
  if (random_chance(p, 20)) {
    place_local(l, p);
    return true;
  }
  if (p->bank_used[b] == 0 || random_chance(p, 60)) {
    place_out(l, p);
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
