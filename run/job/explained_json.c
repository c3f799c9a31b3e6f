/* SPDX-License-Identifier: Apache-2.0
 * The same as JSON. What is not known is not there. */
#include "run/job/explained.h"

static void put_value(json_t *j, const char *key, json_t *value) {
  (void)json_object_set_new(j, key, value);
}

static void put_text(json_t *j, const char *key, const char *text) {
  if (text && text[0]) put_value(j, key, json_string(text));
}

static json_t *three(const uint32_t v[3]) {
  return json_pack("[I, I, I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

static json_t *hex_json(uint64_t v) {
  return json_sprintf("0x%llx", (unsigned long long)v);
}

static void put_source_line(json_t *j, const struct heddle_program *p, uint32_t pc) {
  const char *file;
  unsigned line;
  if (!heddle_program_line(p, pc, &file, &line)) return;
  put_text(j, "file", file);
  put_value(j, "line", json_integer((json_int_t)line));
}

static void put_place(json_t *j, const struct heddle_explanation *x) {
  const struct heddle_fault *f = x->of;
  if (!f->has_place) return;
  put_text(j, "function", x->function);
  if (x->file) put_value(j, "line", json_integer((json_int_t)x->line));
  put_text(j, "file", x->file);
  put_text(j, "instruction", x->instruction);
  put_value(j, "pc", hex_json(f->pc));
  put_value(j, "block", three(f->ctaid));
  put_value(j, "warp", json_integer((json_int_t)f->warp));
  put_value(j, "lanes", json_sprintf("0x%08x", f->lanes));
  put_value(j, "sequence", json_integer((json_int_t)f->sequence));
  if (x->has_thread) put_value(j, "thread", three(x->thread));
}

static void put_access(json_t *j, const struct heddle_explanation *x) {
  if (!x->access) return;
  put_text(j, "access", x->access);
  put_text(j, "space", x->space);
  put_value(j, "bytes", json_integer((json_int_t)x->bytes));
  put_value(j, "address", hex_json(x->address));
  if (x->of->within != 0) put_value(j, "within", json_integer((json_int_t)x->of->within));
  const struct heddle_fault_buffer *b = x->nearest;
  if (b) {
    json_t *n = json_pack("{s:o, s:I, s:b}", "base", hex_json(b->base), "bytes", (json_int_t)(b->limit - b->base),
                          "writable", b->writable);
    put_text(n, "name", b->name);
    if (b->argument >= 0) put_value(n, "argument", json_integer(b->argument));
    put_value(j, "buffer", n);
  }
  if (x->missed > 0) {
    if (x->of->within == 0) put_value(j, "missed", json_integer((json_int_t)x->missed));
    put_text(j, "side", x->before ? "before" : "beyond");
  }
}

/* Where what is undefined arose. */
static void put_origin(json_t *j, const struct heddle_fault *f) {
  if (f->kind != HEDDLE_FAULT_UNDEFINED || !f->origin || !f->origin[0]) return;
  json_t *o = json_pack("{s:s, s:s, s:o}", "what", f->origin, "how", f->loaded ? "loaded" : "first read", "pc",
                        hex_json(f->first_pc));
  put_source_line(o, f->program, f->first_pc);
  put_value(j, "origin", o);
}

static json_t *waits_json(const struct heddle_fault *f) {
  json_t *all = json_array();
  for (unsigned i = 0; i < f->waits; i++) {
    const struct heddle_fault_wait *w = &f->wait[i];
    json_t *j = json_pack("{s:o, s:I, s:o, s:o, s:s}", "block", three(w->ctaid), "warp", (json_int_t)w->warp, "lanes",
                          json_sprintf("0x%08x", w->lanes), "pc", hex_json(w->pc), "why", w->why);
    put_source_line(j, f->program, w->pc);
    (void)json_array_append_new(all, j);
  }
  return all;
}

json_t *explained_json(const struct job *job, const struct run_result *r) {
  struct explained e;
  if (!explained_make(&e, job, r)) return NULL;
  json_t *j = json_pack("{s:s}", "kind", e.x.kind);
  put_text(j, "cause", e.fault.cause);
  put_text(j, "kernel", e.x.kernel);
  put_place(j, &e.x);
  put_access(j, &e.x);
  put_text(j, "nearest", e.x.place);
  put_text(j, "advice", e.x.advice);
  put_origin(j, &e.fault);
  if (e.fault.waits > 0) put_value(j, "waits", waits_json(&e.fault));
  explained_clear(&e);
  return j;
}
