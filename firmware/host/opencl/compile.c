/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds as hosts ask for them, and their options: words as a shell splits them, and which of them OpenCL knows. */
#include <stdlib.h>
#include <string.h>
#include "firmware/host/opencl/internal.h"

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* One word from *text on, into `to`, which has room for it. */
static const char *take_shell_word(const char *text, char *to) {
  char quote = '\0';
  for (; *text && (quote || !is_space(*text)); text++) {
    if (quote && *text == quote)
      quote = '\0';
    else if (!quote && (*text == '"' || *text == '\''))
      quote = *text;
    else if (*text == '\\' && quote != '\'' && text[1] != '\0' && strchr("\\\"' ", text[1]))
      *to++ = *++text;
    else
      *to++ = *text;
  }
  *to = '\0';
  return text;
}

bool ocl_options_split(const char *text, struct ocl_words *w) {
  const size_t n = text ? strlen(text) : 0;
  *w = (struct ocl_words){NULL, 0};
  /* Pointers first, words behind them: no more than every second character begins one. */
  w->at = malloc((n / 2 + 2) * sizeof(char *) + n + 1);
  if (!w->at) return false;
  char *to = (char *)(w->at + n / 2 + 2);
  for (const char *p = text; p;) {
    while (is_space(*p)) p++;
    if (*p == '\0') break;
    w->at[w->count++] = to;
    p = take_shell_word(p, to);
    to += strlen(to) + 1;
  }
  w->at[w->count] = NULL;
  return true;
}

void ocl_words_free(struct ocl_words *w) {
  free(w->at);
  w->at = NULL;
  w->count = 0;
}

static bool is_one_of(const char *word, const char *const *all) {
  for (; *all; all++)
    if (strcmp(word, *all) == 0) return true;
  return false;
}

static const char *const numbers[] = {"-cl-denorms-are-zero",
                                      "-cl-no-signed-zeros",
                                      "-cl-unsafe-math-optimizations",
                                      "-cl-finite-math-only",
                                      "-cl-fast-relaxed-math",
                                      "-cl-mad-enable",
                                      NULL};

static bool ocl_options_compile(const struct ocl_words *w) {
  static const char *const plain[] = {"-cl-single-precision-constant",
                                      "-cl-fp32-correctly-rounded-divide-sqrt",
                                      "-cl-opt-disable",
                                      "-cl-strict-aliasing",
                                      "-cl-uniform-work-group-size",
                                      "-cl-no-subgroup-ifp",
                                      "-cl-kernel-arg-info",
                                      "-cl-std=CL1.0",
                                      "-cl-std=CL1.1",
                                      "-cl-std=CL1.2",
                                      "-cl-std=CL2.0",
                                      "-cl-std=CL3.0",
                                      "-w",
                                      "-Werror",
                                      "-g",
                                      "-O0",
                                      "-O1",
                                      "-O2",
                                      "-O3",
                                      NULL};
  for (size_t i = 0; i < w->count; i++) {
    const char *o = w->at[i];
    if (is_one_of(o, plain) || is_one_of(o, numbers)) continue;
    if (o[0] != '-' || (o[1] != 'D' && o[1] != 'I')) return false;
    if (o[2] == '\0' && ++i == w->count) return false; /* its value is the next word */
  }
  return true;
}

static bool ocl_options_link(const struct ocl_words *w) {
  static const char *const plain[] = {"-create-library", "-enable-link-options", NULL};
  for (size_t i = 0; i < w->count; i++)
    if (!is_one_of(w->at[i], plain) && !is_one_of(w->at[i], numbers)) return false;
  return true;
}

/* clBuildProgram, clCompileProgram, clLinkProgram: for each device, one after the other, before they return. */

typedef void(CL_CALLBACK *notify)(cl_program, void *);

struct work { /* what one of the three does for a device; without the lock */
  const char *source, *options;
  const struct ocl_header *headers;
  cl_uint count;
  cl_uint inputs; /* of a link */
  const cl_program *input;
  enum { BUILD, COMPILE, LINK } what;
};

/* An executable from the object in b, which becomes it. */
static bool link_alone(cl_device_id d, struct ocl_build *b) {
  struct ocl_build whole = {.status = CL_BUILD_NONE};
  const struct text *object = &b->body;
  const bool well = ocl_clang_link(d, &object, 1, b->options, false, &whole);
  text_free(&b->body);
  b->body = whole.body;
  b->meta = whole.meta;
  b->type = whole.type;
  if (whole.log.at) (void)text_put(&b->log, whole.log.at);
  text_free(&whole.log);
  return well;
}

static bool link_objects(cl_device_id d, const struct work *w, struct ocl_build *b) {
  const struct text **objects = calloc(w->inputs, sizeof *objects);
  const bool library = b->options && strstr(b->options, "-create-library");
  if (!objects) return false;
  for (cl_uint i = 0; i < w->inputs; i++) objects[i] = &ocl_build_of(w->input[i], d)->body;
  bool well = ocl_clang_link(d, objects, w->inputs, b->options, library, b);
  if (well && !library) well = ocl_build_finish(d, b);
  free(objects);
  return well;
}

static bool make_build(cl_device_id d, const struct work *w, struct ocl_build *b) {
  if (w->what == LINK) return link_objects(d, w, b);
  if (w->source && !ocl_clang_compile(d, w->source, b->options, w->headers, w->count, b)) return false;
  if (w->what == COMPILE) return true;
  if (b->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE && !link_alone(d, b)) return false;
  return ocl_build_finish(d, b);
}

/* Of source nothing is left, of a binary what it says: *next is what is built from. */
static bool begin_build(cl_program p, struct ocl_build *b, cl_device_id d, const char *options,
                        struct ocl_build *next) {
  *next = (struct ocl_build){.status = CL_BUILD_NONE};
  if (p->of_binary) {
    next->type = b->type;
    next->body = b->body;
    next->meta = b->meta;
    b->body = b->meta = (struct text){0};
  }
  ocl_build_clear(b, d);
  b->status = CL_BUILD_IN_PROGRESS;
  next->options = options ? strdup(options) : NULL;
  return !options || next->options;
}

static cl_int work_for(cl_program p, cl_uint n, const cl_device_id *devices, const struct work *w) {
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < n; i++) {
    struct ocl_build *b = ocl_build_of(p, devices[i]), next;
    bool well = begin_build(p, b, devices[i], w->options, &next);
    ocl_unlock();
    well = well && make_build(devices[i], w, &next);
    ocl_enter();
    *b = next;
    b->status = well ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    if (well) continue;
    b->type = CL_PROGRAM_BINARY_TYPE_NONE;
    error = w->what == BUILD     ? CL_BUILD_PROGRAM_FAILURE
            : w->what == COMPILE ? CL_COMPILE_PROGRAM_FAILURE
                                 : CL_LINK_PROGRAM_FAILURE;
  }
  return error;
}

/* ---- checked */

static cl_int check_devices(cl_program p, cl_uint *n, const cl_device_id **devices) {
  if ((*n > 0) != (*devices != NULL)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < *n; i++)
    if (!ocl_build_of(p, (*devices)[i])) return CL_INVALID_DEVICE;
  if (*devices) return CL_SUCCESS;
  *n = p->devices;
  *devices = p->device;
  return CL_SUCCESS;
}

static cl_int check_options(const char *options, bool link, cl_int invalid) {
  struct ocl_words w;
  if (!ocl_options_split(options, &w)) return CL_OUT_OF_HOST_MEMORY;
  const bool well = link ? ocl_options_link(&w) : ocl_options_compile(&w);
  ocl_words_free(&w);
  return well ? CL_SUCCESS : invalid;
}

/* Is there something to build, and nobody who uses what was built? */
static cl_int check_program(cl_program p, notify f, void *data) {
  if (!ocl_is(p, OCL_PROGRAM)) return CL_INVALID_PROGRAM;
  if (!f && data) return CL_INVALID_VALUE;
  return p->busy || p->kernels > 0 ? CL_INVALID_OPERATION : CL_SUCCESS;
}

/* Has the lock; returns without. */
static cl_int finish_work(cl_program p, cl_uint n, const cl_device_id *devices, const struct work *w, notify f,
                          void *data) {
  p->busy = true;
  ocl_hold(p);
  const cl_int e = work_for(p, n, devices, w);
  p->busy = false;
  (void)ocl_leave(e);
  if (f) f(p, data);
  ocl_enter();
  ocl_drop(p);
  return ocl_leave(e);
}

cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *devices, const char *options, notify f, void *data) {
  ocl_enter();
  cl_int e = check_program(p, f, data);
  if (e == CL_SUCCESS) e = check_devices(p, &n, &devices);
  if (e == CL_SUCCESS) e = check_options(options, false, CL_INVALID_BUILD_OPTIONS);
  if (e == CL_SUCCESS && !p->source && !p->of_binary) e = CL_INVALID_OPERATION;
  if (e != CL_SUCCESS) return ocl_leave(e);
  const struct work w = {.source = p->source, .options = options, .what = BUILD};
  return finish_work(p, n, devices, &w, f, data);
}

cl_int clCompileProgram(cl_program p, cl_uint n, const cl_device_id *devices, const char *options, cl_uint count,
                        const cl_program *headers, const char **names, notify f, void *data) {
  struct ocl_header *list = NULL;
  ocl_enter();
  cl_int e = check_program(p, f, data);
  if (e == CL_SUCCESS) e = check_devices(p, &n, &devices);
  if (e == CL_SUCCESS && ((count > 0) != (headers != NULL) || (count > 0) != (names != NULL))) e = CL_INVALID_VALUE;
  if (e == CL_SUCCESS) e = check_options(options, false, CL_INVALID_COMPILER_OPTIONS);
  if (e == CL_SUCCESS && !p->source) e = CL_INVALID_OPERATION;
  for (cl_uint i = 0; e == CL_SUCCESS && i < count; i++)
    if (!ocl_is(headers[i], OCL_PROGRAM) || !headers[i]->source || !names[i]) e = CL_INVALID_PROGRAM;
  if (e == CL_SUCCESS && count > 0 && !(list = calloc(count, sizeof *list))) e = CL_OUT_OF_HOST_MEMORY;
  if (e != CL_SUCCESS) return ocl_leave(e);
  for (cl_uint i = 0; i < count; i++) {
    list[i] = (struct ocl_header){names[i], headers[i]->source};
    ocl_hold(headers[i]);
  }
  const struct work w = {.source = p->source, .options = options, .headers = list, .count = count, .what = COMPILE};
  e = finish_work(p, n, devices, &w, f, data);
  ocl_enter();
  for (cl_uint i = 0; i < count; i++) ocl_drop(headers[i]);
  free(list);
  return ocl_leave(e);
}

/* ---- links */

static bool is_object(const struct ocl_build *b) {
  return b && b->body.at &&
         (b->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || b->type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
}

/* Devices for which all of them have an object; some and not all is an error. */
static cl_int choose_devices(const cl_program *input, cl_uint inputs, cl_uint n, const cl_device_id *devices,
                             cl_device_id *chosen, cl_uint *count) {
  *count = 0;
  for (cl_uint i = 0; i < n; i++) {
    cl_uint have = 0;
    for (cl_uint k = 0; k < inputs; k++) have += is_object(ocl_build_of(input[k], devices[i]));
    if (have > 0 && have < inputs) return CL_INVALID_OPERATION;
    if (have == inputs) chosen[(*count)++] = devices[i];
  }
  return *count > 0 ? CL_SUCCESS : CL_INVALID_OPERATION;
}

static cl_int check_link(cl_context c, cl_uint n, const cl_device_id *devices, const char *options, cl_uint inputs,
                         const cl_program *input, notify f, void *data) {
  if (!ocl_is(c, OCL_CONTEXT)) return CL_INVALID_CONTEXT;
  if ((n > 0) != (devices != NULL) || inputs == 0 || !input || (!f && data)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < n; i++)
    if (!ocl_has_device(c, devices[i])) return CL_INVALID_DEVICE;
  for (cl_uint i = 0; i < inputs; i++)
    if (!ocl_is(input[i], OCL_PROGRAM) || input[i]->context != c) return CL_INVALID_PROGRAM;
  return check_options(options, true, CL_INVALID_LINKER_OPTIONS);
}

cl_program clLinkProgram(cl_context c, cl_uint n, const cl_device_id *devices, const char *options, cl_uint inputs,
                         const cl_program *input, notify f, void *data, cl_int *error) {
  cl_device_id chosen[OCL_DEVICES_MAX];
  cl_uint count = 0;
  cl_program p = NULL;
  ocl_enter();
  cl_int e = check_link(c, n, devices, options, inputs, input, f, data);
  if (e == CL_SUCCESS)
    e = choose_devices(input, inputs, n > 0 ? n : c->devices, n > 0 ? devices : c->device, chosen, &count);
  if (e == CL_SUCCESS && !(p = ocl_program_new(c, count, chosen))) e = CL_OUT_OF_HOST_MEMORY;
  if (e != CL_SUCCESS) {
    if (error) *error = e;
    (void)ocl_leave(e);
    return NULL;
  }
  for (cl_uint i = 0; i < inputs; i++) ocl_hold(input[i]);
  const struct work w = {.options = options, .inputs = inputs, .input = input, .what = LINK};
  e = finish_work(p, count, chosen, &w, f, data);
  ocl_enter();
  for (cl_uint i = 0; i < inputs; i++) ocl_drop(input[i]);
  if (error) *error = e;
  (void)ocl_leave(e);
  return p;
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
  return platform == &ocl_platform ? CL_SUCCESS : CL_INVALID_PLATFORM; /* it ends by itself */
}

cl_int clUnloadCompiler(void) {
  return CL_SUCCESS;
}
