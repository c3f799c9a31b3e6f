/* SPDX-License-Identifier: Apache-2.0
 *
 * The ISA file as JSON: units, sets, fields, instructions with the bits of each form. What isa/manual makes pages of.
 */
#ifndef HEDDLE_GEN_DOC_JSON_H
#define HEDDLE_GEN_DOC_JSON_H

#include <jansson.h>

#include "isa/gen/spec.h"

/* NULL: no memory. The caller's. */
json_t *doc_json(const struct spec *s);

#endif
