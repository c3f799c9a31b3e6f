/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed streams: addresses of constants and of memory.
 */
#include <stdio.h>
#include "lab/verify/random/streams.h"

/* Directed stream: constants of all banks, from places far apart, so that they push each other out of the cache. */

#define E(...) random_emit(p, __VA_ARGS__)

enum { OFFSET = REG_ADDRESS + 2, BANK3_BYTES = 256 };

bool constant_fits(const struct random_program *p) {
  return p->bank_used[1] > 0 && p->bank_used[2] > 0;
}

static unsigned constant_bytes(const struct random_program *p, unsigned bank) {
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
  const unsigned half = power_below(constant_bytes(p, bank)) / 2,
                 rd = REG_DATA + random_below(p, REG_DATA_COUNT / words) * words;
  E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", OFFSET, random_data(p), (half - 1) & ~(bytes[k] - 1u));
  E("LDC%s R%u, c[0x%x][R%u+0x%x] ;\n", size[k], rd, bank, OFFSET, random_below(p, half / bytes[k]) * bytes[k]);
}

static void use_bank_operand(struct random_program *p, unsigned bank) {
  const unsigned words = constant_bytes(p, bank) / 4;
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
    random_below(p, constant_bytes(p, bank) / bytes) * bytes);
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

/* Directed stream: addresses. Global memory: how many sectors a warp touches, where the first lane begins, whether
 * lanes meet; shared memory: rows with conflicts of every degree; addresses that are an offset alone. All of it lies in
 * what the warp alone has, and every lane reads what it has stored itself, or what its warp shares. */

enum { PLACE = REG_STREAM, OFF = REG_STREAM + 2, LANE = REG_STREAM + 3, LINES = 3 };

static const struct {
  const char *suffix;
  unsigned bytes, words;
} sizes[] = {{".U8", 1, 1}, {".S8", 1, 1}, {".U16", 2, 1}, {".S16", 2, 1}, {"", 4, 1}, {".64", 8, 2}, {".128", 16, 4}};

static unsigned draw_data_words(struct random_program *p, unsigned words) {
  return REG_DATA + random_below(p, REG_DATA_COUNT / words) * words;
}

/* An offset for the instruction: what the register then lacks. Multiples of 16. */
static int draw_offset(struct random_program *p) {
  switch (random_below(p, 3)) {
  case 0:
    return 0;
  case 1:
    return 16 * (1 + (int)random_below(p, 16));
  default:
    return -16 * (1 + (int)random_below(p, 64));
  }
}

static void print_place(char buf[32], unsigned reg, int off) {
  const unsigned size = off < 0 ? 0u - (unsigned)off : (unsigned)off;
  if (off == 0)
    (void)snprintf(buf, 32, "[R%u]", reg);
  else
    (void)snprintf(buf, 32, "[R%u%s0x%x]", reg, off < 0 ? "-" : "+", size);
}

/* ---- global: lane n's bytes lie in the record of lane n / 2^pack of the warp, side by side with its neighbours' */

/* LANE: the number of a lane, or one that several lanes share. */
static void number_lanes(struct random_program *p) {
  switch (random_below(p, 4)) {
  case 0: /* the upper lanes are all one */
    E("IMNMX.U32 R%u, R%u, 0x%x, PT ;\n", LANE, REG_LANE,
      random_chance(p, 50) ? 17 + random_below(p, 14) : random_below(p, 31));
    break;
  case 1: /* pairs, fours, ... or the halves of the warp */
    E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", LANE, REG_LANE, 31u & ~(1u << random_below(p, 5)));
    break;
  default:
    E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0x3c ;\n", LANE, REG_LANE, random_chance(p, 50) ? 0 : random_below(p, 32));
    break;
  }
}

/* PLACE: the address less `off`; up to 32 bytes of a record, from its beginning, its second sector or inside. */
static void find_global(struct random_program *p, unsigned bytes, int off) {
  unsigned pack = 0;
  while (pack < 5 && bytes << (pack + 1) <= 32 && random_chance(p, 60)) pack++;
  const unsigned low = (1u << pack) - 1, inside = bytes * random_below(p, 32 / bytes + 1);
  const unsigned at = random_chance(p, 50) ? 32 * random_below(p, 2) : inside;
  number_lanes(p);
  E("SHF.R.U32.HI R%u, RZ, 0x%x, R%u ;\nLOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", OFF, pack, LANE, LANE, LANE, low);
  E("IMAD R%u, R%u, 0x%x, RZ ;\nIMAD R%u, R%u, 0x%x, R%u ;\n", LANE, LANE, bytes, OFF, OFF, THREAD_BYTES, LANE);
  E("IADD3 R%u, R%u, 0x%x, RZ ;\n", OFF, OFF, OWN_AT + at - (unsigned)off);
  E("IADD3 R%u, P6, PT, R%u, R%u, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", PLACE, REG_WARP, OFF, PLACE + 1,
    REG_WARP + 1);
}

/* Who takes part: all, the first or the last ones, those with a predicate. */
static void draw_guard(struct random_program *p, char g[8]) {
  const unsigned few = 1 + (random_chance(p, 50) ? random_below(p, 4) : random_below(p, 31));
  g[0] = '\0';
  switch (random_below(p, 4)) {
  case 0:
    if (random_chance(p, 20)) (void)snprintf(g, 8, "@!PT ");
    break;
  case 1: {
    const unsigned ps = random_below(p, PRED_DATA_COUNT);
    (void)snprintf(g, 8, "@%sP%u ", random_chance(p, 50) ? "!" : "", ps);
    break;
  }
  default:
    E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", random_chance(p, 50) ? "LT" : "GE", REG_LANE, few);
    (void)snprintf(g, 8, "@P6 ");
    break;
  }
}

static void access_global(struct random_program *p, unsigned k, const char *g, const char *place) {
  static const char *const strong[] = {"", "", "", ".STRONG.CTA", ".STRONG.GPU", ".STRONG.SYS"};
  const char *how = strong[random_below(p, 6)], *generic = random_chance(p, 25) ? "" : "G";
  const bool adds = sizes[k].bytes == 4 || sizes[k].bytes == 8;
  char text[120];
  const unsigned atomics = adds ? p->knobs.value[KNOB_ADDRESS_ATOMICS].low : 0, what = random_below(p, 2 + atomics);
  switch (what) {
  case 0:
    E("%sLD%s.E%s%s R%u, %s ;\n", g, generic, sizes[k].suffix, how, draw_data_words(p, sizes[k].words), place);
    return;
  case 1: {
    if (random_chance(p, 10)) {
      E("%sST%s.E%s%s %s, RZ ;\n", g, generic, sizes[k].suffix, how, place);
      return;
    }
    const unsigned value = draw_data_words(p, sizes[k].words);
    random_make_unique(p, value, sizes[k].words);
    E("%sST%s.E%s%s %s, R%u ;\n", g, generic, sizes[k].suffix, how, place, value);
    return;
  }
  default: /* one in two gives nothing back */
    random_atomic(p, text, sizeof text, g,
                  what < 2 + atomics / 2 ? "RED.E"
                  : *generic             ? "ATOMG.E"
                                         : "ATOM.E",
                  place, sizes[k].bytes, true);
    break;
  }
  E("%s", text);
}

static void global(struct random_program *p) {
  const unsigned k = random_below(p, sizeof sizes / sizeof *sizes);
  const int off = draw_offset(p);
  char place[32], g[8];
  print_place(place, PLACE, off);
  find_global(p, sizes[k].bytes, off);
  for (unsigned i = random_between(p, KNOB_ADDRESS_AGAIN); i-- > 0;) {
    draw_guard(p, g);
    access_global(p, k, g, place);
  }
}

/* ---- shared: each lane some banks after its neighbour, in bytes that programs with p->spread have for it */

static void shared(struct random_program *p) {
  static const uint8_t steps[] = {4, 8, 16, 32, 64, 128, 128, 12, 36, 68};
  const unsigned k = random_chance(p, 30) ? random_below(p, 4) : 4 + random_below(p, 3), bytes = sizes[k].bytes;
  unsigned step = steps[random_below(p, sizeof steps)];
  step = step < bytes ? bytes : step / bytes * bytes;
  const int off = draw_offset(p);
  char place[32], g[8], text[120];
  print_place(place, PLACE, off);
  E("IMAD R%u, R%u, 0x%x, RZ ;\nLOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", PLACE, REG_LANE, step, PLACE, PLACE,
    (p->spread - 1) & ~(bytes - 1));
  E("IMAD R%u, R%u, 0x%x, R%u ;\nIADD3 R%u, R%u, 0x%x, RZ ;\n", PLACE, REG_WARP_INDEX, p->spread, PLACE, PLACE, PLACE,
    random_warps(p) * WARP_SHARED_BYTES - (unsigned)off);
  E("STS%s %s, R%u ;\n", sizes[k].suffix, place, draw_data_words(p, sizes[k].words));
  if (bytes == 16 && random_whole_warps(p) && !p->leaves && random_chance(p, 50)) { /* rows of matrices as far apart */
    const unsigned matrices = 1u << random_below(p, 3), rd = draw_data_words(p, matrices);
    E("LDSM.16%s.%u R%u, %s ;\n", random_chance(p, 50) ? ".MT88" : ".M88", matrices, rd, place);
  }
  for (unsigned i = 1 + random_below(p, 2); i-- > 0;) {
    draw_guard(p, g);
    if (bytes == 16 || bytes < 4 || random_chance(p, 40)) {
      E("%sLDS%s R%u, %s ;\n", g, sizes[k].suffix, draw_data_words(p, sizes[k].words), place);
    } else {
      random_atomic(p, text, sizeof text, g, "ATOMS", place, bytes, true);
      E("%s", text);
    }
  }
}

/* ---- generic addresses: several accesses whose lanes part, one after the other */

static void generic(struct random_program *p) {
  char text[600];
  for (unsigned i = 0; i < 3; i++) {
    random_generic(p, text, sizeof text);
    E("%s", text);
  }
}

/* ---- RZ as the address: the whole of it is in the word */

/* Of thread 0 of the grid its own bytes, which lie where the buffers begin. */
static void absolute_global(struct random_program *p) {
  const unsigned k = random_below(p, sizeof sizes / sizeof *sizes);
  char place[32];
  (void)snprintf(place, sizeof place, "[RZ+0x%x]",
                 (unsigned)p->launch.base + OWN_AT + 16 * random_below(p, SCRATCH_THREAD_BYTES / 16));
  E("ISETP.EQ.U32.AND P6, PT, R%u, RZ, PT ;\n", REG_THREAD);
  access_global(p, k, "@P6 ", place);
}

/* Of warp 0 of a block the bytes that its lanes share. */
static void absolute_shared(struct random_program *p) {
  const unsigned k = random_below(p, sizeof sizes / sizeof *sizes), at = 16 * random_below(p, SHARED_WARP_BYTES / 16);
  char place[32], text[120];
  (void)snprintf(place, sizeof place, "[RZ+0x%x]", at);
  E("ISETP.EQ.U32.AND P6, PT, R%u, RZ, PT ;\n", REG_WARP_INDEX);
  switch (random_below(p, 3)) {
  case 0:
    E("@P6 LDS%s R%u, %s ;\n", sizes[k].suffix, draw_data_words(p, sizes[k].words), place);
    break;
  case 1:
    E("@P6 STS%s %s, R%u ;\n", sizes[k].suffix, place, draw_data_words(p, sizes[k].words));
    break;
  default:
    random_atomic(p, text, sizeof text, "@P6 ", "ATOMS", place, random_chance(p, 50) ? 4 : 8, true);
    E("%s", text);
    break;
  }
}

void stream_address(struct random_program *p, const struct node *n) {
  (void)n;
  for (unsigned i = 0; i < LINES; i++) {
    const unsigned what = random_below(p, 10);
    if (what == 0)
      absolute_shared(p);
    else if (what == 1 && heddle_isa_field_fits(ISA_F_OFF24, (int64_t)p->launch.base + WARP_BYTES + 1))
      absolute_global(p);
    else if (what == 2)
      generic(p);
    else if (what < 6 && p->spread > 0)
      shared(p);
    else
      global(p);
  }
}
