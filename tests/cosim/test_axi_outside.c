/* SPDX-License-Identifier: Apache-2.0
 * The AXI memory whose bytes are somebody else's: what is asked, and what of the answers comes on the bus, when. */
#include <string.h>

#include "tests/test.h"

#include <heddle/axi_mem.h>

enum { ASKS = 8, BUS = 8 };

struct rig {
  struct heddle_axi_mem *m;
  struct heddle_axi_mem_in in;
  struct heddle_axi_mem_outside outside;
  struct heddle_axi_mem_ask asked[ASKS];
  uint8_t data[ASKS][64], strobe[ASKS][64];
  unsigned asks, passes;
  int answer; /* number of the request to answer at the next edge, -1: none */
  uint8_t resp, with[64];
};

static void ask(void *self, const struct heddle_axi_mem_ask *a) {
  struct rig *r = self;
  assert_true(r->asks < ASKS && a->bytes <= 64);
  r->asked[r->asks] = *a;
  if (a->write) memcpy(r->data[r->asks], a->data, a->bytes);
  if (a->write) memcpy(r->strobe[r->asks], a->strobe, a->bytes);
  r->asks++;
}

static void pass(void *self) {
  struct rig *r = self;
  r->passes++;
  if (r->answer < 0) return;
  const struct heddle_axi_mem_ask *a = &r->asked[r->answer];
  heddle_axi_mem_answer(r->m, a->write, a->at, r->resp, a->write ? NULL : r->with);
  r->answer = -1;
}

static int begin(void **state) {
  static struct rig r;
  struct heddle_axi_mem_config c = {.size = sizeof c, .base = 0, .bytes = 64, .data_bytes = BUS};
  heddle_axi_mem_calm(&c);
  r = (struct rig){.outside = {sizeof r.outside, &r, ask, pass}, .answer = -1};
  r.m = heddle_axi_mem_new(&c);
  r.in.b_ready = r.in.r_ready = true;
  *state = &r;
  return r.m && heddle_axi_mem_set_outside(r.m, &r.outside) ? 0 : -1;
}

static int end(void **state) {
  struct rig *r = *state;
  heddle_axi_mem_free(r->m);
  return 0;
}

/* One edge, after which nothing is requested any more. */
static const struct heddle_axi_mem_out *edge(struct rig *r) {
  heddle_axi_mem_clock(r->m, &r->in);
  r->in.aw.valid = r->in.ar.valid = r->in.w_valid = false;
  return heddle_axi_mem_outputs(r->m);
}

static void read_burst(struct rig *r, uint32_t id, uint64_t addr, uint8_t len, uint8_t size) {
  r->in.ar = (struct heddle_axi_mem_addr){.valid = true, .id = id, .addr = addr, .len = len, .size = size, .burst = 1};
  (void)edge(r);
}

static const struct heddle_axi_mem_out *answered(struct rig *r, int number, uint8_t resp, uint8_t first) {
  r->answer = number;
  r->resp = resp;
  for (unsigned i = 0; i < sizeof r->with; i++) r->with[i] = (uint8_t)(first + i);
  return edge(r);
}

static void test_time(void **state) {
  struct rig *r = *state;
  for (unsigned i = 1; i <= 3; i++) {
    (void)edge(r); /* asleep or not, time passes */
    assert_int_equal(r->passes, i);
  }
  assert_true(heddle_axi_mem_outputs(r->m)->ar_ready);
}

/* A narrow burst that begins between two beats' places: each on its lanes, for as long as nobody answers none. */
static void test_read(void **state) {
  struct rig *r = *state;
  (void)edge(r);
  read_burst(r, 3, 0x10e, 2, 2); /* beats of 4 bytes, from 0x10c */
  assert_int_equal(r->asks, 1);
  assert_false(r->asked[0].write);
  assert_int_equal(r->asked[0].addr, 0x10c);
  assert_int_equal(r->asked[0].bytes, 12);
  for (unsigned i = 0; i < 5; i++) assert_false(edge(r)->r_valid);
  const struct heddle_axi_mem_out *o = answered(r, 0, 0, 1);
  for (unsigned beat = 0; beat < 3; beat++, o = edge(r)) {
    assert_true(o->r_valid);
    assert_int_equal(o->r_id, 3);
    assert_int_equal(o->r_last, beat == 2);
    assert_int_equal(o->r_data[beat == 1 ? 0 : 4], 1 + 4 * beat);
    assert_int_equal(o->r_data[beat == 1 ? 3 : 7], 4 + 4 * beat);
  }
  assert_true(heddle_axi_mem_idle(r->m));
}

/* Answers of different ids come as they are given, of one id in its order; an error is one. */
static void test_order(void **state) {
  struct rig *r = *state;
  (void)edge(r);
  read_burst(r, 1, 0x100, 0, 3);
  read_burst(r, 1, 0x200, 0, 3);
  read_burst(r, 2, 0x300, 0, 3);
  const struct heddle_axi_mem_out *o = answered(r, 1, 0, 20);
  assert_false(o->r_valid); /* its elder has none yet */
  o = answered(r, 2, 3, 30);
  assert_true(o->r_valid && o->r_id == 2 && o->r_resp == 3);
  assert_false(edge(r)->r_valid);
  o = answered(r, 0, 0, 10);
  assert_true(o->r_valid && o->r_id == 1 && o->r_resp == 0 && o->r_data[0] == 10);
  o = edge(r);
  assert_true(o->r_valid && o->r_id == 1 && o->r_data[0] == 20);
}

/* Two beats, of the second one a byte: gathered, asked once, told on B when it is answered. */
static void test_write(void **state) {
  struct rig *r = *state;
  (void)edge(r);
  r->in.aw = (struct heddle_axi_mem_addr){.valid = true, .id = 5, .addr = 0x40, .len = 1, .size = 3, .burst = 1};
  r->in.w_valid = true;
  r->in.w_strb[0] = 0xff;
  for (unsigned i = 0; i < BUS; i++) r->in.w_data[i] = (uint8_t)(i + 1);
  (void)edge(r);
  assert_int_equal(r->asks, 0);
  r->in.w_valid = r->in.w_last = true;
  r->in.w_strb[0] = 0x04;
  r->in.w_data[2] = 99;
  (void)edge(r);
  assert_int_equal(r->asks, 1);
  assert_true(r->asked[0].write && r->asked[0].addr == 0x40 && r->asked[0].bytes == 16);
  for (unsigned i = 0; i < 16; i++) {
    assert_int_equal(r->strobe[0][i], i < 8 || i == 10 ? 0xff : 0);
    if (r->strobe[0][i]) assert_int_equal(r->data[0][i], i < 8 ? i + 1 : 99);
  }
  for (unsigned i = 0; i < 3; i++) assert_false(edge(r)->b_valid);
  const struct heddle_axi_mem_out *o = answered(r, 0, 2, 0);
  assert_true(o->b_valid && o->b_id == 5 && o->b_resp == 2);
  (void)edge(r);
  assert_true(heddle_axi_mem_idle(r->m));
  assert_null(heddle_axi_mem_protocol_error(r->m));
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_time, begin, end),
      cmocka_unit_test_setup_teardown(test_read, begin, end),
      cmocka_unit_test_setup_teardown(test_order, begin, end),
      cmocka_unit_test_setup_teardown(test_write, begin, end),
  };
  return cmocka_run_group_tests_name("axi_outside", tests, NULL, NULL);
}
