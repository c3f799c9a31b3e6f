/* SPDX-License-Identifier: Apache-2.0
 *
 * Interface of the operations (sem/) to the machine (core/).
 *
 * A row operation is one function over the 32 lanes of a warp. It reads whole rows, so that the compiler can turn its
 * loop into vector code, and blends its result into the destination by `on`. It has no registers, no masks of
 * divergence and no memory. core/ executes control and memory instructions; here they only get a name and a kind.
 *
 * The folder is built several times for different vector extensions; each build exports one struct sem_build. All
 * builds give the same bits.
 */
#ifndef HEDDLE_SEM_H
#define HEDDLE_SEM_H

#include <heddle/isa.h>

#define SEM_LANES 32u

enum sem_round { SEM_RN, SEM_RM, SEM_RP, SEM_RZ };

/* Relation bits of a comparison, whatever the encoding of its name. */
enum { SEM_LT = 1, SEM_EQ = 2, SEM_GT = 4, SEM_UN = 8 };

enum sem_bool { SEM_AND, SEM_OR, SEM_XOR };

/* Fields of one instruction word, read once when a program is decoded. */
struct sem_par {
  uint8_t rnd;     /* enum sem_round */
  uint8_t rel;     /* union of SEM_LT ... SEM_UN that counts as true */
  uint8_t combine; /* enum sem_bool */
  uint8_t lut0, lut1;
  uint8_t minus;    /* IADD3: bit of each operand that was negated */
  uint8_t shift;    /* LEA; I2F: bits of the register above the number */
  uint8_t sh_limit; /* SHF: greatest amount (clamp) or mask (wrap) */
  uint8_t absolute; /* bit of each operand with bars; with `minus` for ISA_MODIFY_OWN */
  uint8_t part[3];  /* part field of each operand */
  uint8_t mode;     /* what else chooses inside one function: MUFU, PRMT, SHFL, VOTE, REDUX ... */
  uint8_t from, to; /* conversions: types, values of the sets of the ISA file */
  bool ftz, sat, relu;
  bool keep_nan;  /* .NAN of FMNMX, HMNMX2 */
  bool one_point; /* .BF: 1.0 instead of all ones */
  bool is_unsigned;
  bool right, wrap, arith, high; /* SHF */
  bool sign_extend;              /* LEA.HI.SX32 */
};

/* Operands of one execution. Rows are 32 words; the words of a wide operand are consecutive rows. Source rows may be
 * the destination row, also for operations that look at other lanes or have wide results of several words. So read all
 * before the first write, unless lane i needs lane i only.
 *
 * Uniform registers are rows with the same value in all lanes. Instructions of the uniform datapath run as all
 * others do, with every lane executing. With a uniform destination alone (REDUX, R2UR, VOTEU), `on` is all ones,
 * `exec` has the executing lanes, and the function writes the value into every lane. */
struct sem_io {
  const uint32_t *on;    /* row: all ones in executing lanes, zero elsewhere */
  uint32_t exec;         /* the same as a mask; never 0 */
  uint32_t ps[3];        /* source predicates after negation, bit = lane */
  uint32_t pd[2];        /* results, all lanes; the caller blends */
  uint32_t *p;           /* sem_def.all_preds: P0-P6 (or UP0-UP6), bit = lane; the function blends by itself */
  uint32_t p_written[7]; /* sem_def.all_preds: out: lanes in which each was written */
};

/* a, b, c: after abs and neg (ISA_MODIFY_OWN: raw). */
typedef void sem_fn(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, struct sem_io *io,
                    const struct sem_par *p);

enum sem_kind { SEM_ROW, SEM_CONTROL, SEM_MEMORY };

enum sem_control {
  SEM_NOP,
  SEM_MEMBAR,
  SEM_BRA,
  SEM_JMP,
  SEM_BRX,
  SEM_BSSY,
  SEM_BSYNC,
  SEM_BREAK,
  SEM_BMOV_GET,
  SEM_BMOV_SET,
  SEM_WARPSYNC,
  SEM_YIELD,
  SEM_NANOSLEEP,
  SEM_EXIT,
  SEM_BPT,
  SEM_BAR_SYNC,
  SEM_BAR_ARV,
  SEM_BAR_RED, /* with a predicate result */
  SEM_BAR_POPC /* with a register result */
};

/* LOAD_MATRIX: a load of the whole warp. CAS: an atomic with a third operand. COPY: a load, then a store to shared
 * memory. */
enum sem_access { SEM_LOAD, SEM_STORE, SEM_ATOM, SEM_RED, SEM_CAS, SEM_LOAD_MATRIX, SEM_COPY };

/* SEM_ROW: which bits of the results are undefined when some of the sources are (isa/doc/17-undefined.md). ALL, which
 * is right for every operation: all of a lane's, if a bit that it reads is; in the units `warp` and `tensor` all of
 * every lane's. */
enum sem_marks {
  SEM_MARKS_ALL,
  SEM_MARKS_COPY, /* the function moves bits of its operands, and changes none */
  SEM_MARKS_SHIFT,
  SEM_MARKS_EXTEND,
  SEM_MARKS_BYTES,
  SEM_MARKS_SHUFFLE,
  SEM_MARKS_SELECT,
  SEM_MARKS_TABLE,
  SEM_MARKS_PREDICATES,
  SEM_MARKS_PREDICATE,
  SEM_MARKS_PACK_PREDICATES,
  SEM_MARKS_UNPACK_PREDICATES,
  SEM_MARKS_VOTE,
  SEM_MARKS_SUM,
  SEM_MARKS_SHIFTED_SUM,
  SEM_MARKS_SHIFTED_SUM_HIGH,
  SEM_MARKS_PRODUCT,
  SEM_MARKS_PRODUCT_HIGH,
  SEM_MARKS_COMPARE,
  SEM_MARKS_COMPARE_WORDS,
  SEM_MARKS_HALVES,
  SEM_MARKS_COMPARE_HALVES,
  SEM_MARKS_PACK_HALVES,
  SEM_MARKS_INTEGER,
  SEM_MARKS_FLOAT,
  SEM_MARKS_MATRIX
};

/* One entry for each `sem=` name of the ISA file: what that file does not say. */
struct sem_def {
  uint8_t kind;    /* enum sem_kind */
  uint8_t marks;   /* SEM_ROW: enum sem_marks */
  bool all_preds;  /* SEM_ROW: reads or writes io->p */
  bool whole_warp; /* exec must be all lanes, or none */
  uint8_t control; /* SEM_CONTROL: enum sem_control */
  /* SEM_ROW: fill *p from the word and choose the function. */
  sem_fn *(*pick)(const struct heddle_isa_dec *dec, struct sem_par *p);
};

/* abs and neg on a row: d = ((raw & keep) ^ flip) + plus. */
typedef void sem_modify_fn(uint32_t *d, const uint32_t *raw, uint32_t keep, uint32_t flip, uint32_t plus);

/* ---- rows of memory accesses (access.c) ---- */

/* Sizes of an access; numbers as in the set `size` of the ISA file. */
enum sem_size { SEM_U8, SEM_S8, SEM_U16, SEM_S16, SEM_32, SEM_64, SEM_128, SEM_SIZES };

/* Over the executing lanes: all address bits that occur, the lowest and the highest address. */
struct sem_span {
  uint64_t bits, min, max;
};

/* Places of lanes: place = address + delta, a multiple of align + 1, from `from` to from + room; and in a line: line
 * + lane * step. */
struct sem_place {
  uint64_t delta;
  uint32_t align, from, room, line, step;
};

/* Bits of the result of `locate`: some executing lane has no place there; some is off the line. */
enum { SEM_FAULT = 1, SEM_OFF_LINE = 2 };

/* Bytes that may be accessed: `bytes` of them from address `first` on. defined: as bits, NULL: all. */
struct sem_window {
  uint8_t *byte, *defined;
  uint64_t first, bytes;
};

/* A load or a store of all lanes, at lo, or hi:lo, + offset. False, and nothing has happened: the lanes are not side
 * by side in the window, or they would read an undefined bit. */
typedef bool sem_load_row(uint32_t *d, const uint32_t *lo, const uint32_t *hi, uint64_t offset,
                          const struct sem_window *v);
typedef bool sem_store_row(const uint32_t *b, const uint32_t *lo, const uint32_t *hi, uint64_t offset,
                           const struct sem_window *v);

/* Bounds have been checked, but for load_row and store_row. Memory is little-endian bytes of the host; rows keep
 * their value where `on` is zero. A lane's bytes begin at p + at[lane], its words are `stride` bytes apart; at[lane]
 * of lanes that do not execute is any readable place. In a line, lane follows lane without gaps, lane 0 at p; the
 * bytes of all 32 can be read. */
struct sem_access_rows {
  sem_load_row *load_row[SEM_SIZES];
  sem_store_row *store_row[SEM_SIZES];
  uint32_t (*locate64)(uint32_t *at, const uint32_t *on, const uint32_t *lo, const uint32_t *hi,
                       const struct sem_place *p);
  uint32_t (*locate32)(uint32_t *at, const uint32_t *on, const uint32_t *lo, const struct sem_place *p);
  void (*addresses64)(uint64_t *addr, const uint32_t *on, const uint32_t *lo, const uint32_t *hi, uint64_t offset);
  void (*addresses32)(uint64_t *addr, const uint32_t *on, const uint32_t *lo, uint32_t offset);
  /* `first`: the address of some executing lane. */
  struct sem_span (*span)(const uint64_t *addr, const uint32_t *on, uint64_t first);
  /* Distance of each address from `base`, 0 where a lane does not execute. */
  void (*places)(uint32_t *at, const uint32_t *on, const uint64_t *addr, uint64_t base);
  /* Byte n of lane i of interleaved words: word n / 4 of that lane is word 32 * (n / 4) + i of all. */
  void (*interleave)(uint32_t *at, const uint32_t *on);
  void (*fill)(uint32_t *d, const uint32_t *on, uint32_t v);
  void (*load_line[SEM_SIZES])(uint32_t *d, const uint32_t *on, const uint8_t *p);
  void (*store_line[SEM_SIZES])(uint8_t *p, const uint32_t *b); /* all lanes execute */
  void (*load_at[SEM_SIZES])(uint32_t *d, const uint32_t *on, const uint8_t *p, const uint32_t *at, uint32_t stride);
  /* Ascending lanes: of those that write the same byte the highest stays. */
  void (*store_at[SEM_SIZES])(uint8_t *p, const uint32_t *at, const uint32_t *b, uint32_t lanes, uint32_t stride);
  /* Nonzero when some bit of an executing lane is 0. */
  uint32_t (*unset_line[SEM_SIZES])(const uint32_t *on, const uint8_t *p);
  uint32_t (*unset_at[SEM_SIZES])(const uint32_t *on, const uint8_t *p, const uint32_t *at, uint32_t stride);
};

/* One build of the folder. */
struct sem_build {
  const struct sem_def *const *op; /* indexed by enum heddle_isa_op */
  sem_modify_fn *modify;
  const struct sem_access_rows *access;
};

/* The best build that this processor can run. */
const struct sem_build *sem_best(void);

/* A particular build, for tests: NULL past the last one, or when this processor cannot run it. */
const struct sem_build *sem_build(unsigned n);

#endif
