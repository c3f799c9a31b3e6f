/* SPDX-License-Identifier: Apache-2.0
 * usage: silicon SOURCES FOLDER
 * The kernels of tests/silicon/kernels from their OpenCL C, on the inputs that an H200 had: each buffer must equal what
 * it returned, byte for byte. SOURCES holds cases.json and the kernels, FOLDER the files of data.zip. */
#include <jansson.h>

#include "tests/firmware/host/opencl/check.h"

enum { ARGUMENTS = 8 };

static const char *sources, *folder;

/* The caller frees it; one zero more than `bytes` is there. */
static char *contents(const char *where, const char *name, size_t *bytes) {
  char path[1024];
  CHECK(snprintf(path, sizeof path, "%s/%s", where, name) < (int)sizeof path);
  FILE *f = fopen(path, "rb");
  CHECK(f && fseek(f, 0, SEEK_END) == 0);
  const long size = ftell(f);
  CHECK(size > 0 && fseek(f, 0, SEEK_SET) == 0);
  char *all = calloc(1, (size_t)size + 1);
  CHECK(all && fread(all, 1, (size_t)size, f) == (size_t)size);
  CHECK(fclose(f) == 0);
  *bytes = (size_t)size;
  return all;
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  CHECK(text);
  return text;
}

static void set_scalar(cl_kernel k, cl_uint at, const json_t *arg) {
  const char *type = text_of(arg, "scalar");
  CHECK(strcmp(type, "int32") == 0 || strcmp(type, "float32") == 0);
  const cl_uint bits = (cl_uint)strtoul(text_of(arg, "bits"), NULL, 16);
  OK(clSetKernelArg(k, at, sizeof bits, &bits));
}

static cl_mem set_buffer(const struct host *h, cl_kernel k, cl_uint at, const json_t *arg) {
  size_t bytes;
  char *in = contents(folder, text_of(arg, "buffer"), &bytes);
  cl_mem m = host_buffer(h, bytes, in);
  free(in);
  OK(clSetKernelArg(k, at, sizeof m, &m));
  return m;
}

static void compare(const struct host *h, cl_mem m, const char *name) {
  size_t bytes, size;
  char *gold = contents(folder, name, &bytes);
  OK(clGetMemObjectInfo(m, CL_MEM_SIZE, sizeof size, &size, NULL));
  CHECK(size == bytes);
  char *got = malloc(bytes);
  CHECK(got);
  host_read(h, m, bytes, got);
  const bool same = memcmp(gold, got, bytes) == 0;
  printf("%s: %zu bytes %s\n", name, bytes, same ? "equal" : "differ");
  if (!same) exit(1);
  free(gold);
  free(got);
}

static cl_program build(const struct host *h, const char *name) {
  char file[256];
  size_t bytes;
  CHECK(snprintf(file, sizeof file, "%s.cl", name) < (int)sizeof file);
  char *source = contents(sources, file, &bytes);
  cl_program p = host_build(h, source, "");
  free(source);
  return p;
}

static void run(const struct host *h, const json_t *c) {
  const json_t *args = json_object_get(c, "args"), *grid = json_object_get(c, "grid"),
               *block = json_object_get(c, "block");
  const size_t count = json_array_size(args);
  cl_mem m[ARGUMENTS] = {NULL};
  size_t global[3], local[3];
  CHECK(count > 0 && count <= ARGUMENTS);
  cl_program p = build(h, text_of(c, "name"));
  cl_kernel k = host_kernel(p, text_of(c, "kernel"));
  for (cl_uint i = 0; i < count; i++) {
    const json_t *arg = json_array_get(args, i);
    if (json_object_get(arg, "scalar"))
      set_scalar(k, i, arg);
    else
      m[i] = set_buffer(h, k, i, arg);
  }
  for (size_t d = 0; d < 3; d++) {
    local[d] = (size_t)json_integer_value(json_array_get(block, d));
    global[d] = local[d] * (size_t)json_integer_value(json_array_get(grid, d));
  }
  OK(clEnqueueNDRangeKernel(h->queue, k, 3, NULL, global, local, 0, NULL, NULL));
  for (cl_uint i = 0; i < count; i++) {
    const json_t *gold = json_object_get(json_array_get(args, i), "golden");
    if (gold) compare(h, m[i], json_string_value(gold));
  }
  for (cl_uint i = 0; i < count; i++)
    if (m[i]) OK(clReleaseMemObject(m[i]));
  OK(clReleaseKernel(k));
  OK(clReleaseProgram(p));
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  sources = argv[1];
  folder = argv[2];
  size_t bytes;
  char *text = contents(sources, "cases.json", &bytes);
  json_t *list = json_loads(text, 0, NULL);
  const json_t *cases = json_object_get(list, "cases");
  struct host h = host_open(0);
  CHECK(json_array_size(cases) > 0);
  for (size_t i = 0; i < json_array_size(cases); i++) run(&h, json_array_get(cases, i));
  host_close(&h);
  json_decref(list);
  free(text);
  return 0;
}
