/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside threads/ only. Written from isa/doc; control flow, predication, participation and memory are this folder's
 * own. The model lends pure functions of values alone (heddle/value.h): arithmetic is not what is judged here.
 */
#ifndef THREADS_INTERNAL_H
#define THREADS_INTERNAL_H

#include <heddle/isa_tables.h>
#include <heddle/trace.h>
#include <heddle/value.h>
#include "lab/verify/oracle/threads/threads.h"

#define LANES 32u
#define BARRIERS 16u
#define MEET_W BARRIERS /* the barrier of WARPSYNC */

/* An instruction, looked at once. */
struct step {
  bool looked, legal, meets; /* meets: threads of a path do it together */
  uint8_t bytes;             /* up to the next one */
  struct heddle_isa_dec d;
};

struct thread {
  uint32_t pc, r[256], tid[3];
  bool p[8]; /* p[7] is true */
  bool exited;
  uint8_t park;     /* barrier + 1 at which it waits, 0: none */
  uint32_t park_pc; /* ... and where */
  uint8_t *local;
};

/* Threads that go together: which lanes. All have one PC. */
struct path {
  uint32_t who;
};

struct warp {
  struct thread t[LANES];
  struct path path[LANES + 1];
  unsigned paths;           /* those that can go on; the last one is the youngest */
  uint32_t b[BARRIERS + 1]; /* members */
  uint32_t ur[64];
  bool up[8];
  bool waiting;
  unsigned index;
  uint64_t clock;
};

struct meeting {
  uint64_t came;
  uint32_t warps, votes, voters; /* warps: expected, 0: all that live */
  bool open;
};

struct machine {
  const struct threads_options *o;
  struct threads_result *r;
  const struct heddle_trace_header *h;
  const struct heddle_launch *l;
  struct step *code;
  uint8_t *memory, *shared;
  uint64_t base, bytes;
  struct warp *warp; /* of the block that runs */
  unsigned warps;
  uint32_t ctaid[3];
  struct meeting bar[BARRIERS];
  uint64_t steps, most, dice;
  bool trapped, arrived; /* arrived: a warp has come to a barrier since it was last looked at */
};

/* Both return false. trap: the program did what traps; its launch is not judged. */
bool threads_wrong(struct machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool threads_trap(struct machine *m, const char *why, uint32_t pc);

/* value.c: operands, arithmetic. `who`: lanes that do it together (uniform instructions: lane 0 for the warp). */
bool threads_value(struct machine *m, struct warp *w, const struct step *s, uint32_t who);
uint32_t threads_operand(const struct machine *m, const struct warp *w, const struct heddle_isa_dec *d, unsigned slot,
                         unsigned k, unsigned lane);
bool threads_guard(const struct warp *w, const struct heddle_isa_dec *d, unsigned lane);
bool threads_source(const struct warp *w, const struct heddle_isa_dec *d, unsigned k, unsigned lane);
void threads_set(struct warp *w, const struct heddle_isa_dec *d, unsigned k, unsigned lane, uint32_t value);
void threads_set_pred(struct warp *w, const struct heddle_isa_dec *d, unsigned k, unsigned lane, bool value);

/* access.c: memory; exec in ascending lanes. */
bool threads_access(struct machine *m, struct warp *w, const struct step *s, uint32_t exec);
bool threads_constant(struct machine *m, struct warp *w, const struct step *s, unsigned lane);

/* access.c: what lanes say to each other. */
bool threads_talks(const struct heddle_isa_dec *d);
void threads_talk(const struct machine *m, struct warp *w, const struct heddle_isa_dec *d, uint32_t exec);

/* flow.c: where threads go. p: the path that meets, no longer among the warp's; what remains of it goes back. */
void threads_push(struct warp *w, uint32_t who);
uint32_t threads_live(const struct warp *w);

/* threads.c: barriers between warps, blocks. */
bool threads_barrier(struct machine *m, struct warp *w, const struct step *s, uint32_t who, uint32_t exec);

/* flow.c: one path until it meets. */
bool threads_turn(struct machine *m, struct warp *w);

#endif
