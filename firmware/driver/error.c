/* SPDX-License-Identifier: Apache-2.0
 * Errors in words. */
#include <stdarg.h>
#include <stdio.h>

#include "internal.h"

const char *heddle_error_string(enum heddle_error e) {
  static const char *const text[] = {
      [HEDDLE_SUCCESS] = "success",
      [HEDDLE_ERROR_INVALID_VALUE] = "an argument is not valid",
      [HEDDLE_ERROR_HOST_MEMORY] = "the host has no memory left",
      [HEDDLE_ERROR_OUT_OF_MEMORY] = "the device has no memory left",
      [HEDDLE_ERROR_NO_DEVICE] = "no such device",
      [HEDDLE_ERROR_DEVICE_BUSY] = "the device is in use",
      [HEDDLE_ERROR_WRONG_DEVICE] = "no Heddle of this version and instruction set",
      [HEDDLE_ERROR_BUS] = "the device does not answer",
      [HEDDLE_ERROR_FILE] = "the file cannot be read",
      [HEDDLE_ERROR_INVALID_IMAGE] = "no program of this instruction set",
      [HEDDLE_ERROR_NOT_FOUND] = "nothing has this name",
      [HEDDLE_ERROR_INVALID_ADDRESS] = "the address range lies in no allocation",
      [HEDDLE_ERROR_LAUNCH_SHAPE] = "grid or block sizes are not possible",
      [HEDDLE_ERROR_LAUNCH_LIMITS] = "a block needs more than the device has",
      [HEDDLE_ERROR_NOT_SUPPORTED] = "the kernel needs what the device lacks",
      [HEDDLE_ERROR_TOO_FRAGMENTED] = "allocations lie between code: too many regions",
      [HEDDLE_ERROR_NOT_READY] = "the grid runs",
      [HEDDLE_ERROR_TIMEOUT] = "the grid did not end in time",
      [HEDDLE_ERROR_TRAPPED] = "the program trapped",
      [HEDDLE_ERROR_REFUSED] = "the device refuses the launch",
  };
  return (unsigned)e < sizeof text / sizeof *text ? text[e] : "unknown error";
}

enum heddle_error driver_fail(struct heddle_context *c, enum heddle_error e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(c->message, sizeof c->message, format, ap);
  va_end(ap);
  return e;
}
