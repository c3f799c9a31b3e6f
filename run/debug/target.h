/* SPDX-License-Identifier: Apache-2.0
 * Target of the debugger: a launch on the model, seen as threads with registers and one memory. A thread is a lane
 * of a live warp; its number counts the threads of the grid from 1. Addresses are generic ones
 * (isa/doc/04-memory.md): shared and local memory have their windows. Constants, and the thread's place in the grid,
 * have windows of the debugger's own. */
#ifndef HEDDLE_DEBUG_TARGET_H
#define HEDDLE_DEBUG_TARGET_H

#include <heddle/debug.h>
#include <heddle/observer.h>
#include "run/job/job.h"

#define TARGET_BREAKS_MAX 1024u
#define TARGET_CONDITION_BYTES 512u
#define TARGET_WATCHES_MAX 16u
#define TARGET_WATCH_BYTES 64u
#define TARGET_REGISTER_BYTES 12u

#define TARGET_SHARED UINT64_C(0x0100000000000000)
#define TARGET_LOCAL UINT64_C(0x0200000000000000)
#define TARGET_CONST UINT64_C(0x0400000000000000) /* bank in bits 39:32 */
#define TARGET_NAMES UINT64_C(0x0500000000000000) /* threadIdx, blockIdx, blockDim, gridDim of the thread, */
#define TARGET_NAMES_STEP 16u                     /* each so many bytes behind the last; three words */
#define TARGET_NAMES_COUNT 4u

enum target_why {
  TARGET_STEPPED,
  TARGET_BREAK,
  TARGET_WATCH,
  TARGET_INTERRUPTED,
  TARGET_FAULT,    /* a trap, something undefined, a deadlock: the model's diagnosis says it */
  TARGET_STUCK,    /* the thread waits for others, which are not to go on */
  TARGET_ENDED,    /* the grid has */
  TARGET_BEGINNING /* backwards: there is no more */
};

enum target_watched { TARGET_WRITES, TARGET_READS, TARGET_ACCESSES }; /* writes: that change something */

struct target_stop {
  enum target_why why;
  uint64_t thread;          /* owning thread; 0: none */
  uint64_t address;         /* TARGET_WATCH: of the place, */
  enum target_watched kind; /* ... and what is watched there */
};

struct target_watch {
  enum target_watched kind;
  uint64_t address;
  size_t bytes;
  unsigned slot, lane; /* thread of the windows: */
  uint64_t thread;     /* of this thread; 0: global memory, which has no owner */
  uint8_t was[TARGET_WATCH_BYTES];
  bool known;   /* `was` is */
  bool touched; /* by an access of its kind, since the last call */
};

struct target_break {
  uint64_t pc;
  uint32_t bytes; /* of its conditions (target.h), each behind its length; any one is enough. 0: it has none */
  uint8_t condition[TARGET_CONDITION_BYTES];
};

/* Lanes that met a breakpoint together with the reported one. gdb evaluates a condition for the reported thread
 * only, so the others are reported after it, one by one, before the warp goes on. */
struct target_others {
  unsigned slot;
  uint32_t lanes;   /* not reported yet */
  uint64_t stepped; /* the thread that gdb believes to be behind the instruction; 0: none */
};

struct history;

struct target {
  const struct heddle_model *m;
  struct heddle_model *own; /* the same; NULL: that of a lockstep run that has ended, which is only looked at */
  const struct job *job;
  unsigned slots; /* warp slots */
  uint64_t now;   /* instructions since the launch */
  uint64_t focus; /* the user's current thread: of several stopped ones, it is reported */
  struct target_others others;
  struct history *history;
  struct target_break brk[TARGET_BREAKS_MAX];
  unsigned breaks;
  uint64_t kept[TARGET_BREAKS_MAX]; /* addresses of those that a person has set; gdb sets others on the way */
  unsigned keeps;
  struct target_watch watch[TARGET_WATCHES_MAX];
  unsigned watches;
  bool (*interrupted)(void *ctx); /* called at times while it runs; may be NULL */
  void *ctx;
  char fault[4096]; /* TARGET_FAULT, TARGET_STUCK: in words */
};

/* The job is launched, `t` observes it (target_observe), no instruction has been executed. False: message in err. */
bool target_begin(struct target *t, struct heddle_model *m, const struct job *job, unsigned slots, char *err, size_t n);
/* Remaining budget of a session. */
void target_freeze(struct target *t, const struct heddle_model *m, const struct job *job, unsigned slots);
void target_end(struct target *t);

/* ---- target.c: threads */
uint64_t target_thread(const struct target *t, unsigned slot, unsigned lane);              /* a live warp's */
bool target_find(const struct target *t, uint64_t thread, unsigned *slot, unsigned *lane); /* false: not live */
uint64_t target_first(const struct target *t);                                             /* 0: no live thread */
uint32_t target_pc(const struct target *t, unsigned slot, unsigned lane);
uint32_t target_lanes(const struct target *t, unsigned slot); /* that have not exited; 0: no warp */
const char *target_name(const struct target *t, unsigned slot, unsigned lane, char *text, size_t n);

/* ---- target.c: registers */
struct target_register {
  char name[16];
  const char *type, *group; /* of a target description */
  unsigned bytes;
};
enum target_known { TARGET_NO_REGISTER, TARGET_UNKNOWN, TARGET_KNOWN };
#define TARGET_PC 32u /* in front of it: registers of gdb's architecture */
/* By number, from 0; false: there are no more. */
bool target_register(const struct target *t, unsigned number, struct target_register *r);
enum target_known target_read(const struct target *t, unsigned slot, unsigned lane, unsigned number,
                              uint8_t out[TARGET_REGISTER_BYTES]);
bool target_write(struct target *t, unsigned slot, unsigned lane, unsigned number, const uint8_t *in);

/* ---- target.c: memory, as the thread sees it. How many bytes from the first on exist */
size_t target_look(const struct target *t, unsigned slot, unsigned lane, uint64_t address, uint8_t *out, size_t n);
bool target_put(struct target *t, unsigned slot, unsigned lane, uint64_t address, const uint8_t *in, size_t n);

/* ---- stops.c */
/* One of an address; another condition takes the place of that which was there. False: there are too many. */
bool target_break(struct target *t, const struct target_break *b, bool set);
/* A person's command begins: the breakpoints that there are now are hers. */
void target_keep_breaks(struct target *t);
bool target_is_kept(const struct target *t, uint32_t pc);
/* The place as this thread sees it. */
bool target_watch(struct target *t, unsigned slot, unsigned lane, const struct target_watch *w, bool set);
/* Lanes among these of warp slot w, at pc, that a breakpoint stops; a condition that cannot be computed stops. */
uint32_t target_breaks(const struct target *t, unsigned w, uint32_t pc, uint32_t lanes);
/* Was a watched place met since the last call? Then *stop says which. */
bool target_met(struct target *t, struct target_stop *stop);
/* The model's observer, with the target as ctx. */
uint32_t target_observe(void *ctx, const struct heddle_observed_access *a);

/* ---- resume.c */
/* Runs to the next stop. Step: the thread executes one instruction (with first < last: all of those in [first,
 * last)). Other warps go on when its warp waits for them, or has had a turn of its own. */
struct target_stop target_continue(struct target *t);
struct target_stop target_step(struct target *t, uint64_t thread, bool others, uint64_t first, uint64_t last);
struct target_stop target_back(struct target *t, uint64_t thread, bool step); /* the same backwards */
/* gdb goes on from the last reported stop, which the user has not seen: reports the next of the lanes. alone: thread
 * `thread` seems to step over the breakpoint by itself, and the next call reports. False: no lane is left, the warp
 * may go on. */
bool target_tell_next(struct target *t, uint64_t thread, bool alone, struct target_stop *stop);

/* History of a launch: the order of turns, and at times the whole state. The model is deterministic: a moment is the
 * last saved state before it, and the turns from there on. */

#define HISTORY_TURN 512u /* instructions before the next warp has its turn, as heddle_model_run has them */

struct history *history_new(const struct target *t); /* t->now is its beginning; NULL: no memory */
void history_free(struct history *h);

/* The user has changed the state: earlier history does not lead to it. */
void history_changed(struct history *h, const struct target *t);

/* Back to the state before instruction `time` (at most t->now); later history is dropped. False: that state is no
 * longer held, or cannot be restored. */
bool history_go(struct history *h, struct target *t, uint64_t time);
uint64_t history_beginning(const struct history *h); /* the first moment that is known */

/* Instruction after instruction of the past, the saved states backwards: `before` sees the state in front of each,
 * `after` that behind it; the last moment for which either says true. False: there is none. `t` is then anywhere:
 * history_go is next. */
struct history_look {
  bool (*before)(struct target *t, unsigned w, void *ctx);
  bool (*after)(struct target *t, unsigned w, void *ctx);
  void (*begin)(struct target *t, void *ctx); /* at each saved state */
  void *ctx;
};

/* gdb's agent expressions: conditions of breakpoints as code of a small stack machine, evaluated for each lane at
 * the breakpoint. The code is not to be trusted. */

/* As the thread sees it. False: it cannot be computed. */
bool agent_evaluate(const struct target *t, unsigned slot, unsigned lane, const uint8_t *code, size_t bytes,
                    uint64_t *value);

#endif
