/* SPDX-License-Identifier: Apache-2.0
 *
 * A session runs launches: on the model alone, on a device alone, or on both in lockstep.
 *
 * Global memory is one range [memory_base, memory_base + memory_bytes). heddle_session_memory is the host's view of it:
 * fill it before a launch, read results after it. Code and constant banks are placed behind that range by the session
 * itself, so programs cannot reach them. Several launches may follow each other; memory stays between them.
 */
#ifndef HEDDLE_SESSION_H
#define HEDDLE_SESSION_H

#include <heddle/api.h>
#include <heddle/checker.h>
#include <heddle/device.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heddle_session_mode { HEDDLE_SESSION_MODEL, HEDDLE_SESSION_RTL, HEDDLE_SESSION_LOCKSTEP };

enum heddle_session_outcome {
  HEDDLE_SESSION_OK,
  HEDDLE_SESSION_DIFFERENCE, /* see heddle_session_checker: heddle_checker_first, checker_report_* */
  HEDDLE_SESSION_TRAPPED,    /* the program trapped (lockstep: both sides agree) */
  HEDDLE_SESSION_UNDEFINED,  /* the program: something depends on unwritten data (heddle_model_undefined) */
  HEDDLE_SESSION_LIMIT,      /* max_cycles or max_insns */
  HEDDLE_SESSION_HUNG,       /* no progress; the report has the waiting warps */
  HEDDLE_SESSION_REFUSED,    /* the device or the model refuses the launch */
  HEDDLE_SESSION_DEVICE,     /* an assertion in the RTL, an AXI protocol error, a host bus error */
  HEDDLE_SESSION_FAILED,     /* files, memory */
  HEDDLE_SESSION_RUNNING,    /* none of these yet (heddle_session_start, heddle_session_go_on) */
  HEDDLE_SESSION_NOT_RUN     /* one before it in the queue has not ended well (heddle_session_run_queue) */
};
HEDDLE_API const char *heddle_session_outcome_name(enum heddle_session_outcome o);

/* A device's event counters, then those of its cache. */
#define HEDDLE_SESSION_COUNTERS 32u
#define HEDDLE_SESSION_CACHE_COUNTERS 16u

/* Called for each record that has been judged and agreed on, with the model in its state right after it. Called with
 * r NULL at the start of a launch. A device alone is not judged, and m is NULL. It changes nothing. */
typedef void (*heddle_session_observe_fn)(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                                          const struct heddle_retire_record *r);

/* Changes of the class of warps, after all records of the same cycles. */
typedef void (*heddle_session_classes_fn)(void *ctx, const struct heddle_dut_class *c, size_t n);

/* Code and constants are behind global memory, then local memory, in bytes; addresses have 40 bits. */
#define HEDDLE_SESSION_RESERVE (UINT64_C(4) << 20)
#define HEDDLE_SESSION_LOCAL (UINT64_C(64) << 20)
#define HEDDLE_SESSION_BEHIND (HEDDLE_SESSION_RESERVE + HEDDLE_SESSION_LOCAL)
#define HEDDLE_SESSION_ADDRESS_BITS 40

struct heddle_session;

/* The host's answer to pages that a launch waits for (a launch in an address space, without fault_trap). `f`: all in
 * the list of faults, for a device as in its list (use: load or store; warps 0). It may change tables by
 * heddle_session_exchange and invalidate translations by heddle_session_invalidate. True: all waiting accesses are
 * looked up again (REPLAY); false: and trap if their page is still absent (FAIL). */
typedef bool (*heddle_session_pages_fn)(void *ctx, struct heddle_session *s, const struct heddle_page_fault *f,
                                        unsigned n);

/* How a host copies its own process: this library never forks one. Such a copy goes on from where it was made, with
 * memory as it was then. It has no thread but this one, so the session's calls may need no other; files and pipes
 * are shared with the origin. */
struct heddle_session_copies {
  size_t size; /* sizeof(struct heddle_session_copies) */
  void *self;
  /* A copy, and a pair of sockets between the two. In the origin *pid names the copy, in the copy it is 0; *line is
   * each one's end, which closes with the process that has it. A copy ends when its origin is killed. False: there is
   * none this time. */
  bool (*make)(void *self, int *pid, int *line);
  /* In a copy, before it goes on: what it writes into files that are open leads nowhere from here on, but by `line`. */
  bool (*quiet)(void *self, int line);
  /* In a copy: its end, from which there is no return. */
  void (*end)(void *self, bool well);
  /* In the origin: a copy ends, and leaves no trace. */
  void (*await)(void *self, int pid);
};

struct heddle_session_config {
  size_t size; /* sizeof(struct heddle_session_config) */
  enum heddle_session_mode mode;
  const char *device_dir, *backend,
      *config;                      /* NULL: default folder, "verilator"; config is needed unless mode is model */
  struct heddle_dut *device;        /* not NULL: use this one (borrowed) instead of opening one */
  unsigned warp_slots, block_slots; /* of the model alone; 0: 32 and 32 */
  bool scoreboard;                  /* dependency mode, else control */
  bool its;                         /* divergence unit, else stack */
  unsigned sched;                   /* enum heddle_policy (host_regs.h); 0: the configuration's; the model has none */
  uint64_t seed;                    /* initial state, and what the next two leave to it */
  uint64_t memory_seed, ready_seed; /* memory behaviour, withheld ready; 0: seed */
  bool adversarial;                 /* memory behind AXI: random latency, order, back-pressure; else calm */
  uint32_t latency;                 /* of calm memory: cycles until it answers; 0: as heddle_axi_mem_calm says */
  bool withhold_ready;              /* retire_ready falls at random */
  uint64_t host_seed;               /* not 0: from it the host draws what it does beside launches (session/host.c) */
  enum heddle_errors_in error_in;   /* what the next two are counted from */
  uint64_t error_base, error_limit; /* AXI accesses in [base, limit) answer with errors; both 0: none */
  unsigned fault;                   /* active in the device NAME_faults (lab/verify/faults); 0: none */
  uint64_t max_cycles;              /* of a launch; 0: no limit */
  uint64_t max_insns;               /* model alone: warp instructions of a launch; 0: no limit */
  uint64_t watchdog;                /* cycles without a record (lockstep) or an issue (rtl); 0: 200000 */
  uint64_t watchdog_issue;          /* lockstep: heddle_checker_config.patience_issue, patience_warp; 0: as there */
  uint64_t watchdog_warp;
  uint64_t memory_base,
      memory_bytes; /* multiples of 64; with HEDDLE_SESSION_BEHIND below 1 << HEDDLE_SESSION_ADDRESS_BITS */
  uint32_t cache_sectors, cache_promises; /* of a cache outside of the device (it is behind its port); 0: as the
                                           * device reports */
  const char *wave, *trace;               /* files, or NULL */
  /* Not 0: there is a wave of the last so many cycles before a failure, and none without one. A copy of the process
   * makes it (`copies`, needed then). It goes on from there to the same failure, through the caller's program if
   * that is in a later launch. */
  uint64_t wave_last;
  const char *command; /* what repeats this run; goes into the trace */
  bool beside;         /* lockstep: a thread of its own judges, while the device goes on */
  heddle_checker_disasm_fn disasm;
  void *disasm_ctx;
  heddle_session_observe_fn observe; /* NULL: no observer, at no cost */
  void *observe_ctx;
  const char *l1; /* of a device with a place for it: an L1 in C (l1_port.h); NULL: none */
  /* A device with a stream: the file for a board's bytes (docs/stream-format.md), or NULL. Cycles that a byte
   * takes on the link; nothing waits for the link, bytes without room are lost. */
  const char *stream;
  uint32_t stream_gap;
  bool stream_drop;
  enum heddle_tell tell;         /* which uses of what is undefined end a launch; in lockstep not HEDDLE_TELL_NOTHING */
  heddle_session_pages_fn pages; /* NULL: what waits for a page traps */
  void *pages_ctx;
  heddle_session_classes_fn classes;          /* with observe, which has the same ctx, or alone; NULL: as observe */
  const struct heddle_session_copies *copies; /* copied */
};

struct heddle_session_result {
  size_t size; /* sizeof(struct heddle_session_result); of several in an array that of the first */
  enum heddle_session_outcome outcome;
  char message[512];                         /* what went wrong, in words; empty when OK */
  struct heddle_trap trap;                   /* TRAPPED */
  unsigned refuse;                           /* REFUSED by the device: why (enum heddle_refuse) */
  uint64_t cycles;                           /* of the grid, as the device counts them */
  uint64_t first_issue;                      /* the device's cycle; 0: none was seen, or neither lockstep nor a wave */
  uint64_t device_cycles;                    /* clocked for this launch in all */
  uint64_t stopped;                          /* the device's cycle at the end of all that */
  uint64_t insns;                            /* warp instructions retired (model), issued (device) */
  uint32_t counter[HEDDLE_SESSION_COUNTERS]; /* event counters of the device */
  bool has_cache;                            /* that counts */
  struct heddle_checker_stats checked;       /* lockstep */
  struct heddle_checker_difference difference; /* DIFFERENCE */
  struct heddle_axi_mem_stats memory;          /* since the device was opened */
  uint64_t wave_from;   /* wave_last: the cycle of the device in which the wave begins; 0: there is none */
  char wave_wrong[160]; /* why there is none after a failure, or that it does not show the same one; else empty */
  uint64_t
      failed; /* the device's cycle of the record that differs or traps; of a trap without records when it was seen */
};

/* Load the device of such sessions, which have one, now (heddle_dut_keep). */
HEDDLE_API enum heddle_error heddle_session_keep_device(const struct heddle_session_config *c,
                                                        struct heddle_message *msg);
/* Errors are heddle_dut_open's and heddle_trace_create's, and INVALID_VALUE: no session is like that. */
HEDDLE_API enum heddle_error heddle_session_open(const struct heddle_session_config *c, struct heddle_session **out,
                                                 struct heddle_message *msg);
/* FILE: a trace or stream could not be completed; the session is gone all the same. NULL is fine. */
HEDDLE_API enum heddle_error heddle_session_close(struct heddle_session *s, struct heddle_message *msg);

HEDDLE_API uint8_t *heddle_session_memory(struct heddle_session *s);
HEDDLE_API const struct heddle_dut_info *heddle_session_device(const struct heddle_session *s); /* NULL: model alone */

/* From the next launch on AXI accesses there answer with errors, instead of where the configuration said. */
HEDDLE_API void heddle_session_errors(struct heddle_session *s, enum heddle_errors_in in, uint64_t base,
                                      uint64_t limit);

/* Run one grid. `l` is copied; regions must be inside the session's memory. The result also says how it failed. A
 * launch of another release is REFUSED; FAILED: so is the result, which is left alone. A grid in an address space
 * (`pages`): its tables, and all pages that they name, are in the session's memory, which is physical. So are code
 * and constants, with the address of the code in `code`. REFUSED by a machine without an MMU. Neither traces nor
 * errors of memory. */
HEDDLE_API enum heddle_session_outcome heddle_session_run(struct heddle_session *s, const struct heddle_launch *l,
                                                          struct heddle_session_result *r);

/* Run `n` grids, one after the other in the device's queue: the next ones are written while one runs. Each finds memory
 * and the shared cache as the one before has left them. `l` are copied, their code and banks are borrowed and
 * stay as they are; results go to r[n]. The first outcome that is not OK is returned, and those behind it are NOT_RUN.
 * Each grid is judged as by heddle_session_run, with these exceptions. Global memory is compared at the end of all,
 * local memory after the last one. Earlier grids have no event counters, neither compared nor reported (insns is
 * counted from records, in lockstep), nor memory's counts. The busy host (host_seed) does its own launches around all
 * of them.
 * A session runs them one by one, as heddle_session_run, on the model, for a stream, with errors of memory, or without
 * a queue. The same holds for records of a device alone (trace, observe), and for launches without room side by side
 * in HEDDLE_SESSION_RESERVE. */
HEDDLE_API enum heddle_session_outcome heddle_session_run_queue(struct heddle_session *s, const struct heddle_launch *l,
                                                                size_t n, struct heddle_session_result *r);

/* The same as heddle_session_run in pieces, for a host that looks at its grid meanwhile. It is RUNNING when it has been
 * started, unless that failed; each further call lets so many cycles of the device pass, or fewer if it ends. *r is
 * complete when it is no longer RUNNING. */
HEDDLE_API enum heddle_session_outcome heddle_session_start(struct heddle_session *s, const struct heddle_launch *l,
                                                            struct heddle_session_result *r);
HEDDLE_API enum heddle_session_outcome heddle_session_go_on(struct heddle_session *s, uint64_t cycles,
                                                            struct heddle_session_result *r);
/* Stops the running grid: the device is reset, and memory holds the writes that have reached it. Nothing runs:
 * nothing happens. */
HEDDLE_API void heddle_session_give_up(struct heddle_session *s);
/* A session in lockstep, while nothing runs: from the next launch on the model runs alone, and the device is idle;
 * or both again. Memory is carried over to another address: heddle_session_memory has it. Cycles of an alone launch
 * are warp instructions, and heddle_session_go_on runs ahead as heddle_model_go_on does. */
HEDDLE_API void heddle_session_model_alone(struct heddle_session *s, bool alone);
/* From the next launch on, instead of what the configuration said. */
HEDDLE_API void heddle_session_modes(struct heddle_session *s, bool scoreboard, unsigned sched);
/* The event counters of one SM, and of its cache (HEDDLE_SESSION_COUNTERS), as the last launch has left them; no other
 * may have begun. False: a bus error, or no device. */
HEDDLE_API bool heddle_session_counters(struct heddle_session *s, unsigned sm, uint32_t *counter);
/* A host register of the device, while nothing runs. False: a bus error, or no device. */
HEDDLE_API bool heddle_session_read32(struct heddle_session *s, uint32_t reg, uint32_t *value);

/* In heddle_session_pages_fn, while the launch waits: EXCHANGE and INVALIDATE, to their ends. *old: what the entry was.
 * False: memory answers with an error; or the device fails, and with it the launch. */
HEDDLE_API bool heddle_session_exchange(struct heddle_session *s, uint64_t at, uint64_t value, uint64_t *old);
HEDDLE_API bool heddle_session_invalidate(struct heddle_session *s, unsigned what, uint8_t space, uint64_t addr);

/* The checker of the last launch in lockstep, for reports; NULL otherwise. Valid until the next run. */
HEDDLE_API const struct heddle_checker *heddle_session_checker(const struct heddle_session *s);
/* State after the last run; NULL: a device alone. */
HEDDLE_API const struct heddle_model *heddle_session_model(const struct heddle_session *s);
/* Everything about the last run, for people. */
HEDDLE_API void heddle_session_report_text(const struct heddle_session *s, FILE *sink);

/* Check a recorded trace. `code` (may be NULL): the program it must be of. The report goes to `sink` when something
 * differs. */
HEDDLE_API enum heddle_session_outcome heddle_session_check_trace(const char *path, const uint8_t *code,
                                                                  uint32_t code_bytes, heddle_checker_disasm_fn disasm,
                                                                  void *disasm_ctx, struct heddle_session_result *r,
                                                                  FILE *sink);

#ifdef __cplusplus
}
#endif

#endif
