/* SPDX-License-Identifier: Apache-2.0
 *
 * Traps of control: words that are none, code behind all other, a PC that cannot be, barriers that nobody
 * completes.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include "base/splitmix64.h"
#include "lab/verify/random/streams.h"

/* Words that trap as they are decoded: they stand for no instruction, or for one that wants more registers than the
 * kernel has. */

#define E(...) random_emit(p, __VA_ARGS__)

/* 64 bits that stand for no instruction, with these among them. */
static uint64_t illegal_half(struct random_program *p, uint64_t with) {
  struct heddle_isa_dec d;
  uint64_t half;
  do half = splitmix64(&p->rng) | with;
  while (heddle_isa_decode(heddle_isa_lengthen(half), &d));
  return half;
}

/* Two short words. Not the second one either: a jump through a register might lead there, for all that is known of the
 * control codes after it. */
static void illegal_pair(struct random_program *p) {
  const uint64_t first = illegal_half(p, 0), second = illegal_half(p, 1ull << 63);
  E(".word 0x%016llx%016llx\n", (unsigned long long)second, (unsigned long long)first);
}

/* An instruction that the kernel has too few registers for: one at or above its count, or a tuple that begins below and
 * ends above. False: the count is not known. */
static bool beyond(struct random_program *p) {
  static const char *const of[][3] = {{"MOV R%u, RZ", "IADD3 RZ, RZ, R%u, RZ", "STG.E [RZ], R%u"},
                                      {"LDG.E.64 R%u, [RZ]", "STG.E.64 [RZ], R%u", "IMAD.WIDE RZ, RZ, RZ, R%u"},
                                      {"LDG.E.128 R%u, [RZ]", "STG.E.128 [RZ], R%u", "LDS.128 R%u, [RZ]"}};
  const unsigned size = random_below(p, 3), words = 1u << size;
  const unsigned first = p->regs % words != 0 ? p->regs / words * words : p->regs + words * random_below(p, 3);
  char text[80], all[120];
  if (p->regs == 0 || first + words > 255 || ISA_STEP != ISA_WORD_BYTES) return false;
  snprintf(text, sizeof text, of[size][random_below(p, 3)], first);
  snprintf(all, sizeof all, ".kernel k\n%s%s ;\n.end\n", random_chance(p, 30) ? "@!PT " : "", text);
  const struct heddle_asm_options o = {.size = sizeof o};
  struct heddle_program *made;
  if (heddle_assemble(all, strlen(all), "trap", &o, &made) != HEDDLE_SUCCESS) return false;
  const struct heddle_isa_word w = heddle_program_word(made, 0);
  heddle_program_free(made);
  /* For all that is known of control codes it goes on: not into what is written for who has not come here. */
  E(".word 0x%016llx%016llx\nEXIT ;\n", (unsigned long long)w.hi, (unsigned long long)w.lo);
  return true;
}

/* A random instruction with bits turned until no decoder takes it, or all of it random. */
void trap_illegal(struct random_program *p) {
  const bool has_short = ISA_STEP != ISA_WORD_BYTES; /* bit 127 tells two short words from one long one */
  if (has_short && random_chance(p, 30)) {
    illegal_pair(p);
    return;
  }
  if (random_chance(p, 50) && beyond(p)) return;
  const uint64_t lo = splitmix64(&p->rng);
  struct heddle_isa_word w = {lo, splitmix64(&p->rng)};
  char text[320];
  struct heddle_isa_dec d;
  p->place = PLACE_ANY;
  random_insn(p, text, sizeof text);
  const struct heddle_asm_options o = {.size = sizeof o};
  char all[400];
  snprintf(all, sizeof all, ".kernel k\n%s.end\n", text);
  struct heddle_program *made = NULL;
  if (random_chance(p, 80)) (void)heddle_assemble(all, strlen(all), "trap", &o, &made);
  if (made && made->code_bytes >= ISA_WORD_BYTES) w = heddle_program_word(made, 0);
  heddle_program_free(made);
  if (has_short) w.hi &= UINT64_MAX >> 1;
  while (heddle_isa_decode(w, &d)) {
    const unsigned bit = random_below(p, has_short ? 127 : 128);
    if (bit < 64)
      w.lo ^= (uint64_t)1 << bit;
    else
      w.hi ^= (uint64_t)1 << (bit - 64);
  }
  E(".word 0x%016llx%016llx\n", (unsigned long long)w.hi, (unsigned long long)w.lo);
}

/* The tail of a program: code behind all other, which a trapping program enters at any of its words. */

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

/* Traps of control: a PC that cannot be, lanes that come apart, barriers that nobody completes. */

/* Some lanes alone go astray, each to a place of its own: misaligned, beyond the code, or in the upper half. */
static void bad_lanes(struct random_program *p, unsigned id, const char *jump) {
  const bool first = random_chance(p, 40);
  E("MOV R%u, spared_%u ;\nMOV R%u, RZ ;\n", AT, id, AT + 1);
  E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", first ? "LT" : "GE", REG_LANE,
    first + random_below(p, trap_lanes(p))); /* one lane at least */
  switch (random_below(p, 3)) {
  case 0: /* where it would be, and a few bytes more */
    E("LOP3.LUT R%u, R%u, 0xf, RZ, 0xc0 ;\n@P6 IADD3 R%u, R%u, R%u, RZ ;\n", AT + 2, REG_LANE, AT, AT, AT + 2);
    E("@P6 LOP3.LUT R%u, R%u, 0x%x, RZ, 0xfc ;\n", AT, AT, ISA_STEP / 2);
    break;
  case 1: { /* every other lane's is aligned */
    const unsigned from = random_chance(p, 50) ? 0x7ffff000 : 0x2000000;
    E("@P6 IMAD R%u, R%u, 0x%x, RZ ;\n@P6 IADD3 R%u, R%u, 0x%x, RZ ;\n", AT, REG_LANE,
      random_chance(p, 50) ? 0x10u : ISA_STEP / 2, AT, AT, from);
    break;
  }
  default:
    E("@P6 IADD3 R%u, R%u, 0x1, RZ ;\n", AT + 1, REG_LANE);
    break;
  }
  E("%s R%u%s ;\n", jump, AT, random_chance(p, 30) ? "+0x10" : "");
}

void trap_bad_pc(struct random_program *p, unsigned id) {
  if (p->at_edge) {
    edge_bad_pc(p);
    return;
  }
  static const char *const jump[] = {"BRX", "CALL.ABS", "RET"};
  static const uint32_t low[] = {ISA_STEP / 2, 0x10, 0x7ffffff0, 0xfffffff0}, high[] = {0, 1, 0, 0xffffffff};
  const unsigned k = random_below(p, 13);
  if (k > 6) {
    bad_lanes(p, id, jump[random_below(p, 3)]);
    return;
  }
  if (k == 6) { /* some lanes alone, the last one among them or lane 0 */
    const bool first = random_chance(p, 40);
    const unsigned bad = random_below(p, 4);
    E("MOV R%u, spared_%u ;\nMOV R%u, RZ ;\n", AT, id, AT + 1);
    E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", first ? "LT" : "GE", REG_LANE,
      first ? 1 + random_below(p, trap_lanes(p)) : random_below(p, trap_lanes(p)));
    E("@P6 MOV R%u, 0x%x ;\n@P6 MOV R%u, 0x%x ;\n%s R%u ;\n", AT, low[bad], AT + 1, high[bad], jump[random_below(p, 3)],
      AT);
    return;
  }
  if (k == 5) {
    const unsigned to = ISA_STEP / 2 + 16 * random_below(p, 100);
    E("%s RZ+0x%x ;\n", jump[random_below(p, 3)], to);
    return;
  }
  if (k == 4) {
    E("JMP 0x%x ;\n", 16 * random_below(p, 100) + ISA_STEP / 2);
    return;
  }
  E("MOV R%u, 0x%x ;\nMOV R%u, 0x%x ;\n%s R%u ;\n", AT, low[k], AT + 1, high[k], jump[random_below(p, 3)], AT);
}

/* What wants all lanes of a warp is given some: 1 to 31 of a whole warp, or all that a ragged one has. */
static void torn(struct random_program *p) {
  const unsigned d = REG_DATA + 4 * random_below(p, REG_DATA_COUNT / 4);
  char text[320];
  const unsigned from = 1 + random_below(p, 31);
  E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", trap_lanes(p) < 32 || random_chance(p, 50) ? "LT" : "GE", REG_LANE,
    from);
  if (random_has(p, ISA_UNIT_TENSOR) && random_chance(p, 60)) {
    do random_insn_tensor(p, text, sizeof text);
    while (strchr(text, '@') != NULL); /* executed by all who come */
    E("BSSY B0, torn_%u ;\n@!P6 BRA torn_%u ;\n%s", d, d, text);
    E("torn_%u:\nBSYNC B0 ;\n", d);
    return;
  }
  const unsigned off = 16 * random_below(p, 8), matrices = 1u << random_below(p, 3);
  E("@P6 LDSM.16.M%s88.%u R%u, [R%u+0x%x] ;\n", random_chance(p, 50) ? "T" : "", matrices, d, REG_WARP_SHARED, off);
}

void trap_divergence(struct random_program *p) {
  if (random_chance(p, 50)) {
    torn(p);
    return;
  }
  static const char *const text[] = {"BMOV.SET B7, RZ ;\nBSYNC B7 ;\n", "WARPSYNC 0x0 ;\n", "WARPSYNC RZ ;\n"};
  E("%s", text[random_below(p, 3)]);
}

/* Two lanes, or groups of them, wait at two barriers for each other. */
void trap_deadlock(struct random_program *p, unsigned id) {
  E("BSSY B0, one_%u ;\nBSSY B1, two_%u ;\nISETP.EQ.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA two_%u ;\none_%u:\nBSYNC B0 ;\n"
    "two_%u:\nBSYNC B1 ;\n",
    id, id, REG_LANE, id, id, id);
}

void trap_barrier(struct random_program *p) {
  switch (random_below(p, 3)) {
  case 0: { /* no multiple of 32 */
    const unsigned warps = random_below(p, 8);
    E("BAR.SYNC 0x%x, 0x%x ;\n", random_barriers() - 2, 32 * warps + 1 + random_below(p, 31));
    break;
  }
  case 1:
    E("BAR.SYNC 0x%x, 0x%x ;\n", random_barriers() - 2, 32 * (random_warps(p) + 1));
    break;
  default:
    E("BAR.ARV 0x%x, 0x0 ;\n", random_barriers() - 2);
    break;
  }
}
