/* SPDX-License-Identifier: Apache-2.0
 *
 * What the local memory of all warp slots must hold at the end: what stores wrote, each in the slice of its SM and
 * slot, in the order in which they were performed; elsewhere what it held before. The values are the model's.
 */
#include <stdlib.h>

#include "cosim/checker/internal.h"

/* Of a byte: 0, nobody has stored; else STORED and the bits that are defined. */
enum { STORED = 0x100, DEFINED = 0xff };

bool local_image_allocate(struct heddle_checker *c) {
  struct local_image *i = &c->local_image;
  i->bytes = (uint64_t)c->warps * c->launch->local_bytes * HEDDLE_RECORD_LANES;
  if (i->bytes == 0) return true;
  i->is = calloc(1, i->bytes);
  i->how = calloc(i->bytes, sizeof *i->how);
  return i->is != NULL && i->how != NULL;
}

void local_image_free(struct heddle_checker *c) {
  free(c->local_image.is);
  free(c->local_image.how);
}

void local_image_store(struct heddle_checker *c, const struct heddle_record_global *r, unsigned k, unsigned bytes) {
  struct local_image *i = &c->local_image;
  const struct entry *e = c->e;
  const uint64_t at = local_at(c, c->w, r->sector) - c->launch->local_at;
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t first = at + l % 8 * 4 + e->fx.mem_addr[l] % 4;
    if (first + bytes > i->bytes) continue; /* only when a check of addresses is switched off */
    const uint32_t open = (e->fx.src_unknown[1] >> l & 1) != 0 ? e->fx.src_bits[1][k][l] : 0;
    for (unsigned b = 0; b < bytes; b++) {
      i->is[first + b] = (uint8_t)(e->fx.src[1][k][l] >> 8 * b);
      i->how[first + b] = (uint16_t)(STORED | (~open >> 8 * b & DEFINED));
    }
  }
}

/* What was stored there, or what was there before. */
static uint8_t expected(const struct local_image *i, const uint8_t *before, uint64_t at) {
  return i->how[at] == 0 ? before[at] : i->is[at];
}

static bool wrong_at(const struct heddle_checker *c, const uint8_t *before, const uint8_t *after, uint64_t at) {
  const struct local_image *i = &c->local_image;
  const unsigned bits = i->how[at] == 0 ? DEFINED : i->how[at] & DEFINED;
  if (((after[at] ^ expected(i, before, at)) & bits) == 0) return false;
  return !c->cfg.writes_back || c->missing == NULL || !c->missing(c->missing_ctx, c->launch->local_at + at);
}

bool heddle_checker_local(struct heddle_checker *c, const uint8_t *before, const uint8_t *after) {
  const struct local_image *i = &c->local_image;
  const uint64_t base = c->launch->local_at;
  uint64_t at = 0, wrong = 0;
  if (c->first.kind != HEDDLE_CHECKER_NONE) return false;
  c->w = NULL;
  c->e = NULL;
  c->stats.bytes_compared += i->bytes;
  for (uint64_t b = i->bytes; b-- > 0 && checker_on(c, HEDDLE_CHECKER_MEMORY_FINAL);) {
    if (!wrong_at(c, before, after, b)) continue;
    at = b;
    wrong++;
  }
  if (wrong == 0) return true;
  char subject[48];
  snprintf(subject, sizeof subject, "byte 0x%llx", (unsigned long long)(base + at));
  (void)differ(c, HEDDLE_CHECKER_MEMORY_FINAL, subject,
               "%llu byte(s) of local memory differ; the first at 0x%llx%s: expected 0x%02x, got 0x%02x",
               (unsigned long long)wrong, (unsigned long long)(base + at),
               i->how[at] == 0 ? ", where no thread has stored" : "", expected(i, before, at), after[at]);
  c->first.cycle = c->last_cycle;
  return false;
}
