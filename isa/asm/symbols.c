/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels, parameters, shared variables, constants; module variables and their directives.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "isa/asm/internal.h"

/* Labels, parameters, shared variables, constants. A name is looked up in its own kernel, then in the file, then, if
 * only one kernel has it, there. */

bool symbol_define(struct assembler *a, const struct cursor *c, const char *name, int64_t value, bool is_label) {
  if (!a->first_pass) return true;
  if (a->symbols >= ASM_SYMBOLS_MAX) {
    asm_error(a, c, "more than %u symbols", ASM_SYMBOLS_MAX);
    return false;
  }
  if (!asm_room(a, &a->symbol, &a->symbols_room, a->symbols + 1, sizeof *a->symbol)) return false;
  char *copy = strdup(name);
  if (!copy) {
    a->out_of_memory = true;
    return false;
  }
  a->symbol[a->symbols++] = (struct symbol){.name = copy, .value = value, .scope = a->scope, .is_label = is_label};
  return true;
}

static int compare_symbols(const void *x, const void *y) {
  const struct symbol *p = x, *q = y;
  int by_name = strcmp(p->name, q->name);
  if (by_name) return by_name;
  return p->scope < q->scope ? -1 : p->scope > q->scope;
}

void symbols_seal(struct assembler *a) {
  if (a->symbols > 0) qsort(a->symbol, a->symbols, sizeof *a->symbol, compare_symbols);
  struct cursor nowhere = {0};
  for (size_t i = 1; i < a->symbols; i++)
    if (compare_symbols(&a->symbol[i - 1], &a->symbol[i]) == 0)
      asm_error(a, &nowhere, "'%s' is defined twice in the same kernel", a->symbol[i].name);
}

void symbols_free(struct assembler *a) {
  for (size_t i = 0; i < a->symbols; i++) free(a->symbol[i].name);
  free(a->symbol);
}

/* First symbol with this name or a later one. */
static size_t lower_bound(const struct assembler *a, const char *name) {
  size_t low = 0, high = a->symbols;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (strcmp(a->symbol[mid].name, name) < 0)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static bool symbol_find(const struct assembler *a, const char *name, int64_t *value) {
  size_t first = lower_bound(a, name), end = first;
  const struct symbol *best = NULL;
  for (; end < a->symbols && strcmp(a->symbol[end].name, name) == 0; end++) {
    const struct symbol *s = &a->symbol[end];
    if (s->scope == a->scope || (s->scope == 0 && !best)) best = s;
  }
  if (!best && end - first == 1) best = &a->symbol[first];
  if (!best) return false;
  *value = best->is_label ? asm_pc(a, (size_t)best->value / ISA_WORD_BYTES) : best->value;
  return true;
}

static bool term(struct assembler *a, struct cursor *c, int64_t *value) {
  uint64_t number;
  char name[HEDDLE_SYMBOL_MAX + 1];
  struct cursor start = *c;
  if (lex_number(c, &number)) {
    *value = (int64_t)number;
    return true;
  }
  if (!lex_quoted_label(c, name, sizeof name) && !lex_name(c, name, sizeof name)) return false;
  *value = 0;
  if (a->first_pass || symbol_find(a, name, value)) return true;
  asm_error(a, &start, "'%s' is not defined here", name);
  return false;
}

bool lex_expression(struct assembler *a, struct cursor *c, int64_t *value) {
  int64_t sum = 0, v;
  bool minus = lex_char(c, '-');
  if (!term(a, c, &v)) return false;
  for (;;) {
    sum = (int64_t)(minus ? (uint64_t)sum - (uint64_t)v : (uint64_t)sum + (uint64_t)v);
    if (lex_char(c, '+'))
      minus = false;
    else if (lex_char(c, '-'))
      minus = true;
    else
      break;
    if (!term(a, c, &v)) return false;
  }
  *value = sum;
  return true;
}

/* Directives of module variables: .globals .global .initial .address */

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
