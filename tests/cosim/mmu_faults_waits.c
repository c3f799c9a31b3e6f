/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenarios of what waits for pages: several warps and SMs at once, lists of several pages, REPLAY and FAIL,
 * invalidations of what is under way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cosim/mmu_scene.h"

const struct scenario scenarios_of_waits[] = {{NULL, NULL}};
