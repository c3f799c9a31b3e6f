/* SPDX-License-Identifier: Apache-2.0
 *
 * What is refused, by name; and limits, so that no text takes for ever. */
#include "compiler/lower/lower.h"

#include <stdarg.h>
#include <stdio.h>

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
