/* SPDX-License-Identifier: Apache-2.0
 * .section .debug_info { ... }: data of a debugger. Whatever they are, they stop no compilation: what is not understood
 * is left out up to the end of its line of data, and the braces decide where the section ends. */
#include <stdio.h>
#include <string.h>

#include "compiler/ir/debug.h"
#include "compiler/parse/parse.h"

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

bool ptx_parse_section(struct ptx_parser *p) {
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
