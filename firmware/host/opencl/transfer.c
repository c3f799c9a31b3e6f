/* SPDX-License-Identifier: Apache-2.0
 * Copies: of the host, to the host, on the device; rows of them; patterns. */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the worker does */

static size_t offset_of_place(const size_t at[3], size_t row, size_t slice) {
  return at[0] + at[1] * row + at[2] * slice;
}

/* Rows that lie one behind the other are one. */
static void join_rows(struct ocl_region *r) {
  if (r->from_row == r->size[0] && r->to_row == r->size[0]) {
    if (r->size[2] > 1 && (r->from_slice != r->size[0] * r->size[1] || r->to_slice != r->from_slice)) {
      r->size[0] *= r->size[1];
      r->size[1] = 1;
    } else {
      r->size[0] *= r->size[1] * r->size[2];
      r->size[1] = r->size[2] = 1;
    }
  }
}

static enum heddle_error copy_row(const struct _cl_event *e, uint64_t from, size_t from_at, uint64_t to, size_t to_at,
                                  size_t bytes) {
  struct heddle_context *c = e->queue->device->context;
  if (!e->from) return heddle_memcpy_to_device(c, to + to_at, e->host_from + from_at, bytes);
  if (!e->to) return heddle_memcpy_to_host(c, e->host_to + to_at, from + from_at, bytes);
  return heddle_memcpy_on_device(c, to + to_at, from + from_at, bytes);
}

static cl_int run_copy(cl_event e) {
  struct ocl_region r = e->region;
  uint64_t from = 0, to = 0;
  cl_device_id d = e->queue->device;
  cl_int status = e->from ? ocl_mem_place(e->from, d, &from) : CL_SUCCESS;
  if (status == CL_SUCCESS && e->to) status = ocl_mem_place(e->to, d, &to);
  const size_t from_at = offset_of_place(r.from, r.from_row, r.from_slice),
               to_at = offset_of_place(r.to, r.to_row, r.to_slice);
  join_rows(&r);
  for (size_t z = 0; z < r.size[2]; z++)
    for (size_t y = 0; status == CL_SUCCESS && y < r.size[1]; y++) {
      const enum heddle_error error = copy_row(e, from, from_at + y * r.from_row + z * r.from_slice, to,
                                               to_at + y * r.to_row + z * r.to_slice, r.size[0]);
      status = ocl_from_driver(d, error, e->context, "a copy");
    }
  return status;
}

static cl_int run_fill(cl_event e) {
  enum { PIECE = 1 << 16 };
  cl_device_id d = e->queue->device;
  uint64_t to = 0;
  cl_int status = ocl_mem_place(e->to, d, &to);
  uint8_t *piece = status == CL_SUCCESS ? malloc(PIECE) : NULL;
  if (status == CL_SUCCESS && !piece) return CL_OUT_OF_HOST_MEMORY;
  for (size_t i = 0; piece && i < PIECE; i += e->pattern_bytes) memcpy(piece + i, e->pattern, e->pattern_bytes);
  for (size_t done = 0; status == CL_SUCCESS && done < e->region.size[0]; done += PIECE) {
    const size_t left = e->region.size[0] - done, n = left < PIECE ? left : PIECE;
    status = ocl_from_driver(d, heddle_memcpy_to_device(d->context, to + e->region.to[0] + done, piece, n), e->context,
                             "a fill");
  }
  free(piece);
  return status;
}

/* ---- checked */

/* Does it end inside? Pitches of 0 become what they mean. */
static cl_int check_region(const size_t at[3], const size_t size[3], size_t *row, size_t *slice, size_t bytes) {
  size_t end = 0, part;
  if (*row == 0) *row = size[0];
  if (*row < size[0] || __builtin_mul_overflow(size[1], *row, &part)) return CL_INVALID_VALUE;
  if (*slice == 0) *slice = part;
  if (*slice < part || *slice % *row != 0) return CL_INVALID_VALUE;
  const size_t last[3] = {0, size[1] - 1, size[2] - 1}, pitch[3] = {1, *row, *slice};
  for (unsigned i = 0; i < 3; i++)
    if (__builtin_add_overflow(at[i], last[i], &part) || __builtin_mul_overflow(part, pitch[i], &part) ||
        __builtin_add_overflow(end, part, &end))
      return CL_INVALID_VALUE;
  return end > bytes || size[0] > bytes - end ? CL_INVALID_VALUE : CL_SUCCESS;
}

static cl_int check_regions(struct ocl_region *r, const struct _cl_mem *from, const struct _cl_mem *to) {
  if (r->size[0] == 0 || r->size[1] == 0 || r->size[2] == 0) return CL_INVALID_VALUE;
  const cl_int e = check_region(r->from, r->size, &r->from_row, &r->from_slice, from ? from->bytes : SIZE_MAX);
  return e == CL_SUCCESS ? check_region(r->to, r->size, &r->to_row, &r->to_slice, to ? to->bytes : SIZE_MAX) : e;
}

static bool are_apart(size_t a, size_t b, size_t size) {
  return a + size <= b || b + size <= a;
}

/* Does each of two pieces that come again and again, a pitch apart, lie in what the other leaves free? */
static bool between(size_t a, size_t b, size_t size, size_t pitch) {
  a %= pitch;
  b %= pitch;
  return (b >= a + size && b + size <= a + pitch) || (a >= b + size && a + size <= b + pitch);
}

/* Do source and target meet, in one buffer or in parts of one? The specification's appendix. */
static bool regions_meet(const struct ocl_region *r, cl_mem from, cl_mem to) {
  size_t from_base, to_base;
  if (ocl_mem_root(from, &from_base) != ocl_mem_root(to, &to_base)) return false;
  const size_t row = r->from_row, slice = r->from_slice, a = from_base + offset_of_place(r->from, row, slice),
               b = to_base + offset_of_place(r->to, r->to_row, r->to_slice),
               plane = r->size[0] + (r->size[1] - 1) * row;
  if (are_apart(a, b, plane + (r->size[2] - 1) * slice)) return false;
  if (r->to_row != row || r->to_slice != slice) return true;
  return !between(a, b, r->size[0], row) && !between(a, b, plane, slice);
}

static cl_int check_access(const struct _cl_mem *m, cl_mem_flags forbidden) {
  return m->flags & (forbidden | CL_MEM_HOST_NO_ACCESS) ? CL_INVALID_OPERATION : CL_SUCCESS;
}

/* ---- public */

struct copy { /* what a call is about, beside its wait list */
  cl_command_type type;
  cl_mem from, to;
  const void *host_from;
  void *host_to;
  struct ocl_region region;
  bool blocking;
};

static cl_int check_copy(cl_command_queue q, struct copy *c) {
  cl_int e = ocl_is(q, OCL_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
  if (e == CL_SUCCESS && (c->from || !c->host_from)) e = ocl_mem_check(c->from, q);
  if (e == CL_SUCCESS && (c->to || !c->host_to)) e = ocl_mem_check(c->to, q);
  if (e == CL_SUCCESS) e = check_regions(&c->region, c->from, c->to);
  if (e != CL_SUCCESS) return e;
  if (!c->to) return check_access(c->from, CL_MEM_HOST_WRITE_ONLY);
  if (!c->from) return check_access(c->to, CL_MEM_HOST_READ_ONLY);
  const struct ocl_region *r = &c->region;
  if (c->from == c->to && (r->from_row != r->to_row || r->from_slice != r->to_slice) &&
      c->type == CL_COMMAND_COPY_BUFFER_RECT)
    return CL_INVALID_VALUE;
  return regions_meet(r, c->from, c->to) ? CL_MEM_COPY_OVERLAP : CL_SUCCESS;
}

static cl_int enqueue(cl_command_queue q, struct copy *c, cl_uint count, const cl_event *list, cl_event *event) {
  cl_event e;
  ocl_enter();
  cl_int error = check_copy(q, c);
  if (error == CL_SUCCESS) error = ocl_command(q, c->type, count, list, &e);
  if (error != CL_SUCCESS) return ocl_leave(error);
  e->run = run_copy;
  e->region = c->region;
  e->host_from = c->host_from;
  e->host_to = c->host_to;
  e->from = c->from;
  e->to = c->to;
  if (e->from) ocl_hold(e->from);
  if (e->to) ocl_hold(e->to);
  return ocl_leave(ocl_submit(e, c->blocking, event));
}

static struct ocl_region plain_region(size_t from, size_t to, size_t bytes) {
  return (struct ocl_region){.from = {from}, .to = {to}, .size = {bytes, 1, 1}};
}

cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t bytes, void *to,
                           cl_uint count, const cl_event *list, cl_event *event) {
  struct copy c = {CL_COMMAND_READ_BUFFER, m, NULL, NULL, to, plain_region(offset, 0, bytes), blocking};
  return to ? enqueue(q, &c, count, list, event) : CL_INVALID_VALUE;
}

cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t bytes,
                            const void *from, cl_uint count, const cl_event *list, cl_event *event) {
  struct copy c = {CL_COMMAND_WRITE_BUFFER, NULL, m, from, NULL, plain_region(0, offset, bytes), blocking};
  return from ? enqueue(q, &c, count, list, event) : CL_INVALID_VALUE;
}

cl_int clEnqueueCopyBuffer(cl_command_queue q, cl_mem from, cl_mem to, size_t from_at, size_t to_at, size_t bytes,
                           cl_uint count, const cl_event *list, cl_event *event) {
  struct copy c = {CL_COMMAND_COPY_BUFFER, from, to, NULL, NULL, plain_region(from_at, to_at, bytes), false};
  return enqueue(q, &c, count, list, event);
}

static void take_three(size_t to[3], const size_t from[3]) {
  memcpy(to, from, 3 * sizeof *to);
}

static bool take_rect(struct ocl_region *r, const size_t *from, const size_t *to, const size_t *size, size_t from_row,
                      size_t from_slice, size_t to_row, size_t to_slice) {
  if (!from || !to || !size) return false;
  take_three(r->from, from);
  take_three(r->to, to);
  take_three(r->size, size);
  r->from_row = from_row;
  r->from_slice = from_slice;
  r->to_row = to_row;
  r->to_slice = to_slice;
  return true;
}

cl_int clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *at, const size_t *host_at,
                               const size_t *size, size_t row, size_t slice, size_t host_row, size_t host_slice,
                               void *to, cl_uint count, const cl_event *list, cl_event *event) {
  struct copy c = {CL_COMMAND_READ_BUFFER_RECT, m, NULL, NULL, to, {.from = {0}}, blocking};
  if (!to || !take_rect(&c.region, at, host_at, size, row, slice, host_row, host_slice)) return CL_INVALID_VALUE;
  return enqueue(q, &c, count, list, event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *at, const size_t *host_at,
                                const size_t *size, size_t row, size_t slice, size_t host_row, size_t host_slice,
                                const void *from, cl_uint count, const cl_event *list, cl_event *event) {
  struct copy c = {CL_COMMAND_WRITE_BUFFER_RECT, NULL, m, from, NULL, {.from = {0}}, blocking};
  if (!from || !take_rect(&c.region, host_at, at, size, host_row, host_slice, row, slice)) return CL_INVALID_VALUE;
  return enqueue(q, &c, count, list, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_at, const size_t *to_at,
                               const size_t *size, size_t from_row, size_t from_slice, size_t to_row, size_t to_slice,
                               cl_uint count, const cl_event *list, cl_event *event) {
  struct copy c = {CL_COMMAND_COPY_BUFFER_RECT, from, to, NULL, NULL, {.from = {0}}, false};
  if (!take_rect(&c.region, from_at, to_at, size, from_row, from_slice, to_row, to_slice)) return CL_INVALID_VALUE;
  return enqueue(q, &c, count, list, event);
}

static cl_int check_fill(cl_command_queue q, cl_mem m, const void *pattern, size_t n, size_t offset, size_t bytes) {
  if (!ocl_is(q, OCL_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  const cl_int e = ocl_mem_check(m, q);
  if (e != CL_SUCCESS) return e;
  if (!pattern || n == 0 || n > sizeof((cl_event)0)->pattern || (n & (n - 1)) != 0) return CL_INVALID_VALUE;
  if (offset % n != 0 || bytes % n != 0 || bytes == 0) return CL_INVALID_VALUE;
  return offset > m->bytes || bytes > m->bytes - offset ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_int clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void *pattern, size_t n, size_t offset, size_t bytes,
                           cl_uint count, const cl_event *list, cl_event *event) {
  cl_event e;
  ocl_enter();
  cl_int error = check_fill(q, m, pattern, n, offset, bytes);
  if (error == CL_SUCCESS) error = ocl_command(q, CL_COMMAND_FILL_BUFFER, count, list, &e);
  if (error != CL_SUCCESS) return ocl_leave(error);
  e->run = run_fill;
  memcpy(e->pattern, pattern, n);
  e->pattern_bytes = n;
  e->region = plain_region(0, offset, bytes);
  e->to = m;
  ocl_hold(m);
  return ocl_leave(ocl_submit(e, false, event));
}
