/* SPDX-License-Identifier: Apache-2.0 */
#include "isa_text.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char isa_prelude[] = "isa t 128\n"
                           "unit alu fixed\n"
                           "set rnd -|.RN=0 .RM=1\n"
                           "set size .8=0 .64=1\n"
                           "width size 0:1 1:2\n"
                           "field op 8:0 opcode\n"
                           "field form 11:9 opcode\n"
                           "field pg 15:12 guard \"the guard\"\n"
                           "field rd 23:16 gpr.write\n"
                           "field ra 31:24 gpr.read\n"
                           "field rb 39:32 gpr.read\n"
                           "field imm 63:32 imm32\n"
                           "field nb 63 neg\n"
                           "field rnd 79:78 set rnd\n"
                           "field size 75:75 set size\n"
                           "field x 74 fixed\n"
                           "field stall 108:105 stall\n"
                           "always stall\n"
                           "format RR form=1 pg rd a=ra b=rb,nb\n"
                           "insn ADD op=2 RR \"{rd}, {a}, {b:-}\" unit=alu sem=add\n";

struct spec *load_isa(const char *start, const char *more, struct diag *d) {
  FILE *f = fopen("t.isa", "w");
  assert_non_null(f);
  fprintf(f, "%s%s\n", start, more);
  assert_int_equal(fclose(f), 0);
  memset(d, 0, sizeof *d);
  return spec_load("t.isa", d);
}

void check_isa(const char *start, const struct bad *cases, size_t n) {
  for (size_t i = 0; i < n; i++) {
    struct diag d;
    struct spec *s = load_isa(start, cases[i].lines, &d);
    if (s != NULL) fail_msg("accepted: %s", cases[i].lines);
    assert_string_equal(d.text, cases[i].message);
  }
}
int enter_scratch(void **state) {
  static char dir[] = "/tmp/heddle-isa-XXXXXX";
  *state = mkdtemp(dir);
  return *state == NULL ? -1 : chdir(dir);
}

int leave_scratch(void **state) {
  (void)unlink("t.isa");
  for (char name[] = "d0.isa"; name[1] <= '9'; name[1]++) (void)unlink(name);
  if (chdir("/") != 0) return -1;
  return rmdir(*state);
}
