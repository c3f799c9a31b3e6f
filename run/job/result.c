/* SPDX-License-Identifier: Apache-2.0
 * What a run has come to, in words and as JSON: its event counters, its fault. */
#include "result.h"

#include <inttypes.h>
#include <stdlib.h>

#include <heddle/host_regs.h>

/* Event counters in words. */

/* By enum heddle_counter. */
static const char *const names[HEDDLE_COUNTERS] = {"issued", "not_selected", "wait",   "stall", "pipe",
                                                   "fetch",  "sync",         "memory", "const", "other"};

/* By enum heddle_cache_counter. */
static const char *const cache_names[HEDDLE_CACHE_COUNTERS] = {"loads",  "hit",    "joined",   "asked",  "by",
                                                               "stores", "strong", "replaced", "errors", "emptied"};

static bool has_cache(const uint64_t counter[RUN_COUNTERS]) {
  uint64_t any = 0;
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++) any |= counter[RUN_CACHE_COUNTERS + i];
  return any != 0;
}

const char *profile_name(unsigned counter) {
  return names[counter];
}

void profile_print(FILE *to, const char *name, uint64_t retired, uint64_t cycles,
                   const uint64_t counter[RUN_COUNTERS]) {
  fprintf(to, "%s: %" PRIu64 " warp instructions", name, retired);
  if (cycles > 0) fprintf(to, ", %" PRIu64 " cycles; warp cycles:", cycles);
  for (unsigned i = 1; i < HEDDLE_COUNTERS && cycles > 0; i++) fprintf(to, " %s %" PRIu64, names[i], counter[i]);
  fputc('\n', to);
  if (!has_cache(counter)) return;
  fprintf(to, "%s: cache:", name);
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++)
    fprintf(to, " %s %" PRIu64, cache_names[i], counter[RUN_CACHE_COUNTERS + i]);
  fputc('\n', to);
}

json_t *profile_json(const uint64_t counter[RUN_COUNTERS]) {
  json_t *j = json_object();
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    (void)json_object_set_new(j, names[i], json_integer((json_int_t)counter[i]));
  if (!has_cache(counter)) return j;
  json_t *cache = json_object();
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++)
    (void)json_object_set_new(cache, cache_names[i], json_integer((json_int_t)counter[RUN_CACHE_COUNTERS + i]));
  (void)json_object_set_new(j, "cache", cache);
  return j;
}

/* The fault of a run, explained. */

enum { TEXT = 8192 };

/* The scalar that is an address in the place, or -1. */
static int argument_at(const struct job *j, const struct job_place *p) {
  for (unsigned i = 0; i < j->args; i++)
    if (j->arg[i].kind == JOB_SCALAR && j->arg[i].size == 8 && j->arg[i].bits - p->at < p->bytes) return (int)i;
  return -1;
}

static struct heddle_fault_buffer place_buffer(const struct job *j, const struct job_place *p) {
  const int k = argument_at(j, p);
  return (struct heddle_fault_buffer){.name = k >= 0 && (unsigned)k < j->kernel->params ? j->kernel->param[k].name : "",
                                      .argument = k,
                                      .base = p->at,
                                      .limit = p->at + p->bytes,
                                      .writable = true};
}

/* Buffers by their parameters, then module variables. */
static unsigned list_buffers(const struct job *j, struct heddle_fault_buffer *to) {
  const struct heddle_program *p = j->program;
  unsigned n = 0;
  for (unsigned i = 0; i < j->args; i++)
    if (j->arg[i].kind == JOB_BUFFER)
      to[n++] = (struct heddle_fault_buffer){.name = i < j->kernel->params ? j->kernel->param[i].name : "",
                                             .argument = (int)i,
                                             .base = j->addr[i],
                                             .limit = j->addr[i] + j->arg[i].bytes,
                                             .writable = j->arg[i].writable};
  for (unsigned i = 0; i < j->places; i++) to[n++] = place_buffer(j, &j->place[i]);
  for (uint32_t v = 0; v < p->variables; v++)
    to[n++] = (struct heddle_fault_buffer){.name = p->variable[v].name,
                                           .argument = -1,
                                           .base = j->global_addr + p->variable[v].offset,
                                           .limit = j->global_addr + p->variable[v].offset + p->variable[v].size,
                                           .writable = true};
  return n;
}

bool explained_make(struct explained *e, const struct job *job, const struct run_result *r) {
  if (!r->fault.known || !job->kernel) return false;
  *e = (struct explained){.fault = r->fault.fault, .x = {.size = sizeof e->x}};
  e->buffer = calloc((size_t)job->args + job->places + job->program->variables + 1, sizeof *e->buffer);
  if (!e->buffer) return false;
  struct heddle_fault *f = &e->fault;
  f->cause = r->fault.cause;
  f->origin = r->fault.origin;
  f->wait = r->fault.wait;
  f->program = job->program;
  f->kernel = job->kernel;
  for (unsigned d = 0; d < 3; d++) f->block[d] = job->launch.block[d];
  f->shared_bytes = job->launch.shared_bytes;
  f->local_bytes = job->launch.local_bytes;
  f->buffer = e->buffer;
  f->buffers = list_buffers(job, e->buffer);
  (void)heddle_explain(f, &e->x);
  return true;
}

void explained_clear(struct explained *e) {
  free(e->buffer);
}

void explained_print(FILE *to, const struct job *job, const struct run_result *r) {
  struct explained e;
  char *text = malloc(TEXT);
  if (text && explained_make(&e, job, r)) {
    (void)heddle_explanation_text(&e.x, text, TEXT);
    fputs(text, to);
    explained_clear(&e);
  }
  free(text);
}

/* The same as JSON. What is not known is not there. */

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
