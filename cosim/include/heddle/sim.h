/* SPDX-License-Identifier: Apache-2.0
 *
 * Boards that this machine simulates, or that hang on it, as ports for the host driver (heddle/driver.h). */
#ifndef HEDDLE_SIM_H
#define HEDDLE_SIM_H

#include <stddef.h>

#include <heddle/api.h>
#include <heddle/error.h>
#include <heddle/port.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_sim_options {
  size_t size;      /* sizeof(struct heddle_sim_options) */
  const char *name; /* "model": the reference model as a roomy machine; "model:NAME": with the sizes of a configuration;
                     * "rtl:NAME", "systemc:NAME": simulated hardware, calm memory;
                     * "board:tty:PATH[:BAUD]": a board on a serial device; "board:sim:PROGRAM": a program that
                     * simulates all of one (fpga/board/README.md) */
  const char *devices;   /* folder of simulated hardware. NULL: $HEDDLE_DEVICES; else where this library's installation
                          * or build has it (pkg-config's devicedir) */
  uint64_t memory_bytes; /* of the board, a multiple of 256; 0: 64 MiB; a board: what it has */
};

struct heddle_sim;

/* Words about a failure go to `message` (cut to `bytes`; "" without one). INVALID_VALUE: no such kind of board, or
 * options of another release; NOT_FOUND: no such configuration; NO_DEVICE: the hardware is not there. */
HEDDLE_API enum heddle_error heddle_sim_open(const struct heddle_sim_options *o, struct heddle_sim **out, char *message,
                                             size_t bytes);
/* The driver over it has been shut down. NULL is fine. */
HEDDLE_API void heddle_sim_close(struct heddle_sim *s);
/* For heddle_init; the simulation's, until it is closed. */
HEDDLE_API const struct heddle_port *heddle_sim_port(const struct heddle_sim *s);
/* What the model said of the last grid that it did not run to its end, undefined reads among them; "" if it did, and of
 * hardware. */
HEDDLE_API const char *heddle_sim_diagnosis(const struct heddle_sim *s);

#ifdef __cplusplus
}
#endif

#endif
