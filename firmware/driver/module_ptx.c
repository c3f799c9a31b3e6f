/* SPDX-License-Identifier: Apache-2.0
 * PTX text to a module of a context. */
#include <heddle/module_ptx.h>

#include <stdio.h>
#include <string.h>

#include "base/options.h"

/* The first error, and whoever else listens. */
struct listener {
  struct heddle_message first;
  bool any;
  void (*message)(void *ctx, const struct heddle_message *m);
  void *ctx;
};

static void listen(void *ctx, const struct heddle_message *m) {
  struct listener *l = ctx;
  if (!m->warning && !l->any) l->first = *m;
  l->any = l->any || !m->warning;
  if (l->message) l->message(l->ctx, m);
}

/* The device's part of the options. */
static void aim(struct heddle_ptx_options *o, const struct heddle_machine *m) {
  const bool model = (m->units >> ISA_PART_MODEL & 1u) != 0;
  o->size = sizeof *o;
  o->target = model ? HEDDLE_PTX_TARGET_MODEL : HEDDLE_PTX_TARGET_RTL;
  o->units = model ? 0 : m->units;
  memcpy(o->stall, m->stall, sizeof o->stall);
  o->fp64_latency = m->fp64_latency;
}

/* `heddle cases` makes the same of the text. */
static bool is_usual(const struct heddle_ptx_options *o) {
  return o->level == 1 && !o->no_inline && !o->long_words && !o->all_uniform && o->max_regs == 0 &&
         o->stack_bytes == 0 && o->printf_bytes == 0 && o->heap_bytes == 0;
}

static enum heddle_error not_compiled(struct heddle_context *c, enum heddle_error e, const char *name,
                                      const struct listener *l) {
  char words[sizeof l->first.text + 300];
  if (l->any)
    snprintf(words, sizeof words, "%.200s:%u:%u: %s", name, l->first.line, l->first.column, l->first.text);
  else
    snprintf(words, sizeof words, "%.200s: no program", name);
  return heddle_context_fail(c, e, words);
}

enum heddle_error heddle_module_load_ptx(struct heddle_context *c, const char *text, size_t bytes, const char *name,
                                         const struct heddle_ptx_options *more, struct heddle_module **out) {
  struct heddle_ptx_options o = {.level = 1};
  struct heddle_machine m = {.size = sizeof m};
  if (!c || !text || !out || (more && !options_take(&o, sizeof o, more))) return HEDDLE_ERROR_INVALID_VALUE;
  enum heddle_error e = heddle_context_machine(c, &m);
  if (e != HEDDLE_SUCCESS) return e;
  struct listener l = {.message = o.message, .ctx = o.ctx};
  const bool usual = is_usual(&o);
  aim(&o, &m);
  o.message = listen;
  o.ctx = &l;
  if (!name) name = "ptx";
  struct heddle_program *p;
  e = heddle_ptx_compile(text, bytes, name, &o, &p, NULL, NULL);
  if (e != HEDDLE_SUCCESS) return not_compiled(c, e, name, &l);
  e = heddle_module_load_program(c, p, out);
  if (e != HEDDLE_SUCCESS)
    heddle_program_free(p);
  else if (usual)
    heddle_module_compiled_from(*out, text, bytes);
  return e;
}
