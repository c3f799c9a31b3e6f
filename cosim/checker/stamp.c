/* SPDX-License-Identifier: Apache-2.0
 *
 * When memory says that it performed an access. A line of 128 bytes belongs to one bank, and the order of the records
 * is the order in which that bank performed accesses to it; so its cycles may be equal, or rise.
 */
#include <stdlib.h>

#include "cosim/checker/internal.h"

#define LINE_SECTORS 4u

bool stamps_allocate(struct checker *c) {
  struct stamps *s = &c->stamps;
  uint64_t first = UINT64_MAX, limit = 0;
  for (unsigned i = 0; i < c->launch->regions && i < 16; i++) {
    const uint64_t base = c->launch->region[i].base / LINE_SECTORS / RECORD_SECTOR;
    const uint64_t end = (c->launch->region[i].limit - 1) / LINE_SECTORS / RECORD_SECTOR + 1;
    if (c->launch->region[i].limit <= c->launch->region[i].base) continue;
    first = base < first ? base : first;
    limit = end > limit ? end : limit;
  }
  s->first = first;
  s->global = limit > first ? limit - first : 0;
  s->local = (uint64_t)c->warps * (c->launch->local_bytes / 4);
  s->at = calloc((size_t)(s->global + s->local + 1), sizeof *s->at);
  s->bank = calloc((size_t)(s->global + s->local + 1), sizeof *s->bank);
  return s->at != NULL && s->bank != NULL;
}

void stamps_free(struct checker *c) {
  free(c->stamps.at);
  free(c->stamps.bank);
}

/* Where the line of a record is in the tables. False: in none; then its address has been found wrong. */
static bool place(const struct checker *c, const struct record_global *r, uint64_t *out) {
  const struct stamps *s = &c->stamps;
  const uint64_t line = r->sector / LINE_SECTORS, words = c->launch->local_bytes / 4;
  if (r->access < RECORD_LOCAL_LOAD) {
    *out = line - s->first;
    return *out < s->global;
  }
  const uint64_t slot = line >> LOCAL_WORDS_W, word = line & ((1u << LOCAL_WORDS_W) - 1);
  const uint64_t first = (uint64_t)(r->id.sm - c->cfg.sm) * c->cfg.warp_slots; /* it is an SM that there is */
  *out = s->global + (first + slot) * words + word;
  return slot < c->cfg.warp_slots && word < words;
}

static bool check_bank(struct checker *c, const struct record_global *r, uint16_t *bank) {
  if (!shows(c, RECORD_OPTION_GLOBAL_BANK)) return true;
  if (c->cfg.memory_banks != 0 && r->bank >= c->cfg.memory_banks)
    return differ(c, CHECKER_RECORD_FORM, "bank", "bank %u of a memory that has %u", r->bank, c->cfg.memory_banks);
  if (*bank != 0 && *bank != r->bank + 1)
    return differ(c, CHECKER_PERFORM_STAMP, "bank", "sector 0x%llx: its line belongs to bank %u, and this is bank %u",
                  (unsigned long long)r->sector, *bank - 1u, r->bank);
  *bank = (uint16_t)(r->bank + 1);
  return true;
}

static bool check_time(struct checker *c, const struct record_global *r, uint64_t *at) {
  if (!shows(c, RECORD_OPTION_GLOBAL_STAMP)) return true;
  if (r->stamp < *at)
    return differ(c, CHECKER_PERFORM_STAMP, "stamp",
                  "sector 0x%llx: performed in the memory's cycle %llu, but its line was shown in cycle %llu before",
                  (unsigned long long)r->sector, (unsigned long long)r->stamp, (unsigned long long)*at);
  *at = r->stamp;
  return true;
}

bool check_stamp(struct checker *c, const struct record_global *r) {
  uint64_t i;
  if (!checker_on(c, CHECKER_PERFORM_STAMP) || !place(c, r, &i)) return true;
  return check_bank(c, r, &c->stamps.bank[i]) && check_time(c, r, &c->stamps.at[i]);
}
