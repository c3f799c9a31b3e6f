/* SPDX-License-Identifier: Apache-2.0
 *
 * Sectors that memory answers with an error, behind a cache that keeps what stores write (writes_back): one that is
 * read all the same has come from stores alone, every byte of it.
 */
#include <stdlib.h>

#include "cosim/checker/internal.h"

enum { KEPT_MOST = 1 << 20 }; /* sectors; of more nobody asks */

bool kept_allocate(struct checker *c) {
  const struct heddle_errors *e = &c->launch->errors;
  if (!c->cfg.writes_back || e->limit == 0) return true;
  const uint64_t first = e->base / RECORD_SECTOR, end = (e->limit + RECORD_SECTOR - 1) / RECORD_SECTOR;
  if (end - first > KEPT_MOST) return true;
  c->kept_first = first;
  c->kept_count = end - first;
  c->kept = calloc(c->kept_count, sizeof *c->kept);
  return c->kept != NULL;
}

bool kept_read(struct checker *c, uint64_t sector) {
  const uint64_t at = sector - c->kept_first;
  if (sector < c->kept_first || at >= c->kept_count || c->kept[at] == UINT32_MAX ||
      !checker_on(c, CHECKER_PERFORM_RESULT))
    return true;
  return differ(c, CHECKER_PERFORM_RESULT, "sector",
                "memory answers sector 0x%llx with an error, and stores have not written all of it",
                (unsigned long long)sector * RECORD_SECTOR);
}

void kept_write(struct checker *c, uint64_t sector, uint32_t bytes) {
  const uint64_t at = sector - c->kept_first;
  if (sector >= c->kept_first && at < c->kept_count) c->kept[at] |= bytes;
}
