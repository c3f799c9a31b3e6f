/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of sectors, which loads read later: their bytes and marks as they were, and what the model then asks of no
 * order.
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/machine.h"

#define SECTOR ((MEM_BASE + 0x100) / 32)

static struct heddle_effect e;
static struct heddle_performed p;

static void issue(struct machine *x, unsigned n) {
  while (n-- > 0) EXPECT(x, HEDDLE_OK, heddle_warp_issue(x->model, 0, &e));
}

static void refused(struct machine *x, enum heddle_status got, const char *words) {
  EXPECT(x, HEDDLE_STATE, got);
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
  EXPECT(x, HEDDLE_OK, heddle_copies(x->model, room));
  issue(x, first + 3);
}

static uint32_t seq_of(const struct machine *x, unsigned n) {
  return x->n - 4 + n;
}

/* What was copied is read, whatever has been stored since; another load of memory sees the store. */
static void reads_what_was(void **state) {
  (void)state;
  struct machine x;
  begin(&x, 2);
  EXPECT(&x, HEDDLE_OK, heddle_copy_take(x.model, 1, SECTOR));
  EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, seq_of(&x, 1), 0xff, &p));
  assert_int_equal(mem32(&x, 0x104), 1);
  EXPECT(&x, HEDDLE_OK, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0xff, 1, &p));
  assert_int_equal(p.rd_words, 1);
  assert_int_equal(p.rd_lanes, 0xff);
  for (unsigned i = 0; i < 8; i++) {
    assert_int_equal(p.rd_value[0][i], 100 + i);
    assert_int_equal(heddle_reg(x.model, 0, 5, i), 100 + i);
    assert_int_equal(mem32(&x, 0x100 + 4 * i), i); /* memory is as it was */
  }
  EXPECT(&x, HEDDLE_OK, heddle_copy_take(x.model, 0, SECTOR));
  EXPECT(&x, HEDDLE_OK, heddle_perform_copy(x.model, 0, seq_of(&x, 2), 0xff, 0, &p));
  assert_int_equal(p.rd_value[0][7], 7);
  EXPECT(&x, HEDDLE_OK, heddle_copy_drop(x.model, 1));
  EXPECT(&x, HEDDLE_OK, heddle_copy_take(x.model, 1, SECTOR + 1));
  EXPECT(&x, HEDDLE_OK, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0xff00, 1, &p));
  assert_int_equal(p.rd_value[0][8], 108);
  machine_free(&x);
}

static void refuses(void **state) {
  (void)state;
  struct machine x;
  begin(&x, 1);
  refused(&x, heddle_copy_take(x.model, 1, SECTOR), "copy 1 is one of 1");
  refused(&x, heddle_copy_take(x.model, 0, 0), "sector 0x0 lies outside");
  refused(&x, heddle_copy_take(x.model, 0, (MEM_BASE + MEM_BYTES) / 32), "lies outside");
  refused(&x, heddle_copy_drop(x.model, 0), "copy 0 has not been taken");
  refused(&x, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0xff, 0, &p), "copy 0 has not been taken");
  EXPECT(&x, HEDDLE_OK, heddle_copy_take(x.model, 0, SECTOR));
  refused(&x, heddle_copy_take(x.model, 0, SECTOR), "taken already");
  refused(&x, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0x1ff, 0, &p), "no load of sector");
  refused(&x, heddle_perform_copy(x.model, 0, seq_of(&x, 1), 0xff, 0, &p), "no load of sector");
  refused(&x, heddle_perform_copy(x.model, 0, seq_of(&x, 0), 0x7f, 0, &p), "of the same sector");
  refused(&x, heddle_perform_copy(x.model, 0, 99, 0xff, 0, &p), "nothing to perform");
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
      refused(&x, heddle_perform(x.model, 0, seq_of(&x, 1), 0xff, &p), "before older seq");
      refused(&x, heddle_warp_issue(x.model, 0, &e), "not performed");
    } else {
      EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, seq_of(&x, 1), 0xff, &p));
      issue(&x, 1);
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
  EXPECT(&x, HEDDLE_OK, heddle_copies(x.model, 2));
  EXPECT(&x, HEDDLE_OK, heddle_copy_take(x.model, 1, SECTOR)); /* defined: nothing has marks yet */
  issue(&x, n + 3);
  EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, n, ~0u, &p));
  assert_int_equal(p.bytes_unknown, ~0u);
  EXPECT(&x, HEDDLE_OK, heddle_copy_take(x.model, 0, SECTOR));
  EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, n + 2, ~0u, &p));
  EXPECT(&x, HEDDLE_OK, heddle_perform_copy(x.model, 0, n + 1, 0xff, 0, &p));
  assert_int_equal(p.rd_unknown[0], 0xff);
  assert_int_equal(heddle_model_defined(x.model)[0x100], 0xff);
  EXPECT(&x, HEDDLE_OK, heddle_copy_drop(x.model, 0));
  EXPECT(&x, HEDDLE_OK, heddle_copy_take(x.model, 0, SECTOR + 1));
  EXPECT(&x, HEDDLE_OK, heddle_perform_copy(x.model, 0, n + 1, 0xff00, 0, &p));
  assert_int_equal(p.rd_unknown[0], 0);
  assert_int_equal(p.rd_value[0][8], 8);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads_what_was), cmocka_unit_test(refuses),
                                     cmocka_unit_test(order), cmocka_unit_test(marks_too)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
