/* SPDX-License-Identifier: Apache-2.0
 * The PTX that the compiler takes, as text and as JSON. */
#include "ptx_list.h"

#include <stdio.h>
#include <string.h>

#include "run/command/json_out.h"
#include "compiler/list.h"
#include "run/runner/result_json.h"

enum { LINE = 700 };

/* Long lists of alternatives, by how they begin: a name instead. */
static const struct {
  const char *begin, *name;
} classes[] = {{"const|", "SPACE"},   {"global|", "SPACE"}, {"acq", "ORDER"}, {"relaxed|", "ORDER"},
               {"cluster|", "SCOPE"}, {"ca|", "CACHE"},     {"eq|", "CMP"}};

static const char *class_of_words(const char *words) {
  for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
    if (strncmp(words, classes[k].begin, strlen(classes[k].begin)) == 0) return classes[k].name;
  return NULL;
}

/* "rn|rm" to ".rn|.rm", in brackets when `optional`. */
static void add_group(char *to, const char *words, size_t n, bool optional) {
  const size_t used = strlen(to);
  const char *class = memchr(words, '|', n) ? class_of_words(words) : NULL;
  char *end = to + used;
  if (used + 2 * n + 16 > LINE) return;
  if (used) *end++ = ' ';
  if (optional) *end++ = '[';
  *end++ = '.';
  if (class) end += snprintf(end, 8, "%s", class);
  for (size_t k = 0; k < n && !class; k++) {
    *end++ = words[k];
    if (words[k] == '|') *end++ = '.';
  }
  if (optional) *end++ = ']';
  *end = 0;
}

static void dotted(char *to, const char *words, bool optional) {
  for (size_t n; *words; words += n + (words[n] == ' ')) {
    n = strcspn(words, " ");
    if (n > 0) add_group(to, words, n, optional);
  }
}

static void put_text(void *ctx, const struct ptx_listed *r) {
  char types[LINE] = "", words[LINE] = "", operands[20];
  (void)ctx;
  dotted(types, r->types, false);
  dotted(words, r->required, false);
  dotted(words, r->optional, true);
  if (r->least == r->most)
    snprintf(operands, sizeof operands, "%u", r->least);
  else
    snprintf(operands, sizeof operands, "%u-%u", r->least, r->most);
  printf("%-14s %-4s %s%s%s%s%s\n", r->name, operands, *types ? types : "-", *words ? "; " : "", words,
         *r->note ? "  # " : "", r->note);
}

void ptx_list_text(void) {
  const char *name;
  printf("# instruction, operands, types; modifiers, [optional ones]  # what else\n"
         "# SPACE: a state space; SCOPE: cta, gpu, cluster (as gpu), sys; CACHE: operators and hints, dropped\n"
         "# ORDER: weak, volatile, relaxed, acquire, release, acq_rel, sc, as PTX has them there; CMP: eq, ne, ...\n");
  ptx_list(put_text, NULL);
  printf("# special registers\n");
  for (unsigned k = 0; (name = ptx_list_register(k)) != NULL; k++) printf("%s%s", k ? " " : "", name);
  printf("\n");
}

/* A list of what stands between the separators. */
static json_t *parts_json(const char *text, const char *separators, json_t *(*one)(const char *text, size_t n)) {
  json_t *list = json_array();
  for (const char *s = text; *s;) {
    const size_t n = strcspn(s, separators);
    if (n > 0) (void)json_array_append_new(list, one(s, n));
    s += n + (s[n] != 0);
  }
  return list;
}

static json_t *word_json(const char *text, size_t n) {
  return json_stringn(text, n);
}

static json_t *alternatives(const char *text, size_t n) {
  char copy[LINE];
  snprintf(copy, sizeof copy, "%.*s", (int)n, text);
  return parts_json(copy, "|", word_json);
}

static void put_json(void *ctx, const struct ptx_listed *r) {
  (void)json_array_append_new(ctx, json_pack("{s:s, s:o, s:b, s:i, s:o, s:o, s:[i, i], s:s}", "name", r->name, "types",
                                             parts_json(r->types, " ", r->sequence ? alternatives : word_json),
                                             "types_in_sequence", r->sequence, "types_written", (int)r->written,
                                             "required", parts_json(r->required, " ", alternatives), "optional",
                                             parts_json(r->optional, " ", alternatives), "operands", (int)r->least,
                                             (int)r->most, "note", r->note));
}

bool ptx_list_json(const char *path) {
  const char *name;
  json_t *instructions = json_array(), *registers = json_array();
  ptx_list(put_json, instructions);
  for (unsigned k = 0; (name = ptx_list_register(k)) != NULL; k++)
    (void)json_array_append_new(registers, json_string(name));
  return json_out_dump(path, json_pack("{s:o, s:o}", "instructions", instructions, "special_registers", registers));
}
