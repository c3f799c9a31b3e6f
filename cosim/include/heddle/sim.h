/* SPDX-License-Identifier: Apache-2.0
 *
 * Boards that this machine simulates, or that hang on it, as ports for the host driver (heddle/driver.h). */
#ifndef HEDDLE_SIM_H
#define HEDDLE_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>
#include <heddle/error.h>
#include <heddle/port.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_sim_options {
  size_t size;           /* sizeof(struct heddle_sim_options) */
  const char *name;      /* NULL or "": $HEDDLE_BOARD, else "model".
                          *   "model": the reference model as a roomy machine; "model:NAME": with the sizes of a
                          *     configuration;
                          *   "rtl:NAME", "systemc:NAME": simulated hardware, calm memory;
                          *   "lockstep:NAME": simulated hardware, judged by the model record by record, adversarial
                          *     memory;
                          *   "lockstep:NAME@N": the same from launch N on (from 1), those before on the model alone;
                          *   "board:tty:PATH[:BAUD]": a board on a serial device; "board:sim:PROGRAM": a program
                          *     that simulates all of one (lab/fpga/board/README.md) */
  const char *devices;   /* folder of simulated hardware. NULL: $HEDDLE_DEVICES; else where this library's installation
                          * or build has it (pkg-config's devicedir) */
  uint64_t memory_bytes; /* of the board, a multiple of 256; 0: heddle_sim_memory; a board: what it has. Lockstep
                          * copies and compares all of it at each launch: about 1 ms a MiB */
  bool quiet;            /* lockstep: no report on stderr; heddle_sim_diagnosis has it */
  const char *trace;     /* lockstep: a file that gets the records of its launches, and is whole when the board has been
                          * closed (heddle/trace.h reads it, `heddle check` judges it again); NULL: none */
};

struct heddle_sim;

/* Words about a failure name the boards that can be opened here.
 * INVALID_VALUE: no such kind of board, options of another release, a malformed variable. NOT_FOUND: no such
 * configuration. NO_DEVICE: the hardware is not there; WRONG_DEVICE: it is of another version. FILE: that of
 * $HEDDLE_STATS, or the trace, cannot be written.
 * $HEDDLE_SEED: a number for initial values and memory behaviour of simulated hardware, as of `heddle run --seed`; with
 * it memory is adversarial under rtl: and systemc:, too. Without it 1.
 * $HEDDLE_STATS: "1": at close, launches, warp instructions, cycles and event counters go to stderr; "json:FILE": as
 * JSON to that file, which is overwritten.
 * FILE is the error of $HEDDLE_RECORD and $HEDDLE_CAPSULE, too: folders that get launches; $HEDDLE_UNDEFINED,
 * $HEDDLE_PAD: docs/hosts.md. */
HEDDLE_API enum heddle_error heddle_sim_open(const struct heddle_sim_options *o, struct heddle_sim **out,
                                             struct heddle_message *msg);
/* The driver over it has been shut down. NULL is fine. */
HEDDLE_API void heddle_sim_close(struct heddle_sim *s);
/* For heddle_init; the simulation's, until it is closed. */
HEDDLE_API const struct heddle_port *heddle_sim_port(const struct heddle_sim *s);
/* The model's message about the last grid that it did not run to its end, undefined reads among them. In lockstep
 * the whole report of the last grid that did not end well (RTL and model differ: HEDDLE_ERROR_DIFFERENCE of the
 * driver). "" if it did, and of hardware alone. Valid until the next launch. */
HEDDLE_API const char *heddle_sim_diagnosis(const struct heddle_sim *s);
/* The same as data, each NULL where the last grid did not end so. In lockstep the first difference
 * (heddle/checker.h); the use of unwritten data that ended the grid (heddle/model.h). Valid until the next launch. */
struct heddle_checker_difference;
struct heddle_undefined;
HEDDLE_API const struct heddle_checker_difference *heddle_sim_difference(const struct heddle_sim *s);
HEDDLE_API const struct heddle_undefined *heddle_sim_undefined(const struct heddle_sim *s);
/* Calls `each` with every name that can be opened here and needs no more than `devices` (as in the options): "model",
 * and "rtl:NAME", "lockstep:NAME", "systemc:NAME" of what is built. */
HEDDLE_API void heddle_sim_names(const char *devices, void (*each)(void *ctx, const char *name), void *ctx);
/* Bytes of memory of the board of that name (NULL: of the model) where the options have none: 4 GiB of the model,
 * allocated when touched, else 64 MiB. */
HEDDLE_API uint64_t heddle_sim_memory(const char *name);

#ifdef __cplusplus
}
#endif

#endif
