/* SPDX-License-Identifier: Apache-2.0
 * The host driver on the model: what is refused and in which words, limits, traps, grids that do not end. */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/host.h>
#include "tests/test.h"
#include "tests/firmware/driver_fixture.h"

static void values_are_checked(void **state) {
  struct fixture *f = *state;
  struct heddle_system *s;
  struct heddle_device *d;
  struct heddle_context *c;
  struct heddle_module *m;
  struct heddle_function *k;
  uint64_t at;
  struct heddle_port broken = f->port;
  const enum heddle_error bad = HEDDLE_ERROR_INVALID_VALUE;
  assert_int_equal(heddle_init(NULL, 1, &s), bad);
  assert_int_equal(heddle_init(&f->port, 0, &s), bad);
  assert_int_equal(heddle_init(&f->port, 1, NULL), bad);
  broken.wait = NULL;
  assert_int_equal(heddle_init(&broken, 1, &s), bad);
  broken = f->port;
  broken.memory_base += 4;
  assert_int_equal(heddle_init(&broken, 1, &s), bad);
  assert_int_equal(heddle_device_count(f->system), 1);
  assert_int_equal(heddle_device_get(f->system, 1, &d), HEDDLE_ERROR_NO_DEVICE);
  assert_int_equal(heddle_device_get(NULL, 0, &d), bad);
  assert_int_equal(heddle_context_create(f->device, &c), HEDDLE_ERROR_DEVICE_BUSY);
  assert_int_equal(heddle_context_create(NULL, &c), bad);
  assert_int_equal(heddle_module_load_data(f->context, NULL, 4, &m), bad);
  assert_int_equal(heddle_module_load_data(f->context, "hello", 5, &m), HEDDLE_ERROR_INVALID_IMAGE);
  must_say(f, "not an ELF file");
  assert_int_equal(heddle_module_load_data(f->context, f->elf, f->elf_bytes / 2, &m), HEDDLE_ERROR_INVALID_IMAGE);
  assert_int_equal(heddle_module_function(f->module, "nope", &k), HEDDLE_ERROR_NOT_FOUND);
  must_say(f, "no kernel 'nope'");
  assert_int_equal(heddle_module_function(f->module, "helper", &k), HEDDLE_ERROR_NOT_FOUND); /* a function only */
  assert_int_equal(heddle_mem_alloc(f->context, 0, &at), bad);
  assert_int_equal(heddle_memset32(f->context, 2, 0, 1), bad);
  assert_int_equal(heddle_function_launch(NULL, ONE, ONE, 0, NULL), bad);
  assert_int_equal(heddle_function_launch(function(f, "sizes"), ONE, ONE, 0, NULL), bad);
  assert_int_equal(heddle_function_launch(function(f, "sizes"), ONE, ONE, 0, (void *[]){NULL}), bad);
  must_say(f, "parameter 0 of sizes");
  assert_int_equal(heddle_context_set_mode(f->context, (enum heddle_mode)3), bad);
  assert_int_equal(heddle_synchronize(NULL, 0), bad);
  heddle_context_destroy(NULL);
  heddle_shutdown(NULL);
}

static void every_error_has_words(void **state) {
  (void)state;
  for (int e = HEDDLE_SUCCESS; e < HEDDLE_ERRORS_ALL; e++)
    assert_string_not_equal(heddle_error_text((enum heddle_error)e), "unknown error");
  assert_string_equal(heddle_error_text((enum heddle_error)HEDDLE_ERRORS_ALL), "unknown error");
}

static void ranges_lie_in_one_allocation(void **state) {
  const struct fixture *f = *state;
  const uint64_t a = space(f, 256), b = space(f, 100);
  uint8_t data[600] = {0};
  const enum heddle_error bad = HEDDLE_ERROR_INVALID_ADDRESS;
  OK(heddle_memcpy_to_device(f->context, a, data, 256));
  assert_int_equal(heddle_memcpy_to_device(f->context, a, data, 257), bad);
  must_say(f, "257 bytes at 0x");
  assert_int_equal(heddle_memcpy_to_device(f->context, a - 1, data, 1), bad);
  OK(heddle_memcpy_to_device(f->context, b + 99, data, 1));
  assert_int_equal(heddle_memcpy_to_device(f->context, b + 100, data, 1), bad);
  assert_int_equal(heddle_memcpy_to_host(f->context, data, a, 600), bad);
  assert_int_equal(heddle_memcpy_to_host(f->context, data, 0, 1), bad);
  assert_int_equal(heddle_memcpy_to_host(f->context, data, UINT64_MAX, 8), bad);
  assert_int_equal(heddle_memcpy_on_device(f->context, a, b, 101), bad);
  assert_int_equal(heddle_memset32(f->context, a, 1, UINT64_MAX / 2), bad);
  assert_int_equal(heddle_mem_free(f->context, a + 4), bad);
  OK(heddle_mem_free(f->context, 0));
  OK(heddle_mem_free(f->context, a));
  assert_int_equal(heddle_mem_free(f->context, a), bad); /* twice */
  assert_int_equal(heddle_memset8(f->context, a, 0, 1), bad);
}

static void shapes_and_limits(void **state) { /* of tiny: 4 warps, 256 registers, 8 KiB */
  const struct fixture *f = *state;
  struct heddle_function *fill = function(f, "fill");
  uint64_t out = space(f, 4096), value = 0;
  void *params[] = {&out, &value};
  const enum heddle_error shape = HEDDLE_ERROR_LAUNCH_SHAPE, limits = HEDDLE_ERROR_LAUNCH_LIMITS;
  assert_int_equal(heddle_function_launch(fill, SIZE(0, 1, 1), ONE, 0, params), shape);
  assert_int_equal(heddle_function_launch(fill, ONE, SIZE(1, 0, 1), 0, params), shape);
  assert_int_equal(heddle_function_launch(fill, ONE, SIZE(1025, 1, 1), 0, params), shape);
  assert_int_equal(heddle_function_launch(fill, ONE, SIZE(1, 1, 65), 0, params), shape);
  assert_int_equal(heddle_function_launch(fill, ONE, SIZE(0x10000, 0x10000, 0x10000), 0, params), shape);
  must_say(f, "at most 1024 threads");
  assert_int_equal(heddle_function_launch(fill, ONE, SIZE(129, 1, 1), 0, params), limits);
  must_say(f, "a block has 5 warps, tiny has room for 4");
  assert_int_equal(heddle_function_launch(function(f, "wide"), ONE, SIZE(33, 1, 1), 0, NULL), limits);
  must_say(f, "a block has 2 warps of 250 registers, tiny has 256 warp registers");
  assert_int_equal(heddle_function_launch(fill, ONE, ONE, 8193, params), limits);
  must_say(f, "a block has 8193 bytes of shared memory (8193 of them dynamic), tiny has 8192");
  assert_int_equal(heddle_function_launch(fill, ONE, ONE, UINT32_MAX, params), limits);
  OK(heddle_function_launch(function(f, "local"), ONE, ONE, 0, params));
  OK(heddle_synchronize(f->context, 100));
  OK(heddle_function_launch(fill, ONE, SIZE(128, 1, 1), 8192, params));
  OK(heddle_synchronize(f->context, 100));
  OK(heddle_function_launch(function(f, "wide"), ONE, SIZE(32, 1, 1), 0, NULL));
  OK(heddle_synchronize(f->context, 100));
}

static void blocks_are_what_the_kernel_promises(void **state) {
  const struct fixture *f = *state;
  static const char text[] =
      ".kernel rows\n.regs 4\n.reqntid 32 2 1\n EXIT ;\n.end\n.kernel most\n.regs 4\n"
      ".maxntid 48\n.minnctapersm 2\n EXIT ;\n.end\n.kernel wide\n.regs 4\n.param u64 at align 8\n EXIT "
      ";\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o};
  struct heddle_function_info info;
  struct heddle_function *rows, *most, *wide;
  uint64_t at = 0x10004;
  struct heddle_module *m;
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, sizeof text - 1, "rows.s", &o, &p), HEDDLE_SUCCESS);
  OK(heddle_module_load_program(f->context, p, &m));
  OK(heddle_module_function(m, "rows", &rows));
  OK(heddle_module_function(m, "most", &most));
  const enum heddle_error shape = HEDDLE_ERROR_LAUNCH_SHAPE;
  assert_int_equal(heddle_function_launch(rows, ONE, SIZE(64, 1, 1), 0, NULL), shape);
  must_say(f, "kernel 'rows' requires blocks of 32x2x1 (.reqntid); the launch has 64x1x1");
  assert_int_equal(heddle_function_launch(rows, ONE, SIZE(32, 1, 1), 0, NULL), shape);
  assert_int_equal(heddle_function_launch(most, ONE, SIZE(49, 1, 1), 0, NULL), shape);
  must_say(f, "kernel 'most' takes blocks of at most 48 threads (.maxntid); the launch has 49x1x1");
  OK(heddle_module_function(m, "wide", &wide));
  assert_int_equal(heddle_function_launch(wide, ONE, ONE, 0, (void *[]){&at}), HEDDLE_ERROR_INVALID_VALUE);
  must_say(f, "argument 0 (at) is promised to be a multiple of 8 (.ptr .align); it is 0x10004");
  at += 4;
  OK(heddle_function_launch(wide, ONE, ONE, 0, (void *[]){&at}));
  OK(heddle_function_launch(rows, ONE, SIZE(32, 2, 1), 0, NULL));
  OK(heddle_function_launch(most, ONE, SIZE(3, 4, 4), 0, NULL));
  OK(heddle_synchronize(f->context, 100));
  OK(heddle_function_describe(rows, &info));
  assert_int_equal(heddle_host_block_threads(&info.promise), 64);
  OK(heddle_function_describe(most, &info));
  assert_int_equal(heddle_host_block_threads(&info.promise), 48);
  assert_int_equal(info.promise.blocks, 2);
  OK(heddle_module_unload(m));
}

static void capabilities_are_read(void **state) {
  const struct fixture *f = *state;
  static const struct {
    enum heddle_attribute a;
    uint64_t value;
  } table[] = {{HEDDLE_ATTRIBUTE_WARP_SIZE, 32},        {HEDDLE_ATTRIBUTE_LANES, 4},
               {HEDDLE_ATTRIBUTE_WARP_SLOTS, 4},        {HEDDLE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 128},
               {HEDDLE_ATTRIBUTE_WARP_REGISTERS, 256},  {HEDDLE_ATTRIBUTE_SHARED_BYTES, 8192},
               {HEDDLE_ATTRIBUTE_AXI_BITS, 64},         {HEDDLE_ATTRIBUTE_UNITS, 0x80000007},
               {HEDDLE_ATTRIBUTE_COUNTERS, 10},         {HEDDLE_ATTRIBUTE_SMS, 1},
               {HEDDLE_ATTRIBUTE_MEMORY_BYTES, MEMORY}, {HEDDLE_ATTRIBUTE_MAX_BLOCK_Z, 64},
               {HEDDLE_ATTRIBUTE_VERSION, 0x10004},     {HEDDLE_ATTRIBUTE_L1_BYTES, 0}};
  uint64_t v;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    OK(heddle_device_attribute(f->device, table[i].a, &v));
    assert_int_equal(v, table[i].value);
  }
  assert_int_equal(heddle_device_attribute(f->device, (enum heddle_attribute)99, &v), HEDDLE_ERROR_INVALID_VALUE);
  assert_string_equal(heddle_device_name(f->device), "model");
}

static void traps_are_told_once(void **state) {
  const struct fixture *f = *state;
  struct heddle_trap_info t;
  uint32_t value = 1;
  uint64_t at = space(f, 100) + 100;
  assert_int_equal(heddle_trap_last(f->context, &t), HEDDLE_ERROR_NOT_FOUND);
  OK(heddle_function_launch(function(f, "poke"), SIZE(1, 1, 1), SIZE(40, 1, 1), 0, (void *[]){&at, &value}));
  assert_int_equal(heddle_memset8(f->context, at - 100, 0, 1), HEDDLE_ERROR_TRAPPED); /* whoever comes first */
  must_say(f, "trap out_of_range at poke+0x0060 (pc 0x00f0), block 0,0,0 warp 0 lanes 0x00000001 address 0x");
  assert_non_null(strstr(heddle_context_message(f->context), "\n  in        kernel poke\n  at        "));
  assert_non_null(strstr(heddle_context_message(f->context), "store of 4 bytes, global memory"));
  assert_non_null(strstr(heddle_context_message(f->context), "argument 0 "));
  assert_non_null(strstr(heddle_context_message(f->context), " (100 bytes at "));
  assert_non_null(strstr(heddle_context_message(f->context), "4 bytes beyond its end"));
  OK(heddle_synchronize(f->context, 100));
  OK(heddle_trap_last(f->context, &t));
  assert_int_equal(t.cause, 4);
  assert_string_equal(t.cause_name, "out_of_range");
  assert_string_equal(t.function, "poke");
  assert_int_equal(t.pc, 0xf0);
  assert_int_equal(t.lanes, 1);
  assert_int_equal(t.address, at);
  at -= 4; /* the next grid runs */
  OK(heddle_function_launch(function(f, "poke"), ONE, SIZE(40, 1, 1), 0, (void *[]){&at, &value}));
  assert_int_equal(word_at(f, at), 1);
}

static void grids_that_do_not_end(void **state) {
  const struct fixture *f = *state;
  const uint64_t before = free_bytes(f);
  uint64_t out = space(f, 64);
  OK(heddle_function_launch(function(f, "forever"), ONE, ONE, 0, NULL));
  assert_int_equal(heddle_synchronize(f->context, 0), HEDDLE_ERROR_TIMEOUT);
  assert_int_equal(heddle_synchronize(f->context, 5), HEDDLE_ERROR_TIMEOUT);
  must_say(f, "forever: not finished after 5 ms");
  OK(heddle_context_set_limit(f->context, 2));
  assert_int_equal(heddle_memset8(f->context, out, 0, 1), HEDDLE_ERROR_TIMEOUT);
  must_say(f, "forever: not finished after 2 ms (heddle_context_set_limit)");
  assert_int_equal(heddle_function_launch(function(f, "sizes"), ONE, ONE, 0, (void *[]){&out}), HEDDLE_ERROR_TIMEOUT);
  assert_int_equal(heddle_query(f->context), HEDDLE_ERROR_NOT_READY);
  assert_true(strlen(model_port_diagnosis(f->model)) > 0);
  OK(heddle_abort(f->context));
  OK(heddle_query(f->context));
  OK(heddle_abort(f->context)); /* nothing to stop */
  OK(heddle_function_launch(function(f, "constant"), ONE, ONE, 0, (void *[]){&out}));
  assert_int_equal(word_at(f, out), 0x1234);
  OK(heddle_mem_free(f->context, out));
  assert_int_equal(free_bytes(f), before);
  OK(heddle_function_launch(function(f, "forever"), ONE, ONE, 0, NULL)); /* the context is destroyed over it */
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {ROOMY(values_are_checked),
                                     cmocka_unit_test(every_error_has_words),
                                     ROOMY(ranges_lie_in_one_allocation),
                                     TINY(shapes_and_limits),
                                     TINY(blocks_are_what_the_kernel_promises),
                                     TINY(capabilities_are_read),
                                     ROOMY(traps_are_told_once),
                                     ROOMY(grids_that_do_not_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
