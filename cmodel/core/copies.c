/* SPDX-License-Identifier: Apache-2.0
 *
 * Lockstep: copies of sectors of global memory, which a cache between the warps and the point of order takes and reads
 * later. A copy has its bytes and, where memory has marks, those: what is undefined.
 */
#include <stdlib.h>
#include <string.h>

#include "cmodel/core/marks.h"

#define SECTOR_BYTES 32u

/* A sector as it was. */
struct copy {
  uint64_t sector;
  bool taken;
  uint8_t byte[SECTOR_BYTES], defined[SECTOR_BYTES]; /* defined: bits of 1 for those that are */
};

enum heddle_status heddle_copies(struct heddle_model *m, unsigned room) {
  struct copy *copy = room == 0 ? NULL : calloc(room, sizeof *copy);
  if (room != 0 && copy == NULL) return model_fail(m, HEDDLE_NO_MEMORY, "no memory for %u copies", room);
  free(m->copy);
  m->copy = copy;
  m->copies = room;
  return HEDDLE_OK;
}

/* The copy that is there, or NULL. */
static struct copy *find_copy(struct heddle_model *m, unsigned n) {
  return n < m->copies && m->copy[n].taken ? &m->copy[n] : NULL;
}

static bool lies_in_memory(const struct heddle_model *m, uint64_t sector) {
  const uint64_t at = sector * SECTOR_BYTES;
  return sector <= UINT64_MAX / SECTOR_BYTES && at >= m->base && at - m->base <= m->bytes &&
         m->bytes - (at - m->base) >= SECTOR_BYTES;
}

enum heddle_status heddle_copy_take(struct heddle_model *m, unsigned n, uint64_t sector) {
  if (n >= m->copies || m->copy[n].taken)
    return model_fail(m, HEDDLE_STATE, "copy %u is one of %u, or taken already", n, m->copies);
  if (!lies_in_memory(m, sector))
    return model_fail(m, HEDDLE_STATE, "sector 0x%llx lies outside of global memory", (unsigned long long)sector);
  struct copy *c = &m->copy[n];
  const uint64_t at = sector * SECTOR_BYTES - m->base;
  c->taken = true;
  c->sector = sector;
  memcpy(c->byte, m->memory + at, SECTOR_BYTES);
  if (m->global_defined != NULL)
    memcpy(c->defined, m->global_defined + at, SECTOR_BYTES);
  else
    memset(c->defined, 0xff, SECTOR_BYTES);
  return HEDDLE_OK;
}

enum heddle_status heddle_copy_drop(struct heddle_model *m, unsigned n) {
  struct copy *c = find_copy(m, n);
  if (c == NULL) return model_fail(m, HEDDLE_STATE, "copy %u has not been taken", n);
  c->taken = false;
  return HEDDLE_OK;
}

static void swap_bytes(uint8_t *a, uint8_t *b) {
  uint8_t was[SECTOR_BYTES];
  memcpy(was, a, SECTOR_BYTES);
  memcpy(a, b, SECTOR_BYTES);
  memcpy(b, was, SECTOR_BYTES);
}

/* Memory and the copy change places: what reads then reads the copy, by the rules of memory. */
static void change_places(struct heddle_model *m, struct copy *c) {
  const uint64_t at = c->sector * SECTOR_BYTES - m->base;
  swap_bytes(m->memory + at, c->byte);
  if (m->global_defined != NULL) swap_bytes(m->global_defined + at, c->defined);
}

static bool reads_copy(const struct pending *p, uint32_t lanes, uint64_t sector) {
  if (p->op->access != SEM_LOAD || lanes_in(p->op, ISA_SPACE_GLOBAL, lanes, p->addr) != lanes) return false;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    if (p->addr[lowest_lane(rest)] / SECTOR_BYTES != sector) return false;
  return true;
}

enum heddle_status heddle_perform_copy(struct heddle_model *m, unsigned w, uint32_t seq, uint32_t lanes, unsigned n,
                                       struct heddle_performed *out) {
  struct copy *c = find_copy(m, n);
  if (c == NULL) return model_fail(m, HEDDLE_STATE, "copy %u has not been taken", n);
  const struct pending *p = w < m->warp_slots && m->warp[w].used ? pending_find(&m->warp[w], seq, false) : NULL;
  if (p != NULL && !reads_copy(p, lanes & p->lanes, c->sector))
    return model_fail(m, HEDDLE_STATE, "warp slot %u seq %u lanes 0x%08x: no load of sector 0x%llx", w, seq, lanes,
                      (unsigned long long)c->sector);
  change_places(m, c);
  const enum heddle_status s = heddle_perform_values(m, w, seq, lanes, out);
  change_places(m, c);
  return s;
}
