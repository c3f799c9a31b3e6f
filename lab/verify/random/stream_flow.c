/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed streams: control flow; a block that leaves; the end of the code.
 */
#include <stdio.h>
#include <string.h>
#include "lab/verify/random/streams.h"

/* Directed stream: a whole block leaves while others go on, and the next one may take its place. It does so by a
 * guarded EXIT, behind which words are fetched that it never executes. */

#define E(...) random_emit(p, __VA_ARGS__)

/* What the end leaves to compare would be missing from most blocks otherwise: few leave. */
bool depart_fits(const struct random_program *p) {
  const bool shares = p->knobs.value[KNOB_STREAM_SHARE].high != 0; /* others wait for it */
  return random_blocks(p) > 1 && p->launch.trap == 0 && !shares;
}

void stream_depart(struct random_program *p, const struct node *n) {
  const unsigned blocks = random_blocks(p), one = random_below(p, blocks), threads = random_threads(p);
  const unsigned at = REG_ADDRESS;
  const bool kill = random_chance(p, 20);
  (void)n;
  E("MOV R%u, R%u ;\n", at, REG_THREAD);
  if (random_chance(p, 70)) { /* block number `one` alone */
    E("IADD3 R%u, R%u, 0x%x, RZ ;\nISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n", at, at, 0u - one * threads, at,
      threads);
  } else { /* the first blocks, or the last ones */
    E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", random_chance(p, 50) ? "LT" : "GE", at, one * threads);
  }
  E("@P6 %s ;\n", kill ? "KILL" : "EXIT");
}

/* The end of the code: instructions that are its last one, jumps behind it that nobody takes, barriers whose label it
 * is, and, in programs that are meant to trap, whoever gets there: by each kind of jump, or from the last instruction.
 */

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

/* Directed stream: control flow. The divergence stack to its full depth; recursion, each lane as deep as it likes, with
 * return addresses of its own; jumps and calls to many targets, with offsets; guards on control instructions.
 *
 * All of it lies between BSSY B0 and BSYNC B0: B0 to B7 belong to nobody else here. */

enum { STEP = REG_STREAM, TARGET = REG_ADDRESS, INDEX = REG_ADDRESS + 2 };

static unsigned draw_data(struct random_program *p) {
  return REG_DATA + random_below(p, REG_DATA_COUNT);
}

static const char *draw_flow_guard(struct random_program *p, char buf[8]) {
  const unsigned ps = random_below(p, PRED_DATA_COUNT);
  snprintf(buf, 8, "@%sP%u ", random_chance(p, 50) ? "!" : "", ps);
  return buf;
}

/* One instruction for a divergent place. */
static void put_divergent_insn(struct random_program *p) {
  char text[320];
  p->place = p->limits.its ? PLACE_ARM : PLACE_ANY;
  random_insn(p, text, sizeof text);
  E("%s", text);
}

/* A code address of which `add` (hex, with its sign) is missing, as a pair: also one below 0. */
static void put_code_address(struct random_program *p, const char *label, unsigned id, char add[16]) {
  static const int offsets[] = {0, 0, 16, -16, 0x40, -0x7fff0, 0x7ffffff0, -0x7ffffff0};
  const int off = random_in_field(ISA_F_OFF32, offsets[random_below(p, sizeof offsets / sizeof *offsets)]);
  const unsigned size = off < 0 ? 0u - (unsigned)off : (unsigned)off;
  E("MOV R%u, %s_%u ;\n", TARGET, label, id);
  E("IADD3 R%u, P6, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, RZ, %s, RZ, P6, !PT ;\n", TARGET, TARGET, 0u - (unsigned)off,
    TARGET + 1, off > 0 ? "0xffffffff" : "RZ");
  if (off == 0)
    add[0] = '\0';
  else
    snprintf(add, 16, "%s0x%x", off < 0 ? "-" : "+", size);
}

/* Lane after lane leaves a loop that jumps back while others wait: 31 paths wait in the end. */
static void deep(struct random_program *p, unsigned id) {
  const bool down = random_chance(p, 50);
  E("MOV R%u, %s ;\ndeep_%u:\n", STEP, down ? "0x1f" : "RZ", id);
  E("ISETP.%s.U32.AND P6, PT, R%u, R%u, PT ;\nIADD3 R%u, R%u, %s, RZ ;\n@P6 BRA deep_%u ;\n", down ? "LT" : "GT",
    REG_LANE, STEP, STEP, STEP, down ? "-0x1" : "0x1", id);
  if (random_chance(p, 50)) put_divergent_insn(p);
}

/* Each lane goes as deep as its data says. Return addresses lie in its local memory. */
static void recurse(struct random_program *p, unsigned id) {
  char add[16];
  const unsigned most = random_chance(p, 20) ? 7 : 3;
  E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nMOV R%u, 0x%x ;\n", REG_DEPTH, draw_data(p), most, REG_STACK, LOCAL_BYTES);
  E("MOV R%u, back_%u ;\nMOV R%u, RZ ;\nCALL.REL deeper_%u ;\nback_%u:\nBRA join_%u ;\n", REG_RETURN, id,
    REG_RETURN + 1, id, id, id);
  E("deeper_%u:\nISETP.EQ.AND P6, PT, R%u, RZ, PT ;\n@P6 RET R%u ;\n", id, REG_DEPTH, REG_RETURN);
  E("STL [R%u], R%u ;\nIADD3 R%u, R%u, 0x4, RZ ;\nIADD3 R%u, R%u, -0x1, RZ ;\n", REG_STACK, REG_RETURN, REG_STACK,
    REG_STACK, REG_DEPTH, REG_DEPTH);
  put_divergent_insn(p);
  put_code_address(p, "deeper", id, add);
  E("MOV R%u, returned_%u ;\nCALL.ABS R%u%s ;\nreturned_%u:\n", REG_RETURN, id, TARGET, add, id);
  E("IADD3 R%u, R%u, -0x4, RZ ;\nLDL R%u, [R%u] ;\n", REG_STACK, REG_STACK, REG_RETURN, REG_STACK);
  if (random_chance(p, 50))
    E("IADD3 R%u, R%u, -0x1000, RZ ;\nIADD3 R%u, P6, PT, R%u, 0x1000, RZ ;\n", REG_RETURN, REG_RETURN, REG_RETURN,
      REG_RETURN);
  E("RET R%u ;\n", REG_RETURN);
}

/* A table of arms of two instructions each; lanes that the guard leaves out go to the first. */
static void jump_by_table(struct random_program *p, unsigned id) {
  const unsigned arms = 2u << random_below(p, 4);
  char g[8] = "", add[16];
  if (random_chance(p, 40)) draw_flow_guard(p, g);
  E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", INDEX, random_chance(p, 30) ? (unsigned)REG_LANE : draw_data(p), arms - 1);
  put_code_address(p, "arms", id, add);
  E("IMAD R%u, R%u, 0x20, RZ ;\nIADD3 R%u, P6, PT, R%u, R%u, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", INDEX, INDEX,
    TARGET, TARGET, INDEX, TARGET + 1, TARGET + 1);
  if (ISA_STEP != ISA_WORD_BYTES) E(".pack off\n"); /* arms are of one size */
  E("%sBRX R%u%s ;\narms_%u:\n", g, TARGET, add, id);
  for (unsigned i = 0; i < arms; i++) {
    put_divergent_insn(p);
    E("%s join_%u ;\n", random_chance(p, 70) ? "BRA" : "JMP", id);
  }
  if (ISA_STEP != ISA_WORD_BYTES) E(".pack on\n");
}

/* Lanes call one function or the other with one instruction, and come back to different places. */
static void calls(struct random_program *p, unsigned id) {
  const unsigned pred = random_below(p, PRED_DATA_COUNT), back = random_below(p, PRED_DATA_COUNT);
  char g[8] = "";
  if (random_chance(p, 40)) draw_flow_guard(p, g);
  E("MOV R%u, one_%u ;\n@P%u MOV R%u, two_%u ;\nMOV R%u, RZ ;\n", REG_RETURN, id, back, REG_RETURN, id, REG_RETURN + 1);
  E("MOV R%u, function0 ;\n@P%u MOV R%u, function1 ;\nMOV R%u, RZ ;\n", TARGET, pred, TARGET, TARGET + 1);
  E("%sCALL.ABS R%u ;\none_%u:\n", g, TARGET, id);
  put_divergent_insn(p);
  E("BRA join_%u ;\ntwo_%u:\n", id, id);
  put_divergent_insn(p);
}

/* Lanes with a predicate alone use a barrier of their own, or call. */
static void guarded(struct random_program *p, unsigned id) {
  char g[8];
  draw_flow_guard(p, g);
  switch (random_below(p, 3)) {
  case 0:
    E("%sBSSY B1, part_%u ;\n%sBSYNC B1 ;\npart_%u:\n", g, id, g, id);
    put_divergent_insn(p);
    break;
  case 1:
    E("%sBSSY B1, part_%u ;\n%sBMOV.GET R%u, B1 ;\n%sWARPSYNC R%u ;\npart_%u:\n%sBREAK B1 ;\n", g, id, g, STEP, g, STEP,
      id, g);
    break;
  default:
    E("MOV R%u, back_%u ;\nMOV R%u, RZ ;\n%sCALL.REL function%u ;\nback_%u:\n", REG_RETURN, id, REG_RETURN + 1, g,
      random_below(p, 2), id);
    break;
  }
}

/* No lane executes any of these, whatever they name. */
static void never(struct random_program *p, unsigned id) {
  static const char *const text[] = {"@!PT BAR.SYNC 0x%x ;\n",     "@!PT BSYNC B%u ;\n",
                                     "@!PT WARPSYNC 0x%x ;\n",     "@!PT RET R%u ;\n",
                                     "@!PT BAR.ARV 0x3, 0x%x ;\n", "@!PT BRX R%u ;\n",
                                     "@!PT EXIT ; // %u\n",        "@!PT KILL ; // %u\n",
                                     "@!PT MEMBAR.GPU ; // %u\n",  "@!PT BREAK B%u ;\n",
                                     "@!PT BMOV.SET B%u, 0x7 ;\n", "@!PT CALL.ABS R%u ;\n",
                                     "@!PT BPT.TRAP ; // %u\n",    "@!PT DEPBAR.LE SB2, 0x%x ;\n",
                                     "@!PT JMP 0x%x0 ;\n",         "@!PT BMOV.GET.CLEAR R8, B%u ;\n",
                                     "@!PT YIELD ; // %u\n",       "@!PT BMOV.SET B3, R%u ;\n",
                                     "@!PT WARPSYNC R%u ;\n",      "@!PT BAR.RED.POPC R%u, 0x1, 0x0, P0 ;\n",
                                     "@!PT NANOSLEEP R%u ;\n",     "@!PT BAR.RED.AND P1, 0x%x, 0x0, P0 ;\n",
                                     "@!PT NANOSLEEP 0x%x ;\n",    "@!PT CALL.REL function0 ; // %u\n",
                                     "@!PT MEMBAR.CTA ; // %u\n",  "@!PT CCTL.E.IV [R%u] ;\n"};
  const unsigned most = random_bregs() < random_barriers() ? random_bregs() : random_barriers();
  E("@!PT BRA join_%u ;\n@!PT BSSY B2, join_%u ;\n", id, id);
  for (unsigned i = 0; i < 6; i++) {
    const unsigned operand = (8 + 2 * random_below(p, 4)) % most;
    E(text[random_below(p, sizeof text / sizeof *text)], operand);
  }
}

void stream_flow(struct random_program *p, const struct node *n) {
  static void (*const kind[])(struct random_program *, unsigned) = {deep,  recurse, jump_by_table, jump_by_table,
                                                                    calls, guarded, never};
  E("BSSY B0, join_%u ;\n", n->id);
  kind[random_below(p, sizeof kind / sizeof *kind)](p, n->id);
  E("join_%u:\nBSYNC B0 ;\n", n->id);
}
