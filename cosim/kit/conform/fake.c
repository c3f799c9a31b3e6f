/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake implementation. Accesses are put off as long as the model lets them, so that ledgers overlap.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "cosim/kit/conform/fake_internal.h"
#include <heddle/asm.h>
#include "base/splitmix64.h"

static void complain(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  fprintf(stderr, "%s:%u:%u: %s\n", m->file, m->line, m->column, m->text);
}

void fake_assemble(struct fake_program *p, const char *text, unsigned blocks, unsigned threads) {
  memset(p, 0, sizeof *p);
  /* No stall counts: the assembler's longest, since these programs run on machines of any latency. */
  const struct heddle_asm_options o = {.size = sizeof o, .message = complain};
  (void)heddle_assemble(text, strlen(text), "test.s", &o, &p->program);
  assert(p->program != NULL && p->program->kernels == 1);
  const struct heddle_kernel *k = &p->program->kernel[0];
  struct heddle_launch *l = &p->launch;
  *l = (struct heddle_launch){.size = sizeof *l,
                              .grid = {blocks, 1, 1},
                              .block = {threads, 1, 1},
                              .entry_pc = k->entry_pc,
                              .regs = k->regs,
                              .shared_bytes = k->shared_bytes,
                              .local_bytes = k->local_bytes,
                              .code = p->program->code,
                              .code_bytes = p->program->code_bytes,
                              .regions = 1,
                              .units = UINT32_MAX};
  l->region[0] = (struct heddle_region){FAKE_BASE, FAKE_BASE + FAKE_BYTES, true};
  const uint32_t word[6] = {threads, 1, 1, blocks, 1, 1};
  memcpy(p->bank0, word, sizeof word);
  const uint64_t in = FAKE_BASE, out = FAKE_BASE + FAKE_BYTES / 2;
  memcpy(p->bank0 + HEDDLE_BANK0_PARAMS, &in, 8);
  memcpy(p->bank0 + HEDDLE_BANK0_PARAMS + 8, &out, 8);
  l->cbank[0] = p->bank0;
  l->cbank_bytes[0] = sizeof p->bank0;
}

void fake_assemble_long(struct fake_program *p, const char *text, unsigned blocks, unsigned threads) {
  char *whole = NULL;
  size_t n;
  FILE *f = open_memstream(&whole, &n);
  assert(f != NULL);
  fprintf(f, ".pack off\n%s", text);
  fclose(f);
  fake_assemble(p, whole, blocks, threads);
  free(whole);
}

void fake_program_free(struct fake_program *p) {
  heddle_program_free(p->program);
}

void fake_fill(uint8_t *memory) {
  for (unsigned i = 0; i < FAKE_BYTES; i++) memory[i] = (uint8_t)(i * 7u + (i >> 8));
}

/* ---- streams ---- */

void stream_insert(struct stream *s, size_t at, const struct heddle_retire_record *r) {
  const struct heddle_retire_record copy = *r; /* it may lie in the stream itself */
  const bool has_room = array_room(&s->r, &s->cap, s->n + 1, sizeof *s->r);
  assert(has_room);
  memmove(&s->r[at + 1], &s->r[at], (s->n - at) * sizeof *s->r);
  s->r[at] = copy;
  s->n++;
}

void stream_drop(struct stream *s, size_t at) {
  memmove(&s->r[at], &s->r[at + 1], (s->n - at - 1) * sizeof *s->r);
  s->n--;
}

void stream_move(struct stream *s, size_t from, size_t to) {
  struct heddle_retire_record r = s->r[from];
  stream_drop(s, from);
  if (to > 0) r.cycle = s->r[to - 1].cycle;
  stream_insert(s, to, &r);
}

void stream_copy(struct stream *to, const struct stream *from) {
  to->n = to->cap = from->n;
  to->r = malloc((from->n + 1) * sizeof *to->r);
  assert(to->r != NULL);
  memcpy(to->r, from->r, from->n * sizeof *to->r);
}

void stream_free(struct stream *s) {
  free(s->r);
  *s = (struct stream){0};
}

/* ---- schedule ---- */

static unsigned draw_number(struct fake *f, unsigned below) {
  return (unsigned)(splitmix64(&f->rng) >> 33) % below;
}

static void start_warps(struct fake *f, unsigned bslot) {
  for (uint64_t rest = f->block_warps[bslot]; rest != 0; rest &= rest - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(rest);
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_WARP_START};
    r.u.warp_start = (struct heddle_record_warp_start){
        .id = id_of(f, slot, 0), .reg_base = reg_base_of(f, slot), .bslot = (uint8_t)bslot};
    emit(f, &r);
  }
}

static void start_fake_blocks(struct fake *f) {
  const unsigned warps = (f->p->launch.block[0] + 31) / 32;
  while (f->next_block < f->blocks) {
    unsigned b = 0, got = 0;
    while (b < f->cfg.block_slots && f->block_live[b]) b++;
    if (b == f->cfg.block_slots) return;
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_START};
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
    const enum heddle_error st = heddle_block_start(f->m, b, r.u.block_start.ctaid, slots, warps);
    assert(st == HEDDLE_SUCCESS);
    emit(f, &r);
    start_warps(f, b);
  }
}

static void release_barriers(struct fake *f, unsigned bslot) {
  for (unsigned id = 0; id < 16; id++) {
    if (heddle_barrier_release(f->m, bslot, id) != HEDDLE_SUCCESS) continue;
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BARRIER};
    r.u.barrier = (struct heddle_record_barrier){.bslot = (uint8_t)bslot, .id = (uint8_t)id};
    emit(f, &r);
  }
}

static void end_fake_block(struct fake *f, unsigned bslot) {
  for (uint64_t rest = f->block_warps[bslot]; rest != 0; rest &= rest - 1)
    if (!f->warp[__builtin_ctzll(rest)].ended) return;
  for (uint64_t rest = f->block_warps[bslot]; rest != 0; rest &= rest - 1) drain(f, (unsigned)__builtin_ctzll(rest));
  const enum heddle_error st = heddle_block_end(f->m, bslot);
  assert(st == HEDDLE_SUCCESS);
  for (uint64_t rest = f->block_warps[bslot]; rest != 0; rest &= rest - 1) f->warp[__builtin_ctzll(rest)].live = false;
  f->block_live[bslot] = false;
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_END};
  r.u.block_end.bslot = (uint8_t)bslot;
  emit(f, &r);
}

static void emit_trap(struct fake *f, unsigned slot) {
  const struct heddle_trap *t = heddle_model_trap(f->m);
  for (unsigned s = 0; s < f->cfg.warp_slots; s++)
    if (s != slot && f->warp[s].live) drain(f, s);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_TRAP};
  r.u.trap = (struct heddle_record_trap){
      .cause = (uint8_t)t->cause, .id = id_of(f, slot, t->seq), .pc = t->pc, .lanes = t->lanes, .addr = t->addr};
  emit(f, &r);
  f->stop = true;
}

/* An address trap: the warp's next instructions may still issue; their accesses are never performed. */
static void after_trap(struct fake *f, unsigned slot) {
  static struct heddle_effect fx;
  drain(f, slot);
  for (unsigned i = 0; i < 2; i++) {
    if (heddle_warp_issue(f->m, slot, &fx) != HEDDLE_SUCCESS) break;
    emit_issue(f, slot, &fx);
    emit_operands(f, slot, &fx);
    if (fx.dec.unit == ISA_UNIT_MEM) continue;
    emit_writes(f, slot, &fx);
    emit_predicates(f, slot, &fx);
  }
  emit_trap(f, slot);
}

static unsigned most_deferred(const struct fake *f) {
  return f->cfg.deferred != 0 ? f->cfg.deferred : DEFERRED;
}

static void finish_insn(struct fake *f, unsigned slot, struct heddle_effect *fx) {
  struct lane_warp *w = &f->warp[slot];
  emit_issue(f, slot, fx);
  emit_operands(f, slot, fx);
  if (fx->traps) {
    after_trap(f, slot);
    return;
  }
  if (fx->mem_lanes != 0) {
    if (w->n == most_deferred(f)) drain_one(f, slot);
    w->later[w->n++] = (struct put_off){.fx = *fx, .slot = (uint8_t)slot};
    if (f->cfg.deferred == 0 && draw_number(f, 4) == 0) drain_one(f, slot);
  } else {
    emit_writes(f, slot, fx);
    emit_predicates(f, slot, fx);
  }
  w->ended = fx->warp_ended;
  if (fx->bar_wait || fx->warp_ended) release_barriers(f, w->bslot);
  if (fx->warp_ended) end_fake_block(f, w->bslot);
}

static bool holds_copies(const struct lane_warp *w) {
  for (unsigned i = 0; i < w->n; i++)
    if (w->later[i].fx.mem_kind == HEDDLE_ACCESS_COPY) return true;
  return false;
}

/* Copies are put off, and the warp's next instruction waits for a counter: it may be theirs. */
static bool waits_for_copies(const struct fake *f, unsigned slot) {
  struct heddle_standing s;
  struct heddle_isa_dec d;
  return holds_copies(&f->warp[slot]) && heddle_warp_standing(f->m, slot, &s) && s.pc < f->p->launch.code_bytes &&
         heddle_isa_decode(heddle_program_word(f->p->program, s.pc), &d) &&
         (d.ctl.wait != 0 || d.op == ISA_OP_DEPBAR_LE);
}

static void step_warp(struct fake *f, unsigned slot) {
  static struct heddle_effect fx;
  if (waits_for_copies(f, slot)) drain(f, slot);
  enum heddle_error st = heddle_warp_issue(f->m, slot, &fx);
  if (st == HEDDLE_ERROR_PENDING || st == HEDDLE_ERROR_STATE) {
    drain(f, slot);
    st = heddle_warp_issue(f->m, slot, &fx);
  }
  if (st == HEDDLE_ERROR_TRAPPED) {
    drain(f, slot);
    emit_trap(f, slot);
  } else if (st == HEDDLE_ERROR_UNDEFINED) {
    emit_issue(f, slot, &fx);
    f->stop = true;
  } else {
    if (st != HEDDLE_SUCCESS) fprintf(stderr, "fake: %s\n", heddle_model_diag(f->m));
    assert(st == HEDDLE_SUCCESS);
    finish_insn(f, slot, &fx);
  }
}

void fake_run(const struct fake_program *p, const struct fake_config *cfg, struct stream *s, uint8_t *image) {
  static struct fake f;
  f = (struct fake){.p = p, .cfg = *cfg, .s = s, .rng = cfg->seed, .blocks = p->launch.grid[0]};
  *s = (struct stream){0};
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = FAKE_BASE,
                                         .bytes = FAKE_BYTES,
                                         .warp_slots = cfg->warp_slots,
                                         .block_slots = cfg->block_slots};
  f.m = heddle_model_new(&mc);
  const unsigned most = most_deferred(&f);
  struct put_off *later = calloc((size_t)cfg->warp_slots * most, sizeof *later);
  assert(f.m != NULL && later != NULL);
  for (unsigned w = 0; w < cfg->warp_slots; w++) f.warp[w].later = later + (size_t)w * most;
  fake_fill(heddle_model_memory(f.m));
  const enum heddle_error st = heddle_model_launch(f.m, &p->launch);
  assert(st == HEDDLE_SUCCESS);
  for (;;) {
    start_fake_blocks(&f);
    unsigned ready[HEDDLE_RECORD_WARPS], n = 0;
    for (unsigned w = 0; w < cfg->warp_slots; w++)
      if (f.warp[w].live && !f.warp[w].ended && !heddle_warp_waiting(f.m, w)) ready[n++] = w;
    if (n == 0 || f.stop) break;
    step_warp(&f, ready[draw_number(&f, n)]);
  }
  if (image != NULL) memcpy(image, heddle_model_memory(f.m), FAKE_BYTES);
  heddle_model_free(f.m);
  free(later);
}
