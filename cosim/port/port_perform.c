/* SPDX-License-Identifier: Apache-2.0
 *
 * What a request does to memory, all of it at once, and what the records say of it.
 */
#include <string.h>

#include <heddle/model.h>
#include "cosim/port/internal.h"

/* From the first to the last sector that it touches, as a burst on a bus would go. */
static bool in_error(const struct heddle_line_port *p, const struct heddle_line_port_request *r) {
  const unsigned first = (unsigned)__builtin_ctz(r->sectors), last = 31 - (unsigned)__builtin_clz(r->sectors);
  const uint64_t line = r->line * HEDDLE_LINE_PORT_LINE;
  const uint64_t at = line + first * HEDDLE_LINE_PORT_SECTOR, end = line + (last + 1) * HEDDLE_LINE_PORT_SECTOR;
  bool err = line < p->o.base || line + HEDDLE_LINE_PORT_LINE > p->o.base + p->o.bytes;
  for (unsigned i = 0; i < HEDDLE_LINE_PORT_RANGES; i++) {
    const struct heddle_line_port_range *e = &p->o.error[i];
    err = err || (at < e->limit && end > e->base && e->base < e->limit);
  }
  return err;
}

static bool read_line(const struct heddle_line_port *p, uint64_t at, uint8_t data[HEDDLE_LINE_PORT_LINE]) {
  if (p->o.memory.read != NULL) return p->o.memory.read(p->o.memory.context, at, data);
  memcpy(data, p->contents + (at - p->o.base), HEDDLE_LINE_PORT_LINE);
  return true;
}

static bool write_line(const struct heddle_line_port *p, uint64_t at, const uint8_t *data, const uint64_t strb[2]) {
  if (p->o.memory.write != NULL) return p->o.memory.write(p->o.memory.context, at, data, strb);
  uint8_t *to = p->contents + (at - p->o.base);
  for (unsigned i = 0; i < HEDDLE_LINE_PORT_LINE; i++)
    if ((strb[i / 64] >> i % 64 & 1u) != 0) to[i] = data[i];
  return true;
}

static uint64_t get_value(const uint8_t *from, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bytes; i++) v |= (uint64_t)from[i] << (8 * i);
  return v;
}

static void put_value(uint8_t *to, unsigned bytes, uint64_t v) {
  for (unsigned i = 0; i < bytes; i++) to[i] = (uint8_t)(v >> (8 * i));
}

/* Lane after lane; e->w.data becomes the line after it. The operation is one that exists: that has been checked. */
static void change_line(struct entry *e) {
  const unsigned bytes = e->r.wide ? 8 : 4;
  memcpy(e->w.data, e->data, sizeof e->w.data);
  for (uint32_t rest = e->r.lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest), at = 4u * e->w.place[l];
    const uint64_t b = get_value(e->w.operand[l], 8), c = get_value(e->w.operand[l] + 8, 8);
    uint64_t v = 0;
    e->old[l] = get_value(e->w.data + at, bytes);
    (void)heddle_atomic(e->r.op, e->r.wide, e->old[l], b, c, &v);
    put_value(e->w.data + at, bytes, v);
    e->w.strb[at / 64] |= ((UINT64_C(1) << bytes) - 1) << at % 64;
  }
}

static uint64_t sector_number(const struct heddle_line_port_request *r, unsigned s) {
  const uint64_t line = r->is_local ? (uint64_t)r->slot << 18 | r->word : r->line;
  return line * HEDDLE_LINE_PORT_SECTORS + s;
}

static void show_sector(struct heddle_line_port *p, const struct entry *e, unsigned s) {
  const struct heddle_line_port_request *r = &e->r;
  const unsigned at = s * HEDDLE_LINE_PORT_SECTOR;
  const uint32_t strb = sector_strobes(e->w.strb, s);
  struct heddle_line_port_record *out = &p->record[p->records++];
  *out =
      (struct heddle_line_port_record){.sm = r->sm, .slot = r->slot, .gen = r->gen, .seq = r->seq, .bank = p->o.bank};
  out->sector = sector_number(r, s);
  out->stamp = p->cycle;
  out->fill = r->kind == HEDDLE_LINE_PORT_FILL;
  out->number = out->fill ? r->number : 0;
  out->access = (uint8_t)((reads(e) ? HEDDLE_LINE_PORT_LOAD : r->kind) + (r->is_local ? 3 : 0));
  out->wstrb = strb;
  for (unsigned l = 0; l < LANES; l++)
    if (!out->fill && (r->lanes >> l & 1u) != 0 && r->at[l] == s) out->lanes |= 1u << l;
  if (r->kind != HEDDLE_LINE_PORT_STORE) memcpy(out->rdata, e->data + at, HEDDLE_LINE_PORT_SECTOR);
  for (unsigned i = 0; i < HEDDLE_LINE_PORT_SECTOR && !reads(e); i++)
    if (r->kind == HEDDLE_LINE_PORT_ATOM || (strb >> i & 1u) != 0) out->wdata[i] = e->w.data[at + i];
}

/* False: an error of the line. */
static bool perform_request(struct heddle_line_port *p, struct entry *e) {
  const uint64_t at = e->r.line * HEDDLE_LINE_PORT_LINE;
  if (in_error(p, &e->r)) return false;
  if (e->r.kind != HEDDLE_LINE_PORT_STORE && !read_line(p, at, e->data)) return false;
  if (e->r.kind == HEDDLE_LINE_PORT_ATOM) change_line(e);
  return reads(e) || write_line(p, at, e->w.data, e->w.strb);
}

void line_port_perform(struct heddle_line_port *p, struct entry *e) {
  memset(e->data, 0, sizeof e->data);
  e->performed = e->last_beat = p->cycle;
  e->err = !perform_request(p, e);
  e->beats_left = 0;
  for (unsigned k = 0; k < p->beats && reads(e); k++) {
    const bool sent = !e->err || (p->o.junk && line_port_draw(p, 2) != 0);
    if ((beat_sectors(p, k) & e->r.sectors) != 0 && sent) e->beats_left |= 1u << k;
  }
  e->lanes_left = e->r.kind == HEDDLE_LINE_PORT_ATOM && e->r.gives && !e->err ? e->r.lanes : 0;
  if (e->err) p->stats.errors++;
  if (e->err || e->r.kind == HEDDLE_LINE_PORT_FETCH) return;
  for (unsigned s = 0; s < HEDDLE_LINE_PORT_SECTORS; s++)
    if ((e->r.sectors >> s & 1) != 0) show_sector(p, e, s);
}
