/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the random program generator: one function for each directed stream. */
#ifndef HEDDLE_RANDOM_STREAMS_H
#define HEDDLE_RANDOM_STREAMS_H

#include <heddle/isa.h>
#include "verify/random/node.h"

bool several_warps_stay(const struct random_program *p); /* of a block, all to its end */
bool constant_fits(const struct random_program *p);
void stream_barrier(struct random_program *p, const struct node *n);
void stream_constant(struct random_program *p, const struct node *n);
void stream_talk(struct random_program *p, const struct node *n);
void stream_crowd(struct random_program *p, const struct node *n);
unsigned trap_lanes(const struct random_program *p); /* of the warp that traps */
void trap_bus(struct random_program *p);             /* trap_bus.c: in `out` or a constant bank, in local memory */
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
unsigned hazard_take(const char *lines, struct isa_dec *insn, unsigned room);
/* One that writes, and one that reads its result some instructions later. How many words, up to `room`; 0: none fit. */
unsigned hazard_aim(struct random_program *p, struct isa_dec *insn, unsigned room);
void stream_address(struct random_program *p, const struct node *n);
void stream_number(struct random_program *p, const struct node *n);
void stream_release(struct random_program *p, const struct node *n);
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
