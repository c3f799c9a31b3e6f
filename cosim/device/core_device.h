/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/: another project's core as a device.
 */
#ifndef HEDDLE_CORE_DEVICE_H
#define HEDDLE_CORE_DEVICE_H

#include <heddle/config.h>
#include <heddle/core.h>
#include <heddle/device.h>

extern const struct heddle_dut_ops core_device_ops;

/* Its declaration, in the form of all other devices. INVALID_VALUE: such a core is impossible. */
enum heddle_error core_declared(const struct heddle_core_ops *core, struct heddle_core *out,
                                struct heddle_message *msg);
void core_config(const struct heddle_core *c, struct heddle_config *out); /* its name is borrowed */
void core_device_info(const struct heddle_core *c, struct heddle_dut_info *out);
/* For core_device_ops. NULL: no memory, or the core refuses the options. */
void *core_device_new(const struct heddle_core_ops *ops, const struct heddle_core *c,
                      const struct heddle_dut_options *o);

#endif
