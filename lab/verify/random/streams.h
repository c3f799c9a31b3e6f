/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the random program generator: one function for each directed stream. */
#ifndef HEDDLE_RANDOM_STREAMS_H
#define HEDDLE_RANDOM_STREAMS_H

#include <heddle/hazard.h>
#include <heddle/isa.h>
#include "lab/verify/random/node.h"

bool several_warps_stay(const struct random_program *p); /* of a block, all to its end */
bool constant_fits(const struct random_program *p);
void stream_barrier(struct random_program *p, const struct node *n);
void stream_constant(struct random_program *p, const struct node *n);
void stream_talk(struct random_program *p, const struct node *n);
void stream_crowd(struct random_program *p, const struct node *n);
unsigned trap_lanes(const struct random_program *p); /* of the warp that traps */
/* trap_tail.c: into the tail. trap_control.c, trap_address.c: one cause each. */
void trap_tail(struct random_program *p, unsigned id);
void trap_bad_pc(struct random_program *p, unsigned id);
void trap_divergence(struct random_program *p);
void trap_deadlock(struct random_program *p, unsigned id);
void trap_barrier(struct random_program *p);
void trap_misaligned(struct random_program *p);
void trap_out_of_range(struct random_program *p);
void trap_const_range(struct random_program *p, unsigned d);
void trap_bus(struct random_program *p); /* trap_bus.c: in `out` or a constant bank, in local memory */
void trap_bus_local(struct random_program *p);
/* trap_drain.c: in front of a trap and behind it; in the other warps; loads of more lines than a cache has. */
void trap_under_way(struct random_program *p);
void trap_queue_up(struct random_program *p);
void trap_drains(struct random_program *p, unsigned id);
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
void hazard_find_results(const struct heddle_isa_dec *d, struct hazard_results *r);
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
/* Two or three that write parts of one tuple, then reads of each word of it; what keeps an operand that is then
 * written; rows for every pipe, each of a result just before; several of one unit, used one after the other. */
unsigned hazard_tuple(struct random_program *p, struct heddle_isa_dec *insn, unsigned room);
unsigned hazard_kept(struct random_program *p, struct heddle_isa_dec *insn, unsigned room);
unsigned hazard_rows(struct random_program *p, struct heddle_isa_dec *insn, unsigned room);
unsigned hazard_series(struct random_program *p, struct heddle_isa_dec *insn, unsigned room);
void stream_address(struct random_program *p, const struct node *n);
void stream_number(struct random_program *p, const struct node *n);
void stream_release(struct random_program *p, const struct node *n);
/* Some of the time, and where it fits: YIELD, WARPSYNC, BSYNC and EXIT crossed (stream_cross.c). */
bool stream_cross(struct random_program *p, unsigned id);
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
