/* SPDX-License-Identifier: Apache-2.0
 * Buffers mapped: a buffer has one place in the host's memory, which it keeps; mapping fills it, unmapping brings back
 * what a map for writing covers. */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>

enum { SHADOW_ALIGN = 4096 };
#define MAP_FLAGS (CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)

static cl_int run_map(cl_event e) {
  cl_device_id d = e->queue->device;
  uint64_t address;
  cl_int status = ocl_mem_place(e->from, d, &address);
  if (status == CL_SUCCESS && !(e->mapping.flags & CL_MAP_WRITE_INVALIDATE_REGION))
    status = ocl_from_driver(
        d, heddle_memcpy_to_host(d->context, e->mapping.at, address + e->mapping.offset, e->mapping.bytes), e->context,
        "a map");
  return status;
}

static cl_int run_unmap(cl_event e) {
  cl_device_id d = e->queue->device;
  const struct ocl_mapping *m = &e->mapping;
  uint64_t address;
  cl_int status = ocl_mem_place(e->from, d, &address);
  if (status == CL_SUCCESS && (m->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)))
    status = ocl_from_driver(d, heddle_memcpy_to_device(d->context, address + m->offset, m->at, m->bytes), e->context,
                             "an unmap");
  return status;
}

static cl_int check_map(cl_command_queue q, cl_mem m, cl_map_flags flags, size_t offset, size_t bytes) {
  if (!ocl_is(q, OCL_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  const cl_int e = ocl_mem_check(m, q);
  if (e != CL_SUCCESS) return e;
  if (bytes == 0 || offset > m->bytes || bytes > m->bytes - offset) return CL_INVALID_VALUE;
  if (flags & ~(cl_map_flags)MAP_FLAGS) return CL_INVALID_VALUE;
  if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))) return CL_INVALID_VALUE;
  const cl_mem_flags no_reading = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
                     no_writing = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  if ((flags & CL_MAP_READ) && (m->flags & no_reading)) return CL_INVALID_OPERATION;
  if ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) && (m->flags & no_writing)) return CL_INVALID_OPERATION;
  return CL_SUCCESS;
}

/* Where the first byte of the buffer lies in the host's memory. */
static uint8_t *base(cl_mem m) {
  size_t offset;
  cl_mem root = ocl_mem_root(m, &offset);
  if (root->host) return (uint8_t *)root->host + offset;
  if (!root->shadow) {
    const size_t room = (root->bytes + SHADOW_ALIGN - 1) / SHADOW_ALIGN * SHADOW_ALIGN;
    root->shadow = aligned_alloc(SHADOW_ALIGN, room);
  }
  return root->shadow ? root->shadow + offset : NULL;
}

static struct ocl_mapping *add_mapping(cl_mem m, cl_map_flags flags, size_t offset, size_t bytes) {
  uint8_t *at = base(m);
  struct ocl_mapping *x = at ? malloc(sizeof *x) : NULL;
  if (x) *x = (struct ocl_mapping){m->mappings, at + offset, offset, bytes, flags};
  return x;
}

void *clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, size_t offset,
                         size_t bytes, cl_uint count, const cl_event *list, cl_event *event, cl_int *error) {
  cl_event e = NULL;
  void *at = NULL;
  ocl_enter();
  cl_int status = check_map(q, m, flags, offset, bytes);
  if (status == CL_SUCCESS) status = ocl_command(q, CL_COMMAND_MAP_BUFFER, count, list, &e);
  struct ocl_mapping *x = status == CL_SUCCESS ? add_mapping(m, flags, offset, bytes) : NULL;
  if (status == CL_SUCCESS && !x) {
    ocl_command_forget(e);
    status = CL_MAP_FAILURE;
  }
  if (status == CL_SUCCESS) {
    m->mappings = x;
    m->map_count++;
    at = x->at;
    e->run = run_map;
    e->from = m;
    ocl_hold(m);
    e->mapping = *x;
    status = ocl_submit(e, blocking, event);
  }
  if (error) *error = status;
  (void)ocl_leave(status);
  return status == CL_SUCCESS ? at : NULL;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *at, cl_uint count, const cl_event *list,
                               cl_event *event) {
  cl_event e;
  ocl_enter();
  if (!ocl_is(q, OCL_QUEUE)) return ocl_leave(CL_INVALID_COMMAND_QUEUE);
  cl_int error = ocl_mem_check(m, q);
  if (error != CL_SUCCESS) return ocl_leave(error);
  struct ocl_mapping **x = &m->mappings;
  while (*x && (*x)->at != at) x = &(*x)->next;
  if (!*x) return ocl_leave(CL_INVALID_VALUE);
  error = ocl_command(q, CL_COMMAND_UNMAP_MEM_OBJECT, count, list, &e);
  if (error != CL_SUCCESS) return ocl_leave(error);
  e->run = run_unmap;
  e->from = m;
  ocl_hold(m);
  struct ocl_mapping *taken = *x;
  e->mapping = *taken;
  *x = taken->next;
  free(taken);
  m->map_count--;
  return ocl_leave(ocl_submit(e, false, event));
}

/* ---- buffers brought to a device before they are needed */

static cl_int run_migrate(cl_event e) {
  uint64_t address;
  for (cl_uint i = 0; i < e->mem_count; i++) {
    const cl_int status = ocl_mem_place(e->mems[i], e->queue->device, &address);
    if (status != CL_SUCCESS) return status;
  }
  return CL_SUCCESS;
}

static cl_int check_mem_list(cl_command_queue q, cl_uint n, const cl_mem *list, cl_mem_migration_flags flags) {
  const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  if (!ocl_is(q, OCL_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (n == 0 || !list || (flags & ~known)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < n; i++) {
    const cl_int e = ocl_mem_check(list[i], q);
    if (e != CL_SUCCESS) return e;
  }
  return CL_SUCCESS;
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue q, cl_uint n, const cl_mem *list, cl_mem_migration_flags flags,
                                  cl_uint count, const cl_event *waits, cl_event *event) {
  cl_event e;
  ocl_enter();
  cl_int error = check_mem_list(q, n, list, flags);
  if (error == CL_SUCCESS) error = ocl_command(q, CL_COMMAND_MIGRATE_MEM_OBJECTS, count, waits, &e);
  if (error != CL_SUCCESS) return ocl_leave(error);
  e->mems = calloc(n, sizeof(cl_mem));
  if (!e->mems) {
    ocl_command_forget(e);
    return ocl_leave(CL_OUT_OF_HOST_MEMORY);
  }
  for (cl_uint i = 0; i < n; i++) {
    e->mems[i] = list[i];
    ocl_hold(list[i]);
  }
  e->mem_count = n;
  if (!(flags & CL_MIGRATE_MEM_OBJECT_HOST)) e->run = run_migrate;
  return ocl_leave(ocl_submit(e, false, event));
}
