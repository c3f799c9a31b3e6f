/* SPDX-License-Identifier: Apache-2.0
 * Launch arguments as text, and how a launch is laid out in device memory. */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "tests/test.h"
#include "run/job/job.h"
#include "run/runner/launch_options.h"

static void arguments_are_read(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t bits;
    unsigned size;
  } good[] = {{"u32:5", 5, 4},
              {"u8:255", 255, 1},
              {"u64:0xffffffffffffffff", UINT64_MAX, 8},
              {"s32:-1", 0xffffffff, 4},
              {"s16:-32768", 0x8000, 2},
              {"s8:127", 127, 1},
              {"f32:2.5", 0x40200000, 4},
              {"f16:-1.5", 0xbe00, 2},
              {"local:128", 0, 0},
              {"f32:-0", 0x80000000, 4},
              {"f64:1e3", 0x408f400000000000, 8},
              {"bits32:0x7fc00001", 0x7fc00001, 4},
              {"bits64:0x8000000000000000", UINT64_C(1) << 63, 8}};
  struct job j = {0};
  char err[256];
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    if (!job_add_arg(&j, good[i].text, err, sizeof err)) fail_msg("%s: %s", good[i].text, err);
    assert_int_equal(j.arg[i].bits, good[i].bits);
    assert_int_equal(j.arg[i].size, good[i].size);
  }
  job_clear(&j);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"",
                                    "u32",
                                    "u32:",
                                    "u8:256",
                                    "s8:128",
                                    "s8:-129",
                                    "u32:-1",
                                    "u32:1x",
                                    "f32:",
                                    "f32:abc",
                                    "u33:1",
                                    "x:1",
                                    "local:0",
                                    "local:1048577",
                                    "struct:",
                                    "struct:/nowhere/file",
                                    "out:16:f32:",
                                    "out:17:f32:-",
                                    "out:16:",
                                    "in:",
                                    "out:16",
                                    "out::f",
                                    "out:zz:f",
                                    "inout:only",
                                    "u64:0x10000000000000000",
                                    "bits32:0x100000000"};
  struct job j = {0};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char err[256] = "";
    if (job_add_arg(&j, bad[i], err, sizeof err)) fail_msg("'%s' was taken", bad[i]);
    assert_true(strlen(err) > 0); /* and says why */
  }
  assert_int_equal(j.args, 0);
  job_clear(&j);
}

static struct heddle_program *program(void) {
  static const char text[] =
      ".kernel k\n.param u64 a\n.param u32 n\n.param u64 b\n.shared room 48\n.local 32\n MOV R7, R7 ;\n EXIT ;\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {4, 4, 4, 4, 6, 12}};
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, sizeof text - 1, "test", &o, &p), HEDDLE_SUCCESS);
  return p;
}

/* Behind the kernel's own 48 bytes: 100 that have no name, then those of arguments, as aligned as they are long. */
static void shared_memory_of_a_launch(void **state) {
  (void)state;
  static const char text[] = ".kernel k\n.param u64 a\n.param u64 b\n.param u64 c\n.shared room 48\n EXIT ;\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {4, 4, 4, 4, 6, 12}};
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, sizeof text - 1, "test", &o, &p), HEDDLE_SUCCESS);
  const uint32_t one[3] = {1, 1, 1};
  struct job j = {.dynamic_shared = 100};
  char err[256] = "";
  assert_true(job_add_local(&j, 12) && job_add_local(&j, 1024) && job_add_local(&j, 32));
  if (!job_build(&j, p, NULL, one, one, err, sizeof err)) fail_msg("%s", err);
  assert_int_equal(j.addr[0], 160);
  assert_int_equal(j.addr[1], 256);
  assert_int_equal(j.addr[2], 1280);
  assert_int_equal(j.launch.shared_bytes, 1312);
  assert_int_equal(j.launch.regions, 0);
  assert_int_equal(j.cbank0[0x168] | j.cbank0[0x169] << 8, 256);
  job_clear(&j);
  assert_false(job_add_local(&j, JOB_SHARED_MAX + 1));
  j.dynamic_shared = JOB_SHARED_MAX;
  for (unsigned i = 0; i < 3; i++) assert_true(job_add_local(&j, 16));
  assert_false(job_build(&j, p, "k", one, one, err, sizeof err));
  assert_non_null(strstr(err, "more than 1 MiB"));
  job_clear(&j);
  heddle_program_free(p);
}

/* Without a name the only kernel, functions do not count; of several the message names all. */
static void a_kernel_is_chosen(void **state) {
  (void)state;
  struct heddle_kernel k[3] = {{.name = "f", .is_function = true}, {.name = "a"}, {.name = "b"}};
  const struct heddle_program none = {.kernel = k, .kernels = 1}, one = {.kernel = k, .kernels = 2},
                              two = {.kernel = k, .kernels = 3};
  char err[64];
  assert_ptr_equal(job_kernel(&one, NULL, err, sizeof err), &k[1]);
  assert_ptr_equal(job_kernel(&two, "b", err, sizeof err), &k[2]);
  assert_null(job_kernel(&none, NULL, err, sizeof err));
  assert_string_equal(err, "the program has no kernel");
  assert_null(job_kernel(&two, "c", err, sizeof err));
  assert_string_equal(err, "the program has no kernel: c");
  assert_null(job_kernel(&two, NULL, err, sizeof err));
  assert_string_equal(err, "--kernel is needed: the program has a b");
}

/* A kernel of C++ by the name in its source, unless two have it. */
static void a_kernel_has_a_name_in_the_source(void **state) {
  (void)state;
  struct heddle_kernel k[4] = {
      {.name = "_Z4tilePKiPii"}, {.name = "_Z4halfi"}, {.name = "_Z4halff"}, {.name = "_Z5tilesv"}};
  const struct heddle_program p = {.kernel = k, .kernels = 4};
  char err[64];
  assert_ptr_equal(job_kernel(&p, "tile", err, sizeof err), &k[0]);
  assert_ptr_equal(job_kernel(&p, "_Z4halff", err, sizeof err), &k[2]);
  assert_null(job_kernel(&p, "half", err, sizeof err));
  assert_null(job_kernel(&p, "til", err, sizeof err));
  assert_null(job_kernel(&p, "", err, sizeof err));
}

static void sizes_of_a_launch(void **state) {
  (void)state;
  struct launch_size s = {.global = {96, 4, 2}, .block = {32, 2, 1}};
  char err[128];
  assert_true(launch_size_finish(&s, NULL, err, sizeof err));
  assert_true(s.grid[0] == 3 && s.grid[1] == 2 && s.grid[2] == 2);
  s = (struct launch_size){.global = {200, 3, 1}};
  assert_true(launch_size_finish(&s, NULL, err, sizeof err));
  assert_true(s.block[0] == 50 && s.block[1] == 1 && s.grid[0] == 4 && s.grid[1] == 3);
  s = (struct launch_size){.global = {100, 1, 1}, .block = {32, 1, 1}};
  assert_false(launch_size_finish(&s, NULL, err, sizeof err));
  assert_string_equal(err, "--global: 100 threads in X are no whole blocks of 32");
  s = (struct launch_size){.grid = {1, 1, 1}};
  assert_false(launch_size_finish(&s, NULL, err, sizeof err));
  s = (struct launch_size){.grid = {1, 1, 1}, .block = {1, 1, 1}, .global = {1, 1, 1}};
  assert_false(launch_size_finish(&s, NULL, err, sizeof err));
  const struct heddle_promise rows = {.block = {32, 4, 1}}, few = {.threads = 48};
  s = (struct launch_size){.global = {64, 8, 1}};
  assert_true(launch_size_waits(&s) && launch_size_finish(&s, &rows, err, sizeof err));
  assert_true(s.block[0] == 32 && s.block[1] == 4 && s.grid[0] == 2 && s.grid[1] == 2);
  s = (struct launch_size){.global = {64, 6, 1}};
  assert_false(launch_size_finish(&s, &rows, err, sizeof err));
  assert_string_equal(err, "--global: 6 threads in Y are no whole blocks of 4");
  s = (struct launch_size){.global = {64, 1, 1}};
  assert_true(launch_size_finish(&s, &few, err, sizeof err) && s.block[0] == 32);
  s = (struct launch_size){.global = {64, 8, 1}, .block = {16, 8, 1}};
  assert_true(!launch_size_waits(&s) && launch_size_finish(&s, &rows, err, sizeof err) && s.block[0] == 16);
  uint32_t size[3];
  static const char *const bad[] = {"", "0", "1,", "1,2,3,4", "-1", "x", "2147483648", "1 "};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(launch_size_take(bad[i], size));
  assert_true(launch_size_take("7,8", size) && size[0] == 7 && size[1] == 8 && size[2] == 1);
}

static uint32_t get32(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void a_launch_is_laid_out(void **state) {
  (void)state;
  struct heddle_program *p = program();
  struct job j = {0};
  char err[256] = "";
  const uint32_t grid[3] = {2, 3, 4}, block[3] = {32, 2, 1};
  assert_true(job_add_buffer(&j, NULL, 1000, false));
  assert_true(job_add_scalar(&j, 77, 4));
  assert_true(job_add_buffer(&j, NULL, 24, true));
  if (!job_build(&j, p, "k", grid, block, err, sizeof err)) fail_msg("%s", err);
  const struct heddle_launch *l = &j.launch;
  assert_int_equal(l->regs, 8);
  assert_int_equal(l->shared_bytes, 48);
  assert_int_equal(l->local_bytes, 32);
  assert_int_equal(l->regions, 2);
  assert_int_equal(l->region[0].limit - l->region[0].base, 1000);
  assert_false(l->region[0].writable);
  assert_true(l->region[1].writable);
  assert_true(l->region[1].base >= l->region[0].limit + JOB_GUARD); /* a stray access traps */
  const uint8_t *c = l->cbank[0];
  const uint32_t sizes[6] = {32, 2, 1, 2, 3, 4};
  for (unsigned i = 0; i < 6; i++) assert_int_equal(get32(c + 4 * i), sizes[i]);
  assert_int_equal(get32(c + 0x28), 32); /* the stack begins at the end of local memory */
  assert_int_equal(get32(c + 0x160), (uint32_t)j.addr[0]);
  assert_int_equal(get32(c + 0x168), 77);
  assert_int_equal(get32(c + 0x170), (uint32_t)j.addr[2]); /* naturally aligned behind the u32 */
  job_clear(&j);
  heddle_program_free(p);
}

/* In front of the buffers, at the same place whatever the buffers are; as many as there may be beside them. */
static void module_variables_have_a_place(void **state) {
  (void)state;
  static const char text[] = ".globals 20 16\n.initial 0 9\n.initial 8 4\n.address 8\n.kernel k\n EXIT ;\n.end\n"
                             ".kernel p\n.param u64 a\n EXIT ;\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {4, 4, 4, 4, 6, 12}};
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, sizeof text - 1, "test", &o, &p), HEDDLE_SUCCESS);
  const uint32_t one[3] = {1, 1, 1};
  uint64_t place[2];
  for (unsigned k = 0; k < 2; k++) {
    struct job j = {0};
    char err[256] = "";
    if (k) assert_true(job_add_buffer(&j, NULL, 5000, true));
    if (!job_build(&j, p, k ? "p" : "k", one, one, err, sizeof err)) fail_msg("%s", err);
    place[k] = j.global_addr;
    assert_int_equal(place[k] % HEDDLE_GLOBAL_ALIGN, 0);
    assert_int_equal(j.launch.regions, 1 + k);
    assert_int_equal(j.launch.region[0].base, place[k]);
    assert_int_equal(j.launch.region[0].limit, place[k] + 20);
    assert_true(j.launch.region[0].writable);
    assert_int_equal(get32(j.cbank0 + 0x30), (uint32_t)place[k]);
    assert_int_equal(get32(j.cbank0 + 0x34), place[k] >> 32);
    assert_int_equal(get32(j.global), 9);
    assert_int_equal(get32(j.global + 8), (uint32_t)place[k] + 4);
    assert_int_equal(get32(j.global + 16), 0);
    assert_true(place[k] + 20 + 4096 <= j.mem_base + j.mem_bytes);
    if (k) assert_true(j.addr[0] >= place[k] + 20 + JOB_GUARD);
    job_clear(&j);
  }
  assert_int_equal(place[0], place[1]);
  struct job j = {0};
  char err[256] = "";
  for (unsigned k = 0; k < JOB_BUFFERS_MAX; k++) assert_true(job_add_buffer(&j, NULL, 8, true));
  assert_false(job_build(&j, p, "p", one, one, err, sizeof err));
  assert_non_null(strstr(err, "more than 15 buffers"));
  job_clear(&j);
  heddle_program_free(p);
}

static uint8_t *bytes_of(uint64_t n, uint8_t value) {
  uint8_t *p = malloc(n);
  assert_non_null(p);
  memset(p, value, n);
  return p;
}

/* As a host had it: what lies where is the host's, and no more than that may be touched. */
static void memory_of_a_host_keeps_its_addresses(void **state) {
  (void)state;
  static const char text[] = ".globals 20 16\n.kernel p\n.param u64 a\n EXIT ;\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {4, 4, 4, 4, 6, 12}};
  struct heddle_program *p;
  (void)heddle_assemble(text, sizeof text - 1, "test", &o, &p);
  const uint32_t one[3] = {1, 1, 1};
  char err[256] = "";
  struct job j = {.variables_at = 0x203100};
  assert_non_null(p);
  assert_true(job_add_scalar(&j, 0x201104, 8));
  assert_true(job_add_place(&j, 0x201100, bytes_of(100, 1), 100));
  uint8_t *below = bytes_of(8, 0);
  assert_false(job_add_place(&j, 0x201160, below, 8)); /* overlaps */
  assert_false(job_add_place(&j, 0x200000, below, 8));
  free(below);
  assert_true(job_add_place(&j, 0x203000, bytes_of(300, 2), 300));
  if (!job_build(&j, p, "p", one, one, err, sizeof err)) fail_msg("%s", err);
  assert_int_equal(j.mem_base, 0x201000);
  assert_true(j.mem_bytes >= 0x203000 + 300 - 0x201000);
  assert_int_equal(j.launch.regions, 2);
  assert_true(j.launch.region[1].base == 0x203000 && j.launch.region[1].limit == 0x203000 + 300);
  assert_int_equal(j.global_addr, 0x203100);
  assert_int_equal(get32(j.cbank0 + 0x30), 0x203100);
  uint8_t *image = calloc(1, j.mem_bytes);
  job_store_inputs(&j, image);
  assert_true(image[0xff] == 0 && image[0x100] == 1 && image[0x163] == 1 && image[0x164] == 0);
  assert_true(image[0x1fff] == 0 && image[0x2000] == 2 && image[0x2100] == 2);
  free(image);
  free(j.cbank0);
  j.cbank0 = NULL;
  j.variables_at = 0x203000 + 16;
  assert_false(job_build(&j, p, "p", one, one, err, sizeof err));
  assert_non_null(strstr(err, "module variables do not begin at a multiple of 256"));
  j.place[1].bytes = 0x100 + 10; /* ten bytes are no room for 20 */
  j.variables_at = 0x203100;
  assert_false(job_build(&j, p, "p", one, one, err, sizeof err));
  assert_non_null(strstr(err, "module variables are not inside"));
  job_clear(&j);
  heddle_program_free(p);
}

static void launches_that_cannot_be(void **state) {
  (void)state;
  struct heddle_program *p = program();
  static const uint32_t one[3] = {1, 1, 1}, zero[3] = {1, 0, 1}, large[3] = {1024, 2, 1}, deep[3] = {1, 1, 65};
  const struct {
    const char *kernel;
    const uint32_t *grid, *block;
    unsigned scalar_size, buffers;
  } bad[] = {{"other", one, one, 4, 2}, {"k", zero, one, 4, 2}, {"k", one, zero, 4, 2}, {"k", one, large, 4, 2},
             {"k", one, deep, 4, 2},    {"k", one, one, 8, 2},  {"k", one, one, 4, 1}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct job j = {0};
    char err[256] = "";
    assert_true(job_add_buffer(&j, NULL, 8, true));
    assert_true(job_add_scalar(&j, 1, bad[i].scalar_size));
    if (bad[i].buffers == 2) assert_true(job_add_buffer(&j, NULL, 8, true));
    if (job_build(&j, p, bad[i].kernel, bad[i].grid, bad[i].block, err, sizeof err))
      fail_msg("launch %zu was built", i);
    assert_true(strlen(err) > 0);
    job_clear(&j);
  }
  heddle_program_free(p);
}

static void blocks_that_a_kernel_does_not_take(void **state) {
  (void)state;
  static const char text[] = ".kernel rows\n.reqntid 32 4 1\n EXIT ;\n.end\n.kernel most\n.maxntid 64\n EXIT ;\n.end\n";
  static const struct {
    const char *kernel;
    uint32_t block[3];
    const char *words; /* NULL: it takes them */
  } cases[] = {
      {"rows", {32, 4, 1}, NULL},
      {"rows", {16, 8, 1}, "kernel 'rows' requires blocks of 32x4x1 (.reqntid); the launch has 16x8x1"},
      {"rows", {128, 1, 1}, "kernel 'rows' requires blocks of 32x4x1 (.reqntid); the launch has 128x1x1"},
      {"most", {8, 4, 2}, NULL},
      {"most", {1, 1, 1}, NULL},
      {"most", {13, 5, 1}, "kernel 'most' takes blocks of at most 64 threads (.maxntid); the launch has 13x5x1"}};
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {4, 4, 4, 4, 6, 12}};
  const uint32_t one[3] = {1, 1, 1};
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, sizeof text - 1, "test", &o, &p), HEDDLE_SUCCESS);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct job j = {0};
    char err[256] = "";
    const bool built = job_build(&j, p, cases[i].kernel, one, cases[i].block, err, sizeof err);
    assert_int_equal(built, !cases[i].words);
    assert_string_equal(err, cases[i].words ? cases[i].words : "");
    job_clear(&j);
  }
  heddle_program_free(p);
}

static void addresses_that_a_kernel_does_not_take(void **state) {
  (void)state;
  static const char text[] = ".kernel k\n.param u64 a align 16\n.param u64 b\n EXIT ;\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {4, 4, 4, 4, 6, 12}};
  const uint32_t one[3] = {1, 1, 1};
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, sizeof text - 1, "test", &o, &p), HEDDLE_SUCCESS);
  for (unsigned at = 0; at < 64; at += 8) {
    struct job j = {0};
    char err[256] = "";
    assert_true(job_add_scalar(&j, at, 8) && job_add_scalar(&j, 3, 8));
    assert_int_equal(job_build(&j, p, NULL, one, one, err, sizeof err), at % 16 == 0);
    if (at == 24)
      assert_string_equal(err,
                          "kernel 'k': argument 0 (a) is promised to be a multiple of 16 (.ptr .align); it is 0x18");
    job_clear(&j);
  }
  heddle_program_free(p);
}

static void too_many_buffers(void **state) {
  (void)state;
  struct job j = {0};
  assert_false(job_add_buffer(&j, NULL, JOB_BYTES_MAX + 1, true));
  for (unsigned i = 0; i < JOB_ARGS_MAX; i++) assert_true(job_add_scalar(&j, i, 4));
  assert_false(job_add_scalar(&j, 0, 4));
  job_clear(&j);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arguments_are_read),
                                     cmocka_unit_test(bad_arguments_are_refused),
                                     cmocka_unit_test(a_launch_is_laid_out),
                                     cmocka_unit_test(shared_memory_of_a_launch),
                                     cmocka_unit_test(a_kernel_is_chosen),
                                     cmocka_unit_test(a_kernel_has_a_name_in_the_source),
                                     cmocka_unit_test(sizes_of_a_launch),
                                     cmocka_unit_test(launches_that_cannot_be),
                                     cmocka_unit_test(blocks_that_a_kernel_does_not_take),
                                     cmocka_unit_test(addresses_that_a_kernel_does_not_take),
                                     cmocka_unit_test(module_variables_have_a_place),
                                     cmocka_unit_test(too_many_buffers),
                                     cmocka_unit_test(memory_of_a_host_keeps_its_addresses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
