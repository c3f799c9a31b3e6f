/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: constants of all banks, from places far apart, so that they push each other out of the cache. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

#define E(...) random_emit(p, __VA_ARGS__)

enum { OFFSET = REG_ADDRESS + 2, BANK3_BYTES = 256 };

bool constant_fits(const struct random_program *p) {
  return p->bank_used[1] > 0 && p->bank_used[2] > 0;
}

static unsigned bank_bytes(const struct random_program *p, unsigned bank) {
  return bank == 0 ? BANK0_BYTES : bank == 3 ? BANK3_BYTES : p->bank_used[bank];
}

/* The largest power of two in it. */
static unsigned power_below(unsigned n) {
  unsigned k = 1;
  while (2 * k <= n) k *= 2;
  return k;
}

/* Each lane from a place of its own. */
static void load_from_bank(struct random_program *p, unsigned bank) {
  static const char *const size[] = {".U8", ".S16", "", ".64", ".128"};
  static const uint8_t bytes[] = {1, 2, 4, 8, 16};
  const unsigned k = random_below(p, 5), words = bytes[k] < 4 ? 1 : bytes[k] / 4;
  const unsigned half = power_below(bank_bytes(p, bank)) / 2,
                 rd = REG_DATA + random_below(p, REG_DATA_COUNT / words) * words;
  E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", OFFSET, random_data(p), (half - 1) & ~(bytes[k] - 1u));
  E("LDC%s R%u, c[0x%x][R%u+0x%x] ;\n", size[k], rd, bank, OFFSET, random_below(p, half / bytes[k]) * bytes[k]);
}

static void use_bank_operand(struct random_program *p, unsigned bank) {
  const unsigned words = bank_bytes(p, bank) / 4;
  const unsigned at = 4 * (random_chance(p, 10) ? words - 1 : random_below(p, words)), rd = random_data(p),
                 ra = random_data(p);
  if (random_chance(p, 50))
    E("IADD3 R%u, R%u, c[0x%x][0x%x], RZ ;\n", rd, ra, bank, at);
  else
    E("IMAD R%u, R%u, R%u, c[0x%x][0x%x] ;\n", rd, ra, random_data(p), bank, at);
}

static void uniform(struct random_program *p, unsigned bank) {
  const unsigned wide = random_below(p, 2), bytes = wide ? 8 : 4, ur = random_below(p, UREG_DATA_COUNT / 2) * 2;
  const bool late = random_has(p, ISA_UNIT_SFU) && random_chance(p, 30);
  char text[320];
  if (late) { /* it ends while the load is under way */
    random_insn_unit(p, ISA_UNIT_SFU, text, sizeof text);
    E("%s", text);
  }
  E("ULDC%s UR%u, c[0x%x][URZ+0x%x] ;\n", wide ? ".64" : "", ur, bank,
    random_below(p, bank_bytes(p, bank) / bytes) * bytes);
  if (late) E("MOV R%u, UR%u ;\n", random_data(p), ur);
}

void stream_constant(struct random_program *p, const struct node *n) {
  const unsigned length = 4 + random_below(p, 8);
  (void)n;
  for (unsigned i = 0; i < length; i++) {
    const unsigned bank = random_below(p, 4), what = random_below(p, random_has_uniform(p) ? 3 : 2);
    if (what == 0)
      load_from_bank(p, bank);
    else if (what == 1)
      use_bank_operand(p, bank);
    else
      uniform(p, bank);
  }
}
