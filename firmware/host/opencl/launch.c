/* SPDX-License-Identifier: Apache-2.0
 * Launches: checked when they are enqueued, with the arguments of then; run by the worker, one behind the other in the
 * device's queue, where it has one. */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>
#include <heddle/printf.h>

static cl_int ocl_launch_run(cl_event e);

/* ---- run */

static cl_int load_build(cl_device_id d, cl_event e, struct ocl_build *b) {
  if (b->module) return CL_SUCCESS;
  struct heddle_module *m = NULL;
  const enum heddle_error error = heddle_module_load_program(d->context, b->code, &m);
  if (error != HEDDLE_SUCCESS) return ocl_from_driver(d, error, e->context, e->launch.kernel->info->name);
  ocl_enter();
  b->module = m;
  b->code = NULL;
  ocl_unlock();
  return CL_SUCCESS;
}

/* Values for the driver: addresses of buffers, places in shared memory behind the kernel's own. */
static cl_int place_arguments(cl_device_id d, cl_event e, size_t own, uint64_t *at, void **values, size_t *shared) {
  const struct ocl_kernel_info *info = e->launch.kernel->info;
  *shared = own;
  for (cl_uint i = 0; i < info->arguments; i++) {
    struct ocl_argument *a = &e->launch.argument[i];
    values[i] = a->value ? a->value : &at[i];
    if (a->mem) {
      const cl_int status = ocl_mem_place(a->mem, d, &at[i]);
      if (status != CL_SUCCESS) return status;
    } else if (info->argument[i].space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
      at[i] = (*shared + OCL_LOCAL_ALIGN - 1) / OCL_LOCAL_ALIGN * OCL_LOCAL_ALIGN;
      *shared = at[i] + a->bytes;
    }
  }
  return CL_SUCCESS;
}

/* ---- under way */

bool ocl_is_launch(const struct _cl_event *e) {
  return e->run == ocl_launch_run && !e->launch.empty;
}

static cl_event take_front(cl_device_id d) {
  cl_event e = d->under_way;
  d->under_way = e->launch.behind;
  if (!d->under_way) d->last = &d->under_way;
  return e;
}

static void end_front(cl_device_id d, cl_int status) {
  cl_event e = take_front(d);
  uint64_t until = d->until;
  (void)heddle_cycles_until(d->context, e->launch.number, &until);
  e->time[2] = d->cycles;
  d->cycles += until - d->until + 1;
  d->until = until;
  e->time[3] = d->cycles;
  ocl_show_printed(d, ocl_build_of(e->launch.kernel->program, d)->module);
  ocl_enter();
  e->launch.under_way = false;
  if (status < 0) e->queue->failed = true;
  ocl_worker_done(e, status);
  ocl_unlock();
}

/* It has not begun, and is to be done like any other: what it waits for may have failed. */
static void put_back_front(cl_device_id d) {
  cl_event e = take_front(d);
  ocl_enter();
  e->launch.under_way = false;
  ocl_changed();
  ocl_unlock();
}

static void front_runs(cl_device_id d) {
  ocl_enter();
  if (d->under_way && d->under_way->status != CL_RUNNING) ocl_event_status(d->under_way, CL_RUNNING);
  ocl_unlock();
}

/* The launch that an error is of, among those under way: the last that has ended, where the driver has counted all. */
static uint64_t find_wrong(cl_device_id d) {
  struct heddle_statistics s = {.launch = 0};
  uint64_t until, number = d->under_way->launch.number;
  if (heddle_cycles_until(d->context, d->launches, &until) == HEDDLE_SUCCESS)
    return heddle_statistics_last(d->context, &s) == HEDDLE_SUCCESS && s.launch > number ? s.launch : number;
  while (heddle_cycles_until(d->context, number, &until) == HEDDLE_SUCCESS) number++;
  return number;
}

static cl_int tell_wrong(cl_device_id d, uint64_t number, enum heddle_error error) {
  cl_event e = d->under_way;
  while (e->launch.behind && e->launch.number != number) e = e->launch.behind;
  return ocl_from_driver(d, error, e->context, e->launch.kernel->info->name);
}

/* What a call of the driver says of them. Behind one that trapped those in the device's queue have not begun, unless
 * the host came too late to see where: then nobody knows what they have done, and they fail, too. */
static void learn_launches(cl_device_id d, enum heddle_error error) {
  struct heddle_trap_info t;
  uint64_t until, wrong = UINT64_MAX;
  cl_int status = CL_COMPLETE;
  if (!d->under_way) return;
  if (error != HEDDLE_SUCCESS && error != HEDDLE_ERROR_TIMEOUT) {
    wrong = find_wrong(d);
    status = tell_wrong(d, wrong, error);
  }
  const bool stopped = error == HEDDLE_ERROR_TRAPPED && heddle_trap_last(d->context, &t) == HEDDLE_SUCCESS;
  for (cl_event e = d->under_way; e; e = d->under_way) {
    const uint64_t number = e->launch.number;
    if (number > wrong && stopped)
      put_back_front(d);
    else if (number >= wrong)
      end_front(d, status);
    else if (heddle_cycles_until(d->context, number, &until) == HEDDLE_SUCCESS)
      end_front(d, CL_COMPLETE);
    else
      break;
  }
  front_runs(d);
}

void ocl_launches_look(cl_device_id d, uint32_t milliseconds) {
  enum heddle_error e = heddle_synchronize(d->context, milliseconds);
  if (e == HEDDLE_ERROR_TIMEOUT && ocl_is_closing()) e = heddle_abort(d->context);
  learn_launches(d, e);
}

void ocl_launches_end(cl_device_id d) {
  while (d->under_way) ocl_launches_look(d, OCL_PIECE_MS);
}

/* ---- launched */

static bool prints(struct heddle_module *m) {
  return heddle_module_global(m, HEDDLE_PRINTF_VARIABLE, NULL, NULL) == HEDDLE_SUCCESS;
}

/* All that is under way has to end first: somebody judges each launch, or something has to be brought to the device. */
static bool must_wait(cl_device_id d, const struct _cl_event *e, const struct ocl_build *b) {
  bool must = heddle_sim_port(d->sim)->verdict || !b->module;
  for (cl_uint i = 0; i < e->launch.arguments; i++)
    must |= e->launch.argument[i].mem && ocl_mem_root(e->launch.argument[i].mem, NULL)->home != d;
  return must;
}

/* An error of the call that is one of a launch before it, which nobody judges. */
static bool is_of_another(enum heddle_error e) {
  return e == HEDDLE_ERROR_TRAPPED || e == HEDDLE_ERROR_REFUSED || e == HEDDLE_ERROR_TIMEOUT;
}

/* What kernels of an image print is shown before the next one of it begins, which would write over it. */
static void go(cl_device_id d, cl_event e, const struct ocl_build *b) {
  e->launch.number = ++d->launches;
  e->launch.behind = NULL;
  *d->last = e;
  d->last = &e->launch.behind;
  ocl_enter();
  e->launch.under_way = true;
  ocl_unlock();
  learn_launches(d, HEDDLE_SUCCESS);
  if (prints(b->module)) ocl_launches_end(d);
}

static cl_int launch_grid(cl_device_id d, cl_event e, struct ocl_build *b, uint64_t *at, void **values) {
  struct ocl_launch *l = &e->launch;
  const char *name = l->kernel->info->name;
  struct heddle_function *f;
  size_t shared = 0;
  const struct heddle_kernel *code = heddle_program_kernel(b->loaded, name);
  const cl_int status = place_arguments(d, e, code->shared_bytes, at, values, &shared);
  if (status != CL_SUCCESS) return status;
  enum heddle_error error = heddle_module_function(b->module, name, &f);
  if (error == HEDDLE_SUCCESS) error = heddle_function_environment(f, l->environment);
  if (error == HEDDLE_SUCCESS)
    error = heddle_function_launch(f, l->grid, l->block, (uint32_t)(shared - code->shared_bytes), values);
  if (error == HEDDLE_SUCCESS)
    go(d, e, b);
  else if (is_of_another(error))
    learn_launches(d, error); /* this one is tried again */
  else
    return ocl_from_driver(d, error, e->context, name);
  return CL_SUBMITTED;
}

static cl_int ocl_launch_run(cl_event e) {
  cl_device_id d = e->queue->device;
  cl_kernel k = e->launch.kernel;
  struct ocl_build *b = ocl_build_of(k->program, d);
  if (e->launch.empty) return CL_SUCCESS;
  if (d->under_way && must_wait(d, e, b)) {
    ocl_launches_end(d);
    return CL_SUBMITTED;
  }
  cl_int status = load_build(d, e, b);
  if (status != CL_SUCCESS) return status;
  uint64_t *at = calloc(k->info->arguments + 1, sizeof *at);
  void **values = calloc(k->info->arguments + 1, sizeof *values);
  status = at && values ? launch_grid(d, e, b, at, values) : CL_OUT_OF_HOST_MEMORY;
  free(at);
  free(values);
  return status;
}

/* ---- checked */

static cl_int check_arguments(const struct _cl_kernel *k, cl_command_queue q) {
  for (cl_uint i = 0; i < k->info->arguments; i++) {
    if (!k->argument[i].set) return CL_INVALID_KERNEL_ARGS;
    const cl_int e = k->argument[i].mem ? ocl_mem_check(k->argument[i].mem, q) : CL_SUCCESS;
    if (e != CL_SUCCESS) return e;
  }
  return CL_SUCCESS;
}

static cl_int check_kernel(cl_command_queue q, cl_kernel k) {
  if (!ocl_is(q, OCL_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!ocl_is(k, OCL_KERNEL)) return CL_INVALID_KERNEL;
  if (k->program->context != q->context) return CL_INVALID_CONTEXT;
  return ocl_kernel_code(k, q->device) ? check_arguments(k, q) : CL_INVALID_PROGRAM_EXECUTABLE;
}

/* The most that divides and fits, a warp or a few along the first dimension. */
static void choose_local(const size_t *global, cl_uint dimensions, size_t most, size_t local[3]) {
  enum { ENOUGH = 64 };
  size_t room = most < ENOUGH ? most : ENOUGH;
  for (cl_uint i = 0; i < dimensions; i++) {
    const size_t shape = i == 2 && room > HEDDLE_BLOCK_Z_MAX ? HEDDLE_BLOCK_Z_MAX : room;
    for (local[i] = global[i] < shape ? global[i] : shape; local[i] > 1 && global[i] % local[i] != 0;) local[i]--;
    room /= local[i];
  }
}

static cl_int check_local(const struct ocl_kernel_info *k, const size_t *global, const size_t local[3], size_t most,
                          const struct _cl_device_id *d) {
  const size_t items[3] = {ocl_max_threads(d), ocl_max_threads(d), HEDDLE_BLOCK_Z_MAX};
  size_t all = 1;
  for (cl_uint i = 0; i < 3; i++) {
    if (local[i] == 0) return CL_INVALID_WORK_GROUP_SIZE;
    if (k->required[0] != 0 && local[i] != k->required[i]) return CL_INVALID_WORK_GROUP_SIZE;
    if (local[i] > items[i]) return CL_INVALID_WORK_ITEM_SIZE;
    all *= local[i];
    if (global[i] % local[i] != 0 || all > most) return CL_INVALID_WORK_GROUP_SIZE;
  }
  return CL_SUCCESS;
}

static cl_int check_offset(const size_t *offset, const size_t global[3], cl_uint dimensions, uint32_t to[4]) {
  to[0] = dimensions;
  for (cl_uint i = 0; i < dimensions; i++) {
    const size_t at = offset ? offset[i] : 0;
    if (at > UINT32_MAX || (at > 0 && global[i] > UINT32_MAX + (size_t)1 - at)) return CL_INVALID_GLOBAL_OFFSET;
    to[1 + i] = (uint32_t)at;
  }
  return CL_SUCCESS;
}

static cl_int shape(const struct _cl_device_id *d, cl_kernel k, cl_uint dimensions, const size_t *offset,
                    const size_t *global, const size_t *local, struct ocl_launch *l) {
  const struct heddle_kernel *code = ocl_kernel_code(k, (cl_device_id)(uintptr_t)d);
  size_t all[3] = {1, 1, 1}, group[3] = {1, 1, 1};
  const size_t most = ocl_kernel_threads(code, d);
  if (dimensions < 1 || dimensions > 3) return CL_INVALID_WORK_DIMENSION;
  for (cl_uint i = 0; i < dimensions; i++) {
    all[i] = global ? global[i] : 0;
    if (all[i] == 0) l->empty = true;
  }
  const cl_int e = check_offset(offset, all, dimensions, l->environment);
  if (e != CL_SUCCESS || l->empty) return e;
  if (local)
    memcpy(group, local, dimensions * sizeof *local);
  else if (k->info->required[0] != 0)
    memcpy(group, k->info->required, sizeof group);
  else
    choose_local(all, dimensions, most, group);
  const cl_int wrong = check_local(k->info, all, group, most, d);
  if (wrong != CL_SUCCESS) return wrong;
  for (cl_uint i = 0; i < 3; i++)
    if (all[i] / group[i] > UINT32_MAX) return CL_INVALID_GLOBAL_WORK_SIZE;
  l->grid =
      (struct heddle_size){(uint32_t)(all[0] / group[0]), (uint32_t)(all[1] / group[1]), (uint32_t)(all[2] / group[2])};
  l->block = (struct heddle_size){(uint32_t)group[0], (uint32_t)group[1], (uint32_t)group[2]};
  return ocl_local_bytes(k->info, k->argument, code->shared_bytes) > d->machine.shared_bytes ? CL_OUT_OF_RESOURCES
                                                                                             : CL_SUCCESS;
}

static cl_int enqueue(cl_command_queue q, cl_command_type type, cl_kernel k, struct ocl_launch *l, cl_uint count,
                      const cl_event *list, cl_event *event) {
  cl_event e;
  const cl_int error = ocl_command(q, type, count, list, &e);
  if (error != CL_SUCCESS) return error;
  l->argument = ocl_arguments_copy(k->argument, k->info->arguments);
  if (!l->argument) {
    ocl_command_forget(e);
    return CL_OUT_OF_HOST_MEMORY;
  }
  l->arguments = k->info->arguments;
  l->kernel = k;
  ocl_hold(k);
  e->launch = *l;
  e->run = ocl_launch_run;
  return ocl_submit(e, false, event);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *list,
                              cl_event *event) {
  struct ocl_launch l = {.dimensions = dimensions};
  ocl_enter();
  cl_int e = check_kernel(q, k);
  if (e == CL_SUCCESS) e = shape(q->device, k, dimensions, offset, global, local, &l);
  if (e == CL_SUCCESS) e = enqueue(q, CL_COMMAND_NDRANGE_KERNEL, k, &l, count, list, event);
  return ocl_leave(e);
}

cl_int clEnqueueTask(cl_command_queue q, cl_kernel k, cl_uint count, const cl_event *list, cl_event *event) {
  const size_t one = 1;
  struct ocl_launch l = {.dimensions = 1};
  ocl_enter();
  cl_int e = check_kernel(q, k);
  if (e == CL_SUCCESS) e = shape(q->device, k, 1, NULL, &one, &one, &l);
  if (e == CL_SUCCESS) e = enqueue(q, CL_COMMAND_TASK, k, &l, count, list, event);
  return ocl_leave(e);
}
