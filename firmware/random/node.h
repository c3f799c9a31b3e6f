/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the random program generator: the tree and the numbers. */
#ifndef HEDDLE_RANDOM_NODE_H
#define HEDDLE_RANDOM_NODE_H

#include "random_program.h"

#define NODES_MAX 4096u
#define NO_NODE 0xffffffffu

/* Registers of a random program. Below R8: fixed meaning. */
enum {
  REG_THREAD = 0,  /* global thread number */
  REG_OUT = 2,     /* pair: this thread's results */
  REG_SCRATCH = 4, /* pair: this thread's 64 bytes */
  REG_SHARED = 6,  /* byte offset of this thread's 16 bytes of shared memory */
  REG_LANE = 7,
  REG_DATA = 8, /* first of the random ones */
  REG_DATA_COUNT = 24,
  REG_WARP = 32,        /* pair: this warp's 128 bytes of scratch, shared by its lanes; its locks lie after them */
  REG_INPUT = 34,       /* pair */
  REG_ADDRESS = 36,     /* quad: addresses made on the way */
  REG_LOOP = 40,        /* 40, 41, 42: loop counters by depth */
  REG_WARP_SHARED = 43, /* byte offset of this warp's 128 bytes of shared memory */
  REG_RETURN = 44,      /* pair */
  REG_SAVED = 46,       /* 46, 47, 48: masks of convergence barriers by depth; 49, 50, 51: of functions */
  REG_COUNT = 52
};
#define PRED_DATA_COUNT 6u  /* P0-P5 are random, P6 is for control; of uniform ones all are random */
#define UREG_DATA_COUNT 16u /* UR0-UR15 are random; UR16 for addresses */

/* Of the whole grid: counters, then locks. */
#define SCRATCH_COUNTER_BYTES 64u
#define SCRATCH_GRID_BYTES 128u
#define SCRATCH_THREAD_BYTES 64u
#define SCRATCH_WARP_BYTES 128u
#define SCRATCH_LOCK_BYTES 64u /* of a warp; a lock is two words: who has it, how often it was taken */
#define LOCKS 8u
#define SHARED_THREAD_BYTES 16u
#define SHARED_WARP_BYTES 128u
#define LOCAL_BYTES 64u
#define INPUT_WORDS 1024u
/* What a thread leaves behind: data registers, predicates, its shared bytes, its word of the warp's shared bytes, its
 * local memory, its warp's uniform registers and predicates. */
#define OUT_THREAD_BYTES ((REG_DATA_COUNT + 1 + 4 + 1 + UREG_DATA_COUNT + 1) * 4u + LOCAL_BYTES)

enum node_kind {
  NODE_LIST,
  NODE_LINE,
  NODE_IF,
  NODE_LOOP,
  NODE_CALL,
  NODE_JUMP,
  NODE_BARRIER,
  NODE_CONTROL,
  NODE_LOCK,  /* lanes take a lock one after the other */
  NODE_SAVE,  /* a convergence barrier is saved, used for something else, and brought back */
  NODE_SHARE, /* its: two arms meet at one convergence barrier, each at a place of its own */
  NODE_SYNC   /* its: likewise by WARPSYNC */
};

/* Where a line stands. Under `its` the order of a warp's paths is open, and what one path does must not depend on
 * another: arms keep away from what the lanes of a warp share, and from YIELD, which lets lanes go on without those
 * that they wait for. In functions paths of several callers may become one for a while: no operations across lanes. */
enum place { PLACE_ANY, PLACE_ARM, PLACE_FUNCTION };

struct node {
  enum node_kind kind;
  bool removed;
  uint32_t child, child2, next; /* NO_NODE = none; child2: the else arm */
  uint32_t id;                  /* labels */
  uint8_t depth, pred, trips, style;
  uint8_t lock;
  char text[320]; /* NODE_LINE, NODE_CONTROL: one or more lines */
};

struct random_program {
  struct random_limits limits;
  struct random_launch launch;
  uint64_t rng;
  struct node *node;
  uint32_t nodes, body;
  uint32_t function[2]; /* lists */
  uint32_t constant[64];
  enum place place; /* of the line that is being made */
  uint8_t ending;
  char *text;
  size_t used, room;
  bool out_of_memory;
};

unsigned random_below(struct random_program *p, unsigned n); /* 0 .. n-1 */
bool random_chance(struct random_program *p, unsigned percent);
bool random_has_uniform(const struct random_program *p); /* a machine with unit uni */

/* A random instruction, neither memory nor control, as text (random_insn.c). */
void random_insn(struct random_program *p, char *buf, size_t size);
/* A random instruction for the scheduler that changes nothing, wherever it stands (random_control.c). */
void random_hint(struct random_program *p, char *buf, size_t size);
/* Random control instructions for a place that all lanes of a warp reach together, and all warps of a block. */
void random_control(struct random_program *p, char *buf, size_t size);
/* The same of unit tensor, for a place that all 32 lanes of a warp reach together (random_matrix.c asks for it). */
void random_insn_tensor(struct random_program *p, char *buf, size_t size);
/* Does the machine have such a unit, and the RTL an instruction for it? */
bool random_has(const struct random_program *p, unsigned unit);
/* Matrices, for a place that all lanes of a whole warp reach together (random_matrix.c). */
void random_matrix(struct random_program *p, char *buf, size_t size);
/* Has every warp of a block 32 threads? */
bool random_whole_warps(const struct random_program *p);
/* A random load of constants into uniform registers, for a place that all lanes reach together (random_memory.c). */
void random_uniform_load(struct random_program *p, char *buf, size_t size);
/* A random memory access that no other warp can see the order of (random_memory.c). */
void random_memory(struct random_program *p, char *buf, size_t size);

void random_emit(struct random_program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void random_write(struct random_program *p); /* the whole text (random_write.c) */
void random_write_list(struct random_program *p, uint32_t list, bool in_function);
/* Nodes of these kinds; b: the first of two convergence barriers (random_flow.c). */
void random_write_lock(struct random_program *p, const struct node *n, unsigned b, bool in_function);
void random_write_save(struct random_program *p, const struct node *n, unsigned b, bool in_function);
void random_write_share(struct random_program *p, const struct node *n, unsigned b, bool in_function);
void random_write_sync(struct random_program *p, const struct node *n, unsigned b);
/* The end of the kernel: some lanes leave first. */
void random_write_ending(struct random_program *p, void (*results)(struct random_program *p));

#endif
