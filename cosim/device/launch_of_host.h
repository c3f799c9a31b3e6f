/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/: a launch from its registers, for devices behind them other than our RTL (docs/how-a-launch-travels.md,
 * C 4).
 */
#ifndef HEDDLE_LAUNCH_OF_HOST_H
#define HEDDLE_LAUNCH_OF_HOST_H

#include <heddle/host.h>
#include <heddle/model.h>

/* The bytes of memory that begin at an address; NULL: they are not all there. */
typedef const uint8_t *(*launch_memory)(void *self, uint64_t addr, uint64_t bytes);

/* Code and constants stay where `at` finds them. Fields without a register (units, errors) are 0. False: some of
 * them are outside of memory, which is a bus error in hardware. */
bool launch_of_host(const struct heddle_host_launch *from, launch_memory at, void *self, struct heddle_launch *l);

#endif
