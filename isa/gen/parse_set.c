/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of suffixes or operand names, and how many registers each value fills.
 */
#include <inttypes.h>
#include <string.h>

#include "isa/gen/spec.h"

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
    return diag_fail(d, l->at, "set '%s': the value that prints nothing cannot be starred; the RTL knows it",
                     set->name);
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

bool spec_parse_set(struct spec *s, const struct line *l, struct diag *d) {
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

bool spec_parse_width(struct spec *s, const struct line *l, struct diag *d) {
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
