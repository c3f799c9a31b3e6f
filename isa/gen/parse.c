/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations other than sets, formats, instructions and what variants add: isa,
 * import, unit, field, always.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/gen/spec.h"

const char *const spec_kind_names[] = {
    "opcode", "fixed", "guard",     "gpr.read",   "gpr.write",  "pred.read",   "pred.write", "imm32", "coff",  "cbank",
    "neg",    "abs",   "set",       "u",          "s",          "rel",         "breg",       "stall", "yield", "sbset",
    "sbwait", "reuse", "ugpr.read", "ugpr.write", "upred.read", "upred.write", "uguard",     NULL};

/* Width that a kind demands; 0 = any. */
static const unsigned kind_width[] = {0, 0, 4, 0, 0, 4, 3, 32, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 3, 6, 0, 0, 0, 4, 3, 4};

bool kind_is_pred(enum kind k) {
  return k == K_GUARD || k == K_UGUARD || k == K_PRED_READ || k == K_PRED_WRITE || k == K_UPRED_READ ||
         k == K_UPRED_WRITE;
}

bool kind_is_register(enum kind k) {
  return k == K_GPR_READ || k == K_GPR_WRITE || k == K_UGPR_READ || k == K_UGPR_WRITE;
}

bool kind_is_signed(enum kind k) {
  return k == K_SINT || k == K_REL;
}

unsigned spec_field(const struct spec *s, const char *name) {
  for (unsigned i = 0; i < s->n_fields; i++)
    if (strcmp(s->field[i].name, name) == 0) return i;
  return SPEC_NONE;
}

unsigned spec_set(const struct spec *s, const char *name) {
  for (unsigned i = 0; i < s->n_sets; i++)
    if (strcmp(s->set[i].name, name) == 0) return i;
  return SPEC_NONE;
}

unsigned spec_format(const struct spec *s, const char *name) {
  for (unsigned i = 0; i < s->n_formats; i++)
    if (strcmp(s->format[i].name, name) == 0) return i;
  return SPEC_NONE;
}

unsigned spec_unit(const struct spec *s, const char *name) {
  for (unsigned i = 0; i < s->n_units; i++)
    if (strcmp(s->unit[i].name, name) == 0) return i;
  return SPEC_NONE;
}

static bool parse_isa(struct spec *s, const struct line *l, struct diag *d) {
  if (s->name[0] != '\0') return diag_fail(d, l->at, "second 'isa' declaration; there is one per instruction set");
  if (l->n != 3 || !text_is_name(l->word[1])) return diag_fail(d, l->at, "expected 'isa NAME 128'");
  if (strcmp(l->word[2], "128") != 0)
    return diag_fail(d, l->at, "word width '%s' is not supported; write 128", l->word[2]);
  strcpy(s->name, l->word[1]);
  return true;
}

static bool parse_unit(struct spec *s, const struct line *l, struct diag *d) {
  static const char *const latency[] = {"fixed", "variable", "control"};
  if (l->n != 3 || !text_is_name(l->word[1])) return diag_fail(d, l->at, "expected 'unit NAME fixed|variable|control'");
  if (spec_unit(s, l->word[1]) != SPEC_NONE)
    return diag_fail(d, l->at, "unit '%s' is declared twice; remove one", l->word[1]);
  if (s->n_units == SPEC_UNITS_MAX) return diag_fail(d, l->at, "more than %d units", SPEC_UNITS_MAX);
  struct unit *u = &s->unit[s->n_units];
  for (u->latency = 0; u->latency < 3; u->latency++)
    if (strcmp(latency[u->latency], l->word[2]) == 0) break;
  if (u->latency == 3)
    return diag_fail(d, l->at, "unit latency '%s' is unknown; use fixed, variable or control", l->word[2]);
  strcpy(u->name, l->word[1]);
  s->n_units++;
  return true;
}

/* "HI:LO" or "BIT". */
bool spec_parse_range(const struct line *l, const char *word, unsigned *hi, unsigned *lo, struct diag *d) {
  char buf[TEXT_NAME_MAX];
  uint64_t h = 0, low = 0;
  size_t n = strcspn(word, ":");
  if (n == 0 || n >= sizeof buf) return diag_fail(d, l->at, "expected HI:LO, found '%s'", word);
  memcpy(buf, word, n);
  buf[n] = '\0';
  if (!text_number(buf, &h) || !text_number(word[n] == ':' ? word + n + 1 : buf, &low))
    return diag_fail(d, l->at, "expected HI:LO, found '%s'", word);
  if (h < low) return diag_fail(d, l->at, "'%s': the high bit comes first", word);
  if (h >= SPEC_WORD_BITS) return diag_fail(d, l->at, "'%s': bits are 0 to %d", word, SPEC_WORD_BITS - 1);
  *hi = (unsigned)h;
  *lo = (unsigned)low;
  return true;
}

static bool parse_kind(struct spec *s, struct field *f, const struct line *l, unsigned *used, struct diag *d) {
  const char *word = l->word[3];
  uint64_t bits = 0;
  *used = 4;
  if (strcmp(word, "set") == 0) {
    if (l->n < 5) return diag_fail(d, l->at, "field '%s': expected 'set NAME'", f->name);
    f->kind = K_SET;
    f->set = spec_set(s, l->word[4]);
    *used = 5;
    return f->set != SPEC_NONE ? true
                               : diag_fail(d, l->at, "field '%s': set '%s' is not declared", f->name, l->word[4]);
  }
  if ((word[0] == 'u' || word[0] == 's') && text_number(word + 1, &bits)) {
    f->kind = word[0] == 'u' ? K_UINT : K_SINT;
    f->bits = bits > SPEC_WORD_BITS ? SPEC_WORD_BITS + 1 : (unsigned)bits;
    if (f->bits != field_width(f))
      return diag_fail(d, l->at, "field '%s' is %u bits wide but its kind is '%s'", f->name, field_width(f), word);
    return f->bits <= 64 ? true : diag_fail(d, l->at, "field '%s' is wider than 64 bits", f->name);
  }
  for (unsigned k = 0; spec_kind_names[k] != NULL; k++)
    if (strcmp(spec_kind_names[k], word) == 0 && word[1] != '\0') {
      f->kind = (enum kind)k;
      return true;
    }
  return diag_fail(d, l->at, "field '%s': kind '%s' is unknown; see isa/doc/00-isa-file.md", f->name, word);
}

/* Widths that a kind fixes; also after a move, when the field may only have become narrower. */
bool spec_check_width(const struct spec *s, const struct field *f, struct pos at, struct diag *d) {
  unsigned w = field_width(f);
  const bool sketched = s->sketch_at.line != 0 && f->kind == K_IMM32 && w < kind_width[K_IMM32];
  if (kind_width[f->kind] != 0 && w != kind_width[f->kind] && !sketched)
    return diag_fail(d, at, "field '%s' is %u bits wide; kind '%s' needs %u", f->name, w, spec_kind_names[f->kind],
                     kind_width[f->kind]);
  unsigned most = kind_is_register(f->kind) || f->kind == K_SET                   ? 8
                  : f->kind == K_COFF                                             ? 16
                  : f->kind == K_CBANK                                            ? 5
                  : f->kind == K_REUSE || f->kind == K_STALL || f->kind == K_BREG ? 4
                                                                                  : 64;
  if (w > most)
    return diag_fail(d, at, "field '%s' is %u bits wide; at most %u for kind '%s'", f->name, w, most,
                     spec_kind_names[f->kind]);
  if (f->kind == K_COFF && w < 4)
    return diag_fail(d, at, "field '%s' is %u bits wide; a constant's offset needs 4 or more", f->name, w);
  if (f->kind != K_SET) return true;
  for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++)
    if (s->set[f->set].legal[v] && (v >> w) != 0)
      return diag_fail(d, at, "field '%s' is %u bits wide, too narrow for value %u of set '%s'", f->name, w, v,
                       s->set[f->set].name);
  return true;
}

static bool parse_field(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n < 4 || !text_is_name(l->word[1])) return diag_fail(d, l->at, "expected 'field NAME HI:LO KIND [\"note\"]'");
  const char *name = l->word[1];
  if (spec_field(s, name) != SPEC_NONE) return diag_fail(d, l->at, "field '%s' is declared twice; remove one", name);
  if (strlen(name) == 1 && name[0] >= 'a' && name[0] <= 'c')
    return diag_fail(d, l->at, "'%s' names an operand; choose another field name", name);
  if (s->n_fields == SPEC_FIELDS_MAX) return diag_fail(d, l->at, "more than %d fields", SPEC_FIELDS_MAX);
  struct field *f = &s->field[s->n_fields];
  unsigned used = 0;
  strcpy(f->name, name);
  f->at = l->at;
  if (!spec_parse_range(l, l->word[2], &f->hi, &f->lo, d) || !parse_kind(s, f, l, &used, d) ||
      !spec_check_width(s, f, l->at, d))
    return false;
  f->declared = field_width(f);
  if (used < l->n && l->quoted[used]) {
    if (strlen(l->word[used]) >= sizeof f->note)
      return diag_fail(d, l->at, "field '%s': the note is longer than %zu characters", name, sizeof f->note - 1);
    strcpy(f->note, l->word[used++]);
  }
  if (used != l->n)
    return diag_fail(d, l->at, "field '%s': unexpected '%s' at the end of the line", name, l->word[used]);
  s->n_fields++;
  return true;
}

static bool parse_always(struct spec *s, const struct line *l, struct diag *d) {
  for (unsigned w = 1; w < l->n; w++) {
    unsigned i = spec_field(s, l->word[w]);
    if (i == SPEC_NONE) return diag_fail(d, l->at, "field '%s' is not declared", l->word[w]);
    for (unsigned k = 0; k < s->n_always; k++)
      if (s->always[k] == i) return diag_fail(d, l->at, "field '%s' is listed twice", l->word[w]);
    if (s->n_always == SPEC_LIST_MAX / 2)
      return diag_fail(d, l->at, "more than %d fields in 'always'", SPEC_LIST_MAX / 2);
    s->always[s->n_always++] = (uint8_t)i;
  }
  return true;
}

/* Files being read, innermost last: an import of one of them would never end. */
struct import_stack {
  unsigned depth;
  const char *path[SPEC_IMPORT_DEPTH];
};

static bool parse_file(struct spec *s, const char *path, struct pos from, struct import_stack *st, struct diag *d);

static bool parse_import(struct spec *s, const struct line *l, struct import_stack *st, struct diag *d) {
  char path[TEXT_PATH_MAX];
  if (l->n != 2) return diag_fail(d, l->at, "expected 'import FILE'");
  const char *slash = strrchr(l->at.file, '/');
  int dir = l->word[1][0] == '/' || slash == NULL ? 0 : (int)(slash - l->at.file) + 1;
  int n = snprintf(path, sizeof path, "%.*s%s", dir, l->at.file, l->word[1]);
  if (n < 0 || (size_t)n >= sizeof path) return diag_fail(d, l->at, "import path is too long");
  return parse_file(s, path, l->at, st, d);
}

static bool parse_declaration(struct spec *s, const struct line *l, struct import_stack *st, struct diag *d) {
  static const struct {
    const char *word;
    bool (*parse)(struct spec *, const struct line *, struct diag *);
  } table[] = {{"isa", parse_isa},
               {"unit", parse_unit},
               {"set", spec_parse_set},
               {"width", spec_parse_width},
               {"field", parse_field},
               {"move", spec_parse_move},
               {"shuffle", spec_parse_shuffle},
               {"least", spec_parse_least},
               {"sketch", spec_parse_sketch},
               {"short", spec_parse_short},
               {"always", parse_always},
               {"format", spec_parse_format},
               {"insn", spec_parse_insn}};
  const char *word = l->word[0];
  if (strcmp(word, "import") == 0) return parse_import(s, l, st, d);
  if (s->name[0] == '\0' && strcmp(word, "isa") != 0)
    return diag_fail(d, l->at, "the first declaration must be 'isa NAME 128' or an import");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].word, word) == 0) return table[i].parse(s, l, d);
  return diag_fail(d, l->at, "declaration '%s' is unknown; see isa/doc/00-isa-file.md", word);
}

/* Same file by another name counts as the same file. */
static bool same_file(const char *a, const char *b) {
  char *ra = realpath(a, NULL), *rb = realpath(b, NULL);
  bool same = ra != NULL && rb != NULL && strcmp(ra, rb) == 0;
  free(ra);
  free(rb);
  return same;
}

static bool parse_file(struct spec *s, const char *path, struct pos from, struct import_stack *st, struct diag *d) {
  if (st->depth == SPEC_IMPORT_DEPTH)
    return diag_fail(d, from, "imports are nested deeper than %d files", SPEC_IMPORT_DEPTH);
  for (unsigned i = 0; i < st->depth; i++)
    if (same_file(st->path[i], path)) return diag_fail(d, from, "'%s' imports itself; remove the cycle", path);
  if (s->n_files == SPEC_FILES_MAX) return diag_fail(d, from, "more than %d files", SPEC_FILES_MAX);
  if (strlen(path) >= TEXT_PATH_MAX) return diag_fail(d, from, "path is longer than %d bytes", TEXT_PATH_MAX - 1);
  char *name = s->file[s->n_files++];
  strcpy(name, path);
  char *text = text_read(path, from, d);
  if (text == NULL) return false;
  struct line *l = malloc(sizeof *l);
  if (l == NULL) diag_fail(d, from, "out of memory");
  st->path[st->depth++] = name;
  const char *cursor = text;
  if (l != NULL) {
    l->at = (struct pos){name, 0};
    while (!d->failed && text_line(&cursor, l, d))
      if (l->n > 0) (void)parse_declaration(s, l, st, d);
  }
  st->depth--;
  free(l);
  free(text);
  return !d->failed;
}

bool spec_parse(struct spec *s, const char *path, struct diag *d) {
  struct import_stack st = {0};
  struct pos at = {path, 0};
  if (!parse_file(s, path, at, &st, d)) return false;
  if (s->name[0] == '\0') return diag_fail(d, at, "empty instruction set: no 'isa' declaration");
  if (s->n_insns == 0) return diag_fail(d, at, "empty instruction set: no 'insn' declaration");
  return true;
}
