/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: the state of the machine.
 */
#ifndef HEDDLE_CORE_STATE_H
#define HEDDLE_CORE_STATE_H

#include <stdalign.h>

#include "heddle/model.h"
#include "sem.h"

#define ALL_LANES 0xffffffffu
#define PRED_SINK 8u  /* where results for PT go */
#define PATHS_MAX 32u /* 31 waiting ones, and for a moment the one that a release pushes before the pop */
#define BARRIERS 16u  /* convergence barriers of a warp; named barriers of a block */
#define REGIONS_MAX 16u
#define BANKS 4u

/* Rows of a warp. RZ as a destination is an ordinary row (four, for wide
 * results) that nobody reads; special registers are rows, so that S2R is a move. */
enum {
  ROW_SINK = 255,
  ROW_DEFINED = 259, /* no data: stands for sources that are always defined */
  ROW_LANEID = 260,
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

enum dop_kind { DOP_ROW, DOP_CONTROL, DOP_MEMORY, DOP_ILLEGAL, DOP_BAD_CONST };

/* A decoded instruction. */
struct dop {
  sem_fn *fn;
  uint8_t kind; /* enum dop_kind */
  uint8_t guard;
  bool wide, has_ps, has_pd; /* some operand spans rows; predicates are read, written */
  uint8_t ps[3];
  uint8_t pd[2];    /* PRED_SINK when dropped */
  uint8_t rd_words; /* 0: no register result */
  uint16_t rd;      /* first row */
  uint32_t guard_flip, ps_flip[3];
  struct dsrc src[3];
  struct sem_par par;
  /* control */
  uint8_t control, bx, bar_id;
  uint16_t bar_count;
  uint32_t target;
  /* memory, register targets */
  uint8_t space, access, bytes, bank;
  bool sign_extend;
  int64_t offset;
};

struct path {
  uint32_t mask, pc;
};

/* A memory instruction that has issued and is not wholly performed. */
struct pending {
  struct pending *next; /* of the same warp, in program order */
  const struct dop *op;
  uint32_t seq, pc, lanes; /* lanes: still to be performed */
  bool dead;               /* at or after an address trap: never performed */
  uint64_t addr[HEDDLE_LANES];
  alignas(64) uint32_t data[4][HEDDLE_LANES];
};

struct block;

struct warp {
  alignas(64) uint32_t row[ROWS][HEDDLE_LANES];
  alignas(64) uint32_t on[HEDDLE_LANES]; /* on_mask as a row */
  uint32_t on_mask;
  uint32_t pred[9], pred_defined[9];
  uint32_t active, pc, seq, exited;
  uint32_t defined[ROWS];
  uint32_t awaited[ROWS]; /* lanes whose value comes with a perform */
  uint32_t depth;
  struct path path[PATHS_MAX];
  uint32_t member[BARRIERS], parked[BARRIERS], park_pc[BARRIERS];
  bool used, ended, waiting;
  bool trapped; /* an address trap: its younger memory operations are not performed */
  bool stuck;   /* deadlock or a bad register target: it issues no more; other warps may until hardware notices */
  uint8_t bar_id;
  uint32_t index; /* in its block */
  struct block *block;
  struct pending *first;
  unsigned n_pending; /* without dead ones */
};

struct barrier {
  uint32_t waiting; /* mask of warps of the block */
  uint32_t count;   /* threads, 0 = all; meaningful while somebody waits */
};

struct block {
  bool used;
  uint32_t ctaid[3], warps, ended;
  uint8_t slot_of[32]; /* warp slots */
  struct barrier bar[BARRIERS];
  uint8_t *shared, *shared_defined; /* one byte of `defined` for each byte */
};

struct heddle_model {
  uint64_t base, bytes;
  uint8_t *memory;
  unsigned warp_slots, block_slots;
  struct warp *warp;
  struct block *block;
  const struct sem_build *sem;
  /* of the launch */
  bool launched, stopped; /* stopped: by a precise trap */
  struct heddle_launch launch;
  uint8_t *bank[BANKS];
  struct dop *op;
  struct isa_dec *dec;
  uint32_t ops;
  uint32_t (*pool)[HEDDLE_LANES]; /* rows of immediates and constants */
  uint64_t grid_blocks, blocks_started, blocks_ended;
  uint8_t *block_seen;  /* a bit for each block; NULL when the grid is very large */
  uint32_t shared_room; /* bytes allocated for each block slot */
  struct heddle_trap trap;
  struct pending *spare;
  char diag[512];
};

/* ---- diag.c ---- */
/* Keep the words of a failure; returns s. */
enum heddle_status model_fail(struct heddle_model *m, enum heddle_status s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "block (1,0,0) warp 2 seq 17 pc 0x00000110 FFMA": where a warp stands. */
const char *warp_where(const struct heddle_model *m, const struct warp *w, char *text, size_t room);

/* ---- decode.c ---- */
enum heddle_status program_decode(struct heddle_model *m);

/* ---- diverge.c ---- */
/* Outcome of a control instruction. lanes, addr: of the trap. */
struct flow {
  enum heddle_cause trap;
  uint32_t lanes;
  uint64_t addr;
};
uint64_t diverge_hash(const struct warp *w);
struct flow diverge_branch(struct warp *w, uint32_t exec, uint32_t target);
struct flow diverge_indirect(struct warp *w, uint32_t exec, const struct dop *op, uint32_t code_bytes);
void diverge_bssy(struct warp *w, uint32_t exec, unsigned x);
struct flow diverge_bsync(struct warp *w, uint32_t exec, unsigned x);
void diverge_break(struct warp *w, uint32_t exec, unsigned x);
struct flow diverge_exit(struct warp *w, uint32_t exec);

/* ---- block.c ---- */
/* Precise checks of BAR.SYNC; then the warp waits. */
struct flow barrier_arrive(struct heddle_model *m, struct warp *w, uint32_t exec, const struct dop *op);
bool barrier_complete(const struct block *b, unsigned id);
void barrier_release(struct heddle_model *m, struct block *b, unsigned id);
void warp_end(struct warp *w);
void block_retire(struct heddle_model *m, struct block *b);

/* ---- control.c ---- */
/* Carry out a control instruction: masks, paths, pc, barriers, end. A precise
 * trap leaves everything as it was, as a bad register target does;
 * HEDDLE_TRAP_DEADLOCK has taken effect. */
struct flow control_execute(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);
/* The first trap in issue order is the one that stays. */
void trap_record(struct heddle_model *m, const struct warp *w, struct flow f, uint32_t seq, uint32_t pc);

/* ---- execute.c ---- */
/* Row `k`, word `word` of a source, before abs and neg. */
const uint32_t *source_row(const struct warp *w, const struct dsrc *s, unsigned word);
/* Mask of executing lanes in which some source of the instruction is undefined; *what names the first one. */
uint32_t undefined_lanes(const struct warp *w, const struct dop *op, uint32_t exec, char *what, size_t room);
/* A row operation; results are blended into registers and predicates. */
void row_execute(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec, struct sem_io *io);

/* ---- memory.c ---- */
void memory_addresses(const struct warp *w, const struct dop *op, uint32_t exec, uint64_t addr[HEDDLE_LANES]);
/* All lanes are judged before any has an effect. */
struct flow memory_check(const struct heddle_model *m, const struct dop *op, uint32_t exec,
                         const uint64_t addr[HEDDLE_LANES]);
/* Where a checked access lies. */
uint8_t *memory_at(const struct heddle_model *m, const struct block *b, const struct dop *op, uint64_t addr);
/* Perform lanes. `data`: rows to store (NULL for loads); `row`: first row of the result (NULL for stores).
 * Returns the lanes that would read undefined shared bytes; then nothing has happened. */
uint32_t memory_perform(const struct heddle_model *m, struct block *b, const struct dop *op, uint32_t lanes,
                        const uint64_t addr[HEDDLE_LANES], const uint32_t (*data)[HEDDLE_LANES],
                        uint32_t (*row)[HEDDLE_LANES]);

/* ---- pending.c ---- */
struct pending *pending_add(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes);
void pending_clear(struct heddle_model *m, struct warp *w);
/* The instruction whose result register `row` waits for in some of `lanes`. */
const struct pending *pending_producer(const struct warp *w, unsigned row, uint32_t lanes);

static inline unsigned lowest_lane(uint32_t mask) {
  return (unsigned)__builtin_ctz(mask);
}

/* Index of the instruction at pc; not below m->ops when pc is odd or outside. */
static inline uint32_t op_index(uint32_t pc) {
  return pc >> 4 | pc << 28;
}

static inline uint32_t warp_live(const struct warp *w) {
  return ~w->exited;
}

static inline uint32_t guard_lanes(const struct warp *w, const struct dop *op) {
  return w->active & (w->pred[op->guard] ^ op->guard_flip);
}

#endif
