/* SPDX-License-Identifier: Apache-2.0
 * An explanation as lines of text. */
#include <stdio.h>

#include <heddle/explain.h>
#include "base/options.h"
#include "base/text.h"

enum { WAITS_SHOWN = 8 };

static void add_where(struct text_room *t, const struct heddle_explanation *x) {
  char where[400], kernel[400], function[400];
  text_print(t, "  in        kernel %s%s%s\n", heddle_name_text(x->kernel ? x->kernel : "?", kernel, sizeof kernel),
             x->function ? ", function " : "",
             x->function ? heddle_name_text(x->function, function, sizeof function) : "");
  if (!x->of->has_place || x->of->waits > 0) return;
  heddle_explain_pc(x->of->program, x->of->pc, where, sizeof where);
  text_print(t, "  at        %s\n", where);
}

static void add_thread(struct text_room *t, const struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  if (!f->has_place || f->waits > 0) return;
  text_print(t, "  by        block (%u,%u,%u) warp %u lanes 0x%08x", f->ctaid[0], f->ctaid[1], f->ctaid[2], f->warp,
             f->lanes);
  if (x->has_thread)
    text_print(t, ", %sthread (%u,%u,%u)", (f->lanes & (f->lanes - 1)) != 0 ? "first " : "", x->thread[0], x->thread[1],
               x->thread[2]);
  text_print(t, "\n");
}

static void add_waits(struct text_room *t, const struct heddle_fault *f) {
  char where[400];
  for (unsigned i = 0; i < f->waits && i < WAITS_SHOWN; i++) {
    const struct heddle_fault_wait *w = &f->wait[i];
    heddle_explain_pc(f->program, w->pc, where, sizeof where);
    text_print(t, "  waits     block (%u,%u,%u) warp %u lanes 0x%08x at %s: %s\n", w->ctaid[0], w->ctaid[1],
               w->ctaid[2], w->warp, w->lanes, where, w->why);
  }
  if (f->waits > WAITS_SHOWN) text_print(t, "  waits     %u more\n", f->waits - WAITS_SHOWN);
}

static void add_access(struct text_room *t, const struct heddle_explanation *x) {
  const unsigned long long at = x->address;
  text_print(t, "  access    %s of %u bytes, %s memory, ", x->access, x->bytes, x->space);
  if (x->of->within != 0)
    text_print(t, "in the line of %u bytes at 0x%llx\n", x->of->within, at);
  else
    text_print(t, "address 0x%llx\n", at);
}

size_t heddle_explanation_text(const struct heddle_explanation *given, char *text, size_t size) {
  struct text_room t = {text, size, 0};
  struct heddle_explanation own;
  const struct heddle_explanation *x = &own;
  struct heddle_fault of;
  text[0] = '\0';
  if (!options_take(&own, sizeof own, given) || !options_take(&of, sizeof of, own.of)) return 0;
  own.of = &of;
  add_where(&t, x);
  add_thread(&t, x);
  if (x->access) add_access(&t, x);
  if (x->place[0]) text_print(&t, "  nearest   %s\n", x->place);
  if (x->allocator[0]) text_print(&t, "  allocated %s\n", x->allocator);
  if (x->advice[0]) text_print(&t, "  because   %s\n", x->advice);
  if (x->origin[0]) text_print(&t, "  from      %s\n", x->origin);
  add_waits(&t, x->of);
  return t.used;
}
