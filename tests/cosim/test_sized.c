/* SPDX-License-Identifier: Apache-2.0
 * Options say their size: an older host's are taken, a newer one's unless they ask for what is not there, and none
 * without a size. What fills them keeps to the room that there is. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#include <heddle/asm.h>
#include <heddle/device.h>
#include <heddle/line_port.h>
#include <heddle/lint.h>
#include <heddle/model.h>
#include <heddle/ptx.h>
#include <heddle/session.h>

static const char text[] = ".kernel k\n.stalls 5 6 8 7 6 12\n EXIT ;\n.end\n";
static const char ptx[] = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";

static struct heddle_program *assembled(void) {
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, sizeof text - 1, "k.s",
                                   &(struct heddle_asm_options){.size = sizeof(struct heddle_asm_options)}, &p),
                   HEDDLE_SUCCESS);
  return p;
}

/* Each: do these options work? */
static bool model(const void *o) {
  struct heddle_model *m = heddle_model_new(o);
  heddle_model_free(m);
  return m != NULL;
}

static bool session(const void *o) {
  struct heddle_session *s;
  const enum heddle_error e = heddle_session_open(o, &s, NULL);
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
  return e == HEDDLE_SUCCESS;
}

static bool compiler(const void *o) {
  struct heddle_program *p;
  (void)heddle_ptx_compile(ptx, sizeof ptx - 1, "k.ptx", o, &p, NULL, NULL);
  heddle_program_free(p);
  return p != NULL;
}

static bool assembler(const void *o) {
  struct heddle_program *p;
  (void)heddle_assemble(text, sizeof text - 1, "k.s", o, &p);
  heddle_program_free(p);
  return p != NULL;
}

static bool lint(const void *o) {
  struct heddle_program *p = assembled();
  const enum heddle_lint_verdict v = heddle_lint(p, o, NULL);
  heddle_program_free(p);
  assert_true(v == HEDDLE_LINT_PROVEN || v == HEDDLE_LINT_BAD_OPTIONS);
  return v != HEDDLE_LINT_BAD_OPTIONS;
}

static bool checker(const void *o) {
  const struct heddle_model_config mc = {.size = sizeof mc, .bytes = 4096, .warp_slots = 4, .block_slots = 2};
  struct heddle_program *p = assembled();
  struct heddle_model *m = heddle_model_new(&mc);
  const struct heddle_launch l = {.size = sizeof l,
                                  .code = p->code,
                                  .code_bytes = p->code_bytes,
                                  .regs = p->kernel[0].regs,
                                  .grid = {1, 1, 1},
                                  .block = {32, 1, 1},
                                  .units = UINT32_MAX};
  assert_int_equal(heddle_model_launch(m, &l), HEDDLE_SUCCESS);
  struct heddle_checker *c = heddle_checker_new(m, &l, o);
  heddle_checker_free(c);
  heddle_model_free(m);
  heddle_program_free(p);
  return c != NULL;
}

static bool memory(const void *o) {
  struct heddle_axi_mem *m = heddle_axi_mem_new(o);
  heddle_axi_mem_free(m);
  return m != NULL;
}

/* Good options are taken by both, others by neither. */
static bool port(const void *o) {
  const struct heddle_line_port_options good = {
      .size = sizeof good, .bits = 256, .sms = 1, .tags = 1, .atoms = 1, .bytes = 4096, .latency = 1, .latency_max = 1};
  struct heddle_line_port *fixed = heddle_line_port_new(&good), *p = heddle_line_port_new(o);
  assert_non_null(fixed);
  assert_int_equal(heddle_line_port_retime(fixed, o), p != NULL);
  heddle_line_port_free(fixed);
  heddle_line_port_free(p);
  return p != NULL;
}

/* There is no such device, and what is said is that, once the options have been taken. */
static bool device(const void *o) {
  struct heddle_message msg;
  struct heddle_dut *d;
  const enum heddle_error e = heddle_dut_open("/nowhere", "verilator", "tiny", o, &d, &msg);
  assert_null(d);
  const bool size = strcmp(msg.text, "the device's options are of another release: no size of their own") == 0;
  assert_true(size != (strstr(msg.text, "verilator_tiny is not built") != NULL));
  assert_int_equal(e, size ? HEDDLE_ERROR_INVALID_VALUE : HEDDLE_ERROR_NO_DEVICE);
  return !size;
}

static bool device_memory(const void *o) {
  struct heddle_message msg;
  const struct heddle_dut_options d = {.size = sizeof d, .memory = o};
  struct heddle_dut *out;
  assert_int_not_equal(heddle_dut_open("/nowhere", "verilator", "tiny", &d, &out, &msg), HEDDLE_SUCCESS);
  return strstr(msg.text, "have no memory, or one of another release") == NULL;
}

/* `old`: where an older release's options may have ended, all that works here being before it. */
static void sizes(bool (*works)(const void *), const void *good, size_t bytes, size_t old) {
  unsigned char *o = calloc(1, bytes + 16);
  assert_non_null(o);
  const size_t newer = bytes + 16, none = 0, less = sizeof(size_t) - 1, huge = SIZE_MAX;
  memcpy(o, good, bytes);
  assert_true(works(o));
  memcpy(o, &newer, sizeof newer); /* of it nothing is set */
  assert_true(works(o));
  o[bytes + 15] = 1;
  assert_false(works(o));
  memcpy(o, &none, sizeof none);
  assert_false(works(o));
  memcpy(o, &less, sizeof less);
  assert_false(works(o));
  memcpy(o, &huge, sizeof huge);
  assert_false(works(o));
  memcpy(o, &old, sizeof old);
  memset(o + old, 0xff, newer - old); /* not looked at */
  assert_true(works(o));
  free(o);
}

static void every_one_says_its_size(void **state) {
  (void)state;
  const struct heddle_model_config m = {.size = sizeof m, .bytes = 64, .warp_slots = 1, .block_slots = 1};
  const struct heddle_session_config s = {.size = sizeof s, .mode = HEDDLE_SESSION_MODEL, .memory_bytes = 64};
  const struct heddle_ptx_options c = {.size = sizeof c, .level = 1};
  const struct heddle_asm_options a = {.size = sizeof a};
  const struct heddle_lint_options l = {.size = sizeof l};
  sizes(model, &m, sizeof m, offsetof(struct heddle_model_config, sm));
  sizes(session, &s, sizeof s, offsetof(struct heddle_session_config, wave));
  sizes(compiler, &c, sizeof c, offsetof(struct heddle_ptx_options, max_regs));
  sizes(assembler, &a, sizeof a, offsetof(struct heddle_asm_options, message));
  sizes(lint, &l, sizeof l, offsetof(struct heddle_lint_options, finding));
}

static void so_do_checker_and_devices(void **state) {
  (void)state;
  const struct heddle_checker_config c = {.size = sizeof c, .lanes = 4, .warp_slots = 4, .block_slots = 2};
  const struct heddle_axi_mem_config m = {.size = sizeof m, .bytes = 4096, .data_bytes = 8};
  const struct heddle_line_port_options p = {
      .size = sizeof p, .bits = 256, .sms = 1, .tags = 1, .atoms = 1, .bytes = 4096, .latency = 1, .latency_max = 1};
  const struct heddle_dut_options d = {.size = sizeof d, .memory = &m};
  sizes(checker, &c, sizeof c, offsetof(struct heddle_checker_config, shared_bytes));
  sizes(memory, &m, sizeof m, offsetof(struct heddle_axi_mem_config, stall));
  sizes(port, &p, sizeof p, offsetof(struct heddle_line_port_options, seed));
  sizes(device, &d, sizeof d, offsetof(struct heddle_dut_options, fault));
  sizes(device_memory, &m, sizeof m, offsetof(struct heddle_axi_mem_config, stall));
  assert_false(device_memory(NULL));
}

/* Older options become as whole ones as far as they go, and behind them nothing is written; without a size nothing is.
 */
static void fills(void (*fill)(void *), size_t bytes, size_t old) {
  unsigned char *whole = calloc(2, bytes), *o = whole + bytes;
  const size_t none = 0;
  assert_non_null(whole);
  memcpy(whole, &bytes, sizeof bytes);
  fill(whole);
  memcpy(o, &old, sizeof old);
  memset(o + old, 0xa5, bytes - old);
  fill(o);
  assert_memory_equal(o + sizeof old, whole + sizeof old, old - sizeof old);
  for (size_t i = old; i < bytes; i++) assert_int_equal(o[i], 0xa5);
  memset(o, 0xa5, bytes);
  memcpy(o, &none, sizeof none);
  fill(o);
  for (size_t i = sizeof none; i < bytes; i++) assert_int_equal(o[i], 0xa5);
  free(whole);
}

static void memory_calm(void *o) {
  heddle_axi_mem_calm(o);
}
static void memory_adversarial(void *o) {
  heddle_axi_mem_adversarial(o, 5);
}
static void port_calm(void *o) {
  heddle_line_port_calm(o, 256, 7);
}
static void port_adversarial(void *o) {
  heddle_line_port_adversarial(o, 256, 5);
}

static void what_fills_them_keeps_to_their_size(void **state) {
  (void)state;
  const size_t m = offsetof(struct heddle_axi_mem_config, stall),
               p = offsetof(struct heddle_line_port_options, reorder);
  fills(memory_calm, sizeof(struct heddle_axi_mem_config), m);
  fills(memory_adversarial, sizeof(struct heddle_axi_mem_config), m);
  fills(port_calm, sizeof(struct heddle_line_port_options), p);
  fills(port_adversarial, sizeof(struct heddle_line_port_options), p);
}

static void lint_does_without(void **state) {
  (void)state;
  assert_true(lint(NULL));
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_one_says_its_size), cmocka_unit_test(so_do_checker_and_devices),
      cmocka_unit_test(what_fills_them_keeps_to_their_size), cmocka_unit_test(lint_does_without)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
