/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: a crowd. Threads of all warps have words side by side in few lines, each its own: whoever loads,
 * stores, adds or empties the cache meets sectors that other warps read and write at the same time, and what it reads
 * depends on nobody. In between local memory that is written and read at once. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

#define E(...) random_emit(p, __VA_ARGS__)

enum { PLACE = REG_STREAM, OFF = REG_STREAM + 2, UPPER = REG_STREAM + 3 };

static const struct {
  const char *suffix;
  unsigned bytes;
} sizes[] = {{".U8", 1}, {".S8", 1}, {".U16", 2}, {".S16", 2}, {"", 4}, {"", 4}};

/* Do offsets not reach the areas? */
static bool is_far(const struct random_program *p) {
  return !heddle_isa_field_fits(ISA_F_OFF24, (int64_t)random_crowd_at(p) + random_crowd_bytes(p));
}

/* PLACE: the thread's word. Words of one lane of all warps follow each other, so that every sector has several warps'.
 */
static void find_crowd_word(struct random_program *p) {
  E("LOP3.LUT R%u, R%u, 0x1f, RZ, 0xc0 ;\nSHF.R.U32.HI R%u, RZ, 0x5, R%u ;\n", OFF, REG_THREAD, UPPER, REG_THREAD);
  E("IMAD R%u, R%u, 0x%x, R%u ;\nMOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\n", OFF, OFF, random_crowd_warps(p),
    UPPER, PLACE, PLACE + 1);
  E("IMAD.WIDE R%u, R%u, 0x4, R%u ;\n", PLACE, OFF, PLACE);
  if (is_far(p)) E("MOV R%u, 0x1 ;\nIMAD.WIDE.U32 R%u, R%u, 0x%x, R%u ;\n", OFF, PLACE, OFF, random_crowd_at(p), PLACE);
}

/* All, or those with a predicate: whole warps are the rule. */
static void draw_guard(struct random_program *p, char g[8]) {
  const unsigned ps = random_below(p, PRED_DATA_COUNT);
  g[0] = '\0';
  if (random_chance(p, 25)) (void)snprintf(g, 8, "@%sP%u ", random_chance(p, 50) ? "!" : "", ps);
}

static void load_crowd(struct random_program *p, const char *g, unsigned at, bool strong) {
  static const char *const weak[] = {"", "", ".STRONG.CTA"}, *const past[] = {".STRONG.GPU", ".STRONG.SYS"};
  const unsigned k = random_below(p, sizeof sizes / sizeof *sizes),
                 off = sizes[k].bytes * random_below(p, 4 / sizes[k].bytes);
  const char *how = strong ? past[random_below(p, 2)] : weak[random_below(p, 3)];
  E("%sLDG.E%s%s R%u, [R%u+0x%x] ;\n", g, sizes[k].suffix, how, random_data(p), PLACE, at + off);
}

static void store_crowd(struct random_program *p, const char *g, unsigned at) {
  const unsigned k = random_below(p, sizeof sizes / sizeof *sizes),
                 off = sizes[k].bytes * random_below(p, 4 / sizes[k].bytes);
  const unsigned value = random_data(p);
  random_make_unique(p, value, 1);
  E("%sSTG.E%s%s [R%u+0x%x], R%u ;\n", g, sizes[k].suffix, random_chance(p, 25) ? ".STRONG.GPU" : "", PLACE, at + off,
    value);
}

static void add_to_word(struct random_program *p, const char *g, unsigned at) {
  char text[120], place[32];
  (void)snprintf(place, sizeof place, "[R%u+0x%x]", PLACE, at);
  random_atomic(p, text, sizeof text, g, random_chance(p, 50) ? "RED.E" : "ATOMG.E", place, 4, true);
  E("%s", text);
}

static void fence_crowd(struct random_program *p) {
  static const char *const what[] = {"MEMBAR.CTA", "MEMBAR.GPU", "MEMBAR.SYS"};
  const unsigned n = random_below(p, 4);
  if (n == 3)
    E("CCTL.E.IVALL [R%u] ;\n", PLACE);
  else
    E("%s ;\n", what[n]);
}

/* One of two areas, so that lines leave each other room, and take it. */
static void global(struct random_program *p) {
  char g[8];
  const unsigned at = (is_far(p) ? 0 : random_crowd_at(p)) + (random_chance(p, 70) ? 0 : random_crowd_bytes(p) / 2);
  draw_guard(p, g);
  switch (random_below(p, 12)) {
  case 0:
  case 1:
    store_crowd(p, g, at);
    break;
  case 2:
    add_to_word(p, g, at);
    break;
  case 3:
    load_crowd(p, g, at, true);
    break;
  case 4:
    fence_crowd(p);
    break;
  default:
    load_crowd(p, g, at, false);
    break;
  }
}

/* Words of local memory: what is stored is read soon, whole sectors of it or parts, sometimes by a strong load. */
static void local(struct random_program *p) {
  const unsigned word = 4 * random_below(p, LOCAL_BYTES / 8);
  char g[8];
  for (unsigned i = 2 + random_below(p, 4); i-- > 0;) {
    const unsigned k = random_below(p, sizeof sizes / sizeof *sizes),
                   off = sizes[k].bytes * random_below(p, 4 / sizes[k].bytes);
    draw_guard(p, g);
    if (random_chance(p, 10))
      E("MOV R%u, 0x%x ;\nMOV R%u, 0x%x ;\n%sLD.E%s.STRONG.GPU R%u, [R%u] ;\n", OFF, word + off, UPPER, WINDOW_LOCAL, g,
        sizes[k].suffix, random_data(p), OFF);
    else if (random_chance(p, 60))
      E("%sLDL%s R%u, [RZ+0x%x] ;\n", g, sizes[k].suffix, random_data(p), word + off);
    else if (random_chance(p, 50))
      E("STL [RZ+0x%x], R%u ;\n", word, random_data(p));
    else
      E("%sSTL%s [RZ+0x%x], R%u ;\n", g, sizes[k].suffix, word + off, random_data(p));
  }
}

void stream_crowd(struct random_program *p, const struct node *n) {
  (void)n;
  if (several_warps_stay(p) && random_chance(p, 40)) E("BAR.SYNC 0x0 ;\n");
  find_crowd_word(p);
  for (unsigned i = 2 + random_between(p, KNOB_ADDRESS_AGAIN); i-- > 0;) {
    if (random_chance(p, 12))
      local(p);
    else
      global(p);
  }
}
