/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM that breaks a rule of the request channel is told which one, in which cycle, with which tag.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#include <heddle/line_port.h>

static const unsigned widths[] = {32, 64, 256, 1024};
static unsigned bits; /* of the present turn */

struct sm {
  struct heddle_line_port *p;
  struct heddle_line_port_in in;
};

static struct sm begin(unsigned waits) {
  struct heddle_line_port_options o = {.size = sizeof o};
  struct sm s = {.in.answer_ready = false};
  heddle_line_port_calm(&o, bits, 2);
  o.bytes = 4096;
  o.tags = 4;
  o.atoms = 1;
  s.p = heddle_line_port_new(&o);
  assert_non_null(s.p);
  for (unsigned i = 0; i < waits; i++) heddle_line_port_clock(s.p);
  return s;
}

static void clock_it(struct sm *s) {
  heddle_line_port_offer(s->p, 0, &s->in);
  heddle_line_port_clock(s->p);
  memset(&s->in, 0, sizeof s->in);
}

static void end(struct sm *s, const char *words) {
  const char *e = heddle_line_port_error(s->p);
  if (words == NULL) {
    if (e != NULL) fail_msg("%u bits: %s", bits, e);
  } else if (e == NULL || strstr(e, words) == NULL || strstr(e, "cycle ") != e) {
    fail_msg("%u bits: wanted \"%s\", got: %s", bits, words, e == NULL ? "(nothing)" : e);
  }
  heddle_line_port_free(s->p);
}

static struct heddle_line_port_request request(unsigned kind, unsigned tag) {
  struct heddle_line_port_request r = {
      .kind = (uint8_t)kind, .tag = (uint16_t)tag, .line = 3, .sectors = 1, .lanes = 1};
  return r;
}

static void ask(struct sm *s, struct heddle_line_port_request r) {
  s->in.request_valid = true;
  s->in.request = r;
  clock_it(s);
}

static void store(struct sm *s, unsigned beat, uint64_t strb) {
  s->in.write_valid = true;
  s->in.write = (struct heddle_line_port_write){.beat = (uint8_t)beat, .strb = {strb}};
  clock_it(s);
}

static void operand(struct sm *s, unsigned lane, unsigned place, unsigned piece) {
  s->in.write_valid = true;
  s->in.write = (struct heddle_line_port_write){
      .atom = true, .lane = (uint8_t)lane, .place = (uint8_t)place, .piece = (uint8_t)piece};
  clock_it(s);
}

#define CREDITS 20u /* cycles, after which all have come */

static void credits(void) {
  struct sm s = begin(0);
  ask(&s, request(HEDDLE_LINE_PORT_LOAD, 0));
  end(&s, "tag 0: a request without a credit: wait for lc_valid");
  s = begin(0);
  store(&s, 0, 1);
  end(&s, "a beat at lw_ without a credit");
  s = begin(CREDITS);
  operand(&s, 0, 0, 0);
  ask(&s, request(HEDDLE_LINE_PORT_ATOM, 0));
  operand(&s, 0, 0, 0);
  end(&s, "an operand at lw_ without a credit for an atomic");
  s = begin(CREDITS);
  for (unsigned t = 0; t < 4; t++) ask(&s, request(HEDDLE_LINE_PORT_LOAD, t));
  end(&s, NULL);
}

static void tags(void) {
  struct sm s = begin(CREDITS);
  ask(&s, request(HEDDLE_LINE_PORT_LOAD, 1));
  ask(&s, request(HEDDLE_LINE_PORT_LOAD, 1));
  end(&s, "tag 1: its load of line 0x3 (cycle 20) has not ended");
  s = begin(CREDITS);
  ask(&s, request(HEDDLE_LINE_PORT_LOAD, 4));
  end(&s, "tag 4: there are 4 tags");
  s = begin(CREDITS);
  ask(&s, request(HEDDLE_LINE_PORT_LOAD, 1));
  for (unsigned i = 0; i < 40; i++) { /* an end that is not taken keeps the tag */
    s.in.answer_ready = i == 39;
    clock_it(&s);
  }
  ask(&s, request(HEDDLE_LINE_PORT_LOAD, 1));
  end(&s, NULL);
}

static void fields(void) {
  struct heddle_line_port_request r = request(HEDDLE_LINE_PORT_LOAD, 2);
  struct sm s;
#define REFUSED(field, value, words)                                                                                   \
  (s = begin(CREDITS), r = request(HEDDLE_LINE_PORT_LOAD, 2), r.field = (value), ask(&s, r), end(&s, words))
  REFUSED(sm, 1, "a request of SM 1");
  REFUSED(kind, 5, "kind 5");
  REFUSED(scope, 4, "scope 4");
  REFUSED(line, UINT64_C(1) << 33, "addresses have 40 bits");
  REFUSED(sectors, 0, "sectors 0x0");
  REFUSED(sectors, 16, "sectors 0x10");
  REFUSED(sectors, 3, "no lane is at sectors 0x2");
  REFUSED(lanes, 0, "no lane is at sectors 0x1");
  REFUSED(at[0], 1, "lane 0 is at sector 1, which is not among sectors 0x1");
  REFUSED(at[0], 4, "lane 0 is at sector 4");
  REFUSED(word, 1u << 18, NULL); /* of global memory it means nothing */
  s = begin(CREDITS);
  r = request(HEDDLE_LINE_PORT_LOAD, 0);
  r.is_local = true;
  r.lanes = 1u << 9;
  ask(&s, r);
  end(&s, "lane 9 of local memory is at sector 0: it is in sector 1");
  s = begin(CREDITS);
  r.lanes = 1;
  r.word = 1u << 18;
  ask(&s, r);
  end(&s, "word 0x40000 of local memory");
}

static void stores(void) {
  const unsigned beats = 1024 / bits, sector = bits < 256 ? 256 / bits : 1;
  struct sm s = begin(CREDITS);
  store(&s, beats, 1);
  end(&s, "a line has");
  s = begin(CREDITS);
  if (bits < 512) {
    store(&s, 0, UINT64_C(1) << (bits / 8));
    end(&s, "strobes beyond its");
  } else {
    end(&s, NULL);
  }
  s = begin(CREDITS);
  ask(&s, request(HEDDLE_LINE_PORT_STORE, 3));
  end(&s, "tag 3: a store to sectors 0x1 has no byte for sector 0");
  s = begin(CREDITS);
  store(&s, 0, 1);
  store(&s, bits > 256 ? 0 : sector, bits > 256 ? UINT64_C(1) << 32 : 1);
  ask(&s, request(HEDDLE_LINE_PORT_STORE, 3));
  end(&s, "has bytes for sector 1");
  s = begin(CREDITS);
  store(&s, 0, 1);
  ask(&s, request(HEDDLE_LINE_PORT_LOAD, 3));
  end(&s, "a load after 1 beats of a store");
  s = begin(CREDITS);
  store(&s, 0, 1);
  operand(&s, 0, 0, 0);
  end(&s, "without a request between them");
  s = begin(CREDITS);
  for (unsigned i = 0; i <= 32 * 4; i++) store(&s, 0, 1);
  end(&s, "32 lanes have no more than");
  s = begin(CREDITS);
  s.in.write_valid = true; /* the last beat with its request */
  s.in.write.strb[0] = 1;
  ask(&s, request(HEDDLE_LINE_PORT_STORE, 3));
  end(&s, NULL);
}

/* All pieces of a lane. */
static void operands(struct sm *s, unsigned lane, unsigned place) {
  for (unsigned k = 0; k < (bits < 128 ? 128 / bits : 1); k++) operand(s, lane, place, k);
}

static void atoms(void) {
  struct heddle_line_port_request r = request(HEDDLE_LINE_PORT_ATOM, 1);
  struct sm s = begin(CREDITS);
  operands(&s, 5, 0);
  operands(&s, 4, 0);
  end(&s, "lane 4 after a higher one");
  s = begin(CREDITS);
  operand(&s, 5, 0, 0);
  operand(&s, 5, 0, 0);
  end(&s, "piece 0 of lane 5 a second time");
  s = begin(CREDITS);
  operand(&s, 0, 0, bits < 128 ? 128 / bits : 1);
  end(&s, "lanes and places 0 to 31");
  s = begin(CREDITS);
  operands(&s, 0, 0);
  operands(&s, 1, 0);
  ask(&s, r);
  end(&s, "tag 1: lanes 0x00000001, but operands of 0x00000003");
  s = begin(CREDITS);
  operands(&s, 0, 8);
  ask(&s, r);
  end(&s, "lane 0 changes word 8, but is at sector 0");
  s = begin(CREDITS);
  operands(&s, 0, 1);
  r.wide = true;
  r.op = 1;
  ask(&s, r);
  end(&s, "name the even word of the two");
  s = begin(CREDITS);
  operands(&s, 0, 0);
  r.wide = false;
  ask(&s, r);
  end(&s, "operation 1 of 32 bits: there is none");
  s = begin(CREDITS);
  ask(&s, request(HEDDLE_LINE_PORT_ATOM, 1));
  end(&s, "but operands of 0x00000000");
  if (bits > 64) return;
  s = begin(CREDITS);
  operand(&s, 0, 0, 0);
  r.op = 63;
  ask(&s, r);
  end(&s, "operands of lane 0 lack pieces");
  s = begin(CREDITS);
  operand(&s, 0, 0, 0);
  operand(&s, 0, 2, 1);
  end(&s, "lane 0 names places 0 and 2");
}

static void each_width(void (*test)(void)) {
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
    bits = widths[i];
    test();
  }
}

#define TEST(name)                                                                                                     \
  static void test_##name(void **state) {                                                                              \
    (void)state;                                                                                                       \
    each_width(name);                                                                                                  \
  }
TEST(credits)
TEST(tags)
TEST(fields)
TEST(stores)
TEST(atoms)

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_credits), cmocka_unit_test(test_tags),  cmocka_unit_test(test_fields),
      cmocka_unit_test(test_stores),  cmocka_unit_test(test_atoms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
