/* SPDX-License-Identifier: Apache-2.0
 * Page tables, built and walked by the host. */
#include <heddle/pages.h>

#include <stddef.h>

#include "base/options.h"

#define TOP 3u /* level of the root */
#define HIGHEST (UINT64_C(1) << HEDDLE_VIRTUAL_BITS)
#define PHYSICAL (UINT64_C(1) << 40)
#define FLAGS                                                                                                          \
  (HEDDLE_ENTRY_WRITE | HEDDLE_ENTRY_GLOBAL | HEDDLE_ENTRY_ACCESSED | HEDDLE_ENTRY_DIRTY | HEDDLE_ENTRY_SOFTWARE)
#define KNOWN (HEDDLE_ENTRY_PLACE | FLAGS | HEDDLE_ENTRY_PAGE | HEDDLE_ENTRY_PRESENT)

static unsigned shift_of(unsigned level) {
  return 12 + 9 * level;
}

static uint64_t entry_address(uint64_t table, unsigned level, uint64_t virt) {
  const uint64_t entries = level == TOP ? 1024 : 512;
  return table + 8 * ((virt >> shift_of(level)) % entries);
}

enum heddle_error heddle_pages_new(const struct heddle_page_memory *given, uint64_t *root) {
  struct heddle_page_memory own;
  const struct heddle_page_memory *m = &own;
  if (!options_take(&own, sizeof own, given)) return HEDDLE_ERROR_INVALID_VALUE;
  *root = m->table(m->self, HEDDLE_PAGE_ROOT);
  return *root != 0 ? HEDDLE_SUCCESS : HEDDLE_ERROR_OUT_OF_MEMORY;
}

/* One entry that is present, by the rules that hardware has. */
static bool well_formed(uint64_t entry, unsigned level) {
  const bool page = (entry & HEDDLE_ENTRY_PAGE) != 0;
  if ((entry & ~KNOWN) != 0) return false;
  if (!page) return level != 0 && (entry & FLAGS & ~(uint64_t)HEDDLE_ENTRY_SOFTWARE) == 0;
  return level == 0 || (level == 1 && (entry & HEDDLE_ENTRY_PLACE) % HEDDLE_PAGE_BIG == 0);
}

static enum heddle_error walk(const struct heddle_page_memory *m, uint64_t root, uint64_t virt,
                              struct heddle_page *out) {
  uint64_t table = root;
  *out = (struct heddle_page){.size = sizeof *out, .level = TOP};
  if (virt >= HIGHEST) return HEDDLE_ERROR_INVALID_ADDRESS;
  for (;; out->level--) {
    out->entry_at = entry_address(table, out->level, virt);
    if (!m->read(m->self, out->entry_at, &out->entry)) return HEDDLE_ERROR_BUS;
    if ((out->entry & HEDDLE_ENTRY_PRESENT) == 0) return HEDDLE_ERROR_INVALID_ADDRESS;
    if (!well_formed(out->entry, out->level)) return HEDDLE_ERROR_INVALID_IMAGE;
    table = out->entry & HEDDLE_ENTRY_PLACE;
    if ((out->entry & HEDDLE_ENTRY_PAGE) != 0) break;
  }
  out->at = table + virt % (UINT64_C(1) << shift_of(out->level));
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_pages_find(const struct heddle_page_memory *m, uint64_t root, uint64_t virt,
                                    struct heddle_page *out) {
  struct heddle_page_memory memory;
  struct heddle_page found;
  if (!options_take(&memory, sizeof memory, m) || !options_sized(out)) return HEDDLE_ERROR_INVALID_VALUE;
  const enum heddle_error e = walk(&memory, root, virt, &found);
  options_give(out, sizeof found, &found);
  return e;
}

static enum heddle_error set_page_entry(const struct heddle_page_memory *m, uint64_t at, uint64_t entry) {
  uint64_t old;
  return m->exchange(m->self, at, entry, &old) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

/* The table of the next level, which is made if it is absent. */
static enum heddle_error table_below(const struct heddle_page_memory *m, uint64_t at, unsigned level, uint64_t *table) {
  uint64_t entry;
  if (!m->read(m->self, at, &entry)) return HEDDLE_ERROR_BUS;
  if ((entry & HEDDLE_ENTRY_PRESENT) == 0) {
    const uint64_t fresh = m->table(m->self, HEDDLE_PAGE_SMALL);
    if (fresh == 0) return HEDDLE_ERROR_OUT_OF_MEMORY;
    *table = fresh;
    return set_page_entry(m, at, fresh | HEDDLE_ENTRY_PRESENT);
  }
  *table = entry & HEDDLE_ENTRY_PLACE;
  if (!well_formed(entry, level)) return HEDDLE_ERROR_INVALID_IMAGE;
  return (entry & HEDDLE_ENTRY_PAGE) != 0 ? HEDDLE_ERROR_INVALID_ADDRESS : HEDDLE_SUCCESS;
}

static bool may_be(uint64_t virt, uint64_t phys, uint64_t bytes, uint64_t flags) {
  const bool size = bytes == HEDDLE_PAGE_SMALL || bytes == HEDDLE_PAGE_BIG;
  return size && virt % bytes == 0 && phys % bytes == 0 && virt < HIGHEST && phys < PHYSICAL &&
         (flags & ~(uint64_t)FLAGS) == 0;
}

enum heddle_error heddle_pages_map(const struct heddle_page_memory *given, uint64_t root, uint64_t virt, uint64_t phys,
                                   uint64_t bytes, uint64_t flags) {
  struct heddle_page_memory own;
  const struct heddle_page_memory *m = &own;
  const unsigned last = bytes == HEDDLE_PAGE_BIG ? 1 : 0;
  uint64_t table = root, entry;
  if (!options_take(&own, sizeof own, given) || !may_be(virt, phys, bytes, flags)) return HEDDLE_ERROR_INVALID_VALUE;
  for (unsigned level = TOP; level > last; level--) {
    const enum heddle_error e = table_below(m, entry_address(table, level, virt), level, &table);
    if (e != HEDDLE_SUCCESS) return e;
  }
  const uint64_t at = entry_address(table, last, virt);
  if (!m->read(m->self, at, &entry)) return HEDDLE_ERROR_BUS;
  if ((entry & HEDDLE_ENTRY_PRESENT) != 0) return HEDDLE_ERROR_INVALID_ADDRESS;
  return set_page_entry(m, at, phys | flags | HEDDLE_ENTRY_PAGE | HEDDLE_ENTRY_PRESENT);
}

enum heddle_error heddle_pages_unmap(const struct heddle_page_memory *given, uint64_t root, uint64_t virt,
                                     uint64_t *was) {
  struct heddle_page_memory own;
  const struct heddle_page_memory *m = &own;
  struct heddle_page p;
  uint64_t old;
  if (!options_take(&own, sizeof own, given)) return HEDDLE_ERROR_INVALID_VALUE;
  const enum heddle_error e = walk(m, root, virt, &p);
  if (e != HEDDLE_SUCCESS) return e;
  if (!m->exchange(m->self, p.entry_at, 0, &old)) return HEDDLE_ERROR_BUS;
  if (was != NULL) *was = old;
  return HEDDLE_SUCCESS;
}

/* Stretches of 2^shift bytes that [virt, last] has a part in. */
static uint64_t touched(uint64_t virt, uint64_t last, unsigned shift) {
  return (last >> shift) - (virt >> shift) + 1;
}

uint64_t heddle_pages_bytes(uint64_t virt, uint64_t bytes, uint64_t page) {
  if (bytes == 0) return 0;
  const uint64_t last = virt + bytes - 1;
  uint64_t tables = touched(virt, last, shift_of(3)) + touched(virt, last, shift_of(2));
  if (page == HEDDLE_PAGE_SMALL) tables += touched(virt, last, shift_of(1));
  return tables * HEDDLE_PAGE_SMALL;
}
