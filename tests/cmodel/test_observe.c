/* SPDX-License-Identifier: Apache-2.0
 *
 * The observer of the model alone: what it is told, what its answers do, and that a run goes on as without it.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include <heddle/observer.h>
#include "tests/cmodel/assembly.h"
#include "tests/test.h"

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

static enum heddle_status run(struct machine *x, struct told *t, const char *text, unsigned threads) {
  machine_init(x);
  machine_text(x, text);
  x->launch.block[0] = threads;
  x->launch.shared_bytes = 256;
  const struct heddle_observer o = {
      .size = sizeof o, .ctx = t, .access = access, .event = event, .undefined = undefined};
  t->model = x->model;
  assert_int_equal(heddle_model_observe(x->model, &o), HEDDLE_OK);
  return machine_run(x);
}

/* Two warps: each stores, meets the other, and reads what the other has stored. */
static void accesses_and_barriers(void **state) {
  (void)state;
  struct machine x;
  struct told t = {0};
  EXPECT(&x, HEDDLE_OK,
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
    assert_int_equal(heddle_model_observe(x.model, &o), HEDDLE_OK);
    EXPECT(&x, skips ? HEDDLE_OK : HEDDLE_TRAPPED, machine_run(&x));
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
  EXPECT(&x, HEDDLE_OK,
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
  EXPECT(&x, HEDDLE_OK, run(&x, &t, TEXT_LANES_BELOW(8) "@P0 BRA here ;\nhere:\nWARPSYNC 0xffffffff ;\nEXIT ;\n", 32));
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(accesses_and_barriers), cmocka_unit_test(lanes_left_out),
                                     cmocka_unit_test(undefined_goes_on), cmocka_unit_test(reconverged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
