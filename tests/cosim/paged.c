/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine with an MMU, played by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "paged.h"

#define SECTOR 32u
#define LINE 128u
#define TABLES 32u /* the first frame of tables */

/* ---- tables ---- */

static bool read_entry(void *self, uint64_t at, uint64_t *entry) {
  const struct paged *x = self;
  memcpy(entry, x->image + (at - PAGED_BASE), 8);
  return true;
}

static bool exchange(void *self, uint64_t at, uint64_t entry, uint64_t *old) {
  struct paged *x = self;
  (void)read_entry(self, at, old);
  memcpy(x->image + (at - PAGED_BASE), &entry, 8);
  return true;
}

static uint64_t table(void *self, uint64_t bytes) {
  struct paged *x = self;
  const unsigned frames = (unsigned)(bytes / 4096), n = (x->tables + frames - 1) / frames * frames;
  x->tables = n + frames;
  return PAGED_FRAME(n);
}

static struct heddle_page_memory memory_of(struct paged *x) {
  return (struct heddle_page_memory){
      .size = sizeof(struct heddle_page_memory), .self = x, .read = read_entry, .exchange = exchange, .table = table};
}

void paged_map(struct paged *x, uint64_t virt, unsigned frame, uint64_t flags) {
  const struct heddle_page_memory m = memory_of(x);
  assert_int_equal(heddle_pages_map(&m, x->root, virt, PAGED_FRAME(frame), 4096, flags), HEDDLE_SUCCESS);
}

void paged_map_big(struct paged *x, uint64_t virt, uint64_t flags) {
  const struct heddle_page_memory m = memory_of(x);
  assert_int_equal(heddle_pages_map(&m, x->root, virt, PAGED_BASE, HEDDLE_PAGE_BIG, flags), HEDDLE_SUCCESS);
}

uint64_t paged_unmap(struct paged *x, uint64_t virt) {
  const struct heddle_page_memory m = memory_of(x);
  uint64_t was = 0;
  assert_int_equal(heddle_pages_unmap(&m, x->root, virt, &was), HEDDLE_SUCCESS);
  return was;
}

uint64_t paged_entry(const struct paged *x, uint64_t virt, unsigned level) {
  uint64_t at = x->root;
  for (unsigned k = 3;; k--) {
    at += 8 * (virt >> (12 + 9 * k) & (k == 3 ? 1023 : 511));
    if (k == level) return at;
    memcpy(&at, x->image + (at - PAGED_BASE), 8);
    at &= HEDDLE_ENTRY_PLACE;
  }
}

/* ---- life ---- */

void paged_space(struct paged *x, uint8_t space) {
  const struct heddle_page_memory m = memory_of(x);
  assert_int_equal(heddle_pages_new(&m, &x->root), HEDDLE_SUCCESS);
  paged_map(x, CODE_AT, PAGED_CODE, 0);
  paged_map(x, BANK_AT, PAGED_BANK, 0);
  x->p.launch.space = space;
  x->p.launch.page_root = x->root;
}

void paged_init(struct paged *x, const char *text) {
  paged_init_grid(x, text, 1, 32);
}

void paged_init_grid(struct paged *x, const char *text, unsigned blocks, unsigned threads) {
  memset(x, 0, sizeof *x);
  fake_assemble_long(&x->p, text, blocks, threads);
  x->image = malloc(PAGED_BYTES);
  assert_non_null(x->image);
  for (unsigned i = 0; i < PAGED_BYTES; i++) x->image[i] = (uint8_t)(i * 7u + (i >> 8));
  memset(x->image + 4096 * TABLES, 0, PAGED_BYTES - 4096 * TABLES);
  x->tables = TABLES;
  memcpy(x->image + 4096 * PAGED_CODE, x->p.launch.code, x->p.launch.code_bytes);
  memcpy(x->image + 4096 * PAGED_BANK, x->p.launch.cbank[0], x->p.launch.cbank_bytes[0]);
  paged_space(x, PAGED_SPACE);
  x->p.launch.pages = x->p.launch.walks_told = true;
  x->p.launch.code_at = CODE_AT;
  x->p.launch.cbank_at[0] = BANK_AT;
  x->ok = true;
}

static struct heddle_model *model(const struct paged *x) {
  const struct heddle_model_config mc = {
      .size = sizeof mc, .base = PAGED_BASE, .bytes = PAGED_BYTES, .warp_slots = 4, .block_slots = 4};
  struct heddle_model *m = heddle_model_new(&mc);
  assert_non_null(m);
  memcpy(heddle_model_memory(m), x->image, PAGED_BYTES);
  if (heddle_model_launch(m, &x->p.launch) != HEDDLE_SUCCESS) fail_msg("%s", heddle_model_diag(m));
  return m;
}

void paged_begin(struct paged *x, bool fault_trap) {
  const uint8_t slot = 0;
  x->p.launch.fault_trap = fault_trap;
  x->m = model(x);
  x->judge = model(x);
  const struct heddle_checker_config cfg = {.size = sizeof cfg,
                                            .lanes = 32,
                                            .warp_slots = 4,
                                            .block_slots = 4,
                                            .partitions = 1,
                                            .in_flight = 128,
                                            .mmu = true,
                                            .cache_sectors = x->cached ? 16 : 0,
                                            .cache_promises = x->cached ? HEDDLE_CHECKER_CACHE_CLOSES : 0,
                                            .hidden = HEDDLE_RECORD_HIDDEN_P0};
  x->c = heddle_checker_new(x->judge, &x->p.launch, &cfg);
  assert_non_null(x->c);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_START};
  r.u.block_start.warps = 1;
  paged_launch(x);
  assert_int_equal(heddle_block_start(x->m, 0, r.u.block_start.ctaid, &slot, 1), HEDDLE_SUCCESS);
  paged_show(x, &r);
}

void paged_free(struct paged *x) {
  heddle_checker_free(x->c);
  heddle_model_free(x->m);
  heddle_model_free(x->judge);
  fake_program_free(&x->p);
  free(x->image);
}

void paged_end(struct paged *x) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_END};
  if (!heddle_checker_trapped(x->c) && x->ok) {
    assert_int_equal(heddle_block_end(x->m, 0), HEDDLE_SUCCESS);
    paged_show(x, &r);
  }
  x->ok = x->ok && heddle_checker_finish(x->c, x->cycle) &&
          heddle_checker_memory(x->c, PAGED_BASE, heddle_model_memory(x->m), PAGED_BYTES);
}

void paged_show(struct paged *x, struct heddle_retire_record *r) {
  r->cycle = ++x->cycle;
  if (x->change != NULL) {
    void (*change)(struct heddle_retire_record *) = x->change;
    x->change = NULL;
    change(r);
  }
  if (x->ok) x->ok = heddle_checker_record(x->c, r);
}

void paged_expect(const struct paged *x, enum heddle_checker_kind want, const char *words) {
  const struct heddle_checker_difference *d = heddle_checker_first(x->c);
  if (d->kind != want)
    fail_msg("expected %s, got %s (%s: %s)", heddle_checker_kind_name(want), heddle_checker_kind_name(d->kind),
             d->subject, d->note);
  if (words != NULL && strstr(d->note, words) == NULL) fail_msg("'%s' does not say '%s'", d->note, words);
}

/* ---- walks ---- */

void paged_tell(struct paged *x, unsigned what, uint64_t page, uint32_t number, unsigned all) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_PAGES};
  r.u.pages = (struct heddle_record_pages){
      .page = page / 4096, .number = number, .space = PAGED_SPACE, .what = (uint8_t)what, .all = (uint8_t)all};
  paged_show(x, &r);
}

void paged_launch(struct paged *x) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_PAGES};
  r.u.pages = (struct heddle_record_pages){
      .page = x->root / 4096, .space = x->p.launch.space, .what = HEDDLE_RECORD_PAGES_LAUNCH};
  paged_show(x, &r);
}

struct heddle_walk paged_walk_begins(struct paged *x, uint64_t virt, bool write) {
  struct heddle_walk w;
  heddle_walk_begin(x->m, virt, write, &w);
  paged_tell(x, write ? 1 : 0, virt, x->next++, 0);
  return w;
}

static void access_record(struct paged *x, struct heddle_retire_record *r, uint64_t at, bool swap) {
  *r = (struct heddle_retire_record){.kind = HEDDLE_RECORD_GLOBAL};
  r->u.global = (struct heddle_record_global){
      .id = {.sm = 1}, .sector = at / SECTOR, .stamp = x->cycle, .lanes = 1, .access = HEDDLE_RECORD_LOAD};
  if (!swap) return;
  r->u.global.access = HEDDLE_RECORD_ATOMIC;
  r->u.global.wstrb = 0xffu << at % SECTOR;
}

static uint8_t *sector_at(const struct paged *x, uint64_t at) {
  return heddle_model_memory(x->m) + (at / SECTOR * SECTOR - PAGED_BASE);
}

void paged_walk_step(struct paged *x, struct heddle_walk *w, uint32_t number) {
  struct heddle_retire_record r;
  uint64_t was, is;
  const uint64_t at = w->at;
  access_record(x, &r, at, w->state == HEDDLE_WALK_SWAPS);
  r.u.global.id.seq = number;
  r.u.global.id.slot = (uint8_t)w->level;
  memcpy(r.u.global.rdata, sector_at(x, at), SECTOR);
  if (heddle_walk_step(x->m, w, &was, &is) != HEDDLE_SUCCESS) fail_msg("%s", heddle_model_diag(x->m));
  memcpy(r.u.global.wdata, sector_at(x, at), SECTOR);
  paged_show(x, &r);
}

struct heddle_walk paged_walk(struct paged *x, uint64_t virt, bool write) {
  struct heddle_walk w = paged_walk_begins(x, virt, write);
  while (w.state == HEDDLE_WALK_READS || w.state == HEDDLE_WALK_SWAPS) paged_walk_step(x, &w, x->next - 1);
  return w;
}

void paged_exchange(struct paged *x, uint64_t at, uint64_t value) {
  struct heddle_retire_record r;
  uint64_t was = 0;
  access_record(x, &r, at, true);
  r.u.global.id.gen = 1;
  memcpy(r.u.global.rdata, sector_at(x, at), SECTOR);
  assert_int_equal(heddle_entry_exchange(x->m, at, value, &was), HEDDLE_SUCCESS);
  memcpy(r.u.global.wdata, sector_at(x, at), SECTOR);
  heddle_checker_host_exchange(x->c, at, value);
  paged_show(x, &r);
  if (x->ok) x->ok = heddle_checker_host_exchanged(x->c, false, was);
}

void paged_invalidate(struct paged *x, bool begins, unsigned what, uint64_t virt) {
  if (begins) heddle_checker_host_invalidate(x->c, what, PAGED_SPACE, virt);
  paged_tell(x, begins ? 2 : 3, virt, 0, what);
}

/* ---- the warp ---- */

static struct heddle_record_id id_of(unsigned seq) {
  return (struct heddle_record_id){.gen = 1, .seq = seq};
}

static void show_lanes(struct paged *x, unsigned seq, uint32_t lanes) {
  const struct heddle_effect *fx = &x->insn[seq];
  for (unsigned k = 0; k < fx->rd_words && !fx->rd_uniform; k++) {
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_WRITE};
    r.u.write = (struct heddle_record_write){.id = id_of(seq), .mask = lanes, .rd = (uint8_t)(fx->dec.rd + k)};
    for (unsigned l = 0; l < 32; l++) r.u.write.data[l] = heddle_reg(x->m, 0, fx->dec.rd + k, l);
    paged_show(x, &r);
  }
}

static void show_results(struct paged *x, unsigned seq) {
  show_lanes(x, seq, x->insn[seq].exec);
}

static void issue(struct paged *x) {
  struct heddle_effect *fx = &x->fx;
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE};
  if (heddle_warp_issue(x->m, 0, fx) != HEDDLE_SUCCESS) fail_msg("%s", heddle_model_diag(x->m));
  r.u.issue = (struct heddle_record_issue){.id = id_of(fx->seq),
                                           .pc = fx->pc,
                                           .active = fx->active,
                                           .exec = fx->exec,
                                           .word = {fx->dec.word.lo, fx->dec.word.hi}};
  x->insn[fx->seq] = *fx;
  x->left[fx->seq] = fx->mem_lanes;
  paged_show(x, &r);
  if (fx->mem_lanes == 0 && !fx->traps) show_results(x, fx->seq);
}

void paged_issue_to(struct paged *x, unsigned seq) {
  do issue(x);
  while (x->fx.seq < seq);
}

/* A sector's lanes, which have their places. */
static void perform_sector(struct paged *x, unsigned seq, uint32_t lanes, const uint64_t addr[32]) {
  static struct heddle_performed p;
  const struct heddle_effect *fx = &x->insn[seq];
  const unsigned first = (unsigned)__builtin_ctz(lanes);
  struct heddle_retire_record r;
  access_record(x, &r, addr[first], false);
  struct heddle_record_global *g = &r.u.global;
  g->id = id_of(seq);
  g->lanes = lanes;
  g->access = fx->mem_kind == HEDDLE_ACCESS_LOAD    ? HEDDLE_RECORD_LOAD
              : fx->mem_kind == HEDDLE_ACCESS_STORE ? HEDDLE_RECORD_STORE
                                                    : HEDDLE_RECORD_ATOMIC;
  memcpy(g->rdata, sector_at(x, addr[first]), SECTOR);
  if (heddle_perform(x->m, 0, seq, lanes, &p) != HEDDLE_SUCCESS) fail_msg("%s", heddle_model_diag(x->m));
  memcpy(g->wdata, sector_at(x, addr[first]), SECTOR);
  for (unsigned l = 0; l < 32 && g->access != HEDDLE_RECORD_LOAD; l++)
    if ((lanes >> l & 1) != 0) g->wstrb |= ((1u << fx->mem_bytes) - 1) << addr[l] % SECTOR;
  paged_show(x, &r);
  x->left[seq] &= ~lanes;
  if (x->left[seq] == 0) show_results(x, seq);
}

/* Lanes that wait in the virtual line get their places. */
static uint32_t place(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found) {
  uint32_t in = 0;
  for (unsigned l = 0; l < 32; l++)
    if ((x->left[seq] >> l & 1) != 0 && x->insn[seq].mem_addr[l] / LINE == line / LINE) in |= 1u << l;
  assert_true(in != 0);
  if (heddle_perform_place(x->m, 0, seq, in, &found->leaf, x->addr[seq]) != HEDDLE_SUCCESS)
    fail_msg("%s", heddle_model_diag(x->m));
  return in;
}

void paged_perform_lanes(struct paged *x, unsigned seq, uint32_t in) {
  const uint64_t *addr = x->addr[seq];
  for (uint32_t rest = in; rest != 0;) {
    const uint64_t sector = addr[__builtin_ctz(rest)] / SECTOR;
    uint32_t lanes = 0;
    for (unsigned l = 0; l < 32; l++)
      if ((rest >> l & 1) != 0 && addr[l] / SECTOR == sector) lanes |= 1u << l;
    perform_sector(x, seq, lanes, addr);
    rest &= ~lanes;
  }
}

void paged_perform(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found) {
  paged_perform_lanes(x, seq, place(x, seq, line, found));
}

static uint8_t sectors_of(const struct paged *x, unsigned seq, uint32_t in) {
  unsigned sectors = 0;
  for (; in != 0; in &= in - 1) sectors |= 1u << x->addr[seq][__builtin_ctz(in)] / SECTOR % 4;
  return (uint8_t)sectors;
}

uint32_t paged_drop(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found) {
  const uint32_t in = place(x, seq, line, found);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_DROP};
  r.u.drop = (struct heddle_record_drop){
      .id = id_of(seq), .line = x->addr[seq][__builtin_ctz(in)] / LINE, .lanes = in, .sectors = sectors_of(x, seq, in)};
  if (x->insn[seq].mem_kind == HEDDLE_ACCESS_LOAD) r.u.drop.cause = HEDDLE_RECORD_DROP_STRONG;
  paged_show(x, &r);
  return in;
}

void paged_ack(struct paged *x, unsigned seq, uint32_t in) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ACK};
  r.u.ack = (struct heddle_record_ack){.id = id_of(seq), .line = x->addr[seq][__builtin_ctz(in)] / LINE, .lanes = in};
  paged_show(x, &r);
}

void paged_pass(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found) {
  const uint32_t in = paged_drop(x, seq, line, found);
  paged_perform_lanes(x, seq, in);
  paged_ack(x, seq, in);
}

static void show_reads(struct paged *x, uint32_t kind, unsigned seq, uint32_t in, uint32_t number) {
  struct heddle_retire_record r = {.kind = kind};
  r.u.merge = (struct heddle_record_merge){
      .id = id_of(seq),
      .line = x->addr[seq][__builtin_ctz(in)] / LINE,
      .lanes = in,
      .used = sectors_of(x, seq, in),
      .access = HEDDLE_RECORD_LOAD,
  };
  for (unsigned s = 0; s < 4; s++) r.u.merge.number[s] = (r.u.merge.used >> s & 1) != 0 ? number : 0;
  paged_show(x, &r);
}

uint32_t paged_ask(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found, uint32_t number) {
  const uint32_t in = place(x, seq, line, found);
  show_reads(x, HEDDLE_RECORD_MERGE, seq, in, number);
  return in;
}

void paged_read_lanes(struct paged *x, unsigned seq, uint32_t in, uint32_t number) {
  static struct heddle_performed p;
  const uint64_t first = x->addr[seq][__builtin_ctz(in)] / LINE * 4;
  for (unsigned s = 0; s < 4; s++) {
    if ((sectors_of(x, seq, in) >> s & 1) == 0) continue;
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_FILL};
    r.u.fill = (struct heddle_record_fill){.sector = first + s, .stamp = x->cycle, .number = number};
    paged_show(x, &r);
  }
  if (heddle_perform(x->m, 0, seq, in, &p) != HEDDLE_SUCCESS) fail_msg("%s", heddle_model_diag(x->m));
  x->left[seq] &= ~in;
  show_reads(x, HEDDLE_RECORD_HIT, seq, in, number);
  if (x->left[seq] == 0) show_results(x, seq);
}

void paged_read(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found, uint32_t number) {
  paged_read_lanes(x, seq, paged_ask(x, seq, line, found, number), number);
}

void paged_constant_lanes(struct paged *x, unsigned seq, uint32_t lanes) {
  static struct heddle_performed p;
  if (heddle_perform(x->m, 0, seq, lanes, &p) != HEDDLE_SUCCESS) fail_msg("%s", heddle_model_diag(x->m));
  x->left[seq] &= ~lanes;
  show_lanes(x, seq, lanes);
}

void paged_constant(struct paged *x, unsigned seq) {
  paged_constant_lanes(x, seq, x->left[seq]);
}

void paged_trap(struct paged *x, unsigned seq, unsigned cause, uint64_t addr, uint32_t lanes) {
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_TRAP};
  r.u.trap = (struct heddle_record_trap){.id = id_of(seq), .addr = addr, .lanes = lanes, .cause = (uint8_t)cause};
  r.u.trap.pc = 16 * seq;
  paged_show(x, &r);
}
