/* SPDX-License-Identifier: Apache-2.0
 *
 * Places of a record that count.
 */
#include "flips.h"
#include "base/splitmix64.h"

static unsigned draw(uint64_t *rng, unsigned below) {
  return (unsigned)((splitmix64(rng) >> 33) % below);
}

/* One of the set bits; mask is not 0. */
static unsigned pick(uint64_t *rng, uint32_t mask) {
  for (unsigned skip = draw(rng, (unsigned)__builtin_popcount(mask)); skip > 0; skip--) mask &= mask - 1;
  return (unsigned)__builtin_ctz(mask);
}

static void flip_word(uint32_t *word, uint64_t *rng) {
  *word ^= 1u << draw(rng, 32);
}

static bool flip_issue(struct heddle_record_issue *r, uint64_t *rng) {
  uint32_t bit;
  switch (draw(rng, 8)) {
  case 7:
    r->clock ^= 1ull << draw(rng, 64);
    return true;
  case 0:
    flip_word(&r->pc, rng);
    return true;
  case 1:
    r->word[0] ^= 1ull << draw(rng, 64);
    return true;
  case 2:
    r->word[1] ^= 1ull << draw(rng, 64);
    return true;
  case 3:
    flip_word(&r->active, rng);
    return true;
  case 4:
    flip_word(&r->exec, rng);
    return true;
  case 5:
    r->dhash ^= 1ull << draw(rng, 64);
    return true;
  default:
    if (r->exec == 0) return false;
    bit = 1u << pick(rng, r->exec);
    r->ps[draw(rng, 3)] ^= bit;
    return true;
  }
}

static bool flip_operands(struct heddle_record_operands *r, uint64_t *rng) {
  if (r->used == 0 || r->mask == 0) return false;
  const unsigned row = pick(rng, r->used), lane = pick(rng, r->mask);
  if (draw(rng, 8) == 0)
    r->index[row] = (uint8_t)(r->index[row] ^ 1u << draw(rng, 8));
  else
    flip_word(&r->data[row][lane], rng);
  return true;
}

static bool flip_write(struct heddle_record_write *r, uint64_t *rng) {
  if (r->mask == 0) return false;
  if (draw(rng, 4) == 0)
    r->row = (uint16_t)(r->row ^ 1u << draw(rng, 16));
  else
    flip_word(&r->data[pick(rng, r->mask)], rng);
  return true;
}

/* Of two of one name the second counts. */
static bool flip_predicate(struct heddle_record_predicate *r, uint64_t *rng) {
  unsigned used = r->used;
  if (used == 3 && r->value[0].index == r->value[1].index) used = 2;
  if (used == 0) return false;
  struct heddle_record_predicate_value *v = &r->value[pick(rng, used)];
  if (v->mask == 0) return false;
  v->data ^= 1u << pick(rng, v->mask);
  return true;
}

/* A bit of a byte that is written; what is read: the whole word, of which some byte is asked for. */
static bool flip_shared(struct heddle_record_shared *r, uint64_t *rng) {
  const unsigned bank = pick(rng, r->bank_en);
  switch (draw(rng, 4)) {
  case 0:
    r->bank_en ^= 1u << draw(rng, 32);
    return true;
  case 1:
    r->row[bank] = (uint16_t)(r->row[bank] ^ 1u << draw(rng, 16));
    return true;
  case 2:
    if (r->access == HEDDLE_RECORD_LOAD) return false;
    r->wstrb[bank] = (uint8_t)(r->wstrb[bank] ^ 1u << draw(rng, 4));
    return true;
  default:
    if (r->access == HEDDLE_RECORD_LOAD || (r->access == HEDDLE_RECORD_ATOMIC && draw(rng, 2) == 0))
      r->rdata[bank] ^= ~0u;
    else {
      const unsigned byte = pick(rng, r->wstrb[bank]);
      r->wdata[bank] ^= 1u << (8 * byte + draw(rng, 8));
    }
    return true;
  }
}

static bool flip_global(struct heddle_record_global *r, uint64_t *rng) {
  switch (draw(rng, 3)) {
  case 0:
    r->sector ^= 1ull << draw(rng, 35);
    return true;
  case 1:
    if (r->access == HEDDLE_RECORD_LOAD) return false;
    flip_word(&r->wstrb, rng);
    return true;
  default:
    if (r->access == HEDDLE_RECORD_LOAD) {
      for (unsigned i = 0; i < HEDDLE_RECORD_SECTOR; i++) r->rdata[i] ^= (uint8_t)(1u << draw(rng, 8));
    } else {
      const unsigned at = pick(rng, r->wstrb);
      r->wdata[at] = (uint8_t)(r->wdata[at] ^ 1u << draw(rng, 8));
    }
    return true;
  }
}

static bool flip_uniform_read(struct heddle_record_uniform_read *r, uint64_t *rng) {
  if (r->used == 0 || draw(rng, 4) == 0)
    r->used = (uint8_t)(r->used ^ 1u << draw(rng, 8));
  else
    flip_word(&r->data[pick(rng, r->used)], rng);
  return true;
}

static bool flip_uniform_write(struct heddle_record_uniform_write *r, uint64_t *rng) {
  switch (draw(rng, 4)) {
  case 0:
    r->pred = (uint8_t)(r->pred ^ 1u << draw(rng, 8));
    return true;
  case 1:
    if (r->pred == 0) return false;
    r->value = (uint8_t)(r->value ^ 1u << pick(rng, r->pred));
    return true;
  case 2:
    if (r->used == 0) return false;
    r->rd = (uint8_t)(r->rd ^ 1u << draw(rng, 8));
    return true;
  default:
    if (r->used == 0) return false;
    flip_word(&r->data[pick(rng, r->used)], rng);
    return true;
  }
}

bool flip_somewhere(struct heddle_retire_record *r, uint64_t *rng) {
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_ISSUE:
    return flip_issue(&r->u.issue, rng);
  case HEDDLE_RECORD_OPERANDS:
  case HEDDLE_RECORD_OPERANDS_MEMORY:
    return flip_operands(&r->u.operands, rng);
  case HEDDLE_RECORD_WRITE:
    return flip_write(&r->u.write, rng);
  case HEDDLE_RECORD_PREDICATE:
    return flip_predicate(&r->u.predicate, rng);
  case HEDDLE_RECORD_SHARED:
    return flip_shared(&r->u.shared, rng);
  case HEDDLE_RECORD_GLOBAL:
    return flip_global(&r->u.global, rng);
  case HEDDLE_RECORD_UNIFORM_READ:
    return flip_uniform_read(&r->u.uniform_read, rng);
  case HEDDLE_RECORD_UNIFORM_WRITE:
    return flip_uniform_write(&r->u.uniform_write, rng);
  default:
    return false;
  }
}
