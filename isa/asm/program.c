/* SPDX-License-Identifier: Apache-2.0
 *
 * The in-memory program: its parts, lines of source, what a launch of it needs. Reading and writing are in
 * program_load.c and program_save.c.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include <heddle/needs.h>
#include <heddle/program.h>
#include "base/array.h"
#include "isa/lib/message.h"

/* The in-memory program; reading and writing are in program_load.c and program_save.c. */

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

/* Which line of which file each word of a program was made from, and how that orders it. */

enum heddle_error heddle_program_add_source(struct heddle_program *p, const char *file, uint32_t *source) {
  if (p->sources >= HEDDLE_SOURCES_MAX) return HEDDLE_ERROR_LIMIT;
  if (!array_room(&p->source, &p->sources_room, p->sources + 1, sizeof *p->source)) return HEDDLE_ERROR_HOST_MEMORY;
  char *copy = strdup(file);
  if (!copy) return HEDDLE_ERROR_HOST_MEMORY;
  *source = p->sources;
  p->source[p->sources++] = copy;
  return HEDDLE_SUCCESS;
}

/* The words from pc on; what began at the same place is forgotten. */
enum heddle_error heddle_program_add_line(struct heddle_program *p, uint32_t pc, uint32_t source, unsigned line) {
  if (p->lines > 0 && p->line[p->lines - 1].pc == pc) p->lines--;
  const struct heddle_line *last = p->lines > 0 ? &p->line[p->lines - 1] : NULL;
  if (last && last->source == source && last->line == line) return HEDDLE_SUCCESS;
  if (!array_room(&p->line, &p->lines_room, p->lines + 1, sizeof *p->line)) return HEDDLE_ERROR_HOST_MEMORY;
  p->line[p->lines++] = (struct heddle_line){.pc = pc, .source = source, .line = line};
  return HEDDLE_SUCCESS;
}

void heddle_program_drop_lines(struct heddle_program *p) {
  for (uint32_t i = 0; i < p->sources; i++) free(p->source[i]);
  p->sources = p->lines = 0;
}

void heddle_program_drop_orders(struct heddle_program *p) {
  p->ordered = false;
  p->orders = 0;
}

bool heddle_program_line(const struct heddle_program *p, uint32_t pc, const char **file, unsigned *line) {
  uint32_t low = 0, high = p->lines;
  while (low < high) { /* rows before `low` begin at or before pc */
    const uint32_t middle = low + (high - low) / 2;
    if (p->line[middle].pc <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || p->line[low - 1].line == 0 || pc >= p->code_bytes) return false;
  *file = p->source[p->line[low - 1].source];
  *line = p->line[low - 1].line;
  return true;
}

enum heddle_error heddle_program_add_order(struct heddle_program *p, uint32_t pc, enum heddle_order kind) {
  if (!array_room(&p->order, &p->orders_room, p->orders + 1, sizeof *p->order)) return HEDDLE_ERROR_HOST_MEMORY;
  p->order[p->orders++] = (struct heddle_order_note){.pc = pc, .kind = (uint8_t)kind};
  return HEDDLE_SUCCESS;
}

enum heddle_order heddle_program_order(const struct heddle_program *p, uint32_t pc) {
  size_t low = 0, high = p->orders;
  while (low < high) { /* notes before `low` are of words before pc */
    const size_t middle = low + (high - low) / 2;
    if (p->order[middle].pc < pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low < p->orders && p->order[low].pc == pc ? (enum heddle_order)p->order[low].kind : HEDDLE_ORDER_WORD;
}

/* The words that a launch may reach, and what they need. */

/* Words are told by their places of ISA_STEP, from 0. A word is put on `todo` once, so there is room for all. */
struct reach {
  const struct heddle_program *p;
  uint32_t words, waiting;
  bool *seen, *whole; /* whole: of the first word of a kernel or function all of which has been seen */
  uint32_t *todo;
  bool functions; /* all of them are on the list */
};

static void go(struct reach *r, int64_t word) {
  if (word < 0 || word >= r->words || r->seen[word] || !heddle_program_begins(r->p, (uint32_t)word * ISA_STEP)) return;
  r->seen[word] = true;
  r->todo[r->waiting++] = (uint32_t)word;
}

static void go_functions(struct reach *r) {
  for (uint32_t i = 0; i < r->p->kernels && !r->functions; i++)
    if (r->p->kernel[i].is_function) go(r, r->p->kernel[i].entry_pc / ISA_STEP);
  r->functions = true;
}

/* How many kernels and functions begin at this word or before: they are in order of their entries. */
static uint32_t begun(const struct heddle_program *p, uint32_t word) {
  uint32_t low = 0, high = p->kernels;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (p->kernel[middle].entry_pc / ISA_STEP <= word)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* All words of the kernel or function that holds this one; once, however many branches want it. */
static void go_around(struct reach *r, uint32_t word) {
  const struct heddle_program *p = r->p;
  const uint32_t n = begun(p, word);
  const uint32_t first = n > 0 ? p->kernel[n - 1].entry_pc / ISA_STEP : 0;
  const uint32_t end = n < p->kernels ? p->kernel[n].entry_pc / ISA_STEP : r->words;
  if (r->whole[first]) return;
  r->whole[first] = true;
  for (uint32_t w = first; w < end; w++) go(r, w);
}

/* Where parked lanes go on: BSSY names a place and goes straight on. */
static bool names_place(const struct heddle_isa_dec *d) {
  return heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_REL);
}

static void follow(struct reach *r, uint32_t word, const struct heddle_isa_dec *d) {
  const enum heddle_isa_flow flow = heddle_isa_flow_of(d);
  const uint32_t next = heddle_program_next(r->p, word * ISA_STEP);
  int64_t target = 0;
  if (heddle_isa_flow_passes(d) || flow == ISA_FLOW_CALL) go(r, next / ISA_STEP);
  if (heddle_isa_flow_target(d, next, &target)) {
    if (target % ISA_STEP == 0) go(r, target / ISA_STEP);
  } else if (flow == ISA_FLOW_BRANCH || flow == ISA_FLOW_CALL) {
    go_functions(r);
    if (flow == ISA_FLOW_BRANCH) go_around(r, word);
  } else if (names_place(d)) {
    go(r, (int64_t)(next / ISA_STEP) + heddle_isa_get_signed(d->word, ISA_F_REL) / ISA_STEP);
  }
}

static bool reach_begin(struct reach *r, const struct heddle_program *p) {
  *r = (struct reach){.p = p, .words = p->code_bytes / ISA_STEP};
  r->seen = calloc((size_t)r->words + 1, sizeof *r->seen);
  r->whole = calloc((size_t)r->words + 1, sizeof *r->whole);
  r->todo = calloc((size_t)r->words + 1, sizeof *r->todo);
  return r->seen && r->whole && r->todo;
}

static void reach_end(struct reach *r) {
  free(r->seen);
  free(r->whole);
  free(r->todo);
}

/* Each word that may be reached and is one (others trap), in no order, through `take`. False: no memory. */
typedef void (*take_word)(void *ctx, uint32_t pc, const struct heddle_isa_dec *d);

static bool reach_all(const struct heddle_program *p, const struct heddle_kernel *k, take_word take, void *ctx) {
  struct reach r;
  const bool ok = reach_begin(&r, p);
  if (ok) go(&r, k->entry_pc / ISA_STEP);
  while (ok && r.waiting > 0) {
    struct heddle_isa_dec d;
    const uint32_t word = r.todo[--r.waiting];
    if (!heddle_isa_decode(heddle_program_word(p, word * ISA_STEP), &d)) continue;
    take(ctx, word * ISA_STEP, &d);
    follow(&r, word, &d);
  }
  reach_end(&r);
  return ok;
}

static void add_word_needs(void *ctx, uint32_t pc, const struct heddle_isa_dec *d) {
  struct heddle_needs *n = ctx;
  const uint32_t uniform = (uint32_t)(heddle_isa_max_uniform(d) + 1);
  (void)pc;
  n->units |= heddle_isa_needs(d);
  if (uniform > n->uniform_regs) n->uniform_regs = uniform;
}

enum heddle_error heddle_kernel_needs(const struct heddle_program *p, const struct heddle_kernel *k,
                                      struct heddle_needs *out) {
  *out = (struct heddle_needs){0};
  return reach_all(p, k, add_word_needs, out) ? HEDDLE_SUCCESS : HEDDLE_ERROR_HOST_MEMORY;
}

struct first {
  uint32_t units, pc, words;
};

static void note_unit_use(void *ctx, uint32_t pc, const struct heddle_isa_dec *d) {
  struct first *f = ctx;
  if ((heddle_isa_needs(d) & f->units) == 0) return;
  f->words++;
  if (pc < f->pc) f->pc = pc;
}

uint32_t heddle_kernel_first(const struct heddle_program *p, const struct heddle_kernel *k, uint32_t units,
                             uint32_t *words) {
  struct first f = {.units = units, .pc = UINT32_MAX};
  const bool ok = reach_all(p, k, note_unit_use, &f);
  if (words) *words = ok ? f.words : 0;
  return ok ? f.pc : UINT32_MAX;
}

void heddle_needs_text(uint32_t units, char *text, size_t size) {
  size_t used = 0;
  if (size > 0) text[0] = '\0';
  for (unsigned bit = 0; bit < ISA_NEEDS_MAX; bit++) {
    const char *name = units >> bit & 1 ? heddle_isa_need_name(bit) : NULL;
    if (!name || used >= size) continue;
    const int n = snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", name);
    if (n > 0) used += (size_t)n;
  }
}

static uint32_t need_named(const char *name, size_t length) {
  for (unsigned bit = 0; bit < ISA_NEEDS_MAX; bit++) {
    const char *known = heddle_isa_need_name(bit);
    if (known && strlen(known) == length && memcmp(known, name, length) == 0) return 1u << bit;
  }
  return 0;
}

enum heddle_error heddle_needs_parse(const char *text, uint32_t *units, struct heddle_message *msg) {
  message_clear(msg);
  *units = 0;
  while (*text != '\0') {
    const size_t length = strcspn(text, " ");
    const uint32_t bit = need_named(text, length);
    if (bit == 0 || (*units & bit) != 0)
      return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL, "'%.*s' is no unit, or is given twice", (int)length,
                          text);
    *units |= bit;
    text += length;
    if (*text == ' ' && text[1] != '\0') text++;
  }
  return HEDDLE_SUCCESS;
}
