/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and functions: header, directives, body.
 */
#include "compiler/ir/lines.h"
#include "compiler/parse/parse.h"

#include <string.h>

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
static bool directive(struct ptx_parser *p, struct ptx_function *f) {
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
    if (!directive(p, f)) return false;
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
struct ptx_function *ptx_parse_prototype(struct ptx_parser *p) {
  struct ptx_function *f = ptx_alloc(p->arena, sizeof *f);
  f->declaration = true;
  return header(p, f) ? f : NULL;
}
