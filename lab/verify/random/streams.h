/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the random program generator: windows of memory, and accesses at their edges.
 */
#ifndef HEDDLE_LAB_VERIFY_RANDOM_STREAMS_H
#define HEDDLE_LAB_VERIFY_RANDOM_STREAMS_H

#include <heddle/hazard.h>
#include <heddle/isa.h>
#include "lab/verify/random/node.h"

enum space { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL };

struct window {
  enum space space;
  unsigned region;    /* of global memory: which of launch.more; INPUT_REGION: the input */
  uint32_t at, bytes; /* from the buffer's beginning, or of shared or local memory from 0; it ends the space */
  bool writable;
};
#define INPUT_REGION 0xffu

/* One access: LDG, ST, ATOMS ... */
struct window_access {
  char text[24]; /* mnemonic with its suffixes; of atomics without the operation */
  unsigned bytes;
  enum { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOM, ACCESS_RED } kind;
  bool generic;
};

/* Size of a constant bank; 0: it is not there. */
unsigned bank_bytes(const struct random_program *p, unsigned bank);
/* Lanes that have P6 go to `off` of the window, the others to what is their own: R36 (and R37) hold it, less *less.
 * `over`: what is turned in the address's upper word. Emits P6 itself, by `lanes`. */
enum who { WHO_ALL, WHO_SOME, WHO_THREAD, WHO_OF_BLOCK };

/* Traps at an edge, a function for each cause (stream_edge.c). */
void edge_misaligned(struct random_program *p);
void edge_out_of_range(struct random_program *p);
void edge_write_protected(struct random_program *p);
void edge_const_range(struct random_program *p);
void edge_bad_pc(struct random_program *p);

/* Inside the random program generator: one function for each directed stream. */

bool several_warps_stay(const struct random_program *p); /* of a block, all to its end */
bool constant_fits(const struct random_program *p);
void stream_barrier(struct random_program *p, const struct node *n);
void stream_constant(struct random_program *p, const struct node *n);
void stream_talk(struct random_program *p, const struct node *n);
void stream_crowd(struct random_program *p, const struct node *n);
unsigned trap_lanes(const struct random_program *p); /* of the warp that traps */
/* trap_control.c: into the tail. trap_control.c, trap_address.c: one cause each. */
void trap_tail(struct random_program *p, unsigned id);
void trap_bad_pc(struct random_program *p, unsigned id);
void trap_divergence(struct random_program *p);
void trap_deadlock(struct random_program *p, unsigned id);
void trap_barrier(struct random_program *p);
void trap_misaligned(struct random_program *p);
void trap_out_of_range(struct random_program *p);
void trap_const_range(struct random_program *p, unsigned d);
void trap_bus(struct random_program *p); /* trap_address.c: in `out` or a constant bank, in local memory */
void trap_bus_local(struct random_program *p);
/* stream_trap.c: in front of a trap and behind it; in the other warps; loads of more lines than a cache has. */
void trap_under_way(struct random_program *p);
void trap_sweep(struct random_program *p);
void stream_trap(struct random_program *p, const struct node *n);
bool depart_fits(const struct random_program *p);
void stream_depart(struct random_program *p, const struct node *n);
bool hazard_fits(const struct random_program *p);
void stream_hazard(struct random_program *p, const struct node *n);
/* The words of `lines`, which name no labels but the parameters. How many, up to `room`. */
unsigned hazard_take(const char *lines, struct heddle_isa_dec *insn, unsigned room);
/* Places that are written. */
struct hazard_results {
  bool at[HEDDLE_HAZARD_PLACES];
  unsigned n;
};
/* Lines of which the last one writes, of any unit; and such a reader. All lanes and all warps are together. */
void hazard_writer(struct random_program *p, char *buf, size_t size);
void hazard_reader(struct random_program *p, char *buf, size_t size);
/* Makes it read one of the results. False: it has no such operand, or is no word then. */
bool hazard_point_at(struct random_program *p, struct heddle_isa_dec *d, const struct hazard_results *r);
/* Which counter it waits for, and how far, is said where counters are (stream_hazard.c). */
#define HAZARD_ANY_DEPBAR "DEPBAR.LE SB0, 0x0 ;\n"
/* One that touches none of them. */
bool hazard_fill(struct random_program *p, struct heddle_isa_dec *d, const struct hazard_results *r);
/* One that writes, and one that reads its result some instructions later. How many words, up to `room`; 0: none fit. */
unsigned hazard_aim(struct random_program *p, struct heddle_isa_dec *insn, unsigned room);
/* Two or three that write parts of one tuple, then reads of each word of it. An instruction that keeps an operand
 * that is then written. Rows for every pipe, each of a result just before. Several of one unit, used one after the
 * other. */
unsigned hazard_rows(struct random_program *p, struct heddle_isa_dec *insn, unsigned room);
unsigned hazard_series(struct random_program *p, struct heddle_isa_dec *insn, unsigned room);
void stream_address(struct random_program *p, const struct node *n);
void stream_number(struct random_program *p, const struct node *n);
void stream_release(struct random_program *p, const struct node *n);
/* Some of the time, and where it fits: YIELD, WARPSYNC, BSYNC and EXIT crossed (stream_release.c). */
bool ahead_fits(const struct random_program *p);
void stream_ahead(struct random_program *p, const struct node *n);
bool local_fits(const struct random_program *p);
void stream_local(struct random_program *p, const struct node *n);
void stream_edge(struct random_program *p, const struct node *n);
void stream_relation(struct random_program *p, const struct node *n);
void stream_reuse(struct random_program *p, const struct node *n);
bool share_fits(const struct random_program *p);
void stream_share(struct random_program *p, const struct node *n);
void stream_flow(struct random_program *p, const struct node *n);

#endif
