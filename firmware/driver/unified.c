/* SPDX-License-Identifier: Apache-2.0
 *
 * Unified memory: allocations of the host's memory, whose pages come to the device when a grid asks for them,
 * and go home (frames.c). */
#include "firmware/driver/internal.h"
#include "firmware/driver/space.h"

const struct driver_unified *driver_unified_at(const struct heddle_context *c, uint64_t at, uint64_t bytes) {
  for (const struct driver_unified *u = c->unified; u; u = u->next)
    if (at >= u->at && at - u->at <= u->bytes && bytes <= u->bytes - (at - u->at)) return u;
  return NULL;
}

static void give_unified(const struct heddle_context *c, const struct driver_unified *u) {
  const struct heddle_unified *h = c->device->unified;
  if (h && h->give)
    h->give(h->self, unified_host_of(u->at), u->room);
  else
    pool_give(c->device->pool, u->raw);
}

static bool take_unified(const struct heddle_context *c, struct driver_unified *u) {
  const struct heddle_unified *h = c->device->unified;
  if (h && h->take) {
    u->at = (uint64_t)(uintptr_t)h->take(h->self, u->room);
    return u->at != 0;
  }
  u->raw = pool_take(c->device->pool, u->room + PAGE);
  u->at = ((uint64_t)(uintptr_t)u->raw + PAGE - 1) / PAGE * PAGE;
  return u->raw != NULL;
}

/* A host's address and one of the device's memory may not be the same. */
static enum heddle_error check_place(struct heddle_context *c, const struct driver_unified *u) {
  const struct heddle_port *p = &c->device->port;
  const bool apart = u->at + u->room <= p->memory_base || u->at >= p->memory_base + p->memory_bytes;
  if (u->at % PAGE == 0 && u->at < HOST_HIGHEST && u->room <= HOST_HIGHEST - u->at && apart) return HEDDLE_SUCCESS;
  return driver_fail(c, HEDDLE_ERROR_NOT_SUPPORTED, "the host's memory at 0x%llx can be no address of the device",
                     (unsigned long long)u->at);
}

enum heddle_error heddle_mem_alloc_unified(struct heddle_context *c, uint64_t bytes, uint64_t *address, void **host) {
  if (!c || !address || !host || bytes == 0) return HEDDLE_ERROR_INVALID_VALUE;
  if (!(c->device->units & HEDDLE_CAP_UNITS_MMU))
    return driver_fail(c, HEDDLE_ERROR_NOT_SUPPORTED, "unified memory: the device has no MMU");
  if (bytes > HOST_HIGHEST) return HEDDLE_ERROR_HOST_MEMORY;
  enum heddle_error e = driver_settle(c);
  if (e != HEDDLE_SUCCESS) return e;
  struct driver_unified *u = pool_take(c->device->pool, sizeof *u);
  if (!u) return HEDDLE_ERROR_HOST_MEMORY;
  u->bytes = bytes;
  u->room = (bytes + PAGE - 1) / PAGE * PAGE;
  const bool taken = take_unified(c, u);
  e = taken ? check_place(c, u) : HEDDLE_ERROR_HOST_MEMORY;
  if (e == HEDDLE_SUCCESS) e = space_open(c);
  if (e == HEDDLE_SUCCESS) e = space_prepare(c, u->at, u->room);
  if (e != HEDDLE_SUCCESS) {
    if (taken) give_unified(c, u);
    pool_give(c->device->pool, u);
    if (!c->unified) space_close(c);
    return e;
  }
  u->next = c->unified;
  c->unified = u;
  const struct heddle_watch *w = driver_watch(c);
  if (w) w->allocated(w->self, u->at, bytes, __builtin_return_address(0));
  *address = u->at;
  *host = unified_host_of(u->at);
  return HEDDLE_SUCCESS;
}

/* The last of them takes the tables with it: launches have no pages any more. */
static enum heddle_error drop_unified(struct heddle_context *c, struct driver_unified **link) {
  struct driver_unified *u = *link;
  const enum heddle_error e = driver_unified_host(c, u->at, u->room);
  *link = u->next;
  give_unified(c, u);
  pool_give(c->device->pool, u);
  if (c->unified)
    space_frames_trim(c);
  else
    space_close(c);
  return e;
}

enum heddle_error driver_unified_free(struct heddle_context *c, uint64_t at) {
  struct driver_unified **link = &c->unified;
  while (*link && (*link)->at != at) link = &(*link)->next;
  if (!*link) return HEDDLE_ERROR_NOT_FOUND;
  const struct heddle_watch *w = driver_watch(c);
  if (w) w->allocated(w->self, at, 0, NULL);
  return drop_unified(c, link);
}

void driver_unified_drop(struct heddle_context *c) {
  while (c->unified) (void)drop_unified(c, &c->unified);
}

enum heddle_error heddle_unified_info_sized(const struct heddle_context *c, struct heddle_unified_info *out,
                                            size_t bytes) {
  if (!c || !out) return HEDDLE_ERROR_INVALID_VALUE;
  struct heddle_unified_info info = c->unified_info;
  info.resident = c->space.resident;
  info.frames = c->space.frames;
  return driver_give_out(out, bytes, &info, sizeof info);
}

/* The page server: pages are mapped as grids ask for them, those of unified memory brought from the host; and ahead
 * what a launch begins with. */

enum { AROUND = 65536 /* bytes around a fault that are mapped with it, of memory that lies where its address says */ };

/* ---- what a grid waits for */

struct fault {
  uint64_t page;
  uint32_t info;
};

enum answer { WILD, THERE };

static enum heddle_error bring(struct heddle_context *c, uint64_t page) {
  enum heddle_error e = space_frames_grow(c, 1, false);
  if (e == HEDDLE_SUCCESS) e = unified_evict_until(c, 1);
  if (e != HEDDLE_SUCCESS) return e;
  struct space_frame *f = space_frames_take(c, false);
  if (!f) return driver_fail(c, HEDDLE_ERROR_OUT_OF_MEMORY, "no device memory for pages");
  unified_let_host_write(c, page, false);
  e = driver_write_memory(c, f->at, unified_host_of(page), PAGE) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
  if (e == HEDDLE_SUCCESS) e = space_map(c, page, f->at, PAGE, HEDDLE_ENTRY_WRITE);
  if (e != HEDDLE_SUCCESS) {
    space_frames_give(c, f);
    if (e == HEDDLE_ERROR_BUS) return e;
    return driver_fail(c, e, "page 0x%llx: %s", (unsigned long long)page, heddle_error_text(e));
  }
  space_frames_hold(c, f, page);
  c->unified_info.brought++;
  return HEDDLE_SUCCESS;
}

/* Memory that lies where its address says: the whole 2 MiB where all of it is one allocation's and nothing of it is
 * mapped, else what there is around the page. */
static enum heddle_error map_same(struct heddle_context *c, uint64_t page, enum heap_kind kind) {
  const uint64_t flags = kind == HEAP_DATA ? HEDDLE_ENTRY_WRITE : 0;
  const uint64_t big = page / HEDDLE_PAGE_BIG * HEDDLE_PAGE_BIG, from = page / AROUND * AROUND;
  enum heap_kind here;
  if (kind == HEAP_DATA && heap_holds(&c->heap, big, HEDDLE_PAGE_BIG) &&
      space_map(c, big, big, HEDDLE_PAGE_BIG, flags) == HEDDLE_SUCCESS)
    return HEDDLE_SUCCESS;
  for (uint64_t at = from; at < from + AROUND; at += PAGE) {
    struct heddle_page p = {.size = sizeof p};
    if (!heap_touches(&c->heap, at, PAGE, &here) || (here == HEAP_DATA) != (kind == HEAP_DATA)) continue;
    if (here == HEAP_FRAMES || space_find(c, at, &p)) continue;
    const enum heddle_error e = space_map(c, at, at, PAGE, flags);
    if (e == HEDDLE_ERROR_BUS) return e;
    if (e != HEDDLE_SUCCESS && at == page)
      return driver_fail(c, e, "page 0x%llx: %s", (unsigned long long)page, heddle_error_text(e));
  }
  return HEDDLE_SUCCESS;
}

/* What was code's or a launch's, and only read, is data's by now. */
static enum heddle_error let_write(struct heddle_context *c, const struct heddle_page *p) {
  uint64_t old;
  return space_swap(c, p->entry_at, p->entry | HEDDLE_ENTRY_WRITE, &old);
}

static enum heddle_error answer_fault(struct heddle_context *c, const struct fault *f, enum answer *out) {
  enum heap_kind kind = HEAP_FRAMES;
  struct heddle_page p = {.size = sizeof p};
  const bool write = (f->info & HEDDLE_FAULT_INFO_WRITE) != 0;
  const bool is_unified = driver_unified_at(c, f->page, 1) != NULL;
  const bool is_heap = !is_unified && heap_touches(&c->heap, f->page, PAGE, &kind) && kind != HEAP_FRAMES;
  *out = WILD;
  if (!is_unified && !is_heap) return HEDDLE_SUCCESS;
  const bool there = space_find(c, f->page, &p);
  if (there && write && (p.entry & HEDDLE_ENTRY_WRITE) == 0 && kind != HEAP_DATA) return HEDDLE_SUCCESS;
  *out = THERE;
  if (there && (!write || (p.entry & HEDDLE_ENTRY_WRITE) != 0)) return HEDDLE_SUCCESS; /* since it was asked for */
  if (there) return let_write(c, &p);
  if (is_unified) return bring(c, f->page);
  const enum heddle_error e = unified_make_room_for_tables(c);
  return e == HEDDLE_SUCCESS ? map_same(c, f->page, kind) : e;
}

static bool read_list(struct heddle_context *c, struct fault *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!driver_write32(c, HEDDLE_REG_FAULT_SELECT, i) || !driver_read64(c, HEDDLE_REG_FAULT_PAGE, &list[i].page) ||
        !driver_read32(c, HEDDLE_REG_FAULT_INFO, &list[i].info))
      return false;
  return true;
}

/* Pages at a time once others must go for them. An instruction may need 33, on some machines all at once, and those who
 * ask first are the same again and again: with so few of these their pages are there together. */
static uint32_t at_once(const struct space *s, uint32_t count) {
  const uint64_t most = s->frames / SPACE_LEAST > 0 ? s->frames / SPACE_LEAST : 1;
  return count < most ? count : (uint32_t)most;
}

static uint32_t unified_among(const struct heddle_context *c, const struct fault *list, uint32_t count) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) n += driver_unified_at(c, list[i].page, 1) != NULL;
  return n;
}

/* *wild: of those that were looked at. */
static enum heddle_error answer_list(struct heddle_context *c, const struct fault *list, uint32_t *count,
                                     uint32_t *wild) {
  enum answer what;
  const uint32_t need = unified_among(c, list, *count);
  enum heddle_error e = space_frames_grow(c, need, false);
  if (e == HEDDLE_SUCCESS && c->space.free < need) {
    *count = at_once(&c->space, *count);
    e = unified_evict_until(c, unified_among(c, list, *count));
  }
  *wild = 0;
  for (uint32_t i = 0; i < *count && e == HEDDLE_SUCCESS; i++) {
    e = answer_fault(c, &list[i], &what);
    if (e == HEDDLE_SUCCESS) *wild += what == WILD;
  }
  return e;
}

/* Pages that nobody has are a trap once the list names no others. */
enum heddle_error driver_serve_faults(struct heddle_context *c, bool *served) {
  struct fault list[PAGES_AT_ONCE];
  uint32_t count = 0, wild = 0;
  *served = false;
  if (!c->space.open) return HEDDLE_SUCCESS;
  if (!driver_read32(c, HEDDLE_REG_FAULTS, &count)) return HEDDLE_ERROR_BUS;
  if (count == 0) return HEDDLE_SUCCESS;
  if (count > PAGES_AT_ONCE) return driver_fail(c, HEDDLE_ERROR_BUS, "FAULTS is %u", count);
  if (!read_list(c, list, count)) return HEDDLE_ERROR_BUS;
  c->unified_info.faults += count;
  c->space.runs = true;
  enum heddle_error e = answer_list(c, list, &count, &wild);
  c->space.runs = false;
  if (e != HEDDLE_SUCCESS) return e;
  *served = true;
  const uint32_t word = wild == count ? HEDDLE_CONTROL_FAIL : HEDDLE_CONTROL_REPLAY;
  return driver_write32(c, HEDDLE_REG_CONTROL, word) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

/* ---- launches */

static enum heddle_error map_ahead(struct heddle_context *c, uint64_t at, uint64_t bytes) {
  struct heddle_page p = {.size = sizeof p};
  enum heap_kind kind;
  enum heddle_error e = HEDDLE_SUCCESS;
  for (uint64_t page = at / PAGE * PAGE; page < at + bytes && e == HEDDLE_SUCCESS; page += PAGE) {
    if (space_find(c, page, &p) || !heap_touches(&c->heap, page, PAGE, &kind)) continue;
    e = space_frames_grow(c, SPACE_TABLES, true);
    if (e == HEDDLE_SUCCESS) e = map_same(c, page, kind);
  }
  return e == HEDDLE_ERROR_OUT_OF_MEMORY ? HEDDLE_SUCCESS : e; /* others will have to go for it */
}

/* What it begins with is mapped ahead, where nothing runs; what lacks comes when it is asked for. */
enum heddle_error driver_pages_ready(struct heddle_context *c, struct heddle_host_launch *l) {
  enum heddle_error e = HEDDLE_SUCCESS;
  if (!c->space.open) return e;
  l->mode |= HEDDLE_MODE_PAGES;
  l->page_root = c->space.root;
  l->space = SPACE_NUMBER;
  if (driver_runs(c)) return e;
  if (c->space.spoiled) e = space_rewrite(c);
  if (e != HEDDLE_SUCCESS) return e;
  e = map_ahead(c, l->code_base, l->code_bytes);
  for (unsigned i = 0; i < HEDDLE_CBANKS && e == HEDDLE_SUCCESS; i++)
    e = map_ahead(c, l->cbank_base[i], l->cbank_bytes[i]);
  if (e == HEDDLE_SUCCESS && c->space.stale) e = space_invalidate(c, true, 0);
  if (e == HEDDLE_SUCCESS) c->space.stale = false;
  return e;
}
