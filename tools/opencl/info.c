/* SPDX-License-Identifier: Apache-2.0
 * Answers to queries. */
#include "tools/opencl/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_int ocl_answer(const struct ocl_answer *a, const void *value, size_t bytes) {
  if (a->to && a->room < bytes) return CL_INVALID_VALUE;
  if (a->to && bytes > 0) memcpy(a->to, value, bytes);
  if (a->bytes) *a->bytes = bytes;
  return CL_SUCCESS;
}

cl_int ocl_answer_uint(const struct ocl_answer *a, cl_uint v) {
  return ocl_answer(a, &v, sizeof v);
}

cl_int ocl_answer_ulong(const struct ocl_answer *a, cl_ulong v) {
  return ocl_answer(a, &v, sizeof v);
}

cl_int ocl_answer_size(const struct ocl_answer *a, size_t v) {
  return ocl_answer(a, &v, sizeof v);
}

cl_int ocl_answer_text(const struct ocl_answer *a, const char *text) {
  return ocl_answer(a, text, strlen(text) + 1);
}

cl_int ocl_answer_pointer(const struct ocl_answer *a, const void *p) {
  return ocl_answer(a, &p, sizeof p);
}

void ocl_say(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  (void)fflush(stdout);
  fputs("heddle-opencl: ", stderr);
  vfprintf(stderr, format, ap);
  fputc('\n', stderr);
  va_end(ap);
}

/* ---- text that grows */

bool ocl_text_add(struct ocl_text *t, const char *from, size_t bytes) {
  if (bytes > SIZE_MAX / 4 || t->bytes > SIZE_MAX / 4) return false;
  if (t->bytes + bytes + 1 > t->room) {
    const size_t room = 2 * (t->bytes + bytes) + 64;
    char *more = realloc(t->at, room);
    if (!more) return false;
    t->at = more;
    t->room = room;
  }
  if (bytes > 0) memcpy(t->at + t->bytes, from, bytes);
  t->bytes += bytes;
  t->at[t->bytes] = '\0';
  return true;
}

bool ocl_text_put(struct ocl_text *t, const char *text) {
  return ocl_text_add(t, text, strlen(text));
}

void ocl_text_free(struct ocl_text *t) {
  free(t->at);
  *t = (struct ocl_text){0};
}
