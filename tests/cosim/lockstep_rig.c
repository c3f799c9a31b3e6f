/* SPDX-License-Identifier: Apache-2.0 */
#include "lockstep_rig.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>

#include "cosim/kit/conform/fake.h"
#include <heddle/asm.h>
#include <heddle/config.h>
#include "cosim/checker/report.h"

const char *rig_backend = "verilator", *rig_machine = "tiny";

const char rig_vecadd[] = ".kernel vecadd\n"
                          ".param u64 in\n"
                          ".param u64 out\n"
                          "        S2R R0, SR_CTAID.X ;\n"
                          "        S2R R1, SR_TID.X ;\n"
                          "        IMAD R2, R0, c[0x0][0x0], R1 ;\n"
                          "        MOV R4, c[0x0][in] ;\n"
                          "        MOV R5, c[0x0][in+4] ;\n"
                          "        IMAD.WIDE R4, R2, 0x4, R4 ;\n"
                          "        LDG.E R8, [R4] ;\n"
                          "        LDG.E R9, [R4+0x1000] ;\n"
                          "        MOV R6, c[0x0][out] ;\n"
                          "        MOV R7, c[0x0][out+4] ;\n"
                          "        IMAD.WIDE R6, R2, 0x4, R6 ;\n"
                          "        FADD R10, R8, R9 ;\n"
                          "        STG.E [R6], R10 ;\n"
                          "        EXIT ;\n"
                          ".end\n";

void rig_disassemble(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t n) {
  (void)ctx;
  (void)heddle_disassemble(w, pc, buf, n);
}

bool rig_writes_back(void) {
  const struct heddle_config *m = heddle_config_find(rig_machine);
  return m != NULL && m->l2_bytes != 0;
}

struct heddle_session_config rig_base(enum heddle_session_mode mode, uint64_t seed) {
  return (struct heddle_session_config){.size = sizeof(struct heddle_session_config),
                                        .mode = mode,
                                        .backend = rig_backend,
                                        .config = rig_machine,
                                        .scoreboard = true,
                                        .seed = seed,
                                        .adversarial = true,
                                        .max_cycles = 3000000,
                                        .memory_base = FAKE_BASE,
                                        .memory_bytes = FAKE_BYTES,
                                        .disasm = rig_disassemble};
}

/* The report for programs says what the result does. */
static void expect_json(const struct heddle_session *s, const struct heddle_session_result *r) {
  json_t *j = session_report_json(s);
  const char *outcome = NULL, *message = NULL;
  json_int_t instructions = -1;
  assert_int_equal(
      json_unpack(j, "{s:s, s:s, s:I}", "outcome", &outcome, "message", &message, "instructions", &instructions), 0);
  assert_string_equal(outcome, heddle_session_outcome_name(r->outcome));
  assert_string_equal(message, r->message);
  assert_int_equal(instructions, r->insns);
  assert_true((json_object_get(j, "trap") != NULL) == (r->outcome == HEDDLE_SESSION_TRAPPED));
  assert_true((json_object_get(j, "checker") != NULL) == (heddle_session_checker(s) != NULL));
  json_decref(j);
}

/* Bank 3 of every program here: its size is no multiple of 8. */
static const uint8_t three_words[12] = {7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0};

enum heddle_session_outcome rig_run_grid(const struct heddle_session_config *c, const char *text, unsigned blocks,
                                         unsigned threads, struct heddle_session_result *r, uint8_t *memory) {
  struct heddle_message msg;
  struct fake_program p;
  struct heddle_session *s;
  if (heddle_session_open(c, &s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  fake_assemble(&p, text, blocks, threads);
  p.launch.cbank[3] = three_words;
  p.launch.cbank_bytes[3] = sizeof three_words;
  fake_fill(heddle_session_memory(s));
  const enum heddle_session_outcome o = heddle_session_run(s, &p.launch, r);
  if (o == HEDDLE_SESSION_FAILED || o == HEDDLE_SESSION_DEVICE || o == HEDDLE_SESSION_HUNG)
    heddle_session_report_text(s, stderr);
  FILE *sink = fopen("/dev/null", "w");
  assert_non_null(sink);
  heddle_session_report_text(s, sink);
  expect_json(s, r);
  fclose(sink);
  if (memory != NULL) memcpy(memory, heddle_session_memory(s), FAKE_BYTES);
  assert_int_equal(heddle_session_close(s, NULL), HEDDLE_SUCCESS);
  fake_program_free(&p);
  return o;
}

enum heddle_session_outcome rig_run(const struct heddle_session_config *c, const char *text,
                                    struct heddle_session_result *r, uint8_t *memory) {
  return rig_run_grid(c, text, 12, 64, r, memory); /* enough writes that one which a fault spoils is read again */
}

void rig_expect(enum heddle_session_outcome want, enum heddle_session_outcome got,
                const struct heddle_session_result *r) {
  if (got != want)
    fail_msg("expected %s, got %s: %s", heddle_session_outcome_name(want), heddle_session_outcome_name(got),
             r->message);
}
