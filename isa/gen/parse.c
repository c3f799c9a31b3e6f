/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations: isa, import, unit, field, set, always, and what a variant says of fields that another file declared.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "isa/gen/spec.h"

/* Is a field as wide as its kind wants (`at`: where it got its width)? */
static bool spec_check_width(const struct spec *s, const struct field *f, struct pos at, struct diag *d);

/* "HI:LO" or "BIT" */
static bool spec_parse_range(const struct line *l, const char *word, unsigned *hi, unsigned *lo, struct diag *d);

/* Sets of suffixes or operand names, and how many registers each value fills. */

static bool add_token(struct set *set, const struct line *l, const char *text, size_t n, uint64_t v, bool canonical,
                      struct diag *d) {
  if (set->n_tokens == SPEC_TOKENS_MAX)
    return diag_fail(d, l->at, "set '%s' has more than %d tokens", set->name, SPEC_TOKENS_MAX);
  if (n == 0 || n >= TEXT_NAME_MAX)
    return diag_fail(d, l->at, "set '%s': a token is empty or longer than %d characters", set->name, TEXT_NAME_MAX - 1);
  struct token *t = &set->token[set->n_tokens];
  memcpy(t->text, text, n);
  t->text[n] = '\0';
  if (strcmp(t->text, "-") == 0) t->text[0] = '\0';
  for (unsigned i = 0; i < set->n_tokens; i++)
    if (strcmp(set->token[i].text, t->text) == 0)
      return diag_fail(d, l->at, "set '%s': token '%.*s' appears twice; remove one", set->name, (int)n, text);
  for (const char *c = t->text + (t->text[0] == '.'); *c != '\0'; c++)
    if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.", *c) == NULL)
      return diag_fail(d, l->at, "set '%s': token '%s' holds '%c'; use letters, digits, '_' and '.'", set->name,
                       t->text, *c);
  t->value = (unsigned)v;
  t->canonical = canonical;
  set->n_tokens++;
  return true;
}

/* "5", or "5*" for a value that the RTL does not know. */
static bool parse_value(const char *text, uint64_t *v, bool *star) {
  char buf[TEXT_NAME_MAX];
  size_t n = strlen(text);
  if (n == 0 || n >= sizeof buf) return false;
  *star = text[n - 1] == '*';
  memcpy(buf, text, n);
  buf[*star ? n - 1 : n] = '\0';
  return text_number(buf, v);
}

static bool parse_token(struct set *set, const struct line *l, const char *word, struct diag *d) {
  const char *eq = strchr(word, '=');
  uint64_t v = 0;
  bool star = false;
  if (eq == NULL || !parse_value(eq + 1, &v, &star))
    return diag_fail(d, l->at, "set '%s': expected TOKEN=VALUE, found '%s'", set->name, word);
  if (v >= SPEC_TOKENS_MAX)
    return diag_fail(d, l->at, "set '%s': value %" PRIu64 " is out of range; the largest is %d", set->name, v,
                     SPEC_TOKENS_MAX - 1);
  if (star && word[0] == '-' && (word[1] == '|' || word[1] == '='))
    return diag_fail(d, l->at, "set '%s': the value that prints nothing cannot be starred; the RTL has it", set->name);
  if (set->legal[v])
    return diag_fail(d, l->at, "set '%s': value %u has two tokens; write A|B=%u for an alias", set->name, (unsigned)v,
                     (unsigned)v);
  set->legal[v] = true;
  set->rtl[v] = !star;
  bool canonical = true;
  for (const char *p = word;; canonical = false) {
    size_t n = strcspn(p, "|=");
    if (!add_token(set, l, p, n, v, canonical, d)) return false;
    p += n;
    if (*p == '=') return true;
    p++;
  }
}

static bool spec_parse_set(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n < 3 || !text_is_name(l->word[1])) return diag_fail(d, l->at, "expected 'set NAME TOKEN=VALUE ...'");
  if (spec_set(s, l->word[1]) != SPEC_NONE)
    return diag_fail(d, l->at, "set '%s' is declared twice; remove one", l->word[1]);
  if (s->n_sets == SPEC_SETS_MAX) return diag_fail(d, l->at, "more than %d sets", SPEC_SETS_MAX);
  struct set *set = &s->set[s->n_sets];
  strcpy(set->name, l->word[1]);
  set->at = l->at;
  for (unsigned i = 2; i < l->n; i++)
    if (!parse_token(set, l, l->word[i], d)) return false;
  s->n_sets++;
  return true;
}

static bool spec_parse_width(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n < 3) return diag_fail(d, l->at, "expected 'width SET VALUE:REGISTERS ...'");
  unsigned i = spec_set(s, l->word[1]);
  if (i == SPEC_NONE) return diag_fail(d, l->at, "set '%s' is not declared", l->word[1]);
  struct set *set = &s->set[i];
  if (set->has_words) return diag_fail(d, l->at, "set '%s' has two width tables; remove one", set->name);
  set->has_words = true;
  for (unsigned w = 2; w < l->n; w++) {
    char buf[TEXT_NAME_MAX];
    uint64_t v = 0, n = 0;
    const char *colon = strchr(l->word[w], ':');
    size_t len = colon == NULL ? 0 : (size_t)(colon - l->word[w]);
    if (len == 0 || len >= sizeof buf) return diag_fail(d, l->at, "expected VALUE:REGISTERS, found '%s'", l->word[w]);
    memcpy(buf, l->word[w], len);
    buf[len] = '\0';
    if (!text_number(buf, &v) || !text_number(colon + 1, &n))
      return diag_fail(d, l->at, "expected VALUE:REGISTERS, found '%s'", l->word[w]);
    if (n != 1 && n != 2 && n != 4) return diag_fail(d, l->at, "'%s': an access fills 1, 2 or 4 registers", l->word[w]);
    if (v >= SPEC_TOKENS_MAX || !set->legal[v]) return diag_fail(d, l->at, "set '%s' has no value %s", set->name, buf);
    if (set->words[v] != 0) return diag_fail(d, l->at, "set '%s': value %s has two widths; remove one", set->name, buf);
    set->words[v] = (uint8_t)n;
  }
  for (unsigned v = 0; v < SPEC_TOKENS_MAX; v++)
    if (set->legal[v] && set->words[v] == 0)
      return diag_fail(d, l->at, "set '%s': value %u has no width; add %u:1", set->name, v, v);
  return true;
}

/* What a variant says of fields that another file declared: where they lie instead, and how narrow they may become. And
 * that it is a sketch. */

static bool spec_parse_move(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n != 3) return diag_fail(d, l->at, "expected 'move FIELD HI:LO'");
  unsigned i = spec_field(s, l->word[1]);
  if (i == SPEC_NONE)
    return diag_fail(d, l->at, "field '%s' is not declared; import the file that declares it first", l->word[1]);
  struct field *f = &s->field[i];
  unsigned was = field_width(f);
  if (!spec_parse_range(l, l->word[2], &f->hi, &f->lo, d)) return false;
  if (field_width(f) > was)
    return diag_fail(d, l->at, "field '%s' would grow from %u to %u bits; a move keeps the width or narrows it",
                     f->name, was, field_width(f));
  f->moved = l->at;
  if (field_width(f) < f->least && s->sketch_at.line == 0)
    return diag_fail(d, l->at, "field '%s' of %u bits is too narrow: it needs %u, for %s", f->name, field_width(f),
                     f->least, f->why);
  return spec_check_width(s, f, l->at, d);
}

static bool spec_parse_least(struct spec *s, const struct line *l, struct diag *d) {
  uint64_t bits = 0;
  if (l->n != 4 || !l->quoted[3] || l->word[3][0] == '\0' || !text_number(l->word[2], &bits))
    return diag_fail(d, l->at, "expected 'least FIELD BITS \"REASON\"': how narrow a variant may make it");
  unsigned i = spec_field(s, l->word[1]);
  if (i == SPEC_NONE) return diag_fail(d, l->at, "field '%s' is not declared", l->word[1]);
  struct field *f = &s->field[i];
  if (f->least != 0) return diag_fail(d, l->at, "second 'least' of field '%s'; remove one", f->name);
  if (bits == 0 || bits > field_width(f))
    return diag_fail(d, l->at, "field '%s' has %u bits; it cannot need %llu", f->name, field_width(f),
                     (unsigned long long)bits);
  if (strlen(l->word[3]) >= sizeof f->why)
    return diag_fail(d, l->at, "the reason is longer than %zu characters", sizeof f->why - 1);
  f->least = (unsigned)bits;
  strcpy(f->why, l->word[3]);
  return true;
}

/* Where each bit goes: blocks follow each other from the top bit down. */
struct shuffle {
  unsigned to[SPEC_WORD_BITS];
  unsigned block[SPEC_WORD_BITS]; /* number of the block that holds the bit, from 1; 0: none yet */
};

static bool take_blocks(const struct line *l, struct shuffle *sh, struct diag *d) {
  unsigned top = SPEC_WORD_BITS; /* bits above and at this one are laid out */
  for (unsigned w = 1; w < l->n; w++) {
    unsigned hi = 0, lo = 0;
    if (!spec_parse_range(l, l->word[w], &hi, &lo, d)) return false;
    for (unsigned b = hi + 1; b-- > lo;) {
      if (sh->block[b] != 0)
        return diag_fail(d, l->at, "bit %u is in blocks '%s' and '%s'; each bit is in one", b, l->word[sh->block[b]],
                         l->word[w]);
      sh->block[b] = w;
      sh->to[b] = --top;
    }
  }
  for (unsigned b = SPEC_WORD_BITS; b-- > 0;)
    if (sh->block[b] == 0) return diag_fail(d, l->at, "bit %u is in no block; add it", b);
  return true;
}

static bool spec_parse_shuffle(struct spec *s, const struct line *l, struct diag *d) {
  struct shuffle sh = {0};
  if (!take_blocks(l, &sh, d)) return false;
  for (unsigned i = 0; i < s->n_fields; i++) {
    struct field *f = &s->field[i];
    for (unsigned b = f->lo; b <= f->hi; b++)
      if (sh.block[b] != sh.block[f->hi])
        return diag_fail(d, l->at, "field '%s' %u:%u is in blocks '%s' and '%s'; join them", f->name, f->hi, f->lo,
                         l->word[sh.block[f->hi]], l->word[sh.block[b]]);
    f->hi = sh.to[f->hi];
    f->lo = sh.to[f->lo];
    f->moved = l->at;
  }
  return true;
}

static bool spec_parse_sketch(struct spec *s, const struct line *l, struct diag *d) {
  if (l->n != 2 || !l->quoted[1] || l->word[1][0] == '\0')
    return diag_fail(d, l->at, "expected 'sketch \"REASON\"': why nothing is built of it");
  if (s->sketch_at.line != 0) return diag_fail(d, l->at, "second 'sketch' declaration; remove one");
  if (strlen(l->word[1]) >= sizeof s->sketch)
    return diag_fail(d, l->at, "the reason is longer than %zu characters", sizeof s->sketch - 1);
  strcpy(s->sketch, l->word[1]);
  s->sketch_at = l->at;
  return true;
}

bool spec_buildable(const struct spec *s, struct diag *d) {
  if (s->sketch_at.line == 0) return true;
  return diag_fail(d, s->sketch_at, "a sketch is measured, not built (%s); use 'heddle isa report'", s->sketch);
}

/* isa, import, unit, field, always; and which function a line goes to. */

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
static bool spec_parse_range(const struct line *l, const char *word, unsigned *hi, unsigned *lo, struct diag *d) {
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
static bool spec_check_width(const struct spec *s, const struct field *f, struct pos at, struct diag *d) {
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
