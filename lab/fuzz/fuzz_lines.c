/* SPDX-License-Identifier: Apache-2.0
 *
 * A program as lines of assembly, and simpler texts of an instruction.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fuzz/fuzz_shrink.h"

/* Lines of assembly. */

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool worth_keeping(const char *at, size_t n) {
  while (n > 0 && isspace((unsigned char)*at)) at++, n--;
  return n > 0 && strncmp(at, "//", 2) != 0 && *at != '#';
}

bool fuzz_lines_init(struct fuzz_lines *l, const char *text) {
  unsigned most = 1;
  for (const char *c = text; *c; c++) most += *c == '\n';
  l->lines = 0;
  l->line = calloc(most, sizeof *l->line);
  l->gone = calloc(most, sizeof *l->gone);
  if (!l->line || !l->gone) return false;
  for (const char *c = text; *c;) {
    const size_t n = strcspn(c, "\n");
    if (worth_keeping(c, n) && !(l->line[l->lines++] = strndup(c, n))) return false;
    c += n + (c[n] == '\n');
  }
  return true;
}

void fuzz_lines_clear(struct fuzz_lines *l) {
  for (unsigned i = 0; l->line && i < l->lines; i++) free(l->line[i]);
  free(l->line);
  free(l->gone);
  memset(l, 0, sizeof *l);
}

bool fuzz_lines_copy(struct fuzz_lines *to, const struct fuzz_lines *from) {
  to->lines = 0;
  to->line = calloc(from->lines + 1, sizeof *to->line);
  to->gone = calloc(from->lines + 1, sizeof *to->gone);
  bool ok = to->line && to->gone;
  for (unsigned i = 0; ok && i < from->lines; i++) {
    ok = (to->line[i] = strdup(from->line[i])) != NULL;
    to->gone[i] = from->gone[i];
    to->lines += ok;
  }
  if (!ok) fuzz_lines_clear(to);
  return ok;
}

void fuzz_lines_compact(struct fuzz_lines *l) {
  unsigned n = 0;
  for (unsigned i = 0; i < l->lines; i++) {
    if (l->gone[i])
      free(l->line[i]);
    else
      l->line[n++] = l->line[i];
  }
  l->lines = n;
  memset(l->gone, 0, n * sizeof *l->gone);
}

bool fuzz_lines_set(struct fuzz_lines *l, unsigned i, const char *text) {
  char *copy = strdup(text);
  if (!copy) {
    fuzz_lines_clear(l);
    return false;
  }
  free(l->line[i]);
  l->line[i] = copy;
  return true;
}

char *fuzz_lines_text(const struct fuzz_lines *l) {
  size_t bytes = 1;
  for (unsigned i = 0; i < l->lines; i++) bytes += l->gone[i] ? 0 : strlen(l->line[i]) + 1;
  char *text = malloc(bytes), *to = text;
  if (!text) return NULL;
  for (unsigned i = 0; i < l->lines; i++) {
    if (l->gone[i]) continue;
    const size_t n = strlen(l->line[i]);
    memcpy(to, l->line[i], n);
    to[n] = '\n';
    to += n + 1;
  }
  *to = '\0';
  return text;
}

bool fuzz_lines_is_instruction(const char *line) {
  return strchr(line, ';') != NULL;
}

bool fuzz_lines_live(const struct fuzz_lines *l, unsigned i) {
  return !l->gone[i] && fuzz_lines_is_instruction(l->line[i]);
}

unsigned fuzz_lines_instructions(const struct fuzz_lines *l) {
  unsigned n = 0;
  for (unsigned i = 0; i < l->lines; i++) n += !l->gone[i] && fuzz_lines_is_instruction(l->line[i]);
  return n;
}

/* The next place at or after `at` where `word` stands as a whole word. */
static const char *find_word(const char *at, const char *start, const char *word) {
  const size_t n = strlen(word);
  for (const char *c = strstr(at, word); c; c = strstr(c + 1, word))
    if ((c == start || !in_word(c[-1])) && !in_word(c[n])) return c;
  return NULL;
}

char *fuzz_line_renamed(const char *line, const char *from, const char *to, int which) {
  const size_t n = strlen(from), m = strlen(to);
  unsigned found = 0;
  for (const char *c = line; (c = find_word(c, line, from)) != NULL; c += n) found++;
  if (found == 0 || which >= (int)found) return NULL;
  char *text = malloc(strlen(line) + found * m + 1), *put = text;
  if (!text) return NULL;
  const char *at = line;
  int k = 0;
  for (const char *c = line; (c = find_word(c, line, from)) != NULL; c += n, k++) {
    if (which >= 0 && k != which) continue;
    memcpy(put, at, (size_t)(c - at));
    put += c - at;
    memcpy(put, to, m);
    put += m;
    at = c + n;
  }
  memcpy(put, at, strlen(at) + 1);
  return text;
}

bool fuzz_line_names(const char *line, const char *name) {
  return find_word(line, line, name) != NULL;
}

bool fuzz_lines_name(const struct fuzz_lines *l, const char *name) {
  for (unsigned i = 0; i < l->lines; i++)
    if (fuzz_lines_live(l, i) && fuzz_line_names(l->line[i], name)) return true;
  return false;
}

const char *fuzz_line_register(const char *at, const char *start, char name[8]) {
  for (const char *c = at; *c; c++) {
    if (*c != 'R' || (c != start && in_word(c[-1])) || !isdigit((unsigned char)c[1])) continue;
    const size_t n = 1 + strspn(c + 1, "0123456789");
    if (n > 4 || in_word(c[n])) continue;
    memcpy(name, c, n);
    name[n] = '\0';
    return c + n;
  }
  return NULL;
}

/* What stands after the mnemonic. */
static const char *first_operand(const char *c) {
  if (*c == '[') c += strcspn(c, "]") + (strchr(c, ']') != NULL); /* a control code */
  c += strspn(c, " ");
  if (*c == '@') c += strcspn(c, " ");
  c += strspn(c, " ");
  c += strcspn(c, " ");
  return c + strspn(c, " ");
}

bool fuzz_line_writes(const char *line, char name[8]) {
  if (!fuzz_lines_is_instruction(line)) return false;
  const char *c = first_operand(line), *end = *c == 'R' ? fuzz_line_register(c, line, name) : NULL;
  return end && end == c + strlen(name);
}

bool fuzz_line_writes_predicate(const char *line, char name[8]) {
  const char *c = first_operand(line);
  if (!fuzz_lines_is_instruction(line) || c[0] != 'P' || c[1] < '0' || c[1] > '6' || c[2] != ',') return false;
  memcpy(name, c, 2);
  name[2] = '\0';
  return true;
}

/* Simpler texts of an instruction. */

/* Takes `text`. */
static void add_simpler(struct fuzz_texts *t, const char *line, char *text) {
  if (text && t->n < FUZZ_SIMPLER_MOST && strcmp(text, line) != 0)
    t->text[t->n++] = text;
  else
    free(text);
}

/* The line with [from, to) of it replaced; the caller's. */
static char *splice(const char *line, const char *from, const char *to, const char *with) {
  const size_t room = (size_t)(from - line) + strlen(with) + strlen(to) + 1;
  char *text = malloc(room);
  if (text) snprintf(text, room, "%.*s%s%s", (int)(from - line), line, with, to);
  return text;
}

static const char *after_code(const char *line) {
  if (*line == '[') line += strcspn(line, "]") + (strchr(line, ']') != NULL);
  return line + strspn(line, " ");
}

static const char *mnemonic(const char *line) {
  const char *c = after_code(line);
  if (*c == '@') c += strcspn(c, " ");
  return c + strspn(c, " ");
}

static bool by_nobody(const char *line) {
  return strncmp(after_code(line), "@!PT ", 5) == 0;
}

static void without_marks(const char *line, struct fuzz_texts *out) {
  static const char mark[] = ".reuse";
  if (*line == '[') add_simpler(out, line, strdup(after_code(line)));
  if (mnemonic(line) != after_code(line) && !by_nobody(line))
    add_simpler(out, line, splice(line, after_code(line), mnemonic(line), ""));
  for (const char *c = strstr(line, mark); c; c = strstr(c + 1, mark))
    add_simpler(out, line, splice(line, c, c + sizeof mark - 1, ""));
}

static void fewer_modifiers(const char *line, struct fuzz_texts *out) {
  const char *c = mnemonic(line), *end = c + strcspn(c, " ");
  for (c = memchr(c, '.', (size_t)(end - c)); c && c < end;) {
    const char *next = c + 1 + strcspn(c + 1, ". ");
    add_simpler(out, line, splice(line, c, next, ""));
    c = *next == '.' ? next : NULL;
  }
}

char *fuzz_line_no_offset(const char *line) {
  const char *c = strstr(mnemonic(line), "[R");
  if (!c) return NULL;
  const char *end = c + strcspn(c, "]"), *sign = c + strcspn(c, "+-]");
  return sign < end ? splice(line, sign, end, "") : NULL;
}

static void zero_registers(const char *line, struct fuzz_texts *out) {
  char reg[8];
  for (const char *at = line; (at = fuzz_line_register(at, line, reg)) != NULL;)
    add_simpler(out, line, splice(line, at - strlen(reg), at, "RZ"));
}

/* The last literal of the line. */
static void smaller_number(const char *line, struct fuzz_texts *out) {
  static const unsigned few[] = {0, 1, 4};
  const char *c = NULL;
  for (const char *k = strstr(line, ", 0x"); k; k = strstr(k + 1, ", 0x")) c = k + 2;
  if (!c) return;
  char *end, text[16];
  const unsigned long long now = strtoull(c, &end, 16);
  for (unsigned i = 0; i < sizeof few / sizeof *few && few[i] < now; i++) {
    (void)snprintf(text, sizeof text, "0x%x", few[i]);
    add_simpler(out, line, splice(line, c, end, text));
  }
}

/* Registers that are written, from the one that is named on. */
static unsigned width(const char *line) {
  return strstr(line, ".128") ? 4 : strstr(line, ".64") || strstr(line, ".WIDE") ? 2 : 1;
}

static bool needs_nothing(const char *line) {
  const char *c = mnemonic(line);
  return strstr(c, ", SR_LANEID ;") || strstr(c, ", SR_TID.X ;") || strstr(c, ", SR_CTAID.X ;") ||
         (strncmp(c, "MOV ", 4) == 0 && strstr(c, ", 0x"));
}

/* What reads one register of a pair or quad may need no more than that one. */
static void made_of_nothing(const char *line, struct fuzz_texts *out) {
  static const char *const ways[] = {"S2R R%u, SR_LANEID ;",  "MOV R%u, 0x0 ;",        "MOV R%u, 0x1 ;",
                                     "S2R R%u, SR_CTAID.X ;", "S2R R%u, SR_TID.X ;",   "MOV R%u, 0xffffffff ;",
                                     "MOV R%u, 0x3f800000 ;", "MOV R%u, 0x80000000 ;", "MOV R%u, 0x401 ;"};
  char reg[8], text[64];
  if (!fuzz_line_writes(line, reg) || needs_nothing(line)) return;
  const unsigned first = (unsigned)strtoul(reg + 1, NULL, 10);
  for (unsigned k = 0; k < width(line); k++)
    for (unsigned i = 0; i < (k == 0 ? sizeof ways / sizeof *ways : 3); i++) {
      const char *hole = strstr(ways[i], "%u");
      (void)snprintf(text, sizeof text, "%.*s%u%s", (int)(hole - ways[i]), ways[i], first + k, hole + 2);
      add_simpler(out, line, strdup(text));
    }
}

/* One predicate of one register that the line names: of a comparison the first one, of R2P any. That it is zero, or is
 * not, or of a lane's number which half it is of; comparisons become only the first two. */
static void one_predicate(const char *line, struct fuzz_texts *out) {
  static const char *const ways[] = {"ISETP.NE.AND %s, PT, %s, RZ, PT ;", "ISETP.EQ.AND %s, PT, %s, RZ, PT ;",
                                     "ISETP.LT.U32.AND %s, PT, %s, 0x10, PT ;",
                                     "ISETP.GE.U32.AND %s, PT, %s, 0x10, PT ;"};
  const char *c = mnemonic(line);
  const unsigned some = strncmp(c, "ISETP", 5) == 0 ? 2 : sizeof ways / sizeof *ways;
  const bool all = strncmp(c, "R2P PR, ", 8) == 0, done = strncmp(c, "ISETP", 5) == 0 && strstr(c, ", RZ, PT ;");
  char name[8] = "P0", reg[8], text[64];
  if (done || (!all && !fuzz_line_writes_predicate(line, name))) return;
  for (const char *at = c; (at = fuzz_line_register(at, line, reg)) != NULL;)
    for (unsigned p = 0; p < (all ? 7 : 1); p++) {
      if (all) name[1] = (char)('0' + p);
      for (unsigned i = 0; i < some; i++) {
        const char *first = strchr(ways[i], '%'), *second = strchr(first + 1, '%');
        (void)snprintf(text, sizeof text, "%.*s%s%.*s%s%s", (int)(first - ways[i]), ways[i], name,
                       (int)(second - first - 2), first + 2, reg, second + 2);
        add_simpler(out, line, strdup(text));
      }
    }
}

/* It is issued, and that is all: what its operands were needs nothing any more. */
static void nobody_executes(const char *line, struct fuzz_texts *out) {
  if (!by_nobody(line)) add_simpler(out, line, splice(line, after_code(line), mnemonic(line), "@!PT "));
}

void fuzz_line_simpler(const char *line, struct fuzz_texts *out) {
  out->n = 0;
  if (!fuzz_lines_is_instruction(line)) return;
  without_marks(line, out);
  fewer_modifiers(line, out);
  add_simpler(out, line, fuzz_line_no_offset(line));
  zero_registers(line, out);
  smaller_number(line, out);
  made_of_nothing(line, out);
  one_predicate(line, out);
  nobody_executes(line, out);
}

void fuzz_texts_clear(struct fuzz_texts *t) {
  for (unsigned i = 0; i < t->n; i++) free(t->text[i]);
  t->n = 0;
}
