/* SPDX-License-Identifier: Apache-2.0
 *
 * Where memory says that it performed an access, and when. A line of 128 bytes belongs to one bank, and the order of
 * the records is the order in which that bank performed accesses to it; so its cycles may be equal, or rise. They run
 * with the cycles of the records: an access is shown soon after it was performed.
 */
#include <stdlib.h>

#include "cosim/checker/internal.h"

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
