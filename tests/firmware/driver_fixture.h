/* SPDX-License-Identifier: Apache-2.0
 *
 * The host driver on the model behind the register map: a context with the program of driver_program.h. */
#ifndef HEDDLE_TEST_DRIVER_FIXTURE_H
#define HEDDLE_TEST_DRIVER_FIXTURE_H

#include "tests/firmware/driver_program.h"
#include <heddle/driver.h>
#include "cosim/platform/platform.h"

enum { MEMORY = 1 << 20 };

struct fixture {
  struct model_port *model;
  struct heddle_port port;
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_context *context;
  struct heddle_module *module;
  uint8_t *elf;
  size_t elf_bytes;
};

int open_roomy(void **state);
int open_tiny(void **state); /* 4 lanes, 4 warps, 256 registers, 8 KiB of shared memory, no local memory */
int close_all(void **state);

/* Each fails the running test when it does not succeed. */
struct heddle_function *function(const struct fixture *f, const char *name);
uint64_t space(const struct fixture *f, uint64_t bytes);
uint64_t free_bytes(const struct fixture *f);
uint32_t word_at(const struct fixture *f, uint64_t at);
void must_say(const struct fixture *f, const char *words); /* the last failure */

#define OK(call) assert_int_equal(call, HEDDLE_SUCCESS)
#define ONE ((struct heddle_size){1, 1, 1})
#define SIZE(x, y, z) ((struct heddle_size){x, y, z})
#define ROOMY(t) cmocka_unit_test_setup_teardown(t, open_roomy, close_all)
#define TINY(t) cmocka_unit_test_setup_teardown(t, open_tiny, close_all)

#endif
