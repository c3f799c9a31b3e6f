/* SPDX-License-Identifier: Apache-2.0
 *
 * NAME.md: the table that stands in the prose.
 */
#include <string.h>

#include "isa/abi/gen/layout.h"

static void emit_fields(const struct layout *l, const struct layout_item *i, FILE *f) {
  for (i++; i < l->item + l->items && i->kind == LAYOUT_FIELD; i++) {
    /* A field's name holds its word's, which stands in the row already. */
    const struct layout_item *word = i;
    while (word->kind == LAYOUT_FIELD) word--;
    const char *name = i->name + strlen(word->name) + 1;
    if (i->high == i->low)
      fprintf(f, "; bit %u %s: %s", i->low, name, i->text);
    else
      fprintf(f, "; bits %u:%u %s: %s", i->high, i->low, name, i->text);
  }
}

static void emit_word_row(const struct layout *l, const struct layout_item *i, FILE *f) {
  fprintf(f, "| 0x%03x", i->offset);
  if (i->count > 1) fprintf(f, " + %u i, i = 0 to %u", i->every, i->count - 1);
  fprintf(f, " | %s | %u | %s%s | %s", i->name, i->bits, i->readable ? "r" : "", i->writable ? "w" : "", i->text);
  if (i->saturates) fprintf(f, "; what does not fit reads back as the largest value");
  emit_fields(l, i, f);
  fprintf(f, " |\n");
}

static void emit_constants(const struct layout *l, FILE *f) {
  bool first = true;
  for (unsigned k = 0; k < l->items; k++) {
    if (l->item[k].kind != LAYOUT_CONST) continue;
    if (first) fprintf(f, "\n| constant | value | meaning |\n|---|---|---|\n");
    fprintf(f, "| %s | 0x%x | %s |\n", l->item[k].name, l->item[k].value, l->item[k].text);
    first = false;
  }
}

void layout_emit_markdown(const struct layout *l, FILE *f) {
  fprintf(f, "| offset | name | bits | access | meaning |\n|---|---|---|---|---|\n");
  for (unsigned k = 0; k < l->items; k++)
    if (l->item[k].kind == LAYOUT_WORD) emit_word_row(l, &l->item[k], f);
  emit_constants(l, f);
  for (unsigned k = 0; k < l->items; k++) {
    const struct layout_item *i = &l->item[k];
    if (i->kind == LAYOUT_VALUES) fprintf(f, "\n%s\n\n| value | name | meaning |\n|---|---|---|\n", i->text);
    if (i->kind == LAYOUT_VALUE) fprintf(f, "| %u | %s | %s |\n", i->value, i->name, i->text);
  }
}
