/* SPDX-License-Identifier: Apache-2.0 */
#include "layout_check.h"

#include <string.h>

/* A meaning becomes a comment in C and SystemVerilog and a cell of a table. */
bool layout_text(char to[LAYOUT_TEXT_MAX], const struct line *line, unsigned w, struct diag *d) {
  const char *s = line->word[w];
  if (!line->quoted[w]) return diag_fail(d, line->at, "'%s': a meaning stands in double quotes", s);
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

bool layout_check_word(struct layout *l, const struct layout_item *i, struct diag *d) {
  const uint32_t bytes = layout_is_wide(i) ? 8 : 4;
  if (i->offset % 4 != 0 || i->every % 4 != 0) return diag_fail(d, i->at, "%s: words lie at multiples of 4", i->name);
  if (i->count > 1 && i->every < bytes)
    return diag_fail(d, i->at, "%s has %u bytes, but there is one every %u", i->name, bytes, i->every);
  if (i->count > LAYOUT_BYTES_MAX / 4 || (uint64_t)i->count * i->every > LAYOUT_BYTES_MAX || item_end(i) > l->bytes)
    return diag_fail(d, i->at, "%s ends behind the table, which has 0x%x bytes", i->name, l->bytes);
  if (i->bits >= 32 && i->saturates) return diag_fail(d, i->at, "%s: only fewer than 32 bits saturate", i->name);
  return claim(l, i, d);
}

bool layout_check_field(const struct layout_item *i, struct diag *d) {
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

bool layout_check_names(const struct layout *l, struct diag *d) {
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
