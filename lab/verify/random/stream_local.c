/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: local memory, up to its last byte and to as much as there may be. Every warp of the grid stores and
 * loads at the same places, each lane its own words; a warp's slice has been that of warps of earlier blocks, whose
 * words may be read, if nobody uses what comes. What is left at the end the checker compares, slice by slice. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

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
