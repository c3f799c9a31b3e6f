/* SPDX-License-Identifier: Apache-2.0
 *
 * Code and constants of a launch in an address space: read ahead, page by page. What lies in pages that are not there
 * raises nothing until it would issue.
 */
#include "cmodel/core/pages.h"

#include <string.h>

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
static enum heddle_status decode_anew(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots; i++) memset(m->warp[i].settled, 0, sizeof m->warp[i].settled);
  const enum heddle_status s = program_decode(m);
  if (s != HEDDLE_OK) m->launched = false; /* what is left of the program cannot run */
  return s;
}

enum heddle_status pages_settle(struct heddle_model *m) {
  bool changed = m->op == NULL;
  pages_forget(m->pages);
  for (unsigned i = 0; i <= BANKS; i++) changed = read_part(m, i) || changed;
  return changed ? decode_anew(m) : HEDDLE_OK;
}

enum heddle_status pages_look(struct heddle_model *m) {
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
  return changed ? decode_anew(m) : HEDDLE_OK;
}

bool pages_holds_part(const struct heddle_model *m, uint64_t virt, uint64_t bytes) {
  bool holds = false;
  for (unsigned i = 0; i <= BANKS; i++) {
    const struct part t = part_of(m, i);
    holds = holds || (virt < t.from + t.bytes && t.from < virt + bytes);
  }
  return holds;
}

enum heddle_status heddle_model_lose_page(struct heddle_model *m, uint64_t page) {
  bool changed = false;
  for (unsigned i = 0; i <= BANKS && m->pages != NULL; i++) {
    const struct part t = part_of(m, i);
    const uint64_t first = t.from / FRAME_BYTES, n = page / FRAME_BYTES - first;
    if (page / FRAME_BYTES < first || page / FRAME_BYTES * FRAME_BYTES >= t.from + t.bytes) continue;
    changed = changed || m->pages->there[i][n] != 0;
    m->pages->there[i][n] = 0;
  }
  return changed ? decode_anew(m) : HEDDLE_OK;
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

uint64_t pages_bank_lacks(const struct heddle_model *m, unsigned bank, uint32_t offset, uint32_t bytes) {
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
