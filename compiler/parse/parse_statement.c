/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands in a body: instructions, labels, blocks, declarations, target lists. After an error the next statement is
 * read, so that one run tells of several.
 */
#include "compiler/ir/debug.h"
#include "compiler/parse/parse.h"

#include <string.h>

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

static bool directive(struct ptx_parser *p, struct place *at) {
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
  if (p->now.kind == PTX_T_WORD) return directive(p, at);
  if (is_label(p)) return label(p, at);
  return parse_instruction(p, at);
}

bool ptx_parse_body(struct ptx_parser *p, struct ptx_scope *scope) {
  struct place at = {.scope = scope, .statement = &scope->statements, .variable = &scope->variables};
  while (!ptx_is(p, '}')) {
    if (p->now.kind == PTX_T_END) return ptx_wrong(p, "'}'");
    if (!parse_body_item(p, &at)) ptx_sync_statement(p);
  }
  ptx_next(p);
  return true;
}
