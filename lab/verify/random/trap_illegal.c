/* SPDX-License-Identifier: Apache-2.0
 * Words that trap as they are decoded: they stand for no instruction, or for one that wants more registers than the
 * kernel has. */
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include "base/splitmix64.h"
#include "lab/verify/random/streams.h"

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
  struct heddle_program *made = heddle_assemble(all, strlen(all), "trap", &o);
  if (made == NULL) return false;
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
  struct heddle_program *made = random_chance(p, 80) ? heddle_assemble(all, strlen(all), "trap", &o) : NULL;
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
