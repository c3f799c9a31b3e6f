/* SPDX-License-Identifier: Apache-2.0
 *
 * The module: its directives, data of debuggers, variables and functions.
 */
#include "parse.h"

#include <stdio.h>
#include <string.h>
#include "compiler/ir/debug.h"

/* .section .debug_info { ... }: data of a debugger. Whatever they are, they stop no compilation: what is not understood
 * is left out up to the end of its line of data, and the braces decide where the section ends. */

/* "b8" ... of data; 0: another word. */
static unsigned width_of(const struct ptx_token *t) {
  static const struct {
    const char *word;
    unsigned bytes;
  } all[] = {{"b8", 1}, {"b16", 2}, {"b32", 4}, {"b64", 8}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (t->kind == PTX_T_WORD && t->length == strlen(all[i].word) && memcmp(t->text, all[i].word, t->length) == 0)
      return all[i].bytes;
  return 0;
}

static bool parse_signed(struct ptx_parser *p, uint64_t *value) {
  const bool minus = ptx_take(p, '-');
  if (p->now.kind != PTX_T_INT) return false;
  *value = minus ? 0 - p->now.bits : p->now.bits;
  ptx_next(p);
  return true;
}

/* A name, and what stands behind dots in it: `kernel.tile` in debug data is the variable that the module calls
 * `kernel_$_tile`. */
static const char *whole_name(struct ptx_parser *p) {
  const char *name = ptx_intern_token(p, &p->now);
  for (ptx_next(p); p->now.kind == PTX_T_WORD && p->now.glued; ptx_next(p)) {
    char text[512];
    const int n = snprintf(text, sizeof text, "%s_$_%.*s", name, (int)p->now.length, p->now.text);
    if (n > 0 && (size_t)n < sizeof text) name = ptx_intern(p->module->arena, text, (size_t)n);
  }
  return name;
}

/* 5, -1, label, label+4, .debug_str+4 */
static bool item(struct ptx_parser *p, unsigned bytes) {
  uint64_t value = 0;
  if (p->now.kind != PTX_T_NAME && p->now.kind != PTX_T_WORD)
    return parse_signed(p, &value) && ptx_debug_data(p->module->debug, value, bytes);
  const bool section = p->now.kind == PTX_T_WORD; /* itself: its beginning */
  const char *name = section ? NULL : whole_name(p);
  if (section) ptx_next(p);
  if (ptx_take(p, '+') && !parse_signed(p, &value)) return false;
  if (section) return ptx_debug_data(p->module->debug, value, bytes);
  return ptx_debug_name(p->module->debug, name, value, bytes);
}

static void parse_section_data(struct ptx_parser *p) {
  const unsigned bytes = width_of(&p->now);
  ptx_next(p);
  do {
    if (!item(p, bytes)) return;
  } while (ptx_take(p, ','));
}

static void begin_section(struct ptx_parser *p) {
  char name[64] = ".";
  const size_t n = p->now.length < sizeof name - 2 ? p->now.length : 0;
  memcpy(name + 1, p->now.text, n);
  ptx_debug_section(p->module->debug, p->now.kind == PTX_T_WORD ? name : "");
  ptx_next(p);
}

/* Behind .section: into the module's debug data */
static bool ptx_parse_section(struct ptx_parser *p) {
  const struct ptx_pos at = p->now.pos;
  if (p->now.kind != PTX_T_WORD && p->now.kind != PTX_T_NAME) return ptx_wrong(p, "the name of a section");
  begin_section(p);
  if (!ptx_is(p, '{')) return ptx_wrong(p, "'{' behind the section");
  unsigned open = 0;
  while (p->now.kind != PTX_T_END) {
    if (width_of(&p->now) != 0) {
      parse_section_data(p);
      continue;
    }
    if (p->now.kind == PTX_T_NAME && ptx_peek(p)->kind == PTX_T_PUNCT && ptx_peek(p)->punct == ':')
      ptx_debug_mark(p->module->debug, ptx_intern_token(p, &p->now));
    if (ptx_is(p, '{')) open++;
    const bool last = ptx_is(p, '}') && --open == 0;
    ptx_next(p);
    if (last) return true;
  }
  ptx_error(p->diag, at, "this section has no end");
  return false;
}

/* The module: its directives, variables and functions. */

static bool refuse_header(struct ptx_parser *p, struct ptx_pos at, const char *why) {
  ptx_error(p->diag, at, "%s", why);
  return false;
}

/* Told once, before the first function or variable. */
static void check_head(struct ptx_parser *p, struct ptx_pos at) {
  const struct ptx_module *m = p->module;
  if (p->head_checked) return;
  p->head_checked = true;
  if (m->version == 0)
    (void)refuse_header(p, at, "a module begins with .version");
  else if (m->target[0] == '\0')
    (void)refuse_header(p, at, ".target is missing");
  else if (m->address_size == 0)
    (void)refuse_header(p, at, ".address_size 64 is missing; 32 is not supported");
}

static bool is_linkage(const char *word) {
  return strcmp(word, "visible") == 0 || strcmp(word, "weak") == 0 || strcmp(word, "common") == 0;
}

/* .extern and its like say who sees a name; only .extern says something about what it is. */
static bool linkage(struct ptx_parser *p, bool *is_extern) {
  for (*is_extern = false; p->now.kind == PTX_T_WORD; ptx_next(p)) {
    const char *word = ptx_intern_token(p, &p->now);
    if (strcmp(word, "extern") == 0)
      *is_extern = true;
    else if (!is_linkage(word))
      return true;
  }
  return ptx_wrong(p, ".entry, .func or a variable");
}

static bool declaration(struct ptx_parser *p) {
  const struct ptx_pos at = p->now.pos;
  bool is_extern;
  if (!linkage(p, &is_extern)) return false;
  if (ptx_is_word(p, "entry") || ptx_is_word(p, "func")) {
    check_head(p, at);
    return ptx_parse_function(p);
  }
  const char *word = ptx_intern_token(p, &p->now);
  const enum ptx_space space = ptx_space_of_word(word);
  if (space == PTX_GLOBAL || space == PTX_CONST || space == PTX_SHARED) {
    check_head(p, at);
    return ptx_parse_variables(p, is_extern, &p->last_variable);
  }
  ptx_error(p->diag, p->now.pos,
            space != PTX_GENERIC ? "'.%.60s' belongs into a function" : "directive '.%.60s' is not supported here",
            word);
  return false;
}

/* Those that end without ';'. False with *known unset: none of them. */
static bool directive(struct ptx_parser *p, bool *known) {
  static const struct {
    const char *word;
    bool (*parse)(struct ptx_parser *p);
  } directives[] = {
      {"version", ptx_parse_version}, {"target", ptx_parse_target}, {"address_size", ptx_parse_address_size},
      {"file", ptx_parse_file},       {"loc", ptx_parse_loc},       {"section", ptx_parse_section},
  };
  for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
    if (!ptx_is_word(p, directives[i].word)) continue;
    *known = true;
    ptx_next(p);
    return directives[i].parse(p);
  }
  *known = false;
  return false;
}

/* .alias name, of; */
static bool alias(struct ptx_parser *p) {
  struct ptx_alias *a = ptx_alloc(p->arena, sizeof *a);
  a->pos = p->now.pos;
  ptx_next(p);
  a->name = ptx_take_name(p, "the name of a function");
  if (!a->name || !ptx_expect(p, ',', "between two functions")) return false;
  a->of = ptx_take_name(p, "the name of a function");
  a->next = p->module->aliases;
  p->module->aliases = a;
  return a->of && ptx_expect(p, ';', "behind the alias");
}

static bool parse_module_item(struct ptx_parser *p) {
  bool known;
  if (ptx_take(p, ';')) return true;
  if (p->now.kind != PTX_T_WORD) return ptx_wrong(p, "a directive");
  const bool ok = directive(p, &known);
  if (known) return ok;
  if (ptx_is_word(p, "alias")) return alias(p);
  if (!ptx_is_word(p, "pragma")) return declaration(p);
  ptx_next(p);
  return ptx_parse_pragma(p) && ptx_expect(p, ';', "behind the pragma");
}

struct ptx_module *ptx_parse(struct ptx_arena *a, struct ptx_diag *d, const char *text, size_t size, const char *file) {
  ptx_arena_report(a, d);
  struct ptx_module *m = ptx_alloc(a, sizeof *m);
  struct ptx_parser p = {
      .arena = a, .diag = d, .module = m, .last_variable = &m->variables, .last_function = &m->functions};
  const unsigned before = ptx_errors(d);
  m->arena = a;
  m->lines = ptx_lines_new(m);
  m->debug = ptx_debug_new(m->arena);
  m->file = ptx_intern(a, file != NULL ? file : "", file != NULL ? strlen(file) : 0);
  if (size > PTX_TEXT_MAX) {
    ptx_error(d, (struct ptx_pos){0}, "more than 64 MiB of text");
    return NULL;
  }
  ptx_lex_init(&p.lex, d, text, size);
  ptx_next(&p);
  while (p.now.kind != PTX_T_END)
    if (!parse_module_item(&p)) ptx_sync_module(&p);
  check_head(&p, p.now.pos);
  return ptx_errors(d) == before ? m : NULL;
}
