/* SPDX-License-Identifier: Apache-2.0
 * Buffers: parts, copies, rectangles, patterns, maps; each compared with what the host computes. */
#include "tests/firmware/host/opencl/check.h"

enum { N = 4096 };

static unsigned random_state = 1;
static unsigned draw(unsigned below) {
  random_state = random_state * 1103515245u + 12345u;
  return (random_state >> 8) % below;
}

/* A hundred copies of all kinds over two buffers, and the same on two arrays. */
static void rectangles(const struct host *h) {
  static uint8_t a[N], b[N], got[N];
  for (unsigned i = 0; i < N; i++) a[i] = (uint8_t)draw(256);
  for (unsigned i = 0; i < N; i++) b[i] = (uint8_t)draw(256);
  cl_mem from = host_buffer(h, N, a), to = host_buffer(h, N, b);
  for (unsigned round = 0; round < 100; round++) {
    size_t size[3], at[3], where[3];
    const size_t row = 16 + draw(8), slice = row * (8 + draw(3)), to_row = 16 + draw(8), to_slice = to_row * 8;
    for (unsigned d = 0; d < 3; d++) {
      size[d] = 1 + draw(d == 0 ? 12 : 6);
      at[d] = draw(d == 0 ? 4 : 3);
      where[d] = draw(d == 0 ? 4 : 3);
    }
    if (round % 3 == 0)
      OK(clEnqueueCopyBufferRect(h->queue, from, to, at, where, size, row, slice, to_row, to_slice, 0, NULL, NULL));
    if (round % 3 == 1)
      OK(clEnqueueWriteBufferRect(h->queue, to, CL_TRUE, where, at, size, to_row, to_slice, row, slice, a, 0, NULL,
                                  NULL));
    if (round % 3 == 2) {
      OK(clEnqueueReadBufferRect(h->queue, from, CL_TRUE, at, where, size, row, slice, to_row, to_slice, b, 0, NULL,
                                 NULL));
      OK(clEnqueueWriteBuffer(h->queue, to, CL_FALSE, 0, N, b, 0, NULL, NULL));
    } else {
      for (size_t z = 0; z < size[2]; z++)
        for (size_t y = 0; y < size[1]; y++)
          memcpy(b + where[0] + (where[1] + y) * to_row + (where[2] + z) * to_slice,
                 a + at[0] + (at[1] + y) * row + (at[2] + z) * slice, size[0]);
    }
    host_read(h, to, N, got);
    CHECK(memcmp(got, b, N) == 0);
  }
  OK(clReleaseMemObject(from));
  OK(clReleaseMemObject(to));
}

static void fills(const struct host *h) {
  static uint8_t want[N], got[N];
  cl_mem m = host_buffer(h, N, want);
  for (size_t n = 1; n <= 128; n *= 2) {
    uint8_t pattern[128];
    const size_t at = 2 * n, bytes = (N - at) / n * n;
    for (size_t i = 0; i < n; i++) pattern[i] = (uint8_t)draw(256);
    for (size_t i = 0; i < bytes; i++) want[at + i] = pattern[i % n];
    OK(clEnqueueFillBuffer(h->queue, m, pattern, n, at, bytes, 0, NULL, NULL));
    host_read(h, m, N, got);
    CHECK(memcmp(got, want, N) == 0);
  }
  IS(clEnqueueFillBuffer(h->queue, m, want, 3, 0, 3, 0, NULL, NULL), CL_INVALID_VALUE);
  IS(clEnqueueFillBuffer(h->queue, m, want, 4, 2, 4, 0, NULL, NULL), CL_INVALID_VALUE);
  OK(clReleaseMemObject(m));
}

static void parts(const struct host *h) {
  static uint8_t bytes[N], got[N];
  cl_int e;
  size_t size;
  cl_mem parent;
  for (unsigned i = 0; i < N; i++) bytes[i] = (uint8_t)i;
  cl_mem m = host_buffer(h, N, bytes);
  const cl_buffer_region region = {1024, 512}, bent = {100, 512}, beyond = {3968, 512};
  cl_mem part = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &e);
  OK(e);
  CHECK(!clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &bent, &e) && e == CL_MISALIGNED_SUB_BUFFER_OFFSET);
  CHECK(!clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &beyond, &e) && e == CL_INVALID_VALUE);
  CHECK(!clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &e) && e == CL_INVALID_MEM_OBJECT);
  OK(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof size, &size, NULL));
  CHECK(size == 1024);
  OK(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
  CHECK(parent == m);
  host_read(h, part, 512, got);
  CHECK(memcmp(got, bytes + 1024, 512) == 0);
  OK(clReleaseMemObject(m)); /* its part keeps it */
  memset(bytes + 1024, 0xab, 512);
  OK(clEnqueueWriteBuffer(h->queue, part, CL_TRUE, 0, 512, bytes + 1024, 0, NULL, NULL));
  host_read(h, part, 512, got);
  CHECK(memcmp(got, bytes + 1024, 512) == 0);
  IS(clEnqueueCopyBuffer(h->queue, part, part, 0, 8, 16, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
  IS(clEnqueueReadBuffer(h->queue, part, CL_TRUE, 500, 13, got, 0, NULL, NULL), CL_INVALID_VALUE);
  OK(clReleaseMemObject(part));
}

/* Within one buffer: rows that come after each other without a gap, so that they wrap; then the same two meeting. */
static void rectangle_beside_itself(const struct host *h) {
  enum { ROW = 14, SLICE = 322, ALL = 102 * SLICE };
  static uint8_t bytes[ALL], want[ALL], got[ALL];
  const size_t from[3] = {50, 7, 80}, to[3] = {35, 15, 73}, near[3] = {50, 8, 80}, size[3] = {ROW, 6, 21};
  for (unsigned i = 0; i < ALL; i++) want[i] = bytes[i] = (uint8_t)(i * 11 + i / 256);
  for (size_t z = 0; z < 21; z++)
    for (size_t y = 0; y < 6; y++)
      memcpy(want + (73 + z) * SLICE + (15 + y) * ROW + 35, bytes + (80 + z) * SLICE + (7 + y) * ROW + 50, ROW);
  cl_mem m = host_buffer(h, ALL, bytes);
  OK(clEnqueueCopyBufferRect(h->queue, m, m, from, to, size, 0, SLICE, 0, SLICE, 0, NULL, NULL));
  IS(clEnqueueCopyBufferRect(h->queue, m, m, from, near, size, 0, SLICE, 0, SLICE, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
  host_read(h, m, ALL, got);
  CHECK(memcmp(got, want, ALL) == 0);
  OK(clReleaseMemObject(m));
}

static void maps(const struct host *h) {
  static uint8_t bytes[N], got[N], own[N];
  cl_int e;
  cl_uint count;
  cl_mem m = host_buffer(h, N, bytes);
  uint8_t *at = clEnqueueMapBuffer(h->queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 256, 1024, 0, NULL, NULL, &e);
  OK(e);
  uint8_t *other = clEnqueueMapBuffer(h->queue, m, CL_TRUE, CL_MAP_READ, 512, 16, 0, NULL, NULL, &e);
  OK(e);
  CHECK(other == at + 256);
  OK(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
  CHECK(count == 2);
  for (unsigned i = 0; i < 1024; i++) at[i] = (uint8_t)(i * 7);
  OK(clEnqueueUnmapMemObject(h->queue, m, other, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(h->queue, m, at, 0, NULL, NULL));
  IS(clEnqueueUnmapMemObject(h->queue, m, at, 0, NULL, NULL), CL_INVALID_VALUE);
  host_read(h, m, N, got);
  for (unsigned i = 0; i < N; i++) CHECK(got[i] == (i >= 256 && i < 1280 ? (uint8_t)((i - 256) * 7) : 0));
  OK(clReleaseMemObject(m));
  /* Of the host's memory: the map is there. */
  m = clCreateBuffer(h->context, CL_MEM_USE_HOST_PTR, N, own, &e);
  OK(e);
  OK(clEnqueueFillBuffer(h->queue, m, "x", 1, 0, N, 0, NULL, NULL));
  at = clEnqueueMapBuffer(h->queue, m, CL_TRUE, CL_MAP_READ, 0, N, 0, NULL, NULL, &e);
  OK(e);
  CHECK(at == own && own[0] == 'x' && own[N - 1] == 'x');
  OK(clEnqueueUnmapMemObject(h->queue, m, at, 0, NULL, NULL));
  OK(clFinish(h->queue));
  OK(clReleaseMemObject(m));
}

static void access_of_host(const struct host *h) {
  cl_int e;
  uint8_t b[16];
  cl_mem m = clCreateBuffer(h->context, CL_MEM_HOST_READ_ONLY, 16, NULL, &e);
  OK(e);
  IS(clEnqueueWriteBuffer(h->queue, m, CL_TRUE, 0, 16, b, 0, NULL, NULL), CL_INVALID_OPERATION);
  CHECK(!clEnqueueMapBuffer(h->queue, m, CL_TRUE, CL_MAP_WRITE, 0, 16, 0, NULL, NULL, &e) && e == CL_INVALID_OPERATION);
  OK(clReleaseMemObject(m));
  m = clCreateBuffer(h->context, CL_MEM_HOST_NO_ACCESS, 16, NULL, &e);
  OK(e);
  IS(clEnqueueReadBuffer(h->queue, m, CL_TRUE, 0, 16, b, 0, NULL, NULL), CL_INVALID_OPERATION);
  OK(clReleaseMemObject(m));
  CHECK(!clCreateBuffer(h->context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL, &e) && e == CL_INVALID_VALUE);
  CHECK(!clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, 16, NULL, &e) && e == CL_INVALID_HOST_PTR);
  CHECK(!clCreateBuffer(h->context, 0, 16, b, &e) && e == CL_INVALID_HOST_PTR);
}

static void CL_CALLBACK gone(cl_mem m, void *data) {
  (void)m;
  char *text = data;
  text[strlen(text)] = (char)('1' + strlen(text));
}

static void CL_CALLBACK gone_first(cl_mem m, void *data) {
  (void)m;
  strcat(data, "f");
}

static void destructors(const struct host *h) {
  char text[8] = "";
  cl_mem m = host_buffer(h, 16, NULL);
  OK(clSetMemObjectDestructorCallback(m, gone, text));
  OK(clSetMemObjectDestructorCallback(m, gone_first, text));
  OK(clReleaseMemObject(m));
  CHECK(strcmp(text, "f2") == 0);
}

int main(void) {
  struct host h = host_open(0);
  rectangles(&h);
  fills(&h);
  parts(&h);
  rectangle_beside_itself(&h);
  maps(&h);
  access_of_host(&h);
  destructors(&h);
  host_close(&h);
  puts("memory: well");
  return 0;
}
