/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of a comparison, each an <svg> element. */
#ifndef HEDDLE_COMPARE_SVG_H
#define HEDDLE_COMPARE_SVG_H

#include "run/compare/compare.h"

void compare_svg_fields(const struct compare_encoding *e, FILE *f);     /* bits and entropy, a bar each field */
void compare_svg_immediates(const struct compare_encoding *e, FILE *f); /* words above so many bits */
void compare_svg_decoders(const struct comparison *c, FILE *f);         /* LUT4 of each decoder */
void compare_svg_caches(const struct comparison *c, FILE *f);           /* stall share over size */

#endif
