/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers, parts of them, and where they are mapped. */
#include <stdlib.h>
#include <string.h>
#include "firmware/host/opencl/internal.h"

enum { ALIGN = 128 }; /* CL_DEVICE_MEM_BASE_ADDR_ALIGN */

#define ACCESS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define HOST_ACCESS (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
#define HOST_POINTER (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

static void call_destructor(struct ocl_call *c) {
  void(CL_CALLBACK * f)(cl_mem, void *);
  f = (void(CL_CALLBACK *)(cl_mem, void *))c->function;
  f(c->handle, c->data);
}

void ocl_mem_gone(cl_mem m) {
  for (struct ocl_call *d = m->destructors, *next; d; d = next) {
    next = d->next;
    (void)ocl_call_later(*d);
    free(d);
  }
  for (struct ocl_mapping *x = m->mappings, *next; x; x = next) {
    next = x->next;
    free(x);
  }
  if (m->home) ocl_discard(m->home, m->address, NULL);
  free(m->shadow);
  ocl_drop(m->parent);
  ocl_drop(m->context);
}

cl_mem ocl_mem_root(cl_mem m, size_t *offset) {
  if (offset) *offset = m->parent ? m->offset : 0;
  return m->parent ? m->parent : m;
}

/* ---- where it lies */

/* What another board has of it; NULL: no memory, or the board does not answer. */
static uint8_t *fetch(cl_mem m, cl_device_id d) {
  uint8_t *copy = malloc(m->bytes);
  ocl_board_leave(d); /* nobody holds two boards */
  if (copy && ocl_board_enter(m->home) == CL_SUCCESS) {
    const enum heddle_error e = heddle_memcpy_to_host(m->home->context, copy, m->address, m->bytes);
    if (e == HEDDLE_SUCCESS) (void)heddle_mem_free(m->home->context, m->address);
    ocl_board_leave(m->home);
    if (e != HEDDLE_SUCCESS) free(copy), copy = NULL;
  }
  (void)ocl_board_enter(d); /* it is open */
  return copy;
}

cl_int ocl_mem_place(cl_mem m, cl_device_id d, uint64_t *address) {
  size_t offset;
  cl_mem root = ocl_mem_root(m, &offset);
  if (root->home != d) {
    uint8_t *copy = root->home ? fetch(root, d) : NULL;
    if (root->home && !copy) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    root->home = NULL;
    enum heddle_error e = heddle_mem_alloc(d->context, root->bytes, &root->address);
    if (e == HEDDLE_SUCCESS) {
      root->home = d;
      if (copy) e = heddle_memcpy_to_device(d->context, root->address, copy, root->bytes);
    }
    free(copy);
    if (e != HEDDLE_SUCCESS) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  }
  *address = root->address + offset;
  return CL_SUCCESS;
}

cl_int ocl_mem_check(cl_mem m, cl_command_queue q) {
  if (!ocl_is(m, OCL_MEM)) return CL_INVALID_MEM_OBJECT;
  if (m->context != q->context) return CL_INVALID_CONTEXT;
  return m->parent && m->offset % ALIGN != 0 ? CL_MISALIGNED_SUB_BUFFER_OFFSET : CL_SUCCESS;
}

/* ---- made */

static bool single(cl_mem_flags bits) {
  return (bits & (bits - 1)) == 0;
}

static cl_int check_flags(cl_mem_flags flags, const void *host) {
  const bool wants = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  if (flags & ~(cl_mem_flags)(ACCESS | HOST_ACCESS | HOST_POINTER)) return CL_INVALID_VALUE;
  if (!single(flags & ACCESS) || !single(flags & HOST_ACCESS)) return CL_INVALID_VALUE;
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return CL_INVALID_VALUE;
  return wants != (host != NULL) ? CL_INVALID_HOST_PTR : CL_SUCCESS;
}

static cl_int check_size(cl_context c, size_t bytes) {
  if (bytes == 0) return CL_INVALID_BUFFER_SIZE;
  for (cl_uint i = 0; i < c->devices; i++)
    if (bytes <= ocl_max_alloc(c->device[i])) return CL_SUCCESS;
  return CL_INVALID_BUFFER_SIZE;
}

/* Room on the first device, so that what does not fit is told now; what the host has goes there. */
static cl_int fill_buffer(cl_mem m, const void *host) {
  cl_device_id d = m->context->device[0];
  uint64_t address;
  cl_int e = ocl_board_enter(d);
  if (e != CL_SUCCESS) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  e = ocl_mem_place(m, d, &address);
  if (e == CL_SUCCESS && host)
    e = ocl_from_driver(d, heddle_memcpy_to_device(d->context, address, host, m->bytes), m->context, NULL);
  ocl_board_leave(d);
  return e;
}

static cl_mem create_buffer(cl_context c, cl_mem_flags flags, size_t bytes, void *host, cl_int *error) {
  ocl_enter();
  *error = ocl_is(c, OCL_CONTEXT) ? check_flags(flags, host) : CL_INVALID_CONTEXT;
  if (*error == CL_SUCCESS) *error = check_size(c, bytes);
  cl_mem m = *error == CL_SUCCESS ? ocl_new(OCL_MEM) : NULL;
  if (*error == CL_SUCCESS && !m) *error = CL_OUT_OF_HOST_MEMORY;
  if (m) {
    m->context = c;
    ocl_hold(c);
    m->flags = flags & ACCESS ? flags : flags | CL_MEM_READ_WRITE;
    m->bytes = bytes;
    m->host = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
  }
  (void)ocl_leave(CL_SUCCESS);
  if (!m) return NULL;
  *error = fill_buffer(m, host);
  if (*error == CL_SUCCESS) return m;
  (void)clReleaseMemObject(m);
  return NULL;
}

cl_mem clCreateBuffer(cl_context c, cl_mem_flags flags, size_t bytes, void *host, cl_int *error) {
  cl_int e;
  cl_mem m = create_buffer(c, flags, bytes, host, &e);
  if (error) *error = e;
  return m;
}

/* No property is known but the end of the list. */
cl_mem clCreateBufferWithProperties(cl_context c, const cl_mem_properties *properties, cl_mem_flags flags, size_t bytes,
                                    void *host, cl_int *error) {
  cl_int e = properties && properties[0] != 0 ? CL_INVALID_PROPERTY : CL_SUCCESS;
  cl_mem m = e == CL_SUCCESS ? create_buffer(c, flags, bytes, host, &e) : NULL;
  if (m && properties) m->property_count = 1;
  if (error) *error = e;
  return m;
}

/* ---- parts */

/* What a part may and its whole may not. */
static bool contradicts(cl_mem_flags part, cl_mem_flags whole) {
  if ((whole & CL_MEM_WRITE_ONLY) && (part & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) return true;
  if ((whole & CL_MEM_READ_ONLY) && (part & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) return true;
  if ((whole & CL_MEM_HOST_WRITE_ONLY) && (part & CL_MEM_HOST_READ_ONLY)) return true;
  if ((whole & CL_MEM_HOST_READ_ONLY) && (part & CL_MEM_HOST_WRITE_ONLY)) return true;
  return (whole & CL_MEM_HOST_NO_ACCESS) && (part & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY));
}

static cl_int check_part(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type, const cl_buffer_region *r) {
  if (!ocl_is(whole, OCL_MEM) || whole->parent) return CL_INVALID_MEM_OBJECT;
  if (flags & HOST_POINTER) return CL_INVALID_VALUE;
  const cl_int e = check_flags(flags, NULL);
  if (e != CL_SUCCESS) return e;
  if (contradicts(flags, whole->flags) || type != CL_BUFFER_CREATE_TYPE_REGION || !r) return CL_INVALID_VALUE;
  if (r->size == 0) return CL_INVALID_BUFFER_SIZE;
  if (r->origin > whole->bytes || r->size > whole->bytes - r->origin) return CL_INVALID_VALUE;
  return r->origin % ALIGN != 0 ? CL_MISALIGNED_SUB_BUFFER_OFFSET : CL_SUCCESS;
}

static cl_mem create_part(cl_mem whole, cl_mem_flags flags, const cl_buffer_region *r) {
  cl_mem m = ocl_new(OCL_MEM);
  if (!m) return NULL;
  m->context = whole->context;
  ocl_hold(m->context);
  m->parent = whole;
  ocl_hold(whole);
  m->flags = flags | (flags & ACCESS ? 0 : whole->flags & ACCESS) |
             (flags & HOST_ACCESS ? 0 : whole->flags & HOST_ACCESS) | (whole->flags & HOST_POINTER);
  m->bytes = r->size;
  m->offset = r->origin;
  m->host = whole->host ? (uint8_t *)whole->host + r->origin : NULL;
  return m;
}

cl_mem clCreateSubBuffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type, const void *info,
                         cl_int *error) {
  ocl_enter();
  cl_int e = check_part(whole, flags, type, info);
  cl_mem m = e == CL_SUCCESS ? create_part(whole, flags, info) : NULL;
  if (e == CL_SUCCESS && !m) e = CL_OUT_OF_HOST_MEMORY;
  if (error) *error = e;
  (void)ocl_leave(e);
  return m;
}

/* ---- counted, asked */

cl_int clRetainMemObject(cl_mem m) {
  ocl_enter();
  return ocl_leave(ocl_retain(m, OCL_MEM));
}

cl_int clReleaseMemObject(cl_mem m) {
  ocl_enter();
  return ocl_leave(ocl_release(m, OCL_MEM));
}

static cl_int answer_mem(const struct _cl_mem *m, cl_mem_info what, const struct ocl_answer *a) {
  switch (what) {
  case CL_MEM_TYPE:
    return ocl_answer_uint(a, CL_MEM_OBJECT_BUFFER);
  case CL_MEM_FLAGS:
    return ocl_answer_ulong(a, m->flags);
  case CL_MEM_SIZE:
    return ocl_answer_size(a, m->bytes);
  case CL_MEM_HOST_PTR:
    return ocl_answer_pointer(a, m->host);
  case CL_MEM_MAP_COUNT:
    return ocl_answer_uint(a, m->map_count);
  case CL_MEM_REFERENCE_COUNT:
    return ocl_answer_uint(a, m->o.refs);
  case CL_MEM_CONTEXT:
    return ocl_answer_pointer(a, m->context);
  case CL_MEM_ASSOCIATED_MEMOBJECT:
    return ocl_answer_pointer(a, m->parent);
  case CL_MEM_OFFSET:
    return ocl_answer_size(a, m->offset);
  case CL_MEM_USES_SVM_POINTER:
    return ocl_answer_uint(a, CL_FALSE);
  case CL_MEM_PROPERTIES:
    return ocl_answer(a, m->properties, m->property_count * sizeof *m->properties);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetMemObjectInfo(cl_mem m, cl_mem_info what, size_t room, void *to, size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  ocl_enter();
  return ocl_leave(ocl_is(m, OCL_MEM) ? answer_mem(m, what, &a) : CL_INVALID_MEM_OBJECT);
}

cl_int clSetMemObjectDestructorCallback(cl_mem m, void(CL_CALLBACK *f)(cl_mem, void *), void *data) {
  ocl_enter();
  if (!ocl_is(m, OCL_MEM)) return ocl_leave(CL_INVALID_MEM_OBJECT);
  if (!f) return ocl_leave(CL_INVALID_VALUE);
  struct ocl_call *d = malloc(sizeof *d);
  if (!d) return ocl_leave(CL_OUT_OF_HOST_MEMORY);
  *d = (struct ocl_call){m->destructors, NULL, call_destructor, (void (*)(void))f, m, data, CL_SUCCESS};
  m->destructors = d;
  return ocl_leave(CL_SUCCESS);
}

/* Buffers mapped: a buffer has one place in the host's memory, which it keeps; mapping fills it, unmapping brings back
 * what a map for writing covers. */

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
