/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the fields of a struct lie.
 */
#ifndef HEDDLE_RECORDS_PLACE_H
#define HEDDLE_RECORDS_PLACE_H

#include "cosim/retire/gen/records.h"

/* Give each field of the shape its offset, and the shape its size, as a C compiler does. False: complained. What must
 * hold, so that the words of a port can be copied: sized arrays come last and start at whole words in every
 * configuration; structs hold numbers only. */
bool records_place(struct records *r, struct records_shape *s, struct diag *d);

#endif
