/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch hands to hardware: constant bank 0, and launch registers. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <heddle/explain.h>
#include <heddle/host.h>
#include "base/options.h"
#include "isa/lib/message.h"

enum { NAME = 320 }; /* of a kernel: the rest of a sentence has room beside it in a message */

enum heddle_refuse heddle_host_check_shape(const uint32_t grid[3], const uint32_t block[3]) {
  for (unsigned d = 0; d < 3; d++)
    if (grid[d] == 0) return HEDDLE_REFUSE_GRID;
  const bool fits =
      block[0] <= HEDDLE_BLOCK_XY_MAX && block[1] <= HEDDLE_BLOCK_XY_MAX && block[2] <= HEDDLE_BLOCK_Z_MAX;
  const uint64_t threads = fits ? (uint64_t)block[0] * block[1] * block[2] : 0;
  return threads == 0 || threads > HEDDLE_BLOCK_THREADS_MAX ? HEDDLE_REFUSE_BLOCK : HEDDLE_REFUSE_NONE;
}

enum heddle_error heddle_host_check_block(const struct heddle_kernel *k, const uint32_t block[3],
                                          struct heddle_message *msg) {
  const struct heddle_promise *p = &k->promise;
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
  char name[NAME];
  message_clear(msg);
  if (p->block[0] != 0 && memcmp(p->block, block, sizeof p->block) != 0)
    return message_fail(msg, HEDDLE_ERROR_LAUNCH_SHAPE, NULL,
                        "kernel '%s' requires blocks of %ux%ux%u (.reqntid); the launch has %ux%ux%u",
                        heddle_name_text(k->name, name, sizeof name), p->block[0], p->block[1], p->block[2], block[0],
                        block[1], block[2]);
  if (p->threads == 0 || threads <= p->threads) return HEDDLE_SUCCESS;
  return message_fail(msg, HEDDLE_ERROR_LAUNCH_SHAPE, NULL,
                      "kernel '%s' takes blocks of at most %u threads (.maxntid); the launch has %ux%ux%u",
                      heddle_name_text(k->name, name, sizeof name), p->threads, block[0], block[1], block[2]);
}

enum heddle_error heddle_host_check_address(const struct heddle_kernel *k, uint32_t i, const void *value,
                                            struct heddle_message *msg) {
  const struct heddle_param *p = &k->param[i];
  const uint8_t *byte = value;
  uint64_t at = 0;
  char name[NAME];
  message_clear(msg);
  for (uint32_t b = 0; p->align != 0 && b < p->size && b < sizeof at; b++) at |= (uint64_t)byte[b] << (8 * b);
  if (p->align == 0 || at % p->align == 0) return HEDDLE_SUCCESS;
  return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                      "kernel '%s': argument %u (%s) is promised to be a multiple of %u (.ptr .align); it is 0x%llx",
                      heddle_name_text(k->name, name, sizeof name), i, p->name, p->align, (unsigned long long)at);
}

uint32_t heddle_host_block_threads(const struct heddle_promise *p) {
  uint64_t most = HEDDLE_BLOCK_THREADS_MAX;
  const uint64_t required = (uint64_t)p->block[0] * p->block[1];
  if (p->threads != 0 && p->threads < most) most = p->threads;
  if (required != 0 && required < most && required * p->block[2] < most) most = required * p->block[2];
  return (uint32_t)most;
}

uint32_t heddle_bank0_bytes(const struct heddle_kernel *k) {
  return (HEDDLE_BANK0_PARAMS + k->param_bytes + 15) / 16 * 16;
}

static void put_little_endian(uint8_t *at, uint64_t v, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(v >> (8 * i));
}

void heddle_bank0_fill(uint8_t *bank, const struct heddle_kernel *k, const uint32_t grid[3], const uint32_t block[3],
                       uint64_t globals) {
  static const uint32_t ntid[3] = {HEDDLE_BANK0_NTID_X, HEDDLE_BANK0_NTID_Y, HEDDLE_BANK0_NTID_Z};
  static const uint32_t nctaid[3] = {HEDDLE_BANK0_NCTAID_X, HEDDLE_BANK0_NCTAID_Y, HEDDLE_BANK0_NCTAID_Z};
  memset(bank, 0, heddle_bank0_bytes(k));
  for (unsigned d = 0; d < 3; d++) {
    put_little_endian(bank + ntid[d], block[d], 4);
    put_little_endian(bank + nctaid[d], grid[d], 4);
  }
  put_little_endian(bank + HEDDLE_BANK0_STACK, k->local_bytes, 4);
  put_little_endian(bank + HEDDLE_BANK0_GLOBALS, globals, 8);
}

void heddle_bank0_environment(uint8_t *bank, const uint32_t words[4]) {
  for (unsigned i = 0; i < 4; i++) put_little_endian(bank + HEDDLE_BANK0_ENVIRONMENT(i), words[i], 4);
}

void heddle_bank0_shared(uint8_t *bank, uint32_t bytes) {
  put_little_endian(bank + HEDDLE_BANK0_SHARED, bytes, 4);
}

void heddle_bank0_param(uint8_t *bank, const struct heddle_kernel *k, uint32_t i, const void *value) {
  memcpy(bank + HEDDLE_BANK0_PARAMS + k->param[i].offset, value, k->param[i].size);
}

/* Struct heddle_host_launch to launch registers and back, for driver, sessions and boards: one table says which
 * register holds which member (docs/how-a-launch-travels.md, B 11, C 3). */

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

enum heddle_error heddle_host_launch_write(const struct heddle_host_launch *l, heddle_host_write write32, void *self) {
  return heddle_host_launch_change(l, NULL, write32, self);
}

enum heddle_error heddle_host_launch_change(const struct heddle_host_launch *l, const struct heddle_host_launch *was,
                                            heddle_host_write write32, void *self) {
  struct heddle_host_launch now, before;
  if (!options_take(&now, sizeof now, l) || (was != NULL && !options_take(&before, sizeof before, was)))
    return HEDDLE_ERROR_INVALID_VALUE;
  return write_rows(&now, was != NULL ? &before : NULL, write32, self) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
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

enum heddle_error heddle_host_launch_read(struct heddle_host_launch *l, heddle_host_read read32, void *self) {
  struct heddle_host_launch own;
  if (!options_take(&own, sizeof own, l)) return HEDDLE_ERROR_INVALID_VALUE;
  const bool ok = read_rows(&own, read32, self);
  options_give(l, sizeof own, &own);
  return ok ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}
