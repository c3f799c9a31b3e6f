/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction set as C sees it. Everything here is either generated from
 * the ISA file (isa_gen.h, the tables behind these functions) or a thin,
 * table-driven reading of it; no bit number is written by hand.
 */
#ifndef HEDDLE_ISA_H
#define HEDDLE_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/isa_gen.h> /* generated: enum isa_op, isa_unit, isa_enc, isa_field; ISA_* values of sets */

#include <heddle/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One instruction word. In memory: little-endian, lo at the lower address. */
struct heddle_isa_word {
  uint64_t lo, hi;
};

/* How a source operand is supplied. ISA_UREG: a uniform register, one value for the warp. */
enum heddle_isa_kind { ISA_NONE, ISA_REG, ISA_IMM, ISA_CONST, ISA_UREG };

struct heddle_isa_src {
  uint8_t kind;  /* enum heddle_isa_kind */
  uint8_t reg;   /* ISA_REG, ISA_UREG: register number, 255 (ISA_RZ) = zero (RZ, URZ) */
  uint8_t words; /* registers it spans: 1, 2 or 4 */
  bool neg;      /* arithmetic minus, or bitwise not where the template says ~ */
  bool abs;
  uint8_t part; /* raw value of the operand's part field ("R2.H0_H0"); 0 when it has none */
  uint32_t imm; /* ISA_IMM: value of its field, zero-extended; the upper word when imm=f64 */
};

/* A predicate read: index 0..6, 7 = PT (UPT). */
struct heddle_isa_pred {
  uint8_t index;
  bool neg;
};

/* The scheduling code. wbar, rbar: 0..5, 7 = none. */
struct heddle_isa_ctl {
  uint8_t stall, wbar, rbar, wait, reuse;
  bool yield;
};

/* A decoded word. Field values that have no member here are read with heddle_isa_get. */
struct heddle_isa_dec {
  struct heddle_isa_word word;
  uint16_t enc; /* enum heddle_isa_enc: which encoding (instruction and format) */
  uint16_t op;  /* enum heddle_isa_op */
  uint8_t unit; /* enum heddle_isa_unit */
  struct heddle_isa_pred guard;
  bool uniform;    /* the guard is a uniform predicate: the instruction executes once for the warp */
  bool rd_uniform; /* rd is a uniform register */
  bool pd_uniform; /* pd0, pd1 are uniform predicates */
  bool ps_uniform; /* ps0..ps2 are uniform predicates */
  bool has_rd;
  uint8_t rd, rd_words;
  bool has_pd0, has_pd1;        /* owned by the encoding */
  uint8_t pd0, pd1;             /* 7 = PT: dropped (also when not owned) */
  struct heddle_isa_pred ps[3]; /* ps0..ps2; PT when not owned */
  struct heddle_isa_src src[3]; /* a, b, c */
  uint32_t imm;  /* value of the imm32 field, when an operand is ISA_IMM; every operand also has its own */
  uint8_t cbank; /* when an operand is ISA_CONST, or LDC */
  uint16_t coff;
  struct heddle_isa_ctl ctl;
};

/* Decode one word. True and *d filled when legal; false when illegal (reserved
 * bit, unassigned enumerated value, counter 6, misaligned wide register). */
HEDDLE_API bool heddle_isa_decode(struct heddle_isa_word w, struct heddle_isa_dec *d);

/* Highest general register that the word touches, or -1 when none (RZ does not count). A word with a highest
 * register >= the kernel's count is illegal. */
HEDDLE_API int heddle_isa_max_reg(const struct heddle_isa_dec *d);
HEDDLE_API int heddle_isa_max_uniform(const struct heddle_isa_dec *d); /* the same of uniform registers */

/* An atomic that adds floats? These need adders of their own, which a machine may lack. */
HEDDLE_API bool heddle_isa_adds_floats(const struct heddle_isa_dec *d);

/* An asynchronous copy, or its end (LDGSTS and LDGDEPBAR)? A machine may lack them. */
HEDDLE_API bool heddle_isa_is_async(const struct heddle_isa_dec *d);

/* Does the RTL have this word? False for only=model of the instruction or its format in the ISA file, or a star at a
 * value of one of its fields: the RTL traps it as illegal. */
HEDDLE_API bool heddle_isa_in_rtl(const struct heddle_isa_dec *d);

/* Needs of a word: a bit per enum heddle_isa_unit, and parts that are no units. ISA_PART_FATOM: the adders of
 * heddle_isa_adds_floats; ISA_PART_ASYNC: the copies of heddle_isa_is_async; ISA_PART_MODEL: words without RTL
 * (heddle_isa_in_rtl). A uniform register or predicate belongs to unit uni, in any instruction. */
#define ISA_PART_ASYNC 26u
#define ISA_PART_MODEL 27u
#define ISA_PART_FATOM 28u
#define ISA_NEEDS_MAX 32u
HEDDLE_API uint32_t heddle_isa_needs(const struct heddle_isa_dec *d);
HEDDLE_API const char *heddle_isa_need_name(unsigned bit); /* "uni", "async", "fatom"; NULL: no such unit or part */

/* Has a machine with these units and parts what the word names? */
HEDDLE_API bool heddle_isa_has_units(const struct heddle_isa_dec *d, uint32_t units);

/* ... and does the RTL have it, too? */
HEDDLE_API bool heddle_isa_in_machine(const struct heddle_isa_dec *d, uint32_t units);

/* Raw (zero-extended) value of a named field, and the sign-extended one. */
HEDDLE_API uint64_t heddle_isa_get(struct heddle_isa_word w, enum heddle_isa_field f);
HEDDLE_API int64_t heddle_isa_get_signed(struct heddle_isa_word w, enum heddle_isa_field f);
HEDDLE_API struct heddle_isa_word heddle_isa_put(struct heddle_isa_word w, enum heddle_isa_field f, uint64_t v);

/* A word in memory, ISA_WORD_BYTES from `at` on, which need not be aligned. */
HEDDLE_API struct heddle_isa_word heddle_isa_word_load(const uint8_t *at);
HEDDLE_API void heddle_isa_word_store(uint8_t *at, struct heddle_isa_word w);

/* Short words, two in a place of ISA_WORD_BYTES (isa/doc/13-short-words.md). Instructions are at multiples of ISA_STEP
 * (isa_gen.h): 8 in an encoding that has them, else 16.
 * heddle_isa_lengthen: the long word of a short one; 0, which is no instruction, if there is none.
 * heddle_isa_shorten: the short word of this one. False: there is none. */
HEDDLE_API struct heddle_isa_word heddle_isa_lengthen(uint64_t word);
HEDDLE_API bool heddle_isa_shorten(struct heddle_isa_word w, uint64_t *word);

/* The instruction at `pc`, a multiple of ISA_STEP below the size of the code, which is one of ISA_WORD_BYTES. Its long
 * word, and the distance of the next one in bytes.
 * False: `pc` is in the middle of a long word. That is the word then; there is no instruction. */
HEDDLE_API bool heddle_isa_fetch(const uint8_t *code, uint32_t pc, struct heddle_isa_word *w, uint32_t *bytes);

/* Replace an instruction. False: the other half of a pair, which has no short form. */
HEDDLE_API bool heddle_isa_replace(uint8_t *code, uint32_t pc, struct heddle_isa_word w);

/* The PC of the instruction that ends where the one at `pc` begins; pc is not 0. */
HEDDLE_API uint32_t heddle_isa_before(const uint8_t *code, uint32_t pc);

HEDDLE_API const char *heddle_isa_op_name(enum heddle_isa_op op); /* "IADD3.X" */
HEDDLE_API const char *heddle_isa_unit_name(enum heddle_isa_unit u);
HEDDLE_API bool heddle_isa_unit_is_variable(enum heddle_isa_unit u);
HEDDLE_API uint64_t heddle_isa_hash(void); /* 64-bit FNV-1a of the canonical ISA description */

#define ISA_RZ 255u
#define ISA_PT 7u
#define ISA_WORD_BYTES 16u

#ifdef __cplusplus
}
#endif

#endif
