/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed streams: memory in which each thread has its own: local memory; a crowd of threads in few lines.
 */
#include <stdio.h>
#include "lab/verify/random/streams.h"

/* Directed stream: local memory, up to its last byte and to as much as there may be. Every warp of the grid stores and
 * loads at the same places, each lane its own words; a warp's slice has been that of warps of earlier blocks, whose
 * words may be read, if nobody uses what comes. What is left at the end the checker compares, slice by slice. */

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS, WINDOW = 64 };

static const char *const size[] = {".U8", ".S16", "", ".64", ".128"};

bool local_fits(const struct random_program *p) {
  return p->local_more != 0;
}

/* So many bytes in one piece: as a line of memory holds a word of each lane, more lines than a small cache has. */
static unsigned window_bytes(const struct random_program *p) {
  return p->local_more < WINDOW ? 16 : WINDOW;
}

/* Where they begin: the last ones often, the first ones, any. */
static unsigned window(struct random_program *p) {
  const unsigned first = LOCAL_BYTES + LOCAL_STACK_BYTES, room = (p->local_more - window_bytes(p)) / 16;
  const unsigned any = random_below(p, room + 1), what = random_below(p, 4);
  return first + 16 * (what == 0 ? 0 : what == 1 ? any : room);
}

/* All of it, by every lane. */
static void define_window(struct random_program *p, unsigned at) {
  for (unsigned i = 0; i < window_bytes(p); i += 16)
    E("STL.128 [RZ+0x%x], R%u ;\n", at + i, REG_DATA + 4 * random_below(p, REG_DATA_COUNT / 4));
}

/* R36 (and R37) say where `off` of the window lies, or each lane's own place; the address's text is drawn. */
static bool draw_local_place(struct random_program *p, unsigned at, unsigned bytes, char text[32]) {
  const unsigned n = window_bytes(p) / bytes, off = bytes * (random_chance(p, 30) ? n - 1 : random_below(p, n));
  switch (random_below(p, 4)) {
  case 0:
    (void)snprintf(text, 32, "[RZ+0x%x]", at + off);
    return false;
  case 1: /* from above */
    E("MOV R%u, 0x%x ;\n", AT, at + WINDOW);
    (void)snprintf(text, 32, "[R%u-0x%x]", AT, WINDOW - off);
    return false;
  case 2:
    E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nIMAD R%u, R%u, 0x%x, RZ ;\n", AT, REG_LANE, n - 1, AT, AT, bytes);
    (void)snprintf(text, 32, "[R%u+0x%x]", AT, at);
    return false;
  default:
    E("MOV R%u, 0x%x ;\nMOV R%u, 0x%x ;\n", AT, at + off, AT + 1, WINDOW_LOCAL);
    (void)snprintf(text, 32, "[R%u]", AT);
    return true;
  }
}

static void access_local(struct random_program *p, unsigned at) {
  const unsigned k = random_below(p, 5), words = k < 2 ? 1 : 1u << (k - 2), ps = random_below(p, PRED_DATA_COUNT);
  const unsigned d = REG_DATA + words * random_below(p, REG_DATA_COUNT / words);
  char text[32], g[8] = "";
  const bool generic = draw_local_place(p, at, 1u << k, text);
  if (random_chance(p, 25)) (void)snprintf(g, sizeof g, "@%sP%u ", random_chance(p, 50) ? "!" : "", ps);
  const char *strong = generic && random_chance(p, 25) ? ".STRONG.GPU" : "";
  if (random_chance(p, 55))
    E("%s%s%s%s R%u, %s ;\n", g, generic ? "LD.E" : "LDL", size[k], strong, d, text);
  else
    E("%s%s%s%s %s, R%u ;\n", g, generic ? "ST.E" : "STL", size[k], strong, text, d);
}

/* Of words that this thread may not have written, into registers that are written over: nobody uses it. */
static void unread(struct random_program *p) {
  const unsigned k = random_below(p, 5), words = k < 2 ? 1 : 1u << (k - 2), bytes = 1u << k;
  const unsigned d = REG_DATA + words * random_below(p, REG_DATA_COUNT / words), n = random_local(p) / bytes;
  E("LDL%s R%u, [RZ+0x%x] ;\n", size[k], d, bytes * (random_chance(p, 50) ? n - 1 : random_below(p, n)));
  for (unsigned i = 0; i < words; i++) E("MOV R%u, R%u ;\n", d + i, REG_THREAD);
}

void stream_local(struct random_program *p, const struct node *n) {
  static const char *const fence[] = {"MEMBAR.CTA", "MEMBAR.GPU", "CCTL.E.IVALL [R2]"};
  const unsigned one = window(p), other = window(p);
  (void)n;
  if (random_chance(p, 50)) unread(p);
  define_window(p, one);
  const bool both = random_chance(p, 60);
  if (both && other != one) define_window(p, other);
  for (unsigned i = 4 + random_below(p, 6); i-- > 0;) {
    const bool first = !both || random_chance(p, 50);
    access_local(p, first ? one : other);
    if (random_chance(p, 10)) E("%s ;\n", fence[random_below(p, 3)]);
  }
}

/* Directed stream: a crowd. Threads of all warps have words side by side in few lines, each its own: whoever loads,
 * stores, adds or empties the cache meets sectors that other warps read and write at the same time, and what it reads
 * depends on nobody. In between local memory that is written and read at once. */

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
