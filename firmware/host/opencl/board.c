/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's board, and what kernels print on it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <heddle/printf.h>
#include "firmware/host/opencl/internal.h"

static bool read_device(void *ctx, uint64_t at, void *to, size_t bytes) {
  return heddle_memcpy_to_host(ctx, to, at, bytes) == HEDDLE_SUCCESS;
}

static void put_stdout(void *ctx, const char *text, size_t bytes) {
  (void)ctx;
  (void)fwrite(text, 1, bytes, stdout);
}

void ocl_show_printed(cl_device_id d, struct heddle_module *m) {
  enum { HEAD = 16 };
  struct heddle_context *c = d->context;
  uint64_t at = 0, bytes = 0;
  uint32_t taken = 0;
  if (heddle_module_global(m, HEDDLE_PRINTF_VARIABLE, &at, &bytes) != HEDDLE_SUCCESS ||
      heddle_memcpy_to_host(c, &taken, at, sizeof taken) != HEDDLE_SUCCESS || taken == 0)
    return;
  const size_t used = bytes - HEAD < taken ? bytes : HEAD + taken; /* the rest is zeros */
  uint8_t *copy = malloc(used);
  if (!copy || heddle_memcpy_to_host(c, copy, at, used) != HEDDLE_SUCCESS) return free(copy);
  const struct heddle_printf h = {sizeof h, heddle_module_program(m), read_device, put_stdout, c};
  const struct heddle_printf_totals t = heddle_printf_text(&h, copy, used);
  (void)fflush(stdout);
  if (t.lost > 0) ocl_say("printf: %u of %u messages found no room", t.lost, t.lost + t.messages);
  free(copy);
  (void)heddle_memset8(c, at, 0, used);
}

/* ---- opened by the first who needs it, one at a time on it */

struct ocl_garbage {
  struct ocl_garbage *next;
  uint64_t address;
  struct heddle_module *module;
};

static void close_board(cl_device_id d) {
  heddle_context_destroy(d->context);
  if (d->system) heddle_shutdown(d->system);
  heddle_sim_close(d->sim);
  d->context = NULL;
  d->system = NULL;
  d->sim = NULL;
}

static cl_int open_board(cl_device_id d) {
  struct heddle_message msg;
  struct heddle_device *device = NULL;
  struct heddle_machine machine = {.size = sizeof machine};
  uint64_t bytes = 0;
  const struct heddle_sim_options o = {.size = sizeof o, .name = d->name};
  if (heddle_sim_open(&o, &d->sim, &msg) != HEDDLE_SUCCESS) {
    ocl_say("%s", msg.text);
    return CL_DEVICE_NOT_AVAILABLE;
  }
  enum heddle_error e = heddle_init(heddle_sim_port(d->sim), 1, &d->system);
  if (e == HEDDLE_SUCCESS) e = heddle_device_get(d->system, 0, &device);
  if (e == HEDDLE_SUCCESS) e = heddle_context_create(device, &d->context);
  if (e == HEDDLE_SUCCESS) e = heddle_context_set_limit(d->context, OCL_PIECE_MS);
  if (e == HEDDLE_SUCCESS) e = heddle_context_machine(d->context, &machine);
  if (e == HEDDLE_SUCCESS) e = heddle_device_attribute(device, HEDDLE_ATTRIBUTE_MEMORY_BYTES, &bytes);
  if (e != HEDDLE_SUCCESS) {
    ocl_say("%s: %s", d->name, heddle_error_text(e));
    close_board(d);
    return CL_DEVICE_NOT_AVAILABLE;
  }
  ocl_enter();
  d->machine = machine;
  d->memory_bytes = bytes;
  d->known = true;
  ocl_unlock();
  d->last = &d->under_way;
  return CL_SUCCESS;
}

static void take_out(cl_device_id d) {
  ocl_enter();
  struct ocl_garbage *g = d->garbage, *next;
  d->garbage = NULL;
  ocl_unlock();
  for (; g; g = next) {
    next = g->next;
    if (g->module) (void)heddle_module_unload(g->module);
    if (g->address) (void)heddle_mem_free(d->context, g->address);
    free(g);
  }
}

cl_int ocl_board_enter_behind(cl_device_id d) {
  (void)pthread_mutex_lock(&d->lock);
  const cl_int e = d->context ? CL_SUCCESS : open_board(d);
  if (e != CL_SUCCESS)
    (void)pthread_mutex_unlock(&d->lock);
  else if (!d->under_way)
    take_out(d);
  return e;
}

cl_int ocl_board_enter(cl_device_id d) {
  const cl_int e = ocl_board_enter_behind(d);
  if (e != CL_SUCCESS || !d->under_way) return e;
  ocl_launches_end(d);
  take_out(d);
  return e;
}

void ocl_board_leave(cl_device_id d) {
  (void)pthread_mutex_unlock(&d->lock);
}

void ocl_boards_close(void) {
  for (unsigned i = 0; i < ocl_devices(); i++) {
    cl_device_id d = ocl_device(i);
    if (d->context) take_out(d);
    close_board(d);
  }
}

/* What cannot be remembered stays on the board until it is closed. */
void ocl_discard(cl_device_id d, uint64_t address, struct heddle_module *m) {
  struct ocl_garbage *g = malloc(sizeof *g);
  if (!g) return;
  *g = (struct ocl_garbage){d->garbage, address, m};
  d->garbage = g;
}

static cl_int from_error(enum heddle_error e) {
  switch (e) {
  case HEDDLE_SUCCESS:
    return CL_SUCCESS;
  case HEDDLE_ERROR_HOST_MEMORY:
    return CL_OUT_OF_HOST_MEMORY;
  case HEDDLE_ERROR_OUT_OF_MEMORY:
  case HEDDLE_ERROR_TOO_FRAGMENTED:
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  case HEDDLE_ERROR_INVALID_IMAGE:
    return CL_INVALID_PROGRAM_EXECUTABLE;
  case HEDDLE_ERROR_BUS:
  case HEDDLE_ERROR_NO_DEVICE:
    return CL_DEVICE_NOT_AVAILABLE;
  default:
    return CL_OUT_OF_RESOURCES;
  }
}

/* Hardware and model differ: the report is on stderr, and the host stops now, whatever handlers it has. */
_Noreturn static void stop(cl_device_id d) {
  close_board(d);
  (void)fflush(NULL);
  _exit(1);
}

cl_int ocl_from_driver(cl_device_id d, enum heddle_error e, cl_context c, const char *what) {
  if (e == HEDDLE_SUCCESS) return CL_SUCCESS;
  if (what) {
    char words[2000];
    snprintf(words, sizeof words, "%s: %s: %s", what, heddle_error_text(e), heddle_context_message(d->context));
    ocl_say("%s", words);
    if (c && c->notify) c->notify(words, NULL, 0, c->notify_data);
  }
  if (e == HEDDLE_ERROR_DIFFERENCE) stop(d);
  return from_error(e);
}
