/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of a program, decoded once a launch, counted when it is over; and the numbers that they get.
 */
#include <stdlib.h>
#include <string.h>
#include "lab/verify/coverage/internal.h"

/* Floating-point operands by class. */

/* By exponent and fraction; 5 more where the sign is set. */
static inline unsigned float_class(bool sign, bool low, bool high, bool fraction) {
  const unsigned c = low ? (fraction ? 1 : 0) : high ? (fraction ? 4 : 3) : 2;
  return c + (sign ? 5 : 0);
}

static inline unsigned class_f32(uint32_t v) {
  const uint32_t e = v >> 23 & 0xff;
  return float_class(v >> 31 != 0, e == 0, e == 0xff, (v & 0x7fffff) != 0);
}

static inline unsigned class_f16(uint32_t v) {
  const uint32_t e = v >> 10 & 0x1f;
  return float_class((v >> 15 & 1) != 0, e == 0, e == 0x1f, (v & 0x3ff) != 0);
}

static inline unsigned class_f64(uint32_t low, uint32_t high) {
  const uint32_t e = high >> 20 & 0x7ff;
  return float_class(high >> 31 != 0, e == 0, e == 0x7ff, (high & 0xfffff) != 0 || low != 0);
}

/* Which halves of a pair the part suffix names: bit 0 low, bit 1 high. */
static unsigned halves(const struct heddle_isa_dec *d, unsigned operand) {
  const struct heddle_isa_slot *s = &heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->src[operand];
  if (s->part == ISA_FIELD_NONE) return heddle_isa_instr_info((enum heddle_isa_op)d->op)->unit == ISA_UNIT_HALF ? 3 : 1;
  const bool one = heddle_isa_field_info((enum heddle_isa_field)s->part)->set == ISA_SET_HALF1;
  const unsigned part = d->src[operand].part;
  return one ? 1u << (part & 1) : part == 0 ? 3 : part == 1 ? 1 : 2;
}

/* Classes of an operand, a lane each: of FP16 the high half in bits 7:4, and 15 where a half is not read. */
static void classify(const struct word *d, const struct stash *s, unsigned o, unsigned format,
                     uint8_t cls[HEDDLE_LANES]) {
  const unsigned half = format == N_F16 ? halves(&d->d, o) : 1;
  for (uint32_t rest = s->exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint32_t v = s->data[2 * o][l];
    if (format == N_F32) cls[l] = (uint8_t)(0xf0 | class_f32(v));
    if (format == N_F64) cls[l] = (uint8_t)(0xf0 | class_f64(v, s->data[2 * o + 1][l]));
    if (format == N_F16)
      cls[l] = (uint8_t)((half & 2 ? class_f16(v >> 16) << 4 : 0xf0u) | (half & 1 ? class_f16(v & 0xffff) : 0xfu));
  }
}

static unsigned owned(const struct heddle_isa_dec *d, enum heddle_isa_field f) {
  return heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, f) ? (unsigned)heddle_isa_get(d->word, f) : 0;
}

static void count_classes(struct cov *c, const struct word *d, unsigned o, uint32_t exec,
                          const uint8_t cls[HEDDLE_LANES]) {
  struct group *g = &c->group[G_NUMBER];
  const unsigned rounding = owned(&d->d, ISA_F_RND) + owned(&d->d, ISA_F_IRND);
  const unsigned ftz = owned(&d->d, ISA_F_FTZ), sat = owned(&d->d, ISA_F_SAT);
  uint32_t hits[16] = {0};
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
    const unsigned v = cls[__builtin_ctz(rest)];
    hits[v & 15]++;
    hits[v >> 4]++;
  }
  for (unsigned k = 0; k < CLASSES; k++)
    if (hits[k] != 0)
      bin_add(g, bin_of(g, (const unsigned[]){d->number[o], k, rounding & 3, ftz & 1, sat & 1}), hits[k]);
}

static void count_pairs(struct cov *c, const struct word *d, uint32_t exec, uint8_t cls[3][HEDDLE_LANES]) {
  static const uint8_t first[PAIRS] = {0, 0, 1}, second[PAIRS] = {1, 2, 2};
  struct group *g = &c->group[G_PAIR];
  for (unsigned p = 0; p < PAIRS; p++) {
    const unsigned a = first[p], b = second[p];
    if (d->number[a] == NOT_HERE || d->number[b] == NOT_HERE) continue;
    const uint32_t at = bin_of(g, (const unsigned[]){d->pair, p, 0, 0});
    for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest), low[2] = {cls[a][l] & 15u, cls[b][l] & 15u},
                     high[2] = {cls[a][l] >> 4, cls[b][l] >> 4};
      if (low[0] < CLASSES && low[1] < CLASSES) bin_add(g, at + low[0] * CLASSES + low[1], 1);
      if (high[0] < CLASSES && high[1] < CLASSES) bin_add(g, at + high[0] * CLASSES + high[1], 1);
    }
  }
}

void numbers_count(struct cov_collector *k, const struct word *d, const struct stash *s) {
  uint8_t cls[3][HEDDLE_LANES];
  bool any = false;
  for (unsigned o = 0; o < 3; o++) {
    if (d->number[o] == NOT_HERE) continue;
    classify(d, s, o, k->c->menu.number[d->number[o]].format, cls[o]);
    count_classes(k->c, d, o, s->exec, cls[o]);
    any = true;
  }
  if (any && d->pair != NOT_HERE) count_pairs(k->c, d, s->exec, cls);
}

/* The words of a program: decoded once a launch, counted when it is over. */

struct into {
  struct word *w;
  unsigned place;
};

static void add_source(void *ctx, unsigned place) {
  struct into *t = ctx;
  if (t->w->reads == READS_MOST) return;
  t->w->source[t->w->reads] = (uint16_t)place;
  t->w->place[t->w->reads++] = (uint8_t)t->place;
}

static void add_result(void *ctx, unsigned place) {
  struct word *w = ctx;
  if (w->writes < WRITES_MOST) w->result[w->writes++] = (uint16_t)place;
}

static unsigned pred_place(bool uniform) {
  return uniform ? HEDDLE_HAZARD_UP : HEDDLE_HAZARD_P;
}

/* All sources of one word, told apart by their place in it. */
static void find_sources(struct word *w) {
  const struct heddle_isa_dec *d = &w->d;
  struct into t = {w, PLACE_A};
  for (; t.place <= PLACE_C; t.place++) {
    const struct heddle_isa_src *s = &d->src[t.place - PLACE_A];
    if (s->reg == ISA_RZ || (s->kind != ISA_REG && s->kind != ISA_UREG)) continue;
    for (unsigned i = 0; i < s->words; i++)
      add_source(&t, (s->kind == ISA_UREG ? (unsigned)HEDDLE_HAZARD_UR : HEDDLE_HAZARD_R) + s->reg + i);
  }
  t.place = PLACE_GUARD;
  if (d->guard.index < ISA_PT) add_source(&t, pred_place(d->uniform) + d->guard.index);
  t.place = PLACE_PS;
  for (unsigned i = 0; i < 3; i++)
    if (d->ps[i].index < ISA_PT) add_source(&t, pred_place(d->ps_uniform) + d->ps[i].index);
  for (unsigned p = 0; p < ISA_PT && (d->op == ISA_OP_P2R || d->op == ISA_OP_UP2UR); p++)
    add_source(&t, pred_place(d->op == ISA_OP_UP2UR) + p);
}

/* Bytes of a lane's access: from the text of the set that says how many registers it fills. */
static unsigned access_bytes(const struct heddle_isa_dec *d) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  if (d->op == ISA_OP_LDGSTS_E) return 4u << (heddle_isa_get(d->word, ISA_F_CSIZE) - ISA_CSIZE_32);
  for (unsigned i = 0; i < e->n_fields; i++) {
    const struct heddle_isa_field_info *f = heddle_isa_field_info((enum heddle_isa_field)e->fields[i]);
    if (f->kind != ISA_K_SET || heddle_isa_set_info((enum heddle_isa_set_id)f->set)->words == NULL) continue;
    const unsigned v = (unsigned)heddle_isa_get(d->word, (enum heddle_isa_field)e->fields[i]);
    const char *text = heddle_isa_set_text((enum heddle_isa_set_id)f->set, v);
    if (d->op == ISA_OP_LDSM_16) return 16;
    if (text != NULL && strpbrk(text, "US") == text + 1 && strlen(text) <= 4) return strstr(text, "8") != NULL ? 1 : 2;
    return 4u * heddle_isa_set_info((enum heddle_isa_set_id)f->set)->words[v];
  }
  return 4;
}

static void find_access(struct word *w) {
  const struct heddle_isa_instr *i = heddle_isa_instr_info((enum heddle_isa_op)w->d.op);
  /* a copy counts as the load that comes first; access.c knows of its store */
  static const uint8_t access[] = {[ISA_ACCESS_LOAD] = GA_LOAD,
                                   [ISA_ACCESS_STORE] = GA_STORE,
                                   [ISA_ACCESS_ATOM] = GA_ATOM,
                                   [ISA_ACCESS_RED] = GA_RED,
                                   [ISA_ACCESS_COPY] = GA_LOAD};
  w->space = i->space;
  if (i->access == ISA_ACCESS_NONE) return;
  w->access = access[i->access];
  w->bytes = (uint8_t)access_bytes(&w->d);
  if (i->space == ISA_SPACE_GLOBAL || i->space == ISA_SPACE_GENERIC)
    w->want |= 3;
  else if (w->d.src[0].kind == ISA_REG && w->d.src[0].reg != ISA_RZ)
    w->want |= 1;
}

static unsigned find_op(const uint16_t *list, unsigned n, unsigned op) {
  for (unsigned k = 0; k < n; k++)
    if (list[k] == op) return k;
  return NOT_HERE;
}

static void find_numbers(struct word *w, const struct menu *m) {
  for (unsigned o = 0; o < 3; o++) {
    const enum number_format f = number_of(&w->d, o);
    w->number[o] = NOT_HERE;
    for (unsigned k = 0; f != N_NONE && k < m->numbers; k++)
      if (m->number[k].op == w->d.op && m->number[k].operand == o && m->number[k].format == f)
        w->number[o] = (uint16_t)k;
    if (w->number[o] != NOT_HERE) w->want |= (uint16_t)((f == N_F64 ? 3u : 1u) << (2 * o));
  }
}

static void decode(struct word *w, const struct menu *m, uint32_t units) {
  w->legal = heddle_isa_decode(w->d.word, &w->d) && heddle_isa_in_machine(&w->d, units) && m->has[w->d.enc];
  if (!w->legal) return;
  find_sources(w);
  heddle_hazard_each_reg_result(&w->d, add_result, w);
  heddle_hazard_each_pred_result(&w->d, add_result, w);
  find_access(w);
  find_numbers(w, m);
  w->pair = (uint16_t)find_op(m->pair_op, m->pair_ops, w->d.op);
  w->related = NOT_HERE;
  if (w->d.src[0].kind == ISA_REG && w->d.src[0].reg != ISA_RZ && w->d.src[1].kind == ISA_REG &&
      w->d.src[1].reg != ISA_RZ)
    w->related = (uint16_t)find_op(m->related_op, m->related_ops, w->d.op);
  if (w->related != NOT_HERE) w->want |= 5;
  w->split = (uint16_t)find_op(m->split_op, m->split_ops, w->d.op);
  while (w->unit < m->units && m->unit[w->unit] != w->d.unit) w->unit++;
  w->legal = w->unit < m->units;
}

bool words_decode(struct cov_collector *k, const struct heddle_launch *l) {
  k->launch = *l;
  k->words = l->code_bytes / ISA_STEP;
  free(k->word);
  k->word = calloc(k->words != 0 ? k->words : 1, sizeof *k->word);
  if (k->word == NULL) k->words = 0;
  for (uint32_t i = 0; i < k->words; i++) {
    uint32_t bytes;
    if (heddle_isa_fetch(l->code, i * ISA_STEP, &k->word[i].d.word, &bytes))
      decode(&k->word[i], &k->c->menu, heddle_config_units(k->c->machine));
  }
  return k->words != 0;
}

/* ---- counting */

static void add_items(struct cov *c, const struct word *w, unsigned mask, uint32_t n) {
  const struct menu *m = &c->menu;
  bin_add(&c->group[G_LANES], bin_of(&c->group[G_LANES], (const unsigned[]){m->enc_at[w->d.enc], mask}), n);
  for (unsigned i = m->first[w->d.enc]; i < m->first[w->d.enc + 1]; i++) {
    const struct item *it = &m->item[i];
    const bool shows = it->field == ISA_FIELD_NONE ||
                       field_class(it->field, heddle_isa_get(w->d.word, (enum heddle_isa_field)it->field)) == it->cls;
    if (shows && (mask != MASK_NONE || item_is_false_guard(it))) bin_add(&c->group[G_FORM], i, n);
  }
}

static unsigned one_of(unsigned bits, unsigned none, unsigned several) {
  return bits == 0 ? none : (bits & (bits - 1)) != 0 ? several : (unsigned)__builtin_ctz(bits);
}

static void add_codes(struct cov *c, const struct word *w, uint32_t n) {
  const struct heddle_isa_ctl *t = &w->d.ctl;
  const unsigned reuse = t->reuse & 7u, wait = t->wait & 63u;
  const unsigned code[] = {CODE_STALL + (t->stall & 15u),
                           CODE_YIELD + t->yield,
                           CODE_WBAR + (t->wbar < 6 ? t->wbar : 6u),
                           CODE_RBAR + (t->rbar < 6 ? t->rbar : 6u),
                           CODE_WAIT + one_of(wait, 6, 7),
                           CODE_REUSE + (reuse == 0 ? 0 : one_of(reuse, 0, 3) + 1)};
  for (unsigned i = 0; i < sizeof code / sizeof *code; i++)
    bin_add(&c->group[G_CODE], bin_of(&c->group[G_CODE], (const unsigned[]){w->unit, code[i]}), n);
}

void words_count(struct cov_collector *k) {
  for (uint32_t i = 0; i < k->words; i++)
    for (unsigned mask = 0; mask < MASKS; mask++) {
      uint64_t *hits = &k->word[i].hits[mask];
      const uint32_t n = *hits < COV_MOST ? (uint32_t)*hits : COV_MOST;
      *hits = 0;
      if (n == 0) continue;
      add_items(k->c, &k->word[i], mask, n);
      add_codes(k->c, &k->word[i], n);
    }
}
