/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of memory, judged after the run: a recorded retire trace against axioms. No model takes part; every value
 * that is compared comes from a record, and what an instruction was to do from its word and the operands that the
 * records show. README.md says what is believed and what is not.
 */
#ifndef HEDDLE_ORDER_H
#define HEDDLE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <heddle/isa.h>

enum order_outcome {
  ORDER_HOLDS,    /* every axiom holds */
  ORDER_BROKEN,   /* see axiom, what, step */
  ORDER_REFUSED,  /* the file is no whole trace or list: see what, which begins with its name */
  ORDER_TOO_MUCH, /* more than the limits allow, or no memory: see what */
  ORDER_UNDECIDED /* a list without stamps: no axiom is broken for certain, and no order was found: see what */
};

/* One name a rule; order_axiom_name has the words that scripts may rely on. */
enum order_axiom {
  ORDER_AXIOM_NONE,
  ORDER_READS_FROM, /* a read returns what the latest write before it left; nothing comes out of thin air */
  ORDER_ATOMICITY,  /* nothing comes between the read and the write of an atomic; its lanes follow each other */
  ORDER_STORED,     /* a write leaves what the operands of its lanes say; of colliding lanes the highest */
  ORDER_RESULT,     /* a thread gets what its access has read, after it was read */
  ORDER_PROGRAM,    /* a warp's accesses to one sector, all of its shared ones, in program order */
  ORDER_FENCE,      /* nothing older than a fence is open when it takes effect */
  ORDER_BARRIER,    /* waiting warps go on when all have come, not before; BAR.RED returns their sum */
  ORDER_ONCE,       /* every executing lane performs and is answered once, and no other */
  ORDER_PLACE,      /* an access is where its address operands say */
  ORDER_TOGETHER, /* one instruction's lanes in one sector are performed at one moment; bytes, colliding lanes ascend */
  ORDER_BLOCK,    /* a block ends when all its accesses have been performed; shared memory belongs to one block */
  ORDER_TRAP,     /* what traps has no effect, nor has what is younger in its warp */
  ORDER_MEMORY,   /* at the end memory holds what the latest write left */
  ORDER_STAMP,    /* the memory's own time of a sector never falls, and is of one bank */
  ORDER_RECORD,   /* records name a warp that lives, an instruction that has issued, numbers without a gap */
  /* For a core with a cache: docs/visibility.md. */
  ORDER_VISIBILITY,   /* a read through a copy misses nothing that comes before it in causality order */
  ORDER_BACKWARDS,    /* no lane reads what was overwritten before what it has read */
  ORDER_DROPPED,      /* none joins a copy, or a fill, that is closed; what passes the cache says so */
  ORDER_FILL,         /* fills: numbers without a gap, requested, come once; a load that waits for one reads it */
  ORDER_ACKNOWLEDGED, /* each line of a store or atomic, once, after it has been performed */
  ORDER_AXIOMS
};
const char *order_axiom_name(enum order_axiom a); /* "reads-from" */

/* A cycle in words: step k must come before, or did come before, step k + 1 (the last one: the first). */
struct order_step {
  char who[240];  /* warp, PC, instruction, lanes, address, cycle */
  char then[160]; /* why it is before the next one */
};

#define ORDER_STEPS 10u

struct order_result {
  enum order_outcome outcome;
  enum order_axiom axiom;
  char what[640]; /* one sentence */
  struct order_step step[ORDER_STEPS];
  unsigned steps;
  uint64_t cycle; /* of the record that broke it */
  uint64_t launches, records, instructions, accesses, fences, barriers;
  uint64_t bytes_read, bytes_written, bytes_final; /* compared */
  uint64_t fills, hits, copies;                    /* of a cache: taken, read through it, kept at once at most */
  uint64_t undefined;                              /* bytes read that none had written: not judged */
  const char *profile;                             /* of a trace: docs/retire-port.md; NULL: of a list */
  char hidden[256];                                /* what the trace does not show, and so is not judged */
  bool list;                                       /* a neutral list: docs/order-list.md */
  uint64_t threads;                                /* of a list */
  uint64_t unjudged;                               /* ORDER_UNDECIDED: events */
  uint64_t narrow;                                 /* accesses that a fence of a smaller scope does not hold for */
  uint64_t judged[ORDER_AXIOMS];                   /* how often each axiom was judged */
};

struct order_options {
  /* Most accesses, warps and barriers of one launch; 0: 4,194,304 (each takes about 150 bytes), of a list 1,048,576
   * events (each takes about 400). */
  uint64_t accesses;
  const char *write_list; /* a trace's first launch is written there as a list; NULL: it is not */
  /* Text of a word, for reports; NULL: its mnemonic alone. */
  void (*disassemble)(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes);
  void *ctx;
};

/* Judge a trace or, if its first line says so, a list. Returns r->outcome. The file is not trusted. */
enum order_outcome order_check(const char *path, const struct order_options *o, struct order_result *r);
/* The same of a list that is open, from the position of `f`; `name` is its name in messages. */
enum order_outcome order_check_list(FILE *f, const char *name, const struct order_options *o, struct order_result *r);

#endif
