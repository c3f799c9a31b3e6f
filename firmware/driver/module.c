/* SPDX-License-Identifier: Apache-2.0
 * Modules: program files in device memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "firmware/driver/internal.h"

#define FILE_MAX (64u << 20)

/* Room; 0 where there is none, or none is needed. */
static enum heddle_error reserve(struct heddle_context *c, uint64_t bytes, enum heap_kind kind, uint64_t *at) {
  *at = 0;
  if (bytes == 0) return HEDDLE_SUCCESS;
  enum heap_result r = heap_take(&c->heap, bytes, kind, at);
  if (r == HEAP_FULL && driver_give_up_pages(c)) r = heap_take(&c->heap, bytes, kind, at);
  switch (r) {
  case HEAP_FULL:
    *at = 0;
    return driver_fail(c, HEDDLE_ERROR_OUT_OF_MEMORY, "no %llu bytes of device memory for a program%s",
                       (unsigned long long)bytes, kind == HEAP_CODE ? "" : "'s variables");
  case HEAP_NO_HOST_MEMORY:
    *at = 0;
    return HEDDLE_ERROR_HOST_MEMORY;
  case HEAP_OK:
    break;
  }
  return HEDDLE_SUCCESS;
}

static enum heddle_error place_bytes(struct heddle_context *c, const uint8_t *data, uint64_t bytes, uint64_t *at) {
  const enum heddle_error e = reserve(c, bytes, true, at);
  if (e != HEDDLE_SUCCESS || bytes == 0) return e;
  if (driver_write_memory(c, *at, data, bytes)) return HEDDLE_SUCCESS;
  (void)heap_give(&c->heap, *at, HEAP_CODE);
  *at = 0;
  return HEDDLE_ERROR_BUS;
}

/* Variables are data: programs write them, and so may the host. */
static enum heddle_error place_globals(struct heddle_module *m) {
  const struct heddle_program *p = m->program;
  enum heddle_error e = reserve(m->context, p->global_bytes, false, &m->global);
  if (e != HEDDLE_SUCCESS || m->global == 0) return e;
  uint8_t *first = malloc(p->global_bytes);
  if (!first) return HEDDLE_ERROR_HOST_MEMORY;
  heddle_program_fill_globals(p, m->global, first);
  if (!driver_write_memory(m->context, m->global, first, p->global_bytes)) e = HEDDLE_ERROR_BUS;
  free(first);
  return e;
}

static void give_back(struct heddle_context *c, uint64_t at, enum heap_kind kind) {
  if (at == 0) return;
  (void)space_forget(c, at, heap_bytes(&c->heap, at));
  (void)heap_give(&c->heap, at, kind);
}

static void drop_module(struct heddle_module *m) {
  struct pool *pool = m->context->device->pool;
  const struct heddle_watch *w = driver_watch(m->context);
  if (w && m->program) w->compiled(w->self, m->program, NULL, 0);
  give_back(m->context, m->code, HEAP_CODE);
  give_back(m->context, m->konst, HEAP_CODE);
  give_back(m->context, m->global, HEAP_DATA);
  heddle_program_free(m->program);
  pool_give(pool, m->function);
  pool_give(pool, m);
}

static enum heddle_error place_program(struct heddle_module *m) {
  const struct heddle_program *p = m->program;
  m->function = pool_take(m->context->device->pool, ((size_t)p->kernels + 1) * sizeof *m->function);
  if (!m->function) return HEDDLE_ERROR_HOST_MEMORY;
  for (uint32_t k = 0; k < p->kernels; k++)
    m->function[k] = (struct heddle_function){.module = m, .kernel = &p->kernel[k]};
  enum heddle_error e = place_bytes(m->context, p->code, p->code_bytes, &m->code);
  if (e == HEDDLE_SUCCESS) e = place_bytes(m->context, p->konst, p->const_bytes, &m->konst);
  if (e == HEDDLE_SUCCESS) e = place_globals(m);
  return e;
}

enum heddle_error heddle_module_load_program(struct heddle_context *c, struct heddle_program *p,
                                             struct heddle_module **out) {
  if (!c || !p || !out) return HEDDLE_ERROR_INVALID_VALUE;
  enum heddle_error e = driver_settle(c);
  if (e != HEDDLE_SUCCESS) return e;
  struct heddle_module *m = pool_take(c->device->pool, sizeof *m);
  if (!m) return HEDDLE_ERROR_HOST_MEMORY;
  m->context = c;
  m->program = p;
  e = place_program(m);
  if (e != HEDDLE_SUCCESS) {
    m->program = NULL; /* it stays the caller's */
    drop_module(m);
    return e;
  }
  m->next = c->modules;
  m->link = &c->modules;
  if (m->next) m->next->link = &m->next;
  c->modules = m;
  *out = m;
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_module_load_data(struct heddle_context *c, const void *elf, size_t bytes,
                                          struct heddle_module **out) {
  struct heddle_message msg;
  struct heddle_program *p;
  if (!c || !elf || !out) return HEDDLE_ERROR_INVALID_VALUE;
  enum heddle_error e = driver_settle(c);
  if (e != HEDDLE_SUCCESS) return e;
  e = heddle_program_load_memory(elf, bytes, "module", &p, &msg);
  if (e != HEDDLE_SUCCESS) return driver_fail(c, e, "%s", msg.text);
  e = heddle_module_load_program(c, p, out);
  if (e != HEDDLE_SUCCESS) heddle_program_free(p);
  return e;
}

enum heddle_error heddle_module_load(struct heddle_context *c, const char *path, struct heddle_module **out) {
  if (!c || !path || !out) return HEDDLE_ERROR_INVALID_VALUE;
  size_t bytes;
  enum file_end end;
  void *data = file_read(path, FILE_MAX, &bytes, &end);
  const bool odd = end == FILE_WHOLE || end == FILE_TOO_LARGE; /* in its size, if at all */
  const enum heddle_error e = bytes > 0 ? heddle_module_load_data(c, data, bytes, out)
                                        : driver_fail(c, HEDDLE_ERROR_FILE, "%s: %s", path,
                                                      odd ? "empty, or larger than 64 MiB" : strerror(errno));
  free(data);
  return e;
}

enum heddle_error heddle_module_unload(struct heddle_module *m) {
  if (!m) return HEDDLE_ERROR_INVALID_VALUE;
  const enum heddle_error e = driver_settle(m->context);
  if (e != HEDDLE_SUCCESS) return e;
  *m->link = m->next;
  if (m->next) m->next->link = m->link;
  drop_module(m);
  return HEDDLE_SUCCESS;
}

void heddle_module_compiled_from(struct heddle_module *m, const char *ptx, size_t bytes) {
  const struct heddle_watch *w = m && ptx ? driver_watch(m->context) : NULL;
  if (w) w->compiled(w->self, m->program, ptx, bytes);
}

const struct heddle_program *heddle_module_program(const struct heddle_module *m) {
  return m ? m->program : NULL;
}

enum heddle_error heddle_module_function(struct heddle_module *m, const char *name, struct heddle_function **out) {
  if (!m || !name || !out) return HEDDLE_ERROR_INVALID_VALUE;
  const struct heddle_kernel *k = heddle_program_kernel(m->program, name);
  if (!k || k->is_function) return driver_fail(m->context, HEDDLE_ERROR_NOT_FOUND, "no kernel '%.200s'", name);
  *out = &m->function[k - m->program->kernel];
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_function_describe_sized(const struct heddle_function *f, struct heddle_function_info *out,
                                                 size_t bytes) {
  if (!f || !out) return HEDDLE_ERROR_INVALID_VALUE;
  const struct heddle_kernel *k = f->kernel;
  const struct heddle_function_info info = {.name = k->name,
                                            .registers = k->regs,
                                            .shared_bytes = k->shared_bytes,
                                            .local_bytes = k->local_bytes,
                                            .params = k->params,
                                            .param_bytes = k->param_bytes,
                                            .promise = k->promise};
  return driver_give_out(out, bytes, &info, sizeof info);
}

enum heddle_error heddle_module_global(struct heddle_module *m, const char *name, uint64_t *address, uint64_t *bytes) {
  if (!m || !name) return HEDDLE_ERROR_INVALID_VALUE;
  const struct heddle_global *v = heddle_program_global(m->program, name);
  if (!v) return driver_fail(m->context, HEDDLE_ERROR_NOT_FOUND, "no module variable '%.200s'", name);
  if (address) *address = m->global + v->offset;
  if (bytes) *bytes = v->size;
  return HEDDLE_SUCCESS;
}

bool driver_is_global(const struct heddle_context *c, uint64_t at) {
  for (const struct heddle_module *m = c->modules; m; m = m->next)
    if (m->global != 0 && m->global == at) return true;
  return false;
}
