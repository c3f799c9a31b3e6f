/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory behind the request channel: traffic of one SM and of two, calm and adversarial, at every width of beats;
 * times; contents of the caller's; options that make no sense.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/port/agent.h"
#include <heddle/model.h>

static const unsigned widths[] = {32, 64, 128, 256, 512, 1024};
#define WIDTHS (sizeof widths / sizeof *widths)

static void traffic(const struct heddle_line_port_options *o, unsigned cycles, uint64_t seed) {
  static struct rig g;
  rig_begin(&g, o, seed);
  for (unsigned i = 0; i < cycles; i++) rig_cycle(&g);
  const struct heddle_line_port_stats s = *heddle_line_port_statistics(g.p);
  rig_end(&g);
  for (unsigned k = 0; k < 4; k++) assert_true(g.ended[k] > 20);
  assert_true(g.errs > 5 && g.records > 200 && s.broken == 0);
  assert_true(o->reorder ? s.passed > 20 : s.passed == 0);
}

static void test_calm(void **state) {
  (void)state;
  for (unsigned i = 0; i < WIDTHS; i++) {
    struct heddle_line_port_options o = {.size = sizeof o};
    heddle_line_port_calm(&o, widths[i], 1 + 7 * i);
    traffic(&o, 8000, 100 + i);
  }
}

static void test_adversarial(void **state) {
  (void)state;
  for (unsigned i = 0; i < WIDTHS; i++) {
    for (unsigned seed = 1; seed <= 3; seed++) {
      struct heddle_line_port_options o = {.size = sizeof o};
      heddle_line_port_adversarial(&o, widths[i], seed);
      o.sms = 1 + seed % 2;
      o.credits = seed == 3 ? 5 : 0;
      o.bank = (uint8_t)seed;
      traffic(&o, 10000, seed);
    }
  }
}

/* ---- times -------------------------------------------------------------------------------------- */

static struct heddle_line_port *calm(unsigned bits, uint32_t latency) {
  struct heddle_line_port_options o = {.size = sizeof o};
  heddle_line_port_calm(&o, bits, latency);
  o.bytes = 4096;
  o.tags = 4;
  o.atoms = 1;
  struct heddle_line_port *p = heddle_line_port_new(&o);
  assert_non_null(p);
  for (unsigned i = 0; i < 10; i++) heddle_line_port_clock(p);
  return p;
}

static struct heddle_line_port_request load_of(unsigned tag, uint64_t line, unsigned sectors) {
  struct heddle_line_port_request r = {
      .tag = (uint16_t)tag, .line = line, .sectors = (uint8_t)sectors, .lanes = sectors};
  for (unsigned l = 0; l < 4; l++) r.at[l] = (uint8_t)l;
  return r;
}

/* Request in cycle t: records in t + latency, with the first beat, its end behind the last one. */
static void test_latency(void **state) {
  (void)state;
  for (uint32_t latency = 1; latency < 40; latency += 13) {
    struct heddle_line_port *p = calm(256, latency);
    const struct heddle_line_port_record *r;
    struct heddle_line_port_in in = {.request_valid = true, .answer_ready = true, .request = load_of(2, 3, 15)};
    const uint64_t t = heddle_line_port_cycle(p);
    heddle_line_port_offer(p, 0, &in);
    in.request_valid = false;
    for (unsigned i = 1; i < latency + 8; i++) {
      heddle_line_port_clock(p);
      const struct heddle_line_port_out *o = heddle_line_port_show(p, 0);
      assert_int_equal(heddle_line_port_cycle(p), t + i);
      assert_int_equal(heddle_line_port_records(p, &r), i == latency ? 4 : 0);
      assert_int_equal(o->read_valid, i >= latency && i < latency + 4);
      assert_int_equal(o->answer_valid, i == latency + 4);
      heddle_line_port_offer(p, 0, &in);
    }
    assert_true(heddle_line_port_idle(p));
    heddle_line_port_free(p);
  }
}

/* A request a cycle of one sector each: a beat a cycle. */
static void test_rate(void **state) {
  (void)state;
  struct heddle_line_port_options o = {.size = sizeof o};
  heddle_line_port_calm(&o, 256, 20);
  o.bytes = 1 << 16;
  o.tags = 64;
  o.atoms = 1;
  struct heddle_line_port *p = heddle_line_port_new(&o);
  unsigned beats = 0;
  for (unsigned i = 0; i < 80; i++) heddle_line_port_clock(p);
  for (unsigned i = 0; i < 400; i++) {
    struct heddle_line_port_in in = {
        .request_valid = true, .answer_ready = true, .request = load_of(i % 64, i % 100, 4)};
    heddle_line_port_offer(p, 0, &in);
    heddle_line_port_clock(p);
    beats += heddle_line_port_show(p, 0)->read_valid;
  }
  assert_null(heddle_line_port_error(p));
  assert_int_equal(beats, 400 - 19);
  heddle_line_port_free(p);
}

/* Line 0 takes long. */
static uint32_t slow_line(void *context, const struct heddle_line_port_request *r, uint64_t cycle) {
  uint64_t *last = context;
  assert_true(cycle > *last);
  *last = cycle;
  return r->line == 0 ? 30 : 0; /* 0 counts as 1 */
}

/* The caller's time: in order, or a later request passes; and from then on another one. */
static void test_time(void **state) {
  (void)state;
  for (unsigned reorder = 0; reorder < 2; reorder++) {
    struct heddle_line_port_options o = {.size = sizeof o};
    uint64_t last = 0;
    heddle_line_port_calm(&o, 256, 7);
    o.bytes = 4096;
    o.tags = 4;
    o.atoms = 1;
    o.memory.time = slow_line;
    o.memory.context = &last;
    struct heddle_line_port *p = heddle_line_port_new(&o);
    o.reorder = reorder != 0;
    assert_true(heddle_line_port_retime(p, &o));
    o.latency = 8;
    assert_false(heddle_line_port_retime(p, &o)); /* above latency_max */
    for (unsigned i = 0; i < 10; i++) heddle_line_port_clock(p);
    for (unsigned i = 0; i < 2; i++) {
      struct heddle_line_port_in in = {.request_valid = true, .request = load_of(i, i, 1)};
      heddle_line_port_offer(p, 0, &in);
      heddle_line_port_clock(p);
    }
    const struct heddle_line_port_record *r;
    uint64_t at[2] = {0};
    for (unsigned i = 0; i < 40; i++) {
      for (unsigned k = 0; k < heddle_line_port_records(p, &r); k++) at[r[k].sector / 4] = r[k].stamp;
      heddle_line_port_clock(p);
    }
    assert_int_equal(at[0], 10 + 30);
    assert_int_equal(at[1], reorder != 0 ? 11 + 1 : 10 + 31);
    heddle_line_port_free(p);
  }
}

/* An error lies in sector 1: who touches it, or goes across it, is told. */
static void test_error_span(void **state) {
  (void)state;
  for (unsigned sectors = 1; sectors < 16; sectors++) {
    struct heddle_line_port_options o = {.size = sizeof o};
    heddle_line_port_calm(&o, 256, 1);
    o.bytes = 4096;
    o.tags = o.atoms = 1;
    o.error[3] = (struct heddle_line_port_range){128 + 40, 128 + 41};
    struct heddle_line_port *p = heddle_line_port_new(&o);
    for (unsigned i = 0; i < 10; i++) heddle_line_port_clock(p);
    struct heddle_line_port_in in = {.request_valid = true, .request = load_of(0, 1, sectors)};
    heddle_line_port_offer(p, 0, &in);
    heddle_line_port_clock(p);
    for (unsigned i = 0; i < 10 && !heddle_line_port_show(p, 0)->answer_valid; i++) heddle_line_port_clock(p);
    const bool across = (sectors & 2u) != 0 || ((sectors & 1u) != 0 && sectors > 1);
    assert_true(heddle_line_port_show(p, 0)->answer.done && heddle_line_port_show(p, 0)->answer.err == across);
    heddle_line_port_free(p);
  }
}

static void test_reset(void **state) {
  (void)state;
  struct heddle_line_port *p = calm(64, 5);
  struct heddle_line_port_in in = {.request_valid = true, .request = load_of(1, 1, 2)};
  heddle_line_port_contents(p)[7] = 9;
  for (unsigned turn = 0; turn < 2; turn++) {
    heddle_line_port_offer(p, 0, &in); /* the same tag again: the first one is forgotten */
    heddle_line_port_clock(p);
    assert_false(heddle_line_port_idle(p));
    heddle_line_port_reset(p);
    assert_true(heddle_line_port_idle(p) && heddle_line_port_contents(p)[7] == 9);
    for (unsigned i = 0; i < 10; i++) heddle_line_port_clock(p);
    assert_false(heddle_line_port_show(p, 0)->read_valid);
  }
  assert_null(heddle_line_port_error(p));
  heddle_line_port_free(p);
}

/* ---- contents of the caller's ------------------------------------------------------------------- */

struct kept {
  uint8_t bytes[AGENT_MEMORY];
  unsigned reads, writes;
};

static bool kept_read(void *context, uint64_t at, uint8_t data[HEDDLE_LINE_PORT_LINE]) {
  struct kept *k = context;
  memcpy(data, k->bytes + (at - AGENT_BASE), HEDDLE_LINE_PORT_LINE);
  k->reads++;
  return at < AGENT_BASE + 3 * AGENT_MEMORY / 4;
}

static bool kept_write(void *context, uint64_t at, const uint8_t data[HEDDLE_LINE_PORT_LINE], const uint64_t strb[2]) {
  struct kept *k = context;
  if (at >= AGENT_BASE + 3 * AGENT_MEMORY / 4) return false;
  for (unsigned i = 0; i < HEDDLE_LINE_PORT_LINE; i++)
    if ((strb[i / 64] >> i % 64 & 1u) != 0) k->bytes[at - AGENT_BASE + i] = data[i];
  k->writes++;
  return true;
}

static void test_callbacks(void **state) {
  (void)state;
  static struct rig g;
  static struct kept k;
  struct heddle_line_port_options o = {.size = sizeof o};
  heddle_line_port_adversarial(&o, 128, 5);
  o.memory = (struct heddle_line_port_memory){&k, kept_read, kept_write, NULL};
  rig_begin(&g, &o, 5);
  assert_null(heddle_line_port_contents(g.p));
  for (unsigned i = 0; i < 5000; i++) rig_cycle(&g);
  rig_end(&g);
  assert_true(k.reads > 100 && k.writes > 100 && g.errs != 0);
  assert_memory_equal(k.bytes, g.shadow, 3 * AGENT_MEMORY / 4);
}

static void test_contents(void **state) {
  (void)state;
  static uint8_t bytes[4096];
  struct heddle_line_port_options o = {.size = sizeof o};
  heddle_line_port_calm(&o, 32, 1);
  o.bytes = sizeof bytes;
  o.tags = o.atoms = 1;
  o.contents = bytes;
  struct heddle_line_port *p = heddle_line_port_new(&o);
  assert_ptr_equal(heddle_line_port_contents(p), bytes);
  heddle_line_port_free(p);
}

/* ---- options, operations ------------------------------------------------------------------------ */

static void refused(struct heddle_line_port_options o) {
  assert_null(heddle_line_port_new(&o));
}

static void test_options(void **state) {
  (void)state;
  struct heddle_line_port_options good = {.size = sizeof good};
  heddle_line_port_calm(&good, 64, 1);
  good.bytes = 4096;
  good.tags = 4;
  good.atoms = 2;
  struct heddle_line_port_options o = good;
  heddle_line_port_free(heddle_line_port_new(&o));
#define REFUSED(field, value) (o = good, o.field = (value), refused(o))
  REFUSED(bits, 16);
  REFUSED(bits, 96);
  REFUSED(bits, 2048);
  REFUSED(tags, 0);
  REFUSED(tags, HEDDLE_LINE_PORT_MAX_TAGS + 1);
  REFUSED(credits, 5);
  REFUSED(credits, 1);
  REFUSED(atoms, 0);
  REFUSED(atoms, 5);
  REFUSED(bytes, 0);
  REFUSED(bytes, 64);
  REFUSED(base, 32);
  REFUSED(base, (UINT64_C(1) << 40) - 128);
  REFUSED(latency, 0);
  REFUSED(latency, 2);
  REFUSED(hold_read, 1000);
  REFUSED(sms, 0);
  REFUSED(memory.read, kept_read);
}

/* Which operations there are, of how many bits. */
static void test_operations(void **state) {
  (void)state;
  unsigned narrow = 0, wide = 0;
  uint64_t v = 5;
  for (unsigned op = 0; op < 70; op++) {
    narrow += heddle_atomic(op, false, 1, 2, 3, &v);
    wide += heddle_atomic(op, true, 1, 2, 3, &v);
  }
  assert_true(narrow == 14 && wide == 11);
  assert_true(heddle_atomic(0, false, 0xffffffff, 1, 0, &v) && v == 0);
  assert_true(heddle_atomic(1, true, 0xffffffff, 1, 0, &v) && v == 0x100000000);
  assert_true(heddle_atomic(HEDDLE_COMPARE_SWAP, false, UINT64_C(7) << 32 | 4, 4, 9, &v) && v == 9);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calm),    cmocka_unit_test(test_adversarial), cmocka_unit_test(test_latency),
      cmocka_unit_test(test_rate),    cmocka_unit_test(test_reset),       cmocka_unit_test(test_error_span),
      cmocka_unit_test(test_time),    cmocka_unit_test(test_callbacks),   cmocka_unit_test(test_contents),
      cmocka_unit_test(test_options), cmocka_unit_test(test_operations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
