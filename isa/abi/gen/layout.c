/* SPDX-License-Identifier: Apache-2.0
 *
 * Layout files: reading one, and what must hold of it beyond the form of its lines.
 */
#include "layout.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A meaning becomes a comment in C and SystemVerilog and a cell of a table. */
/* Copy word w of the line, a string in quotes, as a meaning. */
static bool layout_text(char to[LAYOUT_TEXT_MAX], const struct line *line, unsigned w, struct diag *d) {
  const char *s = line->word[w];
  if (!line->quoted[w]) return diag_fail(d, line->at, "'%s': a meaning is in double quotes", s);
  if (strlen(s) >= LAYOUT_TEXT_MAX)
    return diag_fail(d, line->at, "a meaning has at most %d characters", LAYOUT_TEXT_MAX - 1);
  for (const char *c = s; *c != '\0'; c++)
    if ((unsigned char)*c >= 0x7f || *c == '|' || *c == '\\' || *c == '*')
      return diag_fail(d, line->at, "a meaning is plain ASCII without |, * and \\");
  memcpy(to, s, strlen(s) + 1);
  return true;
}

uint32_t layout_mask(const struct layout_item *i, unsigned half) {
  const unsigned bits = i->bits - (half > 0 ? 32 : 0);
  return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

bool layout_keeps(const struct layout *l) {
  for (unsigned k = 0; k < l->items; k++)
    if (layout_is_kept(&l->item[k])) return true;
  return false;
}

static uint32_t item_end(const struct layout_item *i) {
  return i->offset + (i->count - 1) * i->every + (layout_is_wide(i) ? 8 : 4);
}

/* Each word of the table belongs to one item. */
static bool claim(struct layout *l, const struct layout_item *i, struct diag *d) {
  const uint16_t me = (uint16_t)(i - l->item + 1);
  for (uint32_t k = 0; k < i->count; k++)
    for (uint32_t half = 0; half <= layout_is_wide(i); half++) {
      const uint32_t at = i->offset + k * i->every + 4 * half;
      if (l->owner[at / 4] != 0) {
        const struct layout_item *o = &l->item[l->owner[at / 4] - 1];
        return diag_fail(d, i->at, "%s and %s (line %u) both have offset 0x%03x", i->name, o->name, o->at.line, at);
      }
      l->owner[at / 4] = me;
    }
  return true;
}

/* A word lies inside the table, at a multiple of 4, and on no other; its place is taken. */
static bool layout_check_word(struct layout *l, const struct layout_item *i, struct diag *d) {
  const uint32_t bytes = layout_is_wide(i) ? 8 : 4;
  if (i->offset % 4 != 0 || i->every % 4 != 0) return diag_fail(d, i->at, "%s: words are at multiples of 4", i->name);
  if (i->count > 1 && i->every < bytes)
    return diag_fail(d, i->at, "%s has %u bytes, but there is one every %u", i->name, bytes, i->every);
  if (i->count > LAYOUT_BYTES_MAX / 4 || (uint64_t)i->count * i->every > LAYOUT_BYTES_MAX || item_end(i) > l->bytes)
    return diag_fail(d, i->at, "%s ends behind the table, which has 0x%x bytes", i->name, l->bytes);
  if (i->bits >= 32 && i->saturates) return diag_fail(d, i->at, "%s: only fewer than 32 bits saturate", i->name);
  return claim(l, i, d);
}

/* A field shares no bit with the ones before it of its word. */
static bool layout_check_field(const struct layout_item *i, struct diag *d) {
  for (const struct layout_item *o = i - 1; o->kind == LAYOUT_FIELD; o--)
    if (o->low <= i->high && i->low <= o->high)
      return diag_fail(d, i->at, "%s and %s (line %u) share a bit", i->name, o->name, o->at.line);
  return true;
}

/* As in C, less HEDDLE_. */
static void full_name(const struct layout *l, const struct layout_item *i, char to[2 * TEXT_NAME_MAX]) {
  const bool word = i->kind == LAYOUT_WORD;
  (void)snprintf(to, 2 * TEXT_NAME_MAX, "%s%s%s", word ? l->word : "", word ? "_" : "", i->name);
}

/* Every name that is made of the layout is made once. */
static bool layout_check_names(const struct layout *l, struct diag *d) {
  char name[2 * TEXT_NAME_MAX], other[2 * TEXT_NAME_MAX];
  for (unsigned k = 0; k < l->items; k++) {
    const struct layout_item *i = &l->item[k];
    full_name(l, i, name);
    for (unsigned n = 0; n < k && i->kind != LAYOUT_PART; n++) {
      /* The name of a set is that of an enum: it may be a word's, too. */
      if (l->item[n].kind == LAYOUT_PART || (l->item[n].kind == LAYOUT_VALUES) != (i->kind == LAYOUT_VALUES)) continue;
      full_name(l, &l->item[n], other);
      if (strcmp(name, other) == 0)
        return diag_fail(d, i->at, "%s is given twice (first at line %u); rename one", name, l->item[n].at.line);
    }
  }
  return true;
}

/* What is being read: the layout, and the last item that fields or values belong to. */
struct reader {
  struct layout *l;
  struct diag *d;
  const struct line *line;
  int word, values; /* index of the last WORD, VALUES; -1: there is none to belong to */
};

static bool complain(const struct reader *r, const char *wanted) {
  return diag_fail(r->d, r->line->at, "expected '%s'", wanted);
}

static bool is_upper_name(const char *s) {
  for (const char *c = s; *c != '\0'; c++)
    if (!isupper((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_') return false;
  return isupper((unsigned char)*s) != 0;
}

/* A new item called PREFIX_NAME (or NAME), with a meaning. NULL: complained. */
static struct layout_item *add_layout_item(struct reader *r, enum layout_kind kind, const char *prefix,
                                           const char *name, unsigned text) {
  struct layout *l = r->l;
  if (l->items == LAYOUT_ITEMS_MAX) {
    diag_fail(r->d, r->line->at, "more than %d items", LAYOUT_ITEMS_MAX);
    return NULL;
  }
  struct layout_item *i = &l->item[l->items];
  memset(i, 0, sizeof *i);
  i->kind = kind;
  i->at = r->line->at;
  if (name != NULL) {
    int n = snprintf(i->name, sizeof i->name, "%s%s%s", prefix, *prefix != '\0' ? "_" : "", name);
    if (!is_upper_name(name) || n < 0 || (size_t)n >= sizeof i->name) {
      diag_fail(r->d, r->line->at, "'%s' is not a name: capitals, digits and '_', at most %d with that of its word",
                name, TEXT_NAME_MAX - 1);
      return NULL;
    }
  }
  if (!layout_text(i->text, r->line, text, r->d)) return NULL;
  l->items++;
  return i;
}

static bool read_number(const struct reader *r, const char *s, uint64_t low, uint64_t high, const char *what,
                        uint32_t *out) {
  uint64_t v = 0;
  if (!text_number(s, &v) || v < low || v > high)
    return diag_fail(r->d, r->line->at, "%s is '%s'; use 0x%llx to 0x%llx", what, s, (unsigned long long)low,
                     (unsigned long long)high);
  *out = (uint32_t)v;
  return true;
}

static bool read_part(struct reader *r) {
  if (r->line->n != 2) return complain(r, "part \"TEXT\"");
  return add_layout_item(r, LAYOUT_PART, "", NULL, 1) != NULL;
}

static bool read_const(struct reader *r) {
  if (r->line->n != 4) return complain(r, "const NAME VALUE \"MEANING\"");
  struct layout_item *i = add_layout_item(r, LAYOUT_CONST, "", r->line->word[1], 3);
  return i != NULL && read_number(r, r->line->word[2], 0, UINT32_MAX, "the value", &i->value);
}

static bool read_access(const struct reader *r, const char *s, struct layout_item *i) {
  i->readable = strcmp(s, "r") == 0 || strcmp(s, "rw") == 0;
  i->writable = strcmp(s, "w") == 0 || strcmp(s, "rw") == 0;
  return i->readable || i->writable || diag_fail(r->d, r->line->at, "access is '%s'; use r, w or rw", s);
}

/* A number, or the name of a constant above. */
static bool read_count(const struct reader *r, const char *s, uint32_t *count) {
  for (unsigned k = 0; k < r->l->items; k++)
    if (r->l->item[k].kind == LAYOUT_CONST && strcmp(r->l->item[k].name, s) == 0) {
      *count = r->l->item[k].value;
      return true;
    }
  return read_number(r, s, 2, LAYOUT_BYTES_MAX / 4, "count", count);
}

/* What may follow a word's meaning. */
static bool read_rest(const struct reader *r, struct layout_item *i) {
  uint32_t count = 1, every = 0;
  for (unsigned w = 6; w < r->line->n; w++) {
    const char *s = r->line->word[w];
    bool ok = true;
    if (strcmp(s, "saturates") == 0)
      i->saturates = true;
    else if (strncmp(s, "count=", 6) == 0)
      ok = read_count(r, s + 6, &count);
    else if (strncmp(s, "every=", 6) == 0)
      ok = read_number(r, s + 6, 4, LAYOUT_BYTES_MAX, "every", &every);
    else
      ok = diag_fail(r->d, r->line->at, "'%s' is unknown; use count=N every=BYTES, saturates", s);
    if (!ok) return false;
  }
  if ((count > 1) != (every > 0)) return diag_fail(r->d, r->line->at, "count and every go together");
  i->count = count;
  i->every = every;
  return true;
}

static bool read_word_line(struct reader *r) {
  const struct line *l = r->line;
  uint32_t bits = 0;
  if (l->n < 6) return complain(r, "at OFFSET NAME BITS ACCESS \"MEANING\"");
  r->word = (int)r->l->items;
  struct layout_item *i = add_layout_item(r, LAYOUT_WORD, "", l->word[2], 5);
  if (i == NULL || !read_number(r, l->word[1], 0, LAYOUT_BYTES_MAX - 4, "the offset", &i->offset) ||
      !read_number(r, l->word[3], 1, 64, "the number of bits", &bits))
    return false;
  i->bits = bits;
  return read_access(r, l->word[4], i) && read_rest(r, i) && layout_check_word(r->l, i, r->d);
}

static bool read_field(struct reader *r) {
  char bits[16] = "";
  uint32_t high = 0, low = 0;
  if (r->line->n != 4) return complain(r, "field NAME HIGH:LOW \"MEANING\"");
  if (r->word < 0) return diag_fail(r->d, r->line->at, "a field comes after the word that it belongs to");
  const struct layout_item *word = &r->l->item[r->word];
  struct layout_item *i = add_layout_item(r, LAYOUT_FIELD, word->name, r->line->word[1], 3);
  if (i == NULL) return false;
  (void)snprintf(bits, sizeof bits, "%s", r->line->word[2]);
  char *colon = strchr(bits, ':');
  if (colon != NULL) *colon = '\0';
  if (!read_number(r, bits, 0, word->bits - 1, "the highest bit", &high)) return false;
  if (!read_number(r, colon != NULL ? colon + 1 : bits, 0, high, "the lowest bit", &low)) return false;
  i->high = high;
  i->low = low;
  return layout_check_field(i, r->d);
}

static bool read_values(struct reader *r) {
  if (r->line->n != 3) return complain(r, "values NAME \"MEANING\"");
  r->values = (int)r->l->items;
  return add_layout_item(r, LAYOUT_VALUES, "", r->line->word[1], 2) != NULL;
}

static bool read_value(struct reader *r) {
  if (r->line->n != 4) return complain(r, "value NAME NUMBER \"MEANING\"");
  if (r->values < 0) return diag_fail(r->d, r->line->at, "a value comes after the set that it belongs to");
  struct layout_item *i = add_layout_item(r, LAYOUT_VALUE, r->l->item[r->values].name, r->line->word[1], 3);
  return i != NULL && read_number(r, r->line->word[2], 0, INT32_MAX, "the value", &i->value);
}

static bool read_layout(struct reader *r) {
  struct layout *l = r->l;
  const struct line *n = r->line;
  if (n->n != 5) return complain(r, "layout NAME WORD BYTES \"TITLE\"");
  if (l->bytes != 0) return diag_fail(r->d, n->at, "'layout' is given twice; remove one");
  if (!text_is_name(n->word[1]) || strchr(n->word[1], '.') != NULL)
    return diag_fail(r->d, n->at, "'%s' is not a name; use letters, digits and '_'", n->word[1]);
  if (!is_upper_name(n->word[2]) || strlen(n->word[2]) >= TEXT_NAME_MAX)
    return diag_fail(r->d, n->at, "'%s' is not a name; use capitals, digits and '_'", n->word[2]);
  (void)snprintf(l->name, sizeof l->name, "%s", n->word[1]);
  (void)snprintf(l->word, sizeof l->word, "%s", n->word[2]);
  if (!read_number(r, n->word[3], 4, LAYOUT_BYTES_MAX, "the size", &l->bytes)) return false;
  if (l->bytes % 4 != 0) return diag_fail(r->d, n->at, "the size is not a multiple of 4");
  return layout_text(l->text, n, 4, r->d);
}

static bool read_line(struct reader *r) {
  static const struct {
    const char *word;
    bool (*read)(struct reader *r);
    bool ends_word, ends_values;
  } kinds[] = {{"layout", read_layout, true, true}, {"part", read_part, true, true},
               {"const", read_const, true, true},   {"at", read_word_line, false, true},
               {"field", read_field, false, true},  {"values", read_values, true, false},
               {"value", read_value, true, false}};
  const char *first = r->line->word[0];
  if (r->l->bytes == 0 && strcmp(first, "layout") != 0)
    return diag_fail(r->d, r->line->at, "the first line is 'layout NAME WORD BYTES \"TITLE\"'");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strcmp(first, kinds[k].word) != 0) continue;
    if (kinds[k].ends_word) r->word = -1;
    if (kinds[k].ends_values) r->values = -1;
    return kinds[k].read(r);
  }
  return diag_fail(r->d, r->line->at, "'%s' is unknown; use part, const, at, field, values, value", first);
}

bool layout_load(const char *path, struct layout *l, struct diag *d) {
  struct pos at = {path, 0};
  memset(l, 0, sizeof *l);
  char *text = text_read(path, at, d);
  struct line *line = malloc(sizeof *line);
  if (line == NULL) diag_fail(d, at, "out of memory");
  if (!d->failed) {
    struct reader r = {l, d, line, -1, -1};
    const char *cursor = text;
    line->at = at;
    while (!d->failed && text_line(&cursor, line, d))
      if (line->n > 0) (void)read_line(&r);
  }
  free(line);
  free(text);
  if (!d->failed && l->bytes == 0) diag_fail(d, at, "there is no line 'layout NAME WORD BYTES \"TITLE\"'");
  return !d->failed && layout_check_names(l, d);
}
