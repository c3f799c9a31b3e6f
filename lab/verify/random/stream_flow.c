/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: control flow. The divergence stack to its full depth; recursion, each lane as deep as it likes, with
 * return addresses of its own; jumps and calls to many targets, with offsets; guards on control instructions.
 *
 * All of it lies between BSSY B0 and BSYNC B0: B0 to B7 belong to nobody else here. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

#define E(...) random_emit(p, __VA_ARGS__)

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
