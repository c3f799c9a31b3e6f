/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines that memory answers with an error, behind a cache that keeps what stores write (writes_back): which of their
 * bytes stores have written. A sector in error that is read all the same has come from stores alone, every byte of it;
 * and what they wrote may never arrive in memory.
 */
#include <stdlib.h>

#include "cosim/checker/internal.h"

bool kept_allocate(struct heddle_checker *c) {
  const struct heddle_errors *e = &c->launch->errors;
  if (!c->cfg.writes_back || e->limit == 0) return true;
  uint64_t first = e->base / ANSWER_BYTES, end = (e->limit - 1) / ANSWER_BYTES + 1;
  const uint64_t lines = c->stamps.first + c->stamps.global; /* of memory that the grid may access */
  if (first < c->stamps.first) first = c->stamps.first;
  if (end > lines) end = lines;
  if (end <= first) return true;
  c->kept_first = first * ANSWER_SECTORS;
  c->kept_count = (end - first) * ANSWER_SECTORS;
  c->kept = calloc(c->kept_count, sizeof *c->kept);
  return c->kept != NULL;
}

/* NULL: its line has nothing to do with errors. */
static uint32_t *kept_of(const struct heddle_checker *c, uint64_t sector) {
  const uint64_t at = sector - c->kept_first;
  return sector >= c->kept_first && at < c->kept_count ? &c->kept[at] : NULL;
}

bool kept_read(struct heddle_checker *c, uint64_t sector) {
  const struct heddle_errors *e = &c->launch->errors;
  const uint64_t at = sector * HEDDLE_RECORD_SECTOR;
  const uint32_t *bytes = kept_of(c, sector);
  const bool errs = at < e->limit && at + HEDDLE_RECORD_SECTOR > e->base;
  if (bytes == NULL || !errs || *bytes == UINT32_MAX || !checker_on(c, HEDDLE_CHECKER_PERFORM_RESULT)) return true;
  return differ(c, HEDDLE_CHECKER_PERFORM_RESULT, "sector",
                "memory answers sector 0x%llx with an error, and stores have not written all of it",
                (unsigned long long)at);
}

void kept_write(struct heddle_checker *c, uint64_t sector, uint32_t bytes) {
  uint32_t *of = kept_of(c, sector);
  if (of != NULL) *of |= bytes;
}

bool kept_wrote(const struct heddle_checker *c, uint64_t addr) {
  const uint32_t *bytes = kept_of(c, addr / HEDDLE_RECORD_SECTOR);
  return bytes != NULL && (*bytes >> addr % HEDDLE_RECORD_SECTOR & 1) != 0;
}
