/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/: a core of somebody else's as a device.
 */
#ifndef HEDDLE_CORE_DEVICE_H
#define HEDDLE_CORE_DEVICE_H

#include "heddle/config.h"
#include "heddle/core.h"
#include "heddle/device.h"

extern const struct device_ops core_device_ops;

/* For core_device_ops. NULL: no memory, or the core refuses the options. */
void *core_device_new(const struct heddle_core_ops *core, const struct device_options *o);
void core_config(const struct heddle_core *c, struct heddle_config *out); /* its name is borrowed */
void core_device_info(const struct heddle_core_ops *core, struct device_info *out);

#endif
