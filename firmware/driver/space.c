/* SPDX-License-Identifier: Apache-2.0
 * Tables of a context: entries in memory at rest, by EXCHANGE while a grid runs. */
#include "firmware/driver/internal.h"

#include <string.h>

enum { POLL_US = 1, POLLS = 100000, ENTRIES = 512, PAGES_OF_BIG = 512 };

/* ---- what the device does */

static bool wait_clear(struct heddle_context *c, uint32_t bit, uint32_t *status, const char *what) {
  const struct heddle_port *p = &c->device->port;
  for (unsigned i = 0; i < POLLS; i++) {
    if (!driver_read32(c, HEDDLE_REG_STATUS, status)) return false;
    if ((*status & bit) == 0) return true;
    p->wait(p->self, POLL_US);
  }
  (void)driver_fail(c, HEDDLE_ERROR_BUS, "%s does not end, status 0x%x", what, *status);
  return false;
}

bool space_wait(struct heddle_context *c, uint32_t bit, const char *what) {
  uint32_t status = 0;
  return wait_clear(c, bit, &status, what);
}

static bool write64(struct heddle_context *c, uint32_t reg, uint64_t value) {
  return driver_write32(c, reg, (uint32_t)value) && driver_write32(c, reg + 4, (uint32_t)(value >> 32));
}

static bool exchange_entry(struct heddle_context *c, uint64_t at, uint64_t value, uint64_t *old) {
  uint32_t status = 0;
  if (!write64(c, HEDDLE_REG_ENTRY_ADDR, at) || !write64(c, HEDDLE_REG_ENTRY_VALUE, value) ||
      !driver_write32(c, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_EXCHANGE) ||
      !wait_clear(c, HEDDLE_STATUS_EXCHANGING, &status, "EXCHANGE"))
    return false;
  if ((status & HEDDLE_STATUS_EXCHANGE_BAD) == 0) return driver_read64(c, HEDDLE_REG_ENTRY_OLD, old);
  (void)driver_fail(c, HEDDLE_ERROR_BUS, "the device's memory has no page table at 0x%llx", (unsigned long long)at);
  return false;
}

enum heddle_error space_invalidate(struct heddle_context *c, bool all, uint64_t page) {
  const bool ok = driver_write32(c, HEDDLE_REG_TLB_WHAT, all ? HEDDLE_TLB_WHAT_ALL_PAGES : 0) &&
                  driver_write32(c, HEDDLE_REG_TLB_SPACE, SPACE_NUMBER) && write64(c, HEDDLE_REG_TLB_ADDR, page) &&
                  driver_write32(c, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_INVALIDATE) &&
                  space_wait(c, HEDDLE_STATUS_INVALIDATING, "INVALIDATE");
  return ok ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

/* ---- entries */

static uint64_t get_entry(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned k = 0; k < 8; k++) v |= (uint64_t)p[k] << (8 * k);
  return v;
}

static void put_entry(uint8_t *p, uint64_t v) {
  for (unsigned k = 0; k < 8; k++) p[k] = (uint8_t)(v >> (8 * k));
}

/* The host's copy of the entry at a physical address. */
static uint64_t *copy_of(const struct heddle_context *c, uint64_t at) {
  const struct space_frame *f = space_frames_at(c, at);
  return f && f->table ? &f->table[(at - f->at) / 8] : NULL;
}

static bool write_entry(struct heddle_context *c, uint64_t at, uint64_t value, uint64_t *old) {
  uint8_t bytes[8];
  if (c->space.runs) return exchange_entry(c, at, value, old);
  put_entry(bytes, value);
  return driver_write_memory(c, at, bytes, sizeof bytes);
}

enum heddle_error space_swap(struct heddle_context *c, uint64_t entry_at, uint64_t value, uint64_t *old) {
  uint8_t bytes[8];
  *copy_of(c, entry_at) = value;
  bool ok = c->space.runs || driver_read_memory(c, entry_at, bytes, sizeof bytes);
  if (ok && !c->space.runs) *old = get_entry(bytes);
  ok = ok && write_entry(c, entry_at, value, old);
  c->space.spoiled = c->space.spoiled || !ok;
  if (!ok) return HEDDLE_ERROR_BUS;
  return HEDDLE_SUCCESS;
}

/* ---- tables, through heddle/pages.h */

static bool read_copy(void *self, uint64_t at, uint64_t *entry) {
  const uint64_t *copy = copy_of(self, at);
  if (copy) *entry = *copy;
  return copy != NULL;
}

static bool write_copied(void *self, uint64_t at, uint64_t entry, uint64_t *old) {
  struct heddle_context *c = self;
  uint64_t *copy = copy_of(self, at), was = 0;
  if (!copy) return false;
  *old = *copy;
  if (write_entry(c, at, entry, &was)) {
    *copy = entry;
    return true;
  }
  c->space.spoiled = true;
  return false;
}

static bool write_zeros(struct heddle_context *c, uint64_t at) {
  uint8_t zeros[HEDDLE_PAGE_SMALL];
  memset(zeros, 0, sizeof zeros);
  return driver_write_memory(c, at, zeros, sizeof zeros);
}

static bool become_table(struct heddle_context *c, struct space_frame *f) {
  f->table = pool_take(c->device->pool, ENTRIES * sizeof *f->table);
  return f->table && write_zeros(c, f->at);
}

static uint64_t take_table(void *self, uint64_t bytes) {
  struct heddle_context *c = self;
  (void)bytes;
  struct space_frame *f = space_frames_take(c, true);
  if (!f) return 0;
  if (become_table(c, f)) return f->at;
  space_frames_give(c, f);
  return 0;
}

static struct heddle_page_memory tables_of(struct heddle_context *c) {
  return (struct heddle_page_memory){sizeof(struct heddle_page_memory), c, read_copy, write_copied, take_table};
}

enum heddle_error space_map(struct heddle_context *c, uint64_t virt, uint64_t phys, uint64_t bytes, uint64_t flags) {
  const struct heddle_page_memory m = tables_of(c);
  return heddle_pages_map(&m, c->space.root, virt, phys, bytes, flags);
}

enum heddle_error space_prepare(struct heddle_context *c, uint64_t virt, uint64_t bytes) {
  enum heddle_error e = HEDDLE_SUCCESS;
  for (uint64_t at = virt; at < virt + bytes && e == HEDDLE_SUCCESS;
       at = (at / HEDDLE_PAGE_BIG + 1) * HEDDLE_PAGE_BIG) {
    struct heddle_page p = {.size = sizeof p};
    uint64_t old;
    if (space_find(c, at, &p) || p.level == 0) continue;
    e = space_frames_grow(c, SPACE_TABLES, true);
    if (e == HEDDLE_SUCCESS) e = space_map(c, at, 0, HEDDLE_PAGE_SMALL, 0); /* tables stay */
    if (e == HEDDLE_SUCCESS) (void)space_find(c, at, &p);
    if (e == HEDDLE_SUCCESS) e = space_swap(c, p.entry_at, 0, &old);
  }
  if (e != HEDDLE_ERROR_OUT_OF_MEMORY) return e;
  return driver_fail(c, e, "no device memory for page tables of %llu bytes", (unsigned long long)bytes);
}

bool space_find(struct heddle_context *c, uint64_t virt, struct heddle_page *out) {
  const struct heddle_page_memory m = tables_of(c);
  return heddle_pages_find(&m, c->space.root, virt, out) == HEDDLE_SUCCESS;
}

enum heddle_error space_forget(struct heddle_context *c, uint64_t at, uint64_t bytes) {
  struct heddle_page p = {.size = sizeof p};
  uint64_t old, virt = at / HEDDLE_PAGE_SMALL * HEDDLE_PAGE_SMALL;
  if (!c->space.open || bytes == 0) return HEDDLE_SUCCESS;
  while (virt < at + bytes) {
    const bool there = space_find(c, virt, &p);
    if (there) {
      const enum heddle_error e = space_swap(c, p.entry_at, 0, &old);
      if (e != HEDDLE_SUCCESS) return e;
      c->space.stale = true;
    }
    /* all that one entry says */
    virt = (virt >> (12 + 9 * p.level)) + 1;
    virt <<= 12 + 9 * p.level;
  }
  return HEDDLE_SUCCESS;
}

enum heddle_error space_rewrite(struct heddle_context *c) {
  uint8_t bytes[HEDDLE_PAGE_SMALL];
  struct space *s = &c->space;
  s->spoiled = s->stale = true;
  for (size_t i = 0; i < s->chunks; i++)
    for (unsigned k = 0; k < s->chunk[i]->frames; k++) {
      const struct space_frame *f = &s->chunk[i]->frame[k];
      if (!f->table) continue;
      for (unsigned n = 0; n < ENTRIES; n++) put_entry(bytes + 8 * n, f->table[n]);
      if (!driver_write_memory(c, f->at, bytes, sizeof bytes)) return HEDDLE_ERROR_BUS;
    }
  s->spoiled = false;
  return HEDDLE_SUCCESS;
}

enum heddle_error space_open(struct heddle_context *c) {
  struct space_frame *first;
  if (c->space.open) return HEDDLE_SUCCESS;
  const enum heddle_error e = space_frames_take_root(c, &first);
  if (e != HEDDLE_SUCCESS) return e;
  if (!become_table(c, first) || !become_table(c, first + 1)) {
    space_frames_drop(c);
    return HEDDLE_ERROR_HOST_MEMORY;
  }
  c->space.root = first->at;
  c->space.open = c->space.stale = true; /* another context had this number */
  return HEDDLE_SUCCESS;
}

void space_close(struct heddle_context *c) {
  space_frames_drop(c);
}
