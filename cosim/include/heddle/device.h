/* SPDX-License-Identifier: Apache-2.0
 *
 * A device under test as C sees it: clock, host bus, memory behind AXI, retire records.
 * Behind it live Verilated RTL (cosim/verilator), the same under SystemC (cosim/systemc), or a test's fake.
 * Each is a shared object that exports one table, loaded by name, so that one program serves every configuration.
 */
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#include <heddle/api.h>
#include <heddle/axi_mem.h>
#include <heddle/error.h>
#include <heddle/record.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_dut_info {
  const char *config;  /* "tiny" */
  const char *backend; /* "verilator", "systemc" */
  unsigned sm, sms;    /* number of the SM of its records, of how many */
  unsigned lanes, warp_slots, block_slots;
  uint32_t shared_bytes;
  unsigned axi_bytes; /* width of the data bus */
  bool has_wave, has_faults, has_l1;
  uint8_t read_age, pred_age;             /* of its retire port: see heddle_checker_config */
  uint32_t cache_sectors, cache_promises; /* of its cache, 0: none: see heddle_checker_config */
};

struct heddle_dut_options {
  size_t size; /* sizeof(struct heddle_dut_options) */
  const struct heddle_axi_mem_config
      *memory;    /* borrowed until the device is there; its data_bytes and ports are the device's */
  uint64_t seed;  /* initial state of registers that reset leaves alone */
  unsigned fault; /* which of its faults is active (lab/verify/faults), 0: none; others need a device with faults */
  bool records;   /* false: the retire port is not sampled */
  uint64_t ready_seed; /* not 0: retire_ready is withheld at random, from this seed */
  uint64_t host_seed;  /* not 0: accesses of the host come in any order and are answered late, from this seed */
  const char *wave;    /* FST file from the first cycle on, or NULL */
  const char *l1;      /* an L1 in C, as heddle_l1_parse of l1_port.h takes it; it needs records; NULL: none */
  /* A device with a stream (variant stream): cycles that a byte takes on the link, 0 or 1: one each. Bytes
   * without room are lost, and nothing waits for the link. */
  uint32_t stream_gap;
  bool stream_drop;
};

/* From this cycle on the warp in this slot of the SM belongs to another class of the event counters. */
#define HEDDLE_DUT_NO_WARP 15u
struct heddle_dut_class {
  uint64_t cycle;
  uint8_t sm, slot;
  uint8_t state; /* enum heddle_counter, or HEDDLE_DUT_NO_WARP */
};

/* How the host bus answers a write. */
enum heddle_dut_answer { HEDDLE_DUT_SILENT, HEDDLE_DUT_OKAY, HEDDLE_DUT_ERROR };

/* A write and a read that are under way at the same time, of different words. */
struct heddle_dut_both {
  uint32_t write_addr, write_data;
  unsigned bytes; /* as of host_write_bytes */
  uint32_t read_addr;
};

/* Exported by a back end as `heddle_device_ops`. `self` is the result of create. */
#define HEDDLE_DUT_ABI 13u
struct heddle_dut_ops {
  uint32_t abi;
  const struct heddle_dut_info *(*info)(void);
  /* Options and memory's configuration are those of this release, whole. NULL: no memory or unusable options. */
  void *(*create)(const struct heddle_dut_options *o);
  void (*free)(void *self);
  void (*reset)(void *self);
  bool (*host_write)(void *self, uint32_t addr, uint32_t data); /* false: bus error or no answer */
  bool (*host_read)(void *self, uint32_t addr, uint32_t *data);
  /* Only the bytes b of the word with bit b set in `bytes`. */
  enum heddle_dut_answer (*host_write_bytes)(void *self, uint32_t addr, uint32_t data, unsigned bytes);
  /* Response of the write; *ok, *data: the read, as of host_read. */
  enum heddle_dut_answer (*host_both)(void *self, const struct heddle_dut_both *b, uint32_t *data, bool *ok);
  /* Cycles done; stops early when records are full, and when one says that a block has ended or the grid stops. */
  uint64_t (*step)(void *self, uint64_t cycles);
  const struct heddle_retire_record *(*records)(void *self, size_t *count); /* since the last clear */
  const struct heddle_retire_record *(*take)(void *self,
                                             size_t *count); /* the same, and clear; they stay until the next take */
  void (*clear)(void *self);
  struct heddle_axi_mem *(*memory)(void *self);
  uint64_t (*cycle)(void *self);
  bool (*wave)(void *self, const char *path); /* start (path) or stop (NULL) a wave; false: not built in */
  const char *(*failure)(void *self);         /* words of the first assertion of the RTL that failed, or NULL */
  bool (*irq)(void *self);                    /* the interrupt line; NULL: there is none */
};

struct heddle_dut;

/* Exported as well by a back end of variant stream, as `heddle_device_stream`: bytes that it has sent since the last
 * call. They stay until the next one. */
typedef const uint8_t *(*heddle_dut_stream_fn)(void *self, size_t *bytes);

/* Exported as well by a back end with the class of each warp. `heddle_device_classes_begin`: from the next launch on
 * there are changes. `heddle_device_classes`: those since the last call, by cycle. They stay until the next one. */
typedef void (*heddle_dut_classes_begin_fn)(void *self);
typedef const struct heddle_dut_class *(*heddle_dut_classes_fn)(void *self, size_t *n);

/* Open `backend` ("verilator", "systemc") of configuration `config`: the file NAME = "<backend>_<config>.so" in
 * directory `dir`. NULL: $HEDDLE_DEVICES; else "devices" beside the library or program that contains this code,
 * where an installation has them (lib/heddle/devices), or in the configured prefix. NO_DEVICE: it is not there;
 * WRONG_DEVICE: of another version; NOT_SUPPORTED: it lacks something that the options request; INVALID_VALUE: the
 * options. */
HEDDLE_API enum heddle_error heddle_dut_open(const char *dir, const char *backend, const char *config,
                                             const struct heddle_dut_options *o, struct heddle_dut **out,
                                             struct heddle_message *msg);
/* Name of `config` with the requested variants: "tiny", "tiny_wave", "tiny_faults", "tiny_wave_faults". A name with
 * _faults at its end keeps it. */
HEDDLE_API const char *heddle_dut_variant(const char *config, bool wave, bool faults, char *buf, size_t bytes);
/* Is that shared object there? It is not opened. */
HEDDLE_API bool heddle_dut_built(const char *dir, const char *backend, const char *config);
/* Its path; false: it is not there. One that is there only with _faults behind its name is taken for it: no fault is
 * active unless one is requested. */
HEDDLE_API bool heddle_dut_path(const char *dir, const char *backend, const char *config, char *path,
                                size_t path_bytes);
/* Load that shared object and keep it: processes that this one starts have it, loaded and linked. */
HEDDLE_API enum heddle_error heddle_dut_keep(const char *dir, const char *backend, const char *config,
                                             struct heddle_message *msg);
/* The configuration of another project's core (heddle/core.h) of that name. False: there is none, or it is one of
 * ours. */
struct heddle_config;
HEDDLE_API bool heddle_dut_core_config(const char *dir, const char *backend, const char *config,
                                       struct heddle_config *out);
/* A device over a table of this process (tests). The table and `self` are borrowed. */
HEDDLE_API struct heddle_dut *heddle_dut_wrap(const struct heddle_dut_ops *ops, void *self);
HEDDLE_API void heddle_dut_free(struct heddle_dut *d);

/* Calls `f` for each shared object in `dir` that could be opened. Returns how many. */
HEDDLE_API unsigned heddle_dut_list(const char *dir, void (*f)(void *ctx, const struct heddle_dut_info *info),
                                    void *ctx);

/* Calls `f` with the NAME of each file "<backend>_NAME.so" in `dir`, in the order of the alphabet; none is opened. */
HEDDLE_API void heddle_dut_names(const char *dir, const char *backend, void (*f)(void *ctx, const char *config),
                                 void *ctx);

HEDDLE_API const struct heddle_dut_info *heddle_dut_describe(const struct heddle_dut *d);
/* Declaration of such a core; NULL: it is one of ours, and shows everything. */
struct heddle_core;
HEDDLE_API const struct heddle_core *heddle_dut_core(const struct heddle_dut *d);
HEDDLE_API void heddle_dut_reset(struct heddle_dut *d); /* resets the core; memory contents stay */
HEDDLE_API bool heddle_dut_write32(struct heddle_dut *d, uint32_t addr, uint32_t data);
HEDDLE_API bool heddle_dut_read32(struct heddle_dut *d, uint32_t addr, uint32_t *data);
/* The interrupt line after the last clock: IRQ_CAUSE and IRQ_MASK. False without one (another project's core). */
HEDDLE_API bool heddle_dut_irq(const struct heddle_dut *d);
HEDDLE_API enum heddle_dut_answer heddle_dut_write_bytes(struct heddle_dut *d, uint32_t addr, uint32_t data,
                                                         unsigned bytes);
HEDDLE_API enum heddle_dut_answer heddle_dut_write_and_read(struct heddle_dut *d, const struct heddle_dut_both *b,
                                                            uint32_t *data, bool *ok);
HEDDLE_API uint64_t heddle_dut_step(struct heddle_dut *d, uint64_t cycles);
HEDDLE_API const struct heddle_retire_record *
heddle_dut_records(struct heddle_dut *d, size_t *count); /* valid until the next call that clocks */
HEDDLE_API void heddle_dut_records_clear(struct heddle_dut *d);
/* The same records, and none are left; these stay where they are until the next call of this function. */
HEDDLE_API const struct heddle_retire_record *heddle_dut_records_take(struct heddle_dut *d, size_t *count);
/* Has it a stream? Then: what it has sent since the last call; valid until the next one. */
HEDDLE_API bool heddle_dut_has_stream(const struct heddle_dut *d);
HEDDLE_API const uint8_t *heddle_dut_stream(struct heddle_dut *d, size_t *bytes);
/* From the next launch on the class of each warp is of interest. False: the device has none. Then: the changes since
 * the last call; valid until the next one. */
HEDDLE_API bool heddle_dut_classes_begin(struct heddle_dut *d);
HEDDLE_API const struct heddle_dut_class *heddle_dut_classes(struct heddle_dut *d, size_t *n);
HEDDLE_API uint64_t heddle_dut_cycle(const struct heddle_dut *d);
HEDDLE_API bool heddle_dut_wave(struct heddle_dut *d, const char *path);
HEDDLE_API const char *
heddle_dut_failure(const struct heddle_dut *d); /* an assertion inside the device failed: its words; else NULL */

/* Back door to the DRAM behind AXI. False when outside of it. */
HEDDLE_API bool heddle_dut_memory_store(struct heddle_dut *d, uint64_t addr, const void *data, uint64_t bytes);
HEDDLE_API bool heddle_dut_memory_load(const struct heddle_dut *d, uint64_t addr, void *data, uint64_t bytes);
HEDDLE_API const struct heddle_axi_mem *heddle_dut_memory(const struct heddle_dut *d);
HEDDLE_API void heddle_dut_memory_writable(struct heddle_dut *d, const struct heddle_axi_mem_range *r,
                                           unsigned n); /* heddle_axi_mem_writable */
HEDDLE_API void heddle_dut_memory_errors(struct heddle_dut *d, uint64_t base,
                                         uint64_t limit); /* heddle_axi_mem_errors */

/* Memory that is not behind this device but a platform's (SystemC): heddle_axi_mem_set_outside, heddle_axi_mem_answer.
 * From then on the device is clocked only where `pass` may let time pass. */
HEDDLE_API bool heddle_dut_memory_outside(struct heddle_dut *d, const struct heddle_axi_mem_outside *o);
HEDDLE_API void heddle_dut_memory_answer(struct heddle_dut *d, bool write, uint16_t at, uint8_t resp,
                                         const uint8_t *data);

#ifdef __cplusplus
}
#endif

#endif
