/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a program file: what a kernel needs, as a note, and module variables.
 */
#include "elf_note.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/needs.h>
#include "isa/lib/message.h"

/* What a kernel needs, as a note: three words, then names of units, so that bits may move. */

enum { UNIFORM_MOST = 63 }; /* UR0 to UR62 */

void elf_needs_write(struct bytes *notes, const struct heddle_program *p, const struct heddle_kernel *k,
                     uint32_t symbol) {
  struct heddle_needs needs;
  char names[NEEDS_TEXT_MAX];
  uint8_t head[12 + 8] = {0}, fixed[NEEDS_W_FIXED * 4], padding[4] = {0};
  notes->bad = notes->bad || heddle_kernel_needs(p, k, &needs) != HEDDLE_SUCCESS;
  if (notes->bad) return;
  heddle_needs_text(needs.units, names, sizeof names);
  const uint32_t text = (uint32_t)strlen(names) + 1, filled = (text + 3) / 4 * 4;
  put_u32(head, (uint32_t)sizeof NOTE_OWNER);
  put_u32(head + 4, NEEDS_W_FIXED * 4u + filled);
  put_u32(head + 8, NOTE_TYPE_NEEDS);
  memcpy(head + 12, NOTE_OWNER, sizeof NOTE_OWNER);
  put_u32(fixed + 4 * NEEDS_W_VERSION, NEEDS_VERSION);
  put_u32(fixed + 4 * NEEDS_W_SYMBOL, symbol);
  put_u32(fixed + 4 * NEEDS_W_UNIFORM, needs.uniform_regs);
  bytes_add(notes, head, sizeof head);
  bytes_add(notes, fixed, sizeof fixed);
  bytes_add(notes, names, text);
  bytes_add(notes, padding, filled - text);
}

static uint32_t get_u32(const uint8_t *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

const char *elf_needs_read(struct heddle_kernel *k, const uint8_t *desc, size_t size) {
  const char *names = (const char *)desc + NEEDS_W_FIXED * 4u;
  const size_t room = size - NEEDS_W_FIXED * 4u; /* the caller has looked: it is not less */
  struct heddle_needs n = {.uniform_regs = get_u32(desc + 4 * NEEDS_W_UNIFORM)};
  if (k->noted) return "two notes of what it needs";
  if (n.uniform_regs > UNIFORM_MOST) return "more uniform registers than there are";
  if (room == 0 || room > NEEDS_TEXT_MAX || !memchr(names, 0, room)) return "names of units do not end";
  if (heddle_needs_parse(names, &n.units, NULL) != HEDDLE_SUCCESS)
    return "a name of a unit is unknown, or is there twice";
  k->needs = n;
  k->noted = true;
  return NULL;
}

/* Module variables of a file that nobody trusts: contents, names, places of addresses. */

static enum heddle_error read_contents(const struct global_parts *g, struct heddle_program *p,
                                       struct heddle_message *msg) {
  const size_t n = g->bytes ? g->bytes->d_size : 0;
  if (n > HEDDLE_GLOBAL_INITIAL_MAX)
    return message_fail(msg, HEDDLE_ERROR_INVALID_IMAGE, NULL, GLOBAL_SECTION " has %zu bytes; at most %u are allowed",
                        n, HEDDLE_GLOBAL_INITIAL_MAX);
  if (g->zero > HEDDLE_GLOBAL_MAX - n)
    return message_fail(msg, HEDDLE_ERROR_INVALID_IMAGE, NULL,
                        "module variables of %zu + %llu bytes; at most %u are allowed", n, (unsigned long long)g->zero,
                        HEDDLE_GLOBAL_MAX);
  p->global = malloc(n > 0 ? n : 1);
  if (!p->global) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "out of memory");
  if (n > 0) memcpy(p->global, g->bytes->d_buf, n);
  p->global_initial = (uint32_t)n;
  p->global_bytes = (uint32_t)(n + g->zero);
  return HEDDLE_SUCCESS;
}

/* Ascending, and none inside another one. */
static enum heddle_error read_addresses(const struct global_parts *g, struct heddle_program *p,
                                        struct heddle_message *msg) {
  const size_t n = g->address ? g->address->d_size / 4 : 0;
  uint64_t end = 0;
  if (n == 0) return HEDDLE_SUCCESS;
  if (g->address->d_size % 4 != 0 || n > p->global_initial / 8)
    return message_fail(msg, HEDDLE_ERROR_INVALID_IMAGE, NULL,
                        GLOBAL_ADDRESS_SECTION " has %zu bytes for %u of variables", g->address->d_size,
                        p->global_initial);
  p->address = calloc(n, sizeof *p->address);
  if (!p->address) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "out of memory");
  for (size_t i = 0; i < n; i++) {
    const uint8_t *b = (const uint8_t *)g->address->d_buf + 4 * i;
    const uint32_t at = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    if (at < end || at > p->global_initial - 8)
      return message_fail(msg, HEDDLE_ERROR_INVALID_IMAGE, NULL,
                          "an address at byte 0x%x: outside the variables, or inside the one before", at);
    end = (uint64_t)at + 8;
    p->address[p->addresses++] = at;
  }
  return HEDDLE_SUCCESS;
}

/* A symbol in .global. */
static bool is_variable(const struct global_parts *g, size_t i, Elf64_Sym *s) {
  memcpy(s, (const uint8_t *)g->sym->d_buf + i * sizeof *s, sizeof *s);
  return ELF64_ST_TYPE(s->st_info) == STT_OBJECT && g->index != 0 && s->st_shndx == g->index;
}

static enum heddle_error read_variable(const struct global_parts *g, const Elf64_Sym *s, struct heddle_program *p,
                                       struct heddle_message *msg) {
  const char *name = elf_name(g->names, s->st_name, HEDDLE_SYMBOL_MAX);
  if (!name || !*name)
    return message_fail(msg, HEDDLE_ERROR_INVALID_IMAGE, NULL, "a module variable without a usable name");
  if (s->st_value > p->global_bytes || s->st_size > p->global_bytes - s->st_value)
    return message_fail(msg, HEDDLE_ERROR_INVALID_IMAGE, NULL, "module variable %s is outside the %u bytes of all",
                        name, p->global_bytes);
  struct heddle_global *v = &p->variable[p->variables++];
  v->name = name;
  v->offset = (uint32_t)s->st_value;
  v->size = (uint32_t)s->st_size;
  return HEDDLE_SUCCESS;
}

static int by_global_name(const void *a, const void *b) {
  const struct heddle_global *const *x = a, *const *y = b;
  return strcmp((*x)->name, (*y)->name);
}

static enum heddle_error names_differ(const struct heddle_program *p, struct heddle_message *msg) {
  const struct heddle_global **sorted = calloc((size_t)p->variables + 1, sizeof *sorted);
  const char *twice = NULL;
  if (!sorted) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "out of memory");
  for (uint32_t i = 0; i < p->variables; i++) sorted[i] = &p->variable[i];
  qsort(sorted, p->variables, sizeof *sorted, by_global_name);
  for (uint32_t i = 1; i < p->variables && !twice; i++)
    if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) twice = sorted[i]->name;
  free(sorted);
  return !twice ? HEDDLE_SUCCESS
                : message_fail(msg, HEDDLE_ERROR_INVALID_IMAGE, NULL, "two module variables named %s", twice);
}

static enum heddle_error read_names(const struct global_parts *g, struct heddle_program *p,
                                    struct heddle_message *msg) {
  const size_t symbols = g->sym->d_size / sizeof(Elf64_Sym);
  size_t n = 0;
  Elf64_Sym s;
  for (size_t i = 0; i < symbols; i++) n += is_variable(g, i, &s);
  if (n > HEDDLE_GLOBALS_MAX)
    return message_fail(msg, HEDDLE_ERROR_INVALID_IMAGE, NULL, "more than %u module variables", HEDDLE_GLOBALS_MAX);
  if (n == 0) return HEDDLE_SUCCESS;
  p->variable = calloc(n, sizeof *p->variable);
  if (!p->variable) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "out of memory");
  enum heddle_error e = HEDDLE_SUCCESS;
  for (size_t i = 0; i < symbols && e == HEDDLE_SUCCESS; i++)
    if (is_variable(g, i, &s)) e = read_variable(g, &s, p, msg);
  return e == HEDDLE_SUCCESS ? names_differ(p, msg) : e;
}

enum heddle_error elf_read_globals(const struct global_parts *g, struct heddle_program *p, struct heddle_message *msg) {
  enum heddle_error e = read_contents(g, p, msg);
  if (e == HEDDLE_SUCCESS) e = read_addresses(g, p, msg);
  return e == HEDDLE_SUCCESS ? read_names(g, p, msg) : e;
}
