/* SPDX-License-Identifier: Apache-2.0
 * Answers to queries. */
#include "firmware/host/opencl/internal.h"

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
