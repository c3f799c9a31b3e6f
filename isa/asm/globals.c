/* SPDX-License-Identifier: Apache-2.0
 * Directives of module variables: .globals .global .initial .address */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/asm/internal.h"

static bool take_bounded(struct assembler *a, struct cursor *c, uint32_t most, const char *what, uint32_t *out) {
  struct cursor start = *c;
  uint64_t v;
  if (lex_number(c, &v) && v <= most) {
    *out = (uint32_t)v;
    return true;
  }
  asm_error(a, &start, "expected %s, at most %u", what, most);
  return false;
}

/* .globals BYTES [BYTES WITH VALUES] */
static bool take_globals(struct assembler *a, struct cursor *c) {
  struct heddle_program *p = a->p;
  struct cursor start = *c;
  uint32_t bytes, initial = 0;
  if (!take_bounded(a, c, HEDDLE_GLOBAL_MAX, "a number of bytes", &bytes)) return false;
  const uint32_t most = bytes < HEDDLE_GLOBAL_INITIAL_MAX ? bytes : HEDDLE_GLOBAL_INITIAL_MAX;
  if (!lex_done(c) && !take_bounded(a, c, most, "a number of bytes with values", &initial)) return false;
  if (!a->first_pass) return true;
  if (p->global) {
    asm_error(a, &start, "a second '.globals'");
    return false;
  }
  p->global = calloc((size_t)initial + 1, 1);
  if (!p->global) {
    a->out_of_memory = true;
    return false;
  }
  p->global_bytes = bytes;
  p->global_initial = initial;
  return true;
}

/* .global NAME OFFSET BYTES */
static bool take_global(struct assembler *a, struct cursor *c) {
  struct heddle_program *p = a->p;
  struct cursor start = *c;
  struct heddle_global v = {0};
  char name[HEDDLE_SYMBOL_MAX + 1];
  if (!lex_name(c, name, sizeof name)) {
    asm_error(a, &start, "expected '.global NAME OFFSET BYTES'");
    return false;
  }
  if (!take_bounded(a, c, p->global_bytes, "an offset inside '.globals'", &v.offset) ||
      !take_bounded(a, c, p->global_bytes - v.offset, "a number of bytes", &v.size))
    return false;
  if (!a->first_pass) return true;
  if (p->variables >= HEDDLE_GLOBALS_MAX) {
    asm_error(a, &start, "more than %u module variables", HEDDLE_GLOBALS_MAX);
    return false;
  }
  v.name = asm_keep_name(a, name);
  if (!v.name || !asm_room(a, &p->variable, &a->variables_room, p->variables + 1, sizeof v)) return false;
  p->variable[p->variables++] = v;
  const uint32_t scope = a->scope;
  a->scope = 0;
  const bool ok = symbol_define(a, &start, v.name, v.offset, false);
  a->scope = scope;
  return ok;
}

/* .initial OFFSET BYTE, BYTE, ... */
static bool take_initial(struct assembler *a, struct cursor *c) {
  struct heddle_program *p = a->p;
  uint32_t at, byte;
  if (!take_bounded(a, c, p->global_initial, "an offset inside what '.globals' gives values", &at)) return false;
  do {
    struct cursor start = *c;
    if (!take_bounded(a, c, UINT8_MAX, "a byte", &byte)) return false;
    if (at == p->global_initial) {
      asm_error(a, &start, "'.globals' gives %u bytes values", p->global_initial);
      return false;
    }
    p->global[at++] = (uint8_t)byte;
  } while (lex_char(c, ','));
  return true;
}

/* .address OFFSET */
static bool take_address(struct assembler *a, struct cursor *c) {
  struct heddle_program *p = a->p;
  struct cursor start = *c;
  uint32_t at;
  if (!take_bounded(a, c, p->global_initial, "an offset inside what '.globals' gives values", &at)) return false;
  if (!a->first_pass) return true;
  if (p->global_initial - at < 8 || (p->addresses > 0 && at < p->address[p->addresses - 1] + 8)) {
    asm_error(a, &start, "addresses have 8 bytes each, in ascending order");
    return false;
  }
  if (!asm_room(a, &p->address, &a->addresses_room, p->addresses + 1, sizeof *p->address)) return false;
  p->address[p->addresses++] = at;
  return true;
}

bool asm_global_directive(struct assembler *a, struct cursor *c, const char *name, bool *known) {
  *known = true;
  if (strcmp(name, "globals") == 0) return take_globals(a, c);
  if (strcmp(name, "global") == 0) return take_global(a, c);
  if (strcmp(name, "initial") == 0) return take_initial(a, c);
  if (strcmp(name, "address") == 0) return take_address(a, c);
  *known = false;
  return false;
}
