/* SPDX-License-Identifier: Apache-2.0
 * Laying a launch out in device memory. */
#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/host.h"
#include "tool.h"

static bool fail(char *err, size_t n, const char *what, const char *detail) {
  snprintf(err, n, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
  return false;
}

bool job_add_scalar(struct job *j, uint64_t bits, unsigned size) {
  if (j->args >= JOB_ARGS_MAX) return false;
  j->arg[j->args++] = (struct job_arg){.bits = bits, .size = size};
  return true;
}

bool job_add_buffer(struct job *j, const uint8_t *init, uint64_t bytes, bool writable) {
  if (j->args >= JOB_ARGS_MAX || bytes > JOB_BYTES_MAX) return false;
  j->arg[j->args++] = (struct job_arg){.is_buffer = true, .writable = writable, .init = init, .bytes = bytes};
  return true;
}

static uint64_t align_up(uint64_t v, uint64_t a) {
  return (v + a - 1) / a * a;
}

/* The program's module variables come first, at the same place in every launch: they may hold addresses of others. */
static bool place_globals(struct job *j, uint64_t *at, char *err, size_t n) {
  const struct heddle_program *p = j->program;
  struct heddle_launch *l = &j->launch;
  if (p->global_bytes == 0) return true;
  if (!(j->global = malloc(p->global_bytes))) return fail(err, n, "out of memory", NULL);
  heddle_program_fill_globals(p, *at, j->global);
  j->global_addr = *at;
  l->region[l->regions++] = (struct heddle_region){.base = *at, .limit = *at + p->global_bytes, .writable = true};
  *at = align_up(*at + p->global_bytes + JOB_GUARD, 256);
  return true;
}

static bool place_buffers(struct job *j, char *err, size_t n) {
  const uint64_t base = j->base ? j->base : JOB_BASE;
  uint64_t at = base;
  struct heddle_launch *l = &j->launch;
  if (!place_globals(j, &at, err, n)) return false;
  for (unsigned i = 0; i < j->args; i++) {
    const struct job_arg *a = &j->arg[i];
    if (!a->is_buffer) continue;
    if (l->regions >= JOB_BUFFERS_MAX)
      return fail(err, n,
                  l->region[0].base == j->global_addr ? "more than 15 buffers beside module variables"
                                                      : "more than 16 buffers: the region table is full",
                  NULL);
    j->addr[i] = at;
    l->region[l->regions++] = (struct heddle_region){.base = at, .limit = at + a->bytes, .writable = a->writable};
    at = align_up(at + a->bytes + JOB_GUARD, 256);
    if (at - base > JOB_BYTES_MAX) return fail(err, n, "the buffers need more than 256 MiB", NULL);
  }
  j->mem_base = base;
  j->mem_bytes = align_up(at - base, 4096) + 4096;
  return true;
}

static bool fill_argument(struct job *j, unsigned i, char *err, size_t n) {
  const struct job_arg *a = &j->arg[i];
  const struct heddle_param *p = &j->kernel->param[i];
  const uint64_t bits = a->is_buffer ? j->addr[i] : a->bits;
  const unsigned size = a->is_buffer ? 8 : a->size;
  uint8_t value[8];
  if (size != p->size) {
    snprintf(err, n, "argument %u (%s): the kernel wants %u bytes, %s has %u", i, p->name, p->size,
             a->is_buffer ? "a buffer's address" : "the scalar", size);
    return false;
  }
  for (unsigned b = 0; b < sizeof value; b++) value[b] = (uint8_t)(bits >> (8 * b));
  heddle_bank0_param(j->cbank0, j->kernel, i, value);
  return true;
}

static bool fill_bank0(struct job *j, char *err, size_t n) {
  const struct heddle_kernel *k = j->kernel;
  struct heddle_launch *l = &j->launch;
  if (k->params != j->args) {
    snprintf(err, n, "kernel %s takes %u arguments, %u were given", k->name, k->params, j->args);
    return false;
  }
  const uint32_t bytes = heddle_bank0_bytes(k);
  j->cbank0 = malloc(bytes);
  if (!j->cbank0) return fail(err, n, "out of memory", NULL);
  heddle_bank0_fill(j->cbank0, k, l->grid, l->block, j->global_addr);
  for (unsigned i = 0; i < j->args; i++)
    if (!fill_argument(j, i, err, n)) return false;
  l->cbank[0] = j->cbank0;
  l->cbank_bytes[0] = bytes;
  return true;
}

static bool check_shape(const uint32_t grid[3], const uint32_t block[3], char *err, size_t n) {
  const enum heddle_refuse r = heddle_host_check_shape(grid, block);
  if (r == HEDDLE_REFUSE_GRID || block[0] == 0 || block[1] == 0 || block[2] == 0)
    return fail(err, n, "grid and block sizes start at 1", NULL);
  if (r != HEDDLE_REFUSE_NONE)
    return fail(err, n, "block too large: at most 1024 threads, x and y up to 1024, z up to 64", NULL);
  return true;
}

bool job_build(struct job *j, const struct heddle_program *p, const char *kernel, const uint32_t grid[3],
               const uint32_t block[3], char *err, size_t n) {
  struct heddle_launch *l = &j->launch;
  memset(l, 0, sizeof *l);
  j->program = p;
  j->kernel = heddle_program_kernel(p, kernel);
  if (!j->kernel) return fail(err, n, "the program has no kernel", kernel);
  if (!check_shape(grid, block, err, n)) return false;
  memcpy(l->grid, grid, sizeof l->grid);
  memcpy(l->block, block, sizeof l->block);
  l->entry_pc = j->kernel->entry_pc;
  l->regs = j->kernel->regs;
  l->shared_bytes = j->kernel->shared_bytes;
  l->local_bytes = j->kernel->local_bytes;
  l->code = p->code;
  l->code_bytes = p->code_bytes;
  l->cbank[3] = p->konst;
  l->cbank_bytes[3] = p->const_bytes;
  l->units = UINT32_MAX;
  return place_buffers(j, err, n) && fill_bank0(j, err, n);
}

void job_store_inputs(const struct job *j, void (*store)(void *, uint64_t, const void *, uint64_t), void *ctx) {
  for (unsigned i = 0; i < j->args; i++)
    if (j->arg[i].is_buffer && j->arg[i].init) store(ctx, j->addr[i], j->arg[i].init, j->arg[i].bytes);
  if (j->global) store(ctx, j->global_addr, j->global, j->program->global_bytes);
}

bool job_save_outputs(const struct job *j, const uint8_t *image) {
  for (unsigned i = 0; i < j->args; i++) {
    const struct job_arg *a = &j->arg[i];
    if (a->out_file && !tool_write_file(a->out_file, image + (j->addr[i] - j->mem_base), a->bytes)) return false;
  }
  return true;
}

void job_clear(struct job *j) {
  for (unsigned i = 0; i < j->args; i++) free(j->arg[i].owned);
  free(j->cbank0);
  free(j->global);
  memset(j, 0, sizeof *j);
}
