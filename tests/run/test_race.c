/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks of the sanitizer against the plain thing: for each warp and lane the latest time that is known. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "run/sanitize/race.h"

enum { WARPS = 6, LANES = 32, CLOCKS = 5, STEPS = 20000, TIMES = 12 };

struct plain {
  uint32_t time[WARPS][LANES];
};

static uint32_t draw(uint32_t *state, uint32_t below) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % below;
}

static struct clock_item draw_item(uint32_t *state) {
  static const uint32_t lanes[] = {CLOCK_ALL, 0x1, 0xffff, 0x80000000, 0x5555, 0};
  return (struct clock_item){1 + draw(state, WARPS), lanes[draw(state, 6)], 1 + draw(state, TIMES)};
}

static void plain_learn(struct plain *to, const struct plain *other, struct clock_item more) {
  for (unsigned w = 0; w < WARPS; w++)
    for (unsigned i = 0; i < LANES; i++)
      if (other->time[w][i] > to->time[w][i]) to->time[w][i] = other->time[w][i];
  for (unsigned i = 0; i < LANES && more.lanes != 0; i++)
    if ((more.lanes >> i & 1) != 0 && more.time > to->time[more.warp - 1][i]) to->time[more.warp - 1][i] = more.time;
}

static void same(const struct clock *c, const struct plain *p) {
  for (uint32_t w = 0; w < WARPS; w++)
    for (uint32_t t = 1; t <= TIMES; t++) {
      uint32_t unknown = 0;
      for (unsigned i = 0; i < LANES; i++) unknown |= (uint32_t)(p->time[w][i] < t) << i;
      assert_int_equal(clock_unknown(c, w + 1, CLOCK_ALL, t), unknown);
    }
}

/* Clocks learn from each other and of single items; shared ones stay as they are. */
static void learning(void **state) {
  (void)state;
  struct clock *c[CLOCKS] = {0};
  static struct plain p[CLOCKS];
  uint32_t seed = 7;
  bool lost = false;
  for (unsigned k = 0; k < STEPS; k++) {
    const uint32_t to = draw(&seed, CLOCKS), from = draw(&seed, CLOCKS);
    const struct clock_item more = draw_item(&seed);
    if (draw(&seed, 40) == 0) {
      clock_drop(c[to]);
      c[to] = NULL;
      memset(&p[to], 0, sizeof p[to]);
    }
    const struct plain other = p[from];
    clock_learn(&c[to], c[from], more, &lost);
    plain_learn(&p[to], &other, more);
    same(c[to], &p[to]);
    same(c[from], &p[from]);
  }
  assert_false(lost);
  for (unsigned k = 0; k < CLOCKS; k++) clock_drop(c[k]);
}

/* Who learns what it knows already keeps its clock, and who knows nothing shares the other's. */
static void sharing(void **state) {
  (void)state;
  bool lost = false;
  struct clock *a = NULL, *b = NULL;
  clock_learn(&a, NULL, (struct clock_item){3, CLOCK_ALL, 5}, &lost);
  clock_learn(&b, a, (struct clock_item){0, 0, 0}, &lost);
  assert_ptr_equal(a, b);
  struct clock *before = a;
  clock_learn(&a, NULL, (struct clock_item){3, 0x10, 7}, &lost);
  assert_ptr_not_equal(a, before);
  assert_int_equal(clock_unknown(b, 3, CLOCK_ALL, 6), CLOCK_ALL);
  before = a;
  clock_learn(&a, b, (struct clock_item){0, 0, 0}, &lost);
  assert_ptr_equal(a, before);
  clock_learn(&b, a, (struct clock_item){0, 0, 0}, &lost);
  assert_ptr_equal(b, a);
  clock_drop(a);
  clock_drop(b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(learning), cmocka_unit_test(sharing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
