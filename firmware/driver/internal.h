/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside firmware/driver only. */
#ifndef HEDDLE_DRIVER_INTERNAL_H
#define HEDDLE_DRIVER_INTERNAL_H

#include <heddle/driver.h>
#include <heddle/host.h>
#include <heddle/machine.h>
#include <heddle/program.h>
#include "firmware/driver/heap.h"
#include "firmware/driver/space.h"

#define WARP_SIZE 32u
/* Launches from one rest of the device to the next: what they hold of its memory is not looked through for ever. */
#define DRIVER_LAUNCHES_HELD 64u

struct heddle_device {
  struct heddle_port port;
  struct pool *pool;              /* of the system */
  struct heddle_context *context; /* the one that has it, or NULL */
  bool known;                     /* what follows has been read */
  uint32_t lanes, warps, regs, shared_bytes, blocks, axi_bits, units, counters, sms, partitions, version, l1_bytes,
      queue, l2_bytes;
  const struct heddle_unified *unified; /* of the system; NULL: the host has none */
  uint64_t unified_bytes;
  uint64_t config_hash, isa_hash, latency_hash;
};

struct heddle_system {
  struct pool pool;
  struct heddle_unified unified;
  struct heddle_device *device;
  unsigned devices;
};

struct heddle_function {
  struct heddle_module *module;
  const struct heddle_kernel *kernel;
  bool checked; /* the device has the units that it needs */
  uint32_t environment[4];
};

struct heddle_module {
  struct heddle_context *context;
  struct heddle_module *next, **link; /* list of the context */
  struct heddle_program *program;
  struct heddle_function *function; /* one for each kernel of the program */
  uint64_t code, konst, global;     /* in device memory; 0: none */
};

/* Parameters of a launched grid: so much of them. Its module stays until the grid has ended. */
#define DRIVER_PARAMS_KEPT 64u
struct driver_launched {
  const struct heddle_program *program;
  const struct heddle_kernel *kernel;
  uint32_t block[3], shared;
  uint64_t param[DRIVER_PARAMS_KEPT]; /* those of 8 bytes */
};

/* Unified memory: its address, which is the host's, too; `room` is whole pages. */
struct driver_unified {
  struct driver_unified *next;
  uint64_t at, bytes, room;
  void *raw; /* of the pool; NULL: it came from the host */
};

struct heddle_context {
  struct heddle_device *device;
  struct heap heap;
  struct heddle_module *modules;
  enum heddle_mode mode;
  uint32_t limit_ms;
  /* Launches in turn. The device numbers them from `base` on, modulo 2^32. `room` of them may be under way: 1, or where
   * they wait in the device's queue as many as that takes, but no more than it keeps the ends of. */
  bool queued;
  unsigned room;
  uint32_t base;
  uint32_t wakes_for;              /* IRQ_MASK, for a port that waits for the interrupt; 0: unknown */
  uint64_t started, ended, rested; /* launches; those that had ended when the device last came to rest */
  uint64_t cycles,
      until[HEDDLE_GRIDS_DATED];      /* of all that have ended; launch n ended at until[n % HEDDLE_GRIDS_DATED] */
  struct driver_launched *launched;   /* `room`; launch n, from 1 on, is [(n - 1) % room] */
  struct heddle_host_launch *written; /* where they are queued: what the launch registers hold, */
  bool known;                         /* ... if that is known */
  struct space space;                 /* not open: launches have no pages */
  struct driver_unified *unified;     /* while there is some the space is open */
  struct heddle_unified_info unified_info;
  bool trapped, has_statistics;
  struct heddle_trap_info trap;
  char *trap_function; /* of the pool: a module may be unloaded before the trap is read; NULL: none */
  struct heddle_statistics statistics;
  char message[1600];
};

static inline bool driver_runs(const struct heddle_context *c) {
  return c->ended != c->started;
}

/* The launch that ends next, while there is one. */
static inline const struct driver_launched *driver_front(const struct heddle_context *c) {
  return &c->launched[c->ended % c->room];
}

/* Leaves words behind, and returns e. */
enum heddle_error driver_fail(struct heddle_context *c, enum heddle_error e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Watching port, or NULL. */
static inline const struct heddle_watch *driver_watch(const struct heddle_context *c) {
  const struct heddle_watch *w = c->device->port.watch;
  return w && w->size >= sizeof *w ? w : NULL;
}

/* ... at launches. */
static inline const struct heddle_watch *driver_launch_watch(const struct heddle_context *c) {
  const struct heddle_watch *w = driver_watch(c);
  return w && w->begins && w->ends ? w : NULL;
}

/* A struct that a call fills in, as long as its caller has it (device.c); a longer one has zeros behind. */
enum heddle_error driver_give_out(void *out, size_t bytes, const void *from, size_t from_bytes);

/* ---- registers: false, with words, when the bus fails (device.c) */
bool driver_read32(struct heddle_context *c, uint32_t reg, uint32_t *value);
bool driver_write32(struct heddle_context *c, uint32_t reg, uint32_t value);
bool driver_read64(struct heddle_context *c, uint32_t reg, uint64_t *value);
bool driver_write_memory(struct heddle_context *c, uint64_t addr, const void *data, uint64_t bytes);
bool driver_read_memory(struct heddle_context *c, uint64_t addr, void *data, uint64_t bytes);

/* Wait for what runs; the first thing of every call that needs the device (finish.c). */
enum heddle_error driver_settle(struct heddle_context *c);
/* Wait until one launch more may be under way. */
enum heddle_error driver_make_room(struct heddle_context *c);
/* Abort, and wait until the device is at rest. */
enum heddle_error driver_stop(struct heddle_context *c);

/* ---- unified memory (unified.c) */
/* The allocation around [at, at + bytes), or NULL. */
const struct driver_unified *driver_unified_at(const struct heddle_context *c, uint64_t at, uint64_t bytes);
enum heddle_error driver_unified_free(struct heddle_context *c, uint64_t at); /* NOT_FOUND: none begins there */
void driver_unified_drop(struct heddle_context *c);

/* ---- its pages go home (frames.c) */
/* At rest: the host may read and write these bytes of its own, whether they are unified or not. */
enum heddle_error driver_unified_host(struct heddle_context *c, uint64_t at, uint64_t bytes);
/* The device has come to rest. */
enum heddle_error driver_come_home(struct heddle_context *c, bool ended_well);
/* Frames of pages that stayed go back to the heap. False: there are none, or a grid runs. */
bool driver_give_up_pages(struct heddle_context *c);

/* ---- launches with pages (unified.c) */
/* The launch is all there but for that. */
enum heddle_error driver_pages_ready(struct heddle_context *c, struct heddle_host_launch *l);
/* Serves the running grid's page faults. *served: it no longer waits, or will trap. */
enum heddle_error driver_serve_faults(struct heddle_context *c, bool *served);

/* ---- a trap in words (finish.c) */
void driver_note_launch(struct heddle_context *c, const struct heddle_function *f, const uint32_t block[3],
                        uint32_t shared, void *const *params);

/* Do variables of a module begin here? (module.c) */
bool driver_is_global(const struct heddle_context *c, uint64_t at);

/* The device's capabilities, with the latencies of a configuration; false: they are unknown (device.c). */
bool driver_machine(const struct heddle_device *d, struct heddle_machine *m);

/* At most HEDDLE_REGIONS ranges that hold all data and no code (memory.c). */
struct driver_region {
  uint64_t base, limit;
};
enum heddle_error driver_regions(struct heddle_context *c, struct driver_region region[HEDDLE_REGIONS],
                                 unsigned *count);

#endif
