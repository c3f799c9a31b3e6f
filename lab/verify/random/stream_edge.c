/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: accesses that just fit. The first and the last bytes of regions, of shared and local memory and of
 * constant banks, in every width, some lanes alone, the others elsewhere; the last word of the code. */
#include <stdio.h>

#include "lab/verify/random/streams.h"
#include "lab/verify/random/window.h"

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS };

/* What one thread alone may write, the same each time: of the grid, or of each block. */
static unsigned writer(const struct random_program *p, const struct window *w) {
  const unsigned threads = random_threads(p);
  return w->space == SPACE_GLOBAL ? w->region * 37 % (random_blocks(p) * threads) : p->shared_edge * 29 % threads;
}

/* What is written first is defined. */
static void touch_memory_edge(struct random_program *p) {
  const struct window w = window_draw(p, (enum space)random_below(p, 3));
  if (w.bytes == 0) return;
  struct window_access a;
  do a = window_access_draw(p, &w, w.writable);
  while (a.bytes > w.bytes || (a.generic && w.space == SPACE_LOCAL && a.kind == ACCESS_ATOM));
  const uint32_t off = window_inside(p, &w, a.bytes);
  const unsigned lane = random_below(p, 32);
  enum who who = w.space == SPACE_SHARED ? WHO_OF_BLOCK : w.writable && w.space == SPACE_GLOBAL ? WHO_THREAD : WHO_SOME;
  if (who == WHO_SOME && random_chance(p, 40)) who = WHO_ALL;
  int less;
  window_address(p, &w, &a, off, 0, who, who == WHO_SOME ? lane : writer(p, &w), &less);
  if (w.space != SPACE_GLOBAL || a.generic) {
    static const char *const store[] = {"STG.E", "STS", "STL"}, *const suffix[] = {".U8", ".S16", "", ".64", ".128"};
    struct window_access first = {.bytes = a.bytes, .kind = ACCESS_STORE};
    snprintf(first.text, sizeof first.text, "%s%s", a.generic ? "ST.E" : store[w.space],
             suffix[__builtin_ctz(a.bytes)]);
    if (w.writable) window_emit(p, &first, less);
  }
  window_emit(p, &a, less);
}

static void touch_constant_edge(struct random_program *p) {
  static const char *const size[] = {".U8", ".S16", "", ".64", ".128"};
  const unsigned bank = random_below(p, 4);
  const unsigned bytes = bank_bytes(p, bank);
  const unsigned k = random_below(p, 5), words = k < 2 ? 1 : 1u << (k - 2), d = random_below(p, REG_DATA_COUNT / words);
  if (bytes < 16) return;
  if (random_chance(p, 40)) {
    E("IADD3 R%u, R%u, c[0x%x][0x%x], RZ ;\n", REG_DATA + d, REG_LANE, bank, (bytes - 4) / 4 * 4);
    return;
  }
  const unsigned last = (bytes >> k) - 1, back = random_below(p, last < 31 ? last + 1 : 32);
  E("IMNMX.U32 R%u, R%u, 0x%x, PT ;\nIMAD R%u, R%u, 0x%x, RZ ;\n", AT, REG_LANE, back, AT, AT, 0u - (1u << k));
  E("LDC%s R%u, c[0x%x][R%u+0x%x] ;\n", size[k], REG_DATA + words * d, bank, AT, last << k);
}

/* Some lanes go to the last word, and come back. */
static void last_word(struct random_program *p, unsigned id, unsigned n) {
  static const char *const jump[] = {"BRX", "CALL.ABS", "RET"};
  const unsigned how = random_below(p, 5), lane = random_below(p, 32);
  E("BSSY B0, last_%u_%u ;\nISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA last_%u_%u ;\n", n, id, REG_LANE, lane, n,
    id);
  E("MOV R%u, last_%u_%u ;\nMOV R%u, RZ ;\n", REG_RETURN, n, id, REG_RETURN + 1);
  if (how > 2)
    E("%s last_word ;\n", how == 3 ? "CALL.REL" : "JMP");
  else
    E("MOV R%u, last_word ;\nMOV R%u, RZ ;\n%s R%u ;\n", AT, AT + 1, jump[how], AT);
  E("last_%u_%u:\nBSYNC B0 ;\n", n, id);
}

void stream_edge(struct random_program *p, const struct node *n) {
  for (unsigned i = 0; i < 3; i++) {
    const unsigned what = random_below(p, 10);
    if (what == 0 && p->tail == TAIL_NONE && !code_ends_by_exit(p))
      last_word(p, n->id, i);
    else if (what == 1 && p->tail == TAIL_NONE)
      code_end_spared(p, n->id, i);
    else if (what < 4)
      touch_constant_edge(p);
    else
      touch_memory_edge(p);
  }
}
