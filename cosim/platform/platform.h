/* SPDX-License-Identifier: Apache-2.0
 *
 * Ports for the host driver (firmware/include/heddle/port.h) over model and devices. Within this tree only;
 * hosts open boards by heddle/sim.h. */
#ifndef HEDDLE_PLATFORM_H
#define HEDDLE_PLATFORM_H

#include <stddef.h>

#include <heddle/checker.h>
#include <heddle/device.h>
#include <heddle/model.h>
#include <heddle/port.h>

#define PLATFORM_MEMORY_BASE 0x100000u
#define PLATFORM_MEMORY_BYTES (64u << 20) /* unless options say else */

/* ---- the model behind the register map (platform/model_port.c). A read of something undefined, which hardware would
 * not notice, shows as a trap without a cause. */

struct model_port_options {
  const char *config; /* source of its sizes and hashes; NULL: 32 lanes, 32 warps, everything */
  uint64_t bytes;     /* of memory, from PLATFORM_MEMORY_BASE on; 0: PLATFORM_MEMORY_BYTES */
  uint64_t max_insns; /* warp instructions of a grid, which ends there with HEDDLE_ERROR_LIMIT; 0: no limit */
  enum heddle_divergence divergence;
  bool mmu;  /* it has one, whatever the configuration says */
  bool zero; /* a launch that depends on unwritten data is repeated, with zeros there */
};
struct model_port;
struct model_port *model_port_new(const struct model_port_options *o); /* NULL: no memory, no such configuration */
void model_port_free(struct model_port *m);
void model_port_bind(struct model_port *m, struct heddle_port *port);
/* Launches that were done again for `zero`. */
uint64_t model_port_zeroed(const struct model_port *m);
/* Message of the model about the last grid that it did not run to its end; "" if it did. */
const char *model_port_diagnosis(const struct model_port *m);
/* The use of unwritten data that ended it; NULL: none did. */
const struct heddle_undefined *model_port_undefined(const struct model_port *m);

/* ---- model and device in lockstep behind the register map (platform/lockstep_port.c). */

struct lockstep_options {
  const char *name;             /* for people: "lockstep:tiny" */
  const char *devices, *config; /* as of heddle_dut_open */
  uint64_t bytes;               /* of memory, from PLATFORM_MEMORY_BASE on */
  uint64_t seed;                /* initial values, and memory behaviour, as `heddle run --seed` */
  uint64_t limit;               /* cycles (the model alone: warp instructions) that a launch may take; 0: no limit */
  uint64_t first;               /* launch from which on it is lockstep; those before run on the model alone */
  bool quiet;                   /* reports are not printed on stderr */
  const char *trace;            /* a file for the records, or NULL */
};
struct lockstep_port;
enum heddle_error lockstep_port_new(const struct lockstep_options *o, struct lockstep_port **out,
                                    struct heddle_message *msg);
void lockstep_port_free(struct lockstep_port *p);
void lockstep_port_bind(struct lockstep_port *p, struct heddle_port *port);
/* Origin of the launch that begins, for reports; NULL: it has ended. */
void lockstep_port_begins(struct lockstep_port *p, const struct heddle_seen_launch *l);
/* All that is said of the last grid that did not end well; "" if it did. */
const char *lockstep_port_diagnosis(const struct lockstep_port *p);
/* Its difference; the use of unwritten data that ended it. NULL: none. */
const struct heddle_checker_difference *lockstep_port_difference(const struct lockstep_port *p);
const struct heddle_undefined *lockstep_port_undefined(const struct lockstep_port *p);

/* ---- a device of this folder's device view (platform/sim.c) */

/* `d` has memory_bytes bytes from memory_base on behind AXI. Borrowed. */
void device_port_bind(struct heddle_dut *d, struct heddle_port *port, uint64_t memory_base, uint64_t memory_bytes);

#endif
