/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory system behind an SM's request channel (rtl/line_pkg.sv, rtl/README.md), for caches and memories in C or
 * C++. Structs mirror those of line_pkg, field by field.
 *
 * All outputs are registered. In each cycle the caller drives the output of heddle_line_port_show onto each SM's
 * channel, samples that SM's outputs, and passes them to heddle_line_port_offer, once for each SM. It calls
 * heddle_line_port_clock for the rising edge; then the next outputs are there:
 *
 *   struct heddle_line_port_options o = {.size = sizeof o};
 *   heddle_line_port_calm(&o, 256, 20);                      // beats of 256 bits, latency 20
 *   o.base = 0, o.bytes = 1 << 20, o.tags = 68, o.atoms = 8;
 *   struct heddle_line_port *p = heddle_line_port_new(&o);
 *   for (;;) {
 *     drive(sm, heddle_line_port_show(p, 0));                // credits, beats, answers of this cycle
 *     const struct heddle_line_port_record *r;
 *     for (unsigned i = 0, n = heddle_line_port_records(p, &r); i < n; i++) judge(&r[i]);
 *     struct heddle_line_port_in in = sample(sm);
 *     heddle_line_port_offer(p, 0, &in);
 *     heddle_line_port_clock(p);
 *     if (heddle_line_port_error(p) != NULL) stop(heddle_line_port_error(p));
 *   }
 *
 * A request is performed as a whole, all its sectors in one cycle. Requests of one line are performed in the order of
 * arrival, but loads (and refills) of different warps may pass each other. A FILL is a read of its whole SM, and keeps
 * its place among that SM's loads and fills of the line. In one cycle the SM of the lower number counts as first.
 * A request's records come in the cycle in which it is performed; beats then or later, answers later, its end last.
 *
 * The SM's rules are checked: the first broken one is kept in words (cycle, SM, tag, what to do), the rest are counted.
 * A request or beat that breaks one is dropped. Nothing is printed.
 */
#ifndef HEDDLE_LINE_PORT_H
#define HEDDLE_LINE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_LINE_PORT_LINE 128u      /* bytes of a line */
#define HEDDLE_LINE_PORT_SECTOR 32u     /* bytes of a sector */
#define HEDDLE_LINE_PORT_SECTORS 4u     /* of a line */
#define HEDDLE_LINE_PORT_MAX_BYTES 128u /* of the widest beat: 1,024 bits */
#define HEDDLE_LINE_PORT_MAX_TAGS 256u  /* of an SM */
#define HEDDLE_LINE_PORT_MAX_SMS 256u
#define HEDDLE_LINE_PORT_RANGES 8u

enum heddle_line_port_kind {
  HEDDLE_LINE_PORT_LOAD,
  HEDDLE_LINE_PORT_STORE,
  HEDDLE_LINE_PORT_ATOM,
  HEDDLE_LINE_PORT_FETCH,
  HEDDLE_LINE_PORT_FILL
};
#define HEDDLE_LINE_PORT_KINDS 5u
enum heddle_line_port_scope { HEDDLE_LINE_PORT_WEAK, HEDDLE_LINE_PORT_CTA, HEDDLE_LINE_PORT_GPU, HEDDLE_LINE_PORT_SYS };

/* ---- what an SM drives: lw_, lq_, and ready of la_ ---------------------------------------------- */

/* lq_: one access of one instruction to one line. A FETCH (a read-only cache's refill) has no id, lanes or record. A
 * FILL is the refill of a cache with lines that others write: no id, no lanes, but a record of each sector. No SM
 * sends one: a cache does, in front of this memory (l1_port.h). */
struct heddle_line_port_request {
  uint8_t sm;      /* number of the SM: the channel's */
  uint16_t tag;    /* 0 .. tags - 1; not one of a request that has not ended */
  uint8_t kind;    /* enum heddle_line_port_kind */
  uint8_t scope;   /* enum heddle_line_port_scope; this memory has no caches, so all come to the same */
  uint64_t line;   /* byte address / 128, below 2^33 */
  uint8_t sectors; /* bit s: sector s (bytes 32 s to 32 s + 31) is touched; at least one */
  uint8_t op;      /* of an atomic: as heddle_atomic of heddle/model.h has it */
  bool wide;       /* of an atomic: 64 bits */
  bool gives;      /* of an atomic: each lane's old value is wanted */
  uint8_t slot;    /* id: warp slot of the SM, */
  uint8_t gen;     /* its generation, */
  uint32_t seq;    /* number of the instruction in its warp */
  uint32_t lanes;  /* lanes that it serves; not 0 */
  uint8_t at[32];  /* the sector of each of these, 0 to 3; all of `sectors`, and no other, are named */
  bool is_local;   /* local memory; lane l is in sector l / 8 */
  uint32_t word;   /* ... the word of each thread, below 2^18; nothing else */
  uint32_t number; /* of a FILL: which, as its records say it */
};

/* lw_: a beat of data, ahead of its request or in the same cycle; `bytes` of it count (options). */
struct heddle_line_port_write {
  bool atom;
  uint8_t lane;     /* of an atomic: the operands' lane; ascending, each lane of the request once */
  uint8_t place;    /* the word of the line that it changes, 0 to 31; of 64 bits an even one */
  uint8_t piece;    /* which part of the 128 bits of operands: b in bits 63:0, c of a compare and swap in 127:64 */
  uint8_t beat;     /* of a store: bytes beat * bytes of the line and up */
  uint64_t strb[2]; /* bit i of word i / 64: byte i is written; a later beat wins */
  uint8_t data[HEDDLE_LINE_PORT_MAX_BYTES];
};

struct heddle_line_port_in {
  bool write_valid, request_valid, answer_ready;
  struct heddle_line_port_write write;
  struct heddle_line_port_request request;
};

/* ---- what memory drives: lc_, ld_, la_ ---------------------------------------------------------- */

/* ld_: of each requested sector all beats, once, in any order. Bytes of other sectors are undefined. */
struct heddle_line_port_read {
  uint16_t tag;
  uint8_t beat;
  uint8_t data[HEDDLE_LINE_PORT_MAX_BYTES];
};

/* la_: a lane's old value, lanes ascending, or the end of the request. */
struct heddle_line_port_answer {
  uint16_t tag;
  bool done, err; /* err: with done; nothing of the request was performed, its beats mean nothing */
  uint8_t lane;
  uint64_t old; /* 32 bits: in bits 31:0 */
};

struct heddle_line_port_out {
  bool credit_valid, credit_atom; /* one more request; credit_atom: one more atomic (it takes one of each kind) */
  bool read_valid, answer_valid;  /* an answer is held until answer_ready */
  struct heddle_line_port_read read;
  struct heddle_line_port_answer answer;
};

/* ---- what was performed: record `global` of the retire port (cosim/retire/) ------------------------- */

/* One performed sector of a request. A FILL has record `fill`: sm, number, sector, stamp, bank and access (0:
 * global, 3: local memory) count. */
struct heddle_line_port_record {
  bool fill;
  uint32_t number; /* of the FILL; 0: no FILL */
  uint8_t sm, slot, gen;
  uint32_t seq;
  uint64_t sector;                        /* byte address / 32; of local memory (warp slot 2^18 + word) 4 + lane / 8 */
  uint32_t lanes;                         /* those of this sector */
  uint32_t wstrb;                         /* bytes written */
  uint8_t access;                         /* 0 load, 1 store, 2 atomic; of local memory 3 load, 4 store */
  uint8_t bank;                           /* which bank of the memory system; options.bank */
  uint64_t stamp;                         /* cycle in which it was performed; never falls for one line */
  uint8_t wdata[HEDDLE_LINE_PORT_SECTOR]; /* written bytes, 0 elsewhere; of an atomic the sector after it; 0 of loads */
  uint8_t rdata[HEDDLE_LINE_PORT_SECTOR]; /* the sector as it was before; 0 of stores */
};

/* ---- the memory system -------------------------------------------------------------------------- */

/* Bytes [base, limit). A request with one byte there, from its first to its last sector, ends with an error: all of
 * it. */
struct heddle_line_port_range {
  uint64_t base, limit;
};

/* Contents kept by the caller; `at` is a byte address, a multiple of 128. False: an error of the whole line, which may
 * have changed nothing. Called in the cycle in which a request is performed, read first (not of stores). */
struct heddle_line_port_memory {
  void *context;
  bool (*read)(void *context, uint64_t at, uint8_t data[HEDDLE_LINE_PORT_LINE]);
  bool (*write)(void *context, uint64_t at, const uint8_t data[HEDDLE_LINE_PORT_LINE], const uint64_t strb[2]);
  /* Cycles from the arrival of a request to its performance, at least 1: the time of a cache, of a DRAM. Called once
   * for each request, in the order of arrival. NULL: options.latency. With or without the two above. */
  uint32_t (*time)(void *context, const struct heddle_line_port_request *r, uint64_t cycle);
};

struct heddle_line_port_options {
  size_t size;   /* sizeof(struct heddle_line_port_options) */
  unsigned bits; /* of a beat: 32, 64, 128, 256, 512 or 1,024 (line_pkg::BITS) */
  unsigned sms;  /* channels, 1 .. HEDDLE_LINE_PORT_MAX_SMS */
  unsigned tags; /* line_pkg::TAGS, 1 .. HEDDLE_LINE_PORT_MAX_TAGS */
  unsigned credits,
      atoms; /* credits that each SM is given: 1 .. tags (0: as many as tags), and of atomics, 1 .. credits */
  uint64_t base, bytes; /* addresses that exist, multiples of 128, below 2^40; others answer with errors */
  uint8_t *contents;    /* `bytes` of them, the caller's; NULL: callbacks, or own ones, zeros */
  struct heddle_line_port_memory memory;                        /* with read and write: called in place of contents */
  struct heddle_line_port_range error[HEDDLE_LINE_PORT_RANGES]; /* base = limit: none */
  uint8_t bank;                                                 /* shown in records */
  /* Time. A request that comes in cycle t is performed in cycle t + latency, or one drawn from latency ..
   * latency_max, then when what is ahead of it in its line has been. Its first beat can come in the same cycle, its
   * first answer in the next. At least 1. */
  uint32_t latency, latency_max;
  uint64_t seed;   /* of all that is drawn */
  bool reorder;    /* requests of different lines, and loads, in any order; else in that of their coming */
  bool interleave; /* beats and answers of different requests mixed, beats of a line in any order */
  bool junk;       /* bytes that mean nothing are random; a load in error may send beats, or none */
  uint16_t hold_credit, hold_read, hold_answer; /* per mille of cycles in which there is none; below 1,000 */
};

/* Everything 0 but o->size, which it needs, and one SM; then: fixed latency, all in order, nothing held. */
HEDDLE_API void heddle_line_port_calm(struct heddle_line_port_options *o, unsigned bits, uint32_t latency);
/* The same with all that the rules of the channel allow. Latencies of 1 to 60. */
HEDDLE_API void heddle_line_port_adversarial(struct heddle_line_port_options *o, unsigned bits, uint64_t seed);

struct heddle_line_port;
HEDDLE_API struct heddle_line_port *
heddle_line_port_new(const struct heddle_line_port_options *o); /* NULL: no memory, a number out of range, or options
                                                                 * of another release */
HEDDLE_API void heddle_line_port_free(struct heddle_line_port *p);
/* As after new, but for contents, statistics, the cycle and what was wrong. */
HEDDLE_API void heddle_line_port_reset(struct heddle_line_port *p);

/* Latencies, order, what is held and ranges of errors as `o` has them, from the present cycle on; all else of it is
 * ignored. False: a number is out of range, or options of another release, and nothing changes. */
HEDDLE_API bool heddle_line_port_retime(struct heddle_line_port *p, const struct heddle_line_port_options *o);

HEDDLE_API const struct heddle_line_port_out *heddle_line_port_show(const struct heddle_line_port *p,
                                                                    unsigned sm); /* of the present cycle */
/* Records of what was performed in the present cycle, in that order; of a request in ascending order of sectors. */
HEDDLE_API unsigned heddle_line_port_records(const struct heddle_line_port *p,
                                             const struct heddle_line_port_record **first);
HEDDLE_API void heddle_line_port_offer(struct heddle_line_port *p, unsigned sm,
                                       const struct heddle_line_port_in *in); /* of the present cycle */
HEDDLE_API void heddle_line_port_clock(struct heddle_line_port *p); /* an SM that was not offered drives nothing */

HEDDLE_API uint64_t heddle_line_port_cycle(const struct heddle_line_port *p); /* the present one; from 0 */
HEDDLE_API uint8_t *heddle_line_port_contents(struct heddle_line_port *p);    /* NULL: callbacks */
HEDDLE_API bool heddle_line_port_idle(const struct heddle_line_port *p); /* no request in flight, no beat without one */
HEDDLE_API const char *heddle_line_port_error(const struct heddle_line_port *p); /* the first broken rule, or NULL */

struct heddle_line_port_stats {
  uint64_t requests[HEDDLE_LINE_PORT_KINDS], errors; /* by kind; that ended with err */
  uint64_t write_beats, read_beats, answers;
  uint64_t passed; /* requests performed before one that had come earlier */
  uint64_t broken; /* rules */
};
HEDDLE_API const struct heddle_line_port_stats *heddle_line_port_statistics(const struct heddle_line_port *p);

#ifdef __cplusplus
}
#endif

#endif
