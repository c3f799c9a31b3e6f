/* SPDX-License-Identifier: Apache-2.0
 * Launches of one case share the module's variables; the next case finds them new. */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "tests/test.h"
#include "run/cases/kernel_run.h"

/* Counts from 5 on, by way of an address in an initialiser: out[0] = what it was. */
static const char text[] = ".globals 16 16\n.global counter 0 4\n.global where 8 8\n.initial 0 5\n.address 8\n"
                           ".kernel k\n.param u64 out\n MOV R2, c[0x0][0x30] ;\n MOV R3, c[0x0][0x34] ;\n"
                           " LDG.E.64 R2, [R2+where] ;\n MOV R4, 0x1 ;\n ATOMG.E.ADD.STRONG.GPU R5, [R2], R4 ;\n"
                           " MOV R2, c[0x0][out] ;\n MOV R3, c[0x0][out+4] ;\n STG.E [R2], R5 ;\n EXIT ;\n.end\n";
enum { LAUNCHES = 3 };

static void launches_share_variables(void **state) {
  (void)state;
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6, 6, 12}};
  struct heddle_program *p = heddle_assemble(text, sizeof text - 1, "globals.s", &o);
  struct kernel_case *c = calloc(1, sizeof *c);
  struct run_options options;
  char why[512] = "";
  int status = TOOL_OK;
  run_options_init(&options);
  options.on = ON_MODEL;
  assert_int_equal(run_options_finish(&options, "kernels"), TOOL_OK);
  struct runner *r = runner_new(&options, &status);
  assert_true(p && c && r);
  for (unsigned i = 0; i < LAUNCHES; i++) { /* each into a buffer of another size: addresses move */
    c->buffer[i].bytes = 4 + 5000 * (LAUNCHES - i);
    c->launch[i] = (struct kernel_launch){.entry = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .args = 1};
    c->launch[i].arg[0] = (struct kernel_arg){.kind = KERNEL_ARG_BUFFER, .buffer = i};
  }
  c->buffers = c->launches = LAUNCHES;
  for (unsigned turn = 0; turn < 2; turn++) {
    struct kernel_totals t = {0};
    uint8_t *now[KERNEL_BUFFERS] = {0};
    for (unsigned i = 0; i < LAUNCHES; i++) assert_non_null(now[i] = calloc(1, c->buffer[i].bytes));
    if (!kernel_launches(r, p, c, now, &t, why, sizeof why)) fail_msg("%s", why);
    for (unsigned i = 0; i < LAUNCHES; i++) {
      assert_int_equal(now[i][0], 5 + i);
      free(now[i]);
    }
  }
  runner_free(r);
  free(c);
  heddle_program_free(p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(launches_share_variables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
