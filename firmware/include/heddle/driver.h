/* SPDX-License-Identifier: Apache-2.0
 *
 * The host side, after the habits of the CUDA driver API: init, device, context, module, function, memory, launch.
 *
 * One context on a device, its grids one after the other. Launches return at once. Every later call that needs the
 * device waits for all grids first; after a failed grid it returns that error instead of its work. Each error is
 * returned once, and later grids are dropped. A launch does not wait where the device has a queue for it and no port
 * watches or judges single launches (heddle/port.h); else it needs the device, too. Calls on one context come from one
 * thread at a time. Handles are pointers; NULL where one is needed is HEDDLE_ERROR_INVALID_VALUE. A failed call has
 * changed nothing, and gives no handle.
 *
 * Structs may have more fields in a later release, at their end. Options have their size; for a struct that is
 * filled in, a macro passes the caller's size to the function _sized. */
#ifndef HEDDLE_DRIVER_H
#define HEDDLE_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>
#include <heddle/error.h>
#include <heddle/machine.h>
#include <heddle/port.h>
#include <heddle/host_regs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices */

struct heddle_system;
struct heddle_device;

/* Provider of unified memory for the driver, where the host has an operating system (firmware/driver/README.md). */
struct heddle_unified {
  size_t size; /* sizeof(struct heddle_unified) */
  void *self;
  /* `bytes` are whole pages of 4,096, at a multiple of that; NULL: there is none. Both or neither; NULL: the driver's
   * own memory. */
  void *(*take)(void *self, uint64_t bytes);
  void (*give)(void *self, void *p, uint64_t bytes);
  /* From now on the host may, or may not, write these pages. The handler of a forbidden write calls
   * heddle_unified_touch and repeats the write. So pages stay on the device from grid to grid. NULL: all pages
   * return whenever the device is idle. */
  bool (*protect)(void *self, void *p, uint64_t bytes, bool may_write);
};

struct heddle_options {
  size_t size;                     /* sizeof(struct heddle_options) */
  const struct heddle_port *ports; /* each with the size of the first; copied */
  unsigned count;                  /* of them: 1 to 256 */
  void *memory;        /* NULL: malloc. Else all that the driver needs but a module's file and tables comes */
  size_t memory_bytes; /* from this block, until shutdown (firmware/driver/README.md: how much) */
  const struct heddle_unified *unified; /* copied; NULL: memory of the driver's, which all comes home */
  uint64_t
      unified_bytes; /* of each device's memory, for pages and their tables: at least 256 KiB count. 0: what is free */
};
HEDDLE_API enum heddle_error heddle_init_options(const struct heddle_options *o, struct heddle_system **out);
/* The same with nothing but ports. */
HEDDLE_API enum heddle_error heddle_init(const struct heddle_port *ports, unsigned count, struct heddle_system **out);
HEDDLE_API void heddle_shutdown(struct heddle_system *s); /* all contexts have been destroyed */
HEDDLE_API unsigned heddle_device_count(const struct heddle_system *s);
/* Reads the device's capabilities. */
HEDDLE_API enum heddle_error heddle_device_get(struct heddle_system *s, unsigned index, struct heddle_device **out);
HEDDLE_API const char *heddle_device_name(const struct heddle_device *d);

enum heddle_attribute {
  HEDDLE_ATTRIBUTE_WARP_SIZE,
  HEDDLE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, /* by shape and by warp slots; registers may allow less */
  HEDDLE_ATTRIBUTE_MAX_BLOCK_X,
  HEDDLE_ATTRIBUTE_MAX_BLOCK_Y,
  HEDDLE_ATTRIBUTE_MAX_BLOCK_Z,
  HEDDLE_ATTRIBUTE_LANES,
  HEDDLE_ATTRIBUTE_WARP_SLOTS,
  HEDDLE_ATTRIBUTE_BLOCK_SLOTS,
  HEDDLE_ATTRIBUTE_WARP_REGISTERS, /* a block needs warps times registers of a thread */
  HEDDLE_ATTRIBUTE_SHARED_BYTES,
  HEDDLE_ATTRIBUTE_AXI_BITS,
  HEDDLE_ATTRIBUTE_UNITS, /* HEDDLE_CAP_UNITS_* */
  HEDDLE_ATTRIBUTE_COUNTERS,
  HEDDLE_ATTRIBUTE_SMS, /* lanes, slots, registers and shared memory are those of each */
  HEDDLE_ATTRIBUTE_VERSION,
  HEDDLE_ATTRIBUTE_CONFIG_HASH,
  HEDDLE_ATTRIBUTE_ISA_HASH,
  HEDDLE_ATTRIBUTE_LATENCY_HASH,
  HEDDLE_ATTRIBUTE_MEMORY_BYTES,
  HEDDLE_ATTRIBUTE_L1_BYTES /* of the cache of loads of an SM; 0: there is none */
};
HEDDLE_API enum heddle_error heddle_device_attribute(const struct heddle_device *d, enum heddle_attribute a,
                                                     uint64_t *value);

/* ---- contexts */

struct heddle_context;

HEDDLE_API enum heddle_error heddle_context_create(struct heddle_device *d, struct heddle_context **out);
/* Aborts what runs; frees memory and modules. NULL is fine. */
HEDDLE_API void heddle_context_destroy(struct heddle_context *c);
/* Words about the last call that failed; "" before that. Valid until the next call. */
HEDDLE_API const char *heddle_context_message(const struct heddle_context *c);

/* For libraries on top of the driver (heddle/module_ptx.h is one). The context's device, as a compiler's target;
 * unknown latencies are the slowest of all configurations. And the text of heddle_context_message from now on;
 * returns e. */
HEDDLE_API enum heddle_error heddle_context_machine(const struct heddle_context *c, struct heddle_machine *out);
HEDDLE_API enum heddle_error heddle_context_fail(struct heddle_context *c, enum heddle_error e, const char *words);

/* How dependencies are kept. AUTOMATIC: control codes are trusted where the device's latencies are known and the kernel
 * was scheduled for them, else the hardware checks. */
enum heddle_mode { HEDDLE_DEPENDENCY_AUTOMATIC, HEDDLE_DEPENDENCY_CONTROL, HEDDLE_DEPENDENCY_SCOREBOARD };
HEDDLE_API enum heddle_error heddle_context_set_mode(struct heddle_context *c, enum heddle_mode mode);
/* How long calls without a time of their own wait for a grid; then TIMEOUT, and the grid goes on. HEDDLE_FOREVER at
 * first. */
HEDDLE_API enum heddle_error heddle_context_set_limit(struct heddle_context *c, uint32_t milliseconds);

/* ---- modules and functions */

struct heddle_module;
struct heddle_function; /* belongs to its module */

HEDDLE_API enum heddle_error heddle_module_load(struct heddle_context *c, const char *path, struct heddle_module **out);
HEDDLE_API enum heddle_error heddle_module_load_data(struct heddle_context *c, const void *elf, size_t bytes,
                                                     struct heddle_module **out);
/* A program of this process: the module's from now on, which frees it; the caller's still where this fails. */
HEDDLE_API enum heddle_error heddle_module_load_program(struct heddle_context *c, struct heddle_program *p,
                                                        struct heddle_module **out);
HEDDLE_API enum heddle_error heddle_module_unload(struct heddle_module *m);
HEDDLE_API enum heddle_error heddle_module_function(struct heddle_module *m, const char *name,
                                                    struct heddle_function **out);
/* Address of a module's variable, and its bytes (either may be NULL): for copies, from when the module is loaded
 * until it is unloaded. Values that grids write stay; each loaded module has its own. */
HEDDLE_API enum heddle_error heddle_module_global(struct heddle_module *m, const char *name, uint64_t *address,
                                                  uint64_t *bytes);
/* For compilers (heddle/module_ptx.h): the PTX, for ports that watch (heddle/port.h). Copied. */
HEDDLE_API void heddle_module_compiled_from(struct heddle_module *m, const char *ptx, size_t bytes);
/* The image that it was loaded from: the module's. NULL for NULL. */
HEDDLE_API const struct heddle_program *heddle_module_program(const struct heddle_module *m);

struct heddle_function_info {
  const char *name;
  uint32_t registers, shared_bytes, local_bytes, params, param_bytes;
  struct heddle_promise promise;
};
HEDDLE_API enum heddle_error heddle_function_describe_sized(const struct heddle_function *f,
                                                            struct heddle_function_info *out, size_t bytes);
static inline enum heddle_error heddle_function_describe(const struct heddle_function *f,
                                                         struct heddle_function_info *out) {
  return heddle_function_describe_sized(f, out, sizeof *out);
}

/* ---- memory: addresses of the device, multiples of 256 */

HEDDLE_API enum heddle_error heddle_mem_alloc(struct heddle_context *c, uint64_t bytes, uint64_t *address);
HEDDLE_API enum heddle_error heddle_mem_free(struct heddle_context *c, uint64_t address); /* 0 is fine */
HEDDLE_API enum heddle_error heddle_mem_info(struct heddle_context *c, uint64_t *free_bytes, uint64_t *total_bytes);
/* Unified memory: the host's own at *host, and grids may use it at that address, which is *address. Pages come to
 * the device on demand, and are evicted when others need their room: it may be larger than the device's memory. The
 * host may read and write it whenever nothing runs, that is behind each call that waits for all grids; it must not
 * while a grid may run. Freed by heddle_mem_free. While there is some, all launches have pages. NOT_SUPPORTED: the
 * device has no MMU, or that memory of the host can be no address of the device. OUT_OF_MEMORY: no page table. */
HEDDLE_API enum heddle_error heddle_mem_alloc_unified(struct heddle_context *c, uint64_t bytes, uint64_t *address,
                                                      void **host);
/* With `protect` in the options: the host wants to write the page at `at`. Waits for grids; then the page is the
 * host's. The error is that of a grid, and the page the host's all the same. INVALID_ADDRESS: no unified memory. May
 * be called in a handler of such a write's signal, in a thread that is in no other call of this context, nor in one
 * of malloc. Other threads are kept off the context meanwhile, as ever. */
HEDDLE_API enum heddle_error heddle_unified_touch(struct heddle_context *c, const void *at);

struct heddle_unified_info {
  uint64_t faults;                   /* pages requested from the host, */
  uint64_t brought, evicted, copied; /* ... that came, that were evicted while a grid ran, that were written and
                                      * copied home */
  uint64_t resident, frames;         /* pages on the device now; places for pages and tables that are taken for them */
};
HEDDLE_API enum heddle_error heddle_unified_info_sized(const struct heddle_context *c, struct heddle_unified_info *out,
                                                       size_t bytes);
static inline enum heddle_error heddle_unified_info(const struct heddle_context *c, struct heddle_unified_info *out) {
  return heddle_unified_info_sized(c, out, sizeof *out);
}

/* Each range is inside one allocation. */
HEDDLE_API enum heddle_error heddle_memcpy_to_device(struct heddle_context *c, uint64_t to, const void *from,
                                                     uint64_t bytes);
HEDDLE_API enum heddle_error heddle_memcpy_to_host(struct heddle_context *c, void *to, uint64_t from, uint64_t bytes);
HEDDLE_API enum heddle_error heddle_memcpy_on_device(struct heddle_context *c, uint64_t to, uint64_t from,
                                                     uint64_t bytes);
HEDDLE_API enum heddle_error heddle_memset8(struct heddle_context *c, uint64_t to, uint8_t value, uint64_t count);
HEDDLE_API enum heddle_error heddle_memset32(struct heddle_context *c, uint64_t to, uint32_t value, uint64_t count);

/* ---- launches */

struct heddle_size {
  uint32_t x, y, z;
};

/* `params`: a pointer to each parameter's value, in the order of the kernel; the number is the kernel's. Values are
 * copied. `dynamic_shared` bytes are behind the kernel's own shared memory. NOT_SUPPORTED: the device lacks a unit
 * of the kernel; the message names the first instruction, its line if the file has it, and devices with the unit.
 * LAUNCH_LIMITS: the device has no room for a block. heddle_function_lack gives the same as data. */
HEDDLE_API enum heddle_error heddle_function_launch(struct heddle_function *f, struct heddle_size grid,
                                                    struct heddle_size block, uint32_t dynamic_shared,
                                                    void *const *params);

/* Values of %envreg0 to 3 of PTX, in launches of this function from now on; zeros at first. */
HEDDLE_API enum heddle_error heddle_function_environment(struct heddle_function *f, const uint32_t words[4]);

/* Lacking units for a launch with such blocks. */
struct heddle_lack_info {
  enum heddle_lack_kind kind;
  const char *unit;         /* UNIT: "uni", "async"; NULL: a limit */
  uint32_t pc;              /* UNIT: the first instruction that needs it; UINT32_MAX: unknown */
  uint32_t words;           /* UNIT: how many do */
  const char *file;         /* of the source, with the line; NULL: the program has none. Until it is unloaded */
  uint32_t line;            /* 0: the same */
  char instruction[120];    /* that first one, cut to its room; "" where it is not known */
  uint64_t wants, has;      /* a limit: warps of a block, registers of a thread, bytes of shared memory */
  char configurations[120]; /* names of all that can run it, "duo, sm"; "": none */
};
/* The one of that index: units first, in the order that a launch names them. NOT_FOUND: there are no more; with
 * index 0 the device can run it. It has no side effect and may be called while a grid runs. Local memory is not
 * among them: a device without it refuses at the launch. */
HEDDLE_API enum heddle_error heddle_function_lack_sized(const struct heddle_function *f, struct heddle_size block,
                                                        uint32_t dynamic_shared, unsigned index,
                                                        struct heddle_lack_info *out, size_t bytes);
static inline enum heddle_error heddle_function_lack(const struct heddle_function *f, struct heddle_size block,
                                                     uint32_t dynamic_shared, unsigned index,
                                                     struct heddle_lack_info *out) {
  return heddle_function_lack_sized(f, block, dynamic_shared, index, out, sizeof *out);
}

#define HEDDLE_FOREVER UINT32_MAX
/* Wait for all grids. TIMEOUT: they go on. Time is the device's: 100,000 cycles of a simulated one are a millisecond,
 * and on the model as many warp instructions. */
HEDDLE_API enum heddle_error heddle_synchronize(struct heddle_context *c, uint32_t milliseconds);
/* The same of a shorter time, for a host that does something else meanwhile; NOT_READY: they go on. */
HEDDLE_API enum heddle_error heddle_wait(struct heddle_context *c, uint32_t microseconds);
/* SUCCESS: nothing runs, and no error is pending; NOT_READY; or the error of the failed grid. */
HEDDLE_API enum heddle_error heddle_query(struct heddle_context *c);
/* Stop the grid, and those that wait; it may have written any part of its results. */
HEDDLE_API enum heddle_error heddle_abort(struct heddle_context *c);

/* Trap of the last grid that trapped. */
struct heddle_trap_info {
  uint32_t cause;         /* isa/doc/05-barriers-traps.md */
  const char *cause_name; /* cause 0, of the model only: "undefined_read", something depends on unwritten data */
  const char *function;   /* that was launched */
  struct heddle_size block;
  uint32_t sm; /* that trapped first; the rest is its own */
  uint32_t warp, sequence, pc, lanes;
  uint64_t address;
};
/* NOT_FOUND: none has, or the host came too late to see more than that it did, which its error's words say. */
HEDDLE_API enum heddle_error heddle_trap_last_sized(const struct heddle_context *c, struct heddle_trap_info *out,
                                                    size_t bytes);
static inline enum heddle_error heddle_trap_last(const struct heddle_context *c, struct heddle_trap_info *out) {
  return heddle_trap_last_sized(c, out, sizeof *out);
}

/* Statistics of the last ended grid, well or not, as far as calls have seen. The device counts events for the
 * running grid alone. In a queue only the last grid's counters can be read; they are 0 if the next grid began
 * before. For the counters of each grid, wait for it before the next launch, and look at `launch`. */
struct heddle_statistics {
  uint64_t cycles;
  uint32_t counter[HEDDLE_COUNTERS];     /* by enum heddle_counter; of all SMs together, modulo 2^32 */
  uint32_t cache[HEDDLE_CACHE_COUNTERS]; /* by enum heddle_cache_counter, the same; 0 where there is no cache */
  uint64_t launch;                       /* which grid it is: as of heddle_cycles_until */
};
HEDDLE_API enum heddle_error heddle_statistics_last_sized(const struct heddle_context *c, struct heddle_statistics *out,
                                                          size_t bytes);
static inline enum heddle_error heddle_statistics_last(const struct heddle_context *c, struct heddle_statistics *out) {
  return heddle_statistics_last_sized(c, out, sizeof *out);
}

/* Cycles of launches 1 to `launch` of this context together, which dates events between two launches; for the last
 * HEDDLE_GRIDS_DATED. NOT_READY: it has not ended, as far as calls have seen; NOT_FOUND: longer ago, or not
 * launched. */
#define HEDDLE_GRIDS_DATED 16u
HEDDLE_API enum heddle_error heddle_cycles_until(const struct heddle_context *c, uint64_t launch, uint64_t *cycles);

#ifdef __cplusplus
}
#endif

#endif
