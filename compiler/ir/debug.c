/* SPDX-License-Identifier: Apache-2.0
 *
 * Debug data: lines of the source, and what clang writes for a debugger.
 */
#include "debug.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/program.h>
#include "base/array.h"
#include "compiler/ir/ir.h"
#include "compiler/ir/mir.h"

/* Which line of its source a place in a PTX text is of. */

struct file {
  uint64_t number;
  const char *name;
};

struct loc { /* from here on; line 0: its own in the PTX */
  struct ptx_pos at;
  uint32_t line;
  uint64_t file;
  bool begins; /* the function */
};

struct ptx_lines {
  struct ptx_arena *arena;
  const struct ptx_module *module;
  struct file *file;
  struct loc *loc;
  uint32_t files, locs, files_room, locs_room;
  bool beginning; /* the last word that was put is of such a one */
};

struct ptx_lines *ptx_lines_new(const struct ptx_module *m) {
  struct ptx_lines *x = ptx_alloc(m->arena, sizeof *x);
  x->arena = m->arena;
  x->module = m;
  return x;
}

/* Room for one more. */
static void *grow_list(struct ptx_lines *x, void *list, uint32_t used, uint32_t *room, size_t each) {
  if (used < *room) return list;
  *room = *room ? 2 * *room : 16;
  void *more = ptx_alloc(x->arena, *room * each);
  if (used) memcpy(more, list, used * each);
  return more;
}

void ptx_lines_file(struct ptx_module *m, uint64_t number, const char *name) {
  struct ptx_lines *x = m->lines;
  if (x->files == HEDDLE_SOURCES_MAX - 1) return; /* lines of more are told as those of the PTX */
  x->file = grow_list(x, x->file, x->files, &x->files_room, sizeof *x->file);
  x->file[x->files++] = (struct file){number, name};
}

static void add_loc(struct ptx_lines *x, struct loc l) {
  x->loc = grow_list(x, x->loc, x->locs, &x->locs_room, sizeof *x->loc);
  x->loc[x->locs++] = l;
}

void ptx_lines_loc(struct ptx_module *m, struct ptx_pos at, uint64_t file, uint64_t line, bool begins) {
  const struct loc l = {.at = at, .file = file, .line = (uint32_t)line, .begins = begins};
  if (line > 0 && line <= INT32_MAX) add_loc(m->lines, l);
}

void ptx_lines_forget(struct ptx_module *m, struct ptx_pos at) {
  add_loc(m->lines, (struct loc){.at = at});
}

static bool is_before(struct ptx_pos a, struct ptx_pos b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

static const struct loc *find_loc(const struct ptx_lines *x, struct ptx_pos pos) {
  uint32_t low = 0, high = x->locs;
  while (low < high) { /* those before `low` are not behind pos */
    const uint32_t middle = low + (high - low) / 2;
    if (is_before(pos, x->loc[middle].at))
      high = middle;
    else
      low = middle + 1;
  }
  if (low > 0 && x->loc[low - 1].line > 0) return &x->loc[low - 1];
  return low > 0 && low < x->locs && x->loc[low].line > 0 ? &x->loc[low] : NULL; /* in front of its function's first */
}

static const char *source_name(const struct ptx_lines *x, uint64_t number) {
  for (uint32_t i = x->files; i-- > 0;)
    if (x->file[i].number == number) return x->file[i].name;
  return NULL;
}

/* Its place among the program's files, of which there are few. */
static bool source_of(struct heddle_program *p, const char *name, uint32_t *source) {
  *source = p->lines > 0 ? p->line[p->lines - 1].source : 0;
  if (*source < p->sources && strcmp(p->source[*source], name) == 0) return true;
  for (*source = 0; *source < p->sources; ++*source)
    if (strcmp(p->source[*source], name) == 0) return true;
  return heddle_program_add_source(p, name, source) == HEDDLE_SUCCESS;
}

bool ptx_lines_files(const struct ptx_lines *x, struct heddle_program *p) {
  const char *name = "";
  for (uint64_t n = 1; name && n < HEDDLE_SOURCES_MAX; n++) {
    name = source_name(x, n);
    uint32_t source;
    if (name && heddle_program_add_source(p, name, &source) != HEDDLE_SUCCESS) return false;
  }
  return true;
}

/* One more row of the line that the last one is of. */
static bool add_row(struct heddle_program *p, uint32_t pc) {
  if (!array_room(&p->line, &p->lines_room, p->lines + 1, sizeof *p->line)) return false;
  p->line[p->lines] = p->line[p->lines - 1];
  p->line[p->lines++].pc = pc;
  return true;
}

bool ptx_lines_put(struct ptx_lines *x, struct heddle_program *p, uint32_t pc, struct ptx_pos pos) {
  const struct loc *l = find_loc(x, pos);
  const char *name = l ? source_name(x, l->file) : NULL;
  const uint32_t before = p->lines;
  uint32_t source;
  if (!source_of(p, name ? name : x->module->file, &source) ||
      heddle_program_add_line(p, pc, source, name ? l->line : pos.line) != HEDDLE_SUCCESS)
    return false;
  const bool again = x->beginning && l && !l->begins && p->lines == before && p->line[before - 1].pc < pc;
  x->beginning = l && l->begins;
  return !again || add_row(p, pc);
}

/* Debug data of a module: kept while it is parsed, its addresses known when the code is. */

#define WINDOW_SHARED UINT64_C(0x0100000000000000)
#define WINDOW_LOCAL UINT64_C(0x0200000000000000)
#define WINDOW_CONST UINT64_C(0x0400000300000000) /* of debuggers: bank 3 */
#define NOWHERE UINT64_C(0xff00000000000000)      /* no window: a debugger says that it cannot read there */

#define FUNCTION_BEGIN "$L__func_begin"
#define FUNCTION_END "$L__func_end"
enum { OP_ADDR = 0x03, OP_BREG_STACK = 0x72 }; /* the latter: register 2, which is the stack pointer of who asks */

struct fix {
  const char *name;
  uint64_t plus;
  uint32_t at;
  unsigned section, bytes;
};

struct word {
  uint32_t pc;
  struct ptx_pos pos;
};

/* What a name means. */
struct meaning {
  enum { OF_SECTION, OF_CODE, OF_VARIABLE } kind;
  uint64_t value;                      /* OF_SECTION */
  struct ptx_pos pos;                  /* OF_CODE */
  const struct ptx_variable *variable; /* OF_VARIABLE: at `offset` */
  uint32_t offset;
  const char *function;
  uint32_t frame;                  /* local ones: bytes of the function's frame; */
  bool framed, in_function, moves; /* moves: kernels have it in different places */
};

struct ptx_debug {
  struct ptx_arena *arena;
  unsigned now; /* HEDDLE_DEBUG_SECTIONS: none that is kept */
  uint8_t *byte[HEDDLE_DEBUG_SECTIONS];
  uint32_t bytes[HEDDLE_DEBUG_SECTIONS], room[HEDDLE_DEBUG_SECTIONS];
  struct fix *fix;
  struct word *word;
  uint32_t fixes, fixes_room, words, words_room;
  struct map meaning;
  bool variables; /* some name is that of a variable: labels of code are known by then */
};

struct ptx_debug *ptx_debug_new(struct ptx_arena *a) {
  struct ptx_debug *d = ptx_alloc(a, sizeof *d);
  d->arena = a;
  d->now = HEDDLE_DEBUG_SECTIONS;
  return d;
}

static void *grown(struct ptx_arena *a, void *list, uint32_t used, uint32_t *room, size_t each) {
  if (used < *room) return list;
  *room = *room ? 2 * *room : 256;
  void *more = ptx_alloc(a, *room * each);
  if (used) memcpy(more, list, used * each);
  return more;
}

/* ---- sections ---- */

void ptx_debug_section(struct ptx_debug *d, const char *name) {
  d->now = 0;
  while (d->now < HEDDLE_DEBUG_SECTIONS && strcmp(heddle_debug_section_name(d->now), name) != 0) d->now++;
}

bool ptx_debug_data(struct ptx_debug *d, uint64_t value, unsigned bytes) {
  const unsigned s = d->now;
  if (s == HEDDLE_DEBUG_SECTIONS) return true;
  if (d->bytes[s] > PTX_DEBUG_MAX - bytes) return false;
  for (unsigned i = 0; i < bytes; i++) {
    d->byte[s] = grown(d->arena, d->byte[s], d->bytes[s], &d->room[s], 1);
    d->byte[s][d->bytes[s]++] = (uint8_t)(value >> (8 * i));
  }
  return true;
}

bool ptx_debug_name(struct ptx_debug *d, const char *name, uint64_t plus, unsigned bytes) {
  if (d->now == HEDDLE_DEBUG_SECTIONS) return true;
  d->fix = grown(d->arena, d->fix, d->fixes, &d->fixes_room, sizeof *d->fix);
  d->fix[d->fixes++] = (struct fix){name, plus, d->bytes[d->now], d->now, bytes};
  d->variables = d->variables || (bytes == 8 && !ptx_map_has(&d->meaning, name));
  return ptx_debug_data(d, 0, bytes);
}

/* The first meaning counts. */
static void mean(struct ptx_debug *d, const char *name, struct meaning m) {
  if (ptx_map_has(&d->meaning, name)) return;
  struct meaning *kept = ptx_alloc(d->arena, sizeof *kept);
  *kept = m;
  ptx_map_put(d->arena, &d->meaning, name, kept);
}

void ptx_debug_mark(struct ptx_debug *d, const char *name) {
  const uint64_t at = d->now < HEDDLE_DEBUG_SECTIONS ? d->bytes[d->now] : 0;
  mean(d, name, (struct meaning){.kind = OF_SECTION, .value = at});
}

void ptx_debug_label(struct ptx_debug *d, const char *name, struct ptx_pos pos) {
  mean(d, name, (struct meaning){.kind = OF_CODE, .pos = pos});
}

/* ---- code and variables ---- */

void ptx_debug_word(struct ptx_debug *d, uint32_t pc, struct ptx_pos pos) {
  if (d->fixes == 0 || pos.line == 0) return;
  d->word = grown(d->arena, d->word, d->words, &d->words_room, sizeof *d->word);
  d->word[d->words++] = (struct word){pc, pos};
}

static void memory_of_scope(struct ptx_debug *d, const struct ir_function *f, const struct mir_function *m,
                            const struct ptx_scope *s) {
  for (const struct ptx_variable *v = s->variables; v; v = v->next) {
    if (v->space != PTX_LOCAL && v->space != PTX_SHARED) continue;
    struct meaning x = {.kind = OF_VARIABLE, .variable = v, .function = f->name};
    x.offset = ir_variable_offset(f, v);
    x.framed = m->frame != NULL;
    x.frame = m->frame ? m->frame->bytes : 0;
    x.in_function = m->frame && m->frame->is_function;
    mean(d, v->name, x);
  }
  for (const struct ptx_statement *t = s->statements; t; t = t->next)
    if (t->kind == PTX_BLOCK) memory_of_scope(d, f, m, t->scope);
}

/* Shared variables of the module, which each kernel places for itself. */
static void memory_of_module(struct ptx_debug *d, const struct ir_function *f) {
  for (const struct ir_shared *s = ir_shared_variables(f); s; s = s->next) {
    const struct meaning here = {.kind = OF_VARIABLE, .variable = s->variable, .offset = s->offset};
    mean(d, s->variable->name, here);
    struct meaning *first = ptx_map_get(&d->meaning, s->variable->name);
    if (first->variable == s->variable && first->offset != s->offset) first->moves = true;
  }
}

void ptx_debug_memory(struct ptx_debug *d, const struct ir_function *f, const struct mir_function *m) {
  if (d->fixes == 0 || !m) return;
  memory_of_scope(d, f, m, f->source->body);
  memory_of_module(d, f);
}

/* ---- the program ---- */

struct text { /* of a function, and its code */
  struct ptx_pos pos;
  uint32_t entry, end;
};

struct finish {
  struct ptx_debug *d;
  const struct ptx_module *module;
  struct heddle_program *p;
  struct text *text;
  uint32_t texts;
  bool bad;
};

static int by_place(const void *a, const void *b) {
  const struct word *x = a, *y = b;
  return is_before(x->pos, y->pos) ? -1 : is_before(y->pos, x->pos);
}

static const struct heddle_kernel *code_of(const struct heddle_program *p, const char *name, uint32_t *end) {
  const struct heddle_kernel *k = NULL;
  for (uint32_t i = 0; i < p->kernels; i++)
    if (strcmp(p->kernel[i].name, name) == 0) k = &p->kernel[i];
  *end = p->code_bytes;
  for (uint32_t i = 0; k && i < p->kernels; i++)
    if (p->kernel[i].entry_pc > k->entry_pc && p->kernel[i].entry_pc < *end) *end = p->kernel[i].entry_pc;
  return k;
}

static void take_texts(struct finish *x) {
  uint32_t room = 0;
  for (const struct ptx_function *f = x->module->functions; f; f = f->next) {
    uint32_t end;
    const struct heddle_kernel *k = f->declaration ? NULL : code_of(x->p, f->name, &end);
    if (!k) continue;
    x->text = grown(x->d->arena, x->text, x->texts, &room, sizeof *x->text);
    x->text[x->texts++] = (struct text){f->pos, k->entry_pc, end};
  }
}

/* In which a place lies: the last that begins in front of it, as the list is in the order of the text. */
static const struct text *text_at(const struct finish *x, struct ptx_pos pos) {
  uint32_t low = 0, high = x->texts;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (is_before(pos, x->text[middle].pos))
      high = middle;
    else
      low = middle + 1;
  }
  return low > 0 ? &x->text[low - 1] : NULL;
}

/* Words in the order of the text, without those of functions that were inlined elsewhere; each takes along the lowest
 * place of all that stand behind it in its function. */
static void order_words(struct finish *x) {
  struct ptx_debug *d = x->d;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < d->words; i++) {
    const struct text *t = text_at(x, d->word[i].pos);
    if (t && d->word[i].pc >= t->entry && d->word[i].pc < t->end) d->word[kept++] = d->word[i];
  }
  d->words = kept;
  if (kept > 1) qsort(d->word, kept, sizeof *d->word, by_place);
  for (uint32_t i = kept; i-- > 1;)
    if (text_at(x, d->word[i].pos) == text_at(x, d->word[i - 1].pos) && d->word[i].pc < d->word[i - 1].pc)
      d->word[i - 1].pc = d->word[i].pc;
}

/* The first word of the function that was made from what stands behind the label; its end, if there is none; its
 * beginning, if there is none in front of it. Labels of clang's for the function itself are its beginning and its end,
 * with what the compiler has put in front and behind. */
static uint64_t code_place(const struct finish *x, const char *name, struct ptx_pos pos) {
  const struct ptx_debug *d = x->d;
  const struct text *t = text_at(x, pos);
  uint32_t low = 0, high = d->words;
  if (!t) return 0;
  if (strncmp(name, FUNCTION_BEGIN, strlen(FUNCTION_BEGIN)) == 0) return t->entry;
  if (strncmp(name, FUNCTION_END, strlen(FUNCTION_END)) == 0) return t->end;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (is_before(d->word[middle].pos, pos))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || text_at(x, d->word[low - 1].pos) != t) return t->entry;
  return low < d->words && text_at(x, d->word[low].pos) == t ? d->word[low].pc : t->end;
}

static uint64_t local_address(const struct meaning *x, const struct heddle_program *p) {
  uint32_t end;
  const struct heddle_kernel *k = code_of(p, x->function, &end);
  return WINDOW_LOCAL + x->offset + (k && x->framed ? k->local_bytes - x->frame : 0);
}

/* The address in an expression becomes an offset from the stack pointer, in as many bytes. */
static void count_from_stack(uint8_t *at, uint32_t offset) {
  at[-1] = OP_BREG_STACK;
  for (unsigned i = 0; i < 8; i++) at[i] = (uint8_t)((i < 7 ? 0x80 : 0) | (offset >> (i < 5 ? 7 * i : 31) & 0x7f));
}

/* 8 bytes of a section hold an offset in the module's variables. */
static uint64_t of_globals(struct finish *x, const struct fix *f, uint32_t offset) {
  struct heddle_program *p = x->p;
  if (f->section != HEDDLE_DEBUG_INFO || f->bytes != 8) return 0;
  uint32_t *more = realloc(p->debug_address, (p->debug_addresses + 1) * sizeof *more);
  if (!more) {
    x->bad = true;
    return 0;
  }
  p->debug_address = more;
  more[p->debug_addresses++] = f->at;
  return offset;
}

static uint64_t global_value(struct finish *x, const struct fix *f) {
  const struct heddle_global *g = heddle_program_global(x->p, f->name);
  uint32_t offset;
  if (g) return of_globals(x, f, g->offset);
  for (const struct ptx_variable *v = x->module->variables; v; v = v->next)
    if (v->name == f->name && v->space == PTX_SHARED) return NOWHERE; /* no kernel uses it */
  return ir_constant_offset(x->module, f->name, &offset) ? WINDOW_CONST + offset : 0;
}

static uint64_t value_of_fix(struct finish *x, const struct fix *f, bool *done) {
  const struct meaning *m = ptx_map_get(&x->d->meaning, f->name);
  if (!m) return global_value(x, f);
  if (m->kind == OF_SECTION) return m->value;
  if (m->kind == OF_CODE) return code_place(x, f->name, m->pos);
  if (m->variable->space == PTX_SHARED) return m->moves ? NOWHERE : WINDOW_SHARED + m->offset;
  uint8_t *byte = x->d->byte[f->section] + f->at;
  *done = m->in_function && f->bytes == 8 && f->at > 0 && byte[-1] == OP_ADDR;
  if (*done) count_from_stack(byte, m->offset + (uint32_t)f->plus);
  return local_address(m, x->p);
}

static void resolve(struct finish *x, const struct fix *f) {
  bool done = false;
  const uint64_t v = value_of_fix(x, f, &done) + f->plus;
  for (unsigned i = 0; i < f->bytes && !done; i++) x->d->byte[f->section][f->at + i] = (uint8_t)(v >> (8 * i));
}

static const struct text *text_of_fix(const struct finish *x, const struct fix *f) {
  const struct meaning *m = ptx_map_get(&x->d->meaning, f->name);
  return m && m->kind == OF_CODE ? text_at(x, m->pos) : NULL;
}

/* Two addresses side by side, in different functions: the first and the last of a unit. The program has functions in
 * another order than the text, so it is all of the code. */
static void widen_unit(struct finish *x, const struct fix *low, const struct fix *high) {
  const struct text *first = text_of_fix(x, low), *last = text_of_fix(x, high);
  const bool pair = low->section == high->section && low->bytes == 8 && high->bytes == 8 && high->at == low->at + 8;
  if (!pair || !first || !last || first == last) return;
  uint8_t *at = x->d->byte[low->section] + low->at;
  for (unsigned i = 0; i < 8; i++) {
    at[i] = 0;
    at[8 + i] = (uint8_t)((uint64_t)x->p->code_bytes >> (8 * i));
  }
}

bool ptx_debug_variables(const struct ptx_debug *d) {
  return ptx_debug_any(d) && d->variables;
}

bool ptx_debug_any(const struct ptx_debug *d) {
  return d->bytes[HEDDLE_DEBUG_INFO] != 0 && d->bytes[HEDDLE_DEBUG_ABBREV] != 0;
}

bool ptx_debug_finish(struct ptx_debug *d, const struct ptx_module *m, struct heddle_program *p) {
  struct finish x = {.d = d, .module = m, .p = p};
  if (!ptx_debug_any(d)) return true;
  take_texts(&x);
  order_words(&x);
  for (uint32_t i = 0; i < d->fixes; i++) resolve(&x, &d->fix[i]);
  for (uint32_t i = 1; i < d->fixes; i++) widen_unit(&x, &d->fix[i - 1], &d->fix[i]);
  for (unsigned s = 0; s < HEDDLE_DEBUG_SECTIONS && !x.bad; s++) {
    if (d->bytes[s] == 0) continue;
    p->debug[s] = malloc(d->bytes[s]);
    x.bad = !p->debug[s];
    if (x.bad) break;
    memcpy(p->debug[s], d->byte[s], d->bytes[s]);
    p->debug_bytes[s] = d->bytes[s];
  }
  return !x.bad;
}
