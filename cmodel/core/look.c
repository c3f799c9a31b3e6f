/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking into the model and changing it, for debuggers (heddle/debug.h).
 */
#include <string.h>

#include <heddle/debug.h>
#include "cmodel/core/marks.h"

/* ---- paths ---- */

static unsigned add_parked(const struct warp *w, unsigned x, struct heddle_path *out) {
  unsigned n = 0;
  for (uint32_t rest = w->parked[x]; rest != 0; n++) {
    const struct path p = parked_path(w, x, rest);
    out[n] = (struct heddle_path){p.mask, p.pc, HEDDLE_LANES_PARK, x};
    rest &= ~p.mask;
  }
  return n;
}

unsigned heddle_warp_paths(const struct heddle_model *m, unsigned slot, struct heddle_path out[HEDDLE_LANES]) {
  const struct warp *w = slot < m->warp_slots ? &m->warp[slot] : NULL;
  unsigned n = 0;
  if (w == NULL || !w->used || w->ended) return 0;
  if (w->active != 0) out[n++] = (struct heddle_path){w->active, w->pc, HEDDLE_LANES_ISSUE, 0};
  for (unsigned d = 0; d < w->depth; d++) {
    const struct path *p = &w->path[w->its ? d : w->depth - 1 - d];
    out[n++] = (struct heddle_path){p->mask, p->pc, HEDDLE_LANES_WAIT, 0};
  }
  for (unsigned x = 0; x <= BARRIERS; x++) n += add_parked(w, x, &out[n]);
  return n;
}

/* ---- registers ---- */

static bool lives(const struct heddle_model *m, unsigned slot, unsigned lane) {
  return slot < m->warp_slots && m->warp[slot].used && lane < HEDDLE_LANES;
}

uint32_t heddle_reg_undefined(const struct heddle_model *m, unsigned slot, unsigned reg, unsigned lane) {
  if (!lives(m, slot, lane) || reg >= m->launch.regs) return ALL_LANES;
  const struct warp *w = &m->warp[slot];
  if ((w->awaited[reg] >> lane & 1) != 0) return ALL_LANES;
  if ((w->defined[reg] >> lane & 1) != 0) return 0;
  return w->marked ? w->marks->bits[reg][lane] : ALL_LANES;
}

/* What runs of straight code have found of the warp's registers holds no more. */
static void write_row(struct warp *w, unsigned row, unsigned lane, uint32_t value) {
  memset(w->settled, 0, sizeof w->settled);
  w->row[row][lane] = value;
  w->defined[row] |= 1u << lane;
}

bool heddle_put_reg(struct heddle_model *m, unsigned slot, unsigned reg, unsigned lane, uint32_t value) {
  if (!lives(m, slot, lane) || reg >= m->launch.regs) return false;
  write_row(&m->warp[slot], reg, lane, value);
  return true;
}

bool heddle_put_ureg(struct heddle_model *m, unsigned slot, unsigned ureg, uint32_t value) {
  if (!lives(m, slot, 0) || ureg >= UREGS) return false;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) write_row(&m->warp[slot], ROW_UR + ureg, i, value);
  return true;
}

static bool put_pred(struct heddle_model *m, unsigned slot, unsigned p, uint32_t lanes, bool value) {
  if (!lives(m, slot, 0)) return false;
  struct warp *w = &m->warp[slot];
  memset(w->settled, 0, sizeof w->settled);
  w->pred[p] = (w->pred[p] & ~lanes) | (value ? lanes : 0);
  w->pred_defined[p] |= lanes;
  return true;
}

bool heddle_put_pred(struct heddle_model *m, unsigned slot, unsigned p, unsigned lane, bool value) {
  return p < ISA_PT && lane < HEDDLE_LANES && put_pred(m, slot, p, 1u << lane, value);
}

bool heddle_put_upred(struct heddle_model *m, unsigned slot, unsigned up, bool value) {
  return up < ISA_PT && put_pred(m, slot, PRED_UP + up, ALL_LANES, value);
}

/* ---- memory ---- */

/* Bytes of a space that lie in one piece on the host; local memory has words of all lanes side by side. */
struct bytes_of {
  uint8_t *at, *defined; /* defined: bits of 1; NULL: all are */
  uint64_t base, size;
  bool words; /* of local memory: word k at 128 k */
};

static struct bytes_of space_bytes(const struct heddle_model *m, unsigned slot, unsigned lane, unsigned space,
                                   uint64_t at) {
  const unsigned bank = (unsigned)(at >> 32 & 0xff);
  const struct launch_bytes { uint32_t shared, local; } l = {m->launch.shared_bytes, m->launch.local_bytes};
  if (!m->launched) return (struct bytes_of){.size = 0};
  if (space == ISA_SPACE_GLOBAL) return (struct bytes_of){m->memory, m->global_defined, m->base, m->bytes, false};
  if (space == ISA_SPACE_CONST && at >> 40 == 0 && bank < BANKS)
    return (struct bytes_of){m->bank[bank], NULL, (uint64_t)bank << 32, m->launch.cbank_bytes[bank], false};
  if (!lives(m, slot, lane)) return (struct bytes_of){.size = 0};
  const struct warp *w = &m->warp[slot];
  if (space == ISA_SPACE_SHARED)
    return (struct bytes_of){w->block->shared, w->block->shared_defined, 0, l.shared, false};
  if (space != ISA_SPACE_LOCAL || l.local == 0) return (struct bytes_of){.size = 0};
  const size_t first = (size_t)4 * lane;
  return (struct bytes_of){w->local + first, w->local_defined + first, 0, l.local, true};
}

static bool bytes_hold(const struct bytes_of *b, uint64_t at, size_t bytes) {
  return at >= b->base && at - b->base <= b->size && bytes <= b->size - (at - b->base);
}

static size_t byte_place(const struct bytes_of *b, uint64_t at) {
  const uint64_t i = at - b->base;
  return (size_t)(b->words ? i / 4 * 4 * HEDDLE_LANES + i % 4 : i);
}

bool heddle_look(const struct heddle_model *m, unsigned slot, unsigned lane, unsigned space, uint64_t at, uint8_t *out,
                 size_t bytes) {
  const struct bytes_of b = space_bytes(m, slot, lane, space, at);
  if (!bytes_hold(&b, at, bytes)) return false;
  for (size_t i = 0; i < bytes; i++) out[i] = b.at[byte_place(&b, at + i)];
  return true;
}

bool heddle_put(struct heddle_model *m, unsigned slot, unsigned lane, unsigned space, uint64_t at, const uint8_t *in,
                size_t bytes) {
  const struct bytes_of b = space_bytes(m, slot, lane, space, at);
  if (space == ISA_SPACE_CONST || !bytes_hold(&b, at, bytes)) return false;
  if (space == ISA_SPACE_LOCAL) local_touch(&m->warp[slot], (uint32_t)((at + bytes + 3) / 4));
  for (size_t i = 0; i < bytes; i++) {
    const size_t k = byte_place(&b, at + i);
    b.at[k] = in[i];
    if (b.defined != NULL) b.defined[k] = 0xff;
  }
  return true;
}
