/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside session/ only.
 */
#ifndef HEDDLE_SESSION_INTERNAL_H
#define HEDDLE_SESSION_INTERNAL_H

#include <heddle/attach.h>
#include <heddle/config.h>
#include <heddle/host_regs.h>
#include <heddle/session.h>
#include <heddle/trace.h>
#include "cosim/checker/report.h"
#include "isa/lib/message.h"

#define SESSION_BATCH 512u       /* cycles between looks at the device */
#define SESSION_STRETCH 4096u    /* the same in lockstep while blocks are still to start */
#define SESSION_ENDING 16u       /* the same when all blocks have ended, or a trap has been shown */
#define SESSION_PATIENCE 200000u /* cycles without a record, unless the configuration says otherwise */
#define SESSION_DEADLOCK 2000u   /* cycles without a record until a block that could still start has started */
#define AHEAD 4u                 /* records */
#define SESSION_SETTLE 64u       /* cycles without a record until a grid that trapped shows no more */
#define SESSION_HOST 64u         /* more cycles than an access of the host takes */
#define SESSION_HOST_QUEUE 512u  /* the same of a device with a queue */
#define SESSION_QUIET 4096u      /* cycles without a byte after which a stream has nothing more to send */
#define SESSION_LINE 128u        /* bytes of a line, which is written back as one */
#define SESSION_DRAIN 20000u     /* cycles that memory may take to become idle after the end */

#define HOST_SMS 16u /* SMs with counters that the host can read */

#define SNAPSHOTS 2u

struct beside;

/* Launches that follow each other in the device's queue (queue.c), counted from 0; the device's number of launch k is
 * number + 1 + k. */
struct queue {
  bool runs;
  struct heddle_launch *launch; /* as they are placed; checkers borrow them until the next run */
  size_t launches;
  size_t first, all;                    /* the caller's number of launch 0, of how many: for words */
  struct heddle_session_result *result; /* the caller's */
  struct heddle_checker **judged;       /* of launches with cycles that have not been compared yet; else NULL */
  size_t begun;                         /* START has been written of so many */
  size_t front;    /* the launch of the present records; of a device alone, the first not seen to end */
  size_t ended;    /* ENDED_HOW and ENDED_CYCLES have been read of so many */
  uint32_t number; /* LAUNCHES before the first */
  uint32_t how;    /* ENDED_HOW of the last of these */
  uint64_t looked; /* cycle in which ENDED was read last */
};

/* End of the run: given to a snapshot, and its answer at that place. */
struct snapshot_end {
  enum heddle_session_outcome outcome;
  uint64_t launch, cycle;
  struct signature signature; /* of a difference */
  struct heddle_trap trap;    /* of a trap */
};

struct snapshot {
  int pid, line;
  uint64_t cycle; /* of the device, when it was made */
};

/* A host that does more than it must, with its copy of the registers. */
struct host {
  const struct heddle_config *machine; /* NULL: it does not */
  uint64_t rng;
  uint32_t holds[HEDDLE_REG_BYTES / 4]; /* of launch registers: what was written, as far as they keep it */
  bool unknown[HEDDLE_REG_BYTES / 4];
  uint32_t status; /* as it was last seen, or RUNNING */
  uint64_t lost;   /* LOST_ADDR, where it says LOST */
  /* Counters of the running grid, or the last one: as they were last read. */
  uint32_t counter[HOST_SMS][HEDDLE_SESSION_COUNTERS];
  uint64_t cycles;
  bool told; /* STATUS has said LOST */
};

struct heddle_session {
  struct heddle_session_config cfg;
  struct heddle_model *model;
  struct heddle_dut *device;
  bool own_device;
  uint8_t *memory;
  uint8_t *local;              /* local memory at the start of the launch; NULL: none, or it is not compared */
  struct heddle_launch launch; /* a copy of the front one, in a queue */
  struct queue queue;
  struct heddle_checker *checker;
  struct heddle_trace_writer *trace;
  struct heddle_trace_writer *stream; /* what the device sends */
  struct heddle_session_result result;
  bool alone;             /* in lockstep: launches are the model's, and memory is its own */
  uint32_t trap_slot;     /* TRAP_SLOT of its trap */
  uint64_t first_cycle;   /* of the device, when the launch began */
  uint64_t idle_since;    /* cycle of the last sign of progress */
  uint32_t issued;        /* counter, for the watchdog of a device alone */
  uint64_t judged_to;     /* cycle up to which all records have been judged */
  struct beside *beside;  /* the thread that judges, during a run; NULL: there is none */
  bool heddle_trace_open; /* a launch has begun in it */
  bool stream_open;
  bool wave_due;      /* wave_from is still to come */
  uint64_t wave_from; /* the wave begins in this cycle of the device */
  bool wave_failed;
  uint64_t launches;                   /* that have been begun */
  struct heddle_session_copies copies; /* with wave_last */
  struct snapshot snapshot[SNAPSHOTS]; /* oldest first */
  unsigned snapshots;
  bool again; /* this process is one, and goes on to `failure`; on its `line` it says how that has come out */
  int line;
  struct snapshot_end failure;
  struct host host;
  unsigned pages_served;          /* of a launch in an address space: lists of faults so far; */
  bool pages_given, pages_failed; /* of the last one: the host has brought pages; it could not do what it wanted */
};

enum heddle_session_outcome session_say(struct heddle_session *s, enum heddle_session_outcome o, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* session.c */
bool session_model_runs(const struct heddle_session *s); /* alone */
void session_adapt(const struct heddle_session *s,
                   struct heddle_launch *l); /* what the RTL lacks must trap on both sides */
void session_result_clear(struct heddle_session *s);
/* A call ends: its result, also for the snapshots. */
enum heddle_session_outcome session_now(struct heddle_session *s, enum heddle_session_outcome o,
                                        struct heddle_session_result *r);

/* launch.c: host registers. Addresses of code, banks, local memory and errors go to *l. Behind global memory `used`
 * bytes have been given to `n` earlier launches; equal code and banks are shared; returns the number of used bytes. */
uint64_t launch_place(const struct heddle_session *s, const struct heddle_launch *earlier, size_t n,
                      struct heddle_launch *l, uint64_t used);
uint64_t launch_local_bytes(const struct heddle_session *s,
                            const struct heddle_launch *l); /* local memory of all warp slots of all SMs */
/* Adds what the launch may write to `n` of HEDDLE_AXI_MEM_RANGES ranges; false: they are too few. */
bool launch_may_write(const struct heddle_session *s, const struct heddle_launch *l, struct heddle_axi_mem_range *r,
                      unsigned *n);
/* False: result says why. Into the device's memory: global memory, what `n` launches need. */
bool device_load(struct heddle_session *s, const struct heddle_launch *l, size_t n);
/* Writes launch registers, those that change where they hold `before`, and START. */
bool device_start(struct heddle_session *s, const struct heddle_launch *l, const struct heddle_launch *before);
bool device_command(struct heddle_session *s, uint32_t what); /* CONTROL */
bool device_read32(struct heddle_session *s, uint32_t reg, uint32_t *value);
bool device_status(struct heddle_session *s, uint32_t *status);
bool device_outcome(struct heddle_session *s, uint32_t status); /* reads trap, cycles, counters */

/* run.c: heddle_dut_step, and a wave that begins in a certain cycle. The cycles are the same with it and without. */
uint64_t session_step(struct heddle_session *s, uint64_t cycles);

/* run.c: heddle_session_config.wave_last. Nothing happens without it. */
void snapshot_look(struct heddle_session *s); /* between launches or turns: no record is being judged */
void snapshot_launch_over(struct heddle_session *s, enum heddle_session_outcome o);
void snapshots_drop(struct heddle_session *s);

/* check.c */
/* Machine of the session, by the given name, else by its device's; a device of a variant has it in front:
 * "wide_fast". NULL: unknown. */
const struct heddle_config *session_machine(const struct heddle_session *s);
unsigned session_shown(const struct heddle_session *s); /* SMs with records of the device */
void session_cache(const struct heddle_session *s, uint32_t *sectors,
                   uint32_t *promises); /* of the device, or as given */
void checker_machine(struct heddle_checker_config *cfg,
                     const char *name); /* values of the configuration of that name */

/* run.c */
enum heddle_session_outcome run_model_start(struct heddle_session *s);
enum heddle_session_outcome run_model_on(struct heddle_session *s, uint64_t cycles);
enum heddle_session_outcome run_model_launch(struct heddle_session *s); /* so that the model may execute it */
/* A launch on the device, in pieces: RUNNING until it ends. */
enum heddle_session_outcome run_device_start(struct heddle_session *s);
enum heddle_session_outcome run_device_on(struct heddle_session *s, uint64_t cycles);
void run_device_stop(struct heddle_session *s);                   /* it is stopped; memory holds the writes that have
                                                                   * reached it */
enum heddle_session_outcome run_launch(struct heddle_session *s); /* what is in s->launch, to its end */
/* The same, but only so many cycles of it, or until it ends. False: result says why. */
bool launch_for(struct heddle_session *s, uint64_t cycles);
bool launch_on(struct heddle_session *s, uint64_t cycles);       /* and some more */
enum heddle_session_outcome run_sound(struct heddle_session *s); /* neither device nor AXI has failed */

/* queue.c */
const struct heddle_launch *queue_front(const struct heddle_session *s); /* launch of the present records; queue or
                                                                          * not */
bool queue_is_last(const struct heddle_session *s);                      /* it is the last one, or alone */
bool queue_follows(const struct heddle_session *s, const struct heddle_retire_record *r); /* r begins the next one */
/* The front launch has shown its last record in cycle `over`; it is judged, and the next one is in front. */
enum heddle_session_outcome queue_next(struct heddle_session *s, uint64_t over);
/* Ended launches, and STARTs of those with room. *status is RUNNING where some have been written. */
enum heddle_session_outcome queue_begins(struct heddle_session *s); /* the first START has been written */
enum heddle_session_outcome queue_look(struct heddle_session *s, uint32_t *status);
enum heddle_session_outcome queue_over(struct heddle_session *s, uint32_t status); /* no more records come */
bool queue_waited(const struct heddle_session *s);                /* others behind the one that has ended, trapped */
enum heddle_session_outcome queue_stop(struct heddle_session *s); /* nothing waits any more */
void queue_drop(struct heddle_session *s);                        /* no checker borrows its launches any more */

/* pages.c: launches in an address space; others cost nothing */
bool session_pages_allowed(struct heddle_session *s, const struct heddle_launch *l); /* false: result says why not */
enum heddle_session_outcome session_pages_look(struct heddle_session *s, uint32_t status); /* the list of faults */
bool session_pages_serve_model(
    struct heddle_session *s); /* the model has returned HEDDLE_ERROR_FAULTS: it may run again */

/* judge.c: records */
enum heddle_session_outcome
judge_begin(struct heddle_session *s); /* s->launch, in the model, with a checker of its own */
enum heddle_session_outcome judge_trace_begin(struct heddle_session *s);
bool judge_trace_end(struct heddle_session *s); /* also after a failure: the trace then shows it again */
bool judge_trace_next(struct heddle_session *s, uint64_t cycle); /* a launch of a queue ends in it */
enum heddle_session_outcome judge_records(struct heddle_session *s, const struct heddle_retire_record *r, size_t n);
enum heddle_session_outcome judge_taken(struct heddle_session *s); /* what the device has shown since the last call */
enum heddle_session_outcome
judge_difference(struct heddle_session *s); /* what the checker has found becomes the result */

/* end.c: STATUS reports the end of the grid. Checks of that moment, and the host's reads. */
enum heddle_session_outcome end_launch(struct heddle_session *s, uint32_t status);
bool session_read_counters(struct heddle_session *s, unsigned sm, uint32_t *counter); /* those that it has */

/* launch.c: whether the launch had to be refused, and was. */
uint32_t session_refusal(const struct heddle_config *m, const struct heddle_launch *l); /* HEDDLE_REFUSE_ */
enum heddle_session_outcome judge_refusal(struct heddle_session *s,
                                          uint32_t status); /* OK: it was not, and did not have to be */

/* judge.c: what the device sends. False: the file cannot be written. */
enum heddle_error stream_file_open(struct heddle_session *s, const struct heddle_trace_header *h,
                                   struct heddle_message *msg);

/* check.c: the device is another project's core. */
void core_checker(const struct heddle_session *s, struct heddle_checker_config *cfg); /* when its launch begins */
void core_trace_header(const struct heddle_session *s, struct heddle_trace_header *h);
bool core_trace_record(struct heddle_session *s, const struct heddle_retire_record *r);

/* host.c: heddle_session_config.host_seed. Without it nothing is read or written there; the first three are called
 * at every write of a launch register, every START, and every reset. */
void host_wrote(struct heddle_session *s, uint32_t reg, uint32_t value);
void host_begins(struct heddle_session *s); /* START is written next */
void host_was_reset(struct heddle_session *s);
enum heddle_session_outcome host_before(struct heddle_session *s);
enum heddle_session_outcome host_started(struct heddle_session *s);
enum heddle_session_outcome host_meanwhile(struct heddle_session *s, uint32_t *status); /* may read STATUS again */
enum heddle_session_outcome host_after(struct heddle_session *s);                       /* it has ended, or trapped */

/* judge.c: a thread that judges. beside_wait reports its findings; from beside_give on only that thread may use the
 * checker, the model, the trace or the result. The records stay until then. */
struct beside *beside_new(struct heddle_session *s); /* NULL: there is no thread to be had */
void beside_give(struct beside *b, const struct heddle_retire_record *r, size_t n); /* nothing is being judged */
enum heddle_session_outcome beside_wait(struct beside *b);
void beside_free(struct beside *b);

#endif
