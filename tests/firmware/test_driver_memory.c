/* SPDX-License-Identifier: Apache-2.0
 * The host driver on the model: what is given back, and what a grid may touch. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/firmware/driver_fixture.h"
#include "base/splitmix64.h"

static void memory_is_given_back(void **state) {
  const struct fixture *f = *state;
  const uint64_t before = free_bytes(f);
  uint64_t at[64], total = 0;
  OK(heddle_mem_info(f->context, NULL, &total));
  assert_int_equal(total, MEMORY);
  uint64_t seed = 1;
  for (unsigned round = 0; round < 200; round++) {
    const unsigned n = 1 + round % 64;
    for (unsigned i = 0; i < n; i++) {
      at[i] = space(f, 1 + (uint32_t)(splitmix64(&seed) >> 32) % 4000);
      for (unsigned k = 0; k < i; k++) assert_int_not_equal(at[i], at[k]);
    }
    for (unsigned i = 0; i < n; i++) OK(heddle_mem_free(f->context, at[round % 2 ? n - 1 - i : i]));
    assert_int_equal(free_bytes(f), before);
  }
  assert_int_equal(heddle_mem_alloc(f->context, MEMORY, &at[0]), HEDDLE_ERROR_OUT_OF_MEMORY);
  assert_int_equal(heddle_mem_alloc(f->context, UINT64_MAX, &at[0]), HEDDLE_ERROR_OUT_OF_MEMORY);
  must_say(f, "no 18446744073709551615 bytes in a row");
  unsigned n = 0;
  while (n < 64 && heddle_mem_alloc(f->context, 65535, &at[n]) == HEDDLE_SUCCESS) n++;
  assert_true(n >= 14 && n < 17);
  for (unsigned i = 0; i < n; i += 2) OK(heddle_mem_free(f->context, at[i]));
  uint64_t large;
  assert_int_equal(heddle_mem_alloc(f->context, 3 * 65536, &large), HEDDLE_ERROR_OUT_OF_MEMORY); /* holes */
  for (unsigned i = 1; i < n; i += 2) OK(heddle_mem_free(f->context, at[i]));
  assert_int_equal(free_bytes(f), before);
}

/* Each allocation is its own region, until there are more than 16. */
static void regions_follow_allocations(void **state) {
  const struct fixture *f = *state;
  enum { MANY = 40 };
  uint64_t at[MANY], one;
  uint32_t value = 9;
  for (unsigned n = 1; n <= MANY; n++) {
    at[n - 1] = space(f, 300);
    for (unsigned i = 0; i < n; i++) { /* each can be reached, whole */
      one = at[i] + 296;
      value++;
      OK(heddle_function_launch(function(f, "poke"), ONE, ONE, 0, (void *[]){&one, &value}));
      assert_int_equal(word_at(f, one), value);
    }
    one = at[n / 2] + 300; /* one step behind */
    if (n > 1 && n <= 16) {
      OK(heddle_function_launch(function(f, "poke"), ONE, ONE, 0, (void *[]){&one, &value}));
      assert_int_equal(heddle_synchronize(f->context, 10), HEDDLE_ERROR_TRAPPED);
    }
    one = at[n - 1] + 300; /* behind the last, always */
    OK(heddle_function_launch(function(f, "poke"), ONE, ONE, 0, (void *[]){&one, &value}));
    assert_int_equal(heddle_synchronize(f->context, 10), HEDDLE_ERROR_TRAPPED);
  }
}

/* Programs cannot read code, constants or parameters, whatever lies where: memory is full of data but for one hole in
 * the middle, which takes the parameters. */
static void code_is_out_of_reach(void **state) {
  const struct fixture *f = *state;
  uint64_t from, to = space(f, 4), last = 0, middle = 0;
  unsigned mine = 0, trapped = 0, n = 0;
  while (heddle_mem_alloc(f->context, 256, &from) == HEDDLE_SUCCESS) {
    last = from;
    if (n++ == 300) middle = from;
  }
  OK(heddle_mem_free(f->context, middle));
  for (from = middle - 2048; from < PLATFORM_MEMORY_BASE + MEMORY;
       from += from == middle + 2048 ? last - middle - 6144 : 256) {
    uint32_t w;
    const bool data = heddle_memcpy_to_host(f->context, &w, from, 4) == HEDDLE_SUCCESS;
    OK(heddle_function_launch(function(f, "peek"), ONE, ONE, 0, (void *[]){&from, &to}));
    const enum heddle_error e = heddle_synchronize(f->context, 10);
    if (data) assert_int_equal(e, HEDDLE_SUCCESS);
    if (from > last || from == middle) assert_int_equal(e, HEDDLE_ERROR_TRAPPED);
    mine += data;
    trapped += e == HEDDLE_ERROR_TRAPPED;
  }
  assert_true(mine > 10 && trapped > 5);
}

/* Data in more than 16 places among code cannot be told from it by 16 regions. */
static void fragments_are_refused(void **state) {
  const struct fixture *f = *state;
  enum { MODULES = 150 }; /* several fit into the room that an allocation leaves */
  uint64_t at[300], out = space(f, 64);
  unsigned n = 0;
  struct heddle_module *m[MODULES];
  while (n < 300 && heddle_mem_alloc(f->context, 6000, &at[n]) == HEDDLE_SUCCESS) n++;
  for (unsigned i = 1; i < n; i += 2) OK(heddle_mem_free(f->context, at[i]));
  for (unsigned i = 0; i < MODULES; i++) OK(heddle_module_load_data(f->context, f->elf, f->elf_bytes, &m[i]));
  const uint64_t before = free_bytes(f);
  assert_int_equal(heddle_function_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}),
                   HEDDLE_ERROR_TOO_FRAGMENTED);
  must_say(f, "data lies among code in more than 16 places");
  assert_int_equal(free_bytes(f), before);
  for (unsigned i = 0; i < MODULES; i++) OK(heddle_module_unload(m[i]));
  OK(heddle_function_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
  assert_int_equal(word_at(f, out), 0x1234);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {ROOMY(memory_is_given_back), ROOMY(regions_follow_allocations),
                                     ROOMY(code_is_out_of_reach), ROOMY(fragments_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
