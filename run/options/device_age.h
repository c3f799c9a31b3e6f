/* SPDX-License-Identifier: Apache-2.0
 *
 * A device that is older than the RTL shows what the RTL was. */
#ifndef HEDDLE_DEVICE_AGE_H
#define HEDDLE_DEVICE_AGE_H

#include "run/options/options.h"

/* A warning if a file of the source tree's rtl/ is newer than the device that these options choose, which is one of
 * ours. Nothing where no source tree belongs to this program: in an installation. */
void device_age_tell(const struct run_options *o);

#endif
