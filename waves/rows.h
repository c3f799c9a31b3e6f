/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of views, of which tables are made: a row is a signal, what it is called and how wide it is. */
#ifndef HEDDLE_WAVES_ROWS_H
#define HEDDLE_WAVES_ROWS_H

#include <stddef.h>

#include "waves/view.h"

#define WAVE_TOP "heddle.heddle_gpu."
#define WAVE_GPU "u_gpu."                          /* the machine behind its ports */
#define WAVE_SM WAVE_GPU "gen_sm[0].u_sm."         /* of several SMs the first is drawn */
#define WAVE_RECORDS WAVE_GPU "gen_sm[0].ret."     /* ... its records, */
#define WAVE_VALID WAVE_GPU "gen_sm[0].ret_valid." /* ... and which of them are there (cosim/retire/retire.records) */
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Widths that follow from the configuration; others are numbers of bits. A signal of 1 bit has no range, of one of
 * these even a single bit has. */
enum {
  PER_WARP = 1000, /* a bit for each warp slot of the partition */
  PER_BANK,        /* a bit for each bank of the register file */
  PER_ACCESS,      /* a bit for each global instruction in flight */
  A_SLOT,          /* number of a warp slot of the partition */
  A_BEAT,          /* number of a beat */
  PLACES           /* how many of a queue of units */
};

struct row {
  enum wave_format format;
  unsigned bits; /* or a width from above */
  const char *label, *path;
};

/* Of a partition: which one, of how many. Arrays of structs and of words are scopes of their own. */
struct part {
  unsigned number, of;
};

/* What is drawn, and by whom. */
struct drawing {
  const struct heddle_config *config;
  const struct wave_sink *sink;
};

/* A signal, and all of a table; paths begin with WAVE_TOP and then the prefix. */
void wave_row(const struct drawing *d, const struct row *r, const char *prefix);
void wave_rows(const struct drawing *d, const struct row *rows, size_t n, const char *prefix);

/* A table as a group; `open`: its rows are seen. */
void wave_group(const struct drawing *d, const char *title, bool open, const struct row *rows, size_t n,
                const char *prefix);

/* "NAME, partition 1": the number only where there are several. */
const char *wave_titled(char *to, size_t bytes, const char *name, struct part p);

/* A table of signals inside a partition, as an open group; paths begin at its `unit`: "u_divergence.". */
void wave_partition_group(const struct drawing *d, const char *name, const struct row *rows, size_t n, const char *unit,
                          struct part p);

/* A record of a partition's front or back, with the bit that says it is there. */
void wave_partition_record(const struct drawing *d, const char *name, const char *valid, const char *group,
                           const char *record, const struct row *rows, size_t n, struct part p);

/* What several views show: who issues, what is performed in global and shared memory, AXI. */
void wave_issue(const struct drawing *d, struct part p);
void wave_performed(const struct drawing *d, bool open);
void wave_axi(const struct drawing *d);

#endif
