/* SPDX-License-Identifier: Apache-2.0
 * A host on RTL and model side by side: what is judged from which launch on, what a difference does to the host, what
 * is left of the device. Of the smallest machine, one with faults among them. */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/checker.h>
#include <heddle/model.h>
#include "tests/test.h"
#include "tests/firmware/board_host.h"
#include "tests/firmware/driver_program.h"

static const struct heddle_size one = {1, 1, 1}, two_warps = {64, 1, 1};

static void must_say(const struct host *h, const char *words) {
  if (!strstr(heddle_context_message(h->context), words))
    fail_msg("'%s' is not in '%s'", words, heddle_context_message(h->context));
}

static void must_report(const struct host *h, const char *words) {
  if (!strstr(heddle_sim_diagnosis(h->sim), words))
    fail_msg("'%s' is not in '%s'", words, heddle_sim_diagnosis(h->sim));
}

/* It takes memory, runs and stops grids. */
static void must_be_usable(const struct host *h) {
  OK(heddle_memset32(h->context, h->out, 77, 192));
  assert_int_equal(host_word(h, h->out + 4), 77);
  OK(heddle_function_launch(host_function(h, "forever"), one, one, 0, NULL));
  assert_int_equal(heddle_synchronize(h->context, 0), HEDDLE_ERROR_TIMEOUT);
  OK(heddle_abort(h->context));
  OK(heddle_query(h->context));
}

/* Fault 5 spoils an operand of nearly every kernel (lab/verify/faults), and not of `forever`, which has none. */
static void a_fault_stops_a_host(void **state) {
  (void)state;
  assert_int_equal(setenv("HEDDLE_FAULT", "5", 1), 0);
  struct host h = host_open("lockstep:tiny_faults");
  for (unsigned turn = 1; turn < 4; turn += 2) { /* launches 1 and 3 */
    assert_int_equal(host_fill(&h, 5), HEDDLE_ERROR_DIFFERENCE);
    must_say(&h, "fill: lockstep:tiny_faults, launch ");
    must_say(&h, turn == 1 ? "launch 1: operand.value in cycle " : "launch 3: operand.value in cycle ");
    must_report(&h, "difference: operand.value");
    must_report(&h, "history of the warp");
    must_report(&h, "S2R R0, SR_CTAID.X");
    const struct heddle_checker_difference *d = heddle_sim_difference(h.sim);
    assert_non_null(d);
    assert_int_equal(d->kind, HEDDLE_CHECKER_OPERAND_VALUE);
    assert_true(d->has_warp && d->lanes != 0);
    assert_null(heddle_sim_undefined(h.sim));
    OK(heddle_query(h.context)); /* it is told once */
    must_be_usable(&h);
    assert_string_equal(heddle_sim_diagnosis(h.sim), "");
    assert_null(heddle_sim_difference(h.sim));
  }
  host_close(&h);
  h = host_open("lockstep:tiny_faults@3");
  for (uint32_t i = 0; i < 2; i++) {
    OK(host_fill(&h, i)); /* the model has no fault */
    assert_int_equal(host_cycles(&h), 6 * 9);
    assert_int_equal(host_word(&h, h.out + 4 * 191), 191 + i);
  }
  assert_int_equal(host_fill(&h, 2), HEDDLE_ERROR_DIFFERENCE);
  must_say(&h, "launch 3: operand.value");
  host_close(&h);
  assert_int_equal(unsetenv("HEDDLE_FAULT"), 0);
}

/* Module variables, buffers, what is loaded and allocated between: RTL finds it as the model left it. */
static void what_the_model_left_is_there(void **state) {
  (void)state;
  size_t bytes;
  uint8_t *elf = driver_globals_program(&bytes);
  struct host h = host_open("lockstep:tiny@3");
  struct host v = h;
  OK(heddle_module_load_data(h.context, elf, bytes, &v.module));
  for (uint32_t i = 0; i < 5; i++) {
    uint64_t out = h.out + 4 * i;
    OK(heddle_function_launch(host_function(&v, "count"), one, one, 0, (void *[]){&out}));
    OK(heddle_synchronize(h.context, 1000));
    assert_int_equal(host_cycles(&h) > 8, i >= 2);          /* the model counts instructions */
    if (i == 1) OK(heddle_mem_alloc(h.context, 256, &out)); /* one region more */
  }
  for (uint32_t i = 0; i < 5; i++) assert_int_equal(host_word(&h, h.out + 4 * i), 5 + i);
  uint64_t from = h.out, to = h.out + 64;
  OK(heddle_function_launch(host_function(&h, "peek"), one, one, 0, (void *[]){&from, &to}));
  assert_int_equal(host_word(&h, to), 5);
  host_close(&h);
  free(elf);
}

/* The same seed is the same run; another one has other answers of memory. */
static void the_seed_is_that_of_the_environment(void **state) {
  (void)state;
  static const char *const board[] = {"rtl:tiny", "lockstep:tiny"}, *const seed[] = {NULL, "1", "7", "7"};
  for (unsigned b = 0; b < 2; b++) {
    uint64_t cycles[4];
    for (unsigned i = 0; i < 4; i++) {
      host_environment(board[b], seed[i], NULL);
      struct host h = host_open(NULL);
      OK(host_fill(&h, 1));
      cycles[i] = host_cycles(&h);
      host_close(&h);
    }
    assert_int_equal(cycles[2], cycles[3]);
    assert_int_not_equal(cycles[1], cycles[2]);
    if (b == 0) assert_int_not_equal(cycles[0], cycles[1]); /* without a seed rtl: has calm memory */
    if (b == 1) assert_int_equal(cycles[0], cycles[1]);
  }
  host_environment(NULL, NULL, NULL);
}

static struct heddle_function *assembled(const struct host *h, const char *text) {
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {13, 13, 13, 13}};
  struct heddle_program *p;
  (void)heddle_assemble(text, strlen(text), "own.s", &o, &p);
  struct heddle_module *m;
  struct heddle_function *f;
  assert_non_null(p);
  OK(heddle_module_load_program(h->context, p, &m));
  OK(heddle_module_function(m, "own", &f));
  return f;
}

/* Each warp waits at a barrier of its own for the other one. */
static const char stuck[] =
    ".kernel own\n S2R R0, SR_TID.X ;\n ISETP.GE.U32.AND P0, PT, R0, 0x20, PT ;\n@P0 BRA other ;\n"
    " BAR.SYNC 0x0, 0x40 ;\n EXIT ;\nother:\n BAR.SYNC 0x1, 0x40 ;\n EXIT ;\n.end\n";

static void faults_of_programs_are_told(void **state) {
  (void)state;
  struct heddle_trap_info t;
  struct host h = host_open("lockstep:tiny");
  uint64_t out = h.out;
  OK(heddle_function_launch(assembled(&h, stuck), one, two_warps, 0, NULL));
  assert_int_equal(heddle_synchronize(h.context, 1000), HEDDLE_ERROR_LIMIT);
  must_say(&h, "own: lockstep:tiny, launch 1: deadlock");
  must_report(&h, "hung: deadlock");
  OK(host_fill(&h, 3));
  assert_int_equal(host_word(&h, out + 4), 4);
  OK(heddle_function_launch(assembled(&h, ".kernel own\n.param u64 out\n MOV R2, c[0x0][out] ;\n MOV R3, "
                                          "c[0x0][out+4] ;\n STG.E [R2], R7 ;\n EXIT ;\n.end\n"),
                            one, one, 0, (void *[]){&out}));
  assert_int_equal(heddle_synchronize(h.context, 1000), HEDDLE_ERROR_TRAPPED);
  OK(heddle_trap_last(h.context, &t));
  assert_string_equal(t.cause_name, "undefined_read");
  must_report(&h, "undefined");
  assert_non_null(heddle_sim_undefined(h.sim));
  assert_string_equal(heddle_sim_undefined(h.sim)->origin, "R7");
  assert_null(heddle_sim_difference(h.sim));
  out = h.out + 768;
  uint32_t value = 1;
  OK(heddle_function_launch(host_function(&h, "poke"), one, two_warps, 0, (void *[]){&out, &value}));
  assert_int_equal(heddle_synchronize(h.context, 1000), HEDDLE_ERROR_TRAPPED);
  OK(heddle_trap_last(h.context, &t));
  assert_string_equal(t.cause_name, "out_of_range");
  assert_int_equal(t.address, out);
  assert_null(heddle_sim_undefined(h.sim));
  host_close(&h);
}

/* STATUS of a launch whose code is 16 bytes of zeros, with this MODE, by registers alone. */
static uint32_t status_without_driver(const struct heddle_port *p, uint32_t grid, uint32_t mode) {
  const uint32_t base = (uint32_t)p->memory_base;
  const uint32_t to[][2] = {{HEDDLE_REG_GRID_X, grid},
                            {HEDDLE_REG_GRID_Y, 1},
                            {HEDDLE_REG_GRID_Z, 1},
                            {HEDDLE_REG_BLOCK_X, 32},
                            {HEDDLE_REG_BLOCK_Y, 1},
                            {HEDDLE_REG_BLOCK_Z, 1},
                            {HEDDLE_REG_REGS, 8},
                            {HEDDLE_REG_CODE_BASE, base},
                            {HEDDLE_REG_CODE_BYTES, 16},
                            {HEDDLE_REG_MODE, mode},
                            {HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START}};
  uint32_t status = HEDDLE_STATUS_RUNNING;
  for (size_t i = 0; i < sizeof to / sizeof *to; i++) assert_true(p->write32(p->self, to[i][0], to[i][1]));
  for (unsigned n = 0; n < 1000 && status == HEDDLE_STATUS_RUNNING; n++) {
    p->wait(p->self, 10);
    assert_true(p->read32(p->self, HEDDLE_REG_STATUS, &status));
  }
  return status;
}

/* What the device refuses is no difference; words that are no instruction trap on both sides; another divergence unit
 * than the model's is no launch, and says so. */
static void registers_alone_do(void **state) {
  (void)state;
  const struct heddle_sim_options o = {.size = sizeof o, .name = "lockstep:tiny", .quiet = true};
  struct heddle_sim *sim;
  uint32_t units, cause;
  const char *why;
  struct heddle_message msg;
  OK(heddle_sim_open(&o, &sim, &msg));
  const struct heddle_port *p = heddle_sim_port(sim);
  assert_true(p->read32(p->self, HEDDLE_REG_CAP_UNITS, &units) && (units & HEDDLE_CAP_UNITS_ITS) != 0);
  const uint32_t no_grid = HEDDLE_STATUS_REFUSED | (uint32_t)HEDDLE_REFUSE_GRID << HEDDLE_STATUS_REFUSE_SHIFT;
  assert_int_equal(status_without_driver(p, 0, 0), no_grid);
  OK(p->verdict(p->self, &why));
  assert_int_equal(status_without_driver(p, 1, 0), HEDDLE_STATUS_TRAPPED);
  OK(p->verdict(p->self, &why));
  assert_true(p->read32(p->self, HEDDLE_REG_TRAP_CAUSE, &cause) && cause == HEDDLE_TRAP_ILLEGAL);
  assert_int_equal(status_without_driver(p, 1, HEDDLE_MODE_ITS), HEDDLE_STATUS_TRAPPED);
  assert_int_equal(p->verdict(p->self, &why), HEDDLE_ERROR_NOT_SUPPORTED);
  assert_non_null(strstr(why, "stack"));
  assert_int_equal(status_without_driver(p, 0, HEDDLE_MODE_SCOREBOARD), no_grid);
  OK(p->verdict(p->self, &why));
  heddle_sim_close(sim);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fault_stops_a_host),
      cmocka_unit_test(what_the_model_left_is_there),
      cmocka_unit_test(the_seed_is_that_of_the_environment),
      cmocka_unit_test(faults_of_programs_are_told),
      cmocka_unit_test(registers_alone_do),
  };
  host_environment(NULL, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
