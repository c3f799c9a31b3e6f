/* SPDX-License-Identifier: Apache-2.0
 * Which devices there are: boards by their names. */
#include "firmware/host/opencl/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>

static struct _cl_device_id all[OCL_DEVICES_MAX];
static unsigned count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add_device(void *ctx, const char *name) {
  (void)ctx;
  if (count == OCL_DEVICES_MAX || strncmp(name, "systemc:", 8) == 0) return;
  for (unsigned i = 0; i < count; i++)
    if (strcmp(all[i].name, name) == 0) return;
  struct _cl_device_id *d = &all[count];
  if (!(d->name = strdup(name))) return;
  d->dispatch = &ocl_dispatch;
  (void)pthread_mutex_init(&d->lock, NULL);
  count++;
}

/* The one that HEDDLE_BOARD names; without it all that can be opened here, the model first. */
static void list_devices(void) {
  const char *board = getenv("HEDDLE_BOARD");
  if (board && *board) {
    add_device(NULL, board);
  } else {
    add_device(NULL, "model");
    heddle_sim_names(NULL, add_device, NULL);
  }
}

unsigned ocl_devices(void) {
  (void)pthread_once(&once, list_devices);
  return count;
}

cl_device_id ocl_device(unsigned i) {
  return i < ocl_devices() ? &all[i] : NULL;
}

bool ocl_is_device(const void *handle) {
  for (unsigned i = 0; i < ocl_devices(); i++)
    if (handle == &all[i]) return true;
  return false;
}

/* Of a board that is simulated its configuration says all. */
static bool known_by_name(cl_device_id d) {
  static const char *const kinds[] = {"model:", "rtl:", "systemc:", "lockstep:"};
  if (strcmp(d->name, "model") == 0) {
    heddle_machine_whole(&d->machine);
    return true;
  }
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const size_t n = strlen(kinds[i]);
    char name[128];
    if (strncmp(d->name, kinds[i], n) != 0) continue;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(d->name + n, "@"), d->name + n);
    return heddle_machine_find(name, &d->machine);
  }
  return false;
}

bool ocl_know(cl_device_id d) {
  ocl_enter();
  if (!d->known && known_by_name(d)) {
    d->memory_bytes = heddle_sim_memory(d->name);
    d->known = true;
  }
  const bool known = d->known;
  ocl_unlock();
  if (known) return true;
  if (ocl_board_enter(d) == CL_SUCCESS) ocl_board_leave(d);
  return d->known;
}

bool ocl_is_full(const struct _cl_device_id *d) {
  return d->machine.shared_bytes >= 32768;
}

bool ocl_has_fp64(const struct _cl_device_id *d) {
  return (d->machine.units >> ISA_UNIT_FP64 & 1u) != 0;
}

size_t ocl_max_threads(const struct _cl_device_id *d) {
  const size_t threads = (size_t)d->machine.warps * OCL_WARP;
  return threads < HEDDLE_BLOCK_THREADS_MAX ? threads : HEDDLE_BLOCK_THREADS_MAX;
}

cl_ulong ocl_max_alloc(const struct _cl_device_id *d) {
  return d->memory_bytes / 2;
}

/* ---- public */

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint entries, cl_device_id *devices,
                      cl_uint *number) {
  const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                               CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (platform && platform != &ocl_platform) return CL_INVALID_PLATFORM;
  if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known))) return CL_INVALID_DEVICE_TYPE;
  if ((devices && entries == 0) || (!devices && !number)) return CL_INVALID_VALUE;
  cl_uint n = 0;
  if (type == CL_DEVICE_TYPE_ALL || (type & CL_DEVICE_TYPE_GPU))
    n = ocl_devices();
  else if (type & CL_DEVICE_TYPE_DEFAULT)
    n = ocl_devices() > 0;
  if (number) *number = n;
  if (n == 0) return CL_DEVICE_NOT_FOUND;
  for (cl_uint i = 0; devices && i < entries && i < n; i++) devices[i] = ocl_device(i);
  return CL_SUCCESS;
}

/* Root devices are not counted. */
cl_int clRetainDevice(cl_device_id device) {
  return ocl_is_device(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clReleaseDevice(cl_device_id device) {
  return clRetainDevice(device);
}

cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties, cl_uint n,
                          cl_device_id *out, cl_uint *number) {
  (void)properties, (void)n, (void)out, (void)number;
  return ocl_is_device(device) ? CL_INVALID_VALUE : CL_INVALID_DEVICE; /* no way of partition is supported */
}
