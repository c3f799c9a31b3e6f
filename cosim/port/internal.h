/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside port/ only: requests between their coming and their end.
 */
#ifndef LINE_PORT_INTERNAL_H
#define LINE_PORT_INTERNAL_H

#include <heddle/line_port.h>

#define LANES 32u
#define WORDS (HEDDLE_LINE_PORT_LINE / 4)

/* Data that has come for a request: of a store bytes, of an atomic operands. */
struct gathered {
  unsigned beats;
  bool atom;
  bool broken; /* a beat was dropped: so will be the request */
  uint8_t data[HEDDLE_LINE_PORT_LINE];
  uint64_t strb[2];
  uint32_t lanes;             /* atomics with their operands, */
  uint8_t pieces[LANES];      /* which parts of them, */
  uint8_t place[LANES];       /* for which word; */
  uint8_t operand[LANES][16]; /* b and c */
};

struct entry {
  bool used;
  struct heddle_line_port_request r;
  struct gathered w;
  uint64_t came, due, performed, last_beat; /* cycles */
  bool err;
  uint8_t data[HEDDLE_LINE_PORT_LINE]; /* what was read */
  uint32_t beats_left;                 /* that are still to be sent */
  uint32_t lanes_left;                 /* ... to be answered */
  uint64_t old[LANES];
};

/* Entries in some order; a removal closes the gap. */
struct list {
  struct entry **item;
  unsigned count;
};

struct channel {
  struct heddle_line_port_out out;
  struct heddle_line_port_in in;
  struct entry *entry;       /* by tag */
  struct gathered gathered;  /* for the next request */
  struct list answers;       /* performed, in that order; not those with an end offered on la_ */
  unsigned credits, atoms;   /* that the SM has */
  unsigned room, room_atoms; /* that it can be given */
};

struct heddle_line_port {
  struct heddle_line_port_options o;
  unsigned bytes, beats; /* of a beat, of a line */
  uint8_t *contents;
  bool own;
  uint64_t rng, cycle;
  struct channel *sm;
  struct entry *entries;
  struct entry **items;
  struct list waits; /* of all SMs, in the order of their coming */
  struct heddle_line_port_record *record;
  unsigned records;
  struct heddle_line_port_stats stats;
  char error[320];
};

/* port.c */
uint32_t line_port_draw(struct heddle_line_port *p, uint32_t below);
/* A beat of `bytes` that breaks no rule joins those that came before it. */
void line_port_gather(struct gathered *g, const struct heddle_line_port_write *w, unsigned bytes);

/* port_perform.c: false, and in words why, if a rule is broken. `n` is the SM. */
bool line_port_check_write(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_write *w);
bool line_port_check_request(struct heddle_line_port *p, unsigned n, const struct heddle_line_port_request *r);

/* port_perform.c */
void line_port_perform(struct heddle_line_port *p, struct entry *e);

/* port.c: outputs of a cycle */
void heddle_line_port_answer(struct heddle_line_port *p, struct channel *c);

static inline bool reads(const struct entry *e) {
  return e->r.kind == HEDDLE_LINE_PORT_LOAD || e->r.kind == HEDDLE_LINE_PORT_FETCH ||
         e->r.kind == HEDDLE_LINE_PORT_FILL;
}

/* Sectors of which beat `k` has bytes. */
static inline unsigned beat_sectors(const struct heddle_line_port *p, unsigned k) {
  const unsigned first = k * p->bytes / HEDDLE_LINE_PORT_SECTOR,
                 last = ((k + 1) * p->bytes - 1) / HEDDLE_LINE_PORT_SECTOR;
  return ((2u << last) - 1) & ~((1u << first) - 1);
}

static inline uint32_t sector_strobes(const uint64_t strb[2], unsigned s) {
  return (uint32_t)(strb[s / 2] >> (32 * (s % 2)));
}

#endif
