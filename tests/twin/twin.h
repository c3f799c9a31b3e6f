/* SPDX-License-Identifier: Apache-2.0
 *
 * A random program as a tree, which is written both as PTX and as C.
 *
 * The kernel: every thread of a few blocks fills its registers from an input buffer, runs a random body, and at the end
 * stores its registers. The body has operations of table.h, private memory of all spaces, control flow of one thread,
 * functions. Threads together do warp operations, exchanges through shared memory between barriers, atomics in no
 * visible order. Registers are always written before they are read, so any node can be left out.
 */
#ifndef TWIN_H
#define TWIN_H

#include <stdio.h>

#include "tests/twin/table.h"

enum {
  TWIN_IN_BYTES = 4096 + 2304, /* integers, f32, f64, f16: a kilobyte each, then what offsets may reach */
  TWIN_OUT_SCRATCH = 128,
  TWIN_OUT_BYTES = 128 + 8 * 64, /* of a thread */
  TWIN_CELLS = 8,                /* of 8 bytes, in shared memory and in the accumulator buffer */
  TWIN_SLOT = 64,                /* bytes of shared memory a thread, of local memory */
  TWIN_CONST = 256,
  TWIN_PARAMS = 4, /* of 8 bytes, behind the buffers */
  TWIN_FUNCTIONS = 3,
  TWIN_NODES = 6000,
  TWIN_CLASSES = 9,
  TWIN_NONE = 0xff
};
#define TWIN_NO_NODE UINT32_MAX
static const char twin_classes[TWIN_CLASSES + 1] = "hernxdfgp";

enum twin_kind {
  N_LIST,
  N_OP,       /* variant */
  N_CARRY,    /* a chain through the carry: k[0] steps */
  N_IF,       /* reg[0] predicate, k[0] inverted; child, child2 */
  N_LOOP,     /* reg[0] r: trips; reg[1] predicate; k[0] style, k[1] most trips */
  N_BREAK,    /* out of node `to` when reg[0] */
  N_CONTINUE, /* likewise */
  N_SWITCH,   /* reg[0] r; child: a list a case; k[0]: bits: falls through */
  N_GOTO,     /* into the middle of a loop when reg[0]; child, child2: its halves; reg[1] goes round again */
  N_CALL,     /* k[0] function; reg: r d f arguments, result */
  N_RETURN,   /* of a function, when reg[0] */
  N_CAS,      /* adds reg[0] to a cell by compare and swap; k[0] the cell */
  /* of threads together: only in the kernel, where `mask` is known */
  N_SHFL,     /* reg: d p a b c; k[0] mode, k[1] no predicate */
  N_VOTE,     /* reg: d p; k[0] mode */
  N_MATCH,    /* reg: d p a; k[0] all, k[1] 64 bits */
  N_REDUX,    /* reg: d a; k[0] op, k[1] signed */
  N_ACTIVE,   /* reg: d; a bar.warp.sync, then activemask */
  N_EXCHANGE, /* reg: d a; k[0] distance, k[1] offset: a slot is written, another thread's read */
  N_BARRED,   /* reg: d p; k[0] mode */
  N_RED,      /* reg[0] to a cell: k[0]; k[1] space */
  N_CELL,     /* reg: d; k[0]: a shared cell between barriers */
  N_TOGETHER_IF,
  N_TOGETHER_WHILE, /* reg[0] r: trips */
  N_TOGETHER_LOOP,  /* k[0] trips */
  N_EXIT,           /* reg[0] predicate; k[0]: ret, exit, or by the end of the kernel */
  TWIN_KINDS
};

struct twin_operand {
  char cls; /* a letter of a signature; addresses: the area; 0: none */
  bool imm, invert;
  uint8_t reg;   /* TWIN_NONE: an address without index */
  char sub;      /* of generic addresses: O S L */
  uint64_t bits; /* immediate; offset of an address */
};

struct twin_node {
  uint8_t kind, guard; /* guard: a predicate, or TWIN_NONE */
  bool guard_invert, removed;
  uint32_t child, child2, next, to;
  struct variant v;
  struct twin_operand dst[4], src[5];
  uint8_t reg[6], k[6];
};

struct twin_cell { /* what is done to it, so that the order does not show */
  uint8_t op;      /* enum twin_atom */
  uint8_t bytes;
  bool is_signed;
};

struct twin {
  uint64_t rng;
  uint64_t seed, index;
  uint32_t block, grid;
  uint8_t count[TWIN_CLASSES], fcount[TWIN_CLASSES]; /* registers of the kernel, of functions */
  struct twin_node *node;
  uint32_t nodes, body, function[TWIN_FUNCTIONS];
  uint8_t constant[TWIN_CONST];
  uint64_t param[TWIN_PARAMS];
  uint64_t dumped[TWIN_CLASSES]; /* which registers are stored at the end */
  struct twin_cell cell[TWIN_CELLS];
  unsigned forced, forced_end; /* variants that this program must have */
};

/* Program `index` of `seed`. NULL: no memory. */
struct twin *twin_new(uint64_t seed, uint64_t index, unsigned nodes);
void twin_free(struct twin *t);
void twin_input(const struct twin *t, uint8_t *in);   /* TWIN_IN_BYTES */
void twin_cells(const struct twin *t, uint8_t *cell); /* first contents, 8 bytes each */
unsigned twin_size(const struct twin *t);             /* statements left */

/* ---- write_ptx.c, write_c.c ---- */
void twin_write_ptx(const struct twin *t, FILE *to);
void twin_write_c_head(FILE *to); /* once a file */
/* void NAME(const uint8_t *in, uint8_t *out, uint8_t *acc). `wrong`: NULL, or the beginning of an opcode that is to be
 * computed wrongly, to see that it is noticed. */
void twin_write_c(const struct twin *t, const char *name, const char *wrong, FILE *to);

/* ---- features.c: what is not in the table ---- */
unsigned twin_features(void);
const char *twin_feature_name(unsigned f);
/* Adds up what the program holds: variants of the table, then features. */
void twin_count(const struct twin *t, unsigned *count);

/* ---- draw.c: numbers ---- */
unsigned twin_below(struct twin *t, unsigned n);
bool twin_chance(struct twin *t, unsigned percent);
uint64_t twin_integer(uint64_t *rng, unsigned bytes); /* often at an edge */
uint64_t twin_float(uint64_t *rng, unsigned bytes);
unsigned twin_class(char letter);

/* ---- operands.c ---- */
struct twin_scope { /* where a node is made */
  bool in_function;
  unsigned functions; /* those below may be called */
  uint32_t loop;      /* or TWIN_NO_NODE */
  unsigned depth;
  bool together, barriers; /* all threads of a known mask; all of the block */
};
void twin_make_op(struct twin *t, const struct twin_scope *s, struct twin_node *n);
uint8_t twin_register(struct twin *t, const struct twin_scope *s, char letter);

/* The same access as `of`, some steps of its size away, with registers of its own. False: `of` is none, or has a guard.
 */
bool twin_make_neighbour(struct twin *t, const struct twin_scope *s, struct twin_node *n, const struct twin_node *of,
                         unsigned steps);

/* The index of an address is masked with this. */
unsigned twin_index_mask(const struct twin_operand *address, unsigned bytes);

#endif
