/* SPDX-License-Identifier: Apache-2.0
 * Laying a launch out in device memory, and what it leaves there. */
#include "job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>
#include <heddle/session.h>
#include "run/command/tool.h"
#include "run/job/elements.h"

static bool fail_job(char *err, size_t n, const char *what, const char *detail) {
  snprintf(err, n, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
  return false;
}

bool job_add_scalar(struct job *j, uint64_t bits, unsigned size) {
  if (j->args >= JOB_ARGS_MAX) return false;
  j->arg[j->args++] = (struct job_arg){.kind = JOB_SCALAR, .bits = bits, .size = size};
  return true;
}

bool job_add_buffer(struct job *j, const uint8_t *init, uint64_t bytes, bool writable) {
  if (j->args >= JOB_ARGS_MAX || bytes > JOB_BYTES_MAX) return false;
  j->arg[j->args++] = (struct job_arg){.kind = JOB_BUFFER, .writable = writable, .init = init, .bytes = bytes};
  return true;
}

bool job_add_local(struct job *j, uint64_t bytes) {
  if (j->args >= JOB_ARGS_MAX || bytes > JOB_SHARED_MAX) return false;
  j->arg[j->args++] = (struct job_arg){.kind = JOB_LOCAL, .bytes = bytes};
  return true;
}

bool job_add_struct(struct job *j, uint8_t *bytes, uint64_t count) {
  if (j->args >= JOB_ARGS_MAX) return false;
  j->arg[j->args++] = (struct job_arg){.kind = JOB_STRUCT, .init = bytes, .bytes = count, .owned = bytes};
  return true;
}

bool job_add_place(struct job *j, uint64_t at, uint8_t *init, uint64_t bytes) {
  const uint64_t most = (UINT64_C(1) << HEDDLE_SESSION_ADDRESS_BITS) - HEDDLE_SESSION_BEHIND;
  const struct job_place *last = j->places > 0 ? &j->place[j->places - 1] : NULL;
  if (j->places >= JOB_BUFFERS_MAX || bytes == 0 || bytes > JOB_BYTES_MAX || at < 4096 || at > most - JOB_BYTES_MAX)
    return false;
  if (last && at < last->at + last->bytes) return false;
  j->place[j->places++] = (struct job_place){.at = at, .bytes = bytes, .init = init};
  return true;
}

static uint64_t align_up(uint64_t v, uint64_t a) {
  return (v + a - 1) / a * a;
}

static uint64_t guard_of(const struct job *j) {
  return j->guard ? j->guard : JOB_GUARD;
}

/* The program's module variables come first, at the same place in every launch: they may hold addresses of others. */
static bool place_globals(struct job *j, uint64_t *at, char *err, size_t n) {
  const struct heddle_program *p = j->program;
  struct heddle_launch *l = &j->launch;
  if (p->global_bytes == 0) return true;
  if (!(j->global = malloc(p->global_bytes))) return fail_job(err, n, "out of memory", NULL);
  heddle_program_fill_globals(p, *at, j->global);
  j->global_addr = *at;
  l->region[l->regions++] = (struct heddle_region){.base = *at, .limit = *at + p->global_bytes, .writable = true};
  *at = align_up(*at + p->global_bytes + guard_of(j), 256);
  return true;
}

static bool place_variables(struct job *j, char *err, size_t n) {
  const uint64_t bytes = j->program->global_bytes;
  if (bytes == 0) return true;
  if (j->variables_at % HEDDLE_GLOBAL_ALIGN != 0) /* code counts on it */
    return fail_job(err, n, "the program's module variables do not begin at a multiple of 256", NULL);
  for (unsigned i = 0; i < j->places; i++) {
    const struct job_place *p = &j->place[i];
    if (j->variables_at < p->at || j->variables_at - p->at > p->bytes) continue;
    j->global_addr = j->variables_at;
    if (p->bytes - (j->variables_at - p->at) >= bytes) return true;
  }
  return fail_job(err, n, "the program's module variables are not inside of the memory that is given", NULL);
}

/* All memory is where it is said to be. */
static bool place_given(struct job *j, char *err, size_t n) {
  struct heddle_launch *l = &j->launch;
  for (unsigned i = 0; i < j->args; i++)
    if (j->arg[i].kind == JOB_BUFFER) return fail_job(err, n, "buffers beside memory at addresses", NULL);
  for (unsigned i = 0; i < j->places; i++)
    l->region[l->regions++] =
        (struct heddle_region){.base = j->place[i].at, .limit = j->place[i].at + j->place[i].bytes, .writable = true};
  j->mem_base = j->place[0].at & ~UINT64_C(4095);
  j->mem_bytes = align_up(l->region[l->regions - 1].limit - j->mem_base, 4096) + 4096;
  if (j->mem_bytes > JOB_BYTES_MAX) return fail_job(err, n, "memory at addresses more than 256 MiB apart", NULL);
  return place_variables(j, err, n);
}

static bool place_buffers(struct job *j, char *err, size_t n) {
  if (j->places > 0) return place_given(j, err, n);
  const uint64_t base = j->base ? j->base : JOB_BASE;
  uint64_t at = base;
  struct heddle_launch *l = &j->launch;
  if (!place_globals(j, &at, err, n)) return false;
  for (unsigned i = 0; i < j->args; i++) {
    const struct job_arg *a = &j->arg[i];
    if (a->kind != JOB_BUFFER) continue;
    if (l->regions >= JOB_BUFFERS_MAX)
      return fail_job(err, n,
                      l->region[0].base == j->global_addr ? "more than 15 buffers beside module variables"
                                                          : "more than 16 buffers: the region table is full",
                      NULL);
    j->addr[i] = at;
    l->region[l->regions++] = (struct heddle_region){.base = at, .limit = at + a->bytes, .writable = a->writable};
    at = align_up(at + a->bytes + guard_of(j), 256);
    if (at - base > JOB_BYTES_MAX) return fail_job(err, n, "the buffers need more than 256 MiB", NULL);
  }
  j->mem_base = base;
  j->mem_bytes = align_up(at - base, 4096) + 4096;
  const uint64_t end = base + (j->mem_bytes > JOB_BYTES_LEAST ? j->mem_bytes : JOB_BYTES_LEAST) + HEDDLE_SESSION_BEHIND;
  const uint64_t most = UINT64_C(1) << HEDDLE_SESSION_ADDRESS_BITS;
  if (end <= most) return true;
  snprintf(err, n,
           "buffers from 0x%" PRIx64 ", with code and local memory behind them, end at 0x%" PRIx64
           ": addresses have %u bits, so --base is 0x%" PRIx64 " at most here",
           base, end, HEDDLE_SESSION_ADDRESS_BITS, base - (end - most));
  return false;
}

/* Behind the kernel's own and the nameless part come those of arguments, each as aligned as what it can hold wants: by
 * its lowest set bit, 16 to 128 (the largest vector of OpenCL C). */
static bool place_shared(struct job *j, char *err, size_t n) {
  uint64_t at = (uint64_t)j->kernel->shared_bytes + j->dynamic_shared;
  for (unsigned i = 0; i < j->args; i++) {
    const struct job_arg *a = &j->arg[i];
    uint64_t align = a->bytes & (~a->bytes + 1);
    if (a->kind != JOB_LOCAL) continue;
    align = align < 16 ? 16 : align > 128 ? 128 : align;
    j->addr[i] = align_up(at + (j->guard ? JOB_SHARED_GUARD : 0), align);
    at = j->addr[i] + a->bytes;
  }
  if (at > JOB_SHARED_MAX) return fail_job(err, n, "the launch needs more than 1 MiB of shared memory", NULL);
  j->launch.shared_bytes = (uint32_t)at;
  return true;
}

static bool fill_argument(struct job *j, unsigned i, char *err, size_t n) {
  static const char *const what[] = {[JOB_SCALAR] = "the scalar",
                                     [JOB_BUFFER] = "a buffer's address",
                                     [JOB_LOCAL] = "an address of shared memory",
                                     [JOB_STRUCT] = "the file"};
  const struct job_arg *a = &j->arg[i];
  const struct heddle_param *p = &j->kernel->param[i];
  const uint64_t bits = a->kind == JOB_SCALAR ? a->bits : j->addr[i];
  const uint64_t size = a->kind == JOB_SCALAR ? a->size : a->kind == JOB_STRUCT ? a->bytes : 8;
  uint8_t value[8];
  if (size != p->size) {
    snprintf(err, n, "argument %u (%s): the kernel wants %u bytes, %s has %llu", i, p->name, p->size, what[a->kind],
             (unsigned long long)size);
    return false;
  }
  for (unsigned b = 0; b < sizeof value; b++) value[b] = (uint8_t)(bits >> (8 * b));
  const uint8_t *bytes_of = a->kind == JOB_STRUCT ? a->init : value;
  heddle_bank0_param(j->cbank0, j->kernel, i, bytes_of);
  struct heddle_message msg;
  return heddle_host_check_address(j->kernel, i, bytes_of, &msg) == HEDDLE_SUCCESS || fail_job(err, n, msg.text, NULL);
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
  if (!j->cbank0) return fail_job(err, n, "out of memory", NULL);
  heddle_bank0_fill(j->cbank0, k, l->grid, l->block, j->global_addr);
  heddle_bank0_shared(j->cbank0, l->shared_bytes);
  for (unsigned i = 0; i < j->args; i++)
    if (!fill_argument(j, i, err, n)) return false;
  l->cbank[0] = j->cbank0;
  l->cbank_bytes[0] = bytes;
  return true;
}

static bool check_shape(const struct heddle_kernel *k, const uint32_t grid[3], const uint32_t block[3], char *err,
                        size_t n) {
  const enum heddle_refuse r = heddle_host_check_shape(grid, block);
  if (r == HEDDLE_REFUSE_GRID || block[0] == 0 || block[1] == 0 || block[2] == 0)
    return fail_job(err, n, "grid and block sizes start at 1", NULL);
  if (r != HEDDLE_REFUSE_NONE)
    return fail_job(err, n, "block too large: at most 1024 threads, x and y up to 1024, z up to 64", NULL);
  struct heddle_message msg;
  return heddle_host_check_block(k, block, &msg) == HEDDLE_SUCCESS || fail_job(err, n, msg.text, NULL);
}

static const struct heddle_kernel *only_kernel(const struct heddle_program *p, char *err, size_t n) {
  const struct heddle_kernel *only = NULL;
  int used = snprintf(err, n, "--kernel is needed: the program has");
  for (uint32_t i = 0, shown = 0; i < p->kernels; i++) {
    const struct heddle_kernel *k = &p->kernel[i];
    if (k->is_function) continue;
    only = shown++ == 0 ? k : NULL;
    if (used > 0 && (size_t)used < n) used += snprintf(err + used, n - (size_t)used, " %s", k->name);
  }
  return only;
}

/* Is `symbol` a function of C++ with this name, outside of namespaces? It begins _Z, length, name; parameters follow.
 */
static bool is_called(const char *symbol, const char *name) {
  char begin[24];
  const size_t length = strlen(name);
  const int n = snprintf(begin, sizeof begin, "_Z%zu", length);
  return strncmp(symbol, begin, (size_t)n) == 0 && strncmp(symbol + n, name, length) == 0;
}

/* CUDA C's kernel by the name that its source has; NULL: none has it, or several that differ in their parameters. */
static const struct heddle_kernel *kernel_called(const struct heddle_program *p, const char *name) {
  const struct heddle_kernel *found = NULL;
  unsigned kernels = 0;
  for (uint32_t i = 0; i < p->kernels; i++) {
    if (p->kernel[i].is_function || !is_called(p->kernel[i].name, name)) continue;
    found = &p->kernel[i];
    kernels++;
  }
  return kernels == 1 ? found : NULL;
}

const struct heddle_kernel *job_kernel(const struct heddle_program *p, const char *name, char *err, size_t n) {
  bool any = false;
  for (uint32_t i = 0; i < p->kernels; i++) any = any || !p->kernel[i].is_function;
  if (!any) fail_job(err, n, "the program has no kernel", NULL);
  if (!any || !name) return any ? only_kernel(p, err, n) : NULL;
  const struct heddle_kernel *k = heddle_program_kernel(p, name);
  if (!k) k = kernel_called(p, name);
  if (!k) fail_job(err, n, "the program has no kernel", name);
  return k;
}

bool job_build(struct job *j, const struct heddle_program *p, const char *kernel, const uint32_t grid[3],
               const uint32_t block[3], char *err, size_t n) {
  struct heddle_launch *l = &j->launch;
  *l = (struct heddle_launch){.size = sizeof *l};
  j->program = p;
  j->kernel = job_kernel(p, kernel, err, n);
  if (!j->kernel) return false;
  if (!check_shape(j->kernel, grid, block, err, n)) return false;
  memcpy(l->grid, grid, sizeof l->grid);
  memcpy(l->block, block, sizeof l->block);
  l->entry_pc = j->kernel->entry_pc;
  l->regs = j->kernel->regs;
  l->local_bytes = j->kernel->local_bytes;
  l->code = p->code;
  l->code_bytes = p->code_bytes;
  l->cbank[3] = p->konst;
  l->cbank_bytes[3] = p->const_bytes;
  l->units = UINT32_MAX;
  return place_buffers(j, err, n) && place_shared(j, err, n) && fill_bank0(j, err, n);
}

void job_store_inputs(const struct job *j, uint8_t *image) {
  for (unsigned i = 0; i < j->args; i++)
    if (j->arg[i].kind == JOB_BUFFER && j->arg[i].init)
      memcpy(image + (j->addr[i] - j->mem_base), j->arg[i].init, j->arg[i].bytes);
  for (unsigned i = 0; i < j->places; i++)
    memcpy(image + (j->place[i].at - j->mem_base), j->place[i].init, j->place[i].bytes);
  if (j->global) memcpy(image + (j->global_addr - j->mem_base), j->global, j->program->global_bytes);
}

void job_clear(struct job *j) {
  for (unsigned i = 0; i < j->args; i++) free(j->arg[i].owned);
  for (unsigned i = 0; i < j->places; i++) free(j->place[i].init);
  free(j->cbank0);
  free(j->global);
  memset(j, 0, sizeof *j);
}

/* What a launch leaves in buffers: files of bytes, .npy files, columns of numbers on stdout. */

/* The shortest text that reads back as the same number. */
static void print_float(double v, bool is_single) {
  char text[40];
  int digits = is_single ? 6 : 15;
  do snprintf(text, sizeof text, "%.*g", digits, v);
  while ((is_single ? (double)strtof(text, NULL) != v : strtod(text, NULL) != v) && ++digits <= 17);
  fputs(text, stdout);
}

static void print_element(const char *type, uint64_t bits, unsigned width) {
  const unsigned unused = 64 - 8 * width;
  double number;
  float single;
  const uint32_t word = (uint32_t)bits;
  memcpy(&number, &bits, sizeof number);
  memcpy(&single, &word, sizeof single);
  if (type[0] == 'f')
    print_float(width == 8 ? number : width == 4 ? (double)single : element_half_value((uint16_t)bits), width < 8);
  else if (type[0] == 's')
    printf("%" PRId64, (int64_t)(bits << unused) >> unused);
  else if (type[0] == 'u')
    printf("%" PRIu64, bits);
  else
    printf("0x%0*" PRIx64, (int)width * 2, bits);
}

/* A line for each index but the last; where there is only one, of eight. */
static bool print_array(const struct npy_array *a, const uint8_t *bytes, uint64_t size) {
  const char *type = a->type[0] != '\0' ? a->type : "b8";
  const unsigned width = element_width(type);
  const uint64_t line = a->dims > 1 ? a->shape[a->dims - 1] : 8, count = size / width;
  for (uint64_t i = 0; i < count; i++) {
    print_element(type, element_at(bytes, width, (size_t)i), width);
    putchar(i + 1 == count || (i + 1) % line == 0 ? '\n' : ' ');
  }
  return fflush(stdout) == 0;
}

static bool save_npy(const char *path, const struct npy_array *a, const uint8_t *bytes, uint64_t size) {
  char head[NPY_HEAD];
  const size_t n = npy_head(a, head);
  uint8_t *whole = malloc(n + (size_t)size);
  if (!whole) return false;
  memcpy(whole, head, n);
  memcpy(whole + n, bytes, (size_t)size);
  const bool ok = tool_write_file(path, whole, n + (size_t)size);
  free(whole);
  return ok;
}

bool job_save_outputs(const struct job *j, const uint8_t *image) {
  bool ok = true;
  for (unsigned i = 0; i < j->args && ok; i++) {
    const struct job_arg *a = &j->arg[i];
    const uint8_t *bytes = a->out_file ? image + (j->addr[i] - j->mem_base) : NULL;
    if (!bytes) continue;
    if (strcmp(a->out_file, "-") == 0)
      ok = print_array(&a->out, bytes, a->bytes);
    else if (npy_is_name(a->out_file))
      ok = save_npy(a->out_file, &a->out, bytes, a->bytes);
    else
      ok = tool_write_file(a->out_file, bytes, a->bytes);
  }
  return ok;
}
