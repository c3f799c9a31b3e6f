/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX as a module of the driver: compiled, when it is loaded, for the units and latencies of the device that is there.
 * Part of libheddle-sim, which has the compiler; the board may be any. */
#ifndef HEDDLE_MODULE_PTX_H
#define HEDDLE_MODULE_PTX_H

#include <heddle/driver.h>
#include <heddle/ptx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As heddle_module_load_data, of `bytes` of PTX text (no 0 is needed behind it). `name` is the file in messages;
 * NULL: "ptx". `more`: options; target, units, stall and fp64_latency are always the device's. NULL: level 1, no
 * other. INVALID_IMAGE: it cannot be compiled; heddle_context_message has the first error with its line, and
 * more->message receives all. A unit that the device lacks, and no other instruction replaces, is refused at the
 * launch (heddle_function_lack). */
HEDDLE_API enum heddle_error heddle_module_load_ptx(struct heddle_context *c, const char *text, size_t bytes,
                                                    const char *name, const struct heddle_ptx_options *more,
                                                    struct heddle_module **out);

#ifdef __cplusplus
}
#endif

#endif
