/* SPDX-License-Identifier: Apache-2.0
 * The fault of a run, explained. */
#include "explained.h"

#include <stdlib.h>

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
