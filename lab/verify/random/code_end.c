/* SPDX-License-Identifier: Apache-2.0
 * The end of the code: instructions that are its last one, jumps behind it that nobody takes, barriers whose label it
 * is, and, in programs that are meant to trap, whoever gets there: by each kind of jump, or from the last instruction.
 */
#include <stdio.h>
#include <string.h>

#include "lab/verify/random/streams.h"

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS, MASK = REG_STREAM };

/* ---- the last word of a program that does not end there */

static const char *const last[] = {"RET",           "BRX",  "CALL.ABS",          "BRA last_back",
                                   "JMP last_back", "EXIT", "CALL.REL last_back"};
enum { LASTS = sizeof last / sizeof *last };

bool code_ends_by_exit(const struct random_program *p) {
  return p->tail == TAIL_NONE && strcmp(last[p->last % LASTS], "EXIT") == 0;
}

/* Whoever comes returns, or, if it is the program's end, leaves. */
void code_end_write(struct random_program *p) {
  const char *text = last[p->last % LASTS];
  const bool to_register = strchr(text, ' ') == NULL && !code_ends_by_exit(p);
  char operand[8] = "";
  if (to_register) (void)snprintf(operand, sizeof operand, " R%u", REG_RETURN);
  E(".func last\nlast_back:\nRET R%u ;\nlast_word:\n%s%s ;\ncode_end:\n.end\n", REG_RETURN, text, operand);
}

/* ---- jumps */

static const char *const direct[] = {"BRA", "JMP", "CALL.REL"}, *const through[] = {"BRX", "CALL.ABS", "RET"};

/* One of them, in some lanes or all, to code_end: as it stands, out of a register, as an offset to nothing. */
static void jump(struct random_program *p, const char *guard) {
  const unsigned how = random_below(p, 3);
  switch (random_below(p, 3)) {
  case 0:
    E("%s%s code_end ;\n", guard, direct[how]);
    break;
  case 1:
    E("MOV R%u, code_end ;\nMOV R%u, RZ ;\n%s%s R%u ;\n", AT, AT + 1, guard, through[how], AT);
    break;
  default:
    E("%s%s RZ+code_end ;\n", guard, through[how]);
    break;
  }
}

/* Its label is all that a barrier has of it; nobody jumps; or lanes do that go elsewhere. */
void code_end_spared(struct random_program *p, unsigned id, unsigned n) {
  const unsigned how = random_below(p, 3);
  E("BSSY B0, code_end ;\n");
  switch (random_below(p, 4)) {
  case 0:
    jump(p, "@!PT ");
    break;
  case 1:
    E("ISETP.LT.U32.AND P6, PT, R%u, RZ, PT ;\n", REG_LANE);
    jump(p, "@P6 ");
    break;
  case 2:
    E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_LANE, random_below(p, 32));
    E("MOV R%u, code_end ;\n@P6 MOV R%u, spare_%u_%u ;\nMOV R%u, RZ ;\n@P6 %s R%u ;\n", AT, AT, n, id, AT + 1,
      through[how], AT);
    break;
  default:
    break;
  }
  E("spare_%u_%u:\nBSYNC B0 ;\n", n, id);
}

/* Some lanes wait for those that go there, lane 0 among these. */
void code_end_trap(struct random_program *p) {
  const unsigned id = (unsigned)p->used; /* two of them may have one node */
  E("BSSY B0, code_end ;\nISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_LANE, 1 + random_below(p, 32));
  E("@P6 BRA behind_%u ;\n", id);
  jump(p, random_chance(p, 50) ? "@!P6 " : "");
  E("behind_%u:\nBSYNC B0 ;\n", id);
}

/* ---- the last word of a program that runs on behind it */

/* Before they go to the tail: barriers and a mask of those who do, P6 for some of them, never for lane 0. */
void code_end_enter(struct random_program *p) {
  E("BMOV.SET B1, RZ ;\nBSSY B1, code_end ;\nBMOV.GET R%u, B1 ;\nBMOV.SET B2, R%u ;\n", MASK, MASK);
  E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_LANE, 1 + random_below(p, 32));
}

/* Whoever comes returns. */
void code_end_back(struct random_program *p) {
  E("tail_back:\nRET R%u ;\n", AT);
}

/* Nothing more, or a control instruction behind which all that come, or some, run on. */
void code_end_open(struct random_program *p) {
  static const char *const text[] = {"",
                                     "BSSY B3, tail_0 ;\n",
                                     "BREAK B0 ;\n",
                                     "BREAK B1 ;\n",
                                     "BSYNC B1 ;\n",
                                     "BSYNC B2 ;\n",
                                     "YIELD ;\n",
                                     "NANOSLEEP 0x1 ;\n",
                                     "BMOV.SET B1, RZ ;\n",
                                     "BMOV.GET.CLEAR R8, B1 ;\n",
                                     "DEPBAR.LE SB0, 0x0 ;\n",
                                     "MEMBAR.CTA ;\n",
                                     "@P6 BRA tail_back ;\n",
                                     "@P6 JMP tail_back ;\n",
                                     "@P6 CALL.REL tail_back ;\n",
                                     "@P6 EXIT ;\n",
                                     "@P6 KILL ;\n",
                                     "@!PT BRA tail_0 ;\n",
                                     "@!PT BAR.SYNC 0x0 ;\n",
                                     "@!PT EXIT ;\n"};
  enum { TEXTS = sizeof text / sizeof *text, MORE = 4 };
  const unsigned k = p->last % (TEXTS + MORE);
  if (k < TEXTS)
    E("%s", text[k]);
  else if (k == TEXTS)
    E("WARPSYNC R%u ;\n", MASK);
  else
    E("@P6 %s R%u ;\n", through[k - TEXTS - 1], AT);
  E("code_end:\n");
}
