/* SPDX-License-Identifier: Apache-2.0
 *
 * Names in the generated code: `IADD3.X` is IADD3_X, token `.RN` of set `rnd`
 * is RND_RN, an empty token takes its alias or NONE.
 */
#ifndef HEDDLE_GEN_NAMES_H
#define HEDDLE_GEN_NAMES_H

#include "isa/gen/spec.h"

struct ident {
  char s[3 * TEXT_NAME_MAX];
};

struct ident ident_upper(const char *name); /* dots become underscores */
struct ident ident_lower(const char *name);
struct ident ident_value(const struct set *set, unsigned value);   /* SET_TOKEN; value must be legal */
struct ident ident_enc(const struct spec *s, const struct enc *e); /* OP_FORMAT */
struct ident ident_mem(const struct spec *s, unsigned mem);        /* GLOBAL_LOAD; 0 is NONE */

/* Two things that would get one generated name are an error in the file. */
bool names_check(const struct spec *s, struct diag *d);

#endif
