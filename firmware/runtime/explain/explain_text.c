/* SPDX-License-Identifier: Apache-2.0
 * An explanation as lines of text. */
#include <stdarg.h>
#include <stdio.h>

#include <heddle/explain.h>
#include "isa/util/options.h"

enum { WAITS_SHOWN = 8 };

struct text {
  char *at;
  size_t size, used;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  const int n = vsnprintf(t->at + t->used, t->size - t->used, format, ap);
  va_end(ap);
  if (n > 0) t->used += (size_t)n;
  if (t->used >= t->size) t->used = t->size - 1;
}

static void add_where(struct text *t, const struct heddle_explanation *x) {
  char where[400], kernel[400], function[400];
  add(t, "  in        kernel %s%s%s\n", heddle_name_text(x->kernel ? x->kernel : "?", kernel, sizeof kernel),
      x->function ? ", function " : "", x->function ? heddle_name_text(x->function, function, sizeof function) : "");
  if (!x->of->has_place || x->of->waits > 0) return;
  heddle_explain_pc(x->of->program, x->of->pc, where, sizeof where);
  add(t, "  at        %s\n", where);
}

static void add_thread(struct text *t, const struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  if (!f->has_place || f->waits > 0) return;
  add(t, "  by        block (%u,%u,%u) warp %u lanes 0x%08x", f->ctaid[0], f->ctaid[1], f->ctaid[2], f->warp, f->lanes);
  if (x->has_thread)
    add(t, ", %sthread (%u,%u,%u)", (f->lanes & (f->lanes - 1)) != 0 ? "first " : "", x->thread[0], x->thread[1],
        x->thread[2]);
  add(t, "\n");
}

static void add_waits(struct text *t, const struct heddle_fault *f) {
  char where[400];
  for (unsigned i = 0; i < f->waits && i < WAITS_SHOWN; i++) {
    const struct heddle_fault_wait *w = &f->wait[i];
    heddle_explain_pc(f->program, w->pc, where, sizeof where);
    add(t, "  waits     block (%u,%u,%u) warp %u lanes 0x%08x at %s: %s\n", w->ctaid[0], w->ctaid[1], w->ctaid[2],
        w->warp, w->lanes, where, w->why);
  }
  if (f->waits > WAITS_SHOWN) add(t, "  waits     %u more\n", f->waits - WAITS_SHOWN);
}

static void add_access(struct text *t, const struct heddle_explanation *x) {
  const unsigned long long at = x->address;
  add(t, "  access    %s of %u bytes, %s memory, ", x->access, x->bytes, x->space);
  if (x->of->within != 0)
    add(t, "in the line of %u bytes at 0x%llx\n", x->of->within, at);
  else
    add(t, "address 0x%llx\n", at);
}

size_t heddle_explanation_text(const struct heddle_explanation *given, char *text, size_t size) {
  struct text t = {text, size, 0};
  struct heddle_explanation own;
  const struct heddle_explanation *x = &own;
  struct heddle_fault of;
  text[0] = '\0';
  if (!options_take(&own, sizeof own, given) || !options_take(&of, sizeof of, own.of)) return 0;
  own.of = &of;
  add_where(&t, x);
  add_thread(&t, x);
  if (x->access) add_access(&t, x);
  if (x->place[0]) add(&t, "  nearest   %s\n", x->place);
  if (x->allocator[0]) add(&t, "  allocated %s\n", x->allocator);
  if (x->advice[0]) add(&t, "  because   %s\n", x->advice);
  if (x->origin[0]) add(&t, "  from      %s\n", x->origin);
  add_waits(&t, x->of);
  return t.used;
}
