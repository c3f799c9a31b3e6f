/* SPDX-License-Identifier: Apache-2.0
 *
 * Page tables: walking them, the addresses of lanes, code and constants.
 */
#include "pages.h"

#include <stdlib.h>
#include <string.h>

static uint64_t pages_bank_lacks(const struct heddle_model *m, unsigned bank, uint32_t offset, uint32_t bytes);

#define ENTRY_ZERO (~UINT64_C(0xffffffffff) | 0xe00u) /* bits 63:40 and 11:9 */
#define ENTRY_ODD UINT64_C(0x1ff000)                  /* bits that the place of a page of 2 MiB has not */

bool pages_new(struct heddle_model *m) {
  struct pages *p = m->pages = calloc(1, sizeof *p);
  if (p == NULL) return false;
  p->tables = calloc(m->bytes / FRAME_BYTES + 1, 1);
  p->code = calloc(1, (size_t)m->launch.code_bytes + ISA_WORD_BYTES);
  bool ok = p->tables != NULL && p->code != NULL;
  for (unsigned i = 0; i <= BANKS && ok; i++) {
    const uint32_t bytes = i == 0 ? m->launch.code_bytes : m->launch.cbank_bytes[i - 1];
    p->there[i] = calloc(bytes / FRAME_BYTES + 2, 1);
    ok = p->there[i] != NULL;
  }
  p->stale = true;
  return ok;
}

void pages_free(struct heddle_model *m) {
  struct pages *p = m->pages;
  if (p == NULL) return;
  for (unsigned i = 0; i <= BANKS; i++) free(p->there[i]);
  free(p->tables);
  free(p->code);
  free(p);
  m->pages = NULL;
}

/* what walks have found */
static void pages_forget(struct pages *p) {
  memset(p->kept, 0, sizeof p->kept);
  p->stale = false;
}

/* ---- walks */

bool pages_inside(const struct heddle_model *m, uint64_t at, uint64_t bytes) {
  return at >= m->base && at - m->base <= m->bytes && m->bytes - (at - m->base) >= bytes;
}

uint64_t pages_entry_get(const struct heddle_model *m, uint64_t at) {
  const uint8_t *p = m->memory + (at - m->base);
  uint64_t e = 0;
  for (unsigned k = 0; k < 8; k++) e |= (uint64_t)p[k] << (8 * k);
  return e;
}

void pages_entry_put(struct heddle_model *m, uint64_t at, uint64_t e) {
  uint8_t *p = m->memory + (at - m->base);
  for (unsigned k = 0; k < 8; k++) p[k] = (uint8_t)(e >> (8 * k));
}

unsigned pages_shift(unsigned level) {
  return 12 + 9 * level;
}

uint64_t pages_entry_at(uint64_t table, unsigned level, uint64_t virt) {
  return table + 8 * (virt >> pages_shift(level) & (level == PAGE_TOP ? 1023 : 511));
}

bool pages_malformed(uint64_t e, unsigned level) {
  if ((e & ENTRY_ZERO) != 0) return true;
  if ((e & ENTRY_L) == 0) return level == 0 || (e & (ENTRY_W | ENTRY_G | ENTRY_A | ENTRY_D)) != 0;
  return level > 1 || (level == 1 && (e & ENTRY_ODD) != 0);
}

static struct page_walk fault(enum heddle_page_kind kind) {
  return (struct page_walk){.fault = true, .kind = kind};
}

/* From the root down; *entry: where that of the page lies. */
static struct page_walk descend(const struct heddle_model *m, uint64_t virt, bool write, uint64_t *entry) {
  uint64_t table = m->launch.page_root, e = 0;
  unsigned level = PAGE_TOP;
  for (;; level--) {
    *entry = pages_entry_at(table, level, virt);
    if (!pages_inside(m, *entry, 8)) return fault(HEDDLE_PAGE_ERROR);
    m->pages->tables[(*entry - m->base) / FRAME_BYTES] = 1;
    e = pages_entry_get(m, *entry);
    if ((e & ENTRY_P) == 0) return fault(HEDDLE_PAGE_ABSENT);
    if (pages_malformed(e, level)) return fault(HEDDLE_PAGE_MALFORMED);
    if ((e & ENTRY_L) != 0) break;
    table = e & ENTRY_PLACE;
  }
  const uint64_t at = (e & ENTRY_PLACE) | (virt & ((UINT64_C(1) << pages_shift(level)) - 1));
  if (!pages_inside(m, at / FRAME_BYTES * FRAME_BYTES, FRAME_BYTES)) return fault(HEDDLE_PAGE_ERROR);
  if (write && (e & ENTRY_W) == 0) return fault(HEDDLE_PAGE_PROTECTED);
  return (struct page_walk){.at = at};
}

struct page_walk pages_peek(const struct heddle_model *m, uint64_t virt, bool write) {
  uint64_t entry;
  return descend(m, virt, write, &entry);
}

struct page_walk pages_walk(struct heddle_model *m, uint64_t virt, bool write) {
  uint64_t entry;
  const struct page_walk w = descend(m, virt, write, &entry);
  if (w.fault) return w;
  const uint64_t e = pages_entry_get(m, entry), marked = e | ENTRY_A | (write ? ENTRY_D : 0);
  if (marked == e) return w;
  pages_entry_put(m, entry, marked);
  m->watch.on = false; /* memory has changed */
  return w;
}

/* ---- lanes */

/* Where the line lies that begins at `virt`. */
static struct page_walk line_place(struct heddle_model *m, uint64_t virt, bool write) {
  const uint64_t number = virt / FRAME_BYTES;
  struct kept_page *k = &m->pages->kept[number % KEPT];
  if (k->page != number + 1 || (write && !k->writes)) {
    const struct page_walk w = pages_walk(m, virt, write);
    if (w.fault) return w;
    *k = (struct kept_page){number + 1, w.at / FRAME_BYTES * FRAME_BYTES, write};
  }
  return (struct page_walk){.at = k->frame | virt % FRAME_BYTES};
}

static uint32_t lanes_of_line(uint32_t lanes, const uint64_t addr[HEDDLE_LANES], uint64_t line) {
  uint32_t in = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    if (addr[lowest_lane(rest)] / PAGE_LINE == line) in |= rest & (0u - rest);
  return in;
}

/* Of LDC all that execute, of ULDC the active mask; the address is the sector's. */
static bool constants_there(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                            const uint64_t addr[HEDDLE_LANES]) {
  if (pages_plain(m, op, ISA_SPACE_CONST)) return true;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t offset = (uint32_t)addr[lowest_lane(rest)];
    if (pages_bank_there(m, op->bank, offset, op->bytes)) continue;
    const uint64_t at = pages_bank_lacks(m, op->bank, offset, op->bytes);
    const struct page_walk found = pages_peek(m, at, false);
    pages_met(w, found.kind, HEDDLE_PAGE_CONSTANT, at, at / 32 * 32, op->always != 0 ? w->active : lanes, 0);
    return false;
  }
  return true;
}

bool pages_translate(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                     uint64_t addr[HEDDLE_LANES]) {
  if (op->space == ISA_SPACE_CONST) return constants_there(m, w, op, lanes, addr);
  const bool write = op->access != SEM_LOAD && op->access != SEM_LOAD_MATRIX;
  const uint32_t all = lanes_in(op, ISA_SPACE_GLOBAL, lanes, addr);
  uint64_t to[HEDDLE_LANES];
  for (uint32_t rest = all; rest != 0;) {
    const uint64_t line = addr[lowest_lane(rest)] / PAGE_LINE;
    const uint32_t in = lanes_of_line(rest, addr, line);
    const struct page_walk found = line_place(m, line * PAGE_LINE, write);
    if (found.fault) {
      pages_met(w, found.kind, write ? HEDDLE_PAGE_STORE : HEDDLE_PAGE_LOAD, line * PAGE_LINE, line * PAGE_LINE, in,
                (uint32_t)(addr[lowest_lane(in)] % PAGE_LINE));
      return false;
    }
    if (write && m->pages->tables[(found.at - m->base) / FRAME_BYTES] != 0) m->pages->stale = true;
    for (uint32_t of = in; of != 0; of &= of - 1) to[lowest_lane(of)] = found.at + addr[lowest_lane(of)] % PAGE_LINE;
    rest &= ~in;
  }
  for (uint32_t rest = all; rest != 0; rest &= rest - 1) addr[lowest_lane(rest)] = to[lowest_lane(rest)];
  return true;
}

/* Code and constants of a launch in an address space: read ahead, page by page. What lies in pages that are not there
 * raises nothing until it would issue. */

#define NOTHING UINT64_MAX

/* Code (0), or a bank (1 to BANKS): where it begins in the space, its bytes, and where they are kept. */
struct part {
  uint64_t from;
  uint32_t bytes;
  uint8_t *kept;
};

static struct part part_of(const struct heddle_model *m, unsigned i) {
  if (i == 0) return (struct part){m->launch.code_at, m->launch.code_bytes, m->pages->code};
  return (struct part){m->launch.cbank_at[i - 1], m->launch.cbank_bytes[i - 1], m->bank[i - 1]};
}

/* The bytes of the part that lie in the page at `page`, whose frame is at `at`. True: they are not as they were. */
static bool copy_page(struct heddle_model *m, const struct part *t, uint64_t page, uint64_t at) {
  const uint64_t first = page > t->from ? page : t->from, end = t->from + t->bytes;
  const uint64_t last = end < page + FRAME_BYTES ? end : page + FRAME_BYTES;
  const uint8_t *now = m->memory + (at - m->base) + (first - page);
  uint8_t *kept = t->kept + (first - t->from);
  if (memcmp(kept, now, last - first) == 0) return false;
  memcpy(kept, now, last - first);
  return true;
}

/* True: it is not as it was. */
static bool read_page(struct heddle_model *m, const struct part *t, uint64_t page, uint8_t *there) {
  const struct page_walk w = pages_walk(m, page, false);
  const bool was = *there != 0;
  *there = !w.fault;
  if (w.fault) return was;
  return copy_page(m, t, page, w.at) || !was;
}

static bool read_part(struct heddle_model *m, unsigned i) {
  const struct part t = part_of(m, i);
  uint8_t *there = m->pages->there[i];
  bool changed = false;
  for (uint64_t page = t.from / FRAME_BYTES * FRAME_BYTES; page < t.from + t.bytes; page += FRAME_BYTES)
    changed = read_page(m, &t, page, there++) || changed;
  return changed;
}

/* What is there is not what was there. */
static enum heddle_error decode_anew(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots; i++) memset(m->warp[i].settled, 0, sizeof m->warp[i].settled);
  const enum heddle_error s = program_decode(m);
  if (s != HEDDLE_SUCCESS) m->launched = false; /* what is left of the program cannot run */
  return s;
}

enum heddle_error pages_settle(struct heddle_model *m) {
  bool changed = m->op == NULL;
  pages_forget(m->pages);
  for (unsigned i = 0; i <= BANKS; i++) changed = read_part(m, i) || changed;
  return changed ? decode_anew(m) : HEDDLE_SUCCESS;
}

enum heddle_error pages_look(struct heddle_model *m) {
  bool changed = m->op == NULL;
  for (unsigned i = 0; i <= BANKS; i++) {
    const struct part t = part_of(m, i);
    uint8_t *there = m->pages->there[i];
    for (uint64_t page = t.from / FRAME_BYTES * FRAME_BYTES; page < t.from + t.bytes; page += FRAME_BYTES, there++) {
      const struct page_walk w = pages_peek(m, page, false);
      if (*there != 0 || w.fault) continue;
      *there = 1;
      (void)copy_page(m, &t, page, w.at);
      changed = true;
    }
  }
  return changed ? decode_anew(m) : HEDDLE_SUCCESS;
}

bool pages_holds_part(const struct heddle_model *m, uint64_t virt, uint64_t bytes) {
  bool holds = false;
  for (unsigned i = 0; i <= BANKS; i++) {
    const struct part t = part_of(m, i);
    holds = holds || (virt < t.from + t.bytes && t.from < virt + bytes);
  }
  return holds;
}

enum heddle_error heddle_model_lose_page(struct heddle_model *m, uint64_t page) {
  bool changed = false;
  for (unsigned i = 0; i <= BANKS && m->pages != NULL; i++) {
    const struct part t = part_of(m, i);
    const uint64_t first = t.from / FRAME_BYTES, n = page / FRAME_BYTES - first;
    if (page / FRAME_BYTES < first || page / FRAME_BYTES * FRAME_BYTES >= t.from + t.bytes) continue;
    changed = changed || m->pages->there[i][n] != 0;
    m->pages->there[i][n] = 0;
  }
  return changed ? decode_anew(m) : HEDDLE_SUCCESS;
}

/* The first byte of [offset, offset + bytes) of a part whose page has not been read. */
static uint64_t lacks(const struct heddle_model *m, unsigned i, uint32_t offset, uint32_t bytes) {
  const struct part t = part_of(m, i);
  const uint64_t all = t.from + t.bytes, end = t.from + offset + bytes, first = t.from / FRAME_BYTES;
  uint64_t at = t.from + offset;
  while (at < end && at < all && m->pages->there[i][at / FRAME_BYTES - first] != 0)
    at = (at / FRAME_BYTES + 1) * FRAME_BYTES;
  return at < end && at < all ? at : NOTHING;
}

bool pages_code_there(const struct heddle_model *m, uint32_t pc, uint32_t bytes) {
  return lacks(m, 0, pc, bytes) == NOTHING;
}

/* The first byte of those of a bank that has not been read. */
static uint64_t pages_bank_lacks(const struct heddle_model *m, unsigned bank, uint32_t offset, uint32_t bytes) {
  return lacks(m, 1 + bank, offset, bytes);
}

bool pages_bank_there(const struct heddle_model *m, unsigned bank, uint32_t offset, uint32_t bytes) {
  return lacks(m, 1 + bank, offset, bytes) == NOTHING;
}

bool pages_constants_lack(const struct heddle_model *m, const struct dop *op, uint32_t lanes,
                          const uint64_t addr[HEDDLE_LANES]) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    if (!pages_bank_there(m, op->bank, (uint32_t)addr[lowest_lane(rest)], op->bytes)) return true;
  return false;
}

/* Whatever the guard says, as a constant out of range. */
static void operand_lacks(struct heddle_model *m, struct warp *w, const struct heddle_isa_dec *d) {
  for (unsigned k = 0; k < 3; k++) {
    const uint32_t bytes = 4u * d->src[k].words;
    if (d->src[k].kind != ISA_CONST || pages_bank_there(m, d->cbank, d->coff, bytes)) continue;
    const uint64_t at = pages_bank_lacks(m, d->cbank, d->coff, bytes);
    pages_met(w, pages_peek(m, at, false).kind, HEDDLE_PAGE_CONSTANT, at, d->coff, w->active, 0);
    return;
  }
}

bool pages_word_lacks(struct heddle_model *m, struct warp *w) {
  const uint32_t i = op_index(w->pc);
  if (i >= m->ops || m->op[i].kind < DOP_CONST_FAULT) return false;
  if (m->op[i].kind == DOP_CONST_FAULT) {
    operand_lacks(m, w, &m->dec[i]);
    return true;
  }
  const uint64_t at = lacks(m, 0, w->pc, ISA_WORD_BYTES);
  pages_met(w, pages_peek(m, at, false).kind, HEDDLE_PAGE_CODE, at, at / 32 * 32, w->active, 0);
  return true;
}
