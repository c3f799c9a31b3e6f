/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fake implementation shows: one record after another, each in a cycle of its own.
 */
#include <heddle/isa_tables.h>
#include "cosim/kit/conform/fake_internal.h"

void emit(struct fake *f, struct heddle_retire_record *r) {
  r->cycle = ++f->cycle;
  stream_insert(f->s, f->s->n, r);
}

struct heddle_record_id id_of(const struct fake *f, unsigned slot, uint32_t seq) {
  return (struct heddle_record_id){
      .partition = (uint8_t)(slot % FAKE_PARTITIONS), .slot = (uint8_t)slot, .gen = f->warp[slot].gen, .seq = seq};
}

/* Every slot has its place in the register file of its partition. */
uint16_t reg_base_of(const struct fake *f, unsigned slot) {
  return (uint16_t)(slot / FAKE_PARTITIONS * f->p->launch.regs);
}

void emit_issue(struct fake *f, unsigned slot, const struct heddle_effect *fx) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE};
  r.u.issue = (struct heddle_record_issue){.id = id_of(f, slot, fx->seq),
                                           .pc = fx->pc,
                                           .word = {fx->dec.word.lo, fx->dec.word.hi},
                                           .active = fx->active,
                                           .exec = fx->exec,
                                           .ps = {fx->ps[0], fx->ps[1], fx->ps[2]},
                                           .dhash = fx->dhash,
                                           .clock = f->cycle + 1000};
  emit(f, &r);
}

static uint32_t beat_mask(const struct fake *f, uint32_t lanes, unsigned beat) {
  const unsigned n = f->cfg.lanes;
  return n == 32 ? lanes : lanes >> (beat * n) & ((1u << n) - 1);
}

static unsigned used_of(const struct heddle_effect *fx) {
  unsigned used = 0;
  for (unsigned o = 0; o < 3; o++)
    for (unsigned k = 0; k < fx->src_words[o]; k++) used |= 1u << (2 * o + k);
  return fx->dec.op == ISA_OP_S2R ? 4u : used;
}

/* As many of the words as a record has room for; returns those that are left. */
static unsigned emit_rows(struct fake *f, unsigned slot, const struct heddle_effect *fx, unsigned b, unsigned words) {
  const unsigned n = f->cfg.lanes;
  const bool collected = heddle_isa_unit_is_variable((enum heddle_isa_unit)fx->dec.unit);
  struct heddle_retire_record r = {.kind = collected ? HEDDLE_RECORD_OPERANDS_MEMORY : HEDDLE_RECORD_OPERANDS};
  struct heddle_record_operands *o = &r.u.operands;
  *o = (struct heddle_record_operands){
      .id = id_of(f, slot, fx->seq), .beat = (uint8_t)b, .mask = beat_mask(f, fx->exec, b)};
  for (unsigned k = 0; k < HEDDLE_RECORD_ROWS && words != 0; k++, words &= words - 1) {
    const unsigned word = (unsigned)__builtin_ctz(words);
    const uint32_t *from = fx->dec.op == ISA_OP_S2R ? fx->rd_value[0] : fx->src[word / 2][word % 2];
    if (word >= 4 && fx->src_words[2] == 0) from = fx->src[1][word - 2]; /* b is wide where c is absent */
    o->used = (uint8_t)(o->used | 1u << k);
    o->index[k] = (uint8_t)word;
    for (unsigned i = 0; i < n; i++) o->data[k][i] = from[b * n + i];
  }
  emit(f, &r);
  return words;
}

/* A uniform value is one a warp. */
static void emit_uniform_read(struct fake *f, unsigned slot, const struct heddle_effect *fx) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_UNIFORM_READ};
  r.u.uniform_read.id = id_of(f, slot, fx->seq);
  for (unsigned k = 0; k < HEDDLE_RECORD_UNIFORM; k++) {
    const unsigned o = k < 3 ? k : 2, word = k < 3 ? 0 : 1;
    const bool special = o == 1 && fx->dec.op == ISA_OP_S2UR;
    if (word >= fx->src_words[o] && !special) continue;
    r.u.uniform_read.used = (uint8_t)(r.u.uniform_read.used | 1u << k);
    r.u.uniform_read.data[k] = special ? fx->rd_value[0][0] : fx->src[o][word][0];
  }
  if (r.u.uniform_read.used != 0) emit(f, &r);
}

static void emit_uniform_write(struct fake *f, unsigned slot, const struct heddle_effect *fx) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_UNIFORM_WRITE};
  struct heddle_record_uniform_write *u = &r.u.uniform_write;
  const uint8_t pd[2] = {fx->dec.pd0, fx->dec.pd1};
  *u = (struct heddle_record_uniform_write){.id = id_of(f, slot, fx->seq), .rd = fx->dec.rd};
  for (unsigned k = 0; k < fx->rd_words && fx->rd_uniform; k++) {
    u->used = (uint8_t)(u->used | 1u << k);
    u->data[k] = fx->rd_value[k][0];
  }
  for (unsigned k = 0; k < 2; k++) {
    if (!fx->dec.pd_uniform || (fx->pd_written >> k & 1u) == 0) continue;
    u->pred = (uint8_t)(u->pred | 1u << pd[k]);
    u->value = (uint8_t)((u->value & ~(1u << pd[k])) | (fx->pd_value[k] & 1u) << pd[k]);
  }
  for (unsigned p = 0; p < 7 && fx->dec.uniform; p++) {
    if ((fx->preds_written >> p & 1u) == 0) continue;
    u->pred = (uint8_t)(u->pred | 1u << p);
    u->value = (uint8_t)(u->value | (fx->preds_value[p] & 1u) << p);
  }
  if (u->used != 0 || u->pred != 0) emit(f, &r);
}

void emit_operands(struct fake *f, unsigned slot, const struct heddle_effect *fx) {
  const unsigned used = used_of(fx), n = f->cfg.lanes;
  if (fx->exec != 0 && fx->dec.uniform) emit_uniform_read(f, slot, fx);
  if (fx->exec == 0 || used == 0 || fx->dec.uniform) return;
  for (unsigned b = 0; b < 32 / n; b++)
    for (unsigned rest = used; rest != 0;) rest = emit_rows(f, slot, fx, b, rest);
}

void emit_writes(struct fake *f, unsigned slot, const struct heddle_effect *fx) {
  const unsigned n = f->cfg.lanes;
  if (fx->dec.uniform || fx->dec.rd_uniform || fx->dec.pd_uniform) {
    emit_uniform_write(f, slot, fx);
    return;
  }
  for (unsigned w = 0; w < fx->rd_words; w++)
    for (unsigned b = 0; b < 32 / n && fx->exec != 0; b++) {
      struct heddle_retire_record r = {.kind = HEDDLE_RECORD_WRITE};
      const uint8_t rd = (uint8_t)(fx->dec.rd + w);
      const unsigned reg = reg_base_of(f, slot) + rd;
      r.u.write = (struct heddle_record_write){.id = id_of(f, slot, fx->seq),
                                               .port = reg % FAKE_BANKS,
                                               .bank = reg % FAKE_BANKS,
                                               .row = (uint16_t)(reg / FAKE_BANKS * (32 / n) + b),
                                               .rd = rd,
                                               .beat = (uint8_t)b,
                                               .mask = beat_mask(f, fx->exec, b)};
      for (unsigned i = 0; i < n; i++) r.u.write.data[i] = fx->rd_value[w][b * n + i];
      emit(f, &r);
    }
}

/* R2P: each predicate in lanes of its own. */
static void emit_all_predicates(struct fake *f, unsigned slot, const struct heddle_effect *fx) {
  const unsigned n = f->cfg.lanes;
  for (unsigned b = 0; b < 32 / n; b++) {
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_PREDICATE};
    r.u.predicate = (struct heddle_record_predicate){.id = id_of(f, slot, fx->seq), .beat = (uint8_t)b};
    for (unsigned k = 0; k < HEDDLE_RECORD_PREDICATES; k++) {
      const uint32_t mask = beat_mask(f, fx->preds_lanes[k], b);
      if (mask == 0) continue;
      r.u.predicate.used = (uint8_t)(r.u.predicate.used | 1u << k);
      r.u.predicate.value[k] = (struct heddle_record_predicate_value){
          .mask = mask, .data = beat_mask(f, fx->preds_value[k], b), .index = (uint8_t)k};
    }
    if (r.u.predicate.used != 0) emit(f, &r);
  }
}

void emit_predicates(struct fake *f, unsigned slot, const struct heddle_effect *fx) {
  const unsigned n = f->cfg.lanes;
  if (fx->dec.uniform || fx->dec.pd_uniform) return; /* emit_writes */
  if (fx->preds_written != 0) emit_all_predicates(f, slot, fx);
  for (unsigned b = 0; b < 32 / n && fx->pd_written != 0; b++) {
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_PREDICATE};
    const uint8_t pd[2] = {fx->dec.pd0, fx->dec.pd1};
    r.u.predicate = (struct heddle_record_predicate){.id = id_of(f, slot, fx->seq), .beat = (uint8_t)b};
    for (unsigned k = 0; k < 2; k++) {
      if (pd[k] == ISA_PT) continue;
      r.u.predicate.used = (uint8_t)(r.u.predicate.used | 1u << k);
      r.u.predicate.value[k] = (struct heddle_record_predicate_value){
          .mask = beat_mask(f, fx->exec, b), .data = beat_mask(f, fx->pd_value[k], b), .index = pd[k]};
    }
    emit(f, &r);
  }
}

static uint64_t shared_base(const struct fake *f, unsigned slot) {
  return (uint64_t)f->warp[slot].bslot * f->p->launch.shared_bytes;
}

/* Greedy pass over the banks, ascending. */
static uint32_t shared_pass(const struct fake *f, unsigned slot, const struct heddle_effect *fx, uint32_t open,
                            struct heddle_record_shared *s) {
  uint32_t taken = 0;
  for (uint32_t rest = open; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t first = (shared_base(f, slot) + fx->mem_addr[l]) / 4;
    const unsigned words = (fx->mem_bytes + 3u) / 4u;
    bool fits = true;
    for (unsigned w = 0; w < words; w++)
      if ((s->bank_en >> ((first + w) % 32) & 1u) != 0 && s->row[(first + w) % 32] != (first + w) / 32) fits = false;
    if (!fits) continue;
    for (unsigned w = 0; w < words; w++) {
      s->bank_en |= 1u << ((first + w) % 32);
      s->row[(first + w) % 32] = (uint16_t)((first + w) / 32);
    }
    taken |= 1u << l;
  }
  return taken;
}

static void fill_shared(const struct fake *f, unsigned slot, const struct heddle_effect *fx,
                        const struct heddle_performed *p, struct heddle_record_shared *s) {
  for (unsigned l = 32; l-- > 0;) { /* descending: the lowest lane's old value stays */
    if ((p->lanes >> l & 1u) == 0) continue;
    for (unsigned i = 0; i < p->bytes; i++) {
      const uint64_t at = shared_base(f, slot) + fx->mem_addr[l] + i;
      const unsigned bank = (unsigned)(at / 4 % 32), sh = (unsigned)(at % 4) * 8;
      if (s->access != HEDDLE_RECORD_STORE)
        s->rdata[bank] = (s->rdata[bank] & ~(0xffu << sh)) | (uint32_t)p->old_bytes[l][i] << sh;
      if (s->access == HEDDLE_RECORD_LOAD) continue;
      s->wdata[bank] = (s->wdata[bank] & ~(0xffu << sh)) | (uint32_t)p->new_bytes[l][i] << sh;
      s->wstrb[bank] = (uint8_t)(s->wstrb[bank] | 1u << (at % 4));
    }
  }
}

static void keep_result(struct heddle_effect *fx, const struct heddle_performed *p) {
  for (unsigned w = 0; w < p->rd_words; w++)
    for (unsigned l = 0; l < 32; l++)
      if ((p->lanes >> l & 1u) != 0) fx->rd_value[w][l] = p->rd_value[w][l];
}

/* The instructions here have plain loads and stores, and copies, whose load comes first; all else is atomic. */
static uint8_t shown(uint8_t access) {
  return access == HEDDLE_ACCESS_LOAD || access == HEDDLE_ACCESS_COPY ? HEDDLE_RECORD_LOAD
         : access == HEDDLE_ACCESS_STORE                              ? HEDDLE_RECORD_STORE
                                                                      : HEDDLE_RECORD_ATOMIC;
}

static void perform_shared(struct fake *f, struct put_off *o) {
  static struct heddle_performed p;
  uint32_t open = o->fx.mem_lanes;
  while (open != 0) {
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_SHARED};
    struct heddle_record_shared *s = &r.u.shared;
    s->id = id_of(f, o->slot, o->fx.seq);
    s->access = shown(o->fx.mem_kind);
    s->lanes = shared_pass(f, o->slot, &o->fx, open, s);
    const enum heddle_error st =
        (o->loaded ? heddle_perform_store : heddle_perform)(f->m, o->slot, o->fx.seq, s->lanes, &p);
    if (st != HEDDLE_SUCCESS) fprintf(stderr, "fake: %s\n", heddle_model_diag(f->m));
    assert(st == HEDDLE_SUCCESS);
    fill_shared(f, o->slot, &o->fx, &p, s);
    keep_result(&o->fx, &p);
    open &= ~s->lanes;
    emit(f, &r);
  }
}

static void fill_global(const struct heddle_effect *fx, const struct heddle_performed *p,
                        struct heddle_record_global *g) {
  for (unsigned l = 32; l-- > 0;) {
    if ((p->lanes >> l & 1u) == 0) continue;
    const unsigned at = (unsigned)(fx->mem_addr[l] % 32);
    if (g->access != HEDDLE_RECORD_STORE) memcpy(g->rdata + at, p->old_bytes[l], p->bytes);
    if (g->access == HEDDLE_RECORD_LOAD) continue;
    memcpy(g->wdata + at, p->new_bytes[l], p->bytes);
    g->wstrb |= (p->bytes >= 32 ? ~0u : (1u << p->bytes) - 1) << at;
  }
}

static void perform_global(struct fake *f, struct put_off *o) {
  static struct heddle_performed p;
  uint32_t open = o->fx.mem_lanes;
  while (open != 0) {
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_GLOBAL};
    struct heddle_record_global *g = &r.u.global;
    g->id = id_of(f, o->slot, o->fx.seq);
    g->access = shown(o->fx.mem_kind);
    g->stamp = f->cycle;
    g->sector = o->fx.mem_addr[__builtin_ctz(open)] / 32;
    for (unsigned l = 0; l < 32; l++)
      if ((open >> l & 1u) != 0 && o->fx.mem_addr[l] / 32 == g->sector) g->lanes |= 1u << l;
    const enum heddle_error st = heddle_perform(f->m, o->slot, o->fx.seq, g->lanes, &p);
    if (st != HEDDLE_SUCCESS) fprintf(stderr, "fake: %s\n", heddle_model_diag(f->m));
    assert(st == HEDDLE_SUCCESS);
    fill_global(&o->fx, &p, g);
    keep_result(&o->fx, &p);
    open &= ~g->lanes;
    emit(f, &r);
  }
}

/* A word of the access, of the lanes that have it in the sector of lane `first`. */
static uint32_t local_record(struct fake *f, const struct put_off *o, const struct heddle_performed *p, unsigned k,
                             unsigned first, uint32_t open) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_GLOBAL};
  struct heddle_record_global *g = &r.u.global;
  const uint64_t word = o->fx.mem_addr[first] / 4 + k;
  const unsigned bytes = p->bytes < 4 ? p->bytes : 4;
  const bool store = o->fx.mem_kind == HEDDLE_ACCESS_STORE;
  g->id = id_of(f, o->slot, o->fx.seq);
  g->access = store ? HEDDLE_RECORD_LOCAL_STORE : HEDDLE_RECORD_LOCAL_LOAD;
  g->stamp = f->cycle;
  g->sector = ((uint64_t)o->slot << 18 | word) * 4 + first / 8;
  for (unsigned l = first / 8 * 8; l < first / 8 * 8 + 8; l++) {
    if ((open >> l & 1u) == 0 || o->fx.mem_addr[l] / 4 + k != word) continue;
    const unsigned at = l % 8 * 4 + (unsigned)(o->fx.mem_addr[l] % 4);
    g->lanes |= 1u << l;
    memcpy((store ? g->wdata : g->rdata) + at, (store ? p->new_bytes : p->old_bytes)[l] + 4 * k, bytes);
    if (store) g->wstrb |= ((1u << bytes) - 1) << at;
  }
  emit(f, &r);
  return g->lanes;
}

static void perform_local(struct fake *f, struct put_off *o) {
  static struct heddle_performed p;
  const enum heddle_error st = heddle_perform(f->m, o->slot, o->fx.seq, o->fx.mem_lanes, &p);
  if (st != HEDDLE_SUCCESS) fprintf(stderr, "fake: %s\n", heddle_model_diag(f->m));
  assert(st == HEDDLE_SUCCESS);
  keep_result(&o->fx, &p);
  for (unsigned k = 0; 4 * k < p.bytes; k++)
    for (uint32_t open = o->fx.mem_lanes; open != 0;)
      open &= ~local_record(f, o, &p, k, (unsigned)__builtin_ctz(open), open);
}

/* Lanes in global, in shared, in local memory, one after the other. */
static void perform_generic(struct fake *f, struct put_off *o) {
  static void (*const perform[])(struct fake *, struct put_off *) = {perform_global, perform_shared, perform_local};
  const uint32_t all = o->fx.mem_lanes;
  uint32_t in[3] = {0};
  for (unsigned l = 0; l < 32; l++) {
    if ((all >> l & 1u) == 0) continue;
    in[o->fx.mem_addr[l] >> 56] |= 1u << l;
    o->fx.mem_addr[l] &= 0xffffffffffu;
  }
  for (unsigned i = 0; i < 3; i++) {
    o->fx.mem_lanes = in[i];
    if (in[i] != 0) perform[i](f, o);
  }
}

/* The second access of a copy. */
static void perform_copied(struct fake *f, struct put_off *o) {
  o->loaded = true;
  o->fx.mem_kind = HEDDLE_ACCESS_STORE;
  memcpy(o->fx.mem_addr, o->fx.copy_addr, sizeof o->fx.mem_addr);
  perform_shared(f, o);
}

void drain_one(struct fake *f, unsigned slot) {
  struct lane_warp *w = &f->warp[slot];
  struct put_off *o = &w->later[0];
  if (o->fx.mem_space == ISA_SPACE_SHARED)
    perform_shared(f, o);
  else if (o->fx.mem_space == ISA_SPACE_LOCAL)
    perform_local(f, o);
  else if (o->fx.mem_space == ISA_SPACE_GENERIC)
    perform_generic(f, o);
  else
    perform_global(f, o);
  if (o->fx.mem_kind == HEDDLE_ACCESS_COPY) perform_copied(f, o);
  emit_writes(f, slot, &o->fx);
  w->n--;
  memmove(&w->later[0], &w->later[1], w->n * sizeof w->later[0]);
}

void drain(struct fake *f, unsigned slot) {
  while (f->warp[slot].n != 0) drain_one(f, slot);
}
