/* SPDX-License-Identifier: Apache-2.0
 * Struct heddle_host_launch to launch registers and back, for driver, sessions and boards: one table says which
 * register holds which member (docs/how-a-launch-travels.md, B 11, C 3). */
#include <heddle/host.h>

#include <stddef.h>

#include "base/options.h"

/* `count` registers, `every` bytes apart, that hold the elements of a member of 4 or 8 bytes each. */
struct row {
  uint32_t reg, every, count;
  size_t at, bytes;
};

#define ONE(reg, member)                                                                                               \
  { reg, 0, 1, offsetof(struct heddle_host_launch, member), sizeof(((struct heddle_host_launch *)0)->member) }
#define EACH(first, second, count, member)                                                                             \
  {                                                                                                                    \
    first, (second) - (first), count, offsetof(struct heddle_host_launch, member),                                     \
        sizeof(((struct heddle_host_launch *)0)->member[0])                                                            \
  }

static const struct row rows[] = {
    EACH(HEDDLE_REG_GRID_X, HEDDLE_REG_GRID_Y, 3, grid),
    EACH(HEDDLE_REG_BLOCK_X, HEDDLE_REG_BLOCK_Y, 3, block),
    ONE(HEDDLE_REG_ENTRY_PC, entry_pc),
    ONE(HEDDLE_REG_REGS, regs),
    ONE(HEDDLE_REG_SHARED_BYTES, shared_bytes),
    ONE(HEDDLE_REG_MODE, mode),
    ONE(HEDDLE_REG_CODE_BASE, code_base),
    ONE(HEDDLE_REG_CODE_BYTES, code_bytes),
    EACH(HEDDLE_REG_CBANK_BASE(0), HEDDLE_REG_CBANK_BASE(1), HEDDLE_CBANKS, cbank_base),
    EACH(HEDDLE_REG_CBANK_BYTES(0), HEDDLE_REG_CBANK_BYTES(1), HEDDLE_CBANKS, cbank_bytes),
    EACH(HEDDLE_REG_REGION_BASE(0), HEDDLE_REG_REGION_BASE(1), HEDDLE_REGIONS, region_base),
    EACH(HEDDLE_REG_REGION_LIMIT(0), HEDDLE_REG_REGION_LIMIT(1), HEDDLE_REGIONS, region_limit),
    ONE(HEDDLE_REG_REGION_WRITE, region_write),
    ONE(HEDDLE_REG_LOCAL_BASE, local_base),
    ONE(HEDDLE_REG_LOCAL_BYTES, local_bytes),
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Of launches with pages alone: a device without an MMU is not told of any. */
static const struct row page_rows[] = {ONE(HEDDLE_REG_PAGE_ROOT, page_root), ONE(HEDDLE_REG_SPACE, space)};
enum { PAGE_ROWS = sizeof page_rows / sizeof *page_rows };

static uint64_t member_value(const struct row *r, const void *at) {
  return r->bytes == 8 ? *(const uint64_t *)at : *(const uint32_t *)at;
}

/* `was`: what the registers hold; NULL: nobody knows. */
static bool write_row(const struct row *r, const uint8_t *from, const uint8_t *was, heddle_host_write write32,
                      void *self) {
  for (uint32_t i = 0; i < r->count; i++) {
    const uint32_t reg = r->reg + i * r->every;
    const uint64_t v = member_value(r, from + i * r->bytes),
                   old = was != NULL ? member_value(r, was + i * r->bytes) : ~v;
    if ((uint32_t)v != (uint32_t)old && !write32(self, reg, (uint32_t)v)) return false;
    if (r->bytes == 8 && v >> 32 != old >> 32 && !write32(self, reg + 4, (uint32_t)(v >> 32))) return false;
  }
  return true;
}

static bool has_pages(const struct heddle_host_launch *l) {
  return (l->mode & HEDDLE_MODE_PAGES) != 0;
}

static bool write_table(const struct row *r, unsigned count, const struct heddle_host_launch *l,
                        const struct heddle_host_launch *was, heddle_host_write write32, void *self) {
  for (unsigned i = 0; i < count; i++) {
    const size_t at = r[i].at;
    if (!write_row(&r[i], (const uint8_t *)l + at, was != NULL ? (const uint8_t *)was + at : NULL, write32, self))
      return false;
  }
  return true;
}

/* A launch without pages has left what there was of one with them. */
static bool write_rows(const struct heddle_host_launch *l, const struct heddle_host_launch *was,
                       heddle_host_write write32, void *self) {
  if (!write_table(rows, ROWS, l, was, write32, self)) return false;
  if (!has_pages(l)) return true;
  return write_table(page_rows, PAGE_ROWS, l, was != NULL && has_pages(was) ? was : NULL, write32, self);
}

bool heddle_host_launch_write(const struct heddle_host_launch *l, heddle_host_write write32, void *self) {
  return heddle_host_launch_change(l, NULL, write32, self);
}

bool heddle_host_launch_change(const struct heddle_host_launch *l, const struct heddle_host_launch *was,
                               heddle_host_write write32, void *self) {
  struct heddle_host_launch now, before;
  if (!options_take(&now, sizeof now, l) || (was != NULL && !options_take(&before, sizeof before, was))) return false;
  return write_rows(&now, was != NULL ? &before : NULL, write32, self);
}

static bool read_row(const struct row *r, uint8_t *to, heddle_host_read read32, void *self) {
  for (uint32_t i = 0; i < r->count; i++, to += r->bytes) {
    const uint32_t reg = r->reg + i * r->every;
    uint32_t low = 0, high = 0;
    if (!read32(self, reg, &low) || (r->bytes == 8 && !read32(self, reg + 4, &high))) return false;
    if (r->bytes == 8)
      *(uint64_t *)(void *)to = (uint64_t)high << 32 | low;
    else
      *(uint32_t *)(void *)to = low;
  }
  return true;
}

static bool read_rows(struct heddle_host_launch *l, heddle_host_read read32, void *self) {
  for (unsigned i = 0; i < ROWS; i++)
    if (!read_row(&rows[i], (uint8_t *)l + rows[i].at, read32, self)) return false;
  for (unsigned i = 0; i < PAGE_ROWS && has_pages(l); i++)
    if (!read_row(&page_rows[i], (uint8_t *)l + page_rows[i].at, read32, self)) return false;
  return true;
}

bool heddle_host_launch_read(struct heddle_host_launch *l, heddle_host_read read32, void *self) {
  struct heddle_host_launch own;
  if (!options_take(&own, sizeof own, l)) return false;
  const bool ok = read_rows(&own, read32, self);
  options_give(l, sizeof own, &own);
  return ok;
}
