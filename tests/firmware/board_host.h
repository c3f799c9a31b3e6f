/* SPDX-License-Identifier: Apache-2.0
 *
 * A host on a board by name, for tests of heddle/sim.h; each call fails the running test when it does not succeed. */
#ifndef HEDDLE_TEST_BOARD_HOST_H
#define HEDDLE_TEST_BOARD_HOST_H

#include <heddle/driver.h>
#include <heddle/sim.h>

#define OK(call) assert_int_equal(call, HEDDLE_SUCCESS)

struct host {
  struct heddle_sim *sim;
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_context *context;
  struct heddle_module *module; /* of driver_program */
  uint64_t out;                 /* 768 bytes, zeros */
};

struct host host_open(const char *name); /* NULL: as the environment says. Reports are not printed */
void host_over(struct host *h, const struct heddle_port *port); /* the driver again, over this port */
void host_close(struct host *h);
struct heddle_function *host_function(const struct host *h, const char *name);
/* fill(out, value) of 3 blocks of 64 threads, until it has ended. */
enum heddle_error host_fill(const struct host *h, uint32_t value);
uint32_t host_word(const struct host *h, uint64_t at);
uint64_t host_cycles(const struct host *h); /* of the last grid */
/* HEDDLE_BOARD, HEDDLE_SEED, HEDDLE_STATS; NULL: not set. */
void host_environment(const char *board, const char *seed, const char *stats);

#endif
