/* SPDX-License-Identifier: Apache-2.0
 *
 * Small programs on the model: of words or as text, in an address space, with marks.
 */
#include "machine.h"

#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include "tests/test.h"

void machine_init(struct machine *x) {
  machine_init_as(x, HEDDLE_STACK);
}

void machine_init_as(struct machine *x, enum heddle_divergence divergence) {
  memset(x, 0, sizeof *x);
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = MEM_BASE,
                                        .bytes = MEM_BYTES,
                                        .warp_slots = 64,
                                        .block_slots = 8,
                                        .divergence = divergence};
  x->model = heddle_model_new(&c);
  assert_non_null(x->model);
  x->launch = (struct heddle_launch){
      .size = sizeof x->launch, .grid = {1, 1, 1}, .block = {32, 1, 1}, .regs = 64, .units = ~0u, .regions = 1};
  x->launch.region[0] = (struct heddle_region){MEM_BASE, MEM_BASE + MEM_BYTES, true};
  x->launch.cbank[0] = x->bank;
  x->launch.cbank_bytes[0] = sizeof x->bank;
}

void machine_free(struct machine *x) {
  heddle_model_free(x->model);
}

void machine_patch(struct machine *x, uint32_t pc, struct heddle_isa_word w) {
  heddle_isa_word_store(x->code + pc, w);
}

uint32_t machine_emit(struct machine *x, struct heddle_isa_word w) {
  assert_true(x->n < CODE_MAX);
  const uint32_t pc = 16 * x->n++;
  machine_patch(x, pc, w);
  return pc;
}

enum heddle_error machine_start(struct machine *x) {
  x->launch.code = x->code;
  x->launch.code_bytes = 16 * x->n;
  return heddle_model_launch(x->model, &x->launch);
}

enum heddle_error machine_run(struct machine *x) {
  const enum heddle_error s = machine_start(x);
  return s != HEDDLE_SUCCESS ? s : heddle_model_run(x->model, 1000000, &x->retired);
}

void machine_lockstep(struct machine *x) {
  static const uint32_t first[3] = {0, 0, 0};
  uint8_t slot[32];
  for (unsigned i = 0; i < 32; i++) slot[i] = (uint8_t)i;
  EXPECT(x, HEDDLE_SUCCESS, machine_start(x));
  const unsigned threads = x->launch.block[0] * x->launch.block[1] * x->launch.block[2];
  EXPECT(x, HEDDLE_SUCCESS, heddle_block_start(x->model, 0, first, slot, (threads + 31) / 32));
}

uint32_t mem32(struct machine *x, uint64_t offset) {
  const uint8_t *p = heddle_model_memory(x->model) + offset;
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void set_mem32(struct machine *x, uint64_t offset, uint32_t v) {
  for (unsigned k = 0; k < 4; k++) heddle_model_memory(x->model)[offset + k] = (uint8_t)(v >> (8 * k));
}

struct heddle_isa_word mov_imm(unsigned rd, uint32_t v) {
  return WORD(ISA_ENC_MOV_I, ISA_F_RD, rd, ISA_F_IMM, v);
}
struct heddle_isa_word mov_reg(unsigned rd, unsigned rb) {
  return WORD(ISA_ENC_MOV_R, ISA_F_RD, rd, ISA_F_RB, rb);
}
struct heddle_isa_word s2r(unsigned rd, uint64_t sreg) {
  return WORD(ISA_ENC_S2R_D, ISA_F_RD, rd, ISA_F_SREG, sreg);
}

struct heddle_isa_word iadd(unsigned rd, unsigned ra, uint32_t imm) {
  return WORD(ISA_ENC_IADD3_RIR, ISA_F_RD, rd, ISA_F_RA, ra, ISA_F_IMM, imm);
}

struct heddle_isa_word isetp(unsigned pd, uint64_t cmp, unsigned ra, uint32_t imm) {
  return WORD(ISA_ENC_ISETP_PRI, ISA_F_PD0, pd, ISA_F_ICMP, cmp, ISA_F_SIGN, ISA_SIGN_U32, ISA_F_RA, ra, ISA_F_IMM,
              imm);
}

struct heddle_isa_word bra(uint32_t pc, uint32_t target) {
  return WORD(ISA_ENC_BRA_BR, ISA_F_REL, target - pc - 16);
}
struct heddle_isa_word bssy(unsigned b) {
  return WORD(ISA_ENC_BSSY_BR, ISA_F_BX, b);
}
struct heddle_isa_word bsync(unsigned b) {
  return WORD(ISA_ENC_BSYNC_P, ISA_F_BX, b);
}
struct heddle_isa_word brk(unsigned b) {
  return WORD(ISA_ENC_BREAK_P, ISA_F_BX, b);
}
struct heddle_isa_word exit_word(void) {
  return WORD(ISA_ENC_EXIT_P, ISA_F_PG, 7);
}

struct heddle_isa_word bar_sync(unsigned id, unsigned count) {
  return WORD(ISA_ENC_BAR_SYNC_P, ISA_F_BARID, id, ISA_F_BARCNT, count);
}

#define OFFSET(o) ((uint64_t)(int64_t)(o))

struct heddle_isa_word ldg(unsigned rd, unsigned ra, int o, uint64_t size) {
  return WORD(ISA_ENC_LDG_E_LD, ISA_F_RD, rd, ISA_F_RA, ra, ISA_F_OFF24, OFFSET(o), ISA_F_SIZE, size);
}

struct heddle_isa_word stg(unsigned ra, int o, unsigned rb, uint64_t size) {
  return WORD(ISA_ENC_STG_E_ST, ISA_F_RB, rb, ISA_F_RA, ra, ISA_F_OFF24, OFFSET(o), ISA_F_SIZE, size);
}

struct heddle_isa_word lds(unsigned rd, unsigned ra, int o, uint64_t size) {
  return WORD(ISA_ENC_LDS_LD, ISA_F_RD, rd, ISA_F_RA, ra, ISA_F_OFF24, OFFSET(o), ISA_F_SIZE, size);
}

struct heddle_isa_word sts(unsigned ra, int o, unsigned rb, uint64_t size) {
  return WORD(ISA_ENC_STS_ST, ISA_F_RB, rb, ISA_F_RA, ra, ISA_F_OFF24, OFFSET(o), ISA_F_SIZE, size);
}

void emit_address(struct machine *x, uint32_t offset, uint32_t scale) {
  const uint64_t base = MEM_BASE + offset;
  machine_emit(x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(x, mov_imm(2, (uint32_t)base));
  machine_emit(x, mov_imm(3, (uint32_t)(base >> 32)));
  machine_emit(x, WORD(ISA_ENC_IMAD_WIDE_RIR, ISA_F_RD, 2, ISA_F_RA, 0, ISA_F_IMM, scale, ISA_F_RC, 2, ISA_F_SIGN,
                       ISA_SIGN_U32));
}

void expect_status(struct machine *x, enum heddle_error want, enum heddle_error got) {
  if (want != got) fail_msg("status %d, want %d: %s", (int)got, (int)want, heddle_model_diag(x->model));
}

void expect_trap(struct machine *x, enum heddle_cause cause, uint32_t pc, uint32_t lanes, uint64_t addr) {
  const struct heddle_trap *t = heddle_model_trap(x->model);
  if (t->cause != cause || t->pc != pc || t->lanes != lanes || t->addr != addr)
    fail_msg("trap %s pc 0x%x lanes 0x%08x addr 0x%llx, want %s pc 0x%x lanes 0x%08x addr 0x%llx",
             heddle_cause_name(t->cause), t->pc, t->lanes, (unsigned long long)t->addr, heddle_cause_name(cause), pc,
             lanes, (unsigned long long)addr);
}

static void complain(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  if (!m->warning) print_error("line %u: %s\n", m->line, m->text);
}

void machine_text(struct machine *x, const char *text) {
  char whole[8192];
  const int size = snprintf(whole, sizeof whole, ".kernel k\n%s.end\n", text);
  const struct heddle_asm_options o = {.size = sizeof o, .message = complain, .long_words = true};
  assert_in_range(size, 1, sizeof whole - 1);
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(whole, (size_t)size, "text", &o, &p), HEDDLE_SUCCESS);
  assert_in_range(p->code_bytes, 16, sizeof x->code);
  memcpy(x->code, p->code, p->code_bytes);
  x->n = p->code_bytes / 16;
  heddle_program_free(p);
}

enum { SHARED = 0x200, LOCAL = 0x40, WAYS = 2 };

void marked_begin(struct machine *x, const char *text) {
  machine_init(x);
  x->launch.shared_bytes = SHARED;
  x->launch.local_bytes = LOCAL;
  machine_text(x, text);
}

static enum heddle_error in_lockstep(struct machine *x) {
  static struct heddle_effect e;
  static struct heddle_performed p;
  machine_lockstep(x);
  for (;;) {
    enum heddle_error s = heddle_warp_issue(x->model, 0, &e);
    if (s == HEDDLE_SUCCESS) s = heddle_perform_whole(x->model, 0, &e, &p);
    if (s == HEDDLE_SUCCESS && e.bar_wait != 0) s = heddle_barrier_release(x->model, 0, e.bar_id);
    if (s != HEDDLE_SUCCESS) return s;
    if (e.warp_ended) return heddle_model_end(x->model);
  }
}

enum heddle_error marked_run(struct machine *x, unsigned way) {
  return way == 0 ? machine_run(x) : in_lockstep(x);
}

void marked_good(const char *text) {
  for (unsigned way = 0; way < WAYS; way++) {
    struct machine x;
    marked_begin(&x, text);
    EXPECT(&x, HEDDLE_SUCCESS, marked_run(&x, way));
    machine_free(&x);
  }
}

void marked_bad(const char *text, const struct marked_use *want) {
  for (unsigned way = 0; way < WAYS; way++) {
    struct machine x;
    marked_begin(&x, text);
    const enum heddle_error s = marked_run(&x, way);
    const struct heddle_undefined *u = heddle_model_undefined(x.model);
    if (s != HEDDLE_ERROR_UNDEFINED)
      fail_msg("way %u: status %d for\n%s%s", way, (int)s, text, heddle_model_diag(x.model));
    if (u->pc != want->pc || u->lanes != want->lanes || strcmp(u->what, want->what) != 0)
      fail_msg("way %u: '%s' at 0x%x lanes 0x%08x, want '%s' at 0x%x lanes 0x%08x in\n%s", way, u->what, u->pc,
               u->lanes, want->what, want->pc, want->lanes, text);
    if (want->origin != NULL && (strcmp(u->origin, want->origin) != 0 || u->first_pc != want->first_pc))
      fail_msg("way %u: from '%s' at 0x%x, want '%s' at 0x%x in\n%s", way, u->origin, u->first_pc, want->origin,
               want->first_pc, text);
    machine_free(&x);
  }
}

static uint8_t *place(struct space *s, uint64_t at) {
  assert_in_range(at, MEM_BASE, MEM_BASE + MEM_BYTES - 8);
  return heddle_model_memory(s->x.model) + (at - MEM_BASE);
}

uint64_t get64(struct space *s, uint64_t at) {
  uint64_t v = 0;
  for (unsigned k = 0; k < 8; k++) v |= (uint64_t)place(s, at)[k] << (8 * k);
  return v;
}

void put64(struct space *s, uint64_t at, uint64_t v) {
  for (unsigned k = 0; k < 8; k++) place(s, at)[k] = (uint8_t)(v >> (8 * k));
}

static bool read_entry(void *self, uint64_t at, uint64_t *entry) {
  *entry = get64(self, at);
  return true;
}

static bool exchange(void *self, uint64_t at, uint64_t entry, uint64_t *old) {
  *old = get64(self, at);
  put64(self, at, entry);
  return true;
}

static uint64_t table(void *self, uint64_t bytes) {
  struct space *s = self;
  if (bytes == HEDDLE_PAGE_ROOT) s->next += s->next % 2;
  const uint64_t at = FRAME(s->next);
  s->next += (unsigned)(bytes / 4096);
  assert_in_range(s->next, TABLE_FRAME, FRAMES);
  return at;
}

void space_map(struct space *s, uint64_t virt, uint64_t phys, uint64_t flags) {
  assert_int_equal(heddle_pages_map(&s->tables, s->root, virt, phys, HEDDLE_PAGE_SMALL, flags), HEDDLE_SUCCESS);
}

void space_unmap(struct space *s, uint64_t virt) {
  assert_int_equal(heddle_pages_unmap(&s->tables, s->root, virt, NULL), HEDDLE_SUCCESS);
}

uint64_t space_entry(struct space *s, uint64_t virt, unsigned level) {
  uint64_t at = s->root;
  for (unsigned k = 3;; k--) {
    at += 8 * (virt >> (12 + 9 * k) & (k == 3 ? 1023 : 511));
    if (k == level) return at;
    at = get64(s, at) & HEDDLE_ENTRY_PLACE;
  }
}

uint64_t space_root(struct space *s) {
  assert_int_equal(heddle_pages_new(&s->tables, &s->root), HEDDLE_SUCCESS);
  for (unsigned i = 0; i < 2; i++) {
    space_map(s, CODE_PAGE + 4096 * i, FRAME(CODE_FRAME - i), 0);
    space_map(s, BANK_PAGE + 4096 * i, FRAME(BANK_FRAME - i), 0);
  }
  s->x.launch.page_root = s->root;
  return s->root;
}

void space_init(struct space *s) {
  machine_init(&s->x);
  s->tables = (struct heddle_page_memory){
      .size = sizeof s->tables, .self = s, .read = read_entry, .exchange = exchange, .table = table};
  s->next = TABLE_FRAME;
  s->x.launch.pages = s->x.launch.fault_trap = true;
  s->x.launch.space = 7;
  s->x.launch.code_at = CODE_AT;
  s->x.launch.cbank_at[0] = BANK_AT;
  (void)space_root(s);
}

void space_free(struct space *s) {
  machine_free(&s->x);
}

void space_text(struct space *s, const char *text) {
  machine_text(&s->x, text);
}

/* `from` becomes what lies from `offset` on in the page of frame `frame`, and in the frame before it. */
static void scatter(struct space *s, const uint8_t *from, size_t bytes, unsigned frame, size_t offset) {
  const size_t first = bytes < 4096 - offset ? bytes : 4096 - offset;
  memcpy(place(s, FRAME(frame)) + offset, from, first);
  memcpy(place(s, FRAME(frame - 1)), from + first, bytes - first);
}

enum heddle_error space_start(struct space *s) {
  struct machine *x = &s->x;
  scatter(s, x->code, 16 * (size_t)x->n, CODE_FRAME, CODE_AT % 4096);
  scatter(s, x->bank, sizeof x->bank, BANK_FRAME, BANK_AT % 4096);
  x->launch.code = NULL;
  x->launch.code_bytes = 16 * x->n;
  return heddle_model_launch(x->model, &x->launch);
}

enum heddle_error space_go_on(struct space *s) {
  return heddle_model_run(s->x.model, 1000000, &s->x.retired);
}

enum heddle_error space_run(struct space *s) {
  const enum heddle_error e = space_start(s);
  return e != HEDDLE_SUCCESS ? e : space_go_on(s);
}

void expect_fault(struct space *s, uint64_t page, enum heddle_page_kind kind, enum heddle_page_use use,
                  unsigned warps) {
  struct heddle_page_fault f[4];
  assert_int_equal(heddle_model_faults(s->x.model, f, 4), 1);
  if (f->page != page || f->kind != kind || f->use != use || f->warps != warps || f->space != s->x.launch.space)
    fail_msg("page 0x%llx kind %d use %d warps %u space %u", (unsigned long long)f->page, (int)f->kind, (int)f->use,
             f->warps, f->space);
}
