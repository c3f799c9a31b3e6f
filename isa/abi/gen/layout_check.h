/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of a layout, beyond the form of its lines. False: complained.
 */
#ifndef HEDDLE_LAYOUT_CHECK_H
#define HEDDLE_LAYOUT_CHECK_H

#include "isa/abi/gen/layout.h"

/* Copy word w of the line, a string in quotes, as a meaning. */
bool layout_text(char to[LAYOUT_TEXT_MAX], const struct line *line, unsigned w, struct diag *d);

/* A word lies inside the table, at a multiple of 4, and on no other; its place is taken. */
bool layout_check_word(struct layout *l, const struct layout_item *i, struct diag *d);

/* A field shares no bit with the ones before it of its word. */
bool layout_check_field(const struct layout_item *i, struct diag *d);

/* Every name that is made of the layout is made once. */
bool layout_check_names(const struct layout *l, struct diag *d);

#endif
