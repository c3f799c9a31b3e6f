/* SPDX-License-Identifier: Apache-2.0
 * The tail of a program: code behind all other, which a trapping program enters at any of its words. */
#include "lab/verify/random/streams.h"

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS };

/* Into the tail, at any of its words, but not behind the first one in error; all lanes, or some. */
void trap_tail(struct random_program *p, unsigned id) {
  const unsigned back = (unsigned)p->launch.error_at / 16; /* words from the code's end, the return among them */
  const unsigned k = random_below(p, p->tail == TAIL_ERRORS && back > 2 ? TAIL_WORDS + 2 - back : TAIL_WORDS);
  const bool some = random_chance(p, 30), open = p->tail == TAIL_OPEN;
  if (some || open) E("BSSY B0, tailed_%u ;\n", id);
  if (some) E("ISETP.EQ.AND P6, PT, R%u, RZ, PT ;\n@!P6 BRA tailed_%u ;\n", REG_LANE, id);
  if (open) code_end_enter(p);
  E("MOV R%u, tailed_%u ;\nMOV R%u, RZ ;\n", AT, id, AT + 1);
  if (p->tail == TAIL_ERRORS) E("ISETP.NE.AND P6, PT, RZ, RZ, PT ;\n"); /* nobody returns early */
  if (random_chance(p, 50))
    E("CALL.REL tail_%u ;\n", k);
  else
    E("MOV R%u, tail_%u ;\nMOV R%u, RZ ;\nBRX R%u ;\n", AT + 2, k, AT + 3, AT + 2);
  E("tailed_%u:\n", id);
  if (some || open) E("BSYNC B0 ;\n");
}

void random_write_tail(struct random_program *p) {
  if (p->tail == TAIL_NONE) return;
  if (ISA_STEP != ISA_WORD_BYTES) E(".pack off\n"); /* it is entered at, and its errors begin at, words counted */
  E(".func tail\n");
  if (p->tail == TAIL_OPEN) code_end_back(p);
  for (unsigned k = 0; k < TAIL_WORDS; k++) {
    const unsigned d = random_data(p);
    E("tail_%u:\n", k);
    if (p->tail == TAIL_ERRORS && k >= TAIL_BACK && k < TAIL_BACK + TAIL_BACKS) {
      E("@P6 RET R%u ;\n", AT);
      continue;
    }
    switch (random_below(p, 4)) {
    case 0:
      E("MOV R%u, 0x%x ;\n", d, random_edge(p));
      break;
    case 1:
      E("LDG.E R%u, [R%u+0x%x] ;\n", d, REG_OWN, OWN_AT + 4 * random_below(p, SCRATCH_THREAD_BYTES / 4));
      break;
    case 2:
      E("LDS R%u, [R%u+0x%x] ;\n", d, REG_SHARED, SHARED_AT);
      break;
    default:
      E("NOP ;\n");
      break;
    }
  }
  if (p->tail == TAIL_ERRORS) E("RET R%u ;\n", AT);
  if (p->tail == TAIL_OPEN) code_end_open(p);
  E(".end\n");
}
