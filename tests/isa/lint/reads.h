/* SPDX-License-Identifier: Apache-2.0
 *
 * What an instruction reads and writes, worked out from its decoded fields alone, apart from the library's own list. */
#ifndef HEDDLE_TEST_LINT_READS_H
#define HEDDLE_TEST_LINT_READS_H

#include <heddle/isa_tables.h>

/* R0-R254: 0-254; UR0-UR62: 1000-1062; P0-P6: 2000-2006; UP0-UP6: 3000-3006 */
struct places {
  uint16_t at[40];
  unsigned count;
};

struct places reads_of(const struct heddle_isa_dec *d);
struct places register_results_of(const struct heddle_isa_dec *d);
struct places predicate_results_of(const struct heddle_isa_dec *d);

#endif
