/* SPDX-License-Identifier: Apache-2.0
 *
 * What the machine (core/) knows about the operations (sem/).
 *
 * A row operation is one function over the 32 lanes of a warp. It reads whole
 * rows, so that the compiler can turn its loop into vector code, and blends its
 * result into the destination where `on` says so. It knows no registers, no
 * masks of divergence and no memory. Control and memory instructions are
 * carried out by core/; here they only get a name and a kind.
 *
 * The folder is built several times for different vector extensions; each
 * build exports one struct sem_build. All builds give the same bits.
 */
#ifndef HEDDLE_SEM_H
#define HEDDLE_SEM_H

#include "heddle/isa.h"

#define SEM_LANES 32u

enum sem_round { SEM_RN, SEM_RM, SEM_RP, SEM_RZ };

/* Relation bits of a comparison, whatever the encoding of its name. */
enum { SEM_LT = 1, SEM_EQ = 2, SEM_GT = 4, SEM_UN = 8 };

enum sem_bool { SEM_AND, SEM_OR, SEM_XOR };

/* What the fields of one instruction word say, read once when a program is decoded. */
struct sem_par {
  uint8_t rnd;     /* enum sem_round */
  uint8_t rel;     /* union of SEM_LT ... SEM_UN that counts as true */
  uint8_t combine; /* enum sem_bool */
  uint8_t lut0, lut1;
  uint8_t minus;    /* IADD3: bit of each operand that was negated */
  uint8_t shift;    /* LEA */
  uint8_t sh_limit; /* SHF: greatest amount (clamp) or mask (wrap) */
  bool ftz, sat;
  bool is_unsigned;
  bool right, wrap, arith, high; /* SHF */
  bool sign_extend;              /* LEA.HI.SX32 */
};

/* Operands of one execution. Rows are 32 words; the words of a wide operand
 * are rows that follow each other. Source rows may be the destination row. */
struct sem_io {
  const uint32_t *a, *b, *c; /* after abs and neg */
  uint32_t *d;
  const uint32_t *on; /* row: all ones in executing lanes, zero elsewhere */
  uint32_t ps[3];     /* source predicates after negation, bit = lane */
  uint32_t pd[2];     /* results, all lanes; the caller blends */
};

typedef void sem_fn(struct sem_io *io, const struct sem_par *p);

enum sem_kind { SEM_ROW, SEM_CONTROL, SEM_MEMORY };

/* How the neg field of a source acts. */
enum sem_neg { SEM_NEG_NONE, SEM_NEG_INT, SEM_NEG_NOT, SEM_NEG_FLOAT };

enum sem_control { SEM_NOP, SEM_MEMBAR, SEM_BRA, SEM_BRX, SEM_BSSY, SEM_BSYNC, SEM_BREAK, SEM_EXIT, SEM_BAR_SYNC };

enum sem_space { SEM_GLOBAL = 1, SEM_SHARED = 2, SEM_CONST = 3 };
enum sem_access { SEM_LOAD, SEM_STORE, SEM_ATOM, SEM_RED };

/* One entry for each `sem=` name of the ISA file. */
struct sem_def {
  uint8_t kind;    /* enum sem_kind */
  uint8_t neg;     /* SEM_ROW: enum sem_neg */
  bool reads_ps;   /* SEM_ROW: looks at io->ps */
  uint8_t control; /* SEM_CONTROL: enum sem_control */
  uint8_t space;   /* SEM_MEMORY: enum sem_space */
  uint8_t access;  /* SEM_MEMORY: enum sem_access */
  /* SEM_ROW: fill *p from the word and choose the function. */
  sem_fn *(*pick)(const struct isa_dec *dec, struct sem_par *p);
};

/* abs and neg on a row: d = ((raw & keep) ^ flip) + plus. */
typedef void sem_modify_fn(uint32_t *d, const uint32_t *raw, uint32_t keep, uint32_t flip, uint32_t plus);

/* One build of the folder. */
struct sem_build {
  const struct sem_def *const *op; /* indexed by enum isa_op */
  sem_modify_fn *modify;
};

/* The best build that this processor can run. */
const struct sem_build *sem_best(void);

/* A particular build, for tests: NULL past the last one, or when this processor cannot run it. */
const struct sem_build *sem_build(unsigned n);

#endif
