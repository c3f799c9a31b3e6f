/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine with a cache, played by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "cached.h"
#include <heddle/isa_tables.h>

#define SECTOR 32u

/* ---- life ---- */

struct heddle_model *cached_model(const struct cached *x) {
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = FAKE_BASE,
                                         .bytes = FAKE_BYTES,
                                         .warp_slots = CACHED_WARPS,
                                         .block_slots = CACHED_WARPS,
                                         .sms = x->sms,
                                         .shown = x->sms};
  struct heddle_model *m = heddle_model_new(&mc);
  assert_non_null(m);
  fake_fill(heddle_model_memory(m));
  assert_int_equal(heddle_model_launch(m, &x->p.launch), HEDDLE_SUCCESS);
  return m;
}

/* Line n of memory lies in bank n mod banks; of local memory a line is a word of a warp slot of the SM that is on. */
static uint8_t bank_of(const struct cached *x, unsigned sm, uint64_t sector, bool local) {
  const uint64_t words = x->p.launch.local_bytes / 4, slot = sector >> 20, word = (sector >> 2) & 0x3ffff;
  uint64_t line = sector / 4;
  if (local) line = x->p.launch.local_at / 128 + (sm * CACHED_WARPS + slot) * words + word;
  return (uint8_t)(line % x->banks);
}

struct heddle_checker_config cached_config(const struct heddle_checker_config *given) {
  struct heddle_checker_config cfg = *given;
  cfg.size = sizeof cfg;
  cfg.lanes = 32;
  cfg.warp_slots = cfg.block_slots = CACHED_WARPS;
  cfg.partitions = 1;
  cfg.in_flight = 128;
  if (cfg.hidden.kinds == 0) cfg.hidden = HEDDLE_RECORD_HIDDEN_P0;
  return cfg;
}

void cached_begin(struct cached *x, const char *text, unsigned blocks, unsigned threads,
                  const struct heddle_checker_config *given) {
  struct stream *shown = x->shown;
  const unsigned sms = x->sms != 0 ? x->sms : 1, banks = x->banks != 0 ? x->banks : 1;
  const bool later = x->later;
  memset(x, 0, sizeof *x);
  x->shown = shown;
  x->later = later;
  x->sms = sms;
  x->banks = banks;
  fake_assemble_long(&x->p, text, blocks, threads);
  x->m = cached_model(x);
  assert_int_equal(heddle_copies(x->m, CACHED_COPIES), HEDDLE_SUCCESS);
  x->ok = true;
  x->warps = (threads + 31) / 32;
  x->p.launch.local_at = FAKE_BASE + FAKE_BYTES;
  if (later) return;
  x->judge = cached_model(x);
  const struct heddle_checker_config cfg = cached_config(given);
  x->c = heddle_checker_new(x->judge, &x->p.launch, &cfg);
  assert_non_null(x->c);
  cached_block(x, 0, 0);
}

void cached_free(struct cached *x) {
  heddle_checker_free(x->c);
  heddle_model_free(x->m);
  heddle_model_free(x->judge);
  fake_program_free(&x->p);
}

void cached_show(struct cached *x, struct heddle_retire_record *r) {
  r->cycle = ++x->cycle;
  if (x->shown != NULL) stream_insert(x->shown, x->shown->n, r);
  if (x->ok && !x->later) x->ok = heddle_checker_record(x->c, r);
}

void cached_block(struct cached *x, unsigned block, unsigned first) {
  cached_block_on(x, block, block % CACHED_WARPS, first);
}

void cached_block_on(struct cached *x, unsigned block, unsigned bslot, unsigned first) {
  const unsigned sm = first / CACHED_WARPS;
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_START};
  uint8_t slots[32];
  for (unsigned i = 0; i < x->warps; i++) {
    slots[i] = (uint8_t)((first + i) % CACHED_WARPS);
    x->gen[first + i]++;
    x->ended[first + i] = false;
    memset(x->insn[first + i], 0, sizeof x->insn[first + i]);
    r.u.block_start.warps |= UINT64_C(1) << slots[i];
  }
  r.u.block_start.ctaid[0] = block;
  r.u.block_start.sm = (uint8_t)sm;
  r.u.block_start.bslot = (uint8_t)bslot;
  r.u.block_start.shared_base = bslot * x->p.launch.shared_bytes;
  assert_int_equal(heddle_block_start_on(x->m, sm, bslot, r.u.block_start.ctaid, slots, x->warps), HEDDLE_SUCCESS);
  cached_show(x, &r);
}

void cached_block_end(struct cached *x, unsigned block) {
  cached_block_end_on(x, 0, block % CACHED_WARPS);
}

void cached_block_end_on(struct cached *x, unsigned sm, unsigned bslot) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_END};
  r.u.block_end = (struct heddle_record_block_end){.sm = (uint8_t)sm, .bslot = (uint8_t)bslot};
  assert_int_equal(heddle_block_end(x->m, sm * CACHED_WARPS + bslot), HEDDLE_SUCCESS);
  cached_show(x, &r);
}

struct heddle_record_id cached_id(const struct cached *x, unsigned warp, uint32_t seq) {
  return (struct heddle_record_id){
      .sm = (uint8_t)(warp / CACHED_WARPS), .slot = (uint8_t)(warp % CACHED_WARPS), .gen = x->gen[warp], .seq = seq};
}

/* ---- issue and results ---- */

static void show_write(struct cached *x, unsigned warp, uint32_t seq, uint32_t exec, unsigned rd) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_WRITE};
  r.u.write = (struct heddle_record_write){.id = cached_id(x, warp, seq), .mask = exec, .rd = (uint8_t)rd};
  for (unsigned l = 0; l < 32; l++) r.u.write.data[l] = heddle_reg(x->m, warp, rd, l);
  cached_show(x, &r);
}

struct cached_insn *cached_find(struct cached *x, unsigned warp, uint32_t seq) {
  for (unsigned i = 0; i < CACHED_OPEN; i++)
    if (x->insn[warp][i].open && x->insn[warp][i].seq == seq) return &x->insn[warp][i];
  return NULL;
}

static struct cached_insn *keep(struct cached *x, unsigned warp) {
  const struct heddle_effect *fx = &x->fx;
  unsigned n = 0;
  while (n < CACHED_OPEN && x->insn[warp][n].open) n++;
  assert_true(n < CACHED_OPEN);
  struct cached_insn *i = &x->insn[warp][n];
  *i = (struct cached_insn){.open = true,
                            .seq = fx->seq,
                            .pc = fx->pc,
                            .exec = fx->exec,
                            .left = fx->mem_lanes,
                            .kind = fx->mem_kind,
                            .rd = fx->dec.rd,
                            .rd_words = fx->rd_words,
                            .bytes = fx->mem_bytes,
                            .word = fx->dec.word,
                            .op = (enum heddle_isa_op)fx->dec.op};
  for (unsigned l = 0; l < 32; l++) i->addr[l] = fx->mem_addr[l];
  if (fx->mem_kind == HEDDLE_ACCESS_COPY) {
    i->copied = fx->mem_lanes;
    memcpy(i->to, fx->copy_addr, sizeof i->to);
  }
  if (fx->src_words[1] != 0) memcpy(i->data, fx->src[1][0], sizeof i->data);
  *(fx->mem_space == ISA_SPACE_LOCAL    ? &i->local
    : fx->mem_space == ISA_SPACE_SHARED ? &i->shared
                                        : &i->global) = fx->mem_lanes;
  x->global[warp][i->seq % CACHED_OPEN].seq = i->seq;
  x->global[warp][i->seq % CACHED_OPEN].lanes = i->global;
  memcpy(x->global[warp][i->seq % CACHED_OPEN].addr, i->addr, sizeof i->addr);
  if (i->local == 0) return i;
  static struct heddle_performed p;
  assert_int_equal(heddle_perform(x->m, warp, i->seq, i->local, &p), HEDDLE_SUCCESS);
  for (unsigned k = 0; k < (i->bytes + 3u) / 4; k++) i->local_left[k] = i->local;
  return i;
}

struct cached_insn *cached_issue(struct cached *x, unsigned warp) {
  struct heddle_effect *fx = &x->fx;
  (void)heddle_warp_clock(x->m, warp, x->cycle);
  const enum heddle_error s = heddle_warp_issue(x->m, warp, fx);
  x->pending = s == HEDDLE_ERROR_PENDING;
  if (x->pending) return NULL;
  if (s != HEDDLE_SUCCESS) fail_msg("warp %u: %s", warp, heddle_model_diag(x->m));
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE};
  r.u.issue = (struct heddle_record_issue){.id = cached_id(x, warp, fx->seq),
                                           .pc = fx->pc,
                                           .active = fx->active,
                                           .exec = fx->exec,
                                           .word = {fx->dec.word.lo, fx->dec.word.hi}};
  cached_show(x, &r);
  x->ended[warp] = fx->warp_ended;
  if (fx->mem_lanes != 0 && fx->mem_space != ISA_SPACE_CONST) return keep(x, warp);
  if (fx->traps) return NULL;
  for (unsigned k = 0; k < fx->rd_words && !fx->rd_uniform; k++) show_write(x, warp, fx->seq, fx->exec, fx->dec.rd + k);
  return NULL;
}

uint32_t cached_issue_to(struct cached *x, unsigned warp, unsigned n) {
  while (n-- > 0) (void)cached_issue(x, warp);
  return x->fx.seq;
}

/* Lanes have been performed: of the last ones the result is written. */
static void performed(struct cached *x, unsigned warp, struct cached_insn *i, uint32_t lanes) {
  i->left &= ~lanes;
  if (i->left != 0 || i->copied != 0) return;
  i->open = false;
  for (unsigned k = 0; k < i->rd_words; k++) show_write(x, warp, i->seq, i->exec, i->rd + k);
}

/* ---- accesses ---- */

static uint32_t lanes_of(const struct cached_insn *i, uint64_t sector) {
  uint32_t lanes = 0;
  for (unsigned l = 0; l < 32; l++)
    if ((i->left & i->global) >> l & 1 && i->addr[l] / SECTOR == sector) lanes |= 1u << l;
  return lanes;
}

static uint32_t local_lanes_of(const struct cached_insn *i, unsigned warp, uint64_t sector) {
  const uint32_t word = (uint32_t)(sector >> 2) & 0x3ffff, n = (i->bytes + 3u) / 4;
  uint32_t lanes = 0;
  if (sector >> 20 != warp % CACHED_WARPS) return 0;
  for (unsigned l = (unsigned)(sector % 4) * 8; l < (unsigned)(sector % 4) * 8 + 8; l++)
    if (word - (uint32_t)i->addr[l] / 4 < n && (i->local_left[word % n] >> l & 1) != 0) lanes |= 1u << l;
  return lanes;
}

static uint32_t lanes_of_line(const struct cached_insn *i, uint64_t line, unsigned sectors) {
  uint32_t lanes = 0;
  for (unsigned s = 0; s < 4; s++)
    if ((sectors >> s & 1) != 0) lanes |= lanes_of(i, 4 * line + s);
  return lanes;
}

unsigned cached_sectors(const struct cached_insn *i, uint64_t line, bool local) {
  unsigned in = 0;
  for (unsigned s = 0; s < 4; s++)
    if ((local ? local_lanes_of(i, (unsigned)(line >> 18), 4 * line + s) : lanes_of(i, 4 * line + s)) != 0)
      in |= 1u << s;
  return in;
}

static bool loads(const struct cached_insn *i) {
  return i->kind == HEDDLE_ACCESS_LOAD || i->kind == HEDDLE_ACCESS_COPY;
}

static unsigned cause_of(const struct cached_insn *i) {
  return loads(i)                         ? HEDDLE_RECORD_DROP_STRONG
         : i->kind == HEDDLE_ACCESS_STORE ? HEDDLE_RECORD_DROP_STORE
                                          : HEDDLE_RECORD_DROP_ATOMIC;
}

void cached_drop(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors) {
  const struct cached_insn *i = cached_find(x, warp, seq);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_DROP};
  assert_non_null(i);
  r.u.drop = (struct heddle_record_drop){.id = cached_id(x, warp, seq),
                                         .line = line,
                                         .lanes = lanes_of_line(i, line, sectors),
                                         .cause = (uint8_t)cause_of(i),
                                         .sectors = (uint8_t)(cached_sectors(i, line, false) & sectors)};
  cached_show(x, &r);
}

void cached_global(struct cached *x, unsigned warp, uint32_t seq, uint64_t sector) {
  static struct heddle_performed p;
  struct cached_insn *i = cached_find(x, warp, seq);
  assert_non_null(i);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_GLOBAL};
  struct heddle_record_global *g = &r.u.global;
  *g = (struct heddle_record_global){.id = cached_id(x, warp, seq),
                                     .sector = sector,
                                     .lanes = lanes_of(i, sector),
                                     .stamp = x->cycle,
                                     .bank = bank_of(x, warp / CACHED_WARPS, sector, false),
                                     .access = loads(i)                         ? HEDDLE_RECORD_LOAD
                                               : i->kind == HEDDLE_ACCESS_STORE ? HEDDLE_RECORD_STORE
                                                                                : HEDDLE_RECORD_ATOMIC};
  memcpy(g->rdata, heddle_model_memory(x->m) + (sector * SECTOR - FAKE_BASE), SECTOR);
  if (heddle_perform(x->m, warp, seq, g->lanes, &p) != HEDDLE_SUCCESS) fail_msg("%s", heddle_model_diag(x->m));
  memcpy(g->wdata, heddle_model_memory(x->m) + (sector * SECTOR - FAKE_BASE), SECTOR);
  for (unsigned l = 0; l < 32 && g->access != HEDDLE_RECORD_LOAD; l++)
    if ((g->lanes >> l & 1) != 0) g->wstrb |= ((1u << i->bytes) - 1) << i->addr[l] % SECTOR;
  cached_show(x, &r);
  performed(x, warp, i, g->lanes);
}

void cached_globals(struct cached *x, unsigned warp, uint32_t seq, uint64_t line) {
  for (unsigned s = 0; s < 4; s++) {
    const struct cached_insn *i = cached_find(x, warp, seq);
    if (i != NULL && lanes_of(i, 4 * line + s) != 0) cached_global(x, warp, seq, 4 * line + s);
  }
}

void cached_ack(struct cached *x, unsigned warp, uint32_t seq, uint64_t line) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ACK};
  const unsigned k = seq % CACHED_OPEN;
  r.u.ack = (struct heddle_record_ack){.id = cached_id(x, warp, seq), .line = line};
  for (unsigned l = 0; l < 32 && x->global[warp][k].seq == seq; l++)
    if (x->global[warp][k].lanes >> l & 1 && x->global[warp][k].addr[l] / SECTOR / 4 == line) r.u.ack.lanes |= 1u << l;
  cached_show(x, &r);
}

/* Fills in what merge and hit have in common. */
static struct heddle_retire_record reads(struct cached *x, uint32_t kind, unsigned warp, uint32_t seq, uint64_t line,
                                         unsigned sectors, const uint32_t number[4], bool local) {
  struct heddle_retire_record r = {.kind = kind};
  const struct cached_insn *i = cached_find(x, warp, seq);
  assert_non_null(i);
  r.u.merge = (struct heddle_record_merge){
      .id = cached_id(x, warp, seq), .line = line, .access = local ? HEDDLE_RECORD_LOCAL_LOAD : HEDDLE_RECORD_LOAD};
  for (unsigned s = 0; s < 4; s++) {
    const uint32_t lanes = local ? local_lanes_of(i, warp, 4 * line + s) : lanes_of(i, 4 * line + s);
    if ((sectors >> s & 1) == 0 || lanes == 0) continue;
    r.u.merge.used |= (uint8_t)(1u << s);
    r.u.merge.lanes |= lanes;
    r.u.merge.number[s] = number[s];
  }
  return r;
}

void cached_merges(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors,
                   const uint32_t number[4], bool local) {
  struct heddle_retire_record r = reads(x, HEDDLE_RECORD_MERGE, warp, seq, line, sectors, number, local);
  cached_show(x, &r);
}

void cached_merge(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors, uint32_t number) {
  const uint32_t all[4] = {number, number, number, number};
  cached_merges(x, warp, seq, line, sectors, all, false);
}

static unsigned place_of(unsigned sm, uint32_t number, uint64_t sector) {
  return (unsigned)(4 * (number * CACHED_SMS + sm) + sector % 4) % CACHED_COPIES;
}

/* The machine's own copies: the oldest one makes place. */
void cached_fill(struct cached *x, uint32_t number, uint64_t sector, bool local) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_FILL};
  r.u.fill = (struct heddle_record_fill){.sector = sector,
                                         .stamp = x->cycle,
                                         .number = number,
                                         .sm = (uint8_t)x->on,
                                         .bank = bank_of(x, x->on, sector, local),
                                         .is_local = local};
  const unsigned n = place_of(x->on, number, sector);
  if (!local) {
    if (x->copied[n] != 0) assert_int_equal(heddle_copy_drop(x->m, n), HEDDLE_SUCCESS);
    assert_int_equal(heddle_copy_take(x->m, n, sector), HEDDLE_SUCCESS);
    x->copied[n] = sector + 1;
    x->number_of[n] = number;
    x->sm_of[n] = x->on;
  }
  cached_show(x, &r);
}

static void read_lanes(struct cached *x, unsigned warp, struct cached_insn *i, uint64_t sector, uint32_t number,
                       uint32_t lanes) {
  static struct heddle_performed p;
  const unsigned sm = warp / CACHED_WARPS, n = place_of(sm, number, sector);
  const bool there = x->copied[n] == sector + 1 && x->number_of[n] == number && x->sm_of[n] == sm;
  const enum heddle_error s = there ? heddle_perform_copy(x->m, warp, i->seq, lanes, n, &p)
                                    : heddle_perform_values(x->m, warp, i->seq, lanes, &p);
  if (s != HEDDLE_SUCCESS) fail_msg("%s", heddle_model_diag(x->m));
}

void cached_hits(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors,
                 const uint32_t number[4], bool local) {
  struct heddle_retire_record r = reads(x, HEDDLE_RECORD_HIT, warp, seq, line, sectors, number, local);
  struct cached_insn *i = cached_find(x, warp, seq);
  uint32_t done = 0, left = 0;
  const unsigned words = (i->bytes + 3u) / 4;
  for (unsigned s = 0; s < 4; s++) {
    if ((r.u.merge.used >> s & 1) == 0) continue;
    const uint32_t lanes = local ? local_lanes_of(i, warp, 4 * line + s) : lanes_of(i, 4 * line + s);
    if (local) i->local_left[line % words] &= ~lanes;
    if (!local) read_lanes(x, warp, i, 4 * line + s, number[s], lanes);
    done |= lanes;
  }
  for (unsigned k = 0; k < 4; k++) left |= i->local_left[k];
  cached_show(x, &r);
  performed(x, warp, i, done & ~left);
}

void cached_hit(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors, uint32_t number) {
  const uint32_t all[4] = {number, number, number, number};
  cached_hits(x, warp, seq, line, sectors, all, false);
}

void cached_give_up(struct cached *x, unsigned cause, uint64_t line, unsigned sectors, bool local) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_DROP};
  r.u.drop = (struct heddle_record_drop){.id.sm = (uint8_t)x->on,
                                         .line = line,
                                         .sectors = (uint8_t)sectors,
                                         .all = sectors == 0,
                                         .is_local = local,
                                         .cause = (uint8_t)cause};
  cached_show(x, &r);
}

void cached_fence(struct cached *x, unsigned warp, uint32_t seq, unsigned scope) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_FENCE};
  r.u.fence = (struct heddle_record_fence){.id = cached_id(x, warp, seq), .scope = (uint8_t)scope};
  cached_show(x, &r);
}

void cached_local_store(struct cached *x, unsigned warp, uint32_t seq, uint64_t sector) {
  struct cached_insn *i = cached_find(x, warp, seq);
  assert_non_null(i);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_GLOBAL};
  struct heddle_record_global *g = &r.u.global;
  const uint32_t lanes = local_lanes_of(i, warp, sector);
  *g = (struct heddle_record_global){.id = cached_id(x, warp, seq),
                                     .sector = sector,
                                     .lanes = lanes,
                                     .stamp = x->cycle,
                                     .bank = bank_of(x, warp / CACHED_WARPS, sector, true),
                                     .access = HEDDLE_RECORD_LOCAL_STORE};
  for (unsigned l = 0; l < 32; l++) {
    if ((lanes >> l & 1) == 0) continue;
    g->wstrb |= 15u << l % 8 * 4;
    memcpy(g->wdata + l % 8 * 4, &i->data[l], 4);
  }
  cached_show(x, &r);
  i->local_left[0] &= ~lanes;
  performed(x, warp, i, lanes);
}

/* One pass: all lanes in words of their own bank. Of a copy what it stores. */
void cached_shared(struct cached *x, unsigned warp, uint32_t seq) {
  static struct heddle_performed p;
  struct cached_insn *i = cached_find(x, warp, seq);
  const bool copy = i->kind == HEDDLE_ACCESS_COPY;
  const uint32_t lanes = copy ? i->copied : i->left;
  const uint64_t *addr = copy ? i->to : i->addr;
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_SHARED};
  struct heddle_record_shared *s = &r.u.shared;
  *s =
      (struct heddle_record_shared){.id = cached_id(x, warp, seq),
                                    .lanes = lanes,
                                    .access = i->kind == HEDDLE_ACCESS_LOAD ? HEDDLE_RECORD_LOAD : HEDDLE_RECORD_STORE};
  if ((copy ? heddle_perform_store : heddle_perform)(x->m, warp, seq, lanes, &p) != HEDDLE_SUCCESS)
    fail_msg("%s", heddle_model_diag(x->m));
  for (unsigned l = 0; l < 32; l++) {
    if ((lanes >> l & 1) == 0) continue;
    const unsigned b = (unsigned)(addr[l] / 4) % 32;
    s->bank_en |= 1u << b;
    s->row[b] = (uint16_t)(addr[l] / 128);
    memcpy(&s->wdata[b], p.new_bytes[l], 4);
    memcpy(&s->rdata[b], p.old_bytes[l], 4);
    s->wstrb[b] = s->access == HEDDLE_RECORD_STORE ? 15 : 0;
  }
  cached_show(x, &r);
  i->copied = 0;
  performed(x, warp, i, copy ? 0 : lanes);
}

bool cached_barrier(struct cached *x, unsigned block, unsigned id) {
  return cached_barrier_on(x, 0, block % CACHED_WARPS, id);
}

bool cached_barrier_on(struct cached *x, unsigned sm, unsigned bslot, unsigned id) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BARRIER};
  if (heddle_barrier_release(x->m, sm * CACHED_WARPS + bslot, id) != HEDDLE_SUCCESS) return false;
  r.u.barrier = (struct heddle_record_barrier){.sm = (uint8_t)sm, .bslot = (uint8_t)bslot, .id = (uint8_t)id};
  cached_show(x, &r);
  return true;
}

void cached_end(struct cached *x) {
  x->ok = x->ok && heddle_checker_finish(x->c, x->cycle) &&
          heddle_checker_memory(x->c, FAKE_BASE, heddle_model_memory(x->m), FAKE_BYTES);
}

void cached_expect(struct cached *x, enum heddle_checker_kind want, const char *words) {
  const struct heddle_checker_difference *d = heddle_checker_first(x->c);
  if (d->kind != want)
    fail_msg("expected %s, got %s (%s: %s)", heddle_checker_kind_name(want), heddle_checker_kind_name(d->kind),
             d->subject, d->note);
  if (words != NULL && strstr(d->note, words) == NULL) fail_msg("'%s' does not say '%s'", d->note, words);
}
