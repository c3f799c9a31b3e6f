/* SPDX-License-Identifier: Apache-2.0
 * A debugger's port that answers right, wrong and not at all. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
/* cmocka wants those before it */

#include "tests/test.h"
#include "lab/study/simd/count/remote.h"

static struct simd_remote r;
static int far;

/* A port that has already said `text`: no question is read. */
static void port(const char *said) {
  int pair[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  memset(&r, 0, sizeof r);
  r.fd = pair[0];
  far = pair[1];
  assert_int_equal(write(far, said, strlen(said)), (ssize_t)strlen(said));
  (void)shutdown(far, SHUT_WR);
}

static void hang_up(void) {
  simd_remote_close(&r);
  (void)close(far);
}

/* "$TEXT#XX" */
static const char *packet(const char *payload) {
  static char p[9000];
  unsigned sum = 0;
  for (const char *c = payload; *c; c++) sum += (unsigned char)*c;
  (void)snprintf(p, sizeof p, "+$%s#%02x", payload, sum & 255);
  return p;
}

static void registers_are_read(void **state) {
  (void)state;
  uint64_t value;
  uint8_t raw[SIMD_REGISTER_MAX];
  size_t bytes;
  port(packet("f811010000000080"));
  assert_true(simd_remote_word(&r, 32, &value));
  assert_int_equal(value, UINT64_C(0x80000000000111f8));
  char asked[32] = "";
  assert_true(read(far, asked, sizeof asked - 1) > 0);
  assert_non_null(strstr(asked, "$p20#d2")); /* 0x70 + 0x32 + 0x30 */
  hang_up();
  port(packet("a5ff"));
  assert_true(simd_remote_register(&r, 65, raw, &bytes));
  assert_int_equal(bytes, 2);
  assert_int_equal(raw[0], 0xa5);
  hang_up();
}

static void register_refused(const char *said, const char *why) {
  uint64_t value;
  port(said);
  assert_false(simd_remote_word(&r, 32, &value));
  if (!strstr(r.error, why)) fail_msg("'%s' does not say '%s'", r.error, why);
  hang_up();
}

static void wrong_answers_are_refused(void **state) {
  (void)state;
  register_refused("", "ended before");
  register_refused("+$f8110100", "ended before");
  register_refused("+$f811010000000080#00", "wrong checksum");
  register_refused(packet("f811"), "2 bytes, not 8");
  register_refused(packet("f81"), "no register 32");
  register_refused(packet(""), "no register 32");
  register_refused(packet("zz11010000000080"), "zz11");
  char longest[8900];
  memset(longest, '0', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  register_refused(packet(longest), "more than it may");
  longest[2 * (SIMD_REGISTER_MAX + 1)] = '\0';
  register_refused(packet(longest), "no register 32");
}

static void stops_are_told_apart(void **state) {
  (void)state;
  port(packet("T05thread:1;"));
  assert_true(simd_remote_step(&r));
  hang_up();
  port(packet("T0bthread:1;")); /* a fault */
  assert_false(simd_remote_step(&r));
  assert_non_null(strstr(r.error, "stopped by itself: T0b"));
  hang_up();
  port(packet("W00"));
  assert_false(simd_remote_step(&r));
  hang_up();
}

static void descriptions_are_read(void **state) {
  (void)state;
  unsigned number;
  port(packet("l<feature name=\"v\"><reg name=\"v0\" regnum=\"65\"/><reg name=\"vl\" regnum=\"101\"/></feature>"));
  assert_true(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  assert_int_equal(number, 101);
  hang_up();
  port(packet("l<feature><reg name=\"v0\" regnum=\"65\"/></feature>"));
  assert_false(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  assert_non_null(strstr(r.error, "does not name register vl"));
  hang_up();
  port(packet("l<feature><reg name=\"vl\""));
  assert_false(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  hang_up();
  port(packet("E00"));
  assert_false(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  assert_non_null(strstr(r.error, "does not describe"));
  hang_up();
  port(packet("m")); /* more to come, and nothing in it: for ever */
  assert_false(simd_remote_number(&r, "riscv-vector.xml", "vl", &number));
  hang_up();
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_are_read),
      cmocka_unit_test(wrong_answers_are_refused),
      cmocka_unit_test(stops_are_told_apart),
      cmocka_unit_test(descriptions_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
