/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction set as tables, for printers, parsers and makers of instructions: assembler, disassembler, random
 * generator, coverage. All of it is constant data generated from the ISA file; pointers never expire.
 */
#ifndef HEDDLE_ISA_TABLES_H
#define HEDDLE_ISA_TABLES_H

#include <heddle/api.h>
#include <heddle/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No field, no set, no encoding. */
#define ISA_FIELD_NONE 255u
#define ISA_SET_NONE 255u
#define ISA_ENC_NONE 0xffffu

/* One spelling of one value. Text "" prints nothing. One of the tokens of a value is canonical (printed); the others
 * are accepted, too. */
struct heddle_isa_token {
  const char *text; /* ".RM", "SR_TID.X", "" */
  uint16_t value;
  bool canonical;
};

struct heddle_isa_set {
  const char *name;
  const struct heddle_isa_token *tokens; /* in the order of the file; the canonical one before its aliases */
  uint16_t n_tokens;
  const uint8_t *words; /* registers that an access of value v fills, or NULL without a width table */
  uint64_t legal[4];    /* bit v: value v is assigned */
  uint64_t rtl[4];      /* bit v: assigned, and in the RTL (no star) */
};

enum heddle_isa_field_kind {
  ISA_K_OPCODE,
  ISA_K_FIXED, /* given a value by the encoding, never an operand */
  ISA_K_GUARD, /* predicate index, top bit negates */
  ISA_K_GPR_READ,
  ISA_K_GPR_WRITE,
  ISA_K_PRED_READ, /* predicate index, top bit negates */
  ISA_K_PRED_WRITE,
  ISA_K_IMM32, /* raw 32 bits of an immediate operand */
  ISA_K_COFF,  /* byte offset in a constant bank, a multiple of 4 */
  ISA_K_CBANK,
  ISA_K_NEG,
  ISA_K_ABS, /* of an operand; see struct heddle_isa_slot */
  ISA_K_SET, /* enumerated: heddle_isa_field_info.set */
  ISA_K_UINT,
  ISA_K_SINT,
  ISA_K_REL,  /* signed bytes from the next instruction, a multiple of 16 */
  ISA_K_BREG, /* convergence barrier */
  ISA_K_STALL,
  ISA_K_YIELD,
  ISA_K_SBSET,
  ISA_K_SBWAIT,
  ISA_K_REUSE, /* the control code */
  ISA_K_UGPR_READ,
  ISA_K_UGPR_WRITE, /* all ones = URZ */
  ISA_K_UPRED_READ, /* uniform predicate index, top bit negates */
  ISA_K_UPRED_WRITE,
  ISA_K_UGUARD /* uniform predicate index, top bit negates */
};

struct heddle_isa_field_info {
  const char *name;
  uint8_t hi, lo;
  uint8_t kind; /* enum heddle_isa_field_kind */
  uint8_t set;  /* enum heddle_isa_set_id for ISA_K_SET, else ISA_SET_NONE */
  const char *note;
};

/* A syntax template in pieces. OPT_BEGIN .. OPT_END encloses a group that is
 * left out when all its fields have their defaults (predicates PT, numbers 0);
 * ADDR_BEGIN .. ADDR_END are printed brackets. Groups do not nest. */
enum heddle_isa_elem_kind {
  ISA_E_TEXT,
  ISA_E_FIELD,
  ISA_E_OPERAND,
  ISA_E_OPT_BEGIN,
  ISA_E_OPT_END,
  ISA_E_ADDR_BEGIN,
  ISA_E_ADDR_END
};

struct heddle_isa_elem {
  uint8_t kind;                   /* enum heddle_isa_elem_kind */
  uint8_t operand;                /* ISA_E_OPERAND: 0 a, 1 b, 2 c */
  uint8_t field;                  /* ISA_E_FIELD: enum heddle_isa_field */
  bool may_neg, may_abs, may_not; /* modifiers that the syntax allows (never with an immediate) */
  bool may_part;                  /* a part suffix, as in R2.H0_H0 (never with an immediate) */
  const char *text;               /* ISA_E_TEXT */
};

/* Place of an operand (or rd) in one encoding. */
struct heddle_isa_slot {
  uint8_t kind;        /* enum heddle_isa_kind; ISA_NONE: the encoding has no such operand */
  uint8_t field;       /* ISA_REG, ISA_UREG: register field; ISA_IMM: imm32 or uN field; ISA_CONST: see cbank, coff */
  uint8_t neg, abs;    /* fields owned for the modifiers, or ISA_FIELD_NONE */
  uint8_t part;        /* field of the part suffix, or ISA_FIELD_NONE */
  uint8_t words;       /* registers spanned: 1, 2, 4; 0 = as words_field says */
  uint8_t words_field; /* field of a set with a width table */
};

enum heddle_isa_imm_type { ISA_IMM_NONE, ISA_IMM_I32, ISA_IMM_U32, ISA_IMM_F32, ISA_IMM_F16X2, ISA_IMM_F64 };

/* How minus and bars act on a source. OWN: on operands of several words they are the operation's own business. */
enum heddle_isa_modify {
  ISA_MODIFY_NONE,
  ISA_MODIFY_INT,   /* two's complement */
  ISA_MODIFY_NOT,   /* ~ */
  ISA_MODIFY_FLOAT, /* bit 31 */
  ISA_MODIFY_HALF,  /* bits 31 and 15 */
  ISA_MODIFY_OWN
};

/* The two parts of mem=SPACE.KIND. */
enum heddle_isa_space {
  ISA_SPACE_NONE,
  ISA_SPACE_GLOBAL,
  ISA_SPACE_SHARED,
  ISA_SPACE_CONST,
  ISA_SPACE_LOCAL,
  ISA_SPACE_GENERIC
};
enum heddle_isa_access {
  ISA_ACCESS_NONE,
  ISA_ACCESS_LOAD,
  ISA_ACCESS_STORE,
  ISA_ACCESS_ATOM,
  ISA_ACCESS_RED,
  ISA_ACCESS_COPY
};

struct heddle_isa_instr {
  const char *name; /* mnemonic without suffixes of set fields: "IADD3.X" */
  const char *sem;
  const char *syntax; /* the template as written */
  uint8_t unit;       /* enum heddle_isa_unit */
  uint8_t wide_unit;  /* of words in which an operand or the result fills more than one register; else the same */
  uint8_t mem;        /* enum heddle_isa_mem */
  uint8_t imm;        /* enum heddle_isa_imm_type */
  uint8_t modify;     /* enum heddle_isa_modify, from the template and what the operands are */
  uint8_t space;      /* enum heddle_isa_space */
  uint8_t access;     /* enum heddle_isa_access */
  uint8_t flow;       /* enum heddle_isa_flow: where a warp goes on */
  bool drains;        /* takes effect when all earlier accesses of the warp have been performed */
  uint8_t n_elems, n_suffixes;
  const struct heddle_isa_elem *elems;
  const uint8_t *suffixes;    /* set fields that follow the mnemonic, in this order */
  uint16_t first_enc, n_encs; /* encodings first_enc .. first_enc + n_encs - 1, in the order of the file */
  bool only_model;            /* not in the RTL yet */
};

/* One instruction in one format. */
struct heddle_isa_encoding {
  uint16_t op;
  uint16_t next;                      /* next encoding with the same opcode bits, or ISA_ENC_NONE */
  const char *format;                 /* "RIR" */
  struct heddle_isa_word match, mask; /* w & mask == match; the mask covers fixed and reserved bits */
  struct heddle_isa_word fixed;       /* bits that are given a value; reserved bits are mask & ~fixed */
  const uint8_t *fields;              /* owned fields (fixed ones are not among them) */
  const uint8_t *checks;              /* owned fields that have illegal values */
  uint8_t n_fields, n_checks;
  struct heddle_isa_slot src[3];
  struct heddle_isa_slot rd;                     /* kind ISA_REG, ISA_UREG or ISA_NONE */
  bool only_model;                               /* of its instruction or its format */
  bool uniform, pd_uniform, ps_uniform;          /* guard, pd and ps below are uniform predicates */
  uint8_t guard, pd[2], ps[3], imm, cbank, coff; /* owned fields, or ISA_FIELD_NONE; coff also the offset of LDC */
  uint8_t stall, yield, wbar, rbar, wait, reuse;
};

HEDDLE_API const struct heddle_isa_instr *heddle_isa_instr_info(enum heddle_isa_op op);
HEDDLE_API const struct heddle_isa_encoding *heddle_isa_encoding_info(enum heddle_isa_enc enc);
HEDDLE_API const struct heddle_isa_field_info *heddle_isa_field_info(enum heddle_isa_field f);
HEDDLE_API const struct heddle_isa_set *heddle_isa_set_info(enum heddle_isa_set_id s);

/* Number of bits of a field. */
HEDDLE_API unsigned heddle_isa_field_width(enum heddle_isa_field f);

/* Value of a field, by its own width, which a variant may have narrowed, and by its kind: numbers of kinds sN and
 * rel have a sign. The value in a word, the highest possible one, and whether one has a place. */
HEDDLE_API int64_t heddle_isa_value(struct heddle_isa_word w, enum heddle_isa_field f);
HEDDLE_API int64_t heddle_isa_field_most(enum heddle_isa_field f);
HEDDLE_API bool heddle_isa_field_fits(enum heddle_isa_field f, int64_t value);

/* Registers that every field of the kind can name, R0 up (without RZ), and convergence barriers, B0 up. */
HEDDLE_API unsigned heddle_isa_registers(bool uniform);
HEDDLE_API unsigned heddle_isa_convergence_barriers(void);

/* Name of the registers of a field of this kind in assembly: "R", "UR", "P", "UP", "B"; else NULL. */
HEDDLE_API const char *heddle_isa_kind_prefix(unsigned kind);

/* Value of a field that assembly leaves out: PT for predicates and guards, RZ for registers, no counter (7), else 0. */
HEDDLE_API uint64_t heddle_isa_field_default(enum heddle_isa_field f);

/* Does the encoding own the field? */
HEDDLE_API bool heddle_isa_enc_owns(enum heddle_isa_enc enc, enum heddle_isa_field f);

/* Has the encoding source predicates, guard aside? */
HEDDLE_API bool heddle_isa_enc_reads_preds(enum heddle_isa_enc enc);

/* Op of a mnemonic ("IADD3.X", exact, case-sensitive), or ISA_OP_COUNT. */
HEDDLE_API enum heddle_isa_op heddle_isa_op_find(const char *name);

/* Text printed for a value of a set, or NULL when the value is not assigned. */
HEDDLE_API const char *heddle_isa_set_text(enum heddle_isa_set_id s, unsigned value);

/* Value of a token (canonical or alias); false when the set has no such token. */
HEDDLE_API bool heddle_isa_set_value(enum heddle_isa_set_id s, const char *text, unsigned *value);

/* May an owned field hold this raw value (wide register alignment aside)? */
HEDDLE_API bool heddle_isa_field_legal(enum heddle_isa_field f, uint64_t value);

/* Flow behind the word: by its instruction, but `next` under @!PT, which no lane takes. */
HEDDLE_API enum heddle_isa_flow heddle_isa_flow_of(const struct heddle_isa_dec *d);

/* May threads go on at the next word without having been elsewhere? */
HEDDLE_API bool heddle_isa_flow_passes(const struct heddle_isa_dec *d);

/* The code address in a branch or call, with `next` as the address of the following instruction; it may be outside
 * of the code. False: no branch and no call, or the target is in a register. */
HEDDLE_API bool heddle_isa_flow_target(const struct heddle_isa_dec *d, uint32_t next, int64_t *target);

/* Name of a memory kind: "global.load"; "none". */
HEDDLE_API const char *heddle_isa_mem_name(enum heddle_isa_mem m);

/* The first encoding with the fixed bits of the word, without reserved bits and values: diagnosis of an illegal word
 * begins here. False: opcode not assigned. */
HEDDLE_API bool heddle_isa_nearest(struct heddle_isa_word w, enum heddle_isa_enc *enc);

#ifdef __cplusplus
}
#endif

#endif
