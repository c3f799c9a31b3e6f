/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of the back end: blocks laid out, words, control codes, short words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/isa_tables.h>
#include <heddle/lint.h>
#include <heddle/ptx.h>
#include "compiler/ir/diag.h"
#include "tests/compiler/backend/random_mir.h"
#include "tests/isa/asm/same_program.h"
#include "tests/test.h"

/* Blocks laid out, words, control codes (proven by the lint library), the kernel's entry. */

struct bench {
  struct ptx_arena *arena;
  struct ptx_diag diag;
  struct mir_function *f;
  struct mir_builder m;
  struct heddle_program *p;
  struct heddle_ptx_figures figures;
  uint32_t without; /* passes */
};

static struct bench *begin(void) {
  struct bench *b = calloc(1, sizeof *b);
  b->arena = ptx_arena_new((size_t)256 << 20);
  ptx_diag_init(&b->diag, "emit", NULL, NULL);
  if (setjmp(b->diag.exit)) fail_msg("given up");
  b->p = calloc(1, sizeof *b->p);
  b->f = ptx_alloc(b->arena, sizeof *b->f);
  *b->f = (struct mir_function){.name = "k", .arena = b->arena, .diag = &b->diag};
  b->f->first = mir_block_new(b->f);
  b->m = (struct mir_builder){.f = b->f, .b = b->f->first};
  return b;
}

static void end(struct bench *b) {
  heddle_program_free(b->p);
  ptx_arena_free(b->arena);
  free(b);
}

static const uint8_t stalls[][8] = {
    {5, 6, 8, 6, 6, 12}, {1, 3, 1, 1, 1, 1}, {15, 15, 15, 15, 15, 15}, {4, 12, 4, 6, 6, 12}};

static void finish(struct bench *b, unsigned max_regs, const uint8_t stall[8]) {
  struct heddle_ptx_options o = {.size = sizeof o, .level = 1, .without = b->without};
  memcpy(o.stall, stall, sizeof o.stall);
  assert_true(mir_allocate(b->f, max_regs, &b->figures));
  assert_null(mir_check(b->f, true));
  assert_true(mir_emit(b->f, b->p, &o, &b->figures));
}

/* The instructions as text, one a line, up to `size` bytes. */
static const char *listing(const struct bench *b, char *text, size_t size) {
  size_t at = 0;
  for (uint32_t pc = 0; pc < b->p->code_bytes; pc = heddle_program_next(b->p, pc)) {
    char line[128];
    heddle_disassemble(heddle_program_word(b->p, pc), pc, line, sizeof line);
    at += (size_t)snprintf(text + at, size - at, "%s\n", line);
  }
  return text;
}

static struct mir_block *block_behind(struct bench *b) {
  struct mir_block *x = mir_block_new(b->f);
  mir_block_place(b->m.b, x);
  b->m.b = x;
  return x;
}

static struct mir_insn *add(struct bench *b, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand x,
                            struct mir_operand y) {
  return mir_add(&b->m, op, rd, x, y, mir_none());
}

static void exits(struct bench *b) {
  add(b, ISA_OP_EXIT, mir_none(), mir_none(), mir_none());
}

static void go(struct bench *b, struct mir_block *from, struct mir_operand guard, struct mir_block *to) {
  struct mir_builder m = b->m;
  m.b = from;
  m.guard = guard;
  mir_branch(&m, ISA_OP_BRA, to);
  mir_edge(b->f, from, to);
}

static struct mir_operand condition(struct bench *b) {
  struct mir_operand p = mir_new(b->f, MIR_P, 1);
  struct mir_insn *i = add(b, ISA_OP_ISETP, mir_none(), mir_zero(), mir_const(0, 0x160, 1));
  i->pd[0] = p;
  return p;
}

static void yields(struct bench *b) {
  add(b, ISA_OP_YIELD, mir_none(), mir_none(), mir_none());
}

static void check_listing(struct bench *b, const char *want) {
  char text[4096];
  finish(b, 0, stalls[0]);
  assert_string_equal(listing(b, text, sizeof text), want);
  end(b);
}

/* if (p) goto b2; goto b3; b2: ...; b3: one branch over b2. */
static void branches_are_turned_round(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_block *first = b->m.b;
  struct mir_operand p = condition(b);
  struct mir_block *then = block_behind(b);
  yields(b);
  struct mir_block *behind = block_behind(b);
  exits(b);
  go(b, first, p, then);
  go(b, first, mir_none(), behind);
  mir_edge(b->f, then, behind);
  check_listing(b, "ISETP.F.AND P0, PT, RZ, c[0x0][0x160], PT\n@!P0 BRA 0x30\nYIELD\nEXIT\n");
}

/* Blocks with nothing in them are passed over; a branch to what follows is none. */
static void empty_blocks_leave_nothing(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_block *first = b->m.b;
  struct mir_operand p = condition(b);
  struct mir_block *empty = block_behind(b), *last = block_behind(b);
  exits(b);
  go(b, first, p, empty);
  mir_edge(b->f, first, empty);
  go(b, empty, mir_none(), last);
  check_listing(b, "ISETP.F.AND P0, PT, RZ, c[0x0][0x160], PT\nEXIT\n");
}

static void cold_blocks_come_last(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_block *first = b->m.b;
  struct mir_operand p = condition(b);
  struct mir_block *cold = block_behind(b);
  cold->cold = true;
  yields(b);
  struct mir_block *last = block_behind(b);
  exits(b);
  go(b, first, p, last);
  mir_edge(b->f, first, cold);
  mir_edge(b->f, cold, last);
  check_listing(b, "ISETP.F.AND P0, PT, RZ, c[0x0][0x160], PT\n@!P0 BRA 0x30\nEXIT\nYIELD\nBRA 0x20\n");
}

/* "@p EXIT", then back to the head: those that stay branch first. */
static void jumps_come_before_exits(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_block *first = b->m.b, *loop = block_behind(b);
  struct mir_operand p = condition(b);
  b->m.guard = mir_not(p);
  exits(b);
  b->m.guard = mir_none();
  mir_edge(b->f, first, loop);
  go(b, loop, mir_none(), loop);
  check_listing(b, "ISETP.F.AND P0, PT, RZ, c[0x0][0x160], PT\n@P0 BRA 0x0\nEXIT\n");
}

/* for (;;) { if (p) break; <body> } */
static struct bench *loop_with_test(bool body_leaves) {
  struct bench *b = begin();
  struct mir_block *first = b->m.b;
  yields(b);
  struct mir_block *head = block_behind(b);
  head->loop_depth = 1;
  struct mir_operand p = condition(b);
  struct mir_block *body = block_behind(b);
  body->loop_depth = 1;
  yields(b);
  struct mir_block *last = block_behind(b);
  exits(b);
  mir_edge(b->f, first, head);
  go(b, head, p, last);
  mir_edge(b->f, head, body);
  go(b, body, body_leaves ? p : mir_none(), head);
  if (body_leaves) mir_edge(b->f, body, last);
  return b;
}

/* A trip takes one branch. Not where the pass is left out, nor where it is one branch already. */
static void loops_end_with_their_test(void **state) {
  (void)state;
  check_listing(loop_with_test(false),
                "YIELD\nBRA 0x30\nYIELD\nISETP.F.AND P0, PT, RZ, c[0x0][0x160], PT\n@!P0 BRA 0x20\nEXIT\n");
  struct bench *without = loop_with_test(false);
  without->without = 1 << HEDDLE_PTX_PASS_ROTATE;
  check_listing(without, "YIELD\nISETP.F.AND P0, PT, RZ, c[0x0][0x160], PT\n@P0 BRA 0x50\nYIELD\nBRA 0x10\nEXIT\n");
  check_listing(loop_with_test(true),
                "YIELD\nISETP.F.AND P0, PT, RZ, c[0x0][0x160], PT\n@P0 BRA 0x50\nYIELD\n@P0 BRA 0x10\nEXIT\n");
}

/* for (;;) { if (!p) <cold>; <body>; if (!p) break; }: the cold arm goes back to the body, but is no loop with it. */
static void arms_are_no_loops(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_block *first = b->m.b;
  yields(b);
  struct mir_block *head = block_behind(b);
  struct mir_operand p = condition(b);
  struct mir_block *arm = block_behind(b);
  arm->cold = true;
  yields(b);
  struct mir_block *body = block_behind(b);
  yields(b);
  struct mir_block *last = block_behind(b);
  exits(b);
  head->loop_depth = arm->loop_depth = body->loop_depth = 1;
  mir_edge(b->f, first, head);
  go(b, head, p, body);
  mir_edge(b->f, head, arm);
  mir_edge(b->f, arm, body);
  go(b, body, p, head);
  mir_edge(b->f, body, last);
  check_listing(b, "YIELD\nISETP.F.AND P0, PT, RZ, c[0x0][0x160], PT\n@!P0 BRA 0x60\nYIELD\n@P0 BRA 0x10\nEXIT\n"
                   "YIELD\nBRA 0x30\n");
}

/* What cannot be reached is left out; a loop around nothing stays; BSSY may name a block that is not there. */
static void unreachable_blocks_are_left_out(void **state) {
  (void)state;
  struct bench *b = begin();
  struct mir_block *first = b->m.b;
  struct mir_block *nobody = block_behind(b);
  yields(b);
  exits(b);
  struct mir_block *loop = block_behind(b);
  b->m.b = first;
  mir_branch(&b->m, ISA_OP_BSSY, nobody)->breg = 3;
  go(b, first, mir_none(), loop);
  go(b, loop, mir_none(), loop);
  check_listing(b, "BSSY B3, 0x10\nBRA 0x10\n");
}

/* index = parameter; BRX into a table; each target stores its own number. */
static struct heddle_program *jump_table(struct bench *b, unsigned targets) {
  struct mir_operand index = mir_new(b->f, MIR_R, 2), out = mir_new(b->f, MIR_R, 2), tid = mir_new(b->f, MIR_R, 1);
  b->f->name = "random";
  mir_set(add(b, ISA_OP_S2R, tid, mir_none(), mir_none()), ISA_F_SREG, ISA_SREG_SR_TID_X);
  for (unsigned w = 0; w < 2; w++) add(b, ISA_OP_MOV, mir_part(out, w, 1), mir_none(), mir_const(0, 0x160 + 4 * w, 1));
  mir_add(&b->m, ISA_OP_IMAD_WIDE, out, tid, mir_imm(RANDOM_BYTES), out);
  struct mir_insn *and = mir_add(&b->m, ISA_OP_LOP3_LUT, mir_part(index, 0, 1), tid, mir_imm(7), mir_zero());
  mir_set(and, ISA_F_LUT, 0xc0);
  mir_add(&b->m, ISA_OP_IMAD, mir_part(index, 0, 1), mir_part(index, 0, 1), mir_imm(16), mir_zero());
  add(b, ISA_OP_MOV, mir_part(index, 1, 1), mir_none(), mir_zero());
  struct mir_insn *brx = add(b, ISA_OP_BRX, mir_none(), index, mir_none());
  struct mir_block *from = b->m.b, *table = block_behind(b);
  brx->target = table;
  mir_edge(b->f, from, table);
  for (unsigned k = 0; k < targets; k++) {
    struct mir_block *to = block_behind(b);
    struct mir_operand x = mir_new(b->f, MIR_R, 1);
    add(b, ISA_OP_MOV, x, mir_none(), mir_imm(100 + k));
    mir_set(add(b, ISA_OP_STG_E, mir_none(), out, x), ISA_F_SIZE, ISA_SIZE_32);
    exits(b);
    go(b, table, mir_none(), to);
  }
  finish(b, 0, stalls[0]);
  return b->p;
}

static void jump_tables_lead_where_they_should(void **state) {
  (void)state;
  struct bench *b = begin();
  uint8_t *out = calloc(RANDOM_THREADS, RANDOM_BYTES);
  const char *why = random_run(jump_table(b, 8), out);
  if (why) fail_msg("%s", why);
  for (uint32_t t = 0; t < RANDOM_THREADS; t++) {
    uint32_t v;
    memcpy(&v, out + t * RANDOM_BYTES, 4);
    assert_int_equal(v, 100 + t % 8);
  }
  free(out);
  end(b);
}

static void kernels_are_described(void **state) {
  (void)state;
  struct bench *b = begin();
  b->f->local_bytes = 20;
  b->f->shared_bytes = 52;
  b->f->param_bytes = 12;
  b->f->barriers = 2;
  struct mir_operand wide = mir_new(b->f, MIR_R, 4), at = mir_new(b->f, MIR_R, 1);
  add(b, ISA_OP_MOV, at, mir_none(), mir_imm(0));
  mir_set(add(b, ISA_OP_LDS, wide, at, mir_none()), ISA_F_SIZE, ISA_SIZE_128);
  mir_set(add(b, ISA_OP_STS, mir_none(), at, wide), ISA_F_SIZE, ISA_SIZE_128);
  exits(b);
  finish(b, 0, stalls[0]);
  const struct heddle_kernel *k = &b->p->kernel[0];
  assert_int_equal(b->p->kernels, 1);
  assert_string_equal(k->name, "k");
  assert_int_equal(k->regs, 5); /* the quad in R0-R3, the address in R4 */
  assert_int_equal(k->local_bytes, 32);
  assert_int_equal(k->shared_bytes, 52);
  assert_int_equal(k->param_bytes, 12);
  assert_int_equal(k->barriers, 2);
  assert_memory_equal(k->stall, stalls[0], 8);
  assert_int_equal(b->figures.instructions, 4);
  end(b);
}

static void finding(void *ctx, const struct heddle_lint_finding *f) {
  struct bench *b = ctx;
  char text[128];
  heddle_disassemble(heddle_program_word(b->p, f->pc), f->pc, text, sizeof text);
  fprintf(stderr, "pc 0x%x: %s: %s: %s\n", f->pc, text, f->place, f->advice);
}

/* Parts of the codes without which the proof would hold too: [0] parts, [1] of them not needed. */
static void count_spare(struct bench *b, const struct heddle_lint_options *o, unsigned count[2]) {
  char reason[200];
  for (uint32_t pc = 0; pc < b->p->code_bytes; pc = heddle_program_next(b->p, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(b->p, pc), &d));
    if (d.ctl.stall > 1) {
      count[0]++;
      count[1] += heddle_lint_spare(b->p, o, (struct heddle_lint_weaker){.pc = pc, .part = HEDDLE_LINT_STALL}, reason,
                                    sizeof reason);
    }
    for (unsigned c = 0; c < 6; c++) {
      if (!(d.ctl.wait >> c & 1)) continue;
      struct heddle_lint_weaker w = {.pc = pc, .part = HEDDLE_LINT_WAIT, .counter = (uint8_t)c};
      count[0]++;
      count[1] += heddle_lint_spare(b->p, o, w, reason, sizeof reason);
    }
  }
}

static void codes_suffice(void **state) {
  (void)state;
  unsigned count[2] = {0};
  for (unsigned seed = 1; seed <= 60; seed++) {
    struct random_shape s = {
        .seed = seed + 5000, .words = 8 + seed, .predicates = 4, .statements = 30 + seed, .depth = seed % 4};
    struct bench *b = begin();
    const uint8_t *stall = stalls[seed % 4];
    struct heddle_lint_options o = {.size = sizeof o, .finding = finding, .ctx = b};
    struct heddle_lint_totals t = {.size = sizeof t};
    b->f = random_mir(b->arena, &b->diag, &s);
    if (seed % 3) mir_coalesce(b->f);
    if (seed % 2) mir_schedule(b->f, stall, 0);
    finish(b, seed % 5 ? 0 : 24, stall);
    if (heddle_lint(b->p, &o, &t) != HEDDLE_LINT_PROVEN) fail_msg("seed %u: %u findings", seed, t.findings);
    if (seed <= 12) count_spare(b, &o, count);
    end(b);
  }
  if (getenv("HEDDLE_FIGURES")) fprintf(stderr, "%u parts of control codes, %u not needed\n", count[0], count[1]);
  assert_true(count[0] > 300);
  assert_true(count[1] * 10 < count[0]);
}

/* Compiled code with and without short words: the same instructions, whose targets, return addresses, tables and lines
 * moved along. In an encoding without short words nothing may differ. */

static struct heddle_program *compiled(const char *text, bool long_words) {
  const struct heddle_ptx_options o = {
      .size = sizeof o, .level = 1, .check = true, .no_inline = true, .long_words = long_words};
  struct heddle_program *p;
  if (heddle_ptx_compile(text, strlen(text), "t.ptx", &o, &p, NULL, NULL) != HEDDLE_SUCCESS)
    fail_msg("does not compile:\n%s", text);
  return p;
}

/* Branches that BRX enters by index, of this program; each is a place of 16 bytes. */
static unsigned expect_tables(const struct heddle_program *p) {
  unsigned n = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
    if (d.op != ISA_OP_BRX || heddle_isa_get(d.word, ISA_F_OFF32) == 0) continue;
    uint32_t at = (uint32_t)heddle_isa_get(d.word, ISA_F_OFF32);
    assert_int_equal(at % ISA_WORD_BYTES, 0);
    for (; at < p->code_bytes && heddle_isa_decode(heddle_program_word(p, at), &d) && d.op == ISA_OP_BRA;
         at += ISA_WORD_BYTES) {
      assert_int_equal(heddle_program_next(p, at), at + ISA_WORD_BYTES);
      n++;
    }
  }
  return n;
}

static struct packed_counts both(const char *name, const char *text) {
  struct heddle_program *l = compiled(text, true), *k = compiled(text, false);
  const struct packed_counts c = expect_same_program(name, l, k);
  assert_int_equal(expect_tables(l), expect_tables(k));
  heddle_program_free(l);
  heddle_program_free(k);
  return c;
}

static bool may_pack(void) {
  return ISA_STEP != ISA_WORD_BYTES;
}

static char *read_text(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s is missing", path);
  char *text = calloc(1, 1 << 20);
  assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
  fclose(f);
  return text;
}

/* Calls, whose return addresses are immediates, and addresses of functions in code and data. */
static void calls(void **state) {
  (void)state;
  static const char *const names[] = {"calls_O0.ptx", "calls_O2.ptx", "leaf.ptx"};
  unsigned moved = 0;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    char *text = read_text(CALLS_DIR, names[i]);
    const struct packed_counts c = both(names[i], text);
    moved += c.moved;
    assert_int_equal(c.paired > 0, may_pack());
    free(text);
  }
  assert_int_equal(moved > 0, may_pack());
}

static void lines(void **state) {
  (void)state;
  char *text = read_text(LINES_DIR, "scale.ptx");
  assert_int_equal(both("scale.ptx", text).paired > 0, may_pack());
  free(text);
}

#define CASE(n) "L" #n ":\n  add.u32 %r2, %r2, " #n "1;\n  bra Lend;\n"

static void packed_jump_table(void **state) {
  (void)state;
  static const char text[] =
      ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 i)\n{\n"
      "  .reg .b32 %r<4>;\n  .reg .b64 %rd<2>;\n  .reg .pred %p<2>;\n  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, "
      "[i];\n"
      "  mov.u32 %r2, 7;\n  setp.gt.u32 %p1, %r1, 7;\n  @%p1 bra Lend;\n"
      "T: .branchtargets L0, L1, L2, L3, L4, L5, L6, L7;\n  brx.idx %r1, T;\n" CASE(0) CASE(1) CASE(2) CASE(3) CASE(4)
          CASE(5) CASE(6) CASE(7) "Lend:\n  st.global.u32 [%rd1], %r2;\n  ret;\n}\n";
  struct heddle_program *p = compiled(text, false);
  assert_true(expect_tables(p) >= 7);
  heddle_program_free(p);
  assert_int_equal(both("jump table", text).paired > 0, may_pack());
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(branches_are_turned_round),
                                     cmocka_unit_test(empty_blocks_leave_nothing),
                                     cmocka_unit_test(cold_blocks_come_last),
                                     cmocka_unit_test(jumps_come_before_exits),
                                     cmocka_unit_test(unreachable_blocks_are_left_out),
                                     cmocka_unit_test(jump_tables_lead_where_they_should),
                                     cmocka_unit_test(loops_end_with_their_test),
                                     cmocka_unit_test(arms_are_no_loops),
                                     cmocka_unit_test(kernels_are_described),
                                     cmocka_unit_test(codes_suffice),
                                     cmocka_unit_test(calls),
                                     cmocka_unit_test(lines),
                                     cmocka_unit_test(packed_jump_table)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
