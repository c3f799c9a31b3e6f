/* SPDX-License-Identifier: Apache-2.0
 *
 * What an SM owes at the channel. Each rule has its words: what came, and what to do instead.
 */
#include <stdarg.h>
#include <stdio.h>

#include <heddle/model.h>
#include "cosim/port/internal.h"

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
      return broken(p, n, "tag %u: lane %u of local memory is at sector %u: it lies in sector %u", r->tag, l, s, l / 8);
    named |= 1u << s;
  }
  if (named != r->sectors)
    return broken(p, n, "tag %u: no lane is at sectors 0x%x: ask for those that lanes touch", r->tag,
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
