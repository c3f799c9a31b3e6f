// SPDX-License-Identifier: Apache-2.0
// Included before everything of Verilator's runtime: messages of the RTL go to stderr (results own stdout), and not at
// all while the device is reset, when registers still hold anything.
#ifndef HEDDLE_VL_PRINT_H
#define HEDDLE_VL_PRINT_H
int heddle_vl_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define VL_PRINTF heddle_vl_print
#endif
