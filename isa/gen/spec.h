/* SPDX-License-Identifier: Apache-2.0
 *
 * An instruction set as read from its file (the language: isa/doc/00-isa-file.md).
 * spec_load parses, derives every encoding and checks the whole; what it
 * accepts, the emitters may trust.
 */
#ifndef HEDDLE_GEN_SPEC_H
#define HEDDLE_GEN_SPEC_H

#include "isa/gen/text.h"

__extension__ typedef unsigned __int128 u128;

enum {
  SPEC_WORD_BITS = 128,
  SPEC_UNITS_MAX = 15, /* unit_e is four bits; bit 15 of a mask of units is EMIT_PART_ASYNC */
  SPEC_SETS_MAX = 128,
  SPEC_TOKENS_MAX = 256, /* of one set, aliases included */
  SPEC_FIELDS_MAX = 250, /* field numbers fit a byte, 255 = none */
  SPEC_FORMATS_MAX = 128,
  SPEC_INSNS_MAX = 256, /* op_e is eight bits */
  SPEC_ENCS_MAX = 2048,
  SPEC_LIST_MAX = 64,  /* fields in one list */
  SPEC_ELEMS_MAX = 64, /* pieces of one syntax template */
  SPEC_FORMATS_OF_INSN_MAX = 16,
  SPEC_IMPORT_DEPTH = 8,
  SPEC_FILES_MAX = 32,
  SPEC_SHORT_ROWS = 256, /* an index of 8 bits */
  SPEC_SHORT_CODES = 128,
  SPEC_KEY_BITS_MAX = 16, /* opcode bits: they index a table */
  SPEC_MEMS_MAX = 15,     /* mem_e is four bits, 0 = none */
  SPEC_IMM_BITS_MAX = 32,
  SPEC_SHORT_BITS_MAX = 16, /* of a short immediate in the RTL: two of them share a word */
  SPEC_NONE = 255
};

/* Order and meaning are those of enum heddle_isa_field_kind in isa_tables.h. */
enum kind {
  K_OPCODE,
  K_FIXED,
  K_GUARD,
  K_GPR_READ,
  K_GPR_WRITE,
  K_PRED_READ,
  K_PRED_WRITE,
  K_IMM32,
  K_COFF,
  K_CBANK,
  K_NEG,
  K_ABS,
  K_SET,
  K_UINT,
  K_SINT,
  K_REL,
  K_BREG,
  K_STALL,
  K_YIELD,
  K_SBSET,
  K_SBWAIT,
  K_REUSE,
  K_UGPR_READ,
  K_UGPR_WRITE,
  K_UPRED_READ,
  K_UPRED_WRITE,
  K_UGUARD
};

/* How an operand is supplied; order as enum heddle_isa_kind. */
enum slot_kind { SLOT_NONE, SLOT_REG, SLOT_IMM, SLOT_CONST, SLOT_UREG };

/* Pieces of a syntax template; order as enum heddle_isa_elem_kind. */
enum elem_kind { E_TEXT, E_FIELD, E_OPERAND, E_OPT_BEGIN, E_OPT_END, E_ADDR_BEGIN, E_ADDR_END };

/* How minus and bars act on a source; order as enum heddle_isa_modify. */
enum modify { MODIFY_NONE, MODIFY_INT, MODIFY_NOT, MODIFY_FLOAT, MODIFY_HALF, MODIFY_OWN };

typedef char name_t[TEXT_NAME_MAX];

enum latency { LATENCY_FIXED, LATENCY_VARIABLE, LATENCY_CONTROL };

struct unit {
  name_t name;
  unsigned latency; /* enum latency */
};

struct token {
  name_t text; /* "" prints nothing */
  unsigned value;
  bool canonical; /* what is printed; others are accepted */
};

struct set {
  name_t name;
  struct pos at;
  unsigned n_tokens;
  struct token token[SPEC_TOKENS_MAX];
  bool legal[SPEC_TOKENS_MAX];
  bool rtl[SPEC_TOKENS_MAX];      /* legal, and not starred */
  uint8_t words[SPEC_TOKENS_MAX]; /* registers that an access fills; 0 = not said */
  bool has_words;
};

struct field {
  name_t name;
  struct pos at;
  struct pos moved; /* line 0: never */
  unsigned hi, lo;
  unsigned declared; /* width in the file that declares it; a variant may have narrowed it */
  unsigned least;    /* fewest bits with which anything can be built; 0: not said */
  char why[160];     /* ... and the reason */
  enum kind kind;
  unsigned set;  /* K_SET */
  unsigned bits; /* K_UINT, K_SINT: declared width */
  char note[160];
};

struct fixed {
  unsigned field;
  uint64_t value;
};

struct slot {
  enum slot_kind kind;
  unsigned field, neg, abs, part; /* SPEC_NONE: none */
};

struct format {
  name_t name;
  struct pos at;
  unsigned n_fixed, n_owned;
  struct fixed fixed[SPEC_LIST_MAX];
  uint8_t owned[SPEC_LIST_MAX];
  struct slot src[3];
  bool only_model;
};

struct elem {
  enum elem_kind kind;
  unsigned field;   /* E_FIELD */
  unsigned operand; /* E_OPERAND: 0 a, 1 b, 2 c */
  bool neg, abs, inv, part;
  char text[TEXT_NAME_MAX];
};

/* How many registers a (0), b (1), c (2) or rd (3) spans. */
struct wide {
  unsigned words; /* 0: as the width table of `field` says */
  unsigned field; /* SPEC_NONE when words is a number */
};

struct insn {
  name_t name, sem;
  struct pos at;
  unsigned n_fixed, n_formats, n_listed, n_elems;
  struct fixed fixed[SPEC_LIST_MAX];
  uint8_t formats[SPEC_FORMATS_OF_INSN_MAX];
  uint8_t listed[SPEC_LIST_MAX]; /* fields of the field list */
  char syntax[256];
  struct elem elem[SPEC_ELEMS_MAX];
  unsigned n_suffix;
  uint8_t suffix[SPEC_LIST_MAX];
  unsigned unit, wide_unit; /* wide_unit: of words in which an operand or the result is wide; SPEC_NONE: no other */
  unsigned mem;             /* 0 none, else 1 + index into spec.mem */
  unsigned imm;             /* 0 none, else 1 + index into spec_imm_types */
  unsigned flow;            /* index into spec_flows */
  bool drains;              /* waits for all earlier accesses of the warp */
  struct wide wide[4];
  unsigned first_enc, n_encs;
  bool only_model;
  bool async; /* part=async: of the machines that have its unit some lack it */
};

/* One instruction in one format. */
struct enc {
  unsigned insn, format;
  unsigned n_fields; /* owned, in the order of declaration of ownership; fixed fields not among them */
  uint8_t fields[SPEC_LIST_MAX];
  struct slot src[3]; /* neg, abs and part only where the template allows them */
  bool only_model;    /* of the instruction or of the format: not in the RTL */
  u128 fixed;         /* bits with a given value */
  u128 owned;         /* bits of owned fields */
  u128 match;
  u128 mask;    /* fixed and reserved bits */
  unsigned key; /* value of the opcode fields, the first declared uppermost */
};

/* Short words: a row of the table of patterns, of that of control codes (isa/doc/13-short-words.md). */
enum short_kind { SHORT_NONE, SHORT_INT, SHORT_HIGH, SHORT_OFFSET, SHORT_CONST };
extern const char *const spec_short_kinds[]; /* NULL-terminated */

struct short_row {
  u128 bits; /* of the long word */
  enum short_kind kind;
  struct pos at;
};

struct short_code {
  uint32_t bits;
  struct pos at;
};

struct spec {
  name_t name;
  unsigned n_units, n_sets, n_fields, n_formats, n_insns, n_encs, n_always, n_mems, n_files, n_keys;
  struct unit unit[SPEC_UNITS_MAX];
  struct set set[SPEC_SETS_MAX];
  struct field field[SPEC_FIELDS_MAX];
  struct format format[SPEC_FORMATS_MAX];
  struct insn insn[SPEC_INSNS_MAX];
  struct enc enc[SPEC_ENCS_MAX];
  uint8_t always[SPEC_LIST_MAX];
  name_t mem[SPEC_MEMS_MAX];                                 /* "global.load", in order of appearance */
  uint8_t mem_space[SPEC_MEMS_MAX], mem_kind[SPEC_MEMS_MAX]; /* its parts: enum heddle_isa_space, heddle_isa_access */
  uint8_t key[SPEC_KEY_BITS_MAX];                            /* opcode fields */
  unsigned key_bits;
  char file[SPEC_FILES_MAX][TEXT_PATH_MAX]; /* names that positions point to */
  struct pos sketch_at;                     /* a sketch: measured, never built; line 0: it is none */
  char sketch[160];                         /* why it is not built */
  unsigned n_short_rows, n_short_codes;     /* 0: every word is long */
  struct short_row short_row[SPEC_SHORT_ROWS];
  struct short_code short_code[SPEC_SHORT_CODES];
  unsigned short_code_lo, short_code_bits; /* place of a control code in a long word */
  uint64_t hash;
};

extern const char *const spec_imm_types[]; /* NULL-terminated */
extern const char *const spec_flows[];     /* where a warp goes on; NULL-terminated, the first is "next" */
extern const char *const spec_kind_names[];

/* NULL with a complaint in *d. spec_free takes NULL. */
struct spec *spec_load(const char *path, struct diag *d);
void spec_free(struct spec *s);

/* Lookups by name: index, or SPEC_NONE. */
unsigned spec_field(const struct spec *s, const char *name);
unsigned spec_set(const struct spec *s, const char *name);
unsigned spec_format(const struct spec *s, const char *name);
unsigned spec_unit(const struct spec *s, const char *name);

/* The one field of a kind that an encoding owns, or SPEC_NONE; of either kind. */
unsigned enc_field_of_kind(const struct spec *s, const struct enc *e, enum kind k);
unsigned enc_field_of_kinds(const struct spec *s, const struct enc *e, enum kind k, enum kind other);

/* Predicate, register or guard: in a field of the plain kind, or of its uniform kin. */
bool kind_is_pred(enum kind k);     /* a predicate read or written, and the guards: 7 is PT */
bool kind_is_register(enum kind k); /* all ones is RZ */
bool kind_is_signed(enum kind k);   /* the field's own top bit is its sign */

/* Is the slot a register, and does its operand carry an immediate narrower than 32 bits? */
static inline bool slot_is_register(const struct slot *sl) {
  return sl->kind == SLOT_REG || sl->kind == SLOT_UREG;
}
bool slot_is_short(const struct spec *s, const struct slot *sl);
bool enc_owns(const struct enc *e, unsigned field);

static inline unsigned field_width(const struct field *f) {
  return f->hi - f->lo + 1;
}
static inline u128 field_mask(const struct field *f) {
  unsigned w = field_width(f);
  u128 ones = w == SPEC_WORD_BITS ? ~(u128)0 : (((u128)1 << w) - 1);
  return ones << f->lo;
}

/* False with a complaint: it is a sketch, of which nothing may be made that runs. */
bool spec_buildable(const struct spec *s, struct diag *d);

/* Steps of spec_load, in this order. */
bool spec_parse(struct spec *s, const char *path, struct diag *d);
bool spec_parse_short(struct spec *s, const struct line *l, struct diag *d);
bool spec_parse_format(struct spec *s, const struct line *l, struct diag *d);
bool spec_parse_insn(struct spec *s, const struct line *l, struct diag *d);
bool spec_derive(struct spec *s, struct diag *d);
bool spec_check(struct spec *s, struct diag *d);
void spec_canonical(const struct spec *s, FILE *f); /* the text that is hashed */

#endif
