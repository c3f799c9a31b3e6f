/* SPDX-License-Identifier: Apache-2.0
 *
 * Directives that say something about the module, and those of debuggers, of which lines are kept (lines.h).
 */
#include "compiler/ir/lines.h"
#include "compiler/parse/parse.h"

#include <stdio.h>
#include <string.h>

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
