/* SPDX-License-Identifier: Apache-2.0
 *
 * Global-memory perform records: one sector at the point of order. Those of local memory are judged in local.c.
 */
#include <string.h>

#include "cosim/checker/cache.h"
#include "cosim/checker/pages.h"

static uint32_t lanes_of_sector(const struct entry *e, uint32_t lanes, uint64_t sector) {
  _Static_assert(HEDDLE_RECORD_SECTOR == 32, "as row_in_sector has it");
  return lanes == 0 ? 0 : row_in_sector(e->fx.mem_addr, sector) & lanes;
}

static bool check_address(struct heddle_checker *c, const struct heddle_record_global *r) {
  const uint32_t bad = r->lanes & ~lanes_of_sector(c->e, r->lanes, r->sector);
  if (bad == 0 || !checker_on(c, HEDDLE_CHECKER_PERFORM_ADDRESS)) return true;
  const unsigned l = (unsigned)__builtin_ctz(bad);
  return differ_mask(c, HEDDLE_CHECKER_PERFORM_ADDRESS, "sector", bad,
                     "lane %u accesses 0x%llx, the record says sector 0x%llx", l,
                     (unsigned long long)c->e->fx.mem_addr[l], (unsigned long long)r->sector * HEDDLE_RECORD_SECTOR);
}

static bool check_sector_lanes(struct heddle_checker *c, const struct heddle_record_global *r) {
  const uint32_t others = c->e->mem_open & c->e->in_global & ~r->lanes & paging_line(c, c->e, r->lanes);
  const uint32_t left = lanes_of_sector(c->e, others, r->sector);
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_LANES, "sector", left,
                  "lanes of this sector are left out: they are performed together");
}

/* Lanes of an older access to one sector that memory has answered with an error: nobody waits for them. */
bool global_never(struct heddle_checker *c, const struct warp *w, const struct entry *o, uint32_t lanes) {
  return c->launch->errors.limit != 0 && access_errs(c, o, (unsigned)__builtin_ctz(lanes)) &&
         heddle_perform_never(c->model, warp_at(c, w), o->seq, lanes & o->mem_open) == HEDDLE_OK;
}

/* Accesses of one warp to one sector keep program order. Nobody waits for a copy. */
static bool check_order(struct heddle_checker *c, const struct heddle_record_global *r) {
  struct warp *w = c->w;
  if (w->open_global < (entry_copies(c->e) ? 1 : 2) || !checker_on(c, HEDDLE_CHECKER_PERFORM_ORDER)) return true;
  struct entry *o;
  for (struct walk it = walk_open(w); (o = walk_next(w, &it)) != NULL;) {
    if (o->seq >= c->e->seq || entry_copies(o)) continue;
    const uint32_t in = lanes_of_sector(o, o->mem_open & o->in_global, r->sector);
    if (in != 0 && !global_never(c, w, o, in) && !(c->cache != NULL && cache_order(c, o, in, r->sector)))
      return differ_mask(c, HEDDLE_CHECKER_PERFORM_ORDER, "sector", in,
                         "the older seq %u (pc 0x%x) has not performed its access to sector 0x%llx", o->seq, o->pc,
                         (unsigned long long)r->sector * HEDDLE_RECORD_SECTOR);
  }
  return true;
}

static bool check_strobe(struct heddle_checker *c, const struct heddle_record_global *r) {
  if (r->access == HEDDLE_RECORD_LOAD) return true;
  const uint32_t bytes = c->performed.bytes, ones = bytes >= 32 ? ~0u : (1u << bytes) - 1;
  uint32_t want = 0;
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1)
    want |= ones << (c->e->fx.mem_addr[__builtin_ctz(rest)] % HEDDLE_RECORD_SECTOR);
  return same(c, HEDDLE_CHECKER_PERFORM_STROBE, "byte strobes", want, r->wstrb);
}

/* Up to four bytes of a lane's location, for reports. */
static uint32_t lane_word(const uint8_t *p, unsigned bytes) {
  uint32_t v = 0;
  memcpy(&v, p, bytes < 4 ? bytes : 4);
  return v;
}

/* Equal bytes: 1, 2, 4, 8 or 16 of them. */
static bool same_bytes(const uint8_t *a, const uint8_t *b, unsigned bytes) {
  switch (bytes) {
  case 4:
    return memcmp(a, b, 4) == 0;
  case 8:
    return memcmp(a, b, 8) == 0;
  case 16:
    return memcmp(a, b, 16) == 0;
  default:
    return memcmp(a, b, bytes) == 0;
  }
}

static bool differ_bytes(struct heddle_checker *c, enum heddle_checker_kind k, unsigned lane, const uint8_t *want,
                         const uint8_t *got, unsigned bytes) {
  uint32_t e[HEDDLE_RECORD_LANES] = {0}, g[HEDDLE_RECORD_LANES] = {0};
  unsigned at = 0;
  while (at + 4 < bytes && memcmp(want + at, got + at, 4) == 0) at += 4;
  e[lane] = lane_word(want + at, bytes - at);
  g[lane] = lane_word(got + at, bytes - at);
  char subject[48];
  snprintf(subject, sizeof subject, "byte 0x%llx", (unsigned long long)c->e->fx.mem_addr[lane] + at);
  return differ_lanes(c, k, subject, lane_bit(lane), e, g, 0);
}

static bool check_data(struct heddle_checker *c, const struct heddle_record_global *r) {
  if (r->access == HEDDLE_RECORD_LOAD || !checker_on(c, HEDDLE_CHECKER_PERFORM_DATA)) return true;
  const struct heddle_performed *p = &c->performed;
  (void)judged_lanes(c, r->lanes, p->bytes_unknown);
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint8_t *got = r->wdata + c->e->fx.mem_addr[l] % HEDDLE_RECORD_SECTOR;
    if (!same_bytes(got, p->new_bytes[l], p->bytes) && !known_bytes_agree(p, l, got, p->new_bytes[l]))
      return differ_bytes(c, HEDDLE_CHECKER_PERFORM_DATA, l, p->new_bytes[l], got, p->bytes);
  }
  return true;
}

/* The registers of a load are the words that it read: 4 bytes of each or more. */
static bool shows_words(const struct heddle_checker *c, const struct heddle_record_global *r, uint32_t lanes) {
  const struct heddle_performed *p = &c->performed;
  uint32_t wrong = 0, word;
  if (p->bytes != 4u * p->rd_words) return false;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint8_t *got = r->rdata + c->e->fx.mem_addr[l] % HEDDLE_RECORD_SECTOR;
    for (unsigned k = 0; k < p->rd_words; k++) {
      memcpy(&word, got + 4 * k, 4);
      wrong |= word ^ p->rd_value[k][l];
    }
  }
  return wrong == 0;
}

/* What was read; an atomic's record shows the sector before its first lane, so only that lane's view can be compared
 * here. */
static bool check_result(struct heddle_checker *c, const struct heddle_record_global *r) {
  if (r->access == HEDDLE_RECORD_STORE || !checker_on(c, HEDDLE_CHECKER_PERFORM_RESULT)) return true;
  struct heddle_performed *p = &c->performed;
  uint32_t seen = 0;
  const uint32_t lanes = judged_lanes(c, r->lanes, p->bytes_unknown);
  if (perform_loads_row(c)) {
    if (lanes == r->lanes && shows_words(c, r, lanes)) return true;
    perform_row_bytes(c, r->lanes);
  }
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const unsigned at = (unsigned)(c->e->fx.mem_addr[l] % HEDDLE_RECORD_SECTOR);
    if (r->access == HEDDLE_RECORD_ATOMIC && (seen >> at & 1u) != 0) continue;
    seen |= 1u << at;
    if (!same_bytes(r->rdata + at, p->old_bytes[l], p->bytes) &&
        !known_bytes_agree(p, l, r->rdata + at, p->old_bytes[l]))
      return differ_bytes(c, HEDDLE_CHECKER_PERFORM_RESULT, l, p->old_bytes[l], r->rdata + at, p->bytes);
  }
  return true;
}

bool judge_global(struct heddle_checker *c, const struct heddle_record_global *r) {
  if (paging_shows(c, c->now)) return judge_walk(c, r);
  if (!identify(c, &r->id)) return false;
  if (r->access > HEDDLE_RECORD_LOCAL_STORE || r->lanes == 0)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "access", "no lane, or no such access");
  if (r->access >= HEDDLE_RECORD_LOCAL_LOAD) return judge_local(c, r);
  if (!identify_entry(c, r->id.seq) || !perform_admit(c, ISA_SPACE_GLOBAL, r->access, r->lanes) ||
      !paging_place(c, r->lanes, r->sector / ANSWER_SECTORS) || (c->cache != NULL && !pass_global(c, r)) ||
      !check_address(c, r) || !check_sector_lanes(c, r) || !check_order(c, r) || !check_stamp(c, r) ||
      !perform_do(c, r->lanes))
    return false;
  if (r->access != HEDDLE_RECORD_STORE && !kept_read(c, r->sector)) return false;
  if (r->access != HEDDLE_RECORD_LOAD) kept_write(c, r->sector, r->wstrb);
  if (!check_strobe(c, r) || !check_data(c, r) || !check_result(c, r) || (c->cache != NULL && !pass_performed(c, r)))
    return false;
  ledger_close_words(c, c->w, c->e);
  return true;
}
