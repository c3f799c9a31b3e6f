/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside run/profile only. */
#ifndef HEDDLE_PROFILE_INTERNAL_H
#define HEDDLE_PROFILE_INTERNAL_H

#include <heddle/host_regs.h>
#include <heddle/isa.h>
#include <heddle/isa_tables.h>
#include "run/profile/profiler.h"
#include "run/profile/bounds.h"

#define PROFILE_BUCKETS 128u /* intervals of time, at most */
#define PROFILE_FLIGHT 1024u /* instructions of a warp, from one of which records still come */
#define PROFILE_TEXT 160u    /* of an instruction */
#define PROFILE_NOWHERE UINT32_MAX

/* Cycles charged to an instruction of one SM. */
struct charge {
  uint64_t cycles[HEDDLE_COUNTERS]; /* by enum heddle_counter; ISSUED: how often */
  uint64_t lanes;                   /* that executed, over all issues */
  /* of global and local memory */
  uint64_t requests, sectors, lines; /* instructions that some lane executed; sectors and lines that these touched */
  uint64_t ideal;                    /* sectors, if lanes had lain side by side */
  uint64_t through, missed;          /* sectors of loads through the cache; of these that waited for a fill */
  uint64_t in_flight;                /* cycles from issue to the last record */
  /* of shared memory */
  uint64_t passes, passes_ideal; /* of its banks; without conflicts */
};

/* An instruction of the program. */
struct place {
  bool legal;
  uint8_t unit, bytes; /* enum heddle_isa_unit; of a lane's access to memory */
  unsigned flops;      /* of a lane */
  unsigned warp_flops; /* of the whole warp: matrices */
};

/* An instruction that has issued. */
struct flight {
  uint32_t seq, pc, exec;
  bool global; /* it has been counted there */
  unsigned sectors, passes;
  uint64_t issued, last; /* cycles: of its issue, of its last record so far */
  uint32_t line_tag[32]; /* lines that it has touched */
  uint8_t lines;
  uint32_t traced; /* its number among those of the window, or PROFILE_NOWHERE */
};

/* Cycles of a warp in one class. In a trace: the instruction to which they were charged. */
struct stretch {
  uint64_t from, to;
  uint32_t pc;
  uint8_t sm, slot, state;
};

/* An instruction in the window. */
struct traced {
  uint64_t waits_from, issued, end; /* end: of its last record */
  size_t first, stretches;          /* its cycles inside the window */
  uint32_t pc, seq;
  uint8_t sm, slot;
};

struct issue {
  uint32_t pc, seq;
};

/* A warp slot of an SM. */
struct warp_slot {
  uint8_t state; /* as heddle_dut_class has it */
  uint64_t since;
  uint64_t pending[HEDDLE_COUNTERS]; /* since it last issued */
  uint32_t last_pc;                  /* what issued last; the entry */
  struct issue *issue;               /* shown, and not charged yet: from `first` on; owned */
  size_t first, issues, room;
  uint64_t waits_from;  /* where the pending ones begin */
  struct stretch *open; /* the pending ones inside the window; owned */
  size_t opens, open_room;
  struct flight *flight; /* by seq % PROFILE_FLIGHT; owned */
};

struct bucket {
  uint64_t cycles[HEDDLE_COUNTERS]; /* of warps */
  uint64_t blocks;                  /* of blocks */
};

struct sums {
  uint64_t cycles[HEDDLE_COUNTERS];
};

struct profiler {
  const struct run_options *options;
  const struct heddle_config *machine;
  const struct job *job;
  unsigned sms, warps, jobs;
  uint32_t places; /* of the program: code_bytes / ISA_STEP */
  struct place *place;
  struct charge *charge;        /* [sm * places + place] */
  struct warp_slot *slot;       /* [sm * warps + slot] */
  uint64_t block_from[256][64]; /* cycle + 1 in which the block of a slot began; 0: there is none */
  struct sums *counted;         /* [sm]: what the device's counters said, over all launches */
  struct bucket bucket[PROFILE_BUCKETS];
  uint64_t width;            /* cycles of a bucket */
  uint64_t start, base, end; /* the launch's first cycle; time of those before it; time that has passed */
  bool started;              /* `start` is known */
  uint64_t cycles, launches, insns;
  uint64_t read_beats, write_beats, before_read, before_write; /* of AXI */
  uint64_t lost;                                               /* records of dropped instructions */
  bool no_memory, unread;                                      /* something is missing; counters among it */
  struct bounds_counts *bounds;
  /* the window */
  struct stretch *stretch;
  size_t stretches, stretch_room;
  struct traced *traced;
  size_t traceds, traced_room;
};

static inline struct charge *profile_charge(struct profiler *p, unsigned sm, uint32_t pc) {
  const uint32_t at = pc / ISA_STEP;
  return &p->charge[(size_t)sm * p->places + (at < p->places ? at : 0)];
}
static inline struct warp_slot *profile_slot(struct profiler *p, unsigned sm, unsigned slot) {
  return &p->slot[(size_t)sm * p->warps + slot];
}
/* Cycles since the first block of the first launch began. */
static inline uint64_t profile_time(const struct profiler *p, uint64_t cycle) {
  return p->base + (cycle > p->start ? cycle - p->start : 0);
}

/* collect.c: what a session calls */
void profile_observe(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                     const struct heddle_retire_record *r);
void profile_classes(void *ctx, const struct heddle_dut_class *c, size_t n);
void profile_settle(struct profiler *p); /* the launch is over: nothing is pending any more */

/* collect.c */
void profile_places(struct profiler *p); /* of the job's program */
void access_record(struct profiler *p, const struct heddle_retire_record *r);

/* charge.c */
void charge_of_pc(const struct profiler *p, uint32_t pc, struct charge *out); /* over all SMs */
void charge_of_all(const struct profiler *p, struct charge *out);
void charge_of_sm(const struct profiler *p, unsigned sm, struct charge *out);
uint64_t charge_cycles(const struct charge *c); /* of warps, over all classes */
bool charge_is_counted(const struct profiler *p, char *why, size_t n);
/* Instructions that issued or waited, those with most cycles first; lines the same. Owned by the caller. */
struct hot {
  uint32_t pc; /* the first of a line */
  const char *file;
  unsigned line; /* 0: not known */
  struct charge charge;
  uint64_t cycles;
};
struct hot *charge_instructions(const struct profiler *p, bool by_pc, size_t *n);
struct hot *charge_lines(const struct profiler *p, size_t *n);

/* profiler.c: by enum heddle_counter */
struct class_words {
  const char *title, *meaning, *advice;
};
extern const struct class_words profile_words[HEDDLE_COUNTERS];

/* charge.c */
void time_add(struct profiler *p, unsigned state, uint64_t from, uint64_t to); /* state HEDDLE_COUNTERS: a block */
size_t time_buckets(const struct profiler *p);

/* bounds.c: what the kernel took, beside what the machine can give */
#define ROOFS_MOST 4u
struct roof {
  const char *name;
  double peak; /* operations a cycle, of all SMs */
};
struct roofline {
  bool flops; /* else the work is lanes that executed: there are no floating-point operations */
  double work, bytes, cycles, bandwidth; /* bytes on AXI; a cycle, R and W together */
  struct roof roof[ROOFS_MOST];          /* of the pipes that do such work here */
  unsigned roofs;
  struct bounded bounded; /* counted bounds, latency among them; in cycles */
  double warps, slots;    /* that were there, on average; places */
  double interval, own;   /* cycles from issue to issue of a warp; of these not spent waiting for others */
  double warps_wanted;    /* that would keep the busiest part busy */
  double latency, in_flight, in_flight_wanted; /* of accesses: cycles; at a time, on average; to fill channel R */
};
void roofline_of(const struct profiler *p, struct roofline *r);

/* profiler.c: lines of source files, as far as they can be read */
struct source_text;
struct source_text *source_text_open(void);
const char *source_text_line(struct source_text *s, const char *file, unsigned line); /* NULL: not there */
void source_text_free(struct source_text *s);

/* text.c, html.c, trace.c */
bool profile_write_text(struct profiler *p, FILE *f);
bool profile_write_json(struct profiler *p, FILE *f);
bool profile_write_html(struct profiler *p, FILE *f);
bool profile_write_trace(struct profiler *p, FILE *f);
bool profile_write_kanata(struct profiler *p, FILE *f);

/* profile.html: what its parts share, and those of html_charts.c. The page is well-formed XML too, needs nothing but
 * itself, and says everything without script. */
void html_number(FILE *f, uint64_t n);               /* 12,345 */
void html_share(FILE *f, double part, double whole); /* 12.3 % */
void html_time(FILE *f, const struct profiler *p);
void html_memory(FILE *f, const struct profiler *p);
void html_roofline(FILE *f, const struct profiler *p, const struct roofline *r);

#endif
