/* SPDX-License-Identifier: Apache-2.0
 *
 * Boards without SystemC, with a memory of any latency. See on_port.h.
 */
#include "on_port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <heddle/asm.h>
#include <heddle/sim.h>
#include "cosim/platform/platform.h"
#include "firmware/kernels/kernels.h"
#include "run/programs/source.h"

struct plain {
  struct heddle_sim *sim;
  struct heddle_dut *device;
};

static bool open_rtl(struct plain *p, const char *config, uint64_t base, uint64_t bytes, uint32_t latency,
                     struct heddle_port *port) {
  struct heddle_message msg;
  struct heddle_axi_mem_config m = {.size = sizeof m, .base = base, .bytes = bytes};
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = 1};
  heddle_axi_mem_calm(&m);
  m.latency_min = m.latency_max = latency;
  if (heddle_dut_open(NULL, "verilator", config, &o, &p->device, &msg) != HEDDLE_SUCCESS)
    return fprintf(stderr, "%s\n", msg.text), false;
  device_port_bind(p->device, port, base, bytes);
  return true;
}

static bool open_model(struct plain *p, const char *board, uint64_t base, uint64_t bytes, struct heddle_port *port) {
  struct heddle_message msg;
  const struct heddle_sim_options o = {.size = sizeof o, .name = board, .memory_bytes = bytes};
  if (heddle_sim_open(&o, &p->sim, &msg) != HEDDLE_SUCCESS) return fprintf(stderr, "%s\n", msg.text), false;
  *port = *heddle_sim_port(p->sim);
  return port->memory_base == base;
}

struct plain *plain_open(const char *board, uint64_t base, uint64_t bytes, uint32_t latency, struct heddle_port *port) {
  struct plain *p = calloc(1, sizeof *p);
  const bool ok = p && (strncmp(board, "rtl:", 4) == 0 ? open_rtl(p, board + 4, base, bytes, latency, port)
                                                       : open_model(p, board, base, bytes, port));
  if (ok) return p;
  plain_close(p);
  return NULL;
}

void plain_close(struct plain *p) {
  if (!p) return;
  heddle_sim_close(p->sim);
  heddle_dut_free(p->device);
  free(p);
}

/* Kernels through the host driver. See on_port.h. */

struct use {
  struct heddle_context *context;
  struct heddle_module *module;
  const struct kernel_case *c;
  uint64_t at[KERNEL_BUFFERS];
};

const char *on_port_kernel(unsigned i) {
  return kernel_table[i].name;
}

static enum kernel_form first_form(const struct kernel_info *k) {
  enum kernel_form f = KERNEL_ASM;
  while (!kernel_has(k, f)) f = (enum kernel_form)(f + 1);
  return f;
}

static bool save(struct heddle_program *p, char *path) {
  struct heddle_message m;
  const int file = p ? mkstemp(path) : -1;
  if (file >= 0) close(file);
  const bool ok = file >= 0 && heddle_program_save(p, path, &m) == HEDDLE_SUCCESS;
  heddle_program_free(p);
  return ok;
}

bool on_port_file(const char *dir, const char *config, const char *name, char *path) {
  char file[128], source[1024];
  struct heddle_message m;
  const struct kernel_info *k = kernel_find(name);
  const struct source_options o = {.target = config ? HEDDLE_PTX_TARGET_RTL : HEDDLE_PTX_TARGET_MODEL,
                                   .units = config ? source_units(config, false) : 0,
                                   .level = 1,
                                   .config = config};
  if (!k) return false;
  kernel_file(k, first_form(k), file, sizeof file);
  snprintf(source, sizeof source, "%s/%s", dir, file);
  return save(source_load_with(source, &o, &m), path);
}

bool on_port_assemble(const char *text, char *path) {
  const struct heddle_asm_options o = {.size = sizeof o};
  struct heddle_program *p;
  return heddle_assemble(text, strlen(text), "test", &o, &p) == HEDDLE_SUCCESS && save(p, path);
}

static enum heddle_error place(struct use *u) {
  enum heddle_error e = HEDDLE_SUCCESS;
  for (unsigned i = 0; i < u->c->buffers && e == HEDDLE_SUCCESS; i++) {
    const struct kernel_buffer *b = &u->c->buffer[i];
    e = heddle_mem_alloc(u->context, b->bytes, &u->at[i]);
    if (e == HEDDLE_SUCCESS) e = heddle_memcpy_to_device(u->context, u->at[i], b->init, b->bytes);
  }
  return e;
}

/* Arguments as the driver wants them; local memory of a block lies behind the kernel's own, each part as aligned as its
 * size. */
static uint32_t arguments(const struct use *u, const struct kernel_launch *l, uint32_t own, uint64_t value[],
                          void *param[]) {
  uint64_t end = own;
  for (unsigned i = 0; i < l->args; i++) {
    const struct kernel_arg *a = &l->arg[i];
    const uint64_t low = a->bytes & (~a->bytes + 1u), align = low < 16 ? 16 : low > 128 ? 128 : low;
    value[i] = a->kind == KERNEL_ARG_BUFFER ? u->at[a->buffer] : a->scalar;
    param[i] = &value[i];
    if (a->kind != KERNEL_ARG_LOCAL) continue;
    value[i] = (end + align - 1) / align * align;
    end = value[i] + a->bytes;
  }
  return (uint32_t)end - own;
}

static enum heddle_error launch(const struct use *u, const struct kernel_launch *l, struct on_port *out) {
  struct heddle_function *f;
  struct heddle_function_info info;
  struct heddle_statistics s;
  uint64_t value[KERNEL_ARGS];
  void *param[KERNEL_ARGS];
  enum heddle_error e = heddle_module_function(u->module, l->entry, &f);
  if (e == HEDDLE_SUCCESS) e = heddle_function_describe(f, &info);
  if (e != HEDDLE_SUCCESS) return e;
  const uint32_t dynamic = arguments(u, l, info.shared_bytes, value, param);
  e = heddle_function_launch(f, (struct heddle_size){l->grid[0], l->grid[1], l->grid[2]},
                             (struct heddle_size){l->block[0], l->block[1], l->block[2]}, dynamic, param);
  if (e == HEDDLE_SUCCESS) e = heddle_synchronize(u->context, HEDDLE_FOREVER);
  if (e == HEDDLE_SUCCESS) e = heddle_statistics_last(u->context, &s);
  if (e != HEDDLE_SUCCESS) return e;
  out->cycles += s.cycles;
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) out->counter[i] += s.counter[i];
  return e;
}

static bool all_match(const struct use *u, const struct on_port *out, const struct heddle_port *port) {
  bool ok = true;
  for (unsigned i = 0; i < u->c->buffers; i++) {
    size_t at;
    ok = ok && kernel_matches(&u->c->buffer[i], out->memory + (u->at[i] - port->memory_base), &at);
  }
  return ok;
}

static enum heddle_error use(struct use *u, const char *file, struct on_port *out) {
  const clock_t from = clock();
  enum heddle_error e = heddle_module_load(u->context, file, &u->module);
  if (e == HEDDLE_SUCCESS) e = place(u);
  for (unsigned i = 0; i < u->c->launches && e == HEDDLE_SUCCESS; i++) e = launch(u, &u->c->launch[i], out);
  out->seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
  if (e != HEDDLE_SUCCESS) snprintf(out->message, sizeof out->message, "%s", heddle_context_message(u->context));
  return e;
}

static bool on_board(const struct heddle_port *port, const struct kernel_case *c, const char *file,
                     struct on_port *out) {
  struct heddle_system *system;
  struct heddle_device *device;
  struct use u = {.c = c};
  if (heddle_init(port, 1, &system) != HEDDLE_SUCCESS) return false;
  bool ok = heddle_device_get(system, 0, &device) == HEDDLE_SUCCESS &&
            heddle_context_create(device, &u.context) == HEDDLE_SUCCESS;
  if (ok) out->error = use(&u, file, out);
  out->bytes = port->memory_bytes;
  out->memory = malloc(out->bytes);
  ok = ok && out->memory && port->read(port->self, port->memory_base, out->memory, out->bytes);
  out->matches = ok && out->error == HEDDLE_SUCCESS && all_match(&u, out, port);
  heddle_context_destroy(u.context);
  heddle_shutdown(system);
  return ok;
}

bool on_port_run(const struct heddle_port *port, const char *dir, const char *config, const char *name,
                 struct on_port *out) {
  char file[] = "/tmp/on_port_XXXXXX";
  const struct kernel_info *k = kernel_find(name);
  struct kernel_case *c = calloc(1, sizeof *c);
  *out = (struct on_port){.error = HEDDLE_SUCCESS};
  bool ok = k && c && kernel_prepare(k, first_form(k), 1, 0, c);
  if (ok) {
    ok = on_port_file(dir, config, name, file) && on_board(port, c, file, out);
    kernel_case_clear(c);
    unlink(file);
  }
  free(c);
  if (!ok) fprintf(stderr, "%s: cannot be run\n", name);
  return ok;
}

void on_port_clear(struct on_port *o) {
  free(o->memory);
  o->memory = NULL;
}

bool on_port_equal(const struct on_port *a, const struct on_port *b) {
  if (a->error != b->error || strcmp(a->message, b->message) != 0)
    return fprintf(stderr, "one ended with '%s', the other with '%s'\n", a->message, b->message), false;
  for (uint64_t i = 0; i < a->bytes && i < b->bytes; i++)
    if (a->memory[i] != b->memory[i])
      return fprintf(stderr, "memory differs at byte 0x%llx\n", (unsigned long long)i), false;
  if (a->bytes != b->bytes || a->cycles != b->cycles)
    return fprintf(stderr, "%llu and %llu cycles\n", (unsigned long long)a->cycles, (unsigned long long)b->cycles),
           false;
  if (memcmp(a->counter, b->counter, sizeof a->counter) == 0) return true;
  fputs("event counters differ\n", stderr);
  return false;
}
