/* SPDX-License-Identifier: Apache-2.0
 *
 * A request at the channel: what the SM owes there, what it does to memory, what the records say of it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heddle/model.h>
#include "cosim/port/internal.h"

/* What an SM owes at the channel. Each rule has its words: what came, and what to do instead. */

static const char *const kinds[HEDDLE_LINE_PORT_KINDS] = {"load", "store", "atomic", "fetch", "fill"};

/* Counts it, and keeps the first one in words; always false. */
static bool __attribute__((format(printf, 3, 4))) broken(struct heddle_line_port *p, unsigned n, const char *fmt, ...) {
  if (p->stats.broken++ != 0) return false;
  va_list ap;
  va_start(ap, fmt);
  const int k = snprintf(p->error, sizeof p->error, "cycle %llu: SM %u: ", (unsigned long long)p->cycle, n);
  if (k > 0) vsnprintf(p->error + k, sizeof p->error - (size_t)k, fmt, ap);
  va_end(ap);
  return false;
}

/* ---- beats -------------------------------------------------------------------------------------- */

static unsigned pieces_of(const struct heddle_line_port *p) {
  return p->bytes < 16 ? 16 / p->bytes : 1;
}

static bool check_operand(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_write *w) {
  const struct gathered *g = &p->sm[n].gathered;
  if (w->lane >= LANES || w->place >= WORDS || w->piece >= pieces_of(p))
    return broken(p, n,
                  "beat of an atomic: lane %u, place %u, piece %u: there are lanes and places 0 to 31 and %u pieces",
                  w->lane, w->place, w->piece, pieces_of(p));
  if (w->lane < 31 && g->lanes >> (w->lane + 1) != 0)
    return broken(p, n, "beat of an atomic: lane %u after a higher one: send lanes in ascending order", w->lane);
  if ((g->lanes >> w->lane & 1u) == 0) return true;
  if ((g->pieces[w->lane] >> w->piece & 1u) != 0)
    return broken(p, n, "beat of an atomic: piece %u of lane %u a second time: send each once", w->piece, w->lane);
  if (g->place[w->lane] != w->place)
    return broken(p, n, "beat of an atomic: lane %u names places %u and %u: all its pieces name one", w->lane,
                  g->place[w->lane], w->place);
  return true;
}

static bool check_bytes(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_write *w) {
  const unsigned most = LANES * 4; /* a word of a lane a beat, of accesses of 128 bits */
  const uint64_t low = p->bytes >= 64 ? UINT64_MAX : (UINT64_C(1) << p->bytes) - 1;
  const uint64_t high = p->bytes > 64 ? UINT64_MAX : 0;
  if (w->beat >= p->beats)
    return broken(p, n, "beat %u of a store: a line has %u beats of %u bits", w->beat, p->beats, p->o.bits);
  if ((w->strb[0] & ~low) != 0 || (w->strb[1] & ~high) != 0)
    return broken(p, n, "beat %u of a store: strobes beyond its %u bytes", w->beat, p->bytes);
  if (p->sm[n].gathered.beats >= most)
    return broken(p, n, "beat %u of a store is the %u-th: 32 lanes have no more than %u", w->beat,
                  p->sm[n].gathered.beats + 1, most);
  return true;
}

bool line_port_check_write(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_write *w) {
  const struct channel *c = &p->sm[n];
  if (c->credits == 0) return broken(p, n, "a beat at lw_ without a credit for its request: wait for lc_valid");
  if (w->atom && c->atoms == 0)
    return broken(p, n, "an operand at lw_ without a credit for an atomic: wait for lc_valid with lc_atom");
  if (c->gathered.beats != 0 && c->gathered.atom != w->atom)
    return broken(p, n, "beats of a store and of an atomic without a request between them: send the request first");
  return w->atom ? check_operand(p, n, w) : check_bytes(p, n, w);
}

/* ---- requests ----------------------------------------------------------------------------------- */

static bool check_credit(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_request *r) {
  const struct channel *c = &p->sm[n];
  if (r->sm != n) return broken(p, n, "tag %u: a request of SM %u: each SM has its own channel", r->tag, r->sm);
  if (r->tag >= p->o.tags) return broken(p, n, "tag %u: there are %u tags", r->tag, p->o.tags);
  if (c->entry[r->tag].used)
    return broken(
        p, n, "tag %u: its %s of line 0x%llx (cycle %llu) has not ended: use a tag again after its answer with done",
        r->tag, kinds[c->entry[r->tag].r.kind], (unsigned long long)c->entry[r->tag].r.line,
        (unsigned long long)c->entry[r->tag].came);
  if (c->credits == 0) return broken(p, n, "tag %u: a request without a credit: wait for lc_valid", r->tag);
  if (r->kind == HEDDLE_LINE_PORT_ATOM && c->atoms == 0)
    return broken(p, n, "tag %u: an atomic without a credit for one: wait for lc_valid with lc_atom", r->tag);
  return true;
}

static bool check_place(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_request *r) {
  if (r->kind >= HEDDLE_LINE_PORT_KINDS || r->scope > HEDDLE_LINE_PORT_SYS)
    return broken(p, n, "tag %u: kind %u, scope %u: kinds are 0 to 4, scopes 0 to 3", r->tag, r->kind, r->scope);
  if (r->line >> 33 != 0)
    return broken(p, n, "tag %u: line 0x%llx: addresses have 40 bits", r->tag, (unsigned long long)r->line);
  if (r->sectors == 0 || r->sectors > 15)
    return broken(p, n, "tag %u: sectors 0x%x: one to four of bits 3:0", r->tag, r->sectors);
  if (r->is_local && (r->word >> 18 != 0 || r->kind == HEDDLE_LINE_PORT_ATOM || r->kind == HEDDLE_LINE_PORT_FETCH))
    return broken(p, n, "tag %u: word 0x%x of local memory, kind %u: loads and stores of words below 2^18", r->tag,
                  r->word, r->kind);
  return true;
}

/* Lanes and sectors name each other. */
static bool check_lane_sectors(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_request *r) {
  unsigned named = 0;
  if (r->kind == HEDDLE_LINE_PORT_FETCH || r->kind == HEDDLE_LINE_PORT_FILL) return true;
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest), s = r->at[l];
    if (s >= HEDDLE_LINE_PORT_SECTORS || (r->sectors >> s & 1) == 0)
      return broken(p, n, "tag %u: lane %u is at sector %u, which is not among sectors 0x%x", r->tag, l, s, r->sectors);
    if (r->is_local && s != l / 8)
      return broken(p, n, "tag %u: lane %u of local memory is at sector %u: it is in sector %u", r->tag, l, s, l / 8);
    named |= 1u << s;
  }
  if (named != r->sectors)
    return broken(p, n, "tag %u: no lane is at sectors 0x%x: request those that lanes touch", r->tag,
                  r->sectors & ~named);
  return true;
}

static bool check_store(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_request *r) {
  const struct gathered *g = &p->sm[n].gathered;
  for (unsigned s = 0; s < HEDDLE_LINE_PORT_SECTORS; s++) {
    const bool has = (r->sectors >> s & 1) != 0;
    if ((sector_strobes(g->strb, s) != 0) != has)
      return broken(p, n, "tag %u: a store to sectors 0x%x %s sector %u: its beats come before it or with it", r->tag,
                    r->sectors, has ? "has no byte for" : "has bytes for", s);
  }
  return true;
}

/* Pieces that hold words of b, and of c of a compare and swap. */
static unsigned pieces_needed(const struct heddle_line_port *p, const struct heddle_line_port_request *r) {
  const unsigned last = r->wide ? 7 : 3;
  unsigned need = 0;
  for (unsigned at = 0; at <= last; at++) {
    need |= 1u << at / p->bytes;
    if (r->op == HEDDLE_COMPARE_SWAP) need |= 1u << (8 + at) / p->bytes;
  }
  return need;
}

static bool check_atom_lane(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_request *r,
                            unsigned l) {
  const struct gathered *g = &p->sm[n].gathered;
  const unsigned missing = pieces_needed(p, r) & ~(unsigned)g->pieces[l];
  if (missing != 0)
    return broken(p, n, "tag %u: operands of lane %u lack pieces 0x%x: send all words that count", r->tag, l, missing);
  if (g->place[l] / 8 != r->at[l])
    return broken(p, n, "tag %u: lane %u changes word %u, but is at sector %u", r->tag, l, g->place[l], r->at[l]);
  if (r->wide && g->place[l] % 2 != 0)
    return broken(p, n, "tag %u: lane %u changes 64 bits at word %u: name the even word of the two", r->tag, l,
                  g->place[l]);
  return true;
}

static bool check_atom(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_request *r) {
  const struct gathered *g = &p->sm[n].gathered;
  uint64_t any;
  if (!heddle_atomic(r->op, r->wide, 0, 0, 0, &any))
    return broken(p, n, "tag %u: operation %u of %u bits: there is none (set aop of the instruction set, or 63)",
                  r->tag, r->op, r->wide ? 64 : 32);
  if (g->lanes != r->lanes)
    return broken(p, n, "tag %u: lanes 0x%08x, but operands of 0x%08x: send those of each lane ahead of the request",
                  r->tag, r->lanes, g->lanes);
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1)
    if (!check_atom_lane(p, n, r, (unsigned)__builtin_ctz(rest))) return false;
  return true;
}

bool line_port_check_request(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_request *r) {
  const struct gathered *g = &p->sm[n].gathered;
  if (!check_credit(p, n, r) || !check_place(p, n, r) || !check_lane_sectors(p, n, r)) return false;
  if (g->beats != 0 && (r->kind != HEDDLE_LINE_PORT_STORE || g->atom) && (r->kind != HEDDLE_LINE_PORT_ATOM || !g->atom))
    return broken(p, n, "tag %u: a %s after %u beats of %s: beats belong to the next request", r->tag, kinds[r->kind],
                  g->beats, g->atom ? "an atomic" : "a store");
  if (r->kind == HEDDLE_LINE_PORT_STORE) return check_store(p, n, r);
  return r->kind != HEDDLE_LINE_PORT_ATOM || check_atom(p, n, r);
}

/* What a request does to memory, all of it at once, and what the records say of it. */

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
