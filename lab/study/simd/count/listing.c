/* SPDX-License-Identifier: Apache-2.0
 *
 * A function as a list of instructions: where it lies, what each is for, what was counted of it.
 */
#include "listing.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/array.h"

static const char *const simd_class_names[SIMD_CLASSES] = {"float", "memory", "integer", "control",
                                                           "strip", "mask",   "move",    "nothing"};

/* Where a function lies in an ELF file. */

/* In one table of symbols. */
static bool in_table(Elf *e, Elf_Scn *section, const GElf_Shdr *header, struct simd_listing *l) {
  Elf_Data *data = elf_getdata(section, NULL);
  const size_t n = data && header->sh_entsize > 0 ? data->d_size / header->sh_entsize : 0;
  for (size_t i = 0; i < n && i < INT32_MAX; i++) {
    GElf_Sym s;
    if (!gelf_getsym(data, (int)i, &s) || GELF_ST_TYPE(s.st_info) != STT_FUNC || s.st_shndx == SHN_UNDEF) continue;
    const char *name = elf_strptr(e, header->sh_link, s.st_name);
    if (!name || strcmp(name, l->function) != 0) continue;
    l->start = s.st_value;
    l->bytes = s.st_size;
    return true;
  }
  return false;
}

bool simd_symbol(struct simd_listing *l, const char *elf, const char *function, char err[SIMD_ERROR]) {
  (void)snprintf(l->function, sizeof l->function, "%s", function);
  const int fd = open(elf, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    (void)snprintf(err, SIMD_ERROR, "%s: %s", elf, strerror(errno));
    return false;
  }
  Elf *e = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
  bool is_elf = e && elf_kind(e) == ELF_K_ELF, found = false;
  for (Elf_Scn *s = NULL; is_elf && !found && (s = elf_nextscn(e, s)) != NULL;) {
    GElf_Shdr header;
    if (gelf_getshdr(s, &header) && header.sh_type == SHT_SYMTAB) found = in_table(e, s, &header, l);
  }
  (void)elf_end(e);
  (void)close(fd);
  const bool ok = found && l->bytes > 0 && l->bytes < 1u << 20 && l->start + l->bytes > l->start;
  if (!is_elf)
    (void)snprintf(err, SIMD_ERROR, "%s: not an ELF file", elf);
  else if (!found)
    (void)snprintf(err, SIMD_ERROR, "%s: no function '%s' among its symbols", elf, function);
  else if (!ok)
    (void)snprintf(err, SIMD_ERROR, "%s: function '%s' has no size, or too large a one", elf, function);
  return ok;
}

/* What each instruction is for. */

#define RULES_MAX 256u

struct rule {
  char pattern[32];
  enum simd_class what;
  enum simd_kind kind;
  unsigned element;
};
struct rules {
  struct rule rule[RULES_MAX];
  unsigned rules;
  char guarded[8][32];
  unsigned guards;
};

static bool find_word(const char *word, const char *const *names, unsigned n, unsigned *which) {
  for (*which = 0; *which < n; ++*which)
    if (strcmp(word, names[*which]) == 0) return true;
  return false;
}

static bool take_rule(struct rules *r, const char *line) {
  static const char *const kinds[] = {"scalar", "packed", "vector", "whole"};
  char pattern[32], what[16], kind[16];
  unsigned element = 0, c, k;
  const int n = sscanf(line, "%31s %15s %15s %u", pattern, what, kind, &element);
  if (n == 2 && strcmp(pattern, "guarded") == 0 && r->guards < 8) {
    (void)snprintf(r->guarded[r->guards++], sizeof r->guarded[0], "%s", what);
    return true;
  }
  if (n < 3 || r->rules == RULES_MAX || !find_word(what, simd_class_names, SIMD_CLASSES, &c) ||
      !find_word(kind, kinds, 4, &k))
    return false;
  if ((k == SIMD_PACKED) != (n == 4) || (n == 4 && element != 1 && element != 2 && element != 4 && element != 8))
    return false;
  struct rule *to = &r->rule[r->rules++];
  *to = (struct rule){.what = (enum simd_class)c, .kind = (enum simd_kind)k, .element = element};
  memcpy(to->pattern, pattern, sizeof pattern);
  return true;
}

static bool read_rules(struct rules *r, const char *file, char err[SIMD_ERROR]) {
  FILE *f = fopen(file, "r");
  if (!f) {
    (void)snprintf(err, SIMD_ERROR, "%s: %s", file, strerror(errno));
    return false;
  }
  char line[256];
  bool ok = true;
  for (unsigned n = 1; ok && fgets(line, sizeof line, f); n++) {
    line[strcspn(line, "#\n")] = '\0';
    ok = line[strspn(line, " \t")] == '\0' || take_rule(r, line);
    if (!ok) (void)snprintf(err, SIMD_ERROR, "%s:%u: expected PATTERN CLASS KIND [BYTES]: %.100s", file, n, line);
  }
  (void)fclose(f);
  return ok;
}

static bool apply(const struct rules *r, struct simd_insn *i) {
  for (unsigned n = 0; n < r->guards; n++) i->guarded = i->guarded || strstr(i->text, r->guarded[n]);
  for (unsigned n = 0; n < r->rules; n++)
    if (fnmatch(r->rule[n].pattern, i->mnemonic, 0) == 0) {
      i->what = r->rule[n].what;
      i->kind = r->rule[n].kind;
      i->element = r->rule[n].element;
      return true;
    }
  return false;
}

bool simd_classify(struct simd_listing *l, const char *file, char err[SIMD_ERROR]) {
  struct rules *r = calloc(1, sizeof *r);
  if (!r) {
    (void)snprintf(err, SIMD_ERROR, "out of memory");
    return false;
  }
  bool ok = read_rules(r, file, err);
  for (size_t i = 0; ok && i < l->insns; i++) {
    ok = apply(r, &l->insn[i]);
    if (!ok) (void)snprintf(err, SIMD_ERROR, "%s: no line for '%s': add one", file, l->insn[i].text);
  }
  free(r);
  return ok;
}

/* A function as a list of instructions. */

struct simd_insn *simd_listing_add(struct simd_listing *l) {
  if (!array_room(&l->insn, &l->room, l->insns + 1, sizeof *l->insn)) return NULL;
  l->insn[l->insns] = (struct simd_insn){0};
  return &l->insn[l->insns++];
}

void simd_listing_free(struct simd_listing *l) {
  free(l->insn);
  *l = (struct simd_listing){0};
}

struct simd_insn *simd_listing_at(const struct simd_listing *l, uint64_t at) {
  size_t low = 0, high = l->insns;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (l->insn[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < l->insns && l->insn[low].at == at ? &l->insn[low] : NULL;
}

/* The bytes behind the address: "48 85 ff", or in groups, "06a05263", until a tab or two spaces. */
static unsigned hex_bytes(const char **at) {
  unsigned digits = 0;
  const char *p = *at;
  for (; isxdigit((unsigned char)*p) || (*p == ' ' && isxdigit((unsigned char)p[1])); p++) digits += *p != ' ';
  *at = p;
  return digits / 2;
}

static const char *skip(const char *p) {
  while (*p == ' ' || *p == '\t') p++;
  return p;
}

/* Operands with single spaces, without what follows as a comment or names the target of a branch again. */
static void take_insn_text(struct simd_insn *i, const char *p) {
  size_t n = strcspn(p, " \t\n");
  (void)snprintf(i->mnemonic, sizeof i->mnemonic, "%.*s", (int)n, p);
  n = 0;
  for (bool space = false; *p != '\0' && *p != '\n' && *p != '#' && *p != '<' && n + 2 < SIMD_TEXT; p++) {
    if (*p == ' ' || *p == '\t') {
      space = true;
      continue;
    }
    if (space && n > 0) i->text[n++] = ' ';
    space = false;
    i->text[n++] = *p;
  }
  i->text[n] = '\0';
}

static bool take_insn_line(struct simd_listing *l, const char *line, uint64_t *next, char err[SIMD_ERROR]) {
  char *colon;
  line = skip(line);
  const uint64_t at = strtoull(line, &colon, 16);
  if (colon == line || *colon != ':' || at < l->start || at >= l->start + l->bytes) return true;
  const char *p = skip(colon + 1);
  const unsigned bytes = hex_bytes(&p);
  p = skip(p);
  if (bytes == 0 || at != *next || *p == '\0' || *p == '\n') {
    (void)snprintf(err, SIMD_ERROR, "%s: the listing has no whole instruction at 0x%" PRIx64 ": %.60s", l->function,
                   *next, line);
    return false;
  }
  struct simd_insn *i = simd_listing_add(l);
  if (!i) {
    (void)snprintf(err, SIMD_ERROR, "%s: out of memory", l->function);
    return false;
  }
  i->at = at;
  i->bytes = bytes;
  take_insn_text(i, p);
  *next = at + bytes;
  return true;
}

bool simd_listing_read(struct simd_listing *l, FILE *from, char err[SIMD_ERROR]) {
  char line[512];
  uint64_t next = l->start;
  while (fgets(line, sizeof line, from))
    if (!take_insn_line(l, line, &next, err)) return false;
  if (next == l->start + l->bytes) return true;
  (void)snprintf(err, SIMD_ERROR, "%s: the listing ends at 0x%" PRIx64 ", the function at 0x%" PRIx64, l->function,
                 next, l->start + l->bytes);
  return false;
}

/* What was counted, as JSON. */

/* Registers of x86 by the names that stand among the operands. */
static unsigned register_bytes(const char *text) {
  return strstr(text, "%ymm") ? 32 : 16;
}

void simd_tally_packed(struct simd_listing *l) {
  for (size_t n = 0; n < l->insns; n++) {
    struct simd_insn *i = &l->insn[n];
    if (i->kind == SIMD_PACKED) i->lanes = i->width = i->executed * (register_bytes(i->text) / i->element);
  }
}

struct sums {
  uint64_t instructions, bytes, guarded, of[SIMD_CLASSES];
  uint64_t vectors, lanes, width, float_vectors, float_lanes, float_width;
};

static void add_insn(struct sums *s, const struct simd_insn *i) {
  s->instructions += i->executed;
  s->bytes += i->executed * i->bytes;
  s->of[i->what] += i->executed;
  if (i->guarded) s->guarded += i->executed;
  if (i->kind == SIMD_SCALAR) return;
  s->vectors += i->executed;
  s->lanes += i->lanes;
  s->width += i->width;
  if (i->what != SIMD_FLOAT) return;
  s->float_vectors += i->executed;
  s->float_lanes += i->lanes;
  s->float_width += i->width;
}

static json_t *three(uint64_t instructions, uint64_t lanes, uint64_t width) {
  return json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)instructions, "lanes", (json_int_t)lanes, "width",
                   (json_int_t)width);
}

json_t *simd_tally_json(const struct simd_listing *l) {
  struct sums s = {0};
  json_t *lines = json_array();
  for (size_t n = 0; n < l->insns; n++) {
    const struct simd_insn *i = &l->insn[n];
    add_insn(&s, i);
    char at[24];
    (void)snprintf(at, sizeof at, "0x%" PRIx64, i->at - l->start);
    (void)json_array_append_new(lines, json_pack("[s, i, s, s, I, I, I]", at, (int)i->bytes, i->text,
                                                 simd_class_names[i->what], (json_int_t)i->executed,
                                                 (json_int_t)i->lanes, (json_int_t)i->width));
  }
  json_t *executed = json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)s.instructions, "bytes",
                               (json_int_t)s.bytes, "guarded", (json_int_t)s.guarded);
  for (unsigned c = 0; c < SIMD_CLASSES; c++)
    (void)json_object_set_new(executed, simd_class_names[c], json_integer((json_int_t)s.of[c]));
  return json_pack("{s:s, s:{s:I, s:I}, s:o, s:o, s:o, s:o}", "function", l->function, "code", "bytes",
                   (json_int_t)l->bytes, "instructions", (json_int_t)l->insns, "executed", executed, "vector",
                   three(s.vectors, s.lanes, s.width), "float", three(s.float_vectors, s.float_lanes, s.float_width),
                   "listing", lines);
}
