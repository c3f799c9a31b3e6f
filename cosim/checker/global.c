/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses at the point of order: what those to all memories have in common, and the records of global memory.
 */
#include <stdlib.h>
#include <string.h>
#include "cosim/checker/internal.h"
#include "cosim/checker/pages.h"

/* Lines that memory answers with an error, behind a cache that keeps what stores write (writes_back): which of their
 * bytes stores have written. A sector in error that is read all the same has come from stores alone, every byte of it;
 * and what they wrote may never arrive in memory. */

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

/* What accesses to shared, global and local memory have in common: who may perform now, and the model's own access. */

/* How records show an access. */
static enum heddle_record_access shown(unsigned access) {
  if (access == HEDDLE_ACCESS_LOAD || access == HEDDLE_ACCESS_LOAD_MATRIX) return HEDDLE_RECORD_LOAD;
  return access == HEDDLE_ACCESS_STORE ? HEDDLE_RECORD_STORE : HEDDLE_RECORD_ATOMIC;
}

/* Lanes of a generic access are each where their address says; of one that is paid nobody knows any more. */
static bool check_generic(struct heddle_checker *c, enum heddle_isa_space space, uint32_t lanes) {
  const struct entry *e = c->e;
  const uint32_t in = space == ISA_SPACE_GLOBAL ? e->in_global : space == ISA_SPACE_SHARED ? e->in_shared : e->in_local;
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_ACCESS, "space", e->open ? lanes & ~in : 0,
                  "performed in a memory that their addresses do not name");
}

/* A copy loads from global memory, and stores to shared memory. */
static bool check_copy(struct heddle_checker *c, enum heddle_isa_space space, unsigned access) {
  const unsigned want = space == ISA_SPACE_SHARED ? HEDDLE_RECORD_STORE : HEDDLE_RECORD_LOAD;
  const enum heddle_isa_space in = space == ISA_SPACE_SHARED ? space : ISA_SPACE_GLOBAL;
  return same(c, HEDDLE_CHECKER_PERFORM_ACCESS, "space and access", (uint64_t)in << 8 | want,
              (uint64_t)space << 8 | access);
}

static bool check_access(struct heddle_checker *c, enum heddle_isa_space space, unsigned access, uint32_t lanes) {
  const struct entry *e = c->e;
  if (entry_copies(e)) return check_copy(c, space, access);
  const bool generic = e->mem_space == ISA_SPACE_GENERIC;
  const uint64_t want = (uint64_t)(generic ? space : e->mem_space) << 8 | (uint64_t)shown(e->mem_kind);
  return same(c, HEDDLE_CHECKER_PERFORM_ACCESS, "space and access", want, (uint64_t)space << 8 | access) &&
         (!generic || check_generic(c, space, lanes));
}

static bool check_trap(struct heddle_checker *c, uint32_t lanes) {
  const bool late = c->w->trapped && c->e->seq > c->w->trap_seq;
  if (c->w->performed <= c->e->seq) c->w->performed = c->e->seq + 1;
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_TRAP, "access", late ? lanes : 0,
                  "performed behind an address trap of its warp");
}

static bool check_access_extra(struct heddle_checker *c, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_EXTRA, "access", lanes & ~c->e->mem_lanes,
                  "performed in lanes that have no access");
}

static bool check_access_double(struct heddle_checker *c, enum heddle_isa_space space, uint32_t lanes) {
  const bool store = entry_copies(c->e) && space == ISA_SPACE_SHARED;
  const uint32_t again = lanes & c->e->mem_lanes & ~(store ? c->e->store_open : c->e->mem_open);
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_DOUBLE, "access", again, "performed a second time");
}

bool perform_admit(struct heddle_checker *c, enum heddle_isa_space space, unsigned access, uint32_t lanes) {
  return check_trap(c, lanes) && check_access_extra(c, lanes) && check_access(c, space, access, lanes) &&
         check_access_double(c, space, lanes);
}

bool perform_loads_row(const struct heddle_checker *c) {
  return c->e->mem_kind == HEDDLE_ACCESS_LOAD && c->performed.rd_words != 0;
}

void perform_row_bytes(struct heddle_checker *c, uint32_t lanes) {
  struct heddle_performed *p = &c->performed;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    for (unsigned k = 0; k < p->rd_words && k < 4; k++) memcpy(p->old_bytes[l] + 4 * k, &p->rd_value[k][l], 4);
  }
}

/* Where the model reads a load from, and what of a copy it does. */
enum { FROM_MEMORY = -1, COPY_STORE = -2 };

static enum heddle_error model_performs(struct heddle_checker *c, uint32_t lanes, int copy) {
  const unsigned slot = warp_at(c, c->w);
  if (copy == COPY_STORE) return heddle_perform_store(c->model, slot, c->e->seq, lanes, &c->performed);
  if (copy < 0) return heddle_perform_values(c->model, slot, c->e->seq, lanes, &c->performed);
  return heddle_perform_copy(c->model, slot, c->e->seq, lanes, (unsigned)copy, &c->performed);
}

bool perform_values(struct heddle_checker *c, uint32_t lanes) {
  return perform_from(c, lanes, FROM_MEMORY);
}

bool perform_from(struct heddle_checker *c, uint32_t lanes, int copy) {
  struct entry *e = c->e;
  struct heddle_performed *p = &c->performed;
  const enum heddle_error s = model_performs(c, lanes, copy);
  if (s == HEDDLE_ERROR_UNDEFINED && checker_on(c, HEDDLE_CHECKER_UNDEFINED_READ))
    return differ(c, HEDDLE_CHECKER_UNDEFINED_READ, "undefined", "%s", heddle_model_diag(c->model));
  if (s != HEDDLE_SUCCESS) return checker_on(c, HEDDLE_CHECKER_MODEL_STATE) && refused(c, s, "perform");
  for (unsigned k = 0; k < p->rd_words && k < 4; k++) {
    if ((p->rd_done & 1u << k) == 0) continue;
    e->fx.rd_unknown[k] = (e->fx.rd_unknown[k] & ~p->rd_lanes) | p->rd_unknown[k];
    for (uint32_t rest = p->rd_unknown[k]; rest != 0; rest &= rest - 1)
      e->fx.rd_bits[k][__builtin_ctz(rest)] = p->rd_bits[k][__builtin_ctz(rest)];
    if (p->rd_lanes == 0xffffffffu) {
      memcpy(e->fx.rd_value[k], p->rd_value[k], sizeof e->fx.rd_value[k]);
      continue;
    }
    for (uint32_t rest = p->rd_lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      e->fx.rd_value[k][l] = p->rd_value[k][l];
    }
  }
  c->stats.performs++;
  c->stats.bytes_compared += (uint64_t)p->bytes * count_lanes(lanes);
  return true;
}

bool perform_store(struct heddle_checker *c, uint32_t lanes) {
  if (!perform_from(c, lanes, COPY_STORE)) return false;
  ledger_store(c->w, c->e, lanes);
  return true;
}

bool perform_do(struct heddle_checker *c, uint32_t lanes) {
  if (!perform_values(c, lanes)) return false;
  if (c->e->mem_kind == HEDDLE_ACCESS_LOAD_MATRIX) {
    c->e->known = c->e->exec;
    c->e->words_known |= c->performed.rd_done;
  } else {
    c->e->known |= lanes;
  }
  ledger_perform(c->w, c->e, lanes);
  return true;
}

/* Where memory says that it performed an access, and when. A line of 128 bytes belongs to one bank, and the order of
 * the records is the order in which that bank performed accesses to it; so its cycles may be equal, or rise. They run
 * with the cycles of the records: an access is shown soon after it was performed. */

#define LINE_SECTORS 4u

bool stamps_allocate(struct heddle_checker *c) {
  struct stamps *s = &c->stamps;
  uint64_t first = UINT64_MAX, limit = 0, base, bytes;
  heddle_model_range(c->model, &base, &bytes);
  if (c->launch->pages) { /* anywhere in memory */
    first = base / LINE_SECTORS / HEDDLE_RECORD_SECTOR;
    limit = (base + bytes + LINE_SECTORS * HEDDLE_RECORD_SECTOR - 1) / LINE_SECTORS / HEDDLE_RECORD_SECTOR;
  }
  for (unsigned i = 0; !c->launch->pages && i < c->launch->regions && i < 16; i++) {
    const uint64_t base = c->launch->region[i].base / LINE_SECTORS / HEDDLE_RECORD_SECTOR;
    const uint64_t end = (c->launch->region[i].limit - 1) / LINE_SECTORS / HEDDLE_RECORD_SECTOR + 1;
    if (c->launch->region[i].limit <= c->launch->region[i].base) continue;
    first = base < first ? base : first;
    limit = end > limit ? end : limit;
  }
  s->first = first;
  s->global = limit > first ? limit - first : 0;
  s->local = (uint64_t)c->warps * (c->launch->local_bytes / 4);
  s->at = calloc((size_t)(s->global + s->local + 1), sizeof *s->at);
  return s->at != NULL;
}

void stamps_free(struct heddle_checker *c) {
  free(c->stamps.at);
}

/* Where the line of a record is in the table; in memory: its number there. False: in none; then its address has been
 * found wrong. */
static bool locate_line(const struct heddle_checker *c, const struct heddle_record_global *r, uint64_t *out,
                        uint64_t *in_memory) {
  const struct stamps *s = &c->stamps;
  const uint64_t line = r->sector / LINE_SECTORS, words = c->launch->local_bytes / 4;
  if (r->access < HEDDLE_RECORD_LOCAL_LOAD) {
    *in_memory = line;
    *out = line - s->first;
    return *out < s->global;
  }
  const uint64_t slot = line >> LOCAL_WORDS_W, word = line & ((1u << LOCAL_WORDS_W) - 1);
  const uint64_t first = (uint64_t)(r->id.sm - c->cfg.sm) * c->cfg.warp_slots; /* it is an SM that there is */
  const uint64_t at = (first + slot) * words + word;
  *in_memory = c->launch->local_at / LINE_SECTORS / HEDDLE_RECORD_SECTOR + at;
  *out = s->global + at;
  return slot < c->cfg.warp_slots && word < words;
}

/* Line n lies in bank n mod memory_banks (docs/retire-port.md, "Several SMs"). */
static bool check_bank(struct heddle_checker *c, const struct heddle_record_global *r, uint64_t line) {
  const unsigned banks = c->cfg.memory_banks != 0 ? c->cfg.memory_banks : 1, bank = (unsigned)(line % banks);
  if (r->bank == bank || !shows(c, HEDDLE_RECORD_OPTION_GLOBAL_BANK)) return true;
  return differ(c, HEDDLE_CHECKER_PERFORM_STAMP, "bank",
                "sector 0x%llx: its line belongs to bank %u of %u, and this is bank %u", (unsigned long long)r->sector,
                bank, banks, r->bank);
}

static bool check_time(struct heddle_checker *c, const struct heddle_record_global *r, uint64_t *at) {
  if (!shows(c, HEDDLE_RECORD_OPTION_GLOBAL_STAMP)) return true;
  if (r->stamp < *at)
    return differ(c, HEDDLE_CHECKER_PERFORM_STAMP, "stamp",
                  "sector 0x%llx: performed in the memory's cycle %llu, but its line was shown in cycle %llu before",
                  (unsigned long long)r->sector, (unsigned long long)r->stamp, (unsigned long long)*at);
  *at = r->stamp;
  return true;
}

/* The time between an access and its record does not drift, whatever the two clocks are apart. */
static bool check_drift(struct heddle_checker *c, const struct heddle_record_global *r) {
  struct lag *lag = &c->stamps.lag[bank_of(c, r->bank)];
  const int64_t is = (int64_t)(c->now->cycle - r->stamp);
  if (!shows(c, HEDDLE_RECORD_OPTION_GLOBAL_STAMP)) return true;
  if (!lag->known) *lag = (struct lag){true, is, is};
  if (is > lag->least + HEDDLE_CHECKER_STAMP_DRIFT || is < lag->most - HEDDLE_CHECKER_STAMP_DRIFT)
    return differ(c, HEDDLE_CHECKER_PERFORM_STAMP, "stamp",
                  "sector 0x%llx: shown %lld cycles after the memory's cycle %llu; others of its bank %lld to %lld",
                  (unsigned long long)r->sector, (long long)is, (unsigned long long)r->stamp, (long long)lag->least,
                  (long long)lag->most);
  if (is < lag->least) lag->least = is;
  if (is > lag->most) lag->most = is;
  return true;
}

bool check_stamp(struct heddle_checker *c, const struct heddle_record_global *r) {
  uint64_t i, line;
  if (!checker_on(c, HEDDLE_CHECKER_PERFORM_STAMP) || !locate_line(c, r, &i, &line)) return true;
  return check_bank(c, r, line) && check_time(c, r, &c->stamps.at[i]) && check_drift(c, r);
}

/* Global-memory perform records: one sector at the point of order. Those of local memory are judged in local.c. */

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
         heddle_perform_never(c->model, warp_at(c, w), o->seq, lanes & o->mem_open) == HEDDLE_SUCCESS;
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
