/* SPDX-License-Identifier: Apache-2.0
 * What calls leave behind: words, structs. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "firmware/driver/internal.h"

enum heddle_error driver_fail(struct heddle_context *c, enum heddle_error e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(c->message, sizeof c->message, format, ap);
  va_end(ap);
  return e;
}

enum heddle_error heddle_context_fail(struct heddle_context *c, enum heddle_error e, const char *words) {
  return c && words ? driver_fail(c, e, "%s", words) : HEDDLE_ERROR_INVALID_VALUE;
}

enum heddle_error driver_give_out(void *out, size_t bytes, const void *from, size_t from_bytes) {
  memset(out, 0, bytes);
  memcpy(out, from, bytes < from_bytes ? bytes : from_bytes);
  return HEDDLE_SUCCESS;
}
