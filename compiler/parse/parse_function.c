/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and functions: directives, header, body.
 */
#include <stdio.h>
#include <string.h>
#include "compiler/ir/debug.h"
#include "compiler/parse/parse.h"

static struct ptx_function *ptx_parse_prototype(struct ptx_parser *p);

static bool ptx_parse_body(struct ptx_parser *p, struct ptx_scope *scope);

/* Directives that say something about the module, and those of debuggers, of which lines are kept (debug.h). */

enum { OLDEST = 30, FIRST_TESTED = 60, LAST_TESTED = 80, NEWEST = 99 };

/* "6.3": by its text, since as a number 8.10 were 8.1. */
bool ptx_parse_version(struct ptx_parser *p) {
  const struct ptx_token *t = &p->now;
  if (t->kind != PTX_T_F64 || t->length != 3 || t->text[1] != '.') return ptx_wrong(p, "a version such as 7.0");
  const unsigned version = (unsigned)(t->text[0] - '0') * 10 + (unsigned)(t->text[2] - '0');
  if (version < OLDEST || version > NEWEST) {
    ptx_error(p->diag, t->pos, "PTX %.*s is not supported; 6.0 to 8.0 are", (int)t->length, t->text);
    return false;
  }
  if (version < FIRST_TESTED || version > LAST_TESTED)
    ptx_warning(p->diag, t->pos, "PTX %.*s is read as if it were of 6.0 to 8.0", (int)t->length, t->text);
  p->module->version = version;
  ptx_next(p);
  return true;
}

static bool target_word(struct ptx_parser *p) {
  struct ptx_module *m = p->module;
  const struct ptx_token *t = &p->now;
  if (t->kind != PTX_T_NAME) return ptx_wrong(p, "a target such as sm_70");
  if (t->length > 3 && t->length < sizeof m->target && memcmp(t->text, "sm_", 3) == 0) {
    memset(m->target, 0, sizeof m->target);
    memcpy(m->target, t->text, t->length);
  } else if (!ptx_is_name(p, "debug") && !ptx_is_name(p, "texmode_unified") && !ptx_is_name(p, "texmode_independent")) {
    ptx_error(p->diag, t->pos, "target '%.*s' is not supported", t->length < 60 ? (int)t->length : 60, t->text);
    return false;
  }
  ptx_next(p);
  return true;
}

bool ptx_parse_target(struct ptx_parser *p) {
  const struct ptx_pos at = p->now.pos;
  do {
    if (!target_word(p)) return false;
  } while (ptx_take(p, ','));
  if (p->module->target[0] != '\0') return true;
  ptx_error(p->diag, at, "a target such as sm_70 is missing");
  return false;
}

bool ptx_parse_address_size(struct ptx_parser *p) {
  const struct ptx_pos at = p->now.pos;
  uint64_t n;
  if (!ptx_parse_number(p, "an address size", 64, &n)) return false;
  if (n != 64) {
    ptx_error(p->diag, at, "only an address size of 64 is supported");
    return false;
  }
  p->module->address_size = 64;
  return true;
}

bool ptx_parse_pragma(struct ptx_parser *p) {
  do {
    if (p->now.kind != PTX_T_STRING) return ptx_wrong(p, "a string");
    ptx_next(p);
  } while (ptx_take(p, ','));
  return true;
}

static bool skip_numbers(struct ptx_parser *p, unsigned n, const char *what) {
  uint64_t ignored;
  for (unsigned i = 0; i < n; i++)
    if (!ptx_parse_number(p, what, UINT64_MAX, &ignored)) return false;
  return true;
}

/* "folder" "name", or "name" alone, with a slash between. */
static const char *file_name(struct ptx_parser *p) {
  const struct ptx_token first = p->now;
  char path[PTX_FILE_NAME_MAX + 1];
  ptx_next(p);
  if (p->now.kind != PTX_T_STRING) return ptx_intern(p->arena, first.text, first.length);
  const struct ptx_token second = p->now;
  ptx_next(p);
  const bool whole = first.length == 0 || (second.length > 0 && second.text[0] == '/');
  const int n =
      snprintf(path, sizeof path, "%.*s%s%.*s", whole || first.length > PTX_FILE_NAME_MAX ? 0 : (int)first.length,
               first.text, whole ? "" : "/", second.length > PTX_FILE_NAME_MAX ? 0 : (int)second.length, second.text);
  return ptx_intern(p->arena, path, n < 0 ? 0 : strlen(path));
}

/* .file 1 "a.cl", 1234, 56: time and size may be missing; clang also writes folder and name apart. */
bool ptx_parse_file(struct ptx_parser *p) {
  uint64_t number;
  if (!ptx_parse_number(p, "a file number", UINT64_MAX, &number)) return false;
  if (p->now.kind != PTX_T_STRING) return ptx_wrong(p, "the name of the file");
  ptx_lines_file(p->module, number, file_name(p));
  for (unsigned i = 0; i < 2 && ptx_take(p, ','); i++)
    if (!skip_numbers(p, 1, "time or size of the file")) return false;
  return true;
}

/* "function_name LABEL+4" or "inlined_at 1 2 3", behind the comma. */
static bool loc_attribute(struct ptx_parser *p) {
  if (ptx_is_name(p, "inlined_at")) {
    ptx_next(p);
    return skip_numbers(p, 3, "file, line or column");
  }
  if (!ptx_is_name(p, "function_name")) return ptx_wrong(p, "function_name or inlined_at");
  ptx_next(p);
  if (p->now.kind != PTX_T_NAME && p->now.kind != PTX_T_WORD) return ptx_wrong(p, "a label of .debug_str");
  ptx_next(p);
  return !ptx_take(p, '+') || skip_numbers(p, 1, "an offset");
}

bool ptx_parse_loc(struct ptx_parser *p) {
  const struct ptx_pos at = p->now.pos;
  uint64_t file, line, column;
  if (!ptx_parse_number(p, "file, line or column", UINT64_MAX, &file) ||
      !ptx_parse_number(p, "file, line or column", UINT64_MAX, &line) ||
      !ptx_parse_number(p, "file, line or column", UINT64_MAX, &column))
    return false;
  ptx_lines_loc(p->module, at, file, line, column == 0);
  while (ptx_take(p, ','))
    if (!loc_attribute(p)) return false;
  return true;
}

/* What stands in a body: instructions, labels, blocks, declarations, target lists. After an error the next statement is
 * read, so that one run tells of several. */

/* A scope while it is read: where the next statement and variable go. */
struct place {
  struct ptx_scope *scope;
  struct ptx_statement **statement;
  struct ptx_variable **variable;
};

static struct ptx_statement *new_statement(struct ptx_parser *p, struct place *at) {
  struct ptx_statement *s = ptx_alloc(p->arena, sizeof *s);
  s->pos = p->now.pos;
  *at->statement = s;
  at->statement = &s->next;
  return s;
}

/* @p, @!p */
static bool parse_guard(struct ptx_parser *p, struct ptx_statement *s) {
  s->guard_invert = ptx_take(p, '!');
  s->guard = ptx_take_name(p, "a predicate");
  return s->guard != NULL;
}

static bool is_opcode(const struct ptx_token *t) {
  return t->kind == PTX_T_NAME && t->text[0] >= 'a' && t->text[0] <= 'z';
}

static bool opcode(struct ptx_parser *p, struct ptx_statement *s) {
  if (!is_opcode(&p->now)) return ptx_wrong(p, "an instruction");
  s->pos = p->now.pos;
  s->word[s->words++] = ptx_take_name(p, "an instruction");
  for (; p->now.kind == PTX_T_WORD; ptx_next(p)) {
    if (s->words == PTX_WORDS_MAX) {
      ptx_error(p->diag, p->now.pos, "an opcode of more than %d words is not supported", PTX_WORDS_MAX);
      return false;
    }
    s->word[s->words++] = ptx_intern_token(p, &p->now);
  }
  return true;
}

static bool is_label(struct ptx_parser *p) {
  return p->now.kind == PTX_T_NAME && ptx_peek(p)->kind == PTX_T_PUNCT && ptx_peek(p)->punct == ':';
}

/* clang -g puts labels for its debug data in the middle of a call; nothing can branch there. */
static void skip_labels(struct ptx_parser *p) {
  while (is_label(p)) {
    ptx_debug_label(p->module->debug, ptx_intern_token(p, &p->now), p->now.pos);
    ptx_next(p);
    ptx_next(p);
  }
}

static bool operands(struct ptx_parser *p, struct ptx_statement *s) {
  const bool is_call = strcmp(s->word[0], "call") == 0;
  if (ptx_take(p, ';')) return true;
  do {
    if (s->operands == PTX_OPERANDS_MAX) {
      ptx_error(p->diag, p->now.pos, "more than %d operands are not supported", PTX_OPERANDS_MAX);
      return false;
    }
    if (is_call) skip_labels(p);
    if (!ptx_parse_operand(p, &s->operand[s->operands++], is_call)) return false;
  } while (ptx_take(p, ','));
  return ptx_expect(p, ';', "or ',' behind the operand");
}

static bool parse_instruction(struct ptx_parser *p, struct place *at) {
  struct ptx_statement *s = new_statement(p, at);
  if (ptx_take(p, '@') && !parse_guard(p, s)) return false;
  return opcode(p, s) && operands(p, s);
}

static bool prototype(struct ptx_parser *p, struct ptx_statement *s) {
  s->kind = PTX_CALL_PROTOTYPE;
  s->prototype = ptx_parse_prototype(p);
  return s->prototype != NULL && ptx_expect(p, ';', "behind the prototype");
}

static bool targets(struct ptx_parser *p, struct ptx_statement *s, int kind) {
  s->kind = kind == PTX_BRANCH_TARGETS ? PTX_BRANCH_TARGETS : PTX_CALL_TARGETS;
  s->operands = 1;
  return ptx_parse_name_list(p, &s->operand[0]) && ptx_expect(p, ';', "or ',' behind the target");
}

/* name: and what needs a name. */
static bool label(struct ptx_parser *p, struct place *at) {
  struct ptx_statement *s = new_statement(p, at);
  s->kind = PTX_LABEL;
  s->name = ptx_take_name(p, "a label");
  ptx_debug_label(p->module->debug, s->name, s->pos);
  ptx_next(p);
  const bool branches = ptx_is_word(p, "branchtargets"), calls = ptx_is_word(p, "calltargets");
  if (!branches && !calls && !ptx_is_word(p, "callprototype")) return true;
  ptx_next(p);
  if (!branches && !calls) return prototype(p, s);
  return targets(p, s, branches ? PTX_BRANCH_TARGETS : PTX_CALL_TARGETS);
}

static bool block(struct ptx_parser *p, struct place *at) {
  struct ptx_statement *s = new_statement(p, at);
  s->kind = PTX_BLOCK;
  s->scope = ptx_alloc(p->arena, sizeof *s->scope);
  s->scope->outer = at->scope;
  if (!ptx_enter(p)) return false;
  ptx_next(p);
  const bool ok = ptx_parse_body(p, s->scope);
  ptx_leave(p);
  return ok;
}

static bool body_directive(struct ptx_parser *p, struct place *at) {
  const struct ptx_token t = p->now;
  const char *word = ptx_intern_token(p, &t);
  const enum ptx_space space = ptx_space_of_word(word);
  if (space != PTX_GENERIC && space != PTX_SREG) return ptx_parse_variables(p, false, &at->variable);
  ptx_next(p);
  if (strcmp(word, "loc") == 0) return ptx_parse_loc(p);
  if (strcmp(word, "file") == 0) return ptx_parse_file(p);
  if (strcmp(word, "pragma") == 0) return ptx_parse_pragma(p) && ptx_expect(p, ';', "behind the pragma");
  if (strcmp(word, "branchtargets") == 0 || strcmp(word, "calltargets") == 0 || strcmp(word, "callprototype") == 0)
    ptx_error(p->diag, t.pos, "'.%s' needs a label before it", word);
  else
    ptx_error(p->diag, t.pos, "directive '.%.60s' is not supported here", word);
  return false;
}

static bool parse_body_item(struct ptx_parser *p, struct place *at) {
  if (ptx_take(p, ';')) return true;
  if (ptx_is(p, '{')) return block(p, at);
  if (p->now.kind == PTX_T_WORD) return body_directive(p, at);
  if (is_label(p)) return label(p, at);
  return parse_instruction(p, at);
}

/* behind '{', through '}'; false only at the text's end */
static bool ptx_parse_body(struct ptx_parser *p, struct ptx_scope *scope) {
  struct place at = {.scope = scope, .statement = &scope->statements, .variable = &scope->variables};
  while (!ptx_is(p, '}')) {
    if (p->now.kind == PTX_T_END) return ptx_wrong(p, "'}'");
    if (!parse_body_item(p, &at)) ptx_sync_statement(p);
  }
  ptx_next(p);
  return true;
}

/* Kernels and functions: header, directives, body. */

enum { DIRECTIVE_MOST = 0x7fffffff };

static bool limit(struct ptx_parser *p, uint64_t *n) {
  const struct ptx_pos at = p->now.pos;
  if (!ptx_parse_number(p, "a number", DIRECTIVE_MOST, n)) return false;
  if (*n > 0) return true;
  ptx_error(p->diag, at, "this number must not be 0");
  return false;
}

/* .maxntid x, y, z: what is not given is 1. */
static bool block_size(struct ptx_parser *p, unsigned size[3]) {
  uint64_t n;
  for (unsigned i = 0; i < 3; i++) size[i] = 1;
  for (unsigned i = 0; i < 3; i++) {
    if (i > 0 && !ptx_take(p, ',')) break;
    if (!limit(p, &n)) return false;
    size[i] = (unsigned)n;
  }
  return true;
}

/* .reqnctapercluster x, y, z: a cluster is one block. */
static bool cluster_size(struct ptx_parser *p, struct ptx_pos at) {
  unsigned size[3];
  if (!block_size(p, size)) return false;
  if (size[0] == 1 && size[1] == 1 && size[2] == 1) return true;
  ptx_error(p->diag, at, "clusters of more than one block are not supported");
  return false;
}

static bool one_number(struct ptx_parser *p, unsigned *out) {
  uint64_t n;
  if (!limit(p, &n)) return false;
  *out = (unsigned)n;
  return true;
}

/* Before the body .pragma may end in ';', which is then not the function's end. */
static bool pragma(struct ptx_parser *p) {
  if (!ptx_parse_pragma(p)) return false;
  if (ptx_is(p, ';') && (ptx_peek(p)->kind == PTX_T_PUNCT && ptx_peek(p)->punct == '{')) ptx_next(p);
  return true;
}

/* One directive between header and body; `now` is its word. */
static bool header_directive(struct ptx_parser *p, struct ptx_function *f) {
  const struct ptx_token t = p->now;
  const char *word = ptx_intern_token(p, &t);
  uint64_t ignored;
  ptx_next(p);
  if (strcmp(word, "noreturn") == 0) return true;
  if (strcmp(word, "pragma") == 0) return pragma(p);
  if (strcmp(word, "maxntid") == 0 && f->entry) return block_size(p, f->maxntid);
  if (strcmp(word, "reqntid") == 0 && f->entry) return block_size(p, f->reqntid);
  if (strcmp(word, "maxnreg") == 0 && f->entry) return one_number(p, &f->maxnreg);
  /* How many blocks a multiprocessor should hold: a wish, and nothing that a result depends on. */
  if (strcmp(word, "minnctapersm") == 0 && f->entry) return one_number(p, &f->minnctapersm);
  const bool unread =
      strcmp(word, "maxnctapersm") == 0 || strcmp(word, "maxclusterrank") == 0; /* one block: it holds */
  if (unread && f->entry) return limit(p, &ignored);
  if (strcmp(word, "explicitcluster") == 0 && f->entry) return true;
  if (strcmp(word, "reqnctapercluster") == 0 && f->entry) return cluster_size(p, t.pos);
  ptx_error(p->diag, t.pos, "directive '.%.60s' is not supported here", word);
  return false;
}

static bool results(struct ptx_parser *p, struct ptx_function *f) {
  if (!ptx_is(p, '(')) return true;
  if (!f->entry) return ptx_parse_parameters(p, &f->results);
  ptx_error(p->diag, p->now.pos, "a kernel has no results");
  return false;
}

/* Up to the body, or the ';' of a declaration. */
static bool header(struct ptx_parser *p, struct ptx_function *f) {
  if (!results(p, f)) return false;
  f->pos = p->now.pos;
  f->name = ptx_take_name(p, f->entry ? "the kernel's name" : "the function's name");
  if (f->name == NULL) return false;
  if (ptx_is(p, '(') && !ptx_parse_parameters(p, &f->parameters)) return false;
  while (p->now.kind == PTX_T_WORD)
    if (!header_directive(p, f)) return false;
  return true;
}

bool ptx_parse_function(struct ptx_parser *p) {
  struct ptx_function *f = ptx_alloc(p->arena, sizeof *f);
  f->entry = ptx_is_word(p, "entry");
  ptx_next(p);
  p->registers = 0;
  if (!header(p, f)) return false;
  *p->last_function = f;
  p->last_function = &f->next;
  if (ptx_take(p, ';')) {
    f->declaration = true;
    return true;
  }
  if (!ptx_take(p, '{')) return ptx_wrong(p, "'{' or ';' behind the header");
  f->body = ptx_alloc(p->arena, sizeof *f->body);
  ptx_lines_forget(p->module, f->pos);
  return ptx_parse_body(p, f->body);
}

/* .callprototype (results) _ (parameters) .noreturn */
static struct ptx_function *ptx_parse_prototype(struct ptx_parser *p) {
  struct ptx_function *f = ptx_alloc(p->arena, sizeof *f);
  f->declaration = true;
  return header(p, f) ? f : NULL;
}
