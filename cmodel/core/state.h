/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: the state of the machine.
 */
#ifndef HEDDLE_CORE_STATE_H
#define HEDDLE_CORE_STATE_H

#include <stdalign.h>

#include <heddle/isa_tables.h>
#include <heddle/model.h>
#include <heddle/observer.h>
#include "cmodel/sem/sem.h"

#define ALL_LANES 0xffffffffu
#define PRED_SINK 8u /* where results for PT and UPT go */
#define PRED_UP 9u   /* UP0 ... UP6: all ones or zero */
#define PREDS 16u
#define UREGS 63u
#define PATHS_MAX 32u /* 31 waiting ones, and for a moment the one that a release pushes before the pop */
#define BARRIERS 16u  /* convergence barriers of a warp; named barriers of a block */
#define BARRIER_W 16u /* the convergence barrier of WARPSYNC */
#define DIAG_BYTES 65536u
#define REGIONS_MAX 16u
#define BANKS 4u
#define NEARS 16u
#define SETTLED 8u

/* Rows of a warp. RZ as a destination is an ordinary row (four, for wide results) that is never read. Uniform
 * registers are rows with one value in all lanes; special registers are rows, so that S2R is a move. */
enum {
  ROW_SINK = 255,
  ROW_UR = 259,
  ROW_DEFINED = ROW_UR + UREGS, /* no data: stands for sources that are always defined */
  ROW_LANEID,
  ROW_TID_X,
  ROW_TID_Y,
  ROW_TID_Z,
  ROW_CTAID_X,
  ROW_CTAID_Y,
  ROW_CTAID_Z,
  ROW_EQMASK,
  ROW_LTMASK,
  ROW_LEMASK,
  ROW_GTMASK,
  ROW_GEMASK,
  ROW_WARPID,
  ROW_SMID,
  ROW_NWARPID,
  ROW_NSMID,
  ROW_CLOCKLO, /* filled when it is read */
  ROW_CLOCKHI,
  ROWS
};

/* A source operand, resolved when the program is decoded. */
struct dsrc {
  const uint32_t *fixed; /* immediate, constant or zero: its rows; NULL: rows of the warp */
  uint16_t row;          /* first row, ROW_DEFINED when fixed or absent */
  uint8_t words;         /* 0: no such operand */
  bool modified;         /* value = ((raw & keep) ^ flip) + plus */
  uint32_t keep, flip, plus;
};

/* DOP_RARE: a row operation with something that the hot path does not look at. */
enum dop_kind {
  DOP_ROW,
  DOP_MEMORY,
  DOP_CONTROL,
  DOP_RARE,
  DOP_ILLEGAL,
  DOP_BAD_CONST,
  DOP_CONST_ERROR,
  DOP_FETCH_ERROR,
  DOP_CONST_FAULT, /* pages.h: its constant, or its word, is in an absent page */
  DOP_FETCH_FAULT
};

/* A decoded instruction. */
struct dop {
  sem_fn *fn;
  uint8_t kind; /* enum dop_kind */
  uint8_t guard;
  bool wide, has_ps, has_pd; /* some operand spans rows; predicates are read, written */
  uint8_t n_more;            /* further source rows: of operands of several words */
  uint8_t ps[3];
  uint8_t pd[2];    /* PRED_SINK when dropped */
  uint8_t rd_words; /* 0: no register result */
  uint16_t rd;      /* first row */
  uint32_t guard_flip, ps_flip[3];
  uint32_t always; /* the uniform datapath: all lanes, whatever the active mask is; else none */
  struct dsrc src[3];
  struct sem_par par;
  uint16_t more[9];
  /* row operations, DOP_RARE only, but whole_warp of all */
  bool whole_warp; /* exec must be all lanes or none */
  bool all_preds, reads_clock;
  bool rd_uniform, pd_uniform; /* uniform results of executing lanes */
  uint8_t preds_read;          /* all_preds: bit i: Pi must be defined */
  /* control */
  uint8_t control, bx, bar_id;
  bool drains, awaits_async; /* asynchronous copies, too */
  bool clear, any;           /* BMOV.GET.CLEAR; BAR.RED.OR */
  uint16_t bar_count;
  uint32_t target;
  /* memory, register targets */
  uint8_t space, access, bytes, bank;
  uint8_t next;     /* bytes up to the next instruction: op_step */
  uint8_t size;     /* enum sem_size; loads and stores */
  uint8_t atomic;   /* values of the set `aop` */
  uint8_t matrices; /* LDSM: how many, and whether transposed */
  bool transposed;
  int64_t offset;
  const struct dop *load, *store; /* SEM_COPY: its halves */
};

/* A path that waits for its turn. */
struct path {
  uint32_t mask, pc;
  uint32_t since; /* its: `moves` of the warp when it began to wait */
};

/* marks.h: words that are read or written together. Bits of 1 are undefined; `from`: the origin of a word with such. */
struct mark_rows {
  bool any;
  uint32_t bits[4][HEDDLE_LANES];
  uint64_t from[4][HEDDLE_LANES];
};

/* marks.h: of a warp. Valid where `defined` and `pred_defined` are 0 for a lane. */
struct mark_file {
  uint32_t bits[ROW_DEFINED][HEDDLE_LANES];
  uint64_t from[ROW_DEFINED][HEDDLE_LANES];
  uint64_t pred_from[PREDS][HEDDLE_LANES];
};

/* pages.h: a page that the instruction of a warp lacks. */
struct page_wait {
  bool waits, met;    /* until the host has looked; the access that is tried now has met it */
  uint8_t kind, use;  /* enum heddle_page_kind, heddle_page_use */
  uint8_t fails;      /* 1 + the use that does not wait once more, */
  uint32_t fails_seq; /* of the instruction with this number */
  uint32_t lanes;     /* lanes and address of the trap that it would be */
  uint64_t addr, page, since;
  uint32_t offset; /* heddle_trap.offset */
};

/* Bytes from an instruction to the next one; one number where all words are long. */
static inline uint32_t op_step(const struct dop *op) {
  return ISA_STEP == ISA_WORD_BYTES ? ISA_WORD_BYTES : op->next;
}

struct block;

struct warp {
  alignas(64) uint32_t row[ROWS][HEDDLE_LANES];
  alignas(64) uint32_t on[HEDDLE_LANES]; /* on_mask as a row */
  uint32_t on_mask;
  uint32_t pred[PREDS];
  uint32_t active, pc;
  uint32_t exited; /* not after seq: a compiler would count pc and seq as one vector, which is slow to read back */
  uint32_t seq;
  union { /* lanes of each row, and of each predicate; of either as one list */
    struct {
      uint32_t defined[ROWS], pred_defined[PREDS];
    };
    uint32_t all_defined[ROWS + PREDS];
  };
  struct {
    uint32_t run, lanes;
  } settled[SETTLED];     /* straight.h: runs that find all defined in these lanes, and leave it so */
  uint32_t awaited[ROWS]; /* lanes with a value that comes with a perform */
  uint32_t depth;
  struct path path[PATHS_MAX];
  uint32_t member[BARRIERS + 1], parked[BARRIERS + 1]; /* the last one is W */
  uint32_t park_pc[BARRIERS + 1];                      /* stack: of all lanes parked there */
  uint32_t lane_pc[HEDDLE_LANES];                      /* its: place of a parked lane */
  uint32_t moves;                                      /* its: instructions that move lanes, so far */
  uint32_t turn;         /* its: of these, in the turn of the active path; no more than TURN_MOVES */
  uint32_t since, taken; /* its: of the active path as of path[]; seq when its turn began */
  uint64_t hash;         /* of the divergence state, when `hashed` */
  bool hashed;
  bool its; /* the divergence unit */
  bool used, ended, waiting;
  bool trapped; /* an address trap: its younger memory operations are not performed */
  bool stuck;   /* deadlock or a bad register target: it issues no more; other warps may until hardware notices */
  uint8_t bar_id;
  const struct dop *red; /* while waiting: the BAR.RED that wants a result, or NULL */
  uint32_t index;        /* in its block */
  struct block *block;
  const struct dop *code; /* of the launch, by op_index */
  struct pending *first;
  unsigned n_pending, n_async;    /* without dead ones; of them halves of copies */
  uint32_t slot, smid;            /* of its SM; that one's number */
  uint32_t clock_high, clock_low; /* count of issued instructions when it was last looked at */
  uint64_t clock;                 /* lockstep: the implementation's, once it is given */
  bool clock_told;
  uint8_t *local, *local_defined; /* words interleaved: word k of lane i is at 4 * (32 * k + i) */
  uint64_t *local_from;           /* origin of each word, or NULL */
  uint32_t local_words;           /* words that some lane has written since the warp began */
  bool marked;                    /* `marks` says of this warp what is undefined; until then what is, is wholly so */
  struct mark_file *marks;        /* NULL until needed */
  struct page_wait wait;
};

struct barrier {
  uint32_t waiting;      /* mask of warps of the block */
  uint32_t arrived;      /* by BAR.ARV: counted, and gone on */
  uint32_t count;        /* threads, 0 = all; meaningful while a warp waits or has arrived */
  uint32_t trues, lanes; /* what BAR.RED has brought: lanes with a true predicate, of how many */
};

struct block {
  bool used;
  uint32_t ctaid[3], warps, ended;
  uint16_t slot_of[32]; /* places in heddle_model.warp */
  struct barrier bar[BARRIERS];
  uint8_t *shared, *shared_defined; /* shared_defined: bits of 1 for those that are */
  struct sem_window window;         /* the same, as loads and stores of rows want it */
  uint64_t *shared_from;            /* origin of each word, or NULL */
};

/* Looking for a state that repeats itself: livelock.c. */
struct watch {
  bool on;              /* since `start`: no memory has changed, no block or warp has begun or ended */
  bool arrivals;        /* a warp came to a named barrier */
  bool stores;          /* a lane stored the same value again */
  bool unbroken;        /* the last window ended without a change: the next one is longer */
  uint64_t start;       /* in warp instructions, as the others */
  uint64_t length;      /* of this window */
  uint64_t next, pause; /* when to begin again once it is over; how long after the start that is if memory changed */
  struct warp *seen;    /* of each slot, at the start, then one to compare with; NULL until needed */
  struct block *block;  /* likewise */
  bool *again;          /* the warp has been in its state of the start again */
};

/* marks.h: a store that brought undefined bits to global memory. */
#define MARK_STORES 64u
struct mark_store {
  uint64_t lowest, highest;
  struct heddle_undefined from;
};

struct block_queue;
struct straight;

/* How far a launch has come, but for its blocks, warps and memory. */
struct progress {
  uint64_t blocks_started, blocks_ended;
  struct heddle_trap trap, trap_of[HEDDLE_MODEL_SMS]; /* the first of all; of each SM */
  unsigned next_sm;                                   /* run alone: next SM in the search for room */
  unsigned mark_stores;
  struct mark_store mark_store[MARK_STORES];
  bool stopped[HEDDLE_MODEL_SMS]; /* by a precise trap */
  bool by_steps;                  /* heddle_model_begin has started its blocks */
  bool waits;                     /* the run has ended with HEDDLE_ERROR_FAULTS */
  bool paused;                    /* ... with HEDDLE_ERROR_NOT_READY */
  uint64_t retired, passed;       /* heddle_model_go_on: warp instructions; cycles that may have passed */
};

struct heddle_model {
  uint64_t base, bytes;
  uint8_t *memory;
  unsigned warp_slots, block_slots; /* of all SMs that it has: */
  unsigned shown;                   /* how many these are */
  uint32_t sm, sms, sm_warps;       /* number of the first; SR_NSMID; SR_NWARPID: slots of each */
  uint32_t sm_blocks;
  bool its; /* the divergence unit */
  unsigned threads;
  struct block_queue *queue; /* one of several views of a model, each on its thread; NULL: the only one */
  struct warp *warp;
  struct block *block;
  const struct sem_build *sem;
  /* of the launch */
  bool launched;
  uint64_t launches; /* number so far: identifies the launch of a saved state */
  struct progress now;
  struct heddle_launch launch;
  struct pages *pages; /* NULL: addresses are physical */
  uint8_t *bank[BANKS];
  struct dop *op, *half;                 /* half: async.c */
  struct straight *straight;             /* one for each instruction, and one behind the last */
  uint32_t *line, *place;                /* op -> instruction, and back (straight.h); NULL where all words are long */
  uint32_t lines;                        /* instructions */
  uint8_t *issued;                       /* of each whether it has; views on other threads have the same */
  uint16_t *run_rows;                    /* what runs of straight code read and write, as numbers of warp.all_defined */
  struct sem_window window[REGIONS_MAX]; /* the regions, likewise */
  uint8_t near[NEARS];                   /* straight.c: those that some of the last accesses went to */
  struct heddle_isa_dec *dec;
  uint32_t ops;
  uint32_t (*pool)[HEDDLE_LANES]; /* rows of immediates and constants */
  uint64_t grid_blocks;
  uint8_t *block_seen;  /* a bit for each block; NULL when the grid is very large */
  uint32_t shared_room; /* bytes allocated for each block slot */
  struct heddle_undefined undefined;
  enum heddle_tell tell;   /* which uses of what is undefined */
  uint8_t *global_defined; /* bits of 1 for the defined ones; NULL: all are */
  uint64_t *global_from;   /* origin of each word, or NULL */
  struct pending *spare;
  struct copy *copy; /* async.c: `copies` of them; 0: no cache */
  unsigned copies;
  struct watch watch;
  struct heddle_observer observer, observer_next; /* of this launch, size 0: none; of the next one */
  char diag[DIAG_BYTES];
};

/* ---- decode.c ---- */
/* Also again, of the same program: instructions stay at their place in m->op. */
enum heddle_error program_decode(struct heddle_model *m);

/* Outcome of a control instruction. lanes, addr: of the trap. */
struct flow {
  enum heddle_cause trap;
  uint32_t lanes;
  uint64_t addr;
  uint32_t offset; /* heddle_trap.offset */
};

/* decode.c: the trap of a word that is not in the code, or of a kind from DOP_ILLEGAL on; none otherwise. */
struct flow decode_trap(const struct heddle_model *m, const struct warp *w);

/* ---- blocks (execute.c) */
/* Precise checks of BAR.SYNC, BAR.ARV, BAR.RED; then the warp waits, or has arrived. */
struct flow barrier_arrive(struct heddle_model *m, struct warp *w, uint32_t exec, const struct dop *op);
bool barrier_complete(const struct block *b, unsigned id);
uint32_t barrier_expected(const struct block *b, unsigned id); /* warps */
void barrier_release(struct heddle_model *m, struct block *b, unsigned id);
void block_retire(struct heddle_model *m, struct block *b);

/* ---- control instructions (execute.c) */
/* Carry out a control instruction: masks, paths, pc, barriers, end. A precise
 * trap leaves everything as it was, as a bad register target does;
 * HEDDLE_TRAP_DEADLOCK has taken effect. */
struct flow control_execute(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);
/* The first trap in issue order is the one that stays. */
void trap_record(struct heddle_model *m, const struct warp *w, struct flow f, uint32_t seq, uint32_t pc);

/* ---- rows */
/* Word `word` of a source as a row, before abs and neg. */
static inline const uint32_t *source_row(const struct warp *w, const struct dsrc *s, unsigned word) {
  return s->fixed != NULL ? s->fixed + (size_t)word * HEDDLE_LANES : w->row[s->row + word];
}
/* "R5", "UR5"; "P2", "UP2" */
const char *row_name(unsigned row, char *text, size_t room);
const char *pred_name(unsigned pred, char *text, size_t room);
/* The trap of an instruction that wants the whole warp. */
static inline struct flow whole_warp_trap(const struct dop *op, uint32_t exec) {
  const bool bad = op->whole_warp && exec != 0 && exec != ALL_LANES;
  return (struct flow){.trap = bad ? HEDDLE_TRAP_DIVERGENCE : HEDDLE_TRAP_NONE, .lanes = bad ? ~exec : 0};
}
/* A row operation; results are blended into registers and predicates. */
void row_execute(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec, struct sem_io *io);
/* The special registers of the clock, before they are read. */
void clock_fill(struct warp *w);
/* Often enough that the count of issued instructions does not pass 2^32 unseen. */
void clock_look(struct warp *w);

static inline unsigned lowest_lane(uint32_t mask) {
  return (unsigned)__builtin_ctz(mask);
}

/* Index of the instruction at pc; not below m->ops when pc is odd or outside. */
static inline uint32_t op_index(uint32_t pc) {
  return ISA_STEP == 8 ? pc >> 3 | pc << 29 : pc >> 4 | pc << 28;
}

/* After the instruction at pc, which has issued. */
static inline uint32_t pc_after(const struct warp *w, uint32_t pc) {
  return pc + op_step(&w->code[op_index(pc)]);
}

/* Slots of each SM. A view of a model (parallel.c) has some of one SM's: it counts as all of one. */
static inline unsigned sm_warp_slots(const struct heddle_model *m) {
  return m->warp_slots / m->shown;
}
static inline unsigned sm_block_slots(const struct heddle_model *m) {
  return m->block_slots / m->shown;
}
/* Which of the model's SMs the warp runs on. */
static inline unsigned sm_of(const struct heddle_model *m, const struct warp *w) {
  return w->smid - m->sm;
}

static inline uint32_t warp_live(const struct warp *w) {
  return ~w->exited;
}

/* The lanes that an instruction is for: the active ones, or all on the uniform datapath. */
static inline uint32_t issue_lanes(const struct warp *w, const struct dop *op) {
  return w->active | op->always;
}

static inline uint32_t guard_lanes(const struct warp *w, const struct dop *op) {
  return issue_lanes(w, op) & (w->pred[op->guard] ^ op->guard_flip);
}

#include "cmodel/core/diverge.h"
#include "cmodel/core/memory.h"

/* ---- words of a failure (livelock.c) */
/* Keep the words of a failure; returns s. */
enum heddle_error model_fail(struct heddle_model *m, enum heddle_error s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "block (1,0,0) warp 2 seq 17 pc 0x00000110 FFMA": place of a warp. */
const char *warp_where(const struct heddle_model *m, const struct warp *w, char *text, size_t room);
/* A failure of one warp: the words, then a line that says where its lanes are. */
enum heddle_error fail_with_warp(struct heddle_model *m, enum heddle_error s, const struct warp *w, const char *fmt,
                                 ...) __attribute__((format(printf, 4, 5)));
/* A failure of all warps together: the words, then a line for each live warp with its waiting lanes. `doing`:
 * activity of its active lanes ("run"). */
enum heddle_error fail_with_warps(struct heddle_model *m, enum heddle_error s, const char *doing, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- memory instructions of a warp that are not wholly performed (pending.c) */
/* A memory instruction that has issued and is not wholly performed. */
struct pending {
  struct pending *next; /* of the same warp, in program order */
  const struct dop *op;
  uint32_t seq, pc, lanes; /* lanes: still to be performed */
  uint32_t result;         /* lanes with waiting registers */
  bool dead;               /* at or after an address trap: never performed */
  uint64_t addr[HEDDLE_LANES];
  alignas(64) uint32_t data[4][HEDDLE_LANES]; /* operand b; LDSM: what has been read */
  uint32_t swap[2][HEDDLE_LANES];             /* operand c of a compare and swap */
  bool marked;                                /* some bit of `data` is undefined: */
  struct mark_rows marks;
  bool async;                  /* half of a copy: nothing younger waits for it */
  struct pending *store;       /* of its load half: the other one; else NULL */
  uint32_t held;               /* of its store half: lanes that have not been loaded */
  bool constant;               /* a load of constants with an absent page: only its result waits for it */
  uint32_t placed;             /* in an address space: lanes in global memory with a physical addr, */
  uint64_t virt[HEDDLE_LANES]; /* and where they are in it */
};

struct pending *pending_add(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes);
void pending_clear(struct heddle_model *m, struct warp *w);
/* The load half of a copy, or its `store` half. NULL: it waits for no such access. */
struct pending *pending_find(const struct warp *w, uint32_t seq, bool store);
/* The oldest that is not half of a copy, or is and `async`; NULL: none. */
const struct pending *pending_oldest(const struct warp *w, bool async);
bool pending_shared(const struct warp *w); /* for one to shared memory, copies apart */
/* The instruction with result register `row` outstanding in some of `lanes`. */
const struct pending *pending_producer(const struct warp *w, unsigned row, uint32_t lanes);

#endif
