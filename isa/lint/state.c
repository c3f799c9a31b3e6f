/* SPDX-License-Identifier: Apache-2.0
 *
 * Results on their way: what one instruction asks of them and adds, and what is wrong, in words.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "isa/lint/internal.h"

/* Results on their way. Within a block times are absolute and a look at a place costs nothing for what is elsewhere;
 * where paths meet only what is on its way is kept. */

/* Which of the variable-latency units give their results in the order of issue (isa/doc/01). */
static bool state_in_order(unsigned unit) {
  return unit == ISA_UNIT_FP64 || unit == ISA_UNIT_SFU;
}

static bool bit(const struct state *s, unsigned slot, unsigned place) {
  return (s->live[slot][place / 64] >> (place % 64) & 1) != 0;
}

bool state_live(const struct state *s, unsigned slot, unsigned place) {
  return bit(s, slot, place) && s->of[slot][place].ready > s->now;
}

static void state_add(struct state *s, unsigned slot, unsigned place, struct pending p) {
  s->live[slot][place / 64] |= UINT64_C(1) << (place % 64);
  s->of[slot][place] = p;
}

static void forget_place(struct state *s, unsigned slot, unsigned place) {
  s->live[slot][place / 64] &= ~(UINT64_C(1) << (place % 64));
}

/* whatever is on its way there */
static void state_drop(struct state *s, unsigned place) {
  for (unsigned slot = 0; slot < SLOTS; slot++) forget_place(s, slot, place);
}

static void state_zero(struct state *s, unsigned counter) {
  memset(s->live[1 + counter], 0, sizeof s->live[1 + counter]);
  s->units[counter] = 0;
}

int state_next(const struct state *s, unsigned slot, int from) {
  unsigned place = (unsigned)(from + 1), word = place / 64;
  if (word >= PLACE_WORDS) return -1;
  uint64_t left = s->live[slot][word] >> (place % 64) << (place % 64);
  while (left == 0) {
    if (++word >= PLACE_WORDS) return -1;
    left = s->live[slot][word];
  }
  return (int)(word * 64 + (unsigned)__builtin_ctzll(left));
}

/* Counter `c` has fallen to k: what an in-order unit raised it for has come, but for the youngest k. */
static void state_fallen(struct state *s, unsigned c, unsigned k) {
  if (k == 0) {
    state_zero(s, c);
    return;
  }
  for (int p = state_next(s, 1 + c, -1); p >= 0; p = state_next(s, 1 + c, p)) {
    const struct pending *r = &s->of[1 + c][p];
    if (state_in_order(r->unit) && s->numbers[c][r->unit] - r->number > k) forget_place(s, 1 + c, (unsigned)p);
  }
}

static void state_drop_unit(struct state *s, enum heddle_isa_unit u) {
  for (unsigned slot = 0; slot < SLOTS; slot++)
    for (int p = state_next(s, slot, -1); p >= 0; p = state_next(s, slot, p))
      if (s->of[slot][p].unit == u) forget_place(s, slot, (unsigned)p);
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++) s->units[c] &= (uint16_t) ~(1u << u);
}

void state_begin(struct state *s, const struct meeting *m) {
  s->now = 0;
  memset(s->live, 0, sizeof s->live);
  memset(s->numbers, 0, sizeof s->numbers);
  memcpy(s->units, m->units, sizeof s->units);
  for (uint32_t i = 0; i < m->entries; i++) {
    const struct entry *e = &m->entry[i];
    state_add(s, e->key % SLOTS, e->key / SLOTS,
              (struct pending){.ready = e->left == INT16_MAX ? NEVER : e->left,
                               .number = 0u - 1u - e->behind, /* itself, and those behind it */
                               .producer = e->producer,
                               .unit = e->unit});
  }
}

/* How many results of its unit raised the counter after this one. */
static uint8_t results_behind(const struct state *s, unsigned slot, const struct pending *p) {
  if (slot == 0 || p->unit >= ISA_UNIT_COUNT) return 0;
  const uint32_t n = s->numbers[slot - 1][p->unit] - p->number - 1;
  return (uint8_t)(n < COUNTER_MAX ? n : COUNTER_MAX);
}

static struct entry entry_of(const struct state *s, unsigned slot, unsigned place) {
  const struct pending *p = &s->of[slot][place];
  const int32_t left = p->ready == NEVER || p->ready - s->now > INT16_MAX ? INT16_MAX : p->ready - s->now;
  return (struct entry){.producer = p->producer,
                        .key = (uint16_t)(place * SLOTS + slot),
                        .left = (int16_t)left,
                        .behind = results_behind(s, slot, p),
                        .unit = p->unit};
}

static uint32_t list_entries(const struct state *s, struct entry *out) {
  uint32_t n = 0;
  for (unsigned w = 0; w < PLACE_WORDS; w++) {
    uint64_t any = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++) any |= s->live[slot][w];
    for (; any != 0; any &= any - 1) {
      const unsigned place = w * 64 + (unsigned)__builtin_ctzll(any);
      for (unsigned slot = 0; slot < SLOTS; slot++)
        if (state_live(s, slot, place)) out[n++] = entry_of(s, slot, place);
    }
  }
  return n;
}

static bool worse(struct entry *a, const struct entry *b) {
  const struct entry old = *a;
  if (b->left > a->left) a->left = b->left, a->producer = b->producer;
  if (b->unit != a->unit) a->unit = ISA_UNIT_COUNT, a->behind = 0;
  if (b->behind < a->behind) a->behind = b->behind;
  return a->left != old.left || a->unit != old.unit || a->behind != old.behind;
}

/* The worst of both, by key. */
static uint32_t unite(const struct entry *a, uint32_t n, const struct entry *b, uint32_t m, struct entry *out,
                      bool *changed) {
  uint32_t i = 0, j = 0, k = 0;
  while (i < n || j < m) {
    if (j == m || (i < n && a[i].key < b[j].key)) {
      out[k++] = a[i++];
    } else if (i == n || b[j].key < a[i].key) {
      out[k++] = b[j++];
      *changed = true;
    } else {
      out[k] = a[i++];
      if (worse(&out[k++], &b[j++])) *changed = true;
    }
  }
  return k;
}

int state_meet(struct meeting *m, const struct state *s, struct entry *scratch) {
  bool changed = !m->reached;
  m->reached = true;
  if (!s) return changed;
  struct entry *mine = scratch, *both = scratch + SLOTS * HEDDLE_HAZARD_PLACES;
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++) {
    const uint16_t units = m->units[c] | s->units[c];
    if (units != m->units[c]) changed = true;
    m->units[c] = units;
  }
  bool grown = false;
  const uint32_t n = unite(m->entry, m->entries, mine, list_entries(s, mine), both, &grown);
  if (!grown) return changed;
  struct entry *e = n > m->entries ? realloc(m->entry, n * sizeof *e) : m->entry;
  if (!e) return -1;
  memcpy(e, both, n * sizeof *e);
  m->entry = e;
  m->entries = n;
  return 1;
}

/* Findings: what is missing, and what would mend it. */

void place_name(unsigned place, char name[8]) {
  static const struct {
    unsigned first;
    const char *prefix;
  } file[] = {{HEDDLE_HAZARD_UP, "UP"}, {HEDDLE_HAZARD_P, "P"}, {HEDDLE_HAZARD_UR, "UR"}, {HEDDLE_HAZARD_R, "R"}};
  unsigned k = 0;
  while (place < file[k].first) k++;
  snprintf(name, 8, "%s%u", file[k].prefix, (place - file[k].first) % 1000);
}

const struct heddle_kernel *owner_of(const struct lint *l, uint32_t pc) {
  uint32_t low = 0, high = l->p->kernels;
  if (high == 0 || l->p->kernel[0].entry_pc > pc) return NULL;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->p->kernel[middle].entry_pc <= pc)
      low = middle;
    else
      high = middle;
  }
  return &l->p->kernel[low];
}

static void advise(struct heddle_lint_finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void advise(struct heddle_lint_finding *f, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(f->advice, sizeof f->advice, format, ap);
  va_end(ap);
}

static void add_finding(struct lint *l, struct heddle_lint_finding f, unsigned key) {
  if (l->n_found == FOUND_MAX) {
    l->dropped++;
    return;
  }
  if (!array_room(&l->found, &l->room, l->n_found + 1, sizeof *l->found)) {
    l->failed = true;
    return;
  }
  f.kernel = owner_of(l, f.pc);
  l->found[l->n_found++] = (struct found){f, (uint16_t)key};
}

static void advise_time(const struct lint *l, struct heddle_lint_finding *f, uint32_t at) {
  char or_wait[24] = "";
  const char *s = f->missing == 1 ? "" : "s";
  if (f->counter < HEDDLE_HAZARD_COUNTERS) snprintf(or_wait, sizeof or_wait, ", or wait on SB%u", f->counter);
  if (f->before == HEDDLE_LINT_NOWHERE) {
    advise(f, "%u more cycle%s on every way to here%s", f->missing, s, or_wait);
    return;
  }
  const uint32_t p = f->kind == HEDDLE_LINT_LEAVE ? at : at - 1;
  const unsigned stall = l->insn[p].d.ctl.stall > 1 ? l->insn[p].d.ctl.stall : 1;
  if (stall + f->missing <= 15)
    advise(f, "stall %u more at 0x%04x (S%02u now)%s", f->missing, f->before, stall, or_wait);
  else
    advise(f, "%u more cycle%s, in stall counts up to 0x%04x%s", f->missing, s, f->before, or_wait);
}

void found_touch(struct lint *l, enum heddle_lint_kind kind, uint32_t at, unsigned slot, unsigned place) {
  const struct pending p = l->s->of[slot][place];
  const int32_t missing = p.ready == NEVER ? 0 : p.ready - l->s->now;
  l->s->live[slot][place / 64] &= ~(UINT64_C(1) << (place % 64)); /* said once */
  if (!l->report) return;
  const bool first = l->insn[at].leads, here = kind == HEDDLE_LINT_LEAVE;
  struct heddle_lint_finding f = {.kind = kind,
                                  .pc = pc_of(l, at),
                                  .producer = pc_of(l, p.producer),
                                  .before = here    ? pc_of(l, at)
                                            : first ? HEDDLE_LINT_NOWHERE
                                                    : pc_of(l, at - 1),
                                  .missing = (uint8_t)(missing < 255 ? missing : 255),
                                  .counter = slot > 0 ? (uint8_t)(slot - 1) : 7};
  place_name(place, f.place);
  if (missing > 0)
    advise_time(l, &f, at);
  else if (slot > 0)
    advise(&f, "wait on SB%u", f.counter);
  else
    advise(&f, "give 0x%04x a write counter, and wait on it here", f.producer);
  add_finding(l, f, place * SLOTS + slot);
}

static void found_depbar(struct lint *l, uint32_t at, unsigned counter, unsigned unit) {
  if (!l->report) return;
  struct heddle_lint_finding f = {.kind = HEDDLE_LINT_DEPBAR,
                                  .pc = pc_of(l, at),
                                  .producer = HEDDLE_LINT_NOWHERE,
                                  .before = HEDDLE_LINT_NOWHERE,
                                  .counter = 7};
  snprintf(f.place, sizeof f.place, "SB%u", counter);
  advise(&f, "let it fall to 0, or keep unit %s off SB%u", heddle_isa_unit_name((enum heddle_isa_unit)unit), counter);
  add_finding(l, f, counter);
}

void found_undefined(struct lint *l, uint32_t at, unsigned place) {
  struct heddle_lint_finding f = {.kind = HEDDLE_LINT_UNDEFINED,
                                  .pc = pc_of(l, at),
                                  .producer = HEDDLE_LINT_NOWHERE,
                                  .before = HEDDLE_LINT_NOWHERE,
                                  .counter = 7};
  place_name(place, f.place);
  advise(&f, "write %s on a way that leads here", f.place);
  add_finding(l, f, place);
}

void found_unscheduled(struct lint *l, const struct heddle_kernel *k) {
  struct heddle_lint_finding f = {.kind = HEDDLE_LINT_UNSCHEDULED,
                                  .pc = k->entry_pc,
                                  .producer = HEDDLE_LINT_NOWHERE,
                                  .before = HEDDLE_LINT_NOWHERE,
                                  .counter = 7};
  advise(&f, "schedule it, or say what its codes assume (.stalls); as it is it runs in scoreboard mode only");
  add_finding(l, f, 0);
}

static int by_place(const void *a, const void *b) {
  const struct found *x = a, *y = b;
  if (x->f.pc != y->f.pc) return x->f.pc < y->f.pc ? -1 : 1;
  if (x->f.kind != y->f.kind) return x->f.kind < y->f.kind ? -1 : 1;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->f.missing > y->f.missing ? -1 : x->f.missing < y->f.missing;
}

static bool same_finding(const struct found *a, const struct found *b) {
  return a->f.pc == b->f.pc && a->f.kind == b->f.kind && a->key == b->key;
}

void found_emit(struct lint *l) {
  uint32_t n = 0;
  if (l->n_found > 0) qsort(l->found, l->n_found, sizeof *l->found, by_place);
  for (uint32_t i = 0; i < l->n_found; i++)
    if (n == 0 || !same_finding(&l->found[i], &l->found[n - 1])) l->found[n++] = l->found[i];
  l->n_found = n;
  for (uint32_t i = 0; i < n && l->o && l->o->finding; i++) l->o->finding(l->o->ctx, &l->found[i].f);
}

/* What one instruction asks of the state, and what it adds to it. */

struct visit {
  struct lint *l;
  uint32_t at;
  enum heddle_lint_kind kind;
  /* results */
  unsigned slot;
  struct pending result;
};

static void touch(void *ctx, unsigned place) {
  const struct visit *v = ctx;
  for (unsigned slot = 0; slot < SLOTS; slot++)
    if (state_live(v->l->s, slot, place)) found_touch(v->l, v->kind, v->at, slot, place);
}

static void note_result(void *ctx, unsigned place) {
  struct visit *v = ctx;
  state_drop(v->l->s, place);
  state_add(v->l->s, v->slot, place, v->result);
}

static void check_places(struct lint *l, uint32_t at, const struct heddle_isa_dec *d) {
  struct visit v = {.l = l, .at = at, .kind = HEDDLE_LINT_READ};
  heddle_hazard_each_source(d, touch, &v);
  v.kind = HEDDLE_LINT_WRITE;
  heddle_hazard_each_reg_result(d, touch, &v);
  heddle_hazard_each_pred_result(d, touch, &v);
}

/* An instruction without results raises a counter too. A full one makes the warp wait, which is no hazard. Groups of
 * copies come in order, and stand for no result. */
static void raise(struct lint *l, const struct heddle_isa_dec *d) {
  struct state *s = l->s;
  const unsigned c = d->ctl.wbar;
  if (c >= HEDDLE_HAZARD_COUNTERS || d->unit >= ISA_UNIT_COUNT || d->op == ISA_OP_LDGDEPBAR) return;
  if (d->op == ISA_OP_LDGSTS_E) {
    s->units[c] |= (uint16_t)(1u << COPIES);
    return;
  }
  s->numbers[c][d->unit]++;
  s->units[c] |= (uint16_t)(1u << d->unit);
}

static void record_insn(struct lint *l, uint32_t at, const struct heddle_isa_dec *d) {
  const bool variable = heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit);
  const unsigned c = d->ctl.wbar;
  struct visit v = {.l = l, .at = at, .slot = c < HEDDLE_HAZARD_COUNTERS ? 1 + c : 0};
  v.result = (struct pending){.producer = at, .unit = d->unit};
  if (v.slot > 0) v.result.number = l->s->numbers[c][d->unit];
  v.result.ready = variable ? NEVER : l->s->now + heddle_hazard_latency(l->stall, d, false);
  heddle_hazard_each_reg_result(d, note_result, &v);
  v.result.ready = variable ? NEVER : l->s->now + heddle_hazard_latency(l->stall, d, true);
  heddle_hazard_each_pred_result(d, note_result, &v);
  raise(l, d);
}

static bool is_guarded(const struct heddle_isa_dec *d) {
  return d->guard.index != ISA_PT || d->guard.neg;
}

static void depbar(struct lint *l, uint32_t at, const struct heddle_isa_dec *d) {
  const unsigned c = (unsigned)heddle_isa_get(d->word, ISA_F_SBN), k = (unsigned)heddle_isa_get(d->word, ISA_F_SBK);
  if (c >= HEDDLE_HAZARD_COUNTERS) return;
  for (unsigned u = 0; k > 0 && u < ISA_UNIT_COUNT; u++)
    if ((l->s->units[c] >> u & 1) && heddle_isa_unit_is_variable((enum heddle_isa_unit)u) && !state_in_order(u))
      found_depbar(l, at, c, u);
  if (k > 0 && (l->s->units[c] >> COPIES & 1)) found_depbar(l, at, c, ISA_UNIT_MEM);
  state_fallen(l->s, c, k);
}

void step(struct lint *l, uint32_t at) {
  const struct heddle_isa_dec *d = &l->insn[at].d;
  l->work++;
  if (!l->insn[at].legal) return;
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++)
    if (d->ctl.wait >> c & 1) state_zero(l->s, c);
  /* What drains awaits the warp's accesses, loads written back (isa/doc/04). */
  if (heddle_isa_instr_info((enum heddle_isa_op)d->op)->drains && !is_guarded(d)) state_drop_unit(l->s, ISA_UNIT_MEM);
  if (d->op == ISA_OP_DEPBAR_LE && !is_guarded(d)) depbar(l, at, d);
  check_places(l, at, d);
  record_insn(l, at, d);
  l->s->now += d->ctl.stall > 1 ? d->ctl.stall : 1;
}
