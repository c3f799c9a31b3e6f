/* SPDX-License-Identifier: Apache-2.0
 * A trap in words: what ran where (heddle/explain.h), buffers by the parameters that were launched with their
 * addresses. */
#include <string.h>

#include <heddle/explain.h>
#include "firmware/driver/internal.h"

void driver_note_launch(struct heddle_context *c, const struct heddle_function *f, const uint32_t block[3],
                        uint32_t shared, void *const *params) {
  const struct heddle_kernel *k = f->kernel;
  struct driver_launched *l = &c->launched[c->started % c->room];
  *l = (struct driver_launched){.program = f->module->program, .kernel = k, .shared = shared};
  memcpy(l->block, block, sizeof l->block);
  for (uint32_t i = 0; i < k->params && i < DRIVER_PARAMS_KEPT; i++)
    if (k->param[i].size == sizeof(uint64_t)) memcpy(&l->param[i], params[i], sizeof(uint64_t));
}

/* The parameter that points into [base, limit], or -1. */
static int parameter_at(const struct driver_launched *l, uint64_t base, uint64_t limit) {
  for (uint32_t i = 0; i < l->kernel->params && i < DRIVER_PARAMS_KEPT; i++)
    if (l->kernel->param[i].size == sizeof(uint64_t) && l->param[i] >= base && l->param[i] <= limit) return (int)i;
  return -1;
}

static void list_span(const struct heddle_context *c, uint64_t at, uint64_t bytes, struct heddle_fault_buffer *to) {
  const struct driver_launched *l = driver_front(c);
  const int k = parameter_at(l, at, at + bytes);
  *to = (struct heddle_fault_buffer){
      .name = k >= 0 ? l->kernel->param[k].name : "", .argument = k, .base = at, .limit = at + bytes, .writable = true};
}

static unsigned list_variables(const struct heddle_module *m, struct heddle_fault_buffer *to) {
  const struct heddle_program *p = m->program;
  for (uint32_t i = 0; i < p->variables; i++)
    to[i] = (struct heddle_fault_buffer){.name = p->variable[i].name,
                                         .argument = -1,
                                         .base = m->global + p->variable[i].offset,
                                         .limit = m->global + p->variable[i].offset + p->variable[i].size,
                                         .writable = true};
  return p->variables;
}

static const struct heddle_module *owner(const struct heddle_context *c, uint64_t at) {
  const struct heddle_module *m = c->modules;
  while (m && m->global != at) m = m->next;
  return m;
}

/* All allocations, and all variables of modules. */
static struct heddle_fault_buffer *list_buffers(const struct heddle_context *c, unsigned *n) {
  const struct heap *h = &c->heap;
  size_t most = h->spans + 1;
  for (const struct driver_unified *u = c->unified; u; u = u->next) most++;
  for (const struct heddle_module *m = c->modules; m; m = m->next) most += m->program->variables;
  struct heddle_fault_buffer *all = pool_take(c->device->pool, most * sizeof *all);
  *n = 0;
  for (size_t i = 0; all && i < h->spans; i++) {
    const struct heap_span *s = &h->span[i];
    const struct heddle_module *m = owner(c, s->at);
    if (s->kind != HEAP_DATA) continue;
    if (m)
      *n += list_variables(m, all + *n);
    else
      list_span(c, s->at, s->bytes - c->device->port.pad, all + (*n)++);
  }
  for (const struct driver_unified *u = c->unified; all && u; u = u->next) list_span(c, u->at, u->bytes, all + (*n)++);
  return all;
}

const char *driver_kernel(const struct heddle_context *c, char *text, size_t size) {
  return heddle_name_text(driver_front(c)->kernel->name, text, size);
}

static void find_allocator(const struct heddle_context *c, struct heddle_explanation *x) {
  const struct heddle_watch *w = driver_watch(c);
  if (!w || !x->nearest || !w->allocator(w->self, x->nearest->base, x->allocator, sizeof x->allocator))
    x->allocator[0] = '\0';
}

/* Behind the message. */
void driver_explain_trap(struct heddle_context *c) {
  const struct driver_launched *l = driver_front(c);
  const struct heddle_trap_info *t = &c->trap;
  const size_t used = strlen(c->message);
  struct heddle_explanation x = {.size = sizeof x};
  if (used + 2 >= sizeof c->message) return;
  struct heddle_fault f = {.size = sizeof f,
                           .kind = t->cause == 0 ? HEDDLE_FAULT_UNDEFINED : HEDDLE_FAULT_TRAP,
                           .cause = t->cause == 0 ? "a register or a byte" : t->cause_name,
                           .program = l->program,
                           .kernel = l->kernel,
                           .block = {l->block[0], l->block[1], l->block[2]},
                           .has_place = true,
                           .pc = t->pc,
                           .ctaid = {t->block.x, t->block.y, t->block.z},
                           .warp = t->warp,
                           .lanes = t->lanes,
                           .sequence = t->sequence,
                           .has_address = heddle_cause_has_address(t->cause),
                           .address = t->address,
                           .within = heddle_cause_within(t->cause, t->address, c->space.open),
                           .shared_bytes = l->shared,
                           .local_bytes = l->kernel->local_bytes};
  struct heddle_fault_buffer *buffer = list_buffers(c, &f.buffers);
  f.buffer = buffer;
  (void)heddle_explain(&f, &x);
  find_allocator(c, &x);
  c->message[used] = '\n';
  const size_t end = used + 1 + heddle_explanation_text(&x, c->message + used + 1, sizeof c->message - used - 1);
  if (c->message[end - 1] == '\n') c->message[end - 1] = '\0';
  pool_give(c->device->pool, buffer);
}
