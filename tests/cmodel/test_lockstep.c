/* SPDX-License-Identifier: Apache-2.0
 *
 * The model as a judge: effects of an issue, results under way, the order in
 * which accesses may be performed, traps that others may still run behind; copies of sectors.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/cmodel/machine.h"
#include "tests/test.h"

static struct heddle_effect e;
static struct heddle_performed p;

static void issue(struct machine *x, unsigned w, unsigned n) {
  while (n-- > 0) EXPECT(x, HEDDLE_SUCCESS, heddle_warp_issue(x->model, w, &e));
}

static void refused(struct machine *x, enum heddle_error want, enum heddle_error got, const char *words) {
  EXPECT(x, want, got);
  if (strstr(heddle_model_diag(x->model), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x->model), words);
}

static void perform(struct machine *x, uint32_t seq, uint32_t lanes) {
  EXPECT(x, HEDDLE_SUCCESS, heddle_perform(x->model, 0, seq, lanes, &p));
}

/* Operands raw, results blended, predicates in executing lanes only. */
static void effect_of_rows(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.bank[0x20] = 5;
  machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
  machine_emit(&x, isetp(0, ISA_ICMP_LT, 0, 8));
  machine_emit(&x, mov_imm(1, 100));
  /* @P0 IADD3 R1, P1, P2, -R0, c[0][0x20], R1 */
  machine_emit(&x, word_guard(WORD(ISA_ENC_IADD3_RCR, ISA_F_RD, 1, ISA_F_PD0, 1, ISA_F_PD1, 2, ISA_F_RA, 0, ISA_F_NA, 1,
                                   ISA_F_COFF, 0x20, ISA_F_RC, 1),
                              0, false));
  machine_emit(
      &x, WORD(ISA_ENC_ISETP_PRR, ISA_F_PD0, 3, ISA_F_PD1, 3, ISA_F_ICMP, ISA_ICMP_EQ, ISA_F_RA, 0, ISA_F_RB, ISA_RZ));
  machine_emit(&x, word_guard(mov_imm(1, 7), 7, true));
  machine_emit(&x, mov_imm(ISA_RZ, 7));
  machine_lockstep(&x);
  issue(&x, 0, 4);
  assert_int_equal(e.seq, 3);
  assert_int_equal(e.pc, 0x30);
  assert_int_equal(e.active, ~0u);
  assert_int_equal(e.exec, 0xff);
  assert_int_equal(e.src_mask, 0xff);
  assert_int_equal(e.dec.op, ISA_OP_IADD3);
  assert_int_equal(e.rd_words, 1);
  assert_false(e.rd_pending);
  assert_int_equal(e.pd_written, 3);
  for (unsigned i = 0; i < 8; i++) {
    assert_int_equal(e.src[0][0][i], i); /* before negation */
    assert_int_equal(e.src[1][0][i], 5);
    assert_int_equal(e.src[2][0][i], 100);
    assert_int_equal(e.rd_value[0][i], 105 - i);
  }
  assert_int_equal(e.pd_value[0], 0xff); /* minus anything carries past 2^32, minus zero too */
  assert_int_equal(e.pd_value[1], 0);
  assert_int_equal(heddle_reg(x.model, 0, 1, 8), 100);
  issue(&x, 0, 1);
  assert_int_equal(e.pd_written, 2); /* both the same predicate: the second stays */
  assert_int_equal(e.pd_value[1], ~1u);
  assert_false(heddle_pred(x.model, 0, 3, 0));
  assert_true(heddle_pred(x.model, 0, 3, 1));
  assert_int_equal(e.rd_words, 0);
  issue(&x, 0, 1);
  assert_int_equal(e.exec, 0);
  assert_int_equal(e.rd_words, 0);
  issue(&x, 0, 1);
  assert_int_equal(e.rd_words, 0); /* RZ */
  machine_free(&x);
}

static void results_under_way(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_address(&x, 0, 4);
  machine_emit(&x, isetp(0, ISA_ICMP_LT, 0, 16));                    /* seq 4 */
  machine_emit(&x, word_guard(ldg(5, 2, 0, ISA_SIZE_32), 0, false)); /* seq 5: lanes 0-15 */
  machine_emit(&x, word_guard(mov_imm(5, 1), 0, true));              /* seq 6: the other lanes are free */
  machine_emit(&x, iadd(6, 5, 0));                                   /* seq 7 */
  machine_lockstep(&x);
  for (unsigned i = 0; i < 16; i++) set_mem32(&x, 4 * i, 1000 + i);
  issue(&x, 0, 6);
  assert_true(e.rd_pending);
  assert_int_equal(e.rd_words, 1);
  assert_int_equal(e.mem_lanes, 0xffff);
  assert_int_equal(e.mem_space, ISA_SPACE_GLOBAL);
  assert_int_equal(e.mem_kind, HEDDLE_ACCESS_LOAD);
  assert_int_equal(e.mem_bytes, 4);
  assert_int_equal(e.mem_addr[3], MEM_BASE + 12);
  assert_int_equal(heddle_warp_pending(x.model, 0), 1);
  issue(&x, 0, 1);
  refused(&x, HEDDLE_ERROR_PENDING, heddle_warp_issue(x.model, 0, &e),
          "reads R5, which waits in lanes 0x0000ffff for the access of seq 5 pc 0x00000050");
  perform(&x, 5, 0x00ff);
  assert_false(p.finished);
  assert_int_equal(p.rd_words, 1);
  assert_int_equal(p.rd_value[0][7], 1007);
  assert_int_equal(p.old_bytes[7][0], 1007 & 255);
  assert_int_equal(p.addr[7], MEM_BASE + 28);
  refused(&x, HEDDLE_ERROR_PENDING, heddle_warp_issue(x.model, 0, &e), "lanes 0x0000ff00");
  set_mem32(&x, 4 * 15, 7); /* read at the moment of performing */
  perform(&x, 5, 0xff00);
  assert_true(p.finished);
  issue(&x, 0, 1);
  assert_int_equal(heddle_reg(x.model, 0, 6, 15), 7);
  assert_int_equal(heddle_reg(x.model, 0, 6, 16), 1);
  machine_free(&x);
}

static void overwriting_a_load(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_address(&x, 0, 16);
  machine_emit(&x, ldg(8, 2, 0, ISA_SIZE_128));
  machine_emit(&x, mov_imm(10, 1));
  machine_lockstep(&x);
  issue(&x, 0, 5);
  assert_int_equal(e.rd_words, 4);
  refused(&x, HEDDLE_ERROR_PENDING, heddle_warp_issue(x.model, 0, &e), "overwrites R10");
  for (unsigned i = 0; i < 32; i += 2) perform(&x, 4, 3u << i);
  issue(&x, 0, 1);
  machine_free(&x);
}

/* Store data are those of the issue; the highest lane wins; same sector, program order. */
static void stores(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_address(&x, 0, 4);
  machine_emit(&x, stg(2, 0, 0, ISA_SIZE_32));      /* seq 4: lane number */
  machine_emit(&x, mov_imm(0, 77));                 /* seq 5 */
  machine_emit(&x, stg(2, 0, 0, ISA_SIZE_32));      /* seq 6 */
  machine_emit(&x, mov_imm(2, (uint32_t)MEM_BASE)); /* seq 7 */
  machine_emit(&x, s2r(1, ISA_SREG_SR_LANEID));
  machine_emit(&x, stg(2, 0x200, 1, ISA_SIZE_32)); /* seq 9: all to one word */
  machine_lockstep(&x);
  issue(&x, 0, 10);
  assert_int_equal(heddle_warp_pending(x.model, 0), 3);
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 6, 0xff, &p), "before older seq 4");
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 4, 0x7f, &p),
          "without lanes 0x00000080 of the same sector");
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 4, 0, &p), "lanes 0x00000000");
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 5, 1, &p), "nothing to perform");
  perform(&x, 9, ~0u); /* another sector */
  assert_int_equal(p.new_bytes[3][0], 31);
  assert_int_equal(p.rd_words, 0);
  assert_int_equal(mem32(&x, 0x200), 31);
  perform(&x, 4, 0xff);
  assert_int_equal(mem32(&x, 12), 3);
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 4, 0xff, &p), "do not wait");
  perform(&x, 6, 0xff);
  assert_int_equal(mem32(&x, 12), 77);
  perform(&x, 4, 0xffffff00u);
  assert_true(p.finished);
  perform(&x, 6, 0xffffff00u);
  assert_int_equal(heddle_warp_pending(x.model, 0), 0);
  machine_free(&x);
}

static void atomics(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, mov_imm(2, (uint32_t)MEM_BASE));
  machine_emit(&x, mov_imm(3, (uint32_t)(MEM_BASE >> 32)));
  machine_emit(&x, s2r(1, ISA_SREG_SR_LANEID));
  machine_emit(&x, WORD(ISA_ENC_ATOMG_E_AT, ISA_F_RD, 8, ISA_F_RA, 2, ISA_F_RB, 1));
  machine_emit(&x, WORD(ISA_ENC_RED_E_ST, ISA_F_RA, 2, ISA_F_RB, 1, ISA_F_OFF24, 0x40));
  machine_lockstep(&x);
  set_mem32(&x, 0, 1000);
  issue(&x, 0, 5);
  assert_int_equal(e.mem_kind, HEDDLE_ACCESS_REDUCTION);
  assert_int_equal(e.rd_words, 0);
  perform(&x, 4, ~0u);
  assert_int_equal(p.rd_words, 0);
  assert_int_equal(mem32(&x, 0x40), 496);
  perform(&x, 3, ~0u);
  for (unsigned i = 0; i < 32; i++) {
    const uint32_t old = 1000 + i * (i - 1) / 2;
    assert_int_equal(p.rd_value[0][i], i == 0 ? 1000 : old);
    assert_int_equal(p.old_bytes[i][0] | p.old_bytes[i][1] << 8, i == 0 ? 1000 : old);
    assert_int_equal(p.new_bytes[i][0] | p.new_bytes[i][1] << 8, 1496);
  }
  machine_free(&x);
}

/* Shared memory: program order, and lower lanes of the same bytes first; otherwise free. */
static void shared_order(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.shared_bytes = 256;
  machine_emit(&x, s2r(1, ISA_SREG_SR_LANEID));
  machine_emit(&x, WORD(ISA_ENC_LOP3_LUT_RIR, ISA_F_RD, 4, ISA_F_RA, 1, ISA_F_IMM, 15, ISA_F_LUT, 0xc0));
  machine_emit(&x,
               WORD(ISA_ENC_IMAD_RIR, ISA_F_RD, 4, ISA_F_RA, 4, ISA_F_IMM, 4, ISA_F_RC, ISA_RZ)); /* 4 * (lane & 15) */
  machine_emit(&x, sts(4, 0, 1, ISA_SIZE_32));                                                    /* seq 3 */
  machine_emit(&x, lds(5, 4, 0, ISA_SIZE_32));                                                    /* seq 4 */
  machine_emit(&x, lds(6, 4, 64, ISA_SIZE_32)); /* seq 5: never written */
  machine_lockstep(&x);
  issue(&x, 0, 6);
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 4, ~0u, &p), "of the same shared memory");
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 3, 0xffff0000u, &p),
          "without lanes 0x0000ffff of the same bytes");
  perform(&x, 3, 0x00ff);
  perform(&x, 3, 0xff00ff00u);
  perform(&x, 3, 0x00ff0000u);
  perform(&x, 4, 0xffff0000u); /* loads in any order */
  perform(&x, 4, 0x0000ffff);
  assert_int_equal(p.rd_value[0][2], 18);
  assert_int_equal(p.rd_value[0][9], 25);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, 5, 1, &p));
  assert_int_equal(p.rd_unknown[0], 1);
  assert_int_equal(p.bytes_unknown, 1);
  machine_free(&x);
}

static void fences_wait(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_address(&x, 0, 0);
  machine_emit(&x, stg(2, 0, 0, ISA_SIZE_32));
  machine_emit(&x, word_guard(WORD(ISA_ENC_MEMBAR_P, ISA_F_SCOPE, ISA_SCOPE_GPU), 7, true)); /* nobody: nothing */
  machine_emit(&x, WORD(ISA_ENC_MEMBAR_P, ISA_F_SCOPE, ISA_SCOPE_CTA));
  machine_emit(&x, stg(2, 0, 0, ISA_SIZE_32));
  machine_emit(&x, bar_sync(0, 0));
  machine_emit(&x, stg(2, 0, 0, ISA_SIZE_32));
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  issue(&x, 0, 6);
  refused(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e), "MEMBAR issues while 1 earlier access(es)");
  perform(&x, 4, ~0u);
  issue(&x, 0, 2);
  refused(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e), "BAR.SYNC issues while 1 earlier access(es)");
  perform(&x, 7, ~0u);
  issue(&x, 0, 1);
  assert_int_equal(e.bar_wait, 1);
  assert_true(heddle_warp_waiting(x.model, 0));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 0));
  issue(&x, 0, 2); /* EXIT does not wait */
  assert_true(e.warp_ended);
  refused(&x, HEDDLE_ERROR_STATE, heddle_block_end(x.model, 0), "1 instruction(s) to perform");
  perform(&x, 9, ~0u);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 0));
  assert_true(heddle_grid_done(x.model));
  machine_free(&x);
}

/* Constants need no perform. */
static void ldc_at_issue(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.bank[0x160] = 42;
  machine_emit(&x, WORD(ISA_ENC_LDC_LC, ISA_F_RD, 4, ISA_F_RA, ISA_RZ, ISA_F_CBANK, 0, ISA_F_COFF16, 0x160, ISA_F_SIZE,
                        ISA_SIZE_32));
  machine_emit(&x, iadd(5, 4, 1));
  machine_lockstep(&x);
  issue(&x, 0, 1);
  assert_int_equal(e.mem_space, ISA_SPACE_CONST);
  assert_int_equal(e.mem_lanes, 0);
  assert_false(e.rd_pending);
  assert_int_equal(e.rd_value[0][31], 42);
  issue(&x, 0, 1);
  assert_int_equal(e.rd_value[0][0], 43);
  machine_free(&x);
}

/* The faulting load is in flight for the others: older accesses complete, younger ones of the warp never do. */
static void behind_an_address_trap(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.block[0] = 64;
  emit_address(&x, 0, 4);
  machine_emit(&x, stg(2, 0, 0, ISA_SIZE_32)); /* seq 4 */
  machine_emit(&x, ldg(5, 2, 2, ISA_SIZE_32)); /* seq 5: misaligned */
  machine_emit(&x, stg(2, 0, 2, ISA_SIZE_32)); /* seq 6 */
  machine_emit(&x, mov_imm(7, 1));             /* seq 7: goes on */
  machine_emit(&x, iadd(8, 5, 0));             /* seq 8: waits for ever */
  machine_lockstep(&x);
  issue(&x, 0, 5);
  issue(&x, 0, 1);
  assert_true(e.traps);
  assert_int_equal(e.mem_lanes, 0);
  const struct heddle_trap *t = heddle_model_trap(x.model);
  assert_int_equal(t->cause, HEDDLE_TRAP_MISALIGNED);
  assert_int_equal(t->seq, 5);
  assert_int_equal(t->lanes, ~0u);
  assert_int_equal(t->addr, MEM_BASE + 2);
  issue(&x, 0, 1);
  assert_int_equal(e.mem_lanes, 0);
  issue(&x, 0, 1);
  refused(&x, HEDDLE_ERROR_PENDING, heddle_warp_issue(x.model, 0, &e), "never performed");
  assert_int_equal(heddle_warp_pending(x.model, 0), 1);
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 5, ~0u, &p), "address trap");
  refused(&x, HEDDLE_ERROR_STATE, heddle_perform(x.model, 0, 6, 0xff, &p), "address trap");
  issue(&x, 1, 6); /* the other warp traps too, later: not recorded */
  assert_true(e.traps);
  assert_int_equal(t->warp_in_block, 0);
  for (unsigned i = 0; i < 32; i += 8) perform(&x, 4, 0xffu << i);
  assert_int_equal(heddle_warp_pending(x.model, 0), 0);
  machine_free(&x);
}

/* A precise trap stops the grid, but what is under way completes. */
static void behind_a_precise_trap(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.block[0] = 64;
  emit_address(&x, 0, 0);
  machine_emit(&x, stg(2, 0, 0, ISA_SIZE_32));
  machine_emit(&x, (struct heddle_isa_word){0, 0});
  machine_lockstep(&x);
  issue(&x, 0, 5);
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, heddle_warp_issue(x.model, 0, &e));
  assert_int_equal(e.seq, 5);
  assert_int_equal(e.pc, 0x50);
  refused(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 1, &e), "stopped the grid");
  perform(&x, 4, ~0u);
  machine_free(&x);
}

/* Copies of sectors, which loads read later: their bytes and marks as they were, and what the model then asks of no
 * order. */

#define SECTOR ((MEM_BASE + 0x100) / 32)

static void issue_at(struct machine *x, unsigned n) {
  while (n-- > 0) EXPECT(x, HEDDLE_SUCCESS, heddle_warp_issue(x->model, 0, &e));
}

static void refused_copy(struct machine *x, enum heddle_error got, const char *words) {
  EXPECT(x, HEDDLE_ERROR_STATE, got);
  if (strstr(heddle_model_diag(x->model), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x->model), words);
}

/* R2:R3 is the word of each lane; from seq 4 on: a load, a store of the lane number, a load. */
static void begin(struct machine *x, unsigned room) {
  machine_init(x);
  emit_address(x, 0x100, 4);
  const uint32_t first = x->n;
  machine_emit(x, ldg(5, 2, 0, ISA_SIZE_32));
  machine_emit(x, stg(2, 0, 0, ISA_SIZE_32));
  machine_emit(x, ldg(6, 2, 0, ISA_SIZE_32));
  machine_emit(x, bar_sync(0, 32));
  for (unsigned i = 0; i < 32; i++) set_mem32(x, 0x100 + 4 * i, 100 + i);
  machine_lockstep(x);
  EXPECT(x, HEDDLE_SUCCESS, heddle_copies(x->model, room));
  issue_at(x, first + 3);
}

static uint32_t seq_of(const struct machine *x, unsigned n) {
  return x->n - 4 + n;
}

/* What was copied is read, whatever has been stored since; another load of memory sees the store. */
static void reads_what_was(void **state) {
  (void)state;
  struct machine x;
  begin(&x, 2);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copy_take(x.model, 1, SECTOR));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, seq_of(&x, 1), 0xff, &p));
  assert_int_equal(mem32(&x, 0x104), 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0xff, 1, &p));
  assert_int_equal(p.rd_words, 1);
  assert_int_equal(p.rd_lanes, 0xff);
  for (unsigned i = 0; i < 8; i++) {
    assert_int_equal(p.rd_value[0][i], 100 + i);
    assert_int_equal(heddle_reg(x.model, 0, 5, i), 100 + i);
    assert_int_equal(mem32(&x, 0x100 + 4 * i), i); /* memory is as it was */
  }
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copy_take(x.model, 0, SECTOR));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform_copy(x.model, 0, seq_of(&x, 2), 0xff, 0, &p));
  assert_int_equal(p.rd_value[0][7], 7);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copy_drop(x.model, 1));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copy_take(x.model, 1, SECTOR + 1));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0xff00, 1, &p));
  assert_int_equal(p.rd_value[0][8], 108);
  machine_free(&x);
}

static void refuses(void **state) {
  (void)state;
  struct machine x;
  begin(&x, 1);
  refused_copy(&x, heddle_copy_take(x.model, 1, SECTOR), "copy 1 is one of 1");
  refused_copy(&x, heddle_copy_take(x.model, 0, 0), "sector 0x0 is outside");
  refused_copy(&x, heddle_copy_take(x.model, 0, (MEM_BASE + MEM_BYTES) / 32), "is outside");
  refused_copy(&x, heddle_copy_drop(x.model, 0), "copy 0 has not been taken");
  refused_copy(&x, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0xff, 0, &p), "copy 0 has not been taken");
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copy_take(x.model, 0, SECTOR));
  refused_copy(&x, heddle_copy_take(x.model, 0, SECTOR), "taken already");
  refused_copy(&x, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0x1ff, 0, &p), "no load of sector");
  refused_copy(&x, heddle_perform_copy(x.model, 0, seq_of(&x, 1), 0xff, 0, &p), "no load of sector");
  refused_copy(&x, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0x7f, 0, &p), "of the same sector");
  refused_copy(&x, heddle_perform_copy(x.model, 0, 99, 0xff, 0, &p), "nothing to perform");
  assert_int_equal(mem32(&x, 0x100), 100);
  machine_free(&x);
}

/* BAR, and the order in a sector: asked without copies, not with them. */
static void order(void **state) {
  (void)state;
  for (unsigned room = 0; room < 2; room++) {
    struct machine x;
    begin(&x, room);
    if (room == 0) {
      refused_copy(&x, heddle_perform(x.model, 0, seq_of(&x, 1), 0xff, &p), "before older seq");
      refused_copy(&x, heddle_warp_issue(x.model, 0, &e), "not performed");
    } else {
      EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, seq_of(&x, 1), 0xff, &p));
      issue_at(&x, 1);
      assert_int_equal(e.bar_wait, 1);
    }
    machine_free(&x);
  }
}

/* Undefined bytes are copied as such: a load has them from the copy, when memory has long been defined. */
static void marks_too(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_address(&x, 0x100, 4);
  const uint32_t n = x.n;
  machine_emit(&x, stg(2, 0, 9, ISA_SIZE_32)); /* R9: nobody has written it */
  machine_emit(&x, ldg(5, 2, 0, ISA_SIZE_32));
  machine_emit(&x, stg(2, 0, 0, ISA_SIZE_32));
  machine_lockstep(&x);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copies(x.model, 2));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copy_take(x.model, 1, SECTOR)); /* defined: nothing has marks yet */
  issue_at(&x, n + 3);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, n, ~0u, &p));
  assert_int_equal(p.bytes_unknown, ~0u);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copy_take(x.model, 0, SECTOR));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, n + 2, ~0u, &p));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform_copy(x.model, 0, n + 1, 0xff, 0, &p));
  assert_int_equal(p.rd_unknown[0], 0xff);
  assert_int_equal(heddle_model_defined(x.model)[0x100], 0xff);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copy_drop(x.model, 0));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_copy_take(x.model, 0, SECTOR + 1));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform_copy(x.model, 0, n + 1, 0xff00, 0, &p));
  assert_int_equal(p.rd_unknown[0], 0);
  assert_int_equal(p.rd_value[0][8], 8);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(effect_of_rows),
      cmocka_unit_test(results_under_way),
      cmocka_unit_test(overwriting_a_load),
      cmocka_unit_test(stores),
      cmocka_unit_test(atomics),
      cmocka_unit_test(shared_order),
      cmocka_unit_test(fences_wait),
      cmocka_unit_test(ldc_at_issue),
      cmocka_unit_test(behind_an_address_trap),
      cmocka_unit_test(behind_a_precise_trap),
      cmocka_unit_test(reads_what_was),
      cmocka_unit_test(refuses),
      cmocka_unit_test(order),
      cmocka_unit_test(marks_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
