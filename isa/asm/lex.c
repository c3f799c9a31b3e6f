/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking things from the text; other spellings of instructions.
 */
#include <stdio.h>
#include <string.h>
#include "isa/asm/internal.h"

static bool is_digit(char ch) {
  return ch >= '0' && ch <= '9';
}
static bool is_name(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || is_digit(ch) || ch == '_' || ch == '$';
}

/* A comment that ends in its line. */
static const char *behind_comment(const struct cursor *c) {
  if (c->end - c->at < 4 || c->at[0] != '/' || c->at[1] != '*') return NULL;
  for (const char *p = c->at + 2; p + 1 < c->end && *p != '\n'; p++)
    if (p[0] == '*' && p[1] == '/') return p + 2;
  return NULL;
}

/* Blanks and comments, but not the end of the line. */
void lex_blank(struct cursor *c) {
  while (c->at < c->end) {
    const char *behind = behind_comment(c);
    if (behind) {
      c->at = behind;
    } else if (*c->at == ' ' || *c->at == '\t' || *c->at == '\r') {
      c->at++;
    } else if (*c->at == '#' || (*c->at == '/' && c->at + 1 < c->end && c->at[1] == '/')) {
      while (c->at < c->end && *c->at != '\n') c->at++;
    } else {
      return;
    }
  }
}

bool lex_done(struct cursor *c) {
  lex_blank(c);
  return c->at >= c->end || *c->at == '\n' || *c->at == ';';
}

bool lex_char(struct cursor *c, char ch) {
  lex_blank(c);
  if (c->at >= c->end || *c->at != ch) return false;
  c->at++;
  return true;
}

bool lex_text(struct cursor *c, const char *text) {
  struct cursor saved = *c;
  for (; *text; text++) {
    if (*text == ' ') continue;
    if (!lex_char(c, *text)) {
      *c = saved;
      return false;
    }
  }
  return true;
}

bool lex_suffix(struct cursor *c, const char *text) {
  size_t n = strlen(text);
  if ((size_t)(c->end - c->at) < n || memcmp(c->at, text, n) != 0) return false;
  if (c->at + n < c->end && is_name(c->at[n])) return false;
  c->at += n;
  return true;
}

static bool take_identifier(struct cursor *c, char *buf, size_t size, bool dots) {
  lex_blank(c);
  const char *start = c->at;
  if (start >= c->end || !is_name(*start) || is_digit(*start)) return false;
  const char *p = start;
  while (p < c->end && (is_name(*p) || (dots && *p == '.'))) p++;
  size_t n = (size_t)(p - start);
  if (n >= size) return false;
  memcpy(buf, start, n);
  buf[n] = 0;
  c->at = p;
  return true;
}

bool lex_name(struct cursor *c, char *buf, size_t size) {
  return take_identifier(c, buf, size, false);
}
bool lex_quoted_label(struct cursor *c, char *buf, size_t size) {
  struct cursor probe = *c;
  if (!lex_text(&probe, "`(")) return false;
  lex_char(&probe, '.');
  if (!lex_name(&probe, buf, size) || !lex_char(&probe, ')')) return false;
  *c = probe;
  return true;
}
bool lex_dotted_name(struct cursor *c, char *buf, size_t size) {
  return take_identifier(c, buf, size, true);
}

bool lex_long_word(const struct cursor *c, size_t most) {
  struct cursor p = *c;
  for (lex_blank(&p); p.at < p.end && *p.at != '\n'; lex_blank(&p)) {
    const char *start = p.at;
    while (p.at < p.end && is_name(*p.at)) p.at++;
    if ((size_t)(p.at - start) > most) return true;
    if (p.at == start) p.at++;
  }
  return false;
}

static int digit_value(char ch) {
  if (is_digit(ch)) return ch - '0';
  if (ch >= 'a' && ch <= 'f') return ch - 'a' + 10;
  if (ch >= 'A' && ch <= 'F') return ch - 'A' + 10;
  return 99;
}

bool lex_number(struct cursor *c, uint64_t *value) {
  lex_blank(c);
  const char *p = c->at;
  unsigned base = 10;
  if (c->end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) base = 16;
  if (c->end - p > 2 && p[0] == '0' && (p[1] == 'b' || p[1] == 'B')) base = 2;
  if (base != 10) p += 2;
  const char *digits = p;
  uint64_t v = 0;
  while (p < c->end && (unsigned)digit_value(*p) < base) {
    const unsigned digit = (unsigned)digit_value(*p++);
    if (v > (UINT64_MAX - digit) / base) return false;
    v = v * base + digit;
  }
  if (p == digits || (p < c->end && is_name(*p))) return false;
  c->at = p;
  *value = v;
  return true;
}

bool lex_register(struct cursor *c, const char *prefix, unsigned *index) {
  char name[8];
  struct cursor saved = *c;
  size_t n = strlen(prefix);
  char file = prefix[n - 1];
  unsigned top = file == 'R' ? 254 : file == 'P' ? 6 : 15;
  char null_name = file == 'R' ? 'Z' : file == 'P' ? 'T' : 0;
  if (lex_name(c, name, sizeof name) && strncmp(name, prefix, n) == 0 && name[n]) {
    const char *digits = name + n;
    if (null_name && digits[0] == null_name && !digits[1]) {
      *index = file == 'R' ? ISA_RZ : ISA_PT;
      return true;
    }
    unsigned v = 0;
    size_t i = 0;
    while (is_digit(digits[i]) && v < 1000) v = v * 10 + (unsigned)(digits[i++] - '0');
    if (i > 0 && !digits[i] && v <= top && !(digits[0] == '0' && digits[1])) {
      *index = v;
      return true;
    }
  }
  *c = saved;
  return false;
}

/* Text as disassemblers of real machines print it, where it has one meaning here; where it has none, what to write.
 * The only part of the assembler that names instructions.
 *
 * A mnemonic that is none of ours is looked at part by part: those of an instruction's name, wherever they stand; then,
 * in any order, suffixes of its sets; then those of the table, which change nothing of what is computed. */

enum { PARTS = 16, PART_SIZE = 24 };

struct parts {
  char text[PARTS][PART_SIZE];
  unsigned count;
  bool taken[PARTS];
};

/* A part of a mnemonic whose first part begins with `stem`. */
static const struct part {
  const char *stem, *part;
  const char *hint;   /* what to write instead; NULL: nothing, it is left out */
  const char *except; /* not beside a part that ends so */
} parts_known[] = {
    /* how a product is printed that moves, shifts, adds */
    {"IMAD", "MOV", NULL, NULL},
    {"IMAD", "SHL", NULL, NULL},
    {"IMAD", "IADD", NULL, NULL},
    {"IMAD", "X", "IADD3.X adds with a carry", NULL},
    {"HFMA2", "MMA", NULL, NULL},
    {"HADD2", "F32", "F2F.F32.F16 makes an FP32 number of a half", NULL},
    /* hints about caches, and about who can see what a plain access does not promise anyhow */
    {"LD", "CONSTANT", NULL, NULL},
    {"LD", "PRIVATE", NULL, NULL},
    {"LD", "EF", NULL, NULL},
    {"ST", "EF", NULL, NULL},
    {"LD", "EL", NULL, NULL},
    {"ST", "EL", NULL, NULL},
    {"LD", "LU", NULL, NULL},
    {"ST", "LU", NULL, NULL},
    {"LD", "NA", NULL, NULL},
    {"ST", "NA", NULL, NULL},
    {"LD", "SYS", NULL, NULL},
    {"ST", "SYS", NULL, NULL},
    {"LDS", "U", NULL, NULL},
    {"LDG", "LTC64B", NULL, NULL},
    {"LDG", "LTC128B", NULL, NULL},
    {"LDG", "LTC256B", NULL, NULL},
    {"LDGSTS", "BYPASS", NULL, NULL},
    {"LDGSTS", "ACCESS", NULL, NULL},
    {"MEMBAR", "SC", NULL, NULL},
    {"MEMBAR", "ALL", NULL, NULL},
    {"ATOM", "RN", NULL, NULL},
    {"RED", "RN", NULL, NULL},
    {"ATOM", "FTZ", "atomics keep subnormal numbers: .ADD.F32", NULL},
    {"RED", "FTZ", "atomics keep subnormal numbers: .ADD.F32", NULL},
    {"F2I", "NTZ", NULL, "64"},
    {"F2I", "NTZ", "NaN gives 0 as 8, 16 or 32 bits alone, of F32 and F16", NULL},
    {"BAR", "DEFER_BLOCKING", NULL, NULL},
    {"CALL", "NOINC", NULL, NULL},
    {"RET", "NODEC", "RET Rn takes the address in a pair of registers", NULL},
    {"WARPSYNC", "ALL", "WARPSYNC 0xffffffff waits for all lanes", NULL},
    {"CS2R", "32", "S2R reads one word", NULL},
    {"BMOV", "32", "BMOV.GET Rd, Bx and BMOV.SET Bx, Rb", NULL},
};

/* Other names of an instruction. */
static const struct alias {
  const char *name, *ours, *hint;
} aliases[] = {
    {"FCHK", "FCHK.DIVIDE", NULL},
    {"F2FP.PACK_AB", "F2FP.F16.F32.PACK_AB", NULL},
    {"ERRBAR", NULL, "errors of memory are reported without it"},
    {"VIMNMX", NULL, "IMNMX"},
};

static struct parts split_parts(const char *text) {
  struct parts p = {0};
  while (*text && p.count < PARTS) {
    const size_t n = strcspn(text, ".");
    if (n < PART_SIZE) memcpy(p.text[p.count++], text, n);
    text += n + (text[n] == '.');
    if (n >= PART_SIZE) break;
  }
  if (*text) p.count = 0; /* too much of it */
  return p;
}

static bool is_part(const struct parts *p, unsigned k, const char *text, size_t n) {
  return k < p->count && !p->taken[k] && strlen(p->text[k]) == n && memcmp(p->text[k], text, n) == 0;
}

/* The parts of an instruction's name, the first of them in its place. */
static bool match_insn_name(struct parts *p, const char *name, unsigned *parts) {
  for (*parts = 0; *name; (*parts)++) {
    const size_t n = strcspn(name, ".");
    unsigned k = 0;
    while (k < p->count && !is_part(p, k, name, n)) k++;
    if (k == p->count || (*parts == 0 && k != 0)) return false;
    p->taken[k] = true;
    name += n + (name[n] == '.');
  }
  return true;
}

/* How many parts from k on are those of a suffix, ".STRONG.GPU"; 0: they are not. */
static unsigned suffix_at(const struct parts *p, unsigned k, const char *suffix) {
  unsigned count = 0;
  while (*suffix == '.') {
    const size_t n = strcspn(++suffix, ".");
    if (!is_part(p, k + count++, suffix, n)) return 0;
    suffix += n;
  }
  return count;
}

/* The longest suffix at part k among the sets that have none yet. */
static bool take_suffix(struct parts *p, unsigned k, const struct heddle_isa_instr *in, uint64_t *field, bool *has) {
  const struct heddle_isa_token *best = NULL;
  unsigned most = 0, of = 0;
  for (unsigned i = 0; i < in->n_suffixes; i++) {
    const struct heddle_isa_field_info *f = heddle_isa_field_info((enum heddle_isa_field)in->suffixes[i]);
    const struct heddle_isa_set *set = heddle_isa_set_info((enum heddle_isa_set_id)f->set);
    for (unsigned t = 0; t < set->n_tokens && !has[in->suffixes[i]]; t++) {
      const unsigned n = suffix_at(p, k, set->tokens[t].text);
      if (n <= most) continue;
      best = &set->tokens[t];
      most = n;
      of = in->suffixes[i];
    }
  }
  if (!best) return false;
  field[of] = best->value;
  has[of] = true;
  while (most-- > 0) p->taken[k + most] = true;
  return true;
}

static bool ends_so(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static const struct part *find_known_part(const struct parts *p, unsigned k) {
  for (size_t j = 0; j < sizeof parts_known / sizeof *parts_known; j++) {
    const struct part *x = &parts_known[j];
    bool beside = false;
    if (strncmp(p->text[0], x->stem, strlen(x->stem)) != 0 || strcmp(p->text[k], x->part) != 0) continue;
    for (unsigned i = 0; x->except && i < p->count; i++) beside = beside || ends_so(p->text[i], x->except);
    if (!beside) return x;
  }
  return NULL;
}

/* What was not written: of each set the empty suffix. */
static bool default_suffixes(const struct heddle_isa_instr *in, uint64_t *field, bool *has) {
  for (unsigned i = 0; i < in->n_suffixes; i++) {
    const unsigned f = in->suffixes[i];
    unsigned value;
    if (has[f]) continue;
    if (!heddle_isa_set_value((enum heddle_isa_set_id)heddle_isa_field_info((enum heddle_isa_field)f)->set, "", &value))
      return false;
    field[f] = value;
    has[f] = true;
  }
  return true;
}

static bool parts_fit_insn(struct parts p, const struct heddle_isa_instr *in, unsigned *parts, uint64_t *field,
                           bool *has) {
  if (!match_insn_name(&p, in->name, parts)) return false;
  for (unsigned k = 0; k < p.count; k++) {
    if (p.taken[k] || take_suffix(&p, k, in, field, has)) continue;
    const struct part *x = find_known_part(&p, k);
    if (!x || x->hint) return false;
  }
  return default_suffixes(in, field, has);
}

static const struct alias *alias_of(const char *text) {
  for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++) {
    const size_t n = strlen(aliases[k].name);
    if (strncmp(text, aliases[k].name, n) == 0 && (!text[n] || text[n] == '.')) return &aliases[k];
  }
  return NULL;
}

bool spelling_mnemonic(const char *text, enum heddle_isa_op *op, uint64_t *field, bool *has) {
  const struct alias *alias = alias_of(text);
  char ours[128];
  unsigned best = 0, parts;
  if (alias && alias->ours) {
    snprintf(ours, sizeof ours, "%s%s", alias->ours, text + strlen(alias->name));
    text = ours;
  }
  const struct parts p = split_parts(text);
  for (unsigned k = 0; k < ISA_OP_COUNT; k++) {
    uint64_t f[ISA_F_COUNT] = {0};
    bool h[ISA_F_COUNT] = {0};
    if (!parts_fit_insn(p, heddle_isa_instr_info((enum heddle_isa_op)k), &parts, f, h) || parts <= best) continue;
    best = parts;
    *op = (enum heddle_isa_op)k;
    memcpy(field, f, sizeof f);
    memcpy(has, h, sizeof h);
  }
  return best > 0;
}

const char *spelling_hint(const char *text) {
  const struct alias *alias = alias_of(text);
  const struct parts p = split_parts(text);
  if (alias && alias->hint) return alias->hint;
  for (unsigned k = 1; k < p.count; k++) {
    const struct part *x = find_known_part(&p, k);
    if (x && x->hint) return x->hint;
  }
  return NULL;
}

/* ---- operands that say nothing ---- */

/* An atomic's predicate, which it does not write. */
void spelling_front(struct cursor *c, enum heddle_isa_op op) {
  if (strncmp(heddle_isa_op_name(op), "ATOM", 4) == 0) lex_text(c, "PT ,");
}

/* A predicate behind the table, which is ORed to the result's: !PT adds nothing. */
bool spelling_back(struct assembler *a, struct cursor *c, enum heddle_isa_op op) {
  const char *name = heddle_isa_op_name(op);
  if (strcmp(name, "HFMA2") == 0 && !lex_done(c)) {
    asm_error(a, c, "HFMA2 has one immediate: a decimal for both halves, or the word in hex");
    return false;
  }
  const bool uniform = strcmp(name, "ULOP3.LUT") == 0;
  if (!uniform && strcmp(name, "LOP3.LUT") != 0) return true;
  struct cursor at = *c;
  unsigned index;
  if (lex_text(c, uniform ? ", !UPT" : ", !PT") || !lex_char(c, ',')) return true;
  lex_char(c, '!');
  const bool predicate = lex_register(c, uniform ? "UP" : "P", &index);
  *c = at;
  if (predicate)
    asm_error(a, &at, "%s: behind the table there can be !%sT, no other predicate", name, uniform ? "UP" : "P");
  return !predicate;
}

/* Words of .SX32, which makes the high word itself, are written without one. */
bool spelling_leaves_out(const struct cursor *c, const struct heddle_isa_instr *in, unsigned operand,
                         const uint64_t *field) {
  struct cursor probe = *c;
  unsigned index;
  return operand == 2 && strstr(in->name, "LEA.HI") && field[ISA_F_SX32] != 0 &&
         !lex_register(&probe, in->name[0] == 'U' ? "UR" : "R", &index);
}

/* Behind a register in an address, or in front of one. */
bool spelling_address(struct assembler *a, struct cursor *c, const struct heddle_isa_instr *in) {
  struct cursor at = *c;
  unsigned index;
  const bool wide = in->space == ISA_SPACE_GLOBAL || in->space == ISA_SPACE_GENERIC;
  const char *hint = NULL;
  if (wide && lex_suffix(c, ".64")) return true;
  if (lex_text(c, ".X"))
    hint = "an address is a register and an offset: no multiple of a register, shift it before";
  else if (lex_char(c, '+') && lex_register(c, "UR", &index))
    hint = "an address is a register and an offset: add the uniform register before";
  *c = at;
  if (hint) asm_error(a, &at, "%s", hint);
  return !hint;
}
