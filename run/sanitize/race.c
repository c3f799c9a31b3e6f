/* SPDX-License-Identifier: Apache-2.0
 * The race check: an access beside the marks of its place, and the memory of these marks. */
#include "race.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>

/* Shadow memory of the race check. */

struct shadow *shadow_new(uint64_t base, uint64_t bytes) {
  const uint64_t first = base / SHADOW_PAGE, pages = (base + bytes + SHADOW_PAGE - 1) / SHADOW_PAGE - first;
  struct shadow *s = calloc(1, sizeof *s + pages * sizeof *s->page);
  if (!s) return NULL;
  s->base = first * SHADOW_PAGE;
  s->pages = pages;
  return s;
}

void shadow_free(struct shadow *s) {
  for (uint64_t k = 0; s && k < s->pages; k++) {
    const struct shadow_page *p = &s->page[k];
    const unsigned cells = p->by_byte ? SHADOW_PAGE : SHADOW_PAGE / SHADOW_WORD;
    for (unsigned i = 0; p->cell && i < cells; i++) free(p->cell[i].more);
    free(p->cell);
  }
  free(s);
}

static bool copy_cell(struct cell *to, const struct cell *from) {
  *to = *from;
  if (!from->more) return true;
  to->more = malloc(sizeof *to->more);
  if (to->more) memcpy(to->more, from->more, sizeof *to->more);
  return to->more != NULL;
}

/* A cell for each byte from now on: each has what its word had. */
static bool split_cells(struct shadow_page *p) {
  struct cell *bytes = calloc(SHADOW_PAGE, sizeof *bytes);
  bool ok = bytes != NULL;
  for (unsigned i = 0; ok && i < SHADOW_PAGE; i++) ok = copy_cell(&bytes[i], &p->cell[i / SHADOW_WORD]) && ok;
  for (unsigned i = 0; i < SHADOW_PAGE / SHADOW_WORD; i++) free(p->cell[i].more);
  free(p->cell);
  p->cell = bytes;
  p->by_byte = ok;
  return ok;
}

bool shadow_open(struct shadow_page *p, unsigned bytes) {
  if (!p->cell && !(p->cell = calloc(SHADOW_PAGE / SHADOW_WORD, sizeof *p->cell))) return false;
  return bytes >= SHADOW_WORD || p->by_byte || split_cells(p);
}

static bool same_mark(const struct mark *a, const struct mark *b) {
  return a->warp == b->warp && a->time == b->time && a->pc == b->pc && a->kind == b->kind;
}

/* Puts a mark beside the others of a cell. False: no memory. */
static bool cell_add(struct cell *c, struct mark m) {
  if (c->other.warp == 0 || same_mark(&c->other, &m)) {
    m.lanes |= c->other.warp != 0 ? c->other.lanes : 0;
    c->other = m;
    return true;
  }
  if (!c->more && !(c->more = calloc(1, sizeof *c->more))) return false;
  struct marks *r = c->more;
  struct mark *latest = r->used ? &r->mark[(r->next + MARKS_MORE - 1) % MARKS_MORE] : NULL;
  if (latest && same_mark(latest, &m)) {
    latest->lanes |= m.lanes;
    return true;
  }
  r->mark[r->next] = m;
  r->next = (r->next + 1) % MARKS_MORE;
  if (r->used < MARKS_MORE) r->used++;
  return true;
}

/* A weak write came: the others are of the past. */
static void cell_written(struct cell *c, struct mark m) {
  c->write = m;
  c->other.warp = 0;
  if (c->more) c->more->used = c->more->next = 0;
}

/* The check itself: an access beside the marks of its place. */

#define SPACE_SHIFT 56u
#define LOW 0xffffffffu

/* One access of one instruction, while its lanes are looked at. */
struct look {
  struct race *r;
  struct warp_state *w;
  const struct heddle_observed_access *a;
  struct mark mark; /* lanes: of the lane that is looked at */
  unsigned scope;
  enum heddle_order order;
  uint32_t before; /* lanes that were looked at already */
  bool passes;     /* it does not read what lies in a cache: race_sync.c */
  /* What the warp's common clock does not know, the last time that it was asked. */
  uint32_t asked_warp, asked_time, unknown;
};

/* Lanes of a mark that what happens now does not come after. */
static uint32_t unordered(struct look *l, unsigned lane, const struct mark *m) {
  const struct warp_state *w = l->w;
  uint32_t lanes = m->warp == w->id ? m->lanes & ~(1u << lane) : m->lanes;
  if (lanes == 0) return 0;
  if (m->warp == w->id && m->time == w->time) return lanes; /* nobody knows of the present */
  if (l->asked_warp != m->warp || l->asked_time != m->time) {
    l->unknown = clock_unknown(w->common, m->warp, CLOCK_ALL, m->time);
    l->asked_warp = m->warp;
    l->asked_time = m->time;
  }
  lanes &= l->unknown;
  if (lanes != 0 && w->own[lane]) lanes = clock_unknown(w->own[lane], m->warp, lanes, m->time);
  if (lanes != 0 && l->passes && w->seen) lanes = clock_unknown(w->seen, m->warp, lanes, m->time);
  return lanes;
}

static uint32_t block_of(const struct race *r, uint32_t warp) {
  return (warp / 2 - 1) / r->warps_of_block;
}

/* Two accesses of which one is strong may meet if both are, at scopes that hold both. */
static bool may_meet(const struct look *l, const struct mark *m) {
  const bool writes = ((m->kind | l->mark.kind) & MARK_WRITES) != 0;
  if (!writes) return true;
  if ((m->kind & l->mark.kind & MARK_STRONG) == 0) return false;
  if (((m->kind | l->mark.kind) & MARK_BLOCK) == 0) return true;
  return block_of(l->r, m->warp) == block_of(l->r, l->w->id);
}

/* ---- what is found */

static void stored_bytes(const struct heddle_observed_access *a, unsigned lane, uint8_t to[16]) {
  for (unsigned k = 0; k < 4 && 4 * k < a->bytes; k++) memcpy(to + 4 * k, &a->data[k][lane], 4);
}

/* Both store: is it the same? An older lane of this instruction has not stored yet. */
static bool same_value(const struct look *l, unsigned lane, unsigned space, uint64_t addr, const struct mark *m) {
  uint8_t mine[16], there[16];
  const struct heddle_observed_access *a = l->a;
  if (!a->data || a->kind != HEDDLE_ACCESS_STORE || (m->kind & MARK_WRITES) == 0) return false;
  stored_bytes(a, lane, mine);
  const unsigned other = (unsigned)__builtin_ctz(m->lanes);
  const bool now = m->warp == l->w->id && m->time == l->w->time && m->pc == l->mark.pc &&
                   (l->before >> other & 1) != 0 && a->addr[other] == a->addr[lane];
  if (now)
    stored_bytes(a, other, there);
  else if (!heddle_lane_memory(l->r->o.model, a->by.slot, lane, space, addr, a->bytes, there))
    return false;
  return memcmp(mine, there, a->bytes) == 0;
}

static void tell_race(const struct look *l, unsigned lane, unsigned space, uint64_t addr, const struct mark *m,
                      uint32_t lanes) {
  const struct race_found f = {.older = *m,
                               .older_lane = (uint32_t)__builtin_ctz(lanes),
                               .newer = l->mark,
                               .by = &l->a->by,
                               .lane = lane,
                               .space = space,
                               .addr = addr,
                               .same_value = same_value(l, lane, space, addr, m)};
  l->r->o.found(l->r->o.ctx, &f);
}

/* ---- a cell */

/* Of a block that has ended, in shared memory: it is as if nobody had been there. */
static void forget_older(struct cell *c, uint32_t first) {
  if (c->write.warp < first) c->write.warp = 0;
  if (c->other.warp >= first) return;
  c->other.warp = 0;
  if (c->more) c->more->used = c->more->next = 0;
}

static bool conflicts_with(struct look *l, unsigned lane, const struct mark *m, uint32_t *lanes) {
  if (m->warp == 0 || may_meet(l, m)) return false;
  *lanes = unordered(l, lane, m);
  return *lanes != 0;
}

/* The first mark that the access races with, or NULL. */
static const struct mark *race_in(struct look *l, unsigned lane, const struct cell *c, uint32_t *lanes) {
  if (conflicts_with(l, lane, &c->write, lanes)) return &c->write;
  if (conflicts_with(l, lane, &c->other, lanes)) return &c->other;
  for (unsigned k = 0; c->more && k < c->more->used; k++)
    if (conflicts_with(l, lane, &c->more->mark[k], lanes)) return &c->more->mark[k];
  return NULL;
}

/* Does whatever races with the older mark race with the newer, which comes after it? */
static bool replaces(struct look *l, unsigned lane, const struct mark *old) {
  const bool same_kind = old->kind == l->mark.kind, weak_read = old->kind == MARK_READS;
  return (same_kind || weak_read) && unordered(l, lane, old) == 0;
}

static void put_mark(struct look *l, unsigned lane, struct cell *c) {
  if (c->other.warp != 0 && !same_mark(&c->other, &l->mark) && replaces(l, lane, &c->other)) {
    c->other = l->mark;
    return;
  }
  for (unsigned k = 0; c->more && k < c->more->used; k++) {
    struct mark *m = &c->more->mark[k];
    if (m->warp != l->mark.warp) continue;
    if (same_mark(m, &l->mark)) {
      m->lanes |= l->mark.lanes;
      return;
    }
    if (!replaces(l, lane, m)) continue;
    *m = l->mark;
    return;
  }
  if (!cell_add(c, l->mark)) l->r->lost = true;
}

/* ---- what is usual: all that was there is known to be over */

/* Do all lanes come after the mark, as far as is known at a glance? `single`: there is one lane. */
static inline bool over(const struct look *l, const struct mark *m, uint32_t lanes, bool single) {
  const struct warp_state *w = l->w;
  const uint32_t n = m->warp - w->block->first;
  if (m->warp == 0) return true;
  if (n < 2 * l->r->warps_of_block && n % 2 == 0 && m->time <= w->known[n / 2]) return true;
  return single && m->warp == w->id && (m->lanes & ~lanes) == 0;
}

/* A cell whose last weak write is over takes a weak read, or something strong: those of one kind may meet. False: there
 * is another kind. */
static inline bool quiet_meet(struct look *l, uint32_t lanes, bool single, struct cell *c) {
  struct mark *free = NULL;
  if (c->other.warp == 0 || same_mark(&c->other, &l->mark)) {
    l->mark.lanes = c->other.warp == 0 ? lanes : c->other.lanes | lanes;
    c->other = l->mark;
    return true;
  }
  if (c->other.kind != l->mark.kind) return false;
  if (over(l, &c->other, lanes, single)) free = &c->other;
  for (unsigned k = 0; c->more && k < c->more->used; k++) {
    struct mark *m = &c->more->mark[k];
    if (m->kind != l->mark.kind) return false;
    if (m->warp != l->mark.warp) continue;
    if (same_mark(m, &l->mark)) {
      m->lanes |= lanes;
      return true;
    }
    if (over(l, m, lanes, single)) free = m;
  }
  l->mark.lanes = lanes;
  if (free)
    *free = l->mark;
  else
    return cell_add(c, l->mark);
  return true;
}

static inline bool quiet_write(struct look *l, uint32_t lanes, struct cell *c) {
  if (!over(l, &c->other, lanes, true)) return false;
  for (unsigned k = 0; c->more && k < c->more->used; k++)
    if (!over(l, &c->more->mark[k], lanes, true)) return false;
  cell_written(c, l->mark);
  return true;
}

/* Lanes at one place; not copies, nor what is strong for a block alone. False: it takes a closer look. */
static inline bool quiet(struct look *l, uint32_t lanes, unsigned space, uint64_t addr) {
  struct shadow *s = space == ISA_SPACE_GLOBAL ? l->r->global : l->w->block->shared;
  const bool single = (lanes & (lanes - 1)) == 0;
  struct cell *c = NULL;
  const unsigned cells = s ? shadow_cells(s, addr, l->a->bytes, &c) : 0;
  for (unsigned k = 0; k < cells; k++, c++) {
    l->mark.lanes = lanes;
    if (space == ISA_SPACE_SHARED) forget_older(c, l->w->block->first);
    if (!over(l, &c->write, lanes, single)) return false;
    if (!(l->mark.kind == MARK_WRITES ? quiet_write(l, lanes, c) : quiet_meet(l, lanes, single, c))) return false;
  }
  return cells != 0;
}

/* ---- an access */

static void look_at_place(struct look *l, unsigned lane, unsigned space, uint64_t addr) {
  struct shadow *s = space == ISA_SPACE_GLOBAL ? l->r->global : l->w->block->shared;
  const bool writes = (l->mark.kind & MARK_WRITES) != 0, strong = (l->mark.kind & MARK_STRONG) != 0;
  struct cell *c = NULL;
  const unsigned cells = s ? shadow_cells(s, addr, l->a->bytes, &c) : 0;
  bool told = false;
  if (cells == 0) l->r->lost = true;
  l->mark.lanes = 1u << lane;
  for (unsigned k = 0; k < cells; k++, c++) {
    uint32_t lanes;
    if (space == ISA_SPACE_SHARED) forget_older(c, l->w->block->first);
    const struct mark *m = race_in(l, lane, c, &lanes);
    if (m && !told) tell_race(l, lane, space, addr, m, lanes);
    told = told || m;
    if (writes && !strong)
      cell_written(c, l->mark);
    else
      put_mark(l, lane, c);
  }
}

/* Which space a lane's address lies in; of a generic one it becomes one of that space. */
static unsigned space_of(unsigned space, uint64_t *addr) {
  if (space != ISA_SPACE_GENERIC) return space;
  const unsigned top = (unsigned)(*addr >> SPACE_SHIFT);
  if (top == 0) return ISA_SPACE_GLOBAL;
  *addr &= LOW;
  return top == 1 ? ISA_SPACE_SHARED : ISA_SPACE_LOCAL;
}

/* What the host gave for reading only has no races. */
static bool written_region(const struct race *r, uint64_t addr) {
  const struct heddle_launch *l = r->o.launch;
  for (unsigned k = 0; k < l->regions; k++)
    if (addr >= l->region[k].base && addr < l->region[k].limit) return l->region[k].writable;
  return false;
}

/* Something strong at a place that has been looked at. */
static void strong_access(struct look *l, unsigned lane, unsigned space, uint64_t at) {
  const bool global = space == ISA_SPACE_GLOBAL, reads = (l->mark.kind & MARK_READS) != 0;
  const struct race_strong s = {.key = global ? at << 1 | 1 : (uint64_t)l->w->block->first << 33 | at << 1,
                                .scope = global ? l->scope : SCOPE_BLOCK,
                                .takes = reads && l->a->kind != HEDDLE_ACCESS_REDUCTION,
                                .hands = (l->mark.kind & MARK_WRITES) != 0,
                                .goes_on = reads,
                                .arrives = l->order == HEDDLE_ORDER_ARRIVE,
                                .ends = l->order == HEDDLE_ORDER_PHASE};
  race_strong(l->r, l->w, lane, &s);
}

/* The lowest of the lanes, and those behind it that load from the same place. */
static uint32_t lanes_of_place(const uint64_t *addr, uint32_t rest) {
  const uint64_t first = addr[__builtin_ctz(rest)];
  uint32_t lanes = rest & (0u - rest);
  for (rest &= rest - 1; rest != 0 && addr[__builtin_ctz(rest)] == first; rest &= rest - 1) lanes |= rest & (0u - rest);
  return lanes;
}

static void look_at_lanes(struct look *l, unsigned space, const uint64_t *addr, uint32_t lanes) {
  const bool strong = (l->mark.kind & MARK_STRONG) != 0, loads = l->mark.kind == MARK_READS;
  const bool usual = (l->mark.kind & (MARK_BLOCK | MARK_COPY)) == 0;
  l->before = 0;
  for (uint32_t rest = lanes, some; rest != 0; rest &= ~some) {
    some = loads ? lanes_of_place(addr, rest) : rest & (0u - rest);
    uint64_t at = addr[__builtin_ctz(some)];
    const unsigned in = space_of(space, &at);
    if (in == ISA_SPACE_LOCAL || (in == ISA_SPACE_GLOBAL && !written_region(l->r, at))) continue;
    if (!usual || !quiet(l, some, in, at))
      for (uint32_t k = some; k != 0; k &= k - 1) look_at_place(l, (unsigned)__builtin_ctz(k), in, at);
    if (strong) strong_access(l, (unsigned)__builtin_ctz(some), in, at);
    l->before |= some;
  }
}

static unsigned kind_of_access(const struct heddle_observed_access *a, enum heddle_order order, unsigned *scope) {
  const bool atomic =
      a->kind == HEDDLE_ACCESS_ATOMIC || a->kind == HEDDLE_ACCESS_REDUCTION || a->kind == HEDDLE_ACCESS_COMPARE_SWAP;
  const bool says = heddle_isa_enc_owns((enum heddle_isa_enc)a->dec->enc, ISA_F_STRONG);
  const uint64_t strength = says ? heddle_isa_get(a->dec->word, ISA_F_STRONG) : ISA_STRONG_WEAK;
  const unsigned moves = atomic ? MARK_READS | MARK_WRITES : a->kind == HEDDLE_ACCESS_STORE ? MARK_WRITES : MARK_READS;
  *scope = strength == ISA_STRONG_STRONG_CTA ? SCOPE_BLOCK : SCOPE_GPU;
  if (order == HEDDLE_ORDER_STRONG || order == HEDDLE_ORDER_WAIT) return moves | MARK_STRONG;
  if (!atomic && strength == ISA_STRONG_WEAK) return moves;
  return moves | MARK_STRONG | (*scope == SCOPE_BLOCK ? MARK_BLOCK : 0);
}

void race_access(struct race *r, const struct heddle_observed_access *a, uint32_t lanes) {
  struct warp_state *w = r->warp[a->by.slot];
  const enum heddle_order order = heddle_program_order(r->o.program, a->by.pc);
  if (!w || order == HEDDLE_ORDER_LIBRARY) return;
  struct look l = {
      .r = r, .w = w, .a = a, .order = order, .mark = {.warp = w->id, .time = w->time, .pc = a->by.pc & 0x7ffffff}};
  l.mark.kind = kind_of_access(a, l.order, &l.scope) & 0x1f;
  const bool gpu = (l.mark.kind & MARK_STRONG) != 0 && l.scope == SCOPE_GPU;
  l.passes = !r->o.program->ordered && ((l.mark.kind & MARK_WRITES) != 0 || gpu);
  if (a->kind != HEDDLE_ACCESS_COPY) {
    look_at_lanes(&l, a->space, a->addr, lanes);
    return;
  }
  l.mark.warp = w->id + 1;
  l.mark.time = ++w->copies;
  l.mark.kind = MARK_READS | MARK_COPY;
  look_at_lanes(&l, a->space, a->addr, lanes);
  l.mark.kind = MARK_WRITES | MARK_COPY;
  look_at_lanes(&l, ISA_SPACE_SHARED, a->copy_addr, lanes);
  race_raise(w, a->dec->ctl.wbar);
}

void race_forget(struct race *r, uint64_t addr, uint64_t bytes) {
  for (uint64_t k = 0; k < bytes; k += SHADOW_WORD) {
    struct cell *c = NULL;
    const unsigned cells = shadow_cells(r->global, addr + k, SHADOW_WORD, &c);
    for (unsigned i = 0; i < cells; i++) cell_written(&c[i], (struct mark){.warp = 0});
  }
}

void race_who(const struct race *r, const struct mark *m, uint64_t *block, uint32_t *warp) {
  *block = block_of(r, m->warp);
  *warp = (m->warp / 2 - 1) % r->warps_of_block;
}
