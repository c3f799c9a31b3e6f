/* SPDX-License-Identifier: Apache-2.0
 *
 * What is refused, by name; and limits, so that no text takes for ever. */
#include "compiler/lower/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 200, WORK_MOST = 4 << 20, MODULE_WORK_MOST = 16 * WORK_MOST };

/* "add.ftz.u32" */
static void opcode(const struct ptx_statement *s, char *text, size_t size) {
  size_t used = 0;
  for (unsigned k = 0; k < s->words && used < size; k++) {
    int n = snprintf(text + used, size - used, "%s%s", k ? "." : "", s->word[k]);
    used += n > 0 ? (size_t)n : 0;
  }
}

void lower_refuse(struct lower *l, const struct insn *in, const char *format, ...) {
  char name[100], text[200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  opcode(in->s, name, sizeof name);
  ptx_error(l->d, in->s->pos, "%s: %s", name, text);
}

const char *lower_instead(const struct ptx_statement *s) {
  static const struct {
    const char *name, *word, *text; /* the first word, and another one (NULL: any) */
  } table[] = {
      {"atom", "b128", "there are no atomics of 128 bits: a lock by atom.cas.b32 around ld and st, or 64 bits at once"},
      {"barrier", "cluster", "a cluster is one block here: bar.sync 0 waits for it"},
      {"cp", "reduce", "there are no bulk copies: red.global adds, element by element"},
      {"fence", "tensormap::generic", "there are no tensor copies: leave it out"},
      {"getctarank", NULL, "a cluster is one block here: the rank is 0"},
      {"istypep", NULL, "there are no textures and surfaces"},
      {"mapa", NULL, "a cluster is one block here: there is no shared memory but its own, at the same address"},
      {"multimem", NULL, "there is one device: ld, st and red of .global do the same"},
      {"prefetch", "tensormap", "there are no tensor copies: leave it out"},
      {"setmaxnreg", NULL, "a thread keeps the registers that it began with: leave it out"},
      {"st", "async", "a cluster is one block here: st.shared, and mbarrier.complete_tx behind it"},
      {"red", "async", "a cluster is one block here: red.shared, and mbarrier.complete_tx behind it"},
      {"st", "bulk", "there are no bulk stores: st.shared in a loop"},
      {"suld", NULL, "there are no surfaces: ld.global reads the array"},
      {"suq", NULL, "there are no surfaces: pass the size as a parameter"},
      {"sured", NULL, "there are no surfaces: red.global changes the array"},
      {"sust", NULL, "there are no surfaces: st.global writes the array"},
      {"tcgen05", NULL, "there is no tensor memory: mma.sync multiplies fragments in registers"},
      {"tensormap", NULL, "there are no tensor copies: cp.async copies 16 bytes a thread"},
      {"tex", NULL, "there are no textures: ld.global reads the array, and the kernel filters"},
      {"tld4", NULL, "there are no textures: ld.global reads the array, four times"},
      {"txq", NULL, "there are no textures: pass the size as a parameter"},
      {"wgmma", NULL, "there are no groups of warps: mma.sync multiplies fragments of one warp"}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (strcmp(s->word[0], table[k].name) != 0) continue;
    if (!table[k].word) return table[k].text;
    for (unsigned w = 1; w < s->words; w++)
      if (strcmp(s->word[w], table[k].word) == 0) return table[k].text;
  }
  return NULL;
}

void lower_work(struct lower *l, struct ptx_pos pos) {
  if (++l->work > WORK_MOST)
    ptx_fatal(l->d, pos, "'%s' is too large: more than %d statements and declarations, calls inlined", l->f->name,
              WORK_MOST);
  if (++l->module->work > MODULE_WORK_MOST)
    ptx_fatal(l->d, pos, "the module is too large: more than %d statements and declarations, calls inlined",
              MODULE_WORK_MOST);
}

void lower_enter(struct lower *l, struct ptx_pos pos) {
  if (++l->depth > DEPTH_MOST)
    ptx_fatal(l->d, pos, "'%s': more than %d blocks and calls inside each other", l->f->name, DEPTH_MOST);
}
