/* SPDX-License-Identifier: Apache-2.0
 *
 * Syntax templates: "{rd}[, {pd0}], {a:-|}, [{b}{off24}]" into elements.
 */
#include <string.h>

#include "isa/gen/spec.h"

static bool add_element(struct insn *in, struct elem e, struct diag *d) {
  if (in->n_elems == SPEC_ELEMS_MAX)
    return diag_fail(d, in->at, "%s: more than %d pieces in the syntax", in->name, SPEC_ELEMS_MAX);
  in->elem[in->n_elems++] = e;
  return true;
}

static bool add_text(struct insn *in, const char *s, size_t n, struct diag *d) {
  struct elem e = {.kind = E_TEXT};
  if (n >= sizeof e.text)
    return diag_fail(d, in->at, "%s: literal text in the syntax is longer than %zu characters", in->name,
                     sizeof e.text - 1);
  memcpy(e.text, s, n);
  e.text[n] = '\0';
  return add_element(in, e, d);
}

static bool parse_flags(struct insn *in, struct elem *e, const char *flags, struct diag *d) {
  for (; *flags != '\0'; flags++) {
    bool *flag = *flags == '-'   ? &e->neg
                 : *flags == '|' ? &e->abs
                 : *flags == '~' ? &e->inv
                 : *flags == '.' ? &e->part
                                 : NULL;
    if (flag == NULL || *flag)
      return diag_fail(d, in->at, "%s: operand flags '%s' are not of - | ~ ., each once", in->name, flags);
    *flag = true;
  }
  if (e->neg && e->inv) return diag_fail(d, in->at, "%s: - and ~ use the same bit; allow one of them", in->name);
  return true;
}

/* The inside of {...}. */
static bool parse_brace(struct spec *s, struct insn *in, const char *p, size_t n, struct diag *d) {
  char name[TEXT_NAME_MAX];
  struct elem e = {.kind = E_FIELD};
  if (n == 0 || n >= sizeof name)
    return diag_fail(d, in->at, "%s: '{%.*s}' is not a name", in->name, (int)(n > 40 ? 40 : n), p);
  memcpy(name, p, n);
  name[n] = '\0';
  char *colon = strchr(name, ':');
  if (colon != NULL) *colon = '\0';
  bool operand = strlen(name) == 1 && name[0] >= 'a' && name[0] <= 'c';
  if (operand) {
    e.kind = E_OPERAND;
    e.operand = (unsigned)(name[0] - 'a');
  } else {
    e.field = spec_field(s, name);
    if (e.field == SPEC_NONE)
      return diag_fail(d, in->at, "%s: '{%s}' is neither a field nor an operand", in->name, name);
    if (colon != NULL) return diag_fail(d, in->at, "%s: '{%s}' is a field; only operands take flags", in->name, name);
  }
  for (unsigned i = 0; i < in->n_elems; i++) {
    const struct elem *o = &in->elem[i];
    if (o->kind == e.kind && (operand ? o->operand == e.operand : o->field == e.field) &&
        (o->kind == E_FIELD || o->kind == E_OPERAND))
      return diag_fail(d, in->at, "%s: '{%s}' stands twice in the syntax", in->name, name);
  }
  if (colon != NULL && !parse_flags(in, &e, colon + 1, d)) return false;
  return add_element(in, e, d);
}

/* What is left out must have a default: fields have, operands have not. The group is the last in the list. */
static bool check_optional(const struct insn *in, struct diag *d) {
  for (unsigned i = in->n_elems; i-- > 0 && in->elem[i].kind != E_OPT_BEGIN;)
    if (in->elem[i].kind == E_OPERAND)
      return diag_fail(d, in->at, "%s: operand '%c' stands in an optional group; operands cannot be left out", in->name,
                       'a' + (int)in->elem[i].operand);
  return true;
}

/* A bracket whose inside begins or ends with a comma is an optional group; any other is printed. */
static bool is_optional(const char *p, size_t n) {
  size_t first = 0;
  while (first < n && p[first] == ' ') first++;
  while (n > 0 && p[n - 1] == ' ') n--;
  return n > 0 && first < n && (p[first] == ',' || p[n - 1] == ',');
}

bool spec_parse_syntax(struct spec *s, struct insn *in, struct diag *d) {
  enum elem_kind end = E_TEXT; /* of the open bracket; E_TEXT: none is open */
  for (const char *p = in->syntax; *p != '\0';) {
    if (*p == '{') {
      size_t n = strcspn(p, "}");
      if (p[n] == '\0') return diag_fail(d, in->at, "%s: '{' is not closed in the syntax", in->name);
      if (!parse_brace(s, in, p + 1, n - 1, d)) return false;
      p += n + 1;
    } else if (*p == '[') {
      size_t n = strcspn(p, "]");
      if (p[n] == '\0' || end != E_TEXT)
        return diag_fail(d, in->at, "%s: '[' is nested or not closed in the syntax", in->name);
      bool opt = is_optional(p + 1, n - 1);
      end = opt ? E_OPT_END : E_ADDR_END;
      if (!add_element(in, (struct elem){.kind = opt ? E_OPT_BEGIN : E_ADDR_BEGIN}, d)) return false;
      p++;
    } else if (*p == ']') {
      if (end == E_TEXT) return diag_fail(d, in->at, "%s: ']' without '[' in the syntax", in->name);
      if (end == E_OPT_END && !check_optional(in, d)) return false;
      if (!add_element(in, (struct elem){.kind = end}, d)) return false;
      end = E_TEXT;
      p++;
    } else {
      size_t n = strcspn(p, "{}[]");
      if (n == 0) return diag_fail(d, in->at, "%s: '}' without '{' in the syntax", in->name);
      if (!add_text(in, p, n, d)) return false;
      p += n;
    }
  }
  return true;
}
