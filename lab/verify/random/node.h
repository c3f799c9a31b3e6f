/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the random program generator: the tree and the numbers. */
#ifndef HEDDLE_RANDOM_NODE_H
#define HEDDLE_RANDOM_NODE_H

#include <heddle/isa_tables.h>
#include "lab/verify/random/knobs.h"
#include "lab/verify/random/random_program.h"

#define NODES_MAX 4096u
#define NO_NODE 0xffffffffu

/* Registers of a random program. */
enum {
  REG_THREAD = 0, /* global thread number */
  REG_OWN = 2,    /* pair: this thread's record is OWN_AT bytes behind it */
  REG_SHARED = 4, /* this thread's 16 bytes of shared memory are SHARED_AT behind it */
  REG_LANE = 5,
  REG_WARP_SHARED = 6, /* byte offset of this warp's 128 bytes of shared memory */
  REG_WARP_INDEX = 7,  /* of the block */
  REG_DATA = 8,        /* first of the random ones */
  REG_DATA_COUNT = 24,
  REG_WARP = 32,    /* pair: this warp's 128 bytes of scratch, shared by its lanes; its locks are after them */
  REG_RETURN = 34,  /* pair */
  REG_ADDRESS = 36, /* quad: addresses made on the way */
  REG_LOOP = 40,    /* 40, 41, 42: loop counters by depth */
  REG_SAVED = 43,   /* 43, 44, 45: masks of convergence barriers by depth; 46, 47, 48: of functions */
  REG_STACK = 49,   /* recursion: local address of saved return addresses, then how deep to go */
  REG_DEPTH = 50,
  REG_STREAM = 52, /* two quads for directed streams */
  REG_COUNT = 60
};
#define PRED_DATA_COUNT 6u /* P0-P5 are random, P6 is for control; of uniform ones all are random */
#define UREG_DATA_COUNT 8u /* UR0-UR7 are random; UR16 and UR17 for addresses */

/* Memory: a record for each warp of the grid, then the grid's own: counters, locks. A warp's record: bytes that its
 * lanes share, its locks, a record for each lane; that: scratch, results. */
#define SCRATCH_COUNTER_BYTES 64u
#define SCRATCH_GRID_BYTES 128u
#define BANK_LINE 64u         /* of constants and code: an error is one of the whole line */
#define ERROR_BYTES 128u      /* at the end, of programs that are meant to end with a bus error */
#define ERROR_BEHIND 512u     /* where lanes of such an access go that meet none */
#define NEIGHBOUR_BYTES 1024u /* one for each thread of a grid; of one with more of them, as many as it has */
#define NEIGHBOUR_GAP 32u     /* what keeps them off sectors */
#define CROWD_AREAS 2u
#define WINDOW_SHARED 0x1000000u /* upper words of generic addresses */
#define WINDOW_LOCAL 0x2000000u
#define SCRATCH_THREAD_BYTES 64u
#define SCRATCH_WARP_BYTES 128u
#define SCRATCH_LOCK_BYTES 64u /* of a warp; a lock is two words: its owner, the number of its acquisitions */
#define MAIL_AT (SCRATCH_WARP_BYTES + SCRATCH_LOCK_BYTES)
#define MAIL_BYTES 192u /* of a warp, for streams: a word for each lane, then a flag */
#define MAIL_FLAG 128u
#define OWN_AT (MAIL_AT + MAIL_BYTES)
#define LOCKS 8u
#define SHARED_THREAD_BYTES 16u
#define SHARED_WARP_BYTES 128u
#define SHARED_AT SHARED_WARP_BYTES
#define WARP_SHARED_BYTES (SHARED_WARP_BYTES + 32 * SHARED_THREAD_BYTES)
#define LOCAL_BYTES 32u
#define LOCAL_STACK_BYTES 32u /* of recursion, behind LOCAL_BYTES */
#define LOCAL_ERROR_BYTES 32u /* behind these, of programs that are meant to end with a bus error there */
#define BANK0_BYTES 0x170u    /* launch sizes and the parameters */
#define INPUT_WORDS 1024u
#define NUMBER_BYTES 3072u /* of each class, for stream_number.c: behind the words */
#define NUMBERS_AT ((INPUT_WORDS + INPUT_TAIL_WORDS) * 4u)
#define INPUT_TAIL_WORDS 32u /* a thread's first data may start at any of the INPUT_WORDS */
/* Results of a thread: data registers; predicates and uniform state; 16 bytes of shared or local memory. */
#define OUT_THREAD_BYTES (REG_DATA_COUNT * 4u + 16u + 16u)
#define THREAD_BYTES (SCRATCH_THREAD_BYTES + OUT_THREAD_BYTES)
#define WARP_BYTES (OWN_AT + 32 * THREAD_BYTES)

enum node_kind {
  NODE_LIST,
  NODE_LINE,
  NODE_IF,
  NODE_LOOP,
  NODE_CALL,
  NODE_JUMP,
  NODE_BARRIER,
  NODE_CONTROL,
  NODE_LOCK,   /* lanes take a lock one after the other */
  NODE_SAVE,   /* a convergence barrier is saved, used for something else, and brought back */
  NODE_SHARE,  /* its: two arms meet at one convergence barrier, each at a place of its own */
  NODE_SYNC,   /* its: likewise by WARPSYNC */
  NODE_LEAVE,  /* only a choice: a line that lets lanes exit */
  NODE_MATRIX, /* only a choice: a line for whole warps */
  NODE_STREAM  /* directed: written by its stream from its seed */
};

/* Place of a line. Under `its` the order of a warp's paths is open, and the effect of one path must not depend on
 * another. So arms keep away from state shared by the lanes of a warp, and from YIELD, which lets lanes go on
 * without those that they wait for. In functions paths of several callers may become one for a while: no operations
 * across lanes. */
enum place { PLACE_ANY, PLACE_ARM, PLACE_FUNCTION };

struct stream;

struct node {
  enum node_kind kind;
  bool removed;
  uint32_t child, child2, next; /* NO_NODE = none; child2: the else arm */
  uint32_t id;                  /* labels */
  uint8_t depth, pred, trips, style;
  uint8_t lock;
  const struct stream *stream;
  uint64_t seed;
  char text[320]; /* NODE_LINE, NODE_CONTROL: one or more lines */
};

/* The last code of a program that is meant to trap there. */
enum tail {
  TAIL_NONE,
  TAIL_OPEN,  /* it ends without a jump: lanes run beyond the code */
  TAIL_ERRORS /* its last words are answered with errors; without them it returns */
};
/* From that word on, so many of a tail in error return lanes with P6. The first is in front of the errors, in whatever
 * line the code ends; the others often. */
#define TAIL_BACK 2u
#define TAIL_BACKS 3u
#define TAIL_WORDS 8u /* before the return: more than errors reach (a line of 64 bytes, and the words before it) */

struct random_program {
  struct random_limits limits;
  struct random_knobs knobs;
  struct random_launch launch;
  uint64_t rng;
  struct node *node;
  uint32_t nodes, body;
  uint32_t function[2]; /* lists */
  uint32_t constant[64];
  uint32_t regs, pad;             /* more registers and shared memory than needed; 0: as few as it takes */
  uint32_t shared_edge;           /* bytes at the end of a block's shared memory that stream_edge.c alone uses */
  uint32_t local_more;            /* bytes of local memory behind the stack that stream_crowd.c alone uses */
  uint32_t spread;                /* bytes of shared memory of a warp for conflicts of many passes; 0: there are none */
  enum place place;               /* of the line that is being made */
  bool dense;                     /* few registers, so that most instructions depend on each other */
  bool related;                   /* operands are those that stream_number.c has made: */
  unsigned related_at;            /* which word of its quads */
  uint32_t related_value;         /* what immediates are near to */
  unsigned crowd_banks, crowd_at; /* not 0: registers of so many banks, from that one on (stream_hazard.c) */
  bool brief;                     /* many blocks of a few instructions each */
  bool fills;                     /* blocks of one to three warps, for every warp of the machine and some more */
  bool tall;                      /* a block's last dimensions are large */
  bool exact;                     /* blocks side by side take registers or shared memory to the last one */
  bool leaves;                    /* lanes may exit anywhere */
  bool machine;                   /* may read machine-specific values */
  bool races;                     /* asynchronous copies need not be awaited */
  uint8_t *input, *bank[4];
  uint32_t bank_used[4]; /* bytes of banks 1 and 2; after them what answers with errors (trap_address.c) */
  enum tail tail;
  uint8_t last;        /* which of several instructions is the last one of the code (stream_flow.c) */
  unsigned error_word; /* of local memory, where errors are there */
  bool at_edge;        /* what traps does so at an edge (stream_edge.c) */
  char *text;
  size_t used, room;
  bool out_of_memory;
};

/* A directed stream: a run of instructions with one aim, where all lanes of a warp are together, and all warps of a
 * block. It is written again from the node's seed each time. */
struct stream {
  enum knob weight;
  bool (*fits)(const struct random_program *p); /* NULL: always */
  void (*write)(struct random_program *p, const struct node *n);
  unsigned executed; /* about so many instructions a warp */
};

unsigned random_below(struct random_program *p, unsigned n); /* 0 .. n-1 */
bool random_chance(struct random_program *p, unsigned percent);
bool random_knob_chance(struct random_program *p, enum knob k);
unsigned random_between(struct random_program *p, enum knob range);
/* One of `n` knobs by their weights; the first one if all are zero. */
unsigned random_pick(struct random_program *p, const enum knob *of, unsigned n);
unsigned random_data(struct random_program *p);                    /* a data register */
unsigned random_related(struct random_program *p, unsigned words); /* while p->related: a source */
uint32_t random_edge(struct random_program *p);                    /* numbers at which arithmetic changes its mind */
bool random_has_uniform(const struct random_program *p);           /* a machine with unit uni */
unsigned random_threads(const struct random_program *p);           /* of a block */
unsigned random_warps(const struct random_program *p);
unsigned random_blocks(const struct random_program *p);
unsigned random_local(const struct random_program *p); /* bytes of local memory, but for those in error */
uint32_t random_local_more(const struct random_limits *l, uint64_t drawn); /* than programs need */
/* Offset in the buffer of the grid's own counters and locks. */
unsigned random_grid_at(const struct random_program *p);
unsigned random_neighbours_at(const struct random_program *p); /* of thread 0 */
/* For stream.crowd: two areas of a word for each lane of so many warps. None where the knob is 0. */
unsigned random_crowd_at(const struct random_program *p);
unsigned random_crowd_bytes(const struct random_program *p);
unsigned random_crowd_warps(const struct random_program *p);
/* Where what stream_share.c uses begins, and how many bytes that is. */
#define SHARE_AREAS 6u
unsigned random_share_at(const struct random_program *p);
unsigned share_bytes(const struct random_program *p);
/* Makes it a program that is meant to trap (stream_trap.c). False: no memory. */
bool random_make_trap(struct random_program *p);
/* The kind of the program's errors: global memory, a constant bank, the code's end (trap_address.c). False: no
 * memory. */
bool random_place_errors(struct random_program *p);
void trap_illegal(struct random_program *p); /* trap_control.c */
/* The last words of the code, and lanes that go to its end (stream_flow.c): */
bool code_ends_by_exit(const struct random_program *p); /* its last word is the end of the program */
void code_end_write(struct random_program *p);
void code_end_spared(struct random_program *p, unsigned id, unsigned n); /* the n-th of node `id`: never executed */
void code_end_trap(struct random_program *p);
void code_end_enter(struct random_program *p); /* before the jump to a tail that is open; its first words, its last */
void code_end_back(struct random_program *p);
void code_end_open(struct random_program *p);
/* The code of p->tail, after all other (trap_control.c). */
void random_write_tail(struct random_program *p);
/* Sizes of blocks and grids, memory, input (random_launch.c). False: no memory. */
bool random_make_launch(struct random_program *p);

/* A random instruction, neither memory nor control, as text (random_insn.c). */
void random_insn(struct random_program *p, char *buf, size_t size);
/* A random instruction for the scheduler without an effect at any place (random_control.c). */
void random_hint(struct random_program *p, char *buf, size_t size);
/* Random control instructions for a place that all lanes of a warp reach together, and all warps of a block. */
void random_control(struct random_program *p, char *buf, size_t size);
/* One of a unit that the machine has: neither mem nor br nor tensor. */
void random_insn_unit(struct random_program *p, unsigned unit, char *buf, size_t size);
/* Lines that move a register to another one; a unit that is drawn executes the last of them. `alike`: all lanes have
 * the same value, below 2^23 in any case (stream_aim.c). */
void random_carry(struct random_program *p, char *buf, size_t size, unsigned to, unsigned from, bool alike);
/* One of a floating-point format (ISA_IMM_F32, ...), conversions among them, for numbers of every class. */
void random_insn_number(struct random_program *p, unsigned format, char *buf, size_t size);
/* NUMBER_BYTES of them (stream_number.c). */
void random_fill_numbers(struct random_program *p, uint8_t *at);
/* The same of unit tensor, for a place that all 32 lanes of a warp reach together (used by random_insn.c). */
void random_insn_tensor(struct random_program *p, char *buf, size_t size);
/* Does the machine have such a unit, and the RTL an instruction for it? */
bool random_has(const struct random_program *p, unsigned unit);
/* Matrices, for a place that all lanes of a whole warp reach together (random_insn.c). */
void random_matrix(struct random_program *p, char *buf, size_t size);
/* Names in the fields of the encoding: barriers of a block, convergence barriers; and the multiple of 16 in a field
 * nearest to an offset. */
static inline unsigned random_barriers(void) {
  return (unsigned)heddle_isa_field_most(ISA_F_BARID) + 1;
}
static inline unsigned random_bregs(void) {
  return heddle_isa_convergence_barriers();
}
static inline int random_in_field(enum heddle_isa_field f, int offset) {
  const int most = (int)heddle_isa_field_most(f) & ~15;
  return offset > most ? most : offset < -most ? -most : offset;
}

/* The offset of accesses to the 8 bytes that are `at` behind the register pair. An offset beyond the field is added to
 * the pair, by the text in buf (else ""); `one`: a register for that. */
unsigned random_reach(char *buf, size_t size, unsigned pair, unsigned one, unsigned at);
/* Has every warp of a block 32 threads? */
bool random_whole_warps(const struct random_program *p);
/* A random read-modify-write of `what` (ATOMG.E, ATOM.E, ATOMS, RED.E) at `place`, which is aligned to `bytes`;
 * `exact`: of all of them. */
/* Words that no other store of the program and no other thread has, as often as address.unique says. */
void random_make_unique(struct random_program *p, unsigned reg, unsigned words);
void random_atomic(struct random_program *p, char *buf, size_t size, const char *guard, const char *what,
                   const char *place, unsigned bytes, bool exact);
/* One with lanes that may go to global, shared and local memory. */
void random_generic(struct random_program *p, char *buf, size_t size);
/* A random load of constants into uniform registers, for a place that all lanes reach together (random_memory.c). */
void random_uniform_load(struct random_program *p, char *buf, size_t size);
/* Has the machine asynchronous copies? A few instructions with them (random_memory.c). */
bool random_has_async(const struct random_program *p);
/* A random memory access that no other warp can see the order of (random_memory.c). */
void random_memory(struct random_program *p, char *buf, size_t size);

void random_emit(struct random_program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void random_write(struct random_program *p); /* the whole text (random_write.c) */
void random_write_list(struct random_program *p, uint32_t list, bool in_function);
void random_write_end(struct random_program *p); /* after the results: exits at different times (random_control.c) */
/* A kernel with registers counted beforehand: the last one is used in front of the last EXIT. */
void random_write_last(struct random_program *p);
unsigned random_levels(bool in_function); /* how deep nodes nest: each has two convergence barriers */
/* Nodes of these kinds; b: the first of two convergence barriers (random_control.c). */
void random_write_lock(struct random_program *p, const struct node *n, unsigned b, bool in_function);
void random_write_save(struct random_program *p, const struct node *n, unsigned b, bool in_function);
void random_write_share(struct random_program *p, const struct node *n, unsigned b, bool in_function);
void random_write_sync(struct random_program *p, const struct node *n, unsigned b);
#endif
