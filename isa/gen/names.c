/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static struct ident convert_case(const char *name, int (*f)(int)) {
  struct ident id = {""};
  size_t n = 0;
  for (; name[n] != '\0' && n + 1 < sizeof id.s; n++) id.s[n] = name[n] == '.' ? '_' : (char)f((unsigned char)name[n]);
  id.s[n] = '\0';
  return id;
}

struct ident ident_upper(const char *name) {
  return convert_case(name, toupper);
}
struct ident ident_lower(const char *name) {
  return convert_case(name, tolower);
}

struct ident ident_value(const struct set *set, unsigned value) {
  const char *text = "";
  for (unsigned i = 0; i < set->n_tokens && text[0] == '\0'; i++)
    if (set->token[i].value == value) text = set->token[i].text;
  struct ident token = ident_upper(text[0] == '\0' ? "NONE" : text + (text[0] == '.'));
  struct ident id = ident_upper(set->name);
  size_t n = strlen(id.s);
  (void)snprintf(id.s + n, sizeof id.s - n, "_%.31s", token.s);
  return id;
}

struct ident ident_enc(const struct spec *s, const struct enc *e) {
  struct ident id = ident_upper(s->insn[e->insn].name), f = ident_upper(s->format[e->format].name);
  size_t n = strlen(id.s);
  (void)snprintf(id.s + n, sizeof id.s - n, "_%.31s", f.s);
  return id;
}

struct ident ident_mem(const struct spec *s, unsigned mem) {
  return ident_upper(mem == 0 ? "none" : s->mem[mem - 1]);
}

/* A growing list of identifiers with where they came from. */
struct bag {
  size_t n, room;
  struct ident *id;
};

static bool put_ident(struct bag *b, const char *prefix, struct ident id, struct pos at, struct diag *d) {
  struct ident full;
  (void)snprintf(full.s, sizeof full.s, "%s%.*s", prefix, (int)(sizeof full.s - 8), id.s);
  for (size_t i = 0; i < b->n; i++)
    if (strcmp(b->id[i].s, full.s) == 0)
      return diag_fail(d, at, "two things would both be called %s in the generated code; rename one", full.s);
  if (!array_room(&b->id, &b->room, b->n + 1, sizeof *b->id)) return diag_fail(d, at, "out of memory");
  b->id[b->n++] = full;
  return true;
}

static bool put_all(const struct spec *s, struct bag *b, struct diag *d) {
  const struct pos top = {s->file[0], 0};
  for (unsigned i = 0; i < s->n_units; i++)
    if (!put_ident(b, "UNIT_", ident_upper(s->unit[i].name), top, d)) return false;
  for (unsigned i = 0; i <= s->n_mems; i++)
    if (!put_ident(b, "MEM_", ident_mem(s, i), top, d)) return false;
  for (unsigned i = 0; i < s->n_insns; i++)
    if (!put_ident(b, "OP_", ident_upper(s->insn[i].name), s->insn[i].at, d)) return false;
  for (unsigned i = 0; i < s->n_encs; i++)
    if (!put_ident(b, "ENC_", ident_enc(s, &s->enc[i]), s->insn[s->enc[i].insn].at, d)) return false;
  for (unsigned i = 0; i < s->n_fields; i++)
    if (!put_ident(b, "F_", ident_upper(s->field[i].name), s->field[i].at, d)) return false;
  for (unsigned i = 0; i < s->n_sets; i++) {
    if (!put_ident(b, "SET_", ident_upper(s->set[i].name), s->set[i].at, d)) return false;
    for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++)
      if (s->set[i].legal[v] && !put_ident(b, "", ident_value(&s->set[i], v), s->set[i].at, d)) return false;
  }
  return true;
}

bool names_check(const struct spec *s, struct diag *d) {
  /* Prefixes that the generated code uses for itself. */
  static const char *const taken[] = {
      "src",  "isa", "sem",   "rz",       "pt",     "word",      "hash",       "k",          "e",   "op",   "flow",
      "unit", "enc", "field", "mem",      "kind",   "imm_type",  "elem",       "token",      "set", "slot", "instr",
      "pred", "ctl", "dec",   "encoding", "set_id", "elem_kind", "field_kind", "field_info", NULL};
  for (unsigned i = 0; i < s->n_sets; i++)
    for (unsigned k = 0; taken[k] != NULL; k++)
      if (strcmp(ident_lower(s->set[i].name).s, taken[k]) == 0)
        return diag_fail(d, s->set[i].at, "set name '%s' is used by the generated code; rename it", s->set[i].name);
  struct bag b = {0};
  bool ok = put_all(s, &b, d);
  free(b.id);
  return ok;
}
