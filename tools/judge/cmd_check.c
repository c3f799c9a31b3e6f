/* SPDX-License-Identifier: Apache-2.0
 * heddle check: a recorded retire trace against the model. */
#include <stdio.h>
#include <string.h>

#include "heddle/asm.h"
#include "heddle/session.h"
#include "runner.h"

static const char help[] =
    "usage: heddle check TRACE FILE.elf\n\n"
    "Check a trace (from --trace, or captured on a board) against the model, as if it had been live.\n\n"
    "example: heddle run vecadd.elf ... --on lockstep --trace t.bin && heddle check t.bin vecadd.elf\n";

static void disassemble(void *ctx, struct isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, buf, bytes);
}

static int run(int argc, char **argv) {
  if (argc != 3) return tool_usage("check", "a trace and an ELF file are needed");
  struct heddle_program *p;
  struct heddle_message m;
  if (!heddle_program_load(argv[2], &p, &m)) {
    tool_message(NULL, &m);
    return TOOL_USAGE;
  }
  struct session_result r;
  enum session_outcome o = session_check_trace(argv[1], p->code, p->code_bytes, disassemble, NULL, &r, stderr);
  heddle_program_free(p);
  if (o != SESSION_OK) tool_error("%s: %s", session_outcome_name(o), r.message);
  printf("%llu warp instructions checked, %llu lanes compared, %llu performs, %llu differences; ages %u, %u\n",
         (unsigned long long)r.checked.retired, (unsigned long long)r.checked.lanes_compared,
         (unsigned long long)r.checked.performs, (unsigned long long)r.checked.differences, r.checked.read_age,
         r.checked.pred_age);
  switch (o) {
  case SESSION_OK:
    return TOOL_OK;
  case SESSION_TRAPPED:
    return TOOL_TRAPPED;
  case SESSION_LIMIT:
    return TOOL_LIMIT;
  case SESSION_FAILED:
  case SESSION_REFUSED:
    return TOOL_USAGE;
  default:
    return TOOL_DIFFERENCE;
  }
}

const struct tool_command cmd_check = {"check", "check a recorded retire trace against the model", help, run};
