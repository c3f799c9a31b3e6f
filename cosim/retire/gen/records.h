/* SPDX-License-Identifier: Apache-2.0
 *
 * A records file: kinds of records, their fields, places of these (../README.md is its manual).
 *
 * A record is in memory as a C struct with fields aligned to their size. Its head is the same for every configuration;
 * arrays with a size by configuration follow, smaller at the port than in the C struct.
 */
#ifndef HEDDLE_RECORDS_H
#define HEDDLE_RECORDS_H

#include "isa/gen/text.h"

enum {
  RECORDS_CONSTS_MAX = 32,
  RECORDS_DIMS_MAX = 16,
  RECORDS_GROUPS_MAX = 8,
  RECORDS_BOUNDS_MAX = 16,
  RECORDS_RESERVED_MAX = 32,
  RECORDS_PROFILES = 3,
  RECORDS_KINDS_MAX = 256,
  RECORDS_KIND_MAX = 64,     /* a record's number is below it: masks of kinds have 64 bits */
  RECORDS_HIDDEN_KINDS = 32, /* a core that hides a kind sets its bit in 32 bits */
  RECORDS_SHAPES_MAX = 40,   /* structs and records */
  RECORDS_FIELDS_MAX = 256,
  RECORDS_SIZE_MAX = 1024,  /* of a dimension */
  RECORDS_BYTES_MAX = 8192, /* of a record */
  RECORDS_TEXT_MAX = 128    /* a meaning with its NUL */
};

#define RECORDS_NONE (-1)

struct records_const {
  char name[TEXT_NAME_MAX], text[RECORDS_TEXT_MAX];
  uint32_t value;
};

struct records_dim {
  char name[TEXT_NAME_MAX], text[RECORDS_TEXT_MAX];
  char port[2 * TEXT_NAME_MAX]; /* its size at the port, in SystemVerilog */
  uint32_t size, multiple;      /* in C; at the port it is a multiple of that */
  bool sized;                   /* the port's size is another than in C */
};

/* Records of one part of the RTL, and their valid bits, a struct each. */
struct records_group {
  char name[TEXT_NAME_MAX], text[RECORDS_TEXT_MAX];
  int dim; /* there is one of each along this dimension, or RECORDS_NONE */
};

/* A size of a machine that no array has: a number at the port is below it. */
struct records_bound {
  char name[TEXT_NAME_MAX], text[RECORDS_TEXT_MAX];
  char port[2 * TEXT_NAME_MAX]; /* in SystemVerilog */
};

/* The number of a kind that is kept for later: no other kind may use it. */
struct records_reserved {
  char name[TEXT_NAME_MAX], text[RECORDS_TEXT_MAX];
  uint32_t kind;
};

struct records_field {
  char name[TEXT_NAME_MAX], text[RECORDS_TEXT_MAX];
  struct pos at;
  unsigned bits;               /* 8, 16, 32, 64, 128; 0: of a struct */
  int shape;                   /* that struct, or RECORDS_NONE */
  unsigned dims;               /* 0 to 2 */
  int dim[2];                  /* outer first */
  int when;                    /* the field with a bit for each element that is there, or RECORDS_NONE */
  int lanes;                   /* ... that entry i of its last dimension says something, or RECORDS_NONE */
  int of;                      /* the field by which a stream expects it, or RECORDS_NONE */
  uint32_t offset, size;       /* bytes in C; of one element */
  bool sized;                  /* one of its dimensions is */
  unsigned profile;            /* devices of this profile and of higher ones show it; at least its record's */
  char below[TEXT_NAME_MAX];   /* a bound, a dimension or a constant: its numbers are below it; or "" */
  char mask_of[TEXT_NAME_MAX]; /* of such a one: no bit at or above it is set; or "" */
};

struct records_shape {
  char name[TEXT_NAME_MAX], text[RECORDS_TEXT_MAX];
  struct pos at;
  bool record;   /* of a kind of its own; else only for fields */
  int like;      /* record with its fields, or RECORDS_NONE */
  int group;     /* group that shows it, or RECORDS_NONE: alone */
  unsigned dims; /* how many are shown in a cycle, as an array */
  int dim[2];
  unsigned first, fields;
  unsigned profile;            /* as of a field */
  unsigned kind;               /* of a record: its number */
  bool numbered;               /* ... which the file gives */
  bool absent;                 /* the core that a kit is made for has no such unit */
  char unit[TEXT_NAME_MAX];    /* only a core with such a unit shows it; or "" */
  bool of_bank;                /* a machine shows it once for each bank of memory; else once for each SM */
  bool sized;                  /* it has sized fields */
  uint32_t align, head, bytes; /* head: bytes before the first sized field, whole words; bytes: of the C struct */
};

struct records {
  char name[TEXT_NAME_MAX], text[RECORDS_TEXT_MAX];
  uint32_t version; /* 0: not given yet */
  unsigned consts, dims, groups, bounds, reserves, shapes, fields;
  struct records_const constant[RECORDS_CONSTS_MAX];
  struct records_dim dim[RECORDS_DIMS_MAX];
  struct records_group group[RECORDS_GROUPS_MAX];
  struct records_bound bound[RECORDS_BOUNDS_MAX];
  struct records_reserved reserved[RECORDS_RESERVED_MAX];
  struct records_shape shape[RECORDS_SHAPES_MAX];
  struct records_field field[RECORDS_FIELDS_MAX];
};

/* Read, check and lay out one file; false with a complaint that names file and line. */
bool records_load(const char *path, struct records *r, struct diag *d);

/* The shape with the fields of `s`: itself, or the one it is like. */
static inline const struct records_shape *records_fields_of(const struct records *r, const struct records_shape *s) {
  return s->like == RECORDS_NONE ? s : &r->shape[s->like];
}

/* Whether `s` is a record of that group; of none, for it is shown alone: by an SM, or by a bank of memory. */
static inline bool records_from(const struct records_shape *s, int group, bool bank) {
  return s->record && s->group == group && s->of_bank == bank;
}

/* Records that there are, and one more than the highest number of one. */
unsigned records_count(const struct records *r);
unsigned records_kinds(const struct records *r);

/* The record of that number, or NULL: there is none. */
const struct records_shape *records_of_kind(const struct records *r, unsigned kind);

void records_emit_c(const struct records *r, FILE *f);         /* heddle/retire_records.h: structs */
void records_emit_table(const struct records *r, FILE *f);     /* heddle/retire_fields.h: the place of each field */
void records_emit_cpp(const struct records *r, FILE *f);       /* heddle/retire_ports.hpp: from port words to structs */
void records_emit_sv(const struct records *r, FILE *f);        /* retire_pkg.sv */
void records_emit_sv_plain(const struct records *r, FILE *f);  /* ... without what Heddle's parts and tops show */
void records_emit_markdown(const struct records *r, FILE *f);  /* retire.md */
void records_emit_stream_c(const struct records *r, FILE *f);  /* heddle/retire_stream.h: what a stream is made of */
void records_emit_stream_sv(const struct records *r, FILE *f); /* retire_stream_pkg.sv: the same, for RTL */
void records_emit_python(const struct records *r, FILE *f);    /* retire_tables.py: the same, for Python */

/* Places of the fields of a struct. */

/* Give each field of the shape its offset, and the shape its size, as a C compiler does. False: complained. Words of
 * a port are copied, so sized arrays must come last and start at whole words in every configuration; structs hold
 * numbers only. */
bool records_place(struct records *r, struct records_shape *s, struct diag *d);

#endif
