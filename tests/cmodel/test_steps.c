/* SPDX-License-Identifier: Apache-2.0
 *
 * The model by hand: single instructions, looking, changing, going back; its observer.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/debug.h>
#include <heddle/isa_tables.h>
#include <heddle/observer.h>
#include "tests/cmodel/machine.h"
#include "tests/test.h"

#define BLOCKS 12u

/* Blocks of 64 threads, of which not all have room at once: lanes below 16 go
 * another way, a word of shared and one of local memory, a barrier, then
 * global[thread] = shared[63 - thread] + local + block. */
static const char *const program = "S2R R0, SR_TID.X ;\n"
                                   "S2R R1, SR_CTAID.X ;\n"
                                   "IMAD R4, R1, 0x40, R0 ;\n"
                                   "MOV R2, 0x0 ;\n"
                                   "MOV R3, 0x2 ;\n"
                                   "IMAD.WIDE.U32 R2, R4, 0x4, R2 ;\n" /* 0x50 */
                                   "S2R R6, SR_LANEID ;\n"
                                   "ISETP.LT.U32.AND P0, PT, R6, 0x10, PT ;\n"
                                   "BSSY B0, join ;\n"
                                   "@P0 BRA low ;\n" /* 0x90 */
                                   "MOV R5, 0x64 ;\n"
                                   "BRA join ;\n"
                                   "low:\n"
                                   "MOV R5, 0xc8 ;\n" /* 0xc0 */
                                   "join:\n"
                                   "BSYNC B0 ;\n" /* 0xd0 */
                                   "STL [RZ+0x8], R5 ;\n"
                                   "SHF.L.U32 R7, R0, 0x2, RZ ;\n"
                                   "STS [R7], R4 ;\n"
                                   "BAR.SYNC 0x0 ;\n" /* 0x110 */
                                   "IADD3 R7, -R7, 0xfc, RZ ;\n"
                                   "LDS R8, [R7] ;\n"
                                   "LDL R5, [RZ+0x8] ;\n"
                                   "IADD3 R8, R8, R5, R1 ;\n"
                                   "STG.E [R2], R8 ;\n" /* 0x160 */
                                   "EXIT ;\n";

static void start(struct machine *x) {
  machine_init(x);
  machine_text(x, program);
  x->launch.grid[0] = BLOCKS;
  x->bank[0] = 64;
  x->launch.block[0] = 64;
  x->launch.shared_bytes = 256;
  x->launch.local_bytes = 16;
  EXPECT(x, HEDDLE_SUCCESS, machine_start(x));
}

static uint32_t expected(uint32_t thread) {
  const uint32_t block = thread / 64;
  return block * 64 + 63 - thread % 64 + (thread % 32 < 16 ? 200 : 100) + block;
}

static void expect_result(struct machine *x) {
  assert_true(heddle_grid_done(x->model));
  EXPECT(x, HEDDLE_SUCCESS, heddle_model_end(x->model));
  for (uint32_t i = 0; i < BLOCKS * 64; i++) assert_int_equal(mem32(x, 4 * i), expected(i));
}

/* Any warp that can go on, one instruction each. How many there were, at most `limit`. */
static uint64_t steps(struct machine *x, uint64_t limit) {
  uint64_t count = 0, done;
  for (bool moved = true; moved && count < limit;) {
    moved = false;
    for (unsigned w = 0; w < 256 && count < limit; w++) {
      struct heddle_standing s;
      if (!heddle_warp_standing(x->model, w, &s) || s.ended || s.waiting) continue;
      EXPECT(x, HEDDLE_SUCCESS, heddle_model_step(x->model, w, 1, &done));
      assert_int_equal(done, 1);
      count += done;
      moved = true;
    }
  }
  return count;
}

/* Step by step: as many instructions as a run has, and the same memory. */
static void single_steps(void **state) {
  (void)state;
  struct machine x;
  start(&x);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_run(x.model, 0, &x.retired));
  expect_result(&x);
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  memset(heddle_model_memory(x.model), 0, MEM_BYTES);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  assert_int_equal(steps(&x, UINT64_MAX), x.retired);
  expect_result(&x);
  machine_free(&x);
}

/* Slot 0 up to where its warp stands at pc. */
static void step_to(struct machine *x, uint32_t pc) {
  struct heddle_standing s;
  uint64_t done;
  while (heddle_warp_standing(x->model, 0, &s) && s.pc != pc)
    EXPECT(x, HEDDLE_SUCCESS, heddle_model_step(x->model, 0, 1, &done));
  assert_int_equal(s.pc, pc);
}

static void refusals(void **state) {
  (void)state;
  struct machine x;
  uint64_t done = 7;
  start(&x);
  assert_int_equal(heddle_model_step(x.model, 0, 1, &done), HEDDLE_ERROR_STATE);
  assert_int_equal(done, 0);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  assert_int_equal(heddle_model_begin(x.model), HEDDLE_ERROR_STATE);
  step_to(&x, 0x110);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_step(x.model, 0, 100, &done)); /* stops at the barrier */
  assert_int_equal(done, 1);
  assert_int_equal(heddle_model_step(x.model, 0, 1, &done), HEDDLE_ERROR_STATE);
  assert_int_equal(heddle_model_step(x.model, 256, 1, &done), HEDDLE_ERROR_STATE);
  machine_free(&x);
}

/* The rest of a grid that was begun by hand; then nothing is left to run. */
static void run_goes_on(void **state) {
  (void)state;
  struct machine x;
  start(&x);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  const uint64_t before = steps(&x, 57);
  uint64_t rest = 0;
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_run(x.model, 0, &rest));
  expect_result(&x);
  assert_int_equal(before, 57);
  assert_int_equal(heddle_model_run(x.model, 0, &rest), HEDDLE_ERROR_STATE);
  machine_free(&x);
}

/* The 16 lanes of the branch that is taken run first; each path says where it is. */
static void paths(void **state) {
  (void)state;
  struct machine x;
  struct heddle_path p[HEDDLE_LANES];
  uint64_t done;
  start(&x);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  step_to(&x, 0x90);
  assert_int_equal(heddle_warp_paths(x.model, 0, p), 1);
  assert_int_equal(p[0].lanes, 0xffffffff);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_step(x.model, 0, 1, &done));
  assert_int_equal(heddle_warp_paths(x.model, 0, p), 2);
  const bool low = p[0].lanes == 0xffff;
  assert_int_equal(p[0].pc, low ? 0xc0 : 0xa0);
  assert_int_equal(p[0].doing, HEDDLE_LANES_ISSUE);
  assert_int_equal(p[1].lanes, low ? 0xffff0000 : 0xffff);
  assert_int_equal(p[1].pc, low ? 0xa0 : 0xc0);
  assert_int_equal(p[1].doing, HEDDLE_LANES_WAIT);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_step(x.model, 0, low ? 2 : 3, &done));
  assert_int_equal(heddle_warp_paths(x.model, 0, p), 2);
  assert_int_equal(p[1].doing, HEDDLE_LANES_PARK);
  assert_int_equal(p[1].pc, 0xd0);
  assert_int_equal(p[1].barrier, 0);
  assert_int_equal(heddle_warp_paths(x.model, 255, p), 0);
  machine_free(&x);
}

static void registers(void **state) {
  (void)state;
  struct machine x;
  start(&x);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  step_to(&x, 0x10);
  assert_int_equal(heddle_reg_undefined(x.model, 0, 0, 9), 0);
  assert_int_equal(heddle_reg_undefined(x.model, 0, 5, 9), 0xffffffff);
  assert_true(heddle_put_reg(x.model, 0, 5, 9, 0x12345678));
  assert_int_equal(heddle_reg_undefined(x.model, 0, 5, 9), 0);
  assert_int_equal(heddle_reg_undefined(x.model, 0, 5, 8), 0xffffffff);
  assert_int_equal(heddle_reg(x.model, 0, 5, 9), 0x12345678);
  assert_true(heddle_put_pred(x.model, 0, 3, 31, true));
  assert_true(heddle_pred(x.model, 0, 3, 31));
  assert_false(heddle_pred(x.model, 0, 3, 30));
  assert_true(heddle_put_ureg(x.model, 0, 62, 77) && heddle_ureg(x.model, 0, 62) == 77);
  assert_true(heddle_put_upred(x.model, 0, 6, true) && heddle_upred(x.model, 0, 6));
  assert_false(heddle_put_reg(x.model, 0, 64, 0, 1));
  assert_false(heddle_put_reg(x.model, 200, 0, 0, 1));
  assert_false(heddle_put_pred(x.model, 0, 7, 0, true));
  assert_false(heddle_put_ureg(x.model, 0, 63, 1));
  machine_free(&x);
}

/* A register that was changed counts: lane 9 stores where it did not. */
static void changed_register(void **state) {
  (void)state;
  struct machine x;
  uint64_t done;
  start(&x);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  step_to(&x, 0x110);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_step(x.model, 1, 100, &done)); /* the other warp, to the barrier */
  step_to(&x, 0x160);
  const uint32_t was = heddle_reg(x.model, 0, 8, 9);
  assert_true(heddle_put_reg(x.model, 0, 8, 9, was + 1000));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_run(x.model, 0, NULL));
  for (uint32_t i = 0; i < BLOCKS * 64; i++) assert_int_equal(mem32(&x, 4 * i), expected(i) + (i == 9 ? 1000 : 0));
  machine_free(&x);
}

static uint32_t look32(const struct machine *x, unsigned lane, unsigned space, uint64_t at) {
  uint32_t v;
  assert_true(heddle_look(x->model, 0, lane, space, at, (uint8_t *)&v, sizeof v));
  return v;
}

static void memory(void **state) {
  (void)state;
  struct machine x;
  uint8_t bytes[16] = {1, 2, 3, 4};
  start(&x);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  step_to(&x, 0x110);
  for (unsigned lane = 0; lane < 32; lane++) {
    assert_int_equal(look32(&x, lane, ISA_SPACE_LOCAL, 8), lane < 16 ? 200 : 100);
    assert_int_equal(look32(&x, lane, ISA_SPACE_SHARED, 4 * lane), lane);
  }
  assert_true(heddle_put(x.model, 0, 5, ISA_SPACE_LOCAL, 7, bytes, 4)); /* over two words of lane 5 alone */
  assert_int_equal(look32(&x, 5, ISA_SPACE_LOCAL, 8), 0x00040302);
  assert_int_equal(look32(&x, 4, ISA_SPACE_LOCAL, 8), 200);
  assert_true(heddle_put(x.model, 0, 0, ISA_SPACE_GLOBAL, MEM_BASE + 2, bytes, 2));
  assert_int_equal(mem32(&x, 0), 0x02010000);
  assert_int_equal(look32(&x, 0, ISA_SPACE_CONST, 0), 64); /* NTID_X, of start() */
  assert_false(heddle_put(x.model, 0, 0, ISA_SPACE_CONST, 0, bytes, 4));
  assert_false(heddle_look(x.model, 0, 0, ISA_SPACE_LOCAL, 13, bytes, 4));
  assert_false(heddle_look(x.model, 0, 0, ISA_SPACE_SHARED, 253, bytes, 4));
  assert_false(heddle_look(x.model, 0, 0, ISA_SPACE_GLOBAL, MEM_BASE - 1, bytes, 4));
  assert_false(heddle_look(x.model, 0, 0, ISA_SPACE_GLOBAL, UINT64_MAX, bytes, 16));
  assert_false(heddle_look(x.model, 0, 0, ISA_SPACE_CONST, UINT64_C(4) << 32, bytes, 1));
  assert_false(heddle_look(x.model, 200, 0, ISA_SPACE_SHARED, 0, bytes, 1));
  machine_free(&x);
}

/* From every tenth instruction of the grid to its end, twice: what a run leaves, and at the way back what there was. */
static void back_and_again(void **state) {
  (void)state;
  struct machine x;
  struct heddle_saved *like = NULL;
  start(&x);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  for (unsigned n = 0; steps(&x, 10) == 10; n++) {
    uint8_t *const before = malloc(MEM_BYTES);
    assert_non_null(before);
    memcpy(before, heddle_model_memory(x.model), MEM_BYTES);
    struct heddle_saved *s = heddle_model_save(x.model, like);
    assert_non_null(s);
    const uint64_t first = steps(&x, UINT64_MAX);
    expect_result(&x);
    EXPECT(&x, HEDDLE_SUCCESS, heddle_model_restore(x.model, s));
    assert_memory_equal(heddle_model_memory(x.model), before, MEM_BYTES);
    assert_int_equal(steps(&x, UINT64_MAX), first);
    expect_result(&x);
    EXPECT(&x, HEDDLE_SUCCESS, heddle_model_restore(x.model, s));
    heddle_saved_free(like);
    like = s;
    free(before);
  }
  assert_true(heddle_grid_done(x.model));
  heddle_saved_free(like);
  machine_free(&x);
}

/* Undefined bits go back, too: a store brings them to memory, and before it they are not there. */
static void marks_go_back(void **state) {
  (void)state;
  struct machine x;
  uint64_t done;
  machine_init(&x);
  machine_text(&x, TEXT_ADDRESS "STG.E [R2], R5 ;\nSTG.E [R2], RZ ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_step(x.model, 0, 2, &done));
  struct heddle_saved *clean = heddle_model_save(x.model, NULL);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_step(x.model, 0, 1, &done));
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, heddle_model_end(x.model));
  struct heddle_saved *marked = heddle_model_save(x.model, clean);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_step(x.model, 0, 2, &done));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_end(x.model));
  assert_true(clean != NULL && marked != NULL);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_restore(x.model, marked));
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, heddle_model_end(x.model));
  assert_string_equal(heddle_model_undefined(x.model)->origin, "R5");
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_restore(x.model, clean));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_end(x.model));
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  assert_int_equal(heddle_model_restore(x.model, clean), HEDDLE_ERROR_STATE); /* of the launch before */
  heddle_saved_free(clean);
  heddle_saved_free(marked);
  machine_free(&x);
}

/* A trap ends the grid, and going back takes it away. */
static void trap_goes_back(void **state) {
  (void)state;
  struct machine x;
  uint64_t done;
  machine_init(&x);
  machine_text(&x, "MOV R2, 0x0 ;\nMOV R3, 0x3 ;\nLDG.E R0, [R2] ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_begin(x.model));
  struct heddle_saved *s = heddle_model_save(x.model, NULL);
  assert_int_equal(heddle_model_step(x.model, 0, 9, &done), HEDDLE_ERROR_TRAPPED);
  assert_int_equal(heddle_model_trap(x.model)->cause, HEDDLE_TRAP_OUT_OF_RANGE);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_restore(x.model, s));
  assert_int_equal(heddle_model_trap(x.model)->cause, HEDDLE_TRAP_NONE);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_step(x.model, 0, 2, &done));
  assert_int_equal(done, 2);
  heddle_saved_free(s);
  machine_free(&x);
}

/* In lockstep an access that is on its way belongs to the implementation: nothing is saved. */
static void nothing_of_lockstep(void **state) {
  (void)state;
  struct machine x;
  struct heddle_effect e;
  machine_init(&x);
  machine_text(&x, TEXT_ADDRESS "LDG.E R0, [R2] ;\nEXIT ;\n");
  machine_lockstep(&x);
  for (unsigned i = 0; i < 3; i++) EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_issue(x.model, 0, &e));
  assert_null(heddle_model_save(x.model, NULL));
  assert_int_equal(heddle_reg_undefined(x.model, 0, 0, 0), 0xffffffff);
  machine_free(&x);
}

/* The observer of the model alone: what it is told, what its answers do, and that a run goes on as without it. */

#define TOLD_MOST 64u

struct told {
  struct heddle_observed_access access[TOLD_MOST];
  uint64_t addr[TOLD_MOST][HEDDLE_LANES];
  uint32_t data[TOLD_MOST];
  struct heddle_event event[TOLD_MOST];
  struct heddle_undefined undefined[TOLD_MOST];
  unsigned accesses, events, undefineds;
  bool skips; /* lanes at fault are left out */
  const struct heddle_model *model;
  uint32_t there[TOLD_MOST]; /* what lane 3 finds at its address */
};

static uint32_t access(void *ctx, const struct heddle_observed_access *a) {
  struct told *t = ctx;
  assert_in_range(t->accesses, 0, TOLD_MOST - 1);
  t->access[t->accesses] = *a;
  t->data[t->accesses] = a->data != NULL ? a->data[0][0] : 0;
  if (t->model)
    (void)heddle_lane_memory(t->model, a->by.slot, 3, a->space, a->addr[3], 4, (uint8_t *)&t->there[t->accesses]);
  memcpy(t->addr[t->accesses++], a->addr, sizeof t->addr[0]);
  return t->skips ? a->by.lanes & ~a->bad : a->by.lanes;
}

static void event(void *ctx, const struct heddle_event *e) {
  struct told *t = ctx;
  assert_in_range(t->events, 0, TOLD_MOST - 1);
  t->event[t->events++] = *e;
}

static bool undefined(void *ctx, const struct heddle_undefined *u) {
  struct told *t = ctx;
  assert_in_range(t->undefineds, 0, TOLD_MOST - 1);
  t->undefined[t->undefineds++] = *u;
  return true;
}

static enum heddle_error run(struct machine *x, struct told *t, const char *text, unsigned threads) {
  machine_init(x);
  machine_text(x, text);
  x->launch.block[0] = threads;
  x->launch.shared_bytes = 256;
  const struct heddle_observer o = {
      .size = sizeof o, .ctx = t, .access = access, .event = event, .undefined = undefined};
  t->model = x->model;
  assert_int_equal(heddle_model_observe(x->model, &o), HEDDLE_SUCCESS);
  return machine_run(x);
}

/* Two warps: each stores, meets the other, and reads what the other has stored. */
static void accesses_and_barriers(void **state) {
  (void)state;
  struct machine x;
  struct told t = {0};
  EXPECT(&x, HEDDLE_SUCCESS,
         run(&x, &t,
             "S2R R0, SR_TID.X ;\nSHF.L.U32 R1, R0, 0x2, RZ ;\nSTS [R1], R0 ;\nMEMBAR.CTA ;\nBAR.SYNC 0x0 ;\n"
             "LDS R4, [R1] ;\n" TEXT_ADDRESS "STG.E [R2], R4 ;\nEXIT ;\n",
             64));
  assert_int_equal(t.accesses, 6);
  unsigned stores = 0;
  for (unsigned i = 0; i < t.accesses; i++) {
    const struct heddle_observed_access *a = &t.access[i];
    if (a->space == ISA_SPACE_SHARED && a->kind == HEDDLE_ACCESS_LOAD)
      assert_int_equal(t.there[i], 32 * a->by.warp + 3); /* stored before */
    if (a->space != ISA_SPACE_SHARED || a->kind != HEDDLE_ACCESS_STORE) continue;
    assert_int_equal(t.there[i], 0); /* not stored yet */
    stores++;
    assert_int_equal(a->by.lanes, 0xffffffff);
    assert_int_equal(a->bytes, 4);
    assert_int_equal(a->bad, 0);
    assert_int_equal(t.addr[i][31], 4 * (32 * a->by.warp + 31));
    assert_int_equal(t.data[i], 32 * a->by.warp);
  }
  assert_int_equal(stores, 2);
  static const enum heddle_event_kind in_order[] = {
      HEDDLE_EVENT_BLOCK,   HEDDLE_EVENT_CONTROL,  HEDDLE_EVENT_CONTROL,  HEDDLE_EVENT_CONTROL,  HEDDLE_EVENT_CONTROL,
      HEDDLE_EVENT_RELEASE, HEDDLE_EVENT_WARP_END, HEDDLE_EVENT_WARP_END, HEDDLE_EVENT_BLOCK_END};
  assert_int_equal(t.events, sizeof in_order / sizeof *in_order);
  for (unsigned i = 0; i < t.events; i++) assert_int_equal(t.event[i].kind, in_order[i]);
  assert_int_equal(t.event[1].dec->op, ISA_OP_MEMBAR);
  assert_int_equal(t.event[5].waiting, 3);
  machine_free(&x);
}

/* Lanes 16 and up store behind the region: as without an observer it traps, or those lanes are left out. */
static void lanes_left_out(void **state) {
  (void)state;
  static const char *const text = TEXT_ADDRESS "S2R R0, SR_LANEID ;\nIMAD.WIDE.U32 R2, R0, 0x4, R2 ;\n"
                                               "MOV R5, 0x7 ;\nSTG.E [R2], R5 ;\nLDG.E R6, [R2] ;\n"
                                               "STS [RZ], R6 ;\nEXIT ;\n";
  for (unsigned skips = 0; skips < 2; skips++) {
    struct machine x;
    struct told t = {.skips = skips != 0};
    machine_init(&x);
    x.launch.region[0].limit = x.launch.region[0].base + 64;
    machine_text(&x, text);
    x.launch.shared_bytes = 4;
    const struct heddle_observer o = {.size = sizeof o, .ctx = &t, .access = access};
    assert_int_equal(heddle_model_observe(x.model, &o), HEDDLE_SUCCESS);
    EXPECT(&x, skips ? HEDDLE_SUCCESS : HEDDLE_ERROR_TRAPPED, machine_run(&x));
    assert_int_equal(t.access[0].bad, 0xffff0000);
    assert_int_equal(t.access[0].cause, HEDDLE_TRAP_OUT_OF_RANGE);
    assert_int_equal(mem32(&x, 60), skips ? 7 : 0);
    assert_int_equal(mem32(&x, 64), 0);
    if (skips) assert_int_equal(t.data[2], 7); /* lane 0 read what it stored */
    machine_free(&x);
  }
}

/* Each use is told once, and the run goes on. */
static void undefined_goes_on(void **state) {
  (void)state;
  struct machine x;
  struct told t = {0};
  EXPECT(&x, HEDDLE_SUCCESS,
         run(&x, &t,
             TEXT_ADDRESS
             "@P3 MOV R4, 0x1 ;\nRED.E.ADD [R2], R9 ;\nLDS R7, [RZ+0x8] ;\nSTG.E [R2+0x20], R7 ;\nEXIT ;\n",
             32));
  assert_int_equal(t.undefineds, 3);
  assert_string_equal(t.undefined[0].what, "guard P3");
  assert_string_equal(t.undefined[1].origin, "R9");
  assert_true(t.undefined[2].at_end);
  assert_int_equal(t.undefined[2].addr, MEM_BASE + 0x20);
  machine_free(&x);
}

/* Lanes that wait for each other at a WARPSYNC go on together. */
static void reconverged(void **state) {
  (void)state;
  struct machine x;
  struct told t = {0};
  EXPECT(&x, HEDDLE_SUCCESS,
         run(&x, &t, TEXT_LANES_BELOW(8) "@P0 BRA here ;\nhere:\nWARPSYNC 0xffffffff ;\nEXIT ;\n", 32));
  unsigned told = 0;
  for (unsigned i = 0; i < t.events; i++) {
    if (t.event[i].kind != HEDDLE_EVENT_RECONVERGED) continue;
    told++;
    assert_int_equal(t.event[i].by.lanes, 0xffffffff);
  }
  assert_int_equal(told, 1);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest steps[] = {
      cmocka_unit_test(single_steps),   cmocka_unit_test(refusals),           cmocka_unit_test(run_goes_on),
      cmocka_unit_test(paths),          cmocka_unit_test(registers),          cmocka_unit_test(changed_register),
      cmocka_unit_test(memory),         cmocka_unit_test(back_and_again),     cmocka_unit_test(marks_go_back),
      cmocka_unit_test(trap_goes_back), cmocka_unit_test(nothing_of_lockstep)};
  const struct CMUnitTest observer[] = {cmocka_unit_test(accesses_and_barriers), cmocka_unit_test(lanes_left_out),
                                        cmocka_unit_test(undefined_goes_on), cmocka_unit_test(reconverged)};
  const int failed = cmocka_run_group_tests(steps, NULL, NULL);
  return failed + cmocka_run_group_tests(observer, NULL, NULL);
}
