/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenarios of launches one behind the other: what the first has left, the second must not find.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cosim/mmu_scene.h"

const struct scenario scenarios_of_launches[] = {{NULL, NULL}};
