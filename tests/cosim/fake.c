/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake implementation. Accesses are put off as long as the model lets them, so that ledgers overlap.
 */
#include "fake.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/asm.h"

#define DEFERRED 8u

struct put_off {
  struct heddle_effect fx;
  uint8_t slot;
};

struct lane_warp {
  bool live, ended;
  uint8_t gen, bslot;
  unsigned n;
  struct put_off later[DEFERRED];
};

struct fake {
  const struct fake_program *p;
  struct fake_config cfg;
  struct stream *s;
  struct heddle_model *m;
  struct lane_warp warp[RECORD_WARPS];
  bool block_live[RECORD_WARPS];
  uint64_t block_warps[RECORD_WARPS];
  uint64_t cycle, rng;
  uint32_t next_block, blocks;
  bool stop;
};

static void complain(void *ctx, const struct heddle_message *m)
{
  (void)ctx;
  fprintf(stderr, "%s:%u:%u: %s\n", m->file, m->line, m->column, m->text);
}

void fake_assemble(struct fake_program *p, const char *text, unsigned blocks, unsigned threads)
{
  memset(p, 0, sizeof *p);
  struct heddle_asm_options o = {.message = complain};
  for (unsigned i = 0; i < 4; i++) o.stall[i] = 8;
  p->program = heddle_assemble(text, strlen(text), "test.s", &o);
  assert(p->program != NULL && p->program->kernels == 1);
  const struct heddle_kernel *k = &p->program->kernel[0];
  struct heddle_launch *l = &p->launch;
  *l = (struct heddle_launch){.grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .entry_pc = k->entry_pc, .regs = k->regs,
                              .shared_bytes = k->shared_bytes, .code = p->program->code, .code_bytes = p->program->code_bytes,
                              .regions = 1, .units = (1u << ISA_UNIT_COUNT) - 1};
  l->region[0] = (struct heddle_region){FAKE_BASE, FAKE_BASE + FAKE_BYTES, true};
  const uint32_t word[6] = {threads, 1, 1, blocks, 1, 1};
  memcpy(p->bank0, word, sizeof word);
  const uint64_t in = FAKE_BASE, out = FAKE_BASE + FAKE_BYTES / 2;
  memcpy(p->bank0 + 0x160, &in, 8);
  memcpy(p->bank0 + 0x168, &out, 8);
  l->cbank[0] = p->bank0;
  l->cbank_bytes[0] = sizeof p->bank0;
}

void fake_program_free(struct fake_program *p) { heddle_program_free(p->program); }

void fake_fill(uint8_t *memory)
{
  for (unsigned i = 0; i < FAKE_BYTES; i++) memory[i] = (uint8_t)(i * 7u + (i >> 8));
}

/* ---- streams ---- */

void stream_insert(struct stream *s, size_t at, const struct retire_record *r)
{
  if (s->n == s->cap) {
    s->cap = s->cap * 2 + 256;
    s->r = realloc(s->r, s->cap * sizeof *s->r);
    assert(s->r != NULL);
  }
  const struct retire_record copy = *r;
  memmove(&s->r[at + 1], &s->r[at], (s->n - at) * sizeof *s->r);
  s->r[at] = copy;
  s->n++;
}

void stream_drop(struct stream *s, size_t at)
{
  memmove(&s->r[at], &s->r[at + 1], (s->n - at - 1) * sizeof *s->r);
  s->n--;
}

void stream_move(struct stream *s, size_t from, size_t to)
{
  struct retire_record r = s->r[from];
  stream_drop(s, from);
  if (to > 0) r.cycle = s->r[to - 1].cycle;
  stream_insert(s, to, &r);
}

void stream_copy(struct stream *to, const struct stream *from)
{
  to->n = to->cap = from->n;
  to->r = malloc((from->n + 1) * sizeof *to->r);
  assert(to->r != NULL);
  memcpy(to->r, from->r, from->n * sizeof *to->r);
}

void stream_free(struct stream *s)
{
  free(s->r);
  *s = (struct stream){0};
}

/* ---- records ---- */

static unsigned draw(struct fake *f, unsigned below)
{
  f->rng = f->rng * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(f->rng >> 33) % below;
}

static void emit(struct fake *f, struct retire_record *r)
{
  r->cycle = ++f->cycle;
  stream_insert(f->s, f->s->n, r);
}

static struct record_id id_of(const struct fake *f, unsigned slot, uint32_t seq)
{
  return (struct record_id){(uint8_t)slot, f->warp[slot].gen, seq};
}

static void emit_issue(struct fake *f, unsigned slot, const struct heddle_effect *fx)
{
  struct retire_record r = {.kind = RECORD_ISSUE};
  r.u.issue = (struct record_issue){.id = id_of(f, slot, fx->seq), .pc = fx->pc, .lo = fx->dec.word.lo, .hi = fx->dec.word.hi,
                                    .active = fx->active, .exec = fx->exec, .ps = {fx->ps[0], fx->ps[1], fx->ps[2]}, .dhash = fx->dhash};
  emit(f, &r);
}

static uint32_t beat_mask(const struct fake *f, uint32_t lanes, unsigned beat)
{
  const unsigned n = f->cfg.lanes;
  return n == 32 ? lanes : lanes >> (beat * n) & ((1u << n) - 1);
}

static unsigned used_of(const struct heddle_effect *fx)
{
  unsigned used = 0;
  for (unsigned o = 0; o < 3; o++)
    for (unsigned k = 0; k < fx->src_words[o]; k++) used |= 1u << (2 * o + k);
  return fx->dec.op == ISA_OP_S2R ? 4u : used;
}

static void emit_operands(struct fake *f, unsigned slot, const struct heddle_effect *fx)
{
  const unsigned used = used_of(fx), n = f->cfg.lanes;
  if (fx->exec == 0 || used == 0) return;
  for (unsigned b = 0; b < 32 / n; b++) {
    struct retire_record r = {.kind = fx->dec.unit == ISA_UNIT_MEM ? RECORD_OPERANDS_MEMORY : RECORD_OPERANDS};
    struct record_operands *o = &r.u.operands;
    *o = (struct record_operands){.id = id_of(f, slot, fx->seq), .beat = (uint8_t)b, .used = (uint8_t)used, .mask = beat_mask(f, fx->exec, b)};
    for (unsigned i = 0; i < n; i++) {
      for (unsigned k = 0; k < 3; k++)
        for (unsigned w = 0; w < fx->src_words[k]; w++) o->data[2 * k + w][i] = fx->src[k][w][b * n + i];
      if (fx->dec.op == ISA_OP_S2R) o->data[2][i] = fx->rd_value[0][b * n + i];
    }
    emit(f, &r);
  }
}

static void emit_writes(struct fake *f, unsigned slot, const struct heddle_effect *fx)
{
  const unsigned n = f->cfg.lanes;
  for (unsigned w = 0; w < fx->rd_words; w++)
    for (unsigned b = 0; b < 32 / n && fx->exec != 0; b++) {
      struct retire_record r = {.kind = RECORD_WRITE};
      const uint8_t rd = (uint8_t)(fx->dec.rd + w);
      r.u.write = (struct record_write){.id = id_of(f, slot, fx->seq), .bank = rd % 4, .rd = rd, .beat = (uint8_t)b,
                                        .mask = beat_mask(f, fx->exec, b)};
      for (unsigned i = 0; i < n; i++) r.u.write.data[i] = fx->rd_value[w][b * n + i];
      emit(f, &r);
    }
}

static void emit_predicates(struct fake *f, unsigned slot, const struct heddle_effect *fx)
{
  const unsigned n = f->cfg.lanes;
  for (unsigned b = 0; b < 32 / n && fx->pd_written != 0; b++) {
    struct retire_record r = {.kind = RECORD_PREDICATE};
    r.u.predicate = (struct record_predicate){.id = id_of(f, slot, fx->seq), .beat = (uint8_t)b, .mask = beat_mask(f, fx->exec, b),
                                              .pd0 = fx->dec.pd0, .pd1 = fx->dec.pd1,
                                              .d0 = beat_mask(f, fx->pd_value[0], b), .d1 = beat_mask(f, fx->pd_value[1], b)};
    emit(f, &r);
  }
}

static uint64_t shared_base(const struct fake *f, unsigned slot) { return (uint64_t)f->warp[slot].bslot * f->p->launch.shared_bytes; }

/* Greedy pass over the banks, ascending. */
static uint32_t shared_pass(const struct fake *f, unsigned slot, const struct heddle_effect *fx, uint32_t open, struct record_shared *s)
{
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

static void fill_shared(const struct fake *f, unsigned slot, const struct heddle_effect *fx, const struct heddle_performed *p, struct record_shared *s)
{
  for (unsigned l = 32; l-- > 0;) { /* descending: the lowest lane's old value stays */
    if ((p->lanes >> l & 1u) == 0) continue;
    for (unsigned i = 0; i < p->bytes; i++) {
      const uint64_t at = shared_base(f, slot) + fx->mem_addr[l] + i;
      const unsigned bank = (unsigned)(at / 4 % 32), sh = (unsigned)(at % 4) * 8;
      if (s->access != RECORD_STORE) s->rdata[bank] = (s->rdata[bank] & ~(0xffu << sh)) | (uint32_t)p->old_bytes[l][i] << sh;
      if (s->access == RECORD_LOAD) continue;
      s->wdata[bank] = (s->wdata[bank] & ~(0xffu << sh)) | (uint32_t)p->new_bytes[l][i] << sh;
      s->wstrb[bank] = (uint8_t)(s->wstrb[bank] | 1u << (at % 4));
    }
  }
}

static void keep_result(struct heddle_effect *fx, const struct heddle_performed *p)
{
  for (unsigned w = 0; w < p->rd_words; w++)
    for (unsigned l = 0; l < 32; l++)
      if ((p->lanes >> l & 1u) != 0) fx->rd_value[w][l] = p->rd_value[w][l];
}

static void perform_shared(struct fake *f, struct put_off *o)
{
  static struct heddle_performed p;
  uint32_t open = o->fx.mem_lanes;
  while (open != 0) {
    struct retire_record r = {.kind = RECORD_SHARED};
    struct record_shared *s = &r.u.shared;
    s->id = id_of(f, o->slot, o->fx.seq);
    s->access = o->fx.mem_kind > 2 ? 2 : o->fx.mem_kind;
    s->lanes = shared_pass(f, o->slot, &o->fx, open, s);
    const enum heddle_status st = heddle_perform(f->m, o->slot, o->fx.seq, s->lanes, &p);
    if (st != HEDDLE_OK) fprintf(stderr, "fake: %s\n", heddle_model_diag(f->m));
    assert(st == HEDDLE_OK);
    fill_shared(f, o->slot, &o->fx, &p, s);
    keep_result(&o->fx, &p);
    open &= ~s->lanes;
    emit(f, &r);
  }
}

static void fill_global(const struct heddle_effect *fx, const struct heddle_performed *p, struct record_global *g)
{
  for (unsigned l = 32; l-- > 0;) {
    if ((p->lanes >> l & 1u) == 0) continue;
    const unsigned at = (unsigned)(fx->mem_addr[l] % 32);
    if (g->access != RECORD_STORE) memcpy(g->rdata + at, p->old_bytes[l], p->bytes);
    if (g->access == RECORD_LOAD) continue;
    memcpy(g->wdata + at, p->new_bytes[l], p->bytes);
    g->wstrb |= (p->bytes >= 32 ? ~0u : (1u << p->bytes) - 1) << at;
  }
}

static void perform_global(struct fake *f, struct put_off *o)
{
  static struct heddle_performed p;
  uint32_t open = o->fx.mem_lanes;
  while (open != 0) {
    struct retire_record r = {.kind = RECORD_GLOBAL};
    struct record_global *g = &r.u.global;
    g->id = id_of(f, o->slot, o->fx.seq);
    g->access = o->fx.mem_kind > 2 ? 2 : o->fx.mem_kind;
    g->sector = o->fx.mem_addr[__builtin_ctz(open)] / 32;
    for (unsigned l = 0; l < 32; l++)
      if ((open >> l & 1u) != 0 && o->fx.mem_addr[l] / 32 == g->sector) g->lanes |= 1u << l;
    const enum heddle_status st = heddle_perform(f->m, o->slot, o->fx.seq, g->lanes, &p);
    if (st != HEDDLE_OK) fprintf(stderr, "fake: %s\n", heddle_model_diag(f->m));
    assert(st == HEDDLE_OK);
    fill_global(&o->fx, &p, g);
    keep_result(&o->fx, &p);
    open &= ~g->lanes;
    emit(f, &r);
  }
}

static void drain_one(struct fake *f, unsigned slot)
{
  struct lane_warp *w = &f->warp[slot];
  struct put_off *o = &w->later[0];
  if (o->fx.mem_space == 2) perform_shared(f, o);
  else perform_global(f, o);
  emit_writes(f, slot, &o->fx);
  w->n--;
  memmove(&w->later[0], &w->later[1], w->n * sizeof w->later[0]);
}

static void drain(struct fake *f, unsigned slot)
{
  while (f->warp[slot].n != 0) drain_one(f, slot);
}

/* ---- schedule ---- */

static void start_blocks(struct fake *f)
{
  const unsigned warps = (f->p->launch.block[0] + 31) / 32;
  while (f->next_block < f->blocks) {
    unsigned b = 0, got = 0;
    while (b < f->cfg.block_slots && f->block_live[b]) b++;
    if (b == f->cfg.block_slots) return;
    struct retire_record r = {.kind = RECORD_BLOCK_START};
    uint8_t slots[32];
    for (unsigned s = 0; s < f->cfg.warp_slots && got < warps; s++)
      if (!f->warp[s].live) slots[got++] = (uint8_t)s;
    if (got < warps) return;
    for (unsigned i = 0; i < warps; i++) {
      struct lane_warp *w = &f->warp[slots[i]];
      w->live = true;
      w->ended = false;
      w->bslot = (uint8_t)b;
      w->n = 0;
      w->gen++;
      r.u.block_start.warps |= 1ull << slots[i];
    }
    f->block_live[b] = true;
    f->block_warps[b] = r.u.block_start.warps;
    r.u.block_start.bslot = (uint8_t)b;
    r.u.block_start.ctaid[0] = f->next_block++;
    r.u.block_start.shared_base = b * f->p->launch.shared_bytes;
    const enum heddle_status st = heddle_block_start(f->m, b, r.u.block_start.ctaid, slots, warps);
    assert(st == HEDDLE_OK);
    emit(f, &r);
  }
}

static void release_barriers(struct fake *f, unsigned bslot)
{
  for (unsigned id = 0; id < 16; id++) {
    if (heddle_barrier_release(f->m, bslot, id) != HEDDLE_OK) continue;
    struct retire_record r = {.kind = RECORD_BARRIER};
    r.u.barrier = (struct record_barrier){(uint8_t)bslot, (uint8_t)id};
    emit(f, &r);
  }
}

static void end_block(struct fake *f, unsigned bslot)
{
  for (uint64_t rest = f->block_warps[bslot]; rest != 0; rest &= rest - 1)
    if (!f->warp[__builtin_ctzll(rest)].ended) return;
  for (uint64_t rest = f->block_warps[bslot]; rest != 0; rest &= rest - 1) drain(f, (unsigned)__builtin_ctzll(rest));
  const enum heddle_status st = heddle_block_end(f->m, bslot);
  assert(st == HEDDLE_OK);
  for (uint64_t rest = f->block_warps[bslot]; rest != 0; rest &= rest - 1) f->warp[__builtin_ctzll(rest)].live = false;
  f->block_live[bslot] = false;
  struct retire_record r = {.kind = RECORD_BLOCK_END};
  r.u.block_end.bslot = (uint8_t)bslot;
  emit(f, &r);
}

static void emit_trap(struct fake *f, unsigned slot)
{
  const struct heddle_trap *t = heddle_model_trap(f->m);
  for (unsigned s = 0; s < f->cfg.warp_slots; s++)
    if (s != slot && f->warp[s].live) drain(f, s);
  struct retire_record r = {.kind = RECORD_TRAP};
  r.u.trap = (struct record_trap){.cause = (uint8_t)t->cause, .id = id_of(f, slot, t->seq), .pc = t->pc, .lanes = t->lanes, .addr = t->addr};
  emit(f, &r);
  f->stop = true;
}

/* An address trap: the warp's next instructions may still issue; their accesses are never performed. */
static void after_trap(struct fake *f, unsigned slot)
{
  static struct heddle_effect fx;
  drain(f, slot);
  for (unsigned i = 0; i < 2; i++) {
    if (heddle_warp_issue(f->m, slot, &fx) != HEDDLE_OK) break;
    emit_issue(f, slot, &fx);
    emit_operands(f, slot, &fx);
    if (fx.dec.unit == ISA_UNIT_MEM) continue;
    emit_writes(f, slot, &fx);
    emit_predicates(f, slot, &fx);
  }
  emit_trap(f, slot);
}

static void finish_insn(struct fake *f, unsigned slot, struct heddle_effect *fx)
{
  struct lane_warp *w = &f->warp[slot];
  emit_issue(f, slot, fx);
  emit_operands(f, slot, fx);
  if (fx->traps) {
    after_trap(f, slot);
    return;
  }
  if (fx->mem_lanes != 0) {
    if (w->n == DEFERRED) drain_one(f, slot);
    w->later[w->n].fx = *fx;
    w->later[w->n++].slot = (uint8_t)slot;
    if (draw(f, 4) == 0) drain_one(f, slot);
  } else {
    emit_writes(f, slot, fx);
    emit_predicates(f, slot, fx);
  }
  w->ended = fx->warp_ended;
  if (fx->bar_wait || fx->warp_ended) release_barriers(f, w->bslot);
  if (fx->warp_ended) end_block(f, w->bslot);
}

static void step_warp(struct fake *f, unsigned slot)
{
  static struct heddle_effect fx;
  enum heddle_status st = heddle_warp_issue(f->m, slot, &fx);
  if (st == HEDDLE_PENDING || st == HEDDLE_STATE) {
    drain(f, slot);
    st = heddle_warp_issue(f->m, slot, &fx);
  }
  if (st == HEDDLE_TRAPPED) {
    drain(f, slot);
    emit_trap(f, slot);
  } else if (st == HEDDLE_UNDEFINED) {
    emit_issue(f, slot, &fx);
    f->stop = true;
  } else {
    if (st != HEDDLE_OK) fprintf(stderr, "fake: %s\n", heddle_model_diag(f->m));
    assert(st == HEDDLE_OK);
    finish_insn(f, slot, &fx);
  }
}

void fake_run(const struct fake_program *p, const struct fake_config *cfg, struct stream *s, uint8_t *image)
{
  static struct fake f;
  f = (struct fake){.p = p, .cfg = *cfg, .s = s, .rng = cfg->seed, .blocks = p->launch.grid[0]};
  *s = (struct stream){0};
  f.m = heddle_model_new(FAKE_BASE, FAKE_BYTES, cfg->warp_slots, cfg->block_slots);
  assert(f.m != NULL);
  fake_fill(heddle_model_memory(f.m));
  const enum heddle_status st = heddle_model_launch(f.m, &p->launch);
  assert(st == HEDDLE_OK);
  for (;;) {
    start_blocks(&f);
    unsigned ready[RECORD_WARPS], n = 0;
    for (unsigned w = 0; w < cfg->warp_slots; w++)
      if (f.warp[w].live && !f.warp[w].ended && !heddle_warp_waiting(f.m, w)) ready[n++] = w;
    if (n == 0 || f.stop) break;
    step_warp(&f, ready[draw(&f, n)]);
  }
  if (image != NULL) memcpy(image, heddle_model_memory(f.m), FAKE_BYTES);
  heddle_model_free(f.m);
}
