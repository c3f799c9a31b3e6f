/* SPDX-License-Identifier: Apache-2.0
 * The AXI memory at several ports: each has its own lines, queues and times, all have the same bytes. */
#include <string.h>

#include "tests/test.h"

#include <heddle/axi_mem.h>

#define BASE 0x40000u
enum { PORTS = 4, BYTES = 0x4000, BUS = 8, LINE = HEDDLE_AXI_MEM_LINE };

struct rig {
  struct heddle_axi_mem *m;
  struct heddle_axi_mem_in in[PORTS];
};

static struct heddle_axi_mem_config calm(unsigned ports) {
  struct heddle_axi_mem_config c = {.size = sizeof c, .base = BASE, .bytes = BYTES, .data_bytes = BUS};
  heddle_axi_mem_calm(&c);
  c.ports = ports;
  return c;
}

static void begin(struct rig *r, const struct heddle_axi_mem_config *c) {
  *r = (struct rig){.m = heddle_axi_mem_new(c)};
  assert_non_null(r->m);
  for (unsigned p = 0; p < PORTS; p++) r->in[p].b_ready = r->in[p].r_ready = true;
  heddle_axi_mem_clock(r->m, r->in); /* readies come up */
}

static void end(struct rig *r, const char *words) {
  const char *e = heddle_axi_mem_protocol_error(r->m);
  if (words == NULL && e != NULL) fail_msg("%s", e);
  if (words != NULL && (e == NULL || strstr(e, words) == NULL))
    fail_msg("expected \"%s\", got \"%s\"", words, e != NULL ? e : "nothing");
  heddle_axi_mem_free(r->m);
}

/* A line of a port. */
static struct heddle_axi_mem_addr line(unsigned number, uint32_t id) {
  return (struct heddle_axi_mem_addr){true, LINE / BUS - 1, 3, 1, id, BASE + LINE * number};
}

static void test_number(void **state) {
  (void)state;
  struct heddle_axi_mem_config c = calm(3);
  assert_null(heddle_axi_mem_new(&c));
  c.ports = 8;
  assert_null(heddle_axi_mem_new(&c));
  c.ports = 0;
  struct heddle_axi_mem *m = heddle_axi_mem_new(&c);
  assert_int_equal(heddle_axi_mem_configuration(m)->ports, 1);
  heddle_axi_mem_free(m);
}

static void test_own_lines(void **state) {
  (void)state;
  struct rig r;
  const struct heddle_axi_mem_config c = calm(2);
  begin(&r, &c);
  r.in[0].ar = line(2, 0);
  r.in[1].ar = line(1, 0);
  heddle_axi_mem_clock(r.m, r.in);
  end(&r, NULL);
  begin(&r, &c);
  r.in[1].ar = line(2, 0);
  heddle_axi_mem_clock(r.m, r.in);
  end(&r, "port 1: AR: the line of 0x40100 is of port 0");
  begin(&r, &c);
  r.in[1].aw = line(1, 0);
  r.in[1].aw.addr += BUS;
  heddle_axi_mem_clock(r.m, r.in);
  end(&r, "port 1: AW: burst at 0x40088 crosses a line");
}

/* Whichever port the other one is at. */
static void test_hazard(void **state) {
  (void)state;
  struct rig r;
  const struct heddle_axi_mem_config c = calm(2);
  begin(&r, &c);
  r.in[0].ar = line(0, 0);
  heddle_axi_mem_clock(r.m, r.in);
  r.in[0].ar.valid = false;
  r.in[1].aw = line(0, 0); /* which is wrong by itself; the first error is kept */
  heddle_axi_mem_clock(r.m, r.in);
  assert_int_equal(heddle_axi_mem_port_statistics(r.m, 1)->protocol_errors, 2);
  end(&r, "port 1: AW: the line");
}

/* A master that takes no answer holds its own port alone. */
static void test_held(void **state) {
  (void)state;
  struct rig r;
  const struct heddle_axi_mem_config c = calm(PORTS);
  begin(&r, &c);
  r.in[2].r_ready = false;
  for (unsigned p = 0; p < PORTS; p++) r.in[p].ar = line(p, p);
  heddle_axi_mem_clock(r.m, r.in);
  for (unsigned p = 0; p < PORTS; p++) r.in[p].ar.valid = false;
  for (unsigned i = 0; i < 2 * LINE / BUS; i++) heddle_axi_mem_clock(r.m, r.in);
  const struct heddle_axi_mem_out *o = heddle_axi_mem_outputs(r.m);
  for (unsigned p = 0; p < PORTS; p++) {
    const struct heddle_axi_mem_stats *s = heddle_axi_mem_port_statistics(r.m, p);
    assert_int_equal(o[p].r_valid, p == 2);
    assert_int_equal(s->reads, 1);
    assert_int_equal(s->read_beats, p == 2 ? 1 : LINE / BUS);
  }
  assert_int_equal(o[2].r_id, 2);
  assert_int_equal(heddle_axi_mem_statistics(r.m)->reads, PORTS);
  assert_int_equal(heddle_axi_mem_statistics(r.m)->read_beats, 3 * LINE / BUS + 1);
  assert_false(heddle_axi_mem_idle(r.m));
  r.in[2].r_ready = true;
  for (unsigned i = 0; i < LINE / BUS; i++) heddle_axi_mem_clock(r.m, r.in);
  assert_true(heddle_axi_mem_idle(r.m));
  end(&r, NULL);
}

/* A line of each port is written, then read at its port, with everything on. What a port does hangs on what it is asked
 * and on the seed: with others beside it, or alone. Returns the cycles until the answer of port 0's write. */
static unsigned write_and_read(uint64_t seed, unsigned ports, unsigned busy) {
  struct rig r;
  struct heddle_axi_mem_config c = calm(ports);
  heddle_axi_mem_adversarial(&c, seed);
  begin(&r, &c);
  unsigned beat[PORTS] = {0}, got[PORTS] = {0}, first = 0;
  bool written[PORTS] = {false};
  for (unsigned p = 0; p < busy; p++) r.in[p].aw = line(p, p);
  for (unsigned cycle = 1, left = busy; left != 0; cycle++) {
    assert_true(cycle < 5000);
    const struct heddle_axi_mem_out *o = heddle_axi_mem_outputs(r.m);
    bool aw[PORTS], ar[PORTS], w[PORTS];
    for (unsigned p = 0; p < busy; p++) {
      struct heddle_axi_mem_in *in = &r.in[p];
      in->w_valid = beat[p] < LINE / BUS;
      in->w_last = beat[p] == LINE / BUS - 1;
      in->w_strb[0] = 0xff;
      memset(in->w_data, (int)(16 * p + beat[p]), BUS);
      aw[p] = in->aw.valid && o[p].aw_ready, ar[p] = in->ar.valid && o[p].ar_ready, w[p] = in->w_valid && o[p].w_ready;
      if (o[p].b_valid && p == 0 && first == 0) first = cycle;
      if (o[p].b_valid) written[p] = true;
      if (o[p].r_valid) assert_int_equal(o[p].r_data[0], 16 * p + got[p]);
      got[p] += o[p].r_valid;
      left -= o[p].r_valid && o[p].r_last;
    }
    heddle_axi_mem_clock(r.m, r.in);
    for (unsigned p = 0; p < busy; p++) {
      if (aw[p]) r.in[p].aw.valid = false;
      if (ar[p]) r.in[p].ar.valid = false;
      beat[p] += w[p];
      if (written[p] && got[p] == 0 && !ar[p] && heddle_axi_mem_port_statistics(r.m, p)->reads == 0)
        r.in[p].ar = line(p, p);
    }
  }
  end(&r, NULL);
  return first;
}

static void test_adversarial(void **state) {
  (void)state;
  unsigned differ = 0;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    const unsigned alone = write_and_read(seed, 1, 1);
    assert_int_equal(write_and_read(seed, 2, 2), alone);
    assert_int_equal(write_and_read(seed, 4, 4), alone);
    differ += write_and_read(seed + 1, 4, 4) != alone;
  }
  assert_true(differ > 0);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_number), cmocka_unit_test(test_own_lines),
                                     cmocka_unit_test(test_hazard), cmocka_unit_test(test_held),
                                     cmocka_unit_test(test_adversarial)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
