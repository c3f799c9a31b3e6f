/* SPDX-License-Identifier: Apache-2.0
 * Errors in words. */
#include <heddle/error.h>

const char *heddle_error_text(enum heddle_error e) {
  static const char *const text[HEDDLE_ERRORS_ALL] = {
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
      [HEDDLE_ERROR_LIMIT] = "a limit, or nothing can go on",
      [HEDDLE_ERROR_UNDEFINED] = "the program reads what nobody wrote",
      [HEDDLE_ERROR_PENDING] = "a result is not there yet",
      [HEDDLE_ERROR_STATE] = "not possible in this state",
      [HEDDLE_ERROR_DIFFERENCE] = "hardware and model differ",
      [HEDDLE_ERROR_FAULTS] = "pages are waited for",
  };
  return (unsigned)e < HEDDLE_ERRORS_ALL ? text[e] : "unknown error";
}
