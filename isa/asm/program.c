/* SPDX-License-Identifier: Apache-2.0
 * The in-memory program; reading and writing are in program_load.c and program_save.c. */
#include <heddle/program.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct heddle_names {
  struct heddle_names *next;
  char text[];
};

const char *heddle_program_name(struct heddle_program *p, const char *name, size_t length) {
  struct heddle_names *n = malloc(sizeof *n + length + 1);
  if (!n) return NULL;
  n->next = p->names;
  if (length > 0) memcpy(n->text, name, length);
  n->text[length] = '\0';
  p->names = n;
  return n->text;
}

static void free_names(struct heddle_names *n) {
  while (n) {
    struct heddle_names *next = n->next;
    free(n);
    n = next;
  }
}

void heddle_program_free(struct heddle_program *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->kernels; i++) {
    free(p->kernel[i].param);
    free(p->kernel[i].array);
    free(p->kernel[i].own);
  }
  free(p->kernel);
  free(p->code);
  free(p->konst);
  free(p->global);
  free(p->variable);
  free(p->address);
  heddle_program_drop_lines(p);
  free(p->source);
  free(p->line);
  free(p->note);
  free(p->order);
  for (unsigned s = 0; s < HEDDLE_DEBUG_SECTIONS; s++) free(p->debug[s]);
  free(p->debug_address);
  free_names(p->names);
  free(p);
}

const char *heddle_debug_section_name(unsigned section) {
  static const char *const names[] = {".debug_abbrev", ".debug_info", ".debug_str", ".debug_loc", ".debug_ranges"};
  return section < HEDDLE_DEBUG_SECTIONS ? names[section] : "";
}

const struct heddle_kernel *heddle_program_kernel(const struct heddle_program *p, const char *name) {
  for (uint32_t i = 0; i < p->kernels; i++)
    if (!p->kernel[i].is_function && strcmp(p->kernel[i].name, name) == 0) return &p->kernel[i];
  return NULL;
}

const struct heddle_global *heddle_program_global(const struct heddle_program *p, const char *name) {
  for (uint32_t i = 0; i < p->variables; i++)
    if (strcmp(p->variable[i].name, name) == 0) return &p->variable[i];
  return NULL;
}

static uint64_t load_u64(const uint8_t *b) {
  uint64_t v = 0;
  for (int i = 7; i >= 0; i--) v = v << 8 | b[i];
  return v;
}

struct heddle_isa_word heddle_program_word(const struct heddle_program *p, uint32_t pc) {
  struct heddle_isa_word w;
  uint32_t bytes;
  assert(pc % ISA_STEP == 0 && pc < p->code_bytes);
  (void)heddle_isa_fetch(p->code, pc, &w, &bytes);
  return w;
}

uint32_t heddle_program_next(const struct heddle_program *p, uint32_t pc) {
  struct heddle_isa_word w;
  uint32_t bytes;
  (void)heddle_isa_fetch(p->code, pc, &w, &bytes);
  return pc + bytes;
}

bool heddle_program_begins(const struct heddle_program *p, uint32_t pc) {
  struct heddle_isa_word w;
  uint32_t bytes;
  return pc % ISA_STEP == 0 && pc < p->code_bytes && heddle_isa_fetch(p->code, pc, &w, &bytes);
}

void heddle_program_fill_globals(const struct heddle_program *p, uint64_t place, uint8_t *to) {
  if (p->global_bytes == 0) return;
  memset(to + p->global_initial, 0, p->global_bytes - p->global_initial);
  if (p->global_initial > 0) memcpy(to, p->global, p->global_initial);
  for (uint32_t i = 0; i < p->addresses; i++) {
    const uint64_t v = load_u64(to + p->address[i]) + place;
    for (unsigned b = 0; b < 8; b++) to[p->address[i] + b] = (uint8_t)(v >> (8 * b));
  }
}
