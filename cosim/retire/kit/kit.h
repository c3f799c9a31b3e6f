/* SPDX-License-Identifier: Apache-2.0
 *
 * The retire port of a core of given sizes, as files for a simulator: numbers where retire_pkg.sv of this tree has
 * those of a configuration. cosim/kit/README.md says what each file is for.
 */
#ifndef HEDDLE_KIT_H
#define HEDDLE_KIT_H

#include "cosim/retire/gen/records.h"

struct kit_sizes {
  uint32_t lanes, partitions, banks, warps, blocks;
  uint32_t cache; /* 1: it has one */
};

/* Put numbers into r: sizes at the port; drop the ports of units that the core lacks. It has no MMU, and no walks.
 * False: a size of the description is none of these. */
bool kit_size(struct records *r, const struct kit_sizes *s, struct diag *d);

/* Every file that is generated, into DIR, which exists. r has its sizes. */
bool kit_write(const struct records *r, const char *dir, struct diag *d);

/* ---- inside ---- */
uint32_t kit_port_size(const struct records *r, int dim);                       /* of a dimension, at the port */
uint32_t kit_instances(const struct records *r, const struct records_shape *s); /* of a record in a cycle */
uint32_t kit_elements(const struct records *r, const struct records_field *x);  /* of a field, at the port */
uint32_t kit_bits(const struct records *r, const struct records_shape *s);      /* of one record, at the port */
/* The number of a constant, dimension or bound. */
uint32_t kit_number(const struct records *r, const char *name);
/* The records alone, in order: all of them; those that the core has a port for. NULL: there are no more. */
const struct records_shape *kit_record(const struct records *r, unsigned i);
void kit_banner(const struct records *r, const char *what, FILE *f);

void kit_emit_if(const struct records *r, FILE *f);                                  /* retire_if.sv */
void kit_emit_assert(const struct records *r, FILE *f);                              /* retire_assert.sv */
void kit_emit_bind(const struct records *r, FILE *f);                                /* retire_bind.sv */
void kit_emit_pack(const struct records *r, const struct records_shape *s, FILE *f); /* retire_pack_KIND.v */

#endif
